//! Moving along what is met: cast, stop at the surface, go on along it.

use crate::character::around::{Around, SHORTEST, Touch, Touches, UPRIGHT};
use crate::character::report::CharacterHit;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::{CollisionPlane, solve_planes};
use smallvec::SmallVec;

/// Surfaces that a way may meet one after the other; what is left of it then is given up. Corners take two or three.
pub(super) const MAX_TURNS: u32 = 8;

/// How a character moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gait {
    /// On its feet: what is too steep is a wall.
    Walking,
    /// Through the air: it slides along everything, but does not run up what is too steep.
    Falling,
}

/// A character on its way.
pub(super) struct Walker<'a> {
    pub(super) around: Around<'a>,
    /// How far it has come \[m\].
    pub(super) offset: Vec2,
    /// What it wished at first of what it does now \[m\].
    pub(super) wish: Vec2,
    pub(super) hits: Vec<CharacterHit>,
}

/// Farthest that a character is moved out of the way, relative to how far a surface is ahead of it. Out of a corner of 60
/// degrees it goes twice as far; between two surfaces that squeeze it at a slant it would go to where they part.
const FARTHEST: f32 = 4.0;

/// Returns the way nearest to `ride` \[m\] before all planes, as far as it is not out of all proportion.
pub(super) fn way_out(ride: Vec2, planes: &mut [CollisionPlane]) -> Vec2 {
    let depths = planes.iter().map(|plane| -plane.separation);
    let longest = FARTHEST * (ride.norm() + depths.fold(0.0, f32::max));
    let way = solve_planes(ride, planes).translation;
    let length = way.norm();
    if length > longest {
        way * (longest / length)
    } else {
        way
    }
}

impl Walker<'_> {
    /// Moves out of the skin of everything that does not yield.
    pub(super) fn separate(&mut self) {
        for _ in 0..MAX_TURNS {
            let mut touches = self.around.touches(self.offset, 0.0);
            touches.retain(|touch| touch.plane().separation < 0.0);
            let mut planes: SmallVec<[CollisionPlane; 8]> =
                touches.iter().map(Touch::plane).collect();
            let way = way_out(Vec2::zeros(), &mut planes);
            if way.norm() <= SHORTEST {
                return;
            }
            let is_new = |shape: &_| touches.iter().all(|touch| touch.shape != *shape);
            let hit = self.around.cast_where(self.offset, way, is_new);
            self.offset += way * hit.map_or(1.0, |hit| hit.fraction);
        }
    }

    /// Walks along `wish`; `can_step` says whether it may climb steps.
    pub(super) fn walk(&mut self, wish: Vec2, can_step: bool) {
        self.wish = wish;
        let mut left = wish;
        let mut met = None;
        for _ in 0..MAX_TURNS {
            let touches = self.touches_with(met);
            let (way, wall) = self.way_along(left, &touches, Gait::Walking);
            if wall.is_some_and(|wall| can_step && self.step_onto(&wall, left)) {
                return;
            }
            let Some(hit) = self.advance(way) else {
                return;
            };
            left *= 1.0 - hit.1;
            met = Some(hit.0);
        }
    }

    /// Moves through the air along `wish`. Returns what is left of it where the character lands on ground that holds.
    pub(super) fn fall(&mut self, wish: Vec2) -> Option<Vec2> {
        let up = self.around.rules.up;
        self.wish = wish;
        let mut left = wish;
        let mut met = None;
        for _ in 0..MAX_TURNS {
            let touches = self.touches_with(met);
            if left.dot(&up) <= 0.0 && touches.iter().any(|touch| self.holds(touch)) {
                for touch in &touches {
                    self.note(touch, left);
                }
                return Some(left);
            }
            let (way, _) = self.way_along(left, &touches, Gait::Falling);
            let hit = self.advance(way)?;
            left *= 1.0 - hit.1;
            met = Some(hit.0);
        }
        None
    }

    /// Goes along `way` until something is met; returns what, and after which share.
    fn advance(&mut self, way: Vec2) -> Option<(Touch, f32)> {
        if way.norm() <= SHORTEST {
            return None;
        }
        let Some(hit) = self.around.cast(self.offset, way) else {
            self.offset += way;
            return None;
        };
        self.offset += way * hit.fraction;
        Some((self.around.touch_of(&hit), hit.fraction))
    }

    /// Returns what is within the skin, and what was just met.
    fn touches_with(&self, met: Option<Touch>) -> Touches {
        let mut touches = self.around.touches(self.offset, 0.0);
        if let Some(met) = met {
            let is_new = touches.iter().all(|touch| touch.shape != met.shape);
            touches.extend(is_new.then_some(met));
        }
        touches
    }

    fn holds(&self, touch: &Touch) -> bool {
        let rules = &self.around.rules;
        let normal = self.around.walkable(touch, self.offset);
        normal.is_some_and(|normal| normal.dot(&rules.up) >= rules.hold_cosine)
    }

    /// Returns the way nearest to `wish` along the surfaces, and the wall that stops a walk most.
    fn way_along(&mut self, wish: Vec2, touches: &Touches, gait: Gait) -> (Vec2, Option<Touch>) {
        let up = self.around.rules.up;
        let mut planes: SmallVec<[CollisionPlane; 8]> = touches
            .iter()
            .map(|touch| self.plane_for(touch, gait))
            .collect();
        let is_steep = |touch: &Touch| self.is_wall(touch) && touch.normal.dot(&up) > UPRIGHT;
        if gait == Gait::Falling && touches.iter().any(is_steep) {
            planes.push(CollisionPlane::rigid(-up, wish.dot(&up).max(0.0)));
        }
        let way = solve_planes(wish, &mut planes).translation;
        let mut wall: Option<(f32, Touch)> = None;
        for (touch, plane) in touches.iter().zip(&planes) {
            if plane.push <= SHORTEST {
                continue;
            }
            self.note(touch, wish);
            if self.is_wall(touch) && wall.is_none_or(|(push, _)| plane.push > push) {
                wall = Some((plane.push, *touch));
            }
        }
        (way, wall.map(|(_, touch)| touch))
    }

    /// Says whether a surface is too steep to climb, and not a ceiling.
    fn is_wall(&self, touch: &Touch) -> bool {
        let rise = touch.normal.dot(&self.around.rules.up);
        rise > -UPRIGHT && rise < self.around.rules.climb_cosine
    }

    /// Returns the plane of a surface; to who walks, what is too steep is upright.
    fn plane_for(&self, touch: &Touch, gait: Gait) -> CollisionPlane {
        let plane = touch.plane();
        if gait == Gait::Falling || !self.is_wall(touch) {
            return plane;
        }
        let flat = self.around.rules.flat(plane.normal);
        let share = flat.norm();
        CollisionPlane::rigid(flat / share, plane.separation / share)
    }

    /// Notes that the character would have gone on along `left` into a surface.
    fn note(&mut self, touch: &Touch, left: Vec2) {
        let blocked = -touch.normal.dot(&left);
        if blocked <= SHORTEST {
            return;
        }
        let hit = CharacterHit {
            shape: touch.shape,
            body: touch.body,
            point: touch.point,
            normal: touch.normal,
            blocked,
            approach: blocked.max(-touch.normal.dot(&self.wish)),
        };
        let before = self.hits.iter_mut().find(|hit| hit.shape == touch.shape);
        match before {
            Some(before) if before.blocked >= blocked => {}
            Some(before) => *before = hit,
            None => self.hits.push(hit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_geometry::math::vec2;

    #[test]
    fn squeezed_at_a_slant_it_is_not_shot_out() {
        let normal = vec2(1.0, 0.001).normalize();
        let other = vec2(-1.0, 0.001).normalize();
        let squeeze = |depth: f32| {
            [
                CollisionPlane::rigid(normal, -depth),
                CollisionPlane::rigid(other, -depth),
            ]
        };
        let way = way_out(Vec2::zeros(), &mut squeeze(0.1));
        assert!((way.norm() - 0.4).abs() < 1.0e-3 && way.y > 0.0, "{way}");
    }

    #[test]
    fn out_of_a_corner_it_goes_all_the_way() {
        let mut corner = [
            CollisionPlane::rigid(vec2(1.0, 0.0), -0.1),
            CollisionPlane::rigid(vec2(0.0, 1.0), -0.1),
        ];
        let way = way_out(Vec2::zeros(), &mut corner);
        assert!((way - vec2(0.1, 0.1)).norm() < 1.0e-5, "{way}");
    }
}
