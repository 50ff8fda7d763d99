//! Bounds of the world: each exit is reported once.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, BodyId, ShapeDef, World, WorldDef};
use cairn2d_geometry::math::{point, vec2};
use cairn2d_geometry::{Aabb, Circle};

/// A weightless world whose bounds reach 5 m to each side.
fn bounded() -> World {
    World::new(WorldDef {
        bounds: Some(Aabb::from_center_half(point(0.0, 0.0), vec2(5.0, 5.0))),
        ..WorldDef::weightless()
    })
}

/// Puts the body somewhere, steps, and returns the number of its exits.
fn moved(world: &mut World, body: BodyId, place: (f32, f32)) -> usize {
    world.body_mut(body).set_pose(place, 0.0);
    step(world);
    let told = world.body_exits().iter();
    told.filter(|exit| exit.body == body).count()
}

#[test]
fn body_that_left_is_told_once_until_it_comes_back() {
    let mut world = bounded();
    let body = ball_at(&mut world, 0.0, 0.0, 1.0);
    for (place, told) in [
        ((0.0, 0.0), 0),
        ((5.5, 0.0), 0),
        ((20.0, 20.0), 1),
        ((21.0, 20.0), 0),
        ((0.0, -5.9), 0),
        ((0.0, -6.1), 1),
    ] {
        assert_eq!(moved(&mut world, body, place), told, "{place:?}");
    }
}

#[test]
fn body_is_inside_as_long_as_a_part_of_it_is() {
    let mut world = bounded();
    let body = world.create_body(BodyDef::dynamic());
    for x in [-3.0, 3.0] {
        let part = Circle::new(point(x, 0.0), 0.5);
        world.create_shape(body, part, ShapeDef::default());
    }
    assert_eq!(moved(&mut world, body, (7.0, 0.0)), 0);
    assert_eq!(moved(&mut world, body, (9.0, 0.0)), 1);
}

#[test]
fn leaving_by_motion_is_told_when_the_last_part_is_out() {
    let mut world = bounded();
    let body = solid(&mut world, BodyDef::dynamic().velocity(2.9, 0.0), disc(0.5));
    let mut told = Vec::new();
    for _ in 0..200 {
        step(&mut world);
        if !world.body_exits().is_empty() {
            told.push(x(&world, body));
        }
    }
    assert_eq!(told.len(), 1);
    close(told[0], 5.5, 2.9 * DT);
}

#[test]
fn slot_of_one_that_left_is_new_for_the_next() {
    let mut world = bounded();
    let gone = ball_at(&mut world, 9.0, 0.0, 0.5);
    step(&mut world);
    assert_eq!(world.body_exits().len(), 1);
    world.destroy_body(gone);
    let next = ball_at(&mut world, -9.0, 0.0, 0.5);
    step(&mut world);
    assert_eq!(world.body_exits()[0].body, next);
}

#[test]
fn bounds_may_change_shift_and_go() {
    let mut world = bounded();
    let body = ball_at(&mut world, 9.0, 0.0, 0.5);
    step(&mut world);
    world.shift_origin((100.0, 0.0));
    let bounds = world.def().bounds.unwrap();
    assert_eq!((bounds.min.x, bounds.max.x), (-105.0, -95.0));
    step(&mut world);
    assert!(world.body_exits().is_empty());
    let mut def = world.def().clone();
    def.bounds = Some(bounds.expanded(1.0));
    world.set_def(def.clone());
    step(&mut world);
    assert_eq!(world.body_exits()[0].body, body);
    def.bounds = None;
    world.set_def(def);
    step(&mut world);
    assert!(world.body_exits().is_empty());
}

#[test]
fn nonsense_is_refused() {
    for bounds in [
        Aabb::new(point(1.0, 0.0), point(0.0, 1.0)),
        Aabb::new(point(0.0, f32::NAN), point(1.0, 1.0)),
        Aabb::EMPTY,
    ] {
        let def = WorldDef {
            bounds: Some(bounds),
            ..WorldDef::default()
        };
        assert!(World::try_new(def).is_err(), "{bounds:?}");
    }
}
