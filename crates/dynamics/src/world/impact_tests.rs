//! Impacts of high mass ratio and internal edges, tested through the world's own records.

use crate::body::track_flags;
use crate::contact::constraint::constraint_flags;
use crate::{BodyDef, BodyId, ShapeDef, World, WorldDef};
use cairn2d_geometry::math::{PI, point, sin_cos, vec2};
use cairn2d_geometry::{Circle, MassData, Polygon, Segment};

const DT: f32 = 1.0 / 60.0;

fn run(world: &mut World, steps: usize) {
    for _ in 0..steps {
        world.step(DT);
    }
    world.assert_consistent();
}

/// A world with fixed ground up to y = 0, in which nothing sleeps.
fn on_ground(def: WorldDef) -> World {
    let mut world = World::new(WorldDef {
        sleeping: false,
        ..def
    });
    let ground = world.create_body(BodyDef::static_().position(0.0, -1.0));
    let floor = Polygon::rectangle(20.0, 1.0).unwrap();
    world.create_shape(ground, floor, ShapeDef::default());
    world
}

/// Adds a box of 1 m and `mass` kg with its center at (x, y).
fn add_box(world: &mut World, x: f32, y: f32, mass: f32) -> BodyId {
    let body = world.create_body(BodyDef::dynamic().position(x, y));
    let shape = Polygon::rectangle(0.5, 0.5).unwrap();
    world.create_shape(body, shape, ShapeDef::default().density(mass));
    body
}

#[test]
fn mass_that_is_set_changes_whether_the_mass_ratio_is_high() {
    let mut world = on_ground(WorldDef::default());
    add_box(&mut world, 0.0, 0.5, 1.0);
    let upper = add_box(&mut world, 0.0, 1.5, 1.0);
    run(&mut world, 5);
    assert!(world.high_ratio_contacts.is_empty());
    let heavy = MassData {
        mass: 1000.0,
        center: point(0.0, 0.0),
        inertia: 170.0,
    };
    world.body_mut(upper).set_mass(Some(heavy));
    run(&mut world, 1);
    assert!(!world.high_ratio_contacts.is_empty());
    world.body_mut(upper).set_mass(None);
    run(&mut world, 1);
    assert!(world.high_ratio_contacts.is_empty());
}

#[test]
fn impact_does_not_depend_on_contacts_deferred_in_the_last_step() {
    let mut world = on_ground(WorldDef::default());
    let light = add_box(&mut world, 0.0, 0.5, 1.0);
    let heavy = add_box(&mut world, 0.0, 1.5, 1000.0);
    run(&mut world, 30);
    world.body_mut(heavy).set_velocity(vec2(0.0, -10.0));
    let mut marked = world.clone();
    // As a step leaves them in which the light box met the ground.
    for contact in marked.bodies.slots[light.index()].contacts.clone() {
        if !marked.high_ratio_contacts.contains(contact) {
            marked.contacts.constraints[contact as usize].flags |= constraint_flags::DEFERRED;
        }
    }
    marked.bodies.tracks[light.index() as usize].flags |= track_flags::HAS_DEFERRED_CONTACTS;
    run(&mut world, 1);
    run(&mut marked, 1);
    assert_eq!(world.state_hash(), marked.state_hash());
}

#[test]
fn body_in_a_bowl_of_many_segments_is_looked_at_within_bounds() {
    const SEGMENTS: usize = 400;
    const RADIUS: f32 = 50.0;
    let mut world = World::new(WorldDef::weightless());
    let bowl = world.create_body(BodyDef::static_());
    let corner = |i: usize| {
        let (sin, cos) = sin_cos(PI + PI * i as f32 / SEGMENTS as f32);
        point(RADIUS * cos, RADIUS * sin)
    };
    for i in 0..SEGMENTS {
        let segment = Segment::new(corner(i), corner(i + 1)).unwrap();
        world.create_shape(bowl, segment, ShapeDef::default());
    }
    let ball = world.create_body(BodyDef::dynamic());
    let shape = Circle::new(point(0.0, 0.0), RADIUS).unwrap();
    world.create_shape(ball, shape, ShapeDef::default());
    let before = crate::contact::internal_edges::tests::PAIRS.get();
    world.step(DT);
    let contacts = world.bodies.slots[ball.index()].static_touches as usize;
    assert!(contacts > 300, "{contacts}");
    let pairs = crate::contact::internal_edges::tests::PAIRS.get() - before;
    assert!(pairs > 0 && pairs <= 1 << 16, "{pairs}");
}
