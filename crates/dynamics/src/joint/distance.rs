//! Distance joint: a rod, a rope or a spring. Parts on the length: rod, or spring, motor and limit.

use super::base::{JointBase, JointContext};
use super::error::{JointDefError, positive};
use super::parts::pair::BodyPair;
use super::parts::row::{JointRow, PassSettings};
use super::parts::spring::SpringRate;
use super::row_request::{
    JointCoordinate, JointImpulses, RowImpulses, RowRequests, list_drive_impulses, request_drive,
    request_equality,
};
use super::shared::{JointBaseDef, Limit, Motor, Spring, validate_parts};
use crate::id::BodyId;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::state_record;

/// Keeps the distance of two anchors.
///
/// Without parts the distance is `length`, rigidly. A spring, limit or motor replaces the rod: a limit alone
/// is a rope.
#[doc(alias("b2DistanceJointDef", "RopeJointBuilder"))]
#[doc(alias("SpringJointBuilder", "SpringJoint2D"))]
#[doc(alias("DistanceJoint2D", "DampedSpringJoint2D"))]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct DistanceJointDef {
    /// Settings common to all joints.
    pub base: JointBaseDef,
    /// Distance of the anchors, more than 0 \[m\]. Default 1.
    pub length: f32,
    /// Range of the distance \[m\]. Default none.
    pub limit: Option<Limit>,
    /// Drive of the distance [m/s, N]. Default none.
    pub motor: Option<Motor>,
    /// Spring that rests at `length + target` \[m\]. Default none.
    pub spring: Option<Spring>,
}

state_record!(DistanceJointDef {
    base,
    length,
    limit,
    motor,
    spring,
});

impl DistanceJointDef {
    /// Returns a rod of 1 m between the origins of the two bodies.
    #[must_use]
    pub const fn new(body_a: BodyId, body_b: BodyId) -> Self {
        Self {
            base: JointBaseDef::new(body_a, body_b),
            length: 1.0,
            limit: None,
            motor: None,
            spring: None,
        }
    }

    /// Checks all fields.
    ///
    /// # Errors
    /// If a number is not finite, negative or zero where it must not be, or the limits cross.
    pub fn validate(&self) -> Result<(), JointDefError> {
        self.base.validate()?;
        positive("length", self.length)?;
        validate_parts(
            self.limit.as_ref(),
            self.motor.as_ref(),
            self.spring.as_ref(),
        )
    }
}

/// A distance joint in the solver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DistanceJoint {
    length: f32,
    limit: Option<Limit>,
    motor: Option<Motor>,
    spring: Option<Spring>,
    spring_rate: SpringRate,
    /// Last unit vector from A's anchor to B's.
    direction: Vec2,
    rod_impulse: f32,
    spring_impulse: f32,
    motor_impulse: f32,
    lower_impulse: f32,
    upper_impulse: f32,
}

state_record!(DistanceJoint {
    length,
    limit,
    motor,
    spring,
    // Scratch: prepared by each step in which there is a spring.
    spring_rate: derived(SpringRate::default()),
    direction,
    rod_impulse,
    spring_impulse,
    motor_impulse,
    lower_impulse,
    upper_impulse,
});

/// A spring for the lanes of the solver, after [`DistanceJoint::prepare`].
pub(crate) struct SpringLane {
    pub(crate) rate: SpringRate,
    /// Length at rest \[m\].
    pub(crate) rest: f32,
    pub(crate) direction: Vec2,
    pub(crate) impulse: f32,
    /// Impulses of rod, motor and limits, which it lacks.
    pub(crate) missing: [f32; 3],
}

impl DistanceJoint {
    pub(crate) fn new(def: &DistanceJointDef) -> Self {
        Self {
            length: def.length,
            limit: def.limit,
            motor: def.motor,
            spring: def.spring,
            spring_rate: SpringRate::default(),
            direction: Vec2::new(1.0, 0.0),
            rod_impulse: 0.0,
            spring_impulse: 0.0,
            motor_impulse: 0.0,
            lower_impulse: 0.0,
            upper_impulse: 0.0,
        }
    }

    /// Takes over the settings of `def`; impulses stay.
    pub(crate) fn configure(&mut self, def: &DistanceJointDef) {
        self.length = def.length;
        self.limit = def.limit;
        self.motor = def.motor;
        self.spring = def.spring;
    }

    fn is_rod(&self) -> bool {
        self.limit.is_none() && self.motor.is_none() && self.spring.is_none()
    }

    /// Returns the spring, if the joint has nothing else.
    pub(crate) fn spring_lane(&self) -> Option<SpringLane> {
        let spring = self.spring.as_ref()?;
        let is_alone = self.limit.is_none() && self.motor.is_none();
        is_alone.then_some(SpringLane {
            rate: self.spring_rate,
            rest: self.length + spring.target,
            direction: self.direction,
            impulse: self.spring_impulse,
            missing: [
                self.rod_impulse,
                self.motor_impulse,
                self.lower_impulse - self.upper_impulse,
            ],
        })
    }

    /// Stores the results of a spring that was solved in lanes.
    pub(crate) fn store_spring_lane(&mut self, impulse: f32, direction: Vec2) {
        (self.spring_impulse, self.direction) = (impulse, direction);
    }

    /// Requests the rows.
    pub(crate) fn list_rows(&self, requests: &mut RowRequests) {
        let length = JointCoordinate::Length;
        if self.is_rod() {
            request_equality(requests, length, self.length);
            return;
        }
        let rest = |spring: Spring| Spring {
            target: self.length + spring.target,
            ..spring
        };
        request_drive(
            requests,
            (length, length),
            self.limit.as_ref(),
            self.motor.as_ref(),
            self.spring.map(rest).as_ref(),
        );
    }

    /// Lists the impulses of the rows.
    pub(crate) fn list_impulses(&self, impulses: &mut JointImpulses) {
        if self.is_rod() {
            impulses.push(self.rod_impulse);
        }
        list_drive_impulses(
            impulses,
            (
                self.limit.is_some(),
                self.motor.is_some(),
                self.spring.is_some(),
            ),
            [
                self.spring_impulse,
                self.motor_impulse,
                self.lower_impulse,
                self.upper_impulse,
            ],
        );
    }

    /// Stores the impulses of the rows.
    pub(crate) fn store_impulses(&mut self, impulses: &mut RowImpulses<'_>) {
        self.rod_impulse = impulses.next_if(self.is_rod());
        self.spring_impulse = impulses.next_if(self.spring.is_some());
        self.motor_impulse = impulses.next_if(self.motor.is_some());
        self.lower_impulse = impulses.next_if(self.limit.is_some());
        self.upper_impulse = impulses.next_if(self.limit.is_some());
        self.direction = impulses.direction;
    }

    /// Sets the impulse of the spring to 0.
    pub(crate) fn forget_spring(&mut self) {
        self.spring_impulse = 0.0;
    }

    /// Returns the weight of its rows in the coupling of joints: see [`SpringRate::row_weight`].
    pub(crate) fn row_weight(&self, h: f32) -> f32 {
        match &self.spring {
            Some(spring) if self.limit.is_none() && self.motor.is_none() => {
                SpringRate::row_weight(spring.hertz, spring.damping_ratio, h)
            }
            _ => 1.0,
        }
    }

    pub(crate) fn prepare(&mut self, base: &JointBase, context: &JointContext<'_>) {
        if let Some(spring) = &self.spring {
            let (hertz, ratio) = (spring.hertz, spring.damping_ratio);
            self.spring_rate = SpringRate::shared(hertz, ratio, context.h, base.crowd());
        }
        self.rod_impulse *= context.warm_share_if(self.is_rod());
        self.spring_impulse *= context.warm_share_if(self.spring.is_some());
        self.motor_impulse *= context.warm_share_if(self.motor.is_some());
        self.lower_impulse *= context.warm_share_if(self.limit.is_some());
        self.upper_impulse *= context.warm_share_if(self.limit.is_some());
    }

    /// Returns the row on the distance, and the distance.
    #[inline(always)]
    fn measure(&mut self, base: &JointBase, pair: &BodyPair) -> (JointRow, f32) {
        let gap = base.present_gap(pair);
        let distance = gap.norm();
        // If the anchors coincide, the last direction separates them.
        if distance > f32::MIN_POSITIVE {
            self.direction = gap / distance;
        }
        let (arm_a, arm_b) = base.arms(pair);
        (JointRow::along(self.direction, arm_a, arm_b), distance)
    }

    fn sum(&self) -> f32 {
        (self.rod_impulse + self.spring_impulse + self.motor_impulse)
            + (self.lower_impulse - self.upper_impulse)
    }

    pub(crate) fn warm_start(&mut self, base: &JointBase, pair: &mut BodyPair) {
        let (row, _) = self.measure(base, pair);
        row.push(pair, self.sum());
    }

    pub(crate) fn solve(&mut self, base: &JointBase, pair: &mut BodyPair, settings: &PassSettings) {
        let (row, distance) = self.measure(base, pair);
        if self.is_rod() {
            let c = distance - self.length;
            row.hold(pair, c, &settings.softness, &mut self.rod_impulse);
            return;
        }
        if let Some(spring) = &self.spring {
            let c = distance - (self.length + spring.target);
            let x = &mut self.spring_impulse;
            self.spring_rate
                .drive(&row, pair, c, settings.pass, f32::INFINITY, x);
        }
        if let Some(motor) = self.motor.as_ref().filter(|_| settings.drives) {
            let max = settings.h * motor.max_effort;
            row.motor(pair, motor.speed, max, &mut self.motor_impulse);
        }
        if let Some(limit) = &self.limit {
            row.limit(
                pair,
                distance - limit.lower,
                settings,
                &mut self.lower_impulse,
            );
            row.limit_above(
                pair,
                distance - limit.upper,
                settings,
                &mut self.upper_impulse,
            );
        }
    }

    /// Returns the linear and angular impulse on B of the last substep.
    pub(crate) fn reaction(&self) -> (Vec2, f32) {
        (self.sum() * self.direction, 0.0)
    }
}
