//! Queries of a tree: the boxes that overlap a box, and the first ones along a ray or near a point.

use super::Tree;
use super::levels::{MAX_LEVELS, WIDTH_BITS};
use crate::cast::{MovingBox, Near, Probe};
use crate::lanes::{NONE, WIDTH, finite, lanes};
use cairn2d_geometry::math::{Point, Vec2};
use cairn2d_geometry::{Aabb, Ray};
use cairn2d_simd::{BASELINE8, Lanes8, Simd};
use core::ops::{AddAssign, ControlFlow};
use smallvec::SmallVec;

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

/// A node or box that is still to be visited.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    /// Measure of its box.
    key: f32,
    /// Level of the node plus one; 0 for a box.
    height: u32,
    index: u32,
}

/// Nodes and boxes that wait at the most: seven on each level, and the one at hand.
const MAX_WAITING: usize = MAX_LEVELS * (WIDTH - 1) + 1;

/// The boxes that a probe measures at most `limit`: number and measure, one by one.
///
/// Depth first, of the children of a node always the nearest that is left: without the heap that full order would take.
/// Most nodes on the way of a short ray have one child in reach, which is next and never waits; others are sorted as
/// they are found.
pub(crate) struct NearestFirst<'a, S, P> {
    simd: S,
    tree: &'a Tree,
    probe: P,
    mask: u64,
    pub(crate) limit: f32,
    /// The next one last. A list that is not initialized: zeros took longer to write than a short ray to follow.
    waiting: SmallVec<[Waiting; MAX_WAITING]>,
    pub(crate) stats: QueryStats,
}

impl<S: Simd<F32: Lanes8>, P: Probe> Iterator for NearestFirst<'_, S, P> {
    type Item = (u32, f32);

    // One copy for all queries in a module for the web, which has a single instruction set.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn next(&mut self) -> Option<(u32, f32)> {
        loop {
            let mut next = self.waiting.pop()?;
            if next.key > self.limit {
                continue;
            }
            while let Some(level) = next.height.checked_sub(1) {
                match self.open(level as usize, next.index as usize) {
                    Some(child) => next = child,
                    None => break,
                }
            }
            if next.height == 0 {
                self.stats.leaves += 1;
                return Some((self.tree.data[next.index as usize], next.key));
            }
        }
    }
}

impl<S: Simd<F32: Lanes8>, P: Probe> NearestFirst<'_, S, P> {
    /// Goes to the root.
    #[inline(always)]
    pub(crate) fn start(&mut self) {
        if !self.tree.is_empty() {
            self.waiting.push(Waiting {
                key: 0.0,
                height: self.tree.levels.height() as u32,
                index: 0,
            });
        }
    }

    /// Returns the nearest child of a node that the probe reaches, of equally near ones that in the lowest lane. The others
    /// wait.
    #[inline(always)]
    fn open(&mut self, level: usize, index: usize) -> Option<Waiting> {
        match level {
            0 => self.stats.blocks += 1,
            _ => self.stats.nodes += 1,
        }
        let node = self.tree.levels.node(level, index);
        let (keys, hits) = self.probe.measure(self.simd, node, self.limit);
        let mut hits = self.tree.in_mask(level, index, hits, self.mask);
        let child = |lane: usize| Waiting {
            key: keys[lane],
            height: level as u32,
            index: (index * WIDTH + lane) as u32,
        };
        if hits & hits.wrapping_sub(1) == 0 {
            return (hits != 0).then(|| child(hits.trailing_zeros() as usize));
        }
        let first = self.waiting.len();
        while hits != 0 {
            let lane = hits.ilog2() as usize;
            hits &= !(1 << lane);
            self.waiting.push(child(lane));
            let siblings = &mut self.waiting[first..];
            let mut place = siblings.len() - 1;
            while place > 0 && siblings[place - 1].key < siblings[place].key {
                siblings.swap(place - 1, place);
                place -= 1;
            }
        }
        self.waiting.pop()
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
        let mut found =
            self.nearest_first(BASELINE8, MovingBox::new(ray, half), mask, ray.max_fraction);
        found.start();
        found
    }

    /// Iterates over the boxes at most `max_distance` \[m\] from a point, with number and distance \[m\]. The nearest
    /// child of a node comes first, so near boxes tend to come early.
    pub fn query_iter(
        &self,
        point: Point,
        max_distance: f32,
        mask: u64,
    ) -> impl Iterator<Item = (u32, f32)> {
        let mut found = self.nearest_first(BASELINE8, Near(point), mask, max_distance);
        found.start();
        found
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

    #[inline]
    pub(super) fn slot_box(&self, slot: usize) -> Aabb {
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

    /// Returns a search that [`start`](NearestFirst::start) is yet to begin: where it is kept, since it is large.
    #[inline(always)]
    pub(crate) fn nearest_first<S: Simd<F32: Lanes8>, P: Probe>(
        &self,
        simd: S,
        probe: P,
        mask: u64,
        limit: f32,
    ) -> NearestFirst<'_, S, P> {
        NearestFirst {
            simd,
            tree: self,
            probe,
            mask,
            limit,
            waiting: SmallVec::new(),
            stats: QueryStats::default(),
        }
    }

    /// Lanes of a node that touch `aabb` and share a category bit with `mask`.
    #[inline(always)]
    fn touching(&self, level: usize, index: usize, aabb: &Aabb, mask: u64) -> u32 {
        let touching = self.levels.node(level, index).overlap_mask(BASELINE8, aabb);
        self.in_mask(level, index, touching, mask)
    }

    /// Returns those of the given lanes of a node that share a category bit with `mask`.
    #[inline(always)]
    fn in_mask(&self, level: usize, index: usize, hits: u32, mask: u64) -> u32 {
        if mask == u64::MAX {
            // All boxes are included, even without a category bit.
            return hits;
        }
        let categories = self.levels.node_categories(level, index);
        // Most nodes have one or two lanes of interest.
        lanes(hits)
            .filter(|&lane| categories[lane] & mask == 0)
            .fold(hits, |hits, lane| hits & !(1 << lane))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_geometry::math::{point, vec2};
    use proptest::prelude::*;

    /// The same search as a recursion: the children within reach in order of measure, then of lane.
    fn search(
        tree: &Tree,
        probe: &impl Probe,
        (level, index): (usize, usize),
        limit: &mut f32,
        next_limit: &impl Fn(u32, f32) -> f32,
        found: &mut Vec<(u32, f32)>,
    ) {
        let (keys, hits) = probe.measure(BASELINE8, tree.levels.node(level, index), *limit);
        let mut children: Vec<usize> = lanes(hits).collect();
        children.sort_by(|&a, &b| keys[a].total_cmp(&keys[b]).then(a.cmp(&b)));
        for lane in children {
            let child = index * WIDTH + lane;
            if keys[lane] > *limit {
                continue;
            }
            if level == 0 {
                let data = tree.data[child];
                found.push((data, keys[lane]));
                *limit = next_limit(data, *limit);
            } else {
                search(tree, probe, (level - 1, child), limit, next_limit, found);
            }
        }
    }

    fn check(tree: &Tree, probe: &impl Probe, limit: f32, next_limit: impl Fn(u32, f32) -> f32) {
        let mut expected = Vec::new();
        let root = (tree.levels.height() - 1, 0);
        search(
            tree,
            probe,
            root,
            &mut limit.clone(),
            &next_limit,
            &mut expected,
        );
        let mut found = tree.nearest_first(BASELINE8, probe, u64::MAX, limit);
        found.start();
        let mut visited = Vec::new();
        while let Some(next) = found.next() {
            visited.push(next);
            found.limit = next_limit(next.0, found.limit);
        }
        assert_eq!(visited, expected);
    }

    proptest! {
        #[test]
        fn search_visits_boxes_in_the_order_of_a_recursion(
            boxes in prop::collection::vec((-9.0_f32..9.0, -9.0_f32..9.0, 0.0_f32..2.0), 1..900),
            from in (-12.0_f32..12.0, -12.0_f32..12.0),
            way in (-20.0_f32..20.0, -20.0_f32..20.0),
            half in 0.0_f32..1.0,
        ) {
            let mut tree = Tree::new();
            for (&(x, y, size), data) in boxes.iter().zip(0..) {
                // In a grid, so that many boxes are equally near.
                let low = point(x.round(), y.round());
                tree.insert(Aabb::new(low, low + vec2(size.round(), 1.0)), 1, data);
            }
            let ray = Ray::new(point(from.0, from.1), vec2(way.0, way.1));
            let probe = MovingBox::new(&ray, vec2(half, half));
            let shorter = |data: u32, limit: f32| if data.is_multiple_of(5) { 0.9 * limit } else { limit };
            check(&tree, &probe, 1.0, |_, limit| limit);
            check(&tree, &probe, 1.0, shorter);
            check(&tree, &Near(ray.origin), 5.0, shorter);
        }
    }
}
