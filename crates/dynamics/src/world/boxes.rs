//! Fat boxes that shapes have left.

use crate::body::Body;
use crate::body::state::BodyPose;
use crate::id::{Slots, kind};
use crate::shape::BodyShape;
use crate::world::World;
use crate::world::shapes::place_box;
use cairn2d_broadphase::ProxyId;
use cairn2d_geometry::Aabb;
use cairn2d_geometry::math::Vec2;
use cairn2d_simd::prefetch;

/// A new fat box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GrownBox {
    pub(crate) shape: u32,
    pub(crate) proxy: ProxyId,
    pub(crate) fat_box: Aabb,
}

/// Steps for which a fat box reaches ahead of a body that hangs on joints and that nothing else is near to.
///
/// What swings in a net, or falls limb by limb, leaves an even box in nearly every step, and each new box is a search for
/// pairs. More: boxes that overlap what the body does not come to.
const STEPS_AHEAD: f32 = 3.0;

/// Greatest length by which it does so [m].
const MAX_AHEAD: f32 = 1.0;

/// Returns how far fat boxes of a body that went `way` in the last step reach ahead of it [m].
///
/// Not at all where the body has contacts or is loose: in heaps and swarms a longer box overlaps more neighbours, and looking at
/// those costs more than a new box. On joints the neighbours are mostly those that the body hangs on, which it makes no pairs with.
#[inline]
pub(crate) fn way_ahead(body: &Body, way: Vec2) -> Vec2 {
    if body.joints.is_empty() || !body.contacts.is_empty() {
        return Vec2::zeros();
    }
    let ahead = way * STEPS_AHEAD;
    let length = ahead.norm();
    if length > MAX_AHEAD {
        ahead * (MAX_AHEAD / length)
    } else {
        ahead
    }
}

/// Asks for what the boxes of bodies to come will need: bodies first, then their first shapes, `ahead` bodies apart.
#[inline]
pub(crate) fn ask_ahead(
    bodies: &Slots<kind::Body, Body>,
    shapes: &Slots<kind::Shape, BodyShape>,
    next: &[u32],
    ahead: usize,
) {
    if let Some(&slot) = next.get(2 * ahead) {
        prefetch::<4, _>(bodies.place(slot));
    }
    if let Some(&slot) = next.get(ahead)
        && let Some(&shape) = bodies[slot].shapes.first()
    {
        prefetch::<3, _>(shapes.place(shape));
    }
}

/// The boxes of a shape: that which it just fits in, and the fat one that the broad phase has.
pub(crate) struct ShapeBoxes {
    pub(crate) tight: Aabb,
    pub(crate) fat: Aabb,
}

impl ShapeBoxes {
    /// Returns the boxes of a shape of a body at `pose`: its fat box stays, or is made anew, longer by `ahead`, if the shape
    /// has left it. Lowers `slack` to how far the shape may move until it leaves the fat box [m].
    #[inline]
    pub(crate) fn of(shape: &BodyShape, pose: &BodyPose, ahead: Vec2, slack: &mut f32) -> Self {
        let near = shape.geometry.aabb(&pose.relative_to(pose.center));
        let tight = place_box(&near, pose.center, 0.0);
        let fat = if shape.fat_box.contains(&tight) {
            shape.fat_box
        } else {
            let even = place_box(&near, pose.center, shape.margin);
            Aabb {
                min: even.min + ahead.inf(&Vec2::zeros()),
                max: even.max + ahead.sup(&Vec2::zeros()),
            }
        };
        let low = tight.min - fat.min;
        let high = fat.max - tight.max;
        *slack = slack.min(low.min().min(high.min()));
        Self { tight, fat }
    }

    /// Returns a box around the shape on a way that ends at the tight one, larger by `margin` \[m\]: no less than what points of it
    /// turn by.
    pub(crate) fn on_way(&self, way: Vec2, margin: f32) -> Aabb {
        let start = Aabb {
            min: self.tight.min - way,
            max: self.tight.max - way,
        };
        self.tight.union(&start).expanded(margin)
    }
}

impl World {
    /// Gives shapes their new boxes, and notes them for the broad phase.
    pub(crate) fn take_boxes(&mut self, grown: &[GrownBox]) {
        for new in grown {
            self.shapes.slots[new.shape].fat_box = new.fat_box;
            self.scratch.grown.push((new.proxy, new.fat_box));
        }
    }
}
