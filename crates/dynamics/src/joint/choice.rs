//! Access to the parts that several kinds of joints have, and methods that set them in a definition.

use super::def::JointDef;
use super::distance::DistanceJointDef;
use super::mouse::MouseJointDef;
use super::prismatic::PrismaticJointDef;
use super::revolute::RevoluteJointDef;
use super::shared::{JointSoftness, Limit, Motor, Spring};
use super::wheel::WheelJointDef;

impl JointDef {
    /// The motor, if the joint has one.
    #[must_use]
    pub fn motor(mut self) -> Option<Motor> {
        self.motor_mut().and_then(|motor| *motor)
    }

    /// The motor, to be changed; `None` for kinds that cannot have one.
    pub const fn motor_mut(&mut self) -> Option<&mut Option<Motor>> {
        match self {
            Self::Revolute(def) => Some(&mut def.motor),
            Self::Prismatic(def) => Some(&mut def.motor),
            Self::Distance(def) => Some(&mut def.motor),
            Self::Wheel(def) => Some(&mut def.motor),
            _ => None,
        }
    }

    /// The limit, if the joint has one.
    #[must_use]
    pub fn limit(mut self) -> Option<Limit> {
        self.limit_mut().and_then(|limit| *limit)
    }

    /// The limit, to be changed; `None` for kinds that cannot have one.
    pub const fn limit_mut(&mut self) -> Option<&mut Option<Limit>> {
        match self {
            Self::Revolute(def) => Some(&mut def.limit),
            Self::Prismatic(def) => Some(&mut def.limit),
            Self::Distance(def) => Some(&mut def.limit),
            Self::Wheel(def) => Some(&mut def.limit),
            _ => None,
        }
    }

    /// The spring on the joint's angle or translation, if the joint has one.
    #[must_use]
    pub fn spring(mut self) -> Option<Spring> {
        self.spring_mut().and_then(|spring| *spring)
    }

    /// The spring on the joint's angle or translation, to be changed; `None` for kinds that cannot have one.
    pub const fn spring_mut(&mut self) -> Option<&mut Option<Spring>> {
        match self {
            Self::Revolute(def) => Some(&mut def.spring),
            Self::Prismatic(def) => Some(&mut def.spring),
            Self::Distance(def) => Some(&mut def.spring),
            Self::Wheel(def) => Some(&mut def.spring),
            _ => None,
        }
    }
}

impl RevoluteJointDef {
    /// Sets the range of the angle \[rad\].
    ///
    /// ```
    /// use cairn2d_dynamics::{BodyDef, Limit, Motor, RevoluteJointDef, World};
    ///
    /// let mut world = World::default();
    /// let wall = world.create_body(BodyDef::static_());
    /// let door = world.create_body(BodyDef::dynamic().position(1.0, 0.0));
    /// let hinge = RevoluteJointDef::new(wall, door)
    ///     .at(&world, (0.5, 0.0))
    ///     .limit(Limit::degrees(-90.0, 90.0))
    ///     .motor(Motor::new(2.0, 50.0));
    /// world.create_joint(hinge);
    /// ```
    #[doc(alias("enableLimit", "SetLimits", "limits", "lowerAngle"))]
    #[doc(alias("upperAngle", "useLimits"))]
    #[must_use]
    pub fn limit(mut self, limit: impl Into<Limit>) -> Self {
        self.limit = Some(limit.into());
        self
    }

    /// Sets the drive of the angle [rad/s, N m]; at speed 0 it is friction.
    #[doc(alias("enableMotor", "motorSpeed", "maxMotorTorque"))]
    #[doc(alias("motor_velocity", "useMotor"))]
    #[must_use]
    pub const fn motor(mut self, motor: Motor) -> Self {
        self.motor = Some(motor);
        self
    }

    /// Sets the torsion spring \[rad\].
    #[doc(alias("enableSpring", "dampingRatio", "motor_position"))]
    #[doc(alias = "useSpring")]
    #[must_use]
    pub const fn spring(mut self, spring: Spring) -> Self {
        self.spring = Some(spring);
        self
    }
}

impl PrismaticJointDef {
    /// Sets the range of the translation \[m\].
    #[doc(alias("enableLimit", "lowerTranslation"))]
    #[doc(alias("upperTranslation", "limits"))]
    #[must_use]
    pub fn limit(mut self, limit: impl Into<Limit>) -> Self {
        self.limit = Some(limit.into());
        self
    }

    /// Sets the drive of the translation [m/s, N]; at speed 0 it is friction.
    #[doc(alias("enableMotor", "maxMotorForce", "motor_velocity"))]
    #[must_use]
    pub const fn motor(mut self, motor: Motor) -> Self {
        self.motor = Some(motor);
        self
    }

    /// Sets the spring on the translation \[m\].
    #[doc(alias("enableSpring", "dampingRatio", "motor_position"))]
    #[doc(alias = "useSpring")]
    #[must_use]
    pub const fn spring(mut self, spring: Spring) -> Self {
        self.spring = Some(spring);
        self
    }
}

impl DistanceJointDef {
    /// Sets the distance of the anchors, more than 0 \[m\].
    #[doc(alias = "rest_length")]
    #[must_use]
    pub const fn length(mut self, length: f32) -> Self {
        self.length = length;
        self
    }

    /// Sets the range of the distance \[m\], which makes the rod a rope.
    #[doc(alias("minLength", "maxLength", "enableLimit"))]
    #[must_use]
    pub fn limit(mut self, limit: impl Into<Limit>) -> Self {
        self.limit = Some(limit.into());
        self
    }

    /// Sets the drive of the distance [m/s, N].
    #[doc(alias("enableMotor", "maxMotorForce", "motor_velocity"))]
    #[must_use]
    pub const fn motor(mut self, motor: Motor) -> Self {
        self.motor = Some(motor);
        self
    }

    /// Sets the spring, which rests at `length + target` \[m\].
    #[doc(alias("enableSpring", "dampingRatio", "motor_position"))]
    #[doc(alias = "useSpring")]
    #[must_use]
    pub const fn spring(mut self, spring: Spring) -> Self {
        self.spring = Some(spring);
        self
    }
}

impl WheelJointDef {
    /// Sets the range of the suspension along the axis \[m\].
    #[doc(alias("enableLimit", "lowerTranslation"))]
    #[doc(alias("upperTranslation", "limits"))]
    #[must_use]
    pub fn limit(mut self, limit: impl Into<Limit>) -> Self {
        self.limit = Some(limit.into());
        self
    }

    /// Sets the drive of the spin of the wheel [rad/s, N m].
    #[doc(alias("enableMotor", "motorSpeed", "maxMotorTorque"))]
    #[doc(alias("motor_velocity", "useMotor"))]
    #[must_use]
    pub const fn motor(mut self, motor: Motor) -> Self {
        self.motor = Some(motor);
        self
    }

    /// Sets the suspension \[m\].
    #[doc(alias("enableSpring", "suspension"))]
    #[must_use]
    pub const fn spring(mut self, spring: Spring) -> Self {
        self.spring = Some(spring);
        self
    }
}

impl MouseJointDef {
    /// Sets the stiffness of the pull.
    #[must_use]
    pub const fn spring(mut self, spring: JointSoftness) -> Self {
        self.spring = spring;
        self
    }
}
