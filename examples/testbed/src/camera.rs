//! The camera: pan, zoom, fit.

use cairn2d::prelude::{Vec2, WorldPoint, point};
use eframe::egui::{Pos2, Rect};
use scenes::view::{Camera, Frame};

/// Share of the view that a frame fills.
const FIT_SHARE: f32 = 0.97;

/// Most that a wide scene is enlarged beyond its width to fill the height, where something in it is followed.
const MAX_CROP: f32 = 2.2;

/// Scales at which there is still something to see [points/m].
const SCALES: core::ops::RangeInclusive<f32> = 0.01..=20_000.0;

/// A place and a scale.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    center: WorldPoint,
    /// [points/m].
    scale: f32,
    /// Whether the center follows the main body of the scene, until the user moves it.
    follows: bool,
    /// Whether a drag with the primary button moves it: one that took hold of nothing.
    pub(crate) pans: bool,
}

impl Look {
    /// Returns the look at all of `frame`, or, where something is followed, at a part of it that fills the view.
    pub(crate) fn at(frame: &Frame, view: Rect, focus: Option<WorldPoint>) -> Self {
        let across = view.width() / (2.0 * frame.half_width);
        let upward = view.height() / (2.0 * frame.half_height);
        let scale = match focus {
            Some(_) => upward.clamp(across.min(upward), MAX_CROP * across),
            None => across.min(upward),
        };
        let mut look = Self {
            center: frame.center,
            scale: FIT_SHARE * scale,
            follows: focus.is_some(),
            pans: false,
        };
        look.follow(frame, view, focus);
        look
    }

    /// Moves the center to the followed body, as far as the view stays in the frame.
    pub(crate) fn follow(&mut self, frame: &Frame, view: Rect, focus: Option<WorldPoint>) {
        let Some(focus) = focus.filter(|_| self.follows) else {
            return;
        };
        let seen = 0.5 * view.width() * FIT_SHARE / self.scale;
        let room = f64::from((frame.half_width - seen).max(0.0));
        let center = frame.center.x;
        self.center.x = focus.x.clamp(center - room, center + room);
    }

    /// Returns the map from the world to points of the screen.
    pub(crate) fn camera(&self, view: Rect) -> Camera {
        let middle = view.center();
        Camera::new(self.center, self.scale, point(middle.x, middle.y))
    }

    /// Moves the world by a way on the screen.
    pub(crate) fn pan(&mut self, way: eframe::egui::Vec2) {
        self.follows = false;
        self.center -= Vec2::new(way.x, -way.y) / self.scale;
    }

    /// Enlarges by `factor`; the place under `at` stays there.
    pub(crate) fn zoom(&mut self, factor: f32, at: Pos2, view: Rect) {
        self.follows = false;
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
        let mut look = Look::at(&Frame::new(-10.0, 0.0, 10.0, 10.0), view, None);
        let at = pos2(300.0, 200.0);
        let place = |look: &Look| look.camera(view).place(point(at.x, at.y));
        let before = place(&look);
        look.zoom(3.0, at, view);
        assert!((place(&look) - before).norm() < 1.0e-4);
        look.pan(vec2(30.0, 0.0));
        assert!(place(&look).x < before.x, "the world went right");
    }

    #[test]
    fn what_is_followed_fills_the_view_and_stays_in_the_frame() {
        let view = Rect::from_min_max(pos2(0.0, 0.0), pos2(800.0, 600.0));
        let frame = Frame::new(-20.0, 0.0, 20.0, 10.0);
        let at = |x: f64| Look::at(&frame, view, Some(WorldPoint::new(x, 1.0)));
        assert!(at(0.0).scale > 2.0 * Look::at(&frame, view, None).scale);
        assert_eq!(at(3.0).center, WorldPoint::new(3.0, 5.0));
        let right = at(19.0).camera(view).place(point(800.0, 300.0)).x;
        assert!((20.0..21.0).contains(&right), "{right}");
        let mut look = at(0.0);
        look.follow(&frame, view, Some(WorldPoint::new(4.0, 1.0)));
        assert_eq!(look.center.x, 4.0);
        look.pan(vec2(10.0, 0.0));
        let panned = look.center.x;
        look.follow(&frame, view, Some(WorldPoint::new(8.0, 1.0)));
        assert_eq!(look.center.x, panned, "the user has moved it");
    }
}
