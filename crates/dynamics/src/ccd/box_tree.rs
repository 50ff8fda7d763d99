//! A complete binary tree over the boxes of sweeps: finds overlaps.

use cairn2d_geometry::math::Point;
use cairn2d_geometry::{Aabb, sort_compact};

/// A box that overlaps no other.
const EMPTY_BOX: Aabb = Aabb {
    min: Point::new(f32::INFINITY, f32::INFINITY),
    max: Point::new(f32::NEG_INFINITY, f32::NEG_INFINITY),
};

/// Largest depth of the tree: a query keeps one pending node for each level.
const MAX_TREE_DEPTH: usize = 32;

/// Boxes by number. Node `i` has the children `2 i` and `2 i + 1`; the root is node 1, the second half are
/// the leaves.
#[derive(Clone, Debug, Default)]
pub(super) struct BoxTree {
    nodes: Vec<Aabb>,
    /// Number of the box of each leaf.
    box_of: Vec<u32>,
    /// Leaf of each box.
    leaf_of: Vec<u32>,
}

impl BoxTree {
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.box_of.clear();
        self.leaf_of.clear();
    }

    /// Builds the tree of `count` boxes: columns in order of the left edge, within a column in order of the
    /// lower edge.
    pub(super) fn build(&mut self, count: usize, bounds: impl Fn(u32) -> Aabb) {
        self.clear();
        let leaves = count.next_power_of_two();
        self.box_of.extend(0..count as u32);
        let edge = |i: u32| bounds(i).min;
        let by_left = |&i: &u32, &j: &u32| edge(i).x.total_cmp(&edge(j).x).then(i.cmp(&j));
        let by_low = |&i: &u32, &j: &u32| edge(i).y.total_cmp(&edge(j).y).then(i.cmp(&j));
        sort_compact(&mut self.box_of, by_left);
        let column = leaves.isqrt().next_power_of_two();
        for part in self.box_of.chunks_mut(column) {
            sort_compact(part, by_low);
        }
        self.leaf_of.resize(count, 0);
        self.nodes.resize(2 * leaves, EMPTY_BOX);
        for (leaf, &i) in self.box_of.iter().enumerate() {
            self.leaf_of[i as usize] = leaf as u32;
            self.nodes[leaves + leaf] = bounds(i);
        }
        for node in (1..leaves).rev() {
            self.nodes[node] = self.nodes[2 * node].union(&self.nodes[2 * node + 1]);
        }
    }

    /// Number of boxes.
    pub(super) fn len(&self) -> usize {
        self.box_of.len()
    }

    /// Enlarges box `i` so that it contains `new`.
    pub(super) fn enlarge(&mut self, i: usize, new: &Aabb) {
        let mut node = self.nodes.len() / 2 + self.leaf_of[i] as usize;
        while node > 0 && !self.nodes[node].contains(new) {
            self.nodes[node] = self.nodes[node].union(new);
            node /= 2;
        }
    }

    /// Appends the numbers of the boxes that overlap `region` to `found`, in the order of the tree.
    pub(super) fn query(&self, region: &Aabb, found: &mut Vec<u32>) {
        let leaves = self.nodes.len() / 2;
        let mut pending = [0_usize; MAX_TREE_DEPTH];
        let (mut count, mut node) = (0, 1);
        if leaves == 0 {
            return;
        }
        loop {
            let overlaps = self.nodes[node].overlaps(region);
            if overlaps && node < leaves {
                pending[count] = 2 * node + 1;
                count += 1;
                node *= 2;
                continue;
            }
            if overlaps {
                found.push(self.box_of[node - leaves]);
            }
            if count == 0 {
                return;
            }
            count -= 1;
            node = pending[count];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_geometry::math::{Vec2, point};

    /// Scattered boxes, the same on each run.
    fn boxes(count: u32) -> Vec<Aabb> {
        let scattered = |i: u32| (i.wrapping_mul(2_654_435_761) >> 16) as f32 / 65_536.0;
        (0..count)
            .map(|i| {
                let middle = point(30.0 * scattered(i), 30.0 * scattered(i + 7777));
                let half = Vec2::new(2.0 * scattered(i + 99), scattered(i + 555));
                Aabb::from_center_half(middle, half)
            })
            .collect()
    }

    fn check(tree: &BoxTree, boxes: &[Aabb]) {
        for region in boxes {
            let mut found = Vec::new();
            tree.query(region, &mut found);
            found.sort_unstable();
            let expected = (0..boxes.len() as u32).filter(|&i| boxes[i as usize].overlaps(region));
            assert_eq!(found, expected.collect::<Vec<_>>());
        }
    }

    #[test]
    fn tree_finds_the_boxes_that_a_linear_search_finds() {
        for count in [0, 1, 2, 3, 17, 64, 300] {
            let boxes = boxes(count);
            let mut tree = BoxTree::default();
            tree.build(boxes.len(), |i| boxes[i as usize]);
            assert_eq!(tree.len(), boxes.len());
            check(&tree, &boxes);
        }
    }

    #[test]
    fn enlarged_boxes_are_found() {
        let mut boxes = boxes(100);
        let mut tree = BoxTree::default();
        tree.build(boxes.len(), |i| boxes[i as usize]);
        for i in (0..100).step_by(7) {
            boxes[i] = boxes[i].union(&boxes[i].translated(&Vec2::new(9.0, -40.0)));
            tree.enlarge(i, &boxes[i]);
        }
        check(&tree, &boxes);
    }
}
