//! Collide, one contact: keeps the manifold or makes it anew, and carries impulses over by feature.

use crate::contact::adjust::{Adjusting, adjust, is_adjusted};
use crate::contact::constraint::{ConstraintPoint, ContactConstraint, STICK_RANGE, name_of};
use crate::contact::level::level;
use crate::contact::recycle::{
    RECYCLE_SHARE, RECYCLE_SHIFT, RecycleBudget, RecycleKey, contact_flags,
};
use crate::id::{Slots, kind};
use crate::shape::BodyShape;
use cairn2d_geometry::math::{Point, Pose, Vec2, cross, right_perp};
use cairn2d_geometry::{Manifold, ManifoldPoint, collide, overlaps};

/// What a step's look at a contact found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContactChange {
    /// The manifold was kept.
    Kept,
    /// The manifold was made anew; the shapes touch, or do not, as before.
    None,
    /// Touches now.
    Begins,
    /// Does not touch any more.
    Ends,
    /// Does not touch, and the fat boxes do not overlap any more.
    Parts,
}

/// The records of one contact that collide reads and writes.
pub(crate) struct ContactRecords<'a> {
    pub(crate) budget: &'a mut RecycleBudget,
    pub(crate) key: &'a mut RecycleKey,
    pub(crate) constraint: &'a mut ContactConstraint,
}

/// Brings a contact up to date with the poses of its bodies, its budget being used up.
#[inline]
pub(crate) fn update_contact(
    ContactRecords {
        budget,
        key,
        constraint,
    }: ContactRecords<'_>,
    shapes: &Slots<kind::Shape, BodyShape>,
    adjusting: Adjusting<'_>,
) -> ContactChange {
    let poses = &adjusting.bodies.poses;
    let pose_a = &poses[budget.body_a as usize];
    let pose_b = &poses[budget.body_b as usize];
    let b_in_a = pose_a.pose_of(pose_b);
    if let Some(remaining) = key.budget_at(&b_in_a) {
        budget.remaining = remaining;
        return ContactChange::Kept;
    }
    let (shape_a, shape_b) = (&shapes[key.shape_a], &shapes[key.shape_b]);
    let touching = if key.flags & contact_flags::SENSOR != 0 {
        // Without a manifold: that of a chain is empty for what lies behind it.
        overlaps(&shape_a.geometry, &shape_b.geometry, &b_in_a)
    } else {
        let mut manifold: Manifold = collide(
            &shape_a.geometry,
            &shape_b.geometry,
            &b_in_a,
            &mut key.cache,
        );
        let geometries = [&shape_a.geometry, &shape_b.geometry];
        level(&mut manifold, constraint.flags, geometries, &b_in_a);
        let adjusted = is_adjusted(key, adjusting.hook);
        if adjusted {
            manifold = adjust(manifold, key, constraint, shapes, adjusting);
        }
        let centers = [pose_a.local_center, pose_b.local_center];
        let radii = [shape_a, shape_b].map(|shape| shape.geometry.radius());
        store_manifold(constraint, &manifold, &b_in_a, centers, radii);
        let keepable = if adjusted {
            None
        } else {
            keepable_shift(&manifold, shape_a, shape_b)
        };
        key.made_at(&b_in_a, keepable);
        // What is apart stays so until its bodies have gone that far, whichever way.
        let apart = if adjusted { 0.0 } else { manifold.clearance };
        let apart = if apart > 0.0 { apart } else { -1.0 };
        budget.remaining = keepable.unwrap_or(apart);
        !manifold.points().is_empty()
    };
    let before = key.flags & contact_flags::TOUCHING != 0;
    key.flags = key.flags & !contact_flags::TOUCHING | u32::from(touching);
    match (before, touching) {
        (false, false) if !shape_a.fat_box.overlaps(&shape_b.fat_box) => ContactChange::Parts,
        (false, true) => ContactChange::Begins,
        (true, false) => ContactChange::Ends,
        _ => ContactChange::None,
    }
}

/// Returns the shift up to which `manifold` stays good, or `None` if it must be made at each step.
///
/// Kept are manifolds of two points: faces that lie on each other. With one point the second may be
/// about to touch; and where a round shape rolls, the point wanders over its surface.
fn keepable_shift(manifold: &Manifold, a: &BodyShape, b: &BodyShape) -> Option<f32> {
    if manifold.points().len() < 2 {
        return None;
    }
    let thickness = a.geometry.min_extent().min(b.geometry.min_extent());
    if thickness > 0.0 {
        Some(RECYCLE_SHIFT.min(RECYCLE_SHARE * thickness))
    } else {
        Some(
            RECYCLE_SHIFT.min(RECYCLE_SHARE * a.geometry.min_extent().max(b.geometry.min_extent())),
        )
    }
}

/// Writes `manifold` into `constraint`; points made by the same features keep their impulses. `radii` are the roundings of the
/// shapes.
pub(crate) fn store_manifold(
    constraint: &mut ContactConstraint,
    manifold: &Manifold,
    b_in_a: &Pose,
    centers: [Vec2; 2],
    radii: [f32; 2],
) {
    let (old, old_normal, old_features) =
        (constraint.points, constraint.normal, constraint.features);
    let old_features = &old_features[..constraint.count as usize];
    let points = manifold.points();
    constraint.normal = manifold.normal;
    constraint.count = points.len() as u16;
    let mut kept = 0;
    for (i, point) in points.iter().enumerate() {
        let slot = &mut constraint.points[i];
        *slot = frozen_point(point, b_in_a, centers);
        let feature = name_of(point.id);
        constraint.features[i] = feature;
        if let Some(before) = old_features.iter().position(|&before| before == feature) {
            slot.normal_impulse = old[before].normal_impulse;
            slot.tangent_impulse = old[before].tangent_impulse;
            slot.rest_load = old[before].rest_load;
            kept += 1;
        }
    }
    if kept == 2 {
        let crept = crept_apart(&old, &old_normal, b_in_a, centers);
        if crept.abs() <= STICK_RANGE {
            let tangent = right_perp(&constraint.normal);
            constraint.creep(b_in_a.inverse_transform_vector(&(crept * tangent)));
        }
    }
    if let [point] = points {
        constraint.points[1] = middles(point, manifold.normal, b_in_a, centers, radii);
    }
    if points.is_empty() {
        constraint.rolling_impulse = 0.0;
    }
}

/// Returns how far B's anchors have crept from A's along the tangent [m], where points bear; not at all where none does.
fn crept_apart(
    points: &[ConstraintPoint; 2],
    normal: &Vec2,
    b_in_a: &Pose,
    centers: [Vec2; 2],
) -> f32 {
    let [mut crept, mut borne] = [0.0; 2];
    for point in points {
        let on_b = b_in_a.transform_point(&Point::from(point.anchor_b + centers[1]));
        let way = on_b.coords - (point.anchor_a + centers[0]);
        crept += point.normal_impulse * cross(&way, normal);
        borne += point.normal_impulse;
    }
    if borne > 0.0 { crept / borne } else { 0.0 }
}

/// Returns where the middles of what is round lie behind the surfaces at `point`: the surfaces themselves, where nothing is.
#[inline]
fn middles(
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
