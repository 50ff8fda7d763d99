//! Vectors and rotations in `f64`, for the precision of the direct solver.

use cairn2d_geometry::math::Vec2;
use core::ops::{Add, AddAssign, Mul, Neg, Sub};

/// A vector in the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct DVec {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl DVec {
    pub(crate) const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    pub(crate) fn wide(v: Vec2) -> Self {
        Self::new(v.x.into(), v.y.into())
    }

    pub(crate) fn narrow(self) -> Vec2 {
        Vec2::new(self.x as f32, self.y as f32)
    }

    pub(crate) fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y
    }

    pub(crate) fn cross(self, other: Self) -> f64 {
        self.x * other.y - self.y * other.x
    }

    pub(crate) fn left(self) -> Self {
        Self::new(-self.y, self.x)
    }

    pub(crate) fn norm(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// Returns the vector rotated by `turn`, cosine and sine.
    pub(crate) fn turned(self, turn: Self) -> Self {
        Self::new(
            turn.x * self.x - turn.y * self.y,
            turn.y * self.x + turn.x * self.y,
        )
    }
}

impl Add for DVec {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl AddAssign for DVec {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for DVec {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul<DVec> for f64 {
    type Output = DVec;
    fn mul(self, v: DVec) -> DVec {
        DVec::new(self * v.x, self * v.y)
    }
}

impl Neg for DVec {
    type Output = Self;
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y)
    }
}

/// Angle up to which the series of sine and cosine are used [rad]; the truncation error is below the rounding
/// of an `f64`.
const SERIES_ANGLE: f64 = 0.0625;

/// Returns cosine and sine of `angle` [rad], a unit vector: 1 - x^2 / 2 (1 - x^2 / 12 (1 - ..)), and likewise for the sine.
///
/// Larger angles are halved until the series holds, and the rotation is then doubled as often.
pub(crate) fn turn_by(angle: f64) -> DVec {
    let (mut x, mut doublings) = (angle, 0);
    while x.abs() > SERIES_ANGLE && doublings < MAX_ANGLE_DOUBLINGS {
        x *= 0.5;
        doublings += 1;
    }
    let x2 = x * x;
    let (mut cos, mut sin) = (1.0, 1.0);
    for (of_cos, of_sin) in SERIES.into_iter().rev() {
        cos = 1.0 - x2 * of_cos * cos;
        sin = 1.0 - x2 * of_sin * sin;
    }
    let mut turn = DVec::new(cos, x * sin);
    if doublings > 0 {
        for _ in 0..doublings {
            turn = turn.turned(turn);
        }
        turn = (1.0 / turn.norm()) * turn;
    }
    turn
}

/// Ratios of the terms of the series of cosine and sine: 1 / (n (n - 1)) and 1 / (n (n + 1)) for n = 2, 4, ..; see `SERIES_ANGLE`.
const SERIES: [(f64, f64); 4] = {
    let mut ratios = [(0.0, 0.0); 4];
    let mut k = 0;
    while k < ratios.len() {
        let n = 2.0 * (k + 1) as f64;
        ratios[k] = (1.0 / (n * (n - 1.0)), 1.0 / (n * (n + 1.0)));
        k += 1;
    }
    ratios
};

/// Most halvings: angles of more than a million radians have no precision left.
const MAX_ANGLE_DOUBLINGS: u32 = 24;

/// Returns the angle of a unit vector near (1, 0) [rad], below half a radian, by Newton's method from its
/// sine.
pub(crate) fn small_angle_of(turn: DVec) -> f64 {
    // asin s = s + s^3 / 6 + .. has an error of 0.01, and each iteration cubes it.
    let mut angle = turn.y * (1.0 + turn.y * turn.y / 6.0);
    for _ in 0..3 {
        let rest = turn.turned(turn_by(-angle));
        angle += rest.y;
    }
    angle
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_add_up() {
        for i in -200..200 {
            let angle = 0.037 * f64::from(i);
            let (found, again) = (turn_by(angle), turn_by(0.5 * angle));
            let twice = again.turned(again);
            assert!((found - twice).norm() < 1.0e-15, "{angle}");
            // Against the library, whose last digit may differ from platform to platform.
            assert!((found - DVec::new(angle.cos(), angle.sin())).norm() < 1.0e-14);
        }
    }

    #[test]
    fn small_angles_are_found() {
        for i in -50..=50 {
            let planted = 0.01 * f64::from(i);
            assert!((small_angle_of(turn_by(planted)) - planted).abs() < 1.0e-15);
        }
    }
}
