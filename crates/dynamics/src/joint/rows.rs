//! The rows of joints in lanes: those of the joints of a block, all of one kind and with the same parts.

use super::base::JointContext;
use super::distance::DistanceRows;
use super::motor::MotorRows;
use super::mouse::MouseRows;
use super::parts::drive::PartSet;
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

impl<L: Lanes> JointRows<L> {
    /// No joints of a kind.
    pub(crate) fn empty(simd: L::Simd, kind: RowKind) -> Self {
        match kind {
            RowKind::None => Self::None,
            RowKind::Prismatic => Self::Prismatic(PrismaticRows::empty(simd)),
            RowKind::Distance => Self::Distance(DistanceRows::empty(simd)),
            RowKind::Weld => Self::Weld(WeldRows::empty(simd)),
            RowKind::Wheel => Self::Wheel(WheelRows::empty(simd)),
            RowKind::Motor => Self::Motor(MotorRows::empty(simd)),
            RowKind::Mouse => Self::Mouse(MouseRows::empty(simd)),
            RowKind::Pulley => Self::Pulley(PulleyRows::empty(simd)),
            RowKind::Pin => Self::Pin(PinRows::empty(simd)),
            RowKind::Hinge => Self::Hinge(HingeRows::empty(simd)),
            RowKind::LongHinge => Self::LongHinge(HingeRows::empty(simd)),
        }
    }

    /// Fills a lane with a prepared joint.
    pub(crate) fn put(&mut self, lane: usize, sim: &JointSim, context: &JointContext<'_>) {
        let (base, h, crowd) = (&sim.base, context.h, sim.base.crowd());
        match (self, &sim.kind) {
            (Self::Prismatic(rows), JointKind::Prismatic(joint)) => rows.put(lane, joint, h, crowd),
            (Self::Distance(rows), JointKind::Distance(joint)) => rows.put(lane, joint, h, crowd),
            (Self::Weld(rows), JointKind::Weld(joint)) => rows.put(lane, joint, h, crowd),
            (Self::Wheel(rows), JointKind::Wheel(joint)) => rows.put(lane, joint, h, crowd),
            (Self::Motor(rows), JointKind::Motor(joint)) => rows.put(lane, joint, h, crowd),
            (Self::Mouse(rows), JointKind::Mouse(joint)) => rows.put(lane, joint, h),
            (Self::Pulley(rows), JointKind::Pulley(joint)) => rows.put(lane, joint),
            (Self::Pin(rows), JointKind::Revolute(joint)) => rows.put(lane, joint),
            (Self::Hinge(rows) | Self::LongHinge(rows), JointKind::Revolute(joint)) => {
                rows.put(lane, joint, base, context);
            }
            _ => {}
        }
    }

    /// Writes the impulses of a lane back to its joint.
    pub(crate) fn store(&self, lane: usize, sim: &mut JointSim) {
        match (self, &mut sim.kind) {
            (Self::Prismatic(rows), JointKind::Prismatic(joint)) => rows.store(lane, joint),
            (Self::Distance(rows), JointKind::Distance(joint)) => rows.store(lane, joint),
            (Self::Weld(rows), JointKind::Weld(joint)) => rows.store(lane, joint),
            (Self::Wheel(rows), JointKind::Wheel(joint)) => rows.store(lane, joint),
            (Self::Motor(rows), JointKind::Motor(joint)) => rows.store(lane, joint),
            (Self::Mouse(rows), JointKind::Mouse(joint)) => rows.store(lane, joint),
            (Self::Pulley(rows), JointKind::Pulley(joint)) => rows.store(lane, joint),
            (Self::Pin(rows), JointKind::Revolute(joint)) => rows.store(lane, joint),
            (Self::Hinge(rows) | Self::LongHinge(rows), JointKind::Revolute(joint)) => {
                rows.store(lane, joint);
            }
            _ => {}
        }
    }

    /// Applies the stored impulses.
    #[inline(always)]
    pub(crate) fn warm_start(
        &mut self,
        parts: PartSet,
        ends: &JointEnds<L>,
        pair: &mut BodyPair<L>,
    ) {
        match self {
            Self::None => {}
            Self::Prismatic(rows) => rows.warm_start(ends, pair),
            Self::Distance(rows) => rows.warm_start(parts, ends, pair),
            Self::Weld(rows) => rows.warm_start(ends, pair),
            Self::Wheel(rows) => rows.warm_start(ends, pair),
            Self::Motor(rows) => rows.warm_start(ends, pair),
            Self::Mouse(rows) => rows.warm_start(ends, pair),
            Self::Pulley(rows) => rows.warm_start(ends, pair),
            Self::Pin(rows) => rows.warm_start(ends, pair),
            Self::Hinge(rows) | Self::LongHinge(rows) => rows.warm_start(ends, pair),
        }
    }

    /// Solves or relaxes.
    #[inline(always)]
    pub(crate) fn solve(
        &mut self,
        parts: PartSet,
        ends: &JointEnds<L>,
        pair: &mut BodyPair<L>,
        settings: &PassSettings<L>,
    ) {
        match self {
            Self::None => {}
            Self::Prismatic(rows) => rows.solve(parts, ends, pair, settings),
            Self::Distance(rows) => rows.solve(parts, ends, pair, settings),
            Self::Weld(rows) => rows.solve(parts, ends, pair, settings),
            Self::Wheel(rows) => rows.solve(parts, ends, pair, settings),
            Self::Motor(rows) => rows.solve(parts, ends, pair, settings),
            Self::Mouse(rows) => rows.solve(ends, pair, settings),
            Self::Pulley(rows) => rows.solve(ends, pair, settings),
            Self::Pin(rows) => rows.solve(ends, pair, settings),
            Self::Hinge(rows) => rows.solve(parts, ends, pair, settings),
            Self::LongHinge(rows) => rows.solve_long(parts, ends, pair, settings),
        }
    }

    /// Sets the impulses of springs to 0.
    #[inline(always)]
    pub(crate) fn forget_springs(&mut self, parts: PartSet) {
        match self {
            Self::Prismatic(rows) => rows.forget_springs(),
            Self::Distance(rows) => rows.forget_springs(),
            Self::Weld(rows) => rows.forget_springs(parts),
            Self::Wheel(rows) => rows.forget_springs(),
            Self::Motor(rows) => rows.forget_springs(),
            Self::Hinge(rows) | Self::LongHinge(rows) => rows.forget_springs(),
            Self::None | Self::Mouse(_) | Self::Pulley(_) | Self::Pin(_) => {}
        }
    }

    /// Sets the impulses to 0.
    #[inline(always)]
    pub(crate) fn forget_impulses(&mut self) {
        match self {
            Self::None => {}
            Self::Prismatic(rows) => rows.forget_impulses(),
            Self::Distance(rows) => rows.forget_impulses(),
            Self::Weld(rows) => rows.forget_impulses(),
            Self::Wheel(rows) => rows.forget_impulses(),
            Self::Motor(rows) => rows.forget_impulses(),
            Self::Mouse(rows) => rows.forget_impulses(),
            Self::Pulley(rows) => rows.forget_impulses(),
            Self::Pin(rows) => rows.forget_impulses(),
            Self::Hinge(rows) | Self::LongHinge(rows) => rows.forget_impulses(),
        }
    }
}
