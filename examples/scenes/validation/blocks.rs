//! Blocks: rocking, overhanging, tipping and sliding.

use super::Case;
use super::exact::runge_kutta;
use super::lab::wrong_outcomes;
use super::lab::{DT, Figure, G, Maker, angle, body, rectangle, relative, settings, slab, stays};
use crate::engine::{BodyHandle, Engine, EngineSettings};
use cairn2d::prelude::{BodyDef, ShapeDef, vec2};

pub(super) const CASES: &[Case] = &[
    Case {
        name: "rocking",
        measure: rocking,
    },
    Case {
        name: "overhang",
        measure: overhang,
    },
    Case {
        name: "tip_or_slide",
        measure: tip_or_slide,
    },
];

/// Half the width and half the height of the rocking block \[m\].
pub const ROCKER: [f64; 2] = [0.25, 1.0];
/// Tilt from which it is released, as a share of the tilt at which it would fall over.
const RELEASE: f64 = 0.5;
/// Impacts that are compared.
const IMPACTS: usize = 5;

/// Angle between the height and the diagonal of the block \[rad\].
fn slenderness() -> f64 {
    libm::atan(ROCKER[0] / ROCKER[1])
}

/// Share of its spin that a slender block keeps when it changes from one corner to the other: angular momentum about the
/// new corner is kept \[Housner63\].
#[must_use]
pub fn spin_kept() -> f64 {
    1.0 - 1.5 * slenderness().sin().powi(2)
}

/// Square of the rate of the rocking block, 3 g / (4 R) for the half diagonal R [1/s^2].
fn rate_sq() -> f64 {
    0.75 * G / ROCKER[0].hypot(ROCKER[1])
}

/// Tilt over time of the block by Housner's model: positive on the corner of the release.
#[must_use]
pub fn housner(times: &[f64]) -> Vec<f64> {
    const H: f64 = 1.0e-4;
    let alpha = slenderness();
    let mut y = [RELEASE * alpha, 0.0];
    let (mut t, mut tilts) = (0.0, Vec::new());
    for &time in times {
        while t < time {
            let side = if y[0] == 0.0 {
                y[1].signum()
            } else {
                y[0].signum()
            };
            let next = runge_kutta(y, t, H, |_, [tilt, w]| {
                [w, -side * rate_sq() * (alpha - side * tilt).sin()]
            });
            y = if next[0] * side <= 0.0 {
                [-side * 1.0e-300, next[1] * spin_kept()]
            } else {
                next
            };
            t += H;
        }
        tilts.push(y[0]);
    }
    tilts
}

/// Surface on which rocking blocks do not slide.
#[must_use]
pub fn rough() -> ShapeDef {
    ShapeDef::default().friction(1.0)
}

/// Adds a block of half extents `half` tilted about its right corner, which is at `x` on a floor at height 0 \[m\].
pub fn build_rocker(engine: &mut dyn Engine, half: [f64; 2], x: f64) -> BodyHandle {
    let slenderness = libm::atan(half[0] / half[1]);
    let tilt = RELEASE * slenderness;
    let diagonal = libm::hypot(half[0], half[1]);
    // The center is up and left of the corner.
    let (sin, cos) = libm::sincos(slenderness - tilt);
    let def = BodyDef::dynamic()
        .world_position([x - diagonal * sin, diagonal * cos])
        .angle(-tilt as f32);
    let shape = rectangle(half[0] as f32, half[1] as f32);
    body(engine, def, &shape, &rough())
}

/// Times and tilts of an engine's block, the tilts positive as at the start.
#[must_use]
pub fn rocked(make: &Maker<'_>, dt: f64, seconds: f64) -> Vec<[f64; 2]> {
    let mut engine = make(&settings(G));
    slab(&mut *engine, [-5.0, -1.0, 5.0, 0.0], &rough());
    let block = build_rocker(&mut *engine, ROCKER, 0.0);
    let mut tilts = vec![[0.0, RELEASE * slenderness()]];
    for step in 1..=(seconds / dt).round() as u32 {
        engine.step(dt as f32);
        tilts.push([f64::from(step) * dt, -angle(&engine.motion(block))]);
    }
    tilts
}

/// Times of impacts, at which the tilt is almost linear, and the greatest tilts before each and after the last.
fn impacts(tilts: &[[f64; 2]]) -> (Vec<f64>, Vec<f64>) {
    let (mut times, mut peaks) = (Vec::new(), vec![0.0_f64]);
    for pair in tilts.windows(2) {
        let [[t, before], [next, after]] = [pair[0], pair[1]];
        if before * after < 0.0 {
            times.push(t + (next - t) * before / (before - after));
            peaks.push(0.0);
        }
        let last = peaks.len() - 1;
        peaks[last] = peaks[last].max(after.abs());
    }
    (times, peaks)
}

/// Share of the spin that an engine's block keeps in its first impact, from the heights before and after.
#[must_use]
pub fn impact_loss(make: &Maker<'_>, dt: f64) -> f64 {
    let (_, peaks) = impacts(&rocked(make, dt, 1.5));
    (height(peaks[1]) / height(RELEASE * slenderness())).sqrt()
}

/// Energy of a tilt above that of the upright block, in units of m g R.
fn height(tilt: f64) -> f64 {
    (slenderness() - tilt.abs()).cos() - slenderness().cos()
}

fn rocking(make: &Maker<'_>) -> Vec<Figure> {
    let (times, peaks) = impacts(&rocked(make, DT, 10.0));
    let kept = match peaks.get(IMPACTS) {
        Some(&peak) => (height(peak) / height(RELEASE * slenderness())).powf(0.5 / IMPACTS as f64),
        None => 0.0,
    };
    let grid: Vec<f64> = (0..6000).map(|i| f64::from(i) * 1.0e-3).collect();
    let exact = housner(&grid);
    let zeros: Vec<f64> = (1..grid.len())
        .filter(|&i| exact[i - 1] * exact[i] < 0.0 || exact[i].abs() < 1.0e-200)
        .map(|i| grid[i])
        .collect();
    let late = times.get(IMPACTS - 1).copied().unwrap_or(f64::INFINITY);
    vec![
        Figure::new(
            "rocking block, five impacts: relative error of the spin kept in one",
            format!("{:.6}", spin_kept()),
            relative(kept, spin_kept()),
            0.01,
        ),
        Figure::new(
            "relative error of the time of the fifth",
            format!("{:.4} s", zeros[IMPACTS - 1]),
            relative(late, zeros[IMPACTS - 1]),
            0.01,
        ),
    ]
}

/// Half the height of a book of 1 m \[m\].
const HALF_BOOK: f64 = 0.1;

/// Adds a table with its edge at `edge` and `count` books of 1 m, each displaced by `factor` of its limit.
pub fn build_books(
    engine: &mut dyn Engine,
    count: usize,
    factor: f64,
    edge: f64,
) -> Vec<BodyHandle> {
    let surface = ShapeDef::default();
    slab(
        engine,
        [edge as f32 - 4.0, -1.0, edge as f32, 0.0],
        &surface,
    );
    let mut x = edge - 0.5;
    let mut book = |level: usize, engine: &mut dyn Engine| {
        // The book on level k, the table being 0, has count - k above it.
        x += factor * 0.5 / (count - level) as f64;
        let y = HALF_BOOK * (2 * level + 1) as f64;
        let def = BodyDef::dynamic().world_position([x, y]);
        body(engine, def, &rectangle(0.5, HALF_BOOK as f32), &surface)
    };
    (0..count).map(|level| book(level, engine)).collect()
}

/// Largest overhang of `count` books, in lengths: half the harmonic sum.
#[must_use]
pub fn largest_overhang(count: u32) -> f64 {
    (1..=count).map(|k| 0.5 / f64::from(k)).sum()
}

fn overhang(make: &Maker<'_>) -> Vec<Figure> {
    let holds = |count: usize, factor: f64| {
        let mut engine = make(&settings(G));
        let books = build_books(&mut *engine, count, factor, 0.0);
        stays(&mut *engine, &books, (0.05, 20.0))
    };
    let figure = |what: &'static str, count: u32| {
        let n = count as usize;
        Figure::new(
            what,
            format!("{:.6}", largest_overhang(count)),
            wrong_outcomes(holds(n, 0.99), holds(n, 1.01)),
            0.0,
        )
    };
    vec![
        figure(
            "4 books at 0.99 and 1.01 of the largest overhang, 20 s: wrong outcomes, of 2",
            4,
        ),
        figure("10 books", 10),
        figure("31 books", 31),
        figure("100 books", 100),
    ]
}

/// First motion of a block on a slope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Rests,
    Slides,
    Tips,
}

/// Puts a block of half extents (`half_width`, 0.5) onto a slope under gravity that is turned by `slope` \[rad\].
fn on_slope(make: &Maker<'_>, half_width: f64, friction: f64, slope: f64) -> Outcome {
    let (sin, cos) = libm::sincos(slope);
    let mut engine = make(&EngineSettings {
        gravity: vec2((G * sin) as f32, (-G * cos) as f32),
        ..settings(G)
    });
    let surface = ShapeDef::default().friction(friction as f32);
    slab(&mut *engine, [-10.0, -1.0, 100.0, 0.0], &surface);
    let def = BodyDef::dynamic().world_position([0.0, 0.5]);
    let block = body(
        &mut *engine,
        def,
        &rectangle(half_width as f32, 0.5),
        &surface,
    );
    for _ in 0..(10.0 / DT) as u32 {
        engine.step(DT as f32);
        let motion = engine.motion(block);
        if angle(&motion).abs() > 0.1 {
            return Outcome::Tips;
        }
        if motion.position.x.abs() > 0.1 {
            return Outcome::Slides;
        }
    }
    Outcome::Rests
}

fn tip_or_slide(make: &Maker<'_>) -> Vec<Figure> {
    // It tips at a slope with the tangent b / h and slides at mu: the smaller of the two comes first.
    let cases = [(0.15, 0.6), (0.2, 0.8), (0.3, 0.3), (0.4, 0.5), (0.45, 0.2)];
    let mut wrong = 0.0;
    for (half_width, friction) in cases {
        let ratio = 2.0 * half_width;
        let beyond = if ratio < friction {
            Outcome::Tips
        } else {
            Outcome::Slides
        };
        let limit = f64::min(ratio, friction);
        for (factor, expected) in [(0.99, Outcome::Rests), (1.01, beyond)] {
            let outcome = on_slope(make, half_width, friction, libm::atan(factor * limit));
            wrong += f64::from(u8::from(outcome != expected));
        }
    }
    vec![Figure::new(
        "block on a slope of 0.99 and 1.01 of the limit tips, slides or rests: wrong outcomes, of 10",
        "tan = b / h or mu",
        wrong,
        0.0,
    )]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overhangs_are_those_of_the_harmonic_sum() {
        let table = [
            (4, 1.041_667),
            (10, 1.464_484),
            (31, 2.013_623),
            (100, 2.593_689),
        ];
        for (count, overhang) in table {
            assert!((largest_overhang(count) - overhang).abs() < 1.0e-6);
        }
    }

    #[test]
    fn first_quarter_of_rocking_has_the_closed_form_of_small_angles() {
        // Slender blocks: tilt = a - (a - a0) cosh(p t), so the first impact is at acosh(1 / (1 - a0 / a)) / p. The sine
        // of the exact equation is smaller by at most a^2 / 6.
        let alpha = slenderness();
        let first = (1.0 / (1.0 - RELEASE)).acosh() / rate_sq().sqrt();
        let times: Vec<f64> = (0..2000).map(|i| f64::from(i) * 1.0e-3).collect();
        let tilts = housner(&times);
        let zero = times[tilts.iter().position(|&tilt| tilt <= 0.0).unwrap()];
        assert!(zero >= first && zero < first * (1.0 + alpha * alpha / 6.0));
    }
}
