//! The reference problems stay within their bounds, and each way to solve a step has the order of its method.

use scenes::engine::{CairnEngine, Engine, EngineSettings};
use scenes::validation::{self, orders};

/// Figures beyond their bounds, by case and number; `docs/validation.md` explains each.
const BEYOND: &[(&str, usize)] = &[
    // The direct solution fails where all rods lie on a line, and Newton's method loses energy.
    ("four_bars_40", 1),
    ("four_bars_40", 2),
    // Impacts of corners are of first order in the step.
    ("rocking", 0),
    ("rocking", 1),
    // The two ends are visited in turn: the loss is of first order in the step.
    ("ladder", 1),
    // Bounces shorter than a step gain what they lose.
    ("bouncing_ball", 2),
    // Discs of a crowd wait for the end of the step after an impact.
    ("gas", 4),
];

fn make(settings: &EngineSettings) -> Box<dyn Engine> {
    Box::new(CairnEngine::new(settings, None))
}

#[test]
fn reference_problems_stay_within_their_bounds() {
    for case in validation::all() {
        for (index, figure) in (case.measure)(&make).into_iter().enumerate() {
            let is_beyond = BEYOND.contains(&(case.name, index));
            assert!(
                figure.is_met() || is_beyond,
                "{}: {} is {}, at most {} was expected",
                case.name,
                figure.what,
                figure.error,
                figure.bound
            );
            assert!(
                !(figure.is_met() && is_beyond),
                "{}: {} is within its bound now; take it from the list and the page",
                case.name,
                figure.what
            );
        }
    }
}

/// A measured order counts as that of the method if it is nearer to it than to any other, with room for rounding on one side
/// and terms of higher order on the other.
const ROOM: f64 = 0.25;

#[test]
fn errors_fall_with_the_order_of_the_method() {
    for path in orders::PATHS {
        let (errors, order) = orders::measure(path);
        assert!(
            (order - path.order).abs() < ROOM,
            "{}: errors {errors:?} have the order {order}, not {}",
            path.what,
            path.order
        );
    }
}
