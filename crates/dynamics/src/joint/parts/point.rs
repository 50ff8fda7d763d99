//! Two anchors held together: the point constraint.
//!
//! C = pb - pa, C' = vb + wb x rb - va - wa x ra, and K the symmetric 2 by 2 matrix
//! `(ma + mb) I + ia [ra]^2 + ib [rb]^2` ([Catto09]).

use super::lane_vec::LaneVec;
use super::pair::{BodyPair, JointArms};
use super::row::{Pass, PassSettings};
use cairn2d_simd::{Lanes, Simd};

/// Drives the gap `c` between the points at `arms` to zero: `x` collects the impulse.
#[inline(always)]
pub(crate) fn hold_point<L: Lanes>(
    pair: &mut BodyPair<L>,
    arms: JointArms<L>,
    c: LaneVec<L>,
    settings: &PassSettings<L>,
    x: &mut LaneVec<L>,
) {
    let softness = &settings.softness;
    let mut rate = pair.relative_velocity(arms);
    if settings.corrects {
        rate = rate + (c * softness.bias_rate + swing(pair, arms, settings));
    }
    let mut change = -solve_point(pair, arms, rate);
    if settings.corrects {
        change.x = softness.softened(change.x, x.x);
        change.y = softness.softened(change.y, x.y);
    }
    *x = *x + change;
    pair.push(change, arms);
}

/// Returns the velocity that rotation adds to the gap of two points in the substep beyond `h C'`: `r` turns
/// to `r + h w x r - h^2 w^2 r / 2`.
///
/// With it the gap is closed at the end of the substep, not at its start, as by SHAKE, and a pendulum keeps
/// its energy.
#[inline(always)]
pub(crate) fn swing<L: Lanes>(
    pair: &BodyPair<L>,
    arms: JointArms<L>,
    settings: &PassSettings<L>,
) -> LaneVec<L> {
    let (wa, wb) = (pair.a.v.w, pair.b.v.w);
    let simd = wa.simd();
    if settings.pass == Pass::Relax {
        return LaneVec::zero(simd);
    }
    let (half_h, most) = (
        simd.splat(0.5 * settings.h),
        simd.splat(settings.max_swing_rate_sq),
    );
    arms.a * (half_h * (wa * wa).min(most)) - arms.b * (half_h * (wb * wb).min(most))
}

/// Greatest turn in a substep for which the swing is computed [rad].
///
/// The swing grows with the square of the spin and drives it: a bone that flutters under thousands of times
/// its weight would be torn off. A pendulum of 10 cm stays below 0.06 at 240 substeps a second.
const MAX_SWING_TURN: f32 = 0.06;

/// Returns the square of the spin up to which the swing grows [rad^2/s^2].
#[inline(always)]
pub(crate) fn max_swing_rate_sq(h: f32) -> f32 {
    let rate = MAX_SWING_TURN / h;
    rate * rate
}

/// Returns K^-1 `rate`; zero if nothing can move.
#[inline(always)]
pub(crate) fn solve_point<L: Lanes>(
    pair: &BodyPair<L>,
    arms: JointArms<L>,
    rate: LaneVec<L>,
) -> LaneVec<L> {
    let (a, b) = (&pair.a, &pair.b);
    let (ra, rb, ia, ib) = (arms.a, arms.b, a.inv_inertia, b.inv_inertia);
    let mass = a.inv_mass + b.inv_mass;
    let xx = mass + (ia * ra.y * ra.y + ib * rb.y * rb.y);
    let yy = mass + (ia * ra.x * ra.x + ib * rb.x * rb.x);
    // Less the sign.
    let xy = ia * ra.x * ra.y + ib * rb.x * rb.y;
    let inv_det = super::row::inverse_or_zero(xx * yy - xy * xy);
    LaneVec {
        x: inv_det * (yy * rate.x + xy * rate.y),
        y: inv_det * (xx * rate.y + xy * rate.x),
    }
}

/// Drives the velocity of B's point relative to A's to `velocity` with at most `max_impulse`: `x` collects
/// the impulse.
#[inline(always)]
pub(crate) fn drive_point_velocity<L: Lanes>(
    pair: &mut BodyPair<L>,
    arms: JointArms<L>,
    velocity: LaneVec<L>,
    max_impulse: L,
    x: &mut LaneVec<L>,
) {
    let rate = pair.relative_velocity(arms) - velocity;
    let old = *x;
    *x = (old - solve_point(pair, arms, rate)).capped(max_impulse);
    pair.push(*x - old, arms);
}
