//! Makes a failing case small: fewer corners, rounder numbers.

use crate::case::{Case, Form};
use cairn2d_geometry::math::Point;

/// Significant digits that a number is tried with.
const DIGITS: [usize; 6] = [1, 2, 3, 4, 5, 6];

/// Returns the smallest case found that still fails, by taking away as long as anything can be taken.
pub fn shrink(case: &Case, fails: impl Fn(&Case) -> bool) -> Case {
    let mut small = case.clone();
    while let Some(smaller) = smaller(&small).into_iter().find(|c| fails(c)) {
        small = smaller;
    }
    small
}

/// Returns the cases one step smaller, most promising first.
fn smaller(case: &Case) -> Vec<Case> {
    let mut found = Vec::new();
    for form in
        [|c: &mut Case| &mut c.a, |c: &mut Case| &mut c.b] as [fn(&mut Case) -> &mut Form; 2]
    {
        let count = form(&mut case.clone()).corners.len();
        for i in (0..count).filter(|_| count > 1) {
            let mut fewer = case.clone();
            form(&mut fewer).corners.remove(i);
            found.push(fewer);
        }
        let mut moved = case.clone();
        if move_to_origin(form(&mut moved)) {
            found.push(moved);
        }
    }
    let count = case.clone().all_numbers().len();
    for i in 0..count {
        let value = *case.clone().all_numbers()[i];
        for rounder in rounder(value) {
            let mut other = case.clone();
            *other.all_numbers()[i] = rounder;
            found.push(other);
        }
    }
    found
}

/// Moves a single corner to the origin; says whether that changed anything.
fn move_to_origin(form: &mut Form) -> bool {
    match &mut *form.corners {
        [p] if *p != Point::origin() => {
            *p = Point::origin();
            true
        }
        _ => false,
    }
}

/// Returns numbers like `value` that are shorter to write.
fn rounder(value: f32) -> Vec<f32> {
    let length = |x: f32| format!("{x:?}").len();
    let mut found = vec![0.0, value.signum()];
    found.extend(DIGITS.map(|digits| {
        let text = format!("{value:.*e}", digits - 1);
        text.parse().unwrap_or(value)
    }));
    let is_simpler = |x: &f32| {
        let is_zero = *x == 0.0 && value != 0.0;
        is_zero || *x != 0.0 && length(*x) < length(value)
    };
    found.retain(is_simpler);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_matter_is_taken_away() {
        let mut case = Case::default();
        case.a.corners = vec![
            Point::new(1.234_567, 5.0),
            Point::new(0.123, 0.5),
            Point::new(7.0, 8.0),
        ];
        case.numbers = vec![3.123_456];
        // Fails as long as some corner is right of 1 and the number is over 3.
        let fails = |c: &Case| c.a.corners.iter().any(|p| p.x > 1.0) && c.numbers[0] > 3.0;
        let small = shrink(&case, fails);
        assert_eq!(small.a.corners.len(), 1);
        assert_eq!(small.numbers, [3.1]);
        assert!(fails(&small));
    }
}
