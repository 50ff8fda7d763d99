//! Which shapes may meet: bodies, filters, joints, ignored pairs, and the user's own filter, in this order.

use crate::body::table::BodyTable;
use crate::hook::{HookShape, PairFilter};
use crate::id::{Slots, kind};
use crate::joint::table::JointRecord;
use crate::shape::BodyShape;
use crate::world::World;
use crate::world::ignore::IgnoredPairs;
use crate::world::joints::may_collide;

/// All that decides whether two shapes may meet.
#[derive(Clone, Copy)]
pub(crate) struct PairRules<'a> {
    pub(crate) bodies: &'a BodyTable,
    pub(crate) shapes: &'a Slots<kind::Shape, BodyShape>,
    pub(crate) joints: &'a Slots<kind::Joint, JointRecord>,
    pub(crate) ignores: &'a IgnoredPairs,
    pub(crate) filter: Option<&'a PairFilter>,
}

impl PairRules<'_> {
    /// Says whether the shapes in the given slots may meet. Symmetric.
    #[inline]
    pub(crate) fn allow(&self, a: u32, b: u32) -> bool {
        let (shape_a, shape_b) = (&self.shapes[a], &self.shapes[b]);
        let (body_a, body_b) = (shape_a.body, shape_b.body);
        body_a != body_b
            && shape_a.filter.meets(&shape_b.filter)
            && may_collide(self.bodies, self.joints, body_a, body_b)
            && !self.ignores.contains(body_a, body_b)
            && self.is_accepted(a.min(b), a.max(b))
    }

    /// Asks the user's filter, the lesser slot first.
    fn is_accepted(&self, a: u32, b: u32) -> bool {
        let side = |slot: u32| HookShape::new(self.bodies, self.shapes, slot);
        self.filter.is_none_or(|accept| accept(side(a), side(b)))
    }
}

impl World {
    /// Returns what decides whether two shapes may meet.
    pub(crate) fn pair_rules(&self) -> PairRules<'_> {
        PairRules {
            bodies: &self.bodies,
            shapes: &self.shapes.slots,
            joints: &self.joints.slots,
            ignores: &self.ignores,
            filter: self.hooks.pair_filter.as_deref(),
        }
    }
}
