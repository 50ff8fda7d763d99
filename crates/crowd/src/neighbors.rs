//! The nearest others of an agent, ordered by the gap to them.
//!
//! A search looks as far as the last step's farthest neighbour was, and farther until it has found
//! enough: whatever it starts from, it ends with the same neighbours.

use crate::candidates::{Candidates, Search};
use crate::grid::{Grid, greater, lesser};
use crate::group::Others;
use crate::simd::{Eight, LANES, Lanes};
use crate::surroundings::Surroundings;
use crate::tuning::{CROWDED_RUN, MAX_NEIGHBORS};
use crate::window::Window;
use cairn2d_geometry::math::{Vec2, WorldPoint};
use core::ops::Range;

/// Factor by which a search that found too few looks farther.
const WIDEN: f32 = 1.3;

/// Margin on the last step's reach, as a factor; and as a share of the way of one step.
///
/// A search that finds too few is done twice, one that looks too far measures too many: with these one in six is
/// done again in a loose crowd, which costs less than looking farther at once.
const MARGIN: f32 = 1.04;
const MARGIN_STEPS: f32 = 0.4;

/// Agents that share a window at most, and how far from the first of them they may stand, in its search radii.
const SHARERS: usize = 8;
const SPREAD: f64 = 3.0;

/// Agents in a shared window at most; where there are more each looks for itself.
const MAX_SHARED: usize = 96;

/// Factor by which a search has to look farther to be worth doing again.
const LITTLE_WIDER: f32 = 1.1;

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

/// Neighbours in blocks of lanes.
pub(crate) const BLOCKS: usize = MAX_NEIGHBORS / LANES;

const _: () = assert!(MAX_NEIGHBORS.is_multiple_of(LANES));

/// One number for each neighbour, eight by eight.
pub(crate) type Column = [Eight; BLOCKS];

/// The neighbours, nearest first.
#[derive(Clone, Debug)]
pub(crate) struct Neighbors {
    len: usize,
    /// Indices in the grid; the nearest once more in what is left of the last block.
    pub(crate) index: [u32; MAX_NEIGHBORS],
    /// From the agent's center to theirs [m].
    pub(crate) x: Column,
    pub(crate) y: Column,
    /// Their radii [m].
    pub(crate) radius: Column,
    /// Their velocities [m/s].
    pub(crate) velocity_x: Column,
    pub(crate) velocity_y: Column,
}

impl Default for Neighbors {
    fn default() -> Self {
        let zeros = Column::default();
        Self {
            len: 0,
            index: [0; MAX_NEIGHBORS],
            x: zeros,
            y: zeros,
            radius: zeros,
            velocity_x: zeros,
            velocity_y: zeros,
        }
    }
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
            let offset = Vec2::new(at(&self.x, i), at(&self.y, i));
            Neighbor {
                offset,
                distance: (offset.x * offset.x + offset.y * offset.y).sqrt(),
                index: self.index[i],
            }
        })
    }

    /// Returns neighbours at these ways, of these radii [m].
    #[cfg(test)]
    pub(crate) fn of(ways: &[Vec2], radius: [f32; MAX_NEIGHBORS]) -> Self {
        Self {
            len: ways.len(),
            x: column(|i| ways.get(i).map_or(0.0, |way| way.x)),
            y: column(|i| ways.get(i).map_or(0.0, |way| way.y)),
            radius: column(|i| radius[i]),
            ..Self::default()
        }
    }

    /// Returns the eight of a block, of whose changes the agent takes the parts `share`.
    #[inline(always)]
    pub(crate) fn others<L: Lanes>(&self, block: usize, share: L) -> Others<L> {
        Others {
            way: [L::load(&self.x[block]), L::load(&self.y[block])],
            radius: L::load(&self.radius[block]),
            velocity: [
                L::load(&self.velocity_x[block]),
                L::load(&self.velocity_y[block]),
            ],
            share,
        }
    }

    /// Replaces the velocity of each neighbour by what is `expected` of it, by its index in the grid and its velocity.
    pub(crate) fn expect(&mut self, expected: impl Fn(u32, [f32; 2]) -> Vec2) {
        for (i, &index) in self.index[..self.len].iter().enumerate() {
            let (x, y) = (
                &mut self.velocity_x[i / LANES],
                &mut self.velocity_y[i / LANES],
            );
            let (x, y) = (&mut x.0[i % LANES], &mut y.0[i % LANES]);
            let velocity = expected(index, [*x, *y]);
            (*x, *y) = (velocity.x, velocity.y);
        }
    }

    /// Finds the neighbours of the sorted agent `own`; returns how far it had to look [m].
    ///
    /// It looks at those in the shared window if that shows far enough.
    #[inline(always)]
    pub(crate) fn find<L: Lanes>(
        &mut self,
        around: &Surroundings<'_>,
        own: usize,
        windows: &mut Windows,
    ) -> f32 {
        let Windows {
            shared,
            alone,
            candidates,
        } = windows;
        self.len = 0;
        let row = around.grid.order[own] as usize;
        let params = &around.store.params[row];
        let limit = usize::from(params.neighbor_limit);
        if limit == 0 {
            return 0.0;
        }
        let mut search = Search {
            grid: around.grid,
            own,
            center: around.grid.position(own),
            mask: params.mask,
            gap: first_gap(around, row),
        };
        // Where all are alike any of those piled up will do.
        let few = if around.grid.alike {
            limit + LANES
        } else {
            CROWDED_RUN
        };
        let shown = shared.reach(search.center);
        loop {
            let window = if search.gap <= shown {
                &*shared
            } else {
                let narrow = |run| narrowed(run, own, few);
                alone.fill_alone(search.grid, search.center, search.gap, narrow);
                &*alone
            };
            let [count, near] = candidates.look::<L>(&search, window);
            if near >= limit || search.gap >= params.neighbor_range {
                let last = self.choose::<L>(candidates, around.grid, [count, near], limit);
                return if near < limit { search.gap } else { last }.max(0.0);
            }
            let wider = wider(search.gap, params.neighbor_range);
            search.gap = if wider > shown && search.gap * LITTLE_WIDER < shown {
                shown
            } else {
                wider
            };
        }
    }

    /// Takes the nearest in order, `limit` at most; returns the gap to the last of them [m].
    #[inline(always)]
    fn choose<L: Lanes>(
        &mut self,
        candidates: &mut Candidates,
        grid: &Grid,
        [count, near]: [usize; 2],
        limit: usize,
    ) -> f32 {
        self.len = near.min(limit).min(MAX_NEIGHBORS);
        let last = candidates.arrange::<L>(grid, [count, near], self.len);
        for block in 0..self.len.div_ceil(LANES) {
            let picked = candidates.pick::<L>(block, count);
            self.index[LANES * block..][..LANES].copy_from_slice(&picked.index.0);
            self.x[block] = picked.x;
            self.y[block] = picked.y;
            self.radius[block] = picked.radius;
            self.velocity_x[block] = picked.velocity_x;
            self.velocity_y[block] = picked.velocity_y;
        }
        last
    }
}

/// Returns one number of a column.
#[inline]
fn at(column: &[Eight], index: usize) -> f32 {
    column[index / LANES].0[index % LANES]
}

/// Returns a column of these numbers.
#[cfg(test)]
pub(crate) fn column(mut number: impl FnMut(usize) -> f32) -> Column {
    core::array::from_fn(|block| Eight(core::array::from_fn(|lane| number(LANES * block + lane))))
}

/// Returns the gap up to which an agent looks first [m].
pub(crate) fn first_gap(around: &Surroundings<'_>, row: usize) -> f32 {
    let params = &around.store.params[row];
    let last = around.store.reach[row] * MARGIN;
    let gap = last + MARGIN_STEPS * around.step * params.max_speed;
    let gap = if gap > params.radius {
        gap
    } else {
        params.radius
    };
    if gap < params.neighbor_range {
        gap
    } else {
        params.neighbor_range
    }
}

/// What agents look at: the window that some share, and that of one alone, where the shared one does not show far
/// enough; and who of them is near.
#[derive(Clone, Debug, Default)]
pub(crate) struct Windows {
    pub(crate) shared: Window,
    alone: Window,
    candidates: Candidates,
}

/// Fills a window for as many of the `first` agents, given by their indices in the grid, as can well share one;
/// returns how many.
pub(crate) fn share(around: &Surroundings<'_>, window: &mut Window, first: &[u32]) -> usize {
    let center = |own: u32| around.grid.position(own as usize);
    let gap = |own: u32| f64::from(first_gap(around, around.grid.order[own as usize] as usize));
    let (at, apart) = (center(first[0]), SPREAD * gap(first[0]));
    let (mut low, mut high) = (at, at);
    let mut count = 0;
    for &own in first.iter().take(SHARERS) {
        let (p, gap) = (center(own), gap(own));
        if (p.x - at.x).abs() > apart || (p.y - at.y).abs() > apart {
            break;
        }
        low = WorldPoint::new(lesser(low.x, p.x - gap), lesser(low.y, p.y - gap));
        high = WorldPoint::new(greater(high.x, p.x + gap), greater(high.y, p.y + gap));
        count += 1;
    }
    window.fill(around.grid, [low, high], MAX_SHARED);
    count
}

/// Returns the part of a run to look at: all of it, unless agents are piled up in it; then `few` about the agent itself,
/// or in the middle.
#[inline]
fn narrowed(run: Range<usize>, own: usize, few: usize) -> Range<usize> {
    if run.len() <= CROWDED_RUN {
        return run;
    }
    let middle = if run.contains(&own) {
        own
    } else {
        run.start + run.len() / 2
    };
    let start = middle
        .saturating_sub(few / 2)
        .clamp(run.start, run.end - few);
    start..start + few
}

/// Returns the next distance to search; a search from nothing goes for the whole range at once.
fn wider(gap: f32, range: f32) -> f32 {
    let next = gap * WIDEN;
    if next > gap { next.min(range) } else { range }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::AgentDef;
    use crate::edge_tree::EdgeTree;
    use crate::grid::Grid;
    use crate::simd::Pairs;
    use crate::store::Store;
    use proptest::prelude::*;

    /// Finds the neighbours of the agent in row 0, and tells the rows of all in the grid.
    fn of_first(store: &Store, step: f32) -> (Neighbors, Grid) {
        let mut grid = Grid::default();
        grid.build(store, 3.0);
        let walls = EdgeTree::default();
        let around = Surroundings {
            store,
            grid: &grid,
            walls: [&walls; 2],
            step,
        };
        let own = grid.order.iter().position(|&row| row == 0).unwrap();
        let mut neighbors = Neighbors::default();
        neighbors.find::<Pairs>(&around, own, &mut Windows::default());
        (neighbors, grid)
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
            store.reach.fill(guess);
            let (neighbors, grid) = of_first(&store, 0.1);
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

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        /// Who shares a window finds whom it finds alone, whether the window shows far enough or not.
        #[test]
        fn a_shared_window_shows_the_same_neighbors(
            agents in proptest::collection::vec((-20.0f32..20.0, -6.0f32..6.0, 0.05f32..2.0, 0u32..3, 0.0f32..9.0), 1..150),
            limit in 1usize..12,
        ) {
            let mut store = Store::default();
            for &(x, y, radius, mask, _) in &agents {
                let def = AgentDef { radius, neighbor_limit: limit, mask: !mask, layers: 1 << (mask / 2), ..AgentDef::at((x, y)) };
                store.insert(&def);
            }
            let guesses = agents.iter().map(|agent| agent.4);
            store.reach = guesses.collect();
            let mut grid = Grid::default();
            grid.build(&store, 4.0);
            let walls = EdgeTree::default();
            let around = Surroundings { store: &store, grid: &grid, walls: [&walls; 2], step: 0.1 };
            let all: Vec<u32> = (0..agents.len() as u32).collect();
            let (mut windows, mut start) = (Windows::default(), 0);
            let (mut shared, mut alone) = (Neighbors::default(), Neighbors::default());
            while start < all.len() {
                let count = share(&around, &mut windows.shared, &all[start..]);
                prop_assert!(count > 0);
                for own in start..start + count {
                    let reaches = [shared.find::<Pairs>(&around, own, &mut windows), alone.find::<Pairs>(&around, own, &mut Windows::default())];
                    prop_assert_eq!(reaches[0], reaches[1]);
                    let indices = |n: &Neighbors| n.iter().map(|n| n.index).collect::<Vec<u32>>();
                    prop_assert_eq!(indices(&shared), indices(&alone));
                }
                start += count;
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
        store.reach.fill(5.0);
        let (neighbors, _) = of_first(&store, 0.1);
        let places: Vec<Vec2> = neighbors.iter().map(|n| n.offset).collect();
        let want = [(1.0, 0.0), (-2.0, 0.0), (0.0, -2.0), (0.0, 2.0), (2.0, 0.0)];
        assert_eq!(places, want.map(|(x, y)| Vec2::new(x, y)));
    }

    #[test]
    fn of_those_at_one_distance_the_first_by_place_is_taken_whatever_the_storage() {
        let others = [(2.0, 0.0), (0.0, 2.0), (-2.0, 0.0), (1.0, 0.0), (0.0, -2.0)];
        for first in 0..others.len() {
            let mut store = Store::default();
            let def = |at| AgentDef {
                neighbor_limit: 2,
                ..AgentDef::at(at)
            };
            store.insert(&def((0.0, 0.0)));
            for i in 0..others.len() {
                store.insert(&def(others[(first + i) % others.len()]));
            }
            store.reach.fill(5.0);
            let (neighbors, _) = of_first(&store, 0.1);
            let places: Vec<Vec2> = neighbors.iter().map(|n| n.offset).collect();
            assert_eq!(places, [Vec2::new(1.0, 0.0), Vec2::new(-2.0, 0.0)]);
        }
    }
}
