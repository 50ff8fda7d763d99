//! Joints in the world: creation, removal, and their place in islands and graph.

use crate::body::def::BodyKind;
use crate::body::table::BodyTable;
use crate::graph::{ConstraintKind, GraphPlace};
use crate::id::{BodyId, JointId, Slots, kind};
use crate::joint::base::joint_flags;
use crate::joint::sim::JointSim;
use crate::joint::{JointDef, JointReaction};
use crate::world::{World, WorldError};
use cairn2d_geometry::math::{Point, WorldPoint};

/// What is rarely needed of a joint.
#[derive(Clone, Debug)]
pub(crate) struct JointRecord {
    pub(crate) def: JointDef,
    pub(crate) body_a: u32,
    pub(crate) body_b: u32,
    /// Place in the constraint graph, while awake.
    pub(crate) graph: GraphPlace,
    /// Both bodies are enabled and at least one is dynamic.
    pub(crate) active: bool,
}

impl World {
    /// Adds a joint between two bodies and wakes them.
    ///
    /// # Panics
    /// If a body is stale or `def` holds nonsense; [`try_create_joint`](Self::try_create_joint)
    /// returns the error instead.
    #[track_caller]
    pub fn create_joint(&mut self, def: impl Into<JointDef>) -> JointId {
        self.try_create_joint(def)
            .unwrap_or_else(|error| panic!("cannot create the joint: {error}"))
    }

    /// Adds a joint between two bodies and wakes them.
    ///
    /// # Errors
    /// If a body is stale or `def` holds nonsense. The world is then unchanged.
    pub fn try_create_joint(&mut self, def: impl Into<JointDef>) -> Result<JointId, WorldError> {
        let def = def.into();
        let base = def.base();
        let find = |id: BodyId| self.bodies.slots.find(id).ok_or(WorldError::NoSuchBody(id));
        let (body_a, body_b) = (find(base.body_a)?, find(base.body_b)?);
        def.validate()?;
        let collide_connected = base.collide_connected;
        let id = self.joints.insert_with(|_| JointRecord {
            def,
            body_a,
            body_b,
            graph: GraphPlace::NONE,
            active: false,
        });
        let slot = id.index();
        self.joint_sims
            .resize(self.joints.bound(), JointSim::UNUSED);
        self.joint_sims[slot as usize] = JointSim::new(&def, body_a, body_b);
        self.bodies.slots[body_a].joints.push(slot);
        self.bodies.slots[body_b].joints.push(slot);
        if !collide_connected {
            self.remove_contacts_between(body_a, body_b);
        }
        self.activate_joint(slot);
        self.wake_body(body_a);
        self.wake_body(body_b);
        Ok(id)
    }

    /// Removes a joint and wakes its bodies.
    ///
    /// Returns whether there was such a joint: a stale or foreign id changes nothing.
    pub fn destroy_joint(&mut self, id: JointId) -> bool {
        let Some(slot) = self.joints.find(id) else {
            return false;
        };
        let (body_a, body_b) = (self.joints[slot].body_a, self.joints[slot].body_b);
        self.wake_body(body_a);
        self.wake_body(body_b);
        self.remove_joint(slot);
        true
    }

    /// Removes the joint in `slot`.
    pub(crate) fn remove_joint(&mut self, slot: u32) {
        self.deactivate_joint(slot);
        let record = self.joints.remove(slot);
        self.joint_sims[slot as usize] = JointSim::UNUSED;
        for body in [record.body_a, record.body_b] {
            self.bodies.slots[body]
                .joints
                .retain(|&joint| joint != slot);
        }
        if !record.def.base().collide_connected {
            self.pair_again(record.body_a);
        }
    }

    /// Has the broad phase look again for what the body in `slot` overlaps.
    fn pair_again(&mut self, body: u32) {
        for &shape in &self.bodies.slots[body].shapes {
            let proxy = self.shapes[shape].proxy;
            if proxy != cairn2d_broadphase::ProxyId::NULL {
                self.broad.mark(proxy);
            }
        }
    }

    fn remove_contacts_between(&mut self, a: u32, b: u32) {
        let between = |&contact: &u32| {
            let contact = &self.contacts[contact];
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
        let record = &self.joints[slot];
        let (a, b) = (record.body_a, record.body_b);
        let disabled = [a, b].iter().any(|&body| self.bodies.slots[body].disabled);
        let ends = self.bodies.dynamic_ends(a, b);
        if record.active || disabled || ends == [None, None] {
            return;
        }
        self.joints[slot].active = true;
        let flag = |body: u32, flag: u32| {
            if self.bodies.slots[body].kind == BodyKind::Static {
                flag
            } else {
                0
            }
        };
        self.joint_sims[slot as usize].base.flags =
            flag(a, joint_flags::STATIC_A) | flag(b, joint_flags::STATIC_B);
        if let [Some(a), Some(b)] = ends {
            self.merge_islands(a, b);
        }
        self.add_joint_constraint(slot);
    }

    /// Takes a joint out of islands and graph.
    pub(crate) fn deactivate_joint(&mut self, slot: u32) {
        if !self.joints[slot].active {
            return;
        }
        self.remove_joint_constraint(slot);
        self.joints[slot].active = false;
        let (a, b) = (self.joints[slot].body_a, self.joints[slot].body_b);
        self.wound_island(a, b);
    }

    /// Puts an active joint into the constraint graph, if its dynamic bodies are awake.
    pub(crate) fn add_joint_constraint(&mut self, slot: u32) {
        let record = &self.joints[slot];
        let (a, b) = (record.body_a, record.body_b);
        let ends = self.bodies.dynamic_ends(a, b);
        let resting = !record.active || !self.bodies.are_ends_awake(a, b);
        if resting || record.graph != GraphPlace::NONE {
            return;
        }
        for body in ends.into_iter().flatten() {
            self.bodies.slots[body].constraints += 1;
        }
        self.joints[slot].graph = self.graph.add(ConstraintKind::Joint, slot, ends);
    }

    /// Takes a joint out of the constraint graph, if it is in it.
    pub(crate) fn remove_joint_constraint(&mut self, slot: u32) {
        let record = &mut self.joints[slot];
        let place = core::mem::replace(&mut record.graph, GraphPlace::NONE);
        if place == GraphPlace::NONE {
            return;
        }
        let ends = self.bodies.dynamic_ends(record.body_a, record.body_b);
        for body in ends.into_iter().flatten() {
            self.bodies.slots[body].constraints -= 1;
        }
        if let Some(moved) = self.graph.remove(ConstraintKind::Joint, place, ends) {
            self.joints[moved].graph = place;
        }
    }

    /// Returns the body linked to that in `slot` by its joint at `place`, if both are dynamic.
    pub(crate) fn joint_neighbour(&self, slot: u32, place: usize) -> Option<u32> {
        let record = &self.joints[self.bodies.slots[slot].joints[place]];
        let other = if record.body_a == slot {
            record.body_b
        } else {
            record.body_a
        };
        (record.active && self.bodies.is_dynamic(other)).then_some(other)
    }

    pub(crate) fn validate_joint(&self, slot: u32) {
        let record = &self.joints[slot];
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

    /// Returns a view of a joint.
    ///
    /// # Panics
    /// If `id` is stale or foreign; [`get_joint`](Self::get_joint) returns `None` instead.
    #[must_use]
    #[track_caller]
    pub fn joint(&self, id: JointId) -> JointRef<'_> {
        let slot = self.joints.expect(id);
        JointRef { world: self, slot }
    }

    /// Returns a view of a joint, or `None` if `id` is stale or foreign.
    #[must_use]
    pub fn get_joint(&self, id: JointId) -> Option<JointRef<'_>> {
        let slot = self.joints.find(id)?;
        Some(JointRef { world: self, slot })
    }

    /// Iterates over the joints in order of slot.
    pub fn joints(&self) -> impl Iterator<Item = JointRef<'_>> {
        self.joints
            .iter()
            .map(|(slot, _)| JointRef { world: self, slot })
    }

    /// Number of joints.
    #[must_use]
    pub fn joint_count(&self) -> usize {
        self.joints.len()
    }
}

/// Says whether no joint keeps two bodies from colliding.
pub(crate) fn may_collide(
    bodies: &BodyTable,
    joints: &Slots<kind::Joint, JointRecord>,
    a: u32,
    b: u32,
) -> bool {
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

/// Reads one joint.
#[derive(Clone, Copy, Debug)]
pub struct JointRef<'a> {
    world: &'a World,
    slot: u32,
}

impl<'a> JointRef<'a> {
    /// Names the joint.
    #[must_use]
    pub fn id(&self) -> JointId {
        self.world.joints.id_at(self.slot)
    }

    /// What the joint was made from.
    #[must_use]
    pub fn def(&self) -> &'a JointDef {
        &self.world.joints[self.slot].def
    }

    /// The two bodies.
    #[must_use]
    pub fn bodies(&self) -> [BodyId; 2] {
        let record = &self.world.joints[self.slot];
        [record.body_a, record.body_b].map(|slot| self.world.bodies.slots.id_at(slot))
    }

    /// The two anchors in the world [m]; a rigid joint holds them together.
    #[must_use]
    pub fn anchors(&self) -> [WorldPoint; 2] {
        let record = &self.world.joints[self.slot];
        let base = record.def.base();
        let place =
            |body: u32, anchor: Point| self.world.bodies.poses[body as usize].to_world(anchor);
        [
            place(record.body_a, base.frame_a.anchor),
            place(record.body_b, base.frame_b.anchor),
        ]
    }

    /// Force and torque on the second body in the last step.
    #[must_use]
    pub fn reaction(&self) -> JointReaction {
        self.world.joint_sims[self.slot as usize].reaction(self.world.last_inv_h)
    }
}
