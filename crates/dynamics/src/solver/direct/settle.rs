//! Impulses that bring all rows to where they are wanted, at once.
//!
//! Rows with bounds (motors, limits) are an active set: those that would push more than they may are set to their bound and
//! taken out of the matrix; those at a bound that are pulled away from it come back. Positions are found by Newton's method
//! with the matrix of the place where the substep began: each round leaves a share of the error about as large as the turn
//! of the substep.

use super::DirectSolver;
use super::body::DirectBody;
use super::row::{DirectRow, RowState};
use crate::joint::row_request::RowTarget;

/// What the rows are asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DirectStage {
    /// That after a drift of this time [s] they are as far off as the substep found them, motors on their way.
    Position(f64),
    /// That they do not change, but for motors. Limits count where they are met.
    Velocity,
}

/// Rounds that find out which rows act.
const MAX_ROUNDS: u32 = 12;

/// Rounds after which no row comes back from its bound, so that none does so for ever.
const LAST_RELEASE_ROUND: u32 = 8;

/// Error that is good enough: of a place [m] or [rad], and of a rate [m/s] or [rad/s].
const POSITION_TOLERANCE: f64 = 1.0e-9;
const VELOCITY_TOLERANCE: f64 = 1.0e-11;

/// Error beyond which there is no solution: of a place [m] or [rad], and of a rate [m/s] or [rad/s].
const MAX_POSITION_RESIDUAL: f64 = 1.0e-5;
const MAX_VELOCITY_RESIDUAL: f64 = 1.0e-4;

/// Distance from a limit at which it is met [m] or [rad].
pub(crate) const AT_LIMIT: f64 = 1.0e-7;

impl DirectSolver {
    /// Finds impulses, of which motors and limits may give as much as in `time` [s], and applies them.
    pub(crate) fn settle(&mut self, stage: DirectStage, time: f64) {
        for row in &mut self.rows {
            row.impulse = 0.0;
        }
        let mut settled = false;
        for round in 0..MAX_ROUNDS {
            self.measure_changes(stage);
            let returned = round < LAST_RELEASE_ROUND && self.release_from_bounds(stage, time);
            settled = !returned && self.is_solved(stage);
            if settled {
                break;
            }
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
        self.is_settled &= settled || self.is_nearly_solved(stage);
        for row in &mut self.rows {
            row.total += row.impulse;
        }
    }

    /// Computes by how much the rate of each row is to change.
    fn measure_changes(&mut self, stage: DirectStage) {
        match stage {
            DirectStage::Velocity => {
                for (wish, row) in self.changes.iter_mut().zip(&self.rows) {
                    let asked = target_speed(row) - row.compliance * row.impulse;
                    *wish = asked - row.rate(&self.bodies);
                }
            }
            DirectStage::Position(time) => {
                self.trial.clear();
                let after = |body: &DirectBody| body.pose_after(time);
                self.trial.extend(self.bodies.iter().map(after));
                for (place, link) in self.joints.iter().enumerate() {
                    let frames = link.frames(|body| self.trial[body as usize]);
                    for i in self.first_rows[place]..self.first_rows[place + 1] {
                        let row = &self.rows[i as usize];
                        let wanted = target_error(row) + time * target_speed(row);
                        self.changes[i as usize] = (wanted - row.error_at(&frames)) / time;
                    }
                }
            }
        }
        for (wish, row) in self.changes.iter_mut().zip(&self.rows) {
            if row.state == RowState::AtBound && matches!(row.target, RowTarget::Spring(_)) {
                *wish = 0.0;
            }
        }
    }

    /// Has rows act again that are at a bound and are wanted off it; sets the changes of the others to 0. Says whether
    /// there were any.
    fn release_from_bounds(&mut self, stage: DirectStage, time: f64) -> bool {
        let mut any = false;
        for (wish, row) in self.changes.iter().zip(&mut self.rows) {
            if row.state == RowState::Active || matches!(row.target, RowTarget::Spring(_)) {
                continue;
            }
            let (least, most) = row.bounds(time);
            let enough = tolerance(stage);
            let rises = *wish > enough && row.impulse < most && is_limit_active(row, stage);
            let falls = *wish < -enough && row.impulse > least;
            if rises || falls {
                row.state = RowState::Active;
                any = true;
            }
        }
        self.is_matrix_current &= !any;
        for (wish, row) in self.changes.iter_mut().zip(&self.rows) {
            if row.state == RowState::AtBound {
                *wish = 0.0;
            }
        }
        any
    }

    /// Says whether what the rounds have left open is small enough to go on with.
    fn is_nearly_solved(&mut self, stage: DirectStage) -> bool {
        self.measure_changes(stage);
        let enough = match stage {
            DirectStage::Position(time) => MAX_POSITION_RESIDUAL / time,
            DirectStage::Velocity => MAX_VELOCITY_RESIDUAL,
        };
        let changes = self.changes.iter().zip(&self.rows);
        let mut held = changes.filter(|(_, row)| row.state == RowState::Active);
        held.all(|(wish, _)| wish.abs() <= enough)
    }

    fn is_solved(&self, stage: DirectStage) -> bool {
        let enough = tolerance(stage);
        self.changes.iter().all(|wish| wish.abs() <= enough)
    }

    /// Sets rows to their bound that would go beyond it by the impulses in `changes`. Says whether there were any.
    fn stop_at_bounds(&mut self, time: f64) -> bool {
        let mut any = false;
        for (i, &x) in self.changes.iter().enumerate() {
            let row = &mut self.rows[i];
            let (least, most) = row.bounds(time);
            let wanted = row.impulse + x;
            if row.state == RowState::Active && (wanted < least || wanted > most) {
                let change = wanted.clamp(least, most) - row.impulse;
                row.impulse += change;
                row.state = RowState::AtBound;
                row.push(&mut self.bodies, change);
                any = true;
            }
        }
        self.is_matrix_current &= !any;
        any
    }
}

/// Speed that a motor requests for.
fn target_speed(row: &DirectRow) -> f64 {
    match row.target {
        RowTarget::Velocity(motor) => motor.speed.into(),
        _ => 0.0,
    }
}

/// Error that a row is to have at the end of the substep.
fn target_error(row: &DirectRow) -> f64 {
    match row.target {
        RowTarget::AtLeast(_) | RowTarget::AtMost(_) => row.start_error.min(0.0),
        _ => row.start_error,
    }
}

/// Says whether a limit counts: for places always, as it is not passed.
fn is_limit_active(row: &DirectRow, stage: DirectStage) -> bool {
    match (stage, row.target) {
        (DirectStage::Velocity, RowTarget::AtLeast(_) | RowTarget::AtMost(_)) => {
            row.error <= AT_LIMIT
        }
        _ => true,
    }
}

fn tolerance(stage: DirectStage) -> f64 {
    match stage {
        DirectStage::Position(time) => POSITION_TOLERANCE / time,
        DirectStage::Velocity => VELOCITY_TOLERANCE,
    }
}
