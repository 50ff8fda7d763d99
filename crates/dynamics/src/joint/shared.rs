//! Parts of joint definitions: the fields that all kinds share, limits, motors and springs.

use super::error::{
    JointDefError, coordinate, finite, finite_not_negative, not_negative, position, speed,
};
use crate::id::BodyId;
use cairn2d_geometry::math::{PI, Point, radians};
use cairn2d_geometry::state_record;

/// Anchor and axis of a joint on one of its bodies, in the body's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct JointFrame {
    /// Anchor \[m\]; each coordinate at most [`MAX_COORDINATE`](crate::MAX_COORDINATE).
    #[cfg_attr(feature = "serde", serde(default))]
    pub anchor: Point,
    /// Angle of the frame's x axis relative to the body's, counter-clockwise \[rad\].
    #[cfg_attr(feature = "serde", serde(default))]
    pub angle: f32,
}

state_record!(JointFrame { anchor, angle });

/// The factor that a definition has where none is written.
#[cfg(feature = "serde")]
pub(super) const fn one() -> f32 {
    1.0
}

/// The bound that a definition has where none is written.
#[cfg(feature = "serde")]
pub(super) use cairn2d_geometry::infinite::positive as unbounded;

impl JointFrame {
    /// The body's own frame.
    pub const ORIGIN: Self = Self {
        anchor: Point::new(0.0, 0.0),
        angle: 0.0,
    };

    #[cfg(feature = "serde")]
    const fn origin() -> Self {
        Self::ORIGIN
    }

    /// Returns the frame at (`x`, `y`) \[m\], parallel to the body's.
    #[must_use]
    pub const fn at(x: f32, y: f32) -> Self {
        Self {
            anchor: Point::new(x, y),
            angle: 0.0,
        }
    }
}

/// Stiffness with which a joint closes gaps.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct JointSoftness {
    /// Stiffness \[Hz\]; capped at a quarter of the substep rate.
    pub hertz: f32,
    /// Damping ratio.
    pub damping_ratio: f32,
}

state_record!(JointSoftness {
    hertz,
    damping_ratio,
});

impl JointSoftness {
    pub(crate) fn validate(
        &self,
        hertz: &'static str,
        damping_ratio: &'static str,
    ) -> Result<(), JointDefError> {
        finite_not_negative(hertz, self.hertz)?;
        finite_not_negative(damping_ratio, self.damping_ratio)
    }
}

/// The fields that all joints share.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct JointBaseDef {
    /// The first body.
    pub body_a: BodyId,
    /// The second body. Impulses act on it, and in the opposite direction on the first.
    pub body_b: BodyId,
    /// Anchor and axis on A.
    #[doc(alias("localFrameA", "localAnchorA", "local_anchor1"))]
    #[cfg_attr(feature = "serde", serde(default = "JointFrame::origin"))]
    pub frame_a: JointFrame,
    /// Anchor and axis on B.
    #[doc(alias("localFrameB", "localAnchorB", "local_anchor2"))]
    #[cfg_attr(feature = "serde", serde(default = "JointFrame::origin"))]
    pub frame_b: JointFrame,
    /// Whether the two bodies collide with each other. Default no.
    #[doc(alias("collideConnected", "contacts_enabled"))]
    #[doc(alias = "enableCollision")]
    #[cfg_attr(feature = "serde", serde(default))]
    pub collide_connected: bool,
    /// Stiffness of the joint; `None` is the world's (60 Hz, damping ratio 2).
    #[cfg_attr(feature = "serde", serde(default))]
    pub softness: Option<JointSoftness>,
    /// Force, on average over a step, at which the joint breaks \[N\]. Default infinite.
    #[doc(alias("forceThreshold", "breakForce"))]
    #[cfg_attr(
        feature = "serde",
        serde(
            with = "cairn2d_geometry::infinite",
            default = "cairn2d_geometry::infinite::positive"
        )
    )]
    pub break_force: f32,
    /// Torque, on average over a step, at which the joint breaks [N m]. Default infinite.
    #[doc(alias("torqueThreshold", "breakTorque"))]
    #[cfg_attr(
        feature = "serde",
        serde(
            with = "cairn2d_geometry::infinite",
            default = "cairn2d_geometry::infinite::positive"
        )
    )]
    pub break_torque: f32,
    /// A number for your own use.
    #[cfg_attr(feature = "serde", serde(default))]
    pub user_data: u64,
}

state_record!(JointBaseDef {
    body_a,
    body_b,
    frame_a,
    frame_b,
    collide_connected,
    softness,
    break_force,
    break_torque,
    user_data,
});

impl JointBaseDef {
    /// Returns the defaults for a joint of `body_a` and `body_b` at their origins.
    #[must_use]
    pub const fn new(body_a: BodyId, body_b: BodyId) -> Self {
        Self {
            body_a,
            body_b,
            frame_a: JointFrame::ORIGIN,
            frame_b: JointFrame::ORIGIN,
            collide_connected: false,
            softness: None,
            break_force: f32::INFINITY,
            break_torque: f32::INFINITY,
            user_data: 0,
        }
    }

    /// Checks all fields.
    ///
    /// # Errors
    /// If a number is not finite, negative where it must not be, an anchor is beyond
    /// [`MAX_COORDINATE`](crate::MAX_COORDINATE), or both bodies are the same.
    pub fn validate(&self) -> Result<(), JointDefError> {
        if self.body_a == self.body_b {
            return Err(JointDefError::SameBody);
        }
        coordinate("frame_a.anchor.x", self.frame_a.anchor.x)?;
        coordinate("frame_a.anchor.y", self.frame_a.anchor.y)?;
        finite("frame_a.angle", self.frame_a.angle)?;
        coordinate("frame_b.anchor.x", self.frame_b.anchor.x)?;
        coordinate("frame_b.anchor.y", self.frame_b.anchor.y)?;
        finite("frame_b.angle", self.frame_b.angle)?;
        if let Some(softness) = self.softness {
            softness.validate("softness.hertz", "softness.damping_ratio")?;
        }
        not_negative("break_force", self.break_force)?;
        not_negative("break_torque", self.break_torque)
    }
}

/// Range of a joint's coordinate: an angle \[rad\] or a translation \[m\].
#[doc(alias = "JointAngleLimits2D")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Limit {
    /// Least value \[rad\] or \[m\]; may be minus infinity.
    #[doc(alias("lowerAngle", "lowerTranslation"))]
    #[cfg_attr(feature = "serde", serde(with = "cairn2d_geometry::infinite"))]
    pub lower: f32,
    /// Greatest value \[rad\] or \[m\]; may be infinity.
    #[doc(alias("upperAngle", "upperTranslation"))]
    #[cfg_attr(feature = "serde", serde(with = "cairn2d_geometry::infinite"))]
    pub upper: f32,
}

state_record!(Limit { lower, upper });

impl Limit {
    /// Returns the range from `lower` to `upper`, angles \[rad\] or translations \[m\].
    #[must_use]
    pub const fn new(lower: f32, upper: f32) -> Self {
        Self { lower, upper }
    }

    /// Returns the range of an angle from `lower` to `upper` \[degrees\].
    #[must_use]
    pub const fn degrees(lower: f32, upper: f32) -> Self {
        Self::new(radians(lower), radians(upper))
    }

    pub(crate) fn validate(&self, field: &'static str) -> Result<(), JointDefError> {
        let (lower, upper) = (self.lower, self.upper);
        if lower <= upper && lower < f32::INFINITY && upper > f32::NEG_INFINITY {
            Ok(())
        } else {
            Err(JointDefError::LimitsCross {
                field,
                lower,
                upper,
            })
        }
    }
}

impl From<(f32, f32)> for Limit {
    fn from((lower, upper): (f32, f32)) -> Self {
        Self::new(lower, upper)
    }
}

impl From<[f32; 2]> for Limit {
    fn from([lower, upper]: [f32; 2]) -> Self {
        Self::new(lower, upper)
    }
}

/// Drives a joint's coordinate at a speed with bounded force or torque; at speed 0 it is dry friction.
#[doc(alias = "JointMotor2D")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Motor {
    /// Speed of the angle [rad/s] or translation [m/s]. A positive speed turns B counter-clockwise relative to A,
    /// moves it along the axis, or lengthens the joint. At most [`MAX_DRIVE_SPEED`](crate::MAX_DRIVE_SPEED) in either
    /// direction.
    pub speed: f32,
    /// Greatest torque [N m] or force \[N\]; may be infinite.
    #[doc(alias("maxMotorTorque", "max_force"))]
    #[cfg_attr(
        feature = "serde",
        serde(
            with = "cairn2d_geometry::infinite",
            default = "cairn2d_geometry::infinite::positive"
        )
    )]
    pub max_effort: f32,
}

state_record!(Motor { speed, max_effort });

impl Motor {
    /// Returns the motor of `speed` [rad/s] or [m/s] with at most `max_effort`, a torque [N m] or force \[N\].
    #[must_use]
    pub const fn new(speed: f32, max_effort: f32) -> Self {
        Self { speed, max_effort }
    }

    pub(crate) fn validate(&self) -> Result<(), JointDefError> {
        speed("motor.speed", self.speed)?;
        not_negative("motor.max_effort", self.max_effort)
    }
}

/// Damped spring toward a target: an oscillator of the effective mass of both bodies.
///
/// The frequency is that of the two bodies on the spring alone, so it depends mostly on the lighter one. A wheel of
/// 25 kg that oscillates at 3 Hz under a truck of 1.3 t has a spring of 8.5 kN/m, which the truck presses down to its
/// stop. Define springs that carry a load with [`of_stiffness`](Self::of_stiffness) instead.
#[doc(alias = "JointSuspension2D")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Spring {
    /// Frequency of the oscillation \[Hz\]; 0 = no spring. Above a sixth of the substep rate (some 38 Hz at
    /// 60 steps of 4 substeps a second) the spring is softened to stay stable.
    #[doc(alias("frequency", "stiffness", "natural_frequency"))]
    pub hertz: f32,
    /// Damping ratio: 0 oscillates without end, 1 does not overshoot.
    #[doc(alias = "dampingRatio")]
    pub damping_ratio: f32,
    /// Rest position: an angle \[rad\] or a translation \[m\]; at most 1e9 in either direction.
    #[cfg_attr(feature = "serde", serde(default))]
    pub target: f32,
}

state_record!(Spring {
    hertz,
    damping_ratio,
    target,
});

impl Spring {
    /// Returns the spring of the frequency `hertz` \[Hz\] and the dimensionless `damping_ratio` that rests at 0.
    #[must_use]
    pub const fn new(hertz: f32, damping_ratio: f32) -> Self {
        Self {
            hertz,
            damping_ratio,
            target: 0.0,
        }
    }

    /// Returns the spring of `stiffness` [N/m] and `damping` [N s/m] between bodies of the effective mass `mass` \[kg\]
    /// that rests at 0; on angles [N m/rad], [N m s/rad] and [kg m^2]. [`JointRef::spring_mass`](crate::JointRef::spring_mass)
    /// has the mass of an existing joint.
    ///
    /// A load F displaces the spring by F / `stiffness`. A `damping` above `mass` per substep damps a load more
    /// strongly than its value, so light wheels under a truck sink slowly. Convert again after a mass has changed.
    /// Without stiffness or mass there is no frequency, and a joint refuses the spring; for a brake, use a [`Motor`]
    /// of speed 0.
    ///
    /// ```
    /// use cairn2d_dynamics::{BodyDef, ShapeDef, Spring, WheelJointDef, World};
    /// use cairn2d_geometry::Circle;
    ///
    /// let mut world = World::default();
    /// let chassis = world.create_body(BodyDef::dynamic());
    /// let wheel = world.create_body(BodyDef::dynamic());
    /// world.create_shape(chassis, Circle::of_radius(1.0), ShapeDef::default());
    /// world.create_shape(wheel, Circle::of_radius(0.3), ShapeDef::default());
    /// let axle = world.create_joint(WheelJointDef::new(chassis, wheel));
    /// if let Some(mass) = world.joint(axle).spring_mass() {
    ///     let suspension = Spring::of_stiffness(40_000.0, 4_000.0, mass);
    ///     world.joint_mut(axle).set_spring(Some(suspension));
    /// }
    /// ```
    #[must_use]
    pub fn of_stiffness(stiffness: f32, damping: f32, mass: f32) -> Self {
        let omega = (stiffness / mass).sqrt();
        Self::new(omega / (2.0 * PI), 0.5 * damping / (mass * omega))
    }

    pub(crate) fn validate(&self) -> Result<(), JointDefError> {
        finite_not_negative("spring.hertz", self.hertz)?;
        finite_not_negative("spring.damping_ratio", self.damping_ratio)?;
        position("spring.target", self.target)
    }
}

/// Checks the optional parts of a joint.
pub(crate) fn validate_parts(
    limit: Option<Limit>,
    motor: Option<Motor>,
    spring: Option<Spring>,
) -> Result<(), JointDefError> {
    limit.map_or(Ok(()), |limit| limit.validate("limit"))?;
    motor.map_or(Ok(()), |motor| motor.validate())?;
    spring.map_or(Ok(()), |spring| spring.validate())
}
