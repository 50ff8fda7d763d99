//! Spring, motor and limit on a coordinate of a joint, with their impulses.

use super::lane_vec::{empty_lanes, put};
use super::pair::BodyPair;
use super::row::{Pass, PassSettings, Row};
use super::spring::{SpringRate, Springs};
use crate::joint::base::RowContext;
use crate::joint::row_request::{JointCoordinate, RowRequest, RowRequests, RowTarget};
use crate::joint::shared::{Limit, Motor, Spring};
use cairn2d_geometry::state_record;
use cairn2d_simd::{Lanes, Simd};

/// The optional parts on a coordinate; the motor may act on another row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DriveParts {
    pub(crate) limit: Option<Limit>,
    pub(crate) motor: Option<Motor>,
    pub(crate) spring: Option<Spring>,
}

state_record!(DriveParts {
    limit,
    motor,
    spring,
});

/// Impulses of spring and motor, and of the lower and upper limit.
pub(crate) type DriveImpulses = [f32; 4];

impl DriveParts {
    pub(crate) fn new(limit: Option<Limit>, motor: Option<Motor>, spring: Option<Spring>) -> Self {
        Self {
            limit,
            motor,
            spring,
        }
    }

    /// Returns which parts there are.
    pub(crate) fn part_set(&self) -> PartSet {
        PartSet::of([
            self.limit.is_some(),
            self.motor.is_some(),
            self.spring.is_some(),
        ])
    }

    /// Returns the weight of the spring in the coupling of joints: see [`SpringRate::row_weight`]; 0 without a spring.
    pub(crate) fn spring_weight(&self, h: f32) -> f32 {
        self.spring.map_or(0.0, |spring| {
            SpringRate::row_weight(spring.hertz, spring.damping_ratio, h)
        })
    }

    /// Returns for each of the impulses whether its part is there.
    pub(crate) fn present(&self) -> [bool; 4] {
        let limit = self.limit.is_some();
        [self.spring.is_some(), self.motor.is_some(), limit, limit]
    }

    /// Requests the rows in the order of the impulses: those on a coordinate, and that of the motor on another.
    pub(crate) fn list_rows(
        &self,
        requests: &mut RowRequests,
        (coordinate, driven): (JointCoordinate, JointCoordinate),
    ) {
        let mut request = |coordinate, target| requests.push(RowRequest { coordinate, target });
        if let Some(spring) = self.spring {
            request(coordinate, RowTarget::Spring(spring));
        }
        if let Some(motor) = self.motor {
            request(driven, RowTarget::Velocity(motor));
        }
        if let Some(limit) = self.limit {
            request(coordinate, RowTarget::AtLeast(limit.lower));
            request(coordinate, RowTarget::AtMost(limit.upper));
        }
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

    /// Returns `true` if a drive with these parts has a spring.
    #[inline(always)]
    pub(crate) fn has_spring(self) -> bool {
        self.has(SPRING)
    }

    /// Returns `true` if it has the part of a bit.
    #[inline(always)]
    pub(crate) fn has(self, bit: u32) -> bool {
        self.0 >> bit & 1 == 1
    }
}

/// Spring, motor and limit of each joint of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drive<L> {
    pub(crate) springs: Springs<L>,
    target: L,
    pub(crate) speed: L,
    max_impulse: L,
    lower: L,
    upper: L,
    /// As [`DriveImpulses`].
    pub(crate) x: [L; 4],
}

empty_lanes! { Drive { springs, target, speed, max_impulse, lower, upper, x } }

impl<L: Lanes> Drive<L> {
    /// Fills a lane, except the impulses.
    pub(crate) fn put(&mut self, lane: usize, parts: &DriveParts, context: &RowContext<'_>) {
        if let Some(spring) = parts.spring {
            self.springs
                .put(lane, context.rate(spring.hertz, spring.damping_ratio));
            put(&mut self.target, lane, spring.target);
        }
        if let Some(motor) = parts.motor {
            put(&mut self.speed, lane, motor.speed);
            put(&mut self.max_impulse, lane, context.h * motor.max_effort);
        }
        if let Some(limit) = parts.limit {
            put(&mut self.lower, lane, limit.lower);
            put(&mut self.upper, lane, limit.upper);
        }
    }

    /// Sets the impulse of the spring to 0.
    #[inline(always)]
    pub(crate) fn forget_spring(&mut self) {
        self.x[0] = self.target.simd().zero();
    }

    /// Returns the impulse of spring and limit.
    #[inline(always)]
    pub(crate) fn unpowered(&self) -> L {
        self.x[0] + self.limit_impulse()
    }

    /// Returns the impulse of the motor.
    #[inline(always)]
    pub(crate) fn motor_impulse(&self) -> L {
        self.x[1]
    }

    /// Returns the impulse of the limit.
    #[inline(always)]
    pub(crate) fn limit_impulse(&self) -> L {
        let [_, _, lower, upper] = self.x;
        lower - upper
    }

    /// Returns the impulse of motor and limit.
    #[inline(always)]
    pub(crate) fn push(&self) -> L {
        self.motor_impulse() + self.limit_impulse()
    }

    /// Solves the rows of spring, motor and limit at the value `c` of the coordinate.
    #[inline(always)]
    pub(crate) fn solve(
        &mut self,
        (spring, motor, limit): (impl Row<L>, impl Row<L>, impl Row<L>),
        c: L,
        pair: &mut BodyPair<L>,
        settings: &PassSettings<L>,
    ) {
        let [x_spring, x_motor, x_lower, x_upper] = &mut self.x;
        let parts = settings.parts;
        if parts.has(SPRING) && settings.pass == Pass::Solve {
            self.springs
                .drive(spring, pair, c - self.target, None, x_spring);
        }
        if parts.has(MOTOR) && settings.drives {
            let mut speed = self.speed;
            if parts.has(LIMIT) {
                // The motor does not drive beyond its own limit, whose soft row would yield to a strong one.
                let zero = c.simd().zero();
                let inv_h = c.simd().splat(settings.inv_h);
                let [down, up] = [(self.lower - c).min(zero), (self.upper - c).max(zero)];
                speed = speed.max(down * inv_h).min(up * inv_h);
            }
            motor.motor(pair, speed, self.max_impulse, x_motor);
        }
        if parts.has(LIMIT) {
            limit.limit(pair, c - self.lower, settings, x_lower);
            limit.limit_above(pair, c - self.upper, settings, x_upper);
        }
    }
}
