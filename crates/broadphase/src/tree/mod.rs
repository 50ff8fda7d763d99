//! A tree of boxes packed eight to a node along a curve.
//!
//! The leaves are in the order of a Hilbert curve, eight to a block. Every node above is eight boxes, and its
//! position determines those of its children. A box that moves is changed where it is; a new one is put at
//! the end; a removed one leaves a hole. When enough has changed, everything is sorted along the curve again,
//! which costs less than inserting a tenth of it into a binary tree.
//!
//! A few moving boxes must not cost a sort of a million boxes at rest, so there are two zones: the cold zone
//! as last sorted, and behind it the hot zone with new boxes and boxes that have strayed from their block.
//! The hot zone is sorted often and separately.

mod levels;
mod order;
mod upkeep;
mod pairs;
mod query;
mod nodes;
mod consistency;
mod save;

pub use query::QueryStats;

use crate::lanes::{Boxes, NONE, WIDTH};
use crate::proxy::demand_box;
use cairn2d_geometry::Aabb;
use cairn2d_geometry::clone_fields;
use cairn2d_geometry::{HashState, StateHasher, WrittenSlots};
use levels::Levels;
use order::{Sorter, Traveler};
use slab::Slab;

/// Name of a box in a `Tree`; reused after removal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LeafId(pub(crate) u32);

/// A dynamic tree of boxes: edits, queries, and pairs that have begun to overlap.
///
/// Each box has category bits and a number of the user. A query finds it if its mask shares a category bit.
/// Queries and pairs report the number.
#[derive(Debug, Default)]
pub struct Tree {
    levels: Levels,
    /// Boxes as they were at the last pairing, `EMPTY` for new boxes and boxes to be paired
    /// anew; the shape of level 0.
    paired: Vec<Boxes>,
    /// Lanes changed since the last pairing, one bit each, a block an entry.
    moved: Vec<u8>,
    /// Blocks with a bit in `moved`, each once, in order of their first change.
    moved_blocks: Vec<u32>,
    /// Cold blocks that have grown too large, found again in each step.
    stray_blocks: Vec<u32>,
    /// Leaf id of each slot, `NONE` in a hole, and the user's number.
    leaf: Vec<u32>,
    data: Vec<u32>,
    /// Slot of each leaf id.
    slots: Slab<u32>,
    /// Perimeter of each block when it was sorted \[m\].
    home: Vec<f32>,
    /// First slot of the hot zone, a whole number of blocks.
    hot_start: usize,
    /// Changes in the hot zone since it was sorted.
    hot_dirt: usize,
    /// Whether insertions sort: not within a batch.
    sorting: Sorting,
    sorter: Sorter,
    /// Blocks that were written since the base of deltas; nodes above are compared with those of the base.
    written: WrittenSlots,
}

/// When new boxes are sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Sorting {
    /// As they come.
    #[default]
    AtInsertion,
    /// At the end of the batch.
    AtEnd,
}

clone_fields!(Tree {
    levels,
    paired,
    moved,
    moved_blocks,
    stray_blocks,
    leaf,
    data,
    slots,
    home,
    hot_start,
    hot_dirt,
    sorting,
    sorter,
    written
});

/// Without the names of leaves, which only the owner of a proxy sees: two trees whose names differ answer alike.
impl HashState for Tree {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            levels,
            paired,
            moved,
            // The blocks with a bit in `moved`; sorted before they are used.
            moved_blocks: _,
            // Scratch: found anew before each use.
            stray_blocks: _,
            leaf,
            data,
            // The inverse of `leaf`.
            slots: _,
            home,
            hot_start,
            hot_dirt,
            // The same except within a call.
            sorting: _,
            // Scratch: filled by each sort.
            sorter: _,
            // Notes of differences from a base are no state.
            written: _,
        } = self;
        hash.add(levels).add(paired).add(moved);
        for (&leaf, data) in leaf.iter().zip(data) {
            // The data of a free leaf are never read.
            hash.add(&(leaf != NONE).then_some(*data));
        }
        hash.add(home).add(hot_start).add(hot_dirt);
    }
}

impl Tree {
    /// Returns an empty tree.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of boxes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns `true` if there is no box.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns `true` if `id` names a box.
    #[must_use]
    pub fn contains(&self, id: LeafId) -> bool {
        self.slots.contains(id.0 as usize)
    }

    /// Adds a box; it is found by queries at once, and by the next pairing.
    ///
    /// # Panics
    /// When the box is not finite or its minimum lies beyond its maximum.
    pub fn insert(&mut self, aabb: Aabb, category: u64, data: u32) -> LeafId {
        demand_box(&aabb);
        self.drop_many_holes();
        let id = self.slots.insert(0) as u32;
        let newcomer = Traveler {
            aabb,
            paired: Aabb::EMPTY,
            category,
            leaf: id,
            data,
            moved: true,
        };
        self.append(&newcomer);
        if self.sorting == Sorting::AtInsertion {
            self.sort_what_filled_up();
        }
        LeafId(id)
    }

    /// Leaves the next insertions unsorted until [`end_batch`](Self::end_batch).
    pub(crate) fn begin_batch(&mut self) {
        self.sorting = Sorting::AtEnd;
    }

    /// Puts a box at the end.
    fn append(&mut self, newcomer: &Traveler) {
        let slot = self.leaf.len();
        if slot.is_multiple_of(WIDTH) {
            self.levels.push_block();
            self.paired.push(Boxes::EMPTY);
            self.moved.push(0);
            self.home.push(0.0);
        }
        self.leaf.push(newcomer.leaf);
        self.data.push(newcomer.data);
        self.slots[newcomer.leaf as usize] = slot as u32;
        self.paired[slot / WIDTH].set(slot % WIDTH, &newcomer.paired);
        self.levels.grow_leaf(slot, &newcomer.aabb);
        self.levels.add_category(slot, newcomer.category);
        self.mark_slot(slot);
    }

    /// Removes a box.
    ///
    /// # Panics
    /// When there is no such box.
    pub fn remove(&mut self, id: LeafId) {
        let slot = self.slots.remove(id.0 as usize) as usize;
        self.empty_slot(slot);
        if self.is_empty() {
            // Without its holes the tree is like a new one, and so is the order of its answers.
            self.rebuild();
        }
    }

    /// Makes a slot a hole. Its bit in `moved` stays: a block is listed while it has one.
    fn empty_slot(&mut self, slot: usize) {
        self.written.note(slot / WIDTH);
        self.leaf[slot] = NONE;
        self.levels.write_leaf(slot, &Aabb::EMPTY, 0);
        self.levels.tighten(slot / WIDTH);
        self.paired[slot / WIDTH].set(slot % WIDTH, &Aabb::EMPTY);
        self.hot_dirt += usize::from(slot >= self.hot_start);
    }

    /// Replaces a box, at any distance from the old one, and keeps the tree tight.
    ///
    /// # Panics
    /// When there is no such box, or `aabb` is not finite or inverted.
    pub fn set(&mut self, id: LeafId, aabb: Aabb) {
        demand_box(&aabb);
        let slot = self.slot(id);
        self.levels.grow_leaf(slot, &aabb);
        self.levels.tighten(slot / WIDTH);
        self.mark_slot(slot);
    }

    /// Replaces a box by one not far away: the cheapest edit. Nodes above are only enlarged; the
    /// next pairing makes them tight again.
    ///
    /// # Panics
    /// When there is no such box, or `aabb` is not finite or inverted.
    #[inline]
    pub fn enlarge(&mut self, id: LeafId, aabb: Aabb) {
        demand_box(&aabb);
        let slot = self.slot(id);
        self.levels.grow_leaf(slot, &aabb);
        self.mark_slot(slot);
    }

    /// Has the next pairing report the pairs of this box as if it were new.
    ///
    /// # Panics
    /// When there is no such box.
    pub fn touch_proxy(&mut self, id: LeafId) {
        let slot = self.slot(id);
        self.paired[slot / WIDTH].set(slot % WIDTH, &Aabb::EMPTY);
        self.mark_slot(slot);
    }

    /// Changes the category bits of a box.
    ///
    /// # Panics
    /// When there is no such box.
    pub fn set_category(&mut self, id: LeafId, category: u64) {
        let slot = self.slot(id);
        self.written.note(slot / WIDTH);
        self.levels.set_category(slot, category);
    }

    /// The box.
    ///
    /// # Panics
    /// When there is no such box.
    #[must_use]
    #[inline]
    pub fn aabb(&self, id: LeafId) -> Aabb {
        let slot = self.slot(id);
        self.levels.blocks()[slot / WIDTH].get(slot % WIDTH)
    }

    /// Category bits of the box.
    ///
    /// # Panics
    /// When there is no such box.
    #[must_use]
    pub fn category(&self, id: LeafId) -> u64 {
        let slot = self.slot(id);
        self.levels.node_categories(0, slot / WIDTH)[slot % WIDTH]
    }

    /// The number given at insertion.
    ///
    /// # Panics
    /// When there is no such box.
    #[must_use]
    #[inline]
    pub fn data(&self, id: LeafId) -> u32 {
        self.data[self.slot(id)]
    }

    /// From now on the present boxes are those of the base of deltas.
    pub(crate) fn begin_base(&mut self) {
        self.written.clear();
    }

    /// The box around everything, `None` when empty.
    #[must_use]
    pub fn bounds(&self) -> Option<Aabb> {
        (!self.is_empty()).then(|| self.levels.bounds())
    }

    /// Memory held \[bytes\].
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.levels.bytes()
            + self.paired.capacity() * size_of::<Boxes>()
            + self.moved.capacity()
            + self.home.capacity() * size_of::<f32>()
            + (self.moved_blocks.capacity() + self.stray_blocks.capacity()) * size_of::<u32>()
            + (self.leaf.capacity() + self.data.capacity()) * size_of::<u32>()
            + self.slots.capacity() * 2 * size_of::<u32>()
            + self.sorter.bytes()
    }

    #[inline]
    fn slot(&self, id: LeafId) -> usize {
        match self.slots.get(id.0 as usize) {
            Some(&slot) => slot as usize,
            None => panic!("no box with {id:?} in the tree"),
        }
    }

    /// Notes that the box in `slot` has changed.
    #[inline]
    fn mark_slot(&mut self, slot: usize) {
        let block = slot / WIDTH;
        self.written.note(block);
        if self.moved[block] == 0 {
            self.moved_blocks.push(block as u32);
        }
        self.moved[block] |= 1 << (slot % WIDTH);
        self.hot_dirt += usize::from(slot >= self.hot_start);
    }
}
