//! The two bodies of a joint during a pass.

use crate::body::state::{BodyMass, BodyState};
use cairn2d_geometry::math::{Vec2, cross};

/// A body of a joint: state and mass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointBody {
    pub(crate) state: BodyState,
    pub(crate) mass: BodyMass,
}

impl JointBody {
    /// Returns the present arm, given the arm at the start of the step.
    #[inline(always)]
    pub(crate) fn turned(&self, arm: Vec2) -> Vec2 {
        let (c, s) = (self.state.delta_rotation.x, self.state.delta_rotation.y);
        Vec2::new(c * arm.x - s * arm.y, s * arm.x + c * arm.y)
    }

    /// Returns the displacement of a point since the start of the step, given its arm at the start: that of
    /// the center plus the change of the arm. All terms are small, so no digits are lost.
    #[inline(always)]
    pub(crate) fn displacement(&self, arm: Vec2) -> Vec2 {
        let (c, s) = (
            self.state.delta_rotation.x - 1.0,
            self.state.delta_rotation.y,
        );
        self.state.delta_position + Vec2::new(c * arm.x - s * arm.y, s * arm.x + c * arm.y)
    }

    /// Returns the velocity of the point at `arm` from the center.
    #[inline(always)]
    pub(crate) fn velocity_at(&self, arm: Vec2) -> Vec2 {
        self.state.velocity_at(arm)
    }

    /// Applies `impulse` at `arm` from the center.
    #[inline(always)]
    pub(crate) fn push(&mut self, impulse: Vec2, arm: Vec2) {
        self.state.velocity += self.mass.inv_mass * impulse;
        self.state.angular_velocity += self.mass.inv_inertia * cross(&arm, &impulse);
    }
}

/// The two bodies of a joint. Impulses act on B, and in the opposite direction on A.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyPair {
    pub(crate) a: JointBody,
    pub(crate) b: JointBody,
}

impl BodyPair {
    /// Returns the velocity of B's point at `arm_b` relative to A's at `arm_a`.
    #[inline(always)]
    pub(crate) fn relative_velocity(&self, arm_a: Vec2, arm_b: Vec2) -> Vec2 {
        self.b.velocity_at(arm_b) - self.a.velocity_at(arm_a)
    }

    /// Applies `impulse` to B at `arm_b`, and the opposite to A at `arm_a`.
    #[inline(always)]
    pub(crate) fn push(&mut self, impulse: Vec2, arm_a: Vec2, arm_b: Vec2) {
        self.a.push(-impulse, arm_a);
        self.b.push(impulse, arm_b);
    }

    /// Applies the torque impulse `impulse` to B, and the opposite to A.
    #[inline(always)]
    pub(crate) fn twist(&mut self, impulse: f32) {
        self.a.state.angular_velocity -= self.a.mass.inv_inertia * impulse;
        self.b.state.angular_velocity += self.b.mass.inv_inertia * impulse;
    }
}
