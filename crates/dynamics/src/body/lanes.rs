//! The states of one body a lane.

use cairn2d_simd::Lanes;

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
