//! The states of bodies, preceded by an identity for all static bodies, and states of one body a lane.

use super::state::BodyState;
use crate::growth::{grow_to, push};
use cairn2d_geometry::{WrittenSlots, clone_fields};
use cairn2d_simd::Lanes;
use core::ops::{Deref, Index, IndexMut};

/// States by body slot, or in another order.
///
/// In memory an identity precedes the first state: a constraint with a static body loads it from place -1,
/// the value of [`NO_SLOT`](crate::id::NO_SLOT) as a signed index, without a branch: sixteen lanes in each of
/// a dozen passes. It is never written.
#[derive(Debug)]
pub(crate) struct BodyStates {
    all: Vec<BodyState>,
    /// See [`TrackedRecords`](crate::tracked::TrackedRecords).
    written: WrittenSlots,
}

clone_fields!(BodyStates { all, written });

impl Default for BodyStates {
    fn default() -> Self {
        Self {
            all: vec![BodyState::IDENTITY],
            written: WrittenSlots::default(),
        }
    }
}

impl BodyStates {
    /// Makes room for `count` states; new ones are copies of `empty`.
    pub(crate) fn grow(&mut self, count: usize, empty: BodyState) {
        grow_to(&mut self.all, count + 1, empty);
    }

    /// Reserves memory for `additional` states in addition to the existing ones.
    pub(crate) fn reserve(&mut self, additional: usize) {
        self.all.reserve(additional);
    }

    pub(crate) fn push(&mut self, state: BodyState) {
        push(&mut self.all, state);
    }

    pub(crate) fn clear(&mut self) {
        self.all.truncate(1);
    }

    /// Sleeping slots that were written since the base of deltas.
    pub(crate) const fn written(&self) -> &WrittenSlots {
        &self.written
    }

    /// From now on the present states are those of the base.
    pub(crate) fn begin_base(&mut self) {
        self.written.clear();
    }

    /// Returns all states, to write those of awake bodies.
    pub(crate) fn write_awake(&mut self) -> &mut [BodyState] {
        &mut self.all[1..]
    }

    /// Returns the address of the first state, to write those of awake bodies; the identity precedes it.
    pub(crate) fn first(&mut self) -> *mut BodyState {
        self.all.as_mut_ptr().wrapping_add(1)
    }
}

impl Deref for BodyStates {
    type Target = [BodyState];
    #[inline]
    fn deref(&self) -> &[BodyState] {
        &self.all[1..]
    }
}

impl Index<usize> for BodyStates {
    type Output = BodyState;
    #[inline]
    fn index(&self, slot: usize) -> &BodyState {
        &self.all[1..][slot]
    }
}

impl IndexMut<usize> for BodyStates {
    #[inline]
    fn index_mut(&mut self, slot: usize) -> &mut BodyState {
        self.written.note(slot);
        &mut self.all[1..][slot]
    }
}

/// Velocities of one body a lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Velocities<L> {
    pub(crate) x: L,
    pub(crate) y: L,
    pub(crate) w: L,
    pub(crate) flags: L,
}

/// Motions since the start of the step of one body a lane: position, cosine and sine.
#[derive(Clone, Copy, Debug)]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identity_stands_before_the_first() {
        let mut states = BodyStates::default();
        states.grow(3, BodyState::IDENTITY);
        states[0].angular_velocity = 5.0;
        states.push(BodyState::IDENTITY);
        let first = states.first();
        assert_eq!(states.len(), 4);
        // SAFETY: both lie in the list.
        let (before, at) = unsafe { (*first.wrapping_sub(1), *first) };
        assert_eq!((before, at.angular_velocity), (BodyState::IDENTITY, 5.0));
        states.clear();
        assert!(states.is_empty());
    }
}
