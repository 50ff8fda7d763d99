//! The selected shape with its body, or the selected joint: their kinds, and values to edit.

use crate::hand::Selected;
use crate::play::Play;
use crate::theme::FAINT;
use cairn2d::prelude::{
    BodyId, BodyKind, Capsule, Circle, JointDef, JointId, Limit, Locks, Motor, Shape, ShapeId,
    Spring, World, vec2,
};
use core::ops::RangeInclusive;
use eframe::egui::{Checkbox, ComboBox, DragValue, Grid, RichText, Ui};

/// Numbers of either sign.
const ANY: RangeInclusive<f32> = -1.0e6..=1.0e6;

/// Numbers that cannot be negative.
const NOT_NEGATIVE: RangeInclusive<f32> = 0.0..=1.0e6;

/// Radii [m].
const RADII: RangeInclusive<f32> = 0.01..=100.0;

/// Change of a value for each point that the pointer drags it.
const DRAG_SPEED: f64 = 0.02;

/// Shows the selected object, if it still exists.
pub(crate) fn show(ui: &mut Ui, play: &mut Play) {
    let is_live = play.tape.is_none();
    let world = &mut play.stage.world;
    match play.selected {
        Some(Selected::Shape(id)) if world.get_shape(id).is_some() => {
            let body = world.shape(id).body();
            ui.add_enabled_ui(is_live, |ui| {
                show_body(ui, world, body);
                ui.add_space(4.0);
                show_shape(ui, world, id);
            });
        }
        Some(Selected::Joint(id)) if world.get_joint(id).is_some() => {
            ui.add_enabled_ui(is_live, |ui| show_joint(ui, world, id));
        }
        _ => {
            ui.label(
                RichText::new("Click a shape, or the anchor of a joint.")
                    .small()
                    .color(FAINT),
            );
        }
    }
}

fn table(ui: &mut Ui, name: &str, rows: impl FnOnce(&mut Ui)) {
    Grid::new(name)
        .num_columns(2)
        .spacing([12.0, 3.0])
        .show(ui, rows);
}

/// Shows a value to edit with its label. Returns whether the user changed it.
fn number(ui: &mut Ui, label: &str, value: &mut f32, range: RangeInclusive<f32>) -> bool {
    numbers(ui, label, [value], range)
}

fn numbers<const N: usize>(
    ui: &mut Ui,
    label: &str,
    values: [&mut f32; N],
    range: RangeInclusive<f32>,
) -> bool {
    ui.label(RichText::new(label).small());
    let mut changed = false;
    ui.horizontal(|ui| {
        for value in values {
            let before = *value;
            let drag = DragValue::new(value).range(range.clone()).speed(DRAG_SPEED);
            // Limits may be infinite, and stay so until the user changes them.
            let drag = drag.max_decimals(3).clamp_existing_to_range(false);
            if ui.add(drag).changed() {
                changed = true;
            } else {
                *value = before;
            }
        }
    });
    ui.end_row();
    changed
}

fn switch(ui: &mut Ui, label: &str, on: &mut bool) -> bool {
    ui.label(RichText::new(label).small());
    let changed = ui.add(Checkbox::without_text(on)).changed();
    ui.end_row();
    changed
}

fn reading(ui: &mut Ui, label: &str, words: String) {
    ui.label(RichText::new(label).small().color(FAINT));
    ui.label(RichText::new(words).small());
    ui.end_row();
}

fn show_body(ui: &mut Ui, world: &mut World, id: BodyId) {
    let view = world.body(id);
    let title = format!(
        "{id:?}, {:.4} kg, {:.4} kg m\u{B2}",
        view.mass(),
        view.inertia()
    );
    ui.label(RichText::new(title).strong());
    let (mut kind, mut angle) = (view.kind(), view.angle());
    let (exact, before) = (view.position_exact(), view.position());
    let [mut x, mut y] = [before.x, before.y];
    let [mut vx, mut vy] = [view.velocity().x, view.velocity().y];
    let mut spin = view.angular_velocity();
    let (mut scale, [mut linear, mut angular]) = (view.gravity_scale(), view.damping());
    let (mut bullet, mut locks, mut awake) = (view.is_bullet(), view.locks(), view.is_awake());
    table(ui, "body", |ui| {
        if kind_box(ui, &mut kind) {
            world.body_mut(id).set_kind(kind);
        }
        let moved = numbers(ui, "position [m]", [&mut x, &mut y], ANY);
        if moved | number(ui, "angle [rad]", &mut angle, ANY) {
            let to = exact + vec2(x - before.x, y - before.y);
            world.body_mut(id).set_pose(to, angle);
        }
        if numbers(ui, "velocity [m/s]", [&mut vx, &mut vy], ANY) {
            world.body_mut(id).set_velocity(vec2(vx, vy));
        }
        if number(ui, "angular velocity [rad/s]", &mut spin, ANY) {
            world.body_mut(id).set_angular_velocity(spin);
        }
        if number(ui, "gravity scale", &mut scale, ANY) {
            world.body_mut(id).set_gravity_scale(scale);
        }
        if numbers(
            ui,
            "damping [1/s]",
            [&mut linear, &mut angular],
            NOT_NEGATIVE,
        ) {
            world.body_mut(id).set_damping(linear, angular);
        }
        if switch(ui, "bullet", &mut bullet) {
            world.body_mut(id).set_bullet(bullet);
        }
        if lock_boxes(ui, &mut locks) {
            world.body_mut(id).set_locks(locks);
        }
        if kind == BodyKind::Dynamic && switch(ui, "awake", &mut awake) {
            if awake {
                world.body_mut(id).wake();
            } else {
                world.body_mut(id).sleep();
            }
        }
    });
}

fn kind_box(ui: &mut Ui, kind: &mut BodyKind) -> bool {
    let before = *kind;
    ui.label(RichText::new("kind").small());
    ComboBox::from_id_salt("kind")
        .selected_text(format!("{before:?}"))
        .show_ui(ui, |ui| {
            for choice in [BodyKind::Static, BodyKind::Kinematic, BodyKind::Dynamic] {
                ui.selectable_value(kind, choice, format!("{choice:?}"));
            }
        });
    ui.end_row();
    *kind != before
}

fn lock_boxes(ui: &mut Ui, locks: &mut Locks) -> bool {
    let mut changed = false;
    ui.label(RichText::new("locks").small());
    ui.horizontal(|ui| {
        let parts = [
            ("x", &mut locks.x),
            ("y", &mut locks.y),
            ("turn", &mut locks.rotation),
        ];
        for (word, on) in parts {
            changed |= ui.checkbox(on, word).changed();
        }
    });
    ui.end_row();
    changed
}

fn show_shape(ui: &mut Ui, world: &mut World, id: ShapeId) {
    let view = world.shape(id);
    let (mut material, mut density, mut sensor) =
        (view.material(), view.density(), view.is_sensor());
    let (geometry, is_chain) = (
        view.geometry().clone(),
        matches!(view.geometry(), Shape::ChainSegment(_)),
    );
    ui.label(RichText::new(format!("{id:?}, {}", name_of(&geometry))).strong());
    table(ui, "shape", |ui| {
        let mut changed = number(ui, "friction", &mut material.friction, NOT_NEGATIVE);
        changed |= number(ui, "restitution", &mut material.restitution, NOT_NEGATIVE);
        changed |= number(
            ui,
            "rolling resistance",
            &mut material.rolling_resistance,
            NOT_NEGATIVE,
        );
        changed |= number(ui, "surface speed [m/s]", &mut material.surface_speed, ANY);
        if changed {
            world.shape_mut(id).set_material(material);
        }
        if number(ui, "density [kg/m\u{B2}]", &mut density, NOT_NEGATIVE) {
            world.shape_mut(id).set_density(density);
        }
        if let Some(geometry) = edited(ui, &geometry) {
            world.shape_mut(id).set_geometry(geometry);
        }
        if !is_chain && switch(ui, "sensor", &mut sensor) {
            world.shape_mut(id).set_sensor(sensor);
        }
    });
}

const fn name_of(shape: &Shape) -> &'static str {
    match shape {
        Shape::Circle(_) => "circle",
        Shape::Capsule(_) => "capsule",
        Shape::Polygon(_) => "polygon",
        Shape::Ellipse(_) => "ellipse",
        Shape::Segment(_) => "segment",
        Shape::ChainSegment(_) => "segment of a chain",
        Shape::HalfSpace(_) => "half-space",
        _ => "shape",
    }
}

/// Shows the radius of a circle or capsule; returns the shape with the radius that the user chose.
fn edited(ui: &mut Ui, shape: &Shape) -> Option<Shape> {
    match shape {
        Shape::Circle(circle) => {
            let mut radius = circle.radius();
            number(ui, "radius [m]", &mut radius, RADII)
                .then(|| Circle::new(circle.center(), radius).into())
        }
        Shape::Capsule(capsule) => {
            let mut radius = capsule.radius();
            number(ui, "radius [m]", &mut radius, RADII)
                .then(|| Capsule::new(capsule.a(), capsule.b(), radius).into())
        }
        _ => None,
    }
}

/// The parts that several kinds of joints have.
struct Parts<'a> {
    /// Of a distance joint.
    length: Option<&'a mut f32>,
    limit: &'a mut Option<Limit>,
    motor: &'a mut Option<Motor>,
    spring: &'a mut Option<Spring>,
}

fn parts(def: &mut JointDef) -> Option<Parts<'_>> {
    let (length, limit, motor, spring) = match def {
        JointDef::Revolute(def) => (None, &mut def.limit, &mut def.motor, &mut def.spring),
        JointDef::Prismatic(def) => (None, &mut def.limit, &mut def.motor, &mut def.spring),
        JointDef::Wheel(def) => (None, &mut def.limit, &mut def.motor, &mut def.spring),
        JointDef::Distance(def) => {
            let length = Some(&mut def.length);
            (length, &mut def.limit, &mut def.motor, &mut def.spring)
        }
        _ => return None,
    };
    Some(Parts {
        length,
        limit,
        motor,
        spring,
    })
}

const fn title_of(def: &JointDef) -> &'static str {
    match def {
        JointDef::Revolute(_) => "pin",
        JointDef::Prismatic(_) => "slider",
        JointDef::Distance(_) => "distance",
        JointDef::Weld(_) => "weld",
        JointDef::Wheel(_) => "wheel",
        JointDef::Motor(_) => "motor",
        JointDef::Mouse(_) => "mouse",
        JointDef::Pulley(_) => "pulley",
        JointDef::Gear(_) => "gear",
        JointDef::Filter(_) => "filter",
        _ => "joint",
    }
}

fn show_joint(ui: &mut Ui, world: &mut World, id: JointId) {
    let view = world.joint(id);
    let (mut def, mut enabled) = (*view.def(), view.is_enabled());
    let [a, b] = view.bodies();
    let (angle, translation, length) = (view.angle(), view.translation(), view.length());
    let (reaction, gap) = (view.reaction(), view.gap());
    ui.label(RichText::new(format!("{id:?}, {} of {a:?} and {b:?}", title_of(&def))).strong());
    let before = def;
    table(ui, "joint", |ui| {
        if switch(ui, "enabled", &mut enabled) {
            let mut joint = world.joint_mut(id);
            if enabled {
                joint.enable()
            } else {
                joint.disable()
            }
        }
        if let Some(parts) = parts(&mut def) {
            show_parts(ui, parts);
        }
        let base = def.base_mut();
        switch(ui, "bodies collide", &mut base.collide_connected);
        breaking(ui, "breaks by force [N]", &mut base.break_force);
        breaking(ui, "breaks by torque [N m]", &mut base.break_torque);
        reading(ui, "angle", format!("{angle:.3} rad"));
        reading(
            ui,
            "translation, length",
            format!("{translation:.3} m, {length:.3} m"),
        );
        reading(ui, "gap", format!("{:.3} mm", 1.0e3 * gap));
        let (force, torque) = (reaction.force.norm(), reaction.torque);
        reading(ui, "load", format!("{force:.2} N, {torque:.2} N m"));
    });
    if def != before {
        world.set_joint(id, def);
    }
}

fn show_parts(ui: &mut Ui, parts: Parts<'_>) {
    if let Some(length) = parts.length {
        number(ui, "length [m]", length, RADII);
    }
    if let Some(limit) = optional(ui, "limit", parts.limit, || Limit::new(-1.0, 1.0)) {
        // One end pushes the other: limits cannot cross.
        if number(ui, "  lower [rad, m]", &mut limit.lower, ANY) {
            limit.upper = limit.upper.max(limit.lower);
        }
        if number(ui, "  upper [rad, m]", &mut limit.upper, ANY) {
            limit.lower = limit.lower.min(limit.upper);
        }
    }
    if let Some(motor) = optional(ui, "motor", parts.motor, || Motor::new(1.0, 10.0)) {
        number(ui, "  speed [rad/s, m/s]", &mut motor.speed, ANY);
        number(
            ui,
            "  at most [N m, N]",
            &mut motor.max_effort,
            NOT_NEGATIVE,
        );
    }
    if let Some(spring) = optional(ui, "spring", parts.spring, || Spring::new(2.0, 0.5)) {
        number(ui, "  stiffness [Hz]", &mut spring.hertz, NOT_NEGATIVE);
        number(
            ui,
            "  damping ratio",
            &mut spring.damping_ratio,
            NOT_NEGATIVE,
        );
        number(ui, "  target [rad, m]", &mut spring.target, ANY);
    }
}

/// Shows a switch for a part, and returns the part while it is on.
fn optional<'a, T>(
    ui: &mut Ui,
    label: &str,
    part: &'a mut Option<T>,
    usual: impl FnOnce() -> T,
) -> Option<&'a mut T> {
    let mut on = part.is_some();
    if switch(ui, label, &mut on) {
        *part = on.then(usual);
    }
    part.as_mut()
}

/// Shows a limit that is infinite if it is off.
fn breaking(ui: &mut Ui, label: &str, limit: &mut f32) {
    let mut part = limit.is_finite().then_some(*limit);
    if let Some(value) = optional(ui, label, &mut part, || 100.0) {
        number(ui, "  at", value, NOT_NEGATIVE);
    }
    *limit = part.unwrap_or(f32::INFINITY);
}
