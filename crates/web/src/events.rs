//! Events of the last step as arrays of objects.

use crate::error::set;
use crate::world::{WebWorld, number};
use cairn2d::{BodyId, ContactBegin, ShapeId, SleepChange, Vec2, WorldPoint};
use js_sys::{Array, Object};
use wasm_bindgen::prelude::*;

/// Declares arrays of events with their types for TypeScript.
macro_rules! arrays {
    ($($name:ident $typescript:literal;)*) => {
        #[wasm_bindgen]
        extern "C" {
            $(
                /// See `definitions.d.ts`.
                #[wasm_bindgen(typescript_type = $typescript)]
                pub type $name;
            )*
        }
    };
}

arrays! {
    ContactBegins "ContactBegin[]"; ContactHits "ContactHit[]"; ContactEnds "ContactEnd[]"; ContactForces "ContactForce[]";
    SensorEvents "SensorEvent[]"; JointBreaks "JointBreak[]"; SleepEvents "SleepEvent[]"; BodyEvents "BodyEvent[]";
}

/// Returns an object of numbers.
pub(crate) fn object(fields: &[(&str, f64)]) -> Object {
    let object = Object::new();
    for (field, value) in fields {
        set(&object, field, (*value).into());
    }
    object
}

/// Returns the array of the events.
fn array<E, A: JsCast>(events: &[E], convert: impl Fn(&E) -> Object) -> A {
    let array: Array = events.iter().map(convert).collect();
    array.unchecked_into()
}

/// Returns the fields of two shapes that met.
fn pair(shapes: [ShapeId; 2], bodies: [BodyId; 2]) -> [(&'static str, f64); 4] {
    [
        ("shapeA", number(shapes[0].to_bits())),
        ("shapeB", number(shapes[1].to_bits())),
        ("bodyA", number(bodies[0].to_bits())),
        ("bodyB", number(bodies[1].to_bits())),
    ]
}

/// Returns the fields of a place and a normal.
pub(crate) fn place(point: WorldPoint, normal: Vec2) -> [(&'static str, f64); 4] {
    [
        ("x", point.x),
        ("y", point.y),
        ("nx", normal.x.into()),
        ("ny", normal.y.into()),
    ]
}

fn sensor(shapes: [ShapeId; 2], bodies: [BodyId; 2]) -> Object {
    object(&[
        ("sensor", number(shapes[0].to_bits())),
        ("visitor", number(shapes[1].to_bits())),
        ("sensorBody", number(bodies[0].to_bits())),
        ("visitorBody", number(bodies[1].to_bits())),
    ])
}

fn begin(event: &ContactBegin) -> Object {
    let shapes = pair([event.shape_a, event.shape_b], [event.body_a, event.body_b]);
    let speed = ("approachSpeed", event.approach_speed.into());
    let impulse = ("impulse", event.impulse.into());
    object(
        &[
            &shapes[..],
            &place(event.point, event.normal),
            &[speed, impulse],
        ]
        .concat(),
    )
}

#[wasm_bindgen(js_class = World)]
impl WebWorld {
    /// Pairs of shapes that began to touch in the last step.
    #[wasm_bindgen(js_name = contactBegins)]
    pub fn contact_begins(&self) -> ContactBegins {
        array(self.world.contact_begins(), begin)
    }

    /// Impacts of the last step, also of shapes that touched before.
    #[wasm_bindgen(js_name = contactHits)]
    pub fn contact_hits(&self) -> ContactHits {
        array(self.world.contact_hits(), |event| {
            let shapes = pair([event.shape_a, event.shape_b], [event.body_a, event.body_b]);
            let speed = ("approachSpeed", event.approach_speed.into());
            let impulse = ("impulse", event.impulse.into());
            let place = place(event.point, event.normal);
            object(&[&shapes[..], &place, &[speed, impulse]].concat())
        })
    }

    /// Pairs of shapes that stopped touching.
    #[wasm_bindgen(js_name = contactEnds)]
    pub fn contact_ends(&self) -> ContactEnds {
        array(self.world.contact_ends(), |event| {
            object(&pair(
                [event.shape_a, event.shape_b],
                [event.body_a, event.body_b],
            ))
        })
    }

    /// Contacts of shapes with a `forceEventThreshold` that press with more than that.
    #[wasm_bindgen(js_name = contactForces)]
    pub fn contact_forces(&self) -> ContactForces {
        array(self.world.contact_forces(), |event| {
            let shapes = pair([event.shape_a, event.shape_b], [event.body_a, event.body_b]);
            let force = ("force", event.force.into());
            let fields = [&shapes[..], &place(event.point, event.normal), &[force]].concat();
            let object = object(&fields);
            set(&object, "started", event.started.into());
            object
        })
    }

    /// Shapes that entered sensors.
    #[wasm_bindgen(js_name = sensorBegins)]
    pub fn sensor_begins(&self) -> SensorEvents {
        array(self.world.sensor_begins(), |event| {
            sensor(
                [event.sensor, event.visitor],
                [event.sensor_body, event.visitor_body],
            )
        })
    }

    /// Shapes that left sensors.
    #[wasm_bindgen(js_name = sensorEnds)]
    pub fn sensor_ends(&self) -> SensorEvents {
        array(self.world.sensor_ends(), |event| {
            sensor(
                [event.sensor, event.visitor],
                [event.sensor_body, event.visitor_body],
            )
        })
    }

    /// Joints that broke; they are removed.
    #[wasm_bindgen(js_name = jointBreaks)]
    pub fn joint_breaks(&self) -> JointBreaks {
        array(self.world.joint_breaks(), |event| {
            object(&[
                ("joint", number(event.joint.to_bits())),
                ("bodyA", number(event.body_a.to_bits())),
                ("bodyB", number(event.body_b.to_bits())),
            ])
        })
    }

    /// Bodies that fell asleep or woke.
    #[wasm_bindgen(js_name = sleepChanges)]
    pub fn sleep_changes(&self) -> SleepEvents {
        array(self.world.sleep_changes(), |event| {
            let object = object(&[("body", number(event.body.to_bits()))]);
            let asleep = event.change == SleepChange::FellAsleep;
            set(&object, "asleep", asleep.into());
            object
        })
    }

    /// Bodies that left the bounds of the world.
    #[wasm_bindgen(js_name = bodyExits)]
    pub fn body_exits(&self) -> BodyEvents {
        array(self.world.body_exits(), |event| {
            object(&[("body", number(event.body.to_bits()))])
        })
    }

    /// Bodies that were stopped and disabled, since their state would have left the finite numbers.
    #[wasm_bindgen(js_name = bodyFreezes)]
    pub fn body_freezes(&self) -> BodyEvents {
        array(self.world.body_freezes(), |event| {
            object(&[("body", number(event.body.to_bits()))])
        })
    }
}
