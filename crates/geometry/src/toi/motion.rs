//! Two sweeps together: poses, speeds and turn rates.

use crate::double::{DPose, DVec, max64, to_f32, to_f64};
use crate::math::{Point, Rotation, Vec2};
use crate::support::{Support, SupportPoint};
use crate::sweep::{DSweep, Sweep};

/// Two moving shapes, with the bounds of their motion.
pub(super) struct Motion<'a, A: ?Sized, B: ?Sized> {
    pub(super) a: &'a A,
    pub(super) b: &'a B,
    pub(super) sweep_a: DSweep,
    pub(super) sweep_b: DSweep,
    /// Displacement of the center of B against that of A over the whole sweep.
    pub(super) drift: DVec,
    pub(super) turn_a: Turn,
    pub(super) turn_b: Turn,
    /// Sum of the roundings.
    pub(super) radii: f64,
}

/// Bounds of a turn over a whole sweep.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turn {
    /// Largest angular rate [rad per sweep].
    pub(super) rate: f64,
    /// Largest second derivative of a rotating unit vector: rate squared plus angular acceleration.
    pub(super) bend: f64,
    /// Largest distance of the core from the center of the turn.
    pub(super) reach: f64,
}

/// Poses of both at one fraction.
#[derive(Clone, Copy)]
pub(super) struct Moment {
    pub(super) pose_a: DPose,
    pub(super) pose_b: DPose,
}

impl<'a, A: Support + ?Sized, B: Support + ?Sized> Motion<'a, A, B> {
    pub(super) fn new(a: &'a A, sweep_a: &'a Sweep, b: &'a B, sweep_b: &'a Sweep) -> Self {
        // A body that does not turn still has an arm about an axis that turns with the other.
        let is_turning = [sweep_a, sweep_b]
            .iter()
            .any(|s| s.start_rotation != s.end_rotation);
        let (wide_a, wide_b) = (DSweep::new(sweep_a), DSweep::new(sweep_b));
        Self {
            a,
            b,
            sweep_a: wide_a,
            sweep_b: wide_b,
            drift: wide_b.step() - wide_a.step(),
            turn_a: if is_turning {
                Turn::new(sweep_a, a)
            } else {
                Turn::default()
            },
            turn_b: if is_turning {
                Turn::new(sweep_b, b)
            } else {
                Turn::default()
            },
            radii: f64::from(a.rounding()) + f64::from(b.rounding()),
        }
    }

    /// Returns the centers and rotations of both at a fraction.
    #[inline]
    pub(super) fn turns_at(&self, fraction: f64) -> [DPose; 2] {
        [
            self.sweep_a.turn_at(fraction),
            self.sweep_b.turn_at(fraction),
        ]
    }

    /// Returns a local point of A and one of B from the centers of their turns.
    #[inline]
    pub(super) fn arms(&self, a: &DVec, b: &DVec) -> [DVec; 2] {
        [a - self.sweep_a.local_center, b - self.sweep_b.local_center]
    }

    pub(super) fn at(&self, fraction: f64) -> Moment {
        Moment {
            pose_a: self.sweep_a.pose_at(fraction),
            pose_b: self.sweep_b.pose_at(fraction),
        }
    }

    /// Returns the largest distance between the two centers on the way: it is largest at an end.
    pub(super) fn max_center_distance(&self) -> f64 {
        let start = self.sweep_b.start - self.sweep_a.start;
        max64(start.norm_squared(), (start + self.drift).norm_squared()).sqrt()
    }
}

impl Moment {
    /// Returns the pose of B in the frame of A.
    pub(super) fn b_in_a(&self) -> DPose {
        let (a, b) = (&self.pose_a, &self.pose_b);
        DPose {
            cos: a.cos * b.cos + a.sin * b.sin,
            sin: a.cos * b.sin - a.sin * b.cos,
            offset: a.unrotate(&(b.offset - a.offset)),
        }
    }
}

impl Turn {
    /// Bounds the turn of normalized linear interpolation: with `q` the interpolated vector and `phi` the whole
    /// turn, the rate is `sin phi / |q|^2` and its derivative `-rate (|q|^2)' / |q|^2`; `|q|^2` is
    /// `(1 + cos phi) / 2` at the least and changes by `2 (1 - cos phi)` at the most.
    fn new<S: Support + ?Sized>(sweep: &Sweep, shape: &S) -> Self {
        let (sin, cos) = turn_between(&sweep.start_rotation, &sweep.end_rotation);
        let reach = core_reach(shape, &sweep.local_center);
        if sin == 0.0 && cos > 0.0 {
            return Self {
                reach,
                ..Self::default()
            };
        }
        let least = 0.5 * (1.0 + cos);
        let rate = sin / least;
        let acceleration = rate * 2.0 * (1.0 - cos) / least;
        Self {
            rate,
            bend: rate * rate + acceleration,
            reach,
        }
    }
}

/// Returns sine (not negative) and cosine of the angle between two rotations.
fn turn_between(start: &Rotation, end: &Rotation) -> (f64, f64) {
    let (a, b) = (
        DVec::new(start.re.into(), start.im.into()),
        DVec::new(end.re.into(), end.im.into()),
    );
    (crate::double::cross64(&a, &b).abs(), a.dot(&b))
}

/// Returns the largest distance of the core from `center`, or a bound of it, by its box.
fn core_reach<S: Support + ?Sized>(shape: &S, center: &Point) -> f64 {
    if let Some(hull) = shape.as_rounded_hull() {
        let center = to_f64(center);
        let far_sq = hull
            .vertices
            .iter()
            .map(|v| (to_f64(v) - center).norm_squared());
        return far_sq.fold(0.0, max64).sqrt();
    }
    let side = |direction: Vec2| {
        let offset = to_f64(&shape.core_support(&direction).point) - to_f64(center);
        offset.dot(&crate::double::wide_vec(&direction)).abs()
    };
    let x = side(Vec2::x()).max(side(-Vec2::x()));
    let y = side(Vec2::y()).max(side(-Vec2::y()));
    DVec::new(x, y).norm()
}

/// Returns the local point of `shape` farthest along the outer direction `direction` at `turn`, searched from the
/// point with the number `near`.
#[inline]
pub(super) fn farthest<S: Support + ?Sized>(
    shape: &S,
    turn: &DPose,
    direction: &DVec,
    near: u16,
) -> SupportPoint {
    shape.core_support_near(&to_f32(&turn.unrotate(direction)), near)
}
