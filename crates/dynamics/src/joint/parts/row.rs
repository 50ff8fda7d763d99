//! A scalar constraint on two bodies, and its passes: hold, limit, motor. One joint a lane.
//!
//! Symbols: C the error, C' = J v its rate, J = (-l, aa, l, ab) with a direction, opposite for the two bodies, and
//! a torque arm for each, K = J M^-1 J^T the inverse effective mass, x the impulse of the substep.

use super::drive::PartSet;
use super::lane_vec::{LaneVec, put};
use super::pair::{BodyPair, JointArms};
use crate::softness::Softness;
use cairn2d_simd::{Lanes, Simd};

/// The target of a pass over constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    /// Position errors are corrected, softly.
    Solve,
    /// Velocity only: removes the velocity that the correction has added.
    Relax,
}

/// The softness of a part of each joint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaneSoftness<L> {
    pub(crate) bias_rate: L,
    mass_scale: L,
    impulse_scale: L,
}

impl<L: Lanes> LaneSoftness<L> {
    pub(crate) fn splat(simd: L::Simd, softness: Softness) -> Self {
        Self {
            bias_rate: simd.splat(softness.bias_rate),
            mass_scale: simd.splat(softness.mass_scale),
            impulse_scale: simd.splat(softness.impulse_scale),
        }
    }

    pub(crate) fn put(&mut self, lane: usize, softness: Softness) {
        put(&mut self.bias_rate, lane, softness.bias_rate);
        put(&mut self.mass_scale, lane, softness.mass_scale);
        put(&mut self.impulse_scale, lane, softness.impulse_scale);
    }

    /// Returns the same without softness: errors are closed at the usual rate.
    #[inline(always)]
    pub(crate) fn stiff(self) -> Self {
        let rigid = Self::splat(self.bias_rate.simd(), Softness::RIGID);
        Self {
            bias_rate: self.bias_rate,
            ..rigid
        }
    }

    /// Returns the same without bias: errors are left alone.
    #[inline(always)]
    pub(crate) fn without_bias(self) -> Self {
        Self {
            bias_rate: self.bias_rate.simd().zero(),
            ..self
        }
    }

    /// Returns `full`, the change of the impulse `x` of a rigid row, softened.
    #[inline(always)]
    pub(crate) fn softened(&self, full: L, x: L) -> L {
        self.mass_scale * full - self.impulse_scale * x
    }

    #[inline(always)]
    fn select(mask: L::Mask, yes: Self, no: Self) -> Self {
        Self {
            bias_rate: L::select(mask, yes.bias_rate, no.bias_rate),
            mass_scale: L::select(mask, yes.mass_scale, no.mass_scale),
            impulse_scale: L::select(mask, yes.impulse_scale, no.impulse_scale),
        }
    }
}

/// Settings of a pass for the joints of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PassSettings<L> {
    /// The parts of the joints.
    pub(crate) parts: PartSet,
    /// In a relax pass springs rest, as they act from the start of the substep.
    pub(crate) pass: Pass,
    /// Whether errors are corrected, with the softness of the joint. Otherwise all rows are rigid and act on
    /// velocities only.
    pub(crate) corrects: bool,
    pub(crate) softness: LaneSoftness<L>,
    /// Error of a limit up to which it is closed at the full rate; a larger one is closed at the same speed.
    pub(crate) full_rate_error: f32,
    /// Motors act: not while errors are corrected without velocity.
    pub(crate) drives: bool,
    /// Inverse of the substep [1/s].
    pub(crate) inv_h: f32,
}

/// A row on two bodies.
pub(crate) trait Row<L: Lanes>: Copy {
    /// Returns C'.
    fn velocity(&self, pair: &BodyPair<L>) -> L;

    /// Returns K.
    fn inv_mass(&self, pair: &BodyPair<L>) -> L;

    /// Returns K of the row alone, where [`Self::inv_mass`] includes the answer of other rows. Springs have this mass.
    #[inline(always)]
    fn own_inv_mass(&self, pair: &BodyPair<L>) -> L {
        self.inv_mass(pair)
    }

    /// Returns the part of K that is rotation.
    fn inv_inertia(&self, pair: &BodyPair<L>) -> L;

    /// Applies the impulse `x`.
    fn push(&self, pair: &mut BodyPair<L>, x: L);

    /// Returns 1 / K, or 0 if nothing can move.
    #[inline(always)]
    fn mass(&self, pair: &BodyPair<L>) -> L {
        inverse_or_zero(self.inv_mass(pair))
    }

    /// Drives C to zero: `x` collects the impulse.
    #[inline(always)]
    fn hold(&self, pair: &mut BodyPair<L>, c: L, settings: &PassSettings<L>, x: &mut L) {
        let mut rate = self.velocity(pair);
        if settings.corrects {
            rate = rate + settings.softness.bias_rate * c;
        }
        let mut change = -(self.mass(pair) * rate);
        if settings.corrects {
            change = settings.softness.softened(change, *x);
        }
        *x = *x + change;
        self.push(pair, change);
    }

    /// Keeps C from falling below zero: `x`, never negative, collects the impulse. A positive C may become
    /// zero within the substep.
    #[inline(always)]
    fn limit(&self, pair: &mut BodyPair<L>, c: L, settings: &PassSettings<L>, x: &mut L) {
        let old = *x;
        *x = limited((c, self.velocity(pair)), self.mass(pair), settings, old);
        self.push(pair, *x - old);
    }

    /// Keeps C from rising above zero: `x`, never negative, collects the impulse against C.
    #[inline(always)]
    fn limit_above(&self, pair: &mut BodyPair<L>, c: L, settings: &PassSettings<L>, x: &mut L) {
        let old = *x;
        *x = limited((-c, -self.velocity(pair)), self.mass(pair), settings, old);
        self.push(pair, old - *x);
    }

    /// Drives C' to `speed` with at most `max_impulse`: `x` collects the impulse.
    #[inline(always)]
    fn motor(&self, pair: &mut BodyPair<L>, speed: L, max_impulse: L, x: &mut L) {
        let change = -(self.mass(pair) * (self.velocity(pair) - speed));
        let old = *x;
        *x = (old + change).max(-max_impulse).min(max_impulse);
        self.push(pair, *x - old);
    }
}

/// Returns the impulse, never negative, that keeps C from falling below zero, given C and C', the effective mass, and the
/// impulse `old`.
#[inline(always)]
pub(crate) fn limited<L: Lanes>(
    (c, velocity): (L, L),
    mass: L,
    settings: &PassSettings<L>,
    old: L,
) -> L {
    let simd = c.simd();
    let is_free = c.gt(simd.zero());
    let closing = c * simd.splat(settings.inv_h);
    if !settings.corrects {
        let bias = L::select(is_free, closing, simd.zero());
        return (old - mass * (velocity + bias)).max(simd.zero());
    }
    let soft = settings.softness;
    let rigid = LaneSoftness::splat(simd, Softness::RIGID);
    let error = c.max(simd.splat(-settings.full_rate_error));
    let bias = L::select(is_free, closing, soft.bias_rate * error);
    let full = -(mass * (velocity + bias));
    let change = LaneSoftness::select(is_free, rigid, soft).softened(full, old);
    (old + change).max(simd.zero())
}

/// A row along an axis, or on the angle, or a sum of such rows: Jacobian at the present poses of the bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointRow<L> {
    axis: LaneVec<L>,
    angular_a: L,
    angular_b: L,
}

impl<L: Lanes> JointRow<L> {
    /// Returns the row on the angle of B relative to A, to be combined with other rows: see [`Twist`].
    #[inline(always)]
    pub(crate) fn angular(simd: L::Simd) -> Self {
        Self {
            axis: LaneVec::zero(simd),
            angular_a: simd.splat(-1.0),
            angular_b: simd.splat(1.0),
        }
    }

    /// Returns the row on the offset of B's point along the unit vector `axis`, at `arms` from the centers. If the
    /// axis is fixed to A, the arm of A must reach to B's point.
    #[inline(always)]
    pub(crate) fn along(axis: LaneVec<L>, arms: JointArms<L>) -> Self {
        Self {
            axis,
            angular_a: -arms.a.cross(axis),
            angular_b: arms.b.cross(axis),
        }
    }

    /// Returns the rows on the offset of B's point along the axes of the world.
    #[inline(always)]
    pub(crate) fn on_point(arms: JointArms<L>) -> [Self; 2] {
        let (zero, one) = (arms.a.x.simd().zero(), arms.a.x.simd().splat(1.0));
        [
            Self::along(LaneVec { x: one, y: zero }, arms),
            Self::along(LaneVec { x: zero, y: one }, arms),
        ]
    }

    /// Returns J M^-1 J2^T for the Jacobian J2 of another row.
    #[inline(always)]
    pub(crate) fn coupling(&self, other: &Self, pair: &BodyPair<L>) -> L {
        let (a, b) = (&pair.a, &pair.b);
        (a.inv_mass + b.inv_mass) * self.axis.dot(other.axis)
            + (a.inv_inertia * self.angular_a * other.angular_a
                + b.inv_inertia * self.angular_b * other.angular_b)
    }

    /// Returns the row plus `share` times another.
    #[inline(always)]
    pub(crate) fn plus(&self, other: &Self, share: L) -> Self {
        Self {
            axis: self.axis + other.axis * share,
            angular_a: self.angular_a + other.angular_a * share,
            angular_b: self.angular_b + other.angular_b * share,
        }
    }

    /// Returns the directions and torque arms of A and B.
    #[inline(always)]
    pub(crate) fn ends(&self) -> [(LaneVec<L>, L); 2] {
        [(-self.axis, self.angular_a), (self.axis, self.angular_b)]
    }
}

impl<L: Lanes> Row<L> for JointRow<L> {
    #[inline(always)]
    fn velocity(&self, pair: &BodyPair<L>) -> L {
        let (a, b) = (&pair.a, &pair.b);
        self.axis.dot(b.velocity() - a.velocity())
            + (self.angular_a * a.v.w + self.angular_b * b.v.w)
    }

    #[inline(always)]
    fn inv_mass(&self, pair: &BodyPair<L>) -> L {
        self.coupling(self, pair)
    }

    #[inline(always)]
    fn inv_inertia(&self, pair: &BodyPair<L>) -> L {
        pair.a.inv_inertia * self.angular_a * self.angular_a
            + pair.b.inv_inertia * self.angular_b * self.angular_b
    }

    #[inline(always)]
    fn push(&self, pair: &mut BodyPair<L>, x: L) {
        let impulse = self.axis * x;
        pair.a.push(-impulse, self.angular_a * x);
        pair.b.push(impulse, self.angular_b * x);
    }
}

/// The row on the angle of B relative to A.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Twist;

impl<L: Lanes> Row<L> for Twist {
    #[inline(always)]
    fn velocity(&self, pair: &BodyPair<L>) -> L {
        pair.b.v.w - pair.a.v.w
    }

    #[inline(always)]
    fn inv_mass(&self, pair: &BodyPair<L>) -> L {
        self.inv_inertia(pair)
    }

    #[inline(always)]
    fn inv_inertia(&self, pair: &BodyPair<L>) -> L {
        pair.a.inv_inertia + pair.b.inv_inertia
    }

    #[inline(always)]
    fn push(&self, pair: &mut BodyPair<L>, x: L) {
        pair.twist(x);
    }
}

/// Returns `1 / k`, or 0 for a `k` of 0: nothing can move.
#[inline(always)]
pub(crate) fn inverse_or_zero<L: Lanes>(k: L) -> L {
    let simd = k.simd();
    L::select(k.gt(simd.zero()), simd.splat(1.0) / k, simd.zero())
}
