//! Generational ids and their slots: the id of a removed object never finds a later object in the same slot.

use crate::bitset::WORD;
use crate::free_slots::FreeSlots;
use crate::growth;
use cairn2d_geometry::{
    HashState, LoadError, Persist, Place, Reader, Sink, StateHasher, WrittenSlots, clone_fields,
};
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Index, IndexMut};

/// Slot of an absent or static body: its state is the constant identity.
pub(crate) const NO_SLOT: u32 = u32::MAX;

/// A kind of objects that have an [`Id`]: [`kind::Body`], [`kind::Shape`], [`kind::Joint`] or [`kind::Contact`].
///
/// Use it as a bound in code that is generic over the kind. The trait is sealed, since only the engine makes ids.
///
/// ```
/// use cairn2d_dynamics::{BodyId, Id, IdKind, kind};
///
/// fn name_of<K: IdKind>(_: Id<K>) -> &'static str {
///     K::NAME
/// }
/// let id: Id<kind::Body> = BodyId::from_bits(0);
/// assert_eq!(name_of(id), "body");
/// ```
pub trait IdKind: sealed::Sealed + Copy + Ord + core::hash::Hash {
    /// Name of the kind in messages.
    const NAME: &'static str;
}

mod sealed {
    /// Has no implementations outside of this crate.
    pub trait Sealed {}
}

/// The kinds of objects that have ids, as parameters of [`Id`]. [`BodyId`] and the like are shorter names.
pub mod kind {
    use super::IdKind;
    use super::sealed::Sealed;

    /// A rigid body.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Body;
    /// A shape on a body.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Shape;
    /// A joint between two bodies.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Joint;
    /// A pair of shapes that are near each other.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Contact;

    impl Sealed for Body {}
    impl Sealed for Shape {}
    impl Sealed for Joint {}
    impl Sealed for Contact {}

    impl IdKind for Body {
        const NAME: &'static str = "body";
    }
    impl IdKind for Shape {
        const NAME: &'static str = "shape";
    }
    impl IdKind for Joint {
        const NAME: &'static str = "joint";
    }
    impl IdKind for Contact {
        const NAME: &'static str = "contact";
    }
}

/// Names a body of one world.
#[doc(alias("b2BodyId", "RigidBodyHandle", "RID"))]
pub type BodyId = Id<kind::Body>;
/// Names a shape of one world.
#[doc(alias("b2ShapeId", "ColliderHandle"))]
pub type ShapeId = Id<kind::Shape>;
/// Names a joint of one world.
#[doc(alias("b2JointId", "ImpulseJointHandle"))]
pub type JointId = Id<kind::Joint>;
/// Names a contact of one world.
pub type ContactId = Id<kind::Contact>;

/// Identifies an object of one world: a slot, the generation of its content, and the world.
///
/// It is small, `Copy`, ordered and hashable. The id of a removed object is stale: accessors return `None` or panic.
/// Worlds made by `clone` or [`World::load`](crate::World::load) have the same ids, so an id that is kept across a
/// rollback stays valid. An id of another world is recognized if the two worlds have different
/// [`id_mark`](crate::WorldDef::id_mark)s; if not, it finds the object of the same slot and generation.
///
/// Generations have 16 bits and wrap: an id that is kept while its slot is used for exactly 65 536 more
/// objects (or a multiple) identifies the newest of them. Drop the ids of removed objects.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id<K> {
    index: u32,
    generation: u16,
    world: u16,
    kind: PhantomData<K>,
}

impl<K: IdKind> Id<K> {
    /// Packs the id into an integer, for saves, messages and other libraries.
    ///
    /// The bits are the same in every run that makes the same calls: slot in the low half, then generation and
    /// [`WorldDef::id_mark`](crate::WorldDef::id_mark).
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        ((self.world as u64) << 48) | ((self.generation as u64) << 32) | self.index as u64
    }

    /// Unpacks the integer of [`to_bits`](Self::to_bits). Every integer gives an id; in a world that did not return it,
    /// it is stale or foreign.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self {
            index: bits as u32,
            generation: (bits >> 32) as u16,
            world: (bits >> 48) as u16,
            kind: PhantomData,
        }
    }

    /// The slot: dense, reused after removal. Unique among the existing objects of one kind.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// Number of earlier uses of the slot, modulo 65 536.
    #[must_use]
    pub const fn generation(self) -> u16 {
        self.generation
    }
}

impl<K: IdKind> fmt::Debug for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}.{}", K::NAME, self.index, self.generation)
    }
}

/// Mark in the ids of one world, by which ids of other worlds are recognized as foreign:
/// [`WorldDef::id_mark`](crate::WorldDef::id_mark). No result and no state hash depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WorldMark(pub(crate) u16);

/// Storage of cold records under ids.
///
/// A new value gets the lowest free slot, so a table that was emptied allots slots as a new one does; see
/// [`FreeSlots`]. Generations stay, so that ids of removed values remain stale, and wrap. The alternative, to retire
/// a slot after its last generation, would let memory grow without bound, since contacts reuse slots many times a
/// step.
#[derive(Debug)]
pub(crate) struct Slots<K, T> {
    values: Vec<Option<T>>,
    free: FreeSlots,
    generations: Vec<u16>,
    mark: WorldMark,
    len: usize,
    /// Slots that were given to a value, freed or borrowed for writing since the base of deltas.
    written: WrittenSlots,
    kind: PhantomData<K>,
}

clone_fields!(Slots<K, T> where [K, T: Clone] {
    values, free, generations, mark, len, written, kind
});

impl<K: IdKind, T> Slots<K, T> {
    pub(crate) fn new(mark: WorldMark) -> Self {
        Self {
            values: Vec::new(),
            free: FreeSlots::default(),
            generations: Vec::new(),
            mark,
            len: 0,
            written: WrittenSlots::default(),
            kind: PhantomData,
        }
    }

    /// Reserves memory for `additional` values in addition to the existing ones.
    pub(crate) fn reserve(&mut self, additional: usize) {
        let new = additional.saturating_sub(self.free.len());
        self.values.reserve(new);
        self.generations.reserve(new);
    }

    /// Stores the value that `make` builds for its id.
    pub(crate) fn insert_with(&mut self, make: impl FnOnce(Id<K>) -> T) -> Id<K> {
        let index = self.free.take_lowest().unwrap_or_else(|| {
            growth::push(&mut self.generations, 0);
            growth::push(&mut self.values, None);
            (self.values.len() - 1) as u32
        });
        let id = self.id_at(index);
        self.written.note(index as usize);
        self.values[index as usize] = Some(make(id));
        self.len += 1;
        id
    }

    /// Removes and returns the value in slot `index`, which must be in use.
    pub(crate) fn remove(&mut self, index: u32) -> T {
        let slot = index as usize;
        let value = self.values[slot].take().expect("slot in use");
        self.written.note(slot);
        self.len -= 1;
        self.generations[slot] = self.generations[slot].wrapping_add(1);
        self.free.add(index);
        value
    }

    /// Returns the id of the value in slot `index`, or of the next one if the slot is free.
    pub(crate) fn id_at(&self, index: u32) -> Id<K> {
        Id {
            index,
            generation: self.generations[index as usize],
            world: self.mark.0,
            kind: PhantomData,
        }
    }

    /// Returns the slot that `id` names, or `None` if `id` is stale or foreign.
    pub(crate) fn find(&self, id: Id<K>) -> Option<u32> {
        let known = id.world == self.mark.0
            && self.generations.get(id.index as usize) == Some(&id.generation)
            && self.get(id.index).is_some();
        known.then_some(id.index)
    }

    /// Returns the slot that `id` names.
    ///
    /// # Panics
    /// If `id` is stale or foreign; the message says which.
    #[track_caller]
    pub(crate) fn expect(&self, id: Id<K>) -> u32 {
        match self.find(id) {
            Some(index) => index,
            None if id.world == self.mark.0 => {
                panic!(
                    "{id:?} does not exist any more (or not yet), or belongs to another world with the same `id_mark`"
                )
            }
            None => panic!(
                "{id:?} belongs to another world: its `id_mark` is {}, that of this world {}",
                id.world, self.mark.0
            ),
        }
    }

    /// Number of values.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Checks that each slot is in use or listed as free, once. For tests.
    ///
    /// # Panics
    /// If one is not: memory would grow with the age of the world.
    pub(crate) fn assert_consistent(&self) {
        let used = self.values.iter().flatten().count();
        assert_eq!(used, self.len, "number of values");
        assert_eq!(self.values.len(), self.generations.len(), "generations");
        let are_right = self.free.are(self.bound(), |slot| self.get(slot).is_none());
        assert!(are_right, "free slots");
    }

    /// One more than the largest index ever in use: the length that parallel arrays need.
    pub(crate) fn bound(&self) -> usize {
        self.generations.len()
    }

    /// Iterates over (index, value) in order of index.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        (0..)
            .zip(&self.values)
            .filter_map(|(index, value)| Some((index, value.as_ref()?)))
    }

    /// Returns the value in slot `index`, if the slot is in use.
    pub(crate) fn get(&self, index: u32) -> Option<&T> {
        self.values.get(index as usize)?.as_ref()
    }

    /// Returns slot `index` without reading it, for a prefetch.
    #[inline]
    pub(crate) fn place(&self, index: u32) -> &Option<T> {
        &self.values[index as usize]
    }
}

impl<K, T> Index<u32> for Slots<K, T> {
    type Output = T;
    #[inline]
    fn index(&self, index: u32) -> &T {
        self.values[index as usize].as_ref().expect("slot in use")
    }
}

impl<K, T> IndexMut<u32> for Slots<K, T> {
    #[inline]
    fn index_mut(&mut self, index: u32) -> &mut T {
        self.written.note(index as usize);
        self.values[index as usize].as_mut().expect("slot in use")
    }
}

/// Without the mark of the world: worlds that are made alike have equal hashes.
impl<K> HashState for Id<K> {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            index,
            generation,
            world: _,
            kind: _,
        } = self;
        hash.word(u64::from(*generation) << u32::BITS | u64::from(*index));
    }
}

impl<K: IdKind> Persist for Id<K> {
    #[inline]
    fn write<S: Sink>(&self, sink: &mut S) {
        let Self {
            index,
            generation,
            world,
            kind: _,
        } = self;
        sink.field("index", index);
        sink.field("generation", generation);
        sink.report("world", world);
    }

    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        Ok(Self {
            index: reader.read()?,
            generation: reader.read()?,
            world: reader.read()?,
            kind: PhantomData,
        })
    }
}

/// Bytes of the shortest value in a save, about: that of a contact.
const LEAST_VALUE: usize = 16;

/// The lists that decide the next ids, then the values in order of slot. The mark is in the definition of the world.
impl<K: IdKind, T: Persist> Persist for Slots<K, T> {
    fn write<S: Sink>(&self, sink: &mut S) {
        let Self {
            values,
            free,
            generations,
            mark: _,
            // The number of values.
            len: _,
            written,
            kind: _,
        } = self;
        write_generations(generations, written, sink);
        free.write_field(sink);
        let written = |word| written.word(word);
        sink.records(values.len(), written, |sink, slot| {
            if let Some(value) = &values[slot as usize] {
                sink.item(slot, value);
            }
        });
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let generations: Vec<u16> = reader.read()?;
        let bound = generations.len();
        let free = FreeSlots::read_below(reader, bound)?;
        // Hostile lengths get no more memory than the bytes that follow could fill.
        let most = reader.remaining() / LEAST_VALUE;
        let mut values = Vec::with_capacity(bound.min(free.len() + most));
        for slot in 0..bound as u32 {
            let is_used = !free.contains(slot);
            values.push(is_used.then(|| reader.read()).transpose()?);
        }
        Ok(Self {
            len: values.len() - free.len(),
            values,
            free,
            generations,
            mark: WorldMark(0),
            written: WrittenSlots::default(),
            kind: PhantomData,
        })
    }
}

/// Writes the list of generations, those of a word of slots as a record.
fn write_generations<S: Sink>(generations: &[u16], written: &WrittenSlots, sink: &mut S) {
    sink.enter(Place::Field("generations"));
    sink.len(generations.len());
    let words = generations.len().div_ceil(WORD);
    let written = |word| written.words_with_any(word);
    sink.records(words, written, |sink, word| {
        let first = WORD * word as usize;
        let slots = generations.iter().enumerate().skip(first).take(WORD);
        slots.for_each(|(slot, generation)| sink.item(slot as u32, generation));
    });
    sink.leave();
}

impl<K, T> Slots<K, T> {
    /// Sets the mark of the world: an id that is read from a save has none.
    pub(crate) fn set_mark(&mut self, mark: WorldMark) {
        self.mark = mark;
    }

    /// Returns the value in slot `index` for change, if the slot is in use.
    pub(crate) fn get_mut(&mut self, index: u32) -> Option<&mut T> {
        let value = self.values.get_mut(index as usize)?.as_mut()?;
        self.written.note(index as usize);
        Some(value)
    }

    /// Counts slot `index` as written since the base of deltas.
    pub(crate) fn note_written(&mut self, index: u32) {
        self.written.note(index as usize);
    }

    /// The slots that were written since the base.
    pub(crate) const fn written(&self) -> &WrittenSlots {
        &self.written
    }

    /// From now on the present values are those of the base.
    pub(crate) fn begin_base(&mut self) {
        self.written.clear();
    }
}

/// The values, and the lists that decide the next ids.
impl<K, T: HashState> HashState for Slots<K, T> {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            values,
            free,
            generations,
            mark: _,
            // The number of values.
            len: _,
            // Notes of differences from a base are no state.
            written: _,
            kind: _,
        } = self;
        hash.add(values).add(free).add(generations);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reused_slot_has_another_id() {
        let mut slots = Slots::<kind::Body, u8>::new(WorldMark(0));
        let a = slots.insert_with(|_| 1);
        slots.remove(a.index());
        let b = slots.insert_with(|_| 2);
        assert_eq!(a.index(), b.index());
        assert_eq!(slots.find(a), None);
        assert_eq!(slots.find(b), Some(b.index()));
    }

    #[test]
    fn generations_wrap_and_slots_are_never_retired() {
        let mut slots = Slots::<kind::Body, u8>::new(WorldMark(0));
        let first = slots.insert_with(|_| 0);
        slots.remove(first.index());
        for _ in 0..u32::from(u16::MAX) {
            let id = slots.insert_with(|_| 0);
            assert_eq!(id.index(), first.index());
            assert_ne!(id, first);
            assert_eq!(slots.find(first), None);
            slots.remove(id.index());
        }
        assert_eq!(slots.insert_with(|_| 0), first);
        slots.assert_consistent();
        assert_eq!(slots.bound(), 1);
        assert_eq!(slots.len(), 1);
        assert_eq!(slots.iter().count(), 1);
    }

    #[test]
    fn foreign_id_is_refused() {
        let mut here = Slots::<kind::Body, u8>::new(WorldMark(0));
        let mut there = Slots::<kind::Body, u8>::new(WorldMark(1));
        let a = here.insert_with(|_| 1);
        let b = there.insert_with(|_| 1);
        assert_eq!(here.find(b), None);
        assert_eq!(a.index(), b.index());
        assert_ne!(a.to_bits(), b.to_bits());
        assert_eq!(BodyId::from_bits(a.to_bits()), a);
    }
}
