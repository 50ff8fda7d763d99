//! Sorting of the agents: classes of radii, rows, cells, and copies in the order of the cells.
//!
//! Parallel if there are many agents: each thread finds the rows and cells of a part of them. Only counts, minima and
//! maxima are combined, so the split never matters.

use super::{Grid, InteractionLayers, Level, Row, index, max, min};
use crate::neighbors::moving_disc::MovingDisc;
use crate::neighbors::yielding::PreferredVelocity;
use crate::parallel::is_parallel;
use crate::store::Store;
use crate::store::agent::Params;
use crate::tuning::{CHUNK, PARALLEL_THRESHOLD};
use cairn2d_geometry::math::WorldPoint;
use core::mem::take;
use rayon::prelude::*;
use smallvec::SmallVec;

/// Most levels of radius; the smallest agents share the last one.
const MAX_LEVELS: usize = 4;

/// Height of a row, and width of a cell, in typical search radii.
///
/// A row is a little higher than a search radius, so that three rows contain the circle of an agent. Thinner rows
/// would fit the circle better, but each costs a lookup. Narrow cells cost nothing but the table.
const ROW_PER_REACH: f32 = 1.35;
const CELL_PER_REACH: f32 = 0.25;

/// Agents of similar radius, by a factor of four: their number and extent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Class {
    exponent: u8,
    count: usize,
    max_radius: f32,
    bottom: f64,
    top: f64,
}

impl Class {
    /// Returns an empty class.
    const fn empty(exponent: u8) -> Self {
        Self {
            exponent,
            count: 0,
            max_radius: 0.0,
            bottom: f64::INFINITY,
            top: f64::NEG_INFINITY,
        }
    }

    /// Returns the class of a radius.
    fn of(radius: f32) -> u8 {
        (radius.to_bits() >> 24) as u8
    }

    /// Adds the agents of another class.
    fn join(&mut self, other: &Self) {
        self.count += other.count;
        self.max_radius = self.max_radius.max(other.max_radius);
        self.bottom = min(other.bottom, self.bottom);
        self.top = max(other.top, self.top);
    }
}

impl Row {
    /// Adds the agents that another thread found in the row.
    fn join(&mut self, other: &Self) {
        self.left = min(other.left, self.left);
        self.right = max(other.right, self.right);
        self.count += other.count;
    }
}

impl Grid {
    /// Sorts the agents of `store`, with rows that suit searches of `reach` meters.
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

    /// Finds the present classes of radii, the largest first; the smallest share the last level.
    fn find_classes(&mut self, store: &Store) {
        let (params, places) = (&store.params[..], &store.position[..]);
        let found = if is_parallel(store.len()) {
            let parts = params.par_chunks(CHUNK).zip(places.par_chunks(CHUNK));
            let parts = parts.with_min_len(PARALLEL_THRESHOLD / CHUNK);
            let classes = parts.map(|(params, places)| classes_of(params, places));
            classes.reduce(Classes::new, joined)
        } else {
            classes_of(params, places)
        };
        let classes = &mut self.classes;
        classes.clear();
        classes.extend(found);
        classes.sort_unstable_by_key(|class| core::cmp::Reverse(class.exponent));
        while classes.len() > MAX_LEVELS
            && let Some(smallest) = classes.pop()
            && let Some(last) = classes.last_mut()
        {
            last.join(&smallest);
        }
    }

    /// Returns the index of the level of a radius.
    fn level_of(&self, radius: f32) -> usize {
        let last = self.classes.len().saturating_sub(1);
        let exponent = Class::of(radius);
        let known = self.classes.iter().position(|c| c.exponent <= exponent);
        known.unwrap_or(last)
    }

    /// Divides the extent of a class into rows.
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

    /// Finds the row of every agent, and the extent and size of the rows.
    fn find_rows(&mut self, store: &Store) {
        let (mut rank, mut rows) = (take(&mut self.rank), take(&mut self.rows));
        if is_parallel(store.len()) {
            let mut parts = take(&mut self.parts);
            let threads = rayon::current_num_threads();
            parts.clear();
            (0..threads).for_each(|_| parts.extend_from_slice(&rows));
            let share = store.len().div_ceil(threads);
            let agents = rank.par_chunks_mut(share).enumerate();
            let find = |((part, rank), rows): ((usize, &mut [u32]), &mut [Row])| {
                self.put_in_rows(store, share * part, rank, rows);
            };
            agents.zip(parts.par_chunks_mut(rows.len())).for_each(find);
            for part in parts.chunks(rows.len()) {
                rows.iter_mut()
                    .zip(part)
                    .for_each(|(row, part)| row.join(part));
            }
            self.parts = parts;
        } else {
            self.put_in_rows(store, 0, &mut rank, &mut rows);
        }
        (self.rank, self.rows) = (rank, rows);
    }

    /// Finds the rows of some agents from `first` on, and adds the agents to them.
    #[inline]
    fn put_in_rows(&self, store: &Store, first: usize, rank: &mut [u32], rows: &mut [Row]) {
        let single = self.levels.len() <= 1;
        let places = &store.position[first..][..rank.len()];
        for ((agent, p), rank) in (first..).zip(places).zip(rank) {
            let radius = || store.params[agent].radius;
            let level = if single { 0 } else { self.level_of(radius()) };
            let level = &self.levels[level];
            let row = level.rows.start + index((p.y - level.bottom) * level.per_meter, level.last);
            *rank = row as u32;
            let row = &mut rows[row];
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
        self.starts.resize(first as usize + 1, 0);
    }

    /// Finds the cell of every agent, and counts the agents of each cell in the next one.
    fn find_cells(&mut self, store: &Store) {
        let rows = &self.rows;
        let find = |(rank, p): (&mut u32, &WorldPoint)| {
            let row = &rows[*rank as usize];
            *rank = row.first + index((p.x - row.left) * row.per_meter, row.last) as u32;
            *rank
        };
        let starts = &mut self.starts;
        let mut count = |cell: u32| starts[cell as usize + 1] += 1;
        if is_parallel(store.len()) {
            let agents = self.rank.par_iter_mut().zip(&store.position);
            let agents = agents.with_min_len(PARALLEL_THRESHOLD / 2);
            agents.for_each(|agent| _ = find(agent));
            self.rank.iter().for_each(|&cell| count(cell));
        } else {
            let agents = self.rank.iter_mut().zip(&store.position);
            agents.for_each(|agent| count(find(agent)));
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

    fn copy(&mut self, store: &Store) {
        self.alike = are_alike(&store.params);
        let count = self.order.len();
        self.places.resize(count, MovingDisc::default());
        self.slots.resize(count, 0);
        self.preferred_velocities
            .resize(count, PreferredVelocity::default());
        self.arrived.resize(count, false);
        let copy = |(order, columns): (&[u32], Columns<'_>)| {
            let ((places, slots), (preferred_velocities, arrived)) = columns;
            let columns = places
                .iter_mut()
                .zip(slots)
                .zip(preferred_velocities)
                .zip(arrived);
            for (&row, (((place, slot), intent), arrived)) in order.iter().zip(columns) {
                let row = row as usize;
                let memory = &store.memory[row];
                let radius = store.params[row].radius;
                *place = MovingDisc::new(store.position[row], store.velocity[row], radius);
                *slot = store.ids[row].index;
                *intent = PreferredVelocity::of(&memory.wanted);
                *arrived = memory.arrived;
            }
        };
        let (order, slots) = (&self.order, &mut self.slots);
        if !is_parallel(count) {
            let places = &mut self.places[..];
            copy((
                order,
                (
                    (places, slots),
                    (&mut self.preferred_velocities, &mut self.arrived),
                ),
            ));
        } else {
            let first = self
                .places
                .par_chunks_mut(CHUNK)
                .zip(slots.par_chunks_mut(CHUNK));
            let preferred_velocities = self.preferred_velocities.par_chunks_mut(CHUNK);
            let then = preferred_velocities.zip(self.arrived.par_chunks_mut(CHUNK));
            let parts = order.par_chunks(CHUNK).zip(first.zip(then));
            parts
                .with_min_len(PARALLEL_THRESHOLD / CHUNK)
                .for_each(copy);
        }
        self.top_preferred_speed = if is_parallel(count) {
            let each_preferred = self
                .preferred_velocities
                .par_iter()
                .with_min_len(PARALLEL_THRESHOLD);
            each_preferred
                .map(PreferredVelocity::speed)
                .reduce(|| 0.0, faster)
        } else {
            let each_preferred = self
                .preferred_velocities
                .iter()
                .map(PreferredVelocity::speed);
            each_preferred.fold(0.0, faster)
        };
        self.copy_interaction_layers(store);
    }

    /// Copies the interaction data of the agents, unless they are alike.
    fn copy_interaction_layers(&mut self, store: &Store) {
        self.interaction_layers.clear();
        self.claims.clear();
        self.all_consider = true;
        if self.alike {
            return;
        }
        let rows = || self.order.iter().map(|&row| &store.params[row as usize]);
        self.interaction_layers
            .extend(rows().map(|params| InteractionLayers {
                layers: params.layers,
                mask: params.mask,
            }));
        let claim = |params: &Params| [params.weight, params.priority.into()];
        self.claims.extend(rows().map(claim));
        // A single common layer suffices.
        let common = |common, manner: &InteractionLayers| common & manner.layers & manner.mask;
        self.all_consider = self.interaction_layers.iter().fold(u32::MAX, common) != 0;
    }
}

/// Classes of radii, in any order: seldom more than a few.
type Classes = SmallVec<[Class; 8]>;

/// Returns the classes of some agents.
fn classes_of(params: &[Params], places: &[WorldPoint]) -> Classes {
    let mut classes = Classes::new();
    let Some(first) = params.first() else {
        return classes;
    };
    // Most agents have the class of the one before.
    let mut class = Class::empty(Class::of(first.radius));
    for (params, place) in params.iter().zip(places) {
        let exponent = Class::of(params.radius);
        if class.exponent != exponent {
            take_in(&mut classes, &class);
            class = Class::empty(exponent);
        }
        class.count += 1;
        class.max_radius = class.max_radius.max(params.radius);
        class.bottom = min(place.y, class.bottom);
        class.top = max(place.y, class.top);
    }
    take_in(&mut classes, &class);
    classes
}

/// Adds agents of a class.
fn take_in(classes: &mut Classes, more: &Class) {
    match classes.iter_mut().find(|c| c.exponent == more.exponent) {
        Some(class) => class.join(more),
        None => classes.push(*more),
    }
}

/// Returns the union of the classes.
fn joined(mut classes: Classes, others: Classes) -> Classes {
    others.iter().for_each(|other| take_in(&mut classes, other));
    classes
}

/// A part of the copies: discs and slots, preferred velocities and arrivals.
type Columns<'a> = (
    (&'a mut [MovingDisc], &'a mut [u32]),
    (&'a mut [PreferredVelocity], &'a mut [bool]),
);

/// Returns the larger of two speeds.
fn faster(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

/// Returns whether all agents consider each other, with one right of way and one weight.
fn are_alike(params: &[Params]) -> bool {
    params.first().is_none_or(|first| {
        let alike = |p: &Params| {
            (p.layers, p.mask, p.priority) == (first.layers, first.mask, first.priority)
                && p.weight == first.weight
        };
        let all_alike = || {
            if is_parallel(params.len()) {
                params
                    .par_iter()
                    .with_min_len(PARALLEL_THRESHOLD)
                    .all(alike)
            } else {
                params.iter().all(alike)
            }
        };
        first.layers & first.mask != 0 && all_alike()
    })
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
