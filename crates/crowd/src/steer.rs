//! One agent's step: see, bound, choose.
//!
//! The half-planes come in tiers, each hard for the next: walls in contact, walls within the horizon, what the
//! agent can turn to, agents within the horizon. Standing still satisfies all but the last while
//! nothing overlaps. If the last contradict each other, the horizon is halved, and halved again:
//! what will happen soon counts, what may happen later gives way. After a while the agent tries one
//! halving less.

use crate::agent::Params;
use crate::arrival::Walk;
use crate::courtesy::Intent;
use crate::detour::{Side, Turn, along_walls, is_blocked, round_walls, turned};
use crate::encounters::{BY_WEIGHT, Columns, Encounters, Own};
use crate::grid::Manner;
use crate::half_plane::HalfPlane;
use crate::heading::Heading;
use crate::lanes::{LANES, Lanes};
use crate::neighbors::Neighbors;
use crate::outlook::{Edges, Outlook};
use crate::pace::Pace;
use crate::planes::Planes;
use crate::program::solve_tiers;
use crate::region::{Region, within};
use crate::separate::{Contacts, apart};
use crate::store::Memory;
use crate::surroundings::Surroundings;
use crate::tuning::{
    CRAWL_SHARE, ELBOW_PUSH, ELBOW_ROOM, HORIZON_FACTOR, LOOK_AGAIN, MAX_ELBOW_PUSH,
    MAX_HORIZON_LEVEL, MIN_HORIZON_STEPS, SOON, WAY_FREE,
};
use crate::window::Window;
use cairn2d_geometry::math::Vec2;
use core::cmp::Ordering;

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
    /// Time until it looks farther ahead again [s].
    pub(crate) wait: f32,
    /// Angle by which the wish was turned [rad].
    pub(crate) turn: f32,
    /// Side on which it goes round a wall.
    pub(crate) side: Side,
    /// Whether all half-planes are kept.
    pub(crate) feasible: bool,
}

/// Memory for one agent's lists, used again for the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) neighbors: Neighbors,
    columns: Columns,
    encounters: Encounters,
    pub(crate) planes: Planes,
    /// Where the tiers end in `planes`.
    pub(crate) ends: [usize; TIERS],
    projected: Planes,
    edges: Edges,
}

/// Walls in contact, walls ahead, velocities to turn to, agents.
pub(crate) const TIERS: usize = 4;

/// The tiers of walls, and those kept before agents.
const WALLS: usize = 2;
const HARD: usize = TIERS - 1;

/// One agent in its surroundings.
pub(crate) struct Walker<'a> {
    around: &'a Surroundings<'a>,
    params: &'a Params,
    memory: Memory,
    row: usize,
    own: usize,
    outlook: Outlook<'a>,
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
            outlook: Outlook {
                around,
                params,
                position: around.grid.position(own),
                velocity: around.store.velocity[row],
                pace: Pace {
                    step: around.step,
                    braking: params.max_acceleration,
                },
            },
        }
    }

    /// Decides the agent's next velocity, and notes its `contacts`.
    ///
    /// It looks at those in the window `shared` with others if that shows far enough.
    pub(crate) fn decide(
        &self,
        scratch: &mut Scratch,
        shared: &Window,
        contacts: &mut Contacts,
    ) -> Decision {
        let reach = scratch.neighbors.find(self.around, self.own, shared);
        let walk = Walk {
            around: self.around,
            params: self.params,
            own: self.own,
            row: self.row,
            pace: self.outlook.pace,
        };
        let arrived = walk.has_arrived(&scratch.neighbors);
        let wanted = walk.wish(arrived);
        self.meet(scratch);
        self.bound(scratch);
        self.note_contacts(scratch, contacts);
        let region = self.region();
        let choice = self.choose(scratch, &region, &wanted);
        Decision {
            choice,
            reach,
            wanted,
            arrived,
        }
    }

    fn region(&self) -> Region {
        self.params.region(self.outlook.velocity, self.around.step)
    }

    /// Returns where the agent faces, if its turns are limited.
    fn heading(&self) -> Option<Heading> {
        Heading::limited(
            self.memory.facing,
            self.params.max_turn_rate,
            self.around.step,
        )
    }

    /// Looks at the neighbours: where they are, how they move, who gives way.
    fn meet(&self, scratch: &mut Scratch) {
        let (neighbors, columns) = (&scratch.neighbors, &mut scratch.columns);
        let (grid, near) = (self.around.grid, self.around.grid.near.as_slice());
        let own_wish = near[self.own].intent.speed();
        let hurried = Intent::is_hurried(own_wish, grid.top_wish);
        let blocks = neighbors.index.as_chunks::<LANES>().0.iter();
        for (i, four) in blocks.take(neighbors.len().div_ceil(LANES)).enumerate() {
            let others = four.map(|index| &near[index as usize]);
            let velocities = if hurried {
                others.map(|near| near.velocity)
            } else {
                others.map(|near| near.intent.expected(near.velocity, own_wish).into())
            };
            columns.velocity_x[i] = Lanes::new(velocities.map(|v| v[0]));
            columns.velocity_y[i] = Lanes::new(velocities.map(|v| v[1]));
            if !grid.alike {
                let others = four.map(|index| &grid.manners[index as usize]);
                columns.weight[i] = Lanes::new(others.map(|other| other.weight));
                columns.share[i] = Lanes::new(others.map(|other| self.given_share(other)));
            }
        }
        let own = Own {
            velocity: self.outlook.velocity,
            radius: self.params.radius,
            weight: self.params.weight,
            share: grid.alike.then_some(0.5),
        };
        scratch.encounters.read(neighbors, columns, &own);
    }

    /// Builds the tiers that do not depend on the horizon to agents.
    fn bound(&self, scratch: &mut Scratch) {
        let (planes, edges, ends) = (&mut scratch.planes, &mut scratch.edges, &mut scratch.ends);
        planes.truncate(0);
        self.outlook.find_edges(edges);
        self.outlook.touch_walls(edges, planes);
        ends[0] = planes.end_tier();
        self.outlook.avoid_walls(edges, planes);
        ends[1] = planes.end_tier();
        let heading = self.heading().and_then(|heading| heading.half_planes());
        heading
            .iter()
            .flatten()
            .for_each(|plane| planes.push(plane));
        ends[2] = planes.end_tier();
        ends[3] = ends[2];
    }

    /// Finds the longest horizon that leaves a way on, and the best velocity in it.
    ///
    /// A horizon is too long if its half-planes contradict each other, or leave so little that the
    /// agent hardly moves though nothing soon is in its way.
    fn choose(&self, scratch: &mut Scratch, region: &Region, wanted: &Vec2) -> Choice {
        let detour = self.round_walls(scratch, wanted);
        let last = turned(&detour.wish, self.memory.turn);
        let free = along_walls(&scratch.planes, scratch.ends[WALLS - 1], &last);
        let looks_farther = self.memory.wait <= self.around.step;
        let mut level = self.memory.level.saturating_sub(looks_farther.into());
        loop {
            let horizon = self.horizon(level);
            self.avoid_agents(scratch, wanted, horizon);
            let turn = self.turn(scratch, region, &detour.wish, [&last, &free]);
            let wish = if turn == self.memory.turn {
                last
            } else {
                turned(&detour.wish, turn)
            };
            let wish = make_room(&scratch.encounters, &wish, turn);
            let (planes, ends) = (&scratch.planes, &scratch.ends);
            let solution = solve_tiers(planes, ends, region, wish);
            let feasible = solution.tiers == TIERS;
            let agents_give_way = solution.tiers == HARD;
            let crawls = solution.velocity.dot(&wish) < CRAWL_SHARE * wish.norm_squared();
            let too_long = agents_give_way || (feasible && crawls && horizon > SOON);
            if !too_long || level >= MAX_HORIZON_LEVEL || horizon <= self.shortest_horizon() {
                return Choice {
                    velocity: solution.settle(planes, ends, region, &mut scratch.projected),
                    level,
                    wait: self.wait(level),
                    turn,
                    side: detour.side,
                    feasible,
                };
            }
            level += 1;
        }
    }

    /// Returns the angle by which to turn `wish` [rad]; `last` is the wish as it was turned in the last step, and what
    /// walls leave of that.
    fn turn(
        &self,
        scratch: &Scratch,
        region: &Region,
        wish: &Vec2,
        [last, free]: [&Vec2; 2],
    ) -> f32 {
        let start = scratch.ends[HARD - 1];
        let turn = Turn {
            last: self.memory.turn,
            bias: self.params.bias,
            step: self.around.step,
            blocked: is_blocked(&scratch.planes, start, wish, self.params.max_speed),
        };
        let angle = turn.angle(last, free, &self.outlook.velocity);
        if angle.abs() <= self.params.bias.abs() {
            return angle;
        }
        // Whoever has turned far looks whether the way is free again.
        let (planes, ends) = (&scratch.planes, &scratch.ends);
        let least = turned(wish, self.params.bias);
        let solution = solve_tiers(planes, ends, region, least);
        let progress = solution.velocity.dot(wish);
        let is_free = solution.tiers == TIERS && progress > WAY_FREE * wish.norm_squared();
        if is_free { self.params.bias } else { angle }
    }

    /// Returns the time until the agent looks farther ahead than `level` halvings allow [s].
    fn wait(&self, level: u8) -> f32 {
        let left = self.memory.wait - self.around.step;
        match level.cmp(&self.memory.level) {
            Ordering::Less => 0.0,
            Ordering::Equal if left > 0.0 => left,
            Ordering::Equal | Ordering::Greater => LOOK_AGAIN,
        }
    }

    /// Finds the wish round the walls that stand between the agent and where it wants to go.
    fn round_walls(&self, scratch: &Scratch, wanted: &Vec2) -> crate::detour::Detour {
        let (planes, end) = (&scratch.planes, scratch.ends[WALLS - 1]);
        let (bias, last) = (self.params.bias, self.memory.side);
        let target = self.around.store.target(self.row);
        let way = target.map(|target| target.point - self.outlook.position);
        // A wall behind the target is not in the way.
        let blocks = |index: usize, plane: &HalfPlane| {
            let time = if index < scratch.ends[0] {
                self.around.step
            } else {
                self.params.obstacle_horizon.max(self.around.step)
            };
            way.is_none_or(|way| plane.normal.dot(&way) < plane.offset * time)
        };
        round_walls(planes, end, wanted, bias, last, blocks)
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

    /// Returns the half-planes of the horizon to agents; replaces those of another horizon.
    fn avoid_agents(&self, scratch: &mut Scratch, wanted: &Vec2, horizon: f32) {
        let planes = &mut scratch.planes;
        planes.truncate(scratch.ends[HARD - 1]);
        let neighbors = &scratch.neighbors;
        scratch.encounters.half_planes(
            self.params.model,
            wanted,
            horizon,
            &self.outlook.recovery(),
            |i| self.apart(neighbors.index[i]),
            planes,
        );
        scratch.ends[TIERS - 1] = planes.end_tier();
    }

    /// Returns the unit vector to a neighbour on the very same spot.
    fn apart(&self, index: u32) -> Vec2 {
        let places = &self.around.grid.places;
        apart(places[self.own].slot, places[index as usize].slot)
    }

    /// Returns the part of the way that this agent gives to another one, if it is given: all of it to
    /// one who does not heed it, else by right of way. Among equals the weights decide.
    #[inline]
    fn given_share(&self, other: &Manner) -> f32 {
        if other.mask & self.params.layers == 0 {
            return 1.0;
        }
        match self.params.priority.cmp(&other.priority) {
            Ordering::Greater => 0.0,
            Ordering::Less => 1.0,
            Ordering::Equal => BY_WEIGHT,
        }
    }

    /// Notes the agents that could touch within the step.
    fn note_contacts(&self, scratch: &Scratch, contacts: &mut Contacts) {
        let index = &scratch.neighbors.index;
        let others = index.as_chunks::<LANES>().0;
        scratch.encounters.touching(
            self.around.step,
            2.0 * self.params.max_speed,
            &self.outlook.recovery(),
            |i| self.apart(index[i]),
            |block, touch| contacts.push(others[block], touch),
        );
        contacts.add(self.own, scratch.planes.iter(0..scratch.ends[0]));
    }
}

/// Returns the wish of an agent that keeps off those about it while others are in its way: while it turns its wish.
fn make_room(encounters: &Encounters, wish: &Vec2, turn: f32) -> Vec2 {
    let speed = wish.norm();
    if turn == 0.0 || speed <= 0.0 {
        return *wish;
    }
    let (away, closeness) = encounters.away(ELBOW_ROOM);
    // One other alone is no throng: two who meet just pass.
    let throng = (closeness - 1.0).clamp(0.0, 1.0);
    let push = away * (ELBOW_PUSH * throng * speed);
    within(&(wish + within(&push, MAX_ELBOW_PUSH * speed)), speed)
}
