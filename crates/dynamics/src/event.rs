//! Events of a step, as plain records that are read from the world after the step.
//!
//! An event whose bodies or shapes may be destroyed carries their user data as of the event: their ids are
//! stale then, and no view of them is possible.

use crate::body::table::BodyTable;
use crate::id::{BodyId, ContactId, JointId, ShapeId};
use crate::joint::JointReaction;
use crate::shape::table::ShapeTable;
use cairn2d_geometry::math::{Vec2, WorldPoint};
use cairn2d_geometry::{HashState, StateHasher};

/// Two shapes began to touch: their gap fell below
/// [`SPECULATIVE_DISTANCE`](cairn2d_geometry::tolerance::SPECULATIVE_DISTANCE), so that the solver can stop
/// them at the surface.
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
    /// Center of the contact's points \[m\].
    pub point: WorldPoint,
    /// Unit normal from A to B in the world.
    pub normal: Vec2,
    /// Approach speed along the normal, 0 if the shapes were moving apart [m/s].
    pub approach_speed: f32,
    /// Normal impulse of the step in which they began to touch [N s].
    pub impulse: f32,
}

impl HashState for ContactBegin {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            contact,
            shape_a,
            shape_b,
            body_a,
            body_b,
            point,
            normal,
            approach_speed,
            impulse,
        } = self;
        hash.add(contact).add(shape_a).add(shape_b).add(body_a);
        hash.add(body_b).add(point).add(normal).add(approach_speed);
        hash.add(impulse);
    }
}

/// Two shapes came together at [`Tuning::hit_event_threshold`](crate::Tuning::hit_event_threshold) or faster.
/// They may have touched before: a wheel that rolls on the ground and runs into a step of it hits it again.
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
    /// Center of the contact's points \[m\].
    pub point: WorldPoint,
    /// Unit normal from A to B in the world.
    pub normal: Vec2,
    /// Approach speed of the fastest point of the contact along the normal [m/s].
    pub approach_speed: f32,
    /// Normal impulse of the step, restitution included [N s].
    pub impulse: f32,
}

impl HashState for ContactHit {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            contact,
            shape_a,
            shape_b,
            body_a,
            body_b,
            point,
            normal,
            approach_speed,
            impulse,
        } = self;
        hash.add(contact).add(shape_a).add(shape_b).add(body_a);
        hash.add(body_b).add(point).add(normal).add(approach_speed);
        hash.add(impulse);
    }
}

/// The normal force between two shapes exceeded the threshold of one of them: see
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
    /// Center of the contact's points \[m\].
    pub point: WorldPoint,
    /// Unit normal from A to B in the world.
    pub normal: Vec2,
    /// Mean normal force of the step \[N\]: the normal impulses of all points and substeps over the length of
    /// the step.
    pub force: f32,
    /// Whether the force was below the threshold in the last step before this one in which the contact was
    /// awake.
    pub started: bool,
}

impl HashState for ContactForce {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            contact,
            shape_a,
            shape_b,
            body_a,
            body_b,
            point,
            normal,
            force,
            started,
        } = self;
        hash.add(contact).add(shape_a).add(shape_b).add(body_a);
        hash.add(body_b).add(point).add(normal).add(force);
        hash.add(started);
    }
}

/// Two shapes ceased to touch, or one of them was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl HashState for ContactEnd {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            contact,
            shape_a,
            shape_b,
            body_a,
            body_b,
            user_data_a,
            user_data_b,
            body_user_data_a,
            body_user_data_b,
        } = self;
        hash.add(contact).add(shape_a).add(shape_b).add(body_a);
        hash.add(body_b).add(user_data_a).add(user_data_b);
        hash.add(body_user_data_a).add(body_user_data_b);
    }
}

/// A shape began to overlap a sensor. Two sensors that overlap give two events, one for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SensorBegin {
    /// The sensor.
    pub sensor: ShapeId,
    /// The shape that overlaps it.
    pub visitor: ShapeId,
    /// Body of the sensor.
    pub sensor_body: BodyId,
    /// Body of the visitor.
    pub visitor_body: BodyId,
}

impl HashState for SensorBegin {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            sensor,
            visitor,
            sensor_body,
            visitor_body,
        } = self;
        hash.add(sensor)
            .add(visitor)
            .add(sensor_body)
            .add(visitor_body);
    }
}

/// A shape ceased to overlap a sensor, or one of them was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SensorEnd {
    /// The sensor, as in the begin event; stale if destroyed.
    pub sensor: ShapeId,
    /// The visitor as named by the beginning; stale if it was destroyed.
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

impl HashState for SensorEnd {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            sensor,
            visitor,
            sensor_body,
            visitor_body,
            sensor_user_data,
            visitor_user_data,
            sensor_body_user_data,
            visitor_body_user_data,
        } = self;
        hash.add(sensor).add(visitor);
        hash.add(sensor_body).add(visitor_body);
        hash.add(sensor_user_data).add(visitor_user_data);
        hash.add(sensor_body_user_data).add(visitor_body_user_data);
    }
}

/// Whether a body fell asleep or woke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SleepChange {
    /// The body does not move and is not simulated until woken.
    FellAsleep,
    /// The body is simulated again.
    Woke,
}

impl HashState for SleepChange {
    fn hash_state(&self, hash: &mut StateHasher) {
        hash.word(*self as u64);
    }
}

/// A body fell asleep or woke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SleepEvent {
    /// Which body.
    pub body: BodyId,
    /// Whether it fell asleep or woke.
    pub change: SleepChange,
}

impl HashState for SleepEvent {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self { body, change } = self;
        hash.add(body).add(change);
    }
}

/// A body whose state was about to become non-finite, or that left the world. It was moved back to its last
/// valid pose, stopped and disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyFreeze {
    /// Which body.
    pub body: BodyId,
}

impl HashState for BodyFreeze {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self { body } = self;
        hash.add(body);
    }
}

/// A body left the bounds of the world: see [`WorldDef::bounds`](crate::WorldDef::bounds).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyExit {
    /// Which body; stale if it was destroyed since.
    pub body: BodyId,
    /// Its user data.
    pub user_data: u64,
}

impl HashState for BodyExit {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self { body, user_data } = self;
        hash.add(body).add(user_data);
    }
}

/// The load of a joint exceeded its break limit, and the joint was removed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointBreak {
    /// Which joint; stale.
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

impl HashState for JointBreak {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            joint,
            user_data,
            body_a,
            body_b,
            body_user_data_a,
            body_user_data_b,
            reaction,
        } = self;
        hash.add(joint).add(user_data).add(reaction);
        hash.add(body_a).add(body_b);
        hash.add(body_user_data_a).add(body_user_data_b);
    }
}

/// Events by kind, each list in an order that depends on the scene alone.
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

impl HashState for EventLists {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
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
        } = self;
        hash.add(begins).add(ends).add(hits).add(forces);
        hash.add(sleeps)
            .add(sensor_begins)
            .add(sensor_ends)
            .add(frozen);
        hash.add(exits).add(breaks);
    }
}

/// The events that the user reads, and the events that are being collected.
///
/// Events between two steps, as when a touching body is destroyed, are reported together with those of the
/// next step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Events {
    pub(crate) reported: EventLists,
    pub(crate) collecting: EventLists,
}

impl HashState for Events {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            // Events of the last step, which no later step reads.
            reported: _,
            collecting,
        } = self;
        hash.add(collecting);
    }
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
