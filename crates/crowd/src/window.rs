//! What a few agents beside each other look at: everyone who may be a neighbour of one of them, copied side by side.
//!
//! Agents who follow each other in the grid stand close together, so that most of those around one of them are around
//! the next one too. They look for the rows and cells once, and then all of them go through one short list without
//! gaps, whose length no longer differs from agent to agent.

use crate::grid::Grid;
use crate::lanes::{LANES, Lanes};
use cairn2d_geometry::math::WorldPoint;
use core::ops::Range;

/// Share of a box's sides by which it is made larger, so that rounding leaves nobody out.
const HAIR: f64 = 4.0 * f32::EPSILON as f64;

/// Places of agents, and a box that holds all whose edge may lie in it.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    /// Centers relative to the grid's corner [m], and radii; a multiple of the lanes, filled up with some who are
    /// infinitely far off.
    x: Vec<f32>,
    y: Vec<f32>,
    radius: Vec<f32>,
    /// Indices in the grid.
    index: Vec<i32>,
    len: usize,
    /// Corners of the box; the wrong way round if the window holds nobody's neighbours.
    low: WorldPoint,
    high: WorldPoint,
}

/// Corners of no box.
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
            low,
            high,
        }
    }
}

impl Window {
    /// Forgets everyone.
    fn clear(&mut self) {
        self.len = 0;
    }

    /// Takes in all whose edge may lie in a box, unless they are more than `most`; then nobody.
    pub(crate) fn fill(&mut self, grid: &Grid, [low, high]: [WorldPoint; 2], most: usize) {
        self.clear();
        let hair = |extent: f64, place: f64| HAIR * extent + f64::EPSILON * place.abs();
        let x = hair(high.x - low.x, low.x).max(hair(high.x - low.x, high.x));
        let y = hair(high.y - low.y, low.y).max(hair(high.y - low.y, high.y));
        let wider = [
            WorldPoint::new(low.x - x, low.y - y),
            WorldPoint::new(high.x + x, high.y + y),
        ];
        (self.low, self.high) = (low, high);
        grid.runs_in(wider, |run| {
            if self.len <= most {
                self.append(grid, run);
            }
        });
        if self.len > most {
            [self.low, self.high] = NONE;
            self.len = 0;
        }
        self.end();
    }

    /// Takes in everyone in the runs of a circle of `gap` meters about `center`, through `narrow`.
    pub(crate) fn fill_alone(
        &mut self,
        grid: &Grid,
        center: WorldPoint,
        gap: f32,
        narrow: impl Fn(Range<usize>) -> Range<usize>,
    ) {
        self.clear();
        grid.runs(center, gap, |run| self.append(grid, narrow(run)));
        self.end();
    }

    /// Returns the gap up to which the window holds everyone around `center` [m]; negative outside.
    #[inline]
    pub(crate) fn reach(&self, center: WorldPoint) -> f32 {
        let (left, right) = (center.x - self.low.x, self.high.x - center.x);
        let (down, up) = (center.y - self.low.y, self.high.y - center.y);
        left.min(right).min(down.min(up)) as f32
    }

    /// Appends sorted agents.
    #[inline]
    fn append(&mut self, grid: &Grid, run: Range<usize>) {
        let (spots, start) = (&grid.spots, self.len);
        let room = run.len().next_multiple_of(LANES);
        self.reserve(start + room + LANES);
        let (from, to) = (run.start..run.start + room, start..start + room);
        let copy = |to: &mut [f32], from: &[f32]| {
            let (to, from) = (to.as_chunks_mut::<LANES>().0, from.as_chunks::<LANES>().0);
            for (to, from) in to.iter_mut().zip(from) {
                *to = *from;
            }
        };
        copy(&mut self.x[to.clone()], &spots.x[from.clone()]);
        copy(&mut self.y[to.clone()], &spots.y[from.clone()]);
        copy(&mut self.radius[to.clone()], &spots.radius[from]);
        let indices = self.index[to].as_chunks_mut::<LANES>().0;
        for (four, first) in indices.iter_mut().zip((run.start..).step_by(LANES)) {
            *four = core::array::from_fn(|lane| (first + lane) as i32);
        }
        self.len += run.len();
    }

    /// Makes room for `len` agents.
    fn reserve(&mut self, len: usize) {
        if self.x.len() < len {
            let len = 2 * len;
            self.x.resize(len, 0.0);
            self.y.resize(len, 0.0);
            self.radius.resize(len, 0.0);
            self.index.resize(len, 0);
        }
    }

    /// Fills up the last lanes.
    fn end(&mut self) {
        self.reserve(self.len + LANES);
        self.x[self.len..][..LANES].fill(f32::INFINITY);
        self.len = self.len.next_multiple_of(LANES);
    }

    /// Returns the number of agents, filling included.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns the index in the grid of an agent of the window.
    #[inline]
    pub(crate) fn index(&self, place: i32) -> i32 {
        self.index[place.cast_unsigned() as usize]
    }

    /// Goes through centers and radii by lanes.
    #[inline]
    pub(crate) fn fours(&self) -> impl Iterator<Item = [Lanes; 3]> + '_ {
        fn fours(column: &[f32]) -> core::slice::Iter<'_, [f32; LANES]> {
            column.as_chunks().0.iter()
        }
        let (x, y) = (fours(&self.x[..self.len]), fours(&self.y[..self.len]));
        let radius = fours(&self.radius[..self.len]);
        x.zip(y)
            .zip(radius)
            .map(|((x, y), radius)| [Lanes::new(*x), Lanes::new(*y), Lanes::new(*radius)])
    }
}
