//! Rods, welds, motor and mouse joints, pulleys: each against its closed form.

use crate::joints::holding::{gap, weight};
use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, BodyId, DistanceJointDef, JointDef, JointId, JointSoftness, Limit, MotorJointDef,
    MouseJointDef, PulleyJointDef, RevoluteJointDef, ShapeDef, Spring, WeldJointDef, World,
    WorldDef,
};
use cairn2d_geometry::Polygon;
use cairn2d_geometry::math::{PI, Vec2, WorldPoint, point, vec2};

/// Length of one degree [rad].
const DEGREE: f32 = PI / 180.0;

#[test]
fn distance_joint_keeps_its_limits_and_springs_to_its_length() {
    let settle = |length: f32, limit: Option<Limit>, spring: Option<Spring>| {
        let mut world = weightless();
        let base = world.create_body(BodyDef::static_());
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
    let base = world.create_body(BodyDef::static_());
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
    let wall = world.create_body(BodyDef::static_());
    let beam = solid(
        world,
        BodyDef::dynamic().position(0.5, 0.0),
        rect(0.5, 0.25),
    );
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
    // The spring is that of the angle alone, as if the beam turned about its center: k = I w^2.
    let omega = 2.0 * PI * hertz;
    let stiffness = soft.body(beam).inertia() * omega * omega;
    close(soft.body(beam).angle(), -0.5 * weight / stiffness, 2.0e-3);
}

/// A beam of three rods. With welds of 60 Hz, which are too stiff for the substeps, it whipped about at 39 m/s.
#[test]
fn beam_of_stiff_welds_sags_by_their_stiffness() {
    for (hertz, damping_ratio) in [(20.0, 1.0), (40.0, 1.0), (60.0, 0.5)] {
        let mut world = World::new(WorldDef {
            sleeping: false,
            ..WorldDef::default()
        });
        let mut last = world.create_body(BodyDef::static_());
        let mut rods = Vec::new();
        for i in 0..3 {
            let x = i as f32;
            let body = BodyDef::dynamic().position(x + 0.5, 0.0);
            let rod = world.create_body(body);
            world.create_shape(rod, Polygon::rectangle(0.5, 0.1), ShapeDef::default());
            let angular = Some(JointSoftness {
                hertz,
                damping_ratio,
            });
            let weld = WeldJointDef {
                angular,
                ..WeldJointDef::new(last, rod).at(&world, (x, 0.0))
            };
            rods.push((rod, world.create_joint(weld)));
            last = rod;
        }
        run(&mut world, 1200);
        let [mass, inertia] = [world.body(last).mass(), world.body(last).inertia()];
        for (i, &(_, weld)) in rods.iter().enumerate() {
            // The rods beyond hang at 0.5, 1.5 and 2.5 m.
            let torque = 0.5 * (rods.len() - i).pow(2) as f32 * mass * world.gravity().norm();
            let reduced = if i == 0 { inertia } else { 0.5 * inertia };
            let omega = 2.0 * PI * hertz;
            let angle = -torque / (reduced * omega * omega);
            close(world.joint(weld).angle(), angle, 0.02 * angle.abs());
        }
    }
}

#[test]
fn windmill_of_welds_turns_and_holds() {
    let mut world = weightless();
    let base = world.create_body(BodyDef::static_());
    let hub = ball_at(&mut world, 0.0, 0.0, 2.0);
    world.create_joint(RevoluteJointDef::new(base, hub));
    for i in 0..4 {
        let turn = 0.5 * PI * i as f32;
        let place = (6.0 * cosine(turn), 6.0 * sine(turn));
        let blade = solid(
            &mut world,
            BodyDef::dynamic().position(place.0, place.1).angle(turn),
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
fn motor_joint_pulls_with_its_caps_to_its_target() {
    let mut world = weightless();
    let base = world.create_body(BodyDef::static_());
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
    close(world.joint(joint).reaction().torque.abs(), 10.0, 0.01);
    run(&mut world, 300);
    close(y(&world, body), 12.0, 1.0e-3);
    close(world.body(body).angle(), 30.0 * DEGREE, 1.0e-3);
}

#[test]
fn friction_of_a_motor_joint_stops_in_its_time_and_never_reverses() {
    let mut world = weightless();
    let base = world.create_body(BodyDef::static_());
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
        let hand = world.create_body(BodyDef::static_().position(3.0, 4.0).angle(1.0));
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

/// A body at its own anchor did not fall, and one that fell past it was stopped or thrown sideways: there the direction of
/// the distance turns at once, and a lower limit of 0 acted along it.
#[test]
fn slack_rope_leaves_a_body_at_its_anchor_alone() {
    for half_width in [0.1, 0.3] {
        for (x_start, y_start) in [
            (0.0, 0.0),
            (0.0, 1.0e-4),
            (0.0, 0.5),
            (1.0e-3, 0.5),
            (1.0e-3, 2.0),
        ] {
            let mut world = world();
            let anchor = world.create_body(BodyDef::static_());
            let def = BodyDef::dynamic().position(x_start, y_start);
            let body = solid(&mut world, def, rect(half_width, 0.3));
            let rope = DistanceJointDef::new(anchor, body).limit((0.0, 5.0));
            let rope = world.create_joint(rope);
            let mut steps = 0;
            while y(&world, body) > -4.0 && steps < 200 {
                step(&mut world);
                steps += 1;
                assert_eq!(world.joint(rope).reaction().force.norm(), 0.0);
                close(x(&world, body), x_start, 1.0e-4);
            }
            let time = steps as f32 * DT;
            close(y(&world, body), y_start - 0.5 * G * time * time, 0.1);
        }
    }
}

/// A rope of short links under its own weight: the loads turn its light links faster than substeps resolve.
#[test]
fn rope_of_many_short_links_hangs_together() {
    for (links, length, rate) in [
        (20, 0.05, 30.0),
        (50, 0.05, 60.0),
        (100, 0.1, 60.0),
        (60, 0.2, 30.0),
    ] {
        let mut world = world();
        let mut last = world.create_body(BodyDef::static_());
        let mut joints = Vec::new();
        for i in 0..links {
            let x = length * (i as f32 + 0.5);
            let link = ball_at(&mut world, x, 0.0, 0.3 * length);
            let hinge = RevoluteJointDef::new(last, link).at(&world, (x - 0.5 * length, 0.0));
            joints.push(world.create_joint(hinge));
            last = link;
        }
        for _ in 0..(12.0 * rate) as usize {
            world.step(1.0 / rate);
        }
        let widest = joints.iter().map(|&joint| gap(&world, joint));
        let widest = widest.fold(0.0, f32::max);
        assert!(
            widest < 0.6 * length,
            "{links} links of {length} m: {widest} m"
        );
    }
}
