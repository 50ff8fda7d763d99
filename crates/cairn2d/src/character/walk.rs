//! A step of a character: depenetrate, move, follow the ground, ride on it.

use super::def::CharacterController;
use super::report::{CharacterError, CharacterGround, CharacterMove};
use super::slide::{CharacterMotion, MAX_SLIDES, push_out};
use super::surroundings::{CharacterLimits, MIN_DISTANCE, Surroundings};
use crate::numbers::{finite, within};
use cairn2d_dynamics::{
    BodyId, BodyKind, Mover, QueryFilter, ShapeId, ShapeRef, ValueError, World,
};
use cairn2d_geometry::math::{Vec2, WorldPoint, right_perp};
use cairn2d_geometry::{CollisionPlane, IntoVec2, Shape, demand};
use smallvec::SmallVec;

/// Distance within which approaching kinematic bodies push the character \[m\]. Bodies that move farther in a
/// step push it only once they overlap.
const KINEMATIC_REACH: f32 = 0.5;

/// Longest time of a motion \[s\]: no ground carries a character farther in it than a world reaches.
const MAX_TIME: f32 = 1.0e6;

impl CharacterController<'_> {
    /// Returns the motion of a shape with the desired translation `desired` \[m\] in a step of `dt` \[s\].
    /// The world does not change.
    ///
    /// * A desired translation with an upward part is a jump: the character leaves the ground. Otherwise its
    ///   part along the ground is walked, with its full length uphill and downhill, and its downward part is
    ///   fallen.
    /// * Moving ground carries the character for the time `dt`; with a `dt` of 0 it does not.
    /// * Dynamic bodies block the character and do not push it: see [`push`](Self::push).
    /// * The [filter](Self::filter) selects the solid shapes; [`accept`](Self::accept) excludes shapes for one step.
    ///
    /// # Panics
    /// If a number is not finite, or the controller does not [`validate`](Self::validate);
    /// [`try_walk`](Self::try_walk) returns the error instead.
    #[must_use]
    #[track_caller]
    pub fn walk(
        &self,
        world: &World,
        mover: &Mover<'_>,
        desired: impl IntoVec2,
        dt: f32,
    ) -> CharacterMove {
        demand(self.try_walk(world, mover, desired.into_vec2(), dt), "walk")
    }

    /// Returns the motion of a shape by `desired` \[m\] in `dt` \[s\]: see [`walk`](Self::walk).
    ///
    /// # Errors
    /// If a number is not finite, `dt` is negative or longer than 1e6 s, or the controller does not
    /// [`validate`](Self::validate).
    pub fn try_walk(
        &self,
        world: &World,
        mover: &Mover<'_>,
        desired: Vec2,
        dt: f32,
    ) -> Result<CharacterMove, ValueError> {
        let character = CharacterShapes {
            shapes: &[mover.shape],
            position: mover.position,
            angle: mover.angle,
            filter: self.filter,
        };
        self.compute_move(world, &character, desired, dt)
    }

    /// Moves a kinematic body by the motion of its solid shapes for the desired translation `desired` \[m\]: sets
    /// the velocities for the coming step of `dt` \[s\].
    ///
    /// Bodies that the body [ignores](World::ignore_pair) are neither walls nor ground to it.
    ///
    /// # Panics
    /// If a number or the body is invalid; [`try_move_body`](Self::try_move_body) returns the error instead.
    #[doc(alias("move_and_slide", "move_shape", "move_character"))]
    #[track_caller]
    pub fn move_body(
        &self,
        world: &mut World,
        body: BodyId,
        desired: impl IntoVec2,
        dt: f32,
    ) -> CharacterMove {
        let moved = self.try_move_body(world, body, desired.into_vec2(), dt);
        demand(moved, "move the character")
    }

    /// Moves a kinematic body by `desired` \[m\] in `dt` \[s\]: see [`move_body`](Self::move_body).
    ///
    /// # Errors
    /// If a number is not finite, the controller does not [`validate`](Self::validate), the body does not
    /// exist or is static, it has no solid shape, or the motion leads out of the world or needs an infinite speed.
    pub fn try_move_body(
        &self,
        world: &mut World,
        body: BodyId,
        desired: Vec2,
        dt: f32,
    ) -> Result<CharacterMove, CharacterError> {
        let walk = self.compute_body_move(world, body, desired, dt)?;
        if dt > 0.0 {
            let mut view = world.body_mut(body);
            let (from, angle) = (view.as_ref().position_exact(), view.as_ref().angle());
            view.try_move_to(from + walk.translation, angle, dt)?;
        }
        Ok(walk)
    }

    fn compute_body_move(
        &self,
        world: &World,
        body: BodyId,
        desired: Vec2,
        dt: f32,
    ) -> Result<CharacterMove, CharacterError> {
        let view = world.get_body(body).ok_or(CharacterError::NoBody(body))?;
        if view.kind() == BodyKind::Static {
            return Err(CharacterError::StaticBody(body));
        }
        let is_solid = |shape: &ShapeRef<'_>| shape.is_enabled() && !shape.is_sensor();
        let solid = view.shapes().filter(is_solid);
        let shapes: SmallVec<[&Shape; 4]> = solid.map(|shape| shape.geometry()).collect();
        if shapes.is_empty() {
            return Err(CharacterError::NoShape(body));
        }
        let accept =
            |shape: ShapeId| !world.ignores_shape(body, shape) && self.filter.accepts(shape);
        let character = CharacterShapes {
            shapes: &shapes,
            position: view.position_exact(),
            angle: view.angle(),
            filter: self.filter.exclude(body).accept(&accept),
        };
        Ok(self.compute_move(world, &character, desired, dt)?)
    }

    fn compute_move(
        &self,
        world: &World,
        character: &CharacterShapes<'_>,
        desired: Vec2,
        dt: f32,
    ) -> Result<CharacterMove, ValueError> {
        self.validate()?;
        finite("desired.x", desired.x)?;
        finite("desired.y", desired.y)?;
        within("dt", dt, 0.0, MAX_TIME)?;
        character.validate()?;
        let surroundings = Surroundings {
            world,
            shapes: character.shapes,
            position: character.position,
            angle: character.angle,
            limits: CharacterLimits::new(self),
            filter: character.filter,
        };
        let mut motion = CharacterMotion {
            surroundings,
            offset: Vec2::zeros(),
            desired: Vec2::zeros(),
            hits: Vec::new(),
        };
        motion.separate();
        motion.move_along(desired);
        let (footing, ground) = surroundings.footing(motion.offset);
        let ride = ground
            .filter(|_| self.ride)
            .map_or(Vec2::zeros(), |ground| ground.velocity * dt);
        motion.carry(ride, dt);
        Ok(CharacterMove {
            translation: motion.offset,
            footing,
            ground,
            hits: motion.hits,
        })
    }
}

/// The shapes of a character and their pose.
struct CharacterShapes<'a> {
    shapes: &'a [&'a Shape],
    position: WorldPoint,
    angle: f32,
    filter: QueryFilter<'a>,
}

impl CharacterShapes<'_> {
    fn validate(&self) -> Result<(), ValueError> {
        let WorldPoint { x, y } = self.position;
        let named = [("position.x", x), ("position.y", y)];
        let lost = named.into_iter().find(|(_, value)| !value.is_finite());
        match lost {
            Some((name, value)) => Err(ValueError::NotFinite { name, value }),
            None => finite("angle", self.angle),
        }
    }
}

impl CharacterMotion<'_> {
    /// Moves along `desired` \[m\] on the ground or through the air.
    fn move_along(&mut self, desired: Vec2) {
        let CharacterLimits { up, snap, .. } = self.surroundings.limits;
        let rise = desired.dot(&up);
        let (_, ground) = self.surroundings.footing(self.offset);
        let Some(ground) = ground.filter(|_| rise <= 0.0) else {
            if let Some(left) = self.fall(desired) {
                let flat = self.surroundings.limits.flat(left);
                self.walk(flat, true);
            }
            return;
        };
        self.walk(self.along(&ground, desired), true);
        let landed = self.fall(up * rise);
        if landed.is_none() && snap > 0.0 {
            self.snap(-up * snap);
        }
    }

    /// Returns the horizontal part of `desired`, rotated along the ground with its length.
    fn along(&self, ground: &CharacterGround, desired: Vec2) -> Vec2 {
        let flat = self.surroundings.limits.flat(desired);
        let along = right_perp(&ground.normal);
        along * flat.norm().copysign(along.dot(&flat))
    }

    /// Moves down along `translation` to walkable ground, if there is any.
    fn snap(&mut self, translation: Vec2) {
        let Some(hit) = self.surroundings.cast(self.offset, translation) else {
            return;
        };
        let end = self.offset + translation * hit.fraction;
        if self
            .surroundings
            .walkable(&self.surroundings.surface_of(&hit), end)
            .is_some()
        {
            self.offset = end;
        }
    }

    /// Moves by the ride on the ground, and out of the way of approaching kinematic bodies.
    fn carry(&mut self, ride: Vec2, dt: f32) {
        let world = self.surroundings.world;
        let mut planes: SmallVec<[CollisionPlane; 8]> = SmallVec::new();
        for surface in self
            .surroundings
            .kinematic_only()
            .surfaces(self.offset, KINEMATIC_REACH)
        {
            let velocity = world.body(surface.body).velocity_at(surface.point);
            let closing = surface.normal.dot(&velocity) * dt;
            planes.push(CollisionPlane::rigid(surface.normal, surface.gap - closing));
        }
        let is_not_kinematic =
            |shape: &ShapeId| world.body(world.shape(*shape).body()).kind() != BodyKind::Kinematic;
        let mut translation = Vec2::zeros();
        for _ in 0..MAX_SLIDES {
            translation = push_out(ride, &mut planes);
            if translation.norm() <= MIN_DISTANCE {
                return;
            }
            let Some(hit) =
                self.surroundings
                    .cast_among(self.offset, translation, is_not_kinematic)
            else {
                break;
            };
            let room = -hit.normal.dot(&translation) * hit.fraction;
            planes.push(CollisionPlane::rigid(hit.normal, room));
            translation *= hit.fraction;
        }
        self.offset += translation;
    }
}
