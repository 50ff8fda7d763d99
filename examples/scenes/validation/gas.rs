//! A gas of hard discs: speeds by Rayleigh, pressure by the equation of state.

use super::Case;
use super::lab::{DT, Figure, Maker, body, disc, place, rectangle, relative, settings};
use crate::engine::{BodyHandle, Engine};
use crate::random::Random;
use cairn2d::prelude::{BodyDef, Continuous, Filter, ShapeDef};
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
const WALL: f64 = 1.0e11;
/// Time until speeds have spread, and time of measurement \[s\]. A disc collides some three times a second.
const TIMES: (f64, f64) = (10.0, 240.0);
/// Time between two samples of the speeds \[s\]: six collisions, so that they are independent.
const SAMPLE: f64 = 2.0;

const WALL_BIT: u64 = 4;

/// Pressure over density and temperature of hard discs that cover the share `eta` \[Henderson75\].
#[must_use]
pub fn compressibility(eta: f64) -> f64 {
    (1.0 + eta * eta / 8.0) / (1.0 - eta).powi(2)
}

/// Side of the square in which centers are \[m\].
const ROOM: f64 = LENGTH - DIAMETER;

/// Pressure over density and temperature in the box, the density being discs over the area of their centers. Walls cut off a
/// part of the room that discs take from each other: two discs at distances x and y along the walls exclude
/// (s - x) (s - y) of the square of side s. The integral of this over all distances up to d is
/// pi d^2 s^2 - 8/3 d^3 s + d^4 / 2, and the derivative of its logarithm with respect to s lowers P / (n k T) by
/// 2 N d^3 / s^3, up to terms of the next order in the density.
fn expected() -> f64 {
    let n = DISCS as f64;
    let eta = 0.25 * PI * (DIAMETER / ROOM).powi(2) * n;
    compressibility(eta) - 2.0 * n * (DIAMETER / ROOM).powi(3)
}

/// Discs and the four walls, each with the direction into the wall.
struct Box4 {
    discs: Vec<BodyHandle>,
    walls: [(BodyHandle, [f64; 2]); 4],
}

fn build(engine: &mut dyn Engine, continuous: Continuous) -> Box4 {
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
        let (sin, cos) = libm::sincos(direction);
        let at = |index: usize| pitch * (index as f64 + 0.5);
        let def = BodyDef::dynamic()
            .world_position([at(i % SIDE), at(i / SIDE)])
            .velocity((SPEED * cos) as f32, (SPEED * sin) as f32);
        let def = BodyDef { continuous, ..def };
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

/// Measures of a gas.
struct State {
    /// Sampled speeds [m/s].
    speeds: Vec<f64>,
    /// Their mean square [m^2/s^2].
    mean_square: f64,
    /// Pressure over density and temperature; no number if a disc has left the box.
    compressibility: f64,
}

fn run(make: &Maker<'_>, continuous: Continuous) -> State {
    let mut engine = make(&settings(0.0));
    engine.set_restitution_threshold(0.0);
    let gas = build(&mut *engine, continuous);
    let mass = 0.25 * PI * DIAMETER * DIAMETER;
    let push = |engine: &dyn Engine| {
        let of = |&(wall, [x, y]): &(BodyHandle, [f64; 2])| {
            let v = engine.motion(wall).velocity;
            WALL * mass * (x * f64::from(v.x) + y * f64::from(v.y))
        };
        gas.walls.iter().map(of).sum::<f64>()
    };
    let mut speeds = Vec::new();
    let mut before = 0.0;
    let (first, last) = ((TIMES.0 / DT) as u32, ((TIMES.0 + TIMES.1) / DT) as u32);
    for step in 0..last {
        if step == first {
            before = push(&*engine);
        }
        engine.step(DT as f32);
        if step >= first && (step - first) % (SAMPLE / DT) as u32 == 0 {
            let speed = |&disc: &BodyHandle| f64::from(engine.motion(disc).velocity.norm());
            speeds.extend(gas.discs.iter().map(speed));
        }
    }
    let mean_square = speeds.iter().map(|v| v * v).sum::<f64>() / speeds.len() as f64;
    // kT = m <v^2> / 2 in the plane.
    let temperature = 0.5 * mass * mean_square;
    let pressure = (push(&*engine) - before) / TIMES.1 / (4.0 * ROOM);
    let inside = gas.discs.iter().all(|&disc| {
        let [x, y] = place(&*engine, disc);
        (0.0..LENGTH).contains(&x) && (0.0..LENGTH).contains(&y)
    });
    let density = DISCS as f64 / (ROOM * ROOM);
    State {
        speeds,
        mean_square,
        compressibility: if inside {
            pressure / (density * temperature)
        } else {
            f64::NAN
        },
    }
}

fn gas(make: &Maker<'_>) -> Vec<Figure> {
    let on_time = run(make, Continuous::Substep);
    let usual = run(make, Continuous::Auto);
    // Exceeded by chance once in a hundred.
    let distance = 1.63 / f64::sqrt(on_time.speeds.len() as f64);
    // Some 13 000 impacts on the walls whose impulses scatter by sqrt(4 / pi) of their mean: three deviations.
    let scatter = 0.03;
    let reference = format!("P / (n k T) = {:.4}", expected());
    let lost = |state: &State| (1.0 - state.mean_square / (SPEED * SPEED)).abs();
    vec![
        Figure::new(
            "gas of 196 discs, impacts at their time, 240 s: distance of the speeds from Rayleigh's distribution (Kolmogorov-Smirnov)",
            "0",
            rayleigh_distance(on_time.speeds.clone(), on_time.mean_square),
            distance,
        ),
        Figure::new(
            "relative error of the pressure",
            reference.clone(),
            relative(on_time.compressibility, expected()),
            scatter,
        ),
        Figure::new("relative change of energy", "0", lost(&on_time), 1.0e-3),
        Figure::new(
            "at defaults: distance of the speeds",
            "0",
            rayleigh_distance(usual.speeds.clone(), usual.mean_square),
            distance,
        ),
        Figure::new(
            "relative error of the pressure",
            reference,
            relative(usual.compressibility, expected()),
            scatter,
        ),
        Figure::new("relative change of energy", "0", lost(&usual), 1.0e-3),
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
