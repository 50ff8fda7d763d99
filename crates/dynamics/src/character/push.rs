//! Impulses of a character on the dynamic bodies that it ran into.

use crate::body::def::BodyKind;
use crate::character::def::CharacterController;
use crate::character::report::{CharacterHit, CharacterMove};
use crate::world::World;
use cairn2d_geometry::math::cross;

impl CharacterController {
    /// Applies to the dynamic bodies that a character of `mass` \[kg\] ran into the impulses of inelastic
    /// collisions at the speed of the desired translation; `walk` is its motion in a step of `dt` \[s\]. An
    /// infinite mass brings each body to that speed.
    ///
    /// Each hit gives one impulse at its point. A body that already moves away as fast gets none; a `mass` or
    /// `dt` that is not positive gives none at all.
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
    if approach > 0.0 && inv_mass > 0.0 {
        body.apply_impulse_at(hit.normal * (-approach / inv_mass), hit.point);
    }
}
