//! Measures of a node's eight boxes: entry of a ray, or distance from a point.

use crate::lanes::{Boxes, MAX, MIN, WIDTH};
use cairn2d_geometry::math::{Point, Vec2};
use cairn2d_geometry::{Aabb, Ray};
use cairn2d_simd::{F32x8, Lanes8, Mask, Simd, Vector};

/// Growth of a computed exit fraction that covers the rounding of two subtractions, products and
/// the inverse [Ize13, sec. 3].
const EXIT_GROWTH: f32 = 1.0 + 4.0 * f32::EPSILON;

/// A measure of boxes that is never larger for a box that holds the measured one.
pub(crate) trait Probe {
    /// Returns the measure of each lane, and the lanes that hold a box that measures at most `limit`, one bit each. The
    /// measures of these are finite and not negative.
    fn measure<S: Simd<F32: Lanes8>>(
        &self,
        simd: S,
        boxes: &Boxes,
        limit: f32,
    ) -> ([f32; WIDTH], u32);
}

impl<P: Probe> Probe for &P {
    #[inline(always)]
    fn measure<S: Simd<F32: Lanes8>>(
        &self,
        simd: S,
        boxes: &Boxes,
        limit: f32,
    ) -> ([f32; WIDTH], u32) {
        (*self).measure(simd, boxes, limit)
    }
}

/// A box that moves along a ray: a ray against larger nodes.
///
/// Every number stands in all lanes already: a visit is too short to spread them out again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovingBox {
    /// The sides at which it enters a node, x and y: the least one if it moves toward greater coordinates. Places instead
    /// of a condition, which each visit would turn into them anew.
    entries: [usize; 2],
    /// The sides at which it leaves.
    exits: [usize; 2],
    /// The side of the box at the start that enters a node first.
    front: [F32x8; 2],
    /// The side that leaves it last.
    back: [F32x8; 2],
    inverse: [F32x8; 2],
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
            entries: [0, 1].map(|axis| if inverse[axis] > 0.0 { MIN } else { MAX }[axis]),
            exits: [0, 1].map(|axis| if inverse[axis] > 0.0 { MAX } else { MIN }[axis]),
            front: [0, 1].map(|axis| F32x8::splat(ray.origin[axis] + ahead[axis])),
            back: [0, 1].map(|axis| F32x8::splat(ray.origin[axis] - ahead[axis])),
            inverse: inverse.map(F32x8::splat),
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
    fn measure<S: Simd<F32: Lanes8>>(
        &self,
        simd: S,
        boxes: &Boxes,
        limit: f32,
    ) -> ([f32; WIDTH], u32) {
        // By the sign of the step instead of least and greatest: fewer instructions, and a lane
        // without a box, which lies inside out, is entered at infinity and left before.
        let [near_x, near_y] = self.entries;
        let [far_x, far_y] = self.exits;
        // Not by a closure: see `cairn2d_simd`.
        let front_x = S::F32::load(simd, &self.front[0]);
        let front_y = S::F32::load(simd, &self.front[1]);
        let back_x = S::F32::load(simd, &self.back[0]);
        let back_y = S::F32::load(simd, &self.back[1]);
        let inverse_x = S::F32::load(simd, &self.inverse[0]);
        let inverse_y = S::F32::load(simd, &self.inverse[1]);
        let entry_x = (boxes.side(simd, near_x) - front_x) * inverse_x;
        let entry_y = (boxes.side(simd, near_y) - front_y) * inverse_y;
        let exit_x = (boxes.side(simd, far_x) - back_x) * inverse_x;
        let exit_y = (boxes.side(simd, far_y) - back_y) * inverse_y;
        let entry = entry_x.max(entry_y).max(simd.zero());
        let exit = exit_x.min(exit_y) * simd.splat(EXIT_GROWTH);
        let hit = entry.le(exit.min(simd.splat(limit)));
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
    fn measure<S: Simd<F32: Lanes8>>(
        &self,
        simd: S,
        boxes: &Boxes,
        limit: f32,
    ) -> ([f32; WIDTH], u32) {
        let (x, y) = (simd.splat(self.0.x), simd.splat(self.0.y));
        let gap_x = (boxes.side(simd, MIN[0]) - x)
            .max(x - boxes.side(simd, MAX[0]))
            .max(simd.zero());
        let gap_y = (boxes.side(simd, MIN[1]) - y)
            .max(y - boxes.side(simd, MAX[1]))
            .max(simd.zero());
        let distance = (gap_x * gap_x + gap_y * gap_y).sqrt();
        // The square of a distance beyond 1e19 m is infinite.
        let distance = distance.min(simd.splat(f32::MAX));
        // A lane without a box is infinitely far away.
        let hit = distance.le(simd.splat(limit)).and(boxes.filled(simd));
        (distance.store().0, hit.bits())
    }
}
