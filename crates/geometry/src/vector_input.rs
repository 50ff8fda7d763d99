//! The types that functions accept as vectors and points.

use crate::math::{Point, Vec2};

/// What a function accepts as a vector: [`Vec2`], `[x, y]`, `(x, y)`, and the vectors of glam and mint with the
/// features of their names.
///
/// This is a trait of its own because nalgebra has no conversion from `(f32, f32)`, and only nalgebra could add one.
///
/// ```
/// use cairn2d_geometry::{IntoVec2, math::vec2};
///
/// assert_eq!((1.0, 2.0).into_vec2(), vec2(1.0, 2.0));
/// assert_eq!([1.0, 2.0].into_vec2(), vec2(1.0, 2.0));
/// ```
pub trait IntoVec2: Copy {
    /// Returns the vector.
    #[must_use]
    fn into_vec2(self) -> Vec2;
}

/// What a function accepts as a point: [`Point`], [`Vec2`], `[x, y]`, `(x, y)`, and the types of glam and mint with the
/// features of their names.
///
/// ```
/// use cairn2d_geometry::Polygon;
///
/// let triangle = Polygon::hull(&[(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]);
/// assert_eq!(triangle.vertices().len(), 3);
/// ```
pub trait IntoPoint: Copy {
    /// Returns the point.
    #[must_use]
    fn into_point(self) -> Point;
}

/// Returns the points of a list of any type that is accepted.
pub(crate) fn points_of(points: &[impl IntoPoint]) -> Vec<Point> {
    points.iter().map(|point| point.into_point()).collect()
}

impl IntoVec2 for Vec2 {
    #[inline]
    fn into_vec2(self) -> Vec2 {
        self
    }
}

impl IntoVec2 for [f32; 2] {
    #[inline]
    fn into_vec2(self) -> Vec2 {
        self.into()
    }
}

impl IntoVec2 for (f32, f32) {
    #[inline]
    fn into_vec2(self) -> Vec2 {
        Vec2::new(self.0, self.1)
    }
}

impl IntoPoint for Point {
    #[inline]
    fn into_point(self) -> Point {
        self
    }
}

impl IntoPoint for Vec2 {
    #[inline]
    fn into_point(self) -> Point {
        self.into()
    }
}

impl IntoPoint for [f32; 2] {
    #[inline]
    fn into_point(self) -> Point {
        self.into()
    }
}

impl IntoPoint for (f32, f32) {
    #[inline]
    fn into_point(self) -> Point {
        Point::new(self.0, self.1)
    }
}
