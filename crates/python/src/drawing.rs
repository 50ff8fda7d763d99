//! Drawings of worlds and crowds: a list of items, which becomes an RGB array, an SVG text, or a list for Python.

use crate::argument::Row;
use crate::error::{Refusal, finite, refuse};
use crate::handle::{World, borrow};
use cairn2d::draw::{Color, Dash, DebugDraw, Draw, DrawOptions, Layer, Layers, Palette, Style};
use cairn2d::{Aabb, Shape, Vec2, WorldPoint, vec2};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use std::fmt::Write;
use tiny_skia::{FillRule, Paint, PathBuilder, Pixmap, Stroke, StrokeDash, Transform};

/// Largest width and height of a picture [px].
const MAX_SIZE: u32 = 16_384;

/// Room around a world whose view is not given, as a share of its size.
const MARGIN: f32 = 0.05;

/// Size of a world without shapes [m].
const EMPTY_SIZE: f32 = 10.0;

/// Length of dashes and gaps [px].
const DASH: f32 = 4.0;

/// Size of text [px].
const TEXT_SIZE: f32 = 11.0;

/// Something that is drawn; points in the world [m].
#[derive(Clone, Debug)]
enum Item {
    Polygon(Vec<WorldPoint>, Style),
    Line([WorldPoint; 2], Style),
    /// Point with a diameter [px].
    Dot(WorldPoint, f32, Color),
    Text(WorldPoint, String, Color),
}

/// The part of a world that is drawn, and the size of the picture.
#[derive(Clone, Copy, Debug)]
struct Camera {
    center: WorldPoint,
    /// [px/m]
    scale: f32,
    size: [u32; 2],
}

impl Camera {
    /// Shows all of `view` in a picture of `size`.
    fn new(view: &Aabb, size: [u32; 2]) -> Self {
        let extent = view.max - view.min;
        let scale = (size[0] as f32 / extent.x).min(size[1] as f32 / extent.y);
        Self {
            center: (view.min + 0.5 * extent).into(),
            scale,
            size,
        }
    }

    /// Returns the place of a point in the picture [px], y down.
    fn pixel(&self, point: WorldPoint) -> Vec2 {
        let off = (point - self.center) * self.scale;
        vec2(
            0.5 * self.size[0] as f32 + off.x,
            0.5 * self.size[1] as f32 - off.y,
        )
    }
}

/// Collects the items.
struct Recorder {
    items: Vec<Item>,
    scale: f32,
}

impl DebugDraw for Recorder {
    fn pixels_per_meter(&self) -> f32 {
        self.scale
    }

    fn polygon(&mut self, corners: &[WorldPoint], style: &Style) {
        self.items.push(Item::Polygon(corners.to_vec(), *style));
    }

    fn segment(&mut self, a: WorldPoint, b: WorldPoint, style: &Style) {
        self.items.push(Item::Line([a, b], *style));
    }

    fn point(&mut self, at: WorldPoint, size: f32, color: Color) {
        self.items.push(Item::Dot(at, size, color));
    }

    fn text(&mut self, at: WorldPoint, text: &str, color: Color) {
        self.items.push(Item::Text(at, text.to_owned(), color));
    }
}

/// A box to be seen [m]: min x, min y, max x, max y.
type View = Row<f32, 4>;

/// A drawing: its items, and how they are seen.
struct Drawing {
    items: Vec<Item>,
    camera: Camera,
    background: Color,
}

impl Drawing {
    fn new(
        what: &impl Draw,
        bounds: Option<Aabb>,
        size: [u32; 2],
        view: Option<View>,
        layers: Option<Vec<String>>,
    ) -> PyResult<Self> {
        check_size(size)?;
        let view = match view {
            Some(view) => given_view(view)?,
            None => usual_view(bounds),
        };
        let camera = Camera::new(&view, size);
        let palette = Palette::light();
        let options = DrawOptions {
            layers: layers_of(layers)?,
            palette,
            ..DrawOptions::default()
        };
        let mut recorder = Recorder {
            items: Vec::new(),
            scale: camera.scale,
        };
        what.draw(&mut recorder, &options);
        Ok(Self {
            items: recorder.items,
            camera,
            background: palette.background,
        })
    }

    /// Paints the items: pixels of red, green, blue and opacity.
    fn pixmap(&self) -> Option<Pixmap> {
        let [width, height] = self.camera.size;
        let mut pixmap = Pixmap::new(width, height)?;
        let Color { r, g, b, a } = self.background;
        pixmap.fill(tiny_skia::Color::from_rgba8(r, g, b, a));
        for item in &self.items {
            self.paint(&mut pixmap, item);
        }
        Some(pixmap)
    }

    fn paint(&self, pixmap: &mut Pixmap, item: &Item) {
        match item {
            Item::Polygon(corners, style) => {
                if let Some(path) = self.path(corners, true) {
                    if let Some(fill) = style.fill {
                        pixmap.fill_path(
                            &path,
                            &paint(fill),
                            FillRule::Winding,
                            Transform::identity(),
                            None,
                        );
                    }
                    stroke(pixmap, &path, style);
                }
            }
            Item::Line(ends, style) => {
                if let Some(path) = self.path(ends, false) {
                    stroke(pixmap, &path, style);
                }
            }
            Item::Dot(at, size, color) => {
                let at = self.camera.pixel(*at);
                if let Some(path) = PathBuilder::from_circle(at.x, at.y, 0.5 * size) {
                    pixmap.fill_path(
                        &path,
                        &paint(*color),
                        FillRule::Winding,
                        Transform::identity(),
                        None,
                    );
                }
            }
            // Text is in SVG and lists only: a font would be larger than the engine.
            Item::Text(..) => {}
        }
    }

    fn path(&self, points: &[WorldPoint], is_closed: bool) -> Option<tiny_skia::Path> {
        let mut builder = PathBuilder::new();
        for (i, &point) in points.iter().enumerate() {
            let at = self.camera.pixel(point);
            if i == 0 {
                builder.move_to(at.x, at.y)
            } else {
                builder.line_to(at.x, at.y)
            }
        }
        if is_closed {
            builder.close();
        }
        builder.finish()
    }

    /// Writes the items as SVG.
    fn svg(&self) -> String {
        let [width, height] = self.camera.size;
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
             <rect width=\"100%\" height=\"100%\" {}/>\n",
            svg_color("fill", self.background)
        );
        for item in &self.items {
            self.write_svg(&mut out, item);
        }
        out.push_str("</svg>\n");
        out
    }

    fn write_svg(&self, out: &mut String, item: &Item) {
        let at = |point: WorldPoint| {
            let pixel = self.camera.pixel(point);
            format!("{:.2},{:.2}", pixel.x, pixel.y)
        };
        let line = match item {
            Item::Polygon(corners, style) => {
                let points: Vec<String> = corners.iter().copied().map(at).collect();
                format!(
                    "<polygon points=\"{}\" {}/>",
                    points.join(" "),
                    svg_style(style)
                )
            }
            Item::Line(ends, style) => {
                format!(
                    "<polyline points=\"{} {}\" {}/>",
                    at(ends[0]),
                    at(ends[1]),
                    svg_style(style)
                )
            }
            Item::Dot(point, size, color) => {
                let pixel = self.camera.pixel(*point);
                let fill = svg_color("fill", *color);
                format!(
                    "<circle cx=\"{:.2}\" cy=\"{:.2}\" r=\"{:.2}\" {fill}/>",
                    pixel.x,
                    pixel.y,
                    0.5 * size
                )
            }
            Item::Text(point, text, color) => {
                let pixel = self.camera.pixel(*point);
                let fill = svg_color("fill", *color);
                let text = text.replace('&', "&amp;").replace('<', "&lt;");
                format!(
                    "<text x=\"{:.2}\" y=\"{:.2}\" font-size=\"{TEXT_SIZE}\" text-anchor=\"middle\" {fill}>{text}</text>",
                    pixel.x, pixel.y
                )
            }
        };
        // Writing to a string does not fail.
        let _ = writeln!(out, "{line}");
    }
}

fn check_size(size: [u32; 2]) -> PyResult<()> {
    for (name, value) in [("width", size[0]), ("height", size[1])] {
        if !(1..=MAX_SIZE).contains(&value) {
            let message = format!("{name} is {value}, which is not in 1 to {MAX_SIZE}");
            return Err(refuse(Refusal::argument(name, message)));
        }
    }
    Ok(())
}

fn given_view(Row([x0, y0, x1, y1]): View) -> PyResult<Aabb> {
    [x0, y0, x1, y1]
        .into_iter()
        .try_for_each(|x| finite("view", x.into()))
        .map_err(refuse)?;
    if x1 > x0 && y1 > y0 {
        return Ok(Aabb {
            min: vec2(x0, y0).into(),
            max: vec2(x1, y1).into(),
        });
    }
    let message =
        format!("view is ({x0}, {y0}, {x1}, {y1}), which is no box of min x, min y, max x, max y");
    Err(refuse(Refusal::argument("view", message)))
}

/// Returns the bounds with room around them.
fn usual_view(bounds: Option<Aabb>) -> Aabb {
    let half = vec2(0.5 * EMPTY_SIZE, 0.5 * EMPTY_SIZE);
    let Some(bounds) = bounds else {
        return Aabb {
            min: (-half).into(),
            max: half.into(),
        };
    };
    let extent = bounds.max - bounds.min;
    let margin = MARGIN * extent.x.max(extent.y).max(1.0);
    let margin = vec2(margin, margin);
    Aabb {
        min: bounds.min - margin,
        max: bounds.max + margin,
    }
}

/// Returns the layers of these names, such as "contacts"; the usual ones without names.
fn layers_of(names: Option<Vec<String>>) -> PyResult<Layers> {
    let Some(names) = names else {
        return Ok(Layers::USUAL);
    };
    names.iter().try_fold(Layers::NONE, |layers, name| {
        let title = |layer: &Layer| layer.title().to_lowercase().replace([' ', '-'], "_");
        match Layer::ALL.iter().find(|layer| title(layer) == *name) {
            Some(&layer) => Ok(layers.with(layer)),
            None => {
                let known: Vec<String> = Layer::ALL.iter().map(title).collect();
                let message = format!(
                    "layers has {name:?}, which is not one of {}",
                    known.join(", ")
                );
                Err(refuse(Refusal::argument("layers", message)))
            }
        }
    })
}

fn paint(color: Color) -> Paint<'static> {
    let mut paint = Paint {
        anti_alias: true,
        ..Paint::default()
    };
    paint.set_color_rgba8(color.r, color.g, color.b, color.a);
    paint
}

fn stroke(pixmap: &mut Pixmap, path: &tiny_skia::Path, style: &Style) {
    let dash = match style.dash {
        Dash::Dashed => StrokeDash::new(vec![DASH, DASH], 0.0),
        _ => None,
    };
    let stroke = Stroke {
        width: style.width,
        dash,
        ..Stroke::default()
    };
    pixmap.stroke_path(
        path,
        &paint(style.line),
        &stroke,
        Transform::identity(),
        None,
    );
}

fn svg_color(attribute: &str, color: Color) -> String {
    let Color { r, g, b, a } = color;
    let opacity = if a == 255 {
        String::new()
    } else {
        format!(" {attribute}-opacity=\"{:.3}\"", f32::from(a) / 255.0)
    };
    format!("{attribute}=\"#{r:02x}{g:02x}{b:02x}\"{opacity}")
}

fn svg_style(style: &Style) -> String {
    let fill = style.fill.map_or_else(
        || "fill=\"none\"".to_owned(),
        |fill| svg_color("fill", fill),
    );
    let dash = if style.dash == Dash::Dashed {
        format!(" stroke-dasharray=\"{DASH}\"")
    } else {
        String::new()
    };
    format!(
        "{fill} {} stroke-width=\"{:.2}\"{dash}",
        svg_color("stroke", style.line),
        style.width
    )
}

/// A picture as an array (height, width, 3) of bytes.
pub(crate) type Rgb<'py> = Bound<'py, PyArray3<u8>>;

/// Paints a drawing.
fn rgb_array<'py>(py: Python<'py>, drawing: &Drawing) -> PyResult<Rgb<'py>> {
    let too_large = || {
        refuse(Refusal::argument(
            "width",
            "the picture is too large for the memory",
        ))
    };
    let pixmap = py.detach(|| drawing.pixmap()).ok_or_else(too_large)?;
    let [width, height] = drawing.camera.size.map(|size| size as usize);
    let bytes = pixmap
        .pixels()
        .iter()
        .flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]);
    PyArray1::from_iter(py, bytes).reshape([height, width, 3])
}

/// Makes a picture of a world, of which the box `view` is seen.
pub(crate) fn picture<'py>(
    py: Python<'py>,
    world: &cairn2d::World,
    size: [u32; 2],
    view: Aabb,
) -> PyResult<Rgb<'py>> {
    let view = Row([view.min.x, view.min.y, view.max.x, view.max.y]);
    rgb_array(py, &Drawing::new(world, None, size, Some(view), None)?)
}

/// Fill and outline: colors of red, green, blue and opacity, 0 to 255.
type Rgba = (u8, u8, u8, u8);

/// An item for Python: kind, points [m], fill, color of the line, width [px], text.
type ListItem = (
    &'static str,
    Vec<(f64, f64)>,
    Option<Rgba>,
    Rgba,
    f32,
    String,
);

const fn rgba(color: Color) -> Rgba {
    (color.r, color.g, color.b, color.a)
}

fn list_item(item: &Item) -> ListItem {
    let list = |points: &[WorldPoint]| points.iter().map(|point| (point.x, point.y)).collect();
    match item {
        Item::Polygon(corners, style) => (
            "polygon",
            list(corners),
            style.fill.map(rgba),
            rgba(style.line),
            style.width,
            String::new(),
        ),
        Item::Line(ends, style) => (
            "line",
            list(ends),
            None,
            rgba(style.line),
            style.width,
            String::new(),
        ),
        Item::Dot(at, size, color) => (
            "dot",
            list(&[*at]),
            Some(rgba(*color)),
            rgba(*color),
            *size,
            String::new(),
        ),
        Item::Text(at, text, color) => (
            "text",
            list(&[*at]),
            None,
            rgba(*color),
            TEXT_SIZE,
            text.clone(),
        ),
    }
}

/// Box around all shapes [m], without half-spaces, which have no end.
fn bounds_of(world: &cairn2d::World) -> Option<Aabb> {
    let has_end = |shape: &cairn2d::ShapeRef<'_>| !matches!(shape.geometry(), Shape::HalfSpace(_));
    let boxes = world.shapes().filter(has_end).map(|shape| shape.aabb());
    boxes.reduce(|a, b| Aabb {
        min: a.min.inf(&b.min),
        max: a.max.sup(&b.max),
    })
}

/// Pictures. `view` is the box (min x, min y, max x, max y) [m] to be seen, all shapes by default; `layers` are names such as
/// "shapes", "joints", "contacts", "normals", "impulses", "velocities", "centers", "islands", "fat_boxes" and "ids".
#[pymethods]
impl World {
    /// Picture as an array (height, width, 3) of bytes.
    #[pyo3(signature = (width = 640, height = 480, view = None, layers = None))]
    fn render<'py>(
        slf: &Bound<'py, Self>,
        width: u32,
        height: u32,
        view: Option<View>,
        layers: Option<Vec<String>>,
    ) -> PyResult<Rgb<'py>> {
        rgb_array(
            slf.py(),
            &Self::drawing(slf, [width, height], view, layers)?,
        )
    }

    /// Picture as SVG text.
    #[pyo3(signature = (width = 640, height = 480, view = None, layers = None))]
    fn to_svg(
        slf: &Bound<'_, Self>,
        width: u32,
        height: u32,
        view: Option<View>,
        layers: Option<Vec<String>>,
    ) -> PyResult<String> {
        Ok(Self::drawing(slf, [width, height], view, layers)?.svg())
    }

    /// Picture in a notebook.
    fn _repr_svg_(slf: &Bound<'_, Self>) -> PyResult<String> {
        Self::to_svg(slf, 640, 480, None, None)
    }

    /// Items of a picture, lowest first, as tuples of kind ("polygon", "line", "dot" or "text"), points [m], fill, color of
    /// the line, width [px] and text; colors are (red, green, blue, opacity), 0 to 255. Round outlines are exact at
    /// `pixels_per_meter`.
    #[pyo3(signature = (pixels_per_meter = 40.0, layers = None))]
    fn draw_items(
        slf: &Bound<'_, Self>,
        pixels_per_meter: f32,
        layers: Option<Vec<String>>,
    ) -> PyResult<Vec<ListItem>> {
        finite("pixels_per_meter", pixels_per_meter.into()).map_err(refuse)?;
        let options = DrawOptions {
            layers: layers_of(layers)?,
            palette: Palette::light(),
            ..DrawOptions::default()
        };
        let mut recorder = Recorder {
            items: Vec::new(),
            scale: pixels_per_meter.clamp(MIN_SCALE, MAX_SCALE),
        };
        borrow(slf)?.world.draw(&mut recorder, &options);
        Ok(recorder.items.iter().map(list_item).collect())
    }
}

/// Smallest scale of round outlines [px/m]: a kilometer is a pixel.
const MIN_SCALE: f32 = 0.001;

/// Largest scale of round outlines [px/m]: a millimeter is ten pixels.
const MAX_SCALE: f32 = 10_000.0;

impl World {
    fn drawing(
        slf: &Bound<'_, Self>,
        size: [u32; 2],
        view: Option<View>,
        layers: Option<Vec<String>>,
    ) -> PyResult<Drawing> {
        let world = borrow(slf)?;
        Drawing::new(&world.world, bounds_of(&world.world), size, view, layers)
    }
}
