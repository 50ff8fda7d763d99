//! Joints in a world: what they hold, what their parts do, and how they are changed.

use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, BodyId, DistanceJointDef, JointDef, JointFrame, JointId, JointSoftness, Limit, Motor,
    MotorJointDef, MouseJointDef, PrismaticJointDef, PulleyJointDef, RevoluteJointDef, ShapeDef,
    Spring, WeldJointDef, WheelJointDef, World, WorldDef,
};
use cairn2d_geometry::MassData;
use cairn2d_geometry::math::{PI, Vec2, WorldPoint, point, vec2};

/// Length of one degree [rad].
const DEGREE: f32 = PI / 180.0;

/// A disc that hangs `length` below a static body at the origin, on a pin.
fn pendulum(world: &mut World, length: f32) -> (BodyId, BodyId, JointId) {
    let base = world.create_body(BodyDef::fixed());
    let bob = ball_at(world, 0.0, -length, 0.3);
    let pin = world.create_joint(RevoluteJointDef::new(base, bob).at(world, (0.0, 0.0)));
    (base, bob, pin)
}

/// A disc of the given mass [kg] and inertia [kg m^2] at (`x`, `y`).
fn weight(world: &mut World, x: f32, y: f32, mass: f32, inertia: f32) -> BodyId {
    let body = ball_at(world, x, y, 0.5);
    world.body_mut(body).set_mass(Some(MassData {
        mass,
        center: point(0.0, 0.0),
        inertia,
    }));
    body
}

/// Distance of a joint's two anchors [m].
fn gap(world: &World, joint: JointId) -> f32 {
    world.joint(joint).length()
}

#[test]
fn removed_joint_holds_no_more() {
    let mut world = world();
    let (_, bob, pin) = pendulum(&mut world, 2.0);
    run(&mut world, 30);
    assert!(y(&world, bob) > -2.5);
    world.destroy_joint(pin);
    run(&mut world, 60);
    assert!(y(&world, bob) < -4.0);
}

#[test]
fn changed_anchor_is_followed() {
    let mut world = world();
    let (_, bob, pin) = pendulum(&mut world, 2.0);
    run(&mut world, 30);
    let mut frames = [JointFrame::ORIGIN, JointFrame::at(0.0, 4.0)];
    world.joint_mut(pin).set_frames(frames);
    run(&mut world, 120);
    let height = y(&world, bob);
    assert!((-4.6..-3.4).contains(&height), "{height}");
    frames[0] = JointFrame::at(1.0, 0.0);
    world.joint_mut(pin).set_frames(frames);
    run(&mut world, 60);
    assert!(gap(&world, pin) < SLOP);
}

#[test]
fn moved_static_anchor_is_followed() {
    let mut world = world();
    let (base, bob, pin) = pendulum(&mut world, 2.0);
    run(&mut world, 30);
    world.body_mut(base).set_pose((5.0, 0.0), 0.0);
    run(&mut world, 300);
    let away = world.body(bob).position() - point(5.0, 0.0);
    close(away.norm(), 2.0, 0.02);
    assert!(gap(&world, pin) < 0.02);
}

#[test]
fn changing_a_joint_wakes_and_changing_nothing_does_not() {
    let mut world = world();
    let (_, bob, pin) = pendulum(&mut world, 2.0);
    assert!(run_until_asleep(&mut world, 600).is_some());
    world.joint_mut(pin).set_motor(None);
    world.joint_mut(pin).set_user_data(3);
    let same = *world.joint(pin).def();
    world.set_joint(pin, same);
    assert!(!is_awake(&world, bob));
    world.joint_mut(pin).set_motor(Some(Motor::new(2.0, 100.0)));
    assert!(is_awake(&world, bob));
    run(&mut world, 50);
    assert!(world.body(bob).angular_velocity().abs() > 0.1);
    assert_eq!(world.joint(pin).user_data(), 3);
}

#[test]
fn moving_kinematic_anchor_wakes_and_carries() {
    let mut world = world();
    let (base, bob, _) = pendulum(&mut world, 2.0);
    world
        .body_mut(base)
        .set_kind(cairn2d_dynamics::BodyKind::Kinematic);
    assert!(run_until_asleep(&mut world, 600).is_some());
    for i in 1..=200 {
        world
            .body_mut(base)
            .move_to((0.05 * i as f32, 0.0), 0.0, DT);
        step(&mut world);
        assert!(is_awake(&world, bob) || i == 1);
    }
    close(x(&world, bob), 10.0, 2.0);
}

/// Drives an arm against limits both ways and checks where it stops; angles in degrees.
fn stops_at(lower: f32, upper: f32) {
    for direction in [1.0, -1.0] {
        for by_torque in [false, true] {
            let mut world = weightless();
            let base = world.create_body(BodyDef::fixed());
            let arm = world.create_body(BodyDef::dynamic().at(1.0, 0.0).damping(0.0, 3.0));
            world.create_shape(arm, rect(0.2, 0.2), ShapeDef::default());
            let mut def = RevoluteJointDef::new(base, arm).at(&world, (0.0, 0.0));
            def.limit = Some(Limit::new(lower * DEGREE, upper * DEGREE));
            if !by_torque {
                def.motor = Some(Motor::new(direction * 5.0, 5.0));
            }
            let joint = world.create_joint(def);
            for _ in 0..600 {
                if by_torque {
                    world.body_mut(arm).apply_torque(direction * 1.5);
                }
                step(&mut world);
            }
            let angle = world.joint(joint).angle() / DEGREE;
            let end = if direction > 0.0 { upper } else { lower };
            close(angle, end, 2.0);
        }
    }
}

#[test]
fn limits_hold_anywhere_on_the_circle() {
    for (lower, upper) in [
        (-45.0, 45.0),
        (-135.0, 135.0),
        (0.0, 90.0),
        (-170.0, -10.0),
        (0.0, 270.0),
        (-270.0, 0.0),
        (-90.0, 200.0),
        (-350.0, 0.0),
        (45.0, 315.0),
        (-315.0, -45.0),
        (135.0, 225.0),
        (-360.0, 400.0),
    ] {
        stops_at(lower, upper);
    }
}

#[test]
fn angle_is_that_of_the_frames() {
    let mut world = weightless();
    let a = solid(&mut world, BodyDef::fixed().turned(1.0), rect(0.5, 0.5));
    for i in 0..=100 {
        let turn = PI * (i as f32 / 50.0 - 1.0);
        let b = solid(
            &mut world,
            BodyDef::dynamic().turned(1.0 + turn),
            rect(0.5, 0.5),
        );
        let joint = world.create_joint(RevoluteJointDef::new(a, b));
        let read = world.joint(joint).angle();
        let near_half = turn.abs() > PI - 1.0e-4;
        let error = if near_half {
            read.abs() - PI
        } else {
            read - turn
        };
        close(error, 0.0, 1.0e-5);
        world.destroy_body(b);
    }
}

#[test]
fn limits_may_change_as_the_joint_runs() {
    let mut world = weightless();
    let base = world.create_body(BodyDef::fixed());
    let disc_ = solid(
        &mut world,
        BodyDef::dynamic().spinning(10.0 * DEGREE),
        disc(0.5),
    );
    let mut def = RevoluteJointDef::new(base, disc_);
    def.limit = Some(Limit::new(-30.0 * DEGREE, 30.0 * DEGREE));
    let joint = world.create_joint(def);
    step(&mut world);
    close(world.joint(joint).angle() / DEGREE, 10.0 * DT, 1.0e-3);
    for (lower, upper, low, high) in [(10.0, 30.0, 9.9, 30.1), (-30.0, 5.0, -30.1, 5.1)] {
        let limit = Limit::new(lower * DEGREE, upper * DEGREE);
        world.joint_mut(joint).set_limit(Some(limit));
        run(&mut world, 20);
        let angle = world.joint(joint).angle() / DEGREE;
        assert!((low..high).contains(&angle), "{angle}");
    }
}

#[test]
fn motor_turns_at_its_speed_and_stops_at_the_limit() {
    let mut world = weightless();
    let base = world.create_body(BodyDef::fixed());
    let wheel = ball_at(&mut world, 0.0, 0.0, 0.5);
    let mut def = RevoluteJointDef::new(base, wheel);
    def.motor = Some(Motor::new(20.0 * DEGREE, 10.0));
    let joint = world.create_joint(def);
    step(&mut world);
    close(world.body(wheel).angular_velocity(), 0.349_07, 1.0e-4);
    world
        .joint_mut(joint)
        .set_limit(Some(Limit::new(-5.0 * DEGREE, 5.0 * DEGREE)));
    run(&mut world, 60);
    close(world.joint(joint).angle(), 5.0 * DEGREE, 2.0e-3);
    world.joint_mut(joint).set_motor_speed(-20.0 * DEGREE);
    run(&mut world, 60);
    close(world.joint(joint).angle(), -5.0 * DEGREE, 2.0e-3);
}

#[test]
fn reaction_of_a_pinned_body_is_its_weight() {
    let mut world = world();
    let (_, bob, pin) = pendulum(&mut world, 0.0);
    run(&mut world, 4);
    let weight = world.body(bob).mass() * G;
    close(world.joint(pin).reaction().force.y, weight, 0.01 * weight);
    close(world.joint(pin).reaction().force.x, 0.0, 0.01 * weight);
}

/// A disc on a free slider along x.
fn slider(world: &mut World) -> (BodyId, JointId) {
    let base = world.create_body(BodyDef::fixed());
    let body = ball_at(world, 0.0, 2.0, 0.5);
    let def = PrismaticJointDef::new(base, body).at(world, (0.0, 2.0), vec2(1.0, 0.0));
    (body, world.create_joint(def))
}

#[test]
fn slider_moves_along_its_axis_only() {
    let mut world = world();
    let (body, joint) = slider(&mut world);
    run(&mut world, 4);
    close(y(&world, body), 2.0, 1.0e-3);
    for (velocity, moves) in [(vec2(0.0, 1.0), false), (vec2(1.0, 1.0), true)] {
        let before = x(&world, body);
        world.body_mut(body).set_velocity(velocity);
        run(&mut world, 4);
        close(y(&world, body), 2.0, 1.0e-3);
        let way = x(&world, body) - before;
        close(way, if moves { 4.0 * DT } else { 0.0 }, 1.0e-3);
    }
    world.body_mut(body).apply_torque(0.5);
    step(&mut world);
    close(world.body(body).angle(), 0.0, 1.0e-4);
    close(world.joint(joint).reaction().torque, -0.5, 0.01);
}

#[test]
fn slider_has_limits_motor_and_reverse() {
    let mut world = weightless();
    let (body, joint) = slider(&mut world);
    world
        .joint_mut(joint)
        .set_limit(Some(Limit::new(-1.0, 5.0)));
    world.body_mut(body).set_velocity(vec2(-16.0, 0.0));
    step(&mut world);
    close(x(&world, body), -16.0 * DT, 1.0e-3);
    run(&mut world, 10);
    close(x(&world, body), -1.0, 0.01);
    world
        .joint_mut(joint)
        .set_motor(Some(Motor::new(10.0, 1000.0)));
    step(&mut world);
    close(world.body(body).velocity().x, 10.0, 1.0e-3);
    world.joint_mut(joint).set_limit(Some(Limit::new(6.0, 7.0)));
    run(&mut world, 120);
    close(x(&world, body), 7.0, 0.01);
    world.joint_mut(joint).set_motor_speed(-10.0);
    // 1000 N turn 0.79 kg round within a step.
    step(&mut world);
    close(world.body(body).velocity().x, -10.0, 1.0e-3);
    run(&mut world, 30);
    close(x(&world, body), 6.0, 0.01);
}

#[test]
fn distance_joint_keeps_its_limits_and_springs_to_its_length() {
    let settle = |length: f32, limit: Option<Limit>, spring: Option<Spring>| {
        let mut world = weightless();
        let base = world.create_body(BodyDef::fixed());
        let body = ball_at(&mut world, 2.0, 0.0, 0.3);
        let joint = world.create_joint(DistanceJointDef {
            length,
            limit,
            spring,
            ..DistanceJointDef::new(base, body)
        });
        run(&mut world, 180);
        gap(&world, joint)
    };
    let spring = Some(Spring::new(8.0, 1.0));
    let limit = |lower, upper| Some(Limit::new(lower, upper));
    // A limit is as stiff as joints are, 60 Hz: the spring pulls it along by the square of the ratio.
    let share = (8.0 * 8.0) / (60.0 * 60.0);
    close(
        settle(10.0, limit(1.0, 5.0), spring),
        5.0 + 5.0 * share,
        5.0e-3,
    );
    close(
        settle(1.0, limit(3.0, 5.0), spring),
        3.0 - 2.0 * share,
        5.0e-3,
    );
    close(settle(3.0, limit(1.0, 5.0), spring), 3.0, 1.0e-3);
    close(
        settle(10.0, limit(1.0, f32::INFINITY), spring),
        10.0,
        5.0e-3,
    );
    close(
        settle(0.5, limit(f32::NEG_INFINITY, 5.0), spring),
        0.5,
        5.0e-3,
    );
    close(settle(3.5, None, None), 3.5, 1.0e-3);
}

#[test]
fn length_of_a_rod_may_change() {
    let mut world = weightless();
    let base = world.create_body(BodyDef::fixed());
    let body = ball_at(&mut world, 2.0, 0.0, 0.3);
    let def = DistanceJointDef::new(base, body).between(&world, (0.0, 0.0), (2.0, 0.0));
    assert_eq!(def.length, 2.0);
    let joint = world.create_joint(def);
    world.joint_mut(joint).set_length(3.0);
    run(&mut world, 120);
    close(gap(&world, joint), 3.0, 1.0e-3);
}

/// A beam of 1 m x 0.5 m welded at its left end to a static body.
fn welded_beam(world: &mut World, angular: Option<JointSoftness>) -> (BodyId, JointId) {
    let wall = world.create_body(BodyDef::fixed());
    let beam = solid(world, BodyDef::dynamic().at(0.5, 0.0), rect(0.5, 0.25));
    let mut def = WeldJointDef::new(wall, beam).at(world, (0.0, 0.0));
    def.angular = angular;
    (beam, world.create_joint(def))
}

#[test]
fn rigid_weld_does_not_move_and_a_soft_one_sags_by_its_stiffness() {
    let mut rigid = world();
    let (beam, joint) = welded_beam(&mut rigid, None);
    run(&mut rigid, 60);
    close(rigid.body(beam).angle(), 0.0, 2.0e-3);
    let weight = rigid.body(beam).mass() * G;
    close(rigid.joint(joint).reaction().force.y, weight, 0.01 * weight);
    close(
        rigid.joint(joint).reaction().torque,
        0.5 * weight,
        0.02 * weight,
    );

    let mut soft = world();
    let (hertz, damping_ratio) = (8.0, 0.3);
    let softness = JointSoftness {
        hertz,
        damping_ratio,
    };
    let (beam, _) = welded_beam(&mut soft, Some(softness));
    run(&mut soft, 300);
    // The spring is that of the angle alone, as if the beam turned about its centre: k = I w^2.
    let omega = 2.0 * PI * hertz;
    let stiffness = soft.body(beam).inertia() * omega * omega;
    close(soft.body(beam).angle(), -0.5 * weight / stiffness, 2.0e-3);
}

#[test]
fn wheel_rests_on_its_limits() {
    let mut world = world();
    let base = world.create_body(BodyDef::fixed());
    let wheel = ball_at(&mut world, 0.0, 0.0, 0.5);
    let mut def = WheelJointDef::new(base, wheel).at(&world, (0.0, 0.0), vec2(0.0, 1.0));
    def.spring = None;
    def.limit = Some(Limit::new(-1.0, 5.0));
    let joint = world.create_joint(def);
    run(&mut world, 120);
    let weight = world.body(wheel).mass() * G;
    close(world.joint(joint).translation(), -1.0, 0.01);
    close(world.joint(joint).reaction().force.y, weight, 0.01 * weight);
    world.set_gravity(vec2(0.0, 98.0));
    run(&mut world, 120);
    close(world.joint(joint).translation(), 5.0, 0.01);
    let pull = -9.8 * weight;
    close(
        world.joint(joint).reaction().force.y,
        pull,
        0.01 * pull.abs(),
    );
    world
        .joint_mut(joint)
        .set_limit(Some(Limit::new(-1.0, 3.0)));
    run(&mut world, 120);
    close(world.joint(joint).translation(), 3.0, 0.01);
}

#[test]
fn motor_joint_pulls_with_its_caps_to_its_target() {
    let mut world = weightless();
    let base = world.create_body(BodyDef::fixed());
    let body = weight(&mut world, 0.0, 2.0, 1.0, 1.0);
    let mut def = MotorJointDef::new(base, body).at(&world, (0.0, 2.0));
    let softness = JointSoftness {
        hertz: 2.0,
        damping_ratio: 1.0,
    };
    def.linear_spring = Some(softness);
    def.angular_spring = Some(softness);
    def.max_spring_force = 0.0;
    def.max_spring_torque = 0.0;
    let joint = world.create_joint(def);
    world.joint_mut(joint).set_target((0.0, 12.0));
    world.joint_mut(joint).set_target_angle(30.0 * DEGREE);
    run(&mut world, 25);
    assert_eq!(world.body(body).position(), point(0.0, 2.0));
    def = match *world.joint(joint).def() {
        JointDef::Motor(def) => def,
        _ => unreachable!(),
    };
    def.max_spring_force = 100.0;
    def.max_spring_torque = 10.0;
    world.set_joint(joint, def);
    step(&mut world);
    close(world.joint(joint).reaction().force.norm(), 100.0, 0.1);
    run(&mut world, 300);
    close(y(&world, body), 12.0, 1.0e-3);
    close(world.body(body).angle(), 30.0 * DEGREE, 1.0e-3);
}

#[test]
fn friction_of_a_motor_joint_stops_in_its_time_and_never_reverses() {
    let mut world = weightless();
    let base = world.create_body(BodyDef::fixed());
    let body = weight(&mut world, 0.0, 0.0, 1.0, 0.1);
    world.body_mut(body).set_velocity(vec2(4.0, 3.0));
    world.body_mut(body).set_angular_velocity(30.0 * DEGREE);
    let mut def = MotorJointDef::new(base, body);
    def.max_velocity_force = 10.0;
    def.max_velocity_torque = 0.25;
    let joint = world.create_joint(def);
    let (mut linear_steps, mut angular_steps) = (0, 0);
    for _ in 0..60 {
        step(&mut world);
        let velocity = world.body(body).velocity();
        let spin = world.body(body).angular_velocity();
        assert!(velocity.x >= -1.0e-5 && velocity.y >= -1.0e-5 && spin >= -1.0e-5);
        linear_steps += usize::from(velocity.norm() > 1.0e-3);
        angular_steps += usize::from(spin > 1.0e-3);
        let force = world.joint(joint).reaction().force.norm();
        assert!(force <= 10.001, "{force}");
    }
    // 5 m/s by 10 m/s^2, and 0.524 rad/s by 2.5 rad/s^2.
    assert!(linear_steps.abs_diff(30) <= 1, "{linear_steps}");
    assert!(angular_steps.abs_diff(13) <= 1, "{angular_steps}");
}

#[test]
fn mouse_joint_reaches_its_target_or_does_nothing_without_force() {
    for (max_force, reached) in [(f32::INFINITY, true), (0.0, false)] {
        let mut world = weightless();
        let hand = world.create_body(BodyDef::fixed().at(3.0, 4.0).turned(1.0));
        let body = ball_at(&mut world, 0.0, 0.0, 0.5);
        let mut def = MouseJointDef::new(hand, body).at(&world, (0.0, 0.0));
        def.max_force = max_force;
        let joint = world.create_joint(def);
        world.joint_mut(joint).set_target((0.7, 0.5));
        run(&mut world, 120);
        let expected = if reached {
            vec2(0.7, 0.5)
        } else {
            Vec2::zeros()
        };
        let error = (world.body(body).position().coords - expected).norm();
        assert!(error < 1.0e-3, "{error}");
    }
}

#[test]
fn pulley_balances_by_its_ratio_and_may_be_slack() {
    for (ratio, slack, mass_a) in [(1.0, 0.0, 1.0), (2.0, 0.0, 0.5), (1.0, 0.5, 1.0)] {
        let mut world = world();
        let a = weight(&mut world, -2.0, 0.0, mass_a, 0.1);
        let b = weight(&mut world, 2.0, 0.0, 1.0, 0.1);
        let wheels = [WorldPoint::from((-2.0, 3.0)), WorldPoint::from((2.0, 3.0))];
        let length = 3.0 + 3.0 * ratio + slack;
        let mut def = PulleyJointDef::new(a, b, wheels[0], wheels[1], length);
        def.ratio = ratio;
        world.create_joint(def);
        run(&mut world, 60);
        let sum = (3.0 - y(&world, a)) + ratio * (3.0 - y(&world, b));
        assert!(sum <= length + 0.01, "{sum} of {length}");
        close(sum, length, 0.01);
        if slack == 0.0 {
            close(y(&world, a), 0.0, 0.01);
        }
    }
    // The lighter side rises.
    let mut world = world();
    let a = weight(&mut world, -2.0, 0.0, 1.0, 0.1);
    let b = weight(&mut world, 2.0, 0.0, 1.5, 0.1);
    let wheels = [WorldPoint::from((-2.0, 3.0)), WorldPoint::from((2.0, 3.0))];
    world.create_joint(PulleyJointDef::new(a, b, wheels[0], wheels[1], 6.0));
    run(&mut world, 30);
    // Atwood: g (m_b - m_a) / (m_a + m_b) = 2 m/s^2.
    close(world.body(a).velocity().y, 1.0, 0.02);
    close(y(&world, a) + y(&world, b), 0.0, 0.01);
}

#[test]
fn pin_in_a_slot_slides_and_spins() {
    let mut world = world();
    let base = world.create_body(BodyDef::fixed());
    let body = solid(
        &mut world,
        BodyDef::dynamic().moving(1.0, 0.0).spinning(2.0),
        disc(0.5),
    );
    let mut slot = WheelJointDef::new(base, body).at(&world, (0.0, 0.0), vec2(1.0, 0.0));
    slot.spring = None;
    world.create_joint(slot);
    run(&mut world, 200);
    close(y(&world, body), 0.0, 1.0e-3);
    assert!(x(&world, body) > 0.5);
    close(world.body(body).angular_velocity(), 2.0, 0.1);
}

#[test]
fn pinned_bodies_with_their_centre_elsewhere_stay_on_their_pins_however_many_there_are() {
    for count in [1, 8, 128] {
        let mut world = world();
        let base = world.create_body(BodyDef::fixed());
        let joints: Vec<JointId> = (0..count)
            .map(|i| {
                let body = world.create_body(BodyDef::dynamic().at(3.0 * i as f32, 0.0));
                let shape = cairn2d_geometry::Capsule::new(point(0.5, 0.0), point(1.5, 0.0), 0.2);
                world.create_shape(body, shape.unwrap(), ShapeDef::default());
                let place = world.body(body).position();
                world.create_joint(RevoluteJointDef::new(base, body).at(&world, place))
            })
            .collect();
        run_unchecked(&mut world, 120);
        for joint in joints {
            assert!(gap(&world, joint) < 1.0e-2);
        }
    }
}

#[test]
fn springs_swing_alike_whatever_the_mass() {
    let track = |mass: f32| {
        let mut world = weightless();
        let base = world.create_body(BodyDef::fixed());
        let body = weight(&mut world, 1.0, 0.0, mass, mass);
        let mut def = MouseJointDef::new(base, body);
        def.spring = JointSoftness {
            hertz: 1.0,
            damping_ratio: 0.2,
        };
        world.create_joint(def);
        let mut track = Vec::new();
        for _ in 0..600 {
            step(&mut world);
            track.push(x(&world, body));
        }
        track
    };
    let (light, heavy) = (track(1.0), track(10.0));
    for (a, b) in light.iter().zip(&heavy) {
        close(*a, *b, 1.0e-3);
    }
    close(light[599], 0.0, 0.01);
}

#[test]
fn chains_of_limited_sliders_stay_calm() {
    let mut world = world();
    let base = world.create_body(BodyDef::fixed());
    for column in 0..4 {
        let mut last = base;
        for line in 0..10 {
            let (px, py) = (8.0 * column as f32 + line as f32, -(line as f32));
            let body = crate_at(&mut world, px, py, 0.3);
            let mut def = PrismaticJointDef::new(last, body).at(&world, (px, py), vec2(1.0, -1.0));
            def.limit = Some(Limit::new(-1.5, 1.5));
            world.create_joint(def);
            last = body;
        }
    }
    run_unchecked(&mut world, 3400);
    // Over a whole swing, so that it is not a matter of its phase.
    for _ in 0..600 {
        step(&mut world);
        for body in world.bodies() {
            assert!(body.velocity().norm() < 1.0, "{}", body.velocity());
            assert!(body.position().coords.norm() < 100.0);
        }
    }
}

#[test]
fn motor_to_an_angle_follows_a_base_that_is_turned_by_hand() {
    let mut world = weightless();
    let base = solid(&mut world, BodyDef::kinematic(), rect(0.2, 0.2));
    let hammer = crate_at(&mut world, 1.0, 0.0, 0.2);
    let mut def = RevoluteJointDef::new(base, hammer).at(&world, (0.0, 0.0));
    def.spring = Some(Spring::new(10.0, 1.0));
    let joint = world.create_joint(def);
    for i in 1..=300 {
        world.body_mut(base).set_pose((0.0, 0.0), 0.05 * i as f32);
        step(&mut world);
    }
    close(world.joint(joint).angle(), 0.0, 0.5);
    assert!(world.body(hammer).velocity().norm() > 1.0);
    // And to a target of its own.
    world.joint_mut(joint).set_spring_target(1.0);
    run(&mut world, 600);
    close(world.joint(joint).angle(), 1.0, 0.01);
}

#[test]
fn stiff_sprung_slider_between_heavy_discs_stays_finite() {
    for radius in [0.5, 0.1] {
        let mut world = weightless();
        let left = ball_at(&mut world, -3.0, 0.0, 2.0);
        let right = ball_at(&mut world, 3.0, 0.0, 2.0);
        let small = ball_at(&mut world, 0.0, 0.0, radius);
        for (side, target) in [(left, -3.0), (right, 3.0)] {
            let mut def =
                PrismaticJointDef::new(small, side).at(&world, (0.0, 0.0), vec2(1.0, 0.0));
            def.spring = Some(Spring {
                target,
                ..Spring::new(10.0, 2.0)
            });
            world.create_joint(def);
        }
        for _ in 0..600 {
            step(&mut world);
            assert!(world.body_freezes().is_empty());
            assert!(speed(&world, small) < 50.0);
        }
    }
}

#[test]
fn windmill_of_welds_turns_and_holds() {
    let mut world = weightless();
    let base = world.create_body(BodyDef::fixed());
    let hub = ball_at(&mut world, 0.0, 0.0, 2.0);
    world.create_joint(RevoluteJointDef::new(base, hub));
    for i in 0..4 {
        let turn = 0.5 * PI * i as f32;
        let place = (6.0 * cosine(turn), 6.0 * sine(turn));
        let blade = solid(
            &mut world,
            BodyDef::dynamic().at(place.0, place.1).turned(turn),
            rect(4.0, 0.5),
        );
        let mut def = WeldJointDef::new(hub, blade).at(&world, (0.5 * place.0, 0.5 * place.1));
        let softness = JointSoftness {
            hertz: 30.0,
            damping_ratio: 1.0,
        };
        (def.linear, def.angular) = (Some(softness), Some(softness));
        world.create_joint(def);
    }
    world.body_mut(hub).set_angular_velocity(3.0);
    run(&mut world, 600);
    let spins: Vec<f32> = world.bodies().map(|body| body.angular_velocity()).collect();
    assert!(
        spins[1..].iter().all(|spin| (0.0..3.0).contains(spin)),
        "{spins:?}"
    );
    let joints: Vec<f32> = world.joints().map(|joint| joint.length()).collect();
    assert!(joints.iter().all(|gap| *gap < 0.1), "{joints:?}");
}

#[test]
fn row_of_sliders_comes_back_when_it_is_let_go() {
    let mut world = weightless();
    let base = world.create_body(BodyDef::fixed());
    let (mut last, mut joints) = (base, Vec::new());
    for i in 0..6 {
        let place = (0.0, 1.0 + i as f32);
        let body = crate_at(&mut world, place.0, place.1, 0.4);
        let mut def = PrismaticJointDef::new(last, body).at(&world, place, vec2(1.0, 0.0));
        def.limit = Some(Limit::new(-6.0, 6.0));
        joints.push(world.create_joint(def));
        last = body;
    }
    // 150 times the weight of a crate in standard gravity.
    for _ in 0..240 {
        world.body_mut(last).apply_force(vec2(100.0, 100.0));
        step(&mut world);
    }
    run(&mut world, 600);
    for joint in joints {
        let way = world.joint(joint).translation();
        assert!((-6.1..6.1).contains(&way), "{way}");
    }
}

#[test]
fn bodies_and_joints_know_each_other() {
    let mut world = weightless();
    let bodies: Vec<BodyId> = (0..3)
        .map(|i| ball_at(&mut world, 2.0 * i as f32, 0.0, 0.5))
        .collect();
    let first = world.create_joint(RevoluteJointDef::new(bodies[0], bodies[1]));
    let second = world.create_joint(DistanceJointDef::new(bodies[0], bodies[1]));
    let third = world.create_joint(WeldJointDef::new(bodies[1], bodies[2]));
    let of = |body: BodyId| -> Vec<JointId> {
        world.body(body).joints().map(|joint| joint.id()).collect()
    };
    assert_eq!(of(bodies[0]), [first, second]);
    assert_eq!(of(bodies[1]), [first, second, third]);
    assert_eq!(of(bodies[2]), [third]);
}

#[test]
fn bridge_with_a_heavy_ball_holds_together() {
    let mut world = world();
    let base = world.create_body(BodyDef::fixed());
    let mut last = base;
    let mut joints = Vec::new();
    for i in 0..30 {
        let middle = i as f32 - 14.5;
        let plank = solid(
            &mut world,
            BodyDef::dynamic().at(middle, 0.0),
            rect(0.5, 0.125),
        );
        joints.push(RevoluteJointDef::new(last, plank).at(&world, (middle - 0.5, 0.0)));
        last = plank;
    }
    joints.push(RevoluteJointDef::new(last, base).at(&world, (15.0, 0.0)));
    let joints: Vec<JointId> = joints
        .into_iter()
        .map(|def| world.create_joint(def))
        .collect();
    let ball = ball_at(&mut world, 0.0, 3.0, 1.0);
    run(&mut world, 600);
    for joint in joints {
        assert!(gap(&world, joint) < 0.05, "{}", gap(&world, joint));
    }
    assert!(y(&world, ball) > -10.0);
}

#[test]
fn joints_of_every_kind_live_with_locked_rotation() {
    let mut world = World::new(WorldDef::default());
    let base = world.create_body(BodyDef::fixed());
    let locks = cairn2d_dynamics::Locks::ROTATION;
    let bodies: Vec<BodyId> = (0..6)
        .map(|i| {
            let def = BodyDef::dynamic().at(3.0 * i as f32, 0.0).locks(locks);
            solid(&mut world, def, rect(0.5, 0.3))
        })
        .collect();
    let at = |i: usize| (3.0 * i as f32 - 0.5, 0.3);
    let mut rope = DistanceJointDef::new(base, bodies[0]);
    rope = rope.between(&world, (0.0, 2.0), (0.0, 0.3));
    world.create_joint(rope);
    let mut motor = MotorJointDef::new(base, bodies[1]).at(&world, at(1));
    (motor.max_velocity_force, motor.max_velocity_torque) = (200.0, 10.0);
    world.create_joint(motor);
    let mut slider = PrismaticJointDef::new(base, bodies[2]).at(&world, at(2), vec2(0.0, 1.0));
    slider.limit = Some(Limit::new(-1.0, 1.0));
    world.create_joint(slider);
    let pin = world.create_joint(RevoluteJointDef::new(base, bodies[3]).at(&world, at(3)));
    let mut weld = WeldJointDef::new(base, bodies[4]).at(&world, at(4));
    weld.angular = Some(JointSoftness {
        hertz: 1.0,
        damping_ratio: 0.5,
    });
    let weld = world.create_joint(weld);
    world.create_joint(WheelJointDef::new(base, bodies[5]).at(&world, at(5), vec2(0.0, 1.0)));
    run(&mut world, 600);
    for body in bodies {
        assert_eq!(world.body(body).angle(), 0.0);
        assert!(y(&world, body).abs() < 3.0);
    }
    assert!(gap(&world, pin) < SLOP && gap(&world, weld) < SLOP);
}
