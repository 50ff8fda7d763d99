//! Walking to a target, and standing there among others.
//!
//! An agent has arrived when it is near its target, or when it stands against others who have arrived
//! at the same place and are nearer to it: so a crowd with one goal packs around it and comes to
//! rest, instead of jostling for the middle.

use crate::agent::{Params, Target};
use crate::heading::arc_speed;
use crate::neighbors::{Neighbor, Neighbors};
use crate::pace::Pace;
use crate::store::Memory;
use crate::surroundings::Surroundings;
use cairn2d_geometry::math::{Vec2, WorldPoint};

/// Distance, in radii beyond the target's radius, that an agent at rest may be pushed off before it
/// walks back.
const LEAVE_RADII: f32 = 4.0;

/// An agent on its way to a target.
pub(crate) struct Walk<'a> {
    pub(crate) around: &'a Surroundings<'a>,
    pub(crate) params: &'a Params,
    pub(crate) target: &'a Target,
    pub(crate) position: WorldPoint,
    pub(crate) memory: &'a Memory,
    pub(crate) pace: Pace,
}

impl Walk<'_> {
    /// Says whether the agent stands at its target: near it, or against others that do.
    pub(crate) fn has_arrived(&self, neighbors: &Neighbors) -> bool {
        let target = self.target;
        let way = target.point - self.position;
        let distance = way.norm();
        if distance <= target.radius {
            return true;
        }
        let close = |n: &Neighbor| {
            let index = n.index as usize;
            let gap = n.distance - self.around.grid.places[index].radius() - self.params.radius;
            self.around.grid.arrived[index] && gap < self.params.radius && n.offset.dot(&way) > 0.0
        };
        let beside = |n: &Neighbor| self.targets_meet(n, target.point);
        // Once at rest it stays so unless it is pushed a good way off.
        neighbors.iter().any(|n| close(&n) && beside(&n))
            || (self.memory.arrived && distance <= target.radius + LEAVE_RADII * self.params.radius)
    }

    fn targets_meet(&self, neighbor: &Neighbor, point: WorldPoint) -> bool {
        let row = self.around.grid.order[neighbor.index as usize] as usize;
        let Some(other) = self.around.store.target(row) else {
            return false;
        };
        let radius = self.params.radius + self.around.grid.places[neighbor.index as usize].radius();
        (other.point - point).norm() <= radius
    }

    /// Returns the velocity that the agent would take alone.
    pub(crate) fn wish(&self, arrived: bool) -> Vec2 {
        let target = self.target;
        let way = target.point - self.position;
        let distance = way.norm();
        if arrived || distance <= 0.0 {
            return Vec2::zeros();
        }
        let arc_speed = arc_speed(&self.memory.facing, &way, self.params.max_turn_rate);
        let speed = target
            .speed
            .min(self.pace.approach(distance))
            .min(arc_speed);
        way * (speed / distance)
    }
}
