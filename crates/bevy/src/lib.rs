//! 2D physics for [Bevy](https://bevy.org) with the engine [`cairn2d`].
//!
//! ```
//! use bevy_app::prelude::*;
//! use bevy_cairn2d::prelude::*;
//! use bevy_ecs::prelude::*;
//! use bevy_time::TimePlugin;
//! use bevy_transform::components::Transform;
//!
//! fn setup(mut commands: Commands) {
//!     commands.spawn((RigidBody::Static, Collider::rectangle(20.0, 1.0)));
//!     commands.spawn((RigidBody::Dynamic, Collider::circle(0.5), Transform::from_xyz(0.0, 4.0, 0.0)));
//! }
//!
//! let mut app = App::new();
//! app.add_plugins((TimePlugin, PhysicsPlugin::default())).add_systems(Startup, setup);
//! app.update();
//! ```
//!
//! * Components describe bodies, colliders, joints, characters and agents. [`Physics`], one resource, holds the world of the
//!   engine: a clone is a snapshot, [`restore`] goes back to it.
//! * Physics steps in [`FixedPostUpdate`](bevy_app::FixedPostUpdate); transforms are interpolated for each frame.
//! * Events are messages and events of entities. [`SpatialQuery`] is a system parameter.
//! * Results depend on [`PhysicsKey`]s alone, not on archetypes, entity ids or threads.
//!
//! The page `docs/bevy.md` of the repository is the manual: components, order, rollback, examples, versions, and tables of names
//! for users of avian2d and bevy_rapier2d. All of its programs are tests of this crate.
//!
//! The `mod` lines below are the layer order, lowest first, except that components name their hooks.

mod convert;
mod slots;
mod registry;
mod physics;
mod key;
mod changes;
mod body;
mod collider;
mod joint;
mod crowd;
mod disabling;
mod problem;
mod hierarchy;
mod transforms;
mod character;
mod event;
mod query;
mod sync;
mod rollback;
mod step;
mod plugin;
#[cfg(feature = "gizmos")]
mod gizmos;
#[cfg(feature = "picking")]
mod picking;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/bevy.md")]
#[doc = include_str!("../README.md")]
mod manual {}

pub use body::{BodyOptions, RigidBody, Velocity};
pub use cairn2d;
pub use character::{Character, CharacterState, Ground, Obstacle};
pub use collider::{Collider, CollisionFilter, ContactReports, Density, Sensor, SurfaceMaterial};
pub use convert::{from_world_point, to_bevy, to_engine, to_world_point};
pub use crowd::{AgentEvent, AgentState, CrowdAgent, CrowdRoute};
pub use event::{
    BodyEvent, BodyEventKind, ContactEnded, ContactForce, ContactHit, ContactStarted, JointBroke,
    SensorEntered, SensorLeft, Sides,
};
#[cfg(feature = "gizmos")]
pub use gizmos::{GizmoPen, PhysicsGizmoOptions, PhysicsGizmos, PhysicsGizmosPlugin};
pub use joint::Joint;
pub use key::PhysicsKey;
pub use physics::Physics;
#[cfg(feature = "picking")]
pub use picking::PhysicsPickingPlugin;
pub use plugin::{PhysicsPlugin, PhysicsSystems};
pub use problem::{PhysicsError, PhysicsProblem};
pub use query::{ClosestPoint, SpatialFilter, SpatialHit, SpatialQuery};
pub use rollback::{follow_physics, restore};

/// The items that most games need.
pub mod prelude {
    #[cfg(feature = "picking")]
    pub use crate::PhysicsPickingPlugin;
    pub use crate::{
        AgentEvent, AgentState, BodyEvent, BodyEventKind, BodyOptions, Character, CharacterState,
        Collider, CollisionFilter, ContactEnded, ContactForce, ContactHit, ContactReports,
        ContactStarted, CrowdAgent, CrowdRoute, Density, Joint, JointBroke, Physics, PhysicsError,
        PhysicsKey, PhysicsPlugin, PhysicsProblem, PhysicsSystems, RigidBody, Sensor,
        SensorEntered, SensorLeft, SpatialFilter, SpatialQuery, SurfaceMaterial, Velocity,
        follow_physics, restore,
    };
    #[cfg(feature = "gizmos")]
    pub use crate::{PhysicsGizmoOptions, PhysicsGizmos, PhysicsGizmosPlugin};
    // Shapes, `Material` and `World` are left out: Bevy's prelude has types of the same names.
    pub use cairn2d::{
        BodyDef, BodyMut, BodyRef, Chain, CharacterController, Filter, InitialState, JointDef,
        JointMut, JointSoftness, Limit, Locks, Motor, ShapeMut, Spring, WorldDef,
    };
}
