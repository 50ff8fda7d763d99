//! The nearest candidates of a search: measured four at a time, and put in order by counting for each how many are
//! nearer.

use crate::candidates::{RANKED, Search, count_lanes};
use crate::lanes::{LANES, Lanes, and_not, first, ordered, select};
use crate::tuning::MAX_NEIGHBORS;
use crate::window::Window;
use wide::i32x4;

/// Candidates that are measured and ranked; of more the nearest are taken first.
pub(crate) const FEW: usize = 64;

const _: () = assert!(FEW.is_multiple_of(RANKED) && FEW > MAX_NEIGHBORS);

/// The nearest candidates, in no order.
#[derive(Clone, Debug)]
pub(crate) struct Few {
    /// Indices in the grid.
    pub(crate) index: [i32; FEW],
    /// From the agent's center to theirs [m].
    pub(crate) x: [f32; FEW],
    pub(crate) y: [f32; FEW],
    pub(crate) radius: [f32; FEW],
    /// Gaps to their edges [m], infinite for those too far; and integers in the same order.
    pub(crate) gaps: [f32; FEW],
    keys: [i32; FEW],
    /// Which of them is the nearest, the second, and so on.
    pub(crate) order: [i32; FEW],
}

impl Default for Few {
    fn default() -> Self {
        Self {
            index: [0; FEW],
            x: [0.0; FEW],
            y: [0.0; FEW],
            radius: [0.0; FEW],
            gaps: [0.0; FEW],
            keys: [0; FEW],
            order: [0; FEW],
        }
    }
}

impl Few {
    /// Measures the ways to the `count` first of those `found`, and gives each a key; returns how many are near enough.
    ///
    /// It measures as many as are ranked at once, so that how many there are rarely shows in the length of a loop.
    pub(crate) fn measure(
        &mut self,
        search: &Search<'_>,
        window: &Window,
        found: &[i32],
        count: usize,
    ) -> usize {
        let own = i32x4::splat(search.own as i32);
        let limit = Lanes::splat(search.gap);
        let mut near = 0;
        for (start, these) in (0..FEW).step_by(RANKED).zip(found.as_chunks::<RANKED>().0) {
            for (k, four) in these.as_chunks::<LANES>().0.iter().enumerate() {
                let index = four.map(|place| window.index(place));
                let places = index.map(|i| &search.around.grid.places[i.cast_unsigned() as usize]);
                let ways = places.map(|place| place.center - search.center);
                let (x, y) = (Lanes::new(ways.map(|w| w.x)), Lanes::new(ways.map(|w| w.y)));
                let radius = Lanes::new(places.map(|place| place.radius));
                let gap = (x * x + y * y).sqrt() - radius;
                let is_own = i32x4::new(index).simd_eq(own);
                let counts = first(count.saturating_sub(start + LANES * k));
                let near_enough = and_not(gap.simd_le(limit) & counts, is_own);
                near += count_lanes(near_enough.to_bitmask());
                let gap = select(near_enough, gap, Lanes::splat(f32::INFINITY));
                let range = start + LANES * k..start + LANES * (k + 1);
                self.index[range.clone()].copy_from_slice(&index);
                self.x[range.clone()].copy_from_slice(x.as_array());
                self.y[range.clone()].copy_from_slice(y.as_array());
                self.radius[range.clone()].copy_from_slice(radius.as_array());
                self.gaps[range.clone()].copy_from_slice(gap.as_array());
                self.keys[range].copy_from_slice(ordered(gap).as_array());
            }
        }
        near
    }

    /// Gives each candidate the place of how many are nearer; says whether no two of the `near` ones got the same,
    /// which they do where they are at one distance.
    pub(crate) fn rank(&mut self, count: usize, near: usize) -> bool {
        let all = count.next_multiple_of(RANKED).min(FEW);
        let mut sum = i32x4::splat(0);
        for start in (0..all).step_by(RANKED) {
            let these: [i32x4; 4] =
                core::array::from_fn(|k| integers(&self.keys, start + LANES * k));
            let mut nearer = [i32x4::splat(0); 4];
            for keys in self.keys[..all].as_chunks::<RANKED>().0 {
                for &key in keys {
                    let key = i32x4::splat(key);
                    for (nearer, these) in nearer.iter_mut().zip(these) {
                        *nearer -= these.simd_gt(key);
                    }
                }
            }
            for (k, nearer) in nearer.into_iter().enumerate() {
                sum += nearer;
                for (lane, place) in nearer.to_array().into_iter().enumerate() {
                    // Those too far come behind all others, wherever that is.
                    self.order[place as usize % FEW] = (start + LANES * k + lane) as i32;
                }
            }
        }
        // All others have as many nearer ones as there are near; two at one distance have one less together.
        let sum: i32 = sum.to_array().iter().sum();
        let (near, all) = (near as i32, all as i32);
        sum == near * (near - 1) / 2 + (all - near) * near
    }

    /// Orders the first `count` candidates by gap, and those at one gap by their place, so that no order of
    /// storage shows.
    pub(crate) fn sort(&mut self, search: &Search<'_>, count: usize) {
        let (keys, index) = (&self.keys, &self.index);
        for (i, place) in self.order[..count].iter_mut().enumerate() {
            *place = i as i32;
        }
        self.order[..count].sort_unstable_by(|&a, &b| {
            let (a, b) = (a as usize, b as usize);
            keys[a]
                .cmp(&keys[b])
                .then_with(|| search.by_place(index[a], index[b]))
        });
    }
}

/// Returns the four integers of `column` from `start` on.
#[inline]
fn integers(column: &[i32; FEW], start: usize) -> i32x4 {
    let start = start % FEW;
    i32x4::new([
        column[start],
        column[start + 1],
        column[start + 2],
        column[start + 3],
    ])
}
