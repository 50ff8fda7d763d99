//! Drawing of internal data: contacts, velocities, islands, boxes, ids.

use super::color::{Color, Style};
use super::options::{DrawOptions, Layer};
use super::pen::DebugDraw;
use cairn2d_dynamics::{BodyId, BodyKind, ContactPointRef, ContactRef, Warning, World};
use cairn2d_geometry::Aabb;
use cairn2d_geometry::math::{WorldPoint, point, right_perp, vec2};
use std::collections::{BTreeMap, BTreeSet};

/// Length of a contact normal \[px\].
const NORMAL_LENGTH: f32 = 14.0;

/// Maximum length of a normal in the world \[m\]: at small scales, contacts must not hide bodies.
const MAX_NORMAL: f32 = 0.3;

/// Diameter of a contact point \[px\].
const CONTACT_SIZE: f32 = 4.4;

/// Maximum diameter of a contact point in the world \[m\].
const MAX_CONTACT: f32 = 0.12;

/// Diameter of a center of mass \[px\].
const CENTER_SIZE: f32 = 3.2;

/// Length of the axes at a center of mass \[px\].
const AXIS_LENGTH: f32 = 9.0;

/// Width of the cross on a body with a warning \[px\].
const CROSS_SIZE: f32 = 12.0;

/// Opacity of boxes.
const BOX_SHARE: f32 = 0.5;

/// Width of arrows and boxes \[px\].
const THIN: f32 = 1.0;

pub(super) fn draw_internals(world: &World, pen: &mut impl DebugDraw, options: &DrawOptions) {
    if options.shows(Layer::Tree) {
        draw_tree(world, pen, options);
    }
    if options.shows(Layer::FatBoxes) {
        let style = Style::line(options.palette.fat_box.faded(BOX_SHARE), 0.8);
        for shape in world.shapes() {
            draw_box(&shape.fat_box(), &style, pen, options);
        }
    }
    if options.shows(Layer::Islands) {
        draw_islands(world, pen, options);
    }
    draw_motion(world, pen, options);
    draw_contacts(world, pen, options);
    if options.shows(Layer::Warnings) {
        draw_warnings(world, pen, options);
    }
}

/// Draws a cross on each body with a warning: such a body may have no shape that shows the warning color.
fn draw_warnings(world: &World, pen: &mut impl DebugDraw, options: &DrawOptions) {
    let arm = 0.5 * CROSS_SIZE / pen.pixels_per_meter();
    let style = Style::line(options.palette.warning, 1.5 * THIN);
    for body in warned_bodies(world) {
        let center = world.body(body).center_exact();
        let place = center.to_point();
        if options.sees(&Aabb::new(place, place)) {
            for diagonal in [vec2(arm, arm), vec2(arm, -arm)] {
                pen.segment(center - diagonal, center + diagonal, &style);
            }
        }
    }
}

/// Returns the bodies with a warning, each once.
pub(super) fn warned_bodies(world: &World) -> BTreeSet<BodyId> {
    let warnings = world.warnings();
    warnings.iter().filter_map(Warning::body).collect()
}

fn draw_box(aabb: &Aabb, style: &Style, pen: &mut impl DebugDraw, options: &DrawOptions) {
    if !options.sees(aabb) {
        return;
    }
    let (low, high) = (aabb.min, aabb.max);
    let corners = [low, point(high.x, low.y), high, point(low.x, high.y)];
    pen.polygon(&corners.map(WorldPoint::from), style);
}

/// Draws the boxes of the nodes, more opaque at higher levels.
fn draw_tree(world: &World, pen: &mut impl DebugDraw, options: &DrawOptions) {
    world.visit_tree_boxes(|level, aabb| {
        let share = (0.25 + 0.15 * level as f32).min(1.0);
        let style = Style::line(options.palette.tree.faded(share), THIN);
        draw_box(aabb, &style, pen, options);
    });
}

/// Draws a box around the shapes of each awake island.
fn draw_islands(world: &World, pen: &mut impl DebugDraw, options: &DrawOptions) {
    let mut islands: BTreeMap<u32, Aabb> = BTreeMap::new();
    for body in world.bodies().filter(cairn2d_dynamics::BodyRef::is_awake) {
        let Some(island) = body.island() else {
            continue;
        };
        for shape in body.shapes() {
            let whole = islands.entry(island).or_insert(shape.fat_box());
            *whole = whole.union(&shape.fat_box());
        }
    }
    for (island, aabb) in islands {
        let style = Style::line(options.palette.by_index(island), THIN);
        draw_box(&aabb, &style, pen, options);
    }
}

/// Draws centers, velocities and ids of kinematic and dynamic bodies.
fn draw_motion(world: &World, pen: &mut impl DebugDraw, options: &DrawOptions) {
    let [centers, velocities, ids] =
        [Layer::Centers, Layer::Velocities, Layer::Ids].map(|layer| options.shows(layer));
    if !centers && !velocities && !ids {
        return;
    }
    let palette = &options.palette;
    let arrow = Style::line(palette.velocity, THIN);
    for body in world
        .bodies()
        .filter(|body| body.kind() != BodyKind::Static && body.is_enabled())
    {
        let center = body.center_exact();
        let ahead = center + body.velocity() * options.velocity_time;
        if !options.sees(&Aabb::from_points(&[center.to_point(), ahead.to_point()])) {
            continue;
        }
        if velocities {
            pen.arrow(center, ahead, &arrow);
        }
        if centers {
            let length = AXIS_LENGTH / pen.pixels_per_meter();
            pen.transform(center, body.rotation(), length, palette.axes);
            pen.point(center, CENTER_SIZE, palette.foreground);
        }
        if ids {
            pen.text(center, &format!("{:?}", body.id()), palette.foreground);
        }
    }
}

fn draw_contacts(world: &World, pen: &mut impl DebugDraw, options: &DrawOptions) {
    let layers = [
        Layer::Contacts,
        Layer::Normals,
        Layer::Impulses,
        Layer::Graph,
    ];
    if !layers.into_iter().any(|layer| options.shows(layer)) {
        return;
    }
    for contact in world.contacts() {
        let color = match contact.color().filter(|_| options.shows(Layer::Graph)) {
            Some(number) => options.palette.by_index(number),
            None => options.palette.contact,
        };
        for at in contact.points() {
            let place = at.point.to_point();
            if options.sees(&Aabb::new(place, place)) {
                draw_contact_point(&contact, &at, color, pen, options);
            }
        }
    }
}

fn draw_contact_point(
    contact: &ContactRef<'_>,
    at: &ContactPointRef,
    color: Color,
    pen: &mut impl DebugDraw,
    options: &DrawOptions,
) {
    let normal = contact.normal();
    if options.shows(Layer::Normals) {
        let length = (NORMAL_LENGTH / pen.pixels_per_meter()).min(MAX_NORMAL);
        let to = at.point + normal * length;
        pen.arrow(at.point, to, &Style::line(color, THIN));
    }
    if options.shows(Layer::Impulses) {
        let (palette, scale) = (&options.palette, options.impulse_scale);
        let normal_end = at.point + normal * (at.normal_impulse * scale);
        let tangent_end = at.point + right_perp(&normal) * (at.tangent_impulse * scale);
        pen.arrow(at.point, tangent_end, &Style::line(palette.friction, THIN));
        pen.arrow(
            at.point,
            normal_end,
            &Style::line(palette.impulse, 1.5 * THIN),
        );
    }
    if options.shows(Layer::Contacts) || options.shows(Layer::Graph) {
        let size = CONTACT_SIZE.min(MAX_CONTACT * pen.pixels_per_meter());
        pen.point(at.point, size, color);
    }
}
