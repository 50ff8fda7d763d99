//! Bounds of the work of continuous collision in a step.

/// Impacts of a body in one step that are solved at their time; later ones are clamped.
///
/// An elastic ball in a corridor 1 m wide has 8 at 480 m/s. Two bodies that collide again and again reach
/// this bound, and the end of the step.
pub(super) const MAX_BODY_IMPACTS: u32 = 8;

/// Events of a body in one step after which it stays where it is. No further event can move it.
pub(super) const MAX_BODY_EVENTS: u32 = 16;

/// Bodies in one step that are swept against dynamic bodies though they are no bullets, or that spin fast.
///
/// Enough for a shot or some debris. Each costs a microsecond; in a rain of thousands a missed collision of
/// two drops is invisible.
pub(super) const MAX_SWEPT_AGAINST_DYNAMIC: usize = 64;

/// Heavy airborne bodies in one step that are swept against dynamic bodies.
pub(super) const MAX_AIRBORNE_HEAVY: usize = 64;

/// Moving bounce candidates in one step; with more, no bounce of the policy *auto* is solved at its time.
///
/// Each is swept at any speed against everything that moves, and its events cost some microseconds. In a
/// stirred pile of thousands late bounces are invisible.
pub(super) const MAX_BOUNCE_CANDIDATES: usize = 128;

/// Impacts of the policy *auto* in one step that are solved at their time; later ones are clamped.
///
/// With [`MAX_AUTO_BOUNCES`], half a millisecond of work. 200 bodies poured into a bin would otherwise bounce
/// 9000 times in a step, in 20 ms.
const MAX_AUTO_IMPACTS: u32 = 64;

/// Bounces that these impacts may cause: an impact propagates through all touching contacts.
const MAX_AUTO_BOUNCES: usize = 256;

/// Work of the impacts of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ImpactWork {
    pub(super) impacts: u32,
    pub(super) bounces: usize,
}

impl ImpactWork {
    /// Returns `true` if further impacts of the policy *auto* are clamped.
    pub(super) fn is_exhausted(self) -> bool {
        self.impacts >= MAX_AUTO_IMPACTS || self.bounces >= MAX_AUTO_BOUNCES
    }
}
