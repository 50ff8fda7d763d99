//! Fuzzes the public interface: `api-fuzz --calls 10000000 --seed 1`.
//!
//! `--episode N` repeats one episode and prints its last calls; `--shrink N` also leaves out the calls that the failure does not need.

use cairn2d_fuzz::{Plan, fuzz, replay, shrink};
use std::process::ExitCode;

/// Options of the command line.
enum Task {
    Fuzz,
    Replay(u64),
    Shrink(u64),
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<(Plan, Task), String> {
    let (mut plan, mut task) = (Plan::default(), Task::Fuzz);
    while let Some(word) = words.next() {
        let value = words
            .next()
            .ok_or_else(|| format!("{word} needs a number"))?;
        let number = value
            .parse()
            .map_err(|error| format!("{word} {value}: {error}"))?;
        match word.as_str() {
            "--seed" => plan.seed = number,
            "--calls" => plan.calls = number,
            "--episode-calls" => plan.episode_calls = number.max(1),
            "--from" => plan.first_episode = number,
            "--episode" => task = Task::Replay(number),
            "--shrink" => task = Task::Shrink(number),
            _ => return Err(format!("unknown argument {word}")),
        }
    }
    Ok((plan, task))
}

fn main() -> ExitCode {
    let (plan, task) = match parse(std::env::args().skip(1)) {
        Ok(parsed) => parsed,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    let failure = match task {
        Task::Fuzz => {
            let found = fuzz(&plan, |failure| eprintln!("{failure}"));
            println!("{} calls, failures at {} places", plan.calls, found.len());
            return ExitCode::from(u8::from(!found.is_empty()));
        }
        Task::Replay(episode) => replay(&plan, episode),
        Task::Shrink(episode) => shrink(&plan, episode),
    };
    match failure {
        Some(failure) => {
            println!("{failure}");
            ExitCode::FAILURE
        }
        None => {
            println!("no failure");
            ExitCode::SUCCESS
        }
    }
}
