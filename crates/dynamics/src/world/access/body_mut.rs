//! A view that changes one body.

use crate::body::Body;
use crate::body::def::{BodyKind, Continuous, Locks, check_position};
use crate::body::grid;
use crate::body::state::{BodyMass, BodyMotion, BodyPose, BodyState, state_flags};
use crate::ccd::undefer_contacts;
use crate::error::{ValueError, demand, finite, finite_vec, limit, not_negative, positive};
use crate::world::World;
use crate::world::access::BodyRef;
use crate::world::bodies::lock_flags;
use crate::world::mass::check_mass;
use crate::world::record::call::{BodyCall, Call};
use cairn2d_geometry::math::{Vec2, WorldPoint, sin_cos};
use cairn2d_geometry::{IntoVec2, MassData};

/// Names of the components of a velocity in errors.
const VELOCITY: [&str; 2] = ["velocity.x", "velocity.y"];

/// A mutable view of one body. Changes of its motion wake it.
#[derive(Debug)]
pub struct BodyMut<'a> {
    pub(crate) world: &'a mut World,
    pub(crate) slot: u32,
}

impl BodyMut<'_> {
    /// Returns a read-only view.
    #[must_use]
    pub fn as_ref(&self) -> BodyRef<'_> {
        BodyRef {
            world: self.world,
            slot: self.slot,
        }
    }

    pub(crate) fn state_mut(&mut self) -> &mut BodyState {
        &mut self.world.bodies.states[self.slot as usize]
    }

    pub(crate) fn motion_mut(&mut self) -> &mut BodyMotion {
        &mut self.world.bodies.motions[self.slot as usize]
    }

    pub(crate) fn mass_record(&self) -> BodyMass {
        self.world.bodies.masses[self.slot as usize]
    }

    /// Records a call that is certain to succeed.
    #[inline]
    pub(crate) fn record(&mut self, call: impl FnOnce() -> BodyCall) {
        let slot = self.slot;
        self.world.record(|world| Call::Body {
            body: world.bodies.slots.id_at(slot),
            call: call(),
        });
    }

    /// Wakes the body as part of another call.
    pub(crate) fn rouse(&mut self) {
        self.world.wake_body(self.slot);
    }

    fn record_mut(&mut self) -> &mut Body {
        &mut self.world.bodies.slots[self.slot]
    }

    /// Wakes the body and its island; has no effect on static and disabled bodies.
    #[doc(alias("wake_up", "b2Body_SetAwake", "WakeUp"))]
    pub fn wake(&mut self) {
        self.record(|| BodyCall::Wake {});
        self.rouse();
    }

    /// Puts the body and its island to sleep at once. Has no effect if a body of the island may not sleep, or
    /// the body is not simulated.
    #[doc(alias("set_sleeping", "Sleep"))]
    pub fn sleep(&mut self) {
        self.record(|| BodyCall::Sleep {});
        self.world.sleep_body(self.slot);
    }

    /// Sets the velocity of the center of mass [m/s] and wakes the body, and the bodies that a kinematic one
    /// carries; has no effect on a static body.
    ///
    /// Every finite velocity is accepted, also one whose norm overflows. The next step reduces it to the
    /// maximum speed of the body, or freezes a body without maximum: see [`World::body_freezes`].
    ///
    /// # Panics
    /// If `velocity` is not finite; [`try_set_velocity`](Self::try_set_velocity) returns the error instead.
    #[doc(alias("set_linear_velocity", "set_linvel"))]
    #[doc(alias("b2Body_SetLinearVelocity", "linearVelocity"))]
    #[track_caller]
    pub fn set_velocity(&mut self, velocity: impl IntoVec2) {
        demand(
            self.try_set_velocity(velocity.into_vec2()),
            "set the velocity",
        );
    }

    /// Like [`set_velocity`](Self::set_velocity), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `velocity` is not finite.
    pub fn try_set_velocity(&mut self, velocity: Vec2) -> Result<(), ValueError> {
        finite_vec(VELOCITY, velocity)?;
        if self.as_ref().kind() != BodyKind::Static {
            self.record(|| BodyCall::SetVelocity { velocity });
            self.rouse();
            self.state_mut().velocity = velocity;
            self.wake_carried(velocity != Vec2::zeros());
        }
        Ok(())
    }

    /// Wakes the bodies that touch a kinematic body that begins to move: asleep, they would be penetrated.
    fn wake_carried(&mut self, moves: bool) {
        if moves && self.as_ref().kind() == BodyKind::Kinematic {
            self.world.wake_neighbors(self.slot);
        }
    }

    /// Sets the angular velocity, counter-clockwise [rad/s], and wakes the body; has no effect on a static
    /// body.
    ///
    /// # Panics
    /// If `angular_velocity` is not finite;
    /// [`try_set_angular_velocity`](Self::try_set_angular_velocity) returns the error instead.
    #[doc(alias("set_angvel", "b2Body_SetAngularVelocity"))]
    #[track_caller]
    pub fn set_angular_velocity(&mut self, angular_velocity: f32) {
        demand(
            self.try_set_angular_velocity(angular_velocity),
            "set the angular velocity",
        );
    }

    /// Like [`set_angular_velocity`](Self::set_angular_velocity), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `angular_velocity` is not finite.
    pub fn try_set_angular_velocity(&mut self, angular_velocity: f32) -> Result<(), ValueError> {
        finite("angular_velocity", angular_velocity)?;
        if self.as_ref().kind() != BodyKind::Static {
            self.record(|| BodyCall::SetAngularVelocity { angular_velocity });
            self.rouse();
            self.state_mut().angular_velocity = angular_velocity;
            self.wake_carried(angular_velocity != 0.0);
        }
        Ok(())
    }

    /// Teleports the body to a position \[m\] and an angle \[rad\], without sweeping the space between. Wakes
    /// the body and the bodies that touched it; keeps the velocities.
    ///
    /// A body that is moved by this call in each step passes through others: use velocities or forces, or
    /// [`move_to`](Self::move_to) for a kinematic body.
    ///
    /// # Panics
    /// If `position` is not finite or out of the world, or `angle` is not finite;
    /// [`try_set_pose`](Self::try_set_pose) returns the error instead.
    #[doc(alias("set_position", "set_translation", "set_rotation"))]
    #[doc(alias("set_angle", "set_transform"))]
    #[doc(alias("b2Body_SetTransform", "teleport"))]
    #[track_caller]
    pub fn set_pose(&mut self, position: impl Into<WorldPoint>, angle: f32) {
        demand(self.try_set_pose(position, angle), "set the pose");
    }

    /// Like [`set_pose`](Self::set_pose), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `position` is not finite or out of the world, or `angle` is not finite.
    pub fn try_set_pose(
        &mut self,
        position: impl Into<WorldPoint>,
        angle: f32,
    ) -> Result<(), ValueError> {
        let position = position.into();
        check_position("position", position)?;
        finite("angle", angle)?;
        let (sin, cos) = sin_cos(angle);
        self.record(|| BodyCall::SetPose { position, angle });
        self.world.bodies.large_angles.remove(self.slot);
        self.world.wake_neighbors(self.slot);
        let pose = &mut self.world.bodies.poses[self.slot as usize];
        pose.rotation = Vec2::new(cos, sin);
        pose.center = grid::moved(grid::nearest(position), pose.rotate(pose.local_center));
        self.world.invalidate_contacts(self.slot);
        self.world.replace_boxes(self.slot);
        self.world.test_quiet_pairs_of(self.slot, None);
        let world = &mut *self.world;
        world
            .depenetration
            .note_joints_of(self.slot, &world.bodies, &mut world.joints);
        Ok(())
    }

    /// Gives a kinematic body the velocities that move it to a pose in one step of `dt` \[s\], by the shorter
    /// rotation. Call it before each step: the body keeps these velocities.
    ///
    /// # Panics
    /// If a number is not finite, `dt` is not positive, or so short that a velocity would not be finite; the body is then
    /// unchanged; [`try_move_to`](Self::try_move_to) returns the error instead.
    #[doc(alias = "set_next_kinematic_position")]
    #[doc(alias("set_next_kinematic_translation", "MovePosition"))]
    #[doc(alias = "b2Body_SetTargetTransform")]
    #[track_caller]
    pub fn move_to(&mut self, position: impl Into<WorldPoint>, angle: f32, dt: f32) {
        demand(self.try_move_to(position, angle, dt), "move the body");
    }

    /// Like [`move_to`](Self::move_to), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If a number is not finite, `dt` is not positive, or so short that a velocity would not be finite; the body is then
    /// unchanged.
    pub fn try_move_to(
        &mut self,
        position: impl Into<WorldPoint>,
        angle: f32,
        dt: f32,
    ) -> Result<(), ValueError> {
        let position = position.into();
        check_position("position", position)?;
        finite("angle", angle)?;
        positive("dt", dt)?;
        let (sin, cos) = sin_cos(angle);
        let pose = self.world.bodies.poses[self.slot as usize];
        let target = BodyPose {
            rotation: Vec2::new(cos, sin),
            ..pose
        };
        let center = position + target.rotate(pose.local_center);
        let turned = pose.unrotate(target.rotation);
        let turn = cairn2d_geometry::math::atan2(turned.y, turned.x);
        let (velocity, spin) = ((center - pose.center) / dt, turn / dt);
        finite_vec(VELOCITY, velocity)?;
        finite("angular_velocity", spin)?;
        self.try_set_velocity(velocity)?;
        self.try_set_angular_velocity(spin)
    }

    /// Changes the kind of the body and wakes it; its contacts end and begin again. A body that becomes
    /// static loses its velocity.
    #[doc(alias("set_body_type", "b2Body_SetType", "bodyType"))]
    #[doc(alias = "freeze_mode")]
    pub fn set_kind(&mut self, kind: BodyKind) {
        self.record(|| BodyCall::SetKind { kind });
        self.world.change_kind(self.slot, kind);
    }

    /// Enables the body and wakes it; has no effect on an enabled body.
    #[doc(alias("set_enabled", "b2Body_Enable"))]
    pub fn enable(&mut self) {
        self.record(|| BodyCall::Enable {});
        self.world.set_enabled(self.slot, true);
    }

    /// Disables the body: it keeps its pose and velocity, has no contacts, and queries do not see it.
    #[doc(alias("b2Body_Disable", "simulated"))]
    pub fn disable(&mut self) {
        self.record(|| BodyCall::Disable {});
        self.world.set_enabled(self.slot, false);
    }

    /// Sets the locked axes of motion; velocities along them become 0.
    #[doc(alias("lock_rotations", "set_fixed_rotation"))]
    #[doc(alias("freezeRotation", "lock_rotation"))]
    #[doc(alias = "b2Body_SetMotionLocks")]
    pub fn set_locks(&mut self, locks: Locks) {
        self.record(|| BodyCall::SetLocks { locks });
        self.record_mut().locks = locks;
        let state = self.state_mut();
        let all = state_flags::LOCK_X | state_flags::LOCK_Y | state_flags::LOCK_ROTATION;
        state.flags = state.flags & !all | lock_flags(locks);
        if locks.x {
            state.velocity.x = 0.0;
        }
        if locks.y {
            state.velocity.y = 0.0;
        }
        if locks.rotation {
            state.angular_velocity = 0.0;
        }
        self.world.update_mass(self.slot);
        self.rouse();
    }

    /// Sets how continuous collision ends the step of the body at a time of impact.
    pub fn set_continuous(&mut self, continuous: Continuous) {
        self.record(|| BodyCall::SetContinuous { continuous });
        self.record_mut().continuous = continuous;
        self.world.bodies.update_track_flags(self.slot);
        let world = &mut self.world;
        undefer_contacts(&world.bodies, &mut world.contacts, self.slot);
    }

    /// Sets whether continuous collision sweeps the body against moving bodies of any thickness.
    #[doc(alias("enable_ccd", "b2Body_SetBullet", "continuous_cd"))]
    pub fn set_bullet(&mut self, bullet: bool) {
        self.record(|| BodyCall::SetBullet { bullet });
        self.record_mut().bullet = bullet;
        self.world.bodies.update_track_flags(self.slot);
    }

    /// Sets whether the body may turn by more than [`MAX_ROTATION`](crate::MAX_ROTATION) in one step.
    pub fn set_fast_rotation(&mut self, fast: bool) {
        self.record(|| BodyCall::SetFastRotation { fast });
        let state = self.state_mut();
        state.flags &= !state_flags::FAST_ROTATION;
        if fast {
            state.flags |= state_flags::FAST_ROTATION;
        }
    }

    /// Sets the factor on the gravity of the world and wakes the body.
    ///
    /// # Panics
    /// If `scale` is not finite;
    /// [`try_set_gravity_scale`](Self::try_set_gravity_scale) returns the error instead.
    #[doc(alias = "b2Body_SetGravityScale")]
    #[track_caller]
    pub fn set_gravity_scale(&mut self, scale: f32) {
        demand(self.try_set_gravity_scale(scale), "set the gravity scale");
    }

    /// Like [`set_gravity_scale`](Self::set_gravity_scale), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `scale` is not finite.
    pub fn try_set_gravity_scale(&mut self, scale: f32) -> Result<(), ValueError> {
        finite("gravity_scale", scale)?;
        self.record(|| BodyCall::SetGravityScale { scale });
        self.rouse();
        self.record_mut().gravity_scale = scale;
        self.world.update_gravity(self.slot);
        Ok(())
    }

    /// Sets the linear and the angular damping rate [1/s].
    ///
    /// # Panics
    /// If one of them is negative or not finite;
    /// [`try_set_damping`](Self::try_set_damping) returns the error instead.
    #[doc(alias = "drag")]
    #[track_caller]
    pub fn set_damping(&mut self, linear: f32, angular: f32) {
        demand(self.try_set_damping(linear, angular), "set the damping");
    }

    /// Like [`set_damping`](Self::set_damping), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If one of them is negative or not finite.
    pub fn try_set_damping(&mut self, linear: f32, angular: f32) -> Result<(), ValueError> {
        not_negative("linear_damping", linear)?;
        not_negative("angular_damping", angular)?;
        self.record(|| BodyCall::SetDamping { linear, angular });
        self.motion_mut().linear_damping = linear;
        self.motion_mut().angular_damping = angular;
        Ok(())
    }

    /// Sets the linear damping rate [1/s], and keeps the angular one.
    ///
    /// # Panics
    /// If it is negative or not finite; [`try_set_damping`](Self::try_set_damping) returns the error instead.
    #[doc(alias("b2Body_SetLinearDamping", "linear_damp"))]
    #[track_caller]
    pub fn set_linear_damping(&mut self, rate: f32) {
        let angular = self.motion_mut().angular_damping;
        demand(self.try_set_damping(rate, angular), "set the damping");
    }

    /// Sets the angular damping rate [1/s], and keeps the linear one.
    ///
    /// # Panics
    /// If it is negative or not finite; [`try_set_damping`](Self::try_set_damping) returns the error instead.
    #[doc(alias("b2Body_SetAngularDamping", "angular_damp"))]
    #[track_caller]
    pub fn set_angular_damping(&mut self, rate: f32) {
        let linear = self.motion_mut().linear_damping;
        demand(self.try_set_damping(linear, rate), "set the damping");
    }

    /// Sets the maximum speed [m/s]; `None` restores that of the world, infinity is no limit.
    ///
    /// # Panics
    /// If `speed` is negative or not a number;
    /// [`try_set_max_linear_speed`](Self::try_set_max_linear_speed) returns the error instead.
    #[track_caller]
    pub fn set_max_linear_speed(&mut self, speed: Option<f32>) {
        demand(self.try_set_max_linear_speed(speed), "cap the speed");
    }

    /// Like [`set_max_linear_speed`](Self::set_max_linear_speed), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `speed` is negative or not a number.
    pub fn try_set_max_linear_speed(&mut self, speed: Option<f32>) -> Result<(), ValueError> {
        let cap = speed.unwrap_or(self.world.def.tuning.max_linear_speed);
        limit("max_linear_speed", cap)?;
        self.record(|| BodyCall::SetMaxLinearSpeed { speed });
        self.motion_mut().max_linear_speed = cap;
        self.record_mut().has_own_speed_cap = speed.is_some();
        Ok(())
    }

    /// Sets the maximum angular speed [rad/s]; infinity is no limit.
    ///
    /// # Panics
    /// If `speed` is negative or not a number;
    /// [`try_set_max_angular_speed`](Self::try_set_max_angular_speed) returns the error instead.
    #[track_caller]
    pub fn set_max_angular_speed(&mut self, speed: f32) {
        demand(
            self.try_set_max_angular_speed(speed),
            "cap the angular speed",
        );
    }

    /// Like [`set_max_angular_speed`](Self::set_max_angular_speed), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `speed` is negative or not a number.
    pub fn try_set_max_angular_speed(&mut self, speed: f32) -> Result<(), ValueError> {
        limit("max_angular_speed", speed)?;
        self.record(|| BodyCall::SetMaxAngularSpeed { speed });
        self.motion_mut().max_angular_speed = speed;
        Ok(())
    }

    /// Sets whether the body may fall asleep; wakes a body that may not.
    #[doc(alias("b2Body_EnableSleep", "can_sleep"))]
    pub fn set_can_sleep(&mut self, can_sleep: bool) {
        self.record(|| BodyCall::SetCanSleep { can_sleep });
        self.record_mut().can_sleep = can_sleep;
        let speed = if can_sleep {
            crate::tuning::SLEEP_SPEED
        } else {
            -1.0
        };
        self.world.bodies.tracks[self.slot as usize].sleep_speed = speed;
        self.rouse();
    }

    /// Sets the speed below which the body may fall asleep [m/s].
    ///
    /// # Panics
    /// If `speed` is negative or not finite;
    /// [`try_set_sleep_speed`](Self::try_set_sleep_speed) returns the error instead.
    #[track_caller]
    pub fn set_sleep_speed(&mut self, speed: f32) {
        demand(self.try_set_sleep_speed(speed), "set the sleep speed");
    }

    /// Like [`set_sleep_speed`](Self::set_sleep_speed), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `speed` is negative or not finite.
    pub fn try_set_sleep_speed(&mut self, speed: f32) -> Result<(), ValueError> {
        not_negative("sleep_speed", speed)?;
        self.record(|| BodyCall::SetSleepSpeed { speed });
        self.record_mut().can_sleep = true;
        self.world.bodies.tracks[self.slot as usize].sleep_speed = speed;
        Ok(())
    }

    /// Sets mass data that replace the sum over the shapes; `None` restores the sum.
    ///
    /// # Panics
    /// If mass or inertia is negative or not finite, or the center is not finite or outside of the world; the body is
    /// then unchanged; [`try_set_mass`](Self::try_set_mass) returns the error instead.
    #[doc(alias("set_additional_mass", "b2Body_SetMassData"))]
    #[track_caller]
    pub fn set_mass(&mut self, mass: Option<MassData>) {
        demand(self.try_set_mass(mass), "set the mass");
    }

    /// Like [`set_mass`](Self::set_mass), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If mass or inertia is negative or not finite, or the center is not finite or outside of the world; the body is
    /// then unchanged.
    pub fn try_set_mass(&mut self, mass: Option<MassData>) -> Result<(), ValueError> {
        if let Some(mass) = &mass {
            self.check_new_mass(mass)?;
        }
        self.record(|| BodyCall::SetMass { mass });
        self.record_mut().mass_override = mass;
        self.world.update_mass(self.slot);
        self.rouse();
        Ok(())
    }

    /// Checks mass data at the present pose of the body.
    fn check_new_mass(&self, mass: &MassData) -> Result<(), ValueError> {
        check_mass(mass)?;
        let pose = self.world.bodies.poses[self.slot as usize];
        check_position("center of mass", pose.to_world(mass.center))
    }

    /// Attaches a number for your own use.
    pub fn set_user_data(&mut self, user_data: u64) {
        self.record(|| BodyCall::SetUserData { user_data });
        self.record_mut().user_data = user_data;
    }
}
