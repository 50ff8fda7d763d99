//! Sorting the agents: classes of radii, rows, cells, and copies in the order of the cells.
//!
//! Over the threads of the pool if agents are many: each thread finds the rows and cells of a part of them. What is put
//! together of the parts are counts, least and greatest numbers, so no split shows.

use super::{Grid, Level, Manner, Row, greater, index, lesser};
use crate::agent::Params;
use crate::courtesy::Intent;
use crate::places::Place;
use crate::shared::is_shared;
use crate::store::Store;
use crate::tuning::{CHUNK, SHARED};
use cairn2d_geometry::math::WorldPoint;
use core::mem::take;
use rayon::prelude::*;
use smallvec::SmallVec;

/// Levels of radius at most; the smallest agents share the last one.
const MAX_LEVELS: usize = 4;

/// Height of a row, and width of a cell, in typical search radii.
///
/// A row is a little higher than a search radius, so that the three about an agent hold its circle: thinner ones
/// would fit the circle better, but each row costs a look-up. Narrow cells cost nothing but the table.
const ROW_PER_REACH: f32 = 1.35;
const CELL_PER_REACH: f32 = 0.25;

/// Agents of similar radius, by a factor of four: how many, and what they extend over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Class {
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

impl Row {
    /// Takes in those whom another thread found in the row.
    fn join(&mut self, other: &Self) {
        self.left = lesser(other.left, self.left);
        self.right = greater(other.right, self.right);
        self.count += other.count;
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
        let (params, places) = (&store.params[..], &store.position[..]);
        let found = if is_shared(store.len()) {
            let parts = params.par_chunks(CHUNK).zip(places.par_chunks(CHUNK));
            let parts = parts.with_min_len(SHARED / CHUNK);
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
        let (mut rank, mut rows) = (take(&mut self.rank), take(&mut self.rows));
        if is_shared(store.len()) {
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

    /// Finds the rows of some agents from the `first` on, and takes them in there.
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
        let rows = &self.rows;
        let find = |(rank, p): (&mut u32, &WorldPoint)| {
            let row = &rows[*rank as usize];
            *rank = row.first + index((p.x - row.left) * row.per_meter, row.last) as u32;
            *rank
        };
        let starts = &mut self.starts;
        let mut count = |cell: u32| starts[cell as usize + 1] += 1;
        if is_shared(store.len()) {
            let agents = self.rank.par_iter_mut().zip(&store.position);
            let agents = agents.with_min_len(SHARED / 2);
            agents.for_each(|agent| _ = find(agent));
            self.rank.iter().for_each(|&cell| count(cell));
        } else {
            let agents = self.rank.iter_mut().zip(&store.position);
            agents.for_each(|agent| count(find(agent)));
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
        if !is_shared(count) {
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
        self.top_wish = if is_shared(count) {
            let wishes = self.intents.par_iter().with_min_len(SHARED);
            wishes.map(Intent::speed).reduce(|| 0.0, greater_speed)
        } else {
            let wishes = self.intents.iter().map(Intent::speed);
            wishes.fold(0.0, greater_speed)
        };
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
}

/// Classes of radii, in any order: seldom more than a few.
type Classes = SmallVec<[Class; 8]>;

/// Returns the classes of some agents.
fn classes_of(params: &[Params], places: &[WorldPoint]) -> Classes {
    let mut classes = Classes::new();
    let Some(first) = params.first() else {
        return classes;
    };
    // Most are of the class of the one before.
    let mut class = Class::empty(Class::of(first.radius));
    for (params, place) in params.iter().zip(places) {
        let exponent = Class::of(params.radius);
        if class.exponent != exponent {
            take_in(&mut classes, &class);
            class = Class::empty(exponent);
        }
        class.count += 1;
        class.max_radius = class.max_radius.max(params.radius);
        class.bottom = lesser(place.y, class.bottom);
        class.top = greater(place.y, class.top);
    }
    take_in(&mut classes, &class);
    classes
}

/// Takes in more agents of a class.
fn take_in(classes: &mut Classes, more: &Class) {
    match classes.iter_mut().find(|c| c.exponent == more.exponent) {
        Some(class) => class.join(more),
        None => classes.push(*more),
    }
}

/// Returns the classes of both.
fn joined(mut classes: Classes, others: Classes) -> Classes {
    others.iter().for_each(|other| take_in(&mut classes, other));
    classes
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
        let all_alike = || {
            if is_shared(params.len()) {
                params.par_iter().with_min_len(SHARED).all(alike)
            } else {
                params.iter().all(alike)
            }
        };
        first.layers & first.mask != 0 && all_alike()
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
