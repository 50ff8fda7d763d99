//! Access to body states that several constraints, and several threads, share.
//!
//! Within a color no two constraints share a moving body, and between colors there is a barrier: so no state
//! is ever read or written by two threads at once, though the compiler cannot know it. This argument stays
//! within this file.

use crate::body::state::BodyState;
use crate::body::states::BodyStates;
pub(crate) use crate::body::states::{Deltas, Velocities};
use crate::id::NO_SLOT;
use cairn2d_simd::{Lanes, Mask, Simd};
use core::marker::PhantomData;

/// The states of all bodies, shared between constraints.
#[derive(Clone, Copy)]
pub(crate) struct SharedStates<'a> {
    /// The first state; before it is an identity.
    first: *mut BodyState,
    len: usize,
    /// Place of the state by body slot, or [`NO_SLOT`] for static bodies; empty if states lie in order of
    /// slots.
    places: &'a [u32],
    states: PhantomData<&'a mut [BodyState]>,
}

// SAFETY: a body is touched by one constraint of a color, and a color by one stage at a time.
unsafe impl Send for SharedStates<'_> {}
// SAFETY: as above.
unsafe impl Sync for SharedStates<'_> {}

impl<'a> SharedStates<'a> {
    pub(crate) fn new(states: &'a mut BodyStates) -> Self {
        Self {
            len: states.len(),
            first: states.first(),
            places: &[],
            states: PhantomData,
        }
    }

    /// Returns access to copies of states in another order. Bodies without a copy count as static.
    pub(crate) fn reordered(copies: &'a mut ReorderedStates) -> Self {
        Self {
            places: &copies.places,
            ..Self::new(&mut copies.states)
        }
    }

    /// Number of states.
    pub(crate) fn len(self) -> usize {
        self.len
    }

    /// Returns the place of the state of the body in `slot`, for blocks; [`NO_SLOT`] for a static body.
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

    /// Returns the place of the body in `slot` of the given inverse mass, for constraints that push it.
    ///
    /// # Panics
    /// If there is no such body, or it has a mass and no state: see [`set_pushed`](Self::set_pushed).
    #[inline(always)]
    pub(crate) fn place_of(self, slot: u32, inv_mass: f32) -> u32 {
        let place = self.place(slot);
        assert!(place != NO_SLOT || inv_mass <= 0.0);
        place
    }

    /// Returns the state of the body in `slot`; the identity for a static body.
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

    /// Writes the state of the body in `slot`; nothing for a static body.
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

    /// Moves the body whose state is at `place` for `h` \[s\] with the velocities of `rates`, except along locked axes.
    ///
    /// # Safety
    /// The place is a result of [`place`](Self::place) other than [`NO_SLOT`], and no one else uses the state during the
    /// call.
    pub(crate) unsafe fn advance(self, place: u32, rates: &BodyState, h: f32) {
        debug_assert!((place as usize) < self.len);
        // SAFETY: in bounds; the caller excludes others.
        unsafe { (*self.first.add(place as usize)).advance(rates, h) };
    }

    #[inline(always)]
    fn row(self, place: u32, row: usize) -> *const f32 {
        debug_assert!(place == NO_SLOT || (place as usize) < self.len);
        // `NO_SLOT` is -1: where the identity is.
        let state = self.first.wrapping_offset(place.cast_signed() as isize);
        state.cast::<f32>().wrapping_add(4 * row)
    }

    /// The same to be written: the place is not [`NO_SLOT`].
    #[inline(always)]
    fn row_mut(self, place: u32, row: usize) -> *mut f32 {
        debug_assert!((place as usize) < self.len);
        let state = self.first.wrapping_add(place as usize);
        state.cast::<f32>().wrapping_add(4 * row)
    }

    /// Returns the velocities of the bodies in `places`.
    ///
    /// # Safety
    /// Each place is a result of [`place`](Self::place), and no one else writes these states during the call.
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

    /// Returns velocities, and motions since the start of the step, of the bodies in `places`, by one load.
    /// This is faster unless they were just written: a store of half a state delays a load of all of it, so
    /// contacts, which write velocities, load the halves.
    ///
    /// # Safety
    /// Each place is a result of [`place`](Self::place), and no one else writes these states during the call.
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

    /// Returns the motions since the start of the step of the bodies in `places`.
    ///
    /// # Safety
    /// Each place is a result of [`place`](Self::place), and no one else writes these states during the call.
    #[inline(always)]
    pub(crate) unsafe fn deltas<L: Lanes>(self, simd: L::Simd, places: &L::Indices) -> Deltas<L> {
        let places = places.as_ref();
        // SAFETY: rows of states in bounds, or of the identity.
        let [x, y, c, s] = unsafe { L::load_rows(simd, |lane| self.row(places[lane], 1)) };
        Deltas { x, y, c, s }
    }

    /// Writes the velocities of the bodies in `places`; lanes with [`NO_SLOT`] are not written.
    ///
    /// # Safety
    /// Each place is a result of [`place`](Self::place), none but [`NO_SLOT`] occurs twice, and no one else
    /// uses these states during the call.
    #[inline(always)]
    pub(crate) unsafe fn set_velocities<L: Lanes>(self, places: &L::Indices, v: Velocities<L>) {
        // SAFETY: as the caller promises.
        unsafe { self.set_rows([v.x, v.y, v.w, v.flags], places, 0) };
    }

    /// Writes the velocities of the bodies in `places` that impulses can change: where the inverse mass is above 0.
    ///
    /// The state of a kinematic body is never written. Constraints of one color may share it: a write would race with
    /// that of another thread, and an impulse that is not finite would make it NaN for all its other neighbors.
    ///
    /// # Safety
    /// Each place is the result of [`place_of`](Self::place_of) with its inverse mass. None with a mass occurs twice, and
    /// no one else uses their states during the call.
    #[inline(always)]
    pub(crate) unsafe fn set_pushed<L: Lanes>(
        self,
        places: &L::Indices,
        inv_mass: L,
        v: Velocities<L>,
    ) {
        let is_pushed = inv_mass.gt(inv_mass.simd().zero());
        let rows = [v.x, v.y, v.w, v.flags];
        let places = places.as_ref();
        if is_pushed.all() {
            // SAFETY: rows of states in bounds.
            return unsafe { L::store_rows(rows, |lane| self.row_mut(places[lane], 0)) };
        }
        let mut unused = [0.0f32; 4];
        let unused = unused.as_mut_ptr();
        let is_pushed = is_pushed.bits();
        let address = |lane: usize| {
            if is_pushed & (1 << lane) == 0 {
                unused
            } else {
                self.row_mut(places[lane], 0)
            }
        };
        // SAFETY: a row of states in bounds, or a place on the stack.
        unsafe { L::store_rows(rows, address) };
    }

    /// Writes the motions since the start of the step of the bodies in `places`; lanes with [`NO_SLOT`] are
    /// not written.
    ///
    /// # Safety
    /// Each place is a result of [`place`](Self::place), none but [`NO_SLOT`] occurs twice, and no one else
    /// uses these states during the call.
    #[inline(always)]
    pub(crate) unsafe fn set_deltas<L: Lanes>(self, places: &L::Indices, d: Deltas<L>) {
        // SAFETY: as the caller promises.
        unsafe { self.set_rows([d.x, d.y, d.c, d.s], places, 1) };
    }

    /// # Safety
    /// Each place is a result of [`place`](Self::place), none but [`NO_SLOT`] occurs twice, and no one else
    /// uses these states during the call; `row` is 0 or 1.
    #[inline(always)]
    unsafe fn set_rows<L: Lanes>(self, rows: [L; 4], places: &L::Indices, row: usize) {
        let places = places.as_ref();
        let state = |lane: usize| self.row_mut(places[lane], row);
        // One test for all lanes: sixteen branches, however well predicted, take 1 to 3 % of a pass.
        if places
            .iter()
            .fold(true, |all, &place| all & (place != NO_SLOT))
        {
            // SAFETY: rows of states in bounds.
            return unsafe { L::store_rows(rows, state) };
        }
        let mut unused = [0.0f32; 4];
        let unused = unused.as_mut_ptr();
        let address = |lane: usize| {
            if places[lane] == NO_SLOT {
                unused
            } else {
                state(lane)
            }
        };
        // SAFETY: a row of states in bounds, or a place on the stack.
        unsafe { L::store_rows(rows, address) };
    }
}

/// Copies of the states of some bodies, in another order than that of their slots.
#[derive(Debug, Default)]
pub(crate) struct ReorderedStates {
    states: BodyStates,
    /// By body slot: place of its copy; `NO_SLOT` without one.
    places: Vec<u32>,
}

impl ReorderedStates {
    /// Copies the states of `bodies`, in this order.
    ///
    /// # Safety
    /// No one else writes these states during the call.
    pub(crate) unsafe fn copy_from(&mut self, bodies: &[u32], states: SharedStates<'_>) {
        self.places.clear();
        self.places.resize(states.len(), NO_SLOT);
        self.states.clear();
        for (place, &slot) in (0..).zip(bodies) {
            self.places[slot as usize] = place;
            // SAFETY: as the caller promises.
            self.states.push(unsafe { states.get(slot) });
        }
    }

    /// Writes the copies back.
    ///
    /// # Safety
    /// No one else uses these states during the call.
    pub(crate) unsafe fn copy_back(&self, bodies: &[u32], states: SharedStates<'_>) {
        for (&slot, state) in bodies.iter().zip(self.states.iter()) {
            // SAFETY: as the caller promises.
            unsafe { states.set(slot, state) };
        }
    }
}
