//! Views: reading and writing one body, shape or contact of a world. Writing wakes.

use crate::body::Body;
use crate::body::def::{BodyKind, Locks, check_position};
use crate::body::state::{BodyMass, BodyMotion, BodyPose, BodyState, state_flags};
use crate::contact::Contact;
use crate::id::{BodyId, ContactId, ShapeId};
use crate::material::{Filter, Material};
use crate::shape::BodyShape;
use crate::shape::def::check_material;
use crate::world::World;
use crate::world::bodies::{lock_flags, track_flags_of};
use crate::world::forces::assert_finite;
use cairn2d_geometry::math::{Point, Rotation, Vec2, WorldPoint, angle, sin_cos};
use cairn2d_geometry::{Aabb, MassData, Shape};

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

    /// Iterates over the contacts that touch, in order of slot.
    pub fn contacts(&self) -> impl Iterator<Item = ContactRef<'_>> {
        let touching = self.contacts.iter().filter(|(_, contact)| contact.touching);
        touching.map(|(slot, _)| ContactRef { world: self, slot })
    }

    /// Returns a view of a contact, or `None` if `id` is stale or foreign, or the shapes do not touch.
    #[must_use]
    pub fn get_contact(&self, id: ContactId) -> Option<ContactRef<'_>> {
        let slot = self.contacts.find(id)?;
        self.contacts[slot]
            .touching
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
            if contact.touching {
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
    /// If `id` is stale or `density` is negative or not finite.
    #[track_caller]
    pub fn set_density(&mut self, id: ShapeId, density: f32) {
        let slot = self.shapes.expect(id);
        if let Err(error) = crate::error::not_negative("density", density) {
            panic!("cannot set the density: {error}");
        }
        self.shapes[slot].density = density;
        let body = self.shapes[slot].body;
        self.update_mass(body);
        self.wake_if_it_fell_asleep(body);
    }
}

/// Reads one body.
#[derive(Clone, Copy, Debug)]
pub struct BodyRef<'a> {
    pub(crate) world: &'a World,
    pub(crate) slot: u32,
}

impl<'a> BodyRef<'a> {
    fn record(&self) -> &'a Body {
        &self.world.bodies.slots[self.slot]
    }

    fn pose(&self) -> &'a BodyPose {
        &self.world.bodies.poses[self.slot as usize]
    }

    fn state(&self) -> &'a BodyState {
        &self.world.bodies.states[self.slot as usize]
    }

    /// Names the body.
    #[must_use]
    pub fn id(&self) -> BodyId {
        self.world.bodies.slots.id_at(self.slot)
    }

    /// How the body moves.
    #[must_use]
    pub fn kind(&self) -> BodyKind {
        self.record().kind
    }

    /// Origin of the body's frame in the world, rounded to `f32` [m].
    #[must_use]
    pub fn position(&self) -> Point {
        self.pose().origin().to_point()
    }

    /// Origin of the body's frame in the world [m].
    #[must_use]
    pub fn position_exact(&self) -> WorldPoint {
        self.pose().origin()
    }

    /// Centre of mass in the world, rounded to `f32` [m].
    #[must_use]
    pub fn center(&self) -> Point {
        self.pose().center.to_point()
    }

    /// Centre of mass in the world [m].
    #[must_use]
    pub fn center_exact(&self) -> WorldPoint {
        self.pose().center
    }

    /// Centre of mass in the body's frame [m].
    #[must_use]
    pub fn local_center(&self) -> Point {
        Point::from(self.pose().local_center)
    }

    /// Rotation of the body.
    #[must_use]
    pub fn rotation(&self) -> Rotation {
        self.pose().rotation()
    }

    /// Angle of the body, counter-clockwise, in (-pi, pi] [rad].
    #[must_use]
    pub fn angle(&self) -> f32 {
        angle(&self.rotation())
    }

    /// Velocity of the centre of mass [m/s].
    #[must_use]
    pub fn velocity(&self) -> Vec2 {
        self.state().velocity
    }

    /// Angular velocity, counter-clockwise [rad/s].
    #[must_use]
    pub fn angular_velocity(&self) -> f32 {
        self.state().angular_velocity
    }

    /// Velocity of the material point of the body that is at `point` in the world [m/s].
    #[must_use]
    pub fn velocity_at(&self, point: impl Into<WorldPoint>) -> Vec2 {
        let arm = point.into() - self.pose().center;
        self.world.bodies.velocity_at(self.slot, arm)
    }

    /// Returns where a point of the body's frame is in the world, rounded to `f32` [m].
    #[must_use]
    pub fn to_world(&self, local: Point) -> Point {
        self.pose().to_world(local).to_point()
    }

    /// Returns where a point of the body's frame is in the world [m].
    #[must_use]
    pub fn to_world_exact(&self, local: Point) -> WorldPoint {
        self.pose().to_world(local)
    }

    /// Returns where a point of the world is in the body's frame [m].
    #[must_use]
    pub fn to_local(&self, point: impl Into<WorldPoint>) -> Point {
        self.pose().to_local(point.into())
    }

    /// Mass [kg]; 0 for a body that is not dynamic, or has no shape with density.
    #[must_use]
    pub fn mass(&self) -> f32 {
        if self.kind() == BodyKind::Dynamic {
            self.record().mass_data.mass
        } else {
            0.0
        }
    }

    /// Moment of inertia about the centre of mass [kg m^2]; 0 like [`mass`](Self::mass).
    #[must_use]
    pub fn inertia(&self) -> f32 {
        if self.kind() == BodyKind::Dynamic {
            self.record().mass_data.inertia
        } else {
            0.0
        }
    }

    /// Whether the body is simulated: kinematic or dynamic, enabled and not asleep.
    #[must_use]
    pub fn is_awake(&self) -> bool {
        self.world.bodies.awake.contains(self.slot)
    }

    /// Whether the body takes part in the simulation.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        !self.record().disabled
    }

    /// Whether continuous collision also covers moving bodies.
    #[must_use]
    pub fn is_bullet(&self) -> bool {
        self.record().bullet
    }

    /// Motions that the body is kept from.
    #[must_use]
    pub fn locks(&self) -> Locks {
        self.record().locks
    }

    /// What the user attached.
    #[must_use]
    pub fn user_data(&self) -> u64 {
        self.record().user_data
    }

    /// Factor on the world's gravity.
    #[must_use]
    pub fn gravity_scale(&self) -> f32 {
        self.record().gravity_scale
    }

    /// Iterates over the body's shapes in order of creation.
    pub fn shapes(&self) -> impl Iterator<Item = ShapeRef<'a>> {
        let world = self.world;
        self.record()
            .shapes
            .iter()
            .map(move |&slot| ShapeRef { world, slot })
    }

    /// Iterates over the contacts in which a shape of the body touches another body.
    pub fn contacts(&self) -> impl Iterator<Item = ContactRef<'a>> {
        let world = self.world;
        let touching = move |slot: &&u32| world.contacts[**slot].touching;
        let contacts = self.record().contacts.iter().filter(touching);
        contacts.map(move |&slot| ContactRef { world, slot })
    }

    /// A number that two bodies share while they hang together by touching contacts and joints; `None`
    /// for bodies that are in no island: static, kinematic and disabled ones.
    #[must_use]
    pub fn island(&self) -> Option<u32> {
        let island = self.record().island;
        (island != crate::island::NO_ISLAND).then_some(island)
    }
}

/// Reads and changes one body. Changes of motion wake it.
#[derive(Debug)]
pub struct BodyMut<'a> {
    pub(crate) world: &'a mut World,
    pub(crate) slot: u32,
}

impl BodyMut<'_> {
    /// Returns the view that reads.
    #[must_use]
    pub fn as_ref(&self) -> BodyRef<'_> {
        BodyRef {
            world: self.world,
            slot: self.slot,
        }
    }

    pub(crate) fn state_mut(&mut self) -> &mut BodyState {
        &mut self.world.bodies.states[self.slot as usize]
    }

    pub(crate) fn motion_mut(&mut self) -> &mut BodyMotion {
        &mut self.world.bodies.motions[self.slot as usize]
    }

    pub(crate) fn mass_record(&self) -> BodyMass {
        self.world.bodies.masses[self.slot as usize]
    }

    fn record_mut(&mut self) -> &mut Body {
        &mut self.world.bodies.slots[self.slot]
    }

    /// Wakes the body with its island; nothing happens to static and disabled bodies.
    pub fn wake(&mut self) {
        self.world.wake_body(self.slot);
    }

    /// Puts the body to sleep at once, with all that hangs together with it by touching and joints.
    /// Nothing happens if one of them may not sleep, or the body is not simulated.
    pub fn sleep(&mut self) {
        self.world.sleep_body(self.slot);
    }

    /// Sets the velocity of the centre of mass [m/s] and wakes the body; a static body has none.
    ///
    /// # Panics
    /// If `velocity` is not finite.
    #[track_caller]
    pub fn set_velocity(&mut self, velocity: Vec2) {
        assert_finite("velocity", velocity);
        if self.as_ref().kind() != BodyKind::Static {
            self.wake();
            self.state_mut().velocity = velocity;
        }
    }

    /// Sets the angular velocity, counter-clockwise [rad/s], and wakes the body; a static body has none.
    ///
    /// # Panics
    /// If `angular_velocity` is not finite.
    #[track_caller]
    pub fn set_angular_velocity(&mut self, angular_velocity: f32) {
        assert!(
            angular_velocity.is_finite(),
            "angular velocity is {angular_velocity}, which is not finite"
        );
        if self.as_ref().kind() != BodyKind::Static {
            self.wake();
            self.state_mut().angular_velocity = angular_velocity;
        }
    }

    /// Puts the body somewhere else at once, without moving through what lies between, and wakes it and
    /// what it touched. Velocities stay.
    ///
    /// # Panics
    /// If `position` is not finite or out of the world, or `angle` is not finite.
    #[track_caller]
    pub fn set_pose(&mut self, position: impl Into<WorldPoint>, angle: f32) {
        let position = position.into();
        if let Err(error) = check_position("position", position) {
            panic!("cannot set the pose: {error}");
        }
        assert!(angle.is_finite(), "angle is {angle}, which is not finite");
        let (sin, cos) = sin_cos(angle);
        self.world.wake_neighbours(self.slot);
        let pose = &mut self.world.bodies.poses[self.slot as usize];
        pose.rotation = Vec2::new(cos, sin);
        pose.center = position + pose.rotate(pose.local_center);
        self.world.invalidate_contacts(self.slot);
        self.world.replace_boxes(self.slot);
    }

    /// Gives a kinematic body the velocities that take it to a pose in one step of `dt` [s]. Set it
    /// before each step; the body goes on with these velocities until told otherwise.
    ///
    /// # Panics
    /// If a number is not finite or `dt` is not positive.
    #[track_caller]
    pub fn move_to(&mut self, position: impl Into<WorldPoint>, angle: f32, dt: f32) {
        let position = position.into();
        if let Err(error) = check_position("position", position) {
            panic!("cannot move the body: {error}");
        }
        assert!(angle.is_finite(), "angle is {angle}, which is not finite");
        assert!(
            dt.is_finite() && dt > 0.0,
            "dt is {dt}, which is not a positive time"
        );
        let (sin, cos) = sin_cos(angle);
        let pose = self.world.bodies.poses[self.slot as usize];
        let target = BodyPose {
            rotation: Vec2::new(cos, sin),
            ..pose
        };
        let center = position + target.rotate(pose.local_center);
        let turned = pose.unrotate(target.rotation);
        let turn = cairn2d_geometry::math::atan2(turned.y, turned.x);
        self.set_velocity((center - pose.center) / dt);
        self.set_angular_velocity(turn / dt);
    }

    /// Changes how the body moves. Its contacts begin anew.
    pub fn set_kind(&mut self, kind: BodyKind) {
        self.world.change_kind(self.slot, kind);
    }

    /// Takes the body into the simulation; nothing happens if it takes part already.
    pub fn enable(&mut self) {
        self.world.set_enabled(self.slot, true);
    }

    /// Takes the body out of the simulation: it keeps its place and velocity, touches nothing and is
    /// seen by no query.
    pub fn disable(&mut self) {
        self.world.set_enabled(self.slot, false);
    }

    /// Sets the motions that the body is kept from; velocities along them become 0.
    pub fn set_locks(&mut self, locks: Locks) {
        self.record_mut().locks = locks;
        let state = self.state_mut();
        let all = state_flags::LOCK_X | state_flags::LOCK_Y | state_flags::LOCK_ROTATION;
        state.flags = state.flags & !all | lock_flags(locks);
        if locks.x {
            state.velocity.x = 0.0;
        }
        if locks.y {
            state.velocity.y = 0.0;
        }
        if locks.rotation {
            state.angular_velocity = 0.0;
        }
        self.world.update_mass(self.slot);
        self.wake();
    }

    /// Sets whether continuous collision also covers moving bodies.
    pub fn set_bullet(&mut self, bullet: bool) {
        self.record_mut().bullet = bullet;
        let kind = self.as_ref().kind();
        self.world.bodies.tracks[self.slot as usize].flags = track_flags_of(kind, bullet);
    }

    /// Sets whether the body may turn by more than an eighth of a turn in one step.
    pub fn set_fast_rotation(&mut self, fast: bool) {
        let state = self.state_mut();
        state.flags &= !state_flags::FAST_ROTATION;
        if fast {
            state.flags |= state_flags::FAST_ROTATION;
        }
    }

    /// Sets the factor on the world's gravity and wakes the body.
    ///
    /// # Panics
    /// If `scale` is not finite.
    #[track_caller]
    pub fn set_gravity_scale(&mut self, scale: f32) {
        assert!(
            scale.is_finite(),
            "gravity scale is {scale}, which is not finite"
        );
        self.wake();
        self.record_mut().gravity_scale = scale;
        self.world.update_gravity(self.slot);
    }

    /// Sets the rates at which velocity and angular velocity fade [1/s].
    ///
    /// # Panics
    /// If one of them is negative or not finite.
    #[track_caller]
    pub fn set_damping(&mut self, linear: f32, angular: f32) {
        for (name, rate) in [("linear damping", linear), ("angular damping", angular)] {
            assert!(
                rate.is_finite() && rate >= 0.0,
                "{name} is {rate}, which is not a rate"
            );
        }
        self.motion_mut().linear_damping = linear;
        self.motion_mut().angular_damping = angular;
    }

    /// Sets whether the body may fall asleep; one that may not is woken.
    pub fn set_can_sleep(&mut self, can_sleep: bool) {
        self.record_mut().can_sleep = can_sleep;
        let speed = if can_sleep {
            crate::tuning::SLEEP_SPEED
        } else {
            -1.0
        };
        self.world.bodies.tracks[self.slot as usize].sleep_speed = speed;
        self.wake();
    }

    /// Sets the speed below which the body may fall asleep [m/s].
    ///
    /// # Panics
    /// If `speed` is negative or not finite.
    #[track_caller]
    pub fn set_sleep_speed(&mut self, speed: f32) {
        assert!(
            speed.is_finite() && speed >= 0.0,
            "sleep speed is {speed}, which is not a speed"
        );
        self.record_mut().can_sleep = true;
        self.world.bodies.tracks[self.slot as usize].sleep_speed = speed;
    }

    /// Gives the body a mass of its own instead of the sum over its shapes; `None` goes back to the sum.
    ///
    /// # Panics
    /// If mass or inertia is negative or not finite, or the centre is not finite.
    #[track_caller]
    pub fn set_mass(&mut self, mass: Option<MassData>) {
        if let Some(data) = &mass {
            for (name, value) in [("mass", data.mass), ("inertia", data.inertia)] {
                assert!(
                    value.is_finite() && value >= 0.0,
                    "{name} is {value}, which is not a {name}"
                );
            }
            assert_finite("center of mass", data.center.coords);
        }
        self.record_mut().mass_override = mass;
        self.world.update_mass(self.slot);
        self.wake();
    }

    /// Attaches a number for the user.
    pub fn set_user_data(&mut self, user_data: u64) {
        self.record_mut().user_data = user_data;
    }
}

/// Reads one shape.
#[derive(Clone, Copy, Debug)]
pub struct ShapeRef<'a> {
    pub(crate) world: &'a World,
    pub(crate) slot: u32,
}

impl<'a> ShapeRef<'a> {
    fn record(&self) -> &'a BodyShape {
        &self.world.shapes[self.slot]
    }

    /// Names the shape.
    #[must_use]
    pub fn id(&self) -> ShapeId {
        self.world.shapes.id_at(self.slot)
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

    /// What the user attached.
    #[must_use]
    pub fn user_data(&self) -> u64 {
        self.record().user_data
    }

    /// Box in the broad phase, a little larger than the shape [m].
    #[must_use]
    pub fn fat_box(&self) -> Aabb {
        self.record().fat_box
    }
}

/// Reads one contact that touches.
#[derive(Clone, Copy, Debug)]
pub struct ContactRef<'a> {
    world: &'a World,
    slot: u32,
}

impl ContactRef<'_> {
    fn record(&self) -> &Contact {
        &self.world.contacts[self.slot]
    }

    /// Names the contact.
    #[must_use]
    pub fn id(&self) -> ContactId {
        self.world.contacts.id_at(self.slot)
    }

    /// The two shapes; [`normal`](Self::normal) points from the first to the second.
    #[must_use]
    pub fn shapes(&self) -> [ShapeId; 2] {
        let contact = self.record();
        [contact.shape_a, contact.shape_b].map(|slot| self.world.shapes.id_at(slot))
    }

    /// The bodies of the two shapes.
    #[must_use]
    pub fn bodies(&self) -> [BodyId; 2] {
        let contact = self.record();
        [contact.body_a, contact.body_b].map(|slot| self.world.bodies.slots.id_at(slot))
    }

    /// Unit normal from the first shape to the second, in the world.
    #[must_use]
    pub fn normal(&self) -> Vec2 {
        self.world.contact_place(self.slot).1
    }

    /// Impulse of the last step on the second body, friction included [N s].
    #[must_use]
    pub fn impulse(&self) -> Vec2 {
        self.world.contact_impulse(self.slot)
    }

    /// The one or two points.
    pub fn points(&self) -> impl Iterator<Item = ContactPointRef> + '_ {
        let patch = &self.world.patches[self.slot as usize];
        let poses = &self.world.bodies.poses;
        let (a, b) = (&poses[patch.body_a as usize], &poses[patch.body_b as usize]);
        let normal = a.rotate(patch.normal);
        patch.points[..patch.count as usize]
            .iter()
            .map(move |point| {
                let on_a = a.center + a.rotate(point.anchor_a);
                let on_b = b.center + b.rotate(point.anchor_b);
                ContactPointRef {
                    point: on_a + (on_b - on_a) * 0.5,
                    separation: point.base_separation + (on_b - on_a).dot(&normal),
                    normal_impulse: point.total_normal_impulse,
                    tangent_impulse: point.tangent_impulse,
                }
            })
    }
}

/// One point of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPointRef {
    /// Place in the world [m].
    pub point: WorldPoint,
    /// Signed gap between the surfaces, negative = overlap [m].
    pub separation: f32,
    /// Impulse along the normal in the last step [N s].
    pub normal_impulse: f32,
    /// Impulse along the tangent (the normal turned right) in the last substep [N s].
    pub tangent_impulse: f32,
}
