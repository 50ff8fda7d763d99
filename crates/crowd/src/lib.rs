//! Local collision avoidance for crowds: in each step every agent chooses the collision-free velocity nearest to its
//! preferred velocity.
//!
//! The method is optimal reciprocal collision avoidance (ORCA) [vdBerg11], extended by weights and right of way,
//! layers, acceleration limits, moving and removable obstacles, recovery from overlaps, arrival, and progress of
//! symmetric crowds. The crate has no bodies: callers that move the agents themselves use [`Crowd::solve`], others
//! [`Crowd::step`].
//!
//! An agent's *share* is its responsibility: its part, from 0 to 1, of the change of velocity that an encounter requires.
//! *Lanes* hold one agent, neighbor or half-plane each; a *group* is eight of them.
//!
//! ```
//! use cairn2d_crowd::{AgentDef, Crowd, Target};
//! use cairn2d_geometry::math::WorldPoint;
//!
//! let mut crowd = Crowd::new();
//! let target = |x| Some(Target { point: WorldPoint::new(x, 0.0), radius: 0.1, speed: 1.3 });
//! let a = crowd.create_agent(&AgentDef { target: target(8.0), ..AgentDef::at((0.0, 0.0)) });
//! let b = crowd.create_agent(&AgentDef { target: target(0.0), ..AgentDef::at((8.0, 0.0)) });
//! for _ in 0..12 * 60 {
//!     crowd.step(1.0 / 60.0);
//! }
//! assert!(crowd.has_arrived(a) && crowd.has_arrived(b));
//! ```
#![forbid(unsafe_code)]
#![expect(
    rustdoc::broken_intra_doc_links,
    reason = "units and sources stand in brackets"
)]

mod tuning;
mod parallel;
mod id;
mod error;
mod agent;
mod obstacle;
mod moving_disc;
mod half_plane;
mod heading;
mod planes;
mod region;
mod program;
mod detour;
mod braking;
mod separation;
mod contacts;
mod velocity_obstacle;
mod edge;
mod wall;
mod edge_tree;
mod yielding;
mod store;
mod grid;
mod step_context;
mod window;
mod candidates;
mod encounter_group;
mod neighbors;
mod neighbor_search;
mod encounters;
mod arrival;
mod obstacle_planes;
mod steer;
mod lane_solver;
mod event;
mod time_slices;
mod sweeps;
mod profile;
mod workspace;
mod stages;
mod crowd;
mod agents;
mod query;

pub use agent::{AgentDef, Model, Target};
pub use crowd::Crowd;
pub use error::CrowdError;
pub use event::{CrowdEvent, CrowdEventKind};
pub use half_plane::HalfPlane;
pub use id::{AgentId, ObstacleId};
pub use obstacle::{Motion, ObstacleDef, Outline};
pub use profile::{Clock, CrowdProfile};
pub use query::Constraints;
pub use tuning::{MAX_COORDINATE, MAX_MEASURE, MAX_NEIGHBORS};
