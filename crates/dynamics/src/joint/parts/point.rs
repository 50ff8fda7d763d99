//! Two anchors held together: the point constraint.
//!
//! C = pb - pa, C' = vb + wb x rb - va - wa x ra, and K the symmetric 2 by 2 matrix
//! `(ma + mb) I + ia [ra]^2 + ib [rb]^2` ([Catto09]).

use super::block::MIN_BLOCK_PIVOT_SHARE;
use super::lane_vec::LaneVec;
use super::pair::{BodyPair, JointArms};
use super::row::{PassSettings, Row, Twist};
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
    let change = change_of_point(pair, arms, c, settings, *x);
    *x = *x + change;
    pair.push(change, arms);
}

/// Returns the change of the impulse `x` that [`hold_point`] makes.
#[inline(always)]
fn change_of_point<L: Lanes>(
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

/// The row on the angle of a joint that solves its point right after it, and counts on the answer of the point.
///
/// Where both turn the same body, each undoes what the other has done. With springs too stiff for the substep that adds
/// energy: one weld with springs of 20 Hz at a long arm did in substeps of 1/60 s. So the point is eliminated, as in a
/// block: a unit twist moves it by t, it answers with the impulse `-s M t`, and the row yields by `k - s t M t` instead of
/// k. M is the mass of the point, s the share of it that acts: less than 1 for a soft one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeadingTwist<L> {
    /// What the point will add to C' without a twist.
    speed: L,
    inv_mass: L,
}

impl<L: Lanes> LeadingTwist<L> {
    /// Returns the row of a joint whose point does not answer.
    #[inline(always)]
    pub(crate) fn alone(pair: &BodyPair<L>) -> Self {
        let inv_mass = Twist.inv_mass(pair);
        let speed = inv_mass.simd().zero();
        Self { speed, inv_mass }
    }

    /// Returns the row before the point at `arms` changes its impulse by `change`, of which the share `s` answers.
    #[inline(always)]
    pub(crate) fn new(pair: &BodyPair<L>, arms: JointArms<L>, change: LaneVec<L>, s: L) -> Self {
        let own = Twist.inv_mass(pair);
        let t = (arms.a * pair.a.inv_inertia + arms.b * pair.b.inv_inertia).left();
        let rest = own - s * t.dot(solve_point(pair, arms, t));
        // Otherwise the point holds the angle, too.
        let is_free = rest.gt(own * own.simd().splat(MIN_BLOCK_PIVOT_SHARE));
        Self {
            speed: t.dot(change),
            inv_mass: L::select(is_free, rest, own.simd().zero()),
        }
    }

    /// Returns the row before the gap `c` of the point is held by the impulse `x`.
    #[inline(always)]
    pub(crate) fn before_hold(
        pair: &BodyPair<L>,
        arms: JointArms<L>,
        c: LaneVec<L>,
        settings: &PassSettings<L>,
        x: LaneVec<L>,
    ) -> Self {
        let change = change_of_point(pair, arms, c, settings, x);
        let one = c.x.simd().splat(1.0);
        let share = settings.softness.softened(one, c.x.simd().zero());
        Self::new(
            pair,
            arms,
            change,
            if settings.corrects { share } else { one },
        )
    }

    /// Returns `lead` where `mask` is true, else this row.
    #[inline(always)]
    pub(crate) fn or(self, mask: L::Mask, lead: Self) -> Self {
        Self {
            speed: L::select(mask, lead.speed, self.speed),
            inv_mass: L::select(mask, lead.inv_mass, self.inv_mass),
        }
    }
}

impl<L: Lanes> Row<L> for LeadingTwist<L> {
    #[inline(always)]
    fn velocity(&self, pair: &BodyPair<L>) -> L {
        Twist.velocity(pair) + self.speed
    }

    #[inline(always)]
    fn inv_mass(&self, _: &BodyPair<L>) -> L {
        self.inv_mass
    }

    #[inline(always)]
    fn own_inv_mass(&self, pair: &BodyPair<L>) -> L {
        Twist.inv_mass(pair)
    }

    #[inline(always)]
    fn inv_inertia(&self, pair: &BodyPair<L>) -> L {
        Twist.inv_inertia(pair)
    }

    #[inline(always)]
    fn push(&self, pair: &mut BodyPair<L>, x: L) {
        pair.twist(x);
    }
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
