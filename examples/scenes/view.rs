//! Part of the world in a picture.

use cairn2d::prelude::{Aabb, Point, Vec2, WorldPoint, point};

/// Upright rectangle of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Middle \[m\].
    pub center: WorldPoint,
    /// Half of its width \[m\].
    pub half_width: f32,
    /// Half of its height \[m\].
    pub half_height: f32,
}

impl Frame {
    /// Returns the frame from `left` to `right` and from `bottom` to `top` \[m\].
    #[must_use]
    pub const fn new(left: f32, bottom: f32, right: f32, top: f32) -> Self {
        Self {
            center: WorldPoint::new(
                0.5 * (left as f64 + right as f64),
                0.5 * (bottom as f64 + top as f64),
            ),
            half_width: 0.5 * (right - left),
            half_height: 0.5 * (top - bottom),
        }
    }

    /// Returns the frame about another middle \[m\].
    #[must_use]
    pub const fn shifted(mut self, x: f64, y: f64) -> Self {
        self.center = WorldPoint::new(self.center.x + x, self.center.y + y);
        self
    }

    /// Returns the frame about the same middle, `factor` times as wide and as high.
    #[must_use]
    pub const fn scaled(mut self, factor: f32) -> Self {
        self.half_width *= factor;
        self.half_height *= factor;
        self
    }

    /// Returns `true` if `point` is inside.
    #[must_use]
    pub fn contains(&self, point: WorldPoint) -> bool {
        let offset = point - self.center;
        offset.x.abs() <= self.half_width && offset.y.abs() <= self.half_height
    }
}

/// Share of a picture's width that is left free on each side of the frame.
const SIDE_BORDER: f32 = 0.03;

/// Share of a picture's height that is left free above the frame, for the caption.
const TOP_BORDER: f32 = 0.11;

/// Share of a picture's height that is left free below the frame, for the scale bar.
const BOTTOM_BORDER: f32 = 0.075;

/// Maps the world to pixels: x to the right, y down, the first pixel at the top left.
#[derive(Clone, Copy, Debug)]
pub struct Camera {
    center: WorldPoint,
    scale: f32,
    /// Pixel of the center.
    middle: Point,
}

impl Camera {
    /// Returns the camera that fits `frame` into a picture of `width` by `height` pixels.
    #[must_use]
    pub fn fit(frame: &Frame, width: u32, height: u32) -> Self {
        let (width, height) = (width as f32, height as f32);
        let across = (1.0 - 2.0 * SIDE_BORDER) * width / (2.0 * frame.half_width);
        let upward = (1.0 - TOP_BORDER - BOTTOM_BORDER) * height / (2.0 * frame.half_height);
        Self {
            center: frame.center,
            scale: across.min(upward),
            middle: Point::new(
                0.5 * width,
                0.5 * (1.0 + TOP_BORDER - BOTTOM_BORDER) * height,
            ),
        }
    }

    /// Returns the camera that shows `center` at the pixel `middle`, with `scale` pixels to the meter.
    #[must_use]
    pub const fn new(center: WorldPoint, scale: f32, middle: Point) -> Self {
        Self {
            center,
            scale,
            middle,
        }
    }

    /// Returns the pixel of a place in the world.
    #[must_use]
    pub fn pixel(&self, place: WorldPoint) -> Point {
        let offset = (place - self.center) * self.scale;
        self.middle + Vec2::new(offset.x, -offset.y)
    }

    /// Returns the place in the world at a pixel.
    #[must_use]
    pub fn place(&self, pixel: Point) -> WorldPoint {
        let offset = (pixel - self.middle) / self.scale;
        self.center + Vec2::new(offset.x, -offset.y)
    }

    /// Returns the part of the world in a picture of `width` by `height` pixels \[m\].
    #[must_use]
    pub fn seen(&self, width: u32, height: u32) -> Aabb {
        let low = self.place(point(0.0, height as f32));
        let high = self.place(point(width as f32, 0.0));
        Aabb::new(low.to_point(), high.to_point())
    }

    /// Pixels per meter.
    #[must_use]
    pub const fn scale(&self) -> f32 {
        self.scale
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_lands_inside_the_picture_and_pixels_map_back() {
        let frame = Frame::new(-2.0, 0.0, 6.0, 3.0).shifted(1.0e6, 0.0);
        let camera = Camera::fit(&frame, 400, 300);
        let corner = camera.pixel(WorldPoint::new(1.0e6 - 2.0, 0.0));
        assert!((corner.x - 12.0).abs() < 0.01, "{corner}");
        assert!(corner.y < 300.0 - 9.0);
        let back = camera.place(corner);
        assert!((back - WorldPoint::new(1.0e6 - 2.0, 0.0)).norm() < 1.0e-5);
    }

    #[test]
    fn up_in_the_world_is_up_in_the_picture() {
        let camera = Camera::fit(&Frame::new(-1.0, -1.0, 1.0, 1.0), 100, 100);
        let above = camera.pixel(WorldPoint::new(0.0, 0.5));
        assert!(above.y < camera.pixel(WorldPoint::ORIGIN).y);
    }
}
