//! Attach and detach: a body enters or leaves the simulation with its proxies, island and joints.
//!
//! Creation, destruction, disabling and changes of kind consist of these two. Below them are waking and sleep
//! of single bodies.

use crate::body::def::BodyKind;
use crate::body::state::{BodyState, state_flags};
use crate::event::{SleepChange, SleepEvent};
use crate::island::set::NO_ISLAND;
use crate::tuning::TIME_TO_SLEEP;
use crate::world::World;
use cairn2d_broadphase::ProxyId;
use cairn2d_geometry::math::Vec2;

impl World {
    /// Adds the body in `slot`, which is disabled, to the simulation, awake or asleep.
    pub(crate) fn attach(&mut self, slot: u32, awake: bool) {
        let body = &mut self.bodies.slots[slot];
        debug_assert!(body.disabled);
        body.disabled = false;
        let kind = body.kind;
        self.bodies.forget_forces(slot);
        if kind == BodyKind::Dynamic {
            if self.islands.len() == 0 {
                self.forget_history();
            }
            let island = self.islands.create();
            self.join_island(slot, island);
            if !awake {
                self.islands.slots[island as usize].asleep = true;
                self.islands.awake.remove(island);
            }
        }
        if kind != BodyKind::Static && awake {
            self.bodies.awake.insert(slot);
        }
        for place in 0..self.bodies.slots[slot].shapes.len() {
            let shape = self.bodies.slots[slot].shapes[place];
            if self.shapes.slots[shape].is_enabled() {
                self.create_proxy(shape);
            }
        }
        for place in 0..self.bodies.slots[slot].joints.len() {
            let joint = self.bodies.slots[slot].joints[place];
            self.activate_joint(joint);
        }
        for gear in self.gears_through(slot) {
            self.activate_joint(gear);
        }
    }

    /// Removes the body in `slot` from the simulation: its proxies, contacts and island are removed, and the
    /// joints that act on it are deactivated. Wakes the bodies that touch it or are jointed to it.
    pub(crate) fn detach(&mut self, slot: u32) {
        // First, while contacts and joints still name the neighbors.
        self.wake_neighbors(slot);
        while let Some(&contact) = self.bodies.slots[slot].contacts.last() {
            self.remove_contact(contact);
        }
        for place in 0..self.bodies.slots[slot].joints.len() {
            let joint = self.bodies.slots[slot].joints[place];
            self.deactivate_joint(joint);
        }
        for gear in self.gears_through(slot) {
            self.wake_joint(gear);
            self.deactivate_joint(gear);
        }
        for place in 0..self.bodies.slots[slot].shapes.len() {
            let shape = self.bodies.slots[slot].shapes[place];
            let proxy = core::mem::replace(&mut self.shapes.slots[shape].proxy, ProxyId::NULL);
            if proxy != ProxyId::NULL {
                self.broad.remove(proxy);
            }
        }
        if self.bodies.slots[slot].island != NO_ISLAND {
            self.leave_island(slot);
        }
        self.bodies.awake.remove(slot);
        self.bodies.moved[slot as usize] = 0.0;
        self.bodies.slots[slot].disabled = true;
    }

    /// Changes the kind of the body in `slot`.
    pub(crate) fn change_kind(&mut self, slot: u32, kind: BodyKind) {
        if self.bodies.slots[slot].kind == kind {
            return;
        }
        let enabled = !self.bodies.slots[slot].disabled;
        if enabled {
            self.detach(slot);
        }
        let body = &mut self.bodies.slots[slot];
        body.kind = kind;
        let state = &mut self.bodies.states[slot as usize];
        state.flags &= !state_flags::DYNAMIC;
        match kind {
            BodyKind::Dynamic => state.flags |= state_flags::DYNAMIC,
            BodyKind::Kinematic => {}
            BodyKind::Static => {
                state.velocity = Vec2::zeros();
                state.angular_velocity = 0.0;
            }
        }
        self.bodies.update_track_flags(slot);
        self.bodies.tracks[slot as usize].slow_time = 0.0;
        self.update_mass(slot);
        if enabled {
            self.attach(slot, true);
        }
    }

    /// Enables or disables the body in `slot`.
    pub(crate) fn set_enabled(&mut self, slot: u32, enabled: bool) {
        if enabled != self.bodies.slots[slot].disabled {
            return;
        }
        if enabled {
            self.attach(slot, true);
        } else {
            self.detach(slot);
        }
    }

    /// Wakes the dynamic bodies that touch or are jointed to the body in `slot`, and that body.
    pub(crate) fn wake_neighbors(&mut self, slot: u32) {
        self.wake_body(slot);
        for place in 0..self.bodies.slots[slot].contacts.len() {
            let contact = self.contacts.slots[self.bodies.slots[slot].contacts[place]];
            if contact.pushes() {
                self.wake_body(contact.body_a);
                self.wake_body(contact.body_b);
            }
        }
        for place in 0..self.bodies.slots[slot].joints.len() {
            let joint = &self.joints.slots[self.bodies.slots[slot].joints[place]];
            let (a, b) = (joint.body_a, joint.body_b);
            self.wake_body(a);
            self.wake_body(b);
        }
    }

    /// Wakes the body in `slot` with its island; nothing happens for static and disabled bodies.
    pub(crate) fn wake_body(&mut self, slot: u32) {
        let body = &self.bodies.slots[slot];
        if body.disabled || body.kind == BodyKind::Static {
            return;
        }
        self.bodies.tracks[slot as usize].slow_time = 0.0;
        let island = body.island;
        if body.kind == BodyKind::Dynamic {
            if self.islands.slots[island as usize].asleep {
                self.wake_island(island);
            }
        } else if !self.bodies.awake.contains(slot) {
            self.bodies.awake.insert(slot);
            self.activate_links_of(slot);
            self.report_sleep(slot, SleepChange::Woke);
        }
    }

    /// Wakes the body in `slot` if it fell asleep by itself. One that the user put to sleep or created asleep
    /// stays asleep: a level can be filled with sleeping bodies shape by shape.
    pub(crate) fn wake_if_fell_asleep(&mut self, slot: u32) {
        if self.bodies.tracks[slot as usize].slow_time >= TIME_TO_SLEEP {
            self.wake_body(slot);
        }
    }

    /// Wakes all bodies.
    pub(crate) fn wake_all(&mut self) {
        for slot in 0..self.bodies.slots.bound() as u32 {
            if self.bodies.slots.get(slot).is_some() {
                self.wake_body(slot);
            }
        }
    }

    /// Lists that the body in `slot` fell asleep or woke.
    pub(crate) fn report_sleep(&mut self, slot: u32, change: SleepChange) {
        let body = self.bodies.slots.id_at(slot);
        self.events
            .collecting
            .sleeps
            .push(SleepEvent { body, change });
    }

    /// Puts the body in `slot` to sleep with its whole island, or a kinematic body alone.
    pub(crate) fn sleep_body(&mut self, slot: u32) {
        let body = &self.bodies.slots[slot];
        if body.disabled || !body.can_sleep || !self.bodies.awake.contains(slot) {
            return;
        }
        if body.kind == BodyKind::Dynamic {
            self.sleep_island_of(slot);
        } else {
            self.sleep_kinematic(slot);
        }
    }

    /// Puts the island of the dynamic body in `slot` to sleep, if all of its bodies may sleep. Splits it
    /// first: pieces that are no longer linked stay awake.
    fn sleep_island_of(&mut self, slot: u32) {
        let island = self.bodies.slots[slot].island;
        if self.islands.slots[island as usize].removed_links > 0 {
            self.split_island(island);
        }
        let island = self.bodies.slots[slot].island;
        let mut members = self.islands.slots[island as usize].bodies.iter();
        if members.all(|&member| self.bodies.slots[member].can_sleep) {
            self.put_to_sleep(island);
        }
    }

    /// Puts a kinematic body to sleep. Bodies on it are still solved against it, so its state must be one of
    /// rest.
    pub(crate) fn sleep_kinematic(&mut self, slot: u32) {
        let state = &mut self.bodies.states[slot as usize];
        *state = BodyState {
            flags: state.flags,
            ..BodyState::IDENTITY
        };
        self.bodies.awake.remove(slot);
        self.bodies.forget_forces(slot);
        self.deactivate_links_of(slot);
        self.report_sleep(slot, SleepChange::FellAsleep);
    }
}
