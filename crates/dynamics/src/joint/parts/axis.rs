//! A line fixed to A along which B's anchor slides.

use super::pair::BodyPair;
use super::row::JointRow;
use crate::joint::base::{JointBase, JointContext};
use cairn2d_geometry::math::{Vec2, left_perp};
use cairn2d_geometry::state_record;

/// Direction of the x axis of A's frame at the start of the step, in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AxisPart {
    start: Vec2,
}

state_record!(AxisPart { start });

/// The line at present.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PresentAxis {
    /// Unit vector.
    pub(crate) axis: Vec2,
    /// Rows on the offset of B's anchor along the axis, and to its left.
    pub(crate) along: JointRow,
    pub(crate) across: JointRow,
    /// Offset of B's anchor from A's along the axis, and to its left [m].
    pub(crate) translation: f32,
    pub(crate) offset: f32,
}

impl AxisPart {
    pub(crate) const UNPREPARED: Self = Self {
        start: Vec2::new(1.0, 0.0),
    };

    pub(crate) fn new(base: &JointBase, context: &JointContext<'_>) -> Self {
        Self {
            start: base.axis(context.poses),
        }
    }

    #[inline(always)]
    pub(crate) fn present(&self, base: &JointBase, pair: &BodyPair) -> PresentAxis {
        let axis = pair.a.turned(self.start);
        let across = left_perp(&axis);
        let (arm_a, arm_b) = base.arms(pair);
        let gap = base.present_gap(pair);
        // The axis turns with A, so A's arm reaches to B's anchor.
        let reach = arm_a + gap;
        PresentAxis {
            axis,
            along: JointRow::along(axis, reach, arm_b),
            across: JointRow::along(across, reach, arm_b),
            translation: gap.dot(&axis),
            offset: gap.dot(&across),
        }
    }
}
