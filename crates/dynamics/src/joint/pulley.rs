//! Pulley joint: a rope over two wheels. Part: a limit on the rope's length.

use super::base::{JointBase, JointContext};
use super::error::{JointDefError, coordinate, positive};
use super::parts::pair::BodyPair;
use super::parts::row::{JointRow, PassSettings};
use super::shared::JointBaseDef;
use crate::id::BodyId;
use cairn2d_geometry::math::{Vec2, WorldPoint, cross};
use cairn2d_geometry::state_record;

/// A rope from A's anchor over two fixed wheels to B's anchor: `length_a + ratio * length_b <= length`.
///
/// With a ratio other than 1 it is a block and tackle: B's side carries `ratio` times the force. The rope
/// only pulls; it may be slack.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct PulleyJointDef {
    /// Settings common to all joints; `collide_connected` starts true.
    pub base: JointBaseDef,
    /// Wheel on A's side, in the world \[m\].
    pub wheel_a: WorldPoint,
    /// Wheel on B's side, in the world \[m\].
    pub wheel_b: WorldPoint,
    /// Length of the rope \[m\].
    pub length: f32,
    /// Advantage of B's side. Default 1.
    pub ratio: f32,
}

state_record!(PulleyJointDef {
    base,
    wheel_a,
    wheel_b,
    length,
    ratio,
});

impl PulleyJointDef {
    /// Returns the rope of `length` \[m\] over the wheels, tied to the origins of the two bodies.
    #[must_use]
    pub const fn new(
        body_a: BodyId,
        body_b: BodyId,
        wheel_a: WorldPoint,
        wheel_b: WorldPoint,
        length: f32,
    ) -> Self {
        let mut base = JointBaseDef::new(body_a, body_b);
        base.collide_connected = true;
        Self {
            base,
            wheel_a,
            wheel_b,
            length,
            ratio: 1.0,
        }
    }

    /// Checks all fields.
    ///
    /// # Errors
    /// If a number is not finite, an anchor or wheel is beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE), or
    /// length or ratio are not positive.
    pub fn validate(&self) -> Result<(), JointDefError> {
        self.base.validate()?;
        for (field, wheel) in [("wheel_a", self.wheel_a), ("wheel_b", self.wheel_b)] {
            coordinate(field, wheel.x as f32)?;
            coordinate(field, wheel.y as f32)?;
        }
        positive("length", self.length)?;
        positive("ratio", self.ratio)
    }
}

/// A pulley joint in the solver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PulleyJoint {
    wheel_a: WorldPoint,
    wheel_b: WorldPoint,
    length: f32,
    ratio: f32,
    /// From the wheels to the anchors at the start of the step [m].
    start_a: Vec2,
    start_b: Vec2,
    /// Last unit vector from B's wheel to its anchor.
    direction_b: Vec2,
    tension_impulse: f32,
}

state_record!(PulleyJoint {
    wheel_a,
    wheel_b,
    length,
    ratio,
    start_a,
    start_b,
    direction_b,
    tension_impulse,
});

impl PulleyJoint {
    pub(crate) fn new(def: &PulleyJointDef) -> Self {
        let zero = Vec2::new(0.0, 0.0);
        Self {
            wheel_a: def.wheel_a,
            wheel_b: def.wheel_b,
            length: def.length,
            ratio: def.ratio,
            start_a: zero,
            start_b: zero,
            direction_b: zero,
            tension_impulse: 0.0,
        }
    }

    /// Takes over the settings of `def`; impulses stay.
    pub(crate) fn configure(&mut self, def: &PulleyJointDef) {
        self.wheel_a = def.wheel_a;
        self.wheel_b = def.wheel_b;
        self.length = def.length;
        self.ratio = def.ratio;
    }

    /// Sets the impulses to 0.
    pub(crate) fn forget_impulses(&mut self) {
        self.tension_impulse = 0.0;
    }

    pub(crate) fn prepare(&mut self, base: &JointBase, context: &JointContext<'_>) {
        let (a, b) = base.poses(context.poses);
        self.start_a = (a.center - self.wheel_a) + base.step.arm_a;
        self.start_b = (b.center - self.wheel_b) + base.step.arm_b;
        self.tension_impulse *= context.warm_share;
    }

    /// Returns the row on the slack, and the slack.
    #[inline(always)]
    fn measure(&mut self, base: &JointBase, pair: &BodyPair) -> (JointRow, f32) {
        let (rope_a, length_a) = unit(self.start_a + pair.a.displacement(base.step.arm_a));
        let (rope_b, length_b) = unit(self.start_b + pair.b.displacement(base.step.arm_b));
        self.direction_b = rope_b;
        let (arm_a, arm_b) = base.arms(pair);
        let row = JointRow {
            linear_a: -rope_a,
            angular_a: -cross(&arm_a, &rope_a),
            linear_b: -self.ratio * rope_b,
            angular_b: -self.ratio * cross(&arm_b, &rope_b),
        };
        (row, self.length - (length_a + self.ratio * length_b))
    }

    pub(crate) fn warm_start(&mut self, base: &JointBase, pair: &mut BodyPair) {
        let (row, _) = self.measure(base, pair);
        row.push(pair, self.tension_impulse);
    }

    pub(crate) fn solve(&mut self, base: &JointBase, pair: &mut BodyPair, settings: &PassSettings) {
        let (row, slack) = self.measure(base, pair);
        row.limit(pair, slack, settings, &mut self.tension_impulse);
    }

    /// Returns the linear and angular impulse on B of the last substep.
    pub(crate) fn reaction(&self) -> (Vec2, f32) {
        (-self.ratio * self.tension_impulse * self.direction_b, 0.0)
    }
}

/// Returns direction and length of `v`; both are zero for a tiny `v`.
#[inline(always)]
fn unit(v: Vec2) -> (Vec2, f32) {
    let length = v.norm();
    if length > f32::MIN_POSITIVE {
        (v / length, length)
    } else {
        (Vec2::new(0.0, 0.0), 0.0)
    }
}
