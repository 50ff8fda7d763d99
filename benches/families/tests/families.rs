//! The default solver against the plain one, with fixed seeds.
//!
//! `known.txt` lists each scene and measure in which the default is worse than plain today, with both figures.
//! An entry may leave the table, and its figure may shrink; nothing may be added.

use cairn2d_families::{Costs, Family, MEASURES, Setting, all, run_pair, worse};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Variable that makes the test rewrite the table instead of comparing with it.
const BLESS: &str = "CAIRN_BLESS";

/// Seeds of each family.
const SEEDS: u64 = 6;

/// Seeds of families with slow scenes: one under standard, one under other conditions.
const FEW_SEEDS: u64 = 2;

/// Factor on a figure of the table: it has three digits.
const ROUNDING: f64 = 1.01;

/// First line of the table.
const HEAD: &str = "# family, seed, measure: default, plain\n";

/// A figure in which the default is worse, and that of the plain solver.
type Figures = [f64; 2];

fn table_path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/known.txt")
}

/// Returns the table: by family, seed and measure.
fn known() -> BTreeMap<String, Figures> {
    let text = std::fs::read_to_string(table_path()).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let entry = |line: &str| {
        let (key, figures) = line.split_once(": ")?;
        let (ours, plain) = figures.split_once(", ")?;
        Some((key.to_owned(), [ours.parse().ok()?, plain.parse().ok()?]))
    };
    lines
        .map(|line| entry(line).unwrap_or_else(|| panic!("no entry: {line}")))
        .collect()
}

/// Returns the scenes of the test.
fn scenes() -> Vec<(Family, u64)> {
    let of_family = |family: Family| {
        let count = if family.rarity > 1 { FEW_SEEDS } else { SEEDS };
        (0..count).map(move |seed| (family, seed))
    };
    all().into_iter().flat_map(of_family).collect()
}

/// Runs all scenes, on all processors. Returns the figures in which the default is worse.
fn find_worse() -> BTreeMap<String, Figures> {
    let (scenes, next, found) = (scenes(), AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || {
        while let Some((family, seed)) = scenes.get(next.fetch_add(1, Ordering::Relaxed)) {
            let pair = run_pair(family, *seed, Setting::Default, 1);
            for measure in worse(&pair.ours, &pair.plain, Costs::Ignored) {
                let index = MEASURES.iter().position(|&name| name == measure).unwrap();
                let figures = [pair.ours, pair.plain].map(|run| run.values()[index]);
                let key = format!("{} {seed} {measure}", family.name);
                found.lock().unwrap().insert(key, figures);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(work);
        }
    });
    found.into_inner().unwrap()
}

#[test]
fn default_is_worse_than_plain_only_where_the_table_says_so() {
    let found = find_worse();
    if std::env::var_os(BLESS).is_some() {
        let mut text = HEAD.to_owned();
        for (key, [ours, plain]) in &found {
            writeln!(text, "{key}: {ours:.2e}, {plain:.2e}").unwrap();
        }
        std::fs::write(table_path(), text).unwrap();
        return;
    }
    let known = known();
    let is_new = |(key, [ours, _]): &(&String, &Figures)| {
        known
            .get(*key)
            .is_none_or(|&[was, _]| *ours > ROUNDING * was)
    };
    let new: Vec<_> = found.iter().filter(is_new).collect();
    assert!(new.is_empty(), "worse than plain, or than before: {new:#?}");
    let is_gone = |key: &&String| !found.contains_key(*key);
    let gone: Vec<_> = known.keys().filter(is_gone).collect();
    assert!(
        gone.is_empty(),
        "no longer worse than plain, remove from the table with {BLESS}=1: {gone:#?}"
    );
}

/// Scenes with joints that contradict each other, whose bodies once reached 200 to 10 000 m/s.
const ONCE_THROWN: [(&str, u64); 9] = [
    ("joint-trees", 16),
    ("joint-trees", 163),
    ("terrain-trees", 5002),
    ("terrain-trees", 5006),
    ("terrain-trees", 6011),
    ("terrain-trees", 6026),
    ("terrain-trees", 6065),
    ("terrain-trees", 6167),
    ("terrain-trees", 7048),
];

#[test]
fn scenes_that_once_threw_bodies_keep_their_limits() {
    let families = all();
    let mut thrown = Vec::new();
    for (name, seed) in ONCE_THROWN {
        let family = families.iter().find(|family| family.name == name).unwrap();
        let measures = run_pair(family, seed, Setting::Default, 1).ours;
        if family.limits.are_exceeded(&measures) {
            thrown.push((name, seed, measures.speed));
        }
    }
    assert!(thrown.is_empty(), "{thrown:#?}");
}

#[test]
fn runs_repeat() {
    for family in all().iter().filter(|family| family.rarity == 1) {
        let runs = [0, 1].map(|_| run_pair(family, 1, Setting::Default, 1).ours);
        let [one, other] = runs.map(|mut run| {
            (run.slowest, run.mean) = (0.0, 0.0);
            run
        });
        assert_eq!(one, other, "{}", family.name);
    }
}
