//! The parts of all joints in lanes: slots, masses, anchors and their gap, and the two bodies during a pass.

use super::states::{Deltas, SharedStates, Velocities};
use crate::id::NO_SLOT;
use crate::joint::base::{JointBase, JointStep};
use cairn2d_geometry::math::Vec2;
use cairn2d_simd::{Lanes, Simd};

/// The ends of `L::WIDTH` joints, prepared for one step. 10 floats a joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointEnds<L: Lanes> {
    /// Places of the bodies' states; `NO_SLOT` for a static body or an unused lane.
    body_a: L::Indices,
    body_b: L::Indices,
    /// Joint slots; `NO_SLOT` for an unused lane.
    pub(super) joints: L::Indices,
    pub(super) inv_mass_a: L,
    pub(super) inv_mass_b: L,
    pub(super) inv_inertia_a: L,
    pub(super) inv_inertia_b: L,
    /// From the centers of mass to the anchors at the start of the step, in the world [m].
    arm_a: [L; 2],
    arm_b: [L; 2],
    /// From A's anchor to B's at the start of the step [m].
    gap: [L; 2],
}

/// Writes a number into a lane.
pub(super) fn put<L: Lanes>(lanes: &mut L, lane: usize, value: f32) {
    lanes.as_mut_slice()[lane] = value;
}

/// Writes a vector into a lane.
pub(super) fn put_two<L: Lanes>([x, y]: &mut [L; 2], lane: usize, value: Vec2) {
    put(x, lane, value.x);
    put(y, lane, value.y);
}

/// Returns the vector in a lane.
pub(super) fn two_at<L: Lanes>([x, y]: &[L; 2], lane: usize) -> Vec2 {
    Vec2::new(x.as_slice()[lane], y.as_slice()[lane])
}

impl<L: Lanes> JointEnds<L> {
    /// No joints.
    pub(super) fn empty(simd: L::Simd) -> Self {
        let zero = L::zero(simd);
        Self {
            body_a: L::indices(NO_SLOT),
            body_b: L::indices(NO_SLOT),
            joints: L::indices(NO_SLOT),
            inv_mass_a: zero,
            inv_mass_b: zero,
            inv_inertia_a: zero,
            inv_inertia_b: zero,
            arm_a: [zero; 2],
            arm_b: [zero; 2],
            gap: [zero; 2],
        }
    }

    /// Fills a lane with the joint in `slot`.
    pub(super) fn set(
        &mut self,
        lane: usize,
        slot: u32,
        base: &JointBase,
        step: &JointStep,
        states: SharedStates<'_>,
    ) {
        let (a, b) = base.moving_slots();
        self.joints.as_mut()[lane] = slot;
        self.body_a.as_mut()[lane] = states.place_of(a, step.mass_a.inv_mass);
        self.body_b.as_mut()[lane] = states.place_of(b, step.mass_b.inv_mass);
        put(&mut self.inv_mass_a, lane, step.mass_a.inv_mass);
        put(&mut self.inv_mass_b, lane, step.mass_b.inv_mass);
        put(&mut self.inv_inertia_a, lane, step.mass_a.inv_inertia);
        put(&mut self.inv_inertia_b, lane, step.mass_b.inv_inertia);
        put_two(&mut self.arm_a, lane, step.arm_a);
        put_two(&mut self.arm_b, lane, step.arm_b);
        put_two(&mut self.gap, lane, step.gap);
    }

    /// Returns the present vector from A's anchor to B's [m].
    #[inline(always)]
    pub(super) fn present_gap(&self, bodies: &JointBodies<L>) -> [L; 2] {
        let moved_a = displacement(&bodies.da, self.arm_a);
        let moved_b = displacement(&bodies.db, self.arm_b);
        [
            self.gap[0] + (moved_b[0] - moved_a[0]),
            self.gap[1] + (moved_b[1] - moved_a[1]),
        ]
    }
}

/// The two bodies of each joint.
pub(super) struct JointBodies<L> {
    pub(super) va: Velocities<L>,
    pub(super) vb: Velocities<L>,
    pub(super) da: Deltas<L>,
    pub(super) db: Deltas<L>,
}

impl<L: Lanes> JointBodies<L> {
    #[inline(always)]
    pub(super) fn read(states: SharedStates<'_>, ends: &JointEnds<L>) -> Self {
        let simd = ends.inv_mass_a.simd();
        // SAFETY: prepare checked the places.
        let ((va, da), (vb, db)) = unsafe {
            (
                states.motions(simd, &ends.body_a),
                states.motions(simd, &ends.body_b),
            )
        };
        Self { va, vb, da, db }
    }

    #[inline(always)]
    pub(super) fn write(self, states: SharedStates<'_>, ends: &JointEnds<L>) {
        // SAFETY: as in `read`; a color holds no dynamic body twice.
        unsafe {
            states.set_pushed(&ends.body_a, ends.inv_mass_a, self.va);
            states.set_pushed(&ends.body_b, ends.inv_mass_b, self.vb);
        }
    }
}

/// Present arms.
pub(super) struct JointArms<L> {
    pub(super) a: [L; 2],
    pub(super) b: [L; 2],
}

impl<L: Lanes> JointArms<L> {
    #[inline(always)]
    pub(super) fn of(ends: &JointEnds<L>, bodies: &JointBodies<L>) -> Self {
        Self {
            a: turned(&bodies.da, ends.arm_a),
            b: turned(&bodies.db, ends.arm_b),
        }
    }
}

/// Returns the present arm, given the arm at the start of the step.
#[inline(always)]
fn turned<L: Lanes>(d: &Deltas<L>, [x, y]: [L; 2]) -> [L; 2] {
    [d.c * x - d.s * y, d.s * x + d.c * y]
}

/// Returns the displacement of a point since the start of the step, given its arm at the start.
#[inline(always)]
fn displacement<L: Lanes>(d: &Deltas<L>, [x, y]: [L; 2]) -> [L; 2] {
    let simd = d.c.simd();
    let c = d.c - simd.splat(1.0);
    [d.x + (c * x - d.s * y), d.y + (d.s * x + c * y)]
}
