//! What is told of impacts that were solved when they happened: hits, and touches that no step sees begin and end.

use super::Hunt;
use super::meetings::Meeting;
use crate::contact::constraint::ContactConstraint;
use crate::event::{ContactBegin, ContactHit};
use crate::id::{ContactId, ShapeId};
use crate::world::World;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::{HashState, StateHasher};

/// Two shapes that bounced off each other in the last step, and are still so near that this one finds that they touch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Struck {
    shapes: [ShapeId; 2],
    /// Speed at which they came together [m/s].
    approach_speed: f32,
}

impl HashState for Struck {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            shapes,
            approach_speed,
        } = self;
        hash.add(shapes).add(approach_speed);
    }
}

impl World {
    /// Reports an impact, and adds it to the contact of its shapes if there is one.
    pub(super) fn report_impact(
        &mut self,
        hunt: &mut Hunt,
        meeting: &Meeting,
        struck: &ContactConstraint,
    ) {
        let contacts = self.bodies.slots[meeting.bodies[0]].contacts.iter();
        let known = contacts.copied().find(|&contact| {
            let record = &self.contacts.slots[contact];
            let pair = [record.shape_a, record.shape_b];
            pair.iter().all(|shape| meeting.shapes.contains(shape))
        });
        if let Some(contact) = known {
            self.contacts.constraints[contact as usize].take_totals_of(struck);
        }
        if struck
            .points
            .iter()
            .all(|point| point.total_normal_impulse <= 0.0)
        {
            return;
        }
        let id = match known {
            Some(contact) => self.contacts.slots.id_at(contact),
            None => self.fleeting_contact(meeting.shapes),
        };
        let hit = self.hit_of(id, meeting, struck);
        if !known.is_some_and(|contact| self.contacts.slots[contact].touching) {
            hunt.struck.push((meeting.shapes, hit));
        }
        let threshold = self.def.tuning.hit_event_threshold;
        if hit.approach_speed >= threshold.max(f32::MIN_POSITIVE) {
            self.events.collecting.hits.push(hit);
        }
    }

    /// Describes an impact, with the bodies where they met.
    fn hit_of(
        &self,
        contact: ContactId,
        meeting: &Meeting,
        struck: &ContactConstraint,
    ) -> ContactHit {
        let points = &struck.points[..struck.count as usize];
        let speeds = points.iter().map(|point| -point.relative_velocity);
        let pose = &self.bodies.poses[struck.body_a as usize];
        let anchors: Vec2 = points.iter().map(|point| point.anchor_a).sum();
        let middle = anchors / points.len().max(1) as f32;
        let [shape_a, shape_b] = meeting.shapes.map(|shape| self.shapes.slots.id_at(shape));
        let [body_a, body_b] = meeting.bodies.map(|body| self.bodies.slots.id_at(body));
        ContactHit {
            contact,
            shape_a,
            shape_b,
            body_a,
            body_b,
            point: pose.center + pose.rotate(middle),
            normal: pose.rotate(struck.normal),
            approach_speed: speeds.fold(0.0, f32::max),
            impulse: points.iter().map(|point| point.total_normal_impulse).sum(),
        }
    }

    /// Reports the touches of the shapes that bounced off each other, once each: those that ended within the step. Of the others
    /// the next step finds that they begin.
    pub(super) fn report_struck(&mut self, hunt: &mut Hunt) {
        // Of several impacts of two shapes the first one counts.
        hunt.struck.sort_by_key(|&(shapes, _)| shapes);
        hunt.struck.dedup_by_key(|&mut (shapes, _)| shapes);
        for (shapes, hit) in hunt.struck.drain(..) {
            let poses =
                shapes.map(|shape| self.bodies.poses[self.shapes.slots[shape].body as usize]);
            let has_parted = self.manifold_at(shapes, &poses).points().is_empty();
            // Of a contact that ended at the start of the step the end was told already.
            let mut ends = self.events.collecting.ends.iter();
            if ends.any(|end| end.contact == hit.contact) {
                continue;
            }
            if has_parted {
                let end = self.end_event(hit.contact, shapes);
                self.events.collecting.begins.push(begin_of(&hit));
                self.events.collecting.ends.push(end);
            } else {
                self.struck.push(Struck {
                    shapes: [hit.shape_a, hit.shape_b],
                    approach_speed: hit.approach_speed,
                });
            }
        }
    }

    /// Returns the speed at which two shapes came together in the last step, if they have bounced off each other since [m/s].
    pub(in crate::world) fn speed_when_struck(&self, shapes: [ShapeId; 2]) -> f32 {
        let of_these = |struck: &&Struck| shapes.iter().all(|shape| struck.shapes.contains(shape));
        let struck = self.struck.iter().find(of_these);
        struck.map_or(0.0, |struck| struck.approach_speed)
    }
}

fn begin_of(hit: &ContactHit) -> ContactBegin {
    ContactBegin {
        contact: hit.contact,
        shape_a: hit.shape_a,
        shape_b: hit.shape_b,
        body_a: hit.body_a,
        body_b: hit.body_b,
        point: hit.point,
        normal: hit.normal,
        approach_speed: hit.approach_speed,
        impulse: hit.impulse,
    }
}
