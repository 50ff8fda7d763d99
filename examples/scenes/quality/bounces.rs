//! Bounces: their heights and times, and the momentum of each body.

use super::Question;
use super::rig::{Figure, awake};
use crate::kit::{circle, pin, place, rectangle, thing, usual_world, weightless_world};
use crate::random::Random;
use crate::scene::DT;
use cairn2d::geometry::math::sin_cos;
use cairn2d::prelude::{BodyDef, BodyId, Continuous, Polygon, Shape, ShapeDef, World};

pub(super) const QUESTIONS: &[Question] = &[
    Question {
        name: "bounces",
        measure: bounces,
    },
    Question {
        name: "bounces_on_time",
        measure: bounces_on_time,
    },
    Question {
        name: "minute_of_bounces",
        measure: minute_of_bounces,
    },
    Question {
        name: "flat_box",
        measure: flat_box,
    },
    Question {
        name: "slow_bounce",
        measure: slow_bounce,
    },
    Question {
        name: "cradle",
        measure: cradle,
    },
    Question {
        name: "gas",
        measure: gas,
    },
    Question {
        name: "large_gas",
        measure: large_gas,
    },
    Question {
        name: "gas_on_time",
        measure: gas_on_time,
    },
    Question {
        name: "throw",
        measure: throw,
    },
];

/// Standard height of a drop \[m\]: it ends at 10 m/s.
const HEIGHT: f32 = 5.0;
const G: f64 = 10.0;

/// A surface that gives back all and does not rub.
fn steel() -> ShapeDef {
    ShapeDef::default().restitution(1.0).friction(0.0)
}

/// The highest point of a bounce.
struct Apex {
    /// Since the world began \[s\].
    time: f64,
    /// Above rest \[m\].
    height: f64,
    /// Greatest turn up to then \[rad\].
    tilt: f64,
}

/// Drops a body that rests at height 0.5 from `height` above that, and returns its first apexes, extrapolated from the step
/// after each. After the last one heights of 0 are expected.
fn apexes(
    shape: impl Into<Shape>,
    (e, height): (f32, f32),
    policy: Continuous,
    count: usize,
) -> Vec<Apex> {
    let mut world = usual_world();
    let surface = ShapeDef::default().restitution(e);
    place(
        &mut world,
        BodyDef::static_().position(0.0, -0.5),
        rectangle(20.0, 0.5),
        surface,
    );
    let def = BodyDef {
        continuous: policy,
        ..awake(thing(0.0, 0.5 + height))
    };
    let body = place(&mut world, def, shape, surface);
    let (mut found, mut rising, mut tilt) = (Vec::new(), false, 0.0_f64);
    for i in 1..=3600_u32 {
        world.step(DT);
        let body = world.body(body);
        tilt = tilt.max(f64::from(body.angle().abs()));
        let v = f64::from(body.velocity().y);
        if rising && v <= 0.0 {
            found.push(Apex {
                time: f64::from(i) * f64::from(DT) + v / G,
                height: body.position_exact().y - 0.5 + 0.5 * v * v / G,
                tilt,
            });
        }
        rising = v > 0.0;
        if found.len() == count {
            break;
        }
    }
    while found.len() < count {
        found.push(Apex {
            time: f64::INFINITY,
            height: 0.0,
            tilt,
        });
    }
    found
}

/// Greatest errors of the first five apexes of a ball: of the height as a share, and of the time of the fifth \[s\].
fn five_apexes(e: f32, policy: Continuous) -> (f64, f64) {
    // Apex n has the height e^2n h. The fall takes v / g, and each bounce 2 v e^n / g.
    let v = (2.0 * G * f64::from(HEIGHT)).sqrt();
    let (mut share, mut time) = (1.0, v / G);
    let (mut height_off, mut late) = (0.0_f64, 0.0);
    for apex in apexes(circle(0.5), (e, HEIGHT), policy, 5) {
        share *= f64::from(e);
        time += share * v / G;
        let expected = share * share * f64::from(HEIGHT);
        height_off = height_off.max((apex.height / expected - 1.0).abs());
        late = (apex.time - time).abs();
        time += share * v / G;
    }
    (height_off, late)
}

const TO_BE_BOUNCED: [f32; 3] = [0.5, 0.9, 1.0];

fn bounces_with(policy: Continuous) -> (f64, f64) {
    let each = TO_BE_BOUNCED.map(|e| five_apexes(e, policy));
    let worst = |of: fn(&(f64, f64)) -> f64| each.iter().map(of).fold(0.0, f64::max);
    (worst(|found| found.0), worst(|found| found.1))
}

fn bounces() -> Vec<Figure> {
    let (height, time) = bounces_with(Continuous::default());
    vec![
        Figure::new(
            "ball with e = 0.5, 0.9 and 1 dropped from 5 m: relative error of apexes 1 to 5",
            height,
            0.002,
            "1 (Box2D drops the last)",
        ),
        Figure::new("error of the time of the fifth [s]", time, 0.001, "0.06"),
    ]
}

fn bounces_on_time() -> Vec<Figure> {
    let (height, time) = bounces_with(Continuous::Substep);
    vec![
        Figure::new(
            "the same with `Continuous::Substep`: relative error of the apexes",
            height,
            0.002,
            "-",
        ),
        Figure::new("error of the time of the fifth [s]", time, 0.001, "-"),
    ]
}

fn minute_of_bounces() -> Vec<Figure> {
    let drift = |policy| {
        // A bounce from 5 m takes 2 s.
        let apexes = apexes(circle(0.5), (1.0, HEIGHT), policy, 29);
        let off = |apex: &Apex| (apex.height / f64::from(HEIGHT) - 1.0).abs();
        apexes.iter().map(off).fold(0.0, f64::max)
    };
    vec![
        Figure::new(
            "ball with e = 1, 60 s: relative error of the apex",
            drift(Continuous::default()),
            0.001,
            "0.013 (Chipmunk)",
        ),
        Figure::new(
            "with `Continuous::Substep`",
            drift(Continuous::Substep),
            0.001,
            "-",
        ),
    ]
}

fn flat_box() -> Vec<Figure> {
    let (mut tilt, mut off) = (0.0_f64, 0.0_f64);
    for e in [0.5_f32, 0.7, 0.9, 1.0] {
        let apexes = apexes(rectangle(0.5, 0.5), (e, HEIGHT), Continuous::default(), 10);
        let expected = f64::from(HEIGHT * e * e);
        off = off.max((apexes[0].height / expected - 1.0).abs());
        tilt = apexes.iter().map(|apex| apex.tilt).fold(tilt, f64::max);
    }
    vec![
        Figure::new(
            "box with e = 0.5 to 1 dropped flat, ten bounces: tilt [rad]",
            tilt,
            1.0e-3,
            "0.09",
        ),
        Figure::new("relative error of apex 1", off, 0.005, "0.00 to 0.25"),
    ]
}

fn slow_bounce() -> Vec<Figure> {
    let (e, height) = (0.9, 0.04);
    let off = |policy| {
        let apex = &apexes(circle(0.5), (e, height), policy, 1)[0];
        (apex.height / f64::from(e * e * height) - 1.0).abs()
    };
    vec![
        Figure::new(
            "ball with e = 0.9 dropped from 4 cm: relative error of apex 1",
            off(Continuous::default()),
            0.01,
            "0.02 (Chipmunk)",
        ),
        Figure::new(
            "with `Continuous::Substep`",
            off(Continuous::Substep),
            0.01,
            "-",
        ),
    ]
}

/// Lets the first of `count` balls on pins of 4 m, which touch, fall from 0.6 rad; returns how much of its speed the last
/// one lacks when it goes off, as a share.
fn lost_in_cradle(count: u32) -> f64 {
    let mut world = usual_world();
    let frame = world.create_body(BodyDef::static_());
    let balls: Vec<BodyId> = (0..count)
        .map(|i| {
            let (sin, cos) = sin_cos(if i == 0 { -0.6 } else { 0.0 });
            let hook = i as f32;
            let def = awake(thing(hook + 4.0 * sin, -4.0 * cos));
            let ball = place(&mut world, def, circle(0.5), steel());
            let joint = pin(&world, frame, ball, (hook, 0.0));
            world.create_joint(joint);
            ball
        })
        .collect();
    let speed = |world: &World, ball: BodyId| f64::from(world.body(ball).velocity().norm());
    // At the bottom v^2 = 2 g l (1 - cos), the ball with its own inertia: it turns with its rod.
    let inertia = 1.0 + 0.5 * (0.5 / 4.0_f64).powi(2);
    let v = (2.0 * G * 4.0 * (1.0 - 0.6_f64.cos()) / inertia).sqrt();
    let mut best = 0.0_f64;
    for _ in 0..120 {
        world.step(DT);
        best = best.max(speed(&world, balls[count as usize - 1]));
        if best > 0.3 * v {
            break;
        }
    }
    (best / v - 1.0).abs()
}

fn cradle() -> Vec<Figure> {
    vec![
        Figure::new(
            "cradle of 5 touching balls: relative error of the last one's speed",
            lost_in_cradle(5),
            0.001,
            "0.0 (Chipmunk)",
        ),
        Figure::new("of 10 balls", lost_in_cradle(10), 0.001, "0.0 (Chipmunk)"),
    ]
}

/// State of a gas at the end.
struct Remains {
    /// Change of energy, as a share.
    energy: f64,
    /// Deepest overlap at the end of a step \[m\].
    overlap: f64,
    /// Balls outside the box.
    escaped: u32,
}

const RADIUS: f32 = 0.25;

/// Rows of balls, and balls in a row, 1.2 m apart; rows are 1.5 m apart.
#[derive(Clone, Copy)]
struct Gas {
    rows: u32,
    columns: u32,
    /// Half a side of the box \[m\].
    half_box: f32,
    speed: f32,
    policy: Continuous,
    steps: u32,
}

impl Gas {
    /// 40 balls in a box of 10 m for 30 s.
    const SMALL: Self = Self {
        rows: 5,
        columns: 8,
        half_box: 5.0,
        speed: 5.0,
        policy: Continuous::Auto,
        steps: 1800,
    };
}

/// Lets balls fly about in a box, without gravity, e = 1.
fn fly_about(gas: Gas) -> Remains {
    let mut world = weightless_world();
    let long = gas.half_box + 1.0;
    for (x, y, w, h) in [
        (-1.0, 0.0, 0.5, long),
        (1.0, 0.0, 0.5, long),
        (0.0, -1.0, long, 0.5),
        (0.0, 1.0, long, 0.5),
    ] {
        let off = gas.half_box + 0.5;
        let wall = BodyDef::static_().position(x * off, y * off);
        place(&mut world, wall, rectangle(w, h), steel());
    }
    let (speed, policy) = (gas.speed, gas.policy);
    let mut random = Random::new(9);
    let count = gas.rows * gas.columns;
    let balls: Vec<BodyId> = (0..count)
        .map(|i| {
            let (sin, cos) = sin_cos(random.range(-3.1, 3.1));
            let (x, y) = (
                0.8 - gas.half_box + 1.2 * (i % gas.columns) as f32,
                1.0 - gas.half_box + 1.5 * (i / gas.columns) as f32,
            );
            let def = BodyDef {
                continuous: policy,
                ..awake(thing(x, y).velocity(speed * cos, speed * sin))
            };
            place(&mut world, def, circle(RADIUS), steel())
        })
        .collect();
    let mut overlap = 0.0_f64;
    for _ in 0..gas.steps {
        world.step(DT);
        overlap = overlap.max(overlap_of(&world, &balls, gas.half_box));
    }
    let energy = |ball: &BodyId| f64::from(world.body(*ball).velocity().norm_squared());
    let outside = |ball: &&BodyId| world.body(**ball).position().coords.amax() > gas.half_box;
    let at_start = f64::from(count) * f64::from(speed * speed);
    Remains {
        energy: (balls.iter().map(energy).sum::<f64>() / at_start - 1.0).abs(),
        overlap,
        escaped: balls.iter().filter(outside).count() as u32,
    }
}

/// Deepest overlap of balls with each other and with the walls \[m\].
fn overlap_of(world: &World, balls: &[BodyId], half_box: f32) -> f64 {
    let places: Vec<_> = balls.iter().map(|&id| world.body(id).position()).collect();
    let mut deepest = 0.0_f32;
    for (i, a) in places.iter().enumerate() {
        deepest = deepest.max(a.coords.amax() + RADIUS - half_box);
        for b in &places[i + 1..] {
            deepest = deepest.max(2.0 * RADIUS - (b - a).norm());
        }
    }
    deepest.into()
}

fn gas() -> Vec<Figure> {
    let [slow, fast] = [5.0, 50.0].map(|speed| {
        fly_about(Gas {
            speed,
            ..Gas::SMALL
        })
    });
    vec![
        Figure::new(
            "gas of 40 balls at 5 m/s, e = 1, 30 s: relative change of energy",
            slow.energy,
            0.001,
            "0.00 (Chipmunk)",
        ),
        Figure::new("deepest overlap [m]", slow.overlap, 0.005, "0.23"),
        Figure::new(
            "gas at 50 m/s: relative change of energy",
            fast.energy,
            0.001,
            "0.13 (Chipmunk)",
        ),
        Figure::new("deepest overlap [m]", fast.overlap, 0.005, "1.2"),
        Figure::new(
            "balls that escaped",
            (slow.escaped + fast.escaped).into(),
            0.0,
            "-",
        ),
    ]
}

fn large_gas() -> Vec<Figure> {
    let sizes = [(10, 20, 15.0), (25, 40, 30.0)];
    let changes = sizes.map(|(rows, columns, half_box)| {
        fly_about(Gas {
            rows,
            columns,
            half_box,
            steps: 600,
            ..Gas::SMALL
        })
        .energy
    });
    vec![Figure::new(
        "gas of 200 and of 1000 balls, 10 s: relative change of energy",
        changes[0].max(changes[1]),
        1.0e-5,
        "-",
    )]
}

fn gas_on_time() -> Vec<Figure> {
    let [slow, fast] = [5.0, 50.0].map(|speed| {
        fly_about(Gas {
            speed,
            policy: Continuous::Substep,
            ..Gas::SMALL
        })
    });
    vec![
        Figure::new(
            "gas with `Continuous::Substep`, 5 and 50 m/s: relative change of energy",
            slow.energy.max(fast.energy),
            0.001,
            "-",
        ),
        Figure::new(
            "deepest overlap [m]",
            slow.overlap.max(fast.overlap),
            0.005,
            "-",
        ),
        Figure::new(
            "balls that escaped",
            (slow.escaped + fast.escaped).into(),
            0.0,
            "-",
        ),
    ]
}

/// Throws a ball with e = 0.8 and looks where it is after 4 s.
fn thrown(rate: u32, policy: Continuous) -> (f64, f64) {
    let mut world = usual_world();
    let surface = ShapeDef::default().restitution(0.8);
    let ground = world.create_body(BodyDef::static_());
    let floor = Polygon::offset_rectangle(100.0, 0.5, cairn2d::prelude::point(0.0, -0.5), 0.0);
    world.create_shape(ground, floor, surface);
    let def = BodyDef {
        continuous: policy,
        ..awake(thing(-10.0, 3.0).velocity(4.0, 2.0))
    };
    let ball = place(&mut world, def, circle(0.25), surface);
    for _ in 0..4 * rate {
        world.step(1.0 / rate as f32);
    }
    let place = world.body(ball).position_exact();
    (place.x, place.y)
}

fn throw() -> Vec<Figure> {
    let off = |policy| {
        let (a, b) = (thrown(60, policy), thrown(240, policy));
        (a.0 - b.0).hypot(a.1 - b.1)
    };
    vec![
        Figure::new(
            "throw with bounces, 4 s, steps of 1/60 s and 1/240 s: positions differ by [m]",
            off(Continuous::default()),
            0.001,
            "0.10",
        ),
        Figure::new(
            "with `Continuous::Substep`",
            off(Continuous::Substep),
            0.001,
            "-",
        ),
    ]
}
