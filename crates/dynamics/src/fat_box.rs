//! Fat boxes: the boxes of shapes in the broad phase, larger than the shapes so that small motions leave them
//! as they are.

use crate::body::Body;
use crate::body::state::BodyPose;
use crate::id::{Slots, kind};
use crate::shape::BodyShape;
use crate::shape::table::ShapeTable;
use cairn2d_broadphase::ProxyId;
use cairn2d_geometry::math::{Vec2, WorldPoint, point};
use cairn2d_geometry::{Aabb, Shape};
use cairn2d_simd::prefetch;

/// Steps of motion that a new fat box covers in advance, for a body on joints without contacts.
///
/// A swinging or falling body on joints leaves a symmetric box nearly every step, and each new box is a
/// search for pairs. Larger: boxes overlap shapes that the body does not reach.
const LEAD_STEPS: f32 = 3.0;

/// Largest distance that a fat box covers in advance [m].
const MAX_LEAD: f32 = 1.0;

/// A new fat box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GrownBox {
    pub(crate) shape: u32,
    pub(crate) proxy: ProxyId,
    pub(crate) fat_box: Aabb,
}

/// The boxes of a shape: the tight one and the fat one of the broad phase.
pub(crate) struct ShapeBoxes {
    pub(crate) tight: Aabb,
    pub(crate) fat: Aabb,
}

impl ShapeBoxes {
    /// Returns the boxes of a shape of a body at `pose`. If the shape has left its fat box, the new one is
    /// longer by `lead`. Lowers `slack` to the distance that the shape may move within the fat box [m].
    #[inline]
    pub(crate) fn of(shape: &BodyShape, pose: &BodyPose, lead: Vec2, slack: &mut f32) -> Self {
        let near = shape.geometry.aabb(&pose.relative_to(pose.center));
        let tight = place_box(&near, pose.center, 0.0);
        let fat = if shape.fat_box.contains(&tight) {
            shape.fat_box
        } else {
            let even = place_box(&near, pose.center, shape.margin);
            Aabb {
                min: even.min + lead.inf(&Vec2::zeros()),
                max: even.max + lead.sup(&Vec2::zeros()),
            }
        };
        let low = tight.min - fat.min;
        let high = fat.max - tight.max;
        *slack = slack.min(low.min().min(high.min()));
        Self { tight, fat }
    }

    /// Returns a box around the shape on a translation that ends at the tight box, larger by `margin` \[m\].
    /// The margin must be at least the distance that points of the shape move by rotation.
    pub(crate) fn swept(&self, translation: Vec2, margin: f32) -> Aabb {
        let start = Aabb {
            min: self.tight.min - translation,
            max: self.tight.max - translation,
        };
        self.tight.union(&start).expanded(margin)
    }
}

impl ShapeTable {
    /// Stores new fat boxes, and lists them in `updates` for the broad phase.
    pub(crate) fn store_boxes(&mut self, grown: &[GrownBox], updates: &mut Vec<(ProxyId, Aabb)>) {
        for new in grown {
            self.slots[new.shape].fat_box = new.fat_box;
            updates.push((new.proxy, new.fat_box));
        }
    }
}

/// Returns how far new fat boxes of a body reach ahead of it \[m\], by its translation in the last step.
///
/// Zero for bodies with contacts or without joints: in piles and swarms longer boxes overlap more neighbors,
/// and testing those costs more than a new box. Neighbors on joints are mostly connected bodies, which make
/// no pairs.
#[inline]
pub(crate) fn box_lead(body: &Body, translation: Vec2) -> Vec2 {
    if body.joints.is_empty() || !body.contacts.is_empty() {
        return Vec2::zeros();
    }
    let lead = translation * LEAD_STEPS;
    let length = lead.norm();
    if length > MAX_LEAD {
        lead * (MAX_LEAD / length)
    } else {
        lead
    }
}

/// Prefetches the records for the boxes of coming bodies: first the body, then its first shape, `distance`
/// bodies apart.
#[inline]
pub(crate) fn prefetch_boxes(
    bodies: &Slots<kind::Body, Body>,
    shapes: &Slots<kind::Shape, BodyShape>,
    next: &[u32],
    distance: usize,
) {
    if let Some(&slot) = next.get(2 * distance) {
        prefetch::<4, _>(bodies.place(slot));
    }
    if let Some(&slot) = next.get(distance)
        && let Some(&shape) = bodies[slot].shapes.first()
    {
        prefetch::<3, _>(shapes.place(shape));
    }
}

/// Returns the box of a shape on a body, grown by `margin` [m] and rounded outward.
pub(crate) fn world_box(geometry: &Shape, pose: &BodyPose, margin: f32) -> Aabb {
    let near = geometry.aabb(&pose.relative_to(pose.center));
    place_box(&near, pose.center, margin)
}

/// Returns `near`, a box relative to `base`, in the world, grown by `margin` [m] and rounded outward.
pub(crate) fn place_box(near: &Aabb, base: WorldPoint, margin: f32) -> Aabb {
    let margin = f64::from(margin);
    let low = |base: f64, offset: f32| round_down(base + f64::from(offset) - margin);
    let high = |base: f64, offset: f32| round_up(base + f64::from(offset) + margin);
    Aabb {
        min: point(low(base.x, near.min.x), low(base.y, near.min.y)),
        max: point(high(base.x, near.max.x), high(base.y, near.max.y)),
    }
}

/// Returns a number not above `value` and within two spacings of `f32` of it.
#[inline]
fn round_down(value: f64) -> f32 {
    let near = value as f32;
    near - (near.abs() * f32::EPSILON + f32::MIN_POSITIVE)
}

/// Returns a number not below `value` and within two spacings of `f32` of it.
#[inline]
fn round_up(value: f64) -> f32 {
    let near = value as f32;
    near + (near.abs() * f32::EPSILON + f32::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_rounded_outward() {
        for value in [
            0.0,
            1.0e-60,
            -1.0e-60,
            0.1,
            -0.1,
            1.0 / 3.0,
            123_456.789,
            -98_765_432.1,
            9.9e8,
        ] {
            let (low, high) = (f64::from(round_down(value)), f64::from(round_up(value)));
            assert!(low <= value && value <= high, "{value}: {low} to {high}");
            assert!(
                high - low <= 4.0e-7 * value.abs() + 1.0e-37,
                "{value}: {low} to {high}"
            );
        }
    }
}
