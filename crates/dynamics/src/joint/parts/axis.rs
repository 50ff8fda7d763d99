//! A line fixed to A along which B's anchor slides.

use super::lane_vec::LaneVec;
use super::pair::{BodyPair, JointEnds};
use super::row::JointRow;
use crate::joint::base::{JointBase, JointContext};
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::state_record;
use cairn2d_simd::Lanes;

/// Direction of the x axis of A's frame at the start of the step, in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AxisPart {
    pub(crate) start: Vec2,
}

state_record!(AxisPart { start });

impl AxisPart {
    pub(crate) const UNPREPARED: Self = Self {
        start: Vec2::new(1.0, 0.0),
    };

    pub(crate) fn new(base: &JointBase, context: &JointContext<'_>) -> Self {
        Self {
            start: base.axis(context.poses),
        }
    }
}

/// The line at present.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PresentAxis<L> {
    /// Unit vector.
    pub(crate) axis: LaneVec<L>,
    /// Rows on the offset of B's anchor along the axis, and to its left.
    pub(crate) along: JointRow<L>,
    pub(crate) across: JointRow<L>,
    /// Offset of B's anchor from A's along the axis, and to its left [m].
    pub(crate) translation: L,
    pub(crate) offset: L,
}

impl<L: Lanes> PresentAxis<L> {
    /// Returns the line of joints whose axis was `start` at the start of the step.
    #[inline(always)]
    pub(crate) fn new(start: LaneVec<L>, ends: &JointEnds<L>, pair: &BodyPair<L>) -> Self {
        let axis = pair.a.turned(start);
        let across = axis.left();
        // The axis turns with A, so A's arm reaches to B's anchor.
        let arms = ends.arms_to_b(pair);
        let gap = ends.present_gap(pair);
        Self {
            axis,
            along: JointRow::along(axis, arms),
            across: JointRow::along(across, arms),
            translation: gap.dot(axis),
            offset: gap.dot(across),
        }
    }
}
