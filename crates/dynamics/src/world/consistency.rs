//! Checks the invariants of the world: redundant records agree, and numbers are in range. Tests check them after
//! steps, and the loader of saves before it returns a world.

use crate::bitset::BitSet;
use crate::body::def::BodyKind;
use crate::body::state::state_flags;
use crate::contact::constraint::constraint_flags;
use crate::contact::force_events::force_threshold;
use crate::contact::recycle::contact_flags;
use crate::graph::{COLORS, GraphPlace};
use crate::id::NO_SLOT;
use crate::island::set::NO_ISLAND;
use crate::joint::base::joint_flags;
use crate::world::World;
use cairn2d_broadphase::ProxyId;
use cairn2d_geometry::LoadReason;

/// A broken invariant: which, and of the body, shape, contact, joint or island in which slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Defect {
    pub(crate) what: &'static str,
    pub(crate) index: u32,
}

impl Defect {
    /// Returns the reason for which a save with the defect is refused.
    pub(crate) fn reason(self) -> LoadReason {
        let Self { what, index } = self;
        LoadReason::Inconsistent { what, index }
    }
}

/// Returns the defect `what` of `index` if an invariant does not hold.
#[inline]
pub(crate) fn ensure(holds: bool, what: &'static str, index: u32) -> Result<(), Defect> {
    if holds {
        Ok(())
    } else {
        Err(Defect { what, index })
    }
}

/// # Checks
impl World {
    /// Checks the invariants of the world: for tests and bug reports. It takes longer than a step.
    ///
    /// # Panics
    /// If an invariant of the engine is broken: that is a defect of the engine, not of the caller.
    pub fn assert_consistent(&self) {
        self.broad.assert_consistent();
        self.bodies.slots.assert_consistent();
        self.shapes.slots.assert_consistent();
        self.contacts.slots.assert_consistent();
        self.joints.slots.assert_consistent();
        if let Err(Defect { what, index }) = self.check() {
            panic!("broken invariant: {what} of {index}");
        }
    }

    /// Checks the invariants. All slots that records name must be in use: see `World::check_slots`.
    pub(crate) fn check(&self) -> Result<(), Defect> {
        for (slot, _) in self.bodies.slots.iter() {
            self.check_body(slot)?;
        }
        for (slot, _) in self.shapes.slots.iter() {
            self.check_shape(slot)?;
        }
        for (slot, _) in self.contacts.slots.iter() {
            self.check_contact(slot)?;
        }
        for (slot, _) in self.joints.slots.iter() {
            self.check_joint(slot)?;
        }
        self.check_lists()?;
        self.check_islands()?;
        self.check_graph()
    }

    fn check_body(&self, slot: u32) -> Result<(), Defect> {
        let body = &self.bodies.slots[slot];
        let index = slot as usize;
        let (pose, state) = (&self.bodies.poses[index], &self.bodies.states[index]);
        ensure(pose.center.is_finite(), "center of body", slot)?;
        let is_unit = (pose.rotation.norm() - 1.0).abs() < 1.0e-5;
        ensure(is_unit, "rotation of body", slot)?;
        ensure(state.has_finite_velocity(), "velocity of body", slot)?;
        let is_dynamic = body.kind == BodyKind::Dynamic;
        let mass = &self.bodies.masses[index];
        let has_mass = [mass.inv_mass, mass.inv_inertia].map(|inv| inv.is_finite() && inv >= 0.0);
        ensure(has_mass == [true; 2], "mass of body", slot)?;
        let is_movable = mass.inv_mass > 0.0 || mass.inv_inertia > 0.0;
        ensure(is_dynamic || !is_movable, "mass of body", slot)?;
        let is_massless = is_dynamic && mass.inv_mass == 0.0;
        let noted = self.bodies.massless.contains(slot);
        ensure(noted == is_massless, "lack of mass of body", slot)?;
        let flags = [
            self.bodies.is_dynamic(slot),
            state.flags & state_flags::DYNAMIC != 0,
        ];
        ensure(flags == [is_dynamic; 2], "kind of body", slot)?;
        self.check_membership(slot)?;
        self.check_links(slot)
    }

    /// Checks the island of the body in `slot`, and its place there.
    fn check_membership(&self, slot: u32) -> Result<(), Defect> {
        let (body, index) = (&self.bodies.slots[slot], slot as usize);
        let awake = self.bodies.awake.contains(slot);
        ensure(!(awake && body.disabled), "sleep of disabled body", slot)?;
        let is_static = body.kind == BodyKind::Static;
        ensure(!(awake && is_static), "sleep of static body", slot)?;
        let in_island = body.kind == BodyKind::Dynamic && !body.disabled;
        ensure(
            (body.island != NO_ISLAND) == in_island,
            "island of body",
            slot,
        )?;
        let copy = self.bodies.tracks[index].island;
        ensure(body.island == copy, "copy of the island of body", slot)?;
        if in_island {
            let island = self.islands.slots.get(body.island as usize);
            let listed = island.and_then(|island| island.bodies.get(body.island_place as usize));
            ensure(listed == Some(&slot), "place in the island of body", slot)?;
            let asleep = island.is_some_and(|island| island.asleep);
            ensure(asleep != awake, "sleep of the island of body", slot)?;
        }
        Ok(())
    }

    /// Checks the counts of contacts and joints of the body in `slot`.
    fn check_links(&self, slot: u32) -> Result<(), Defect> {
        let (body, index) = (&self.bodies.slots[slot], slot as usize);
        let is_static_touch = |&&contact: &&u32| {
            let contact = &self.contacts.slots[contact];
            let other = match contact.body_a == slot {
                true => contact.body_b,
                false => contact.body_a,
            };
            contact.pushes() && !self.bodies.is_dynamic(other)
        };
        let static_touches = body.contacts.iter().filter(is_static_touch).count();
        let counted = body.static_touches as usize;
        ensure(counted == static_touches, "static touches of body", slot)?;
        let in_graph = self.links_in_graph(slot);
        let counted = self.bodies.tracks[index].constraints;
        ensure(counted == in_graph, "number of constraints of body", slot)
    }

    /// Returns the number of contacts and joints of a dynamic body in the graph; 0 for other kinds.
    fn links_in_graph(&self, slot: u32) -> u32 {
        let body = &self.bodies.slots[slot];
        if body.kind != BodyKind::Dynamic {
            return 0;
        }
        let contact = |&&contact: &&u32| self.contacts.slots[contact].graph != GraphPlace::NONE;
        let joint = |&&joint: &&u32| self.joints.slots[joint].graph != GraphPlace::NONE;
        (body.contacts.iter().filter(contact).count() + body.joints.iter().filter(joint).count())
            as u32
    }

    fn check_shape(&self, slot: u32) -> Result<(), Defect> {
        let shape = &self.shapes.slots[slot];
        let body = &self.bodies.slots[shape.body];
        ensure(
            body.shapes.contains(&slot),
            "list of the body of shape",
            slot,
        )?;
        let has_proxy = shape.proxy != ProxyId::NULL;
        let is_simulated = !body.disabled && shape.is_enabled();
        ensure(has_proxy == is_simulated, "proxy of shape", slot)?;
        if has_proxy {
            let is_own = self.broad.data(shape.proxy) == slot;
            ensure(is_own, "number of the proxy of shape", slot)?;
            let is_fat = self.broad.aabb(shape.proxy) == shape.fat_box;
            ensure(is_fat, "box of the proxy of shape", slot)?;
        }
        Ok(())
    }

    fn check_contact(&self, slot: u32) -> Result<(), Defect> {
        let contact = &self.contacts.slots[slot];
        let key = &self.contacts.keys[slot as usize];
        let budget = &self.contacts.budgets[slot as usize];
        let constraint = &self.contacts.constraints[slot as usize];
        let shapes = [contact.shape_a, contact.shape_b];
        let bodies = [contact.body_a, contact.body_b];
        ensure(
            [key.shape_a, key.shape_b] == shapes,
            "shapes of contact",
            slot,
        )?;
        ensure(
            [budget.body_a, budget.body_b] == bodies,
            "bodies of contact",
            slot,
        )?;
        ensure(
            [constraint.body_a, constraint.body_b] == bodies,
            "bodies of contact",
            slot,
        )?;
        ensure(bodies[0] != bodies[1], "bodies of contact", slot)?;
        for (body, place) in bodies.into_iter().zip(contact.places) {
            let listed = self.bodies.slots[body].contacts.get(place as usize);
            ensure(listed == Some(&slot), "place in a body of contact", slot)?;
        }
        let touching = key.flags & contact_flags::TOUCHING != 0;
        ensure(touching == contact.touching, "touch of contact", slot)?;
        let sensor = key.flags & contact_flags::SENSOR != 0;
        ensure(sensor == contact.sensor, "sensor of contact", slot)?;
        let is_static = |body: u32| self.bodies.slots[body].kind == BodyKind::Static;
        let flags = [constraint_flags::STATIC_A, constraint_flags::STATIC_B];
        let flags = flags.map(|flag| constraint.flags & flag != 0);
        ensure(
            flags == bodies.map(is_static),
            "static bodies of contact",
            slot,
        )?;
        let is_watchable = force_threshold(slot, &self.shapes, &self.contacts).is_finite();
        let watched = self.force_events.watched.contains(slot);
        ensure(
            watched == (is_watchable && !contact.sensor),
            "watch of contact",
            slot,
        )?;
        let is_known = self.broad.is_known(contact.shape_a, contact.shape_b);
        ensure(is_known, "pair of contact", slot)?;
        self.check_contact_links(slot)
    }

    /// Checks whether a contact is awake, in the graph, and links islands.
    fn check_contact_links(&self, slot: u32) -> Result<(), Defect> {
        let contact = &self.contacts.slots[slot];
        let bodies = [contact.body_a, contact.body_b];
        let any_awake = bodies.iter().any(|&body| self.bodies.awake.contains(body));
        let awake = self.contacts.awake.contains(slot);
        // Contacts of changed bodies may be tested asleep.
        let may_be_tested = bodies
            .iter()
            .any(|&body| self.bodies.changed.contains(body));
        ensure(
            awake == any_awake || awake && may_be_tested,
            "sleep of contact",
            slot,
        )?;
        let solvable = self.bodies.are_ends_awake(contact.body_a, contact.body_b);
        let in_graph = contact.graph != GraphPlace::NONE;
        ensure(
            in_graph == (contact.pushes() && solvable),
            "graph of contact",
            slot,
        )?;
        let points = self.contacts.constraints[slot as usize].count;
        ensure(contact.pushes() == (points > 0), "points of contact", slot)?;
        let ends = self.bodies.dynamic_ends(contact.body_a, contact.body_b);
        let both_dynamic = ends.iter().all(Option::is_some);
        let links = contact.pushes() && both_dynamic;
        ensure(contact.linked == links, "link of contact", slot)?;
        if contact.linked {
            let [a, b] = bodies.map(|body| self.bodies.slots[body].island);
            ensure(a == b, "islands of contact", slot)?;
        }
        Ok(())
    }

    fn check_joint(&self, slot: u32) -> Result<(), Defect> {
        let joint = &self.joints.slots[slot];
        let base = &self.joints.sims[slot as usize].base;
        let bodies = joint.bodies();
        ensure(
            [base.body_a, base.body_b] == bodies,
            "bodies of joint",
            slot,
        )?;
        let [a, b] = bodies.map(|body| &self.bodies.slots[body]);
        let solvable = self.bodies.are_ends_awake(joint.body_a, joint.body_b);
        let in_graph = joint.graph != GraphPlace::NONE;
        ensure(
            in_graph == (joint.active && solvable),
            "graph of joint",
            slot,
        )?;
        if !joint.active {
            return Ok(());
        }
        ensure(
            self.is_enabled_with_bodies(slot),
            "enabled bodies of joint",
            slot,
        )?;
        let flags = [joint_flags::STATIC_A, joint_flags::STATIC_B];
        let flags = flags.map(|flag| base.flags & flag != 0);
        let is_static = [a, b].map(|body| body.kind == BodyKind::Static);
        ensure(flags == is_static, "static bodies of joint", slot)?;
        let ends = self.bodies.dynamic_ends(joint.body_a, joint.body_b);
        let are_linked = ends.iter().all(Option::is_some);
        ensure(
            !are_linked || a.island == b.island,
            "islands of joint",
            slot,
        )
    }

    /// Checks that each shape is in the list of its body, and each contact and joint in those of both bodies, once.
    fn check_lists(&self) -> Result<(), Defect> {
        let shapes = self.shapes.slots.iter();
        let thresholds = shapes.filter(|(_, shape)| shape.force_event_threshold.is_finite());
        let is_counted = thresholds.count() == self.force_events.shapes;
        ensure(is_counted, "number of force thresholds", 0)?;
        let (mut shapes, mut joints) = (BitSet::default(), [BitSet::default(), BitSet::default()]);
        let mut contacts = 0;
        for (slot, body) in self.bodies.slots.iter() {
            for &shape in &body.shapes {
                let is_own = self.shapes.slots[shape].body == slot && !shapes.contains(shape);
                ensure(is_own, "body of shape", shape)?;
                shapes.insert(shape);
            }
            for &joint in &body.joints {
                let side = usize::from(self.joints.slots[joint].body_a != slot);
                let is_own = self.joints.slots[joint].has_body(slot);
                ensure(
                    is_own && !joints[side].contains(joint),
                    "body of joint",
                    joint,
                )?;
                joints[side].insert(joint);
            }
            contacts += body.contacts.len();
        }
        ensure(
            shapes.len() == self.shapes.slots.len(),
            "lists of shapes",
            0,
        )?;
        let listed = joints.map(|side| side.len());
        ensure(listed == [self.joints.slots.len(); 2], "lists of joints", 0)?;
        // Each contact is at its place in both lists.
        ensure(
            contacts == 2 * self.contacts.slots.len(),
            "lists of contacts",
            0,
        )
    }

    fn check_islands(&self) -> Result<(), Defect> {
        let mut members = 0;
        for (slot, island) in (0..).zip(&*self.islands.slots) {
            members += island.bodies.len();
            let awake = self.islands.awake.contains(slot);
            let is_free = island.bodies.is_empty();
            ensure(
                awake == (!island.asleep && !is_free),
                "sleep of island",
                slot,
            )?;
            let is_chosen = self.islands.newton.contains(slot);
            ensure(!is_free || !is_chosen, "solver of island", slot)?;
        }
        ensure(
            self.islands.has_right_free_list(),
            "list of free islands",
            0,
        )?;
        let bodies = self.bodies.slots.iter();
        let expected = bodies.filter(|(_, body)| body.island != NO_ISLAND).count();
        ensure(members == expected, "members of islands", 0)
    }

    fn check_graph(&self) -> Result<(), Defect> {
        let mut seen = BitSet::default();
        for (color, lists) in self.graph.colors.iter().enumerate() {
            seen.clear();
            let place = |index: u32| GraphPlace {
                color: color as u8,
                index,
            };
            for (index, (slot, owner)) in (0..).zip(lists.contacts.iter()) {
                let contact = &self.contacts.slots[slot];
                ensure(
                    contact.graph == place(index),
                    "place in the graph of contact",
                    slot,
                )?;
                let ends = (contact.body_a, contact.body_b);
                self.mark_ends(ends, owner, color, &mut seen)?;
            }
            for (index, (slot, owner)) in (0..).zip(lists.joints.iter()) {
                let joint = &self.joints.slots[slot];
                ensure(
                    joint.graph == place(index),
                    "place in the graph of joint",
                    slot,
                )?;
                let mut sim = self.joints.sims[slot as usize].clone();
                sim.base
                    .update_long_arm(self.joints.masses_at(slot, &self.bodies));
                let traits = self.joints.traits[slot as usize];
                ensure(traits == sim.traits(), "traits of joint", slot)?;
                let ends = (joint.body_a, joint.body_b);
                self.mark_ends(ends, owner, color, &mut seen)?;
            }
        }
        Ok(())
    }

    fn mark_ends(
        &self,
        (a, b): (u32, u32),
        owner: u32,
        color: usize,
        seen: &mut BitSet,
    ) -> Result<(), Defect> {
        let mut ends = self.bodies.dynamic_ends(a, b).into_iter().flatten();
        let first = ends.next().unwrap_or(NO_SLOT);
        ensure(first == owner, "owner of a constraint on body", owner)?;
        if color == COLORS {
            return Ok(());
        }
        for body in self.bodies.dynamic_ends(a, b).into_iter().flatten() {
            ensure(!seen.contains(body), "color of a constraint on body", body)?;
            seen.insert(body);
        }
        Ok(())
    }
}
