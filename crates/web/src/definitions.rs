//! Worlds, bodies, shapes and filters from plain objects.

use crate::error::{refused, thrown};
use crate::fields::{Fields, part, points_of, put};
use cairn2d::{
    BodyDef, BodyId, BodyKind, Capsule, Circle, Ellipse, Filter, Locks, Point, Polygon,
    QueryFilter, Segment, Sensors, Shape, ShapeDef, ShapeError, WorldDef,
};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("definitions.d.ts");

#[wasm_bindgen]
extern "C" {
    /// See `definitions.d.ts`.
    #[wasm_bindgen(typescript_type = "WorldDef")]
    pub type JsWorldDef;
    /// See `definitions.d.ts`.
    #[wasm_bindgen(typescript_type = "BodyDef")]
    pub type JsBodyDef;
    /// See `definitions.d.ts`.
    #[wasm_bindgen(typescript_type = "Shape")]
    pub type JsShape;
    /// See `definitions.d.ts`.
    #[wasm_bindgen(typescript_type = "ShapeDef")]
    pub type JsShapeDef;
    /// See `definitions.d.ts`.
    #[wasm_bindgen(typescript_type = "QueryFilter")]
    pub type JsQueryFilter;
}

/// Returns the definition of a world.
pub(crate) fn world_def(from: &Fields) -> WorldDef {
    let mut def = WorldDef::default();
    if let Some(gravity) = from.gravity() {
        def.gravity = gravity.to_vec2();
    }
    def.substeps = from.substeps().unwrap_or(def.substeps);
    def.solver_budget = from.solver_budget().unwrap_or(def.solver_budget);
    def.sleeping = from.sleeping().unwrap_or(def.sleeping);
    def.continuous = from.continuous().unwrap_or(def.continuous);
    def.bounds = from.bounds().and_then(|bounds| bounds.to_box());
    def
}

/// Returns the kind of body of a word.
pub(crate) fn body_kind(word: &str) -> Result<BodyKind, JsValue> {
    match word {
        "static" => Ok(BodyKind::Static),
        "kinematic" => Ok(BodyKind::Kinematic),
        "dynamic" => Ok(BodyKind::Dynamic),
        _ => Err(refused("type", "must be static, kinematic or dynamic")),
    }
}

/// Returns locks with the changes of a definition.
pub(crate) fn locks(from: &Fields, old: Locks) -> Locks {
    Locks {
        x: from.lock_x().unwrap_or(old.x),
        y: from.lock_y().unwrap_or(old.y),
        rotation: from.fixed_rotation().unwrap_or(old.rotation),
    }
}

/// Returns the definition of a body.
pub(crate) fn body_def(from: &Fields) -> Result<BodyDef, JsValue> {
    let mut def = BodyDef::dynamic();
    if let Some(kind) = from.kind() {
        def.kind = body_kind(&kind)?;
    }
    if let Some(position) = from.position() {
        def.position = position.to_place();
    }
    put(&mut def.angle, from.angle());
    if let Some(velocity) = from.velocity() {
        def.velocity = velocity.to_vec2();
    }
    put(&mut def.angular_velocity, from.angular_velocity());
    put(&mut def.linear_damping, from.linear_damping());
    put(&mut def.angular_damping, from.angular_damping());
    put(&mut def.gravity_scale, from.gravity_scale());
    def.bullet = from.bullet().unwrap_or(def.bullet);
    def.can_sleep = from.can_sleep().unwrap_or(def.can_sleep);
    def.locks = locks(from, def.locks);
    def.user_data = from.user_data().unwrap_or(0.0) as u64;
    Ok(def)
}

/// Returns the geometry of a shape.
pub(crate) fn shape(from: &Fields) -> Result<Shape, JsValue> {
    let number = |value: Option<f64>| value.map_or(f32::NAN, |value| value as f32);
    let place = |value: Option<Fields>| value.map_or(Point::origin(), |value| value.to_point());
    let or_zero = |value: Option<f64>| value.unwrap_or(0.0) as f32;
    let radius = from.radius();
    let made: Result<Shape, ShapeError> = match from.kind().as_deref() {
        Some("circle") => Circle::try_new(place(from.center()), number(radius)).map(Shape::from),
        Some("capsule") => {
            Capsule::try_new(place(from.a()), place(from.b()), number(radius)).map(Shape::from)
        }
        Some("segment") => Segment::try_new(place(from.a()), place(from.b())).map(Shape::from),
        Some("ellipse") => {
            let angle = or_zero(from.angle());
            Ellipse::try_new(
                place(from.center()),
                number(from.rx()),
                number(from.ry()),
                angle,
            )
            .map(Shape::from)
        }
        Some("box") => {
            let half = [number(from.half_width()), number(from.half_height())];
            let (center, angle) = (place(from.center()), or_zero(from.angle()));
            Polygon::try_offset_rectangle(half[0], half[1], center, angle).map(Shape::from)
        }
        Some("polygon") => {
            let numbers = from.points().unwrap_or_default();
            let numbers: Vec<f32> = numbers
                .iter()
                .map(|number| number.as_f64().map_or(f32::NAN, |number| number as f32))
                .collect();
            Polygon::try_rounded_hull(&points_of(&numbers), or_zero(radius)).map(Shape::from)
        }
        _ => {
            return Err(refused(
                "type",
                "must be circle, capsule, segment, ellipse, box or polygon",
            ));
        }
    };
    made.map_err(|error| thrown(&error))
}

/// Returns the bits of a number, or of a default.
fn bits(value: Option<f64>, default: u64) -> u64 {
    value.map_or(default, |value| value as u64)
}

/// Returns the definition of a shape.
pub(crate) fn shape_def(from: &Fields) -> ShapeDef {
    changed_shape_def(from, ShapeDef::default())
}

/// Returns a definition of a shape with the changes of an object.
pub(crate) fn changed_shape_def(from: &Fields, mut def: ShapeDef) -> ShapeDef {
    put(&mut def.density, from.density());
    put(&mut def.material.friction, from.friction());
    put(&mut def.material.restitution, from.restitution());
    put(
        &mut def.material.rolling_resistance,
        from.rolling_resistance(),
    );
    put(&mut def.material.surface_speed, from.surface_speed());
    if let Some(one_way) = part(from.one_way_value(), Fields::to_vec2) {
        def.material.one_way = one_way;
    }
    put(&mut def.force_event_threshold, from.force_event_threshold());
    def.sensor = from.sensor().unwrap_or(def.sensor);
    def.pre_solve = from.pre_solve().unwrap_or(def.pre_solve);
    def.filter = Filter {
        category: bits(from.category(), def.filter.category),
        mask: bits(from.mask(), def.filter.mask),
        group: from.group().unwrap_or(def.filter.group),
    };
    def.user_data = bits(from.user_data(), def.user_data);
    def
}

/// Returns the filter of a query.
pub(crate) fn query_filter(from: Option<&Fields>) -> QueryFilter<'static> {
    let mut filter = QueryFilter::default();
    if let Some(from) = from {
        filter.category = bits(from.category(), filter.category);
        filter.mask = bits(from.mask(), filter.mask);
        filter.exclude = from.exclude().map(|id| BodyId::from_bits(id as u64));
        if from.sensors().unwrap_or(false) {
            filter.sensors = Sensors::Included;
        }
    }
    filter
}
