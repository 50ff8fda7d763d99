//! Contacts of a step, in groups of eight agents: each row holds one neighbor of each agent.
//!
//! Non-overlap at the end of the step depends on all velocities at once. Half-planes bound each agent alone: where
//! many agents press on each other they contradict, and where they forbid all approach nothing moves. So pairs that
//! are about to touch are solved jointly after all agents have chosen: along the line of centers the gap may close by
//! its own width in the step. Each Jacobi sweep corrects the excess, in parts that follow the shares of the two
//! agents, from velocities of the sweep before, so the order does not matter [Weiss17, sec. 4]. Overlaps open at a
//! bounded speed in the same way.
//!
//! A group is solved as a whole, even if only a few of its agents have changed: that costs no more than one agent.

pub(crate) mod sweeps;

use crate::half_plane::HalfPlane;
use crate::lanes::{difference, dot, each_of, select, within_lengths};
use crate::limits::region::{Region, Regions};
use crate::tuning::MAX_NEIGHBORS;
use cairn2d_geometry::math::{Vec2, vec2};
use cairn2d_simd::{F32x8, LANES, Lanes8, Mask, Simd, each_lane};
use core::ops::Range;

/// Partial sums over contacts: every fourth neighbor from the nearest on, and so on. So the result does not depend on
/// other agents with contacts.
const SUMS: usize = 4;

/// Eight encounters, with the mask of contacts that could begin within this step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactLanes {
    /// Mask of contacts.
    pub(crate) set: u32,
    /// Unit vectors to the others; zero if out of reach.
    pub(crate) x: F32x8,
    pub(crate) y: F32x8,
    /// Greatest closing speeds of the gaps [m/s]; negative for overlaps, infinite if out of reach.
    pub(crate) room: F32x8,
    /// Shares of the agent in the corrections.
    pub(crate) share: F32x8,
}

/// One neighbor of each agent of a group; 128 bytes.
#[derive(Clone, Copy, Debug)]
struct ContactRow {
    /// As in [`ContactLanes`].
    x: F32x8,
    y: F32x8,
    room: F32x8,
    /// Indices of the neighbors in the grid; the sentinel index for none.
    others: [u32; LANES],
}

const _: () = assert!(size_of::<ContactRow>() == 128);

/// Eight agents, one per lane.
#[derive(Clone, Copy, Debug)]
struct AgentGroup {
    /// Indices of the agents in the grid; the sentinel index for none.
    agents: [u32; LANES],
    max_speed: [f32; LANES],
    /// Mask of agents with contacts.
    set: u8,
    /// Mask of agents whose velocity has more bounds than its speed: wall contacts or an acceleration limit.
    bounded: u8,
    rows_end: u32,
    walls_end: u32,
    /// Least and greatest index of its agents and their neighbors.
    span: [u32; 2],
}

/// A wall that an agent of a group is about to touch.
#[derive(Clone, Copy, Debug)]
struct WallContact {
    lane: usize,
    plane: HalfPlane,
}

/// The contacts that one thread has found. Sweeps use the velocities of the sweep before, so the order of the groups, and
/// their distribution over threads, change no result.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contacts {
    groups: Vec<AgentGroup>,
    rows: Vec<ContactRow>,
    /// Share of all agents in all contacts; `None` if they differ.
    share: Option<f32>,
    /// Shares of each row, if they differ.
    shares: Vec<F32x8>,
    walls: Vec<WallContact>,
    /// Capacity of the rows after the last step.
    kept: usize,
    /// Sentinel index: the number of agents in the grid.
    sentinel: u32,
}

impl Contacts {
    /// Removes all contacts. There are `count` agents in the grid; `share` is their share in all contacts, if it is
    /// common.
    pub(crate) fn clear(&mut self, count: usize, share: Option<f32>) {
        self.groups.clear();
        self.rows.clear();
        self.share = share;
        self.shares.clear();
        self.walls.clear();
        self.sentinel = count as u32;
    }

    /// Returns memory if the lists have grown in this step: contacts are half of the memory of a jam.
    pub(crate) fn trim(&mut self) {
        let (len, groups) = (self.rows.len(), self.groups.len());
        if self.rows.capacity() > self.kept {
            self.rows.shrink_to(len + len / 32);
            self.shares.shrink_to(len + len / 32);
            self.groups.shrink_to(groups + groups / 32);
            self.kept = self.rows.capacity();
        }
    }

    /// Begins the next group, in place of the last one if that has no contacts.
    pub(crate) fn begin(&mut self) {
        if self.groups.last().is_some_and(|group| group.set == 0) {
            return;
        }
        let group = AgentGroup {
            agents: [self.sentinel; LANES],
            max_speed: [0.0; LANES],
            set: 0,
            bounded: 0,
            rows_end: self.rows.len() as u32,
            walls_end: self.walls.len() as u32,
            span: [self.sentinel, 0],
        };
        let count = self.groups.len() + 1;
        grow(&mut self.groups, count, group);
    }

    /// Adds contacts of several agents of the group, each with the neighbor in its lane of `others`, as row `row`.
    #[inline]
    pub(crate) fn put_row(&mut self, row: usize, touch: &ContactLanes, others: [u32; LANES]) {
        let (to, sentinel) = (self.row(row), self.sentinel);
        self.rows[to] = ContactRow {
            x: touch.x,
            y: touch.y,
            room: touch.room,
            others: each_lane(|lane| {
                let is_some = touch.set >> lane & 1 == 1;
                if is_some { others[lane] } else { sentinel }
            }),
        };
        if let Some(share) = self.shares.get_mut(to) {
            *share = touch.share;
        }
        let others = self.rows[to].others;
        let group = self.group();
        group.set |= touch.set as u8;
        for other in others {
            let known = if other == sentinel { 0 } else { other };
            group.span = [group.span[0].min(other), group.span[1].max(known)];
        }
    }

    /// Sets an agent of the group: its index in the grid, its region, and the walls that it is about to touch.
    #[inline]
    pub(crate) fn set_agent(
        &mut self,
        lane: usize,
        agent: u32,
        region: &Region,
        planes: &[HalfPlane],
    ) {
        let group = self.group();
        if group.set >> lane & 1 == 0 {
            return;
        }
        group.agents[lane] = agent;
        group.span = [group.span[0].min(agent), group.span[1].max(agent)];
        group.max_speed[lane] = region.max_speed;
        let is_bounded = !region.reach.is_infinite();
        let before = self.walls.len();
        self.walls
            .extend(planes.iter().map(|&plane| WallContact { lane, plane }));
        let end = self.walls.len();
        let group = self.group();
        group.walls_end = end as u32;
        group.bounded |= u8::from(is_bounded || end > before) << lane;
    }

    /// Returns the last group.
    #[inline]
    fn group(&mut self) -> &mut AgentGroup {
        let last = self.groups.len() - 1;
        &mut self.groups[last]
    }

    /// Returns the index of a row of the last group; adds missing rows.
    #[inline]
    fn row(&mut self, row: usize) -> usize {
        debug_assert!(row < MAX_NEIGHBORS, "a row for each neighbor");
        let last = self.groups.len() - 1;
        let before = last
            .checked_sub(1)
            .map_or(0, |group| self.groups[group].rows_end);
        let index = before as usize + row;
        if index >= self.rows.len() {
            let sentinel = ContactRow {
                x: F32x8::default(),
                y: F32x8::default(),
                room: F32x8::splat(f32::INFINITY),
                others: [self.sentinel; LANES],
            };
            grow(&mut self.rows, index + 1, sentinel);
            if self.share.is_none() {
                grow(&mut self.shares, index + 1, F32x8::default());
            }
            self.groups[last].rows_end = index as u32 + 1;
        }
        index
    }

    /// Iterates over the masks of agents with contacts, by group.
    pub(crate) fn sets(&self) -> impl Iterator<Item = u8> + '_ {
        self.groups.iter().map(|group| group.set)
    }

    /// Returns the indices in the grid of a group.
    #[inline]
    pub(crate) fn agents(&self, group: usize) -> &[u32; LANES] {
        &self.groups[group].agents
    }

    /// Returns the mask of agents of a group that have changed, or have an agent in contact that has.
    #[inline]
    pub(crate) fn affected(&self, group: usize, changed: &AgentSet) -> u32 {
        let &AgentGroup {
            ref agents, span, ..
        } = &self.groups[group];
        if !changed.meets(span) {
            return 0;
        }
        let rows = &self.rows[self.range(group, |group| group.rows_end)];
        let mut set = each_lane(|lane| changed.agents[agents[lane] as usize]);
        for rows in rows.chunks(4) {
            if set == [1; LANES] {
                break;
            }
            for row in rows {
                set = each_lane(|lane| set[lane] | changed.agents[row.others[lane] as usize]);
            }
        }
        set.iter()
            .rev()
            .fold(0, |set, bit| set << 1 | u32::from(*bit))
    }

    #[inline]
    fn range(&self, group: usize, end: impl Fn(&AgentGroup) -> u32) -> Range<usize> {
        let start = group.checked_sub(1).map_or(0, |i| end(&self.groups[i]));
        start as usize..end(&self.groups[group]) as usize
    }

    /// Returns the velocities of a `set` of agents of a group after a sweep over their contacts, from the
    /// `velocities` of all agents [m/s]; `region` returns the region of an agent.
    #[inline(always)]
    pub(crate) fn settled<L: Lanes8>(
        &self,
        simd: L::Simd,
        group: usize,
        set: u32,
        velocities: &[[f32; 2]],
        how: &SweepParams,
        region: &impl Fn(usize) -> Region,
    ) -> Settled {
        let range = self.range(group, |group| group.rows_end);
        let (rows, shares) = (&self.rows[range.clone()], self.shares.get(range));
        let common = simd.splat(self.share.unwrap_or_default());
        let share = |row: usize| match shares {
            Some(shares) => L::load(simd, &shares[row]),
            None => common,
        };
        let walls = self.range(group, |group| group.walls_end);
        let group = &self.groups[group];
        let own: [L; 2] = L::gather(simd, velocities, &group.agents);
        let (relaxed, too_much) = relaxed(own, rows, share, velocities, how);
        let mut limited = within_lengths(relaxed, L::load_unaligned(simd, &group.max_speed));
        let moved = too_much & set;
        let bounded = moved & u32::from(group.bounded);
        if bounded != 0 {
            let (mut x, mut y) = (relaxed[0].store(), relaxed[1].store());
            let mut regions = each_lane(|lane| Region::disc(group.max_speed[lane]));
            each_of(bounded, |lane| {
                let walls = self.walls[walls.clone()].iter();
                let walls = walls.filter(|wall| wall.lane == lane);
                let velocity = push_out_of_walls(vec2(x.0[lane], y.0[lane]), walls);
                (x.0[lane], y.0[lane]) = (velocity.x, velocity.y);
                regions[lane] = region(group.agents[lane] as usize);
            });
            let pushed = [L::load(simd, &x), L::load(simd, &y)];
            limited = Regions::of(simd, regions).nearest(pushed);
        }
        let moves = L::mask_from_bits(simd, moved);
        let settled = select(moves, limited, own);
        let change = difference(settled, own);
        let is_change = dot(change, change).gt(simd.splat(how.least_change * how.least_change));
        let (x, y) = (settled[0].store(), settled[1].store());
        Settled {
            velocities: each_lane(|lane| [x.0[lane], y.0[lane]]),
            changed: is_change.bits() as u8,
        }
    }
}

/// Lengthens a column to `len` items. It grows by a quarter, not by a factor of two.
fn grow<T: Clone>(column: &mut Vec<T>, len: usize, item: T) {
    if len > column.capacity() {
        column.reserve_exact(len - column.len() + len / 4);
    }
    column.resize(len, item);
}

/// A set of agents, by their indices in the grid.
#[derive(Clone, Debug, Default)]
pub(crate) struct AgentSet {
    /// 1 for each agent of the set, else 0.
    agents: Vec<u8>,
    /// Whether there is one among each [`BLOCK`] agents.
    blocks: Vec<bool>,
}

/// Agents per block of a set.
const BLOCK: usize = 64;

impl AgentSet {
    /// Removes all agents; there are indices up to `last`.
    fn clear(&mut self, last: usize) {
        self.agents.clear();
        self.agents.resize(last + 1, 0);
        self.blocks.clear();
        self.blocks.resize(last / BLOCK + 1, false);
    }

    fn insert(&mut self, agent: u32) {
        self.agents[agent as usize] = 1;
        self.blocks[agent as usize / BLOCK] = true;
    }

    /// Returns whether the set contains an agent in the blocks of `first` to `last`.
    #[inline]
    fn meets(&self, [first, last]: [u32; 2]) -> bool {
        self.blocks[first as usize / BLOCK..=last as usize / BLOCK].contains(&true)
    }
}

/// Parameters of a sweep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SweepParams {
    /// Closing speed beyond the limit that is tolerated [m/s].
    pub(crate) slop: f32,
    /// Gain of the correction.
    pub(crate) gain: f32,
    /// Change of a velocity from which on its neighbors are solved again [m/s].
    pub(crate) least_change: f32,
}

/// Result of a sweep for a group.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Settled {
    /// Velocities, old or new [m/s].
    pub(crate) velocities: [[f32; 2]; LANES],
    /// Mask of agents whose neighbors must be solved again.
    pub(crate) changed: u8,
}

/// Applies each agent's share of the correction; returns the mask of agents that had any.
///
/// Violations within the slop are ignored, so distant agents have no influence: however many sweeps they need, the
/// result here stays the same.
#[inline(always)]
fn relaxed<L: Lanes8>(
    own: [L; 2],
    rows: &[ContactRow],
    share: impl Fn(usize) -> L,
    velocities: &[[f32; 2]],
    how: &SweepParams,
) -> ([L; 2], u32) {
    let simd = own[0].simd();
    let (zero, one, slop) = (simd.splat(0.0), simd.splat(1.0), simd.splat(how.slop));
    let mut sums = [[zero; 3]; SUMS];
    for (rows, first) in rows.chunks(SUMS).zip((0..).step_by(SUMS)) {
        for ((row, [sum_x, sum_y, count]), index) in rows.iter().zip(&mut sums).zip(first..) {
            let (x, y) = (L::load(simd, &row.x), L::load(simd, &row.y));
            let theirs: [L; 2] = L::gather(simd, velocities, &row.others);
            let closing = x * (own[0] - theirs[0]) + y * (own[1] - theirs[1]);
            let excess = closing - L::load(simd, &row.room);
            // Selected without a branch: in a jam it would be unpredictable.
            let too_much = excess.gt(slop);
            let part = L::select(too_much, excess * share(index), zero);
            *sum_x = *sum_x + x * part;
            *sum_y = *sum_y + y * part;
            *count = *count + L::select(too_much, one, zero);
        }
    }
    let sum = |i: usize| (sums[0][i] + sums[1][i]) + (sums[2][i] + sums[3][i]);
    let count = sum(2);
    // A single contact is corrected at once; several share the correction, or they would overshoot together.
    let back = simd.splat(how.gain * 2.0) / (count + one);
    let relaxed = [own[0] - sum(0) * back, own[1] - sum(1) * back];
    (relaxed, count.gt(zero).bits())
}

/// Moves a velocity out of the half-planes of walls.
fn push_out_of_walls<'a>(mut velocity: Vec2, walls: impl Iterator<Item = &'a WallContact>) -> Vec2 {
    for WallContact { plane, .. } in walls {
        velocity += plane.normal * plane.violation(&velocity).max(0.0);
    }
    velocity
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_simd::{BASELINE8, Baseline8, F32, Kernel, Lanes8, Level, Simd};
    use proptest::prelude::*;

    /// A contact: angle of the direction to the other agent, allowed closing speed, its velocity, share.
    type Contact = (f32, f32, f32, f32, f32);

    /// Corrects one agent, one contact after the other, with the same partial sums.
    fn relaxed_singly(velocity: Vec2, contacts: &[Contact], how: &SweepParams) -> Option<Vec2> {
        let mut sums = [(Vec2::zeros(), 0.0f32); SUMS];
        for (i, &(angle, room, x, y, share)) in contacts.iter().enumerate() {
            let (sin, cos) = cairn2d_geometry::math::sin_cos(angle);
            let sum = &mut sums[i % SUMS];
            let towards = vec2(cos, sin);
            let closing = velocity - vec2(x, y);
            let excess = towards.x * closing.x + towards.y * closing.y - room;
            if excess > how.slop {
                sum.0 += towards * (excess * share);
                sum.1 += 1.0;
            }
        }
        let back = (sums[0].0 + sums[1].0) + (sums[2].0 + sums[3].0);
        let count: f32 = sums.iter().map(|sum| sum.1).sum();
        (count > 0.0).then(|| velocity - back * (how.gain * 2.0 / (count + 1.0)))
    }

    /// One sweep over all agents of the only group.
    struct Once<'a>(&'a Contacts, &'a [[f32; 2]], SweepParams, &'a [Region]);

    impl<S: Simd<F32: Lanes8>> Kernel<S> for Once<'_> {
        type Output = Settled;
        #[inline(always)]
        fn run(self, simd: S) -> Settled {
            let Self(contacts, velocities, how, regions) = self;
            contacts.settled::<S::F32>(simd, 0, u32::MAX, velocities, &how, &|agent| regions[agent])
        }
    }

    proptest! {
        /// A group in lanes of every width gives the bits of each of its agents alone, with walls, limits of
        /// acceleration and different numbers of contacts among them.
        #[test]
        fn lanes_change_no_bit(
            members in proptest::collection::vec((
                proptest::collection::vec((0.0f32..6.3, -1.0f32..2.0, -2.0f32..2.0, -2.0f32..2.0, 0.0f32..1.0), 0..9),
                (-2.0f32..2.0, -2.0f32..2.0), 0u8..3,
            ), 1..=LANES),
        ) {
            let how = SweepParams { slop: 0.001, gain: 1.5, least_change: 0.0005 };
            let wall = HalfPlane::new(vec2(0.6, 0.8), 0.1);
            let own: Vec<Vec2> = members.iter().map(|(_, v, _)| vec2(v.0, v.1)).collect();
            let others = members.iter().flat_map(|(contacts, ..)| contacts.iter().map(|c| vec2(c.2, c.3)));
            let mut velocities: Vec<Vec2> = own.iter().copied().chain(others).collect();
            velocities.push(Vec2::zeros());
            let velocities: Vec<[f32; 2]> = velocities.iter().map(|v| [v.x, v.y]).collect();
            let region = |lane: usize| match members[lane].2 {
                1 => Region { max_speed: 2.0, center: own[lane], reach: 0.3 },
                _ => Region::disc(1.5),
            };
            let regions: Vec<Region> = (0..members.len()).map(region).collect();
            let mut contacts = Contacts::default();
            contacts.clear(velocities.len() - 1, None);
            contacts.begin();
            // The others of all agents lie behind the agents, one agent after the other.
            let first = |lane: usize| members.len() + members[..lane].iter().map(|m| m.0.len()).sum::<usize>();
            for row in 0..9 {
                let of = |lane: usize| members.get(lane).and_then(|member| member.0.get(row));
                let column = |number: fn(&Contact) -> f32| F32x8(each_lane(|lane| of(lane).map_or(0.0, number)));
                let touch = ContactLanes {
                    set: (0..LANES).map(|lane| u32::from(of(lane).is_some()) << lane).sum(),
                    x: column(|c| cairn2d_geometry::math::sin_cos(c.0).1),
                    y: column(|c| cairn2d_geometry::math::sin_cos(c.0).0),
                    room: column(|c| c.1),
                    share: column(|c| c.4),
                };
                let touch = ContactLanes { room: F32x8(each_lane(|i| if of(i).is_some() { touch.room.0[i] } else { f32::INFINITY })), ..touch };
                contacts.put_row(row, &touch, each_lane(|lane| (first(lane.min(members.len())) + row) as u32));
            }
            for (lane, (.., kind)) in members.iter().enumerate() {
                let walls = if *kind == 2 { &[wall][..] } else { &[] };
                contacts.set_agent(lane, lane as u32, &regions[lane], walls);
            }
            let want: Vec<Option<Vec2>> = members.iter().enumerate().map(|(lane, (of, _, kind))| {
                let relaxed = relaxed_singly(own[lane], of, &how)?;
                let walls = [WallContact { lane, plane: wall }];
                let walls = if *kind == 2 { &walls[..] } else { &[] };
                let pushed = push_out_of_walls(relaxed, walls.iter());
                let all = Regions::<F32<Baseline8>>::of(BASELINE8, [regions[lane]; LANES]);
                let [x, y] = all.nearest([BASELINE8.splat(pushed.x), BASELINE8.splat(pushed.y)]);
                Some(vec2(x.store().0[0], y.store().0[0]))
            }).collect();
            for width in Level::available() {
                let settled = width.enter(Once(&contacts, &velocities, how, &regions));
                let members = want.iter().enumerate().filter(|&(lane, _)| !members[lane].0.is_empty());
                for (lane, want) in members {
                    let want = want.unwrap_or(own[lane]);
                    prop_assert_eq!(Vec2::from(settled.velocities[lane]), want);
                    let changed = (want - own[lane]).norm_squared() > how.least_change * how.least_change;
                    prop_assert_eq!(settled.changed >> lane & 1 == 1, changed);
                }
            }
        }
    }
}
