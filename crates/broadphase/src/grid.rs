//! A uniform grid, for many boxes of similar size.

use crate::defect::{Defect, ensure};
use crate::lanes::{Boxes, NONE, WIDTH, lanes};
use crate::proxy::{Record, SavedSlot};
use cairn2d_geometry::{Aabb, LoadError, Reader, Sink, StateHasher, select_compact};
use cairn2d_simd::BASELINE8;
use core::ops::{ControlFlow, RangeInclusive};

/// Side of a cell in units of the median size of the boxes.
///
/// A box then touches four cells at the most, and a cell of a dense world fills one block.
const CELL_SIZE: f64 = 2.0;

/// Cells that a layout may have for each box.
const CELLS_PER_BOX: f64 = 2.0;

/// Half the width of the grid, in mean distances of the boxes from their middle; boxes outside share the
/// cells at the edge.
const REACH: f64 = 3.0;

/// Number of boxes that may not fit before the layout is computed again.
const MAX_MISFITS: usize = 64;

/// Cells of equal size; each box is in the one that holds its center, or among the oversized.
///
/// A cell is a list of blocks of eight boxes, of which only the first is not full. Cells at the rim
/// reach to infinity. An edit costs the same however many boxes there are.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    /// Side of a cell \[m\].
    size: f64,
    /// Lower corner \[m\].
    low: [f64; 2],
    /// Cells along each axis.
    counts: [usize; 2],
    /// First block of each cell, the oversized as the last one.
    heads: Vec<u32>,
    boxes: Vec<Boxes>,
    /// Id in each slot, or `NONE`.
    ids: Vec<[u32; WIDTH]>,
    /// Next block of the same cell or of the free ones.
    next: Vec<u32>,
    /// Cell of each block.
    cells: Vec<u32>,
    free: u32,
    /// Slot of each id.
    slots: Vec<u32>,
    live: usize,
    /// Number of boxes when the cells were laid out, and of boxes that did not fit them since.
    laid_out_for: usize,
    misfits: usize,
}

impl Default for Grid {
    fn default() -> Self {
        Self {
            size: 1.0,
            low: [0.0; 2],
            counts: [1; 2],
            heads: vec![NONE; 2],
            boxes: Vec::new(),
            ids: Vec::new(),
            next: Vec::new(),
            cells: Vec::new(),
            free: NONE,
            slots: Vec::new(),
            live: 0,
            laid_out_for: 0,
            misfits: 0,
        }
    }
}

/// Center along an axis \[m\].
fn center(aabb: &Aabb, axis: usize) -> f64 {
    0.5 * (f64::from(aabb.min[axis]) + f64::from(aabb.max[axis]))
}

/// The larger of width and height \[m\].
fn extent(aabb: &Aabb) -> f64 {
    let side = |axis: usize| f64::from(aabb.max[axis]) - f64::from(aabb.min[axis]);
    side(0).max(side(1))
}

impl Grid {
    /// Hashes cells and blocks; `proxy` hashes the proxy of an id.
    pub(crate) fn hash_state(&self, hash: &mut StateHasher, proxy: impl Fn(u32, &mut StateHasher)) {
        let Self {
            size,
            low,
            counts,
            heads,
            boxes,
            ids,
            next,
            cells,
            free,
            // The inverse of `ids`.
            slots: _,
            live,
            laid_out_for,
            misfits,
        } = self;
        hash.add(size).add(low).add(counts).add(heads).add(boxes);
        hash.add(next).add(cells).add(free);
        hash.add(live).add(laid_out_for).add(misfits);
        for &id in ids.as_flattened() {
            proxy(id, hash);
        }
    }

    /// Writes cells and blocks; `record` returns the proxy of an id.
    pub(crate) fn write<S: Sink>(&self, sink: &mut S, record: impl Fn(u32) -> SavedSlot) {
        let Self {
            size,
            low,
            counts,
            heads,
            // The boxes of the records.
            boxes: _,
            ids,
            next,
            cells,
            free,
            // The inverse of `ids`.
            slots: _,
            // The number of records.
            live: _,
            laid_out_for,
            misfits,
        } = self;
        sink.field("size", size);
        sink.field("low", low);
        sink.field("counts", counts);
        sink.field("heads", heads);
        sink.made_list("blocks", ids.len(), ids.iter().map(|ids| ids.map(&record)));
        sink.field("next", next);
        sink.field("cells", cells);
        sink.field("free", free);
        sink.field("laid_out_for", laid_out_for);
        sink.field("misfits", misfits);
    }

    /// Reads cells and blocks; `name` stores a proxy and returns its id.
    pub(crate) fn read(
        reader: &mut Reader<'_>,
        name: &mut impl FnMut(Record) -> u32,
    ) -> Result<Self, LoadError> {
        let (size, low, counts, heads) = (
            reader.read()?,
            reader.read()?,
            reader.read()?,
            reader.read()?,
        );
        let blocks: Vec<[SavedSlot; WIDTH]> = reader.read()?;
        let mut grid = Self {
            size,
            low,
            counts,
            heads,
            boxes: vec![Boxes::EMPTY; blocks.len()],
            ids: vec![[NONE; WIDTH]; blocks.len()],
            next: reader.read()?,
            cells: reader.read()?,
            free: reader.read()?,
            laid_out_for: reader.read()?,
            misfits: reader.read()?,
            ..Self::default()
        };
        for (block, records) in blocks.into_iter().enumerate() {
            for (lane, record) in records.into_iter().enumerate() {
                let Some(record) = record else { continue };
                grid.slots.push(0);
                grid.write_box(block, lane, name(record), &record.now);
                grid.live += 1;
            }
        }
        let counts = [grid.live, grid.laid_out_for, grid.misfits];
        let is_small = counts.iter().all(|&count| count <= u32::MAX as usize);
        reader.in_range("number of boxes", is_small)?;
        Ok(grid)
    }

    pub(crate) fn insert(&mut self, id: u32, aabb: &Aabb) {
        self.live += 1;
        if self.slots.len() <= id as usize {
            self.slots.resize(id as usize + 1, NONE);
        }
        self.place(id, aabb);
        if self.live > 2 * self.laid_out_for + MAX_MISFITS {
            self.lay_out();
        }
    }

    pub(crate) fn remove(&mut self, id: u32) {
        self.live -= 1;
        self.take_out(id);
    }

    pub(crate) fn replace(&mut self, id: u32, aabb: &Aabb) {
        let slot = self.slots[id as usize] as usize;
        if self.cells[slot / WIDTH] as usize == self.cell_of(aabb) {
            self.boxes[slot / WIDTH].set(slot % WIDTH, aabb);
        } else {
            self.take_out(id);
            self.place(id, aabb);
        }
    }

    /// Calls `visit` with the id of each box that touches `region`, until it breaks.
    #[inline]
    pub(crate) fn candidates(
        &self,
        region: &Aabb,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for row in self.range(region, 1) {
            for column in self.range(region, 0) {
                self.candidates_in(row * self.counts[0] + column, region, &mut visit)?;
            }
        }
        self.candidates_in(self.oversized(), region, &mut visit)
    }

    #[inline]
    fn candidates_in(
        &self,
        cell: usize,
        region: &Aabb,
        visit: &mut impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut block = self.heads[cell];
        while block != NONE {
            for lane in lanes(self.boxes[block as usize].overlap_mask(BASELINE8, region)) {
                visit(self.ids[block as usize][lane])?;
            }
            block = self.next[block as usize];
        }
        ControlFlow::Continue(())
    }

    /// A few cells \[m\].
    pub(crate) fn stride(&self) -> f32 {
        (CELL_SIZE * self.size) as f32
    }

    /// Computes the layout of cells again if boxes have outgrown them.
    pub(crate) fn prepare(&mut self) {
        if self.misfits > self.live / 2 + MAX_MISFITS
            || 8 * self.live + MAX_MISFITS < self.laid_out_for
        {
            self.lay_out();
        }
    }

    /// Place of the oversized in `heads`.
    fn oversized(&self) -> usize {
        self.heads.len() - 1
    }

    /// Index of the cell along an axis that `x` is in, or the nearest at the rim.
    fn index(&self, x: f64, axis: usize) -> usize {
        (((x - self.low[axis]) / self.size) as usize).min(self.counts[axis] - 1)
    }

    /// Cells along an axis that may hold the center of a box that touches `region`.
    fn range(&self, region: &Aabb, axis: usize) -> RangeInclusive<usize> {
        let half = 0.5 * self.size;
        let (low, high) = (
            f64::from(region.min[axis]) - half,
            f64::from(region.max[axis]) + half,
        );
        self.index(low, axis)..=self.index(high, axis)
    }

    fn cell_of(&self, aabb: &Aabb) -> usize {
        // Slightly less than a cell: `range` rounds, and must include boxes that just touch.
        const FITS: f64 = 1.0 - 1.0e-6;
        if extent(aabb) > FITS * self.size {
            return self.oversized();
        }
        self.index(center(aabb, 1), 1) * self.counts[0] + self.index(center(aabb, 0), 0)
    }

    /// Returns `true` if the layout was not made for such a box.
    fn is_misfit(&self, aabb: &Aabb, cell: usize) -> bool {
        let is_outside = |axis: usize| {
            let at = (center(aabb, axis) - self.low[axis]) / self.size;
            at < 0.0 || at > self.counts[axis] as f64
        };
        cell == self.oversized() || is_outside(0) || is_outside(1)
    }

    fn place(&mut self, id: u32, aabb: &Aabb) {
        let cell = self.cell_of(aabb);
        self.misfits += usize::from(self.is_misfit(aabb, cell));
        let head = self.heads[cell];
        let room =
            (head != NONE).then(|| self.ids[head as usize].iter().position(|&id| id == NONE));
        let (block, lane) = match room.flatten() {
            Some(lane) => (head as usize, lane),
            None => (self.push_block(cell), 0),
        };
        self.write_box(block, lane, id, aabb);
    }

    fn write_box(&mut self, block: usize, lane: usize, id: u32, aabb: &Aabb) {
        self.boxes[block].set(lane, aabb);
        self.ids[block][lane] = id;
        self.slots[id as usize] = (block * WIDTH + lane) as u32;
    }

    /// Puts an empty block in front of a cell's list.
    fn push_block(&mut self, cell: usize) -> usize {
        let block = if self.free == NONE {
            self.boxes.push(Boxes::EMPTY);
            self.ids.push([NONE; WIDTH]);
            self.next.push(NONE);
            self.cells.push(0);
            self.boxes.len() - 1
        } else {
            self.free as usize
        };
        if self.free != NONE {
            self.free = self.next[block];
        }
        self.next[block] = self.heads[cell];
        self.cells[block] = cell as u32;
        self.heads[cell] = block as u32;
        block
    }

    /// Takes a box out and fills its place from the first block of the cell.
    fn take_out(&mut self, id: u32) {
        let slot = self.slots[id as usize] as usize;
        let cell = self.cells[slot / WIDTH] as usize;
        let head = self.heads[cell] as usize;
        let filled = |ids: &[u32; WIDTH]| ids.iter().rposition(|&id| id != NONE);
        let Some(last) = filled(&self.ids[head]) else {
            return;
        };
        let (filler, aabb) = (self.ids[head][last], self.boxes[head].get(last));
        self.write_box(slot / WIDTH, slot % WIDTH, filler, &aabb);
        self.ids[head][last] = NONE;
        self.boxes[head].set(last, &Aabb::EMPTY);
        if last == 0 {
            self.heads[cell] = self.next[head];
            self.next[head] = self.free;
            self.free = head as u32;
        }
    }

    /// Chooses cells for the boxes there are and puts each into its own.
    pub(crate) fn lay_out(&mut self) {
        let mut all = Vec::with_capacity(self.live);
        for (ids, boxes) in self.ids.iter().zip(&self.boxes) {
            let filled = ids.iter().enumerate().filter(|(_, id)| **id != NONE);
            all.extend(filled.map(|(lane, &id)| (id, boxes.get(lane))));
        }
        self.choose_cells(&all);
        self.boxes.clear();
        self.ids.clear();
        self.next.clear();
        self.cells.clear();
        self.free = NONE;
        for (id, aabb) in &all {
            self.place(*id, aabb);
        }
        self.laid_out_for = self.live;
        self.misfits = 0;
    }

    fn choose_cells(&mut self, all: &[(u32, Aabb)]) {
        let n = all.len().max(1) as f64;
        let mut extents: Vec<f64> = all.iter().map(|(_, aabb)| extent(aabb)).collect();
        let middle = extents.len() / 2;
        let median = select_compact(&mut extents, middle, f64::total_cmp);
        let median = median.map_or(1.0, |&median| median);
        let reach = [0, 1].map(|axis| {
            let mean = all.iter().map(|(_, b)| center(b, axis)).sum::<f64>() / n;
            let spread = all
                .iter()
                .map(|(_, b)| (center(b, axis) - mean).abs())
                .sum::<f64>()
                / n;
            (mean, REACH * spread + 0.5 * median)
        });
        self.low = reach.map(|(mean, half)| mean - half);
        // Points without extent get cells by their number alone.
        let crowded = (4.0 * reach[0].1 * reach[1].1 / (CELLS_PER_BOX * n)).sqrt();
        self.size = (CELL_SIZE * median)
            .max(crowded)
            .max(f64::from(f32::MIN_POSITIVE));
        let most = CELLS_PER_BOX * n + 1.0;
        self.counts =
            reach.map(|(_, half)| (2.0 * half / self.size).ceil().clamp(1.0, most) as usize);
        self.heads.clear();
        self.heads.resize(self.counts[0] * self.counts[1] + 1, NONE);
    }

    pub(crate) fn bytes(&self) -> usize {
        self.boxes.capacity() * size_of::<Boxes>()
            + self.ids.capacity() * size_of::<[u32; WIDTH]>()
            + (self.heads.capacity()
                + self.next.capacity()
                + self.cells.capacity()
                + self.slots.capacity())
                * size_of::<u32>()
    }

    /// Checks that each box is in its cell, and nothing else is anywhere.
    pub(crate) fn check(&self, boxes: impl Iterator<Item = (u32, Aabb)>) -> Result<(), Defect> {
        let is_finite = self.low.iter().all(|low| low.is_finite());
        ensure(
            is_finite && self.size.is_finite() && self.size > 0.0,
            "size of a cell",
        )?;
        let [columns, rows] = self.counts;
        let cells = columns
            .checked_mul(rows)
            .and_then(|cells| cells.checked_add(1));
        ensure(
            columns > 0 && cells == Some(self.heads.len()),
            "number of cells",
        )?;
        let blocks = self.ids.len();
        ensure(
            [self.next.len(), self.cells.len()] == [blocks; 2],
            "number of blocks",
        )?;
        let mut live = 0;
        for (id, aabb) in boxes {
            let slot = self.slots[id as usize] as usize;
            let (block, lane) = (slot / WIDTH, slot % WIDTH);
            ensure(self.ids[block][lane] == id, "slot of a box")?;
            ensure(self.boxes[block].get(lane) == aabb, "box in its slot")?;
            ensure(
                self.cells[block] as usize == self.cell_of(&aabb),
                "cell of a box",
            )?;
            live += 1;
        }
        ensure(self.live == live, "number of boxes")?;
        self.check_lists(live)
    }

    /// Checks that each block is in one list: of its cell, or of the free blocks.
    fn check_lists(&self, live: usize) -> Result<(), Defect> {
        let (mut seen, mut listed) = (vec![false; self.ids.len()], 0);
        for (cell, &head) in (0..).zip(self.heads.iter().chain([&self.free])) {
            let is_free = cell as usize == self.heads.len();
            let mut block = head;
            while block != NONE {
                let place = block as usize;
                ensure(seen.get(place) == Some(&false), "list of blocks")?;
                seen[place] = true;
                let filled = self.ids[place].iter().filter(|id| **id != NONE).count();
                let is_full = filled == WIDTH || (block == head && filled > 0);
                let is_right = if is_free { filled == 0 } else { is_full };
                ensure(is_right, "number of boxes in a block")?;
                ensure(is_free || self.cells[place] == cell, "cell of a block")?;
                listed += filled;
                block = self.next[place];
            }
        }
        ensure(listed == live, "boxes in lists")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_geometry::math::point;

    fn unit_box(x: f32, y: f32) -> Aabb {
        Aabb::new(point(x, y), point(x + 1.0, y + 1.0))
    }

    #[test]
    fn equal_boxes_get_cells_of_twice_their_size() {
        let mut grid = Grid::default();
        for i in 0..1000 {
            grid.insert(i, &unit_box((i % 32) as f32 * 1.5, (i / 32) as f32 * 1.5));
        }
        grid.lay_out();
        assert_eq!(grid.size, 2.0);
        assert_eq!(grid.heads[grid.oversized()], NONE);
    }

    #[test]
    fn one_giant_does_not_spoil_the_cells() {
        let mut grid = Grid::default();
        grid.insert(1000, &Aabb::new(point(-1.0e6, -1.0), point(1.0e6, 0.0)));
        for i in 0..1000 {
            grid.insert(i, &unit_box((i % 32) as f32 * 1.5, (i / 32) as f32 * 1.5));
        }
        grid.lay_out();
        assert_eq!(grid.size, 2.0);
        let mut ids = Vec::new();
        let _ = grid.candidates(&unit_box(500.0, -0.5), |id| {
            ids.push(id);
            ControlFlow::Continue(())
        });
        assert_eq!(ids, [1000]);
    }
}
