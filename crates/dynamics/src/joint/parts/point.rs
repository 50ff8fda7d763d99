//! Two anchors held together: the point constraint.
//!
//! C = pb - pa, C' = vb + wb x rb - va - wa x ra, and K the symmetric 2 by 2 matrix
//! `(ma + mb) I + ia [ra]^2 + ib [rb]^2` ([Catto09]).

use super::lane_vec::LaneVec;
use super::pair::{BodyPair, JointArms};
use super::row::{PassSettings, inverse_or_zero};
use cairn2d_simd::Lanes;

/// K^-1 of two points held together.
pub(crate) struct PointMass<L> {
    arms: JointArms<L>,
    inv_det: L,
    xx: L,
    yy: L,
    /// The off-diagonal entry of K with its sign reversed.
    xy: L,
}

impl<L: Lanes> PointMass<L> {
    /// Returns that of the points at `arms`.
    #[inline(always)]
    pub(crate) fn new(pair: &BodyPair<L>, arms: JointArms<L>) -> Self {
        let (a, b) = (&pair.a, &pair.b);
        let (ra, rb, ia, ib) = (arms.a, arms.b, a.inv_inertia, b.inv_inertia);
        let mass = a.inv_mass + b.inv_mass;
        let xx = mass + (ia * ra.y * ra.y + ib * rb.y * rb.y);
        let yy = mass + (ia * ra.x * ra.x + ib * rb.x * rb.x);
        let xy = ia * ra.x * ra.y + ib * rb.x * rb.y;
        Self {
            arms,
            inv_det: inverse_or_zero(xx * yy - xy * xy),
            xx,
            yy,
            xy,
        }
    }

    /// Returns K^-1 `rate`; zero if nothing can move.
    #[inline(always)]
    pub(crate) fn impulse(&self, rate: LaneVec<L>) -> LaneVec<L> {
        LaneVec {
            x: self.inv_det * (self.yy * rate.x + self.xy * rate.y),
            y: self.inv_det * (self.xx * rate.y + self.xy * rate.x),
        }
    }

    /// Drives the gap `c` between the points to zero: `x` collects the impulse.
    #[inline(always)]
    pub(crate) fn hold(
        &self,
        pair: &mut BodyPair<L>,
        c: LaneVec<L>,
        settings: &PassSettings<L>,
        x: &mut LaneVec<L>,
    ) {
        let softness = &settings.softness;
        let mut rate = pair.relative_velocity(self.arms);
        if settings.corrects {
            rate = rate + c * softness.bias_rate;
        }
        let mut change = -self.impulse(rate);
        if settings.corrects {
            change.x = softness.softened(change.x, x.x);
            change.y = softness.softened(change.y, x.y);
        }
        *x = *x + change;
        pair.push(change, self.arms);
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
    *x = (old - PointMass::new(pair, arms).impulse(rate)).capped(max_impulse);
    pair.push(*x - old, arms);
}
