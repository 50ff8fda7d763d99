//! Joints as entities.

use crate::changes::joint_removed;
use crate::key::PhysicsKey;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use cairn2d::{
    BodyId, DistanceJointDef, GearJointDef, JointDef, JointFrame, JointId, Limit, Motor,
    PrismaticJointDef, RevoluteJointDef, Spring, WeldJointDef, WheelJointDef,
};

/// A joint between the bodies of two entities, on an entity of its own or on one of them.
///
/// It exists in the world as soon as both bodies do, and again when a body that was removed returns. A joint that broke
/// stays broken until the component changes.
///
/// ```
/// use bevy_cairn2d::Joint;
/// use bevy_ecs::prelude::*;
/// use bevy_math::vec2;
/// use cairn2d::Motor;
///
/// fn add_wheel(mut commands: Commands, bodies: Query<Entity>) {
///     let [car, wheel] = [Entity::PLACEHOLDER; 2];
///     let hinge = Joint::revolute(car, wheel).anchors(vec2(0.8, -0.4), vec2(0.0, 0.0));
///     commands.spawn(hinge.motor(Motor::new(-10.0, 50.0)));
/// }
/// ```
#[derive(Component, Clone, Debug, PartialEq)]
#[require(PhysicsKey)]
#[component(on_remove = joint_removed)]
pub struct Joint {
    /// The two bodies.
    pub bodies: [Entity; 2],
    /// The definition. Its ids of bodies, its ids of joints and its user data are ignored.
    pub def: JointDef,
    /// The two joints that a gear connects; not used by other kinds.
    pub geared: Option<[Entity; 2]>,
}

/// Ids in the definition of a component: replaced by those of the bodies. They differ, since a definition of a joint
/// of one body with itself is invalid.
const PLACEHOLDERS: [BodyId; 2] = [BodyId::from_bits(0), BodyId::from_bits(1)];

impl Joint {
    /// Returns the joint that `define` makes from the ids of two bodies.
    ///
    /// ```
    /// use bevy_cairn2d::Joint;
    /// use bevy_ecs::prelude::*;
    /// use cairn2d::{JointSoftness, WeldJointDef};
    ///
    /// let soft = JointSoftness { hertz: 5.0, damping_ratio: 0.7 };
    /// let [a, b] = [Entity::PLACEHOLDER; 2];
    /// let weld = Joint::new(a, b, |a, b| WeldJointDef { angular: Some(soft), ..WeldJointDef::new(a, b) });
    /// ```
    #[must_use]
    pub fn new<D: Into<JointDef>>(
        a: Entity,
        b: Entity,
        define: impl FnOnce(BodyId, BodyId) -> D,
    ) -> Self {
        Self {
            bodies: [a, b],
            def: define(PLACEHOLDERS[0], PLACEHOLDERS[1]).into(),
            geared: None,
        }
    }

    /// Returns a hinge.
    #[must_use]
    pub fn revolute(a: Entity, b: Entity) -> Self {
        Self::new(a, b, RevoluteJointDef::new)
    }

    /// Returns a slider along the x axis of the frame on `a`.
    #[must_use]
    pub fn prismatic(a: Entity, b: Entity) -> Self {
        Self::new(a, b, PrismaticJointDef::new)
    }

    /// Returns a rod of `length` \[m\].
    #[must_use]
    pub fn distance(a: Entity, b: Entity, length: f32) -> Self {
        Self::new(a, b, |a, b| DistanceJointDef {
            length,
            ..DistanceJointDef::new(a, b)
        })
    }

    /// Returns a rigid connection.
    #[must_use]
    pub fn weld(a: Entity, b: Entity) -> Self {
        Self::new(a, b, WeldJointDef::new)
    }

    /// Returns a wheel `b` that slides along the x axis of the frame on `a`, and turns.
    #[must_use]
    pub fn wheel(a: Entity, b: Entity) -> Self {
        Self::new(a, b, WheelJointDef::new)
    }

    /// Returns a gear between two joints: `a` and `b` are bodies of the first and the second, and the coordinates of the
    /// joints change by `ratio`.
    #[must_use]
    pub fn gear([a, b]: [Entity; 2], joints: [Entity; 2], ratio: f32) -> Self {
        let joint = JointId::from_bits(0);
        let gear = Self::new(a, b, |a, b| GearJointDef {
            ratio,
            ..GearJointDef::new(a, b, joint, joint)
        });
        Self {
            geared: Some(joints),
            ..gear
        }
    }

    /// Sets the anchors in the frames of the bodies \[m\].
    #[must_use]
    pub fn anchors(mut self, a: Vec2, b: Vec2) -> Self {
        let base = self.def.base_mut();
        base.frame_a.anchor = JointFrame::at(a.x, a.y).anchor;
        base.frame_b.anchor = JointFrame::at(b.x, b.y).anchor;
        self
    }

    /// Sets the angles of the frames relative to the bodies \[rad\].
    #[must_use]
    pub const fn frame_angles(mut self, a: f32, b: f32) -> Self {
        let base = self.def.base_mut();
        base.frame_a.angle = a;
        base.frame_b.angle = b;
        self
    }

    /// Sets force \[N\] and torque [N m] at which the joint breaks.
    #[must_use]
    pub const fn break_at(mut self, force: f32, torque: f32) -> Self {
        let base = self.def.base_mut();
        base.break_force = force;
        base.break_torque = torque;
        self
    }

    /// Sets the motor.
    ///
    /// # Panics
    /// If the kind of joint has no motor; [`try_set_motor`](cairn2d::JointMut::try_set_motor) of an existing joint returns the
    /// error instead.
    #[must_use]
    #[track_caller]
    pub fn motor(mut self, motor: Motor) -> Self {
        match &mut self.def {
            JointDef::Revolute(def) => def.motor = Some(motor),
            JointDef::Prismatic(def) => def.motor = Some(motor),
            JointDef::Distance(def) => def.motor = Some(motor),
            JointDef::Wheel(def) => def.motor = Some(motor),
            other => panic!("a joint of this kind has no motor: {other:?}"),
        }
        self
    }

    /// Sets the limit.
    ///
    /// # Panics
    /// If the kind of joint has no limit; [`try_set_limit`](cairn2d::JointMut::try_set_limit) of an existing joint returns the
    /// error instead.
    #[must_use]
    #[track_caller]
    pub fn limit(mut self, limit: Limit) -> Self {
        match &mut self.def {
            JointDef::Revolute(def) => def.limit = Some(limit),
            JointDef::Prismatic(def) => def.limit = Some(limit),
            JointDef::Distance(def) => def.limit = Some(limit),
            JointDef::Wheel(def) => def.limit = Some(limit),
            other => panic!("a joint of this kind has no limit: {other:?}"),
        }
        self
    }

    /// Sets the spring.
    ///
    /// # Panics
    /// If the kind of joint has no spring; [`try_set_spring`](cairn2d::JointMut::try_set_spring) of an existing joint returns the
    /// error instead.
    #[must_use]
    #[track_caller]
    pub fn spring(mut self, spring: Spring) -> Self {
        match &mut self.def {
            JointDef::Revolute(def) => def.spring = Some(spring),
            JointDef::Prismatic(def) => def.spring = Some(spring),
            JointDef::Distance(def) => def.spring = Some(spring),
            JointDef::Wheel(def) => def.spring = Some(spring),
            other => panic!("a joint of this kind has no spring: {other:?}"),
        }
        self
    }
}
