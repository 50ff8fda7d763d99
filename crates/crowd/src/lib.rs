//! Local collision avoidance for crowds.
#![forbid(unsafe_code)]

mod tuning;
mod id;
mod error;
mod agent;
mod obstacle;
mod half_plane;
mod region;
mod program;
mod velocity_obstacle;
mod contact;
mod edge;
mod wall;
mod edge_tree;
mod store;
mod grid;
mod neighbors;
mod steer;
mod event;
mod crowd;

pub use agent::{AgentDef, Model, Target};
pub use crowd::Crowd;
pub use error::CrowdError;
pub use event::{CrowdEvent, CrowdEventKind};
pub use half_plane::HalfPlane;
pub use id::{AgentId, ObstacleId};
pub use obstacle::{Motion, ObstacleDef, Outline};
pub use tuning::{MAX_COORDINATE, MAX_MEASURE, MAX_NEIGHBORS};
