//! Walking to a target, and standing there among others.
//!
//! An agent has arrived when it is near its target, or when it stands against agents that have arrived at the same
//! place and are nearer to it. So a crowd with one goal packs around it and comes to rest, instead of pushing for the
//! middle.

use crate::limits::heading::arc_speed;
use crate::neighbors::list::{Neighbor, Neighbors};
use crate::orca::agent::SteeringAgent;
use crate::store::agent::Target;
use cairn2d_geometry::math::{Vec2, WorldPoint};

/// Distance, in radii beyond the target's radius, by which an agent at rest may be pushed away before it walks back.
const LEAVE_RADII: f32 = 4.0;

/// Time in which an agent could be at its target from where on it reacts to others at once [s].
///
/// An agent that turns and brakes slowly is pushed past its goal by those behind it, and waits beside it. With a reaction
/// time everywhere 127 of 196 agents of a packed room still walk after 100 s; at 0.3 s and more all rest. At 1 s agents before
/// a door turn from side to side a tenth more often.
const APPROACH_TIME: f32 = 0.6;

impl SteeringAgent<'_> {
    /// Returns whether the agent stands at its target, and its preferred velocity [m/s].
    pub(crate) fn approach(&self, target: &Target, neighbors: &Neighbors) -> (bool, Vec2) {
        let offset = target.point - self.position;
        let distance = offset.norm();
        if self.has_arrived(target, &offset, neighbors) {
            return (true, Vec2::zeros());
        }
        let facing = self.ctx.store.facing(self.row);
        let speed = target
            .speed
            .min(self.approach_speed(distance))
            .min(arc_speed(&facing, &offset, self.params.max_turn_rate));
        (false, offset * (speed / distance))
    }

    /// Returns whether the agent is so close to its target that it could soon be there.
    #[inline]
    pub(crate) fn is_close_to_target(&self) -> bool {
        let reach = APPROACH_TIME * self.params.max_speed;
        let target = self.ctx.store.target(self.row);
        target.is_some_and(|target| (target.point - self.position).norm_squared() < reach * reach)
    }

    /// Returns whether the agent stands at its target, at this `offset` [m]: near it, or against others that do.
    fn has_arrived(&self, target: &Target, offset: &Vec2, neighbors: &Neighbors) -> bool {
        let distance = offset.norm();
        if distance <= target.radius {
            return true;
        }
        let close = |n: &Neighbor| {
            let index = n.index as usize;
            let gap = n.distance - self.ctx.grid.places[index].radius() - self.params.radius;
            self.ctx.memory(n.index).arrived
                && gap < self.params.radius
                && n.offset.dot(offset) > 0.0
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
}
