//! Events of a step, as messages and as events of entities.
//!
//! A pair of colliders is one message. Observers see it once for each collider, with the sides exchanged, and once more for
//! its body if that is another entity. Entities that were despawned before the step are named as well; they get no event.

use crate::convert::{from_world_point, to_bevy};
use crate::physics::Physics;
use bevy_ecs::entity::ContainsEntity;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_reflect::Reflect;
use cairn2d::ContactId;

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
    /// Whether the force was below in the step before.
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

impl Physics {
    /// Returns the entity of a key; the placeholder for an object without entity.
    fn named(&self, key: u64) -> Entity {
        self.registry.entity(key).unwrap_or(Entity::PLACEHOLDER)
    }

    fn sides(&self, colliders: [u64; 2], bodies: [u64; 2]) -> Sides {
        let named = |keys: [u64; 2]| keys.map(|key| self.named(key));
        Sides::new(named(colliders), named(bodies))
    }

    fn contact_starts(&self) -> Vec<ContactStarted> {
        let begins = self.world.contact_begins().iter();
        let started = begins.map(|e| ContactStarted {
            sides: self.sides(
                [e.user_data_a, e.user_data_b],
                [e.body_user_data_a, e.body_user_data_b],
            ),
            contact: e.contact,
            point: from_world_point(e.point),
            normal: to_bevy(e.normal),
            approach_speed: e.approach_speed,
            impulse: e.impulse,
        });
        started.collect()
    }

    fn contact_ends(&self) -> Vec<ContactEnded> {
        let ends = self.world.contact_ends().iter();
        let ended = ends.map(|e| ContactEnded {
            sides: self.sides(
                [e.user_data_a, e.user_data_b],
                [e.body_user_data_a, e.body_user_data_b],
            ),
            contact: e.contact,
        });
        ended.collect()
    }

    fn contact_hits(&self) -> Vec<ContactHit> {
        let hits = self.world.contact_hits().iter();
        let hits = hits.map(|e| ContactHit {
            sides: self.sides(
                [e.user_data_a, e.user_data_b],
                [e.body_user_data_a, e.body_user_data_b],
            ),
            contact: e.contact,
            point: from_world_point(e.point),
            normal: to_bevy(e.normal),
            approach_speed: e.approach_speed,
            impulse: e.impulse,
        });
        hits.collect()
    }

    fn contact_forces(&self) -> Vec<ContactForce> {
        let forces = self.world.contact_forces().iter();
        let forces = forces.map(|e| ContactForce {
            sides: self.sides(
                [e.user_data_a, e.user_data_b],
                [e.body_user_data_a, e.body_user_data_b],
            ),
            contact: e.contact,
            point: from_world_point(e.point),
            normal: to_bevy(e.normal),
            force: e.force,
            started: e.started,
        });
        forces.collect()
    }

    fn sensor_starts(&self) -> Vec<SensorEntered> {
        let begins = self.world.sensor_begins().iter();
        let entered = begins.map(|e| SensorEntered {
            sides: self.sides(
                [e.sensor_user_data, e.visitor_user_data],
                [e.sensor_body_user_data, e.visitor_body_user_data],
            ),
            sensor: self.named(e.sensor_user_data),
        });
        entered.collect()
    }

    fn sensor_ends(&self) -> Vec<SensorLeft> {
        let ends = self.world.sensor_ends().iter();
        let left = ends.map(|e| SensorLeft {
            sides: self.sides(
                [e.sensor_user_data, e.visitor_user_data],
                [e.sensor_body_user_data, e.visitor_body_user_data],
            ),
            sensor: self.named(e.sensor_user_data),
        });
        left.collect()
    }

    fn joint_breaks(&self) -> Vec<JointBroke> {
        let breaks = self.world.joint_breaks().iter();
        let broke = breaks.map(|e| JointBroke {
            joint: self.named(e.user_data),
            bodies: [e.body_user_data_a, e.body_user_data_b].map(|key| self.named(key)),
            force: to_bevy(e.reaction.force),
            torque: e.reaction.torque,
        });
        broke.collect()
    }

    fn body_events(&self) -> Vec<BodyEvent> {
        use cairn2d::SleepChange;
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
        sleeps
            .chain(frozen)
            .chain(exits)
            .filter_map(|(entity, kind)| {
                Some(BodyEvent {
                    entity: entity?,
                    kind,
                })
            })
            .collect()
    }

    fn agent_events(&self) -> Vec<crate::crowd::AgentEvent> {
        let events = self.walkers.events().iter();
        events
            .filter_map(|e| {
                let entity = self.entity_of_body(e.body)?;
                Some(crate::crowd::AgentEvent {
                    entity,
                    kind: e.kind,
                })
            })
            .collect()
    }
}

/// Sends the events of the last step as messages, then to observers.
pub(crate) fn send_events(world: &mut World) {
    let physics = world.resource::<Physics>();
    let (started, ended) = (physics.contact_starts(), physics.contact_ends());
    let (hits, forces) = (physics.contact_hits(), physics.contact_forces());
    let (entered, left) = (physics.sensor_starts(), physics.sensor_ends());
    let (broke, bodies) = (physics.joint_breaks(), physics.body_events());
    let agents = physics.agent_events();
    world.resource_mut::<Physics>().registry.forget_departed();
    send_pairs(world, started);
    send_pairs(world, ended);
    send_pairs(world, hits);
    send_pairs(world, forces);
    send_pairs(world, entered);
    send_pairs(world, left);
    send_single(world, broke);
    send_single(world, bodies);
    send_single(world, agents);
}

/// Events whose target is an entity.
trait Targeted: Message + Copy + EntityEvent + for<'a> Event<Trigger<'a>: Default> {}

impl<E: Message + Copy + EntityEvent + for<'a> Event<Trigger<'a>: Default>> Targeted for E {}

fn send_pairs<E: Targeted + Mirrored>(world: &mut World, events: Vec<E>) {
    if events.is_empty() {
        return;
    }
    world.write_message_batch(events.iter().copied());
    if !is_observed::<E>(world) {
        return;
    }
    for view in events.into_iter().flat_map(Mirrored::views).flatten() {
        trigger(world, view);
    }
}

fn send_single<E: Targeted>(world: &mut World, events: Vec<E>) {
    world.write_message_batch(events.iter().copied());
    for event in events {
        trigger(world, event);
    }
}

/// Returns `true` if there are observers of a kind of events. Scenes have thousands of contacts a step, and few observers.
fn is_observed<E: Targeted>(world: &World) -> bool {
    let key = world.event_key::<E>();
    let observers = key.and_then(|key| world.observers().try_get_observers(key));
    observers.is_some_and(|observers| {
        !observers.global_observers().is_empty() || !observers.entity_observers().is_empty()
    })
}

/// Runs the observers of an event, if its entity still exists: an observer before may have despawned it.
fn trigger<E: Targeted>(world: &mut World, event: E) {
    if world.get_entity(event.event_target()).is_ok() {
        world.trigger(event);
        world.flush();
    }
}
