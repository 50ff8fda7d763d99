//! Events of a step, as messages and as events of entities.
//!
//! A pair of colliders is one message. Observers see it once for each collider, with the sides exchanged, and once more for
//! its body if that is another entity. Entities that were despawned before the step are named as well; they get no event.

use crate::convert::{from_world_point, to_bevy};
use crate::crowd::AgentEvent;
use crate::physics::Physics;
use bevy_ecs::entity::ContainsEntity;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::Vec2;
use bevy_reflect::Reflect;
use cairn2d::{BodyId, ContactId, ShapeId, SleepChange};

/// The two sides of a pair of colliders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Reflect)]
pub struct Sides {
    /// The entity that an observer sees the event of: the collider or its body.
    pub target: Entity,
    /// The collider of this side.
    pub collider: Entity,
    /// Its body.
    pub body: Entity,
    /// The collider of the other side.
    pub other: Entity,
    /// Its body.
    pub other_body: Entity,
}

impl ContainsEntity for Sides {
    fn entity(&self) -> Entity {
        self.target
    }
}

impl Sides {
    fn new([collider, other]: [Entity; 2], [body, other_body]: [Entity; 2]) -> Self {
        Self {
            target: collider,
            collider,
            body,
            other,
            other_body,
        }
    }

    fn mirrored(self) -> Self {
        Self::new([self.other, self.collider], [self.other_body, self.body])
    }
}

/// Two colliders began to touch.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct ContactStarted {
    /// The colliders and their bodies.
    #[event_target]
    pub sides: Sides,
    /// The contact.
    pub contact: ContactId,
    /// Point of contact \[m\].
    pub point: Vec2,
    /// Unit normal from this side to the other.
    pub normal: Vec2,
    /// Speed at which the surfaces approached each other [m/s].
    pub approach_speed: f32,
    /// Normal impulse in the step [N s].
    pub impulse: f32,
}

/// Two colliders stopped touching; one of them may be gone.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct ContactEnded {
    /// The colliders and their bodies.
    #[event_target]
    pub sides: Sides,
    /// The contact; stale.
    pub contact: ContactId,
}

/// Two colliders hit each other at [`hit_event_threshold`](cairn2d::Tuning::hit_event_threshold) or faster.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct ContactHit {
    /// The colliders and their bodies.
    #[event_target]
    pub sides: Sides,
    /// The contact.
    pub contact: ContactId,
    /// Point of contact \[m\].
    pub point: Vec2,
    /// Unit normal from this side to the other.
    pub normal: Vec2,
    /// Speed at which the surfaces approached each other [m/s].
    pub approach_speed: f32,
    /// Normal impulse in the step [N s].
    pub impulse: f32,
}

/// The mean normal force in the step was above the threshold of a collider: see
/// [`ContactReports`](crate::ContactReports).
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct ContactForce {
    /// The colliders and their bodies.
    #[event_target]
    pub sides: Sides,
    /// The contact.
    pub contact: ContactId,
    /// Point of contact \[m\].
    pub point: Vec2,
    /// Unit normal from this side to the other.
    pub normal: Vec2,
    /// Force \[N\].
    pub force: f32,
    /// Whether the force was below the threshold in the step before.
    pub started: bool,
}

/// A collider entered a sensor.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct SensorEntered {
    /// The two colliders and their bodies; the first is the sensor in messages.
    #[event_target]
    pub sides: Sides,
    /// The collider that is the sensor.
    pub sensor: Entity,
}

/// A collider left a sensor; one of them may be gone.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct SensorLeft {
    /// The two colliders and their bodies; the first is the sensor in messages.
    #[event_target]
    pub sides: Sides,
    /// The collider that is the sensor.
    pub sensor: Entity,
}

/// A joint broke.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct JointBroke {
    /// The entity of the joint.
    #[event_target]
    pub joint: Entity,
    /// Its bodies.
    pub bodies: [Entity; 2],
    /// Load that broke it: force on the second body \[N\].
    pub force: Vec2,
    /// Load that broke it: torque on the second body [N m].
    pub torque: f32,
}

/// The state of a body changed.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyEvent {
    /// The body.
    pub entity: Entity,
    /// The change.
    pub kind: BodyEventKind,
}

/// Changes of the state of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Reflect)]
pub enum BodyEventKind {
    /// It fell asleep.
    FellAsleep,
    /// It woke.
    Woke,
    /// It left [`WorldDef::bounds`](cairn2d::WorldDef::bounds).
    LeftBounds,
    /// It was frozen, since its state was not finite or left the world.
    Froze,
}

/// A message of two sides.
trait Mirrored: Copy {
    fn sides(&mut self) -> &mut Sides;
    /// The normal from this side to the other, if there is one.
    fn normal(&mut self) -> Option<&mut Vec2>;

    /// Returns the events of both colliders, and of their bodies if these are other entities.
    fn views(mut self) -> [Option<Self>; 4] {
        let mut other = self;
        *other.sides() = self.sides().mirrored();
        if let Some(normal) = other.normal() {
            *normal = -*normal;
        }
        [Some(self), self.of_body(), Some(other), other.of_body()]
    }

    fn of_body(mut self) -> Option<Self> {
        let sides = self.sides();
        sides.target = sides.body;
        (sides.body != sides.collider).then_some(self)
    }
}

macro_rules! mirrored {
    ($($event:ty: $normal:expr;)*) => {
        $(impl Mirrored for $event {
            fn sides(&mut self) -> &mut Sides {
                &mut self.sides
            }

            fn normal(&mut self) -> Option<&mut Vec2> {
                let normal: fn(&mut Self) -> Option<&mut Vec2> = $normal;
                normal(self)
            }
        })*
    };
}

mirrored! {
    ContactStarted: |event| Some(&mut event.normal);
    ContactHit: |event| Some(&mut event.normal);
    ContactForce: |event| Some(&mut event.normal);
    ContactEnded: |_| None;
    SensorEntered: |_| None;
    SensorLeft: |_| None;
}

/// An object of an event: its id, which may be stale, and its key.
type Named<I> = (I, u64);

/// Returns the sides of an event of a contact: the engine's kinds of events have no common record.
macro_rules! contact_sides {
    ($physics:expr, $of:expr) => {
        $physics.sides(
            [
                ($of.shape_a, $of.user_data_a),
                ($of.shape_b, $of.user_data_b),
            ],
            [
                ($of.body_a, $of.body_user_data_a),
                ($of.body_b, $of.body_user_data_b),
            ],
        )
    };
}

/// Returns the sides of an event of a sensor, which is the first.
macro_rules! sensor_sides {
    ($physics:expr, $of:expr) => {
        $physics.sides(
            [
                ($of.sensor, $of.sensor_user_data),
                ($of.visitor, $of.visitor_user_data),
            ],
            [
                ($of.sensor_body, $of.sensor_body_user_data),
                ($of.visitor_body, $of.visitor_body_user_data),
            ],
        )
    };
}

/// The events of the last step; the placeholder names an object without entity.
impl Physics {
    fn named(&self, key: u64) -> Entity {
        self.registry.entity(key).unwrap_or(Entity::PLACEHOLDER)
    }

    fn named_shape(&self, (shape, key): Named<ShapeId>) -> Entity {
        let entity = self.registry.entity_of_shape(shape);
        entity.unwrap_or_else(|| self.named(key))
    }

    fn named_body(&self, (body, key): Named<BodyId>) -> Entity {
        let entity = self.registry.entity_of_body(body);
        entity.unwrap_or_else(|| self.named(key))
    }

    fn sides(&self, shapes: [Named<ShapeId>; 2], bodies: [Named<BodyId>; 2]) -> Sides {
        Sides::new(
            shapes.map(|shape| self.named_shape(shape)),
            bodies.map(|body| self.named_body(body)),
        )
    }

    fn contact_starts(&self) -> impl Iterator<Item = ContactStarted> {
        let begins = self.world.contact_begins().iter();
        begins.map(|e| ContactStarted {
            sides: contact_sides!(self, e),
            contact: e.contact,
            point: from_world_point(e.point),
            normal: to_bevy(e.normal),
            approach_speed: e.approach_speed,
            impulse: e.impulse,
        })
    }

    fn contact_ends(&self) -> impl Iterator<Item = ContactEnded> {
        let ends = self.world.contact_ends().iter();
        ends.map(|e| ContactEnded {
            sides: contact_sides!(self, e),
            contact: e.contact,
        })
    }

    fn contact_hits(&self) -> impl Iterator<Item = ContactHit> {
        let hits = self.world.contact_hits().iter();
        hits.map(|e| ContactHit {
            sides: contact_sides!(self, e),
            contact: e.contact,
            point: from_world_point(e.point),
            normal: to_bevy(e.normal),
            approach_speed: e.approach_speed,
            impulse: e.impulse,
        })
    }

    fn contact_forces(&self) -> impl Iterator<Item = ContactForce> {
        let forces = self.world.contact_forces().iter();
        forces.map(|e| ContactForce {
            sides: contact_sides!(self, e),
            contact: e.contact,
            point: from_world_point(e.point),
            normal: to_bevy(e.normal),
            force: e.force,
            started: e.started,
        })
    }

    fn sensor_starts(&self) -> impl Iterator<Item = SensorEntered> {
        let begins = self.world.sensor_begins().iter();
        begins.map(|e| {
            let sides = sensor_sides!(self, e);
            let sensor = sides.collider;
            SensorEntered { sides, sensor }
        })
    }

    fn sensor_ends(&self) -> impl Iterator<Item = SensorLeft> {
        let ends = self.world.sensor_ends().iter();
        ends.map(|e| {
            let sides = sensor_sides!(self, e);
            let sensor = sides.collider;
            SensorLeft { sides, sensor }
        })
    }

    fn joint_breaks(&self) -> impl Iterator<Item = JointBroke> {
        let breaks = self.world.joint_breaks().iter();
        breaks.map(|e| JointBroke {
            joint: self.named(e.user_data),
            bodies: [e.body_user_data_a, e.body_user_data_b].map(|key| self.named(key)),
            force: to_bevy(e.reaction.force),
            torque: e.reaction.torque,
        })
    }

    fn body_events(&self) -> impl Iterator<Item = BodyEvent> {
        let sleeps = self.world.sleep_changes().iter().map(|e| {
            let kind = match e.change {
                SleepChange::FellAsleep => BodyEventKind::FellAsleep,
                SleepChange::Woke => BodyEventKind::Woke,
            };
            (self.entity_of_body(e.body), kind)
        });
        let frozen = self.world.body_freezes().iter();
        let frozen = frozen.map(|e| (self.entity_of_body(e.body), BodyEventKind::Froze));
        let exits = self.world.body_exits().iter();
        let exits = exits.map(|e| (Some(self.named(e.user_data)), BodyEventKind::LeftBounds));
        let named =
            |(entity, kind): (Option<Entity>, _)| entity.map(|entity| BodyEvent { entity, kind });
        sleeps.chain(frozen).chain(exits).filter_map(named)
    }

    fn agent_events(&self) -> impl Iterator<Item = AgentEvent> {
        let events = self.walkers.events().iter();
        events.filter_map(|e| {
            let entity = self.entity_of_body(e.body)?;
            Some(AgentEvent {
                entity,
                kind: e.kind,
            })
        })
    }
}

/// Writers of all messages of a step.
#[derive(SystemParam)]
pub(crate) struct StepMessages<'w> {
    started: MessageWriter<'w, ContactStarted>,
    ended: MessageWriter<'w, ContactEnded>,
    hits: MessageWriter<'w, ContactHit>,
    forces: MessageWriter<'w, ContactForce>,
    entered: MessageWriter<'w, SensorEntered>,
    left: MessageWriter<'w, SensorLeft>,
    broke: MessageWriter<'w, JointBroke>,
    bodies: MessageWriter<'w, BodyEvent>,
    agents: MessageWriter<'w, AgentEvent>,
}

/// Returns `true` if the last step has events.
pub(crate) fn has_events(physics: Res<'_, Physics>) -> bool {
    let world = &physics.world;
    let has_pairs = !world.contact_begins().is_empty()
        || !world.contact_ends().is_empty()
        || !world.contact_hits().is_empty()
        || !world.contact_forces().is_empty()
        || !world.sensor_begins().is_empty()
        || !world.sensor_ends().is_empty();
    has_pairs
        || !world.joint_breaks().is_empty()
        || !world.sleep_changes().is_empty()
        || !world.body_freezes().is_empty()
        || !world.body_exits().is_empty()
        || !physics.walkers.events().is_empty()
}

/// Sends the events of the last step as messages.
pub(crate) fn write_messages(physics: Res<'_, Physics>, mut to: StepMessages<'_>) {
    to.started.write_batch(physics.contact_starts());
    to.ended.write_batch(physics.contact_ends());
    to.hits.write_batch(physics.contact_hits());
    to.forces.write_batch(physics.contact_forces());
    to.entered.write_batch(physics.sensor_starts());
    to.left.write_batch(physics.sensor_ends());
    to.broke.write_batch(physics.joint_breaks());
    to.bodies.write_batch(physics.body_events());
    to.agents.write_batch(physics.agent_events());
}

/// Runs the observers of the events of the last step.
pub(crate) fn trigger_observers(world: &mut World) {
    let started = observed(world, Physics::contact_starts);
    let ended = observed(world, Physics::contact_ends);
    let hits = observed(world, Physics::contact_hits);
    let forces = observed(world, Physics::contact_forces);
    let entered = observed(world, Physics::sensor_starts);
    let left = observed(world, Physics::sensor_ends);
    let broke = observed(world, Physics::joint_breaks);
    let bodies = observed(world, Physics::body_events);
    let agents = observed(world, Physics::agent_events);
    trigger_pairs(world, started);
    trigger_pairs(world, ended);
    trigger_pairs(world, hits);
    trigger_pairs(world, forces);
    trigger_pairs(world, entered);
    trigger_pairs(world, left);
    trigger_each(world, broke);
    trigger_each(world, bodies);
    trigger_each(world, agents);
}

/// Events whose target is an entity.
trait Targeted: EntityEvent + for<'a> Event<Trigger<'a>: Default> {}

impl<E: EntityEvent + for<'a> Event<Trigger<'a>: Default>> Targeted for E {}

/// Returns `true` if any event has observers. Scenes have thousands of contacts a step, and few observers.
pub(crate) fn is_observed(world: &World) -> bool {
    has_observers::<ContactStarted>(world)
        || has_observers::<ContactEnded>(world)
        || has_observers::<ContactHit>(world)
        || has_observers::<ContactForce>(world)
        || has_observers::<SensorEntered>(world)
        || has_observers::<SensorLeft>(world)
        || has_observers::<JointBroke>(world)
        || has_observers::<BodyEvent>(world)
        || has_observers::<AgentEvent>(world)
}

fn has_observers<E: Event>(world: &World) -> bool {
    let key = world.event_key::<E>();
    let observers = key.and_then(|key| world.observers().try_get_observers(key));
    observers.is_some_and(|observers| {
        !observers.global_observers().is_empty() || !observers.entity_observers().is_empty()
    })
}

/// Returns the events of a kind if it has observers.
fn observed<'a, E: Targeted, I: Iterator<Item = E>>(
    world: &'a World,
    events: impl FnOnce(&'a Physics) -> I,
) -> Vec<E> {
    if !has_observers::<E>(world) {
        return Vec::new();
    }
    events(world.resource::<Physics>()).collect()
}

fn trigger_pairs<E: Targeted + Mirrored>(world: &mut World, events: Vec<E>) {
    let views = events.into_iter().flat_map(Mirrored::views);
    trigger_each(world, views.flatten());
}

/// Runs the observers of events whose entity still exists: an observer before may have despawned it.
fn trigger_each<E: Targeted>(world: &mut World, events: impl IntoIterator<Item = E>) {
    for event in events {
        if world.get_entity(event.event_target()).is_ok() {
            world.trigger(event);
            world.flush();
        }
    }
}
