//! Separation of one pair of points along an axis, as a function of the fraction.

use super::axis::{Pair, SeparationAxis};
use super::motion::Motion;
use crate::double::DVec;
use crate::support::Support;
use crate::sweep::DSweep;

/// Vector that changes at a constant rate.
#[derive(Clone, Copy)]
struct LinearMotion {
    start: DVec,
    step: DVec,
}

impl LinearMotion {
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
    turns: [LinearMotion; 2],
    centers: LinearMotion,
    arms: [LinearMotion; 2],
    axis: LinearMotion,
    /// Whose rotation turns the axis.
    owner: AxisFrame,
    radii: f64,
}

#[derive(Clone, Copy)]
enum AxisFrame {
    World,
    A,
    B,
}

impl Curve {
    #[inline]
    pub(super) fn new<A: Support + ?Sized, B: Support + ?Sized>(
        motion: &Motion<'_, A, B>,
        axis: &SeparationAxis,
        pair: &Pair,
    ) -> Self {
        let turn = |sweep: &DSweep| LinearMotion::between(sweep.start_rotation, sweep.end_rotation);
        let turns = [turn(&motion.sweep_a), turn(&motion.sweep_b)];
        let [arm_a, arm_b] = motion.arms(&pair.a, &pair.b);
        let (axis, owner) = match axis {
            SeparationAxis::World(n) => (LinearMotion::between(*n, *n), AxisFrame::World),
            SeparationAxis::FaceA(n) => (LinearMotion::turned(&turns[0], n), AxisFrame::A),
            SeparationAxis::FaceB(n) => (LinearMotion::turned(&turns[1], n), AxisFrame::B),
        };
        Self {
            turns,
            centers: LinearMotion {
                start: motion.sweep_b.start - motion.sweep_a.start,
                step: motion.drift,
            },
            arms: [
                LinearMotion::turned(&turns[0], &arm_a),
                LinearMotion::turned(&turns[1], &arm_b),
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
            AxisFrame::World => along,
            AxisFrame::A => along * inv[0],
            AxisFrame::B => along * inv[1],
        };
        along - self.radii
    }
}

/// Returns one over the length of a rotation. Opposite rotations cancel half way: the reciprocal is then zero.
#[inline]
fn inverse_norm(turn: &DVec) -> f64 {
    let norm_sq = turn.norm_squared();
    if norm_sq > 0.0 {
        1.0 / norm_sq.sqrt()
    } else {
        0.0
    }
}
