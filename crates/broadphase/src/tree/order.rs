//! Sorting the leaves along the curve.

use super::Tree;
use crate::curve::{BITS, hilbert_index};
use crate::lanes::{NONE, WIDTH};
use cairn2d_geometry::Aabb;
use core::ops::Range;

/// Size classes, so that a few huge boxes do not share blocks with small ones and blow them up.
const CLASSES: i32 = 4;

/// Binary logarithm of the factor in size from class to class: boxes up to four times the mean are
/// everyday, up to sixteen times the next class, and so on.
const CLASS_STEP: i32 = 2;

/// Half the width of the grid of the curve, in mean distances from the mean center.
///
/// A uniform square reaches to 2, a bell to 5 at the rim of a million. Beyond, cells are shared:
/// a few bodies that fell off the world must not coarsen the grid for the rest.
const REACH: f64 = 4.0;

/// A leaf on its way to another slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Traveler {
    pub(super) aabb: Aabb,
    pub(super) paired: Aabb,
    pub(super) category: u64,
    pub(super) leaf: u32,
    pub(super) data: u32,
    pub(super) moved: bool,
}

impl Traveler {
    /// The content of a hole.
    const NONE: Self = Self {
        aabb: Aabb::EMPTY,
        paired: Aabb::EMPTY,
        category: 0,
        leaf: NONE,
        data: 0,
        moved: false,
    };
}

/// Memory kept from sort to sort: 8 bytes a leaf.
///
/// The leaves themselves are sorted in place. A sort of copies takes as long: what it saves in cache misses, it loses by
/// touching 64 bytes of new memory a leaf.
#[derive(Debug, Default)]
pub(super) struct Sorter {
    /// Place on the curve above the number of the leaf, then the numbers in order.
    keys: Vec<u64>,
}

/// The memory is not copied.
impl Clone for Sorter {
    fn clone(&self) -> Self {
        Self::default()
    }

    fn clone_from(&mut self, _: &Self) {}
}

impl Sorter {
    pub(super) fn bytes(&self) -> usize {
        self.keys.capacity() * size_of::<u64>()
    }

    /// Lists the numbers of `boxes` in the order of the curve; boxes in the same cell stay in order.
    fn order(&mut self, boxes: impl ExactSizeIterator<Item = Aabb> + Clone) {
        let number_bits = usize::BITS - boxes.len().leading_zeros();
        let grid = Cells::around(boxes.clone(), u64::BITS - number_bits);
        self.keys.clear();
        let numbered = boxes.zip(0_u64..);
        self.keys
            .extend(numbered.map(|(aabb, i)| (grid.key(&aabb) << number_bits) | i));
        self.keys.sort_unstable();
        for key in &mut self.keys {
            *key &= (1 << number_bits) - 1;
        }
    }
}

/// Twice the center of a box, without overflow.
#[inline]
fn twice_center(aabb: &Aabb) -> (f64, f64) {
    (
        f64::from(aabb.min.x) + f64::from(aabb.max.x),
        f64::from(aabb.min.y) + f64::from(aabb.max.y),
    )
}

/// Binary exponent of the larger extent.
#[inline]
fn size_exponent(aabb: &Aabb) -> i32 {
    let (x, y) = (aabb.max.x - aabb.min.x, aabb.max.y - aabb.min.y);
    (if x > y { x } else { y }.to_bits() >> (f32::MANTISSA_DIGITS - 1)) as i32
}

/// The cells that the curve runs through.
struct Cells {
    low: (f64, f64),
    cells_per_length: f64,
    usual_exponent: i32,
    /// Bits of the place on the curve that are dropped to make room.
    dropped: u32,
}

impl Cells {
    /// Lays the grid around the middle of the crowd; keys get at most `key_bits` bits.
    fn around(boxes: impl ExactSizeIterator<Item = Aabb> + Clone, key_bits: u32) -> Self {
        let count = boxes.len().max(1);
        let n = count as f64;
        let (mut x, mut y, mut exponent) = (0.0, 0.0, 0);
        for aabb in boxes.clone() {
            let center = twice_center(&aabb);
            x += center.0;
            y += center.1;
            exponent += i64::from(size_exponent(&aabb));
        }
        let mean = (x / n, y / n);
        let mut spread = 0.0;
        for aabb in boxes {
            let center = twice_center(&aabb);
            spread += (center.0 - mean.0).abs() + (center.1 - mean.1).abs();
        }
        let half = (REACH * spread / n).max(f64::MIN_POSITIVE);
        Self {
            low: (mean.0 - half, mean.1 - half),
            cells_per_length: f64::from(1 << BITS) / (2.0 * half),
            usual_exponent: (exponent / count as i64) as i32,
            dropped: (2 * BITS + CLASSES.ilog2()).saturating_sub(key_bits),
        }
    }

    /// Class first, then place on the curve.
    #[inline]
    fn key(&self, aabb: &Aabb) -> u64 {
        let above = size_exponent(aabb) - self.usual_exponent;
        let class = (above / CLASS_STEP).clamp(0, CLASSES - 1) as u64;
        let center = twice_center(aabb);
        let last = (1 << BITS) - 1;
        let x = (((center.0 - self.low.0) * self.cells_per_length) as u32).min(last);
        let y = (((center.1 - self.low.1) * self.cells_per_length) as u32).min(last);
        ((class << (2 * BITS)) | hilbert_index(x, y)) >> self.dropped
    }
}

impl Tree {
    /// Sorts everything along the curve and drops the holes.
    pub fn rebuild(&mut self) {
        self.sort_from(0);
        // The next block is the first of the hot zone.
        self.hot_start = self.leaf.len().next_multiple_of(WIDTH);
    }

    /// Sorts everything from slot `start`, the first of a block, and drops the holes there.
    pub(super) fn sort_from(&mut self, start: usize) {
        let end = self.sort_range(start..self.leaf.len());
        let blocks = end.div_ceil(WIDTH);
        self.leaf.truncate(end);
        self.data.truncate(end);
        self.paired.truncate(blocks);
        self.moved.truncate(blocks);
        self.home.truncate(blocks);
        self.moved_blocks.retain(|&block| (block as usize) < blocks);
        self.levels.truncate(blocks);
        self.hot_dirt = 0;
    }

    /// Sorts the leaves in a range of slots that starts and, unless at the end, ends with a block. Holes come last;
    /// returns the slot of the first one.
    pub(super) fn sort_range(&mut self, slots: Range<usize>) -> usize {
        let blocks = slots.start / WIDTH..slots.end.div_ceil(WIDTH);
        self.written.note_all(blocks.clone());
        self.moved_blocks
            .retain(|&block| !blocks.contains(&(block as usize)));
        let end = self.close_holes(slots.clone());
        let mut sorter = core::mem::take(&mut self.sorter);
        sorter.order((slots.start..end).map(|slot| self.slot_box(slot)));
        self.permute(slots.start, &mut sorter.keys);
        self.sorter = sorter;
        for block in blocks.clone() {
            self.home[block] = self.levels.blocks()[block].union().perimeter();
            if self.moved[block] != 0 {
                self.moved_blocks.push(block as u32);
            }
        }
        self.levels.refit(blocks);
        end
    }

    /// Moves the leaves in `slots` to the first of them, in their order; returns the slot of the first hole behind them.
    fn close_holes(&mut self, slots: Range<usize>) -> usize {
        let mut end = slots.start;
        for slot in slots {
            if self.leaf[slot] == NONE {
                self.vacate(slot);
                continue;
            }
            if slot != end {
                let leaf = self.traveler(slot);
                self.settle(end, &leaf);
                self.vacate(slot);
            }
            end += 1;
        }
        end
    }

    /// Moves the leaf number `order[i]` after slot `start` to number `i`, for all `i`, cycle by cycle. Leaves the numbers
    /// from 0 on in `order`.
    fn permute(&mut self, start: usize, order: &mut [u64]) {
        for first in 0..order.len() {
            if order[first] == first as u64 {
                continue;
            }
            let displaced = self.traveler(start + first);
            let mut place = first;
            loop {
                let from = core::mem::replace(&mut order[place], place as u64) as usize;
                if from == first {
                    break;
                }
                let leaf = self.traveler(start + from);
                self.settle(start + place, &leaf);
                place = from;
            }
            self.settle(start + place, &displaced);
        }
    }

    /// Returns a copy of the leaf in a slot.
    // Inlined: a call, and a copy of its result, took a quarter of a sort.
    #[inline(always)]
    pub(super) fn traveler(&self, slot: usize) -> Traveler {
        let (block, lane) = (slot / WIDTH, slot % WIDTH);
        Traveler {
            aabb: self.levels.blocks()[block].get(lane),
            paired: self.paired[block].get(lane),
            category: self.levels.node_categories(0, block)[lane],
            leaf: self.leaf[slot],
            data: self.data[slot],
            moved: self.moved[block] >> lane & 1 == 1,
        }
    }

    /// Writes one leaf into a slot.
    #[inline]
    fn settle(&mut self, slot: usize, traveler: &Traveler) {
        self.put(slot, traveler);
        self.slots[traveler.leaf as usize] = slot as u32;
    }

    /// Makes a slot a hole that is not listed as moved.
    fn vacate(&mut self, slot: usize) {
        self.put(slot, &Traveler::NONE);
    }

    #[inline(always)]
    fn put(&mut self, slot: usize, traveler: &Traveler) {
        let (block, lane) = (slot / WIDTH, slot % WIDTH);
        self.levels
            .write_leaf(slot, &traveler.aabb, traveler.category);
        self.paired[block].set(lane, &traveler.paired);
        let moved = &mut self.moved[block];
        *moved = *moved & !(1 << lane) | u8::from(traveler.moved) << lane;
        self.leaf[slot] = traveler.leaf;
        self.data[slot] = traveler.data;
    }
}
