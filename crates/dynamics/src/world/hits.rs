//! Hits: contacts that came together fast, found after the solver knows what it took to stop them.

use crate::contact::patch::ContactPatch;
use crate::event::ContactHit;
use crate::graph::GraphPlace;
use crate::world::World;
use cairn2d_geometry::tolerance::SPECULATIVE_DISTANCE;

impl World {
    /// Lists the awake bodies with a point so fast that one of their contacts may be a hit: only these are looked at
    /// after the solver.
    ///
    /// Of two bodies that come together at a speed, one has at least half of it, by its velocity or its spin a quarter
    /// of it. Gravity adds speed within the gap in which shapes count as touching.
    pub(crate) fn list_hitters(&mut self, awake: &[u32]) {
        let hitters = &mut self.scratch.hitters;
        hitters.clear();
        let threshold = self.def.tuning.hit_event_threshold;
        if threshold == f32::INFINITY {
            return;
        }
        let gained = (2.0 * self.def.gravity.norm() * SPECULATIVE_DISTANCE).sqrt();
        let quarter = 0.25 * (threshold - gained).max(0.0);
        let least = quarter * quarter;
        let (states, tracks) = (&self.bodies.states, &self.bodies.tracks);
        hitters.extend(awake.iter().copied().filter(|&slot| {
            let (state, track) = (&states[slot as usize], &tracks[slot as usize]);
            let rim = state.angular_velocity * track.max_extent;
            state.velocity.norm_squared() >= least || rim * rim >= least
        }));
    }

    /// Reports the contacts whose points came together at the threshold or faster and were pushed, in order of
    /// contact slot. What was hit may pass the hit on within the step, to bodies that were at rest before.
    pub(crate) fn report_hits(&mut self) {
        let mut hits = core::mem::take(&mut self.scratch.hits);
        hits.clear();
        let bounced = self.solver.bounced().iter().copied();
        hits.extend(bounced.filter(|&slot| self.is_hit(slot)));
        for &body in &self.scratch.hitters {
            let contacts = self.bodies.slots[body].contacts.iter().copied();
            hits.extend(contacts.filter(|&slot| self.is_hit(slot)));
        }
        hits.sort_unstable();
        hits.dedup();
        for &slot in &hits {
            self.report_hit(slot);
        }
        self.scratch.hits = hits;
    }

    fn is_hit(&self, slot: u32) -> bool {
        let solved = self.contacts[slot].graph != GraphPlace::NONE;
        let threshold = self.def.tuning.hit_event_threshold;
        solved && approach_speed(&self.patches[slot as usize]) >= threshold.max(f32::MIN_POSITIVE)
    }

    fn report_hit(&mut self, slot: u32) {
        let contact = &self.contacts[slot];
        let patch = &self.patches[slot as usize];
        let (point, normal) = self.contact_place(slot);
        let points = &patch.points[..patch.count as usize];
        self.events.collecting.hits.push(ContactHit {
            contact: self.contacts.id_at(slot),
            shape_a: self.shapes.id_at(contact.shape_a),
            shape_b: self.shapes.id_at(contact.shape_b),
            body_a: self.bodies.slots.id_at(contact.body_a),
            body_b: self.bodies.slots.id_at(contact.body_b),
            point,
            normal,
            approach_speed: approach_speed(patch),
            impulse: points.iter().map(|point| point.total_normal_impulse).sum(),
        });
    }
}

/// Returns the speed at which the points that were pushed came together before the step, 0 if none was [m/s].
fn approach_speed(patch: &ContactPatch) -> f32 {
    let pushed = patch.points[..patch.count as usize].iter();
    pushed
        .filter(|point| point.total_normal_impulse > 0.0)
        .map(|point| -point.relative_velocity)
        .fold(0.0, f32::max)
}
