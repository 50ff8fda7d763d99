//! What a few agents beside each other look at: everyone who may be a neighbour of one of them, copied side by side.
//!
//! Agents who follow each other in the grid stand close together, so that most of those around one of them are around
//! the next one too. They look for the rows and cells once, and then all of them go through one short list without
//! gaps, whose length no longer differs from agent to agent.

use crate::grid::{Grid, greater, lesser};
use crate::simd::LANES;
use cairn2d_geometry::math::{Vec2, WorldPoint};
use core::ops::Range;

/// Share of a box's sides by which it is made larger, so that rounding leaves nobody out.
const HAIR: f64 = 4.0 * f32::EPSILON as f64;

/// Share of a box's sides, and of a radius, by which rounding may misplace those whose edge may lie in it.
const SLACK: f32 = 16.0 * f32::EPSILON;

/// Places of agents, and a box that holds all whose edge may lie in it.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    /// Centers relative to `corner`, and radii with a hair [m]; a multiple of the lanes, filled up with some who are
    /// infinitely far off.
    x: Vec<f32>,
    y: Vec<f32>,
    radius: Vec<f32>,
    /// Indices in the grid.
    index: Vec<u32>,
    len: usize,
    corner: WorldPoint,
    /// How far rounding may misplace a pair of those in reach [m].
    slack: f32,
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
            corner: WorldPoint::ORIGIN,
            slack: 0.0,
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
        self.corner = low;
        self.slack = SLACK * greater(high.x - low.x, high.y - low.y) as f32;
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
        (self.corner, self.slack) = (center, SLACK * gap);
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
        let (places, corner) = (&grid.places[run.clone()], self.corner);
        let count = places.len();
        let (x, y) = (
            &mut self.x[self.len..][..count],
            &mut self.y[self.len..][..count],
        );
        let radius = &mut self.radius[self.len..][..count];
        let index = &mut self.index[self.len..][..count];
        for i in 0..count {
            let way = places[i].center() - corner;
            (x[i], y[i]) = (way.x, way.y);
            radius[i] = places[i].radius() * (1.0 + SLACK);
            index[i] = (run.start + i) as u32;
        }
        self.len += count;
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

    /// Returns a place relative to the corner, and how far rounding may misplace it from another [m].
    #[inline]
    pub(crate) fn spot(&self, at: WorldPoint) -> (Vec2, f32) {
        (at - self.corner, self.slack)
    }

    /// Returns the number of agents, filling included.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Goes through centers, radii and indices in the grid by lanes.
    #[inline(always)]
    pub(crate) fn eights(&self) -> impl Iterator<Item = Eights<'_>> {
        fn eights<T>(column: &[T]) -> core::slice::Iter<'_, [T; LANES]> {
            column.as_chunks().0.iter()
        }
        let (x, y) = (eights(&self.x[..self.len]), eights(&self.y[..self.len]));
        let radius = eights(&self.radius[..self.len]);
        let index = eights(&self.index[..self.len]);
        let columns = x.zip(y).zip(radius).zip(index);
        columns.map(|(((x, y), radius), index)| Eights {
            x,
            y,
            radius,
            index,
        })
    }
}

/// Eight agents of a window.
pub(crate) struct Eights<'a> {
    pub(crate) x: &'a [f32; LANES],
    pub(crate) y: &'a [f32; LANES],
    pub(crate) radius: &'a [f32; LANES],
    pub(crate) index: &'a [u32; LANES],
}
