//! The stages of a step: sort the agents, let each decide, settle contacts, note what happened.

use crate::event::{CrowdEvent, note};
use crate::grid::Grid;
use crate::heading::Heading;
use crate::separate::Contacts;
use crate::steer::{Decision, Scratch, Walker};
use crate::store::Store;
use crate::surroundings::Surroundings;
use crate::sweeps::Sweeps;
use crate::tuning::{CHUNK, MIN_STEP, REORDER_INTERVAL};
use rayon::prelude::*;

/// Working memory of a block of agents.
#[derive(Clone, Debug, Default)]
struct Block {
    scratch: Scratch,
    contacts: Contacts,
}

/// The lists of a step, kept to be filled again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stages {
    pub(crate) decisions: Vec<Decision>,
    blocks: Vec<Block>,
    sweeps: Sweeps,
    step_count: u32,
    /// Typical search radius of the last step [m]: fits the grid's rows, no result depends on it.
    typical_reach: f32,
}

impl Stages {
    /// Sorts the agents by place; now and then also in memory.
    pub(crate) fn sort(&mut self, store: &mut Store, grid: &mut Grid) {
        if self.typical_reach <= 0.0 {
            self.typical_reach = first_reach(store);
        }
        grid.build(store, self.typical_reach);
        if self.step_count.is_multiple_of(REORDER_INTERVAL) {
            store.reorder(&grid.order);
            for (row, place) in grid.order.iter_mut().enumerate() {
                *place = row as u32;
            }
        }
        self.step_count = self.step_count.wrapping_add(1);
    }

    /// Lets every agent decide, in blocks over the threads of the pool.
    pub(crate) fn decide(&mut self, around: &Surroundings<'_>) {
        self.decisions
            .resize(around.store.len(), Decision::default());
        let decide = |((index, block), decisions): ((usize, &mut Block), &mut [Decision])| {
            block.contacts.clear();
            for (i, decision) in decisions.iter_mut().enumerate() {
                let walker = Walker::new(around, index * CHUNK + i);
                *decision = walker.decide(&mut block.scratch);
                let scratch = &block.scratch;
                let walls = scratch.planes.iter(0..scratch.ends[0]);
                let region = walker.region();
                let contacts = &mut block.contacts;
                contacts.add(index * CHUNK + i, &scratch.contacts, walls, region);
            }
        };
        self.blocks
            .resize_with(self.decisions.len().div_ceil(CHUNK), Block::default);
        if self.decisions.len() <= CHUNK || rayon::current_num_threads() == 1 {
            let decisions = self.decisions.chunks_mut(CHUNK);
            self.blocks
                .iter_mut()
                .enumerate()
                .zip(decisions)
                .for_each(decide);
        } else {
            let decisions = self.decisions.par_chunks_mut(CHUNK);
            self.blocks
                .par_iter_mut()
                .enumerate()
                .zip(decisions)
                .for_each(decide);
        }
    }

    /// Settles the contacts of the step among all.
    pub(crate) fn separate(&mut self, step: f32) {
        let sweeps = &mut self.sweeps;
        let chosen = self.decisions.iter().map(|d| d.choice.velocity);
        sweeps.velocities.clear();
        sweeps.velocities.extend(chosen);
        sweeps.contacts.clear();
        for block in &self.blocks {
            sweeps.contacts.append(&block.contacts);
        }
        sweeps.settle(step);
        for (decision, velocity) in self.decisions.iter_mut().zip(&sweeps.velocities) {
            decision.choice.velocity = *velocity;
        }
    }

    /// Writes the decisions back to the agents, and notes who is stuck or has arrived.
    pub(crate) fn record(
        &mut self,
        store: &mut Store,
        grid: &Grid,
        dt: f32,
        events: &mut Vec<CrowdEvent>,
    ) {
        events.clear();
        let mut sum = 0.0f64;
        for (&row, decision) in grid.order.iter().zip(&self.decisions) {
            let row = row as usize;
            sum += f64::from(decision.reach);
            store.next_velocity[row] = decision.choice.velocity;
            store.reach[row] = decision.reach;
            let memory = &mut store.memory[row];
            note(store.ids[row], memory, decision, dt, events);
            let rate = store.params[row].max_turn_rate;
            if let Some(heading) = Heading::limited(memory.facing, rate, dt.max(MIN_STEP)) {
                memory.facing = heading.after(&decision.choice.velocity, &decision.wanted);
            }
        }
        events.sort_unstable();
        if !self.decisions.is_empty() {
            self.typical_reach = (sum / self.decisions.len() as f64) as f32;
        }
    }
}

/// Returns the search radius to expect of a crowd that has not searched yet [m].
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
