//! The life of a contact: creation, touch begin and end, removal.

use crate::body::def::BodyKind;
use crate::body::state::BodyPose;
use crate::contact::Contact;
use crate::contact::constraint::{ConstraintPoint, ContactConstraint, constraint_flags};
use crate::contact::recycle::{RecycleBudget, RecycleKey, contact_flags};
use crate::event::{ContactBegin, ContactEnd};
use crate::graph::{ConstraintKind, GraphPlace};
use crate::growth::grow_to;
use crate::id::ContactId;
use crate::material::tangent;
use crate::shape::BodyShape;
use crate::solver::Bouncing;
use crate::world::World;
use crate::world::sensors::Overlap;
use cairn2d_broadphase::Pair;
use cairn2d_geometry::math::{Vec2, WorldPoint};
use cairn2d_geometry::{Manifold, ManifoldCache, collide};
use cairn2d_simd::prefetch;

/// How many pairs ahead records are asked for: a contact takes 200 ns to open.
const PAIRS_AHEAD: usize = 2;

impl World {
    /// Asks for what the contacts of the next pairs will need: shapes first, then the bodies that stand in them.
    pub(crate) fn prefetch_contact(&self, next: &[Pair]) {
        if let Some(pair) = next.get(2 * PAIRS_AHEAD) {
            for shape in [pair.a, pair.b] {
                prefetch::<1, _>(self.shapes.slots.place(shape));
            }
        }
        if let Some(pair) = next.get(PAIRS_AHEAD) {
            for shape in [pair.a, pair.b] {
                prefetch::<4, _>(self.bodies.slots.place(self.shapes.slots[shape].body));
            }
        }
    }

    /// Opens a contact between two shapes that the broad phase paired.
    pub(crate) fn create_contact(&mut self, shape_a: u32, shape_b: u32) {
        let [shape_a, shape_b] = self.ordered(shape_a, shape_b);
        let [body_a, body_b] = [shape_a, shape_b].map(|shape| self.shapes.slots[shape].body);
        let places = [body_a, body_b].map(|body| self.bodies.slots[body].contacts.len() as u32);
        let id = self.contacts.slots.insert_with(|_| Contact {
            shape_a,
            shape_b,
            body_a,
            body_b,
            places,
            graph: GraphPlace::NONE,
            touching: false,
            sensor: self.shapes.slots[shape_a].sensor || self.shapes.slots[shape_b].sensor,
            linked: false,
        });
        let slot = id.index();
        for body in [body_a, body_b] {
            self.bodies.slots[body].contacts.push(slot);
        }
        self.store_hot_contact(slot);
        if self.bodies.awake.contains(body_a) || self.bodies.awake.contains(body_b) {
            self.contacts.awake.insert(slot);
        }
    }

    /// Returns the id of a contact of two shapes that is over already: they have bounced off each other within a step.
    pub(crate) fn fleeting_contact(&mut self, [shape_a, shape_b]: [u32; 2]) -> ContactId {
        let id = self.contacts.slots.insert_with(|_| Contact {
            shape_a,
            shape_b,
            body_a: self.shapes.slots[shape_a].body,
            body_b: self.shapes.slots[shape_b].body,
            places: [0; 2],
            graph: GraphPlace::NONE,
            touching: false,
            sensor: false,
            linked: false,
        });
        self.contacts.slots.remove(id.index());
        id
    }

    /// Orders two shapes so that what does not move comes first: its frame is then the steady one in
    /// which the manifold is kept.
    fn ordered(&self, a: u32, b: u32) -> [u32; 2] {
        let dynamic = |shape: u32| self.bodies.is_dynamic(self.shapes.slots[shape].body);
        match (dynamic(a), dynamic(b)) {
            (true, false) => [b, a],
            (false, true) => [a, b],
            _ => [a.min(b), a.max(b)],
        }
    }

    fn store_hot_contact(&mut self, slot: u32) {
        let contact = self.contacts.slots[slot];
        let bodies = [contact.body_a, contact.body_b];
        let bound = self.contacts.slots.bound();
        grow_to(
            &mut self.contacts.budgets,
            bound,
            RecycleBudget::new([0, 0]),
        );
        grow_to(&mut self.contacts.keys, bound, RecycleKey::new([0, 0]));
        grow_to(
            &mut self.contacts.constraints,
            bound,
            ContactConstraint::EMPTY,
        );
        self.contacts.awake.grow(bound);
        let mut key = RecycleKey::new([contact.shape_a, contact.shape_b]);
        if contact.sensor {
            key.flags |= contact_flags::SENSOR;
        }
        self.contacts.budgets[slot as usize] = RecycleBudget::new(bodies);
        self.contacts.keys[slot as usize] = key;
        let is_static = |body: u32| self.bodies.slots[body].kind == BodyKind::Static;
        let flag = |body: u32, flag: u16| if is_static(body) { flag } else { 0 };
        self.contacts.constraints[slot as usize] = ContactConstraint {
            body_a: bodies[0],
            body_b: bodies[1],
            flags: flag(bodies[0], constraint_flags::STATIC_A)
                | flag(bodies[1], constraint_flags::STATIC_B),
            ..ContactConstraint::EMPTY
        };
        self.mix_materials(slot);
        self.watch_press(slot);
    }

    /// Writes the combined surface of the two shapes into the contact's hot record.
    pub(crate) fn mix_materials(&mut self, slot: u32) {
        let contact = &self.contacts.slots[slot];
        let (a, b) = (
            &self.shapes.slots[contact.shape_a],
            &self.shapes.slots[contact.shape_b],
        );
        let surface = a.surface_with(b);
        self.contacts.constraints[slot as usize].set_surface(&surface);
        let one_way = a.material.one_way.is_some() || b.material.one_way.is_some();
        let hooked = a.pre_solve || b.pre_solve;
        // What a hook will ask for is not known before the solver runs.
        if surface.restitution > 0.0 || hooked {
            self.bouncing = Bouncing::Perhaps;
        }
        let flags = &mut self.contacts.keys[slot as usize].flags;
        *flags &= !(contact_flags::ONE_WAY | contact_flags::HOOKED);
        if one_way {
            *flags |= contact_flags::ONE_WAY;
        }
        if hooked {
            *flags |= contact_flags::HOOKED;
        }
    }

    /// Notes that the contact in `slot` touches now: event, wake, islands, graph.
    pub(crate) fn begin_touch(&mut self, slot: u32) {
        let contact = &mut self.contacts.slots[slot];
        contact.touching = true;
        if contact.sensor {
            self.report_sensor(slot, Overlap::Begins);
            return;
        }
        let (a, b) = (contact.body_a, contact.body_b);
        self.bodies.count_firm_touch([a, b], 1);
        self.report_begin(slot);
        if self.bodies.is_dynamic(a) && self.bodies.is_dynamic(b) {
            self.contacts.slots[slot].linked = true;
            self.merge_islands(a, b);
            self.note_steep(slot, [a, b]);
        } else {
            self.wake_body(a);
            self.wake_body(b);
        }
        self.add_contact_constraint(slot);
    }

    /// Notes that the contact in `slot` touches no more.
    pub(crate) fn end_touch(&mut self, slot: u32) {
        if self.contacts.slots[slot].sensor {
            self.contacts.slots[slot].touching = false;
            self.report_sensor(slot, Overlap::Ends);
            return;
        }
        self.remove_contact_constraint(slot);
        self.presses.exceeding.remove(slot);
        let id = self.contacts.slots.id_at(slot);
        let contact = &mut self.contacts.slots[slot];
        contact.touching = false;
        let (a, b) = (contact.body_a, contact.body_b);
        let (shape_a, shape_b) = (contact.shape_a, contact.shape_b);
        self.bodies.count_firm_touch([a, b], -1);
        if core::mem::replace(&mut contact.linked, false) {
            self.wound_island(a, b);
            self.steep.remove(slot);
        }
        let end = self.end_event(id, [shape_a, shape_b]);
        self.events.collecting.ends.push(end);
    }

    /// Describes the end of a contact of the shapes in the given slots, which still exist.
    pub(crate) fn end_event(&self, contact: ContactId, shapes: [u32; 2]) -> ContactEnd {
        let [a, b] = shapes.map(|shape| &self.shapes.slots[shape]);
        let [shape_a, shape_b] = shapes.map(|shape| self.shapes.slots.id_at(shape));
        let [body_a, body_b] = [a, b].map(|shape| self.bodies.slots.id_at(shape.body));
        let body_user_data = |shape: &BodyShape| self.bodies.slots[shape.body].user_data;
        ContactEnd {
            contact,
            shape_a,
            shape_b,
            body_a,
            body_b,
            user_data_a: a.user_data,
            user_data_b: b.user_data,
            body_user_data_a: body_user_data(a),
            body_user_data_b: body_user_data(b),
        }
    }

    /// Removes the contact in `slot`, with its end event if it touches.
    pub(crate) fn remove_contact(&mut self, slot: u32) {
        if self.contacts.slots[slot].touching {
            self.end_touch(slot);
        }
        let contact = self.contacts.slots.remove(slot);
        self.leave_contact_list(contact.body_a, contact.places[0]);
        self.leave_contact_list(contact.body_b, contact.places[1]);
        self.contacts.awake.remove(slot);
        self.presses.watched.remove(slot);
        self.broad.forget_pair(contact.shape_a, contact.shape_b);
    }

    /// Takes the contact at `place` out of a body's list; the last one moves there.
    fn leave_contact_list(&mut self, body: u32, place: u32) {
        let list = &mut self.bodies.slots[body].contacts;
        list.swap_remove(place as usize);
        if let Some(&moved) = list.get(place as usize) {
            let contact = &mut self.contacts.slots[moved];
            let side = usize::from(contact.body_a != body);
            contact.places[side] = place;
        }
    }

    /// Puts a touching contact into the constraint graph, unless it has no dynamic body that is awake.
    pub(crate) fn add_contact_constraint(&mut self, slot: u32) {
        let contact = &self.contacts.slots[slot];
        let (a, b) = (contact.body_a, contact.body_b);
        let ends = self.bodies.dynamic_ends(a, b);
        let resting = contact.sensor || !self.bodies.are_ends_awake(a, b);
        if resting || contact.graph != GraphPlace::NONE {
            return;
        }
        for body in ends.into_iter().flatten() {
            self.bodies.tracks[body as usize].constraints += 1;
            self.note_change_of_links(body);
        }
        self.contacts.slots[slot].graph = self.graph.add(ConstraintKind::Contact, slot, ends);
    }

    /// Takes a contact out of the constraint graph, if it is in it.
    pub(crate) fn remove_contact_constraint(&mut self, slot: u32) {
        let contact = &mut self.contacts.slots[slot];
        let place = core::mem::replace(&mut contact.graph, GraphPlace::NONE);
        if place == GraphPlace::NONE {
            return;
        }
        let ends = self.bodies.dynamic_ends(contact.body_a, contact.body_b);
        for body in ends.into_iter().flatten() {
            self.bodies.tracks[body as usize].constraints -= 1;
            self.note_change_of_links(body);
        }
        if let Some(moved) = self.graph.remove(ConstraintKind::Contact, place, ends) {
            self.contacts.slots[moved].graph = place;
        }
    }

    fn report_begin(&mut self, slot: u32) {
        let contact = &self.contacts.slots[slot];
        let (point, normal) = self.contact_place(slot);
        let [velocity_a, velocity_b] = [contact.body_a, contact.body_b].map(|body| {
            let arm = point - self.bodies.poses[body as usize].center;
            self.bodies.velocity_at(body, arm)
        });
        let approach_speed = (velocity_a - velocity_b).dot(&normal);
        let shapes = [contact.shape_a, contact.shape_b].map(|shape| self.shapes.slots.id_at(shape));
        self.events.collecting.begins.push(ContactBegin {
            contact: self.contacts.slots.id_at(slot),
            shape_a: self.shapes.slots.id_at(contact.shape_a),
            shape_b: self.shapes.slots.id_at(contact.shape_b),
            body_a: self.bodies.slots.id_at(contact.body_a),
            body_b: self.bodies.slots.id_at(contact.body_b),
            point,
            normal,
            approach_speed: approach_speed.max(self.speed_when_struck(shapes)),
            impulse: 0.0,
        });
    }

    /// Returns the middle of the contact's points and the normal, in the world, if no body has turned since they were found.
    pub(crate) fn contact_place(&self, slot: u32) -> (WorldPoint, Vec2) {
        let body_a = self.contacts.constraints[slot as usize].body_a;
        self.contact_place_from(slot, &self.bodies.poses[body_a as usize])
    }

    /// Returns the middle of the contact's points and the normal when body A is at `pose`, in the world.
    pub(crate) fn contact_place_from(&self, slot: u32, pose: &BodyPose) -> (WorldPoint, Vec2) {
        let constraint = &self.contacts.constraints[slot as usize];
        let points = &constraint.points[..constraint.count as usize];
        let sum: Vec2 = points.iter().map(|point| point.anchor_a).sum();
        let middle = sum / points.len().max(1) as f32;
        (
            pose.center + pose.rotate(middle),
            pose.rotate(constraint.normal),
        )
    }

    /// Returns the impulse of the last step on body B of the contact in `slot` [N s]; friction is taken to be as in the
    /// last substep during all of it.
    pub(crate) fn contact_impulse(&self, slot: u32) -> Vec2 {
        let constraint = &self.contacts.constraints[slot as usize];
        // The solver keeps the normal with which the step began.
        let began = self.bodies.start_of_step(constraint.body_a);
        let normal = began.rotate(constraint.normal);
        let points = &constraint.points[..constraint.count as usize];
        let along_normal: f32 = points.iter().map(|point| point.total_normal_impulse).sum();
        let along_tangent: f32 = points.iter().map(|point| point.tangent_impulse).sum();
        normal * along_normal + tangent(normal) * (along_tangent * self.substeps_of(constraint))
    }

    /// Returns where two shapes touch when their bodies are at `poses`; in the frame of the first body, from its origin.
    pub(crate) fn manifold_at(&self, shapes: [u32; 2], poses: &[BodyPose; 2]) -> Manifold {
        let [a, b] = shapes.map(|shape| &self.shapes.slots[shape].geometry);
        let b_in_a = poses[0].pose_of(&poses[1]);
        collide(a, b, &b_in_a, &mut ManifoldCache::default())
    }

    /// Fills in what the begin events could not know before the solver ran.
    pub(crate) fn complete_begin_events(&mut self) {
        let mut begins = core::mem::take(&mut self.events.collecting.begins);
        for event in &mut begins {
            if let Some(slot) = self.contacts.slots.find(event.contact) {
                let constraint = &self.contacts.constraints[slot as usize];
                let points: &[ConstraintPoint] = &constraint.points[..constraint.count as usize];
                event.impulse = points.iter().map(|point| point.total_normal_impulse).sum();
            }
        }
        self.events.collecting.begins = begins;
    }
}
