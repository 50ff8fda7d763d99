//! A short run of the fuzzer, with fixed seeds.

use cairn2d_fuzz::{Plan, fuzz, replay};

/// Calls for each seed: some seconds in the test profile.
const CALLS: u64 = 24_000;

#[test]
fn random_calls_break_nothing() {
    let mut failures = Vec::new();
    for seed in [1, 2] {
        let plan = Plan {
            seed,
            calls: CALLS,
            ..Plan::default()
        };
        let found = fuzz(&plan, |_| {});
        failures.extend(found.iter().filter_map(|f| replay(&plan, f.episode)));
    }
    let words: Vec<String> = failures.iter().map(ToString::to_string).collect();
    assert!(failures.is_empty(), "{}", words.join("\n\n"));
}
