//! Impacts: the ball that comes to rest after countless bounces, and Newton's cradle.

use super::Case;
use super::lab::{DT, Figure, G, Maker, body, disc, settings, slab};
use cairn2d::prelude::{BodyDef, ShapeDef};

pub(super) const CASES: &[Case] = &[
    Case {
        name: "bouncing_ball",
        measure: bouncing_ball,
    },
    Case {
        name: "cradle",
        measure: cradle,
    },
];

const RESTITUTION: f64 = 0.8;

/// Time after which a ball that falls 1 m rests \[s\]: the fall, and each bounce `e` times as long as that before.
#[must_use]
pub fn rest_time() -> f64 {
    (2.0 / G).sqrt() * (1.0 + RESTITUTION) / (1.0 - RESTITUTION)
}

/// Time of the first impact after which the ball is slower than `threshold` [m/s], and is stopped instead.
fn stop_time(threshold: f64) -> f64 {
    let (mut v, mut t) = ((2.0 * G).sqrt(), (2.0 / G).sqrt());
    while v >= threshold {
        v *= RESTITUTION;
        t += 2.0 * v / G;
    }
    t
}

/// Time at which an engine's ball no longer moves \[s\].
fn measured_rest(make: &Maker<'_>, threshold: f64) -> f64 {
    let mut engine = make(&settings(G));
    engine.set_restitution_threshold(threshold as f32);
    let surface = ShapeDef::default().restitution(RESTITUTION as f32);
    slab(&mut *engine, [-5.0, -1.0, 5.0, 0.0], &surface);
    let ball = BodyDef::dynamic().position(0.0, 1.5);
    let ball = body(&mut *engine, ball, &disc(0.5), &surface);
    let mut last = 0;
    for step in 1..=480_u32 {
        engine.step(DT as f32);
        let speed = f64::from(engine.motion(ball).velocity.y.abs());
        // A fall of one step is faster than this.
        if speed > 0.1 * G * DT {
            last = step;
        }
    }
    f64::from(last) * DT
}

fn bouncing_ball(make: &Maker<'_>) -> Vec<Figure> {
    let figure = |what, threshold| {
        Figure::new(
            what,
            format!("{:.4} s", stop_time(threshold)),
            (measured_rest(make, threshold) - stop_time(threshold)).abs(),
            // Bounces shorter than a step are beyond the resolution; together they last dt / (1 - e).
            DT / (1.0 - RESTITUTION),
        )
    };
    vec![
        figure(
            "ball with e = 0.8 dropped from 1 m, no bounces below 0.3 m/s: error of the time of rest [s]",
            0.3,
        ),
        figure("no bounces below 0.1 m/s", 0.1),
        figure("no bounces below 1 mm/s", 1.0e-3),
    ]
}

/// Lets `moving` of five touching balls meet the others at 1 m/s. Returns the greatest error of a speed [m/s].
fn cradle_error(make: &Maker<'_>, moving: usize) -> f64 {
    const BALLS: usize = 5;
    let mut engine = make(&settings(0.0));
    let surface = ShapeDef::default().restitution(1.0).friction(0.0);
    let ball = |i: usize, engine: &mut dyn crate::engine::Engine| {
        let (gap, speed) = if i < moving { (0.1, 1.0) } else { (0.0, 0.0) };
        let def = BodyDef::dynamic()
            .position(i as f32 - gap, 0.0)
            .velocity(speed, 0.0);
        body(engine, def, &disc(0.5), &surface)
    };
    let balls: Vec<_> = (0..BALLS).map(|i| ball(i, &mut *engine)).collect();
    for _ in 0..60 {
        engine.step(DT as f32);
    }
    let error = |(i, &ball): (usize, &_)| {
        let expected = if i + moving >= BALLS { 1.0 } else { 0.0 };
        let motion = engine.motion(ball);
        let v = f64::from(motion.velocity.x);
        if v.is_finite() {
            (v - expected).abs()
        } else {
            f64::INFINITY
        }
    };
    balls.iter().enumerate().map(error).fold(0.0, f64::max)
}

fn cradle(make: &Maker<'_>) -> Vec<Figure> {
    let errors = [1, 2, 3, 4].map(|moving| cradle_error(make, moving));
    let worst = errors.into_iter().fold(0.0, f64::max);
    vec![Figure::new(
        "Newton's cradle of 5 balls, 1 to 4 in: greatest error of a speed, relative to that in",
        "as many out as in",
        worst,
        1.0e-3,
    )]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sum_of_the_bounces_is_the_closed_form() {
        assert!((rest_time() - 4.063_712_769).abs() < 1.0e-9);
        assert!((stop_time(1.0e-12) - rest_time()).abs() < 1.0e-11);
    }
}
