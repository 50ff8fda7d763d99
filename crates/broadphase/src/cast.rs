//! What a node's eight boxes are measured by: entry of a ray, or distance from a point.

use crate::lanes::{Boxes, WIDTH, load};
use cairn2d_geometry::math::{Point, Vec2};
use cairn2d_geometry::{Aabb, Ray};
use wide::f32x8;

/// Growth of a computed exit fraction that covers the rounding of two subtractions, products and
/// the inverse [Ize13, sec. 3].
const EXIT_GROWTH: f32 = 1.0 + 4.0 * f32::EPSILON;

/// A measure of boxes that is never larger for a box that holds the measured one.
pub(crate) trait Probe {
    /// Returns the measure of each lane, and which lanes count and measure at most `limit`.
    fn measure(&self, boxes: &Boxes, limit: f32) -> ([f32; WIDTH], u32);
}

/// A box moving along a ray, seen from each node as a ray against a larger node.
///
/// Every number stands in all lanes already: a visit is too short to spread them out again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovingBox {
    /// Upper corner of the box at the start: what meets the minimum of a node.
    upper: [f32x8; 2],
    /// Lower corner of the box at the start: what meets the maximum of a node.
    lower: [f32x8; 2],
    inverse: [f32x8; 2],
}

impl MovingBox {
    /// `half` is half the width and height of the box \[m\], zero for a ray.
    pub(crate) fn new(ray: &Ray, half: Vec2) -> Self {
        let reach = |axis: usize| match half[axis] {
            0.0 => 0.0,
            // The corners are rounded: by less than this.
            half => half + f32::EPSILON * (half + ray.origin[axis].abs()),
        };
        Self {
            upper: [0, 1].map(|axis| f32x8::splat(ray.origin[axis] + reach(axis))),
            lower: [0, 1].map(|axis| f32x8::splat(ray.origin[axis] - reach(axis))),
            inverse: [0, 1].map(|axis| f32x8::splat(finite_inverse(ray.translation[axis]))),
        }
    }
}

/// A finite stand-in for 1 / 0: what lies on neither side of the origin is then entered at once
/// and left never, without the 0 * infinity that would be no number.
fn finite_inverse(step: f32) -> f32 {
    if step == 0.0 {
        f32::MAX
    } else {
        (1.0 / step).clamp(f32::MIN, f32::MAX)
    }
}

impl Probe for MovingBox {
    /// Measures the fraction at which the moving box first touches.
    #[inline]
    fn measure(&self, boxes: &Boxes, limit: f32) -> ([f32; WIDTH], u32) {
        let x0 = (load(&boxes.min_x) - self.upper[0]) * self.inverse[0];
        let x1 = (load(&boxes.max_x) - self.lower[0]) * self.inverse[0];
        let y0 = (load(&boxes.min_y) - self.upper[1]) * self.inverse[1];
        let y1 = (load(&boxes.max_y) - self.lower[1]) * self.inverse[1];
        let entry = x0
            .fast_min(x1)
            .fast_max(y0.fast_min(y1))
            .fast_max(f32x8::ZERO);
        let exit = x0.fast_max(x1).fast_min(y0.fast_max(y1)) * f32x8::splat(EXIT_GROWTH);
        let hit = entry.simd_le(exit) & entry.simd_le(f32x8::splat(limit));
        (entry.to_array(), hit.to_bitmask() & boxes.filled_mask())
    }
}

/// A point that asks what is near.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near(pub(crate) Point);

impl Near {
    /// Returns the square that reaches `radius` to each side of the point \[m\], a little more
    /// where that is lost in rounding.
    pub(crate) fn square(&self, radius: f32) -> Aabb {
        let reach = self
            .0
            .coords
            .map(|c| radius + 2.0 * f32::EPSILON * (c.abs() + radius));
        Aabb::new(self.0 - reach, self.0 + reach)
    }
}

impl Probe for Near {
    /// Measures the distance of the box from the point \[m\].
    #[inline]
    fn measure(&self, boxes: &Boxes, limit: f32) -> ([f32; WIDTH], u32) {
        let (x, y) = (f32x8::splat(self.0.x), f32x8::splat(self.0.y));
        let gap_x = (load(&boxes.min_x) - x)
            .fast_max(x - load(&boxes.max_x))
            .fast_max(f32x8::ZERO);
        let gap_y = (load(&boxes.min_y) - y)
            .fast_max(y - load(&boxes.max_y))
            .fast_max(f32x8::ZERO);
        let distance = (gap_x * gap_x + gap_y * gap_y).sqrt();
        let hit = distance.simd_le(f32x8::splat(limit)).to_bitmask();
        (distance.to_array(), hit & boxes.filled_mask())
    }
}
