//! The substeps of an island that is solved directly.

use super::row::RowState;
use super::settle::{AT_LIMIT, DirectStage};
use super::vector::DVec;
use super::{DirectInput, DirectSolver};
use crate::joint::parts::spring::SpringRate;
use crate::joint::row_request::RowTarget;
use core::f64::consts::TAU;

/// Greatest turn of a body in a substep [rad]: Newton's method takes out this share of an error in each round, and the
/// energy of what swings is right to its square.
const MAX_SUBSTEP_TURN: f32 = 0.05;

/// The same for few joints.
const FINE_SUBSTEP_TURN: f32 = 0.02;

const FEW_ARTICULATION_JOINTS: usize = 8;

/// Greatest phase in a substep of a body that swings between the forces of its joints, in a substep [rad]; from 2 on the
/// swing would grow.
const MAX_PHASE: f32 = 0.7;

/// Most substeps of a step.
const MAX_DIRECT_SUBSTEPS: u32 = 64;

/// The same where something spin_check round: a body so light, or a slider so near its pivot, that its spin rises and falls again within the
/// step. They were enough for each of 40 000 random trees; with 64 six of them lost more than 1 % of their energy in two seconds.
const MAX_SPIN_SUBSTEPS: u32 = 512;

/// Turn in a substep of a body that spin_check round, relative to that of the others, and by how much its change may differ from that of the substep
/// before. With a spin that merely rises evenly, as a pendulum's, energy is kept.
const MAX_RELATIVE_SPIN: f64 = 2.0;
const MAX_SPIN_JERK: f64 = 0.01;

/// Error up to which it is taken out at once [m] or [rad]; what is further off comes back with the stiffness of joints.
const SMALL_ERROR: f64 = 1.0e-4;

/// Greatest shift that takes out errors, relative to the greatest of them and for each link. What is taut between two fixed
/// places can go sideways only, and the less it sags the further it would have to.
const MAX_SHIFT: f64 = 8.0;

/// Greatest turn of a body that takes out errors in a substep [rad]. What is bent, or all but taut, would turn so far that it opens by the square
/// of that more than it closes.
const MAX_CORRECTING_TURN: f64 = 0.02;

/// Error whose correction leaves the matrix as it is [m] or [rad].
const NEGLIGIBLE_ERROR: f64 = 1.0e-6;

/// Whether substeps end where something spin_check round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpinCheck {
    On,
    Off,
}

impl DirectSolver {
    fn max_turn(&self) -> f32 {
        if self.joints.len() <= FEW_ARTICULATION_JOINTS {
            FINE_SUBSTEP_TURN
        } else {
            MAX_SUBSTEP_TURN
        }
    }

    /// Returns the number of substeps up to which the island is run again if `substeps` are not enough: a tree's joints can always be
    /// held; a loop, or what hangs on two places, may be where it cannot.
    pub(crate) fn most_substeps(&self, substeps: u32) -> u32 {
        // An island may have bodies that have just lost their last link.
        let is_held = |place: u32| !self.net.joints_at(place).is_empty();
        let places = 0..self.bodies.len() as u32;
        let held = places.filter(|&place| is_held(place)).count();
        let is_anchored = self.bodies.iter().any(|body| !body.is_free());
        let has_bounds = self.rows.iter().any(|row| match row.target {
            RowTarget::Equal(_) | RowTarget::Spring(_) => false,
            RowTarget::AtLeast(_) | RowTarget::AtMost(_) | RowTarget::Velocity(_) => true,
        });
        if has_bounds || self.joints.len() >= held + usize::from(is_anchored) {
            substeps
        } else {
            MAX_SPIN_SUBSTEPS
        }
    }

    /// Returns the number of substeps that the island needs; `None` if that is too many.
    pub(crate) fn substeps_for(&self, input: &DirectInput<'_>) -> Option<u32> {
        let max_turn = self.max_turn();
        let mut most = 0.0_f32;
        for body in &self.bodies {
            most = most.max(input.dt * body.spin.abs() as f32 / max_turn);
        }
        for (place, body) in self.bodies.iter().enumerate() {
            if !body.is_free() {
                continue;
            }
            let mut pull = 0.0;
            for &joint in self.net.joints_at(place as u32) {
                let link = &self.joints[joint as usize];
                let force = input.joints[link.slot as usize].reaction().force.norm();
                let arm = link.arm_of(place as u32);
                pull += force * arm;
            }
            let rate = (pull * body.inv_inertia as f32).sqrt();
            most = most.max(input.dt * rate / MAX_PHASE);
        }
        for row in &self.rows {
            if let RowTarget::Spring(spring) = row.target {
                most = most.max(input.dt * TAU as f32 * spring.hertz / MAX_PHASE);
            }
        }
        let hangs = self.bodies.iter().any(|body| !body.is_free());
        let mut substeps = if hangs && self.joints.len() == 1 {
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

    /// Runs all substeps, unless one is not settled.
    pub(crate) fn run(&mut self, input: &DirectInput<'_>, substeps: u32, spin_check: SpinCheck) {
        let h = f64::from(input.dt) / f64::from(substeps);
        let correction =
            f64::from(input.correction) * f64::from(input.substeps) / f64::from(substeps);
        self.changes.clear();
        self.changes.resize(self.rows.len(), 0.0);
        self.prepare_springs(h);
        self.is_settled = true;
        for substep in 0..substeps {
            if !self.is_settled {
                return;
            }
            for row in &mut self.rows {
                row.start_error = row.error;
                row.total = 0.0;
            }
            self.kick(0.5 * h);
            self.settle(DirectStage::Position(h), 0.5 * h);
            self.bodies.iter_mut().for_each(|body| body.drift(h));
            self.update_rows();
            self.correct(correction);
            self.kick(0.5 * h);
            self.switch_dampers(RowState::Active);
            self.settle(DirectStage::Velocity, 0.5 * h);
            self.switch_dampers(RowState::AtBound);
            if spin_check == SpinCheck::On {
                self.check_spins(substep, h);
            }
        }
    }

    /// Has the substeps end if a body spin_check round, that is, turns far in this one of `h` \[s\], or by far more than the last ones tell.
    fn check_spins(&mut self, substep: u32, h: f64) {
        let most = MAX_RELATIVE_SPIN * f64::from(self.max_turn()) / h;
        for body in &mut self.bodies {
            let gain = body.spin - body.last_spin;
            let jerk = if substep < 2 {
                0.0
            } else {
                gain - body.last_spin_change
            };
            self.is_settled &= body.spin.abs() <= most && jerk.abs() <= MAX_SPIN_JERK * most;
            (body.last_spin, body.last_spin_change) = (body.spin, gain);
        }
    }

    /// Gives the springs their rates for substeps of `h` \[s\].
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

    /// Has the dampers of springs act or not: they brake the velocity that is left at the end of a substep.
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

    /// Has forces and springs act for `time` \[s\].
    pub(crate) fn kick(&mut self, time: f64) {
        for body in &mut self.bodies {
            body.kick(time);
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
        for (place, link) in self.joints.iter().enumerate() {
            let frames = link.frames(|body| self.bodies[body as usize].place);
            let range = self.first_rows[place] as usize..self.first_rows[place + 1] as usize;
            for row in &mut self.rows[range] {
                row.update(&frames, &self.bodies);
            }
        }
        self.is_matrix_current = false;
    }

    /// Computes the matrix, if it is not that of the rows.
    pub(crate) fn refresh_matrix(&mut self) {
        if !self.is_matrix_current {
            self.matrix.compute(&self.rows);
            self.is_matrix_current = true;
        }
    }

    /// Moves bodies so that a share of the errors is gone: all of it where they are small.
    fn correct(&mut self, share: f64) {
        let mut most = 0.0_f64;
        for (wish, row) in self.changes.iter_mut().zip(&mut self.rows) {
            let error = row.open_error();
            if error < -AT_LIMIT && row.state == RowState::AtBound {
                row.state = RowState::Active;
                self.is_matrix_current = false;
            }
            *wish = -error;
            most = most.max(wish.abs());
        }
        if most == 0.0 {
            return;
        }
        if most > SMALL_ERROR {
            self.changes.iter_mut().for_each(|wish| *wish *= share);
        }
        self.refresh_matrix();
        self.matrix.solve(&mut self.changes);
        self.shifts.clear();
        self.shifts.resize(self.bodies.len(), [0.0; 3]);
        for (row, &x) in self.rows.iter().zip(&self.changes) {
            if row.state == RowState::Active {
                row.shift(&mut self.shifts, x);
            }
        }
        let most_shift = (MAX_SHIFT * self.joints.len() as f64 * most).max(SMALL_ERROR);
        let is_small = |shift: &[f64; 3]| shift.iter().all(|part| part.abs() <= most_shift);
        self.is_settled &= self.shifts.iter().all(is_small);
        let turn = self.shifts.iter().map(|[_, _, angle]| angle.abs());
        let scale = (MAX_CORRECTING_TURN / turn.fold(MAX_CORRECTING_TURN, f64::max)).min(1.0);
        for (body, shift) in self.bodies.iter_mut().zip(&self.shifts) {
            let [x, y, angle] = shift.map(|part| scale * part);
            body.shift(DVec::new(x, y), angle);
        }
        let was_fresh = most < NEGLIGIBLE_ERROR;
        self.update_rows();
        self.is_matrix_current = was_fresh;
    }
}
