//! Measures of a node's eight boxes: entry of a ray, or distance from a point.

use crate::lanes::{Boxes, Vector8, WIDTH, load};
use cairn2d_geometry::math::{Point, Vec2};
use cairn2d_geometry::{Aabb, Ray};
use cairn2d_simd::{BASELINE8, Lanes8, Mask, Simd, Vector};

/// Growth of a computed exit fraction that covers the rounding of two subtractions, products and
/// the inverse [Ize13, sec. 3].
const EXIT_GROWTH: f32 = 1.0 + 4.0 * f32::EPSILON;

/// A measure of boxes that is never larger for a box that holds the measured one.
pub(crate) trait Probe {
    /// Returns the measure of each lane, and the lanes that hold a box that measures at most `limit`, one bit each. The
    /// measures of these are finite and not negative.
    fn measure(&self, boxes: &Boxes, limit: f32) -> ([f32; WIDTH], u32);
}

impl<P: Probe> Probe for &P {
    #[inline(always)]
    fn measure(&self, boxes: &Boxes, limit: f32) -> ([f32; WIDTH], u32) {
        (*self).measure(boxes, limit)
    }
}

/// A box that moves along a ray: a ray against larger nodes.
///
/// Every number stands in all lanes already: a visit is too short to spread them out again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovingBox {
    /// Whether it moves toward greater coordinates, and so enters a node at its minimum.
    is_forward: [bool; 2],
    /// The side of the box at the start that enters a node first.
    front: [Vector8; 2],
    /// The side that leaves it last.
    back: [Vector8; 2],
    inverse: [Vector8; 2],
}

impl MovingBox {
    /// `half` is half the width and height of the box \[m\], zero for a ray.
    pub(crate) fn new(ray: &Ray, half: Vec2) -> Self {
        let reach = |axis: usize| match half[axis] {
            0.0 => 0.0,
            // The corners are rounded: by less than this.
            half => half + f32::EPSILON * (half + ray.origin[axis].abs()),
        };
        let inverse = [0, 1].map(|axis| finite_inverse(ray.translation[axis]));
        let ahead = [0, 1].map(|axis| reach(axis).copysign(inverse[axis]));
        Self {
            is_forward: inverse.map(|inverse| inverse > 0.0),
            front: [0, 1].map(|axis| BASELINE8.splat(ray.origin[axis] + ahead[axis])),
            back: [0, 1].map(|axis| BASELINE8.splat(ray.origin[axis] - ahead[axis])),
            inverse: inverse.map(|inverse| BASELINE8.splat(inverse)),
        }
    }
}

/// A finite substitute for 1 / 0: a slab that contains the origin is then entered at once
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
    #[inline(always)]
    fn measure(&self, boxes: &Boxes, limit: f32) -> ([f32; WIDTH], u32) {
        // By the sign of the step instead of least and greatest: fewer instructions, and a lane
        // without a box, which lies inside out, is entered at infinity and left before.
        let sort = |forward: bool, min, max| if forward { (min, max) } else { (max, min) };
        let (near_x, far_x) = sort(self.is_forward[0], &boxes.min_x, &boxes.max_x);
        let (near_y, far_y) = sort(self.is_forward[1], &boxes.min_y, &boxes.max_y);
        let entry_x = (load(near_x) - self.front[0]) * self.inverse[0];
        let entry_y = (load(near_y) - self.front[1]) * self.inverse[1];
        let exit_x = (load(far_x) - self.back[0]) * self.inverse[0];
        let exit_y = (load(far_y) - self.back[1]) * self.inverse[1];
        let entry = entry_x.max(entry_y).max(BASELINE8.zero());
        let exit = exit_x.min(exit_y) * BASELINE8.splat(EXIT_GROWTH);
        let hit = entry.le(exit.min(BASELINE8.splat(limit)));
        (entry.store().0, hit.bits())
    }
}

/// The point of a nearest-box query.
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
    #[inline(always)]
    fn measure(&self, boxes: &Boxes, limit: f32) -> ([f32; WIDTH], u32) {
        let (x, y) = (BASELINE8.splat(self.0.x), BASELINE8.splat(self.0.y));
        let gap_x = (load(&boxes.min_x) - x)
            .max(x - load(&boxes.max_x))
            .max(BASELINE8.zero());
        let gap_y = (load(&boxes.min_y) - y)
            .max(y - load(&boxes.max_y))
            .max(BASELINE8.zero());
        let distance = (gap_x * gap_x + gap_y * gap_y).sqrt();
        // The square of a distance beyond 1e19 m is infinite.
        let distance = distance.min(BASELINE8.splat(f32::MAX));
        // A lane without a box is infinitely far away.
        let hit = distance.le(BASELINE8.splat(limit)).and(boxes.filled());
        (distance.store().0, hit.bits())
    }
}
