//! Bounces at the end of a step: points that closed fast, and were pushed, part at `-e v` of their approach.
//!
//! All bounces of the island are one impact: one problem without forces, in which no time passes. Joints hold, and
//! loads, springs and motors have no part in it.

use super::row::RowSource;
use super::substep::{SubstepReport, SubstepSettings};
use super::system::NewtonSystem;

impl NewtonSystem {
    /// Solves the bounces of the step. A result with more energy than the step began with, or with loads out of all proportion, is
    /// dropped: then the bodies stay together.
    pub(super) fn bounce(&mut self, settings: &SubstepSettings, report: &mut SubstepReport) {
        if !self.has_bounce(settings.bounce_speed) {
            return;
        }
        let (energy, momentum) = self.greatest_energy(report);
        self.update_joints(settings.h);
        self.update_contacts();
        self.update_rates();
        self.geometric.fill(0.0);
        for row in &mut self.rows {
            row.carried = core::mem::take(&mut row.multiplier);
            if matches!(row.source, RowSource::Joint | RowSource::Limit) {
                let is_open = row.error > 0.0 && row.source == RowSource::Limit;
                let closing = -row.error / settings.h;
                row.target = if is_open { closing } else { 0.0 };
            }
        }
        self.set_stiffness();
        for row in &mut self.rows {
            match row.source {
                RowSource::Spring => row.stiffness = 0.0,
                RowSource::Motor => row.bound = 0.0,
                _ => {}
            }
        }
        self.set_bounce_targets(settings);
        self.shift_targets();
        self.set_rolling_bounds();
        self.free_velocities.clone_from(&self.velocities);
        let fastest = self.fastest_approach();
        self.solve(settings, fastest, report);
        // The rows have yielded to impulses that they did not carry. Now they carry them.
        for row in &mut self.rows {
            row.multiplier = row.impulse;
        }
        self.solve(settings, fastest, report);
        if self.is_bounded(energy, momentum) {
            self.store_velocities();
            self.add_totals();
        }
        for row in &mut self.rows {
            row.multiplier = row.carried;
        }
    }

    fn has_bounce(&self, bounce_speed: f64) -> bool {
        self.contacts.iter().any(|contact| {
            let rows = &self.rows[contact.first_row..];
            let mut points = contact.points().iter().zip(rows);
            contact.restitution > 0.0
                && points.any(|(point, row)| point.approach < -bounce_speed && row.total > 0.0)
        })
    }

    fn set_bounce_targets(&mut self, settings: &SubstepSettings) {
        for contact in &self.contacts {
            let rows = &mut self.rows[contact.first_row..];
            for (point, row) in contact.points().iter().zip(rows) {
                let bounces = point.approach < -settings.bounce_speed && row.total > 0.0;
                row.target = if bounces {
                    -contact.restitution * point.approach
                } else {
                    -row.error.max(0.0) / settings.h
                };
            }
        }
    }

    /// Returns the energy that a bounce may leave: that of the start of the step, and what kinematic bodies add, which give a body
    /// up to twice their speed. Returns also the momentum of the island with this energy.
    fn greatest_energy(&self, report: &SubstepReport) -> (f64, f64) {
        let mass: f64 = self.masses.iter().map(|mass| mass[0]).sum();
        let fixed = self.bodies.iter().filter(|body| !body.is_free());
        let speeds = fixed.map(|body| 2.0 * body.velocity.norm());
        let speed = speeds.fold(0.0, f64::max);
        let root = report.first_energy.unwrap_or(0.0).sqrt() + speed * (0.5 * mass).sqrt();
        (root * root, root * (2.0 * mass).sqrt())
    }
}
