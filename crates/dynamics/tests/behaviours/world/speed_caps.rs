//! Greatest speeds of bodies: at the end of each step, for every cause of the speed.

use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, BodyId, Continuous, JointFrame, JointSoftness, Motor, PrismaticJointDef,
    RevoluteJointDef, Spring, Tuning, World, WorldDef,
};

/// Rounding of a velocity that is scaled to the cap, relative to the cap.
const ROUNDING: f32 = 4.0 * f32::EPSILON;

/// Asserts that all bodies keep their caps.
#[track_caller]
fn assert_capped(world: &World) {
    for body in world.bodies() {
        let (speed, cap) = (body.velocity().norm(), body.max_linear_speed());
        assert!(speed <= cap * (1.0 + ROUNDING), "{speed} m/s of {cap}");
        let (spin, cap) = (body.angular_velocity().abs(), body.max_angular_speed());
        assert!(spin <= cap, "{spin} rad/s of {cap}");
    }
}

#[test]
fn joint_that_blows_up_leaves_no_body_faster_than_the_cap() {
    let mut fastest = 0.0_f32;
    for substeps in [1, 4] {
        for distance in [1.0e3, 7.5e4] {
            for hertz in [1.0, 30.0, 1.0e3] {
                let mut world = World::new(WorldDef {
                    substeps,
                    ..WorldDef::weightless()
                });
                let base = world.create_body(BodyDef::static_());
                let body = ball_at(&mut world, distance, 0.0, 0.5);
                let mut joint = PrismaticJointDef::new(base, body);
                joint.spring = Some(Spring::new(hertz, 0.0));
                world.create_joint(joint);
                for _ in 0..20 {
                    world.step(0.25);
                    assert_capped(&world);
                    fastest = fastest.max(speed(&world, body));
                }
            }
        }
    }
    // The cap was reached at all.
    let cap = Tuning::default().max_linear_speed;
    close(fastest, cap, ROUNDING * cap);
}

/// A crank of 2 m whose motor would move its middle at 6 m/s, capped at 1 m/s and 2 rad/s.
fn slow_crank(softness: Option<JointSoftness>) -> (World, BodyId) {
    let mut world = weightless();
    let base = world.create_body(BodyDef::static_());
    let def = BodyDef {
        max_linear_speed: Some(1.0),
        max_angular_speed: 2.0,
        ..BodyDef::dynamic().position(2.0, 0.0)
    };
    let crank = solid(&mut world, def, rect(2.0, 0.1));
    let mut joint = RevoluteJointDef::new(base, crank);
    joint.base.frame_b = JointFrame::at(-2.0, 0.0);
    joint.base.softness = softness;
    joint.motor = Some(Motor::new(3.0, f32::INFINITY));
    world.create_joint(joint);
    (world, crank)
}

#[test]
fn motor_does_not_drive_a_body_beyond_its_caps() {
    let iterated = JointSoftness {
        hertz: 60.0,
        damping_ratio: 2.0,
    };
    for softness in [None, Some(iterated)] {
        let (mut world, crank) = slow_crank(softness);
        for _ in 0..30 {
            step(&mut world);
            assert_capped(&world);
        }
        let direct = usize::from(softness.is_none());
        assert_eq!(world.counters().direct_islands, direct);
        assert!(speed(&world, crank) > 0.5);
    }
}

#[test]
fn blow_leaves_no_body_faster_than_its_cap() {
    // By the restitution of the substeps, and by swept impacts of both policies.
    for continuous in [Continuous::Clamp, Continuous::Substep] {
        for approach in [8.0, 100.0, 3500.0] {
            for restitution in [0.0, 1.0] {
                let mut world = weightless();
                let surface = slippery().restitution(restitution);
                let struck = BodyDef {
                    max_linear_speed: Some(5.0),
                    continuous,
                    ..BodyDef::dynamic()
                };
                let struck = add(&mut world, struck, disc(0.5), surface);
                let far = -2.0 - approach * DT;
                let ball = BodyDef {
                    continuous,
                    ..BodyDef::dynamic()
                        .position(far, 0.3)
                        .velocity(approach, 0.0)
                };
                add(&mut world, ball, disc(1.0), surface.density(10.0));
                let mut fastest = 0.0_f32;
                for _ in 0..60 {
                    step(&mut world);
                    assert_capped(&world);
                    fastest = fastest.max(speed(&world, struck));
                }
                close(fastest, 5.0, 5.0 * ROUNDING);
            }
        }
    }
}
