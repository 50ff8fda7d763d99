//! Bodies, contacts, joints, islands, solver, continuous collision and the [`World`].
//!
//! The `mod` lines below are the layer order, lowest first: a module uses only those before it.

mod bitset;
mod sorted;
mod growth;
mod bounded;
mod tracked;
mod free_slots;
mod id;
#[cfg(feature = "serde")]
mod serde_ids;
mod error;
mod mechanisms;
mod tuning;
mod softness;
mod profile;
mod world_def;
mod step_context;
mod linear;
mod island;
mod graph;
mod body;
mod material;
mod shape;
mod answers;
mod hook;
mod shared;
mod records;
mod fat_box;
mod workers;
mod joint;
mod ignored_pairs;
mod pair_rules;
mod event;
mod contact;
mod links;
mod solver;
mod articulation;
mod newton;
mod load;
mod penetration;
mod schedule;
mod sleep;
mod ccd;
mod step;
mod world;
mod replay;

pub use body::def::{BodyDef, BodyKind, Continuous, InitialState, Locks};
pub use cairn2d_geometry::Tile;
pub use error::ValueError;
pub use event::{
    BodyExit, BodyFreeze, ContactBegin, ContactEnd, ContactForce, ContactHit, JointBreak,
    SensorBegin, SensorEnd, SleepChange, SleepEvent,
};
pub use hook::{HookShape, PreSolve, PreSolvePoint};
pub use id::{BodyId, ContactId, Id, IdKind, JointId, ShapeId, kind};
pub use ignored_pairs::IgnoreFor;
pub use joint::{
    DistanceJointDef, FilterJointDef, GearJointDef, JointBaseDef, JointDef, JointDefError,
    JointFrame, JointReaction, JointSoftness, Limit, Motor, MotorJointDef, MouseJointDef,
    PrismaticJointDef, PulleyJointDef, RevoluteJointDef, Spring, WeldJointDef, WheelJointDef,
};
pub use material::{BodyKinds, Filter, Material, MixRule, QueryFilter, Sensors, ShapePredicate};
#[doc(hidden)]
pub use mechanisms::Mechanism;
pub use mechanisms::Mechanisms;
pub use profile::{Clock, Counters, Profile};
pub use replay::{
    CallDifference, Comparison, Desync, Player, Recording, RecordingInfo, ReplayError,
};
pub use shape::def::ShapeDef;
pub use tuning::{
    MAX_CONTACT_HERTZ_SHARE, MAX_COORDINATE, MAX_DRIVE_SPEED, MAX_FRICTION, MAX_INERTIA, MAX_MASS,
    MAX_RESTITUTION, MAX_ROTATION, MAX_STEP, MIN_MASS, MIN_STEP, SLEEP_SPEED, TIME_TO_SLEEP,
    Tuning,
};
pub use world::{
    BaseSave, BodyMut, BodyPlacement, BodyRef, Capacity, ContactPointRef, ContactRef,
    DEFAULT_KEYFRAME_WORK, Difference, ExplosionDef, Fluid, JointMut, JointRef, MasslessCause,
    Mover, MoverPlane, Nearest, OVERFLOW_COLOR, RECORDING_FORMAT, RayQuery, RecordingDef,
    SAVE_FORMAT, SOLVER_EPOCH, SaveInfo, SceneBody, SceneDef, SceneError, SceneJoint, SceneShape,
    ShapeHit, ShapeMut, ShapeQuery, ShapeRef, SimulatedBody, Warning, Wind, World, WorldError,
};
pub use world_def::{DEFAULT_SOLVER_BUDGET, MAX_SUBSTEPS, MAX_THREADS, WorldDef};

/// The program of the page of the crate, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
