//! Queries of a tree: the boxes that overlap a box, and the first ones along a ray or near a point.

use super::Tree;
use super::levels::{MAX_LEVELS, WIDTH_BITS};
use crate::cast::{MovingBox, Near, Probe};
use crate::lanes::{LANES, NONE, Vector8, WIDTH, finite, lanes, least};
use cairn2d_geometry::math::{Point, Vec2};
use cairn2d_geometry::{Aabb, Ray};
use cairn2d_simd::{BASELINE8, Lanes8, Mask, Simd, Vector};
use core::ops::{AddAssign, ControlFlow};

/// Numbers of nodes and boxes that a query has visited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
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
///
/// Depth first. Of the nodes on the way down only the lanes still to come are kept: a parent's number is its
/// child's without the lane.
struct Overlaps<'a> {
    tree: &'a Tree,
    aabb: Aabb,
    mask: u64,
    /// The current node.
    level: usize,
    index: usize,
    /// The remaining lanes of the current node and of those above it.
    left: [u8; MAX_LEVELS],
    stats: QueryStats,
}

impl Overlaps<'_> {
    #[inline(always)]
    fn enter(&mut self, level: usize, index: usize) {
        (self.level, self.index) = (level, index);
        self.left[level] = self.tree.touching(level, index, &self.aabb, self.mask) as u8;
        match level {
            0 => self.stats.blocks += 1,
            _ => self.stats.nodes += 1,
        }
    }
}

impl Iterator for Overlaps<'_> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.level < self.tree.levels.height() {
            let left = &mut self.left[self.level];
            if *left == 0 {
                self.level += 1;
                self.index >>= WIDTH_BITS;
            } else if self.level == 0 {
                let lane = left.trailing_zeros() as usize;
                *left &= *left - 1;
                self.stats.leaves += 1;
                return Some(self.index * WIDTH + lane);
            } else {
                let lane = left.ilog2() as usize;
                *left &= !(1 << lane);
                self.enter(self.level - 1, self.index * WIDTH + lane);
            }
        }
        None
    }
}

/// A node on the path down, with the measures of its children: infinite for children that are excluded or
/// already visited.
#[derive(Clone, Copy, Debug)]
struct Open {
    keys: [f32; WIDTH],
    first_child: u32,
}

impl Open {
    /// An entry of the path that is not read: zeros are cheaper to write than other numbers.
    const UNUSED: Self = Self {
        keys: [0.0; WIDTH],
        first_child: 0,
    };
}

/// The boxes that a probe measures at most `limit`: number and measure, one by one.
///
/// Depth first, of the children of a node always the nearest that is left: without the heap that
/// full order would take. A node is opened with a copy of eight numbers; nothing is pushed child by
/// child, and the nearest is found without a branch.
pub(crate) struct NearestFirst<'a, P> {
    tree: &'a Tree,
    probe: P,
    mask: u64,
    pub(crate) limit: f32,
    /// The nodes from the root down to the one at hand.
    path: [Open; MAX_LEVELS],
    depth: usize,
    pub(crate) stats: QueryStats,
}

impl<P: Probe> Iterator for NearestFirst<'_, P> {
    type Item = (u32, f32);

    #[inline]
    fn next(&mut self) -> Option<(u32, f32)> {
        let height = self.tree.levels.height();
        let mut keys = self.path[self.depth.checked_sub(1)?].keys;
        loop {
            let (key, lane) = nearest(&keys);
            if key > self.limit || key == f32::INFINITY {
                self.depth -= 1;
                keys = self.path[self.depth.checked_sub(1)?].keys;
                continue;
            }
            let open = &mut self.path[self.depth - 1];
            open.keys[lane] = f32::INFINITY;
            let child = open.first_child as usize + lane;
            if self.depth == height {
                self.stats.leaves += 1;
                return Some((self.tree.data[child], key));
            }
            keys = self.open(child);
        }
    }
}

impl<P: Probe> NearestFirst<'_, P> {
    /// Puts a node at the end of the path; returns the measures of its children.
    #[inline]
    fn open(&mut self, index: usize) -> [f32; WIDTH] {
        let level = self.tree.levels.height() - 1 - self.depth;
        let node = self.tree.levels.node(level, index);
        let mut keys = self.probe.measure(node, self.limit);
        if self.mask != u64::MAX {
            let hidden = !self.tree.category_lanes(level, index, self.mask) & LANES;
            lanes(hidden).for_each(|lane| keys[lane] = f32::INFINITY);
        }
        let first_child = (index * WIDTH) as u32;
        self.path[self.depth] = Open { keys, first_child };
        self.depth += 1;
        match level {
            0 => self.stats.blocks += 1,
            _ => self.stats.nodes += 1,
        }
        keys
    }
}

/// Returns the least of eight numbers, none of which is NaN, and its lane.
#[inline]
fn nearest(keys: &[f32; WIDTH]) -> (f32, usize) {
    let key = least(keys);
    // No key is less, so at most means equal.
    let keys = Vector8::load_unaligned(BASELINE8, keys);
    let lane = keys.le(BASELINE8.splat(key)).bits();
    (key, (lane | 1 << (WIDTH - 1)).trailing_zeros() as usize)
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
    // A call per tree, with the result in memory, costs a sixth of the search in a scene of few bodies.
    #[inline(always)]
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
    /// first entered comes first, so boxes early on the ray tend to come early.
    pub fn ray_iter(&self, ray: &Ray, mask: u64) -> impl Iterator<Item = (u32, f32)> {
        self.box_along(Vec2::zeros(), ray, mask)
    }

    /// The boxes that a box of half width and height `half` \[m\] enters as its center follows a
    /// ray: number, and fraction of entry, as in `along`.
    pub fn box_along(&self, half: Vec2, ray: &Ray, mask: u64) -> impl Iterator<Item = (u32, f32)> {
        self.nearest_first(MovingBox::new(ray, half), mask, ray.max_fraction)
    }

    /// Iterates over the boxes at most `max_distance` \[m\] from a point, with number and distance \[m\]. The nearest
    /// child of a node comes first, so near boxes tend to come early.
    pub fn query_iter(
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

    #[inline]
    fn overlapping_slots(&self, aabb: Aabb, mask: u64) -> Overlaps<'_> {
        let mut overlaps = Overlaps {
            tree: self,
            aabb: finite(&aabb),
            mask,
            level: 0,
            index: 0,
            left: [0; MAX_LEVELS],
            stats: QueryStats::default(),
        };
        if let Some(root) = self.levels.height().checked_sub(1) {
            overlaps.enter(root, 0);
        }
        overlaps
    }

    // Where it is called: the search is as long as ten nodes, and a short ray visits no more.
    #[inline(always)]
    pub(crate) fn nearest_first<P: Probe>(
        &self,
        probe: P,
        mask: u64,
        limit: f32,
    ) -> NearestFirst<'_, P> {
        let mut found = NearestFirst {
            tree: self,
            probe,
            mask,
            limit,
            path: [Open::UNUSED; MAX_LEVELS],
            depth: 0,
            stats: QueryStats::default(),
        };
        if !self.is_empty() {
            found.open(0);
        }
        found
    }

    /// Lanes of a node that touch `aabb` and share a category bit with `mask`.
    #[inline(always)]
    fn touching(&self, level: usize, index: usize, aabb: &Aabb, mask: u64) -> u32 {
        self.levels.node(level, index).overlap_mask(aabb) & self.category_lanes(level, index, mask)
    }

    /// Lanes of a node that share a category bit with `mask`.
    #[inline]
    fn category_lanes(&self, level: usize, index: usize, mask: u64) -> u32 {
        if mask == u64::MAX {
            // All boxes are included, even without a category bit.
            return u32::MAX;
        }
        let categories = self.levels.node_categories(level, index);
        categories
            .iter()
            .rev()
            .fold(0, |lanes, c| (lanes << 1) | u32::from(c & mask != 0))
    }
}
