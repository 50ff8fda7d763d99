//! Constants of one step of the solver: lengths of time, softness, thresholds.

use crate::mechanisms::Mechanisms;
use crate::softness::{Softness, contact_hertz, static_deflection};
use crate::tuning::Tuning;

/// Constants of one step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepConstants {
    /// Length of the step \[s\].
    pub(crate) dt: f32,
    /// Number of substeps.
    pub(crate) substeps: u32,
    /// Length of a substep \[s\] and its inverse.
    pub(crate) h: f32,
    pub(crate) inv_h: f32,
    /// Length of the world's substeps in the last step \[s\].
    pub(crate) last_h: f32,
    /// Softness of contacts between bodies that forces move, and of contacts with others.
    pub(crate) contact: Softness,
    pub(crate) static_contact: Softness,
    /// Static deflection of these contacts per acceleration \[s^2\].
    pub(crate) contact_deflection: f32,
    pub(crate) static_contact_deflection: f32,
    /// Greatest speed at which overlaps are pushed out \[m/s\].
    pub(crate) push_speed: f32,
    /// Approach speed below which contacts do not bounce \[m/s\].
    pub(crate) restitution_threshold: f32,
    /// Approach speed from which a contact is reported as fast \[m/s\]: for hit events and warm-start resets.
    pub(crate) hit_speed: f32,
    pub(crate) mechanisms: Mechanisms,
}

impl StepConstants {
    /// Returns the constants of a step. The stiffness of contacts is at most a share of the substep rate.
    pub(crate) fn new(dt: f32, substeps: u32, last_h: f32, tuning: &Tuning) -> Self {
        let h = dt / substeps as f32;
        let hertz = contact_hertz(tuning.contact_hertz, h);
        let damping_ratio = tuning.contact_damping_ratio;
        Self {
            dt,
            substeps,
            h,
            inv_h: 1.0 / h,
            last_h,
            contact: Softness::new(hertz, damping_ratio, h),
            static_contact: Softness::new(2.0 * hertz, damping_ratio, h),
            contact_deflection: static_deflection(hertz),
            static_contact_deflection: static_deflection(2.0 * hertz),
            push_speed: tuning.contact_push_speed,
            restitution_threshold: tuning.restitution_threshold,
            hit_speed: tuning.hit_event_threshold,
            mechanisms: tuning.mechanisms,
        }
    }
}
