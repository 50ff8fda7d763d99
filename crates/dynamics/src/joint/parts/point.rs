//! Two anchors held together: the point constraint.
//!
//! C = pb - pa, C' = vb + wb x rb - va - wa x ra, and K the symmetric 2 by 2 matrix
//! `(ma + mb) I + ia [ra]^2 + ib [rb]^2` ([Catto09]).

use super::lane_vec::LaneVec;
use super::pair::{BodyPair, JointArms};
use super::row::PassSettings;
use cairn2d_simd::Lanes;

/// Drives the gap `c` between the points at `arms` to zero: `x` collects the impulse.
#[inline(always)]
pub(crate) fn hold_point<L: Lanes>(
    pair: &mut BodyPair<L>,
    arms: JointArms<L>,
    c: LaneVec<L>,
    settings: &PassSettings<L>,
    x: &mut LaneVec<L>,
) {
    let change = change_of_point(pair, arms, c, settings, *x);
    *x = *x + change;
    pair.push(change, arms);
}

/// Returns the change of the impulse `x` that [`hold_point`] will make.
#[inline(always)]
pub(super) fn change_of_point<L: Lanes>(
    pair: &BodyPair<L>,
    arms: JointArms<L>,
    c: LaneVec<L>,
    settings: &PassSettings<L>,
    x: LaneVec<L>,
) -> LaneVec<L> {
    let softness = &settings.softness;
    let mut rate = pair.relative_velocity(arms);
    if settings.corrects {
        rate = rate + c * softness.bias_rate;
    }
    let mut change = -solve_point(pair, arms, rate);
    if settings.corrects {
        change.x = softness.softened(change.x, x.x);
        change.y = softness.softened(change.y, x.y);
    }
    change
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
    // The off-diagonal entry of K with its sign reversed.
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
