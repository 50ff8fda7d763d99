//! Who is near: agents copied into arrays sorted by cell, in rows of cells fitted to the crowd.
//!
//! The plane is cut into rows of one height; each row into cells over its own extent, at most one
//! per agent in it. So the table is never larger than the crowd, however far agents are strewn, and
//! a search reads one contiguous run per row. Agents of very different size have levels of their
//! own, so that one giant does not widen everybody's search.
//!
//! The grid only finds candidates; who is a neighbour is decided by exact distances. So neither the size of a cell nor the order within it can change a result.

use crate::agent::Params;
use crate::courtesy::Intent;
use crate::places::Place;
use crate::store::Store;
use cairn2d_geometry::math::WorldPoint;
use core::cmp::Ordering;
use core::ops::Range;

/// Levels of radius at most; the smallest agents share the last one.
const MAX_LEVELS: usize = 4;

/// Height of a row, and width of a cell, in typical search radii.
///
/// A row is a little higher than a search radius, so that the three about an agent hold its circle: thinner ones
/// would fit the circle better, but each row costs a look-up. Narrow cells cost nothing but the table.
const ROW_PER_REACH: f32 = 1.35;
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
    /// Index of its last cell, counted from its first one.
    last: f64,
}

/// The rows of agents of similar radius.
#[derive(Clone, Debug)]
struct Level {
    rows: Range<usize>,
    /// Index of its last row, counted from its first one.
    last: f64,
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
    /// Where each is, how large and how fast: what a search asks.
    pub(crate) places: Vec<Place>,
    /// Slot of each one's name.
    pub(crate) slots: Vec<u32>,
    /// What each would do alone.
    pub(crate) intents: Vec<Intent>,
    /// Who stands at a target.
    pub(crate) arrived: Vec<bool>,
    /// How each stands to others; empty where all are alike.
    pub(crate) manners: Vec<Manner>,
    /// Whether all heed each other, with one right of way and one weight.
    pub(crate) alike: bool,
    /// Greatest speed that anyone wishes to go at [m/s].
    pub(crate) top_wish: f32,
    level_of: Vec<u8>,
    cell_of: Vec<u32>,
    /// Classes of radii that occur, and agents in each row; kept to be filled again.
    classes: Vec<u8>,
    counts: Vec<usize>,
}

/// Whom an agent heeds, and how much; 16 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    pub(crate) layers: u32,
    pub(crate) mask: u32,
    pub(crate) weight: f32,
    pub(crate) priority: u8,
}

const _: () = assert!(size_of::<Manner>() == 16);

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
        let classes = &mut self.classes;
        classes.clear();
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
        let last = f64::from(rows - 1);
        let row_of = |p: WorldPoint| index((p.y - bottom) * per_meter, last);
        let empty = Row {
            left: f64::INFINITY,
            right: f64::NEG_INFINITY,
            per_meter: 0.0,
            first: 0,
            last: 0.0,
        };
        let mut counts = core::mem::take(&mut self.counts);
        counts.clear();
        counts.resize(rows as usize, 0);
        self.rows.resize(first_row + rows as usize, empty);
        for row in 0..store.len() {
            if self.level_of[row] == level {
                let p = store.position[row];
                let at = row_of(p);
                let place = &mut self.rows[first_row + at];
                place.left = lesser(place.left, p.x);
                place.right = greater(place.right, p.x);
                counts[at] += 1;
            }
        }
        self.cut_rows(first_row, &counts, f64::from(CELL_PER_REACH * reach));
        self.counts = counts;
        for row in 0..store.len() {
            if self.level_of[row] == level {
                let p = store.position[row];
                let place = &self.rows[first_row + row_of(p)];
                let cell = index((p.x - place.left) * place.per_meter, place.last);
                let cell = place.first as usize + cell;
                self.cell_of[row] = cell as u32;
                self.starts[cell] += 1;
            }
        }
        self.levels.push(Level {
            rows: first_row..self.rows.len(),
            last,
            bottom,
            per_meter,
            height: 1.0 / per_meter,
            max_radius,
        });
    }

    /// Gives each row its cells: at most one for each of the agents in it, who are `counts`.
    fn cut_rows(&mut self, first_row: usize, counts: &[usize], size: f64) {
        for (row, &count) in self.rows[first_row..].iter_mut().zip(counts) {
            let (cells, per_meter) = cut(row.right - row.left, size, count);
            row.first = self.starts.len() as u32;
            (row.last, row.per_meter) = (f64::from(cells - 1), per_meter);
            self.starts.resize(self.starts.len() + cells as usize, 0);
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
        self.alike = are_alike(&store.params);
        self.places.clear();
        self.places.extend(rows().map(|row| {
            let radius = store.params[row].radius;
            Place::new(store.position[row], store.velocity[row], radius)
        }));
        self.slots.clear();
        self.slots.extend(rows().map(|row| store.ids[row].index));
        self.intents.clear();
        let wanted = rows().map(|row| Intent::of(&store.memory[row].wanted));
        self.intents.extend(wanted);
        self.arrived.clear();
        self.arrived
            .extend(rows().map(|row| store.memory[row].arrived));
        let wishes = self.intents.iter().map(Intent::speed);
        self.top_wish = wishes.fold(0.0, f32::max);
        self.manners.clear();
        if !self.alike {
            self.manners.extend(rows().map(|row| {
                let params = &store.params[row];
                Manner {
                    layers: params.layers,
                    mask: params.mask,
                    weight: params.weight,
                    priority: params.priority,
                }
            }));
        }
    }

    /// Calls `visit` with the runs of sorted agents that contain all whose edge is within `gap` of
    /// `center`.
    #[inline]
    pub(crate) fn runs(&self, center: WorldPoint, gap: f32, mut visit: impl FnMut(Range<usize>)) {
        for level in &self.levels {
            let range = f64::from((gap + level.max_radius) * (1.0 + 4.0 * f32::EPSILON));
            let range_sq = range * range;
            let rows = &self.rows[level.rows.clone()];
            let up = center.y - level.bottom;
            let low = index((up - range) * level.per_meter, level.last);
            let high = index((up + range) * level.per_meter, level.last);
            for (i, row) in (low..).zip(&rows[low..=high]) {
                // The part of the circle that lies in the row.
                let above = i as f64 * level.height - up;
                let off = greater(above, -above - level.height) - ROW_SLACK * level.height;
                // A single row has no height: then this is not a number, and the row not off at all.
                let off = greater(off, 0.0);
                let half = greater(range_sq - off * off, 0.0).sqrt();
                let (left, right) = (center.x - half, center.x + half);
                if let Some(run) = self.run_in_row(row, [left, right]) {
                    visit(run);
                }
            }
        }
    }

    /// Returns the run of sorted agents of a row between two places along it, if it reaches there.
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

    /// Calls `visit` with the runs of sorted agents that contain all whose edge may lie in a box.
    #[inline]
    pub(crate) fn runs_in(
        &self,
        [low, high]: [WorldPoint; 2],
        mut visit: impl FnMut(Range<usize>),
    ) {
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

    /// Returns the place of a sorted agent [m].
    #[inline]
    pub(crate) fn position(&self, index: usize) -> WorldPoint {
        self.places[index].center()
    }
}

impl Grid {
    /// Compares two sorted agents by their place, and on one spot by their name.
    pub(crate) fn by_place(&self, a: u32, b: u32) -> Ordering {
        let (a, b) = (a as usize, b as usize);
        let (p, q) = (self.position(a), self.position(b));
        let place = p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y));
        place.then(self.slots[a].cmp(&self.slots[b]))
    }
}

/// Says whether all heed each other, with one right of way and one weight.
fn are_alike(params: &[Params]) -> bool {
    params.first().is_none_or(|first| {
        let alike = |p: &Params| {
            (p.layers, p.mask, p.priority) == (first.layers, first.mask, first.priority)
                && p.weight == first.weight
        };
        first.layers & first.mask != 0 && params.iter().all(alike)
    })
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

/// Returns the piece in which `place` lies, counted in pieces up to `last`; those outside count to the ends.
///
/// Rounded by adding a number so large that its last digit is one: a conversion to an integer would check
/// for numbers that cannot be here, twice a row of a search. On a border it may be either piece.
#[inline]
fn index(place: f64, last: f64) -> usize {
    const ONES: f64 = (1u64 << 52) as f64;
    let piece = lesser(greater(place - 0.5, 0.0), last);
    (piece + ONES).to_bits() as u32 as usize
}

/// Returns the greater of two; `b` where one is not a number.
#[inline]
pub(crate) fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// Returns the lesser of two; `b` where one is not a number.
#[inline]
pub(crate) fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
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
