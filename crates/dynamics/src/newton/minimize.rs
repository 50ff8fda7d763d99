//! Newton's method on the merit function of an island.
//!
//! ```text
//! l(v) = 1/2 (v - v*)' M (v - v*) + 1/2 sum G w^2 + sum phi(J v)
//! ```
//!
//! v* are the velocities that the forces alone give, G the geometric stiffness of the bodies. The function is
//! convex and piecewise quadratic: each iteration solves with the Hessian of the active rows, and goes as far
//! along this direction as the merit falls. SAP ([Castro22]) and MuJoCo are models.

use super::system::{FactorState, NewtonSystem};
use crate::linear::block_sparse::Triple;
use crate::linear::small::dot_3;

/// Most iterations of one solve.
const MAX_ITERATIONS: u32 = 10;

/// Residual below which a solve has converged, relative to the velocity scale.
const TOLERANCE: f64 = 1.0e-4;

/// Slope at the full step, relative to that at the start, up to which the full step is taken.
const MAX_SLOPE: f64 = 0.03;

/// Evaluations of the slope in a line search.
const MAX_LINE_SEARCH: u32 = 30;

/// Distance of a push row from its target within which it belongs to a wide Hessian, relative to the
/// velocity scale. The first Hessian is wide, and each after a short step: bodies that hardly part move
/// together. Without it the active set of a pile grows by one row an iteration.
const REACH: f64 = 2.0;

/// Share of the reach that the next wide Hessian has. With one reach for all, wide and narrow directions could
/// alternate without progress, when of two rows within reach only one acts.
const NEXT_REACH: f64 = 0.25;

/// Share of a step that counts as short.
const SHORT_STEP: f64 = 0.25;

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
    /// Slope at the start.
    start: f64,
    /// Its rise to the full step, without the rows that have a kink between.
    rise: f64,
}

impl NewtonSystem {
    /// Moves the velocities to the minimum of the merit function, and sets the impulses of the rows there.
    pub(crate) fn minimize(&mut self) -> Minimum {
        let mut minimum = Minimum::default();
        let (mut is_wide, mut reach) = (true, REACH * self.scale);
        let mut last_residual = MAX_LAGGED_RESIDUAL / MAX_LAGGED_RATIO * self.scale;
        let mut share = 0.0;
        loop {
            let residual = self.advance(share, if is_wide { reach } else { 0.0 });
            minimum.is_converged = residual < TOLERANCE * self.scale;
            let is_over = minimum.iterations >= MAX_ITERATIONS || residual.is_nan();
            if minimum.is_converged || is_over {
                return minimum;
            }
            minimum.iterations += 1;
            let is_slow = residual > MAX_LAGGED_RATIO * last_residual;
            last_residual = residual;
            match self.factor_state {
                FactorState::Current => {}
                FactorState::Lagged if !is_slow => {}
                FactorState::Lagged | FactorState::None => {
                    minimum.factorizations += 1;
                    self.factor_hessian();
                }
            }
            let line = self.find_direction();
            share = self.search_line(line);
            is_wide = share < SHORT_STEP;
            if is_wide {
                reach *= NEXT_REACH;
            }
        }
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
        let mut is_unchanged = true;
        for row in &mut self.rows {
            is_unchanged &= row.advance(share, reach);
            if row.impulse != 0.0 {
                row.subtract_impulse(&mut self.gradient);
            }
        }
        if !is_unchanged {
            self.factor_state = FactorState::None;
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
        for row in self.rows.iter().filter(|row| row.is_active) {
            row.add_stiffness(&self.nodes, &self.edges, factor);
        }
        // A matrix that is not positive definite gives a direction that the check of the result rejects.
        let _ = factor.compute();
        self.factor_state = FactorState::Current;
    }

    /// Computes the search direction, and the slope of the merit along it.
    fn find_direction(&mut self) -> Line {
        self.right.clear();
        for (gradient, node) in self.gradient.iter().zip(&self.nodes) {
            if node.is_some() {
                self.right.push(gradient.map(|part| -part));
            }
        }
        self.factor.solve(&mut self.right);
        let (mut start, mut rise) = (0.0, 0.0);
        for (i, node) in self.nodes.iter().enumerate() {
            let mut change = node.map_or([0.0; 3], |node| self.right[node as usize]);
            for (change, mass) in change.iter_mut().zip(&self.masses[i]) {
                *change = if *mass > 0.0 { *change } else { 0.0 };
                rise += mass * *change * *change;
            }
            rise += self.geometric[i] * change[2] * change[2];
            start += dot_3(&change, &self.gradient[i]);
            self.changes[i] = change;
        }
        self.kinks.clear();
        for row in &mut self.rows {
            row.change = row.rate_of(&self.changes);
            match row.fall_on_line() {
                Ok(fall) => rise += fall * row.change,
                Err(kink) => self.kinks.push(kink),
            }
        }
        Line { start, rise }
    }

    /// Returns the share of the step at which the merit is least along the direction, at most 1.
    fn search_line(&self, line: Line) -> f64 {
        let impulses_at = |share: f64| {
            self.kinks
                .iter()
                .map(move |row| (row, row.impulse_at(share)))
        };
        // Without the rows that have a kink.
        let smooth_start = impulses_at(0.0).fold(line.start, |slope, (row, (impulse, _))| {
            slope + impulse * row.change
        });
        let slope_at = |share: f64| {
            let (mut slope, mut curvature) = (smooth_start + share * line.rise, line.rise);
            for (row, (impulse, is_active)) in impulses_at(share) {
                slope -= impulse * row.change;
                if is_active {
                    curvature += row.fall * row.change;
                }
            }
            (slope, curvature)
        };
        let enough = MAX_SLOPE * line.start.abs();
        // NaN takes the full step; the safety check rejects the result.
        if slope_at(1.0).0 <= enough || line.start.is_nan() {
            return 1.0;
        }
        let (mut low, mut high, mut share) = (0.0, 1.0, 0.5);
        for _ in 0..MAX_LINE_SEARCH {
            let (slope, curvature) = slope_at(share);
            if slope.abs() < enough {
                break;
            }
            if slope > 0.0 {
                high = share;
            } else {
                low = share;
            }
            let next = share - slope / curvature;
            share = if next > low && next < high {
                next
            } else {
                0.5 * (low + high)
            };
        }
        share
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
        sum + self
            .rows
            .iter()
            .map(super::row::NewtonRow::merit)
            .sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
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

    fn system_of(rows: Vec<NewtonRow>, masses: &[f32], free: &[Triple]) -> NewtonSystem {
        let mut system = NewtonSystem {
            bodies: (0..=BODIES)
                .zip(masses)
                .map(|(slot, &mass)| body(slot, mass))
                .collect(),
            rows,
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
            masses in prop::collection::vec(0.1..100.0_f32, 9),
            free in prop::collection::vec(prop::array::uniform3(-1.0..1.0_f64), 9),
        ) {
            let mut system = system_of(rows, &masses, &free);
            let mut last = f64::INFINITY;
            system.update_rates();
            let mut share = 0.0;
            for iteration in 0..MAX_ITERATIONS {
                let reach = if iteration == 0 { REACH * system.scale } else { 0.0 };
                let residual = system.advance(share, reach);
                let merit = system.merit();
                prop_assert!(merit <= last + 1.0e-12 * last.abs().min(1.0e6), "{merit} {last}");
                last = merit;
                if residual < TOLERANCE * system.scale {
                    break;
                }
                system.factor_hessian();
                let line = system.find_direction();
                prop_assert!(line.start <= 0.0, "{line:?}");
                share = system.search_line(line);
            }
            // A convex function has no lower value than where its gradient vanishes.
            let found = system.velocities.clone();
            if system.minimize().is_converged {
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
