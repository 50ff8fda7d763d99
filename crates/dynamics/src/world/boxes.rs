//! Fat boxes that shapes have left.

use crate::body::state::BodyPose;
use crate::shape::BodyShape;
use crate::world::World;
use crate::world::shapes::place_box;
use cairn2d_broadphase::ProxyId;
use cairn2d_geometry::Aabb;

/// A new fat box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GrownBox {
    pub(crate) shape: u32,
    pub(crate) proxy: ProxyId,
    pub(crate) fat_box: Aabb,
}

/// Returns the fat box of a shape of a body at `pose`: `old`, or a new one if the shape has left that. Lowers
/// `slack` to how far it may move until it leaves the box [m].
#[inline]
pub(crate) fn box_around(shape: &BodyShape, old: &Aabb, pose: &BodyPose, slack: &mut f32) -> Aabb {
    let near = shape.geometry.aabb(&pose.relative_to(pose.center));
    let tight = place_box(&near, pose.center, 0.0);
    let fat_box = if old.contains(&tight) {
        *old
    } else {
        place_box(&near, pose.center, shape.margin)
    };
    let low = tight.min - fat_box.min;
    let high = fat_box.max - tight.max;
    *slack = slack.min(low.min().min(high.min()));
    fat_box
}

impl World {
    /// Gives shapes their new boxes, and notes them for the broad phase.
    pub(crate) fn take_boxes(&mut self, grown: &[GrownBox]) {
        for new in grown {
            self.shapes[new.shape].fat_box = new.fat_box;
            self.scratch.grown.push((new.proxy, new.fat_box));
        }
    }
}
