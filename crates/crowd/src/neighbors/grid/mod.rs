//! The neighbor grid: agents copied into arrays sorted by cell, in rows of cells fitted to the crowd.
//!
//! The plane is divided into rows of one height, each row into cells over its own extent, at most one per agent in
//! it. So the table is never larger than the crowd, however far agents are apart, and a search reads one contiguous
//! run per row. Agents of very different size have separate levels, so that one giant does not widen every search.
//!
//! The grid only finds candidates; exact distances select the neighbors. So neither the size of a cell nor the order
//! within it changes a result.

mod build;

use crate::neighbors::moving_disc::MovingDisc;
use cairn2d_geometry::math::WorldPoint;
use core::ops::Range;

/// A row of cells.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// Left end [m].
    left: f64,
    /// Right end [m].
    right: f64,
    /// Cells per meter.
    per_meter: f64,
    /// Index of its first cell.
    first: u32,
    /// Number of agents in it.
    count: u32,
    /// Index of its last cell, relative to its first one.
    last: f64,
}

impl Row {
    const EMPTY: Self = Self {
        left: f64::INFINITY,
        right: f64::NEG_INFINITY,
        per_meter: 0.0,
        first: 0,
        count: 0,
        last: 0.0,
    };
}

/// The rows of agents of similar radius.
#[derive(Clone, Debug)]
struct Level {
    rows: Range<usize>,
    /// Index of its last row, relative to its first one.
    last: f64,
    bottom: f64,
    per_meter: f64,
    max_radius: f32,
}

/// Agents sorted by cell: the data that others read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    levels: Vec<Level>,
    rows: Vec<Row>,
    /// First agent of each cell, and the number of agents at the end.
    starts: Vec<u32>,
    /// Row in the store of each sorted agent; empty once the rows have changed.
    pub(crate) order: Vec<u32>,
    /// Position, size and velocity of each, the data of neighbor queries; and eight more records.
    pub(crate) places: Vec<MovingDisc>,
    /// Whether all agents consider each other, with one right of way and one weight.
    pub(crate) alike: bool,
    /// Whether all agents consider each other.
    pub(crate) all_consider: bool,
    /// Greatest preferred speed of any agent [m/s].
    pub(crate) top_preferred_speed: f32,
    /// Index of each agent of the store.
    pub(crate) rank: Vec<u32>,
}

impl Grid {
    /// Returns the run of sorted agents of a row between two coordinates, if they overlap.
    #[inline(always)]
    fn run_in_row(&self, row: &Row, [left, right]: [f64; 2]) -> Option<Range<usize>> {
        if right < row.left || left > row.right {
            return None;
        }
        let from = index((left - row.left) * row.per_meter, row.last);
        let to = index((right - row.left) * row.per_meter, row.last);
        let start = self.starts[row.first as usize + from];
        let end = self.starts[row.first as usize + to + 1];
        Some(start as usize..end as usize)
    }

    /// Calls `visit` with the runs of sorted agents that contain all agents whose edge may lie in a box.
    #[inline]
    pub(crate) fn runs(&self, [low, high]: [WorldPoint; 2], mut visit: impl FnMut(Range<usize>)) {
        for level in &self.levels {
            let edge = f64::from(level.max_radius * (1.0 + 4.0 * f32::EPSILON));
            let row = |y: f64| index((y - level.bottom) * level.per_meter, level.last);
            let (left, right) = (low.x - edge, high.x + edge);
            let rows = &self.rows[level.rows.clone()];
            for row in &rows[row(low.y - edge)..=row(high.y + edge)] {
                if let Some(run) = self.run_in_row(row, [left, right]) {
                    visit(run);
                }
            }
        }
    }

    /// Returns the common share of all agents in all encounters; `None` if they differ.
    #[inline]
    pub(crate) fn common_share(&self) -> Option<f32> {
        self.alike.then_some(0.5)
    }

    /// Returns the center of a sorted agent [m].
    #[inline]
    pub(crate) fn position(&self, index: usize) -> WorldPoint {
        self.places[index].center()
    }
}

/// Returns the index of the piece that contains `place`, in pieces up to `last`; outside positions count to the ends.
///
/// Rounded by adding a number with a last digit of one: a conversion to an integer would check for numbers that
/// cannot occur here, twice per row of a search. On a border it may be either piece.
#[inline]
fn index(place: f64, last: f64) -> usize {
    const ONES: f64 = (1u64 << 52) as f64;
    let piece = min(max(place - 0.5, 0.0), last);
    (piece + ONES).to_bits() as u32 as usize
}

/// Returns the larger of two numbers; `b` if one is NaN.
#[inline]
pub(crate) fn max(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// Returns the smaller of two numbers; `b` if one is NaN.
#[inline]
pub(crate) fn min(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;
    use crate::store::agent::AgentDef;
    use proptest::prelude::*;

    fn store(agents: &[(f32, f32, f32)]) -> Store {
        let mut store = Store::default();
        for &(x, y, radius) in agents {
            store.insert(&AgentDef {
                radius,
                ..AgentDef::at((x, y))
            });
        }
        store
    }

    /// Returns the corners of the box that extends `gap` meters to all sides of a point.
    fn around(p: WorldPoint, gap: f64) -> [WorldPoint; 2] {
        [-gap, gap].map(|gap| WorldPoint::new(p.x + gap, p.y + gap))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn runs_contain_everyone_in_a_box_once(
            agents in proptest::collection::vec((-50.0f32..50.0, -5.0f32..50.0, 0.01f32..9.0), 1..120),
            gap in 0.0f64..20.0, reach in 0.1f32..20.0,
        ) {
            let store = store(&agents);
            let mut grid = Grid::default();
            grid.build(&store, reach, 1);
            let center = store.position[0];
            let mut seen = vec![0; agents.len()];
            grid.runs(around(center, gap), |run| run.for_each(|i| seen[grid.order[i] as usize] += 1));
            for (row, &(_, _, radius)) in agents.iter().enumerate() {
                let near = f64::from((store.position[row] - center).norm() - radius) <= gap;
                prop_assert!(seen[row] <= 1);
                prop_assert!(!near || seen[row] == 1);
            }
        }
    }

    #[test]
    fn far_strewn_agents_need_no_more_cells_than_agents() {
        let agents: Vec<_> = (0..100)
            .map(|i| (i as f32 * 1e7, (i % 7) as f32 * 1e7, 0.5))
            .collect();
        let mut grid = Grid::default();
        grid.build(&store(&agents), 5.0, 1);
        assert!(grid.starts.len() <= 2 * agents.len() + 1);
    }

    #[test]
    fn an_empty_crowd_has_no_runs() {
        let mut grid = Grid::default();
        grid.build(&Store::default(), 1.0, 1);
        grid.runs(around(WorldPoint::ORIGIN, 10.0), |run| {
            assert!(run.is_empty())
        });
    }
}
