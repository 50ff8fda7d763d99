//! A row of the model: its law, its value at a velocity, and its part of the merit function.
//!
//! A row has the rate `u = J v` and a target rate `c`. Its impulse is `P(m - k (u - c))` with the multiplier
//! `m`, the impulse that it carries over from the substep before, and the stiffness `k`, the inverse of its
//! regularization. P is the projection on the impulses that the row allows. The impulse is the negative slope
//! of a convex function of `u`, so all rows together have one merit function and one minimum.

use crate::linear::block_sparse::{BlockFactor, Triple};
use crate::linear::small::{add_square, dot_3};

/// The impulses that a row allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowLaw {
    /// Any: joints and springs.
    Bilateral,
    /// Not negative: contact points and limits.
    Push,
    /// Up to a bound in both directions: rolling resistance, motors.
    Bounded,
    /// Those of a contact, together with its other rows: see `cone.rs`.
    Cone,
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

/// Compliance of a row between bodies that impulses do not move.
const UNMOVABLE: f64 = 1.0e30;

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
    /// Only angles count: limits and motors of hinges, rolling resistance. Half of the rows of a linkage are such.
    pub(crate) is_angular: bool,
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
    /// Rate of motion, besides the velocity, that corrects the error [m/s] or [rad/s].
    pub(crate) correction: f64,
    /// The row belongs to the Hessian: at the present rate, and when it was factored.
    pub(crate) is_active: bool,
    pub(crate) was_active: bool,
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
            is_angular: false,
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
            correction: 0.0,
            is_active: false,
            was_active: false,
            rate: 0.0,
            change: 0.0,
        }
    }

    /// Returns the impulse before the projection, at the present rate.
    pub(super) fn free(&self) -> f64 {
        self.multiplier - self.stiffness * (self.rate - self.target)
    }

    /// Returns the inverse of the stiffness.
    pub(super) fn compliance(&self) -> f64 {
        if self.stiffness > 0.0 {
            1.0 / self.stiffness
        } else {
            UNMOVABLE
        }
    }

    /// Returns the rate of the row at the velocities of the bodies.
    pub(crate) fn rate_of(&self, velocities: &[Triple]) -> f64 {
        let [a, b] = self.ends.map(|end| &velocities[end as usize]);
        let [first, second] = &self.jacobian;
        if self.is_angular {
            first[2] * a[2] + second[2] * b[2]
        } else {
            dot_3(first, a) + dot_3(second, b)
        }
    }

    /// Adds `impulse` on both bodies to their parts of `sums`.
    pub(crate) fn add_impulse(&self, impulse: f64, sums: &mut [Triple]) {
        for (end, jacobian) in self.ends.into_iter().zip(&self.jacobian) {
            let sum = &mut sums[end as usize];
            if self.is_angular {
                sum[2] += impulse * jacobian[2];
            } else {
                for (sum, part) in sum.iter_mut().zip(jacobian) {
                    *sum += impulse * part;
                }
            }
        }
    }

    /// Adds the row to the Hessian, as if it had this stiffness and this Jacobian; `nodes` are those of the bodies.
    pub(crate) fn add_stiffness(
        &self,
        (k, [first, second]): (f64, &[Triple; 2]),
        nodes: &[Option<u32>],
        edges: &[[u32; 2]],
        hessian: &mut BlockFactor,
    ) {
        let nodes = self.ends.map(|end| nodes[end as usize]);
        for (node, part) in nodes.into_iter().zip([first, second]) {
            let Some(node) = node else { continue };
            let block = hessian.diagonal_mut(node);
            if self.is_angular {
                block[2][2] += k * part[2] * part[2];
            } else {
                add_square(block, k, part);
            }
        }
        if self.edge == NO_EDGE {
            return;
        }
        let [a, b] = edges[self.edge as usize];
        let is_same_order = nodes[0] == Some(a);
        debug_assert!(is_same_order || nodes[0] == Some(b));
        let parts = if is_same_order {
            [first, second]
        } else {
            [second, first]
        };
        if self.is_angular {
            hessian.add_angles_to_edge(self.edge, k * parts[0][2] * parts[1][2]);
        } else {
            hessian.add_to_edge(self.edge, k, parts);
        }
    }

    /// Sets the impulse at the present rate. The row belongs to the Hessian if its impulse changes with the rate. Returns
    /// `true` if it did so too when the Hessian was factored.
    #[inline]
    pub(super) fn update_impulse(&mut self) -> bool {
        (self.impulse, self.is_active) = project(self.law, self.free(), self.bound);
        self.is_active == self.was_active
    }

    /// Returns the fall of the impulse at the full step along the search direction if no kink is between; else the data
    /// of a line search.
    #[inline]
    pub(crate) fn fall_on_line(&self) -> Result<f64, LineRow> {
        let (free, fall) = (self.free(), self.stiffness * self.change);
        let (start, is_active) = project(self.law, free, self.bound);
        let (end, is_active_at_end) = project(self.law, free - fall, self.bound);
        if is_active && is_active_at_end {
            Ok(fall)
        } else if is_active == is_active_at_end && start == end {
            Ok(0.0)
        } else {
            Err(LineRow {
                law: self.law,
                free,
                fall,
                change: self.change,
                bound: self.bound,
            })
        }
    }

    /// Returns the row's part of the merit function at the present rate.
    #[cfg(test)]
    pub(crate) fn merit(&self) -> f64 {
        let gap = self.rate - self.target;
        let smooth = 0.5 * self.stiffness * gap * gap - self.multiplier * gap;
        let excess = self.free() - project(self.law, self.free(), self.bound).0;
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
    /// Its fall, and the change of the rate, at the full step.
    fall: f64,
    change: f64,
    bound: f64,
}

impl LineRow {
    /// Returns its part of the slope of the merit at a step of `share`.
    #[inline]
    pub(super) fn slope_at(&self, share: f64) -> f64 {
        -self.change * project(self.law, self.free - share * self.fall, self.bound).0
    }
}

/// Returns the impulse that a row allows nearest to `free`, and whether it follows `free`.
#[inline]
fn project(law: RowLaw, free: f64, bound: f64) -> (f64, bool) {
    match law {
        RowLaw::Bilateral | RowLaw::Cone => (free, true),
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
                row.update_impulse();
                assert!((slope + row.impulse).abs() < 1.0e-6, "{law:?} {rate}");
            }
        }
    }
}
