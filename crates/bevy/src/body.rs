//! Components of bodies.

use crate::changes::body_removed;
use crate::convert::to_engine;
use crate::key::PhysicsKey;
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec2};
use bevy_reflect::Reflect;
use bevy_transform::components::Transform;
use cairn2d::{BodyDef, BodyId, BodyKind, WorldPoint};
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

/// Velocity of a body. The plugin writes it after each step; a change by the user is set before the next one.
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
        (bits(self.linear) ^ bits(other.linear)) | u64::from(turns) == 0 || self == other
    }
}

fn bits(v: Vec2) -> u64 {
    u64::from(v.x.to_bits()) | u64::from(v.y.to_bits()) << 32
}

/// Place and turn of a transform in the plane: 16 bytes, since loops over all bodies read several of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planar {
    pub(crate) at: Vec2,
    /// The components z and w of the quaternion.
    turn: Vec2,
}

impl Planar {
    pub(crate) fn new(at: Vec2, turn: Quat) -> Self {
        let turn = Vec2::new(turn.z, turn.w);
        Self { at, turn }
    }

    pub(crate) fn of(transform: &Transform) -> Self {
        let at = Vec2::new(transform.translation.x, transform.translation.y);
        Self::new(at, transform.rotation)
    }

    pub(crate) const fn rotation(self) -> Quat {
        Quat::from_xyzw(0.0, 0.0, self.turn.x, self.turn.y)
    }

    pub(crate) fn has_turn_of(self, other: Self) -> bool {
        self.turn == other.turn
    }

    /// Returns the pose at a `share` of the way to `end`. Rotations are interpolated in a straight line: in the eighth of a turn
    /// that a step allows, the angle is off by less than half a degree, and it is steady from frame to frame.
    fn toward(self, end: Self, share: f32) -> Self {
        let at = self.at + (end.at - self.at) * share;
        if self.has_turn_of(end) {
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

/// In most comparisons the bits are equal.
impl PartialEq for Planar {
    fn eq(&self, other: &Self) -> bool {
        (bits(self.at) ^ bits(other.at)) | (bits(self.turn) ^ bits(other.turn)) == 0
            || (self.at == other.at && self.turn == other.turn)
    }
}

impl Default for Planar {
    fn default() -> Self {
        Self::of(&Transform::IDENTITY)
    }
}

/// What the plugin wrote last into the components of a body: a difference is a change by the user.
///
/// Compared by value, since the plugin's own writes mark components as changed as well.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Synced {
    pub(crate) pose: Planar,
    pub(crate) velocity: Velocity,
    /// Poses before and after the last step of a body without parent.
    pub(crate) step: [Planar; 2],
    /// The body; stale or `None` if it does not exist.
    pub(crate) body: Option<BodyId>,
    /// Number of the last step that moved the body.
    pub(crate) moved_in: u32,
}

impl Synced {
    /// Returns the record of components that agree with the world.
    pub(crate) fn of(body: BodyId, transform: &Transform, velocity: Velocity) -> Self {
        let pose = Planar::of(transform);
        Self {
            pose,
            velocity,
            step: [pose; 2],
            body: Some(body),
            moved_in: 0,
        }
    }

    /// Returns the pose at a `share` of the last step.
    pub(crate) fn within_step(&self, share: f32) -> Planar {
        let [before, after] = self.step;
        if share >= 1.0 || before == after {
            return after;
        }
        before.toward(after, share)
    }

    pub(crate) fn has_pose_of(&self, transform: &Transform) -> bool {
        self.pose == Planar::of(transform)
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
