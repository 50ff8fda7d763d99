//! The benchmark A02: N four-bar linkages in a row, which pass positions where all bars lie on a line.

use super::Case;
use super::exact::elliptic_k;
use super::lab::{DT, Figure, G, Link, Maker, Unwound, angle, ground, pin, relative, settings};
use crate::engine::{BodyHandle, Engine, EngineSettings};
use std::f64::consts::{FRAC_PI_2, TAU};

pub(super) const CASES: &[Case] = &[
    Case {
        name: "four_bars_2",
        measure: two,
    },
    Case {
        name: "four_bars_40",
        measure: forty,
    },
];

/// Mass \[kg\] and inertia [kg m^2] of a rod of 1 m.
const ROD: (f64, f64) = (1.0, 1.0 / 12.0);

/// Bars of the linkage: cranks from the ground, and couplers between their tops.
#[derive(Clone, Debug)]
pub struct Bars {
    /// N + 1 cranks.
    pub cranks: Vec<BodyHandle>,
    /// N couplers.
    pub couplers: Vec<BodyHandle>,
}

/// Adds `n` four-bar linkages of rods of 1 m and 1 kg. All cranks are upright, their tops move at 1 m/s along x.
pub fn build(engine: &mut dyn Engine, n: usize) -> Bars {
    let base = ground(engine);
    let crank = |i: usize, engine: &mut dyn Engine| {
        let crank = Link {
            velocity: [0.5, 0.0],
            spin: -1.0,
            ..Link::at([i as f64, 0.5], FRAC_PI_2, ROD)
        };
        crank.create(engine)
    };
    let cranks: Vec<_> = (0..=n).map(|i| crank(i, engine)).collect();
    let coupler = |i: usize, engine: &mut dyn Engine| {
        let coupler = Link {
            velocity: [1.0, 0.0],
            ..Link::at([i as f64 + 0.5, 1.0], 0.0, ROD)
        };
        coupler.create(engine)
    };
    let couplers: Vec<_> = (0..n).map(|i| coupler(i, engine)).collect();
    for (i, &crank) in cranks.iter().enumerate() {
        pin(engine, (base, [i as f64, 0.0]), (crank, [-0.5, 0.0]));
    }
    for (i, &coupler) in couplers.iter().enumerate() {
        pin(engine, (cranks[i], [0.5, 0.0]), (coupler, [-0.5, 0.0]));
        pin(engine, (cranks[i + 1], [0.5, 0.0]), (coupler, [0.5, 0.0]));
    }
    Bars { cranks, couplers }
}

/// Angular acceleration of the level cranks [rad/s^2]. All cranks turn alike and couplers only shift, so
/// T = w^2 ((N + 1) / 3 + N) / 2 and V = g sin(angle) ((N + 1) / 2 + N), in kg, m and s.
#[must_use]
pub fn level_acceleration(n: usize) -> f64 {
    let n = n as f64;
    G * ((n + 1.0) / 2.0 + n) / ((n + 1.0) / 3.0 + n)
}

/// Angular velocity when level [rad/s]: 1 rad/s upright.
#[must_use]
pub fn level_speed(n: usize) -> f64 {
    (1.0 + 2.0 * level_acceleration(n)).sqrt()
}

/// Time of a full turn \[s\]: `w^2 = w_max^2 (1 - k^2 sin^2(p / 2))` for the angle `p` from the bottom.
#[must_use]
pub fn turn_time(n: usize) -> f64 {
    let fastest = (1.0 + 4.0 * level_acceleration(n)).sqrt();
    let k = 2.0 * level_acceleration(n).sqrt() / fastest;
    4.0 * elliptic_k(k) / fastest
}

/// What a run measures.
#[derive(Clone, Copy, Debug)]
pub struct Turns {
    /// Mean time of a full turn \[s\].
    pub time: f64,
    /// Greatest change of energy relative to that between top and bottom.
    pub energy: f64,
    /// Greatest angle between a crank and the first, or a coupler and level \[rad\].
    pub skew: f64,
}

/// Runs the linkage for `seconds` in steps of `dt` \[s\].
#[must_use]
pub fn turns(
    make: &Maker<'_>,
    n: usize,
    settings: &EngineSettings,
    dt: f64,
    seconds: f64,
) -> Turns {
    let mut engine = make(settings);
    let bars = build(&mut *engine, n);
    let acceleration = level_acceleration(n);
    let start = 0.5 + acceleration;
    let (mut phi, mut last) = (Unwound(FRAC_PI_2), FRAC_PI_2);
    let (mut passes, mut energy, mut skew) = (vec![0.0], 0.0_f64, 0.0_f64);
    for step in 1..=(seconds / dt).round() as u32 {
        engine.step(dt as f32);
        let motion = engine.motion(bars.cranks[0]);
        let now = phi.follow(angle(&motion));
        // Upright nothing accelerates it, so the angle is linear in time.
        let next = FRAC_PI_2 - TAU * passes.len() as f64;
        if now <= next && last > next {
            passes.push((f64::from(step - 1) + (last - next) / (last - now)) * dt);
        }
        last = now;
        let w = f64::from(motion.angular_velocity);
        let drift = 0.5 * w * w + acceleration * now.sin() - start;
        energy = energy.max(drift.abs() / (2.0 * acceleration));
        let off = |body: &BodyHandle, from: f64| {
            let turn = angle(&engine.motion(*body)) - from;
            turn.sin().atan2(turn.cos()).abs()
        };
        let cranks = bars.cranks.iter().map(|crank| off(crank, now));
        let couplers = bars.couplers.iter().map(|coupler| off(coupler, 0.0));
        skew = cranks.chain(couplers).fold(skew, f64::max);
    }
    let count = passes.len() - 1;
    Turns {
        time: passes[count] / count as f64,
        energy,
        skew,
    }
}

/// Goal of the benchmark: an error of a thousandth.
const GOAL: f64 = 1.0e-3;

fn figures(make: &Maker<'_>, n: usize, seconds: f64, what: [&'static str; 3]) -> Vec<Figure> {
    let found = turns(make, n, &settings(G), DT, seconds);
    let [time, energy, skew] = what;
    vec![
        Figure::new(
            time,
            format!("{:.9} s", turn_time(n)),
            relative(found.time, turn_time(n)),
            GOAL,
        ),
        Figure::new(energy, "0", found.energy, GOAL),
        Figure::new(skew, "0 rad", found.skew, GOAL),
    ]
}

fn two(make: &Maker<'_>) -> Vec<Figure> {
    let what = [
        "2 four-bar linkages (A02), 10 s: relative error of the time of a turn",
        "relative change of energy",
        "greatest angle between cranks [rad]",
    ];
    figures(make, 2, 10.0, what)
}

fn forty(make: &Maker<'_>) -> Vec<Figure> {
    let what = [
        "40 four-bar linkages, 20 s: relative error of the time of a turn",
        "relative change of energy",
        "greatest angle between cranks [rad]",
    ];
    figures(make, 40, 20.0, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_values_of_a02_are_those_of_the_benchmark() {
        assert!((turn_time(40) - 1.965_601_929).abs() < 1.0e-9);
        assert!((level_speed(40) - 4.808_138_804).abs() < 1.0e-9);
        assert!((turn_time(2) - 1.942_514_923).abs() < 1.0e-9);
    }
}
