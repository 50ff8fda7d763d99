//! The rows of joints in lanes: those of the joints of a block, all of one kind and with the same parts.

use super::base::{JointContext, RowContext};
use super::distance::DistanceRows;
use super::kind::KindRows;
use super::motor::MotorRows;
use super::mouse::MouseRows;
use super::parts::drive::PartSet;
use super::parts::lane_vec::Empty;
use super::parts::pair::{BodyPair, JointEnds};
use super::parts::row::PassSettings;
use super::prismatic::PrismaticRows;
use super::pulley::PulleyRows;
use super::revolute::{HingeRows, PinRows};
use super::sim::{JointKind, JointSim};
use super::weld::WeldRows;
use super::wheel::WheelRows;
use cairn2d_simd::Lanes;

/// Joints that may share a block: the same instructions solve them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LaneKind {
    pub(crate) rows: RowKind,
    pub(crate) parts: PartSet,
}

impl LaneKind {
    /// Returns the kind whose motors and limits act decoupled from the other rows, if there is one.
    pub(crate) fn decoupled(self) -> Self {
        match self.rows {
            RowKind::Hinge => Self {
                rows: RowKind::LongHinge,
                ..self
            },
            _ => self,
        }
    }
}

/// The rows of a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum RowKind {
    /// Gears, and joints without rows: in no block.
    #[default]
    None,
    Prismatic,
    Distance,
    Weld,
    Wheel,
    Motor,
    Mouse,
    Pulley,
    Pin,
    Hinge,
    LongHinge,
}

impl RowKind {
    /// In the order in which the joints of a color are solved.
    pub(crate) const ALL: [Self; 11] = [
        Self::None,
        Self::Prismatic,
        Self::Distance,
        Self::Weld,
        Self::Wheel,
        Self::Motor,
        Self::Mouse,
        Self::Pulley,
        Self::Pin,
        Self::Hinge,
        Self::LongHinge,
    ];
}

/// The rows of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) enum JointRows<L> {
    None,
    Prismatic(PrismaticRows<L>),
    Distance(DistanceRows<L>),
    Weld(WeldRows<L>),
    Wheel(WheelRows<L>),
    Motor(MotorRows<L>),
    Mouse(MouseRows<L>),
    Pulley(PulleyRows<L>),
    Pin(PinRows<L>),
    Hinge(HingeRows<L>),
    LongHinge(HingeRows<L>),
}

/// Evaluates an expression for the rows of any kind; a block without rows does nothing.
macro_rules! of_rows {
    ($self:expr, $rows:ident => $value:expr) => {
        match $self {
            JointRows::None => {}
            JointRows::Prismatic($rows) => $value,
            JointRows::Distance($rows) => $value,
            JointRows::Weld($rows) => $value,
            JointRows::Wheel($rows) => $value,
            JointRows::Motor($rows) => $value,
            JointRows::Mouse($rows) => $value,
            JointRows::Pulley($rows) => $value,
            JointRows::Pin($rows) => $value,
            JointRows::Hinge($rows) | JointRows::LongHinge($rows) => $value,
        }
    };
}

/// Evaluates an expression for the rows of any kind and a joint of theirs.
macro_rules! of_rows_and_joint {
    ($self:expr, $kind:expr, ($rows:ident, $joint:ident) => $value:expr) => {
        match ($self, $kind) {
            (JointRows::Prismatic($rows), JointKind::Prismatic($joint)) => $value,
            (JointRows::Distance($rows), JointKind::Distance($joint)) => $value,
            (JointRows::Weld($rows), JointKind::Weld($joint)) => $value,
            (JointRows::Wheel($rows), JointKind::Wheel($joint)) => $value,
            (JointRows::Motor($rows), JointKind::Motor($joint)) => $value,
            (JointRows::Mouse($rows), JointKind::Mouse($joint)) => $value,
            (JointRows::Pulley($rows), JointKind::Pulley($joint)) => $value,
            (JointRows::Pin($rows), JointKind::Revolute($joint)) => $value,
            (
                JointRows::Hinge($rows) | JointRows::LongHinge($rows),
                JointKind::Revolute($joint),
            ) => $value,
            _ => {}
        }
    };
}

impl<L: Lanes> JointRows<L> {
    /// No joints of a kind.
    pub(crate) fn empty(simd: L::Simd, kind: RowKind) -> Self {
        match kind {
            RowKind::None => Self::None,
            RowKind::Prismatic => Self::Prismatic(Empty::<L>::empty(simd)),
            RowKind::Distance => Self::Distance(Empty::<L>::empty(simd)),
            RowKind::Weld => Self::Weld(Empty::<L>::empty(simd)),
            RowKind::Wheel => Self::Wheel(Empty::<L>::empty(simd)),
            RowKind::Motor => Self::Motor(Empty::<L>::empty(simd)),
            RowKind::Mouse => Self::Mouse(Empty::<L>::empty(simd)),
            RowKind::Pulley => Self::Pulley(Empty::<L>::empty(simd)),
            RowKind::Pin => Self::Pin(Empty::<L>::empty(simd)),
            RowKind::Hinge => Self::Hinge(Empty::<L>::empty(simd)),
            RowKind::LongHinge => Self::LongHinge(Empty::<L>::empty(simd)),
        }
    }

    /// Fills a lane with a prepared joint.
    pub(crate) fn load(&mut self, lane: usize, sim: &mut JointSim, context: &JointContext<'_>) {
        let context = RowContext {
            base: &sim.base,
            h: context.h,
            warm_share: context.warm_share,
        };
        of_rows_and_joint!(self, &mut sim.kind, (rows, joint) => rows.load(lane, joint, &context));
    }

    /// Writes the impulses of a lane back to its joint.
    pub(crate) fn store(&mut self, lane: usize, sim: &mut JointSim) {
        of_rows_and_joint!(self, &mut sim.kind, (rows, joint) => rows.store(lane, joint));
    }

    /// Applies the stored impulses.
    #[inline(always)]
    pub(crate) fn warm_start(
        &mut self,
        parts: PartSet,
        ends: &JointEnds<L>,
        pair: &mut BodyPair<L>,
    ) {
        of_rows!(self, rows => rows.warm_start(parts, ends, pair));
    }

    /// Solves or relaxes.
    #[inline(always)]
    pub(crate) fn solve(
        &mut self,
        ends: &JointEnds<L>,
        pair: &mut BodyPair<L>,
        settings: &PassSettings<L>,
    ) {
        if let Self::LongHinge(rows) = self {
            rows.solve_long(ends, pair, settings);
        } else {
            of_rows!(self, rows => rows.solve(ends, pair, settings));
        }
    }

    /// Sets the impulses of springs to 0.
    #[inline(always)]
    pub(crate) fn forget_springs(&mut self, parts: PartSet) {
        of_rows!(self, rows => rows.forget_springs(parts));
    }

    /// Sets the impulses to 0.
    #[inline(always)]
    pub(crate) fn forget_impulses(&mut self) {
        of_rows!(self, rows => rows.forget_impulses());
    }
}
