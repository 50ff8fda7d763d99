//! Contacts: pairs of shapes whose fat boxes overlap and whose filters agree, touching or not; and the stages
//! that work on them.

pub(crate) mod recycle;
pub(crate) mod constraint;
pub(crate) mod pre_solve;
pub(crate) mod update;
mod records;
pub(crate) mod table;
pub(crate) mod kinematics;
pub(crate) mod world_manifold;
pub(crate) mod narrow_phase;
pub(crate) mod internal_edges;
pub(crate) mod force_events;
pub(crate) mod hit_events;
pub(crate) mod short_steps;

use crate::body::table::BodyTable;
use crate::graph::GraphPlace;
use crate::id::{BodyId, ShapeId};
use crate::shape::table::ShapeTable;
use cairn2d_geometry::ManifoldCache;
use cairn2d_geometry::state_record;

/// The cold record of a contact, for creation, begin and end of touch, and removal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contact {
    /// Slots of the two shapes; the normal points from A to B.
    pub(crate) shape_a: u32,
    pub(crate) shape_b: u32,
    /// Slots of their bodies.
    pub(crate) body_a: u32,
    pub(crate) body_b: u32,
    /// Places in the contact lists of the two bodies.
    pub(crate) places: [u32; 2],
    /// Place in the constraint graph, while touching and awake.
    pub(crate) graph: GraphPlace,
    pub(crate) touching: bool,
    /// One of the shapes is a sensor: overlaps are reported, and the solver never sees the contact.
    pub(crate) sensor: bool,
    /// It links two dynamic bodies to one island.
    pub(crate) linked: bool,
}

state_record!(Contact {
    shape_a,
    shape_b,
    body_a,
    body_b,
    // Follow from the lists of the bodies.
    places: derived([0; 2]),
    graph,
    touching,
    sensor,
    linked,
});

/// State of the narrow phase that speeds up the next manifold.
pub(crate) type Cache = ManifoldCache;

impl Contact {
    /// Returns `true` if the contact is between the two shapes, in either order.
    pub(crate) fn is_between(&self, [a, b]: [u32; 2]) -> bool {
        (self.shape_a, self.shape_b) == (a, b) || (self.shape_a, self.shape_b) == (b, a)
    }

    /// Returns `true` if `shape` is one of the two.
    pub(crate) fn has_shape(&self, shape: u32) -> bool {
        self.shape_a == shape || self.shape_b == shape
    }

    /// Returns the ids of the shapes and of their bodies, A first.
    pub(crate) fn ids(
        &self,
        shapes: &ShapeTable,
        bodies: &BodyTable,
    ) -> ([ShapeId; 2], [BodyId; 2]) {
        (
            [self.shape_a, self.shape_b].map(|shape| shapes.slots.id_at(shape)),
            [self.body_a, self.body_b].map(|body| bodies.slots.id_at(body)),
        )
    }

    /// Returns `true` if the shapes touch and push each other.
    pub(crate) fn pushes(&self) -> bool {
        self.touching && !self.sensor
    }
}
