//! Access to body states that several constraints, and several threads, share.
//!
//! Within a color no two constraints share a moving body, and between colors there is a barrier: so no state
//! is ever read or written by two threads at once, though the compiler cannot know it. This file is the
//! wall around that argument.

use crate::body::state::BodyState;
use crate::simd::{Lanes, NO_SLOT};
use core::marker::PhantomData;

/// The states of all bodies, shared between constraints.
#[derive(Clone, Copy)]
pub(crate) struct SharedStates<'a> {
    first: *mut BodyState,
    len: usize,
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
    pub(crate) fn new(states: &'a mut [BodyState]) -> Self {
        Self {
            first: states.as_mut_ptr(),
            len: states.len(),
            states: PhantomData,
        }
    }

    /// Number of slots. Who stores slots in a constraint compares them with it.
    pub(crate) fn len(self) -> usize {
        self.len
    }

    /// Returns the state in `slot`; the identity for [`NO_SLOT`].
    #[inline(always)]
    pub(crate) fn get(self, slot: u32) -> BodyState {
        if slot == NO_SLOT {
            return BodyState::IDENTITY;
        }
        assert!((slot as usize) < self.len);
        // SAFETY: in bounds; no one else touches the body in this stage.
        unsafe { *self.first.add(slot as usize) }
    }

    /// Writes the velocities in `slot`; nothing for [`NO_SLOT`].
    #[inline(always)]
    pub(crate) fn set_velocity(self, slot: u32, state: &BodyState) {
        if slot == NO_SLOT {
            return;
        }
        assert!((slot as usize) < self.len);
        // SAFETY: in bounds; no one else touches the body in this stage.
        unsafe {
            let target = self.first.add(slot as usize);
            (*target).velocity = state.velocity;
            (*target).angular_velocity = state.angular_velocity;
        }
    }

    #[inline(always)]
    fn row(self, slot: u32, row: usize) -> *const f32 {
        static IDENTITY: BodyState = BodyState::IDENTITY;
        debug_assert!(slot == NO_SLOT || (slot as usize) < self.len);
        let state: *const BodyState = if slot == NO_SLOT {
            &raw const IDENTITY
        } else {
            self.first.wrapping_add(slot as usize)
        };
        state.cast::<f32>().wrapping_add(4 * row)
    }

    /// Returns the velocities of the bodies in `slots`.
    ///
    /// # Safety
    /// Each slot is [`NO_SLOT`] or less than [`len`](Self::len).
    #[inline(always)]
    pub(crate) unsafe fn velocities<L: Lanes>(self, slots: &L::Slots) -> Velocities<L> {
        let slots = slots.as_ref();
        // SAFETY: rows of states in bounds, or of the identity.
        let [x, y, w, flags] = unsafe { L::load_rows(|lane| self.row(slots[lane], 0)) };
        Velocities { x, y, w, flags }
    }

    /// Returns the ways since the start of the step of the bodies in `slots`.
    ///
    /// # Safety
    /// Each slot is [`NO_SLOT`] or less than [`len`](Self::len).
    #[inline(always)]
    pub(crate) unsafe fn deltas<L: Lanes>(self, slots: &L::Slots) -> Deltas<L> {
        let slots = slots.as_ref();
        // SAFETY: rows of states in bounds, or of the identity.
        let [x, y, c, s] = unsafe { L::load_rows(|lane| self.row(slots[lane], 1)) };
        Deltas { x, y, c, s }
    }

    /// Writes the velocities of the bodies in `slots`; lanes with [`NO_SLOT`] go nowhere.
    ///
    /// # Safety
    /// Each slot is [`NO_SLOT`] or less than [`len`](Self::len), and no slot occurs twice.
    #[inline(always)]
    pub(crate) unsafe fn set_velocities<L: Lanes>(self, slots: &L::Slots, v: Velocities<L>) {
        // SAFETY: the caller's.
        unsafe { self.set_rows([v.x, v.y, v.w, v.flags], slots, 0) };
    }

    /// Writes the ways since the start of the step of the bodies in `slots`; lanes with [`NO_SLOT`] go nowhere.
    ///
    /// # Safety
    /// Each slot is [`NO_SLOT`] or less than [`len`](Self::len), and no slot occurs twice.
    #[inline(always)]
    pub(crate) unsafe fn set_deltas<L: Lanes>(self, slots: &L::Slots, d: Deltas<L>) {
        // SAFETY: the caller's.
        unsafe { self.set_rows([d.x, d.y, d.c, d.s], slots, 1) };
    }

    /// # Safety
    /// Each slot is [`NO_SLOT`] or less than [`len`](Self::len), and no slot occurs twice; `row` is 0 or 1.
    #[inline(always)]
    unsafe fn set_rows<L: Lanes>(self, rows: [L; 4], slots: &L::Slots, row: usize) {
        let slots = slots.as_ref();
        let mut nowhere = [0.0f32; 4];
        let nowhere = nowhere.as_mut_ptr();
        let address = |lane: usize| {
            let slot = slots[lane];
            if slot == NO_SLOT {
                nowhere
            } else {
                let state = self.first.wrapping_add(slot as usize);
                state.cast::<f32>().wrapping_add(4 * row)
            }
        };
        // SAFETY: a row of states in bounds, or a place on the stack.
        unsafe { L::store_rows(rows, address) };
    }
}
