//! The decision: eight agents, one per lane, whose half-planes lie in rows.
//!
//! The half-planes come in tiers, each hard for the next: walls in contact, walls within the horizon, turn limit,
//! agents within the horizon. Rest satisfies all but the last while nothing overlaps. If the last tier is infeasible,
//! or leaves so little that the agent hardly moves although no collision is near, the horizon is halved: near
//! collisions count, later ones are ignored. After a while the agent tries one halving less.
//!
//! Eight agents per register avoid unpredictable branches, keep every lane busy and amortize the latency of square
//! roots and divisions. The last agent fills the lanes that a small batch leaves.

use crate::contacts::Contacts;
use crate::half_plane::{HalfPlane, PlaneRow};
use crate::lanes::{difference, dot, each_of, load, select, toward, within_lengths};
use crate::limits::region::Regions;
use crate::neighbors::candidates::{RADIUS, VELOCITY_X, VELOCITY_Y, X, Y};
use crate::orca::agent::SteeringAgent;
use crate::orca::detour::{TurnControl, turned};
use crate::orca::encounter::{Cones, EncounterGroup, Others, Subjects};
use crate::orca::linear_program::{
    ALL_LANES, Objective, Relaxation, linear_program2, linear_program3,
};
use crate::orca::steer::{AgentScratch, Decision, HARD, Plan, TIERS};
use crate::store::agent::Model;
use crate::tuning::{
    CRAWL_SHARE, MAX_NEIGHBORS, MAX_SEPARATION_SHARE, MIN_BIAS_PROGRESS, REACTION_TIME,
    SEPARATION_GAIN, SEPARATION_GAP, STUCK_SHARE,
};
use cairn2d_simd::{F32x8, LANES, Lanes8, Mask, Simd, each_lane};

/// Partial sums over an agent's neighbors: every fourth neighbor from the first on, and so on. A single sum would wait
/// for each addition.
const PARTS: usize = 4;

/// Neighbors and half-planes of eight agents, in rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Solver {
    /// Encounters: the nearest of each agent, the second of each, and so on.
    encounters: Vec<EncounterGroup>,
    /// Half-planes: the hard tiers, with trivial ones for agents that have fewer, then those of the encounters.
    planes: Vec<PlaneRow>,
    /// Number of hard rows.
    hard: usize,
    /// Number of encounters of each agent.
    lens: F32x8,
    /// Number of rows of encounters.
    len: usize,
    /// Agents that overlap with all of their neighbors, so that no half-plane depends on the horizon.
    overlap: u32,
    /// Scratch of the programs of minimal violation.
    projected: Vec<PlaneRow>,
    pub(crate) outcomes: Outcomes,
}

impl Solver {
    /// Decides the velocities of a batch and stores them in `outcomes`. Notes the contacts in `contacts`, if given.
    #[inline(always)]
    pub(crate) fn decide<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        batch: &AgentBatch<'_>,
        contacts: Option<&mut Contacts>,
    ) {
        let subjects = self.meet::<L>(simd, batch, contacts);
        self.lay_hard_planes(batch);
        self.choose(&subjects, batch);
    }

    /// Reads the encounters of a batch and notes the contacts in `contacts`, if given; returns the agents.
    #[inline(always)]
    pub(crate) fn meet<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        batch: &AgentBatch<'_>,
        contacts: Option<&mut Contacts>,
    ) -> Subjects<L> {
        let count = |lane: usize| {
            let is_spare = lane >= batch.count;
            if is_spare {
                0
            } else {
                batch.scratches[lane].neighbors.len()
            }
        };
        self.lens = F32x8(each_lane(|lane| count(lane) as f32));
        self.len = (0..LANES).map(count).fold(0, usize::max);
        let subjects = batch.subjects::<L>(simd);
        self.read_encounters(&subjects, batch);
        if let Some(contacts) = contacts {
            self.find_contacts(&subjects, batch, contacts);
        }
        subjects
    }

    /// Reads the encounters of all agents.
    #[inline(always)]
    fn read_encounters<L: Lanes8>(&mut self, subjects: &Subjects<L>, batch: &AgentBatch<'_>) {
        let simd = subjects.radius.simd();
        let near = each_lane(|lane| &batch.scratches[lane].neighbors);
        let common_share = batch.agents[0].common_share();
        let (mut distant, lens) = (0, L::load(simd, &self.lens));
        self.encounters
            .resize(MAX_NEIGHBORS, EncounterGroup::default());
        for block in 0..self.len.div_ceil(LANES) {
            let column = |column: usize| {
                transposed::<L>(simd, each_lane(|lane| &near[lane].columns[column][block]))
            };
            let x = column(X);
            let y = column(Y);
            let velocity_x = column(VELOCITY_X);
            let velocity_y = column(VELOCITY_Y);
            let radius = column(RADIUS);
            let share = if let Some(share) = common_share {
                [simd.splat(share); LANES]
            } else {
                transposed::<L>(simd, each_lane(|lane| &batch.scratches[lane].shares[block]))
            };
            let rows = self.encounters[LANES * block..self.len].iter_mut();
            for (row, group) in rows.take(LANES).enumerate() {
                let others = Others {
                    offset: [x[row], y[row]],
                    radius: radius[row],
                    velocity: [velocity_x[row], velocity_y[row]],
                    share: share[row],
                };
                let number = simd.splat((LANES * block + row) as f32);
                let counts = number.lt(lens).bits();
                // In place: a copy would be a call.
                *group = EncounterGroup::of::<L>(subjects, &others);
                distant |= !group.overlaps::<L>(simd) & counts;
                each_of(group.coincide::<L>(simd) & counts, |lane| {
                    let other = near[lane].index[LANES * block + row];
                    group.part(lane, batch.agents[lane].separation_direction(other));
                });
            }
        }
        self.overlap = ALL_LANES & !distant;
    }

    /// Returns the mask of agents that have this row of encounters.
    #[inline(always)]
    fn row_mask<L: Lanes8>(&self, simd: L::Simd, row: usize) -> L::Mask {
        simd.splat(row as f32).lt(L::load(simd, &self.lens))
    }

    /// Notes the neighbors that could touch within the step.
    #[inline(always)]
    fn find_contacts<L: Lanes8>(
        &self,
        subjects: &Subjects<L>,
        batch: &AgentBatch<'_>,
        contacts: &mut Contacts,
    ) {
        let simd = subjects.radius.simd();
        let step = batch.agents[0].ctx.contact_step;
        let mut set = 0;
        for (row, group) in self.encounters[..self.len].iter().enumerate() {
            let counts = self.row_mask::<L>(simd, row);
            let Some(touch) = group.touch(subjects, counts, step) else {
                // Nearest first: later rows are farther away.
                break;
            };
            if touch.set != 0 {
                set |= touch.set;
                let index = |lane: usize| batch.scratches[lane].neighbors.index[row];
                contacts.put_row(row, &touch, each_lane(index));
            }
        }
        each_of(set, |lane| {
            let (agent, scratch) = (batch.agents[lane], batch.scratches[lane]);
            let walls = &scratch.hard[..scratch.ends[0]];
            contacts.set_agent(lane, agent.own, &agent.region(), walls);
        });
    }

    /// Copies the half-planes of the hard tiers, and makes room for those of the encounters.
    #[inline(always)]
    fn lay_hard_planes(&mut self, batch: &AgentBatch<'_>) {
        let hard = |lane: usize| &batch.scratches[lane].hard;
        self.hard = (0..LANES).map(|lane| hard(lane).len()).fold(0, usize::max);
        if self.planes.len() < self.hard + MAX_NEIGHBORS {
            self.planes.resize(self.hard + MAX_NEIGHBORS, PlaneRow::ALL);
        }
        for (row, planes) in self.planes[..self.hard].iter_mut().enumerate() {
            for lane in 0..LANES {
                planes.set(lane, hard(lane).get(row).unwrap_or(&HalfPlane::ALL));
            }
        }
    }

    /// Returns all half-planes.
    #[inline(always)]
    fn planes(&self) -> &[PlaneRow] {
        &self.planes[..self.hard + self.len]
    }

    /// Returns the half-planes of encounters in a lane, for drawing.
    pub(crate) fn agent_planes(&self, lane: usize) -> impl Iterator<Item = HalfPlane> {
        let rows = self.planes()[self.hard..].iter();
        rows.map(move |row| row.get(lane))
            .filter(|plane| plane.offset > f32::NEG_INFINITY)
    }

    /// Finds the best velocities within the present time horizon of each agent.
    #[inline(always)]
    fn choose<L: Lanes8>(&mut self, subjects: &Subjects<L>, batch: &AgentBatch<'_>) {
        let simd = subjects.radius.simd();
        let (agents, scratches) = (&batch.agents, &batch.scratches);
        let regions = Regions::new(subjects.velocity, |lane| agents[lane].region());
        self.avoid_agents(subjects, batch);
        let blocked = self.blocked(subjects, batch);
        let turns = self.turns(subjects, &regions, blocked, batch);
        let preferred = load(
            simd,
            &each_lane(|lane| {
                let plan = &scratches[lane].plan;
                agents[lane].turned_preferred(plan, turns[lane])
            }),
        );
        let preferred = self.with_separation::<L>(preferred, L::load(simd, &F32x8(turns)));
        let preferred = self.with_rest(preferred, &regions, batch);
        let last = regions.nearest(load(simd, &each_lane(|lane| agents[lane].given_velocity())));
        let part = self.reaction(subjects, blocked, batch);
        let aim = toward(last, preferred, part);
        let optima = linear_program2(self.planes(), &regions, Objective::Nearest(aim), ALL_LANES);
        let loss = dot(difference(aim, optima.velocity), preferred);
        let crawls = loss.gt(simd.splat(1.0 - CRAWL_SHARE) * part * dot(preferred, preferred));
        let crawls = crawls.bits() & optima.feasible;
        let outcomes = &mut self.outcomes;
        (outcomes.turns, outcomes.feasible) = (turns, optima.feasible);
        let mut relaxation = Relaxation::default();
        for (lane, agent) in agents.iter().enumerate() {
            let bit = 1 << lane;
            let tier = if optima.feasible & bit == 0 {
                let failed = optima.failed[lane] as usize;
                relaxation.failed.0[lane] = failed as f32;
                let ends = &scratches[lane].ends;
                ends.iter().position(|&end| failed < end).unwrap_or(HARD)
            } else {
                TIERS
            };
            let plan = &scratches[lane].plan;
            let is_too_long =
                |level| !plan.waits && agent.is_too_long(level, tier == HARD, crawls & bit != 0);
            let mut level = plan.level;
            while self.overlap & bit != 0 && is_too_long(level) {
                level += 1;
            }
            outcomes.levels[lane] = level;
            outcomes.too_long[lane] = is_too_long(level);
            if tier < TIERS && !outcomes.too_long[lane] && batch.lanes() & bit != 0 {
                let ends = &scratches[lane].ends;
                let [start, end] = match tier {
                    HARD => [self.hard, self.hard + self.len],
                    0 => [0, ends[0]],
                    _ => [ends[tier - 1], ends[tier]],
                };
                relaxation.lanes |= bit;
                relaxation.start.0[lane] = start as f32;
                relaxation.end.0[lane] = end as f32;
            }
        }
        let mut velocity = optima.velocity;
        if relaxation.lanes != 0 {
            // The tiers before the infeasible one stay hard; later ones are ignored, since no freedom is left.
            let (rows, projected) = (&self.planes[..self.hard + self.len], &mut self.projected);
            let least = linear_program3(rows, &regions, &relaxation, velocity, projected);
            let infeasible = L::mask_from_bits(simd, relaxation.lanes);
            velocity = select(infeasible, self.approach(last, least, part), velocity);
        }
        let outcomes = &mut self.outcomes;
        (outcomes.x, outcomes.y) = (velocity[0].store(), velocity[1].store());
    }

    /// Returns the mask of agents that have others in the way.
    #[inline(always)]
    fn blocked<L: Lanes8>(&self, subjects: &Subjects<L>, batch: &AgentBatch<'_>) -> L::Mask {
        let simd = subjects.radius.simd();
        let preferred = load(
            simd,
            &each_lane(|lane| batch.scratches[lane].plan.preferred),
        );
        let max_speed = batch.column::<L>(simd, |agent| agent.params.max_speed);
        let limited = within_lengths(preferred, max_speed);
        let mut blocked = limited[0].lt(limited[0]);
        for row in &self.planes()[self.hard..] {
            blocked = blocked.or(row.violations(limited).gt(simd.splat(0.0)));
        }
        blocked
    }

    /// Returns the part of the way to its preferred velocity that an agent takes in a step of `step` seconds: all of it unless
    /// others are in its way and so close that they could touch it before it reacts.
    #[inline(always)]
    fn reaction<L: Lanes8>(
        &self,
        subjects: &Subjects<L>,
        blocked: L::Mask,
        batch: &AgentBatch<'_>,
    ) -> L {
        let simd = subjects.radius.simd();
        // Nearest first: without a first neighbor no agent is blocked.
        let counts = self.row_mask::<L>(simd, 0).and(blocked);
        let counts = counts.and(batch.on_their_way::<L>(simd));
        let near = self.encounters[0].near(subjects, counts, REACTION_TIME);
        let step = batch.agents[0].ctx.step;
        let part = simd.splat((step / REACTION_TIME).min(1.0));
        L::select(near, part, simd.splat(1.0))
    }

    /// Returns velocities between `last` and `then`: at this part of the way, or farther where a hard half-plane demands it.
    #[inline(always)]
    fn approach<L: Lanes8>(&self, last: [L; 2], then: [L; 2], mut part: L) -> [L; 2] {
        let simd = part.simd();
        let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
        for row in &self.planes[..self.hard] {
            let (before, after) = (row.violations(last), row.violations(then));
            let demands = before.gt(zero).and(before.gt(after));
            part = L::select(demands, part.max(before / (before - after)), part);
        }
        toward(last, then, part.min(one))
    }

    /// Builds the half-planes of encounters in which the share of the agent is not zero.
    #[inline(always)]
    fn avoid_agents<L: Lanes8>(&mut self, subjects: &Subjects<L>, batch: &AgentBatch<'_>) {
        let simd = subjects.radius.simd();
        let level = |lane: usize| batch.scratches[lane].plan.level;
        let horizons = each_lane(|lane| batch.agents[lane].horizon(level(lane)));
        let rate = simd.splat(1.0) / L::load(simd, &F32x8(horizons));
        let (lens, zero) = (L::load(simd, &self.lens), simd.splat(0.0));
        let planes = &mut self.planes[self.hard..][..self.len];
        let rows = self.encounters[..self.len].iter().zip(planes);
        for (row, (group, planes)) in rows.enumerate() {
            let shared = L::load(simd, &group.share).gt(zero);
            let counts = simd.splat(row as f32).lt(lens).and(shared);
            *planes = group.half_planes(subjects, rate, counts);
        }
    }

    /// Returns the angle by which each agent turns its preferred velocity [rad].
    #[inline(always)]
    fn turns<L: Lanes8>(
        &self,
        subjects: &Subjects<L>,
        regions: &Regions<L>,
        blocked: L::Mask,
        batch: &AgentBatch<'_>,
    ) -> [f32; LANES] {
        let simd = subjects.radius.simd();
        let (agents, scratches) = (&batch.agents, &batch.scratches);
        let preferred = load(simd, &each_lane(|lane| scratches[lane].plan.preferred));
        let bias = batch.column::<L>(simd, |agent| agent.params.bias);
        let angles = TurnControl {
            last: batch.column::<L>(simd, |agent| agent.memory.turn),
            bias,
            step: agents[0].ctx.step,
            turned: load(simd, &each_lane(|lane| scratches[lane].plan.last)),
            free: load(simd, &each_lane(|lane| scratches[lane].plan.free)),
            velocity: subjects.velocity,
        }
        .angles(
            blocked,
            L::mask_from_bits(simd, batch.set(|plan| plan.waits)),
        );
        let least = bias.max(-bias);
        let far = angles.gt(least).or((-angles).gt(least)).bits();
        let mut turns = angles.store().0;
        if far != 0 {
            // After a large turn the agent tests whether the preferred velocity is free again.
            let by_bias = each_lane(|lane| {
                let preferred = &scratches[lane].plan.preferred;
                turned(preferred, agents[lane].params.bias)
            });
            let aim = Objective::Nearest(load(simd, &by_bias));
            let optima = linear_program2(self.planes(), regions, aim, ALL_LANES);
            let progresses = dot(optima.velocity, preferred)
                .gt(simd.splat(MIN_BIAS_PROGRESS) * dot(preferred, preferred));
            each_of(progresses.bits() & optima.feasible & far, |lane| {
                turns[lane] = agents[lane].params.bias;
            });
        }
        turns
    }

    /// Returns preferred velocities with rest for agents that have given up, unless their ways are free.
    ///
    /// If they went on to press towards their goals, they would push each other to and fro at some centimeters a second.
    #[inline(always)]
    fn with_rest<L: Lanes8>(
        &self,
        preferred: [L; 2],
        regions: &Regions<L>,
        batch: &AgentBatch<'_>,
    ) -> [L; 2] {
        let stands = batch.set(|plan| plan.attempt.stands());
        if stands == 0 {
            return preferred;
        }
        let simd = preferred[0].simd();
        let aim = Objective::Nearest(preferred);
        let optima = linear_program2(self.planes(), regions, aim, ALL_LANES);
        let least = simd.splat(STUCK_SHARE) * dot(preferred, preferred);
        let free = dot(optima.velocity, preferred).gt(least).bits() & optima.feasible;
        let rests = L::mask_from_bits(simd, stands & !free);
        select(rests, [simd.splat(0.0); 2], preferred)
    }

    /// Returns preferred velocities with separation: agents whose preferred velocity is turned move away from their
    /// neighbors.
    #[inline(always)]
    fn with_separation<L: Lanes8>(&self, preferred: [L; 2], turn: L) -> [L; 2] {
        let simd = turn.simd();
        let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
        let speed = dot(preferred, preferred).sqrt();
        let mut sums = [[zero; 3]; PARTS];
        for (row, group) in self.encounters[..self.len].iter().enumerate() {
            let parts = group.closeness::<L>(simd, self.row_mask::<L>(simd, row), SEPARATION_GAP);
            let sum = &mut sums[row % PARTS];
            for i in 0..3 {
                sum[i] = sum[i] + parts[i];
            }
        }
        let [mut all, mut x, mut y] = sums[0];
        for sum in &sums[1..] {
            (all, x, y) = (all + sum[0], x + sum[1], y + sum[2]);
        }
        // No separation from a single neighbor: two agents that meet just pass.
        let density = (all - one).max(zero).min(one);
        let push = simd.splat(SEPARATION_GAIN) * density * speed;
        let most = simd.splat(MAX_SEPARATION_SHARE) * speed;
        let push = within_lengths([x * push, y * push], most);
        let pushed = within_lengths([preferred[0] + push[0], preferred[1] + push[1]], speed);
        let turns = turn.gt(zero).or(turn.lt(zero));
        select(turns.and(speed.gt(zero)), pushed, preferred)
    }
}

/// A batch of agents, one per lane; the last agent fills spare lanes.
pub(crate) struct AgentBatch<'a> {
    agents: [&'a SteeringAgent<'a>; LANES],
    scratches: [&'a AgentScratch; LANES],
    count: usize,
}

impl<'a> AgentBatch<'a> {
    /// Returns the agents in some slots, at least one.
    #[inline(always)]
    pub(crate) fn of(
        agents: &'a [Option<SteeringAgent<'a>>],
        scratches: &'a [AgentScratch],
        slots: &[usize],
    ) -> Self {
        let count = slots.len().min(LANES);
        let slot = |lane: usize| slots[lane.min(count - 1)];
        Self {
            agents: each_lane(|lane| agents[slot(lane)].as_ref().expect("an agent in the slot")),
            scratches: each_lane(|lane| &scratches[slot(lane)]),
            count,
        }
    }

    /// Returns a number of each agent.
    #[inline(always)]
    fn column<L: Lanes8>(&self, simd: L::Simd, of: impl Fn(&SteeringAgent<'_>) -> f32) -> L {
        L::load(simd, &F32x8(each_lane(|lane| of(self.agents[lane]))))
    }

    /// Returns the mask of agents with such a plan.
    #[inline(always)]
    fn set(&self, is: impl Fn(&Plan) -> bool) -> u32 {
        let bit = |lane: usize| u32::from(is(&self.scratches[lane].plan)) << lane;
        (0..LANES).map(bit).sum()
    }

    /// Returns the mask of agents that are not about to arrive.
    #[inline(always)]
    fn on_their_way<L: Lanes8>(&self, simd: L::Simd) -> L::Mask {
        let bit = |lane: usize| u32::from(!self.agents[lane].is_close_to_target()) << lane;
        L::mask_from_bits(simd, (0..LANES).map(bit).sum())
    }

    /// Returns the mask of lanes without the spare ones.
    #[inline(always)]
    fn lanes(&self) -> u32 {
        ALL_LANES >> (LANES - self.count)
    }

    /// Returns the agents as the subjects of encounters.
    #[inline(always)]
    fn subjects<L: Lanes8>(&self, simd: L::Simd) -> Subjects<L> {
        Subjects {
            velocity: load(simd, &each_lane(|lane| self.agents[lane].velocity)),
            radius: self.column::<L>(simd, |agent| agent.params.radius),
            recovery: [
                self.column::<L>(simd, |agent| agent.recovery_time()),
                self.column::<L>(simd, |agent| agent.params.recovery_speed),
            ],
            top_closing: self.column::<L>(simd, |agent| 2.0 * agent.params.max_speed),
            cones: self.cones(simd),
        }
    }

    /// Returns the agents that use another model than ORCA.
    #[inline(always)]
    fn cones<L: Lanes8>(&self, simd: L::Simd) -> Option<Cones<L>> {
        let orca = self.with_model(Model::Orca);
        if orca == ALL_LANES {
            return None;
        }
        Some(Cones {
            all: L::mask_from_bits(simd, ALL_LANES & !orca),
            full: L::mask_from_bits(simd, self.with_model(Model::VelocityObstacle)),
            hybrid: L::mask_from_bits(simd, self.with_model(Model::Hybrid)),
            wanted: load(simd, &each_lane(|lane| self.scratches[lane].wanted)),
        })
    }

    /// Returns the mask of agents that use a model.
    #[inline(always)]
    fn with_model(&self, model: Model) -> u32 {
        let mut set = 0;
        for lane in 0..LANES {
            set |= u32::from(self.agents[lane].params.model == model) << lane;
        }
        set
    }
}

/// Outcomes of a batch, and the chosen velocities.
///
/// Columns that are written and read in place: an array of records would be copied with other widths than it was
/// written with, which stalls the processor.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcomes {
    /// Whether the horizon was too long: the agent is solved again with a shorter one.
    pub(crate) too_long: [bool; LANES],
    /// Mask of agents whose half-planes are feasible.
    feasible: u32,
    /// Velocities [m/s].
    x: F32x8,
    y: F32x8,
    /// Angles by which the preferred velocities were turned [rad].
    turns: [f32; LANES],
    /// Number of halvings of the horizons.
    pub(crate) levels: [u8; LANES],
}

impl Outcomes {
    /// Returns the velocity of one agent [m/s].
    #[inline(always)]
    pub(crate) fn velocity(&self, lane: usize) -> [f32; 2] {
        [self.x.0[lane], self.y.0[lane]]
    }

    /// Returns the decision of one agent.
    #[inline(always)]
    pub(crate) fn decision(&self, lane: usize, scratch: &AgentScratch) -> Decision {
        Decision {
            wanted: scratch.wanted,
            reach: scratch.reach,
            turn: self.turns[lane],
            level: self.levels[lane],
            side: scratch.plan.side,
            arrived: scratch.arrived,
            infeasible: self.feasible >> lane & 1 == 0,
            attempt: scratch.plan.attempt,
        }
    }
}

/// Loads eight numbers of each agent and transposes them.
///
/// Written out: in a closure the loads would be calls, and a step would take twice the time.
#[inline(always)]
fn transposed<L: Lanes8>(simd: L::Simd, [a, b, c, d, e, f, g, h]: [&F32x8; LANES]) -> [L; LANES] {
    L::transpose([
        L::load(simd, a),
        L::load(simd, b),
        L::load(simd, c),
        L::load(simd, d),
        L::load(simd, e),
        L::load(simd, f),
        L::load(simd, g),
        L::load(simd, h),
    ])
}
