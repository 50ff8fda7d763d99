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
use crate::tuning::{CHUNK, SHARED};
use cairn2d_geometry::math::WorldPoint;
use core::cmp::Ordering;
use core::ops::Range;
use rayon::prelude::*;

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
    /// Agents in it.
    count: u32,
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
    /// Whether all heed each other, with one right of way and one weight.
    pub(crate) alike: bool,
    /// Where they are not alike: whom each heeds, and its weight and right of way.
    pub(crate) manners: Vec<Manner>,
    pub(crate) claims: Vec<[f32; 2]>,
    /// Whether all heed each other.
    pub(crate) all_heed: bool,
    /// Greatest speed that anyone wishes to go at [m/s].
    pub(crate) top_wish: f32,
    /// Index of each agent of the store.
    pub(crate) rank: Vec<u32>,
    /// Classes of radii that occur: one for each level.
    classes: Vec<Class>,
}

/// What an agent is, and whom it heeds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    pub(crate) layers: u32,
    pub(crate) mask: u32,
}

/// Agents of similar radius, by a factor of four: how many, and what they extend over.
#[derive(Clone, Copy, Debug)]
struct Class {
    exponent: u8,
    count: usize,
    max_radius: f32,
    bottom: f64,
    top: f64,
}

impl Class {
    /// Returns a class of nobody.
    const fn empty(exponent: u8) -> Self {
        Self {
            exponent,
            count: 0,
            max_radius: 0.0,
            bottom: f64::INFINITY,
            top: f64::NEG_INFINITY,
        }
    }

    /// Returns the class that a radius belongs to.
    fn of(radius: f32) -> u8 {
        (radius.to_bits() >> 24) as u8
    }

    /// Takes in the agents of another class.
    fn join(&mut self, other: &Self) {
        self.count += other.count;
        self.max_radius = self.max_radius.max(other.max_radius);
        self.bottom = lesser(other.bottom, self.bottom);
        self.top = greater(other.top, self.top);
    }
}

impl Grid {
    /// Sorts the agents of `store` anew, with rows that suit searches of `reach` meters.
    pub(crate) fn build(&mut self, store: &Store, reach: f32) {
        self.levels.clear();
        self.rows.clear();
        self.starts.clear();
        self.order.resize(store.len(), 0);
        self.rank.resize(store.len(), 0);
        self.find_classes(store);
        for level in 0..self.classes.len() {
            self.add_level(&self.classes[level].clone(), reach);
        }
        self.find_rows(store);
        self.cut_rows(reach);
        self.find_cells(store);
        self.place();
        self.copy(store);
    }

    /// Finds the classes of radii that occur, the largest first; the smallest share the last one.
    fn find_classes(&mut self, store: &Store) {
        let classes = &mut self.classes;
        classes.clear();
        let mut last = 0;
        for (params, place) in store.params.iter().zip(&store.position) {
            let exponent = Class::of(params.radius);
            let is_last = classes.get(last).is_some_and(|c| c.exponent == exponent);
            if !is_last {
                let known = classes.iter().position(|c| c.exponent == exponent);
                last = known.unwrap_or(classes.len());
                if known.is_none() {
                    classes.push(Class::empty(exponent));
                }
            }
            let class = &mut classes[last];
            class.count += 1;
            class.max_radius = class.max_radius.max(params.radius);
            class.bottom = lesser(place.y, class.bottom);
            class.top = greater(place.y, class.top);
        }
        classes.sort_unstable_by_key(|class| core::cmp::Reverse(class.exponent));
        while classes.len() > MAX_LEVELS
            && let Some(smallest) = classes.pop()
            && let Some(last) = classes.last_mut()
        {
            last.join(&smallest);
        }
    }

    /// Returns the index of the level for a radius.
    fn level_of(&self, radius: f32) -> usize {
        let last = self.classes.len().saturating_sub(1);
        let exponent = Class::of(radius);
        let known = self.classes.iter().position(|c| c.exponent <= exponent);
        known.unwrap_or(last)
    }

    /// Cuts the extent of a class into rows.
    fn add_level(&mut self, class: &Class, reach: f32) {
        let height = f64::from((ROW_PER_REACH * reach).max(class.max_radius));
        let (rows, per_meter) = cut(class.top - class.bottom, height, class.count);
        let first_row = self.rows.len();
        let empty = Row {
            left: f64::INFINITY,
            right: f64::NEG_INFINITY,
            per_meter: 0.0,
            first: 0,
            count: 0,
            last: 0.0,
        };
        self.rows.resize(first_row + rows as usize, empty);
        self.levels.push(Level {
            rows: first_row..self.rows.len(),
            last: f64::from(rows - 1),
            bottom: class.bottom,
            per_meter,
            height: 1.0 / per_meter,
            max_radius: class.max_radius,
        });
    }

    /// Finds everyone's row, how far the rows go, and how many are in each.
    fn find_rows(&mut self, store: &Store) {
        let single = self.levels.len() <= 1;
        for (agent, p) in store.position.iter().enumerate() {
            let radius = || store.params[agent].radius;
            let level = if single { 0 } else { self.level_of(radius()) };
            let level = &self.levels[level];
            let row = level.rows.start + index((p.y - level.bottom) * level.per_meter, level.last);
            self.rank[agent] = row as u32;
            let row = &mut self.rows[row];
            row.left = lesser(row.left, p.x);
            row.right = greater(row.right, p.x);
            row.count += 1;
        }
    }

    /// Gives each row its cells: at most one for each of the agents in it.
    fn cut_rows(&mut self, reach: f32) {
        let (size, mut first) = (f64::from(CELL_PER_REACH * reach), 0);
        for row in &mut self.rows {
            let (cells, per_meter) = cut(row.right - row.left, size, row.count as usize);
            row.first = first;
            (row.last, row.per_meter) = (f64::from(cells - 1), per_meter);
            first += cells;
        }
        self.starts.resize(first as usize + 1, 0);
    }

    /// Finds everyone's cell, and counts who is in which, for the cell after it.
    fn find_cells(&mut self, store: &Store) {
        for (rank, p) in self.rank.iter_mut().zip(&store.position) {
            let row = &self.rows[*rank as usize];
            let cell = index((p.x - row.left) * row.per_meter, row.last);
            *rank = row.first + cell as u32;
            self.starts[*rank as usize + 1] += 1;
        }
    }

    /// Turns counts into starts and puts the agents in order of their cells.
    fn place(&mut self) {
        let mut sum = 0;
        for start in &mut self.starts {
            // Where the cell before begins: its start moves to its end, which is this one's start.
            let before = sum;
            sum += *start;
            *start = before;
        }
        for (row, rank) in (0..).zip(&mut self.rank) {
            let place = &mut self.starts[*rank as usize + 1];
            *rank = *place;
            self.order[*place as usize] = row;
            *place += 1;
        }
    }

    fn copy(&mut self, store: &Store) {
        self.alike = are_alike(&store.params);
        let count = self.order.len();
        self.places.resize(count, Place::default());
        self.slots.resize(count, 0);
        self.intents.resize(count, Intent::default());
        self.arrived.resize(count, false);
        let copy = |(order, columns): (&[u32], Columns<'_>)| {
            let ((places, slots), (intents, arrived)) = columns;
            let columns = places.iter_mut().zip(slots).zip(intents).zip(arrived);
            for (&row, (((place, slot), intent), arrived)) in order.iter().zip(columns) {
                let row = row as usize;
                let memory = &store.memory[row];
                let radius = store.params[row].radius;
                *place = Place::new(store.position[row], store.velocity[row], radius);
                *slot = store.ids[row].index;
                *intent = Intent::of(&memory.wanted);
                *arrived = memory.arrived;
            }
        };
        let (order, slots) = (&self.order, &mut self.slots);
        if count < SHARED || rayon::current_num_threads() == 1 {
            let places = &mut self.places[..];
            copy((
                order,
                ((places, slots), (&mut self.intents, &mut self.arrived)),
            ));
        } else {
            let first = self
                .places
                .par_chunks_mut(CHUNK)
                .zip(slots.par_chunks_mut(CHUNK));
            let intents = self.intents.par_chunks_mut(CHUNK);
            let then = intents.zip(self.arrived.par_chunks_mut(CHUNK));
            let parts = order.par_chunks(CHUNK).zip(first.zip(then));
            parts.with_min_len(SHARED / CHUNK).for_each(copy);
        }
        let wishes = self.intents.iter().map(Intent::speed);
        self.top_wish = wishes.fold(0.0, greater_speed);
        self.copy_manners(store);
    }

    /// Copies how each stands to others, unless all are alike.
    fn copy_manners(&mut self, store: &Store) {
        self.manners.clear();
        self.claims.clear();
        self.all_heed = true;
        if self.alike {
            return;
        }
        let rows = || self.order.iter().map(|&row| &store.params[row as usize]);
        self.manners.extend(rows().map(|params| Manner {
            layers: params.layers,
            mask: params.mask,
        }));
        let claim = |params: &Params| [params.weight, params.priority.into()];
        self.claims.extend(rows().map(claim));
        // One layer that all are in and all heed is enough.
        let common = |common, manner: &Manner| common & manner.layers & manner.mask;
        self.all_heed = self.manners.iter().fold(u32::MAX, common) != 0;
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

    /// Returns the part of a change that all take in all encounters; `None` if they differ.
    #[inline]
    pub(crate) fn common_share(&self) -> Option<f32> {
        self.alike.then_some(0.5)
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

/// A part of what is copied: places and slots, intents and arrivals.
type Columns<'a> = (
    (&'a mut [Place], &'a mut [u32]),
    (&'a mut [Intent], &'a mut [bool]),
);

/// Returns the greater of two speeds.
fn greater_speed(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
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
