//! The nearest others of an agent, ordered by the gap to them.
//!
//! A search looks as far as the last step's farthest neighbour was, and farther until it has found
//! enough: whatever it starts from, it ends with the same neighbours.

use crate::agent::Params;
use crate::grid::Grid;
use crate::tuning::{CROWDED_RUN, MAX_NEIGHBORS};
use cairn2d_geometry::math::{Vec2, WorldPoint};
use core::ops::Range;
use smallvec::SmallVec;

/// Factor by which a search that found too few looks farther.
const WIDEN: f32 = 1.5;

/// Margin on the last step's reach, for the others walk on.
const MARGIN: f32 = 1.08;

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

/// A candidate: gap in the order of integers, then index in the grid.
type Key = u64;

/// The list of neighbours, and what one search needs beside it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Neighbors {
    pub(crate) list: SmallVec<[Neighbor; MAX_NEIGHBORS]>,
    keys: SmallVec<[Key; 96]>,
}

impl Neighbors {
    /// Finds the neighbours of the sorted agent `own`; returns how far it had to look [m].
    pub(crate) fn find(
        &mut self,
        grid: &Grid,
        own: usize,
        params: &Params,
        last_reach: f32,
    ) -> f32 {
        self.list.clear();
        let limit = usize::from(params.neighbor_limit);
        if limit == 0 {
            return 0.0;
        }
        let center = grid.position(own);
        let mut gap = (last_reach * MARGIN)
            .max(params.radius)
            .min(params.neighbor_range);
        loop {
            self.collect(grid, own, center, params.mask, gap);
            if self.keys.len() >= limit || gap >= params.neighbor_range {
                break;
            }
            gap = wider(gap, params.neighbor_range);
        }
        self.choose(grid, center, limit);
        let full = self.list.len() == limit;
        let reach = self
            .list
            .last()
            .filter(|_| full)
            .map(|n| n.distance - grid.near[n.index as usize].radius);
        reach.unwrap_or(gap).max(0.0)
    }

    /// Collects all whose edge is within `gap`.
    fn collect(&mut self, grid: &Grid, own: usize, center: WorldPoint, mask: u32, gap: f32) {
        self.keys.clear();
        grid.runs(center, gap, |run| {
            for other in window(run, own) {
                let x = (grid.x[other] - center.x) as f32;
                let y = (grid.y[other] - center.y) as f32;
                let near = &grid.near[other];
                let range = gap + near.radius;
                let distance_sq = x * x + y * y;
                if distance_sq <= range * range && near.layers & mask != 0 && other != own {
                    self.keys.push(key(distance_sq.sqrt() - near.radius, other));
                }
            }
        });
    }

    /// Puts the `limit` nearest in order.
    fn choose(&mut self, grid: &Grid, center: WorldPoint, limit: usize) {
        sort(&mut self.keys);
        self.order_ties(grid);
        let center = (center.x, center.y);
        self.list.extend(self.keys.iter().take(limit).map(|&key| {
            let other = index(key);
            let x = (grid.x[other] - center.0) as f32;
            let y = (grid.y[other] - center.1) as f32;
            Neighbor {
                offset: Vec2::new(x, y),
                distance: (x * x + y * y).sqrt(),
                index: other as u32,
            }
        }));
    }

    /// Orders those at one distance by their place, so that no order of storage shows.
    fn order_ties(&mut self, grid: &Grid) {
        let mut start = 0;
        for end in 1..=self.keys.len() {
            let tied = end < self.keys.len() && self.keys[end] >> 32 == self.keys[start] >> 32;
            if !tied {
                if end - start > 1 {
                    self.keys[start..end].sort_unstable_by(|&a, &b| {
                        let (a, b) = (index(a), index(b));
                        let x = grid.x[a].total_cmp(&grid.x[b]);
                        x.then(grid.y[a].total_cmp(&grid.y[b]))
                            .then(grid.near[a].slot.cmp(&grid.near[b].slot))
                    });
                }
                start = end;
            }
        }
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

/// Returns a number in the order of `gap`.
#[inline]
fn key(gap: f32, index: usize) -> Key {
    let bits = gap.to_bits();
    // Negative numbers count downward: flip them all; set the sign bit of the others.
    let flip = ((bits as i32) >> 31) as u32 | 0x8000_0000;
    (u64::from(bits ^ flip) << 32) | index as u64
}

#[inline]
fn index(key: Key) -> usize {
    key as u32 as usize
}

/// Sorts a few keys by insertion, many by the library.
fn sort(keys: &mut [Key]) {
    const FEW: usize = 24;
    if keys.len() > FEW {
        keys.sort_unstable();
        return;
    }
    for i in 1..keys.len() {
        let key = keys[i];
        let mut j = i;
        while j > 0 && keys[j - 1] > key {
            keys[j] = keys[j - 1];
            j -= 1;
        }
        keys[j] = key;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::AgentDef;
    use crate::store::Store;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn the_nearest_are_found_from_any_first_guess(
            agents in proptest::collection::vec((-20.0f32..20.0, -20.0f32..20.0, 0.05f32..5.0), 1..80),
            limit in 0usize..12, range in 0.0f32..30.0, guess in 0.0f32..30.0,
        ) {
            let mut store = Store::default();
            for &(x, y, radius) in &agents {
                let def = AgentDef { radius, neighbor_limit: limit, neighbor_range: range, ..AgentDef::at((x, y)) };
                store.insert(&def);
            }
            let mut grid = Grid::default();
            grid.build(&store, 3.0);
            let own = grid.order.iter().position(|&row| row == 0).unwrap();
            let mut neighbors = Neighbors::default();
            neighbors.find(&grid, own, &store.params[0], guess);
            let gap = |row: usize| (store.position[row] - store.position[0]).norm() - agents[row].2;
            let mut all: Vec<f32> = (1..agents.len()).map(gap).filter(|&g| g <= range).collect();
            all.sort_unstable_by(f32::total_cmp);
            all.truncate(limit);
            let found = neighbors.list.iter().map(|n| gap(grid.order[n.index as usize] as usize));
            let found: Vec<f32> = found.collect();
            prop_assert_eq!(found.len(), all.len());
            for (a, b) in found.iter().zip(&all) {
                prop_assert!((a - b).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn keys_are_in_the_order_of_gaps() {
        let gaps = [-3.0, -0.5, -0.0, 0.0, 1e-20, 0.5, 7.0];
        assert!(gaps.windows(2).all(|w| key(w[0], 9) <= key(w[1], 9)));
    }
}
