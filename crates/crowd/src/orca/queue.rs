//! Queues: an agent among others that walk the same way waits, as people do in front of a door.
//!
//! It does not turn its preferred velocity to get around them, and does not shorten its horizon to close each gap at full
//! speed: both make the agents of a queue tremble, and bring none of them forward.

use crate::neighbors::list::{Neighbor, Neighbors};
use crate::orca::agent::SteeringAgent;
use crate::tuning::{QUEUE_COSINE, QUEUE_NEIGHBORS, QUIET_SHARE};
use cairn2d_geometry::math::Vec2;

impl SteeringAgent<'_> {
    /// Returns whether the agent, with the preferred velocity `wanted` [m/s], waits: in a queue, or because it hardly
    /// wants to move.
    pub(crate) fn waits(&self, wanted: &Vec2, neighbors: &Neighbors) -> bool {
        let least = QUIET_SHARE * self.params.max_speed;
        if wanted.norm_squared() < least * least {
            return true;
        }
        let near = neighbors
            .iter()
            .take_while(|other| self.gap(other) < self.params.radius);
        let mut all = neighbors.index[..neighbors.len()].iter();
        near.count() >= QUEUE_NEIGHBORS
            && all.all(|&index| is_same_way(wanted, &self.ctx.memory(index).wanted))
    }

    /// Returns the gap to a neighbor [m].
    pub(crate) fn gap(&self, neighbor: &Neighbor) -> f32 {
        let radius = self.ctx.grid.places[neighbor.index as usize].radius();
        neighbor.distance - radius - self.params.radius
    }
}

/// Returns whether two preferred velocities point in about the same direction; zero ones do not.
pub(crate) fn is_same_way(a: &Vec2, b: &Vec2) -> bool {
    let along = a.dot(b);
    along > 0.0 && along * along > QUEUE_COSINE * QUEUE_COSINE * a.norm_squared() * b.norm_squared()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_geometry::math::vec2;

    #[test]
    fn ways_agree_within_sixty_degrees() {
        let way = vec2(2.0, 0.0);
        for (other, agrees) in [
            (vec2(0.5, 0.8), true),
            (vec2(0.5, 0.9), false),
            (vec2(-1.0, 0.0), false),
            (Vec2::zeros(), false),
        ] {
            assert_eq!(is_same_way(&way, &other), agrees, "{other}");
        }
    }
}
