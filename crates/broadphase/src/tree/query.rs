//! Questions to a tree: what overlaps a box, and what comes first along a ray or near a point.

use super::Tree;
use super::levels::Stack;
use crate::cast::{MovingBox, Near, Probe};
use crate::lanes::{NONE, WIDTH, finite, lanes};
use cairn2d_geometry::math::{Point, Vec2};
use cairn2d_geometry::{Aabb, Ray};
use core::ops::{AddAssign, ControlFlow};
use smallvec::SmallVec;

/// What a query has visited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueryStats {
    /// Nodes of eight boxes above the leaves; 0 where there is no tree.
    pub nodes: usize,
    /// Blocks of eight leaves; 0 where there is no tree.
    pub blocks: usize,
    /// Boxes handed to the caller.
    pub leaves: usize,
}

impl AddAssign for QueryStats {
    fn add_assign(&mut self, other: Self) {
        self.nodes += other.nodes;
        self.blocks += other.blocks;
        self.leaves += other.leaves;
    }
}

/// The slots of the boxes that touch a box, one by one.
struct Overlaps<'a> {
    tree: &'a Tree,
    aabb: Aabb,
    mask: u64,
    stack: Stack,
    /// First slot of the block at hand, and its lanes still to come.
    block_start: usize,
    lanes_left: u32,
    stats: QueryStats,
}

impl Iterator for Overlaps<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.lanes_left == 0 {
            let (level, index) = self.stack.pop()?;
            let hits = self.tree.touching(level, index, &self.aabb, self.mask);
            if level == 0 {
                self.stats.blocks += 1;
                (self.block_start, self.lanes_left) = (index * WIDTH, hits);
            } else {
                self.stats.nodes += 1;
                lanes(hits).for_each(|lane| self.stack.push(level - 1, index * WIDTH + lane));
            }
        }
        let lane = self.lanes_left.trailing_zeros() as usize;
        self.lanes_left &= self.lanes_left - 1;
        self.stats.leaves += 1;
        Some(self.block_start + lane)
    }
}

/// A node or leaf that waits for its turn, nearest at the end of the list.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    /// Lower bound of what the probe measures \[its unit\].
    key: f32,
    /// 0 for a leaf, one more than the level for a node.
    rank: u32,
    index: u32,
}

/// Waiting nodes that fit on the stack.
const USUAL_WAITING: usize = 64;

/// The boxes that a probe measures at most `limit`: number and measure, one by one.
///
/// Depth first, the nearest child of a node first: without the heap that full order would take.
pub(crate) struct NearestFirst<'a, P> {
    tree: &'a Tree,
    probe: P,
    mask: u64,
    pub(crate) limit: f32,
    waiting: SmallVec<[Waiting; USUAL_WAITING]>,
    pub(crate) stats: QueryStats,
}

impl<P: Probe> Iterator for NearestFirst<'_, P> {
    type Item = (u32, f32);

    #[inline]
    fn next(&mut self) -> Option<(u32, f32)> {
        while let Some(next) = self.waiting.pop() {
            if next.key > self.limit {
                continue;
            }
            match next.rank {
                0 => {
                    self.stats.leaves += 1;
                    return Some((self.tree.data[next.index as usize], next.key));
                }
                1 => self.stats.blocks += 1,
                _ => self.stats.nodes += 1,
            }
            self.enter(next);
        }
        None
    }
}

impl<P: Probe> NearestFirst<'_, P> {
    /// Puts the children of a node on the list, the nearest last. The others stay as they are:
    /// sorting them mispredicts more than it saves, since the first hit discards most.
    #[inline]
    fn enter(&mut self, node: Waiting) {
        let (level, index) = (node.rank as usize - 1, node.index as usize);
        let (keys, hit) = self
            .probe
            .measure(self.tree.levels.node(level, index), self.limit);
        let hit = hit & self.tree.category_lanes(level, index, self.mask);
        let first = self.waiting.len();
        let mut nearest = (f32::INFINITY, first);
        for lane in lanes(hit) {
            let key = keys[lane];
            nearest = if key < nearest.0 {
                (key, self.waiting.len())
            } else {
                nearest
            };
            self.waiting.push(Waiting {
                key,
                rank: level as u32,
                index: (index * WIDTH + lane) as u32,
            });
        }
        if hit != 0 {
            let last = self.waiting.len() - 1;
            self.waiting.swap(nearest.1, last);
        }
    }
}

impl Tree {
    /// The numbers of the boxes that touch `aabb` and share a category bit with `mask`. The order
    /// depends only on the edits made so far.
    pub fn overlaps(&self, aabb: &Aabb, mask: u64) -> impl Iterator<Item = u32> {
        self.overlapping_slots(*aabb, mask)
            .map(|slot| self.data[slot])
    }

    /// Calls `visit` with the number of each box that touches `aabb` and shares a category bit with
    /// `mask`, until it breaks.
    pub fn query(
        &self,
        aabb: &Aabb,
        mask: u64,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> (QueryStats, ControlFlow<()>) {
        let mut slots = self.overlapping_slots(*aabb, mask);
        let flow = slots.try_for_each(|slot| visit(self.data[slot]));
        (slots.stats, flow)
    }

    /// The boxes that a ray enters: number, and fraction of entry. Of the children of a node the
    /// first entered comes first, so what is early on the ray tends to come early.
    pub fn along(&self, ray: &Ray, mask: u64) -> impl Iterator<Item = (u32, f32)> {
        self.box_along(Vec2::zeros(), ray, mask)
    }

    /// The boxes that a box of half width and height `half` \[m\] enters as its center follows a
    /// ray: number, and fraction of entry, as in `along`.
    pub fn box_along(&self, half: Vec2, ray: &Ray, mask: u64) -> impl Iterator<Item = (u32, f32)> {
        self.nearest_first(MovingBox::new(ray, half), mask, ray.max_fraction)
    }

    /// The boxes not farther than `max_distance` \[m\] from a point: number and distance \[m\].
    /// Of the children of a node the nearest comes first, so what is near tends to come early.
    pub fn near(
        &self,
        point: Point,
        max_distance: f32,
        mask: u64,
    ) -> impl Iterator<Item = (u32, f32)> {
        self.nearest_first(Near(point), mask, max_distance)
    }

    /// All pairs of boxes that overlap, by number, each once, in no particular order.
    pub fn overlapping_pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        self.live_slots().flat_map(move |a| {
            let later = self
                .overlapping_slots(self.slot_box(a), u64::MAX)
                .filter(move |b| a < *b);
            later.map(move |b| (self.data[a], self.data[b]))
        })
    }

    /// All pairs of a box of this tree and one of `other` that overlap, by number, in no particular
    /// order.
    pub fn overlapping_pairs_with(&self, other: &Self) -> impl Iterator<Item = (u32, u32)> {
        self.live_slots().flat_map(move |a| {
            let partners = other.overlapping_slots(self.slot_box(a), u64::MAX);
            partners.map(move |b| (self.data[a], other.data[b]))
        })
    }

    /// The numbers of all boxes, in no order a user should rely on.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.live_slots().map(|slot| self.data[slot])
    }

    fn live_slots(&self) -> impl Iterator<Item = usize> {
        (0..self.leaf.len()).filter(|&slot| self.leaf[slot] != NONE)
    }

    fn slot_box(&self, slot: usize) -> Aabb {
        self.levels.blocks()[slot / WIDTH].get(slot % WIDTH)
    }

    fn overlapping_slots(&self, aabb: Aabb, mask: u64) -> Overlaps<'_> {
        let stack = Stack::at_root(self.levels.height());
        let stats = QueryStats::default();
        Overlaps {
            tree: self,
            aabb: finite(&aabb),
            mask,
            stack,
            block_start: 0,
            lanes_left: 0,
            stats,
        }
    }

    pub(crate) fn nearest_first<P: Probe>(
        &self,
        probe: P,
        mask: u64,
        limit: f32,
    ) -> NearestFirst<'_, P> {
        let rank = self.levels.height() as u32;
        let root = (rank > 0).then_some(Waiting {
            key: 0.0,
            rank,
            index: 0,
        });
        let waiting = root.into_iter().collect();
        NearestFirst {
            tree: self,
            probe,
            mask,
            limit,
            waiting,
            stats: QueryStats::default(),
        }
    }

    /// Lanes of a node that touch `aabb` and share a category bit with `mask`.
    #[inline]
    fn touching(&self, level: usize, index: usize, aabb: &Aabb, mask: u64) -> u32 {
        self.levels.node(level, index).overlap_mask(aabb) & self.category_lanes(level, index, mask)
    }

    /// Lanes of a node that share a category bit with `mask`.
    #[inline]
    fn category_lanes(&self, level: usize, index: usize, mask: u64) -> u32 {
        if mask == u64::MAX {
            // All is asked for, even what has no category bit.
            return u32::MAX;
        }
        let categories = self.levels.node_categories(level, index);
        categories
            .iter()
            .rev()
            .fold(0, |lanes, c| (lanes << 1) | u32::from(c & mask != 0))
    }
}
