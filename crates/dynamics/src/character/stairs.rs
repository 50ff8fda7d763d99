//! Climbing steps: up, forward and down again, if there is ground to stand on.

use crate::character::around::{Rules, SHORTEST, Touch};
use crate::character::slide::Walker;
use cairn2d_geometry::math::Vec2;

/// Places between the end of the wish and the room on top at which ground is looked for. An edge holds at the first; on a
/// round bump the character goes a little farther than it wished, up to where that is not too steep.
const STRIDES: u8 = 4;

impl Walker<'_> {
    /// Climbs the step that `wall` is the front of, and goes on along `left`; says whether it did.
    ///
    /// First a look: raised, is there room of the width of a step, and ground to walk on beneath it? Then the same with the true way.
    pub(super) fn step_onto(&mut self, wall: &Touch, left: Vec2) -> bool {
        let Rules {
            up,
            step_height,
            step_width,
            step_onto,
            ..
        } = self.around.rules;
        let flat = self.around.rules.flat(left);
        let length = flat.norm();
        if step_height <= 0.0 || length <= SHORTEST || !step_onto.contains(wall.kind) {
            return false;
        }
        let forward = flat / length;
        let rise = self.free_way(self.offset, up * step_height);
        let raised = self.offset + rise;
        let room = self
            .free_way(raised, forward * step_width.max(length))
            .norm();
        if rise.norm() <= SHORTEST || room < step_width - SHORTEST {
            return false;
        }
        if self.ground_below(raised + forward * room, rise).is_none() {
            return false;
        }
        let first = length.min(room);
        let places = (0..=STRIDES).map(|i| first + (room - first) * (i as f32 / STRIDES as f32));
        let end = places
            .filter_map(|way| self.ground_below(raised + forward * way, rise))
            .find(|end| (end - self.offset).dot(&up) > SHORTEST);
        self.offset = end.unwrap_or(self.offset);
        end.is_some()
    }

    /// Returns the part of `way` up to the first thing that is met.
    pub(super) fn free_way(&self, offset: Vec2, way: Vec2) -> Vec2 {
        let hit = self.around.cast(offset, way);
        way * hit.map_or(1.0, |hit| hit.fraction)
    }

    /// Returns where the character comes to stand beneath a place, if that is ground to walk on, less than `rise` below and no higher
    /// than a step.
    fn ground_below(&self, offset: Vec2, rise: Vec2) -> Option<Vec2> {
        let hit = self.around.cast(offset, -rise)?;
        let place = offset - rise * hit.fraction;
        let touch = self.around.touch_of(&hit);
        let height = self.around.height_of(&touch, self.offset);
        let is_low = height <= self.around.rules.step_height + SHORTEST;
        let is_ground = is_low && self.around.walkable(&touch, place).is_some();
        is_ground.then_some(place)
    }
}
