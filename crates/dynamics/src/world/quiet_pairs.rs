//! Pairs without an awake body: the narrow phase passes over them, but it tests each one once that is new or changed.
//!
//! Otherwise a sensor on a static body would never see what sleeps in it, a wall that is put into a sleeping body
//! would stay there, and a body that was created asleep would float when its ground is removed. Such a pair is in the
//! set of awake contacts for one step. If its shapes begin to touch, a sensor reports the overlap and wakes
//! nobody; a static shape wakes the body, unless the user created the body asleep there.

use crate::world::World;

impl World {
    /// Lists a new contact without an awake body for a test in this step.
    pub(crate) fn test_new_quiet_pair(&mut self, slot: u32) {
        self.contacts.mark_awake(slot);
        self.scratch.quiet_pairs.push(slot);
    }

    /// Returns `true` if a contact that begins to touch wakes nobody: one of its bodies was created asleep since the last
    /// step, and none is awake. A level may be filled with sleeping bodies.
    pub(crate) fn begins_asleep(&self, slot: u32) -> bool {
        let contact = &self.contacts.slots[slot];
        let is_placed_asleep =
            |body: u32| self.bodies.is_dynamic(body) && self.depenetration.was_placed(body);
        self.is_quiet(slot)
            && (is_placed_asleep(contact.body_a) || is_placed_asleep(contact.body_b))
    }

    /// Has the next step test the contacts of a static body that was moved, or whose shape `shape` was changed:
    /// everything that is awake is tested anyway. Contacts of other shapes stay as they are.
    pub(crate) fn test_quiet_pairs_of(&mut self, body: u32, shape: Option<u32>) {
        let mut any = false;
        for &contact in &self.bodies.slots[body].contacts {
            let record = &self.contacts.slots[contact];
            let is_of_shape = shape.is_none_or(|shape| record.has_shape(shape));
            if is_of_shape && !self.contacts.awake.contains(contact) {
                self.contacts.mark_awake(contact);
                any = true;
            }
        }
        if any {
            self.bodies.note_changed(body);
        }
    }

    /// Lists the contacts of a body that were marked by [`test_quiet_pairs_of`](Self::test_quiet_pairs_of).
    pub(crate) fn list_quiet_pairs_of(&mut self, body: u32) {
        if self.bodies.awake.contains(body) {
            return;
        }
        for &contact in &self.bodies.slots[body].contacts {
            if self.contacts.awake.contains(contact) && self.is_quiet(contact) {
                self.scratch.quiet_pairs.push(contact);
            }
        }
    }

    /// Ends the tests of this step: contacts that woke nobody leave the set of awake ones.
    pub(crate) fn end_quiet_tests(&mut self) {
        let mut tested = core::mem::take(&mut self.scratch.quiet_pairs);
        for contact in tested.drain(..) {
            if self.contacts.slots.get(contact).is_some() && self.is_quiet(contact) {
                self.contacts.awake.remove(contact);
            }
        }
        self.scratch.quiet_pairs = tested;
    }

    /// Puts the listed tests off to the next step: a hook of the user panicked before them.
    pub(crate) fn postpone_quiet_tests(&mut self) {
        let mut listed = core::mem::take(&mut self.scratch.quiet_pairs);
        for contact in listed.drain(..) {
            let contact = &self.contacts.slots[contact];
            self.bodies.note_changed(contact.body_a);
            self.bodies.note_changed(contact.body_b);
        }
        self.scratch.quiet_pairs = listed;
    }

    /// Returns `true` if none of the bodies of a contact is awake.
    pub(crate) fn is_quiet(&self, contact: u32) -> bool {
        let contact = &self.contacts.slots[contact];
        let awake = &self.bodies.awake;
        !awake.contains(contact.body_a) && !awake.contains(contact.body_b)
    }
}
