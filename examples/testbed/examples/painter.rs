//! A window of one's own: a world stepped and drawn with egui's painter, in a hundred lines.

use cairn2d::draw::{Color, DebugDraw, Draw, DrawOptions, Layer, Layers, Style};
use cairn2d::prelude::*;
use eframe::egui;

const PIXELS_PER_METER: f32 = 40.0;

/// Draws with egui; the world's origin is at `origin` on the screen.
struct EguiPen<'a> {
    painter: &'a egui::Painter,
    origin: egui::Pos2,
}

impl EguiPen<'_> {
    fn pixel(&self, p: WorldPoint) -> egui::Pos2 {
        let p = p.to_point() * PIXELS_PER_METER;
        self.origin + egui::vec2(p.x, -p.y)
    }
}

fn color(c: Color) -> egui::Color32 {
    egui::Color32::from_rgba_unmultiplied(c.r, c.g, c.b, c.a)
}

fn stroke(style: &Style) -> egui::Stroke {
    egui::Stroke::new(style.width, color(style.line))
}

impl DebugDraw for EguiPen<'_> {
    fn pixels_per_meter(&self) -> f32 {
        PIXELS_PER_METER
    }

    fn polygon(&mut self, corners: &[WorldPoint], style: &Style) {
        let corners = corners.iter().map(|&p| self.pixel(p)).collect();
        let fill = style.fill.map_or(egui::Color32::TRANSPARENT, color);
        let polygon = egui::Shape::convex_polygon(corners, fill, stroke(style));
        self.painter.add(polygon);
    }

    fn segment(&mut self, a: WorldPoint, b: WorldPoint, style: &Style) {
        let ends = [self.pixel(a), self.pixel(b)];
        self.painter.line_segment(ends, stroke(style));
    }

    fn point(&mut self, at: WorldPoint, size: f32, ink: Color) {
        self.painter
            .circle_filled(self.pixel(at), 0.5 * size, color(ink));
    }

    fn text(&mut self, at: WorldPoint, text: &str, ink: Color) {
        let (place, font) = (egui::Align2::CENTER_CENTER, egui::FontId::default());
        self.painter
            .text(self.pixel(at), place, text, font, color(ink));
    }
}

struct App {
    world: World,
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.world.step(1.0 / 60.0);
        let view = ui.max_rect();
        ui.painter()
            .rect_filled(view, 0.0, egui::Color32::from_rgb(22, 26, 32));
        let mut pen = EguiPen {
            painter: ui.painter(),
            origin: view.center_bottom() - egui::vec2(0.0, 60.0),
        };
        let options = DrawOptions {
            layers: Layers::USUAL.with(Layer::Contacts).with(Layer::Impulses),
            ..DrawOptions::default()
        };
        self.world.draw(&mut pen, &options);
        ui.ctx().request_repaint();
    }
}

fn world() -> World {
    let mut world = World::default();
    let ground = world.create_body(BodyDef::static_().position(0.0, -0.5));
    world.create_shape(ground, Polygon::rectangle(8.0, 0.5), ShapeDef::default());
    for row in 0..10 {
        let body = world.create_body(BodyDef::dynamic().position(2.0, 0.5 + row as f32));
        world.create_shape(body, Polygon::rectangle(0.5, 0.5), ShapeDef::default());
    }
    let ball = world.create_body(BodyDef::dynamic().position(-6.0, 3.0).velocity(14.0, 2.0));
    world.create_shape(ball, Circle::new(Point::origin(), 0.6), ShapeDef::default());
    world
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let world = world();
    let app = App { world };
    let options = eframe::NativeOptions::default();
    eframe::run_native("cairn2d", options, Box::new(|_| Ok(Box::new(app))))?;
    Ok(())
}
