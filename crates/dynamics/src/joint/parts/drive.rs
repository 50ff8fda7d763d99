//! Spring, motor and limit on a coordinate of a joint, with their impulses.

use super::lane_vec::put;
use super::pair::BodyPair;
use super::row::{Pass, PassSettings, Row};
use super::spring::{SpringRate, Springs};
use crate::joint::base::JointContext;
use crate::joint::row_request::{
    JointCoordinate, JointImpulses, RowImpulses, RowRequests, list_drive_impulses, request_drive,
};
use crate::joint::shared::{Limit, Motor, Spring};
use cairn2d_geometry::state_record;
use cairn2d_simd::{Lanes, Simd};

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

    /// Returns the impulse along the coordinate of spring and limit, and that of the motor.
    pub(crate) fn pushes(&self) -> [f32; 2] {
        let limit = self.lower_impulse - self.upper_impulse;
        [self.spring_impulse + limit, self.motor_impulse]
    }

    /// Returns the parts as seen by the lanes.
    pub(crate) fn lane(&self) -> DriveLane {
        DriveLane {
            limit: self.limit,
            motor: self.motor,
            spring: self.spring,
            impulses: [
                self.spring_impulse,
                self.motor_impulse,
                self.lower_impulse,
                self.upper_impulse,
            ],
        }
    }

    /// Stores the impulses: of spring and motor, and of the lower and upper limit.
    pub(crate) fn store_lane(&mut self, impulses: [f32; 4]) {
        [
            self.spring_impulse,
            self.motor_impulse,
            self.lower_impulse,
            self.upper_impulse,
        ] = impulses;
    }
}

/// Which optional parts a joint has, a bit each. The joints of a block have the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PartSet(u8);

/// Bits of a drive.
const LIMIT: u32 = 0;
const MOTOR: u32 = 1;
const SPRING: u32 = 2;

impl PartSet {
    /// Returns the set of a joint that has the `parts`, in order of bits.
    pub(crate) fn of<const N: usize>(parts: [bool; N]) -> Self {
        let bits = (0..).zip(parts).map(|(bit, has)| u8::from(has) << bit);
        Self(bits.sum())
    }

    pub(crate) fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// Returns the bits.
    pub(crate) fn bits(self) -> u8 {
        self.0
    }

    /// Returns `true` if there are none.
    #[inline(always)]
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns `true` if it has the part of a bit.
    #[inline(always)]
    pub(crate) fn has(self, bit: u32) -> bool {
        self.0 >> bit & 1 == 1
    }
}

/// The parts of one joint.
pub(crate) struct DriveLane {
    pub(crate) limit: Option<Limit>,
    pub(crate) motor: Option<Motor>,
    pub(crate) spring: Option<Spring>,
    /// Of spring and motor, and of the lower and upper limit.
    pub(crate) impulses: [f32; 4],
}

impl DriveLane {
    /// Returns which parts there are.
    pub(crate) fn parts(&self) -> PartSet {
        PartSet::of([
            self.limit.is_some(),
            self.motor.is_some(),
            self.spring.is_some(),
        ])
    }
}

/// Spring, motor and limit of each joint of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drive<L> {
    springs: Springs<L>,
    target: L,
    speed: L,
    max_impulse: L,
    lower: L,
    upper: L,
    x_spring: L,
    x_motor: L,
    x_lower: L,
    x_upper: L,
}

impl<L: Lanes> Drive<L> {
    pub(crate) fn empty(simd: L::Simd) -> Self {
        let zero = L::zero(simd);
        Self {
            springs: Springs::zero(simd),
            target: zero,
            speed: zero,
            max_impulse: zero,
            lower: zero,
            upper: zero,
            x_spring: zero,
            x_motor: zero,
            x_lower: zero,
            x_upper: zero,
        }
    }

    /// Fills a lane, of a joint that shares its bodies with `crowd` others.
    pub(crate) fn put(&mut self, lane: usize, drive: &DriveLane, h: f32, crowd: u32) {
        if let Some(spring) = drive.spring {
            let rate = SpringRate::shared(spring.hertz, spring.damping_ratio, h, crowd);
            self.springs.put(lane, rate);
            put(&mut self.target, lane, spring.target);
        }
        if let Some(motor) = drive.motor {
            put(&mut self.speed, lane, motor.speed);
            put(&mut self.max_impulse, lane, h * motor.max_effort);
        }
        if let Some(limit) = drive.limit {
            put(&mut self.lower, lane, limit.lower);
            put(&mut self.upper, lane, limit.upper);
        }
        for (lanes, impulse) in self.impulses_mut().into_iter().zip(drive.impulses) {
            put(lanes, lane, impulse);
        }
    }

    fn impulses_mut(&mut self) -> [&mut L; 4] {
        [
            &mut self.x_spring,
            &mut self.x_motor,
            &mut self.x_lower,
            &mut self.x_upper,
        ]
    }

    /// Returns the impulses in a lane, as [`DrivePart::store_lane`] takes them.
    pub(crate) fn impulses(&self, lane: usize) -> [f32; 4] {
        [self.x_spring, self.x_motor, self.x_lower, self.x_upper].map(|x| x.as_slice()[lane])
    }

    /// Sets the impulse of the spring to 0.
    #[inline(always)]
    pub(crate) fn forget_spring(&mut self) {
        self.x_spring = self.x_spring.simd().zero();
    }

    /// Sets the impulses to 0.
    #[inline(always)]
    pub(crate) fn forget_impulses(&mut self) {
        let zero = self.x_spring.simd().zero();
        (self.x_spring, self.x_motor) = (zero, zero);
        (self.x_lower, self.x_upper) = (zero, zero);
    }

    /// Returns the impulse of spring and limit.
    #[inline(always)]
    pub(crate) fn unpowered(&self) -> L {
        self.x_spring + (self.x_lower - self.x_upper)
    }

    /// Returns the impulse of the motor.
    #[inline(always)]
    pub(crate) fn motor_impulse(&self) -> L {
        self.x_motor
    }

    /// Returns the impulse of motor and limit.
    #[inline(always)]
    pub(crate) fn push(&self) -> L {
        self.x_motor + (self.x_lower - self.x_upper)
    }

    /// Solves the rows of spring, motor and limit at the value `c` of the coordinate.
    #[inline(always)]
    pub(crate) fn solve(
        &mut self,
        parts: PartSet,
        (spring, motor, limit): (impl Row<L>, impl Row<L>, impl Row<L>),
        c: L,
        pair: &mut BodyPair<L>,
        settings: &PassSettings<L>,
    ) {
        if parts.has(SPRING) && settings.pass == Pass::Solve {
            let c = c - self.target;
            self.springs
                .drive(spring, pair, c, None, &mut self.x_spring);
        }
        if parts.has(MOTOR) && settings.drives {
            motor.motor(pair, self.speed, self.max_impulse, &mut self.x_motor);
        }
        if parts.has(LIMIT) {
            limit.limit(pair, c - self.lower, settings, &mut self.x_lower);
            limit.limit_above(pair, c - self.upper, settings, &mut self.x_upper);
        }
    }
}
