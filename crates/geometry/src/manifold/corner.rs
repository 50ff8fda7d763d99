//! Outward corners of chains: the smallest separating translation over one, among the normals that the chain
//! has there.
//!
//! A single segment may have a shorter one: back through it, or along the surface. Neither leads out of the
//! chain.

use crate::math::{Point, Vec2, cross};
use crate::rounded_hull::RoundedHull;
use crate::tolerance::SMOOTH_CORNER;

/// Corner that bulges outward.
pub(super) struct Corner {
    pub(super) at: Point,
    /// Normals of the segment that ends there and of the one that starts.
    pub(super) normals: [Vec2; 2],
    /// Index of the neighbor's normal in `normals`.
    pub(super) neighbor: usize,
}

/// The normal of the smallest separating translation over an outward corner.
pub(super) enum Way {
    /// The normal of the segment.
    Own,
    /// The normal of the neighbor.
    Neighbors,
    /// One between them, against that of a face of the other shape if it has any.
    Between { normal: Vec2, face: usize },
}

impl Corner {
    /// Returns `true` if a normal is one of the corner's.
    pub(super) fn has(&self, normal: &Vec2) -> bool {
        let [from, to] = &self.normals;
        cross(from, normal) >= -SMOOTH_CORNER && cross(normal, to) >= -SMOOTH_CORNER
    }

    /// Returns the smallest separating translation of a hull that overlaps the chain here.
    pub(super) fn way_of_hull(&self, hull: &RoundedHull<'_>) -> Way {
        let start = |normal: &Vec2| {
            let heights = hull.vertices.iter().map(|v| normal.dot(&(v - self.at)));
            heights.fold(f32::INFINITY, f32::min)
        };
        let (mut way, mut best) = self.way_along_faces(start);
        for (face, (normal, vertex)) in hull.normals.iter().zip(hull.vertices).enumerate() {
            let normal = -normal;
            let height = normal.dot(&(vertex - self.at));
            if height > best && self.has(&normal) {
                (way, best) = (Way::Between { normal, face }, height);
            }
        }
        way
    }

    /// Returns the smallest separating translation of a smooth shape that begins `start` along a normal.
    pub(super) fn way_of_smooth(&self, start: impl Fn(&Vec2) -> f32) -> Way {
        let (way, best) = self.way_along_faces(&start);
        let [from, to] = self.normals;
        let normal_at = |part: f32| (from + (to - from) * part).normalize();
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..THIRDS {
            let third = (high - low) / 3.0;
            let parts = [low + third, high - third];
            if start(&normal_at(parts[0])) < start(&normal_at(parts[1])) {
                low = parts[0];
            } else {
                high = parts[1];
            }
        }
        let normal = normal_at(0.5 * (low + high));
        if start(&normal) > best {
            Way::Between { normal, face: 0 }
        } else {
            way
        }
    }

    /// Returns the shorter way out along one of the two segments' normals, and how deep it is (negative) [m].
    fn way_along_faces(&self, start: impl Fn(&Vec2) -> f32) -> (Way, f32) {
        let [neighbors, own] = [self.neighbor, 1 - self.neighbor].map(|i| start(&self.normals[i]));
        if neighbors > own {
            (Way::Neighbors, neighbors)
        } else {
            (Way::Own, own)
        }
    }
}

/// Number of times that the range of normals at a corner is cut to two thirds: to a thousandth.
const THIRDS: u32 = 17;
