//! Kinds, enabling, teleporting and locks, changed while things touch.

use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, BodyId, BodyKind, JointBaseDef, JointFrame, Limit, Locks, Motor, PrismaticJointDef,
    RevoluteJointDef, ShapeDef, World,
};
use cairn2d_geometry::Circle;
use cairn2d_geometry::math::{PI, Point, point, vec2};

/// Pins two bodies at a place of the world.
fn pin_at(world: &mut World, a: BodyId, b: BodyId, place: Point) -> cairn2d_dynamics::JointId {
    let frame = |body: BodyId| JointFrame {
        anchor: world.body(body).to_local(place),
        angle: 0.0,
    };
    let base = JointBaseDef {
        frame_a: frame(a),
        frame_b: frame(b),
        ..JointBaseDef::new(a, b)
    };
    world.create_joint(RevoluteJointDef {
        base,
        limit: None,
        motor: None,
        spring: None,
    })
}

fn is_finite(world: &World, body: BodyId) -> bool {
    let body = world.body(body);
    body.position_exact().is_finite() && body.velocity().norm().is_finite()
}

#[test]
fn kinematic_body_that_turns_dynamic_falls() {
    let mut world = world();
    let body = solid(&mut world, BodyDef::kinematic(), disc(0.5));
    run(&mut world, 60);
    assert_eq!(y(&world, body), 0.0);
    world.body_mut(body).set_kind(BodyKind::Dynamic);
    assert!(is_awake(&world, body));
    step(&mut world);
    assert!(y(&world, body) < 0.0);
}

#[test]
fn jointed_body_may_turn_static() {
    let mut world = world();
    let a = ball_at(&mut world, 0.0, 0.0, 0.5);
    let b = ball_at(&mut world, 0.0, 0.0, 0.5);
    pin_at(&mut world, a, b, point(0.0, 0.0));
    run(&mut world, 5);
    world.body_mut(b).set_kind(BodyKind::Static);
    run(&mut world, 10);
    assert_eq!(speed(&world, b), 0.0);
    assert!((world.body(a).position() - world.body(b).position()).norm() < 0.01);
}

#[test]
fn sleeping_jointed_body_may_turn_static() {
    let mut world = weightless();
    let a = ball_at(&mut world, 0.0, 0.0, 0.5);
    let b = ball_at(&mut world, 2.0, 0.0, 0.5);
    pin_at(&mut world, a, b, point(1.0, 0.0));
    assert!(run_until_asleep(&mut world, 100).is_some());
    world.body_mut(b).set_kind(BodyKind::Static);
    run(&mut world, 10);
    world.body_mut(b).set_kind(BodyKind::Kinematic);
    run(&mut world, 10);
    world.body_mut(b).set_kind(BodyKind::Dynamic);
    run(&mut world, 10);
}

#[test]
fn kinds_and_enabling_may_change_in_every_step() {
    let mut world = world();
    ground(&mut world);
    let boxes = column(&mut world, 0.0, 2);
    for i in 0..100 {
        match i % 4 {
            0 => world.body_mut(boxes[0]).set_kind(BodyKind::Static),
            1 => world.body_mut(boxes[1]).disable(),
            2 => world.body_mut(boxes[0]).set_kind(BodyKind::Dynamic),
            _ => world.body_mut(boxes[1]).enable(),
        }
        step(&mut world);
        assert!(boxes.iter().all(|&body| is_finite(&world, body)));
    }
    run(&mut world, 200);
    close(y(&world, boxes[0]), 0.5, SLOP);
    close(y(&world, boxes[1]), 1.5, 2.0 * SLOP);
}

#[test]
fn platform_under_a_jointed_attachment_may_change_its_kind() {
    let mut world = world();
    ground(&mut world);
    let platform = solid(
        &mut world,
        BodyDef::kinematic().position(0.0, 5.0),
        rect(2.0, 0.2),
    );
    let attachment = solid(
        &mut world,
        BodyDef::dynamic().position(0.0, 3.5),
        rect(0.2, 1.0),
    );
    let joint = pin_at(&mut world, platform, attachment, point(0.0, 4.8));
    let kinds = [BodyKind::Static, BodyKind::Kinematic, BodyKind::Dynamic];
    for i in 0..12 {
        world.body_mut(platform).set_kind(kinds[i % 3]);
        if i % 2 == 0 {
            world.body_mut(attachment).disable();
            run(&mut world, 5);
            world.body_mut(attachment).enable();
        }
        run(&mut world, 60);
        let [a, b] = world.joint(joint).anchors();
        if i % 3 != 2 {
            assert!((b - a).norm() < 0.05, "round {i}: {}", (b - a).norm());
        }
    }
}

#[test]
fn platform_on_a_slider_with_a_motorized_attachment_may_change_its_kind_and_be_left_alone() {
    let mut world = world();
    let ground = ground(&mut world);
    let attachment = solid(
        &mut world,
        BodyDef::dynamic().position(-2.0, 3.0),
        rect(0.5, 2.0),
    );
    let platform = world.create_body(BodyDef::dynamic().position(-4.0, 5.0));
    let plank = cairn2d_geometry::Polygon::offset_rectangle(0.5, 4.0, point(4.0, 0.0), 0.5 * PI);
    let def = ShapeDef::default().friction(0.6).density(2.0);
    world.create_shape(platform, plank, def);
    let pin = RevoluteJointDef::new(attachment, platform).at(&world, (-2.0, 5.0));
    let pin = world.create_joint(RevoluteJointDef {
        motor: Some(Motor::new(0.0, 50.0)),
        ..pin
    });
    let mut slide = PrismaticJointDef::new(ground, platform).at(&world, (0.0, 5.0), vec2(1.0, 0.0));
    slide.motor = Some(Motor::new(0.0, 1000.0));
    slide.limit = Some(Limit::new(-10.0, 10.0));
    let slide = world.create_joint(slide);
    let kinds = [BodyKind::Static, BodyKind::Kinematic, BodyKind::Dynamic];
    for i in 0..12 {
        world.body_mut(platform).set_kind(kinds[i % 3]);
        if i % 4 == 1 {
            world.body_mut(attachment).disable();
        }
        run(&mut world, 60);
        if i % 4 == 1 {
            world.body_mut(attachment).enable();
            run(&mut world, 60);
        }
        assert!(is_finite(&world, platform) && is_finite(&world, attachment));
        let [a, b] = world.joint(pin).anchors();
        assert!((b - a).norm() < 0.05, "round {i}: {}", (b - a).norm());
        let height = world.body(platform).position().y;
        close(height, 5.0, 0.05);
        assert!(world.joint(slide).translation().abs() < 10.05);
    }
}

#[test]
fn disabling_while_an_overlapping_body_goes_is_harmless() {
    let mut world = world();
    let sensor = ShapeDef {
        sensor: true,
        ..ShapeDef::default()
    };
    let pairs: Vec<_> = (0..10)
        .map(|i| {
            let x = 100.0 * i as f32;
            let player = ball_at(&mut world, x, 0.0, 0.5);
            world.create_shape(player, disc(1.0), sensor);
            world.create_shape(player, disc(2.0), sensor);
            let projectile = ball_at(&mut world, x + 0.5, 0.0, 0.2);
            world.create_shape(projectile, disc(0.4), sensor);
            (player, projectile)
        })
        .collect();
    run(&mut world, 3);
    for (player, projectile) in pairs {
        world.body_mut(player).disable();
        assert!(world.destroy_body(projectile));
        step(&mut world);
        world.body_mut(player).enable();
        step(&mut world);
        assert!(world.destroy_body(player));
        step(&mut world);
    }
    assert_eq!(world.body_count(), 0);
    assert_eq!(world.shape_count(), 0);
}

#[test]
fn teleport_together_with_disable_and_enable_keeps_the_pose() {
    let mut world = world();
    ground(&mut world);
    let ball = ball_at(&mut world, 0.0, 5.0, 0.5);
    step(&mut world);
    world.body_mut(ball).set_pose((1.0, 1.0), 1.0);
    world.body_mut(ball).disable();
    step(&mut world);
    assert_eq!(world.body(ball).position(), point(1.0, 1.0));
    close(world.body(ball).angle(), 1.0, 1.0e-6);
    world.body_mut(ball).set_pose((0.0, 3.0), 0.0);
    world.body_mut(ball).enable();
    world.body_mut(ball).set_velocity(vec2(0.0, 0.0));
    assert_eq!(world.body(ball).position(), point(0.0, 3.0));
    step(&mut world);
    close(y(&world, ball), 3.0, 0.01);
}

#[test]
fn disabled_body_is_seen_and_touched_by_nothing() {
    let mut world = world();
    let floor = ground(&mut world);
    let body = crate_at(&mut world, 0.0, 0.5, 0.5);
    run(&mut world, 3);
    world.body_mut(floor).disable();
    assert_eq!(world.contacts().count(), 0);
    let ray = world.ray_cast((5.0, 5.0), vec2(0.0, -10.0), Default::default());
    assert!(ray.is_none());
    run(&mut world, 30);
    assert!(y(&world, body) < 0.0);
    assert!(!world.body(floor).is_enabled());
    world.body_mut(floor).enable();
    world.body_mut(body).set_pose((0.0, 0.5), 0.0);
    run(&mut world, 3);
    assert!(touch(&world, floor, body));
}

#[test]
fn teleported_shape_is_found_at_its_new_place_each_time() {
    // Catches changes that are noticed only once.
    let mut world = world();
    let mover = solid(&mut world, BodyDef::kinematic(), disc(0.5));
    for i in 1..5 {
        let place = (3.0 * i as f32, 0.0);
        world.body_mut(mover).set_pose(place, 0.0);
        let found = world.shapes_at(place, Default::default());
        assert_eq!(found, [shape_of(&world, mover)]);
        assert!(
            world
                .shapes_at((place.0 - 3.0, 0.0), Default::default())
                .is_empty()
        );
        step(&mut world);
    }
}

#[test]
fn setting_the_angle_of_a_locked_body_moves_nothing() {
    let mut world = weightless();
    let locks = Locks {
        rotation: true,
        ..Locks::default()
    };
    let body = world.create_body(BodyDef {
        locks,
        ..BodyDef::dynamic()
    });
    let shape = Circle::new(point(1.0, 0.0), 0.5);
    world.create_shape(body, shape, ShapeDef::default());
    for i in 0..100 {
        world.body_mut(body).set_pose((0.0, 0.0), 0.05 * i as f32);
        step(&mut world);
        assert!(world.body(body).position().coords.norm() < 1.0e-4);
        assert!(speed(&world, body) < 1.0e-4);
    }
}

#[test]
fn spin_turns_about_the_centre_of_mass() {
    let mut world = weightless();
    let body = world.create_body(BodyDef::dynamic());
    let shape = Circle::new(point(1.0, 0.0), 0.5);
    world.create_shape(body, shape, ShapeDef::default());
    for _ in 0..100 {
        world.body_mut(body).set_angular_velocity(3.0);
        step(&mut world);
        assert!((world.body(body).center() - point(1.0, 0.0)).norm() < 1.0e-3);
    }
}

#[test]
fn locks_hold_whatever_pushes() {
    let mut world = world();
    ground(&mut world);
    solid(
        &mut world,
        BodyDef::static_().position(2.0, 1.0),
        rect(0.5, 0.5),
    );
    let lock = |x: bool, y: bool, rotation: bool| Locks { x, y, rotation };
    let place = |world: &mut World, x: f32, y: f32, locks: Locks| {
        let def = BodyDef {
            locks,
            ..BodyDef::dynamic()
                .position(x, y)
                .angle(if locks.rotation { 0.0 } else { 0.2 })
        };
        solid(world, def, rect(0.5, 0.5))
    };
    place(&mut world, 1.0, 3.0, lock(false, false, false));
    let upright = place(&mut world, 1.2, 5.0, lock(false, false, true));
    let column = place(&mut world, -2.0, 4.0, lock(true, false, false));
    let rail = place(&mut world, -1.0, 2.5, lock(false, true, true));
    let fixed = place(&mut world, 0.0, 1.0, lock(true, true, true));
    place(&mut world, -0.2, 6.0, lock(false, false, false));
    for _ in 0..300 {
        step(&mut world);
        assert_eq!(world.body(upright).angle(), 0.0);
        assert_eq!(world.body(column).position().x, -2.0);
        assert_eq!(world.body(rail).position().y, 2.5);
        assert_eq!(world.body(rail).angle(), 0.0);
        assert_eq!(world.body(fixed).position(), point(0.0, 1.0));
    }
}

#[test]
fn locked_body_on_a_motor_holds_its_angle() {
    let mut world = world();
    let base = world.create_body(BodyDef::static_());
    let locks = Locks {
        rotation: true,
        ..Locks::default()
    };
    let def = BodyDef {
        locks,
        ..BodyDef::dynamic().position(1.0, 0.0)
    };
    let body = solid(&mut world, def, rect(1.0, 0.1));
    let def = RevoluteJointDef {
        base: JointBaseDef {
            frame_b: JointFrame::at(-1.0, 0.0),
            ..JointBaseDef::new(base, body)
        },
        motor: Some(Motor::new(5.0, 1.0e4)),
        limit: None,
        spring: None,
    };
    let joint = world.create_joint(def);
    for _ in 0..300 {
        step(&mut world);
        assert_eq!(world.body(body).angle(), 0.0);
        let [a, b] = world.joint(joint).anchors();
        assert!((b - a).norm() < 0.01);
    }
}

#[test]
fn locking_stops_and_unlocking_frees() {
    let mut world = weightless();
    let def = BodyDef {
        angular_velocity: 2.0,
        ..BodyDef::dynamic().velocity(3.0, 4.0)
    };
    let body = solid(&mut world, def, disc(0.5));
    world.body_mut(body).set_locks(Locks {
        x: true,
        y: false,
        rotation: true,
    });
    assert_eq!(world.body(body).velocity(), vec2(0.0, 4.0));
    assert_eq!(world.body(body).angular_velocity(), 0.0);
    world.body_mut(body).set_locks(Locks::default());
    world.body_mut(body).apply_impulse(vec2(1.0, 0.0));
    world.body_mut(body).apply_angular_impulse(1.0);
    step(&mut world);
    assert!(world.body(body).velocity().x > 0.0);
    assert!(world.body(body).angular_velocity() > 0.0);
}

#[test]
fn flags_do_not_disturb_each_other() {
    let mut world = world();
    let body = ball_at(&mut world, 0.0, 0.0, 0.5);
    let locks = Locks {
        rotation: true,
        ..Locks::default()
    };
    world.body_mut(body).set_bullet(true);
    world.body_mut(body).set_locks(locks);
    world.body_mut(body).set_fast_rotation(true);
    assert!(world.body(body).is_bullet());
    world.body_mut(body).set_kind(BodyKind::Kinematic);
    world.body_mut(body).set_kind(BodyKind::Dynamic);
    assert!(world.body(body).is_bullet());
    assert_eq!(world.body(body).locks(), locks);
    world.body_mut(body).set_bullet(false);
    assert_eq!(world.body(body).locks(), locks);
    world.body_mut(body).set_user_data(77);
    assert_eq!(world.body(body).user_data(), 77);
}

#[test]
fn moving_what_is_left_of_a_removed_pair_is_harmless() {
    let mut world = weightless();
    let a = ball_at(&mut world, 0.0, 0.0, 0.5);
    let b = ball_at(&mut world, 0.5, 0.0, 0.5);
    step(&mut world);
    world.destroy_body(b);
    world.body_mut(a).set_pose((10.0, 10.0), 0.0);
    step(&mut world);
    assert_eq!(world.counters().contacts, 0);
}

#[test]
fn pair_is_forgotten_when_one_goes() {
    let mut world = weightless();
    let a = crate_at(&mut world, 0.0, 0.0, 0.5);
    crate_at(&mut world, 1.05, 0.0, 0.5);
    step(&mut world);
    assert_eq!(world.counters().contacts, 1);
    world.destroy_body(a);
    step(&mut world);
    assert_eq!(world.counters().contacts, 0);
}

#[test]
fn static_body_has_no_velocity() {
    let mut world = world();
    let floor = ground(&mut world);
    world.body_mut(floor).set_velocity(vec2(5.0, 0.0));
    world.body_mut(floor).set_angular_velocity(5.0);
    world.body_mut(floor).apply_impulse(vec2(5.0, 0.0));
    run(&mut world, 5);
    assert_eq!(speed(&world, floor), 0.0);
    assert_eq!(world.body(floor).position(), point(0.0, -1.0));
    let moving = solid(
        &mut world,
        BodyDef::static_().position(0.0, 5.0).velocity(3.0, 0.0),
        disc(0.5),
    );
    assert_eq!(speed(&world, moving), 0.0);
    let body = solid(
        &mut world,
        BodyDef::dynamic().position(9.0, 5.0).velocity(3.0, 0.0),
        disc(0.5),
    );
    world.body_mut(body).set_kind(BodyKind::Static);
    assert_eq!(speed(&world, body), 0.0);
}

#[test]
fn nothing_pushes_a_kinematic_body() {
    let mut world = world();
    let platform = BodyDef::kinematic().velocity(0.5, 0.0);
    let platform = solid(&mut world, platform, rect(3.0, 0.2));
    let def = ShapeDef::default().density(1000.0);
    add(
        &mut world,
        BodyDef::dynamic().position(0.5, 3.0),
        rect(0.5, 0.5),
        def,
    );
    world.body_mut(platform).apply_force(vec2(0.0, 100.0));
    world.body_mut(platform).apply_impulse(vec2(0.0, 100.0));
    world.body_mut(platform).apply_torque(100.0);
    run(&mut world, 120);
    assert_eq!(world.body(platform).velocity(), vec2(0.5, 0.0));
    assert_eq!(world.body(platform).angular_velocity(), 0.0);
    close(x(&world, platform), 1.0, 1.0e-5);
    assert_eq!(y(&world, platform), 0.0);
}

#[test]
fn teleported_body_keeps_its_velocity_and_leaves_its_contacts() {
    let mut world = world();
    let floor = ground(&mut world);
    let body = solid(
        &mut world,
        BodyDef::dynamic().position(0.0, 0.5),
        rect(0.5, 0.5),
    );
    run(&mut world, 5);
    assert!(touch(&world, floor, body));
    world.body_mut(body).set_velocity(vec2(1.0, 2.0));
    world.body_mut(body).set_pose((30.0, 40.0), 0.5);
    assert_eq!(world.body(body).velocity(), vec2(1.0, 2.0));
    step(&mut world);
    assert!(!touch(&world, floor, body));
    close(x(&world, body), 30.0 + DT, 1.0e-4);
}

#[test]
fn teleport_far_and_back_finds_the_contact_again() {
    let mut world = world();
    let floor = ground(&mut world);
    let body = crate_at(&mut world, 0.0, 0.5, 0.5);
    run(&mut world, 30);
    for _ in 0..3 {
        world.body_mut(body).set_pose((4.0e6, 4.0e6), 0.0);
        step(&mut world);
        assert!(!touch(&world, floor, body));
        world.body_mut(body).set_pose((0.0, 0.5), 0.0);
        world.body_mut(body).set_velocity(vec2(0.0, 0.0));
        run(&mut world, 2);
        assert!(touch(&world, floor, body));
    }
}
