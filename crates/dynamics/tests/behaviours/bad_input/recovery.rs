//! A body whose state would cease to be finite, or that leaves the world, is stopped; nothing else is harmed.

use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, BodyId, DistanceJointDef, JointBaseDef, JointDef, JointFrame, JointSoftness,
    MotorJointDef, MouseJointDef, PrismaticJointDef, RevoluteJointDef, WeldJointDef, WheelJointDef,
    World,
};
use cairn2d_geometry::math::{WorldPoint, point, vec2};

/// A body without a speed cap that is thrown out of the world.
fn runaway(world: &mut World, x: f32, y: f32) -> BodyId {
    let def = BodyDef {
        max_linear_speed: Some(f32::INFINITY),
        ..BodyDef::dynamic().position(x, y)
    };
    let body = solid(world, def, disc(0.5));
    world.body_mut(body).set_velocity(vec2(1.0e30, 0.0));
    body
}

#[test]
fn body_that_leaves_the_world_is_stopped_and_reported() {
    let mut world = world();
    ground(&mut world);
    let other = crate_at(&mut world, 5.0, 0.5, 0.5);
    let wild = runaway(&mut world, 0.0, 8.0);
    step(&mut world);
    let frozen: Vec<_> = world
        .body_freezes()
        .iter()
        .map(|event| event.body)
        .collect();
    assert_eq!(frozen, [wild]);
    assert!(!world.body(wild).is_enabled());
    assert_eq!(world.body(wild).position(), point(0.0, 8.0));
    assert_eq!(speed(&world, wild), 0.0);
    run(&mut world, 10);
    assert!(world.body_freezes().is_empty());
    assert!(world.body(other).is_enabled());
}

#[test]
fn body_that_drifts_over_the_edge_is_stopped_there() {
    let mut world = weightless();
    let def = BodyDef {
        position: WorldPoint::new(1.0e9 - 3.0, 0.0),
        ..BodyDef::dynamic().velocity(100.0, 0.0)
    };
    let def = BodyDef {
        position: WorldPoint::new(1.0e9 - 3.0, 0.0),
        ..def
    };
    let body = solid(&mut world, def, disc(0.5));
    let mut steps = 0;
    while world.body(body).is_enabled() {
        step(&mut world);
        steps += 1;
        assert!(steps < 10);
    }
    assert!(world.body(body).position_exact().x <= 1.0e9);
}

#[test]
fn stopped_body_takes_part_again_when_enabled() {
    let mut world = world();
    ground(&mut world);
    let wild = runaway(&mut world, 0.0, 8.0);
    step(&mut world);
    world.body_mut(wild).set_pose((0.0, 3.0), 0.0);
    world.body_mut(wild).enable();
    run(&mut world, 30);
    assert!(y(&world, wild) < 3.0);
    run(&mut world, 90);
    close(y(&world, wild), 0.5, SLOP);
}

#[test]
fn runaway_at_the_foot_of_a_stack_harms_no_other() {
    let mut world = world();
    ground(&mut world);
    let boxes = column(&mut world, 0.0, 5);
    run(&mut world, 30);
    world
        .body_mut(boxes[0])
        .apply_force(vec2(f32::MAX, f32::MAX));
    world
        .body_mut(boxes[0])
        .apply_force(vec2(f32::MAX, f32::MAX));
    run(&mut world, 10);
    for &body in &boxes[1..] {
        assert!(world.body(body).is_enabled());
        assert!(world.body(body).position().coords.norm() < 10.0);
    }
}

#[test]
fn partner_of_a_runaway_on_a_joint_lives_on() {
    let mut world = world();
    let partner = ball_at(&mut world, -2.0, 5.0, 0.5);
    let wild = runaway(&mut world, 0.0, 5.0);
    world.create_joint(RevoluteJointDef {
        base: JointBaseDef {
            frame_a: JointFrame::at(2.0, 0.0),
            ..JointBaseDef::new(partner, wild)
        },
        limit: None,
        motor: None,
        spring: None,
    });
    run(&mut world, 10);
    assert!(world.body(partner).is_enabled());
    assert!(world.body(partner).position().coords.norm().is_finite());
}

#[test]
fn events_of_a_stopped_body_are_complete() {
    let mut world = world();
    ground(&mut world);
    let body = crate_at(&mut world, 0.0, 0.5, 0.5);
    let shape = shape_of(&world, body);
    run(&mut world, 3);
    world.body_mut(body).apply_force(vec2(0.0, f32::MAX));
    world.body_mut(body).apply_force(vec2(0.0, f32::MAX));
    step(&mut world);
    assert_eq!(world.body_freezes().len(), 1);
    let ends = world.contact_ends();
    assert_eq!(ends.len(), 1);
    assert!(ends[0].shape_a == shape || ends[0].shape_b == shape);
}

/// A joint of the given kind.
fn joint_of_kind(kind: usize, a: BodyId, b: BodyId) -> JointDef {
    match kind {
        0 => PrismaticJointDef::new(a, b).into(),
        1 => RevoluteJointDef::new(a, b).into(),
        2 => DistanceJointDef::new(a, b).into(),
        3 => WeldJointDef::new(a, b).into(),
        4 => WheelJointDef::new(a, b).into(),
        5 => MotorJointDef {
            linear_spring: Some(JointSoftness {
                hertz: 1.0e6,
                damping_ratio: 0.0,
            }),
            max_spring_force: f32::INFINITY,
            ..MotorJointDef::new(a, b)
        }
        .into(),
        _ => MouseJointDef {
            max_force: f32::INFINITY,
            ..MouseJointDef::new(a, b)
        }
        .into(),
    }
}

#[test]
fn joints_of_a_stopped_body_bear_nothing_and_hold_again_when_it_is_enabled() {
    for kind in 0..7 {
        for break_force in [f32::INFINITY, 1.0e30] {
            let mut world = world();
            let base = world.create_body(BodyDef::static_());
            let wild = runaway(&mut world, 0.0, 0.0);
            let mut joint = joint_of_kind(kind, base, wild);
            joint.base_mut().break_force = break_force;
            let joint = world.create_joint(joint);
            world.body_mut(wild).set_velocity(vec2(0.0, 0.0));
            run(&mut world, 20);
            assert!(world.joint(joint).reaction().force.y > 1.0, "kind {kind}");
            world.body_mut(wild).set_velocity(vec2(1.0e30, 0.0));
            step(&mut world);
            assert!(!world.body(wild).is_enabled());
            let reaction = world.joint(joint).reaction();
            let load = (reaction.force, reaction.torque);
            assert_eq!(load, (vec2(0.0, 0.0), 0.0), "kind {kind}");
            world.body_mut(wild).enable();
            run(&mut world, 20);
            assert!(world.body(wild).is_enabled());
        }
    }
}
