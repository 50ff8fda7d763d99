//! Energies, boxes and gaps that the views report.

use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, DistanceJointDef, GearJointDef, JointSoftness, Limit, Locks, MotorJointDef,
    PrismaticJointDef, PulleyJointDef, RevoluteJointDef, Spring, WeldJointDef, WheelJointDef,
};
use cairn2d_geometry::math::{PI, WorldPoint, point, vec2};

#[test]
fn energies_are_those_of_the_closed_form() {
    let mut world = world();
    let spinning = BodyDef::dynamic().position(1.0, 2.0).velocity(3.0, 4.0);
    let spinning = solid(&mut world, spinning.angular_velocity(6.0), rect(1.0, 0.5));
    // 2 kg; inertia m (w^2 + h^2) / 12.
    let expected = 0.5 * 2.0 * 25.0 + 0.5 * (2.0 * 5.0 / 12.0) * 36.0;
    close(world.body(spinning).kinetic_energy(), expected, 1.0e-4);
    close(
        world.body(spinning).potential_energy(),
        2.0 * G * 2.0,
        1.0e-4,
    );
    world.body_mut(spinning).set_gravity_scale(0.5);
    close(world.body(spinning).potential_energy(), 2.0 * G, 1.0e-4);
    // Neither kinematic nor disabled bodies count.
    let lift = BodyDef::kinematic().position(0.0, 5.0).velocity(0.0, 9.0);
    let lift = solid(&mut world, lift, rect(1.0, 1.0));
    assert_eq!(world.body(lift).kinetic_energy(), 0.0);
    assert_eq!(world.body(lift).potential_energy(), 0.0);
    close(world.kinetic_energy() as f32, expected, 1.0e-4);
    world.body_mut(spinning).disable();
    assert_eq!([world.kinetic_energy(), world.potential_energy()], [0.0; 2]);
}

#[test]
fn falling_turns_potential_into_kinetic_energy() {
    let mut world = world();
    for i in 0..5 {
        ball_at(&mut world, i as f32 * 3.0, 100.0 + i as f32, 0.5);
    }
    let before = world.kinetic_energy() + world.potential_energy();
    for _ in 0..120 {
        step(&mut world);
        let now = world.kinetic_energy() + world.potential_energy();
        assert!((now - before).abs() < 1.0e-5 * before, "{before} {now}");
    }
    assert!(world.kinetic_energy() > 100.0);
}

#[test]
fn boxes_are_tight() {
    let mut world = world();
    let turned = BodyDef::dynamic().position(10.0, 20.0).angle(0.25 * PI);
    let turned = solid(&mut world, turned, rect(1.0, 1.0));
    let (aabb, reach) = (world.body(turned).aabb().unwrap(), 2.0_f32.sqrt());
    for (value, expected) in [
        (aabb.min.x, 10.0 - reach),
        (aabb.min.y, 20.0 - reach),
        (aabb.max.x, 10.0 + reach),
        (aabb.max.y, 20.0 + reach),
    ] {
        close(value, expected, 1.0e-5);
    }
    // The fat box has a margin; the tight one follows a teleport at once.
    assert!(
        world
            .shape(shape_of(&world, turned))
            .fat_box()
            .contains(&aabb)
    );
    world.body_mut(turned).set_pose((0.0, 0.0), 0.0);
    close(world.body(turned).aabb().unwrap().max.x, 1.0, 1.0e-5);
    let head = cairn2d_geometry::Circle::new(point(0.0, 2.0), 0.5);
    world.create_shape(turned, head, cairn2d_dynamics::ShapeDef::default());
    close(world.body(turned).aabb().unwrap().max.y, 2.5, 1.0e-5);
    let empty = world.create_body(BodyDef::dynamic());
    assert_eq!(world.body(empty).aabb(), None);
}

#[test]
fn gaps_of_joints_are_those_of_their_rigid_parts() {
    let mut world = weightless();
    let wall = world.create_body(BodyDef::static_());
    let body = solid(&mut world, BodyDef::dynamic().position(3.0, 4.0), disc(0.5));
    let soft = WeldJointDef {
        linear: Some(JointSoftness {
            hertz: 1.0,
            damping_ratio: 1.0,
        }),
        ..WeldJointDef::new(wall, body)
    };
    let distance = DistanceJointDef::new(wall, body);
    let rope = |limit| DistanceJointDef {
        limit: Some(limit),
        ..distance
    };
    let spring = DistanceJointDef {
        spring: Some(Spring::new(1.0, 1.0)),
        ..distance
    };
    let wheels = [WorldPoint::from((0.0, 2.0)), WorldPoint::from((3.0, 8.0))];
    let pulley = |length| PulleyJointDef::new(wall, body, wheels[0], wheels[1], length);
    let hinge = world.create_joint(RevoluteJointDef::new(wall, body));
    let slider = world.create_joint(PrismaticJointDef::new(wall, body));
    let joints = [
        (hinge, 5.0),
        (world.create_joint(WeldJointDef::new(wall, body)), 5.0),
        (world.create_joint(soft), 0.0),
        (slider, 4.0),
        (world.create_joint(WheelJointDef::new(wall, body)), 4.0),
        (world.create_joint(distance), 4.0),
        (world.create_joint(rope(Limit::new(0.0, 4.5))), 0.5),
        (world.create_joint(rope(Limit::new(7.0, 8.0))), 2.0),
        (world.create_joint(rope(Limit::new(0.0, 6.0))), 0.0),
        (world.create_joint(spring), 0.0),
        (world.create_joint(pulley(5.0)), 1.0),
        (world.create_joint(pulley(7.0)), 0.0),
        (world.create_joint(MotorJointDef::new(wall, body)), 0.0),
        (
            world.create_joint(GearJointDef::new(wall, body, hinge, slider)),
            0.0,
        ),
    ];
    for (joint, expected) in joints {
        let gap = world.joint(joint).gap();
        assert!(
            (gap - expected).abs() < 1.0e-5,
            "{joint:?}: {gap} {expected}"
        );
    }
}

#[test]
fn load_of_a_hanging_weight_is_its_weight() {
    let mut world = world();
    let hook = world.create_body(BodyDef::static_());
    let def = BodyDef {
        locks: Locks::ROTATION,
        ..BodyDef::dynamic()
    };
    let weight = solid(&mut world, def, rect(1.0, 0.5));
    let mut hinge = RevoluteJointDef::new(hook, weight);
    hinge.base.break_force = 1.0e6;
    let hinge = world.create_joint(hinge);
    run(&mut world, 120);
    let load = world.joint(hinge).reaction().force;
    close((load - vec2(0.0, 2.0 * G)).norm(), 0.0, 0.01);
    assert!(world.joint(hinge).gap() < 1.0e-4);
}
