//! Newton's method on the merit function of an island.
//!
//! ```text
//! l(v) = 1/2 (v - v*)' M (v - v*) + 1/2 sum G w^2 + sum phi(J v)
//! ```
//!
//! v* are the velocities that the forces alone give, G the geometric stiffness of the bodies. The function is
//! convex and piecewise quadratic: each iteration solves with the Hessian of the active rows, and goes as far
//! along this direction as the merit falls. SAP ([Castro22]) and MuJoCo are models.

use super::row::{NewtonRow, RowLaw, RowSource};
use super::system::{FactorState, NewtonSystem};
use crate::linear::block_sparse::Triple;
use crate::linear::small::dot_3;

/// Most iterations of one solve.
const MAX_ITERATIONS: u32 = 20;

/// Residual below which a solve has converged, relative to the velocity scale.
const TOLERANCE: f64 = 1.0e-4;

/// Slope at the full step, relative to that at the start, up to which the full step is taken.
const MAX_SLOPE: f64 = 0.03;

/// Evaluations of the slope in a line search.
const MAX_LINE_SEARCH: u32 = 30;

/// Rate at which a contact without a load may part and still belongs to the first Hessian, relative to the velocity scale:
/// bodies that hardly part move together. Without it the contacts of a pile that was just built join one an iteration.
const REACH: f64 = 2.0;

/// Residual up to which a lagged factor is good for a first direction, relative to the velocity scale. Where
/// Jacobians have turned, stiff joints leave a greater one, and the old directions open them.
const MAX_LAGGED_RESIDUAL: f64 = 1.0e4;

/// Share of the residual that an iteration with a lagged factor may leave. Where it leaves more, the next one
/// gets the present factor.
const MAX_LAGGED_RATIO: f64 = 0.1;

/// The result of a solve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Minimum {
    pub(crate) iterations: u32,
    pub(crate) factorizations: u32,
    pub(crate) is_converged: bool,
}

/// Slope of the merit along a direction.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// Slope at the start, without the rows and contacts that have a kink before the full step, and its rise to there.
    start: f64,
    rise: f64,
}

impl NewtonSystem {
    /// Moves the velocities to the minimum of the merit function in at most so many iterations, and sets the impulses of the
    /// rows there.
    pub(crate) fn minimize(&mut self, most_iterations: u32) -> Minimum {
        let most_iterations = most_iterations.min(MAX_ITERATIONS);
        let mut minimum = Minimum::default();
        let mut last_residual = MAX_LAGGED_RESIDUAL / MAX_LAGGED_RATIO * self.scale;
        let mut share = 0.0;
        loop {
            let is_first = minimum.iterations == 0;
            let residual = self.advance(share, if is_first { REACH * self.scale } else { 0.0 });
            minimum.is_converged = residual < TOLERANCE * self.scale;
            // A full step with the present Hessian ends in its minimum, up to rounding.
            let is_rounding = share == 1.0
                && self.has_factored_rows
                && self.factor_state == FactorState::Current
                && residual > MAX_LAGGED_RATIO * last_residual;
            let is_over = minimum.iterations >= most_iterations || is_rounding;
            if minimum.is_converged || is_over || residual.is_nan() {
                return minimum;
            }
            minimum.iterations += 1;
            let is_slow = residual > MAX_LAGGED_RATIO * last_residual;
            last_residual = residual;
            minimum.factorizations += u32::from(self.refresh_factor(is_slow));
            let line = self.find_direction();
            share = self.search_line(line);
        }
    }

    /// Factors the present Hessian, unless the factor is that or, where it `must_be_present` not, nearly. Returns `true` if it was
    /// factored.
    fn refresh_factor(&mut self, must_be_present: bool) -> bool {
        let is_good = match self.factor_state {
            FactorState::Current => true,
            FactorState::Lagged => !must_be_present,
            FactorState::None => false,
        };
        if is_good && self.has_factored_rows {
            return false;
        }
        self.factor_hessian();
        true
    }

    /// Computes the rates of the rows at the present velocities.
    pub(crate) fn update_rates(&mut self) {
        self.changes.fill([0.0; 3]);
        for row in &mut self.rows {
            (row.rate, row.change) = (row.rate_of(&self.velocities), 0.0);
        }
    }

    /// Goes this share of the step along the direction. Computes impulses, active rows and the gradient there, and returns
    /// the greatest component of M^-1 times the gradient, at the edge of a body \[m/s\].
    fn advance(&mut self, share: f64, reach: f64) -> f64 {
        self.gradient.clear();
        for (i, mass) in self.masses.iter().enumerate() {
            let (v, free) = (&mut self.velocities[i], &self.free_velocities[i]);
            for (v, change) in v.iter_mut().zip(&self.changes[i]) {
                *v += share * change;
            }
            let mut gradient: Triple = core::array::from_fn(|k| mass[k] * (v[k] - free[k]));
            gradient[2] += self.geometric[i] * v[2];
            self.gradient.push(gradient);
        }
        self.has_factored_rows = true;
        for row in &mut self.rows {
            row.rate += share * row.change;
            if row.law != RowLaw::Cone {
                self.has_factored_rows &= row.update_impulse();
            }
        }
        for contact in &mut self.contacts {
            self.has_factored_rows &= contact.update_impulses(&mut self.rows, reach);
        }
        for row in &self.rows {
            if row.impulse != 0.0 {
                row.add_impulse(-row.impulse, &mut self.gradient);
            }
        }
        let mut most = 0.0_f64;
        for (gradient, weight) in self.gradient.iter().zip(&self.weights) {
            for (part, weight) in gradient.iter().zip(weight) {
                let residual = (part * weight).abs();
                // `max` would ignore NaN.
                if residual > most || residual.is_nan() {
                    most = residual;
                }
            }
            if most.is_nan() {
                break;
            }
        }
        most
    }

    /// Notes that Jacobians or stiffness have changed since the Hessian was factored.
    pub(crate) fn lag_factor(&mut self) {
        if self.factor_state == FactorState::Current {
            self.factor_state = FactorState::Lagged;
        }
    }

    /// Computes the Hessian of the active rows and its factor.
    fn factor_hessian(&mut self) {
        let factor = &mut self.factor;
        factor.clear();
        for (i, mass) in self.masses.iter().enumerate() {
            if let Some(node) = self.nodes[i] {
                let block = factor.diagonal_mut(node);
                for (k, line) in block.iter_mut().enumerate() {
                    // A locked component has no mass and no row: any number will do.
                    line[k] = if mass[k] > 0.0 { mass[k] } else { 1.0 };
                }
                block[2][2] += self.geometric[i];
            }
        }
        for row in &mut self.rows {
            row.was_active = row.is_active;
            if row.is_active {
                let term = (row.stiffness, &row.jacobian);
                row.add_stiffness(term, &self.nodes, &self.edges, factor);
            }
        }
        for contact in &mut self.contacts {
            contact.factored = contact.case;
            contact.each_term(&self.rows, |row, stiffness, jacobian, _| {
                row.add_stiffness((stiffness, &jacobian), &self.nodes, &self.edges, factor);
            });
        }
        // A matrix that is not positive definite gives a direction that the check of the result rejects.
        let _ = factor.compute(0.0);
        self.factor_state = FactorState::Current;
        self.has_factored_rows = true;
    }

    /// Computes the search direction, and the slope of the merit along it.
    fn find_direction(&mut self) -> Line {
        self.solve_right(-1.0);
        let (mut start, mut rise) = (0.0, 0.0);
        for (i, change) in self.changes.iter().enumerate() {
            for (change, mass) in change.iter().zip(&self.masses[i]) {
                rise += mass * change * change;
            }
            rise += self.geometric[i] * change[2] * change[2];
            start += dot_3(change, &self.gradient[i]);
        }
        self.kinks.clear();
        self.cone_kinks.clear();
        for row in &mut self.rows {
            row.change = row.rate_of(&self.changes);
            if row.law == RowLaw::Cone {
                continue;
            }
            match row.fall_on_line() {
                Ok(fall) => rise += fall * row.change,
                Err(kink) => {
                    start -= kink.slope_at(0.0);
                    self.kinks.push(kink);
                }
            }
        }
        for contact in &self.contacts {
            match contact.rise_on_line(&self.rows) {
                Ok(own) => rise += own,
                Err(kink) => {
                    start -= kink.slope_at(0.0);
                    self.cone_kinks.push(kink);
                }
            }
        }
        Line { start, rise }
    }

    /// Returns the share of the step at which the merit is least along the direction, at most 1: the root of its slope, which
    /// does not fall, by false position ([Dowell71]).
    fn search_line(&self, line: Line) -> f64 {
        let slope_at = |share: f64| {
            let rows = self.kinks.iter().map(|row| row.slope_at(share));
            let cones = self.cone_kinks.iter().map(|cone| cone.slope_at(share));
            line.start + share * line.rise + (rows.sum::<f64>() + cones.sum::<f64>())
        };
        let (mut low, mut high) = ((0.0, slope_at(0.0)), (1.0, slope_at(1.0)));
        let enough = MAX_SLOPE * low.1.abs();
        // NaN takes the full step; the safety check rejects the result.
        if high.1 <= enough || low.1.is_nan() || high.1.is_nan() {
            return 1.0;
        }
        let mut share = 1.0;
        let mut last_side = 0;
        for trial in 0..MAX_LINE_SEARCH {
            share = (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1);
            // A row as stiff as a wall is found faster by halves.
            if trial % 3 == 2 || !(share > low.0 && share < high.0) {
                share = 0.5 * (low.0 + high.0);
            }
            let slope = slope_at(share);
            if slope.abs() < enough {
                break;
            }
            if slope > 0.0 {
                high = (share, slope);
                if last_side == 1 {
                    low.1 *= 0.5;
                }
                last_side = 1;
            } else {
                low = (share, slope);
                if last_side == -1 {
                    high.1 *= 0.5;
                }
                last_side = -1;
            }
        }
        share
    }

    /// Finds the motion that corrects the errors of the active rows, as velocities besides the present ones, in `changes`:
    /// one solution with the present Hessian. Returns the number of factorizations.
    pub(crate) fn find_corrections(&mut self) -> u32 {
        // Where joints have turned, an old factor opens them.
        let count = self.refresh_factor(!self.joints.is_empty());
        self.gradient.clear();
        self.gradient.resize(self.bodies.len(), [0.0; 3]);
        for row in &self.rows {
            if row.is_active && row.correction != 0.0 {
                row.add_impulse(row.stiffness * row.correction, &mut self.gradient);
            }
        }
        for contact in &self.contacts {
            contact.each_term(&self.rows, |row, stiffness, jacobian, correction| {
                let term = NewtonRow {
                    jacobian,
                    is_angular: false,
                    ..*row
                };
                term.add_impulse(stiffness * correction, &mut self.gradient);
            });
        }
        self.solve_right(1.0);
        if !self.is_corrected() {
            self.changes.fill([0.0; 3]);
        }
        u32::from(count)
    }

    /// Returns `true` if no point moves otherwise than its correction asks for by more than the greatest correction. Boxes
    /// that a plate squeezed beyond their size were pushed through each other.
    fn is_corrected(&self) -> bool {
        let normals = || {
            self.rows
                .iter()
                .filter(|row| row.source == RowSource::Normal)
        };
        let most = normals().fold(0.0, |most: f64, row| most.max(row.correction));
        let mut acting = normals().filter(|row| row.impulse > 0.0);
        acting.all(|row| (row.rate_of(&self.changes) - row.correction).abs() <= most)
    }

    /// Solves for `share` of the gradient, into `changes`.
    fn solve_right(&mut self, share: f64) {
        self.right.clear();
        for (gradient, node) in self.gradient.iter().zip(&self.nodes) {
            if node.is_some() {
                self.right.push(gradient.map(|part| share * part));
            }
        }
        self.factor.solve(&mut self.right);
        for (i, node) in self.nodes.iter().enumerate() {
            let mut change = node.map_or([0.0; 3], |node| self.right[node as usize]);
            for (change, mass) in change.iter_mut().zip(&self.masses[i]) {
                *change = if *mass > 0.0 { *change } else { 0.0 };
            }
            self.changes[i] = change;
        }
    }

    /// Returns the merit at the present velocities, with the present rates of the rows.
    #[cfg(test)]
    pub(crate) fn merit(&self) -> f64 {
        let mut sum = 0.0;
        for (i, mass) in self.masses.iter().enumerate() {
            let (v, free) = (&self.velocities[i], &self.free_velocities[i]);
            for k in 0..3 {
                sum += 0.5 * mass[k] * (v[k] - free[k]) * (v[k] - free[k]);
            }
            sum += 0.5 * self.geometric[i] * v[2] * v[2];
        }
        let rows = self.rows.iter().filter(|row| row.law != RowLaw::Cone);
        let cones = self
            .contacts
            .iter()
            .map(|contact| contact.merit(&self.rows));
        sum + rows.map(NewtonRow::merit).sum::<f64>() + cones.sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::super::contact::NewtonContact;
    use super::super::row::{NewtonRow, RowLaw, RowSource};
    use super::*;
    use crate::articulation::body::DirectBody;
    use crate::body::state::{BodyMass, BodyMotion, BodyPose, BodyState, state_flags};
    use crate::solver::IntegrationStep;
    use cairn2d_geometry::math::Vec2;
    use proptest::prelude::*;

    /// Number of free bodies; body 0 is fixed.
    const BODIES: u32 = 8;

    fn body(slot: u32, mass: f32) -> DirectBody {
        let drive = IntegrationStep::new(0.01, 0.01, Vec2::new(0.0, 0.0));
        let state = BodyState {
            flags: state_flags::DYNAMIC,
            ..BodyState::IDENTITY
        };
        let inverse = if slot == 0 { 0.0 } else { 1.0 / mass };
        let mass = BodyMass {
            inv_mass: inverse,
            inv_inertia: 3.0 * inverse,
        };
        let pose = BodyPose::IDENTITY;
        DirectBody::new(
            slot,
            (&pose, &pose),
            &state,
            (&mass, &BodyMotion::NONE),
            &drive,
        )
    }

    fn row() -> impl Strategy<Value = NewtonRow> {
        let laws = prop::sample::select(vec![RowLaw::Bilateral, RowLaw::Push, RowLaw::Bounded]);
        let part = || prop::array::uniform3(-1.0..1.0_f64);
        let ends = (0..=BODIES, 1..=BODIES);
        let numbers = (-1.0..1.0_f64, 0.0..6.0_f64, 0.0..1.0_f64);
        (laws, ends, part(), part(), numbers, any::<bool>()).prop_map(
            |(law, (a, offset), first, second, (target, exponent, multiplier), is_angular)| {
                let ends = [a, (a + offset) % (BODIES + 1)];
                let mut row = NewtonRow::new(law, RowSource::Normal, ends, multiplier);
                row.is_angular = is_angular;
                row.jacobian = [first, second].map(|part| match is_angular {
                    true => [0.0, 0.0, part[2]],
                    false => part,
                });
                row.target = target;
                row.stiffness = 10.0_f64.powf(exponent);
                row.bound = 1.0 + multiplier;
                row
            },
        )
    }

    /// Rows of the points and the tangent of a contact, and its friction.
    fn contact() -> impl Strategy<Value = (Vec<NewtonRow>, f64)> {
        let rows = prop::collection::vec(row(), 2..=3);
        (rows, prop::sample::select(vec![0.0, 0.2, 1.5])).prop_map(|(mut rows, friction)| {
            let ends = rows[0].ends;
            for row in &mut rows {
                (row.law, row.is_angular, row.ends) = (RowLaw::Cone, false, ends);
            }
            (rows, friction)
        })
    }

    fn system_of(
        mut rows: Vec<NewtonRow>,
        contacts: Vec<(Vec<NewtonRow>, f64)>,
        masses: &[f32],
        free: &[Triple],
    ) -> NewtonSystem {
        let mut listed = Vec::new();
        for (own, friction) in contacts {
            let contact = NewtonContact::of_rows(rows.len(), own.len() - 1, friction);
            listed.push(contact);
            rows.extend(own);
        }
        let mut system = NewtonSystem {
            bodies: (0..=BODIES)
                .zip(masses)
                .map(|(slot, &mass)| body(slot, mass))
                .collect(),
            rows,
            contacts: listed,
            scale: 1.0e-3,
            ..NewtonSystem::default()
        };
        system.analyze();
        for (i, free) in free.iter().enumerate().skip(1) {
            system.free_velocities[i] = *free;
        }
        system
    }

    proptest! {
        #[test]
        fn merit_falls_in_every_iteration_to_its_minimum(
            rows in prop::collection::vec(row(), 1..30),
            contacts in prop::collection::vec(contact(), 0..10),
            masses in prop::collection::vec(0.1..100.0_f32, 9),
            free in prop::collection::vec(prop::array::uniform3(-1.0..1.0_f64), 9),
        ) {
            let mut system = system_of(rows, contacts, &masses, &free);
            let mut last = f64::INFINITY;
            system.update_rates();
            let mut share = 0.0;
            for _ in 0..MAX_ITERATIONS {
                let residual = system.advance(share, 0.0);
                let merit = system.merit();
                prop_assert!(merit <= last + 1.0e-12 * last.abs().min(1.0e6), "{merit} {last}");
                last = merit;
                if residual < TOLERANCE * system.scale {
                    break;
                }
                system.factor_hessian();
                let line = system.find_direction();
                let parts = system.gradient.iter().zip(&system.changes);
                let slope: f64 = parts.map(|(gradient, change)| dot_3(gradient, change)).sum();
                prop_assert!(slope <= 0.0, "{slope} {line:?}");
                share = system.search_line(line);
            }
            // A convex function has no lower value than where its gradient vanishes.
            let found = system.velocities.clone();
            if system.minimize(MAX_ITERATIONS).is_converged {
                let least = system.merit();
                for (i, sign) in (1..=BODIES as usize).zip([1.0, -1.0].into_iter().cycle()) {
                    system.velocities.clone_from(&found);
                    system.velocities[i][i % 3] += 0.01 * sign;
                    system.update_rates();
                    prop_assert!(system.merit() >= least - 1.0e-9 * least.abs().max(1.0));
                }
            }
        }
    }
}
