//! Contact force events: contacts whose normal force exceeds a threshold of one of their shapes.

use crate::bitset::BitSet;
use crate::body::table::BodyTable;
use crate::contact::table::ContactTable;
use crate::event::{ContactForce, ContactHit, EventLists, Touch};
use crate::graph::GraphPlace;
use crate::shape::table::ShapeTable;
use cairn2d_geometry::state_record;

/// Contacts with a force threshold. Without such shapes the sets are empty and no contact is tested.
#[derive(Clone, Debug, Default)]
pub(crate) struct ForceEvents {
    /// Number of shapes with a finite threshold.
    pub(crate) shapes: usize,
    /// Contacts of such shapes, by slot.
    pub(crate) watched: BitSet,
    /// Contacts that exceeded their threshold in the last step that solved them, by slot.
    pub(crate) exceeding: BitSet,
}

state_record!(ForceEvents {
    shapes,
    watched,
    exceeding,
});

/// Returns the normal force from which a contact is reported \[N\]: the smaller threshold of its shapes.
pub(crate) fn force_threshold(contact: u32, shapes: &ShapeTable, contacts: &ContactTable) -> f32 {
    let contact = &contacts.slots[contact];
    threshold_of([contact.shape_a, contact.shape_b], shapes)
}

fn threshold_of(pair: [u32; 2], shapes: &ShapeTable) -> f32 {
    let [a, b] = pair.map(|shape| shapes.slots[shape].force_event_threshold);
    a.min(b)
}

impl ForceEvents {
    /// Adds the contact to the watched ones, or removes it, by the thresholds of its shapes.
    pub(crate) fn update_watch(
        &mut self,
        contact: u32,
        shapes: &ShapeTable,
        contacts: &ContactTable,
    ) {
        if self.shapes == 0 {
            return;
        }
        let has_threshold = force_threshold(contact, shapes, contacts).is_finite();
        if has_threshold && !contacts.slots[contact].sensor {
            self.watched.insert(contact);
        } else {
            self.watched.remove(contact);
            self.exceeding.remove(contact);
        }
    }

    /// Adds the contacts of a shape to the watched ones, or removes them, by the thresholds of their shapes.
    pub(crate) fn update_watch_of_shape(
        &mut self,
        shape: u32,
        bodies: &BodyTable,
        shapes: &ShapeTable,
        contacts: &ContactTable,
    ) {
        for &slot in &bodies.slots[shapes.slots[shape].body].contacts {
            let contact = &contacts.slots[slot];
            if contact.shape_a == shape || contact.shape_b == shape {
                self.update_watch(slot, shapes, contacts);
            }
        }
    }

    /// Reports the watched contacts that exceeded their threshold in this step of `dt` [s], in order of slot, then
    /// the `impacts` that did, which are those of shapes without a contact that bounced off each other within the
    /// step.
    pub(crate) fn report(
        &mut self,
        dt: f32,
        bodies: &BodyTable,
        shapes: &ShapeTable,
        contacts: &ContactTable,
        impacts: impl Iterator<Item = ([u32; 2], ContactHit)>,
        events: &mut EventLists,
    ) {
        if self.shapes == 0 {
            return;
        }
        self.report_contacts(dt, bodies, shapes, contacts, events);
        for (pair, hit) in impacts {
            let force = hit.impulse / dt;
            if force <= threshold_of(pair, shapes) {
                continue;
            }
            if let Some(slot) = contacts.slots.find(hit.contact) {
                self.exceeding.insert(slot);
            }
            // The shapes did not touch at the start of the step.
            events
                .forces
                .push(ContactForce::of(hit.touch(), force, true));
        }
    }

    fn report_contacts(
        &mut self,
        dt: f32,
        bodies: &BodyTable,
        shapes: &ShapeTable,
        contacts: &ContactTable,
        events: &mut EventLists,
    ) {
        let Self {
            watched, exceeding, ..
        } = self;
        for slot in watched.iter() {
            let contact = &contacts.slots[slot];
            if contact.graph == GraphPlace::NONE {
                if !contact.touching {
                    // An impact of the last step.
                    exceeding.remove(slot);
                }
                continue;
            }
            let constraint = &contacts.constraints[slot as usize];
            let force = constraint.total_normal_impulse() / dt;
            if force <= force_threshold(slot, shapes, contacts) {
                exceeding.remove(slot);
                continue;
            }
            let started = !exceeding.contains(slot);
            exceeding.insert(slot);
            // The solver keeps the normal with which the step began.
            let start = bodies.start_of_step(contact.body_a);
            let (point, normal) = constraint.center_and_normal(&start);
            let (shapes, bodies) = contact.ids(shapes, bodies);
            let touch = Touch {
                contact: contacts.slots.id_at(slot),
                shapes,
                bodies,
                point,
                normal,
            };
            events.forces.push(ContactForce::of(touch, force, started));
        }
    }
}
