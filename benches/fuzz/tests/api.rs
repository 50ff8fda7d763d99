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

/// Episodes that once failed, with the defects that they found.
const ONCE_FAILED: [(u64, u64); 15] = [
    // Anchors far beyond the world gave a center that is not a number.
    (1, 4249),
    // Joints between bodies without mass overflowed in a swept impact.
    (2, 856),
    // A step of 1e-38 s, the reciprocal of which is infinite.
    (5, 2727),
    // A spring with a damping ratio of 6e37.
    (5, 5343),
    // A restitution of 6.6 between kinematic bodies overflowed in a swept impact.
    (5, 8648),
    // A rod with a lever of a kilometer multiplied its spin without bound.
    (23, 461),
    // A fluid pushed with an infinite force.
    (23, 123),
    // A hit of a body that was frozen in the same step had no place.
    (23, 529),
    // Contacts that nothing moves had zeros of another sign beside contacts with the ground.
    (24, 150),
    (26, 121),
    // A kinematic body passed a number that is not finite from one of its joints to another.
    (26, 424),
    // A spring with a target of 2e30 rad between bodies without mass.
    (31, 903),
    // Contacts of a jammed body that contradict each other, whose impulses grew thirtyfold in each substep.
    (77, 38),
    // A spring with a target of 3e23 m on a body without mass: the load of its joint was not a number.
    (77, 79),
    // A spin of 2e35 rad/s: impulses of friction overflowed.
    (500, 893),
];

#[test]
fn episodes_that_once_failed_pass() {
    for (seed, episode) in ONCE_FAILED {
        let plan = Plan {
            seed,
            ..Plan::default()
        };
        let failure = replay(&plan, episode);
        assert!(failure.is_none(), "{}", failure.unwrap());
    }
}
