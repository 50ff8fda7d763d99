//! A damped spring on a row.
//!
//! Force `-k C - d C'` with `k = m w^2`, `d = 2 m z w`, w = 2 pi f and m the row's effective mass. Over a
//! substep the spring acts with C at its start and velocity is updated before position, which is symplectic:
//! an undamped spring keeps its amplitude. The damper acts on the new velocity with the exact factor exp(-2 z
//! w h). A spring too stiff for the substep (w h > 1) is made implicit as far as needed for stability.
//! Rejected: a soft constraint, fully implicit. It halves the amplitude of an undamped spring of 1 Hz in ten
//! seconds.

use super::pair::BodyPair;
use super::point::{capped, solve_point};
use super::row::{JointRow, Pass};
use crate::bounded::bounded;
use cairn2d_geometry::math::{PI, Vec2};

/// Largest w h, and largest 2 z w h, of a spring. From far below on, a spring leaves nothing of a velocity that a
/// float could show; far above, the coefficients would be infinite, and infinity by infinity is not a number.
const MAX_OMEGA_H: f32 = 1.0e6;
const MAX_DAMPING: f32 = 1.0e4;

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

    /// Pulls C to zero with at most `max_impulse`: `x` is the spring's impulse of the substep. A relax pass
    /// skips it, as the spring acts from the start of the substep.
    #[inline(always)]
    pub(crate) fn drive(
        &self,
        row: &JointRow,
        pair: &mut BodyPair,
        c: f32,
        pass: Pass,
        max_impulse: f32,
        x: &mut f32,
    ) {
        if pass == Pass::Relax {
            return;
        }
        let k = row.inv_mass(pair);
        if k <= 0.0 {
            return;
        }
        // Velocity without the spring's own impulse.
        let unsprung = row.velocity(pair) - k * *x;
        let old = *x;
        let new = -(self.pull * c + self.brake * unsprung) / (k * (1.0 + self.brake));
        *x = bounded(new, max_impulse);
        row.push(pair, *x - old);
    }

    /// Pulls the gap `c` between the points at the two `arms` to zero, with at most `max_impulse`: `x` is the
    /// spring's impulse of the substep.
    #[inline(always)]
    pub(crate) fn drive_point(
        &self,
        pair: &mut BodyPair,
        (arm_a, arm_b): (Vec2, Vec2),
        c: Vec2,
        pass: Pass,
        max_impulse: f32,
        x: &mut Vec2,
    ) {
        if pass == Pass::Relax {
            return;
        }
        let rate = self.pull * c + self.brake * pair.relative_velocity(arm_a, arm_b);
        let old = *x;
        let new = (self.brake * old - solve_point(pair, arm_a, arm_b, rate)) / (1.0 + self.brake);
        *x = capped(new, max_impulse);
        pair.push(*x - old, arm_a, arm_b);
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
