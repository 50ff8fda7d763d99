//! Speculative vertices: those beyond the manifold that an impact may turn onto the other shape in the step.
//!
//! A manifold has the points nearer than the speculative distance. A box that lands on a vertex at 10 m/s is
//! turned by a fifth of a radian in the same step, and its other vertex by twenty centimeters into the
//! ground.

use super::ImpactScene;
use crate::body::state::BodyPose;
use cairn2d_geometry::Shape;
use cairn2d_geometry::math::{Point, Vec2, left_perp};
use cairn2d_geometry::tolerance::SPECULATIVE_DISTANCE;
use smallvec::SmallVec;

/// A vertex of one of two shapes above the surface of the other one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpeculativeVertex {
    /// From the centers of mass of A and B to the surfaces below and above each other, in the world [m].
    pub(crate) arms: [Vec2; 2],
    /// Between the two surfaces, along the normal of the contact [m].
    pub(crate) gap: f32,
    /// Along the surface, from the nearest point of the contact [m].
    pub(crate) distance: f32,
}

/// The vertices of a shape in the frame of a contact.
struct ContactOutline {
    /// In order: position along the surface, and height toward the other shape, from the center of mass of A
    /// [m].
    vertices: SmallVec<[[f32; 2]; 8]>,
}

impl ContactOutline {
    /// Returns the height of the outline at position `x`, if it extends there.
    fn height_at(&self, x: f32) -> Option<f32> {
        let count = self.vertices.len();
        let edges = (0..count).map(|i| [self.vertices[i], self.vertices[(i + 1) % count]]);
        let heights = edges.filter_map(|[[start_x, start], [end_x, end]]| {
            let (low, high) = (start_x.min(end_x), start_x.max(end_x));
            if x < low || x > high {
                return None;
            }
            // An edge along the normal has the height of its start.
            let fraction = if high > low {
                (x - start_x) / (end_x - start_x)
            } else {
                0.0
            };
            Some(start + fraction * (end - start))
        });
        heights.reduce(f32::max)
    }

    /// Iterates over the vertices on the side of the other shape.
    fn facing_vertices(&self) -> impl Iterator<Item = [f32; 2]> + '_ {
        let is_facing = |&&[x, height]: &&[f32; 2]| {
            self.height_at(x)
                .is_some_and(|highest| highest <= height + SPECULATIVE_DISTANCE)
        };
        self.vertices.iter().filter(is_facing).copied()
    }
}

/// Returns the vertices of polygons and the ends of capsules; other shapes have none.
fn vertices_of(shape: &Shape) -> SmallVec<[Point; 8]> {
    match shape {
        Shape::Polygon(polygon) => polygon.vertices().iter().copied().collect(),
        Shape::Capsule(capsule) => [capsule.a(), capsule.b()].into_iter().collect(),
        _ => SmallVec::new(),
    }
}

/// Lists the vertices of both shapes of a touching contact with a gap to the other shape above the
/// speculative distance and below `max_gap` \[m\].
pub(crate) fn list_speculative_vertices(
    scene: &ImpactScene<'_>,
    contact: u32,
    max_gap: f32,
    vertices: &mut Vec<SpeculativeVertex>,
) {
    vertices.clear();
    let record = &scene.contacts.slots[contact];
    let constraint = &scene.contacts.constraints[contact as usize];
    let poses = constraint
        .bodies()
        .map(|body| &scene.bodies.poses[body as usize]);
    let normal = poses[0].rotate(constraint.normal);
    let tangent = left_perp(&normal);
    let between = poses[1].center - poses[0].center;
    let outline = |shape: u32, pose: &BodyPose, out: Vec2| {
        let geometry = &scene.shapes.slots[shape].geometry;
        let place = |point: &Point| {
            let arm = pose.rotate(point.coords - pose.local_center);
            let from_a = (pose.center - poses[0].center) + arm;
            [from_a.dot(&tangent), from_a.dot(&out) + geometry.radius()]
        };
        let vertices = vertices_of(geometry).iter().map(place).collect();
        ContactOutline { vertices }
    };
    let outlines = [
        outline(record.shape_a, poses[0], normal),
        outline(record.shape_b, poses[1], -normal),
    ];
    let points = constraint.points_in_use();
    let points_x = points
        .iter()
        .map(|point| poses[0].rotate(point.anchor_a).dot(&tangent));
    for (i, own) in outlines.iter().enumerate() {
        for [x, height] in own.facing_vertices() {
            let Some(other_height) = outlines[1 - i].height_at(x) else {
                continue;
            };
            let gap = -(height + other_height);
            if gap <= SPECULATIVE_DISTANCE || gap >= max_gap {
                continue;
            }
            let height_of_a = if i == 0 { height } else { other_height };
            let on_a = x * tangent + height_of_a * normal;
            let distances = points_x.clone().map(|point_x| (x - point_x).abs());
            vertices.push(SpeculativeVertex {
                arms: [on_a, on_a + gap * normal - between],
                gap,
                distance: distances.fold(f32::INFINITY, f32::min),
            });
        }
    }
}
