//! Running sum of the masses of a body's shapes: adding or removing a shape does not visit the others.

use cairn2d_geometry::math::Point;
use cairn2d_geometry::{MassData, state_record};

/// Mass, center and inertia of all shapes of a body together.
///
/// While shapes are only added, the sum is rounded to `f32` after each of them: it has the bits of a sum over
/// the list of shapes. A removal subtracts a part in `f64`, as long as few digits cancel.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ShapeSum {
    /// [kg]
    mass: f64,
    /// [m]
    center: [f64; 2],
    /// About the center [kg m^2].
    inertia: f64,
    /// Greatest mass since the sum was computed from the list of shapes [kg].
    peak_mass: f64,
    /// Greatest inertia since then [kg m^2].
    peak_inertia: f64,
    /// A part was subtracted since then.
    is_reduced: bool,
}

state_record!(ShapeSum {
    mass,
    center,
    inertia,
    peak_mass,
    peak_inertia,
    is_reduced,
});

/// Share of the greatest mass and inertia down to which parts are subtracted. Below, digits cancel, and the
/// sum must be computed from the list again. A body that loses all its shapes is then summed once per
/// halving: linear work.
const MIN_REMAINING_SHARE: f64 = 0.5;

impl ShapeSum {
    /// Makes a sum from the sum over the list of shapes.
    pub(crate) fn new(sum: MassData) -> Self {
        let mut new = Self::default();
        new.set([sum.center.x.into(), sum.center.y.into()], sum);
        new
    }

    fn set(&mut self, center: [f64; 2], sum: MassData) {
        (self.mass, self.inertia) = (sum.mass.into(), sum.inertia.into());
        self.center = center;
        self.note_peak();
    }

    fn note_peak(&mut self) {
        self.peak_mass = self.peak_mass.max(self.mass);
        self.peak_inertia = self.peak_inertia.max(self.inertia);
    }

    /// Returns the sum.
    pub(crate) fn total(&self) -> MassData {
        let [x, y] = self.center.map(|x| x as f32);
        MassData {
            mass: self.mass as f32,
            center: Point::new(x, y),
            inertia: self.inertia as f32,
        }
    }

    /// Adds the mass of a shape that has density.
    pub(crate) fn add(&mut self, part: &MassData) {
        if !self.is_reduced {
            let sum: MassData = [self.total(), *part].into_iter().sum();
            self.set([sum.center.x.into(), sum.center.y.into()], sum);
            return;
        }
        let (mass, inertia) = (f64::from(part.mass), f64::from(part.inertia));
        let total = self.mass + mass;
        let share = mass / total;
        let offset = self.offset_of(part);
        let reduced = self.mass * share;
        self.move_center(offset, share);
        self.inertia += inertia + reduced * norm_squared(offset);
        self.mass = total;
        self.note_peak();
    }

    /// Subtracts the mass of a shape that has density. Returns `true` if the sum is still exact to `f32`; if
    /// not, it must be computed from the list of shapes again.
    #[must_use]
    pub(crate) fn remove(&mut self, part: &MassData) -> bool {
        if part.mass == 0.0 {
            return self.mass > 0.0;
        }
        let (mass, inertia) = (f64::from(part.mass), f64::from(part.inertia));
        let left = self.mass - mass;
        if left <= 0.0 || left < MIN_REMAINING_SHARE * self.peak_mass {
            return false;
        }
        let offset = self.offset_of(part);
        // The parallel axis theorem for both parts, solved for one of them.
        let reduced = mass * self.mass / left;
        self.inertia -= inertia + reduced * norm_squared(offset);
        self.move_center(offset, -mass / left);
        self.mass = left;
        self.is_reduced = true;
        self.inertia >= MIN_REMAINING_SHARE * self.peak_inertia
    }

    fn offset_of(&self, part: &MassData) -> [f64; 2] {
        let [x, y] = self.center;
        [f64::from(part.center.x) - x, f64::from(part.center.y) - y]
    }

    fn move_center(&mut self, offset: [f64; 2], share: f64) {
        self.center[0] += share * offset[0];
        self.center[1] += share * offset[1];
    }
}

fn norm_squared([x, y]: [f64; 2]) -> f64 {
    x * x + y * y
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Unequal parts in a row.
    fn part(i: u32) -> MassData {
        let x = i as f32;
        MassData {
            mass: 1.0 + 0.1 * (i % 7) as f32,
            center: Point::new(0.3 * x, (i % 13) as f32),
            inertia: 0.2 + 0.1 * (i % 3) as f32,
        }
    }

    #[test]
    fn sum_of_added_parts_has_the_bits_of_a_sum_over_the_list() {
        let mut sum = ShapeSum::default();
        for count in 1..200 {
            sum.add(&part(count - 1));
            assert_eq!(sum.total(), (0..count).map(part).sum());
        }
    }

    #[test]
    fn sum_after_removals_is_that_of_the_rest() {
        let mut sum = ShapeSum::new((0..300).map(part).sum());
        let mut new_sums = 0;
        for gone in 1..300 {
            if !sum.remove(&part(gone - 1)) {
                sum = ShapeSum::new((gone..300).map(part).sum());
                new_sums += 1;
            }
            let (found, rest) = (sum.total(), (gone..300).map(part).sum::<MassData>());
            // A sum in `f32` over the list is rounded up to 300 times by 6e-8.
            let near = |a: f32, b: f32| (a - b).abs() <= 2.0e-5 * b.abs();
            assert!(near(found.mass, rest.mass), "{found:?} {rest:?}");
            assert!(near(found.inertia, rest.inertia), "{found:?} {rest:?}");
            assert!((found.center - rest.center).norm() <= 2.0e-5 * rest.center.coords.norm());
        }
        // The inertia of a row goes with the third power of its length: about every fifth of the rest.
        assert!(new_sums < 40, "{new_sums}");
    }

    #[test]
    fn removal_of_nearly_all_mass_needs_a_new_sum() {
        let heavy = MassData {
            mass: 1.0e9,
            ..part(0)
        };
        let mut sum = ShapeSum::new([part(3), heavy].into_iter().sum());
        assert!(!sum.remove(&heavy));
    }
}
