//! The legend of colors and marks, in a corner of the view.

use crate::pen::to_egui;
use crate::theme::{FAINT, PALETTE};
use cairn2d::draw::{Color, Layer, Layers};
use cairn2d::prelude::{BodyKind, JointDef, World};
use eframe::egui::{Align2, FontId, Painter, Rect, Stroke, pos2, vec2};

/// Height of a line [points].
const LINE: f32 = 17.0;

/// Width of the longest line [points].
const WIDTH: f32 = 155.0;

/// Side of a swatch [points].
const SWATCH: f32 = 9.0;

/// Distance to the edges of the view; the words under the pointer are below [points].
const MARGIN: (f32, f32) = (18.0, 42.0);

/// Symbol of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Filled,
    Outlined,
    Line,
    Dot,
}

type Entry = (&'static str, Mark, Color);

/// Draws a line for each kind of thing that the world has and the layers show.
pub(crate) fn draw(painter: &Painter, view: Rect, world: &World, layers: Layers) {
    let entries = entries(world, layers);
    let top = view.bottom() - MARGIN.1 - LINE * entries.len() as f32;
    let corner = pos2(view.left() + MARGIN.0, top);
    let size = vec2(WIDTH, LINE * entries.len() as f32);
    let behind = Rect::from_min_size(corner, size).expand(6.0);
    painter.rect_filled(behind, 5.0, to_egui(PALETTE.background.faded(0.75)));
    for (i, (words, mark, color)) in entries.into_iter().enumerate() {
        let middle = pos2(view.left() + MARGIN.0, top + LINE * (i as f32 + 0.5));
        let swatch = Rect::from_center_size(middle + vec2(0.5 * SWATCH, 0.0), vec2(SWATCH, SWATCH));
        let color = to_egui(color);
        match mark {
            Mark::Filled => painter.rect_filled(swatch, 2.0, color),
            Mark::Outlined => painter.rect_stroke(
                swatch,
                0.0,
                Stroke::new(1.2, color),
                eframe::egui::StrokeKind::Inside,
            ),
            Mark::Line => {
                painter.line_segment([swatch.left_center(), swatch.right_center()], (2.0, color))
            }
            Mark::Dot => painter.circle_filled(swatch.center(), 0.25 * SWATCH, color),
        };
        let at = middle + vec2(SWATCH + 8.0, 0.0);
        let font = FontId::proportional(12.0);
        painter.text(at, Align2::LEFT_CENTER, words, font, FAINT);
    }
}

fn entries(world: &World, layers: Layers) -> Vec<Entry> {
    let mut entries = Vec::new();
    if layers.contains(Layer::Shapes) {
        entries.extend(body_entries(world, layers));
    }
    entries.extend(joint_entries(world, layers));
    let p = &PALETTE;
    let layered: [(Layer, Entry); 11] = [
        (Layer::Contacts, ("contact point", Mark::Dot, p.contact)),
        (Layer::Normals, ("contact normal", Mark::Line, p.contact)),
        (Layer::Impulses, ("normal impulse", Mark::Line, p.impulse)),
        (
            Layer::Impulses,
            ("friction impulse", Mark::Line, p.friction),
        ),
        (Layer::Velocities, ("velocity", Mark::Line, p.velocity)),
        (Layer::Centers, ("x axis of a body", Mark::Line, p.axes[0])),
        (Layer::Centers, ("y axis of a body", Mark::Line, p.axes[1])),
        (
            Layer::Islands,
            ("island, a color each", Mark::Outlined, p.cycle[0]),
        ),
        (Layer::Graph, ("constraint color", Mark::Dot, p.cycle[1])),
        (
            Layer::FatBoxes,
            ("box of a shape", Mark::Outlined, p.fat_box),
        ),
        (Layer::Tree, ("node of a tree", Mark::Outlined, p.tree)),
    ];
    let shown = layered
        .into_iter()
        .filter(|(layer, _)| layers.contains(*layer));
    entries.extend(shown.map(|(_, entry)| entry));
    entries
}

fn body_entries(world: &World, layers: Layers) -> impl Iterator<Item = Entry> {
    let has = |kind: BodyKind| world.bodies().any(|body| body.kind() == kind);
    let sleeps = layers.contains(Layer::Sleep)
        && world
            .bodies()
            .any(|body| body.kind() == BodyKind::Dynamic && !body.is_awake());
    let has_sensor = world.shapes().any(|shape| shape.is_sensor());
    let has_warning = layers.contains(Layer::Warnings) && !world.warnings().is_empty();
    let p = &PALETTE;
    [
        (has(BodyKind::Static), ("static", Mark::Filled, p.fixed)),
        (
            has(BodyKind::Kinematic),
            ("kinematic", Mark::Filled, p.kinematic),
        ),
        (
            has(BodyKind::Dynamic),
            ("dynamic, any other color", Mark::Filled, p.dynamic),
        ),
        (sleeps, ("asleep, paler", Mark::Filled, p.asleep(p.dynamic))),
        (has_sensor, ("sensor", Mark::Outlined, p.sensor)),
        (has_warning, ("warning", Mark::Filled, p.warning)),
    ]
    .into_iter()
    .filter_map(|(is_there, entry)| is_there.then_some(entry))
}

fn joint_entries(world: &World, layers: Layers) -> impl Iterator<Item = Entry> {
    let has_parts = layers.contains(Layer::JointParts);
    let mut has = [
        layers.contains(Layer::Joints) && world.joint_count() > 0,
        false,
        false,
        false,
    ];
    for joint in world.joints().filter(|_| has_parts) {
        let (limit, motor, spring) = match joint.def() {
            JointDef::Revolute(def) => (
                def.limit.is_some(),
                def.motor.is_some(),
                def.spring.is_some(),
            ),
            JointDef::Prismatic(def) => (
                def.limit.is_some(),
                def.motor.is_some(),
                def.spring.is_some(),
            ),
            JointDef::Wheel(def) => (
                def.limit.is_some(),
                def.motor.is_some(),
                def.spring.is_some(),
            ),
            JointDef::Distance(def) => (
                def.limit.is_some(),
                def.motor.is_some(),
                def.spring.is_some(),
            ),
            JointDef::Motor(def) => (false, true, def.linear_spring.is_some()),
            JointDef::Mouse(_) => (false, false, true),
            _ => continue,
        };
        has[1] |= limit;
        has[2] |= motor;
        has[3] |= spring;
    }
    let p = &PALETTE;
    let entries = [
        ("joint", Mark::Line, p.joint),
        ("limit of a joint", Mark::Line, p.contact),
        ("motor", Mark::Line, p.velocity),
        ("spring", Mark::Line, p.impulse),
    ];
    has.into_iter()
        .zip(entries)
        .filter_map(|(is_there, entry)| is_there.then_some(entry))
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenes::registry;

    #[test]
    fn the_legend_has_what_is_there_and_shown() {
        let words = |scene: &str, layers: Layers| -> Vec<&str> {
            let stage = registry::find(scene).unwrap().run(2);
            entries(&stage.world, layers)
                .into_iter()
                .map(|(words, _, _)| words)
                .collect()
        };
        assert_eq!(
            words("stack", Layers::USUAL),
            ["static", "dynamic, any other color"]
        );
        let car = words("car", Layers::USUAL.with(Layer::JointParts));
        assert!(
            car.contains(&"motor") && !car.contains(&"spring"),
            "{car:?}"
        );
        assert!(words("car", Layers::NONE).is_empty());
        let lift = words(
            "lift",
            Layers::NONE.with(Layer::Shapes).with(Layer::Contacts),
        );
        assert!(
            lift.contains(&"kinematic") && lift.contains(&"contact point"),
            "{lift:?}"
        );
    }
}
