//! Scenes that people play: towers, forts, trucks, ropes, learning, a sandbox, cars from above, cloth, pinball, a
//! platformer. Bodies fall asleep and settings are the defaults, as in a game.

use super::worlds::{circle, floor};
use super::{BenchmarkScene, Cast, GRAVITY, bounds, drop_shape, end, rectangle};
use super::{rectangle_at, worlds};
use crate::engine::{BodyHandle, Engine};
use cairn2d::prelude::*;

pub(super) mod chains;
mod cloth;
mod creatures;
mod forts;
mod jenga;
mod pinball;
mod platformer;
mod ropes;
mod sandbox;
mod streets;
pub(super) mod strikes;
mod truck;

pub(super) const SCENES: [BenchmarkScene; 10] = [
    jenga::SCENE,
    forts::SCENE,
    truck::SCENE,
    ropes::SCENE,
    creatures::SCENE,
    sandbox::SCENE,
    streets::SCENE,
    cloth::SCENE,
    pinball::SCENE,
    platformer::SCENE,
];

/// Common part of the scenes.
const PLAY: BenchmarkScene = BenchmarkScene {
    timed_steps: 900,
    sleeping: true,
    bounds: bounds(point(-200.0, -50.0), point(300.0, 200.0)),
    ..worlds::SCENE
};

/// Adds a static body at the origin.
fn ground(engine: &mut dyn Engine) -> BodyHandle {
    engine.create_body(&BodyDef::static_())
}

/// Returns the frame at (`x`, `y`) on a body [m].
const fn on(body: BodyHandle, x: f32, y: f32) -> (BodyHandle, JointFrame) {
    (body, JointFrame::at(x, y))
}

/// Returns how far a motion from 0 to 1 has come that begins at step `first` and ends at step `last`.
fn share(step: u32, first: u32, last: u32) -> f32 {
    let passed = step.saturating_sub(first) as f32 / (last - first) as f32;
    passed.min(1.0)
}
