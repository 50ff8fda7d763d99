//! Root of a falling function between two points, by secant and bisection in turn.

/// Steps after which the best answer so far is returned: bisection alone, every second step, then has
/// narrowed the bracket by 2^25.
const MAX_STEPS: u32 = 50;

/// Place where a function is near a target.
pub(super) struct Root {
    pub(super) at: f64,
    pub(super) steps: u32,
}

/// Returns where `f` is within `tolerance` of `target` between `low` and `high`, with
/// `f(low) = f_low > target > f_high = f(high)`.
///
/// The secant finds the root of a nearly straight function at once; the bisection between keeps a
/// bent one from being approached from one side for ever.
pub(super) fn find_root(
    (mut low, mut f_low): (f64, f64),
    (mut high, mut f_high): (f64, f64),
    target: f64,
    tolerance: f64,
    f: impl Fn(f64) -> f64,
) -> Root {
    for steps in 1..=MAX_STEPS {
        let at = if steps % 2 == 1 {
            low + (target - f_low) * (high - low) / (f_high - f_low)
        } else {
            0.5 * (low + high)
        };
        let value = f(at);
        if (value - target).abs() <= tolerance {
            return Root { at, steps };
        }
        if value > target {
            (low, f_low) = (at, value);
        } else {
            (high, f_high) = (at, value);
        }
    }
    Root {
        at: low,
        steps: MAX_STEPS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn straight_functions_take_one_step_and_bent_ones_few() {
        let line = find_root((0.0, 3.0), (1.0, -1.0), 0.0, 1e-12, |t| 3.0 - 4.0 * t);
        assert_eq!((line.at, line.steps), (0.75, 1));
        let bent = |t: f64| 1.0 - t * t * t * t * t * t * t * t;
        let root = find_root((0.0, 1.0), (4.0, bent(4.0)), 0.0, 1e-9, bent);
        assert!((root.at - 1.0).abs() < 1e-8 && root.steps < 40);
    }
}
