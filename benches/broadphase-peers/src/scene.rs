//! The boxes of a comparison and how they move, worked out beforehand so that all peers get the same.

use cairn2d_geometry::Aabb;
use cairn2d_geometry::math::{Point, Vec2, point, vec2};

/// Margin of a fat box on each side [m].
pub const MARGIN: f32 = 0.1;
/// Half the side of the things in the boxes [m].
const HALF: f32 = 0.5;
/// Distance of neighbors where they are spread evenly [m].
const SPACING: f32 = 1.25;

/// Placement and motion of the boxes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Class {
    /// Evenly spread, at rest.
    Static,
    /// Evenly spread, a tenth of the margin a step.
    Slow,
    /// Evenly spread, each leaves its box in every step.
    Moving,
    /// Evenly spread, at rest except for a thousand that leave their box in every step.
    Few,
    /// In heaps that move at up to half a margin a step.
    Clustered,
}

impl Class {
    pub const ALL: [Self; 5] = [
        Self::Static,
        Self::Few,
        Self::Slow,
        Self::Moving,
        Self::Clustered,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Few => "few",
            Self::Slow => "slow",
            Self::Moving => "moving",
            Self::Clustered => "clustered",
        }
    }

    /// Steps after which the number that leaves its box in a step is steady: each has left its first one, the
    /// slowest along a diagonal. Without them a scene of few steps, as the large ones are, would
    /// be another than one of many.
    fn warm_up(self) -> usize {
        let stride = self.stride();
        if stride > 0.0 && stride < MARGIN {
            (2.0 * MARGIN / stride).ceil() as usize
        } else {
            0
        }
    }

    /// Distance that a thing moves in a step [m].
    fn stride(self) -> f32 {
        match self {
            Self::Static => 0.0,
            Self::Slow => 0.1 * MARGIN,
            Self::Moving | Self::Few => 2.0 * MARGIN,
            Self::Clustered => 0.5 * MARGIN,
        }
    }
}

/// Boxes at the start, and which get a new box in each step.
pub struct Scene {
    pub boxes: Vec<Aabb>,
    pub steps: Vec<Vec<(u32, Aabb)>>,
}

/// Xorshift generator [Marsaglia03].
pub struct Random(pub u64);

impl Random {
    pub fn unit(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1 << 24) as f32
    }
}

fn around(center: Point, half: f32) -> Aabb {
    Aabb::from_center_half(center, vec2(half, half))
}

impl Scene {
    /// Width of the world of `n` evenly spread boxes [m].
    pub fn side(n: usize) -> f32 {
        (n as f32).sqrt() * SPACING
    }

    pub fn new(class: Class, n: usize, steps: usize) -> Self {
        let mut random = Random(0x1234_5678_9ABC_DEF1);
        let centers = places(class, n, &mut random);
        let mut strides: Vec<Vec2> = (0..n)
            .map(|_| direction(&mut random) * class.stride())
            .collect();
        if class == Class::Few {
            let resting = |i: usize| !i.is_multiple_of(n.div_ceil(1000));
            strides
                .iter_mut()
                .enumerate()
                .filter(|(i, _)| resting(*i))
                .for_each(|(_, s)| *s = vec2(0.0, 0.0));
        }
        // Off center, else all would leave their box in the same step.
        let offset = |random: &mut Random| direction(random) * (MARGIN * random.unit());
        let boxes: Vec<Aabb> = centers
            .iter()
            .map(|&c| around(c + offset(&mut random), HALF + MARGIN))
            .collect();
        let mut motion = Motion {
            side: Self::side(n),
            kept: boxes,
            centers,
            strides,
        };
        (0..class.warm_up()).for_each(|_| drop(motion.step()));
        let boxes = motion.kept.clone();
        let steps = (0..steps).map(|_| motion.step()).collect();
        Self { boxes, steps }
    }

    /// Boxes replaced in all steps together.
    pub fn moved(&self) -> usize {
        self.steps.iter().map(Vec::len).sum()
    }
}

/// Boxes under way.
struct Motion {
    side: f32,
    kept: Vec<Aabb>,
    centers: Vec<Point>,
    strides: Vec<Vec2>,
}

impl Motion {
    /// Moves everything on, back where the world ends; returns the boxes that had to be replaced.
    fn step(&mut self) -> Vec<(u32, Aabb)> {
        let mut moved = Vec::new();
        for (i, center) in self.centers.iter_mut().enumerate() {
            let stride = &mut self.strides[i];
            *center += *stride;
            for axis in 0..2 {
                if center[axis] < 0.0 || center[axis] > self.side {
                    stride[axis] = -stride[axis];
                }
            }
            if !self.kept[i].contains(&around(*center, HALF)) {
                self.kept[i] = around(*center, HALF + MARGIN);
                moved.push((i as u32, self.kept[i]));
            }
        }
        moved
    }
}

fn direction(random: &mut Random) -> Vec2 {
    loop {
        let v = vec2(2.0 * random.unit() - 1.0, 2.0 * random.unit() - 1.0);
        if v.norm() > 0.1 && v.norm() < 1.0 {
            return v.normalize();
        }
    }
}

/// Centers at the start, in no useful order.
fn places(class: Class, n: usize, random: &mut Random) -> Vec<Point> {
    let side = Scene::side(n);
    let columns = (n as f32).sqrt().ceil() as usize;
    let mut places: Vec<Point> = (0..n)
        .map(|i| {
            let (x, y) = ((i % columns) as f32, (i / columns) as f32);
            point(
                (x + 0.5 * random.unit()) * SPACING,
                (y + 0.5 * random.unit()) * SPACING,
            )
        })
        .collect();
    if class == Class::Clustered {
        // A heap holds a thousand, a hundredth of the world wide for its share.
        let heaps: Vec<Point> = (0..n.div_ceil(1000))
            .map(|_| point(random.unit() * side, random.unit() * side))
            .collect();
        for (i, place) in places.iter_mut().enumerate() {
            let bell = |random: &mut Random| (0..4).map(|_| random.unit() - 0.5).sum::<f32>();
            let spread = 0.75 * 1000_f32.sqrt();
            *place = heaps[i % heaps.len()] + vec2(bell(random), bell(random)) * spread;
            *place = point(place.x.clamp(0.0, side), place.y.clamp(0.0, side));
        }
    }
    for i in (1..n).rev() {
        places.swap(i, (random.unit() * (i + 1) as f32) as usize % n);
    }
    places
}
