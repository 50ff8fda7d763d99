//! The stages of a step, in order, for one width of lanes.

use super::context::Context;
use super::group::{Field, Group};
use super::impacts::Impacts;
use super::input::{Bouncing, ColorLists, SolveInput, SolveStats, WarmStarting};
use super::integrate::{
    AdvancePositions, AdvanceVelocities, Carry, Drive, MoverBlock, PrepareBodies,
};
use super::joints::prepare_gears;
use super::lists::{Color, Lists};
use super::prepare::PrepareInput;
use super::states::SharedStates;
use super::{BrokenJoint, Findings};
use crate::body::state::{BodyMass, BodyMotion};
use crate::crew::Stages;
use crate::joint::JointSoftness;
use crate::joint::base::JointContext;
use crate::joint::parts::row::Pass;
use crate::joint::sim::JointSim;
use crate::shared::SharedSlice;
use crate::simd::Lanes;
use crate::simd::plain::Plain;
use core::ops::Range;

/// Memory of a step.
#[derive(Debug)]
pub(crate) struct Work<L: Lanes> {
    colors: Lists<L>,
    /// Constraints that fit no color: one list, solved in order.
    overflow: Lists<Plain<1>>,
    movers: Vec<MoverBlock<L>>,
    stages: Vec<Stage>,
    runs: Vec<Range<usize>>,
    impacts: Impacts,
}

impl<L: Lanes> Default for Work<L> {
    fn default() -> Self {
        Self {
            colors: Lists::default(),
            overflow: Lists::default(),
            movers: Vec::new(),
            stages: Vec::new(),
            runs: Vec::new(),
            impacts: Impacts::default(),
        }
    }
}

/// What is done between two meetings of the threads.
#[derive(Clone, Copy, Debug)]
enum Stage {
    /// Bodies that nothing touches move by the whole step; the others are prepared.
    PrepareBodies,
    /// Constraints are prepared: those of colors, those of the overflow, gears last.
    Prepare,
    PrepareOverflow,
    IntegrateVelocities(Carry),
    WarmStartOverflow,
    WarmStart(u32),
    PassOverflow(Pass),
    Pass(u32, Pass),
    IntegratePositions,
    RestitutionOverflow,
    Restitution(u32),
    /// Impulses go back.
    Store,
    StoreOverflow,
}

/// A step in progress.
struct Step<'a, L: Lanes> {
    field: Field<'a>,
    drive: Drive,
    substeps: u32,
    gravity: cairn2d_geometry::math::Vec2,
    awake: &'a [u32],
    masses: &'a [BodyMass],
    motions: &'a [BodyMotion],
    group: Group<'a, L>,
    overflow: Group<'a, Plain<1>>,
    movers: SharedSlice<'a, MoverBlock<L>>,
    stages: &'a [Stage],
    /// Stages between which the threads do not meet: one, or several that are too short to be shared.
    runs: &'a [Range<usize>],
}

impl<L: Lanes> Work<L> {
    /// Runs all stages.
    pub(crate) fn solve(&mut self, input: SolveInput<'_>, findings: &mut Findings) -> SolveStats {
        let Findings { broken, fast } = findings;
        let stats = count(&input);
        self.colors.fill(input.colors, input.joints);
        self.overflow.fill(&[input.overflow], input.joints);
        let warm_start = WarmStart::of(&input);
        list_stages(
            &mut self.stages,
            &self.colors.colors,
            input.substeps,
            warm_start,
        );
        let blocks = input.awake.len().div_ceil(L::WIDTH);
        self.movers.resize(blocks, MoverBlock::EMPTY);

        let (colors, overflow) = (input.colors, input.overflow);
        let (crew, bouncing) = (input.crew, input.bouncing);
        let mut step = Step {
            gravity: input.gravity,
            substeps: input.substeps,
            awake: input.awake,
            masses: input.masses,
            motions: input.motions,
            group: Group::new(&mut self.colors),
            overflow: Group::new(&mut self.overflow),
            movers: SharedSlice::new(&mut self.movers),
            stages: &self.stages,
            runs: &[],
            drive: Drive::new(input.dt, input.dt / input.substeps as f32, input.gravity),
            field: field_of(input),
        };
        let bounces = match bouncing {
            Bouncing::Never => 0,
            Bouncing::Perhaps => {
                let lists = [&[overflow][..], colors];
                let input = step.prepare_input();
                self.impacts
                    .pass_on(&step.field, &input, &lists, step.drive.dt)
            }
        };
        list_runs(&mut self.runs, &step);
        step.runs = &self.runs;
        crew.run(&step, workers_for(step.group.whole().items()));

        if bounces > 0 {
            // SAFETY: the crew is done.
            self.impacts.store(unsafe { step.field.patches.whole() });
        }
        // SAFETY: the crew is done.
        let joints = unsafe { step.field.joints.all() };
        find_broken(joints, &overflow, colors, broken);
        self.colors.list_fast(fast);
        self.overflow.list_fast(fast);
        fast.extend(self.impacts.bounced());
        SolveStats {
            broken_joints: broken.len() as u32,
            bounces: bounces as u32,
            ..stats
        }
    }
}

fn field_of(input: SolveInput<'_>) -> Field<'_> {
    let context = Context::new(input.dt, input.substeps, input.last_h, input.tuning);
    let softness = JointSoftness {
        hertz: input.tuning.joint_hertz,
        damping_ratio: input.tuning.joint_damping_ratio,
    };
    let warm_share = match input.warm_start {
        WarmStarting::On => 1.0,
        WarmStarting::Off => 0.0,
    };
    Field {
        context,
        joint_context: JointContext::new(
            context.h,
            &softness,
            warm_share,
            input.poses,
            input.masses,
        ),
        states: SharedStates::new(input.states),
        joints: SharedSlice::new(input.joints),
        patches: SharedSlice::new(input.patches),
        noted_substep: input.noted_substep,
    }
}

/// How a substep starts from the impulses of the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WarmStart {
    /// In the first substep every constraint applies its impulse; from then on each body carries over what all of them
    /// together gave it. The same for contacts, whose arms stay fixed within a step, and no pass.
    OncePerStep,
    /// Every constraint applies its impulse in every substep: joints turn with their bodies.
    EverySubstep,
}

impl WarmStart {
    fn of(input: &SolveInput<'_>) -> Self {
        let mut lists = input.colors.iter().chain([&input.overflow]);
        if lists.all(|list| list.joints.is_empty()) {
            Self::OncePerStep
        } else {
            Self::EverySubstep
        }
    }
}

/// Lists the stages of a step: the solver in a nutshell.
fn list_stages(stages: &mut Vec<Stage>, colors: &[Color], substeps: u32, warm_start: WarmStart) {
    let used = |&c: &u32| colors[c as usize].items() > 0;
    let colors = (0..colors.len() as u32).filter(used);
    stages.clear();
    stages.extend([Stage::PrepareBodies, Stage::Prepare, Stage::PrepareOverflow]);
    for substep in 0..substeps {
        if substep == 0 || warm_start == WarmStart::EverySubstep {
            stages.push(Stage::IntegrateVelocities(Carry::Nothing));
            stages.push(Stage::WarmStartOverflow);
            stages.extend(colors.clone().map(Stage::WarmStart));
        } else {
            stages.push(Stage::IntegrateVelocities(Carry::Impulses));
        }
        stages.push(Stage::PassOverflow(Pass::Solve));
        stages.extend(colors.clone().map(|c| Stage::Pass(c, Pass::Solve)));
        stages.push(Stage::IntegratePositions);
        stages.push(Stage::PassOverflow(Pass::Relax));
        stages.extend(colors.clone().map(|c| Stage::Pass(c, Pass::Relax)));
    }
    stages.push(Stage::RestitutionOverflow);
    stages.extend(colors.map(Stage::Restitution));
    stages.extend([Stage::Store, Stage::StoreOverflow]);
}

/// Blocks of constraints from which they are shared out. The bodies of a pile travel from cache to cache with every
/// color: on two threads 314 blocks of a drum took 1.3 times as long, 714 of a stirred heap a tenth less.
const BLOCKS_TO_SHARE: usize = 384;

/// Blocks of constraints for each worker.
const BLOCKS_PER_WORKER: usize = 128;

/// Pieces of a stage from which it is shared out: to meet takes as long as some ten of them.
const PIECES_TO_SHARE: usize = 8;

/// Returns the number of threads that so many blocks of constraints are worth.
fn workers_for(blocks: usize) -> usize {
    if blocks < BLOCKS_TO_SHARE {
        1
    } else {
        blocks / BLOCKS_PER_WORKER
    }
}

/// Lists the runs of stages between which the threads meet: stages that are too short to be shared out follow each other
/// on one thread.
fn list_runs<L: Lanes>(runs: &mut Vec<Range<usize>>, step: &Step<'_, L>) {
    let is_short = |stage: usize| step.pieces_of(stage) < PIECES_TO_SHARE;
    runs.clear();
    for stage in 0..step.stages.len() {
        match runs.last_mut() {
            Some(run) if is_short(run.start) && is_short(stage) => run.end = stage + 1,
            _ => runs.push(stage..stage + 1),
        }
    }
}

impl<L: Lanes> Stages for Step<'_, L> {
    fn count(&self) -> usize {
        self.runs.len()
    }

    fn pieces(&self, run: usize) -> usize {
        let stages = &self.runs[run];
        match stages.len() {
            1 => self.pieces_of(stages.start),
            _ => 1,
        }
    }

    fn run(&self, run: usize, pieces: Range<usize>) {
        let stages = self.runs[run].clone();
        if stages.len() == 1 {
            self.run_stage(stages.start, pieces);
        } else {
            for stage in stages {
                self.run_stage(stage, 0..self.pieces_of(stage));
            }
        }
    }
}

impl<L: Lanes> Step<'_, L> {
    fn pieces_of(&self, stage: usize) -> usize {
        match self.stages[stage] {
            Stage::PrepareBodies | Stage::IntegrateVelocities(_) | Stage::IntegratePositions => {
                self.awake.len().div_ceil(L::WIDTH)
            }
            Stage::Prepare | Stage::Store => self.group.whole().items(),
            Stage::PrepareOverflow
            | Stage::WarmStartOverflow
            | Stage::PassOverflow(_)
            | Stage::RestitutionOverflow
            | Stage::StoreOverflow => usize::from(self.overflow.whole().items() > 0),
            Stage::WarmStart(color) | Stage::Pass(color, _) => {
                self.group.colors[color as usize].items()
            }
            Stage::Restitution(color) => self.group.colors[color as usize].items(),
        }
    }

    fn run_stage(&self, stage: usize, pieces: Range<usize>) {
        if pieces.is_empty() {
            return;
        }
        let field = &self.field;
        let part = |color: u32| self.group.colors[color as usize].part(&pieces);
        let (group, overflow) = (&self.group, &self.overflow);
        let whole_part = || group.whole().part(&pieces);
        match self.stages[stage] {
            Stage::PrepareBodies => self.prepare_bodies(pieces),
            Stage::Prepare => group.prepare(&whole_part(), field, &self.prepare_input()),
            Stage::PrepareOverflow => self.prepare_overflow(),
            Stage::IntegrateVelocities(carry) => L::enter(AdvanceVelocities {
                states: field.states,
                carry,
                // SAFETY: a worker has its own part of the blocks.
                blocks: unsafe { self.movers.part(pieces) },
            }),
            Stage::WarmStartOverflow => overflow.warm_start(&overflow.whole(), field),
            Stage::WarmStart(color) => group.warm_start(&part(color), field),
            Stage::PassOverflow(pass) => overflow.pass(&overflow.whole(), field, pass),
            Stage::Pass(color, pass) => group.pass(&part(color), field, pass),
            Stage::IntegratePositions => L::enter(AdvancePositions {
                states: field.states,
                h: self.drive.h,
                // SAFETY: as above.
                blocks: unsafe { self.movers.part(pieces) },
            }),
            Stage::RestitutionOverflow => overflow.restitution(&overflow.whole(), field),
            Stage::Restitution(color) => group.restitution(&part(color), field),
            Stage::Store => group.store(&whole_part(), field),
            Stage::StoreOverflow => overflow.store(&overflow.whole(), field),
        }
    }
}

impl<L: Lanes> Step<'_, L> {
    fn prepare_bodies(&self, blocks: Range<usize>) {
        let end = (blocks.end * L::WIDTH).min(self.awake.len());
        let bodies = PrepareBodies {
            states: self.field.states,
            masses: self.masses,
            motions: self.motions,
            drive: &self.drive,
            substeps: self.substeps,
            bodies: &self.awake[blocks.start * L::WIDTH..end],
            // SAFETY: a worker has its own part of the blocks.
            blocks: unsafe { self.movers.part(blocks) },
        };
        bodies.run();
    }

    fn prepare_input(&self) -> PrepareInput<'_> {
        let field = &self.field;
        PrepareInput {
            context: &field.context,
            states: field.states,
            poses: field.joint_context.poses,
            masses: self.masses,
            motions: self.motions,
            gravity: self.gravity,
            // SAFETY: patches are written by the last stages only.
            patches: unsafe { field.patches.all() },
            warm_share: field.joint_context.warm_share,
        }
    }

    /// Prepares the overflow, gears last, as they look at other joints.
    fn prepare_overflow(&self) {
        let whole: Color = self.overflow.whole();
        self.overflow
            .prepare(&whole, &self.field, &self.prepare_input());
        let others = self.overflow.other_slots();
        prepare_gears(self.field.joints, others, &self.field.joint_context);
    }
}

fn count(input: &SolveInput<'_>) -> SolveStats {
    SolveStats {
        bodies: input.awake.len() as u32,
        contacts: input.colors.iter().map(|c| c.contacts.len() as u32).sum(),
        joints: input.colors.iter().map(|c| c.joints.len() as u32).sum(),
        overflow_contacts: input.overflow.contacts.len() as u32,
        overflow_joints: input.overflow.joints.len() as u32,
        broken_joints: 0,
        bounces: 0,
    }
}

fn find_broken(
    joints: &[JointSim],
    overflow: &ColorLists<'_>,
    colors: &[ColorLists<'_>],
    broken: &mut Vec<BrokenJoint>,
) {
    for list in [overflow].into_iter().chain(colors) {
        for &slot in list.joints {
            let joint = &joints[slot as usize];
            if !joint.can_break() {
                continue;
            }
            let reaction = joint.reaction();
            if joint.breaks_under(&reaction) {
                broken.push(BrokenJoint {
                    joint: slot,
                    reaction,
                });
            }
        }
    }
}
