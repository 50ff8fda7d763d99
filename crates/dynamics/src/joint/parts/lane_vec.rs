//! A vector in the plane for each lane.

use cairn2d_geometry::math::Vec2;
use cairn2d_simd::Lanes;
use core::ops::{Add, Mul, Neg, Sub};

/// A vector for each lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaneVec<L> {
    pub(crate) x: L,
    pub(crate) y: L,
}

/// Writes a number into a lane.
pub(crate) fn put<L: Lanes>(lanes: &mut L, lane: usize, value: f32) {
    lanes.as_mut_slice()[lane] = value;
}

/// Numbers for each lane of a block that starts without joints.
pub(crate) trait Empty<L: Lanes> {
    /// Returns zero in all lanes.
    fn empty(simd: L::Simd) -> Self;
}

impl<L: Lanes> Empty<L> for L {
    fn empty(simd: L::Simd) -> Self {
        L::zero(simd)
    }
}

impl<L: Lanes, const N: usize> Empty<L> for [L; N] {
    fn empty(simd: L::Simd) -> Self {
        [L::zero(simd); N]
    }
}

/// Implements [`Empty`] of a record of lanes from the list of its fields.
macro_rules! empty_lanes {
    ($type:ident { $($field:ident),* }) => {
        impl<L: Lanes> $crate::joint::parts::lane_vec::Empty<L> for $type<L> {
            fn empty(simd: L::Simd) -> Self {
                Self {
                    $($field: $crate::joint::parts::lane_vec::Empty::<L>::empty(simd)),*
                }
            }
        }
    };
}
pub(crate) use empty_lanes;

empty_lanes! { LaneVec { x, y } }

impl<L: Lanes> LaneVec<L> {
    #[inline(always)]
    pub(crate) fn zero(simd: L::Simd) -> Self {
        let zero = L::zero(simd);
        Self { x: zero, y: zero }
    }

    /// Writes the vector of a lane.
    pub(crate) fn put(&mut self, lane: usize, value: Vec2) {
        put(&mut self.x, lane, value.x);
        put(&mut self.y, lane, value.y);
    }

    /// Returns both components.
    pub(crate) fn each_mut(&mut self) -> [&mut L; 2] {
        [&mut self.x, &mut self.y]
    }

    /// Returns the vector of a lane.
    pub(crate) fn at(&self, lane: usize) -> Vec2 {
        Vec2::new(self.x.as_slice()[lane], self.y.as_slice()[lane])
    }

    #[inline(always)]
    pub(crate) fn dot(self, other: Self) -> L {
        self.x * other.x + self.y * other.y
    }

    #[inline(always)]
    pub(crate) fn cross(self, other: Self) -> L {
        self.x * other.y - self.y * other.x
    }

    /// Returns the vector turned by a right angle to the left.
    #[inline(always)]
    pub(crate) fn left(self) -> Self {
        Self {
            x: -self.y,
            y: self.x,
        }
    }

    /// Returns the direction, `fallback` for a tiny vector, and the length.
    #[inline(always)]
    pub(crate) fn direction_or(self, fallback: Self) -> (Self, L) {
        let length = self.dot(self).sqrt();
        let is_long = length.gt(L::splat(length.simd(), f32::MIN_POSITIVE));
        let direction = Self {
            x: L::select(is_long, self.x / length, fallback.x),
            y: L::select(is_long, self.y / length, fallback.y),
        };
        (direction, length)
    }

    /// Returns the vector, shortened to the length `max` where it is longer.
    #[inline(always)]
    pub(crate) fn capped(self, max: L) -> Self {
        let length_sq = self.dot(self);
        let is_long = length_sq.gt(max * max);
        let short = self * (max / length_sq.sqrt());
        Self {
            x: L::select(is_long, short.x, self.x),
            y: L::select(is_long, short.y, self.y),
        }
    }
}

impl<L: Lanes> Add for LaneVec<L> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self {
            x: self.x + other.x,
            y: self.y + other.y,
        }
    }
}

impl<L: Lanes> Sub for LaneVec<L> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self {
            x: self.x - other.x,
            y: self.y - other.y,
        }
    }
}

impl<L: Lanes> Neg for LaneVec<L> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self {
            x: -self.x,
            y: -self.y,
        }
    }
}

impl<L: Lanes> Mul<L> for LaneVec<L> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: L) -> Self {
        Self {
            x: self.x * factor,
            y: self.y * factor,
        }
    }
}
