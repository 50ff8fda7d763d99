//! Shapes and joints that are disabled and enabled.

use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, BodyId, QueryFilter, RevoluteJointDef, ShapeDef, ShapeId, World, WorldDef,
};
use cairn2d_geometry::math::vec2;

/// A crate on a shelf over the ground.
fn shelf(world: &mut World) -> (ShapeId, BodyId) {
    ground(world);
    let shelf = solid(world, BodyDef::static_().position(0.0, 3.0), rect(2.0, 0.1));
    let crate_ = crate_at(world, 0.0, 3.6, 0.5);
    (shape_of(world, shelf), crate_)
}

#[test]
fn disabled_shape_carries_nothing_until_it_is_enabled() {
    let mut world = world();
    let (shelf, crate_) = shelf(&mut world);
    run_until_asleep(&mut world, 200).unwrap();
    close(y(&world, crate_), 3.6, SLOP);
    assert!(world.shape(shelf).is_enabled());
    world.shape_mut(shelf).disable();
    world.assert_consistent();
    assert!(!world.shape(shelf).is_enabled() && is_awake(&world, crate_));
    run(&mut world, 1);
    assert_eq!(world.contact_ends().len(), 1);
    run(&mut world, 119);
    close(y(&world, crate_), 0.5, SLOP);
    world.shape_mut(shelf).enable();
    world.body_mut(crate_).set_pose((0.0, 5.0), 0.0);
    run(&mut world, 200);
    close(y(&world, crate_), 3.6, SLOP);
}

#[test]
fn queries_and_sweeps_do_not_see_disabled_shapes() {
    let mut world = world();
    let (shelf, _) = shelf(&mut world);
    let down = |world: &World| {
        let hit = world.ray_cast((1.5, 6.0), vec2(0.0, -10.0), QueryFilter::default());
        hit.unwrap().shape
    };
    assert_eq!(down(&world), shelf);
    world.shape_mut(shelf).disable();
    assert_ne!(down(&world), shelf);
    // A bullet passes the shelf and stops at the ground.
    let fast = BodyDef::dynamic().position(1.5, 8.0).velocity(0.0, -400.0);
    let fast = solid(&mut world, fast, disc(0.1));
    run(&mut world, 60);
    close(y(&world, fast), 0.1, SLOP);
    // The body's own disabled shape stops it nowhere.
    let ghost = BodyDef::dynamic().position(6.0, 8.0).velocity(0.0, -400.0);
    let ghost = solid(&mut world, ghost, disc(0.1));
    let own = shape_of(&world, ghost);
    world.shape_mut(own).disable();
    run(&mut world, 60);
    assert!(y(&world, ghost) < -100.0);
    assert!(world.body(ghost).mass() > 0.0);
}

#[test]
fn shape_stays_disabled_when_its_body_is_disabled_and_enabled() {
    let mut world = world();
    let (shelf, _) = shelf(&mut world);
    let body = world.shape(shelf).body();
    world.shape_mut(shelf).disable();
    world.body_mut(body).disable();
    world.assert_consistent();
    world.body_mut(body).enable();
    world.assert_consistent();
    assert!(!world.shape(shelf).is_enabled());
    world.body_mut(body).disable();
    world.shape_mut(shelf).enable();
    world.assert_consistent();
    world.body_mut(body).enable();
    world.assert_consistent();
    world.shape_mut(shelf).disable();
    assert!(world.destroy_shape(shelf));
    world.assert_consistent();
}

#[test]
fn sensor_that_is_disabled_ends_its_overlaps() {
    let mut world = weightless();
    let zone = world.create_body(BodyDef::static_());
    let zone = world.create_shape(zone, rect(2.0, 2.0), ShapeDef::sensor());
    crate_at(&mut world, 0.0, 0.0, 0.5);
    run(&mut world, 2);
    assert_eq!(world.shape(zone).overlaps().count(), 1);
    world.shape_mut(zone).disable();
    run(&mut world, 1);
    assert_eq!(world.sensor_ends().len(), 1);
    world.shape_mut(zone).enable();
    run(&mut world, 1);
    assert_eq!(world.sensor_begins().len(), 1);
}

#[test]
fn disabled_joint_lets_go_and_closes_again() {
    let mut world = world();
    let hook = world.create_body(BodyDef::static_().position(0.0, 10.0));
    let weight = crate_at(&mut world, 0.0, 10.0, 0.5);
    let hinge = world.create_joint(RevoluteJointDef::new(hook, weight));
    run(&mut world, 60);
    close(y(&world, weight), 10.0, SLOP);
    world.joint_mut(hinge).disable();
    world.assert_consistent();
    run(&mut world, 30);
    close(y(&world, weight), 10.0 - 0.5 * G * 0.25, 0.05);
    assert_eq!(world.joint(hinge).reaction().force, vec2(0.0, 0.0));
    world.body_mut(weight).set_velocity(vec2(0.0, 0.0));
    world.joint_mut(hinge).enable();
    world.assert_consistent();
    run(&mut world, 60);
    assert!(world.joint(hinge).gap() < 0.01);
    close(y(&world, weight), 10.0, 0.01);
}

#[test]
fn joint_of_sleeping_bodies_wakes_them_when_it_is_disabled() {
    let mut world = world();
    let hook = world.create_body(BodyDef::static_().position(0.0, 10.0));
    let weight = crate_at(&mut world, 0.0, 10.0, 0.5);
    let hinge = world.create_joint(RevoluteJointDef::new(hook, weight));
    run_until_asleep(&mut world, 300).unwrap();
    // Its settings and bodies change while it is disabled; it stays so.
    world.joint_mut(hinge).disable();
    assert!(is_awake(&world, weight));
    world.joint_mut(hinge).set_break_limits(5.0, 5.0);
    world.body_mut(weight).disable();
    world.body_mut(weight).enable();
    world.assert_consistent();
    assert!(!world.joint(hinge).is_enabled());
    run(&mut world, 60);
    assert!(y(&world, weight) < 6.0);
}

#[test]
fn disabled_state_is_hashed_saved_and_restored() {
    let scene = |shape_off: bool, joint_off: bool| {
        let mut world = World::new(WorldDef::default());
        let (shelf, crate_) = shelf(&mut world);
        let hook = world.create_body(BodyDef::static_().position(0.0, 6.0));
        let weight = crate_at(&mut world, 8.0, 6.0, 0.5);
        let hinge = world.create_joint(RevoluteJointDef::new(hook, weight));
        run(&mut world, 5);
        if shape_off {
            world.shape_mut(shelf).disable();
        }
        if joint_off {
            world.joint_mut(hinge).disable();
        }
        (world, shelf, hinge, crate_)
    };
    let hashes = [(false, false), (true, false), (false, true), (true, true)]
        .map(|(shape, joint)| scene(shape, joint).0.state_hash());
    for (i, hash) in hashes.iter().enumerate() {
        assert!(!hashes[..i].contains(hash), "{hashes:x?}");
    }
    let (mut world, shelf, hinge, _) = scene(true, true);
    let mut loaded = World::load(&world.save()).unwrap();
    assert_eq!(loaded.state_hash(), world.state_hash());
    assert!(!loaded.shape(shelf).is_enabled() && !loaded.joint(hinge).is_enabled());
    for steps in 0..60 {
        if steps == 20 {
            for world in [&mut world, &mut loaded] {
                world.shape_mut(shelf).enable();
                world.joint_mut(hinge).enable();
            }
        }
        step(&mut world);
        step(&mut loaded);
        assert_eq!(loaded.state_hash(), world.state_hash());
    }
}
