//! Pair rules: bodies, filters, joints, ignored pairs and the user's own filter decide, in this order, whether
//! two shapes may collide.

use crate::body::table::BodyTable;
use crate::body::track_flags;
use crate::hook::{HookShape, PairHook};
use crate::id::{Slots, kind};
use crate::ignored_pairs::IgnoredPairs;
use crate::joint::table::JointRecord;
use crate::shape::BodyShape;

/// The tables and the user's filter that decide whether two shapes may collide.
#[derive(Clone, Copy)]
pub(crate) struct PairRules<'a> {
    pub(crate) bodies: &'a BodyTable,
    pub(crate) shapes: &'a Slots<kind::Shape, BodyShape>,
    pub(crate) joints: &'a Slots<kind::Joint, JointRecord>,
    pub(crate) ignores: &'a IgnoredPairs,
    pub(crate) filter: Option<PairHook<'a>>,
}

impl PairRules<'_> {
    /// Returns `true` if the shapes in the given slots may collide. Symmetric.
    #[inline]
    pub(crate) fn allow(&self, a: u32, b: u32) -> bool {
        let (shape_a, shape_b) = (&self.shapes[a], &self.shapes[b]);
        let (body_a, body_b) = (shape_a.body, shape_b.body);
        body_a != body_b
            && shape_a.is_enabled()
            && shape_b.is_enabled()
            && shape_a.filter.meets(&shape_b.filter)
            && may_collide(self.bodies, self.joints, body_a, body_b)
            && !self.ignores.contains_shapes(body_a, body_b, || {
                shape_a.is_one_way() || shape_b.is_one_way()
            })
            && self.is_accepted(a.min(b), a.max(b))
    }

    /// Returns the result of the user's filter, which gets the smaller slot first.
    fn is_accepted(&self, a: u32, b: u32) -> bool {
        let side = |slot: u32| HookShape::new(self.bodies, self.shapes, slot);
        self.filter
            .is_none_or(|hook| hook.accepts(side(a), side(b)))
    }
}

/// Returns `true` if no joint between the two bodies prevents their collision.
fn may_collide(
    bodies: &BodyTable,
    joints: &Slots<kind::Joint, JointRecord>,
    a: u32,
    b: u32,
) -> bool {
    let jointed = |body: u32| bodies.tracks[body as usize].flags & track_flags::JOINTED != 0;
    if !jointed(a) || !jointed(b) {
        return true;
    }
    let (few, other) = if bodies.slots[a].joints.len() <= bodies.slots[b].joints.len() {
        (a, b)
    } else {
        (b, a)
    };
    bodies.slots[few].joints.iter().all(|&joint| {
        let record = &joints[joint];
        !record.has_body(other) || record.def.base().collide_connected
    })
}
