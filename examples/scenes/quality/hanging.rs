//! Hanging bodies: joints hold their loads, and swing without loss.

use super::Question;
use super::rig::{Figure, awake, gap, run};
use crate::kit::{circle, drop_in, pin, place, rectangle, thing, usual_world};
use crate::scene::DT;
use cairn2d::geometry::math::{PI, sin_cos};
use cairn2d::prelude::{
    BodyDef, BodyId, DistanceJointDef, JointDef, JointFrame, Motor, RevoluteJointDef, ShapeDef,
    WeldJointDef, World,
};

pub(super) const QUESTIONS: &[Question] = &[
    Question {
        name: "chain_100",
        measure: chain_100,
    },
    Question {
        name: "chain_1000",
        measure: chain_1000,
    },
    Question {
        name: "swinging_chain",
        measure: swinging_chain,
    },
    Question {
        name: "bridge",
        measure: bridge,
    },
    Question {
        name: "slack_bridge",
        measure: slack_bridge,
    },
    Question {
        name: "pendulum",
        measure: pendulum,
    },
    Question {
        name: "double_pendulum",
        measure: double_pendulum,
    },
    Question {
        name: "cantilever",
        measure: cantilever,
    },
    Question {
        name: "arm",
        measure: arm,
    },
    Question {
        name: "rods",
        measure: rods,
    },
];

/// A chain of `count` links of 1 m from (0, 0) along (`dx`, `dy`), with a ball of `ratio` times a link's mass at its
/// end. Returns the ball.
fn loaded_chain(world: &mut World, count: u32, ratio: f32, [dx, dy]: [f32; 2]) -> BodyId {
    let mut above = world.create_body(BodyDef::static_());
    let angle = cairn2d::geometry::math::atan2(dy, dx);
    for i in 0..count {
        let along = 0.5 + i as f32;
        let def = awake(thing(along * dx, along * dy).angle(angle));
        let link = drop_in(world, def, rectangle(0.5, 0.05));
        let at = (i as f32 * dx, i as f32 * dy);
        let joint = pin(world, above, link, at);
        world.create_joint(joint);
        above = link;
    }
    let mass = world.body(above).mass() * ratio;
    let radius = 0.5;
    let def = awake(thing(count as f32 * dx, count as f32 * dy));
    let surface = ShapeDef::default().density(mass / (PI * radius * radius));
    let ball = place(world, def, circle(radius), surface);
    let joint = pin(world, above, ball, (count as f32 * dx, count as f32 * dy));
    world.create_joint(joint);
    ball
}

fn hanging_chain(ratio: f32) -> (World, f64) {
    let mut world = usual_world();
    let ball = loaded_chain(&mut world, 40, ratio, [0.0, -1.0]);
    run(&mut world, 30.0);
    let stretch = -40.0 - world.body(ball).position_exact().y;
    (world, stretch)
}

fn chain_100() -> Vec<Figure> {
    let (world, stretch) = hanging_chain(100.0);
    vec![
        Figure::new(
            "chain of 40 links with 100 times a link's mass, 30 s: widest joint [m]",
            gap(&world),
            0.01,
            "2.3",
        ),
        Figure::new("stretch of 40 m [m]", stretch, 0.1, "-"),
    ]
}

fn chain_1000() -> Vec<Figure> {
    let (world, stretch) = hanging_chain(1000.0);
    vec![
        Figure::new(
            "the same with 1000 times: widest joint [m]",
            gap(&world),
            1.0e-4,
            "0.26",
        ),
        Figure::new("stretch of 40 m [m]", stretch, 1.0e-3, "5.7"),
    ]
}

/// Energy of motion and height [J].
fn energy(world: &World) -> f64 {
    let g = f64::from(world.gravity().norm());
    let of = |body: cairn2d::prelude::BodyRef<'_>| {
        let (m, i) = (f64::from(body.mass()), f64::from(body.inertia()));
        let (v, w) = (
            f64::from(body.velocity().norm()),
            f64::from(body.angular_velocity()),
        );
        0.5 * m * v * v + 0.5 * i * w * w + m * g * body.center_exact().y
    };
    world
        .bodies()
        .filter(|body| body.mass() > 0.0)
        .map(of)
        .sum()
}

fn swinging_chain() -> Vec<Figure> {
    let mut world = usual_world();
    // What the solver loses is seen without drag.
    let mut def = world.def().clone();
    def.tuning.linkage_drag = 0.0;
    world.set_def(def);
    let ball = loaded_chain(&mut world, 40, 1000.0, [1.0, 0.0]);
    let scale = f64::from(world.body(ball).mass()) * 10.0 * 40.0;
    let start = energy(&world);
    let (mut widest, mut gain, mut loss) = (0.0_f64, 0.0_f64, 0.0_f64);
    for _ in 0..1200 {
        world.step(DT);
        widest = widest.max(gap(&world));
        let change = (energy(&world) - start) / scale;
        (gain, loss) = (gain.max(change), loss.max(-change));
    }
    vec![
        Figure::new(
            "that chain released from horizontal, 20 s: widest joint [m]",
            widest,
            1.0e-4,
            "3.0",
        ),
        Figure::new("relative gain of energy", gain, 0.01, "0.20"),
        Figure::new("relative loss of energy", loss, 0.1, "-"),
    ]
}

/// A bridge of 30 planks of 1 m under a ball of 1000 times a plank's mass, after 20 s: whether the ball fell through, and
/// the widest joint. Its ends are 30 m apart, less twice the `slack` \[m\]: then it is put up along an arc.
fn loaded_bridge(slack: f32) -> (f64, f64) {
    let mut world = usual_world();
    let ground = world.create_body(BodyDef::static_());
    // An arc of 30 m, of which half turns by `bend` \[rad\], spans 30 sin(bend) / bend.
    let bend = (6.0 * slack / 15.0).sqrt();
    let angle = |i: u32| bend * ((i as f32 + 0.5) / 15.0 - 1.0);
    let ways: Vec<_> = (0..30).map(|i| sin_cos(angle(i))).collect();
    let half_span: f32 = 0.5 * ways.iter().map(|(_, cos)| cos).sum::<f32>();
    let (mut left, mut at) = (ground, (-half_span, 0.0));
    for (i, (sin, cos)) in ways.into_iter().enumerate() {
        let def = thing(at.0 + 0.5 * cos, at.1 + 0.5 * sin).angle(angle(i as u32));
        let plank = drop_in(&mut world, awake(def), rectangle(0.5, 0.1));
        let joint = pin(&world, left, plank, at);
        world.create_joint(joint);
        (left, at) = (plank, (at.0 + cos, at.1 + sin));
    }
    let joint = pin(&world, left, ground, at);
    world.create_joint(joint);
    let mass = 1000.0 * world.body(left).mass();
    let surface = ShapeDef::default().density(mass / PI);
    let lowest = world
        .bodies()
        .map(|body| body.position().y)
        .fold(0.0, f32::min);
    let ball = awake(thing(0.0, lowest + 1.2));
    let ball = place(&mut world, ball, circle(1.0), surface);
    run(&mut world, 20.0);
    let fell = u8::from(world.body(ball).position().y < lowest - 10.0);
    (fell.into(), gap(&world))
}

fn bridge() -> Vec<Figure> {
    let (fell, widest) = loaded_bridge(0.0);
    vec![
        Figure::new(
            "bridge of 30 planks under 1000 times a plank's mass, 20 s: fell through (0 or 1)",
            fell,
            0.0,
            "1",
        ),
        Figure::new("widest joint [m]", widest, 1.0e-3, "-"),
    ]
}

fn slack_bridge() -> Vec<Figure> {
    let (fell, widest) = loaded_bridge(1.0);
    vec![
        Figure::new(
            "the same with 2 m of slack: fell through (0 or 1)",
            fell,
            0.0,
            "1",
        ),
        Figure::new("widest joint [m]", widest, 1.0e-3, "0.049 (16 substeps)"),
    ]
}

/// Change of energy of a pendulum of 2 m that swings from 90 degrees for 60 s, on a pin or on a rod, as a share.
fn lost_by_pendulum(on_rod: bool) -> f64 {
    let mut world = usual_world();
    let base = world.create_body(BodyDef::static_());
    let bob = drop_in(&mut world, awake(thing(2.0, 0.0)), circle(0.25));
    let joint: JointDef = if on_rod {
        let rod = DistanceJointDef::new(base, bob);
        rod.between(&world, (0.0, 0.0), (2.0, 0.0)).into()
    } else {
        pin(&world, base, bob, (0.0, 0.0)).into()
    };
    world.create_joint(joint);
    let scale = f64::from(world.body(bob).mass()) * 10.0 * 2.0;
    let start = energy(&world);
    run(&mut world, 60.0);
    (energy(&world) - start).abs() / scale
}

fn pendulum() -> Vec<Figure> {
    vec![
        Figure::new(
            "pendulum from 90 degrees, 60 s: relative change of energy",
            lost_by_pendulum(false),
            1.0e-5,
            "0.014",
        ),
        Figure::new(
            "on a rod (distance joint)",
            lost_by_pendulum(true),
            1.0e-5,
            "0.007",
        ),
    ]
}

fn double_pendulum() -> Vec<Figure> {
    let mut world = usual_world();
    let base = world.create_body(BodyDef::static_());
    let upper = drop_in(&mut world, awake(thing(0.5, 0.0)), rectangle(0.5, 0.05));
    let lower = drop_in(&mut world, awake(thing(1.5, 0.0)), rectangle(0.5, 0.05));
    for (a, b, x) in [(base, upper, 0.0), (upper, lower, 1.0)] {
        let joint = pin(&world, a, b, (x, 0.0));
        world.create_joint(joint);
    }
    let scale = f64::from(world.body(upper).mass()) * 10.0 * 2.0;
    let start = energy(&world);
    let mut widest = 0.0_f64;
    for _ in 0..3600 {
        world.step(DT);
        widest = widest.max(gap(&world));
    }
    let lost = (energy(&world) - start).abs() / scale;
    vec![
        Figure::new(
            "double pendulum from horizontal, 60 s: relative change of energy",
            lost,
            1.0e-3,
            "0.11",
        ),
        Figure::new("widest joint [m]", widest, 1.0e-5, "0.0026"),
    ]
}

fn cantilever() -> Vec<Figure> {
    let sag = |count: u32| {
        let mut world = usual_world();
        let mut before = world.create_body(BodyDef::static_());
        let mut frame_a = JointFrame::at(0.0, 0.0);
        for i in 0..count {
            let beam = drop_in(
                &mut world,
                awake(thing(0.5 + i as f32, 0.0)),
                rectangle(0.5, 0.05),
            );
            let mut def = WeldJointDef::new(before, beam);
            (def.base.frame_a, def.base.frame_b) = (frame_a, JointFrame::at(-0.5, 0.0));
            world.create_joint(def);
            (before, frame_a) = (beam, JointFrame::at(0.5, 0.0));
        }
        run(&mut world, 20.0);
        -world.body(before).position_exact().y
    };
    vec![
        Figure::new(
            "10 welded beams of 1 m, 20 s: the tip sags [m]",
            sag(10),
            1.0e-3,
            "1.2 (0 with multibodies)",
        ),
        Figure::new("20 beams [m]", sag(20), 1.0e-2, "9.6 (0 with multibodies)"),
    ]
}

fn arm() -> Vec<Figure> {
    let sag = |ratio: f32| {
        let mut world = usual_world();
        let base = world.create_body(BodyDef::static_());
        let def = awake(thing(1.0, 0.0));
        let arm = place(
            &mut world,
            def,
            rectangle(1.0, 0.1),
            ShapeDef::default().density(ratio),
        );
        let joint = RevoluteJointDef {
            motor: Some(Motor::new(0.0, 1.0e6)),
            ..pin(&world, base, arm, (0.0, 0.0))
        };
        world.create_joint(JointDef::Revolute(joint));
        run(&mut world, 10.0);
        f64::from(world.body(arm).angle().abs())
    };
    vec![
        Figure::new(
            "arm held by a motor, 10 s: sag [rad]",
            sag(1.0),
            1.0e-6,
            "0 (Chipmunk)",
        ),
        Figure::new(
            "with 100 times the mass [rad]",
            sag(100.0),
            1.0e-6,
            "0 (Chipmunk)",
        ),
    ]
}

/// Angular momentum about the origin [kg m^2/s].
fn angular_momentum(world: &World) -> f64 {
    let of = |body: cairn2d::prelude::BodyRef<'_>| {
        let (center, velocity) = (body.center_exact(), body.velocity());
        let moment = center.x * f64::from(velocity.y) - center.y * f64::from(velocity.x);
        f64::from(body.mass()) * moment
            + f64::from(body.inertia()) * f64::from(body.angular_velocity())
    };
    world.bodies().map(of).sum()
}

fn rods() -> Vec<Figure> {
    let mut world = World::new(cairn2d::prelude::WorldDef::weightless());
    let a = drop_in(
        &mut world,
        awake(thing(-0.5, 0.0).velocity(0.0, 2.0)),
        rectangle(0.5, 0.05),
    );
    let b = drop_in(
        &mut world,
        awake(thing(0.5, 0.0).velocity(0.0, -2.0)),
        rectangle(0.5, 0.05),
    );
    let joint = pin(&world, a, b, (0.0, 0.0));
    world.create_joint(joint);
    // The first steps make the velocities agree with the joint.
    run(&mut world, 0.1);
    let (start, turn) = (energy(&world), angular_momentum(&world));
    let mut widest = 0.0_f64;
    for _ in 0..3600 {
        world.step(DT);
        widest = widest.max(gap(&world));
    }
    vec![
        Figure::new(
            "two rods on a hinge without gravity, 60 s: relative change of energy",
            (energy(&world) / start - 1.0).abs(),
            1.0e-5,
            "0.007",
        ),
        Figure::new(
            "relative change of angular momentum",
            (angular_momentum(&world) / turn - 1.0).abs(),
            1.0e-6,
            "4e-3",
        ),
        Figure::new("widest joint [m]", widest, 1.0e-5, "1.4e-3"),
    ]
}
