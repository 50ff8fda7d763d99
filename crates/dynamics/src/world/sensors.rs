//! Sensors: shapes that report which shapes overlap them, and have no collision response.
//!
//! A sensor and a visitor are a contact without manifold: it begins and ends with the overlap, is updated
//! while one of the bodies is awake, and never reaches the solver. Sweeps find the bodies that cross a sensor
//! within one step.

use crate::event::{SensorBegin, SensorEnd};
use crate::id::ShapeId;
use crate::world::World;
use crate::world::access::ShapeRef;

/// What happens to an overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overlap {
    Begins,
    Ends,
}

impl World {
    /// Reports the overlap of the sensor contact in `slot`, once for each side that is a sensor.
    pub(crate) fn report_sensor(&mut self, slot: u32, overlap: Overlap) {
        let contact = self.contacts.slots[slot];
        self.report_overlap(contact.shape_a, contact.shape_b, overlap);
        self.report_overlap(contact.shape_b, contact.shape_a, overlap);
    }

    /// Reports an overlap if the first shape is a sensor.
    pub(crate) fn report_overlap(&mut self, sensor: u32, visitor: u32, overlap: Overlap) {
        if !self.shapes.slots[sensor].sensor {
            return;
        }
        let sides = [sensor, visitor].map(|shape| &self.shapes.slots[shape]);
        let [sensor_body, visitor_body] = sides.map(|shape| self.bodies.slots.id_at(shape.body));
        let [sensor_user_data, visitor_user_data] = sides.map(|shape| shape.user_data);
        let [sensor_body_user_data, visitor_body_user_data] =
            sides.map(|shape| self.bodies.slots[shape.body].user_data);
        let [sensor, visitor] = [sensor, visitor].map(|shape| self.shapes.slots.id_at(shape));
        let lists = &mut self.events.collecting;
        match overlap {
            Overlap::Begins => lists.sensor_begins.push(SensorBegin {
                sensor,
                visitor,
                sensor_body,
                visitor_body,
            }),
            Overlap::Ends => lists.sensor_ends.push(SensorEnd {
                sensor,
                visitor,
                sensor_body,
                visitor_body,
                sensor_user_data,
                visitor_user_data,
                sensor_body_user_data,
                visitor_body_user_data,
            }),
        }
    }

    pub(crate) fn overlap_is_known(&self, mine: u32, other: u32) -> bool {
        let contacts = &self.bodies.slots[self.shapes.slots[mine].body].contacts;
        contacts.iter().any(|&contact| {
            let contact = &self.contacts.slots[contact];
            let pair = (contact.shape_a, contact.shape_b);
            contact.touching && (pair == (mine, other) || pair == (other, mine))
        })
    }
}

impl<'a> ShapeRef<'a> {
    /// Iterates over the shapes that overlapped this one in the last step, if it is a sensor.
    pub fn overlaps(&self) -> impl Iterator<Item = ShapeId> + use<'a> {
        let (world, slot) = (self.world, self.slot);
        let body = world.shapes.slots[slot].body;
        let contacts = world.bodies.slots[body].contacts.iter();
        contacts.filter_map(move |&contact| {
            let contact = &world.contacts.slots[contact];
            let other = if contact.shape_a == slot {
                contact.shape_b
            } else {
                contact.shape_a
            };
            let is_own = contact.shape_a == slot || contact.shape_b == slot;
            let is_overlap = contact.sensor && contact.touching && world.shapes.slots[slot].sensor;
            (is_own && is_overlap).then(|| world.shapes.slots.id_at(other))
        })
    }
}
