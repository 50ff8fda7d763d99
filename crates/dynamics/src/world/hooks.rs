//! Setters of the hooks: the pair filter and the pre-solve hook.

use crate::contact::recycle::contact_flags;
use crate::hook::{HookShape, Hooks, PreSolve};
use crate::pair_rules::PairRules;
use crate::world::World;
use crate::world::record::answer_log;
use crate::world::record::call::WorldCall;
use std::sync::Arc;

/// # Filters and hooks
impl World {
    /// Sets a predicate for pairs of shapes that filters, joints and ignored pairs allow: a pair for which
    /// `accept` returns `false` has no contact, no sensor events and no continuous collision. Queries do not
    /// call it.
    ///
    /// It is called when two shapes come near each other, not in each step; the shape of the lower slot comes first.
    /// Continuous collision calls it again, in each step and maybe several times, for shapes on the path of a fast
    /// body that have no solved contact with it; with several threads such calls run in parallel. When its data
    /// change, call [`filter_again`](Self::filter_again). For repeatable results it must depend only on its
    /// arguments and on data that do not change during a step. Clones of the world share it. Setting it filters
    /// all pairs again.
    ///
    /// A panic of the predicate ends the step and reaches the caller. The world stays consistent: the next
    /// step filters the remaining pairs, and only bodies that this step would have swept may have passed
    /// through others.
    ///
    /// ```
    /// use cairn2d_dynamics::World;
    ///
    /// let mut world = World::default();
    /// // Bodies of one color (their user data) pass through each other.
    /// world.set_pair_filter(|a, b| a.body_user_data() != b.body_user_data());
    /// ```
    pub fn set_pair_filter(
        &mut self,
        accept: impl Fn(HookShape<'_>, HookShape<'_>) -> bool + Send + Sync + 'static,
    ) {
        self.restore_pair_filter(accept);
        self.filter_again();
    }

    /// Sets the pair filter of a world that was [loaded](Self::load): its pairs have passed this filter already, and stay
    /// as they are. See [`set_pair_filter`](Self::set_pair_filter).
    pub fn restore_pair_filter(
        &mut self,
        accept: impl Fn(HookShape<'_>, HookShape<'_>) -> bool + Send + Sync + 'static,
    ) {
        self.hooks.pair_filter = Some(Arc::new(accept));
        self.record_hooks();
    }

    /// Gives a world that was [loaded](Self::load) the hooks, the pool and the clock of `other`, such as the world that
    /// it replaces. No pair is filtered again.
    pub fn restore_hooks_of(&mut self, other: &Self) {
        self.hooks = other.hooks.clone();
        self.record_hooks();
        self.pool = other.pool.clone();
        self.def.clock = other.def.clock;
    }

    /// Removes the pair filter and filters all pairs again: see [`set_pair_filter`](Self::set_pair_filter).
    pub fn clear_pair_filter(&mut self) {
        if self.hooks.pair_filter.take().is_some() {
            self.record_hooks();
            self.filter_again();
        }
    }

    /// Filters all pairs again. Contacts that are no longer allowed end at once, and their bodies wake; other
    /// contacts begin at the next step.
    ///
    /// If the predicate panics, the remaining contacts stay until the next call.
    pub fn filter_again(&mut self) {
        self.record_answered(Self::filter_contacts, |answers| WorldCall::FilterAgain {
            answers,
        });
    }

    fn filter_contacts(&mut self) {
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

    /// Makes the broad phase find the pairs of all bodies again.
    pub(crate) fn pair_all_again(&mut self) {
        for body in 0..self.bodies.slots.bound() as u32 {
            if self.bodies.slots.get(body).is_some() {
                self.pair_again(body);
            }
        }
    }

    /// Sets a hook that is called before a contact is solved, for each contact of a shape with
    /// [`ShapeDef::pre_solve`](crate::ShapeDef::pre_solve), in each step in which the shapes touch and one of
    /// their bodies is awake. It may skip the contact for the step or change its material: for one-way
    /// platforms, slippery contacts or conveyor belts.
    ///
    /// It is called at most once for a contact in a step, and not by continuous collision. That leaves out the pairs
    /// that the hook ignored in the step; so a fast body may stop for one step at a shape that it had no contact with.
    ///
    /// The hook may use rayon (`join`, `scope`, parallel iterators, but not `broadcast`), also on the threads
    /// of the step. A panic of the hook ends the step and reaches the caller; the world stays consistent. Give such a world
    /// [a pool of its own](Self::set_pool): on rayon's global pool the workers of a step hold the threads that the hook
    /// waits for, and each call takes milliseconds: 1.5 s a step for 900 boxes, and 3 ms with a pool of its own.
    ///
    /// With several threads, calls run in parallel and in any order. For repeatable results the hook must
    /// depend only on its arguments and on data that do not change during a step. Clones of the world share
    /// it. Setting it wakes the bodies of the contacts that it will be called for.
    ///
    /// ```
    /// use cairn2d_dynamics::World;
    ///
    /// let mut world = World::default();
    /// // Ice where the user data of the first shape are 7.
    /// world.set_pre_solve(|contact| {
    ///     if contact.shapes()[0].user_data() == 7 {
    ///         contact.friction = 0.01;
    ///     }
    /// });
    /// ```
    pub fn set_pre_solve(&mut self, hook: impl Fn(&mut PreSolve<'_>) + Send + Sync + 'static) {
        self.restore_pre_solve(hook);
        self.refresh_hooked_contacts();
    }

    /// Sets the pre-solve hook of a world that was [loaded](Self::load), and wakes nothing: see
    /// [`set_pre_solve`](Self::set_pre_solve).
    pub fn restore_pre_solve(&mut self, hook: impl Fn(&mut PreSolve<'_>) + Send + Sync + 'static) {
        self.hooks.pre_solve = Some(Arc::new(hook));
        self.record_hooks();
    }

    /// Removes the pre-solve hook: see [`set_pre_solve`](Self::set_pre_solve).
    pub fn clear_pre_solve(&mut self) {
        if self.hooks.pre_solve.take().is_some() {
            self.record_hooks();
            self.refresh_hooked_contacts();
        }
    }

    /// Records which hooks the world has.
    fn record_hooks(&mut self) {
        let Hooks {
            pair_filter,
            pre_solve,
        } = &self.hooks;
        let (pair_filter, pre_solve) = (pair_filter.is_some(), pre_solve.is_some());
        self.record_own(|| WorldCall::SetHooks {
            pair_filter,
            pre_solve,
        });
    }

    /// Marks the hooked contacts for the next narrow phase, with the materials of their shapes, and wakes
    /// their bodies.
    pub(crate) fn refresh_hooked_contacts(&mut self) {
        self.record_own(|| WorldCall::RefreshHookedContacts {});
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
            filter: self.hooks.pair_hook(answer_log(&self.recorder)),
        }
    }
}
