//! Scalar constraints that a joint requests from the direct solver.
//!
//! A joint lists its rows in a fixed order and gets their impulses back in the same order.

use super::shared::{Motor, Spring};
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

impl RowTarget {
    /// Returns `true` if the row bounds a coordinate on one side.
    pub(crate) fn is_limit(&self) -> bool {
        matches!(self, Self::AtLeast(_) | Self::AtMost(_))
    }
}

/// A scalar constraint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowRequest {
    pub(crate) coordinate: JointCoordinate,
    pub(crate) target: RowTarget,
}

/// Greatest number of rows of a joint; most joints have two or three.
pub(crate) const MAX_ROWS: usize = 6;

/// The rows of a joint.
pub(crate) type RowRequests = SmallVec<[RowRequest; MAX_ROWS]>;

/// Stored impulses of the rows, in the order of the requests.
pub(crate) type JointImpulses = SmallVec<[f32; MAX_ROWS]>;

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
