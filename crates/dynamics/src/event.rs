//! What happened in a step, as plain records: read them from the world when the step is over.

use crate::body::table::BodyTable;
use crate::id::{BodyId, ContactId, JointId, ShapeId};
use crate::joint::JointReaction;
use crate::shape::table::ShapeTable;
use cairn2d_geometry::math::{Vec2, WorldPoint};

/// Two shapes began to touch: their gap fell below
/// [`SPECULATIVE_DISTANCE`](cairn2d_geometry::tolerance::SPECULATIVE_DISTANCE), so that the solver can stop them at the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactBegin {
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
    /// Where they touch: the middle of the contact's points \[m\].
    pub point: WorldPoint,
    /// Unit normal from A to B in the world.
    pub normal: Vec2,
    /// Speed at which they came together along the normal, 0 if they were moving apart [m/s].
    pub approach_speed: f32,
    /// Normal impulse of the step in which they began to touch [N s].
    pub impulse: f32,
}

/// Two shapes came together fast: [`Tuning::hit_event_threshold`](crate::Tuning::hit_event_threshold) or faster. They
/// may have touched before: a wheel that runs into a step of the ground on which it rolls hits it again.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    /// Where they hit: the middle of the contact's points \[m\].
    pub point: WorldPoint,
    /// Unit normal from A to B in the world.
    pub normal: Vec2,
    /// Speed at which the fastest point of the contact came in along the normal [m/s].
    pub approach_speed: f32,
    /// Normal impulse that the step applied, bounce included [N s].
    pub impulse: f32,
}

/// Two shapes pressed against each other with more than the force from which one of them is watched: see
/// [`ShapeDef::force_event_threshold`](crate::ShapeDef::force_event_threshold).
#[derive(Clone, Copy, Debug, PartialEq)]
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
    /// Where they press: the middle of the contact's points \[m\].
    pub point: WorldPoint,
    /// Unit normal from A to B in the world.
    pub normal: Vec2,
    /// Mean normal force of the step \[N\]: the normal impulses of all points and substeps over the step's length.
    pub force: f32,
    /// Whether the step before did not exceed the threshold. Sleep in between does not count as letting go.
    pub started: bool,
}

/// Two shapes touch no more, or one of them is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContactEnd {
    /// The contact that began; it may be stale by now.
    pub contact: ContactId,
    /// The two shapes as named by the beginning; stale if the shape was destroyed.
    pub shape_a: ShapeId,
    /// See `shape_a`.
    pub shape_b: ShapeId,
    /// Body of shape A; stale if it was destroyed.
    pub body_a: BodyId,
    /// Body of shape B; stale if it was destroyed.
    pub body_b: BodyId,
}

/// A shape began to overlap a sensor. Two sensors that overlap notice each other: one event each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SensorBegin {
    /// The sensor.
    pub sensor: ShapeId,
    /// What it noticed.
    pub visitor: ShapeId,
    /// Body of the sensor.
    pub sensor_body: BodyId,
    /// Body of the visitor.
    pub visitor_body: BodyId,
}

/// A shape ceased to overlap a sensor, or one of them is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SensorEnd {
    /// The sensor as named by the beginning; stale if it was destroyed.
    pub sensor: ShapeId,
    /// The visitor as named by the beginning; stale if it was destroyed.
    pub visitor: ShapeId,
    /// Body of the sensor.
    pub sensor_body: BodyId,
    /// Body of the visitor.
    pub visitor_body: BodyId,
}

/// An island's body fell asleep or woke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SleepChange {
    /// The body does not move and is not simulated until woken.
    FellAsleep,
    /// The body is simulated again.
    Woke,
}

/// A body fell asleep or woke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SleepEvent {
    /// Which body.
    pub body: BodyId,
    /// What it did.
    pub change: SleepChange,
}

/// A body whose state would have ceased to be finite, or that left the world: it was put back to the
/// last good place, stopped and disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyFreeze {
    /// Which body.
    pub body: BodyId,
}

/// A body left the bounds of the world: see [`WorldDef::bounds`](crate::WorldDef::bounds).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyExit {
    /// Which body.
    pub body: BodyId,
}

/// A joint held less than what it was loaded with, and is gone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointBreak {
    /// Which joint; stale.
    pub joint: JointId,
    /// What the user had attached to it.
    pub user_data: u64,
    /// Force and torque that broke it: what it bore on average over the step.
    pub reaction: JointReaction,
}

/// What happened, by kind, each list in an order that depends on the scene alone.
#[derive(Clone, Debug, Default)]
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

/// The events that the user reads, and those being collected.
///
/// What happens between two steps (destroying a body that touches another) is reported by the next
/// step together with what happens in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Events {
    pub(crate) reported: EventLists,
    pub(crate) collecting: EventLists,
}

/// How the overlap of a sensor changes.
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
        [sensor, visitor]: [u32; 2],
        change: Overlap,
    ) {
        if !shapes.slots[sensor].sensor {
            return;
        }
        let body = |shape: u32| bodies.slots.id_at(shapes.slots[shape].body);
        let (sensor_body, visitor_body) = (body(sensor), body(visitor));
        let [sensor, visitor] = [sensor, visitor].map(|shape| shapes.slots.id_at(shape));
        let lists = &mut self.collecting;
        match change {
            Overlap::Begins => lists.sensor_begins.push(SensorBegin {
                sensor,
                visitor,
                sensor_body,
                visitor_body,
            }),
            Overlap::Ends => lists.sensor_ends.push(SensorEnd {
                sensor,
                visitor,
                sensor_body,
                visitor_body,
            }),
        }
    }

    /// Reports what was collected and starts to collect anew; the lists keep their memory.
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
