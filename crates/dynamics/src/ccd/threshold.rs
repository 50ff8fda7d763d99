//! Sweep threshold: continuous collision sweeps bodies that moved far for their size in the step, and bodies
//! whose impacts are solved at their time.

use crate::body::{Body, BodyTrack, track_flags};

/// Share of a body's half thickness that it may move in a step without a sweep.
///
/// The center must not end up behind a surface that the body has not met yet. Smaller: more sweeps. Larger:
/// thin shapes are entered by more than half.
pub(super) const FAST_SHARE: f32 = 0.5;

/// The same share for a body without contacts and joints. A falling body is visible when it lands and must
/// not be seen inside the ground. In a pile it is invisible, and many bodies would be swept.
const AIRBORNE_SHARE: f32 = 0.2;

/// Flags of bodies that may be swept though they moved by little.
const SWEPT_SLOW: u32 =
    track_flags::SUBSTEP | track_flags::BOUNCE_CANDIDATE | track_flags::HAS_DEFERRED_CONTACTS;

/// Returns the share of its half thickness that a body may move in a step without a sweep.
#[inline]
pub(super) fn free_share(track: &BodyTrack) -> f32 {
    if track.constraints == 0 {
        AIRBORNE_SHARE
    } else {
        FAST_SHARE
    }
}

/// Upper bounds of the motion of a body's points in a step \[m\].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Travel {
    /// Travel of the fastest point.
    pub(crate) total: f32,
    /// The part of it that the rotation causes.
    pub(crate) by_rotation: f32,
}

/// Returns `true` if a body is swept after a step with the given travel. Bounce candidates are swept above
/// `min_travel` \[m\].
#[inline]
pub(crate) fn is_swept(track: &BodyTrack, travel: &Travel, min_travel: f32) -> bool {
    travel.total > free_share(track) * track.min_extent
        || track.flags & SWEPT_SLOW != 0 && is_swept_slow(track.flags, travel.total, min_travel)
}

/// Returns `true` if a body that touches static ground is swept because of its rotation: the manifold has no
/// point yet where its other end comes down.
#[inline]
pub(crate) fn may_turn_into_ground(track: &BodyTrack, travel: &Travel) -> bool {
    travel.by_rotation > AIRBORNE_SHARE * track.min_extent
}

/// Returns `true` if a body may have passed through another dynamic body in a step: it moved by more than its half thickness.
///
/// Bodies of two joints and more, like the links of ropes, are left out. They are many and thin, so that each link of a swinging rope is
/// that fast, and two ropes that pass through each other for a step are not seen.
#[inline]
pub(crate) fn moved_far(body: &Body, track: &BodyTrack, travel: f32) -> bool {
    travel > track.min_extent && body.joints.len() < 2
}

#[cold]
fn is_swept_slow(flags: u32, travel: f32, min_travel: f32) -> bool {
    flags & (track_flags::SUBSTEP | track_flags::HAS_DEFERRED_CONTACTS) != 0 || travel > min_travel
}
