//! The agents: ids outside, dense rows inside.
//!
//! A row keeps its index until an agent is removed or the rows are sorted by position. The data that others read in a
//! step are copied into the grid, sorted by cell.

pub(crate) mod id;
pub(crate) mod agent;
mod param_sets;
mod columns;

use crate::limits::heading::Heading;
use crate::store::agent::{AgentDef, Params, Target};
use crate::store::columns::columns;
use crate::store::id::{AgentId, Slots, kind};
use crate::store::param_sets::ParamSets;
use cairn2d_geometry::math::{Vec2, WorldPoint};
use cairn2d_geometry::{HashState, StateHasher};
use core::num::NonZeroU32;

/// Side on which an agent passes a wall; 1 to the right, -1 to the left, 0 for none.
pub(crate) type Side = i8;

/// What an agent has tried since it last came nearer to its aim by its radius.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Attempt {
    /// The direct way.
    #[default]
    Direct,
    /// A detour along walls.
    Detour,
    /// It waits behind another that has given up, or waits so itself.
    Behind,
    /// It has given up.
    GivenUp,
}

impl Attempt {
    /// Returns whether the agent stands unless its direct way is free.
    pub(crate) fn stands(self) -> bool {
        matches!(self, Self::Behind | Self::GivenUp)
    }
}

/// State of an agent between steps beside its motion; 40 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Memory {
    /// Time without progress [s].
    pub(crate) slow_time: f32,
    /// Present turn of its preferred velocity [rad]; positive to the right.
    pub(crate) turn: f32,
    /// Time until a longer horizon is tried [s].
    pub(crate) wait: f32,
    /// Progress to make before the next detour along walls [m]; zero if it may begin one.
    pub(crate) owed: f32,
    /// Net progress since it last came nearer by its radius [m]; negative if it has moved away.
    pub(crate) gain: f32,
    /// Angle by which its preferred velocity has turned since the detour of its attempt began [rad].
    pub(crate) winding: f32,
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
    pub(crate) attempt: Attempt,
}

const _: () = assert!(size_of::<Memory>() == 40);

/// Rows grow by one in `GROWTH`, and by at least `MIN_ROWS`.
const GROWTH: usize = 16;
const MIN_ROWS: usize = 16;

columns! {
    /// All agents, one row each.
    #[derive(Clone, Debug, Default)]
    struct Store;
    always {
        /// Slot of the id.
        slots: u32 = u32::MAX;
        position: WorldPoint = WorldPoint::ORIGIN;
        velocity: Vec2 = Vec2::zeros();
        preferred: Vec2 = Vec2::zeros();
        next_velocity: Vec2 = Vec2::zeros();
        /// The set of parameters.
        set: u32 = 0;
        memory: Memory = Memory::default();
        /// Gap to the farthest neighbor of the last step [m]: start of the next search.
        reach: f32 = 0.0;
    }
    rarely {
        /// Last chosen velocities, kept until the next decision [m/s]; empty while all agents decide in every step,
        /// since then they are the next velocities.
        chosen: Vec2 = Vec2::zeros();
        /// Empty until the first agent gets a target.
        targets: Option<Target> = None;
        /// Headings: unit vectors, zero before an agent has moved. Empty until the turns of an agent are limited.
        facings: Vec2 = Vec2::zeros();
    }
    other {
        /// One more than the row of each id.
        rows: Slots<kind::Agent, NonZeroU32>;
        sets: ParamSets;
        /// Vacant rows since the last step.
        vacant: Vec<u32>;
    }
}

/// Hashes the agents in order of their ids: the row of an agent is a matter of memory alone, and the columns that are
/// not mentioned here start searches or are scratch.
impl HashState for Store {
    fn hash_state(&self, hash: &mut StateHasher) {
        self.rows.hash_names(hash);
        hash.add(&self.chosen.is_empty());
        for (_, row) in self.ids_in_order() {
            hash.add(&self.position[row]).add(&self.velocity[row]);
            hash.add(&self.preferred[row]).add(&self.next_velocity[row]);
            hash.add(&self.choice(row)).add(self.params(row));
            let Memory {
                slow_time,
                turn,
                wait,
                owed,
                gain,
                winding,
                wanted,
                level,
                arrived,
                stuck,
                side,
                attempt,
            } = &self.memory[row];
            hash.add(slow_time).add(turn).add(wait).add(owed);
            hash.add(gain).add(winding).word(*attempt as u64);
            hash.add(&self.facing(row)).add(wanted).add(level);
            hash.add(arrived).add(stuck).add(side);
            hash.add(&self.target(row).copied());
        }
    }
}

impl Store {
    /// Returns the number of agents.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the parameters of a row.
    #[inline(always)]
    pub(crate) fn params(&self, row: usize) -> &Params {
        self.sets.get(self.set[row])
    }

    /// Iterates over the sets of parameters in use.
    pub(crate) fn used_sets(&self) -> impl Iterator<Item = &Params> {
        self.sets.used()
    }

    /// Adds the agent of a checked definition, in a vacant row if there is one.
    pub(crate) fn insert(&mut self, def: &AgentDef) -> AgentId {
        let row = match self.vacant.pop() {
            Some(row) => row as usize,
            None => self.append(),
        };
        let id = self.rows.insert(place_of(row));
        self.slots[row] = id.index();
        self.next_velocity[row] = def.velocity;
        if let Some(chosen) = self.chosen.get_mut(row) {
            *chosen = def.velocity;
        }
        self.memory[row] = Memory::default();
        self.reach[row] = 0.0;
        self.set[row] = self.sets.join(&Params::from(def));
        self.write(row, def);
        let heading = Heading::limited(Vec2::zeros(), def.max_turn_rate, 0.0);
        if let Some(facing) = self.facings.get_mut(row) {
            *facing = heading.map_or(Vec2::zeros(), |heading| heading.towards(&def.velocity));
        }
        id
    }

    /// Appends a row, to be written.
    fn append(&mut self) -> usize {
        let row = self.slots.len();
        if row == self.slots.capacity() {
            let rows = row / GROWTH + MIN_ROWS;
            self.rows.reserve(rows);
            self.reserve_rows(rows);
        }
        self.push_row();
        row
    }

    /// Removes the agent; returns whether it existed. Its row stays vacant until [`Self::close_up`], or until the
    /// next agent is created, as most crowds do in turn.
    pub(crate) fn remove(&mut self, id: AgentId) -> bool {
        let Some(row) = self.rows.remove(id).map(row_of) else {
            return false;
        };
        self.sets.leave(self.set[row]);
        self.vacant.push(row as u32);
        true
    }

    /// Moves the last agents into vacant rows.
    pub(crate) fn close_up(&mut self) {
        // Largest row first, so the row that is moved in is never itself vacant.
        self.vacant.sort_unstable();
        while let Some(row) = self.vacant.pop() {
            let row = row as usize;
            self.swap_remove_row(row);
            self.note_row(row);
        }
    }

    /// Notes the place of an agent, if there is one in a row.
    fn note_row(&mut self, row: usize) {
        if let Some(&slot) = self.slots.get(row)
            && let Some(place) = self.rows.at_mut(slot)
        {
            *place = place_of(row);
        }
    }

    /// Returns the row of an agent.
    pub(crate) fn row(&self, id: AgentId) -> Option<usize> {
        self.rows.get(id).copied().map(row_of)
    }

    /// Returns the row of an agent.
    ///
    /// # Panics
    /// If `id` is stale or foreign.
    #[track_caller]
    pub(crate) fn expect_row(&self, id: AgentId) -> usize {
        row_of(*self.rows.expect(id))
    }

    /// Returns the id of a row.
    pub(crate) fn id(&self, row: usize) -> AgentId {
        self.rows.id_at(self.slots[row])
    }

    /// Returns one more than the highest slot ever used.
    pub(crate) fn slot_count(&self) -> usize {
        self.rows.slot_count()
    }

    /// Returns the ids and rows in order of their slots.
    pub(crate) fn ids_in_order(&self) -> impl Iterator<Item = (AgentId, usize)> {
        let rows = self.rows.iter();
        rows.map(|(slot, &place)| (self.rows.id_at(slot), row_of(place)))
    }

    /// Returns the target of a row.
    #[inline]
    pub(crate) fn target(&self, row: usize) -> Option<&Target> {
        self.targets.get(row)?.as_ref()
    }

    /// Sets the target of a row, and resets its arrival and its attempt.
    pub(crate) fn set_target(&mut self, row: usize, target: Option<Target>) {
        if target.is_some() && self.targets.is_empty() {
            self.targets.resize(self.slots.len(), None);
        }
        if let Some(place) = self.targets.get_mut(row) {
            *place = target;
        }
        let memory = &mut self.memory[row];
        (memory.arrived, memory.attempt, memory.gain) = (false, Attempt::Direct, 0.0);
    }

    /// Returns the heading of a row, zero if it has none.
    #[inline]
    pub(crate) fn facing(&self, row: usize) -> Vec2 {
        self.facings.get(row).copied().unwrap_or_else(Vec2::zeros)
    }

    /// Returns the definition that would create a row as it is now.
    pub(crate) fn def(&self, row: usize) -> AgentDef {
        let def = AgentDef {
            position: self.position[row],
            velocity: self.velocity[row],
            preferred_velocity: self.preferred[row],
            target: self.target(row).copied(),
            ..AgentDef::default()
        };
        self.params(row).with(def)
    }

    /// Writes a checked definition over a row; the arrival is kept if the target is.
    pub(crate) fn overwrite(&mut self, row: usize, def: &AgentDef) {
        let before = self.set[row];
        self.set[row] = self.sets.join(&Params::from(def));
        self.sets.leave(before);
        self.write(row, def);
    }

    /// Writes all but the parameters of a definition.
    fn write(&mut self, row: usize, def: &AgentDef) {
        self.position[row] = def.position;
        self.velocity[row] = def.velocity;
        self.preferred[row] = def.preferred_velocity;
        if self.target(row) != def.target.as_ref() {
            self.set_target(row, def.target);
        }
        if def.max_turn_rate.is_finite() && self.facings.is_empty() {
            self.facings.resize(self.slots.len(), Vec2::zeros());
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
        } else if self.chosen.len() != self.slots.len() {
            self.chosen.clone_from(&self.next_velocity);
        }
    }

    /// Puts the rows in the given order: row `i` gets the values of row `order[i]`. Afterwards each row is in its place,
    /// `order[i] = i`.
    pub(crate) fn reorder(&mut self, order: &mut [u32]) {
        for start in 0..order.len() {
            // Along a cycle of the permutation, the first row is passed on to the end.
            let mut row = start;
            loop {
                let next = core::mem::replace(&mut order[row], row as u32) as usize;
                if next == start {
                    break;
                }
                self.swap_rows(row, next);
                row = next;
            }
        }
        (0..self.slots.len()).for_each(|row| self.note_row(row));
    }

    /// Returns whether ids and rows agree.
    pub(crate) fn is_consistent(&self) -> bool {
        let len = self.slots.len();
        self.rows.len() + self.vacant.len() == len
            && self
                .ids_in_order()
                .all(|(id, row)| self.slots[row] == id.index())
            && self.has_rows(len)
    }
}

/// Returns one more than a row.
fn place_of(row: usize) -> NonZeroU32 {
    NonZeroU32::MIN.saturating_add(row as u32)
}

/// Returns the row of its place.
fn row_of(place: NonZeroU32) -> usize {
    place.get() as usize - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_removal_and_reordering() {
        let mut store = Store::default();
        let mut agent = |i: usize| store.insert(&AgentDef::at((i as f32, 0.0)));
        let ids: [AgentId; 5] = core::array::from_fn(&mut agent);
        assert!(store.remove(ids[1]));
        assert!(!store.remove(ids[1]));
        assert!(store.is_consistent());
        store.close_up();
        store.reorder(&mut [3, 1, 0, 2]);
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
        let mut agent = |i: usize| store.insert(&AgentDef::at((i as f32, 0.0)));
        let ids: [AgentId; 6] = core::array::from_fn(&mut agent);
        for i in [1, 5, 3, 4] {
            assert!(store.remove(ids[i]));
        }
        let new = store.insert(&AgentDef::at((9.0, 0.0)));
        assert_eq!((store.len(), store.slots.len()), (3, 6));
        assert!(store.is_consistent());
        store.close_up();
        assert_eq!((store.len(), store.slots.len()), (3, 3));
        assert!(store.is_consistent());
        for (id, x) in [(ids[0], 0.0), (ids[2], 2.0), (new, 9.0)] {
            assert_eq!(store.position[store.row(id).unwrap()].x, x);
        }
    }
}
