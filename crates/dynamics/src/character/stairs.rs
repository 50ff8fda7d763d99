//! Climbing steps: up, forward and down again, if there is ground to stand on.

use crate::character::around::{Rules, SHORTEST, Touch};
use crate::character::slide::Walker;
use cairn2d_geometry::math::Vec2;

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
        let look = self.free_way(raised, forward * step_width.max(length));
        if rise.norm() <= SHORTEST || look.norm() < step_width - SHORTEST {
            return false;
        }
        if !self.has_ground_below(raised + look, rise) {
            return false;
        }
        let ahead = raised + forward * length.min(look.norm());
        let end = ahead + self.free_way(ahead, -rise);
        let gained = (end - self.offset).dot(&up);
        if gained <= SHORTEST {
            return false;
        }
        self.offset = end;
        true
    }

    /// Returns the part of `way` up to the first thing that is met.
    pub(super) fn free_way(&self, offset: Vec2, way: Vec2) -> Vec2 {
        let hit = self.around.cast(offset, way);
        way * hit.map_or(1.0, |hit| hit.fraction)
    }

    /// Says whether there is ground to walk on beneath a place, no deeper than `rise`.
    fn has_ground_below(&self, offset: Vec2, rise: Vec2) -> bool {
        let hit = self.around.cast(offset, -rise);
        hit.is_some_and(|hit| {
            let place = offset - rise * hit.fraction;
            let is_higher = hit.fraction * rise.norm() < rise.norm() - SHORTEST;
            let touch = self.around.touch_of(&hit);
            let height = self.around.height_of(&touch, self.offset);
            let is_low = height <= self.around.rules.step_height + SHORTEST;
            is_higher && is_low && self.around.walkable(&touch, place).is_some()
        })
    }
}
