//! Root of a falling function between two points, by secants with a bisection now and then.

/// Steps after which the best answer so far is returned: bisection alone, every third step, then has
/// narrowed the bracket by 2^25.
const MAX_STEPS: u32 = 75;
/// Every third step is a bisection.
const BISECTION_EVERY: u32 = 3;

/// Place where a function is near a target.
pub(super) struct Root {
    pub(super) at: f64,
    pub(super) steps: u32,
}

/// Returns where `f` is within `tolerance` of `target` between two ends `low` and `high`, with
/// `f(low) = f_low > target > f_high = f(high)`.
///
/// The secant finds the root of a nearly straight function at once. A bent one is approached from one side only: the
/// end that stays is then given the value at which the next secant has the slope of a parabola through the last
/// three points [AndersonBjorck73]. The bisection in between bounds the number of iterations for any function.
pub(super) fn find_root(
    [(mut low, mut f_low), (mut high, mut f_high)]: [(f64, f64); 2],
    target: f64,
    tolerance: f64,
    f: impl Fn(f64) -> f64,
) -> Root {
    // Heights over the target.
    (f_low, f_high) = (f_low - target, f_high - target);
    let mut last = BracketEnd::None;
    for steps in 1..=MAX_STEPS {
        let at = if steps % BISECTION_EVERY == 0 {
            0.5 * (low + high)
        } else {
            low + f_low * (high - low) / (f_low - f_high)
        };
        let value = f(at) - target;
        if value.abs() <= tolerance {
            return Root { at, steps };
        }
        if value > 0.0 {
            if last == BracketEnd::Low {
                f_high *= share(value, f_low);
            }
            (low, f_low, last) = (at, value, BracketEnd::Low);
        } else {
            if last == BracketEnd::High {
                f_low *= share(value, f_high);
            }
            (high, f_high, last) = (at, value, BracketEnd::High);
        }
    }
    Root {
        at: low,
        steps: MAX_STEPS,
    }
}

/// The end of the bracket that moved last.
#[derive(Clone, Copy, PartialEq)]
enum BracketEnd {
    None,
    Low,
    High,
}

/// Returns the share of its value that an end keeps when the other moved twice, from `before` to `value`.
#[inline]
fn share(value: f64, before: f64) -> f64 {
    let share = 1.0 - value / before;
    if share > 0.0 { share } else { 0.5 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn straight_functions_take_one_step_and_bent_ones_few() {
        let line = find_root([(0.0, 3.0), (1.0, -1.0)], 0.0, 1e-12, |t| 3.0 - 4.0 * t);
        assert_eq!((line.at, line.steps), (0.75, 1));
        let bent = |t: f64| 1.0 - t * t * t * t * t * t * t * t;
        let root = find_root([(0.0, 1.0), (4.0, bent(4.0))], 0.0, 1e-9, bent);
        assert!((root.at - 1.0).abs() < 1e-8 && root.steps < 40);
    }
}
