//! Bodies that slide over tiles do not catch on internal edges, and are stopped by all obstacles above them.

use cairn2d_dynamics::{BodyDef, BodyId, BodyKind, Locks, ShapeDef, World, WorldDef};
use cairn2d_geometry::math::{point, sin_cos};
use cairn2d_geometry::{Capsule, Chain, ChainKind, Circle, Polygon, Segment, Shape};

const DT: f32 = 1.0 / 60.0;
const TILES: u32 = 110;

fn smooth() -> ShapeDef {
    ShapeDef::default().friction(0.0)
}

fn world() -> World {
    World::new(WorldDef::default())
}

fn add(world: &mut World, body: BodyDef, shape: impl Into<Shape>) -> BodyId {
    let body = world.create_body(body);
    world.create_shape(body, shape.into(), smooth());
    body
}

fn tile(x: f32, y: f32) -> Shape {
    let tile = Polygon::offset_rectangle(0.5, 0.5, point(x, y), 0.0);
    tile.into()
}

/// A floor at height 0 from -0.5 m on.
#[derive(Clone, Copy, Debug)]
enum Floor {
    /// Tiles of one body.
    Tiles,
    /// Each tile a body of its own, every other one kinematic.
    Bodies,
    Segments,
}

fn lay(world: &mut World, floor: Floor) {
    let one = world.create_body(BodyDef::static_());
    for i in 0..TILES {
        let x = i as f32;
        match floor {
            Floor::Tiles => {
                world.create_shape(one, tile(x, -0.5), smooth());
            }
            Floor::Bodies => {
                let kind = [BodyKind::Static, BodyKind::Kinematic][i as usize % 2];
                let def = BodyDef {
                    kind,
                    ..BodyDef::default()
                };
                add(world, def.position(x, -0.5), tile(0.0, 0.0));
            }
            Floor::Segments => {
                let ends = [point(x - 0.5, 0.0), point(x + 0.5, 0.0)];
                let segment = Segment::new(ends[0], ends[1]);
                world.create_shape(one, segment, smooth());
            }
        }
    }
}

/// Shapes of 0.8 m at most, with the height of their center when they stand on the floor.
fn things() -> Vec<(&'static str, Shape, f32)> {
    let rect = |x, y| Polygon::rectangle(x, y);
    let rounded = Polygon::rounded_rectangle(0.3, 0.2, 0.1);
    let capsule = |x: f32, y: f32| Capsule::new(point(-x, -y), point(x, y), 0.25);
    let around = |i: u32| {
        let (sin, cos) = sin_cos((60 * i) as f32 * core::f32::consts::PI / 180.0);
        point(0.4 * cos, 0.4 * sin)
    };
    let corners: Vec<_> = (0..6).map(around).collect();
    let hexagon = Polygon::hull(&corners);
    vec![
        ("box", rect(0.4, 0.3).into(), 0.3),
        ("rounded box", rounded.into(), 0.3),
        ("ball", Circle::new(point(0.0, 0.0), 0.3).into(), 0.3),
        ("lying capsule", capsule(0.3, 0.0).into(), 0.25),
        ("standing capsule", capsule(0.0, 0.3).into(), 0.55),
        ("hexagon", hexagon.into(), 0.4 * 0.75_f32.sqrt()),
    ]
}

/// A capsule on its end would fall over.
fn upright(name: &str) -> Locks {
    if name == "standing capsule" {
        Locks::ROTATION
    } else {
        Locks::default()
    }
}

#[test]
fn nothing_that_slides_over_a_floor_of_pieces_is_slowed_or_lifted() {
    for floor in [Floor::Tiles, Floor::Bodies, Floor::Segments] {
        for (name, shape, height) in things() {
            for speed in [0.7, 8.0, 40.0] {
                let mut world = world();
                lay(&mut world, floor);
                let def = BodyDef {
                    locks: upright(name),
                    ..BodyDef::dynamic()
                        .position(1.0, height)
                        .velocity(speed, 0.0)
                };
                let body = add(&mut world, def, shape.clone());
                let (mut top, mut bottom) = (f32::MIN, f32::MAX);
                let steps = (100.0 / speed / DT).min(600.0) as u32;
                for step in 0..steps {
                    world.step(DT);
                    world.assert_consistent();
                    if step > 30 {
                        let y = world.body(body).position().y;
                        (top, bottom) = (top.max(y), bottom.min(y));
                    }
                }
                let slowed = (world.body(body).velocity().x / speed - 1.0).abs();
                // A box that settles rocks a little, and gravity then has a part along the floor.
                assert!(slowed < 1.0e-3, "{floor:?} {name} {speed}: {slowed}");
                assert!(
                    top - bottom < 1.0e-4,
                    "{floor:?} {name} {speed}: {}",
                    top - bottom
                );
            }
        }
    }
}

#[test]
fn nothing_that_slides_over_a_raft_of_pieces_is_slowed_or_lifted() {
    // Each piece a kinematic body of its own; all rise and drift together.
    let (drift, rise) = (3.0, 1.5);
    for (name, shape, height) in things() {
        for speed in [8.0, 40.0] {
            let mut world = world();
            let pieces: Vec<_> = (0..TILES)
                .map(|i| {
                    let def = BodyDef::kinematic().position(i as f32, -0.5);
                    add(&mut world, def.velocity(drift, rise), tile(0.0, 0.0))
                })
                .collect();
            let def = BodyDef {
                locks: upright(name),
                ..BodyDef::dynamic().position(1.0, height)
            };
            let body = add(&mut world, def.velocity(drift + speed, rise), shape.clone());
            let (mut top, mut bottom) = (f32::MIN, f32::MAX);
            let steps = (100.0 / speed / DT).min(600.0) as u32;
            for step in 0..steps {
                world.step(DT);
                if step > 30 {
                    let y = world.body(body).position().y - world.body(pieces[0]).position().y;
                    (top, bottom) = (top.max(y), bottom.min(y));
                }
            }
            let slowed = ((world.body(body).velocity().x - drift) / speed - 1.0).abs();
            assert!(slowed < 1.0e-3, "{name} {speed}: {slowed}");
            assert!(top - bottom < 1.0e-4, "{name} {speed}: {}", top - bottom);
        }
    }
}

#[test]
fn nothing_that_lands_on_tiles_is_slowed() {
    let things = things();
    for shot in 0..200_u32 {
        let (name, shape, height) = &things[shot as usize % things.len()];
        let mut world = world();
        lay(&mut world, Floor::Tiles);
        let (x, speed) = (1.0 + 0.013 * shot as f32, 3.0 + 0.11 * shot as f32);
        let def = BodyDef::dynamic().position(x, height + 0.3 + 0.007 * shot as f32);
        let body = add(&mut world, def.velocity(speed, 0.0), shape.clone());
        for _ in 0..90 {
            world.step(DT);
        }
        let slowed = (world.body(body).velocity().x / speed - 1.0).abs();
        assert!(slowed < 1.0e-3, "{shot} {name}: {slowed}");
    }
}

/// Lets all things slide into an obstacle on a floor of tiles, and returns how far each has come.
fn stopped_by(obstacle: &Shape) -> Vec<(&'static str, f32)> {
    let things = things();
    let slide = |(name, shape, height): &(&'static str, Shape, f32)| {
        let mut world = world();
        lay(&mut world, Floor::Tiles);
        add(&mut world, BodyDef::static_(), obstacle.clone());
        let def = BodyDef {
            locks: Locks::ROTATION,
            ..BodyDef::dynamic()
        };
        let body = add(
            &mut world,
            def.position(5.0, *height).velocity(4.0, 0.0),
            shape.clone(),
        );
        for _ in 0..240 {
            world.step(DT);
        }
        (*name, world.body(body).position().x)
    };
    things.iter().map(slide).collect()
}

#[test]
fn wall_on_the_floor_stops_what_slides() {
    for (name, x) in stopped_by(&tile(10.5, 0.5)) {
        assert!((9.0..10.0).contains(&x), "{name}: {x}");
    }
}

#[test]
fn box_is_stopped_by_a_step_of_a_centimeter() {
    let step = tile(10.5, -0.49);
    let (name, x) = stopped_by(&step)[0];
    assert!(x < 9.62, "{name}: {x}");
}

#[test]
fn ball_comes_to_rest_between_two_slopes_of_one_body() {
    let mut world = world();
    let groove = world.create_body(BodyDef::static_());
    for (x, angle) in [(-1.0, -0.6), (1.0, 0.6)] {
        let slope = Polygon::offset_rectangle(1.5, 0.1, point(x, 0.0), angle);
        world.create_shape(groove, slope, smooth());
    }
    let ball = Circle::new(point(0.0, 0.0), 0.3);
    let ball = add(&mut world, BodyDef::dynamic().position(0.1, 1.0), ball);
    for _ in 0..600 {
        world.step(DT);
    }
    let ball_view = world.body(ball);
    let touching = ball_view
        .contacts()
        .filter(|contact| contact.impulse().norm() > 0.0);
    assert_eq!(touching.count(), 2);
    assert!(world.body(ball).position().x.abs() < 0.01);
}

/// A bowl of 40 m radius about the origin, of segments of 0.7 m that turn by a degree each.
fn bowl() -> Chain {
    let place = |i: u16| {
        let (sin, cos) = sin_cos(-f32::from(i) * core::f32::consts::PI / 180.0);
        point(40.0 * cos, 40.0 * sin)
    };
    let points: Vec<_> = (0..360).map(place).collect();
    Chain::new(&points, ChainKind::Loop)
}

#[test]
fn nothing_that_slides_along_the_inside_of_a_bowl_is_held_up() {
    for (name, shape, height) in things() {
        let mut world = world();
        let ground = world.create_body(BodyDef::static_());
        world.create_chain(ground, &bowl(), smooth());
        let def = BodyDef::dynamic()
            .position(0.0, height - 39.98)
            .velocity(60.0, 0.0);
        let body = add(&mut world, def, shape);
        for step in 0..300 {
            let before = world.body(body).position();
            world.step(DT);
            let body = world.body(body);
            let (way, speed) = ((body.position() - before).norm(), body.velocity().norm());
            assert!(speed > 30.0, "{name}, step {step}: {speed} m/s");
            assert!(
                way > 0.9 * speed * DT,
                "{name}, step {step}: {way} m at {speed} m/s"
            );
        }
    }
}

#[test]
fn box_walks_off_the_last_tile_and_falls() {
    let mut world = world();
    lay(&mut world, Floor::Tiles);
    let end = TILES as f32 - 0.5;
    let def = BodyDef::dynamic()
        .position(end - 3.0, 0.3)
        .velocity(2.0, 0.0);
    let body = add(&mut world, def, Polygon::rectangle(0.4, 0.3));
    for _ in 0..240 {
        world.step(DT);
    }
    let place = world.body(body).position();
    assert!(place.x > end && place.y < -2.0, "{place}");
    assert!(world.body(body).velocity().x > 1.0);
}

#[test]
fn nothing_that_lands_on_smooth_tiles_loses_speed_along_them() {
    // A body that lands flat just before an internal edge is held at both ends by its tile, though its front end is nearer to
    // the corner of the next one by then. A body that lands tilted rests on that tile's face, not on its own side.
    let capsule = Capsule::new(point(-0.4, 0.0), point(0.4, 0.0), 0.2);
    let things: [Shape; 3] = [
        capsule.into(),
        Polygon::rectangle(0.5, 0.5).into(),
        Polygon::rectangle(0.25, 0.25).into(),
    ];
    for landing in 0..180_u32 {
        let mut world = world();
        lay(&mut world, Floor::Tiles);
        // Golden sections: numbers spread evenly over places, heights and speeds.
        let spread = |share: f32, low: f32, high: f32| {
            low + (high - low) * (share * landing as f32).rem_euclid(1.0)
        };
        let speed = spread(0.618_034, 2.0, 25.0);
        let def =
            BodyDef::dynamic().position(spread(0.754_878, 5.0, 9.0), spread(0.569_84, 0.6, 3.0));
        let shape = &things[landing as usize % 3];
        let body = add(&mut world, def.velocity(speed, 0.0), shape.clone());
        for _ in 0..120 {
            world.step(DT);
            let lost = (world.body(body).velocity().x / speed - 1.0).abs();
            assert!(lost < 0.005, "landing {landing} at {speed} m/s: {lost}");
        }
    }
}
