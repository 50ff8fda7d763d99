//! The energy of the springs of a joint.

use super::base::JointAnchors;
use super::parts::angle::nearest_turn;
use super::parts::spring::SpringRate;
use super::row_request::{JointCoordinate, RowRequest, RowRequests, RowTarget};
use super::shared::JointSoftness;
use super::sim::{JointKind, JointSim};
use crate::body::state::{BodyMass, BodyPose, BodyState};
use crate::body::table::BodyTable;
use crate::id::NO_SLOT;
use cairn2d_geometry::math::{Vec2, cross, cross_scalar};

/// Energy of springs \[J\].
///
/// A spring of stiffness k that acts with its length C before a substep, and on the velocity after it, conserves
/// `k C (C - h C') / 2` besides the kinetic energy, not `k C^2 / 2`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SpringEnergy {
    /// `k C^2 / 2`.
    pub(crate) of_length: f64,
    /// `-h k C C' / 2`: in proportion to the velocities.
    pub(crate) of_speed: f64,
    /// Farthest that a spring creeps on against its damper \[m, rad\].
    pub(crate) creep: f32,
}

/// A joint at the present place of its bodies within a step.
struct PlacedJoint {
    /// Between bodies 0 and 1.
    joint: JointSim,
    poses: [BodyPose; 2],
    states: [BodyState; 2],
    masses: [BodyMass; 2],
    anchors: JointAnchors,
    /// Substep \[s\].
    h: f32,
    energy: SpringEnergy,
}

impl JointSim {
    /// Returns the energy of the springs in substeps of `h` \[s\], with the bodies where the step has moved them.
    pub(crate) fn spring_energy(&self, bodies: &BodyTable, h: f32) -> SpringEnergy {
        let mut rows = RowRequests::new();
        self.list_rows(&mut rows);
        let mut springs = PlacedJoint::new(self, bodies, h);
        for row in &rows {
            if let RowTarget::Spring(spring) = row.target {
                let softness = JointSoftness {
                    hertz: spring.hertz,
                    damping_ratio: spring.damping_ratio,
                };
                springs.add_row(softness, row.coordinate, spring.target, f32::INFINITY);
            }
        }
        springs.add_soft_parts();
        springs.energy
    }

    /// Returns the effective mass of the coordinate of the joint's spring [kg or kg m^2]; `None` without a spring.
    pub(crate) fn spring_mass(&self, bodies: &BodyTable) -> Option<f32> {
        let mut rows = RowRequests::new();
        self.list_rows(&mut rows);
        let is_spring = |row: &&RowRequest| matches!(row.target, RowTarget::Spring(_));
        let spring = rows.iter().find(is_spring)?;
        let joint = PlacedJoint::new(self, bodies, 0.0);
        Some(joint.coordinate(spring.coordinate).0.0)
    }
}

impl PlacedJoint {
    fn new(joint: &JointSim, bodies: &BodyTable, h: f32) -> Self {
        let (a, b) = joint.base.moving_slots();
        let states = [a, b].map(|slot| match slot {
            NO_SLOT => BodyState::IDENTITY,
            slot => bodies.states[slot as usize],
        });
        let (start_a, start_b) = joint.base.poses(&bodies.poses);
        let poses = [states[0].end_of(start_a), states[1].end_of(start_b)];
        let masses =
            [joint.base.body_a, joint.base.body_b].map(|slot| bodies.masses[slot as usize]);
        let mut joint = joint.clone();
        (joint.base.body_a, joint.base.body_b) = (0, 1);
        let anchors = joint.base.anchors(&poses);
        Self {
            joint,
            poses,
            states,
            masses,
            anchors,
            h,
            energy: SpringEnergy::default(),
        }
    }

    /// Adds a spring, given its force on a unit frequency, and the products of that with C and C'.
    fn add(&mut self, spring: JointSoftness, force: f32, products: [f32; 2], max_force: f32) {
        let crowd = self.joint.base.crowd();
        let rate = SpringRate::shared(spring.hertz, spring.damping_ratio, self.h, crowd);
        if force > 0.0 {
            let creep = rate.brake / rate.pull * products[1].abs() / force;
            self.energy.creep = self.energy.creep.max(creep);
        }
        let mut square = rate.pull / (self.h * (1.0 + rate.brake));
        if square * force > max_force {
            square = max_force / force;
        }
        let [length, speed] = products.map(|x| f64::from(square) * f64::from(x));
        self.energy.of_length += 0.5 * length;
        self.energy.of_speed -= 0.5 * f64::from(self.h) * speed;
    }

    /// Returns effective mass and rate of the angle.
    fn turn(&self) -> (f32, f32) {
        let inverse = self.masses.iter().map(|mass| mass.inv_inertia).sum();
        let rate = self.states[1].angular_velocity - self.states[0].angular_velocity;
        (inverse_or_zero(inverse), rate)
    }

    /// Returns effective mass and rate of the distance of the points at `arms` along a unit vector.
    fn row(&self, axis: Vec2, arms: [Vec2; 2]) -> (f32, f32) {
        let (mut inverse, mut rate) = (0.0, 0.0);
        for (i, sign) in [(0, -1.0), (1, 1.0)] {
            let (state, mass, turn) = (&self.states[i], &self.masses[i], cross(&arms[i], &axis));
            inverse += mass.inv_mass + mass.inv_inertia * turn * turn;
            rate += sign * (state.velocity.dot(&axis) + state.angular_velocity * turn);
        }
        (inverse_or_zero(inverse), rate)
    }

    /// Returns the effective mass of the point at `arms`, a matrix, times its gap.
    fn point_force(&self, arms: [Vec2; 2], gap: Vec2) -> Vec2 {
        let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
        for (mass, arm) in self.masses.iter().zip(&arms) {
            xx += mass.inv_mass + mass.inv_inertia * arm.y * arm.y;
            yy += mass.inv_mass + mass.inv_inertia * arm.x * arm.x;
            xy -= mass.inv_inertia * arm.x * arm.y;
        }
        let force = Vec2::new(yy * gap.x - xy * gap.y, xx * gap.y - xy * gap.x);
        inverse_or_zero(xx * yy - xy * xy) * force
    }

    fn add_row(
        &mut self,
        spring: JointSoftness,
        coordinate: JointCoordinate,
        rest: f32,
        max_force: f32,
    ) {
        let ((mass, velocity), c) = self.coordinate(coordinate);
        let c = c - rest;
        let force = mass * c;
        let products = [force * c, force * velocity];
        self.add(spring, force.abs(), products, max_force);
    }

    /// Returns effective mass and rate of a coordinate, and its value.
    fn coordinate(&self, coordinate: JointCoordinate) -> ((f32, f32), f32) {
        let JointAnchors { arm_a, arm_b, gap } = self.anchors;
        match coordinate {
            JointCoordinate::Angle => (self.turn(), self.joint.angle(&self.poses)),
            JointCoordinate::Length => {
                let length = gap.norm();
                let axis = gap / length.max(f32::MIN_POSITIVE);
                (self.row(axis, [arm_a, arm_b]), length)
            }
            _ => {
                let axis = self.joint.base.axis(&self.poses);
                (self.row(axis, [arm_a + gap, arm_b]), gap.dot(&axis))
            }
        }
    }

    /// Adds the springs of a weld or motor joint.
    fn add_soft_parts(&mut self) {
        let JointAnchors { arm_a, arm_b, gap } = self.anchors;
        let (linear, angular, arm_a, rest, [max_force, max_torque]) = match &self.joint.kind {
            JointKind::Weld(weld) => (weld.linear, weld.angular, arm_a, 0.0, [f32::INFINITY; 2]),
            JointKind::Motor(motor) => {
                let drives = &motor.drives;
                // The angle of the joint is not unwrapped, that of its spring is.
                let angle = self.joint.base.angle(&self.poses);
                let rest = angle - nearest_turn(angle, motor.angle);
                let max = [drives.max_spring_force, drives.max_spring_torque];
                (
                    drives.linear_spring,
                    drives.angular_spring,
                    arm_a + gap,
                    rest,
                    max,
                )
            }
            _ => return,
        };
        if let Some(spring) = linear {
            let force = self.point_force([arm_a, arm_b], gap);
            let [a, b] = &self.states;
            let velocity = (b.velocity + cross_scalar(b.angular_velocity, &arm_b))
                - (a.velocity + cross_scalar(a.angular_velocity, &arm_a));
            let products = [force.dot(&gap), force.dot(&velocity)];
            self.add(spring, force.norm(), products, max_force);
        }
        if let Some(spring) = angular {
            self.add_row(spring, JointCoordinate::Angle, rest, max_torque);
        }
    }
}

fn inverse_or_zero(x: f32) -> f32 {
    if x > 0.0 { 1.0 / x } else { 0.0 }
}
