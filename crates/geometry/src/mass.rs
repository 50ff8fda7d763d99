//! Mass, center of mass and inertia, and their sum.

use crate::math::{Point, Vec2};
use crate::state_record;

/// Mass, center of mass and rotational inertia of a body or shape.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct MassData {
    /// Mass \[kg\].
    pub mass: f32,
    /// Center of mass, in the frame of the shape or body \[m\].
    pub center: Point,
    /// Rotational inertia about the center of mass [kg m^2].
    pub inertia: f32,
}

state_record!(MassData {
    mass,
    center,
    inertia,
});

impl MassData {
    /// No mass at all, at the origin.
    pub const ZERO: Self = Self {
        mass: 0.0,
        center: Point::new(0.0, 0.0),
        inertia: 0.0,
    };

    /// Returns the rotational inertia about `point` instead of the center [kg m^2].
    #[must_use]
    pub fn inertia_about(&self, point: &Point) -> f32 {
        self.inertia + self.mass * (self.center - point).norm_squared()
    }

    /// Returns the mass of two parts taken together.
    ///
    /// Without any mass, the center is that of the first part.
    #[must_use]
    pub fn combined(&self, other: &Self) -> Self {
        let mass = self.mass + other.mass;
        if mass <= 0.0 {
            return Self { mass: 0.0, ..*self };
        }
        let offset: Vec2 = other.center - self.center;
        let share = other.mass / mass;
        // Reduced mass times the squared distance of the centers: the parallel axis theorem for both
        // parts at once, without the cancellation of going through the origin.
        let reduced = self.mass * share;
        Self {
            mass,
            center: self.center + offset * share,
            inertia: self.inertia + other.inertia + reduced * offset.norm_squared(),
        }
    }
}

impl core::iter::Sum for MassData {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::ZERO, |sum, part| {
            if sum.mass > 0.0 {
                sum.combined(&part)
            } else {
                part
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_points_on_a_rod_have_the_inertia_of_a_dumbbell() {
        let end = |x| MassData {
            mass: 2.0,
            center: Point::new(x, 0.0),
            inertia: 0.0,
        };
        let rod: MassData = [end(-1.0), end(1.0)].into_iter().sum();
        assert_eq!(
            rod,
            MassData {
                mass: 4.0,
                center: Point::origin(),
                inertia: 4.0
            }
        );
        assert_eq!(rod.inertia_about(&Point::new(3.0, 0.0)), 40.0);
    }

    #[test]
    fn massless_parts_change_nothing() {
        let part = MassData {
            mass: 2.0,
            center: Point::new(5.0, 0.0),
            inertia: 1.0,
        };
        assert_eq!(
            [MassData::ZERO, part, MassData::ZERO]
                .into_iter()
                .sum::<MassData>(),
            part
        );
    }
}
