//! A view that reads one body.

use crate::body::Body;
use crate::body::def::{BodyKind, Continuous, Locks};
use crate::body::state::{BodyMotion, BodyPose, BodyState, state_flags};
use crate::id::BodyId;
use crate::world::JointRef;
use crate::world::World;
use crate::world::access::{ContactRef, ShapeRef};
use cairn2d_geometry::math::{Point, Rotation, Vec2, WorldPoint, angle, atan2, rotation};
use cairn2d_geometry::{Aabb, MassData};

/// A view of one body.
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

    /// Returns the id of the body.
    #[must_use]
    pub fn id(&self) -> BodyId {
        self.world.bodies.slots.id_at(self.slot)
    }

    /// Returns the kind of the body.
    #[must_use]
    pub fn kind(&self) -> BodyKind {
        self.record().kind
    }

    /// Returns `true` if the body is dynamic but has no mass, so that nothing moves it: see
    /// [`World::massless_bodies`].
    #[must_use]
    pub fn is_massless(&self) -> bool {
        self.world.bodies.massless.contains(self.slot)
    }

    /// Returns the origin of the body's frame in the world, rounded to `f32` \[m\].
    #[doc(alias("translation", "b2Body_GetPosition"))]
    #[doc(alias = "global_position")]
    #[must_use]
    pub fn position(&self) -> Point {
        self.pose().origin().to_point()
    }

    /// Returns the origin of the body's frame in the world \[m\].
    #[must_use]
    pub fn position_exact(&self) -> WorldPoint {
        self.pose().origin()
    }

    /// Returns the center of mass in the world, rounded to `f32` \[m\].
    #[doc(alias("center_of_mass", "world_com"))]
    #[doc(alias = "b2Body_GetWorldCenterOfMass")]
    #[must_use]
    pub fn center(&self) -> Point {
        self.pose().center.to_point()
    }

    /// Returns the center of mass in the world \[m\].
    #[must_use]
    pub fn center_exact(&self) -> WorldPoint {
        self.pose().center
    }

    /// Returns the center of mass in the body's frame \[m\].
    #[must_use]
    pub fn local_center(&self) -> Point {
        Point::from(self.pose().local_center)
    }

    /// Returns the rotation of the body.
    #[must_use]
    pub fn rotation(&self) -> Rotation {
        self.pose().rotation()
    }

    /// Returns the angle of the body, counter-clockwise, in (-pi, pi] \[rad\].
    #[doc(alias("b2Body_GetRotation", "global_rotation"))]
    #[must_use]
    pub fn angle(&self) -> f32 {
        angle(&self.rotation())
    }

    /// Returns position \[m\] and rotation at a `share` of the last step, for drawing between two steps: see
    /// `FixedTimestep` of the facade. A share of 0 or less is the beginning of the step; 1, more than 1
    /// and NaN are the present pose.
    ///
    /// The center of mass moves in a straight line and the rotation is uniform. After a teleport the body is
    /// interpolated as if the motion of the last step had ended at its new pose.
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

    /// Returns the velocity of the center of mass [m/s].
    #[doc(alias("linear_velocity", "linvel"))]
    #[doc(alias = "b2Body_GetLinearVelocity")]
    #[must_use]
    pub fn velocity(&self) -> Vec2 {
        self.state().velocity
    }

    /// Returns the angular velocity, counter-clockwise [rad/s].
    #[doc(alias("angvel", "b2Body_GetAngularVelocity"))]
    #[must_use]
    pub fn angular_velocity(&self) -> f32 {
        self.state().angular_velocity
    }

    /// Returns the velocity of the material point of the body that is at `point` in the world [m/s].
    #[must_use]
    pub fn velocity_at(&self, point: impl Into<WorldPoint>) -> Vec2 {
        let arm = point.into() - self.pose().center;
        self.world.bodies.velocity_at(self.slot, arm)
    }

    /// Transforms a point of the body's frame to the world, rounded to `f32` \[m\].
    #[must_use]
    pub fn to_world(&self, local: Point) -> Point {
        self.pose().to_world(local).to_point()
    }

    /// Transforms a point of the body's frame to the world \[m\].
    #[must_use]
    pub fn to_world_exact(&self, local: Point) -> WorldPoint {
        self.pose().to_world(local)
    }

    /// Transforms a point of the world to the body's frame \[m\].
    #[must_use]
    pub fn to_local(&self, point: impl Into<WorldPoint>) -> Point {
        self.pose().to_local(point.into())
    }

    /// Returns the mass \[kg\]; 0 for a body that is not dynamic or has no shape with density.
    #[doc(alias = "b2Body_GetMass")]
    #[must_use]
    pub fn mass(&self) -> f32 {
        if self.kind() == BodyKind::Dynamic {
            self.record().mass_data.mass
        } else {
            0.0
        }
    }

    /// Returns the moment of inertia about the center of mass [kg m^2]; 0 like [`mass`](Self::mass).
    #[must_use]
    pub fn inertia(&self) -> f32 {
        if self.kind() == BodyKind::Dynamic {
            self.record().mass_data.inertia
        } else {
            0.0
        }
    }

    /// Returns the kinetic energy of translation and rotation \[J\]; 0 without mass. A kinematic body has none.
    #[must_use]
    pub fn kinetic_energy(&self) -> f32 {
        self.world.kinetic_energy_of(self.slot) as f32
    }

    /// Returns the potential energy of the center of mass in the gravity of the world \[J\]: 0 at the height
    /// of the world's origin, and for a body without mass or gravity scale.
    #[must_use]
    pub fn potential_energy(&self) -> f32 {
        self.world.potential_energy_of(self.slot) as f32
    }

    /// Returns the smallest box around all shapes of the body, sensors and disabled shapes included, in the
    /// world, rounded outward \[m\]; `None` without shapes.
    #[doc(alias("b2Body_ComputeAABB", "compute_aabb"))]
    #[must_use]
    pub fn aabb(&self) -> Option<Aabb> {
        let boxes = self.shapes().map(|shape| shape.aabb());
        boxes.reduce(|all, next| all.union(&next))
    }

    /// Returns `true` if the body is simulated: kinematic or dynamic, enabled and not asleep.
    #[doc(alias("is_sleeping", "b2Body_IsAwake", "IsSleeping"))]
    #[must_use]
    pub fn is_awake(&self) -> bool {
        self.world.bodies.awake.contains(self.slot)
    }

    /// Returns `true` unless the body is disabled.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        !self.record().disabled
    }

    /// Returns how continuous collision ends the step of the body at a time of impact.
    #[must_use]
    pub fn continuous(&self) -> Continuous {
        self.record().continuous
    }

    /// Returns `true` if continuous collision sweeps the body against moving bodies of any thickness.
    #[must_use]
    pub fn is_bullet(&self) -> bool {
        self.record().bullet
    }

    /// Returns the locked axes of motion.
    #[must_use]
    pub fn locks(&self) -> Locks {
        self.record().locks
    }

    /// Returns the number that the user attached.
    #[must_use]
    pub fn user_data(&self) -> u64 {
        self.record().user_data
    }

    /// Returns the factor on the gravity of the world.
    #[must_use]
    pub fn gravity_scale(&self) -> f32 {
        self.record().gravity_scale
    }

    /// Returns the linear and the angular damping rate [1/s].
    #[must_use]
    pub fn damping(&self) -> [f32; 2] {
        let motion = self.motion();
        [motion.linear_damping, motion.angular_damping]
    }

    /// Returns the maximum speed [m/s]: that of the world unless the body has its own.
    #[must_use]
    pub fn max_linear_speed(&self) -> f32 {
        self.motion().max_linear_speed
    }

    /// Returns the maximum angular speed [rad/s]; infinite unless the body has its own.
    #[must_use]
    pub fn max_angular_speed(&self) -> f32 {
        self.motion().max_angular_speed
    }

    /// Returns `true` if the body may turn by more than [`MAX_ROTATION`](crate::MAX_ROTATION) in one step.
    #[must_use]
    pub fn has_fast_rotation(&self) -> bool {
        self.state().flags & state_flags::FAST_ROTATION != 0
    }

    /// Returns `true` if the body may fall asleep.
    #[must_use]
    pub fn can_sleep(&self) -> bool {
        self.record().can_sleep
    }

    /// Returns the speed below which the body may fall asleep [m/s]; `None` if it may not.
    #[must_use]
    pub fn sleep_speed(&self) -> Option<f32> {
        let speed = self.world.bodies.tracks[self.slot as usize].sleep_speed;
        self.can_sleep().then_some(speed)
    }

    /// Returns the mass data that replace the sum over the shapes, if any were set.
    #[must_use]
    pub fn mass_override(&self) -> Option<MassData> {
        self.record().mass_override
    }

    /// Returns the forces applied since the last step, as a force at the center of mass \[N\] and a torque [N
    /// m].
    #[must_use]
    pub fn applied_force(&self) -> (Vec2, f32) {
        (self.motion().force, self.motion().torque)
    }

    /// Iterates over the joints of the body, in order of creation.
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
    #[doc(alias("b2Body_GetContactData", "contact_pairs_with"))]
    #[doc(alias = "get_colliding_bodies")]
    pub fn contacts(&self) -> impl Iterator<Item = ContactRef<'a>> + use<'a> {
        let world = self.world;
        let touching = move |slot: &&u32| world.contacts.slots[**slot].pushes();
        let contacts = self.record().contacts.iter().filter(touching);
        contacts.map(move |&slot| ContactRef { world, slot })
    }

    /// Returns a number that is the same for all bodies of an island, which touching contacts and joints connect;
    /// `None` for bodies without an island: static, kinematic and disabled ones.
    #[must_use]
    pub fn island(&self) -> Option<u32> {
        let island = self.record().island;
        (island != crate::island::set::NO_ISLAND).then_some(island)
    }
}
