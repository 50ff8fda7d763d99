//! Spatial queries as a system parameter.

use crate::convert::{from_world_point, to_bevy, to_engine, to_world_point};
use crate::physics::Physics;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::{Rect, Vec2};
use cairn2d::math::point;
use cairn2d::{Aabb, BodyKinds, QueryFilter, Sensors, Shape, ShapeHit, ShapeId};

/// Queries of the world as it is after the last step: changes of components count from the next one on.
///
/// ```
/// use bevy_cairn2d::{SpatialFilter, SpatialQuery};
/// use bevy_math::vec2;
///
/// fn look_down(space: SpatialQuery) {
///     if let Some(hit) = space.cast_ray(vec2(0.0, 5.0), vec2(0.0, -10.0), &SpatialFilter::default()) {
///         println!("{} at {}", hit.collider, hit.point);
///     }
/// }
/// ```
#[derive(SystemParam, Debug)]
pub struct SpatialQuery<'w> {
    physics: Res<'w, Physics>,
}

/// Objects that a query finds.
#[derive(Clone, Copy, Default)]
pub struct SpatialFilter<'a> {
    /// Categories, kinds of bodies and sensors, as for the engine; its predicate is not used.
    pub engine: QueryFilter<'a>,
    /// Entities of colliders or bodies that the query ignores.
    pub exclude: &'a [Entity],
    /// Accepts colliders by their entities.
    pub accept: Option<&'a (dyn Fn(Entity) -> bool + Sync)>,
}

impl core::fmt::Debug for SpatialFilter<'_> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("SpatialFilter")
            .field("engine", &self.engine)
            .field("exclude", &self.exclude)
            .finish_non_exhaustive()
    }
}

impl<'a> SpatialFilter<'a> {
    /// Ignores these colliders, and all colliders of these bodies.
    #[must_use]
    pub const fn excluding(exclude: &'a [Entity]) -> Self {
        Self {
            engine: QueryFilter {
                category: u64::MAX,
                mask: u64::MAX,
                sensors: Sensors::Ignored,
                kinds: BodyKinds::ALL,
                exclude: None,
                predicate: None,
            },
            exclude,
            accept: None,
        }
    }

    /// Finds only colliders in the categories of `mask`.
    #[must_use]
    pub fn mask(mut self, mask: u64) -> Self {
        self.engine.mask = mask;
        self
    }

    /// Finds only bodies of these kinds.
    #[must_use]
    pub fn kinds(mut self, kinds: BodyKinds) -> Self {
        self.engine.kinds = kinds;
        self
    }

    /// Finds sensors as well.
    #[must_use]
    pub fn with_sensors(mut self) -> Self {
        self.engine.sensors = Sensors::Included;
        self
    }

    fn passes(&self, physics: &Physics, shape: ShapeId) -> bool {
        if self.exclude.is_empty() && self.accept.is_none() {
            return true;
        }
        let Some(collider) = physics.entity_of_shape(shape) else {
            return true;
        };
        let body = physics.entity_of_body(physics.world.shape(shape).body());
        let excluded = |entity: &Entity| *entity == collider || Some(*entity) == body;
        !self.exclude.iter().any(excluded) && self.accept.is_none_or(|accept| accept(collider))
    }
}

/// A hit of a ray or of a cast shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpatialHit {
    /// The collider.
    pub collider: Entity,
    /// Its body.
    pub body: Entity,
    /// Share of the translation up to the hit, 0 to 1.
    pub fraction: f32,
    /// Point of the hit \[m\].
    pub point: Vec2,
    /// Outward unit normal of the surface; zero for a ray that starts inside.
    pub normal: Vec2,
}

/// The collider nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPoint {
    /// The collider.
    pub collider: Entity,
    /// Its body.
    pub body: Entity,
    /// Point on its surface nearest to the given one \[m\].
    pub point: Vec2,
    /// Signed distance of the given point from the surface, negative inside \[m\].
    pub distance: f32,
    /// Outward unit normal of the surface.
    pub normal: Vec2,
}

impl SpatialQuery<'_> {
    /// Casts a ray from `origin` along `translation` \[m\] and returns the nearest hit.
    #[must_use]
    pub fn cast_ray(
        &self,
        origin: Vec2,
        translation: Vec2,
        filter: &SpatialFilter<'_>,
    ) -> Option<SpatialHit> {
        let physics = &*self.physics;
        let accept = |shape| filter.passes(physics, shape);
        let engine = filter.engine.accept(&accept);
        let start = to_world_point(origin);
        let hit = physics
            .world
            .ray_cast(start, to_engine(translation), engine);
        self.named(&hit?)
    }

    /// Casts a ray and returns all hits, at most one per shape, nearest first.
    #[must_use]
    pub fn cast_ray_all(
        &self,
        origin: Vec2,
        translation: Vec2,
        filter: &SpatialFilter<'_>,
    ) -> Vec<SpatialHit> {
        let physics = &*self.physics;
        let accept = |shape| filter.passes(physics, shape);
        let engine = filter.engine.accept(&accept);
        let start = to_world_point(origin);
        let hits = physics
            .world
            .ray_cast_all(start, to_engine(translation), engine);
        hits.iter().filter_map(|hit| self.named(hit)).collect()
    }

    /// Moves `shape` from `position` \[m\] at `angle` \[rad\] along `translation` \[m\] and returns the first collider that
    /// it touches. Any shape of a [`Collider`](crate::Collider) fits.
    #[must_use]
    pub fn cast_shape(
        &self,
        shape: &Shape,
        (position, angle): (Vec2, f32),
        translation: Vec2,
        filter: &SpatialFilter<'_>,
    ) -> Option<SpatialHit> {
        let physics = &*self.physics;
        let accept = |shape| filter.passes(physics, shape);
        let engine = filter.engine.accept(&accept);
        let (start, along) = (to_world_point(position), to_engine(translation));
        let hit = physics.world.shape_cast(shape, start, angle, along, engine);
        self.named(&hit?)
    }

    /// Returns the colliders that contain `point` \[m\], each once, in the order of their shapes.
    #[must_use]
    pub fn colliders_at(&self, point: Vec2, filter: &SpatialFilter<'_>) -> Vec<Entity> {
        let physics = &*self.physics;
        let accept = |shape| filter.passes(physics, shape);
        let engine = filter.engine.accept(&accept);
        self.entities(physics.world.shapes_at(to_world_point(point), engine))
    }

    /// Returns the colliders that touch or overlap `area` \[m\], each once, in the order of their shapes.
    #[must_use]
    pub fn colliders_in(&self, area: Rect, filter: &SpatialFilter<'_>) -> Vec<Entity> {
        let physics = &*self.physics;
        let accept = |shape| filter.passes(physics, shape);
        let engine = filter.engine.accept(&accept);
        let area = Aabb {
            min: point(area.min.x, area.min.y),
            max: point(area.max.x, area.max.y),
        };
        self.entities(physics.world.shapes_in(&area, engine))
    }

    /// Returns the colliders that touch or overlap `shape` at `position` \[m\] and `angle` \[rad\], each once, in the order
    /// of their shapes.
    #[must_use]
    pub fn overlapping(
        &self,
        shape: &Shape,
        (position, angle): (Vec2, f32),
        filter: &SpatialFilter<'_>,
    ) -> Vec<Entity> {
        let physics = &*self.physics;
        let accept = |shape| filter.passes(physics, shape);
        let engine = filter.engine.accept(&accept);
        let at = to_world_point(position);
        self.entities(physics.world.overlap_shape(shape, at, angle, engine))
    }

    /// Returns the collider whose surface is nearest to `point`, or that contains it most deeply, within `max_distance`
    /// \[m\].
    #[must_use]
    pub fn closest(
        &self,
        point: Vec2,
        max_distance: f32,
        filter: &SpatialFilter<'_>,
    ) -> Option<ClosestPoint> {
        let physics = &*self.physics;
        let accept = |shape| filter.passes(physics, shape);
        let engine = filter.engine.accept(&accept);
        let at = to_world_point(point);
        let nearest = physics.world.closest_shape(at, max_distance, engine)?;
        Some(ClosestPoint {
            collider: physics.entity_of_shape(nearest.shape)?,
            body: physics.entity_of_body(nearest.body)?,
            point: from_world_point(nearest.point),
            distance: nearest.distance,
            normal: to_bevy(nearest.normal),
        })
    }

    fn named(&self, hit: &ShapeHit) -> Option<SpatialHit> {
        Some(SpatialHit {
            collider: self.physics.entity_of_shape(hit.shape)?,
            body: self.physics.entity_of_body(hit.body)?,
            fraction: hit.fraction,
            point: from_world_point(hit.point),
            normal: to_bevy(hit.normal),
        })
    }

    fn entities(&self, shapes: Vec<ShapeId>) -> Vec<Entity> {
        let mut found = Vec::new();
        for shape in shapes {
            if let Some(entity) = self.physics.entity_of_shape(shape)
                && !found.contains(&entity)
            {
                found.push(entity);
            }
        }
        found
    }
}
