//! The internal-edge filter for sweeps: a shape behind a plane on which a body slides is no obstacle.

use super::sweep::{SweepSegment, SweepView};
use super::tables::CcdScene;
use crate::body::state::BodyPose;
use crate::contact::constraint::constraint_flags;
use crate::mechanisms::Mechanism;
use cairn2d_geometry::math::{Vec2, WorldPoint};
use cairn2d_geometry::tolerance::LINEAR_SLOP;

/// A plane that a body touches at the end of the step. Its own body is not dynamic and does not rotate.
struct SupportPlane {
    point: WorldPoint,
    /// Unit normal toward the supported body.
    normal: Vec2,
    /// The body of the plane.
    ground: u32,
}

impl SupportPlane {
    fn height(&self, point: WorldPoint) -> f32 {
        (point - self.point).dot(&self.normal)
    }
}

impl CcdScene<'_> {
    /// Returns `true` if the shape `other`, which is not dynamic, stays behind a plane that the first body
    /// touches.
    ///
    /// A body that slides over tiles sinks in a little and finds the side of each next tile in its way,
    /// though the top of that tile is no higher than the plane. The same holds for the tiles of an elevator
    /// or a raft: planes and tiles may move but not rotate, and a tile behind the plane at the start and at
    /// the end of the motion is behind it in between.
    pub(super) fn is_behind_support(
        &self,
        view: SweepView<'_>,
        bodies: [u32; 2],
        other: u32,
    ) -> bool {
        let [body, its_body] = bodies;
        if !self.ctx.uses(Mechanism::SupportPlanes) || !self.keeps_orientation(its_body) {
            return false;
        }
        let contacts = self.bodies.slots[body].contacts.iter();
        contacts.copied().any(|contact| {
            self.support_plane(contact, body)
                .is_some_and(|plane| self.is_behind(view, &plane, body, other))
        })
    }

    /// Returns `true` if a body is not dynamic and does not rotate in this step.
    fn keeps_orientation(&self, body: u32) -> bool {
        !self.bodies.is_dynamic(body) && !self.bodies.has_rotated(body)
    }

    /// Returns the plane of a contact of `body` with a body that is not dynamic, if the substeps solve it. A
    /// deferred contact lies behind its own plane and would never have an impact.
    fn support_plane(&self, contact: u32, body: u32) -> Option<SupportPlane> {
        let record = &self.contacts.slots[contact];
        let constraint = &self.contacts.constraints[contact as usize];
        let ground = record.body_a;
        let is_deferred = constraint.flags & constraint_flags::DEFERRED != 0;
        let is_ground = record.body_b == body && self.keeps_orientation(ground);
        if !record.pushes() || is_deferred || !is_ground {
            return None;
        }
        let (point, normal) =
            constraint.center_and_normal(&self.bodies.poses[constraint.body_a as usize]);
        Some(SupportPlane {
            point,
            normal,
            ground,
        })
    }

    fn is_behind(&self, view: SweepView<'_>, plane: &SupportPlane, body: u32, other: u32) -> bool {
        let shape = &self.shapes.slots[other];
        let [own, ground, its] =
            [body, plane.ground, shape.body].map(|body| self.segment_of(view, body));
        // Rise of the plane and of the other shape since the body's segment began.
        let rise = |segment: &SweepSegment| {
            (segment.end.center - segment.pose_at(own.from).center).dot(&plane.normal)
        };
        let up = shape.geometry.support(&its.end.unrotate(plane.normal));
        let top = plane.height(its.end.to_world(up));
        if top.max(top - rise(&its) + rise(&ground)) > LINEAR_SLOP {
            return false;
        }
        let before = self.min_height(plane, body, &own.start) + rise(&ground);
        let after = self.min_height(plane, body, &own.end);
        after >= before.min(0.0) - 2.0 * LINEAR_SLOP
    }

    /// Returns the smallest height of the body's shapes over the plane, with the body at `pose` \[m\].
    fn min_height(&self, plane: &SupportPlane, body: u32, pose: &BodyPose) -> f32 {
        let down = pose.unrotate(-plane.normal);
        let shapes = self.bodies.slots[body].shapes.iter();
        let heights = shapes.map(|&shape| {
            plane.height(pose.to_world(self.shapes.slots[shape].geometry.support(&down)))
        });
        heights.fold(f32::INFINITY, f32::min)
    }
}
