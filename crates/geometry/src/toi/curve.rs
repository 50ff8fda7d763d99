//! Separation of one pair of points along an axis, as a function of the fraction.

use super::axis::{Axis, Pair};
use super::motion::Motion;
use crate::double::DVec;
use crate::support::Support;
use crate::sweep::DSweep;

/// Vector that changes at a constant rate.
#[derive(Clone, Copy)]
struct Line {
    start: DVec,
    step: DVec,
}

impl Line {
    #[inline]
    fn between(start: DVec, end: DVec) -> Self {
        Self {
            start,
            step: end - start,
        }
    }

    /// Returns the ways of a rotation that is not normalized yet, and of `v` turned by it.
    #[inline]
    fn turned(turn: &Self, v: &DVec) -> Self {
        let turned = |q: &DVec| DVec::new(q.x * v.x - q.y * v.y, q.y * v.x + q.x * v.y);
        Self {
            start: turned(&turn.start),
            step: turned(&turn.step),
        }
    }

    #[inline]
    fn at(&self, fraction: f64) -> DVec {
        self.start + self.step * fraction
    }
}

/// The separation of a pair, prepared for many fractions.
///
/// With `q` the interpolated rotations, that are normalized last: `n . (centers + q_b b / |q_b| - q_a a / |q_a|)`,
/// where all but the two norms changes at constant rates.
pub(super) struct Curve {
    turns: [Line; 2],
    centers: Line,
    arms: [Line; 2],
    axis: Line,
    /// Whose rotation turns the axis.
    owner: Owner,
    radii: f64,
}

#[derive(Clone, Copy)]
enum Owner {
    World,
    A,
    B,
}

impl Curve {
    #[inline]
    pub(super) fn new<A: Support + ?Sized, B: Support + ?Sized>(
        motion: &Motion<'_, A, B>,
        axis: &Axis,
        pair: &Pair,
    ) -> Self {
        let turn = |sweep: &DSweep| Line::between(sweep.start_rotation, sweep.end_rotation);
        let turns = [turn(&motion.sweep_a), turn(&motion.sweep_b)];
        let [arm_a, arm_b] = motion.arms(&pair.a, &pair.b);
        let (axis, owner) = match axis {
            Axis::World(n) => (Line::between(*n, *n), Owner::World),
            Axis::FaceA(n) => (Line::turned(&turns[0], n), Owner::A),
            Axis::FaceB(n) => (Line::turned(&turns[1], n), Owner::B),
        };
        Self {
            turns,
            centers: Line {
                start: motion.sweep_b.start - motion.sweep_a.start,
                step: motion.drift,
            },
            arms: [
                Line::turned(&turns[0], &arm_a),
                Line::turned(&turns[1], &arm_b),
            ],
            axis,
            owner,
            radii: motion.radii,
        }
    }

    /// Returns the separation at `fraction`.
    #[inline]
    pub(super) fn at(&self, fraction: f64) -> f64 {
        let inv = self.turns.map(|turn| inverse_norm(&turn.at(fraction)));
        let [arm_a, arm_b] = self.arms.map(|arm| arm.at(fraction));
        let apart = self.centers.at(fraction) + arm_b * inv[1] - arm_a * inv[0];
        let along = self.axis.at(fraction).dot(&apart);
        let along = match self.owner {
            Owner::World => along,
            Owner::A => along * inv[0],
            Owner::B => along * inv[1],
        };
        along - self.radii
    }
}

/// Returns one over the length of a rotation. Opposite rotations cancel half way: what they turn counts as nothing then.
#[inline]
fn inverse_norm(turn: &DVec) -> f64 {
    let norm_sq = turn.norm_squared();
    if norm_sq > 0.0 {
        1.0 / norm_sq.sqrt()
    } else {
        0.0
    }
}
