//! Corners that a blow turns down onto what it hits: points of a contact that its manifold does not have yet.
//!
//! A manifold knows what is nearer than the speculative distance. A box that comes down on a corner at 10 m/s is turned by a fifth of a
//! radian in the same step, and its other corner by twenty centimetres into what it fell on.

use crate::body::state::BodyPose;
use crate::world::World;
use cairn2d_geometry::Shape;
use cairn2d_geometry::math::{Point, Vec2, left_perp};
use cairn2d_geometry::tolerance::SPECULATIVE_DISTANCE;
use smallvec::SmallVec;

/// A corner of one of two shapes over the other one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corner {
    /// From the centres of mass to the surfaces of A and B below and above each other, in the world [m].
    pub(crate) arms: [Vec2; 2],
    /// Between these, along the normal of the contact [m].
    pub(crate) gap: f32,
    /// Along the surface from the nearest point of the contact [m].
    pub(crate) way: f32,
}

/// The side of a shape that faces another one, as far as it has corners.
struct Front {
    /// Corners in order: along the surface, and how far they stand out toward the other shape, from the centre of A [m].
    corners: SmallVec<[[f32; 2]; 8]>,
}

impl Front {
    /// Returns how far the shape stands out at the place `along`, if it reaches there.
    fn height(&self, along: f32) -> Option<f32> {
        let count = self.corners.len();
        let edges = (0..count).map(|i| [self.corners[i], self.corners[(i + 1) % count]]);
        let heights = edges.filter_map(|[[x, h], [next_x, next_h]]| {
            let (low, high) = (x.min(next_x), x.max(next_x));
            if along < low || along > high {
                return None;
            }
            let share = if high > low {
                (along - x) / (next_x - x)
            } else {
                0.0
            };
            Some(h + share * (next_h - h))
        });
        heights.reduce(f32::max)
    }

    /// Iterates over the corners that face the other shape.
    fn facing(&self) -> impl Iterator<Item = [f32; 2]> + '_ {
        let stands_out = |&&[along, height]: &&[f32; 2]| {
            self.height(along)
                .is_some_and(|most| most <= height + SPECULATIVE_DISTANCE)
        };
        self.corners.iter().filter(stands_out).copied()
    }
}

/// Returns the corners of a shape; none of what is round.
fn corners_of(shape: &Shape) -> SmallVec<[Point; 8]> {
    match shape {
        Shape::Polygon(polygon) => polygon.vertices().iter().copied().collect(),
        Shape::Capsule(capsule) => [capsule.a(), capsule.b()].into_iter().collect(),
        _ => SmallVec::new(),
    }
}

impl World {
    /// Lists the corners of the shapes of a touching contact that are over the other shape by more than a manifold has, and by less than `reach`
    /// \[m\].
    pub(super) fn list_corners(&self, contact: u32, reach: f32, corners: &mut Vec<Corner>) {
        corners.clear();
        let record = &self.contacts.slots[contact];
        let constraint = &self.contacts.constraints[contact as usize];
        let poses =
            [constraint.body_a, constraint.body_b].map(|body| &self.bodies.poses[body as usize]);
        let normal = poses[0].rotate(constraint.normal);
        let along = left_perp(&normal);
        let between = poses[1].center - poses[0].center;
        let front = |shape: u32, pose: &BodyPose, out: Vec2| {
            let geometry = &self.shapes.slots[shape].geometry;
            let place = |point: &Point| {
                let arm = pose.rotate(point.coords - pose.local_center);
                let from_a = (pose.center - poses[0].center) + arm;
                [from_a.dot(&along), from_a.dot(&out) + geometry.radius()]
            };
            let corners = corners_of(geometry).iter().map(place).collect();
            Front { corners }
        };
        let fronts = [
            front(record.shape_a, poses[0], normal),
            front(record.shape_b, poses[1], -normal),
        ];
        let points = &constraint.points[..constraint.count as usize];
        let touched = points
            .iter()
            .map(|p| poses[0].rotate(p.anchor_a).dot(&along));
        for (i, front) in fronts.iter().enumerate() {
            for [x, height] in front.facing() {
                let Some(its_height) = fronts[1 - i].height(x) else {
                    continue;
                };
                let gap = -(height + its_height);
                if gap <= SPECULATIVE_DISTANCE || gap >= reach {
                    continue;
                }
                let top_of_a = if i == 0 { height } else { its_height };
                let on_a = x * along + top_of_a * normal;
                let way = touched.clone().map(|at| (x - at).abs());
                corners.push(Corner {
                    arms: [on_a, on_a + gap * normal - between],
                    gap,
                    way: way.fold(f32::INFINITY, f32::min),
                });
            }
        }
    }
}
