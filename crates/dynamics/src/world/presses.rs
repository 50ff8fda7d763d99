//! Force events: contacts that press with more than a shape's threshold.

use crate::bitset::{BitSet, WORD, ones};
use crate::event::ContactForce;
use crate::graph::GraphPlace;
use crate::world::World;

/// Contacts whose force somebody wants to know. While nobody does, the sets are empty and no contact is looked at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Presses {
    /// Number of shapes with a finite threshold.
    pub(crate) watchers: usize,
    /// Contacts of such shapes, by slot.
    pub(crate) watched: BitSet,
    /// Those that exceeded their threshold in the last step that solved them, by slot.
    pub(crate) exceeding: BitSet,
}

impl World {
    /// Returns the normal force from which on the contact in `slot` is listed \[N\].
    pub(crate) fn press_threshold(&self, slot: u32) -> f32 {
        let contact = &self.contacts.slots[slot];
        let threshold = |shape: u32| self.shapes.slots[shape].force_event_threshold;
        threshold(contact.shape_a).min(threshold(contact.shape_b))
    }

    /// Notes whether the force in the contact in `slot` is to be looked at.
    pub(crate) fn watch_press(&mut self, slot: u32) {
        if self.presses.watchers == 0 {
            return;
        }
        if self.press_threshold(slot).is_finite() && !self.contacts.slots[slot].sensor {
            self.presses.watched.insert(slot);
        } else {
            self.presses.watched.remove(slot);
            self.presses.exceeding.remove(slot);
        }
    }

    /// Notes whether the forces in the contacts of the shape in `shape` are to be looked at.
    pub(crate) fn watch_presses_of(&mut self, shape: u32) {
        let body = self.shapes.slots[shape].body;
        for place in 0..self.bodies.slots[body].contacts.len() {
            let slot = self.bodies.slots[body].contacts[place];
            let contact = &self.contacts.slots[slot];
            if contact.shape_a == shape || contact.shape_b == shape {
                self.watch_press(slot);
            }
        }
    }

    /// Lists the watched contacts that pressed with more than their threshold in this step of `dt` [s].
    pub(crate) fn report_presses(&mut self, dt: f32) {
        if self.presses.watchers == 0 {
            return;
        }
        for word in 0..self.presses.watched.words().len() {
            for bit in ones(self.presses.watched.words()[word]) {
                self.report_press((word * WORD) as u32 + bit, dt);
            }
        }
    }

    /// Lists the contact in `slot` if it was solved and pressed with more than its threshold.
    fn report_press(&mut self, slot: u32, dt: f32) {
        let contact = self.contacts.slots[slot];
        if contact.graph == GraphPlace::NONE {
            return;
        }
        let constraint = &self.contacts.constraints[slot as usize];
        let points = &constraint.points[..constraint.count as usize];
        let impulse: f32 = points.iter().map(|point| point.total_normal_impulse).sum();
        let force = impulse / dt;
        if force <= self.press_threshold(slot) {
            self.presses.exceeding.remove(slot);
            return;
        }
        let started = !self.presses.exceeding.contains(slot);
        self.presses.exceeding.insert(slot);
        let began = self.bodies.start_of_step(contact.body_a);
        let (point, normal) = constraint.center_and_normal(&began);
        self.events.collecting.forces.push(ContactForce {
            contact: self.contacts.slots.id_at(slot),
            shape_a: self.shapes.slots.id_at(contact.shape_a),
            shape_b: self.shapes.slots.id_at(contact.shape_b),
            body_a: self.bodies.slots.id_at(contact.body_a),
            body_b: self.bodies.slots.id_at(contact.body_b),
            point,
            normal,
            force,
            started,
        });
    }
}
