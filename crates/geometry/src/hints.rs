//! Names of shapes in other engines: the compiler answers them with the name here.

use crate::math::Point;
use crate::shape::{Capsule, Chain, ChainKind, Circle, Polygon};
use crate::vector_input::IntoPoint;

impl Circle {
    #[doc(hidden)]
    #[deprecated(note = "use `Circle::of_radius`")]
    #[must_use]
    #[track_caller]
    pub fn ball(radius: f32) -> Self {
        Self::of_radius(radius)
    }

    #[doc(hidden)]
    #[deprecated(note = "use `Circle::of_radius`")]
    #[must_use]
    #[track_caller]
    pub fn with_radius(radius: f32) -> Self {
        Self::of_radius(radius)
    }
}

impl Polygon {
    #[doc(hidden)]
    #[deprecated(note = "use `Polygon::rectangle`, which takes the same half sizes")]
    #[must_use]
    #[track_caller]
    pub fn cuboid(half_width: f32, half_height: f32) -> Self {
        Self::rectangle(half_width, half_height)
    }

    #[doc(hidden)]
    #[deprecated(note = "use `Polygon::rectangle`, which takes the same half sizes")]
    #[must_use]
    #[track_caller]
    pub fn make_box(half_width: f32, half_height: f32) -> Self {
        Self::rectangle(half_width, half_height)
    }

    #[doc(hidden)]
    #[deprecated(note = "use `Polygon::rectangle`, which takes half sizes")]
    #[must_use]
    #[track_caller]
    pub fn new_box(half_width: f32, half_height: f32) -> Self {
        Self::rectangle(half_width, half_height)
    }

    #[doc(hidden)]
    #[deprecated(note = "use `Polygon::rectangle`, which takes half sizes")]
    #[must_use]
    #[track_caller]
    pub fn square(half_width: f32) -> Self {
        Self::rectangle(half_width, half_width)
    }

    #[doc(hidden)]
    #[deprecated(note = "use `Polygon::hull`")]
    #[must_use]
    #[track_caller]
    pub fn new(points: &[impl IntoPoint]) -> Self {
        Self::hull(points)
    }

    #[doc(hidden)]
    #[deprecated(note = "use `Polygon::hull`")]
    #[must_use]
    #[track_caller]
    pub fn from_points(points: &[impl IntoPoint]) -> Self {
        Self::hull(points)
    }

    #[doc(hidden)]
    #[deprecated(note = "use `Polygon::hull`")]
    #[must_use]
    #[track_caller]
    pub fn convex_hull(points: &[impl IntoPoint]) -> Self {
        Self::hull(points)
    }

    #[doc(hidden)]
    #[deprecated(note = "use `Polygon::rounded_rectangle`")]
    #[must_use]
    #[track_caller]
    pub fn round_cuboid(half_width: f32, half_height: f32, radius: f32) -> Self {
        Self::rounded_rectangle(half_width, half_height, radius)
    }
}

impl Capsule {
    #[doc(hidden)]
    #[deprecated(note = "use `Capsule::new(a, b, radius)`")]
    #[must_use]
    #[track_caller]
    pub fn capsule_x(half_length: f32, radius: f32) -> Self {
        Self::new(
            Point::new(-half_length, 0.0),
            Point::new(half_length, 0.0),
            radius,
        )
    }

    #[doc(hidden)]
    #[deprecated(note = "use `Capsule::new(a, b, radius)`")]
    #[must_use]
    #[track_caller]
    pub fn new_x(half_length: f32, radius: f32) -> Self {
        Self::new(
            Point::new(-half_length, 0.0),
            Point::new(half_length, 0.0),
            radius,
        )
    }

    #[doc(hidden)]
    #[deprecated(note = "use `Capsule::new(a, b, radius)`")]
    #[must_use]
    #[track_caller]
    pub fn new_y(half_length: f32, radius: f32) -> Self {
        Self::new(
            Point::new(0.0, -half_length),
            Point::new(0.0, half_length),
            radius,
        )
    }

    #[doc(hidden)]
    #[deprecated(note = "use `Capsule::new(a, b, radius)`")]
    #[must_use]
    #[track_caller]
    pub fn capsule_y(half_length: f32, radius: f32) -> Self {
        Self::new(
            Point::new(0.0, -half_length),
            Point::new(0.0, half_length),
            radius,
        )
    }
}

impl Chain {
    #[doc(hidden)]
    #[deprecated(note = "use `Chain::two_sided`, or `Chain::ground` for the ground")]
    #[must_use]
    #[track_caller]
    pub fn polyline(points: &[impl IntoPoint]) -> Self {
        Self::two_sided(points, ChainKind::Open)
    }

    #[doc(hidden)]
    #[deprecated(note = "use `Chain::ground`")]
    #[must_use]
    #[track_caller]
    pub fn heightfield(points: &[impl IntoPoint]) -> Self {
        Self::ground(points)
    }
}
