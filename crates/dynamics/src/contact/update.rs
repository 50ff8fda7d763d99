//! Narrow phase of one contact: keeps the manifold or computes a new one, and transfers impulses by feature.

use crate::contact::constraint::{ConstraintPoint, ContactConstraint, short_feature};
use crate::contact::pre_solve::{PreSolveInput, filter_manifold, needs_pre_solve};
use crate::contact::recycle::{
    RECYCLE_SHARE, RECYCLE_SHIFT, RecycleBudget, RecycleKey, contact_flags,
};
use crate::id::{Slots, kind};
use crate::mechanisms::{Mechanism, Mechanisms};
use crate::shape::BodyShape;
use cairn2d_geometry::math::{Pose, Vec2};
use cairn2d_geometry::{Manifold, ManifoldPoint, collide, overlaps};

/// Least sine of an angle near half a turn, whose half-angle tangent stays finite.
const MIN_SINE: f32 = 1.0e-7;

/// Result of the narrow phase for one contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContactChange {
    /// The manifold was recycled.
    Kept,
    /// The manifold is new; the shapes touch, or do not, as before.
    None,
    /// The shapes began to touch.
    Begins,
    /// The shapes ceased to touch.
    Ends,
    /// The shapes do not touch, and their fat boxes no longer overlap.
    Parts,
}

/// The records of one contact that the narrow phase reads and writes.
pub(crate) struct ContactRecords<'a> {
    pub(crate) budget: &'a mut RecycleBudget,
    pub(crate) key: &'a mut RecycleKey,
    pub(crate) constraint: &'a mut ContactConstraint,
}

/// Updates a contact whose budget is used up to the poses of its bodies.
#[inline]
pub(crate) fn update_contact(
    ContactRecords {
        budget,
        key,
        constraint,
    }: ContactRecords<'_>,
    shapes: &Slots<kind::Shape, BodyShape>,
    input: PreSolveInput<'_>,
) -> ContactChange {
    let poses = &input.bodies.poses;
    let pose_a = &poses[budget.body_a as usize];
    let pose_b = &poses[budget.body_b as usize];
    let b_in_a = pose_a.pose_of(pose_b);
    if let Some(remaining) = key.budget_at(&b_in_a) {
        budget.remaining = remaining;
        return ContactChange::Kept;
    }
    let (shape_a, shape_b) = (&shapes[key.shape_a], &shapes[key.shape_b]);
    let is_touching = if key.flags & contact_flags::SENSOR != 0 {
        // A manifold would not do: that of a chain segment is empty for shapes behind it.
        overlaps(&shape_a.geometry, &shape_b.geometry, &b_in_a)
    } else {
        let mut manifold: Manifold = collide(
            &shape_a.geometry,
            &shape_b.geometry,
            &b_in_a,
            &mut key.cache,
        );
        key.flags &= !contact_flags::IGNORED;
        let is_filtered = needs_pre_solve(key, input.hook);
        if is_filtered {
            manifold = filter_manifold(manifold, key, constraint, shapes, input);
        }
        let is_landing = manifold.has_far_end()
            && manifold.include_far_end(reach_of(input, [budget.body_a, budget.body_b]));
        let centers = [pose_a.local_center, pose_b.local_center];
        let radii = rolling_radii([shape_a, shape_b], &manifold.normal, &b_in_a);
        store_manifold(
            constraint,
            &manifold,
            &b_in_a,
            centers,
            radii,
            input.mechanisms,
        );
        constraint.half_angle = half_angle_tangent(pose_a.rotation);
        let max_shift = if is_filtered || is_landing {
            None
        } else {
            max_recycle_shift(&manifold, shape_a, shape_b)
        };
        key.store_pose(&b_in_a, max_shift);
        // Separate shapes stay separate until their bodies have moved by the clearance.
        let clearance = if is_filtered { 0.0 } else { manifold.clearance };
        let clearance = if clearance > 0.0 { clearance } else { -1.0 };
        budget.remaining = max_shift.unwrap_or(clearance);
        !manifold.points().is_empty()
    };
    let was_touching = key.flags & contact_flags::TOUCHING != 0;
    key.flags = key.flags & !contact_flags::TOUCHING | u32::from(is_touching);
    match (was_touching, is_touching) {
        (false, false) if !shape_a.fat_box.overlaps(&shape_b.fat_box) => ContactChange::Parts,
        (false, true) => ContactChange::Begins,
        (true, false) => ContactChange::Ends,
        _ => ContactChange::None,
    }
}

/// Returns the tangent of half the angle of a rotation with the given cosine and sine; large, but finite, at half a turn.
pub(crate) fn half_angle_tangent(rotation: Vec2) -> f32 {
    let (c, s) = (rotation.x, rotation.y);
    if c >= 0.0 {
        s / (1.0 + c)
    } else {
        (1.0 - c) / if s.abs() > MIN_SINE { s } else { MIN_SINE }
    }
}

/// Returns the distance within which the other end of a face may land in this step \[m\].
///
/// A corner that is stopped turns the rest of its body up to twice as fast as it fell.
fn reach_of(input: PreSolveInput<'_>, bodies: [u32; 2]) -> f32 {
    let speed = |body: u32| {
        let state = &input.bodies.states[body as usize];
        let extent = input.bodies.tracks[body as usize].max_extent;
        state.velocity.norm() + state.angular_velocity.abs() * extent
    };
    2.0 * input.dt * (speed(bodies[0]) + speed(bodies[1]))
}

/// Returns the relative translation up to which `manifold` stays good [m]; `None`: it is good for this step
/// only.
///
/// Only manifolds of two points are kept: faces that lie on each other. With one point, the second may be
/// about to touch; and the point of a round shape moves over its surface as it rolls.
fn max_recycle_shift(manifold: &Manifold, a: &BodyShape, b: &BodyShape) -> Option<f32> {
    if manifold.points().len() < 2 {
        return None;
    }
    let (a, b) = (a.min_extent, b.min_extent);
    let thickness = if a.min(b) > 0.0 { a.min(b) } else { a.max(b) };
    Some(RECYCLE_SHIFT.min(RECYCLE_SHARE * thickness))
}

/// Writes `manifold` into `constraint`; points of the same features keep their impulses. `radii` are those on
/// which the shapes roll [m].
pub(crate) fn store_manifold(
    constraint: &mut ContactConstraint,
    manifold: &Manifold,
    b_in_a: &Pose,
    centers: [Vec2; 2],
    radii: [f32; 2],
    mechanisms: Mechanisms,
) {
    let (old, old_features) = (constraint.points, constraint.features);
    let old_features = &old_features[..constraint.count as usize];
    let points = manifold.points();
    constraint.normal = manifold.normal;
    constraint.count = points.len() as u16;
    for (i, point) in points.iter().enumerate() {
        let slot = &mut constraint.points[i];
        *slot = frozen_point(point, b_in_a, centers);
        let feature = short_feature(point.id);
        constraint.features[i] = feature;
        if let Some(before) = old_features.iter().position(|&before| before == feature) {
            slot.normal_impulse = old[before].normal_impulse;
            slot.tangent_impulse = old[before].tangent_impulse;
            slot.rest_load = old[before].rest_load;
        }
    }
    if let [point] = points {
        constraint.points[1] = if mechanisms.has(Mechanism::RoundContacts) {
            rounding_centers(point, manifold.normal, b_in_a, centers, radii)
        } else {
            frozen_point(point, b_in_a, centers)
        };
    }
    if points.is_empty() {
        constraint.rolling_impulse = 0.0;
    }
}

/// Returns the radii of the arcs on which two shapes roll, where `normal` points from A to B \[m\].
pub(crate) fn rolling_radii(shapes: [&BodyShape; 2], normal: &Vec2, b_in_a: &Pose) -> [f32; 2] {
    let in_b = -b_in_a.rotation.inverse_transform_vector(normal);
    [
        shapes[0].geometry.rolling_radius(normal),
        shapes[1].geometry.rolling_radius(&in_b),
    ]
}

/// Returns the centers of the rounded surfaces at `point`: points on the surfaces themselves where the radius
/// is 0.
#[inline]
fn rounding_centers(
    point: &ManifoldPoint,
    normal: Vec2,
    b_in_a: &Pose,
    centers: [Vec2; 2],
    [radius_a, radius_b]: [f32; 2],
) -> ConstraintPoint {
    let half_gap = 0.5 * point.separation;
    let behind_a = point.point - (half_gap + radius_a) * normal;
    let behind_b = b_in_a.inverse_transform_point(&(point.point + (half_gap + radius_b) * normal));
    ConstraintPoint {
        anchor_a: behind_a.coords - centers[0],
        anchor_b: behind_b.coords - centers[1],
        ..ConstraintPoint::default()
    }
}

fn frozen_point(point: &ManifoldPoint, b_in_a: &Pose, centers: [Vec2; 2]) -> ConstraintPoint {
    let in_b = b_in_a.inverse_transform_point(&point.point);
    ConstraintPoint {
        anchor_a: point.point.coords - centers[0],
        anchor_b: in_b.coords - centers[1],
        base_separation: point.separation,
        ..ConstraintPoint::default()
    }
}
