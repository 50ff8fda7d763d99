//! Motion with a closed form: flight, friction, rolling, springs.

use super::Question;
use super::rig::{Figure, awake, run, world_with_floor};
use crate::kit::{circle, drop_in, pin, place, rectangle, thing, usual_world, weightless_world};
use crate::scene::DT;
use cairn2d::geometry::math::{atan2, sin_cos};
use cairn2d::prelude::{
    BodyDef, BodyId, Material, PrismaticJointDef, ShapeDef, Spring, World, vec2,
};

pub(super) const QUESTIONS: &[Question] = &[
    Question {
        name: "flight",
        measure: flight,
    },
    Question {
        name: "spin",
        measure: spin,
    },
    Question {
        name: "creep",
        measure: creep,
    },
    Question {
        name: "slide",
        measure: slide,
    },
    Question {
        name: "braking",
        measure: braking,
    },
    Question {
        name: "rolling",
        measure: rolling,
    },
    Question {
        name: "free_rolling",
        measure: free_rolling,
    },
    Question {
        name: "conveyor",
        measure: conveyor,
    },
    Question {
        name: "spring",
        measure: spring,
    },
    Question {
        name: "far",
        measure: far,
    },
    Question {
        name: "far_landing",
        measure: far_landing,
    },
];

fn flight() -> Vec<Figure> {
    let mut world = usual_world();
    let ball = drop_in(
        &mut world,
        awake(thing(0.0, 0.0).velocity(20.0, 30.0)),
        circle(0.2),
    );
    run(&mut world, 10.0);
    let t = 600.0 * f64::from(DT);
    let place = world.body(ball).position_exact();
    let missed = (place.x - 20.0 * t).hypot(place.y - (30.0 * t - 5.0 * t * t));
    vec![Figure::new(
        "throw at 36 m/s, 10 s: distance from the parabola [m]",
        missed,
        1.0e-3,
        "0.208",
    )]
}

/// By how much the angle of a body that spins freely is off after 60 s \[rad\].
fn angle_off(rate: f32) -> f64 {
    let mut world = weightless_world();
    let def = BodyDef {
        angular_velocity: rate,
        fast_rotation: true,
        ..awake(thing(0.0, 0.0))
    };
    let body = drop_in(&mut world, def, rectangle(0.5, 0.1));
    run(&mut world, 60.0);
    let whole = std::f64::consts::TAU;
    let turned = f64::from(rate) * f64::from(DT) * 3600.0;
    let missed = (f64::from(world.body(body).angle()) - turned).rem_euclid(whole);
    missed.min(whole - missed)
}

fn spin() -> Vec<Figure> {
    vec![
        Figure::new(
            "spin of 10 rad/s, 60 s: error of the angle [rad]",
            angle_off(10.0),
            0.01,
            "1e-11 (Chipmunk)",
        ),
        Figure::new("of 40 rad/s", angle_off(40.0), 0.01, "1e-11 (Chipmunk)"),
        Figure::new("of 100 rad/s", angle_off(100.0), 0.01, "1e-11 (Chipmunk)"),
    ]
}

const FRICTION: f32 = 0.6;

/// A slope that falls to the right by `angle`, and a thing on it at the origin.
fn on_slope(angle: f32, friction: f32, shape: Thing) -> (World, BodyId) {
    let (sin, cos) = sin_cos(angle);
    let mut world = usual_world();
    let surface = ShapeDef::default().friction(friction);
    let def = BodyDef::static_()
        .position(-0.5 * sin, -0.5 * cos)
        .angle(-angle);
    place(&mut world, def, rectangle(1000.0, 0.5), surface);
    let above = match shape {
        Thing::Box => 0.25,
        Thing::Ball => 0.5,
    };
    let def = awake(thing(above * sin, above * cos).angle(-angle));
    let body = match shape {
        Thing::Box => place(&mut world, def, rectangle(0.5, 0.25), surface),
        Thing::Ball => place(&mut world, def, circle(0.5), surface),
    };
    (world, body)
}

#[derive(Clone, Copy)]
enum Thing {
    Box,
    Ball,
}

/// Path of a body down a slope [m].
fn way(world: &World, body: BodyId, angle: f32) -> f64 {
    let place = world.body(body).position_exact();
    let (sin, cos) = f64::from(angle).sin_cos();
    place.x * cos - place.y * sin
}

fn creep() -> Vec<Figure> {
    let angle = atan2(FRICTION, 1.0) - 0.2_f32.to_radians();
    let (mut world, body) = on_slope(angle, FRICTION, Thing::Box);
    run(&mut world, 0.5);
    let start = way(&world, body, angle);
    run(&mut world, 5.0);
    let crept = (way(&world, body, angle) - start).abs();
    vec![Figure::new(
        "box 0.2 degrees below the friction angle, 5 s: creeps [m]",
        crept,
        1.0e-6,
        "2e-5",
    )]
}

fn slide() -> Vec<Figure> {
    let angle = atan2(FRICTION, 1.0) + 0.2_f32.to_radians();
    let (mut world, body) = on_slope(angle, FRICTION, Thing::Box);
    run(&mut world, 5.0);
    let (sin, cos) = f64::from(angle).sin_cos();
    let expected = 0.5 * 10.0 * (sin - f64::from(FRICTION) * cos) * 25.0;
    let off = (way(&world, body, angle) / expected - 1.0).abs();
    vec![Figure::new(
        "box 0.2 degrees above it, 5 s: relative error of the distance",
        off,
        0.002,
        "0.06",
    )]
}

fn braking() -> Vec<Figure> {
    let mut world = usual_world();
    let surface = ShapeDef::default().friction(0.5);
    place(
        &mut world,
        BodyDef::static_().position(0.0, -0.5),
        rectangle(50.0, 0.5),
        surface,
    );
    let def = awake(thing(0.0, 0.25).velocity(10.0, 0.0));
    let body = place(&mut world, def, rectangle(0.5, 0.25), surface);
    run(&mut world, 4.0);
    let off = (world.body(body).position_exact().x / 10.0 - 1.0).abs();
    vec![Figure::new(
        "braking from 10 m/s: relative error of the distance",
        off,
        2.0e-4,
        "8e-4",
    )]
}

fn rolling() -> Vec<Figure> {
    let (mut off, mut slip, mut sunk) = (0.0_f64, 0.0_f64, 0.0_f64);
    for degrees in [5.0_f32, 10.0, 30.0] {
        let angle = degrees.to_radians();
        let (mut world, body) = on_slope(angle, 1.0, Thing::Ball);
        run(&mut world, 4.0);
        let expected = 0.5 * 10.0 * f64::from(angle).sin() * 2.0 / 3.0 * 16.0;
        off = off.max((way(&world, body, angle) / expected - 1.0).abs());
        let ball = world.body(body);
        let (speed, spin) = (ball.velocity().norm(), ball.angular_velocity());
        slip = slip.max(f64::from((-0.5 * spin / speed - 1.0).abs()));
        let (sin, cos) = f64::from(angle).sin_cos();
        let place = ball.position_exact();
        sunk = sunk.max(0.5 - (place.x * sin + place.y * cos));
    }
    vec![
        Figure::new(
            "ball rolls down 5, 10 and 30 degrees, 4 s: relative error of the distance",
            off,
            2.0e-4,
            "1e-3",
        ),
        Figure::new("slip relative to its speed", slip, 1.0e-5, "1e-3"),
        Figure::new("sinks [m]", sunk, 1.0e-4, "1.3e-3"),
    ]
}

fn free_rolling() -> Vec<Figure> {
    let mut world = world_with_floor(1000.0);
    let def = BodyDef {
        angular_velocity: -20.0,
        ..awake(thing(-500.0, 0.5).velocity(10.0, 0.0))
    };
    let ball = drop_in(&mut world, def, circle(0.5));
    run(&mut world, 30.0);
    let lost = (f64::from(world.body(ball).velocity().x) / 10.0 - 1.0).abs();
    vec![Figure::new(
        "ball rolls freely, 30 s: relative change of speed",
        lost,
        1.0e-5,
        "1e-14 (Chipmunk)",
    )]
}

fn conveyor() -> Vec<Figure> {
    let mut world = usual_world();
    let mut surface = ShapeDef::default();
    surface.material = Material {
        surface_speed: 2.0,
        ..surface.material
    };
    place(
        &mut world,
        BodyDef::static_().position(0.0, -0.5),
        rectangle(100.0, 0.5),
        surface,
    );
    let body = drop_in(&mut world, awake(thing(0.0, 0.5)), rectangle(0.5, 0.5));
    run(&mut world, 5.0);
    let off = (f64::from(world.body(body).velocity().x.abs()) / 2.0 - 1.0).abs();
    let mut world = usual_world();
    let def = BodyDef::kinematic().position(0.0, -0.5).velocity(0.7, 1.3);
    let platform = drop_in(&mut world, def, rectangle(10.0, 0.5));
    let rider = drop_in(
        &mut world,
        awake(thing(0.0, 0.5).velocity(0.7, 1.3)),
        rectangle(0.5, 0.5),
    );
    run(&mut world, 5.0);
    let gap = world.body(rider).position_exact() - world.body(platform).position_exact();
    // A disc that rolls against a resistance of a share c of its radius is slowed by c g / (1 + 1/2).
    let mut world = world_with_floor(100.0);
    let mut tough = ShapeDef::default();
    tough.material.rolling_resistance = 0.05;
    let def = BodyDef {
        angular_velocity: -10.0,
        ..awake(thing(0.0, 0.5).velocity(5.0, 0.0))
    };
    let roller = place(&mut world, def, circle(0.5), tough);
    run(&mut world, 20.0);
    let stop = 25.0 / (2.0 * 0.05 * 10.0 / 1.5);
    let rolled = world.body(roller).position_exact().x;
    vec![
        Figure::new(
            "conveyor of 2 m/s: relative error of the speed",
            off,
            2.0e-4,
            "1e-3",
        ),
        Figure::new(
            "body on a rising platform: position error [m]",
            f64::from((gap - vec2(0.0, 1.0)).norm()),
            1.0e-3,
            "-",
        ),
        Figure::new(
            "ball with rolling resistance rolls to a stop: relative error of the distance",
            (rolled / stop - 1.0).abs(),
            2.0e-4,
            "5e-3 (Box2D)",
        ),
    ]
}

fn spring() -> Vec<Figure> {
    let kept = |hertz: f32| {
        let mut world = weightless_world();
        let base = world.create_body(BodyDef::static_());
        let body = drop_in(&mut world, awake(thing(0.5, 0.0)), circle(0.2));
        let mut def = PrismaticJointDef::new(base, body);
        def.spring = Some(Spring {
            hertz,
            damping_ratio: 0.0,
            target: 0.0,
        });
        world.create_joint(def);
        run(&mut world, 10.0);
        // Amplitude from place and speed: the peaks lie between the steps.
        let rate = std::f64::consts::TAU * f64::from(hertz);
        let place = world.body(body).position_exact().x;
        let swing = f64::from(world.body(body).velocity().x) / rate;
        (place.hypot(swing) / 0.5 - 1.0).abs()
    };
    vec![
        Figure::new(
            "spring of 1 Hz without damping, 10 s: relative change of amplitude",
            kept(1.0),
            0.002,
            "0.0 (Chipmunk)",
        ),
        Figure::new("of 5 Hz", kept(5.0), 0.005, "0.03 (Chipmunk)"),
        Figure::new("of 15 Hz", kept(15.0), 0.02, "0.5 (Chipmunk)"),
    ]
}

/// Lets a world that was built about (`x`, 0) run for 5 s, and returns where its bodies are, less that.
fn places_after(x: f64, build: fn(&mut World, At<'_>)) -> Vec<[f64; 2]> {
    let mut world = usual_world();
    let at = |dx: f32, y: f32, def: BodyDef| BodyDef {
        position: (x + f64::from(dx), f64::from(y)).into(),
        ..def
    };
    build(&mut world, &at);
    run(&mut world, 5.0);
    let place = |body: cairn2d::prelude::BodyRef<'_>| {
        let place = body.position_exact();
        [place.x - x, place.y]
    };
    world.bodies().map(place).collect()
}

/// Places a body by its offset from the origin of the scene.
type At<'a> = &'a dyn Fn(f32, f32, BodyDef) -> BodyDef;

/// By how much places after 5 s differ 10 000 km from the origin \[m\].
fn off(build: fn(&mut World, At<'_>)) -> f64 {
    let (near, far) = (places_after(0.0, build), places_after(1.0e7, build));
    let between = |(a, b): (&[f64; 2], &[f64; 2])| (a[0] - b[0]).hypot(a[1] - b[1]);
    near.iter().zip(&far).map(between).fold(0.0, f64::max)
}

/// A pyramid of unit boxes of base 20, put up with gaps.
fn far_pyramid(world: &mut World, at: At<'_>, gap: f32) {
    let ground = at(0.0, -0.5, BodyDef::static_());
    drop_in(world, ground, rectangle(50.0, 0.5));
    for row in 0..20_u32 {
        for i in 0..20 - row {
            let x = (1.0 + gap) * (i as f32 - 0.5 * (19 - row) as f32);
            let y = 0.5 + (1.0 + gap) * row as f32;
            let def = at(x, y, awake(BodyDef::dynamic()));
            drop_in(world, def, rectangle(0.5, 0.5));
        }
    }
}

fn far_landing() -> Vec<Figure> {
    vec![Figure::new(
        "that pyramid created with gaps of 1 cm",
        off(|world, at| far_pyramid(world, at, 0.01)),
        1.0e-6,
        "2e-8 (large world build)",
    )]
}

fn far() -> Vec<Figure> {
    let pendulum = off(|world, at| {
        let base = world.create_body(at(0.0, 0.0, BodyDef::static_()));
        let bob = drop_in(world, at(2.0, 0.0, awake(BodyDef::dynamic())), circle(0.25));
        let joint = pin(world, base, bob, world.body(base).position_exact());
        world.create_joint(joint);
    });
    let pyramid = off(|world, at| far_pyramid(world, at, 0.0));
    let thrown = off(|world, at| {
        let ground = at(0.0, -0.5, BodyDef::static_());
        drop_in(world, ground, rectangle(50.0, 0.5));
        let def = awake(BodyDef::dynamic().velocity(7.0, 5.0).angular_velocity(3.0));
        drop_in(world, at(-20.0, 3.0, def), rectangle(0.5, 0.5));
    });
    let drift = off(|world, at| {
        let def = awake(BodyDef::dynamic().velocity(0.1, 0.0).gravity_scale(0.0));
        drop_in(world, at(0.0, 0.0, def), circle(0.5));
    });
    let peer = "2e-8 (large world build)";
    vec![
        Figure::new(
            "pendulum at 10 000 km from the origin, 5 s: path differs by [m]",
            pendulum,
            1.0e-6,
            peer,
        ),
        Figure::new("pyramid of base 20", pyramid, 1.0e-6, peer),
        Figure::new("box thrown at the ground", thrown, 1.0e-6, peer),
        Figure::new("body that drifts at 0.1 m/s", drift, 1.0e-6, peer),
    ]
}
