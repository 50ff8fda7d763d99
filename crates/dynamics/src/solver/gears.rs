//! Passes over gears, which are solved one by one: each acts on the bodies of two joints.

use super::joint_blocks::{read_pair, write_pair};
use super::states::SharedStates;
use crate::joint::base::JointContext;
use crate::joint::gear::GearJoint;
use crate::joint::parts::row::Pass;
use crate::joint::sim::{JointKind, JointSim};
use crate::shared::SharedSlice;
use crate::softness::Softness;

/// Prepares the gears in `slots`, after the joints that they connect.
///
/// # Safety
/// No other thread uses joints now, and the slots differ.
pub(crate) unsafe fn prepare(
    joints: SharedSlice<'_, JointSim>,
    slots: &[u32],
    context: &JointContext<'_>,
    states: SharedStates<'_>,
) {
    for &slot in slots {
        // SAFETY: by the caller.
        let sim = unsafe { joints.at(slot) };
        if let JointKind::Gear(gear) = &mut sim.kind {
            // SAFETY: nothing writes them now: a gear is not one of its own joints. Both may be the same joint.
            let (a, b) = unsafe { (joints.read(gear.joint_a), joints.read(gear.joint_b)) };
            let place = |slot, inv_mass| states.place_of(slot, inv_mass);
            gear.prepare_sides(a, b, &context.after(sim.base.substep), place);
            sim.base.substep = context.h;
        }
    }
}

/// Applies the stored impulses of the gears in `slots`.
///
/// # Safety
/// No other thread uses them, or the states of their bodies, now.
pub(crate) unsafe fn warm_start(
    joints: SharedSlice<'_, JointSim>,
    slots: &[u32],
    states: SharedStates<'_>,
) {
    for &slot in slots {
        // SAFETY: by the caller.
        if let JointKind::Gear(gear) = &unsafe { joints.at(slot) }.kind {
            push(gear, states, gear.impulse());
        }
    }
}

/// Solves or relaxes the gears in `slots`, in order.
///
/// # Safety
/// No other thread uses them, or the states of their bodies, now.
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
        let softness = match pass {
            Pass::Solve => joint.base.rigid(context),
            Pass::Relax => Softness::RIGID,
        };
        if let JointKind::Gear(gear) = &mut joint.kind {
            let pairs = [0, 1].map(|side| read_pair(states, &gear.sides[side].ends));
            let change = gear.solve(&pairs, &softness);
            push(gear, states, change);
        }
    }
}

/// Applies an impulse to one side after the other, as they may share a body.
fn push(gear: &GearJoint, states: SharedStates<'_>, impulse: f32) {
    for (i, side) in gear.sides.iter().enumerate() {
        let mut pair = read_pair(states, &side.ends);
        gear.push(i, &mut pair, impulse);
        write_pair(states, &side.ends, &pair);
    }
}
