//! Changing one body.

use crate::body::Body;
use crate::body::def::{BodyKind, Continuous, Locks, check_position};
use crate::body::grid;
use crate::body::state::{BodyMass, BodyMotion, BodyPose, BodyState, state_flags};
use crate::error::{ValueError, demand, limit};
use crate::world::World;
use crate::world::access::BodyRef;
use crate::world::bodies::lock_flags;
use crate::world::forces::{assert_finite, assert_finite_number};
use crate::world::mass::check_mass;
use cairn2d_geometry::MassData;
use cairn2d_geometry::math::{Vec2, WorldPoint, sin_cos};

/// Reads and changes one body. Changes of motion wake it.
#[derive(Debug)]
pub struct BodyMut<'a> {
    pub(crate) world: &'a mut World,
    pub(crate) slot: u32,
}

impl BodyMut<'_> {
    /// Returns the view that reads.
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

    fn record_mut(&mut self) -> &mut Body {
        &mut self.world.bodies.slots[self.slot]
    }

    /// Wakes the body with its island; nothing happens to static and disabled bodies.
    pub fn wake(&mut self) {
        self.world.wake_body(self.slot);
    }

    /// Puts the body to sleep at once, with all that hangs together with it by touching and joints.
    /// Nothing happens if one of them may not sleep, or the body is not simulated.
    pub fn sleep(&mut self) {
        self.world.sleep_body(self.slot);
    }

    /// Sets the velocity of the centre of mass [m/s] and wakes the body, and what a kinematic one carries; a static
    /// body has none.
    ///
    /// Each finite velocity is accepted, also one whose norm is not a finite number. The next step slows the body to its greatest
    /// speed, or freezes it if it has none: see [`World::body_freezes`].
    ///
    /// # Panics
    /// If `velocity` is not finite.
    #[track_caller]
    pub fn set_velocity(&mut self, velocity: Vec2) {
        assert_finite("velocity", velocity);
        if self.as_ref().kind() != BodyKind::Static {
            self.wake();
            self.state_mut().velocity = velocity;
            self.wake_carried(velocity != Vec2::zeros());
        }
    }

    /// Wakes what a kinematic body that `moves` carries: the step must find it awake, or the body moves into it.
    fn wake_carried(&mut self, moves: bool) {
        if moves && self.as_ref().kind() == BodyKind::Kinematic {
            self.world.wake_neighbors(self.slot);
        }
    }

    /// Sets the angular velocity, counter-clockwise [rad/s], and wakes the body; a static body has none.
    ///
    /// # Panics
    /// If `angular_velocity` is not finite.
    #[track_caller]
    pub fn set_angular_velocity(&mut self, angular_velocity: f32) {
        assert_finite_number("angular velocity", angular_velocity);
        if self.as_ref().kind() != BodyKind::Static {
            self.wake();
            self.state_mut().angular_velocity = angular_velocity;
            self.wake_carried(angular_velocity != 0.0);
        }
    }

    /// Puts the body somewhere else at once, without moving through what lies between, and wakes it and
    /// what it touched. Velocities stay.
    ///
    /// # Panics
    /// If `position` is not finite or out of the world, or `angle` is not finite.
    #[track_caller]
    pub fn set_pose(&mut self, position: impl Into<WorldPoint>, angle: f32) {
        let position = position.into();
        if let Err(error) = check_position("position", position) {
            panic!("cannot set the pose: {error}");
        }
        assert!(angle.is_finite(), "angle is {angle}, which is not finite");
        let (sin, cos) = sin_cos(angle);
        self.world.wake_neighbors(self.slot);
        let pose = &mut self.world.bodies.poses[self.slot as usize];
        pose.rotation = Vec2::new(cos, sin);
        pose.center = grid::moved(grid::nearest(position), pose.rotate(pose.local_center));
        self.world.invalidate_contacts(self.slot);
        self.world.replace_boxes(self.slot);
        let world = &mut *self.world;
        world
            .depenetration
            .note_joints_of(self.slot, &world.bodies, &mut world.joints);
    }

    /// Gives a kinematic body the velocities that take it to a pose in one step of `dt` \[s\]. Set it
    /// before each step; the body goes on with these velocities until told otherwise.
    ///
    /// # Panics
    /// If a number is not finite, `dt` is not positive, or so short that a velocity would not be finite; the body is then unchanged.
    #[track_caller]
    pub fn move_to(&mut self, position: impl Into<WorldPoint>, angle: f32, dt: f32) {
        let position = position.into();
        if let Err(error) = check_position("position", position) {
            panic!("cannot move the body: {error}");
        }
        assert!(angle.is_finite(), "angle is {angle}, which is not finite");
        assert!(
            dt.is_finite() && dt > 0.0,
            "dt is {dt}, which is not a positive time"
        );
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
        assert_finite("velocity", velocity);
        assert_finite_number("angular velocity", spin);
        self.set_velocity(velocity);
        self.set_angular_velocity(spin);
    }

    /// Changes how the body moves, and wakes it. Its contacts begin anew; one that becomes static loses its velocity.
    pub fn set_kind(&mut self, kind: BodyKind) {
        self.world.change_kind(self.slot, kind);
    }

    /// Takes the body into the simulation, awake; nothing happens if it takes part already.
    pub fn enable(&mut self) {
        self.world.set_enabled(self.slot, true);
    }

    /// Takes the body out of the simulation: it keeps its place and velocity, touches nothing and is
    /// seen by no query.
    pub fn disable(&mut self) {
        self.world.set_enabled(self.slot, false);
    }

    /// Sets the motions that the body is kept from; velocities along them become 0.
    pub fn set_locks(&mut self, locks: Locks) {
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
        self.wake();
    }

    /// Sets what becomes of the rest of a step when the body meets something fast.
    pub fn set_continuous(&mut self, continuous: Continuous) {
        self.record_mut().continuous = continuous;
        self.world.bodies.update_track_flags(self.slot);
        self.world.take_in_contacts(self.slot);
    }

    /// Sets whether continuous collision sees everything that moves, however thick.
    pub fn set_bullet(&mut self, bullet: bool) {
        self.record_mut().bullet = bullet;
        self.world.bodies.update_track_flags(self.slot);
    }

    /// Sets whether the body may turn by more than an eighth of a turn in one step.
    pub fn set_fast_rotation(&mut self, fast: bool) {
        let state = self.state_mut();
        state.flags &= !state_flags::FAST_ROTATION;
        if fast {
            state.flags |= state_flags::FAST_ROTATION;
        }
    }

    /// Sets the factor on the world's gravity and wakes the body.
    ///
    /// # Panics
    /// If `scale` is not finite.
    #[track_caller]
    pub fn set_gravity_scale(&mut self, scale: f32) {
        assert!(
            scale.is_finite(),
            "gravity scale is {scale}, which is not finite"
        );
        self.wake();
        self.record_mut().gravity_scale = scale;
        self.world.update_gravity(self.slot);
    }

    /// Sets the rates at which velocity and angular velocity fade [1/s].
    ///
    /// # Panics
    /// If one of them is negative or not finite.
    #[track_caller]
    pub fn set_damping(&mut self, linear: f32, angular: f32) {
        for (name, rate) in [("linear damping", linear), ("angular damping", angular)] {
            assert!(
                rate.is_finite() && rate >= 0.0,
                "{name} is {rate}, which is not a rate"
            );
        }
        self.motion_mut().linear_damping = linear;
        self.motion_mut().angular_damping = angular;
    }

    /// Sets the greatest speed [m/s]; `None` goes back to the world's, infinity is none.
    ///
    /// # Panics
    /// If `speed` is negative or not a number.
    #[track_caller]
    pub fn set_max_linear_speed(&mut self, speed: Option<f32>) {
        let is_own = speed.is_some();
        let speed = speed.unwrap_or(self.world.def.tuning.max_linear_speed);
        if let Err(error) = limit("max_linear_speed", speed) {
            panic!("cannot cap the speed: {error}");
        }
        self.motion_mut().max_linear_speed = speed;
        self.record_mut().has_own_speed_cap = is_own;
    }

    /// Sets the greatest angular speed [rad/s]; infinity is none.
    ///
    /// # Panics
    /// If `speed` is negative or not a number.
    #[track_caller]
    pub fn set_max_angular_speed(&mut self, speed: f32) {
        if let Err(error) = limit("max_angular_speed", speed) {
            panic!("cannot cap the angular speed: {error}");
        }
        self.motion_mut().max_angular_speed = speed;
    }

    /// Sets whether the body may fall asleep; one that may not is woken.
    pub fn set_can_sleep(&mut self, can_sleep: bool) {
        self.record_mut().can_sleep = can_sleep;
        let speed = if can_sleep {
            crate::tuning::SLEEP_SPEED
        } else {
            -1.0
        };
        self.world.bodies.tracks[self.slot as usize].sleep_speed = speed;
        self.wake();
    }

    /// Sets the speed below which the body may fall asleep [m/s].
    ///
    /// # Panics
    /// If `speed` is negative or not finite.
    #[track_caller]
    pub fn set_sleep_speed(&mut self, speed: f32) {
        assert!(
            speed.is_finite() && speed >= 0.0,
            "sleep speed is {speed}, which is not a speed"
        );
        self.record_mut().can_sleep = true;
        self.world.bodies.tracks[self.slot as usize].sleep_speed = speed;
    }

    /// Gives the body a mass of its own instead of the sum over its shapes; `None` goes back to the sum.
    ///
    /// # Panics
    /// If mass or inertia is negative or not finite, or the centre is not finite or beyond the edge of the world; the body is then
    /// unchanged.
    #[track_caller]
    pub fn set_mass(&mut self, mass: Option<MassData>) {
        if let Some(mass) = &mass {
            demand(self.check_new_mass(mass), "set the mass");
        }
        self.record_mut().mass_override = mass;
        self.world.update_mass(self.slot);
        self.wake();
    }

    /// Checks that the body can have this mass where it is.
    fn check_new_mass(&self, mass: &MassData) -> Result<(), ValueError> {
        check_mass(mass)?;
        let pose = self.world.bodies.poses[self.slot as usize];
        check_position("center of mass", pose.to_world(mass.center))
    }

    /// Attaches a number for the user.
    pub fn set_user_data(&mut self, user_data: u64) {
        self.record_mut().user_data = user_data;
    }
}
