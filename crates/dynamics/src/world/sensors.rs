//! Sensors: shapes that report which shapes overlap them, and have no collision response.
//!
//! A sensor and a visitor are a contact without manifold: it begins and ends with the overlap, is updated
//! while one of the bodies is awake, and never reaches the solver. Sweeps find the bodies that cross a sensor
//! within one step.

use crate::event::Overlap;
use crate::id::ShapeId;
use crate::world::World;
use crate::world::access::ShapeRef;

impl World {
    /// Reports the overlap of the sensor contact in `slot`, once for each side that is a sensor.
    pub(crate) fn report_sensor(&mut self, slot: u32, overlap: Overlap) {
        let contact = &self.contacts.slots[slot];
        let (a, b) = (contact.shape_a, contact.shape_b);
        for shapes in [[a, b], [b, a]] {
            self.events
                .report_overlap(&self.bodies, &self.shapes, shapes, overlap);
        }
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
