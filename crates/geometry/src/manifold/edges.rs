//! A hull with edges: as slices of any length, as a line, or as eight lanes.

use crate::math::{Point, Pose, Vec2};
use crate::rounded_hull::RoundedHull;
use crate::shape::{Capsule, Segment};
use core::array::from_fn;

/// Face of a hull and how far the other hull is outside of it.
#[derive(Clone, Copy)]
pub(super) struct Face {
    pub(super) index: usize,
    pub(super) separation: f32,
}

/// The interface of hulls with two or more vertices for separating axes and clipping.
pub(super) trait Edges {
    fn count(&self) -> usize;
    fn vertex(&self, index: usize) -> Point;
    fn normal(&self, index: usize) -> Vec2;
    fn radius(&self) -> f32;

    /// Returns the least height of the vertices of `other` over a face.
    fn face_separation(&self, index: usize, other: &Self) -> f32;

    /// Returns the face that `other` is farthest outside of, or least inside.
    fn farthest_face(&self, other: &Self) -> Face;

    /// Returns the face that looks against `normal` most.
    fn facing(&self, normal: &Vec2) -> usize;

    /// Returns how far the vertices reach along `direction`.
    fn reach(&self, direction: &Vec2) -> f32;

    /// Returns the hull as slices, handed to `answer`.
    fn with_slices<T>(&self, answer: impl FnOnce(&RoundedHull<'_>) -> T) -> T;
}

impl Edges for RoundedHull<'_> {
    fn count(&self) -> usize {
        self.vertices.len()
    }

    fn vertex(&self, index: usize) -> Point {
        self.vertices[index]
    }

    fn normal(&self, index: usize) -> Vec2 {
        self.normals[index]
    }

    fn radius(&self) -> f32 {
        self.radius
    }

    fn face_separation(&self, index: usize, other: &Self) -> f32 {
        let (v, n) = (self.vertices[index], self.normals[index]);
        other
            .vertices
            .iter()
            .map(|w| n.dot(&(w - v)))
            .fold(f32::INFINITY, f32::min)
    }

    fn farthest_face(&self, other: &Self) -> Face {
        let mut best = Face {
            index: 0,
            separation: f32::NEG_INFINITY,
        };
        for index in 0..self.normals.len() {
            let separation = self.face_separation(index, other);
            if separation > best.separation {
                best = Face { index, separation };
            }
        }
        best
    }

    fn facing(&self, normal: &Vec2) -> usize {
        let mut best = (f32::INFINITY, 0);
        for (i, n) in self.normals.iter().enumerate() {
            let facing = n.dot(normal);
            if facing < best.0 {
                best = (facing, i);
            }
        }
        best.1
    }

    fn reach(&self, direction: &Vec2) -> f32 {
        self.vertices
            .iter()
            .map(|v| v.coords.dot(direction))
            .fold(f32::NEG_INFINITY, f32::max)
    }

    fn with_slices<T>(&self, answer: impl FnOnce(&RoundedHull<'_>) -> T) -> T {
        answer(self)
    }
}

/// Hull of two vertices: the core of capsules and segments.
pub(super) struct Line {
    ends: [Point; 2],
    /// Normal of the right side; that of the left side is opposite.
    normal: Vec2,
    radius: f32,
}

impl Line {
    /// Returns the hull as a line, if it has two vertices.
    #[inline]
    pub(super) fn new(hull: &RoundedHull<'_>) -> Option<Self> {
        let ([a, b], [normal, _]) = (hull.vertices, hull.normals) else {
            return None;
        };
        Some(Self {
            ends: [*a, *b],
            normal: *normal,
            radius: hull.radius,
        })
    }

    /// Moves the line to a pose.
    #[inline]
    pub(super) fn placed(self, pose: &Pose) -> Self {
        let (cos, sin) = (pose.rotation.re, pose.rotation.im);
        let turn = |x: f32, y: f32| Vec2::new(cos * x - sin * y, sin * x + cos * y);
        let at = pose.translation.vector;
        Self {
            ends: self.ends.map(|p| Point::from(turn(p.x, p.y) + at)),
            normal: turn(self.normal.x, self.normal.y),
            radius: self.radius,
        }
    }

    /// Returns the heights of the ends of `other` over an end of this line, along its normal.
    #[inline]
    fn heights(&self, end: usize, other: &Self) -> [f32; 2] {
        other.ends.map(|w| self.normal.dot(&(w - self.ends[end])))
    }
}

impl From<&Capsule> for Line {
    #[inline]
    fn from(capsule: &Capsule) -> Self {
        Self {
            ends: [capsule.a(), capsule.b()],
            normal: capsule.normal(),
            radius: capsule.radius(),
        }
    }
}

impl From<&Segment> for Line {
    #[inline]
    fn from(segment: &Segment) -> Self {
        Self {
            ends: [segment.a(), segment.b()],
            normal: segment.normal(),
            radius: 0.0,
        }
    }
}

impl Edges for Line {
    #[inline]
    fn count(&self) -> usize {
        2
    }

    #[inline]
    fn vertex(&self, index: usize) -> Point {
        self.ends[index & 1]
    }

    #[inline]
    fn normal(&self, index: usize) -> Vec2 {
        if index == 0 {
            self.normal
        } else {
            -self.normal
        }
    }

    #[inline]
    fn radius(&self) -> f32 {
        self.radius
    }

    #[inline]
    fn face_separation(&self, index: usize, other: &Self) -> f32 {
        let [p, q] = self.heights(index & 1, other);
        if index == 0 {
            if q < p { q } else { p }
        } else {
            -(if q > p { q } else { p })
        }
    }

    #[inline]
    fn farthest_face(&self, other: &Self) -> Face {
        // Both faces lie on one line: the heights over the right one are those over the left one, negative.
        let [p, q] = self.heights(0, other);
        let (low, high) = if q < p { (q, p) } else { (p, q) };
        let (right, left) = (low, -high);
        let index = usize::from(left > right);
        let separation = if left > right { left } else { right };
        Face { index, separation }
    }

    #[inline]
    fn facing(&self, normal: &Vec2) -> usize {
        usize::from(self.normal.dot(normal) > 0.0)
    }

    #[inline]
    fn reach(&self, direction: &Vec2) -> f32 {
        let [p, q] = self.ends.map(|v| v.coords.dot(direction));
        if q > p { q } else { p }
    }

    fn with_slices<T>(&self, answer: impl FnOnce(&RoundedHull<'_>) -> T) -> T {
        answer(&RoundedHull {
            vertices: &self.ends,
            normals: &[self.normal, -self.normal],
            radius: self.radius,
        })
    }
}

/// Hull of up to `LANES` vertices, one per lane; the lanes beyond repeat the first, so that loops have
/// a fixed length and the compiler makes them wide.
pub(super) struct Lanes<const LANES: usize> {
    x: [f32; LANES],
    y: [f32; LANES],
    normal_x: [f32; LANES],
    normal_y: [f32; LANES],
    count: usize,
    radius: f32,
}

impl<const LANES: usize> Lanes<LANES> {
    /// Returns the hull in lanes, of which there are enough.
    #[inline(always)]
    pub(super) fn new(hull: &RoundedHull<'_>) -> Self {
        debug_assert!(hull.vertices.len() <= LANES);
        // Gathered rather than filled in: an array that is written number by number cannot be read as a vector at once.
        let (first, right) = (&hull.vertices[0], &hull.normals[0]);
        let vertex = |i: usize| hull.vertices.get(i).unwrap_or(first);
        let normal = |i: usize| hull.normals.get(i).unwrap_or(right);
        Self {
            x: from_fn(|i| vertex(i).x),
            y: from_fn(|i| vertex(i).y),
            normal_x: from_fn(|i| normal(i).x),
            normal_y: from_fn(|i| normal(i).y),
            count: hull.vertices.len(),
            radius: hull.radius,
        }
    }

    /// Moves the hull to a pose.
    #[inline(always)]
    pub(super) fn placed(mut self, pose: &Pose) -> Self {
        let (cos, sin) = (pose.rotation.re, pose.rotation.im);
        let at = pose.translation.vector;
        for i in 0..LANES {
            let (x, y) = (self.x[i], self.y[i]);
            self.x[i] = cos * x - sin * y + at.x;
            self.y[i] = sin * x + cos * y + at.y;
            let (x, y) = (self.normal_x[i], self.normal_y[i]);
            self.normal_x[i] = cos * x - sin * y;
            self.normal_y[i] = sin * x + cos * y;
        }
        self
    }
}

impl<const LANES: usize> Edges for Lanes<LANES> {
    #[inline]
    fn count(&self) -> usize {
        self.count
    }

    #[inline]
    fn vertex(&self, index: usize) -> Point {
        Point::new(self.x[index], self.y[index])
    }

    #[inline]
    fn normal(&self, index: usize) -> Vec2 {
        Vec2::new(self.normal_x[index], self.normal_y[index])
    }

    #[inline]
    fn radius(&self) -> f32 {
        self.radius
    }

    #[inline]
    fn face_separation(&self, index: usize, other: &Self) -> f32 {
        let (v, n) = (self.vertex(index), self.normal(index));
        let mut least = f32::INFINITY;
        for i in 0..LANES {
            let height = n.x * (other.x[i] - v.x) + n.y * (other.y[i] - v.y);
            least = if height < least { height } else { least };
        }
        least
    }

    #[inline]
    fn farthest_face(&self, other: &Self) -> Face {
        // All faces at once, vertex by vertex: no sum or minimum across lanes until the end.
        let mut least = [f32::INFINITY; LANES];
        for w in 0..other.count {
            let (x, y) = (other.x[w], other.y[w]);
            for (i, least) in least.iter_mut().enumerate() {
                let height =
                    self.normal_x[i] * (x - self.x[i]) + self.normal_y[i] * (y - self.y[i]);
                *least = if height < *least { height } else { *least };
            }
        }
        let mut best = Face {
            index: 0,
            separation: least[0],
        };
        for (index, &separation) in least.iter().enumerate().skip(1) {
            if separation > best.separation {
                best = Face { index, separation };
            }
        }
        best
    }

    #[inline]
    fn facing(&self, normal: &Vec2) -> usize {
        let mut facing = [0.0; LANES];
        for (i, facing) in facing.iter_mut().enumerate() {
            *facing = self.normal_x[i] * normal.x + self.normal_y[i] * normal.y;
        }
        let mut best = (facing[0], 0);
        for (i, &f) in facing.iter().enumerate().skip(1) {
            if f < best.0 {
                best = (f, i);
            }
        }
        best.1
    }

    #[inline]
    fn reach(&self, direction: &Vec2) -> f32 {
        let mut most = f32::NEG_INFINITY;
        for i in 0..LANES {
            let along = self.x[i] * direction.x + self.y[i] * direction.y;
            most = if along > most { along } else { most };
        }
        most
    }

    fn with_slices<T>(&self, answer: impl FnOnce(&RoundedHull<'_>) -> T) -> T {
        let mut vertices = [Point::origin(); LANES];
        let mut normals = [Vec2::zeros(); LANES];
        for i in 0..self.count {
            (vertices[i], normals[i]) = (self.vertex(i), self.normal(i));
        }
        answer(&RoundedHull {
            vertices: &vertices[..self.count],
            normals: &normals[..self.count],
            radius: self.radius,
        })
    }
}
