//! Seeded random shapes, poses and questions, all exactly representable in single precision.

use cairn2d_geometry::math::{PI, Point, Pose, Vec2, point, pose};
use cairn2d_geometry::{
    Capsule, Circle, Polygon, Segment, Shape, SimplexCache, distance, penetration,
};

/// Small, fast, good enough generator of random bits [Steele14, sec. 3].
#[derive(Clone)]
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number from 0 to 1.
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1_u64 << 24) as f32
    }

    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    pub fn log_between(&mut self, low: f32, high: f32) -> f32 {
        low * libm::powf(high / low, self.unit())
    }

    pub fn below(&mut self, count: u64) -> u64 {
        self.bits() % count
    }

    /// Returns any angle of a turn [rad].
    pub fn angle(&mut self) -> f32 {
        self.between(-PI, PI)
    }

    pub fn direction(&mut self) -> Vec2 {
        let (sin, cos) = cairn2d_geometry::math::sin_cos(self.angle());
        Vec2::new(cos, sin)
    }
}

/// Kinds of shape that all three engines have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Circle,
    Capsule,
    Segment,
    Polygon,
    Rounded,
}

pub const KINDS: [Kind; 5] = [
    Kind::Circle,
    Kind::Capsule,
    Kind::Segment,
    Kind::Polygon,
    Kind::Rounded,
];

/// Returns a random shape of about `size` [m].
pub fn shape(random: &mut Random, kind: Kind, size: f32) -> Shape {
    loop {
        let mut p =
            |reach: f32| point(random.between(-reach, reach), random.between(-reach, reach));
        let made: Option<Shape> = match kind {
            Kind::Circle => {
                let center = if p(1.0).x > 0.2 {
                    p(size)
                } else {
                    Point::origin()
                };
                Circle::try_new(center, random.between(0.2, 1.0) * size)
                    .ok()
                    .map(Shape::from)
            }
            Kind::Capsule => {
                let (a, b) = (p(size), p(size));
                Capsule::try_new(a, b, random.between(0.1, 0.6) * size)
                    .ok()
                    .map(Shape::from)
            }
            Kind::Segment => Segment::try_new(p(size), p(size)).ok().map(Shape::from),
            Kind::Polygon => polygon(random, size, 0.0).map(Shape::from),
            Kind::Rounded => {
                let radius = random.between(0.02, 0.3) * size;
                polygon(random, size, radius).map(Shape::from)
            }
        };
        if let Some(shape) = made.filter(|s| is_fair(s, size)) {
            return shape;
        }
    }
}

/// Leaves out what Box2D welds or refuses: features near its slop.
fn is_fair(shape: &Shape, size: f32) -> bool {
    let least = (0.1 * size).max(0.03);
    match shape {
        Shape::Capsule(s) => (s.a() - s.b()).norm() > least,
        Shape::Segment(s) => (s.a() - s.b()).norm() > least,
        Shape::Polygon(s) => {
            let v = s.vertices();
            (0..v.len()).all(|i| {
                let (p, q, r) = (v[i], v[(i + 1) % v.len()], v[(i + 2) % v.len()]);
                let height = cairn2d_geometry::math::cross(&(q - p), &(r - q)) / (r - p).norm();
                (q - p).norm() > least && height > least * 0.5
            })
        }
        _ => true,
    }
}

fn polygon(random: &mut Random, size: f32, radius: f32) -> Option<Polygon> {
    if random.below(4) == 0 {
        let (x, y) = (
            random.between(0.3, 1.0) * size,
            random.between(0.3, 1.0) * size,
        );
        return Polygon::try_rounded_rectangle(x, y, radius).ok();
    }
    let count = 3 + random.below(6);
    let points: Vec<Point> = (0..count)
        .map(|_| {
            let out = random.direction() * (random.between(0.5, 1.0) * size);
            Point::from(out)
        })
        .collect();
    Polygon::try_rounded_hull(&points, radius).ok()
}

/// Returns a pose of B at which the shapes are `gap` apart (negative: overlap), found by bisection along
/// a random direction.
pub fn placed(random: &mut Random, a: &Shape, b: &Shape, gap: f32) -> Pose {
    let direction = random.direction();
    let turn = pose(0.0, 0.0, random.angle());
    let at = |far: f32| Pose::from_parts((direction * far).into(), turn.rotation);
    let reach =
        a.extent_about(&Point::origin()) + b.extent_about(&Point::origin()) + gap.abs() + 0.1;
    let (mut low, mut high) = (0.0, reach);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        let there = signed(a, b, &at(middle));
        if there < gap {
            low = middle
        } else {
            high = middle
        }
    }
    at(high)
}

/// Returns the signed distance of two shapes.
pub fn signed(a: &Shape, b: &Shape, b_in_a: &Pose) -> f32 {
    let apart = distance(a, b, b_in_a, &mut SimplexCache::default()).distance;
    if apart > 0.0 {
        apart
    } else {
        -penetration(a, b, b_in_a).map_or(0.0, |p| p.depth)
    }
}
