//! The nodes of a tree as boxes, for drawing.

use super::Tree;
use cairn2d_geometry::Aabb;

impl Tree {
    /// Returns the number of levels of nodes above a box, 0 without a box.
    #[must_use]
    pub fn height(&self) -> usize {
        self.levels.height()
    }

    /// Calls `visit` with each node's level and box \[m\], the lowest nodes first: those of level 1 hold up to eight boxes, each
    /// above up to eight of the nodes below.
    pub fn visit_nodes(&self, mut visit: impl FnMut(usize, &Aabb)) {
        for level in 0..self.levels.height() {
            for index in 0..self.levels.width(level) {
                let aabb = self.levels.node(level, index).union();
                if aabb.is_valid() {
                    visit(level + 1, &aabb);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_geometry::math::point;

    #[test]
    fn nodes_hold_what_lies_below() {
        let mut tree = Tree::new();
        for i in 0..70_u32 {
            let low = point(i as f32, 0.0);
            tree.insert(Aabb::new(low, point(i as f32 + 0.5, 1.0)), 1, i);
        }
        let mut nodes = Vec::new();
        tree.visit_nodes(|level, aabb| nodes.push((level, *aabb)));
        let of = |level| nodes.iter().filter(move |node| node.0 == level);
        assert_eq!([of(1).count(), of(2).count(), of(3).count()], [9, 2, 1]);
        assert_eq!(Some(nodes[11].1), tree.bounds());
        for (_, low) in of(1) {
            assert!(of(2).any(|(_, high)| high.contains(low)), "{low:?}");
        }
    }
}
