//! Debug drawing, by callbacks or as vertices in the caller's buffers.

use crate::crowd::cairn_crowd;
use crate::failure::{Failure, cairn_result, call};
use crate::handle::read;
use crate::pointer::{check_result, fill, get, get_optional};
use crate::values::{CAIRN_FALSE, cairn_bool, cairn_box, cairn_position};
use crate::world::cairn_world;
use engine::WorldPoint;
use engine::draw::{Color, Dash, DebugDraw, Draw, DrawOptions, Layer, Layers, Palette, Style};
use std::ffi::{CString, c_char, c_void};

/// A set of things to draw: a sum of the values below.
pub type cairn_draw_layers = u32;

/// Shapes of bodies.
pub const CAIRN_DRAW_SHAPES: cairn_draw_layers = 1;
/// Sleeping bodies in paler colors.
pub const CAIRN_DRAW_SLEEP: cairn_draw_layers = 2;
/// Joints.
pub const CAIRN_DRAW_JOINTS: cairn_draw_layers = 4;
/// Axes, limits, motors and springs of joints.
pub const CAIRN_DRAW_JOINT_PARTS: cairn_draw_layers = 8;
/// Contact points.
pub const CAIRN_DRAW_CONTACTS: cairn_draw_layers = 16;
/// Contact normals.
pub const CAIRN_DRAW_NORMALS: cairn_draw_layers = 32;
/// Contact impulses.
pub const CAIRN_DRAW_IMPULSES: cairn_draw_layers = 64;
/// Velocities.
pub const CAIRN_DRAW_VELOCITIES: cairn_draw_layers = 128;
/// Centers of mass and axes of bodies.
pub const CAIRN_DRAW_CENTERS: cairn_draw_layers = 256;
/// Bodies colored by island.
pub const CAIRN_DRAW_ISLANDS: cairn_draw_layers = 512;
/// Boxes of the broad phase.
pub const CAIRN_DRAW_BOXES: cairn_draw_layers = 1024;
/// Ids of bodies.
pub const CAIRN_DRAW_IDS: cairn_draw_layers = 2048;
/// Marks on bodies with warnings.
pub const CAIRN_DRAW_WARNINGS: cairn_draw_layers = 4096;
/// Agents and obstacles of a crowd.
pub const CAIRN_DRAW_AGENTS: cairn_draw_layers = 8192;
/// Half-planes of velocities that agents must not choose.
pub const CAIRN_DRAW_HALF_PLANES: cairn_draw_layers = 16384;
/// All layers.
pub const CAIRN_DRAW_ALL: cairn_draw_layers = 32767;

/// The layers in the order of their bits.
const LAYERS: [Layer; 15] = [
    Layer::Shapes,
    Layer::Sleep,
    Layer::Joints,
    Layer::JointParts,
    Layer::Contacts,
    Layer::Normals,
    Layer::Impulses,
    Layer::Velocities,
    Layer::Centers,
    Layer::Islands,
    Layer::FatBoxes,
    Layer::Ids,
    Layer::Warnings,
    Layer::Agents,
    Layer::HalfPlanes,
];

/// What is drawn, and how: start from cairn_default_draw_def().
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_draw_def {
    /// Layers: see cairn_draw_layers.
    pub layers: cairn_draw_layers,
    /// Whether `view` counts.
    pub has_view: cairn_bool,
    /// Whether the colors suit a dark background.
    pub dark: cairn_bool,
    /// Box outside of which nothing is drawn [m].
    pub view: cairn_box,
    /// Pixels of a meter: decides the accuracy of round outlines and the sizes of points and arrows.
    pub pixels_per_meter: f32,
    /// Width of outlines [px].
    pub line_width: f32,
    /// Drawn length of an impulse [m/(N s)].
    pub impulse_scale: f32,
    /// Drawn length of a velocity, as a time [s].
    pub velocity_time: f32,
    /// Vertices are relative to this point [m]: near the camera, floats are accurate.
    pub origin: cairn_position,
}

/// Returns the usual layers in colors for a bright background, at 40 pixels per meter.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_default_draw_def() -> cairn_draw_def {
    let options = DrawOptions::default();
    let layers = LAYERS.iter().enumerate();
    let layers = layers.filter(|(_, layer)| options.layers.contains(**layer));
    cairn_draw_def {
        layers: layers.map(|(bit, _)| 1 << bit).sum(),
        has_view: CAIRN_FALSE,
        dark: CAIRN_FALSE,
        view: cairn_box::default(),
        pixels_per_meter: 40.0,
        line_width: options.line_width,
        impulse_scale: options.impulse_scale,
        velocity_time: options.velocity_time,
        origin: cairn_position::default(),
    }
}

impl cairn_draw_def {
    fn options(&self) -> Result<DrawOptions, Failure> {
        if self.layers & !CAIRN_DRAW_ALL != 0 {
            return Err(Failure::unknown("layers", self.layers));
        }
        if !(self.pixels_per_meter > 0.0 && self.pixels_per_meter.is_finite()) {
            return Err(Failure::value("pixels_per_meter is not positive"));
        }
        let numbers = [self.line_width, self.impulse_scale, self.velocity_time];
        let finite = numbers.iter().all(|number| number.is_finite());
        if !finite || !WorldPoint::from(self.origin).is_finite() {
            return Err(Failure::value("a number of the drawing is not finite"));
        }
        let layers = LAYERS.iter().enumerate();
        let layers = layers.filter(|(bit, _)| self.layers & (1 << bit) != 0);
        let view = (self.has_view != CAIRN_FALSE).then(|| self.view.aabb("view"));
        Ok(DrawOptions {
            layers: layers.fold(Layers::NONE, |layers, (_, layer)| layers.with(*layer)),
            view: view.transpose()?,
            palette: if self.dark == CAIRN_FALSE {
                Palette::light()
            } else {
                Palette::dark()
            },
            line_width: self.line_width,
            impulse_scale: self.impulse_scale,
            velocity_time: self.velocity_time,
            ..DrawOptions::default()
        })
    }
}

/// A color: red, green, blue and opacity, each 0 to 255; not premultiplied.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct cairn_color {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
    /// Opacity.
    pub a: u8,
}

impl From<Color> for cairn_color {
    fn from(color: Color) -> Self {
        Self {
            r: color.r,
            g: color.g,
            b: color.b,
            a: color.a,
        }
    }
}

/// Fill and outline.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_draw_style {
    /// Color of the outline.
    pub line: cairn_color,
    /// Color of the fill; opacity 0: none.
    pub fill: cairn_color,
    /// Width of the outline [px]; 0: none.
    pub width: f32,
    /// Whether the outline is dashed.
    pub dashed: cairn_bool,
}

impl From<&Style> for cairn_draw_style {
    fn from(style: &Style) -> Self {
        Self {
            line: style.line.into(),
            fill: style.fill.map_or_else(Default::default, Into::into),
            width: style.width,
            dashed: (style.dash == Dash::Dashed).into(),
        }
    }
}

/// Functions of the caller that draw; null ones are skipped. They may read the world, must not change it and must not throw.
/// What the pointers point to is valid during the call.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct cairn_draw_callbacks {
    /// Handed to each function.
    pub context: *mut c_void,
    /// Draws a convex polygon, counter-clockwise; round shapes are polygons, too.
    pub polygon: Option<
        extern "C" fn(
            context: *mut c_void,
            corners: *const cairn_position,
            corner_count: usize,
            style: *const cairn_draw_style,
        ),
    >,
    /// Draws a line.
    pub segment: Option<
        extern "C" fn(
            context: *mut c_void,
            a: *const cairn_position,
            b: *const cairn_position,
            style: *const cairn_draw_style,
        ),
    >,
    /// Draws a point with a diameter of `size` pixels.
    pub point: Option<
        extern "C" fn(
            context: *mut c_void,
            at: *const cairn_position,
            size: f32,
            color: *const cairn_color,
        ),
    >,
    /// Draws one line of UTF-8 text, centered at a point.
    pub text: Option<
        extern "C" fn(
            context: *mut c_void,
            at: *const cairn_position,
            text: *const c_char,
            color: *const cairn_color,
        ),
    >,
}

/// A renderer that calls the caller's functions.
struct Pen {
    callbacks: cairn_draw_callbacks,
    pixels_per_meter: f32,
}

impl DebugDraw for Pen {
    fn polygon(&mut self, corners: &[WorldPoint], style: &Style) {
        if let Some(draw) = self.callbacks.polygon {
            let corners: Vec<cairn_position> = corners.iter().map(|&at| at.into()).collect();
            let style = style.into();
            draw(
                self.callbacks.context,
                corners.as_ptr(),
                corners.len(),
                &raw const style,
            );
        }
    }

    fn segment(&mut self, a: WorldPoint, b: WorldPoint, style: &Style) {
        if let Some(draw) = self.callbacks.segment {
            let (a, b, style) = (a.into(), b.into(), style.into());
            draw(
                self.callbacks.context,
                &raw const a,
                &raw const b,
                &raw const style,
            );
        }
    }

    fn point(&mut self, at: WorldPoint, size: f32, color: Color) {
        if let Some(draw) = self.callbacks.point {
            let (at, color) = (at.into(), color.into());
            draw(
                self.callbacks.context,
                &raw const at,
                size,
                &raw const color,
            );
        }
    }

    fn text(&mut self, at: WorldPoint, text: &str, color: Color) {
        if let Some(draw) = self.callbacks.text {
            let (at, color) = (at.into(), color.into());
            let text = CString::new(text).unwrap_or_default();
            draw(
                self.callbacks.context,
                &raw const at,
                text.as_ptr(),
                &raw const color,
            );
        }
    }

    fn pixels_per_meter(&self) -> f32 {
        self.pixels_per_meter
    }
}

fn draw_with(
    drawn: &impl Draw,
    def: *const cairn_draw_def,
    callbacks: *const cairn_draw_callbacks,
) -> Result<(), Failure> {
    let def = get_optional(def, "def")?.unwrap_or_else(|| cairn_default_draw_def());
    let mut pen = Pen {
        callbacks: get(callbacks, "callbacks")?,
        pixels_per_meter: def.pixels_per_meter,
    };
    drawn.draw(&mut pen, &def.options()?);
    Ok(())
}

/// Draws a world with the functions of the caller. A null `def` is the default.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_draw(
    world: *const cairn_world,
    def: *const cairn_draw_def,
    callbacks: *const cairn_draw_callbacks,
) -> cairn_result {
    call(|| read(world, |world| draw_with(world, def, callbacks)))
}

/// Draws a crowd with the functions of the caller. A null `def` is the default.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_crowd_draw(
    crowd: *const cairn_crowd,
    def: *const cairn_draw_def,
    callbacks: *const cairn_draw_callbacks,
) -> cairn_result {
    call(|| read(crowd, |walkers| draw_with(walkers.crowd(), def, callbacks)))
}

/// A vertex of a triangle or line: 12 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_draw_vertex {
    /// Place relative to cairn_draw_def.origin [m].
    pub x: f32,
    /// Place relative to cairn_draw_def.origin [m].
    pub y: f32,
    /// Color.
    pub color: cairn_color,
}

/// A renderer that collects triangles and lines.
struct Mesh {
    origin: WorldPoint,
    pixels_per_meter: f32,
    triangles: Vec<cairn_draw_vertex>,
    lines: Vec<cairn_draw_vertex>,
}

impl Mesh {
    fn vertex(&self, at: WorldPoint, color: Color) -> cairn_draw_vertex {
        cairn_draw_vertex {
            x: (at.x - self.origin.x) as f32,
            y: (at.y - self.origin.y) as f32,
            color: color.into(),
        }
    }

    fn fan(&mut self, corners: &[WorldPoint], color: Color) {
        for index in 2..corners.len() {
            for at in [corners[0], corners[index - 1], corners[index]] {
                let vertex = self.vertex(at, color);
                self.triangles.push(vertex);
            }
        }
    }
}

impl DebugDraw for Mesh {
    fn polygon(&mut self, corners: &[WorldPoint], style: &Style) {
        if let Some(fill) = style.fill {
            self.fan(corners, fill);
        }
        if style.width > 0.0 {
            for (index, &end) in corners.iter().enumerate() {
                let start = corners[index.checked_sub(1).unwrap_or(corners.len() - 1)];
                self.segment(start, end, style);
            }
        }
    }

    fn segment(&mut self, a: WorldPoint, b: WorldPoint, style: &Style) {
        let ends = [self.vertex(a, style.line), self.vertex(b, style.line)];
        self.lines.extend(ends);
    }

    /// A point is a square of two triangles.
    fn point(&mut self, at: WorldPoint, size: f32, color: Color) {
        let half = f64::from(0.5 * size / self.pixels_per_meter);
        let corner = |x: f64, y: f64| WorldPoint::new(at.x + x * half, at.y + y * half);
        let corners = [
            corner(-1.0, -1.0),
            corner(1.0, -1.0),
            corner(1.0, 1.0),
            corner(-1.0, 1.0),
        ];
        self.fan(&corners, color);
    }

    /// Meshes hold no text.
    fn text(&mut self, _: WorldPoint, _: &str, _: Color) {}

    fn pixels_per_meter(&self) -> f32 {
        self.pixels_per_meter
    }
}

/// Writes a drawing of a world as triangles (three vertices each, counter-clockwise) and lines (two vertices each). If a buffer
/// is too small, the first vertices are written, and the counts tell how many there are. Text is left out.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_draw_vertices(
    world: *const cairn_world,
    def: *const cairn_draw_def,
    triangles: *mut cairn_draw_vertex,
    triangle_capacity: usize,
    triangle_count: *mut usize,
    lines: *mut cairn_draw_vertex,
    line_capacity: usize,
    line_count: *mut usize,
) -> cairn_result {
    call(|| {
        let def = get_optional(def, "def")?.unwrap_or_else(|| cairn_default_draw_def());
        let options = def.options()?;
        check_result(triangle_count, "triangle_count")?;
        check_result(line_count, "line_count")?;
        let mut mesh = Mesh {
            origin: def.origin.into(),
            pixels_per_meter: def.pixels_per_meter,
            triangles: Vec::new(),
            lines: Vec::new(),
        };
        read(world, |world| {
            world.draw(&mut mesh, &options);
            Ok(())
        })?;
        // Both are written before either can fail the call.
        let filled = fill(mesh.triangles, triangles, triangle_capacity, triangle_count);
        fill(mesh.lines, lines, line_capacity, line_count).and(filled)
    })
}
