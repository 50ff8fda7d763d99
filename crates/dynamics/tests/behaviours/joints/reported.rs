//! Joints in cases that users of other engines saw fail: ropes that are fallen on, motors after long pressing, angles beyond half a turn,
//! sliders across the axes, and loops of bodies that may not turn.

use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, DistanceJointDef, JointSoftness, Limit, Locks, Motor, MotorJointDef,
    PrismaticJointDef, RevoluteJointDef,
};
use cairn2d_geometry::math::{PI, vec2};

/// A body that falls into its rope is stopped at its length, and does not bounce.
#[test]
fn fall_on_a_rope_ends_at_its_length() {
    for speed in [0.0, 5.0, 20.0] {
        for length in [1.0, 3.0, 10.0] {
            let mut world = sleepless();
            let hook = world.create_body(BodyDef::static_());
            let load = BodyDef::dynamic().position(0.0, -0.5).velocity(0.0, -speed);
            let load = solid(&mut world, load, rect(0.3, 0.3));
            let mut rope = DistanceJointDef::new(hook, load);
            rope.limit = Some(Limit::new(0.0, length));
            world.create_joint(rope);
            let (mut lowest, mut was_low, mut rebound) = (0.0_f32, false, 0.0_f32);
            for _ in 0..300 {
                step(&mut world);
                let height = y(&world, load);
                lowest = lowest.min(height);
                was_low |= height < 0.02 - length;
                if was_low {
                    rebound = rebound.max(height + length);
                }
            }
            assert!(lowest > -length - 0.05, "{speed} m/s, {length} m: {lowest}");
            assert!(rebound < 0.05, "{speed} m/s, {length} m: {rebound}");
            close(y(&world, load), -length, 5.0e-3);
        }
    }
}

/// Impulses that pile up while a motor presses against its limit would hold it there once it turns around.
#[test]
fn motor_turns_around_at_once_after_long_pressing() {
    for strength in [20.0, 1.0e4] {
        for is_slider in [true, false] {
            let mut world = sleepless();
            let base = world.create_body(BodyDef::static_());
            let body = solid(
                &mut world,
                BodyDef::dynamic().position(1.0, 0.0),
                rect(0.5, 0.1),
            );
            let motor = Motor::new(2.0, strength);
            let joint = if is_slider {
                let slider = PrismaticJointDef::new(base, body)
                    .at(&world, (1.0, 0.0), vec2(1.0, 0.0))
                    .limit((-1.0, 0.5))
                    .motor(motor);
                world.create_joint(slider)
            } else {
                let hinge = RevoluteJointDef::new(base, body)
                    .at(&world, (0.0, 0.0))
                    .limit((-1.0, 0.5))
                    .motor(motor);
                world.create_joint(hinge)
            };
            run(&mut world, 1200);
            world.joint_mut(joint).set_motor_speed(-2.0);
            run(&mut world, 15);
            let joint = world.joint(joint);
            let at = if is_slider {
                joint.translation()
            } else {
                joint.angle()
            };
            // A quarter of a second at 2 a second, less what it takes to come to speed.
            assert!(
                (-0.05..0.15).contains(&at),
                "{strength}, slider {is_slider}: {at}"
            );
        }
    }
}

#[test]
fn motor_joint_reaches_targets_beyond_half_a_turn() {
    for target in [-13.0, -4.0, -3.1, 3.1, 3.3, 6.0, 9.0] {
        let mut world = weightless();
        let base = world.create_body(BodyDef::static_());
        let body = crate_at(&mut world, 0.0, 0.0, 0.5);
        let spring = Some(JointSoftness {
            hertz: 2.0,
            damping_ratio: 1.0,
        });
        let mut joint = MotorJointDef::new(base, body);
        (joint.linear_spring, joint.angular_spring) = (spring, spring);
        let joint = world.create_joint(joint);
        let mut fastest = 0.0_f32;
        for i in 0..600 {
            // Drawn on slowly, past half a turn.
            let share = (i as f32 / 400.0).min(1.0);
            world.joint_mut(joint).set_target_angle(share * target);
            step(&mut world);
            fastest = fastest.max(world.body(body).angular_velocity().abs());
        }
        let turns = ((world.body(body).angle() - target) / (2.0 * PI)).round();
        let error = world.body(body).angle() - target - 2.0 * PI * turns;
        assert!(error.abs() < 0.02, "{target}: off by {error}");
        let pace = target.abs() * 60.0 / 400.0;
        assert!(fastest < 1.5 * pace + 0.1, "{target}: {fastest} rad/s");
    }
}

#[test]
fn slider_of_any_axis_keeps_still_at_its_limit() {
    for i in 0..16 {
        for has_motor in [false, true] {
            let angle = PI * i as f32 / 8.0 + 0.1;
            let axis = vec2(cosine(angle), sine(angle));
            let mut world = sleepless();
            let base = world.create_body(BodyDef::static_());
            let body = solid(
                &mut world,
                BodyDef::dynamic().position(0.3, 0.2),
                rect(0.4, 0.2),
            );
            let mut slider = PrismaticJointDef::new(base, body).at(&world, (0.3, 0.2), axis);
            slider.limit = Some(Limit::new(-0.5, 0.5));
            slider.motor = has_motor.then(|| Motor::new(1.0, 50.0));
            world.create_joint(slider);
            run(&mut world, 240);
            let rest = world.body(body).position();
            let mut shake = 0.0_f32;
            for _ in 0..240 {
                step(&mut world);
                shake = shake.max((world.body(body).position() - rest).norm());
            }
            assert!(shake < 2.0e-4, "axis {angle}, motor {has_motor}: {shake} m");
        }
    }
}

/// A slider on a body that may not turn follows the law of two masses on a line.
#[test]
fn sliders_on_bodies_that_may_not_turn_keep_axis_and_momentum() {
    for angle in [0.0, 0.7, 1.57] {
        let axis = vec2(cosine(angle), sine(angle));
        let mut world = weightless();
        let locked = BodyDef::dynamic().locks(Locks {
            rotation: true,
            ..Locks::default()
        });
        let a = solid(&mut world, locked.clone(), rect(0.5, 0.5));
        let b = solid(&mut world, locked.position(axis.x, axis.y), rect(0.3, 0.3));
        let slider = PrismaticJointDef::new(a, b).at(&world, (axis.x, axis.y), axis);
        let slider = world.create_joint(slider);
        world.body_mut(b).set_velocity(2.0 * axis + vec2(0.3, -0.2));
        let before = momentum(&world);
        let speed = world.joint(slider).translation_speed();
        run(&mut world, 120);
        let after = momentum(&world);
        for (before, after) in before.into_iter().zip(after) {
            assert!((before - after).abs() < 1.0e-4);
        }
        assert!(world.joint(slider).gap() < 5.0e-3);
        close(world.joint(slider).translation_speed(), speed, 1.0e-3);
    }
}
