//! Pulley joint: a rope over two wheels. Part: a limit on the rope's length.

use super::base::{JointBase, JointContext, JointStep, RowContext};
use super::error::{JointDefError, coordinate, positive};
use super::kind::{KindJoint, KindRows};
use super::parts::drive::PartSet;
use super::parts::lane_vec::{LaneVec, empty_lanes, put};
use super::parts::pair::{BodyPair, JointEnds};
use super::parts::row::{PassSettings, inverse_or_zero, limited};
use super::shared::JointBaseDef;
use crate::id::BodyId;
use cairn2d_geometry::math::{Vec2, WorldPoint};
use cairn2d_geometry::state_record;
use cairn2d_simd::Lanes;
use core::iter;

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
    /// Mechanical advantage of B's side. Default 1.
    #[cfg_attr(feature = "serde", serde(default = "super::shared::one"))]
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

impl KindJoint for PulleyJoint {
    type Def = PulleyJointDef;

    fn new(def: &PulleyJointDef) -> Self {
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

    fn configure(&mut self, def: &PulleyJointDef) {
        self.wheel_a = def.wheel_a;
        self.wheel_b = def.wheel_b;
        self.length = def.length;
        self.ratio = def.ratio;
    }

    fn impulses(&mut self) -> impl Iterator<Item = &mut f32> {
        iter::once(&mut self.tension_impulse)
    }

    fn prepare(&mut self, base: &JointBase, step: &JointStep, context: &JointContext<'_>) {
        let (a, b) = base.poses(context.poses);
        self.start_a = (a.center - self.wheel_a) + step.arm_a;
        self.start_b = (b.center - self.wheel_b) + step.arm_b;
        self.carry_impulses(context.warm_share);
    }

    fn reaction(&self) -> (Vec2, f32) {
        (-self.ratio * self.tension_impulse * self.direction_b, 0.0)
    }
}

/// Pulley joints in lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PulleyRows<L> {
    length: L,
    ratio: L,
    start_a: LaneVec<L>,
    start_b: LaneVec<L>,
    direction_b: LaneVec<L>,
    x: L,
}

/// The rope of each pulley: unit vectors from the wheels to the anchors, zero where they coincide, and what is left of
/// its length.
struct Rope<L> {
    a: LaneVec<L>,
    b: LaneVec<L>,
    slack: L,
}

empty_lanes! { PulleyRows { length, ratio, start_a, start_b, direction_b, x } }

impl<L: Lanes> PulleyRows<L> {
    #[inline(always)]
    fn measure(&mut self, ends: &JointEnds<L>, pair: &BodyPair<L>) -> Rope<L> {
        let none = LaneVec::zero(self.x.simd());
        let [moved_a, moved_b] = ends.displacements(pair);
        let (a, length_a) = (self.start_a + moved_a).direction_or(none);
        let (b, length_b) = (self.start_b + moved_b).direction_or(none);
        self.direction_b = b;
        let slack = self.length - (length_a + self.ratio * length_b);
        Rope { a, b, slack }
    }

    /// Pulls both ends by the tension `x`.
    #[inline(always)]
    fn pull(&self, rope: &Rope<L>, ends: &JointEnds<L>, pair: &mut BodyPair<L>, x: L) {
        let arms = ends.arms(pair);
        let (pull_a, pull_b) = (rope.a * -x, rope.b * -(self.ratio * x));
        pair.a.push(pull_a, arms.a.cross(pull_a));
        pair.b.push(pull_b, arms.b.cross(pull_b));
    }
}

impl<L: Lanes> KindRows<L> for PulleyRows<L> {
    type Joint = PulleyJoint;

    #[inline(always)]
    fn impulses(&mut self) -> impl Iterator<Item = &mut L> {
        iter::once(&mut self.x)
    }

    fn put(&mut self, lane: usize, joint: &PulleyJoint, _: &RowContext<'_>) {
        put(&mut self.length, lane, joint.length);
        put(&mut self.ratio, lane, joint.ratio);
        self.start_a.put(lane, joint.start_a);
        self.start_b.put(lane, joint.start_b);
    }

    fn store_direction(&self, lane: usize, joint: &mut PulleyJoint) {
        joint.direction_b = self.direction_b.at(lane);
    }

    #[inline(always)]
    fn warm_start(&mut self, _: PartSet, ends: &JointEnds<L>, pair: &mut BodyPair<L>) {
        let rope = self.measure(ends, pair);
        self.pull(&rope, ends, pair, self.x);
    }

    #[inline(always)]
    fn solve(&mut self, ends: &JointEnds<L>, pair: &mut BodyPair<L>, settings: &PassSettings<L>) {
        let rope = self.measure(ends, pair);
        let (arms, r) = (ends.arms(pair), self.ratio);
        let (a, b) = (&pair.a, &pair.b);
        let velocity = -(rope.a.dot(a.velocity_at(arms.a)) + r * rope.b.dot(b.velocity_at(arms.b)));
        let (turn_a, turn_b) = (arms.a.cross(rope.a), arms.b.cross(rope.b));
        let linear = a.inv_mass * rope.a.dot(rope.a) + r * r * b.inv_mass * rope.b.dot(rope.b);
        let angular = a.inv_inertia * turn_a * turn_a + r * r * b.inv_inertia * turn_b * turn_b;
        let mass = inverse_or_zero(linear + angular);
        let old = self.x;
        self.x = limited((rope.slack, velocity), mass, settings, old);
        self.pull(&rope, ends, pair, self.x - old);
    }
}
