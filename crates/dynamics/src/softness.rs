//! Soft constraints: a spring and damper as coefficients of an implicit velocity constraint.
//!
//! A constraint C with effective mass m is held by a spring of angular frequency w = 2 pi f and damping
//! ratio z, integrated implicitly over a step h ([Catto11, slides 31 to 45], [Catto24]). The impulse is
//!
//! ```text
//! impulse = -mass_scale m (cdot + bias_rate C) - impulse_scale accumulated
//! bias_rate = w / (2 z + h w),  a1 = 2 z + h w,  a2 = h w a1,  a3 = 1 / (1 + a2)
//! mass_scale = a2 a3,  impulse_scale = a3
//! ```

use crate::tuning::{MAX_CONTACT_HERTZ_SHARE, MAX_JOINT_HERTZ_SHARE};
use cairn2d_geometry::math::PI;

/// Coefficients of a soft constraint for one substep length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Softness {
    /// Bias speed per unit of constraint error \[1/s\].
    pub(crate) bias_rate: f32,
    /// Share of the effective mass that is used, 0 to 1.
    pub(crate) mass_scale: f32,
    /// Share of the accumulated impulse that is subtracted, 0 to 1.
    pub(crate) impulse_scale: f32,
}

impl Softness {
    /// Corrects velocity only: no bias, full mass. For the relax pass.
    pub(crate) const RIGID: Self = Self {
        bias_rate: 0.0,
        mass_scale: 1.0,
        impulse_scale: 0.0,
    };

    /// Returns the coefficients of a spring of `hertz` and `damping_ratio` over the substep `h` [s];
    /// no spring at 0 Hz, nor where its share of the effective mass is too small for `f32`.
    pub(crate) fn new(hertz: f32, damping_ratio: f32, h: f32) -> Self {
        let omega = 2.0 * PI * hertz;
        let a1 = 2.0 * damping_ratio + h * omega;
        let a2 = h * omega * a1;
        // Not a number: no frequency at infinite damping.
        if a2 == 0.0 || a2.is_nan() {
            return Self {
                bias_rate: 0.0,
                mass_scale: 0.0,
                impulse_scale: 1.0,
            };
        }
        let a3 = 1.0 / (1.0 + a2);
        Self {
            bias_rate: omega / a1,
            // For an infinite a2 the product is not a number; its limit is 1.
            mass_scale: if a2.is_finite() { a2 * a3 } else { 1.0 },
            impulse_scale: a3,
        }
    }

    /// Returns the compliance relative to the inverse effective mass.
    pub(crate) fn compliance(&self) -> f32 {
        self.impulse_scale / self.mass_scale
    }
}

/// Returns the static deflection of a spring of `hertz` per acceleration of its mass [s^2]; 0 without a spring.
pub(crate) fn static_deflection(hertz: f32) -> f32 {
    let omega = 2.0 * PI * hertz;
    if omega > 0.0 {
        1.0 / (omega * omega)
    } else {
        0.0
    }
}

/// Returns the stiffness of contacts \[Hz\] in substeps of `h` \[s\]: `hertz`, but at most a share of the
/// substep rate.
pub(crate) fn contact_hertz(hertz: f32, h: f32) -> f32 {
    hertz.min(MAX_CONTACT_HERTZ_SHARE / h)
}

/// Returns the stiffness of joints \[Hz\] in substeps of `h` \[s\]: `hertz`, but at most a share of the
/// substep rate.
pub(crate) fn joint_hertz(hertz: f32, h: f32) -> f32 {
    hertz.min(MAX_JOINT_HERTZ_SHARE / h)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_add_up_to_one() {
        let s = Softness::new(30.0, 10.0, 1.0 / 240.0);
        assert!((s.mass_scale + s.impulse_scale - 1.0).abs() < f32::EPSILON);
    }

    #[test]
    fn coefficients_of_the_softest_springs_are_finite() {
        for hertz in [0.0, 1.0e-45, 1.0e-40, f32::MIN_POSITIVE, 1.0e-20] {
            for ratio in [0.0, 1.0e-45, 1.0, f32::MAX] {
                let s = Softness::new(hertz, ratio, 1.0 / 240.0);
                let all = [s.bias_rate, s.mass_scale, s.impulse_scale];
                assert!(all.iter().all(|x| x.is_finite()), "{hertz} {ratio}: {s:?}");
            }
        }
    }
}
