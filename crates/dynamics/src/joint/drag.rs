//! Drag of linkages: ropes, chains and bridges come to rest.
//!
//! Joints take no energy from a hanging chain, and friction in them would take next to none: its slowest motion is
//! nearly a rigid swing about its anchor. So a drag against the anchor acts on it, as that of air. A pendulum and a
//! double pendulum keep their energy; therefore the drag grows with the number of bodies.

use super::linkage::{Linkage, LinkageSearch};
use super::table::JointTable;
use crate::body::table::BodyTable;
use cairn2d_geometry::math::Vec2;

/// Number of bodies up to which a linkage has no drag, and from which on it has that of the tuning.
const DRAG_BODIES: [usize; 2] = [4, 10];

/// Applies the drag of `rate` \[1/s\] to the linkages of the `awake` bodies that hang from a static or kinematic body, for a
/// step of `dt` \[s\]. Velocities that the joints allow stay allowed.
pub(crate) fn slow_linkages(
    search: &mut LinkageSearch,
    (rate, dt): (f32, f32),
    awake: &[u32],
    bodies: &mut BodyTable,
    joints: &JointTable,
) {
    search.clear();
    for &body in awake {
        if bodies.slots[body].joints.is_empty() || !bodies.is_dynamic(body) {
            continue;
        }
        let Some(linkage) = search.find(body, bodies, joints) else {
            continue;
        };
        let listed = &search.bodies[linkage.start..];
        let [none, full] = DRAG_BODIES;
        let above = listed.len().saturating_sub(none);
        let is_held = linkage.is_on_static || linkage.kinematic.is_some();
        if above > 0 && is_held && !linkage.is_driven {
            let share = (above as f32 / (full - none) as f32).min(1.0);
            slow(listed, &linkage, 1.0 / (1.0 + dt * rate * share), bodies);
        }
    }
}

/// Multiplies the velocities of a linkage relative to its anchor by `factor`.
fn slow(listed: &[u32], linkage: &Linkage, factor: f32, bodies: &mut BodyTable) {
    let anchor = linkage.kinematic.filter(|_| !linkage.is_on_static);
    for &body in listed {
        let (rest, spin) = anchor.map_or((Vec2::zeros(), 0.0), |anchor| {
            let state = &bodies.states[anchor as usize];
            let center = |body: u32| bodies.poses[body as usize].center;
            let rest = state.velocity_at(center(body) - center(anchor));
            (rest, state.angular_velocity)
        });
        let state = &mut bodies.states[body as usize];
        state.velocity = rest + factor * (state.velocity - rest);
        state.angular_velocity = spin + factor * (state.angular_velocity - spin);
    }
}
