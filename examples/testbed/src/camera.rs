//! Where the user looks: pan, zoom, fit.

use cairn2d::prelude::{Vec2, WorldPoint, point};
use eframe::egui::{Pos2, Rect};
use scenes::view::{Camera, Frame};

/// Share of the view that a frame fills.
const FIT_SHARE: f32 = 0.92;

/// Scales at which there is still something to see [points/m].
const SCALES: core::ops::RangeInclusive<f32> = 0.01..=20_000.0;

/// A place and a scale.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    center: WorldPoint,
    /// [points/m].
    scale: f32,
}

impl Look {
    /// Returns the look at all of `frame`.
    pub(crate) fn at(frame: &Frame, view: Rect) -> Self {
        let across = view.width() / (2.0 * frame.half_width);
        let upward = view.height() / (2.0 * frame.half_height);
        Self {
            center: frame.center,
            scale: FIT_SHARE * across.min(upward),
        }
    }

    /// Returns the map from the world to points of the screen.
    pub(crate) fn camera(&self, view: Rect) -> Camera {
        let middle = view.center();
        Camera::new(self.center, self.scale, point(middle.x, middle.y))
    }

    /// Moves the world by a way on the screen.
    pub(crate) fn pan(&mut self, way: eframe::egui::Vec2) {
        self.center -= Vec2::new(way.x, -way.y) / self.scale;
    }

    /// Enlarges by `factor` so that what is under `at` stays there.
    pub(crate) fn zoom(&mut self, factor: f32, at: Pos2, view: Rect) {
        let before = self.camera(view).place(point(at.x, at.y));
        self.scale = (self.scale * factor).clamp(*SCALES.start(), *SCALES.end());
        let after = self.camera(view).place(point(at.x, at.y));
        self.center += before - after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::{pos2, vec2};

    #[test]
    fn zoom_keeps_what_is_under_the_pointer() {
        let view = Rect::from_min_max(pos2(100.0, 50.0), pos2(900.0, 650.0));
        let mut look = Look::at(&Frame::new(-10.0, 0.0, 10.0, 10.0), view);
        let at = pos2(300.0, 200.0);
        let place = |look: &Look| look.camera(view).place(point(at.x, at.y));
        let before = place(&look);
        look.zoom(3.0, at, view);
        assert!((place(&look) - before).norm() < 1.0e-4);
        look.pan(vec2(30.0, 0.0));
        assert!(place(&look).x < before.x, "the world went right");
    }
}
