//! Writes the result of an island: velocities and motions of bodies, impulses of contacts and joints.

use super::NewtonTables;
use super::system::NewtonSystem;
use crate::articulation::vector::DVec;
use crate::step_context::StepContext;

impl NewtonSystem {
    /// Stores the result of a step of `count` substeps.
    pub(crate) fn store(&self, ctx: &StepContext<'_>, tables: &mut NewtonTables<'_>, count: u32) {
        for body in self.bodies.iter().filter(|body| body.is_free()) {
            body.store(&mut tables.bodies.states[body.slot as usize]);
        }
        let h = ctx.dt / ctx.def.substeps as f32;
        // Of joints the mean of the substeps, by which they break.
        let share = 1.0 / f64::from(ctx.def.substeps);
        for joint in &self.joints {
            let rows = joint.rows.clone();
            let frames = joint.joint.frames(|body| self.bodies[body as usize].pose);
            let direction = match self.joint_rows[rows.clone()].first() {
                Some(row) => frames.direction(row.coordinate),
                None => DVec::new(1.0, 0.0),
            };
            let impulses = self.rows[rows].iter().map(|row| (share * row.total) as f32);
            let sim = &mut tables.joints.sims[joint.joint.slot as usize];
            sim.store_impulses(impulses, direction.narrow(), h);
        }
        self.store_contacts(tables, f64::from(count) * share);
    }

    /// Stores the impulses of contacts, of which `share` belongs to a substep of the world.
    fn store_contacts(&self, tables: &mut NewtonTables<'_>, share: f64) {
        let constraints = tables.contacts.solver_constraints();
        for contact in &self.contacts {
            let constraint = &mut constraints[contact.slot as usize];
            let points = &self.rows[contact.first_row..contact.friction_row()];
            let load: f64 = points.iter().map(|row| row.multiplier).sum();
            let friction = share * self.rows[contact.friction_row()].multiplier;
            for (i, point) in contact.points().iter().enumerate() {
                let part = if load > 0.0 {
                    points[i].multiplier / load
                } else {
                    1.0 / points.len() as f64
                };
                let stored = &mut constraint.points[i];
                stored.normal_impulse = (share * points[i].multiplier) as f32;
                stored.tangent_impulse = (part * friction) as f32;
                stored.total_normal_impulse = points[i].total as f32;
                stored.relative_velocity = point.approach as f32;
                stored.rest_load = 0.0;
            }
            if let Some(row) = contact.rolling_row() {
                constraint.rolling_impulse = (share * self.rows[row].multiplier) as f32;
            }
        }
    }

    /// Lists the contacts with a point that closed at `speed` \[m/s\] or faster, and pushed.
    pub(crate) fn list_fast(&self, speed: f64, slots: &mut Vec<u32>) {
        for contact in &self.contacts {
            let rows = &self.rows[contact.first_row..contact.friction_row()];
            let mut points = contact.points().iter().zip(rows);
            if points.any(|(point, row)| point.approach <= -speed && row.total > 0.0) {
                slots.push(contact.slot);
            }
        }
    }
}
