//! Per-thread workspaces, and the order of steering: agents are solved in batches of eight; agents whose horizon is too
//! long wait for a batch with shorter horizons.

use crate::contacts::Contacts;
use crate::neighbors::search::NeighborSearches;
use crate::neighbors::step_context::StepContext;
use crate::orca::agent::SteeringAgent;
use crate::orca::obstacle_lines::Edges;
use crate::orca::solver::{AgentBatch, Solver};
use crate::orca::steer::{AgentScratch, Decision};
use crate::schedule::slices::TimeSlices;
use crate::tuning::CHUNK;
use cairn2d_simd::{Kernel, LANES, Lanes8, Simd, each_lane};
use smallvec::SmallVec;

/// Slots for the agents of the present batch, and for agents that wait for a batch with shorter horizons.
const SLOTS: usize = 2 * LANES;

/// Scratch memory of one thread. It is not cleared between uses; results never depend on its contents.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    /// One per slot.
    pub(crate) scratches: [AgentScratch; SLOTS],
    pub(crate) solver: Solver,
    pub(crate) searches: NeighborSearches,
    edges: Edges,
}

impl Workspace {
    /// Decides the velocity of the sorted agent `own` alone, in the first slot; returns the agent.
    #[inline(always)]
    pub(crate) fn decide_alone<'a, S: Simd<F32: Lanes8>>(
        &mut self,
        simd: S,
        ctx: &'a StepContext<'a>,
        own: u32,
    ) -> SteeringAgent<'a> {
        let agents = [Some(SteeringAgent::new(ctx, own))];
        let [Some(agent)] = &agents else {
            unreachable!("just made")
        };
        let first = &mut self.scratches[0];
        let neighbors = &mut first.neighbors;
        first.reach = self
            .searches
            .find_neighbors::<S::F32>(simd, ctx, own, neighbors);
        agent.prepare(first, &mut self.edges);
        loop {
            let batch = AgentBatch::of(&agents, &self.scratches, &[0]);
            self.solver.decide::<S::F32>(simd, &batch, None);
            self.scratches[0].plan.level = self.solver.outcomes.levels[0];
            if !self.solver.outcomes.too_long[0] {
                break;
            }
            self.scratches[0].plan.level += 1;
        }
        SteeringAgent::new(ctx, own)
    }
}

/// One workspace per thread; a clone has none.
#[derive(Debug, Default)]
pub(crate) struct Workspaces(pub(crate) Vec<Workspace>);

impl Clone for Workspaces {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Task of a thread: steering of the agents that are due among some sorted ones. Stores their decisions and velocities,
/// and notes the contacts of all.
pub(crate) struct SteeringTask<'a> {
    pub(crate) workspace: &'a mut Workspace,
    pub(crate) ctx: &'a StepContext<'a>,
    pub(crate) slices: &'a TimeSlices,
    /// Index of the first agent.
    pub(crate) first: usize,
    pub(crate) decisions: &'a mut [Decision],
    pub(crate) velocities: &'a mut [[f32; 2]],
    pub(crate) contacts: &'a mut Contacts,
}

impl SteeringTask<'_> {
    /// Lists the agents that are due, then the others; returns the two parts.
    fn by_turn<'l>(&mut self, list: &'l mut [u32; CHUNK]) -> [&'l [u32]; 2] {
        let (slices, ctx) = (self.slices, self.ctx);
        let first = self.first as u32;
        let agents = first..first + self.velocities.len() as u32;
        let mut len = 0;
        let mut add = |agent: u32| {
            list[len] = agent;
            len += 1;
        };
        let is_due = |agent: &u32| slices.is_due(ctx.slot(*agent));
        agents.clone().filter(is_due).for_each(&mut add);
        let count = agents.clone().filter(is_due).count();
        agents.filter(|agent| !is_due(agent)).for_each(add);
        let (due, others) = list[..self.velocities.len()].split_at(count);
        for &agent in others {
            self.decisions[agent as usize - self.first].infeasible = false;
        }
        [due, others]
    }
}

impl<S: Simd<F32: Lanes8>> Kernel<S> for SteeringTask<'_> {
    type Output = ();
    #[inline(always)]
    fn run(mut self, simd: S) {
        let mut list = [0; CHUNK];
        let [deciders, others] = self.by_turn(&mut list);
        let mut queue = SteeringQueue {
            task: &mut self,
            agents: [const { None }; SLOTS],
            free: (0..SLOTS).collect(),
            waiting: SmallVec::new(),
        };
        let (mut place, mut sharing) = (0, 0);
        loop {
            let is_fresh = place < deciders.len() && queue.waiting.len() < LANES;
            let mut slots = LaneSlots::new();
            if is_fresh {
                let count = LANES.min(deciders.len() - place);
                // Pops, not a drain, which stays a call.
                slots.extend((0..count).filter_map(|_| queue.free.pop()));
                let next = &deciders[place..];
                sharing = queue.find_neighbors::<S::F32>(simd, &slots, next, sharing);
                for (&slot, &own) in slots.iter().zip(next) {
                    queue.assign(slot, own);
                    place += 1;
                }
                queue.task.contacts.begin();
            } else {
                let count = queue.waiting.len().min(LANES);
                slots.extend(queue.waiting.drain(..count));
            }
            if slots.is_empty() {
                break;
            }
            queue.decide::<S::F32>(simd, &slots, is_fresh);
        }
        queue.meet::<S::F32>(simd, others);
    }
}

/// Slots of some agents, one per lane.
type LaneSlots = SmallVec<[usize; LANES]>;

/// Agents that are being steered.
struct SteeringQueue<'q, 'a> {
    task: &'q mut SteeringTask<'a>,
    /// The agent in each slot.
    agents: [Option<SteeringAgent<'a>>; SLOTS],
    /// Free slots, and slots of waiting agents. With the eight of the present batch they are as many as there are
    /// slots.
    free: SmallVec<[usize; SLOTS]>,
    waiting: SmallVec<[usize; SLOTS]>,
}

impl SteeringQueue<'_, '_> {
    /// Finds the neighbors of the `first` sorted agents, one per slot. The next `sharing` agents share the present
    /// window; returns their number after this batch.
    ///
    /// A software pipeline: while the candidates of one agent are collected, those of the one before are measured,
    /// and those of the one before that are sorted.
    #[inline(always)]
    fn find_neighbors<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        slots: &LaneSlots,
        first: &[u32],
        mut sharing: usize,
    ) -> usize {
        let Workspace {
            scratches,
            searches,
            ..
        } = &mut *self.task.workspace;
        let ctx = self.task.ctx;
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
    fn assign(&mut self, slot: usize, own: u32) {
        let agent = self.agents[slot].insert(SteeringAgent::new(self.task.ctx, own));
        let Workspace {
            scratches, edges, ..
        } = &mut *self.task.workspace;
        agent.prepare(&mut scratches[slot], edges);
    }

    /// Finds the contacts of agents that keep their choices: without them these agents would not give way to the push of those
    /// that decide.
    #[inline(always)]
    fn meet<L: Lanes8>(&mut self, simd: L::Simd, agents: &[u32]) {
        let ctx = self.task.ctx;
        let ctx = StepContext {
            step: ctx.contact_step,
            ..*ctx
        };
        let mut sharing = 0;
        for first in (0..agents.len()).step_by(LANES) {
            let rest = &agents[first..];
            let slots: LaneSlots = (0..LANES.min(rest.len())).collect();
            sharing = self.find_neighbors::<L>(simd, &slots, rest, sharing);
            let Workspace {
                scratches,
                solver,
                edges,
                ..
            } = &mut *self.task.workspace;
            let batch = each_lane(|lane| rest.get(lane).map(|&own| SteeringAgent::new(&ctx, own)));
            for (agent, scratch) in batch.iter().flatten().zip(&mut *scratches) {
                agent.prepare_contacts(scratch, edges);
            }
            self.task.contacts.begin();
            let batch = AgentBatch::of(&batch, scratches, &slots);
            solver.meet::<L>(simd, &batch, Some(&mut *self.task.contacts));
        }
    }

    /// Decides the velocities of the agents in `slots`. Agents that need a shorter horizon are queued. Contacts are
    /// noted for a `fresh` batch only.
    #[inline(always)]
    fn decide<L: Lanes8>(&mut self, simd: L::Simd, slots: &LaneSlots, fresh: bool) {
        let SteeringTask {
            workspace,
            first,
            decisions,
            velocities,
            contacts,
            ..
        } = &mut *self.task;
        let Workspace {
            scratches, solver, ..
        } = &mut **workspace;
        let batch = AgentBatch::of(&self.agents, scratches, slots);
        solver.decide::<L>(simd, &batch, fresh.then_some(&mut **contacts));
        let outcomes = &solver.outcomes;
        for (lane, &slot) in slots.iter().enumerate() {
            let (scratch, agent) = (&mut scratches[slot], &self.agents[slot]);
            let Some(agent) = agent else { continue };
            if outcomes.too_long[lane] {
                scratch.plan.level = outcomes.levels[lane] + 1;
                self.waiting.push(slot);
                continue;
            }
            let place = agent.own as usize - *first;
            velocities[place] = outcomes.velocity(lane);
            decisions[place] = outcomes.decision(lane, scratch);
            self.free.push(slot);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbors::grid::Grid;
    use crate::obstacles::edge_tree::EdgeTree;
    use crate::obstacles::obstacle::{Obstacle, ObstacleDef};
    use crate::store::Store;
    use crate::store::agent::{AgentDef, Model};
    use crate::store::id::Slots;
    use cairn2d_geometry::math::{point, vec2};
    use cairn2d_simd::{BASELINE8, Level};
    use proptest::prelude::*;

    /// Steers all agents together, or each alone; returns the decisions, and the contacts, as text.
    struct Decide<'a>(&'a StepContext<'a>, bool);

    impl<S: Simd<F32: Lanes8>> Kernel<S> for Decide<'_> {
        type Output = [String; 2];
        #[inline(always)]
        fn run(self, simd: S) -> [String; 2] {
            let Self(ctx, alone) = self;
            let (mut contacts, workspace) = (Contacts::default(), &mut Workspace::default());
            let mut decisions = vec![Decision::default(); ctx.store.len()];
            let mut velocities = vec![[0.0; 2]; decisions.len()];
            if alone {
                let all = decisions.iter_mut().zip(&mut velocities);
                for (own, (decision, velocity)) in (0..).zip(all) {
                    workspace.decide_alone(simd, ctx, own);
                    let outcomes = &workspace.solver.outcomes;
                    *decision = outcomes.decision(0, &workspace.scratches[0]);
                    *velocity = outcomes.velocity(0);
                }
            } else {
                let task = SteeringTask {
                    workspace,
                    ctx,
                    slices: &TimeSlices::default(),
                    first: 0,
                    decisions: &mut decisions,
                    velocities: &mut velocities,
                    contacts: &mut contacts,
                };
                task.contacts
                    .clear(ctx.grid.order.len(), ctx.grid.common_share());
                task.run(simd);
            }
            [
                format!("{decisions:?} {velocities:?}"),
                format!("{contacts:?}"),
            ]
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// Agents decide in a batch as each does alone, at every width: in dense and loose crowds, with others at the
        /// same position, with weights, limits of acceleration and turns, walls, and other models among them.
        #[test]
        fn a_batch_decides_as_each_agent_alone(
            agents in proptest::collection::vec(
                ((0u8..40, 0u8..12), (-1.5f32..1.5, -1.5f32..1.5), (-1.0f32..1.0, -1.0f32..1.0), 0.1f32..0.6, 0u8..12, 0u8..6),
                1..60),
            spread in 0.2f32..1.5, uniform in any::<bool>(), with_walls in any::<bool>(),
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
                    model: [Model::Orca, Model::Reciprocal, Model::Hybrid, Model::VelocityObstacle][usize::from(kind == 1) * (1 + limit as usize % 3)],
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
            grid.build(&store, 3.0, 1);
            let mut obstacles = Slots::default();
            let wall = [point(1.0, 1.0), point(9.0, 1.5), point(9.0, 4.0)];
            if with_walls {
                obstacles.insert(Obstacle::new(&ObstacleDef::line(wall)));
            }
            let [mut walls, none] = [EdgeTree::default(), EdgeTree::default()];
            walls.build(&obstacles, false);
            let ctx = StepContext { store: &store, grid: &grid, walls: [&walls, &none], step: 0.1, contact_step: 0.1 };
            let want = Level::Baseline(BASELINE8).enter(Decide(&ctx, false));
            for width in Level::available() {
                prop_assert_eq!(&width.enter(Decide(&ctx, false)), &want);
                prop_assert_eq!(&width.enter(Decide(&ctx, true))[0], &want[0]);
            }
        }
    }
}
