//! Milliseconds of each part of our step.

use crate::{Line, median};
use cairn2d_crowd::CrowdProfile;

/// Milliseconds of each part: medians over steps.
pub struct Parts {
    index: f64,
    decisions: f64,
    contacts: f64,
    record: f64,
}

impl Parts {
    /// Returns the medians over the steps of a run.
    pub fn of(profiles: &[CrowdProfile]) -> Self {
        let part = |of: fn(&CrowdProfile) -> u64| {
            let mut times: Vec<f64> = profiles.iter().map(|p| of(p) as f64 * 1e-6).collect();
            median(&mut times)
        };
        Self {
            index: part(|p| p.index),
            decisions: part(|p| p.decisions),
            contacts: part(|p| p.contacts),
            record: part(|p| p.record),
        }
    }
}

/// Prints the table of parts.
pub fn print(lines: &[Line]) {
    println!();
    println!("| scene | agents | index | decisions | contacts | record |");
    println!("|---|---|---|---|---|---|");
    for Line {
        scene,
        count,
        parts,
        ..
    } in lines
    {
        println!(
            "| {scene} | {count} | {:.3} | {:.3} | {:.3} | {:.3} |",
            parts.index, parts.decisions, parts.contacts, parts.record
        );
    }
}
