//! Pins: limits anywhere, motors, springs, and pins in numbers.

use crate::joints::holding::{gap, pendulum, weight};
use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, BodyId, DistanceJointDef, JointId, JointSoftness, Limit, Motor, MouseJointDef,
    RevoluteJointDef, ShapeDef, Spring, WheelJointDef, World, WorldDef,
};
use cairn2d_geometry::math::{PI, point, vec2};

/// Length of one degree [rad].
const DEGREE: f32 = PI / 180.0;

/// Drives an arm against limits both ways and checks where it stops; angles in degrees.
fn stops_at(lower: f32, upper: f32) {
    for direction in [1.0, -1.0] {
        for by_torque in [false, true] {
            let mut world = weightless();
            let base = world.create_body(BodyDef::static_());
            let arm = world.create_body(BodyDef::dynamic().position(1.0, 0.0).damping(0.0, 3.0));
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
    let a = solid(&mut world, BodyDef::static_().angle(1.0), rect(0.5, 0.5));
    for i in 0..=100 {
        let turn = PI * (i as f32 / 50.0 - 1.0);
        let b = solid(
            &mut world,
            BodyDef::dynamic().angle(1.0 + turn),
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
    let base = world.create_body(BodyDef::static_());
    let disc_ = solid(
        &mut world,
        BodyDef::dynamic().angular_velocity(10.0 * DEGREE),
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
    let base = world.create_body(BodyDef::static_());
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

#[test]
fn pin_in_a_slot_slides_and_spins() {
    let mut world = world();
    let base = world.create_body(BodyDef::static_());
    let body = solid(
        &mut world,
        BodyDef::dynamic().velocity(1.0, 0.0).angular_velocity(2.0),
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
        let base = world.create_body(BodyDef::static_());
        let joints: Vec<JointId> = (0..count)
            .map(|i| {
                let body = world.create_body(BodyDef::dynamic().position(3.0 * i as f32, 0.0));
                let shape = cairn2d_geometry::Capsule::new(point(0.5, 0.0), point(1.5, 0.0), 0.2);
                world.create_shape(body, shape, ShapeDef::default());
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
        let base = world.create_body(BodyDef::static_());
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
fn bridge_with_a_heavy_ball_holds_together() {
    let mut world = world();
    let base = world.create_body(BodyDef::static_());
    let mut last = base;
    let mut joints = Vec::new();
    for i in 0..30 {
        let middle = i as f32 - 14.5;
        let plank = solid(
            &mut world,
            BodyDef::dynamic().position(middle, 0.0),
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
fn hinge_at_a_long_arm_hardly_yields() {
    // The row of the angle turned the crate about its own center, and the point had to move it along the arc of the arm: as if its inertia
    // were that about the center, at 5 m a hundred and fiftieth of the real one. 17 mm at 5 m, 0.32 m at 20.
    for length in [1.0, 5.0, 20.0] {
        for (held_by_limit, is_loaded) in [(true, false), (true, true), (false, true)] {
            let sag = sag_of_arm(length, is_loaded, |world, base, arm| {
                let mut def = RevoluteJointDef::new(base, arm).at(world, (0.0, 0.0));
                (def.limit, def.motor) = held_at_zero(held_by_limit);
                def
            });
            assert!(
                sag < 2.0e-4,
                "{length} m, limit {held_by_limit}, load {is_loaded}: {sag} m"
            );
        }
    }
}

#[test]
fn hinge_follows_its_arm_when_the_mass_changes() {
    // The solver of a hinge depends on masses, which may change while it holds.
    let mut world = sleepless();
    let base = world.create_body(BodyDef::static_());
    let arm = crate_at(&mut world, 2.0, 0.0, 0.5);
    let mut def = RevoluteJointDef::new(base, arm).at(&world, (0.0, 0.0));
    def.limit = Some(Limit::new(0.0, 1.0));
    world.create_joint(def);
    for inertia in [0.1, 100.0, 0.1] {
        let mass = cairn2d_geometry::MassData {
            mass: 1.0,
            center: point(0.0, 0.0),
            inertia,
        };
        world.body_mut(arm).set_mass(Some(mass));
        run(&mut world, 120);
        close(y(&world, arm), 0.0, 1.0e-3);
    }
}

/// A motor of a thousand times the torque that the soft row of its limit bears would drive the arm through it.
#[test]
fn motor_of_any_strength_stops_at_its_limit() {
    for torque in [1.0, 100.0, 1.0e4, 1.0e6] {
        let mut world = weightless();
        let ground = world.create_body(BodyDef::static_());
        let arm = solid(
            &mut world,
            BodyDef::dynamic().position(0.5, 0.0),
            rect(0.5, 0.1),
        );
        let mut joint = RevoluteJointDef::new(ground, arm);
        joint.base.frame_b.anchor = point(-0.5, 0.0);
        joint.motor = Some(Motor::new(2.0, torque));
        joint.limit = Some(Limit::new(-1.0, 0.5));
        world.create_joint(joint);
        let mut greatest = 0.0_f32;
        for _ in 0..120 {
            step(&mut world);
            greatest = greatest.max(world.body(arm).angle());
        }
        assert!((0.498..0.503).contains(&greatest), "{torque}: {greatest}");
    }
}

/// Sweeps turned an arm and then pushed its anchor back, with a part of the error left in each: the arm went 10 to 25 % faster
/// than its motor in the first steps.
#[test]
fn iterated_motor_of_an_arm_comes_to_its_speed_and_no_further() {
    for arm in [0.25, 0.5, 1.0, 3.0] {
        for torque in [1.0, 5.0, 20.0, 100.0, 1.0e4] {
            let mut world = World::new(WorldDef {
                solver_budget: 0,
                ..WorldDef::weightless()
            });
            let base = world.create_body(BodyDef::static_());
            let body = BodyDef::dynamic().position(arm, 0.0);
            let body = solid(&mut world, body, rect(0.5, 0.1));
            let mut joint = RevoluteJointDef::new(base, body).at(&world, (0.0, 0.0));
            joint.motor = Some(Motor::new(2.0, torque));
            world.create_joint(joint);
            for _ in 0..120 {
                step(&mut world);
                let speed = world.body(body).angular_velocity();
                assert!(speed < 2.0 * 1.01, "{arm} m, {torque} N m: {speed}");
            }
            // A weak motor is still on its way to 2 rad/s.
            let inertia = world.body(body).inertia() + world.body(body).mass() * arm * arm;
            let reached = (torque * 2.0 / inertia).min(2.0);
            close(world.body(body).angular_velocity(), reached, 0.02);
        }
    }
}

/// A boom of 4 m on a motor, whose rope of 2 m holds a crate of 1 m. Returns the joint of the motor, and the crate.
fn crane(world: &mut World, motor: Motor, limit: (f32, f32), density: f32) -> (JointId, BodyId) {
    let post = world.create_body(BodyDef::static_());
    let boom = BodyDef::dynamic().position(2.0, 3.0);
    let boom = solid(world, boom, rect(2.0, 0.1));
    let hinge = RevoluteJointDef::new(post, boom)
        .at(world, (0.0, 3.0))
        .motor(motor)
        .limit(limit);
    let hinge = world.create_joint(hinge);
    let load = BodyDef::dynamic().position(4.0, 0.5);
    let shape = ShapeDef::default().density(density);
    let load = add(world, load, rect(0.5, 0.5), shape);
    let rope = DistanceJointDef::new(boom, load).between(world, (4.0, 3.0), (4.0, 1.0));
    world.create_joint(rope.limit((0.0, 2.0)));
    (hinge, load)
}

/// In Newton's method, the impulses of motor and limit grew against each other up to the bound of the motor, and a motor that
/// was reversed first had to undo that: a crane waited for two seconds.
#[test]
fn motor_that_pressed_on_its_limit_follows_a_reversal_at_once() {
    for rate in [30.0, 60.0, 144.0, 240.0] {
        for torque in [1.0e4, 1.0e7, f32::INFINITY] {
            for density in [1.0, 10.0, 100.0] {
                let mut world = world();
                let motor = Motor::new(0.3, torque);
                let (hinge, _) = crane(&mut world, motor, (-0.2, 0.3), density);
                for _ in 0..4 * rate as usize {
                    world.step(1.0 / rate);
                }
                let start = world.joint(hinge).angle();
                close(start, 0.3, 5.0e-3);
                world.joint_mut(hinge).set_motor_speed(-0.3);
                for _ in 0..(0.5 * rate) as usize {
                    world.step(1.0 / rate);
                }
                // 0.15 rad in half a second, less a step or two.
                let turned = start - world.joint(hinge).angle();
                let context = format!("{rate} Hz, {torque} N m, {density} kg/m2: {turned}");
                assert!((0.12..0.16).contains(&turned), "{context}");
            }
        }
    }
}

/// A crane that starts at once gives its load more energy than the speed of its motor, 0.3 rad/s, let the safety check of
/// Newton's method expect. The rope was left to sweeps for two seconds, and stretched by up to half a meter.
#[test]
fn crane_that_starts_at_once_does_not_stretch_its_rope() {
    for rate in [30.0, 60.0, 144.0, 240.0] {
        for torque in [1.0e5, 1.0e7] {
            for density in [10.0, 100.0, 1000.0] {
                let mut world = world();
                let ground = BodyDef::static_().position(0.0, -1.0);
                solid(&mut world, ground, rect(100.0, 1.0));
                let motor = Motor::new(0.0, torque);
                let (hinge, load) = crane(&mut world, motor, (-0.2, 1.2), density);
                for _ in 0..rate as usize {
                    world.step(1.0 / rate);
                }
                world.joint_mut(hinge).set_motor_speed(0.3);
                for i in 0..2 * rate as usize {
                    world.step(1.0 / rate);
                    let widest = world.joints().map(|joint| joint.gap()).fold(0.0, f32::max);
                    let context = format!("{rate} Hz, {torque} N m, {density} kg/m2, step {i}");
                    assert!(widest < 2.0e-3, "{context}: {widest}");
                }
                assert!(y(&world, load) > 2.0);
            }
        }
    }
}
