//! Hooks: functions that filter pairs of shapes and change contacts before they are solved.

use crate::error::set;
use crate::events::object;
use crate::functions::{HookFunction, keep, rethrow};
use crate::world::{WebWorld, number};
use cairn2d::{HookShape, PreSolve};
use js_sys::{Array, Function, Object, Reflect};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "
/** Two shapes of which a hook decides. The world cannot be used within the call. */
export interface HookPair {
  shapeA: ShapeId; shapeB: ShapeId; bodyA: BodyId; bodyB: BodyId;
  userDataA: number; userDataB: number; bodyUserDataA: number; bodyUserDataB: number;
}
/** A contact before it is solved. The last three fields may be changed, for this step. */
export interface PreSolveContact extends HookPair {
  /** Normal from A to B, and velocity of B relative to A at the first point [m/s]. */
  readonly nx: number; readonly ny: number; readonly vx: number; readonly vy: number;
  /** Places [m], and signed gaps between the surfaces, negative where they overlap [m]. */
  readonly points: readonly { x: number; y: number; separation: number }[];
  friction: number; restitution: number;
  /** Speed of surface B relative to A along the normal turned clockwise by 90 degrees [m/s]. */
  surfaceSpeed: number;
}
";

#[wasm_bindgen]
extern "C" {
    /// See above.
    #[wasm_bindgen(typescript_type = "(pair: HookPair) => boolean")]
    pub type JsPairFilter;
    /// See above.
    #[wasm_bindgen(typescript_type = "(contact: PreSolveContact) => boolean | void")]
    pub type JsPreSolve;
}

fn pair(a: HookShape<'_>, b: HookShape<'_>) -> Object {
    object(&[
        ("shapeA", number(a.id().to_bits())),
        ("shapeB", number(b.id().to_bits())),
        ("bodyA", number(a.body().to_bits())),
        ("bodyB", number(b.body().to_bits())),
        ("userDataA", a.user_data() as f64),
        ("userDataB", b.user_data() as f64),
        ("bodyUserDataA", a.body_user_data() as f64),
        ("bodyUserDataB", b.body_user_data() as f64),
    ])
}

fn contact_object(contact: &PreSolve<'_>) -> Object {
    let [a, b] = contact.shapes();
    let object_of = pair(a, b);
    let normal = contact.normal();
    let points: Array = contact
        .points()
        .iter()
        .map(|point| {
            let place = [("x", point.point.x), ("y", point.point.y)];
            object(&[&place[..], &[("separation", point.separation.into())]].concat())
        })
        .collect();
    let velocity = contact
        .points()
        .first()
        .map(|first| b.velocity_at(first.point) - a.velocity_at(first.point));
    let velocity = velocity.unwrap_or_default();
    for (field, value) in [
        ("nx", normal.x),
        ("ny", normal.y),
        ("vx", velocity.x),
        ("vy", velocity.y),
        ("friction", contact.friction),
        ("restitution", contact.restitution),
        ("surfaceSpeed", contact.surface_speed),
    ] {
        set(&object_of, field, value.into());
    }
    set(&object_of, "points", points.into());
    object_of
}

/// Calls the function, and reads the fields that it may have changed.
fn change(contact: &mut PreSolve<'_>, function: &HookFunction) {
    let object = contact_object(contact);
    let Some(answer) = function.call(&object) else {
        return;
    };
    // The function may have put a getter that throws in the place of a field, so these reads must catch.
    let number = |field: &str, old: f32| match Reflect::get(&object, &field.into()) {
        Ok(value) => value.as_f64().map_or(f32::NAN, |value| value as f32),
        Err(exception) => {
            keep(exception);
            old
        }
    };
    contact.friction = number("friction", contact.friction);
    contact.restitution = number("restitution", contact.restitution);
    contact.surface_speed = number("surfaceSpeed", contact.surface_speed);
    if answer.as_bool() == Some(false) {
        contact.ignore();
    }
}

#[wasm_bindgen(js_class = World)]
impl WebWorld {
    /// Sets a function that is called when two shapes come near each other, and for shapes on the path of a fast body: with the
    /// answer `false` they never touch. Without a function the filter ends. All pairs are filtered again. The call that runs the
    /// function throws its exceptions.
    #[wasm_bindgen(js_name = setPairFilter)]
    pub fn set_pair_filter(&mut self, accept: Option<JsPairFilter>) -> Result<(), JsValue> {
        match accept {
            Some(accept) => {
                let function = HookFunction::new(accept.unchecked_into::<Function>());
                self.world.set_pair_filter(move |a, b| {
                    let answer = function.call(&pair(a, b));
                    answer.is_none_or(|answer| answer.is_truthy())
                });
            }
            None => self.world.clear_pair_filter(),
        }
        rethrow()
    }

    /// Asks the pair filter about all pairs again, after its data have changed.
    #[wasm_bindgen(js_name = filterAgain)]
    pub fn filter_again(&mut self) -> Result<(), JsValue> {
        self.world.filter_again();
        rethrow()
    }

    /// Sets a function that is called before a contact is solved, in each step, for shapes with `preSolve`. With the answer `false`
    /// the contact has no effect in the step. Without a function the hook ends. `step` throws exceptions of the function.
    #[wasm_bindgen(js_name = setPreSolve)]
    pub fn set_pre_solve(&mut self, hook: Option<JsPreSolve>) {
        match hook {
            Some(hook) => {
                let function = HookFunction::new(hook.unchecked_into::<Function>());
                self.world
                    .set_pre_solve(move |contact| change(contact, &function));
            }
            None => self.world.clear_pre_solve(),
        }
    }
}
