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

/// Values that the plugin wrote last into the components of a body: a difference is a change by the user.
///
/// Compared by value, since the plugin's own writes mark components as changed as well.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Synced {
    pub(crate) translation: Vec2,
    pub(crate) rotation: Quat,
    pub(crate) velocity: Velocity,
    /// Poses before and after the last step of a body without parent.
    pub(crate) step: [(Vec2, Quat); 2],
    /// The body; stale or `None` if it does not exist.
    pub(crate) body: Option<BodyId>,
    /// Number of the last step that simulated the body.
    pub(crate) simulated_in: u32,
}

impl Synced {
    /// Returns the record of components that agree with the world.
    pub(crate) fn of(body: BodyId, transform: &Transform, velocity: Velocity) -> Self {
        let pose = (transform.translation.truncate(), transform.rotation);
        Self {
            translation: pose.0,
            rotation: pose.1,
            velocity,
            step: [pose; 2],
            body: Some(body),
            simulated_in: 0,
        }
    }

    /// Returns the pose at a `share` of the last step. Rotations are interpolated in a straight line: in the eighth of a turn
    /// that a step allows, the angle is off by less than half a degree, and it is steady from frame to frame.
    pub(crate) fn within_step(&self, share: f32) -> (Vec2, Quat) {
        let [(from, turn_from), (to, turn_to)] = self.step;
        if share >= 1.0 {
            return (to, turn_to);
        }
        let turn = if turn_from == turn_to {
            turn_to
        } else {
            turn_from.lerp(turn_to, share)
        };
        (from + (to - from) * share, turn)
    }

    pub(crate) fn has_pose_of(&self, transform: &Transform) -> bool {
        self.translation == transform.translation.truncate() && self.rotation == transform.rotation
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
