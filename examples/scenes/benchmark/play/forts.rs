//! Five forts of 35 boxes and planks of wood, stone and glass; every two seconds a heavy ball is thrown at one.

use super::*;

/// Forts, floors of each, and pieces of a floor: three posts, two planks, two boxes.
const FORTS: usize = 5;
const FLOORS: usize = 5;
const PIECES: usize = FORTS * FLOORS * 7;

/// Balls that are thrown, and steps between them.
const BALLS: u32 = 8;
const PERIOD: u32 = 120;

/// Seconds that a ball flies.
const FLIGHT: f32 = 2.2;

pub(super) const SCENE: BenchmarkScene = BenchmarkScene {
    name: "angry",
    timed_steps: PERIOD * BALLS,
    end: end(
        PIECES + BALLS as usize + 1,
        PIECES + BALLS as usize + 1,
        0,
        0,
    ),
    build,
    before_step,
    ..PLAY
};

/// Densities of wood, stone and glass [kg/m^2].
const DENSITIES: [f32; 3] = [0.5, 3.0, 1.5];

fn build(engine: &mut dyn Engine) -> Cast {
    floor(engine);
    let mut pieces = Vec::new();
    for fort in 0..FORTS {
        for story in 0..FLOORS {
            build_floor(engine, place_of(fort), story, &mut pieces);
        }
    }
    Cast {
        groups: vec![pieces, Vec::new()],
        ..Cast::default()
    }
}

fn place_of(fort: usize) -> f32 {
    8.0 * fort as f32
}

fn build_floor(engine: &mut dyn Engine, middle: f32, story: usize, pieces: &mut Vec<BodyHandle>) {
    let (post, plank, crate_) = (
        rectangle(0.15, 0.5),
        rectangle(0.7, 0.1),
        rectangle(0.3, 0.3),
    );
    let material = |part: usize| {
        let density = DENSITIES[(story + part) % DENSITIES.len()];
        ShapeDef::default().density(density)
    };
    let y = 1.2 * story as f32;
    for column in [-1.0, 0.0, 1.0] {
        let x = middle + 1.4 * column;
        pieces.push(drop_shape(engine, x, y + 0.5, &post, &material(0)));
    }
    for side in [-1.0, 1.0] {
        let x = middle + 0.71 * side;
        pieces.push(drop_shape(engine, x, y + 1.1, &plank, &material(1)));
        pieces.push(drop_shape(engine, x, y + 0.3, &crate_, &material(2)));
    }
}

fn before_step(cast: &mut Cast, engine: &mut dyn Engine, step: u32) {
    if step % PERIOD != PERIOD / 2 || step >= PERIOD * BALLS {
        return;
    }
    let number = (step / PERIOD) as usize;
    let (x, y) = (-16.0, 1.0);
    let target = point(place_of(number % FORTS), 3.0);
    // Thrown so that it comes down on the target.
    let velocity = vec2(
        (target.x - x) / FLIGHT,
        (target.y - y) / FLIGHT - 0.5 * GRAVITY.y * FLIGHT,
    );
    let def = BodyDef::dynamic().position(x, y).bullet();
    let ball = engine.create_body(&def.velocity(velocity.x, velocity.y));
    engine.create_shape(ball, &circle(0.4), &ShapeDef::default().density(8.0));
    cast.groups[1].push(ball);
}
