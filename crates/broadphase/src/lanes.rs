//! Eight boxes in lanes: the unit of tests of tree nodes and rows of grid cells.

use cairn2d_geometry::Aabb;
use cairn2d_geometry::math::{Point, point};
use cairn2d_geometry::{HashState, LoadError, Persist, Reader, Sink, StateHasher};
use cairn2d_simd::{BASELINE8, F32x8, Lanes8, Mask, Simd, Vector};

/// Boxes in one record, and so children of a tree node.
///
/// Eight boxes are two SSE2 or NEON registers a coordinate, one of AVX2. Four halve the work of a
/// visit but double the visits and add a third to the levels; sixteen fill up with boxes that a
/// query has no business with.
pub(crate) const WIDTH: usize = 8;

/// No id, no block: the end of a list.
pub(crate) const NONE: u32 = u32::MAX;

/// Eight boxes, coordinate by coordinate: a vector register or two for each.
///
/// Two cache lines. Written by edits and sorts, read by every query that visits the node. Loops over
/// arrays, left to the compiler, stay scalar as soon as they end in a bit mask; so the tests are
/// written with vectors. Searches for pairs and casts are kernels, which use the best instruction set of the
/// processor. Iterators are compiled into their callers, so they use the baseline, [`BASELINE8`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub(crate) struct Boxes {
    /// Least x, least y, greatest x, greatest y.
    sides: [F32x8; 4],
}

/// Places of the least coordinates in `sides`: of x, then of y.
pub(crate) const MIN: [usize; 2] = [0, 1];
/// Places of the greatest coordinates.
pub(crate) const MAX: [usize; 2] = [2, 3];

const _: () = assert!(size_of::<Boxes>() == 128);

impl Boxes {
    /// Eight boxes that touch nothing.
    pub(crate) const EMPTY: Self = Self {
        sides: [
            F32x8::splat(f32::INFINITY),
            F32x8::splat(f32::INFINITY),
            F32x8::splat(f32::NEG_INFINITY),
            F32x8::splat(f32::NEG_INFINITY),
        ],
    };

    /// Returns one side of all boxes: see [`MIN`] and [`MAX`].
    #[inline(always)]
    pub(crate) fn side<S: Simd<F32: Lanes8>>(&self, simd: S, place: usize) -> S::F32 {
        // The remainder takes an instruction, a test of the place two and a branch.
        S::F32::load(simd, &self.sides[place % 4])
    }

    /// Returns the box in `lane`.
    #[inline]
    pub(crate) fn get(&self, lane: usize) -> Aabb {
        let [min_x, min_y, max_x, max_y] = &self.sides;
        Aabb {
            min: point(min_x.0[lane], min_y.0[lane]),
            max: point(max_x.0[lane], max_y.0[lane]),
        }
    }

    /// Writes the box in `lane`.
    #[inline]
    pub(crate) fn set(&mut self, lane: usize, aabb: &Aabb) {
        let [min_x, min_y, max_x, max_y] = &mut self.sides;
        min_x.0[lane] = aabb.min.x;
        min_y.0[lane] = aabb.min.y;
        max_x.0[lane] = aabb.max.x;
        max_y.0[lane] = aabb.max.y;
    }

    /// Enlarges the box in `lane` until it holds `aabb`; says whether it had to.
    #[inline]
    pub(crate) fn enlarge(&mut self, lane: usize, aabb: &Aabb) -> bool {
        let before = self.get(lane);
        let after = before.union(aabb);
        self.set(lane, &after);
        after != before
    }

    /// Returns the smallest box around all eight.
    #[inline]
    pub(crate) fn union(&self) -> Aabb {
        let [min_x, min_y, max_x, max_y] = &self.sides;
        Aabb {
            min: point(least(&min_x.0), least(&min_y.0)),
            max: point(greatest(&max_x.0), greatest(&max_y.0)),
        }
    }

    /// Returns the sum of the perimeters of eight boxes; minus infinity where a lane is empty.
    #[inline]
    pub(crate) fn sum_of_perimeters(&self) -> f32 {
        let size = |axis: usize| self.side(BASELINE8, MAX[axis]) - self.side(BASELINE8, MIN[axis]);
        let (size_x, size_y) = (size(0), size(1));
        // By fours: the order of the sum decides its bits.
        let [a, b, c, d, e, f, g, h] = (size_x + size_y).store().0;
        2.0 * ((((a + b) + c) + d) + (((e + f) + g) + h))
    }

    /// Returns the lanes whose box touches `other`, one bit each; touching edges count.
    // Inlined into each kernel, except on the web: a module has one instruction set, and one copy is smaller.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    pub(crate) fn overlap_mask<S: Simd<F32: Lanes8>>(&self, simd: S, other: &Aabb) -> u32 {
        let (min, max) = (other.min, other.max);
        let left = self.side(simd, MIN[0]).le(simd.splat(max.x));
        let right = self.side(simd, MAX[0]).ge(simd.splat(min.x));
        let below = self.side(simd, MIN[1]).le(simd.splat(max.y));
        let above = self.side(simd, MAX[1]).ge(simd.splat(min.y));
        left.and(right).and(below.and(above)).bits()
    }

    /// Returns the lanes that hold a box.
    #[inline(always)]
    pub(crate) fn filled<S: Simd<F32: Lanes8>>(&self, simd: S) -> <S::F32 as Vector>::Mask {
        self.side(simd, MIN[0]).le(self.side(simd, MAX[0]))
    }
}

/// Box after box: infinite in empty lanes.
impl Persist for Boxes {
    #[inline]
    fn write<S: Sink>(&self, sink: &mut S) {
        for lane in 0..WIDTH {
            sink.item(lane as u32, &self.get(lane));
        }
    }

    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let mut boxes = Self::EMPTY;
        for lane in 0..WIDTH {
            boxes.set(lane, &reader.read()?);
        }
        Ok(boxes)
    }
}

impl HashState for Boxes {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            sides: [min_x, min_y, max_x, max_y],
        } = self;
        for lane in 0..WIDTH {
            hash.pair(min_x.0[lane], min_y.0[lane]);
            hash.pair(max_x.0[lane], max_y.0[lane]);
        }
    }
}

/// Brings a box back from infinity, where it would touch the empty lanes of a block.
#[inline]
pub(crate) fn finite(aabb: &Aabb) -> Aabb {
    let clamp = |p: Point| p.map(|c| c.clamp(f32::MIN, f32::MAX));
    Aabb::new(clamp(aabb.min), clamp(aabb.max))
}

/// Returns the lanes set in `mask`, lowest first.
#[inline]
pub(crate) fn lanes(mut mask: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        (mask != 0).then(|| {
            let lane = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            lane
        })
    })
}

/// Halves the array until one is left: a chain of eight would wait for each result.
///
/// `if` and not `f32::min`, here and below: one instruction instead of three, and past the door
/// there is no number that is none to look after.
#[inline]
pub(crate) fn least(v: &[f32; WIDTH]) -> f32 {
    let min = |a, b| if a < b { a } else { b };
    let four: [f32; 4] = core::array::from_fn(|i| min(v[i], v[i + 4]));
    min(min(four[0], four[2]), min(four[1], four[3]))
}

#[inline]
fn greatest(v: &[f32; WIDTH]) -> f32 {
    let max = |a, b| if a > b { a } else { b };
    let four: [f32; 4] = core::array::from_fn(|i| max(v[i], v[i + 4]));
    max(max(four[0], four[2]), max(four[1], four[3]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Boxes {
        let mut boxes = Boxes::EMPTY;
        for i in 0..6 {
            let x = 2.0 * i as f32;
            boxes.set(
                i,
                &Aabb {
                    min: point(x, 0.0),
                    max: point(x + 1.0, 1.0),
                },
            );
        }
        boxes
    }

    #[test]
    fn mask_has_a_bit_for_each_touching_lane() {
        let probe = Aabb {
            min: point(3.0, 1.0),
            max: point(6.0, 2.0),
        };
        assert_eq!(row().overlap_mask(BASELINE8, &probe), 0b1110);
        assert_eq!(lanes(0b1010_0001).collect::<Vec<_>>(), [0, 5, 7]);
    }

    #[test]
    fn empty_lanes_touch_nothing_and_add_nothing() {
        let all = Aabb {
            min: point(f32::MIN, f32::MIN),
            max: point(f32::MAX, f32::MAX),
        };
        assert_eq!(row().overlap_mask(BASELINE8, &all), 0b11_1111);
        assert_eq!(row().overlap_mask(BASELINE8, &Aabb::EMPTY), 0);
        assert_eq!(
            row().union(),
            Aabb {
                min: point(0.0, 0.0),
                max: point(11.0, 1.0)
            }
        );
    }

    #[test]
    fn enlarging_says_whether_it_was_needed() {
        let mut boxes = row();
        let inside = Aabb {
            min: point(0.25, 0.25),
            max: point(0.5, 0.5),
        };
        assert!(!boxes.enlarge(0, &inside));
        assert!(boxes.enlarge(1, &inside));
        assert_eq!(
            boxes.get(1),
            Aabb {
                min: point(0.25, 0.0),
                max: point(3.0, 1.0)
            }
        );
    }
}
