//! Passes over joints that are solved one by one.

use super::states::SharedStates;
use crate::joint::base::{JointBase, JointContext};
use crate::joint::gear::GearJoint;
use crate::joint::parts::pair::BodyPair;
use crate::joint::parts::row::Pass;
use crate::joint::sim::{JointKind, JointSim};
use crate::shared::SharedSlice;

/// Prepares the gears among `slots`, after the joints that they connect.
///
/// # Safety
/// No other thread uses joints now, and the slots differ.
pub(crate) unsafe fn prepare_gears(
    joints: SharedSlice<'_, JointSim>,
    slots: &[u32],
    context: &JointContext<'_>,
) {
    for &slot in slots {
        // SAFETY: by the caller.
        let sim = unsafe { joints.at(slot) };
        if let JointKind::Gear(gear) = &mut sim.kind {
            // SAFETY: nothing writes them now: a gear is not one of its own joints. Both may be the same joint.
            let (a, b) = unsafe { (joints.read(gear.joint_a), joints.read(gear.joint_b)) };
            gear.prepare(a, b, &context.after(sim.base.substep));
            sim.base.substep = context.h;
            sim.base.prepare(context);
        }
    }
}

/// Applies the stored impulses.
///
/// # Safety
/// No other thread uses the joints in `slots`, or the states of their bodies, now.
pub(crate) unsafe fn warm_start(
    joints: SharedSlice<'_, JointSim>,
    slots: &[u32],
    states: SharedStates<'_>,
) {
    for &slot in slots {
        // SAFETY: by the caller.
        let joint = unsafe { joints.at(slot) };
        if let JointKind::Gear(gear) = &joint.kind {
            push_gear(gear, states, gear.impulse());
            continue;
        }
        let mut pair = read_pair(&joint.base, states);
        joint.warm_start(&mut pair);
        write_pair(&joint.base, states, &pair);
    }
}

/// Solves or relaxes the joints in `slots`, in order.
///
/// # Safety
/// No other thread uses the joints in `slots`, or the states of their bodies, now.
pub(crate) unsafe fn solve(
    joints: SharedSlice<'_, JointSim>,
    slots: &[u32],
    states: SharedStates<'_>,
    context: &JointContext<'_>,
    pass: Pass,
) {
    for &slot in slots {
        // SAFETY: by the caller.
        let joint = unsafe { joints.at(slot) };
        let settings = joint.pass_settings(context, pass);
        if let JointKind::Gear(gear) = &mut joint.kind {
            let pairs = [0, 1].map(|side| read_pair(&gear.sides[side].base, states));
            let change = gear.solve(&pairs, &settings);
            push_gear(gear, states, change);
            continue;
        }
        let mut pair = read_pair(&joint.base, states);
        joint.solve(&mut pair, &settings);
        write_pair(&joint.base, states, &pair);
    }
}

/// Sets the impulses of the springs in `slots` to 0.
///
/// # Safety
/// No other thread uses the joints in `slots` now.
pub(crate) unsafe fn forget_springs(joints: SharedSlice<'_, JointSim>, slots: &[u32]) {
    for &slot in slots {
        // SAFETY: by the caller.
        unsafe { joints.at(slot) }.forget_springs();
    }
}

/// Solves joints of crowded bodies, in order.
///
/// # Safety
/// No other thread uses the joints in `slots`, or the states of their bodies, now.
pub(crate) unsafe fn solve_crowded(
    joints: SharedSlice<'_, JointSim>,
    slots: &[u32],
    states: SharedStates<'_>,
    context: &JointContext<'_>,
) {
    for &slot in slots {
        // SAFETY: by the caller.
        let joint = unsafe { joints.at(slot) };
        let settings = joint.crowded_settings(context, Pass::Solve);
        let mut pair = read_pair(&joint.base, states);
        joint.solve(&mut pair, &settings);
        write_pair(&joint.base, states, &pair);
    }
}

/// Closes the errors of joints of crowded bodies by moving the bodies, and relaxes the joints, in reverse order.
///
/// # Safety
/// No other thread uses the joints in `slots`, or the states of their bodies, now.
pub(crate) unsafe fn relax_crowded(
    joints: SharedSlice<'_, JointSim>,
    slots: &[u32],
    states: SharedStates<'_>,
    context: &JointContext<'_>,
) {
    for &slot in slots.iter().rev() {
        // SAFETY: by the caller.
        let joint = unsafe { joints.at(slot) };
        let settings = joint.crowded_settings(context, Pass::Relax);
        let mut pair = read_pair(&joint.base, states);
        let rates = joint.correction(context, &pair);
        pair.a.state.advance(&rates.a.state, context.h);
        pair.b.state.advance(&rates.b.state, context.h);
        joint.solve(&mut pair, &settings);
        let (a, b) = joint.base.moving_slots();
        for (slot, body) in [(a, &pair.a), (b, &pair.b)] {
            if body.mass.inv_mass > 0.0 {
                // SAFETY: as in `read_pair`.
                unsafe { states.set(slot, &body.state) };
            }
        }
    }
}

/// Applies an impulse to one side after the other, as they may share a body.
fn push_gear(gear: &GearJoint, states: SharedStates<'_>, impulse: f32) {
    for (i, side) in gear.sides.iter().enumerate() {
        let mut pair = read_pair(&side.base, states);
        gear.push(i, &mut pair, impulse);
        write_pair(&side.base, states, &pair);
    }
}

#[inline(always)]
fn read_pair(base: &JointBase, states: SharedStates<'_>) -> BodyPair {
    let (a, b) = base.moving_slots();
    // SAFETY: no other constraint of the stage uses these bodies.
    unsafe { base.pair(states.get(a), states.get(b)) }
}

#[inline(always)]
fn write_pair(base: &JointBase, states: SharedStates<'_>, pair: &BodyPair) {
    let (a, b) = base.moving_slots();
    for (slot, body) in [(a, &pair.a), (b, &pair.b)] {
        // As in `SharedStates::set_pushed`.
        if body.mass.inv_mass > 0.0 {
            // SAFETY: as in `read_pair`.
            unsafe { states.set_velocity(slot, &body.state) };
        }
    }
}
