//! Checks the invariants of the world: redundant records agree, and numbers are in range.

use crate::body::def::BodyKind;
use crate::contact::force_events::force_threshold;
use crate::contact::recycle::contact_flags;
use crate::graph::{COLORS, GraphPlace};
use crate::id::NO_SLOT;
use crate::island::set::NO_ISLAND;
use crate::world::World;
use cairn2d_broadphase::ProxyId;

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
        for (slot, _) in self.bodies.slots.iter() {
            self.assert_body(slot);
        }
        for (slot, _) in self.shapes.slots.iter() {
            self.assert_shape(slot);
        }
        for (slot, _) in self.contacts.slots.iter() {
            self.assert_contact(slot);
        }
        for (slot, _) in self.joints.slots.iter() {
            self.assert_joint(slot);
        }
        self.assert_islands();
        self.assert_graph();
    }

    fn assert_body(&self, slot: u32) {
        let body = &self.bodies.slots[slot];
        let index = slot as usize;
        let (pose, state) = (&self.bodies.poses[index], &self.bodies.states[index]);
        assert!(
            pose.center.is_finite(),
            "body {slot}: center {:?}",
            pose.center
        );
        let length = pose.rotation.norm();
        assert!(
            (length - 1.0).abs() < 1.0e-5,
            "body {slot}: rotation of length {length}"
        );
        assert!(
            state.velocity.x.is_finite()
                && state.velocity.y.is_finite()
                && state.angular_velocity.is_finite(),
            "body {slot}: velocity {:?}",
            state.velocity
        );
        let is_massless =
            body.kind == BodyKind::Dynamic && self.bodies.masses[index].inv_mass == 0.0;
        assert_eq!(
            self.bodies.massless.contains(slot),
            is_massless,
            "body {slot}: without mass"
        );
        for &shape in &body.shapes {
            assert_eq!(self.shapes.slots[shape].body, slot, "shape {shape}: body");
        }
        self.assert_membership(slot);
        self.assert_links(slot);
    }

    /// Checks the island of the body in `slot`, and its place there.
    fn assert_membership(&self, slot: u32) {
        let (body, index) = (&self.bodies.slots[slot], slot as usize);
        let awake = self.bodies.awake.contains(slot);
        assert!(!(awake && body.disabled), "body {slot}: disabled but awake");
        let in_island = body.kind == BodyKind::Dynamic && !body.disabled;
        assert_eq!(body.island != NO_ISLAND, in_island, "body {slot}: island");
        assert_eq!(
            body.island, self.bodies.tracks[index].island,
            "body {slot}: copy of island"
        );
        if in_island {
            let island = &self.islands.slots[body.island as usize];
            assert_eq!(
                island.bodies[body.island_place as usize], slot,
                "body {slot}: place in island"
            );
            assert_eq!(
                island.asleep, !awake,
                "body {slot}: awake in a sleeping island, or asleep alone"
            );
        }
    }

    /// Checks the counts of contacts and joints of the body in `slot`.
    fn assert_links(&self, slot: u32) {
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
        assert_eq!(
            body.static_touches as usize, static_touches,
            "body {slot}: touches with static and kinematic bodies"
        );
        let in_graph = self.links_in_graph(slot);
        let counted = self.bodies.tracks[index].constraints;
        assert_eq!(counted, in_graph, "body {slot}: constraints");
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

    fn assert_shape(&self, slot: u32) {
        let shape = &self.shapes.slots[slot];
        let body = &self.bodies.slots[shape.body];
        assert!(body.shapes.contains(&slot), "shape {slot}: not on its body");
        assert_eq!(
            shape.proxy == ProxyId::NULL,
            body.disabled,
            "shape {slot}: proxy"
        );
        if shape.proxy != ProxyId::NULL {
            assert_eq!(
                self.broad.data(shape.proxy),
                slot,
                "shape {slot}: proxy data"
            );
            assert_eq!(
                self.broad.aabb(shape.proxy),
                shape.fat_box,
                "shape {slot}: box in the tree"
            );
        }
    }

    fn assert_contact(&self, slot: u32) {
        let contact = &self.contacts.slots[slot];
        let key = &self.contacts.keys[slot as usize];
        let budget = &self.contacts.budgets[slot as usize];
        assert_eq!(
            [key.shape_a, key.shape_b],
            [contact.shape_a, contact.shape_b]
        );
        assert_eq!(
            [budget.body_a, budget.body_b],
            [contact.body_a, contact.body_b]
        );
        for (body, place) in [contact.body_a, contact.body_b]
            .into_iter()
            .zip(contact.places)
        {
            let listed = self.bodies.slots[body].contacts[place as usize];
            assert_eq!(
                listed, slot,
                "contact {slot}: place in the list of body {body}"
            );
        }
        assert_eq!(
            key.flags & contact_flags::TOUCHING != 0,
            contact.touching,
            "contact {slot}: touching"
        );
        assert_eq!(
            self.force_events.watched.contains(slot),
            force_threshold(slot, &self.shapes, &self.contacts).is_finite() && !contact.sensor,
            "contact {slot}: force watched"
        );
        assert!(
            self.broad.is_known(contact.shape_a, contact.shape_b),
            "contact {slot}: pair unknown to the broad phase"
        );
        let [awake_a, awake_b] =
            [contact.body_a, contact.body_b].map(|body| self.bodies.awake.contains(body));
        let looked_at = self.contacts.awake.contains(slot);
        assert_eq!(looked_at, awake_a || awake_b, "contact {slot}: awake");
        let solvable = self.bodies.are_ends_awake(contact.body_a, contact.body_b);
        assert_eq!(
            contact.graph != GraphPlace::NONE,
            contact.pushes() && solvable,
            "contact {slot}: in the graph"
        );
        let points = self.contacts.constraints[slot as usize].count;
        assert_eq!(contact.pushes(), points > 0, "contact {slot}: points");
        let ends = self.bodies.dynamic_ends(contact.body_a, contact.body_b);
        let both_dynamic = ends.iter().all(Option::is_some);
        assert_eq!(
            contact.linked,
            contact.pushes() && both_dynamic,
            "contact {slot}: links islands"
        );
        if contact.linked {
            let [a, b] =
                [contact.body_a, contact.body_b].map(|body| self.bodies.slots[body].island);
            assert_eq!(a, b, "contact {slot}: linked bodies in different islands");
        }
    }

    fn assert_islands(&self) {
        let mut members = 0;
        for (slot, island) in self.islands.slots.iter().enumerate() {
            members += island.bodies.len();
            let awake = self.islands.awake.contains(slot as u32);
            assert_eq!(
                awake,
                !island.asleep && !island.bodies.is_empty(),
                "island {slot}: awake"
            );
            let is_free = island.bodies.is_empty();
            let is_chosen = self.islands.newton.contains(slot as u32);
            assert!(!is_free || !is_chosen, "island {slot}: free and solved");
        }
        self.islands.assert_free_list();
        let bodies = self.bodies.slots.iter();
        let expected = bodies.filter(|(_, body)| body.island != NO_ISLAND).count();
        assert_eq!(members, expected, "island members");
    }

    fn assert_graph(&self) {
        let mut seen = crate::bitset::BitSet::default();
        for (color, lists) in self.graph.colors.iter().enumerate() {
            seen.clear();
            for (index, (slot, owner)) in lists.contacts.iter().enumerate() {
                let contact = &self.contacts.slots[slot];
                let place = GraphPlace {
                    color: color as u8,
                    index: index as u32,
                };
                assert_eq!(contact.graph, place, "contact {slot}: place in the graph");
                self.mark_ends((contact.body_a, contact.body_b), owner, color, &mut seen);
            }
            for (index, (slot, owner)) in lists.joints.iter().enumerate() {
                let joint = &self.joints.slots[slot];
                let place = GraphPlace {
                    color: color as u8,
                    index: index as u32,
                };
                assert_eq!(joint.graph, place, "joint {slot}: place in the graph");
                let mut sim = self.joints.sims[slot as usize].clone();
                sim.base
                    .update_long_arm(self.joints.masses_at(slot, &self.bodies));
                let traits = sim.traits();
                assert_eq!(
                    self.joints.traits[slot as usize], traits,
                    "joint {slot}: traits"
                );
                self.mark_ends((joint.body_a, joint.body_b), owner, color, &mut seen);
            }
        }
    }

    fn mark_ends(
        &self,
        (a, b): (u32, u32),
        owner: u32,
        color: usize,
        seen: &mut crate::bitset::BitSet,
    ) {
        let mut ends = self.bodies.dynamic_ends(a, b).into_iter().flatten();
        assert_eq!(
            ends.next().unwrap_or(NO_SLOT),
            owner,
            "owner of a constraint"
        );
        if color == COLORS {
            return;
        }
        for body in self.bodies.dynamic_ends(a, b).into_iter().flatten() {
            assert!(!seen.contains(body), "body {body}: twice in color {color}");
            seen.insert(body);
        }
    }
}
