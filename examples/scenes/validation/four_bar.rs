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

/// A row of four-bar linkages: N + 1 cranks from the ground, and N couplers between their tops, all rods of 1 kg.
#[derive(Clone, Copy, Debug)]
pub struct Linkage {
    /// Number N of four-bar linkages.
    pub count: usize,
    /// Length of a rod \[m\].
    pub length: f64,
    /// Gravitational acceleration [m/s^2].
    pub gravity: f64,
}

/// The bodies of a row of linkages.
#[derive(Clone, Debug)]
pub struct Bars {
    /// N + 1 cranks.
    pub cranks: Vec<BodyHandle>,
    /// N couplers.
    pub couplers: Vec<BodyHandle>,
}

impl Linkage {
    /// Returns the benchmark: rods of 1 m at 9.81 m/s^2.
    #[must_use]
    pub const fn benchmark(count: usize) -> Self {
        Self {
            count,
            length: 1.0,
            gravity: G,
        }
    }

    /// Angular velocity of the upright cranks [rad/s]: that of the benchmark, 1 rad/s, in the units of this one.
    fn start_speed(&self) -> f64 {
        (self.gravity / (G * self.length)).sqrt()
    }

    /// Adds the linkages, with all cranks upright and moving.
    pub fn build(&self, engine: &mut dyn Engine) -> Bars {
        let (l, w) = (self.length, self.start_speed());
        let rod = (1.0, l * l / 12.0);
        let half = 0.5 * l;
        let base = ground(engine);
        let crank = |i: usize, engine: &mut dyn Engine| {
            let crank = Link {
                velocity: [half * w, 0.0],
                spin: -w,
                ..Link::at([l * i as f64, half], FRAC_PI_2, rod)
            };
            crank.create(engine)
        };
        let cranks: Vec<_> = (0..=self.count).map(|i| crank(i, engine)).collect();
        let coupler = |i: usize, engine: &mut dyn Engine| {
            let coupler = Link {
                velocity: [l * w, 0.0],
                ..Link::at([l * i as f64 + half, l], 0.0, rod)
            };
            coupler.create(engine)
        };
        let couplers: Vec<_> = (0..self.count).map(|i| coupler(i, engine)).collect();
        let [left, right] = [[-half, 0.0], [half, 0.0]];
        for (i, &crank) in cranks.iter().enumerate() {
            pin(engine, (base, [l * i as f64, 0.0]), (crank, left));
        }
        for (i, &coupler) in couplers.iter().enumerate() {
            pin(engine, (cranks[i], right), (coupler, left));
            pin(engine, (cranks[i + 1], right), (coupler, right));
        }
        Bars { cranks, couplers }
    }

    /// Angular acceleration of the level cranks [rad/s^2]. All cranks turn alike and couplers only shift, so
    /// T = (l w)^2 ((N + 1) / 3 + N) / 2 and V = g l sin(angle) ((N + 1) / 2 + N), in kg, m and s.
    #[must_use]
    pub fn level_acceleration(&self) -> f64 {
        let n = self.count as f64;
        self.gravity / self.length * ((n + 1.0) / 2.0 + n) / ((n + 1.0) / 3.0 + n)
    }

    /// Angular velocity when level [rad/s].
    #[must_use]
    pub fn level_speed(&self) -> f64 {
        (self.start_speed().powi(2) + 2.0 * self.level_acceleration()).sqrt()
    }

    /// Time of a full turn \[s\]: `w^2 = w_max^2 (1 - k^2 sin^2(p / 2))` for the angle `p` from the bottom.
    #[must_use]
    pub fn turn_time(&self) -> f64 {
        let fastest = (self.start_speed().powi(2) + 4.0 * self.level_acceleration()).sqrt();
        let k = 2.0 * self.level_acceleration().sqrt() / fastest;
        4.0 * elliptic_k(k) / fastest
    }
}

/// Measures of a run.
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
pub fn turns(make: &Maker<'_>, linkage: &Linkage, substeps: u32, dt: f64, seconds: f64) -> Turns {
    let mut engine = make(&EngineSettings {
        substeps,
        ..settings(linkage.gravity)
    });
    let bars = linkage.build(&mut *engine);
    let acceleration = linkage.level_acceleration();
    let start = 0.5 * linkage.start_speed().powi(2) + acceleration;
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
    let linkage = Linkage::benchmark(n);
    let found = turns(make, &linkage, 4, DT, seconds);
    let [time, energy, skew] = what;
    vec![
        Figure::new(
            time,
            format!("{:.9} s", linkage.turn_time()),
            relative(found.time, linkage.turn_time()),
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
        assert!((Linkage::benchmark(40).turn_time() - 1.965_601_929).abs() < 1.0e-9);
        assert!((Linkage::benchmark(40).level_speed() - 4.808_138_804).abs() < 1.0e-9);
        assert!((Linkage::benchmark(2).turn_time() - 1.942_514_923).abs() < 1.0e-9);
    }
}
