//! A damped spring on a row.
//!
//! Force `-k C - d C'` with `k = m w^2`, `d = 2 m z w`, w = 2 pi f and m the row's effective mass. Over a substep the
//! spring acts with C at its start and velocity is updated before position, which is symplectic: an undamped spring
//! keeps its amplitude. The damper acts on the new velocity with the exact factor exp(-2 z w h). A spring too stiff
//! for the substep (w h > 1) is made implicit as far as needed for stability. A fully implicit soft constraint was
//! rejected: it halves the amplitude of an undamped spring of 1 Hz in ten seconds.
//!
//! The mass of a point is a matrix that turns with the bodies, and the torque that this would exert is left out: it grows
//! with the square of the gap, and no substep resolves it. So of linkages in wild motion whose points hang on springs of
//! hardly any damping, 1 in 100 gained energy.

use super::lane_vec::{LaneVec, empty_lanes, put};
use super::pair::{BodyPair, JointArms};
use super::point::{LeadingTwist, solve_point};
use super::row::Row;
use cairn2d_geometry::math::PI;
use cairn2d_simd::{Lanes, Simd};

/// Largest w h, and largest 2 z w h, of a spring. From far below on, a spring leaves nothing of a velocity that a
/// float could show; far above, the coefficients would be infinite, and infinity by infinity is not a number.
const MAX_OMEGA_H: f32 = 1.0e6;
const MAX_DAMPING: f32 = 1.0e4;

/// Number of springs that one of a crowd is taken for. With 1 undamped springs of 20 Hz and more gain 0.2 % of energy a
/// substep, with 4 a hundredth of a percent.
const CROWD_MARGIN: f32 = 4.0;

/// Weight of an explicit spring, for the square of its angular frequency times the substep. The squares of springs on
/// one body may add up to 4 before they are unstable; at the greatest sum of couplings, 3, they add up to 2.
const EXPLICIT_WEIGHT: f32 = 1.5;

/// Greatest weight of an implicit spring. With 1, three springs of 60 Hz on a light hub gained energy.
const IMPLICIT_WEIGHT: f32 = 2.0;

/// Coefficients of a spring for one substep length.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SpringRate {
    /// w^2 h [1/s].
    pub(crate) pull: f32,
    /// Factor on the velocity: damping within a substep, plus the implicit part of a stiff spring.
    pub(crate) brake: f32,
}

impl SpringRate {
    pub(crate) fn new(hertz: f32, damping_ratio: f32, h: f32) -> Self {
        let omega_h = (2.0 * PI * hertz * h).min(MAX_OMEGA_H);
        // Doubled last: twice the largest number by a frequency of 0 is not a number.
        let damping = (2.0 * (damping_ratio * omega_h)).min(MAX_DAMPING);
        // exp(x) - 1 to third order: exact for usual x, strong for large x.
        let exponential = damping * (1.0 + 0.5 * damping * (1.0 + damping / 3.0));
        let implicit = (omega_h * omega_h - 1.0).max(0.0);
        Self {
            pull: omega_h * omega_h / h,
            brake: exponential + implicit,
        }
    }

    /// Returns the coefficients of one of `crowd` springs at a crowded body, which start each substep without impulse;
    /// the usual ones for a `crowd` of 0.
    ///
    /// Each spring acts as if only its share of the body were there for it, as in mass splitting: then the impulses of
    /// all of them together do not exceed what one alone may do, in whatever order they are solved.
    pub(crate) fn shared(hertz: f32, damping_ratio: f32, h: f32, crowd: u32) -> Self {
        let alone = Self::new(hertz, damping_ratio, h);
        if crowd == 0 {
            return alone;
        }
        let count = CROWD_MARGIN * crowd as f32;
        let square = alone.pull * h;
        // What `new` makes implicit leaves 1 of the square; of many springs together it must leave that.
        let brake = alone.brake + (square.min(1.0) - 1.0 / count).max(0.0);
        let rest = 1.0 + count * brake;
        let factor = brake / rest;
        Self {
            pull: alone.pull / (rest * (1.0 - factor)),
            brake: factor / (1.0 - factor),
        }
    }

    /// Returns the weight of a spring in the coupling of joints, 0 to 2. Springs that act on the velocity at the start
    /// of a substep do not couple, up to the stiffness at which several together would be unstable; those that are
    /// implicit do, twice as much as rigid rows, since only one sweep solves them.
    pub(crate) fn row_weight(hertz: f32, damping_ratio: f32, h: f32) -> f32 {
        let rate = Self::new(hertz, damping_ratio, h);
        let explicit = EXPLICIT_WEIGHT * rate.pull * h;
        (IMPLICIT_WEIGHT * rate.brake / (1.0 + rate.brake))
            .max(explicit)
            .min(IMPLICIT_WEIGHT)
    }
}

/// The springs of the joints of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Springs<L> {
    pull: L,
    brake: L,
}

empty_lanes! { Springs { pull, brake } }

impl<L: Lanes> Springs<L> {
    pub(crate) fn put(&mut self, lane: usize, rate: SpringRate) {
        put(&mut self.pull, lane, rate.pull);
        put(&mut self.brake, lane, rate.brake);
    }

    /// Pulls C to zero with at most `max_impulse`, if there is a bound: `x` is the spring's impulse of the substep. A
    /// relax pass skips it, as the spring acts from the start of the substep.
    #[inline(always)]
    pub(crate) fn drive(
        &self,
        row: impl Row<L>,
        pair: &mut BodyPair<L>,
        c: L,
        max_impulse: Option<L>,
        x: &mut L,
    ) {
        let simd = c.simd();
        let k = row.inv_mass(pair);
        // Velocity without the spring's own impulse.
        let unsprung = row.velocity(pair) - k * *x;
        let inverse = row.own_inv_mass(pair) + self.brake * k;
        let mut new = -(self.pull * c + self.brake * unsprung) / inverse;
        if let Some(max) = max_impulse {
            new = new.max(-max).min(max);
        }
        let old = *x;
        // Where nothing can move, `new` is infinite or not a number.
        *x = L::select(k.gt(simd.zero()), new, old);
        row.push(pair, *x - old);
    }

    /// Pulls the gap `c` between the points at `arms` to zero, with at most `max_impulse`, if there is a bound: `x` is
    /// the spring's impulse of the substep.
    #[inline(always)]
    pub(crate) fn drive_point(
        &self,
        pair: &mut BodyPair<L>,
        arms: JointArms<L>,
        c: LaneVec<L>,
        max_impulse: Option<L>,
        x: &mut LaneVec<L>,
    ) {
        let old = *x;
        let new = self.point_impulse(pair, arms, c, old);
        *x = max_impulse.map_or(new, |max| new.capped(max));
        pair.push(*x - old, arms);
    }

    /// Returns the impulse that [`Self::drive_point`] exerts instead of `x`.
    #[inline(always)]
    fn point_impulse(
        &self,
        pair: &BodyPair<L>,
        arms: JointArms<L>,
        c: LaneVec<L>,
        x: LaneVec<L>,
    ) -> LaneVec<L> {
        let one = c.x.simd().splat(1.0);
        let rate = c * self.pull + pair.relative_velocity(arms) * self.brake;
        (x * self.brake - solve_point(pair, arms, rate)) * (one / (one + self.brake))
    }

    /// Returns the row on the angle of a joint that then pulls its point by these springs, with the impulse `x` so far.
    #[inline(always)]
    pub(crate) fn leading_twist(
        &self,
        pair: &BodyPair<L>,
        arms: JointArms<L>,
        c: LaneVec<L>,
        x: LaneVec<L>,
    ) -> LeadingTwist<L> {
        let change = self.point_impulse(pair, arms, c, x) - x;
        let one = c.x.simd().splat(1.0);
        LeadingTwist::new(pair, arms, change, self.brake / (one + self.brake))
    }

    /// Returns where a spring leaves less than half of a velocity: it is too stiff or too damped to be integrated explicitly.
    #[inline(always)]
    pub(crate) fn are_stiff(&self) -> L::Mask {
        self.brake.gt(self.brake.simd().splat(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::{MAX_STEP, MIN_STEP};

    #[test]
    fn coefficients_of_extreme_springs_are_finite() {
        let extremes = [0.0, f32::MIN_POSITIVE, 1.0, 6.0e37, f32::MAX];
        for (hertz, ratio) in extremes
            .iter()
            .flat_map(|f| extremes.map(|ratio| (*f, ratio)))
        {
            for h in [MIN_STEP / 64.0, 1.0 / 240.0, MAX_STEP] {
                let rate = SpringRate::new(hertz, ratio, h);
                let gap = 1.0e9;
                let speed = rate.brake * 1.0e9 / (1.0 + rate.brake);
                let correction = rate.pull * gap / (1.0 + rate.brake);
                assert!(
                    speed <= 1.0001e9 && correction.is_finite(),
                    "{hertz} Hz, ratio {ratio}, h {h} s: {rate:?}"
                );
            }
        }
    }
}
