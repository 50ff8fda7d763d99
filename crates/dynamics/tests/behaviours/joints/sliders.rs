//! Sliders and wheels: the axis, and the parts that act along it.

use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, BodyId, GearJointDef, JointFrame, JointId, Limit, Motor, PrismaticJointDef,
    RevoluteJointDef, ShapeDef, Spring, WheelJointDef, World,
};
use cairn2d_geometry::math::{PI, point, vec2};

/// A disc on a free slider along x.
fn slider(world: &mut World) -> (BodyId, JointId) {
    let base = world.create_body(BodyDef::static_());
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
fn wheel_rests_on_its_limits() {
    let mut world = world();
    let base = world.create_body(BodyDef::static_());
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
fn gears_couple_pins_and_sliders_in_any_combination() {
    for (slides_a, slides_b) in [(false, false), (false, true), (true, false), (true, true)] {
        for ratio in [1.0, -0.5, 2.0] {
            let mut world = weightless();
            let base = world.create_body(BodyDef::static_());
            let mut part = |x: f32, slides: bool, motor: Option<Motor>| {
                let body = ball_at(&mut world, x, 0.0, 0.5);
                let joint = if slides {
                    let mut def =
                        PrismaticJointDef::new(base, body).at(&world, (x, 0.0), vec2(0.0, 1.0));
                    def.motor = motor;
                    world.create_joint(def)
                } else {
                    let mut def = RevoluteJointDef::new(base, body).at(&world, (x, 0.0));
                    def.motor = motor;
                    world.create_joint(def)
                };
                (body, joint)
            };
            let (driver, joint_a) = part(0.0, slides_a, Some(Motor::new(1.0, 1.0e4)));
            let (driven, joint_b) = part(3.0, slides_b, None);
            let mut gear = GearJointDef::new(driver, driven, joint_a, joint_b);
            gear.ratio = ratio;
            world.create_joint(gear);
            run(&mut world, 120);
            let way = |joint: JointId, slides: bool| {
                let joint = world.joint(joint);
                if slides {
                    joint.translation()
                } else {
                    joint.angle()
                }
            };
            let (a, b) = (way(joint_a, slides_a), way(joint_b, slides_b));
            close(a, 2.0, 0.01);
            close(a + ratio * b, 0.0, 2.0e-3);
        }
    }
}

/// A gear acts on the bodies of both its joints. It stayed active while one of them other than its own two was
/// disabled, and turned that body.
#[test]
fn gear_is_inactive_while_a_body_of_its_joints_is_disabled() {
    let mut world = weightless();
    let base = world.create_body(BodyDef::static_());
    let frame = ball_at(&mut world, 0.0, 0.0, 1.0);
    let wheels = [0.0, 5.0].map(|x| ball_at(&mut world, x, 0.0, 0.5));
    let pins = [(frame, wheels[0], 0.0), (base, wheels[1], 5.0)]
        .map(|(a, b, x)| world.create_joint(RevoluteJointDef::new(a, b).at(&world, (x, 0.0))));
    world.create_joint(GearJointDef::new(wheels[0], wheels[1], pins[0], pins[1]));
    step(&mut world);
    world.body_mut(frame).disable();
    world.body_mut(wheels[0]).set_angular_velocity(1.0);
    run(&mut world, 30);
    let spins = [frame, wheels[0], wheels[1]].map(|body| world.body(body).angular_velocity());
    assert_eq!(spins, [0.0, 1.0, 0.0]);

    world.body_mut(frame).enable();
    run(&mut world, 120);
    let [a, b] = pins.map(|pin| world.joint(pin).angle());
    close(a + b, 0.0, 2.0e-3);
    assert!(world.body(wheels[1]).angular_velocity().abs() > 0.1);
}

/// The joints of a gear may change to ones with a disabled body and back.
#[test]
fn gear_whose_joint_is_replaced_follows_the_bodies_of_the_new_one() {
    let mut world = weightless();
    let base = world.create_body(BodyDef::static_());
    let frame = ball_at(&mut world, 0.0, 0.0, 1.0);
    let wheels = [0.0, 5.0].map(|x| ball_at(&mut world, x, 0.0, 0.5));
    let pins = [
        (base, wheels[0], 0.0),
        (base, wheels[1], 5.0),
        (frame, wheels[0], 0.0),
    ]
    .map(|(a, b, x)| world.create_joint(RevoluteJointDef::new(a, b).at(&world, (x, 0.0))));
    world.body_mut(frame).disable();
    let def = |pin| GearJointDef::new(wheels[0], wheels[1], pin, pins[1]);
    let gear = world.create_joint(def(pins[0]));
    for (pin, is_geared) in [(pins[0], true), (pins[2], false), (pins[0], true)] {
        world.try_set_joint(gear, def(pin)).unwrap();
        world.body_mut(wheels[0]).set_angular_velocity(1.0);
        world.body_mut(wheels[1]).set_angular_velocity(0.0);
        step(&mut world);
        let spin = world.body(wheels[1]).angular_velocity();
        assert_eq!(spin < -0.1, is_geared, "{spin}");
    }
}

#[test]
fn chains_of_limited_sliders_stay_calm() {
    let mut world = exact();
    let base = world.create_body(BodyDef::static_());
    for column in 0..10 {
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
    run_unchecked(&mut world, 9400);
    // Over a whole swing, so that it is not a matter of its phase.
    for _ in 0..600 {
        step(&mut world);
        for body in world.bodies() {
            assert!(body.velocity().norm() < 1.0, "{}", body.velocity());
            assert!(body.position().coords.norm() < 200.0);
        }
    }
}

#[test]
fn stiff_sprung_slider_between_heavy_discs_stays_finite() {
    for radius in [0.5, 0.1] {
        let mut world = weightless();
        let left = ball_at(&mut world, -3.5, 0.0, 2.0);
        let right = ball_at(&mut world, 3.5, 0.0, 2.0);
        let small = ball_at(&mut world, 0.0, 0.0, radius);
        for (side, target) in [(left, -3.0), (right, 3.0)] {
            let mut def = PrismaticJointDef::new(small, side);
            def.spring = Some(Spring {
                target,
                ..Spring::new(10.0, 2.0)
            });
            world.create_joint(def);
        }
        for _ in 0..600 {
            step(&mut world);
            assert!(world.body_freezes().is_empty());
            let fastest = if radius == 0.5 { 10.0 } else { 50.0 };
            assert!(speed(&world, small) < fastest);
        }
        if radius == 0.5 {
            close(x(&world, left) - x(&world, small), -3.0, 0.02);
            close(x(&world, right) - x(&world, small), 3.0, 0.02);
        }
    }
}

#[test]
fn row_of_sliders_comes_back_when_it_is_let_go() {
    let mut world = weightless();
    let base = world.create_body(BodyDef::static_());
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
fn heavy_boxes_never_sink_below_the_light_balls_on_springs_that_they_fall_on() {
    let mut world = world();
    let base = world.create_body(BodyDef::static_());
    let pairs: Vec<_> = (0..31_i16)
        .map(|i| {
            let at = 2.0 * f32::from(i);
            let ball = ball_at(&mut world, at, 0.0, 0.5);
            // 1000 N/m under a ball of pi / 4 kg.
            let mass = world.body(ball).mass();
            let hertz = (1000.0 / mass).sqrt() / (2.0 * PI);
            let mut slide = PrismaticJointDef::new(base, ball);
            slide.base.frame_a = JointFrame {
                anchor: point(at, 0.0),
                angle: 0.5 * PI,
            };
            slide.base.frame_b.angle = 0.5 * PI;
            slide.spring = Some(Spring::new(hertz, f32::from(i) / 15.0));
            world.create_joint(slide);
            let guided = BodyDef::dynamic().position(at, 6.0);
            let heavy = ShapeDef::default().density(100.0);
            let box_ = add(&mut world, guided, rect(0.5, 0.5), heavy);
            (ball, box_)
        })
        .collect();
    for _ in 0..300 {
        world.step(DT);
        for &(ball, box_) in &pairs {
            assert!(y(&world, box_) > y(&world, ball));
        }
    }
    world.assert_consistent();
}

#[test]
fn loaded_slider_stays_within_a_millimeter_of_its_limit() {
    // The box bears on the slider through a contact.
    for ratio in [10.0, 100.0, 1000.0] {
        let mut world = world();
        let base = world.create_body(BodyDef::static_());
        let slider = solid(&mut world, BodyDef::dynamic(), rect(1.0, 0.1));
        let density = ratio * world.body(slider).mass();
        let load = world.create_body(BodyDef::dynamic().position(0.0, 0.6));
        world.create_shape(load, rect(0.5, 0.5), ShapeDef::default().density(density));
        let mut def = PrismaticJointDef::new(base, slider).at(&world, (0.0, 0.0), vec2(0.0, 1.0));
        def.limit = Some(Limit::new(0.0, 1.0));
        world.create_joint(def);
        run(&mut world, 120);
        close(y(&world, slider), 0.0, 1.0e-3);
        assert!(y(&world, load) > 0.59);
    }
}

#[test]
fn slider_at_a_long_arm_hardly_yields() {
    // The axis turned the crate, at 5 m by 150 times as much as it moved it, so it bore as if it were that light; the guides took the turn, and
    // yielded to all of its torque: 18 mm at 5 m, 0.32 m at 20.
    for length in [1.0, 5.0, 20.0] {
        for axis in [vec2(0.0, 1.0), vec2(0.6, 0.8)] {
            for (held_by_limit, is_loaded) in [(true, false), (true, true), (false, true)] {
                let sag = sag_of_arm(length, is_loaded, |world, base, arm| {
                    let mut def = PrismaticJointDef::new(base, arm).at(world, (0.0, 0.0), axis);
                    (def.limit, def.motor) = held_at_zero(held_by_limit);
                    def
                });
                assert!(
                    sag < 2.0e-4,
                    "{length} m, {axis}, limit {held_by_limit}, load {is_loaded}: {sag} m"
                );
            }
        }
    }
}

#[test]
fn push_at_the_side_of_a_slider_does_not_push_it_along() {
    // A load across the axis, with a torque, is for the guides alone: the limit is at rest, and must not take part.
    let mut world = weightless();
    let base = world.create_body(BodyDef::static_());
    let arm = crate_at(&mut world, 4.0, 0.0, 0.5);
    let mut def = PrismaticJointDef::new(base, arm).at(&world, (0.0, 0.0), vec2(1.0, 0.0));
    def.limit = Some(Limit::new(0.0, 1.0));
    world.create_joint(def);
    for _ in 0..120 {
        world.body_mut(arm).apply_force(vec2(0.0, 50.0));
        world.body_mut(arm).apply_torque(-30.0);
        step(&mut world);
        close(x(&world, arm), 4.0, 1.0e-4);
    }
}

/// A frequency refers to the two bodies on the spring alone: of 3 Hz, a wheel of 25 kg under 1.3 t has a spring of 8.5 kN/m.
#[test]
fn truck_sags_by_its_weight_over_the_stiffness_of_its_springs() {
    let (stiffness, damping, mass) = (40_000.0, 1_500.0, 1_300.0);
    for (wheel_mass, half_track) in [(25.0, 1.5), (100.0, 1.5), (10.0, 0.5)] {
        let mut world = world();
        ground(&mut world);
        // Asleep, it may be a slop from its level.
        let mut def = BodyDef::dynamic().position(0.0, 1.0);
        def.can_sleep = false;
        let chassis = world.create_body(def);
        let body = ShapeDef::default().density(mass / (4.0 * 0.8));
        world.create_shape(chassis, rect(2.0, 0.4), body);
        let axles = [-half_track, half_track].map(|x| {
            let wheel = world.create_body(BodyDef::dynamic().position(x, 0.5));
            let tire = ShapeDef::default().density(wheel_mass / (PI * 0.25));
            world.create_shape(wheel, disc(0.5), tire);
            let def = WheelJointDef::new(chassis, wheel)
                .at(&world, (x, 0.5), vec2(0.0, 1.0))
                .limit((-0.5, 0.5));
            let axle = world.create_joint(def);
            let moved = world.joint(axle).spring_mass().unwrap();
            let suspension = Spring::of_stiffness(stiffness, damping, moved);
            world.joint_mut(axle).set_spring(Some(suspension));
            axle
        });
        run(&mut world, 480);
        let gravity = -world.def().gravity.y;
        let sag = mass * gravity / (2.0 * stiffness);
        for axle in axles {
            close(world.joint(axle).translation(), sag, 0.001 * sag);
        }
    }
}

/// A truck on overdamped springs moves at less than the sleep speed long before it has arrived: it slept 2 to 60 cm above its level.
#[test]
fn truck_on_overdamped_springs_sleeps_at_its_level() {
    for damping_ratio in [0.7, 2.0, 5.0, 10.0] {
        let mut world = world();
        ground(&mut world);
        let chassis = solid(
            &mut world,
            BodyDef::dynamic().position(0.0, 1.0),
            rect(2.0, 0.4),
        );
        let axles = [-1.5, 1.5].map(|x| {
            let wheel = ball_at(&mut world, x, 0.5, 0.5);
            let mut def = WheelJointDef::new(chassis, wheel).at(&world, (x, 0.5), vec2(0.0, 1.0));
            def.spring = Some(Spring::new(2.0, damping_ratio));
            let axle = world.create_joint(def);
            let moved = world.joint(axle).spring_mass().unwrap();
            (axle, moved)
        });
        assert!(run_until_asleep(&mut world, 3600).is_some());
        let [(_, moved), _] = axles;
        let stiffness = moved * (4.0 * PI) * (4.0 * PI);
        let sag = 0.5 * world.body(chassis).mass() * G / stiffness;
        for (axle, _) in axles {
            close(world.joint(axle).translation(), sag, 1.5 * SLOP);
        }
    }
}

#[test]
fn mass_of_a_spring_is_that_of_its_coordinate() {
    let mut world = world();
    let base = world.create_body(BodyDef::static_());
    let body = ball_at(&mut world, 3.0, 0.0, 0.5);
    let slider = PrismaticJointDef::new(base, body).at(&world, (3.0, 0.0), vec2(1.0, 0.0));
    let without = world.create_joint(slider);
    assert_eq!(world.joint(without).spring_mass(), None);
    let pin = RevoluteJointDef::new(base, body).at(&world, (3.0, 0.0));
    let spring = Spring::of_stiffness(100.0, 0.0, 4.0);
    close(spring.hertz, 5.0 / (2.0 * PI), 1.0e-6);
    let pin = world.create_joint(pin.spring(spring));
    let inertia = world.body(body).inertia();
    close(
        world.joint(pin).spring_mass().unwrap(),
        inertia,
        1.0e-6 * inertia,
    );
    let damped = Spring::of_stiffness(100.0, 40.0, 4.0);
    close(damped.damping_ratio, 1.0, 1.0e-6);
}
