//! The contacts of a step: eight agents beside each other are a team, and each row holds one neighbour of each.
//!
//! What keeps discs apart in the very next step is a matter of all velocities at once. Half-planes are each agent's own
//! affair; where many press on each other they contradict, and where they forbid all approach nothing moves any more. So
//! pairs about to touch are settled jointly after everyone has chosen: along the line of centers the gap may close by
//! its own width in the step and no more. Each sweep takes back what is too much, in parts that follow the shares of
//! the two, from velocities of the sweep before (Jacobi), so no order shows [Weiss17, sec. 4]. Overlaps open at a
//! bounded speed in the same way.
//!
//! A team is looked at as a whole, even if a few of it have to look again: that costs no more than one of them would.

use crate::half_plane::HalfPlane;
use crate::region::{Region, within_lengths};
use crate::separate::Touch;
use crate::tuning::MAX_NEIGHBORS;
use cairn2d_geometry::math::{Vec2, vec2};
use cairn2d_simd::{F32x8, LANES, Lanes8, Mask, Simd, each_lane};
use core::ops::Range;

/// Sums in which those over contacts are put together: every fourth neighbour from the nearest on, and so on. So they
/// do not depend on who else is in contact.
const SUMS: usize = 4;

/// One neighbour of each of a team; 128 bytes.
#[derive(Clone, Copy, Debug)]
struct ContactRow {
    /// As in [`Touch`].
    x: F32x8,
    y: F32x8,
    room: F32x8,
    /// Their indices in the grid, or that of nobody.
    others: [u32; LANES],
}

const _: () = assert!(size_of::<ContactRow>() == 128);

/// Agents whose contacts lie side by side.
#[derive(Clone, Copy, Debug)]
struct Team {
    /// Indices in the grid, or that of nobody.
    agents: [u32; LANES],
    max_speed: F32x8,
    /// Who of them has contacts, a bit each.
    set: u32,
    /// Whose velocity is bounded by more than its speed: by walls about to be touched, or its acceleration.
    bounded: u32,
    rows_end: u32,
    walls_end: u32,
}

/// A wall about to be touched by one of a team.
#[derive(Clone, Copy, Debug)]
struct Wall {
    lane: usize,
    plane: HalfPlane,
}

/// The contacts of some agents, in order of the grid.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contacts {
    teams: Vec<Team>,
    rows: Vec<ContactRow>,
    /// Part that all take in all contacts; `None` if they differ.
    share: Option<f32>,
    /// Then the parts in each row.
    shares: Vec<F32x8>,
    walls: Vec<Wall>,
    /// Index that no agent in the grid has: one more than the last.
    nobody: u32,
}

impl Contacts {
    /// Forgets all; there are `count` agents in the grid, who take the same `share` in all contacts, if one is given.
    pub(crate) fn clear(&mut self, count: usize, share: Option<f32>) {
        self.teams.clear();
        self.rows.clear();
        self.share = share;
        self.shares.clear();
        self.walls.clear();
        self.nobody = count as u32;
    }

    /// Begins the next team.
    pub(crate) fn begin(&mut self) {
        self.teams.push(Team {
            agents: [self.nobody; LANES],
            max_speed: F32x8::default(),
            set: 0,
            bounded: 0,
            rows_end: self.rows.len() as u32,
            walls_end: self.walls.len() as u32,
        });
    }

    /// Notes contacts of several of the team: each with the neighbour `others` of the same number, its `row`-th.
    #[inline]
    pub(crate) fn put_row(&mut self, row: usize, touch: &Touch, others: [u32; LANES]) {
        let (to, nobody) = (self.row(row), self.nobody);
        self.rows[to] = ContactRow {
            x: touch.x,
            y: touch.y,
            room: touch.room,
            others: each_lane(|lane| {
                let is_some = touch.set >> lane & 1 == 1;
                if is_some { others[lane] } else { nobody }
            }),
        };
        if let Some(share) = self.shares.get_mut(to) {
            *share = touch.share;
        }
        self.team().set |= touch.set;
    }

    /// Notes contacts of one of the team, with eight of its neighbours from its `first` on.
    pub(crate) fn put(&mut self, lane: usize, first: usize, touch: &Touch, others: &[u32; LANES]) {
        let mut set = touch.set;
        while set != 0 {
            let from = set.trailing_zeros() as usize % LANES;
            set &= set - 1;
            let to = self.row(first + from);
            if let Some(share) = self.shares.get_mut(to) {
                share.0[lane] = touch.share.0[from];
            }
            let row = &mut self.rows[to];
            row.x.0[lane] = touch.x.0[from];
            row.y.0[lane] = touch.y.0[from];
            row.room.0[lane] = touch.room.0[from];
            row.others[lane] = others[from];
            self.team().set |= 1 << lane;
        }
    }

    /// Notes who is one of the team, an index in the grid, what it can do at all, and the walls that it is about to touch.
    #[inline]
    pub(crate) fn name(
        &mut self,
        lane: usize,
        agent: usize,
        region: &Region,
        planes: impl Iterator<Item = HalfPlane>,
    ) {
        let team = self.team();
        if team.set >> lane & 1 == 0 {
            return;
        }
        team.agents[lane] = agent as u32;
        team.max_speed.0[lane] = region.max_speed;
        let is_bounded = !region.reach.is_infinite();
        let before = self.walls.len();
        self.walls.extend(planes.map(|plane| Wall { lane, plane }));
        let end = self.walls.len();
        let team = self.team();
        team.walls_end = end as u32;
        team.bounded |= u32::from(is_bounded || end > before) << lane;
    }

    /// Returns the last team.
    #[inline]
    fn team(&mut self) -> &mut Team {
        let last = self.teams.len() - 1;
        &mut self.teams[last]
    }

    /// Returns the index of a row of the last team; makes it, and those before it, if they are not there.
    #[inline]
    fn row(&mut self, row: usize) -> usize {
        debug_assert!(row < MAX_NEIGHBORS, "a row for each neighbour");
        let last = self.teams.len() - 1;
        let before = last
            .checked_sub(1)
            .map_or(0, |team| self.teams[team].rows_end);
        let index = before as usize + row;
        if index >= self.rows.len() {
            let nobody = ContactRow {
                x: F32x8::default(),
                y: F32x8::default(),
                room: F32x8::splat(f32::INFINITY),
                others: [self.nobody; LANES],
            };
            if index >= self.rows.capacity() {
                // Rows are a third of what a crowd holds: by an eighth more at a time, not twice as many.
                let missing = index + 1 - self.rows.len();
                self.rows.reserve_exact(missing + self.rows.len() / 8);
            }
            self.rows.resize(index + 1, nobody);
            if self.share.is_none() {
                self.shares.resize(index + 1, F32x8::default());
            }
            self.teams[last].rows_end = index as u32 + 1;
        }
        index
    }

    /// Goes through the sets of those in each team who have contacts.
    pub(crate) fn sets(&self) -> impl Iterator<Item = u32> + '_ {
        self.teams.iter().map(|team| team.set)
    }

    /// Returns the indices in the grid of a team.
    #[inline]
    pub(crate) fn agents(&self, team: usize) -> &[u32; LANES] {
        &self.teams[team].agents
    }

    /// Returns the number of rows.
    pub(crate) fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// Goes through all rows: whose team, and whom it has in contact, by their indices in the grid or that of nobody.
    #[inline]
    pub(crate) fn rows(&self) -> impl Iterator<Item = (usize, &[u32; LANES])> {
        (0..self.teams.len()).flat_map(|team| {
            let rows = &self.rows[self.range(team, |team| team.rows_end)];
            rows.iter().map(move |row| (team, &row.others))
        })
    }

    /// Lists all contacts, by agents, with their numbers; and the walls.
    #[cfg(test)]
    pub(crate) fn listed(&self) -> Vec<String> {
        let mut list = Vec::new();
        for (i, team) in self.teams.iter().enumerate() {
            for lane in (0..LANES).filter(|lane| team.set >> lane & 1 == 1) {
                let (speed, bounded) = (team.max_speed.0[lane], team.bounded >> lane & 1);
                list.push(format!("{} {speed} {bounded}", team.agents[lane]));
                let rows = self.rows[self.range(i, |team| team.rows_end)].iter();
                for (number, row) in rows
                    .enumerate()
                    .filter(|(_, row)| row.others[lane] != self.nobody)
                {
                    let numbers = [&row.x, &row.y, &row.room].map(|eight| eight.0[lane]);
                    let index = self.range(i, |team| team.rows_end).start + number;
                    let share = self.shares.get(index).map(|share| share.0[lane]);
                    list.push(format!(
                        "{number}: {} {numbers:?} {share:?}",
                        row.others[lane]
                    ));
                }
            }
        }
        list.push(format!("{:?}", self.walls));
        list
    }

    #[inline]
    fn range(&self, team: usize, end: impl Fn(&Team) -> u32) -> Range<usize> {
        let start = team.checked_sub(1).map_or(0, |i| end(&self.teams[i]));
        start as usize..end(&self.teams[team]) as usize
    }

    /// Returns what one sweep makes of the velocities of a `set` of a team, where those of all are `velocities` [m/s];
    /// `region` is what an agent can do at all.
    #[inline(always)]
    pub(crate) fn settled<L: Lanes8>(
        &self,
        simd: L::Simd,
        team: usize,
        set: u32,
        velocities: &[[f32; 2]],
        how: &Sweep,
        region: &impl Fn(usize) -> Region,
    ) -> Settled {
        let range = self.range(team, |team| team.rows_end);
        let (rows, shares) = (&self.rows[range.clone()], self.shares.get(range));
        let shares = Shares {
            each: shares.unwrap_or_default(),
            all: simd.splat(self.share.unwrap_or_default()),
        };
        let walls = self.range(team, |team| team.walls_end);
        let team = &self.teams[team];
        let own: [L; 2] = L::gather(simd, velocities, &team.agents);
        let (relaxed, too_much) = relaxed(own, rows, &shares, velocities, how);
        let limited = within_lengths(relaxed, L::load(simd, &team.max_speed));
        let (mut x, mut y) = (limited[0].store(), limited[1].store());
        let moved = too_much & set;
        let mut bounded = moved & team.bounded;
        if bounded != 0 {
            let (free_x, free_y) = (relaxed[0].store(), relaxed[1].store());
            while bounded != 0 {
                let lane = bounded.trailing_zeros() as usize % LANES;
                bounded &= bounded - 1;
                let walls = self.walls[walls.clone()].iter();
                let walls = walls.filter(|wall| wall.lane == lane);
                let velocity = push_off(vec2(free_x.0[lane], free_y.0[lane]), walls);
                let nearest = region(team.agents[lane] as usize).nearest(&velocity);
                (x.0[lane], y.0[lane]) = (nearest.x, nearest.y);
            }
        }
        let limited = [L::load(simd, &x), L::load(simd, &y)];
        let moves = L::mask_from_bits(simd, moved);
        let settled = [
            L::select(moves, limited[0], own[0]),
            L::select(moves, limited[1], own[1]),
        ];
        let change = [settled[0] - own[0], settled[1] - own[1]];
        let change_sq = change[0] * change[0] + change[1] * change[1];
        let is_change = change_sq.gt(simd.splat(how.least_change * how.least_change));
        Settled {
            x: settled[0].store(),
            y: settled[1].store(),
            changed: is_change.bits(),
        }
    }
}

/// How a sweep goes about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sweep {
    /// Speed at a contact that may be too much [m/s].
    pub(crate) slop: f32,
    /// Part of what is too much that is taken back.
    pub(crate) gain: f32,
    /// Change of a velocity that concerns others [m/s].
    pub(crate) least_change: f32,
}

/// What a sweep makes of a team.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Settled {
    /// Velocities, old or new [m/s].
    pub(crate) x: F32x8,
    pub(crate) y: F32x8,
    /// Whose are so different that it concerns others, a bit each.
    pub(crate) changed: u32,
}

/// The parts that agents take in the rows of a team: in each row, or in all.
struct Shares<'a, L> {
    each: &'a [F32x8],
    all: L,
}

impl<L: Lanes8> Shares<'_, L> {
    #[inline(always)]
    fn of(&self, row: usize) -> L {
        let simd = self.all.simd();
        match self.each.get(row) {
            Some(share) => L::load(simd, share),
            None => self.all,
        }
    }
}

/// Takes back the agents' parts of what is too much; tells for whom anything is.
///
/// A contact that is right within the slop is left alone, so that agents far off do not show: however
/// many sweeps they need, this one's result stays.
#[inline(always)]
fn relaxed<L: Lanes8>(
    own: [L; 2],
    rows: &[ContactRow],
    shares: &Shares<'_, L>,
    velocities: &[[f32; 2]],
    how: &Sweep,
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
            // Selected, not branched on: in a jam nobody can foretell it.
            let too_much = excess.gt(slop);
            let part = L::select(too_much, excess * shares.of(index), zero);
            *sum_x = *sum_x + x * part;
            *sum_y = *sum_y + y * part;
            *count = *count + L::select(too_much, one, zero);
        }
    }
    let sum = |i: usize| (sums[0][i] + sums[1][i]) + (sums[2][i] + sums[3][i]);
    let count = sum(2);
    // One contact is settled at once; more of them share the way, or they would overshoot together.
    let back = simd.splat(how.gain * 2.0) / (count + one);
    let relaxed = [own[0] - sum(0) * back, own[1] - sum(1) * back];
    (relaxed, count.gt(zero).bits())
}

/// Moves a velocity out of the walls.
fn push_off<'a>(mut velocity: Vec2, walls: impl Iterator<Item = &'a Wall>) -> Vec2 {
    for Wall { plane, .. } in walls {
        velocity += plane.normal * plane.violation(&velocity).max(0.0);
    }
    velocity
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_simd::{Kernel, Lanes8, Level, Simd};
    use proptest::prelude::*;

    /// A contact: angle of the way to the other, room, velocity of the other, share.
    type Contact = (f32, f32, f32, f32, f32);

    /// Takes back what is too much of one agent, one contact after the other; each of the sums by itself.
    fn relaxed_singly(velocity: Vec2, contacts: &[Contact], how: &Sweep) -> Option<Vec2> {
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

    /// One sweep over the only team, of whom all are asked.
    struct Once<'a>(&'a Contacts, &'a [[f32; 2]], Sweep, &'a [Region]);

    impl<S: Simd<F32: Lanes8>> Kernel<S> for Once<'_> {
        type Output = Settled;
        #[inline(always)]
        fn run(self, simd: S) -> Settled {
            let Self(contacts, velocities, how, regions) = self;
            contacts.settled::<S::F32>(simd, 0, u32::MAX, velocities, &how, &|agent| regions[agent])
        }
    }

    proptest! {
        /// A team in lanes of every width gives the bits of each of its agents alone, with walls, limits of
        /// acceleration and different numbers of contacts among them.
        #[test]
        fn lanes_change_no_bit(
            members in proptest::collection::vec((
                proptest::collection::vec((0.0f32..6.3, -1.0f32..2.0, -2.0f32..2.0, -2.0f32..2.0, 0.0f32..1.0), 0..9),
                (-2.0f32..2.0, -2.0f32..2.0), 0u8..3,
            ), 1..=LANES),
        ) {
            let how = Sweep { slop: 0.001, gain: 1.5, least_change: 0.0005 };
            let wall = HalfPlane::new(vec2(0.6, 0.8), 0.1);
            let own: Vec<Vec2> = members.iter().map(|(_, v, _)| vec2(v.0, v.1)).collect();
            let others = members.iter().flat_map(|(contacts, ..)| contacts.iter().map(|c| vec2(c.2, c.3)));
            let mut velocities: Vec<Vec2> = own.iter().copied().chain(others).collect();
            velocities.push(Vec2::zeros());
            let velocities: Vec<[f32; 2]> = velocities.iter().map(|v| [v.x, v.y]).collect();
            let region = |lane: usize| match members[lane].2 {
                1 => Region::new(2.0, own[lane], 0.3),
                _ => Region::disc(1.5),
            };
            let regions: Vec<Region> = (0..members.len()).map(region).collect();
            let mut contacts = Contacts::default();
            contacts.clear(velocities.len() - 1, None);
            contacts.begin();
            let mut next = members.len() as u32;
            for (lane, (of, _, kind)) in members.iter().enumerate() {
                for (block, eight) in of.chunks(LANES).enumerate() {
                    let column = |of: &dyn Fn(&Contact) -> f32| {
                        F32x8(core::array::from_fn(|i| eight.get(i).map_or(0.0, of)))
                    };
                    let touch = Touch {
                        set: (1 << eight.len()) - 1,
                        x: column(&|c| cairn2d_geometry::math::sin_cos(c.0).1),
                        y: column(&|c| cairn2d_geometry::math::sin_cos(c.0).0),
                        room: column(&|c| c.1),
                        share: column(&|c| c.4),
                    };
                    let others = core::array::from_fn(|i| next + i as u32);
                    next += eight.len() as u32;
                    contacts.put(lane, LANES * block, &touch, &others);
                }
                contacts.name(lane, lane, &regions[lane], (*kind == 2).then_some(wall).into_iter());
            }
            let want: Vec<Option<Vec2>> = members.iter().enumerate().map(|(lane, (of, _, kind))| {
                let relaxed = relaxed_singly(own[lane], of, &how)?;
                let walls = [Wall { lane, plane: wall }];
                let walls = if *kind == 2 { &walls[..] } else { &[] };
                Some(regions[lane].nearest(&push_off(relaxed, walls.iter())))
            }).collect();
            for width in Level::available() {
                let settled = width.enter(Once(&contacts, &velocities, how, &regions));
                let members = want.iter().enumerate().filter(|&(lane, _)| !members[lane].0.is_empty());
                for (lane, want) in members {
                    let want = want.unwrap_or(own[lane]);
                    prop_assert_eq!(vec2(settled.x.0[lane], settled.y.0[lane]), want);
                    let changed = (want - own[lane]).norm_squared() > how.least_change * how.least_change;
                    prop_assert_eq!(settled.changed >> lane & 1 == 1, changed);
                }
            }
        }
    }
}
