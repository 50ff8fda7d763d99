//! Selection of neighbors: the agents of a window whose edge is within a gap of the agent, nearest first.
//!
//! A conservative test of positions in `f32` collects candidates, several at a time. Candidates are measured by
//! differences of positions in `f64`. The rank of each of up to sixteen is the number of nearer ones, found by counting,
//! so no branch depends on the data; more are sorted. Ties are ordered by position, so the order of storage does not
//! matter.

use crate::neighbors::moving_disc::LaneDiscs;
use crate::neighbors::step_context::StepContext;
use crate::neighbors::window::Window;
use crate::tuning::MAX_NEIGHBORS;
use cairn2d_geometry::math::WorldPoint;
use cairn2d_simd::{F32x8, LANES, Lanes8, Mask, Simd, WIDE, Wide, count_lanes, each_lane};

/// Columns of measured agents: offset from the agent's center to theirs [m], radius [m], and velocity [m/s].
pub(crate) const X: usize = 0;
pub(crate) const Y: usize = 1;
pub(crate) const RADIUS: usize = 2;
pub(crate) const VELOCITY_X: usize = 3;
pub(crate) const VELOCITY_Y: usize = 4;
pub(crate) const COLUMNS: usize = 5;

/// A neighbor query.
#[derive(Clone, Copy)]
pub(crate) struct NeighborQuery<'a> {
    pub(crate) ctx: &'a StepContext<'a>,
    /// The agent.
    pub(crate) own: u32,
    pub(crate) center: WorldPoint,
    /// Distance up to which edges of agents are searched [m].
    pub(crate) gap: f32,
}

/// Candidates of one query, in columns. Reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidates {
    /// Indices in the grid of possible neighbors, and space for more.
    found: Vec<u32>,
    /// Columns of measured candidates, sixteen at a time; the last ones are gaps to their edges [m], infinite if too far.
    measured: Vec<[Wide<F32x8>; COLUMNS + 1]>,
    /// Order of up to sixteen candidates, four bits each; `None` if there are more, or ties.
    few: Option<u64>,
    /// Order of any number of candidates, with their gaps [m].
    order: Vec<(f32, u32)>,
}

/// Blocks of eight neighbors.
const BLOCKS: usize = MAX_NEIGHBORS / LANES;

const _: () = assert!(MAX_NEIGHBORS.is_multiple_of(LANES));

/// A number per neighbor, in blocks of eight.
pub(crate) type Column = [F32x8; BLOCKS];

impl Candidates {
    /// Collects all agents of a window whose edge may be within the gap; returns their number.
    #[inline(always)]
    pub(crate) fn find<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        query: &NeighborQuery<'_>,
        window: &Window,
    ) -> usize {
        let mut count = self.collect::<L>(simd, query, window);
        if !query.ctx.grid.all_consider {
            count = self.keep_considered(query, count);
        }
        // The padding of the last sixteen is measured but not counted.
        self.found[count..][..WIDE].fill(query.own);
        let batches = count.div_ceil(WIDE);
        if self.measured.len() < batches {
            self.measured.resize(batches, Default::default());
        }
        count
    }

    /// Measures the first `count` candidates; returns the number within the gap.
    #[inline(always)]
    pub(crate) fn measure<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        query: &NeighborQuery<'_>,
        count: usize,
    ) -> usize {
        let mut near = 0;
        for batch in 0..count.div_ceil(WIDE) {
            near += self.measure_batch::<L>(simd, query, batch, count);
        }
        near
    }

    /// Collects all others whose edge may be within the gap; returns their number.
    #[inline(always)]
    fn collect<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        query: &NeighborQuery<'_>,
        window: &Window,
    ) -> usize {
        let (at, slack) = window.spot(query.center);
        let (x, y) = (simd.splat(at.x), simd.splat(at.y));
        let range = simd.splat(query.gap + slack);
        // Writes past the count.
        if self.found.len() < window.len() + WIDE {
            self.found.resize(2 * window.len() + WIDE, 0);
        }
        let found = self.found.as_mut_slice();
        let mut count = 0;
        for spots in window.blocks() {
            if let Some(to) = found[count..].first_chunk_mut() {
                count += spots.near([x, y], range, query.own, to);
            }
        }
        count
    }

    /// Measures sixteen of `count` candidates; returns the number within the gap.
    #[inline(always)]
    fn measure_batch<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        query: &NeighborQuery<'_>,
        batch: usize,
        count: usize,
    ) -> usize {
        let start = WIDE * batch;
        let (low, near_low) = self.measured::<L>(simd, query, start, count);
        let (high, near_high) = self.measured::<L>(simd, query, start + LANES, count);
        for (i, column) in self.measured[batch].iter_mut().enumerate() {
            *column = L::join(low[i], high[i]);
        }
        near_low + near_high
    }

    /// Returns the columns of eight of `count` candidates from `start`, and the number within the gap.
    #[inline(always)]
    fn measured<L: Lanes8>(
        &self,
        simd: L::Simd,
        query: &NeighborQuery<'_>,
        start: usize,
        count: usize,
    ) -> ([L; COLUMNS + 1], usize) {
        let found = &self.found[start..][..LANES];
        let center = [query.center.x, query.center.y];
        let places = each_lane(|lane| &query.ctx.grid.places[found[lane] as usize]);
        let seen = LaneDiscs::<L>::of(simd, places, center);
        let ([x, y], radius) = (seen.offset, seen.radius);
        let [velocity_x, velocity_y] = seen.velocity;
        let gap = (x * x + y * y).sqrt() - radius;
        let counts = L::mask_first(simd, count.saturating_sub(start));
        let near = gap.le(simd.splat(query.gap)).and(counts);
        let gap = L::select(near, gap, simd.splat(f32::INFINITY));
        let columns = [x, y, radius, velocity_x, velocity_y, gap];
        (columns, count_lanes(near.bits()))
    }

    /// Sorts `count` candidates, of which `near` are within the gap; returns the gap to the last of the `len` nearest
    /// [m].
    #[inline(always)]
    pub(crate) fn arrange<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        ctx: &StepContext<'_>,
        [count, near]: [usize; 2],
        len: usize,
    ) -> f32 {
        let Some(last) = len.checked_sub(1) else {
            return 0.0;
        };
        let order = if count <= WIDE {
            self.rank_few::<L>(simd, near)
        } else {
            None
        };
        self.few = order.map(|order| repeat_first(order, len));
        let last = match self.few {
            Some(order) => (order >> (4 * last) & 15) as u32,
            None => self.sort(ctx, count, len),
        };
        self.at(COLUMNS, last)
    }

    /// Writes the sixteen candidates from rank `16 * batch` on, in the order of [`Self::arrange`]: their indices, and
    /// two blocks of each column.
    #[inline(always)]
    pub(crate) fn pick<L: Lanes8>(
        &self,
        simd: L::Simd,
        batch: usize,
        index: &mut [u32; WIDE],
        columns: &mut [Column; COLUMNS],
    ) {
        let Some(order) = self.few else {
            return self.pick_of_many(batch, index, columns);
        };
        let places = L::unpack_nibbles(simd, order);
        let found = self.found.first_chunk().expect("sixteen at least");
        *index = L::permute_u32(simd, found, &places);
        for (to, from) in columns.iter_mut().zip(&self.measured[0]) {
            to.as_chunks_mut().0[batch] = L::permute(simd, from, &places).0;
        }
    }

    /// The same for any order.
    ///
    /// Not inlined, and so without wide registers: single loads are faster than a gather.
    #[inline(never)]
    fn pick_of_many(&self, batch: usize, index: &mut [u32; WIDE], columns: &mut [Column; COLUMNS]) {
        let order = &self.order[WIDE * batch..][..WIDE];
        for (i, (&(_, place), index)) in order.iter().zip(index).enumerate() {
            *index = self.found[place as usize];
            for (column, to) in columns.iter_mut().enumerate() {
                to[2 * batch + i / LANES].0[i % LANES] = self.at(column, place);
            }
        }
    }

    /// Returns the order of at most sixteen candidates, of which `near` are within the gap, if there are no ties.
    ///
    /// Composed in a register: sixteen separate stores could not be loaded as a vector before they have left the
    /// store buffer.
    #[inline(always)]
    fn rank_few<L: Lanes8>(&self, simd: L::Simd, near: usize) -> Option<u64> {
        let (order, sum) = L::rank(simd, &self.measured[0][COLUMNS]);
        are_distinct(sum, near, WIDE).then_some(order)
    }

    /// Sorts the first `len` of `count` candidates by gap, ties by position; returns the last of them.
    #[inline(never)]
    fn sort(&mut self, ctx: &StepContext<'_>, count: usize, len: usize) -> u32 {
        let gaps = self.measured.iter().flat_map(|columns| &columns[COLUMNS].0);
        let gaps = gaps.flat_map(|eight| eight.0).zip(0..count as u32);
        self.order.clear();
        self.order.extend(gaps);
        let index = |place: u32| self.found[place as usize];
        let by_gap = |a: &(f32, u32), b: &(f32, u32)| {
            let gap = a.0.total_cmp(&b.0);
            gap.then_with(|| ctx.by_place(index(a.1), index(b.1)))
        };
        self.order.select_nth_unstable_by(len - 1, by_gap);
        self.order.truncate(len);
        self.order.sort_unstable_by(by_gap);
        // The padding of the last sixteen repeats the nearest.
        self.order.resize(len + WIDE, self.order[0]);
        self.order[len - 1].1
    }

    /// Returns one number of a measured candidate.
    #[inline(always)]
    fn at(&self, column: usize, place: u32) -> f32 {
        let place = place as usize;
        self.measured[place / WIDE][column].0[place / LANES % 2].0[place % LANES]
    }

    /// Moves the candidates in layers that the agent considers to the front; returns their number.
    fn keep_considered(&mut self, query: &NeighborQuery<'_>, count: usize) -> usize {
        let (mut kept, mask) = (0, query.ctx.params(query.own).mask);
        for i in 0..count {
            let index = self.found[i];
            self.found[kept] = index;
            let seen = query.ctx.params(index).layers & mask != 0;
            kept += usize::from(seen);
        }
        kept
    }
}

/// Returns whether the `near` candidates have distinct gaps, given the sum of the ranks of `all`.
///
/// All other candidates have the rank `near`; each tie lowers the sum.
#[inline(always)]
fn are_distinct(sum: u32, near: usize, all: usize) -> bool {
    let (near, all) = (near as u32, all as u32);
    sum + near == near * (near + 1) / 2 + (all - near) * near
}

/// Replaces all but the first `len` of sixteen four-bit numbers by the first.
#[inline(always)]
fn repeat_first(nibbles: u64, len: usize) -> u64 {
    const ONES: u64 = 0x1111_1111_1111_1111;
    let rest = u64::MAX.checked_shl(4 * len as u32).unwrap_or(0);
    let first = (nibbles & 15) * ONES;
    (nibbles & !rest) | (first & rest)
}
