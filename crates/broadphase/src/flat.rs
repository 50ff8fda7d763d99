//! Proxies behind one flat index: the common part of sweep-and-prune and the grid.

use crate::broad_phase_kind::BroadPhaseKind;
use crate::cast::{MovingBox, Near, Probe};
use crate::defect::{Defect, ensure};
use crate::grid::Grid;
use crate::lanes::{Boxes, finite};
use crate::pair_set::pair_key;
use crate::parallel::{Sharing, collect_in_parallel};
use crate::proxy::{Pairing, ProxyId, ProxyKind, Record, is_seen};
use crate::sweep_and_prune::Sweep;
use cairn2d_geometry::math::{Vec2, vec2};
use cairn2d_geometry::{
    Aabb, HashState, LoadError, Number, Persist, Ray, Reader, Sink, StateHasher,
};
use cairn2d_simd::BASELINE8;
use core::ops::ControlFlow;
use slab::Slab;

/// Pieces that a long ray is cut into at the most.
const MAX_PIECES: f32 = 4096.0;

/// Part of its coordinates by which a piece of a ray is widened against rounding.
const PIECE_MARGIN: f32 = 16.0 * f32::EPSILON;

/// The structure that finds the boxes in a region.
#[derive(Clone, Debug)]
pub(crate) enum Index {
    Sweep(Sweep),
    Grid(Grid),
}

/// The records in the order of the index; those of an index that is read are named in this order.
impl Persist for Flat {
    fn write<S: Sink>(&self, sink: &mut S) {
        let Self {
            records,
            moved: _,
            index,
        } = self;
        let record = |id: u32| records.get(id as usize).copied();
        match index {
            Index::Sweep(sweep) => {
                sink.number(Number::U8(0));
                sweep.write(sink, record);
            }
            Index::Grid(grid) => {
                sink.number(Number::U8(1));
                grid.write(sink, record);
            }
        }
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let mut records = Slab::new();
        let mut name = |record: Record| records.insert(record) as u32;
        let index = match reader.tag(2)? {
            0 => Index::Sweep(Sweep::read(reader, &mut name)?),
            _ => Index::Grid(Grid::read(reader, &mut name)?),
        };
        let moved = records.iter().filter(|(_, record)| record.has_moved);
        let flat = Self {
            moved: moved.map(|(id, _)| id as u32).collect(),
            records,
            index,
        };
        flat.check().map_err(|defect| defect.at(reader))?;
        Ok(flat)
    }
}

/// Without the names of proxies: two indices whose names differ answer alike.
impl HashState for Flat {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            records,
            // The records that `has_moved`; sorted before they are used.
            moved: _,
            index,
        } = self;
        let proxy = |id: u32, hash: &mut StateHasher| {
            hash.add(&records.get(id as usize).copied());
        };
        match index {
            Index::Sweep(sweep) => sweep.hash_state(hash.word(0), proxy),
            Index::Grid(grid) => grid.hash_state(hash.word(1), proxy),
        }
    }
}

/// Proxies of all kinds in one index.
#[derive(Clone, Debug)]
pub(crate) struct Flat {
    records: Slab<Record>,
    /// Ids changed since the last pairing, some perhaps twice or removed since.
    moved: Vec<u32>,
    index: Index,
}

impl Flat {
    pub(crate) fn new(index: Index) -> Self {
        Self {
            records: Slab::new(),
            moved: Vec::new(),
            index,
        }
    }

    /// Returns the kind that makes such an index.
    pub(crate) fn kind(&self) -> BroadPhaseKind {
        match self.index {
            Index::Sweep(_) => BroadPhaseKind::SweepAndPrune,
            Index::Grid(_) => BroadPhaseKind::Grid,
        }
    }

    /// Calls `visit` with the name and the number of each proxy.
    pub(crate) fn visit_proxies(&self, mut visit: impl FnMut(ProxyId, u32)) {
        for (id, record) in &self.records {
            visit(ProxyId::new(record.kind, id as u32), record.data);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    pub(crate) fn contains(&self, id: ProxyId) -> bool {
        self.records
            .get(id.index() as usize)
            .is_some_and(|record| record.kind == id.kind())
    }

    pub(crate) fn insert(&mut self, kind: ProxyKind, aabb: Aabb, category: u64, data: u32) -> u32 {
        let record = Record {
            now: aabb,
            paired: Aabb::EMPTY,
            category,
            data,
            kind,
            has_moved: true,
        };
        let id = self.records.insert(record) as u32;
        self.moved.push(id);
        match &mut self.index {
            Index::Sweep(sweep) => sweep.insert(id, &aabb),
            Index::Grid(grid) => grid.insert(id, &aabb),
        }
        id
    }

    /// Returns the place of a proxy.
    ///
    /// # Panics
    /// When there is none of this name.
    #[inline]
    fn known(&self, id: ProxyId) -> u32 {
        assert!(self.contains(id), "no proxy with {id:?}");
        id.index()
    }

    pub(crate) fn remove(&mut self, id: ProxyId) {
        let id = self.known(id);
        self.records.remove(id as usize);
        match &mut self.index {
            Index::Sweep(sweep) => sweep.remove(id),
            Index::Grid(grid) => grid.remove(id),
        }
        if self.records.is_empty() {
            // As new: axis and cells would remember the proxies that were there.
            self.index = match self.index {
                Index::Sweep(_) => Index::Sweep(Sweep::default()),
                Index::Grid(_) => Index::Grid(Grid::default()),
            };
            self.records.clear();
            self.moved.clear();
        }
    }

    pub(crate) fn replace(&mut self, id: ProxyId, aabb: Aabb) {
        let id = self.known(id);
        self.note_moved(id).now = aabb;
        match &mut self.index {
            Index::Sweep(sweep) => sweep.replace(id, &aabb),
            Index::Grid(grid) => grid.replace(id, &aabb),
        }
    }

    pub(crate) fn touch_proxy(&mut self, id: ProxyId) {
        self.note_moved(self.known(id)).paired = Aabb::EMPTY;
    }

    fn note_moved(&mut self, id: u32) -> &mut Record {
        let record = &mut self.records[id as usize];
        if !record.has_moved {
            record.has_moved = true;
            self.moved.push(id);
        }
        record
    }

    pub(crate) fn set_category(&mut self, id: ProxyId, category: u64) {
        let id = self.known(id);
        self.records[id as usize].category = category;
    }

    pub(crate) fn aabb(&self, id: ProxyId) -> Aabb {
        self.records[self.known(id) as usize].now
    }

    pub(crate) fn category(&self, id: ProxyId) -> u64 {
        self.records[self.known(id) as usize].category
    }

    pub(crate) fn data(&self, id: ProxyId) -> u32 {
        self.records[self.known(id) as usize].data
    }

    pub(crate) fn rebuild(&mut self) {
        match &mut self.index {
            Index::Sweep(sweep) => sweep.prepare(),
            Index::Grid(grid) => grid.lay_out(),
        }
    }

    /// Calls `visit` with the id of each box that touches `region`, until it breaks.
    #[inline]
    fn candidates(
        &self,
        region: &Aabb,
        visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match &self.index {
            Index::Sweep(sweep) => sweep.candidates(region, visit),
            Index::Grid(grid) => grid.candidates(region, visit),
        }
    }

    /// Appends the keys of the pairs that have begun to overlap since the last call.
    pub(crate) fn collect_pairs(
        &mut self,
        pairing: Pairing,
        sharing: Sharing<'_>,
        out: &mut Vec<u64>,
    ) {
        match &mut self.index {
            Index::Sweep(sweep) => sweep.prepare(),
            Index::Grid(grid) => grid.prepare(),
        }
        let mut moved = core::mem::take(&mut self.moved);
        moved.sort_unstable();
        moved.dedup();
        moved.retain(|&id| {
            self.records
                .get(id as usize)
                .is_some_and(|record| record.has_moved)
        });
        collect_in_parallel(&moved, sharing, out, |ids, out| {
            ids.iter()
                .for_each(|&id| self.collect_pairs_of(id, pairing, out));
        });
        for id in moved.drain(..) {
            let record = &mut self.records[id as usize];
            record.paired = record.now;
            record.has_moved = false;
        }
        self.moved = moved;
    }

    fn collect_pairs_of(&self, id: u32, pairing: Pairing, out: &mut Vec<u64>) {
        let a = &self.records[id as usize];
        let _ = self.candidates(&a.now, |other| {
            let b = &self.records[other as usize];
            // If both have moved, the one with the smaller id reports.
            let reports = other != id && (!b.has_moved || id < other);
            if reports && pairing.allows(a.kind, b.kind) && !a.paired.overlaps(&b.paired) {
                out.push(pair_key(a.data, b.data));
            }
            ControlFlow::Continue(())
        });
    }

    pub(crate) fn query(
        &self,
        aabb: &Aabb,
        mask: u64,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.candidates(aabb, |id| {
            let record = &self.records[id as usize];
            if is_seen(record.category, mask) {
                visit(record.data)
            } else {
                ControlFlow::Continue(())
            }
        })
    }

    /// Length that is looked at in one go \[m\].
    fn stride(&self) -> f32 {
        match &self.index {
            Index::Sweep(sweep) => sweep.stride(),
            Index::Grid(grid) => grid.stride(),
        }
    }

    /// Casts a box along a ray, piece by piece; a box is visited with the piece it is entered in.
    pub(crate) fn box_cast(
        &self,
        half: Vec2,
        ray: &Ray,
        mask: u64,
        mut visit: impl FnMut(u32, f32) -> f32,
    ) {
        let mut limit = ray.max_fraction;
        let probe = MovingBox::new(ray, half);
        let length = ray.translation.norm() * limit;
        let stride = self.stride();
        let pieces = if stride > 0.0 {
            (length / stride).ceil().clamp(1.0, MAX_PIECES)
        } else {
            1.0
        };
        let step = limit / pieces;
        for piece in 0..pieces as usize {
            let (from, to) = (piece as f32 * step, (piece + 1) as f32 * step);
            if from > limit {
                break;
            }
            let last = piece + 1 == pieces as usize;
            let region = swept(ray, half, from, to);
            let _ = self.candidates(&region, |id| {
                let record = &self.records[id as usize];
                let entry =
                    measure(&probe, &record.now, limit).filter(|_| is_seen(record.category, mask));
                if entry.is_some_and(|at| at >= from && (at < to || last)) {
                    limit = visit(record.data, limit);
                }
                ControlFlow::Continue(())
            });
        }
    }

    /// Searches the neighborhood of a point in rings that double in width.
    pub(crate) fn closest(
        &self,
        probe: &Near,
        mask: u64,
        mut limit: f32,
        mut visit: impl FnMut(u32, f32) -> f32,
    ) {
        let (mut inner, mut outer) = (-1.0, self.stride().max(f32::MIN_POSITIVE));
        while inner < limit {
            let radius = outer.min(limit);
            let region = finite(&probe.square(radius));
            let _ = self.candidates(&region, |id| {
                let record = &self.records[id as usize];
                let distance =
                    measure(probe, &record.now, limit).filter(|_| is_seen(record.category, mask));
                if distance.is_some_and(|at| at > inner && at <= radius) {
                    limit = visit(record.data, limit);
                }
                ControlFlow::Continue(())
            });
            inner = radius;
            outer *= 2.0;
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let index = match &self.index {
            Index::Sweep(sweep) => sweep.bytes(),
            Index::Grid(grid) => grid.bytes(),
        };
        index
            + self.records.capacity() * (size_of::<Record>() + size_of::<usize>())
            + self.moved.capacity() * size_of::<u32>()
    }

    /// Checks the index against the records.
    ///
    /// # Panics
    /// When they disagree.
    pub(crate) fn assert_consistent(&self) {
        if let Err(Defect(what)) = self.check() {
            panic!("broken invariant of an index: {what}");
        }
    }

    /// Checks the index against the records, all of which may have been read from a save.
    fn check(&self) -> Result<(), Defect> {
        let boxes = || {
            self.records
                .iter()
                .map(|(id, record)| (id as u32, record.now))
        };
        for (id, record) in &self.records {
            ensure(record.now.is_valid(), "box")?;
            let paired = &record.paired;
            ensure(
                *paired == Aabb::EMPTY || paired.is_valid(),
                "box of the last pairing",
            )?;
            ensure(
                record.has_moved || *paired == record.now,
                "box that has not moved",
            )?;
            let is_listed = !record.has_moved || self.moved.contains(&(id as u32));
            ensure(is_listed, "box that is not listed")?;
        }
        match &self.index {
            Index::Sweep(sweep) => sweep.check(boxes()),
            Index::Grid(grid) => grid.check(boxes()),
        }
    }
}

/// Measures one box.
fn measure(probe: &impl Probe, aabb: &Aabb, limit: f32) -> Option<f32> {
    let mut boxes = Boxes::EMPTY;
    boxes.set(0, aabb);
    let (keys, hits) = probe.measure(BASELINE8, &boxes, limit);
    (hits & 1 != 0).then_some(keys[0])
}

/// The box around a box that moves along a piece of a ray, with room for rounding.
fn swept(ray: &Ray, half: Vec2, from: f32, to: f32) -> Aabb {
    let region = Aabb::from_points(&[ray.at(from), ray.at(to)]);
    let size = ray.origin.coords.abs().sup(&(ray.translation.abs() * to)) + half;
    let margin = half + PIECE_MARGIN * vec2(size.x, size.y);
    finite(&Aabb::new(region.min - margin, region.max + margin))
}
