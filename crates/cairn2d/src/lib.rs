//! A fast, stable 2D rigid-body physics engine whose results repeat to the bit.
//!
//! Create a [`World`], add bodies with shapes, call [`World::step`] once per frame, and read poses and events.
//!
//! ```
//! use cairn2d::prelude::*;
//!
//! let mut world = World::new(WorldDef::default());
//!
//! // The ground: a static body whose top is at y = 0.
//! let ground = world.create_body(BodyDef::static_().position(0.0, -1.0));
//! world.create_shape(ground, Polygon::rectangle(20.0, 1.0), ShapeDef::default());
//!
//! // A box of 1 m x 1 m, dropped from 4 m and rotated by 0.3 rad.
//! let crate_ = world.create_body(BodyDef::dynamic().position(0.0, 4.0).angle(0.3));
//! world.create_shape(crate_, Polygon::rectangle(0.5, 0.5), ShapeDef::default().friction(0.4));
//!
//! for _ in 0..180 {
//!     world.step(1.0 / 60.0);
//!     for touch in world.contact_begins() {
//!         println!("hit at {:.1} m/s", touch.approach_speed);
//!     }
//! }
//!
//! let body = world.body(crate_);
//! assert!((body.position().y - 0.5).abs() < 0.01);
//! ```
//!
//! # Overview
//!
//! * SI units, radians, y up, counter-clockwise; normals point from A to B. The default tolerances suit
//!   lengths of 0.1 m to 10 m.
//! * A function that gets an invalid value panics at the line of the caller, and the message names the value. Its
//!   `try_` twin returns an error instead. With a stale id [`World::body`] panics and [`World::get_body`] returns `None`.
//! * A [`World`] is plain data: its `clone` is a snapshot that continues with the same bits.
//! * Definitions ([`WorldDef`], [`BodyDef`], [`ShapeDef`] and those of joints) are structs with public fields and
//!   defaults. Methods set the fields you need most; set the others with struct update syntax.
//! * Vectors and points can be passed as `(x, y)` or `[x, y]`: see [`IntoVec2`] and [`IntoPoint`].
//! * Events such as [`World::contact_begins`] are lists that each step replaces.
//! * You can also use these crates on their own: [`geometry`], [`broadphase`], [`dynamics`], `crowd`.
//!
//! # Features
//!
//! | feature | default | content |
//! |---|---|---|
//! | `threads` | on | a step uses up to [`WorldDef::threads`] threads of a pool of rayon. Without it a world runs on the calling thread, with the same bits |
//! | `crowd` | on | crowd steering: the crate `crowd`, and the controller that moves bodies with it |
//! | `serde` | off | definitions, scenes and worlds as data |
//! | `mint`, `glam030` to `glam033` | off | conversions of vectors and points from and to these crates |
//!
//! The manual is in `docs/manual`. It covers bodies and shapes, joints, contacts, sensors, queries, characters,
//! continuous collision, sleeping and crowds, then units, rollback, saving, drawing, performance and robotics, and
//! it has tables of names for users of Box2D and Rapier. Its programs run as tests of this crate.
#![forbid(unsafe_code)]

pub use cairn2d_broadphase as broadphase;
#[cfg(feature = "crowd")]
pub use cairn2d_crowd as crowd;
pub use cairn2d_dynamics as dynamics;
pub use cairn2d_geometry as geometry;
/// The vector types of the engine are those of nalgebra.
pub use nalgebra;
/// [`World::set_pool`] takes a thread pool of rayon.
#[cfg(feature = "threads")]
pub use rayon;

mod clock;
mod numbers;
mod character;
#[cfg(feature = "crowd")]
mod crowd_controller;
pub mod draw;
#[cfg(doctest)]
mod manual;
mod linkage;
#[doc(hidden)]
pub mod other_names;
mod rollback;
mod tile_grid;
mod timestep;

pub use cairn2d_broadphase::BroadPhaseKind;
#[doc(hidden)]
pub use cairn2d_dynamics::Mechanism;
pub use cairn2d_dynamics::{
    BaseSave, BodyDef, BodyExit, BodyFreeze, BodyId, BodyKind, BodyKinds, BodyMut, BodyPlacement,
    BodyRef, CallDifference, Capacity, Clock, Comparison, ContactBegin, ContactEnd, ContactForce,
    ContactHit, ContactId, ContactPointRef, ContactRef, Continuous, Counters,
    DEFAULT_KEYFRAME_WORK, DEFAULT_SOLVER_BUDGET, Desync, Difference, DistanceJointDef,
    ExplosionDef, Filter, FilterJointDef, Fluid, GearJointDef, HookShape, Id, IdKind, IgnoreFor,
    InitialState, JointBaseDef, JointBreak, JointDef, JointDefError, JointFrame, JointId, JointMut,
    JointReaction, JointRef, JointSoftness, Limit, Locks, MAX_CONTACT_HERTZ_SHARE, MAX_COORDINATE,
    MAX_DRIVE_SPEED, MAX_FRICTION, MAX_INERTIA, MAX_MASS, MAX_RESTITUTION, MAX_ROTATION, MAX_STEP,
    MAX_SUBSTEPS, MAX_THREADS, MIN_MASS, MIN_STEP, MasslessCause, Material, Mechanisms, MixRule,
    Motor, MotorJointDef, MouseJointDef, Mover, MoverPlane, Nearest, OVERFLOW_COLOR, Player,
    PreSolve, PreSolvePoint, PrismaticJointDef, Profile, PulleyJointDef, QueryFilter,
    RECORDING_FORMAT, RayQuery, Recording, RecordingDef, RecordingInfo, ReplayError,
    RevoluteJointDef, SAVE_FORMAT, SLEEP_SPEED, SOLVER_EPOCH, SaveInfo, SceneBody, SceneDef,
    SceneError, SceneJoint, SceneShape, SensorBegin, SensorEnd, Sensors, ShapeDef, ShapeHit,
    ShapeId, ShapeMut, ShapePredicate, ShapeQuery, ShapeRef, SimulatedBody, SleepChange,
    SleepEvent, Spring, TIME_TO_SLEEP, Tile, Tuning, ValueError, Warning, WeldJointDef,
    WheelJointDef, Wind, World, WorldDef, WorldError, kind,
};
pub use cairn2d_geometry::math::{
    self, Point, Pose, Rotation, Vec2, WorldPoint, point, pose, rotation, vec2,
};
pub use cairn2d_geometry::{
    Aabb, Capsule, Chain, ChainKind, ChainSegment, Circle, CollisionPlane, Ellipse, HalfSpace,
    IntoPoint, IntoVec2, LoadError, LoadReason, MAX_CELLS, MassData, PlaneSolution, Polygon, Ray,
    Segment, Shape, ShapeArea, ShapeError, clip_velocity, solve_planes,
};
pub use character::{
    CharacterController, CharacterError, CharacterGround, CharacterHit, CharacterMove, Footing,
};
pub use clock::std_clock;
#[cfg(feature = "crowd")]
pub use crowd_controller::{
    ControllerDef, ControllerError, ControllerEvent, ControllerEventKind, CrowdBodyDef,
    CrowdController, OffMeshLink, Path, PathFinder, PathQuery, Planning, Route, is_path_clear,
};
pub use linkage::{Linkage, LinkageError};
pub use rollback::{FrameError, Rollback};
pub use tile_grid::{TileGrid, TileTextError};
pub use timestep::FixedTimestep;

/// The items that most programs need: `use cairn2d::prelude::*;`. All others are in the root of the crate.
pub mod prelude {
    pub use crate::draw::{DebugDraw, Draw, DrawOptions};
    #[doc(hidden)]
    pub use crate::other_names::{
        BodyDefNames as _, BodyMutNames as _, BodyRefNames as _, CharacterNames as _,
        DistanceNames as _, JointMutNames as _, JointRefNames as _, PrismaticNames as _,
        QueryFilterNames as _, RevoluteNames as _, ShapeDefNames as _, ShapeMutNames as _,
        ShapeRefNames as _, WeldNames as _, WheelNames as _, WorldNames as _,
    };
    pub use crate::{
        CharacterController, CharacterError, CharacterGround, CharacterHit, CharacterMove,
        FixedTimestep, Footing, TileGrid, math, std_clock,
    };
    #[cfg(feature = "crowd")]
    pub use crate::{
        ControllerDef, ControllerError, ControllerEvent, ControllerEventKind, CrowdBodyDef,
        CrowdController, OffMeshLink, Path, PathFinder, PathQuery, Planning, Route,
    };
    pub use cairn2d_dynamics::{
        BodyDef, BodyExit, BodyFreeze, BodyId, BodyKind, BodyKinds, BodyMut, BodyPlacement,
        BodyRef, Capacity, Clock, ContactBegin, ContactEnd, ContactForce, ContactHit, ContactId,
        ContactPointRef, ContactRef, Continuous, Counters, DistanceJointDef, ExplosionDef, Filter,
        FilterJointDef, Fluid, GearJointDef, HookShape, IgnoreFor, InitialState, JointBaseDef,
        JointBreak, JointDef, JointDefError, JointFrame, JointId, JointMut, JointReaction,
        JointRef, JointSoftness, Limit, Locks, MasslessCause, Material, MixRule, Motor,
        MotorJointDef, MouseJointDef, Mover, MoverPlane, Nearest, PreSolve, PrismaticJointDef,
        Profile, PulleyJointDef, QueryFilter, RayQuery, RevoluteJointDef, SensorBegin, SensorEnd,
        Sensors, ShapeDef, ShapeHit, ShapeId, ShapeMut, ShapePredicate, ShapeQuery, ShapeRef,
        SimulatedBody, SleepChange, SleepEvent, Spring, Tile, Tuning, ValueError, Warning,
        WeldJointDef, WheelJointDef, Wind, World, WorldDef, WorldError,
    };
    pub use cairn2d_geometry::math::{
        Point, Pose, Rotation, Vec2, WorldPoint, point, pose, rotation, vec2,
    };
    pub use cairn2d_geometry::{
        Aabb, Capsule, Chain, ChainKind, ChainSegment, Circle, CollisionPlane, Ellipse, HalfSpace,
        IntoPoint, IntoVec2, MassData, Polygon, Ray, Segment, Shape, ShapeError, clip_velocity,
        solve_planes,
    };
}

/// The program of the page of the crate, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
