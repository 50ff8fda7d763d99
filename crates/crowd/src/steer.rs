//! One agent's step: see, bound, choose.
//!
//! The half-planes come in tiers, each hard for the next: walls in contact, walls within the horizon, what the
//! agent can turn to, agents within the horizon. Standing still satisfies all but the last while
//! nothing overlaps. If the last contradict each other, the horizon is halved, and halved again:
//! what will happen soon counts, what may happen later gives way. After a while the agent tries one
//! halving less.

use crate::agent::Params;
use crate::arrival::Walk;
use crate::contacts::Contacts;
use crate::courtesy::Intent;
use crate::courtesy::shares_by_claim;
use crate::detour::{Detour, Side, Turn, Turns, along_walls, is_blocked, round_walls};
use crate::encounters::{Encounters, Own};
use crate::half_plane::HalfPlane;
use crate::heading::Heading;
use crate::looks::Looks;
use crate::neighbors::{Column, Neighbors};
use crate::outlook::{Edges, Outlook};
use crate::pace::Pace;
use crate::planes::Planes;
use crate::program::solve_tiers;
use crate::region::{Region, within};
use crate::separate::apart;
use crate::store::Memory;
use crate::surroundings::Surroundings;
use crate::tuning::{
    CRAWL_SHARE, ELBOW_PUSH, ELBOW_ROOM, HORIZON_FACTOR, LOOK_AGAIN, MAX_ELBOW_PUSH,
    MAX_HORIZON_LEVEL, MIN_HORIZON_STEPS, SOON, WAY_FREE,
};
use cairn2d_geometry::math::Vec2;
use cairn2d_simd::{LANES, Lanes8};
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

impl Decision {
    /// Returns the decision with another velocity chosen [m/s].
    #[inline]
    pub(crate) fn with(&self, velocity: Vec2) -> Self {
        let choice = Choice {
            velocity,
            ..self.choice
        };
        Self { choice, ..*self }
    }
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
    /// Parts that it takes in its encounters; not read where all take the same.
    pub(crate) shares: Column,
    encounters: Encounters,
    pub(crate) planes: Planes,
    /// Where the tiers end in `planes`.
    pub(crate) ends: [usize; TIERS],
    projected: Planes,
    /// How far it had to look for its neighbours [m].
    pub(crate) reach: f32,
    /// Whether it stands at its target, and what it would do alone [m/s].
    arrived: bool,
    wanted: Vec2,
    pub(crate) plan: Plan,
    turns: Turns,
}

/// What is looked at for one agent after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sights {
    pub(crate) looks: Looks,
    edges: Edges,
    turns: Turns,
}

/// What an agent goes about its choice with.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Plan {
    /// The wish round walls [m/s], and the side on which it goes round one.
    pub(crate) wish: Vec2,
    pub(crate) side: Side,
    /// The wish round walls, turned as in the last step [m/s], and what walls leave of that.
    pub(crate) last: Vec2,
    pub(crate) free: Vec2,
    /// How often the horizon is halved at first.
    pub(crate) level: u8,
}

impl Scratch {
    /// Says whether nothing but other agents bounds the velocity.
    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        self.ends[HARD - 1] == 0
    }

    /// Returns a decision for this choice.
    #[inline]
    pub(crate) fn decision(&self, choice: Choice) -> Decision {
        Decision {
            choice,
            reach: self.reach,
            wanted: self.wanted,
            arrived: self.arrived,
        }
    }
}

/// Parts of the horizon that halvings leave.
const HALVINGS: [f32; MAX_HORIZON_LEVEL as usize + 1] = {
    let mut parts = [1.0; MAX_HORIZON_LEVEL as usize + 1];
    let mut level = 1;
    while level < parts.len() {
        parts[level] = HORIZON_FACTOR * parts[level - 1];
        level += 1;
    }
    parts
};

/// Walls in contact, walls ahead, velocities to turn to, agents.
pub(crate) const TIERS: usize = 4;

/// The tiers of walls, and those kept before agents.
const WALLS: usize = 2;
const HARD: usize = TIERS - 1;

/// One agent in its surroundings.
pub(crate) struct Walker<'a> {
    around: &'a Surroundings<'a>,
    pub(crate) params: &'a Params,
    pub(crate) memory: Memory,
    row: usize,
    pub(crate) own: usize,
    outlook: Outlook<'a>,
}

impl<'a> Walker<'a> {
    /// Returns the sorted agent `own`.
    #[inline(always)]
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

    /// Looks who and what is around the agent, and what it would do alone.
    #[inline(always)]
    pub(crate) fn see<L: Lanes8>(&self, simd: L::Simd, scratch: &mut Scratch, sights: &mut Sights) {
        let (looks, neighbors) = (&mut sights.looks, &mut scratch.neighbors);
        scratch.reach = looks.look::<L>(simd, self.around, self.own, neighbors);
        self.look_about::<L>(simd, scratch, sights);
    }

    /// Looks what is around the agent beside its neighbours, and what it would do alone.
    #[inline(always)]
    pub(crate) fn look_about<L: Lanes8>(
        &self,
        simd: L::Simd,
        scratch: &mut Scratch,
        sights: &mut Sights,
    ) {
        (scratch.arrived, scratch.wanted) = self.wish(&scratch.neighbors);
        self.look_at_neighbors(&mut scratch.neighbors);
        if !self.around.grid.alike {
            self.share_out::<L>(simd, scratch);
        }
        self.bound(scratch, &mut sights.edges);
        // Field by field: what is put together first is copied in pieces other than it was written in, and waited for.
        if scratch.ends[WALLS - 1] == 0 {
            scratch.plan.wish = scratch.wanted;
            scratch.plan.side = 0;
            let last = sights.turns.turned(&scratch.wanted, self.memory.turn);
            (scratch.plan.last, scratch.plan.free) = (last, last);
        } else {
            let detour = self.round_walls(scratch, &scratch.wanted);
            scratch.plan.wish = detour.wish;
            scratch.plan.side = detour.side;
            let last = sights.turns.turned(&detour.wish, self.memory.turn);
            scratch.plan.last = last;
            scratch.plan.free = along_walls(&scratch.planes, scratch.ends[WALLS - 1], &last);
        }
        let looks_farther = self.memory.wait <= self.around.step;
        scratch.plan.level = self.memory.level.saturating_sub(looks_farther.into());
    }

    /// Says whether the agent stands at its target, and returns what it would do alone [m/s].
    #[inline]
    fn wish(&self, neighbors: &Neighbors) -> (bool, Vec2) {
        let Some(target) = self.around.store.target(self.row) else {
            return (false, self.around.store.preferred[self.row]);
        };
        let walk = Walk {
            around: self.around,
            params: self.params,
            target,
            position: self.outlook.position,
            memory: &self.memory,
            pace: self.outlook.pace,
        };
        let arrived = walk.has_arrived(neighbors);
        (arrived, walk.wish(arrived))
    }

    /// Decides the agent's next velocity after it has seen what is around it, with horizons halved `level` times and
    /// more; and notes its contacts as those of a lane of the team, unless that is done.
    #[inline(always)]
    pub(crate) fn decide<L: Lanes8>(
        &self,
        simd: L::Simd,
        scratch: &mut Scratch,
        contacts: Option<(&mut Contacts, usize)>,
        level: u8,
    ) -> Decision {
        self.meet::<L>(simd, scratch);
        if let Some((contacts, lane)) = contacts {
            self.note_contacts::<L>(simd, scratch, contacts, lane);
        }
        let choice = self.choose::<L>(simd, scratch, level);
        scratch.decision(choice)
    }

    #[inline]
    pub(crate) fn region(&self) -> Region {
        self.params.region(self.outlook.velocity, self.around.step)
    }

    /// Returns the greatest change of its velocity in the step [m/s].
    #[inline]
    pub(crate) fn reach(&self) -> f32 {
        self.params.reach(self.around.step)
    }

    /// Returns where the agent faces, if its turns are limited.
    fn heading(&self) -> Option<Heading> {
        Heading::limited(
            self.memory.facing,
            self.params.max_turn_rate,
            self.around.step,
        )
    }

    /// Finds out how the neighbours move, as far as it looks at that.
    #[inline]
    fn look_at_neighbors(&self, neighbors: &mut Neighbors) {
        let grid = self.around.grid;
        let own_wish = grid.intents[self.own].speed();
        if !Intent::is_hurried(own_wish, grid.top_wish) {
            neighbors.expect(|index, velocity| {
                grid.intents[index as usize].expected(velocity, own_wish)
            });
        }
    }

    /// Finds the parts of the way that the agent gives to its neighbours: all of it to one who does not heed it, else by
    /// right of way. Among equals the weights decide.
    #[inline(always)]
    fn share_out<L: Lanes8>(&self, simd: L::Simd, scratch: &mut Scratch) {
        let (grid, params) = (self.around.grid, self.params);
        let blocks = scratch.neighbors.len().div_ceil(LANES);
        let eights = scratch.neighbors.index.as_chunks::<LANES>().0;
        for (others, shares) in eights[..blocks].iter().zip(&mut scratch.shares) {
            let claims = L::gather(simd, &grid.claims, others);
            *shares = shares_by_claim(params.weight, params.priority, claims).store();
            if grid.all_heed {
                continue;
            }
            for (&other, share) in others.iter().zip(&mut shares.0) {
                if grid.manners[other as usize].mask & params.layers == 0 {
                    *share = 1.0;
                }
            }
        }
    }

    /// Meets the neighbours, alone.
    #[inline(always)]
    fn meet<L: Lanes8>(&self, simd: L::Simd, scratch: &mut Scratch) {
        let (neighbors, shares) = (&scratch.neighbors, &scratch.shares);
        let own = self.as_met();
        scratch.encounters.read::<L>(simd, neighbors, shares, &own);
    }

    /// Returns the agent as one that meets others.
    #[inline]
    pub(crate) fn as_met(&self) -> Own {
        Own {
            velocity: self.outlook.velocity,
            radius: self.params.radius,
            recovery: self.outlook.recovery(),
            top_closing: 2.0 * self.params.max_speed,
            share: self.around.grid.common_share(),
        }
    }

    /// Builds the tiers that do not depend on the horizon to agents.
    #[inline]
    fn bound(&self, scratch: &mut Scratch, edges: &mut Edges) {
        scratch.planes.truncate(0);
        scratch.ends = [0; TIERS];
        if self.around.has_walls() {
            self.bound_by_walls(scratch, edges);
        }
        if self.params.max_turn_rate.is_finite() {
            self.bound_by_turning(scratch);
        }
    }

    fn bound_by_walls(&self, scratch: &mut Scratch, edges: &mut Edges) {
        let (planes, ends) = (&mut scratch.planes, &mut scratch.ends);
        self.outlook.find_edges(edges);
        self.outlook.touch_walls(edges, planes);
        ends[0] = planes.end_tier();
        self.outlook.avoid_walls(edges, planes);
        ends[1..].fill(planes.end_tier());
    }

    fn bound_by_turning(&self, scratch: &mut Scratch) {
        let heading = self.heading().and_then(|heading| heading.half_planes());
        let turning = heading.iter().flatten();
        turning.for_each(|plane| scratch.planes.push(plane));
        scratch.ends[WALLS..].fill(scratch.planes.end_tier());
    }

    /// Finds the longest horizon that leaves a way on, and the best velocity in it; of those halved `level` times and
    /// more.
    ///
    /// A horizon is too long if its half-planes contradict each other, or leave so little that the
    /// agent hardly moves though nothing soon is in its way.
    #[inline(always)]
    fn choose<L: Lanes8>(&self, simd: L::Simd, scratch: &mut Scratch, mut level: u8) -> Choice {
        let region = &self.region();
        loop {
            self.avoid_agents::<L>(simd, scratch, self.horizon(level));
            let turn = self.turn::<L>(simd, scratch, region);
            let wish = self.turned_wish(&mut scratch.turns, &scratch.plan, turn);
            let wish = make_room::<L>(simd, &scratch.encounters, &wish, turn);
            let (planes, ends) = (&scratch.planes, &scratch.ends);
            let solution = solve_tiers::<L>(simd, planes, ends, region, wish);
            let feasible = solution.tiers == TIERS;
            let crawls =
                feasible && solution.velocity.dot(&wish) < CRAWL_SHARE * wish.norm_squared();
            let is_too_long = |level| self.is_too_long(level, solution.tiers == HARD, crawls);
            while scratch.encounters.all_overlap && is_too_long(level) {
                level += 1;
            }
            if !is_too_long(level) {
                let velocity =
                    solution.settle::<L>(simd, planes, ends, region, &mut scratch.projected);
                let side = scratch.plan.side;
                return self.choice(velocity, level, turn, side, feasible);
            }
            level += 1;
        }
    }

    /// Returns a choice.
    #[inline]
    pub(crate) fn choice(
        &self,
        velocity: Vec2,
        level: u8,
        turn: f32,
        side: Side,
        feasible: bool,
    ) -> Choice {
        Choice {
            velocity,
            level,
            wait: self.wait(level),
            turn,
            side,
            feasible,
        }
    }

    /// Says whether to halve a horizon that is halved `level` times already, because agents have to give way or the
    /// agent `crawls`.
    #[inline]
    pub(crate) fn is_too_long(&self, level: u8, agents_give_way: bool, crawls: bool) -> bool {
        let horizon = self.horizon(level);
        (agents_give_way || (crawls && horizon > SOON))
            && level < MAX_HORIZON_LEVEL
            && horizon > self.shortest_horizon()
    }

    /// Returns the wish, turned by an angle [rad].
    #[inline(always)]
    pub(crate) fn turned_wish(&self, turns: &mut Turns, plan: &Plan, turn: f32) -> Vec2 {
        if turn == self.memory.turn {
            plan.last
        } else {
            turns.turned(&plan.wish, turn)
        }
    }

    /// Returns the wish, turned by no more than the bias.
    #[inline(always)]
    pub(crate) fn turned_by_bias(&self, turns: &mut Turns, plan: &Plan) -> Vec2 {
        turns.turned(&plan.wish, self.params.bias)
    }

    /// Returns the step that is planned for [s].
    #[inline]
    pub(crate) fn step(&self) -> f32 {
        self.around.step
    }

    /// Returns the angle by which to turn the wish [rad], where others are in the way or not; a greater one than the
    /// bias only if that leads nowhere.
    #[inline]
    pub(crate) fn turn_angle(&self, plan: &Plan, blocked: bool) -> f32 {
        let turn = Turn {
            last: self.memory.turn,
            bias: self.params.bias,
            step: self.around.step,
            blocked,
        };
        turn.angle(&plan.last, &plan.free, &self.outlook.velocity)
    }

    /// Returns the angle by which to turn the wish [rad].
    #[inline(always)]
    fn turn<L: Lanes8>(&self, simd: L::Simd, scratch: &mut Scratch, region: &Region) -> f32 {
        let Scratch {
            planes,
            ends,
            plan,
            turns,
            ..
        } = scratch;
        let (wish, bias) = (plan.wish, self.params.bias);
        let blocked = is_blocked::<L>(simd, planes, ends[HARD - 1], &wish, self.params.max_speed);
        let angle = self.turn_angle(plan, blocked);
        if angle.abs() <= bias.abs() {
            return angle;
        }
        // Whoever has turned far looks whether the way is free again.
        let least = self.turned_by_bias(turns, plan);
        let solution = solve_tiers::<L>(simd, planes, ends, region, least);
        let progress = solution.velocity.dot(&wish);
        let is_free = solution.tiers == TIERS && progress > WAY_FREE * wish.norm_squared();
        if is_free { bias } else { angle }
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
    fn round_walls(&self, scratch: &Scratch, wanted: &Vec2) -> Detour {
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
        let horizon = self.params.time_horizon * HALVINGS[usize::from(level)];
        horizon.max(self.shortest_horizon())
    }

    /// Returns the half-planes of the horizon to agents; replaces those of another horizon.
    #[inline(always)]
    fn avoid_agents<L: Lanes8>(&self, simd: L::Simd, scratch: &mut Scratch, horizon: f32) {
        let planes = &mut scratch.planes;
        planes.truncate(scratch.ends[HARD - 1]);
        let neighbors = &scratch.neighbors;
        scratch.encounters.half_planes::<L>(
            simd,
            self.params.model,
            &scratch.wanted,
            horizon,
            |i| self.apart(neighbors.index[i]),
            planes,
        );
        scratch.ends[TIERS - 1] = planes.end_tier();
    }

    /// Returns the unit vector to a neighbour on the very same spot.
    fn apart(&self, index: u32) -> Vec2 {
        let slots = &self.around.grid.slots;
        apart(slots[self.own], slots[index as usize])
    }

    /// Notes the agents that could touch within the step, as those of a lane of the team.
    #[inline(always)]
    fn note_contacts<L: Lanes8>(
        &self,
        simd: L::Simd,
        scratch: &Scratch,
        contacts: &mut Contacts,
        lane: usize,
    ) {
        let index = &scratch.neighbors.index;
        let others = index.as_chunks::<LANES>().0;
        scratch.encounters.touching::<L>(
            simd,
            self.around.step,
            |i| self.apart(index[i]),
            |block, touch| contacts.put(lane, LANES * block, touch, &others[block]),
        );
        let walls = scratch.planes.iter(0..scratch.ends[0]);
        contacts.name(lane, self.own, &self.region(), walls);
    }
}

/// Returns the wish of an agent that keeps off those about it while others are in its way: while it turns its wish.
#[inline(always)]
fn make_room<L: Lanes8>(simd: L::Simd, encounters: &Encounters, wish: &Vec2, turn: f32) -> Vec2 {
    let speed = wish.norm();
    if turn == 0.0 || speed <= 0.0 {
        return *wish;
    }
    let (away, closeness) = encounters.away::<L>(simd, ELBOW_ROOM);
    // One other alone is no throng: two who meet just pass.
    let throng = (closeness - 1.0).clamp(0.0, 1.0);
    let push = away * (ELBOW_PUSH * throng * speed);
    within(&(wish + within(&push, MAX_ELBOW_PUSH * speed)), speed)
}
