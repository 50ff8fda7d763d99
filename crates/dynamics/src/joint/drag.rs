//! Drag of linkages: ropes, chains and bridges come to rest.
//!
//! Joints take no energy from a hanging chain, and friction in them would take next to none: its slowest motion is
//! nearly a rigid swing about its anchor. So a drag against the anchor acts on it, as that of air. A pendulum and a
//! double pendulum keep their energy; therefore the drag grows with the number of bodies. It slows nothing by more than a
//! quarter of gravity, so it ends motions of a meter a second soon, and changes fast ones little. With a load that is heavy
//! beside the links it is down to two fifths of that: a wrecking ball must fall and swing.

use super::linkage::{Linkage, LinkageSearch};
use super::table::JointTable;
use crate::body::table::BodyTable;
use cairn2d_geometry::math::Vec2;

/// Number of bodies up to which a linkage has no drag, and from which on it has that of the tuning.
const DRAG_BODIES: [usize; 2] = [4, 10];

/// Greatest deceleration by the drag, relative to gravity.
const MAX_DECELERATION: f32 = 0.25;

/// Applies the drag of `rate` \[1/s\] to the linkages of the `awake` bodies that hang from a static or kinematic body, for a
/// step of `dt` \[s\] under `gravity` \[m/s^2\]. Velocities that the joints allow stay allowed.
pub(crate) fn slow_linkages(
    search: &mut LinkageSearch,
    (rate, dt, gravity): (f32, f32, f32),
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
            slow(listed, &linkage, (rate * share, dt, gravity), bodies);
        }
    }
}

/// Applies the drag to the velocities of a linkage relative to its anchor.
fn slow(
    listed: &[u32],
    linkage: &Linkage,
    (rate, dt, gravity): (f32, f32, f32),
    bodies: &mut BodyTable,
) {
    let anchor = linkage.kinematic.filter(|_| !linkage.is_on_static);
    let rest_of = |bodies: &BodyTable, body: u32| {
        anchor.map_or((Vec2::zeros(), 0.0), |anchor| {
            let state = &bodies.states[anchor as usize];
            let center = |body: u32| bodies.poses[body as usize].center;
            let rest = state.velocity_at(center(body) - center(anchor));
            (rest, state.angular_velocity)
        })
    };
    let (mut fastest, mut mass, mut inv_mass) = (0.0_f32, 0.0, 0.0);
    for &body in listed {
        let (rest, _) = rest_of(bodies, body);
        fastest = fastest.max((bodies.states[body as usize].velocity - rest).norm());
        let inverse = bodies.masses[body as usize].inv_mass;
        inv_mass += inverse;
        mass += if inverse > 0.0 { 1.0 / inverse } else { 0.0 };
    }
    // The harmonic mean of the masses, which is that of the links, over the mean.
    let count = listed.len() as f32;
    let of_mass = (count * count / (mass * inv_mass)).clamp(0.4, 1.0);
    let rate = rate.min(MAX_DECELERATION * gravity / fastest);
    let factor = 1.0 / (1.0 + dt * of_mass * rate);
    for &body in listed {
        let (rest, spin) = rest_of(bodies, body);
        let state = &mut bodies.states[body as usize];
        state.velocity = rest + factor * (state.velocity - rest);
        state.angular_velocity = spin + factor * (state.angular_velocity - spin);
    }
}
