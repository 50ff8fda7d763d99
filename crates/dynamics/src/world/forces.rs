//! Forces and impulses on bodies.

use crate::body::state::BodyPose;
use crate::world::BodyMut;
use cairn2d_geometry::math::{Point, Vec2, WorldPoint, cross};

impl BodyMut<'_> {
    /// Pushes at the centre of mass during the next step \[N\], and wakes the body. Forces of one step add
    /// up and are forgotten after it, and when the body is put to sleep, disabled or static.
    ///
    /// # Panics
    /// If `force` is not finite.
    #[track_caller]
    pub fn apply_force(&mut self, force: Vec2) {
        assert_finite("force", force);
        self.wake();
        self.motion_mut().force += force;
    }

    /// Pushes at a point of the world during the next step \[N\], and wakes the body.
    ///
    /// # Panics
    /// If `force` or `point` is not finite.
    #[track_caller]
    pub fn apply_force_at(&mut self, force: Vec2, point: impl Into<WorldPoint>) {
        assert_finite("force", force);
        let torque = cross(&self.arm_of(point.into()), &force);
        self.wake();
        self.motion_mut().force += force;
        self.motion_mut().torque += torque;
    }

    /// Pushes at the centre of mass during the next step, along the body's own axes \[N\], and wakes the body.
    ///
    /// # Panics
    /// If `force` is not finite.
    #[track_caller]
    pub fn apply_local_force(&mut self, force: Vec2) {
        assert_finite("force", force);
        let turned = self.pose().rotate(force);
        self.apply_force(turned);
    }

    /// Pushes at a point of the body's frame during the next step, along the body's own axes \[N\], and wakes the
    /// body: a thruster.
    ///
    /// # Panics
    /// If `force` or `point` is not finite.
    #[track_caller]
    pub fn apply_local_force_at(&mut self, force: Vec2, point: Point) {
        assert_finite("force", force);
        let (turned, place) = (self.pose().rotate(force), self.pose().to_world(point));
        self.apply_force_at(turned, place);
    }

    /// Turns the body during the next step, counter-clockwise [N m], and wakes it.
    ///
    /// # Panics
    /// If `torque` is not finite.
    #[track_caller]
    pub fn apply_torque(&mut self, torque: f32) {
        assert!(
            torque.is_finite(),
            "torque is {torque}, which is not finite"
        );
        self.wake();
        self.motion_mut().torque += torque;
    }

    /// Changes the velocity at once by an impulse at the centre of mass [N s], and wakes the body.
    ///
    /// # Panics
    /// If `impulse` is not finite.
    #[track_caller]
    pub fn apply_impulse(&mut self, impulse: Vec2) {
        assert_finite("impulse", impulse);
        self.wake();
        let inv_mass = self.mass_record().inv_mass;
        self.state_mut().velocity += impulse * inv_mass;
    }

    /// Changes the velocity at once by an impulse at the centre of mass along the body's own axes [N s], and wakes
    /// the body.
    ///
    /// # Panics
    /// If `impulse` is not finite.
    #[track_caller]
    pub fn apply_local_impulse(&mut self, impulse: Vec2) {
        assert_finite("impulse", impulse);
        let turned = self.pose().rotate(impulse);
        self.apply_impulse(turned);
    }

    /// Accelerates the body during the next step, whatever its mass [m/s^2], and wakes it.
    ///
    /// # Panics
    /// If `acceleration` is not finite.
    #[track_caller]
    pub fn apply_acceleration(&mut self, acceleration: Vec2) {
        assert_finite("acceleration", acceleration);
        let mass = self.as_ref().mass();
        self.apply_force(acceleration * mass);
    }

    /// Changes velocity and spin at once by an impulse at a point of the world [N s], and wakes the
    /// body.
    ///
    /// # Panics
    /// If `impulse` or `point` is not finite.
    #[track_caller]
    pub fn apply_impulse_at(&mut self, impulse: Vec2, point: impl Into<WorldPoint>) {
        assert_finite("impulse", impulse);
        let angular = cross(&self.arm_of(point.into()), &impulse);
        self.apply_impulse(impulse);
        self.apply_angular_impulse(angular);
    }

    /// Changes the angular velocity at once [N m s], and wakes the body.
    ///
    /// # Panics
    /// If `impulse` is not finite.
    #[track_caller]
    pub fn apply_angular_impulse(&mut self, impulse: f32) {
        assert!(
            impulse.is_finite(),
            "angular impulse is {impulse}, which is not finite"
        );
        self.wake();
        let inv_inertia = self.mass_record().inv_inertia;
        self.state_mut().angular_velocity += impulse * inv_inertia;
    }

    fn pose(&self) -> BodyPose {
        self.world.bodies.poses[self.slot as usize]
    }

    /// Returns the way from the centre of mass to `point` [m].
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
