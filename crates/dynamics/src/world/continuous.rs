//! Stage 6 of the step: bodies that moved far for their size.

use crate::world::World;

impl World {
    /// Brings the boxes of the fast bodies of this step up to date, in order of slot.
    pub(crate) fn continuous(&mut self) {
        let fast = core::mem::take(&mut self.scratch.fast);
        for &slot in &fast {
            if !self.bodies.slots[slot].disabled {
                self.grow_boxes(slot);
            }
        }
        self.scratch.fast = fast;
    }
}
