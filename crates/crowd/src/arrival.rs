//! Walking to a target, and standing there among others.
//!
//! An agent has arrived when it is near its target, or when it stands against others who have arrived
//! at the same place and are nearer to it: so a crowd with one goal packs around it and comes to
//! rest, instead of jostling for the middle.

use crate::agent::Params;
use crate::heading::arc_speed;
use crate::neighbors::{Neighbor, Neighbors};
use crate::pace::Pace;
use crate::surroundings::Surroundings;
use cairn2d_geometry::math::{Vec2, WorldPoint};

/// Distance, in radii beyond the target's radius, that an agent at rest may be pushed off before it
/// walks back.
const LEAVE_RADII: f32 = 4.0;

/// An agent on its way.
pub(crate) struct Walk<'a> {
    pub(crate) around: &'a Surroundings<'a>,
    pub(crate) params: &'a Params,
    /// Index in the grid.
    pub(crate) own: usize,
    /// Row in the store.
    pub(crate) row: usize,
    pub(crate) pace: Pace,
}

impl Walk<'_> {
    fn position(&self) -> WorldPoint {
        self.around.grid.position(self.own)
    }

    /// Says whether the agent stands at its target: near it, or against others that do.
    pub(crate) fn has_arrived(&self, neighbors: &Neighbors) -> bool {
        let Some(target) = self.around.store.target(self.row) else {
            return false;
        };
        let way = target.point - self.position();
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
            || (self.around.store.memory[self.row].arrived
                && distance <= target.radius + LEAVE_RADII * self.params.radius)
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
        let Some(target) = self.around.store.target(self.row) else {
            return self.around.store.preferred[self.row];
        };
        let way = target.point - self.position();
        let distance = way.norm();
        if arrived || distance <= 0.0 {
            return Vec2::zeros();
        }
        let facing = &self.around.store.memory[self.row].facing;
        let arc_speed = arc_speed(facing, &way, self.params.max_turn_rate);
        let speed = target
            .speed
            .min(self.pace.approach(distance))
            .min(arc_speed);
        way * (speed / distance)
    }
}
