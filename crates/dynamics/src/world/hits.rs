//! Hits: contacts that came together fast, found after the solver knows what it took to stop them.

use crate::contact::constraint::ContactConstraint;
use crate::event::ContactHit;
use crate::world::World;
use cairn2d_simd::prefetch;

/// How many hits ahead the records of contacts are asked for.
const AHEAD: usize = 8;

impl World {
    /// Reports the contacts whose points came together at the threshold or faster and were pushed, in order of
    /// contact slot.
    pub(crate) fn report_hits(&mut self) {
        let mut hits = core::mem::take(&mut self.scratch.hits);
        hits.clear();
        let found = self.solver.fast_contacts().iter().copied();
        hits.extend(found);
        self.add_blows(&mut hits);
        hits.retain(|&slot| self.is_hit(slot));
        hits.sort_unstable();
        hits.dedup();
        for (place, &slot) in hits.iter().enumerate() {
            if let Some(&next) = hits.get(place + AHEAD) {
                prefetch::<1, _>(self.contacts.slots.place(next));
            }
            self.report_hit(slot);
        }
        self.scratch.hits = hits;
    }

    fn is_hit(&self, slot: u32) -> bool {
        let threshold = self.def.tuning.hit_event_threshold;
        approach_speed(&self.contacts.constraints[slot as usize])
            >= threshold.max(f32::MIN_POSITIVE)
    }

    fn report_hit(&mut self, slot: u32) {
        let contact = &self.contacts.slots[slot];
        let constraint = &self.contacts.constraints[slot as usize];
        let touch = self.contact_now(constraint);
        let points = &constraint.points[..constraint.count as usize];
        self.events.collecting.hits.push(ContactHit {
            contact: self.contacts.slots.id_at(slot),
            shape_a: self.shapes.slots.id_at(contact.shape_a),
            shape_b: self.shapes.slots.id_at(contact.shape_b),
            body_a: self.bodies.slots.id_at(contact.body_a),
            body_b: self.bodies.slots.id_at(contact.body_b),
            point: touch.middle(),
            normal: touch.normal,
            approach_speed: approach_speed(constraint),
            impulse: points.iter().map(|point| point.total_normal_impulse).sum(),
        });
    }
}

/// Returns the speed at which the points that were pushed came together before the step, 0 if none was [m/s].
pub(super) fn approach_speed(constraint: &ContactConstraint) -> f32 {
    let pushed = constraint.points[..constraint.count as usize].iter();
    pushed
        .filter(|point| point.total_normal_impulse > 0.0)
        .map(|point| -point.relative_velocity)
        .fold(0.0, f32::max)
}
