//! Per-thread workspaces, and the order of steering: agents are solved in batches of eight; agents with a too long
//! horizon wait for a batch with shorter horizons.

use crate::contacts::Contacts;
use crate::lane_solver::{AgentBatch, LaneOutcome, LaneSolver};
use crate::profile::{Clock, DecisionTime, Stopwatch};
use crate::steer::{Decision, Scratch, SharedScratch, SteeringAgent};
use crate::step_context::StepContext;
use cairn2d_simd::{Kernel, LANES, Lanes8, Simd};
use smallvec::SmallVec;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Slots for the agents of the present batch, and for agents that wait for a batch with shorter horizons.
const SLOTS: usize = 2 * LANES;

/// Of this many agents the first eight are timed: reading the clock for all of them would take as long as ordering
/// neighbors.
///
/// An odd multiple of eight, since every other batch fills a window.
const TIMED: usize = 5 * LANES;

/// Scratch memory of one thread. It is not cleared between uses; results never depend on its contents.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    /// One per slot.
    scratches: [Scratch; SLOTS],
    lanes: LaneSolver,
    /// Scratch that the agents use one after the other.
    shared_scratch: SharedScratch,
    /// Time of the timed agents.
    time: DecisionTime,
}

/// One workspace per thread.
#[derive(Debug, Default)]
pub(crate) struct Workspaces(Vec<Mutex<Workspace>>);

impl Clone for Workspaces {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Workspaces {
    /// Creates a workspace for each thread of the present pool.
    pub(crate) fn set_up(&mut self) {
        let count = rayon::current_num_threads().max(self.0.len());
        self.0.resize_with(count, Mutex::default);
    }

    /// Returns the time of decisions on all threads since the last call.
    pub(crate) fn take_time(&mut self) -> DecisionTime {
        let mut all = DecisionTime::default();
        for workspace in &mut self.0 {
            let workspace = workspace.get_mut().unwrap_or_else(PoisonError::into_inner);
            all.add(&core::mem::take(&mut workspace.time));
        }
        all
    }

    /// Locks the workspace of the present thread.
    pub(crate) fn take(&self) -> MutexGuard<'_, Workspace> {
        let thread = rayon::current_thread_index().unwrap_or(0) % self.0.len();
        self.0[thread]
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Task of a thread: steering of some sorted agents, which notes their decisions and contacts.
pub(crate) struct SteeringTask<'a> {
    pub(crate) workspace: &'a mut Workspace,
    pub(crate) ctx: &'a StepContext<'a>,
    pub(crate) deciders: &'a [u32],
    pub(crate) decisions: &'a mut [Decision],
    pub(crate) contacts: &'a mut Contacts,
    pub(crate) clock: Clock,
}

/// Returns the number of agents from which on a solution in lanes is faster. Never, if a vector takes several
/// registers: there are then too few agents per register.
fn min_batch<L: Lanes8>() -> u32 {
    if L::REGISTERS == 1 { 3 } else { u32::MAX }
}

impl<S: Simd<F32: Lanes8>> Kernel<S> for SteeringTask<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self, simd: S) {
        self.decide::<S::F32>(simd, min_batch::<S::F32>());
    }
}

impl SteeringTask<'_> {
    /// Steers all agents, in lanes if at least `min_batch` agents of a batch allow it.
    #[inline(always)]
    fn decide<L: Lanes8>(self, simd: L::Simd, min_batch: u32) {
        let (ctx, deciders) = (self.ctx, self.deciders);
        let mut queue = SteeringQueue {
            workspace: self.workspace,
            contacts: self.contacts,
            decisions: self.decisions,
            agents: [const { None }; SLOTS],
            places: [0; SLOTS],
            free: (0..SLOTS).collect(),
            waiting: SmallVec::new(),
        };
        let grid = ctx.grid;
        queue.contacts.clear(grid.order.len(), grid.common_share());
        let (mut place, mut sharing) = (0, 0);
        let mut watch = None;
        loop {
            let is_last = place == deciders.len();
            let fresh = !is_last && queue.waiting.len() < LANES;
            let mut slots = LaneSlots::new();
            if fresh {
                let count = LANES.min(deciders.len() - place);
                let free = queue.free.len().saturating_sub(count);
                slots.extend(queue.free.drain(free..));
                queue.workspace.time.rest += watch.as_mut().map_or(0, Stopwatch::lap);
                watch = (place % TIMED == 0).then(|| Stopwatch::new(self.clock));
                sharing = queue.find_neighbors::<L>(simd, ctx, &slots, &deciders[place..], sharing);
                queue.workspace.time.neighbors += watch.as_mut().map_or(0, Stopwatch::lap);
                for (&slot, &own) in slots.iter().zip(&deciders[place..]) {
                    queue.assign::<L>(simd, ctx, slot, own, place);
                    place += 1;
                }
                queue.contacts.begin();
            } else {
                let count = queue.waiting.len().min(LANES);
                slots.extend(queue.waiting.drain(..count));
            }
            if slots.is_empty() {
                break;
            }
            queue.decide::<L>(simd, min_batch, &slots, fresh);
        }
        queue.workspace.time.rest += watch.as_mut().map_or(0, Stopwatch::lap);
    }
}

/// Slots of some agents, one per lane.
type LaneSlots = SmallVec<[usize; LANES]>;

/// Agents that are being steered.
struct SteeringQueue<'a> {
    workspace: &'a mut Workspace,
    contacts: &'a mut Contacts,
    decisions: &'a mut [Decision],
    /// The agent in each slot, and the index of its decision.
    agents: [Option<SteeringAgent<'a>>; SLOTS],
    places: [usize; SLOTS],
    /// Free slots, and slots of waiting agents. With the eight of the present batch they are as many as there are
    /// slots.
    free: SmallVec<[usize; SLOTS]>,
    waiting: SmallVec<[usize; SLOTS]>,
}

impl<'a> SteeringQueue<'a> {
    /// Finds the neighbors of the `first` sorted agents, one per slot. The next `sharing` agents share the present
    /// window; returns their number after this batch.
    ///
    /// A software pipeline: while the candidates of one agent are collected, those of the one before are measured,
    /// and those of the one before that are sorted.
    #[inline(always)]
    fn find_neighbors<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        ctx: &StepContext<'_>,
        slots: &LaneSlots,
        first: &[u32],
        mut sharing: usize,
    ) -> usize {
        let Workspace {
            scratches,
            shared_scratch,
            ..
        } = &mut *self.workspace;
        let searches = &mut shared_scratch.searches;
        for lane in 0..slots.len() + 2 {
            if lane < slots.len() {
                let rest = &first[lane..];
                if sharing == 0 {
                    sharing = searches.fill_shared_window::<L>(simd, ctx, rest);
                }
                sharing -= 1;
                searches.begin::<L>(simd, ctx, lane, rest[0]);
            }
            if (1..=slots.len()).contains(&lane) {
                searches.measure::<L>(simd, ctx, lane - 1);
            }
            if let Some(last) = lane.checked_sub(2) {
                let scratch = &mut scratches[slots[last]];
                scratch.reach = searches.finish::<L>(simd, ctx, last, &mut scratch.neighbors);
            }
        }
        sharing
    }

    /// Puts a sorted agent, whose neighbors are known, into a slot and prepares its decision.
    #[inline(always)]
    fn assign<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        ctx: &'a StepContext<'a>,
        slot: usize,
        own: u32,
        place: usize,
    ) {
        let agent = self.agents[slot].insert(SteeringAgent::new(ctx, own as usize));
        let (scratch, shared_scratch) = (
            &mut self.workspace.scratches[slot],
            &mut self.workspace.shared_scratch,
        );
        agent.prepare::<L>(simd, scratch, shared_scratch);
        self.places[slot] = place;
    }

    /// Decides the velocities of the agents in `slots`, in lanes if at least `min_batch` of them allow it. Agents
    /// that need a shorter horizon are queued. Contacts are noted for a `fresh` batch only.
    #[inline(always)]
    fn decide<L: Lanes8>(&mut self, simd: L::Simd, min_batch: u32, slots: &LaneSlots, fresh: bool) {
        let Workspace {
            scratches, lanes, ..
        } = &mut *self.workspace;
        let batch = AgentBatch::of(&self.agents, scratches, slots);
        let noted = fresh.then_some(&mut *self.contacts);
        lanes.decide::<L>(simd, min_batch, &batch, noted);
        let outcomes = &lanes.outcomes;
        for (lane, (&slot, outcome)) in slots.iter().zip(&outcomes.each).enumerate() {
            let (scratch, agent) = (&mut scratches[slot], &self.agents[slot]);
            let Some(agent) = agent else { continue };
            let level = scratch.plan.level;
            let decision = match outcome {
                LaneOutcome::FoundEdge => scratch.decision(outcomes.choice(lane, agent)),
                LaneOutcome::HorizonTooLong => {
                    scratch.plan.level = level + 1;
                    self.waiting.push(slot);
                    continue;
                }
                LaneOutcome::Infeasible | LaneOutcome::Skipped => {
                    let is_new = fresh && matches!(outcome, LaneOutcome::Skipped);
                    let noted = is_new.then_some((&mut *self.contacts, lane));
                    agent.decide::<L>(simd, scratch, noted, level)
                }
            };
            self.decisions[self.places[slot]] = decision;
            self.free.push(slot);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::{AgentDef, Model};
    use crate::edge_tree::EdgeTree;
    use crate::grid::Grid;
    use crate::store::Store;
    use cairn2d_geometry::math::vec2;
    use cairn2d_simd::{BASELINE8, Level};
    use proptest::prelude::*;

    /// Steers all agents, in lanes or each alone; returns the decisions and contacts as text.
    struct Decide<'a>(&'a StepContext<'a>, bool);

    impl<S: Simd<F32: Lanes8>> Kernel<S> for Decide<'_> {
        type Output = String;
        #[inline(always)]
        fn run(self, simd: S) -> String {
            let Self(ctx, alone) = self;
            let (mut contacts, workspace) = (Contacts::default(), &mut Workspace::default());
            let deciders: Vec<u32> = (0..ctx.store.len() as u32).collect();
            let mut decisions = vec![Decision::default(); deciders.len()];
            if alone {
                contacts.clear(deciders.len(), ctx.grid.common_share());
                for (own, decision) in decisions.iter_mut().enumerate() {
                    if own % LANES == 0 {
                        contacts.begin();
                    }
                    let (agent, scratch) =
                        (SteeringAgent::new(ctx, own), &mut workspace.scratches[0]);
                    agent.gather::<S::F32>(simd, scratch, &mut SharedScratch::default());
                    let (noted, level) = ((&mut contacts, own % LANES), scratch.plan.level);
                    *decision = agent.decide::<S::F32>(simd, scratch, Some(noted), level);
                }
            } else {
                let all = SteeringTask {
                    workspace,
                    ctx,
                    deciders: &deciders,
                    decisions: &mut decisions,
                    contacts: &mut contacts,
                    clock: || 0,
                };
                all.decide::<S::F32>(simd, 1);
            }
            format!("{decisions:?} {:?}", contacts.listed())
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// Agents in lanes decide as each does alone, at every width: in dense and loose crowds, with others at the
        /// same position, with weights, limits of acceleration and turns, and other models among them.
        #[test]
        fn lanes_decide_as_single_agents(
            agents in proptest::collection::vec(
                ((0u8..40, 0u8..12), (-1.5f32..1.5, -1.5f32..1.5), (-1.0f32..1.0, -1.0f32..1.0), 0.1f32..0.6, 0u8..12, 0u8..6),
                1..60),
            spread in 0.2f32..1.5, uniform in any::<bool>(),
        ) {
            let mut store = Store::default();
            for &(at, v, preferred, radius, limit, kind) in &agents {
                let kind = if uniform { 0 } else { kind };
                let plain = AgentDef::at((f32::from(at.0) * spread, f32::from(at.1) * spread));
                store.insert(&AgentDef {
                    velocity: vec2(v.0, v.1),
                    preferred_velocity: vec2(preferred.0, preferred.1),
                    radius,
                    neighbor_limit: limit.into(),
                    model: if kind == 1 { Model::Reciprocal } else { Model::Orca },
                    max_acceleration: if kind == 2 { 3.0 } else { f32::INFINITY },
                    max_turn_rate: if kind == 3 { 1.0 } else { f32::INFINITY },
                    weight: if kind == 4 { 0.0 } else { 1.0 },
                    ..plain
                });
            }
            for (row, agent) in agents.iter().enumerate() {
                let memory = &mut store.memory[row];
                memory.turn = [0.0, 0.2, 0.9, 1.5][usize::from(agent.5) % 4];
                memory.level = agent.4 % 5;
                memory.wanted = vec2(agent.2.0, agent.2.1);
            }
            store.reach.fill(2.0);
            let mut grid = Grid::default();
            grid.build(&store, 3.0);
            let walls = EdgeTree::default();
            let ctx = StepContext { store: &store, grid: &grid, walls: [&walls; 2], step: 0.1 };
            let want = Level::Baseline(BASELINE8).enter(Decide(&ctx, true));
            for width in Level::available() {
                prop_assert_eq!(&width.enter(Decide(&ctx, false)), &want);
                prop_assert_eq!(&width.enter(Decide(&ctx, true)), &want);
            }
        }
    }
}
