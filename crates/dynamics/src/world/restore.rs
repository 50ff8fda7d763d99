//! Restores the state that a save does not hold, since it follows from the rest; and the checks before.

use crate::bitset::BitSet;
use crate::event::SleepChange;
use crate::graph::{ConstraintGraph, ConstraintKind};
use crate::id::{IdKind, Slots, WorldMark};
use crate::joint::JointDef;
use crate::joint::sim::JointKind;
use crate::world::World;
use crate::world::consistency::{Defect, ensure};

impl World {
    /// Completes a world whose fields were just read from a save. Nothing in it is trusted.
    ///
    /// # Errors
    /// If two records contradict each other.
    pub(crate) fn restore(&mut self) -> Result<(), Defect> {
        self.check_slots()?;
        self.check_joint_defs()?;
        self.check_numbers()?;
        self.restore_settings();
        let is_own = self.broad.kind() == self.def.broad_phase;
        ensure(is_own, "broad phase of world", 0)?;
        self.restore_marks();
        self.restore_proxies()?;
        self.restore_pairs()?;
        self.restore_places()?;
        self.restore_graph()?;
        self.scratch.internal_edges.restore(&self.contacts);
        self.restore_moved();
        let events = &mut self.events;
        for lists in [&mut events.reported, &mut events.collecting] {
            lists.fill_user_data(&self.bodies, &self.shapes);
        }
        self.check()
    }

    /// Lists the bodies of the last step: awake bodies, and bodies that it put to sleep.
    fn restore_moved(&mut self) {
        let events = self.events.reported.sleeps.iter();
        let asleep = events.filter(|event| event.change == SleepChange::FellAsleep);
        let asleep = asleep.filter_map(|event| self.bodies.slots.find(event.body));
        let mut moved: Vec<u32> = self.bodies.awake.iter().chain(asleep).collect();
        moved.sort_unstable();
        moved.dedup();
        self.scratch.awake = moved;
    }

    /// Sets what follows from the geometry of shapes and from the definitions of joints.
    fn restore_settings(&mut self) {
        for slot in 0..self.shapes.slots.bound() as u32 {
            if let Some(shape) = self.shapes.slots.get_mut(slot) {
                shape.measure();
            }
        }
        for (slot, joint) in self.joints.slots.iter() {
            self.joints.sims[slot as usize].restore_settings(&joint.def);
        }
    }

    fn restore_marks(&mut self) {
        let mark = WorldMark(self.def.id_mark);
        self.bodies.slots.set_mark(mark);
        self.shapes.slots.set_mark(mark);
        self.contacts.slots.set_mark(mark);
        self.joints.slots.set_mark(mark);
    }

    /// Checks that all slots which records name are in use: after that they can be looked up.
    fn check_slots(&self) -> Result<(), Defect> {
        for (slot, body) in self.bodies.slots.iter() {
            all_used(&self.shapes.slots, &body.shapes, "shapes of body", slot)?;
            all_used(
                &self.contacts.slots,
                &body.contacts,
                "contacts of body",
                slot,
            )?;
            all_used(&self.joints.slots, &body.joints, "joints of body", slot)?;
        }
        for (slot, shape) in self.shapes.slots.iter() {
            all_used(&self.bodies.slots, &[shape.body], "body of shape", slot)?;
            ensure(shape.fat_box.is_valid(), "box of shape", slot)?;
        }
        for (slot, contact) in self.contacts.slots.iter() {
            let shapes = [contact.shape_a, contact.shape_b];
            all_used(&self.shapes.slots, &shapes, "shapes of contact", slot)?;
            let bodies = shapes.map(|shape| self.shapes.slots[shape].body);
            let is_own = bodies == [contact.body_a, contact.body_b];
            ensure(is_own, "bodies of contact", slot)?;
        }
        for (slot, joint) in self.joints.slots.iter() {
            all_used(&self.bodies.slots, &joint.bodies(), "bodies of joint", slot)?;
            if let JointKind::Gear(gear) = &self.joints.sims[slot as usize].kind {
                let joints = [gear.joint_a, gear.joint_b];
                all_used(&self.joints.slots, &joints, "joints of gear", slot)?;
            }
        }
        for (slot, island) in (0..).zip(&*self.islands.slots) {
            all_used(&self.bodies.slots, &island.bodies, "bodies of island", slot)?;
        }
        self.check_sets()
    }

    /// Checks that sets have no members which do not exist.
    fn check_sets(&self) -> Result<(), Defect> {
        let bodies = |slot: u32| self.bodies.slots.get(slot).is_some();
        let contacts = |slot: u32| self.contacts.slots.get(slot).is_some();
        let islands = |slot: u32| (slot as usize) < self.islands.slots.len();
        all_exist(&self.bodies.awake, bodies, "set of awake bodies")?;
        all_exist(
            &self.bodies.between_static,
            bodies,
            "set of bodies between others",
        )?;
        all_exist(&self.bodies.changed, bodies, "set of changed bodies")?;
        all_exist(&self.contacts.awake, contacts, "set of awake contacts")?;
        all_exist(
            &self.force_events.watched,
            contacts,
            "set of watched contacts",
        )?;
        all_exist(&self.islands.awake, islands, "set of awake islands")?;
        all_exist(
            &self.islands.direct,
            islands,
            "set of islands solved directly",
        )?;
        all_exist(
            &self.islands.newton,
            islands,
            "set of islands of Newton's method",
        )?;
        let pairs = self.ignores.list.iter().map(|ignored| ignored.pair);
        ensure(pairs.clone().is_sorted(), "order of ignored pairs", 0)?;
        for (a, b) in pairs {
            ensure(a < b && bodies(a) && bodies(b), "ignored pair", a)?;
        }
        let bounds = [self.contacts.slots.bound(), self.joints.slots.bound()];
        ensure(
            self.depenetration.is_within(bounds),
            "initial penetrations",
            0,
        )
    }

    /// Checks that the definition of each joint is valid, and is that of its record.
    fn check_joint_defs(&self) -> Result<(), Defect> {
        for (slot, joint) in self.joints.slots.iter() {
            let sim = &self.joints.sims[slot as usize];
            ensure(joint.def.validate().is_ok(), "definition of joint", slot)?;
            let base = joint.def.base();
            let named = [base.body_a.index(), base.body_b.index()];
            ensure(named == joint.bodies(), "bodies of joint", slot)?;
            ensure(sim.is_of(&joint.def), "kind of joint", slot)?;
            if let (JointDef::Gear(def), JointKind::Gear(gear)) = (&joint.def, &sim.kind) {
                let named = [def.joint_a.index(), def.joint_b.index()];
                ensure(
                    named == [gear.joint_a, gear.joint_b],
                    "joints of gear",
                    slot,
                )?;
                let is_gearable = named.iter().all(|&other| {
                    crate::joint::gear::is_gearable(&self.joints.sims[other as usize])
                });
                ensure(is_gearable, "joints of gear", slot)?;
            }
        }
        Ok(())
    }

    /// Gives the shapes their proxies.
    fn restore_proxies(&mut self) -> Result<(), Defect> {
        let mut result = Ok(());
        let shapes = &mut self.shapes.slots;
        self.broad.visit_proxies(|proxy, number| {
            let shape = shapes.get_mut(number).filter(|shape| shape.proxy.is_null());
            match shape {
                Some(shape) => shape.proxy = proxy,
                None => {
                    result = Err(Defect {
                        what: "proxy of shape",
                        index: number,
                    });
                }
            }
        });
        result
    }

    /// Makes the pairs of the contacts known to the broad phase.
    fn restore_pairs(&mut self) -> Result<(), Defect> {
        for (slot, contact) in self.contacts.slots.iter() {
            let is_new = self.broad.restore_pair(contact.shape_a, contact.shape_b);
            ensure(is_new, "pair of contact", slot)?;
        }
        Ok(())
    }

    /// Sets the places of contacts in the lists of their bodies, and of bodies in the lists of their islands.
    fn restore_places(&mut self) -> Result<(), Defect> {
        for (slot, body) in self.bodies.slots.iter() {
            for (place, &contact) in (0..).zip(&body.contacts) {
                let is_own = self.contacts.restore_place(contact, slot, place);
                ensure(is_own, "body of contact", contact)?;
            }
        }
        for (island, record) in (0..).zip(&*self.islands.slots) {
            for (place, &slot) in (0..).zip(&record.bodies) {
                let body = &mut self.bodies.slots[slot];
                (body.island, body.island_place) = (island, place);
            }
        }
        Ok(())
    }

    /// Restores the lists of the constraint graph from the places of contacts and joints.
    fn restore_graph(&mut self) -> Result<(), Defect> {
        let bodies = &self.bodies;
        let contacts = self.contacts.slots.iter().map(|(slot, contact)| {
            let ends = bodies.dynamic_ends(contact.body_a, contact.body_b);
            (ConstraintKind::Contact, slot, contact.graph, ends)
        });
        let joints = self.joints.slots.iter().map(|(slot, joint)| {
            let ends = bodies.dynamic_ends(joint.body_a, joint.body_b);
            (ConstraintKind::Joint, slot, joint.graph, ends)
        });
        let mut places = Vec::new();
        let restored = ConstraintGraph::restore(contacts.chain(joints), |kind, slot, place| {
            places.push((kind, slot, place));
        });
        self.graph = restored.map_err(|index| Defect {
            what: "place in the graph of constraint",
            index,
        })?;
        for (kind, slot, place) in places {
            match kind {
                ConstraintKind::Contact => self.contacts.slots[slot].graph = place,
                ConstraintKind::Joint => self.joints.slots[slot].graph = place,
            }
        }
        Ok(())
    }
}

fn all_used<K: IdKind, T>(
    slots: &Slots<K, T>,
    named: &[u32],
    what: &'static str,
    index: u32,
) -> Result<(), Defect> {
    let all_used = named.iter().all(|&slot| slots.get(slot).is_some());
    ensure(all_used, what, index)
}

fn all_exist(set: &BitSet, exists: impl Fn(u32) -> bool, what: &'static str) -> Result<(), Defect> {
    match set.iter().find(|&member| !exists(member)) {
        Some(index) => Err(Defect { what, index }),
        None => Ok(()),
    }
}
