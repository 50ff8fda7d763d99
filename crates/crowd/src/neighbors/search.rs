//! Neighbor searches of agents.
//!
//! A search starts with the distance of the last step's farthest neighbor and widens until it has found enough: its
//! result does not depend on the start.
//!
//! It has three stages, each of which depends on the one before: collect candidates, measure them, sort them. So
//! several searches are pipelined, one in each stage.

use crate::neighbors::candidates::{Candidates, NeighborQuery};
use crate::neighbors::grid::{max, min};
use crate::neighbors::list::Neighbors;
use crate::neighbors::step_context::StepContext;
use crate::neighbors::window::Window;
use crate::tuning::MAX_RUN;
use cairn2d_geometry::math::WorldPoint;
use cairn2d_simd::{LANES, Lanes8};
use core::ops::Range;

/// Factor by which a search that found too few neighbors widens.
const WIDEN: f32 = 1.3;

/// Margin on the last step's search distance, as a factor; and as a share of the motion in one step.
///
/// A search that finds too few neighbors is repeated; one that is too wide measures too many candidates. With these
/// margins one in six is repeated in a loose crowd, which costs less than wider searches.
const MARGIN: f32 = 1.04;
const MARGIN_STEPS: f32 = 0.4;

/// Most agents that share a window, and their greatest distance from the first of them, in its search radii.
const MAX_WINDOW_AGENTS: usize = 16;
const MAX_WINDOW_SPREAD: f64 = 4.5;

/// Most candidates of a shared window; with more each agent searches alone.
const MAX_WINDOW_CANDIDATES: usize = 144;

/// Least factor by which a repeated search widens.
const MIN_WIDENING: f32 = 1.1;

/// Windows and states of pipelined searches.
#[derive(Clone, Debug, Default)]
pub(crate) struct NeighborSearches {
    /// Shared windows: of the present agents, and of the agents before them.
    shared: [Window; 2],
    present: usize,
    /// Window of a single agent, if the shared one is too small.
    alone: Window,
    each: [NeighborSearch; LANES],
}

/// Neighbor search of one agent.
#[derive(Clone, Debug, Default)]
struct NeighborSearch {
    candidates: Candidates,
    own: u32,
    /// Index of its shared window.
    window: usize,
    /// Search distance to edges [m].
    gap: f32,
    /// Candidates, and the number of them within the distance.
    count: usize,
    near: usize,
}

impl NeighborSearches {
    /// Fills the next window for as many of the `first` agents, given by their indices in the grid, as can share one
    /// efficiently; returns their number.
    #[inline(always)]
    pub(crate) fn fill_shared_window<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        ctx: &StepContext<'_>,
        first: &[u32],
    ) -> usize {
        self.present = 1 - self.present;
        let center = |own: u32| ctx.grid.position(own as usize);
        let gap = |own: u32| f64::from(first_gap(ctx, own));
        let (at, apart) = (center(first[0]), MAX_WINDOW_SPREAD * gap(first[0]));
        let (mut low, mut high) = (at, at);
        let mut count = 0;
        for &own in first.iter().take(MAX_WINDOW_AGENTS) {
            let (p, gap) = (center(own), gap(own));
            if (p.x - at.x).abs() > apart || (p.y - at.y).abs() > apart {
                break;
            }
            low = WorldPoint::new(min(low.x, p.x - gap), min(low.y, p.y - gap));
            high = WorldPoint::new(max(high.x, p.x + gap), max(high.y, p.y + gap));
            count += 1;
        }
        let (window, most) = (&mut self.shared[self.present], MAX_WINDOW_CANDIDATES);
        window.fill::<L>(simd, ctx.grid, [low, high], most, |run| run);
        count
    }

    /// Collects candidates of the sorted agent `own`, in a lane.
    ///
    /// From the shared window if that is large enough.
    #[inline(always)]
    pub(crate) fn begin<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        ctx: &StepContext<'_>,
        lane: usize,
        own: u32,
    ) {
        let search = &mut self.each[lane];
        (search.own, search.window, search.count, search.near) = (own, self.present, 0, 0);
        search.gap = first_gap(ctx, own);
        if ctx.params(own).neighbor_limit > 0 {
            self.find::<L>(simd, ctx, lane);
        }
    }

    /// Collects the candidates within the gap.
    #[inline(always)]
    fn find<L: Lanes8>(&mut self, simd: L::Simd, ctx: &StepContext<'_>, lane: usize) {
        let search = &mut self.each[lane];
        let query = search.query(ctx);
        let shared = &self.shared[search.window];
        let window = if search.gap <= shared.reach(query.center) {
            shared
        } else {
            let limit = ctx.params(query.own).neighbor_limit;
            // If all agents are alike, any of those in a pile-up suffice.
            let few = if ctx.grid.alike {
                usize::from(limit) + LANES
            } else {
                MAX_RUN
            };
            let narrow = |run| narrowed(run, query.own as usize, few);
            let (p, gap) = (query.center, f64::from(search.gap));
            let corners = [
                WorldPoint::new(p.x - gap, p.y - gap),
                WorldPoint::new(p.x + gap, p.y + gap),
            ];
            self.alone
                .fill::<L>(simd, ctx.grid, corners, usize::MAX, narrow);
            &self.alone
        };
        search.count = search.candidates.find::<L>(simd, &query, window);
    }

    /// Measures the candidates of the agent in a lane; widens the search until there are enough.
    #[inline(always)]
    pub(crate) fn measure<L: Lanes8>(&mut self, simd: L::Simd, ctx: &StepContext<'_>, lane: usize) {
        loop {
            let search = &mut self.each[lane];
            let query = search.query(ctx);
            let params = ctx.params(query.own);
            if params.neighbor_limit == 0 {
                return;
            }
            search.near = search.candidates.measure::<L>(simd, &query, search.count);
            let is_enough = search.near >= usize::from(params.neighbor_limit);
            if is_enough || search.gap >= params.neighbor_range {
                return;
            }
            let shown = self.shared[search.window].reach(query.center);
            let wider = wider(search.gap, params.neighbor_range);
            search.gap = if wider > shown && search.gap * MIN_WIDENING < shown {
                shown
            } else {
                wider
            };
            self.find::<L>(simd, ctx, lane);
        }
    }

    /// Sorts the neighbors of the agent in a lane; returns its search distance [m].
    #[inline(always)]
    pub(crate) fn finish<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        ctx: &StepContext<'_>,
        lane: usize,
        neighbors: &mut Neighbors,
    ) -> f32 {
        let search = &mut self.each[lane];
        let limit = usize::from(ctx.params(search.own).neighbor_limit);
        let found = [search.count, search.near];
        let last = neighbors.choose::<L>(simd, &mut search.candidates, ctx, found, limit);
        match limit {
            0 => 0.0,
            _ if search.near < limit => search.gap.max(0.0),
            _ => last.max(0.0),
        }
    }

    /// Finds the neighbors of the sorted agent `own`; returns its search distance [m].
    #[inline(always)]
    pub(crate) fn find_neighbors<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        ctx: &StepContext<'_>,
        own: u32,
        neighbors: &mut Neighbors,
    ) -> f32 {
        self.begin::<L>(simd, ctx, 0, own);
        self.measure::<L>(simd, ctx, 0);
        self.finish::<L>(simd, ctx, 0, neighbors)
    }
}

impl NeighborSearch {
    #[inline(always)]
    fn query<'a>(&self, ctx: &'a StepContext<'a>) -> NeighborQuery<'a> {
        let (own, gap) = (self.own, self.gap);
        let center = ctx.grid.position(own as usize);
        NeighborQuery {
            ctx,
            own,
            center,
            gap,
        }
    }
}

/// Returns the first search distance to edges [m].
#[inline(always)]
fn first_gap(ctx: &StepContext<'_>, own: u32) -> f32 {
    let row = ctx.row(own);
    let params = ctx.store.params(row);
    let last = ctx.store.reach[row] * MARGIN;
    let gap = last + MARGIN_STEPS * ctx.step * params.max_speed;
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

/// Returns the part of a run to search: all of it, unless it is a pile-up; then `few` agents around the agent itself,
/// or in the middle.
#[inline]
fn narrowed(run: Range<usize>, own: usize, few: usize) -> Range<usize> {
    if run.len() <= MAX_RUN {
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

/// Returns the next search distance; a search from zero continues with the whole range.
fn wider(gap: f32, range: f32) -> f32 {
    let next = gap * WIDEN;
    if next > gap { next.min(range) } else { range }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbors::grid::Grid;
    use crate::obstacles::edge_tree::EdgeTree;
    use crate::store::Store;
    use crate::store::agent::AgentDef;
    use cairn2d_geometry::math::Vec2;
    use cairn2d_simd::{BASELINE8, Baseline8, F32};
    use proptest::prelude::*;

    /// Returns the neighbors of the agent in row 0, and the grid.
    fn of_first(store: &Store, step: f32) -> (Neighbors, Grid) {
        let mut grid = Grid::default();
        grid.build(store, 3.0, 1);
        let walls = EdgeTree::default();
        let ctx = StepContext {
            store,
            grid: &grid,
            walls: [&walls; 2],
            step,
            contact_step: step,
        };
        let own = grid.order.iter().position(|&row| row == 0).unwrap() as u32;
        let mut neighbors = Neighbors::default();
        NeighborSearches::default().find_neighbors::<F32<Baseline8>>(
            BASELINE8,
            &ctx,
            own,
            &mut neighbors,
        );
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

        /// Agents that share a window find the same neighbors as alone, whether the window is large enough or not.
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
            grid.build(&store, 4.0, 1);
            let walls = EdgeTree::default();
            let ctx = StepContext { store: &store, grid: &grid, walls: [&walls; 2], step: 0.1, contact_step: 0.1 };
            let all: Vec<u32> = (0..agents.len() as u32).collect();
            let (mut searches, mut start) = (NeighborSearches::default(), 0);
            let (mut shared, mut alone) = (Neighbors::default(), Neighbors::default());
            while start < all.len() {
                let count = searches.fill_shared_window::<F32<Baseline8>>(BASELINE8, &ctx, &all[start..]);
                prop_assert!(count > 0);
                for own in start as u32..(start + count) as u32 {
                    let reaches = [searches.find_neighbors::<F32<Baseline8>>(BASELINE8, &ctx, own, &mut shared), NeighborSearches::default().find_neighbors::<F32<Baseline8>>(BASELINE8, &ctx, own, &mut alone)];
                    prop_assert_eq!(reaches[0], reaches[1]);
                    let indices = |n: &Neighbors| n.iter().map(|n| n.index).collect::<Vec<u32>>();
                    prop_assert_eq!(indices(&shared), indices(&alone));
                }
                start += count;
            }
        }
    }

    #[test]
    fn ties_are_ordered_by_position() {
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
    fn the_first_tie_by_position_is_selected_for_any_storage_order() {
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
