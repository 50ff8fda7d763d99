//! One agent's step: see, bound, choose.
//!
//! The half-planes come in tiers, each hard for the next: walls in contact, agents in contact, walls
//! within the horizon, agents within the horizon. Standing still satisfies all but the last while
//! nothing overlaps. If the last contradict each other, the horizon is halved, and halved again:
//! what will happen soon counts, what may happen later gives way. The agent starts its next step one
//! halving less deep.

use crate::agent::Params;
use crate::contact::{Pace, Recovery, Touch, apart};
use crate::edge::Edge;
use crate::edge_tree::EdgeTree;
use crate::grid::Grid;
use crate::half_plane::HalfPlane;
use crate::neighbors::{Neighbor, Neighbors};
use crate::program::{Solution, solve_tiers};
use crate::region::{Region, within};
use crate::store::{Memory, Store};
use crate::tuning::{HORIZON_FACTOR, MAX_HORIZON_LEVEL, MIN_HORIZON_STEPS};
use crate::velocity_obstacle::Encounter;
use crate::wall::View;
use cairn2d_geometry::math::{Vec2, WorldPoint, cross};
use smallvec::SmallVec;

/// What all agents of a step read.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    pub(crate) store: &'a Store,
    pub(crate) grid: &'a Grid,
    /// Edges that stand, and edges that move.
    pub(crate) walls: [&'a EdgeTree; 2],
    /// Step [s], above 0.
    pub(crate) step: f32,
}

/// What steering decides for an agent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Decision {
    pub(crate) velocity: Vec2,
    /// How far it had to look for its neighbours [m].
    pub(crate) reach: f32,
    /// What it would have done alone [m/s].
    pub(crate) wanted: Vec2,
    pub(crate) level: u8,
    pub(crate) arrived: bool,
    /// Whether the half-planes contradicted each other up to the shortest horizon.
    pub(crate) infeasible: bool,
}

/// Memory for one agent's lists, used again for the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) neighbors: Neighbors,
    pub(crate) planes: SmallVec<[HalfPlane; 96]>,
    /// Where the tiers end in `planes`.
    pub(crate) ends: [usize; TIERS],
    edges: SmallVec<[(f32, u32, u8); 32]>,
}

/// Walls in contact, agents in contact, walls ahead, agents ahead.
pub(crate) const TIERS: usize = 4;

/// One agent in its surroundings.
pub(crate) struct Walker<'a> {
    around: &'a Surroundings<'a>,
    params: &'a Params,
    memory: Memory,
    row: usize,
    own: usize,
    position: WorldPoint,
    velocity: Vec2,
    pace: Pace,
}

impl<'a> Walker<'a> {
    /// Returns the sorted agent `own`.
    pub(crate) fn new(around: &'a Surroundings<'a>, own: usize) -> Self {
        let row = around.grid.order[own] as usize;
        let params = &around.store.params[row];
        Self {
            around,
            params,
            memory: around.store.memory[row],
            row,
            own,
            position: around.grid.position(own),
            velocity: around.store.velocity[row],
            pace: Pace {
                step: around.step,
                braking: params.max_acceleration,
            },
        }
    }

    /// Decides the agent's next velocity.
    pub(crate) fn decide(&self, scratch: &mut Scratch) -> Decision {
        let last = self.around.store.reach[self.row];
        let reach = scratch
            .neighbors
            .find(self.around.grid, self.own, self.params, last);
        let arrived = self.has_arrived(&scratch.neighbors);
        let wanted = self.wish(arrived);
        self.bound(scratch);
        let region = self.region();
        let (solution, level) = self.choose(scratch, &region, &wanted);
        Decision {
            velocity: solution.velocity,
            reach,
            wanted,
            level,
            arrived,
            infeasible: solution.tiers < TIERS,
        }
    }

    fn region(&self) -> Region {
        let reach = self.params.max_acceleration * self.around.step;
        Region::new(self.params.max_speed, self.velocity, reach)
    }

    /// Builds the tiers that do not depend on the horizon to agents.
    pub(crate) fn bound(&self, scratch: &mut Scratch) {
        scratch.planes.clear();
        self.find_edges(scratch);
        self.touch_walls(scratch);
        scratch.ends[0] = scratch.planes.len();
        self.touch_agents(scratch);
        scratch.ends[1] = scratch.planes.len();
        self.avoid_walls(scratch);
        scratch.ends[2] = scratch.planes.len();
        scratch.ends[3] = scratch.planes.len();
    }

    /// Finds the longest horizon whose half-planes can all be kept, and the best velocity in it.
    fn choose(&self, scratch: &mut Scratch, region: &Region, wanted: &Vec2) -> (Solution, u8) {
        let mut level = self.memory.level.saturating_sub(1);
        loop {
            let horizon = self.horizon(level);
            self.avoid_agents(scratch, wanted, horizon);
            let biased = self.biased(scratch, wanted);
            let solution = solve_tiers(&scratch.planes, &scratch.ends, region, biased);
            let shortest = level >= MAX_HORIZON_LEVEL || horizon <= self.shortest_horizon();
            if solution.tiers != TIERS - 1 || shortest {
                return (solution, level);
            }
            level += 1;
        }
    }

    fn shortest_horizon(&self) -> f32 {
        MIN_HORIZON_STEPS * self.around.step
    }

    /// Returns the time horizon to agents after `level` halvings [s].
    pub(crate) fn horizon(&self, level: u8) -> f32 {
        let mut horizon = self.params.time_horizon;
        for _ in 0..level {
            horizon *= HORIZON_FACTOR;
        }
        horizon.max(self.shortest_horizon())
    }

    /// Returns the velocity wanted, turned to the preferred side if agents are in its way.
    fn biased(&self, scratch: &Scratch, wanted: &Vec2) -> Vec2 {
        let limited = within(wanted, self.params.max_speed);
        let blocks =
            |range: &[HalfPlane]| range.iter().any(|plane| plane.violation(&limited) > 0.0);
        let walls = blocks(&scratch.planes[..scratch.ends[0]])
            || blocks(&scratch.planes[scratch.ends[1]..scratch.ends[2]]);
        let agents = blocks(&scratch.planes[scratch.ends[0]..scratch.ends[1]])
            || blocks(&scratch.planes[scratch.ends[2]..]);
        if walls || !agents {
            return *wanted;
        }
        // To the right: clockwise.
        let (cos, sin) = (self.params.bias_cos, self.params.bias_sin);
        Vec2::new(
            cos * wanted.x + sin * wanted.y,
            cos * wanted.y - sin * wanted.x,
        )
    }

    /// Returns the half-planes of the horizon to agents; replaces those of another horizon.
    pub(crate) fn avoid_agents(&self, scratch: &mut Scratch, wanted: &Vec2, horizon: f32) {
        scratch.planes.truncate(scratch.ends[2]);
        for neighbor in &scratch.neighbors.list {
            let encounter = self.encounter(neighbor);
            if encounter.share > 0.0
                && let Some(plane) = encounter.half_plane(self.params.model, wanted, horizon)
            {
                scratch.planes.push(plane);
            }
        }
        scratch.ends[3] = scratch.planes.len();
    }

    fn encounter(&self, neighbor: &Neighbor) -> Encounter {
        let near = &self.around.grid.near[neighbor.index as usize];
        Encounter {
            offset: neighbor.offset,
            relative_velocity: self.velocity - Vec2::from(near.velocity),
            velocity: self.velocity,
            radius: self.params.radius + near.radius,
            share: self.share(near.weight, near.priority),
        }
    }

    /// Returns the part of the way that this agent gives to another one.
    fn share(&self, weight: f32, priority: u8) -> f32 {
        if self.params.priority != priority {
            return if self.params.priority > priority {
                0.0
            } else {
                1.0
            };
        }
        let sum = self.params.weight + weight;
        if sum > 0.0 {
            self.params.weight / sum
        } else {
            0.5
        }
    }

    /// Adds the half-planes that keep the gaps to agents about to touch.
    fn touch_agents(&self, scratch: &mut Scratch) {
        let recovery = self.recovery();
        for neighbor in &scratch.neighbors.list {
            let near = &self.around.grid.near[neighbor.index as usize];
            let gap = neighbor.distance - near.radius - self.params.radius;
            let towards = if neighbor.distance > 0.0 {
                neighbor.offset / neighbor.distance
            } else {
                apart(self.around.grid.near[self.own].slot, near.slot)
            };
            let drift = 0.5 * (self.velocity + Vec2::from(near.velocity)).dot(&towards);
            let share = self.share(near.weight, near.priority);
            let touch = Touch {
                towards,
                gap,
                drift,
                share,
            };
            let plane = touch.half_plane(&self.pace, &recovery);
            if plane.offset > -self.params.max_speed {
                scratch.planes.push(plane);
            }
        }
    }

    fn recovery(&self) -> Recovery {
        Recovery {
            time: self.params.recovery_time.max(self.around.step),
            speed: self.params.recovery_speed,
        }
    }

    /// Finds the edges within the horizon that face the agent, in order of their distance.
    fn find_edges(&self, scratch: &mut Scratch) {
        scratch.edges.clear();
        let speed = self.params.max_speed;
        let time = self.params.obstacle_horizon.max(self.around.step);
        for (tree, walls) in self.around.walls.iter().enumerate() {
            let range = time * (speed + walls.top_speed()) + self.params.radius;
            walls.near(self.position, range, |index, edge| {
                if edge.layers & self.params.mask == 0 {
                    return;
                }
                let (_, way) = edge.nearest(self.position);
                let distance_sq = way.norm_squared();
                if distance_sq <= range * range && self.faces(edge) {
                    scratch.edges.push((distance_sq, index, tree as u8));
                }
            });
        }
        scratch
            .edges
            .sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)).then(a.1.cmp(&b.1)));
    }

    fn faces(&self, edge: &Edge) -> bool {
        cross(&edge.direction, &(self.position - edge.start)) <= 0.0
    }

    fn view(&self, found: &(f32, u32, u8)) -> View<'a> {
        let edge = &self.around.walls[found.2 as usize].edges()[found.1 as usize];
        View::new(edge, self.position)
    }

    /// Adds the half-planes that keep the agent out of walls in this step.
    fn touch_walls(&self, scratch: &mut Scratch) {
        let recovery = self.recovery();
        for found in &scratch.edges {
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
                scratch.planes.push(HalfPlane::new(away, offset));
            }
        }
    }

    /// Adds the half-planes that are free of collision with walls within the horizon.
    fn avoid_walls(&self, scratch: &mut Scratch) {
        let radius = self.params.radius;
        let horizon = self.params.obstacle_horizon.max(self.around.step);
        for found in &scratch.edges {
            let view = self.view(found);
            let planes = &scratch.planes[scratch.ends[1]..];
            if view.is_covered(planes, self.position, radius, horizon) {
                continue;
            }
            if let Some(plane) = view.half_plane(self.position, &self.velocity, radius, horizon) {
                scratch.planes.push(plane);
            }
        }
    }

    /// Says whether the agent stands at its target: near it, or against others that do.
    fn has_arrived(&self, neighbors: &Neighbors) -> bool {
        let Some(target) = self.around.store.target(self.row) else {
            return false;
        };
        let way = target.point - self.position;
        let distance = way.norm();
        if distance <= target.radius {
            return true;
        }
        let close = |n: &Neighbor| {
            let near = &self.around.grid.near[n.index as usize];
            let gap = n.distance - near.radius - self.params.radius;
            near.arrived && gap < self.params.radius && n.offset.dot(&way) > 0.0
        };
        let beside = |n: &Neighbor| self.targets_meet(n, target.point);
        // Once at rest it stays so unless it is pushed a good way off.
        neighbors.list.iter().any(|n| close(n) && beside(n))
            || (self.memory.arrived && distance <= target.radius + 4.0 * self.params.radius)
    }

    fn targets_meet(&self, neighbor: &Neighbor, point: WorldPoint) -> bool {
        let row = self.around.grid.order[neighbor.index as usize] as usize;
        let Some(other) = self.around.store.target(row) else {
            return false;
        };
        let radius = self.params.radius + self.around.grid.near[neighbor.index as usize].radius;
        (other.point - point).norm() <= radius
    }

    /// Returns the velocity that the agent would take alone.
    fn wish(&self, arrived: bool) -> Vec2 {
        let Some(target) = self.around.store.target(self.row) else {
            return self.around.store.preferred[self.row];
        };
        let way = target.point - self.position;
        let distance = way.norm();
        if arrived || distance <= 0.0 {
            return Vec2::zeros();
        }
        way * (target.speed.min(self.pace.approach(distance)) / distance)
    }
}
