//! The support test of sleep: slow bodies that nothing holds in place must be much slower to sleep.
//!
//! A slow body on two points stays where it is. But a slow body that drifts, rolls down a gentle slope, swings or is
//! about to topple would still move far, and if it were put to sleep it would hang in the air. So before an island
//! falls asleep its bodies are tested for support, and those without support must be almost at rest for the full time
//! again.

use crate::body::table::BodyTable;
use crate::body::{BodyTrack, track_flags};
use crate::contact::table::ContactTable;
use crate::graph::GraphPlace;
use crate::island::set::IslandSet;
use crate::joint::table::JointTable;

/// Greatest speed of an unsupported body at rest, as a share of its sleep speed: 0.4 mm/s by default.
///
/// A ball that starts on a slope of a hundredth of a degree is faster after half a second. Smaller: bodies that are
/// slowed by damping alone stay awake for longer.
const UNSUPPORTED_SPEED_SHARE: f32 = 0.008;

/// Contacts, joints or contact points from which a body is supported.
const MIN_SUPPORTS: u32 = 2;

/// Returns `true` if an unsupported body is at rest, given the speed of its fastest point [m/s]. The body counts as
/// supported again once it is fast or has enough constraints.
#[cold]
pub(crate) fn is_unsupported_body_at_rest(track: &mut BodyTrack, fastest_point: f32) -> bool {
    if fastest_point > track.sleep_speed || track.constraints >= MIN_SUPPORTS {
        track.flags &= !track_flags::UNSUPPORTED;
    }
    fastest_point <= UNSUPPORTED_SPEED_SHARE * track.sleep_speed
}

/// Marks the unsupported bodies of `island` and restarts their timers; returns `true` if any was not marked before.
pub(crate) fn mark_unsupported(
    island: u32,
    bodies: &mut BodyTable,
    contacts: &ContactTable,
    joints: &JointTable,
    islands: &IslandSet,
) -> bool {
    let mut found = false;
    let listed = &islands.slots[island as usize].bodies;
    let floats = !listed
        .iter()
        .any(|&slot| is_anchored(slot, bodies, contacts, joints));
    for &slot in listed {
        let is_marked = bodies.tracks[slot as usize].flags & track_flags::UNSUPPORTED != 0;
        if !is_marked && is_unsupported(slot, floats, bodies, contacts, joints, islands) {
            let track = &mut bodies.tracks[slot as usize];
            track.flags |= track_flags::UNSUPPORTED;
            track.slow_time = 0.0;
            found = true;
        }
    }
    found
}

/// Returns `true` if the body in `slot` touches, or is jointed to, a body that is not dynamic.
fn is_anchored(
    slot: u32,
    bodies: &BodyTable,
    contacts: &ContactTable,
    joints: &JointTable,
) -> bool {
    let body = &bodies.slots[slot];
    let touched = body
        .contacts
        .iter()
        .map(|&contact| &contacts.slots[contact])
        .filter(|contact| contact.graph != GraphPlace::NONE)
        .flat_map(|contact| [contact.body_a, contact.body_b]);
    let jointed = joints.solved_joints_of(body);
    touched
        .chain(jointed.flat_map(|joint| joints.slots[joint].bodies()))
        .any(|body| !bodies.is_dynamic(body))
}

/// Returns `true` if the body in `slot` is unsupported: it touches nothing, or one shape at one point, or swings on one
/// joint without loss. Bodies on joints that are solved by iterations always come to rest. Of bodies that `float`, a raft
/// with its cargo, none is supported by the others.
fn is_unsupported(
    slot: u32,
    floats: bool,
    bodies: &BodyTable,
    contacts: &ContactTable,
    joints: &JointTable,
    islands: &IslandSet,
) -> bool {
    let track = &bodies.tracks[slot as usize];
    if track.constraints >= MIN_SUPPORTS {
        return false;
    }
    if floats {
        return true;
    }
    let body = &bodies.slots[slot];
    if joints.solved_joints_of(body).next().is_some() {
        return is_lossless(track.island, islands);
    }
    let touching = body
        .contacts
        .iter()
        .filter(|&&contact| contacts.slots[contact].graph != GraphPlace::NONE);
    let pushing_points = touching.map(|&contact| {
        let constraint = &contacts.constraints[contact as usize];
        let points = constraint.points_in_use().iter();
        points.filter(|point| point.normal_impulse > 0.0).count()
    });
    pushing_points.sum::<usize>() < MIN_SUPPORTS as usize
}

/// Returns `true` if the joints of `island` are solved directly although its load is small: it swings forever.
fn is_lossless(island: u32, islands: &IslandSet) -> bool {
    islands.direct.contains(island)
}
