//! The pre-solve filter between narrow phase and solver: one-way shapes drop the manifolds of bodies that do not come
//! from their solid side, and the user's pre-solve hook may drop a manifold or change its surface.

use crate::body::state::BodyState;
use crate::body::table::BodyTable;
use crate::contact::constraint::ContactConstraint;
use crate::contact::recycle::{RecycleKey, contact_flags};
use crate::hook::{ContactHook, HookShape, PreSolve, PreSolvePoint};
use crate::id::{Slots, kind};
use crate::material::{Surface, one_way_stops};
use crate::mechanisms::Mechanisms;
use crate::shape::BodyShape;
use crate::tuning::{MAX_DRIVE_SPEED, MAX_FRICTION, MAX_RESTITUTION};
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::tolerance::LINEAR_SLOP;
use cairn2d_geometry::{Manifold, ManifoldPoint};

/// Bodies, the user's hook and the mechanisms in use, the same for all contacts.
#[derive(Clone, Copy)]
pub(crate) struct PreSolveInput<'a> {
    pub(crate) bodies: &'a BodyTable,
    pub(crate) hook: Option<ContactHook<'a>>,
    pub(crate) mechanisms: Mechanisms,
    /// \[s\]
    pub(crate) dt: f32,
}

/// Returns `true` if a contact must pass the filter in each step. Its manifold is never recycled.
pub(crate) fn needs_pre_solve(key: &RecycleKey, hook: Option<ContactHook<'_>>) -> bool {
    key.flags & contact_flags::ONE_WAY != 0
        || key.flags & contact_flags::HOOKED != 0 && hook.is_some()
}

/// Returns `manifold`, or an empty one if the shapes pass through each other in this step.
pub(crate) fn filter_manifold(
    manifold: Manifold,
    key: &mut RecycleKey,
    constraint: &mut ContactConstraint,
    shapes: &Slots<kind::Shape, BodyShape>,
    input: PreSolveInput<'_>,
) -> Manifold {
    let (a, b) = (&shapes[key.shape_a], &shapes[key.shape_b]);
    let was_solid = key.flags & contact_flags::SOLID != 0;
    key.flags &= !contact_flags::SOLID;
    if manifold.is_empty() || !is_solid(&manifold, a, b, input.bodies, was_solid) {
        return Manifold::EMPTY;
    }
    key.flags |= contact_flags::SOLID;
    let Some(hook) = input
        .hook
        .filter(|_| key.flags & contact_flags::HOOKED != 0)
    else {
        return manifold;
    };
    let sides = [key.shape_a, key.shape_b].map(|slot| HookShape::new(input.bodies, shapes, slot));
    let mut contact = hook_view(&manifold, sides, input.bodies, a.surface_with(b));
    hook.change(&mut contact);
    constraint.set_surface(&surface_from_hook(a.surface_with(b), &contact));
    if contact.ignored {
        key.flags |= contact_flags::IGNORED;
        Manifold::EMPTY
    } else {
        manifold
    }
}

/// Returns `true` unless a one-way shape lets the other one pass. `was_solid`: the shapes stopped each other
/// in the last step.
///
/// A one-way shape stops bodies that are on its solid side and did not overlap it in the last step. A body that rises
/// through it passes until it is out, although the axis of least penetration points to the solid side before that.
fn is_solid(
    manifold: &Manifold,
    a: &BodyShape,
    b: &BodyShape,
    bodies: &BodyTable,
    was_solid: bool,
) -> bool {
    let (pose_a, pose_b) = (
        &bodies.poses[a.body as usize],
        &bodies.poses[b.body as usize],
    );
    let normal = pose_a.rotate(manifold.normal);
    let stops = one_way_stops(a.material.one_way, pose_a.rotation, normal)
        && one_way_stops(b.material.one_way, pose_b.rotation, -normal);
    let is_one_way = a.material.one_way.is_some() || b.material.one_way.is_some();
    stops
        && (was_solid || !is_one_way || previous_separation(manifold, a, b, bodies) >= -LINEAR_SLOP)
}

/// Returns the separation in the last step at the point that is deepest now [m].
fn previous_separation(
    manifold: &Manifold,
    a: &BodyShape,
    b: &BodyShape,
    bodies: &BodyTable,
) -> f32 {
    let index = |shape: &BodyShape| shape.body as usize;
    let (pose_a, pose_b) = (&bodies.poses[index(a)], &bodies.poses[index(b)]);
    let deepest = |p: &&ManifoldPoint, q: &&ManifoldPoint| p.separation.total_cmp(&q.separation);
    let Some(point) = manifold.points().iter().min_by(deepest) else {
        return f32::INFINITY;
    };
    let arm_a = pose_a.rotate(point.point.coords - pose_a.local_center);
    let arm_b = arm_a + (pose_a.center - pose_b.center);
    let displacement = last_displacement(&bodies.states[index(b)], arm_b)
        - last_displacement(&bodies.states[index(a)], arm_a);
    point.separation - displacement.dot(&pose_a.rotate(manifold.normal))
}

/// Returns the displacement in the last step of the point of a body that is now at `arm` from its center of
/// mass [m].
fn last_displacement(state: &BodyState, arm: Vec2) -> Vec2 {
    let (c, s) = (state.delta_rotation.x, state.delta_rotation.y);
    let before = Vec2::new(c * arm.x + s * arm.y, c * arm.y - s * arm.x);
    state.delta_position + (arm - before)
}

/// Returns the view of a contact that the hook gets.
fn hook_view<'a>(
    manifold: &Manifold,
    sides: [HookShape<'a>; 2],
    bodies: &BodyTable,
    surface: Surface,
) -> PreSolve<'a> {
    let pose = &bodies.poses[sides[0].body().index() as usize];
    let place = |p: &ManifoldPoint| PreSolvePoint {
        point: pose.to_world(p.point),
        separation: p.separation,
    };
    let points = manifold.points();
    PreSolve {
        sides,
        normal: pose.rotate(manifold.normal),
        points: [place(&points[0]), place(&points[points.len() - 1])],
        count: points.len(),
        ignored: false,
        friction: surface.friction,
        restitution: surface.restitution,
        surface_speed: surface.tangent_speed,
    }
}

/// Returns `surface` with the changes of the hook; numbers that a material may not have are ignored. Those of two
/// materials together may be larger, so a number that the hook did not change is kept.
fn surface_from_hook(surface: Surface, contact: &PreSolve<'_>) -> Surface {
    let within = |new: f32, old: f32, [min, max]: [f32; 2]| {
        if (min..=max).contains(&new) { new } else { old }
    };
    let (friction, restitution) = ([0.0, MAX_FRICTION], [0.0, MAX_RESTITUTION]);
    let speed = [-MAX_DRIVE_SPEED, MAX_DRIVE_SPEED];
    Surface {
        friction: within(contact.friction, surface.friction, friction),
        restitution: within(contact.restitution, surface.restitution, restitution),
        tangent_speed: within(contact.surface_speed, surface.tangent_speed, speed),
        ..surface
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_geometry::math::vec2;

    #[test]
    fn displacement_of_a_point_adds_rotation_and_translation() {
        let quarter = BodyState {
            delta_position: vec2(1.0, 0.0),
            delta_rotation: vec2(0.0, 1.0),
            ..BodyState::IDENTITY
        };
        // A point above the center was right of it before the quarter turn.
        let displacement = last_displacement(&quarter, vec2(0.0, 1.0));
        assert!(
            (displacement - vec2(0.0, 1.0)).norm() < 1.0e-6,
            "{displacement}"
        );
        assert_eq!(
            last_displacement(&BodyState::IDENTITY, vec2(3.0, 4.0)),
            Vec2::zeros()
        );
    }
}
