//! Track of the car: a closed road of tiles through twelve random checkpoints, with borders at sharp turns.

use crate::envs::random::Random;
use std::f64::consts::{PI, TAU};

/// Scale of the environment: pixels of its window in a meter, at a zoom of 1.
pub(super) const SCALE: f64 = 6.0;
/// Greatest distance of a checkpoint from the middle, at all but the start [m].
const RADIUS: f64 = 900.0 / SCALE;
/// Length of a tile [m].
const DETAIL_STEP: f64 = 21.0 / SCALE;
/// Greatest turn in a tile [rad].
const TURN_RATE: f64 = 0.31;
/// Half the width of the road [m].
const WIDTH: f64 = 40.0 / SCALE;
/// Width of a border [m].
const BORDER: f64 = 8.0 / SCALE;
/// Number of tiles in a row that turn sharply where a border begins.
const BORDER_MIN_COUNT: usize = 4;
const CHECKPOINTS: usize = 12;
/// Greatest number of tiles before the closed lap is cut out.
const MAX_STATIONS: usize = 2500;
/// Laps after which the walk ends.
const LAPS: u32 = 5;
/// Angle of the start, between the last checkpoint and the first [rad].
const START_ALPHA: f64 = TAU * -0.5 / CHECKPOINTS as f64;

/// Four corners in the order of the outline [m].
pub(super) type Quad = [[f64; 2]; 4];

/// A place of the track: where a tile ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Station {
    /// Angle of the place as seen from the middle [rad].
    alpha: f64,
    /// Direction across the road [rad].
    pub(super) beta: f64,
    pub(super) place: [f64; 2],
}

/// A piece of border beside a tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Border {
    pub(super) outline: Quad,
    /// Whether it is white; the others are red.
    pub(super) is_white: bool,
}

/// A closed road.
#[derive(Clone, Debug, Default)]
pub(super) struct Track {
    pub(super) stations: Vec<Station>,
    /// The tile that ends at each station.
    pub(super) tiles: Vec<Quad>,
    pub(super) borders: Vec<Border>,
}

#[derive(Clone, Copy, Debug)]
struct Checkpoint {
    alpha: f64,
    place: [f64; 2],
}

impl Track {
    /// Makes a track. An attempt may give no closed lap: then another one follows.
    pub(super) fn new(random: &mut Random) -> Self {
        loop {
            let stations = walk(&checkpoints(random));
            if let Some(lap) = closed_lap(&stations) {
                return Self::of_lap(lap.to_vec());
            }
        }
    }

    fn of_lap(stations: Vec<Station>) -> Self {
        let before = |i: usize| &stations[(i + stations.len() - 1) % stations.len()];
        let pairs = stations.iter().enumerate();
        let tiles = pairs
            .clone()
            .map(|(i, station)| strip(station, before(i), [-WIDTH, WIDTH]));
        let has_border = bordered(&stations);
        let borders = pairs.filter(|&(i, _)| has_border[i]).map(|(i, station)| {
            let side = sign(before(i).beta - station.beta);
            let outline = strip(station, before(i), [side * WIDTH, side * (WIDTH + BORDER)]);
            Border {
                outline,
                is_white: i % 2 == 0,
            }
        });
        Self {
            tiles: tiles.collect(),
            borders: borders.collect(),
            stations,
        }
    }
}

/// Sign of a number: 0 of 0.
pub(super) fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

/// Returns the outline of a strip along the road between two stations, from one distance of the middle line to another [m].
fn strip(station: &Station, before: &Station, across: [f64; 2]) -> Quad {
    let corner = |at: &Station, far: f64| {
        let (sin, cos) = libm::sincos(at.beta);
        [at.place[0] + far * cos, at.place[1] + far * sin]
    };
    let [near, far] = across;
    [
        corner(station, near),
        corner(station, far),
        corner(before, far),
        corner(before, near),
    ]
}

fn checkpoints(random: &mut Random) -> [Checkpoint; CHECKPOINTS] {
    std::array::from_fn(|at| {
        let noise = random.uniform(0.0, TAU / CHECKPOINTS as f64);
        let radius = random.uniform(RADIUS / 3.0, RADIUS);
        let regular = TAU * at as f64 / CHECKPOINTS as f64;
        let (alpha, radius) = match at {
            0 => (0.0, 1.5 * RADIUS),
            at if at == CHECKPOINTS - 1 => (regular, 1.5 * RADIUS),
            _ => (regular + noise, radius),
        };
        let (sin, cos) = libm::sincos(alpha);
        Checkpoint {
            alpha,
            place: [radius * cos, radius * sin],
        }
    })
}

/// Goes from checkpoint to checkpoint, several times around.
fn walk(checkpoints: &[Checkpoint; CHECKPOINTS]) -> Vec<Station> {
    let ([mut x, mut y], mut beta) = ([1.5 * RADIUS, 0.0], 0.0_f64);
    let (mut destination, mut laps, mut was_below) = (0, 0, false);
    let mut stations = Vec::new();
    while laps < LAPS && stations.len() < MAX_STATIONS {
        let mut alpha = libm::atan2(y, x);
        if was_below && alpha > 0.0 {
            laps += 1;
            was_below = false;
        }
        if alpha < 0.0 {
            was_below = true;
            alpha += TAU;
        }
        let goal = next_checkpoint(checkpoints, &mut destination, &mut alpha);
        let (sin, cos) = libm::sincos(beta);
        let projection = cos * (goal[0] - x) + sin * (goal[1] - y);
        while beta - alpha > 1.5 * PI {
            beta -= TAU;
        }
        while beta - alpha < -1.5 * PI {
            beta += TAU;
        }
        let before = beta;
        beta += turn(projection * SCALE);
        x += -sin * DETAIL_STEP;
        y += cos * DETAIL_STEP;
        stations.push(Station {
            alpha,
            beta: before * 0.5 + beta * 0.5,
            place: [x, y],
        });
    }
    stations
}

/// Returns the place of the next checkpoint that is not behind the angle `alpha`; takes a turn off `alpha` after the last one.
fn next_checkpoint(
    checkpoints: &[Checkpoint; CHECKPOINTS],
    destination: &mut usize,
    alpha: &mut f64,
) -> [f64; 2] {
    loop {
        let checkpoint = &checkpoints[*destination % CHECKPOINTS];
        if *alpha <= checkpoint.alpha {
            return checkpoint.place;
        }
        *destination += 1;
        if destination.is_multiple_of(CHECKPOINTS) {
            *alpha -= TAU;
        }
    }
}

/// Turn toward a checkpoint that is aside by so many pixels [rad].
fn turn(aside: f64) -> f64 {
    let turn = TURN_RATE.min((0.001 * aside).abs());
    if aside > 0.3 {
        -turn
    } else if aside < -0.3 {
        turn
    } else {
        0.0
    }
}

/// Returns the last lap from start to start, if its ends meet.
fn closed_lap(stations: &[Station]) -> Option<&[Station]> {
    let passes_start =
        |&i: &usize| stations[i].alpha > START_ALPHA && stations[i - 1].alpha <= START_ALPHA;
    let mut passes = (1..stations.len()).rev().filter(passes_start);
    let (end, start) = (passes.next()?, passes.next()?);
    let lap = &stations[start..end - 1];
    let (first, last) = (lap.first()?, lap.last()?);
    let (sin, cos) = libm::sincos(first.beta);
    let gap = [
        cos * (first.place[0] - last.place[0]),
        sin * (first.place[1] - last.place[1]),
    ];
    ((gap[0] * gap[0] + gap[1] * gap[1]).sqrt() <= DETAIL_STEP).then_some(lap)
}

/// Returns which tiles have a border: those of sharp turns to one side.
fn bordered(stations: &[Station]) -> Vec<bool> {
    let count = stations.len();
    let back = |i: usize, by: usize| (i + 2 * count - by) % count;
    let is_sharp = |i: usize| {
        let turns = (0..BORDER_MIN_COUNT)
            .map(|by| stations[back(i, by)].beta - stations[back(i, by + 1)].beta);
        let one_side: f64 = turns.clone().map(sign).sum();
        turns.clone().all(|turn| turn.abs() > TURN_RATE * 0.2)
            && one_side.abs() == BORDER_MIN_COUNT as f64
    };
    let mut border: Vec<bool> = (0..count).map(is_sharp).collect();
    // In place: borders before the start reach back from the end of the lap again.
    for i in 0..count {
        for by in 0..BORDER_MIN_COUNT {
            border[back(i, by)] |= border[i];
        }
    }
    border
}
