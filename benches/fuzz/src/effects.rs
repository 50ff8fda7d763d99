//! Calls that act on much at once: explosions, wind, and the debug drawing of everything.

use crate::episode::Episode;
use cairn2d::draw::{Color, DebugDraw, Draw, DrawOptions, Layer, Layers, Style, draw_shape_at};
use cairn2d::math::WorldPoint;
use cairn2d::prelude::*;
use std::hint::black_box;

/// A renderer that only checks its arguments.
struct Blind;

impl DebugDraw for Blind {
    fn polygon(&mut self, corners: &[WorldPoint], style: &Style) {
        assert!(corners.len() >= 3, "a polygon of {} corners", corners.len());
        black_box(style);
    }

    fn segment(&mut self, a: WorldPoint, b: WorldPoint, style: &Style) {
        black_box((a, b, style));
    }

    fn point(&mut self, at: WorldPoint, size: f32, color: Color) {
        black_box((at, size, color));
    }

    fn text(&mut self, at: WorldPoint, text: &str, color: Color) {
        black_box((at, text, color));
    }
}

impl Episode {
    pub(crate) fn call_effect(&mut self) {
        match self.values.below(7) {
            0 | 1 => self.explode(),
            2 | 3 => self.blow(),
            4 | 5 => self.flood(),
            _ => self.draw(),
        }
    }

    fn blow(&mut self) {
        let (body, shape) = (self.body(), self.shape_id());
        let mut wind = Wind::new(self.values.any_vector());
        wind.drag = self.values.any();
        wind.lift = self.values.any();
        wind.density = self.values.any();
        wind.max_speed = self.values.any();
        wind.wakes = self.values.flag();
        self.note(|| format!("apply_wind({body:?} or {shape:?}, {wind:?})"));
        self.may_panic(|world| {
            if let Some(mut body) = world.get_body_mut(body) {
                body.apply_wind(&wind);
            } else if let Some(mut shape) = world.get_shape_mut(shape) {
                shape.apply_wind(&wind);
            }
        });
    }

    fn flood(&mut self) {
        let body = self.body();
        let mut fluid = Fluid::new(self.values.any_place(), self.values.any());
        fluid.linear_drag = self.values.any();
        fluid.angular_drag = self.values.any();
        fluid.velocity = self.values.any_vector();
        let area = self.values.area();
        fluid.bounds = self.values.maybe(area);
        fluid.wakes = self.values.flag();
        let is_alone = self.values.flag();
        self.note(|| format!("apply_fluid({body:?} alone: {is_alone}, {fluid:?})"));
        let world = &mut self.world;
        let done = match world.get_body_mut(body) {
            Some(mut body) if is_alone => body.try_apply_fluid(&fluid),
            _ => world.try_apply_fluid(&fluid),
        };
        self.settle(done);
    }

    fn draw(&mut self) {
        let layer = self.values.pick(Layer::ALL);
        let area = self.values.area();
        let options = DrawOptions {
            layers: Layers::USUAL.with(layer),
            view: self.values.maybe(area),
            line_width: self.values.any(),
            impulse_scale: self.values.any(),
            velocity_time: self.values.any(),
            ..DrawOptions::default()
        };
        self.note(|| format!("draw({layer:?}, view {:?})", options.view));
        self.world.draw(&mut Blind, &options);
        self.crowd.crowd().draw(&mut Blind, &options);
        let (shape, place) = (self.values.shape(), self.values.any_place());
        let style = Style::line(Color::rgb(1, 2, 3), 1.0);
        draw_shape_at(&mut Blind, &shape, place, self.values.any(), &style);
    }
}
