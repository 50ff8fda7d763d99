//! All shapes of a world, by slot.

use crate::id::{Slots, WorldMark, kind};
use crate::shape::BodyShape;
use cairn2d_geometry::{HashState, StateHasher};

/// Shapes by slot, and what is known of all of them together.
#[derive(Clone, Debug)]
pub(crate) struct ShapeTable {
    pub(crate) slots: Slots<kind::Shape, BodyShape>,
    /// Number of shapes that are sensors.
    pub(crate) sensors: usize,
    /// Whether there ever was a shape that bounces so much that the time of its impacts matters.
    pub(crate) bouncy: bool,
}

impl HashState for ShapeTable {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            slots,
            sensors,
            bouncy,
        } = self;
        hash.add(slots).add(sensors).add(bouncy);
    }
}

impl ShapeTable {
    pub(crate) fn new(mark: WorldMark) -> Self {
        Self {
            slots: Slots::new(mark),
            sensors: 0,
            bouncy: false,
        }
    }
}
