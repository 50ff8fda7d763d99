//! What a character does to the bodies that it runs into.

use crate::body::def::BodyKind;
use crate::character::def::CharacterController;
use crate::character::report::{CharacterHit, CharacterMove};
use crate::tuning::MAX_COORDINATE;
use crate::world::World;
use cairn2d_geometry::math::cross;

/// Greatest speed with which a character pushes [m/s]: across the whole world in a second.
///
/// A wish of any length is allowed in a step of any length, so their quotient may overflow. Impulses and torques of this speed
/// are finite for all masses and arms that a world accepts.
const MAX_PUSH_SPEED: f32 = MAX_COORDINATE as f32;

impl CharacterController {
    /// Pushes the dynamic bodies that a character of `mass` \[kg\] ran into, as if it had met each with the speed of its wish,
    /// without a bounce; `walk` is its way in a step of `dt` \[s\]. An infinite mass pushes everything at its own speed.
    ///
    /// Each hit is an impulse at its place. A body that is fast enough already, and a `mass` or `dt` that is not greater than 0,
    /// get none. Speeds above 1e9 m/s push like that one, and hits whose numbers are not finite are skipped.
    pub fn push(&self, world: &mut World, walk: &CharacterMove, mass: f32, dt: f32) {
        if mass > 0.0 && dt > 0.0 {
            for hit in &walk.hits {
                push_one(world, hit, mass, dt);
            }
        }
    }
}

fn push_one(world: &mut World, hit: &CharacterHit, mass: f32, dt: f32) {
    let Some(mut body) = world.get_body_mut(hit.body) else {
        return;
    };
    let view = body.as_ref();
    if view.kind() != BodyKind::Dynamic {
        return;
    }
    let arm = hit.point - view.center_exact();
    let approach = hit.approach / dt + hit.normal.dot(&view.velocity_at(hit.point));
    let moved = body.mass_record();
    let turn = cross(&arm, &hit.normal);
    let inv_mass = 1.0 / mass + moved.inv_mass + moved.inv_inertia * turn * turn;
    if !(approach > 0.0 && inv_mass > 0.0) {
        return;
    }
    let impulse = hit.normal * (-approach.min(MAX_PUSH_SPEED) / inv_mass);
    let spin = cross(&arm, &impulse);
    // The fields of a hit are public, so the caller may have changed them.
    if impulse.x.is_finite() && impulse.y.is_finite() && spin.is_finite() {
        body.apply_impulse_at(impulse, hit.point);
    }
}
