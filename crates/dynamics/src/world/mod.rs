//! The world: the tables of the simulation, and the structural edits that touch several of them.

mod access;
mod attach;
mod bodies;
mod bulk;
mod contacts;
mod ccd;
mod debug_view;
mod delta;
mod difference;
mod error;
mod energy;
mod explosion;
mod finish;
mod fluid;
mod forces;
mod freeze;
mod hash;
mod hooks;
mod ignore;
mod islands;
#[cfg(test)]
mod internal_edge_tests;
mod joint_mut;
mod joint_place;
mod joint_view;
mod joints;
mod load;
mod mass;
mod numbers;
mod query;
pub(crate) mod record;
mod restore;
mod save;
mod scene_def;
#[cfg(feature = "serde")]
mod scene_data;
mod to_scene;
mod sensors;
mod quiet_pairs;
#[cfg(feature = "serde")]
mod serialized;
mod settings;
mod shapes;
mod shift;
mod step;
mod consistency;
mod warnings;
mod wind;

use crate::bitset::BitSet;
use crate::body::table::BodyTable;
use crate::ccd::RecentImpact;
use crate::contact::force_events::ForceEvents;
use crate::contact::table::ContactTable;
use crate::error::demand;
use crate::event::{
    BodyExit, BodyFreeze, ContactBegin, ContactEnd, ContactForce, ContactHit, Events, JointBreak,
    SensorBegin, SensorEnd, SleepEvent,
};
use crate::graph::ConstraintGraph;
use crate::hook::Hooks;
use crate::id::WorldMark;
use crate::ignored_pairs::IgnoredPairs;
use crate::island::set::IslandSet;
use crate::joint::table::JointTable;
use crate::penetration::Depenetration;
use crate::profile::{Counters, Profile};
use crate::shape::table::ShapeTable;
use crate::solver::Bouncing;
use crate::step_context::StepHistory;
use crate::workers::Pool;
use crate::world_def::WorldDef;
use cairn2d_broadphase::{BroadPhase, BroadPhaseKind, Pairing};
use cairn2d_geometry::clone_fields;
use record::Recorder;

pub use access::{BodyMut, BodyRef, ContactPointRef, ContactRef, ShapeMut, ShapeRef};
pub use bulk::{BodyPlacement, Capacity, SimulatedBody};
pub use debug_view::OVERFLOW_COLOR;
use delta::BaseName;
pub use delta::BaseSave;
pub use difference::Difference;
pub use error::WorldError;
pub use explosion::ExplosionDef;
pub use fluid::Fluid;
pub use joint_mut::JointMut;
pub use joint_view::JointRef;
pub use query::{Mover, MoverPlane, Nearest, RayQuery, ShapeHit, ShapeQuery};
pub use record::{DEFAULT_KEYFRAME_WORK, RECORDING_FORMAT, RecordingDef};
pub use save::{SAVE_FORMAT, SOLVER_EPOCH, SaveInfo};
pub use scene_def::{SceneBody, SceneDef, SceneError, SceneJoint, SceneShape};
pub use warnings::{MasslessCause, Warning};
pub use wind::Wind;

/// Bodies, shapes, contacts and joints that are simulated together.
///
/// Plain data: a clone is a snapshot that continues with the same bits, and a world can move to another
/// thread. Time passes only in [`step`](Self::step).
///
/// Ids are valid in this world, its clones and the worlds loaded from its saves. A program with several other worlds
/// must give each its own [`WorldDef::id_mark`]: without marks, an id of another world silently names the object in
/// the same slot of this one.
///
/// ```
/// use cairn2d_dynamics::{BodyDef, ShapeDef, World, WorldDef};
/// use cairn2d_geometry::{Circle, Polygon};
/// use cairn2d_geometry::math::point;
///
/// let mut world = World::new(WorldDef::default());
/// let ground = world.create_body(BodyDef::static_().position(0.0, -1.0));
/// world.create_shape(ground, Polygon::rectangle(20.0, 1.0), ShapeDef::default());
/// let ball = world.create_body(BodyDef::dynamic().position(0.0, 4.0));
/// world.create_shape(ball, Circle::new(point(0.0, 0.0), 0.5), ShapeDef::default());
/// for _ in 0..120 {
///     world.step(1.0 / 60.0);
/// }
/// assert!((world.body(ball).position().y - 0.5).abs() < 0.01);
/// ```
#[doc(alias("b2World", "b2WorldId", "PhysicsWorld"))]
#[doc(alias("PhysicsPipeline", "RigidBodySet"))]
#[doc(alias = "PhysicsServer2D")]
#[derive(Debug)]
pub struct World {
    pub(crate) def: WorldDef,
    pub(crate) bodies: BodyTable,
    pub(crate) shapes: ShapeTable,
    pub(crate) contacts: ContactTable,
    pub(crate) joints: JointTable,
    pub(crate) broad: Box<BroadPhase>,
    pub(crate) graph: ConstraintGraph,
    pub(crate) islands: IslandSet,
    pub(crate) hooks: Hooks,
    pub(crate) ignores: IgnoredPairs,
    pub(crate) force_events: ForceEvents,
    /// Bodies outside the bounds, by slot.
    pub(crate) outside: BitSet,
    pub(crate) events: Box<Events>,
    pub(crate) counters: Counters,
    pub(crate) profile: Profile,
    pub(crate) depenetration: Depenetration,
    pub(crate) scratch: Box<step::Scratch>,
    /// The caller's pool; `None` is rayon's global one.
    pub(crate) pool: Option<Pool>,
    /// Whether there ever was a contact with restitution; until then the restitution stage is skipped.
    pub(crate) bouncing: Bouncing,
    /// Pairs of shapes that bounced off each other in the last step and are still close.
    pub(crate) recent_impacts: Vec<RecentImpact>,
    pub(crate) history: StepHistory,
    /// Writes down all calls while the world is recorded.
    pub(crate) recorder: Option<Box<Recorder>>,
    /// Names the save that is the base of deltas: tables note the records that were written since then.
    pub(crate) base: Option<BaseName>,
}

// A clone is another world: its calls are not those of this one, so it has no recorder.
clone_fields!(World {
    def,
    bodies,
    shapes,
    contacts,
    joints,
    broad,
    graph,
    islands,
    hooks,
    ignores,
    force_events,
    outside,
    events,
    counters,
    profile,
    depenetration,
    scratch,
    pool,
    bouncing,
    recent_impacts,
    history,
    base,
}, except recorder: None, then note_replaced);

impl Default for World {
    /// Makes an empty world with the default definition.
    fn default() -> Self {
        Self::new(WorldDef::default())
    }
}

/// # Creation
impl World {
    /// Makes an empty world.
    ///
    /// # Panics
    /// If `def` is invalid; [`try_new`](Self::try_new) returns the error instead.
    #[must_use]
    #[track_caller]
    pub fn new(def: WorldDef) -> Self {
        demand(Self::try_new(def), "make the world")
    }

    /// Makes an empty world.
    ///
    /// # Errors
    /// If `def` is invalid: see [`WorldDef::validate`].
    pub fn try_new(def: WorldDef) -> Result<Self, WorldError> {
        def.validate()?;
        let mark = WorldMark(def.id_mark);
        Ok(Self {
            bodies: BodyTable::new(mark),
            shapes: ShapeTable::new(mark),
            contacts: ContactTable::new(mark),
            joints: JointTable::new(mark),
            broad: Box::new(paired_for_sensors(def.broad_phase)),
            graph: ConstraintGraph::default(),
            islands: IslandSet::default(),
            hooks: Hooks::default(),
            ignores: IgnoredPairs::default(),
            force_events: ForceEvents::default(),
            outside: BitSet::default(),
            events: Box::default(),
            counters: Counters::default(),
            profile: Profile::default(),
            depenetration: Depenetration::default(),
            scratch: Box::default(),
            pool: None,
            bouncing: Bouncing::Never,
            recent_impacts: Vec::new(),
            history: StepHistory::default(),
            recorder: None,
            base: None,
            def,
        })
    }

    /// Runs steps on the threads of `pool` instead of rayon's global pool; `None` restores the global pool.
    ///
    /// [`WorldDef::threads`] limits the number of threads. Needs the feature `threads`.
    #[cfg(feature = "threads")]
    pub fn set_pool(&mut self, pool: Option<std::sync::Arc<rayon::ThreadPool>>) {
        self.pool = pool;
    }
}

/// # Events of the last step
impl World {
    /// Shape pairs that began to touch in the last step, in order of contact slot.
    #[doc(alias("b2World_GetContactEvents", "OnCollisionEnter2D"))]
    #[doc(alias("body_entered", "BeginContact", "CollisionEvent"))]
    #[doc(alias = "ContactListener")]
    #[must_use]
    pub fn contact_begins(&self) -> &[ContactBegin] {
        &self.events.reported.begins
    }

    /// Shape pairs that stopped touching in the last step or since the one before.
    #[doc(alias("OnCollisionExit2D", "body_exited", "EndContact"))]
    #[must_use]
    pub fn contact_ends(&self) -> &[ContactEnd] {
        &self.events.reported.ends
    }

    /// Contacts whose approach speed reached [`Tuning::hit_event_threshold`](crate::Tuning::hit_event_threshold) in the last step, in order of
    /// contact slot: new contacts, and touching contacts that hit again.
    #[doc(alias("b2ContactHitEvent", "PostSolve"))]
    #[must_use]
    pub fn contact_hits(&self) -> &[ContactHit] {
        &self.events.reported.hits
    }

    /// Contacts whose mean normal force in the last step was above
    /// [`ShapeDef::force_event_threshold`](crate::ShapeDef::force_event_threshold) of one of their shapes, in
    /// order of contact slot: one entry for each such step.
    #[doc(alias("ContactForceEvent", "contact_force_event"))]
    #[must_use]
    pub fn contact_forces(&self) -> &[ContactForce] {
        &self.events.reported.forces
    }

    /// Bodies that fell asleep or woke in the last step or since the one before.
    #[must_use]
    pub fn sleep_changes(&self) -> &[SleepEvent] {
        &self.events.reported.sleeps
    }

    /// Bodies that were frozen in the last step because their state was not finite or left the world.
    #[must_use]
    pub fn body_freezes(&self) -> &[BodyFreeze] {
        &self.events.reported.frozen
    }

    /// Bodies that left [`WorldDef::bounds`] in the last step, so that no part of them is inside any more, in order
    /// of slot. Each is listed once, and again only after it came back. The next step lists a body that was
    /// teleported out; static, disabled and sleeping bodies are not tested.
    #[must_use]
    pub fn body_exits(&self) -> &[BodyExit] {
        &self.events.reported.exits
    }

    /// Shapes that began to overlap a sensor in the last step.
    #[doc(alias("b2World_GetSensorEvents", "OnTriggerEnter2D"))]
    #[doc(alias = "area_entered")]
    #[must_use]
    pub fn sensor_begins(&self) -> &[SensorBegin] {
        &self.events.reported.sensor_begins
    }

    /// Shapes that stopped overlapping a sensor in the last step or since the one before.
    #[doc(alias("OnTriggerExit2D", "area_exited"))]
    #[must_use]
    pub fn sensor_ends(&self) -> &[SensorEnd] {
        &self.events.reported.sensor_ends
    }

    /// Joints that broke in the last step and no longer exist.
    #[doc(alias = "OnJointBreak2D")]
    #[must_use]
    pub fn joint_breaks(&self) -> &[JointBreak] {
        &self.events.reported.breaks
    }
}

/// # Counters and times
impl World {
    /// Amounts of work in the last step.
    #[doc(alias = "b2World_GetCounters")]
    #[must_use]
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Times of the stages of the last step; all 0 without a clock in the definition.
    #[doc(alias = "b2World_GetProfile")]
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Number of steps taken.
    #[must_use]
    pub fn step_count(&self) -> u64 {
        self.history.count()
    }
}

/// Returns a broad phase that also pairs kinematic sensors with static shapes.
fn paired_for_sensors(kind: BroadPhaseKind) -> BroadPhase {
    let mut broad = BroadPhase::new(kind);
    broad.set_pairing(Pairing::Kinematic);
    broad
}
