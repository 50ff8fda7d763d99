//! Eight boxes side by side: what a tree node and a row of a grid cell are tested as.

use cairn2d_geometry::Aabb;
use cairn2d_geometry::math::point;

/// Boxes in one record, and so children of a tree node.
///
/// Eight boxes are two SSE2 or NEON registers a coordinate, one of AVX2. Four halve the work of a
/// visit but double the visits and add a third to the levels; sixteen fill up with boxes that a
/// query has no business with.
pub(crate) const WIDTH: usize = 8;

/// Weight of each lane in a bit mask.
const BIT: [u32; WIDTH] = [1, 2, 4, 8, 16, 32, 64, 128];

/// Eight boxes, coordinate by coordinate, so that a loop over the lanes becomes vector code.
///
/// Two cache lines. Written by edits and sorts, read by every query that visits the node.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub(crate) struct Boxes {
    pub(crate) min_x: [f32; WIDTH],
    pub(crate) min_y: [f32; WIDTH],
    pub(crate) max_x: [f32; WIDTH],
    pub(crate) max_y: [f32; WIDTH],
}

const _: () = assert!(size_of::<Boxes>() == 128);

impl Boxes {
    /// Eight boxes that touch nothing.
    pub(crate) const EMPTY: Self = Self {
        min_x: [f32::INFINITY; WIDTH],
        min_y: [f32::INFINITY; WIDTH],
        max_x: [f32::NEG_INFINITY; WIDTH],
        max_y: [f32::NEG_INFINITY; WIDTH],
    };

    /// Returns the box in `lane`.
    #[inline]
    pub(crate) fn get(&self, lane: usize) -> Aabb {
        Aabb {
            min: point(self.min_x[lane], self.min_y[lane]),
            max: point(self.max_x[lane], self.max_y[lane]),
        }
    }

    /// Writes the box in `lane`.
    #[inline]
    pub(crate) fn set(&mut self, lane: usize, aabb: &Aabb) {
        self.min_x[lane] = aabb.min.x;
        self.min_y[lane] = aabb.min.y;
        self.max_x[lane] = aabb.max.x;
        self.max_y[lane] = aabb.max.y;
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
            min: point(least(&self.min_x), least(&self.min_y)),
            max: point(greatest(&self.max_x), greatest(&self.max_y)),
        }
    }

    /// Returns the lanes whose box touches `other`, one bit each; touching edges count.
    #[inline]
    pub(crate) fn overlap_mask(&self, other: &Aabb) -> u32 {
        let (min, max) = (other.min, other.max);
        lane_mask(|i| {
            (self.min_x[i] <= max.x)
                & (self.max_x[i] >= min.x)
                & (self.min_y[i] <= max.y)
                & (self.max_y[i] >= min.y)
        })
    }
}

/// Returns the lanes that pass `test`, one bit each.
#[inline]
pub(crate) fn lane_mask(test: impl Fn(usize) -> bool) -> u32 {
    let mut mask = 0;
    for (i, bit) in BIT.iter().enumerate() {
        mask |= if test(i) { *bit } else { 0 };
    }
    mask
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

/// One instruction where `f32::min` is three: past the door there is no NaN to look after.
#[inline]
fn lesser(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[inline]
fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Halves the array until one is left: a chain of eight would wait for each result.
#[inline]
fn least(v: &[f32; WIDTH]) -> f32 {
    let four: [f32; 4] = core::array::from_fn(|i| lesser(v[i], v[i + 4]));
    lesser(lesser(four[0], four[2]), lesser(four[1], four[3]))
}

#[inline]
fn greatest(v: &[f32; WIDTH]) -> f32 {
    let four: [f32; 4] = core::array::from_fn(|i| greater(v[i], v[i + 4]));
    greater(greater(four[0], four[2]), greater(four[1], four[3]))
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
