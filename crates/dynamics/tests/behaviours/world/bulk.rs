//! Many bodies in one call.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, BodyId, RevoluteJointDef, ShapeDef, World};
use cairn2d_geometry::math::{Rotation, WorldPoint};

fn pile_defs() -> Vec<BodyDef> {
    let place = |i: u8| BodyDef::dynamic().position(f32::from(i % 10), 0.5 + f32::from(i / 10));
    (0..100).map(place).collect()
}

/// A pile of a hundred crates, made at once.
fn pile(world: &mut World) -> Vec<BodyId> {
    ground(world);
    let crates = pile_defs().into_iter();
    world.create_bodies(crates.map(|def| (def, [(rect(0.45, 0.45), ShapeDef::default())])))
}

#[test]
fn cleared_world_is_empty_and_its_old_ids_are_stale() {
    let mut world = world();
    let bodies = pile(&mut world);
    let hinge = world.create_joint(RevoluteJointDef::new(bodies[0], bodies[1]));
    run(&mut world, 30);
    let touching = world.contacts().count();
    assert!(touching > 80);
    world.clear();
    world.assert_consistent();
    let counts = [world.body_count(), world.shape_count(), world.joint_count()];
    assert_eq!((counts, world.contacts().count()), ([0; 3], 0));
    assert!(bodies.iter().all(|&body| world.get_body(body).is_none()));
    assert!(world.get_joint(hinge).is_none());
    step(&mut world);
    assert_eq!(world.contact_ends().len(), touching);
    // It is used on, and the old ids do not name the new bodies.
    pile(&mut world);
    assert!(bodies.iter().all(|&body| world.get_body(body).is_none()));
    run(&mut world, 30);
    assert!(world.contacts().count() > 80);
}

#[test]
fn poses_are_read_in_the_order_of_the_ids() {
    let mut world = world();
    let mut bodies = pile(&mut world);
    run(&mut world, 10);
    bodies.reverse();
    let mut poses = vec![(WorldPoint::ORIGIN, Rotation::identity()); bodies.len()];
    world.read_poses(&bodies, &mut poses);
    for (&body, pose) in bodies.iter().zip(&poses) {
        let view = world.body(body);
        assert_eq!(*pose, (view.position_exact(), view.rotation()));
    }
}

#[test]
#[should_panic(expected = "100 bodies do not fit 1 poses")]
fn poses_need_a_slice_of_the_same_length() {
    let mut world = world();
    let bodies = pile(&mut world);
    world.read_poses(&bodies, &mut [(WorldPoint::ORIGIN, Rotation::identity())]);
}

/// A renderer that draws only placements: its last picture of each body must be where the body is.
#[test]
fn placements_bring_all_that_stops_to_its_place() {
    let mut world = world();
    ground(&mut world);
    let crate_ = crate_at(&mut world, 3.0, 2.0, 0.5);
    let lift = BodyDef::kinematic().position(-5.0, 3.0).velocity(1.0, 0.0);
    let lift = solid(&mut world, lift, rect(1.0, 0.1));
    let mut drawn = std::collections::BTreeMap::new();
    let mut simulated = Vec::new();
    for steps in 0..400 {
        if steps == 100 {
            world
                .body_mut(lift)
                .set_velocity(cairn2d_geometry::math::vec2(0.0, 0.0));
        }
        step(&mut world);
        for placement in world.placements(0.3) {
            drawn.insert(placement.body, placement.position);
        }
        world.read_simulated(&mut simulated);
        assert!(
            simulated
                .iter()
                .map(|of| of.body)
                .eq(world.placements(1.0).map(|of| of.body))
        );
        for of in &simulated {
            let body = world.body(of.body);
            assert_eq!(
                (of.position, of.rotation),
                (body.position_exact(), body.rotation())
            );
            assert_eq!(
                (of.velocity, of.angular_velocity),
                (body.velocity(), body.angular_velocity())
            );
        }
    }
    assert_eq!(awake_dynamic(&world), 0);
    for body in [crate_, lift] {
        assert_eq!(drawn[&body], world.body(body).position_exact());
    }
    assert_eq!(world.placements(0.3).count(), 0);
    assert!(simulated.is_empty());
}

/// Cause: the list of a step has slots, and a slot that was used again named the new body.
#[test]
fn placements_have_no_body_that_was_created_after_the_step() {
    let mut world = weightless();
    let [old, other] = [0.0, 5.0].map(|x| crate_at(&mut world, x, 0.0, 0.5));
    step(&mut world);
    world.destroy_body(old);
    let new = crate_at(&mut world, 9.0, 0.0, 0.5);
    assert_eq!(new.index(), old.index(), "the slot is used again");
    let mut simulated = Vec::new();
    for world in [&world.clone(), &world] {
        let placed: Vec<_> = world.placements(0.5).map(|of| of.body).collect();
        world.read_simulated(&mut simulated);
        let read: Vec<_> = simulated.iter().map(|of| of.body).collect();
        assert_eq!((placed, read), (vec![other], vec![other]));
        assert_eq!(world.moved_bodies().count(), 0);
    }
    step(&mut world);
    assert!(world.placements(0.5).map(|of| of.body).eq([new, other]));
}
