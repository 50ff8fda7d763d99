//! Who is near enough to be a neighbour: all of a window whose edge is within a gap of an agent, the nearest first.
//!
//! Places in `f32` say, but for rounding, who is; they are looked at eight at a time. Those found are measured by
//! differences of places in `f64`. Then each gets the place of how many are nearer, found by counting, so no branch
//! depends on the numbers; those at one gap stand in order of their place in the plane, so that no order of storage
//! shows.

use crate::grid::Grid;
use crate::places::Seen;
use crate::tuning::MAX_NEIGHBORS;
use crate::window::Window;
use cairn2d_geometry::math::WorldPoint;
use cairn2d_simd::{F32x8, LANES, Lanes8, Mask, Simd, U32x8, WIDE, Wide, count_lanes, each_lane};

/// Candidates that are measured and ranked; of more the nearest are taken first.
const FEW: usize = 64;

const _: () = assert!(FEW.is_multiple_of(WIDE) && FEW > MAX_NEIGHBORS);

/// One number for each candidate that is measured.
type CandidateColumn = [Wide<F32x8>; FEW / WIDE];

/// Whom an agent looks for.
#[derive(Clone, Copy)]
pub(crate) struct Search<'a> {
    pub(crate) grid: &'a Grid,
    /// Index in the grid, and row in the store, of who looks.
    pub(crate) own: usize,
    pub(crate) row: usize,
    pub(crate) center: WorldPoint,
    /// Layers that it heeds.
    pub(crate) mask: u32,
    /// Distance up to which edges are looked for [m].
    pub(crate) gap: f32,
}

/// The candidates of one search, kept to be filled again; a column of each number.
#[derive(Clone, Debug)]
pub(crate) struct Candidates {
    /// Indices in the grid of those who may be near, of whom the first are measured.
    found: Vec<u32>,
    /// From the agent's center to theirs [m].
    x: CandidateColumn,
    y: CandidateColumn,
    radius: CandidateColumn,
    /// Velocities [m/s].
    velocity_x: CandidateColumn,
    velocity_y: CandidateColumn,
    /// Gaps to their edges [m], infinite for those too far.
    gap: CandidateColumn,
    /// How many are nearer.
    nearer: [Wide<U32x8>; FEW / WIDE],
    /// Which of sixteen is the nearest, the second, and so on, in four bits each; `None` if there are more, or two at
    /// one distance.
    few: Option<u64>,
    /// The same for any number of them.
    order: [u32; FEW + WIDE],
    /// Of those found where the nearest have to be chosen, the gaps [m].
    gaps: Vec<(f32, u32)>,
}

/// Where sixteen candidates next in order are written.
pub(crate) struct Picked<'a> {
    pub(crate) index: &'a mut [u32; WIDE],
    pub(crate) x: &'a mut [F32x8; 2],
    pub(crate) y: &'a mut [F32x8; 2],
    pub(crate) radius: &'a mut [F32x8; 2],
    pub(crate) velocity_x: &'a mut [F32x8; 2],
    pub(crate) velocity_y: &'a mut [F32x8; 2],
}

impl Default for Candidates {
    fn default() -> Self {
        let zeros = CandidateColumn::default();
        Self {
            found: vec![0; 4 * FEW],
            x: zeros,
            y: zeros,
            radius: zeros,
            velocity_x: zeros,
            velocity_y: zeros,
            gap: zeros,
            nearer: Default::default(),
            few: None,
            order: [0; FEW + WIDE],
            gaps: Vec::new(),
        }
    }
}

impl Candidates {
    /// Finds all of a window whose edge may be within the gap, or if they are too many the nearest ones; returns how many.
    #[inline(always)]
    pub(crate) fn find<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        search: &Search<'_>,
        window: &Window,
    ) -> usize {
        let mut count = self.collect::<L>(simd, search, window);
        if !search.grid.all_heed {
            count = self.keep_seen(search, count);
        }
        if count > FEW {
            self.keep_nearest(search, count);
            count = FEW;
        }
        // Whoever fills up the last sixteen is measured and counts for nothing.
        self.found[count..][..WIDE].fill(search.own as u32);
        count
    }

    /// Measures the `count` that were found; returns how many of them are near enough.
    #[inline(always)]
    pub(crate) fn measure<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        search: &Search<'_>,
        count: usize,
    ) -> usize {
        let mut near = 0;
        for batch in 0..count.div_ceil(WIDE) {
            near += self.measure_batch::<L>(simd, search, batch, count);
        }
        near
    }

    /// Collects all others whose edge may be within the gap; returns how many.
    #[inline(always)]
    fn collect<L: Lanes8>(&mut self, simd: L::Simd, search: &Search<'_>, window: &Window) -> usize {
        let (at, slack) = window.spot(search.center);
        let (x, y) = (simd.splat(at.x), simd.splat(at.y));
        let range = simd.splat(search.gap + slack);
        // More are written than count.
        if self.found.len() < window.len() + WIDE {
            self.found.resize(2 * window.len() + WIDE, 0);
        }
        let found = self.found.as_mut_slice();
        let mut count = 0;
        for spots in window.sixteens() {
            if let Some(to) = found[count..].first_chunk_mut() {
                count += spots.near([x, y], range, search.own as u32, to);
            }
        }
        count
    }

    /// Measures sixteen of `count` candidates; returns how many of them are near enough.
    #[inline(always)]
    fn measure_batch<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        search: &Search<'_>,
        batch: usize,
        count: usize,
    ) -> usize {
        let start = WIDE * batch;
        let [low, high] = [
            self.measured::<L>(simd, search, start, count),
            self.measured::<L>(simd, search, start + LANES, count),
        ];
        let batch = batch % (FEW / WIDE);
        let columns = [
            &mut self.x,
            &mut self.y,
            &mut self.radius,
            &mut self.velocity_x,
            &mut self.velocity_y,
            &mut self.gap,
        ];
        for (i, column) in columns.into_iter().enumerate() {
            column[batch] = L::join(low.0[i], high.0[i]);
        }
        low.1 + high.1
    }

    /// Measures eight of `count` candidates, from `start` on: ways, radii, velocities and gaps; and how many of them
    /// are near enough.
    #[inline(always)]
    fn measured<L: Lanes8>(
        &self,
        simd: L::Simd,
        search: &Search<'_>,
        start: usize,
        count: usize,
    ) -> ([L; 6], usize) {
        let found = eight(&self.found, start);
        let center = [search.center.x, search.center.y];
        let places = each_lane(|lane| &search.grid.places[found[lane] as usize]);
        let seen = Seen::<L>::of(simd, places, center);
        let ([x, y], radius) = (seen.way, seen.radius);
        let [velocity_x, velocity_y] = seen.velocity;
        let gap = (x * x + y * y).sqrt() - radius;
        let counts = L::mask_first(simd, count.saturating_sub(start));
        let near = gap.le(simd.splat(search.gap)).and(counts);
        let gap = L::select(near, gap, simd.splat(f32::INFINITY));
        let near = count_lanes(near.bits());
        ([x, y, radius, velocity_x, velocity_y, gap], near)
    }

    /// Puts `count` candidates in order, of whom `near` are near enough; returns the gap to the last of the `len`
    /// nearest [m].
    #[inline(always)]
    pub(crate) fn arrange<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        grid: &Grid,
        [count, near]: [usize; 2],
        len: usize,
    ) -> f32 {
        self.few = None;
        if count <= WIDE
            && let Some(order) = self.rank_few::<L>(simd, near)
        {
            let order = repeat_first(order, len);
            self.few = Some(order);
            let last = order >> (4 * len.saturating_sub(1)) & 15;
            return if len == 0 {
                0.0
            } else {
                at(&self.gap, last as u32)
            };
        }
        if count <= WIDE || !self.rank::<L>(simd, count, near) {
            self.sort(grid, count);
        }
        let Some(last) = len.checked_sub(1) else {
            return 0.0;
        };
        // What is left of the last sixteen repeats the nearest.
        let nearest = self.order[0];
        if let Some(rest) = self.order[len..].first_chunk_mut::<WIDE>() {
            *rest = [nearest; WIDE];
        }
        at(&self.gap, self.order[last])
    }

    /// Writes the sixteen from place `16 * batch` on, in the order found by [`Self::arrange`].
    #[inline(always)]
    pub(crate) fn pick<L: Lanes8>(&self, simd: L::Simd, batch: usize, to: Picked<'_>) {
        let Some(order) = self.few else {
            self.pick_of_many(batch, to);
            return;
        };
        let places = L::unpack_nibbles(simd, order);
        let found = self.found.first_chunk().expect("sixteen at least");
        *to.index = L::permute_u32(simd, found, &places);
        *to.x = L::permute(simd, &self.x[0], &places).0;
        *to.y = L::permute(simd, &self.y[0], &places).0;
        *to.radius = L::permute(simd, &self.radius[0], &places).0;
        *to.velocity_x = L::permute(simd, &self.velocity_x[0], &places).0;
        *to.velocity_y = L::permute(simd, &self.velocity_y[0], &places).0;
    }

    /// Does the same for any order.
    ///
    /// A call, and so without wide registers: single loads take less time than what gathers them.
    #[inline(never)]
    fn pick_of_many(&self, batch: usize, to: Picked<'_>) {
        let order = &self.order[WIDE * batch..][..WIDE];
        for (i, &place) in order.iter().enumerate() {
            let (half, lane) = (i / LANES, i % LANES);
            to.index[i] = self.found[place as usize];
            to.x[half].0[lane] = at(&self.x, place);
            to.y[half].0[lane] = at(&self.y, place);
            to.radius[half].0[lane] = at(&self.radius, place);
            to.velocity_x[half].0[lane] = at(&self.velocity_x, place);
            to.velocity_y[half].0[lane] = at(&self.velocity_y, place);
        }
    }

    /// Returns the order of sixteen candidates at most, of whom `near` are near enough, if no two of those are at one
    /// distance.
    ///
    /// Put together in a register: sixteen places written one by one cannot be read side by side until they have left
    /// the processor.
    #[inline(always)]
    fn rank_few<L: Lanes8>(&self, simd: L::Simd, near: usize) -> Option<u64> {
        let (order, sum) = L::rank(simd, &self.gap[0]);
        are_distinct(sum, near, WIDE).then_some(order)
    }

    /// Gives each candidate the place of how many are nearer; says whether no two of the `near` ones got the same,
    /// which they do where they are at one distance.
    #[inline(always)]
    fn rank<L: Lanes8>(&mut self, simd: L::Simd, count: usize, near: usize) -> bool {
        let batches = count.div_ceil(WIDE).min(FEW / WIDE);
        self.count_nearer::<L>(simd, batches);
        let all = WIDE * batches;
        let mut sum = 0;
        let nearer = self.nearer[..batches].iter().flat_map(|batch| &batch.0);
        for (eight, first) in nearer.zip((0..).step_by(LANES)) {
            for (&place, candidate) in eight.0.iter().zip(first..) {
                sum += place;
                // Those too far come behind all others, wherever that is.
                self.order[place as usize % FEW] = candidate;
            }
        }
        are_distinct(sum, near, all)
    }

    /// Counts for each candidate of several batches how many are nearer.
    #[inline(always)]
    fn count_nearer<L: Lanes8>(&mut self, simd: L::Simd, batches: usize) {
        let gaps = &self.gap[..batches];
        for (nearer, gap) in self.nearer.iter_mut().zip(gaps) {
            for (nearer, gap) in nearer.0.iter_mut().zip(&gap.0) {
                let (mut counts, gap) = (L::zero_counts(simd), L::load(simd, gap));
                for eight in gaps.iter().flat_map(|batch| &batch.0) {
                    for &other in &eight.0 {
                        counts = L::count(counts, simd.splat(other).lt(gap));
                    }
                }
                *nearer = L::store_counts(counts);
            }
        }
    }

    /// Orders the first `count` candidates by gap, and those at one gap by their place.
    #[cold]
    fn sort(&mut self, grid: &Grid, count: usize) {
        let (gaps, index) = (&self.gap, &self.found);
        let order = &mut self.order[..count];
        for (place, candidate) in order.iter_mut().zip(0..) {
            *place = candidate;
        }
        order.sort_unstable_by(|&a, &b| {
            let gap = at(gaps, a).total_cmp(&at(gaps, b));
            gap.then_with(|| grid.by_place(index[a as usize], index[b as usize]))
        });
    }

    /// Puts those of `count` candidates first who are in the layers that the agent heeds; returns how many.
    fn keep_seen(&mut self, search: &Search<'_>, count: usize) -> usize {
        let mut kept = 0;
        for i in 0..count {
            let index = self.found[i];
            self.found[kept] = index;
            let seen = search.grid.manners[index as usize].layers & search.mask != 0;
            kept += usize::from(seen);
        }
        kept
    }

    /// Puts the nearest of `count` candidates first.
    #[cold]
    fn keep_nearest(&mut self, search: &Search<'_>, count: usize) {
        let found = &mut self.found[..count];
        self.gaps.clear();
        let gap = |&index: &u32| (search.gap_to(index), index);
        self.gaps.extend(found.iter().map(gap));
        let order = |a: &(f32, u32), b: &(f32, u32)| {
            let gap = a.0.total_cmp(&b.0);
            gap.then_with(|| search.grid.by_place(a.1, b.1))
        };
        self.gaps.select_nth_unstable_by(FEW - 1, order);
        for (place, (_, chosen)) in found.iter_mut().zip(&self.gaps) {
            *place = *chosen;
        }
    }
}

impl Search<'_> {
    /// Returns the gap to a sorted agent's edge [m].
    fn gap_to(&self, index: u32) -> f32 {
        let place = &self.grid.places[index as usize];
        let way = place.center() - self.center;
        (way.x * way.x + way.y * way.y).sqrt() - place.radius()
    }
}

/// Returns eight of a column.
#[inline(always)]
fn eight<T: Copy>(column: &[T], start: usize) -> [T; LANES] {
    *column[start..]
        .first_chunk()
        .expect("columns end with an eight")
}

/// Says whether no two of the `near` ones are at one distance, by the sum of how many are nearer to `all`.
///
/// All others have as many nearer ones as there are near; two at one distance have one less together.
#[inline(always)]
fn are_distinct(sum: u32, near: usize, all: usize) -> bool {
    let (near, all) = (near as u32, all as u32);
    sum + near == near * (near + 1) / 2 + (all - near) * near
}

/// Lets all but the `len` first of sixteen numbers of four bits repeat the first one.
#[inline(always)]
fn repeat_first(nibbles: u64, len: usize) -> u64 {
    const ONES: u64 = 0x1111_1111_1111_1111;
    let rest = u64::MAX.checked_shl(4 * len as u32).unwrap_or(0);
    let first = (nibbles & 15) * ONES;
    (nibbles & !rest) | (first & rest)
}

/// Returns one number of a column.
#[inline(always)]
fn at(column: &CandidateColumn, place: u32) -> f32 {
    let place = place as usize;
    column[place / WIDE % (FEW / WIDE)].0[place / LANES % 2].0[place % LANES]
}
