//! Impulses that bring all rows to where they are wanted, at once.
//!
//! Rows with bounds (motors, limits) are an active set: those that would push more than they may are set to their bound and
//! taken out of the matrix; those at a bound that are pulled away from it come back. Positions are found by Newton's method
//! with the matrix of the place where the substep began: each round leaves a share of the error about as large as the turn
//! of the substep.

use super::Island;
use super::body::Body;
use super::row::{Hold, Row};
use crate::joint::ask::Wish;

/// What the rows are asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Aim {
    /// That after a drift of this time [s] they are as far off as the substep found them, motors on their way.
    Place(f64),
    /// That they do not change, but for motors. Limits count where they are met.
    Rate,
}

/// Rounds that find out which rows act.
const MAX_ROUNDS: u32 = 12;

/// Rounds after which no row comes back from its bound, so that none does so for ever.
const LAST_RETURN: u32 = 8;

/// Error that is good enough: of a place [m] or [rad], and of a rate [m/s] or [rad/s].
const ENOUGH_PLACE: f64 = 1.0e-9;
const ENOUGH_RATE: f64 = 1.0e-11;

/// Error beyond which there is no solution: of a place [m] or [rad], and of a rate [m/s] or [rad/s].
const TOLERABLE_PLACE: f64 = 1.0e-5;
const TOLERABLE_RATE: f64 = 1.0e-4;

/// Distance from a limit at which it is met [m] or [rad].
pub(crate) const AT_LIMIT: f64 = 1.0e-7;

impl Island {
    /// Finds impulses, of which motors and limits may give as much as in `time` [s], and applies them.
    pub(crate) fn settle(&mut self, aim: Aim, time: f64) {
        for row in &mut self.rows {
            row.impulse = 0.0;
        }
        let mut settled = false;
        for round in 0..MAX_ROUNDS {
            self.measure_wishes(aim);
            let returned = round < LAST_RETURN && self.return_from_bounds(aim, time);
            settled = !returned && self.is_near(aim);
            if settled {
                break;
            }
            self.refresh_matrix();
            self.matrix.solve(&mut self.wishes);
            if self.stop_at_bounds(time) {
                continue;
            }
            for (row, &x) in self.rows.iter_mut().zip(&self.wishes) {
                if row.hold == Hold::Full {
                    row.impulse += x;
                    row.push(&mut self.bodies, x);
                }
            }
        }
        self.is_settled &= settled || self.is_roughly_near(aim);
        for row in &mut self.rows {
            row.total += row.impulse;
        }
    }

    /// Computes by how much the rate of each row is to change.
    fn measure_wishes(&mut self, aim: Aim) {
        match aim {
            Aim::Rate => {
                for (wish, row) in self.wishes.iter_mut().zip(&self.rows) {
                    let asked = speed_of(row) - row.compliance * row.impulse;
                    *wish = asked - row.rate(&self.bodies);
                }
            }
            Aim::Place(time) => {
                self.trial.clear();
                let after = |body: &Body| body.place_after(time);
                self.trial.extend(self.bodies.iter().map(after));
                for (place, link) in self.links.iter().enumerate() {
                    let frames = link.frames(|body| self.trial[body as usize]);
                    for i in self.first_rows[place]..self.first_rows[place + 1] {
                        let row = &self.rows[i as usize];
                        let wanted = place_of(row) + time * speed_of(row);
                        self.wishes[i as usize] = (wanted - row.error_at(&frames)) / time;
                    }
                }
            }
        }
        for (wish, row) in self.wishes.iter_mut().zip(&self.rows) {
            if row.hold == Hold::AtBound && matches!(row.wish, Wish::Pull(_)) {
                *wish = 0.0;
            }
        }
    }

    /// Has rows act again that are at a bound and are wanted off it; sets the wishes of the others to 0. Says whether
    /// there were any.
    fn return_from_bounds(&mut self, aim: Aim, time: f64) -> bool {
        let mut any = false;
        for (wish, row) in self.wishes.iter().zip(&mut self.rows) {
            if row.hold == Hold::Full || matches!(row.wish, Wish::Pull(_)) {
                continue;
            }
            let (least, most) = row.bounds(time);
            let enough = enough(aim);
            let rises = *wish > enough && row.impulse < most && is_met(row, aim);
            let falls = *wish < -enough && row.impulse > least;
            if rises || falls {
                row.hold = Hold::Full;
                any = true;
            }
        }
        self.is_fresh &= !any;
        for (wish, row) in self.wishes.iter_mut().zip(&self.rows) {
            if row.hold == Hold::AtBound {
                *wish = 0.0;
            }
        }
        any
    }

    /// Says whether what the rounds have left open is small enough to go on with.
    fn is_roughly_near(&mut self, aim: Aim) -> bool {
        self.measure_wishes(aim);
        let enough = match aim {
            Aim::Place(time) => TOLERABLE_PLACE / time,
            Aim::Rate => TOLERABLE_RATE,
        };
        let wishes = self.wishes.iter().zip(&self.rows);
        let mut held = wishes.filter(|(_, row)| row.hold == Hold::Full);
        held.all(|(wish, _)| wish.abs() <= enough)
    }

    fn is_near(&self, aim: Aim) -> bool {
        let enough = enough(aim);
        self.wishes.iter().all(|wish| wish.abs() <= enough)
    }

    /// Sets rows to their bound that would go beyond it by the impulses in `wishes`. Says whether there were any.
    fn stop_at_bounds(&mut self, time: f64) -> bool {
        let mut any = false;
        for (i, &x) in self.wishes.iter().enumerate() {
            let row = &mut self.rows[i];
            let (least, most) = row.bounds(time);
            let wanted = row.impulse + x;
            if row.hold == Hold::Full && (wanted < least || wanted > most) {
                let change = wanted.clamp(least, most) - row.impulse;
                row.impulse += change;
                row.hold = Hold::AtBound;
                row.push(&mut self.bodies, change);
                any = true;
            }
        }
        self.is_fresh &= !any;
        any
    }
}

/// Speed that a motor asks for.
fn speed_of(row: &Row) -> f64 {
    match row.wish {
        Wish::Drive(motor) => motor.speed.into(),
        _ => 0.0,
    }
}

/// Error that a row is to have at the end of the substep.
fn place_of(row: &Row) -> f64 {
    match row.wish {
        Wish::AtLeast(_) | Wish::AtMost(_) => row.kept.min(0.0),
        _ => row.kept,
    }
}

/// Says whether a limit counts: for places always, as it is not passed.
fn is_met(row: &Row, aim: Aim) -> bool {
    match (aim, row.wish) {
        (Aim::Rate, Wish::AtLeast(_) | Wish::AtMost(_)) => row.error <= AT_LIMIT,
        _ => true,
    }
}

fn enough(aim: Aim) -> f64 {
    match aim {
        Aim::Place(time) => ENOUGH_PLACE / time,
        Aim::Rate => ENOUGH_RATE,
    }
}
