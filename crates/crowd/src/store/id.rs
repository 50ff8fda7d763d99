//! Ids of agents and obstacles, which never refer to another object later.

use cairn2d_geometry::StateHasher;
use slab::Slab;

/// Id of an agent: a slot and its generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentId {
    pub(crate) index: u32,
    pub(crate) generation: u32,
}

/// Id of an obstacle: a slot and its generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObstacleId {
    pub(crate) index: u32,
    pub(crate) generation: u32,
}

impl AgentId {
    /// Returns the slot: small, dense, reused after removal; an index for arrays beside the crowd.
    #[must_use]
    pub const fn index(self) -> usize {
        self.index as usize
    }
}

impl ObstacleId {
    /// Returns the slot: small, dense, reused after removal; an index for arrays beside the crowd.
    #[must_use]
    pub const fn index(self) -> usize {
        self.index as usize
    }
}

/// A generational arena: slots are reused under a new generation.
///
/// `slab` allocates the slots (last freed first, so ids repeat from run to run). The generations lie beside it and
/// outlive the contents of their slots.
#[derive(Clone, Debug)]
pub(crate) struct Slots<T> {
    items: Slab<T>,
    generations: Vec<u32>,
    /// Free slots, last freed last: internal to the slab, repeated here for the hash.
    free: Vec<u32>,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self {
            items: Slab::new(),
            generations: Vec::new(),
            free: Vec::new(),
        }
    }
}

impl<T> Slots<T> {
    /// Stores `item` and returns its slot and generation.
    pub(crate) fn insert(&mut self, item: T) -> (u32, u32) {
        let index = self.items.insert(item);
        let freed = self.free.pop();
        debug_assert!(freed.is_none_or(|slot| slot as usize == index));
        if index == self.generations.len() {
            self.generations.push(0);
        }
        (index as u32, self.generations[index])
    }

    /// Reserves memory for `items` more items.
    pub(crate) fn reserve(&mut self, items: usize) {
        self.items.reserve_exact(items);
        self.generations.reserve_exact(items);
    }

    /// Removes the item, or returns `None` for a stale id.
    pub(crate) fn remove(&mut self, index: u32, generation: u32) -> Option<T> {
        self.get(index, generation)?;
        self.generations[index as usize] = generation.wrapping_add(1);
        self.free.push(index);
        self.items.try_remove(index as usize)
    }

    /// Returns the item, or `None` for a stale id.
    pub(crate) fn get(&self, index: u32, generation: u32) -> Option<&T> {
        let current = *self.generations.get(index as usize)?;
        if current == generation {
            self.items.get(index as usize)
        } else {
            None
        }
    }

    /// Returns the item for writing, or `None` for a stale id.
    pub(crate) fn get_mut(&mut self, index: u32, generation: u32) -> Option<&mut T> {
        let current = *self.generations.get(index as usize)?;
        if current == generation {
            self.items.get_mut(index as usize)
        } else {
            None
        }
    }

    /// Iterates over the items in order of their slots.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, u32, &T)> {
        self.items
            .iter()
            .map(|(index, item)| (index as u32, self.generations[index], item))
    }

    /// Hashes the present ids, and the next ones.
    pub(crate) fn hash_names(&self, hash: &mut StateHasher) {
        let Self {
            items,
            generations,
            free,
        } = self;
        hash.add(&items.len()).add(generations).add(free);
    }

    /// Returns the number of items.
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns one more than the highest slot ever used.
    pub(crate) fn slot_count(&self) -> usize {
        self.generations.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_removed_name_never_comes_to_mean_another_item() {
        let mut slots = Slots::default();
        let (index, generation) = slots.insert("a");
        assert_eq!(slots.remove(index, generation), Some("a"));
        let (again, next) = slots.insert("b");
        assert_eq!(again, index);
        assert_ne!(next, generation);
        assert_eq!(slots.get(index, generation), None);
        assert_eq!(slots.remove(index, generation), None);
        assert_eq!(slots.get(again, next), Some(&"b"));
    }
}
