//! First time of impact of two shapes that move and turn.

use super::{EPS, Operation};
use crate::box2d;
use crate::case::{Case, Pair, Stream};
use crate::generate::Random;
use crate::oracle::{self, Body, Frame};
use crate::tally::Tally;
use boxdd_sys::ffi::*;
use cairn2d_geometry::math::{Point, Pose, Vec2, rotation};
use cairn2d_geometry::tolerance::LINEAR_SLOP;
use cairn2d_geometry::{
    Shape, SimplexCache, Sweep, TimeOfImpact, ToiState, distance, time_of_impact,
};

/// Distance at a hit, up to which it is right [m].
const FARTHEST: f64 = 2.0 * LINEAR_SLOP as f64;
/// Moments at which nothing may touch before the answer.
const MOMENTS: u32 = 64;
/// Gap at the start below which touching is a matter of rounding, relative.
const LEAST_GAP: f64 = 1e-6;
/// Spacing of numbers, in slops, from which on the search may give up.
const COARSE: f64 = 0.05;
/// Roundings of the largest coordinate that a touch may be deep where numbers are that coarse.
const ULPS: f64 = 8.0;
/// Cosine of a turn from which on the search may give up: 120 degrees.
const WILD_COSINE: f32 = -0.5;
/// Errors of answers that are wrong in kind, in tolerances.
const TOUCHES: f64 = 2.0;
const NOT_TO_THE_END: f64 = 9.0;
const NO_ANSWER: f64 = 99.0;

pub const OPERATION: Operation = Operation {
    name: "impact",
    gap: |random| random.log_between(0.02, 3.0),
    aim,
    judge,
    peers,
    test,
};

/// Numbers: turn and center of A, turn and center of B, way of B.
fn aim(random: &mut Random, case: &mut Case, stream: Stream) {
    case.numbers = vec![0.0; 8];
    let (Some(a), Some(b)) = (case.a.shape(), case.b.shape()) else {
        return;
    };
    let size = [&a, &b].map(|s| s.extent_about(&Point::origin()));
    let most = if stream == Stream::Degenerate {
        3.0
    } else {
        1.2
    };
    let mut turn = |size: f32| {
        let angle = if random.below(2) == 0 {
            0.0
        } else {
            random.between(-most, most)
        };
        let center = random.direction() * (size * 0.3);
        [angle, center.x, center.y]
    };
    let (turn_a, turn_b) = (turn(size[0]), turn(size[1]));
    let apart = distance(&a, &b, &case.pose(), &mut SimplexCache::default());
    let far = apart.distance * random.between(0.3, 3.0);
    let way = rotation(random.between(-0.6, 0.6)) * -apart.normal * far;
    case.numbers = [&turn_a[..], &turn_b, &[way.x, way.y]].concat();
}

fn sweep(at: &Pose, turn: &[f32], way: Vec2) -> Sweep {
    let mut sweep = Sweep::resting(at);
    sweep.end_rotation = sweep.start_rotation * rotation(turn[0]);
    sweep.local_center = Point::new(turn[1], turn[2]);
    sweep.start += sweep.start_rotation * sweep.local_center.coords;
    sweep.end = sweep.start + way;
    sweep
}

struct Question {
    pair: Pair,
    sweeps: (Sweep, Sweep),
    ours: TimeOfImpact,
    /// Least distance at the moments up to our answer.
    least: f64,
}

impl Question {
    fn exact(&self, fraction: f64) -> f64 {
        let (a, b) = &self.sweeps;
        oracle::separation(
            &Body::new(&self.pair.a, &Frame::of_sweep(a, fraction)),
            &Body::new(&self.pair.b, &Frame::of_sweep(b, fraction)),
        )
    }
}

fn question(case: &Case) -> Option<Question> {
    let pair = Pair::of(case)?;
    let is_half_turn = |angle: f32| angle.abs() > 3.1;
    if is_half_turn(case.numbers[0]) || is_half_turn(case.numbers[3]) {
        return None;
    }
    let sweeps = (
        sweep(&Pose::identity(), &case.numbers[..3], Vec2::zeros()),
        sweep(&pair.pose, &case.numbers[3..6], case.vector(6)),
    );
    let mut q = Question {
        ours: time_of_impact(&pair.a, &sweeps.0, &pair.b, &sweeps.1, 1.0),
        pair,
        sweeps,
        least: f64::INFINITY,
    };
    if q.exact(0.0) <= LEAST_GAP * q.pair.scale {
        return None;
    }
    let end = f64::from(q.ours.fraction);
    for i in 0..=MOMENTS {
        q.least = q
            .least
            .min(q.exact(end * f64::from(i) / f64::from(MOMENTS)));
    }
    Some(q)
}

/// Nothing touches up to the fraction; at a hit the gap is within two slops; else all is free.
fn judge(case: &Case) -> Option<f64> {
    let q = question(case)?;
    let safe = if q.least > -q.rounding() {
        0.0
    } else {
        TOUCHES - q.least
    };
    let end = f64::from(q.ours.fraction);
    let kind = match q.ours.state {
        ToiState::Touching => q.exact(end) / (FARTHEST + EPS * q.travel()),
        ToiState::Separated if end == 1.0 => 0.0,
        ToiState::Separated => NOT_TO_THE_END,
        // Some may be given up, at a safe fraction.
        ToiState::Failed if q.is_wild() => 0.0,
        _ => NO_ANSWER,
    };
    Some(safe.max(kind))
}

impl Question {
    /// Returns how far a point may go in the whole step: a fraction in single precision is a part of it.
    fn travel(&self) -> f64 {
        let way = |s: &Sweep, shape: &Shape| {
            let turn = s.start_rotation.inverse() * s.end_rotation;
            // Interpolated cosine and sine are fastest in the middle: by twice the tangent of half the turn.
            let rate = 2.0 * turn.im.abs() / (1.0 + turn.re);
            (s.end - s.start).norm() + rate * shape.extent_about(&s.local_center)
        };
        let (a, b) = &self.sweeps;
        f64::from(way(a, &self.pair.a) + way(b, &self.pair.b))
    }

    /// Returns how deep a touch may be: nothing, but where the spacing of single precision is not small beside a slop.
    fn rounding(&self) -> f64 {
        if self.is_coarse() {
            ULPS * EPS * self.pair.scale
        } else {
            0.0
        }
    }

    fn is_coarse(&self) -> bool {
        EPS * self.pair.scale > COARSE * f64::from(LINEAR_SLOP)
    }

    /// Says whether giving up is allowed: after large turns, and where the spacing of single precision is not
    /// small beside a slop.
    fn is_wild(&self) -> bool {
        let turn = |s: &Sweep| (s.start_rotation.inverse() * s.end_rotation).re;
        turn(&self.sweeps.0).min(turn(&self.sweeps.1)) < WILD_COSINE || self.is_coarse()
    }
}

fn test(case: &Case) -> String {
    let sweep = |at: &str, numbers: &[f32], way: [f32; 2]| {
        format!(
            "{{\n        let mut sweep = Sweep::resting(&{at});\n        \
             sweep.end_rotation = sweep.start_rotation * rotation({:?});\n        \
             sweep.local_center = point({:?}, {:?});\n        \
             sweep.start += sweep.start_rotation * sweep.local_center.coords;\n        \
             sweep.end = sweep.start + vec2({:?}, {:?});\n        sweep\n    }}",
            numbers[0], numbers[1], numbers[2], way[0], way[1]
        )
    };
    let n = &case.numbers;
    let found = question(case).map(|q| (q.ours, q.least, q.exact(q.ours.fraction.into())));
    format!(
        "{}    let sweep_a = {};\n    let sweep_b = {};\n    \
         let found = time_of_impact(&a, &sweep_a, &b, &sweep_b, 1.0);\n    \
         // Found, least distance before, distance there: {found:?}.\n    \
         assert!(matches!(found.state, ToiState::Touching | ToiState::Separated), \"{{found:?}}\");\n",
        case.code(),
        sweep("Pose::identity()", &n[..3], [0.0; 2]),
        sweep("p", &n[3..6], [n[6], n[7]])
    )
}

fn peers(case: &Case, tally: &mut Tally) {
    let Some(q) = question(case) else { return };
    let input = b2TOIInput {
        proxyA: box2d::proxy(&q.pair.a),
        proxyB: box2d::proxy(&q.pair.b),
        sweepA: box2d::sweep(&q.sweeps.0),
        sweepB: box2d::sweep(&q.sweeps.1),
        maxFraction: 1.0,
    };
    let theirs = unsafe { b2TimeOfImpact(&input) };
    let slop = f64::from(LINEAR_SLOP);
    let there = q.exact(theirs.fraction.into());
    let is_hit = theirs.state == b2TOIState_b2_toiStateHit;
    let is_off = match q.ours.state {
        ToiState::Touching => !is_hit || there < -slop - 1e-3,
        _ => is_hit && there > 2.0 * slop,
    };
    let cause = match (q.ours.state, is_hit) {
        (ToiState::Touching, false) if theirs.state == b2TOIState_b2_toiStateOverlapped => {
            "box2d: says they overlap from the start"
        }
        (ToiState::Touching, false) if theirs.state == b2TOIState_b2_toiStateFailed => {
            "box2d: gives up"
        }
        (ToiState::Touching, false) if q.least > 0.0 && q.exact(1.0) > 0.0 => {
            "box2d: misses what turns past"
        }
        (ToiState::Touching, false) if q.exact(1.0) >= -slop => "box2d: ends less than a slop deep",
        (ToiState::Touching, false) => "box2d: misses what it ends in",
        (ToiState::Touching, true) => "box2d: stops more than a slop deep",
        _ => "box2d: hit too far away",
    };
    let ours = q.ours;
    tally.peer(cause, is_off, || {
        format!("{:?} {there} for {ours:?} {case:?}", theirs.state)
    });
}
