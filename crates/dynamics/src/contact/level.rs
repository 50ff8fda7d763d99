//! Levels contacts: what lies on fixed ground almost flat is pushed along the normal of the ground, not along that of its own
//! side. Smooth ground slows nothing that slides on it, then, however that tilts as it goes over a seam.

use crate::contact::constraint::constraint_flags;
use cairn2d_geometry::math::{Pose, Vec2};
use cairn2d_geometry::{Manifold, Shape};

/// Cosine of the angle up to which two normals count as one.
pub(crate) const SAME_NORMAL: f32 = 0.999_99;

/// Returns the normal of a side, of a polygon or a segment, that is near `direction` by the cosine `least`, if there is one, in
/// the shape's frame.
pub(crate) fn side_near(shape: &Shape, direction: Vec2, least: f32) -> Option<Vec2> {
    let is_near = |normal: &Vec2| normal.dot(&direction) > least;
    match shape {
        Shape::Polygon(polygon) => polygon.normals().iter().copied().find(is_near),
        Shape::Segment(segment) => {
            let normal = segment.normal();
            [normal, -normal].into_iter().find(is_near)
        }
        _ => None,
    }
}

/// Gives a manifold of two points the normal of the fixed side that it is on. `flags` are those of its constraint.
///
/// A single point is left as it is: it may be at a corner that the body goes over.
#[inline]
pub(crate) fn level(manifold: &mut Manifold, flags: u16, [a, b]: [&Shape; 2], b_in_a: &Pose) {
    if manifold.points().len() < 2 {
        return;
    }
    let normal = manifold.normal;
    let side = if flags & constraint_flags::STATIC_A != 0 {
        side_near(a, normal, SAME_NORMAL)
    } else if flags & constraint_flags::STATIC_B != 0 {
        let local = b_in_a.inverse_transform_vector(&-normal);
        side_near(b, local, SAME_NORMAL).map(|side| -(b_in_a.rotation * side))
    } else {
        None
    };
    manifold.normal = side.unwrap_or(normal);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::Cache;
    use cairn2d_geometry::math::{pose, vec2};
    use cairn2d_geometry::{Polygon, collide};

    /// Returns the normal, in the world, of a box that lies on a floor a little askew. The floor is A or B.
    fn normal_of(angle: f32, floor_is_a: bool) -> Vec2 {
        let floor = Shape::from(Polygon::rectangle(5.0, 0.5).expect("a size"));
        let thing = Shape::from(Polygon::rectangle(0.5, 0.5).expect("a size"));
        let on_floor = pose(0.0, 1.0, angle);
        let (a, b, b_in_a, flags) = if floor_is_a {
            (&floor, &thing, on_floor, constraint_flags::STATIC_A)
        } else {
            (
                &thing,
                &floor,
                on_floor.inverse(),
                constraint_flags::STATIC_B,
            )
        };
        let mut manifold = collide(a, b, &b_in_a, &mut Cache::default());
        assert_eq!(manifold.points().len(), 2);
        level(&mut manifold, flags, [a, b], &b_in_a);
        if floor_is_a {
            manifold.normal
        } else {
            -(on_floor.rotation * manifold.normal)
        }
    }

    #[test]
    fn what_lies_askew_by_little_is_pushed_along_the_normal_of_the_ground() {
        for angle in [-1.0e-3_f32, -3.0e-5, 0.0, 3.0e-5, 1.0e-3] {
            assert_eq!(normal_of(angle, true), vec2(0.0, 1.0), "{angle}");
            let off = (normal_of(angle, false) - vec2(0.0, 1.0)).norm();
            assert!(off < 2.0 * f32::EPSILON, "{angle}: {off}");
        }
    }
}
