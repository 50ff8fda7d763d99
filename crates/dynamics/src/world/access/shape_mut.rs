//! A view that changes one shape.

use crate::body::shape_sum::ShapeSum;
use crate::ccd::update_bouncy;
use crate::error::{ValueError, limit, not_negative};
use crate::fat_box::box_margin;
use crate::material::{Filter, Material};
use crate::shape::def::check_material;
use crate::shape::{BodyShape, core_of};
use crate::world::World;
use crate::world::access::ShapeRef;
use crate::world::mass::check_mass;
use crate::world::record::call::{Call, ShapeCall};
use cairn2d_broadphase::ProxyId;
use cairn2d_geometry::Shape;
use cairn2d_geometry::math::Vec2;

/// A mutable view of one shape. Changes that affect contacts wake the touching bodies.
#[derive(Debug)]
pub struct ShapeMut<'a> {
    pub(crate) world: &'a mut World,
    pub(crate) slot: u32,
}

impl ShapeMut<'_> {
    /// Returns the view that only reads.
    #[must_use]
    pub fn as_ref(&self) -> ShapeRef<'_> {
        ShapeRef {
            world: self.world,
            slot: self.slot,
        }
    }

    /// Records a call that is certain to succeed.
    #[inline]
    pub(crate) fn record(&mut self, call: impl FnOnce() -> ShapeCall) {
        let slot = self.slot;
        self.world.record(|world| Call::Shape {
            shape: world.shapes.slots.id_at(slot),
            call: call(),
        });
    }

    fn record_mut(&mut self) -> &mut BodyShape {
        &mut self.world.shapes.slots[self.slot]
    }

    /// Replaces the geometry, given in the frame of the body, and wakes the touching bodies. Contacts persist
    /// while the shapes touch. The mass of the body changes, unless it is overridden.
    ///
    /// # Panics
    /// If the body would get a mass above [`MAX_MASS`](crate::tuning::MAX_MASS); the shape is then unchanged.
    #[track_caller]
    pub fn set_geometry(&mut self, geometry: impl Into<Shape>) {
        let geometry = geometry.into();
        let before = core::mem::replace(&mut self.record_mut().geometry, geometry);
        if let Err(error) = self.update_sum() {
            self.record_mut().geometry = before;
            panic!("cannot set the geometry: {error}");
        }
        let slot = self.slot;
        self.world.record(|world| Call::Shape {
            shape: world.shapes.slots.id_at(slot),
            call: ShapeCall::SetGeometry {
                geometry: Box::new(world.shapes.slots[slot].geometry.clone()),
            },
        });
        let shape = self.record_mut();
        shape.core = core_of(&shape.geometry);
        shape.margin = box_margin(&shape.geometry);
        let body = shape.body;
        self.world.wake_neighbors(body);
        self.world.update_mass(body);
        self.world.forget_features_of(slot);
        self.world.replace_boxes(body);
    }

    /// Makes the shape a sensor or a solid shape and wakes the touching bodies. Its contacts end and begin
    /// anew.
    pub fn set_sensor(&mut self, sensor: bool) {
        if self.record_mut().sensor == sensor {
            return;
        }
        self.record(|| ShapeCall::SetSensor { sensor });
        self.world.remove_shape_contacts(self.slot);
        self.record_mut().sensor = sensor;
        if sensor {
            self.world.shapes.sensors += 1;
        } else {
            self.world.shapes.sensors -= 1;
        }
        self.meet_anew();
    }

    /// Sets the collision filter and wakes the body. Contacts that the new filter excludes end at once;
    /// others begin at the next step.
    pub fn set_filter(&mut self, filter: Filter) {
        if self.record_mut().filter == filter {
            return;
        }
        self.record(|| ShapeCall::SetFilter { filter });
        self.record_mut().filter = filter;
        self.world.remove_shape_contacts(self.slot);
        let proxy = self.record_mut().proxy;
        if proxy != ProxyId::NULL {
            self.world.broad.set_category(proxy, filter.category);
        }
        self.meet_anew();
    }

    /// Makes the broad phase find the pairs of the shape again.
    fn meet_anew(&mut self) {
        let (body, proxy) = (self.record_mut().body, self.record_mut().proxy);
        self.world.wake_body(body);
        if proxy != ProxyId::NULL {
            self.world.broad.touch_proxy(proxy);
        }
    }

    /// Sets the material and wakes the touching bodies; contacts use it from the next step on.
    ///
    /// # Panics
    /// If a number of `material` is negative or not finite.
    #[track_caller]
    pub fn set_material(&mut self, material: Material) {
        if let Err(error) = check_material(&material) {
            panic!("cannot set the material: {error}");
        }
        if self.record_mut().material != material {
            self.record(|| ShapeCall::SetMaterial { material });
            self.record_mut().material = material;
            self.world.refresh_surface(self.slot);
        }
    }

    /// Sets the friction coefficient: see [`set_material`](Self::set_material).
    ///
    /// # Panics
    /// If `friction` is negative or not finite.
    #[track_caller]
    pub fn set_friction(&mut self, friction: f32) {
        let material = self.record_mut().material;
        self.set_material(Material {
            friction,
            ..material
        });
    }

    /// Sets the restitution: see [`set_material`](Self::set_material).
    ///
    /// # Panics
    /// If `restitution` is negative or not finite.
    #[track_caller]
    pub fn set_restitution(&mut self, restitution: f32) {
        let material = self.record_mut().material;
        self.set_material(Material {
            restitution,
            ..material
        });
    }

    /// Sets the speed of the surface, counter-clockwise along the outline [m/s]: see
    /// [`set_material`](Self::set_material).
    ///
    /// # Panics
    /// If `surface_speed` is not finite.
    #[track_caller]
    pub fn set_surface_speed(&mut self, surface_speed: f32) {
        let material = self.record_mut().material;
        self.set_material(Material {
            surface_speed,
            ..material
        });
    }

    /// Sets the density [kg/m^2], and with it the mass of the body.
    ///
    /// # Panics
    /// If `density` is negative or not finite, or the mass would be above
    /// [`MAX_MASS`](crate::tuning::MAX_MASS).
    #[track_caller]
    pub fn set_density(&mut self, density: f32) {
        if let Err(error) = not_negative("density", density) {
            panic!("cannot set the density: {error}");
        }
        let before = core::mem::replace(&mut self.record_mut().density, density);
        if let Err(error) = self.update_sum() {
            self.record_mut().density = before;
            panic!("cannot set the density: {error}");
        }
        self.record(|| ShapeCall::SetDensity { density });
        let body = self.record_mut().body;
        self.world.update_mass(body);
        self.world.wake_if_fell_asleep(body);
    }

    /// Recomputes the mass of the shapes of the body, and refuses a mass that the body cannot have.
    fn update_sum(&mut self) -> Result<(), ValueError> {
        let body = self.record_mut().body;
        let sum = self.world.sum_of_shapes(body);
        check_mass(&sum)?;
        self.world.bodies.slots[body].shape_sum = ShapeSum::new(sum);
        Ok(())
    }

    /// Sets whether the pre-solve hook of the world is called for contacts of the shape.
    pub fn set_pre_solve(&mut self, asked: bool) {
        if self.record_mut().pre_solve != asked {
            self.record(|| ShapeCall::SetPreSolve { asked });
            self.record_mut().pre_solve = asked;
            self.world.refresh_surface(self.slot);
        }
    }

    /// Sets the direction in the frame of the body in which other shapes pass through; `None` makes the shape
    /// solid from all sides: see [`set_material`](Self::set_material).
    ///
    /// # Panics
    /// If `direction` is zero or not finite.
    #[track_caller]
    pub fn set_one_way(&mut self, direction: Option<Vec2>) {
        let material = self.record_mut().material;
        self.set_material(Material {
            one_way: direction,
            ..material
        });
    }

    /// Sets the normal force above which contacts of the shape are listed in
    /// [`World::contact_forces`](crate::World::contact_forces) \[N\]; infinite: never. Wakes nothing.
    ///
    /// # Panics
    /// If `threshold` is negative or NaN.
    #[track_caller]
    pub fn set_force_event_threshold(&mut self, threshold: f32) {
        if let Err(error) = limit("force_event_threshold", threshold) {
            panic!("cannot set the threshold: {error}");
        }
        self.record(|| ShapeCall::SetForceEventThreshold { threshold });
        let before = core::mem::replace(&mut self.record_mut().force_event_threshold, threshold);
        self.world.force_events.shapes += usize::from(threshold.is_finite());
        self.world.force_events.update_watch_of_shape(
            self.slot,
            &self.world.bodies,
            &self.world.shapes,
            &self.world.contacts,
        );
        self.world.force_events.shapes -= usize::from(before.is_finite());
    }

    /// Attaches a number for the user.
    pub fn set_user_data(&mut self, user_data: u64) {
        self.record(|| ShapeCall::SetUserData { user_data });
        self.record_mut().user_data = user_data;
    }
}

impl World {
    /// Recomputes the mixed materials of the contacts of the shape in `slot`, and wakes the touching bodies.
    fn refresh_surface(&mut self, slot: u32) {
        let body = self.shapes.slots[slot].body;
        update_bouncy(&mut self.bodies, &mut self.shapes, body);
        for place in 0..self.bodies.slots[body].contacts.len() {
            let of_body = self.bodies.slots[body].contacts[place];
            let contact = self.contacts.slots[of_body];
            if contact.shape_a != slot && contact.shape_b != slot {
                continue;
            }
            self.mix_materials(of_body);
            self.contacts.invalidate_manifold(of_body);
            if contact.pushes() {
                self.wake_body(contact.body_a);
                self.wake_body(contact.body_b);
            }
        }
    }

    /// Clears the cached features of the contacts of the shape in `slot`, which name vertices of the old
    /// geometry.
    fn forget_features_of(&mut self, slot: u32) {
        let body = self.shapes.slots[slot].body;
        for place in 0..self.bodies.slots[body].contacts.len() {
            let of_body = self.bodies.slots[body].contacts[place];
            let contact = &self.contacts.slots[of_body];
            if contact.shape_a == slot || contact.shape_b == slot {
                self.contacts.clear_cache(of_body);
                self.mix_materials(of_body);
            }
        }
    }
}
