//! Comparison within a tolerance, by the traits of the crate approx: nalgebra has them for vectors, points and poses.

use crate::aabb::Aabb;
use crate::mass::MassData;
use crate::math::WorldPoint;
use approx::{AbsDiffEq, RelativeEq};

/// Implements both traits of a type by those of its fields.
macro_rules! approximate_fields {
    ($type:ty, $number:ty { $($field:ident),* }) => {
        impl AbsDiffEq for $type {
            type Epsilon = $number;

            fn default_epsilon() -> $number {
                <$number>::EPSILON
            }

            fn abs_diff_eq(&self, other: &Self, epsilon: $number) -> bool {
                $(self.$field.abs_diff_eq(&other.$field, epsilon))&&*
            }
        }

        impl RelativeEq for $type {
            fn default_max_relative() -> $number {
                <$number>::EPSILON
            }

            fn relative_eq(&self, other: &Self, epsilon: $number, max_relative: $number) -> bool {
                $(self.$field.relative_eq(&other.$field, epsilon, max_relative))&&*
            }
        }
    };
}

approximate_fields!(WorldPoint, f64 { x, y });
approximate_fields!(Aabb, f32 { min, max });
approximate_fields!(
    MassData,
    f32 {
        mass,
        center,
        inertia
    }
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::point;
    use approx::{assert_abs_diff_eq, assert_abs_diff_ne, assert_relative_eq};

    #[test]
    fn every_field_counts() {
        let place = WorldPoint::new(1.0e9, 2.0);
        assert_abs_diff_eq!(place, WorldPoint::new(1.0e9 + 0.5, 2.0), epsilon = 1.0);
        assert_abs_diff_ne!(place, WorldPoint::new(1.0e9, 2.0 + 1.5), epsilon = 1.0);
        assert_relative_eq!(
            place,
            WorldPoint::new(1.0e9 + 0.5, 2.0),
            max_relative = 1.0e-9
        );

        let unit = Aabb::new(point(0.0, 0.0), point(1.0, 1.0));
        let others = [
            Aabb::new(point(0.1, 0.0), point(1.0, 1.0)),
            Aabb::new(point(0.0, 0.0), point(1.0, 1.1)),
        ];
        for other in others {
            assert_abs_diff_ne!(unit, other, epsilon = 0.05);
            assert_abs_diff_eq!(unit, other, epsilon = 0.15);
        }

        let disk = MassData {
            mass: 2.0,
            center: point(1.0, 0.0),
            inertia: 4.0,
        };
        let changed = [
            MassData { mass: 2.1, ..disk },
            MassData {
                center: point(1.0, 0.1),
                ..disk
            },
            MassData {
                inertia: 4.1,
                ..disk
            },
        ];
        for other in changed {
            assert_abs_diff_ne!(disk, other, epsilon = 0.05);
            assert_abs_diff_eq!(disk, other, epsilon = 0.15);
        }
    }
}
