//! Eight boxes in lanes: the unit of tests of tree nodes and rows of grid cells.

use cairn2d_geometry::Aabb;
use cairn2d_geometry::math::{Point, point};
use cairn2d_geometry::{HashState, LoadError, Persist, Reader, Sink, StateHasher};
use cairn2d_simd::{BASELINE8, Baseline8, F32, F32x8, Lanes8, Mask, Simd, Vector};

/// Boxes in one record, and so children of a tree node.
///
/// Eight boxes are two SSE2 or NEON registers a coordinate, one of AVX2. Four halve the work of a
/// visit but double the visits and add a third to the levels; sixteen fill up with boxes that a
/// query has no business with.
pub(crate) const WIDTH: usize = 8;

/// The vector of the tests: two registers of SSE2 or NEON.
///
/// The baseline set, not one chosen at run time. Queries are iterators, whose code is compiled into the
/// caller and visits one node at a time; only a call per visit could enter another set there. A visit
/// takes 97 to 160 instructions, its leaves included (callgrind, 10 000 boxes), of which AVX2 would
/// save a dozen: one register for two in four comparisons.
pub(crate) type Vector8 = F32<Baseline8>;

/// No id, no block: the end of a list.
pub(crate) const NONE: u32 = u32::MAX;

/// Eight boxes, coordinate by coordinate: a vector register or two for each.
///
/// Two cache lines. Written by edits and sorts, read by every query that visits the node. Loops over
/// arrays, left to the compiler, stay scalar as soon as they end in a bit mask; so the tests are
/// written with vectors, of the baseline instruction set: see [`Vector8`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub(crate) struct Boxes {
    pub(crate) min_x: F32x8,
    pub(crate) min_y: F32x8,
    pub(crate) max_x: F32x8,
    pub(crate) max_y: F32x8,
}

const _: () = assert!(size_of::<Boxes>() == 128);

impl Boxes {
    /// Eight boxes that touch nothing.
    pub(crate) const EMPTY: Self = Self {
        min_x: F32x8::splat(f32::INFINITY),
        min_y: F32x8::splat(f32::INFINITY),
        max_x: F32x8::splat(f32::NEG_INFINITY),
        max_y: F32x8::splat(f32::NEG_INFINITY),
    };

    /// Returns the box in `lane`.
    #[inline]
    pub(crate) fn get(&self, lane: usize) -> Aabb {
        Aabb {
            min: point(self.min_x.0[lane], self.min_y.0[lane]),
            max: point(self.max_x.0[lane], self.max_y.0[lane]),
        }
    }

    /// Writes the box in `lane`.
    #[inline]
    pub(crate) fn set(&mut self, lane: usize, aabb: &Aabb) {
        self.min_x.0[lane] = aabb.min.x;
        self.min_y.0[lane] = aabb.min.y;
        self.max_x.0[lane] = aabb.max.x;
        self.max_y.0[lane] = aabb.max.y;
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
        Aabb {
            min: point(least(&self.min_x.0), least(&self.min_y.0)),
            max: point(greatest(&self.max_x.0), greatest(&self.max_y.0)),
        }
    }

    /// Returns the sum of the perimeters of eight boxes; minus infinity where a lane is empty.
    #[inline]
    pub(crate) fn sum_of_perimeters(&self) -> f32 {
        let size_x = load(&self.max_x) - load(&self.min_x);
        let size_y = load(&self.max_y) - load(&self.min_y);
        // By fours: the order of the sum decides its bits.
        let [a, b, c, d, e, f, g, h] = (size_x + size_y).store().0;
        2.0 * ((((a + b) + c) + d) + (((e + f) + g) + h))
    }

    /// Returns the lanes whose box touches `other`, one bit each; touching edges count.
    #[inline]
    pub(crate) fn overlap_mask(&self, other: &Aabb) -> u32 {
        let (min, max) = (other.min, other.max);
        let left = load(&self.min_x).le(BASELINE8.splat(max.x));
        let right = load(&self.max_x).ge(BASELINE8.splat(min.x));
        let below = load(&self.min_y).le(BASELINE8.splat(max.y));
        let above = load(&self.max_y).ge(BASELINE8.splat(min.y));
        left.and(right).and(below.and(above)).bits()
    }

    /// Returns the lanes that hold a box.
    #[inline]
    pub(crate) fn filled(&self) -> <Vector8 as Vector>::Mask {
        load(&self.min_x).le(load(&self.max_x))
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
            min_x,
            min_y,
            max_x,
            max_y,
        } = self;
        for lane in 0..WIDTH {
            hash.pair(min_x.0[lane], min_y.0[lane]);
            hash.pair(max_x.0[lane], max_y.0[lane]);
        }
    }
}

/// Returns the eight numbers as one vector.
#[inline]
pub(crate) fn load(v: &F32x8) -> Vector8 {
    Vector8::load(BASELINE8, v)
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
        assert_eq!(row().overlap_mask(&probe), 0b1110);
        assert_eq!(lanes(0b1010_0001).collect::<Vec<_>>(), [0, 5, 7]);
    }

    #[test]
    fn empty_lanes_touch_nothing_and_add_nothing() {
        let all = Aabb {
            min: point(f32::MIN, f32::MIN),
            max: point(f32::MAX, f32::MAX),
        };
        assert_eq!(row().overlap_mask(&all), 0b11_1111);
        assert_eq!(row().overlap_mask(&Aabb::EMPTY), 0);
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
