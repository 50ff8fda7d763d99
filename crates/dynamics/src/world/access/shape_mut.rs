//! A view that changes one shape.

use crate::body::shape_sum::ShapeSum;
use crate::ccd::update_bouncy;
use crate::error::{ValueError, demand, limit, not_negative};
use crate::material::{Filter, Material};
use crate::shape::def::check_material;
use crate::shape::{BodyShape, shape_flags};
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
    /// Returns a read-only view.
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
    /// If the body would get a mass above [`MAX_MASS`](crate::tuning::MAX_MASS); the shape is then unchanged;
    /// [`try_set_geometry`](Self::try_set_geometry) returns the error instead.
    #[track_caller]
    pub fn set_geometry(&mut self, geometry: impl Into<Shape>) {
        demand(self.try_set_geometry(geometry), "set the geometry");
    }

    /// Like [`set_geometry`](Self::set_geometry), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If the body would get a mass above [`MAX_MASS`](crate::tuning::MAX_MASS); the shape is then unchanged.
    pub fn try_set_geometry(&mut self, geometry: impl Into<Shape>) -> Result<(), ValueError> {
        let geometry = geometry.into();
        let before = core::mem::replace(&mut self.record_mut().geometry, geometry);
        if let Err(error) = self.update_sum() {
            self.record_mut().geometry = before;
            return Err(error);
        }
        let slot = self.slot;
        self.world.record(|world| Call::Shape {
            shape: world.shapes.slots.id_at(slot),
            call: ShapeCall::SetGeometry {
                geometry: Box::new(world.shapes.slots[slot].geometry.clone()),
            },
        });
        let shape = self.record_mut();
        shape.measure();
        let body = shape.body;
        self.world.wake_neighbors(body);
        self.world.update_mass(body);
        self.world.forget_features_of(slot);
        self.world.replace_boxes(body);
        self.world.test_quiet_pairs_of(body, Some(slot));
        Ok(())
    }

    /// Enables a disabled shape and wakes its body. It touches again from the next step on.
    pub fn enable(&mut self) {
        if self.as_ref().is_enabled() {
            return;
        }
        self.record(|| ShapeCall::Enable {});
        self.record_mut().set_flag(shape_flags::DISABLED, false);
        let body = self.record_mut().body;
        if !self.world.bodies.slots[body].disabled {
            self.world.create_proxy(self.slot);
            self.world.wake_body(body);
        }
    }

    /// Disables the shape: contacts, sensors, continuous collision and queries skip it until
    /// [`enable`](Self::enable), and its contacts end. Wakes the touching bodies. The mass of the body stays
    /// as it is.
    pub fn disable(&mut self) {
        if !self.as_ref().is_enabled() {
            return;
        }
        self.record(|| ShapeCall::Disable {});
        self.world.remove_shape_contacts(self.slot);
        let shape = self.record_mut();
        shape.set_flag(shape_flags::DISABLED, true);
        let (body, proxy) = (
            shape.body,
            core::mem::replace(&mut shape.proxy, ProxyId::NULL),
        );
        if proxy != ProxyId::NULL {
            self.world.broad.remove(proxy);
        }
        self.world.wake_body(body);
    }

    /// Makes the shape a sensor or a solid shape and wakes the touching bodies. Its contacts end and begin
    /// again.
    pub fn set_sensor(&mut self, sensor: bool) {
        if self.record_mut().sensor == sensor {
            return;
        }
        self.record(|| ShapeCall::SetSensor { sensor });
        self.world.remove_shape_contacts(self.slot);
        self.record_mut().sensor = sensor;
        let shapes = &mut self.world.shapes;
        shapes.sensors = shapes.sensors + usize::from(sensor) - usize::from(!sensor);
        shapes.dynamic_sensors |= sensor;
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
    /// If a number of `material` is negative or not finite, or a direction is zero;
    /// [`try_set_material`](Self::try_set_material) returns the error instead.
    #[track_caller]
    pub fn set_material(&mut self, material: Material) {
        demand(self.try_set_material(material), "set the material");
    }

    /// Like [`set_material`](Self::set_material), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If a number of `material` is negative or not finite, or a direction is zero.
    pub fn try_set_material(&mut self, material: Material) -> Result<(), ValueError> {
        check_material(&material)?;
        if self.record_mut().material != material {
            self.record(|| ShapeCall::SetMaterial { material });
            self.record_mut().material = material;
            self.world.refresh_surface(self.slot);
        }
        Ok(())
    }

    /// Sets the friction coefficient: see [`set_material`](Self::set_material).
    ///
    /// # Panics
    /// If `friction` is negative or not finite;
    /// [`try_set_friction`](Self::try_set_friction) returns the error instead.
    #[track_caller]
    pub fn set_friction(&mut self, friction: f32) {
        demand(self.try_set_friction(friction), "set the friction");
    }

    /// Like [`set_friction`](Self::set_friction), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `friction` is negative or not finite.
    pub fn try_set_friction(&mut self, friction: f32) -> Result<(), ValueError> {
        let material = self.record_mut().material;
        self.try_set_material(Material {
            friction,
            ..material
        })
    }

    /// Sets the restitution: see [`set_material`](Self::set_material).
    ///
    /// # Panics
    /// If `restitution` is negative or not finite;
    /// [`try_set_restitution`](Self::try_set_restitution) returns the error instead.
    #[track_caller]
    pub fn set_restitution(&mut self, restitution: f32) {
        demand(self.try_set_restitution(restitution), "set the restitution");
    }

    /// Like [`set_restitution`](Self::set_restitution), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `restitution` is negative or not finite.
    pub fn try_set_restitution(&mut self, restitution: f32) -> Result<(), ValueError> {
        let material = self.record_mut().material;
        self.try_set_material(Material {
            restitution,
            ..material
        })
    }

    /// Sets the speed of the surface, counter-clockwise along the outline [m/s]: see
    /// [`set_material`](Self::set_material).
    ///
    /// # Panics
    /// If `surface_speed` is not finite;
    /// [`try_set_surface_speed`](Self::try_set_surface_speed) returns the error instead.
    #[track_caller]
    pub fn set_surface_speed(&mut self, surface_speed: f32) {
        demand(
            self.try_set_surface_speed(surface_speed),
            "set the surface speed",
        );
    }

    /// Like [`set_surface_speed`](Self::set_surface_speed), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `surface_speed` is not finite.
    pub fn try_set_surface_speed(&mut self, surface_speed: f32) -> Result<(), ValueError> {
        let material = self.record_mut().material;
        self.try_set_material(Material {
            surface_speed,
            ..material
        })
    }

    /// Sets the density [kg/m^2], and with it the mass of the body.
    ///
    /// # Panics
    /// If `density` is negative or not finite, or the mass would be above [`MAX_MASS`](crate::tuning::MAX_MASS);
    /// [`try_set_density`](Self::try_set_density) returns the error instead.
    #[track_caller]
    pub fn set_density(&mut self, density: f32) {
        demand(self.try_set_density(density), "set the density");
    }

    /// Like [`set_density`](Self::set_density), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `density` is negative or not finite, or the mass would be above [`MAX_MASS`](crate::tuning::MAX_MASS).
    pub fn try_set_density(&mut self, density: f32) -> Result<(), ValueError> {
        not_negative("density", density)?;
        let before = core::mem::replace(&mut self.record_mut().density, density);
        if let Err(error) = self.update_sum() {
            self.record_mut().density = before;
            return Err(error);
        }
        self.record(|| ShapeCall::SetDensity { density });
        let body = self.record_mut().body;
        self.world.update_mass(body);
        self.world.wake_if_fell_asleep(body);
        Ok(())
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
        if self.record_mut().asks_pre_solve() != asked {
            self.record(|| ShapeCall::SetPreSolve { asked });
            self.record_mut().set_flag(shape_flags::PRE_SOLVE, asked);
            self.world.refresh_surface(self.slot);
        }
    }

    /// Sets the direction in the frame of the body in which other shapes pass through; `None` makes the shape
    /// solid from all sides: see [`set_material`](Self::set_material).
    ///
    /// # Panics
    /// If `direction` is zero or not finite;
    /// [`try_set_one_way`](Self::try_set_one_way) returns the error instead.
    #[track_caller]
    pub fn set_one_way(&mut self, direction: Option<Vec2>) {
        demand(self.try_set_one_way(direction), "set the direction");
    }

    /// Like [`set_one_way`](Self::set_one_way), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `direction` is zero or not finite.
    pub fn try_set_one_way(&mut self, direction: Option<Vec2>) -> Result<(), ValueError> {
        let material = self.record_mut().material;
        self.try_set_material(Material {
            one_way: direction,
            ..material
        })
    }

    /// Sets the normal force above which contacts of the shape are listed in
    /// [`World::contact_forces`](crate::World::contact_forces) \[N\]; infinite: never. Wakes nothing.
    ///
    /// # Panics
    /// If `threshold` is negative or NaN;
    /// [`try_set_force_event_threshold`](Self::try_set_force_event_threshold) returns the error instead.
    #[track_caller]
    pub fn set_force_event_threshold(&mut self, threshold: f32) {
        demand(
            self.try_set_force_event_threshold(threshold),
            "set the threshold",
        );
    }

    /// Like [`set_force_event_threshold`](Self::set_force_event_threshold), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `threshold` is negative or NaN.
    pub fn try_set_force_event_threshold(&mut self, threshold: f32) -> Result<(), ValueError> {
        limit("force_event_threshold", threshold)?;
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
        Ok(())
    }

    /// Attaches a number for your own use.
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
            if !contact.has_shape(slot) {
                continue;
            }
            self.mix_materials(of_body);
            self.contacts.invalidate_manifold(of_body);
            if contact.pushes() {
                self.wake_body(contact.body_a);
                self.wake_body(contact.body_b);
            }
        }
        self.test_quiet_pairs_of(body, Some(slot));
    }

    /// Clears the cached features of the contacts of the shape in `slot`, which name vertices of the old
    /// geometry.
    fn forget_features_of(&mut self, slot: u32) {
        let body = self.shapes.slots[slot].body;
        for place in 0..self.bodies.slots[body].contacts.len() {
            let of_body = self.bodies.slots[body].contacts[place];
            let contact = &self.contacts.slots[of_body];
            if contact.has_shape(slot) {
                self.contacts.clear_cache(of_body);
                self.mix_materials(of_body);
            }
        }
    }
}
