//! The substeps of an island: forces, rows, solve, motion, relaxation.

use super::choice::IslandCost;
use super::minimize::Minimum;
use super::model::Correction;
use super::row::{RowLaw, RowSource};
use super::system::NewtonSystem;
use crate::articulation::vector::DVec;
use crate::bounded::bounded_f64;
use crate::linear::block_sparse::Triple;

/// Change of a row's rate by an update of multipliers and friction bounds, relative to the velocity scale,
/// below which the update is left to the next substep.
const MAX_LAG: f64 = 0.02;

/// Share of the inverse mass by which a change of a friction bound counts as a change of the rate.
const BOUND_WEIGHT: f64 = 0.2;

/// Approach speed of an impact, relative to the velocity scale.
const IMPACT_SPEED: f64 = 4.0;

/// Most solves after new multipliers and friction bounds: of loads, and in an impact. The loads of the substep before
/// say nothing about an impact: without friction a plate of 2400 times the mass squeezed boxes out at 80 m/s.
const MAX_LOAD_ROUNDS: u32 = 1;
const MAX_IMPACT_ROUNDS: u32 = 3;

/// Most solves with a geometric stiffness that has grown.
const MAX_GEOMETRIC_ROUNDS: u32 = 3;

/// Growth of the geometric stiffness of a body, and share of its inertia, from which it is solved again.
const GEOMETRIC_GROWTH: f64 = 2.0;
const GEOMETRIC_SHARE: f64 = 0.5;

/// Margin of the bound of the kinetic energy. With 4, one of eight taut bridges was left to the sweeps and let its load
/// through; squeezed boxes exceed the bound by factors of thousands.
const MAX_ENERGY_GROWTH: f64 = 10.0;

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
}

/// Cost of the substeps of an island.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SubstepReport {
    iterations: u32,
    factorizations: u32,
    /// Solves that have not converged.
    pub(crate) unconverged: u32,
    /// Kinetic energy that the forces of the first substep alone give \[J\].
    first_energy: Option<f64>,
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
            report.is_rejected |= u64::from(report.work(settings)) > settings.max_work;
            if report.is_rejected {
                break;
            }
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
        let is_relaxed = self.set_targets(h, settings.max_push, Correction::On);
        self.set_friction_bounds(|row| row.multiplier);
        let has_impact = self.has_impact();
        if has_impact {
            self.stick_where_unloaded();
        }
        let rounds = if has_impact {
            MAX_IMPACT_ROUNDS
        } else {
            MAX_LOAD_ROUNDS
        };
        self.find_geometric_stiffness(h, |row| row.multiplier);
        core::mem::swap(&mut self.geometric, &mut self.found_geometric);
        for row in &mut self.rows {
            row.carried = row.multiplier;
            if matches!(row.source, RowSource::Joint | RowSource::Motor) {
                row.multiplier = 0.0;
            }
        }
        self.solve(rounds, report);
        self.repeat_with_geometric_growth(h, rounds, report);
        self.check(report);
        if report.is_rejected {
            return;
        }
        self.store_velocities();
        self.bodies.iter_mut().for_each(|body| body.drift(h));
        if is_relaxed {
            if has_impact {
                self.set_friction_bounds(|row| row.impulse);
                self.keep_loads();
            } else {
                self.keep_loads();
                self.set_friction_bounds(|row| row.multiplier);
            }
            self.set_targets(h, settings.max_push, Correction::Off);
            self.solve(rounds, report);
            self.check(report);
            self.store_velocities();
        }
        self.carry_impulses(has_impact);
        self.add_totals();
    }

    /// Applies the forces. The search starts from the velocities before them: those of a pile at rest.
    fn apply_forces(&mut self, h: f64) {
        let velocities = |body: &crate::articulation::body::DirectBody| -> Triple {
            [body.velocity.x, body.velocity.y, body.spin]
        };
        for (i, body) in self.bodies.iter_mut().enumerate() {
            self.velocities[i] = velocities(body);
            body.kick(h);
            self.free_velocities[i] = velocities(body);
        }
    }

    /// Returns `true` if a contact closes faster than a load can explain.
    fn has_impact(&self) -> bool {
        let fastest = -IMPACT_SPEED * self.scale;
        let mut normals = self
            .rows
            .iter()
            .filter(|row| row.source == RowSource::Normal);
        normals.any(|row| row.rate - row.target.min(0.0) < fastest)
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

    /// Minimizes the merit, and again with new multipliers and friction bounds while they are out of date, in `rounds` at
    /// most.
    fn solve(&mut self, rounds: u32, report: &mut SubstepReport) {
        for round in 0.. {
            let minimum = self.minimize();
            report.add(minimum);
            let can_go_on = round < rounds && (minimum.is_converged || rounds > MAX_LOAD_ROUNDS);
            if !can_go_on || self.lag() <= MAX_LAG * self.scale {
                report.add_result(minimum);
                return;
            }
            for row in &mut self.rows {
                if row.carries_impulse() {
                    row.multiplier = row.impulse;
                }
            }
            self.set_friction_bounds(|row| row.impulse);
            for row in &mut self.rows {
                if row.source == RowSource::Friction {
                    row.multiplier = bounded_f64(row.multiplier, row.bound);
                }
            }
        }
    }

    /// Returns the greatest change of a rate by new multipliers and friction bounds.
    fn lag(&self) -> f64 {
        let mut most = 0.0_f64;
        for row in &self.rows {
            if row.law != RowLaw::Bilateral && row.stiffness > 0.0 {
                most = most.max((row.impulse - row.multiplier).abs() / row.stiffness);
            }
        }
        for contact in &self.contacts {
            let row = &self.rows[contact.friction_row()];
            let points = &self.rows[contact.first_row..contact.friction_row()];
            let load: f64 = points.iter().map(|point| point.impulse).sum();
            let bound = contact.friction_bound(load);
            if row.impulse.abs() >= 0.999 * row.bound.min(bound) {
                most = most.max(BOUND_WEIGHT * (row.bound - bound).abs() * row.inv_mass);
            }
        }
        most
    }

    /// Solves again while the impulses that were found make the geometric stiffness much greater.
    fn repeat_with_geometric_growth(&mut self, h: f64, rounds: u32, report: &mut SubstepReport) {
        if self.joints.is_empty() {
            return;
        }
        for _ in 0..MAX_GEOMETRIC_ROUNDS {
            self.find_geometric_stiffness(h, |row| row.impulse);
            let pairs = self.geometric.iter().zip(&self.found_geometric);
            let mut growths = pairs.zip(&self.masses);
            let is_grown = growths.any(|((present, found), mass)| {
                *found > GEOMETRIC_GROWTH * present + GEOMETRIC_SHARE * mass[2]
            });
            // The relaxation must solve the same model, so a smaller growth changes nothing.
            if !is_grown {
                return;
            }
            for (present, found) in self.geometric.iter_mut().zip(&self.found_geometric) {
                *present = present.max(*found);
            }
            self.lag_factor();
            self.solve(rounds, report);
        }
    }

    /// Rejects velocities that are not finite, and those with much more energy than the forces and the corrections can
    /// give. A solve that converged can have them, too: boxes that a kinematic body squeezes beyond their size have no
    /// solution, and the least bad one shot them off at 4000 m/s.
    fn check(&self, report: &mut SubstepReport) {
        report.is_rejected |= !self.velocities.iter().flatten().all(|v| v.is_finite());
        let first = *report
            .first_energy
            .get_or_insert_with(|| self.kinetic_energy(&self.free_velocities));
        let mass: f64 = self.masses.iter().map(|mass| mass[0]).sum();
        // A stack is lifted by the sum of the corrections in it.
        let driven = self.rows.iter().map(|row| {
            let pushes = row.law != RowLaw::Push || row.target > 0.0;
            if pushes { row.target.abs() } else { 0.0 }
        });
        let fixed = self.bodies.iter().filter(|body| !body.is_free());
        let carried = fixed.map(|body| body.velocity.norm());
        // The speed that gravity adds in a step is no explosion.
        let least = report.substeps * self.scale;
        let speed = driven.sum::<f64>() + carried.fold(least, f64::max);
        let most = MAX_ENERGY_GROWTH * (first + 0.5 * mass * speed * speed);
        report.is_rejected |= self.kinetic_energy(&self.velocities) > most;
    }

    fn store_velocities(&mut self) {
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

    fn add(&mut self, minimum: Minimum) {
        self.iterations += minimum.iterations;
        self.factorizations += minimum.factorizations;
    }

    /// Takes in the last minimum of a solve: that of its result.
    fn add_result(&mut self, minimum: Minimum) {
        self.unconverged += u32::from(!minimum.is_converged);
    }
}
