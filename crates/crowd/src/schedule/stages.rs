//! The stages of a step: sort the agents, decide, settle contacts, record.

use crate::contacts::Contacts;
use crate::contacts::sweeps::Sweeps;
use crate::limits::heading::Heading;
use crate::neighbors::grid::Grid;
use crate::neighbors::step_context::StepContext;
use crate::orca::steer::Decision;
use crate::parallel::is_parallel;
use crate::schedule::event::{CrowdEvent, note};
use crate::schedule::slices::TimeSlices;
use crate::schedule::workspace::{SteeringTask, Workspaces};
use crate::store::id::AgentId;
use crate::store::{Memory, Store};
use crate::tuning::{CHUNK, MIN_STEP, PARALLEL_THRESHOLD, REORDER_INTERVAL};
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::{HashState, StateHasher};
use cairn2d_simd::Level;
use rayon::prelude::*;

/// Lists of a step, reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stages {
    /// The schedule of decisions.
    pub(crate) slices: TimeSlices,
    /// Agents that decide in this step, in order of the grid; and their decisions.
    deciders: Vec<u32>,
    pub(crate) decisions: Vec<Decision>,
    workspaces: Workspaces,
    sweeps: Sweeps,
    /// Reports of the parts of the agents.
    reports: Vec<Report>,
    step_count: u32,
    /// Typical search radius of the last step [m]: sizes the rows of the grid; no result depends on it.
    typical_reach: f32,
    width: Level,
}

impl HashState for Stages {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            slices,
            // Scratch: refilled in each step.
            deciders: _,
            decisions: _,
            workspaces: _,
            sweeps: _,
            reports: _,
            // Order of the rows in memory, and size of the rows of the grid: no result depends on these.
            step_count: _,
            typical_reach: _,
            width: _,
        } = self;
        hash.add(slices);
    }
}

impl Stages {
    /// Sorts the agents by position; in memory too from time to time.
    pub(crate) fn sort(&mut self, store: &mut Store, grid: &mut Grid) {
        store.close_up();
        if self.typical_reach <= 0.0 {
            self.typical_reach = first_reach(store);
        }
        grid.build(store, self.typical_reach);
        if self.step_count.is_multiple_of(REORDER_INTERVAL) {
            store.reorder(&grid.order);
            for (row, (place, rank)) in (0..).zip(grid.order.iter_mut().zip(&mut grid.rank)) {
                (*place, *rank) = (row, row);
            }
        }
        self.step_count = self.step_count.wrapping_add(1);
    }

    /// Steers every agent that is due, in parallel blocks.
    pub(crate) fn decide(&mut self, ctx: &StepContext<'_>) {
        self.list_due(ctx.grid);
        self.workspaces.set_up();
        let (deciders, decisions) = (&self.deciders, &mut self.decisions);
        let (workspaces, contacts) = (&self.workspaces, &mut self.sweeps.contacts);
        let width = self.width;
        decisions.resize(deciders.len(), Decision::default());
        contacts.resize_with(deciders.len().div_ceil(CHUNK), Contacts::default);
        let decide = |((deciders, contacts), decisions): ((&[u32], &mut Contacts), &mut [_])| {
            width.enter(SteeringTask {
                workspace: &mut workspaces.take(),
                ctx,
                deciders,
                decisions,
                contacts,
            });
        };
        if deciders.len() <= CHUNK || rayon::current_num_threads() == 1 {
            deciders
                .chunks(CHUNK)
                .zip(contacts)
                .zip(decisions.chunks_mut(CHUNK))
                .for_each(decide);
        } else {
            deciders
                .par_chunks(CHUNK)
                .zip(contacts)
                .zip(decisions.par_chunks_mut(CHUNK))
                .for_each(decide);
        }
    }

    /// Lists the agents that are due.
    fn list_due(&mut self, grid: &Grid) {
        let (slices, count) = (&self.slices, grid.slots.len());
        let are_all = self.deciders.len() == count
            && self
                .deciders
                .last()
                .is_none_or(|&last| last as usize + 1 == count);
        if slices.interval() == 1 && are_all {
            // The list is complete if it has as many entries as there are agents.
            return;
        }
        self.deciders.clear();
        let slots = (0..).zip(&grid.slots);
        let due = slots.filter(|&(_, &slot)| slices.is_due(slot));
        self.deciders.extend(due.map(|(agent, _)| agent));
    }

    /// Settles the contacts of all agents in a step of `dt` seconds.
    pub(crate) fn separate(&mut self, store: &mut Store, grid: &Grid, dt: f32, step: f32) {
        let (sweeps, slices) = (&mut self.sweeps, &self.slices);
        sweeps.velocities.clear();
        store.keep_choices(slices.interval() > 1);
        let chosen = |decision: &Decision| {
            let velocity = decision.choice.velocity;
            [velocity.x, velocity.y]
        };
        let decided = self.decisions.iter().map(chosen);
        if slices.interval() > 1 {
            sweeps.velocities.extend(grid.order.iter().map(|&row| {
                let row = row as usize;
                let (now, chosen) = (&store.velocity[row], &store.chosen[row]);
                let velocity = slices.approach(now, chosen, &store.params[row], dt);
                [velocity.x, velocity.y]
            }));
            for (&agent, velocity) in self.deciders.iter().zip(decided) {
                sweeps.velocities[agent as usize] = velocity;
            }
        } else if is_parallel(decided.len()) {
            let decisions = self
                .decisions
                .par_iter()
                .with_min_len(PARALLEL_THRESHOLD / 2);
            decisions
                .map(chosen)
                .collect_into_vec(&mut sweeps.velocities);
        } else {
            sweeps.velocities.extend(decided);
        }
        sweeps.velocities.push([0.0; 2]);
        sweeps.settle(self.width, step, |agent| {
            let row = grid.order[agent] as usize;
            store.params[row].region(store.velocity[row], step)
        });
    }

    /// Stores the decisions, and updates stuck and arrived agents.
    pub(crate) fn record(
        &mut self,
        store: &mut Store,
        grid: &Grid,
        dt: f32,
        events: &mut Vec<CrowdEvent>,
    ) {
        let time = dt * self.slices.interval() as f32;
        if self.slices.interval() == 1 {
            self.record_all(store, grid, time);
        } else {
            self.record_turn(store, grid, dt, time);
        }
        events.clear();
        self.reports
            .iter()
            .for_each(|report| events.extend(&report.events));
        events.sort_unstable();
        if !self.decisions.is_empty() {
            let sum: f64 = self.reports.iter().map(|report| report.reaches).sum();
            self.typical_reach = (sum / self.decisions.len() as f64) as f32;
        }
        self.slices.advance();
    }

    /// Stores the decisions of all agents, a part of the store per thread.
    fn record_all(&mut self, store: &mut Store, grid: &Grid, time: f32) {
        let parts = store.len().div_ceil(CHUNK);
        self.reports.resize_with(parts, Report::default);
        let (decisions, settled) = (&self.decisions, &self.sweeps.velocities);
        let (ids, params) = (&store.ids, &store.params);
        let record = |(part, ((report, next), (reach, memory))): (usize, Part<'_>)| {
            report.clear();
            let columns = next.iter_mut().zip(reach).zip(memory);
            for (row, ((next, reach), memory)) in (CHUNK * part..).zip(columns) {
                let place = grid.rank[row] as usize;
                let decision = decisions[place].with(settled[place].into());
                *next = decision.choice.velocity;
                *reach = report.take(&decision);
                let rate = params[row].max_turn_rate;
                report.remember(ids[row], memory, &decision, rate, time);
            }
        };
        let reports = &mut self.reports;
        let (next, reach) = (&mut store.next_velocity, &mut store.reach);
        let memory = &mut store.memory;
        if !is_parallel(grid.order.len()) {
            let first = reports.iter_mut().zip(next.chunks_mut(CHUNK));
            let then = reach.chunks_mut(CHUNK).zip(memory.chunks_mut(CHUNK));
            first.zip(then).enumerate().for_each(record);
        } else {
            let first = reports.par_iter_mut().zip(next.par_chunks_mut(CHUNK));
            let then = reach
                .par_chunks_mut(CHUNK)
                .zip(memory.par_chunks_mut(CHUNK));
            first.zip(then).enumerate().for_each(record);
        }
    }

    /// Stores the decisions of the agents that were due, and advances the others towards their choices.
    fn record_turn(&mut self, store: &mut Store, grid: &Grid, dt: f32, time: f32) {
        for (&row, velocity) in grid.order.iter().zip(&self.sweeps.velocities) {
            store.next_velocity[row as usize] = (*velocity).into();
        }
        self.reports.resize_with(1, Report::default);
        let report = &mut self.reports[0];
        report.clear();
        for (&agent, decision) in self.deciders.iter().zip(&self.decisions) {
            let row = grid.order[agent as usize] as usize;
            let decision = decision.with(self.sweeps.velocities[agent as usize].into());
            let chosen = decision.choice.velocity;
            let params = &store.params[row];
            if let Some(last) = store.chosen.get_mut(row) {
                *last = chosen;
            }
            store.next_velocity[row] =
                self.slices
                    .approach(&store.velocity[row], &chosen, params, dt);
            store.reach[row] = report.take(&decision);
            let (id, rate) = (store.ids[row], params.max_turn_rate);
            report.remember(id, &mut store.memory[row], &decision, rate, time);
        }
    }
}

/// A part of the store for writing, and its report: velocities, search distances and memories.
type Part<'a> = (
    (&'a mut Report, &'a mut [Vec2]),
    (&'a mut [f32], &'a mut [Memory]),
);

/// Report of a part of the agents.
#[derive(Clone, Debug, Default)]
struct Report {
    events: Vec<CrowdEvent>,
    /// Sum of the search distances [m].
    reaches: f64,
}

impl Report {
    fn clear(&mut self) {
        self.events.clear();
        self.reaches = 0.0;
    }

    /// Adds a search distance, and returns it [m].
    fn take(&mut self, decision: &Decision) -> f32 {
        self.reaches += f64::from(decision.reach);
        decision.reach
    }

    /// Updates the memory of an agent that decided for `time` seconds, and reports its events.
    fn remember(
        &mut self,
        id: AgentId,
        memory: &mut Memory,
        decision: &Decision,
        max_turn_rate: f32,
        time: f32,
    ) {
        note(id, memory, decision, time, &mut self.events);
        let heading = Heading::limited(memory.facing, max_turn_rate, time.max(MIN_STEP));
        if let Some(heading) = heading {
            memory.facing = heading.after(&decision.choice.velocity, &decision.wanted);
        }
    }
}

/// Returns the expected search radius of a crowd that has not searched yet [m].
fn first_reach(store: &Store) -> f32 {
    let count = store.len().max(1) as f64;
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for p in &store.position {
        low = [low[0].min(p.x), low[1].min(p.y)];
        high = [high[0].max(p.x), high[1].max(p.y)];
    }
    let area = (high[0] - low[0]).max(0.0) * (high[1] - low[1]).max(0.0);
    let range = store
        .params
        .iter()
        .map(|p| p.neighbor_range)
        .fold(0.0, f32::max);
    let limit = store
        .params
        .iter()
        .map(|p| p.neighbor_limit)
        .max()
        .unwrap_or(0);
    let spread = (area / count * f64::from(limit) / core::f64::consts::PI).sqrt() as f32;
    spread.min(range).max(f32::MIN_POSITIVE)
}
