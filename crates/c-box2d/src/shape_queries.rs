//! Shapes: points, rays, boxes, mass, and wind.

use crate::abi::Outcome;
use crate::geometry::ray_output;
use crate::types::*;
use crate::worlds::{read, shape, write};
use cairn2d::{Pose, Ray, ShapeRef, Wind};

/// Mass of a square meter of air by which Box2D's wind pushes [kg/m^2].
const AIR_DENSITY: f32 = 1.225;

/// Does work with a shape and the pose of its body.
fn posed<R>(id: b2ShapeId, work: impl FnOnce(ShapeRef<'_>, Pose) -> R) -> Outcome<R> {
    read(id.world0, |slot| {
        let shape = slot.shape(id)?;
        let body = b2BodyId::of(shape.body(), id.world0);
        let pose = crate::body::transform(slot.body(body)?).pose();
        Ok(work(shape, pose))
    })
}

fn closest_point(shape: ShapeRef<'_>, pose: Pose, target: b2Pos) -> b2Pos {
    let local = pose.inverse_transform_point(&target.point());
    if shape.geometry().contains(&local) {
        return target;
    }
    (pose * shape.geometry().project(&local).point).into()
}

fn cast_ray(shape: ShapeRef<'_>, pose: Pose, origin: b2Pos, way: b2Vec2) -> b2CastOutput {
    let start = pose.inverse_transform_point(&origin.point());
    let way = pose.inverse_transform_vector(&way.vec());
    let hit = shape.geometry().ray_cast(&Ray::new(start, way));
    let mut output = ray_output(hit);
    if output.hit.is_set() {
        output.point = (pose * output.point.point()).into();
        output.normal = (pose.rotation * output.normal.vec()).into();
    }
    output
}

c_functions! {
    fn b2Shape_TestPoint(id: b2ShapeId, point: b2Pos) -> bool {
        posed(id, |shape, pose| shape.geometry().contains(&pose.inverse_transform_point(&point.point())))?
    }

    fn b2Shape_RayCast(id: b2ShapeId, origin: b2Pos, translation: b2Vec2) -> b2WorldCastOutput {
        let (origin, translation) = (origin.finite("origin")?, translation.finite("translation")?);
        posed(id, |shape, pose| cast_ray(shape, pose, origin, translation))?
    }

    fn b2Shape_GetAABB(id: b2ShapeId) -> b2AABB { shape(id, |shape| shape.aabb().into())? }

    fn b2Shape_ComputeMassData(id: b2ShapeId) -> b2MassData {
        shape(id, |shape| shape.geometry().mass(shape.density()).into())?
    }

    fn b2Shape_GetClosestPoint(id: b2ShapeId, target: b2Pos) -> b2Pos {
        let target = target.finite("target")?;
        posed(id, |shape, pose| closest_point(shape, pose, target))?
    }

    fn b2Shape_ApplyWind(id: b2ShapeId, wind: b2Vec2, drag: f32, lift: f32, wake: bool) {
        let wind = Wind { wakes: wake, density: AIR_DENSITY, ..Wind::new(wind.vec()).coefficients(drag, lift) };
        write(id.world0, |slot| Ok(slot.shape_mut(id)?.try_apply_wind(&wind)?))?
    }
}
