//! Drawings of a world as buffers of lines and triangles, ready for a canvas or for WebGL.

use crate::fields::{Fields, getters};
use crate::world::WebWorld;
use cairn2d::draw::{Color, DebugDraw, Draw, DrawOptions, Layer, Layers, Palette, Style};
use cairn2d::{Aabb, WorldPoint};
use js_sys::{Array, Float32Array, Object, Uint8Array};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** Layers of a drawing. */
export type Layer = "shapes" | "joints" | "centers" | "contacts" | "normals" | "impulses" | "velocities" | "boxes" | "islands";
/** What is drawn, and how. */
export interface DrawOptions {
  /** Place of the world that has the coordinates (0, 0) in the buffers [m]: near the camera, so that `f32` is accurate there. */
  origin?: Vec;
  /** Box outside of which nothing is drawn [m], relative to the origin of the world. */
  view?: { min: Vec; max: Vec };
  /** Pixels of a meter, for the accuracy of round outlines; 40 by default. */
  scale?: number;
  /** Shapes and joints by default. */
  layers?: readonly Layer[];
  dark?: boolean;
}
/** Vertices and their colors: x, y [m], and red, green, blue, alpha from 0 to 255. */
export interface Drawing {
  /** Two vertices for each line. */
  lines: Float32Array; lineColors: Uint8Array;
  /** Three vertices for each triangle, counter-clockwise. */
  triangles: Float32Array; triangleColors: Uint8Array;
}
"#;

#[wasm_bindgen]
extern "C" {
    /// See above.
    #[wasm_bindgen(typescript_type = "DrawOptions")]
    pub type JsDrawOptions;
    /// See above.
    #[wasm_bindgen(typescript_type = "Drawing")]
    pub type JsDrawing;
}

getters! {
    view "view" Fields; scale "scale" f64; layers "layers" Array; dark "dark" bool;
}

/// Vertices with their colors.
#[derive(Default)]
struct Vertices {
    places: Vec<f32>,
    colors: Vec<u8>,
}

/// A pen that collects lines and triangles.
struct Buffers {
    origin: WorldPoint,
    scale: f32,
    lines: Vertices,
    triangles: Vertices,
}

impl Buffers {
    fn local(&self, at: WorldPoint) -> [f32; 2] {
        [(at.x - self.origin.x) as f32, (at.y - self.origin.y) as f32]
    }
}

impl Vertices {
    fn push(&mut self, place: [f32; 2], color: Color) {
        self.places.extend(place);
        self.colors.extend([color.r, color.g, color.b, color.a]);
    }

    fn put_into(&self, object: &Object, places: &str, colors: &str) {
        let [x, y]: [JsValue; 2] = [
            Float32Array::from(self.places.as_slice()).into(),
            Uint8Array::from(self.colors.as_slice()).into(),
        ];
        crate::error::set(object, places, x);
        crate::error::set(object, colors, y);
    }
}

impl DebugDraw for Buffers {
    fn polygon(&mut self, corners: &[WorldPoint], style: &Style) {
        let corners: Vec<[f32; 2]> = corners.iter().map(|&corner| self.local(corner)).collect();
        let Some((&first, rest)) = corners.split_first() else {
            return;
        };
        if let Some(fill) = style.fill {
            for pair in rest.windows(2) {
                for corner in [first, pair[0], pair[1]] {
                    self.triangles.push(corner, fill);
                }
            }
        }
        if style.width > 0.0 {
            let ends = rest.iter().copied().chain([first]);
            for (start, end) in corners.iter().copied().zip(ends) {
                self.lines.push(start, style.line);
                self.lines.push(end, style.line);
            }
        }
    }

    fn segment(&mut self, a: WorldPoint, b: WorldPoint, style: &Style) {
        for end in [a, b] {
            self.lines.push(self.local(end), style.line);
        }
    }

    /// A point is a square of two triangles.
    fn point(&mut self, at: WorldPoint, size: f32, color: Color) {
        let ([x, y], half) = (self.local(at), 0.5 * size / self.scale);
        let corner = |right: f32, up: f32| [x + right * half, y + up * half];
        for (right, up) in [
            (-1.0, -1.0),
            (1.0, -1.0),
            (1.0, 1.0),
            (-1.0, -1.0),
            (1.0, 1.0),
            (-1.0, 1.0),
        ] {
            self.triangles.push(corner(right, up), color);
        }
    }

    /// Buffers hold no text.
    fn text(&mut self, _: WorldPoint, _: &str, _: Color) {}

    fn pixels_per_meter(&self) -> f32 {
        self.scale
    }
}

/// The layers with their names.
const LAYERS: [(&str, Layer); 9] = [
    ("shapes", Layer::Shapes),
    ("joints", Layer::Joints),
    ("centers", Layer::Centers),
    ("contacts", Layer::Contacts),
    ("normals", Layer::Normals),
    ("impulses", Layer::Impulses),
    ("velocities", Layer::Velocities),
    ("boxes", Layer::FatBoxes),
    ("islands", Layer::Islands),
];

fn layers_of(names: &Array) -> Layers {
    let names: Vec<String> = names.iter().filter_map(|name| name.as_string()).collect();
    let shown = LAYERS
        .iter()
        .filter(|(name, _)| names.iter().any(|shown| shown == name));
    shown.fold(Layers::NONE, |layers, (_, layer)| layers.with(*layer))
}

/// Scale without one in the options [px/m].
const USUAL_SCALE: f32 = 40.0;

#[wasm_bindgen(js_class = World)]
impl WebWorld {
    /// The world as lines and triangles.
    #[wasm_bindgen(js_name = debugDraw)]
    pub fn debug_draw(&self, options: Option<JsDrawOptions>) -> JsDrawing {
        let fields = options
            .as_ref()
            .map(|options| options.unchecked_ref::<Fields>());
        let origin = fields.and_then(Fields::origin).map(|at| at.to_place());
        let scale = fields.and_then(Fields::scale).map(|scale| scale as f32);
        let dark = fields.and_then(Fields::dark).unwrap_or(false);
        let view: Option<Aabb> = fields.and_then(Fields::view).and_then(|view| view.to_box());
        let options = DrawOptions {
            layers: fields.and_then(Fields::layers).map_or(
                Layers::NONE.with(Layer::Shapes).with(Layer::Joints),
                |names| layers_of(&names),
            ),
            view,
            palette: if dark {
                Palette::dark()
            } else {
                Palette::light()
            },
            ..DrawOptions::default()
        };
        let mut buffers = Buffers {
            origin: origin.unwrap_or(WorldPoint::ORIGIN),
            scale: scale.filter(|scale| *scale > 0.0).unwrap_or(USUAL_SCALE),
            lines: Vertices::default(),
            triangles: Vertices::default(),
        };
        self.world.draw(&mut buffers, &options);
        let drawing = Object::new();
        buffers.lines.put_into(&drawing, "lines", "lineColors");
        buffers
            .triangles
            .put_into(&drawing, "triangles", "triangleColors");
        drawing.unchecked_into()
    }
}
