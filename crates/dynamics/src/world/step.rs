//! The step: the stages in their order, and nothing else.

use crate::bitset::BitSet;
use crate::body::state::state_flags;
use crate::graph::COLORS;
use crate::profile::{Counters, StageTimer};
use crate::solver::{BrokenJoint, ColorLists, SolveInput, Threads, WarmStarting};
use crate::tuning::MAX_STEP;
use crate::world::pairing::PairRules;
use crate::world::{World, WorldError};
use cairn2d_broadphase::{Pair, ProxyId, Sharing};
use cairn2d_geometry::Aabb;
use cairn2d_geometry::math::Vec2;

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
    /// Contacts that were hits.
    pub(crate) hits: Vec<u32>,
    /// Bodies that the solver moved in this step.
    pub(crate) moving: BitSet,
    pub(crate) findings: Vec<super::finalize::Findings>,
    pub(crate) hunt: super::continuous::Hunt,
    pub(crate) broken: Vec<BrokenJoint>,
    pub(crate) crossed: Vec<(u32, u32)>,
    pub(crate) islands: Vec<u32>,
    pub(crate) stack: Vec<u32>,
    /// Islands with a body that was not slow for long enough.
    pub(crate) restless: BitSet,
    /// Wounded island whose body has been slow longest.
    pub(crate) split_candidate: Option<u32>,
}

impl World {
    /// Lets `dt` \[s\] pass. Usual is a fixed 1/60 s: results repeat only for the same sequence of steps.
    ///
    /// A `dt` of 0 changes nothing. Of more than a quarter of a second only that much is simulated
    /// ([`MAX_STEP`](crate::MAX_STEP)): a game that was held up goes on, it does not explode.
    ///
    /// # Panics
    /// If `dt` is negative or not finite; [`try_step`](Self::try_step) returns the error instead.
    #[track_caller]
    pub fn step(&mut self, dt: f32) {
        self.try_step(dt)
            .unwrap_or_else(|error| panic!("cannot step the world: {error}"));
    }

    /// Lets `dt` \[s\] pass: see [`step`](Self::step).
    ///
    /// # Errors
    /// If `dt` is negative or not finite. The world is then unchanged.
    pub fn try_step(&mut self, dt: f32) -> Result<(), WorldError> {
        crate::error::not_negative("dt", dt)?;
        if dt > 0.0 {
            self.advance(dt.min(MAX_STEP));
        }
        Ok(())
    }

    fn advance(&mut self, dt: f32) {
        let mut timer = StageTimer::start(self.def.clock);
        self.counters = Counters::default();

        self.stop_runaways(dt);
        self.expire_ignores(dt);
        self.update_pairs();
        self.profile.pairs = timer.lap();
        self.collide();
        self.profile.collide = timer.lap();
        self.link_and_unlink();
        self.profile.links = timer.lap();
        self.solve(dt);
        self.profile.solve = timer.lap();
        self.finalize(dt);
        self.profile.finalize = timer.lap();
        self.continuous(dt);
        self.profile.continuous = timer.lap();
        self.refit();
        self.profile.refit = timer.lap();
        self.sleep_islands();
        self.profile.islands = timer.lap();
        self.complete_events();
        self.profile.events = timer.lap();

        self.profile.step = timer.total();
        self.count();
        self.steps += 1;
    }

    /// Stage 1: moved proxies into pairs, pairs into contacts, in order of shape slots.
    fn update_pairs(&mut self) {
        self.broad.set_sharing(match self.def.threads {
            1 => Sharing::Alone,
            _ => Sharing::Pool,
        });
        let rules = PairRules {
            bodies: &self.bodies,
            shapes: &self.shapes,
            joints: &self.joints,
            ignores: &self.ignores,
            filter: self.hooks.pair_filter.as_deref(),
        };
        let accept = |a: u32, b: u32| {
            let (shape_a, shape_b) = (&rules.shapes[a], &rules.shapes[b]);
            let pushes =
                rules.bodies.is_dynamic(shape_a.body) || rules.bodies.is_dynamic(shape_b.body);
            (pushes || shape_a.sensor || shape_b.sensor) && rules.allow(a, b)
        };
        let found = self.broad.update_pairs(accept);
        let mut pairs = core::mem::take(&mut self.scratch.pairs);
        pairs.clear();
        pairs.extend_from_slice(found);
        for (i, pair) in pairs.iter().enumerate() {
            self.prefetch_contact(&pairs[i..]);
            self.create_contact(pair.a, pair.b);
        }
        self.counters.new_pairs = pairs.len();
        self.scratch.pairs = pairs;
    }

    /// Stage 4: the solver, from the constraint graph and the hot records.
    fn solve(&mut self, dt: f32) {
        let mut awake = core::mem::take(&mut self.scratch.awake);
        awake.clear();
        awake.extend(self.bodies.awake.iter());
        self.mark_free_bodies(&awake, dt);
        let mut colors = [ColorLists::default(); COLORS];
        for (lists, color) in colors.iter_mut().zip(&self.graph.colors) {
            *lists = ColorLists {
                contacts: &color.contacts,
                joints: &color.joints,
            };
        }
        let overflow = self.graph.overflow();
        let stats = self.solver.solve(SolveInput {
            dt,
            substeps: self.def.substeps,
            gravity: self.def.gravity,
            tuning: &self.def.tuning,
            states: &mut self.bodies.states,
            poses: &self.bodies.poses,
            masses: &self.bodies.masses,
            motions: &self.bodies.motions,
            awake: &awake,
            patches: &mut self.patches,
            joints: &mut self.joint_sims,
            colors: &colors,
            overflow: ColorLists {
                contacts: &overflow.contacts,
                joints: &overflow.joints,
            },
            warm_start: match self.def.warm_starting {
                super::Switch::On => WarmStarting::On,
                super::Switch::Off => WarmStarting::Off,
            },
            bouncing: self.bouncing,
            threads: Threads {
                count: self.def.threads.max(1) as usize,
                pool: self.pool.as_deref(),
            },
        });
        self.counters.bounces = stats.bounces as usize;
        self.last_substeps = self.def.substeps as f32;
        self.last_inv_h = self.last_substeps / dt;
        self.scratch.awake = awake;
        self.report_hits();
    }

    /// Tells the solver which bodies fly freely this step.
    fn mark_free_bodies(&mut self, awake: &[u32], dt: f32) {
        for &slot in awake {
            let left_out = self.leave_out_contacts(slot, dt);
            let state = &mut self.bodies.states[slot as usize];
            state.delta_position = Vec2::zeros();
            state.delta_rotation = Vec2::new(1.0, 0.0);
            if self.bodies.tracks[slot as usize].constraints == left_out {
                state.flags |= state_flags::FREE;
            } else {
                state.flags &= !state_flags::FREE;
            }
        }
    }

    /// Stage 7: grown boxes into the broad phase.
    fn refit(&mut self) {
        self.broad.grow_many(&self.scratch.grown);
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
        let used = |lists: &&crate::graph::Color| !lists.is_empty();
        let counters = &mut self.counters;
        counters.bodies = self.bodies.slots.len();
        counters.awake_bodies = self.scratch.awake.len();
        counters.shapes = self.shapes.len();
        counters.contacts = self.contacts.len();
        counters.joints = self.joints.len();
        counters.islands = self.islands.len();
        let colors = &self.graph.colors[..COLORS];
        counters.colors = colors.iter().filter(used).count();
        let overflow = self.graph.overflow();
        counters.overflow = overflow.contacts.len() + overflow.joints.len();
        counters.solved_contacts = self
            .graph
            .colors
            .iter()
            .map(|color| color.contacts.len())
            .sum();
    }
}
