//! Collide and slide: cast, stop at the surface, continue along it.

use super::report::CharacterHit;
use super::surroundings::{
    MAX_UPRIGHT_SINE, MIN_DISTANCE, NearbySurface, NearbySurfaces, Surroundings,
};
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::{CollisionPlane, solve_planes};
use smallvec::SmallVec;

/// Maximum number of surfaces along which a motion is deflected; the rest of it is dropped. Corners take two
/// or three.
pub(super) const MAX_SLIDES: u32 = 8;

/// Treatment of steep surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveMode {
    /// On the ground: steep surfaces are walls.
    Walking,
    /// In the air: it slides along all surfaces, but not upwards on steep ones.
    Falling,
}

/// The motion of a character in a step.
pub(super) struct CharacterMotion<'a> {
    pub(super) surroundings: Surroundings<'a>,
    /// Translation so far \[m\].
    pub(super) offset: Vec2,
    /// Desired translation of the present phase \[m\].
    pub(super) desired: Vec2,
    pub(super) hits: Vec<CharacterHit>,
}

/// Maximum length of a correction, relative to the deepest overlap plus the ride. Out of a corner of 60
/// degrees it needs 2; between two slanted surfaces that squeeze it the solution would lie far away, where
/// they part.
const MAX_PUSH_OUT: f32 = 4.0;

/// Returns the translation nearest to `ride` \[m\] in front of all planes, limited to `MAX_PUSH_OUT`.
pub(super) fn push_out(ride: Vec2, planes: &mut [CollisionPlane]) -> Vec2 {
    let depths = planes.iter().map(|plane| -plane.separation);
    let longest = MAX_PUSH_OUT * (ride.norm() + depths.fold(0.0, f32::max));
    let translation = solve_planes(ride, planes).translation;
    let length = translation.norm();
    if length > longest {
        translation * (longest / length)
    } else {
        translation
    }
}

impl CharacterMotion<'_> {
    /// Moves the character out of surfaces within its skin, other than those of dynamic bodies.
    pub(super) fn separate(&mut self) {
        for _ in 0..MAX_SLIDES {
            let mut surfaces = self.surroundings.surfaces(self.offset, 0.0);
            surfaces.retain(|surface| surface.plane().separation < 0.0);
            let mut planes: SmallVec<[CollisionPlane; 8]> =
                surfaces.iter().map(NearbySurface::plane).collect();
            let translation = push_out(Vec2::zeros(), &mut planes);
            if translation.norm() <= MIN_DISTANCE {
                return;
            }
            let is_new = |shape: &_| surfaces.iter().all(|surface| surface.shape != *shape);
            let hit = self
                .surroundings
                .cast_among(self.offset, translation, is_new);
            self.offset += translation * hit.map_or(1.0, |hit| hit.fraction);
        }
    }

    /// Walks along `desired` \[m\]; `can_step` allows it to climb steps.
    pub(super) fn walk(&mut self, desired: Vec2, can_step: bool) {
        self.desired = desired;
        let mut left = desired;
        let mut met = None;
        for _ in 0..MAX_SLIDES {
            let surfaces = self.surfaces_with(met);
            let (translation, wall) = self.slide_along(left, &surfaces, MoveMode::Walking);
            if wall.is_some_and(|wall| can_step && self.step_onto(&wall, left)) {
                return;
            }
            let Some(hit) = self.advance(translation) else {
                return;
            };
            left *= 1.0 - hit.1;
            met = Some(hit.0);
        }
    }

    /// Moves through the air along `desired` \[m\]. Returns the rest if the character lands on ground on
    /// which it stands still.
    pub(super) fn fall(&mut self, desired: Vec2) -> Option<Vec2> {
        let up = self.surroundings.limits.up;
        self.desired = desired;
        let mut left = desired;
        let mut met = None;
        for _ in 0..MAX_SLIDES {
            let surfaces = self.surfaces_with(met);
            if left.dot(&up) <= 0.0 && surfaces.iter().any(|surface| self.holds(surface)) {
                for surface in &surfaces {
                    self.note(surface, left);
                }
                return Some(left);
            }
            let (translation, _) = self.slide_along(left, &surfaces, MoveMode::Falling);
            let hit = self.advance(translation)?;
            left *= 1.0 - hit.1;
            met = Some(hit.0);
        }
        None
    }

    /// Moves along `translation` up to the first hit; returns its surface and fraction.
    fn advance(&mut self, translation: Vec2) -> Option<(NearbySurface, f32)> {
        if translation.norm() <= MIN_DISTANCE {
            return None;
        }
        let Some(hit) = self.surroundings.cast(self.offset, translation) else {
            self.offset += translation;
            return None;
        };
        self.offset += translation * hit.fraction;
        Some((self.surroundings.surface_of(&hit), hit.fraction))
    }

    /// Returns the surfaces within the skin, and the one that was just hit.
    fn surfaces_with(&self, met: Option<NearbySurface>) -> NearbySurfaces {
        let mut surfaces = self.surroundings.surfaces(self.offset, 0.0);
        if let Some(met) = met {
            let is_new = surfaces.iter().all(|surface| surface.shape != met.shape);
            surfaces.extend(is_new.then_some(met));
        }
        surfaces
    }

    fn holds(&self, surface: &NearbySurface) -> bool {
        let limits = &self.surroundings.limits;
        let normal = self.surroundings.walkable(surface, self.offset);
        normal.is_some_and(|normal| normal.dot(&limits.up) >= limits.hold_cosine)
    }

    /// Returns the translation nearest to `desired` along the surfaces, and the wall that blocks it most.
    fn slide_along(
        &mut self,
        desired: Vec2,
        surfaces: &NearbySurfaces,
        mode: MoveMode,
    ) -> (Vec2, Option<NearbySurface>) {
        let up = self.surroundings.limits.up;
        let mut planes: SmallVec<[CollisionPlane; 8]> = surfaces
            .iter()
            .map(|surface| self.plane_for(surface, mode))
            .collect();
        let is_steep = |surface: &NearbySurface| {
            self.is_wall(surface) && surface.normal.dot(&up) > MAX_UPRIGHT_SINE
        };
        if mode == MoveMode::Falling && surfaces.iter().any(is_steep) {
            planes.push(CollisionPlane::rigid(-up, desired.dot(&up).max(0.0)));
        }
        let translation = solve_planes(desired, &mut planes).translation;
        let mut wall: Option<(f32, NearbySurface)> = None;
        for (surface, plane) in surfaces.iter().zip(&planes) {
            if plane.push <= MIN_DISTANCE {
                continue;
            }
            self.note(surface, desired);
            if self.is_wall(surface) && wall.is_none_or(|(push, _)| plane.push > push) {
                wall = Some((plane.push, *surface));
            }
        }
        (translation, wall.map(|(_, surface)| surface))
    }

    /// Returns `true` for a surface too steep to climb that is no ceiling.
    fn is_wall(&self, surface: &NearbySurface) -> bool {
        let rise = surface.normal.dot(&self.surroundings.limits.up);
        rise > -MAX_UPRIGHT_SINE && rise < self.surroundings.limits.climb_cosine
    }

    /// Returns the plane of a surface; for a walking character the planes of walls are vertical.
    fn plane_for(&self, surface: &NearbySurface, mode: MoveMode) -> CollisionPlane {
        let plane = surface.plane();
        if mode == MoveMode::Falling || !self.is_wall(surface) {
            return plane;
        }
        let flat = self.surroundings.limits.flat(plane.normal);
        let share = flat.norm();
        CollisionPlane::rigid(flat / share, plane.separation / share)
    }

    /// Records a hit that blocks the rest `left` of a motion, if it is the deepest on its shape.
    fn note(&mut self, surface: &NearbySurface, left: Vec2) {
        let blocked = -surface.normal.dot(&left);
        if blocked <= MIN_DISTANCE {
            return;
        }
        let hit = CharacterHit {
            shape: surface.shape,
            body: surface.body,
            point: surface.point,
            normal: surface.normal,
            blocked,
            approach: blocked.max(-surface.normal.dot(&self.desired)),
        };
        let before = self.hits.iter_mut().find(|hit| hit.shape == surface.shape);
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
        let translation = push_out(Vec2::zeros(), &mut squeeze(0.1));
        assert!(
            (translation.norm() - 0.4).abs() < 1.0e-3 && translation.y > 0.0,
            "{translation}"
        );
    }

    #[test]
    fn out_of_a_corner_it_goes_all_the_way() {
        let mut corner = [
            CollisionPlane::rigid(vec2(1.0, 0.0), -0.1),
            CollisionPlane::rigid(vec2(0.0, 1.0), -0.1),
        ];
        let translation = push_out(Vec2::zeros(), &mut corner);
        assert!(
            (translation - vec2(0.1, 0.1)).norm() < 1.0e-5,
            "{translation}"
        );
    }
}
