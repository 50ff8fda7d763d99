//! Errors of the crowd controller.

use crate::numbers::{not_negative, within};
use cairn2d_crowd::{AgentId, CrowdError, MAX_MEASURE};
use cairn2d_dynamics::{BodyId, ValueError};
use thiserror::Error;

/// The reason a controller refused a call. The controller and the world are left unchanged.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ControllerError {
    /// A number of the definition of the agent is invalid.
    #[error(transparent)]
    Agent(#[from] CrowdError),
    /// A number of a walker, a route or the controller is invalid.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// The body does not exist, or belongs to another world.
    #[error("{0:?} names no body of this world")]
    NoBody(BodyId),
    /// The body is static, so it cannot move.
    #[error("{0:?} is static: only dynamic and kinematic bodies can walk")]
    StaticBody(BodyId),
    /// The body is dynamic without mass, so a force cannot move it.
    #[error("{0:?} is dynamic and has no mass: give it a shape with density first")]
    NoMass(BodyId),
    /// The body already has an agent.
    #[error("{body:?} is driven by {agent:?} already")]
    Taken {
        /// The body.
        body: BodyId,
        /// Its agent.
        agent: AgentId,
    },
    /// The agent has no body: it was detached or never attached.
    #[error("{0:?} names no walker of this controller")]
    NoWalker(AgentId),
    /// A route has no points.
    #[error("a route needs at least one point, got 0")]
    NoPoints,
    /// An off-mesh link has no end point.
    #[error("a link starts at point {start} of {points}: it needs a point after it")]
    NoLink {
        /// Index of the start point of the link.
        start: usize,
        /// Number of points of the route.
        points: usize,
    },
}

/// Checks that `value` is a number from 0 to [`MAX_MEASURE`], the range of the crowd.
pub(super) fn measure(name: &'static str, value: f32) -> Result<(), ValueError> {
    not_negative(name, value)?;
    within(name, value, 0.0, MAX_MEASURE as f32)
}

/// Checks that `value` is not negative; infinity is allowed and means no limit.
pub(super) fn limit(name: &'static str, value: f32) -> Result<(), ValueError> {
    if value == f32::INFINITY {
        return Ok(());
    }
    not_negative(name, value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_limits_may_be_infinite() {
        assert!(limit("max_force", f32::INFINITY).is_ok());
        assert!(limit("max_force", f32::NEG_INFINITY).is_err());
        assert!(limit("max_force", f32::NAN).is_err());
        assert!(measure("radius", f32::INFINITY).is_err());
    }
}
