//! Events of a step, as plain records that are read from the world after the step.
//!
//! Events carry the user data that both sides had at the time of the event, because the id of a body or shape that
//! was destroyed since then is stale, and nothing can be read by it. A save does not store the data of begin, hit and
//! force events, which are read again from the bodies and shapes.

use crate::body::table::BodyTable;
use crate::id::{BodyId, ContactId, JointId, ShapeId};
use crate::joint::JointReaction;
use crate::shape::table::ShapeTable;
use cairn2d_geometry::math::{Vec2, WorldPoint};
use cairn2d_geometry::{state_choice, state_record};

/// Two shapes began to touch: their gap fell below
/// [`SPECULATIVE_DISTANCE`](cairn2d_geometry::tolerance::SPECULATIVE_DISTANCE), so that the solver can stop
/// them at the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactBegin {
    /// The contact; stale once the shapes have moved apart, also in this step after a bounce.
    pub contact: ContactId,
    /// The two shapes; `normal` points from A to B.
    pub shape_a: ShapeId,
    /// See `shape_a`.
    pub shape_b: ShapeId,
    /// Body of shape A.
    pub body_a: BodyId,
    /// Body of shape B.
    pub body_b: BodyId,
    /// Center of the contact's points \[m\].
    pub point: WorldPoint,
    /// Unit normal from A to B in the world.
    pub normal: Vec2,
    /// Approach speed along the normal, 0 if the shapes were moving apart [m/s].
    pub approach_speed: f32,
    /// Normal impulse of the step in which they began to touch [N s].
    pub impulse: f32,
    /// User data of shape A.
    pub user_data_a: u64,
    /// User data of shape B.
    pub user_data_b: u64,
    /// User data of the body of shape A.
    pub body_user_data_a: u64,
    /// User data of the body of shape B.
    pub body_user_data_b: u64,
}

/// Two shapes came together at [`Tuning::hit_event_threshold`](crate::Tuning::hit_event_threshold) or faster. They
/// may have touched before: a wheel that rolls on the ground hits it again where it runs into a step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactHit {
    /// The contact; stale once the shapes have moved apart.
    pub contact: ContactId,
    /// The two shapes; `normal` points from A to B.
    pub shape_a: ShapeId,
    /// See `shape_a`.
    pub shape_b: ShapeId,
    /// Body of shape A.
    pub body_a: BodyId,
    /// Body of shape B.
    pub body_b: BodyId,
    /// Center of the contact's points \[m\].
    pub point: WorldPoint,
    /// Unit normal from A to B in the world.
    pub normal: Vec2,
    /// Approach speed of the fastest point of the contact along the normal [m/s].
    pub approach_speed: f32,
    /// Normal impulse of the step, restitution included [N s].
    pub impulse: f32,
    /// User data of shape A.
    pub user_data_a: u64,
    /// User data of shape B.
    pub user_data_b: u64,
    /// User data of the body of shape A.
    pub body_user_data_a: u64,
    /// User data of the body of shape B.
    pub body_user_data_b: u64,
}

/// The normal force between two shapes exceeded the threshold of one of them: see
/// [`ShapeDef::force_event_threshold`](crate::ShapeDef::force_event_threshold).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactForce {
    /// The contact; stale once the shapes have moved apart.
    pub contact: ContactId,
    /// The two shapes; `normal` points from A to B.
    pub shape_a: ShapeId,
    /// See `shape_a`.
    pub shape_b: ShapeId,
    /// Body of shape A.
    pub body_a: BodyId,
    /// Body of shape B.
    pub body_b: BodyId,
    /// Center of the contact's points \[m\].
    pub point: WorldPoint,
    /// Unit normal from A to B in the world.
    pub normal: Vec2,
    /// Mean normal force of the step \[N\]: the sum of the normal impulses of all points and substeps, divided by the
    /// length of the step.
    pub force: f32,
    /// Whether the force was below the threshold in the last step before this one in which the contact was
    /// awake.
    pub started: bool,
    /// User data of shape A.
    pub user_data_a: u64,
    /// User data of shape B.
    pub user_data_b: u64,
    /// User data of the body of shape A.
    pub body_user_data_a: u64,
    /// User data of the body of shape B.
    pub body_user_data_b: u64,
}

/// Two shapes stopped touching, or one of them was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactEnd {
    /// The contact, as in its begin event; it may be stale.
    pub contact: ContactId,
    /// The two shapes, as in the begin event; stale if destroyed.
    pub shape_a: ShapeId,
    /// See `shape_a`.
    pub shape_b: ShapeId,
    /// Body of shape A; stale if it was destroyed.
    pub body_a: BodyId,
    /// Body of shape B; stale if it was destroyed.
    pub body_b: BodyId,
    /// User data of shape A.
    pub user_data_a: u64,
    /// User data of shape B.
    pub user_data_b: u64,
    /// User data of the body of shape A.
    pub body_user_data_a: u64,
    /// User data of the body of shape B.
    pub body_user_data_b: u64,
}

impl ContactEnd {
    /// Returns the other body; `None` if `body` is neither of the two.
    #[must_use]
    pub fn other(&self, body: BodyId) -> Option<BodyId> {
        other_of([self.body_a, self.body_b], body)
    }

    /// Describes the end of a contact of two shapes, which still exist.
    pub(crate) fn of(
        contact: ContactId,
        pair: [u32; 2],
        bodies: &BodyTable,
        shapes: &ShapeTable,
    ) -> Self {
        let [a, b] = pair.map(|shape| &shapes.slots[shape]);
        let [shape_a, shape_b] = pair.map(|shape| shapes.slots.id_at(shape));
        let [body_a, body_b] = [a, b].map(|shape| bodies.slots.id_at(shape.body));
        let [data_a, data_b] = [a, b].map(|shape| bodies.slots[shape.body].user_data);
        Self {
            contact,
            shape_a,
            shape_b,
            body_a,
            body_b,
            user_data_a: a.user_data,
            user_data_b: b.user_data,
            body_user_data_a: data_a,
            body_user_data_b: data_b,
        }
    }
}

state_record!(ContactEnd {
    contact,
    shape_a,
    shape_b,
    body_a,
    body_b,
    user_data_a,
    user_data_b,
    body_user_data_a,
    body_user_data_b,
});

/// A shape began to overlap a sensor. Two sensors that overlap give two events, one for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SensorBegin {
    /// The sensor.
    pub sensor: ShapeId,
    /// The shape that overlaps it.
    pub visitor: ShapeId,
    /// Body of the sensor.
    pub sensor_body: BodyId,
    /// Body of the visitor.
    pub visitor_body: BodyId,
    /// User data of the sensor.
    pub sensor_user_data: u64,
    /// User data of the visitor.
    pub visitor_user_data: u64,
    /// User data of the body of the sensor.
    pub sensor_body_user_data: u64,
    /// User data of the body of the visitor.
    pub visitor_body_user_data: u64,
}

state_record!(SensorBegin {
    sensor,
    visitor,
    sensor_body,
    visitor_body,
    sensor_user_data: derived(0),
    visitor_user_data: derived(0),
    sensor_body_user_data: derived(0),
    visitor_body_user_data: derived(0),
});

/// A shape stopped overlapping a sensor, or one of them was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SensorEnd {
    /// The sensor, as in the begin event; stale if destroyed.
    pub sensor: ShapeId,
    /// The visitor, as in the begin event; stale if it was destroyed.
    pub visitor: ShapeId,
    /// Body of the sensor; stale if it was destroyed.
    pub sensor_body: BodyId,
    /// Body of the visitor; stale if it was destroyed.
    pub visitor_body: BodyId,
    /// User data of the sensor.
    pub sensor_user_data: u64,
    /// User data of the visitor.
    pub visitor_user_data: u64,
    /// User data of the body of the sensor.
    pub sensor_body_user_data: u64,
    /// User data of the body of the visitor.
    pub visitor_body_user_data: u64,
}

state_record!(SensorEnd {
    sensor,
    visitor,
    sensor_body,
    visitor_body,
    sensor_user_data,
    visitor_user_data,
    sensor_body_user_data,
    visitor_body_user_data,
});

/// Whether a body fell asleep or woke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SleepChange {
    /// The body does not move and is not simulated until woken.
    FellAsleep,
    /// The body is simulated again.
    Woke,
}

state_choice!(SleepChange { FellAsleep, Woke });

/// A body fell asleep or woke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SleepEvent {
    /// The body.
    pub body: BodyId,
    /// Whether it fell asleep or woke.
    pub change: SleepChange,
}

state_record!(SleepEvent { body, change });

/// A body whose state was about to become non-finite, or that left the world. It was moved back to its last
/// valid pose, stopped and disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyFreeze {
    /// The body.
    pub body: BodyId,
}

state_record!(BodyFreeze { body });

/// A body left the bounds of the world: see [`WorldDef::bounds`](crate::WorldDef::bounds).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyExit {
    /// The body; its id is stale if it was destroyed since.
    pub body: BodyId,
    /// Its user data.
    pub user_data: u64,
}

state_record!(BodyExit { body, user_data });

/// The load of a joint exceeded its break limit, and the joint was removed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JointBreak {
    /// The joint; its id is stale.
    pub joint: JointId,
    /// Its user data.
    pub user_data: u64,
    /// The first of the two bodies that it connected; stale if it was destroyed since.
    pub body_a: BodyId,
    /// The second one.
    pub body_b: BodyId,
    /// User data of the first body.
    pub body_user_data_a: u64,
    /// User data of the second body.
    pub body_user_data_b: u64,
    /// Mean force and torque of the step, which broke it.
    pub reaction: JointReaction,
}

state_record!(JointBreak {
    joint,
    user_data,
    reaction,
    body_a,
    body_b,
    body_user_data_a,
    body_user_data_b,
});

/// Events by kind, each list in an order that depends on the scene alone.
#[derive(Debug, Default)]
pub(crate) struct EventLists {
    pub(crate) begins: Vec<ContactBegin>,
    pub(crate) ends: Vec<ContactEnd>,
    pub(crate) hits: Vec<ContactHit>,
    pub(crate) forces: Vec<ContactForce>,
    pub(crate) sleeps: Vec<SleepEvent>,
    pub(crate) sensor_begins: Vec<SensorBegin>,
    pub(crate) sensor_ends: Vec<SensorEnd>,
    pub(crate) frozen: Vec<BodyFreeze>,
    pub(crate) exits: Vec<BodyExit>,
    pub(crate) breaks: Vec<JointBreak>,
}

state_record!(clone EventLists {
    begins,
    ends,
    hits,
    forces,
    sleeps,
    sensor_begins,
    sensor_ends,
    frozen,
    exits,
    breaks,
});

/// The user data of a shape and of its body; `None` if the shape does not exist.
fn user_data_of(shape: ShapeId, bodies: &BodyTable, shapes: &ShapeTable) -> Option<(u64, u64)> {
    let shape = &shapes.slots[shapes.slots.find(shape)?];
    Some((shape.user_data, bodies.slots[shape.body].user_data))
}

/// Writes the user data of both shapes into events of contacts.
macro_rules! fill_sides {
    ($events:expr, $data_of:expr) => {
        for event in $events {
            if let Some(data) = $data_of(event.shape_a) {
                (event.user_data_a, event.body_user_data_a) = data;
            }
            if let Some(data) = $data_of(event.shape_b) {
                (event.user_data_b, event.body_user_data_b) = data;
            }
        }
    };
}

impl EventLists {
    /// Writes user data into the events that were made without them: at the end of a step, when all their shapes
    /// exist, and after loading.
    pub(crate) fn fill_user_data(&mut self, bodies: &BodyTable, shapes: &ShapeTable) {
        let data_of = |shape| user_data_of(shape, bodies, shapes);
        fill_sides!(&mut self.begins, data_of);
        fill_sides!(&mut self.hits, data_of);
        fill_sides!(&mut self.forces, data_of);
        for event in &mut self.sensor_begins {
            if let Some(data) = data_of(event.sensor) {
                (event.sensor_user_data, event.sensor_body_user_data) = data;
            }
            if let Some(data) = data_of(event.visitor) {
                (event.visitor_user_data, event.visitor_body_user_data) = data;
            }
        }
    }
}

/// Returns the other of two bodies; `None` if `body` is neither.
pub(crate) fn other_of([a, b]: [BodyId; 2], body: BodyId) -> Option<BodyId> {
    match body {
        _ if body == a => Some(b),
        _ if body == b => Some(a),
        _ => None,
    }
}

/// What the events of two shapes with a normal share.
pub(crate) struct Touch {
    pub(crate) contact: ContactId,
    pub(crate) shapes: [ShapeId; 2],
    pub(crate) bodies: [BodyId; 2],
    pub(crate) point: WorldPoint,
    /// Unit normal from A to B in the world.
    pub(crate) normal: Vec2,
}

/// Implements the events of two shapes with a normal, given the fields that they do not share.
macro_rules! touch_events {
    ($($event:ident { $($field:ident: $type:ty),* })*) => {$(
        state_record!($event {
            contact,
            shape_a,
            shape_b,
            body_a,
            body_b,
            point,
            normal,
            $($field,)*
            user_data_a: derived(0),
            user_data_b: derived(0),
            body_user_data_a: derived(0),
            body_user_data_b: derived(0),
        });

        impl $event {
            /// Makes the event without user data: see `EventLists::fill_user_data`.
            pub(crate) fn of(touch: Touch, $($field: $type),*) -> Self {
                let [shape_a, shape_b] = touch.shapes;
                let [body_a, body_b] = touch.bodies;
                Self {
                    contact: touch.contact,
                    shape_a,
                    shape_b,
                    body_a,
                    body_b,
                    point: touch.point,
                    normal: touch.normal,
                    $($field,)*
                    user_data_a: 0,
                    user_data_b: 0,
                    body_user_data_a: 0,
                    body_user_data_b: 0,
                }
            }

            /// Returns the other body; `None` if `body` is neither of the two.
            #[must_use]
            pub fn other(&self, body: BodyId) -> Option<BodyId> {
                other_of([self.body_a, self.body_b], body)
            }

            /// Returns the unit normal away from `body` in the world; `None` if `body` is neither of the two.
            #[must_use]
            pub fn normal_from(&self, body: BodyId) -> Option<Vec2> {
                match body {
                    _ if body == self.body_a => Some(self.normal),
                    _ if body == self.body_b => Some(-self.normal),
                    _ => None,
                }
            }
        }
    )*};
}

touch_events! {
    ContactBegin { approach_speed: f32, impulse: f32 }
    ContactHit { approach_speed: f32, impulse: f32 }
    ContactForce { force: f32, started: bool }
}

impl ContactHit {
    /// Returns what other events of the same impact share with it.
    pub(crate) fn touch(&self) -> Touch {
        Touch {
            contact: self.contact,
            shapes: [self.shape_a, self.shape_b],
            bodies: [self.body_a, self.body_b],
            point: self.point,
            normal: self.normal,
        }
    }
}

/// The events that the user reads, and the events that are being collected.
///
/// Events between two steps, as when a touching body is destroyed, are reported together with those of the
/// next step.
#[derive(Debug, Default)]
pub(crate) struct Events {
    pub(crate) reported: EventLists,
    pub(crate) collecting: EventLists,
}

state_record!(clone Events {
    // Events of the last step, which no later step reads.
    reported: report,
    collecting,
});

/// Change of the overlap of a sensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overlap {
    Begins,
    Ends,
}

impl Events {
    /// Reports a change of an overlap if the first shape is a sensor.
    pub(crate) fn report_overlap(
        &mut self,
        bodies: &BodyTable,
        shapes: &ShapeTable,
        pair: [u32; 2],
        change: Overlap,
    ) {
        let sides = pair.map(|shape| &shapes.slots[shape]);
        if !sides[0].sensor {
            return;
        }
        let [sensor, visitor] = pair.map(|shape| shapes.slots.id_at(shape));
        let [sensor_body, visitor_body] = sides.map(|shape| bodies.slots.id_at(shape.body));
        let lists = &mut self.collecting;
        match change {
            Overlap::Begins => lists.sensor_begins.push(SensorBegin {
                sensor,
                visitor,
                sensor_body,
                visitor_body,
                // See `EventLists::fill_user_data`.
                sensor_user_data: 0,
                visitor_user_data: 0,
                sensor_body_user_data: 0,
                visitor_body_user_data: 0,
            }),
            Overlap::Ends => {
                let body_user_data = sides.map(|shape| bodies.slots[shape.body].user_data);
                lists.sensor_ends.push(SensorEnd {
                    sensor,
                    visitor,
                    sensor_body,
                    visitor_body,
                    sensor_user_data: sides[0].user_data,
                    visitor_user_data: sides[1].user_data,
                    sensor_body_user_data: body_user_data[0],
                    visitor_body_user_data: body_user_data[1],
                });
            }
        }
    }

    /// Makes the collected events readable and clears the lists for the next ones; they keep their memory.
    pub(crate) fn publish(&mut self) {
        core::mem::swap(&mut self.reported, &mut self.collecting);
        self.collecting.begins.clear();
        self.collecting.ends.clear();
        self.collecting.hits.clear();
        self.collecting.forces.clear();
        self.collecting.sleeps.clear();
        self.collecting.sensor_begins.clear();
        self.collecting.sensor_ends.clear();
        self.collecting.frozen.clear();
        self.collecting.exits.clear();
        self.collecting.breaks.clear();
    }
}
