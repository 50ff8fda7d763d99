//! Drawing of bodies and joints.

use super::color::{Color, Dash, Style};
use super::internals::warned_bodies;
use super::options::{DrawOptions, Layer};
use super::pen::DebugDraw;
use cairn2d_dynamics::{BodyKind, BodyRef, ShapeRef, World};
use cairn2d_geometry::Shape;
use cairn2d_geometry::math::{Point, Pose, Rotation, WorldPoint, rotation, vec2};
use std::collections::BTreeSet;

/// Maximum width of an outline as a share of the drawn size of the shape: small shapes must show their color.
const OUTLINE_SHARE: f32 = 0.08;

/// Minimum width of an outline \[px\].
const MIN_LINE_WIDTH: f32 = 0.25;

/// Length of a shape relative to the width of a line, from which it is drawn as a line if it is thinner than one: a card
/// would be a hairline.
const LONG_SHAPE: f32 = 10.0;

/// Length of the arrow along the direction of a one-way shape \[px\].
const ONE_WAY_ARROW: f32 = 16.0;

/// Opacity of the fill of sensors.
const SENSOR_SHARE: f32 = 0.15;

/// Draws the shapes: those of static bodies first, those of dynamic bodies last.
pub(super) fn draw_bodies(world: &World, pen: &mut impl DebugDraw, options: &DrawOptions) {
    if !options.shows(Layer::Shapes) {
        return;
    }
    let warned = if options.shows(Layer::Warnings) {
        warned_bodies(world)
    } else {
        BTreeSet::new()
    };
    for kind in [BodyKind::Static, BodyKind::Kinematic, BodyKind::Dynamic] {
        for body in world
            .bodies()
            .filter(|body| body.kind() == kind && body.is_enabled())
        {
            let color = if warned.contains(&body.id()) {
                options.palette.warning
            } else {
                body_color(&body, options)
            };
            for shape in body.shapes() {
                draw_shape(&body, &shape, color, pen, options);
            }
        }
    }
}

fn body_color(body: &BodyRef<'_>, options: &DrawOptions) -> Color {
    let palette = &options.palette;
    let island = body.island().filter(|_| options.shows(Layer::Islands));
    let own = match (island, (options.body_color)(body)) {
        (Some(island), _) => palette.by_index(island),
        (None, Some(color)) => color,
        (None, None) => match body.kind() {
            BodyKind::Static => palette.fixed,
            BodyKind::Kinematic => palette.kinematic,
            BodyKind::Dynamic => palette.dynamic,
        },
    };
    let sleeps = body.kind() == BodyKind::Dynamic && !body.is_awake();
    if sleeps && options.shows(Layer::Sleep) {
        palette.asleep(own)
    } else {
        own
    }
}

/// Length of a half-space, to each side of its point, in a drawing without a view \[m\].
const HALF_SPACE_REACH: f32 = 100.0;

fn draw_shape(
    body: &BodyRef<'_>,
    shape: &ShapeRef<'_>,
    color: Color,
    pen: &mut impl DebugDraw,
    options: &DrawOptions,
) {
    if !options.sees(&shape.fat_box()) {
        return;
    }
    let geometry = shape.geometry();
    let sensor = shape.is_sensor();
    let style = if sensor {
        let color = options.palette.sensor;
        Style {
            fill: Some(color.faded(SENSOR_SHARE)),
            line: color,
            width: options.line_width,
            dash: Dash::Dashed,
        }
    } else {
        let width = outline_width(geometry, pen.pixels_per_meter(), options);
        options.palette.body(color, width)
    };
    let place = |p: Point| body.to_world_exact(p);
    let view = options.view.map(|view| {
        let center = body.to_local(WorldPoint::from(view.center()));
        (center, view.extents().norm())
    });
    draw_geometry(geometry, place, body.rotation(), view, &style, pen);
    if let Some(direction) = shape.material().one_way {
        let middle = body.to_world_exact(geometry.aabb(&Pose::identity()).center());
        let length = ONE_WAY_ARROW / pen.pixels_per_meter();
        let tip = middle + body.rotation() * direction * length;
        pen.arrow(middle, tip, &Style::line(style.line, options.line_width));
    }
    if let (Shape::Circle(circle), false) = (geometry, sensor) {
        let rim = circle.center() + vec2(circle.radius(), 0.0);
        let [center, rim] = [circle.center(), rim].map(|p| body.to_world_exact(p));
        pen.segment(
            center,
            rim,
            &Style {
                fill: None,
                ..style
            },
        );
    }
}

/// Returns the width of the outline \[px\]: thin on small shapes, heavier on lines, which have no fill.
fn outline_width(geometry: &Shape, scale: f32, options: &DrawOptions) -> f32 {
    match geometry {
        Shape::Segment(_) => 2.0 * options.line_width,
        Shape::ChainSegment(_) => 1.5 * options.line_width,
        _ => {
            let thickness = 2.0 * geometry.min_extent() * scale;
            let width = options.line_width.min(OUTLINE_SHARE * thickness);
            let length = || geometry.aabb(&Pose::identity()).extents().norm() * scale;
            if thickness < options.line_width && length() > LONG_SHAPE * options.line_width {
                options.line_width
            } else {
                width.max(MIN_LINE_WIDTH)
            }
        }
    }
}

/// Draws a shape without body at `position` \[m\] and `angle` \[rad\], such as the shape of a query or a
/// preview.
pub fn draw_shape_at(
    pen: &mut impl DebugDraw,
    shape: &Shape,
    position: WorldPoint,
    angle: f32,
    style: &Style,
) {
    let turn = rotation(angle);
    draw_geometry(
        shape,
        |p| position + turn * p.coords,
        turn,
        None,
        style,
        pen,
    );
}

/// Draws a shape; `view` is the center of the visible area in the frame of the shape, and its radius \[m\].
fn draw_geometry(
    geometry: &Shape,
    place: impl Fn(Point) -> WorldPoint,
    turn: Rotation,
    view: Option<(Point, f32)>,
    style: &Style,
    pen: &mut impl DebugDraw,
) {
    match geometry {
        Shape::Circle(s) => pen.circle(place(s.center()), s.radius(), style),
        Shape::Capsule(s) => pen.capsule(place(s.a()), place(s.b()), s.radius(), style),
        Shape::Polygon(s) => {
            let corners: Vec<WorldPoint> = s.vertices().iter().map(|&p| place(p)).collect();
            if s.radius() > 0.0 {
                pen.rounded_polygon(&corners, s.radius(), style);
            } else {
                pen.polygon(&corners, style);
            }
        }
        Shape::Ellipse(s) => {
            let turn = turn * rotation(s.angle());
            pen.ellipse(place(s.center()), s.radii(), turn, style);
        }
        Shape::Segment(s) => pen.segment(place(s.a()), place(s.b()), style),
        Shape::ChainSegment(s) => pen.one_sided(place(s.a()), place(s.b()), style),
        Shape::HalfSpace(s) => {
            let (center, reach) = view.unwrap_or((s.point(), HALF_SPACE_REACH));
            // A little more than is seen, so that the sides are not.
            pen.polygon(&s.square_near(center, 1.5 * reach).map(place), style);
        }
        _ => {}
    }
}
