//! Pairs without an awake body are tested once when one side is new or changed: sensors report what sleeps in them, and a
//! solid static shape wakes what it is put into.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, BodyId, BodyKind, Filter, InitialState, ShapeDef, ShapeId, World};

/// Ways in which a visitor may have fallen asleep.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sleeper {
    ByItself,
    PutToSleep,
    CreatedAsleep,
    Kinematic,
}

const SLEEPERS: [Sleeper; 4] = [
    Sleeper::ByItself,
    Sleeper::PutToSleep,
    Sleeper::CreatedAsleep,
    Sleeper::Kinematic,
];

/// Changes by which a sensor begins to overlap a sleeper, or ceases to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    Body,
    Shape,
    Move,
    Resize,
    Filter,
    EnableBody,
    EnableShape,
}

const CHANGES: [Change; 7] = [
    Change::Body,
    Change::Shape,
    Change::Move,
    Change::Resize,
    Change::Filter,
    Change::EnableBody,
    Change::EnableShape,
];

const KINDS: [BodyKind; 3] = [BodyKind::Static, BodyKind::Kinematic, BodyKind::Dynamic];

fn sleeper_at(world: &mut World, x: f32, y: f32, how: Sleeper) -> BodyId {
    let kind = if how == Sleeper::Kinematic {
        BodyDef::kinematic()
    } else {
        BodyDef::dynamic()
    };
    let initial_state = if how == Sleeper::CreatedAsleep {
        InitialState::Asleep
    } else {
        InitialState::Awake
    };
    let def = BodyDef {
        initial_state,
        ..kind.position(x, y)
    };
    let body = solid(world, def, rect(0.5, 0.5));
    if how == Sleeper::PutToSleep {
        step(world);
        world.body_mut(body).sleep();
    }
    run(world, 60);
    assert!(!is_awake(world, body), "{how:?}");
    body
}

fn nobody() -> Filter {
    Filter {
        mask: 0,
        ..Filter::default()
    }
}

/// Makes a sensor that does not overlap the origin yet; the change makes it.
fn sensor_before(world: &mut World, kind: BodyKind, change: Change) -> (BodyId, Option<ShapeId>) {
    let x = if change == Change::Move { 5.0 } else { 0.0 };
    let half = if change == Change::Resize { 0.1 } else { 1.0 };
    let def = BodyDef {
        kind,
        ..BodyDef::default()
    };
    // A small sensor beside the sleeper.
    let y = if change == Change::Resize { 0.8 } else { 0.0 };
    let body = world.create_body(def.position(x, y));
    if change == Change::Shape || change == Change::Body {
        return (body, None);
    }
    let shape = ShapeDef {
        filter: if change == Change::Filter {
            nobody()
        } else {
            Filter::default()
        },
        ..ShapeDef::sensor()
    };
    let shape = world.create_shape(body, rect(half, half), shape);
    match change {
        Change::EnableBody => world.body_mut(body).disable(),
        Change::EnableShape => world.shape_mut(shape).disable(),
        _ => {}
    }
    (body, Some(shape))
}

/// Makes the overlap; returns the sensor.
fn begin(world: &mut World, sensor: (BodyId, Option<ShapeId>), change: Change) -> ShapeId {
    let (body, shape) = sensor;
    match (change, shape) {
        (Change::Body, _) => {
            let def = BodyDef {
                kind: world.body(body).kind(),
                ..BodyDef::default()
            };
            world.destroy_body(body);
            let body = add(world, def, rect(1.0, 1.0), ShapeDef::sensor());
            return shape_of(world, body);
        }
        (_, None) => return world.create_shape(body, rect(1.0, 1.0), ShapeDef::sensor()),
        (Change::Move, _) => world.body_mut(body).set_pose((0.2, 0.0), 0.0),
        (Change::Resize, Some(shape)) => world.shape_mut(shape).set_geometry(rect(1.0, 1.0)),
        (Change::Filter, Some(shape)) => world.shape_mut(shape).set_filter(Filter::default()),
        (Change::EnableBody, _) => world.body_mut(body).enable(),
        (_, Some(shape)) => world.shape_mut(shape).enable(),
    }
    shape.unwrap()
}

/// Ends the overlap; returns whether the sensor is still there.
fn end(world: &mut World, sensor: ShapeId, change: Change) -> bool {
    let body = world.shape(sensor).body();
    match change {
        Change::Body => _ = world.destroy_body(body),
        Change::Shape => _ = world.destroy_shape(sensor),
        Change::Move => world.body_mut(body).set_pose((0.0, 1.6), 0.0),
        Change::Resize => world.shape_mut(sensor).set_geometry(rect(0.1, 0.1)),
        Change::Filter => world.shape_mut(sensor).set_filter(nobody()),
        Change::EnableBody => world.body_mut(body).disable(),
        Change::EnableShape => world.shape_mut(sensor).disable(),
    }
    world.get_shape(sensor).is_some()
}

#[test]
fn sensors_of_any_kind_see_sleepers_begin_and_end_by_any_change() {
    for how in SLEEPERS {
        for kind in KINDS {
            for change in CHANGES {
                let case = format!("{how:?}, {kind:?}, {change:?}");
                let mut world = weightless();
                let sensor = sensor_before(&mut world, kind, change);
                let sleeper = sleeper_at(&mut world, 0.0, 0.0, how);
                let visitor = shape_of(&world, sleeper);
                let sensor = begin(&mut world, sensor, change);
                step(&mut world);
                assert_eq!(world.sensor_begins().len(), 1, "{case}");
                assert_eq!(world.sensor_begins()[0].visitor, visitor, "{case}");
                let seen: Vec<_> = world.shape(sensor).overlaps().collect();
                assert_eq!(seen, [visitor], "{case}");
                assert!(!is_awake(&world, sleeper), "{case}");
                run(&mut world, 60);
                assert!(world.sensor_begins().is_empty() && world.sensor_ends().is_empty());

                // Beside the sleeper, and not the other way round.
                if change == Change::Resize {
                    let body = world.shape(sensor).body();
                    world.body_mut(body).set_pose((0.0, 0.8), 0.0);
                    step(&mut world);
                    assert!(world.sensor_ends().is_empty(), "{case}");
                }
                let stays = end(&mut world, sensor, change);
                step(&mut world);
                assert_eq!(world.sensor_ends().len(), 1, "{case}");
                assert!(!is_awake(&world, sleeper), "{case}");
                if stays {
                    assert_eq!(world.shape(sensor).overlaps().count(), 0, "{case}");
                }
            }
        }
    }
}

/// A sensor that is moved within the reach of its pair, of a world that was saved or cloned before the step.
#[test]
fn change_of_a_sensor_is_seen_after_a_save_and_in_a_clone() {
    let mut world = weightless();
    let zone = add(
        &mut world,
        BodyDef::static_().position(0.0, 0.8),
        rect(0.2, 0.2),
        ShapeDef::sensor(),
    );
    let sleeper = sleeper_at(&mut world, 0.0, 0.0, Sleeper::ByItself);
    let sensor = shape_of(&world, zone);
    for (y, is_inside) in [(0.65, true), (0.75, false), (0.6, true), (3.0, false)] {
        world.body_mut(zone).set_pose((0.0, y), 0.0);
        world.assert_consistent();
        let mut loaded = World::load(&world.save()).unwrap();
        let mut clone = world.clone();
        for world in [&mut loaded, &mut clone, &mut world] {
            step(world);
            assert_eq!(
                world.shape(sensor).overlaps().count(),
                usize::from(is_inside),
                "{y}"
            );
            assert!(!is_awake(world, sleeper));
        }
        assert_eq!(loaded.state_hash(), world.state_hash());
    }
}

/// Ways to put a solid static shape over the left half of a crate that sleeps at (0, 0.5).
const WAYS_IN: [&str; 8] = [
    "body", "shape", "move", "grow", "filter", "body on", "shape on", "solid",
];

/// Prepares the wall, and returns the call that puts it there.
fn wall(world: &mut World, way: &str) -> Box<dyn FnOnce(&mut World)> {
    let (x, half) = match way {
        "move" => (-9.0, 0.5),
        "grow" => (-0.8, 0.1),
        _ => (-0.8, 0.5),
    };
    let body = world.create_body(BodyDef::static_().position(x, 1.0));
    let there = rect(0.5, 1.0);
    let shape = (way != "body" && way != "shape").then(|| {
        let mut def = ShapeDef {
            sensor: way == "solid",
            ..ShapeDef::default()
        };
        if way == "filter" {
            def.filter = nobody();
        }
        world.create_shape(body, rect(half, 1.0), def)
    });
    match (way, shape) {
        ("body on", _) => world.body_mut(body).disable(),
        ("shape on", Some(shape)) => world.shape_mut(shape).disable(),
        _ => {}
    }
    let way = way.to_owned();
    Box::new(move |world| match (way.as_str(), shape) {
        ("body", _) => _ = solid(world, BodyDef::static_().position(-0.8, 1.0), there),
        ("shape", _) => _ = world.create_shape(body, there, ShapeDef::default()),
        ("move", _) => world.body_mut(body).set_pose((-0.8, 1.0), 0.0),
        ("grow", Some(shape)) => world.shape_mut(shape).set_geometry(there),
        ("filter", Some(shape)) => world.shape_mut(shape).set_filter(Filter::default()),
        ("body on", _) => world.body_mut(body).enable(),
        ("shape on", Some(shape)) => world.shape_mut(shape).enable(),
        (_, Some(shape)) => world.shape_mut(shape).set_sensor(false),
        _ => unreachable!(),
    })
}

#[test]
fn static_shape_that_is_put_into_a_sleeper_wakes_it_and_pushes_it_out() {
    for how in [Sleeper::ByItself, Sleeper::PutToSleep] {
        for way in WAYS_IN {
            let mut world = world();
            ground(&mut world);
            let put = wall(&mut world, way);
            let sleeper = sleeper_at(&mut world, 0.0, 0.5, how);
            let far = sleeper_at(&mut world, 20.0, 0.5, how);
            put(&mut world);
            world.assert_consistent();
            step(&mut world);
            assert!(is_awake(&world, sleeper), "{how:?}, {way}");
            assert!(!is_awake(&world, far), "{how:?}, {way}");
            run(&mut world, 240);
            assert!(x(&world, sleeper) > 0.2 - SLOP, "{how:?}, {way}");
        }
    }
}

#[test]
fn static_shapes_elsewhere_wake_nobody() {
    for how in [
        Sleeper::ByItself,
        Sleeper::PutToSleep,
        Sleeper::CreatedAsleep,
    ] {
        let mut world = world();
        let floor = ground(&mut world);
        let sleeper = sleeper_at(&mut world, 0.0, 0.5, how);
        let wall = solid(
            &mut world,
            BodyDef::static_().position(3.0, 1.0),
            rect(0.5, 1.0),
        );
        step(&mut world);
        // Beside it, on the body on which it lies, moved past it.
        solid(
            &mut world,
            BodyDef::static_().position(1.1, 0.5),
            rect(0.5, 0.5),
        );
        world.create_shape(floor, rect(1.0, 0.2), ShapeDef::default());
        step(&mut world);
        world.body_mut(wall).set_pose((-1.1, 1.0), 0.0);
        run(&mut world, 3);
        assert!(!is_awake(&world, sleeper), "{how:?}");
        assert!(world.contact_begins().is_empty() && world.contact_ends().is_empty());
    }
}

#[test]
fn level_that_is_filled_with_sleepers_stays_asleep() {
    for ground_first in [false, true] {
        let mut world = world();
        if ground_first {
            ground(&mut world);
        }
        let asleep = |y: f32| BodyDef {
            initial_state: InitialState::Asleep,
            ..BodyDef::dynamic().position(0.0, y)
        };
        let crates = [0.5, 1.5, 2.5].map(|y| solid(&mut world, asleep(y), rect(0.5, 0.5)));
        if !ground_first {
            ground(&mut world);
        }
        run(&mut world, 60);
        assert!(crates.iter().all(|&body| !is_awake(&world, body)));
        // They wake as a pile that fell asleep does.
        world.body_mut(crates[2]).wake();
        assert!(crates.iter().all(|&body| is_awake(&world, body)));
        run(&mut world, 60);
        assert!(crates.iter().all(|&body| !is_awake(&world, body)));
        close(y(&world, crates[2]), 2.5, SLOP);
    }
}

#[test]
fn removal_of_the_ground_wakes_what_sleeps_on_it() {
    for how in [
        Sleeper::ByItself,
        Sleeper::PutToSleep,
        Sleeper::CreatedAsleep,
    ] {
        for way in 0..5 {
            let mut world = world();
            let floor = ground(&mut world);
            let shape = shape_of(&world, floor);
            let sleeper = sleeper_at(&mut world, 0.0, 0.5, how);
            match way {
                0 => _ = world.destroy_body(floor),
                1 => _ = world.destroy_shape(shape),
                2 => world.body_mut(floor).disable(),
                3 => world.shape_mut(shape).disable(),
                _ => world.body_mut(floor).set_pose((0.0, -3.0), 0.0),
            }
            run(&mut world, 30);
            assert!(y(&world, sleeper) < 0.0, "{how:?}, {way}");
        }
    }
}
