//! A world on a canvas: shapes, then joints, contacts and marks, then words.

use super::backdrop::{draw_caption, draw_grid, draw_scale_bar, small_print};
use super::canvas::{Align, Canvas, rectangle};
use super::color::{
    CONTACT, FAT_BOX, HIT, Ink, JOINT, KINEMATIC, MISS, SENSOR, STATIC, TEXT, VELOCITY, asleep,
    dynamic_fill, outline_of,
};
use super::outline::{Outline, outline};
use crate::mark::{Mark, Tone};
use crate::scene::{DT, Stage};
use crate::view::{Camera, Frame};
use cairn2d::dynamics::{BodyRef, JointRef, ShapeRef};
use cairn2d::prelude::{BodyKind, JointDef, Point, Shape, World, WorldPoint, point, vec2};

/// How much of the engine's inside a picture shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// Bodies and joints.
    #[default]
    Plain,
    /// Also contacts with normals, velocities, centres of mass and the boxes of the broad phase.
    Debug,
}

/// What a picture should be like.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// Heading in the picture.
    pub title: &'a str,
    /// Part of the world to show.
    pub frame: Frame,
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
    /// How much to show.
    pub detail: Detail,
}

/// Width of an outline [px].
const OUTLINE_WIDTH: f32 = 1.3;

/// Most of a thing's size in the picture that its outline may take.
const OUTLINE_SHARE: f32 = 0.08;

/// Error of round parts [px].
const ROUND_TOLERANCE: f32 = 0.08;

/// Width of the band behind the solid side of a chain [px].
const CHAIN_BAND: f32 = 9.0;

/// Radius of the ring at a joint's anchor [px].
const ANCHOR_RADIUS: f32 = 2.6;

/// Size in the world that the ring may take at most [m]: seen from afar, joints must not hide bodies.
const ANCHOR_SIZE: f32 = 0.12;

/// Length of a contact's normal [px].
const NORMAL_LENGTH: f32 = 14.0;

/// Time that velocity arrows look ahead [s].
const VELOCITY_TIME: f32 = 0.1;

/// Draws a stage.
#[must_use]
pub fn draw(stage: &Stage, picture: &Picture<'_>) -> Canvas {
    let world = &stage.world;
    let mut canvas = Canvas::new(picture.width, picture.height);
    let camera = Camera::fit(&picture.frame, picture.width, picture.height);
    draw_grid(&mut canvas, &camera);
    for kind in [BodyKind::Static, BodyKind::Kinematic, BodyKind::Dynamic] {
        for body in world
            .bodies()
            .filter(|body| body.kind() == kind && body.is_enabled())
        {
            draw_body(&mut canvas, &camera, &body);
        }
    }
    for joint in world.joints() {
        draw_joint(&mut canvas, &camera, world, &joint);
    }
    if picture.detail == Detail::Debug {
        draw_inside(&mut canvas, &camera, world);
    }
    for mark in stage.marks() {
        draw_mark(&mut canvas, &camera, &mark);
    }
    draw_scale_bar(&mut canvas, &camera);
    draw_caption(&mut canvas, picture.title, &state_text(world));
    canvas
}

fn state_text(world: &World) -> String {
    let steps = world.step_count();
    let seconds = steps as f32 * DT;
    let counters = world.counters();
    let mut text = format!(
        "step {steps} ({seconds:.2} s), {} bodies",
        world.body_count()
    );
    if world.joint_count() > 0 {
        text += &format!(", {} joints", world.joint_count());
    }
    text + &format!(", {} awake", counters.awake_bodies)
}

fn draw_body(canvas: &mut Canvas, camera: &Camera, body: &BodyRef<'_>) {
    let fill = match body.kind() {
        BodyKind::Static => STATIC,
        BodyKind::Kinematic => KINEMATIC,
        BodyKind::Dynamic if body.is_awake() => dynamic_fill(body.user_data()),
        BodyKind::Dynamic => asleep(dynamic_fill(body.user_data())),
    };
    for shape in body.shapes() {
        draw_shape(canvas, camera, body, &shape, fill);
    }
}

fn draw_shape(
    canvas: &mut Canvas,
    camera: &Camera,
    body: &BodyRef<'_>,
    shape: &ShapeRef<'_>,
    fill: Ink,
) {
    let geometry = shape.geometry();
    let Outline { points, closed } = outline(geometry, ROUND_TOLERANCE / camera.scale());
    let pixels = to_pixels(camera, body, &points);
    if is_outside(canvas, &pixels) {
        return;
    }
    let dark = outline_of(fill);
    let width = outline_width(&pixels);
    match geometry {
        _ if shape.is_sensor() => {
            canvas.fill(&pixels, SENSOR.alpha(0.15));
            canvas.dashes(&pixels, closed, OUTLINE_WIDTH, SENSOR);
        }
        Shape::ChainSegment(_) => draw_chain_segment(canvas, &pixels, fill),
        Shape::Segment(_) => canvas.stroke(&pixels, false, 2.0 * OUTLINE_WIDTH, dark),
        _ => {
            canvas.fill(&pixels, fill);
            canvas.stroke(&pixels, true, width, dark);
        }
    }
    if let (Shape::Circle(circle), false) = (geometry, shape.is_sensor()) {
        let rim = circle.center() + vec2(circle.radius(), 0.0);
        let spoke = to_pixels(camera, body, &[circle.center(), rim]);
        canvas.stroke(&spoke, false, width, dark);
    }
}

/// Draws a one-sided segment with a band on the side from which it is not solid.
fn draw_chain_segment(canvas: &mut Canvas, pixels: &[Point], fill: Ink) {
    let &[a, b] = pixels else { return };
    let Some(along) = (b - a).try_normalize(f32::EPSILON) else {
        return;
    };
    // Solid to the right of the way from a to b; pixels count downward, so left is (y, -x).
    let behind = vec2(along.y, -along.x) * CHAIN_BAND;
    let band = [a, b, b + behind, a + behind];
    canvas.fill(&band, fill);
    // Covers the seam to the next band.
    canvas.stroke(&band, true, 0.8, fill);
    canvas.line(a, b, 1.5 * OUTLINE_WIDTH, outline_of(fill));
}

fn to_pixels(camera: &Camera, body: &BodyRef<'_>, points: &[Point]) -> Vec<Point> {
    let pixel = |p: &Point| camera.pixel(body.to_world_exact(*p));
    points.iter().map(pixel).collect()
}

fn is_outside(canvas: &Canvas, pixels: &[Point]) -> bool {
    let (width, height) = (canvas.width() as f32, canvas.height() as f32);
    let band = CHAIN_BAND;
    pixels.iter().all(|p| p.x < -band)
        || pixels.iter().all(|p| p.x > width + band)
        || pixels.iter().all(|p| p.y < -band)
        || pixels.iter().all(|p| p.y > height + band)
}

/// Returns a width that leaves small things their color.
fn outline_width(pixels: &[Point]) -> f32 {
    let low = pixels
        .iter()
        .fold(point(f32::MAX, f32::MAX), |low, p| low.inf(p));
    let high = pixels
        .iter()
        .fold(point(f32::MIN, f32::MIN), |high, p| high.sup(p));
    OUTLINE_WIDTH
        .min(OUTLINE_SHARE * (high - low).min())
        .max(0.25)
}

/// Draws a thin line from each moving body's centre to its anchor, one between the anchors, and rings.
fn draw_joint(canvas: &mut Canvas, camera: &Camera, world: &World, joint: &JointRef<'_>) {
    let anchors = joint.anchors().map(|anchor| camera.pixel(anchor));
    let ink = JOINT.alpha(0.75);
    let near = (ANCHOR_SIZE * camera.scale() / ANCHOR_RADIUS).min(1.0);
    if matches!(joint.def(), JointDef::Gear(_) | JointDef::Filter(_)) {
        return;
    }
    for (id, anchor) in joint.bodies().into_iter().zip(anchors) {
        let body = world.body(id);
        if body.kind() != BodyKind::Static {
            canvas.line(
                camera.pixel(body.center_exact()),
                anchor,
                near,
                ink.alpha(0.45),
            );
        }
        canvas.ring(anchor, ANCHOR_RADIUS * near, 1.1 * near, ink);
    }
    match joint.def() {
        JointDef::Pulley(rope) => {
            let wheels = [rope.wheel_a, rope.wheel_b].map(|wheel| camera.pixel(wheel));
            let way = [anchors[0], wheels[0], wheels[1], anchors[1]];
            canvas.stroke(&way, false, 1.4 * near, ink);
        }
        _ => canvas.line(anchors[0], anchors[1], 1.4 * near, ink),
    }
}

fn draw_inside(canvas: &mut Canvas, camera: &Camera, world: &World) {
    for shape in world.shapes() {
        let fat = shape.fat_box();
        let corners = [fat.min, fat.max].map(|corner| camera.pixel(WorldPoint::from(corner)));
        canvas.stroke(
            &rectangle(corners[0], corners[1]),
            true,
            0.8,
            FAT_BOX.alpha(0.5),
        );
    }
    for body in world
        .bodies()
        .filter(|body| body.kind() != BodyKind::Static)
    {
        let center = body.center_exact();
        let ahead = camera.pixel(center + body.velocity() * VELOCITY_TIME);
        canvas.arrow(camera.pixel(center), ahead, 1.0, 5.0, VELOCITY);
        canvas.dot(camera.pixel(center), 1.6, VELOCITY);
    }
    for contact in world.contacts() {
        let normal = contact.normal();
        for at in contact.points() {
            let from = camera.pixel(at.point);
            let to = from + vec2(normal.x, -normal.y) * NORMAL_LENGTH;
            canvas.arrow(from, to, 1.0, 5.0, CONTACT);
            canvas.dot(from, 2.2, CONTACT);
        }
    }
}

fn draw_mark(canvas: &mut Canvas, camera: &Camera, mark: &Mark) {
    let ink_of = |tone: Tone| match tone {
        Tone::Hit => HIT,
        Tone::Miss => MISS,
        Tone::Note => TEXT,
    };
    match mark {
        Mark::Line { from, to, tone } => {
            canvas.line(camera.pixel(*from), camera.pixel(*to), 1.2, ink_of(*tone));
        }
        Mark::Dot { at, tone } => canvas.dot(camera.pixel(*at), 3.0, ink_of(*tone)),
        Mark::Text { at, text } => {
            let size = small_print(canvas);
            canvas.text(text, camera.pixel(*at), size, Align::Middle, TEXT);
        }
    }
}
