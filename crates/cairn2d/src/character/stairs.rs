//! Steps: up, forward and down again, if there is ground to stand on.

use super::slide::CharacterMotion;
use super::surroundings::{CharacterLimits, MIN_DISTANCE, NearbySurface};
use cairn2d_geometry::math::Vec2;

/// Number of intervals between the desired end and the far end of the free space on top at which ground is
/// probed. The edge of a step supports at the first; on a round bump the character moves on to where the
/// slope is walkable.
const LANDING_SAMPLES: u8 = 4;

impl CharacterMotion<'_> {
    /// Climbs the step whose front is `wall` and continues along `left`; returns `true` if it did.
    ///
    /// A first probe checks that the raised character has the minimum depth of free space, with walkable
    /// ground below; the second finds the end of the actual motion.
    pub(super) fn step_onto(&mut self, wall: &NearbySurface, left: Vec2) -> bool {
        let CharacterLimits {
            up,
            step_height,
            step_width,
            step_onto,
            ..
        } = self.surroundings.limits;
        let flat = self.surroundings.limits.flat(left);
        let length = flat.norm();
        if step_height <= 0.0 || length <= MIN_DISTANCE || !step_onto.contains(wall.kind) {
            return false;
        }
        let forward = flat / length;
        let rise = self.free_translation(self.offset, up * step_height);
        let raised = self.offset + rise;
        let room = self
            .free_translation(raised, forward * step_width.max(length))
            .norm();
        if rise.norm() <= MIN_DISTANCE || room < step_width - MIN_DISTANCE {
            return false;
        }
        if self.ground_below(raised + forward * room, rise).is_none() {
            return false;
        }
        let first = length.min(room);
        let places = (0..=LANDING_SAMPLES)
            .map(|i| first + (room - first) * (i as f32 / LANDING_SAMPLES as f32));
        let end = places
            .filter_map(|translation| self.ground_below(raised + forward * translation, rise))
            .find(|end| (end - self.offset).dot(&up) > MIN_DISTANCE);
        self.offset = end.unwrap_or(self.offset);
        end.is_some()
    }

    /// Returns the part of `translation` up to the first hit.
    pub(super) fn free_translation(&self, offset: Vec2, translation: Vec2) -> Vec2 {
        let hit = self.surroundings.cast(offset, translation);
        translation * hit.map_or(1.0, |hit| hit.fraction)
    }

    /// Returns the offset at which the character stands below `offset`, if the ground is walkable, less than
    /// `rise` below and at most as high as a step.
    fn ground_below(&self, offset: Vec2, rise: Vec2) -> Option<Vec2> {
        let hit = self.surroundings.cast(offset, -rise)?;
        let place = offset - rise * hit.fraction;
        let surface = self.surroundings.surface_of(&hit);
        let height = self.surroundings.height_of(&surface, self.offset);
        let is_low = height <= self.surroundings.limits.step_height + MIN_DISTANCE;
        let is_ground = is_low && self.surroundings.walkable(&surface, place).is_some();
        is_ground.then_some(place)
    }
}
