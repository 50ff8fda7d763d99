//! Rows of joints: the same rows as in the direct solver of articulations.

use super::row::{NewtonRow, RowLaw, RowSource};
use super::system::NewtonSystem;
use crate::articulation::row::{DirectJoint, DirectRow};
use crate::articulation::vector::DVec;
use crate::body::state::BodyPose;
use crate::joint::parts::spring::SpringRate;
use crate::joint::row_request::{JointCoordinate, RowRequests, RowTarget};
use crate::joint::sim::JointSim;
use core::ops::Range;

/// Greatest error of a joint or limit that Newton's method corrects: of lengths as a share of the joint's size, of
/// angles \[rad\].
const MAX_ERROR: f64 = 0.15;

/// A joint of an island.
#[derive(Clone, Debug)]
pub(crate) struct NewtonJoint {
    pub(crate) joint: DirectJoint,
    pub(crate) rows: Range<usize>,
    /// From the centers of mass to the anchors \[m\].
    arms: [DVec; 2],
}

impl NewtonSystem {
    /// Adds the rows of a joint between the bodies at indices `ends`, for substeps of `h` \[s\]. Returns
    /// `false` if it has parts that rows cannot express.
    pub(crate) fn add_joint(
        &mut self,
        slot: u32,
        sim: &mut JointSim,
        poses: &[BodyPose],
        ends: [u32; 2],
        h: f32,
    ) -> bool {
        let mut requests = RowRequests::new();
        if !sim.list_rows(&mut requests) {
            return false;
        }
        let impulses = sim.requested_impulses();
        let carried = if sim.base.substep > 0.0 {
            f64::from(h / sim.base.substep)
        } else {
            0.0
        };
        let ends_pair = (ends[0], ends[1]);
        let joint = DirectJoint::new(slot, sim, poses, ends_pair, &self.bodies);
        let start = self.rows.len();
        for (i, request) in requests.iter().enumerate() {
            let impulse = impulses.get(i).copied().unwrap_or(0.0);
            let (law, source) = law_of(&request.target);
            let mut row = NewtonRow::new(law, source, ends, carried * f64::from(impulse));
            if let RowTarget::Velocity(motor) = request.target {
                row.bound = f64::from(h) * f64::from(motor.max_effort);
            }
            self.rows.push(row);
            self.joint_rows.push(DirectRow::new(ends_pair, request));
        }
        self.joints.push(NewtonJoint {
            joint,
            rows: start..self.rows.len(),
            arms: [DVec::default(); 2],
        });
        true
    }

    /// Computes errors and Jacobians of the rows of joints at the present poses.
    pub(crate) fn update_joints(&mut self, h: f64) {
        for i in 0..self.joints.len() {
            let frames = self.joints[i]
                .joint
                .frames(|body| self.bodies[body as usize].pose);
            self.joints[i].arms = frames.arms();
            for index in self.joints[i].rows.clone() {
                let direct = &mut self.joint_rows[index];
                direct.update(&frames, &self.bodies);
                let (error, target) = (direct.error, direct.target);
                self.rows[index].jacobian = direct.jacobian;
                self.rows[index].error = error;
                self.complete_row(index);
                if let RowTarget::Spring(spring) = target {
                    let rate = SpringRate::new(spring.hertz, spring.damping_ratio, h as f32);
                    let row = &mut self.rows[index];
                    let inverse = if row.inv_mass > 0.0 {
                        1.0 / row.inv_mass
                    } else {
                        0.0
                    };
                    // The pull acts with the error of the start of the substep, the damper on the new rate.
                    row.multiplier = -f64::from(rate.pull) * error * inverse;
                    row.stiffness = f64::from(rate.brake) * inverse;
                }
            }
        }
    }

    /// Returns `true` if no joint or limit has an error that must be closed gently: the correction of a large
    /// one throws the bodies.
    pub(crate) fn is_close(&mut self, h: f64) -> bool {
        self.update_joints(h);
        self.joints.iter().all(|joint| {
            let size = self.size_of(joint);
            joint.rows.clone().all(|index| {
                let unit = match self.joint_rows[index].coordinate {
                    JointCoordinate::Angle => 1.0,
                    _ => size,
                };
                let row = &self.rows[index];
                match row.source {
                    RowSource::Joint => row.error.abs() <= MAX_ERROR * unit,
                    RowSource::Limit => row.error >= -MAX_ERROR * unit,
                    _ => true,
                }
            })
        })
    }

    /// Returns the size of a joint \[m\]: arms and radii of gyration of its dynamic bodies.
    fn size_of(&self, joint: &NewtonJoint) -> f64 {
        let [a, b] = self.rows[joint.rows.start].ends;
        let sizes = [a, b].into_iter().zip(joint.arms).map(|(end, arm)| {
            let body = &self.bodies[end as usize];
            if body.inv_mass == 0.0 {
                0.0
            } else if body.inv_inertia == 0.0 {
                f64::INFINITY
            } else {
                arm.norm() + (body.inv_mass / body.inv_inertia).sqrt()
            }
        });
        sizes.sum()
    }

    /// Computes the geometric stiffness of bodies for substeps of `h` \[s\]: a force that pulls at the end of
    /// an arm turns the arm back into its line. A light link under tension oscillates so fast that its turn
    /// within a substep must count. Takes the impulses before or after a solve.
    pub(crate) fn find_geometric_stiffness(&mut self, h: f64, of: impl Fn(&NewtonRow) -> f64) {
        let sums = &mut self.found_geometric;
        sums.clear();
        sums.resize(self.bodies.len(), 0.0);
        for joint in &self.joints {
            for row in &self.rows[joint.rows.clone()] {
                for ((end, jacobian), arm) in
                    row.ends.into_iter().zip(&row.jacobian).zip(joint.arms)
                {
                    let pull = jacobian[0] * arm.x + jacobian[1] * arm.y;
                    sums[end as usize] += h * of(row) * pull;
                }
            }
        }
        for (sum, body) in sums.iter_mut().zip(&self.bodies) {
            *sum = if body.inv_inertia > 0.0 {
                sum.max(0.0)
            } else {
                0.0
            };
        }
    }
}

fn law_of(target: &RowTarget) -> (RowLaw, RowSource) {
    match target {
        RowTarget::Equal(_) => (RowLaw::Bilateral, RowSource::Joint),
        RowTarget::AtLeast(_) | RowTarget::AtMost(_) => (RowLaw::Push, RowSource::Limit),
        RowTarget::Spring(_) => (RowLaw::Bilateral, RowSource::Spring),
        RowTarget::Velocity(_) => (RowLaw::Bounded, RowSource::Motor),
    }
}
