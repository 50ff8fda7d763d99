//! Who is near: agents copied into arrays sorted by cell, in rows of cells fitted to the crowd.
//!
//! The plane is cut into rows of one height; each row into cells over its own extent, at most one
//! per agent in it. So the table is never larger than the crowd, however far agents are strewn, and
//! a search reads one contiguous run per row. Agents of very different size have levels of their
//! own, so that one giant does not widen everybody's search.
//!
//! The grid only finds candidates; who is a neighbour is decided by exact distances. So neither the
//! size of a cell nor the order within it can change a result.

use crate::lanes::LANES;
use crate::store::Store;
use cairn2d_geometry::math::WorldPoint;
use core::ops::Range;

/// Levels of radius at most; the smallest agents share the last one.
const MAX_LEVELS: usize = 4;

/// Height of a row, and width of a cell, in typical search radii.
///
/// Thinner rows fit the search circle better, but each row costs a look-up: one radius makes three rows
/// a search. Narrow cells cost nothing but the table.
const ROW_PER_REACH: f32 = 1.0;
const CELL_PER_REACH: f32 = 0.25;

/// Share of its height by which a row may be missed through rounding.
const ROW_SLACK: f64 = 1.0e-6;

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
    /// Number of cells, at least 1.
    cells: u32,
}

/// The rows of agents of similar radius.
#[derive(Clone, Debug)]
struct Level {
    rows: Range<u32>,
    bottom: f64,
    per_meter: f64,
    /// Height of a row [m]; infinite if all stand in one.
    height: f64,
    max_radius: f32,
}

/// Agents sorted by cell: what others need to know of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    levels: Vec<Level>,
    rows: Vec<Row>,
    /// First agent of each cell, and the number of agents at the end.
    starts: Vec<u32>,
    /// Row in the store of each sorted agent.
    pub(crate) order: Vec<u32>,
    /// What a search asks of each, four a block.
    pub(crate) spots: Vec<Spots>,
    pub(crate) near: Vec<Near>,
    level_of: Vec<u8>,
    cell_of: Vec<u32>,
}

/// Where four agents are and what they are; 96 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spots {
    /// Centers [m].
    pub(crate) x: [f64; LANES],
    pub(crate) y: [f64; LANES],
    /// Radii [m].
    pub(crate) radius: [f32; LANES],
    pub(crate) layers: [u32; LANES],
}

const _: () = assert!(size_of::<Spots>() == 96);

impl Spots {
    /// Nobody: what fills up the last block.
    const NOWHERE: Self = Self {
        x: [f64::INFINITY; LANES],
        y: [f64::INFINITY; LANES],
        radius: [0.0; LANES],
        layers: [0; LANES],
    };
}

/// What an agent tells its neighbours; 28 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    pub(crate) velocity: [f32; 2],
    pub(crate) radius: f32,
    /// Slot of its name.
    pub(crate) slot: u32,
    pub(crate) mask: u32,
    pub(crate) weight: f32,
    pub(crate) priority: u8,
    /// Standing at its target.
    pub(crate) arrived: bool,
}

const _: () = assert!(size_of::<Near>() == 28);

impl Grid {
    /// Sorts the agents of `store` anew, with rows that suit searches of `reach` meters.
    pub(crate) fn build(&mut self, store: &Store, reach: f32) {
        self.levels.clear();
        self.rows.clear();
        self.starts.clear();
        self.order.clear();
        self.order.resize(store.len(), 0);
        self.cell_of.resize(store.len(), 0);
        let classes = self.sort_into_levels(store);
        for level in 0..classes {
            self.add_level(store, level as u8, reach);
        }
        self.place(store);
        self.copy(store);
    }

    /// Gives each agent its level, by factors of four in radius; returns the number of levels.
    fn sort_into_levels(&mut self, store: &Store) -> usize {
        self.level_of.clear();
        let class = |radius: f32| (radius.to_bits() >> 24) as u8;
        let mut classes: Vec<u8> = Vec::new();
        for params in &store.params {
            let class = class(params.radius);
            if classes.last() != Some(&class) && !classes.contains(&class) {
                classes.push(class);
            }
        }
        classes.sort_unstable_by(|a, b| b.cmp(a));
        classes.truncate(MAX_LEVELS);
        let last = classes.len().saturating_sub(1);
        let level = |radius| {
            classes
                .iter()
                .position(|&c| c == class(radius))
                .unwrap_or(last)
        };
        if classes.len() > 1 {
            self.level_of
                .extend(store.params.iter().map(|p| level(p.radius) as u8));
        } else {
            self.level_of.resize(store.len(), 0);
        }
        classes.len()
    }

    fn members<'a>(&'a self, level: u8) -> impl Iterator<Item = usize> + 'a {
        self.level_of
            .iter()
            .enumerate()
            .filter(move |&(_, &l)| l == level)
            .map(|(row, _)| row)
    }

    /// Cuts the extent of a level's agents into rows and cells, and counts who is in which.
    fn add_level(&mut self, store: &Store, level: u8, reach: f32) {
        let (mut bottom, mut top, mut count) = (f64::INFINITY, f64::NEG_INFINITY, 0usize);
        let mut max_radius = 0.0f32;
        for row in self.members(level) {
            bottom = bottom.min(store.position[row].y);
            top = top.max(store.position[row].y);
            max_radius = max_radius.max(store.params[row].radius);
            count += 1;
        }
        let height = f64::from((ROW_PER_REACH * reach).max(max_radius));
        let (rows, per_meter) = cut(top - bottom, height, count);
        let first_row = self.rows.len();
        let row_of = |p: WorldPoint| index((p.y - bottom) * per_meter, rows);
        let empty = Row {
            left: f64::INFINITY,
            right: f64::NEG_INFINITY,
            per_meter: 0.0,
            first: 0,
            cells: 0,
        };
        self.rows.resize(first_row + rows as usize, empty);
        for row in 0..store.len() {
            if self.level_of[row] == level {
                let p = store.position[row];
                let place = &mut self.rows[first_row + row_of(p) as usize];
                place.left = place.left.min(p.x);
                place.right = place.right.max(p.x);
                place.cells += 1;
            }
        }
        self.cut_rows(first_row, f64::from(CELL_PER_REACH * reach));
        for row in 0..store.len() {
            if self.level_of[row] == level {
                let p = store.position[row];
                let place = &self.rows[first_row + row_of(p) as usize];
                let cell = place.first + index((p.x - place.left) * place.per_meter, place.cells);
                self.cell_of[row] = cell;
                self.starts[cell as usize] += 1;
            }
        }
        let rows = first_row as u32..self.rows.len() as u32;
        self.levels.push(Level {
            rows,
            bottom,
            per_meter,
            height: 1.0 / per_meter,
            max_radius,
        });
    }

    /// Gives each row its cells; before, `cells` counts the agents in it.
    fn cut_rows(&mut self, first_row: usize, size: f64) {
        for row in &mut self.rows[first_row..] {
            row.first = self.starts.len() as u32;
            (row.cells, row.per_meter) = cut(row.right - row.left, size, row.cells as usize);
            self.starts
                .resize(self.starts.len() + row.cells as usize, 0);
        }
    }

    /// Turns counts into starts and puts the agents in order of their cells.
    fn place(&mut self, store: &Store) {
        let mut sum = 0;
        for start in &mut self.starts {
            sum += core::mem::replace(start, sum);
        }
        for row in 0..store.len() {
            let place = &mut self.starts[self.cell_of[row] as usize];
            self.order[*place as usize] = row as u32;
            *place += 1;
        }
        // Each start has moved to the next one's: shift them back.
        self.starts.push(sum);
        self.starts.rotate_right(1);
        if let Some(first) = self.starts.first_mut() {
            *first = 0;
        }
    }

    fn copy(&mut self, store: &Store) {
        let rows = || self.order.iter().map(|&row| row as usize);
        self.spots.clear();
        self.spots
            .resize(self.order.len().div_ceil(LANES), Spots::NOWHERE);
        for (i, row) in rows().enumerate() {
            let (spots, lane) = (&mut self.spots[i / LANES], i % LANES);
            spots.x[lane] = store.position[row].x;
            spots.y[lane] = store.position[row].y;
            spots.radius[lane] = store.params[row].radius;
            spots.layers[lane] = store.params[row].layers;
        }
        self.near.clear();
        self.near.extend(rows().map(|row| {
            let params = &store.params[row];
            Near {
                velocity: store.velocity[row].into(),
                radius: params.radius,
                slot: store.ids[row].index,
                mask: params.mask,
                weight: params.weight,
                priority: params.priority,
                arrived: store.memory[row].arrived,
            }
        }));
    }

    /// Calls `visit` with the runs of sorted agents that contain all whose edge is within `gap` of
    /// `center`.
    #[inline]
    pub(crate) fn runs(&self, center: WorldPoint, gap: f32, mut visit: impl FnMut(Range<usize>)) {
        for level in &self.levels {
            let range = f64::from((gap + level.max_radius) * (1.0 + 4.0 * f32::EPSILON));
            let rows = &self.rows[level.rows.start as usize..level.rows.end as usize];
            let last = rows.len() as u32;
            let low = index((center.y - range - level.bottom) * level.per_meter, last) as usize;
            let high = index((center.y + range - level.bottom) * level.per_meter, last) as usize;
            for (i, row) in (low..).zip(&rows[low..=high]) {
                // The part of the circle that lies in the row.
                let above = (level.bottom - center.y) + i as f64 * level.height;
                let off = above.max(-above - level.height) - ROW_SLACK * level.height;
                let half = (range * range - off.max(0.0) * off.max(0.0))
                    .max(0.0)
                    .sqrt();
                let (left, right) = (center.x - half - row.left, center.x + half - row.left);
                if right < 0.0 || center.x - half > row.right {
                    continue;
                }
                let from = index(left * row.per_meter, row.cells);
                let to = index(right * row.per_meter, row.cells);
                let start = self.starts[(row.first + from) as usize];
                let end = self.starts[(row.first + to) as usize + 1];
                visit(start as usize..end as usize);
            }
        }
    }

    /// Returns the place of a sorted agent [m].
    #[inline]
    pub(crate) fn position(&self, index: usize) -> WorldPoint {
        let spots = &self.spots[index / LANES];
        WorldPoint::new(spots.x[index % LANES], spots.y[index % LANES])
    }
}

/// Cuts `extent` into pieces of `size`, one at least and `count` at most: how many, and how many a
/// meter.
fn cut(extent: f64, size: f64, count: usize) -> (u32, f64) {
    if !(extent > 0.0 && size > 0.0) {
        return (1, 0.0);
    }
    let pieces = (extent / size).ceil().min(count as f64).max(1.0);
    (pieces as u32, pieces / extent)
}

/// Returns the piece in which `place` lies, counted in pieces; those outside count to the ends.
#[inline]
fn index(place: f64, pieces: u32) -> u32 {
    // The conversion saturates: negative numbers and NaN become 0.
    (place as u32).min(pieces - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::AgentDef;
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

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn runs_contain_everyone_in_reach_once(
            agents in proptest::collection::vec((-50.0f32..50.0, -5.0f32..50.0, 0.01f32..9.0), 1..120),
            gap in 0.0f32..20.0, reach in 0.1f32..20.0,
        ) {
            let store = store(&agents);
            let mut grid = Grid::default();
            grid.build(&store, reach);
            let center = store.position[0];
            let mut seen = vec![0; agents.len()];
            grid.runs(center, gap, |run| run.for_each(|i| seen[grid.order[i] as usize] += 1));
            for (row, &(_, _, radius)) in agents.iter().enumerate() {
                let near = (store.position[row] - center).norm() - radius <= gap;
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
        grid.build(&store(&agents), 5.0);
        assert!(grid.starts.len() <= 2 * agents.len() + 1);
    }

    #[test]
    fn an_empty_crowd_has_no_runs() {
        let mut grid = Grid::default();
        grid.build(&Store::default(), 1.0);
        grid.runs(WorldPoint::ORIGIN, 10.0, |run| assert!(run.is_empty()));
    }
}
