//! Regularization and targets of the rows: they make the model well conditioned and correct its errors.

use super::row::{NewtonRow, RowSource};
use super::system::NewtonSystem;
use crate::bounded::bounded_f64;
use crate::joint::row_request::RowTarget;

/// Regularization of joints relative to their inverse mass, in the substeps of the world. Joints have no kinks, so
/// `f64` carries it. It falls with the square of a longer substep, so that a joint at rest yields by the same
/// length under a load.
pub(super) const JOINT_REGULARIZATION: f64 = 1.0e-8;

/// The same for contacts and limits, which carry their impulse from substep to substep: a load takes none of it,
/// only a change of the load yields. A hundred times stiffer rows would let the first kink on a search direction end
/// it, and a pile would take ten times the iterations.
const CONTACT_REGULARIZATION: f64 = 0.01;

/// The same for motors, which change their impulse in each substep while they speed up.
const MOTOR_REGULARIZATION: f64 = 1.0e-3;

/// Greatest rate by which a contact yields to the impulse that it carries, relative to the velocity scale.
///
/// Without this bound a contact under a hundred thousand times its own mass is a soft spring without damping:
/// the carried impulse throws the bodies that were on it.
const MAX_YIELD: f64 = 0.05;

/// The stiffness that this bound gives the tangent, relative to that of a normal. Without it a plank of a hundred times the
/// mass of two below rang on them at 0.02 m/s.
const FRICTION_SHARE: f64 = 0.3;

/// Greatest rate at which joints close their error by velocity, relative to the velocity scale; the rest of the
/// correction moves the bodies alone. A straight chain has no rate across, so its error must meet a velocity; that of
/// a large error threw planks at 140 m/s.
const MAX_JOINT_RATE: f64 = 0.2;

/// Shares of the errors of contacts, and of joints and limits, that are corrected in a substep.
const CORRECTION: f64 = 0.2;
const JOINT_CORRECTION: f64 = 0.5;

/// Errors that are not corrected: of contacts, per length of the arms, and of joints [m] or [rad]. Some units
/// in the last place of rotations, which are `f32` between steps: rows are so stiff that a correction of their
/// rounding would shake the bodies. A column with offsets swayed at 0.1 m/s.
const CONTACT_TOLERANCE: f64 = 4.8e-7;
const JOINT_TOLERANCE: f64 = 2.0e-7;

impl NewtonRow {
    /// Sets the stiffness from the carried impulse. That of springs follows from the spring.
    fn set_stiffness(&mut self, scale: f64, joint_share: f64) {
        let share = match self.source {
            RowSource::Spring => return,
            RowSource::Joint => joint_share,
            RowSource::Motor => MOTOR_REGULARIZATION,
            _ => CONTACT_REGULARIZATION,
        };
        let own = share * self.inv_mass;
        let length = match self.source {
            RowSource::Limit => self.length,
            RowSource::Normal => 1.0,
            _ => 0.0,
        };
        let regularization = own / (1.0 + own * self.multiplier * length / (MAX_YIELD * scale));
        self.stiffness = if regularization > 0.0 {
            1.0 / regularization
        } else {
            0.0
        };
        if self.stiffness == 0.0 {
            self.multiplier = 0.0;
        }
    }

    /// Sets target rate and correction for a substep of `h` \[s\], with corrections up to `max_push`. Returns `true` if
    /// there is one.
    fn set_target(&mut self, h: f64, max_push: f64, max_joint_rate: f64) -> bool {
        let (tolerated, share) = match self.source {
            RowSource::Normal => (CONTACT_TOLERANCE * self.length, CORRECTION),
            _ => (JOINT_TOLERANCE, JOINT_CORRECTION),
        };
        let error = self.error - bounded_f64(self.error, tolerated);
        let rate = -share / h * error;
        (self.target, self.correction) = match self.source {
            RowSource::Joint => {
                let velocity = bounded_f64(rate, max_joint_rate);
                (velocity, bounded_f64(rate, max_push) - velocity)
            }
            RowSource::Limit | RowSource::Normal if error > 0.0 => (-error / h, 0.0),
            RowSource::Limit | RowSource::Normal => (0.0, rate.min(max_push)),
            // Those of motors and surfaces do not depend on the error.
            RowSource::Spring | RowSource::Motor | RowSource::Friction => return false,
        };
        self.correction != 0.0
    }
}

impl NewtonSystem {
    /// Sets the stiffness of all rows.
    pub(crate) fn set_stiffness(&mut self) {
        for row in &mut self.rows {
            row.set_stiffness(self.scale, self.joint_share);
        }
        for contact in &self.contacts {
            let points = &self.rows[contact.first_row..contact.friction_row()];
            let load: f64 = points.iter().map(|row| row.multiplier).sum();
            let tangent = &mut self.rows[contact.friction_row()];
            if tangent.stiffness > 0.0 {
                tangent.stiffness += FRICTION_SHARE * load / (MAX_YIELD * self.scale);
            }
        }
        self.lag_factor();
    }

    /// Sets targets and corrections of all rows. Returns `true` if there is a correction.
    pub(crate) fn set_targets(&mut self, h: f64, max_push: f64) -> bool {
        let max_joint_rate = MAX_JOINT_RATE * self.scale;
        let mut has_corrections = false;
        for row in &mut self.rows {
            has_corrections |= row.set_target(h, max_push, max_joint_rate);
        }
        self.set_motor_targets();
        has_corrections
    }

    /// Sets the target rates of motors. As in the sweeps, a motor does not drive beyond its own limit. Otherwise the
    /// multipliers of both would grow against each other in each substep, and a motor that is reversed would have to undo that
    /// first: a crane did not move for 2 s.
    fn set_motor_targets(&mut self) {
        for joint in &self.joints {
            for index in joint.rows.clone() {
                let driven = &self.joint_rows[index];
                let RowTarget::Velocity(motor) = driven.target else {
                    continue;
                };
                let mut speed = f64::from(motor.speed);
                for other in joint.rows.clone() {
                    let limit = &self.joint_rows[other];
                    let rate = self.rows[other].target;
                    match limit.target {
                        RowTarget::AtLeast(_) if limit.coordinate == driven.coordinate => {
                            speed = speed.max(rate);
                        }
                        RowTarget::AtMost(_) if limit.coordinate == driven.coordinate => {
                            speed = speed.min(-rate);
                        }
                        _ => {}
                    }
                }
                self.rows[index].target = speed;
            }
        }
    }
}
