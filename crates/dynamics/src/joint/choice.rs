//! Access to the parts that several kinds of joints have, and methods that set them in a definition.

use super::def::JointDef;
use super::distance::DistanceJointDef;
use super::mouse::MouseJointDef;
use super::prismatic::PrismaticJointDef;
use super::revolute::RevoluteJointDef;
use super::shared::{JointSoftness, Limit, Motor, Spring};
use super::wheel::WheelJointDef;

/// Implements access to a part that some kinds of joints may have.
macro_rules! part_access {
    ($($(#[$read:meta])* $part:ident, $(#[$write:meta])* $part_mut:ident: $type:ty;)*) => {
        impl JointDef {$(
            $(#[$read])*
            #[must_use]
            pub fn $part(mut self) -> Option<$type> {
                self.$part_mut().and_then(|part| *part)
            }

            $(#[$write])*
            pub const fn $part_mut(&mut self) -> Option<&mut Option<$type>> {
                match self {
                    Self::Revolute(def) => Some(&mut def.$part),
                    Self::Prismatic(def) => Some(&mut def.$part),
                    Self::Distance(def) => Some(&mut def.$part),
                    Self::Wheel(def) => Some(&mut def.$part),
                    _ => None,
                }
            }
        )*}
    };
}

part_access! {
    /// The motor, if the joint has one.
    motor,
    /// The motor, to be changed; `None` for kinds that cannot have one.
    motor_mut: Motor;
    /// The limit, if the joint has one.
    limit,
    /// The limit, to be changed; `None` for kinds that cannot have one.
    limit_mut: Limit;
    /// The spring on the joint's angle or translation, if the joint has one.
    spring,
    /// The spring on the joint's angle or translation, to be changed; `None` for kinds that cannot have one.
    spring_mut: Spring;
}

/// Implements the setters of the parts of a kind of joint.
macro_rules! part_setters {
    ($def:ident {
        $(#[$limit:meta])* limit,
        $(#[$motor:meta])* motor,
        $(#[$spring:meta])* spring $(,)?
    }) => {
        impl $def {
            $(#[$limit])*
            #[must_use]
            pub fn limit(mut self, limit: impl Into<Limit>) -> Self {
                self.limit = Some(limit.into());
                self
            }

            $(#[$motor])*
            #[must_use]
            pub const fn motor(mut self, motor: Motor) -> Self {
                self.motor = Some(motor);
                self
            }

            $(#[$spring])*
            #[must_use]
            pub const fn spring(mut self, spring: Spring) -> Self {
                self.spring = Some(spring);
                self
            }
        }
    };
}

part_setters!(RevoluteJointDef {
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
    limit,
    /// Sets the drive of the angle [rad/s, N m]; at speed 0 it is friction.
    #[doc(alias("enableMotor", "motorSpeed", "maxMotorTorque"))]
    #[doc(alias("motor_velocity", "useMotor"))]
    motor,
    /// Sets the torsion spring \[rad\].
    #[doc(alias("enableSpring", "dampingRatio", "motor_position"))]
    #[doc(alias = "useSpring")]
    spring,
});

part_setters!(PrismaticJointDef {
    /// Sets the range of the translation \[m\].
    #[doc(alias("enableLimit", "lowerTranslation"))]
    #[doc(alias("upperTranslation", "limits"))]
    limit,
    /// Sets the drive of the translation [m/s, N]; at speed 0 it is friction.
    #[doc(alias("enableMotor", "maxMotorForce", "motor_velocity"))]
    motor,
    /// Sets the spring on the translation \[m\].
    #[doc(alias("enableSpring", "dampingRatio", "motor_position"))]
    #[doc(alias = "useSpring")]
    spring,
});

part_setters!(DistanceJointDef {
    /// Sets the range of the distance \[m\], which makes the rod a rope.
    #[doc(alias("minLength", "maxLength", "enableLimit"))]
    limit,
    /// Sets the drive of the distance [m/s, N].
    #[doc(alias("enableMotor", "maxMotorForce", "motor_velocity"))]
    motor,
    /// Sets the spring, which rests at `length + target` \[m\].
    #[doc(alias("enableSpring", "dampingRatio", "motor_position"))]
    #[doc(alias = "useSpring")]
    spring,
});

part_setters!(WheelJointDef {
    /// Sets the range of the suspension along the axis \[m\].
    #[doc(alias("enableLimit", "lowerTranslation"))]
    #[doc(alias("upperTranslation", "limits"))]
    limit,
    /// Sets the drive of the spin of the wheel [rad/s, N m].
    #[doc(alias("enableMotor", "motorSpeed", "maxMotorTorque"))]
    #[doc(alias("motor_velocity", "useMotor"))]
    motor,
    /// Sets the suspension \[m\].
    #[doc(alias("enableSpring", "suspension"))]
    spring,
});

impl DistanceJointDef {
    /// Sets the distance of the anchors, more than 0 \[m\].
    #[doc(alias = "rest_length")]
    #[must_use]
    pub const fn length(mut self, length: f32) -> Self {
        self.length = length;
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
