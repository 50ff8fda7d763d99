//! A platformer: 3 000 static tiles, 40 walkers with four rays each a step, 30 moving platforms with crates.

use super::*;

/// Tiles of 1 m: two rows of ground, and ledges above it.
const COLUMNS: usize = 1200;
const TILES: usize = 3000;

const WALKERS: usize = 40;

/// Platforms, and crates on each.
const PLATFORMS: usize = 30;
const CRATES: usize = 3;

/// Half the length of a walker's middle line \[m\], its radius \[m\], speed and speed of a jump [m/s].
const TRUNK: f32 = 0.3;
const RADIUS: f32 = 0.3;
const SPEED: f32 = 3.0;
const JUMP: f32 = 5.5;

/// Steps of a platform from one end of its way to the other and back, and its speed [m/s].
const PERIOD: u32 = 240;
const DRIFT: f32 = 1.5;

pub(super) const SCENE: BenchmarkScene = BenchmarkScene {
    name: "platformer",
    timed_steps: 900,
    end: end(
        TILES + WALKERS + PLATFORMS * (1 + CRATES),
        TILES + WALKERS + PLATFORMS * (1 + CRATES),
        0,
        0,
    ),
    bounds: bounds(point(-10.0, -5.0), point(1300.0, 100.0)),
    build,
    before_step,
    ..PLAY
};

fn build(engine: &mut dyn Engine) -> Cast {
    let tile = rectangle(0.5, 0.5);
    for i in 0..TILES {
        let (x, y) = place_of_tile(i);
        let body = engine.create_body(&BodyDef::static_().position(x, y));
        engine.create_shape(body, &tile, &ShapeDef::default());
    }
    let trunk = Capsule::new(point(0.0, -TRUNK), point(0.0, TRUNK), RADIUS).into();
    let walkers = (0..WALKERS).map(|i| {
        let place = BodyDef::dynamic().position(5.0 + 29.0 * i as f32, 0.7);
        let walker = engine.create_body(&place.locks(Locks::ROTATION));
        engine.create_shape(walker, &trunk, &ShapeDef::default().friction(0.2));
        walker
    });
    let walkers = walkers.collect();
    let (mut platforms, mut crates) = (Vec::new(), Vec::new());
    for i in 0..PLATFORMS {
        let (x, y) = (10.0 + 38.0 * i as f32, 6.0);
        let platform = engine.create_body(&BodyDef::kinematic().position(x, y));
        engine.create_shape(platform, &rectangle(1.5, 0.2), &ShapeDef::default());
        platforms.push(platform);
        for k in 0..CRATES {
            let (x, y) = (x + 0.7 * (k as f32 - 1.0), y + 0.5);
            crates.push(drop_shape(
                engine,
                x,
                y,
                &rectangle(0.3, 0.3),
                &ShapeDef::default(),
            ));
        }
    }
    Cast {
        groups: vec![walkers, platforms, crates],
        ..Cast::default()
    }
}

/// Returns the middle of a tile: ground first, then 300 steps of one tile and of a tower of two, and ledges above.
fn place_of_tile(i: usize) -> (f32, f32) {
    let (column, row) = (i % COLUMNS, i / COLUMNS);
    let x = column as f32;
    match (row, column) {
        (0 | 1, _) => (x, -0.5 - row as f32),
        (_, 0..200) => (6.0 * x + 2.0, 0.5),
        (_, 200..250) => (24.0 * (x - 200.0) + 2.0, 1.5),
        _ => (3.4 * (x - 250.0), 3.5),
    }
}

fn before_step(cast: &mut Cast, engine: &mut dyn Engine, step: u32) {
    let forth = (step / (PERIOD / 2)).is_multiple_of(2);
    if step.is_multiple_of(PERIOD / 2) {
        for (i, &platform) in cast.groups[1].iter().enumerate() {
            let drift = if forth == i.is_multiple_of(2) {
                DRIFT
            } else {
                -DRIFT
            };
            engine.set_velocity(platform, vec2(drift, 0.0));
        }
    }
    // Not every engine finds bodies before its first step.
    if step > 0 {
        for (i, &walker) in cast.groups[0].iter().enumerate() {
            walk(engine, walker, i);
        }
    }
}

/// Lets a walker go on in its direction, jump at a step, and turn at a wall that it cannot jump onto.
fn walk(engine: &mut dyn Engine, walker: BodyHandle, number: usize) {
    let motion = engine.motion(walker);
    let (at, velocity) = (motion.position, motion.velocity);
    let first = if number.is_multiple_of(2) { 1.0 } else { -1.0 };
    let forward = if velocity.x == 0.0 {
        first
    } else {
        velocity.x.signum()
    };
    // Just outside of the walker, so that its own shape is not met.
    let ahead = |y: f32| at + vec2(forward * (RADIUS + 0.01), y);
    let reach = vec2(forward * 0.6, 0.0);
    let grounded = engine.ray_cast(at + vec2(0.0, -TRUNK - RADIUS - 0.01), vec2(0.0, -0.15));
    let low = engine.ray_cast(ahead(-TRUNK), reach);
    let high = engine.ray_cast(ahead(TRUNK + 0.4), reach);
    let above = engine.ray_cast(at + vec2(0.0, TRUNK + RADIUS + 0.01), vec2(0.0, 1.0));
    let turns = high.is_some_and(|share| share < 0.5);
    let jumps = grounded.is_some() && low.is_some() && above.is_none();
    let rise = if jumps && velocity.y < 1.0 {
        JUMP
    } else {
        velocity.y
    };
    let forward = if turns { -forward } else { forward };
    engine.set_velocity(walker, vec2(forward * SPEED, rise));
}
