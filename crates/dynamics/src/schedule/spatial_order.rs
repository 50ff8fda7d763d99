//! Spatial order: constraints and body states sorted by place, so that each thread solves one region of a pile.
//!
//! Bodies that fall, roll and are stirred change their contacts all the time, and the lists of the constraint graph
//! keep the order of creation. Threads that take a part of each color would touch any body, and its state would move
//! from cache to cache with every color. So the constraints of each color are sorted by cells along the longer axis of
//! the world from time to time, and the states of bodies are laid out in that order while they are solved. No bits
//! change: within a color no two constraints share a dynamic body.

use crate::body::state::BodyPose;
use crate::contact::table::ContactTable;
use crate::graph::{ConstraintGraph, ConstraintKind};
use crate::joint::table::JointTable;
use crate::solver::BodyOrder;
use crate::sorted::Sorted;
use cairn2d_geometry::math::WorldPoint;

/// Cells along the axis: many more than threads, so that a boundary within a cell costs little.
const CELLS: usize = 32;

/// Constraints from which sorting pays; fewer are solved by one thread.
const MIN_CONSTRAINTS: usize = 2000;

/// The constraints are sorted again when one of this many was removed since the last time. A pile at rest keeps the
/// order in which it was created, which is spatial already.
const REMOVED_PER_SORT: usize = 16;

/// Cells of the bodies, as of the last sort. Memory only: no part of the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct SpatialOrder {
    /// Cell by body slot; empty before the first sort.
    cells: Vec<u8>,
    /// The awake bodies, cell by cell.
    bodies: Sorted,
}

impl SpatialOrder {
    /// Sorts the constraints of the graph if `threads` solve them and enough of them are new, and the `awake` bodies by
    /// cell. Returns the order in which bodies are solved.
    pub(crate) fn update(
        &mut self,
        threads: usize,
        awake: &[u32],
        poses: &[BodyPose],
        graph: &mut ConstraintGraph,
        contacts: &mut ContactTable,
        joints: &mut JointTable,
    ) -> BodyOrder {
        let [count, removed] = graph.count_and_removed();
        if threads < 2 || count < MIN_CONSTRAINTS {
            return BodyOrder::Slots;
        }
        if removed * REMOVED_PER_SORT >= count {
            self.assign_cells(awake, poses);
            graph.sort(
                CELLS,
                |owner| cell_of(&self.cells, owner),
                |kind, slot, place| match kind {
                    ConstraintKind::Contact => contacts.slots[slot].graph = place,
                    ConstraintKind::Joint => joints.slots[slot].graph = place,
                },
            );
        }
        if self.cells.is_empty() {
            return BodyOrder::Slots;
        }
        let cells = &self.cells;
        let sorted = || awake.iter().map(|&slot| (cell_of(cells, slot), slot));
        self.bodies.sort(CELLS, sorted);
        BodyOrder::Places
    }

    /// Returns the bodies of the last [`update`](Self::update) that returned [`BodyOrder::Places`].
    pub(crate) fn bodies(&self) -> &[u32] {
        self.bodies.all()
    }

    fn assign_cells(&mut self, awake: &[u32], poses: &[BodyPose]) {
        let center = |slot: u32| poses[slot as usize].center;
        let grid = CellGrid::across(awake.iter().map(|&slot| center(slot)));
        self.cells.resize(poses.len(), 0);
        for &slot in awake {
            self.cells[slot as usize] = grid.cell_of(center(slot));
        }
    }
}

/// Returns the cell of a body; new bodies belong to the first cell until the next sort.
fn cell_of(cells: &[u8], slot: u32) -> usize {
    cells.get(slot as usize).map_or(0, |&cell| cell.into())
}

/// Cells of equal width along the longer axis of a set of bodies.
struct CellGrid {
    axis: usize,
    /// Lower corner of the first cell [m].
    start: f64,
    /// Cells per length [1/m].
    density: f64,
}

impl CellGrid {
    /// The cells cover four standard deviations: everything, if the bodies are spread evenly. Bodies beyond are in the
    /// first or the last cell.
    fn across(centers: impl Iterator<Item = WorldPoint>) -> Self {
        let (mut count, mut sums, mut squares) = (0.0, [0.0; 2], [0.0; 2]);
        let mut base = None;
        for center in centers {
            let from = center - *base.get_or_insert(center);
            for axis in 0..2 {
                let offset = f64::from(from[axis]);
                sums[axis] += offset;
                squares[axis] += offset * offset;
            }
            count += 1.0;
        }
        let base = base.unwrap_or(WorldPoint::ORIGIN);
        let mean = sums.map(|sum| sum / f64::max(count, 1.0));
        let spread = [0, 1].map(|axis: usize| squares[axis] - mean[axis] * sums[axis]);
        let axis = usize::from(spread[1] > spread[0]);
        let deviation = (spread[axis] / f64::max(count, 1.0)).max(0.0).sqrt();
        Self {
            axis,
            start: [base.x, base.y][axis] + mean[axis] - 2.0 * deviation,
            density: CELLS as f64 / (4.0 * deviation).max(f64::MIN_POSITIVE),
        }
    }

    fn cell_of(&self, center: WorldPoint) -> u8 {
        let offset = [center.x, center.y][self.axis] - self.start;
        // The cast saturates, so that bodies before the first cell belong to it.
        ((offset * self.density) as u8).min(CELLS as u8 - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_divide_the_longer_axis() {
        let row = |i: u32| WorldPoint::new(1.0e6 + f64::from(i), f64::from(i % 2));
        let grid = CellGrid::across((0..320).map(row));
        let cells: Vec<u8> = (0..320).map(|i| grid.cell_of(row(i))).collect();
        assert!(cells.is_sorted());
        // Four deviations are 1.15 times an even row.
        for cell in 0..CELLS as u8 {
            let count = cells.iter().filter(|&&s| s == cell).count();
            let is_inner = (3..CELLS as u8 - 3).contains(&cell);
            assert!(
                count <= 12 && (!is_inner || count >= 11),
                "{count} in cell {cell}"
            );
        }
    }

    #[test]
    fn bodies_at_one_place_share_a_cell() {
        let place = WorldPoint::new(3.0, -7.0);
        let grid = CellGrid::across([place; 3].into_iter());
        assert_eq!(grid.cell_of(place), 0);
        assert_eq!(
            CellGrid::across([].into_iter()).cell_of(WorldPoint::ORIGIN),
            0
        );
    }
}
