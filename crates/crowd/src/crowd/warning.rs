//! Warnings: settings that are valid, but probably not meant.

use crate::crowd::Crowd;
use crate::crowd::obstacle::ObstacleRef;
use crate::store::id::ObstacleId;
use cairn2d_geometry::math::{WorldPoint, cross};

/// A setting that is valid, but probably not meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CrowdWarning {
    /// A ring runs clockwise, so its outside is solid, but no agent is inside: the agents walk through it.
    #[error(
        "{obstacle:?} is a room without agents: a ring that is solid inside runs counter-clockwise"
    )]
    EmptyRoom {
        /// The ring.
        obstacle: ObstacleId,
    },
}

impl Crowd {
    /// Returns settings that are valid, but probably not meant.
    ///
    /// It reads all agents and obstacles: call it once if a crowd does not work as expected, not in each step.
    #[must_use]
    pub fn warnings(&self) -> Vec<CrowdWarning> {
        if self.agent_count() == 0 {
            return Vec::new();
        }
        let rooms = self
            .obstacles()
            .filter(|obstacle| self.is_empty_room(obstacle));
        let warnings = rooms.map(|room| CrowdWarning::EmptyRoom {
            obstacle: room.id(),
        });
        warnings.collect()
    }

    /// Returns whether an obstacle is a clockwise ring around no agent.
    fn is_empty_room(&self, obstacle: &ObstacleRef<'_>) -> bool {
        let corners: Vec<WorldPoint> = obstacle.corners().collect();
        let arms = corners
            .windows(2)
            .map(|pair| [pair[0] - corners[0], pair[1] - corners[0]]);
        // An open line is traversed there and back, so its area is zero.
        let doubled_area: f32 = arms.map(|[a, b]| cross(&a, &b)).sum();
        doubled_area < 0.0
            && !self
                .agents()
                .any(|agent| contains(&corners, agent.position()))
    }
}

/// Returns whether a point is in a ring: whether a ray to its right crosses an odd number of edges.
fn contains(corners: &[WorldPoint], p: WorldPoint) -> bool {
    let nexts = corners.iter().cycle().skip(1);
    let crossings = corners.iter().zip(nexts).filter(|(a, b)| {
        let fraction = (p.y - a.y) / (b.y - a.y);
        (a.y > p.y) != (b.y > p.y) && p.x < a.x + fraction * (b.x - a.x)
    });
    crossings.count() % 2 == 1
}
