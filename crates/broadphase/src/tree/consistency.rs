//! Checks the invariants of a tree between any two edits.

use super::Tree;
use super::levels::MAX_LEVELS;
use crate::defect::{Defect, ensure};
use crate::lanes::{NONE, WIDTH};
use cairn2d_geometry::Aabb;

impl Tree {
    /// Checks the invariants of the tree: for tests and bug reports.
    ///
    /// # Panics
    /// If an invariant of the engine is broken.
    pub fn assert_consistent(&self) {
        if let Err(Defect(what)) = self.check() {
            panic!("broken invariant of a tree: {what}");
        }
    }

    /// Checks the invariants of a tree, which may have been read from a save.
    pub(crate) fn check(&self) -> Result<(), Defect> {
        let blocks = self.levels.blocks().len();
        ensure(self.leaf.len() == self.data.len(), "number of leaves")?;
        ensure(
            self.leaf.len().div_ceil(WIDTH) == blocks,
            "number of blocks",
        )?;
        let lengths = [self.paired.len(), self.moved.len(), self.home.len()];
        ensure(lengths == [blocks; 3], "number of records of blocks")?;
        let is_whole = self.hot_start.is_multiple_of(WIDTH);
        ensure(
            is_whole && self.hot_start <= self.leaf.len().next_multiple_of(WIDTH),
            "start of the hot zone",
        )?;
        self.check_levels()?;
        self.check_leaves()?;
        self.check_moved()
    }

    /// Slots and leaf ids name each other, holes are empty.
    fn check_leaves(&self) -> Result<(), Defect> {
        let live = self.leaf.iter().filter(|&&leaf| leaf != NONE).count();
        ensure(live == self.slots.len(), "number of boxes")?;
        for (id, &slot) in &self.slots {
            ensure(self.leaf[slot as usize] as usize == id, "slot of a box")?;
        }
        for slot in 0..self.levels.blocks().len() * WIDTH {
            let aabb = self.levels.blocks()[slot / WIDTH].get(slot % WIDTH);
            let is_hole = self.leaf.get(slot).is_none_or(|&leaf| leaf == NONE);
            ensure(is_hole == (aabb == Aabb::EMPTY), "box of a hole")?;
            ensure(is_hole || aabb.is_valid(), "box")?;
            let paired = self.paired[slot / WIDTH].get(slot % WIDTH);
            let is_paired_valid = paired == Aabb::EMPTY || (paired.is_valid() && !is_hole);
            ensure(is_paired_valid, "box of the last pairing")?;
        }
        Ok(())
    }

    /// Each block with a moved box is listed once; boxes that have not moved are as last paired.
    fn check_moved(&self) -> Result<(), Defect> {
        let mut listed = self.moved_blocks.clone();
        listed.sort_unstable();
        listed.dedup();
        ensure(
            listed.len() == self.moved_blocks.len(),
            "blocks listed twice",
        )?;
        for (block, &moved) in self.moved.iter().enumerate() {
            let is_listed = moved == 0 || listed.binary_search(&(block as u32)).is_ok();
            ensure(is_listed, "block that is not listed")?;
            for lane in (0..WIDTH).filter(|lane| moved >> lane & 1 == 0) {
                let now = self.levels.blocks()[block].get(lane);
                ensure(
                    self.paired[block].get(lane) == now,
                    "box that has not moved",
                )?;
            }
        }
        Ok(())
    }

    /// Every node contains its children and their category bits.
    fn check_levels(&self) -> Result<(), Defect> {
        let height = self.levels.height();
        ensure(height <= MAX_LEVELS, "height")?;
        ensure(self.levels.has_all_categories(), "categories")?;
        for level in 1..height {
            let below = self.levels.width(level - 1);
            ensure(below > 1, "level above the root")?;
            ensure(
                self.levels.width(level) == below.div_ceil(WIDTH),
                "width of a level",
            )?;
            for child in 0..self.levels.width(level) * WIDTH {
                self.check_child(level, child, below)?;
            }
        }
        let widest = height.checked_sub(1).map(|top| self.levels.width(top));
        ensure(widest.is_none_or(|width| width == 1), "root")
    }

    /// The lane of a child contains it; lanes without a child are empty.
    fn check_child(&self, level: usize, child: usize, below: usize) -> Result<(), Defect> {
        let (node, lane) = (child / WIDTH, child % WIDTH);
        let held = self.levels.node(level, node).get(lane);
        if child >= below {
            return ensure(held == Aabb::EMPTY, "empty lane");
        }
        let union = self.levels.node(level - 1, child).union();
        ensure(held.contains(&union), "box of a node")?;
        let categories = self.levels.node_categories(level - 1, child).iter();
        let below = categories.fold(0, |all, c| all | c);
        let held = self.levels.node_categories(level, node)[lane];
        ensure(held & below == below, "categories of a node")
    }
}
