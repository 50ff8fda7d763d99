//! A tower of 18 layers of three blocks; every second a hand pulls one out, and puts it on top.
//!
//! Seen from the side, every other layer shows the ends of its three blocks, and the others one long side. The block in
//! the middle is wider than in the toy, so that the tower stands on it.

use super::*;
use crate::engine::{Grip, JointHandle};

/// Layers, half of which can be pulled at: those that show ends.
const LAYERS: usize = 18;

/// Widths of the ends in a layer: those outside, which are pulled, and the one between them, which carries \[m\].
const WIDTH: f32 = 0.4;
const MIDDLE: f32 = 0.7;
const HEIGHT: f32 = 0.3;

/// Distance of the outer ends from the middle \[m\].
const OUTSIDE: f32 = 0.5 * (WIDTH + MIDDLE);

/// Layers that blocks are pulled from, in turn, left and right.
const PULLED: [usize; 8] = [12, 10, 14, 8, 6, 4, 10, 14];

/// Steps from the beginning of one pull to the next; each takes twice as long, so that there are two hands.
const PERIOD: u32 = 60;

pub(super) const SCENE: BenchmarkScene = BenchmarkScene {
    name: "jenga",
    timed_steps: PERIOD * (PULLED.len() as u32 + 2),
    end: end(39, 37, 0, 0),
    build,
    before_step,
    ..PLAY
};

fn build(engine: &mut dyn Engine) -> Cast {
    floor(engine);
    let gap = 0.005;
    let end = rectangle(0.5 * WIDTH - gap, 0.5 * HEIGHT);
    let middle = rectangle(0.5 * MIDDLE, 0.5 * HEIGHT);
    let side = rectangle(WIDTH + 0.5 * MIDDLE, 0.5 * HEIGHT);
    // Smooth wood, and a hand that holds a block by more than a point: else the tower follows the blocks and falls.
    let def = ShapeDef::default().friction(0.25);
    let block = BodyDef::dynamic().damping(0.0, 10.0);
    let mut ends = Vec::new();
    let mut sides = Vec::new();
    for layer in 0..LAYERS {
        let y = HEIGHT * (layer as f32 + 0.5);
        if layer % 2 == 1 {
            sides.push(drop_shape(engine, 0.0, y, &side, &def));
            continue;
        }
        for column in [-1.0, 0.0, 1.0] {
            let x = OUTSIDE * column;
            let body = engine.create_body(&block.clone().position(x, y));
            let shape = if column == 0.0 { &middle } else { &end };
            engine.create_shape(body, shape, &def);
            ends.push(body);
        }
    }
    let hands = [0, 1].map(|_| engine.create_body(&BodyDef::kinematic().position(0.0, 10.0)));
    Cast {
        groups: vec![ends, sides, hands.to_vec()],
        ..Cast::default()
    }
}

fn before_step(cast: &mut Cast, engine: &mut dyn Engine, step: u32) {
    let begun = (step / PERIOD) as usize;
    // The older pull first: it ends where the next one of the same hand begins.
    for pull in [begun.checked_sub(1), Some(begun)].into_iter().flatten() {
        if pull < PULLED.len() {
            let passed = step - PERIOD * pull as u32;
            move_hand(cast, engine, pull, passed);
        }
    }
}

/// Moves the hand of a pull that began `passed` steps ago.
fn move_hand(cast: &mut Cast, engine: &mut dyn Engine, pull: usize, passed: u32) {
    let (hand, layer) = (cast.groups[2][pull % 2], PULLED[pull]);
    let left = pull.is_multiple_of(2);
    let side = if left { -1.0 } else { 1.0 };
    let block = cast.groups[0][3 * (layer / 2) + if left { 0 } else { 2 }];
    match passed {
        0 => {
            let place = engine.motion(block).position;
            engine.move_to(hand, place, 0.0, super::super::STEP);
        }
        1 => {
            let grip = grip(engine, hand, block);
            cast.joints.push(grip);
        }
        117 => engine.destroy_joint(cast.joints[pull]),
        _ => {}
    }
    if passed == 0 {
        return;
    }
    // Out of the tower, up, inwards above its place, and down onto it.
    let slot = 1.1 * WIDTH * [0.0, -1.0, 1.0][pull % 3];
    let out = side * (OUTSIDE + 1.5 * share(passed, 1, 30));
    let x = out + (slot - out) * share(passed, 75, 105);
    let low = HEIGHT * (layer as f32 + 0.5);
    let top = HEIGHT * ((LAYERS + pull / 3) as f32 + 0.5);
    let lift = top + 0.6 - low;
    let y = low + lift * share(passed, 30, 75) - 0.57 * share(passed, 105, 115);
    engine.move_to(hand, point(x, y), 0.0, super::super::STEP);
}

fn grip(engine: &mut dyn Engine, hand: BodyHandle, block: BodyHandle) -> JointHandle {
    engine.create_grip(&Grip {
        body_a: hand,
        body_b: block,
        spring: Spring::new(6.0, 1.0),
        max_force: 150.0,
    })
}
