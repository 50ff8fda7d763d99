//! The scenes, and an app that runs them without a window.

pub(crate) mod ccd;
pub(crate) mod chain;
pub(crate) mod crowd;
pub(crate) mod despawn;
pub(crate) mod events;
pub(crate) mod joints;
pub(crate) mod kinematic_character;
pub(crate) mod marbles;
pub(crate) mod one_way_platform;
pub(crate) mod ray_casts;
pub(crate) mod sensors;

use bevy_app::prelude::*;
use bevy_cairn2d::prelude::*;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;

/// A scene as a Bevy plugin.
pub(crate) type Scene = fn(&mut App);

/// All scenes by name.
pub(crate) const ALL: [(&str, Scene); 11] = [
    ("ccd", ccd::scene),
    ("chain", chain::scene),
    ("crowd", crowd::scene),
    ("despawn", despawn::scene),
    ("events", events::scene),
    ("joints", joints::scene),
    ("kinematic_character", kinematic_character::scene),
    ("marbles", marbles::scene),
    ("one_way_platform", one_way_platform::scene),
    ("ray_casts", ray_casts::scene),
    ("sensors", sensors::scene),
];

/// Length of a step \[s\].
pub(crate) const DT: f32 = 1.0 / 60.0;

/// Returns an app that makes one step of 1/60 s in each update, from the second one on.
pub(crate) fn headless(scene: Scene) -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, TransformPlugin))
        .insert_resource(Time::<Fixed>::from_hz(60.0))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    scene(&mut app);
    app.update();
    app
}

fn at(x: f32, y: f32) -> Transform {
    Transform::from_xyz(x, y, 0.0)
}

/// A floor whose top is at y = 0.
fn floor() -> (RigidBody, Collider, Transform) {
    let slab = Collider::rectangle(60.0, 2.0);
    (RigidBody::Static, slab, at(0.0, -1.0))
}
