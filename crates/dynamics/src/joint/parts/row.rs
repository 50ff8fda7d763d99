//! A scalar constraint on two bodies, and its passes: hold, limit, motor.
//!
//! Symbols: C the error, C' = J v its rate, J = (la, aa, lb, ab) with a direction and a torque arm for each
//! body, K = J M^-1 J^T the inverse effective mass, x the impulse of the substep.

use super::pair::BodyPair;
use crate::bounded::bounded;
use crate::softness::Softness;
use cairn2d_geometry::math::{Vec2, cross};

/// Jacobian of a scalar constraint at the present poses of the bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointRow {
    pub(crate) linear_a: Vec2,
    pub(crate) angular_a: f32,
    pub(crate) linear_b: Vec2,
    pub(crate) angular_b: f32,
}

/// The target of a pass over constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    /// Position errors are corrected, softly.
    Solve,
    /// Velocity only: removes the velocity that the correction has added.
    Relax,
}

/// Settings of a pass for one joint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PassSettings {
    pub(crate) pass: Pass,
    /// Softness of a rigid part: that of the joint while solving, [`Softness::RIGID`] while relaxing.
    pub(crate) softness: Softness,
    /// Motors and limits act decoupled from the other rows.
    pub(crate) decouples_drives: bool,
    /// Error of a limit up to which it is closed at the full rate; a larger one is closed at the same speed.
    pub(crate) full_rate_error: f32,
    /// Motors act: not while errors are corrected without velocity.
    pub(crate) drives: bool,
    /// Number of joints by which springs are shared: see [`JointBase::crowd`](crate::joint::base::JointBase::crowd).
    pub(crate) crowd: u32,
    /// Substep [s] and its inverse.
    pub(crate) h: f32,
    pub(crate) inv_h: f32,
}

impl JointRow {
    /// The row on the angle of B relative to A.
    pub(crate) const ANGULAR: Self = Self {
        linear_a: Vec2::new(0.0, 0.0),
        angular_a: -1.0,
        linear_b: Vec2::new(0.0, 0.0),
        angular_b: 1.0,
    };

    /// Returns the row on the offset of B's point along the unit vector `axis`, at `arm_a` and `arm_b` from
    /// the centers. If the axis is fixed to A, `arm_a` must reach to B's point.
    #[inline(always)]
    pub(crate) fn along(axis: Vec2, arm_a: Vec2, arm_b: Vec2) -> Self {
        Self {
            linear_a: -axis,
            angular_a: -cross(&arm_a, &axis),
            linear_b: axis,
            angular_b: cross(&arm_b, &axis),
        }
    }

    /// Returns C'.
    #[inline(always)]
    pub(crate) fn velocity(&self, pair: &BodyPair) -> f32 {
        let (a, b) = (&pair.a.state, &pair.b.state);
        (self.linear_a.dot(&a.velocity) + self.linear_b.dot(&b.velocity))
            + (self.angular_a * a.angular_velocity + self.angular_b * b.angular_velocity)
    }

    /// Returns K.
    #[inline(always)]
    pub(crate) fn inv_mass(&self, pair: &BodyPair) -> f32 {
        self.coupling(self, pair)
    }

    /// Returns J M^-1 J2^T for the Jacobian J2 of another row.
    #[inline(always)]
    pub(crate) fn coupling(&self, other: &Self, pair: &BodyPair) -> f32 {
        let (a, b) = (&pair.a.mass, &pair.b.mass);
        (a.inv_mass * self.linear_a.dot(&other.linear_a)
            + b.inv_mass * self.linear_b.dot(&other.linear_b))
            + (a.inv_inertia * self.angular_a * other.angular_a
                + b.inv_inertia * self.angular_b * other.angular_b)
    }

    /// Returns 1 / K, or 0 if nothing can move.
    #[inline(always)]
    pub(crate) fn mass(&self, pair: &BodyPair) -> f32 {
        inverse_or_zero(self.inv_mass(pair))
    }

    /// Applies the impulse `x`.
    #[inline(always)]
    pub(crate) fn push(&self, pair: &mut BodyPair, x: f32) {
        let (a, b) = (&pair.a.mass, &pair.b.mass);
        pair.a.state.velocity += a.inv_mass * x * self.linear_a;
        pair.a.state.angular_velocity += a.inv_inertia * x * self.angular_a;
        pair.b.state.velocity += b.inv_mass * x * self.linear_b;
        pair.b.state.angular_velocity += b.inv_inertia * x * self.angular_b;
    }

    /// Drives C to zero: `x` collects the impulse.
    #[inline(always)]
    pub(crate) fn hold(&self, pair: &mut BodyPair, c: f32, softness: &Softness, x: &mut f32) {
        let rate = self.velocity(pair) + softness.bias_rate * c;
        let change = -softness.mass_scale * self.mass(pair) * rate - softness.impulse_scale * *x;
        *x += change;
        self.push(pair, change);
    }

    /// Keeps C from falling below zero: `x`, never negative, collects the impulse. A positive C may become
    /// zero within the substep.
    #[inline(always)]
    pub(crate) fn limit(&self, pair: &mut BodyPair, c: f32, settings: &PassSettings, x: &mut f32) {
        let (softness, bias) = if c > 0.0 {
            (&Softness::RIGID, c * settings.inv_h)
        } else {
            let error = c.max(-settings.full_rate_error);
            (&settings.softness, settings.softness.bias_rate * error)
        };
        let rate = self.velocity(pair) + bias;
        let change = -softness.mass_scale * self.mass(pair) * rate - softness.impulse_scale * *x;
        let old = *x;
        *x = (old + change).max(0.0);
        self.push(pair, *x - old);
    }

    /// Keeps C from rising above zero: `x`, never negative, collects the impulse against C.
    #[inline(always)]
    pub(crate) fn limit_above(
        &self,
        pair: &mut BodyPair,
        c: f32,
        settings: &PassSettings,
        x: &mut f32,
    ) {
        self.reversed().limit(pair, -c, settings, x);
    }

    /// Drives C' to `speed` with at most `max_impulse`: `x` collects the impulse.
    #[inline(always)]
    pub(crate) fn motor(&self, pair: &mut BodyPair, speed: f32, max_impulse: f32, x: &mut f32) {
        let change = -self.mass(pair) * (self.velocity(pair) - speed);
        let old = *x;
        *x = bounded(old + change, max_impulse);
        self.push(pair, *x - old);
    }

    /// Adds `share` times another row.
    #[inline(always)]
    pub(crate) fn add(&mut self, other: &Self, share: f32) {
        self.linear_a += share * other.linear_a;
        self.angular_a += share * other.angular_a;
        self.linear_b += share * other.linear_b;
        self.angular_b += share * other.angular_b;
    }

    /// Returns the row of -C.
    #[inline(always)]
    pub(crate) fn reversed(&self) -> Self {
        Self {
            linear_a: -self.linear_a,
            angular_a: -self.angular_a,
            linear_b: -self.linear_b,
            angular_b: -self.angular_b,
        }
    }
}

/// Returns `1 / k`, or 0 for a `k` of 0: nothing can move.
#[inline(always)]
pub(crate) fn inverse_or_zero(k: f32) -> f32 {
    if k > 0.0 { 1.0 / k } else { 0.0 }
}
