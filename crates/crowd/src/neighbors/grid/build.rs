//! Sorting of the agents: classes of radii, rows, cells, and copies in the order of the cells.

use super::{Grid, Level, Row, index, max, min};
use crate::neighbors::moving_disc::MovingDisc;
use crate::store::Store;
use crate::store::agent::Params;
use crate::tuning::{CHUNK, PARALLEL_THRESHOLD};
use crate::workers::for_each;
use cairn2d_simd::LANES;
use smallvec::SmallVec;

/// Most levels of radius; the smallest agents share the last one.
const MAX_LEVELS: usize = 4;

/// Height of a row, and width of a cell, in typical search radii.
///
/// A row is a little higher than a search radius, so that three rows contain the box of an agent. Thinner rows
/// would fit the box better, but each costs a lookup. Narrow cells cost nothing but the table.
const ROW_PER_REACH: f32 = 1.35;
const CELL_PER_REACH: f32 = 0.25;

/// Agents of similar radius, by a factor of four: their number and extent.
#[derive(Clone, Copy, Debug)]
struct Class {
    exponent: u8,
    count: usize,
    max_radius: f32,
    bottom: f64,
    top: f64,
}

impl Class {
    /// Adds an agent.
    #[inline]
    fn add(&mut self, y: f64) {
        self.count += 1;
        self.bottom = min(y, self.bottom);
        self.top = max(y, self.top);
    }
}

/// The present classes, the largest first.
type Classes = SmallVec<[Class; MAX_LEVELS]>;

impl Grid {
    /// Sorts the agents of `store`, with rows that suit searches of `reach` meters.
    pub(crate) fn build(&mut self, store: &Store, reach: f32, threads: u32) {
        self.order.resize(store.len(), 0);
        self.rank.resize(store.len(), 0);
        let classes = classes_of(store);
        self.levels.clear();
        self.rows.clear();
        for class in &classes {
            self.add_level(class, reach);
        }
        self.find_rows(store, &classes);
        self.cut_rows(reach);
        self.find_cells(store);
        self.place();
        self.copy(store, threads);
    }

    /// Divides the extent of a class into rows.
    fn add_level(&mut self, class: &Class, reach: f32) {
        let height = f64::from((ROW_PER_REACH * reach).max(class.max_radius));
        let (rows, per_meter) = cut(class.top - class.bottom, height, class.count);
        let first_row = self.rows.len();
        self.rows.resize(first_row + rows as usize, Row::EMPTY);
        self.levels.push(Level {
            rows: first_row..self.rows.len(),
            last: f64::from(rows - 1),
            bottom: class.bottom,
            per_meter,
            max_radius: class.max_radius,
        });
    }

    /// Finds the row of every agent, and the extent and size of the rows.
    fn find_rows(&mut self, store: &Store, classes: &Classes) {
        let is_single = classes.len() == 1;
        for (agent, (p, rank)) in store.position.iter().zip(&mut self.rank).enumerate() {
            let level = if is_single {
                0
            } else {
                level_of(store, classes, agent)
            };
            let level = &self.levels[level];
            let row = level.rows.start + index((p.y - level.bottom) * level.per_meter, level.last);
            *rank = row as u32;
            let row = &mut self.rows[row];
            row.left = min(row.left, p.x);
            row.right = max(row.right, p.x);
            row.count += 1;
        }
    }

    /// Divides each row into cells: at most one per agent.
    fn cut_rows(&mut self, reach: f32) {
        let (size, mut first) = (f64::from(CELL_PER_REACH * reach), 0);
        for row in &mut self.rows {
            let (cells, per_meter) = cut(row.right - row.left, size, row.count as usize);
            row.first = first;
            (row.last, row.per_meter) = (f64::from(cells - 1), per_meter);
            first += cells;
        }
        self.starts.clear();
        self.starts.resize(first as usize + 1, 0);
    }

    /// Finds the cell of every agent, and counts the agents of each cell in the next one.
    fn find_cells(&mut self, store: &Store) {
        for (rank, p) in self.rank.iter_mut().zip(&store.position) {
            let row = &self.rows[*rank as usize];
            *rank = row.first + index((p.x - row.left) * row.per_meter, row.last) as u32;
            self.starts[*rank as usize + 1] += 1;
        }
    }

    /// Turns counts into starts, and orders the agents by cell.
    fn place(&mut self) {
        let mut sum = 0;
        for start in &mut self.starts {
            // The start of the previous cell moves to its end, which is the start of this cell.
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

    /// Copies the values that neighbors read, and the values that all agents have in common.
    fn copy(&mut self, store: &Store, threads: u32) {
        let count = self.order.len();
        // Windows read eight at a time, past the last.
        self.places.resize(count + LANES, MovingDisc::default());
        let threads = if count < PARALLEL_THRESHOLD {
            1
        } else {
            threads
        };
        let parts = self.order.chunks(CHUNK).zip(self.places.chunks_mut(CHUNK));
        for_each(threads, parts, |(order, places)| {
            for (&row, place) in order.iter().zip(places) {
                let row = row as usize;
                let radius = store.params(row).radius;
                *place = MovingDisc::new(store.position[row], store.velocity[row], radius);
            }
        });
        let speeds_sq = store
            .memory
            .iter()
            .map(|memory| memory.wanted.norm_squared());
        let faster = |a: f32, b: f32| if b > a { b } else { a };
        self.top_preferred_speed = speeds_sq.fold(0.0, faster).sqrt();
        let common = |common, set: &Params| common & set.layers & set.mask;
        // A single common layer suffices for all to consider each other.
        self.all_consider = store.used_sets().fold(u32::MAX, common) != 0;
        let mut claims = store.used_sets().map(|set| (set.weight, set.priority));
        let first = claims.next();
        self.alike = self.all_consider && claims.all(|claim| Some(claim) == first);
    }
}

/// Returns the classes of radii, with the extent of their agents.
fn classes_of(store: &Store) -> Classes {
    let mut classes = Classes::new();
    let mut radii: SmallVec<[f32; 8]> = store.used_sets().map(|set| set.radius).collect();
    radii.sort_unstable_by(|a, b| b.total_cmp(a));
    for max_radius in radii {
        let exponent = exponent_of(max_radius);
        let is_new = classes
            .last()
            .is_none_or(|class| class.exponent != exponent);
        if is_new && classes.len() < MAX_LEVELS {
            classes.push(Class {
                exponent,
                count: 0,
                max_radius,
                bottom: f64::INFINITY,
                top: f64::NEG_INFINITY,
            });
        }
    }
    if let [class] = &mut classes[..] {
        store.position.iter().for_each(|p| class.add(p.y));
        return classes;
    }
    for (agent, p) in store.position.iter().enumerate() {
        let level = level_of(store, &classes, agent);
        classes[level].add(p.y);
    }
    classes
}

/// Returns the class of a radius.
fn exponent_of(radius: f32) -> u8 {
    (radius.to_bits() >> 24) as u8
}

/// Returns the index of the level of an agent.
#[inline]
fn level_of(store: &Store, classes: &Classes, agent: usize) -> usize {
    let [.., last] = &classes[..] else { return 0 };
    let exponent = exponent_of(store.params(agent).radius).max(last.exponent);
    let level = classes.iter().position(|class| class.exponent <= exponent);
    level.unwrap_or(0)
}

/// Divides `extent` into pieces of `size`, at least one and at most `count`; returns their number, and their number
/// per meter.
fn cut(extent: f64, size: f64, count: usize) -> (u32, f64) {
    if !(extent > 0.0 && size > 0.0) {
        return (1, 0.0);
    }
    let pieces = (extent / size).ceil().min(count as f64).max(1.0);
    (pieces as u32, pieces / extent)
}
