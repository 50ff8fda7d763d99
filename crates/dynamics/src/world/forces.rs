//! Forces and impulses on bodies.

use crate::body::state::BodyPose;
use crate::world::BodyMut;
use crate::world::record::call::BodyCall;
use cairn2d_geometry::math::{Point, Vec2, WorldPoint, cross};

// A call that panics changes nothing: each method checks all values before it writes the first one. The sum
// of several forces may overflow; the step then freezes the body.
impl BodyMut<'_> {
    /// Applies a force at the center of mass during the next step \[N\], and wakes the body. Forces of one
    /// step add up. They are cleared after it, and when the body falls asleep or becomes disabled or static.
    ///
    /// # Panics
    /// If `force` is not finite.
    #[track_caller]
    pub fn apply_force(&mut self, force: Vec2) {
        assert_finite("force", force);
        self.record(|| BodyCall::ApplyForce { force });
        self.rouse();
        self.motion_mut().force += force;
    }

    /// Applies a force at a point of the world during the next step \[N\], and wakes the body.
    ///
    /// # Panics
    /// If `force`, `point` or the torque is not finite; the body is then unchanged.
    #[track_caller]
    pub fn apply_force_at(&mut self, force: Vec2, point: impl Into<WorldPoint>) {
        assert_finite("force", force);
        let point = point.into();
        let torque = cross(&self.arm_of(point), &force);
        assert_finite_number("torque of the force", torque);
        self.record(|| BodyCall::ApplyForceAt { force, point });
        self.rouse();
        self.motion_mut().force += force;
        self.motion_mut().torque += torque;
    }

    /// Applies a force in the body's frame at the center of mass during the next step \[N\], and wakes the
    /// body.
    ///
    /// # Panics
    /// If `force` is not finite.
    #[track_caller]
    pub fn apply_local_force(&mut self, force: Vec2) {
        assert_finite("force", force);
        let turned = self.pose().rotate(force);
        self.apply_force(turned);
    }

    /// Applies a force in the body's frame at a point of that frame during the next step \[N\], and wakes the
    /// body: a thruster.
    ///
    /// # Panics
    /// If `force`, `point` or the torque is not finite; the body is then unchanged.
    #[track_caller]
    pub fn apply_local_force_at(&mut self, force: Vec2, point: Point) {
        assert_finite("force", force);
        let (turned, place) = (self.pose().rotate(force), self.pose().to_world(point));
        self.apply_force_at(turned, place);
    }

    /// Applies a torque during the next step, counter-clockwise [N m], and wakes the body.
    ///
    /// # Panics
    /// If `torque` is not finite.
    #[track_caller]
    pub fn apply_torque(&mut self, torque: f32) {
        assert_finite_number("torque", torque);
        self.record(|| BodyCall::ApplyTorque { torque });
        self.rouse();
        self.motion_mut().torque += torque;
    }

    /// Applies an impulse at the center of mass [N s], which changes the velocity at once, and wakes the
    /// body.
    ///
    /// # Panics
    /// If `impulse` or the new velocity is not finite; the body is then unchanged.
    #[track_caller]
    pub fn apply_impulse(&mut self, impulse: Vec2) {
        assert_finite("impulse", impulse);
        let velocity = self.velocity_after(impulse);
        assert_finite("velocity after the impulse", velocity);
        self.record(|| BodyCall::ApplyImpulse { impulse });
        self.rouse();
        self.state_mut().velocity = velocity;
    }

    /// Applies an impulse in the body's frame at the center of mass [N s], and wakes the body.
    ///
    /// # Panics
    /// If `impulse` or the new velocity is not finite; the body is then unchanged.
    #[track_caller]
    pub fn apply_local_impulse(&mut self, impulse: Vec2) {
        assert_finite("impulse", impulse);
        let turned = self.pose().rotate(impulse);
        self.apply_impulse(turned);
    }

    /// Accelerates the body during the next step, independent of its mass [m/s^2], and wakes it.
    ///
    /// # Panics
    /// If `acceleration` is not finite.
    #[track_caller]
    pub fn apply_acceleration(&mut self, acceleration: Vec2) {
        assert_finite("acceleration", acceleration);
        let mass = self.as_ref().mass();
        self.apply_force(acceleration * mass);
    }

    /// Applies an impulse at a point of the world [N s], which changes both velocities at once, and wakes the
    /// body.
    ///
    /// # Panics
    /// If `impulse`, `point`, the angular impulse or a new velocity is not finite; the body is then
    /// unchanged.
    #[track_caller]
    pub fn apply_impulse_at(&mut self, impulse: Vec2, point: impl Into<WorldPoint>) {
        let point = point.into();
        self.velocities_after(impulse, point);
        self.record(|| BodyCall::ApplyImpulseAt { impulse, point });
        self.push_at(impulse, point);
    }

    /// Applies an impulse at a point of the world [N s] as part of another call.
    #[track_caller]
    pub(crate) fn push_at(&mut self, impulse: Vec2, point: WorldPoint) {
        let (velocity, spin) = self.velocities_after(impulse, point);
        self.rouse();
        let state = self.state_mut();
        state.velocity = velocity;
        state.angular_velocity = spin;
    }

    /// Returns both velocities after an impulse at a point of the world [m/s, rad/s].
    ///
    /// # Panics
    /// If one of them is not finite.
    #[track_caller]
    fn velocities_after(&self, impulse: Vec2, point: WorldPoint) -> (Vec2, f32) {
        assert_finite("impulse", impulse);
        let angular = cross(&self.arm_of(point), &impulse);
        assert_finite_number("angular impulse", angular);
        let velocity = self.velocity_after(impulse);
        let spin = self.angular_velocity_after(angular);
        assert_finite("velocity after the impulse", velocity);
        assert_finite_number("angular velocity after the impulse", spin);
        (velocity, spin)
    }

    /// Applies an angular impulse [N m s], which changes the angular velocity at once, and wakes the body.
    ///
    /// # Panics
    /// If `impulse` or the new angular velocity is not finite; the body is then unchanged.
    #[track_caller]
    pub fn apply_angular_impulse(&mut self, impulse: f32) {
        assert_finite_number("angular impulse", impulse);
        let spin = self.angular_velocity_after(impulse);
        assert_finite_number("angular velocity after the impulse", spin);
        self.record(|| BodyCall::ApplyAngularImpulse { impulse });
        self.rouse();
        self.state_mut().angular_velocity = spin;
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
    #[track_caller]
    fn arm_of(&self, point: WorldPoint) -> Vec2 {
        assert!(
            point.is_finite(),
            "point is ({}, {}), which is not finite",
            point.x,
            point.y
        );
        point - self.as_ref().center_exact()
    }
}

/// Panics if a number is NaN or infinite.
#[track_caller]
pub(crate) fn assert_finite_number(name: &str, value: f32) {
    assert!(value.is_finite(), "{name} is {value}, which is not finite");
}

/// Panics if a component is NaN or infinite.
#[track_caller]
pub(crate) fn assert_finite(name: &str, v: Vec2) {
    assert!(
        v.x.is_finite() && v.y.is_finite(),
        "{name} is ({}, {}), which is not finite",
        v.x,
        v.y
    );
}
