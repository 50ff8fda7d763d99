//! What all stages of a step know: lengths of time, stiffnesses, thresholds.

use crate::softness::{Softness, contact_hertz, static_deflection};
use crate::tuning::{Tuning, WARM_START_RESET_SPEED};

/// Constants of one step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    /// Length of a substep [s] and its inverse.
    pub(crate) h: f32,
    pub(crate) inv_h: f32,
    /// Length of the world's substeps in the step before [s].
    pub(crate) last_h: f32,
    /// Softness of contacts between moving bodies, and with static ones.
    pub(crate) contact: Softness,
    pub(crate) static_contact: Softness,
    /// How far these yield to an acceleration of 1 [s^2].
    pub(crate) contact_yield: f32,
    pub(crate) static_contact_yield: f32,
    /// Greatest speed at which an overlap is pushed out [m/s].
    pub(crate) push_speed: f32,
    /// Approach speed below which things do not bounce [m/s].
    pub(crate) restitution_threshold: f32,
    /// Approach speed from which a contact is of interest, as a hit or a shot [m/s].
    pub(crate) hit_speed: f32,
}

impl Context {
    /// Returns the constants of a step whose contacts are as stiff as this share of the substep rate at most.
    pub(crate) fn new(dt: f32, substeps: u32, last_h: f32, tuning: &Tuning, share: f32) -> Self {
        let h = dt / substeps as f32;
        let hertz = contact_hertz(tuning.contact_hertz, share, h);
        let damping_ratio = tuning.contact_damping_ratio;
        Self {
            h,
            inv_h: 1.0 / h,
            last_h,
            contact: Softness::new(hertz, damping_ratio, h),
            static_contact: Softness::new(2.0 * hertz, damping_ratio, h),
            contact_yield: static_deflection(hertz),
            static_contact_yield: static_deflection(2.0 * hertz),
            push_speed: tuning.contact_push_speed,
            restitution_threshold: tuning.restitution_threshold,
            hit_speed: tuning.hit_event_threshold.min(WARM_START_RESET_SPEED),
        }
    }
}
