//! The substeps of an island: forces, rows, solve, motion and corrections.

use super::choice::IslandCost;
use super::row::{RowLaw, RowSource};
use super::system::{FactorState, NewtonSystem};
use crate::articulation::substep::FULL_CORRECTION_ERROR;
use crate::articulation::vector::DVec;
use crate::linear::block_sparse::Triple;

/// Approach speed of an impact, relative to the velocity scale.
const IMPACT_SPEED: f64 = 4.0;

/// Share of the fastest approach by which a contact may yield to an impulse that it did not carry, up to this length in a
/// substep \[m\], and most solves with stiffer rows. Without them a crate of a thousand times the mass went half a meter into
/// a box, and fast shots through a plate.
const MAX_IMPACT_YIELD: f64 = 0.03;
const MAX_YIELD_LENGTH: f64 = 1.0e-3;
const MAX_STIFFENINGS: u32 = 3;

/// The same bounds for limits, relative to those of contacts: an arm that falls onto its limit shows each millimeter at its tip.
const LIMIT_SHARE: f64 = 0.2;

/// Most solves with a geometric stiffness that has grown.
const MAX_GEOMETRIC_ROUNDS: u32 = 3;

/// Growth of the geometric stiffness of a body, and share of its inertia, from which it is solved again.
const GEOMETRIC_GROWTH: f64 = 2.0;
const GEOMETRIC_SHARE: f64 = 0.5;

/// Margin of the bound of the kinetic energy. With 4, one of eight taut bridges was left to the sweeps and let its load
/// through; squeezed boxes exceed the bound by factors of thousands.
const MAX_ENERGY_GROWTH: f64 = 2.0;

/// Greatest impulse of a contact or limit, relative to the momentum of the island at the speed of that bound. Contacts that
/// contradict each other, such as those of a body wedged between two static ones, multiplied their impulses by 30 in each
/// substep and reached infinity while nothing moved. The margin leaves room for strong motors and narrow wedges.
const MAX_LOAD: f64 = 1.0e6;

/// The constants of the substeps of an island.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SubstepSettings {
    pub(crate) count: u32,
    /// Length of a substep \[s\].
    pub(crate) h: f64,
    /// Work beyond which the island is left to the sweeps: what the step has left.
    pub(super) max_work: u64,
    pub(super) cost: IslandCost,
    /// Greatest speed of corrections of contacts and limits \[m/s\].
    pub(crate) max_push: f64,
    /// Approach speed from which contacts bounce \[m/s\].
    pub(crate) bounce_speed: f64,
}

/// Cost of the substeps of an island.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SubstepReport {
    iterations: u32,
    factorizations: u32,
    /// Solves that have not converged.
    pub(crate) unconverged: u32,
    /// Kinetic energy that the forces of the first substep alone give, and that of the joints' gaps \[J\].
    pub(super) first_energy: Option<f64>,
    /// Work of the motors in the substeps so far \[J\].
    motor_work: f64,
    /// Number of substeps of the step.
    substeps: f64,
    /// A result failed the safety check: the island must be iterated.
    pub(crate) is_rejected: bool,
}

impl NewtonSystem {
    /// Runs all substeps, until one is rejected.
    pub(crate) fn run(&mut self, settings: &SubstepSettings) -> SubstepReport {
        let mut report = SubstepReport {
            substeps: settings.count.into(),
            ..SubstepReport::default()
        };
        for substep in 0..settings.count {
            // The test of the joints has read them at the start of the step.
            if substep > 0 {
                self.update_joints(settings.h);
            }
            self.substep(settings, &mut report);
            if report.is_rejected {
                break;
            }
        }
        if !report.is_rejected {
            self.bounce(settings, &mut report);
        }
        // A solve that has not converged may have opened joints.
        report.is_rejected |= report.unconverged > 0 && !self.is_close(settings.h);
        report
    }

    fn substep(&mut self, settings: &SubstepSettings, report: &mut SubstepReport) {
        let h = settings.h;
        self.apply_forces(h);
        self.update_contacts();
        self.update_rates();
        self.set_stiffness();
        let has_corrections = self.set_targets(h, settings.max_push);
        let fastest = self.fastest_approach();
        let has_impact = fastest > IMPACT_SPEED * self.scale;
        self.shift_targets();
        self.set_rolling_bounds();
        self.find_geometric_stiffness(h, |row| row.multiplier);
        core::mem::swap(&mut self.geometric, &mut self.found_geometric);
        for row in &mut self.rows {
            row.carried = row.multiplier;
            // A joint is too stiff to yield by its impulse. Where joints contradict each other, in a loop that does not
            // close, a carried impulse would grow without end.
            if row.source == RowSource::Joint {
                row.multiplier = 0.0;
            }
        }
        let unconverged = report.unconverged;
        self.solve(settings, fastest, report);
        self.repeat_with_geometric_growth(settings, fastest, report);
        self.check(h, report);
        if report.is_rejected {
            return;
        }
        // Without a minimum it is not known which rows act. Boxes squeezed beyond their size were pushed into each other.
        let has_corrections = has_corrections && report.unconverged == unconverged;
        if has_corrections {
            report.factorizations += self.find_corrections();
        }
        for (i, body) in self.bodies.iter_mut().enumerate() {
            let (v, more) = (self.velocities[i], self.changes[i]);
            let share = f64::from(u8::from(has_corrections));
            let speed: Triple = core::array::from_fn(|k| v[k] + share * more[k]);
            body.shift(h * DVec::new(speed[0], speed[1]), h * speed[2]);
        }
        self.store_velocities();
        self.carry_impulses(has_impact);
        self.add_totals();
    }

    /// Applies the forces. The search starts from the velocities before them: those of a pile at rest.
    fn apply_forces(&mut self, h: f64) {
        for (i, body) in self.bodies.iter_mut().enumerate() {
            self.velocities[i] = body.velocities();
            body.kick(h);
            self.free_velocities[i] = body.velocities();
        }
    }

    /// Returns the speed at which the fastest contact closes, beyond its gap \[m/s\].
    pub(super) fn fastest_approach(&self) -> f64 {
        let rows = self.rows.iter();
        let normals = rows.filter(|row| row.source == RowSource::Normal);
        let speeds = normals.map(|row| row.target.min(0.0) - row.rate);
        speeds.fold(0.0, f64::max)
    }

    /// Carries the impulses over to the next substep. Those of an impact are no load: they would push the
    /// bodies apart that the impact brought together.
    fn carry_impulses(&mut self, has_impact: bool) {
        for row in &mut self.rows {
            let is_contact = matches!(row.source, RowSource::Normal | RowSource::Friction);
            row.multiplier = if has_impact && is_contact && row.impulse.abs() > row.carried.abs() {
                row.carried
            } else {
                row.impulse
            };
        }
    }

    /// Minimizes the merit, and again while a contact or limit yields too much in an approach of this speed. A result that
    /// takes more than the work that is left is rejected.
    pub(super) fn solve(
        &mut self,
        settings: &SubstepSettings,
        fastest: f64,
        report: &mut SubstepReport,
    ) {
        let most = self.scale.max(MAX_IMPACT_YIELD * fastest);
        let most = most.min(MAX_YIELD_LENGTH / settings.h);
        for round in 0.. {
            let used = u64::from(report.work(settings));
            let left = settings.max_work.saturating_sub(used);
            let minimum = self.minimize(settings.cost.iterations_beyond(left));
            report.iterations += minimum.iterations;
            report.factorizations += minimum.factorizations;
            if u64::from(report.work(settings)) > settings.max_work {
                report.is_rejected = true;
                return;
            }
            let is_last = round + 1 == MAX_STIFFENINGS;
            if round == MAX_STIFFENINGS || !(self.stiffen(most) | self.reduce_shifts(most, is_last))
            {
                report.unconverged += u32::from(!minimum.is_converged);
                return;
            }
        }
    }

    /// Makes contacts and limits stiffer that yield faster than `most` to an impulse that they did not carry. Returns `true` if
    /// there is one.
    fn stiffen(&mut self, most: f64) -> bool {
        let mut is_stiffer = false;
        for row in &mut self.rows {
            let is_limit = row.source == RowSource::Limit;
            let (length, most) = if is_limit {
                (row.length, LIMIT_SHARE * most)
            } else {
                (1.0, most)
            };
            let gained = length * (row.impulse - row.multiplier).abs();
            let may_yield = is_limit || row.law == RowLaw::Cone;
            if may_yield && gained > most * row.stiffness && row.stiffness > 0.0 {
                row.stiffness = 2.0 * gained / most;
                is_stiffer = true;
            }
        }
        if is_stiffer {
            self.factor_state = FactorState::None;
        }
        is_stiffer
    }

    /// Solves again while the impulses that were found make the geometric stiffness much greater.
    fn repeat_with_geometric_growth(
        &mut self,
        settings: &SubstepSettings,
        fastest: f64,
        report: &mut SubstepReport,
    ) {
        if self.joints.is_empty() {
            return;
        }
        for _ in 0..MAX_GEOMETRIC_ROUNDS {
            self.find_geometric_stiffness(settings.h, |row| row.impulse);
            let pairs = self.geometric.iter().zip(&self.found_geometric);
            let mut growths = pairs.zip(&self.masses);
            let is_grown = growths.any(|((present, found), mass)| {
                *found > GEOMETRIC_GROWTH * present + GEOMETRIC_SHARE * mass[2]
            });
            if !is_grown {
                return;
            }
            for (present, found) in self.geometric.iter_mut().zip(&self.found_geometric) {
                *present = present.max(*found);
            }
            self.lag_factor();
            self.solve(settings, fastest, report);
        }
    }

    /// Rejects velocities that are not finite, and those with much more energy than the forces and the corrections can
    /// give. A solve that converged can have them, too: boxes that a kinematic body squeezes beyond their size have no
    /// solution, and the least bad one shot them off at 4000 m/s.
    fn check(&self, h: f64, report: &mut SubstepReport) {
        report.is_rejected |= !self.velocities.iter().flatten().all(|v| v.is_finite());
        let first = *report.first_energy.get_or_insert_with(|| {
            self.kinetic_energy(&self.free_velocities) + self.stored_energy(h)
        });
        let mass: f64 = self.masses.iter().map(|mass| mass[0]).sum();
        // A stack is lifted by the sum of the corrections in it.
        let driven = self.rows.iter().map(|row| match row.source {
            RowSource::Normal | RowSource::Limit => row.target.max(0.0),
            RowSource::Joint | RowSource::Motor => 0.0,
            _ => row.target.abs(),
        });
        let fixed = self.bodies.iter().filter(|body| !body.is_free());
        let carried = fixed.map(|body| body.velocity.norm());
        // The speed that gravity adds in a step is no explosion.
        let least = report.substeps * self.scale;
        let speed = driven.sum::<f64>() + carried.fold(least, f64::max);
        report.motor_work += self.motor_work();
        let most = MAX_ENERGY_GROWTH * (first + report.motor_work + 0.5 * mass * speed * speed);
        let momentum = mass * speed + (2.0 * mass * report.motor_work).sqrt();
        report.is_rejected |= !self.is_bounded(most, momentum);
    }

    /// Returns the work that motors have done in the substep, without those that brake \[J\]: their impulses times the mean of
    /// the rates without and with the impulses, as far as they drive: beyond its target a motor brakes. Their speeds say little
    /// about the energy that they give: a crane of 4 m that starts at 0.3 rad/s moves its load at 1.2 m/s, and a short cylinder
    /// moves the end of a digger's arm many times faster than itself.
    fn motor_work(&self) -> f64 {
        let motors = self
            .rows
            .iter()
            .filter(|row| row.source == RowSource::Motor);
        let works = motors.map(|row| {
            let rate = 0.5 * (row.rate + row.rate_of(&self.free_velocities));
            let most = row.target.abs();
            (row.impulse * rate.clamp(-most, most)).max(0.0)
        });
        works.sum()
    }

    /// Returns `true` if the kinetic energy is at most `energy` \[J\], and no load more than [`MAX_LOAD`] times `momentum` \[N s\].
    pub(super) fn is_bounded(&self, energy: f64, momentum: f64) -> bool {
        let loads = self.rows.iter().map(|row| match row.law {
            RowLaw::Cone => row.impulse.abs(),
            RowLaw::Push => row.length * row.impulse,
            _ => 0.0,
        });
        let is_slow = self.kinetic_energy(&self.velocities) <= energy;
        is_slow && loads.fold(0.0, f64::max) <= MAX_LOAD * momentum
    }

    /// Returns the energy that joints have stored in their gaps, as springs of the stiffness of their rows \[J\]. A taut bridge
    /// takes all energy of what falls on it into gaps of 10 um, and gives it back. Wider gaps count as if they were
    /// [`FULL_CORRECTION_ERROR`]: those of joints that contradict each other give nothing back.
    fn stored_energy(&self, h: f64) -> f64 {
        let joints = self
            .rows
            .iter()
            .filter(|row| row.source == RowSource::Joint);
        let stored = joints.map(|row| {
            let speed = row.target.abs().min(FULL_CORRECTION_ERROR / h);
            0.5 * row.stiffness * speed * speed
        });
        stored.sum()
    }

    pub(super) fn store_velocities(&mut self) {
        for (body, [x, y, spin]) in self.bodies.iter_mut().zip(&self.velocities) {
            body.velocity = DVec::new(*x, *y);
            body.spin = *spin;
        }
    }
}

impl SubstepReport {
    /// Returns the work of the step.
    pub(super) fn work(&self, settings: &SubstepSettings) -> u32 {
        settings.cost.work(self.iterations, self.factorizations)
    }

    /// Returns `true` if all solves have converged.
    pub(super) fn is_converged(&self) -> bool {
        !self.is_rejected && self.unconverged == 0
    }
}
