//! World points from and to the types of glam and mint. Vectors, points and rotations are nalgebra's, which converts its own.

use crate::math::WorldPoint;

/// Implements the conversions of a pair of types with the fields x and y, one in single and one in double precision.
macro_rules! world_point_conversions {
    ($feature:literal: $single:path, $double:path) => {
        #[cfg(feature = $feature)]
        impl From<$single> for WorldPoint {
            fn from(p: $single) -> Self {
                Self::new(p.x.into(), p.y.into())
            }
        }

        #[cfg(feature = $feature)]
        impl From<$double> for WorldPoint {
            fn from(p: $double) -> Self {
                Self::new(p.x, p.y)
            }
        }

        #[cfg(feature = $feature)]
        impl From<WorldPoint> for $double {
            fn from(p: WorldPoint) -> Self {
                [p.x, p.y].into()
            }
        }
    };
}

world_point_conversions!("glam030": glam030::Vec2, glam030::DVec2);
world_point_conversions!("glam031": glam031::Vec2, glam031::DVec2);
world_point_conversions!("glam032": glam032::Vec2, glam032::DVec2);
world_point_conversions!("glam033": glam033::Vec2, glam033::DVec2);
world_point_conversions!("mint": mint::Point2<f32>, mint::Point2<f64>);
