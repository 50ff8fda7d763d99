//! Rows of contacts: a push at each point, and friction and rolling resistance of the contact.

use super::cone::ConeCase;
use super::row::{NewtonRow, RowLaw, RowSource};
use super::system::NewtonSystem;
use crate::articulation::row::along;
use crate::articulation::vector::DVec;
use crate::body::state::BodyPose;
use crate::contact::constraint::{ContactConstraint, constraint_flags};
use crate::tuning::LOADED_DEPTH;

/// A contact of an island.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewtonContact {
    pub(crate) slot: u32,
    ends: [u32; 2],
    pub(crate) first_row: usize,
    pub(crate) count: usize,
    /// Unit normal from A to B at the start of the step.
    normal: DVec,
    points: [NewtonPoint; 2],
    /// From the centers of mass to the point of friction of a contact with one point \[m\].
    friction_arms: [DVec; 2],
    pub(super) friction: f64,
    pub(super) restitution: f64,
    rolling_radius: f64,
    surface_speed: f64,
    /// Fall of the targets of its points: see [`NewtonSystem::shift_targets`].
    shift: f64,
    /// Case of its impulses at the present rates, and when the Hessian was factored.
    pub(super) case: ConeCase,
    pub(super) factored: ConeCase,
}

/// A point of a contact.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NewtonPoint {
    /// From the centers of mass of A and B \[m\], at the start of the step.
    arms: [DVec; 2],
    /// Separation where the arms meet \[m\].
    base: f64,
    /// Normal velocity at the start of the step \[m/s\].
    pub(crate) approach: f64,
}

impl NewtonContact {
    /// Returns a contact of rows that are listed.
    #[cfg(test)]
    pub(super) fn of_rows(first_row: usize, count: usize, friction: f64) -> Self {
        Self {
            slot: 0,
            ends: [0; 2],
            first_row,
            count,
            normal: DVec::default(),
            points: [NewtonPoint::default(); 2],
            friction_arms: [DVec::default(); 2],
            friction,
            restitution: 0.0,
            rolling_radius: 0.0,
            surface_speed: 0.0,
            shift: 0.0,
            case: ConeCase::default(),
            factored: ConeCase::default(),
        }
    }

    pub(crate) fn points(&self) -> &[NewtonPoint] {
        &self.points[..self.count]
    }

    /// Returns the friction of the slip at the present rates \[m/s\].
    fn present_shift(&self, rows: &[NewtonRow]) -> f64 {
        let tangent = &rows[self.friction_row()];
        self.friction * (tangent.rate - tangent.target).abs()
    }

    /// Returns the index of the row of friction.
    pub(crate) fn friction_row(&self) -> usize {
        self.first_row + self.count
    }

    /// Returns the index of the row of rolling resistance, if there is one.
    pub(crate) fn rolling_row(&self) -> Option<usize> {
        (self.rolling_radius > 0.0).then_some(self.friction_row() + 1)
    }
}

fn turned_into(arm: cairn2d_geometry::math::Vec2, pose: &BodyPose) -> DVec {
    DVec::wide(arm).turned(DVec::wide(pose.rotation))
}

impl NewtonSystem {
    /// Adds the rows of a contact between the bodies at indices `ends`; its impulses are multiplied by
    /// `carried`.
    pub(crate) fn add_contact(
        &mut self,
        slot: u32,
        constraint: &ContactConstraint,
        poses: &[BodyPose],
        ends: [u32; 2],
        carried: f64,
    ) {
        let [pose_a, pose_b] = constraint.bodies().map(|body| &poses[body as usize]);
        let normal = turned_into(constraint.normal, pose_a);
        let mut contact = NewtonContact {
            slot,
            ends,
            first_row: self.rows.len(),
            count: constraint.count.into(),
            normal,
            points: [NewtonPoint::default(); 2],
            friction_arms: [DVec::default(); 2],
            friction: constraint.friction.into(),
            restitution: constraint.restitution.into(),
            rolling_radius: constraint.rolling_resistance.into(),
            surface_speed: constraint.tangent_speed.into(),
            shift: 0.0,
            case: ConeCase::default(),
            factored: ConeCase::default(),
        };
        let arms = constraint.points.map(|point| {
            [
                turned_into(point.anchor_a, pose_a),
                turned_into(point.anchor_b, pose_b),
            ]
        });
        for (i, stored) in constraint.points[..contact.count].iter().enumerate() {
            let start = self.separation(&contact, f64::from(stored.base_separation), arms[i]);
            let point = &mut contact.points[i];
            point.base = stored.base_separation.into();
            point.arms = arms[i];
            if contact.count == 1 {
                // The centers of the rounded surfaces: a rolling ball does not turn its surface out of the
                // ground. Friction acts at the surface of the body that cannot move.
                point.arms = arms[1];
                contact.friction_arms = self.single_friction_arms(ends, arms[0], start, normal);
            }
            contact.points[i].base += self.base_change(&contact, i, start);
            if constraint.flags & constraint_flags::INITIAL_ERROR != 0 {
                // Depenetration removes the overlap; a load may leave a small one.
                let deepest = if stored.normal_impulse > 0.0 {
                    LOADED_DEPTH
                } else {
                    0.0
                };
                contact.points[i].base += (-f64::from(deepest) - start).max(0.0);
            }
            contact.points[i].approach = self.approach(&contact, contact.points[i].arms);
            let impulse = carried * f64::from(stored.normal_impulse);
            self.rows.push(NewtonRow::new(
                RowLaw::Cone,
                RowSource::Normal,
                ends,
                impulse,
            ));
        }
        let tangents = constraint.points[..contact.count].iter();
        let tangent: f32 = tangents.map(|point| point.tangent_impulse).sum();
        let with_law = |law: RowLaw, impulse: f32| {
            let impulse = carried * f64::from(impulse);
            NewtonRow::new(law, RowSource::Friction, ends, impulse)
        };
        self.rows.push(with_law(RowLaw::Cone, tangent));
        if contact.rolling_row().is_some() {
            let rolling = with_law(RowLaw::Bounded, constraint.rolling_impulse);
            self.rows.push(rolling);
        }
        self.contacts.push(contact);
    }

    /// Returns the normal at the present poses. A face turns with its body. A round surface does not: its
    /// contact stays where it is while the body rolls.
    fn present_normal(&self, contact: &NewtonContact) -> DVec {
        if contact.count == 2 {
            let turn = self.bodies[contact.ends[0] as usize].pose.turn;
            contact.normal.turned(turn)
        } else {
            contact.normal
        }
    }

    /// Returns the separation of a point with these arms at the present poses.
    fn separation(&self, contact: &NewtonContact, base: f64, arms: [DVec; 2]) -> f64 {
        let [a, b] = contact.ends.map(|end| &self.bodies[end as usize].pose);
        let gap = (b.center - a.center) + (arms[1].turned(b.turn) - arms[0].turned(a.turn));
        base + gap.dot(self.present_normal(contact))
    }

    /// Returns the change of the base that makes the separation of a point `start`.
    fn base_change(&self, contact: &NewtonContact, point: usize, start: f64) -> f64 {
        let point = &contact.points[point];
        start - self.separation(contact, point.base, point.arms)
    }

    fn single_friction_arms(
        &self,
        ends: [u32; 2],
        arms: [DVec; 2],
        separation: f64,
        normal: DVec,
    ) -> [DVec; 2] {
        let [a_moves, b_moves] = ends.map(|end| self.bodies[end as usize].inv_mass > 0.0);
        let shift = match (a_moves, b_moves) {
            (false, true) => 0.5 * separation,
            (true, false) => -0.5 * separation,
            _ => 0.0,
        };
        arms.map(|arm| arm + shift * normal)
    }

    fn approach(&self, contact: &NewtonContact, arms: [DVec; 2]) -> f64 {
        let [a, b] = [0, 1].map(|i| {
            let body = &self.bodies[contact.ends[i] as usize];
            body.velocity.dot(contact.normal) + body.spin * arms[i].cross(contact.normal)
        });
        b - a
    }

    /// Computes errors and Jacobians of the rows of contacts at the present poses.
    pub(crate) fn update_contacts(&mut self) {
        for i in 0..self.contacts.len() {
            let contact = self.contacts[i];
            let turns = contact.ends.map(|end| self.bodies[end as usize].pose.turn);
            let normal = self.present_normal(&contact);
            let mut friction_arms = [DVec::default(); 2];
            for (k, point) in contact.points().iter().enumerate() {
                let arms = [0, 1].map(|end| point.arms[end].turned(turns[end]));
                let row = contact.first_row + k;
                self.rows[row].error = self.separation(&contact, point.base, point.arms);
                self.rows[row].jacobian = along(normal, arms[0], arms[1]);
                self.rows[row].length = arms[0].norm() + arms[1].norm();
                self.complete_row(row);
                for (sum, arm) in friction_arms.iter_mut().zip(arms) {
                    *sum += 0.5 * arm;
                }
            }
            if contact.count == 1 {
                friction_arms = contact.friction_arms;
            }
            let tangent = -normal.left();
            let row = contact.friction_row();
            self.rows[row].jacobian = along(tangent, friction_arms[0], friction_arms[1]);
            self.rows[row].target = -contact.surface_speed;
            self.complete_row(row);
            if let Some(row) = contact.rolling_row() {
                self.rows[row].jacobian = [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]];
                self.complete_row(row);
            }
        }
    }

    /// Sets the bounds of rolling resistance from the loads that the contacts carry.
    pub(crate) fn set_rolling_bounds(&mut self) {
        for contact in &self.contacts {
            if let Some(row) = contact.rolling_row() {
                let points = &self.rows[contact.first_row..contact.friction_row()];
                let load: f64 = points.iter().map(|row| row.multiplier).sum();
                self.rows[row].bound = contact.rolling_radius * load;
            }
        }
    }

    /// Lowers the targets of pushes by the friction of the slip at the present rates.
    ///
    /// The nearest impulse in the cone leaves bodies that slide apart at `mu` times the slip. With this shift they stay
    /// together, and the law of friction is Coulomb's once the slip is steady ([DeSaxce98]).
    pub(crate) fn shift_targets(&mut self) {
        for contact in &mut self.contacts {
            contact.shift = contact.present_shift(&self.rows);
            for row in &mut self.rows[contact.first_row..contact.friction_row()] {
                row.target -= contact.shift;
            }
        }
    }

    /// Takes back the part of the shift of contacts that lost slip, where it lets the bodies into each other faster than `most`;
    /// in the last round all of it: they rather part. Returns `true` if there is one.
    pub(crate) fn reduce_shifts(&mut self, most: f64, is_last: bool) -> bool {
        let mut is_changed = false;
        for contact in &mut self.contacts {
            let present = contact.present_shift(&self.rows);
            if !contact.case.is_apart() && contact.shift - present > most {
                let shift = if is_last { 0.0 } else { present };
                for row in &mut self.rows[contact.first_row..contact.friction_row()] {
                    row.target += contact.shift - shift;
                }
                contact.shift = shift;
                is_changed = true;
            }
        }
        is_changed
    }

    /// Adds the impulses of a substep to the totals of the step.
    pub(crate) fn add_totals(&mut self) {
        for row in &mut self.rows {
            row.total += row.impulse;
        }
    }
}
