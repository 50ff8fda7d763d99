//! A pen for debug drawing that draws with letters into a terminal.

use cairn2d::draw::{Color, DebugDraw, Draw, DrawOptions, Style};
use cairn2d::prelude::*;

const WIDTH: usize = 60;
const HEIGHT: usize = 20;

/// A screen of letters; a letter is 0.25 m wide and 0.5 m high.
struct Screen(Vec<Vec<char>>);

impl Screen {
    fn new() -> Self {
        Self(vec![vec![' '; WIDTH]; HEIGHT])
    }

    fn put(&mut self, at: WorldPoint, letter: char) {
        let column = (4.0 * at.x).floor() + 0.5 * WIDTH as f64;
        let row = HEIGHT as f64 - 2.0 - (2.0 * at.y).floor();
        let is_inside =
            (0.0..WIDTH as f64).contains(&column) && (0.0..HEIGHT as f64).contains(&row);
        if is_inside {
            self.0[row as usize][column as usize] = letter;
        }
    }

    fn line(&mut self, a: WorldPoint, b: WorldPoint, letter: char) {
        let steps = (8.0 * (b - a).norm()).ceil().max(1.0) as u16;
        for i in 0..=steps {
            self.put(a + (b - a) * (f32::from(i) / f32::from(steps)), letter);
        }
    }

    fn text(&self) -> String {
        let lines = self.0.iter().map(|row| row.iter().collect::<String>());
        lines.collect::<Vec<_>>().join("\n")
    }
}

impl DebugDraw for Screen {
    fn pixels_per_meter(&self) -> f32 {
        4.0
    }

    fn polygon(&mut self, corners: &[WorldPoint], _style: &Style) {
        for (i, &corner) in corners.iter().enumerate() {
            self.line(corner, corners[(i + 1) % corners.len()], '#');
        }
    }

    fn segment(&mut self, a: WorldPoint, b: WorldPoint, _style: &Style) {
        self.line(a, b, '.');
    }

    fn point(&mut self, at: WorldPoint, _size: f32, _color: Color) {
        self.put(at, '*');
    }

    fn text(&mut self, at: WorldPoint, text: &str, _color: Color) {
        for (i, letter) in text.chars().enumerate() {
            self.put(at + vec2(0.25 * i as f32, 0.0), letter);
        }
    }
}

fn run() -> String {
    let mut world = World::default();
    let ground = world.create_body(BodyDef::static_().position(0.0, -0.25));
    world.create_shape(ground, Polygon::rectangle(7.0, 0.25), ShapeDef::default());
    for i in 0..3_u8 {
        let body = world.create_body(BodyDef::dynamic().position(0.0, 0.8 + 1.7 * f32::from(i)));
        world.create_shape(body, Polygon::rectangle(0.8, 0.8), ShapeDef::default());
    }
    for _ in 0..60 {
        world.step(1.0 / 60.0);
    }
    let mut screen = Screen::new();
    world.draw(&mut screen, &DrawOptions::default());
    screen.text()
}

fn main() {
    println!("{}", run());
}

#[cfg(test)]
mod tests {
    #[test]
    fn ground_and_boxes_are_drawn() {
        let text = super::run();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[18].matches('#').count() > 40, "{text}");
        let high = lines.iter().position(|line| line.contains('#')).unwrap();
        assert!((6..10).contains(&high), "{text}");
    }
}
