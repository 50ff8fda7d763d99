//! The substeps of an island that is solved directly: their number, kicks, drifts and position corrections.

use super::active_set::{DirectStage, MAX_POSITION_RESIDUAL};
use super::body::SpinTrack;
use super::row::RowState;
use super::structure::BLOCK_ROWS;
use super::vector::DVec;
use super::{DirectInput, DirectSolver};
use crate::joint::parts::spring::SpringRate;
use crate::joint::row_request::RowTarget;
use core::f64::consts::TAU;

/// Greatest turn of a body in a substep [rad]. An iteration of Newton's method leaves this share of an error,
/// and the relative error of the energy is its square.
const MAX_SUBSTEP_TURN: f32 = 0.05;

/// The same for few joints.
const FINE_SUBSTEP_TURN: f32 = 0.02;

/// Joints up to which the finer turn is affordable.
pub(super) const MAX_FINE_JOINTS: usize = 8;

/// Greatest phase in a substep of a body that oscillates between its joint forces [rad]; from 2 on the
/// oscillation is unstable.
const MAX_PHASE: f32 = 0.7;

/// Most substeps of a step.
const MAX_DIRECT_SUBSTEPS: u32 = 64;

/// The same for spin bursts: a body is so light, or a slider so near its pivot, that its spin rises and falls
/// within the step. 512 were enough for 40 000 random trees; with 64 six of them lost more than 1 % of their
/// energy in two seconds.
const MAX_SPIN_SUBSTEPS: u32 = 512;

/// Turn in a substep from which a spin counts as a burst, relative to the greatest planned turn.
const MAX_RELATIVE_SPIN: f64 = 2.0;

/// Greatest difference of the spin changes of two substeps, relative to the spin of a burst. An even change,
/// as of a pendulum, keeps the energy.
const MAX_SPIN_JERK: f64 = 0.01;

/// Error up to which all of it is corrected in a substep [m] or [rad]; larger ones are corrected with the
/// stiffness of joints.
pub(crate) const FULL_CORRECTION_ERROR: f64 = 1.0e-4;

/// Greatest correction relative to the greatest error and the number of joints. A taut chain between two
/// fixed bodies can yield only sideways, and the less it sags, the larger is that correction.
const MAX_SHIFT: f64 = 8.0;

/// Greatest turn of a body by a correction in a substep [rad]. The correction is linear: a larger turn opens
/// nearly taut joints by more, of second order, than it closes.
const MAX_CORRECTING_TURN: f64 = 0.02;

/// Error whose correction leaves the matrix valid [m] or [rad].
const NEGLIGIBLE_ERROR: f64 = 1.0e-6;

impl DirectSolver {
    fn max_turn(&self) -> f32 {
        if self.joints.len() <= MAX_FINE_JOINTS {
            FINE_SUBSTEP_TURN
        } else {
            MAX_SUBSTEP_TURN
        }
    }

    /// Returns the number of substeps up to which the step is repeated if `substeps` do not converge. A tree
    /// always has a solution; a loop, or a chain between two fixed bodies, may have none, and more substeps
    /// would not help.
    pub(crate) fn most_substeps(&self, substeps: u32) -> u32 {
        // An island may contain bodies that just lost their last link.
        let structure = self.structures.present();
        let is_jointed = |body: &u32| !structure.joints_at[*body as usize].is_empty();
        let jointed = (0..self.bodies.len() as u32).filter(is_jointed).count();
        let is_anchored = self.bodies.iter().any(|body| !body.is_free());
        if self.has_motors || self.joints.len() >= jointed + usize::from(is_anchored) {
            substeps
        } else {
            MAX_SPIN_SUBSTEPS
        }
    }

    /// Returns the number of substeps for the present spins, joint forces and springs; `None` if there are
    /// too many.
    pub(crate) fn substeps_for(&self, input: &DirectInput<'_>) -> Option<u32> {
        let max_turn = self.max_turn();
        let mut most = 0.0_f32;
        let spins = self.bodies.iter().map(|body| body.spin);
        let turns = self
            .joints
            .iter()
            .map(|joint| joint.turn_rate(&self.bodies));
        for rate in spins.chain(turns) {
            most = most.max(input.dt * rate.abs() as f32 / max_turn);
        }
        for (place, body) in self.bodies.iter().enumerate() {
            if !body.is_free() {
                continue;
            }
            // Torque per radian of the forces at the arms, as of a pendulum, and force per way across rods, as of a string.
            let (mut pull, mut tension) = (0.0, 0.0);
            for &joint in &self.structures.present().joints_at[place] {
                let joint = &self.joints[joint as usize];
                let force = input.joints[joint.slot as usize].reaction().force.norm();
                pull += force * joint.arm_length(place as u32);
                tension += force / joint.length;
            }
            let rate_sq = (pull * body.inv_inertia as f32).max(tension * body.inv_mass as f32);
            let rate = rate_sq.sqrt();
            most = most.max(input.dt * rate / MAX_PHASE);
        }
        for row in &self.rows {
            if let RowTarget::Spring(spring) = row.target {
                most = most.max(input.dt * TAU as f32 * spring.hertz / MAX_PHASE);
            }
        }
        let is_anchored = self.bodies.iter().any(|body| !body.is_free());
        let mut substeps = if is_anchored && self.joints.len() == 1 {
            2 * input.substeps
        } else {
            input.substeps
        };
        while (substeps as f32) < most {
            substeps *= 2;
            if substeps > MAX_DIRECT_SUBSTEPS {
                return None;
            }
        }
        Some(substeps)
    }

    /// Runs all substeps, or until one does not converge. A spin burst rejects a step that can be repeated.
    pub(crate) fn run(&mut self, input: &DirectInput<'_>, substeps: u32) {
        let h = f64::from(input.dt) / f64::from(substeps);
        let correction =
            f64::from(input.correction) * f64::from(input.substeps) / f64::from(substeps);
        self.prepare_springs(h);
        self.is_converged = true;
        for substep in 0..substeps {
            if !self.is_converged || self.is_exhausted() {
                return;
            }
            for row in &mut self.rows {
                row.start_error = row.error;
                row.total = 0.0;
            }
            if self.is_regularized() {
                self.regularization = 0.0;
                self.is_matrix_current = false;
            }
            self.kick(0.5 * h);
            self.solve_rows(DirectStage::Position(h), 0.5 * h);
            self.bodies.iter_mut().for_each(|body| body.drift(h));
            self.update_rows();
            // Errors of rounding wait for the last substep.
            let is_last = substep + 1 == substeps;
            self.correct(correction, if is_last { 0.0 } else { NEGLIGIBLE_ERROR });
            self.kick(0.5 * h);
            self.switch_dampers(RowState::Active);
            self.solve_rows(DirectStage::Velocity, 0.5 * h);
            self.switch_dampers(RowState::AtBound);
            // A limit that is reached changes spins at once, however short the substep.
            if !self.can_regularize && !self.has_limits {
                self.check_spins(substep, h);
            }
        }
    }

    /// Rejects the step if a spin of a body or rod is a burst: fast for a substep of `h` \[s\], or with an uneven change.
    fn check_spins(&mut self, substep: u32, h: f64) {
        let most = MAX_RELATIVE_SPIN * f64::from(self.max_turn()) / h;
        let mut check = |track: &mut SpinTrack, rate: f64| {
            let is_even = track.advance(rate).abs() <= MAX_SPIN_JERK * most;
            self.is_converged &= rate.abs() <= most && (is_even || substep < 2);
        };
        for body in &mut self.bodies {
            check(&mut body.track, body.spin);
        }
        for joint in &mut self.joints {
            let rate = joint.turn_rate(&self.bodies);
            check(&mut joint.track, rate);
        }
    }

    /// Computes the compliance of dampers for substeps of `h` \[s\].
    fn prepare_springs(&mut self, h: f64) {
        self.has_dampers = false;
        for row in &mut self.rows {
            if let RowTarget::Spring(spring) = row.target {
                let rate = SpringRate::new(spring.hertz, spring.damping_ratio, h as f32);
                let k = row.coupling(row);
                row.compliance = k / f64::from(rate.brake);
                self.has_dampers |= rate.brake > 0.0;
            }
        }
    }

    /// Activates or deactivates the dampers of springs, which act on the velocity at the end of a substep.
    fn switch_dampers(&mut self, state: RowState) {
        if !self.has_dampers {
            return;
        }
        for row in &mut self.rows {
            if let RowTarget::Spring(_) = row.target
                && row.compliance.is_finite()
            {
                row.state = state;
            }
        }
        self.is_matrix_current = false;
    }

    /// Applies forces and springs for `time` \[s\].
    pub(crate) fn kick(&mut self, time: f64) {
        for body in &mut self.bodies {
            body.kick(time);
        }
        if !self.has_springs {
            return;
        }
        for row in &mut self.rows {
            let RowTarget::Spring(spring) = row.target else {
                continue;
            };
            let k = row.coupling(row);
            if k > 0.0 {
                let omega = TAU * f64::from(spring.hertz);
                let x = -time * omega * omega * row.error / k;
                row.push(&mut self.bodies, x);
                row.total += x;
            }
        }
    }

    /// Computes errors and Jacobians.
    pub(crate) fn update_rows(&mut self) {
        let structure = self.structures.present_mut();
        for (place, joint) in self.joints.iter().enumerate() {
            let frames = joint.frames(|body| self.bodies[body as usize].pose);
            for row in &mut self.rows[structure.rows_of(place)] {
                row.update(&frames, &self.bodies);
            }
        }
        for block in &mut structure.blocks {
            block.read(&self.rows);
        }
        self.is_matrix_current = false;
    }

    pub(crate) fn is_regularized(&self) -> bool {
        self.regularization > 0.0
    }

    /// Regularizes the matrix for the rest of the substep. Returns `false` if it already is, or if the step is to be
    /// repeated with more substeps instead.
    pub(crate) fn regularize(&mut self) -> bool {
        if self.is_regularized() || !self.can_regularize {
            return false;
        }
        self.regularization = f64::from(self.max_turn()).powi(2);
        self.is_matrix_current = false;
        true
    }

    /// Computes the matrix if Jacobians or states of rows have changed.
    pub(crate) fn refresh_matrix(&mut self) {
        if !self.is_matrix_current {
            self.count_factor();
            let structure = self.structures.present_mut();
            structure.compute(&self.rows, self.regularization);
            self.is_matrix_current = true;
        }
    }

    /// Moves bodies to correct a share of the errors, or all of them if they are small, unless none is greater than `left`.
    fn correct(&mut self, share: f64, left: f64) {
        let errors = self.rows.iter().map(|row| row.open_error().abs());
        let most = errors.fold(0.0, f64::max);
        if most <= left {
            return;
        }
        let share = if most > FULL_CORRECTION_ERROR {
            share
        } else {
            1.0
        };
        let most_shift = (MAX_SHIFT * self.joints.len() as f64 * most).max(FULL_CORRECTION_ERROR);
        let mut shift = self.find_shifts(share);
        if shift > most_shift && self.regularize() {
            shift = self.find_shifts(share);
        }
        self.is_converged &= shift <= most_shift;
        self.is_converged &= !self.is_regularized() || most <= MAX_POSITION_RESIDUAL;
        let turn = self.shifts.iter().map(|[_, _, angle]| angle.abs());
        let scale = (MAX_CORRECTING_TURN / turn.fold(MAX_CORRECTING_TURN, f64::max)).min(1.0);
        for (body, shift) in self.bodies.iter_mut().zip(&self.shifts) {
            let [x, y, angle] = shift.map(|part| scale * part);
            body.shift(DVec::new(x, y), angle);
        }
        if most >= NEGLIGIBLE_ERROR {
            self.update_rows();
        }
    }

    /// Finds the shifts that correct a share of the errors. Returns the greatest way of a center or anchor \[m\].
    fn find_shifts(&mut self, share: f64) -> f64 {
        self.refresh_matrix();
        let structure = self.structures.present_mut();
        self.changes.clear();
        for block in &structure.blocks {
            let mut changes = [0.0; BLOCK_ROWS];
            let rows = &self.rows[block.rows.clone()];
            for (change, row) in changes.iter_mut().zip(rows) {
                *change = -share * row.open_error();
            }
            self.changes.push(changes);
        }
        structure.solve(&mut self.changes);
        self.shifts.clear();
        self.shifts.resize(self.bodies.len(), [0.0; 3]);
        for (block, changes) in structure.blocks.iter().zip(&self.changes) {
            for (body, change) in block.changes(changes) {
                for (shift, change) in self.shifts[body].iter_mut().zip(change) {
                    *shift += change;
                }
            }
        }
        let mut most = 0.0_f64;
        for (place, [x, y, angle]) in self.shifts.iter().enumerate() {
            let joints = self.structures.present().joints_at[place].iter();
            let arms = joints.map(|&joint| self.joints[joint as usize].arm_length(place as u32));
            let reach = f64::from(arms.fold(0.0, f32::max));
            most = most.max(x.abs()).max(y.abs()).max(reach * angle.abs());
        }
        most
    }
}
