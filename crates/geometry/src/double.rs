//! The `f64` twins of vectors and poses, for the insides of iterative algorithms.
//!
//! Inputs and results are `f32`. In between, distance, casts and time of impact subtract nearly
//! equal numbers; with 29 spare bits they need no tolerance to survive that. A scalar `f64`
//! operation costs about as much as an `f32` one.

use crate::math::{Point, Pose, Vec2};
use nalgebra::Vector2;

/// Vector or point in double precision.
pub(crate) type DVec = Vector2<f64>;

/// Returns `p` in double precision.
#[inline]
pub(crate) fn to_f64(p: &Point) -> DVec {
    DVec::new(p.x.into(), p.y.into())
}

/// Returns `v` in double precision.
#[inline]
pub(crate) fn wide_vec(v: &Vec2) -> DVec {
    DVec::new(v.x.into(), v.y.into())
}

/// Returns the nearest single precision vector.
#[inline]
pub(crate) fn to_f32(v: &DVec) -> Vec2 {
    Vec2::new(v.x as f32, v.y as f32)
}

/// Returns the nearest single precision point.
#[inline]
pub(crate) fn narrow_point(v: &DVec) -> Point {
    Point::new(v.x as f32, v.y as f32)
}

/// Returns `a.x b.y - a.y b.x`.
#[inline]
pub(crate) fn cross64(a: &DVec, b: &DVec) -> f64 {
    a.x * b.y - a.y * b.x
}

/// Returns the larger of two numbers. `f64::max` also handles NaN, at four times the cost.
#[inline]
pub(crate) fn max64(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// Returns the larger coordinate of `v`, without its sign.
#[inline]
pub(crate) fn max_norm(v: &DVec) -> f64 {
    max64(v.x.abs(), v.y.abs())
}

/// Returns `v` turned left by a quarter turn.
#[inline]
pub(crate) fn perp64(v: &DVec) -> DVec {
    DVec::new(-v.y, v.x)
}

/// Returns `v` with unit length, or `None` for the zero vector.
#[inline]
pub(crate) fn normalize64(v: &DVec) -> Option<DVec> {
    let norm = v.dot(v).sqrt();
    (norm > 0.0).then(|| v / norm)
}

/// Returns `v` with unit length, or `None` for the zero vector, rounded once.
#[inline]
pub(crate) fn unit(v: &Vec2) -> Option<Vec2> {
    normalize64(&wide_vec(v)).map(|u| to_f32(&u))
}

/// Rotation followed by translation, in double precision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DPose {
    pub(crate) cos: f64,
    pub(crate) sin: f64,
    pub(crate) offset: DVec,
}

impl DPose {
    /// Returns the pose with a rotation of unit length: an `f32` one is off by up to an ulp, which
    /// would scale the shape.
    #[inline]
    pub(crate) fn new(pose: &Pose) -> Self {
        let (cos, sin) = (f64::from(pose.rotation.re), f64::from(pose.rotation.im));
        // One Newton step from a norm within 1e-7 of 1 leaves 1e-14.
        let scale = 1.5 - 0.5 * (cos * cos + sin * sin);
        Self {
            cos: cos * scale,
            sin: sin * scale,
            offset: wide_vec(&pose.translation.vector),
        }
    }

    /// Returns the direction `v` of the inner frame in the outer one.
    #[inline]
    pub(crate) fn rotate(&self, v: &DVec) -> DVec {
        DVec::new(
            self.cos * v.x - self.sin * v.y,
            self.sin * v.x + self.cos * v.y,
        )
    }

    /// Returns the direction `v` of the outer frame in the inner one.
    #[inline]
    pub(crate) fn unrotate(&self, v: &DVec) -> DVec {
        DVec::new(
            self.cos * v.x + self.sin * v.y,
            self.cos * v.y - self.sin * v.x,
        )
    }

    /// Returns the point `p` of the inner frame in the outer one.
    #[inline]
    pub(crate) fn apply(&self, p: &DVec) -> DVec {
        self.rotate(p) + self.offset
    }
}
