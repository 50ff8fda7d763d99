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
//!
//! let mut crowd = Crowd::default();
//! let target = |x| Some(Target { point: (x, 0.0).into(), radius: 0.1, speed: 1.3 });
//! let a = crowd.create_agent(AgentDef { target: target(8.0), ..AgentDef::at((0.0, 0.0)) });
//! let b = crowd.create_agent(AgentDef { target: target(0.0), ..AgentDef::at((8.0, 0.0)) });
//! for _ in 0..12 * 60 {
//!     crowd.step(1.0 / 60.0);
//! }
//! assert!(crowd.agent(a).has_arrived() && crowd.agent(b).has_arrived());
//! ```
#![forbid(unsafe_code)]
#![expect(
    rustdoc::broken_intra_doc_links,
    reason = "units and sources stand in brackets"
)]

mod tuning;
mod workers;
mod hash_fields;
mod error;
mod lanes;
mod half_plane;
mod limits;
mod store;
mod obstacles;
mod neighbors;
mod contacts;
mod orca;
mod profile;
mod schedule;
mod crowd;

pub use crowd::{
    AgentMut, AgentRef, Constraints, Crowd, CrowdDef, CrowdWarning, ObstacleMut, ObstacleRef,
};
pub use error::CrowdError;
pub use half_plane::HalfPlane;
pub use obstacles::obstacle::{Motion, ObstacleDef, Outline};
pub use profile::{Clock, CrowdProfile};
pub use schedule::event::{CrowdEvent, CrowdEventKind};
pub use store::agent::{AgentDef, Model, Target};
pub use store::id::{AgentId, CrowdId, ObstacleId, kind};
pub use tuning::{MAX_COORDINATE, MAX_MEASURE, MAX_NEIGHBORS};
pub use workers::MAX_THREADS;

/// The program of the page of the crate, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
