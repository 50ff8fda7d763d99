//! World points from and to the types of glam and mint, and these types as arguments that are vectors or points.
//! Vectors, points and rotations are nalgebra's, which converts its own.

use crate::math::{Point, Vec2, WorldPoint};
use crate::vector_input::{IntoPoint, IntoVec2};

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

        #[cfg(feature = $feature)]
        impl IntoPoint for $single {
            fn into_point(self) -> Point {
                Point::new(self.x, self.y)
            }
        }
    };
}

/// Accepts a type with the fields x and y as a vector.
macro_rules! vector_input {
    ($feature:literal: $vector:path) => {
        #[cfg(feature = $feature)]
        impl IntoVec2 for $vector {
            fn into_vec2(self) -> Vec2 {
                Vec2::new(self.x, self.y)
            }
        }
    };
}

world_point_conversions!("glam030": glam030::Vec2, glam030::DVec2);
world_point_conversions!("glam031": glam031::Vec2, glam031::DVec2);
world_point_conversions!("glam032": glam032::Vec2, glam032::DVec2);
world_point_conversions!("glam033": glam033::Vec2, glam033::DVec2);
world_point_conversions!("mint": mint::Point2<f32>, mint::Point2<f64>);

vector_input!("glam030": glam030::Vec2);
vector_input!("glam031": glam031::Vec2);
vector_input!("glam032": glam032::Vec2);
vector_input!("glam033": glam033::Vec2);
vector_input!("mint": mint::Vector2<f32>);
