//! A step of the solver: islands that are small enough in batches, the others stage by stage on all threads.

use super::Findings;
use super::batches::IslandBatches;
use super::context::Context;
use super::group::Field;
use super::impacts::Impacts;
use super::input::{BodyOrder, Bouncing, ColorLists, SolveInput, SolveStats, WarmStarting};
use super::integrate::Drive;
use super::stages::{Common, Desk, Step, WarmStart};
use super::states::SharedStates;
use crate::body::states::BodyStates;
use crate::id::NO_SLOT;
use crate::joint::JointSoftness;
use crate::joint::base::JointContext;
use crate::shared::SharedSlice;
use crate::workers::{Stages, StepWorkers};
use cairn2d_broadphase::Workers;
use cairn2d_simd::Lanes;
use core::hint::spin_loop;
use core::ops::Range;
use std::sync::{Mutex, MutexGuard, TryLockError};

/// Memory of a step.
#[derive(Debug)]
pub(crate) struct Work<L: Lanes> {
    simd: L::Simd,
    desk: Desk<L>,
    runs: Vec<Range<usize>>,
    /// For batches: one for each worker.
    batch_desks: Vec<Mutex<BatchDesk<L>>>,
    copies: Copies,
    impacts: Impacts,
}

/// Memory of a worker that solves batches.
#[derive(Debug)]
struct BatchDesk<L: Lanes> {
    desk: Desk<L>,
    /// Contacts that were met fast.
    fast: Vec<u32>,
}

impl<L: Lanes> Work<L> {
    pub(crate) fn new(simd: L::Simd) -> Self {
        Self {
            simd,
            desk: Desk::new(simd),
            runs: Vec::new(),
            batch_desks: Vec::new(),
            copies: Copies::default(),
            impacts: Impacts::default(),
        }
    }
}

impl<L: Lanes> BatchDesk<L> {
    fn new(simd: L::Simd) -> Self {
        Self {
            desk: Desk::new(simd),
            fast: Vec::new(),
        }
    }
}

impl<L: Lanes> Work<L> {
    /// Returns the token of the lanes.
    pub(crate) fn simd(&self) -> L::Simd {
        self.simd
    }

    /// Runs all stages.
    pub(crate) fn solve(&mut self, input: SolveInput<'_>, findings: &mut Findings) -> SolveStats {
        let Findings {
            measured,
            broken,
            breaking,
            fast,
        } = findings;
        let stats = count(&input);
        let (lists, awake, batches) = (input.lists, input.awake, input.batches);
        let (workers, bouncing, order) = (input.workers, input.bouncing, input.order);
        let substeps = input.substeps;
        let common = common_of(input);
        let bounces = match bouncing {
            Bouncing::Never => 0,
            Bouncing::Perhaps => {
                let (field, dt) = (&common.field, common.drive.dt);
                let prepare = common.prepare_input();
                self.impacts.pass_on(field, &prepare, &[lists], dt)
            }
        };
        let (joints, traits) = (common.field.joints, common.joint_traits);
        let constraints = common.field.constraints;
        let field = Field {
            loads: breaking.start(traits, lists),
            ..common.field
        };
        let common = Common { field, ..common };
        self.solve_island_batches(&common, batches, workers, fast);
        let rest = batches.count();
        if rest == 0 {
            self.solve_large(&common, (lists, awake), order, workers);
        } else {
            let others = (&batches.lists(rest)[..], batches.bodies(rest));
            self.solve_large(&common, others, order, workers);
        }
        self.desk.list_fast(fast);

        if bounces > 0 {
            // SAFETY: the workers is done.
            self.impacts.store(unsafe { constraints.whole() });
        }
        // SAFETY: the workers is done.
        let joints = unsafe { joints.all() };
        breaking.find(joints, traits, substeps, (measured, broken));
        fast.extend(self.impacts.bounced());
        SolveStats {
            broken_joints: broken.len() as u32,
            bounces: bounces as u32,
            ..stats
        }
    }

    /// Solves batches, each from the first stage to the last by one worker.
    fn solve_island_batches(
        &mut self,
        common: &Common<'_>,
        batches: &IslandBatches,
        workers: &StepWorkers,
        fast: &mut Vec<u32>,
    ) {
        if batches.count() == 0 {
            return;
        }
        let desks = &mut self.batch_desks;
        let simd = self.simd;
        desks.resize_with(workers.count().max(desks.len()), || {
            Mutex::new(BatchDesk::new(simd))
        });
        let work = BatchWork {
            common,
            batches,
            desks,
        };
        workers.run(&work, workers.count());
        for desk in desks {
            let desk = desk
                .get_mut()
                .unwrap_or_else(|poisoned| poisoned.into_inner());
            fast.append(&mut desk.fast);
        }
    }

    /// Solves constraints and bodies that are in no batch. If several threads do, and the bodies come in order of place, their
    /// states are laid out so meanwhile: each thread then has those of a part of the world to itself, but for its border.
    fn solve_large(
        &mut self,
        common: &Common<'_>,
        (lists, bodies): (&[ColorLists<'_>], &[u32]),
        order: BodyOrder,
        workers: &StepWorkers,
    ) {
        let constraints = |color: &ColorLists<'_>| color.contacts.len() + color.joints.len();
        let blocks = lists.iter().map(constraints).sum::<usize>() / L::WIDTH;
        let count = workers_for(blocks).min(workers.count());
        if count < 2 || order == BodyOrder::Slots {
            self.solve_together(common, lists, bodies, workers, count);
            return;
        }
        let states = common.field.states;
        let mut copies = core::mem::take(&mut self.copies);
        copies.fill(bodies, states);
        let mut common = *common;
        common.field.states = SharedStates::placed(&mut copies.states, &copies.places);
        self.solve_together(&common, lists, bodies, workers, count);
        for (&slot, state) in bodies.iter().zip(copies.states.iter()) {
            // SAFETY: the workers is done.
            unsafe { states.set(slot, state) };
        }
        self.copies = copies;
    }

    /// Solves islands stage by stage, all workers at the same one.
    fn solve_together(
        &mut self,
        common: &Common<'_>,
        lists: &[ColorLists<'_>],
        bodies: &[u32],
        workers: &StepWorkers,
        count: usize,
    ) {
        let step = self.desk.lay_out(common, lists, bodies);
        list_runs(&mut self.runs, &step);
        let shared = SharedStep {
            step,
            runs: &self.runs,
        };
        workers.run(&shared, count);
    }
}

/// The states of some bodies, in another order than that of their slots.
#[derive(Debug, Default)]
struct Copies {
    states: BodyStates,
    /// By body slot: where its state is; `NO_SLOT` if it is not there.
    places: Vec<u32>,
}

impl Copies {
    /// Copies the states of `bodies`, in this order.
    fn fill(&mut self, bodies: &[u32], states: SharedStates<'_>) {
        self.places.clear();
        self.places.resize(states.len(), NO_SLOT);
        self.states.clear();
        for (place, &slot) in (0..).zip(bodies) {
            self.places[slot as usize] = place;
            // SAFETY: the workers has not begun.
            self.states.push(unsafe { states.get(slot) });
        }
    }
}

/// Island batches, for all workers.
struct BatchWork<'a, L: Lanes> {
    common: &'a Common<'a>,
    batches: &'a IslandBatches,
    desks: &'a [Mutex<BatchDesk<L>>],
}

impl<L: Lanes> BatchWork<'_, L> {
    /// Returns a desk where nobody works.
    ///
    /// There are as many as workers, and a worker locks one at a time, so one is free at each moment. A pass over all may miss it
    /// only if another worker changes desks meanwhile: another pass follows within the time of a change.
    fn free_desk(&self) -> MutexGuard<'_, BatchDesk<L>> {
        loop {
            for desk in self.desks {
                match desk.try_lock() {
                    Ok(desk) => return desk,
                    Err(TryLockError::Poisoned(desk)) => return desk.into_inner(),
                    Err(TryLockError::WouldBlock) => {}
                }
            }
            spin_loop();
        }
    }
}

impl<L: Lanes> Stages for BatchWork<'_, L> {
    fn count(&self) -> usize {
        1
    }

    fn pieces(&self, _: usize) -> usize {
        self.batches.count()
    }

    fn run(&self, _: usize, pieces: Range<usize>) {
        let mut found = self.free_desk();
        let BatchDesk { desk, fast } = &mut *found;
        for batch in pieces {
            let lists = self.batches.lists(batch);
            desk.lay_out(self.common, &lists, self.batches.bodies(batch))
                .run();
            desk.list_fast(fast);
        }
    }
}

/// A step whose stages the workers share.
struct SharedStep<'a, L: Lanes> {
    step: Step<'a, L>,
    /// Stages between which the workers do not meet: one, or several that are too short to be shared.
    runs: &'a [Range<usize>],
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
    for stage in 0..step.count() {
        match runs.last_mut() {
            Some(run) if is_short(run.start) && is_short(stage) => run.end = stage + 1,
            _ => runs.push(stage..stage + 1),
        }
    }
}

impl<L: Lanes> Stages for SharedStep<'_, L> {
    fn count(&self) -> usize {
        self.runs.len()
    }

    fn pieces(&self, run: usize) -> usize {
        let stages = &self.runs[run];
        match stages.len() {
            1 => self.step.pieces_of(stages.start),
            _ => 1,
        }
    }

    fn run(&self, run: usize, pieces: Range<usize>) {
        let stages = self.runs[run].clone();
        if stages.len() == 1 {
            self.step.run_stage(stages.start, pieces);
        } else {
            for stage in stages {
                self.step.run_stage(stage, 0..self.step.pieces_of(stage));
            }
        }
    }
}

fn common_of(input: SolveInput<'_>) -> Common<'_> {
    Common {
        drive: Drive::new(input.dt, input.dt / input.substeps as f32, input.gravity),
        substeps: input.substeps,
        gravity: input.gravity,
        masses: input.masses,
        motions: input.motions,
        joint_traits: input.joint_traits,
        warm_start: WarmStart::of(&input),
        field: field_of(input),
    }
}

fn field_of(input: SolveInput<'_>) -> Field<'_> {
    let context = Context::new(
        input.dt,
        input.substeps,
        input.last_h,
        input.tuning,
        input.contact_share,
    );
    let stop = JointSoftness {
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
            [&input.joint_softness, &stop],
            warm_share,
            input.poses,
            input.masses,
        ),
        states: SharedStates::new(input.states),
        joints: SharedSlice::new(input.joints),
        constraints: SharedSlice::new(input.constraints),
        loads: None,
        noted_substep: input.noted_substep,
    }
}

/// Of a world without constraints.
const NO_LISTS: ColorLists<'static> = ColorLists {
    contacts: &[],
    joints: &[],
};

fn count(input: &SolveInput<'_>) -> SolveStats {
    let (overflow, colors) = input.lists.split_last().unwrap_or((&NO_LISTS, &[]));
    SolveStats {
        bodies: input.awake.len() as u32,
        contacts: colors.iter().map(|c| c.contacts.len() as u32).sum(),
        joints: colors.iter().map(|c| c.joints.len() as u32).sum(),
        overflow_contacts: overflow.contacts.len() as u32,
        overflow_joints: overflow.joints.len() as u32,
        broken_joints: 0,
        bounces: 0,
    }
}
