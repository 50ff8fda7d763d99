//! Distance joints that are springs, in lanes: prepare, warm start, solve, store.
//!
//! This is a second copy, for lanes, of the formulas of `joint::distance` and `joint::parts`. Its reason is measured: a
//! lattice of 1 900 springs took twice as long one by one.

use super::joint_ends::{JointArms, JointBodies, JointEnds, put, put_two, two_at};
use super::states::SharedStates;
use crate::id::NO_SLOT;
use crate::joint::base::JointContext;
use crate::joint::distance::{DistanceJoint, SpringLane};
use crate::joint::parts::row::Pass;
use crate::joint::sim::{JointKind, JointSim};
use cairn2d_simd::{Kernel, Lanes, Simd};

/// `L::WIDTH` springs, prepared for one step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpringBlock<L: Lanes> {
    ends: JointEnds<L>,
    /// Pull per length [1/s], factor on the velocity, and length at rest [m].
    pull: L,
    brake: L,
    rest: L,
    /// Last unit vector from A's anchor to B's.
    direction: [L; 2],
    /// Impulse of the spring.
    impulse: L,
    /// Impulses of missing parts, zeros of either sign: rod, motor and limits.
    missing: [L; 3],
}

impl<L: Lanes> SpringBlock<L> {
    /// No joints.
    pub(crate) fn empty(simd: L::Simd) -> Self {
        let zero = L::zero(simd);
        Self {
            ends: JointEnds::empty(simd),
            pull: zero,
            brake: zero,
            rest: zero,
            direction: [zero; 2],
            impulse: zero,
            missing: [zero; 3],
        }
    }

    fn set(&mut self, lane: usize, spring: &SpringLane) {
        put(&mut self.pull, lane, spring.rate.pull);
        put(&mut self.brake, lane, spring.rate.brake);
        put(&mut self.rest, lane, spring.rest);
        put_two(&mut self.direction, lane, spring.direction);
        put(&mut self.impulse, lane, spring.impulse);
        for (lanes, value) in self.missing.iter_mut().zip(spring.missing) {
            put(lanes, lane, value);
        }
    }
}

fn distance(joint: &mut JointSim) -> Option<&mut DistanceJoint> {
    match &mut joint.kind {
        JointKind::Distance(distance) => Some(distance),
        _ => None,
    }
}

/// Fills a block with the springs in `slots`, up to the first `NO_SLOT`. `joint` returns that in a slot.
///
/// # Panics
/// If there is no such body.
pub(crate) fn prepare_springs<'a, L: Lanes>(
    block: &mut SpringBlock<L>,
    slots: &[u32],
    mut joint: impl FnMut(u32) -> &'a mut JointSim,
    context: &JointContext<'_>,
    states: SharedStates<'_>,
) {
    *block = SpringBlock::empty(block.pull.simd());
    for (lane, &slot) in slots.iter().enumerate() {
        if slot == NO_SLOT {
            break;
        }
        let sim = joint(slot);
        sim.prepare(context);
        block
            .ends
            .set(lane, slot, &sim.base, &sim.base.step, states);
        if let Some(spring) = distance(sim).and_then(|joint| joint.spring_lane()) {
            block.set(lane, &spring);
        }
    }
}

/// Writes the impulses of a block back to its joints. `joint` returns that in a slot.
pub(crate) fn store_springs<'a, L: Lanes>(
    block: &SpringBlock<L>,
    mut joint: impl FnMut(u32) -> &'a mut JointSim,
) {
    for (lane, &slot) in block.ends.joints.as_ref().iter().enumerate() {
        if slot == NO_SLOT {
            break;
        }
        if let Some(joint) = distance(joint(slot)) {
            let impulse = block.impulse.as_slice()[lane];
            joint.store_spring_lane(impulse, two_at(&block.direction, lane));
        }
    }
}

/// Row on the distance: the direction, and its moments about the centers.
struct DistanceRow<L> {
    axis: [L; 2],
    angular_a: L,
    angular_b: L,
    distance: L,
}

impl<L: Lanes> SpringBlock<L> {
    /// Returns the row on the distance. If the anchors coincide, the last direction separates them.
    #[inline(always)]
    fn measure(&mut self, bodies: &JointBodies<L>) -> DistanceRow<L> {
        let simd = self.pull.simd();
        let [x, y] = self.ends.present_gap(bodies);
        let distance = (x * x + y * y).sqrt();
        let is_apart = distance.gt(simd.splat(f32::MIN_POSITIVE));
        self.direction = [
            L::select(is_apart, x / distance, self.direction[0]),
            L::select(is_apart, y / distance, self.direction[1]),
        ];
        let [x, y] = self.direction;
        let arms = JointArms::of(&self.ends, bodies);
        DistanceRow {
            axis: [x, y],
            angular_a: -(arms.a[0] * y - arms.a[1] * x),
            angular_b: arms.b[0] * y - arms.b[1] * x,
            distance,
        }
    }

    /// Applies the impulse `x` to B, and the opposite to A.
    #[inline(always)]
    fn push(&self, bodies: &mut JointBodies<L>, row: &DistanceRow<L>, x: L) {
        let ends = &self.ends;
        let [ux, uy] = row.axis;
        let (linear_a, linear_b) = (ends.inv_mass_a * x, ends.inv_mass_b * x);
        let (va, vb) = (&mut bodies.va, &mut bodies.vb);
        va.x = va.x + linear_a * -ux;
        va.y = va.y + linear_a * -uy;
        va.w = va.w + ends.inv_inertia_a * x * row.angular_a;
        vb.x = vb.x + linear_b * ux;
        vb.y = vb.y + linear_b * uy;
        vb.w = vb.w + ends.inv_inertia_b * x * row.angular_b;
    }

    #[inline(always)]
    fn solve(&mut self, bodies: &mut JointBodies<L>) {
        let simd = self.pull.simd();
        let row = self.measure(bodies);
        let c = row.distance - self.rest;
        let ends = &self.ends;
        let [ux, uy] = row.axis;
        let square = ux * ux + uy * uy;
        let k = (ends.inv_mass_a * square + ends.inv_mass_b * square)
            + (ends.inv_inertia_a * row.angular_a * row.angular_a
                + ends.inv_inertia_b * row.angular_b * row.angular_b);
        let (va, vb) = (&bodies.va, &bodies.vb);
        let velocity = ((-ux * va.x + -uy * va.y) + (ux * vb.x + uy * vb.y))
            + (row.angular_a * va.w + row.angular_b * vb.w);
        let can_move = k.gt(simd.zero());
        // Velocity without the spring's own impulse.
        let unsprung = velocity - k * self.impulse;
        let one = simd.splat(1.0);
        let new = -(self.pull * c + self.brake * unsprung) / (k * (one + self.brake));
        let old = self.impulse;
        self.impulse = L::select(can_move, new, old);
        let (va, vb) = (bodies.va, bodies.vb);
        self.push(bodies, &row, self.impulse - old);
        // Not even the sign of a zero changes where nothing can move.
        bodies.va = bodies.va.or_else(va, (can_move, can_move));
        bodies.vb = bodies.vb.or_else(vb, (can_move, can_move));
    }
}

/// Applies the stored impulses.
pub(crate) struct WarmStartSprings<'a, L: Lanes> {
    pub(crate) states: SharedStates<'a>,
    pub(crate) springs: &'a mut [SpringBlock<L>],
}

impl<L: Lanes> Kernel<L::Simd> for WarmStartSprings<'_, L> {
    type Output = ();
    #[inline(always)]
    fn run(self, _: L::Simd) {
        for spring in self.springs {
            let mut bodies = JointBodies::read(self.states, &spring.ends);
            let row = spring.measure(&bodies);
            let [rod, motor, limits] = spring.missing;
            let sum = (rod + spring.impulse + motor) + limits;
            spring.push(&mut bodies, &row, sum);
            bodies.write(self.states, &spring.ends);
        }
    }
}

/// Solves. Springs act from the start of the substep, so a relax pass only updates their directions.
pub(crate) struct SolveSprings<'a, L: Lanes> {
    pub(crate) states: SharedStates<'a>,
    pub(crate) pass: Pass,
    pub(crate) springs: &'a mut [SpringBlock<L>],
}

impl<L: Lanes> Kernel<L::Simd> for SolveSprings<'_, L> {
    type Output = ();
    #[inline(always)]
    fn run(self, _: L::Simd) {
        for spring in self.springs {
            let mut bodies = JointBodies::read(self.states, &spring.ends);
            match self.pass {
                Pass::Solve => {
                    spring.solve(&mut bodies);
                    bodies.write(self.states, &spring.ends);
                }
                Pass::Relax => {
                    spring.measure(&bodies);
                }
            }
        }
    }
}
