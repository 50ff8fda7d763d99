//! A step of the solver: its parts in order.

use super::SolverReport;
use super::batches::IslandBatches;
use super::constants::StepConstants;
use super::impacts::Impacts;
use super::input::{BodyOrder, Bouncing, ColorLists, SolveInput, WarmStarting};
use super::shared_world::SharedWorld;
use super::sharing::{BatchJob, BatchWorkspace, SharedStages, list_runs, workers_for};
use super::stages::{StepPlan, WarmStartSchedule, Workspace};
use super::states::{ReorderedStates, SharedStates};
use crate::workers::StepWorkers;
use cairn2d_broadphase::Workers;
use cairn2d_simd::Lanes;
use core::ops::Range;
use std::sync::Mutex;

/// The memory of steps, for one width of lanes.
#[derive(Debug)]
pub(crate) struct StepSolver<L: Lanes> {
    simd: L::Simd,
    workspace: Workspace<L>,
    runs: Vec<Range<usize>>,
    /// For island batches: one for each worker.
    batch_workspaces: Vec<Mutex<BatchWorkspace<L>>>,
    reordered: ReorderedStates,
}

/// Constraints by color, the overflow last, and their bodies.
#[derive(Clone, Copy)]
struct SolveSet<'a> {
    lists: &'a [ColorLists<'a>],
    bodies: &'a [u32],
    order: BodyOrder,
}

impl<L: Lanes> StepSolver<L> {
    pub(crate) fn new(simd: L::Simd) -> Self {
        Self {
            simd,
            workspace: Workspace::new(simd),
            runs: Vec::new(),
            batch_workspaces: Vec::new(),
            reordered: ReorderedStates::default(),
        }
    }

    /// Runs a step. Returns the number of bounces at its start.
    pub(crate) fn solve(
        &mut self,
        input: SolveInput<'_>,
        impacts: &mut Impacts,
        report: &mut SolverReport,
    ) -> usize {
        let SolverReport {
            measured,
            broken,
            break_detection,
            fast,
        } = report;
        let (lists, batches, workers) = (input.lists, input.batches, input.workers);
        let (joint_traits, substeps) = (input.joint_traits, input.substeps);
        let (bouncing, order, awake) = (input.bouncing, input.order, input.awake);
        let plan = plan_step(input);
        let (constraints, joints) = (plan.world.constraints, plan.world.joints);

        // Impacts come first: the substeps give touching bodies one velocity, and the order of impacts is
        // lost.
        let bounces = match bouncing {
            Bouncing::Never => 0,
            Bouncing::Perhaps => impacts.solve_at_start(&plan.world, lists),
        };
        // The passes of all substeps add to these sums.
        let world = SharedWorld {
            joint_loads: break_detection.begin(joint_traits, lists),
            ..plan.world
        };
        let plan = StepPlan { world, ..plan };
        // Small islands next, each batch while it is in a worker's cache. They share no moving body with the
        // rest.
        self.solve_island_batches(&plan, batches, workers, fast);
        // All else, with the workers together at each stage.
        let rest_lists;
        let set = match batches.count() {
            0 => SolveSet {
                lists,
                bodies: awake,
                order,
            },
            rest => {
                rest_lists = batches.lists(rest);
                SolveSet {
                    lists: &rest_lists,
                    bodies: batches.bodies(rest),
                    order,
                }
            }
        };
        self.solve_large_islands(&plan, set, workers);
        self.workspace.list_fast(fast);
        // Impulses of impacts are added to the totals that the substeps have stored.
        if bounces > 0 {
            // SAFETY: the workers are done.
            impacts.store(unsafe { constraints.whole() });
            fast.extend(impacts.bounced());
        }
        // Break limits apply to mean loads, so they are tested when all substeps are done.
        // SAFETY: as above.
        let joints = unsafe { joints.all() };
        break_detection.find(joints, joint_traits, substeps, (measured, broken));
        bounces
    }

    /// Solves island batches, each from the first stage to the last by one worker.
    fn solve_island_batches(
        &mut self,
        plan: &StepPlan<'_>,
        batches: &IslandBatches,
        workers: &StepWorkers,
        fast: &mut Vec<u32>,
    ) {
        if batches.count() == 0 {
            return;
        }
        let workspaces = &mut self.batch_workspaces;
        let simd = self.simd;
        workspaces.resize_with(workers.count().max(workspaces.len()), || {
            Mutex::new(BatchWorkspace::new(simd))
        });
        let job = BatchJob {
            plan,
            batches,
            workspaces,
        };
        workers.run(&job, workers.count());
        for workspace in workspaces {
            let workspace = workspace
                .get_mut()
                .unwrap_or_else(|poisoned| poisoned.into_inner());
            fast.append(&mut workspace.fast);
        }
    }

    /// Solves the constraints and bodies that are in no batch. In spatial order and on several threads, the
    /// states are copied in that order for the time of the solve: each thread then has the states of one
    /// region to itself, apart from its border.
    fn solve_large_islands(
        &mut self,
        plan: &StepPlan<'_>,
        set: SolveSet<'_>,
        workers: &StepWorkers,
    ) {
        let constraints = |color: &ColorLists<'_>| color.contacts.len() + color.joints.len();
        let blocks = set.lists.iter().map(constraints).sum::<usize>() / L::WIDTH;
        let count = workers_for(blocks).min(workers.count());
        if count < 2 || set.order == BodyOrder::Slots {
            self.run_stages(plan, set, workers, count);
            return;
        }
        let states = plan.world.states;
        let mut reordered = core::mem::take(&mut self.reordered);
        // SAFETY: the workers have not begun.
        unsafe { reordered.copy_from(set.bodies, states) };
        let mut plan = *plan;
        plan.world.states = SharedStates::reordered(&mut reordered);
        self.run_stages(&plan, set, workers, count);
        // SAFETY: the workers are done.
        unsafe { reordered.copy_back(set.bodies, states) };
        self.reordered = reordered;
    }

    /// Runs the stages one after the other, all workers on the same one.
    fn run_stages(
        &mut self,
        plan: &StepPlan<'_>,
        set: SolveSet<'_>,
        workers: &StepWorkers,
        count: usize,
    ) {
        let step = self.workspace.lay_out(plan, set.lists, set.bodies);
        if count < 2 {
            step.run();
            return;
        }
        list_runs(&mut self.runs, &step);
        let shared = SharedStages {
            step,
            runs: &self.runs,
        };
        workers.run(&shared, count);
    }
}

/// Returns the input of the stages.
fn plan_step(input: SolveInput<'_>) -> StepPlan<'_> {
    let tuning = input.world.tuning;
    let constants = StepConstants::new(input.dt, input.substeps, input.last_h, tuning);
    let warm_share = match input.warm_start {
        WarmStarting::On => 1.0,
        WarmStarting::Off => 0.0,
    };
    let mut world = SharedWorld::new(input.world, constants, warm_share);
    world.joint_context.carried_growth = input.carried_growth;
    StepPlan {
        warm_start: WarmStartSchedule::of(input.lists),
        joint_traits: input.joint_traits,
        world,
    }
}
