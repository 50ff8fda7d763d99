//! Generational ids of agents and obstacles: the id of a removed object never finds a later one.

use cairn2d_geometry::StateHasher;
use core::fmt;
use core::marker::PhantomData;

/// Id of an agent of one crowd.
pub type AgentId = CrowdId<kind::Agent>;
/// Id of an obstacle of one crowd.
pub type ObstacleId = CrowdId<kind::Obstacle>;

/// The kinds of objects of a crowd that have ids, as parameters of [`CrowdId`].
pub mod kind {
    /// An agent.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Agent;
    /// An obstacle.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Obstacle;
}

/// Identifies an object of one crowd: a slot, the generation of its content, and the crowd.
///
/// Small, `Copy`, ordered and hashable. The id of a removed object is stale: accessors return `None` or panic. Ids are
/// the same in every run that makes the same calls, and in clones. An id of another crowd is recognized if the two
/// crowds have different [`id_mark`](crate::CrowdDef::id_mark)s; if not, it finds the object of the same slot and
/// generation. Generations have 16 bits and wrap: an id that is kept while its slot is used for exactly 65 536 more
/// objects (or a multiple) identifies the newest of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CrowdId<K> {
    index: u32,
    generation: u16,
    crowd: u16,
    kind: PhantomData<K>,
}

impl<K> CrowdId<K> {
    /// Returns the slot: small, dense, reused after removal; an index for arrays beside the crowd.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// Returns the number of earlier uses of the slot, modulo 65 536.
    #[must_use]
    pub const fn generation(self) -> u16 {
        self.generation
    }
}

impl<K> fmt::Debug for CrowdId<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = core::any::type_name::<K>().rsplit(':').next();
        let kind = kind.unwrap_or_default().to_ascii_lowercase();
        write!(f, "{kind} {}.{}", self.index, self.generation)
    }
}

/// A generational arena: slots are reused, last freed first, under a new generation.
#[derive(Clone, Debug)]
pub(crate) struct Slots<K, T> {
    values: Vec<Option<T>>,
    generations: Vec<u16>,
    free: Vec<u32>,
    /// Mark of the crowd in its ids. No result and no state hash depends on it.
    mark: u16,
    kind: PhantomData<K>,
}

impl<K, T> Default for Slots<K, T> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            generations: Vec::new(),
            free: Vec::new(),
            mark: 0,
            kind: PhantomData,
        }
    }
}

impl<K: Copy, T> Slots<K, T> {
    /// Sets the mark of the crowd: before the first value is stored.
    pub(crate) fn set_mark(&mut self, mark: u16) {
        self.mark = mark;
    }

    /// Stores `value` and returns its id.
    pub(crate) fn insert(&mut self, value: T) -> CrowdId<K> {
        let index = self.free.pop().unwrap_or_else(|| {
            self.generations.push(0);
            self.values.push(None);
            (self.values.len() - 1) as u32
        });
        self.values[index as usize] = Some(value);
        self.id_at(index)
    }

    /// Reserves memory for `values` more values.
    pub(crate) fn reserve(&mut self, values: usize) {
        self.values.reserve_exact(values);
        self.generations.reserve_exact(values);
    }

    /// Removes the value; `None` for a stale or foreign id.
    pub(crate) fn remove(&mut self, id: CrowdId<K>) -> Option<T> {
        self.get(id)?;
        let value = self.values[id.index as usize].take();
        let generation = &mut self.generations[id.index as usize];
        *generation = generation.wrapping_add(1);
        self.free.push(id.index);
        value
    }

    /// Returns the id of the value in a slot.
    pub(crate) fn id_at(&self, index: u32) -> CrowdId<K> {
        CrowdId {
            index,
            generation: self.generations[index as usize],
            crowd: self.mark,
            kind: PhantomData,
        }
    }

    /// Returns the value; `None` for a stale or foreign id.
    pub(crate) fn get(&self, id: CrowdId<K>) -> Option<&T> {
        let current = self.generations.get(id.index as usize)?;
        let value = self.values[id.index as usize].as_ref();
        value.filter(|_| id.generation == *current && id.crowd == self.mark)
    }

    /// Returns the value in a slot, for writing.
    pub(crate) fn at_mut(&mut self, index: u32) -> Option<&mut T> {
        self.values[index as usize].as_mut()
    }

    /// Refuses a stale or foreign id.
    ///
    /// # Panics
    /// If `id` is stale or foreign; the message says which.
    #[track_caller]
    pub(crate) fn expect(&self, id: CrowdId<K>) -> &T {
        match self.get(id) {
            Some(value) => value,
            None if id.crowd == self.mark => panic!(
                "{id:?} does not exist any more (or not yet), or belongs to another crowd with the same `id_mark`"
            ),
            None => panic!(
                "{id:?} belongs to another crowd: its `id_mark` is {}, that of this crowd {}",
                id.crowd, self.mark
            ),
        }
    }

    /// Iterates over the values in order of their slots.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        let values = (0..).zip(&self.values);
        values.filter_map(|(index, value)| Some((index, value.as_ref()?)))
    }

    /// Hashes the present ids, and the next ones.
    pub(crate) fn hash_names(&self, hash: &mut StateHasher) {
        hash.add(&self.len()).add(&self.generations).add(&self.free);
    }

    /// Returns the number of values.
    pub(crate) fn len(&self) -> usize {
        self.values.len() - self.free.len()
    }

    /// Returns one more than the highest slot ever used.
    pub(crate) fn slot_count(&self) -> usize {
        self.values.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stale_and_foreign_ids_find_nothing() {
        let mut slots = Slots::<kind::Agent, char>::default();
        let mut other = Slots::<kind::Agent, char>::default();
        other.set_mark(1);
        other.insert('c');
        let first = slots.insert('a');
        assert_eq!(slots.remove(first), Some('a'));
        let vacant = slots.id_at(0);
        assert_eq!(slots.get(vacant), None);
        let second = slots.insert('b');
        assert_eq!((second.index(), second.generation()), (0, 1));
        assert_eq!(slots.get(first), None);
        assert_eq!(slots.remove(first), None);
        assert_eq!(slots.get(second), Some(&'b'));
        let foreign = other.id_at(0);
        assert_eq!((foreign.index(), foreign.generation()), (0, 0));
        assert_eq!((other.get(foreign), other.get(first)), (Some(&'c'), None));
        assert_eq!(format!("{second:?}"), "agent 0.1");
    }
}
