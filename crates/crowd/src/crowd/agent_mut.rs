//! A view that changes one agent.

use crate::crowd::{AgentRef, Crowd};
use crate::error::{CrowdError, demand};
use crate::store::agent::{AgentDef, Target, check_point, check_velocity};
use cairn2d_geometry::IntoVec2;
use cairn2d_geometry::math::{Vec2, WorldPoint};
use core::borrow::Borrow;

/// A mutable view of one agent.
#[derive(Debug)]
pub struct AgentMut<'a> {
    pub(super) crowd: &'a mut Crowd,
    pub(super) row: usize,
}

impl AgentMut<'_> {
    /// Returns a read-only view.
    #[must_use]
    pub fn as_ref(&self) -> AgentRef<'_> {
        AgentRef {
            crowd: self.crowd,
            row: self.row,
        }
    }

    /// Sets all settings: pass a changed copy of [`AgentRef::def`]. Its arrival is kept if the target is.
    ///
    /// # Panics
    /// If `def` is invalid; [`try_set_def`](Self::try_set_def) returns the error instead.
    #[track_caller]
    pub fn set_def(&mut self, def: impl Borrow<AgentDef>) {
        demand(self.try_set_def(def), "change the agent");
    }

    /// Sets all settings: see [`set_def`](Self::set_def).
    ///
    /// # Errors
    /// If `def` is invalid: see [`AgentDef::validate`]. The agent is then unchanged.
    pub fn try_set_def(&mut self, def: impl Borrow<AgentDef>) -> Result<(), CrowdError> {
        let def = def.borrow();
        def.validate()?;
        self.crowd.store.overwrite(self.row, def);
        Ok(())
    }

    /// Sets position \[m\] and velocity [m/s] of an agent that the caller moves.
    ///
    /// # Panics
    /// If a number is out of range; [`try_set_motion`](Self::try_set_motion) returns the error instead.
    #[track_caller]
    pub fn set_motion(&mut self, position: impl Into<WorldPoint>, velocity: impl IntoVec2) {
        demand(
            self.try_set_motion(position, velocity.into_vec2()),
            "set the motion",
        );
    }

    /// Sets position \[m\] and velocity [m/s] of an agent that the caller moves.
    ///
    /// # Errors
    /// The first number that is out of range. The agent is then unchanged.
    pub fn try_set_motion(
        &mut self,
        position: impl Into<WorldPoint>,
        velocity: Vec2,
    ) -> Result<(), CrowdError> {
        let position = position.into();
        check_point(["position.x", "position.y"], position)?;
        check_velocity(["velocity.x", "velocity.y"], &velocity)?;
        self.crowd.store.position[self.row] = position;
        self.crowd.store.velocity[self.row] = velocity;
        Ok(())
    }

    /// Sets the preferred velocity [m/s]; without effect while the agent has a target.
    ///
    /// # Panics
    /// If a number is out of range; [`try_set_preferred_velocity`](Self::try_set_preferred_velocity) returns the error instead.
    #[track_caller]
    pub fn set_preferred_velocity(&mut self, velocity: impl IntoVec2) {
        demand(
            self.try_set_preferred_velocity(velocity.into_vec2()),
            "set the preferred velocity",
        );
    }

    /// Like [`set_preferred_velocity`](Self::set_preferred_velocity), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If a number is out of range.
    pub fn try_set_preferred_velocity(&mut self, velocity: Vec2) -> Result<(), CrowdError> {
        let names = ["preferred_velocity.x", "preferred_velocity.y"];
        check_velocity(names, &velocity)?;
        self.crowd.store.preferred[self.row] = velocity;
        Ok(())
    }

    /// Sets the target; with `None` the caller sets the preferred velocity again.
    ///
    /// # Panics
    /// If a number is out of range; [`try_set_target`](Self::try_set_target) returns the error instead.
    #[track_caller]
    pub fn set_target(&mut self, target: Option<Target>) {
        demand(self.try_set_target(target), "set the target");
    }

    /// Like [`set_target`](Self::set_target), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If a number is out of range.
    pub fn try_set_target(&mut self, target: Option<Target>) -> Result<(), CrowdError> {
        target.map_or(Ok(()), |target| target.validate())?;
        self.crowd.store.set_target(self.row, target);
        Ok(())
    }
}
