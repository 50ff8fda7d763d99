//! One agent's step: see, bound, choose.
//!
//! The half-planes come in tiers, each hard for the next: walls in contact, agents in contact, walls
//! within the horizon, agents within the horizon. Standing still satisfies all but the last while
//! nothing overlaps. If the last contradict each other, the horizon is halved, and halved again:
//! what will happen soon counts, what may happen later gives way. The agent starts its next step one
//! halving less deep.

use crate::agent::Params;
use crate::arrival::Walk;
use crate::edge::Edge;
use crate::grid::Near;
use crate::half_plane::HalfPlane;
use crate::neighbors::{Neighbor, Neighbors};
use crate::pace::Pace;
use crate::program::solve_tiers;
use crate::region::{Region, within};
use crate::separate::{Contact, Recovery, apart};
use crate::store::Memory;
use crate::surroundings::Surroundings;
use crate::tuning::{
    BIAS_FADE_TIME, CRAWL_SHARE, HORIZON_FACTOR, MAX_HORIZON_LEVEL, MAX_NEIGHBORS, MAX_TURN,
    MIN_HORIZON_STEPS, SOON, TURN_PROGRESS, TURN_RATE,
};
use crate::velocity_obstacle::Encounter;
use crate::wall::View;
use cairn2d_geometry::math::{Vec2, WorldPoint, cross, sin_cos};
use core::cmp::Ordering;
use smallvec::SmallVec;

/// What steering decides for an agent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Decision {
    pub(crate) choice: Choice,
    /// How far it had to look for its neighbours [m].
    pub(crate) reach: f32,
    /// What it would have done alone [m/s].
    pub(crate) wanted: Vec2,
    pub(crate) arrived: bool,
}

/// A velocity and how it came about.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Choice {
    pub(crate) velocity: Vec2,
    /// How often the horizon was halved.
    pub(crate) level: u8,
    /// Angle by which the wish was turned [rad].
    pub(crate) turn: f32,
    /// Whether all half-planes are kept.
    pub(crate) feasible: bool,
}

/// Memory for one agent's lists, used again for the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) neighbors: Neighbors,
    pub(crate) planes: SmallVec<[HalfPlane; 96]>,
    /// Where the tiers end in `planes`.
    pub(crate) ends: [usize; TIERS],
    pub(crate) contacts: SmallVec<[Contact; MAX_NEIGHBORS]>,
    edges: SmallVec<[(f32, u32, u8); 32]>,
}

/// Walls in contact, walls ahead, agents.
pub(crate) const TIERS: usize = 3;

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
        let walk = Walk {
            around: self.around,
            params: self.params,
            own: self.own,
            row: self.row,
            pace: self.pace,
        };
        let arrived = walk.has_arrived(&scratch.neighbors);
        let wanted = walk.wish(arrived);
        self.bound(scratch);
        self.note_contacts(scratch);
        let region = self.region();
        let choice = self.choose(scratch, &region, &wanted);
        Decision {
            choice,
            reach,
            wanted,
            arrived,
        }
    }

    pub(crate) fn region(&self) -> Region {
        let reach = self.params.max_acceleration * self.around.step;
        Region::new(self.params.max_speed, self.velocity, reach)
    }

    /// Builds the tiers that do not depend on the horizon to agents.
    pub(crate) fn bound(&self, scratch: &mut Scratch) {
        scratch.planes.clear();
        self.find_edges(scratch);
        self.touch_walls(scratch);
        scratch.ends[0] = scratch.planes.len();
        self.avoid_walls(scratch);
        scratch.ends[1] = scratch.planes.len();
        scratch.ends[2] = scratch.planes.len();
    }

    /// Finds the longest horizon that leaves a way on, and the best velocity in it.
    ///
    /// A horizon is too long if its half-planes contradict each other, or leave so little that the
    /// agent hardly moves though nothing soon is in its way.
    fn choose(&self, scratch: &mut Scratch, region: &Region, wanted: &Vec2) -> Choice {
        let mut level = self.memory.level.saturating_sub(1);
        loop {
            let horizon = self.horizon(level);
            self.avoid_agents(scratch, wanted, horizon);
            let turn = self.turn(scratch, wanted);
            let wish = turned(wanted, turn);
            let solution = solve_tiers(&scratch.planes, &scratch.ends, region, wish);
            let feasible = solution.tiers == TIERS;
            let agents_give_way = solution.tiers == TIERS - 1;
            let crawls = solution.velocity.dot(&wish) < CRAWL_SHARE * wish.norm_squared();
            let too_long = agents_give_way || (feasible && crawls && horizon > SOON);
            if !too_long || level >= MAX_HORIZON_LEVEL || horizon <= self.shortest_horizon() {
                return Choice {
                    velocity: solution.velocity,
                    level,
                    turn,
                    feasible,
                };
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

    /// Returns the angle by which to turn the wish [rad].
    ///
    /// It is the bias while agents are in the way, grows while the agent does not even get on in the
    /// turned direction, and fades when nobody is in the way any more.
    fn turn(&self, scratch: &Scratch, wanted: &Vec2) -> f32 {
        let bias = self.params.bias.abs();
        let last = self.memory.turn.abs();
        if bias == 0.0 {
            return 0.0;
        }
        let limited = within(wanted, self.params.max_speed);
        let mut agents = scratch.planes[scratch.ends[1]..].iter();
        let blocked = agents.any(|plane| plane.violation(&limited) > 0.0);
        let angle = if blocked || last > bias {
            let wish = turned(wanted, self.memory.turn);
            let speed_sq = wanted.norm_squared().max(f32::MIN_POSITIVE);
            // Without anybody in the way only a wall can hold it up, and no turn helps against that.
            let progress = match blocked {
                true => (self.velocity.dot(&wish) / speed_sq).max(0.0),
                false => 1.0,
            };
            let growth = self.around.step * TURN_RATE * (TURN_PROGRESS - progress);
            (last + growth).clamp(bias, bias.max(MAX_TURN))
        } else {
            (last - self.around.step * bias / BIAS_FADE_TIME).max(0.0)
        };
        angle.copysign(self.params.bias)
    }

    /// Returns the half-planes of the horizon to agents; replaces those of another horizon.
    pub(crate) fn avoid_agents(&self, scratch: &mut Scratch, wanted: &Vec2, horizon: f32) {
        scratch.planes.truncate(scratch.ends[1]);
        for neighbor in &scratch.neighbors.list {
            let encounter = self.encounter(neighbor);
            if encounter.share > 0.0 {
                let plane = encounter.half_plane(self.params.model, wanted, horizon);
                scratch
                    .planes
                    .push(plane.unwrap_or_else(|| self.part(&encounter, neighbor)));
            }
        }
        scratch.ends[2] = scratch.planes.len();
    }

    /// Returns the half-plane that opens an overlap.
    fn part(&self, encounter: &Encounter, neighbor: &Neighbor) -> HalfPlane {
        let slot = self.around.grid.near[neighbor.index as usize].slot;
        let away = -self.towards(neighbor, slot);
        let parting = self
            .recovery()
            .parting(encounter.radius - neighbor.distance);
        let change = parting - away.dot(&encounter.relative_velocity);
        HalfPlane::new(away, away.dot(&self.velocity) + encounter.share * change)
    }

    fn encounter(&self, neighbor: &Neighbor) -> Encounter {
        let near = &self.around.grid.near[neighbor.index as usize];
        Encounter {
            offset: neighbor.offset,
            relative_velocity: self.velocity - Vec2::from(near.velocity),
            velocity: self.velocity,
            radius: self.params.radius + near.radius,
            share: self.share(near),
        }
    }

    /// Returns the part of the way that this agent gives to another one: all of it to one who does
    /// not heed it, else by right of way, else by weight.
    fn share(&self, near: &Near) -> f32 {
        if near.mask & self.params.layers == 0 {
            return 1.0;
        }
        match self.params.priority.cmp(&near.priority) {
            Ordering::Greater => 0.0,
            Ordering::Less => 1.0,
            Ordering::Equal => {
                let sum = self.params.weight + near.weight;
                if sum > 0.0 {
                    self.params.weight / sum
                } else {
                    0.5
                }
            }
        }
    }

    /// Notes the agents that could touch within the step.
    pub(crate) fn note_contacts(&self, scratch: &mut Scratch) {
        let recovery = self.recovery();
        scratch.contacts.clear();
        for neighbor in &scratch.neighbors.list {
            let near = &self.around.grid.near[neighbor.index as usize];
            let gap = neighbor.distance - near.radius - self.params.radius;
            let room = if gap >= 0.0 {
                gap / self.around.step
            } else {
                -recovery.parting(-gap)
            };
            if room < 2.0 * self.params.max_speed {
                let towards = self.towards(neighbor, near.slot);
                let share = self.share(near);
                scratch.contacts.push(Contact {
                    other: neighbor.index,
                    towards,
                    room,
                    share,
                });
            }
        }
    }

    /// Returns the unit vector to a neighbour.
    fn towards(&self, neighbor: &Neighbor, slot: u32) -> Vec2 {
        if neighbor.distance > 0.0 {
            neighbor.offset / neighbor.distance
        } else {
            apart(self.around.grid.near[self.own].slot, slot)
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
            let planes = &scratch.planes[scratch.ends[0]..];
            if view.is_covered(planes, self.position, radius, horizon) {
                continue;
            }
            if let Some(plane) = view.half_plane(self.position, &self.velocity, radius, horizon) {
                scratch.planes.push(plane);
            }
        }
    }
}

/// Returns `v` turned by `angle` [rad], to the right if positive.
fn turned(v: &Vec2, angle: f32) -> Vec2 {
    if angle == 0.0 {
        return *v;
    }
    let (sin, cos) = sin_cos(angle);
    Vec2::new(cos * v.x + sin * v.y, cos * v.y - sin * v.x)
}
