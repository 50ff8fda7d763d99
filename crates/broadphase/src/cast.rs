//! What a node's eight boxes are measured by: entry of a ray, or distance from a point.

use crate::lanes::{Boxes, WIDTH, lane_mask};
use cairn2d_geometry::Ray;
use cairn2d_geometry::math::{Point, Vec2};

/// Growth of a computed exit fraction that covers the rounding of two subtractions, products and
/// the inverse [Ize13, sec. 3].
const EXIT_GROWTH: f32 = 1.0 + 4.0 * f32::EPSILON;

/// A measure of boxes that is never larger for a box that holds the measured one.
pub(crate) trait Probe {
    /// Returns the measure of each lane, and which lanes count and measure at most `limit`.
    fn measure(&self, boxes: &Boxes, limit: f32) -> ([f32; WIDTH], u32);
}

/// A box moving along a ray, seen from each node as a ray against a larger node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovingBox {
    origin: Point,
    half: Vec2,
    inverse: Vec2,
}

impl MovingBox {
    /// `half` is half the width and height of the box \[m\], zero for a ray.
    pub(crate) fn new(ray: &Ray, half: Vec2) -> Self {
        Self {
            origin: ray.origin,
            half,
            inverse: ray.translation.map(finite_inverse),
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
        let mut entry = [0.0; WIDTH];
        let mut exit = [0.0; WIDTH];
        for i in 0..WIDTH {
            let x0 = (boxes.min_x[i] - self.half.x - self.origin.x) * self.inverse.x;
            let x1 = (boxes.max_x[i] + self.half.x - self.origin.x) * self.inverse.x;
            let y0 = (boxes.min_y[i] - self.half.y - self.origin.y) * self.inverse.y;
            let y1 = (boxes.max_y[i] + self.half.y - self.origin.y) * self.inverse.y;
            entry[i] = x0.min(x1).max(y0.min(y1)).max(0.0);
            exit[i] = x0.max(x1).min(y0.max(y1)) * EXIT_GROWTH;
        }
        let hit = lane_mask(|i| {
            (boxes.min_x[i] <= boxes.max_x[i]) & (entry[i] <= exit[i]) & (entry[i] <= limit)
        });
        (entry, hit)
    }
}

/// A point that asks what is near.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near(pub(crate) Point);

impl Probe for Near {
    /// Measures the distance of the box from the point \[m\].
    #[inline]
    fn measure(&self, boxes: &Boxes, limit: f32) -> ([f32; WIDTH], u32) {
        let mut distance = [0.0; WIDTH];
        for (i, distance) in distance.iter_mut().enumerate() {
            let dx = (boxes.min_x[i] - self.0.x)
                .max(self.0.x - boxes.max_x[i])
                .max(0.0);
            let dy = (boxes.min_y[i] - self.0.y)
                .max(self.0.y - boxes.max_y[i])
                .max(0.0);
            *distance = (dx * dx + dy * dy).sqrt();
        }
        let hit = lane_mask(|i| (boxes.min_x[i] <= boxes.max_x[i]) & (distance[i] <= limit));
        (distance, hit)
    }
}
