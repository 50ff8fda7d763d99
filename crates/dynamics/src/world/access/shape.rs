//! A view that reads one shape.

use crate::fat_box::world_box;
use crate::id::{BodyId, ShapeId};
use crate::material::{Filter, Material};
use crate::shape::BodyShape;
use crate::world::World;
use crate::world::access::ContactRef;
use cairn2d_geometry::{Aabb, Shape};

/// A view of one shape.
#[derive(Clone, Copy, Debug)]
pub struct ShapeRef<'a> {
    pub(crate) world: &'a World,
    pub(crate) slot: u32,
}

impl<'a> ShapeRef<'a> {
    fn record(&self) -> &'a BodyShape {
        &self.world.shapes.slots[self.slot]
    }

    /// Returns the id of the shape.
    #[must_use]
    pub fn id(&self) -> ShapeId {
        self.world.shapes.slots.id_at(self.slot)
    }

    /// Returns the body of the shape.
    #[must_use]
    pub fn body(&self) -> BodyId {
        self.world.bodies.slots.id_at(self.record().body)
    }

    /// Returns the geometry in the frame of the body.
    #[must_use]
    pub fn geometry(&self) -> &'a Shape {
        &self.record().geometry
    }

    /// Returns the material.
    #[must_use]
    pub fn material(&self) -> Material {
        self.record().material
    }

    /// Returns the collision filter.
    #[must_use]
    pub fn filter(&self) -> Filter {
        self.record().filter
    }

    /// Returns the density [kg/m^2].
    #[must_use]
    pub fn density(&self) -> f32 {
        self.record().density
    }

    /// Returns `true` if the shape is a sensor.
    #[must_use]
    pub fn is_sensor(&self) -> bool {
        self.record().sensor
    }

    /// Returns `true` unless the shape is disabled: see [`ShapeMut::disable`](crate::ShapeMut::disable). The
    /// body may be disabled nevertheless.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.record().is_enabled()
    }

    /// Returns `true` if the pre-solve hook of the world is called for contacts of the shape.
    #[must_use]
    pub fn asks_pre_solve(&self) -> bool {
        self.record().asks_pre_solve()
    }

    /// Returns the normal force above which contacts of the shape are listed in [`World::contact_forces`]
    /// \[N\]; infinite: never.
    #[must_use]
    pub fn force_event_threshold(&self) -> f32 {
        self.record().force_event_threshold
    }

    /// Returns the number that the user attached.
    #[must_use]
    pub fn user_data(&self) -> u64 {
        self.record().user_data
    }

    /// Iterates over the contacts of the shape that touch: see [`World::contacts`].
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

    /// Returns the smallest box around the shape at the present pose of its body, in the world, rounded
    /// outward \[m\].
    #[must_use]
    pub fn aabb(&self) -> Aabb {
        let shape = self.record();
        let pose = &self.world.bodies.poses[shape.body as usize];
        world_box(&shape.geometry, pose, 0.0)
    }

    /// Returns the fat box of the broad phase, which contains the shape while the shape and its body
    /// are enabled \[m\].
    #[must_use]
    pub fn fat_box(&self) -> Aabb {
        self.record().fat_box
    }
}
