//! The stages of a step: sort the agents, decide, settle contacts, record.

use crate::contacts::Contacts;
use crate::contacts::sweeps::Sweeps;
use crate::limits::heading::Heading;
use crate::neighbors::grid::Grid;
use crate::neighbors::step_context::StepContext;
use crate::orca::steer::Decision;
use crate::schedule::event::{CrowdEvent, note};
use crate::schedule::slices::TimeSlices;
use crate::schedule::workspace::{SteeringTask, Workspace, Workspaces};
use crate::store::Store;
use crate::tuning::{CHUNK, MIN_STEP, PARALLEL_THRESHOLD, REORDER_INTERVAL};
use crate::workers::{for_each, for_each_with};
use cairn2d_geometry::math::Vec2;
use cairn2d_simd::Level;
use std::sync::{Mutex, PoisonError};

/// Lists of a step, reused. Only the time slices are state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stages {
    /// Threads of a step.
    pub(crate) threads: u32,
    /// The schedule of decisions.
    pub(crate) slices: TimeSlices,
    /// Last decisions, in order of the grid.
    pub(crate) decisions: Vec<Decision>,
    workspaces: Workspaces,
    sweeps: Sweeps,
    step_count: u32,
    /// Typical search radius of the last step [m]: sizes the rows of the grid; no result depends on it.
    typical_reach: f32,
    width: Level,
}

impl Stages {
    /// Returns the threads for a loop of a few nanoseconds per agent.
    pub(crate) fn threads_for(&self, count: usize) -> u32 {
        if count < PARALLEL_THRESHOLD {
            1
        } else {
            self.threads
        }
    }

    /// Sorts the agents by position; in memory too from time to time.
    pub(crate) fn sort(&mut self, store: &mut Store, grid: &mut Grid) {
        store.close_up();
        store.keep_choices(self.slices.interval() > 1);
        if self.typical_reach <= 0.0 {
            self.typical_reach = first_reach(store);
        }
        grid.build(store, self.typical_reach, self.threads_for(store.len()));
        if self.step_count.is_multiple_of(REORDER_INTERVAL) {
            store.reorder(&mut grid.order);
            grid.rank.copy_from_slice(&grid.order);
        }
        self.step_count = self.step_count.wrapping_add(1);
    }

    /// Steers every agent that is due, and finds the contacts of all agents.
    pub(crate) fn decide(&mut self, ctx: &StepContext<'_>) {
        let count = ctx.grid.order.len();
        let (workspaces, threads) = (&mut self.workspaces.0, self.threads as usize);
        workspaces.resize_with(workspaces.len().max(threads), Workspace::default);
        self.decisions.resize(count, Decision::default());
        let Sweeps {
            contacts,
            velocities,
            ..
        } = &mut self.sweeps;
        contacts.resize_with(contacts.len().max(threads), Contacts::default);
        let common_share = ctx.grid.common_share();
        contacts
            .iter_mut()
            .for_each(|contacts| contacts.clear(count, common_share));
        // The sentinel of the sweeps has the last place.
        velocities.resize(count + 1, [0.0; 2]);
        let velocities = velocities[..count].chunks_mut(CHUNK);
        let parts = self.decisions.chunks_mut(CHUNK).zip(velocities);
        let parts = (0..).step_by(CHUNK).zip(parts);
        let (slices, width) = (&self.slices, self.width);
        for_each_with(
            workspaces.iter_mut().zip(contacts).take(threads),
            parts,
            |(workspace, contacts), (first, (decisions, velocities))| {
                width.enter(SteeringTask {
                    workspace,
                    ctx,
                    slices,
                    first,
                    decisions,
                    velocities,
                    contacts,
                });
            },
        );
        self.sweeps.velocities[count] = [0.0; 2];
    }

    /// Stores the choices of the agents that have decided, and moves all agents towards their choices in a step of `dt`
    /// seconds. Without time slices the choices are the velocities.
    pub(crate) fn follow_choices(&mut self, store: &mut Store, grid: &Grid, dt: f32) {
        for row in 0..store.chosen.len() {
            let velocity = &mut self.sweeps.velocities[grid.rank[row] as usize];
            if self.slices.is_due(store.slots[row]) {
                store.chosen[row] = (*velocity).into();
            }
            let (now, chosen) = (&store.velocity[row], &store.chosen[row]);
            let next = self.slices.approach(now, chosen, store.params(row), dt);
            *velocity = [next.x, next.y];
        }
    }

    /// Settles the contacts of all agents in a step of `step` seconds.
    pub(crate) fn separate(&mut self, store: &Store, grid: &Grid, step: f32) {
        self.sweeps.settle(self.width, self.threads, |agent| {
            let row = grid.order[agent] as usize;
            store.params(row).region(store.velocity[row], step)
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
        events.clear();
        let threads = self.threads_for(store.len());
        let (slices, steps) = (&self.slices, self.slices.interval() as f32);
        let (time, step) = (dt * steps, dt.max(MIN_STEP) * steps);
        let (decisions, settled) = (&self.decisions, &self.sweeps.velocities);
        let Store {
            slots,
            rows,
            set,
            sets,
            next_velocity,
            reach,
            memory,
            facings,
            ..
        } = store;
        let parts = next_velocity.chunks_mut(CHUNK).zip(reach.chunks_mut(CHUNK));
        let parts = (0..)
            .step_by(CHUNK)
            .zip(parts.zip(memory.chunks_mut(CHUNK)));
        let list = Mutex::new(&mut *events);
        for_each(threads, parts, |(first, ((next, reach), memory))| {
            let columns = next.iter_mut().zip(reach).zip(memory);
            for (row, ((next, reach), memory)) in (first..).zip(columns) {
                let place = grid.rank[row] as usize;
                *next = settled[place].into();
                if !slices.is_due(slots[row]) {
                    continue;
                }
                let decision = &decisions[place];
                *reach = decision.reach;
                let radius = sets.get(set[row]).radius;
                note(memory, decision, next, radius, [time, step], |kind| {
                    let agent = rows.id_at(slots[row]);
                    let mut list = list.lock().unwrap_or_else(PoisonError::into_inner);
                    list.push(CrowdEvent { agent, kind });
                });
            }
        });
        events.sort_unstable();
        let turning = facings.iter_mut().enumerate();
        for (row, facing) in turning.filter(|(row, _)| slices.is_due(slots[*row])) {
            let velocity = Vec2::from(settled[grid.rank[row] as usize]);
            let rate = sets.get(set[row]).max_turn_rate;
            let heading = Heading::limited(*facing, rate, time.max(MIN_STEP));
            let wanted = &memory[row].wanted;
            *facing = heading.map_or(*facing, |heading| heading.after(&velocity, wanted));
        }
        let reaches: f64 = reach.iter().map(|&reach| f64::from(reach)).sum();
        self.typical_reach = (reaches / slots.len().max(1) as f64) as f32;
        self.slices.advance();
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
    let ranges = store.used_sets().map(|set| set.neighbor_range);
    let limits = store.used_sets().map(|set| set.neighbor_limit);
    let limit = f64::from(limits.max().unwrap_or(0));
    let spread = (area / count * limit / core::f64::consts::PI).sqrt() as f32;
    spread
        .min(ranges.fold(0.0, f32::max))
        .max(f32::MIN_POSITIVE)
}
