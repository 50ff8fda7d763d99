//! Repeats a recording, checks each step, and times jumps.

use crate::{Outcome, of, read, report_hash};
use cairn2d::{Player, Recording, ReplayError};
use cpu_time::ThreadTime;
use std::sync::Arc;

/// Jumps that are timed.
const JUMPS: u64 = 64;

/// Repeats a recording.
pub(crate) fn verify(file: &str) -> Result<Outcome, String> {
    let opened = ThreadTime::now();
    let recording = Arc::new(Recording::new(read(file)?).map_err(of(file))?);
    let info = recording.info();
    println!(
        "{} steps, {} states, {} bytes ({:.0} a step), solver epoch {}",
        info.steps,
        info.states,
        info.bytes,
        info.bytes as f64 / info.steps.max(1) as f64,
        info.epoch
    );
    if let Some(defect) = recording.defect() {
        println!("the last {} bytes are lost: {defect}", info.lost_bytes);
    }
    println!("opened in {:.1} ms of the processor", milliseconds(opened));

    let mut player = Player::new(recording).map_err(of(file))?;
    player.set_threads(1);
    let (started, mut wrong) = (ThreadTime::now(), None);
    loop {
        match player.advance() {
            Ok(true) => {}
            Ok(false) => break,
            Err(error @ ReplayError::Mismatch { .. }) => _ = wrong.get_or_insert(error),
            Err(error) => return Err(of(file)(error)),
        }
    }
    println!("played in {:.0} ms of the processor", milliseconds(started));
    report_hash(player.world(), player.step());
    time_jumps(&mut player).map_err(of(file))?;
    Ok(match wrong {
        None => {
            println!("every step repeats");
            Outcome::Same
        }
        Some(error) => {
            println!("{error}");
            Outcome::Different
        }
    })
}

/// Returns the time of the processor since `start` \[ms\]: other programs count little.
fn milliseconds(start: ThreadTime) -> f64 {
    1.0e3 * start.elapsed().as_secs_f64()
}

/// Goes to steps in an order that jumps about, and prints how long that takes.
fn time_jumps(player: &mut Player) -> Result<(), ReplayError> {
    let steps = player.recording().step_count();
    let mut times = Vec::new();
    for jump in 1..=JUMPS {
        let step = jump * steps * 29 / JUMPS % (steps + 1);
        let started = ThreadTime::now();
        match player.seek(step) {
            Err(error) if !matches!(error, ReplayError::Mismatch { .. }) => return Err(error),
            _ => times.push(milliseconds(started)),
        }
    }
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    let (median, slowest) = (at(0.5), at(1.0));
    println!("{JUMPS} jumps to a step: median {median:.1} ms, slowest {slowest:.1} ms");
    Ok(())
}

/// Lists the calls of a step.
pub(crate) fn list_calls(file: &str, step: u64) -> Result<Outcome, String> {
    let recording = Recording::new(read(file)?).map_err(of(file))?;
    for (index, call) in recording
        .calls_of(step)
        .map_err(of(file))?
        .iter()
        .enumerate()
    {
        println!("{index}: {call}");
    }
    Ok(Outcome::Same)
}
