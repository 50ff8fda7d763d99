//! Vectors of the plane, one per lane.

use cairn2d_geometry::math::Vec2;
use cairn2d_simd::{F32x8, LANES, Lanes8, each_lane};

/// Returns `v`, shortened to `length` if it is longer.
#[inline]
pub(crate) fn within(v: &Vec2, length: f32) -> Vec2 {
    let norm_sq = v.norm_squared();
    if norm_sq <= length * length {
        *v
    } else {
        v * (length / norm_sq.sqrt())
    }
}

/// Returns the scalar products of vectors.
#[inline(always)]
pub(crate) fn dot<L: Lanes8>(a: [L; 2], b: [L; 2]) -> L {
    a[0] * b[0] + a[1] * b[1]
}

/// Returns the differences of vectors.
#[inline(always)]
pub(crate) fn difference<L: Lanes8>(a: [L; 2], b: [L; 2]) -> [L; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

/// Returns the vectors at a part of the way from `from` to `to`.
#[inline(always)]
pub(crate) fn toward<L: Lanes8>(from: [L; 2], to: [L; 2], part: L) -> [L; 2] {
    let way = difference(to, from);
    [from[0] + part * way[0], from[1] + part * way[1]]
}

/// Returns the vectors of `yes` in a mask, those of `no` elsewhere.
#[inline(always)]
pub(crate) fn select<L: Lanes8>(mask: L::Mask, yes: [L; 2], no: [L; 2]) -> [L; 2] {
    [
        L::select(mask, yes[0], no[0]),
        L::select(mask, yes[1], no[1]),
    ]
}

/// Returns vectors shortened to these lengths if they are longer.
#[inline(always)]
pub(crate) fn within_lengths<L: Lanes8>([x, y]: [L; 2], length: L) -> [L; 2] {
    let norm_sq = dot([x, y], [x, y]);
    let scale = length / norm_sq.sqrt();
    select(norm_sq.le(length * length), [x, y], [x * scale, y * scale])
}

/// Loads a vector per lane.
#[inline(always)]
pub(crate) fn load<L: Lanes8>(simd: L::Simd, vectors: &[Vec2; LANES]) -> [L; 2] {
    let (x, y) = (
        each_lane(|lane| vectors[lane].x),
        each_lane(|lane| vectors[lane].y),
    );
    [L::load(simd, &F32x8(x)), L::load(simd, &F32x8(y))]
}

/// Calls `visit` with each lane of a set.
#[inline(always)]
pub(crate) fn each_of(mut set: u32, mut visit: impl FnMut(usize)) {
    while set != 0 {
        visit(set.trailing_zeros() as usize % LANES);
        set &= set - 1;
    }
}
