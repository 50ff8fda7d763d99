//! The support function: the interface of convex shapes for distance, casts and time of impact.

use crate::math::{Point, Vec2};
use crate::rounded_hull::RoundedHull;

/// Point of a core, and the number by which the shape finds it again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SupportPoint {
    /// Place, in the frame of the shape \[m\].
    pub point: Point,
    /// Number to hand to [`Support::core_vertex`].
    pub index: u16,
}

/// Convex shape for iterative algorithms: a core, rounded by a radius.
///
/// Implement it for a convex shape of your own, and [`distance`](crate::distance()),
/// [`penetration`](crate::penetration()), [`shape_cast_of`](crate::shape_cast_of) and
/// [`time_of_impact_of`](crate::time_of_impact_of) work with it.
///
/// ```
/// use cairn2d_geometry::math::{Point, Pose, Vec2, point};
/// use cairn2d_geometry::{Circle, Shape, SimplexCache, Support, SupportPoint, distance};
///
/// /// Upper half of the unit disk.
/// struct HalfDisk;
///
/// impl Support for HalfDisk {
///     fn core_support(&self, direction: &Vec2) -> SupportPoint {
///         let up = Vec2::new(direction.x, direction.y.max(0.0));
///         let p = if up.norm() > 0.0 && direction.y > 0.0 {
///             Point::from(up / up.norm())
///         } else {
///             point(1.0_f32.copysign(direction.x), 0.0)
///         };
///         SupportPoint { point: p, index: 0 }
///     }
///     fn core_vertex(&self, _index: u16) -> Point {
///         point(0.0, 1.0)
///     }
///     fn rounding(&self) -> f32 {
///         0.0
///     }
/// }
///
/// let ball = Shape::from(Circle::new(point(0.0, 3.0), 0.5));
/// let gap = distance(&HalfDisk, &ball, &Pose::identity(), &mut SimplexCache::default());
/// assert!((gap.distance - 1.5).abs() < 1e-5);
/// ```
pub trait Support {
    /// Returns a point of the core that is farthest along `direction`, which may have any length.
    fn core_support(&self, direction: &Vec2) -> SupportPoint;

    /// Returns the same as [`Support::core_support`], by a search that starts at the point with the number `index`:
    /// faster where directions change little from one question to the next. Any number gives a farthest point.
    fn core_support_near(&self, direction: &Vec2, index: u16) -> SupportPoint {
        let _ = index;
        self.core_support(direction)
    }

    /// Returns the point that an earlier [`Support::core_support`] gave this number to; a smooth core may
    /// return any other point of the core.
    fn core_vertex(&self, index: u16) -> Point;

    /// Returns how far the surface lies outside the core \[m\]; not negative.
    fn rounding(&self) -> f32;

    /// Returns the same shape as a rounded hull, if it is one: algorithms then ask that, which is faster. Its corners
    /// must turn strictly left, as those of a [`Polygon`](crate::Polygon) do.
    fn as_rounded_hull(&self) -> Option<RoundedHull<'_>> {
        None
    }

    /// Returns a point of the surface and the outward unit normal of a half-space, `None` for all other shapes: algorithms
    /// take the part of it that is near the other shape.
    #[inline]
    fn as_half_space(&self) -> Option<(Point, Vec2)> {
        None
    }
}
