//! Whether a run is worse than another one of the same scene.

use crate::measure::Measures;

/// Factor by which chaotic scenes may differ without a verdict.
const FACTOR: f64 = 1.2;

/// Differences below which no measure is worse: far too small to be seen. In the order of [`Measures`], in
/// standard units.
const SPEED: f64 = 0.3;
const ENERGY: f64 = 0.01;
const LENGTH: f64 = 2.0e-3;
const ANGLE: f64 = 5.0e-3;
const HEIGHT: f64 = 0.1;

/// Factor on the slowest step.
const TIME_FACTOR: f64 = 3.0;

/// Slowest step that is never worse \[ms\]: the budget.
const BUDGET: f64 = 2.0;

/// Whether times count: they depend on the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Costs {
    /// The slowest step counts.
    Counted,
    /// No times count, so the verdict repeats.
    Ignored,
}

/// Returns the measures in which `ours` is worse than `plain`.
#[must_use]
pub fn worse(ours: &Measures, plain: &Measures, costs: Costs) -> Vec<&'static str> {
    let exceeds = |ours: f64, plain: f64, least: f64| ours > FACTOR * plain + least;
    let mut found = Vec::new();
    let mut check = |name: &'static str, is_worse: bool| {
        if is_worse {
            found.push(name);
        }
    };
    check("speed", exceeds(ours.speed, plain.speed, SPEED));
    check("gain", exceeds(ours.gain, plain.gain, ENERGY));
    check("error", exceeds(ours.error, plain.error, ENERGY));
    check("gap", exceeds(ours.gap, plain.gap, LENGTH));
    check("limit", exceeds(ours.limit, plain.limit, ANGLE));
    check("overlap", exceeds(ours.overlap, plain.overlap, LENGTH));
    check("fallen", ours.fallen > plain.fallen);
    check("passed", ours.passed > plain.passed);
    check("thrown", exceeds(ours.thrown, plain.thrown, HEIGHT));
    let is_slow = ours.slowest > BUDGET && ours.slowest > TIME_FACTOR * plain.slowest;
    check("slowest", costs == Costs::Counted && is_slow);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_runs_are_not_worse() {
        let run = Measures {
            speed: 1.0e13,
            fallen: 1.0,
            passed: 3.0,
            slowest: 100.0,
            ..Measures::default()
        };
        assert!(worse(&run, &run, Costs::Counted).is_empty());
    }

    #[test]
    fn each_measure_can_be_worse() {
        let bad = Measures {
            speed: 1.0,
            gain: 1.0,
            error: 1.0,
            gap: 1.0,
            limit: 1.0,
            overlap: 1.0,
            shift: 1.0,
            fallen: 1.0,
            passed: 1.0,
            thrown: 1.0,
            slowest: 10.0,
            mean: 1.0,
        };
        let all = worse(&bad, &Measures::default(), Costs::Counted);
        assert_eq!(all.len(), 10);
        let repeatable = worse(&bad, &Measures::default(), Costs::Ignored);
        assert_eq!(repeatable.len(), 9);
    }
}
