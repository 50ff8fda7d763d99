//! Joints in the world: creation, removal, and their place in islands and graph.

use crate::body::def::BodyKind;
use crate::body::state::BodyMass;
use crate::body::table::BodyTable;
use crate::body::track_flags;
use crate::error::demand;
use crate::event::JointBreak;
use crate::graph::{ConstraintKind, GraphPlace};
use crate::id::{BodyId, JointId, Slots, kind};
use crate::joint::gear::is_gearable;
use crate::joint::sim::{JointSim, JointTraits};
use crate::joint::table::JointRecord;
use crate::joint::{JointDef, JointDefError, JointReaction};
use crate::world::{World, WorldError};
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::{HashState, StateHasher};

impl HashState for JointRecord {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            def,
            body_a,
            body_b,
            graph,
            active,
        } = self;
        hash.add(def).add(body_a).add(body_b).add(graph);
        hash.add(active);
    }
}

impl World {
    /// Adds a joint between two bodies and wakes them.
    ///
    /// # Panics
    /// If a body is stale or `def` holds nonsense; [`try_create_joint`](Self::try_create_joint)
    /// returns the error instead.
    #[track_caller]
    pub fn create_joint(&mut self, def: impl Into<JointDef>) -> JointId {
        demand(self.try_create_joint(def), "create the joint")
    }

    /// Adds a joint between two bodies and wakes them.
    ///
    /// # Errors
    /// If a body, or a joint that a gear connects, is stale, or `def` holds nonsense: see [`JointDef::validate`]. The
    /// world is then unchanged.
    pub fn try_create_joint(&mut self, def: impl Into<JointDef>) -> Result<JointId, WorldError> {
        let def = def.into();
        let base = def.base();
        let find = |id: BodyId| self.bodies.slots.find(id).ok_or(WorldError::NoSuchBody(id));
        let (body_a, body_b) = (find(base.body_a)?, find(base.body_b)?);
        def.validate()?;
        self.check_gear(&def)?;
        let collide_connected = base.collide_connected;
        let id = self.joints.slots.insert_with(|_| JointRecord {
            def,
            body_a,
            body_b,
            graph: GraphPlace::NONE,
            active: false,
        });
        let slot = id.index();
        self.joints
            .sims
            .resize(self.joints.slots.bound(), JointSim::UNUSED);
        self.joints.sims[slot as usize] = JointSim::new(&def, body_a, body_b);
        self.joints
            .traits
            .resize(self.joints.sims.len(), JointTraits::default());
        self.joints.traits[slot as usize] = JointTraits::default();
        self.joint_loads
            .resize(self.joints.sims.len(), JointReaction::NONE);
        self.note_joint_traits(slot);
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

    /// Removes a joint, and gears that connect it to another, and wakes its bodies.
    ///
    /// Returns whether there was such a joint: a stale or foreign id changes nothing.
    pub fn destroy_joint(&mut self, id: JointId) -> bool {
        let Some(slot) = self.joints.slots.find(id) else {
            return false;
        };
        self.wake_joint(slot);
        self.remove_joint(slot);
        true
    }

    /// Wakes the bodies of the joint in `slot`.
    pub(crate) fn wake_joint(&mut self, slot: u32) {
        let (body_a, body_b) = (
            self.joints.slots[slot].body_a,
            self.joints.slots[slot].body_b,
        );
        self.wake_body(body_a);
        self.wake_body(body_b);
    }

    /// Checks that the joints that a gear connects exist and have a coordinate, and that its bodies are theirs: a joint that is removed
    /// finds its gears in the lists of its bodies.
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
        broken.extend_from_slice(self.solver.broken());
        for broken in &broken {
            // A gear goes with its joint, and may stand in the list as well.
            let Some(record) = self.joints.slots.get(broken.joint) else {
                continue;
            };
            let [body_a, body_b] =
                [record.body_a, record.body_b].map(|body| self.bodies.slots.id_at(body));
            self.events.collecting.breaks.push(JointBreak {
                joint: self.joints.slots.id_at(broken.joint),
                user_data: record.def.base().user_data,
                body_a,
                body_b,
                body_user_data_a: self.bodies.slots[record.body_a].user_data,
                body_user_data_b: self.bodies.slots[record.body_b].user_data,
                reaction: broken.reaction,
            });
            self.remove_joint(broken.joint);
        }
        self.scratch.broken = broken;
    }

    /// Returns the masses of a joint's bodies and where their centres are in them.
    pub(crate) fn masses_at(&self, slot: u32) -> [(BodyMass, Vec2); 2] {
        let record = &self.joints.slots[slot];
        [record.body_a, record.body_b].map(|body| {
            let center = self.bodies.poses[body as usize].local_center;
            (self.bodies.masses[body as usize], center)
        })
    }

    /// Brings what the solver asks of all joints up to date with a joint's settings, and the masses of its bodies.
    pub(crate) fn note_joint_traits(&mut self, slot: u32) {
        let ends = self.masses_at(slot);
        let joint = &mut self.joints.sims[slot as usize];
        joint.base.note_arms(ends);
        let now = joint.traits();
        let before = core::mem::replace(&mut self.joints.traits[slot as usize], now);
        if now.can_break && !before.can_break {
            // Until a step measures it.
            self.joint_loads[slot as usize] = joint.reaction();
        }
    }

    /// Keeps the loads that the solver has measured, for users to read.
    pub(crate) fn note_joint_loads(&mut self) {
        for measured in self.solver.measured_joints() {
            self.joint_loads[measured.joint as usize] = measured.reaction;
        }
    }

    /// Returns the load of a joint in the last step: the one that is compared with its break limits, if it has any.
    pub(crate) fn joint_load(&self, slot: u32) -> JointReaction {
        if self.joints.traits[slot as usize].can_break {
            self.joint_loads[slot as usize]
        } else {
            self.joints.sims[slot as usize].reaction()
        }
    }

    /// Removes the joint in `slot`.
    pub(crate) fn remove_joint(&mut self, slot: u32) {
        self.remove_gears_on(slot);
        self.deactivate_joint(slot);
        let record = self.joints.slots.remove(slot);
        self.joints.sims[slot as usize] = JointSim::UNUSED;
        for body in [record.body_a, record.body_b] {
            self.bodies.slots[body]
                .joints
                .retain(|joint| *joint != slot);
            self.bodies.update_track_flags(body);
        }
        if !record.def.base().collide_connected {
            self.pair_again(record.body_a);
        }
    }

    /// Removes the gears that connect the joint in `slot`: their bodies are its second body.
    fn remove_gears_on(&mut self, slot: u32) {
        let id = self.joints.slots.id_at(slot);
        let connects = |&joint: &u32| match &self.joints.slots[joint].def {
            JointDef::Gear(gear) => gear.joint_a == id || gear.joint_b == id,
            _ => false,
        };
        let record = &self.joints.slots[slot];
        let of_body = |body: u32| self.bodies.slots[body].joints.iter().copied();
        let mut gears: Vec<u32> = of_body(record.body_a)
            .chain(of_body(record.body_b))
            .filter(connects)
            .collect();
        gears.sort_unstable();
        gears.dedup();
        for gear in gears {
            self.remove_joint(gear);
        }
    }

    /// Has the broad phase look again for what the body in `slot` overlaps.
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

    /// Takes a joint into islands and graph if both bodies are enabled and one is dynamic.
    pub(crate) fn activate_joint(&mut self, slot: u32) {
        let record = &self.joints.slots[slot];
        let (a, b) = (record.body_a, record.body_b);
        let disabled = [a, b].iter().any(|&body| self.bodies.slots[body].disabled);
        let ends = self.bodies.dynamic_ends(a, b);
        let constrains = !matches!(record.def, JointDef::Filter(_));
        if record.active || disabled || ends == [None, None] || !constrains {
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

    /// Takes a joint out of islands and graph.
    pub(crate) fn deactivate_joint(&mut self, slot: u32) {
        if !self.joints.slots[slot].active {
            return;
        }
        self.remove_joint_constraint(slot);
        self.joints.slots[slot].active = false;
        let (a, b) = (
            self.joints.slots[slot].body_a,
            self.joints.slots[slot].body_b,
        );
        self.note_removed_link(a, b);
    }

    /// Puts an active joint into the constraint graph, if its dynamic bodies are awake.
    pub(crate) fn add_joint_constraint(&mut self, slot: u32) {
        let record = &self.joints.slots[slot];
        let (a, b) = (record.body_a, record.body_b);
        let ends = self.bodies.dynamic_ends(a, b);
        let resting = !record.active || !self.bodies.are_ends_awake(a, b);
        if resting || record.graph != GraphPlace::NONE {
            return;
        }
        for body in ends.into_iter().flatten() {
            self.bodies.tracks[body as usize].constraints += 1;
            self.note_change_of_links(body);
        }
        self.joints.slots[slot].graph = if self.joints.sims[slot as usize].needs_overflow() {
            self.graph
                .add_to_overflow(ConstraintKind::Joint, slot, ends)
        } else {
            self.graph.add(ConstraintKind::Joint, slot, ends)
        };
    }

    /// Takes a joint out of the constraint graph, if it is in it.
    pub(crate) fn remove_joint_constraint(&mut self, slot: u32) {
        let record = &mut self.joints.slots[slot];
        let place = core::mem::replace(&mut record.graph, GraphPlace::NONE);
        if place == GraphPlace::NONE {
            return;
        }
        let ends = self.bodies.dynamic_ends(record.body_a, record.body_b);
        for body in ends.into_iter().flatten() {
            self.bodies.tracks[body as usize].constraints -= 1;
            self.note_change_of_links(body);
        }
        if let Some(moved) = self.graph.remove(ConstraintKind::Joint, place, ends) {
            self.joints.slots[moved].graph = place;
        }
    }

    /// Returns the body linked to that in `slot` by its joint at `place`, if both are dynamic.
    pub(crate) fn joint_neighbor(&self, slot: u32, place: usize) -> Option<u32> {
        let record = &self.joints.slots[self.bodies.slots[slot].joints[place]];
        let other = if record.body_a == slot {
            record.body_b
        } else {
            record.body_a
        };
        (record.active && self.bodies.is_dynamic(other)).then_some(other)
    }

    pub(crate) fn validate_joint(&self, slot: u32) {
        let record = &self.joints.slots[slot];
        for body in [record.body_a, record.body_b] {
            let listed = self.bodies.slots[body].joints.contains(&slot);
            assert!(listed, "joint {slot}: not in the list of body {body}");
        }
        let ends = self.bodies.dynamic_ends(record.body_a, record.body_b);
        let solvable = self.bodies.are_ends_awake(record.body_a, record.body_b);
        let in_graph = record.graph != GraphPlace::NONE;
        assert_eq!(
            in_graph,
            record.active && solvable,
            "joint {slot}: in the graph"
        );
        if let ([Some(a), Some(b)], true) = (ends, record.active) {
            let [a, b] = [a, b].map(|body| self.bodies.slots[body].island);
            assert_eq!(a, b, "joint {slot}: bodies in different islands");
        }
    }

    /// Number of joints.
    #[must_use]
    pub fn joint_count(&self) -> usize {
        self.joints.slots.len()
    }
}

/// Says whether no joint keeps two bodies from colliding.
pub(crate) fn may_collide(
    bodies: &BodyTable,
    joints: &Slots<kind::Joint, JointRecord>,
    a: u32,
    b: u32,
) -> bool {
    let jointed = |body: u32| bodies.tracks[body as usize].flags & track_flags::JOINTED != 0;
    if !jointed(a) || !jointed(b) {
        return true;
    }
    let (few, other) = if bodies.slots[a].joints.len() <= bodies.slots[b].joints.len() {
        (a, b)
    } else {
        (b, a)
    };
    bodies.slots[few].joints.iter().all(|&joint| {
        let record = &joints[joint];
        let between = record.body_a == other || record.body_b == other;
        !between || record.def.base().collide_connected
    })
}
