//! Spring, motor and limit on a coordinate of a joint, with their impulses.

use super::pair::BodyPair;
use super::row::{JointRow, PassSettings};
use super::spring::SpringRate;
use crate::joint::base::JointContext;
use crate::joint::row_request::{
    JointCoordinate, JointImpulses, RowImpulses, RowRequests, list_drive_impulses, request_drive,
};
use crate::joint::shared::{Limit, Motor, Spring};
use cairn2d_geometry::state_record;

/// The optional parts on a coordinate; the motor may act on another row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DrivePart {
    limit: Option<Limit>,
    motor: Option<Motor>,
    spring: Option<Spring>,
    pub(crate) spring_impulse: f32,
    pub(crate) motor_impulse: f32,
    lower_impulse: f32,
    upper_impulse: f32,
}

state_record!(DrivePart {
    limit,
    motor,
    spring,
    spring_impulse,
    motor_impulse,
    lower_impulse,
    upper_impulse,
});

/// The rows of spring, motor and limit.
pub(crate) struct DriveRows<'a> {
    pub(crate) spring: &'a JointRow,
    pub(crate) motor: &'a JointRow,
    pub(crate) limit: &'a JointRow,
}

impl DrivePart {
    pub(crate) fn new(limit: Option<Limit>, motor: Option<Motor>, spring: Option<Spring>) -> Self {
        Self {
            limit,
            motor,
            spring,
            spring_impulse: 0.0,
            motor_impulse: 0.0,
            lower_impulse: 0.0,
            upper_impulse: 0.0,
        }
    }

    /// Returns the part with impulses: of spring and motor, and of the lower and upper limit.
    pub(crate) fn with_impulses(
        self,
        [spring_impulse, motor_impulse]: [f32; 2],
        [lower_impulse, upper_impulse]: [f32; 2],
    ) -> Self {
        Self {
            spring_impulse,
            motor_impulse,
            lower_impulse,
            upper_impulse,
            ..self
        }
    }

    /// Returns the impulses of the lower and upper limit.
    pub(crate) fn limit_impulses(&self) -> [f32; 2] {
        [self.lower_impulse, self.upper_impulse]
    }

    /// Changes the settings; impulses stay.
    pub(crate) fn configure(
        &mut self,
        limit: Option<Limit>,
        motor: Option<Motor>,
        spring: Option<Spring>,
    ) {
        (self.limit, self.motor, self.spring) = (limit, motor, spring);
    }

    /// Requests the rows: those on a coordinate, and that of the motor on another.
    pub(crate) fn list_rows(
        &self,
        requests: &mut RowRequests,
        coordinates: (JointCoordinate, JointCoordinate),
    ) {
        let (limit, motor, spring) = (&self.limit, &self.motor, &self.spring);
        request_drive(
            requests,
            coordinates,
            limit.as_ref(),
            motor.as_ref(),
            spring.as_ref(),
        );
    }

    /// Lists the impulses of the rows.
    pub(crate) fn list_impulses(&self, impulses: &mut JointImpulses) {
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
        self.spring_impulse = impulses.next_if(self.spring.is_some());
        self.motor_impulse = impulses.next_if(self.motor.is_some());
        self.lower_impulse = impulses.next_if(self.limit.is_some());
        self.upper_impulse = impulses.next_if(self.limit.is_some());
    }

    pub(crate) fn prepare(&mut self, context: &JointContext<'_>) {
        self.spring_impulse *= context.warm_share_if(self.spring.is_some());
        self.motor_impulse *= context.warm_share_if(self.motor.is_some());
        self.lower_impulse *= context.warm_share_if(self.limit.is_some());
        self.upper_impulse *= context.warm_share_if(self.limit.is_some());
    }

    /// Returns the impulse of both ends of the limit.
    pub(crate) fn limit_impulse(&self) -> f32 {
        self.lower_impulse - self.upper_impulse
    }

    /// Returns the impulse of motor and limit.
    pub(crate) fn push(&self) -> f32 {
        self.motor_impulse + self.limit_impulse()
    }

    /// Solves the rows at the value `c` of the coordinate.
    #[inline(always)]
    pub(crate) fn solve(
        &mut self,
        rows: &DriveRows<'_>,
        c: f32,
        pair: &mut BodyPair,
        settings: &PassSettings,
    ) {
        if let Some(spring) = &self.spring {
            let c = c - spring.target;
            let x = &mut self.spring_impulse;
            let (hertz, ratio) = (spring.hertz, spring.damping_ratio);
            SpringRate::shared(hertz, ratio, settings.h, settings.crowd).drive(
                rows.spring,
                pair,
                c,
                settings.pass,
                f32::INFINITY,
                x,
            );
        }
        if let Some(motor) = self.motor.as_ref().filter(|_| settings.drives) {
            let max = settings.h * motor.max_effort;
            rows.motor
                .motor(pair, motor.speed, max, &mut self.motor_impulse);
        }
        if let Some(limit) = &self.limit {
            let row = rows.limit;
            row.limit(pair, c - limit.lower, settings, &mut self.lower_impulse);
            row.limit_above(pair, c - limit.upper, settings, &mut self.upper_impulse);
        }
    }
}
