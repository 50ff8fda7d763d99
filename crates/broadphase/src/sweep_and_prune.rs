//! Boxes sorted along one axis: all boxes that overlap a box are in one stretch of the order.

use crate::defect::{Defect, ensure};
use crate::lanes::{Boxes, NONE, WIDTH, lanes};
use crate::proxy::{Record, SavedSlot};
use cairn2d_geometry::{Aabb, LoadError, Reader, Sink, StateHasher};
use cairn2d_simd::BASELINE8;
use core::ops::ControlFlow;

/// Shifts that the insertion sort makes a box, on the average, before a sort from scratch takes over: boxes
/// that moved far are not nearly sorted.
const MAX_SHIFTS: usize = 16;

/// Ratio of the variance along the other axis to that of the present one at which the sweep changes axes.
const AXIS_HYSTERESIS: f64 = 1.25;

/// A box on its way to its place in the order.
#[derive(Clone, Copy, Debug)]
struct Entry {
    aabb: Aabb,
    id: u32,
}

/// Boxes sorted by their minimum along the axis on which they are spread the most.
///
/// A box that moves is changed where it is; the next `prepare` restores the order. Until then `reach` and
/// `floor` are widened, so that a query still finds everything. New boxes wait, unsorted, behind the others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sweep {
    /// 0 for x, 1 for y.
    axis: usize,
    boxes: Vec<Boxes>,
    /// Id in each slot, or `NONE`.
    ids: Vec<u32>,
    /// Slot of each id.
    slots: Vec<u32>,
    /// For each sorted block: the largest maximum of it and those before.
    reach: Vec<f32>,
    /// For each sorted block: the smallest minimum of it and those behind.
    floor: Vec<f32>,
    is_dirty: bool,
    entries: Vec<Entry>,
}

impl Sweep {
    /// Hashes the order and its bounds; `proxy` hashes the proxy of an id.
    pub(crate) fn hash_state(&self, hash: &mut StateHasher, proxy: impl Fn(u32, &mut StateHasher)) {
        let Self {
            axis,
            boxes,
            ids,
            // The inverse of `ids`.
            slots: _,
            reach,
            floor,
            is_dirty,
            // Scratch: empty between sorts.
            entries: _,
        } = self;
        hash.add(axis)
            .add(boxes)
            .add(reach)
            .add(floor)
            .add(is_dirty);
        hash.add(&ids.len());
        for &id in ids {
            proxy(id, hash);
        }
    }

    /// Writes the order and its bounds; `record` returns the proxy of an id.
    pub(crate) fn write<S: Sink>(&self, sink: &mut S, record: impl Fn(u32) -> SavedSlot) {
        let Self {
            axis,
            // The boxes of the records.
            boxes: _,
            ids,
            // The inverse of `ids`.
            slots: _,
            reach,
            floor,
            is_dirty,
            // Scratch: empty between sorts.
            entries: _,
        } = self;
        sink.field("axis", axis);
        sink.made_list("slots", ids.len(), ids.iter().map(|&id| record(id)));
        sink.field("reach", reach);
        sink.field("floor", floor);
        sink.field("is_dirty", is_dirty);
    }

    /// Reads the order; `name` stores a proxy and returns its id.
    pub(crate) fn read(
        reader: &mut Reader<'_>,
        name: &mut impl FnMut(Record) -> u32,
    ) -> Result<Self, LoadError> {
        let axis = reader.read()?;
        reader.in_range("axis", axis < 2)?;
        let slots: Vec<SavedSlot> = reader.read()?;
        let mut sweep = Self {
            axis,
            boxes: vec![Boxes::EMPTY; slots.len().div_ceil(WIDTH)],
            ids: vec![NONE; slots.len()],
            reach: reader.read()?,
            floor: reader.read()?,
            is_dirty: reader.read()?,
            ..Self::default()
        };
        for (slot, record) in slots.into_iter().enumerate() {
            let Some(record) = record else { continue };
            sweep.boxes[slot / WIDTH].set(slot % WIDTH, &record.now);
            sweep.ids[slot] = name(record);
            sweep.slots.push(slot as u32);
        }
        Ok(sweep)
    }

    pub(crate) fn insert(&mut self, id: u32, aabb: &Aabb) {
        let slot = self.ids.len();
        if slot.is_multiple_of(WIDTH) {
            self.boxes.push(Boxes::EMPTY);
        }
        self.ids.push(id);
        if self.slots.len() <= id as usize {
            self.slots.resize(id as usize + 1, NONE);
        }
        self.slots[id as usize] = slot as u32;
        self.boxes[slot / WIDTH].set(slot % WIDTH, aabb);
        self.is_dirty = true;
        if self.boxes.len() > 2 * self.reach.len() + WIDTH {
            self.prepare();
        }
    }

    pub(crate) fn remove(&mut self, id: u32) {
        let slot = self.slots[id as usize] as usize;
        self.ids[slot] = NONE;
        self.boxes[slot / WIDTH].set(slot % WIDTH, &Aabb::EMPTY);
        self.is_dirty = true;
    }

    pub(crate) fn replace(&mut self, id: u32, aabb: &Aabb) {
        let slot = self.slots[id as usize] as usize;
        let block = slot / WIDTH;
        self.boxes[block].set(slot % WIDTH, aabb);
        self.is_dirty = true;
        if block >= self.reach.len() {
            return;
        }
        let (low, high) = (aabb.min[self.axis], aabb.max[self.axis]);
        let behind = self.reach[block..]
            .iter_mut()
            .take_while(|reach| **reach < high);
        behind.for_each(|reach| *reach = high);
        let before = self.floor[..=block]
            .iter_mut()
            .rev()
            .take_while(|floor| **floor > low);
        before.for_each(|floor| *floor = low);
    }

    /// Calls `visit` with the id of each box that touches `region`, until it breaks.
    #[inline]
    pub(crate) fn candidates(
        &self,
        region: &Aabb,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (low, high) = (region.min[self.axis], region.max[self.axis]);
        let first = self.reach.partition_point(|reach| *reach < low);
        let end = self.floor.partition_point(|floor| *floor <= high);
        for block in (first..end).chain(self.reach.len()..self.boxes.len()) {
            for lane in lanes(self.boxes[block].overlap_mask(BASELINE8, region)) {
                visit(self.ids[block * WIDTH + lane])?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Distance in which a good part of the order lies behind or ahead \[m\].
    pub(crate) fn stride(&self) -> f32 {
        const PARTS: f32 = 32.0;
        match (self.floor.first(), self.reach.last()) {
            (Some(low), Some(high)) => (high - low) / PARTS,
            _ => 0.0,
        }
    }

    /// Brings the boxes into order: by insertion, since little changes from step to step.
    pub(crate) fn prepare(&mut self) {
        if !self.is_dirty {
            return;
        }
        let mut entries = core::mem::take(&mut self.entries);
        let live = self.ids.iter().enumerate().filter(|(_, id)| **id != NONE);
        entries.extend(live.map(|(slot, &id)| Entry {
            aabb: self.boxes[slot / WIDTH].get(slot % WIDTH),
            id,
        }));
        let axis = widest_axis(&entries, self.axis);
        let is_nearly_sorted = axis == self.axis && self.boxes.len() == self.reach.len();
        self.axis = axis;
        if !is_nearly_sorted || !insertion_sort(&mut entries, axis) {
            entries.sort_by(|a, b| a.aabb.min[axis].total_cmp(&b.aabb.min[axis]));
        }
        self.write_entries(&entries);
        entries.clear();
        self.entries = entries;
        self.is_dirty = false;
    }

    fn write_entries(&mut self, entries: &[Entry]) {
        self.boxes.clear();
        self.boxes
            .resize(entries.len().div_ceil(WIDTH), Boxes::EMPTY);
        self.ids.clear();
        // Whole blocks, so that appended entries start a new one.
        self.ids.resize(entries.len().next_multiple_of(WIDTH), NONE);
        for (slot, entry) in entries.iter().enumerate() {
            self.boxes[slot / WIDTH].set(slot % WIDTH, &entry.aabb);
            self.ids[slot] = entry.id;
            self.slots[entry.id as usize] = slot as u32;
        }
        let bounds = |block: &Boxes| block.union();
        let axis = self.axis;
        self.reach.clear();
        self.reach
            .extend(self.boxes.iter().scan(f32::NEG_INFINITY, |reach, block| {
                *reach = reach.max(bounds(block).max[axis]);
                Some(*reach)
            }));
        self.floor.clear();
        self.floor
            .extend(self.boxes.iter().map(|block| bounds(block).min[axis]));
    }

    pub(crate) fn bytes(&self) -> usize {
        self.boxes.capacity() * size_of::<Boxes>()
            + (self.ids.capacity() + self.slots.capacity()) * size_of::<u32>()
            + (self.reach.capacity() + self.floor.capacity()) * size_of::<f32>()
            + self.entries.capacity() * size_of::<Entry>()
    }

    /// Checks the place of each id, and that no box lies outside of `reach` and `floor`.
    ///
    /// # Panics
    /// If that does not hold.
    pub(crate) fn check(&self, boxes: impl Iterator<Item = (u32, Aabb)>) -> Result<(), Defect> {
        let sorted = [self.reach.len(), self.floor.len()];
        ensure(
            sorted[0] == sorted[1] && sorted[0] <= self.boxes.len(),
            "number of sorted blocks",
        )?;
        let mut live = 0;
        for (id, aabb) in boxes {
            let slot = self.slots[id as usize] as usize;
            let block = slot / WIDTH;
            ensure(self.ids[slot] == id, "slot of a box")?;
            ensure(
                self.boxes[block].get(slot % WIDTH) == aabb,
                "box in its slot",
            )?;
            if let (Some(reach), Some(floor)) = (self.reach.get(block), self.floor.get(block)) {
                let holds = *reach >= aabb.max[self.axis] && *floor <= aabb.min[self.axis];
                ensure(holds, "bounds of a block")?;
            }
            live += 1;
        }
        let listed = self.ids.iter().filter(|id| **id != NONE).count();
        ensure(listed == live, "number of boxes")?;
        ensure(
            self.reach.is_sorted() && self.floor.is_sorted(),
            "order of blocks",
        )
    }
}

/// Returns the axis along which the centers vary the most; `now` unless the other is clearly wider.
fn widest_axis(entries: &[Entry], now: usize) -> usize {
    let center =
        |e: &Entry, axis: usize| 0.5 * (f64::from(e.aabb.min[axis]) + f64::from(e.aabb.max[axis]));
    let variance = |axis: usize| {
        let mean =
            entries.iter().map(|e| center(e, axis)).sum::<f64>() / entries.len().max(1) as f64;
        entries
            .iter()
            .map(|e| (center(e, axis) - mean) * (center(e, axis) - mean))
            .sum::<f64>()
    };
    if variance(1 - now) > AXIS_HYSTERESIS * variance(now) {
        1 - now
    } else {
        now
    }
}

/// Sorts by insertion; stops, with all entries still there, if it is far from sorted.
fn insertion_sort(entries: &mut [Entry], axis: usize) -> bool {
    let mut shifts = MAX_SHIFTS * entries.len();
    for i in 1..entries.len() {
        let entry = entries[i];
        let mut at = i;
        while at > 0 && entries[at - 1].aabb.min[axis] > entry.aabb.min[axis] && shifts > 0 {
            entries[at] = entries[at - 1];
            at -= 1;
            shifts -= 1;
        }
        entries[at] = entry;
    }
    shifts > 0 || entries.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_geometry::math::point;

    fn unit_box(x: f32, y: f32) -> Aabb {
        Aabb::new(point(x, y), point(x + 1.0, y + 1.0))
    }

    fn found(sweep: &Sweep, region: &Aabb) -> Vec<u32> {
        let mut ids = Vec::new();
        let _ = sweep.candidates(region, |id| {
            ids.push(id);
            ControlFlow::Continue(())
        });
        ids.sort_unstable();
        ids
    }

    #[test]
    fn the_sweep_follows_the_wider_axis() {
        let mut sweep = Sweep::default();
        for i in 0..100 {
            sweep.insert(i, &unit_box(0.0, 2.0 * i as f32));
        }
        sweep.prepare();
        assert_eq!(sweep.axis, 1);
        for i in 0..100 {
            sweep.replace(i, &unit_box(9.0 * i as f32, 2.0 * i as f32));
        }
        sweep.prepare();
        assert_eq!(sweep.axis, 0);
        assert_eq!(found(&sweep, &unit_box(90.5, 20.5)), [10]);
    }

    #[test]
    fn a_box_is_found_between_its_move_and_the_sort() {
        let mut sweep = Sweep::default();
        for i in 0..64 {
            sweep.insert(i, &unit_box(2.0 * i as f32, 0.0));
        }
        sweep.prepare();
        sweep.replace(3, &unit_box(100.25, 0.0));
        assert_eq!(found(&sweep, &unit_box(100.0, 0.0)), [3, 50]);
        assert_eq!(found(&sweep, &unit_box(6.0, 0.0)), []);
    }

    #[test]
    fn insertion_gives_up_on_a_shuffle_and_loses_nothing() {
        let entry = |i: u32| Entry {
            aabb: unit_box((i * 7919 % 1000) as f32, 0.0),
            id: i,
        };
        let mut entries: Vec<_> = (0..1000).map(entry).collect();
        assert!(!insertion_sort(&mut entries, 0));
        let mut ids: Vec<_> = entries.iter().map(|e| e.id).collect();
        ids.sort_unstable();
        assert!(ids.into_iter().eq(0..1000));
    }
}
