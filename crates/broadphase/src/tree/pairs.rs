//! Pairs of boxes that have begun to overlap: a tree against itself and against another.

use super::Tree;
use crate::lanes::{Boxes, WIDTH, lanes};
use crate::pair_set::pair_key;
use crate::parallel::{Sharing, collect_in_parallel};
use cairn2d_geometry::Aabb;
use cairn2d_simd::{Kernel, Lanes8, Level, Simd};
use smallvec::SmallVec;

/// Value of `moved` if all boxes of a block have moved.
const ALL_MOVED: u8 = u8::MAX;

/// Rule for pairs of two moved boxes, which both searches find: one of them reports the pair.
#[derive(Clone, Copy, PartialEq)]
enum Rule {
    /// Search within one tree: of two moved boxes, the one in the earlier slot reports.
    Within,
    /// Search in another tree: report all.
    All,
    /// Search in another tree whose moved boxes search here: report boxes that have not moved.
    Unmoved,
}

/// The moved boxes of one block.
struct Group {
    block: usize,
    /// One bit a lane.
    moved: u32,
    bounds: Aabb,
}

/// Returns the box around some boxes, and the sum of their perimeters \[m\].
#[inline]
fn bounds_and_parts(boxes: impl Iterator<Item = Aabb>) -> (Aabb, f32) {
    boxes.fold((Aabb::EMPTY, 0.0), |(all, parts), aabb| {
        (all.union(&aabb), parts + aabb.perimeter())
    })
}

/// Largest perimeter of the box around the boxes of a common walk, relative to the sum of their perimeters.
///
/// Less: more walks. More: boxes in between are collected as well, and tested for each.
const MAX_SPREAD: f32 = 2.0;

/// Most groups of the blocks below one parent: all their boxes, each by itself. 2 KiB on the stack, so that strays
/// need no memory.
const MAX_GROUPS: usize = WIDTH * WIDTH;

/// Blocks that the moved boxes below one node may have partners in, eight boxes to a record. Usually so few that they
/// need no memory of their own.
#[derive(Default)]
struct Candidates {
    boxes: SmallVec<[Boxes; USUAL_CANDIDATES / WIDTH]>,
    blocks: SmallVec<[u32; USUAL_CANDIDATES]>,
}

const USUAL_CANDIDATES: usize = 128;

impl Candidates {
    fn clear(&mut self) {
        self.boxes.clear();
        self.blocks.clear();
    }

    fn push(&mut self, block: usize, aabb: &Aabb) {
        let lane = self.blocks.len() % WIDTH;
        if lane == 0 {
            self.boxes.push(Boxes::EMPTY);
        }
        self.boxes[self.blocks.len() / WIDTH].set(lane, aabb);
        self.blocks.push(block as u32);
    }
}

/// A search of one tree for partners of moved boxes of another.
struct PairSearch<'a> {
    tree: &'a Tree,
    /// Blocks with moved boxes.
    blocks: &'a [u32],
    other: &'a Tree,
    rule: Rule,
    out: &'a mut Vec<u64>,
}

impl<S: Simd<F32: Lanes8>> Kernel<S> for PairSearch<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: S) {
        let Self {
            tree,
            blocks,
            other,
            rule,
            out,
        } = self;
        tree.search_blocks(simd, blocks, other, rule, out);
    }
}

impl Tree {
    /// Appends the packed keys of the pairs within this tree that have begun to overlap since the
    /// last pairing, in no particular order, each once.
    pub(crate) fn pairs_within(&self, sharing: Sharing<'_>, out: &mut Vec<u64>) {
        self.search(self, Rule::Within, sharing, out);
    }

    /// Appends the keys of the pairs of this tree's boxes with those of `other` that have begun to
    /// overlap, in no particular order, each once.
    pub(crate) fn pairs_with(&self, other: &Self, sharing: Sharing<'_>, out: &mut Vec<u64>) {
        self.search(other, Rule::All, sharing, out);
        other.search(self, Rule::Unmoved, sharing, out);
    }

    /// Stores the present boxes for comparison in the next pairing.
    pub(crate) fn finish_pairs(&mut self) {
        for block in self.moved_blocks.drain(..) {
            let block = block as usize;
            self.written.note(block);
            self.moved[block] = 0;
            self.paired[block] = self.levels.blocks()[block];
        }
    }

    /// Searches `other` for partners of this tree's moved boxes.
    fn search(&self, other: &Self, rule: Rule, sharing: Sharing<'_>, out: &mut Vec<u64>) {
        if self.moved_blocks.is_empty() || other.is_empty() {
            return;
        }
        collect_in_parallel(&self.moved_blocks, sharing, out, |blocks, out| {
            Level::detect().enter(PairSearch {
                tree: self,
                blocks,
                other,
                rule,
                out,
            });
        });
    }

    /// Searches for the moved boxes of some blocks, one walk for all that have the same parent and lie close together:
    /// a walk is mostly mispredicted branches.
    #[inline(always)]
    fn search_blocks<S: Simd<F32: Lanes8>>(
        &self,
        simd: S,
        blocks: &[u32],
        other: &Self,
        rule: Rule,
        out: &mut Vec<u64>,
    ) {
        let mut candidates = Candidates::default();
        let mut groups = SmallVec::<[Group; MAX_GROUPS]>::new();
        for siblings in blocks.chunk_by(|a, b| a / WIDTH as u32 == b / WIDTH as u32) {
            groups.clear();
            for &block in siblings {
                self.push_groups(block as usize, &mut groups);
            }
            let all = groups.iter().map(|group| group.bounds);
            let (bounds, parts) = bounds_and_parts(all);
            let is_compact = bounds.perimeter() <= MAX_SPREAD * parts;
            let shared = if is_compact { groups.len() } else { 1 };
            for party in groups.chunks(shared) {
                let bounds = if is_compact { bounds } else { party[0].bounds };
                let first = party[0].block;
                // Loops instead of filters, which might not be compiled for the instruction set.
                let found = other.levels.touching(simd, bounds);
                // A block all of which has moved does its own search of later ones.
                let is_left = |block: usize| {
                    rule == Rule::Within && block < first && other.moved[block] == ALL_MOVED
                };
                if let [group] = party {
                    // Its candidates need no list.
                    for (partner, bounds) in found {
                        if !is_left(partner) {
                            self.test_blocks(simd, group, other, (partner, &bounds), rule, out);
                        }
                    }
                    continue;
                }
                candidates.clear();
                for (block, bounds) in found {
                    if !is_left(block) {
                        candidates.push(block, &bounds);
                    }
                }
                for group in party {
                    for (row, boxes) in candidates.boxes.iter().enumerate() {
                        for lane in lanes(boxes.overlap_mask(simd, &group.bounds)) {
                            let partner = candidates.blocks[row * WIDTH + lane] as usize;
                            let bounds = boxes.get(lane);
                            self.test_blocks(simd, group, other, (partner, &bounds), rule, out);
                        }
                    }
                }
            }
        }
    }

    /// Describes the moved boxes of a block: as one group, or each by itself where they are scattered, as strays are
    /// that have been collected from all over the world.
    fn push_groups(&self, block: usize, out: &mut SmallVec<[Group; MAX_GROUPS]>) {
        let boxes = &self.levels.blocks()[block];
        let moved = u32::from(self.moved[block]);
        let single = |lane: usize| Group {
            block,
            moved: 1 << lane,
            bounds: boxes.get(lane),
        };
        let (bounds, parts) = if self.moved[block] == ALL_MOVED {
            (boxes.union(), boxes.sum_of_perimeters())
        } else {
            bounds_and_parts(lanes(moved).map(|lane| boxes.get(lane)))
        };
        if bounds.perimeter() <= MAX_SPREAD * parts {
            out.push(Group {
                block,
                moved,
                bounds,
            });
        } else {
            out.extend(lanes(moved).map(single));
        }
    }

    /// Tests the group against one block, eight boxes at once.
    // Inlined into each kernel, except on the web: a module has one instruction set, and one copy is smaller.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn test_blocks<S: Simd<F32: Lanes8>>(
        &self,
        simd: S,
        group: &Group,
        other: &Self,
        (partner, bounds): (usize, &Aabb),
        rule: Rule,
        out: &mut Vec<u64>,
    ) {
        let (mine, theirs) = (
            &self.levels.blocks()[group.block],
            &other.levels.blocks()[partner],
        );
        let mine_before = &self.paired[group.block];
        // Blocks without moved boxes keep their boxes, which saves two cache misses.
        let theirs_before = match other.moved[partner] {
            0 => theirs,
            _ => &other.paired[partner],
        };
        for lane in lanes(mine.overlap_mask(simd, bounds) & group.moved) {
            let left = other.left_to_the_other(group.block, lane, partner, rule);
            let touching = theirs.overlap_mask(simd, &mine.get(lane)) & !left;
            if touching == 0 {
                continue;
            }
            let known = theirs_before.overlap_mask(simd, &mine_before.get(lane));
            let data = self.data[group.block * WIDTH + lane];
            for hit in lanes(touching & !known) {
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
