//! Pendulums: the benchmark A01, and Kapitza's with a driven pivot.

use super::Case;
use super::exact::{elliptic_k, upright_is_stable};
use super::lab::{DT, Figure, G, Link, Maker, Unwound, angle, ground, pin, relative, settings};
use super::lab::{critical, wrong_outcomes};
use crate::engine::{BodyHandle, Engine};
use cairn2d::prelude::{BodyDef, point};
use std::f64::consts::FRAC_PI_2;

pub(super) const CASES: &[Case] = &[
    Case {
        name: "pendulum",
        measure: a01,
    },
    Case {
        name: "kapitza",
        measure: kapitza,
    },
];

/// A pendulum of reduced length 1 m: 1 kg at 0.5 m with 0.25 kg m^2 has the equation of motion of a point at 1 m. Engines
/// have no bodies without inertia.
pub(crate) const BOB: (f64, f64) = (1.0, 0.25);
const ARM: f64 = 0.5;

/// Adds the pendulum, its arm at `angle` from +x, pinned to a point of `base`.
pub(crate) fn pendulum(engine: &mut dyn Engine, base: BodyHandle, angle: f64) -> BodyHandle {
    let (sin, cos) = libm::sincos(angle);
    let bob = Link::at([ARM * cos, ARM * sin], angle, BOB).create(engine);
    pin(engine, (base, [0.0; 2]), (bob, [-ARM, 0.0]));
    bob
}

/// Period of the pendulum of 1 m that is released from level \[s\].
#[must_use]
pub fn period() -> f64 {
    4.0 * elliptic_k(0.5_f64.sqrt()) / G.sqrt()
}

/// Speed of its end at the bottom [m/s].
#[must_use]
pub fn bottom_speed() -> f64 {
    (2.0 * G).sqrt()
}

/// Measures of a run of A01.
#[derive(Clone, Copy, Debug)]
pub struct Swing {
    /// Mean period \[s\].
    pub period: f64,
    /// Speed at the bottom that is farthest from the reference [m/s].
    pub bottom_speed: f64,
    /// Greatest change of energy relative to that of a swing.
    pub energy: f64,
}

/// Runs A01 for `seconds` in steps of `dt` \[s\].
#[must_use]
pub fn swing(make: &Maker<'_>, substeps: u32, dt: f64, seconds: f64) -> Swing {
    let mut engine = make(&crate::engine::EngineSettings {
        substeps,
        ..settings(G)
    });
    let base = ground(&mut *engine);
    let bob = pendulum(&mut *engine, base, 0.0);
    let mut phi = Unwound(0.0);
    // Angle from the bottom, and angular velocity, of the last three steps.
    let (mut x, mut w) = ([FRAC_PI_2; 3], [0.0_f64; 3]);
    let mut passes = Vec::new();
    let mut found = Swing {
        period: f64::NAN,
        bottom_speed: bottom_speed(),
        energy: 0.0,
    };
    for step in 1..=(seconds / dt).round() as u32 {
        engine.step(dt as f32);
        let motion = engine.motion(bob);
        x = [x[1], x[2], phi.follow(angle(&motion)) + FRAC_PI_2];
        w = [w[1], w[2], f64::from(motion.angular_velocity).abs()];
        let energy = 0.5 * w[2] * w[2] - G * x[2].cos();
        found.energy = found.energy.max(energy.abs() / G);
        if x[1] * x[2] <= 0.0 && x[1] != 0.0 {
            // Nothing accelerates it along its way at the bottom, so the angle is linear in time.
            passes.push((f64::from(step - 1) + x[1] / (x[1] - x[2])) * dt);
        }
        if step > 2 && w[1] >= w[0] && w[1] > w[2] {
            let (slope, bend) = (0.5 * (w[2] - w[0]), w[2] - 2.0 * w[1] + w[0]);
            let top = w[1] - 0.5 * slope * slope / bend;
            if (top - bottom_speed()).abs() > (found.bottom_speed - bottom_speed()).abs() {
                found.bottom_speed = top;
            }
        }
    }
    if let [first, .., last] = passes[..] {
        found.period = 2.0 * (last - first) / (passes.len() - 1) as f64;
    }
    found
}

/// A substep h of RATTLE turns a pendulum by arcsin(w h) in place of w h: a relative error of (w h)^2 / 6. It is greatest
/// at the bottom, where w^2 = 2 g / l. A single pendulum has eight substeps.
const PHASE_ERROR: f64 = 2.0 * G * (DT / 8.0) * (DT / 8.0) / 6.0;

fn a01(make: &Maker<'_>) -> Vec<Figure> {
    let found = swing(make, 4, DT, 10.0);
    vec![
        Figure::new(
            "simple pendulum (A01), 10 s: relative error of the period",
            format!("{:.9} s", period()),
            relative(found.period, period()),
            PHASE_ERROR,
        ),
        Figure::new(
            "relative error of the speed at the bottom",
            format!("{:.9} m/s", bottom_speed()),
            relative(found.bottom_speed, bottom_speed()),
            PHASE_ERROR,
        ),
        Figure::new(
            "relative change of energy",
            "0",
            found.energy,
            2.0 * PHASE_ERROR,
        ),
    ]
}

/// Amplitude \[m\] of the pivot of Kapitza's pendulum of 1 m.
const AMPLITUDE: f64 = 0.05;

/// Steps in a period of the pivot: enough that the sampled motion of the pivot is a sine.
const STEPS_A_PERIOD: f64 = 64.0;

/// Angular frequency above which the upright is stable, by Floquet [rad/s].
#[must_use]
pub fn kapitza_threshold() -> f64 {
    let mean = (2.0 * G).sqrt() / AMPLITUDE;
    critical((0.8 * mean, 1.2 * mean), |w| {
        !upright_is_stable(G, 1.0, AMPLITUDE, w)
    })
}

/// Returns whether the pendulum stays within 0.1 rad of the upright for 20 s, if released 0.01 rad off.
fn stays_upright(make: &Maker<'_>, w: f64) -> bool {
    let mut engine = make(&settings(G));
    let base = engine.create_body(&BodyDef::kinematic());
    let bob = pendulum(&mut *engine, base, FRAC_PI_2 + 0.01);
    let dt = std::f64::consts::TAU / w / STEPS_A_PERIOD;
    let mut step = 0.0;
    while step * dt < 20.0 {
        step += 1.0;
        let y = AMPLITUDE * libm::sin(w * step * dt);
        engine.move_to(base, point(0.0, y as f32), 0.0, dt as f32);
        engine.step(dt as f32);
        let off = angle(&engine.motion(bob)) - FRAC_PI_2;
        if off.abs() > 0.1 || off.is_nan() {
            return false;
        }
    }
    true
}

fn kapitza(make: &Maker<'_>) -> Vec<Figure> {
    let threshold = kapitza_threshold();
    let [below, above] = [0.98, 1.02].map(|factor| stays_upright(make, factor * threshold));
    vec![Figure::new(
        "Kapitza's pendulum driven at 0.98 and 1.02 of the threshold, 20 s: wrong outcomes, of 2",
        format!("{threshold:.2} rad/s"),
        wrong_outcomes(!below, !above),
        0.0,
    )]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_values_of_a01_are_those_of_the_benchmark() {
        assert!((period() - 2.367_841_947_576).abs() < 1.0e-12);
        assert!((bottom_speed() - 4.429_446_918).abs() < 1.0e-9);
    }

    #[test]
    fn threshold_of_kapitza_is_near_that_of_the_averaged_motion() {
        // a^2 w^2 = 2 g l, up to terms of order (a / l)^2.
        let mean = (2.0 * G).sqrt() / AMPLITUDE;
        assert!((kapitza_threshold() / mean - 1.0).abs() < 2.0 * AMPLITUDE * AMPLITUDE);
    }
}
