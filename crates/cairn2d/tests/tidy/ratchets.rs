//! Counts that may only fall: how much there is to the solver, and to the crates of the simulation.
//!
//! Tests fail when a mechanism goes and something gets worse; this one fails when a mechanism comes. The counts are kept
//! in `ratchets.txt`, exactly, so that a lower count is written down and cannot grow back unseen.

use crate::{files, root};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Crates whose code is counted; one that does not exist counts nothing.
const CRATES: [&str; 2] = ["solver", "dynamics"];

/// Lines above which a file counts as long, comments included, tests left out.
const LONG: usize = 400;

fn figures_path() -> std::path::PathBuf {
    root().join("crates/cairn2d/tests/tidy/ratchets.txt")
}

/// Returns the code of the crates without tests: a text for each file.
fn code() -> Vec<String> {
    let folders = CRATES.map(|name| root().join("crates").join(name).join("src"));
    let paths: Vec<_> = folders
        .iter()
        .flat_map(|folder| files(folder, &[".rs"]))
        .collect();
    let texts: Vec<_> = paths
        .iter()
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    let test_files: Vec<String> = texts.iter().flat_map(|text| test_modules(text)).collect();
    let is_test = |path: &Path| {
        let name = path.file_name().unwrap().to_string_lossy();
        test_files
            .iter()
            .any(|module| *name == format!("{module}.rs"))
    };
    let pairs = paths.iter().zip(&texts);
    pairs
        .filter(|(path, _)| !is_test(path))
        .map(|(_, text)| without_tests(text).to_owned())
        .collect()
}

/// Names of the modules in files of their own that a file declares for tests.
fn test_modules(text: &str) -> Vec<String> {
    let lines = || text.lines().map(str::trim);
    let pairs = lines().zip(lines().skip(1));
    pairs
        .filter(|(attribute, _)| *attribute == "#[cfg(test)]")
        .filter_map(|(_, line)| line.trim_start_matches("pub(crate) ").strip_prefix("mod "))
        .filter_map(|rest| rest.strip_suffix(';'))
        .map(str::to_owned)
        .collect()
}

/// Returns the part of a file before its tests.
fn without_tests(text: &str) -> &str {
    let heads = ["mod tests {", "pub(crate) mod tests {"];
    let starts = heads
        .iter()
        .filter_map(|head| text.find(&format!("\n#[cfg(test)]\n{head}")));
    starts.min().map_or(text, |start| &text[..start])
}

/// Returns `true` if a line is neither blank nor a comment.
fn is_code(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with("//")
}

/// Returns `true` if a line defines a constant that is one number with a fraction: `const NAME: f32 = ...`.
fn is_constant(line: &str) -> bool {
    let Some((head, rest)) = line.trim().split_once("const ") else {
        return false;
    };
    let is_visibility = head.is_empty() || head.trim_end().ends_with(')') || head == "pub ";
    let kind = rest.split_once(": ").map_or("", |(_, kind)| kind);
    is_visibility
        && ["f32 =", "f64 ="]
            .iter()
            .any(|number| kind.starts_with(number))
}

fn mechanisms() -> usize {
    let path = root().join("crates/dynamics/src/mechanisms.rs");
    let text = fs::read_to_string(path).unwrap();
    let (_, rest) = text
        .split_once("const ALL: [Self; ")
        .expect("the list of mechanisms");
    rest.split(']').next().unwrap().parse().unwrap()
}

fn counts() -> BTreeMap<&'static str, usize> {
    let code = code();
    let lines = || code.iter().flat_map(|text| text.lines());
    let is_long = |text: &&String| text.lines().count() > LONG;
    BTreeMap::from([
        ("mechanisms", mechanisms()),
        (
            "constants",
            lines().filter(|line| is_constant(line)).count(),
        ),
        ("code_lines", lines().filter(|line| is_code(line)).count()),
        ("files", code.len()),
        ("long_files", code.iter().filter(is_long).count()),
    ])
}

#[test]
fn counts_only_fall() {
    let text = fs::read_to_string(figures_path()).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let figures: BTreeMap<&str, usize> = lines
        .map(|line| line.split_once(' ').expect("a name and a figure"))
        .map(|(name, figure)| (name, figure.parse().unwrap()))
        .collect();
    let counts = counts();
    assert!(
        figures.keys().eq(counts.keys()),
        "{figures:?} are not {counts:?}"
    );
    let mut wrong = Vec::new();
    for (name, count) in counts {
        let figure = figures[name];
        if count > figure {
            wrong.push(format!(
                "{name}: {count}, more than {figure}: make it less; the figure may only be lowered"
            ));
        } else if count < figure {
            wrong.push(format!("{name}: lower the figure to {count}"));
        }
    }
    assert!(wrong.is_empty(), "ratchets.txt: {wrong:#?}");
}

#[test]
fn lines_are_counted_as_described() {
    let constants = [
        "const A: f32 = 1.0;",
        "pub const B: f64 = 2.0 * A;",
        "    pub(crate) const C: f32 =",
    ];
    assert!(constants.into_iter().all(is_constant));
    let others = [
        "const D: usize = 1;",
        "const fn e(x: f32) -> f32 {",
        "let f: f32 = 1.0;",
        "// const A: f32 = 1.0",
    ];
    assert!(!others.into_iter().any(is_constant));
    assert!(is_code("let x = 1; // one") && !is_code("  /// Text.") && !is_code(""));
    let file = "fn f() {}\n\n#[cfg(test)]\nmod rig;\n#[cfg(test)]\nmod tests {\n}";
    assert_eq!(test_modules(file), ["rig"]);
    assert_eq!(
        without_tests(file)
            .lines()
            .filter(|line| is_code(line))
            .count(),
        3
    );
}
