//! A question as plain numbers, so that it can be mutated, shrunk and printed.

use crate::oracle::{Body, Frame, V};
use cairn2d_geometry::math::{Point, Pose, Vec2, angle, pose};
use cairn2d_geometry::{Capsule, Circle, Polygon, Segment, Shape};

/// Kind of questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Shapes of everyday size, anyhow; a fifth are boxes on a grid.
    Random,
    /// Touching, coincident, parallel, collinear, contained, tiny, huge, nearly equal.
    Degenerate,
    /// One of the others with one number changed, mostly by very little.
    Mutant,
}

impl Stream {
    pub const ALL: [Self; 3] = [Self::Random, Self::Degenerate, Self::Mutant];

    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Degenerate => "degenerate",
            Self::Mutant => "mutant",
        }
    }
}

/// Numbers of a shape: one corner makes a circle, two a capsule or segment, more the hull of them.
#[derive(Clone, Debug, Default)]
pub struct Form {
    pub corners: Vec<Point>,
    pub radius: f32,
    /// Half sizes, instead of corners, of rectangles.
    pub half: Option<Vec2>,
}

impl Form {
    pub fn of(shape: &Shape) -> Self {
        let hull = crate::box2d::hull_of(shape);
        let (v, radius) = (hull.vertices, hull.radius);
        // Four corners that form an upright rectangle about the origin are written as one.
        if let [a, b, c, d] = v
            && a == &-c
            && b == &-d
            && a.x == -b.x
            && a.y == b.y
        {
            let half = Some(c.coords);
            return Self {
                corners: vec![],
                radius,
                half,
            };
        }
        Self {
            corners: v.to_vec(),
            radius,
            half: None,
        }
    }

    /// Returns the shape, if the library does not refuse it.
    pub fn shape(&self) -> Option<Shape> {
        let radius = self.radius;
        if let Some(half) = self.half {
            let made = Polygon::try_rounded_rectangle(half.x, half.y, radius);
            return made.ok().map(Shape::from);
        }
        match *self.corners {
            [center] => Circle::try_new(center, radius).ok().map(Shape::from),
            [a, b] if radius == 0.0 => Segment::try_new(a, b).ok().map(Shape::from),
            [a, b] => Capsule::try_new(a, b, radius).ok().map(Shape::from),
            _ => Polygon::try_rounded_hull(&self.corners, radius)
                .ok()
                .map(Shape::from),
        }
    }

    /// Describes a rectangle by its corners, like other polygons.
    pub fn write_corners(&mut self) {
        if let Some(half) = self.half.take() {
            let (x, y) = (half.x, half.y);
            self.corners = [(-x, -y), (x, -y), (x, y), (-x, y)]
                .map(|(x, y)| Point::new(x, y))
                .to_vec();
        }
    }

    /// Moves it in its own frame.
    pub fn shift(&mut self, by: Vec2) {
        self.write_corners();
        self.corners.iter_mut().for_each(|p| *p += by);
    }

    fn numbers(&mut self) -> impl Iterator<Item = &mut f32> {
        let corners = self.corners.iter_mut().flat_map(|p| p.coords.iter_mut());
        corners
            .chain(self.half.iter_mut().flat_map(|v| v.iter_mut()))
            .chain([&mut self.radius])
    }

    /// Returns the expression that makes it.
    pub fn code(&self) -> String {
        let point = |p: &Point| format!("point({:?}, {:?})", p.x, p.y);
        let r = self.radius;
        let made = match (self.half, &*self.corners) {
            (Some(h), _) => format!("Polygon::rounded_rectangle({:?}, {:?}, {r:?})", h.x, h.y),
            (_, [c]) => format!("Circle::new({}, {r:?})", point(c)),
            (_, [a, b]) if r == 0.0 => format!("Segment::new({}, {})", point(a), point(b)),
            (_, [a, b]) => format!("Capsule::new({}, {}, {r:?})", point(a), point(b)),
            (_, corners) => {
                let points: Vec<String> = corners.iter().map(point).collect();
                format!("Polygon::rounded_hull(&[{}], {r:?})", points.join(", "))
            }
        };
        format!("{made}.into()")
    }
}

/// Question about one or two shapes.
#[derive(Clone, Debug, Default)]
pub struct Case {
    pub a: Form,
    pub b: Form,
    /// Place and angle of B.
    pub pose: [f32; 3],
    /// Further arguments of the operation, in its own order.
    pub numbers: Vec<f32>,
}

impl Case {
    pub fn pose(&self) -> Pose {
        let [x, y, angle] = self.pose;
        pose(x, y, angle)
    }

    /// Returns the vector that starts at a place of the other numbers.
    pub fn vector(&self, at: usize) -> Vec2 {
        Vec2::new(self.numbers[at], self.numbers[at + 1])
    }

    /// Returns all its numbers.
    pub fn all_numbers(&mut self) -> Vec<&mut f32> {
        self.a
            .numbers()
            .chain(self.b.numbers())
            .chain(&mut self.pose)
            .chain(&mut self.numbers)
            .collect()
    }

    /// Returns the lines that make shapes and pose.
    pub fn code(&self) -> String {
        let [x, y, angle] = self.pose;
        format!(
            "    let a: Shape = {};\n    let b: Shape = {};\n    let p = pose({x:?}, {y:?}, {angle:?});\n",
            self.a.code(),
            self.b.code()
        )
    }
}

/// Returns place and angle. Its rotation is that of the angle to an ulp.
pub fn numbers_of(pose: &Pose) -> [f32; 3] {
    let at = pose.translation.vector;
    [at.x, at.y, angle(&pose.rotation)]
}

/// Two shapes that the library made of a case, with their exact twins in the frame of A.
pub(crate) struct Pair {
    pub(crate) a: Shape,
    pub(crate) b: Shape,
    pub(crate) pose: Pose,
    pub(crate) bodies: (Body, Body),
    /// Largest coordinate of their surfaces, each about its own frame or placed.
    pub(crate) scale: f64,
}

impl Pair {
    pub(crate) fn of(case: &Case) -> Option<Self> {
        let (a, b, pose) = (case.a.shape()?, case.b.shape()?, case.pose());
        let bodies = (
            Body::new(&a, &Frame::new(&Pose::identity())),
            Body::new(&b, &Frame::new(&pose)),
        );
        let at_home = Body::new(&b, &Frame::new(&Pose::identity()));
        let far = largest(
            bodies
                .0
                .core
                .iter()
                .chain(&bodies.1.core)
                .chain(&at_home.core),
        );
        let scale = far + bodies.0.radius.max(bodies.1.radius);
        Some(Self {
            a,
            b,
            pose,
            bodies,
            scale,
        })
    }
}

/// Returns the largest coordinate of some points.
pub(crate) fn largest<'a>(points: impl Iterator<Item = &'a V>) -> f64 {
    points
        .flatten()
        .fold(f64::from(f32::MIN_POSITIVE), |most, x| most.max(x.abs()))
}
