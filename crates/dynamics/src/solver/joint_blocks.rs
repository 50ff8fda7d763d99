//! Joints in lanes: prepare, warm start, solve, store. A block holds joints of one kind with the same parts.

use super::states::SharedStates;
use crate::body::state::BodyState;
use crate::id::NO_SLOT;
use crate::joint::base::{JointContext, JointStep};
use crate::joint::parts::drive::PartSet;
use crate::joint::parts::pair::{BodyPair, JointEnds};
use crate::joint::parts::row::{LaneSoftness, Pass, PassSettings};
use crate::joint::rows::{JointRows, LaneKind};
use crate::joint::sim::JointSim;
use crate::shared::SharedSlice;
use crate::softness::Softness;
use cairn2d_geometry::math::Vec2;
use cairn2d_simd::{F32, Kernel, Lanes, Simd, Single, Vector, prefetch};

/// `L::WIDTH` joints, prepared for one step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointBlock<L: Lanes> {
    /// Slots; `NO_SLOT` for an unused lane.
    pub(super) joints: L::Indices,
    ends: JointEnds<L>,
    softness: LaneSoftness<L>,
    parts: PartSet,
    rows: JointRows<L>,
}

impl<L: Lanes> JointBlock<L> {
    /// No joints of a kind.
    pub(super) fn empty(simd: L::Simd, kind: LaneKind) -> Self {
        let rigid = LaneSoftness::splat(simd, Softness::RIGID);
        Self {
            joints: L::indices(NO_SLOT),
            ends: JointEnds::empty(simd),
            softness: rigid,
            parts: kind.parts,
            rows: JointRows::empty(simd, kind.rows),
        }
    }

    /// Fills the block with the joints in `slots`, up to the first `NO_SLOT`, which are of the same kind.
    ///
    /// # Safety
    /// No other worker uses these joints during the call.
    pub(super) unsafe fn prepare(
        &mut self,
        kind: LaneKind,
        slots: &[u32],
        joints: SharedSlice<'_, JointSim>,
        context: &JointContext<'_>,
        states: SharedStates<'_>,
    ) {
        *self = Self::empty(self.softness.bias_rate.simd(), kind);
        for (lane, &slot) in slots.iter().enumerate() {
            if slot == NO_SLOT {
                break;
            }
            // SAFETY: as the caller promises.
            let sim = unsafe { joints.at(slot) };
            let context = context.after(sim.base.substep);
            let step = sim.prepare(&context);
            self.joints.as_mut()[lane] = slot;
            self.ends.set(lane, &step, places(sim, &step, states));
            self.softness.put(lane, sim.base.rigid(&context));
            self.rows.load(lane, sim, &context);
        }
    }

    /// Writes the impulses back to the joints.
    ///
    /// # Safety
    /// No other worker uses these joints during the call.
    pub(super) unsafe fn store(&mut self, joints: SharedSlice<'_, JointSim>) {
        for (lane, &slot) in self.joints.as_ref().iter().enumerate() {
            if slot == NO_SLOT {
                break;
            }
            // SAFETY: as the caller promises.
            self.rows.store(lane, unsafe { joints.at(slot) });
        }
    }

    /// Sets the impulses of springs to 0: those of crowded bodies start from zero in each substep.
    pub(super) fn forget_springs(&mut self) {
        self.rows.forget_springs(self.parts);
    }

    #[inline(always)]
    fn settings(&self, pass: &JointPass) -> PassSettings<L> {
        PassSettings {
            parts: self.parts,
            pass: pass.pass,
            corrects: pass.pass == Pass::Solve,
            softness: self.softness,
            full_rate_error: f32::INFINITY,
            drives: pass.drives,
            inv_h: pass.inv_h,
        }
    }

    /// Solves or relaxes.
    #[inline(always)]
    fn solve(&mut self, states: SharedStates<'_>, settings: &PassSettings<L>) {
        let mut pair = read_pair(states, &self.ends);
        self.rows.solve(&self.ends, &mut pair, settings);
        write_pair(states, &self.ends, &pair);
    }
}

/// A single lane.
type SingleLane = F32<Single>;

impl JointBlock<SingleLane> {
    /// Solves or relaxes. Crowded joints are few, and the code of all kinds of rows is long, so this is the only copy of it.
    #[inline(never)]
    fn solve_rows(&mut self, pair: &mut BodyPair<SingleLane>, settings: &PassSettings<SingleLane>) {
        self.rows.solve(&self.ends, pair, settings);
    }

    /// Solves or relaxes, with the bodies in `states`.
    fn solve_crowded(&mut self, states: SharedStates<'_>, settings: &PassSettings<SingleLane>) {
        let mut pair = read_pair(states, &self.ends);
        self.solve_rows(&mut pair, settings);
        write_pair(states, &self.ends, &pair);
    }

    /// Returns the bodies with the velocities that close the errors of the joints at the usual rate.
    fn correction(&self, pass: &JointPass, mut pair: BodyPair<SingleLane>) -> BodyPair<SingleLane> {
        let settings = PassSettings {
            pass: Pass::Relax,
            corrects: true,
            softness: self.softness.stiff(),
            drives: false,
            ..self.settings(pass)
        };
        for body in [&mut pair.a, &mut pair.b] {
            let zero = body.inv_mass.simd().zero();
            (body.v.x, body.v.y, body.v.w) = (zero, zero, zero);
        }
        let mut block = *self;
        block.rows.forget_impulses();
        block.solve_rows(&mut pair, &settings);
        pair
    }
}

/// Prefetches the hot line of the joints of block `block`, and the next.
pub(super) fn prefetch_joints<L: Lanes>(
    joints: SharedSlice<'_, JointSim>,
    slots: &[u32],
    block: usize,
) {
    let slots = slots.iter().skip(block * L::WIDTH).take(L::WIDTH);
    for &slot in slots.filter(|&&slot| slot != NO_SLOT) {
        prefetch::<3, _>(joints.address(slot));
    }
}

/// Returns the places of the states of a joint's bodies.
fn places(sim: &JointSim, step: &JointStep, states: SharedStates<'_>) -> [u32; 2] {
    let (a, b) = sim.base.moving_slots();
    [
        states.place_of(a, step.mass_a.inv_mass),
        states.place_of(b, step.mass_b.inv_mass),
    ]
}

#[inline(always)]
pub(super) fn read_pair<L: Lanes>(states: SharedStates<'_>, ends: &JointEnds<L>) -> BodyPair<L> {
    let simd = ends.inv_mass_a.simd();
    // SAFETY: prepare checked the places.
    let motions = unsafe {
        [
            states.motions(simd, &ends.body_a),
            states.motions(simd, &ends.body_b),
        ]
    };
    ends.pair(motions)
}

#[inline(always)]
pub(super) fn write_pair<L: Lanes>(
    states: SharedStates<'_>,
    ends: &JointEnds<L>,
    pair: &BodyPair<L>,
) {
    // SAFETY: as in `read_pair`; a color holds no dynamic body twice.
    unsafe {
        states.set_pushed(&ends.body_a, ends.inv_mass_a, pair.a.v);
        states.set_pushed(&ends.body_b, ends.inv_mass_b, pair.b.v);
    }
}

impl JointEnds<SingleLane> {
    /// Moves the bodies for `h` \[s\] with the velocities of `rates`.
    fn advance(&self, states: SharedStates<'_>, rates: &BodyPair<SingleLane>, h: f32) {
        let at = |lanes: &SingleLane| lanes.as_slice()[0];
        for (places, body) in [(&self.body_a, &rates.a), (&self.body_b, &rates.b)] {
            if at(&body.inv_mass) > 0.0 {
                let rates = BodyState {
                    velocity: Vec2::new(at(&body.v.x), at(&body.v.y)),
                    angular_velocity: at(&body.v.w),
                    ..BodyState::IDENTITY
                };
                // SAFETY: as in `write_pair`.
                unsafe { states.advance(places.as_ref()[0], &rates, h) };
            }
        }
    }
}

/// Applies the stored impulses.
pub(super) struct WarmStartJoints<'a, L: Lanes> {
    pub(super) states: SharedStates<'a>,
    pub(super) blocks: &'a mut [JointBlock<L>],
}

impl<L: Lanes> Kernel<L::Simd> for WarmStartJoints<'_, L> {
    type Output = ();
    #[inline(always)]
    fn run(self, _: L::Simd) {
        for block in self.blocks {
            let mut pair = read_pair(self.states, &block.ends);
            block.rows.warm_start(block.parts, &block.ends, &mut pair);
            write_pair(self.states, &block.ends, &pair);
        }
    }
}

/// Constants of a pass over joints.
#[derive(Clone, Copy)]
pub(super) struct JointPass {
    pub(super) pass: Pass,
    pub(super) h: f32,
    pub(super) inv_h: f32,
    pub(super) drives: bool,
}

impl JointPass {
    pub(super) fn new(pass: Pass, context: &JointContext<'_>) -> Self {
        Self {
            pass,
            h: context.h,
            inv_h: context.inv_h,
            drives: context.drives,
        }
    }
}

/// Solves or relaxes.
pub(super) struct SolveJoints<'a, L: Lanes> {
    pub(super) states: SharedStates<'a>,
    pub(super) pass: JointPass,
    pub(super) blocks: &'a mut [JointBlock<L>],
}

impl<L: Lanes> Kernel<L::Simd> for SolveJoints<'_, L> {
    type Output = ();
    #[inline(always)]
    fn run(self, _: L::Simd) {
        for block in self.blocks {
            block.solve(self.states, &block.settings(&self.pass));
        }
    }
}

/// Solves joints of crowded bodies, or closes their errors by moving the bodies, and relaxes them, in reverse order.
pub(super) fn sweep_crowded(
    blocks: &mut [JointBlock<SingleLane>],
    states: SharedStates<'_>,
    pass: &JointPass,
) {
    if pass.pass == Pass::Solve {
        for block in blocks {
            let mut settings = block.settings(pass);
            settings.softness = block.softness.without_bias();
            block.solve_crowded(states, &settings);
        }
    } else {
        for block in blocks.iter_mut().rev() {
            let rates = block.correction(pass, read_pair(states, &block.ends));
            block.ends.advance(states, &rates, pass.h);
            block.solve_crowded(states, &block.settings(pass));
        }
    }
}
