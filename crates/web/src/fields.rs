//! Fields of plain objects of JavaScript: one getter for each name, for all kinds of objects.

use cairn2d::{Aabb, JointFrame, Limit, Motor, Point, Spring, Vec2, WorldPoint, point, vec2};
use js_sys::Array;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// An object with optional fields.
    pub(crate) type Fields;
}

/// Declares getters of optional fields.
macro_rules! getters {
    ($($rust:ident $js:literal $kind:ty;)*) => {
        #[wasm_bindgen]
        extern "C" {
            $(
                #[wasm_bindgen(method, getter, structural, js_name = $js)]
                pub(crate) fn $rust(this: &Fields) -> Option<$kind>;
            )*
        }
    };
}

#[cfg(feature = "full")]
pub(crate) use getters;

getters! {
    x "x" f64; y "y" f64; angle "angle" f64; gravity "gravity" Fields; substeps "substeps" u32; solver_budget "solverBudget" u32;
    sleeping "sleeping" bool; continuous "continuous" bool; kind "type" String; position "position" Fields; velocity "velocity" Fields;
    angular_velocity "angularVelocity" f64; linear_damping "linearDamping" f64; angular_damping "angularDamping" f64;
    gravity_scale "gravityScale" f64; bullet "bullet" bool; can_sleep "canSleep" bool; fixed_rotation "fixedRotation" bool;
    user_data "userData" f64; radius "radius" f64; center "center" Fields; a "a" Fields; b "b" Fields; rx "rx" f64; ry "ry" f64;
    half_width "halfWidth" f64; half_height "halfHeight" f64; points "points" Array; density "density" f64; friction "friction" f64;
    restitution "restitution" f64; rolling_resistance "rollingResistance" f64; surface_speed "surfaceSpeed" f64; sensor "sensor" bool;
    category "category" f64; mask "mask" f64; group "group" i32; force_event_threshold "forceEventThreshold" f64;
    body_a "bodyA" f64; body_b "bodyB" f64; joint_a "jointA" f64; joint_b "jointB" f64; anchor "anchor" Fields; axis "axis" Fields;
    anchor_b "anchorB" Fields; frame_a "frameA" Fields; frame_b "frameB" Fields; limit "limit" Fields; motor "motor" Fields;
    spring "spring" Fields; angular_spring "angularSpring" Fields; lower "lower" f64; upper "upper" f64; speed "speed" f64;
    max_effort "maxEffort" f64; hertz "hertz" f64; damping_ratio "dampingRatio" f64; target "target" f64; length "length" f64;
    ratio "ratio" f64; wheel_a "wheelA" Fields; wheel_b "wheelB" Fields; max_force "maxForce" f64; max_torque "maxTorque" f64;
    collide_connected "collideConnected" bool; break_force "breakForce" f64; break_torque "breakTorque" f64;
    exclude "exclude" f64; sensors "sensors" bool; pre_solve "preSolve" bool; bounds "bounds" Fields; min "min" Fields; max "max" Fields;
    impulse_per_length "impulsePerLength" f64; falloff "falloff" f64; lock_x "lockX" bool; lock_y "lockY" bool; enabled "enabled" bool;
    mass "mass" f64; inertia "inertia" f64; geometry "geometry" Fields;
}

#[cfg(feature = "full")]
getters! {
    up "up" Fields; origin "origin" Fields;
}

/// Fields in which `null` differs from a missing field: it removes a part.
#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(method, getter, structural, js_name = "limit")]
    pub(crate) fn limit_value(this: &Fields) -> JsValue;
    #[wasm_bindgen(method, getter, structural, js_name = "motor")]
    pub(crate) fn motor_value(this: &Fields) -> JsValue;
    #[wasm_bindgen(method, getter, structural, js_name = "spring")]
    pub(crate) fn spring_value(this: &Fields) -> JsValue;
    #[wasm_bindgen(method, getter, structural, js_name = "angularSpring")]
    pub(crate) fn angular_spring_value(this: &Fields) -> JsValue;
    #[wasm_bindgen(method, getter, structural, js_name = "mass")]
    pub(crate) fn mass_value(this: &Fields) -> JsValue;
    #[wasm_bindgen(method, getter, structural, js_name = "oneWay")]
    pub(crate) fn one_way_value(this: &Fields) -> JsValue;
}

/// Returns a part that is to be set or, with `None` inside, removed; `None` if the field is missing.
pub(crate) fn part<T>(value: JsValue, convert: impl Fn(&Fields) -> T) -> Option<Option<T>> {
    if value.is_undefined() {
        return None;
    }
    Some((!value.is_null()).then(|| convert(value.unchecked_ref())))
}

/// Overwrites `field` with a number, if there is one.
pub(crate) fn put(field: &mut f32, value: Option<f64>) {
    if let Some(value) = value {
        *field = value as f32;
    }
}

impl Fields {
    /// Returns the object as a vector; a missing coordinate is 0.
    pub(crate) fn to_vec2(&self) -> Vec2 {
        vec2(
            self.x().unwrap_or(0.0) as f32,
            self.y().unwrap_or(0.0) as f32,
        )
    }

    /// Returns the object as a point of a body.
    pub(crate) fn to_point(&self) -> Point {
        self.to_vec2().into()
    }

    /// Returns the object as a place in the world.
    pub(crate) fn to_place(&self) -> WorldPoint {
        WorldPoint::new(self.x().unwrap_or(0.0), self.y().unwrap_or(0.0))
    }

    /// Returns the upright box from `min` to `max`, if the object has both.
    pub(crate) fn to_box(&self) -> Option<Aabb> {
        let (min, max) = (self.min()?, self.max()?);
        Some(Aabb::new(min.to_point(), max.to_point()))
    }

    pub(crate) fn to_frame(&self) -> JointFrame {
        JointFrame {
            anchor: self.to_point(),
            angle: self.angle().unwrap_or(0.0) as f32,
        }
    }

    pub(crate) fn to_limit(&self) -> Limit {
        let end = |end: Option<f64>, open: f32| end.map_or(open, |end| end as f32);
        Limit {
            lower: end(self.lower(), f32::NEG_INFINITY),
            upper: end(self.upper(), f32::INFINITY),
        }
    }

    pub(crate) fn to_motor(&self) -> Motor {
        let effort = self.max_effort().unwrap_or(f64::INFINITY);
        Motor::new(self.speed().unwrap_or(0.0) as f32, effort as f32)
    }

    pub(crate) fn to_spring(&self) -> Spring {
        Spring {
            hertz: self.hertz().unwrap_or(0.0) as f32,
            damping_ratio: self.damping_ratio().unwrap_or(0.0) as f32,
            target: self.target().unwrap_or(0.0) as f32,
        }
    }
}

/// Returns the points of a flat list: x, y, x, y.
pub(crate) fn points_of(numbers: &[f32]) -> Vec<Point> {
    let pairs = numbers.chunks_exact(2);
    pairs.map(|pair| point(pair[0], pair[1])).collect()
}
