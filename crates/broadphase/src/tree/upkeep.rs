//! Selection of the parts of a tree to sort: it stays good at a cost in proportion to the changes.

use super::levels::WIDTH_BITS;
use super::{Sorting, Tree};
use crate::lanes::{NONE, WIDTH, lanes};

/// Everything is sorted when the hot zone exceeds this fraction of the cold one, or when as many boxes have
/// strayed in one step. The fraction is a divisor.
///
/// A sort of all costs about 60 ns a box, three times the search for pairs. Larger: it comes more
/// often. Smaller: queries visit two zones where one would suffice.
const HOT_DIVISOR: usize = 4;

/// The hot zone is sorted when each of its boxes has changed this often, on the average.
const HOT_CHANGES: usize = 2;

/// A moved box leaves its block when the perimeter of the block has grown by this factor since
/// the last sort.
///
/// Smaller: boxes leave that would have come back. Larger: queries enter blocks for nothing. 1.25
/// to 2 differ little.
const STRAYED: f32 = 1.5;

/// Binary logarithm of the number of new boxes that are sorted together.
///
/// Smaller: boxes are sorted more often before the first pairing sorts all. Larger: a query visits more unsorted blocks,
/// now up to 64.
const SORTED_BITS: u32 = 3 * WIDTH_BITS;

/// Holes that may exceed the number of boxes before they are sorted away.
const MAX_SPARE_NONES: usize = 64;

impl Tree {
    /// Puts the tree in order for queries and pairs, as far as the number of changes is worth it.
    ///
    /// Costs nothing where nothing has changed.
    pub fn prepare_pairs(&mut self) {
        self.drop_many_holes();
        // Neighbors in the tree one after the other, so that they share a walk.
        self.moved_blocks.sort_unstable();
        for block in &self.moved_blocks {
            self.levels.tighten_boxes(*block as usize);
        }
        let hot = self.leaf.len().saturating_sub(self.hot_start);
        self.find_stray_blocks();
        if HOT_DIVISOR * (hot + WIDTH * self.stray_blocks.len()) > self.hot_start {
            if hot + self.stray_blocks.len() > 0 {
                self.rebuild();
            }
            return;
        }
        self.evict_strays();
        if self.hot_dirt > HOT_CHANGES * hot {
            self.sort_from(self.hot_start);
        }
    }

    /// Sorts everything when holes outnumber boxes.
    pub(super) fn drop_many_holes(&mut self) {
        if self.leaf.len() > 2 * self.len() + MAX_SPARE_NONES {
            self.rebuild();
        }
    }

    /// Sorts the subtree of 512, or of a power of it, that the last insertion has filled. So each box is sorted once
    /// or twice, and a tree with insertions alone has at most 511 sorted subtrees a size; a pairing sorts all of them.
    ///
    /// With powers of eight, four sorts took a third of the instructions of creating 100 000 bodies.
    pub(super) fn sort_what_filled_up(&mut self) {
        let end = self.leaf.len();
        let sizes = end.trailing_zeros() / SORTED_BITS;
        if sizes > 0 {
            let filled = 1 << (sizes * SORTED_BITS);
            self.sort_range(self.hot_start.max(end - filled)..end);
        }
    }

    /// Sorts the boxes that a batch has inserted, or all boxes if these are many.
    pub(crate) fn end_batch(&mut self) {
        self.sorting = Sorting::AtInsertion;
        let hot = self.leaf.len().saturating_sub(self.hot_start);
        if HOT_DIVISOR * hot > self.hot_start {
            self.rebuild();
        } else if hot > 0 {
            self.sort_from(self.hot_start);
        }
    }

    /// Lists the cold blocks that have grown too large by moved boxes.
    fn find_stray_blocks(&mut self) {
        self.stray_blocks.clear();
        if self.levels.height() < 2 {
            return;
        }
        let cold = self.moved_blocks.iter().copied();
        let cold = cold.take_while(|&block| (block as usize) * WIDTH < self.hot_start);
        let strays = cold.filter(|&block| {
            let block = block as usize;
            let now = self.levels.node(1, block / WIDTH).get(block % WIDTH);
            now.perimeter() > STRAYED * self.home[block]
        });
        self.stray_blocks.extend(strays);
    }

    /// Moves changed boxes of stray blocks to the hot zone. The list keeps its memory.
    fn evict_strays(&mut self) {
        let strays = core::mem::take(&mut self.stray_blocks);
        for &block in &strays {
            self.evict(block as usize);
        }
        self.stray_blocks = strays;
    }

    /// Moves the boxes of a block that have changed to the hot zone.
    fn evict(&mut self, block: usize) {
        for lane in lanes(self.moved[block].into()) {
            let slot = block * WIDTH + lane;
            if self.leaf[slot] != NONE {
                let traveler = self.traveler(slot);
                self.empty_slot(slot);
                self.append(&traveler);
            }
        }
    }
}
