//! What happens to a manifold between the narrow phase and the solver: one-way shapes let through what comes from
//! their other side, and the user's hook has its say.

use crate::body::state::BodyState;
use crate::body::table::BodyTable;
use crate::contact::constraint::ContactConstraint;
use crate::contact::recycle::{RecycleKey, contact_flags};
use crate::hook::{HookShape, PreSolve, PreSolveHook, PreSolvePoint};
use crate::id::{Slots, kind};
use crate::material::{Surface, one_way_stops};
use crate::shape::BodyShape;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::tolerance::LINEAR_SLOP;
use cairn2d_geometry::{Manifold, ManifoldPoint};

/// What adjusting needs besides the contact.
#[derive(Clone, Copy)]
pub(crate) struct Adjusting<'a> {
    pub(crate) bodies: &'a BodyTable,
    pub(crate) hook: Option<&'a PreSolveHook>,
}

/// Says whether a contact must be looked at here, and so made anew at each step.
pub(crate) fn is_adjusted(key: &RecycleKey, hook: Option<&PreSolveHook>) -> bool {
    key.flags & contact_flags::ONE_WAY != 0
        || key.flags & contact_flags::HOOKED != 0 && hook.is_some()
}

/// Returns `manifold`, or an empty one if the shapes pass through each other in this step.
pub(crate) fn adjust(
    manifold: Manifold,
    key: &mut RecycleKey,
    constraint: &mut ContactConstraint,
    shapes: &Slots<kind::Shape, BodyShape>,
    adjusting: Adjusting<'_>,
) -> Manifold {
    let (a, b) = (&shapes[key.shape_a], &shapes[key.shape_b]);
    let solid = key.flags & contact_flags::SOLID != 0;
    key.flags &= !contact_flags::SOLID;
    if manifold.is_empty() || !is_stopped(&manifold, a, b, adjusting.bodies, solid) {
        return Manifold::EMPTY;
    }
    key.flags |= contact_flags::SOLID;
    let Some(hook) = adjusting
        .hook
        .filter(|_| key.flags & contact_flags::HOOKED != 0)
    else {
        return manifold;
    };
    let sides =
        [key.shape_a, key.shape_b].map(|slot| HookShape::new(adjusting.bodies, shapes, slot));
    let mut contact = view_of(&manifold, sides, adjusting.bodies, a.surface_with(b));
    hook(&mut contact);
    constraint.set_surface(&changed(a.surface_with(b), &contact));
    if contact.ignored {
        Manifold::EMPTY
    } else {
        manifold
    }
}

/// Says whether the two shapes stop each other as far as they are one-way. `solid`: they did so before.
///
/// A one-way shape stops what lies on its open side and came from there: what was not in it a step ago. What rises
/// through it is let through until it is out, though the shortest way out already leads to the open side.
fn is_stopped(
    manifold: &Manifold,
    a: &BodyShape,
    b: &BodyShape,
    bodies: &BodyTable,
    solid: bool,
) -> bool {
    let (pose_a, pose_b) = (
        &bodies.poses[a.body as usize],
        &bodies.poses[b.body as usize],
    );
    let normal = pose_a.rotate(manifold.normal);
    let stops = one_way_stops(a.material.one_way, pose_a.rotation, normal)
        && one_way_stops(b.material.one_way, pose_b.rotation, -normal);
    let one_way = a.material.one_way.is_some() || b.material.one_way.is_some();
    stops && (solid || !one_way || gap_before(manifold, a, b, bodies) >= -LINEAR_SLOP)
}

/// Returns how far the shapes were apart a step ago at the point where they are nearest now [m].
fn gap_before(manifold: &Manifold, a: &BodyShape, b: &BodyShape, bodies: &BodyTable) -> f32 {
    let index = |shape: &BodyShape| shape.body as usize;
    let (pose_a, pose_b) = (&bodies.poses[index(a)], &bodies.poses[index(b)]);
    let deepest = |p: &&ManifoldPoint, q: &&ManifoldPoint| p.separation.total_cmp(&q.separation);
    let Some(point) = manifold.points().iter().min_by(deepest) else {
        return f32::INFINITY;
    };
    let arm_a = pose_a.rotate(point.point.coords - pose_a.local_center);
    let arm_b = arm_a + (pose_a.center - pose_b.center);
    let way = last_way(&bodies.states[index(b)], arm_b) - last_way(&bodies.states[index(a)], arm_a);
    point.separation - way.dot(&pose_a.rotate(manifold.normal))
}

/// Returns the way in the last step of the point of a body that now is at `arm` from its centre of mass [m].
fn last_way(state: &BodyState, arm: Vec2) -> Vec2 {
    let (c, s) = (state.delta_rotation.x, state.delta_rotation.y);
    let before = Vec2::new(c * arm.x + s * arm.y, c * arm.y - s * arm.x);
    state.delta_position + (arm - before)
}

/// Returns what the hook sees.
fn view_of<'a>(
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

/// Returns `surface` with what the hook changed, as far as it is a number that makes sense.
fn changed(surface: Surface, contact: &PreSolve<'_>) -> Surface {
    let positive = |new: f32, old: f32| {
        if new >= 0.0 && new.is_finite() {
            new
        } else {
            old
        }
    };
    let finite = |new: f32, old: f32| if new.is_finite() { new } else { old };
    Surface {
        friction: positive(contact.friction, surface.friction),
        restitution: positive(contact.restitution, surface.restitution),
        tangent_speed: finite(contact.surface_speed, surface.tangent_speed),
        ..surface
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_geometry::math::vec2;

    #[test]
    fn way_of_a_point_adds_turn_and_shift() {
        let quarter = BodyState {
            delta_position: vec2(1.0, 0.0),
            delta_rotation: vec2(0.0, 1.0),
            ..BodyState::IDENTITY
        };
        // What is above the centre now was right of it before the quarter turn.
        let way = last_way(&quarter, vec2(0.0, 1.0));
        assert!((way - vec2(0.0, 1.0)).norm() < 1.0e-6, "{way}");
        assert_eq!(
            last_way(&BodyState::IDENTITY, vec2(3.0, 4.0)),
            Vec2::zeros()
        );
    }
}
