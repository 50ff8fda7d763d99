//! Shapes in another frame: rotated and translated copies.

use super::{Capsule, ChainSegment, Circle, Ellipse, HalfSpace, Polygon, Segment, Shape};
use crate::error::ShapeError;
use crate::math::{Point, Pose, angle};

impl Shape {
    /// Returns the shape rotated and translated by `pose`: the same shape given in the frame outside.
    ///
    /// ```
    /// use cairn2d_geometry::math::{point, pose};
    /// use cairn2d_geometry::{Circle, Shape};
    ///
    /// let wheel = Shape::from(Circle::of_radius(0.5));
    /// let axle = wheel.try_moved(&pose(2.0, 1.0, 0.3)).unwrap();
    /// assert_eq!(axle, Circle::new(point(2.0, 1.0), 0.5).into());
    /// ```
    ///
    /// # Errors
    /// If a coordinate is not finite or too large in the frame outside, or rounding there makes two corners equal.
    pub fn try_moved(&self, pose: &Pose) -> Result<Self, ShapeError> {
        let moved = |p: Point| pose * p;
        Ok(match self {
            Self::Circle(s) => Circle::try_new(moved(s.center()), s.radius())?.into(),
            Self::Capsule(s) => Capsule::try_new(moved(s.a()), moved(s.b()), s.radius())?.into(),
            Self::Segment(s) => Segment::try_new(moved(s.a()), moved(s.b()))?.into(),
            Self::Polygon(s) => moved_polygon(s, pose)?.into(),
            Self::Ellipse(s) => {
                let turned = s.angle() + angle(&pose.rotation);
                Ellipse::try_new(moved(s.center()), s.radii().x, s.radii().y, turned)?.into()
            }
            Self::HalfSpace(s) => {
                HalfSpace::try_new(moved(s.point()), pose.rotation * s.normal())?.into()
            }
            Self::ChainSegment(s) => moved_chain_segment(s, pose)?.into(),
        })
    }
}

fn moved_polygon(polygon: &Polygon, pose: &Pose) -> Result<Polygon, ShapeError> {
    let corners: Vec<Point> = polygon.vertices().iter().map(|p| pose * p).collect();
    Polygon::try_rounded_hull(&corners, polygon.radius())
}

fn moved_chain_segment(segment: &ChainSegment, pose: &Pose) -> Result<ChainSegment, ShapeError> {
    let ghost = |p: Option<Point>| p.map(|p| pose * p);
    let (before, after) = (ghost(segment.ghost_before()), ghost(segment.ghost_after()));
    let moved = ChainSegment::try_new(before, pose * segment.a(), pose * segment.b(), after)?;
    Ok(moved.with_sides_of(segment))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Vec2, point, pose};
    use crate::shape::{Chain, ChainKind};

    #[test]
    fn moved_shapes_contain_the_moved_points() {
        let shapes: [Shape; 5] = [
            Circle::new(point(0.2, 0.1), 0.5).into(),
            Capsule::new(point(-0.4, 0.0), point(0.4, 0.1), 0.2).into(),
            Polygon::rounded_rectangle(0.6, 0.3, 0.1).into(),
            Ellipse::new(point(0.1, 0.0), 0.7, 0.3, 0.4).into(),
            HalfSpace::new(point(0.1, 0.013), Vec2::new(0.3, 1.0)).into(),
        ];
        let frame = pose(3.0, -2.0, 0.7);
        for shape in shapes {
            let moved = shape.try_moved(&frame).unwrap();
            let mut inside = 0;
            for i in -10..=10 {
                for j in -10..=10 {
                    let p = point(i as f32 * 0.103, j as f32 * 0.097);
                    assert_eq!(shape.contains(&p), moved.contains(&(frame * p)), "{p}");
                    inside += u32::from(shape.contains(&p));
                }
            }
            assert!(inside > 20, "{shape:?}");
        }
    }

    #[test]
    fn moved_chain_segments_keep_their_sides_and_neighbors() {
        let points = [point(0.0, 0.0), point(1.0, 0.2), point(2.0, 0.0)];
        for chain in [
            Chain::new(&points, ChainKind::Open),
            Chain::two_sided(&points, ChainKind::Open),
        ] {
            let segment = chain.segments()[0];
            let Shape::ChainSegment(moved) = Shape::from(segment)
                .try_moved(&pose(1.0, 1.0, 0.5))
                .unwrap()
            else {
                panic!("another kind of shape");
            };
            assert_eq!(moved.is_two_sided(), segment.is_two_sided());
            assert!(moved.ghost_before().is_none() && moved.ghost_after().is_some());
        }
    }

    #[test]
    fn shape_that_leaves_the_world_is_refused() {
        let ball = Shape::from(Circle::of_radius(0.5));
        assert!(ball.try_moved(&pose(f32::INFINITY, 0.0, 0.0)).is_err());
    }
}
