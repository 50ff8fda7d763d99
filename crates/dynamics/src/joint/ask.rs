//! What a joint asks for, row by row: for the solver that holds all joints of an island at once.
//!
//! A joint lists its rows in a fixed order, and gets their impulses back in the same order.

use super::shared::{Limit, Motor, Spring};
use cairn2d_geometry::math::Vec2;
use smallvec::SmallVec;

/// A number that says how B's frame stands to A's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coordinate {
    /// Way of B's anchor from A's along x, y of the world [m].
    X,
    Y,
    /// Angle of the frames [rad].
    Angle,
    /// Way of B's anchor from A's along the x axis of A's frame, and to its left [m].
    Along,
    Across,
    /// Distance of the anchors [m].
    Length,
}

/// What is to become of a coordinate.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wish {
    /// It stays at this value.
    Hold(f32),
    /// It changes at a speed, with bounded effort.
    Drive(Motor),
    /// It does not fall below, or rise above, this value.
    AtLeast(f32),
    AtMost(f32),
    /// It is pulled to a target.
    Pull(Spring),
}

/// One row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ask {
    pub(crate) coordinate: Coordinate,
    pub(crate) wish: Wish,
}

/// The rows of a joint: most have two or three.
pub(crate) type Asks = SmallVec<[Ask; 6]>;

/// Impulses of the rows in the last substep, in order, and the x axis of A's frame or the direction from A's anchor to
/// B's, whichever the joint has.
pub(crate) struct Answers<'a> {
    pub(crate) impulses: &'a mut dyn Iterator<Item = f32>,
    pub(crate) direction: Vec2,
}

impl Answers<'_> {
    /// Returns the impulse of the next row.
    pub(crate) fn next(&mut self) -> f32 {
        self.impulses.next().unwrap_or(0.0)
    }

    /// Returns the impulse of the next row, if it was asked for.
    pub(crate) fn next_if(&mut self, asked: bool) -> f32 {
        if asked { self.next() } else { 0.0 }
    }
}

/// Asks for `coordinate` to stay at `value`.
pub(crate) fn hold(asks: &mut Asks, coordinate: Coordinate, value: f32) {
    asks.push(Ask {
        coordinate,
        wish: Wish::Hold(value),
    });
}

/// Asks for what a joint may have on a coordinate: spring, motor, lower and upper limit, in this order. The motor may act
/// on another one.
pub(crate) fn drive(
    asks: &mut Asks,
    (coordinate, driven): (Coordinate, Coordinate),
    limit: Option<&Limit>,
    motor: Option<&Motor>,
    spring: Option<&Spring>,
) {
    let mut ask = |coordinate, wish| asks.push(Ask { coordinate, wish });
    if let Some(spring) = spring {
        ask(coordinate, Wish::Pull(*spring));
    }
    if let Some(motor) = motor {
        ask(driven, Wish::Drive(*motor));
    }
    if let Some(limit) = limit {
        ask(coordinate, Wish::AtLeast(limit.lower));
        ask(coordinate, Wish::AtMost(limit.upper));
    }
}
