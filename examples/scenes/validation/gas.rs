//! A gas of hard discs: speeds by Rayleigh, pressure by the equation of state.

use super::Case;
use super::lab::{DT, Figure, Maker, body, disc, place, rectangle, relative, settings};
use crate::engine::{BodyHandle, Engine};
use crate::random::Random;
use cairn2d::prelude::{BodyDef, Filter, ShapeDef};
use std::f64::consts::{PI, TAU};

pub(super) const CASES: &[Case] = &[Case {
    name: "gas",
    measure: gas,
}];

/// Discs, in rows of `SIDE`.
const DISCS: usize = SIDE * SIDE;
const SIDE: usize = 14;
/// Diameter \[m\].
const DIAMETER: f64 = 0.5;
/// Side of the box \[m\].
const LENGTH: f64 = 20.0;
/// Speed of all discs at the start [m/s].
const SPEED: f64 = 5.0;
/// Mass of a wall, in discs: a wall is a piston so heavy that it shifts by less than 1 cm; its velocity is the sum of the
/// impulses on it.
const WALL: f64 = 1.0e8;
/// Time until speeds have spread, and time of measurement \[s\]. A disc collides some three times a second.
const TIMES: (f64, f64) = (10.0, 240.0);
/// Time between two samples of the speeds \[s\]: six collisions, so that they are independent.
const SAMPLE: f64 = 2.0;

const WALL_BIT: u64 = 4;

/// Pressure over density and temperature of hard discs that cover the share `eta` [Henderson75].
#[must_use]
pub fn compressibility(eta: f64) -> f64 {
    (1.0 + eta * eta / 8.0) / (1.0 - eta).powi(2)
}

/// Density in the middle of the box [1/m^2]. Centers are at least a radius from the walls. There discs are missing on one
/// side that would push away, so the density is higher: at the distance z by the factor 1 + density * a(z), for the part
/// a(z) of a disc of the radius d that lies behind the wall. The integral of a is 2/3 d^3.
fn density() -> f64 {
    let side = LENGTH - DIAMETER;
    let (area, edge) = (side * side, 4.0 * side * 2.0 / 3.0 * DIAMETER.powi(3));
    let n = DISCS as f64;
    2.0 * n / (area + (area * area + 4.0 * edge * n).sqrt())
}

/// Discs and the four walls, each with the direction into the wall.
struct Box4 {
    discs: Vec<BodyHandle>,
    walls: [(BodyHandle, [f64; 2]); 4],
}

fn build(engine: &mut dyn Engine) -> Box4 {
    let steel = ShapeDef::default().restitution(1.0).friction(0.0);
    let gas = steel.filter(Filter {
        category: 1,
        mask: 1 | WALL_BIT,
        group: 0,
    });
    let mut random = Random::new(1);
    let pitch = LENGTH / SIDE as f64;
    let mut discs = Vec::new();
    for i in 0..DISCS {
        let direction = TAU * f64::from(random.range(0.0, 1.0));
        let at = |index: usize| pitch * (index as f64 + 0.5);
        let def = BodyDef::dynamic()
            .world_position([at(i % SIDE), at(i / SIDE)])
            .velocity(
                (SPEED * direction.cos()) as f32,
                (SPEED * direction.sin()) as f32,
            );
        discs.push(body(engine, def, &disc((0.5 * DIAMETER) as f32), &gas));
    }
    let half = 0.5 * LENGTH;
    let walls = [[-1.0, 0.0], [1.0, 0.0], [0.0, -1.0], [0.0, 1.0]].map(|[x, y]: [f64; 2]| {
        let def =
            BodyDef::dynamic().world_position([half + x * (half + 1.0), half + y * (half + 1.0)]);
        let (half_width, half_height) = if x == 0.0 {
            (half + 2.0, 1.0)
        } else {
            (1.0, half + 2.0)
        };
        let surface = steel.filter(Filter {
            category: WALL_BIT,
            mask: 1,
            group: 0,
        });
        let shape = rectangle(half_width as f32, half_height as f32);
        let wall = body(engine, def, &shape, &surface);
        let mass = WALL * 0.25 * PI * DIAMETER * DIAMETER;
        engine.set_mass(wall, mass as f32, (mass * LENGTH * LENGTH) as f32);
        (wall, [x, y])
    });
    Box4 { discs, walls }
}

fn gas(make: &Maker<'_>) -> Vec<Figure> {
    let mut engine = make(&settings(0.0));
    engine.set_restitution_threshold(0.0);
    let gas = build(&mut *engine);
    let mass = 0.25 * PI * DIAMETER * DIAMETER;
    let push = |engine: &dyn Engine| {
        let of = |&(wall, [x, y]): &(BodyHandle, [f64; 2])| {
            let v = engine.motion(wall).velocity;
            WALL * mass * (x * f64::from(v.x) + y * f64::from(v.y))
        };
        gas.walls.iter().map(of).sum::<f64>()
    };
    let mut speeds = Vec::new();
    let (mut before, mut square, mut count) = (0.0, 0.0, 0.0);
    let (first, last) = ((TIMES.0 / DT) as u32, ((TIMES.0 + TIMES.1) / DT) as u32);
    for step in 0..last {
        if step == first {
            before = push(&*engine);
        }
        engine.step(DT as f32);
        if step >= first && (step - first) % (SAMPLE / DT) as u32 == 0 {
            for &disc in &gas.discs {
                let v = f64::from(engine.motion(disc).velocity.norm());
                speeds.push(v);
                square += v * v;
                count += 1.0;
            }
        }
    }
    // kT = m <v^2> / 2 in the plane.
    let temperature = 0.5 * mass * square / count;
    let pressure = (push(&*engine) - before) / TIMES.1 / (4.0 * (LENGTH - DIAMETER));
    let found = pressure / (density() * temperature);
    let eta = 0.25 * PI * DIAMETER * DIAMETER * density();
    let lost = 1.0 - square / count / (SPEED * SPEED);
    let escaped = gas.discs.iter().any(|&disc| {
        let [x, y] = place(&*engine, disc);
        !((0.0..LENGTH).contains(&x) && (0.0..LENGTH).contains(&y))
    });
    vec![
        Figure::new(
            "gas of 196 discs, 240 s: distance of the speeds from Rayleigh's distribution (Kolmogorov-Smirnov)",
            "0",
            if escaped {
                f64::INFINITY
            } else {
                rayleigh_distance(speeds, square / count)
            },
            // Exceeded by chance once in a hundred.
            1.63 / f64::sqrt(count),
        ),
        Figure::new(
            "relative error of the pressure",
            format!("P / (n k T) = {:.5}", compressibility(eta)),
            if escaped {
                f64::INFINITY
            } else {
                relative(found, compressibility(eta))
            },
            // Some 13 000 impacts on the walls scatter by sqrt(2 / 3) of their mean: 0.7 % at one, 2 % at three deviations.
            0.02,
        ),
        Figure {
            bound: None,
            ..Figure::new("relative loss of energy", "0", lost.abs(), 0.0)
        },
    ]
}

/// Greatest distance between the shares of speeds up to v, counted and by Rayleigh: 1 - exp(-v^2 / <v^2>).
fn rayleigh_distance(mut speeds: Vec<f64>, mean_square: f64) -> f64 {
    speeds.sort_by(f64::total_cmp);
    let count = speeds.len() as f64;
    let distance = |(i, v): (usize, &f64)| {
        let expected = 1.0 - (-v * v / mean_square).exp();
        let (below, above) = (i as f64 / count, (i + 1) as f64 / count);
        (expected - below).abs().max((expected - above).abs())
    };
    speeds.iter().enumerate().map(distance).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equation_of_state_has_the_virial_coefficients_of_discs() {
        // Z = 1 + 2 eta + 4 * 0.782 eta^2 + 8 * 0.532 eta^3; the fit of Henderson is within 2 % of each.
        let eta = 0.01;
        let series = 1.0 + 2.0 * eta + 3.128 * eta * eta + 4.26 * eta * eta * eta;
        assert!((compressibility(eta) - series).abs() < 1.0e-6);
    }

    #[test]
    fn planted_speeds_have_the_distribution_and_equal_ones_do_not() {
        let count = 1000;
        let quantile = |i: i32| (-(1.0 - (f64::from(i) + 0.5) / f64::from(count)).ln()).sqrt();
        let speeds: Vec<f64> = (0..count).map(quantile).collect();
        assert!(rayleigh_distance(speeds, 1.0) < 1.0e-3);
        assert!(rayleigh_distance(vec![1.0; 100], 1.0) > 0.6);
    }
}
