//! Whether engines ended a scene in comparable states: a time means little if they did not.

use crate::run::State;

/// Share by which the number of touching contacts may differ.
const TOUCHING_SHARE: f64 = 0.15;

/// Share by which the number of awake bodies may differ.
const AWAKE_SHARE: f64 = 0.25;

/// Numbers below which counts are not compared: falling asleep is a matter of a moment.
const FEW: f64 = 500.0;

/// Returns the first difference that makes `state` incomparable to `reference`.
pub(crate) fn difference(state: &State, reference: &State) -> Option<String> {
    let mut found = Vec::new();
    if state.outside > 0 {
        found.push(format!("{} bodies outside", state.outside));
    }
    let mut count = |what: &str, ours: usize, theirs: usize, share: f64| {
        let (ours, theirs) = (ours as f64, theirs as f64);
        if (ours - theirs).abs() > share * theirs + FEW {
            found.push(format!("{ours} {what} against {theirs}"));
        }
    };
    let (ours, theirs) = (&state.counts, &reference.counts);
    count("touching", ours.touching, theirs.touching, TOUCHING_SHARE);
    count("awake", ours.awake_bodies, theirs.awake_bodies, AWAKE_SHARE);
    (!found.is_empty()).then(|| found.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenes::engine::Counts;

    fn state(touching: usize, awake_bodies: usize, outside: usize) -> State {
        State {
            counts: Counts {
                touching,
                awake_bodies,
                ..Counts::default()
            },
            inside: 1,
            outside,
            height: 0.0,
            speed: 0.0,
        }
    }

    #[test]
    fn lost_bodies_and_other_counts_are_told() {
        let reference = state(10_000, 8000, 0);
        assert_eq!(difference(&state(11_000, 7500, 0), &reference), None);
        for odd in [
            state(10_000, 8000, 3),
            state(2000, 8000, 0),
            state(10_000, 0, 0),
        ] {
            assert!(difference(&odd, &reference).is_some());
        }
    }
}
