//! The step: a list of stages. Their order is part of the behavior, and each line gives the reason for its
//! place.

use super::landings::is_fast;
use super::substeps::{Batches, lists_of};
use crate::body::def::BodyKind;
use crate::body::state::state_flags;
use crate::body::track_flags;
use crate::error::demand;
use crate::graph::{COLORS, ConstraintGraph, GraphPlace};
use crate::joint::JointSoftness;
use crate::profile::{Counters, StageTimer};
use crate::schedule::island_batches::BatchPlan;
use crate::schedule::spatial_order::SpatialOrder;
use crate::solver::batches::OwnedLists;
use crate::solver::{BodyOrder, ColorLists, MeasuredJoint, SolveInput, WarmStarting};
use crate::step::ccd_input::CcdInput;
use crate::step::finalize::FinalizeStage;
use crate::step_context::StepContext;
use crate::substep_level::SUBSTEP_LEVELS;
use crate::tuning::{MAX_STEP, Tuning};
use crate::workers::StepWorkers;
use crate::world::pairing::PairRules;
use crate::world::{World, WorldError};
use crate::world_def::Switch;
use cairn2d_broadphase::Workers as _;
use cairn2d_broadphase::{Pair, ProxyId, Sharing};
use cairn2d_geometry::Aabb;
use cairn2d_geometry::math::Vec2;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Number of contacts up to which a body is tested for contacts with static bodies only: a rolling or sliding
/// body touches one shape, or two at an internal edge or in a groove. Larger: the test of all contacts of a
/// pile takes longer than it saves.
const MAX_GROUND_CONTACTS: u32 = 2;

/// Memory of the stages, kept so that a settled step allocates nothing. No part of the world's state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// Bodies that the step simulates, ascending: those that are awake when the solver begins.
    pub(crate) awake: Vec<u32>,
    /// Pairs that the broad phase found.
    pub(crate) pairs: Vec<Pair>,
    pub(crate) changes: super::collide::ChangeBits,
    /// New fat boxes for the broad phase.
    pub(crate) grown: Vec<(ProxyId, Aabb)>,
    pub(crate) ccd_input: CcdInput,
    /// Whether bounces of this step are solved at their time.
    pub(crate) lively: bool,
    /// Contacts that were hits.
    pub(crate) hits: Vec<u32>,
    /// Bodies that were shot at something.
    pub(crate) shot: Vec<u32>,
    /// Ghost contacts of the last step.
    pub(crate) covered: Vec<u32>,
    /// Contacts of one body with static and kinematic bodies.
    pub(crate) touches: Vec<super::seams::Touch>,
    pub(crate) finalize: FinalizeStage,
    pub(crate) hunt: super::continuous::Hunt,
    pub(crate) broken: Vec<MeasuredJoint>,
    pub(crate) crossed: Vec<(u32, u32)>,
    pub(crate) islands: Vec<u32>,
    pub(crate) batch_plan: BatchPlan,
    pub(crate) spatial_order: SpatialOrder,
    pub(crate) levels: super::build::Levels,
    pub(crate) direct: super::direct::DirectLists,
    pub(crate) batches: Batches,
    pub(crate) island_lists: super::islands::IslandLists,
    pub(crate) blows: super::blows::BlowLists,
    pub(crate) loads: super::loads::LoadLists,
    /// Fast bodies whose contacts are all with static bodies.
    pub(crate) landing: Vec<u32>,
}

/// The bodies and constraints of one call of the solver.
struct SolverBatch<'a> {
    /// Index of the substep level.
    level: usize,
    bodies: &'a [u32],
    order: BodyOrder,
    /// By color, the overflow last.
    lists: &'a [OwnedLists<'a>; COLORS + 1],
    /// Length of the substeps that contacts store, 0 for the world's \[s\]; `None`: they keep the stored one.
    stored_substep: Option<f32>,
}

/// Number of bodies and contacts from which several threads work on a step. Smaller steps end before the
/// threads have started.
const MIN_PARALLEL_WORK: usize = 500;

impl World {
    /// Simulates a step of `dt` \[s\]. Usual is a fixed 1/60 s: results repeat only for the same sequence of
    /// steps.
    ///
    /// A `dt` of 0 changes nothing. Of a longer step than a quarter of a second only that much is simulated
    /// ([`MAX_STEP`](crate::MAX_STEP)), so that a game continues after a pause without an explosion.
    /// [`Counters::clamped_steps`] counts such steps.
    ///
    /// # Panics
    /// If `dt` is negative or not finite; [`try_step`](Self::try_step) returns the error instead.
    #[track_caller]
    pub fn step(&mut self, dt: f32) {
        demand(self.try_step(dt), "step the world");
    }

    /// Simulates a step of `dt` \[s\]: see [`step`](Self::step).
    ///
    /// # Errors
    /// If `dt` is negative or not finite. The world is then unchanged.
    pub fn try_step(&mut self, dt: f32) -> Result<(), WorldError> {
        crate::error::not_negative("dt", dt)?;
        if dt > 0.0 {
            self.counters.clamped_steps += usize::from(dt > MAX_STEP);
            self.advance(dt.min(MAX_STEP));
        }
        Ok(())
    }

    fn advance(&mut self, dt: f32) {
        let pool = self.pool.clone();
        StepWorkers::with(self.worker_count(), pool.as_deref(), |workers| {
            self.advance_with(workers, dt);
        });
    }

    /// Returns the number of threads for a step.
    fn worker_count(&self) -> usize {
        let work = self.bodies.awake.len() + self.contacts.awake.len();
        if work < MIN_PARALLEL_WORK {
            1
        } else {
            self.def.threads as usize
        }
    }

    /// Runs the stages. Each finds what the ones before it have written; the comments name the dependencies.
    fn advance_with(&mut self, workers: &StepWorkers, dt: f32) {
        let mut timer = StageTimer::start(self.def.clock);
        self.counters = Counters {
            clamped_steps: self.counters.clamped_steps,
            ..Counters::default()
        };

        // First: extents and mass of edited bodies, which all stages read.
        self.refresh_changed_bodies();
        // Before the solver: a velocity that is not finite spreads to all bodies that it touches.
        self.stop_runaways(dt);
        // Before the pairs: pairs whose exception ends are found in this step.
        self.expire_ignores(dt);
        // Before the narrow phase: a teleported body gets its contacts in this step.
        self.update_pairs(workers);
        self.profile.pairs = timer.lap();
        // At the poses where the last step ended.
        self.collide(workers);
        self.profile.collide = timer.lap();
        // After the narrow phase, in order of contact slot: its threads must not edit islands, the graph and
        // events.
        self.link_and_unlink();
        // After the links: internal edges are found among touching contacts.
        self.cover_seams();
        self.profile.links = timer.lap();
        self.solve(workers, dt);
        self.profile.solve = timer.lap();
        // After the solver, which reads the poses of the start of the step.
        self.finalize(workers, dt);
        self.profile.finalize = timer.lap();
        // After finalization, which lists the fast bodies and moves all of them.
        let swept = self.continuous(workers, dt);
        self.profile.continuous = timer.lap();
        // After the sweeps, which query the boxes of the last step and grow boxes themselves.
        self.refit();
        self.profile.refit = timer.lap();
        // After the sweeps: their impulses count.
        self.report_presses(dt);
        // After the sweeps: bodies that they stop inside the bounds have not left.
        self.report_exits();
        // After finalization and the sweeps, which wake bodies.
        self.sleep_islands();
        self.profile.islands = timer.lap();
        // Last: events name the impulses and the sleep of this step, and broken joints wake their bodies.
        self.complete_events();
        self.profile.events = timer.lap();

        self.profile.step = timer.total();
        self.count();
        self.history.steps += 1;
        // The user's filter panicked in a sweep. The step is complete except for the remaining sweeps.
        if let Err(panic) = swept {
            resume_unwind(panic);
        }
    }

    /// Finds the pairs of moved proxies, and creates their contacts in order of shape slots.
    fn update_pairs(&mut self, workers: &StepWorkers) {
        let rules = PairRules {
            bodies: &self.bodies,
            shapes: &self.shapes.slots,
            joints: &self.joints.slots,
            ignores: &self.ignores,
            filter: self.hooks.pair_filter.as_deref(),
        };
        let accept = |a: u32, b: u32| {
            let (shape_a, shape_b) = (&rules.shapes[a], &rules.shapes[b]);
            let pushes =
                rules.bodies.is_dynamic(shape_a.body) || rules.bodies.is_dynamic(shape_b.body);
            (pushes || shape_a.sensor || shape_b.sensor) && rules.allow(a, b)
        };
        let broad = &mut self.broad;
        let found = catch_unwind(AssertUnwindSafe(|| {
            broad.update_pairs_with(Sharing::Workers(workers), accept);
        }));
        if let Err(panic) = found {
            // The user's filter panicked, and the caller may catch it: the next step must find the pairs
            // again.
            self.pair_all_again();
            resume_unwind(panic);
        }
        let mut pairs = core::mem::take(&mut self.scratch.pairs);
        pairs.clear();
        pairs.extend_from_slice(self.broad.new_pairs());
        for (i, pair) in pairs.iter().enumerate() {
            self.prefetch_contact(&pairs[i..]);
            self.create_contact(pair.a, pair.b);
        }
        self.counters.new_pairs = pairs.len();
        self.scratch.pairs = pairs;
    }

    /// Moves the awake bodies through the step: impacts, depenetration and static loads before the substeps,
    /// then the substeps of the constraint graph.
    fn solve(&mut self, workers: &StepWorkers, dt: f32) {
        let mut awake = core::mem::take(&mut self.scratch.awake);
        awake.clear();
        awake.extend(self.bodies.awake.iter());
        // Before heavy impacts are searched: the marks of deferred contacts are those of the last step.
        self.leave_out_before_blows(&awake, dt);
        // Before the marks of the step: heavy impacts, which it solves first, change velocities.
        self.choose_substeps(dt);
        // Before contacts are deferred: bounce candidates defer theirs.
        self.mark_lively(&awake, dt);
        // Read by continuous collision.
        self.mark_hammers(&awake);
        // Defers contacts, clears the motion of the last step, and lists the bodies for static impacts.
        self.mark_free_bodies(&awake, dt);
        // Before the substeps, which stop one contact after the other.
        self.stop_landings(dt);
        // After the motion of the last step is cleared: heavy impacts have computed these motions before.
        self.move_hammers();
        // Before the substeps, which ignore the errors that it removes.
        let ctx = StepContext {
            def: &self.def,
            dt,
            last_h: self.history.last_h,
            steps: self.history.steps,
        };
        self.depenetration.project(
            &ctx,
            &mut self.bodies,
            &self.shapes,
            &mut self.contacts,
            &mut self.joints,
        );
        self.solver.begin_step();
        // Depenetration knows that no step was solved yet; the stages below need a length.
        self.history.assume_last_h(dt / self.def.substeps as f32);
        // After depenetration, which moves bodies, and before anything reads the impulses that it writes.
        self.hand_down_loads(dt);
        // Before the batches: the substeps skip the bodies that are solved directly.
        self.choose_direct_islands(dt);
        self.solve_direct_islands(dt);
        self.solve_islands(workers, dt, &awake);
        self.note_joint_loads();
        self.unmark_direct_islands();
        self.scratch.awake = awake;
        self.forget_shots();
        // Last: the impulses of impacts and substeps are complete.
        self.report_hits();
    }

    /// Runs the substeps of the `awake` bodies, in one batch or by substep level.
    fn solve_islands(&mut self, workers: &StepWorkers, dt: f32, awake: &[u32]) {
        let mut spatial_order = core::mem::take(&mut self.scratch.spatial_order);
        let order = spatial_order.update(
            workers.count(),
            awake,
            &self.bodies.poses,
            &mut self.graph,
            &mut self.contacts,
            &mut self.joints,
        );
        let bodies = match order {
            BodyOrder::Slots => awake,
            BodyOrder::Places => spatial_order.bodies(),
        };
        let graph = core::mem::replace(&mut self.graph, ConstraintGraph::EMPTY);
        let all = SolverBatch {
            level: 0,
            bodies,
            order,
            lists: &lists_of(&graph),
            // Contacts of the last step's substep levels return to the world's substeps.
            stored_substep: self.history.was_substepped.then_some(0.0),
        };
        self.history.was_substepped = self.islands.is_any_strained();
        if self.history.was_substepped {
            self.solve_levels(workers, dt, &all, &graph);
        } else {
            self.solve_batch(workers, dt, &all);
        }
        self.scratch.spatial_order = spatial_order;
        self.history.end_solve(dt, self.def.substeps);
        self.graph = graph;
    }

    /// Solves the islands by substep level. Higher levels come first, so that bodies which several islands
    /// share, the kinematic ones, end where the world's substeps take them.
    fn solve_levels(
        &mut self,
        workers: &StepWorkers,
        dt: f32,
        all: &SolverBatch<'_>,
        graph: &ConstraintGraph,
    ) {
        let mut batches = core::mem::take(&mut self.scratch.batches);
        self.fill_batches(&mut batches, all.bodies, graph);
        for (level, effort) in SUBSTEP_LEVELS.iter().enumerate().rev() {
            if let Some(batch) = batches.of_level(level) {
                let stored_substep = match effort.is_usual() {
                    true => 0.0,
                    false => dt / effort.substeps(self.def.substeps) as f32,
                };
                self.put_back_kinematic(&batch.bodies);
                let batch = SolverBatch {
                    level,
                    bodies: &batch.bodies,
                    order: all.order,
                    lists: &batch.lists(),
                    stored_substep: Some(stored_substep),
                };
                self.solve_batch(workers, dt, &batch);
            }
        }
        self.scratch.batches = batches;
    }

    /// Solves a batch.
    fn solve_batch(&mut self, workers: &StepWorkers, dt: f32, batch: &SolverBatch<'_>) {
        let effort = &SUBSTEP_LEVELS[batch.level];
        let tuning = self.level_tuning(batch.level, dt);
        let [hertz, damping_ratio] = effort.joints(&self.def.tuning);
        self.scratch.batch_plan.fill(
            batch.bodies,
            batch.lists,
            &self.bodies,
            &self.contacts,
            &self.joints,
            &self.islands,
        );
        let lists = batch.lists.each_ref().map(|[contacts, joints]| ColorLists {
            contacts: &contacts.slots,
            joints: &joints.slots,
        });
        let stats = self.solver.solve(SolveInput {
            dt,
            substeps: effort.substeps(self.def.substeps),
            last_h: self.history.last_h,
            noted_substep: batch.stored_substep,
            contact_share: effort.contact_share(),
            gravity: self.def.gravity,
            tuning: &tuning,
            joint_softness: JointSoftness {
                hertz,
                damping_ratio,
            },
            states: &mut self.bodies.states,
            poses: &self.bodies.poses,
            masses: &self.bodies.masses,
            motions: &self.bodies.motions,
            awake: batch.bodies,
            order: batch.order,
            constraints: &mut self.contacts.constraints,
            joints: &mut self.joints.sims,
            joint_traits: &self.joints.traits,
            lists: &lists,
            batches: &self.scratch.batch_plan.batches,
            warm_start: match self.def.warm_starting {
                Switch::On => WarmStarting::On,
                Switch::Off => WarmStarting::Off,
            },
            bouncing: self.bouncing,
            workers,
        });
        self.counters.bounces += stats.bounces as usize;
    }

    /// Returns the tuning of a substep level: loads of its islands raise the push speed.
    fn level_tuning(&mut self, level: usize, dt: f32) -> Tuning {
        let effort = &SUBSTEP_LEVELS[level];
        let mut tuning = effort.tuning(&self.def.tuning);
        if !effort.is_usual() {
            tuning.contact_push_speed = self.push_speed_under_loads(level, dt);
        }
        tuning
    }

    /// Clears the motions of the last step, and marks the bodies that no constraint of the substeps acts on:
    /// they are integrated in closed form. A kinematic body with contacts or joints moves substep by substep,
    /// like the bodies on it.
    fn mark_free_bodies(&mut self, awake: &[u32], dt: f32) {
        self.scratch.landing.clear();
        for &slot in awake {
            let left_out = self.leave_out_contacts(slot, dt);
            let track = &self.bodies.tracks[slot as usize];
            let free = if track.flags & track_flags::DYNAMIC != 0 {
                track.constraints == left_out
            } else {
                let body = &self.bodies.slots[slot];
                body.contacts.is_empty() && body.joints.is_empty()
            };
            let grounded = !free && self.is_grounded(slot);
            let state = &mut self.bodies.states[slot as usize];
            state.delta_position = Vec2::zeros();
            state.delta_rotation = Vec2::new(1.0, 0.0);
            state.flags &= !(state_flags::UNCONSTRAINED | state_flags::GROUNDED);
            if free {
                state.flags |= state_flags::UNCONSTRAINED;
            } else if grounded {
                state.flags |= state_flags::GROUNDED;
                if is_fast(state, self.bodies.tracks[slot as usize].max_extent) {
                    self.scratch.landing.push(slot);
                }
            }
        }
    }

    /// Returns `true` if only one or two contacts with static bodies constrain the dynamic body in `slot`.
    fn is_grounded(&self, slot: u32) -> bool {
        let track = &self.bodies.tracks[slot as usize];
        let body = &self.bodies.slots[slot];
        let is_dynamic = track.flags & track_flags::DYNAMIC != 0;
        let is_static = |body: u32| self.bodies.slots[body].kind == BodyKind::Static;
        let is_on_static = |&contact: &u32| {
            let contact = &self.contacts.slots[contact];
            contact.graph == GraphPlace::NONE
                || is_static(contact.body_a)
                || is_static(contact.body_b)
        };
        is_dynamic
            && track.constraints <= MAX_GROUND_CONTACTS
            && body.static_touches > 0
            && body.joints.is_empty()
            && body.contacts.iter().all(is_on_static)
    }
}
