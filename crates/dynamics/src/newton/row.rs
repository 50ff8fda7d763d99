//! A row of the model: its law, its value at a velocity, and its part of the merit function.
//!
//! A row has the rate `u = J v` and a target rate `c`. Its impulse is `P(m - k (u - c))` with the multiplier
//! `m`, the impulse that it carries over from the substep before, and the stiffness `k`, the inverse of its
//! regularization. P is the projection on the impulses that the row allows. The impulse is the negative slope
//! of a convex function of `u`, so all rows together have one merit function and one minimum.

use crate::linear::block_sparse::Triple;
use crate::linear::small::dot_3;

/// The impulses that a row allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowLaw {
    /// Any: joints and springs.
    Bilateral,
    /// Not negative: contact points and limits.
    Push,
    /// Up to a bound in both directions: friction, rolling resistance, motors.
    Bounded,
}

/// Object of a row, which decides its regularization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowSource {
    Joint,
    Limit,
    Spring,
    Motor,
    Normal,
    Friction,
}

/// An edge of a row with a body that impulses do not move.
pub(crate) const NO_EDGE: u32 = u32::MAX;

/// A scalar constraint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewtonRow {
    pub(crate) law: RowLaw,
    pub(crate) source: RowSource,
    /// Indices of the bodies, and of their edge in the pattern of the matrix.
    pub(crate) ends: [u32; 2],
    pub(crate) edge: u32,
    /// Derivatives of the error by the motions of both bodies: x, y, angle.
    pub(crate) jacobian: [Triple; 2],
    /// J M^-1 J^T.
    pub(crate) inv_mass: f64,
    /// Of an angle: the radius of gyration, which makes speeds of rates. Of a contact: the sum of its arms. Else 1.
    pub(crate) length: f64,
    /// Deviation from the target position; of a contact or limit its gap, negative beyond.
    pub(crate) error: f64,
    /// Target rate: m/s or rad/s.
    pub(crate) target: f64,
    pub(crate) stiffness: f64,
    pub(crate) multiplier: f64,
    /// Multiplier at the start of the substep.
    pub(crate) carried: f64,
    /// Impulse at the present velocity.
    pub(crate) impulse: f64,
    /// Sum of the impulses of the step.
    pub(crate) total: f64,
    /// Greatest impulse of a bounded row.
    pub(crate) bound: f64,
    /// The row belongs to the Hessian.
    pub(crate) is_active: bool,
    /// Rate at the present velocity, and its change along the search direction.
    pub(crate) rate: f64,
    pub(crate) change: f64,
}

impl NewtonRow {
    /// Returns a row without Jacobian that carries `multiplier`.
    pub(crate) fn new(law: RowLaw, source: RowSource, ends: [u32; 2], multiplier: f64) -> Self {
        Self {
            law,
            source,
            ends,
            edge: NO_EDGE,
            jacobian: [[0.0; 3]; 2],
            inv_mass: 0.0,
            length: 1.0,
            error: 0.0,
            target: 0.0,
            stiffness: 0.0,
            multiplier,
            carried: multiplier,
            impulse: multiplier,
            total: 0.0,
            bound: f64::INFINITY,
            is_active: false,
            rate: 0.0,
            change: 0.0,
        }
    }

    /// Returns `true` if the row is soft enough that it needs the impulse of before. Joints are too stiff to
    /// yield by their impulse. Where they contradict each other, in a loop that does not close, a carried
    /// impulse would grow without end.
    pub(crate) fn carries_impulse(&self) -> bool {
        match self.source {
            RowSource::Limit | RowSource::Normal | RowSource::Friction => true,
            RowSource::Joint | RowSource::Spring | RowSource::Motor => false,
        }
    }

    /// Returns the rate of the row at the velocities of the bodies.
    pub(crate) fn rate_of(&self, velocities: &[Triple]) -> f64 {
        let [a, b] = self.ends.map(|end| &velocities[end as usize]);
        dot_3(&self.jacobian[0], a) + dot_3(&self.jacobian[1], b)
    }

    /// Returns the impulse before the projection.
    pub(crate) fn free_impulse(&self) -> f64 {
        self.multiplier - self.stiffness * (self.rate - self.target)
    }

    /// Returns the impulse, and whether it changes with the rate.
    pub(crate) fn impulse_and_activity(&self) -> (f64, bool) {
        project(self.law, self.free_impulse(), self.bound)
    }

    /// Returns the data of a line search.
    pub(crate) fn on_line(&self) -> LineRow {
        LineRow {
            law: self.law,
            free: self.free_impulse(),
            fall: self.stiffness * self.change,
            change: self.change,
            bound: self.bound,
        }
    }

    /// Returns the row's part of the merit function at the present rate.
    #[cfg(test)]
    pub(crate) fn merit(&self) -> f64 {
        let gap = self.rate - self.target;
        let smooth = 0.5 * self.stiffness * gap * gap - self.multiplier * gap;
        let (impulse, _) = self.impulse_and_activity();
        let excess = self.free_impulse() - impulse;
        // Outside the range of the impulse the function goes on with a constant slope.
        if self.stiffness > 0.0 {
            smooth - 0.5 * excess * excess / self.stiffness
        } else {
            smooth
        }
    }
}

/// A row along the search direction: much smaller than a row, as a line search reads all several times.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineRow {
    law: RowLaw,
    /// Impulse before the projection at the start.
    free: f64,
    /// Its fall at the full step.
    pub(crate) fall: f64,
    /// Change of the rate at the full step.
    pub(crate) change: f64,
    bound: f64,
}

impl LineRow {
    /// Returns the impulse at a step of `share`, and whether it changes with the rate.
    #[inline]
    pub(crate) fn impulse_at(&self, share: f64) -> (f64, bool) {
        project(self.law, self.free - share * self.fall, self.bound)
    }
}

/// Returns the impulse that a row allows nearest to `free`, and whether it follows `free`.
#[inline]
fn project(law: RowLaw, free: f64, bound: f64) -> (f64, bool) {
    match law {
        RowLaw::Bilateral => (free, true),
        RowLaw::Push => (free.max(0.0), free > 0.0),
        RowLaw::Bounded if free.abs() <= bound => (free, bound > 0.0),
        RowLaw::Bounded => (bound.copysign(free), false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impulse_is_the_negative_slope_of_the_merit() {
        for law in [RowLaw::Bilateral, RowLaw::Push, RowLaw::Bounded] {
            for i in -40..40 {
                let mut row = NewtonRow::new(law, RowSource::Normal, [0, 1], 0.7);
                (row.stiffness, row.target, row.bound) = (3.0, 0.2, 1.1);
                let merit_at = |row: &mut NewtonRow, rate| {
                    row.rate = rate;
                    row.merit()
                };
                let (rate, step) = (0.1 * f64::from(i) + 0.03, 1.0e-6);
                let slope = (merit_at(&mut row, rate + step) - merit_at(&mut row, rate - step))
                    / (2.0 * step);
                row.rate = rate;
                assert!(
                    (slope + row.impulse_and_activity().0).abs() < 1.0e-6,
                    "{law:?} {rate}"
                );
            }
        }
    }
}
