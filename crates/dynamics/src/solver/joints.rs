//! Passes over joints, one by one.

use super::states::SharedStates;
use crate::joint::base::{JointBase, JointContext};
use crate::joint::gear::GearJoint;
use crate::joint::parts::pair::BodyPair;
use crate::joint::parts::row::Pass;
use crate::joint::sim::{JointKind, JointSim};

/// Prepares the joints in `lists`: gears after the others, as they look at them.
pub(crate) fn prepare<'a>(
    joints: &mut [JointSim],
    lists: impl Iterator<Item = &'a [u32]> + Clone,
    context: &JointContext<'_>,
) {
    let mut gears = 0;
    for &slot in lists.clone().flatten() {
        joints[slot as usize].prepare(context);
        gears += u32::from(joints[slot as usize].needs_overflow());
    }
    if gears == 0 {
        return;
    }
    for &slot in lists.flatten() {
        let JointKind::Gear(mut gear) = joints[slot as usize].kind else {
            continue;
        };
        let (a, b) = (
            &joints[gear.joint_a as usize],
            &joints[gear.joint_b as usize],
        );
        gear.prepare(a, b, context);
        joints[slot as usize].kind = JointKind::Gear(gear);
    }
}

/// Applies the impulses of the substep before.
pub(crate) fn warm_start(joints: &mut [JointSim], slots: &[u32], states: SharedStates<'_>) {
    for &slot in slots {
        let joint = &mut joints[slot as usize];
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
pub(crate) fn solve(
    joints: &mut [JointSim],
    slots: &[u32],
    states: SharedStates<'_>,
    context: &JointContext<'_>,
    pass: Pass,
) {
    for &slot in slots {
        let joint = &mut joints[slot as usize];
        let how = joint.base.correction(context, pass);
        if let JointKind::Gear(gear) = &mut joint.kind {
            let pairs = [0, 1].map(|side| read_pair(&gear.sides[side].base, states));
            let change = gear.solve(&pairs, &how);
            push_gear(gear, states, change);
            continue;
        }
        let mut pair = read_pair(&joint.base, states);
        joint.solve(&mut pair, context, pass);
        write_pair(&joint.base, states, &pair);
    }
}

/// Pushes one side after the other, as they may share a body.
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
    base.pair(states.get(a), states.get(b))
}

#[inline(always)]
fn write_pair(base: &JointBase, states: SharedStates<'_>, pair: &BodyPair) {
    let (a, b) = base.moving_slots();
    states.set_velocity(a, &pair.a.state);
    states.set_velocity(b, &pair.b.state);
}
