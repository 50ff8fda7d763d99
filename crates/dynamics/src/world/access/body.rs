//! Reading one body.

use crate::body::Body;
use crate::body::def::{BodyKind, Continuous, Locks};
use crate::body::state::{BodyMotion, BodyPose, BodyState, state_flags};
use crate::id::BodyId;
use crate::world::JointRef;
use crate::world::World;
use crate::world::access::{ContactRef, ShapeRef};
use cairn2d_geometry::MassData;
use cairn2d_geometry::math::{Point, Rotation, Vec2, WorldPoint, angle, atan2, rotation};

/// Reads one body.
#[derive(Clone, Copy, Debug)]
pub struct BodyRef<'a> {
    pub(crate) world: &'a World,
    pub(crate) slot: u32,
}

impl<'a> BodyRef<'a> {
    fn record(&self) -> &'a Body {
        &self.world.bodies.slots[self.slot]
    }

    fn pose(&self) -> &'a BodyPose {
        &self.world.bodies.poses[self.slot as usize]
    }

    fn state(&self) -> &'a BodyState {
        &self.world.bodies.states[self.slot as usize]
    }

    fn motion(&self) -> &'a BodyMotion {
        &self.world.bodies.motions[self.slot as usize]
    }

    /// Names the body.
    #[must_use]
    pub fn id(&self) -> BodyId {
        self.world.bodies.slots.id_at(self.slot)
    }

    /// How the body moves.
    #[must_use]
    pub fn kind(&self) -> BodyKind {
        self.record().kind
    }

    /// Whether the body is dynamic and has no mass, so that nothing moves it: see [`World::massless_bodies`].
    #[must_use]
    pub fn is_massless(&self) -> bool {
        self.world.bodies.massless.contains(self.slot)
    }

    /// Origin of the body's frame in the world, rounded to `f32` \[m\].
    #[must_use]
    pub fn position(&self) -> Point {
        self.pose().origin().to_point()
    }

    /// Origin of the body's frame in the world \[m\].
    #[must_use]
    pub fn position_exact(&self) -> WorldPoint {
        self.pose().origin()
    }

    /// Centre of mass in the world, rounded to `f32` \[m\].
    #[must_use]
    pub fn center(&self) -> Point {
        self.pose().center.to_point()
    }

    /// Centre of mass in the world \[m\].
    #[must_use]
    pub fn center_exact(&self) -> WorldPoint {
        self.pose().center
    }

    /// Centre of mass in the body's frame \[m\].
    #[must_use]
    pub fn local_center(&self) -> Point {
        Point::from(self.pose().local_center)
    }

    /// Rotation of the body.
    #[must_use]
    pub fn rotation(&self) -> Rotation {
        self.pose().rotation()
    }

    /// Angle of the body, counter-clockwise, in (-pi, pi] \[rad\].
    #[must_use]
    pub fn angle(&self) -> f32 {
        angle(&self.rotation())
    }

    /// Returns position \[m\] and rotation at a `share` of the last step: 0 is where the body was when the step began, 1, and all
    /// that is not below 1, where it is now. For drawing between two steps: see [`FixedTimestep`](crate::FixedTimestep).
    ///
    /// Between the two the body is shown on a straight line, turning evenly. A body that was teleported since
    /// the step is shown as if it had come to its new place by the motion of that step.
    #[must_use]
    pub fn pose_within_step(&self, share: f32) -> (WorldPoint, Rotation) {
        let pose = self.pose();
        if !(share < 1.0 && self.is_awake()) {
            return (pose.origin(), pose.rotation());
        }
        let missing = 1.0 - share.max(0.0);
        let state = self.state();
        let turn = atan2(state.delta_rotation.y, state.delta_rotation.x);
        let turned_back = rotation(-missing * turn) * pose.rotation();
        let earlier = BodyPose {
            center: pose.center - state.delta_position * missing,
            rotation: Vec2::new(turned_back.re, turned_back.im),
            local_center: pose.local_center,
        };
        (earlier.origin(), earlier.rotation())
    }

    /// Velocity of the centre of mass [m/s].
    #[must_use]
    pub fn velocity(&self) -> Vec2 {
        self.state().velocity
    }

    /// Angular velocity, counter-clockwise [rad/s].
    #[must_use]
    pub fn angular_velocity(&self) -> f32 {
        self.state().angular_velocity
    }

    /// Velocity of the material point of the body that is at `point` in the world [m/s].
    #[must_use]
    pub fn velocity_at(&self, point: impl Into<WorldPoint>) -> Vec2 {
        let arm = point.into() - self.pose().center;
        self.world.bodies.velocity_at(self.slot, arm)
    }

    /// Returns where a point of the body's frame is in the world, rounded to `f32` \[m\].
    #[must_use]
    pub fn to_world(&self, local: Point) -> Point {
        self.pose().to_world(local).to_point()
    }

    /// Returns where a point of the body's frame is in the world \[m\].
    #[must_use]
    pub fn to_world_exact(&self, local: Point) -> WorldPoint {
        self.pose().to_world(local)
    }

    /// Returns where a point of the world is in the body's frame \[m\].
    #[must_use]
    pub fn to_local(&self, point: impl Into<WorldPoint>) -> Point {
        self.pose().to_local(point.into())
    }

    /// Mass \[kg\]; 0 for a body that is not dynamic, or has no shape with density.
    #[must_use]
    pub fn mass(&self) -> f32 {
        if self.kind() == BodyKind::Dynamic {
            self.record().mass_data.mass
        } else {
            0.0
        }
    }

    /// Moment of inertia about the centre of mass [kg m^2]; 0 like [`mass`](Self::mass).
    #[must_use]
    pub fn inertia(&self) -> f32 {
        if self.kind() == BodyKind::Dynamic {
            self.record().mass_data.inertia
        } else {
            0.0
        }
    }

    /// Whether the body is simulated: kinematic or dynamic, enabled and not asleep.
    #[must_use]
    pub fn is_awake(&self) -> bool {
        self.world.bodies.awake.contains(self.slot)
    }

    /// Whether the body takes part in the simulation.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        !self.record().disabled
    }

    /// What becomes of the rest of a step when the body meets something fast.
    #[must_use]
    pub fn continuous(&self) -> Continuous {
        self.record().continuous
    }

    /// Whether continuous collision sees everything that moves, however thick.
    #[must_use]
    pub fn is_bullet(&self) -> bool {
        self.record().bullet
    }

    /// Motions that the body is kept from.
    #[must_use]
    pub fn locks(&self) -> Locks {
        self.record().locks
    }

    /// What the user attached.
    #[must_use]
    pub fn user_data(&self) -> u64 {
        self.record().user_data
    }

    /// Factor on the world's gravity.
    #[must_use]
    pub fn gravity_scale(&self) -> f32 {
        self.record().gravity_scale
    }

    /// Rates at which velocity and angular velocity fade [1/s].
    #[must_use]
    pub fn damping(&self) -> [f32; 2] {
        let motion = self.motion();
        [motion.linear_damping, motion.angular_damping]
    }

    /// Greatest speed [m/s]; the world's unless the body has one of its own.
    #[must_use]
    pub fn max_linear_speed(&self) -> f32 {
        self.motion().max_linear_speed
    }

    /// Greatest angular speed [rad/s]; infinite unless the body has one of its own.
    #[must_use]
    pub fn max_angular_speed(&self) -> f32 {
        self.motion().max_angular_speed
    }

    /// Whether the body may turn by more than an eighth of a turn in one step.
    #[must_use]
    pub fn has_fast_rotation(&self) -> bool {
        self.state().flags & state_flags::FAST_ROTATION != 0
    }

    /// Whether the body may fall asleep.
    #[must_use]
    pub fn can_sleep(&self) -> bool {
        self.record().can_sleep
    }

    /// Speed below which the body may fall asleep [m/s]; `None` if it may not.
    #[must_use]
    pub fn sleep_speed(&self) -> Option<f32> {
        let speed = self.world.bodies.tracks[self.slot as usize].sleep_speed;
        self.can_sleep().then_some(speed)
    }

    /// Mass that was set instead of the sum over the shapes.
    #[must_use]
    pub fn mass_override(&self) -> Option<MassData> {
        self.record().mass_override
    }

    /// Sum of the forces applied since the last step, at the centre of mass \[N\], and of the torques [N m].
    #[must_use]
    pub fn applied_force(&self) -> (Vec2, f32) {
        (self.motion().force, self.motion().torque)
    }

    /// Iterates over the joints that the body is an end of, in order of creation.
    pub fn joints(&self) -> impl Iterator<Item = JointRef<'a>> + use<'a> {
        let world = self.world;
        let joints = self.record().joints.iter();
        joints.map(move |&slot| JointRef { world, slot })
    }

    /// Iterates over the body's shapes in order of creation.
    pub fn shapes(&self) -> impl Iterator<Item = ShapeRef<'a>> + use<'a> {
        let world = self.world;
        self.record()
            .shapes
            .iter()
            .map(move |&slot| ShapeRef { world, slot })
    }

    /// Iterates over the contacts in which a shape of the body touches another body: see [`World::contacts`].
    pub fn contacts(&self) -> impl Iterator<Item = ContactRef<'a>> + use<'a> {
        let world = self.world;
        let touching = move |slot: &&u32| world.contacts.slots[**slot].pushes();
        let contacts = self.record().contacts.iter().filter(touching);
        contacts.map(move |&slot| ContactRef { world, slot })
    }

    /// A number that two bodies share while they hang together by touching contacts and joints; `None`
    /// for bodies that are in no island: static, kinematic and disabled ones.
    #[must_use]
    pub fn island(&self) -> Option<u32> {
        let island = self.record().island;
        (island != crate::island::set::NO_ISLAND).then_some(island)
    }
}
