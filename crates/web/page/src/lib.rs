//! The scenes of the examples for a canvas: steps, drawing, the pointer, recordings.
//!
//! The `mod` lines below are the layer order, lowest first.
#![forbid(unsafe_code)]

mod pen;
mod grip;
mod play;

pub use play::Play;

use wasm_bindgen::prelude::*;

/// Returns the scenes, a line each: name, title, category and description, between tabs.
#[wasm_bindgen]
pub fn scenes() -> String {
    let line = |scene: &&scenes::scene::Scene| {
        [scene.name, scene.title, scene.category.title(), scene.about].join("\t")
    };
    let lines: Vec<String> = scenes::registry::all().iter().map(line).collect();
    lines.join("\n")
}

/// Returns the numbers that a scene can be built with, a line each: title, least, greatest and usual value, and the distance of
/// two values, between tabs. Empty if there is no scene of this name.
#[wasm_bindgen]
pub fn knobs(name: &str) -> String {
    let found = scenes::registry::find(name);
    let knobs = found.map_or(&[][..], |scene| scene.knobs);
    let line = |knob: &scenes::scene::Knob| {
        let (low, high, usual, step) = (knob.low, knob.high, knob.usual, knob.step);
        format!("{}\t{low}\t{high}\t{usual}\t{step}", knob.title)
    };
    let lines: Vec<String> = knobs.iter().map(line).collect();
    lines.join("\n")
}

/// Returns the layers of the drawing, a line each: bit, whether it is shown at first, and title, between tabs.
#[wasm_bindgen]
pub fn layers() -> String {
    let line = |(bit, layer): (usize, &cairn2d::draw::Layer)| {
        let shown = cairn2d::draw::Layers::USUAL.contains(*layer);
        format!("{bit}\t{}\t{}", u8::from(shown), layer.title())
    };
    let lines: Vec<String> = cairn2d::draw::Layer::ALL
        .iter()
        .enumerate()
        .map(line)
        .collect();
    lines.join("\n")
}
