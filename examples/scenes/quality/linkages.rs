//! Linkages: limits that bear a load, springs with damping, nets and loops.

use super::Question;
use super::rig::{Figure, awake, gap, run};
use crate::kit::{circle, drop_in, pin, place, rectangle, thing, usual_world, weightless_world};
use crate::scene::DT;
use cairn2d::geometry::math::{PI, atan2, sin_cos};
use cairn2d::prelude::{
    BodyDef, BodyId, JointRef, Limit, Motor, Point, PrismaticJointDef, RevoluteJointDef, ShapeDef,
    Spring, World, point,
};
use std::f64::consts::TAU;

pub(super) const QUESTIONS: &[Question] = &[
    Question {
        name: "period",
        measure: period,
    },
    Question {
        name: "period_of_90",
        measure: period_of_90,
    },
    Question {
        name: "angle_limit",
        measure: angle_limit,
    },
    Question {
        name: "slider_limit",
        measure: slider_limit,
    },
    Question {
        name: "damped_spring",
        measure: damped_spring,
    },
    Question {
        name: "joint_grid",
        measure: joint_grid,
    },
    Question {
        name: "four_bars",
        measure: four_bars,
    },
];

/// Period of a pendulum let go at `angle`, over that of small swings: by the arithmetic-geometric mean.
fn stretch_of_period(angle: f64) -> f64 {
    let (mut a, mut b) = (1.0, (0.5 * angle).cos());
    for _ in 0..6 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    1.0 / a
}

/// By how much the period of a pendulum let go at `angle` is off in 50 s, as a share.
fn period_off(angle: f32) -> f64 {
    let (length, radius) = (2.0_f32, 0.25);
    let mut world = usual_world();
    let base = world.create_body(BodyDef::static_());
    let (sin, cos) = sin_cos(angle);
    let bob = drop_in(
        &mut world,
        awake(thing(length * sin, -length * cos)),
        circle(radius),
    );
    let joint = pin(&world, base, bob, (0.0, 0.0));
    world.create_joint(joint);
    // When it passes the bottom: with no force along its way there, time is linear in place.
    let mut passes = Vec::new();
    for step in 1..=3000_u32 {
        let before = world.body(bob).position_exact().x;
        world.step(DT);
        let after = world.body(bob).position_exact().x;
        if before * after < 0.0 && world.body(bob).position().y < 0.0 {
            let share = before / (before - after);
            passes.push((f64::from(step - 1) + share) * f64::from(DT));
        }
    }
    let half_periods = passes.len() - 1;
    let measured = 2.0 * (passes[half_periods] - passes[0]) / half_periods as f64;
    let (l, r) = (f64::from(length), f64::from(radius));
    let small = TAU * ((l * l + 0.5 * r * r) / (10.0 * l)).sqrt();
    let expected = small * stretch_of_period(f64::from(angle));
    (measured / expected - 1.0).abs()
}

fn period() -> Vec<Figure> {
    vec![Figure::new(
        "pendulum from 2.5 rad, 50 s: relative error of the period",
        period_off(2.5),
        5.0e-5,
        "6.5e-4",
    )]
}

fn period_of_90() -> Vec<Figure> {
    vec![Figure::new(
        "from 90 degrees",
        period_off(0.5 * PI),
        1.0e-5,
        "-",
    )]
}

fn angle_limit() -> Vec<Figure> {
    let mut world = usual_world();
    let base = world.create_body(BodyDef::static_());
    let arm = drop_in(&mut world, awake(thing(1.0, 0.0)), rectangle(1.0, 0.1));
    let mass = 100.0 * world.body(arm).mass();
    let surface = ShapeDef::default().density(mass / (PI * 0.09));
    let tip = place(&mut world, awake(thing(2.0, 0.0)), circle(0.3), surface);
    let joint = RevoluteJointDef {
        limit: Some(Limit::new(-0.5, 0.5)),
        ..pin(&world, base, arm, (0.0, 0.0))
    };
    world.create_joint(joint);
    let joint = pin(&world, arm, tip, (2.0, 0.0));
    world.create_joint(joint);
    let mut overshoot = 0.0_f64;
    for _ in 0..600 {
        world.step(DT);
        overshoot = overshoot.max(-0.5 - f64::from(world.body(arm).angle()));
    }
    let at_rest = (f64::from(world.body(arm).angle()) + 0.5).abs();
    vec![
        Figure::new(
            "arm with 100 times its mass at the tip falls onto a limit: violation [rad]",
            overshoot,
            1.0e-4,
            "9e-4 (Rapier)",
        ),
        Figure::new("after 10 s [rad]", at_rest, 1.0e-6, "0 (Rapier)"),
    ]
}

/// A slider of 2 m on its lower limit, under a box of `ratio` times its mass, 10 s: how far it is beyond the limit, and whether
/// the box is still on it.
fn loaded_slider(ratio: f32) -> (f64, bool) {
    let mut world = usual_world();
    let base = world.create_body(BodyDef::static_());
    let slider = drop_in(&mut world, awake(thing(0.0, 0.0)), rectangle(1.0, 0.1));
    let mass = ratio * world.body(slider).mass();
    let surface = ShapeDef::default().density(mass);
    let load = place(
        &mut world,
        awake(thing(0.0, 0.6)),
        rectangle(0.5, 0.5),
        surface,
    );
    let mut joint = PrismaticJointDef::new(base, slider);
    joint.base.frame_a.angle = 0.5 * PI;
    joint.base.frame_b.angle = 0.5 * PI;
    joint.limit = Some(Limit::new(0.0, 1.0));
    world.create_joint(joint);
    let mut beyond = 0.0_f64;
    for _ in 0..600 {
        world.step(DT);
        beyond = beyond.max(-world.body(slider).position_exact().y);
    }
    let above = world.body(load).position_exact().y - world.body(slider).position_exact().y;
    (beyond, above > 0.5)
}

fn slider_limit() -> Vec<Figure> {
    let (hundred, thousand) = (loaded_slider(100.0), loaded_slider(1000.0));
    let lost = u8::from(!hundred.1) + u8::from(!thousand.1);
    vec![
        Figure::new(
            "slider on its limit under a box of 100 times its mass, 10 s: violation [m]",
            hundred.0,
            1.0e-4,
            "3.6e-3",
        ),
        Figure::new("under 1000 times its mass [m]", thousand.0, 1.0e-4, "-"),
        Figure::new("loads lost, of 2", lost.into(), 0.0, "1"),
    ]
}

/// Amplitude and phase \[rad\] of a spring after each of `steps`, the latter unwound.
fn swing(hertz: f32, damping_ratio: f32, steps: u32) -> (f64, f64) {
    let mut world = weightless_world();
    let base = world.create_body(BodyDef::static_());
    let body = drop_in(&mut world, awake(thing(0.5, 0.0)), circle(0.2));
    let mut def = PrismaticJointDef::new(base, body);
    def.spring = Some(Spring::new(hertz, damping_ratio));
    world.create_joint(def);
    let (omega, z) = (TAU * f64::from(hertz), f64::from(damping_ratio));
    let damped = omega * (1.0 - z * z).sqrt();
    // x = A cos(phase), with v + z w x = -A w_d sin(phase).
    let polar = |world: &World| {
        let x = world.body(body).position_exact().x;
        let y = -(f64::from(world.body(body).velocity().x) + z * omega * x) / damped;
        (x.hypot(y), y.atan2(x))
    };
    let (start, first) = polar(&world);
    let (mut unwound, mut last, mut amplitude) = (0.0, first, start);
    for _ in 0..steps {
        world.step(DT);
        let (length, angle) = polar(&world);
        unwound += (angle - last).rem_euclid(TAU);
        (last, amplitude) = (angle, length);
    }
    (amplitude / start, unwound)
}

fn damped_spring() -> Vec<Figure> {
    let time = 60.0 * f64::from(DT);
    let (left, _) = swing(5.0, 0.1, 60);
    let ratio = -left.ln() / (TAU * 5.0 * time);
    let period = |hertz: f32| {
        let (_, phase) = swing(hertz, 0.0, 60);
        (TAU * f64::from(hertz) * time / phase - 1.0).abs()
    };
    vec![
        Figure::new(
            "spring of 5 Hz with a damping ratio of 0.1: error of the ratio",
            (ratio - 0.1).abs(),
            5.0e-4,
            "1e-3 (Chipmunk)",
        ),
        Figure::new(
            "without damping: relative error of the period",
            period(5.0),
            0.001,
            "0.006",
        ),
        Figure::new("of 15 Hz", period(15.0), 0.01, "0.049"),
    ]
}

/// A net of 30 by 30 discs on pins, which hangs on the seven in the middle of its upper edge.
fn net() -> World {
    const SIDE: u32 = 30;
    let mut world = usual_world();
    let held = SIDE / 2 - 3..=SIDE / 2 + 3;
    let mut row_above: Vec<BodyId> = Vec::new();
    for row in 0..SIDE {
        let mut knots: Vec<BodyId> = Vec::new();
        for column in 0..SIDE {
            let (x, y) = (column as f32, -(row as f32));
            let def = if row == 0 && held.contains(&column) {
                BodyDef::static_().position(x, y)
            } else {
                awake(thing(x, y))
            };
            let knot = drop_in(&mut world, def, circle(0.4));
            if let Some(&above) = row_above.get(column as usize) {
                let joint = pin(&world, above, knot, (x, y + 0.5));
                world.create_joint(joint);
            }
            if let Some(&left) = knots.last() {
                let joint = pin(&world, left, knot, (x - 0.5, y));
                world.create_joint(joint);
            }
            knots.push(knot);
        }
        row_above = knots;
    }
    world
}

fn joint_grid() -> Vec<Figure> {
    let mut world = net();
    run(&mut world, 10.0);
    let (mut sum, mut count, mut widest) = (0.0, 0.0, 0.0_f64);
    for _ in 0..60 {
        world.step(DT);
        let of = |joint: JointRef<'_>| {
            let [a, b] = joint.anchors();
            f64::from((b - a).norm())
        };
        for width in world.joints().map(of) {
            (sum, count, widest) = (sum + width, count + 1.0, widest.max(width));
        }
    }
    vec![
        Figure::new(
            "net of 30 by 30 discs on pins, held by seven, after 10 s: mean joint gap [m]",
            sum / count,
            1.0e-4,
            "7.5e-3",
        ),
        Figure::new("widest joint [m]", widest, 1.0e-3, "0.12"),
    ]
}

/// Adds a bar between two points.
fn bar(world: &mut World, from: Point, to: Point) -> BodyId {
    let way = to - from;
    let middle = from + 0.5 * way;
    let def = awake(thing(middle.x, middle.y).angle(atan2(way.y, way.x)));
    drop_in(world, def, rectangle(0.5 * way.norm(), 0.05))
}

fn four_bars() -> Vec<Figure> {
    let mut world = usual_world();
    let base = world.create_body(BodyDef::static_());
    // Crank 0.5 m, coupler 1.5 m, rocker 1 m, base 1.5 m: the crank goes round.
    let (pivot, end, far) = (point(0.0, 0.0), point(0.0, 0.5), point(1.5, 0.0));
    let between = far - end;
    let d = between.norm();
    let along = (1.5_f32 * 1.5 - 1.0 + d * d) / (2.0 * d);
    let across = (1.5 * 1.5 - along * along).sqrt();
    let unit = between / d;
    let knee = end + along * unit + across * cairn2d::geometry::math::left_perp(&unit);
    let crank = bar(&mut world, pivot, end);
    let coupler = bar(&mut world, end, knee);
    let rocker = bar(&mut world, knee, far);
    for (a, b, at, motor) in [
        (base, crank, pivot, Some(Motor::new(2.0, 1000.0))),
        (crank, coupler, end, None),
        (coupler, rocker, knee, None),
        (rocker, base, far, None),
    ] {
        let joint = RevoluteJointDef {
            motor,
            ..pin(&world, a, b, (at.x, at.y))
        };
        world.create_joint(joint);
    }
    run(&mut world, 1.0);
    let (mut widest, mut off) = (0.0_f64, 0.0_f64);
    for _ in 0..1200 {
        world.step(DT);
        widest = widest.max(gap(&world));
        off = off.max((f64::from(world.body(crank).angular_velocity()) - 2.0).abs());
    }
    vec![
        Figure::new(
            "four bars driven at 2 rad/s, 20 s: widest joint [m]",
            widest,
            1.0e-4,
            "0.014",
        ),
        Figure::new("speed error of the crank [rad/s]", off, 1.0e-3, "0.17"),
    ]
}
