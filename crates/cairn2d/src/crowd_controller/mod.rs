//! Crowd agents that move bodies: [`CrowdController`].
//!
//! A *walker* is an agent of a [`Crowd`](cairn2d_crowd::Crowd) with a body of a
//! [`World`](cairn2d_dynamics::World). In each step the controller copies positions and velocities of the
//! bodies to the agents, and makes the shapes near them obstacles of the crowd. It solves the crowd for new
//! velocities, and drives the bodies to these with a bounded force. Forces of the world act on the bodies,
//! and the agents follow in the next step.
//!
//! The `mod` lines below are the layer order, lowest first.

mod error;
mod off_mesh_link;
mod obstacle_outline;
mod path_finder;
mod route;
mod agent_body;
mod query_areas;
mod world_obstacles;
mod controller;
mod update;

pub use agent_body::CrowdBodyDef;
pub use controller::{ControllerDef, ControllerEvent, ControllerEventKind, CrowdController};
pub use error::ControllerError;
pub use off_mesh_link::{OffMeshLink, Path};
pub use path_finder::{PathFinder, PathQuery, is_path_clear};
pub use route::{Planning, Route};
