//! Checks what must hold in a tree between any two edits.

use super::Tree;
use crate::lanes::{NONE, WIDTH};
use cairn2d_geometry::Aabb;

impl Tree {
    /// Checks the invariants of the tree: for tests and bug reports.
    ///
    /// # Panics
    /// If an invariant of the engine is broken.
    pub fn assert_consistent(&self) {
        let blocks = self.levels.blocks().len();
        assert_eq!(self.leaf.len(), self.data.len());
        assert_eq!(self.leaf.len().div_ceil(WIDTH), blocks, "blocks");
        assert_eq!((self.paired.len(), self.moved.len()), (blocks, blocks));
        self.assert_leaves();
        self.assert_moved();
        self.assert_levels();
    }

    /// Slots and leaf ids name each other, holes are empty.
    fn assert_leaves(&self) {
        let live = self.leaf.iter().filter(|&&leaf| leaf != NONE).count();
        assert_eq!(live, self.slots.len(), "live leaves");
        for (id, &slot) in &self.slots {
            assert_eq!(self.leaf[slot as usize] as usize, id, "slot {slot}");
        }
        for slot in 0..self.levels.blocks().len() * WIDTH {
            let aabb = self.levels.blocks()[slot / WIDTH].get(slot % WIDTH);
            let is_hole = self.leaf.get(slot).is_none_or(|&leaf| leaf == NONE);
            assert_eq!(is_hole, aabb == Aabb::EMPTY, "slot {slot}: {aabb:?}");
            assert!(is_hole || aabb.is_valid(), "slot {slot}: {aabb:?}");
            if is_hole {
                assert_eq!(self.paired[slot / WIDTH].get(slot % WIDTH), Aabb::EMPTY);
            }
        }
    }

    /// Each block with a moved box is listed once; boxes that have not moved are as last paired.
    fn assert_moved(&self) {
        let mut listed = self.moved_blocks.clone();
        listed.sort_unstable();
        listed.dedup();
        assert_eq!(listed.len(), self.moved_blocks.len(), "blocks listed twice");
        for (block, &moved) in self.moved.iter().enumerate() {
            assert!(
                moved == 0 || listed.binary_search(&(block as u32)).is_ok(),
                "block {block} not listed"
            );
            for lane in (0..WIDTH).filter(|lane| moved >> lane & 1 == 0) {
                assert_eq!(
                    self.paired[block].get(lane),
                    self.levels.blocks()[block].get(lane)
                );
            }
        }
    }

    /// Every node contains its children and their category bits.
    fn assert_levels(&self) {
        for level in 1..self.levels.height() {
            let below = self.levels.width(level - 1);
            assert_eq!(
                self.levels.width(level),
                below.div_ceil(WIDTH),
                "level {level}"
            );
            for child in 0..self.levels.width(level) * WIDTH {
                let held = self.levels.node(level, child / WIDTH).get(child % WIDTH);
                if child >= below {
                    assert_eq!(held, Aabb::EMPTY);
                    continue;
                }
                let union = self.levels.node(level - 1, child).union();
                assert!(held.contains(&union), "level {level} child {child}");
                let held = self.levels.node_categories(level, child / WIDTH)[child % WIDTH];
                let below = self
                    .levels
                    .node_categories(level - 1, child)
                    .iter()
                    .fold(0, |all, c| all | c);
                assert_eq!(
                    held & below,
                    below,
                    "categories of level {level} child {child}"
                );
            }
        }
        let widest = self
            .levels
            .height()
            .checked_sub(1)
            .map(|top| self.levels.width(top));
        assert!(widest.is_none_or(|width| width == 1), "one root");
    }
}
