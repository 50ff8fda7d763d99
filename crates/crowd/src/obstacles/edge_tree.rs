//! A bounding box tree of obstacle edges, for proximity and path queries.
//!
//! Leaves are groups of adjacent edges of a ring, so no edge is cut or copied. Groups are split at the median of the
//! longer side of their centers [Ericson05, ch. 6]. Moving obstacles have a separate tree, rebuilt in each step.

use crate::obstacles::edge::{Edge, unit};
use crate::obstacles::obstacle::Obstacle;
use crate::store::id::{Slots, kind};
use cairn2d_geometry::math::{Vec2, WorldPoint, cross};

/// Edges per leaf: a hexagon or the corner of a room fits into one.
const GROUP: usize = 6;

/// Corners of a box [m]; `f64`, so that it contains its edges far from the origin too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    low: [f64; 2],
    high: [f64; 2],
}

impl Bounds {
    const EMPTY: Self = Self {
        low: [f64::INFINITY; 2],
        high: [f64::NEG_INFINITY; 2],
    };

    fn add(&mut self, p: WorldPoint) {
        self.low = [self.low[0].min(p.x), self.low[1].min(p.y)];
        self.high = [self.high[0].max(p.x), self.high[1].max(p.y)];
    }

    fn join(&mut self, other: &Self) {
        for axis in 0..2 {
            self.low[axis] = self.low[axis].min(other.low[axis]);
            self.high[axis] = self.high[axis].max(other.high[axis]);
        }
    }

    fn center(&self, axis: usize) -> f64 {
        0.5 * (self.low[axis] + self.high[axis])
    }

    /// Returns the squared distance from `p` to the box [m^2].
    #[inline]
    fn distance_sq(&self, p: WorldPoint) -> f64 {
        let x = (self.low[0] - p.x).max(p.x - self.high[0]).max(0.0);
        let y = (self.low[1] - p.y).max(p.y - self.high[1]).max(0.0);
        x * x + y * y
    }

    /// Returns whether a disc of `radius` that moves from `from` by `motion` passes the box; may return `true` for a
    /// near miss at a corner of the box.
    #[inline]
    fn meets(&self, from: WorldPoint, motion: [f64; 2], radius: f64) -> bool {
        let half = [
            0.5 * (self.high[0] - self.low[0]) + radius,
            0.5 * (self.high[1] - self.low[1]) + radius,
        ];
        let middle = [
            from.x + 0.5 * motion[0] - self.center(0),
            from.y + 0.5 * motion[1] - self.center(1),
        ];
        let reach = [0.5 * motion[0].abs(), 0.5 * motion[1].abs()];
        // Separating axes: the sides of the box, and the perpendicular of the motion.
        middle[0].abs() <= half[0] + reach[0]
            && middle[1].abs() <= half[1] + reach[1]
            && (middle[0] * motion[1] - middle[1] * motion[0]).abs()
                <= half[0] * motion[1].abs() + half[1] * motion[0].abs()
    }
}

/// A node: leaves refer to edges; the children of inner nodes follow, each with its subtree.
#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Bounds,
    /// First edge of a leaf; for inner nodes the next node outside the subtree.
    start: u32,
    /// Number of edges of a leaf; 0 for inner nodes.
    count: u32,
}

/// Edges with their tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct EdgeTree {
    edges: Vec<Edge>,
    nodes: Vec<Node>,
    leaves: Vec<Node>,
    /// Greatest speed of any corner [m/s].
    top_speed: f32,
}

impl EdgeTree {
    /// Builds the tree of the moving or of the static obstacles.
    pub(crate) fn build(&mut self, obstacles: &Slots<kind::Obstacle, Obstacle>, moving: bool) {
        self.edges.clear();
        self.leaves.clear();
        self.nodes.clear();
        self.top_speed = 0.0;
        for (_, obstacle) in obstacles.iter().filter(|(_, o)| o.moves == moving) {
            let first = self.edges.len();
            Edge::append(obstacle, &mut self.edges);
            self.top_speed = self.top_speed.max(obstacle.top_speed());
            self.append_leaves(first);
        }
        if !self.leaves.is_empty() {
            let mut leaves = core::mem::take(&mut self.leaves);
            split(&mut leaves, &mut self.nodes);
            self.leaves = leaves;
        }
    }

    fn append_leaves(&mut self, first: usize) {
        for start in (first..self.edges.len()).step_by(GROUP) {
            let group = &self.edges[start..self.edges.len().min(start + GROUP)];
            let mut bounds = Bounds::EMPTY;
            for edge in group {
                bounds.add(edge.start);
                bounds.add(edge.end());
            }
            self.leaves.push(Node {
                bounds,
                start: start as u32,
                count: group.len() as u32,
            });
        }
    }

    /// Returns the greatest speed of any corner [m/s].
    pub(crate) fn top_speed(&self) -> f32 {
        self.top_speed
    }

    /// Returns all edges, in order of their obstacles.
    pub(crate) fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Calls `visit` with each edge of a leaf whose box is within `range` of `center`.
    #[inline]
    pub(crate) fn near<'a>(
        &'a self,
        center: WorldPoint,
        range: f32,
        mut visit: impl FnMut(u32, &'a Edge),
    ) {
        let range_sq = f64::from(range) * f64::from(range);
        self.search(
            |bounds| bounds.distance_sq(center) <= range_sq,
            |index, edge| {
                visit(index, edge);
                true
            },
        );
    }

    /// Returns whether a disc of `radius` moves from `from` to `to` without touching an edge of `mask`.
    pub(crate) fn is_clear(
        &self,
        from: WorldPoint,
        to: WorldPoint,
        radius: f32,
        mask: u32,
    ) -> bool {
        let motion = [to.x - from.x, to.y - from.y];
        self.search(
            |bounds| bounds.meets(from, motion, radius.into()),
            |_, edge| edge.layers & mask == 0 || !touches(edge, from, to - from, radius),
        )
    }

    /// Visits the edges under the boxes that `enter` accepts until `visit` returns `false`; returns whether it never
    /// did.
    #[inline]
    fn search<'a>(
        &'a self,
        enter: impl Fn(&Bounds) -> bool,
        mut visit: impl FnMut(u32, &'a Edge) -> bool,
    ) -> bool {
        let mut next = 0;
        while let Some(node) = self.nodes.get(next) {
            next += 1;
            if node.count == 0 {
                if !enter(&node.bounds) {
                    next = node.start as usize;
                }
                continue;
            }
            if enter(&node.bounds) {
                for index in node.start..node.start + node.count {
                    if !visit(index, &self.edges[index as usize]) {
                        return false;
                    }
                }
            }
        }
        true
    }
}

/// Appends the subtree of `leaves` to `nodes`.
fn split(leaves: &mut [Node], nodes: &mut Vec<Node>) {
    if let [leaf] = leaves {
        nodes.push(*leaf);
        return;
    }
    let mut bounds = Bounds::EMPTY;
    leaves.iter().for_each(|leaf| bounds.join(&leaf.bounds));
    let axis = usize::from(bounds.high[1] - bounds.low[1] > bounds.high[0] - bounds.low[0]);
    let middle = leaves.len() / 2;
    // Ties are ordered by the first edge, so that equal centers have one order.
    leaves.select_nth_unstable_by(middle, |a, b| {
        let order = a.bounds.center(axis).total_cmp(&b.bounds.center(axis));
        order.then(a.start.cmp(&b.start))
    });
    let index = nodes.len();
    nodes.push(Node {
        bounds,
        start: 0,
        count: 0,
    });
    let (low, high) = leaves.split_at_mut(middle);
    split(low, nodes);
    split(high, nodes);
    nodes[index].start = nodes.len() as u32;
}

/// Returns whether a disc that moves from `from` by `motion` touches the edge.
#[inline]
fn touches(edge: &Edge, from: WorldPoint, motion: Vec2, radius: f32) -> bool {
    let (start, span) = (edge.start - from, edge.span);
    let radius_sq = radius * radius;
    let sides = [cross(&motion, &start), cross(&motion, &(start + span))];
    let nearest = sides[0].abs().min(sides[1].abs());
    // Most edges lie beside the line of the motion: the divisions are then unnecessary.
    let beyond = radius_sq * motion.norm_squared() * (1.0 + ROUNDING_SHARE);
    let is_beside = sides[0] * sides[1] > 0.0 && nearest * nearest > beyond;
    !is_beside && segments_distance_sq(start, span, motion) <= radius_sq
}

/// Relative rounding error of a squared distance.
const ROUNDING_SHARE: f32 = 1.0e-4;

/// Returns the squared distance between the segment from the origin by `motion` and the segment from `start` by `span`
/// [m^2]; 0 where they cross.
fn segments_distance_sq(start: Vec2, span: Vec2, motion: Vec2) -> f32 {
    let end = start + span;
    let splits_span = cross(&motion, &start) * cross(&motion, &end) < 0.0;
    let splits_motion = cross(&span, &-start) * cross(&span, &(motion - start)) < 0.0;
    if splits_span && splits_motion {
        return 0.0;
    }
    let to_span = |p: Vec2| point_distance_sq(p - start, span);
    let to_motion = |p: Vec2| point_distance_sq(p, motion);
    to_span(Vec2::zeros())
        .min(to_span(motion))
        .min(to_motion(start))
        .min(to_motion(end))
}

/// Returns the squared distance from `p` to the segment from the origin by `span` [m^2].
fn point_distance_sq(p: Vec2, span: Vec2) -> f32 {
    let fraction = unit(p.dot(&span) / span.norm_squared());
    (p - span * fraction).norm_squared()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::obstacles::obstacle::ObstacleDef;
    use cairn2d_geometry::math::point;
    use proptest::prelude::*;

    fn tree(walls: &[[(f32, f32); 2]]) -> EdgeTree {
        let mut obstacles = Slots::default();
        for wall in walls {
            let def = ObstacleDef::line(wall.map(|(x, y)| point(x, y)));
            obstacles.insert(Obstacle::new(&def));
        }
        let mut tree = EdgeTree::default();
        tree.build(&obstacles, false);
        tree
    }

    fn coordinate() -> impl Strategy<Value = f32> {
        -20.0f32..20.0
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn the_tree_finds_what_a_look_at_all_edges_finds(
            walls in proptest::collection::vec(((coordinate(), coordinate()), (coordinate(), coordinate())), 1..40),
            center in (coordinate(), coordinate()), to in (coordinate(), coordinate()), range in 0.0f32..10.0,
        ) {
            let walls: Vec<_> = walls.into_iter().map(|(a, b)| [a, b]).collect();
            let tree = tree(&walls);
            let from = WorldPoint::from(center);
            let is_near = |e: &&Edge| e.nearest(from).1.norm() <= range;
            let mut found = Vec::new();
            tree.near(from, range, |_, e| found.push(e));
            prop_assert_eq!(found.into_iter().filter(is_near).count(), tree.edges().iter().filter(is_near).count());
            let to = WorldPoint::from(to);
            let clear = tree.edges().iter().all(|e| !touches(e, from, to - from, 0.1 * range));
            prop_assert_eq!(tree.is_clear(from, to, 0.1 * range, 1), clear);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Edges that the side test skips are farther away than the radius.
        #[test]
        fn edges_beside_the_way_are_not_touched(
            from in (coordinate(), coordinate()), by in (coordinate(), coordinate()),
            start in (coordinate(), coordinate()), end in (coordinate(), coordinate()), radius in 0.0f32..9.0,
        ) {
            let mut obstacles = Slots::default();
            obstacles.insert(Obstacle::new(&ObstacleDef::line([start, end].map(|(x, y)| point(x, y)))));
            let mut tree = EdgeTree::default();
            tree.build(&obstacles, false);
            let (from, motion) = (WorldPoint::from(from), Vec2::new(by.0, by.1));
            for edge in tree.edges() {
                let (start, span) = (edge.start - from, edge.span);
                let distance_sq = segments_distance_sq(start, span, motion);
                prop_assert_eq!(touches(edge, from, motion, radius), distance_sq <= radius * radius);
            }
        }
    }

    #[test]
    fn crossing_and_parallel_segments_have_the_right_distance() {
        use cairn2d_geometry::math::vec2;
        let check = |start, span, motion, want: f32| {
            let distance_sq = segments_distance_sq(start, span, motion);
            assert!((distance_sq - want * want).abs() < 1e-6);
        };
        check(vec2(1.0, -1.0), vec2(0.0, 2.0), vec2(3.0, 0.0), 0.0);
        check(vec2(0.0, 2.0), vec2(3.0, 0.0), vec2(3.0, 0.0), 2.0);
        check(vec2(5.0, 0.0), vec2(1.0, 0.0), vec2(2.0, 0.0), 3.0);
        check(
            vec2(1.0, 2.0),
            vec2(1.0, 1.0),
            vec2(0.0, 0.0),
            5.0f32.sqrt(),
        );
    }
}
