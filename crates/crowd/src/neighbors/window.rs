//! Candidate windows: agents that may be neighbors of several adjacent agents, copied into columns.
//!
//! Agents that are adjacent in the grid are close together, so most candidates of one are candidates of the next.
//! Rows and cells are looked up once; then all of the agents read one short contiguous list, whose length no longer
//! differs from agent to agent.

use crate::neighbors::grid::{Grid, max, min};
use crate::neighbors::moving_disc::{LaneDiscs, MovingDisc};
use cairn2d_geometry::math::{Vec2, WorldPoint};
use cairn2d_simd::{LANES, Lanes8, Lanes16, Simd, Vector, WIDE, each_lane};
use core::ops::Range;
use smallvec::SmallVec;

/// Share of a box's sides by which it is enlarged, so that rounding excludes no agent.
const BOX_MARGIN: f64 = 4.0 * f32::EPSILON as f64;

/// Relative rounding error of the sides of a box, and of a radius.
const ROUNDING: f32 = 16.0 * f32::EPSILON;

/// Positions of agents, and a box that contains all agents whose edge may lie in it.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    /// Centers relative to `corner`, and radii with a margin [m]; a multiple of the lanes, padded with infinitely
    /// distant agents.
    x: Vec<f32>,
    y: Vec<f32>,
    radius: Vec<f32>,
    /// Indices in the grid.
    index: Vec<u32>,
    len: usize,
    corner: WorldPoint,
    /// Greatest rounding error of the offset of two agents in the window [m].
    slack: f32,
    /// Corners of the box; inverted for an empty window.
    low: WorldPoint,
    high: WorldPoint,
}

/// Runs of sorted agents; in two columns, since a pair that has just been written as two numbers cannot be loaded as
/// one without a stall.
#[derive(Default)]
struct Runs {
    starts: SmallVec<[usize; 8]>,
    ends: SmallVec<[usize; 8]>,
}

impl Runs {
    fn push(&mut self, run: &Range<usize>) {
        self.starts.push(run.start);
        self.ends.push(run.end);
    }

    fn get(&self, i: usize) -> Range<usize> {
        self.starts[i]..self.ends[i]
    }
}

/// Corners of the empty box.
const NONE: [WorldPoint; 2] = [
    WorldPoint::new(f64::INFINITY, f64::INFINITY),
    WorldPoint::new(f64::NEG_INFINITY, f64::NEG_INFINITY),
];

impl Default for Window {
    fn default() -> Self {
        let [low, high] = NONE;
        Self {
            x: Vec::new(),
            y: Vec::new(),
            radius: Vec::new(),
            index: Vec::new(),
            len: 0,
            corner: WorldPoint::ORIGIN,
            slack: 0.0,
            low,
            high,
        }
    }
}

/// Sixteen candidates: positions, radii and indices, in columns.
pub(crate) struct CandidateBlock<'a> {
    x: &'a [f32; WIDE],
    y: &'a [f32; WIDE],
    radius: &'a [f32; WIDE],
    names: &'a [u32; WIDE],
}

impl CandidateBlock<'_> {
    /// Writes the indices of the agents within `range` plus their radius of a position, other than `own`, one after
    /// the other; returns their number. The rest of `to` is unspecified.
    #[inline(always)]
    pub(crate) fn near<L: Lanes8>(
        &self,
        at: [L; 2],
        range: L,
        own: u32,
        to: &mut [u32; WIDE],
    ) -> usize {
        let (at_x, at_y, range) = (at[0].twice(), at[1].twice(), range.twice());
        let simd = range.simd();
        let x = L::Wide::load16(simd, self.x) - at_x;
        let y = L::Wide::load16(simd, self.y) - at_y;
        let range = L::Wide::load16(simd, self.radius) + range;
        let near = (x * x + y * y).le(range * range);
        L::Wide::compress_but(simd, near, self.names, own, to)
    }
}

impl Window {
    /// Copies all agents whose edge may lie in a box, in the parts of their runs that `narrow` returns; none if they are
    /// more than `most`.
    #[inline(always)]
    pub(crate) fn fill<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        grid: &Grid,
        [low, high]: [WorldPoint; 2],
        most: usize,
        narrow: impl Fn(Range<usize>) -> Range<usize>,
    ) {
        self.len = 0;
        let hair = |low: f64, high: f64| {
            BOX_MARGIN * (high - low) + f64::EPSILON * max(low.abs(), high.abs())
        };
        let (x, y) = (hair(low.x, high.x), hair(low.y, high.y));
        let wider = [
            WorldPoint::new(low.x - x, low.y - y),
            WorldPoint::new(high.x + x, high.y + y),
        ];
        self.corner = low;
        self.slack = ROUNDING * max(high.x - low.x, high.y - low.y) as f32;
        let (mut runs, mut fits) = (Runs::default(), true);
        grid.runs(wider, |run| runs.push(&narrow(run)));
        for i in 0..runs.starts.len() {
            let run = runs.get(i);
            fits &= self.len + run.len() <= most;
            if fits {
                self.reserve(self.len + run.len());
                self.append::<L>(simd, grid, run);
            }
        }
        [self.low, self.high] = if fits { [low, high] } else { NONE };
        // The last lanes are padded.
        self.reserve(self.len);
        self.x[self.len..][..WIDE].fill(f32::INFINITY);
        self.len = self.len.next_multiple_of(WIDE);
    }

    /// Returns the gap up to which the window contains all neighbors of `center` [m]; negative outside.
    #[inline]
    pub(crate) fn reach(&self, center: WorldPoint) -> f32 {
        let (left, right) = (center.x - self.low.x, self.high.x - center.x);
        let (down, up) = (center.y - self.low.y, self.high.y - center.y);
        min(min(left, right), min(down, up)) as f32
    }

    /// Appends sorted agents, for which there is room; writes past them.
    #[inline(always)]
    fn append<L: Lanes8>(&mut self, simd: L::Simd, grid: &Grid, run: Range<usize>) {
        let end = self.len + run.len();
        let mut from = run.start;
        for to in (self.len..end).step_by(LANES) {
            if let Some(places) = grid.places[from..].first_chunk() {
                self.put_eight::<L>(simd, places, from, to);
            }
            from += LANES;
        }
        self.len = end;
    }

    /// Writes eight sorted agents from `first` on.
    #[inline(always)]
    fn put_eight<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        places: &[MovingDisc; LANES],
        first: usize,
        to: usize,
    ) {
        let seen = LaneDiscs::<L>::of(
            simd,
            each_lane(|lane| &places[lane]),
            [self.corner.x, self.corner.y],
        );
        put(&mut self.x, to, seen.offset[0].store().0);
        put(&mut self.y, to, seen.offset[1].store().0);
        let radius = seen.radius * simd.splat(1.0 + ROUNDING);
        put(&mut self.radius, to, radius.store().0);
        let first = first as u32;
        put(&mut self.index, to, each_lane(|lane| first + lane as u32));
    }

    /// Reserves memory for `len` agents, and for writes past them.
    fn reserve(&mut self, len: usize) {
        if self.x.len() < len + WIDE {
            let len = 2 * len + WIDE;
            self.x.resize(len, 0.0);
            self.y.resize(len, 0.0);
            self.radius.resize(len, 0.0);
            self.index.resize(len, 0);
        }
    }

    /// Returns a position relative to the corner, and its greatest rounding error relative to another [m].
    #[inline]
    pub(crate) fn spot(&self, at: WorldPoint) -> (Vec2, f32) {
        (at - self.corner, self.slack)
    }

    /// Returns the number of agents, with padding.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Iterates over centers, radii and indices in the grid, sixteen at a time.
    #[inline(always)]
    pub(crate) fn blocks(&self) -> impl Iterator<Item = CandidateBlock<'_>> {
        fn blocks<T>(column: &[T]) -> core::slice::Iter<'_, [T; WIDE]> {
            column.as_chunks().0.iter()
        }
        let (x, y) = (blocks(&self.x[..self.len]), blocks(&self.y[..self.len]));
        let radius = blocks(&self.radius[..self.len]);
        let names = blocks(&self.index[..self.len]);
        let columns = x.zip(y).zip(radius).zip(names);
        columns.map(|(((x, y), radius), names)| CandidateBlock {
            x,
            y,
            radius,
            names,
        })
    }
}

/// Writes eight numbers into a column.
#[inline(always)]
fn put<T: Copy>(column: &mut [T], to: usize, eight: [T; LANES]) {
    if let Some(to) = column[to..].first_chunk_mut() {
        *to = eight;
    }
}
