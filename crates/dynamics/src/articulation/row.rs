//! Rows of joints at the present poses of their bodies: errors and Jacobians.

use super::active_set::MAX_POSITION_RESIDUAL;
use super::body::{DirectBody, DirectPose, SpinTrack};
use super::vector::{DVec, small_angle_of};
use crate::body::state::BodyPose;
use crate::joint::row_request::{JointCoordinate, RowRequest, RowTarget};
use crate::joint::sim::{JointKind, JointSim};
use cairn2d_geometry::math::{atan2, sin_cos};

/// A joint and its two bodies at the start of the step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DirectJoint {
    /// Joint slot.
    pub(crate) slot: u32,
    /// Indices of the bodies.
    pub(crate) a: u32,
    pub(crate) b: u32,
    /// From the centers of mass to the anchors [m].
    arm_a: DVec,
    arm_b: DVec,
    /// The x axis of A's frame.
    axis: DVec,
    /// Angle between the frames [rad].
    angle: f64,
    /// Length of a rod \[m\]; infinite for other joints.
    pub(crate) length: f32,
    /// Follows the rate at which a rod turns. Its bodies need not turn with it.
    pub(crate) track: SpinTrack,
}

/// The frames of a joint at given poses of its bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointFrames {
    /// From the centers of mass to the anchors [m].
    arm_a: DVec,
    arm_b: DVec,
    /// From A's anchor to B's [m].
    gap: DVec,
    /// The x axis of A's frame.
    axis: DVec,
    /// Angle between the frames [rad].
    angle: f64,
}

impl DirectJoint {
    /// Returns the joint between the bodies at indices `a` and `b`.
    pub(crate) fn new(
        slot: u32,
        sim: &mut JointSim,
        poses: &[BodyPose],
        (a, b): (u32, u32),
        bodies: &[DirectBody],
    ) -> Self {
        let base = sim.base;
        let (pose_a, pose_b) = base.poses(poses);
        let (body_a, body_b) = (&bodies[a as usize], &bodies[b as usize]);
        let arm = |body: &DirectBody, pose: &BodyPose, anchor| {
            DVec::wide(anchor - pose.local_center).turned(body.start)
        };
        let frame = |body: &DirectBody, angle: f32| {
            let (sin, cos) = sin_cos(angle);
            body.start.turned(DVec::new(cos.into(), sin.into()))
        };
        let axis = frame(body_a, base.frame_a.angle);
        let angle = if let JointKind::Revolute(joint) = &mut sim.kind {
            joint.update_angle(&base, poses);
            joint.angle(&base).into()
        } else {
            let other = frame(body_b, base.frame_b.angle);
            angle_between(axis, other)
        };
        Self {
            slot,
            a,
            b,
            arm_a: arm(body_a, pose_a, base.frame_a.anchor),
            arm_b: arm(body_b, pose_b, base.frame_b.anchor),
            axis,
            angle,
            length: f32::INFINITY,
            track: SpinTrack::default(),
        }
    }

    /// Returns the rate at which a rod turns [rad/s]; 0 for other joints.
    pub(crate) fn turn_rate(&self, bodies: &[DirectBody]) -> f64 {
        if self.length == f32::INFINITY {
            return 0.0;
        }
        let frames = self.frames(|body| bodies[body as usize].pose);
        let velocity = |body: u32, arm: DVec| {
            let body = &bodies[body as usize];
            body.velocity + body.spin * arm.left()
        };
        let relative = velocity(self.b, frames.arm_b) - velocity(self.a, frames.arm_a);
        frames.gap.cross(relative) / f64::from(self.length * self.length)
    }

    /// Returns the length of the arm of the body at index `body` [m].
    pub(crate) fn arm_length(&self, body: u32) -> f32 {
        let arm = if body == self.a {
            self.arm_a
        } else {
            self.arm_b
        };
        arm.norm() as f32
    }

    /// Returns the frames with the bodies at the given poses.
    pub(crate) fn frames(&self, pose: impl Fn(u32) -> DirectPose) -> JointFrames {
        let (a, b) = (pose(self.a), pose(self.b));
        let (arm_a, arm_b) = (self.arm_a.turned(a.turn), self.arm_b.turned(b.turn));
        JointFrames {
            arm_a,
            arm_b,
            gap: (b.center - a.center) + (arm_b - arm_a),
            axis: self.axis.turned(a.turn),
            angle: self.angle + (b.angle - a.angle),
        }
    }
}

/// Cosine from which the angle between two vectors counts as small: 0.45 rad, within the range of
/// `small_angle_of`.
const MIN_SMALL_ANGLE_COSINE: f64 = 0.9;

/// Returns the angle from one unit vector to another [rad]: to the last digit if it is small, else with the
/// precision of an `f32`.
fn angle_between(a: DVec, b: DVec) -> f64 {
    let turn = DVec::new(a.dot(b), a.cross(b));
    if turn.x > MIN_SMALL_ANGLE_COSINE {
        small_angle_of(turn)
    } else {
        atan2(turn.y as f32, turn.x as f32).into()
    }
}

impl JointFrames {
    /// Returns the vectors from the centers of mass of A and B to the anchors [m].
    pub(crate) fn arms(&self) -> [DVec; 2] {
        [self.arm_a, self.arm_b]
    }

    /// Returns the direction from A's anchor to B's for a length, else the axis.
    pub(crate) fn direction(&self, coordinate: JointCoordinate) -> DVec {
        match coordinate {
            JointCoordinate::Length => self.toward_b(),
            _ => self.axis,
        }
    }

    fn toward_b(&self) -> DVec {
        let length = self.gap.norm();
        if length > 0.0 {
            (1.0 / length) * self.gap
        } else {
            DVec::new(1.0, 0.0)
        }
    }

    /// Returns the value of the coordinate.
    fn value(&self, coordinate: JointCoordinate) -> f64 {
        match coordinate {
            JointCoordinate::X => self.gap.x,
            JointCoordinate::Y => self.gap.y,
            JointCoordinate::Angle => self.angle,
            JointCoordinate::Along => self.gap.dot(self.axis),
            JointCoordinate::Across => self.gap.dot(self.axis.left()),
            JointCoordinate::Length => self.gap.norm(),
        }
    }

    /// Returns the Jacobian of the coordinate for A and B: x, y, angle.
    fn jacobian(&self, coordinate: JointCoordinate) -> [[f64; 3]; 2] {
        // The axis turns with A, so A's arm reaches to B's anchor.
        let reach = self.arm_a + self.gap;
        match coordinate {
            JointCoordinate::X => along(DVec::new(1.0, 0.0), self.arm_a, self.arm_b),
            JointCoordinate::Y => along(DVec::new(0.0, 1.0), self.arm_a, self.arm_b),
            JointCoordinate::Angle => [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]],
            JointCoordinate::Along => along(self.axis, reach, self.arm_b),
            JointCoordinate::Across => along(self.axis.left(), reach, self.arm_b),
            JointCoordinate::Length => along(self.toward_b(), self.arm_a, self.arm_b),
        }
    }
}

/// Returns the Jacobian of the motion of B's arm relative to A's along a unit vector: the `f64` twin of
/// [`crate::joint::parts::row::JointRow::along`].
pub(crate) fn along(axis: DVec, arm_a: DVec, arm_b: DVec) -> [[f64; 3]; 2] {
    [
        [-axis.x, -axis.y, -arm_a.cross(axis)],
        [axis.x, axis.y, arm_b.cross(axis)],
    ]
}

/// Whether a row belongs to the active set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowState {
    /// Its impulse is solved for.
    Active,
    /// Its impulse stays at its bound.
    AtBound,
}

/// A scalar constraint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DirectRow {
    /// Indices of the bodies.
    a: u32,
    b: u32,
    pub(crate) coordinate: JointCoordinate,
    pub(crate) target: RowTarget,
    /// Derivative of the error by the motions of A and B: x, y, angle.
    pub(crate) jacobian: [[f64; 3]; 2],
    /// Velocity changes of A and B for an impulse of 1: M^-1 J^T.
    pub(crate) response: [[f64; 3]; 2],
    /// Deviation from the target; of a limit the distance from it, negative beyond.
    pub(crate) error: f64,
    /// Error at the start of the substep.
    pub(crate) start_error: f64,
    pub(crate) state: RowState,
    /// Velocity that remains for an impulse of 1: that of a damper [1/kg]. 0 if the row is rigid.
    pub(crate) compliance: f64,
    /// Impulse of the present stage, and of the substep [N s].
    pub(crate) impulse: f64,
    pub(crate) total: f64,
}

impl DirectRow {
    pub(crate) fn new((a, b): (u32, u32), request: &RowRequest) -> Self {
        let &RowRequest { coordinate, target } = request;
        Self {
            a,
            b,
            coordinate,
            target,
            jacobian: [[0.0; 3]; 2],
            response: [[0.0; 3]; 2],
            error: 0.0,
            start_error: 0.0,
            compliance: 0.0,
            state: match target {
                RowTarget::AtLeast(_) | RowTarget::AtMost(_) | RowTarget::Spring(_) => {
                    RowState::AtBound
                }
                RowTarget::Equal(_) | RowTarget::Velocity(_) => RowState::Active,
            },
            impulse: 0.0,
            total: 0.0,
        }
    }

    /// Returns the error at given frames.
    pub(crate) fn error_at(&self, frames: &JointFrames) -> f64 {
        let value = frames.value(self.coordinate);
        match self.target {
            RowTarget::Equal(at) | RowTarget::AtLeast(at) => value - f64::from(at),
            RowTarget::AtMost(at) => f64::from(at) - value,
            RowTarget::Spring(spring) => value - f64::from(spring.target),
            RowTarget::Velocity(_) => value,
        }
    }

    /// Returns the error to correct: of a limit the part beyond it, of a motor or spring none.
    pub(crate) fn open_error(&self) -> f64 {
        match self.target {
            RowTarget::Equal(_) => self.error,
            RowTarget::AtLeast(_) | RowTarget::AtMost(_) => self.error.min(0.0),
            RowTarget::Velocity(_) | RowTarget::Spring(_) => 0.0,
        }
    }

    /// Returns the error that the row must have at the end of the substep. A limit that is not reached yet may be.
    pub(crate) fn planned_error(&self) -> f64 {
        if self.target.is_limit() {
            self.start_error.min(0.0)
        } else {
            self.start_error
        }
    }

    /// Returns `true` if the row is a limit that does not touch, up to the residual of positions.
    pub(crate) fn is_open(&self) -> bool {
        self.target.is_limit() && self.error > MAX_POSITION_RESIDUAL
    }

    /// Returns the velocity that the row must have: that of a motor.
    pub(crate) fn target_velocity(&self) -> f64 {
        match self.target {
            RowTarget::Velocity(motor) => motor.speed.into(),
            _ => 0.0,
        }
    }

    /// Computes error and Jacobian at given frames.
    pub(crate) fn update(&mut self, frames: &JointFrames, bodies: &[DirectBody]) {
        self.error = self.error_at(frames);
        let jacobian = frames.jacobian(self.coordinate);
        self.jacobian = match self.target {
            RowTarget::AtMost(_) => jacobian.map(|j| j.map(|value| -value)),
            _ => jacobian,
        };
        for (side, body) in [self.a, self.b].into_iter().enumerate() {
            let body = &bodies[body as usize];
            let [x, y, turn] = self.jacobian[side];
            let (m, i) = (body.inv_mass, body.inv_inertia);
            self.response[side] = [m * x, m * y, i * turn];
        }
    }

    /// Returns the least and the greatest impulse within `time` [s].
    pub(crate) fn bounds(&self, time: f64) -> (f64, f64) {
        match self.target {
            RowTarget::Equal(_) | RowTarget::Spring(_) => (f64::NEG_INFINITY, f64::INFINITY),
            RowTarget::AtLeast(_) | RowTarget::AtMost(_) => (0.0, f64::INFINITY),
            RowTarget::Velocity(motor) => {
                let most = time * f64::from(motor.max_effort);
                (-most, most)
            }
        }
    }

    /// Applies the impulse `x`.
    pub(crate) fn push(&self, bodies: &mut [DirectBody], x: f64) {
        for (body, r) in [self.a, self.b].into_iter().zip(&self.response) {
            let body = &mut bodies[body as usize];
            body.velocity += x * DVec::new(r[0], r[1]);
            body.spin += x * r[2];
        }
    }

    /// Returns J M^-1 J2^T for the Jacobian J2 of another row.
    pub(crate) fn coupling(&self, other: &Self) -> f64 {
        let mut sum = 0.0;
        for (body, j) in [self.a, self.b].into_iter().zip(&self.jacobian) {
            for (other_body, r) in [other.a, other.b].into_iter().zip(&other.response) {
                if body == other_body {
                    sum += (j[0] * r[0] + j[1] * r[1]) + j[2] * r[2];
                }
            }
        }
        sum
    }
}
