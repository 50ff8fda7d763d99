//! Forces and impulses on bodies.

use crate::body::state::BodyPose;
use crate::error::{ValueError, demand, finite, finite_vec};
use crate::world::BodyMut;
use crate::world::record::call::BodyCall;
use cairn2d_geometry::math::{Point, Vec2, WorldPoint, cross};
use cairn2d_geometry::{IntoPoint, IntoVec2};

/// Names of the velocities after an impulse in errors.
const VELOCITY_AFTER: [&str; 2] = [
    "velocity.x after the impulse",
    "velocity.y after the impulse",
];
const SPIN_AFTER: &str = "angular velocity after the impulse";

// A call that is refused changes nothing: each method checks all values before it writes the first one. The sum
// of several forces may overflow; the step then freezes the body.
impl BodyMut<'_> {
    /// Applies a force at the center of mass during the next step \[N\], and wakes the body. Forces of one
    /// step add up. They are cleared after it, and when the body falls asleep or becomes disabled or static.
    ///
    /// # Panics
    /// If `force` is not finite; [`try_apply_force`](Self::try_apply_force) returns the error instead.
    #[doc(alias("add_force", "b2Body_ApplyForceToCenter"))]
    #[doc(alias("AddForce", "apply_central_force"))]
    #[track_caller]
    pub fn apply_force(&mut self, force: impl IntoVec2) {
        demand(self.try_apply_force(force.into_vec2()), "apply the force");
    }

    /// Like [`apply_force`](Self::apply_force), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `force` is not finite.
    pub fn try_apply_force(&mut self, force: Vec2) -> Result<(), ValueError> {
        finite_vec(["force.x", "force.y"], force)?;
        self.record(|| BodyCall::ApplyForce { force });
        self.rouse();
        self.motion_mut().force += force;
        Ok(())
    }

    /// Applies a force at a point of the world during the next step \[N\], and wakes the body.
    ///
    /// # Panics
    /// If `force`, `point` or the torque is not finite; the body is then unchanged;
    /// [`try_apply_force_at`](Self::try_apply_force_at) returns the error instead.
    #[doc(alias("add_force_at_point", "b2Body_ApplyForce"))]
    #[doc(alias = "AddForceAtPosition")]
    #[track_caller]
    pub fn apply_force_at(&mut self, force: impl IntoVec2, point: impl Into<WorldPoint>) {
        demand(
            self.try_apply_force_at(force.into_vec2(), point),
            "apply the force",
        );
    }

    /// Like [`apply_force_at`](Self::apply_force_at), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `force`, `point` or the torque is not finite; the body is then unchanged.
    pub fn try_apply_force_at(
        &mut self,
        force: Vec2,
        point: impl Into<WorldPoint>,
    ) -> Result<(), ValueError> {
        let point = point.into();
        finite_vec(["force.x", "force.y"], force)?;
        let torque = cross(&self.arm_of(point)?, &force);
        finite("torque of the force", torque)?;
        self.record(|| BodyCall::ApplyForceAt { force, point });
        self.rouse();
        self.motion_mut().force += force;
        self.motion_mut().torque += torque;
        Ok(())
    }

    /// Applies a force in the body's frame at the center of mass during the next step \[N\], and wakes the
    /// body.
    ///
    /// # Panics
    /// If `force` is not finite;
    /// [`try_apply_local_force`](Self::try_apply_local_force) returns the error instead.
    #[doc(alias = "AddRelativeForce")]
    #[track_caller]
    pub fn apply_local_force(&mut self, force: impl IntoVec2) {
        demand(
            self.try_apply_local_force(force.into_vec2()),
            "apply the force",
        );
    }

    /// Like [`apply_local_force`](Self::apply_local_force), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `force` is not finite.
    pub fn try_apply_local_force(&mut self, force: Vec2) -> Result<(), ValueError> {
        finite_vec(["force.x", "force.y"], force)?;
        let turned = self.pose().rotate(force);
        self.try_apply_force(turned)
    }

    /// Applies a force in the body's frame at a point of that frame during the next step \[N\], and wakes the
    /// body: a thruster.
    ///
    /// # Panics
    /// If `force`, `point` or the torque is not finite; the body is then unchanged;
    /// [`try_apply_local_force_at`](Self::try_apply_local_force_at) returns the error instead.
    #[track_caller]
    pub fn apply_local_force_at(&mut self, force: impl IntoVec2, point: impl IntoPoint) {
        demand(
            self.try_apply_local_force_at(force.into_vec2(), point.into_point()),
            "apply the force",
        );
    }

    /// Like [`apply_local_force_at`](Self::apply_local_force_at), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `force`, `point` or the torque is not finite; the body is then unchanged.
    pub fn try_apply_local_force_at(
        &mut self,
        force: Vec2,
        point: Point,
    ) -> Result<(), ValueError> {
        finite_vec(["force.x", "force.y"], force)?;
        let (turned, place) = (self.pose().rotate(force), self.pose().to_world(point));
        self.try_apply_force_at(turned, place)
    }

    /// Applies a torque during the next step, counter-clockwise [N m], and wakes the body.
    ///
    /// # Panics
    /// If `torque` is not finite; [`try_apply_torque`](Self::try_apply_torque) returns the error instead.
    #[doc(alias("add_torque", "b2Body_ApplyTorque", "AddTorque"))]
    #[track_caller]
    pub fn apply_torque(&mut self, torque: f32) {
        demand(self.try_apply_torque(torque), "apply the torque");
    }

    /// Like [`apply_torque`](Self::apply_torque), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `torque` is not finite.
    pub fn try_apply_torque(&mut self, torque: f32) -> Result<(), ValueError> {
        finite("torque", torque)?;
        self.record(|| BodyCall::ApplyTorque { torque });
        self.rouse();
        self.motion_mut().torque += torque;
        Ok(())
    }

    /// Applies an impulse at the center of mass [N s], which changes the velocity at once, and wakes the
    /// body.
    ///
    /// # Panics
    /// If `impulse` or the new velocity is not finite; the body is then unchanged;
    /// [`try_apply_impulse`](Self::try_apply_impulse) returns the error instead.
    #[doc(alias = "apply_linear_impulse")]
    #[doc(alias = "b2Body_ApplyLinearImpulseToCenter")]
    #[doc(alias("apply_central_impulse", "ForceMode2D"))]
    #[track_caller]
    pub fn apply_impulse(&mut self, impulse: impl IntoVec2) {
        demand(
            self.try_apply_impulse(impulse.into_vec2()),
            "apply the impulse",
        );
    }

    /// Like [`apply_impulse`](Self::apply_impulse), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `impulse` or the new velocity is not finite; the body is then unchanged.
    pub fn try_apply_impulse(&mut self, impulse: Vec2) -> Result<(), ValueError> {
        finite_vec(["impulse.x", "impulse.y"], impulse)?;
        let velocity = self.velocity_after(impulse);
        finite_vec(VELOCITY_AFTER, velocity)?;
        self.record(|| BodyCall::ApplyImpulse { impulse });
        self.rouse();
        self.state_mut().velocity = velocity;
        Ok(())
    }

    /// Applies an impulse in the body's frame at the center of mass [N s], and wakes the body.
    ///
    /// # Panics
    /// If `impulse` or the new velocity is not finite; the body is then unchanged;
    /// [`try_apply_local_impulse`](Self::try_apply_local_impulse) returns the error instead.
    #[track_caller]
    pub fn apply_local_impulse(&mut self, impulse: impl IntoVec2) {
        demand(
            self.try_apply_local_impulse(impulse.into_vec2()),
            "apply the impulse",
        );
    }

    /// Like [`apply_local_impulse`](Self::apply_local_impulse), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `impulse` or the new velocity is not finite; the body is then unchanged.
    pub fn try_apply_local_impulse(&mut self, impulse: Vec2) -> Result<(), ValueError> {
        finite_vec(["impulse.x", "impulse.y"], impulse)?;
        let turned = self.pose().rotate(impulse);
        self.try_apply_impulse(turned)
    }

    /// Accelerates the body during the next step, independent of its mass [m/s^2], and wakes it.
    ///
    /// # Panics
    /// If `acceleration` is not finite;
    /// [`try_apply_acceleration`](Self::try_apply_acceleration) returns the error instead.
    #[track_caller]
    pub fn apply_acceleration(&mut self, acceleration: impl IntoVec2) {
        demand(
            self.try_apply_acceleration(acceleration.into_vec2()),
            "accelerate the body",
        );
    }

    /// Like [`apply_acceleration`](Self::apply_acceleration), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `acceleration` is not finite.
    pub fn try_apply_acceleration(&mut self, acceleration: Vec2) -> Result<(), ValueError> {
        finite_vec(["acceleration.x", "acceleration.y"], acceleration)?;
        let mass = self.as_ref().mass();
        self.try_apply_force(acceleration * mass)
    }

    /// Applies an impulse at a point of the world [N s], which changes both velocities at once, and wakes the
    /// body.
    ///
    /// # Panics
    /// If `impulse`, `point`, the angular impulse or a new velocity is not finite; the body is then
    /// unchanged; [`try_apply_impulse_at`](Self::try_apply_impulse_at) returns the error instead.
    #[doc(alias = "apply_impulse_at_point")]
    #[doc(alias = "b2Body_ApplyLinearImpulse")]
    #[track_caller]
    pub fn apply_impulse_at(&mut self, impulse: impl IntoVec2, point: impl Into<WorldPoint>) {
        demand(
            self.try_apply_impulse_at(impulse.into_vec2(), point),
            "apply the impulse",
        );
    }

    /// Like [`apply_impulse_at`](Self::apply_impulse_at), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `impulse`, `point`, the angular impulse or a new velocity is not finite; the body is then
    /// unchanged.
    pub fn try_apply_impulse_at(
        &mut self,
        impulse: Vec2,
        point: impl Into<WorldPoint>,
    ) -> Result<(), ValueError> {
        let point = point.into();
        finite_vec(["impulse.x", "impulse.y"], impulse)?;
        let angular = cross(&self.arm_of(point)?, &impulse);
        finite("angular impulse", angular)?;
        let velocity = self.velocity_after(impulse);
        let spin = self.angular_velocity_after(angular);
        finite_vec(VELOCITY_AFTER, velocity)?;
        finite(SPIN_AFTER, spin)?;
        self.record(|| BodyCall::ApplyImpulseAt { impulse, point });
        self.rouse();
        let state = self.state_mut();
        state.velocity = velocity;
        state.angular_velocity = spin;
        Ok(())
    }

    /// Applies an angular impulse [N m s], which changes the angular velocity at once, and wakes the body.
    ///
    /// # Panics
    /// If `impulse` or the new angular velocity is not finite; the body is then unchanged;
    /// [`try_apply_angular_impulse`](Self::try_apply_angular_impulse) returns the error instead.
    #[doc(alias = "apply_torque_impulse")]
    #[doc(alias = "b2Body_ApplyAngularImpulse")]
    #[track_caller]
    pub fn apply_angular_impulse(&mut self, impulse: f32) {
        demand(
            self.try_apply_angular_impulse(impulse),
            "apply the angular impulse",
        );
    }

    /// Like [`apply_angular_impulse`](Self::apply_angular_impulse), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `impulse` or the new angular velocity is not finite; the body is then unchanged.
    pub fn try_apply_angular_impulse(&mut self, impulse: f32) -> Result<(), ValueError> {
        finite("angular impulse", impulse)?;
        let spin = self.angular_velocity_after(impulse);
        finite(SPIN_AFTER, spin)?;
        self.record(|| BodyCall::ApplyAngularImpulse { impulse });
        self.rouse();
        self.state_mut().angular_velocity = spin;
        Ok(())
    }

    /// Returns the velocity after an impulse at the center of mass [m/s].
    fn velocity_after(&self, impulse: Vec2) -> Vec2 {
        let state = &self.world.bodies.states[self.slot as usize];
        state.velocity + impulse * self.mass_record().inv_mass
    }

    /// Returns the angular velocity after an angular impulse [rad/s].
    fn angular_velocity_after(&self, impulse: f32) -> f32 {
        let state = &self.world.bodies.states[self.slot as usize];
        state.angular_velocity + impulse * self.mass_record().inv_inertia
    }

    fn pose(&self) -> BodyPose {
        self.world.bodies.poses[self.slot as usize]
    }

    /// Returns the vector from the center of mass to `point` [m].
    fn arm_of(&self, point: WorldPoint) -> Result<Vec2, ValueError> {
        for (name, value) in [("point.x", point.x), ("point.y", point.y)] {
            if !value.is_finite() {
                return Err(ValueError::NotFinite { name, value });
            }
        }
        Ok(point - self.as_ref().center_exact())
    }
}
