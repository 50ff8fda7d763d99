//! The two bodies of each joint during a pass, and where the joint holds them: one joint a lane.

use super::lane_vec::{LaneVec, put};
use crate::body::states::{Deltas, Velocities};
use crate::id::NO_SLOT;
use crate::joint::base::JointStep;
use cairn2d_simd::{Lanes, Simd};

/// A body of each joint: state and mass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointBody<L> {
    pub(crate) v: Velocities<L>,
    pub(crate) d: Deltas<L>,
    pub(crate) inv_mass: L,
    pub(crate) inv_inertia: L,
}

impl<L: Lanes> JointBody<L> {
    /// Returns the velocity of the center.
    #[inline(always)]
    pub(crate) fn velocity(&self) -> LaneVec<L> {
        LaneVec {
            x: self.v.x,
            y: self.v.y,
        }
    }

    /// Returns the present arm, given the arm at the start of the step.
    #[inline(always)]
    pub(crate) fn turned(&self, arm: LaneVec<L>) -> LaneVec<L> {
        let (c, s) = (self.d.c, self.d.s);
        LaneVec {
            x: c * arm.x - s * arm.y,
            y: s * arm.x + c * arm.y,
        }
    }

    /// Returns the displacement of a point since the start of the step, given its arm at the start: that of
    /// the center plus the change of the arm. All terms are small, so no digits are lost.
    #[inline(always)]
    pub(crate) fn displacement(&self, arm: LaneVec<L>) -> LaneVec<L> {
        let d = &self.d;
        let c = d.c - d.c.simd().splat(1.0);
        LaneVec {
            x: d.x + (c * arm.x - d.s * arm.y),
            y: d.y + (d.s * arm.x + c * arm.y),
        }
    }

    /// Returns the velocity of the point at `arm` from the center.
    #[inline(always)]
    pub(crate) fn velocity_at(&self, arm: LaneVec<L>) -> LaneVec<L> {
        LaneVec {
            x: self.v.x - self.v.w * arm.y,
            y: self.v.y + self.v.w * arm.x,
        }
    }

    /// Applies `impulse` at the center, and the torque impulse `twist`.
    #[inline(always)]
    pub(crate) fn push(&mut self, impulse: LaneVec<L>, twist: L) {
        self.v.x = self.v.x + self.inv_mass * impulse.x;
        self.v.y = self.v.y + self.inv_mass * impulse.y;
        self.v.w = self.v.w + self.inv_inertia * twist;
    }
}

/// The two bodies of each joint. Impulses act on B, and in the opposite direction on A.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyPair<L> {
    pub(crate) a: JointBody<L>,
    pub(crate) b: JointBody<L>,
}

impl<L: Lanes> BodyPair<L> {
    /// Returns the velocity of B's point relative to A's, both at their arms.
    #[inline(always)]
    pub(crate) fn relative_velocity(&self, arms: JointArms<L>) -> LaneVec<L> {
        self.b.velocity_at(arms.b) - self.a.velocity_at(arms.a)
    }

    /// Applies `impulse` to B at its arm, and the opposite to A at its own.
    #[inline(always)]
    pub(crate) fn push(&mut self, impulse: LaneVec<L>, arms: JointArms<L>) {
        self.a.push(-impulse, -arms.a.cross(impulse));
        self.b.push(impulse, arms.b.cross(impulse));
    }

    /// Applies the torque impulse `impulse` to B, and the opposite to A.
    #[inline(always)]
    pub(crate) fn twist(&mut self, impulse: L) {
        self.a.v.w = self.a.v.w - self.a.inv_inertia * impulse;
        self.b.v.w = self.b.v.w + self.b.inv_inertia * impulse;
    }
}

/// Present vectors from the centers of mass to two points \[m\].
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointArms<L> {
    pub(crate) a: LaneVec<L>,
    pub(crate) b: LaneVec<L>,
}

/// The ends of `L::WIDTH` joints, prepared for one step. 10 floats a joint, and three indices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointEnds<L: Lanes> {
    /// Places of the bodies' states; `NO_SLOT` for a static body or an unused lane.
    pub(crate) body_a: L::Indices,
    pub(crate) body_b: L::Indices,
    pub(crate) inv_mass_a: L,
    pub(crate) inv_mass_b: L,
    pub(crate) inv_inertia_a: L,
    pub(crate) inv_inertia_b: L,
    /// From the centers of mass to the anchors at the start of the step, in the world [m].
    arm_a: LaneVec<L>,
    arm_b: LaneVec<L>,
    /// From A's anchor to B's at the start of the step, less the rest offset [m].
    gap: LaneVec<L>,
}

impl<L: Lanes> JointEnds<L> {
    /// No joints.
    pub(crate) fn empty(simd: L::Simd) -> Self {
        let (zero, none) = (L::zero(simd), LaneVec::zero(simd));
        Self {
            body_a: L::indices(NO_SLOT),
            body_b: L::indices(NO_SLOT),
            inv_mass_a: zero,
            inv_mass_b: zero,
            inv_inertia_a: zero,
            inv_inertia_b: zero,
            arm_a: none,
            arm_b: none,
            gap: none,
        }
    }

    /// Fills a lane with a joint between the bodies whose states are at `places`.
    pub(crate) fn set(&mut self, lane: usize, step: &JointStep, places: [u32; 2]) {
        self.body_a.as_mut()[lane] = places[0];
        self.body_b.as_mut()[lane] = places[1];
        put(&mut self.inv_mass_a, lane, step.mass_a.inv_mass);
        put(&mut self.inv_mass_b, lane, step.mass_b.inv_mass);
        put(&mut self.inv_inertia_a, lane, step.mass_a.inv_inertia);
        put(&mut self.inv_inertia_b, lane, step.mass_b.inv_inertia);
        self.arm_a.put(lane, step.arm_a);
        self.arm_b.put(lane, step.arm_b);
        self.gap.put(lane, step.gap);
    }

    /// Returns both bodies with the given states.
    #[inline(always)]
    pub(crate) fn pair(&self, states: [(Velocities<L>, Deltas<L>); 2]) -> BodyPair<L> {
        let [(va, da), (vb, db)] = states;
        BodyPair {
            a: JointBody {
                v: va,
                d: da,
                inv_mass: self.inv_mass_a,
                inv_inertia: self.inv_inertia_a,
            },
            b: JointBody {
                v: vb,
                d: db,
                inv_mass: self.inv_mass_b,
                inv_inertia: self.inv_inertia_b,
            },
        }
    }

    /// Returns both bodies without velocity, where they were at the start of the step.
    pub(crate) fn pair_at_rest(&self) -> BodyPair<L> {
        let simd = self.inv_mass_a.simd();
        let zero = simd.zero();
        let v = Velocities {
            x: zero,
            y: zero,
            w: zero,
            flags: zero,
        };
        let d = Deltas {
            x: zero,
            y: zero,
            c: simd.splat(1.0),
            s: zero,
        };
        self.pair([(v, d), (v, d)])
    }

    /// Returns the present arms.
    #[inline(always)]
    pub(crate) fn arms(&self, pair: &BodyPair<L>) -> JointArms<L> {
        JointArms {
            a: pair.a.turned(self.arm_a),
            b: pair.b.turned(self.arm_b),
        }
    }

    /// Returns the present arms to B's anchor: those of forces that act there, wherever it is.
    #[inline(always)]
    pub(crate) fn arms_to_b(&self, pair: &BodyPair<L>) -> JointArms<L> {
        let arms = self.arms(pair);
        JointArms {
            a: arms.a + self.present_gap(pair),
            ..arms
        }
    }

    /// Returns the displacements of the anchors since the start of the step \[m\].
    #[inline(always)]
    pub(crate) fn displacements(&self, pair: &BodyPair<L>) -> [LaneVec<L>; 2] {
        [
            pair.a.displacement(self.arm_a),
            pair.b.displacement(self.arm_b),
        ]
    }

    /// Returns the present vector from A's anchor to B's, less the rest offset [m].
    #[inline(always)]
    pub(crate) fn present_gap(&self, pair: &BodyPair<L>) -> LaneVec<L> {
        let [moved_a, moved_b] = self.displacements(pair);
        self.gap + (moved_b - moved_a)
    }
}
