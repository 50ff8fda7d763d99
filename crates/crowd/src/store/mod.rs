//! The agents: ids outside, dense rows inside.
//!
//! A row keeps its index until an agent is removed or the rows are sorted by position. The data that others read in a
//! step are copied into the grid, sorted by cell.

pub(crate) mod id;
pub(crate) mod agent;

use crate::limits::heading::Heading;
use crate::parallel::is_parallel;
use crate::store::agent::{AgentDef, Params, Target};
use crate::store::id::{AgentId, Slots};
use crate::tuning::PARALLEL_THRESHOLD;
use cairn2d_geometry::math::{Vec2, WorldPoint};
use cairn2d_geometry::{HashState, StateHasher};
use rayon::prelude::*;

/// Side on which an agent passes a wall; 1 to the right, -1 to the left, 0 for none.
pub(crate) type Side = i8;

/// State of an agent between steps beside its motion; 32 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Memory {
    /// Time without progress [s].
    pub(crate) slow_time: f32,
    /// Present turn of its preferred velocity [rad]; positive to the right.
    pub(crate) turn: f32,
    /// Time until a longer horizon is tried [s].
    pub(crate) wait: f32,
    /// Heading, if its turns are limited: unit vector, or zero before it has moved.
    pub(crate) facing: Vec2,
    /// Preferred velocity at its last decision [m/s].
    pub(crate) wanted: Vec2,
    /// Present number of halvings of its time horizon.
    pub(crate) level: u8,
    /// Whether it has arrived at its target.
    pub(crate) arrived: bool,
    /// Whether it counts as stuck.
    pub(crate) stuck: bool,
    /// Side on which it passes a wall at present.
    pub(crate) side: Side,
}

impl HashState for Memory {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            slow_time,
            turn,
            wait,
            facing,
            wanted,
            level,
            arrived,
            stuck,
            side,
        } = self;
        hash.add(slow_time).add(turn).add(wait).add(facing);
        hash.add(wanted).add(level).add(arrived).add(stuck);
        hash.add(side);
    }
}

const _: () = assert!(size_of::<Memory>() == 32);

/// Rows grow by one in `GROWTH`, and by at least `MIN_ROWS`.
const GROWTH: usize = 4;
const MIN_ROWS: usize = 16;

/// Placeholder in rows before an agent is written there.
const NO_AGENT: AgentId = AgentId {
    index: u32::MAX,
    generation: 0,
};

/// All agents, one row each in arrays of one length.
#[derive(Clone, Debug, Default)]
pub(crate) struct Store {
    rows: Slots<u32>,
    pub(crate) ids: Vec<AgentId>,
    pub(crate) position: Vec<WorldPoint>,
    pub(crate) velocity: Vec<Vec2>,
    pub(crate) preferred: Vec<Vec2>,
    pub(crate) next_velocity: Vec<Vec2>,
    /// Last chosen velocities, kept until the next decision [m/s]; empty while all agents decide in every step, since
    /// then they are the next velocities.
    pub(crate) chosen: Vec<Vec2>,
    pub(crate) params: Vec<Params>,
    pub(crate) memory: Vec<Memory>,
    /// Gap to the farthest neighbor of the last step [m]: start of the next search.
    pub(crate) reach: Vec<f32>,
    /// Empty until the first agent gets a target.
    pub(crate) targets: Vec<Option<Target>>,
    /// Vacant rows since the last step.
    vacant: Vec<u32>,
    cycles: Cycles,
}

/// Hashes the agents in order of their ids: the row of an agent is a matter of memory alone.
impl HashState for Store {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            rows,
            // The inverse of `rows`.
            ids: _,
            position,
            velocity,
            preferred,
            next_velocity,
            chosen,
            params,
            memory,
            // Start of the next search: the result does not depend on it.
            reach: _,
            targets,
            // Vacant rows.
            vacant: _,
            // Scratch: refilled by each reordering.
            cycles: _,
        } = self;
        rows.hash_names(hash);
        hash.add(&chosen.is_empty());
        for (_, row) in self.ids_in_order() {
            hash.add(&position[row]).add(&velocity[row]);
            hash.add(&preferred[row]).add(&next_velocity[row]);
            hash.add(&self.choice(row)).add(&params[row]);
            hash.add(&memory[row]);
            hash.add(&targets.get(row).copied().flatten());
        }
    }
}

impl Store {
    /// Returns the number of agents.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Adds the agent of a checked definition, in a vacant row if there is one.
    pub(crate) fn insert(&mut self, def: &AgentDef) -> AgentId {
        let heading = Heading::limited(Vec2::zeros(), def.max_turn_rate, 0.0);
        let memory = Memory {
            facing: heading.map_or(Vec2::zeros(), |heading| heading.towards(&def.velocity)),
            ..Memory::default()
        };
        let row = self
            .vacant
            .pop()
            .map_or_else(|| self.append(), |row| row as usize);
        let (index, generation) = self.rows.insert(row as u32);
        let id = AgentId { index, generation };
        self.ids[row] = id;
        self.position[row] = def.position;
        self.velocity[row] = def.velocity;
        self.preferred[row] = def.preferred_velocity;
        self.next_velocity[row] = def.velocity;
        if let Some(chosen) = self.chosen.get_mut(row) {
            *chosen = def.velocity;
        }
        self.params[row] = Params::from(def);
        self.memory[row] = memory;
        self.reach[row] = 0.0;
        self.set_target(row, def.target);
        id
    }

    /// Appends a row, to be written.
    fn append(&mut self) -> usize {
        let row = self.ids.len();
        if row == self.ids.capacity() {
            self.reserve(row / GROWTH + MIN_ROWS);
        }
        self.ids.push(NO_AGENT);
        self.position.push(WorldPoint::ORIGIN);
        self.velocity.push(Vec2::zeros());
        self.preferred.push(Vec2::zeros());
        self.next_velocity.push(Vec2::zeros());
        if !self.chosen.is_empty() {
            self.chosen.push(Vec2::zeros());
        }
        self.params.push(Params::default());
        self.memory.push(Memory::default());
        self.reach.push(0.0);
        if !self.targets.is_empty() {
            self.targets.push(None);
        }
        row
    }

    /// Reserves memory for exactly `rows` more rows: an agent takes 160 bytes.
    fn reserve(&mut self, rows: usize) {
        self.rows.reserve(rows);
        self.ids.reserve_exact(rows);
        self.position.reserve_exact(rows);
        self.velocity.reserve_exact(rows);
        self.preferred.reserve_exact(rows);
        self.next_velocity.reserve_exact(rows);
        self.params.reserve_exact(rows);
        self.memory.reserve_exact(rows);
        self.reach.reserve_exact(rows);
    }

    /// Removes the agent; returns whether it existed. Its row stays vacant until [`Self::close_up`], or until the
    /// next agent is created, as most crowds do in turn.
    pub(crate) fn remove(&mut self, id: AgentId) -> bool {
        let Some(row) = self.rows.remove(id.index, id.generation) else {
            return false;
        };
        self.vacant.push(row);
        true
    }

    /// Moves the last agents into vacant rows.
    pub(crate) fn close_up(&mut self) {
        // Largest row first, so the row that is moved in is never itself vacant.
        self.vacant.sort_unstable();
        while let Some(row) = self.vacant.pop() {
            let row = row as usize;
            self.ids.swap_remove(row);
            self.position.swap_remove(row);
            self.velocity.swap_remove(row);
            self.preferred.swap_remove(row);
            self.next_velocity.swap_remove(row);
            if !self.chosen.is_empty() {
                self.chosen.swap_remove(row);
            }
            self.params.swap_remove(row);
            self.memory.swap_remove(row);
            self.reach.swap_remove(row);
            if !self.targets.is_empty() {
                self.targets.swap_remove(row);
            }
            if let Some(&moved) = self.ids.get(row) {
                self.set_row(moved, row);
            }
        }
    }

    /// Gives all agents their next velocities and moves them by `dt` seconds; in parallel if there are many.
    pub(crate) fn integrate(&mut self, dt: f32) {
        let next = &self.next_velocity;
        let go = |((position, velocity), next): ((&mut WorldPoint, &mut Vec2), &Vec2)| {
            *velocity = *next;
            *position += *next * dt;
        };
        if !is_parallel(self.ids.len()) {
            let moved = self.position.iter_mut().zip(&mut self.velocity);
            moved.zip(next).for_each(go);
        } else {
            let moved = self.position.par_iter_mut().zip(&mut self.velocity);
            moved
                .zip(next)
                .with_min_len(PARALLEL_THRESHOLD / 2)
                .for_each(go);
        }
    }

    /// Returns the row of an agent.
    pub(crate) fn row(&self, id: AgentId) -> Option<usize> {
        self.rows
            .get(id.index, id.generation)
            .map(|&row| row as usize)
    }

    fn set_row(&mut self, id: AgentId, row: usize) {
        if let Some(place) = self.rows.get_mut(id.index, id.generation) {
            *place = row as u32;
        }
    }

    /// Returns one more than the highest slot ever used.
    pub(crate) fn slot_count(&self) -> usize {
        self.rows.slot_count()
    }

    /// Returns the ids in order of their slots.
    pub(crate) fn ids_in_order(&self) -> impl Iterator<Item = (AgentId, usize)> {
        self.rows
            .iter()
            .map(|(index, generation, &row)| (AgentId { index, generation }, row as usize))
    }

    /// Returns the target of a row.
    #[inline]
    pub(crate) fn target(&self, row: usize) -> Option<&Target> {
        self.targets.get(row)?.as_ref()
    }

    /// Sets the target of a row, and resets its arrival.
    pub(crate) fn set_target(&mut self, row: usize, target: Option<Target>) {
        if target.is_some() && self.targets.is_empty() {
            self.targets.resize(self.ids.len(), None);
        }
        if let Some(place) = self.targets.get_mut(row) {
            *place = target;
        }
        self.memory[row].arrived = false;
    }

    /// Returns the definition that would create a row as it is now.
    pub(crate) fn def(&self, row: usize) -> AgentDef {
        let p = &self.params[row];
        AgentDef {
            position: self.position[row],
            velocity: self.velocity[row],
            preferred_velocity: self.preferred[row],
            target: self.target(row).copied(),
            radius: p.radius,
            max_speed: p.max_speed,
            max_acceleration: p.max_acceleration,
            max_turn_rate: p.max_turn_rate,
            neighbor_limit: p.neighbor_limit.into(),
            neighbor_range: p.neighbor_range,
            time_horizon: p.time_horizon,
            obstacle_horizon: p.obstacle_horizon,
            weight: p.weight,
            priority: p.priority,
            layers: p.layers,
            mask: p.mask,
            bias: p.bias,
            model: p.model,
            recovery_time: p.recovery_time,
            recovery_speed: p.recovery_speed,
        }
    }

    /// Writes a checked definition over a row; the arrival is kept if the target is.
    pub(crate) fn overwrite(&mut self, row: usize, def: &AgentDef) {
        self.position[row] = def.position;
        self.velocity[row] = def.velocity;
        self.preferred[row] = def.preferred_velocity;
        self.params[row] = Params::from(def);
        if self.target(row) != def.target.as_ref() {
            self.set_target(row, def.target);
        }
    }

    /// Returns the last chosen velocity of a row [m/s].
    pub(crate) fn choice(&self, row: usize) -> Vec2 {
        *self.chosen.get(row).unwrap_or(&self.next_velocity[row])
    }

    /// Begins or ceases to store the choices apart from the next velocities.
    pub(crate) fn keep_choices(&mut self, apart: bool) {
        if !apart {
            self.chosen.clear();
        } else if self.chosen.len() != self.ids.len() {
            self.chosen.clone_from(&self.next_velocity);
        }
    }

    /// Puts the rows in the given order: row `i` becomes what row `order[i]` was.
    pub(crate) fn reorder(&mut self, order: &[u32]) {
        let cycles = &mut self.cycles;
        cycles.find(order);
        cycles.permute(&mut self.ids, order);
        cycles.permute(&mut self.position, order);
        cycles.permute(&mut self.velocity, order);
        cycles.permute(&mut self.preferred, order);
        cycles.permute(&mut self.next_velocity, order);
        if !self.chosen.is_empty() {
            cycles.permute(&mut self.chosen, order);
        }
        cycles.permute(&mut self.params, order);
        cycles.permute(&mut self.memory, order);
        cycles.permute(&mut self.reach, order);
        if !self.targets.is_empty() {
            cycles.permute(&mut self.targets, order);
        }
        for row in 0..self.ids.len() {
            self.set_row(self.ids[row], row);
        }
    }

    /// Returns whether ids and rows agree.
    pub(crate) fn is_consistent(&self) -> bool {
        let len = self.ids.len();
        self.rows.len() + self.vacant.len() == len
            && self.ids_in_order().all(|(id, row)| self.ids[row] == id)
            && [
                self.position.len(),
                self.velocity.len(),
                self.preferred.len(),
            ] == [len; 3]
            && [
                self.next_velocity.len(),
                self.params.len(),
                self.memory.len(),
            ] == [len; 3]
            && (self.chosen.is_empty() || self.chosen.len() == len)
            && (self.targets.is_empty() || self.targets.len() == len)
    }
}

/// The cycles of a permutation, by one row each: rows are permuted in place along them.
#[derive(Clone, Debug, Default)]
struct Cycles {
    starts: Vec<u32>,
    seen: Vec<bool>,
}

impl Cycles {
    /// Finds the cycles of an order of rows.
    fn find(&mut self, order: &[u32]) {
        self.starts.clear();
        self.seen.clear();
        self.seen.resize(order.len(), false);
        for start in 0..order.len() {
            let mut row = start;
            if self.seen[row] || order[row] as usize == row {
                continue;
            }
            self.starts.push(start as u32);
            while !core::mem::replace(&mut self.seen[row], true) {
                row = order[row] as usize;
            }
        }
    }

    /// Moves item `order[i]` to place `i`, for the order whose cycles these are.
    fn permute<T: Copy>(&self, items: &mut [T], order: &[u32]) {
        for &start in &self.starts {
            let first = items[start as usize];
            let mut row = start;
            loop {
                let next = order[row as usize];
                if next == start {
                    items[row as usize] = first;
                    break;
                }
                items[row as usize] = items[next as usize];
                row = next;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_removal_and_reordering() {
        let mut store = Store::default();
        let ids: Vec<AgentId> = (0..5)
            .map(|i| store.insert(&AgentDef::at((i as f32, 0.0))))
            .collect();
        assert!(store.remove(ids[1]));
        assert!(!store.remove(ids[1]));
        assert!(store.is_consistent());
        store.close_up();
        store.reorder(&[3, 1, 0, 2]);
        assert!(store.is_consistent());
        for i in [0, 2, 3, 4] {
            let row = store.row(ids[i]).unwrap();
            assert_eq!(store.position[row].x, i as f64);
        }
        assert_eq!(store.row(ids[1]), None);
    }

    #[test]
    fn new_agents_take_vacant_rows_and_the_rest_close_up() {
        let mut store = Store::default();
        let ids: Vec<AgentId> = (0..6)
            .map(|i| store.insert(&AgentDef::at((i as f32, 0.0))))
            .collect();
        for i in [1, 5, 3, 4] {
            assert!(store.remove(ids[i]));
        }
        let new = store.insert(&AgentDef::at((9.0, 0.0)));
        assert_eq!((store.len(), store.ids.len()), (3, 6));
        assert!(store.is_consistent());
        store.close_up();
        assert_eq!((store.len(), store.ids.len()), (3, 3));
        assert!(store.is_consistent());
        for (id, x) in [(ids[0], 0.0), (ids[2], 2.0), (new, 9.0)] {
            assert_eq!(store.position[store.row(id).unwrap()].x, x);
        }
    }
}
