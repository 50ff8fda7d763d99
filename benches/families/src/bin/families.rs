//! Runs the families: `families --seeds 100 --first 0 --family landings --disable SubstepLevels`.
//!
//! `--brief` prints a short table, `--csv` a row for each run, `--worse` the seeds at which the setting is worse than the plain solver.
//! `--repeat N` takes the least time of N runs for each step. `--ablation` disables each mechanism alone and
//! compares with the default.

use cairn2d::{Mechanism, Mechanisms};
use cairn2d_families::{
    Costs, Family, Pair, Setting, ablation_row, all, brief_head, brief_row, csv_head, csv_row,
    family_rows, named, run, run_pair, table_head, worse,
};
use std::process::ExitCode;

/// Options of the command line.
struct Task {
    families: Vec<Family>,
    first: u64,
    seeds: u64,
    repeats: u32,
    setting: Setting,
    output: Output,
    lists_worse: bool,
}

/// Format of the output.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Output {
    Table,
    Brief,
    Rows,
    Ablation,
}

impl Task {
    /// Returns the seeds of a family: fewer for slow scenes.
    fn seeds_of(&self, family: &Family) -> impl Iterator<Item = u64> + use<> {
        // At least one under standard and one under other conditions.
        let count = (self.seeds / family.rarity).max(self.seeds.min(2));
        self.first..self.first + count
    }
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<Task, String> {
    let mut task = Task {
        families: all(),
        first: 0,
        seeds: 100,
        repeats: 1,
        setting: Setting::Default,
        output: Output::Table,
        lists_worse: false,
    };
    let mut chosen = Vec::new();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        let number = |text: String| text.parse().map_err(|_| format!("{text} is no number"));
        match word.as_str() {
            "--csv" => task.output = Output::Rows,
            "--brief" => task.output = Output::Brief,
            "--worse" => task.lists_worse = true,
            "--ablation" => task.output = Output::Ablation,
            "--first" => task.first = number(value()?)?,
            "--seeds" => task.seeds = number(value()?)?,
            "--repeat" => task.repeats = number(value()?)?.try_into().unwrap_or(1),
            "--family" => {
                let name = value()?;
                chosen.push(named(&name).ok_or_else(|| format!("no family {name}"))?);
            }
            "--disable" => {
                let names = value()?;
                task.setting = Setting::Only(Mechanisms::ALL.without_named(&names)?);
            }
            _ => return Err(format!("unknown argument {word}")),
        }
    }
    if !chosen.is_empty() {
        task.families = chosen;
    }
    Ok(task)
}

fn setting_name(setting: Setting) -> String {
    match setting {
        Setting::Plain => String::from("plain"),
        Setting::Default => String::from("default"),
        Setting::Only(mechanisms) => format!("with {mechanisms:?}"),
    }
}

/// Runs the families with the plain solver and the setting, and prints a table.
fn compare(task: &Task) {
    let name = setting_name(task.setting);
    let head = match task.output {
        Output::Rows => csv_head(),
        Output::Brief => brief_head(),
        _ => table_head(),
    };
    println!("{head}");
    for family in &task.families {
        let mut pairs = Vec::new();
        for seed in task.seeds_of(family) {
            let pair = run_pair(family, seed, task.setting, task.repeats);
            if task.output == Output::Rows {
                println!("{}", csv_row(family, &pair, &name));
            }
            let found = worse(&pair.ours, &pair.plain, Costs::Counted);
            if task.lists_worse && !found.is_empty() {
                eprintln!("{} {seed}: {}", family.name, found.join(" "));
            }
            pairs.push(pair);
        }
        match task.output {
            Output::Rows => {}
            Output::Brief => println!("{}", brief_row(family, &pairs)),
            _ => println!("{}", family_rows(family, &pairs, &name).join("\n")),
        }
    }
}

/// Disables each mechanism alone and compares with the default.
fn ablate(task: &Task) {
    println!("| without | families that get worse | families that get better |\n|---|---|---|");
    let usual: Vec<_> = task
        .families
        .iter()
        .map(|family| {
            let runs = task
                .seeds_of(family)
                .map(|seed| (seed, run(family, seed, Setting::Default, 1)));
            (family, runs.collect::<Vec<_>>())
        })
        .collect();
    for mechanism in Mechanism::ALL {
        let by_family: Vec<(&Family, Vec<Pair>)> = usual
            .iter()
            .map(|(family, runs)| {
                let pairs = runs.iter().map(|&(seed, plain)| Pair {
                    seed,
                    plain,
                    ours: run(
                        family,
                        seed,
                        Setting::Only(Mechanisms::ALL.without(mechanism)),
                        1,
                    ),
                });
                (*family, pairs.collect())
            })
            .collect();
        println!("{}", ablation_row(&format!("{mechanism:?}"), &by_family));
    }
}

fn main() -> ExitCode {
    match parse(std::env::args().skip(1)) {
        Ok(task) if task.output == Output::Ablation => ablate(&task),
        Ok(task) => compare(&task),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
