//! The step: the stages in their order, and nothing else.

use super::landings::is_fast;
use super::substeps::{Batches, lists_of};
use crate::bitset::BitSet;
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
use crate::solver::{BodyOrder, ColorLists, MeasuredJoint, SolveInput, SolverWorld, WarmStarting};
use crate::step_context::StepContext;
use crate::substep_level::SUBSTEP_LEVELS;
use crate::tuning::MAX_STEP;
use crate::workers::StepWorkers;
use crate::world::pairing::PairRules;
use crate::world::{World, WorldError};
use crate::world_def::Switch;
use cairn2d_broadphase::Workers as _;
use cairn2d_broadphase::{Pair, ProxyId, Sharing};
use cairn2d_geometry::Aabb;
use cairn2d_geometry::math::Vec2;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Contacts up to which a body is looked at for whether all of them are with fixed ground: what rolls or slides touches one
/// thing, or two at a seam or in a groove. Looking at all contacts of a pile would take longer than what it is for.
const MAX_GROUND_CONTACTS: u32 = 2;

/// Lists that a step fills and empties; kept so that a settled step allocates nothing. No part of the
/// world's state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) awake: Vec<u32>,
    pub(crate) pairs: Vec<Pair>,
    pub(crate) changes: super::collide::ChangeBits,
    pub(crate) grown: Vec<(ProxyId, Aabb)>,
    pub(crate) fast: Vec<u32>,
    /// How many of these moved further than their half thickness.
    pub(crate) far: usize,
    /// Those of them that spin, so that their ends moved further than that; none where many do.
    pub(crate) spinning: BitSet,
    /// What has contacts with these.
    pub(crate) beside_spinning: BitSet,
    /// Whether bounces of this step are solved when they happen.
    pub(crate) lively: bool,
    /// Contacts that were hits.
    pub(crate) hits: Vec<u32>,
    /// Bodies that were shot at something.
    pub(crate) shot: Vec<u32>,
    /// Contacts that others covered in the last step.
    pub(crate) covered: Vec<u32>,
    /// Contacts of one body with what is not dynamic.
    pub(crate) touches: Vec<super::seams::Touch>,
    /// Bodies that the solver moved in this step.
    pub(crate) moving: BitSet,
    pub(crate) findings: Vec<super::finalize::Findings>,
    pub(crate) hunt: super::continuous::Hunt,
    pub(crate) broken: Vec<MeasuredJoint>,
    pub(crate) crossed: Vec<(u32, u32)>,
    pub(crate) islands: Vec<u32>,
    pub(crate) batch_plan: BatchPlan,
    pub(crate) spatial_order: SpatialOrder,
    pub(crate) levels: super::build::Levels,
    pub(crate) direct: super::direct::DirectLists,
    pub(crate) batches: Batches,
    pub(crate) stack: Vec<u32>,
    pub(crate) blows: super::blows::BlowLists,
    pub(crate) loads: super::loads::LoadLists,
    /// Bodies on nothing but fixed ground that move fast.
    pub(crate) landing: Vec<u32>,
    /// Islands with a body that was not slow for long enough.
    pub(crate) restless: BitSet,
    /// Wounded island whose body has been slow longest.
    pub(crate) split_candidate: Option<u32>,
}

/// Bodies and contacts from which several threads share a step. A smaller step ends before the threads start.
const MIN_WORK_TO_SHARE: usize = 500;

impl World {
    /// Lets `dt` \[s\] pass. Usual is a fixed 1/60 s: results repeat only for the same sequence of steps.
    ///
    /// A `dt` of 0 changes nothing. Of more than a quarter of a second only that much is simulated
    /// ([`MAX_STEP`](crate::MAX_STEP)): a game that was held up goes on, it does not explode. Such steps are counted by
    /// [`Counters::clamped_steps`].
    ///
    /// # Panics
    /// If `dt` is negative or not finite; [`try_step`](Self::try_step) returns the error instead.
    #[track_caller]
    pub fn step(&mut self, dt: f32) {
        demand(self.try_step(dt), "step the world");
    }

    /// Lets `dt` \[s\] pass: see [`step`](Self::step).
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
        StepWorkers::with(self.thread_count(), pool.as_deref(), |workers| {
            self.advance_with(workers, dt);
        });
    }

    /// Returns the number of threads for a step.
    fn thread_count(&self) -> usize {
        let work = self.bodies.awake.len() + self.contacts.awake.len();
        if work < MIN_WORK_TO_SHARE {
            1
        } else {
            self.def.threads as usize
        }
    }

    fn advance_with(&mut self, workers: &StepWorkers, dt: f32) {
        let mut timer = StageTimer::start(self.def.clock);
        self.counters = Counters {
            clamped_steps: self.counters.clamped_steps,
            ..Counters::default()
        };

        self.refresh_changed_bodies();
        self.stop_runaways(dt);
        self.expire_ignores(dt);
        self.update_pairs(workers);
        self.profile.pairs = timer.lap();
        self.collide(workers);
        self.profile.collide = timer.lap();
        self.link_and_unlink();
        self.cover_seams();
        self.profile.links = timer.lap();
        self.solve(workers, dt);
        self.profile.solve = timer.lap();
        self.finalize(workers, dt);
        self.profile.finalize = timer.lap();
        let swept = self.continuous(workers, dt);
        self.profile.continuous = timer.lap();
        self.refit();
        self.profile.refit = timer.lap();
        self.report_presses(dt);
        self.report_exits();
        self.sleep_islands();
        self.profile.islands = timer.lap();
        self.complete_events();
        self.profile.events = timer.lap();

        self.profile.step = timer.total();
        self.count();
        self.steps += 1;
        // The user's filter panicked. The bodies have moved by then: the step is complete but for the sweeps that were left.
        if let Err(panic) = swept {
            resume_unwind(panic);
        }
    }

    /// Stage 1: moved proxies into pairs, pairs into contacts, in order of shape slots.
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
            // The user's filter panicked, and may be caught further up: the next step must find the pairs again.
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

    /// Stage 4: the solver, from the constraint graph and the hot records. Islands of more substeps come first, so that
    /// bodies which they share with others, the kinematic ones, end where the world's substeps take them.
    fn solve(&mut self, workers: &StepWorkers, dt: f32) {
        let mut awake = core::mem::take(&mut self.scratch.awake);
        awake.clear();
        awake.extend(self.bodies.awake.iter());
        self.leave_out_before_blows(&awake, dt);
        self.choose_substeps(dt);
        self.mark_lively(&awake, dt);
        self.mark_hammers(&awake);
        self.mark_free_bodies(&awake, dt);
        self.stop_landings(dt);
        self.move_hammers();
        let ctx = StepContext {
            def: &self.def,
            dt,
            last_h: self.last_h,
            steps: self.steps,
        };
        self.depenetration.project(
            &ctx,
            &mut self.bodies,
            &self.shapes,
            &mut self.contacts,
            &mut self.joints,
        );
        self.solver.begin_step();
        let h = dt / self.def.substeps as f32;
        self.last_h = if self.last_h > 0.0 { self.last_h } else { h };
        self.hand_down_loads(dt);
        self.choose_direct_islands(dt);
        self.solve_direct_islands(dt);
        let mut spatial_order = core::mem::take(&mut self.scratch.spatial_order);
        let order = spatial_order.update(
            workers.count(),
            &awake,
            &self.bodies.poses,
            &mut self.graph,
            &mut self.contacts,
            &mut self.joints,
        );
        let bodies = match order {
            BodyOrder::Slots => &awake[..],
            BodyOrder::Places => spatial_order.bodies(),
        };
        let graph = core::mem::replace(&mut self.graph, ConstraintGraph::EMPTY);
        if self.islands.is_any_strained() {
            self.solve_batches(workers, dt, (bodies, order), &graph);
            self.was_strained = true;
        } else {
            let noted = core::mem::take(&mut self.was_strained).then_some(0.0);
            let bodies = (bodies, order);
            self.solve_batch(workers, dt, 0, bodies, &lists_of(&graph), noted);
        }
        self.scratch.spatial_order = spatial_order;
        self.last_h = h;
        self.last_substeps = self.def.substeps as f32;
        self.note_joint_loads();
        self.unmark_direct_islands();
        self.graph = graph;
        self.scratch.awake = awake;
        self.forget_shots();
        self.report_hits();
    }

    /// Solves islands by how much effort they get.
    fn solve_batches(
        &mut self,
        workers: &StepWorkers,
        dt: f32,
        (awake, order): (&[u32], BodyOrder),
        graph: &ConstraintGraph,
    ) {
        let mut batches = core::mem::take(&mut self.scratch.batches);
        self.fill_batches(&mut batches, awake, graph);
        for (level, effort) in SUBSTEP_LEVELS.iter().enumerate().rev() {
            if let Some(batch) = batches.of_level(level) {
                let noted = match effort.is_usual() {
                    true => 0.0,
                    false => dt / effort.substeps(self.def.substeps) as f32,
                };
                let bodies = (&batch.bodies[..], order);
                self.put_back_kinematic(&batch.bodies);
                self.solve_batch(workers, dt, level, bodies, &batch.lists(), Some(noted));
            }
        }
        self.scratch.batches = batches;
    }

    /// Solves constraints, by color and the overflow last, with this level of effort. Contacts note the length of their substeps if
    /// there is one to note.
    fn solve_batch(
        &mut self,
        workers: &StepWorkers,
        dt: f32,
        level: usize,
        (bodies, order): (&[u32], BodyOrder),
        lists: &[OwnedLists<'_>; COLORS + 1],
        noted_substep: Option<f32>,
    ) {
        let effort = &SUBSTEP_LEVELS[level];
        let mut tuning = effort.tuning(&self.def.tuning);
        let [hertz, damping_ratio] = effort.joints(&self.def.tuning);
        if !effort.is_usual() {
            tuning.contact_push_speed = self.push_speed_under_loads(level, dt);
        }
        self.scratch.batch_plan.fill(
            bodies,
            lists,
            &self.bodies,
            &self.contacts,
            &self.joints,
            &self.islands,
        );
        let lists = lists.each_ref().map(|[contacts, joints]| ColorLists {
            contacts: &contacts.slots,
            joints: &joints.slots,
        });
        let bounces = self.solver.solve(SolveInput {
            world: SolverWorld {
                gravity: self.def.gravity,
                tuning: &tuning,
                states: &mut self.bodies.states,
                poses: &self.bodies.poses,
                masses: &self.bodies.masses,
                motions: &self.bodies.motions,
                constraints: &mut self.contacts.constraints,
                joints: &mut self.joints.sims,
            },
            dt,
            substeps: effort.substeps(self.def.substeps),
            last_h: self.last_h,
            noted_substep,
            contact_share: effort.contact_share(),
            joint_softness: JointSoftness {
                hertz,
                damping_ratio,
            },
            awake: bodies,
            order,
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
        self.counters.bounces += bounces;
    }

    /// Tells the solver which bodies fly freely this step: in one go. A kinematic body that something may touch moves
    /// substep by substep, like what it carries.
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

    /// Says whether nothing constrains the dynamic body in `slot` but one or two contacts with what is static.
    fn is_grounded(&self, slot: u32) -> bool {
        let track = &self.bodies.tracks[slot as usize];
        let body = &self.bodies.slots[slot];
        let is_dynamic = track.flags & track_flags::DYNAMIC != 0;
        let is_static = |body: u32| self.bodies.slots[body].kind == BodyKind::Static;
        let is_harmless = |&contact: &u32| {
            let contact = &self.contacts.slots[contact];
            contact.graph == GraphPlace::NONE
                || is_static(contact.body_a)
                || is_static(contact.body_b)
        };
        is_dynamic
            && track.constraints <= MAX_GROUND_CONTACTS
            && body.firm_touches > 0
            && body.joints.is_empty()
            && body.contacts.iter().all(is_harmless)
    }

    /// Stage 7: grown boxes into the broad phase.
    pub(crate) fn refit(&mut self) {
        self.broad.enlarge_many(&self.scratch.grown);
        self.counters.grown_boxes = self.scratch.grown.len();
        self.scratch.grown.clear();
    }

    /// Stage 9: what could only be known at the end of the step.
    fn complete_events(&mut self) {
        self.remove_broken_joints();
        self.complete_begin_events();
        self.events.publish();
    }

    fn count(&mut self) {
        self.counters.massless_bodies = self.massless_bodies().count();
        let used = |lists: &&crate::graph::Color| !lists.is_empty();
        let counters = &mut self.counters;
        counters.bodies = self.bodies.slots.len();
        counters.awake_bodies = self.scratch.awake.len();
        counters.shapes = self.shapes.slots.len();
        counters.contacts = self.contacts.slots.len();
        counters.joints = self.joints.slots.len();
        counters.tree_height = self.broad.stats().height;
        counters.islands = self.islands.len();
        counters.substepped_islands = self.islands.strained_awake().count();
        counters.direct_islands = self.islands.direct_awake().count();
        let colors = &self.graph.colors[..COLORS];
        counters.colors = colors.iter().filter(used).count();
        let overflow = self.graph.overflow();
        counters.overflow = overflow.contacts.slots.len() + overflow.joints.slots.len();
        counters.solved_contacts = self
            .graph
            .colors
            .iter()
            .map(|color| color.contacts.slots.len())
            .sum();
    }
}
