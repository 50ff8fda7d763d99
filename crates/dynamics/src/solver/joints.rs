//! Passes over joints, one by one.

use super::states::SharedStates;
use crate::joint::base::JointContext;
use crate::joint::parts::row::Pass;
use crate::joint::sim::JointSim;

/// Applies the impulses of the substep before.
pub(crate) fn warm_start(joints: &[JointSim], slots: &[u32], states: SharedStates<'_>) {
    for &slot in slots {
        let joint = &joints[slot as usize];
        let (a, b) = joint.base.moving_slots();
        let mut pair = joint.base.pair(states.get(a), states.get(b));
        joint.warm_start(&mut pair);
        states.set_velocity(a, &pair.a.state);
        states.set_velocity(b, &pair.b.state);
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
        let (a, b) = joint.base.moving_slots();
        let mut pair = joint.base.pair(states.get(a), states.get(b));
        joint.solve(&mut pair, context, pass);
        states.set_velocity(a, &pair.a.state);
        states.set_velocity(b, &pair.b.state);
    }
}
