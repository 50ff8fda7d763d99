//! `collision.h`: movers among planes.

use crate::abi::{In, Out};
use crate::types::*;
use cairn2d::{CollisionPlane, clip_velocity, solve_planes};
use core::ffi::c_int;

/// The plane as seen from a mover that has not moved yet.
fn plane(plane: &b2CollisionPlane) -> CollisionPlane {
    CollisionPlane {
        push: plane.push,
        ..CollisionPlane::soft(
            plane.plane.normal.vec(),
            -plane.plane.offset,
            plane.pushLimit,
        )
    }
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
        let planes = planes.slice(count)?;
        let clipping: Vec<_> = planes.iter().filter(|plane| plane.clipVelocity.is_set()).map(plane).collect();
        clip_velocity(vector.vec(), &clipping).into()
    }
}
