//! Coordinates and velocities of a joint between steps.

use super::def::JointDef;
use super::shared::Limit;
use super::sim::{JointKind, JointSim};
use crate::body::state::{BodyPose, BodyState};
use cairn2d_geometry::math::{WorldPoint, cross};

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

    /// Returns by how much the rigid part of the joint of `def` is open at its anchors, which are at `anchors`
    /// in the world [m].
    pub(crate) fn gap(&self, def: &JointDef, anchors: [WorldPoint; 2], poses: &[BodyPose]) -> f32 {
        let off_axis = || cross(&self.base.axis(poses), &self.base.gap(poses)).abs();
        match def {
            JointDef::Revolute(_) => self.length(poses),
            JointDef::Weld(def) if def.linear.is_none_or(|spring| spring.hertz == 0.0) => {
                self.length(poses)
            }
            JointDef::Prismatic(_) | JointDef::Wheel(_) => off_axis(),
            JointDef::Distance(def) => {
                let length = self.length(poses);
                let is_rod = def.limit.is_none() && def.motor.is_none() && def.spring.is_none();
                let rod = Limit::new(def.length, def.length);
                let range = if is_rod { Some(rod) } else { def.limit };
                range.map_or(0.0, |range| {
                    (range.lower - length).max(length - range.upper).max(0.0)
                })
            }
            JointDef::Pulley(def) => {
                let [a, b] = anchors;
                let length = (a - def.wheel_a).norm() + def.ratio * (b - def.wheel_b).norm();
                (length - def.length).max(0.0)
            }
            JointDef::Weld(_)
            | JointDef::Motor(_)
            | JointDef::Mouse(_)
            | JointDef::Gear(_)
            | JointDef::Filter(_) => 0.0,
        }
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
