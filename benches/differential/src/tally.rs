//! Counts of one operation.

use std::collections::BTreeMap;

/// Numbers of cases, wrong results, and causes.
#[derive(Default)]
pub struct Tally {
    pub asked: u64,
    pub wrong: u64,
    /// Largest error of ours, in tolerances.
    pub worst: f64,
    pub peers: BTreeMap<&'static str, u64>,
    /// Disagreements of each cause to print.
    pub show: u64,
}

impl Tally {
    /// Counts an answer of ours, and returns `true` if it is wrong: `error` is in units of its tolerance.
    pub fn is_wrong(&mut self, error: f64) -> bool {
        self.asked += 1;
        self.worst = self.worst.max(error);
        let is_wrong = error.is_nan() || error > 1.0;
        self.wrong += u64::from(is_wrong);
        is_wrong
    }

    /// Counts a disagreement of a peer under its cause, and prints the first `show` of them.
    pub fn peer(&mut self, cause: &'static str, is_off: bool, case: impl FnOnce() -> String) {
        if !is_off {
            return;
        }
        let count = self.peers.entry(cause).or_default();
        *count += 1;
        if *count <= self.show {
            println!("  {cause}: {}", case());
        }
    }
}
