//! Sensors detect overlapping shapes, each begin event has an end event, and nothing is pushed.

use cairn2d_dynamics::{BodyDef, BodyId, BodyKind, ShapeDef, ShapeId, World, WorldDef};
use cairn2d_geometry::math::{Vec2, point};
use cairn2d_geometry::{Circle, Polygon, Segment};

const DT: f32 = 1.0 / 60.0;

fn sensor() -> ShapeDef {
    ShapeDef {
        sensor: true,
        ..ShapeDef::default()
    }
}

fn circle(radius: f32) -> Circle {
    Circle::new(point(0.0, 0.0), radius)
}

/// Steps and returns how many overlaps began and ended.
fn step(world: &mut World) -> (usize, usize) {
    world.step(DT);
    world.assert_consistent();
    (world.sensor_begins().len(), world.sensor_ends().len())
}

fn zone_with_visitor(world: &mut World) -> (BodyId, ShapeId, BodyId) {
    let zone = world.create_body(BodyDef::static_().position(-2.0, 1.0));
    let zone_shape = world.create_shape(zone, Polygon::rectangle(1.0, 1.0), sensor());
    let visitor = world.create_body(BodyDef::dynamic().position(-2.0, 1.0));
    world.create_shape(visitor, circle(0.5), ShapeDef::default());
    (zone, zone_shape, visitor)
}

#[test]
fn every_way_in_begins_and_every_way_out_ends() {
    let mut world = World::new(WorldDef::weightless());
    let (zone, zone_shape, visitor) = zone_with_visitor(&mut world);
    assert_eq!(step(&mut world), (1, 0), "created inside");
    assert_eq!(world.shape(zone_shape).overlaps().count(), 1);
    assert_eq!(step(&mut world), (0, 0), "nothing new");
    world.body_mut(visitor).disable();
    assert_eq!(step(&mut world), (0, 1), "disabled");
    world.body_mut(visitor).enable();
    assert_eq!(step(&mut world), (1, 0), "enabled");
    world.body_mut(visitor).set_pose([5.0, 5.0], 0.0);
    assert_eq!(step(&mut world), (0, 1), "taken away");
    world.body_mut(visitor).set_pose([-2.0, 1.0], 0.0);
    assert_eq!(step(&mut world), (1, 0), "put back");
    world.destroy_body(visitor);
    assert_eq!(step(&mut world), (0, 1), "destroyed");
    let again = world.create_body(BodyDef::dynamic().position(-2.0, 1.0));
    world.create_shape(again, circle(0.5), ShapeDef::default());
    assert_eq!(step(&mut world), (1, 0), "created again");
    world.destroy_body(zone);
    assert_eq!(step(&mut world), (0, 1), "the sensor destroyed");
    assert_eq!(step(&mut world), (0, 0), "nothing left");
}

#[test]
fn sensor_pushes_nothing_and_wakes_nothing() {
    let mut world = World::new(WorldDef::weightless());
    let (_, _, visitor) = zone_with_visitor(&mut world);
    world.body_mut(visitor).set_velocity(Vec2::new(0.25, 0.0));
    for _ in 0..60 {
        step(&mut world);
    }
    assert_eq!(world.body(visitor).velocity(), Vec2::new(0.25, 0.0));
    assert!(world.contacts().next().is_none());
    assert!(world.contact_begins().is_empty());
}

#[test]
fn two_sensors_notice_each_other() {
    let mut world = World::new(WorldDef::weightless());
    let a = world.create_body(BodyDef::kinematic());
    world.create_shape(a, circle(1.0), sensor());
    let b = world.create_body(BodyDef::static_().position(0.5, 0.0));
    world.create_shape(b, circle(1.0), sensor());
    assert_eq!(step(&mut world), (2, 0));
    let pairs: Vec<_> = world
        .sensor_begins()
        .iter()
        .map(|e| (e.sensor_body, e.visitor_body))
        .collect();
    assert_eq!(pairs, [(a, b), (b, a)]);
}

#[test]
fn sensor_on_every_kind_of_body_notices_a_mover() {
    for kind in [BodyKind::Static, BodyKind::Kinematic, BodyKind::Dynamic] {
        let mut world = World::new(WorldDef::weightless());
        let zone = world.create_body(BodyDef {
            kind,
            ..BodyDef::default()
        });
        world.create_shape(zone, circle(1.0), sensor());
        let mover = world.create_body(BodyDef::dynamic().position(-4.0, 0.0).velocity(4.0, 0.0));
        world.create_shape(mover, circle(0.25), ShapeDef::default());
        let counts = (0..150)
            .map(|_| step(&mut world))
            .fold((0, 0), |sum, n| (sum.0 + n.0, sum.1 + n.1));
        assert_eq!(counts, (1, 1), "sensor on a {kind:?} body");
    }
}

#[test]
fn fast_body_is_noticed_by_a_thin_sensor_and_not_slowed() {
    for (speed, bullet) in [(250.0, false), (250.0, true), (390.0, false)] {
        let mut world = World::new(WorldDef::weightless());
        let line = world.create_body(BodyDef::static_());
        let thin = Segment::new(point(0.0, -10.0), point(0.0, 10.0));
        world.create_shape(line, thin, sensor());
        let shot = world.create_body(BodyDef {
            bullet,
            ..BodyDef::dynamic().position(-26.7, 0.0).velocity(speed, 0.0)
        });
        world.create_shape(shot, circle(0.25), ShapeDef::default());
        let counts = (0..30)
            .map(|_| step(&mut world))
            .fold((0, 0), |sum, n| (sum.0 + n.0, sum.1 + n.1));
        assert_eq!(counts, (1, 1), "at {speed} m/s, bullet: {bullet}");
        let x = world.body(shot).position().x;
        assert!((x - (speed * 0.5 - 26.7)).abs() < 0.01, "slowed: {x}");
    }
}

#[test]
fn fast_sensor_passes_a_wall_and_notices_it() {
    let mut world = World::new(WorldDef::weightless());
    let wall = world.create_body(BodyDef::static_());
    world.create_shape(wall, Polygon::rectangle(0.1, 10.0), ShapeDef::default());
    let probe = world.create_body(BodyDef::dynamic().position(-10.0, 0.0).velocity(390.0, 0.0));
    world.create_shape(probe, circle(0.2), sensor());
    let counts = (0..5)
        .map(|_| step(&mut world))
        .fold((0, 0), |sum, n| (sum.0 + n.0, sum.1 + n.1));
    assert_eq!(counts, (1, 1));
    assert!(world.body(probe).position().x > 3.0);
}
