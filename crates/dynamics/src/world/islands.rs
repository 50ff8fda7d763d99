//! Structural edits of islands: joining, merging, splitting, sleep and waking.

use crate::body::track_flags;
use crate::event::SleepChange;
use crate::graph::GraphPlace;
use crate::island::set::NO_ISLAND;
use crate::sleep::islands::{list_quiet_islands, may_sleep};
use crate::world::World;
use cairn2d_geometry::math::Vec2;

/// The lists of the island stage. No part of the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct IslandLists {
    /// Awake islands whose bodies were all slow for long enough.
    quiet: Vec<u32>,
    /// Bodies of a piece whose neighbors are not visited yet.
    unvisited: Vec<u32>,
}

impl World {
    /// Adds the body in `slot`, which is in no island, to `island`.
    pub(crate) fn join_island(&mut self, slot: u32, island: u32) {
        let bodies = &mut self.islands.slots[island as usize].bodies;
        bodies.push(slot);
        let body = &mut self.bodies.slots[slot];
        body.island = island;
        body.island_place = (bodies.len() - 1) as u32;
        self.bodies.tracks[slot as usize].island = island;
    }

    /// Removes the body in `slot` from its island, which is freed if it becomes empty.
    pub(crate) fn leave_island(&mut self, slot: u32) {
        let body = &mut self.bodies.slots[slot];
        let island = core::mem::replace(&mut body.island, NO_ISLAND);
        let place = body.island_place;
        self.bodies.tracks[slot as usize].island = NO_ISLAND;
        let record = &mut self.islands.slots[island as usize];
        record.bodies.swap_remove(place as usize);
        record.removed_links += 1;
        if let Some(&moved) = record.bodies.get(place as usize) {
            self.bodies.slots[moved].island_place = place;
        } else if record.bodies.is_empty() {
            self.islands.free(island);
        }
    }

    /// Merges the islands of two dynamic bodies, the smaller into the larger. A sleeping one wakes if the
    /// other is awake.
    pub(crate) fn merge_islands(&mut self, a: u32, b: u32) {
        let [island_a, island_b] = [a, b].map(|slot| self.bodies.slots[slot].island);
        if island_a == island_b {
            return;
        }
        let [asleep_a, asleep_b] =
            [island_a, island_b].map(|i| self.islands.slots[i as usize].asleep);
        if asleep_a != asleep_b {
            self.wake_body(if asleep_a { a } else { b });
        }
        let size = |island: u32| self.islands.slots[island as usize].bodies.len();
        let (large, small) = if size(island_a) >= size(island_b) {
            (island_a, island_b)
        } else {
            (island_b, island_a)
        };
        let mut moving = core::mem::take(&mut self.islands.slots[small as usize].bodies);
        for slot in moving.drain(..) {
            self.join_island(slot, large);
        }
        self.islands.inherit(small, large);
        let removed_links = self.islands.slots[small as usize].removed_links;
        self.islands.slots[large as usize].removed_links += removed_links;
        self.islands.slots[small as usize].bodies = moving;
        self.islands.free(small);
    }

    /// Notes that a link between two bodies was removed: their island may be in pieces now.
    pub(crate) fn note_removed_link(&mut self, a: u32, b: u32) {
        let island = self.bodies.slots[a].island;
        if island != NO_ISLAND && island == self.bodies.slots[b].island {
            self.islands.slots[island as usize].removed_links += 1;
        }
    }

    /// Puts the islands to sleep whose bodies were all slow for long enough.
    ///
    /// An island that lost links is first split into its pieces, at most one island a step: the one whose
    /// body has been slow longest.
    pub(crate) fn sleep_islands(&mut self) {
        if !self.def.sleeping {
            return;
        }
        if let Some(island) = self.scratch.finalize.split_candidate.take() {
            self.split_island(island);
        }
        let mut quiet = core::mem::take(&mut self.scratch.island_lists.quiet);
        list_quiet_islands(&self.scratch.finalize.restless, &self.islands, &mut quiet);
        for &island in &quiet {
            if may_sleep(
                (self.def.tuning.mechanisms, self.history.last_h),
                island,
                &mut self.bodies,
                &self.contacts,
                &self.joints,
                &self.islands,
            ) {
                self.put_to_sleep(island);
            }
        }
        self.scratch.island_lists.quiet = quiet;
    }

    /// Splits `island` into its connected pieces. The piece of the first body keeps the slot.
    pub(crate) fn split_island(&mut self, island: u32) {
        let record = &mut self.islands.slots[island as usize];
        record.removed_links = 0;
        let bodies = core::mem::take(&mut record.bodies);
        for &slot in &bodies {
            self.bodies.slots[slot].island = NO_ISLAND;
        }
        let mut unvisited = core::mem::take(&mut self.scratch.island_lists.unvisited);
        for (place, &seed) in bodies.iter().enumerate() {
            if self.bodies.slots[seed].island != NO_ISLAND {
                continue;
            }
            let piece = if place == 0 {
                island
            } else {
                let piece = self.islands.create();
                self.islands.inherit(island, piece);
                piece
            };
            self.join_island(seed, piece);
            unvisited.push(seed);
            while let Some(slot) = unvisited.pop() {
                self.gather_neighbors(slot, piece, &mut unvisited);
            }
            self.islands.slots[piece as usize].searched_at(self.history.age());
        }
        self.scratch.island_lists.unvisited = unvisited;
    }

    /// Puts the dynamic neighbors of the body in `slot` that are in no island yet into `piece`.
    fn gather_neighbors(&mut self, slot: u32, piece: u32, unvisited: &mut Vec<u32>) {
        let from_contacts = self.bodies.slots[slot].contacts.len();
        let from_joints = self.bodies.slots[slot].joints.len();
        for place in 0..from_contacts + from_joints {
            let other = if place < from_contacts {
                self.contact_neighbor(slot, place)
            } else {
                self.joint_neighbor(slot, place - from_contacts)
            };
            if let Some(other) = other
                && self.bodies.slots[other].island == NO_ISLAND
            {
                self.join_island(other, piece);
                unvisited.push(other);
            }
        }
    }

    /// Returns the body that the contact at `place` of the body in `slot` links to it, if it is a link of the
    /// island.
    fn contact_neighbor(&self, slot: u32, place: usize) -> Option<u32> {
        let contact = self.bodies.slots[slot].contacts[place];
        let is_link = self.contacts.slots[contact].linked;
        is_link.then(|| self.contacts.other_body(contact, slot))
    }

    /// Puts all bodies of `island` to sleep, with their contacts and joints.
    pub(crate) fn put_to_sleep(&mut self, island: u32) {
        let record = &mut self.islands.slots[island as usize];
        record.asleep = true;
        let bodies = core::mem::take(&mut record.bodies);
        self.islands.awake.remove(island);
        for &slot in &bodies {
            self.bodies.awake.remove(slot);
            self.bodies.forget_forces(slot);
            let state = &mut self.bodies.states[slot as usize];
            state.velocity = Vec2::zeros();
            state.angular_velocity = 0.0;
            // A body that wakes within a step must be where the step began.
            state.delta_position = Vec2::zeros();
            state.delta_rotation = Vec2::new(1.0, 0.0);
            self.report_sleep(slot, SleepChange::FellAsleep);
        }
        for &slot in &bodies {
            self.deactivate_links_of(slot);
        }
        self.islands.slots[island as usize].bodies = bodies;
    }

    /// Removes the contacts and joints of a body that fell asleep from the constraint graph. A contact with
    /// an awake body stays in the narrow phase, so that a touch wakes the sleeper, and constraints between an
    /// awake body and a resting kinematic one are still solved.
    pub(crate) fn deactivate_links_of(&mut self, slot: u32) {
        // The narrow phase has not subtracted the last travel yet, and subtracts none while the body sleeps.
        let travel = core::mem::take(&mut self.bodies.moved[slot as usize]);
        for place in 0..self.bodies.slots[slot].contacts.len() {
            let contact = self.bodies.slots[slot].contacts[place];
            self.contacts.charge_budget(contact, travel);
            let (a, b) = (
                self.contacts.slots[contact].body_a,
                self.contacts.slots[contact].body_b,
            );
            if !self.bodies.are_ends_awake(a, b) {
                self.remove_contact_constraint(contact);
            }
            if !self.bodies.awake.contains(a) && !self.bodies.awake.contains(b) {
                self.contacts.awake.remove(contact);
            }
        }
        for place in 0..self.bodies.slots[slot].joints.len() {
            let joint = self.bodies.slots[slot].joints[place];
            let (a, b) = (
                self.joints.slots[joint].body_a,
                self.joints.slots[joint].body_b,
            );
            if !self.bodies.are_ends_awake(a, b) {
                self.remove_joint_constraint(joint);
            }
        }
    }

    /// Wakes all bodies of `island`.
    pub(crate) fn wake_island(&mut self, island: u32) {
        let record = &mut self.islands.slots[island as usize];
        record.asleep = false;
        let bodies = core::mem::take(&mut record.bodies);
        self.islands.awake.insert(island);
        for &slot in &bodies {
            self.bodies.awake.insert(slot);
            let track = &mut self.bodies.tracks[slot as usize];
            track.slow_time = 0.0;
            track.flags &= !track_flags::UNSUPPORTED;
            self.report_sleep(slot, SleepChange::Woke);
        }
        for &slot in &bodies {
            self.activate_links_of(slot);
        }
        self.islands.slots[island as usize].bodies = bodies;
    }

    /// Returns the contacts of a body that woke to the narrow phase, and its touching contacts and joints to
    /// the constraint graph.
    pub(crate) fn activate_links_of(&mut self, slot: u32) {
        for place in 0..self.bodies.slots[slot].contacts.len() {
            let contact = self.bodies.slots[slot].contacts[place];
            self.contacts.awake.insert(contact);
            let record = &self.contacts.slots[contact];
            if record.pushes() && record.graph == GraphPlace::NONE {
                self.add_contact_constraint(contact);
            }
        }
        for place in 0..self.bodies.slots[slot].joints.len() {
            let joint = self.bodies.slots[slot].joints[place];
            self.add_joint_constraint(joint);
        }
    }
}
