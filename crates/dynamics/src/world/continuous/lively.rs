//! Policy *auto*: which bodies may bounce in a step, and whether their impacts are solved when they happen.

use crate::body::{BodyTrack, track_flags};
use crate::solver::{MIN_APPROACH, MIN_RESTITUTION};
use crate::world::{Switch, World};

/// Bodies that move and may bounce in one step, up to which they are looked after.
///
/// Each is swept however slow it is, against all that moves, and what it meets costs some microseconds. In a heap of thousands that is stirred
/// no one sees which of them bounced late.
const MAX_LIVELY: usize = 128;

/// Impacts of a step that are solved when they happen though no body asks for it, and the bounces that they may cause: an
/// impact passes through all that touches. What comes later is clamped.
///
/// Half a millisecond of work. 200 things that are poured into a bin would bounce 9000 times in a step otherwise, and take 20 ms.
const MAX_IMPACTS: u32 = 64;
const MAX_BOUNCES: usize = 256;

/// What impacts that no body asks for have cost in a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spent {
    pub(super) impacts: u32,
    pub(super) bounces: usize,
}

impl Spent {
    /// Says whether the rest of the impacts is clamped.
    pub(super) fn is_all(self) -> bool {
        self.impacts >= MAX_IMPACTS || self.bounces >= MAX_BOUNCES
    }
}

/// Says whether a body is held by nothing in this step, and leaves it to us what becomes of the rest of it.
fn flies(track: &BodyTrack) -> bool {
    let is_held = track.constraints > 0 && track.flags & track_flags::AIRBORNE == 0;
    track.flags & track_flags::AUTO != 0 && !is_held
}

impl World {
    /// Marks the bodies that may bounce in this step of `dt` [s], unless they are too many.
    pub(crate) fn mark_lively(&mut self, awake: &[u32], dt: f32) {
        self.scratch.lively = false;
        if !self.shapes.bouncy || self.def.continuous == Switch::Off {
            return;
        }
        let least = self.least_way_of_lively(dt) / dt;
        let mut moving = 0;
        for &slot in awake {
            let is_lively = self.may_bounce(slot);
            let track = &mut self.bodies.tracks[slot as usize];
            track.flags &= !(track_flags::BOUNCE_CANDIDATE | track_flags::AIRBORNE);
            if is_lively {
                track.flags |= track_flags::BOUNCE_CANDIDATE;
                let state = &self.bodies.states[slot as usize];
                let turning = state.angular_velocity.abs() * track.max_extent;
                moving += usize::from(state.velocity.norm() + turning > least);
            }
        }
        self.scratch.lively = moving <= MAX_LIVELY;
        for &slot in awake {
            if !self.scratch.lively {
                self.bodies.tracks[slot as usize].flags &= !track_flags::BOUNCE_CANDIDATE;
            } else if self.flies(slot, dt) {
                self.bodies.tracks[slot as usize].flags |= track_flags::AIRBORNE;
            }
        }
    }

    /// Says whether the body in `slot` bounces off most things, or off something near.
    fn may_bounce(&self, slot: u32) -> bool {
        let flags = self.bodies.tracks[slot as usize].flags;
        let bounces_off = |&contact: &u32| {
            self.contacts.constraints[contact as usize].restitution >= MIN_RESTITUTION
        };
        flags & track_flags::AUTO != 0
            && (flags & track_flags::BOUNCY != 0
                || self.bodies.slots[slot].contacts.iter().any(bounces_off))
    }

    /// Says whether the lively body in `slot` touches only what it bounces off in this step of `dt` \[s\], or has bounced off.
    fn flies(&self, slot: u32, dt: f32) -> bool {
        let track = &self.bodies.tracks[slot as usize];
        let bounces_off = |&&contact: &&u32| {
            self.contacts.slots[contact].pushes()
                && self.contacts.constraints[contact as usize].restitution >= MIN_RESTITUTION
                && self.nothing_rests_in(contact, dt)
        };
        let contacts = &self.bodies.slots[slot].contacts;
        track.flags & track_flags::BOUNCE_CANDIDATE != 0
            && contacts.len() >= track.constraints as usize
            && contacts.iter().filter(bounces_off).count() == track.constraints as usize
    }

    /// Returns the way of a body in a step of `dt` \[s\] up to which it meets nothing fast \[m\]: half of what two of them need.
    pub(crate) fn least_way_of_lively(&self, dt: f32) -> f32 {
        0.5 * dt * self.least_bounce().max(MIN_APPROACH)
    }

    /// Says whether impacts of two bodies, on shapes of the given restitution, are solved when they happen. In a heap, where
    /// both are held by others too, no one sees when.
    #[inline]
    pub(super) fn solves_at_once(
        &self,
        bodies: [u32; 2],
        restitution: impl FnOnce() -> f32,
    ) -> bool {
        let [a, b] = bodies.map(|body| &self.bodies.tracks[body as usize]);
        (a.flags | b.flags) & track_flags::SUBSTEP != 0
            || self.scratch.lively && (flies(a) || flies(b)) && restitution() >= MIN_RESTITUTION
    }

    /// Says whether impacts of two shapes are solved when they happen.
    #[inline]
    pub(super) fn shapes_solve_at_once(&self, shapes: [u32; 2]) -> bool {
        let [a, b] = shapes.map(|shape| &self.shapes.slots[shape]);
        self.solves_at_once([a.body, b.body], || {
            a.material.restitution_with(&b.material)
        })
    }

    /// Says whether one of the bodies asks for it that its impacts are solved when they happen.
    pub(super) fn asks_for_substep(&self, bodies: [u32; 2]) -> bool {
        self.solves_at_once(bodies, || 0.0)
    }

    /// Notes whether a shape of the body in `slot` bounces.
    pub(crate) fn update_springiness(&mut self, slot: u32) {
        let shapes = self.bodies.slots[slot].shapes.iter();
        let is_springy = shapes
            .copied()
            .any(|shape| self.shapes.slots[shape].material.restitution >= MIN_RESTITUTION);
        let flags = &mut self.bodies.tracks[slot as usize].flags;
        *flags &= !track_flags::BOUNCY;
        if is_springy {
            *flags |= track_flags::BOUNCY;
            self.shapes.bouncy = true;
        }
    }
}
