//! Queries: rays, casts and overlaps. They read the world, and several threads may query at a time.

use crate::failure::{cairn_result, call};
use crate::filter::{cairn_query_filter, with_filter};
use crate::geometry::cairn_geometry;
use crate::handle::read;
use crate::pointer::{array, check_result, fill, get, get_optional, put};
use crate::values::{
    cairn_body_id, cairn_bool, cairn_box, cairn_position, cairn_shape_id, cairn_vec2, finite,
    number, position,
};
use crate::world::cairn_world;
use engine::{RayQuery, ShapeHit};

/// A hit of a ray or of a moving shape.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct cairn_hit {
    /// Shape that was hit; bits of 0: none was.
    pub shape: cairn_shape_id,
    /// Its body.
    pub body: cairn_body_id,
    /// Point of the hit in the world [m].
    pub point: cairn_position,
    /// Unit normal of the surface that was hit, towards the ray or the moving shape.
    pub normal: cairn_vec2,
    /// Share of the translation up to the hit, 0 to 1.
    pub fraction: f32,
    /// Whether there is a hit.
    pub found: cairn_bool,
}

impl From<ShapeHit> for cairn_hit {
    fn from(hit: ShapeHit) -> Self {
        Self {
            shape: hit.shape.into(),
            body: hit.body.into(),
            point: hit.point.into(),
            normal: hit.normal.into(),
            fraction: hit.fraction,
            found: 1,
        }
    }
}

fn hit_or_none(hit: Option<ShapeHit>) -> cairn_hit {
    hit.map_or_else(Default::default, cairn_hit::from)
}

/// A ray: from `origin` to `origin` + `translation`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_ray {
    /// Start [m].
    pub origin: cairn_position,
    /// Way to the end [m].
    pub translation: cairn_vec2,
}

impl cairn_ray {
    fn query(&self) -> Result<RayQuery, crate::failure::Failure> {
        let origin = position(self.origin.x, self.origin.y)?;
        let translation = finite(self.translation.x, self.translation.y, "translation")?;
        Ok(RayQuery::new(origin, translation))
    }
}

/// Writes the first hit of a ray; `hit->found` is 0 if it hits nothing. A null filter finds all solid shapes.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_cast_ray(
    world: *const cairn_world,
    ray: *const cairn_ray,
    filter: *const cairn_query_filter,
    hit: *mut cairn_hit,
) -> cairn_result {
    call(|| {
        let ray = get(ray, "ray")?.query()?;
        let filter = get_optional(filter, "filter")?;
        read(world, |world| {
            let found = with_filter(filter, |filter| {
                Ok(world.ray_cast(ray.origin, ray.translation, filter))
            })?;
            put(hit, hit_or_none(found), "hit")
        })
    })
}

/// Writes all hits of a ray, the nearest first.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_cast_ray_all(
    world: *const cairn_world,
    ray: *const cairn_ray,
    filter: *const cairn_query_filter,
    buffer: *mut cairn_hit,
    capacity: usize,
    count: *mut usize,
) -> cairn_result {
    call(|| {
        let ray = get(ray, "ray")?.query()?;
        let filter = get_optional(filter, "filter")?;
        read(world, |world| {
            let hits = with_filter(filter, |filter| {
                Ok(world.ray_cast_all(ray.origin, ray.translation, filter))
            })?;
            fill(
                hits.into_iter().map(cairn_hit::from),
                buffer,
                capacity,
                count,
            )
        })
    })
}

/// Writes the first hit of each of `ray_count` rays to as many places at `hits`, with up to cairn_world_def.threads threads.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_cast_rays(
    world: *const cairn_world,
    rays: *const cairn_ray,
    ray_count: usize,
    filter: *const cairn_query_filter,
    hits: *mut cairn_hit,
) -> cairn_result {
    call(|| {
        let rays = array(rays, ray_count, "rays")?;
        let rays: Result<Vec<RayQuery>, _> = rays.iter().map(cairn_ray::query).collect();
        let rays = rays?;
        let filter = get_optional(filter, "filter")?;
        read(world, |world| {
            let found = with_filter(filter, |filter| Ok(world.ray_casts(&rays, filter)))?;
            fill(found.into_iter().map(hit_or_none), hits, ray_count, &mut 0)
        })
    })
}

/// Writes the first hit of a geometry that moves by (`dx`, `dy`) [m] from a position [m] and angle [rad].
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_cast_shape(
    world: *const cairn_world,
    geometry: *const cairn_geometry,
    x: f64,
    y: f64,
    angle: f32,
    dx: f32,
    dy: f32,
    filter: *const cairn_query_filter,
    hit: *mut cairn_hit,
) -> cairn_result {
    call(|| {
        let shape = get(geometry, "geometry")?.shape()?;
        let (place, way) = (position(x, y)?, finite(dx, dy, "translation")?);
        let angle = number(angle, "angle")?;
        let filter = get_optional(filter, "filter")?;
        read(world, |world| {
            let found = with_filter(filter, |filter| {
                Ok(world.shape_cast(&shape, place, angle, way, filter))
            })?;
            put(hit, hit_or_none(found), "hit")
        })
    })
}

/// Writes the shapes that overlap a geometry at a position [m] and angle [rad].
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_overlap_shape(
    world: *const cairn_world,
    geometry: *const cairn_geometry,
    x: f64,
    y: f64,
    angle: f32,
    filter: *const cairn_query_filter,
    buffer: *mut cairn_shape_id,
    capacity: usize,
    count: *mut usize,
) -> cairn_result {
    call(|| {
        let shape = get(geometry, "geometry")?.shape()?;
        let (place, angle) = (position(x, y)?, number(angle, "angle")?);
        let filter = get_optional(filter, "filter")?;
        read(world, |world| {
            let found = with_filter(filter, |filter| {
                Ok(world.overlap_shape(&shape, place, angle, filter))
            })?;
            fill(found.into_iter().map(Into::into), buffer, capacity, count)
        })
    })
}

/// Writes the shapes that contain a point of the world [m].
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_shapes_at(
    world: *const cairn_world,
    x: f64,
    y: f64,
    filter: *const cairn_query_filter,
    buffer: *mut cairn_shape_id,
    capacity: usize,
    count: *mut usize,
) -> cairn_result {
    call(|| {
        let place = position(x, y)?;
        let filter = get_optional(filter, "filter")?;
        read(world, |world| {
            let found = with_filter(filter, |filter| Ok(world.shapes_at(place, filter)))?;
            fill(found.into_iter().map(Into::into), buffer, capacity, count)
        })
    })
}

/// Writes the shapes that touch or overlap a box [m].
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_shapes_in(
    world: *const cairn_world,
    area: *const cairn_box,
    filter: *const cairn_query_filter,
    buffer: *mut cairn_shape_id,
    capacity: usize,
    count: *mut usize,
) -> cairn_result {
    call(|| {
        let area = get(area, "area")?.aabb("area")?;
        let filter = get_optional(filter, "filter")?;
        read(world, |world| {
            let found = with_filter(filter, |filter| Ok(world.shapes_in(&area, filter)))?;
            fill(found.into_iter().map(Into::into), buffer, capacity, count)
        })
    })
}

/// The shape that is nearest to a point.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct cairn_nearest {
    /// The shape; bits of 0: none is near enough.
    pub shape: cairn_shape_id,
    /// Its body.
    pub body: cairn_body_id,
    /// Nearest point of the shape [m].
    pub point: cairn_position,
    /// Unit normal of the shape there.
    pub normal: cairn_vec2,
    /// Distance [m]; negative inside.
    pub distance: f32,
    /// Whether there is one.
    pub found: cairn_bool,
}

/// Writes the shape nearest to a point of the world, at most `max_distance` away [m].
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_closest_shape(
    world: *const cairn_world,
    x: f64,
    y: f64,
    max_distance: f32,
    filter: *const cairn_query_filter,
    nearest: *mut cairn_nearest,
) -> cairn_result {
    call(|| {
        let place = position(x, y)?;
        let reach = number(max_distance, "max_distance")?;
        let filter = get_optional(filter, "filter")?;
        check_result(nearest, "nearest")?;
        read(world, |world| {
            let found = with_filter(filter, |filter| {
                Ok(world.closest_shape(place, reach, filter))
            })?;
            let found = found.map_or_else(Default::default, |found| cairn_nearest {
                shape: found.shape.into(),
                body: found.body.into(),
                point: found.point.into(),
                normal: found.normal.into(),
                distance: found.distance,
                found: 1,
            });
            put(nearest, found, "nearest")
        })
    })
}
