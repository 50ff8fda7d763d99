//! The vector types of the engine, pinned trigonometry, and points far from the origin.
//!
//! Types are nalgebra's, named once here. Angles are radians, counter-clockwise positive, y is up.
//! `sin`, `cos` and `atan2` come from the `libm` crate, compiled from Rust source on every target:
//! the platform's own differ in the last bit between systems.

use core::fmt;
use core::ops::{Add, AddAssign, Sub, SubAssign};
use nalgebra::{Isometry2, Point2, Translation2, UnitComplex, Vector2};

/// Displacement, velocity, or direction (unit where so said).
pub type Vec2 = Vector2<f32>;
/// Place, in the frame that the context names \[m\].
pub type Point = Point2<f32>;
/// Rotation as a unit complex number: cosine and sine.
pub type Rotation = UnitComplex<f32>;
/// Rotation followed by translation: maps local points to the frame outside.
pub type Pose = Isometry2<f32>;

/// Half a turn \[rad\].
pub const PI: f32 = core::f32::consts::PI;

/// Converts an angle from degrees to radians \[rad\].
#[must_use]
pub const fn radians(degrees: f32) -> f32 {
    degrees * (PI / 180.0)
}

/// Returns sine and cosine of `angle` \[rad\], the same bits on every machine.
#[must_use]
pub fn sin_cos(angle: f32) -> (f32, f32) {
    libm::sincosf(angle)
}

/// Returns the angle of the vector (`x`, `y`) in (-pi, pi] \[rad\], the same bits on every machine;
/// 0 for the zero vector.
#[must_use]
pub fn atan2(y: f32, x: f32) -> f32 {
    libm::atan2f(y, x)
}

/// Returns the rotation by `angle` \[rad\].
#[must_use]
pub fn rotation(angle: f32) -> Rotation {
    let (sin, cos) = sin_cos(angle);
    rotation_from_parts(cos, sin)
}

/// Returns the rotation with the given cosine and sine, which must be normalized already.
#[must_use]
#[inline]
pub fn rotation_from_parts(cos: f32, sin: f32) -> Rotation {
    Rotation::new_unchecked(nalgebra::Complex { re: cos, im: sin })
}

/// Returns the angle of `rotation` in (-pi, pi] \[rad\].
#[must_use]
pub fn angle(rotation: &Rotation) -> f32 {
    atan2(rotation.im, rotation.re)
}

/// Returns the pose at (`x`, `y`) \[m\] turned by `angle` \[rad\].
#[must_use]
pub fn pose(x: f32, y: f32, angle: f32) -> Pose {
    Pose::from_parts(Translation2::new(x, y), rotation(angle))
}

/// Returns the vector (`x`, `y`).
#[must_use]
#[inline]
pub const fn vec2(x: f32, y: f32) -> Vec2 {
    Vec2::new(x, y)
}

/// Returns the point (`x`, `y`).
#[must_use]
#[inline]
pub const fn point(x: f32, y: f32) -> Point {
    Point::new(x, y)
}

/// Returns `a.x b.y - a.y b.x`: the area spanned, positive where `b` lies counter-clockwise of `a`.
#[must_use]
#[inline]
pub fn cross(a: &Vec2, b: &Vec2) -> f32 {
    a.x * b.y - a.y * b.x
}

/// Returns the cross product of an angular rate about z with `v`: `v` turned left, times `w`.
#[must_use]
#[inline]
pub fn cross_scalar(w: f32, v: &Vec2) -> Vec2 {
    Vec2::new(-w * v.y, w * v.x)
}

/// Returns `v` turned left by a quarter turn.
#[must_use]
#[inline]
pub fn left_perp(v: &Vec2) -> Vec2 {
    Vec2::new(-v.y, v.x)
}

/// Returns `v` turned right by a quarter turn.
#[must_use]
#[inline]
pub fn right_perp(v: &Vec2) -> Vec2 {
    Vec2::new(v.y, -v.x)
}

/// Place in the world, exact far from the origin \[m\].
///
/// An `f32` has a spacing of 6 cm at 1000 km; an `f64` of a tenth of a nanometer. The difference of
/// two world points is an `f32` vector, so it is precise between near points anywhere in the world.
///
/// ```
/// use cairn2d_geometry::math::WorldPoint;
///
/// assert_eq!(format!("{:.1}", WorldPoint::new(1.0, -0.25)), "{1.0, -0.2}");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "[f64; 2]", into = "[f64; 2]"))]
pub struct WorldPoint {
    /// Horizontal coordinate \[m\].
    pub x: f64,
    /// Vertical coordinate, upward \[m\].
    pub y: f64,
}

impl WorldPoint {
    /// The origin of the world.
    pub const ORIGIN: Self = Self { x: 0.0, y: 0.0 };

    /// Returns the point (`x`, `y`).
    #[must_use]
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// Returns the nearest `f32` point.
    #[must_use]
    #[inline]
    pub fn to_point(self) -> Point {
        Point::new(self.x as f32, self.y as f32)
    }

    /// Returns `true` if both coordinates are finite numbers.
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }
}

/// The form of nalgebra's points; a precision applies to both coordinates.
impl fmt::Display for WorldPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        self.x.fmt(f)?;
        f.write_str(", ")?;
        self.y.fmt(f)?;
        f.write_str("}")
    }
}

impl Sub for WorldPoint {
    type Output = Vec2;
    #[inline]
    fn sub(self, other: Self) -> Vec2 {
        Vec2::new((self.x - other.x) as f32, (self.y - other.y) as f32)
    }
}

/// Of a place rounded to `f32`, such as the position of a body near the origin.
impl Sub<Point> for WorldPoint {
    type Output = Vec2;
    #[inline]
    fn sub(self, other: Point) -> Vec2 {
        self - Self::from(other)
    }
}

/// Of a place rounded to `f32`, such as the position of a body near the origin.
impl Sub<WorldPoint> for Point {
    type Output = Vec2;
    #[inline]
    fn sub(self, other: WorldPoint) -> Vec2 {
        WorldPoint::from(self) - other
    }
}

impl Add<Vec2> for WorldPoint {
    type Output = Self;
    #[inline]
    fn add(self, v: Vec2) -> Self {
        Self::new(self.x + f64::from(v.x), self.y + f64::from(v.y))
    }
}

impl Sub<Vec2> for WorldPoint {
    type Output = Self;
    #[inline]
    fn sub(self, v: Vec2) -> Self {
        Self::new(self.x - f64::from(v.x), self.y - f64::from(v.y))
    }
}

impl AddAssign<Vec2> for WorldPoint {
    #[inline]
    fn add_assign(&mut self, v: Vec2) {
        *self = *self + v;
    }
}

impl SubAssign<Vec2> for WorldPoint {
    #[inline]
    fn sub_assign(&mut self, v: Vec2) {
        *self = *self - v;
    }
}

impl From<Point> for WorldPoint {
    fn from(p: Point) -> Self {
        Self::new(p.x.into(), p.y.into())
    }
}

impl From<Vec2> for WorldPoint {
    fn from(v: Vec2) -> Self {
        Self::new(v.x.into(), v.y.into())
    }
}

impl From<Point2<f64>> for WorldPoint {
    fn from(p: Point2<f64>) -> Self {
        Self::new(p.x, p.y)
    }
}

impl From<[f32; 2]> for WorldPoint {
    fn from([x, y]: [f32; 2]) -> Self {
        Self::new(x.into(), y.into())
    }
}

impl From<(f32, f32)> for WorldPoint {
    fn from((x, y): (f32, f32)) -> Self {
        Self::new(x.into(), y.into())
    }
}

impl From<[f64; 2]> for WorldPoint {
    fn from([x, y]: [f64; 2]) -> Self {
        Self::new(x, y)
    }
}

impl From<WorldPoint> for [f64; 2] {
    fn from(p: WorldPoint) -> Self {
        [p.x, p.y]
    }
}

impl From<(f64, f64)> for WorldPoint {
    fn from((x, y): (f64, f64)) -> Self {
        Self::new(x, y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_both_kinds_have_a_difference() {
        let (place, rounded) = (WorldPoint::new(3.0, 1.0), point(1.0, 4.0));
        assert_eq!(place - rounded, vec2(2.0, -3.0));
        assert_eq!(rounded - place, vec2(-2.0, 3.0));
        // In double precision before it is rounded.
        let far = WorldPoint::new(1.0e8 + 0.5, 0.0);
        assert_eq!((far - point(1.0e8, 0.0)).x, 0.5);
    }

    #[test]
    fn angle_and_rotation_are_inverse() {
        for i in -30..=30 {
            let a = i as f32 * 0.1;
            assert!((angle(&rotation(a)) - a).abs() < 4.0 * f32::EPSILON * a.abs().max(1.0));
        }
        assert_eq!(atan2(0.0, 0.0), 0.0);
    }

    #[test]
    fn differences_far_from_the_origin_are_exact() {
        let a = WorldPoint::new(1.0e7, -1.0e7);
        let b = a + vec2(0.125, 0.25);
        assert_eq!(b - a, vec2(0.125, 0.25));
    }
}
