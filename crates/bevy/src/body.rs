//! Components of bodies.

use crate::changes::body_removed;
use crate::convert::{from_world_point, quat_of, to_engine};
use crate::key::PhysicsKey;
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec2};
use bevy_reflect::Reflect;
use bevy_transform::components::Transform;
use cairn2d::math::Rotation;
use cairn2d::{BodyDef, BodyId, BodyKind, BodyRef, SimulatedBody, WorldPoint};
use core::ops::{Deref, DerefMut};

/// Makes the entity a body, and says how it moves.
///
/// Pose and velocity are in [`Transform`] and [`Velocity`], other settings in [`BodyOptions`]. Shapes come from
/// [`Collider`](crate::Collider)s on the entity and on its descendants.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Reflect)]
#[require(PhysicsKey, Transform, Velocity, BodyOptions, Synced)]
#[component(on_remove = body_removed)]
#[reflect(Component)]
pub enum RigidBody {
    /// Never moves by itself; has no mass; costs nothing in a step.
    Static,
    /// Moves with the velocity that the user sets; pushes dynamic bodies and is not pushed.
    Kinematic,
    /// Moves by forces, contacts and joints.
    #[default]
    Dynamic,
}

impl From<RigidBody> for BodyKind {
    fn from(body: RigidBody) -> Self {
        match body {
            RigidBody::Static => Self::Static,
            RigidBody::Kinematic => Self::Kinematic,
            RigidBody::Dynamic => Self::Dynamic,
        }
    }
}

/// Velocity of a body. The plugin writes it after each step, and applies your changes before the next one.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component)]
pub struct Velocity {
    /// Velocity of the center of mass [m/s].
    pub linear: Vec2,
    /// Angular velocity, counter-clockwise [rad/s].
    pub angular: f32,
}

impl Velocity {
    /// Returns the velocity (`x`, `y`) [m/s] without rotation.
    #[must_use]
    pub const fn linear(x: f32, y: f32) -> Self {
        Self {
            linear: Vec2::new(x, y),
            angular: 0.0,
        }
    }

    /// Returns the angular velocity, counter-clockwise [rad/s], of a body in place.
    #[must_use]
    pub const fn angular(angular: f32) -> Self {
        Self {
            linear: Vec2::ZERO,
            angular,
        }
    }

    /// Sets the angular velocity, counter-clockwise [rad/s].
    #[must_use]
    pub const fn with_angular(mut self, angular: f32) -> Self {
        self.angular = angular;
        self
    }
}

/// All other settings of a body: the engine's [`BodyDef`], whose kind, position, angle, velocities and user data come
/// from other components and are ignored here.
///
/// ```
/// use bevy_cairn2d::BodyOptions;
///
/// let floating = BodyOptions::default().with(|def| def.gravity_scale = 0.0);
/// assert_eq!(floating.gravity_scale, 0.0);
/// ```
#[derive(Component, Clone, Debug, Default, PartialEq)]
pub struct BodyOptions(pub BodyDef);

impl BodyOptions {
    /// Returns the settings after `change`.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut BodyDef)) -> Self {
        change(&mut self.0);
        self
    }
}

impl Deref for BodyOptions {
    type Target = BodyDef;

    fn deref(&self) -> &BodyDef {
        &self.0
    }
}

impl DerefMut for BodyOptions {
    fn deref_mut(&mut self) -> &mut BodyDef {
        &mut self.0
    }
}

impl Velocity {
    /// Does the same as `==` for numbers, in fewer instructions if the bits are equal.
    pub(crate) fn is_same(self, other: Self) -> bool {
        let turns = self.angular.to_bits() ^ other.angular.to_bits();
        difference(self.linear, other.linear) | u64::from(turns) == 0 || self == other
    }
}

/// Returns the bits in which two vectors differ.
fn difference(a: Vec2, b: Vec2) -> u64 {
    let bits = |v: Vec2| u64::from(v.x.to_bits()) | u64::from(v.y.to_bits()) << 32;
    bits(a) ^ bits(b)
}

/// Place and rotation of a transform, without depth and scale.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub(crate) at: Vec2,
    /// The quaternion, without its alignment. A parent may be tilted, and its children then are as well.
    rotation: [f32; 4],
}

impl Placed {
    pub(crate) fn new(at: Vec2, rotation: Quat) -> Self {
        let rotation = rotation.to_array();
        Self { at, rotation }
    }

    pub(crate) fn of(transform: &Transform) -> Self {
        Self::new(transform.translation.truncate(), transform.rotation)
    }

    pub(crate) fn rotation(self) -> Quat {
        Quat::from_array(self.rotation)
    }

    pub(crate) fn has_rotation_of(self, other: Self) -> bool {
        self.rotation == other.rotation
    }

    /// The rotation as two vectors.
    fn halves(self) -> [Vec2; 2] {
        let [x, y, z, w] = self.rotation;
        [Vec2::new(x, y), Vec2::new(z, w)]
    }
}

/// In most comparisons the bits are equal.
impl PartialEq for Placed {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (self.halves(), other.halves());
        let differs =
            difference(self.at, other.at) | difference(a[0], b[0]) | difference(a[1], b[1]);
        differs == 0 || (self.at == other.at && self.rotation == other.rotation)
    }
}

impl Default for Placed {
    fn default() -> Self {
        Self::of(&Transform::IDENTITY)
    }
}

/// Place and turn in the plane: 16 bytes, since loops over all bodies read two of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planar {
    at: Vec2,
    /// The components z and w of the quaternion; the others are zero.
    turn: Vec2,
}

impl Planar {
    pub(crate) fn new(position: WorldPoint, rotation: Rotation) -> Self {
        let at = from_world_point(position);
        let turn = quat_of(rotation);
        let turn = Vec2::new(turn.z, turn.w);
        Self { at, turn }
    }

    /// Returns the pose at a `share` of the way to `end`. Rotations are interpolated in a straight line: in the eighth of a turn
    /// that a step allows, the angle is off by less than half a degree, and it is steady from frame to frame.
    fn toward(self, end: Self, share: f32) -> Self {
        let at = self.at + (end.at - self.at) * share;
        if self.turn == end.turn {
            return Self { at, ..end };
        }
        // A quaternion and its negative are the same rotation.
        let side = self.turn.dot(end.turn).signum();
        let turn = self.turn + (end.turn * side - self.turn) * share;
        Self {
            at,
            turn: turn.normalize(),
        }
    }
}

impl PartialEq for Planar {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        difference(self.at, other.at) | difference(self.turn, other.turn) == 0
            || (self.at == other.at && self.turn == other.turn)
    }
}

impl Default for Planar {
    fn default() -> Self {
        let (at, turn) = (Vec2::ZERO, Vec2::Y);
        Self { at, turn }
    }
}

impl From<Planar> for Placed {
    fn from(Planar { at, turn }: Planar) -> Self {
        let rotation = [0.0, 0.0, turn.x, turn.y];
        Self { at, rotation }
    }
}

/// Values that the plugin wrote last into the components of a body: a difference is a change by the user.
///
/// Compared by value, since the plugin's own writes mark components as changed as well.
///
/// The fields that each step reads come first, so that they share a cache line.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub(crate) struct Synced {
    /// The body; stale or `None` if it does not exist.
    pub(crate) body: Option<BodyId>,
    pub(crate) velocity: Velocity,
    /// Rotation after the last step, as the engine has it: a pose that did not change needs no square root.
    pub(crate) rotation: Rotation,
    /// Poses in the world before and after the last step.
    pub(crate) step: [Planar; 2],
    /// Number of the last step that moved the body.
    pub(crate) moved_in: u32,
    pub(crate) pose: Placed,
}

impl Synced {
    /// Returns the record of components that agree with the body.
    pub(crate) fn of(body: BodyRef<'_>, transform: &Transform, velocity: Velocity) -> Self {
        Self {
            pose: Placed::of(transform),
            velocity,
            step: [Planar::new(body.position_exact(), body.rotation()); 2],
            rotation: body.rotation(),
            body: Some(body.id()),
            moved_in: 0,
        }
    }

    /// Returns `true` if the body is where the last step left it.
    #[inline]
    pub(crate) fn is_at(&self, of: &SimulatedBody) -> bool {
        self.rotation == of.rotation && self.step[1].at == from_world_point(of.position)
    }

    /// Returns the pose at a `share` of the last step, whose number is `step`.
    pub(crate) fn within_step(&self, step: u32, share: f32) -> Planar {
        let [before, after] = self.step;
        if self.moved_in != step || share >= 1.0 || before == after {
            return after;
        }
        before.toward(after, share)
    }

    pub(crate) fn has_pose_of(&self, transform: &Transform) -> bool {
        self.pose == Placed::of(transform)
    }
}

/// Returns the whole definition of a body.
pub(crate) fn body_def(
    kind: RigidBody,
    options: &BodyOptions,
    velocity: Velocity,
    (position, angle): (WorldPoint, f32),
    key: PhysicsKey,
) -> BodyDef {
    BodyDef {
        kind: kind.into(),
        position,
        angle,
        velocity: to_engine(velocity.linear),
        angular_velocity: velocity.angular,
        user_data: key.get(),
        ..options.0.clone()
    }
}
