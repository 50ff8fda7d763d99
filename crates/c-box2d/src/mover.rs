//! `collision.h`: movers among planes.

use crate::abi::{In, Out};
use crate::types::*;
use cairn2d::{CollisionPlane, clip_velocity, solve_planes};
use core::ffi::c_int;

/// The plane as seen from a mover that has not moved yet. The largest limit stands for none.
fn plane(plane: &b2CollisionPlane) -> CollisionPlane {
    let limit = plane.pushLimit;
    let max_push = if limit < f32::MAX {
        limit
    } else {
        f32::INFINITY
    };
    CollisionPlane::soft(plane.plane.normal.vec(), -plane.plane.offset, max_push)
}

/// The plane if it clips velocities. A limit of its push does not matter for that.
fn clipping(plane: &b2CollisionPlane) -> Option<CollisionPlane> {
    plane.clipVelocity.is_set().then(|| CollisionPlane {
        push: plane.push,
        ..CollisionPlane::rigid(plane.plane.normal.vec(), 0.0)
    })
}

c_functions! {
    /// Writes how far each plane pushed.
    fn b2SolvePlanes(target: b2Vec2, planes: Out<b2CollisionPlane>, count: c_int) -> b2PlaneSolverResult {
        let target = target.finite("target")?;
        let planes = planes.slice(count)?;
        let mut engine_planes: Vec<_> = planes.iter().map(plane).collect();
        let solution = solve_planes(target.vec(), &mut engine_planes);
        for (plane, solved) in planes.iter_mut().zip(&engine_planes) {
            plane.push = solved.push;
        }
        b2PlaneSolverResult {
            translation: solution.translation.into(),
            iterationCount: solution.iterations as c_int,
        }
    }

    fn b2ClipVector(vector: b2Vec2, planes: In<b2CollisionPlane>, count: c_int) -> b2Vec2 {
        let planes: Vec<_> = planes.slice(count)?.iter().filter_map(clipping).collect();
        clip_velocity(vector.vec(), &planes).into()
    }
}
