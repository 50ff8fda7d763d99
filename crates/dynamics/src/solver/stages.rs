//! The stages of a step in their order, for some islands and one width of lanes.

use super::constraint_blocks::ConstraintBlocks;
use super::gears;
use super::input::ColorLists;
use super::integrate::{
    AdvancePositions, AdvanceVelocities, BodyBlock, CarriedImpulses, PrepareBodies,
};
use super::passes::SharedBlocks;
use super::shared_world::SharedWorld;
use crate::joint::parts::row::Pass;
use crate::joint::sim::JointTraits;
use crate::shared::SharedSlice;
use cairn2d_simd::{F32, Lanes, Simd, Single};
use core::ops::Range;

/// The input of the stages, the same for all islands of a step.
#[derive(Clone, Copy)]
pub(super) struct StepPlan<'a> {
    pub(super) world: SharedWorld<'a>,
    /// By joint slot.
    pub(super) joint_traits: &'a [JointTraits],
    pub(super) warm_start: WarmStartSchedule,
}

/// Work between two barriers of the workers.
#[derive(Clone, Copy, Debug)]
enum Stage {
    PrepareBodies,
    PrepareColors,
    PrepareOverflow,
    AdvanceVelocities(CarriedImpulses),
    WarmStartOverflow,
    WarmStart(u32),
    PassOverflow(Pass),
    Pass(u32, Pass),
    /// The joints of crowded bodies.
    RelaxCrowded(u32),
    RelaxCrowdedOverflow,
    /// In the last of several substeps, it has their number.
    AdvancePositions(Option<u32>),
    RestitutionOverflow,
    Restitution(u32),
    StoreColors,
    StoreOverflow,
}

/// When constraints apply the impulses of the last substep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WarmStartSchedule {
    /// Only in the first substep; from then on each body carries over the sum of its impulses. For contacts, whose
    /// arms stay fixed within a step, this gives the same result with one pass less.
    OncePerStep,
    /// In every substep: joints turn with their bodies.
    EverySubstep,
}

impl WarmStartSchedule {
    pub(super) fn of(lists: &[ColorLists<'_>]) -> Self {
        if lists.iter().all(|list| list.joints.is_empty()) {
            Self::OncePerStep
        } else {
            Self::EverySubstep
        }
    }
}

/// The constraints in the stages: the ranges of the colors in use, and whether there is an overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct StagedLists {
    colors: u32,
    has_overflow: bool,
    /// There are joints of crowded bodies.
    has_crowded: bool,
}

impl StagedLists {
    /// Adds a stage of the overflow, if there is one.
    fn push_overflow(self, stages: &mut Vec<Stage>, stage: Stage) {
        if self.has_overflow {
            stages.push(stage);
        }
    }

    /// Adds a stage for all constraints: the overflow first, contacts with the ground last, so that they hold best.
    fn push_all(self, stages: &mut Vec<Stage>, overflow: Stage, color: impl Fn(u32) -> Stage) {
        self.push_overflow(stages, overflow);
        stages.extend((0..self.colors).map(color));
    }

    fn push_pass(self, stages: &mut Vec<Stage>, pass: Pass) {
        self.push_all(stages, Stage::PassOverflow(pass), |color| {
            Stage::Pass(color, pass)
        });
    }

    /// Lists the stages of a step. This is the solver in a nutshell.
    fn list_stages(self, stages: &mut Vec<Stage>, substeps: u32, warm_start: WarmStartSchedule) {
        stages.clear();
        // Bodies that nothing touches move by the whole step; the blocks of the others keep the initial
        // velocities.
        stages.push(Stage::PrepareBodies);
        // Contacts measure approach velocities, so before any constraint acts. Gears read the joints that they
        // connect, so after the colors.
        stages.push(Stage::PrepareColors);
        self.push_overflow(stages, Stage::PrepareOverflow);
        for substep in 0..substeps {
            // Forces before constraints: a semi-implicit step, whose constraints act on the new velocity.
            if substep == 0 || warm_start == WarmStartSchedule::EverySubstep {
                stages.push(Stage::AdvanceVelocities(CarriedImpulses::None));
                // Before the passes, which change the accumulated impulses.
                self.push_all(stages, Stage::WarmStartOverflow, Stage::WarmStart);
            } else {
                stages.push(Stage::AdvanceVelocities(CarriedImpulses::All));
            }
            // With bias: velocities that reduce position errors, so before the positions advance.
            self.push_pass(stages, Pass::Solve);
            let is_last = substep > 0 && substep + 1 == substeps;
            stages.push(Stage::AdvancePositions(is_last.then_some(substeps)));
            if self.has_crowded {
                stages.extend((0..self.colors).rev().map(Stage::RelaxCrowded));
                self.push_overflow(stages, Stage::RelaxCrowdedOverflow);
            }
            // Without bias: takes the velocity of the bias away once it has moved the bodies.
            self.push_pass(stages, Pass::Relax);
        }
        // Last: only contacts that pushed within the step bounce.
        self.push_all(stages, Stage::RestitutionOverflow, Stage::Restitution);
        // The impulses of the last substep are the warm start of the next step.
        stages.push(Stage::StoreColors);
        self.push_overflow(stages, Stage::StoreOverflow);
    }
}

/// The memory to solve some islands.
#[derive(Debug)]
pub(super) struct Workspace<L: Lanes> {
    colors: ConstraintBlocks<L>,
    /// Constraints that fit no color: one list, solved in order.
    overflow: ConstraintBlocks<F32<Single>>,
    body_blocks: Vec<BodyBlock<L>>,
    stages: Vec<Stage>,
    /// What the stages were listed for.
    staged: Option<(StagedLists, u32, WarmStartSchedule)>,
}

impl<L: Lanes> Workspace<L> {
    pub(super) fn new(simd: L::Simd) -> Self {
        Self {
            colors: ConstraintBlocks::new(simd),
            overflow: ConstraintBlocks::default(),
            body_blocks: Vec::new(),
            stages: Vec::new(),
            staged: None,
        }
    }

    /// Lays out the constraints of some islands, by color and the overflow last, and their bodies.
    pub(super) fn lay_out<'a>(
        &'a mut self,
        plan: &'a StepPlan<'a>,
        lists: &[ColorLists<'_>],
        bodies: &'a [u32],
    ) -> StagedStep<'a, L> {
        let traits = |slot: u32| plan.joint_traits[slot as usize];
        if let Some((overflow, colors)) = lists.split_last() {
            self.colors.fill(colors, traits);
            self.overflow.fill(&[*overflow], traits);
        }
        let lists = StagedLists {
            colors: self.colors.colors.len() as u32,
            has_overflow: !self.overflow.colors.is_empty(),
            has_crowded: self.colors.has_crowded() || self.overflow.has_crowded(),
        };
        let substeps = plan.world.constants.substeps;
        let staged = Some((lists, substeps, plan.warm_start));
        if core::mem::replace(&mut self.staged, staged) != staged {
            lists.list_stages(&mut self.stages, substeps, plan.warm_start);
        }
        let simd = self.colors.simd;
        let blocks = bodies.len().div_ceil(L::WIDTH);
        self.body_blocks.resize(blocks, BodyBlock::empty(simd));
        StagedStep {
            world: &plan.world,
            bodies,
            colors: SharedBlocks::new(&mut self.colors),
            overflow: SharedBlocks::new(&mut self.overflow),
            body_blocks: SharedSlice::new(&mut self.body_blocks),
            stages: &self.stages,
        }
    }

    /// Adds the contacts that closed fast to `slots`.
    pub(super) fn list_fast(&self, slots: &mut Vec<u32>) {
        self.colors.list_fast(slots);
        self.overflow.list_fast(slots);
    }
}

/// All pieces of a stage, however many: counting them took a single worker 2 % of the step of ten bodies.
pub(super) const ALL_PIECES: Range<usize> = 0..usize::MAX;

/// A step of some islands, stage by stage.
pub(super) struct StagedStep<'a, L: Lanes> {
    world: &'a SharedWorld<'a>,
    bodies: &'a [u32],
    colors: SharedBlocks<'a, L>,
    overflow: SharedBlocks<'a, F32<Single>>,
    body_blocks: SharedSlice<'a, BodyBlock<L>>,
    stages: &'a [Stage],
}

impl<L: Lanes> StagedStep<'_, L> {
    /// Number of stages.
    pub(super) fn count(&self) -> usize {
        self.stages.len()
    }

    /// Runs all stages on one thread.
    pub(super) fn run(&self) {
        self.run_stages(0..self.count(), ALL_PIECES);
    }

    /// Returns the number of pieces of a stage that different workers may run.
    pub(super) fn pieces_of(&self, stage: usize) -> usize {
        match self.stages[stage] {
            Stage::PrepareBodies | Stage::AdvanceVelocities(_) | Stage::AdvancePositions(_) => {
                self.bodies.len().div_ceil(L::WIDTH)
            }
            Stage::PrepareColors | Stage::StoreColors => self.colors.whole().items(),
            Stage::RelaxCrowded(color) => self.colors.ranges[color as usize].crowded.len(),
            Stage::PrepareOverflow
            | Stage::WarmStartOverflow
            | Stage::PassOverflow(_)
            | Stage::RelaxCrowdedOverflow
            | Stage::RestitutionOverflow
            | Stage::StoreOverflow => 1,
            Stage::WarmStart(color) | Stage::Pass(color, _) | Stage::Restitution(color) => {
                self.colors.ranges[color as usize].items()
            }
        }
    }

    /// Runs some stages, one after the other: the given pieces of one, or all pieces of several.
    ///
    /// One call for all: in a small world a stage is so short that a call of its own takes a twentieth of the step.
    pub(super) fn run_stages(&self, stages: Range<usize>, pieces: Range<usize>) {
        if pieces.is_empty() {
            return;
        }
        for &stage in &self.stages[stages] {
            self.run_stage(stage, &pieces);
        }
    }

    #[inline(always)]
    fn run_stage(&self, stage: Stage, pieces: &Range<usize>) {
        let (world, colors, overflow) = (self.world, &self.colors, &self.overflow);
        let part = |color: u32| colors.ranges[color as usize].part(pieces);
        let whole = || colors.whole().part(pieces).into_owned();
        let bodies = || pieces.start..pieces.end.min(self.bodies.len().div_ceil(L::WIDTH));
        match stage {
            Stage::PrepareBodies => self.prepare_bodies(bodies()),
            Stage::PrepareColors => colors.prepare(&whole(), world),
            Stage::PrepareOverflow => self.prepare_overflow(),
            Stage::AdvanceVelocities(carried) => colors.simd.enter(AdvanceVelocities {
                states: world.states,
                carried,
                // SAFETY: a worker has its own part of the blocks.
                blocks: unsafe { self.body_blocks.part(bodies()) },
            }),
            Stage::WarmStartOverflow => overflow.warm_start(&overflow.whole(), world),
            Stage::WarmStart(color) => colors.warm_start(&part(color), world),
            Stage::PassOverflow(pass) => overflow.pass(&overflow.whole(), world, pass),
            Stage::Pass(color, pass) => colors.pass(&part(color), world, pass),
            Stage::RelaxCrowded(color) => {
                let part = colors.ranges[color as usize].crowded_part(pieces);
                colors.relax_crowded(&part, world);
            }
            Stage::RelaxCrowdedOverflow => overflow.relax_crowded(&overflow.whole(), world),
            Stage::AdvancePositions(last_of) => colors.simd.enter(AdvancePositions {
                last_of,
                states: world.states,
                h: world.constants.h,
                // SAFETY: as above.
                blocks: unsafe { self.body_blocks.part(bodies()) },
            }),
            Stage::RestitutionOverflow => overflow.restitution(&overflow.whole(), world),
            Stage::Restitution(color) => colors.restitution(&part(color), world),
            Stage::StoreColors => colors.store(&whole(), world),
            Stage::StoreOverflow => overflow.store(&overflow.whole(), world),
        }
    }

    fn prepare_bodies(&self, blocks: Range<usize>) {
        let end = (blocks.end * L::WIDTH).min(self.bodies.len());
        let bodies = PrepareBodies {
            world: self.world,
            bodies: &self.bodies[blocks.start * L::WIDTH..end],
            // SAFETY: a worker has its own part of the blocks.
            blocks: unsafe { self.body_blocks.part(blocks) },
        };
        bodies.run();
    }

    /// Prepares the overflow, and all gears last: they read the joints that they connect.
    fn prepare_overflow(&self) {
        let (world, overflow) = (self.world, &self.overflow);
        overflow.prepare(&overflow.whole(), world);
        // SAFETY: this stage is one piece, and each joint is in the list once.
        unsafe {
            let slots = overflow.gear_slots();
            gears::prepare(world.joints, slots, &world.joint_context, world.states);
        }
    }
}
