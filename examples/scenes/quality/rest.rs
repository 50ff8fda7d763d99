//! Rest: bodies at rest soon fall asleep, and slow bodies are not stopped.

use super::Question;
use super::rig::{Figure, Places, run, world_with_floor};
use crate::kit::{circle, drop_in, pin, place, rectangle, thing, usual_world, weightless_world};
use crate::scene::DT;
use crate::stacking::build_pyramid;
use cairn2d::geometry::math::{atan2, sin_cos};
use cairn2d::prelude::{BodyDef, BodyId, ShapeDef, World, WorldDef};

pub(super) const QUESTIONS: &[Question] = &[
    Question {
        name: "sleepy_stack",
        measure: sleepy_stack,
    },
    Question {
        name: "sleepy_pyramid",
        measure: sleepy_pyramid,
    },
    Question {
        name: "jitter",
        measure: jitter,
    },
    Question {
        name: "toppling",
        measure: toppling,
    },
    Question {
        name: "slow_things",
        measure: slow_things,
    },
];

/// Runs the world until everything sleeps, 20 s at most, and returns the time that took \[s\].
fn time_to_sleep(world: &mut World) -> f64 {
    let mut steps = 0_u32;
    while steps < 1200 {
        world.step(DT);
        steps += 1;
        if world
            .bodies()
            .all(|body| body.mass() <= 0.0 || !body.is_awake())
        {
            break;
        }
    }
    f64::from(steps) * f64::from(DT)
}

fn sleepy_stack() -> Vec<Figure> {
    let mut world = world_with_floor(20.0);
    for row in 0..100_u32 {
        drop_in(
            &mut world,
            thing(0.0, 0.5 + row as f32),
            rectangle(0.5, 0.5),
        );
    }
    vec![Figure::new(
        "stack of 100 sleeps after [s]",
        time_to_sleep(&mut world),
        0.6,
        "10.3",
    )]
}

fn sleepy_pyramid() -> Vec<Figure> {
    let mut world = world_with_floor(60.0);
    build_pyramid(&mut world, 100, 0.5, 0.0);
    vec![Figure::new(
        "pyramid of base 100 sleeps after [s]",
        time_to_sleep(&mut world),
        0.6,
        "5.9",
    )]
}

fn jitter() -> Vec<Figure> {
    let mut world = world_with_floor(60.0);
    world.set_def(WorldDef {
        sleeping: false,
        ..world.def().clone()
    });
    build_pyramid(&mut world, 100, 0.5, 0.0);
    run(&mut world, 10.0);
    let (mut sum, mut count) = (0.0, 0.0);
    for _ in 0..60 {
        world.step(DT);
        for body in world.bodies().filter(|body| body.mass() > 0.0) {
            sum += f64::from(body.velocity().norm_squared());
            count += 1.0;
        }
    }
    vec![Figure::new(
        "pyramid of base 100 kept awake, after 10 s: mean speed [m/s]",
        f64::sqrt(sum / count),
        1.0e-5,
        "7.5e-3",
    )]
}

/// A box of 0.5 m by 1 m on a slope that is `beyond` \[rad\] steeper than the slope at which it tips.
fn on_brink(beyond: f32, can_sleep: bool) -> (World, BodyId, f32) {
    let angle = atan2(0.5, 1.0) + beyond;
    let (sin, cos) = sin_cos(angle);
    let mut world = usual_world();
    let rough = ShapeDef::default().friction(3.0);
    let def = BodyDef::static_()
        .position(-0.5 * sin, -0.5 * cos)
        .angle(-angle);
    place(&mut world, def, rectangle(50.0, 0.5), rough);
    let def = BodyDef {
        can_sleep,
        ..thing(0.5 * sin, 0.5 * cos).angle(-angle)
    };
    let body = place(&mut world, def, rectangle(0.25, 0.5), rough);
    (world, body, angle)
}

fn toppling() -> Vec<Figure> {
    let tilt = |degrees: f32| {
        let (mut world, body, angle) = on_brink(degrees.to_radians(), false);
        run(&mut world, 20.0);
        f64::from((world.body(body).angle() + angle).abs())
    };
    let stands = tilt(0.02) < 1.0;
    vec![
        Figure::new(
            "box 0.02 degrees below its toppling slope, 20 s: tilt [rad]",
            tilt(-0.02),
            0.01,
            "right at 0.1 degrees (Box2D)",
        ),
        Figure::new(
            "0.02 degrees above: does not fall (0 or 1)",
            f64::from(u8::from(stands)),
            0.0,
            "right at 0.1 degrees (Box2D)",
        ),
    ]
}

/// Adrift at 4 cm/s without gravity: how far off its place is it after 10 s, as a share of the way?
fn drift() -> f64 {
    let mut world = weightless_world();
    let body = drop_in(&mut world, thing(0.0, 0.0).velocity(0.04, 0.0), circle(0.5));
    run(&mut world, 10.0);
    (world.body(body).position_exact().x / 0.4 - 1.0).abs()
}

/// On a platform that moves at 2 cm/s.
fn carried() -> f64 {
    let mut world = usual_world();
    let platform = BodyDef::kinematic().position(0.0, -0.5).velocity(0.02, 0.0);
    drop_in(&mut world, platform, rectangle(5.0, 0.5));
    let body = drop_in(&mut world, thing(0.0, 0.5), rectangle(0.5, 0.5));
    run(&mut world, 20.0);
    (world.body(body).position_exact().x / 0.4 - 1.0).abs()
}

/// A ball on a slope of 0.05 degrees, 20 s.
fn on_gentle_slope() -> f64 {
    let angle = 0.05_f32.to_radians();
    let (sin, cos) = sin_cos(angle);
    let mut world = usual_world();
    let def = BodyDef::static_()
        .position(-0.5 * sin, -0.5 * cos)
        .angle(-angle);
    drop_in(&mut world, def, rectangle(50.0, 0.5));
    let body = drop_in(&mut world, thing(0.5 * sin, 0.5 * cos), circle(0.5));
    let start = Places::of(&world);
    run(&mut world, 20.0);
    // A disk rolls with two thirds of the acceleration with which it would slide.
    let way = 0.5 * 10.0 * f64::from(sin) * 400.0 / 1.5;
    let _ = body;
    (start.drift(&world) / way - 1.0).abs()
}

/// A pendulum of 2 m that swings by 0.01 rad: its amplitude after 20 s.
fn small_pendulum() -> f64 {
    let mut world = usual_world();
    let base = world.create_body(BodyDef::static_());
    let (sin, cos) = sin_cos(0.01);
    let bob = drop_in(&mut world, thing(2.0 * sin, -2.0 * cos), circle(0.25));
    let joint = pin(&world, base, bob, (0.0, 0.0));
    world.create_joint(joint);
    run(&mut world, 18.0);
    let start = Places::of(&world);
    let mut swing = 0.0_f64;
    for _ in 0..180 {
        world.step(DT);
        swing = swing.max(start.drift(&world));
    }
    // From one side to the other, seen from anywhere between: at least once the amplitude.
    f64::max(1.0 - swing / 0.02, 0.0)
}

/// A box a twentieth of a degree beyond the slope at which it topples, allowed to sleep.
fn unstable() -> f64 {
    let (mut world, body, angle) = on_brink(0.05_f32.to_radians(), true);
    run(&mut world, 20.0);
    f64::from(u8::from((world.body(body).angle() + angle).abs() < 1.0))
}

fn slow_things() -> Vec<Figure> {
    let stops = |off: f64| f64::from(u8::from(off > 0.5));
    let cases = [
        drift(),
        carried(),
        on_gentle_slope(),
        small_pendulum(),
        unstable(),
    ];
    vec![Figure::new(
        "body that drifts at 4 cm/s, one on a platform at 2 cm/s, one on a slope of 0.05 degrees, a pendulum of 0.01 rad, a toppling box: fell asleep, of 5",
        cases.into_iter().map(stops).sum(),
        0.0,
        "3 (Chipmunk), 4 (Rapier), 5 (Box2D)",
    )]
}
