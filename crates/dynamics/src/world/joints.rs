//! Joints in the world: creation, removal, activation in islands and the constraint graph.

use crate::body::def::BodyKind;
use crate::error::demand;
use crate::event::JointBreak;
use crate::graph::{ConstraintKind, GraphPlace, OVERFLOW};
use crate::id::{BodyId, JointId};
use crate::joint::gear::is_gearable;
use crate::joint::sim::JointKind;
use crate::joint::{JointDef, JointDefError};
use crate::world::record::call::WorldCall;
use crate::world::{World, WorldError};

/// # Creating and destroying joints
impl World {
    /// Adds a joint between two bodies and wakes them.
    ///
    /// # Panics
    /// If a body is stale or `def` is invalid; [`try_create_joint`](Self::try_create_joint)
    /// returns the error instead.
    #[doc(alias("b2CreateRevoluteJoint", "b2CreateDistanceJoint"))]
    #[doc(alias("ImpulseJointSet", "CreateJoint", "add_joint"))]
    #[track_caller]
    pub fn create_joint(&mut self, def: impl Into<JointDef>) -> JointId {
        demand(self.try_create_joint(def), "create the joint")
    }

    /// Adds a joint between two bodies and wakes them.
    ///
    /// # Errors
    /// If a body, or a joint that a gear connects, is stale, or `def` is invalid: see [`JointDef::validate`].
    /// The world is then unchanged.
    pub fn try_create_joint(&mut self, def: impl Into<JointDef>) -> Result<JointId, WorldError> {
        let def = def.into();
        let base = def.base();
        let find = |id: BodyId| self.bodies.slots.find(id).ok_or(WorldError::NoSuchBody(id));
        let (body_a, body_b) = (find(base.body_a)?, find(base.body_b)?);
        def.validate()?;
        self.check_gear(&def)?;
        self.record_own(|| WorldCall::CreateJoint { def: Box::new(def) });
        let collide_connected = base.collide_connected;
        let id = self.joints.insert(def, [body_a, body_b]);
        let slot = id.index();
        self.joints.update_traits(slot, &self.bodies);
        self.bodies.slots[body_a].joints.push(slot);
        self.bodies.slots[body_b].joints.push(slot);
        self.bodies.update_track_flags(body_a);
        self.bodies.update_track_flags(body_b);
        if !collide_connected {
            self.remove_contacts_between(body_a, body_b);
        }
        self.activate_joint(slot);
        self.wake_body(body_a);
        self.wake_body(body_b);
        self.depenetration
            .note_joint(slot, &self.bodies, &mut self.joints);
        Ok(id)
    }

    /// Removes a joint and the gears on it, and wakes its bodies.
    ///
    /// Returns `true` if the joint existed; a stale or foreign id changes nothing.
    #[doc(alias("b2DestroyJoint", "DestroyJoint", "remove_joint"))]
    pub fn destroy_joint(&mut self, id: JointId) -> bool {
        let Some(slot) = self.joints.slots.find(id) else {
            return false;
        };
        self.record_own(|| WorldCall::DestroyJoint { joint: id });
        self.wake_joint(slot);
        self.take_joint(slot);
        true
    }

    /// Wakes the bodies of the joint in `slot`.
    pub(crate) fn wake_joint(&mut self, slot: u32) {
        let [body_a, body_b] = self.joints.slots[slot].bodies();
        self.wake_body(body_a);
        self.wake_body(body_b);
    }

    /// Checks that the joints of a gear exist and have a coordinate, and that the gear's bodies belong to
    /// them: the removal of a joint finds its gears in the lists of its bodies.
    pub(crate) fn check_gear(&self, def: &JointDef) -> Result<(), WorldError> {
        let JointDef::Gear(gear) = def else {
            return Ok(());
        };
        let find = |id: JointId| {
            self.joints
                .slots
                .find(id)
                .ok_or(WorldError::NoSuchJoint(id))
        };
        let joints = [find(gear.joint_a)?, find(gear.joint_b)?];
        for (field, slot) in ["joint_a", "joint_b"].into_iter().zip(joints) {
            if !is_gearable(&self.joints.sims[slot as usize]) {
                return Err(JointDefError::NotGearable { field }.into());
            }
        }
        let bodies = [("body_a", gear.base.body_a), ("body_b", gear.base.body_b)];
        for ((field, body), slot) in bodies.into_iter().zip(joints) {
            let base = self.joints.slots[slot].def.base();
            if body != base.body_a && body != base.body_b {
                return Err(JointDefError::NotOnGearedJoint { field }.into());
            }
        }
        Ok(())
    }

    /// Removes the joints that broke in the step, and reports them.
    pub(crate) fn remove_broken_joints(&mut self) {
        let mut broken = core::mem::take(&mut self.scratch.broken);
        broken.clear();
        broken.extend_from_slice(self.scratch.solver.broken());
        for broken in &broken {
            // A gear is removed with its joint, and may be in the list as well.
            let Some(record) = self.joints.slots.get(broken.joint) else {
                continue;
            };
            let [body_a, body_b] = record.bodies().map(|body| self.bodies.slots.id_at(body));
            self.events.collecting.breaks.push(JointBreak {
                joint: self.joints.slots.id_at(broken.joint),
                user_data: record.def.base().user_data,
                body_a,
                body_b,
                body_user_data_a: self.bodies.slots[record.body_a].user_data,
                body_user_data_b: self.bodies.slots[record.body_b].user_data,
                reaction: broken.reaction,
            });
            self.take_joint(broken.joint);
        }
        self.scratch.broken = broken;
    }

    /// Stores the loads that the solver measured, for users to read.
    pub(crate) fn note_joint_loads(&mut self) {
        for measured in self.scratch.solver.measured_joints() {
            self.joints.loads[measured.joint as usize] = measured.reaction;
        }
    }

    /// Removes the joint in `slot`.
    pub(crate) fn take_joint(&mut self, slot: u32) {
        self.remove_gears_on(slot);
        self.deactivate_joint(slot);
        let record = self.joints.remove(slot);
        for body in record.bodies() {
            self.bodies.slots[body]
                .joints
                .retain(|joint| *joint != slot);
            self.bodies.update_track_flags(body);
        }
        if !record.def.base().collide_connected {
            self.pair_again(record.body_a);
        }
    }

    /// Returns the gears of `body` that connect the joint in `slot`.
    fn gears_on(&self, slot: u32, body: u32) -> impl Iterator<Item = u32> {
        let id = self.joints.slots.id_at(slot);
        let connects = move |&joint: &u32| match &self.joints.slots[joint].def {
            JointDef::Gear(gear) => gear.joint_a == id || gear.joint_b == id,
            _ => false,
        };
        let joints = self.bodies.slots[body].joints.iter().copied();
        joints.filter(connects)
    }

    /// Returns the gears that act on the body in `slot` through its joints with other bodies. They are in the
    /// lists of the other bodies, and not all are in its own.
    pub(crate) fn gears_through(&self, slot: u32) -> Vec<u32> {
        let mut gears = Vec::new();
        for &joint in &self.bodies.slots[slot].joints {
            if is_gearable(&self.joints.sims[joint as usize]) {
                let other = self.joints.slots[joint].other_body(slot);
                gears.extend(self.gears_on(joint, other));
            }
        }
        gears
    }

    /// Removes the gears that connect the joint in `slot`; each shares a body with it.
    fn remove_gears_on(&mut self, slot: u32) {
        let [body_a, body_b] = self.joints.slots[slot].bodies();
        let of_a = self.gears_on(slot, body_a);
        let mut gears: Vec<u32> = of_a.chain(self.gears_on(slot, body_b)).collect();
        gears.sort_unstable();
        gears.dedup();
        for gear in gears {
            self.wake_joint(gear);
            self.take_joint(gear);
        }
    }

    /// Makes the broad phase search the pairs of the body in `slot` again.
    pub(crate) fn pair_again(&mut self, body: u32) {
        for &shape in &self.bodies.slots[body].shapes {
            let proxy = self.shapes.slots[shape].proxy;
            if proxy != cairn2d_broadphase::ProxyId::NULL {
                self.broad.touch_proxy(proxy);
            }
        }
    }

    pub(crate) fn remove_contacts_between(&mut self, a: u32, b: u32) {
        let between = |&contact: &u32| {
            let contact = &self.contacts.slots[contact];
            contact.body_a == b || contact.body_b == b
        };
        let contacts: Vec<u32> = self.bodies.slots[a]
            .contacts
            .iter()
            .copied()
            .filter(between)
            .collect();
        for contact in contacts {
            self.remove_contact(contact);
        }
    }

    /// Returns `true` if the joint in `slot` and all bodies on which it acts are enabled: its own two, or the four
    /// of the joints of a gear, which include its own.
    pub(super) fn is_enabled_with_bodies(&self, slot: u32) -> bool {
        if !self.joints.sims[slot as usize].base.is_enabled() {
            return false;
        }
        let is_enabled = |body: u32| !self.bodies.slots[body].disabled;
        let joints = match &self.joints.sims[slot as usize].kind {
            JointKind::Gear(gear) => [gear.joint_a, gear.joint_b],
            _ => [slot; 2],
        };
        let bodies = joints.map(|joint| self.joints.slots[joint].bodies());
        bodies.into_iter().flatten().all(is_enabled)
    }

    /// Adds a joint to islands and graph if all of its bodies are enabled and one of its own two is dynamic.
    pub(crate) fn activate_joint(&mut self, slot: u32) {
        let record = &self.joints.slots[slot];
        let [a, b] = record.bodies();
        let ends = self.bodies.dynamic_ends(a, b);
        let constrains = !matches!(record.def, JointDef::Filter(_));
        let can_act = self.is_enabled_with_bodies(slot) && ends != [None, None] && constrains;
        if record.active || !can_act {
            return;
        }
        self.joints.slots[slot].active = true;
        let [static_a, static_b] =
            [a, b].map(|body| self.bodies.slots[body].kind == BodyKind::Static);
        let base = &mut self.joints.sims[slot as usize].base;
        base.set_static(static_a, static_b);
        if let [Some(a), Some(b)] = ends {
            self.merge_islands(a, b);
        }
        self.add_joint_constraint(slot);
    }

    /// Removes a joint from islands and graph.
    pub(crate) fn deactivate_joint(&mut self, slot: u32) {
        if !self.joints.slots[slot].active {
            return;
        }
        self.remove_joint_constraint(slot);
        self.joints.slots[slot].active = false;
        let [a, b] = self.joints.slots[slot].bodies();
        self.note_removed_link(a, b);
    }

    /// Activates or deactivates the joint in `slot` after a change of its definition: a gear may have other
    /// joints than before.
    pub(crate) fn update_joint_activity(&mut self, slot: u32) {
        if !self.is_enabled_with_bodies(slot) {
            self.deactivate_joint(slot);
        }
        self.activate_joint(slot);
    }

    /// Adds an active joint to the constraint graph if its dynamic bodies are awake.
    pub(crate) fn add_joint_constraint(&mut self, slot: u32) {
        let record = &self.joints.slots[slot];
        let [a, b] = record.bodies();
        let ends = self.bodies.dynamic_ends(a, b);
        let resting = !record.active || !self.bodies.are_ends_awake(a, b);
        if resting || record.graph != GraphPlace::NONE {
            return;
        }
        for body in ends.into_iter().flatten() {
            self.bodies.tracks[body as usize].constraints += 1;
            self.islands
                .note_link_change(self.bodies.tracks[body as usize].island);
        }
        let needs_overflow = self.joints.sims[slot as usize].needs_overflow();
        let suitable = self.graph.pick_color(ends);
        let color = if needs_overflow { OVERFLOW } else { suitable };
        self.joints.slots[slot].graph = self.graph.add(color, ConstraintKind::Joint, slot, ends);
    }

    /// Removes a joint from the constraint graph if it is there.
    pub(crate) fn remove_joint_constraint(&mut self, slot: u32) {
        let record = &mut self.joints.slots[slot];
        let place = core::mem::replace(&mut record.graph, GraphPlace::NONE);
        if place == GraphPlace::NONE {
            return;
        }
        let ends = self.bodies.dynamic_ends(record.body_a, record.body_b);
        for body in ends.into_iter().flatten() {
            self.bodies.tracks[body as usize].constraints -= 1;
            self.islands
                .note_link_change(self.bodies.tracks[body as usize].island);
        }
        if let Some(moved) = self.graph.remove(ConstraintKind::Joint, place, ends) {
            self.joints.slots[moved].graph = place;
        }
    }

    /// Returns the body that the joint at index `place` of the body in `slot` links to it, if both are
    /// dynamic.
    pub(crate) fn joint_neighbor(&self, slot: u32, place: usize) -> Option<u32> {
        let record = &self.joints.slots[self.bodies.slots[slot].joints[place]];
        let other = record.other_body(slot);
        (record.active && self.bodies.is_dynamic(other)).then_some(other)
    }

    /// Number of joints.
    #[must_use]
    pub fn joint_count(&self) -> usize {
        self.joints.slots.len()
    }
}
