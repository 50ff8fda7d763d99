//! Agents who decide abreast, one to a lane: all look at their nearest neighbour, at the second, and so on.
//!
//! It is what [`Walker::decide`] does, with the same formulae and the same bits, but in lanes nobody has to foretell who
//! is held up by whom, no lane is left over, and long operations are waited for by eight at once. It goes as far as
//! most agents go: those who have walls around them or do not follow ORCA decide alone.

use crate::agent::Model;
use crate::contacts::Contacts;
use crate::detour::{Turns, TurnsAbreast};
use crate::encounters::Own;
use crate::group::{Group, Others, PARTS, Selves};
use crate::neighbors::BLOCKS;
use crate::planes::Block;
use crate::program::Interval;
use crate::region::{Region, dot, lowest_limits, within_lengths};
use crate::steer::{Choice, Scratch, Walker};
use crate::tuning::{
    CRAWL_SHARE, ELBOW_PUSH, ELBOW_ROOM, MAX_ELBOW_PUSH, MAX_NEIGHBORS, SPEED_SLOP, WAY_FREE,
};
use cairn2d_geometry::math::{Vec2, vec2};
use cairn2d_simd::{F32x8, LANES, Lanes8, Mask, Simd, each_lane};

/// The set of all lanes.
const ALL: u32 = (1 << LANES) - 1;

/// The neighbours of agents abreast, in rows: the nearest of all, the second, and so on.
#[derive(Clone, Debug)]
pub(crate) struct Abreast {
    rows: [Group; MAX_NEIGHBORS],
    planes: [Block; MAX_NEIGHBORS],
    /// Rows of each agent.
    lens: F32x8,
    /// Rows at most.
    len: usize,
    /// Those who overlap with all of their rows.
    overlap: u32,
    turns: Turns,
    pub(crate) ways: Ways,
}

impl Default for Abreast {
    fn default() -> Self {
        Self {
            rows: [Group::default(); MAX_NEIGHBORS],
            planes: [Block::ALL; MAX_NEIGHBORS],
            lens: F32x8::default(),
            len: 0,
            overlap: 0,
            turns: Turns::default(),
            ways: Ways::default(),
        }
    }
}

/// Velocities that agents abreast can choose from: the region of each.
struct Regions<L> {
    max_speed: L,
    center: [L; 2],
    reach: L,
    /// Whether nobody's acceleration is limited.
    discs: bool,
}

impl Abreast {
    /// Lets agents decide who have seen what is around them, those who can abreast if they are `least` or more, and
    /// tells how in `ways`; notes their contacts, if they are asked for.
    #[inline(always)]
    pub(crate) fn decide<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        least: u32,
        party: &Party<'_>,
        contacts: Option<&mut Contacts>,
    ) {
        let mut alone = ALL << party.count;
        for lane in 0..party.count {
            let (walker, scratch) = (party.walkers[lane], party.scratches[lane]);
            let plain = walker.params.model == Model::Orca && scratch.is_open();
            alone |= u32::from(!plain) << lane;
        }
        if (ALL & !alone).count_ones() < least {
            self.ways.each = [Way::FirstAlone; LANES];
            return;
        }
        self.count(party);
        let owns = each_lane(|lane| party.walkers[lane].as_met());
        let selves = selves::<L>(simd, &owns);
        alone |= self.meet(&selves, &owns, party);
        for (lane, len) in self.lens.0.iter_mut().enumerate() {
            *len = if alone >> lane & 1 == 1 { 0.0 } else { *len };
        }
        if let Some(contacts) = contacts {
            self.touch(&selves, party, contacts);
        }
        self.choose(&selves, party);
        for (lane, way) in self.ways.each.iter_mut().enumerate() {
            if alone >> lane & 1 == 1 {
                *way = Way::FirstAlone;
            }
        }
    }

    /// Counts the rows of each.
    fn count(&mut self, party: &Party<'_>) {
        let count = |lane: usize| party.scratches[lane].neighbors.len();
        self.lens = F32x8(each_lane(|lane| count(lane) as f32));
        self.len = (0..LANES).map(count).fold(0, usize::max);
    }

    /// Takes in the neighbours of all; returns the set of those who have one on their very same spot.
    #[inline(always)]
    fn meet<L: Lanes8>(
        &mut self,
        selves: &Selves<L>,
        owns: &[Own; LANES],
        party: &Party<'_>,
    ) -> u32 {
        let simd = selves.radius.simd();
        let near = each_lane(|lane| &party.scratches[lane].neighbors);
        let (mut coincide, mut distant) = (0, 0);
        for block in 0..self.len.div_ceil(LANES).min(BLOCKS) {
            let x = exchanged::<L>(simd, each_lane(|lane| &near[lane].x[block]));
            let y = exchanged::<L>(simd, each_lane(|lane| &near[lane].y[block]));
            let velocity_x = exchanged::<L>(simd, each_lane(|lane| &near[lane].velocity_x[block]));
            let velocity_y = exchanged::<L>(simd, each_lane(|lane| &near[lane].velocity_y[block]));
            let radius = exchanged::<L>(simd, each_lane(|lane| &near[lane].radius[block]));
            let share = if let Some(share) = owns[0].share {
                [simd.splat(share); LANES]
            } else {
                exchanged::<L>(simd, each_lane(|lane| &party.scratches[lane].shares[block]))
            };
            for row in 0..LANES.min(self.len - LANES * block) {
                let others = Others {
                    way: [x[row], y[row]],
                    radius: radius[row],
                    velocity: [velocity_x[row], velocity_y[row]],
                    share: share[row],
                };
                let group = Group::of::<L>(selves, &others);
                self.rows[LANES * block + row] = group;
                let counts = self.counts::<L>(simd, LANES * block + row).bits();
                coincide |= group.coincide::<L>(simd) & counts;
                distant |= !group.overlaps::<L>(simd) & counts;
            }
        }
        self.overlap = ALL & !distant;
        coincide
    }

    /// Says whose row this is.
    #[inline(always)]
    fn counts<L: Lanes8>(&self, simd: L::Simd, row: usize) -> L::Mask {
        simd.splat(row as f32).lt(L::load(simd, &self.lens))
    }

    /// Notes who could touch in a step.
    #[inline(always)]
    fn touch<L: Lanes8>(&self, selves: &Selves<L>, party: &Party<'_>, contacts: &mut Contacts) {
        let simd = selves.radius.simd();
        let step = party.walkers[0].step();
        let mut set = 0;
        for row in 0..self.len {
            let Some(touch) = self.rows[row].touch(selves, self.counts::<L>(simd, row), step)
            else {
                // Nearest first: those behind are farther still.
                break;
            };
            if touch.set != 0 {
                set |= touch.set;
                let index = |lane: usize| party.scratches[lane].neighbors.index[row];
                contacts.put_row(row, &touch, each_lane(index));
            }
        }
        while set != 0 {
            let lane = set.trailing_zeros() as usize % LANES;
            set &= set - 1;
            let walker = party.walkers[lane];
            contacts.name(lane, walker.own, &walker.region(), core::iter::empty());
        }
    }

    /// Finds the best velocities within the horizon of each.
    #[inline(always)]
    fn choose<L: Lanes8>(&mut self, selves: &Selves<L>, party: &Party<'_>) {
        let simd = selves.radius.simd();
        let (walkers, scratches) = (&party.walkers, &party.scratches);
        let regions = Regions::<L>::of(walkers, selves.velocity);
        self.avoid(selves, party);
        let turns = self.turns(selves, &regions, party);
        let (mut wish_x, mut wish_y) = (F32x8::default(), F32x8::default());
        for (lane, walker) in walkers.iter().enumerate() {
            let plan = &scratches[lane].plan;
            let wish = walker.turned_wish(&mut self.turns, plan, turns[lane]);
            (wish_x.0[lane], wish_y.0[lane]) = (wish.x, wish.y);
        }
        let wish = [L::load(simd, &wish_x), L::load(simd, &wish_y)];
        let wish = self.make_room::<L>(wish, L::load(simd, &F32x8(turns)));
        let (velocity, feasible) = self.optimize(&regions, wish);
        let crawls = dot(velocity, wish).lt(simd.splat(CRAWL_SHARE) * dot(wish, wish));
        let crawls = crawls.bits();
        let ways = &mut self.ways;
        (ways.x, ways.y) = (velocity[0].store(), velocity[1].store());
        ways.turns = turns;
        for (lane, walker) in walkers.iter().enumerate() {
            let feasible = feasible >> lane & 1 == 1;
            let crawls = feasible && crawls >> lane & 1 == 1;
            let is_too_long = |level| walker.is_too_long(level, !feasible, crawls);
            let mut level = scratches[lane].plan.level;
            while self.overlap >> lane & 1 == 1 && is_too_long(level) {
                level += 1;
            }
            ways.levels[lane] = level;
            ways.each[lane] = if is_too_long(level) {
                Way::Closer
            } else if feasible {
                Way::Found
            } else {
                Way::Alone
            };
        }
    }

    /// Builds the half-planes.
    #[inline(always)]
    fn avoid<L: Lanes8>(&mut self, selves: &Selves<L>, party: &Party<'_>) {
        let simd = selves.radius.simd();
        let horizons =
            each_lane(|lane| party.walkers[lane].horizon(party.scratches[lane].plan.level));
        let rate = simd.splat(1.0) / L::load(simd, &F32x8(horizons));
        for row in 0..self.len {
            let group = &self.rows[row];
            let shared = L::load(simd, &group.share).gt(simd.splat(0.0));
            let counts = self.counts::<L>(simd, row).and(shared);
            self.planes[row] = group.orca(selves, rate, counts);
        }
    }

    /// Returns the angle by which each turns its wish [rad].
    #[inline(always)]
    fn turns<L: Lanes8>(
        &mut self,
        selves: &Selves<L>,
        regions: &Regions<L>,
        party: &Party<'_>,
    ) -> [f32; LANES] {
        let simd = selves.radius.simd();
        let (walkers, scratches) = (&party.walkers, &party.scratches);
        let wishes = each_lane(|lane| scratches[lane].plan.wish);
        let top = F32x8(each_lane(|lane| walkers[lane].params.max_speed));
        let limited = within_lengths(load::<L>(simd, &wishes), L::load(simd, &top));
        let mut blocked = limited[0].lt(limited[0]);
        for plane in &self.planes[..self.len] {
            let violated = plane.violations(limited).gt(simd.splat(0.0));
            blocked = blocked.or(violated);
        }
        let bias = L::load(simd, &F32x8(each_lane(|lane| walkers[lane].params.bias)));
        let angles = TurnsAbreast {
            last: L::load(simd, &F32x8(each_lane(|lane| walkers[lane].memory.turn))),
            bias,
            step: walkers[0].step(),
            turned: load(simd, &each_lane(|lane| scratches[lane].plan.last)),
            free: load(simd, &each_lane(|lane| scratches[lane].plan.free)),
            velocity: selves.velocity,
        }
        .angles(blocked);
        let far = angles.gt(bias.max(-bias)).bits();
        let far = far | (-angles).gt(bias.max(-bias)).bits();
        let mut turns = angles.store().0;
        if far != 0 {
            // Whoever has turned far looks whether the way is free again.
            let (mut least_x, mut least_y) = (F32x8::default(), F32x8::default());
            for (lane, walker) in walkers.iter().enumerate() {
                let least = walker.turned_by_bias(&mut self.turns, &scratches[lane].plan);
                (least_x.0[lane], least_y.0[lane]) = (least.x, least.y);
            }
            let least = [L::load(simd, &least_x), L::load(simd, &least_y)];
            let (velocity, feasible) = self.optimize(regions, least);
            let wish = load(simd, &wishes);
            let gets_on = dot(velocity, wish).gt(simd.splat(WAY_FREE) * dot(wish, wish));
            let is_free = gets_on.bits() & feasible & far;
            for (lane, walker) in walkers.iter().enumerate() {
                if is_free >> lane & 1 == 1 {
                    turns[lane] = walker.params.bias;
                }
            }
        }
        turns
    }

    /// Returns the wishes of agents that keep off those about them while others are in their way: while they turn them.
    #[inline(always)]
    fn make_room<L: Lanes8>(&self, wish: [L; 2], turn: L) -> [L; 2] {
        let simd = turn.simd();
        let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
        let speed = dot(wish, wish).sqrt();
        let mut sums = [[zero; 3]; PARTS];
        for (row, group) in self.rows[..self.len].iter().enumerate() {
            let parts = group.closeness::<L>(simd, self.counts::<L>(simd, row), ELBOW_ROOM);
            let sum = &mut sums[row % PARTS];
            for i in 0..3 {
                sum[i] = sum[i] + parts[i];
            }
        }
        let [mut all, mut x, mut y] = sums[0];
        for sum in &sums[1..] {
            (all, x, y) = (all + sum[0], x + sum[1], y + sum[2]);
        }
        // One other alone is no throng: two who meet just pass.
        let throng = (all - one).max(zero).min(one);
        let push = simd.splat(ELBOW_PUSH) * throng * speed;
        let push = within_lengths([x * push, y * push], simd.splat(MAX_ELBOW_PUSH) * speed);
        let pushed = within_lengths([wish[0] + push[0], wish[1] + push[1]], speed);
        let turns = turn.gt(zero).or(turn.lt(zero));
        let moves = turns.and(speed.gt(zero));
        [
            L::select(moves, pushed[0], wish[0]),
            L::select(moves, pushed[1], wish[1]),
        ]
    }

    /// Returns the velocities nearest to the wishes, and the set of those who have one that satisfies all half-planes.
    #[inline(always)]
    fn optimize<L: Lanes8>(&self, regions: &Regions<L>, wish: [L; 2]) -> ([L; 2], u32) {
        let simd = wish[0].simd();
        let mut best = regions.nearest(wish);
        let mut feasible = ALL;
        for (row, plane) in self.planes[..self.len].iter().enumerate() {
            let violated = plane.violations(best).gt(simd.splat(0.0));
            let set = violated.bits() & feasible;
            if set == 0 {
                continue;
            }
            let (place, found) = on_boundaries(&self.planes[..row], plane, regions, wish);
            feasible &= found | !set;
            best = [
                L::select(violated, place[0], best[0]),
                L::select(violated, place[1], best[1]),
            ];
        }
        (best, feasible)
    }
}

/// Agents abreast, one to a lane; the last one again where there are fewer than lanes.
pub(crate) struct Party<'a> {
    walkers: [&'a Walker<'a>; LANES],
    scratches: [&'a Scratch; LANES],
    count: usize,
}

impl<'a> Party<'a> {
    /// Returns those in some seats, of whom there is one at least.
    #[inline(always)]
    pub(crate) fn of(
        walkers: &'a [Option<Walker<'a>>],
        scratches: &'a [Scratch],
        seats: &[usize],
    ) -> Self {
        let count = seats.len().min(LANES);
        let seat = |lane: usize| seats[lane.min(count - 1)];
        Self {
            walkers: each_lane(|lane| walkers[seat(lane)].as_ref().expect("somebody in the seat")),
            scratches: each_lane(|lane| &scratches[seat(lane)]),
            count,
        }
    }
}

/// What came of deciding abreast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// A velocity was chosen.
    Found,
    /// The horizon was too long.
    Closer,
    /// The half-planes contradict each other.
    Alone,
    /// Nothing was tried, and no contacts are noted.
    FirstAlone,
}

/// What came of it for each, and what those chose who found a velocity.
///
/// Written and read in place, number by number: records of all that would be copied, in pieces other than they were
/// written in, and waited for.
#[derive(Clone, Debug)]
pub(crate) struct Ways {
    pub(crate) each: [Way; LANES],
    /// Velocities [m/s].
    x: F32x8,
    y: F32x8,
    /// Angles by which the wishes were turned [rad].
    turns: [f32; LANES],
    /// How often the horizons were halved.
    levels: [u8; LANES],
}

impl Default for Ways {
    fn default() -> Self {
        Self {
            each: [Way::FirstAlone; LANES],
            x: F32x8::default(),
            y: F32x8::default(),
            turns: [0.0; LANES],
            levels: [0; LANES],
        }
    }
}

impl Ways {
    /// Returns what one of them chose.
    #[inline(always)]
    pub(crate) fn choice(&self, lane: usize, walker: &Walker<'_>) -> Choice {
        let velocity = vec2(self.x.0[lane], self.y.0[lane]);
        walker.choice(velocity, self.levels[lane], self.turns[lane], 0, true)
    }
}

/// Returns the best velocities on the boundaries of half-planes within those before them, and the set of those who have
/// one there.
#[inline(always)]
fn on_boundaries<L: Lanes8>(
    earlier: &[Block],
    plane: &Block,
    regions: &Regions<L>,
    wish: [L; 2],
) -> ([L; 2], u32) {
    let simd = wish[0].simd();
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
    // The upper end last, as low exceeds high by the slop at the most; and then the region, which nothing exceeds.
    let wanted = dot(direction, wish).max(low).min(high);
    let wanted = wanted.max(ends[0]).min(ends[1]);
    let place = [
        foot[0] + direction[0] * wanted,
        foot[1] + direction[1] * wanted,
    ];
    (place, found)
}

impl<L: Lanes8> Regions<L> {
    /// Returns the regions of some agents, who move at `velocity` [m/s].
    #[inline(always)]
    fn of(walkers: &[&Walker<'_>; LANES], velocity: [L; 2]) -> Self {
        let simd = velocity[0].simd();
        let max_speed = F32x8(each_lane(|lane| walkers[lane].params.max_speed));
        let reach = F32x8(each_lane(|lane| walkers[lane].reach()));
        Self {
            max_speed: lowest_limits(L::load(simd, &max_speed), velocity, L::load(simd, &reach)),
            center: velocity,
            reach: L::load(simd, &reach),
            discs: reach.0.iter().all(|reach| reach.is_infinite()),
        }
    }

    /// Returns the velocities nearest to the wishes.
    #[inline(always)]
    fn nearest(&self, wish: [L; 2]) -> [L; 2] {
        let limited = within_lengths(wish, self.max_speed);
        if self.discs {
            return limited;
        }
        let change = [limited[0] - self.center[0], limited[1] - self.center[1]];
        let is_far = dot(change, change).gt(self.reach * self.reach);
        match is_far.bits() {
            0 => limited,
            far => self.nearest_of_far(wish, limited, far),
        }
    }

    /// Returns the velocities nearest to the wishes, for the set of those who cannot get to the `limited` ones in a step.
    #[inline(always)]
    fn nearest_of_far(&self, wish: [L; 2], limited: [L; 2], mut far: u32) -> [L; 2] {
        let simd = self.reach.simd();
        let [wish_x, wish_y, center_x, center_y] =
            [wish[0], wish[1], self.center[0], self.center[1]].map(L::store);
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
            let nearest = region.nearest(&vec2(wish_x.0[lane], wish_y.0[lane]));
            (x.0[lane], y.0[lane]) = (nearest.x, nearest.y);
        }
        [L::load(simd, &x), L::load(simd, &y)]
    }

    /// Returns where boundaries run inside the regions (see [`Region::chord`]), and the set of those that do.
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

/// Returns the agents as those who meet others.
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

/// Reads a vector a lane.
#[inline(always)]
fn load<L: Lanes8>(simd: L::Simd, vectors: &[Vec2; LANES]) -> [L; 2] {
    let (x, y) = (
        each_lane(|lane| vectors[lane].x),
        each_lane(|lane| vectors[lane].y),
    );
    [L::load(simd, &F32x8(x)), L::load(simd, &F32x8(y))]
}

/// Reads eight numbers of each agent, and returns the first of all, the second of all, and so on.
#[inline(always)]
fn exchanged<L: Lanes8>(simd: L::Simd, [a, b, c, d, e, f, g, h]: [&F32x8; LANES]) -> [L; LANES] {
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
