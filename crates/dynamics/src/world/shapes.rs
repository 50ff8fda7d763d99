//! Creating and destroying shapes, and their boxes in the broad phase.

use crate::body::def::BodyKind;
use crate::error::demand;
use crate::fat_box::world_box;
use crate::id::{BodyId, ShapeId};
use crate::shape::def::ShapeDef;
use crate::shape::{BodyShape, shape_flags};
use crate::world::mass::check_mass;
use crate::world::record::call::WorldCall;
use crate::world::{World, WorldError};
use cairn2d_broadphase::{ProxyId, ProxyKind};
use cairn2d_geometry::math::{Point, Vec2};
use cairn2d_geometry::{Aabb, Chain, Shape};
use core::borrow::Borrow;

/// # Creating and destroying shapes
impl World {
    /// Adds a shape to a body. The definition may be passed by value or by reference.
    ///
    /// # Panics
    /// If `body` is stale or `def` is invalid; [`try_create_shape`](Self::try_create_shape)
    /// returns the error instead.
    #[doc(alias("b2CreatePolygonShape", "b2CreateCircleShape"))]
    #[doc(alias("b2CreateCapsuleShape", "CreateFixture"))]
    #[doc(alias("insert_with_parent", "add_collider"))]
    #[doc(alias = "AddComponent")]
    #[track_caller]
    pub fn create_shape(
        &mut self,
        body: BodyId,
        shape: impl Into<Shape>,
        def: impl Borrow<ShapeDef>,
    ) -> ShapeId {
        demand(self.try_create_shape(body, shape, def), "create the shape")
    }

    /// Adds a shape to a body. The body's mass becomes the sum over its shapes, unless it was
    /// overridden. A body that fell asleep wakes; one that was put to sleep, or starts asleep, stays asleep.
    ///
    /// # Errors
    /// If `body` is stale, `def` is invalid (see [`ShapeDef::validate`]) or the body would get a mass
    /// above [`MAX_MASS`](crate::tuning::MAX_MASS). The world is then unchanged.
    pub fn try_create_shape(
        &mut self,
        body: BodyId,
        shape: impl Into<Shape>,
        def: impl Borrow<ShapeDef>,
    ) -> Result<ShapeId, WorldError> {
        let def = def.borrow();
        let slot = self.bodies.slots.find(body);
        let slot = slot.ok_or(WorldError::NoSuchBody(body))?;
        def.validate()?;
        let geometry = shape.into();
        let mut sum = self.bodies.slots[slot].shape_sum;
        if def.density > 0.0 {
            sum.add(&geometry.mass(def.density));
            check_mass(&sum.total())?;
        }
        self.record_own(|| WorldCall::CreateShape {
            body,
            geometry: Box::new(geometry.clone()),
            def: Box::new(*def),
        });
        let id = self.shapes.slots.insert_with(|_| BodyShape {
            body: slot,
            margin: 0.0,
            core: None,
            min_extent: 0.0,
            geometry,
            material: def.material,
            filter: def.filter,
            density: def.density,
            sensor: def.sensor,
            flags: if def.pre_solve {
                shape_flags::PRE_SOLVE
            } else {
                0
            },
            force_event_threshold: def.force_event_threshold,
            user_data: def.user_data,
            proxy: ProxyId::NULL,
            fat_box: Aabb::from_center_half(Point::origin(), Vec2::zeros()),
        });
        self.shapes.slots[id.index()].measure();
        self.shapes.sensors += usize::from(def.sensor);
        self.force_events.shapes += usize::from(def.force_event_threshold.is_finite());
        let record = &mut self.bodies.slots[slot];
        record.shapes.push(id.index());
        record.shape_sum = sum;
        self.update_mass(slot);
        self.wake_if_fell_asleep(slot);
        if !self.bodies.slots[slot].disabled {
            self.create_proxy(id.index());
        }
        Ok(id)
    }

    /// Adds the segments of a chain to a body, each as a separate shape; returns them in order.
    ///
    /// ```
    /// use cairn2d_dynamics::{BodyDef, ShapeDef, World};
    /// use cairn2d_geometry::Chain;
    /// use cairn2d_geometry::math::point;
    ///
    /// let mut world = World::default();
    /// let ground = world.create_body(BodyDef::static_());
    /// let hills = Chain::ground(&[point(-5.0, 0.0), point(0.0, 1.0), point(5.0, 0.0)]);
    /// assert_eq!(world.create_chain(ground, &hills, ShapeDef::default()).len(), 2);
    /// ```
    ///
    /// # Panics
    /// If `body` is stale or `def` is invalid; [`try_create_chain`](Self::try_create_chain) returns the error instead.
    #[doc(alias("b2CreateChain", "polyline", "EdgeCollider2D"))]
    #[track_caller]
    pub fn create_chain(
        &mut self,
        body: BodyId,
        chain: &Chain,
        def: impl Borrow<ShapeDef>,
    ) -> Vec<ShapeId> {
        demand(self.try_create_chain(body, chain, def), "create the chain")
    }

    /// Like [`create_chain`](Self::create_chain), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `body` is stale or `def` is invalid. The world is then unchanged.
    pub fn try_create_chain(
        &mut self,
        body: BodyId,
        chain: &Chain,
        def: impl Borrow<ShapeDef>,
    ) -> Result<Vec<ShapeId>, WorldError> {
        let def = def.borrow();
        let segments = chain.segments().iter();
        // Segments have no mass, so that after the first none is refused.
        segments
            .map(|segment| self.try_create_shape(body, *segment, def))
            .collect()
    }

    /// Removes a shape with its contacts, and wakes the bodies that touched it.
    ///
    /// Returns `true` if the shape existed: a stale or foreign id changes nothing.
    #[doc(alias("b2DestroyShape", "DestroyFixture"))]
    #[doc(alias = "remove_collider")]
    pub fn destroy_shape(&mut self, id: ShapeId) -> bool {
        let Some(slot) = self.shapes.slots.find(id) else {
            return false;
        };
        self.record_own(|| WorldCall::DestroyShape { shape: id });
        let body = self.shapes.slots[slot].body;
        self.remove_shape_contacts(slot);
        let proxy = self.shapes.slots[slot].proxy;
        if proxy != ProxyId::NULL {
            self.broad.remove(proxy);
        }
        self.remove_mass_of(slot);
        self.take_shape(slot);
        self.update_mass(body);
        self.wake_if_fell_asleep(body);
        true
    }

    /// Removes the record of the shape in `slot`, which has no proxy and no contacts.
    pub(crate) fn take_shape(&mut self, slot: u32) {
        let shape = self.shapes.slots.remove(slot);
        self.shapes.sensors -= usize::from(shape.sensor);
        self.shapes.bouncy &= self.shapes.slots.len() > 0;
        self.force_events.shapes -= usize::from(shape.force_event_threshold.is_finite());
    }

    /// Removes all contacts of the shape in `slot`, and wakes the bodies that touched it.
    pub(crate) fn remove_shape_contacts(&mut self, slot: u32) {
        let body = self.shapes.slots[slot].body;
        let of_shape = |world: &Self, &contact: &u32| {
            let contact = &world.contacts.slots[contact];
            contact.shape_a == slot || contact.shape_b == slot
        };
        let contacts: Vec<u32> = self.bodies.slots[body]
            .contacts
            .iter()
            .copied()
            .filter(|contact| of_shape(self, contact))
            .collect();
        for contact in contacts {
            let record = self.contacts.slots[contact];
            if record.pushes() {
                self.wake_body(record.body_a);
                self.wake_body(record.body_b);
            }
            self.remove_contact(contact);
        }
    }

    /// Adds the shape in `slot`, which has no proxy, to the broad phase. Boxes of static shapes have no
    /// margin.
    pub(crate) fn create_proxy(&mut self, slot: u32) {
        let shape = &self.shapes.slots[slot];
        let body = shape.body;
        let kind = match self.bodies.slots[body].kind {
            BodyKind::Static => ProxyKind::Static,
            BodyKind::Kinematic => ProxyKind::Kinematic,
            BodyKind::Dynamic => ProxyKind::Dynamic,
        };
        self.shapes.dynamic_sensors |= shape.sensor && kind == ProxyKind::Dynamic;
        let shape = &mut self.shapes.slots[slot];
        let margin = if kind == ProxyKind::Static {
            0.0
        } else {
            shape.margin
        };
        shape.fat_box = world_box(&shape.geometry, &self.bodies.poses[body as usize], margin);
        shape.proxy = self
            .broad
            .insert(kind, shape.fat_box, shape.filter.category, slot);
        self.bodies.tracks[body as usize].slack = 0.0;
        self.depenetration.note_placed(body);
    }

    /// Moves the boxes of a teleported body to its shapes, so that the next step pairs them again.
    pub(crate) fn replace_boxes(&mut self, body: u32) {
        self.depenetration.note_placed(body);
        for place in 0..self.bodies.slots[body].shapes.len() {
            let slot = self.bodies.slots[body].shapes[place];
            let shape = &mut self.shapes.slots[slot];
            if shape.proxy == ProxyId::NULL {
                continue;
            }
            let is_static = self.bodies.slots[body].kind == BodyKind::Static;
            let margin = if is_static { 0.0 } else { shape.margin };
            shape.fat_box = world_box(&shape.geometry, &self.bodies.poses[body as usize], margin);
            self.broad.move_to(shape.proxy, shape.fat_box);
        }
        self.bodies.tracks[body as usize].slack = 0.0;
    }

    /// Number of shapes.
    #[must_use]
    pub fn shape_count(&self) -> usize {
        self.shapes.slots.len()
    }
}
