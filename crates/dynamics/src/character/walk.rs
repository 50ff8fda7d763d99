//! A step of a character: out of what it is in, along its wish, back to the ground, and carried with it.

use crate::body::def::{BodyKind, check_position};
use crate::character::around::{Around, Rules, SHORTEST};
use crate::character::def::CharacterController;
use crate::character::report::{CharacterError, CharacterGround, CharacterMove};
use crate::character::slide::{MAX_TURNS, Walker, way_out};
use crate::error::{ValueError, demand, finite, not_negative};
use crate::id::{BodyId, ShapeId};
use crate::material::QueryFilter;
use crate::world::{Mover, World};
use crate::world_def::Switch;
use cairn2d_geometry::math::{Vec2, WorldPoint, right_perp};
use cairn2d_geometry::{CollisionPlane, Shape};
use smallvec::SmallVec;

/// Distance at which a kinematic body is noticed that comes towards a character \[m\]: what moves farther than that in a step pushes
/// it only once they overlap.
const NOTICE: f32 = 0.5;

impl CharacterController {
    /// Returns how a shape goes that would like to move by `wish` \[m\] in a step of `dt` \[s\]. The world stays as it is.
    ///
    /// * A wish with an upward part is a jump: the character leaves the ground. Otherwise the part of the wish along the
    ///   ground is walked, with its full length uphill and downhill, and the downward part is fallen.
    /// * What moves the ground moves the character: `dt` says for how long. With a `dt` of 0 it is not carried.
    /// * Dynamic bodies are in the way, but do not push the character: see [`push`](Self::push).
    ///
    /// # Panics
    /// If a number is not finite, or the controller does not [`validate`](Self::validate); [`try_walk`](Self::try_walk) returns
    /// the error instead.
    #[must_use]
    #[track_caller]
    pub fn walk(&self, world: &World, mover: &Mover<'_>, wish: Vec2, dt: f32) -> CharacterMove {
        demand(self.try_walk(world, mover, wish, dt), "walk")
    }

    /// Returns how a shape goes: see [`walk`](Self::walk).
    ///
    /// # Errors
    /// If a number is not finite, or the controller does not [`validate`](Self::validate).
    pub fn try_walk(
        &self,
        world: &World,
        mover: &Mover<'_>,
        wish: Vec2,
        dt: f32,
    ) -> Result<CharacterMove, ValueError> {
        self.try_walk_where(world, mover, wish, dt, |_| true)
    }

    /// Like [`try_walk`](Self::try_walk), among the shapes that `accept` takes: to drop through a one-way platform, take all but
    /// that.
    ///
    /// # Errors
    /// If a number is not finite, or the controller does not [`validate`](Self::validate).
    pub fn try_walk_where(
        &self,
        world: &World,
        mover: &Mover<'_>,
        wish: Vec2,
        dt: f32,
        accept: impl Fn(ShapeId) -> bool,
    ) -> Result<CharacterMove, ValueError> {
        let figure = Figure {
            shapes: &[mover.shape],
            position: mover.position,
            angle: mover.angle,
            filter: self.filter,
        };
        self.go(world, &figure, wish, dt, &accept)
    }

    /// Walks with the solid shapes of a kinematic body, which is sent to the place for the coming step of `dt` \[s\].
    ///
    /// Bodies that the body [ignores](World::ignore_pair) are neither walls nor ground to it.
    ///
    /// # Panics
    /// Where [`try_move_body`](Self::try_move_body) returns an error.
    #[track_caller]
    pub fn move_body(&self, world: &mut World, body: BodyId, wish: Vec2, dt: f32) -> CharacterMove {
        self.move_body_where(world, body, wish, dt, |_| true)
    }

    /// Like [`move_body`](Self::move_body), among the shapes that `accept` takes.
    ///
    /// # Panics
    /// Where [`try_move_body`](Self::try_move_body) returns an error.
    #[track_caller]
    pub fn move_body_where(
        &self,
        world: &mut World,
        body: BodyId,
        wish: Vec2,
        dt: f32,
        accept: impl Fn(ShapeId) -> bool,
    ) -> CharacterMove {
        demand(
            self.try_move_body(world, body, wish, dt, accept),
            "move the character",
        )
    }

    /// Walks with the solid shapes of a kinematic body, among the shapes that `accept` takes, and sends the body to the
    /// place for the coming step of `dt` \[s\].
    ///
    /// # Errors
    /// If a number is not finite or the controller does not [`validate`](Self::validate), if there is no such body, it
    /// is static, or it has no solid shape, and if the walk leads out of the world or needs an infinite speed.
    pub fn try_move_body(
        &self,
        world: &mut World,
        body: BodyId,
        wish: Vec2,
        dt: f32,
        accept: impl Fn(ShapeId) -> bool,
    ) -> Result<CharacterMove, CharacterError> {
        let walk = self.plan(world, body, wish, dt, &accept)?;
        if dt > 0.0 {
            let mut view = world.body_mut(body);
            let (from, angle) = (view.as_ref().position_exact(), view.as_ref().angle());
            let target = from + walk.translation;
            check_position("position after the walk", target).map_err(CharacterError::Value)?;
            let speed = walk.translation / dt;
            finite("walk.x / dt", speed.x)?;
            finite("walk.y / dt", speed.y)?;
            view.move_to(target, angle, dt);
        }
        Ok(walk)
    }

    fn plan(
        &self,
        world: &World,
        body: BodyId,
        wish: Vec2,
        dt: f32,
        accept: &dyn Fn(ShapeId) -> bool,
    ) -> Result<CharacterMove, CharacterError> {
        let view = world.get_body(body).ok_or(CharacterError::NoBody(body))?;
        if view.kind() == BodyKind::Static {
            return Err(CharacterError::StaticBody(body));
        }
        let solid = view.shapes().filter(|shape| !shape.is_sensor());
        let shapes: SmallVec<[&Shape; 4]> = solid.map(|shape| shape.geometry()).collect();
        if shapes.is_empty() {
            return Err(CharacterError::NoShape(body));
        }
        let figure = Figure {
            shapes: &shapes,
            position: view.position_exact(),
            angle: view.angle(),
            filter: self.filter.excluding(body),
        };
        let ignores = |shape: ShapeId| world.ignores_pair(body, world.shape(shape).body());
        let accept = |shape: ShapeId| !ignores(shape) && accept(shape);
        Ok(self.go(world, &figure, wish, dt, &accept)?)
    }

    fn go(
        &self,
        world: &World,
        figure: &Figure<'_>,
        wish: Vec2,
        dt: f32,
        accept: &dyn Fn(ShapeId) -> bool,
    ) -> Result<CharacterMove, ValueError> {
        self.validate()?;
        finite("wish.x", wish.x)?;
        finite("wish.y", wish.y)?;
        not_negative("dt", dt)?;
        figure.validate()?;
        let around = Around {
            world,
            shapes: figure.shapes,
            position: figure.position,
            angle: figure.angle,
            rules: Rules::new(self),
            filter: figure.filter,
            accept,
        };
        let mut walker = Walker {
            around,
            offset: Vec2::zeros(),
            wish: Vec2::zeros(),
            hits: Vec::new(),
        };
        walker.separate();
        walker.follow(wish);
        let (footing, ground) = around.footing(walker.offset);
        let ride = match self.ride {
            Switch::On => ground.map_or(Vec2::zeros(), |ground| ground.velocity * dt),
            Switch::Off => Vec2::zeros(),
        };
        walker.be_carried(ride, dt);
        Ok(CharacterMove {
            translation: walker.offset,
            footing,
            ground,
            hits: walker.hits,
        })
    }
}

/// Shapes that walk, and where they are.
struct Figure<'a> {
    shapes: &'a [&'a Shape],
    position: WorldPoint,
    angle: f32,
    filter: QueryFilter,
}

impl Figure<'_> {
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

impl Walker<'_> {
    /// Goes along `wish` on the ground, or through the air.
    fn follow(&mut self, wish: Vec2) {
        let Rules { up, snap, .. } = self.around.rules;
        let rise = wish.dot(&up);
        let (_, ground) = self.around.footing(self.offset);
        let Some(ground) = ground.filter(|_| rise <= 0.0) else {
            if let Some(left) = self.fall(wish) {
                let flat = self.around.rules.flat(left);
                self.walk(flat, true);
            }
            return;
        };
        self.walk(self.along(&ground, wish), true);
        let landed = self.fall(up * rise);
        if landed.is_none() && snap > 0.0 {
            self.snap(-up * snap);
        }
    }

    /// Returns the flat part of `wish`, turned along the ground with its length.
    fn along(&self, ground: &CharacterGround, wish: Vec2) -> Vec2 {
        let flat = self.around.rules.flat(wish);
        let along = right_perp(&ground.normal);
        along * flat.norm().copysign(along.dot(&flat))
    }

    /// Follows the ground down along `way`, if there is some to walk on.
    fn snap(&mut self, way: Vec2) {
        let Some(hit) = self.around.cast(self.offset, way) else {
            return;
        };
        let end = self.offset + way * hit.fraction;
        if self
            .around
            .walkable(&self.around.touch_of(&hit), end)
            .is_some()
        {
            self.offset = end;
        }
    }

    /// Goes along with the ground, and out of the way of kinematic bodies that come.
    fn be_carried(&mut self, ride: Vec2, dt: f32) {
        let world = self.around.world;
        let mut planes: SmallVec<[CollisionPlane; 8]> = SmallVec::new();
        for touch in self.around.driven().touches(self.offset, NOTICE) {
            let velocity = world.body(touch.body).velocity_at(touch.point);
            let closing = touch.normal.dot(&velocity) * dt;
            planes.push(CollisionPlane::rigid(touch.normal, touch.gap - closing));
        }
        let is_left =
            |shape: &ShapeId| world.body(world.shape(*shape).body()).kind() != BodyKind::Kinematic;
        let mut way = Vec2::zeros();
        for _ in 0..MAX_TURNS {
            way = way_out(ride, &mut planes);
            if way.norm() <= SHORTEST {
                return;
            }
            let Some(hit) = self.around.cast_where(self.offset, way, is_left) else {
                break;
            };
            let room = -hit.normal.dot(&way) * hit.fraction;
            planes.push(CollisionPlane::rigid(hit.normal, room));
            way *= hit.fraction;
        }
        self.offset += way;
    }
}
