//! How agents look for their neighbours.
//!
//! A search looks as far as the last step's farthest neighbour was, and farther until it has found
//! enough: whatever it starts from, it ends with the same neighbours.
//!
//! It goes in three steps, each of which waits for the one before: who may be near, how near they are, and in what
//! order. So several agents look at once, one in each step: while one waits the others go on.

use crate::candidates::{Candidates, Search};
use crate::grid::{greater, lesser};
use crate::neighbors::Neighbors;
use crate::surroundings::Surroundings;
use crate::tuning::CROWDED_RUN;
use crate::window::Window;
use cairn2d_geometry::math::WorldPoint;
use cairn2d_simd::{LANES, Lanes8};
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
const SHARERS: usize = 16;
const SPREAD: f64 = 4.5;

/// Agents in a shared window at most; where there are more each looks for itself.
const MAX_SHARED: usize = 144;

/// Factor by which a search has to look farther to be worth doing again.
const LITTLE_WIDER: f32 = 1.1;

/// What agents look at, and how far each has come.
#[derive(Clone, Debug, Default)]
pub(crate) struct Looks {
    /// Windows that several agents share: those who look now, and those before them.
    shared: [Window; 2],
    present: usize,
    /// That of one alone, where the shared one does not show far enough.
    alone: Window,
    each: [Look; LANES],
}

/// One agent's search.
#[derive(Clone, Debug, Default)]
struct Look {
    candidates: Candidates,
    own: u32,
    /// Which of the shared windows it looks at.
    window: usize,
    /// Distance up to which edges are looked for [m].
    gap: f32,
    /// Candidates, and how many of them are near enough.
    count: usize,
    near: usize,
}

impl Looks {
    /// Fills the next window for as many of the `first` agents, given by their indices in the grid, as can well share
    /// one; returns how many.
    #[inline(always)]
    pub(crate) fn share<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        around: &Surroundings<'_>,
        first: &[u32],
    ) -> usize {
        self.present = 1 - self.present;
        share::<L>(simd, around, &mut self.shared[self.present], first)
    }

    /// Finds who may be near the sorted agent `own`, as the one in a lane.
    ///
    /// It looks at those in the shared window if that shows far enough.
    #[inline(always)]
    pub(crate) fn begin<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        around: &Surroundings<'_>,
        lane: usize,
        own: u32,
    ) {
        let row = around.grid.order[own as usize] as usize;
        let look = &mut self.each[lane];
        (look.own, look.window, look.count, look.near) = (own, self.present, 0, 0);
        look.gap = first_gap(around, row);
        if around.store.params[row].neighbor_limit > 0 {
            self.find::<L>(simd, around, lane);
        }
    }

    /// Finds who may be within the gap.
    #[inline(always)]
    fn find<L: Lanes8>(&mut self, simd: L::Simd, around: &Surroundings<'_>, lane: usize) {
        let look = &mut self.each[lane];
        let search = look.search(around);
        let shared = &self.shared[look.window];
        let window = if look.gap <= shared.reach(search.center) {
            shared
        } else {
            let limit = around.store.params[search.row].neighbor_limit;
            // Where all are alike any of those piled up will do.
            let few = if around.grid.alike {
                usize::from(limit) + LANES
            } else {
                CROWDED_RUN
            };
            let narrow = |run| narrowed(run, search.own, few);
            self.alone
                .fill_alone::<L>(simd, search.grid, search.center, look.gap, narrow);
            &self.alone
        };
        look.count = look.candidates.find::<L>(simd, &search, window);
    }

    /// Measures those whom the agent in a lane has found; it looks farther until they are enough.
    #[inline(always)]
    pub(crate) fn measure<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        around: &Surroundings<'_>,
        lane: usize,
    ) {
        loop {
            let look = &mut self.each[lane];
            let search = look.search(around);
            let params = &around.store.params[search.row];
            if params.neighbor_limit == 0 {
                return;
            }
            look.near = look.candidates.measure::<L>(simd, &search, look.count);
            let is_enough = look.near >= usize::from(params.neighbor_limit);
            if is_enough || look.gap >= params.neighbor_range {
                return;
            }
            let shown = self.shared[look.window].reach(search.center);
            let wider = wider(look.gap, params.neighbor_range);
            look.gap = if wider > shown && look.gap * LITTLE_WIDER < shown {
                shown
            } else {
                wider
            };
            self.find::<L>(simd, around, lane);
        }
    }

    /// Puts the neighbours of the agent in a lane in order; returns how far it had to look [m].
    #[inline(always)]
    pub(crate) fn finish<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        around: &Surroundings<'_>,
        lane: usize,
        neighbors: &mut Neighbors,
    ) -> f32 {
        let look = &mut self.each[lane];
        let row = around.grid.order[look.own as usize] as usize;
        let limit = usize::from(around.store.params[row].neighbor_limit);
        let found = [look.count, look.near];
        let last = neighbors.choose::<L>(simd, &mut look.candidates, around.grid, found, limit);
        match limit {
            0 => 0.0,
            _ if look.near < limit => look.gap.max(0.0),
            _ => last.max(0.0),
        }
    }

    /// Finds the neighbours of the sorted agent `own`; returns how far it had to look [m].
    #[inline(always)]
    pub(crate) fn look<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        around: &Surroundings<'_>,
        own: usize,
        neighbors: &mut Neighbors,
    ) -> f32 {
        self.begin::<L>(simd, around, 0, own as u32);
        self.measure::<L>(simd, around, 0);
        self.finish::<L>(simd, around, 0, neighbors)
    }
}

impl Look {
    #[inline(always)]
    fn search<'a>(&self, around: &Surroundings<'a>) -> Search<'a> {
        let own = self.own as usize;
        let row = around.grid.order[own] as usize;
        Search {
            grid: around.grid,
            own,
            row,
            center: around.grid.position(own),
            mask: around.store.params[row].mask,
            gap: self.gap,
        }
    }
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
#[inline(always)]
fn share<L: Lanes8>(
    simd: L::Simd,
    around: &Surroundings<'_>,
    window: &mut Window,
    first: &[u32],
) -> usize {
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
    window.fill::<L>(simd, around.grid, [low, high], MAX_SHARED);
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
    use crate::store::Store;
    use cairn2d_geometry::math::Vec2;
    use cairn2d_simd::{BASELINE8, Baseline8, F32};
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
        Looks::default().look::<F32<Baseline8>>(BASELINE8, &around, own, &mut neighbors);
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
            let (mut looks, mut start) = (Looks::default(), 0);
            let (mut shared, mut alone) = (Neighbors::default(), Neighbors::default());
            while start < all.len() {
                let count = looks.share::<F32<Baseline8>>(BASELINE8, &around, &all[start..]);
                prop_assert!(count > 0);
                for own in start..start + count {
                    let reaches = [looks.look::<F32<Baseline8>>(BASELINE8, &around, own, &mut shared), Looks::default().look::<F32<Baseline8>>(BASELINE8, &around, own, &mut alone)];
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
