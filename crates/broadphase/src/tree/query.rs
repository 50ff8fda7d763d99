//! Questions to a tree: what overlaps a box, and what comes first along a ray or near a point.

use super::{HOLE, Tree};
use crate::cast::Probe;
use crate::lanes::{WIDTH, lanes};
use cairn2d_geometry::Aabb;
use core::ops::ControlFlow;
use smallvec::SmallVec;

/// What a query has visited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeStats {
    /// Nodes of eight boxes above the leaves.
    pub nodes: usize,
    /// Blocks of eight leaves.
    pub blocks: usize,
    /// Leaves handed to the caller.
    pub leaves: usize,
}

impl core::ops::AddAssign for TreeStats {
    fn add_assign(&mut self, other: Self) {
        self.nodes += other.nodes;
        self.blocks += other.blocks;
        self.leaves += other.leaves;
    }
}

/// A node or leaf that waits for its turn, nearest at the end of the list.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    /// Lower bound of what the probe measures [its unit].
    key: f32,
    /// 0 for a leaf, one more than the level for a node.
    rank: u32,
    index: u32,
}

/// Waiting nodes that fit on the stack.
const USUAL_WAITING: usize = 64;

impl Tree {
    /// Calls `visit` with the number of each box that touches `aabb` and shares a bit with `mask`,
    /// until it breaks. The order depends only on the edits made so far.
    pub fn query(
        &self,
        aabb: &Aabb,
        mask: u64,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> (TreeStats, ControlFlow<()>) {
        let mut stats = TreeStats::default();
        let test = |level: usize, index: usize| {
            self.levels.node(level, index).overlap_mask(aabb)
                & self.category_mask(level, index, mask)
        };
        let mut nodes = 0;
        let flow = self.levels.walk(
            |level, index| {
                nodes += 1;
                test(level, index)
            },
            |block, _| {
                stats.blocks += 1;
                for lane in lanes(test(0, block)) {
                    stats.leaves += 1;
                    visit(self.data[block * WIDTH + lane])?;
                }
                ControlFlow::Continue(())
            },
        );
        stats.nodes = nodes;
        (stats, flow)
    }

    /// Lanes of a node whose category bits share one with `mask`.
    #[inline]
    fn category_mask(&self, level: usize, index: usize, mask: u64) -> u32 {
        if mask == u64::MAX {
            return u32::MAX;
        }
        let categories = self.levels.node_categories(level, index);
        categories
            .iter()
            .rev()
            .fold(0, |lanes, c| (lanes << 1) | u32::from(c & mask != 0))
    }

    /// Calls `visit` with boxes in order of `probe`'s measure, as long as that is at most `limit`;
    /// `visit` returns the new limit.
    pub(crate) fn nearest_first(
        &self,
        probe: &impl Probe,
        mask: u64,
        limit: &mut f32,
        mut visit: impl FnMut(u32, f32) -> f32,
    ) -> TreeStats {
        let mut stats = TreeStats::default();
        let mut waiting: SmallVec<[Waiting; USUAL_WAITING]> = SmallVec::new();
        if self.levels.height() > 0 {
            waiting.push(Waiting {
                key: 0.0,
                rank: self.levels.height() as u32,
                index: 0,
            });
        }
        while let Some(next) = waiting.pop() {
            if next.key > *limit {
                continue;
            }
            if next.rank == 0 {
                stats.leaves += 1;
                *limit = visit(self.data[next.index as usize], *limit);
                continue;
            }
            let counter = if next.rank == 1 {
                &mut stats.blocks
            } else {
                &mut stats.nodes
            };
            *counter += 1;
            self.enter(next, probe, mask, *limit, &mut waiting);
        }
        stats
    }

    /// Puts the children of a node on the list, nearest last.
    #[inline]
    fn enter(
        &self,
        node: Waiting,
        probe: &impl Probe,
        mask: u64,
        limit: f32,
        waiting: &mut SmallVec<[Waiting; USUAL_WAITING]>,
    ) {
        let (level, index) = (node.rank as usize - 1, node.index as usize);
        let (keys, hit) = probe.measure(self.levels.node(level, index), limit);
        let first = waiting.len();
        for lane in lanes(hit & self.category_mask(level, index, mask)) {
            let index = (index * WIDTH + lane) as u32;
            let child = Waiting {
                key: keys[lane],
                rank: level as u32,
                index,
            };
            let mut at = waiting.len();
            waiting.push(child);
            while at > first && waiting[at - 1].key < child.key {
                waiting[at] = waiting[at - 1];
                at -= 1;
            }
            waiting[at] = child;
        }
    }

    /// The numbers of all boxes, in no order a user should rely on.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.leaf
            .iter()
            .zip(&self.data)
            .filter(|(leaf, _)| **leaf != HOLE)
            .map(|(_, data)| *data)
    }
}
