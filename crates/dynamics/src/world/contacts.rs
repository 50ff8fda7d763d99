//! Lifecycle of contacts: creation, begin and end of touch, removal; and the stages that change it.

use crate::bitset::ones;
use crate::body::def::BodyKind;
use crate::ccd;
use crate::contact::constraint::constraint_flags;
use crate::contact::narrow_phase::update_contacts;
use crate::contact::pre_solve::PreSolveInput;
use crate::contact::recycle::contact_flags;
use crate::contact::{Contact, hit_events};
use crate::event::{ContactBegin, ContactEnd, Overlap, Touch};
use crate::graph::{ConstraintKind, GraphPlace};
use crate::material::tangent;
use crate::solver::Bouncing;
use crate::workers::StepWorkers;
use crate::world::World;
use crate::world::record::answer_log;
use cairn2d_broadphase::Pair;
use cairn2d_geometry::math::Vec2;
use cairn2d_simd::prefetch;
use std::panic::resume_unwind;

/// Number of pairs by which records are prefetched: the creation of a contact takes 200 ns.
const PAIRS_AHEAD: usize = 2;

impl World {
    /// Updates the manifolds of all awake contacts.
    ///
    /// # Panics
    /// If the user's hook panics.
    pub(crate) fn collide(&mut self, workers: &StepWorkers, dt: f32) {
        let input = PreSolveInput {
            bodies: &self.bodies,
            hook: self.hooks.contact_hook(answer_log(&self.recorder)),
            mechanisms: self.def.tuning.mechanisms,
            dt,
        };
        let updated = update_contacts(
            workers,
            input,
            &self.shapes,
            &mut self.contacts,
            &mut self.scratch.changes,
        );
        self.counters.awake_contacts = self.contacts.awake.len();
        self.counters.recycled_contacts =
            self.counters.awake_contacts - self.scratch.changes.count_new_manifolds();
        if let Err(panic) = updated {
            // A caller may catch the panic, so the touches that were found begin and end all the same.
            self.link_and_unlink();
            resume_unwind(panic);
        }
    }

    /// Begins and ends the touches that [`collide`](Self::collide) has found, in order of contact slot.
    pub(crate) fn link_and_unlink(&mut self) {
        let changes = core::mem::take(&mut self.scratch.changes);
        for change in &changes.words {
            let slot = |bit: u32| change.first + bit;
            for bit in ones(change.ends) {
                self.end_touch(slot(bit));
            }
            for bit in ones(change.parts) {
                self.remove_contact(slot(bit));
            }
            for bit in ones(change.begins) {
                self.begin_touch(slot(bit));
                if !self.is_quiet(slot(bit)) {
                    self.depenetration.note_new_contact(
                        slot(bit),
                        &self.bodies,
                        &self.shapes,
                        &mut self.contacts,
                    );
                }
            }
        }
        self.scratch.changes = changes;
        self.end_quiet_tests();
        self.depenetration.forget_placed();
    }

    /// Prefetches the records that the contacts of the next pairs need: first the shapes, which hold the
    /// slots of their bodies, then the bodies.
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

    /// Creates a contact of two shapes that the broad phase paired.
    pub(crate) fn create_contact(&mut self, shape_a: u32, shape_b: u32) {
        let [shape_a, shape_b] = self.ordered(shape_a, shape_b);
        let bodies = [shape_a, shape_b].map(|shape| self.shapes.slots[shape].body);
        let contact = Contact {
            shape_a,
            shape_b,
            body_a: bodies[0],
            body_b: bodies[1],
            places: bodies.map(|body| self.bodies.slots[body].contacts.len() as u32),
            graph: GraphPlace::NONE,
            touching: false,
            sensor: self.shapes.slots[shape_a].sensor || self.shapes.slots[shape_b].sensor,
            linked: false,
        };
        let is_static = |body: u32| self.bodies.slots[body].kind == BodyKind::Static;
        let flag = |body: u32, flag: u16| if is_static(body) { flag } else { 0 };
        let static_flags = flag(bodies[0], constraint_flags::STATIC_A)
            | flag(bodies[1], constraint_flags::STATIC_B);
        let slot = self.contacts.insert(contact, static_flags);
        for body in bodies {
            self.bodies.slots[body].contacts.push(slot);
        }
        self.mix_materials(slot);
        self.force_events
            .update_watch(slot, &self.shapes, &self.contacts);
        if bodies.iter().any(|&body| self.bodies.awake.contains(body)) {
            self.contacts.mark_awake(slot);
        } else {
            self.test_new_quiet_pair(slot);
        }
    }

    /// Orders two shapes so that one that is not dynamic comes first: the manifold is kept in its frame,
    /// which moves less.
    fn ordered(&self, a: u32, b: u32) -> [u32; 2] {
        let is_dynamic = |shape: u32| self.bodies.is_dynamic(self.shapes.slots[shape].body);
        match (is_dynamic(a), is_dynamic(b)) {
            (true, false) => [b, a],
            (false, true) => [a, b],
            _ => [a.min(b), a.max(b)],
        }
    }

    /// Writes the mixed surface of the two shapes, and the flags that follow from them, into the hot records.
    pub(crate) fn mix_materials(&mut self, slot: u32) {
        let contact = &self.contacts.slots[slot];
        let (a, b) = (
            &self.shapes.slots[contact.shape_a],
            &self.shapes.slots[contact.shape_b],
        );
        let surface = a.surface_with(b);
        let is_hooked = a.asks_pre_solve() || b.asks_pre_solve();
        let mut flags = 0;
        if a.material.one_way.is_some() || b.material.one_way.is_some() {
            flags |= contact_flags::ONE_WAY;
        }
        if is_hooked {
            flags |= contact_flags::HOOKED;
        }
        // A hook may set a restitution, which is unknown until the narrow phase calls it.
        if surface.restitution > 0.0 || is_hooked {
            self.bouncing = Bouncing::Perhaps;
        }
        self.contacts.set_surface(slot, &surface, flags);
    }

    /// Begins the touch of the contact in `slot`: reports it, wakes bodies, merges islands, adds the
    /// constraint.
    pub(crate) fn begin_touch(&mut self, slot: u32) {
        let contact = &mut self.contacts.slots[slot];
        contact.touching = true;
        if contact.sensor {
            self.report_sensor(slot, Overlap::Begins);
            return;
        }
        let (a, b) = (contact.body_a, contact.body_b);
        self.bodies.count_static_touch([a, b], 1);
        self.report_begin(slot);
        if self.bodies.is_dynamic(a) && self.bodies.is_dynamic(b) {
            // Sleeping bodies of a pair that was filtered before.
            if self.is_quiet(slot) && !self.begins_asleep(slot) {
                self.wake_body(a);
            }
            self.contacts.slots[slot].linked = true;
            self.merge_islands(a, b);
        } else if !self.begins_asleep(slot) {
            self.wake_body(a);
            self.wake_body(b);
        }
        self.add_contact_constraint(slot);
    }

    /// Ends the touch of the contact in `slot`: reports it, removes the constraint, marks the island for
    /// splitting.
    pub(crate) fn end_touch(&mut self, slot: u32) {
        if self.contacts.slots[slot].sensor {
            self.contacts.slots[slot].touching = false;
            self.report_sensor(slot, Overlap::Ends);
            return;
        }
        self.remove_contact_constraint(slot);
        self.force_events.exceeding.remove(slot);
        let id = self.contacts.slots.id_at(slot);
        let contact = &mut self.contacts.slots[slot];
        contact.touching = false;
        let (a, b) = (contact.body_a, contact.body_b);
        let (shape_a, shape_b) = (contact.shape_a, contact.shape_b);
        self.bodies.count_static_touch([a, b], -1);
        if core::mem::replace(&mut contact.linked, false) {
            self.note_removed_link(a, b);
        }
        let end = ContactEnd::of(id, [shape_a, shape_b], &self.bodies, &self.shapes);
        self.events.collecting.ends.push(end);
    }

    /// Removes the contact in `slot`; a touch ends first.
    pub(crate) fn remove_contact(&mut self, slot: u32) {
        if self.contacts.slots[slot].touching {
            self.end_touch(slot);
        }
        let contact = self.contacts.remove(slot);
        self.leave_contact_list(contact.body_a, contact.places[0]);
        self.leave_contact_list(contact.body_b, contact.places[1]);
        self.force_events.watched.remove(slot);
        self.broad.forget_pair(contact.shape_a, contact.shape_b);
    }

    /// Removes the contact at `place` from the list of a body. The last one moves there: its stored place is
    /// updated.
    fn leave_contact_list(&mut self, body: u32, place: u32) {
        let list = &mut self.bodies.slots[body].contacts;
        list.swap_remove(place as usize);
        if let Some(&moved) = list.get(place as usize) {
            let contact = &mut self.contacts.slots[moved];
            let side = usize::from(contact.body_a != body);
            contact.places[side] = place;
        }
    }

    /// Adds a touching contact to the constraint graph, if its dynamic bodies are awake.
    pub(crate) fn add_contact_constraint(&mut self, slot: u32) {
        let contact = &self.contacts.slots[slot];
        let (a, b) = (contact.body_a, contact.body_b);
        let ends = self.bodies.dynamic_ends(a, b);
        let is_at_rest = contact.sensor || !self.bodies.are_ends_awake(a, b);
        if is_at_rest || contact.graph != GraphPlace::NONE {
            return;
        }
        for body in ends.into_iter().flatten() {
            self.bodies.tracks[body as usize].constraints += 1;
            self.islands
                .note_link_change(self.bodies.tracks[body as usize].island);
        }
        let color = self.graph.pick_color(ends);
        self.contacts.slots[slot].graph =
            self.graph.add(color, ConstraintKind::Contact, slot, ends);
    }

    /// Removes a contact from the constraint graph, if it is in it.
    pub(crate) fn remove_contact_constraint(&mut self, slot: u32) {
        let contact = &mut self.contacts.slots[slot];
        let place = core::mem::replace(&mut contact.graph, GraphPlace::NONE);
        if place == GraphPlace::NONE {
            return;
        }
        let ends = self.bodies.dynamic_ends(contact.body_a, contact.body_b);
        for body in ends.into_iter().flatten() {
            self.bodies.tracks[body as usize].constraints -= 1;
            self.islands
                .note_link_change(self.bodies.tracks[body as usize].island);
        }
        if let Some(moved) = self.graph.remove(ConstraintKind::Contact, place, ends) {
            self.contacts.slots[moved].graph = place;
        }
    }

    fn report_begin(&mut self, slot: u32) {
        let contact = &self.contacts.slots[slot];
        let pose = &self.bodies.poses[contact.body_a as usize];
        let (point, normal) = self.contacts.constraints[slot as usize].center_and_normal(pose);
        let [velocity_a, velocity_b] = [contact.body_a, contact.body_b].map(|body| {
            let arm = point - self.bodies.poses[body as usize].center;
            self.bodies.velocity_at(body, arm)
        });
        let approach_speed = (velocity_a - velocity_b).dot(&normal);
        let (shapes, bodies) = contact.ids(&self.shapes, &self.bodies);
        let recent_speed = ccd::recent_approach_speed(&self.recent_impacts, shapes);
        let touch = Touch {
            contact: self.contacts.slots.id_at(slot),
            shapes,
            bodies,
            point,
            normal,
        };
        let begin = ContactBegin::of(touch, approach_speed.max(recent_speed), 0.0);
        self.events.collecting.begins.push(begin);
    }

    /// Returns the impulse of the last step on body B of the contact in `slot` [N s]. Friction counts as if
    /// it had been as in the last substep all the time.
    pub(crate) fn contact_impulse(&self, slot: u32) -> Vec2 {
        let constraint = &self.contacts.constraints[slot as usize];
        // The solver keeps the normal with which the step began.
        let began = self.bodies.start_of_step(constraint.body_a);
        let normal = began.rotate(constraint.normal);
        let points = constraint.points_in_use().iter();
        let along_tangent: f32 = points.map(|point| point.tangent_impulse).sum();
        normal * constraint.total_normal_impulse()
            + tangent(normal) * (along_tangent * self.history.last_substeps)
    }

    /// Writes the impulses of the step into its begin events, after the solver has computed them.
    pub(crate) fn complete_begin_events(&mut self) {
        let mut begins = core::mem::take(&mut self.events.collecting.begins);
        for event in &mut begins {
            if let Some(slot) = self.contacts.slots.find(event.contact) {
                event.impulse = self.contacts.constraints[slot as usize].total_normal_impulse();
            }
        }
        self.events.collecting.begins = begins;
    }

    /// Reports the contacts that came together fast.
    pub(crate) fn report_hits(&mut self) {
        let mut hits = core::mem::take(&mut self.scratch.hits);
        hits.clear();
        hits.extend_from_slice(self.scratch.solver.fast_contacts());
        hit_events::report_hits(
            &mut hits,
            self.def.tuning.hit_event_threshold,
            &self.bodies,
            &self.shapes,
            &self.contacts,
            &mut self.events.collecting,
        );
        self.scratch.hits = hits;
    }
}
