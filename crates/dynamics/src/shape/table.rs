//! All shapes of a world, by slot.

use crate::body::state::BodyPose;
use crate::id::{Slots, WorldMark, kind};
use crate::shape::BodyShape;
use cairn2d_geometry::{Manifold, ManifoldCache, collide, state_record};

/// Shapes by slot, and facts about all of them.
#[derive(Debug)]
pub(crate) struct ShapeTable {
    pub(crate) slots: Slots<kind::Shape, BodyShape>,
    /// Number of shapes that are sensors.
    pub(crate) sensors: usize,
    /// Whether a dynamic body may ever have had one. If not, sweeps look for sensors among other bodies only.
    pub(crate) dynamic_sensors: bool,
    /// There ever was a shape of so high a restitution that its impacts are solved at their time.
    pub(crate) bouncy: bool,
}

state_record!(clone ShapeTable {
    slots,
    sensors,
    // No result depends on it.
    dynamic_sensors: derived(true),
    bouncy,
});

impl ShapeTable {
    pub(crate) fn new(mark: WorldMark) -> Self {
        Self {
            slots: Slots::new(mark),
            sensors: 0,
            dynamic_sensors: false,
            bouncy: false,
        }
    }

    /// Returns where two shapes touch with their bodies at `poses`, in the frame of the first body, from its origin.
    pub(crate) fn manifold_at(&self, shapes: [u32; 2], poses: &[BodyPose; 2]) -> Manifold {
        let [a, b] = shapes.map(|shape| &self.slots[shape].geometry);
        let b_in_a = poses[0].pose_of(&poses[1]);
        collide(a, b, &b_in_a, &mut ManifoldCache::default())
    }
}
