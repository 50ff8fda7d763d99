//! Regularization and targets of the rows: they make the model well conditioned and correct its errors.

use super::row::{NewtonRow, RowLaw, RowSource};
use super::system::NewtonSystem;
use crate::bounded::bounded_f64;

/// Regularization of joints relative to their inverse mass, in the substeps of the world. Joints have no kinks, so
/// `f64` carries it. It falls with the square of a longer substep, so that a joint at rest yields by the same
/// length under a load.
pub(super) const JOINT_REGULARIZATION: f64 = 1.0e-8;

/// The same for contact points.
const CONTACT_REGULARIZATION: f64 = 1.0e-4;

/// The same for friction: a soft tangent, since the bounds of friction are those of the substep before. The
/// carried impulse takes out its creep. At 1e-4 heaps took twice the iterations.
const FRICTION_REGULARIZATION: f64 = 1.0e-2;

/// Greatest rate by which a contact yields to the impulse that it carries, relative to the velocity scale.
///
/// Without this bound a contact under a hundred thousand times its own mass is a soft spring without damping:
/// the carried impulse throws the bodies that were on it.
const MAX_YIELD: f64 = 0.02;

/// Share of an error that is corrected in a substep.
const CORRECTION: f64 = 0.2;

/// Errors that are not corrected: of contacts, per length of the arms, and of joints [m] or [rad]. Some units
/// in the last place of rotations, which are `f32` between steps: rows are so stiff that a correction of their
/// rounding would shake the bodies. A column with offsets swayed at 0.1 m/s.
const CONTACT_TOLERANCE: f64 = 4.8e-7;
const JOINT_TOLERANCE: f64 = 2.0e-7;

/// Rate of correction above which velocities are relaxed after the motion [m/s] or [rad/s].
const MIN_RELAXED_RATE: f64 = 1.0e-5;

/// Whether rows correct their errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Correction {
    On,
    Off,
}

impl NewtonRow {
    /// Sets the stiffness from the carried impulse. That of springs follows from the spring.
    fn set_stiffness(&mut self, scale: f64, joint_share: f64) {
        let share = match self.source {
            RowSource::Spring => return,
            RowSource::Joint | RowSource::Motor => joint_share,
            RowSource::Friction => FRICTION_REGULARIZATION,
            RowSource::Limit | RowSource::Normal => CONTACT_REGULARIZATION,
        };
        let own = share * self.inv_mass;
        let regularization = if self.law == RowLaw::Push {
            let length = match self.source {
                RowSource::Limit => self.length,
                _ => 1.0,
            };
            own / (1.0 + own * self.multiplier * length / (MAX_YIELD * scale))
        } else {
            own
        };
        self.stiffness = if regularization > 0.0 {
            1.0 / regularization
        } else {
            0.0
        };
        if self.stiffness == 0.0 {
            self.multiplier = 0.0;
        }
    }

    /// Returns the part of the present impulse that is a load, and not the impulse of a correction. That of a joint
    /// is one if `is_at_rest`.
    fn load(&self, is_at_rest: bool) -> f64 {
        let is_open = self.law == RowLaw::Push && self.error > 0.0;
        match self.source {
            RowSource::Joint if is_at_rest => self.impulse,
            RowSource::Joint | RowSource::Spring | RowSource::Motor => self.multiplier,
            // A gap that closes keeps its impulse.
            _ if is_open => self.impulse,
            RowSource::Limit | RowSource::Normal | RowSource::Friction => self.carried,
        }
    }

    /// Sets the target rate for a substep of `h` \[s\], with corrections up to `max_push`. Returns `true` if
    /// the row corrects an error that a relaxation must follow.
    fn set_target(&mut self, h: f64, max_push: f64, correction: Correction) -> bool {
        let tolerated = match self.source {
            RowSource::Normal => CONTACT_TOLERANCE * self.length,
            _ => JOINT_TOLERANCE,
        };
        let error = self.error - bounded_f64(self.error, tolerated);
        let bias = match correction {
            Correction::On => -CORRECTION / h * error,
            Correction::Off => 0.0,
        };
        match self.source {
            RowSource::Joint => self.target = bounded_f64(bias, max_push),
            RowSource::Limit | RowSource::Normal if error > 0.0 => {
                self.target = -error / h;
                return false;
            }
            RowSource::Limit | RowSource::Normal => self.target = bias.min(max_push),
            // Those of motors and surfaces do not depend on the error.
            RowSource::Spring | RowSource::Motor | RowSource::Friction => return false,
        }
        self.target.abs() > MIN_RELAXED_RATE
    }
}

impl NewtonSystem {
    /// Sets the stiffness of all rows.
    pub(crate) fn set_stiffness(&mut self) {
        for row in &mut self.rows {
            row.set_stiffness(self.scale, self.joint_share);
        }
        self.lag_factor();
    }

    /// Sets the targets of all rows: see [`NewtonRow::set_target`]. Returns `true` if a relaxation must follow.
    pub(crate) fn set_targets(&mut self, h: f64, max_push: f64, correction: Correction) -> bool {
        let mut is_relaxed = false;
        for row in &mut self.rows {
            is_relaxed |= row.set_target(h, max_push, correction);
        }
        is_relaxed
    }

    /// Sets the multipliers for a relaxation: the loads of the rows, without the impulses of corrections.
    ///
    /// A joint at rest bears its load by a small error that its correction does not close. Without the impulse it
    /// would yield by 1e-5 m/s, which a taut bridge turns into 0.1 m/s across. In a loop that does not close,
    /// joints bear large impulses against each other's corrections. These are no load, so there no joint keeps
    /// its own.
    pub(crate) fn keep_loads(&mut self) {
        let most = MAX_YIELD * self.scale;
        let mut joints = self
            .rows
            .iter()
            .filter(|row| row.source == RowSource::Joint);
        let is_at_rest = joints.all(|row| row.impulse.abs() <= most * row.stiffness);
        for row in &mut self.rows {
            row.multiplier = row.load(is_at_rest);
        }
    }
}
