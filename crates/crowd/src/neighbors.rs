//! The nearest others of an agent, ordered by the gap to them.
//!
//! A search looks as far as the last step's farthest neighbour was, and farther until it has found
//! enough: whatever it starts from, it ends with the same neighbours. Candidates are measured four at a
//! time, and put in order by counting for each how many are nearer.

use crate::agent::Params;
use crate::grid::{Grid, Spots};
use crate::lanes::{LANES, Lanes, ordered};
use crate::tuning::{CROWDED_RUN, MAX_NEIGHBORS};
use cairn2d_geometry::math::{Vec2, WorldPoint};
use core::ops::Range;
use wide::i32x4;

/// Factor by which a search that found too few looks farther.
const WIDEN: f32 = 1.3;

/// Margin on the last step's reach, as a factor; and as a share of the way of one step.
///
/// A search that finds too few is done twice, one that looks too far measures too many: with these about
/// one in fifty is done again in a dense crowd.
const MARGIN: f32 = 1.04;
const MARGIN_STEPS: f32 = 0.4;

/// Candidates above which the library sorts them: counting costs their square.
const FEW: usize = 48;

/// Place of an order that nobody has taken.
const NONE: u32 = u32::MAX;

/// One other agent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neighbor {
    /// From the agent's center to the other's [m].
    pub(crate) offset: Vec2,
    /// Distance of the centers [m].
    pub(crate) distance: f32,
    /// Index in the grid.
    pub(crate) index: u32,
}

/// One number for each neighbour.
pub(crate) type Column = [f32; MAX_NEIGHBORS];

/// The neighbours, nearest first, and what one search needs beside them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Neighbors {
    len: usize,
    /// Indices in the grid.
    pub(crate) index: [u32; MAX_NEIGHBORS],
    /// From the agent's center to theirs [m].
    pub(crate) x: Column,
    pub(crate) y: Column,
    /// Candidates: indices in the grid.
    found: Vec<u32>,
    measured: Vec<Measured>,
    keys: Vec<i32>,
    order: Vec<u32>,
}

/// A candidate's way and radius [m].
#[derive(Clone, Copy, Debug, Default)]
struct Measured {
    x: f32,
    y: f32,
    radius: f32,
}

/// Where a search stands and what it takes.
#[derive(Clone, Copy)]
struct Search<'a> {
    grid: &'a Grid,
    own: usize,
    center: WorldPoint,
    mask: u32,
}

impl Neighbors {
    /// Returns the number of neighbours.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Goes through the neighbours, nearest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Neighbor> + '_ {
        (0..self.len).map(|i| {
            let offset = Vec2::new(self.x[i], self.y[i]);
            Neighbor {
                offset,
                distance: (offset.x * offset.x + offset.y * offset.y).sqrt(),
                index: self.index[i],
            }
        })
    }

    /// Returns neighbours at these ways.
    #[cfg(test)]
    pub(crate) fn of(ways: &[Vec2]) -> Self {
        let mut neighbors = Self {
            len: ways.len(),
            ..Self::default()
        };
        for (i, way) in ways.iter().enumerate() {
            (neighbors.x[i], neighbors.y[i]) = (way.x, way.y);
        }
        neighbors
    }

    /// Finds the neighbours of the sorted agent `own`, who was at `last_reach` when it looked last;
    /// returns how far it had to look [m].
    pub(crate) fn find(
        &mut self,
        grid: &Grid,
        own: usize,
        params: &Params,
        last_reach: f32,
        step: f32,
    ) -> f32 {
        self.len = 0;
        let limit = usize::from(params.neighbor_limit);
        if limit == 0 {
            return 0.0;
        }
        let search = Search {
            grid,
            own,
            center: grid.position(own),
            mask: params.mask,
        };
        let mut gap = (last_reach * MARGIN + MARGIN_STEPS * step * params.max_speed)
            .max(params.radius)
            .min(params.neighbor_range);
        let mut count = self.collect(&search, gap);
        while count < limit && gap < params.neighbor_range {
            gap = wider(gap, params.neighbor_range);
            count = self.collect(&search, gap);
        }
        self.measure(&search, count);
        let last = self.choose(grid, count, limit);
        if self.len < limit { gap } else { last }.max(0.0)
    }

    /// Collects all whose edge is within `gap`; returns how many.
    fn collect(&mut self, search: &Search<'_>, gap: f32) -> usize {
        let mut count = 0;
        search.grid.runs(search.center, gap, |run| {
            let run = window(run, search.own);
            if run.is_empty() {
                return;
            }
            let (first, last) = (run.start / LANES, (run.end - 1) / LANES);
            // A block is written whole before it is known how many of it count.
            let room = count + LANES * (last - first + 1);
            if self.found.len() < room {
                self.found.resize(2 * room, 0);
            }
            let mut mask = u32::MAX << (run.start % LANES);
            for (block, spots) in (first..).zip(&search.grid.spots[first..=last]) {
                if block == last {
                    mask &= (2u32 << ((run.end - 1) % LANES)) - 1;
                }
                if block == search.own / LANES {
                    mask &= !(1u32 << (search.own % LANES));
                }
                let bits = search.within(spots, gap) & mask;
                mask = u32::MAX;
                count += append(&mut self.found[count..count + LANES], block, bits);
            }
        });
        count
    }

    /// Measures the ways to the first `count` candidates, and gives each a key in the order of gaps.
    fn measure(&mut self, search: &Search<'_>, count: usize) {
        let room = count.next_multiple_of(LANES);
        if self.keys.len() < room {
            self.keys.resize(2 * room, 0);
            self.measured.resize(2 * room, Measured::default());
        }
        for (measured, &other) in self.measured.iter_mut().zip(&self.found[..count]) {
            let spots = &search.grid.spots[other as usize / LANES];
            let lane = other as usize % LANES;
            *measured = Measured {
                x: (spots.x[lane] - search.center.x) as f32,
                y: (spots.y[lane] - search.center.y) as f32,
                radius: spots.radius[lane],
            };
        }
        let fours = self.measured[..room].as_chunks::<LANES>().0;
        let keys = self.keys[..room].as_chunks_mut::<LANES>().0;
        for (keys, m) in keys.iter_mut().zip(fours) {
            let x = Lanes::new([m[0].x, m[1].x, m[2].x, m[3].x]);
            let y = Lanes::new([m[0].y, m[1].y, m[2].y, m[3].y]);
            let radius = Lanes::new([m[0].radius, m[1].radius, m[2].radius, m[3].radius]);
            *keys = ordered((x * x + y * y).sqrt() - radius);
        }
        self.keys[count..room].fill(i32::MAX);
    }

    /// Puts the `limit` nearest of `count` candidates in order; returns the gap to the last of them.
    fn choose(&mut self, grid: &Grid, count: usize, limit: usize) -> f32 {
        self.len = count.min(limit);
        if count > FEW || !self.rank(count) {
            self.sort(grid, count);
        }
        let mut gap = 0.0;
        for i in 0..self.len {
            let place = self.index[i] as usize;
            let m = &self.measured[place];
            (self.index[i], self.x[i], self.y[i]) = (self.found[place], m.x, m.y);
            if i + 1 == self.len {
                gap = (m.x * m.x + m.y * m.y).sqrt() - m.radius;
            }
        }
        gap
    }

    /// Gives each candidate the place of how many are nearer; says whether that gave all places away,
    /// which it does not where some are at one distance. Leaves the candidates in `index`.
    fn rank(&mut self, count: usize) -> bool {
        self.index[..self.len].fill(NONE);
        let room = count.next_multiple_of(LANES);
        for (i, these) in self.keys[..room].as_chunks::<LANES>().0.iter().enumerate() {
            let these = i32x4::new(*these);
            let mut nearer = i32x4::splat(0);
            for &key in &self.keys[..count] {
                nearer -= these.simd_gt(i32x4::splat(key));
            }
            for (lane, place) in nearer.to_array().into_iter().enumerate() {
                // Those that fill up the last four have the greatest key of all: they come after the count.
                if (place as usize) < self.len {
                    self.index[place as usize] = (LANES * i + lane) as u32;
                }
            }
        }
        !self.index[..self.len].contains(&NONE)
    }

    /// Orders the candidates by gap, and those at one gap by their place, so that no order of storage
    /// shows. Leaves the candidates in `index`.
    fn sort(&mut self, grid: &Grid, count: usize) {
        let (keys, found) = (&self.keys, &self.found);
        self.order.clear();
        self.order.extend(0..count as u32);
        self.order.sort_unstable_by(|&a, &b| {
            let (a, b) = (a as usize, b as usize);
            keys[a].cmp(&keys[b]).then_with(|| {
                let (a, b) = (found[a] as usize, found[b] as usize);
                let (p, q) = (grid.position(a), grid.position(b));
                let place = p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y));
                place.then(grid.near[a].slot.cmp(&grid.near[b].slot))
            })
        });
        self.index[..self.len].copy_from_slice(&self.order[..self.len]);
    }
}

/// Appends the lanes of a block whose bits are set; returns how many.
#[inline]
fn append(to: &mut [u32], block: usize, bits: u32) -> usize {
    let mut taken = 0;
    for lane in 0..LANES {
        to[taken & (LANES - 1)] = (LANES * block + lane) as u32;
        taken += (bits >> lane & 1) as usize;
    }
    taken
}

impl Search<'_> {
    /// Returns a bit for each of four agents whose edge is within `gap`.
    #[inline]
    fn within(&self, spots: &Spots, gap: f32) -> u32 {
        let x = Lanes::new(spots.x.map(|x| (x - self.center.x) as f32));
        let y = Lanes::new(spots.y.map(|y| (y - self.center.y) as f32));
        let range = Lanes::splat(gap) + Lanes::new(spots.radius);
        let mut bits = (x * x + y * y).simd_le(range * range).to_bitmask();
        if self.mask != u32::MAX {
            for (lane, layers) in spots.layers.iter().enumerate() {
                bits &= !(u32::from(layers & self.mask == 0) << lane);
            }
        }
        bits
    }
}

/// Returns the next distance to search; a search from nothing goes for the whole range at once.
fn wider(gap: f32, range: f32) -> f32 {
    let next = gap * WIDEN;
    if next > gap { next.min(range) } else { range }
}

/// Returns the part of a run to look at: all of it, unless agents are piled up in a cell.
#[inline]
fn window(run: Range<usize>, own: usize) -> Range<usize> {
    if run.len() <= CROWDED_RUN {
        return run;
    }
    let start = if run.contains(&own) {
        own.saturating_sub(CROWDED_RUN / 2).max(run.start)
    } else {
        run.start
    };
    start..run.end.min(start + CROWDED_RUN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::AgentDef;
    use crate::store::Store;
    use proptest::prelude::*;

    fn grid(store: &Store) -> Grid {
        let mut grid = Grid::default();
        grid.build(store, 3.0);
        grid
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn the_nearest_are_found_from_any_first_guess(
            agents in proptest::collection::vec((-20.0f32..20.0, -20.0f32..20.0, 0.05f32..5.0), 1..120),
            limit in 0usize..12, range in 0.0f32..30.0, guess in 0.0f32..30.0,
        ) {
            let mut store = Store::default();
            for &(x, y, radius) in &agents {
                let def = AgentDef { radius, neighbor_limit: limit, neighbor_range: range, ..AgentDef::at((x, y)) };
                store.insert(&def);
            }
            let grid = grid(&store);
            let own = grid.order.iter().position(|&row| row == 0).unwrap();
            let mut neighbors = Neighbors::default();
            neighbors.find(&grid, own, &store.params[0], guess, 0.1);
            let gap = |row: usize| (store.position[row] - store.position[0]).norm() - agents[row].2;
            let mut all: Vec<f32> = (1..agents.len()).map(gap).filter(|&g| g <= range).collect();
            all.sort_unstable_by(f32::total_cmp);
            all.truncate(limit);
            let found = neighbors.iter().map(|n| gap(grid.order[n.index as usize] as usize));
            let found: Vec<f32> = found.collect();
            prop_assert_eq!(found.len(), all.len());
            for (a, b) in found.iter().zip(&all) {
                prop_assert!((a - b).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn those_at_one_distance_stand_in_order_of_place() {
        let mut store = Store::default();
        for at in [
            (0.0, 0.0),
            (2.0, 0.0),
            (0.0, 2.0),
            (-2.0, 0.0),
            (0.0, -2.0),
            (1.0, 0.0),
        ] {
            store.insert(&AgentDef::at(at));
        }
        let grid = grid(&store);
        let own = grid.order.iter().position(|&row| row == 0).unwrap();
        let mut neighbors = Neighbors::default();
        neighbors.find(&grid, own, &store.params[0], 5.0, 0.1);
        let places: Vec<Vec2> = neighbors.iter().map(|n| n.offset).collect();
        let want = [(1.0, 0.0), (-2.0, 0.0), (0.0, -2.0), (0.0, 2.0), (2.0, 0.0)];
        assert_eq!(places, want.map(|(x, y)| Vec2::new(x, y)));
    }
}
