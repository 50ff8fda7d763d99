//! Separation of two moving shapes along an axis, and a bound of it between two moments.

use super::motion::{Motion, farthest};
use crate::double::{DPose, DVec, to_f64};
use crate::support::Support;

/// Direction along which separation is measured: fixed to A, to B, or to neither.
#[derive(Clone, Copy, Debug)]
pub(super) enum SeparationAxis {
    /// Between two corners: fixed in the world.
    World(DVec),
    /// Normal of a face of A, in the frame of A.
    FaceA(DVec),
    /// From A toward a face of B, in the frame of B.
    FaceB(DVec),
}

/// Core points, each in the frame of its shape, with the numbers by which the shapes find them again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) a: DVec,
    pub(super) b: DVec,
    pub(super) indices: [u16; 2],
}

impl SeparationAxis {
    #[inline]
    fn direction(&self, turn_a: &DPose, turn_b: &DPose) -> DVec {
        match self {
            Self::World(n) => *n,
            Self::FaceA(n) => turn_a.rotate(n),
            Self::FaceB(n) => turn_b.rotate(n),
        }
    }

    /// Returns the separation of the surfaces along the axis, and the deepest pair. It is never more than the
    /// distance of the shapes, for any axis. The search for the pair starts at `near`.
    #[inline]
    pub(super) fn separation<A: Support + ?Sized, B: Support + ?Sized>(
        &self,
        motion: &Motion<'_, A, B>,
        fraction: f64,
        near: [u16; 2],
    ) -> (f64, Pair) {
        let [turn_a, turn_b] = motion.turns_at(fraction);
        let n = self.direction(&turn_a, &turn_b);
        let a = farthest(motion.a, &turn_a, &n, near[0]);
        let b = farthest(motion.b, &turn_b, &-n, near[1]);
        let pair = Pair {
            a: to_f64(&a.point),
            b: to_f64(&b.point),
            indices: [a.index, b.index],
        };
        (
            gap(&motion.arms(&pair.a, &pair.b), &n, &turn_a, &turn_b) - motion.radii,
            pair,
        )
    }

    /// Returns a bound of the second derivative of the separation of any one pair, per sweep squared.
    ///
    /// With `n` the axis, `d` from the point of A to that of B: `(n . d)'' = n'' . d + 2 n' . d' + n . d''`.
    /// A point that is fixed to the frame of the axis adds a constant, so its arm counts in neither `d`
    /// nor `d'`.
    pub(super) fn bend<A: Support + ?Sized, B: Support + ?Sized>(
        &self,
        motion: &Motion<'_, A, B>,
    ) -> f64 {
        let (a, b) = (&motion.turn_a, &motion.turn_b);
        let (own, other) = match self {
            Self::World(_) => return a.bend * a.reach + b.bend * b.reach,
            Self::FaceA(_) => (a, b),
            Self::FaceB(_) => (b, a),
        };
        if own.rate == 0.0 {
            return other.bend * other.reach;
        }
        let far = motion.max_center_distance() + other.reach;
        let speed = motion.drift.norm() + other.rate * other.reach;
        own.bend * far + 2.0 * own.rate * speed + other.bend * other.reach
    }
}

/// Returns the distance along `n` from a point of A to one of B, each given by its arm about the center of its turn.
#[inline]
fn gap([arm_a, arm_b]: &[DVec; 2], n: &DVec, turn_a: &DPose, turn_b: &DPose) -> f64 {
    n.dot(&(turn_b.apply(arm_b) - turn_a.apply(arm_a)))
}

/// Returns a lower bound of the separation between two moments `span` apart, where it is `first` and
/// `last`, with the second derivative of each pair bounded by `bend`.
///
/// The separation is the least of those of all pairs. Each of them less `bend t^2 / 2` is
/// concave, and so is the least of them: it lies above its chord. The chord plus the parabola falls short of the
/// chord by `bend span^2 / 8` at the most.
pub(super) fn least_between(first: f64, last: f64, span: f64, bend: f64) -> f64 {
    let sag = 0.125 * bend * span * span;
    // Lowest point of the chord minus the parabola through both ends.
    let slope = last - first;
    if sag <= 0.0 || slope.abs() >= 4.0 * sag {
        return first.min(last);
    }
    0.5 * (first + last) - sag - slope * slope / (16.0 * sag)
}
