//! Random shapes of all kinds, chains, and outlines that are cut into convex pieces.

use crate::values::Values;
use cairn2d::geometry::convex_pieces;
use cairn2d::math::{Point, WorldPoint, point, sin_cos};
use cairn2d::{
    Aabb, Capsule, Chain, ChainKind, ChainSegment, Circle, Ellipse, HalfSpace, Polygon, Segment,
    Shape, ShapeError,
};

impl Values {
    /// A shape of any kind; an error where the constructor refuses the numbers.
    pub(crate) fn try_shape(&mut self) -> Result<Shape, ShapeError> {
        let center = point(0.2 * self.any(), 0.2 * self.any());
        let (a, b) = (self.size(), self.size());
        let end = point(center.x + self.size(), center.y + self.any());
        Ok(match self.below(13) {
            0 | 1 => Circle::try_new(center, a)?.into(),
            2 => Circle::try_of_radius(a)?.into(),
            3 => Capsule::try_new(center, end, b)?.into(),
            4 => Segment::try_new(center, end)?.into(),
            5 | 6 => Polygon::try_rectangle(a, b)?.into(),
            7 => Polygon::try_offset_rectangle(a, b, center, self.any())?.into(),
            8 => Polygon::try_rounded_rectangle(a, b, 0.1 * self.size())?.into(),
            9 => Polygon::try_regular(self.below(12), a)?.into(),
            10 => Polygon::try_hull(&self.points())?.into(),
            11 => Polygon::try_rounded_hull(&self.points(), b)?.into(),
            _ => Ellipse::try_new(center, a, b, self.any())?.into(),
        })
    }

    /// A shape of any kind; a disc where the numbers are refused.
    pub(crate) fn shape(&mut self) -> Shape {
        let usual = || Circle::of_radius(0.5).into();
        let kind = self.below(32);
        if kind == 2 {
            let (at, outward) = (self.any_point(), self.any_point().coords);
            return HalfSpace::try_new(at, outward).map_or_else(|_| usual(), Shape::from);
        }
        if kind < 2 {
            let [a, b] = [self.any_point(), self.any_point()];
            let (ghosts, before, after) = (self.flag(), self.any_point(), self.any_point());
            let segment = ChainSegment::try_new(ghosts.then_some(before), a, b, self.maybe(after));
            return segment.map_or_else(|_| usual(), Shape::from);
        }
        self.try_shape().unwrap_or_else(|_| usual())
    }

    fn points(&mut self) -> Vec<Point> {
        let count = self.below(10);
        (0..count)
            .map(|_| point(0.1 * self.any(), 0.1 * self.any()))
            .collect()
    }

    /// A chain over hilly ground, or of any points.
    pub(crate) fn chain(&mut self) -> Option<Chain> {
        let count = 2 + self.below(6);
        let points: Vec<Point> = if self.flag() {
            (0..count).map(|_| self.any_point()).collect()
        } else {
            let ground = |i: usize, y: f32| point(2.0 * i as f32 - 6.0, 0.1 * y);
            (0..count).map(|i| ground(i, self.any())).collect()
        };
        let kind = self.pick(&[ChainKind::Open, ChainKind::Loop]);
        let chain = match self.below(3) {
            0 => Chain::try_ground(&points),
            1 => Chain::try_new(&points, kind).map(|chain| chain.reversed()),
            _ => Chain::try_new(&points, kind),
        };
        chain.ok()
    }

    /// The convex pieces of a star with dents, which may cross itself.
    pub(crate) fn pieces(&mut self) -> Vec<Polygon> {
        let count = 3 + self.below(9);
        let outline: Vec<Point> = (0..count)
            .map(|i| {
                let (sin, cos) = sin_cos(2.0 * cairn2d::math::PI * i as f32 / count as f32);
                let radius = self.size();
                point(radius * cos, radius * sin)
            })
            .collect();
        let hole = [(0.02, 0.0), (0.0, 0.02), (-0.02, -0.02)].map(|(x, y)| point(x, y));
        let holes: &[&[Point]] = if self.flag() { &[&hole] } else { &[] };
        let pieces = convex_pieces(&outline, holes).unwrap_or_default();
        let hulls = pieces.iter().map(|piece| Polygon::try_hull(piece));
        hulls.filter_map(Result::ok).collect()
    }

    /// A box, which may be inverted.
    pub(crate) fn area(&mut self) -> Aabb {
        let [a, b] = [self.any_point(), self.any_point()];
        match self.below(4) {
            0 => Aabb::new(a, b),
            1 => Aabb::from_center_half(a, self.any_vector()),
            _ => Aabb::from_points(&[a, b]),
        }
    }

    pub(crate) fn places(&mut self, most: usize) -> Vec<WorldPoint> {
        let count = self.below(most + 1);
        (0..count).map(|_| self.any_place()).collect()
    }
}
