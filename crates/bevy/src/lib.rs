//! 2D physics for Bevy with the engine [`cairn2d`].
//!
//! The `mod` lines below are the layer order, lowest first: a module uses only those before it, except that components
//! name their hooks.

mod convert;
mod registry;
mod physics;
mod key;
mod changes;
mod body;
mod collider;
mod joint;
mod crowd;
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
    pub use crate::{
        AgentEvent, AgentState, BodyEvent, BodyEventKind, BodyOptions, Character, CharacterState,
        Collider, CollisionFilter, ContactEnded, ContactForce, ContactHit, ContactReports,
        ContactStarted, CrowdAgent, CrowdRoute, Density, Joint, JointBroke, Physics, PhysicsKey,
        PhysicsPlugin, PhysicsProblem, PhysicsSystems, RigidBody, Sensor, SensorEntered, SensorLeft,
        SpatialFilter, SpatialQuery, SurfaceMaterial, Velocity, restore,
    };
}
