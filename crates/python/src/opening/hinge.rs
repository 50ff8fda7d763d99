//! A revolute joint of an open linkage: `b2RevoluteJoint` of Box2D 2.3.

use super::part::Part;
use super::{ANGULAR_SLOP, MAX_TURN, SLOP};
use cairn2d::math::Vec2;
use cairn2d::nalgebra::{Matrix2, Matrix3, Vector3};
use cairn2d::{JointId, RevoluteJointDef};

/// Which limit a joint is at, or beyond. It is found at the start of a step, and holds for all of it: a limit that the
/// bodies cross while their positions are corrected is not seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AtLimit {
    Neither,
    Lower,
    Upper,
    /// Both are the same.
    Both,
}

/// A joint and what it has done in this step.
#[derive(Clone, Debug)]
pub(super) struct OpenHinge {
    pub(super) id: JointId,
    pub(super) parts: [usize; 2],
    def: RevoluteJointDef,
    at_limit: AtLimit,
    arms: [Vec2; 2],
    /// Inverse effective mass of both anchors and the angle.
    stiffness: Matrix3<f32>,
    /// Effective mass of both anchors; `None` if nothing can move.
    anchor_mass: Option<Matrix2<f32>>,
    /// Effective mass of both anchors and the angle, at a limit.
    limit_mass: Option<Matrix3<f32>>,
    /// Effective mass of the angle.
    turn_mass: f32,
    impulse: Vector3<f32>,
    motor_impulse: f32,
}

/// Two different parts of a list.
fn two(parts: &mut [Part], at: [usize; 2]) -> [&mut Part; 2] {
    parts.get_disjoint_mut(at).expect("a joint has two bodies")
}

impl OpenHinge {
    pub(super) fn new(id: JointId, parts: [usize; 2], def: RevoluteJointDef) -> Self {
        Self {
            id,
            parts,
            def,
            at_limit: AtLimit::Neither,
            arms: [Vec2::zeros(); 2],
            stiffness: Matrix3::zeros(),
            anchor_mass: None,
            limit_mass: None,
            turn_mass: 0.0,
            impulse: Vector3::zeros(),
            motor_impulse: 0.0,
        }
    }

    /// Angle from A to B [rad].
    fn angle(&self, [a, b]: [&Part; 2]) -> f32 {
        let base = &self.def.base;
        (b.angle + base.frame_b.angle) - (a.angle + base.frame_a.angle)
    }

    fn arms(&self, [a, b]: [&Part; 2]) -> [Vec2; 2] {
        let base = &self.def.base;
        [
            a.arm(base.frame_a.anchor.coords),
            b.arm(base.frame_b.anchor.coords),
        ]
    }

    /// Distance of the anchors [m].
    pub(super) fn gap(&self, parts: &[Part]) -> f32 {
        let [a, b] = self.parts.map(|at| &parts[at]);
        let [arm_a, arm_b] = self.arms([a, b]);
        (b.center + arm_b - a.center - arm_a).norm()
    }

    /// Angle by which the joint is beyond its limit [rad].
    pub(super) fn excess(&self, parts: &[Part]) -> f32 {
        let angle = self.angle(self.parts.map(|at| &parts[at]));
        self.def.limit.map_or(0.0, |limit| {
            (limit.lower - angle).max(angle - limit.upper).max(0.0)
        })
    }

    /// Starts a step.
    pub(super) fn prepare(&mut self, parts: &[Part]) {
        let [a, b] = self.parts.map(|at| &parts[at]);
        self.arms = self.arms([a, b]);
        let [ra, rb] = self.arms;
        let (mass, ia, ib) = (a.inv_mass + b.inv_mass, a.inv_inertia, b.inv_inertia);
        let xx = mass + ra.y * ra.y * ia + rb.y * rb.y * ib;
        let xy = -ra.y * ra.x * ia - rb.y * rb.x * ib;
        let yy = mass + ra.x * ra.x * ia + rb.x * rb.x * ib;
        let (xz, yz) = (-ra.y * ia - rb.y * ib, ra.x * ia + rb.x * ib);
        self.stiffness = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, ia + ib);
        self.turn_mass = if ia + ib > 0.0 { 1.0 / (ia + ib) } else { 0.0 };
        let angle = self.angle([a, b]);
        self.at_limit = match self.def.limit {
            Some(limit) if (limit.upper - limit.lower).abs() < 2.0 * ANGULAR_SLOP => AtLimit::Both,
            Some(limit) if angle <= limit.lower => AtLimit::Lower,
            Some(limit) if angle >= limit.upper => AtLimit::Upper,
            _ => AtLimit::Neither,
        };
        let anchors: Matrix2<f32> = self.stiffness.fixed_view::<2, 2>(0, 0).into();
        self.anchor_mass = anchors.try_inverse();
        self.limit_mass = match self.at_limit {
            AtLimit::Neither => None,
            _ => self.stiffness.try_inverse(),
        };
        (self.impulse, self.motor_impulse) = (Vector3::zeros(), 0.0);
    }

    /// Corrects the velocities in a step of `dt` [s].
    pub(super) fn solve_velocity(&mut self, parts: &mut [Part], dt: f32) {
        self.drive(parts, dt);
        let [a, b] = two(parts, self.parts);
        let apart = b.velocity_at(self.arms[1]) - a.velocity_at(self.arms[0]);
        let impulse = if self.at_limit == AtLimit::Neither {
            let impulse = self.solve_anchors(-apart);
            Vector3::new(impulse.x, impulse.y, 0.0)
        } else {
            self.solve_limit(Vector3::new(apart.x, apart.y, b.spin - a.spin))
        };
        self.impulse += impulse;
        let (linear, turn) = (Vec2::new(impulse.x, impulse.y), impulse.z);
        a.push(linear, self.arms[0], -1.0);
        b.push(linear, self.arms[1], 1.0);
        a.spin -= a.inv_inertia * turn;
        b.spin += b.inv_inertia * turn;
    }

    fn drive(&mut self, parts: &mut [Part], dt: f32) {
        let Some(motor) = self.def.motor else { return };
        if self.at_limit == AtLimit::Both {
            return;
        }
        let [a, b] = two(parts, self.parts);
        let most = dt * motor.max_effort;
        let before = self.motor_impulse;
        let wanted = before - self.turn_mass * (b.spin - a.spin - motor.speed);
        self.motor_impulse = wanted.clamp(-most, most);
        let turn = self.motor_impulse - before;
        a.spin -= a.inv_inertia * turn;
        b.spin += b.inv_inertia * turn;
    }

    /// Impulse at the anchors that changes their velocity by `change`.
    fn solve_anchors(&self, change: Vec2) -> Vec2 {
        self.anchor_mass
            .map_or_else(Vec2::zeros, |mass| mass * change)
    }

    /// Impulse at anchors and angle against their relative velocity; that of the limit only pushes.
    fn solve_limit(&self, speed: Vector3<f32>) -> Vector3<f32> {
        let Some(mass) = self.limit_mass else {
            return Vector3::zeros();
        };
        let impulse = mass * -speed;
        let sum = self.impulse.z + impulse.z;
        let pulls = match self.at_limit {
            AtLimit::Lower => sum < 0.0,
            AtLimit::Upper => sum > 0.0,
            AtLimit::Both | AtLimit::Neither => false,
        };
        if !pulls {
            return impulse;
        }
        // The impulse of the limit is taken back, and the anchors take what is left.
        let turn = Vec2::new(self.stiffness.m13, self.stiffness.m23);
        let reduced = self.solve_anchors(self.impulse.z * turn - Vec2::new(speed.x, speed.y));
        Vector3::new(reduced.x, reduced.y, -self.impulse.z)
    }

    /// Corrects the positions; returns whether they were right.
    pub(super) fn solve_position(&self, parts: &mut [Part]) -> bool {
        let angle_error = self.turn_to_limit(parts);
        self.join(parts) <= SLOP && angle_error <= ANGULAR_SLOP
    }

    /// Turns both parts towards the limit; returns the error before [rad].
    fn turn_to_limit(&self, parts: &mut [Part]) -> f32 {
        let Some(limit) = self.def.limit else {
            return 0.0;
        };
        let [a, b] = two(parts, self.parts);
        let angle = self.angle([a, b]);
        let (error, correction) = match self.at_limit {
            AtLimit::Neither => return 0.0,
            AtLimit::Both => {
                let correction = (angle - limit.lower).clamp(-MAX_TURN, MAX_TURN);
                (correction.abs(), correction)
            }
            AtLimit::Lower => {
                let beyond = angle - limit.lower;
                (-beyond, (beyond + ANGULAR_SLOP).clamp(-MAX_TURN, 0.0))
            }
            AtLimit::Upper => {
                let beyond = angle - limit.upper;
                (beyond, (beyond - ANGULAR_SLOP).clamp(0.0, MAX_TURN))
            }
        };
        a.angle += a.inv_inertia * self.turn_mass * correction;
        b.angle -= b.inv_inertia * self.turn_mass * correction;
        error
    }

    /// Moves both parts so that their anchors meet; returns the gap before [m].
    pub(super) fn join(&self, parts: &mut [Part]) -> f32 {
        let [a, b] = two(parts, self.parts);
        let [ra, rb] = self.arms([a, b]);
        let gap = b.center + rb - a.center - ra;
        let (mass, ia, ib) = (a.inv_mass + b.inv_mass, a.inv_inertia, b.inv_inertia);
        let xy = -ia * ra.x * ra.y - ib * rb.x * rb.y;
        let stiffness = Matrix2::new(
            mass + ia * ra.y * ra.y + ib * rb.y * rb.y,
            xy,
            xy,
            mass + ia * ra.x * ra.x + ib * rb.x * rb.x,
        );
        let Some(inverse) = stiffness.try_inverse() else {
            return 0.0;
        };
        let impulse = -(inverse * gap);
        a.shift(impulse, ra, -1.0);
        b.shift(impulse, rb, 1.0);
        gap.norm()
    }
}
