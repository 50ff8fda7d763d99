//! Scenes of the plugin, without a window: `cargo run --example gallery -- chain`.
//!
//! Each scene is a Bevy plugin. To see one, add it to an app with the default plugins of Bevy and
//! `PhysicsGizmosPlugin` (feature `gizmos`).

mod scenes;

use bevy_cairn2d::prelude::*;
use bevy_ecs::prelude::*;
use bevy_transform::components::Transform;
use std::env;

/// Steps that a run takes: five seconds.
const STEPS: u32 = 300;

fn main() {
    let name = env::args().nth(1).unwrap_or_default();
    let Some((_, plugin)) = scenes::ALL.iter().find(|(scene, _)| *scene == name) else {
        let names: Vec<&str> = scenes::ALL.iter().map(|(scene, _)| *scene).collect();
        println!("name one of these scenes: {}", names.join(", "));
        return;
    };
    let mut app = scenes::headless(*plugin);
    for _ in 0..STEPS {
        app.update();
    }
    let world = app.world_mut();
    let mut bodies = world.query::<(Entity, &RigidBody, &Transform, &Velocity)>();
    for (entity, kind, transform, velocity) in bodies.iter(world) {
        let (at, speed) = (transform.translation, velocity.linear.length());
        println!(
            "{entity:8} {kind:?} at ({:.3}, {:.3}), {speed:.3} m/s",
            at.x, at.y
        );
    }
}
