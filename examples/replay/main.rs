//! Records scenes, repeats recordings, and names where two recordings or saves part.
#![forbid(unsafe_code)]

mod compare;
mod verify;

use cairn2d::{RecordingDef, ReplayError, World};
use scenes::registry;
use std::process::ExitCode;

const HELP: &str = "\
usage: replay FILE                      repeats a recording, checks each step, and times jumps to steps
       replay FILE FILE                 compares two recordings or two saves
       replay --record SCENE FILE [N]   records a scene, N steps long
       replay --calls FILE STEP         lists the calls of a step
exit code: 0 repeats or equal, 1 differs, 2 error
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["--record", scene, file] => record(scene, file, None),
        ["--record", scene, file, steps] => match steps.parse() {
            Ok(steps) => record(scene, file, Some(steps)),
            Err(_) => Err(format!("{steps} is no number of steps")),
        },
        ["--calls", file, step] => match step.parse() {
            Ok(step) => verify::list_calls(file, step),
            Err(_) => Err(format!("{step} is no number of a step")),
        },
        [file] if !file.starts_with('-') => verify::verify(file),
        [a, b] if !a.starts_with('-') => compare::compare(a, b),
        _ => Err(HELP.to_owned()),
    };
    match done {
        Ok(Outcome::Same) => ExitCode::SUCCESS,
        Ok(Outcome::Different) => ExitCode::from(1),
        Err(error) => {
            eprintln!("{}", error.trim_end());
            ExitCode::from(2)
        }
    }
}

/// Result of a comparison with a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Same,
    Different,
}

/// Reads a file.
fn read(file: &str) -> Result<Vec<u8>, String> {
    std::fs::read(file).map_err(|error| format!("{file}: {error}"))
}

/// Returns a function that puts the name of the file before an error.
fn of(file: &str) -> impl Fn(ReplayError) -> String {
    move |error| format!("{file}: {error}")
}

fn record(scene: &str, file: &str, steps: Option<u32>) -> Result<Outcome, String> {
    use std::io::Write;
    let scene = registry::find(scene).map_err(|error| error.to_string())?;
    let mut target = std::fs::File::create(file).map_err(|error| format!("{file}: {error}"))?;
    let mut write = |part: Vec<u8>| {
        let written = target.write_all(&part);
        written.map_err(|error| format!("{file}: {error}"))
    };
    let mut stage = (scene.build)();
    stage.world.start_recording(RecordingDef::default());
    let steps = steps.unwrap_or(scene.steps);
    for _ in 0..steps {
        stage.step();
        write(stage.world.take_recording())?;
    }
    write(stage.world.stop_recording())?;
    report_hash(&stage.world, steps.into());
    Ok(Outcome::Same)
}

fn report_hash(world: &World, step: u64) {
    let (bodies, hash) = (world.body_count(), world.state_hash());
    println!("step {step}: {bodies} bodies, state hash {hash:016x}");
}
