//! Counts the instructions of a step under valgrind, and compares with the counts that were committed.
//!
//! Time is noisy on shared machines; instructions are not. `instructions` compares, `instructions bless`
//! writes the counts anew, `instructions run SCENE STEPS` is the program under valgrind.

use scenes::benchmark::{STEP, scene};
use scenes::engine::{CairnEngine, Engine};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// Share by which a count may grow. The same source with another link order moves by a tenth of that.
const TOLERANCE: f64 = 0.03;

/// The scenes whose steps are counted: small worlds, games that people play, and a scene or two of each other group.
const SCENES: [&str; 22] = [
    "awake_10",
    "awake_100",
    "small_pyramid",
    "small_rain",
    "jenga",
    "angry",
    "truck",
    "hangropes",
    "worlds",
    "sandbox",
    "topdown",
    "pinball",
    "platformer",
    "cart_pole",
    "ropes",
    "rays",
    "springs",
    "asleep_1000",
    "towers",
    "walker_rays",
    "shapes_20000",
    "first_step_tiles",
];

/// Most worlds of a scene: ten of a hundred show what a step takes.
const MAX_WORLDS: u32 = 10;

/// Counts by scene, after a line that names the compiler.
type Counts = BTreeMap<String, u64>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["run", name, steps] => {
            run(name, steps.parse().expect("a number of steps"));
            ExitCode::SUCCESS
        }
        [] => with_valgrind(compare),
        ["bless"] => with_valgrind(bless),
        _ => {
            eprintln!("usage: instructions [bless | run SCENE STEPS]");
            ExitCode::FAILURE
        }
    }
}

/// Builds a scene and takes some steps, on one thread.
fn run(name: &str, steps: u32) {
    let scene = scene(name).expect("the name of a scene");
    for world in 0..scene.worlds.min(MAX_WORLDS) {
        let mut engine = CairnEngine::new(&scene.settings(1), None);
        let mut cast = (scene.build)(&mut engine);
        cast.world = world;
        for step in 0..steps {
            (scene.before_step)(&mut cast, &mut engine, step);
            if scene.is_stepped || step == 0 {
                engine.step(STEP);
            }
        }
    }
}

/// Does `task` if there is a valgrind; fails without one in continuous integration (`CI=true`).
fn with_valgrind(task: impl Fn() -> ExitCode) -> ExitCode {
    if Command::new("valgrind").arg("--version").output().is_err() {
        if std::env::var("CI").is_ok_and(|ci| ci == "true") {
            eprintln!("failed: there is no valgrind here, so no instructions are counted");
            return ExitCode::FAILURE;
        }
        println!("skipped: there is no valgrind here, so no instructions are counted");
        return ExitCode::SUCCESS;
    }
    task()
}

fn compare() -> ExitCode {
    let text = std::fs::read_to_string(counts_path()).expect("counts that were committed");
    let (compiler, expected) = parse(&text);
    if compiler != this_compiler() {
        println!(
            "skipped: counts are of {compiler}, this is {}",
            this_compiler()
        );
        return ExitCode::SUCCESS;
    }
    let mut code = ExitCode::SUCCESS;
    for (name, count) in count_all() {
        let Some(&before) = expected.get(&name) else {
            println!("{name}: {count} instructions, and no count of before: bless it");
            code = ExitCode::FAILURE;
            continue;
        };
        let change = count as f64 / before as f64 - 1.0;
        println!("{name}: {count} instructions, {:+.2} %", 100.0 * change);
        if change > TOLERANCE {
            println!("  more than before: find out why, or bless it with a reason in the commit");
            code = ExitCode::FAILURE;
        } else if change < -TOLERANCE {
            println!("  fewer than before: bless it, so that the gain is kept");
        }
    }
    code
}

fn bless() -> ExitCode {
    let mut text = this_compiler() + "\n";
    for (name, count) in count_all() {
        println!("{name}: {count} instructions");
        text += &format!("{name} {count}\n");
    }
    std::fs::write(counts_path(), text).expect("a place for the counts");
    ExitCode::SUCCESS
}

/// Counts the instructions of the steps of the scenes, without those of building them.
///
/// A scene without timed steps is about its first one, and one with a single timed step about that.
fn count_all() -> Counts {
    let count_scene = |name: &str| {
        let steps = scene(name).expect("the name of a scene").timed_steps;
        let (first, steps) = (u32::from(steps == 1), steps.max(1));
        let all = count(name, first + steps);
        (name.to_string(), all - count(name, first))
    };
    SCENES.map(count_scene).into()
}

/// Runs this program under callgrind and returns how many instructions it took.
fn count(name: &str, steps: u32) -> u64 {
    let program = std::env::current_exe().expect("this program");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(["run", name, &steps.to_string()])
        .output()
        .expect("valgrind to run");
    let report = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{report}");
    let line = report
        .lines()
        .find_map(|line| line.split_once("Collected : "));
    let (_, number) = line.unwrap_or_else(|| panic!("no count in: {report}"));
    number.trim().parse().expect("a count")
}

fn counts_path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("instructions.txt")
}

fn this_compiler() -> String {
    let output = Command::new("rustc")
        .arg("--version")
        .output()
        .expect("rustc to run");
    String::from_utf8_lossy(&output.stdout).trim().to_string()
}

fn parse(text: &str) -> (String, Counts) {
    let (compiler, lines) = text.split_once('\n').expect("a line with the compiler");
    let entry = |line: &str| {
        let (name, count) = line.split_once(' ').expect("a name and a count");
        (name.to_string(), count.parse().expect("a count"))
    };
    (compiler.to_string(), lines.lines().map(entry).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn committed_counts_are_of_the_scenes() {
        let text = std::fs::read_to_string(counts_path()).unwrap();
        let (compiler, counts) = parse(&text);
        assert!(compiler.starts_with("rustc "), "{compiler}");
        assert!(counts.keys().map(String::as_str).eq(sorted(SCENES)));
    }
    fn sorted(mut names: [&str; 22]) -> [&str; 22] {
        names.sort_unstable();
        names
    }
}
