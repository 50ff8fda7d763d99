//! What the walls around an agent demand of its velocity.

use crate::agent::Params;
use crate::edge::Edge;
use crate::half_plane::HalfPlane;
use crate::pace::Pace;
use crate::planes::Planes;
use crate::separate::Recovery;
use crate::surroundings::Surroundings;
use crate::wall::View;
use cairn2d_geometry::math::{Vec2, WorldPoint, cross};
use smallvec::SmallVec;

/// An edge within the horizon; one of those that stand, or of those that move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    distance_sq: f32,
    index: u32,
    tree: u8,
    fraction: f32,
    nearest: Vec2,
}

/// Edges around an agent, nearest first.
pub(crate) type Edges = SmallVec<[Found; 16]>;

/// An agent as it looks at walls.
pub(crate) struct Outlook<'a> {
    pub(crate) around: &'a Surroundings<'a>,
    pub(crate) params: &'a Params,
    pub(crate) position: WorldPoint,
    pub(crate) velocity: Vec2,
    pub(crate) pace: Pace,
}

impl<'a> Outlook<'a> {
    /// Returns how the agent's overlaps are undone.
    pub(crate) fn recovery(&self) -> Recovery {
        Recovery {
            time: self.params.recovery_time.max(self.around.step),
            speed: self.params.recovery_speed,
        }
    }

    /// Finds the edges within the horizon that face the agent, in order of their distance.
    pub(crate) fn find_edges(&self, edges: &mut Edges) {
        edges.clear();
        let speed = self.params.max_speed;
        let time = self.params.obstacle_horizon.max(self.around.step);
        for (tree, walls) in self.around.walls.iter().enumerate() {
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
                    edges.push(Found {
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

    fn view(&self, found: &Found) -> View<'a> {
        let edge = &self.around.walls[found.tree as usize].edges()[found.index as usize];
        View::at(edge, found.fraction, found.nearest)
    }

    /// Adds the half-planes that keep the agent out of walls in this step.
    pub(crate) fn touch_walls(&self, edges: &Edges, planes: &mut Planes) {
        let recovery = self.recovery();
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
                self.pace.approach(gap)
            } else {
                -recovery.parting(-gap)
            };
            let offset = away.dot(&view.velocity) - closing;
            if offset > -self.params.max_speed {
                planes.push(&HalfPlane::new(away, offset));
            }
        }
    }

    /// Adds the half-planes that are free of collision with walls within the horizon.
    pub(crate) fn avoid_walls(&self, edges: &Edges, planes: &mut Planes) {
        let start = planes.len();
        let radius = self.params.radius;
        let horizon = self.params.obstacle_horizon.max(self.around.step);
        for found in edges {
            let view = self.view(found);
            if view.is_covered(planes, start, self.position, radius, horizon) {
                continue;
            }
            if let Some(plane) = view.half_plane(self.position, &self.velocity, radius, horizon) {
                planes.push(&plane);
            }
        }
    }
}
