//! Normal snapping: a body that lies almost flat on a static face is pushed along the normal of that face.
//!
//! The reference face of the manifold may be a face of the body. Its normal tilts as the body slides over an
//! internal edge, and would slow the body on smooth ground.

use crate::contact::constraint::constraint_flags;
use cairn2d_geometry::math::{Pose, Vec2};
use cairn2d_geometry::{Manifold, Shape};

/// Cosine of the angle up to which two normals count as equal: 0.26 degrees.
pub(crate) const MIN_SNAP_COSINE: f32 = 0.999_99;

/// Returns the outward normal of a face whose angle to `direction` has at least the cosine `min_cosine`, in
/// the frame of the shape. Polygons, segments and half-spaces have faces.
pub(crate) fn face_normal_near(shape: &Shape, direction: Vec2, min_cosine: f32) -> Option<Vec2> {
    let is_near = |normal: &Vec2| normal.dot(&direction) > min_cosine;
    match shape {
        Shape::Polygon(polygon) => polygon.normals().iter().copied().find(is_near),
        Shape::Segment(segment) => {
            let normal = segment.normal();
            [normal, -normal].into_iter().find(is_near)
        }
        Shape::HalfSpace(half_space) => Some(half_space.normal()).filter(is_near),
        _ => None,
    }
}

/// Replaces the normal of a manifold of two points by that of the static face below it. `flags` are those of
/// its constraint.
///
/// A manifold of one point keeps its normal: the body may pass over a corner there.
#[inline]
pub(crate) fn snap_normal(manifold: &mut Manifold, flags: u16, [a, b]: [&Shape; 2], b_in_a: &Pose) {
    if manifold.points().len() < 2 {
        return;
    }
    let normal = manifold.normal;
    let face = if flags & constraint_flags::STATIC_A != 0 {
        face_normal_near(a, normal, MIN_SNAP_COSINE)
    } else if flags & constraint_flags::STATIC_B != 0 {
        let local = b_in_a.inverse_transform_vector(&-normal);
        face_normal_near(b, local, MIN_SNAP_COSINE).map(|face| -(b_in_a.rotation * face))
    } else {
        None
    };
    manifold.normal = face.unwrap_or(normal);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::Cache;
    use cairn2d_geometry::math::{pose, vec2};
    use cairn2d_geometry::{Polygon, collide};

    /// Returns the normal of the contact of a box on a floor, turned against it by `angle` [rad]. The floor
    /// is A or B.
    fn normal_of(angle: f32, floor_is_a: bool) -> Vec2 {
        let floor = Shape::from(Polygon::rectangle(5.0, 0.5));
        let block = Shape::from(Polygon::rectangle(0.5, 0.5));
        let on_floor = pose(0.0, 1.0, angle);
        let (a, b, b_in_a, flags) = if floor_is_a {
            (&floor, &block, on_floor, constraint_flags::STATIC_A)
        } else {
            (
                &block,
                &floor,
                on_floor.inverse(),
                constraint_flags::STATIC_B,
            )
        };
        let mut manifold = collide(a, b, &b_in_a, &mut Cache::default());
        assert_eq!(manifold.points().len(), 2);
        snap_normal(&mut manifold, flags, [a, b], &b_in_a);
        if floor_is_a {
            manifold.normal
        } else {
            -(on_floor.rotation * manifold.normal)
        }
    }

    #[test]
    fn normal_of_slightly_tilted_box_is_that_of_the_ground() {
        for angle in [-1.0e-3_f32, -3.0e-5, 0.0, 3.0e-5, 1.0e-3] {
            assert_eq!(normal_of(angle, true), vec2(0.0, 1.0), "{angle}");
            let off = (normal_of(angle, false) - vec2(0.0, 1.0)).norm();
            assert!(off < 2.0 * f32::EPSILON, "{angle}: {off}");
        }
    }
}
