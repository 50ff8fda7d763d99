//! Definition of a body.

use crate::error::{ValueError, finite, limit, not_negative};
use crate::tuning::{MAX_COORDINATE, SLEEP_SPEED, Tuning};
use cairn2d_geometry::math::{Vec2, WorldPoint, radians};
use cairn2d_geometry::{save_record, state_choice, state_record};

/// Kind of motion of a body.
#[doc(alias("BodyType", "b2BodyType", "RigidBodyType"))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum BodyKind {
    /// Never moves by itself, has no mass, and costs nothing in a step.
    #[default]
    Static,
    /// Moves with the velocity that you set; pushes dynamic bodies but is not pushed by them.
    Kinematic,
    /// Is moved by forces, contacts and joints.
    Dynamic,
}

state_choice!(BodyKind {
    Static,
    Kinematic,
    Dynamic,
});

/// Whether a body starts out awake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum InitialState {
    /// Simulated from the first step on.
    #[default]
    Awake,
    /// Asleep until something wakes it.
    Asleep,
    /// Not part of the simulation until enabled.
    Disabled,
}

state_choice!(InitialState {
    Awake,
    Asleep,
    Disabled,
});

/// Response of continuous collision to an impact within a step: see the manual on continuous collision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Continuous {
    /// Like `Substep` for impacts of two shapes with a restitution of 0.15 or more, and like `Clamp` for all others.
    /// If thousands of bodies could bounce, only the fastest are treated like `Substep`.
    #[default]
    Auto,
    /// The body stays at the surface that it hit, slides along it until the step ends, and bounces in the next step.
    /// This is cheap, and late by at most a step.
    Clamp,
    /// The impact is solved at its time, and the body spends the rest of the step with its new velocity: a
    /// bounce loses no time and no height, at any speed. Applies to every approach above the restitution
    /// threshold, fast or slow.
    Substep,
}

state_choice!(Continuous {
    Auto,
    Clamp,
    Substep,
});

/// Motions that are locked.
#[doc(alias("LockedAxes", "b2MotionLocks"))]
#[doc(alias = "RigidbodyConstraints2D")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Locks {
    /// No motion along the world's x axis.
    pub x: bool,
    /// No motion along the world's y axis.
    pub y: bool,
    /// No rotation.
    pub rotation: bool,
}

state_record!(Locks { x, y, rotation });

/// Definition of a body: plain data, reusable.
///
/// ```
/// use cairn2d_dynamics::BodyDef;
/// let ball = BodyDef { linear_damping: 0.1, ..BodyDef::dynamic() }.position(0.0, 4.0);
/// assert!(ball.validate().is_ok());
/// ```
#[doc(alias("b2BodyDef", "RigidBodyBuilder", "RigidBody2D"))]
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct BodyDef {
    /// Kind of motion; static by default. Impulses and forces do not move static bodies.
    pub kind: BodyKind,
    /// Origin of the body's frame in the world \[m\]. The center of mass is rounded to a
    /// multiple of 2^-29 m, 2 nm.
    pub position: WorldPoint,
    /// Rotation of the body's frame, counter-clockwise \[rad\].
    pub angle: f32,
    /// Velocity of the center of mass [m/s]. Any finite velocity is accepted: see
    /// [`BodyMut::set_velocity`](crate::BodyMut::set_velocity).
    pub velocity: Vec2,
    /// Angular velocity, counter-clockwise [rad/s].
    pub angular_velocity: f32,
    /// Decay rate of the velocity [1/s].
    #[doc(alias("linear_damp", "drag", "linearDamping"))]
    pub linear_damping: f32,
    /// Decay rate of the angular velocity [1/s].
    #[doc(alias("angular_damp", "angularDamping"))]
    pub angular_damping: f32,
    /// Factor on the world's gravity.
    #[doc(alias = "gravityScale")]
    pub gravity_scale: f32,
    /// Greatest speed at the end of a step [m/s]; `None` takes the world's. See [`Tuning::max_linear_speed`].
    #[cfg_attr(
        feature = "serde",
        serde(with = "cairn2d_geometry::infinite::option", default)
    )]
    pub max_linear_speed: Option<f32>,
    /// Greatest angular speed at the end of a step [rad/s]; may be infinite.
    #[cfg_attr(feature = "serde", serde(with = "cairn2d_geometry::infinite"))]
    pub max_angular_speed: f32,
    /// The body may fall asleep while its fastest point is slower than this [m/s]. An unsupported body must be slower
    /// than 0.008 of it: one without contacts, with a single contact point, or that swings on a joint without loss.
    #[cfg_attr(feature = "serde", serde(with = "cairn2d_geometry::infinite"))]
    pub sleep_speed: f32,
    /// Whether the body may fall asleep.
    pub can_sleep: bool,
    /// Awake, asleep or disabled at the start.
    pub initial_state: InitialState,
    /// Locked motions.
    pub locks: Locks,
    /// Response of continuous collision to an impact of the body.
    pub continuous: Continuous,
    /// Whether continuous collision also sweeps the body against dynamic bodies: for small fast bodies.
    pub bullet: bool,
    /// Whether the body may turn by more than an eighth of a turn in one step.
    pub fast_rotation: bool,
    /// A number for your own use.
    pub user_data: u64,
}

save_record!(BodyDef {
    kind,
    position,
    angle,
    velocity,
    angular_velocity,
    linear_damping,
    angular_damping,
    gravity_scale,
    max_linear_speed,
    max_angular_speed,
    sleep_speed,
    can_sleep,
    initial_state,
    locks,
    continuous,
    bullet,
    fast_rotation,
    user_data,
});

impl Default for BodyDef {
    fn default() -> Self {
        Self {
            kind: BodyKind::Static,
            position: WorldPoint::ORIGIN,
            angle: 0.0,
            velocity: Vec2::zeros(),
            angular_velocity: 0.0,
            linear_damping: 0.0,
            angular_damping: 0.0,
            gravity_scale: 1.0,
            max_linear_speed: None,
            max_angular_speed: f32::INFINITY,
            sleep_speed: SLEEP_SPEED,
            can_sleep: true,
            initial_state: InitialState::Awake,
            locks: Locks::default(),
            continuous: Continuous::Auto,
            bullet: false,
            fast_rotation: false,
            user_data: 0,
        }
    }
}

impl Locks {
    /// Nothing is locked.
    pub const NONE: Self = Self {
        x: false,
        y: false,
        rotation: false,
    };

    /// No rotation: for characters.
    pub const ROTATION: Self = Self {
        rotation: true,
        ..Self::NONE
    };
}

impl BodyDef {
    /// Starts the definition of a static body.
    #[doc(alias("b2_staticBody", "fixed", "StaticBody2D"))]
    #[must_use]
    pub fn static_() -> Self {
        Self::default()
    }

    /// Starts the definition of a kinematic body.
    #[doc(alias("b2_kinematicBody", "kinematic_velocity_based"))]
    #[doc(alias("kinematic_position_based", "AnimatableBody2D"))]
    #[must_use]
    pub fn kinematic() -> Self {
        Self {
            kind: BodyKind::Kinematic,
            ..Self::default()
        }
    }

    /// Starts the definition of a dynamic body.
    #[doc(alias("b2_dynamicBody", "RigidBodyBuilder"))]
    #[doc(alias = "RigidBody2D")]
    #[must_use]
    pub fn dynamic() -> Self {
        Self {
            kind: BodyKind::Dynamic,
            ..Self::default()
        }
    }

    /// Puts the body's origin at (`x`, `y`) \[m\].
    #[doc(alias = "translation")]
    #[must_use]
    pub fn position(mut self, x: f32, y: f32) -> Self {
        self.position = WorldPoint::from((x, y));
        self
    }

    /// Puts the body's origin at a point of the world in `f64` \[m\].
    #[must_use]
    pub fn world_position(mut self, position: impl Into<WorldPoint>) -> Self {
        self.position = position.into();
        self
    }

    /// Sets the angle of the body's frame, counter-clockwise \[rad\].
    #[doc(alias = "rotation")]
    #[must_use]
    pub fn angle(mut self, angle: f32) -> Self {
        self.angle = angle;
        self
    }

    /// Sets the angle of the body's frame, counter-clockwise \[degrees\].
    #[must_use]
    pub fn angle_degrees(self, degrees: f32) -> Self {
        self.angle(radians(degrees))
    }

    /// Sets the velocity to (`x`, `y`) [m/s].
    #[doc(alias("linvel", "linear_velocity", "linearVelocity"))]
    #[must_use]
    pub fn velocity(mut self, x: f32, y: f32) -> Self {
        self.velocity = Vec2::new(x, y);
        self
    }

    /// Sets the angular velocity, counter-clockwise [rad/s].
    #[doc(alias = "angvel")]
    #[must_use]
    pub fn angular_velocity(mut self, angular_velocity: f32) -> Self {
        self.angular_velocity = angular_velocity;
        self
    }

    /// Sets the rates at which velocity and angular velocity decay [1/s].
    #[doc(alias = "drag")]
    #[must_use]
    pub fn damping(mut self, linear: f32, angular: f32) -> Self {
        self.linear_damping = linear;
        self.angular_damping = angular;
        self
    }

    /// Sets the decay rate of the velocity [1/s].
    #[doc(alias("linear_damp", "linearDamping"))]
    #[must_use]
    pub const fn linear_damping(mut self, rate: f32) -> Self {
        self.linear_damping = rate;
        self
    }

    /// Sets the decay rate of the angular velocity [1/s].
    #[doc(alias("angular_damp", "angularDamping"))]
    #[must_use]
    pub const fn angular_damping(mut self, rate: f32) -> Self {
        self.angular_damping = rate;
        self
    }

    /// Sets the factor on the world's gravity.
    #[doc(alias = "gravityScale")]
    #[must_use]
    pub fn gravity_scale(mut self, scale: f32) -> Self {
        self.gravity_scale = scale;
        self
    }

    /// Sets the locked motions.
    #[doc(alias("fixed_rotation", "fixedRotation"))]
    #[doc(alias("lock_rotations", "motionLocks"))]
    #[must_use]
    pub fn locks(mut self, locks: Locks) -> Self {
        self.locks = locks;
        self
    }

    /// Makes continuous collision sweep the body against dynamic bodies, too: for small fast bodies.
    #[doc(alias("isBullet", "ccd_enabled"))]
    #[doc(alias = "CollisionDetectionMode2D")]
    #[must_use]
    pub fn bullet(mut self) -> Self {
        self.bullet = true;
        self
    }

    /// Sets whether the body starts awake, asleep or disabled.
    #[must_use]
    pub fn initial_state(mut self, initial_state: InitialState) -> Self {
        self.initial_state = initial_state;
        self
    }

    /// Attaches a number for your own use.
    #[doc(alias = "userData")]
    #[must_use]
    pub fn user_data(mut self, user_data: u64) -> Self {
        self.user_data = user_data;
        self
    }

    /// Checks all numbers.
    ///
    /// # Errors
    /// Names the first field that is not finite, is negative where that is invalid, or is outside of the
    /// world.
    pub fn validate(&self) -> Result<(), ValueError> {
        check_position("position", self.position)?;
        finite("angle", self.angle)?;
        finite("velocity.x", self.velocity.x)?;
        finite("velocity.y", self.velocity.y)?;
        finite("angular_velocity", self.angular_velocity)?;
        not_negative("linear_damping", self.linear_damping)?;
        not_negative("angular_damping", self.angular_damping)?;
        finite("gravity_scale", self.gravity_scale)?;
        limit("max_linear_speed", self.max_linear_speed.unwrap_or(0.0))?;
        limit("max_angular_speed", self.max_angular_speed)?;
        not_negative("sleep_speed", self.sleep_speed)
    }

    /// Returns the body's speed cap in a world of this tuning [m/s].
    pub(crate) fn speed_cap(&self, tuning: &Tuning) -> f32 {
        self.max_linear_speed.unwrap_or(tuning.max_linear_speed)
    }
}

/// Checks that a point is finite and inside the world.
pub(crate) fn check_position(name: &'static str, place: WorldPoint) -> Result<(), ValueError> {
    for value in [place.x, place.y] {
        if !value.is_finite() {
            return Err(ValueError::NotFinite { name, value });
        }
        if value.abs() > MAX_COORDINATE {
            return Err(ValueError::OutOfWorld {
                name,
                value,
                limit: MAX_COORDINATE,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_field_is_named_with_its_value() {
        let def = BodyDef {
            linear_damping: -1.0,
            ..BodyDef::dynamic()
        };
        let error = def.validate().unwrap_err().to_string();
        assert_eq!(error, "linear_damping is -1, which is negative");
        assert!(
            BodyDef::dynamic()
                .position(f32::NAN, 0.0)
                .validate()
                .is_err()
        );
        assert!(BodyDef::dynamic().position(1.0e20, 0.0).validate().is_err());
    }
}
