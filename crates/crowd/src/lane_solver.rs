//! Steering of eight agents in lanes, one agent per lane: all read their nearest neighbor, then the second, and so
//! on.
//!
//! Same formulas and bits as [`SteeringAgent::decide`]. Eight agents per register avoid unpredictable branches, keep
//! every lane busy and amortize the latency of square roots and divisions. Only the common case is solved here:
//! agents with walls nearby, or with another model than ORCA, decide alone.

use crate::agent::Model;
use crate::contacts::Contacts;
use crate::detour::{LaneTurnControl, RotationCache};
use crate::encounter_group::{EncounterGroup, Others, PARTS, Selves};
use crate::encounters::Own;
use crate::neighbors::BLOCKS;
use crate::planes::Block;
use crate::program::Interval;
use crate::region::{Region, dot, lowest_limits, within_lengths};
use crate::steer::{Choice, Scratch, SteeringAgent};
use crate::tuning::{
    CRAWL_SHARE, MAX_NEIGHBORS, MAX_SEPARATION_SHARE, MIN_BIAS_PROGRESS, SEPARATION_GAIN,
    SEPARATION_GAP, SPEED_SLOP,
};
use cairn2d_geometry::math::{Vec2, vec2};
use cairn2d_simd::{F32x8, LANES, Lanes8, Mask, Simd, each_lane};

/// The mask of all lanes.
const ALL: u32 = (1 << LANES) - 1;

/// Neighbors of eight agents, in rows: the nearest of each, the second of each, and so on.
#[derive(Clone, Debug)]
pub(crate) struct LaneSolver {
    rows: [EncounterGroup; MAX_NEIGHBORS],
    planes: [Block; MAX_NEIGHBORS],
    /// Number of rows of each agent.
    lens: F32x8,
    /// Number of rows.
    len: usize,
    /// Agents that overlap with all of their neighbors.
    overlap: u32,
    turns: RotationCache,
    pub(crate) outcomes: LaneOutcomes,
}

impl Default for LaneSolver {
    fn default() -> Self {
        Self {
            rows: [EncounterGroup::default(); MAX_NEIGHBORS],
            planes: [Block::ALL; MAX_NEIGHBORS],
            lens: F32x8::default(),
            len: 0,
            overlap: 0,
            turns: RotationCache::default(),
            outcomes: LaneOutcomes::default(),
        }
    }
}

/// Feasible velocities of eight agents without half-planes: the region of each.
struct Regions<L> {
    max_speed: L,
    center: [L; 2],
    reach: L,
    /// Whether no agent's acceleration is limited.
    discs: bool,
}

impl LaneSolver {
    /// Decides the velocities of a batch and stores them in `outcomes`. Agents of the common case are solved in lanes
    /// if there are at least `min_batch` of them. Notes their contacts in `contacts`, if given.
    #[inline(always)]
    pub(crate) fn decide<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        min_batch: u32,
        batch: &AgentBatch<'_>,
        contacts: Option<&mut Contacts>,
    ) {
        let mut alone = ALL << batch.count;
        for lane in 0..batch.count {
            let (agent, scratch) = (batch.agents[lane], batch.scratches[lane]);
            let plain = agent.params.model == Model::Orca && scratch.is_open();
            alone |= u32::from(!plain) << lane;
        }
        if (ALL & !alone).count_ones() < min_batch {
            self.outcomes.each = [LaneOutcome::Skipped; LANES];
            return;
        }
        self.count_rows(batch);
        let owns = each_lane(|lane| batch.agents[lane].as_subject());
        let selves = selves::<L>(simd, &owns);
        alone |= self.gather(&selves, &owns, batch);
        for (lane, len) in self.lens.0.iter_mut().enumerate() {
            *len = if alone >> lane & 1 == 1 { 0.0 } else { *len };
        }
        if let Some(contacts) = contacts {
            self.find_contacts(&selves, batch, contacts);
        }
        self.choose(&selves, batch);
        for (lane, outcome) in self.outcomes.each.iter_mut().enumerate() {
            if alone >> lane & 1 == 1 {
                *outcome = LaneOutcome::Skipped;
            }
        }
    }

    /// Counts the rows of each agent.
    fn count_rows(&mut self, batch: &AgentBatch<'_>) {
        let count = |lane: usize| batch.scratches[lane].neighbors.len();
        self.lens = F32x8(each_lane(|lane| count(lane) as f32));
        self.len = (0..LANES).map(count).fold(0, usize::max);
    }

    /// Gathers the neighbors of all agents; returns the mask of agents with a neighbor at the same position.
    #[inline(always)]
    fn gather<L: Lanes8>(
        &mut self,
        selves: &Selves<L>,
        owns: &[Own; LANES],
        batch: &AgentBatch<'_>,
    ) -> u32 {
        let simd = selves.radius.simd();
        let near = each_lane(|lane| &batch.scratches[lane].neighbors);
        let (mut coincide, mut distant) = (0, 0);
        for block in 0..self.len.div_ceil(LANES).min(BLOCKS) {
            let x = transposed::<L>(simd, each_lane(|lane| &near[lane].x[block]));
            let y = transposed::<L>(simd, each_lane(|lane| &near[lane].y[block]));
            let velocity_x = transposed::<L>(simd, each_lane(|lane| &near[lane].velocity_x[block]));
            let velocity_y = transposed::<L>(simd, each_lane(|lane| &near[lane].velocity_y[block]));
            let radius = transposed::<L>(simd, each_lane(|lane| &near[lane].radius[block]));
            let share = if let Some(share) = owns[0].share {
                [simd.splat(share); LANES]
            } else {
                transposed::<L>(simd, each_lane(|lane| &batch.scratches[lane].shares[block]))
            };
            for row in 0..LANES.min(self.len - LANES * block) {
                let others = Others {
                    offset: [x[row], y[row]],
                    radius: radius[row],
                    velocity: [velocity_x[row], velocity_y[row]],
                    share: share[row],
                };
                let group = EncounterGroup::of::<L>(selves, &others);
                self.rows[LANES * block + row] = group;
                let counts = self.row_mask::<L>(simd, LANES * block + row).bits();
                coincide |= group.coincide::<L>(simd) & counts;
                distant |= !group.overlaps::<L>(simd) & counts;
            }
        }
        self.overlap = ALL & !distant;
        coincide
    }

    /// Returns the mask of agents that have this row.
    #[inline(always)]
    fn row_mask<L: Lanes8>(&self, simd: L::Simd, row: usize) -> L::Mask {
        simd.splat(row as f32).lt(L::load(simd, &self.lens))
    }

    /// Notes the neighbors that could touch within the step.
    #[inline(always)]
    fn find_contacts<L: Lanes8>(
        &self,
        selves: &Selves<L>,
        batch: &AgentBatch<'_>,
        contacts: &mut Contacts,
    ) {
        let simd = selves.radius.simd();
        let step = batch.agents[0].step();
        let mut set = 0;
        for row in 0..self.len {
            let Some(touch) = self.rows[row].touch(selves, self.row_mask::<L>(simd, row), step)
            else {
                // Nearest first: later rows are farther away.
                break;
            };
            if touch.set != 0 {
                set |= touch.set;
                let index = |lane: usize| batch.scratches[lane].neighbors.index[row];
                contacts.put_row(row, &touch, each_lane(index));
            }
        }
        while set != 0 {
            let lane = set.trailing_zeros() as usize % LANES;
            set &= set - 1;
            let agent = batch.agents[lane];
            contacts.set_agent(lane, agent.own, &agent.region(), core::iter::empty());
        }
    }

    /// Finds the best velocities within the time horizon of each agent.
    #[inline(always)]
    fn choose<L: Lanes8>(&mut self, selves: &Selves<L>, batch: &AgentBatch<'_>) {
        let simd = selves.radius.simd();
        let (agents, scratches) = (&batch.agents, &batch.scratches);
        let regions = Regions::<L>::of(agents, selves.velocity);
        self.build_half_planes(selves, batch);
        let turns = self.turns(selves, &regions, batch);
        let (mut preferred_x, mut preferred_y) = (F32x8::default(), F32x8::default());
        for (lane, agent) in agents.iter().enumerate() {
            let plan = &scratches[lane].plan;
            let preferred = agent.turned_preferred(&mut self.turns, plan, turns[lane]);
            (preferred_x.0[lane], preferred_y.0[lane]) = (preferred.x, preferred.y);
        }
        let preferred = [L::load(simd, &preferred_x), L::load(simd, &preferred_y)];
        let preferred = self.with_separation::<L>(preferred, L::load(simd, &F32x8(turns)));
        let (velocity, feasible) = self.optimize(&regions, preferred);
        let crawls =
            dot(velocity, preferred).lt(simd.splat(CRAWL_SHARE) * dot(preferred, preferred));
        let crawls = crawls.bits();
        let outcomes = &mut self.outcomes;
        (outcomes.x, outcomes.y) = (velocity[0].store(), velocity[1].store());
        outcomes.turns = turns;
        for (lane, agent) in agents.iter().enumerate() {
            let feasible = feasible >> lane & 1 == 1;
            let crawls = feasible && crawls >> lane & 1 == 1;
            let is_too_long = |level| agent.is_too_long(level, !feasible, crawls);
            let mut level = scratches[lane].plan.level;
            while self.overlap >> lane & 1 == 1 && is_too_long(level) {
                level += 1;
            }
            outcomes.levels[lane] = level;
            outcomes.each[lane] = if is_too_long(level) {
                LaneOutcome::HorizonTooLong
            } else if feasible {
                LaneOutcome::FoundEdge
            } else {
                LaneOutcome::Infeasible
            };
        }
    }

    /// Builds the half-planes.
    #[inline(always)]
    fn build_half_planes<L: Lanes8>(&mut self, selves: &Selves<L>, batch: &AgentBatch<'_>) {
        let simd = selves.radius.simd();
        let horizons =
            each_lane(|lane| batch.agents[lane].horizon(batch.scratches[lane].plan.level));
        let rate = simd.splat(1.0) / L::load(simd, &F32x8(horizons));
        for row in 0..self.len {
            let group = &self.rows[row];
            let shared = L::load(simd, &group.share).gt(simd.splat(0.0));
            let counts = self.row_mask::<L>(simd, row).and(shared);
            self.planes[row] = group.orca(selves, rate, counts);
        }
    }

    /// Returns the angle by which each agent turns its preferred velocity [rad].
    #[inline(always)]
    fn turns<L: Lanes8>(
        &mut self,
        selves: &Selves<L>,
        regions: &Regions<L>,
        batch: &AgentBatch<'_>,
    ) -> [f32; LANES] {
        let simd = selves.radius.simd();
        let (agents, scratches) = (&batch.agents, &batch.scratches);
        let each_preferred = each_lane(|lane| scratches[lane].plan.preferred);
        let top = F32x8(each_lane(|lane| agents[lane].params.max_speed));
        let limited = within_lengths(load::<L>(simd, &each_preferred), L::load(simd, &top));
        let mut blocked = limited[0].lt(limited[0]);
        for plane in &self.planes[..self.len] {
            let violated = plane.violations(limited).gt(simd.splat(0.0));
            blocked = blocked.or(violated);
        }
        let bias = L::load(simd, &F32x8(each_lane(|lane| agents[lane].params.bias)));
        let angles = LaneTurnControl {
            last: L::load(simd, &F32x8(each_lane(|lane| agents[lane].memory.turn))),
            bias,
            step: agents[0].step(),
            turned: load(simd, &each_lane(|lane| scratches[lane].plan.last)),
            free: load(simd, &each_lane(|lane| scratches[lane].plan.free)),
            velocity: selves.velocity,
        }
        .angles(blocked);
        let far = angles.gt(bias.max(-bias)).bits();
        let far = far | (-angles).gt(bias.max(-bias)).bits();
        let mut turns = angles.store().0;
        if far != 0 {
            // After a large turn the agent tests whether the preferred velocity is free again.
            let (mut bias_x, mut bias_y) = (F32x8::default(), F32x8::default());
            for (lane, agent) in agents.iter().enumerate() {
                let by_bias = agent.turned_by_bias(&mut self.turns, &scratches[lane].plan);
                (bias_x.0[lane], bias_y.0[lane]) = (by_bias.x, by_bias.y);
            }
            let by_bias = [L::load(simd, &bias_x), L::load(simd, &bias_y)];
            let (velocity, feasible) = self.optimize(regions, by_bias);
            let preferred = load(simd, &each_preferred);
            let progresses = dot(velocity, preferred)
                .gt(simd.splat(MIN_BIAS_PROGRESS) * dot(preferred, preferred));
            let is_free = progresses.bits() & feasible & far;
            for (lane, agent) in agents.iter().enumerate() {
                if is_free >> lane & 1 == 1 {
                    turns[lane] = agent.params.bias;
                }
            }
        }
        turns
    }

    /// Returns preferred velocities with separation: agents whose preferred velocity is turned move away from their
    /// neighbors.
    #[inline(always)]
    fn with_separation<L: Lanes8>(&self, preferred: [L; 2], turn: L) -> [L; 2] {
        let simd = turn.simd();
        let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
        let speed = dot(preferred, preferred).sqrt();
        let mut sums = [[zero; 3]; PARTS];
        for (row, group) in self.rows[..self.len].iter().enumerate() {
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
        let push = within_lengths(
            [x * push, y * push],
            simd.splat(MAX_SEPARATION_SHARE) * speed,
        );
        let pushed = within_lengths([preferred[0] + push[0], preferred[1] + push[1]], speed);
        let turns = turn.gt(zero).or(turn.lt(zero));
        let moves = turns.and(speed.gt(zero));
        [
            L::select(moves, pushed[0], preferred[0]),
            L::select(moves, pushed[1], preferred[1]),
        ]
    }

    /// Returns the velocities nearest to the preferred ones, and the mask of agents whose velocity satisfies all
    /// half-planes.
    #[inline(always)]
    fn optimize<L: Lanes8>(&self, regions: &Regions<L>, preferred: [L; 2]) -> ([L; 2], u32) {
        let simd = preferred[0].simd();
        let mut best = regions.nearest(preferred);
        let mut feasible = ALL;
        for (row, plane) in self.planes[..self.len].iter().enumerate() {
            let violated = plane.violations(best).gt(simd.splat(0.0));
            let set = violated.bits() & feasible;
            if set == 0 {
                continue;
            }
            let (place, found) = on_boundaries(&self.planes[..row], plane, regions, preferred);
            feasible &= found | !set;
            best = [
                L::select(violated, place[0], best[0]),
                L::select(violated, place[1], best[1]),
            ];
        }
        (best, feasible)
    }
}

/// A batch of agents, one per lane; the last agent fills spare lanes.
pub(crate) struct AgentBatch<'a> {
    agents: [&'a SteeringAgent<'a>; LANES],
    scratches: [&'a Scratch; LANES],
    count: usize,
}

impl<'a> AgentBatch<'a> {
    /// Returns the agents in some slots, at least one.
    #[inline(always)]
    pub(crate) fn of(
        agents: &'a [Option<SteeringAgent<'a>>],
        scratches: &'a [Scratch],
        slots: &[usize],
    ) -> Self {
        let count = slots.len().min(LANES);
        let slot = |lane: usize| slots[lane.min(count - 1)];
        Self {
            agents: each_lane(|lane| agents[slot(lane)].as_ref().expect("somebody in the slot")),
            scratches: each_lane(|lane| &scratches[slot(lane)]),
            count,
        }
    }
}

/// Outcome of the solution in lanes for one agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LaneOutcome {
    /// A velocity was chosen.
    FoundEdge,
    /// The horizon was too long: the agent is solved again with a shorter one.
    HorizonTooLong,
    /// The half-planes have no common velocity: the agent decides alone.
    Infeasible,
    /// The agent was not solved in lanes, and its contacts are not noted.
    Skipped,
}

/// Outcomes of a batch, and the chosen velocities.
///
/// Columns that are written and read in place: an array of records would be copied with other widths than it was
/// written with, which stalls the processor.
#[derive(Clone, Debug)]
pub(crate) struct LaneOutcomes {
    pub(crate) each: [LaneOutcome; LANES],
    /// Velocities [m/s].
    x: F32x8,
    y: F32x8,
    /// Angles by which the preferred velocities were turned [rad].
    turns: [f32; LANES],
    /// Number of halvings of the horizons.
    levels: [u8; LANES],
}

impl Default for LaneOutcomes {
    fn default() -> Self {
        Self {
            each: [LaneOutcome::Skipped; LANES],
            x: F32x8::default(),
            y: F32x8::default(),
            turns: [0.0; LANES],
            levels: [0; LANES],
        }
    }
}

impl LaneOutcomes {
    /// Returns the choice of one agent.
    #[inline(always)]
    pub(crate) fn choice(&self, lane: usize, agent: &SteeringAgent<'_>) -> Choice {
        let velocity = vec2(self.x.0[lane], self.y.0[lane]);
        agent.choice(velocity, self.levels[lane], self.turns[lane], 0, true)
    }
}

/// Returns the best velocities on the boundaries of half-planes subject to the half-planes before them, and the mask
/// of agents that have one.
#[inline(always)]
fn on_boundaries<L: Lanes8>(
    earlier: &[Block],
    plane: &Block,
    regions: &Regions<L>,
    preferred: [L; 2],
) -> ([L; 2], u32) {
    let simd = preferred[0].simd();
    let (normal_x, normal_y) = (
        L::load(simd, &plane.normal_x),
        L::load(simd, &plane.normal_y),
    );
    let offset = L::load(simd, &plane.offset);
    let direction = [normal_y, -normal_x];
    let foot = [normal_x * offset, normal_y * offset];
    let (ends, mut found) = regions.chords(plane, direction);
    let mut interval = Interval::new(ends);
    for other in earlier {
        interval.cut(other, foot, direction);
    }
    let Interval {
        low,
        high,
        excluded,
    } = interval;
    found &= !excluded & !low.gt(high + simd.splat(SPEED_SLOP)).bits();
    // The upper end last, since low exceeds high by the tolerance at most; then the region, which is never exceeded.
    let wanted = dot(direction, preferred).max(low).min(high);
    let wanted = wanted.max(ends[0]).min(ends[1]);
    let place = [
        foot[0] + direction[0] * wanted,
        foot[1] + direction[1] * wanted,
    ];
    (place, found)
}

impl<L: Lanes8> Regions<L> {
    /// Returns the regions of some agents with their present `velocity` [m/s].
    #[inline(always)]
    fn of(agents: &[&SteeringAgent<'_>; LANES], velocity: [L; 2]) -> Self {
        let simd = velocity[0].simd();
        let max_speed = F32x8(each_lane(|lane| agents[lane].params.max_speed));
        let reach = F32x8(each_lane(|lane| agents[lane].reach()));
        Self {
            max_speed: lowest_limits(L::load(simd, &max_speed), velocity, L::load(simd, &reach)),
            center: velocity,
            reach: L::load(simd, &reach),
            discs: reach.0.iter().all(|reach| reach.is_infinite()),
        }
    }

    /// Returns the velocities of the regions nearest to the preferred ones.
    #[inline(always)]
    fn nearest(&self, preferred: [L; 2]) -> [L; 2] {
        let limited = within_lengths(preferred, self.max_speed);
        if self.discs {
            return limited;
        }
        let change = [limited[0] - self.center[0], limited[1] - self.center[1]];
        let is_far = dot(change, change).gt(self.reach * self.reach);
        match is_far.bits() {
            0 => limited,
            far => self.nearest_of_far(preferred, limited, far),
        }
    }

    /// The same for the agents in the mask `far`, whose `limited` velocities are out of reach in a step.
    #[inline(always)]
    fn nearest_of_far(&self, preferred: [L; 2], limited: [L; 2], mut far: u32) -> [L; 2] {
        let simd = self.reach.simd();
        let [preferred_x, preferred_y, center_x, center_y] =
            [preferred[0], preferred[1], self.center[0], self.center[1]].map(L::store);
        let (max_speed, reach) = (self.max_speed.store(), self.reach.store());
        let (mut x, mut y) = (limited[0].store(), limited[1].store());
        while far != 0 {
            let lane = far.trailing_zeros() as usize % LANES;
            far &= far - 1;
            let region = Region {
                max_speed: max_speed.0[lane],
                center: vec2(center_x.0[lane], center_y.0[lane]),
                reach: reach.0[lane],
            };
            let nearest = region.nearest(&vec2(preferred_x.0[lane], preferred_y.0[lane]));
            (x.0[lane], y.0[lane]) = (nearest.x, nearest.y);
        }
        [L::load(simd, &x), L::load(simd, &y)]
    }

    /// Returns the chords of boundaries in the regions (see [`Region::chord`]), and the mask of agents that have one.
    #[inline(always)]
    fn chords(&self, plane: &Block, direction: [L; 2]) -> ([L; 2], u32) {
        let simd = self.reach.simd();
        let offset = L::load(simd, &plane.offset);
        let half_sq = self.max_speed * self.max_speed - offset * offset;
        let half = half_sq.sqrt();
        let found = half_sq.ge(simd.splat(0.0)).bits();
        if self.discs {
            return ([-half, half], found);
        }
        let miss = plane.violations(self.center);
        let reach_sq = self.reach * self.reach - miss * miss;
        let (middle, other) = (dot(direction, self.center), reach_sq.sqrt());
        let (low, high) = ((middle - other).max(-half), (middle + other).min(half));
        let found = found & reach_sq.ge(simd.splat(0.0)).bits() & low.le(high).bits();
        ([low, high], found)
    }
}

/// Returns the agents as the subjects of encounters.
#[inline(always)]
fn selves<L: Lanes8>(simd: L::Simd, owns: &[Own; LANES]) -> Selves<L> {
    let velocities = each_lane(|lane| owns[lane].velocity);
    let number = |of: fn(&Own) -> f32| F32x8(each_lane(|lane| of(&owns[lane])));
    Selves {
        velocity: load(simd, &velocities),
        radius: L::load(simd, &number(|own| own.radius)),
        recovery: [
            L::load(simd, &number(|own| own.recovery.time)),
            L::load(simd, &number(|own| own.recovery.speed)),
        ],
        top_closing: L::load(simd, &number(|own| own.top_closing)),
    }
}

/// Loads a vector per lane.
#[inline(always)]
fn load<L: Lanes8>(simd: L::Simd, vectors: &[Vec2; LANES]) -> [L; 2] {
    let (x, y) = (
        each_lane(|lane| vectors[lane].x),
        each_lane(|lane| vectors[lane].y),
    );
    [L::load(simd, &F32x8(x)), L::load(simd, &F32x8(y))]
}

/// Loads eight numbers of each agent and transposes them.
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
