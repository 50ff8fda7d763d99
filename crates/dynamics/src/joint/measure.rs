//! What users ask of a joint between steps: angle, way, speeds.

use super::parts::angle::angle_of_frames;
use super::sim::{JointKind, JointSim};
use crate::body::state::{BodyPose, BodyState};
use cairn2d_geometry::math::{Vec2, cross_scalar, sin_cos};

/// The anchors of a joint at present.
struct Anchors {
    /// From the centres of mass, in the world [m].
    arm_a: Vec2,
    arm_b: Vec2,
    /// From A's anchor to B's [m].
    gap: Vec2,
    /// Direction of the x axis of A's frame.
    axis: Vec2,
}

impl JointSim {
    fn anchors(&self, poses: &[BodyPose]) -> Anchors {
        let base = &self.base;
        let (a, b) = base.poses(poses);
        let arm_a = a.rotate(base.frame_a.anchor - a.local_center);
        let arm_b = b.rotate(base.frame_b.anchor - b.local_center);
        let (s, c) = sin_cos(base.frame_a.angle);
        Anchors {
            arm_a,
            arm_b,
            gap: (b.center - a.center) + (arm_b - arm_a),
            axis: a.rotate(Vec2::new(c, s)),
        }
    }

    /// Returns the angle of B's frame against A's [rad]; of a revolute joint followed over full turns, else in
    /// (-pi, pi].
    pub(crate) fn angle(&self, poses: &[BodyPose]) -> f32 {
        let base = &self.base;
        if let JointKind::Revolute(joint) = &self.kind {
            let mut now = *joint;
            now.update_angle(base, poses);
            return now.angle(base);
        }
        let (a, b) = base.poses(poses);
        angle_of_frames(a, b, base.frame_a.angle, base.frame_b.angle)
    }

    /// Returns the way of B's anchor from A's along the x axis of A's frame [m].
    pub(crate) fn translation(&self, poses: &[BodyPose]) -> f32 {
        let anchors = self.anchors(poses);
        anchors.gap.dot(&anchors.axis)
    }

    /// Returns the distance of the anchors [m].
    pub(crate) fn length(&self, poses: &[BodyPose]) -> f32 {
        self.anchors(poses).gap.norm()
    }

    /// Returns the spin of B against A [rad/s].
    pub(crate) fn angular_speed(&self, states: &[BodyState]) -> f32 {
        states[self.base.body_b as usize].angular_velocity
            - states[self.base.body_a as usize].angular_velocity
    }

    /// Returns the speed of the translation [m/s].
    pub(crate) fn translation_speed(&self, poses: &[BodyPose], states: &[BodyState]) -> f32 {
        let anchors = self.anchors(poses);
        let a = &states[self.base.body_a as usize];
        let b = &states[self.base.body_b as usize];
        // The axis turns with A, so A's arm reaches to B's anchor.
        let reach = anchors.arm_a + anchors.gap;
        let at_a = a.velocity + cross_scalar(a.angular_velocity, &reach);
        let at_b = b.velocity + cross_scalar(b.angular_velocity, &anchors.arm_b);
        (at_b - at_a).dot(&anchors.axis)
    }
}
