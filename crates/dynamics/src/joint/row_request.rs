//! Scalar constraints that a joint requests from the direct solver.
//!
//! A joint lists its rows in a fixed order and gets their impulses back in the same order.

use super::shared::{Limit, Motor, Spring};
use cairn2d_geometry::math::Vec2;
use smallvec::SmallVec;

/// A coordinate of B's frame relative to A's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JointCoordinate {
    /// Offset of B's anchor from A's along x, y of the world [m].
    X,
    Y,
    /// Angle between the frames [rad].
    Angle,
    /// Offset of B's anchor from A's along the x axis of A's frame, and to its left [m].
    Along,
    Across,
    /// Distance between the anchors [m].
    Length,
}

/// The target of a coordinate.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RowTarget {
    /// Equal to this value.
    Equal(f32),
    /// A velocity, with bounded impulse.
    Velocity(Motor),
    /// Not below, or not above, this value.
    AtLeast(f32),
    AtMost(f32),
    /// The rest position of a damped spring.
    Spring(Spring),
}

/// A scalar constraint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowRequest {
    pub(crate) coordinate: JointCoordinate,
    pub(crate) target: RowTarget,
}

/// The rows of a joint: most joints have two or three.
pub(crate) type RowRequests = SmallVec<[RowRequest; 6]>;

/// Stored impulses of the rows, in the order of the requests.
pub(crate) type JointImpulses = SmallVec<[f32; 6]>;

/// Lists the impulses of the optional parts that exist, in the order of [`request_drive`].
pub(crate) fn list_drive_impulses(
    impulses: &mut JointImpulses,
    (limit, motor, spring): (bool, bool, bool),
    [of_spring, of_motor, lower, upper]: [f32; 4],
) {
    if spring {
        impulses.push(of_spring);
    }
    if motor {
        impulses.push(of_motor);
    }
    if limit {
        impulses.extend([lower, upper]);
    }
}

/// Impulses of the rows in the last substep.
pub(crate) struct RowImpulses<'a> {
    /// In the order of the requests.
    pub(crate) impulses: &'a mut dyn Iterator<Item = f32>,
    /// Direction from A's anchor to B's for a length, else the x axis of A's frame.
    pub(crate) direction: Vec2,
}

impl RowImpulses<'_> {
    /// Returns the impulse of the next row.
    pub(crate) fn next(&mut self) -> f32 {
        self.impulses.next().unwrap_or(0.0)
    }

    /// Returns the impulse of the next row if it was requested, else 0.
    pub(crate) fn next_if(&mut self, is_requested: bool) -> f32 {
        if is_requested { self.next() } else { 0.0 }
    }
}

/// Requests that `coordinate` equals `value`.
pub(crate) fn request_equality(
    requests: &mut RowRequests,
    coordinate: JointCoordinate,
    value: f32,
) {
    requests.push(RowRequest {
        coordinate,
        target: RowTarget::Equal(value),
    });
}

/// Requests the optional parts on a coordinate: spring, motor, lower and upper limit, in this order. The
/// motor may act on another coordinate, `driven`.
pub(crate) fn request_drive(
    requests: &mut RowRequests,
    (coordinate, driven): (JointCoordinate, JointCoordinate),
    limit: Option<&Limit>,
    motor: Option<&Motor>,
    spring: Option<&Spring>,
) {
    let mut request = |coordinate, target| requests.push(RowRequest { coordinate, target });
    if let Some(spring) = spring {
        request(coordinate, RowTarget::Spring(*spring));
    }
    if let Some(motor) = motor {
        request(driven, RowTarget::Velocity(*motor));
    }
    if let Some(limit) = limit {
        request(coordinate, RowTarget::AtLeast(limit.lower));
        request(coordinate, RowTarget::AtMost(limit.upper));
    }
}
