//! Tables of results.

use crate::family::Family;
use crate::measure::{MEASURES, Measures};
use crate::run::Pair;
use crate::statistics::Summary;
use crate::verdict::{Costs, worse};
use std::collections::BTreeMap;

/// Measures that the table shows, by their index in [`MEASURES`].
const SHOWN: [usize; 9] = [0, 1, 2, 3, 4, 5, 9, 10, 11];

/// Returns the head of the table of families.
#[must_use]
pub fn table_head() -> String {
    let mut head = String::from("| family | setting | failed | fallen | passed |");
    let mut line = String::from("|---|---|---|---|---|");
    for index in SHOWN {
        head += &format!(" {} |", MEASURES[index]);
        line += "---|";
    }
    format!("{head} worse than plain |\n{line}---|")
}

/// Returns the lines of a family: of the plain solver, and of the other setting.
#[must_use]
pub fn family_rows(family: &Family, pairs: &[Pair], setting: &str) -> [String; 2] {
    let plain: Vec<&Measures> = pairs.iter().map(|pair| &pair.plain).collect();
    let ours: Vec<&Measures> = pairs.iter().map(|pair| &pair.ours).collect();
    let (seeds, causes) = count_worse(pairs);
    let verdict = format!("{seeds} of {}: {causes}", pairs.len());
    [
        line(family, "plain", &plain, ""),
        line(family, setting, &ours, verdict.trim_end_matches(": ")),
    ]
}

fn line(family: &Family, setting: &str, runs: &[&Measures], verdict: &str) -> String {
    let count = |is: &dyn Fn(&Measures) -> bool| runs.iter().filter(|run| is(run)).count();
    let mut line = format!(
        "| {} | {setting} | {} of {} | {} | {} |",
        family.name,
        count(&|run| family.limits.are_exceeded(run) || family.limits.has_spike(run)),
        runs.len(),
        count(&|run| run.fallen > 0.0),
        count(&|run| run.passed > 0.0),
    );
    for index in SHOWN {
        let summary = Summary::of(runs.iter().map(|run| run.values()[index]));
        line += &match summary.max {
            0.0 => String::from(" - |"),
            _ => format!(
                " {} / {} / {} |",
                short(summary.p50),
                short(summary.p90),
                short(summary.max)
            ),
        };
    }
    format!("{line} {verdict} |")
}

/// Writes a number in few characters.
fn short(value: f64) -> String {
    match value.abs() {
        0.0 => String::from("0"),
        size if size < 1.0e-3 => format!("{value:.0e}"),
        size if size < 1.0 => format!("{value:.3}"),
        size if size < 100.0 => format!("{value:.1}"),
        size if size < 1.0e5 => format!("{value:.0}"),
        _ => format!("{value:.0e}"),
    }
}

/// Returns the head of the short table.
#[must_use]
pub fn brief_head() -> String {
    String::from(
        "| family | criterion | scenes | plain fails | default fails | default worse than plain | slowest step, p90 \\[ms\\] |\n|---|---|---|---|---|---|---|",
    )
}

/// Returns the line of a family in the short table.
#[must_use]
pub fn brief_row(family: &Family, pairs: &[Pair]) -> String {
    let fails = |run: &Measures| family.limits.are_exceeded(run) || family.limits.has_spike(run);
    let slowest = |of: fn(&Pair) -> f64| short(Summary::of(pairs.iter().map(of)).p90);
    let (seeds, causes) = count_worse(pairs);
    let causes = match causes.as_str() {
        "" => String::new(),
        _ => format!(" ({causes})"),
    };
    format!(
        "| {} | {} | {} | {} | {} | {seeds}{causes} | {}, {} |",
        family.name,
        family.criterion,
        pairs.len(),
        pairs.iter().filter(|pair| fails(&pair.plain)).count(),
        pairs.iter().filter(|pair| fails(&pair.ours)).count(),
        slowest(|pair| pair.plain.slowest),
        slowest(|pair| pair.ours.slowest),
    )
}

/// Returns the number of scenes that are worse than plain, and how many of them in each measure, in words.
fn count_worse(pairs: &[Pair]) -> (usize, String) {
    let mut by_measure = BTreeMap::new();
    let mut seeds = 0;
    for pair in pairs {
        let found = worse(&pair.ours, &pair.plain, Costs::Counted);
        seeds += usize::from(!found.is_empty());
        for name in found {
            *by_measure.entry(name).or_insert(0) += 1;
        }
    }
    let causes: Vec<String> = by_measure
        .iter()
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    (seeds, causes.join(", "))
}

/// Returns the head of the raw rows.
#[must_use]
pub fn csv_head() -> String {
    format!("family,seed,setting,{},worse", MEASURES.join(","))
}

/// Returns the two raw rows of a scene.
#[must_use]
pub fn csv_row(family: &Family, pair: &Pair, setting: &str) -> String {
    let row = |setting: &str, run: &Measures, verdict: &str| {
        let values = run.values().map(|value| format!("{value:.6e}"));
        format!(
            "{},{},{setting},{},{verdict}",
            family.name,
            pair.seed,
            values.join(",")
        )
    };
    let verdict = worse(&pair.ours, &pair.plain, Costs::Counted).join(" ");
    format!(
        "{}\n{}",
        row("plain", &pair.plain, ""),
        row(setting, &pair.ours, &verdict)
    )
}

/// Returns the line of the ablation table of one mechanism: by family, the seeds that get worse and better
/// without it.
#[must_use]
pub fn ablation_row(name: &str, by_family: &[(&Family, Vec<Pair>)]) -> String {
    let (mut lost, mut gained) = (Vec::new(), Vec::new());
    for (family, pairs) in by_family {
        let is_worse = |a: &Measures, b: &Measures| !worse(a, b, Costs::Ignored).is_empty();
        // Here `plain` is the run with all mechanisms.
        let worse = pairs.iter().filter(|p| is_worse(&p.ours, &p.plain)).count();
        let better = pairs.iter().filter(|p| is_worse(&p.plain, &p.ours)).count();
        let one_sided = |a: usize, b: usize| a > b;
        if one_sided(worse, better) {
            lost.push(format!("{} {worse}:{better}", family.name));
        } else if one_sided(better, worse) {
            gained.push(format!("{} {better}:{worse}", family.name));
        }
    }
    let cell = |list: &[String]| match list {
        [] => String::from("-"),
        _ => list.join(", "),
    };
    format!("| {name} | {} | {} |", cell(&lost), cell(&gained))
}
