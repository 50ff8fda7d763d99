//! The nearest others of an agent, ordered by the gap to them.
//!
//! A search looks as far as the last step's farthest neighbour was, and farther until it has found
//! enough: whatever it starts from, it ends with the same neighbours. Candidates are measured four at a time,
//! and put in order by counting for each how many are nearer.

use crate::candidates::{Candidates, RANKED, Search, count_lanes};
use crate::grid::{greater, lesser};
use crate::lanes::{LANES, Lanes, and_not, first, ordered, select};
use crate::surroundings::Surroundings;
use crate::tuning::{CROWDED_RUN, MAX_NEIGHBORS};
use crate::window::Window;
use cairn2d_geometry::math::{Vec2, WorldPoint};
use core::ops::Range;
use wide::i32x4;

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

/// Candidates that are measured and ranked; of more the nearest are taken first.
const FEW: usize = 64;

const _: () = assert!(FEW.is_multiple_of(RANKED) && FEW > MAX_NEIGHBORS);

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

/// One number for each neighbour, four by four.
///
/// Four are put together in a register and stored at once: what is stored one by one and soon after loaded
/// as four, the processor has to wait for.
pub(crate) type Column = [Lanes; BLOCKS];

/// The neighbours, nearest first, and what one search needs beside them.
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
    candidates: Candidates,
    /// Who is around this agent alone, where no other looks with it.
    alone: Window,
    few: Few,
}

impl Default for Neighbors {
    fn default() -> Self {
        let zeros = [Lanes::splat(0.0); BLOCKS];
        Self {
            len: 0,
            index: [0; MAX_NEIGHBORS],
            x: zeros,
            y: zeros,
            radius: zeros,
            candidates: Candidates::default(),
            alone: Window::default(),
            few: Few::default(),
        }
    }
}

/// The nearest candidates, in no order.
#[derive(Clone, Debug)]
struct Few {
    /// Indices in the grid.
    index: [i32; FEW],
    /// From the agent's center to theirs [m].
    x: [f32; FEW],
    y: [f32; FEW],
    radius: [f32; FEW],
    /// Gaps to their edges [m], infinite for those too far; and integers in the same order.
    gaps: [f32; FEW],
    keys: [i32; FEW],
    /// Which of them is the nearest, the second, and so on.
    order: [i32; FEW],
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

    /// Finds the neighbours of the sorted agent `own`; returns how far it had to look [m].
    ///
    /// It looks at those in the window `shared` with others if that shows far enough.
    pub(crate) fn find(&mut self, around: &Surroundings<'_>, own: usize, shared: &Window) -> f32 {
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
        let shown = shared.reach(search.center);
        loop {
            let window = if search.gap <= shown {
                shared
            } else {
                let narrow = |run| narrowed(run, own);
                self.alone
                    .fill_alone(search.grid, search.center, search.gap, narrow);
                &self.alone
            };
            let (found, count) = self.candidates.look(&search, window, FEW);
            let near = self.few.measure(&search, window, found, count);
            if near >= limit || search.gap >= params.neighbor_range {
                let last = self.choose(&search, [count, near, limit]);
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

    /// Puts the nearest of `count` candidates in order, `limit` of the `near` ones at most; returns the gap to the last
    /// of them.
    fn choose(&mut self, search: &Search<'_>, [count, near, limit]: [usize; 3]) -> f32 {
        let few = &mut self.few;
        if !few.rank(count, near) {
            few.sort(search, count);
        }
        let len = near.min(limit).min(MAX_NEIGHBORS);
        for block in 0..len.div_ceil(LANES) {
            // What is left of the last block repeats the nearest.
            let place = |lane| {
                let i = LANES * block + lane;
                few.order[if i < len { i } else { 0 }] as usize % FEW
            };
            let places: [usize; LANES] = core::array::from_fn(place);
            let four = |column: &[f32; FEW]| Lanes::new(places.map(|i| column[i]));
            self.x[block] = four(&few.x);
            self.y[block] = four(&few.y);
            self.radius[block] = four(&few.radius);
            let index = &mut self.index[LANES * block..][..LANES];
            index.copy_from_slice(&places.map(|i| few.index[i].cast_unsigned()));
        }
        self.len = len;
        let last = len.checked_sub(1).map(|i| few.order[i] as usize % FEW);
        last.map_or(0.0, |place| few.gaps[place])
    }
}

impl Few {
    /// Measures the ways to the `count` first of those `found`, and gives each a key; returns how many are near enough.
    ///
    /// It measures as many as are ranked at once, so that how many there are rarely shows in the length of a loop.
    fn measure(
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
                let places = index.map(|i| &search.grid.places[i.cast_unsigned() as usize]);
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
    fn rank(&mut self, count: usize, near: usize) -> bool {
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
    fn sort(&mut self, search: &Search<'_>, count: usize) {
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

/// Returns one number of a column.
#[inline]
fn at(column: &[Lanes], index: usize) -> f32 {
    column[index / LANES].as_array()[index % LANES]
}

/// Returns a column of these numbers.
#[cfg(test)]
pub(crate) fn column(mut number: impl FnMut(usize) -> f32) -> Column {
    core::array::from_fn(|block| {
        Lanes::new(core::array::from_fn(|lane| number(LANES * block + lane)))
    })
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

/// Returns the part of a run to look at: all of it, unless agents are piled up in a cell.
#[inline]
fn narrowed(run: Range<usize>, own: usize) -> Range<usize> {
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
        neighbors.find(&around, own, &Window::default());
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
            let (mut window, mut start) = (Window::default(), 0);
            let (mut shared, mut alone) = (Neighbors::default(), Neighbors::default());
            while start < all.len() {
                let count = share(&around, &mut window, &all[start..]);
                prop_assert!(count > 0);
                for own in start..start + count {
                    let reaches = [shared.find(&around, own, &window), alone.find(&around, own, &Window::default())];
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
