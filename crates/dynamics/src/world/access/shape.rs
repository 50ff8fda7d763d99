//! Reading one shape.

use crate::id::{BodyId, ShapeId};
use crate::material::{Filter, Material};
use crate::shape::BodyShape;
use crate::world::World;
use crate::world::access::ContactRef;
use cairn2d_geometry::{Aabb, Shape};

/// Reads one shape.
#[derive(Clone, Copy, Debug)]
pub struct ShapeRef<'a> {
    pub(crate) world: &'a World,
    pub(crate) slot: u32,
}

impl<'a> ShapeRef<'a> {
    fn record(&self) -> &'a BodyShape {
        &self.world.shapes.slots[self.slot]
    }

    /// Names the shape.
    #[must_use]
    pub fn id(&self) -> ShapeId {
        self.world.shapes.slots.id_at(self.slot)
    }

    /// Names the body that it is on.
    #[must_use]
    pub fn body(&self) -> BodyId {
        self.world.bodies.slots.id_at(self.record().body)
    }

    /// Geometry in the body's frame.
    #[must_use]
    pub fn geometry(&self) -> &'a Shape {
        &self.record().geometry
    }

    /// Surface.
    #[must_use]
    pub fn material(&self) -> Material {
        self.record().material
    }

    /// Which shapes it meets.
    #[must_use]
    pub fn filter(&self) -> Filter {
        self.record().filter
    }

    /// Mass per area [kg/m^2].
    #[must_use]
    pub fn density(&self) -> f32 {
        self.record().density
    }

    /// Whether the shape only notices others.
    #[must_use]
    pub fn is_sensor(&self) -> bool {
        self.record().sensor
    }

    /// Whether the world's pre-solve hook is asked about its contacts.
    #[must_use]
    pub fn asks_pre_solve(&self) -> bool {
        self.record().pre_solve
    }

    /// Normal force from which on its contacts are listed in [`World::contact_forces`] \[N\]; infinite: never.
    #[must_use]
    pub fn force_event_threshold(&self) -> f32 {
        self.record().force_event_threshold
    }

    /// What the user attached.
    #[must_use]
    pub fn user_data(&self) -> u64 {
        self.record().user_data
    }

    /// Iterates over the contacts in which the shape touches another: see [`World::contacts`].
    pub fn contacts(&self) -> impl Iterator<Item = ContactRef<'a>> + use<'a> {
        let (world, slot) = (self.world, self.slot);
        let of_body = world.bodies.slots[self.record().body].contacts.iter();
        let mine = move |contact: &&u32| {
            let contact = &world.contacts.slots[**contact];
            contact.pushes() && (contact.shape_a == slot || contact.shape_b == slot)
        };
        of_body
            .filter(mine)
            .map(move |&slot| ContactRef { world, slot })
    }

    /// Box in the broad phase, a little larger than the shape \[m\].
    #[must_use]
    pub fn fat_box(&self) -> Aabb {
        self.record().fat_box
    }
}
