//! Which shapes touch by the measure of Box2D, and which of them began and ceased to.
//!
//! The engine counts shapes as touching from a gap of 2 cm on, so that its solver can stop them at the surface. In Box2D they touch once
//! they are within a slop of where they rest, and lists of contacts, listeners and rewards tell so: the foot of a walker that
//! swings a centimeter above the ground does not touch it.
//!
//! Box2D looks at the start of a step, and again where a fast body is stopped. So a pair touches in a step if it was near at its start, or if
//! its shapes pushed each other within the step.

use cairn2d::{BodyId, ContactId, ShapeId, World};

/// Gap up to which shapes touch [m]: `b2_linearSlop`.
const TOUCHING_GAP: f32 = 0.005;

/// Two shapes and their bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TouchingPair {
    pub(crate) shapes: [ShapeId; 2],
    pub(crate) bodies: [BodyId; 2],
}

/// A contact of the engine.
#[derive(Clone, Copy, Debug)]
struct Near {
    pair: TouchingPair,
    contact: ContactId,
    /// Whether it was near at the end of the last step; `None` of a new one.
    was_near: Option<bool>,
    touches: bool,
    /// Whether its shapes pushed each other in the step in which it began.
    pushed: bool,
}

/// State of a contact in a save: ids of shapes, bodies and contact, whether it was near, and whether it touches.
pub(crate) type SavedTouch = ([u64; 2], [u64; 2], u64, bool, bool);

/// Contacts of a world, in order of the ids of their shapes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touches {
    all: Vec<Near>,
    /// Pairs that began to touch in the last step.
    pub(crate) begins: Vec<TouchingPair>,
    /// Pairs that ceased to touch in the last step.
    pub(crate) ends: Vec<TouchingPair>,
}

fn key(near: &Near) -> [u64; 2] {
    near.pair.shapes.map(ShapeId::to_bits)
}

impl Near {
    /// Takes over the state after a step; returns whether the engine still has the contact.
    fn update(&mut self, world: &World) -> bool {
        let Some(contact) = world.get_contact(self.contact) else {
            self.touches = false;
            return false;
        };
        let is_asleep = !self
            .pair
            .bodies
            .iter()
            .any(|&body| world.body(body).is_awake());
        if is_asleep && self.was_near.is_some() {
            return true;
        }
        let is_near = contact
            .points()
            .any(|point| point.separation <= TOUCHING_GAP);
        let was_near = self.was_near.replace(is_near).unwrap_or(is_near);
        self.touches = was_near || contact.points().any(|point| point.normal_impulse > 0.0);
        true
    }
}

impl Touches {
    /// Takes over the contacts after a step.
    pub(crate) fn update(&mut self, world: &World) {
        self.begins.clear();
        self.ends.clear();
        self.add_new(world);
        let (begins, ends) = (&mut self.begins, &mut self.ends);
        self.all.retain_mut(|near| {
            let touched = near.touches;
            let is_there = near.update(world);
            if !is_there && core::mem::take(&mut near.pushed) && !touched {
                // It bounced off in the step in which it came.
                begins.push(near.pair);
                ends.push(near.pair);
            }
            match (touched, near.touches) {
                (false, true) => begins.push(near.pair),
                (true, false) => ends.push(near.pair),
                _ => {}
            }
            is_there
        });
    }

    /// Adds the contacts that the engine began in the step. One that ended and began again goes on.
    fn add_new(&mut self, world: &World) {
        let known = self.all.len();
        for event in world.contact_begins() {
            let near = Near {
                pair: TouchingPair {
                    shapes: [event.shape_a, event.shape_b],
                    bodies: [event.body_a, event.body_b],
                },
                contact: event.contact,
                was_near: None,
                touches: false,
                pushed: event.impulse > 0.0,
            };
            match self.all[..known].binary_search_by_key(&key(&near), key) {
                Ok(at) => self.all[at].contact = near.contact,
                Err(_) => self.all.push(near),
            }
        }
        if self.all.len() > known {
            self.all.sort_by_key(key);
            // Of a pair that began twice in the step, only the later contact may be there.
            self.all.dedup_by(|later, near| {
                let is_same = key(later) == key(near);
                if is_same {
                    near.contact = later.contact;
                }
                is_same
            });
        }
    }

    /// State of all contacts.
    pub(crate) fn save(&self) -> Vec<SavedTouch> {
        let saved = |near: &Near| {
            (
                key(near),
                near.pair.bodies.map(BodyId::to_bits),
                near.contact.to_bits(),
                near.was_near.unwrap_or(false),
                near.touches,
            )
        };
        self.all.iter().map(saved).collect()
    }

    /// Contacts of such a state.
    pub(crate) fn load(saved: Vec<SavedTouch>) -> Self {
        let near = |(shapes, bodies, contact, was_near, touches): SavedTouch| Near {
            pair: TouchingPair {
                shapes: shapes.map(ShapeId::from_bits),
                bodies: bodies.map(BodyId::from_bits),
            },
            contact: ContactId::from_bits(contact),
            was_near: Some(was_near),
            touches,
            pushed: false,
        };
        Self {
            all: saved.into_iter().map(near).collect(),
            ..Self::default()
        }
    }
}
