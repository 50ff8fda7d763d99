//! Levels of boxes above the leaves: eight children per node, and no pointers.

use crate::lanes::{Boxes, WIDTH, lanes};
use cairn2d_geometry::Aabb;
use cairn2d_geometry::clone_fields;
use cairn2d_geometry::{
    HashState, LoadError, Persist, Place, Reader, Sink, StateHasher, WrittenSlots,
};
use cairn2d_simd::{Lanes8, Simd};
use core::ops::Range;

/// Binary logarithm of `WIDTH`.
pub(super) const WIDTH_BITS: u32 = WIDTH.trailing_zeros();

/// Levels that 2^30 boxes need.
pub(super) const MAX_LEVELS: usize = 10;

/// A packed hierarchy: lane `i % 8` of node `i / 8` of level `k + 1` bounds node `i` of level `k`.
///
/// Level 0 holds the boxes of the leaves, eight a block; the highest level is one node. Where a
/// child is follows from where its parent is, so a node is nothing but boxes: a walk reads no
/// pointer, and a level can be refitted front to back.
#[derive(Debug, Default)]
pub(crate) struct Levels {
    boxes: Vec<Vec<Boxes>>,
    /// Category bits found below each lane, at least; the same shape as `boxes`.
    categories: Vec<Vec<[u64; WIDTH]>>,
}

clone_fields!(Levels { boxes, categories });

impl HashState for Levels {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self { boxes, categories } = self;
        hash.add(boxes).add(categories);
    }
}

impl Levels {
    /// Writes the levels as two lists of lists, in which `written` lists the blocks that may differ from the base of
    /// deltas.
    pub(super) fn write<S: Sink>(&self, sink: &mut S, written: &WrittenSlots) {
        let Self { boxes, categories } = self;
        write_levels(sink, "boxes", boxes, written);
        write_levels(sink, "categories", categories, written);
    }

    /// Reads the levels.
    ///
    /// # Errors
    /// See [`Persist::read`].
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        Ok(Self {
            boxes: reader.read()?,
            categories: reader.read()?,
        })
    }

    /// The blocks of leaf boxes.
    #[inline]
    pub(crate) fn blocks(&self) -> &[Boxes] {
        self.boxes.first().map_or(&[], Vec::as_slice)
    }

    /// Number of levels, 0 without a block.
    #[inline]
    pub(crate) fn height(&self) -> usize {
        self.boxes.len()
    }

    #[inline]
    pub(crate) fn node(&self, level: usize, index: usize) -> &Boxes {
        &self.boxes[level][index]
    }

    #[inline]
    pub(crate) fn node_categories(&self, level: usize, index: usize) -> &[u64; WIDTH] {
        &self.categories[level][index]
    }

    /// Returns `true` if each node has its categories.
    pub(super) fn has_all_categories(&self) -> bool {
        let widths = self.categories.iter().map(Vec::len);
        widths.eq(self.boxes.iter().map(Vec::len))
    }

    /// Number of nodes of a level.
    pub(crate) fn width(&self, level: usize) -> usize {
        self.boxes[level].len()
    }

    /// Memory held \[bytes\].
    pub(crate) fn bytes(&self) -> usize {
        let boxes: usize = self.boxes.iter().map(Vec::capacity).sum();
        let categories: usize = self.categories.iter().map(Vec::capacity).sum();
        boxes * size_of::<Boxes>() + categories * size_of::<[u64; WIDTH]>()
    }

    /// Adds an empty block and its ancestors.
    pub(crate) fn push_block(&mut self) {
        let mut level = 0;
        loop {
            if level == self.boxes.len() {
                self.boxes.push(Vec::new());
                self.categories.push(Vec::new());
            }
            self.boxes[level].push(Boxes::EMPTY);
            self.categories[level].push([0; WIDTH]);
            let index = self.boxes[level].len() - 1;
            if index == 0 {
                break;
            }
            level += 1;
            if level == self.boxes.len() {
                // The old root gets a parent, in which its own union has to appear.
                self.boxes.push(vec![Boxes::EMPTY]);
                self.categories.push(vec![[0; WIDTH]]);
                self.refit_lane(level - 1, 0);
                break;
            }
            if !index.is_multiple_of(WIDTH) {
                break;
            }
        }
    }

    /// Drops all but the first `blocks` blocks, and the levels that are then too many.
    pub(crate) fn truncate(&mut self, blocks: usize) {
        let mut width = blocks;
        let mut height = 0;
        while width > 0 {
            self.boxes[height].truncate(width);
            self.categories[height].truncate(width);
            if height > 0 {
                self.clear_lanes_behind(height, self.boxes[height - 1].len());
            }
            height += 1;
            width = if width == 1 { 0 } else { width.div_ceil(WIDTH) };
        }
        self.boxes.truncate(height);
        self.categories.truncate(height);
        self.refit(blocks.saturating_sub(1)..blocks);
    }

    /// Empties the lanes of a level's last node that have no child any more.
    fn clear_lanes_behind(&mut self, level: usize, children: usize) {
        let last = self.boxes[level].len() - 1;
        for lane in children - last * WIDTH..WIDTH {
            self.boxes[level][last].set(lane, &Aabb::EMPTY);
            self.categories[level][last][lane] = 0;
        }
    }

    /// Writes a leaf box without telling the nodes above.
    #[inline]
    pub(crate) fn write_leaf(&mut self, slot: usize, aabb: &Aabb, category: u64) {
        self.boxes[0][slot / WIDTH].set(slot % WIDTH, aabb);
        self.categories[0][slot / WIDTH][slot % WIDTH] = category;
    }

    /// Writes a leaf box and enlarges the nodes above until one holds it already.
    #[inline]
    pub(crate) fn grow_leaf(&mut self, slot: usize, aabb: &Aabb) {
        self.boxes[0][slot / WIDTH].set(slot % WIDTH, aabb);
        let mut index = slot / WIDTH;
        for level in &mut self.boxes[1..] {
            if !level[index / WIDTH].enlarge(index % WIDTH, aabb) {
                break;
            }
            index /= WIDTH;
        }
    }

    /// Adds category bits to a leaf, and to the nodes above it until one has them already.
    #[inline]
    pub(crate) fn add_category(&mut self, slot: usize, category: u64) {
        let mut index = slot;
        for level in &mut self.categories {
            let bits = &mut level[index / WIDTH][index % WIDTH];
            if *bits & category == category && index != slot {
                break;
            }
            *bits |= category;
            index /= WIDTH;
        }
    }

    /// Sets the category bits of a leaf; bits above it are only ever added until the next `refit`.
    pub(crate) fn set_category(&mut self, slot: usize, category: u64) {
        self.add_category(slot, category);
        self.categories[0][slot / WIDTH][slot % WIDTH] = category;
    }

    /// Makes the boxes of the nodes above a block tight, up to one that was so already; their category bits, which
    /// moves do not change, are not looked at: in a large tree they are another line of memory to wait for.
    pub(crate) fn tighten_boxes(&mut self, block: usize) {
        let mut index = block;
        for level in 0..self.boxes.len() - 1 {
            let union = self.boxes[level][index].union();
            let parent = &mut self.boxes[level + 1][index / WIDTH];
            let lane = index % WIDTH;
            if parent.get(lane) == union {
                break;
            }
            parent.set(lane, &union);
            index /= WIDTH;
        }
    }

    /// Makes the nodes above a block tight, up to one that was so already.
    pub(crate) fn tighten(&mut self, block: usize) {
        let mut index = block;
        for level in 0..self.boxes.len() - 1 {
            if !self.refit_lane(level, index) {
                break;
            }
            index /= WIDTH;
        }
    }

    /// Makes the nodes above a range of blocks tight.
    pub(crate) fn refit(&mut self, blocks: Range<usize>) {
        if blocks.is_empty() {
            return;
        }
        let (mut first, mut last) = (blocks.start, blocks.end - 1);
        for level in 0..self.boxes.len() - 1 {
            for index in first..=last {
                self.refit_lane(level, index);
            }
            first /= WIDTH;
            last /= WIDTH;
        }
    }

    /// Copies the union of a node into its parent; says whether that changed the parent.
    #[inline]
    fn refit_lane(&mut self, level: usize, index: usize) -> bool {
        let union = self.boxes[level][index].union();
        let category = self.categories[level][index]
            .iter()
            .fold(0, |all, c| all | c);
        let parent = &mut self.boxes[level + 1][index / WIDTH];
        let categories = &mut self.categories[level + 1][index / WIDTH];
        let lane = index % WIDTH;
        let changed = parent.get(lane) != union || categories[lane] != category;
        parent.set(lane, &union);
        categories[lane] = category;
        changed
    }

    /// Returns the box around everything, or `EMPTY`.
    pub(crate) fn bounds(&self) -> Aabb {
        self.boxes.last().map_or(Aabb::EMPTY, |top| top[0].union())
    }

    /// Returns the blocks whose box touches `aabb`, each with its box; of a single block that may not be true.
    #[inline(always)]
    pub(crate) fn touching<S: Simd<F32: Lanes8>>(&self, simd: S, aabb: Aabb) -> Touching<'_, S> {
        Touching {
            levels: self,
            simd,
            aabb,
            stack: Stack::at_root(self.height()),
            parent: 0,
            left: 0,
        }
    }
}

/// The blocks whose box touches a box. An iterator, since a closure might not be compiled for the instruction set.
pub(crate) struct Touching<'a, S> {
    levels: &'a Levels,
    simd: S,
    aabb: Aabb,
    stack: Stack,
    /// The present node above the blocks, and its lanes that are left.
    parent: usize,
    left: u32,
}

impl<S: Simd<F32: Lanes8>> Iterator for Touching<'_, S> {
    type Item = (usize, Aabb);

    // Inlined into each kernel, except on the web: a module has one instruction set, and one copy is smaller.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn next(&mut self) -> Option<(usize, Aabb)> {
        while self.left == 0 {
            let (level, index) = self.stack.pop()?;
            if level == 0 {
                // The only one.
                return Some((index, self.levels.bounds()));
            }
            let node = self.levels.node(level, index);
            let hits = node.overlap_mask(self.simd, &self.aabb);
            if level == 1 {
                (self.parent, self.left) = (index, hits);
            } else {
                for lane in lanes(hits) {
                    self.stack.push(level - 1, index * WIDTH + lane);
                }
            }
        }
        let lane = self.left.trailing_zeros() as usize;
        self.left &= self.left - 1;
        let parent = self.levels.node(1, self.parent);
        Some((self.parent * WIDTH + lane, parent.get(lane)))
    }
}

/// Writes a list of lists, the first of which has a record for each block. It counts as a table even if it is missing:
/// the tables of a save do not depend on the height of trees.
fn write_levels<S: Sink, T: Persist>(
    sink: &mut S,
    name: &'static str,
    levels: &[Vec<T>],
    written: &WrittenSlots,
) {
    sink.enter(Place::Field(name));
    sink.len(levels.len());
    let (blocks, above) = match levels {
        [] => (&[][..], &[][..]),
        [blocks, above @ ..] => (&blocks[..], above),
    };
    sink.enter(Place::Item(0));
    if !levels.is_empty() {
        sink.len(blocks.len());
    }
    let written = |word| written.word(word);
    sink.records(blocks.len(), written, |sink, block| {
        sink.item(block, &blocks[block as usize]);
    });
    sink.leave();
    for (level, nodes) in (1..).zip(above) {
        sink.item(level, nodes);
    }
    sink.leave();
}

/// Bits of a stack entry below the level.
const INDEX_BITS: u32 = 28;

/// Nodes still to visit: at most seven left over on each level, and the one at hand.
pub(crate) struct Stack {
    entries: [u32; MAX_LEVELS * WIDTH],
    len: usize,
}

impl Stack {
    /// Returns the stack of a walk about to enter the root of a hierarchy, if it has one.
    pub(crate) fn at_root(height: usize) -> Self {
        let mut stack = Self {
            entries: [0; MAX_LEVELS * WIDTH],
            len: 0,
        };
        if height > 0 {
            stack.push(height - 1, 0);
        }
        stack
    }

    #[inline]
    pub(crate) fn push(&mut self, level: usize, index: usize) {
        self.entries[self.len] = ((level as u32) << INDEX_BITS) | index as u32;
        self.len += 1;
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(usize, usize)> {
        self.len = self.len.checked_sub(1)?;
        let entry = self.entries[self.len];
        Some((
            (entry >> INDEX_BITS) as usize,
            (entry & ((1 << INDEX_BITS) - 1)) as usize,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_geometry::math::point;

    fn unit_box(x: f32) -> Aabb {
        Aabb {
            min: point(x, 0.0),
            max: point(x + 0.5, 1.0),
        }
    }

    #[test]
    fn levels_appear_as_they_are_needed() {
        let mut levels = Levels::default();
        for slot in 0..1000 {
            if slot % WIDTH == 0 {
                levels.push_block();
            }
            levels.grow_leaf(slot, &unit_box(slot as f32));
            assert_eq!(
                levels.bounds(),
                Aabb {
                    min: point(0.0, 0.0),
                    max: point(slot as f32 + 0.5, 1.0)
                }
            );
        }
        assert_eq!(levels.height(), 4);
        levels.truncate(9);
        assert_eq!((levels.height(), levels.bounds().max.x), (3, 71.5));
    }
}
