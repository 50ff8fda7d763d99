//! Which contacts the substeps leave to continuous collision: those of bodies that solve their impacts when they happen.

use crate::body::def::BodyKind;
use crate::body::track_flags;
use crate::contact::constraint::{ContactConstraint, constraint_flags};
use crate::contact::recycle::contact_flags;
use crate::solver::MIN_APPROACH;
use crate::tuning::RESTITUTION_THRESHOLD;
use crate::world::World;
use crate::world_def::Switch;
use cairn2d_geometry::tolerance::LINEAR_SLOP;

/// Overlap up to which two shapes count as just touching [m]: what rounding makes of an impact.
pub(super) const TOUCH: f32 = 0.02 * LINEAR_SLOP;

impl World {
    /// Marks the contacts of the body in `slot` in which nothing rests: what comes together fast over a gap will be met
    /// in the midst of the step, and what parts fast needs nothing. Returns their number.
    pub(crate) fn leave_out_contacts(&mut self, slot: u32, dt: f32) -> u32 {
        let flags = self.bodies.tracks[slot as usize].flags;
        if flags
            & (track_flags::SUBSTEP
                | track_flags::BOUNCE_CANDIDATE
                | track_flags::HAS_DEFERRED_CONTACTS)
            == 0
        {
            return 0;
        }
        let is_on = self.def.continuous == Switch::On;
        let mut left_out = 0;
        for place in 0..self.bodies.slots[slot].contacts.len() {
            let contact = self.bodies.slots[slot].contacts[place];
            // What a hook or a one-way shape makes of a contact is known to the substeps.
            let flags = self.contacts.keys[contact as usize].flags;
            let is_plain = flags & (contact_flags::ONE_WAY | contact_flags::HOOKED) == 0;
            let is_fast = is_on
                && is_plain
                && self.contacts.slots[contact].pushes()
                && self.contact_solves_at_once(contact)
                && self.nothing_rests_in(contact, dt);
            let flags = &mut self.contacts.constraints[contact as usize].flags;
            *flags &= !constraint_flags::DEFERRED;
            if is_fast {
                *flags |= constraint_flags::DEFERRED;
                left_out += 1;
            }
        }
        let flags = &mut self.bodies.tracks[slot as usize].flags;
        *flags &= !track_flags::HAS_DEFERRED_CONTACTS;
        if left_out > 0 {
            *flags |= track_flags::HAS_DEFERRED_CONTACTS;
        }
        left_out
    }

    /// Brings the marks of [`leave_out_contacts`](Self::leave_out_contacts) up to date where blows are looked for, which happens before
    /// velocities are final: those of the last step mean nothing any more.
    pub(crate) fn leave_out_before_blows(&mut self, awake: &[u32], dt: f32) {
        if self.high_ratio_contacts.is_empty() {
            return;
        }
        self.mark_lively(awake, dt);
        for &slot in awake {
            self.leave_out_contacts(slot, dt);
        }
    }

    fn contact_solves_at_once(&self, contact: u32) -> bool {
        let constraint = &self.contacts.constraints[contact as usize];
        self.solves_at_once([constraint.body_a, constraint.body_b], || {
            constraint.restitution
        })
    }

    /// Gives the contacts of the body in `slot` back to the substeps.
    pub(crate) fn take_in_contacts(&mut self, slot: u32) {
        for &contact in &self.bodies.slots[slot].contacts {
            self.contacts.constraints[contact as usize].flags &= !constraint_flags::DEFERRED;
        }
    }

    /// Says whether all points of the contact have a gap and come together at the speed of an impact, or part so fast
    /// that gravity does not bring them together again within `dt` \[s\].
    pub(super) fn nothing_rests_in(&self, contact: u32, dt: f32) -> bool {
        let constraint = &self.contacts.constraints[contact as usize];
        let least_approach = self.least_bounce().max(MIN_APPROACH);
        let least_parting = 2.0 * dt * self.def.gravity.norm();
        // A kinematic body that turns comes nearer though it parts now: there the search for impacts needs a gap.
        let turns = [constraint.body_a, constraint.body_b]
            .iter()
            .any(|&body| self.bodies.slots[body].kind == BodyKind::Kinematic);
        let (least_before, least_after) = if turns {
            (0.0, 0.0)
        } else {
            (-TOUCH, -LINEAR_SLOP)
        };
        (0..constraint.count as usize).all(|i| {
            let (separation, speed) = self.motion_of_point(constraint, i);
            let comes = separation > least_before && speed < -least_approach;
            let parts = separation > least_after && speed > least_parting;
            comes || parts
        })
    }

    /// Returns the approach speed below which bodies that solve their impacts when they happen do not bounce [m/s]: that of
    /// a fall from the height of a slop, where that is less than the usual threshold. Below it, what bounces cannot be told
    /// from what rests. A threshold that is higher than usual is meant.
    pub(super) fn least_bounce(&self) -> f32 {
        let threshold = self.def.tuning.restitution_threshold;
        let of_slop = (2.0 * self.def.gravity.norm() * LINEAR_SLOP).sqrt();
        if threshold <= RESTITUTION_THRESHOLD {
            threshold.min(of_slop)
        } else {
            threshold
        }
    }

    /// Returns separation \[m\] and normal velocity [m/s] of a point of a contact.
    pub(in crate::world) fn motion_of_point(
        &self,
        constraint: &ContactConstraint,
        point: usize,
    ) -> (f32, f32) {
        let placed = constraint.placed_point(point, &self.bodies.poses);
        let normal = constraint.world_normal(&self.bodies.poses);
        let [arm_a, arm_b] = placed.arms;
        let parting = self.bodies.velocity_at(constraint.body_b, arm_b)
            - self.bodies.velocity_at(constraint.body_a, arm_a);
        (placed.separation, parting.dot(&normal))
    }
}
