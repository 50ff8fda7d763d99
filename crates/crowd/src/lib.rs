//! Local collision avoidance for crowds: each agent chooses, every step, the velocity nearest to the
//! one it prefers that leads into nobody.
//!
//! The method is optimal reciprocal collision avoidance [vdBerg11], with what its reference lacks:
//! weights and right of way, layers, acceleration limits, moving and removable obstacles, recovery
//! from being pushed, arrival, and no deadlock of symmetric crowds. The crate knows no bodies; whoever
//! moves the agents uses [`Crowd::solve`], others [`Crowd::step`].
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
mod shared;
mod id;
mod error;
mod agent;
mod obstacle;
mod places;
mod half_plane;
mod heading;
mod planes;
mod region;
mod program;
mod detour;
mod pace;
mod separate;
mod contacts;
mod velocity_obstacle;
mod edge;
mod wall;
mod edge_tree;
mod courtesy;
mod store;
mod grid;
mod surroundings;
mod window;
mod candidates;
mod group;
mod neighbors;
mod looks;
mod encounters;
mod arrival;
mod outlook;
mod steer;
mod abreast;
mod event;
mod rota;
mod sweeps;
mod profile;
mod bench;
mod stages;
mod crowd;
mod roster;
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
