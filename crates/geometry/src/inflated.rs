//! A shape with a margin around it.

use crate::math::{Point, Vec2};
use crate::rounded_hull::RoundedHull;
use crate::support::{Support, SupportPoint};

/// Minkowski sum of a shape and a disc: all points within a margin of the shape.
///
/// ```
/// use cairn2d_geometry::math::{Pose, point, pose};
/// use cairn2d_geometry::{Circle, Inflated, Polygon, Shape, overlaps};
///
/// let ball = Shape::from(Circle::new(point(0.0, 0.0), 0.5));
/// let wall = Shape::from(Polygon::rectangle(1.0, 1.0));
/// let beside = pose(1.55, 0.0, 0.0);
/// assert!(!overlaps(&wall, &ball, &beside));
/// assert!(overlaps(&wall, &Inflated::new(&ball, 0.1), &beside));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Inflated<'a, S: ?Sized> {
    shape: &'a S,
    margin: f32,
}

impl<'a, S: Support + ?Sized> Inflated<'a, S> {
    /// Returns `shape` with `margin` \[m\] around it; a margin that is not greater than zero counts as none.
    #[must_use]
    pub fn new(shape: &'a S, margin: f32) -> Self {
        Self {
            shape,
            margin: margin.max(0.0),
        }
    }
}

impl<S: Support + ?Sized> Support for Inflated<'_, S> {
    #[inline]
    fn core_support(&self, direction: &Vec2) -> SupportPoint {
        self.shape.core_support(direction)
    }

    #[inline]
    fn core_vertex(&self, index: u16) -> Point {
        self.shape.core_vertex(index)
    }

    #[inline]
    fn rounding(&self) -> f32 {
        self.shape.rounding() + self.margin
    }

    #[inline]
    fn as_rounded_hull(&self) -> Option<RoundedHull<'_>> {
        let hull = self.shape.as_rounded_hull()?;
        Some(RoundedHull {
            radius: hull.radius + self.margin,
            ..hull
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::distance;
    use crate::math::{point, pose};
    use crate::shape::{Capsule, Circle, Ellipse, Polygon, Segment, Shape};
    use crate::simplex::SimplexCache;

    #[test]
    fn margin_comes_off_the_distance() {
        let target = Shape::from(Circle::new(point(0.0, 0.0), 0.3));
        let shapes: [Shape; 5] = [
            Circle::new(point(0.1, 0.0), 0.2).into(),
            Capsule::new(point(-0.4, 0.0), point(0.2, 0.3), 0.2).into(),
            Polygon::rectangle(0.5, 0.25).into(),
            Segment::new(point(-1.0, 0.0), point(1.0, 0.5)).into(),
            Ellipse::new(point(0.0, 0.0), 0.6, 0.2, 0.4).into(),
        ];
        for shape in &shapes {
            let place = pose(1.5, 1.0, 0.7);
            let gap = |margin: f32| {
                let grown = Inflated::new(shape, margin);
                distance(&target, &grown, &place, &mut SimplexCache::default()).distance
            };
            let whole = gap(0.0);
            assert!((gap(0.25) - (whole - 0.25)).abs() < 1.0e-6, "{shape:?}");
            assert_eq!(gap(f32::NAN), whole);
            assert_eq!(gap(-1.0), whole);
        }
    }
}
