//! Sensors: shapes that notice what overlaps them and are never touched.
//!
//! A sensor and a visitor are a contact without manifold: it begins and ends with the overlap, is looked at
//! while one of the bodies is awake, and never reaches the solver. Bodies that cross a sensor within one step are
//! found by their sweep.

use crate::event::Overlap;
use crate::id::ShapeId;
use crate::world::World;
use crate::world::access::ShapeRef;

impl World {
    /// Reports the overlap of the sensor contact in `slot`, once for each side that is a sensor.
    pub(crate) fn report_sensor(&mut self, slot: u32, overlap: Overlap) {
        let contact = self.contacts.slots[slot];
        let (a, b) = (contact.shape_a, contact.shape_b);
        for shapes in [[a, b], [b, a]] {
            self.events
                .report_overlap(&self.bodies, &self.shapes, shapes, overlap);
        }
    }
}

impl<'a> ShapeRef<'a> {
    /// Iterates over the shapes that overlap this one, if it is a sensor, as of the last step.
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
            let mine = contact.shape_a == slot || contact.shape_b == slot;
            let noticed = contact.sensor && contact.touching && world.shapes.slots[slot].sensor;
            (mine && noticed).then(|| world.shapes.slots.id_at(other))
        })
    }
}
