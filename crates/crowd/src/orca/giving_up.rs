//! Giving up: an agent whose goal cannot be reached stands where it came nearest.
//!
//! An agent gives up only after a detour along walls has not brought it nearer: agents that obstruct each other in the open
//! go on trying. Each time that an agent comes nearer by its radius it may try everything anew, so it gives up in the end, and
//! has not missed a way that one walk around the obstacle shows.

use crate::neighbors::list::{Neighbor, Neighbors};
use crate::orca::agent::SteeringAgent;
use crate::orca::queue::is_same_way;
use crate::orca::steer::{AgentScratch, Plan};
use crate::store::Attempt;
use crate::tuning::DETOUR_PROGRESS;
use cairn2d_geometry::math::{PI, Vec2};

impl SteeringAgent<'_> {
    /// Returns what the agent has tried, if it comes no nearer in this step. It gives up if it is stuck before a wall after a
    /// detour, or has walked around its goal.
    pub(crate) fn attempt(&self, scratch: &AgentScratch) -> Attempt {
        let memory = self.memory;
        let has_tried = memory.attempt != Attempt::Direct;
        let is_at_end =
            memory.stuck && is_before_a_wall(&scratch.plan) || memory.winding.abs() >= 2.0 * PI;
        if memory.attempt == Attempt::GivenUp || has_tried && is_at_end {
            Attempt::GivenUp
        } else if memory.slow_time > 0.0 && self.is_behind(&scratch.wanted, &scratch.neighbors) {
            Attempt::Behind
        } else if has_tried || scratch.plan.side != 0 {
            Attempt::Detour
        } else {
            Attempt::Direct
        }
    }

    /// Returns whether another that walks the same way, and has given up, stands close ahead of the agent.
    fn is_behind(&self, wanted: &Vec2, neighbors: &Neighbors) -> bool {
        let stands_ahead = |other: Neighbor| {
            let memory = self.ctx.memory(other.index);
            memory.attempt.stands()
                && other.offset.dot(wanted) > 0.0
                && is_same_way(wanted, &memory.wanted)
        };
        neighbors
            .iter()
            .take_while(|other| self.gap(other) < self.params.radius)
            .any(stands_ahead)
    }
}

/// Returns whether walls take most of the preferred velocity.
fn is_before_a_wall(plan: &Plan) -> bool {
    plan.free.dot(&plan.last) < DETOUR_PROGRESS * plan.last.norm_squared()
}
