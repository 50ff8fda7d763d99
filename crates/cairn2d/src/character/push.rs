//! Impulses of a character on the dynamic bodies that it ran into.

use super::def::CharacterController;
use super::report::{CharacterHit, CharacterMove};
use cairn2d_dynamics::{BodyKind, BodyRef, MAX_COORDINATE, MIN_MASS, World};
use cairn2d_geometry::math::cross;

/// Greatest speed with which a character pushes [m/s]: across the whole world in a second.
///
/// A desired translation of any length is allowed in a step of any length, so their quotient may overflow. Impulses and torques of this speed
/// are finite for all masses and arms that a world accepts.
const MAX_PUSH_SPEED: f32 = MAX_COORDINATE as f32;

impl CharacterController<'_> {
    /// Pushes the dynamic bodies that a character of `mass` \[kg\] ran into, with the impulses of inelastic collisions
    /// at the speed of the desired translation. `walk` is its motion in a step of `dt` \[s\]. An infinite mass brings
    /// each body to that speed.
    ///
    /// Each hit gives one impulse at its point. A body that already moves away as fast gets none; a `mass` or
    /// `dt` that is not positive gives none at all. Speeds above 1e9 m/s count as that, and hits whose numbers are
    /// not finite are skipped.
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
    let (body_inv_mass, body_inv_inertia) = inverse_masses(&view);
    let turn = cross(&arm, &hit.normal);
    let inv_mass = 1.0 / mass + body_inv_mass + body_inv_inertia * turn * turn;
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

/// Returns the inverses of the mass [1/kg] and of the inertia [1/(kg m^2)] of a dynamic body, as the world uses them: 0
/// without mass, or where the rotation is locked.
fn inverse_masses(body: &BodyRef<'_>) -> (f32, f32) {
    if body.mass() <= MIN_MASS {
        return (0.0, 0.0);
    }
    let inverse = 1.0 / body.inertia();
    let turns = !body.locks().rotation && inverse.is_finite();
    (1.0 / body.mass(), if turns { inverse } else { 0.0 })
}
