//! The step: a list of stages. Their order is part of the behavior, and each line gives the reason for its
//! place.

use crate::articulation::choice::{ArticulationTables, Articulations};
use crate::bitset::BitSet;
use crate::body::def::BodyKind;
use crate::body::state::state_flags;
use crate::body::track_flags;
use crate::ccd::{CcdInput, CcdStep};
use crate::contact::internal_edges::InternalEdges;
use crate::contact::narrow_phase::ContactChanges;
use crate::contact::short_steps::LoadsBefore;
use crate::error::demand;
use crate::graph::{COLORS, ConstraintGraph, GraphPlace};
use crate::joint::drag::slow_linkages;
use crate::joint::linkage::LinkageSearch;
use crate::load::LoadStage;
use crate::mechanisms::Mechanism;
use crate::newton::{NewtonStage, NewtonTables};
use crate::pair_rules::PairRules;
use crate::profile::{Counters, StageTimer};
use crate::schedule::island_batches::BatchPlan;
use crate::schedule::spatial_order::SpatialOrder;
use crate::solver::batches::UsedLists;
use crate::solver::crowded::CrowdedJoints;
use crate::solver::geometric_stiffness::GeometricStiffness;
use crate::solver::iterated::{IteratedLists, lists_of};
use crate::solver::passive::{ForceStep, PassiveLinkages};
use crate::solver::{
    BodyOrder, Bouncing, ColorLists, MeasuredJoint, SolveInput, Solver, SolverWorld, WarmStarting,
};
use crate::step::finalize::FinalizeStage;
use crate::tuning::{MAX_STEP, MIN_STEP};
use crate::workers::StepWorkers;
use crate::world::record::answer_log;
use crate::world::record::call::WorldCall;
use crate::world::{World, WorldError};
use cairn2d_broadphase::Workers as _;
use cairn2d_broadphase::{Pair, ProxyId, Sharing};
use cairn2d_geometry::Aabb;
use cairn2d_geometry::math::Vec2;
use smallvec::SmallVec;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Number of contacts up to which a body is tested for contacts with static bodies only: a rolling or sliding
/// body touches one shape, or two at an internal edge or in a groove. Larger: the test of all contacts of a
/// pile takes longer than it saves.
const MAX_GROUND_CONTACTS: u32 = 2;

/// Memory of the stages, kept so that a settled step allocates nothing. It is not part of the world's state.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// Bodies that are awake when the solver begins, ascending.
    pub(crate) awake: Vec<u32>,
    /// Slots of bodies that were destroyed since the step. Their entries in `awake` are stale, even if new bodies
    /// have the slots.
    pub(crate) destroyed: BitSet,
    /// Pairs that the broad phase found.
    pub(crate) pairs: Vec<Pair>,
    pub(crate) changes: ContactChanges,
    /// Contacts without an awake body that are tested in this step: see `world/quiet_pairs.rs`.
    pub(crate) quiet_pairs: Vec<u32>,
    /// New fat boxes for the broad phase.
    pub(crate) grown: Vec<(ProxyId, Aabb)>,
    pub(crate) ccd_input: CcdInput,
    /// Contacts that were hits.
    pub(crate) hits: Vec<u32>,
    /// Bodies that cannot be simulated in this step.
    pub(crate) runaways: Vec<u32>,
    pub(crate) internal_edges: InternalEdges,
    pub(crate) finalize: FinalizeStage,
    pub(crate) ccd: CcdStep,
    pub(crate) broken: Vec<MeasuredJoint>,
    pub(crate) batch_plan: BatchPlan,
    pub(crate) spatial_order: SpatialOrder,
    pub(crate) articulations: Articulations,
    pub(crate) newton: NewtonStage,
    pub(crate) linkages: LinkageSearch,
    pub(crate) crowded: CrowdedJoints,
    pub(crate) geometric_stiffness: GeometricStiffness,
    pub(crate) passive: PassiveLinkages,
    pub(crate) iterated: IteratedLists,
    pub(crate) island_lists: super::islands::IslandLists,
    pub(crate) load: LoadStage,
    pub(crate) loads_before: LoadsBefore,
    pub(crate) solver: Solver,
}

/// Copies the reports of the last step, and the list of ghost contacts, which repeats flags. Other memory stays as it
/// is, since no result depends on it.
impl Clone for Scratch {
    fn clone(&self) -> Self {
        let mut reports = Self::default();
        reports.clone_from(self);
        reports
    }

    fn clone_from(&mut self, source: &Self) {
        self.awake.clone_from(&source.awake);
        self.destroyed.clone_from(&source.destroyed);
        self.internal_edges.clone_from(&source.internal_edges);
    }
}

/// Number of bodies and contacts from which several threads work on a step. Smaller steps end before the
/// threads have started.
const MIN_PARALLEL_WORK: usize = 500;

/// # The step
impl World {
    /// Simulates a step of `dt` \[s\]. Use a fixed `dt`, usually 1/60 s: results repeat only for the same sequence of
    /// steps.
    ///
    /// A `dt` of 0, or below a nanosecond ([`MIN_STEP`](crate::MIN_STEP)), changes nothing. If `dt` is longer than a
    /// quarter of a second ([`MAX_STEP`](crate::MAX_STEP)), only that much is simulated, so that a game continues
    /// after a pause without an explosion; [`Counters::clamped_steps`] counts such steps.
    ///
    /// # Panics
    /// If `dt` is negative or not finite; [`try_step`](Self::try_step) returns the error instead.
    #[doc(alias("b2World_Step", "PhysicsPipeline", "FixedUpdate"))]
    #[doc(alias("simulate", "Simulate", "update"))]
    #[doc(alias = "physics_process")]
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
        if dt >= MIN_STEP {
            self.record_answered(
                |world| {
                    world.counters.clamped_steps += usize::from(dt > MAX_STEP);
                    world.advance(dt.min(MAX_STEP));
                },
                |answers| WorldCall::Step { dt, answers },
            );
            self.end_recorded_step();
        }
        Ok(())
    }

    fn advance(&mut self, dt: f32) {
        let pool = self.pool.clone();
        StepWorkers::with(self.worker_count(), pool.as_ref(), |workers| {
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

    /// Runs the stages. Each reads the results of earlier ones; the comments say why it comes where it does.
    fn advance_with(&mut self, workers: &StepWorkers, dt: f32) {
        let mut timer = StageTimer::start(self.def.clock);
        self.counters = Counters {
            clamped_steps: self.counters.clamped_steps,
            ..Counters::default()
        };

        // First: extents and mass of edited bodies, which all stages read.
        self.refresh_changed_bodies();
        // Before the solver: a velocity that is not finite spreads to all bodies that it touches.
        self.freeze_runaways(dt);
        // Before the pairs: pairs whose exception ends are found in this step.
        self.expire_ignores(dt);
        // Before the narrow phase: a teleported body gets its contacts in this step.
        self.update_pairs(workers);
        self.profile.pairs = timer.lap();
        // At the poses where the last step ended.
        self.collide(workers, dt);
        self.profile.collide = timer.lap();
        // After the narrow phase, in order of contact slot: its threads must not edit islands, the graph and
        // events.
        self.link_and_unlink();
        // After the links: internal edges are found among touching contacts.
        self.scratch.internal_edges.mark_ghosts(
            self.def.tuning.mechanisms,
            self.history.last_dt(),
            &self.bodies,
            &self.shapes,
            &mut self.contacts,
        );
        self.profile.links = timer.lap();
        self.solve(workers, dt);
        self.profile.solve = timer.lap();
        // After the solver, which reads the poses of the start of the step.
        self.finalize(workers, dt);
        self.profile.finalize = timer.lap();
        // After finalization, which lists the fast bodies and moves all of them.
        let swept = self.sweep_fast_bodies(workers, dt);
        self.profile.continuous = timer.lap();
        // After the sweeps, which query the boxes of the last step and grow boxes themselves.
        self.refit();
        self.profile.refit = timer.lap();
        // After the sweeps: their impulses count.
        self.force_events.report(
            dt,
            &self.bodies,
            &self.shapes,
            &self.contacts,
            self.scratch.ccd.drain_new_impacts(),
            &mut self.events.collecting,
        );
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
            filter: self.hooks.pair_hook(answer_log(&self.recorder)),
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
            self.postpone_quiet_tests();
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

    /// Moves the awake bodies through the step: depenetration and static loads before the substeps,
    /// then the substeps of the constraint graph.
    fn solve(&mut self, workers: &StepWorkers, dt: f32) {
        let mut awake = core::mem::take(&mut self.scratch.awake);
        awake.clear();
        awake.extend(self.bodies.awake.iter());
        self.scratch.destroyed.clear();
        // Before the propagated loads, which may strain a pile as well.
        self.evaluate_strain(dt);
        // Before contacts are deferred: bounce candidates defer theirs.
        self.mark_ccd_candidates(&awake, dt);
        // Defers contacts, and clears the motion of the last step.
        self.mark_free_bodies(&awake, dt);
        // Before the substeps, which ignore the errors that it removes.
        let ctx = self.history.context(&self.def, dt);
        self.depenetration.project(
            &ctx,
            &mut self.bodies,
            &self.shapes,
            &mut self.contacts,
            &mut self.joints,
        );
        self.scratch.solver.begin_step();
        // Depenetration must know that no step was solved yet, but the stages below need a length.
        self.history.assume_last_h(dt / self.def.substeps as f32);
        // After depenetration, which moves bodies, and before anything reads the impulses that it writes.
        self.propagate_loads(dt);
        // After propagated loads, which store impulses, and before any method solves contacts.
        let h = dt / self.def.substeps as f32;
        self.scratch
            .loads_before
            .keep(&self.history, h, &self.graph, &self.contacts);
        // Once for all methods that solve joints.
        let drag = (self.def.tuning.linkage_drag, dt, self.def.gravity.norm());
        if drag.0 > 0.0 && drag.2 > 0.0 && self.graph.held_joints > 0 {
            let linkages = &mut self.scratch.linkages;
            slow_linkages(linkages, drag, &awake, &mut self.bodies, &self.joints);
        }
        // Before the batches: the substeps skip the bodies that are solved directly.
        let ctx = self.history.context(&self.def, dt);
        let mut tables = ArticulationTables {
            bodies: &mut self.bodies,
            joints: &mut self.joints,
            islands: &mut self.islands,
        };
        let articulations = &mut self.scratch.articulations;
        let links = self.graph.contacts() + self.graph.joints();
        articulations.choose(&ctx, links, &mut tables);
        articulations.solve(&ctx, links, &mut tables);
        // After propagated loads, which may strain a pile, and after articulations: each takes islands that the
        // ones before have left.
        let mut tables = NewtonTables {
            bodies: &mut self.bodies,
            contacts: &mut self.contacts,
            joints: &mut self.joints,
            islands: &mut self.islands,
        };
        let newton = &mut self.scratch.newton;
        newton.choose(&ctx, links, &mut tables);
        newton.solve(&ctx, &mut tables);
        self.scratch.solver.note_fast(newton.fast_contacts());
        // After the other methods, which take joints of crowded bodies as they are.
        let forces = ForceStep {
            dt,
            h,
            gravity: self.def.gravity,
        };
        if self.graph.joints() > 0 {
            let Scratch {
                crowded, passive, ..
            } = &mut *self.scratch;
            crowded.mark(&awake, &self.bodies, &mut self.joints, h);
            let tables = (&self.bodies, &self.contacts, &self.joints);
            passive.begin(crowded, &forces, tables);
        }
        self.solve_islands(workers, dt, &awake);
        let passive = &mut self.scratch.passive;
        passive.end(
            &forces,
            (&mut self.bodies, &self.contacts, &mut self.joints),
        );
        self.scratch
            .loads_before
            .add_to_step(h, self.history.last_h, &mut self.contacts);
        self.note_joint_loads();
        let crowded = &mut self.scratch.crowded;
        crowded.unmark(&self.bodies, &mut self.joints);
        self.scratch
            .articulations
            .unmark(&mut self.bodies, &mut self.joints);
        self.scratch
            .newton
            .unmark(&mut self.bodies, &mut self.joints);
        self.scratch.awake = awake;
        // Last: the impulses of bounces and substeps are complete.
        self.report_hits();
    }

    /// Runs the substeps of the `awake` bodies. They skip islands that other methods have solved.
    fn solve_islands(&mut self, workers: &StepWorkers, dt: f32, awake: &[u32]) {
        if awake.is_empty() && self.graph.is_empty() {
            self.history.end_solve(dt, self.def.substeps);
            return;
        }
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
        let mut iterated = core::mem::take(&mut self.scratch.iterated);
        let lists = if self.islands.is_any_newton() {
            iterated.fill(&graph, &self.bodies, &self.islands);
            iterated.lists(&graph)
        } else {
            lists_of(&graph)
        };
        self.solve_substeps(workers, dt, bodies, order, lists);
        self.scratch.iterated = iterated;
        self.scratch.spatial_order = spatial_order;
        self.history.end_solve(dt, self.def.substeps);
        self.graph = graph;
    }

    /// Solves the listed constraints.
    fn solve_substeps(
        &mut self,
        workers: &StepWorkers,
        dt: f32,
        bodies: &[u32],
        order: BodyOrder,
        lists: UsedLists<'_>,
    ) {
        let tuning = self.def.tuning;
        // Before the solver, all constraints of which read the moments of inertia.
        let h = dt / self.def.substeps as f32;
        let Scratch {
            geometric_stiffness,
            ..
        } = &mut *self.scratch;
        geometric_stiffness.raise(&lists, &mut self.bodies, &self.joints, h);
        self.scratch.batch_plan.fill(
            bodies,
            &lists,
            &self.bodies,
            &self.contacts,
            &self.joints,
            &self.islands,
        );
        let lists = lists.iter().map(|[contacts, joints]| ColorLists {
            contacts: &contacts.slots,
            joints: &joints.slots,
        });
        let lists: SmallVec<[_; COLORS + 1]> = lists.collect();
        self.counters.bounces += self.scratch.solver.solve(SolveInput {
            world: SolverWorld {
                gravity: self.def.gravity,
                tuning: &tuning,
                states: &mut self.bodies.states,
                poses: &self.bodies.poses,
                masses: &self.bodies.masses,
                motions: &self.bodies.motions,
                constraints: self.contacts.solver_constraints(),
                joints: self.joints.sims.write_awake(),
            },
            dt,
            substeps: self.def.substeps,
            last_h: self.history.last_h,
            carried_growth: self.history.carried_growth(dt),
            awake: bodies,
            order,
            joint_traits: &self.joints.traits,
            lists: &lists,
            batches: &self.scratch.batch_plan.batches,
            warm_start: if self.def.warm_starting {
                WarmStarting::On
            } else {
                WarmStarting::Off
            },
            bouncing: if tuning.uses(Mechanism::ImpactPropagation) {
                self.bouncing
            } else {
                Bouncing::Never
            },
            workers,
        });
        self.scratch.geometric_stiffness.restore(&mut self.bodies);
    }

    /// Clears the motions of the last step, and marks the bodies that no constraint of the substeps acts on:
    /// they are integrated in closed form. A kinematic body with contacts or joints moves substep by substep,
    /// like the bodies on it.
    fn mark_free_bodies(&mut self, awake: &[u32], dt: f32) {
        let flies = self.def.tuning.uses(Mechanism::FreeFlight);
        let takes_half_back = self.def.tuning.uses(Mechanism::GroundedHalfStep);
        for &slot in awake {
            let deferred = self.defer_contacts(slot, dt);
            let track = &self.bodies.tracks[slot as usize];
            let free = if track.flags & track_flags::DYNAMIC != 0 {
                track.constraints == deferred
            } else {
                let body = &self.bodies.slots[slot];
                body.contacts.is_empty() && body.joints.is_empty()
            };
            let free = free && flies;
            let grounded = takes_half_back && !free && self.is_grounded(slot);
            let state = &mut self.bodies.states[slot as usize];
            state.delta_position = Vec2::zeros();
            state.delta_rotation = Vec2::new(1.0, 0.0);
            state.flags &= !(state_flags::UNCONSTRAINED | state_flags::GROUNDED);
            if free {
                state.flags |= state_flags::UNCONSTRAINED;
            } else if grounded {
                state.flags |= state_flags::GROUNDED;
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
