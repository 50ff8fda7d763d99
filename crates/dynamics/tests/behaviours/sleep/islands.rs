//! Islands: bodies that are connected, and bodies that no longer are.

use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, BodyId, BodyKind, JointBaseDef, JointFrame, RevoluteJointDef, World,
};
use cairn2d_geometry::math::vec2;

fn island(world: &World, body: BodyId) -> Option<u32> {
    world.body(body).island()
}

fn together(world: &World, a: BodyId, b: BodyId) -> bool {
    island(world, a).is_some() && island(world, a) == island(world, b)
}

#[test]
fn touching_bodies_share_an_island_until_one_is_taken_away() {
    let mut world = world();
    ground(&mut world);
    let stack = column(&mut world, 0.0, 2);
    let far = [10.0, 20.0].map(|x| crate_at(&mut world, x, 0.5, 0.5));
    run(&mut world, 5);
    assert!(together(&world, stack[0], stack[1]));
    assert!(!together(&world, far[0], far[1]));
    world.body_mut(stack[1]).set_pose((5.0, 0.5), 0.0);
    run_until_asleep(&mut world, 200).unwrap();
    assert!(!together(&world, stack[0], stack[1]));
    world.assert_consistent();
}

#[test]
fn joint_joins_islands_and_its_end_parts_them() {
    let mut world = world();
    ground(&mut world);
    let a = crate_at(&mut world, 0.0, 0.5, 0.5);
    let b = crate_at(&mut world, 5.0, 0.5, 0.5);
    run(&mut world, 5);
    let joint = world.create_joint(RevoluteJointDef {
        base: JointBaseDef {
            frame_a: JointFrame::at(5.0, 0.0),
            ..JointBaseDef::new(a, b)
        },
        limit: None,
        motor: None,
        spring: None,
    });
    assert!(together(&world, a, b));
    run(&mut world, 5);
    world.destroy_joint(joint);
    run_until_asleep(&mut world, 200).unwrap();
    assert!(!together(&world, a, b));
    world.body_mut(a).wake();
    assert!(!is_awake(&world, b));
}

#[test]
fn removing_the_middle_splits_a_row() {
    let mut world = world();
    ground(&mut world);
    let boxes = row(&mut world, 0.0, 3);
    run(&mut world, 5);
    assert!(together(&world, boxes[0], boxes[2]));
    world.destroy_body(boxes[1]);
    run_until_asleep(&mut world, 200).unwrap();
    assert!(!together(&world, boxes[0], boxes[2]));
}

#[test]
fn part_that_is_moved_away_keeps_together() {
    let mut world = world();
    ground(&mut world);
    let boxes = row(&mut world, 0.0, 6);
    run(&mut world, 5);
    for (i, &body) in boxes[3..].iter().enumerate() {
        world.body_mut(body).set_pose((20.0 + i as f32, 0.5), 0.0);
    }
    run_until_asleep(&mut world, 200).unwrap();
    assert!(together(&world, boxes[0], boxes[2]));
    assert!(together(&world, boxes[3], boxes[5]));
    assert!(!together(&world, boxes[0], boxes[3]));
}

#[test]
fn static_member_parts_a_row_and_dynamic_again_joins_it() {
    let mut world = world();
    ground(&mut world);
    let boxes = row(&mut world, 0.0, 3);
    run(&mut world, 5);
    world.body_mut(boxes[1]).set_kind(BodyKind::Static);
    run_until_asleep(&mut world, 200).unwrap();
    assert_eq!(island(&world, boxes[1]), None);
    assert!(!together(&world, boxes[0], boxes[2]));
    world.body_mut(boxes[1]).set_kind(BodyKind::Dynamic);
    run(&mut world, 5);
    assert!(together(&world, boxes[0], boxes[2]));
}

#[test]
fn disabled_member_parts_a_row_and_enabled_again_joins_it() {
    let mut world = world();
    ground(&mut world);
    let boxes = row(&mut world, 0.0, 3);
    run(&mut world, 5);
    world.body_mut(boxes[1]).disable();
    run_until_asleep(&mut world, 200).unwrap();
    assert_eq!(island(&world, boxes[1]), None);
    assert!(!together(&world, boxes[0], boxes[2]));
    world.body_mut(boxes[1]).enable();
    run(&mut world, 5);
    assert!(together(&world, boxes[0], boxes[2]));
}

#[test]
fn static_and_kinematic_bodies_join_no_islands() {
    let mut world = world();
    let floor = ground(&mut world);
    let platform = solid(
        &mut world,
        BodyDef::kinematic().position(0.0, 2.0),
        rect(5.0, 0.5),
    );
    let riders = [-3.0, 3.0].map(|x| crate_at(&mut world, x, 3.0, 0.5));
    let sleepers = [-3.0, 3.0].map(|x| crate_at(&mut world, x, 0.5, 0.5));
    run(&mut world, 5);
    for body in [floor, platform] {
        assert_eq!(island(&world, body), None);
    }
    assert!(!together(&world, riders[0], riders[1]));
    assert!(!together(&world, sleepers[0], sleepers[1]));
}

#[test]
fn ring_stays_one_island_when_one_link_goes() {
    let mut world = weightless();
    let boxes: Vec<_> = (0..6)
        .map(|i| ball_at(&mut world, 3.0 * i as f32, 0.0, 0.5))
        .collect();
    let joints: Vec<_> = (0..6)
        .map(|i| {
            let (a, b) = (boxes[i], boxes[(i + 1) % 6]);
            let anchor = world.body(a).to_local(world.body(b).position());
            world.create_joint(RevoluteJointDef {
                base: JointBaseDef {
                    frame_a: JointFrame { anchor, angle: 0.0 },
                    ..JointBaseDef::new(a, b)
                },
                limit: None,
                motor: None,
                spring: None,
            })
        })
        .collect();
    run(&mut world, 3);
    world.destroy_joint(joints[2]);
    run_until_asleep(&mut world, 100).unwrap();
    assert!((1..6).all(|i| together(&world, boxes[0], boxes[i])));
    world.body_mut(boxes[0]).wake();
    world.destroy_joint(joints[5]);
    run_until_asleep(&mut world, 100).unwrap();
    assert!(together(&world, boxes[0], boxes[2]) && together(&world, boxes[3], boxes[5]));
    assert!(!together(&world, boxes[0], boxes[5]));
}

#[test]
fn thrown_box_leaves_its_island_in_flight_and_lands_in_another() {
    let mut world = world();
    ground(&mut world);
    let left = column(&mut world, 0.0, 2);
    let right = column(&mut world, 6.0, 2);
    run_until_asleep(&mut world, 200).unwrap();
    world.body_mut(left[1]).set_velocity(vec2(6.0, 6.0));
    for _ in 0..200 {
        step(&mut world);
    }
    run_until_asleep(&mut world, 400).unwrap();
    assert!(!together(&world, left[0], left[1]));
    world.assert_consistent();
    assert!(world.get_body(right[0]).is_some());
}
