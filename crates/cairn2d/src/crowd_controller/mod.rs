//! Crowd agents that walk in bodies: [`CrowdController`].
//!
//! A *walker* is an agent of a [`Crowd`](cairn2d_crowd::Crowd) with a body of a [`World`](cairn2d_dynamics::World). Each step
//! the controller tells the crowd where the bodies are, shows it the shapes near them as obstacles, lets it choose
//! velocities, and drives the bodies towards these with a bounded force. What the world does to a body in between,
//! the agent sees in the next step.
//!
//! The `mod` lines below are the layer order, lowest first.

mod error;
mod off_mesh_link;
mod obstacle_outline;
mod agent_body;
mod world_obstacles;
mod path_finder;
mod route;
mod query_areas;
mod controller;
mod update;

pub use agent_body::CrowdBodyDef;
pub use controller::{ControllerDef, ControllerEvent, ControllerEventKind, CrowdController};
pub use error::ControllerError;
pub use off_mesh_link::{OffMeshLink, Path};
pub use path_finder::{PathFinder, PathQuery, is_path_clear};
pub use route::{Planning, Route};
