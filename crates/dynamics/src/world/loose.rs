//! Loose bodies: slow, but nothing holds them where they are.
//!
//! What stands on two points and is slow will not go anywhere. What drifts, rolls down a gentle slope, swings, or is about to topple is
//! slow as well, and would go far: put to rest, it hangs in the air for all to see. So before an island falls asleep, its bodies
//! are looked at for what holds them, and those that are loose must be next to still for as long again.

use crate::body::{BodyTrack, track_flags};
use crate::graph::GraphPlace;
use crate::world::World;

/// Speed up to which a loose body is at rest, relative to that of others: 0.4 mm/s by default.
///
/// A ball that starts on a slope of a hundredth of a degree is faster after half a second. Smaller: what is braked by damping alone is awake for
/// longer.
const STILL_SHARE: f32 = 0.008;

/// Contacts and joints from which on a body is held, whatever they are.
const HELD_BY: u32 = 2;

/// Says whether a loose body is at rest, given the speed of its fastest point [m/s]; it is loose no longer if it is fast, or
/// something has come to hold it.
#[cold]
pub(crate) fn rests_though_loose(track: &mut BodyTrack, fastest_point: f32) -> bool {
    if fastest_point > track.sleep_speed || track.constraints >= HELD_BY {
        track.flags &= !track_flags::UNSUPPORTED;
    }
    fastest_point <= STILL_SHARE * track.sleep_speed
}

impl World {
    /// Marks the bodies of `island` that nothing holds; says whether there were any that had not been marked.
    pub(crate) fn watch_what_is_loose(&mut self, island: u32) -> bool {
        let bodies = core::mem::take(&mut self.islands.slots[island as usize].bodies);
        let mut found = false;
        for &slot in &bodies {
            if self.bodies.tracks[slot as usize].flags & track_flags::UNSUPPORTED == 0
                && self.is_loose(slot)
            {
                let track = &mut self.bodies.tracks[slot as usize];
                track.flags |= track_flags::UNSUPPORTED;
                track.slow_time = 0.0;
                found = true;
            }
        }
        self.islands.slots[island as usize].bodies = bodies;
        found
    }

    /// Says whether nothing holds the body in `slot`: it touches nothing, or one thing at one point, or swings on one joint without loss.
    /// On joints that are iterated everything comes to rest.
    fn is_loose(&self, slot: u32) -> bool {
        let track = &self.bodies.tracks[slot as usize];
        if track.constraints >= HELD_BY {
            return false;
        }
        let body = &self.bodies.slots[slot];
        let held_at = body
            .contacts
            .iter()
            .filter(|&&contact| self.contacts.slots[contact].graph != GraphPlace::NONE);
        let pushing = held_at.map(|&contact| {
            let constraint = &self.contacts.constraints[contact as usize];
            let points = constraint.points[..constraint.count as usize].iter();
            points.filter(|point| point.normal_impulse > 0.0).count()
        });
        let is_on_a_joint = body
            .joints
            .iter()
            .any(|&joint| self.joints.slots[joint].graph != GraphPlace::NONE);
        if is_on_a_joint {
            self.is_lossless(track.island)
        } else {
            pushing.sum::<usize>() < HELD_BY as usize
        }
    }

    /// Says whether what hangs together in `island` goes on swinging for ever: its joints are solved directly, though it bears little.
    fn is_lossless(&self, island: u32) -> bool {
        self.islands.direct.contains(island) && self.islands.slots[island as usize].level == 0
    }
}
