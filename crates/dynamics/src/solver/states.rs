//! Access to body states that several constraints, and several threads, share.
//!
//! Within a color no two constraints share a moving body, and between colors there is a barrier: so no state
//! is ever read or written by two threads at once, though the compiler cannot know it. This file is the
//! wall around that argument.

use crate::body::state::BodyState;
use crate::body::states::BodyStates;
use crate::id::NO_SLOT;
use cairn2d_simd::Lanes;
use core::marker::PhantomData;

/// The states of all bodies, shared between constraints.
#[derive(Clone, Copy)]
pub(crate) struct SharedStates<'a> {
    /// Of the first state; before it there is an identity.
    first: *mut BodyState,
    len: usize,
    /// By body slot: where its state is, or [`NO_SLOT`] for one that is at rest; empty if states lie in order of slots.
    places: &'a [u32],
    states: PhantomData<&'a mut [BodyState]>,
}

// SAFETY: a body is touched by one constraint of a color, and a color by one stage at a time.
unsafe impl Send for SharedStates<'_> {}
// SAFETY: as above.
unsafe impl Sync for SharedStates<'_> {}

/// Velocities of one body a lane.
#[derive(Clone, Copy)]
pub(crate) struct Velocities<L> {
    pub(crate) x: L,
    pub(crate) y: L,
    pub(crate) w: L,
    flags: L,
}

/// Ways since the start of the step of one body a lane: position, cosine and sine.
#[derive(Clone, Copy)]
pub(crate) struct Deltas<L> {
    pub(crate) x: L,
    pub(crate) y: L,
    pub(crate) c: L,
    pub(crate) s: L,
}

impl<L: Lanes> Velocities<L> {
    /// Returns `self` where one of the masks is true, else `other`.
    #[inline(always)]
    pub(crate) fn or_else(self, other: Self, (p, q): (L::Mask, L::Mask)) -> Self {
        Self {
            x: L::select(p, self.x, L::select(q, self.x, other.x)),
            y: L::select(p, self.y, L::select(q, self.y, other.y)),
            w: L::select(p, self.w, L::select(q, self.w, other.w)),
            flags: self.flags,
        }
    }
}

impl<'a> SharedStates<'a> {
    pub(crate) fn new(states: &'a mut BodyStates) -> Self {
        Self {
            len: states.len(),
            first: states.first(),
            places: &[],
            states: PhantomData,
        }
    }

    /// Of states that lie elsewhere: `places` tells where, by body slot, or [`NO_SLOT`] for one that is at rest.
    pub(crate) fn placed(states: &'a mut BodyStates, places: &'a [u32]) -> Self {
        Self {
            places,
            ..Self::new(states)
        }
    }

    /// Number of states.
    pub(crate) fn len(self) -> usize {
        self.len
    }

    /// Returns where the state of the body in `slot` is: what a constraint keeps. [`NO_SLOT`] for one that nobody moves.
    ///
    /// # Panics
    /// If there is no such body.
    #[inline(always)]
    pub(crate) fn place(self, slot: u32) -> u32 {
        if slot == NO_SLOT {
            return NO_SLOT;
        }
        let place = if self.places.is_empty() {
            slot
        } else {
            self.places[slot as usize]
        };
        assert!(place == NO_SLOT || (place as usize) < self.len);
        place
    }

    /// Returns the state of the body in `slot`; the identity for one that nobody moves.
    ///
    /// # Safety
    /// No one else writes the state during the call.
    #[inline(always)]
    pub(crate) unsafe fn get(self, slot: u32) -> BodyState {
        let place = self.place(slot);
        if place == NO_SLOT {
            return BodyState::IDENTITY;
        }
        // SAFETY: in bounds; the caller excludes others.
        unsafe { *self.first.add(place as usize) }
    }

    /// Writes the state of the body in `slot`; nothing for one that nobody moves.
    ///
    /// # Safety
    /// No one else uses the state during the call.
    #[inline(always)]
    pub(crate) unsafe fn set(self, slot: u32, state: &BodyState) {
        let place = self.place(slot);
        if place != NO_SLOT {
            // SAFETY: in bounds; the caller excludes others.
            unsafe { *self.first.add(place as usize) = *state };
        }
    }

    /// Writes the velocities of the body in `slot`; nothing for one that nobody moves.
    ///
    /// # Safety
    /// No one else uses the state during the call.
    #[inline(always)]
    pub(crate) unsafe fn set_velocity(self, slot: u32, state: &BodyState) {
        let place = self.place(slot);
        if place == NO_SLOT {
            return;
        }
        // SAFETY: in bounds; the caller excludes others.
        unsafe {
            let target = self.first.add(place as usize);
            (*target).velocity = state.velocity;
            (*target).angular_velocity = state.angular_velocity;
        }
    }

    #[inline(always)]
    fn row(self, place: u32, row: usize) -> *const f32 {
        debug_assert!(place == NO_SLOT || (place as usize) < self.len);
        // `NO_SLOT` is -1: where the identity is.
        let state = self.first.wrapping_offset(place.cast_signed() as isize);
        state.cast::<f32>().wrapping_add(4 * row)
    }

    /// Returns the velocities of the bodies in `places`.
    ///
    /// # Safety
    /// Each place is one that [`place`](Self::place) gave, and no one else writes these states during the call.
    #[inline(always)]
    pub(crate) unsafe fn velocities<L: Lanes>(
        self,
        simd: L::Simd,
        places: &L::Indices,
    ) -> Velocities<L> {
        let places = places.as_ref();
        // SAFETY: rows of states in bounds, or of the identity.
        let [x, y, w, flags] = unsafe { L::load_rows(simd, |lane| self.row(places[lane], 0)) };
        Velocities { x, y, w, flags }
    }

    /// Returns velocities, and ways since the start of the step, of the bodies in `places`: in one go, which is faster where
    /// they were not written just now. A store of half a state keeps a load of all of it waiting: contacts of small islands
    /// read the halves.
    ///
    /// # Safety
    /// Each place is one that [`place`](Self::place) gave, and no one else writes these states during the call.
    #[inline(always)]
    pub(crate) unsafe fn motions<L: Lanes>(
        self,
        simd: L::Simd,
        places: &L::Indices,
    ) -> (Velocities<L>, Deltas<L>) {
        let places = places.as_ref();
        // SAFETY: states in bounds, or the identity.
        let [v, d] = unsafe { L::load_long_rows(simd, |lane| self.row(places[lane], 0)) };
        let [x, y, w, flags] = v;
        let velocities = Velocities { x, y, w, flags };
        let [x, y, c, s] = d;
        (velocities, Deltas { x, y, c, s })
    }

    /// Returns the ways since the start of the step of the bodies in `places`.
    ///
    /// # Safety
    /// Each place is one that [`place`](Self::place) gave, and no one else writes these states during the call.
    #[inline(always)]
    pub(crate) unsafe fn deltas<L: Lanes>(self, simd: L::Simd, places: &L::Indices) -> Deltas<L> {
        let places = places.as_ref();
        // SAFETY: rows of states in bounds, or of the identity.
        let [x, y, c, s] = unsafe { L::load_rows(simd, |lane| self.row(places[lane], 1)) };
        Deltas { x, y, c, s }
    }

    /// Writes the velocities of the bodies in `places`; lanes with [`NO_SLOT`] go nowhere.
    ///
    /// # Safety
    /// Each place is one that [`place`](Self::place) gave, none but [`NO_SLOT`] occurs twice, and no one else uses
    /// these states during the call.
    #[inline(always)]
    pub(crate) unsafe fn set_velocities<L: Lanes>(self, places: &L::Indices, v: Velocities<L>) {
        // SAFETY: the caller's.
        unsafe { self.set_rows([v.x, v.y, v.w, v.flags], places, 0) };
    }

    /// Writes the ways since the start of the step of the bodies in `places`; lanes with [`NO_SLOT`] go nowhere.
    ///
    /// # Safety
    /// Each place is one that [`place`](Self::place) gave, none but [`NO_SLOT`] occurs twice, and no one else uses
    /// these states during the call.
    #[inline(always)]
    pub(crate) unsafe fn set_deltas<L: Lanes>(self, places: &L::Indices, d: Deltas<L>) {
        // SAFETY: the caller's.
        unsafe { self.set_rows([d.x, d.y, d.c, d.s], places, 1) };
    }

    /// # Safety
    /// Each place is one that [`place`](Self::place) gave, none but [`NO_SLOT`] occurs twice, and no one else uses
    /// these states during the call; `row` is 0 or 1.
    #[inline(always)]
    unsafe fn set_rows<L: Lanes>(self, rows: [L; 4], places: &L::Indices, row: usize) {
        let places = places.as_ref();
        let state = |lane: usize| {
            let state = self.first.wrapping_add(places[lane] as usize);
            state.cast::<f32>().wrapping_add(4 * row)
        };
        // All lanes at once: sixteen branches, however well foretold, take 1 to 3 % of a pass.
        if places
            .iter()
            .fold(true, |all, &place| all & (place != NO_SLOT))
        {
            // SAFETY: rows of states in bounds.
            return unsafe { L::store_rows(rows, state) };
        }
        let mut nowhere = [0.0f32; 4];
        let nowhere = nowhere.as_mut_ptr();
        let address = |lane: usize| {
            if places[lane] == NO_SLOT {
                nowhere
            } else {
                state(lane)
            }
        };
        // SAFETY: a row of states in bounds, or a place on the stack.
        unsafe { L::store_rows(rows, address) };
    }
}
