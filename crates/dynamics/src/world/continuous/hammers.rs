//! Heavy things that fly at light ones: these must be touched before they are entered.
//!
//! What falls into something of its own mass by some centimetres is pushed out of it, and no one sees it. What is much heavier is stopped by
//! the contacts below the light body, all together ([`impact`](crate::impact)); in the light body it is thrown up by what presses that out.

use crate::body::mass_ratio::is_high_mass_ratio;
use crate::body::track_flags;
use crate::world::World;

/// Heavy bodies that fly in a step, up to which they are swept against dynamic ones.
const MAX_HAMMERS: usize = 64;

impl World {
    /// Marks what flies and is heavy beside something in the world.
    pub(crate) fn mark_hammers(&mut self, awake: &[u32]) {
        let [heaviest, lightest] = self.inv_masses;
        if !is_high_mass_ratio(heaviest, lightest) {
            self.unmark_hammers();
            return;
        }
        let mut count = 0;
        for &slot in awake {
            let inv_mass = self.bodies.masses[slot as usize].inv_mass;
            let track = &mut self.bodies.tracks[slot as usize];
            track.flags &= !track_flags::AIRBORNE_HEAVY;
            let is_heavy =
                track.flags & track_flags::DYNAMIC != 0 && is_high_mass_ratio(inv_mass, lightest);
            if is_heavy && track.constraints == 0 {
                track.flags |= track_flags::AIRBORNE_HEAVY;
                count += 1;
            }
        }
        self.any_hammers |= count > 0;
        if count > MAX_HAMMERS {
            for &slot in awake {
                self.bodies.tracks[slot as usize].flags &= !track_flags::AIRBORNE_HEAVY;
            }
        }
    }

    /// Clears the marks of what was heavy beside bodies that are gone, sleeping bodies included.
    fn unmark_hammers(&mut self) {
        if core::mem::take(&mut self.any_hammers) {
            for track in &mut self.bodies.tracks {
                track.flags &= !track_flags::AIRBORNE_HEAVY;
            }
        }
    }

    /// Says whether one of two bodies is heavy, flies, and is so at the other, which hangs on nothing: on joints, blows are
    /// stopped by the substeps.
    pub(super) fn is_hammer_blow(&self, [a, b]: [u32; 2]) -> bool {
        let flags = |body: u32| self.bodies.tracks[body as usize].flags;
        let inv_mass = |body: u32| self.bodies.masses[body as usize].inv_mass;
        let hits = |a: u32, b: u32| {
            flags(a) & track_flags::AIRBORNE_HEAVY != 0
                && flags(b) & track_flags::JOINTED == 0
                && is_high_mass_ratio(inv_mass(a), inv_mass(b))
        };
        hits(a, b) || hits(b, a)
    }
}
