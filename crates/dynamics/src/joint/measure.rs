//! Coordinates and velocities of a joint between steps.

use super::sim::{JointKind, JointSim};
use crate::body::state::{BodyPose, BodyState};

impl JointSim {
    /// Returns the angle of B's frame relative to A's [rad]: unwrapped for a revolute joint, else in (-pi,
    /// pi].
    pub(crate) fn angle(&self, poses: &[BodyPose]) -> f32 {
        let base = &self.base;
        if let JointKind::Revolute(joint) = &self.kind {
            let mut now = *joint;
            now.update_angle(base, poses);
            return now.angle(base);
        }
        base.angle(poses)
    }

    /// Returns the offset of B's anchor from A's along the x axis of A's frame [m].
    pub(crate) fn translation(&self, poses: &[BodyPose]) -> f32 {
        self.base.gap(poses).dot(&self.base.axis(poses))
    }

    /// Returns the distance between the anchors [m].
    pub(crate) fn length(&self, poses: &[BodyPose]) -> f32 {
        self.base.gap(poses).norm()
    }

    /// Returns the angular velocity of B relative to A [rad/s].
    pub(crate) fn angular_speed(&self, states: &[BodyState]) -> f32 {
        states[self.base.body_b as usize].angular_velocity
            - states[self.base.body_a as usize].angular_velocity
    }

    /// Returns the rate of the translation [m/s].
    pub(crate) fn translation_speed(&self, poses: &[BodyPose], states: &[BodyState]) -> f32 {
        let anchors = self.base.anchors(poses);
        let a = &states[self.base.body_a as usize];
        let b = &states[self.base.body_b as usize];
        // The axis turns with A, so A's arm reaches to B's anchor.
        let reach = anchors.arm_a + anchors.gap;
        let relative = b.velocity_at(anchors.arm_b) - a.velocity_at(reach);
        relative.dot(&self.base.axis(poses))
    }
}
