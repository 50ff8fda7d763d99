//! Revolute joint: a pin. Parts: point, and on the angle spring, motor and limit.

use super::base::{FULL_RATE_ANGLE, JointBase, JointContext};
use super::error::JointDefError;
use super::parts::angle::{UnwrappedAngle, turn_of_step};
use super::parts::block::decoupled_row;
use super::parts::drive::{DrivePart, DriveRows};
use super::parts::pair::BodyPair;
use super::parts::point::hold_point;
use super::parts::row::{JointRow, PassSettings};
use super::row_request::{
    JointCoordinate, JointImpulses, RowImpulses, RowRequests, list_drive_impulses, request_drive,
    request_equality,
};
use super::shared::{JointBaseDef, Limit, Motor, Spring, validate_parts};
use crate::body::state::BodyPose;
use crate::id::BodyId;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::state_record;

/// A pin: B turns about a point of A.
///
/// The angle is that of B's frame relative to A's, counter-clockwise \[rad\]. It does not wrap: after one and
/// a half turns it is 3 pi, so limits may have any value.
#[doc(alias("b2RevoluteJointDef", "RevoluteJointBuilder"))]
#[doc(alias("HingeJoint2D", "PinJoint2D", "hinge"))]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct RevoluteJointDef {
    /// Settings common to all joints.
    pub base: JointBaseDef,
    /// Range of the angle \[rad\]. Default none.
    pub limit: Option<Limit>,
    /// Drive, or friction [rad/s, N m]. Default none.
    pub motor: Option<Motor>,
    /// Torsion spring \[rad\]. Default none.
    pub spring: Option<Spring>,
}

state_record!(RevoluteJointDef {
    base,
    limit,
    motor,
    spring,
});

impl RevoluteJointDef {
    /// Returns a free pin at the origins of the two bodies.
    #[must_use]
    pub const fn new(body_a: BodyId, body_b: BodyId) -> Self {
        Self {
            base: JointBaseDef::new(body_a, body_b),
            limit: None,
            motor: None,
            spring: None,
        }
    }

    /// Checks all fields.
    ///
    /// # Errors
    /// If a number is not finite, negative where it must not be, or the limits cross.
    pub fn validate(&self) -> Result<(), JointDefError> {
        self.base.validate()?;
        validate_parts(
            self.limit.as_ref(),
            self.motor.as_ref(),
            self.spring.as_ref(),
        )
    }
}

/// A revolute joint in the solver: settings and impulses. Most are solved in lanes, see `solver::pins`; only
/// those with parts on the angle and a long arm are solved one by one.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct RevoluteJoint {
    /// Rotation of the bodies at the start of the step, without the angles of the frames.
    pub(crate) turn: UnwrappedAngle,
    /// Impulses of the last substep.
    pub(crate) point_impulse: Vec2,
    pub(crate) twist: TwistImpulses,
    pub(crate) limit: Option<Limit>,
    pub(crate) motor: Option<Motor>,
    pub(crate) spring: Option<Spring>,
}

state_record!(RevoluteJoint {
    turn,
    point_impulse,
    twist,
    limit,
    motor,
    spring,
});

/// Impulses of the parts on the angle [N m s].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TwistImpulses {
    pub(crate) spring: f32,
    pub(crate) motor: f32,
    pub(crate) lower: f32,
    pub(crate) upper: f32,
}

state_record!(TwistImpulses {
    spring,
    motor,
    lower,
    upper,
});

impl TwistImpulses {
    fn sum(&self) -> f32 {
        (self.spring + self.motor) + (self.lower - self.upper)
    }
}

impl RevoluteJoint {
    /// Bytes that a joint without parts on the angle uses.
    pub(crate) const HOT: usize = core::mem::offset_of!(Self, twist);

    pub(crate) fn new(def: &RevoluteJointDef) -> Self {
        Self {
            limit: def.limit,
            motor: def.motor,
            spring: def.spring,
            turn: UnwrappedAngle::START,
            point_impulse: Vec2::new(0.0, 0.0),
            twist: TwistImpulses::default(),
        }
    }

    /// Takes over the settings of `def`; impulses of remaining parts and the unwrapped angle stay.
    pub(crate) fn configure(&mut self, def: &RevoluteJointDef) {
        self.set_parts(def);
        if self.spring.is_none() {
            self.twist.spring = 0.0;
        }
        if self.motor.is_none() {
            self.twist.motor = 0.0;
        }
        if self.limit.is_none() {
            self.twist.lower = 0.0;
            self.twist.upper = 0.0;
        }
    }

    /// Takes over the settings of `def`; all impulses stay.
    pub(crate) fn set_parts(&mut self, def: &RevoluteJointDef) {
        self.limit = def.limit;
        self.motor = def.motor;
        self.spring = def.spring;
    }

    /// Returns `true` if there are parts on the angle.
    pub(crate) fn has_twist(&self) -> bool {
        self.limit.is_some() || self.motor.is_some() || self.spring.is_some()
    }

    /// Requests the rows.
    pub(crate) fn list_rows(&self, requests: &mut RowRequests) {
        request_equality(requests, JointCoordinate::X, 0.0);
        request_equality(requests, JointCoordinate::Y, 0.0);
        let (limit, motor, spring) = (&self.limit, &self.motor, &self.spring);
        let angle = (JointCoordinate::Angle, JointCoordinate::Angle);
        request_drive(
            requests,
            angle,
            limit.as_ref(),
            motor.as_ref(),
            spring.as_ref(),
        );
    }

    /// Lists the impulses of the rows.
    pub(crate) fn list_impulses(&self, impulses: &mut JointImpulses) {
        impulses.extend([self.point_impulse.x, self.point_impulse.y]);
        let twist = &self.twist;
        list_drive_impulses(
            impulses,
            (
                self.limit.is_some(),
                self.motor.is_some(),
                self.spring.is_some(),
            ),
            [twist.spring, twist.motor, twist.lower, twist.upper],
        );
    }

    /// Stores the impulses of the rows.
    pub(crate) fn store_impulses(&mut self, impulses: &mut RowImpulses<'_>) {
        self.point_impulse = Vec2::new(impulses.next(), impulses.next());
        self.twist = TwistImpulses {
            spring: impulses.next_if(self.spring.is_some()),
            motor: impulses.next_if(self.motor.is_some()),
            lower: impulses.next_if(self.limit.is_some()),
            upper: impulses.next_if(self.limit.is_some()),
        };
    }

    /// Updates the unwrapped angle.
    #[inline]
    pub(crate) fn update_angle(&mut self, base: &JointBase, poses: &[BodyPose]) {
        let (a, b) = base.poses(poses);
        self.turn
            .update(a, b, base.frame_b.angle - base.frame_a.angle);
    }

    /// Prepares to be solved one by one.
    pub(crate) fn prepare(&mut self, base: &JointBase, context: &JointContext<'_>) {
        self.update_angle(base, context.poses);
        self.point_impulse *= base.carried_share(context, base.step.closing());
        let twist = &mut self.twist;
        for x in [
            &mut twist.spring,
            &mut twist.motor,
            &mut twist.lower,
            &mut twist.upper,
        ] {
            *x *= context.warm_share;
        }
    }

    pub(crate) fn warm_start(&self, base: &JointBase, pair: &mut BodyPair) {
        let (arm_a, arm_b) = base.arms(pair);
        pair.push(self.point_impulse, arm_a, arm_b);
        pair.twist(self.twist.sum());
    }

    /// Solves or relaxes a joint with a long arm. An impulse on the angle turns a body about its center, and
    /// the point would have to undo the motion of the anchor. So motor and limit act decoupled from the
    /// point; see [`decoupled_row`].
    pub(crate) fn solve(&mut self, base: &JointBase, pair: &mut BodyPair, settings: &PassSettings) {
        let (arm_a, arm_b) = base.arms(pair);
        let point = [Vec2::x(), Vec2::y()].map(|axis| JointRow::along(axis, arm_a, arm_b));
        let (decoupled, shares) = decoupled_row(&JointRow::ANGULAR, &point, pair, settings);
        let shares = Vec2::from(shares);
        let rows = DriveRows {
            spring: &JointRow::ANGULAR,
            motor: &decoupled,
            limit: &decoupled,
        };
        let twist = self.twist;
        let mut drive = DrivePart::new(self.limit, self.motor, self.spring)
            .with_impulses([twist.spring, twist.motor], [twist.lower, twist.upper]);
        // The point's own impulse, without its shares of the decoupled row.
        let mut own = self.point_impulse - drive.push() * shares;
        let angle = self.angle(base) + turn_of_step(pair);
        let soft = PassSettings {
            full_rate_error: FULL_RATE_ANGLE,
            ..*settings
        };
        drive.solve(&rows, angle, pair, &soft);
        let arms = base.arms(pair);
        hold_point(pair, arms, base.present_gap(pair), settings, &mut own);
        self.point_impulse = own + drive.push() * shares;
        let [lower, upper] = drive.limit_impulses();
        self.twist = TwistImpulses {
            spring: drive.spring_impulse,
            motor: drive.motor_impulse,
            lower,
            upper,
        };
    }

    /// Returns the angle of the frames at the start of the step [rad].
    #[inline]
    pub(crate) fn angle(&self, base: &JointBase) -> f32 {
        self.turn.angle() + (base.frame_b.angle - base.frame_a.angle)
    }

    /// Returns the linear and angular impulse on B of the last substep.
    pub(crate) fn reaction(&self) -> (Vec2, f32) {
        (self.point_impulse, self.twist.sum())
    }
}
