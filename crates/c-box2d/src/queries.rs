//! Worlds: overlaps, casts, and movers.
//!
//! A query collects what it finds; then the lock is released, and the callback is called for each.

use crate::abi::{In, Outcome, Zeroed};
use crate::shape_convert::{capsule, proxy_shape};
use crate::types::*;
use crate::worlds::world;
use cairn2d::{Mover, QueryFilter, ShapeHit, ShapeId, Vec2, World, WorldPoint};
use core::ffi::{c_int, c_void};

/// Gap that a mover's cast keeps from the shapes that it meets, in meters.
const MOVER_SKIN: f32 = 0.005;

/// Counts of a query: the engine does not count visits, so they are those of the shapes that it found.
const fn stats(found: usize) -> b2TreeStats {
    b2TreeStats {
        nodeVisits: found as c_int,
        leafVisits: found as c_int,
    }
}

/// Collects shapes, and calls the user for each until told to stop.
fn overlap(
    id: b2WorldId,
    filter: b2QueryFilter,
    callback: b2OverlapResultFcn,
    context: *mut c_void,
    find: impl FnOnce(&World, QueryFilter<'_>) -> Outcome<Vec<ShapeId>>,
) -> Outcome<b2TreeStats> {
    let found = world(id, |slot| find(&slot.world, filter.filter()))?;
    if let Some(callback) = callback {
        for &shape in &found {
            if !callback(b2ShapeId::of(shape, id.index1 - 1), context) {
                break;
            }
        }
    }
    Ok(stats(found.len()))
}

/// Collects hits, and calls the user for each, nearest first, until the cast is cut short of the next.
fn cast(
    id: b2WorldId,
    filter: b2QueryFilter,
    callback: b2CastResultFcn,
    context: *mut c_void,
    find: impl FnOnce(&World, QueryFilter<'_>) -> Outcome<Vec<ShapeHit>>,
) -> Outcome<b2TreeStats> {
    let mut hits = world(id, |slot| find(&slot.world, filter.filter()))?;
    hits.sort_by(|a, b| a.fraction.total_cmp(&b.fraction));
    let Some(callback) = callback else {
        return Ok(stats(hits.len()));
    };
    let mut reach = 1.0;
    for hit in &hits {
        if hit.fraction > reach {
            break;
        }
        let normal = if hit.fraction > 0.0 {
            hit.normal
        } else {
            Vec2::zeros()
        };
        let shape = b2ShapeId::of(hit.shape, id.index1 - 1);
        let answer = callback(
            shape,
            hit.point.into(),
            normal.into(),
            hit.fraction,
            context,
        );
        if answer == 0.0 {
            break;
        }
        if answer > 0.0 && answer <= 1.0 {
            reach = answer;
        }
    }
    Ok(stats(hits.len()))
}

/// Nearest hit of a shape in which the ray does not start.
fn closest(
    world: &World,
    origin: WorldPoint,
    translation: Vec2,
    filter: QueryFilter<'_>,
) -> Option<ShapeHit> {
    let starts_inside = |hit: &ShapeHit| hit.normal == Vec2::zeros();
    match world.ray_cast(origin, translation, filter) {
        Some(hit) if starts_inside(&hit) => world
            .ray_cast_all(origin, translation, filter)
            .into_iter()
            .filter(|hit| !starts_inside(hit))
            .min_by(|a, b| a.fraction.total_cmp(&b.fraction)),
        hit => hit,
    }
}

fn ray_result(hit: Option<ShapeHit>, world0: u16) -> b2RayResult {
    let none = b2RayResult {
        fraction: 0.0,
        ..b2RayResult::zeroed()
    };
    hit.map_or(none, |hit| b2RayResult {
        shapeId: b2ShapeId::of(hit.shape, world0),
        point: hit.point.into(),
        normal: hit.normal.into(),
        fraction: hit.fraction,
        nodeVisits: 1,
        leafVisits: 1,
        hit: true.into(),
    })
}

/// Fraction of the way that a mover is free to go.
fn cast_mover(
    world: &World,
    mover: &b2Capsule,
    origin: WorldPoint,
    translation: Vec2,
    filter: QueryFilter<'_>,
) -> Outcome<f32> {
    let shape = capsule(mover)?;
    let mover = Mover::new(&shape, origin);
    let skin = MOVER_SKIN * crate::math::length_units();
    let hit = world.mover_cast(&mover, translation, skin, filter);
    Ok(hit.map_or(1.0, |hit| hit.fraction))
}

/// The planes that push a mover, relative to where it is.
fn planes(
    world: &World,
    mover: &b2Capsule,
    origin: WorldPoint,
    filter: QueryFilter<'_>,
) -> Outcome<Vec<(ShapeId, b2PlaneResult)>> {
    let shape = capsule(mover)?;
    let planes = world.mover_planes(&Mover::new(&shape, origin), 0.0, filter);
    Ok(planes
        .iter()
        .map(|plane| {
            let result = b2PlaneResult {
                plane: b2Plane {
                    normal: plane.normal.into(),
                    offset: -plane.separation,
                },
                point: (plane.point - origin).into(),
                hit: true.into(),
            };
            (plane.shape, result)
        })
        .collect())
}

c_functions! {
    fn b2World_OverlapAABB(
        id: b2WorldId,
        origin: b2Pos,
        aabb: b2AABB,
        filter: b2QueryFilter,
        callback: b2OverlapResultFcn,
        context: *mut c_void,
    ) -> b2TreeStats {
        overlap(id, filter, callback, context, |world, filter| {
            Ok(world.shapes_near(&aabb.moved(origin).aabb(), filter))
        })?
    }

    fn b2World_OverlapShape(
        id: b2WorldId,
        origin: b2Pos,
        proxy: In<b2ShapeProxy>,
        filter: b2QueryFilter,
        callback: b2OverlapResultFcn,
        context: *mut c_void,
    ) -> b2TreeStats {
        let shape = proxy_shape(proxy.as_ref()?)?;
        overlap(id, filter, callback, context, |world, filter| {
            Ok(world.overlap_shape(&shape, origin.place(), 0.0, filter))
        })?
    }

    fn b2World_CastRay(
        id: b2WorldId,
        origin: b2Pos,
        translation: b2Vec2,
        filter: b2QueryFilter,
        callback: b2CastResultFcn,
        context: *mut c_void,
    ) -> b2TreeStats {
        cast(id, filter, callback, context, |world, filter| {
            Ok(world.ray_cast_all(origin.place(), translation.vec(), filter))
        })?
    }

    fn b2World_CastRayClosest(id: b2WorldId, origin: b2Pos, translation: b2Vec2, filter: b2QueryFilter) -> b2RayResult {
        world(id, |slot| {
            let hit = closest(&slot.world, origin.place(), translation.vec(), filter.filter());
            Ok(ray_result(hit, slot.world0))
        })?
    }

    fn b2World_CastShape(
        id: b2WorldId,
        origin: b2Pos,
        proxy: In<b2ShapeProxy>,
        translation: b2Vec2,
        filter: b2QueryFilter,
        callback: b2CastResultFcn,
        context: *mut c_void,
    ) -> b2TreeStats {
        let shape = proxy_shape(proxy.as_ref()?)?;
        cast(id, filter, callback, context, |world, filter| {
            Ok(world.shape_cast_all(&shape, origin.place(), 0.0, translation.vec(), filter))
        })?
    }

    fn b2World_CastMover(
        id: b2WorldId,
        origin: b2Pos,
        mover: In<b2Capsule>,
        translation: b2Vec2,
        filter: b2QueryFilter,
    ) -> f32 {
        let mover = mover.as_ref()?;
        world(id, |slot| cast_mover(&slot.world, mover, origin.place(), translation.vec(), filter.filter()))?
    }

    fn b2World_CollideMover(
        id: b2WorldId,
        origin: b2Pos,
        mover: In<b2Capsule>,
        filter: b2QueryFilter,
        callback: b2PlaneResultFcn,
        context: *mut c_void,
    ) {
        let mover = mover.as_ref()?;
        let found = world(id, |slot| planes(&slot.world, mover, origin.place(), filter.filter()))?;
        let Some(callback) = callback else {
            return Ok(());
        };
        for (shape, plane) in &found {
            if !callback(b2ShapeId::of(*shape, id.index1 - 1), In::of(plane), context) {
                break;
            }
        }
    }
}
