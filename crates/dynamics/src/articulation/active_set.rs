//! Impulses that bring all rows to their targets at once: Newton's method with an active set.
//!
//! Rows with bounds (motors, limits) form an active set: rows whose impulse would exceed its bound are fixed
//! there and leave the matrix; rows at a bound whose velocity leads away from it return. Positions are found
//! by Newton's method with the matrix of the poses at the start of the substep: each iteration leaves a share
//! of the error about as large as the turn of the substep in radians.
//!
//! *Singular positions.* Where all bars of a linkage lie on a line, the rows depend on each other. In a
//! direction of the joints whose singular value is s now and s' after the substep, an iteration leaves the
//! share 1 - s'/s of the error: it diverges if s changes its sign or doubles. And the errors that
//! rounding leaves would give velocities of 1/s times them. So a substep that does not converge is regularized from there
//! to its end ([Marquardt63]): the square of the greatest planned turn,
//! by which s changes, is added to the diagonal of the matrix. The iterations then solve the directions that
//! the joints determine well, and leave the others as they are; the position error is corrected after the drift.

use super::DirectSolver;
use super::body::DirectBody;
use super::row::{DirectRow, RowState};
use crate::bounded::between;
use crate::joint::row_request::RowTarget;

/// The targets of the rows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DirectStage {
    /// After a drift of this time [s] rows have the error of the start of the substep, plus the motion of
    /// motors.
    Position(f64),
    /// Rows have no velocity, or that of their motor. Limits count where they are reached.
    Velocity,
}

/// Most iterations of the active set.
const MAX_ACTIVE_SET_ROUNDS: u32 = 12;

/// Iterations after which no row returns from its bound, so that rows do not alternate without end.
const LAST_RELEASE_ROUND: u32 = 8;

/// Tolerance of the iterations: of a position [m] or [rad], and of a velocity [m/s] or [rad/s].
const POSITION_TOLERANCE: f64 = 1.0e-9;
const VELOCITY_TOLERANCE: f64 = 1.0e-11;

/// Residual above which the result is rejected: of a position [m] or [rad], and of a velocity [m/s] or
/// [rad/s].
pub(crate) const MAX_POSITION_RESIDUAL: f64 = 1.0e-5;
const MAX_VELOCITY_RESIDUAL: f64 = 1.0e-4;

/// Distance from a limit at which it counts as reached [m] or [rad].
pub(crate) const AT_LIMIT: f64 = 1.0e-7;

impl DirectSolver {
    /// Finds and applies the impulses of a stage; those of motors and limits are bounded by their forces in
    /// `time` [s]. If the iterations do not converge, the stage is solved again with a regularized matrix.
    pub(crate) fn solve_rows(&mut self, stage: DirectStage, time: f64) {
        self.velocities.clear();
        let velocity = |body: &DirectBody| (body.velocity, body.spin);
        self.velocities.extend(self.bodies.iter().map(velocity));
        let mut is_solved = self.iterate(stage, time);
        if !is_solved && self.regularize() {
            for (body, &start) in self.bodies.iter_mut().zip(&self.velocities) {
                (body.velocity, body.spin) = start;
            }
            is_solved = self.iterate(stage, time);
        }
        self.is_converged &= is_solved || self.has_small_residual(stage, time);
        for row in &mut self.rows {
            row.total += row.impulse;
        }
    }

    /// Iterates until the targets are reached, or as long as a regularized residual falls. Returns `true` if
    /// all rows are at their targets.
    fn iterate(&mut self, stage: DirectStage, time: f64) -> bool {
        for row in &mut self.rows {
            row.impulse = 0.0;
        }
        let mut last_residual = f64::INFINITY;
        for round in 0..MAX_ACTIVE_SET_ROUNDS {
            if self.is_exhausted() {
                break;
            }
            self.count_round();
            self.measure_changes(stage);
            let is_any_released =
                round < LAST_RELEASE_ROUND && self.release_from_bounds(stage, time);
            let residual = self.residual();
            if !is_any_released && residual <= stage.tolerance() {
                return true;
            }
            if self.is_regularized() && residual >= last_residual {
                break;
            }
            last_residual = residual;
            self.refresh_matrix();
            self.matrix.solve(&mut self.changes);
            if self.stop_at_bounds(time) {
                continue;
            }
            for (row, &x) in self.rows.iter_mut().zip(&self.changes) {
                if row.state == RowState::Active {
                    row.impulse += x;
                    row.push(&mut self.bodies, x);
                }
            }
        }
        false
    }

    /// Computes the velocity change that each row needs.
    fn measure_changes(&mut self, stage: DirectStage) {
        match stage {
            DirectStage::Velocity => {
                for (change, row) in self.changes.iter_mut().zip(&self.rows) {
                    let target = row.target_velocity() - row.compliance * row.impulse;
                    *change = target - row.velocity(&self.bodies);
                }
            }
            DirectStage::Position(time) => {
                self.trial.clear();
                let after = |body: &DirectBody| body.pose_after(time);
                self.trial.extend(self.bodies.iter().map(after));
                for (place, joint) in self.joints.iter().enumerate() {
                    let frames = joint.frames(|body| self.trial[body as usize]);
                    for i in self.rows_of(place) {
                        let row = &self.rows[i];
                        let target = row.target_error() + time * row.target_velocity();
                        self.changes[i] = (target - row.error_at(&frames)) / time;
                    }
                }
            }
        }
        for (change, row) in self.changes.iter_mut().zip(&self.rows) {
            if row.state == RowState::AtBound && matches!(row.target, RowTarget::Spring(_)) {
                *change = 0.0;
            }
        }
    }

    /// Activates rows at a bound whose target leads away from it, and sets the changes of the others at
    /// bounds to 0. Returns `true` if any row was activated.
    fn release_from_bounds(&mut self, stage: DirectStage, time: f64) -> bool {
        let mut is_any_released = false;
        for (change, row) in self.changes.iter().zip(&mut self.rows) {
            if row.state == RowState::Active || matches!(row.target, RowTarget::Spring(_)) {
                continue;
            }
            let (least, most) = row.bounds(time);
            let tolerance = stage.tolerance();
            let rises = *change > tolerance && row.impulse < most && is_reached(row, stage);
            let falls = *change < -tolerance && row.impulse > least;
            if rises || falls {
                row.state = RowState::Active;
                is_any_released = true;
            }
        }
        self.is_matrix_current &= !is_any_released;
        for (change, row) in self.changes.iter_mut().zip(&self.rows) {
            if row.state == RowState::AtBound {
                *change = 0.0;
            }
        }
        is_any_released
    }

    /// Returns `true` if the residual is small enough to use the result of a stage of `time` \[s\].
    fn has_small_residual(&mut self, stage: DirectStage, time: f64) -> bool {
        self.measure_changes(stage);
        let most = match stage {
            _ if self.is_regularized() => MAX_POSITION_RESIDUAL / time,
            DirectStage::Position(time) => MAX_POSITION_RESIDUAL / time,
            DirectStage::Velocity => MAX_VELOCITY_RESIDUAL,
        };
        let changes = self.changes.iter().zip(&self.rows);
        let mut active = changes.filter(|(_, row)| row.state == RowState::Active);
        active.all(|(change, _)| change.abs() <= most)
    }

    /// Returns the greatest change that a row needs; NaN counts as infinite.
    fn residual(&self) -> f64 {
        let greater = |most: f64, change: &f64| {
            if change.abs() <= most {
                most
            } else {
                change.abs()
            }
        };
        let most = self.changes.iter().fold(0.0, greater);
        if most.is_nan() { f64::INFINITY } else { most }
    }

    /// Fixes rows whose impulse would exceed its bound at the bound. Returns `true` if there were any.
    fn stop_at_bounds(&mut self, time: f64) -> bool {
        let mut is_any_stopped = false;
        for (i, &x) in self.changes.iter().enumerate() {
            let row = &mut self.rows[i];
            let (least, most) = row.bounds(time);
            let unbounded = row.impulse + x;
            if row.state == RowState::Active && (unbounded < least || unbounded > most) {
                let change = between(unbounded, least, most) - row.impulse;
                row.impulse += change;
                row.state = RowState::AtBound;
                row.push(&mut self.bodies, change);
                is_any_stopped = true;
            }
        }
        self.is_matrix_current &= !is_any_stopped;
        is_any_stopped
    }
}

impl DirectStage {
    /// Returns the velocity change below which a row counts as solved.
    fn tolerance(self) -> f64 {
        match self {
            DirectStage::Position(time) => POSITION_TOLERANCE / time,
            DirectStage::Velocity => VELOCITY_TOLERANCE,
        }
    }
}

/// Returns `true` if a limit counts. The position stage needs no test: the change is positive only beyond the
/// limit.
fn is_reached(row: &DirectRow, stage: DirectStage) -> bool {
    match (stage, row.target) {
        (DirectStage::Velocity, RowTarget::AtLeast(_) | RowTarget::AtMost(_)) => {
            row.error <= AT_LIMIT
        }
        _ => true,
    }
}
