//! Pairs of boxes that have begun to overlap: a tree against itself and against another.

use super::Tree;
use crate::lanes::{Boxes, WIDTH, lanes};
use crate::pair_set::pair_key;
use cairn2d_geometry::Aabb;
use core::ops::ControlFlow;
use rayon::prelude::*;

/// A tree is sorted again when this fraction of its boxes, as a divisor, has changed.
const SORT_DIVISOR: usize = 2;

/// Moved blocks below which one thread is faster than several.
const MIN_PARALLEL_BLOCKS: usize = 256;

/// Moved blocks a task of a worker takes.
const BLOCKS_PER_TASK: usize = 32;

/// Which pairs of a moved box to leave to the other side's own search.
#[derive(Clone, Copy, PartialEq)]
enum Rule {
    /// Search within one tree: of two moved boxes, the one in the earlier slot reports.
    Within,
    /// Search in another tree: report all.
    All,
    /// Search in another tree whose moved boxes search here: report those that have not moved.
    Unmoved,
}

/// The moved boxes of one block, now and at the last pairing.
struct Group {
    block: usize,
    now: Boxes,
    before: Boxes,
    bounds: Aabb,
}

impl Tree {
    /// Sorts the tree if enough has changed, and makes the nodes above moved boxes tight.
    pub fn prepare_pairs(&mut self) {
        if SORT_DIVISOR * self.dirt >= self.leaf.len() && self.dirt > 0 {
            self.rebuild();
            return;
        }
        for block in &self.moved_blocks {
            self.levels.tighten(*block as usize);
        }
    }

    /// Appends the packed keys of the pairs within this tree that have begun to overlap since the
    /// last pairing, in no particular order, each once.
    pub(crate) fn pairs_within(&self, out: &mut Vec<u64>) {
        self.search(self, Rule::Within, out);
    }

    /// Appends the keys of the pairs of this tree's boxes with those of `other` that have begun to
    /// overlap, in no particular order, each once.
    pub(crate) fn pairs_with(&self, other: &Self, out: &mut Vec<u64>) {
        self.search(other, Rule::All, out);
        other.search(self, Rule::Unmoved, out);
    }

    /// Takes the boxes as they are now for the ones that the next pairing compares with.
    pub fn finish_pairs(&mut self) {
        for block in self.moved_blocks.drain(..) {
            let block = block as usize;
            self.moved[block] = 0;
            self.paired[block] = self.levels.blocks()[block];
        }
    }

    /// Searches `other` for partners of this tree's moved boxes.
    fn search(&self, other: &Self, rule: Rule, out: &mut Vec<u64>) {
        let blocks = &self.moved_blocks;
        if blocks.len() < MIN_PARALLEL_BLOCKS || rayon::current_num_threads() == 1 {
            blocks
                .iter()
                .for_each(|&block| self.search_block(block as usize, other, rule, out));
            return;
        }
        let found: Vec<Vec<u64>> = blocks
            .par_chunks(BLOCKS_PER_TASK)
            .map(|chunk| {
                let mut keys = Vec::new();
                chunk
                    .iter()
                    .for_each(|&block| self.search_block(block as usize, other, rule, &mut keys));
                keys
            })
            .collect();
        out.extend(found.iter().flatten());
    }

    /// Gathers the moved boxes of a block.
    fn group(&self, block: usize) -> Group {
        let (all, all_before) = (&self.levels.blocks()[block], &self.paired[block]);
        let mut group = Group {
            block,
            now: Boxes::EMPTY,
            before: Boxes::EMPTY,
            bounds: all.union(),
        };
        for lane in lanes(self.moved[block].into()) {
            group.now.set(lane, &all.get(lane));
            group.before.set(lane, &all_before.get(lane));
        }
        group.bounds = group.now.union();
        group
    }

    /// Walks `other` once for all moved boxes of a block: they are neighbours.
    fn search_block(&self, block: usize, other: &Self, rule: Rule, out: &mut Vec<u64>) {
        let group = self.group(block);
        let levels = &other.levels;
        let _ = levels.walk(
            |level, index| levels.node(level, index).overlap_mask(&group.bounds),
            |partner| {
                self.test_blocks(&group, other, partner, rule, out);
                ControlFlow::Continue(())
            },
        );
    }

    /// Tests the group against one block, eight boxes at once.
    fn test_blocks(
        &self,
        group: &Group,
        other: &Self,
        partner: usize,
        rule: Rule,
        out: &mut Vec<u64>,
    ) {
        let now = &other.levels.blocks()[partner];
        let before = &other.paired[partner];
        for lane in lanes(group.now.overlap_mask(&now.union())) {
            let touching = now.overlap_mask(&group.now.get(lane));
            if touching == 0 {
                continue;
            }
            let known = before.overlap_mask(&group.before.get(lane));
            let left = other.left_to_the_other(group.block, lane, partner, rule);
            let data = self.data[group.block * WIDTH + lane];
            for hit in lanes(touching & !known & !left) {
                out.push(pair_key(data, other.data[partner * WIDTH + hit]));
            }
        }
    }

    /// Lanes of block `partner` whose pair with `lane` of `block` another search reports.
    #[inline]
    fn left_to_the_other(&self, block: usize, lane: usize, partner: usize, rule: Rule) -> u32 {
        let moved = u32::from(self.moved[partner]);
        match rule {
            Rule::All => 0,
            Rule::Unmoved => moved,
            Rule::Within if partner < block => moved,
            Rule::Within if partner > block => 0,
            Rule::Within => (moved & ((1 << lane) - 1)) | (1 << lane),
        }
    }
}
