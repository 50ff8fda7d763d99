//! Views that read and change one body, shape or contact of a world. Changes wake the bodies they affect.

mod body;
mod body_mut;
mod contact;
mod shape;
mod shape_mut;

use crate::body::state::BodyState;
use crate::id::{BodyId, ContactId, ShapeId};
use crate::world::World;

pub use body::BodyRef;
pub use body_mut::BodyMut;
pub use contact::{ContactPointRef, ContactRef};
pub use shape::ShapeRef;
pub use shape_mut::ShapeMut;

/// # Views of bodies, shapes and contacts
impl World {
    /// Returns a view of a body.
    ///
    /// # Panics
    /// If `id` is stale or foreign; [`get_body`](Self::get_body) returns `None` instead.
    #[doc(alias("RigidBodyHandle", "get_body"))]
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
    #[doc(alias = "get_mut")]
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

    /// Iterates over the enabled dynamic bodies without mass, in order of slot: bodies without shapes, with
    /// density 0, or with segments and chains only, which have no area. Gravity, forces and impulses do not
    /// move them; a mass comes from a shape with an area and a density, or from [`BodyMut::set_mass`].
    /// [`Counters::massless_bodies`](crate::Counters::massless_bodies) counts them.
    ///
    /// ```
    /// use cairn2d_dynamics::{BodyDef, ShapeDef, World};
    /// use cairn2d_geometry::Circle;
    /// use cairn2d_geometry::math::point;
    ///
    /// let mut world = World::default();
    /// let ball = world.create_body(BodyDef::dynamic());
    /// let shape = Circle::new(point(0.0, 0.0), 0.5);
    /// world.create_shape(ball, shape, ShapeDef::default().density(0.0));
    /// assert!(world.massless_bodies().any(|body| body.id() == ball));
    /// ```
    pub fn massless_bodies(&self) -> impl Iterator<Item = BodyRef<'_>> {
        let massless = self.bodies.massless.iter();
        massless
            .filter(|&slot| !self.bodies.slots[slot].disabled)
            .map(|slot| BodyRef { world: self, slot })
    }

    /// Iterates over the bodies that moved in the last step, in order of slot, for a renderer that updates
    /// only these. Bodies that fell asleep at the end of the step are included; bodies that were only
    /// teleported are not.
    #[doc(alias = "b2World_GetBodyEvents")]
    pub fn moved_bodies(&self) -> impl Iterator<Item = BodyRef<'_>> {
        let moved = self.simulated_slots().filter(|&slot| {
            let way = self.bodies.states[slot as usize];
            way.has_rotated() || way.delta_position != BodyState::IDENTITY.delta_position
        });
        moved.map(|slot| BodyRef { world: self, slot })
    }

    /// Returns a view of a shape.
    ///
    /// # Panics
    /// If `id` is stale or foreign; [`get_shape`](Self::get_shape) returns `None` instead.
    #[must_use]
    #[track_caller]
    pub fn shape(&self, id: ShapeId) -> ShapeRef<'_> {
        let slot = self.shapes.slots.expect(id);
        ShapeRef { world: self, slot }
    }

    /// Returns a view of a shape, or `None` if `id` is stale or foreign.
    #[must_use]
    pub fn get_shape(&self, id: ShapeId) -> Option<ShapeRef<'_>> {
        let slot = self.shapes.slots.find(id)?;
        Some(ShapeRef { world: self, slot })
    }

    /// Returns a view that can change a shape.
    ///
    /// # Panics
    /// If `id` is stale or foreign; [`get_shape_mut`](Self::get_shape_mut) returns `None` instead.
    #[track_caller]
    pub fn shape_mut(&mut self, id: ShapeId) -> ShapeMut<'_> {
        let slot = self.shapes.slots.expect(id);
        ShapeMut { world: self, slot }
    }

    /// Returns a view that can change a shape, or `None` if `id` is stale or foreign.
    pub fn get_shape_mut(&mut self, id: ShapeId) -> Option<ShapeMut<'_>> {
        let slot = self.shapes.slots.find(id)?;
        Some(ShapeMut { world: self, slot })
    }

    /// Iterates over the shapes in order of slot.
    pub fn shapes(&self) -> impl Iterator<Item = ShapeRef<'_>> {
        let slots = self.shapes.slots.iter();
        slots.map(|(slot, _)| ShapeRef { world: self, slot })
    }

    /// Iterates over the touching contacts, in order of slot: shapes with a gap of at most
    /// [`SPECULATIVE_DISTANCE`](cairn2d_geometry::tolerance::SPECULATIVE_DISTANCE); see
    /// [`ContactPointRef::separation`].
    pub fn contacts(&self) -> impl Iterator<Item = ContactRef<'_>> {
        let contacts = self.contacts.slots.iter();
        let touching = contacts.filter(|(_, contact)| contact.pushes());
        touching.map(|(slot, _)| ContactRef { world: self, slot })
    }

    /// Returns a view of a contact.
    ///
    /// # Panics
    /// If `id` is stale or foreign, or the shapes do not touch; [`get_contact`](Self::get_contact) returns
    /// `None` instead.
    #[must_use]
    #[track_caller]
    pub fn contact(&self, id: ContactId) -> ContactRef<'_> {
        let slot = self.contacts.slots.expect(id);
        assert!(self.contacts.slots[slot].pushes(), "{id:?} does not touch");
        ContactRef { world: self, slot }
    }

    /// Returns a view of a contact, or `None` if `id` is stale or foreign, or the shapes do not touch.
    #[must_use]
    pub fn get_contact(&self, id: ContactId) -> Option<ContactRef<'_>> {
        let slot = self.contacts.slots.find(id)?;
        self.contacts.slots[slot]
            .pushes()
            .then_some(ContactRef { world: self, slot })
    }
}
