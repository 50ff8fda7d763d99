//! Views: reading and writing one body, shape or contact of a world. Writing wakes.

mod body;
mod body_mut;
mod contact;
mod shape;

use crate::id::{BodyId, ContactId, ShapeId};
use crate::material::{Filter, Material};
use crate::shape::def::check_material;
use crate::world::World;
use crate::world::mass::check_mass;

pub use body::BodyRef;
pub use body_mut::BodyMut;
pub use contact::{ContactPointRef, ContactRef};
pub use shape::ShapeRef;

impl World {
    /// Returns a view of a body.
    ///
    /// # Panics
    /// If `id` is stale or foreign; [`get_body`](Self::get_body) returns `None` instead.
    #[must_use]
    #[track_caller]
    pub fn body(&self, id: BodyId) -> BodyRef<'_> {
        let slot = self.bodies.slots.expect(id);
        BodyRef { world: self, slot }
    }

    /// Returns a view of a body, or `None` if `id` is stale or foreign.
    #[must_use]
    pub fn get_body(&self, id: BodyId) -> Option<BodyRef<'_>> {
        let slot = self.bodies.slots.find(id)?;
        Some(BodyRef { world: self, slot })
    }

    /// Returns a view that can change a body.
    ///
    /// # Panics
    /// If `id` is stale or foreign; [`get_body_mut`](Self::get_body_mut) returns `None` instead.
    #[track_caller]
    pub fn body_mut(&mut self, id: BodyId) -> BodyMut<'_> {
        let slot = self.bodies.slots.expect(id);
        BodyMut { world: self, slot }
    }

    /// Returns a view that can change a body, or `None` if `id` is stale or foreign.
    pub fn get_body_mut(&mut self, id: BodyId) -> Option<BodyMut<'_>> {
        let slot = self.bodies.slots.find(id)?;
        Some(BodyMut { world: self, slot })
    }

    /// Iterates over the bodies in order of slot.
    pub fn bodies(&self) -> impl Iterator<Item = BodyRef<'_>> {
        let slots = self.bodies.slots.iter();
        slots.map(|(slot, _)| BodyRef { world: self, slot })
    }

    /// Returns a view of a shape.
    ///
    /// # Panics
    /// If `id` is stale or foreign; [`get_shape`](Self::get_shape) returns `None` instead.
    #[must_use]
    #[track_caller]
    pub fn shape(&self, id: ShapeId) -> ShapeRef<'_> {
        let slot = self.shapes.expect(id);
        ShapeRef { world: self, slot }
    }

    /// Returns a view of a shape, or `None` if `id` is stale or foreign.
    #[must_use]
    pub fn get_shape(&self, id: ShapeId) -> Option<ShapeRef<'_>> {
        let slot = self.shapes.find(id)?;
        Some(ShapeRef { world: self, slot })
    }

    /// Iterates over the shapes in order of slot.
    pub fn shapes(&self) -> impl Iterator<Item = ShapeRef<'_>> {
        self.shapes
            .iter()
            .map(|(slot, _)| ShapeRef { world: self, slot })
    }

    /// Iterates over the contacts that touch, in order of slot: from a gap of
    /// [`SPECULATIVE_DISTANCE`](cairn2d_geometry::tolerance::SPECULATIVE_DISTANCE) down; see
    /// [`ContactPointRef::separation`].
    pub fn contacts(&self) -> impl Iterator<Item = ContactRef<'_>> {
        let touching = self.contacts.iter().filter(|(_, contact)| contact.pushes());
        touching.map(|(slot, _)| ContactRef { world: self, slot })
    }

    /// Returns a view of a contact, or `None` if `id` is stale or foreign, or the shapes do not touch.
    #[must_use]
    pub fn get_contact(&self, id: ContactId) -> Option<ContactRef<'_>> {
        let slot = self.contacts.find(id)?;
        self.contacts[slot]
            .pushes()
            .then_some(ContactRef { world: self, slot })
    }

    /// Changes the surface of a shape and wakes what touches it; contacts feel it from the next step on.
    ///
    /// # Panics
    /// If `id` is stale or a number of `material` is negative or not finite.
    #[track_caller]
    pub fn set_material(&mut self, id: ShapeId, material: Material) {
        let slot = self.shapes.expect(id);
        if let Err(error) = check_material(&material) {
            panic!("cannot set the material: {error}");
        }
        self.shapes[slot].material = material;
        let body = self.shapes[slot].body;
        for place in 0..self.bodies.slots[body].contacts.len() {
            let slot = self.bodies.slots[body].contacts[place];
            self.mix_materials(slot);
            let contact = self.contacts[slot];
            if contact.pushes() {
                self.wake_body(contact.body_a);
                self.wake_body(contact.body_b);
            }
        }
    }

    /// Changes which shapes a shape meets and wakes its body; contacts begin at the next step.
    ///
    /// # Panics
    /// If `id` is stale.
    #[track_caller]
    pub fn set_filter(&mut self, id: ShapeId, filter: Filter) {
        let slot = self.shapes.expect(id);
        if self.shapes[slot].filter == filter {
            return;
        }
        self.shapes[slot].filter = filter;
        self.remove_shape_contacts(slot);
        self.wake_body(self.shapes[slot].body);
        let proxy = self.shapes[slot].proxy;
        if proxy != cairn2d_broadphase::ProxyId::NULL {
            self.broad.set_category(proxy, filter.category);
            self.broad.mark(proxy);
        }
    }

    /// Changes the density of a shape [kg/m^2], and so the mass of its body.
    ///
    /// # Panics
    /// If `id` is stale, `density` is negative or not finite, or the mass would be above
    /// [`MAX_MASS`](crate::tuning::MAX_MASS).
    #[track_caller]
    pub fn set_density(&mut self, id: ShapeId, density: f32) {
        let slot = self.shapes.expect(id);
        if let Err(error) = crate::error::not_negative("density", density) {
            panic!("cannot set the density: {error}");
        }
        let before = core::mem::replace(&mut self.shapes[slot].density, density);
        let body = self.shapes[slot].body;
        if let Err(error) = check_mass(&self.sum_of_shapes(body)) {
            self.shapes[slot].density = before;
            panic!("cannot set the density: {error}");
        }
        self.update_mass(body);
        self.wake_if_it_fell_asleep(body);
    }
}
