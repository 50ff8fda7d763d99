//! Contacts: pairs of shapes whose fat boxes overlap and whose filters agree. They may or may not touch.

pub(crate) mod recycle;
pub(crate) mod constraint;
pub(crate) mod level;
pub(crate) mod adjust;
pub(crate) mod update;
pub(crate) mod table;
pub(crate) mod kinematics;

use crate::graph::GraphPlace;
use cairn2d_geometry::ManifoldCache;

/// What is needed of a contact when it begins, ends or is made anew.
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
    /// One of the shapes is a sensor: overlaps are noticed, nothing is pushed.
    pub(crate) sensor: bool,
    /// Whether it joins two dynamic bodies' islands.
    pub(crate) linked: bool,
}

/// What the narrow phase remembers of a contact from manifold to manifold.
pub(crate) type Cache = ManifoldCache;

impl Contact {
    /// Returns `true` if the contact is between the two shapes, in either order.
    pub(crate) fn is_between(&self, [a, b]: [u32; 2]) -> bool {
        (self.shape_a, self.shape_b) == (a, b) || (self.shape_a, self.shape_b) == (b, a)
    }

    /// Returns `true` if the shapes touch and push each other.
    pub(crate) fn pushes(&self) -> bool {
        self.touching && !self.sensor
    }
}
