//! Discs that flow out of a hopper: the rate grows with the width of the opening to the power 3/2.

use super::Case;
use super::lab::{DT, Figure, G, Maker, body, disc, place, relative, settings, slab};
use crate::engine::{BodyHandle, Engine};
use crate::random::Random;
use cairn2d::prelude::{BodyDef, ShapeDef};

pub(super) const CASES: &[Case] = &[Case {
    name: "hopper",
    measure: hopper,
}];

/// Mean diameter of the discs \[m\]. Diameters spread by a tenth, so that the discs do not order.
pub const DIAMETER: f64 = 0.5;
/// Width of the hopper in diameters, and discs in it.
const SIZE: (usize, usize) = (28, 1960);
/// Discs in six rows, for a picture.
pub const LAYER: usize = 6 * SIZE.0;
/// Widths of the opening in diameters: wide enough that no arch stops the flow, and at most 0.36 of the hopper, else
/// its walls matter.
pub const OPENINGS: [f64; 6] = [5.0, 6.0, 7.0, 8.0, 9.0, 10.0];
/// Width in diameters that the opening seems to lack \[Beverloo61\].
pub const LACK: f64 = 1.4;
/// Shares of the discs that have left between which the rate is measured: after the start, and before the surface is low.
const SHARES: (f64, f64) = (0.1, 0.45);

/// Adds a hopper with a flat floor and an opening, filled with discs.
pub fn build(engine: &mut dyn Engine, opening: f64) -> Vec<BodyHandle> {
    let surface = ShapeDef::default().friction(0.5);
    let (half, gap) = (0.5 * SIZE.0 as f64 * DIAMETER, 0.5 * opening * DIAMETER);
    let height = 2.0 * SIZE.1 as f64 / SIZE.0 as f64 * DIAMETER;
    for side in [-1.0, 1.0] {
        let span = |a: f64, b: f64| {
            [
                (side * a).min(side * b) as f32,
                (side * a).max(side * b) as f32,
            ]
        };
        let [min, max] = span(gap, half + 1.0);
        slab(engine, [min, -0.5, max, 0.0], &surface);
        let [min, max] = span(half, half + 1.0);
        slab(engine, [min, 0.0, max, height as f32], &surface);
    }
    let mut random = Random::new(7);
    let mut disc_at = |i: usize, engine: &mut dyn Engine| {
        let (row, column) = (i / SIZE.0, i % SIZE.0);
        let radius = 0.5 * DIAMETER * f64::from(random.range(0.86, 0.98));
        let x = (column as f64 + 0.5) * DIAMETER - half;
        // Nudged within the room that the smaller discs leave.
        let nudge = f64::from(random.range(-0.01, 0.01)) * DIAMETER;
        let def = BodyDef::dynamic().world_position([x + nudge, (row as f64 + 0.5) * DIAMETER]);
        body(engine, def, &disc(radius as f32), &surface)
    };
    (0..SIZE.1).map(|i| disc_at(i, engine)).collect()
}

/// Rate at which discs leave [1/s]; no number if the flow stops.
#[must_use]
pub fn rate(make: &Maker<'_>, opening: f64) -> f64 {
    let mut engine = make(&settings(G));
    let mut discs = build(&mut *engine, opening);
    let (first, last) = (SHARES.0 * SIZE.1 as f64, SHARES.1 * SIZE.1 as f64);
    let (mut left, mut begin) = (0.0, None);
    for step in 1..=(120.0 / DT) as u32 {
        engine.step(DT as f32);
        discs.retain(|&disc| {
            let stays = place(&*engine, disc)[1] > -2.0;
            if !stays {
                left += 1.0;
                engine.destroy_body(disc);
            }
            stays
        });
        let now = f64::from(step) * DT;
        match begin {
            None if left >= first => begin = Some((now, left)),
            Some((time, count)) if left >= last => return (left - count) / (now - time),
            _ => {}
        }
    }
    f64::NAN
}

/// Slope of the line of least squares.
fn slope(points: &[[f64; 2]]) -> f64 {
    let n = points.len() as f64;
    let mean = |axis: usize| points.iter().map(|point| point[axis]).sum::<f64>() / n;
    let (x, y) = (mean(0), mean(1));
    let both: f64 = points
        .iter()
        .map(|point| (point[0] - x) * (point[1] - y))
        .sum();
    let square: f64 = points.iter().map(|point| (point[0] - x).powi(2)).sum();
    both / square
}

fn hopper(make: &Maker<'_>) -> Vec<Figure> {
    let points = OPENINGS.map(|opening| [(opening - LACK).ln(), rate(make, opening).ln()]);
    vec![Figure::new(
        "hopper with openings of 5 to 10 discs: relative error of the exponent of the flow",
        "3/2",
        relative(slope(&points), 1.5),
        0.1,
    )]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planted_exponent_is_found() {
        let points: Vec<_> = (1..6)
            .map(f64::from)
            .map(|x| [x.ln(), (3.0 * x.powf(1.5)).ln()])
            .collect();
        assert!((slope(&points) - 1.5).abs() < 1.0e-12);
    }
}
