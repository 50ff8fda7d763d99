//! Half-planes of permitted velocities (the lines of RVO2).

use crate::lanes::{dot, select};
use crate::tuning::PARALLEL_SINE;
use cairn2d_geometry::math::{Vec2, right_perp};
use cairn2d_simd::{F32x8, Lanes8, Simd};

/// Velocities `v` with `normal . v >= offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfPlane {
    /// Unit vector towards the allowed side.
    pub normal: Vec2,
    /// Speed along the normal at the boundary [m/s].
    pub offset: f32,
}

impl HalfPlane {
    /// Half-plane that every velocity satisfies.
    pub const ALL: Self = Self {
        normal: Vec2::new(1.0, 0.0),
        offset: f32::NEG_INFINITY,
    };

    /// Returns the half-plane of the given unit normal and offset [m/s].
    #[must_use]
    #[inline]
    pub const fn new(normal: Vec2, offset: f32) -> Self {
        Self { normal, offset }
    }

    /// Returns the violation of the half-plane by `velocity` [m/s]; negative inside.
    #[must_use]
    #[inline]
    pub fn violation(&self, velocity: &Vec2) -> f32 {
        self.offset - (self.normal.x * velocity.x + self.normal.y * velocity.y)
    }

    /// Returns the unit direction of the boundary that has the allowed side on its left.
    #[must_use]
    #[inline]
    pub fn direction(&self) -> Vec2 {
        right_perp(&self.normal)
    }

    /// Returns the point of the boundary that is nearest to rest [m/s].
    #[must_use]
    #[inline]
    pub fn foot(&self) -> Vec2 {
        self.normal * self.offset
    }
}

/// Eight half-planes, one per lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaneRow {
    pub(crate) normal_x: F32x8,
    pub(crate) normal_y: F32x8,
    pub(crate) offset: F32x8,
}

impl PlaneRow {
    /// Eight trivial half-planes, which every velocity satisfies.
    pub(crate) const ALL: Self = Self {
        normal_x: F32x8::splat(1.0),
        normal_y: F32x8::splat(0.0),
        offset: F32x8::splat(f32::NEG_INFINITY),
    };

    /// Returns the unit normals.
    #[inline(always)]
    pub(crate) fn normal<L: Lanes8>(&self, simd: L::Simd) -> [L; 2] {
        [L::load(simd, &self.normal_x), L::load(simd, &self.normal_y)]
    }

    /// Returns the violation of each by the velocity in its lane [m/s]; negative inside.
    #[inline(always)]
    pub(crate) fn violations<L: Lanes8>(&self, velocity: [L; 2]) -> L {
        let simd = velocity[0].simd();
        L::load(simd, &self.offset) - dot(self.normal(simd), velocity)
    }

    /// Returns the half-planes of velocities that violate those of `self` no more than those of `plane`. Trivial ones
    /// for half-planes of the same direction, of which the later is never violated more.
    #[inline(always)]
    pub(crate) fn bisectors<L: Lanes8>(&self, simd: L::Simd, plane: &Self) -> Self {
        let (own, other) = (self.normal::<L>(simd), plane.normal::<L>(simd));
        let [x, y] = [own[0] - other[0], own[1] - other[1]];
        let length = dot([x, y], [x, y]).sqrt();
        let crosses = length.gt(simd.splat(PARALLEL_SINE));
        let offset = (L::load(simd, &self.offset) - L::load(simd, &plane.offset)) / length;
        let all = Self::ALL.normal(simd);
        let normal = select(crosses, [x / length, y / length], all);
        let none = L::load(simd, &Self::ALL.offset);
        Self {
            normal_x: normal[0].store(),
            normal_y: normal[1].store(),
            offset: L::select(crosses, offset, none).store(),
        }
    }

    /// Writes the half-plane of a lane.
    #[inline]
    pub(crate) fn set(&mut self, lane: usize, plane: &HalfPlane) {
        self.normal_x.0[lane] = plane.normal.x;
        self.normal_y.0[lane] = plane.normal.y;
        self.offset.0[lane] = plane.offset;
    }

    /// Returns the half-plane of a lane.
    pub(crate) fn get(&self, lane: usize) -> HalfPlane {
        let normal = Vec2::new(self.normal_x.0[lane], self.normal_y.0[lane]);
        HalfPlane::new(normal, self.offset.0[lane])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_geometry::math::{left_perp, vec2};

    #[test]
    fn the_allowed_side_is_left_of_the_direction() {
        let plane = HalfPlane::new(vec2(0.6, 0.8), 0.5);
        let inside = plane.foot() + left_perp(&plane.direction());
        assert!((plane.violation(&inside) + 1.0).abs() < 4.0 * f32::EPSILON);
        assert!((plane.violation(&plane.foot())).abs() < 4.0 * f32::EPSILON);
        assert!(plane.violation(&vec2(0.0, 0.0)) > 0.0);
    }
}
