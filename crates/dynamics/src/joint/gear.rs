//! Gear joint: ties the coordinates of two joints. Part: one row over the rows of both.
//!
//! C = qa + ratio qb - constant, with the angle of a revolute joint or the translation of a prismatic one as
//! coordinate. It acts on up to four bodies, so it is never in a color.

use super::base::{JointBase, JointContext};
use super::error::{JointDefError, finite};
use super::kind::KindJoint;
use super::parts::angle::turn_of_step;
use super::parts::axis::{AxisPart, PresentAxis};
use super::parts::lane_vec::LaneVec;
use super::parts::pair::{BodyPair, JointEnds};
use super::parts::row::{JointRow, Row};
use super::shared::JointBaseDef;
use super::sim::{JointKind, JointSim};
use crate::id::NO_SLOT;
use crate::id::{BodyId, JointId};
use crate::softness::Softness;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::state_record;
use cairn2d_simd::{F32, Lanes, Simd, Single};
use core::iter;

/// Keeps `coordinate_a + ratio * coordinate_b` constant, for two revolute or prismatic joints.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct GearJointDef {
    /// Settings common to all joints. Its bodies are body B of the first joint and body B of the second, or their
    /// bodies A; frames are ignored.
    pub base: JointBaseDef,
    /// First joint: revolute or prismatic.
    pub joint_a: JointId,
    /// Second joint: revolute or prismatic.
    pub joint_b: JointId,
    /// Factor on the second coordinate: two meshing wheels have the ratio of their radii, rb / ra, and a rack
    /// on a pinion of radius r has 1 / r. Default 1.
    #[cfg_attr(feature = "serde", serde(default = "super::shared::one"))]
    pub ratio: f32,
}

state_record!(GearJointDef {
    base,
    joint_a,
    joint_b,
    ratio,
});

impl GearJointDef {
    /// Returns the gear between two joints; the bodies are body B of each.
    #[must_use]
    pub const fn new(body_a: BodyId, body_b: BodyId, joint_a: JointId, joint_b: JointId) -> Self {
        let mut base = JointBaseDef::new(body_a, body_b);
        base.collide_connected = true;
        Self {
            base,
            joint_a,
            joint_b,
            ratio: 1.0,
        }
    }

    /// Checks all fields.
    ///
    /// # Errors
    /// If a number is not finite, or both bodies or both joints are the same.
    pub fn validate(&self) -> Result<(), JointDefError> {
        self.base.validate()?;
        if self.joint_a == self.joint_b {
            return Err(JointDefError::SameJoint);
        }
        finite("ratio", self.ratio)
    }
}

/// Coordinate of a joint at the start of the step.
#[derive(Clone, Copy, Debug)]
enum GearCoordinate {
    /// Unwrapped angle [rad].
    Angle(f32),
    /// Translation along the axis.
    Translation(AxisPart),
}

/// Gears are solved one by one.
type One = F32<Single>;

/// One of the two joints, prepared for the step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GearSide {
    pub(crate) base: JointBase,
    pub(crate) ends: JointEnds<One>,
    coordinate: GearCoordinate,
}

impl GearSide {
    fn unprepared() -> Self {
        Self {
            base: JointBase::UNUSED,
            ends: JointEnds::empty(Single::BASELINE),
            coordinate: GearCoordinate::Angle(0.0),
        }
    }

    /// Returns the side of a joint, not prepared.
    fn of(joint: &JointSim) -> Option<Self> {
        let coordinate = match &joint.kind {
            JointKind::Revolute(revolute) => GearCoordinate::Angle(revolute.angle(&joint.base)),
            JointKind::Prismatic(prismatic) => GearCoordinate::Translation(prismatic.axis),
            _ => return None,
        };
        Some(Self {
            base: joint.base,
            ends: JointEnds::empty(Single::BASELINE),
            coordinate,
        })
    }

    /// Returns the row on the coordinate, and the coordinate.
    #[inline(always)]
    fn measure(&self, pair: &BodyPair<One>) -> (JointRow<One>, One) {
        let simd = Single::BASELINE;
        match &self.coordinate {
            GearCoordinate::Angle(start) => {
                let turn = turn_of_step(pair);
                (JointRow::angular(simd), simd.splat(*start) + turn)
            }
            GearCoordinate::Translation(axis) => {
                let mut start = LaneVec::zero(simd);
                start.put(0, axis.start);
                let line = PresentAxis::new(start, &self.ends, pair);
                (line.along, line.translation)
            }
        }
    }
}

/// Returns `true` if a gear can connect the joint.
pub(crate) fn is_gearable(joint: &JointSim) -> bool {
    GearSide::of(joint).is_some()
}

/// A gear joint in the solver.
#[derive(Clone, Debug)]
pub(crate) struct GearJoint {
    /// Slots of the two joints.
    pub(crate) joint_a: u32,
    pub(crate) joint_b: u32,
    ratio: f32,
    /// Target of the sum of coordinates; set by the first step.
    constant: Option<f32>,
    /// On the heap, as few joints are gears.
    pub(crate) sides: Box<[GearSide; 2]>,
    impulse: f32,
}

state_record!(GearJoint {
    joint_a,
    joint_b,
    ratio,
    constant,
    // Scratch: prepared anew by each step.
    sides: derived(Box::new([GearSide::unprepared(); 2])),
    impulse,
});

impl KindJoint for GearJoint {
    type Def = GearJointDef;

    fn new(def: &GearJointDef) -> Self {
        Self {
            joint_a: def.joint_a.index(),
            joint_b: def.joint_b.index(),
            ratio: def.ratio,
            constant: None,
            sides: Box::new([GearSide::unprepared(); 2]),
            impulse: 0.0,
        }
    }

    fn configure(&mut self, def: &GearJointDef) {
        if self.ratio != def.ratio {
            self.constant = None;
        }
        self.ratio = def.ratio;
        self.joint_a = def.joint_a.index();
        self.joint_b = def.joint_b.index();
    }

    fn impulses(&mut self) -> impl Iterator<Item = &mut f32> {
        iter::once(&mut self.impulse)
    }

    /// The torque, or the force, on the coordinate of its first joint.
    fn reaction(&self) -> (Vec2, f32) {
        (Vec2::new(0.0, 0.0), self.impulse)
    }
}

impl GearJoint {
    /// Prepares from the two joints, which must be prepared already. `place` returns that of the state of a body in a slot
    /// with an inverse mass.
    ///
    /// # Panics
    /// If one of them is neither revolute nor prismatic: see [`is_gearable`].
    pub(crate) fn prepare_sides(
        &mut self,
        a: &JointSim,
        b: &JointSim,
        context: &JointContext<'_>,
        place: impl Fn(u32, f32) -> u32,
    ) {
        let side =
            |joint| GearSide::of(joint).expect("gears connect revolute and prismatic joints");
        *self.sides = [side(a), side(b)];
        for side in self.sides.iter_mut() {
            let step = side.base.measure(context);
            let (slot_a, slot_b) = side.base.moving_slots();
            let places = [
                place(slot_a, step.mass_a.inv_mass),
                place(slot_b, step.mass_b.inv_mass),
            ];
            side.ends.set(0, &step, places);
        }
        self.impulse *= context.warm_share;
        if self.constant.is_none() {
            let [qa, qb] = [0, 1].map(|i| {
                let ends = &self.sides[i].ends;
                let (_, q) = self.sides[i].measure(&ends.pair_at_rest());
                q.as_slice()[0]
            });
            self.constant = Some(qa + self.ratio * qb);
        }
    }

    /// Returns the factors of the two rows.
    fn factors(&self) -> [f32; 2] {
        [1.0, self.ratio]
    }

    /// Applies `impulse` to the bodies of one side.
    #[inline(always)]
    pub(crate) fn push(&self, side: usize, pair: &mut BodyPair<One>, impulse: f32) {
        let (row, _) = self.sides[side].measure(pair);
        let impulse = self.factors()[side] * impulse;
        row.push(pair, Single::BASELINE.splat(impulse));
    }

    /// Returns the impulse of the substep before.
    pub(crate) fn impulse(&self) -> f32 {
        self.impulse
    }

    /// Returns the change of the impulse that drives C to zero, with the given softness.
    #[inline(always)]
    pub(crate) fn solve(&mut self, pairs: &[BodyPair<One>; 2], softness: &Softness) -> f32 {
        let [a, b] = pairs;
        let ((row_a, qa), (row_b, qb)) = (self.sides[0].measure(a), self.sides[1].measure(b));
        let number = |lanes: One| lanes.as_slice()[0];
        let r = self.ratio;
        let c = (number(qa) + r * number(qb)) - self.constant.unwrap_or(0.0);
        let (inv_mass_a, inv_mass_b) = (number(row_a.inv_mass(a)), number(row_b.inv_mass(b)));
        let k = inv_mass_a + r * r * inv_mass_b + 2.0 * r * self.coupling(pairs);
        let mass = if k > 0.0 { 1.0 / k } else { 0.0 };
        let velocity = number(row_a.velocity(a)) + r * number(row_b.velocity(b));
        let rate = velocity + softness.bias_rate * c;
        let change = -softness.mass_scale * mass * rate - softness.impulse_scale * self.impulse;
        self.impulse += change;
        change
    }

    /// Returns the coupling of the two rows through bodies that both joints have.
    fn coupling(&self, pairs: &[BodyPair<One>; 2]) -> f32 {
        let ends = |i: usize| {
            let (row, _) = self.sides[i].measure(&pairs[i]);
            let (slot_a, slot_b) = self.sides[i].base.moving_slots();
            let [end_a, end_b] = row.ends();
            [(slot_a, end_a, pairs[i].a), (slot_b, end_b, pairs[i].b)]
        };
        let mut sum = 0.0;
        for (slot_a, (linear_a, angular_a), body) in ends(0) {
            for (slot_b, (linear_b, angular_b), _) in ends(1) {
                if slot_a == slot_b && slot_a != NO_SLOT {
                    let shared = body.inv_mass * linear_a.dot(linear_b)
                        + body.inv_inertia * angular_a * angular_b;
                    sum += shared.as_slice()[0];
                }
            }
        }
        sum
    }
}
