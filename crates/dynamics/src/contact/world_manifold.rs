//! World manifold: where a contact is after the solver has moved its bodies.

use crate::body::state::BodyPose;
use crate::body::table::BodyTable;
use crate::contact::constraint::{ConstraintPoint, ContactConstraint};
use cairn2d_geometry::math::{Vec2, WorldPoint};
use smallvec::SmallVec;

/// Normal from A to B, and place and separation [m] of each point, in the world.
pub(crate) struct WorldManifold {
    pub(crate) normal: Vec2,
    pub(crate) points: SmallVec<[(WorldPoint, f32); 2]>,
}

impl WorldManifold {
    /// Returns the manifold of a constraint at the end of the step.
    ///
    /// A single point was computed when the step began, and a round shape may have turned by half a radian
    /// since: its normal is the one that was solved. The faces of two points have turned with their bodies.
    pub(crate) fn after_solve(constraint: &ContactConstraint, bodies: &BodyTable) -> Self {
        let [a, b] = constraint.bodies().map(|body| SolvedPose {
            end: bodies.poses[body as usize],
            start: bodies.start_of_step(body),
        });
        match constraint.points_in_use() {
            [single] => single_point(&a, &b, constraint.normal, single, &constraint.points[1]),
            points => face(&a.end, &b.end, constraint.normal, points),
        }
    }

    /// Returns the center of the points.
    pub(crate) fn center(&self) -> WorldPoint {
        match self.points[..] {
            [(first, _), (second, _)] => first + (second - first) * 0.5,
            [(only, _)] => only,
            _ => WorldPoint::ORIGIN,
        }
    }
}

impl ContactConstraint {
    /// Returns the center of the points and the unit normal with body A at `pose`, in the world.
    pub(crate) fn center_and_normal(&self, pose: &BodyPose) -> (WorldPoint, Vec2) {
        let points = &self.points[..self.count as usize];
        let sum: Vec2 = points.iter().map(|point| point.anchor_a).sum();
        let middle = sum / points.len().max(1) as f32;
        (pose.center + pose.rotate(middle), pose.rotate(self.normal))
    }
}

/// The pose of a body at the end and at the start of the step.
struct SolvedPose {
    end: BodyPose,
    start: BodyPose,
}

impl SolvedPose {
    /// Returns a single point: the center of the rounding turns with the body, the point on the surface
    /// around it does not.
    fn place(&self, anchor: Vec2, rounding_center: Vec2) -> WorldPoint {
        self.end.center
            + self.end.rotate(rounding_center)
            + self.start.rotate(anchor - rounding_center)
    }
}

/// Returns the manifold of a single point; `centers` has the centers of the rounded surfaces.
fn single_point(
    a: &SolvedPose,
    b: &SolvedPose,
    normal: Vec2,
    point: &ConstraintPoint,
    centers: &ConstraintPoint,
) -> WorldManifold {
    let normal = a.start.rotate(normal);
    let on_a = a.place(point.anchor_a, centers.anchor_a);
    let on_b = b.place(point.anchor_b, centers.anchor_b);
    let separation = point.base_separation + (on_b - on_a).dot(&normal);
    let place = on_a + (on_b - on_a) * 0.5;
    WorldManifold {
        normal,
        points: SmallVec::from_slice(&[(place, separation)]),
    }
}

/// Returns the manifold of two points, with the bodies at `a` and `b`.
fn face(a: &BodyPose, b: &BodyPose, normal: Vec2, points: &[ConstraintPoint]) -> WorldManifold {
    let normal = a.rotate(normal);
    let place = |point: &ConstraintPoint| {
        let on_a = a.center + a.rotate(point.anchor_a);
        let on_b = b.center + b.rotate(point.anchor_b);
        let separation = point.base_separation + (on_b - on_a).dot(&normal);
        (on_a + (on_b - on_a) * 0.5, separation)
    };
    WorldManifold {
        normal,
        points: points.iter().map(place).collect(),
    }
}
