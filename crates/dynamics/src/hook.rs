//! Hooks: user functions that filter pairs of shapes and change contacts before they are solved.
//!
//! The world stores them and shares them with its clones. Each call gets one pair in its current state, so the order
//! of the calls, which depends on the threads, has no effect.

use crate::answers::{AnswerLog, ContactAnswer, PairAnswer};
use crate::body::def::BodyKind;
use crate::body::state::BodyState;
use crate::body::table::BodyTable;
use crate::id::{BodyId, ShapeId, Slots, kind};
use crate::material::{Filter, Material};
use crate::shape::BodyShape;
use cairn2d_geometry::Shape;
use cairn2d_geometry::math::{Vec2, WorldPoint, atan2};
use core::fmt;
use std::sync::Arc;

/// One of the two shapes for which a hook is called.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct HookShape<'a> {
    bodies: &'a BodyTable,
    shapes: &'a Slots<kind::Shape, BodyShape>,
    slot: u32,
}

impl<'a> HookShape<'a> {
    pub(crate) fn new(
        bodies: &'a BodyTable,
        shapes: &'a Slots<kind::Shape, BodyShape>,
        slot: u32,
    ) -> Self {
        Self {
            bodies,
            shapes,
            slot,
        }
    }

    fn record(&self) -> &'a BodyShape {
        &self.shapes[self.slot]
    }

    fn state(&self) -> &'a BodyState {
        &self.bodies.states[self.record().body as usize]
    }

    /// Returns the id of the shape.
    #[must_use]
    pub fn id(&self) -> ShapeId {
        self.shapes.id_at(self.slot)
    }

    /// Returns the id of its body.
    #[must_use]
    pub fn body(&self) -> BodyId {
        self.bodies.slots.id_at(self.record().body)
    }

    /// Kind of its body.
    #[must_use]
    pub fn kind(&self) -> BodyKind {
        self.bodies.slots[self.record().body].kind
    }

    /// Geometry in the body's frame.
    #[must_use]
    pub fn geometry(&self) -> &'a Shape {
        &self.record().geometry
    }

    /// Material of its surface.
    #[must_use]
    pub fn material(&self) -> &'a Material {
        &self.record().material
    }

    /// Filter by which it collides with other shapes.
    #[must_use]
    pub fn filter(&self) -> Filter {
        self.record().filter
    }

    /// Returns `true` if the shape is a sensor.
    #[must_use]
    pub fn is_sensor(&self) -> bool {
        self.record().sensor
    }

    /// Number that the user attached to the shape.
    #[must_use]
    pub fn user_data(&self) -> u64 {
        self.record().user_data
    }

    /// Number that the user attached to the body.
    #[must_use]
    pub fn body_user_data(&self) -> u64 {
        self.bodies.slots[self.record().body].user_data
    }

    /// Origin of the body's frame in the world \[m\].
    #[must_use]
    pub fn position(&self) -> WorldPoint {
        self.bodies.poses[self.record().body as usize].origin()
    }

    /// Angle of the body's frame, counter-clockwise, in (-pi, pi] \[rad\].
    #[must_use]
    pub fn angle(&self) -> f32 {
        let rotation = self.bodies.poses[self.record().body as usize].rotation;
        atan2(rotation.y, rotation.x)
    }

    /// Velocity of the body's center of mass [m/s].
    #[must_use]
    pub fn velocity(&self) -> Vec2 {
        self.state().velocity
    }

    /// Angular velocity of the body, counter-clockwise [rad/s].
    #[must_use]
    pub fn angular_velocity(&self) -> f32 {
        self.state().angular_velocity
    }

    /// Velocity of the material point of the body that is at `point` in the world [m/s].
    #[must_use]
    pub fn velocity_at(&self, point: impl Into<WorldPoint>) -> Vec2 {
        let arm = point.into() - self.bodies.poses[self.record().body as usize].center;
        self.state().velocity_at(arm)
    }
}

/// A point at which two shapes touch or are about to.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PreSolvePoint {
    /// Position in the world \[m\].
    pub point: WorldPoint,
    /// Signed gap between the surfaces, negative = overlap \[m\].
    pub separation: f32,
}

/// A contact before it is solved: a pre-solve hook reads it and may change its surface.
#[derive(Debug)]
pub struct PreSolve<'a> {
    pub(crate) sides: [HookShape<'a>; 2],
    pub(crate) normal: Vec2,
    pub(crate) points: [PreSolvePoint; 2],
    pub(crate) count: usize,
    pub(crate) ignored: bool,
    /// Coulomb coefficient for this step; a value that a [`Material`] may not have is ignored.
    pub friction: f32,
    /// Coefficient of restitution for this step; a value that a [`Material`] may not have is ignored.
    pub restitution: f32,
    /// Speed of the second surface relative to the first along the tangent (the normal turned clockwise by 90
    /// degrees) in this step [m/s]; a value that a [`Material`] may not have is ignored.
    pub surface_speed: f32,
}

impl<'a> PreSolve<'a> {
    /// The two shapes; the normal points from the first to the second.
    #[must_use]
    pub fn shapes(&self) -> [HookShape<'a>; 2] {
        self.sides
    }

    /// Unit normal from the first shape to the second, in the world.
    #[must_use]
    pub fn normal(&self) -> Vec2 {
        self.normal
    }

    /// The one or two points.
    #[must_use]
    pub fn points(&self) -> &[PreSolvePoint] {
        &self.points[..self.count]
    }

    /// Drops the contact from this step: the shapes do not touch.
    pub fn ignore(&mut self) {
        self.ignored = true;
    }
}

/// Returns `true` if two shapes may collide.
pub(crate) type PairFilter = dyn Fn(HookShape<'_>, HookShape<'_>) -> bool + Send + Sync;

/// Changes a contact before it is solved.
pub(crate) type PreSolveHook = dyn Fn(&mut PreSolve<'_>) + Send + Sync;

/// The pair filter, and where its answers are recorded, if they are.
#[derive(Clone, Copy)]
pub(crate) struct PairHook<'a> {
    accept: &'a PairFilter,
    log: Option<&'a AnswerLog>,
}

impl PairHook<'_> {
    pub(crate) fn accepts(self, a: HookShape<'_>, b: HookShape<'_>) -> bool {
        let is_accepted = (self.accept)(a, b);
        if let Some(log) = self.log {
            log.note_pair(PairAnswer {
                shapes: (a.slot, b.slot),
                is_accepted,
            });
        }
        is_accepted
    }
}

/// The pre-solve hook, and where its answers are recorded, if they are.
#[derive(Clone, Copy)]
pub(crate) struct ContactHook<'a> {
    change: &'a PreSolveHook,
    log: Option<&'a AnswerLog>,
}

impl ContactHook<'_> {
    pub(crate) fn change(self, contact: &mut PreSolve<'_>) {
        (self.change)(contact);
        if let Some(log) = self.log {
            let [a, b] = contact.sides.map(|side| side.slot);
            let PreSolve {
                friction,
                restitution,
                surface_speed,
                ..
            } = contact;
            log.note_contact(ContactAnswer {
                shapes: (a, b),
                is_ignored: contact.ignored,
                surface: [*friction, *restitution, *surface_speed].map(f32::to_bits),
            });
        }
    }
}

/// The hooks of a world.
#[derive(Clone, Default)]
pub(crate) struct Hooks {
    pub(crate) pair_filter: Option<Arc<PairFilter>>,
    pub(crate) pre_solve: Option<Arc<PreSolveHook>>,
}

impl Hooks {
    /// Returns the pair filter with the log of its answers.
    pub(crate) fn pair_hook<'a>(&'a self, log: Option<&'a AnswerLog>) -> Option<PairHook<'a>> {
        let accept = self.pair_filter.as_deref()?;
        Some(PairHook { accept, log })
    }

    /// Returns the pre-solve hook with the log of its answers.
    pub(crate) fn contact_hook<'a>(
        &'a self,
        log: Option<&'a AnswerLog>,
    ) -> Option<ContactHook<'a>> {
        let change = self.pre_solve.as_deref()?;
        Some(ContactHook { change, log })
    }
}

impl fmt::Debug for Hooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hooks")
            .field("pair_filter", &self.pair_filter.is_some())
            .field("pre_solve", &self.pre_solve.is_some())
            .finish()
    }
}
