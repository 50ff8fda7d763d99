//! What a few agents beside each other look at: everyone who may be a neighbour of one of them, copied side by side.
//!
//! Agents who follow each other in the grid stand close together, so that most of those around one of them are around
//! the next one too. They look for the rows and cells once, and then all of them go through one short list without
//! gaps, whose length no longer differs from agent to agent.

use crate::grid::{Grid, greater, lesser};
use crate::lanes::{LANES, Lanes};
use cairn2d_geometry::math::WorldPoint;
use core::ops::Range;
use wide::i32x4;

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
    /// Takes in all whose edge may lie in a box, unless they are more than `most`; then nobody.
    pub(crate) fn fill(&mut self, grid: &Grid, [low, high]: [WorldPoint; 2], most: usize) {
        self.len = 0;
        self.reserve(most);
        let hair = |low: f64, high: f64| {
            HAIR * (high - low) + f64::EPSILON * greater(low.abs(), high.abs())
        };
        let (x, y) = (hair(low.x, high.x), hair(low.y, high.y));
        let wider = [
            WorldPoint::new(low.x - x, low.y - y),
            WorldPoint::new(high.x + x, high.y + y),
        ];
        let mut fits = true;
        grid.runs_in(wider, |run| {
            fits &= self.len + run.len() <= most;
            if fits {
                self.append(grid, run);
            }
        });
        [self.low, self.high] = if fits { [low, high] } else { NONE };
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
        self.len = 0;
        grid.runs(center, gap, |run| {
            let run = narrow(run);
            self.reserve(self.len + run.len());
            self.append(grid, run);
        });
        self.end();
    }

    /// Returns the gap up to which the window holds everyone around `center` [m]; negative outside.
    #[inline]
    pub(crate) fn reach(&self, center: WorldPoint) -> f32 {
        let (left, right) = (center.x - self.low.x, self.high.x - center.x);
        let (down, up) = (center.y - self.low.y, self.high.y - center.y);
        lesser(lesser(left, right), lesser(down, up)) as f32
    }

    /// Appends sorted agents, for whom there is room.
    #[inline]
    fn append(&mut self, grid: &Grid, run: Range<usize>) {
        let room = run.len().next_multiple_of(LANES);
        let (from, to) = (run.start..run.start + room, self.len..self.len + room);
        let spots = &grid.spots;
        let x = fours(&mut self.x[to.clone()]).zip(spots.x[from.clone()].as_chunks().0);
        let y = fours(&mut self.y[to.clone()]).zip(spots.y[from.clone()].as_chunks().0);
        let radius = fours(&mut self.radius[to.clone()]).zip(spots.radius[from].as_chunks().0);
        let mut first = i32x4::new([0, 1, 2, 3]) + i32x4::splat(run.start as i32);
        for (((x, y), radius), index) in x.zip(y).zip(radius).zip(fours(&mut self.index[to])) {
            *x.0 = *x.1;
            *y.0 = *y.1;
            *radius.0 = *radius.1;
            *index = first.to_array();
            first += i32x4::splat(LANES as i32);
        }
        self.len += run.len();
    }

    /// Makes room for `len` agents, and for what is written past them.
    fn reserve(&mut self, len: usize) {
        if self.x.len() < len + 2 * LANES {
            let len = 2 * len + 2 * LANES;
            self.x.resize(len, 0.0);
            self.y.resize(len, 0.0);
            self.radius.resize(len, 0.0);
            self.index.resize(len, 0);
        }
    }

    /// Fills up the last lanes.
    fn end(&mut self) {
        self.reserve(self.len);
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

/// Goes through whole fours of a column.
#[inline]
fn fours<T>(column: &mut [T]) -> core::slice::IterMut<'_, [T; LANES]> {
    column.as_chunks_mut().0.iter_mut()
}
