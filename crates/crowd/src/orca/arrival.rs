//! Walking to a target, and standing there among others.
//!
//! An agent has arrived when it is near its target, or when it stands against agents that have arrived at the same
//! place and are nearer to it. So a crowd with one goal packs around it and comes to rest, instead of pushing for the
//! middle.

use crate::limits::braking::BrakingLimit;
use crate::limits::heading::arc_speed;
use crate::neighbors::list::{Neighbor, Neighbors};
use crate::neighbors::step_context::StepContext;
use crate::store::Memory;
use crate::store::agent::{Params, Target};
use cairn2d_geometry::math::{Vec2, WorldPoint};

/// Distance, in radii beyond the target's radius, by which an agent at rest may be pushed away before it walks back.
const LEAVE_RADII: f32 = 4.0;

/// An agent that walks to a target.
pub(crate) struct TargetApproach<'a> {
    pub(crate) ctx: &'a StepContext<'a>,
    pub(crate) params: &'a Params,
    pub(crate) target: &'a Target,
    pub(crate) position: WorldPoint,
    pub(crate) memory: &'a Memory,
    /// Its heading, if its turns are limited.
    pub(crate) facing: Vec2,
    pub(crate) braking_limit: BrakingLimit,
}

impl TargetApproach<'_> {
    /// Returns whether the agent stands at its target: near it, or against others that do.
    pub(crate) fn has_arrived(&self, neighbors: &Neighbors) -> bool {
        let target = self.target;
        let offset = target.point - self.position;
        let distance = offset.norm();
        if distance <= target.radius {
            return true;
        }
        let close = |n: &Neighbor| {
            let index = n.index as usize;
            let gap = n.distance - self.ctx.grid.places[index].radius() - self.params.radius;
            self.ctx.memory(n.index).arrived
                && gap < self.params.radius
                && n.offset.dot(&offset) > 0.0
        };
        let beside = |n: &Neighbor| self.targets_meet(n, target.point);
        // An arrived agent stays so unless it is pushed far away.
        neighbors.iter().any(|n| close(&n) && beside(&n))
            || (self.memory.arrived && distance <= target.radius + LEAVE_RADII * self.params.radius)
    }

    fn targets_meet(&self, neighbor: &Neighbor, point: WorldPoint) -> bool {
        let Some(other) = self.ctx.target(neighbor.index) else {
            return false;
        };
        let radius = self.params.radius + self.ctx.grid.places[neighbor.index as usize].radius();
        (other.point - point).norm() <= radius
    }

    /// Returns the preferred velocity.
    pub(crate) fn preferred_velocity(&self, arrived: bool) -> Vec2 {
        let target = self.target;
        let offset = target.point - self.position;
        let distance = offset.norm();
        if arrived || distance <= 0.0 {
            return Vec2::zeros();
        }
        let arc_speed = arc_speed(&self.facing, &offset, self.params.max_turn_rate);
        let speed = target
            .speed
            .min(self.braking_limit.approach(distance))
            .min(arc_speed);
        offset * (speed / distance)
    }
}
