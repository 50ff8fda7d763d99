//! Impulses that bring all rows to their targets at once: Newton's method with an active set.
//!
//! Motors and limits form an active set: rows whose impulse would exceed its bound are fixed
//! there and leave the matrix; rows at a bound whose velocity leads away from it return. A limit is reached within the
//! substep, at the end of which it stops the velocity that is left: like any impact without bounce, this takes energy and
//! never adds any. Positions are found
//! by Newton's method with the matrix of the poses at the start of the substep: each iteration leaves a share
//! of the error about as large as the turn of the substep in radians. The search starts from the impulses of the last
//! velocity stage, which leave about as large a share: that saves an iteration.
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
use super::structure::BLOCK_ROWS;
use crate::bounded::between;
use crate::joint::row_request::RowTarget;

/// The targets of the rows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DirectStage {
    /// After a drift of this time [s] rows have the error of the start of the substep, plus the motion of
    /// motors.
    Position(f64),
    /// Rows have no velocity, or that of their motor.
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

impl DirectSolver {
    /// Finds and applies the impulses of a stage; those of motors are bounded by their forces in
    /// `time` [s]. If the iterations do not converge, the stage is solved again with a regularized matrix.
    pub(crate) fn solve_rows(&mut self, stage: DirectStage, time: f64) {
        self.velocities.clear();
        if self.can_regularize {
            let velocity = |body: &DirectBody| (body.velocity, body.spin);
            self.velocities.extend(self.bodies.iter().map(velocity));
        }
        self.start(stage);
        let mut is_solved = self.iterate(stage, time);
        if !is_solved && self.regularize() {
            for (body, &start) in self.bodies.iter_mut().zip(&self.velocities) {
                (body.velocity, body.spin) = start;
            }
            self.forget();
            is_solved = self.iterate(stage, time);
        }
        self.is_converged &= is_solved || self.has_small_residual(stage, time);
        for row in &mut self.rows {
            row.total += row.impulse;
        }
    }

    /// Applies the impulses from which the search starts: for positions those of the last velocity stage, at the same
    /// poses.
    fn start(&mut self, stage: DirectStage) {
        let DirectStage::Position(_) = stage else {
            self.open_limits();
            self.forget();
            return;
        };
        for block in &self.structures.present().blocks {
            let mut impulses = [0.0; BLOCK_ROWS];
            let rows = &mut self.rows[block.rows.clone()];
            for (impulse, row) in impulses.iter_mut().zip(rows) {
                if let RowTarget::Equal(_) = row.target {
                    *impulse = row.impulse;
                } else {
                    row.impulse = 0.0;
                }
            }
            block.push(&mut self.bodies, &impulses);
        }
    }

    /// Takes the limits that the bodies have left from the matrix: they do not act on velocities.
    fn open_limits(&mut self) {
        for row in &mut self.rows {
            if row.state == RowState::Active && row.is_open() {
                row.state = RowState::AtBound;
                self.is_matrix_current = false;
            }
        }
    }

    /// Starts the search without impulses.
    fn forget(&mut self) {
        for row in &mut self.rows {
            row.impulse = 0.0;
        }
    }

    /// Iterates until the targets are reached, or as long as a regularized residual falls. Returns `true` if
    /// all rows are at their targets.
    fn iterate(&mut self, stage: DirectStage, time: f64) -> bool {
        let has_bounds = self.has_motors || self.has_limits;
        let mut last_residual = f64::INFINITY;
        for round in 0..MAX_ACTIVE_SET_ROUNDS {
            if self.is_exhausted() {
                break;
            }
            self.count_round();
            self.measure_changes(stage);
            let is_any_released =
                has_bounds && round < LAST_RELEASE_ROUND && self.release_from_bounds(stage, time);
            if has_bounds {
                self.clear_changes(|_| true);
            }
            let residual = self.residual();
            if !is_any_released && residual <= stage.tolerance() {
                return true;
            }
            if self.is_regularized() && residual >= last_residual {
                break;
            }
            last_residual = residual;
            self.refresh_matrix();
            self.structures.present_mut().solve(&mut self.changes);
            if has_bounds && self.stop_at_bounds(time) {
                continue;
            }
            let blocks = &self.structures.present().blocks;
            for (block, changes) in blocks.iter().zip(&self.changes) {
                block.push(&mut self.bodies, changes);
                let rows = &mut self.rows[block.rows.clone()];
                for (row, change) in rows.iter_mut().zip(changes) {
                    row.impulse += change;
                }
            }
        }
        false
    }

    /// Computes the velocity change that each row needs.
    fn measure_changes(&mut self, stage: DirectStage) {
        self.changes.clear();
        let structure = self.structures.present();
        match stage {
            DirectStage::Velocity => {
                for block in &structure.blocks {
                    let mut changes = block.velocity(&self.bodies).map(|rate| -rate);
                    let rows = &self.rows[block.rows.clone()];
                    for (change, row) in changes.iter_mut().zip(rows) {
                        *change += row.target_velocity() - row.compliance * row.impulse;
                        if row.is_open() {
                            *change = 0.0;
                        }
                    }
                    self.changes.push(changes);
                }
            }
            DirectStage::Position(time) => {
                self.trial.clear();
                for body in &self.bodies {
                    self.trial.push(body.pose_after(time));
                }
                for block in &structure.blocks {
                    let joint = &self.joints[block.joint as usize];
                    let frames = joint.frames(|body| self.trial[body as usize]);
                    let mut changes = [0.0; BLOCK_ROWS];
                    let rows = &self.rows[block.rows.clone()];
                    for (change, row) in changes.iter_mut().zip(rows) {
                        let gap = row.planned_error() - row.error_at(&frames);
                        *change = gap / time + row.target_velocity();
                    }
                    self.changes.push(changes);
                }
            }
        }
        if self.has_springs {
            self.clear_changes(|row| matches!(row.target, RowTarget::Spring(_)));
        }
    }

    /// Sets the changes of rows at their bound to 0, if `is_chosen` holds for them.
    fn clear_changes(&mut self, is_chosen: impl Fn(&DirectRow) -> bool) {
        let blocks = &self.structures.present().blocks;
        for (block, changes) in blocks.iter().zip(&mut self.changes) {
            let rows = &self.rows[block.rows.clone()];
            for (change, row) in changes.iter_mut().zip(rows) {
                if row.state == RowState::AtBound && is_chosen(row) {
                    *change = 0.0;
                }
            }
        }
    }

    /// Activates motors and limits at a bound whose target leads away from it. Returns `true` if any row was activated.
    fn release_from_bounds(&mut self, stage: DirectStage, time: f64) -> bool {
        let mut is_any_released = false;
        let blocks = &self.structures.present().blocks;
        for (block, changes) in blocks.iter().zip(&self.changes) {
            let rows = &mut self.rows[block.rows.clone()];
            for (&change, row) in changes.iter().zip(rows) {
                if row.state == RowState::Active || matches!(row.target, RowTarget::Spring(_)) {
                    continue;
                }
                let (least, most) = row.bounds(time);
                let tolerance = stage.tolerance();
                let rises = change > tolerance && row.impulse < most;
                let falls = change < -tolerance && row.impulse > least;
                if rises || falls {
                    row.state = RowState::Active;
                    is_any_released = true;
                }
            }
        }
        self.is_matrix_current &= !is_any_released;
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
        self.clear_changes(|_| true);
        self.residual() <= most
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
        let most = self.changes.as_flattened().iter().fold(0.0, greater);
        if most.is_nan() { f64::INFINITY } else { most }
    }

    /// Fixes motors and limits whose impulse would exceed its bound at the bound. Returns `true` if there were any.
    fn stop_at_bounds(&mut self, time: f64) -> bool {
        let mut is_any_stopped = false;
        let blocks = &self.structures.present().blocks;
        for (block, changes) in blocks.iter().zip(&self.changes) {
            for (i, x) in block.rows.clone().zip(changes) {
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
