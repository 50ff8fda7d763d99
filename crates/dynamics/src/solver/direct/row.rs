//! Rows of joints at the present place of their bodies: errors and Jacobians.

use super::body::{Body, Place};
use super::vector::{DVec, small_angle_of};
use crate::body::state::BodyPose;
use crate::joint::ask::{Coordinate, Wish};
use crate::joint::sim::{JointKind, JointSim};
use cairn2d_geometry::math::{atan2, sin_cos};

/// A joint and its two bodies, as they were at the start of the step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    /// Joint slot.
    pub(crate) slot: u32,
    /// Bodies, by place in the island.
    pub(crate) a: u32,
    pub(crate) b: u32,
    /// From the centres of mass to the anchors [m].
    arm_a: DVec,
    arm_b: DVec,
    /// The x axis of A's frame.
    axis: DVec,
    /// Angle of the frames [rad].
    angle: f64,
}

/// The frames of a link at present.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frames {
    pub(crate) arm_a: DVec,
    pub(crate) arm_b: DVec,
    /// From A's anchor to B's.
    pub(crate) gap: DVec,
    pub(crate) axis: DVec,
    pub(crate) angle: f64,
}

impl Link {
    /// Returns the link of a joint between the bodies at places `a` and `b`.
    pub(crate) fn new(
        slot: u32,
        sim: &mut JointSim,
        poses: &[BodyPose],
        (a, b): (u32, u32),
        bodies: &[Body],
    ) -> Self {
        let base = sim.base;
        let (pose_a, pose_b) = base.poses(poses);
        let (body_a, body_b) = (&bodies[a as usize], &bodies[b as usize]);
        let arm = |body: &Body, pose: &BodyPose, anchor| {
            DVec::wide(anchor - pose.local_center).turned(body.start)
        };
        let frame = |body: &Body, angle: f32| {
            let (sin, cos) = sin_cos(angle);
            body.start.turned(DVec::new(cos.into(), sin.into()))
        };
        let axis = frame(body_a, base.frame_a.angle);
        let angle = if let JointKind::Revolute(joint) = &mut sim.kind {
            joint.follow(&base, poses);
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
        }
    }

    /// Returns the length of the arm of the body at `place` [m].
    pub(crate) fn arm_of(&self, place: u32) -> f32 {
        let arm = if place == self.a {
            self.arm_a
        } else {
            self.arm_b
        };
        arm.norm() as f32
    }

    /// Returns where the frames are when each body is where `place` says.
    pub(crate) fn frames(&self, place: impl Fn(u32) -> Place) -> Frames {
        let (a, b) = (place(self.a), place(self.b));
        let (arm_a, arm_b) = (self.arm_a.turned(a.turn), self.arm_b.turned(b.turn));
        Frames {
            arm_a,
            arm_b,
            gap: (b.center - a.center) + (arm_b - arm_a),
            axis: self.axis.turned(a.turn),
            angle: self.angle + (b.angle - a.angle),
        }
    }
}

/// Returns the angle from one unit vector to another [rad]: to the last digit where it is small.
fn angle_between(a: DVec, b: DVec) -> f64 {
    let turn = DVec::new(a.dot(b), a.cross(b));
    if turn.x > 0.9 {
        small_angle_of(turn)
    } else {
        atan2(turn.y as f32, turn.x as f32).into()
    }
}

impl Frames {
    /// Direction that an answer is given with: from A's anchor to B's for a length, else the axis.
    pub(crate) fn direction(&self, coordinate: Coordinate) -> DVec {
        match coordinate {
            Coordinate::Length => self.toward_b(),
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

    /// Returns the coordinate.
    pub(crate) fn value(&self, coordinate: Coordinate) -> f64 {
        match coordinate {
            Coordinate::X => self.gap.x,
            Coordinate::Y => self.gap.y,
            Coordinate::Angle => self.angle,
            Coordinate::Along => self.gap.dot(self.axis),
            Coordinate::Across => self.gap.dot(self.axis.left()),
            Coordinate::Length => self.gap.norm(),
        }
    }

    /// Returns how the coordinate changes with the velocities of A and B.
    pub(crate) fn jacobian(&self, coordinate: Coordinate) -> [[f64; 3]; 2] {
        // The axis turns with A, so A's arm reaches to B's anchor.
        let reach = self.arm_a + self.gap;
        match coordinate {
            Coordinate::X => along(DVec::new(1.0, 0.0), self.arm_a, self.arm_b),
            Coordinate::Y => along(DVec::new(0.0, 1.0), self.arm_a, self.arm_b),
            Coordinate::Angle => [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]],
            Coordinate::Along => along(self.axis, reach, self.arm_b),
            Coordinate::Across => along(self.axis.left(), reach, self.arm_b),
            Coordinate::Length => along(self.toward_b(), self.arm_a, self.arm_b),
        }
    }
}

/// See [`crate::joint::parts::row::Row::along`].
fn along(axis: DVec, arm_a: DVec, arm_b: DVec) -> [[f64; 3]; 2] {
    [
        [-axis.x, -axis.y, -arm_a.cross(axis)],
        [axis.x, axis.y, arm_b.cross(axis)],
    ]
}

/// Whether a row acts at present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hold {
    /// It brings its coordinate to where it is wanted.
    Full,
    /// Its impulse is at the least or the most that it may be, and stays there.
    AtBound,
}

/// One scalar constraint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// Bodies, by place in the island.
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) coordinate: Coordinate,
    pub(crate) wish: Wish,
    /// How the error changes with the velocities of A and B.
    pub(crate) jacobian: [[f64; 3]; 2],
    /// How an impulse changes the velocities of A and B: M^-1 J^T.
    response: [[f64; 3]; 2],
    /// What is wrong: 0 where it is as wished; of a limit, how far it is from it, negative beyond.
    pub(crate) error: f64,
    /// Error that this substep started with.
    pub(crate) kept: f64,
    pub(crate) hold: Hold,
    /// Rate that is left for an impulse of 1: that of a damper [1/kg]. 0 where the row is rigid.
    pub(crate) compliance: f64,
    /// Impulse of the present stage, and of the substep [N s].
    pub(crate) impulse: f64,
    pub(crate) total: f64,
}

impl Row {
    pub(crate) fn new((a, b): (u32, u32), coordinate: Coordinate, wish: Wish) -> Self {
        Self {
            a,
            b,
            coordinate,
            wish,
            jacobian: [[0.0; 3]; 2],
            response: [[0.0; 3]; 2],
            error: 0.0,
            kept: 0.0,
            compliance: 0.0,
            hold: match wish {
                Wish::AtLeast(_) | Wish::AtMost(_) | Wish::Pull(_) => Hold::AtBound,
                Wish::Hold(_) | Wish::Drive(_) => Hold::Full,
            },
            impulse: 0.0,
            total: 0.0,
        }
    }

    /// Returns the error where the frames are.
    pub(crate) fn error_at(&self, frames: &Frames) -> f64 {
        let value = frames.value(self.coordinate);
        match self.wish {
            Wish::Hold(at) | Wish::AtLeast(at) => value - f64::from(at),
            Wish::AtMost(at) => f64::from(at) - value,
            Wish::Pull(spring) => value - f64::from(spring.target),
            Wish::Drive(_) => value,
        }
    }

    /// Error that is there to be taken out: of a limit what is beyond it, of a motor or spring none.
    pub(crate) fn open_error(&self) -> f64 {
        match self.wish {
            Wish::Hold(_) => self.error,
            Wish::AtLeast(_) | Wish::AtMost(_) => self.error.min(0.0),
            Wish::Drive(_) | Wish::Pull(_) => 0.0,
        }
    }

    /// Computes error and Jacobian where the frames are.
    pub(crate) fn update(&mut self, frames: &Frames, bodies: &[Body]) {
        self.error = self.error_at(frames);
        let jacobian = frames.jacobian(self.coordinate);
        self.jacobian = match self.wish {
            Wish::AtMost(_) => jacobian.map(|j| j.map(|value| -value)),
            _ => jacobian,
        };
        for (side, body) in [self.a, self.b].into_iter().enumerate() {
            let body = &bodies[body as usize];
            let [x, y, turn] = self.jacobian[side];
            let (m, i) = (body.inv_mass, body.inv_inertia);
            self.response[side] = [m * x, m * y, i * turn];
        }
    }

    /// Least and greatest impulse within `time` [s].
    pub(crate) fn bounds(&self, time: f64) -> (f64, f64) {
        match self.wish {
            Wish::Hold(_) | Wish::Pull(_) => (f64::NEG_INFINITY, f64::INFINITY),
            Wish::AtLeast(_) | Wish::AtMost(_) => (0.0, f64::INFINITY),
            Wish::Drive(motor) => {
                let most = time * f64::from(motor.max_effort);
                (-most, most)
            }
        }
    }

    /// Returns how fast the error changes.
    pub(crate) fn rate(&self, bodies: &[Body]) -> f64 {
        let of = |j: &[f64; 3], body: &Body| {
            j[0] * body.velocity.x + j[1] * body.velocity.y + j[2] * body.spin
        };
        let [ja, jb] = &self.jacobian;
        of(ja, &bodies[self.a as usize]) + of(jb, &bodies[self.b as usize])
    }

    /// Applies the impulse `x`.
    pub(crate) fn push(&self, bodies: &mut [Body], x: f64) {
        for (body, r) in [self.a, self.b].into_iter().zip(&self.response) {
            let body = &mut bodies[body as usize];
            body.velocity += x * DVec::new(r[0], r[1]);
            body.spin += x * r[2];
        }
    }

    /// Adds what the impulse `x` does to the velocities of the bodies.
    pub(crate) fn shift(&self, shifts: &mut [[f64; 3]], x: f64) {
        for (body, r) in [self.a, self.b].into_iter().zip(&self.response) {
            for (shift, r) in shifts[body as usize].iter_mut().zip(r) {
                *shift += x * r;
            }
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
