//! Half-planes of the obstacles near an agent.

use crate::half_plane::HalfPlane;
use crate::limits::recovery::opening_speed;
use crate::obstacles::edge::Edge;
use crate::obstacles::wall::View;
use crate::orca::agent::SteeringAgent;
use cairn2d_geometry::math::{Vec2, cross};
use smallvec::SmallVec;

/// An edge within the horizon, in the tree of static or of moving obstacles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FoundEdge {
    distance_sq: f32,
    index: u32,
    tree: u8,
    fraction: f32,
    nearest: Vec2,
}

/// Edges around an agent, nearest first.
pub(crate) type Edges = SmallVec<[FoundEdge; 16]>;

/// Half-planes of walls and of the turn limit.
pub(crate) type HardPlanes = SmallVec<[HalfPlane; 8]>;

impl<'a> SteeringAgent<'a> {
    /// Finds the edges within the horizon that face the agent, in order of their distance.
    pub(crate) fn find_edges(&self, edges: &mut Edges) {
        edges.clear();
        let speed = self.params.max_speed;
        let time = self.obstacle_horizon();
        for (tree, walls) in self.ctx.walls.iter().enumerate() {
            if walls.edges().is_empty() {
                continue;
            }
            let range = time * (speed + walls.top_speed()) + self.params.radius;
            walls.near(self.position, range, |index, edge| {
                if edge.layers & self.params.mask == 0 || !self.faces(edge) {
                    return;
                }
                let (fraction, nearest) = edge.nearest(self.position);
                let distance_sq = nearest.norm_squared();
                if distance_sq <= range * range {
                    edges.push(FoundEdge {
                        distance_sq,
                        index,
                        tree: tree as u8,
                        fraction,
                        nearest,
                    });
                }
            });
        }
        edges.sort_unstable_by(|a, b| {
            let distance = a.distance_sq.total_cmp(&b.distance_sq);
            distance.then((a.tree, a.index).cmp(&(b.tree, b.index)))
        });
    }

    fn faces(&self, edge: &Edge) -> bool {
        cross(&edge.direction, &(self.position - edge.start)) <= 0.0
    }

    fn view(&self, found: &FoundEdge) -> View<'a> {
        let edge = &self.ctx.walls[found.tree as usize].edges()[found.index as usize];
        View::at(edge, found.fraction, found.nearest)
    }

    /// Adds the half-planes that prevent contact with walls in this step.
    pub(crate) fn add_contact_planes(&self, edges: &Edges, planes: &mut HardPlanes) {
        for found in edges {
            let view = self.view(found);
            if view.edge.share < 1.0 {
                continue;
            }
            let distance = view.nearest.norm();
            let away = if distance > 0.0 {
                -view.nearest / distance
            } else {
                view.edge.outward()
            };
            let gap = distance - self.params.radius;
            let closing = if gap >= 0.0 {
                self.approach_speed(gap)
            } else {
                -opening_speed(-gap, self.recovery_time(), self.params.recovery_speed)
            };
            let offset = away.dot(&view.velocity) - closing;
            if offset > -self.params.max_speed {
                planes.push(HalfPlane::new(away, offset));
            }
        }
    }

    /// Adds the half-planes that prevent collisions with walls within the horizon.
    pub(crate) fn add_horizon_planes(&self, edges: &Edges, planes: &mut HardPlanes) {
        let start = planes.len();
        let radius = self.params.radius;
        let horizon = self.obstacle_horizon();
        for found in edges {
            let view = self.view(found);
            if view.is_covered(&planes[start..], self.position, radius, horizon) {
                continue;
            }
            if let Some(plane) = view.half_plane(self.position, &self.velocity, radius, horizon) {
                planes.push(plane);
            }
        }
    }
}
