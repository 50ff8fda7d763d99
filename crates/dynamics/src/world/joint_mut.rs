//! Changing one joint.

use crate::error::demand;
use crate::id::JointId;
use crate::joint::base::joint_flags;
use crate::joint::{
    JointDef, JointDefError, JointFrame, JointSoftness, Limit, MotorJointDef, Spring,
};
use crate::joint::{Motor, MouseJointDef};
use crate::world::record::call::{Call, JointCall};
use crate::world::{JointRef, World, WorldError};
use cairn2d_geometry::math::{Vec2, WorldPoint};

/// Reads and changes one joint. A change wakes its bodies; setting the present value changes nothing.
/// Impulses and unwrapped angles stay, so a motor or limit can be changed at every step.
///
/// ```
/// use cairn2d_dynamics::{BodyDef, Motor, RevoluteJointDef, World};
///
/// let mut world = World::default();
/// let axle = world.create_body(BodyDef::static_());
/// let wheel = world.create_body(BodyDef::dynamic());
/// let hinge = world.create_joint(RevoluteJointDef::new(axle, wheel));
/// world.joint_mut(hinge).set_motor(Some(Motor::new(2.0, 10.0)));
/// assert_eq!(world.joint(hinge).def().motor(), Some(Motor::new(2.0, 10.0)));
/// ```
#[derive(Debug)]
pub struct JointMut<'a> {
    pub(crate) world: &'a mut World,
    slot: u32,
}

/// # Changes of joints
impl World {
    /// Returns a view that can change a joint.
    ///
    /// # Panics
    /// If `id` is stale or foreign; [`get_joint_mut`](Self::get_joint_mut) returns `None` instead.
    #[track_caller]
    pub fn joint_mut(&mut self, id: JointId) -> JointMut<'_> {
        let slot = self.joints.slots.expect(id);
        JointMut { world: self, slot }
    }

    /// Returns a view that can change a joint, or `None` if `id` is stale or foreign.
    pub fn get_joint_mut(&mut self, id: JointId) -> Option<JointMut<'_>> {
        let slot = self.joints.slots.find(id)?;
        Some(JointMut { world: self, slot })
    }
}

impl JointMut<'_> {
    /// Returns a read-only view.
    #[must_use]
    pub fn as_ref(&self) -> JointRef<'_> {
        JointRef {
            world: self.world,
            slot: self.slot,
        }
    }

    /// Changes any field of the definition.
    ///
    /// # Errors
    /// If `change` fails or leaves an invalid definition: see [`World::try_set_joint`]. The joint is then
    /// unchanged.
    pub fn try_edit(
        &mut self,
        change: impl FnOnce(&mut JointDef) -> Result<(), JointDefError>,
    ) -> Result<(), WorldError> {
        let mut def = self.world.joints.slots[self.slot].def;
        change(&mut def)?;
        let id = self.world.joints.slots.id_at(self.slot);
        self.world.try_set_joint(id, def)
    }

    /// Sets or removes the motor: speed [rad/s or m/s] and maximum torque or force [N m or N].
    ///
    /// # Panics
    /// If the joint is of a kind without a motor, or a number is invalid;
    /// [`try_set_motor`](Self::try_set_motor) returns the error instead.
    #[track_caller]
    pub fn set_motor(&mut self, motor: Option<Motor>) {
        demand(self.try_set_motor(motor), "set the motor");
    }

    /// Like [`set_motor`](Self::set_motor), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If the joint is of a kind without a motor, or a number is invalid.
    pub fn try_set_motor(&mut self, motor: Option<Motor>) -> Result<(), WorldError> {
        self.try_edit(|def| def.put("motor", JointDef::motor_mut, motor))
    }

    /// Sets the speed of the motor [rad/s or m/s]; its maximum effort stays the same.
    ///
    /// # Panics
    /// If the joint has no motor, or `speed` is not finite;
    /// [`try_set_motor_speed`](Self::try_set_motor_speed) returns the error instead.
    #[track_caller]
    pub fn set_motor_speed(&mut self, speed: f32) {
        demand(self.try_set_motor_speed(speed), "set the motor speed");
    }

    /// Like [`set_motor_speed`](Self::set_motor_speed), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If the joint has no motor, or `speed` is not finite.
    pub fn try_set_motor_speed(&mut self, speed: f32) -> Result<(), WorldError> {
        self.try_edit(|def| {
            let motor = def.motor_mut().and_then(Option::as_mut);
            motor.ok_or(NO_MOTOR)?.speed = speed;
            Ok(())
        })
    }

    /// Sets or removes the limit [rad or m].
    ///
    /// # Panics
    /// If the joint is of a kind without a limit, or the limits cross;
    /// [`try_set_limit`](Self::try_set_limit) returns the error instead.
    #[track_caller]
    pub fn set_limit(&mut self, limit: Option<Limit>) {
        demand(self.try_set_limit(limit), "set the limit");
    }

    /// Like [`set_limit`](Self::set_limit), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If the joint is of a kind without a limit, or the limits cross.
    pub fn try_set_limit(&mut self, limit: Option<Limit>) -> Result<(), WorldError> {
        self.try_edit(|def| def.put("limit", JointDef::limit_mut, limit))
    }

    /// Sets or removes the spring on the joint's angle or translation.
    ///
    /// # Panics
    /// If the joint is of a kind without such a spring, or a number is invalid;
    /// [`try_set_spring`](Self::try_set_spring) returns the error instead.
    #[track_caller]
    pub fn set_spring(&mut self, spring: Option<Spring>) {
        demand(self.try_set_spring(spring), "set the spring");
    }

    /// Like [`set_spring`](Self::set_spring), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If the joint is of a kind without such a spring, or a number is invalid.
    pub fn try_set_spring(&mut self, spring: Option<Spring>) -> Result<(), WorldError> {
        self.try_edit(|def| def.put("spring", JointDef::spring_mut, spring))
    }

    /// Sets the rest position of the spring [rad or m]; its stiffness stays the same.
    ///
    /// # Panics
    /// If the joint has no spring, or `target` is not finite;
    /// [`try_set_spring_target`](Self::try_set_spring_target) returns the error instead.
    #[track_caller]
    pub fn set_spring_target(&mut self, target: f32) {
        demand(self.try_set_spring_target(target), "set the spring target");
    }

    /// Like [`set_spring_target`](Self::set_spring_target), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If the joint has no spring, or `target` is not finite.
    pub fn try_set_spring_target(&mut self, target: f32) -> Result<(), WorldError> {
        self.try_edit(|def| {
            let spring = def.spring_mut().and_then(Option::as_mut);
            spring.ok_or(NO_SPRING)?.target = target;
            Ok(())
        })
    }

    /// Sets the point of the world toward which a mouse or motor joint pulls \[m\].
    ///
    /// # Panics
    /// If the joint is of another kind, or `point` is not finite;
    /// [`try_set_target`](Self::try_set_target) returns the error instead.
    #[track_caller]
    pub fn set_target(&mut self, point: impl Into<WorldPoint>) {
        demand(self.try_set_target(point), "set the target");
    }

    /// Like [`set_target`](Self::set_target), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If the joint is of another kind, or `point` is not finite.
    pub fn try_set_target(&mut self, point: impl Into<WorldPoint>) -> Result<(), WorldError> {
        let body = self.as_ref().bodies()[0];
        let anchor = self.world.body(body).to_local(point);
        self.try_edit(|def| match def {
            JointDef::Mouse(MouseJointDef { base, .. })
            | JointDef::Motor(MotorJointDef { base, .. }) => {
                base.frame_a.anchor = anchor;
                Ok(())
            }
            _ => Err(JointDefError::NoSuchPart { part: "target" }),
        })
    }

    /// Sets the angle in the world to which a motor joint turns its body \[rad\].
    ///
    /// # Panics
    /// If the joint is of another kind, or `angle` is not finite;
    /// [`try_set_target_angle`](Self::try_set_target_angle) returns the error instead.
    #[track_caller]
    pub fn set_target_angle(&mut self, angle: f32) {
        demand(self.try_set_target_angle(angle), "set the target angle");
    }

    /// Like [`set_target_angle`](Self::set_target_angle), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If the joint is of another kind, or `angle` is not finite.
    pub fn try_set_target_angle(&mut self, angle: f32) -> Result<(), WorldError> {
        let body = self.as_ref().bodies()[0];
        let local = angle - self.world.body(body).angle();
        self.try_edit(|def| match def {
            JointDef::Motor(motor) => {
                motor.base.frame_a.angle = local;
                Ok(())
            }
            _ => Err(JointDefError::NoSuchPart { part: "target" }),
        })
    }

    /// Sets the velocities [m/s, rad/s] to which a motor joint drives.
    ///
    /// # Panics
    /// If the joint is of another kind, or a number is not finite;
    /// [`try_set_velocity`](Self::try_set_velocity) returns the error instead.
    #[track_caller]
    pub fn set_velocity(&mut self, linear: Vec2, angular: f32) {
        demand(self.try_set_velocity(linear, angular), "set the velocity");
    }

    /// Like [`set_velocity`](Self::set_velocity), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If the joint is of another kind, or a number is not finite.
    pub fn try_set_velocity(&mut self, linear: Vec2, angular: f32) -> Result<(), WorldError> {
        self.try_edit(|def| match def {
            JointDef::Motor(motor) => {
                motor.linear_velocity = linear;
                motor.angular_velocity = angular;
                Ok(())
            }
            _ => Err(JointDefError::NoSuchPart { part: "velocity" }),
        })
    }

    /// Sets the length of a distance or pulley joint \[m\].
    ///
    /// A rod moves its bodies to the new length, but gives them no velocity along it. To pull at a speed, use a motor, or
    /// shorten the upper limit of a rope.
    ///
    /// # Panics
    /// If the joint is of another kind, or `length` is not positive;
    /// [`try_set_length`](Self::try_set_length) returns the error instead.
    #[track_caller]
    pub fn set_length(&mut self, length: f32) {
        demand(self.try_set_length(length), "set the length");
    }

    /// Like [`set_length`](Self::set_length), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If the joint is of another kind, or `length` is not positive.
    pub fn try_set_length(&mut self, length: f32) -> Result<(), WorldError> {
        self.try_edit(|def| {
            match def {
                JointDef::Distance(joint) => joint.length = length,
                JointDef::Pulley(joint) => joint.length = length,
                _ => return Err(JointDefError::NoSuchPart { part: "length" }),
            }
            Ok(())
        })
    }

    /// Sets the ratio of a gear or pulley joint, in the unit of the first coordinate over that of the second:
    /// dimensionless, or \[m\] per \[rad\] or its inverse where a gear connects a translation and an angle.
    ///
    /// # Panics
    /// If the joint is of another kind, or `ratio` is invalid;
    /// [`try_set_ratio`](Self::try_set_ratio) returns the error instead.
    #[track_caller]
    pub fn set_ratio(&mut self, ratio: f32) {
        demand(self.try_set_ratio(ratio), "set the ratio");
    }

    /// Like [`set_ratio`](Self::set_ratio), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If the joint is of another kind, or `ratio` is invalid.
    pub fn try_set_ratio(&mut self, ratio: f32) -> Result<(), WorldError> {
        self.try_edit(|def| {
            match def {
                JointDef::Gear(joint) => joint.ratio = ratio,
                JointDef::Pulley(joint) => joint.ratio = ratio,
                _ => return Err(JointDefError::NoSuchPart { part: "ratio" }),
            }
            Ok(())
        })
    }

    /// Sets anchors and axes on the two bodies, in their frames.
    ///
    /// # Panics
    /// If a number is not finite, or an anchor is beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE);
    /// [`try_set_frames`](Self::try_set_frames) returns the error instead.
    #[track_caller]
    pub fn set_frames(&mut self, frames: [JointFrame; 2]) {
        demand(self.try_set_frames(frames), "set the frames");
    }

    /// Like [`set_frames`](Self::set_frames), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If a number is not finite, or an anchor is beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE).
    pub fn try_set_frames(
        &mut self,
        [frame_a, frame_b]: [JointFrame; 2],
    ) -> Result<(), WorldError> {
        self.try_edit(|def| {
            def.base_mut().frame_a = frame_a;
            def.base_mut().frame_b = frame_b;
            Ok(())
        })
    }

    /// Sets the stiffness of the joint; `None`: the world's applies.
    ///
    /// # Panics
    /// If a number is negative or not finite;
    /// [`try_set_softness`](Self::try_set_softness) returns the error instead.
    #[track_caller]
    pub fn set_softness(&mut self, softness: Option<JointSoftness>) {
        demand(self.try_set_softness(softness), "set the softness");
    }

    /// Like [`set_softness`](Self::set_softness), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If a number is negative or not finite.
    pub fn try_set_softness(&mut self, softness: Option<JointSoftness>) -> Result<(), WorldError> {
        self.try_edit(|def| {
            def.base_mut().softness = softness;
            Ok(())
        })
    }

    /// Sets the force \[N\] and torque [N m] at which the joint breaks; infinite: never.
    ///
    /// # Panics
    /// If one of them is negative or not a number;
    /// [`try_set_break_limits`](Self::try_set_break_limits) returns the error instead.
    #[track_caller]
    pub fn set_break_limits(&mut self, force: f32, torque: f32) {
        demand(
            self.try_set_break_limits(force, torque),
            "set the break limits",
        );
    }

    /// Like [`set_break_limits`](Self::set_break_limits), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If one of them is negative or not a number.
    pub fn try_set_break_limits(&mut self, force: f32, torque: f32) -> Result<(), WorldError> {
        self.try_edit(|def| {
            def.base_mut().break_force = force;
            def.base_mut().break_torque = torque;
            Ok(())
        })
    }

    /// Enables a disabled joint and wakes its bodies. A gap that opened meanwhile is closed without velocity.
    pub fn enable(&mut self) {
        self.record(JointCall::Enable {});
        self.switch(true);
    }

    /// Disables the joint and wakes its bodies: it exerts no force until [`enable`](Self::enable), and its
    /// bodies collide only if [`JointBaseDef::collide_connected`](crate::JointBaseDef::collide_connected) is
    /// set. Stored impulses are cleared. A gear on a disabled joint still acts.
    pub fn disable(&mut self) {
        self.record(JointCall::Disable {});
        self.switch(false);
    }

    fn switch(&mut self, enabled: bool) {
        if self.as_ref().is_enabled() == enabled {
            return;
        }
        let (world, slot) = (&mut *self.world, self.slot);
        world.joints.sims[slot as usize].base.flags ^= joint_flags::DISABLED;
        world.joints.sims[slot as usize].forget_impulses();
        // Awake first: a joint of sleeping bodies is in no list of the solver.
        world.wake_joint(slot);
        world.update_joint_activity(slot);
        world
            .depenetration
            .note_joint(slot, &world.bodies, &mut world.joints);
    }

    /// Sets whether the two bodies collide with each other.
    pub fn set_collide_connected(&mut self, collide: bool) {
        let edited = self.try_edit(|def| {
            def.base_mut().collide_connected = collide;
            Ok(())
        });
        demand(edited, "change the joint");
    }

    /// Attaches a number for your own use. Wakes nothing.
    pub fn set_user_data(&mut self, user_data: u64) {
        self.record(JointCall::SetUserData { user_data });
        self.world.joints.slots[self.slot].def.base_mut().user_data = user_data;
    }

    fn record(&mut self, call: JointCall) {
        let joint = self.as_ref().id();
        self.world.record(|_| Call::Joint { joint, call });
    }
}

const NO_MOTOR: JointDefError = JointDefError::NoSuchPart { part: "motor" };
const NO_SPRING: JointDefError = JointDefError::NoSuchPart { part: "spring" };

impl JointDef {
    /// Sets a part of the joint, if its kind has it.
    fn put<T>(
        &mut self,
        part: &'static str,
        find: fn(&mut Self) -> Option<&mut Option<T>>,
        value: Option<T>,
    ) -> Result<(), JointDefError> {
        *find(self).ok_or(JointDefError::NoSuchPart { part })? = value;
        Ok(())
    }
}
