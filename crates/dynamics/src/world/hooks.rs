//! Setting the user's hooks.

use crate::contact::recycle::contact_flags;
use crate::hook::{HookShape, PreSolve};
use crate::pair_rules::PairRules;
use crate::world::World;
use std::sync::Arc;

impl World {
    /// Has `accept` decide which shapes meet, after filters, joints and ignored pairs have allowed it: for contacts,
    /// sensors and continuous collision. Queries do not ask it.
    ///
    /// It is asked once when two shapes come near each other, not at each step; the shape of the lesser slot comes
    /// first. After a change of what it decides by, call [`filter_again`](Self::filter_again). It must depend on
    /// nothing but what it is given and what does not change during a step; runs then repeat, with any number of
    /// threads. Clones of the world share it. Setting it asks it about all pairs.
    ///
    /// A panic of the filter ends the step and reaches the caller. The world is then still consistent: the next step asks again about
    /// the pairs, and only bodies that were to be swept in that step may have passed through what they met.
    ///
    /// ```
    /// use cairn2d_dynamics::World;
    ///
    /// let mut world = World::default();
    /// // Things of one color (the user data of their bodies) fall through each other.
    /// world.set_pair_filter(|a, b| a.body_user_data() != b.body_user_data());
    /// ```
    pub fn set_pair_filter(
        &mut self,
        accept: impl Fn(HookShape<'_>, HookShape<'_>) -> bool + Send + Sync + 'static,
    ) {
        self.hooks.pair_filter = Some(Arc::new(accept));
        self.filter_again();
    }

    /// Takes the user's filter out: see [`set_pair_filter`](Self::set_pair_filter).
    pub fn clear_pair_filter(&mut self) {
        if self.hooks.pair_filter.take().is_some() {
            self.filter_again();
        }
    }

    /// Decides anew about all pairs: contacts that are no longer allowed end at once, and what touched by them wakes;
    /// others begin at the next step.
    ///
    /// If the user's filter panics, contacts that were not looked at yet stay until the next call.
    pub fn filter_again(&mut self) {
        self.pair_all_again();
        for slot in 0..self.contacts.slots.bound() as u32 {
            let Some(contact) = self.contacts.slots.get(slot).copied() else {
                continue;
            };
            if self.pair_rules().allow(contact.shape_a, contact.shape_b) {
                continue;
            }
            if contact.pushes() {
                self.wake_body(contact.body_a);
                self.wake_body(contact.body_b);
            }
            self.remove_contact(slot);
        }
    }

    /// Has the broad phase look again for what all bodies overlap.
    pub(crate) fn pair_all_again(&mut self) {
        for body in 0..self.bodies.slots.bound() as u32 {
            if self.bodies.slots.get(body).is_some() {
                self.pair_again(body);
            }
        }
    }

    /// Has `hook` look at each contact of a shape with [`ShapeDef::pre_solve`](crate::ShapeDef::pre_solve), at each
    /// step in which the shapes touch and one of their bodies is awake, before it is solved. It may leave the contact
    /// out of the step or change its surface: a platform that is solid from above, a slippery constraint, a
    /// belt.
    ///
    /// The hook may use rayon (`join`, `scope`, parallel iterators, but not `broadcast`), also on the threads that serve the
    /// step. A panic of it ends the step and reaches the caller; the world is then still consistent.
    ///
    /// With several threads, contacts are looked at in no particular order and at the same time. The hook must
    /// depend on nothing but what it is given and what does not change during a step; runs then repeat, with any
    /// number of threads. Clones of the world share it. Setting it wakes what it will be asked about.
    ///
    /// ```
    /// use cairn2d_dynamics::World;
    ///
    /// let mut world = World::default();
    /// // Ice, where the first shape says so.
    /// world.set_pre_solve(|contact| {
    ///     if contact.shapes()[0].user_data() == 7 {
    ///         contact.friction = 0.01;
    ///     }
    /// });
    /// ```
    pub fn set_pre_solve(&mut self, hook: impl Fn(&mut PreSolve<'_>) + Send + Sync + 'static) {
        self.hooks.pre_solve = Some(Arc::new(hook));
        self.refresh_hooked_contacts();
    }

    /// Takes the pre-solve hook out: see [`set_pre_solve`](Self::set_pre_solve).
    pub fn clear_pre_solve(&mut self) {
        if self.hooks.pre_solve.take().is_some() {
            self.refresh_hooked_contacts();
        }
    }

    /// Has the hooked contacts made anew at the next step, with their own surface, and wakes their bodies.
    fn refresh_hooked_contacts(&mut self) {
        for slot in 0..self.contacts.slots.bound() as u32 {
            if self.contacts.slots.get(slot).is_none() {
                continue;
            }
            if self.contacts.keys[slot as usize].flags & contact_flags::HOOKED != 0 {
                self.mix_materials(slot);
                self.contacts.invalidate_manifold(slot);
                let contact = self.contacts.slots[slot];
                if !contact.sensor {
                    self.wake_body(contact.body_a);
                    self.wake_body(contact.body_b);
                }
            }
        }
    }
    /// Returns the rules by which two shapes may collide.
    pub(crate) fn pair_rules(&self) -> PairRules<'_> {
        PairRules {
            bodies: &self.bodies,
            shapes: &self.shapes.slots,
            joints: &self.joints.slots,
            ignores: &self.ignores,
            filter: self.hooks.pair_filter.as_deref(),
        }
    }
}
