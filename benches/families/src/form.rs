//! The forms of bodies, in standard meters.

use cairn2d::{Capsule, Circle, Polygon, Segment, Shape, point};

/// A form, about the origin of its body.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    /// Half width, half height.
    Rectangle(f32, f32),
    /// Half width, half height, and the radius of the corners, within both.
    Rounded(f32, f32, f32),
    Ball(f32),
    /// Number of corners, radius.
    Regular(usize, f32),
    /// Half length of the middle line, which lies along x; radius.
    Capsule(f32, f32),
    /// From, to.
    Segment([f32; 2], [f32; 2]),
    /// Rectangle beside the origin: half width, half height, center, angle.
    Beside([f32; 2], [f32; 2], f32),
}

impl Form {
    /// Returns the shape at a size of `s` meters per standard meter.
    pub(crate) fn shape(self, s: f32) -> Shape {
        match self {
            Self::Rectangle(w, h) => Polygon::rectangle(s * w, s * h).into(),
            Self::Rounded(w, h, radius) => {
                Polygon::rounded_rectangle(s * (w - radius), s * (h - radius), s * radius).into()
            }
            Self::Ball(radius) => Circle::new(point(0.0, 0.0), s * radius).into(),
            Self::Regular(count, radius) => Polygon::regular(count, s * radius).into(),
            Self::Capsule(half, radius) => {
                Capsule::new(point(-s * half, 0.0), point(s * half, 0.0), s * radius).into()
            }
            Self::Segment([ax, ay], [bx, by]) => {
                Segment::new(point(s * ax, s * ay), point(s * bx, s * by)).into()
            }
            Self::Beside([w, h], [x, y], angle) => {
                Polygon::offset_rectangle(s * w, s * h, point(s * x, s * y), angle).into()
            }
        }
    }
}
