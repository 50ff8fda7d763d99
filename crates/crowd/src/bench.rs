//! A thread's working memory, and the agents who decide on it: eight at a time, and again those for whom the horizon was
//! too long, as soon as there are eight of them.

use crate::abreast::{Abreast, Party, Way};
use crate::contacts::Contacts;
use crate::profile::{Clock, DecisionTime, Stopwatch};
use crate::steer::{Decision, Scratch, Sights, Walker};
use crate::surroundings::Surroundings;
use cairn2d_simd::{Kernel, LANES, Lanes8, Simd};
use smallvec::SmallVec;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Places for those who decide now, and for those who wait for others to look less far ahead with.
const SEATS: usize = 2 * LANES;

/// Agents the first eight of whom are timed: asking a clock for all of them would take as long as ordering neighbours.
///
/// An odd number of eights, since every other one fills a window.
const TIMED: usize = 5 * LANES;

/// Working memory of one thread.
#[derive(Debug, Default)]
pub(crate) struct Bench {
    /// One for each seat.
    scratches: [Scratch; SEATS],
    abreast: Abreast,
    /// What is looked at for one agent after the other.
    sights: Sights,
    /// How long it takes those who are timed.
    time: DecisionTime,
}

/// A bench for each thread; whoever takes one finds it as the last one left it, which shows in no result.
#[derive(Debug, Default)]
pub(crate) struct Benches(Vec<Mutex<Bench>>);

impl Clone for Benches {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Benches {
    /// Makes benches for the threads of the present pool.
    pub(crate) fn set_up(&mut self) {
        let count = rayon::current_num_threads().max(self.0.len());
        self.0.resize_with(count, Mutex::default);
    }

    /// Returns how long deciding took on all benches since this was last asked.
    pub(crate) fn take_time(&mut self) -> DecisionTime {
        let mut all = DecisionTime::default();
        for bench in &mut self.0 {
            let bench = bench.get_mut().unwrap_or_else(PoisonError::into_inner);
            all.add(&core::mem::take(&mut bench.time));
        }
        all
    }

    /// Returns the bench of the present thread.
    pub(crate) fn take(&self) -> MutexGuard<'_, Bench> {
        let thread = rayon::current_thread_index().unwrap_or(0) % self.0.len();
        self.0[thread]
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sorted agents that decide one after the other, and what they note their contacts in.
pub(crate) struct Deciders<'a> {
    pub(crate) bench: &'a mut Bench,
    pub(crate) around: &'a Surroundings<'a>,
    pub(crate) deciders: &'a [u32],
    pub(crate) decisions: &'a mut [Decision],
    pub(crate) contacts: &'a mut Contacts,
    pub(crate) clock: Clock,
}

/// Returns the number of agents from which on it takes less time to decide abreast: never, if a vector takes more registers
/// than one. Then there are too few of them.
fn least_abreast<L: Lanes8>() -> u32 {
    if L::REGISTERS == 1 { 3 } else { u32::MAX }
}

impl<S: Simd<F32: Lanes8>> Kernel<S> for Deciders<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self, simd: S) {
        self.decide::<S::F32>(simd, least_abreast::<S::F32>());
    }
}

impl Deciders<'_> {
    /// Lets all decide, abreast those who can if they are `least` or more.
    #[inline(always)]
    fn decide<L: Lanes8>(self, simd: L::Simd, least: u32) {
        let (around, deciders) = (self.around, self.deciders);
        let mut floor = Floor {
            bench: self.bench,
            contacts: self.contacts,
            decisions: self.decisions,
            walkers: [const { None }; SEATS],
            places: [0; SEATS],
            free: (0..SEATS).collect(),
            waiting: SmallVec::new(),
        };
        let grid = around.grid;
        floor.contacts.clear(grid.order.len(), grid.common_share());
        let (mut place, mut sharers) = (0, 0);
        let mut watch = None;
        loop {
            let is_last = place == deciders.len();
            let fresh = !is_last && floor.waiting.len() < LANES;
            let mut seats = Seats::new();
            if fresh {
                let count = LANES.min(deciders.len() - place);
                let free = floor.free.len().saturating_sub(count);
                seats.extend(floor.free.drain(free..));
                floor.bench.time.rest += watch.as_mut().map_or(0, Stopwatch::lap);
                watch = (place % TIMED == 0).then(|| Stopwatch::new(self.clock));
                sharers = floor.look::<L>(simd, around, &seats, &deciders[place..], sharers);
                floor.bench.time.neighbors += watch.as_mut().map_or(0, Stopwatch::lap);
                for (&seat, &own) in seats.iter().zip(&deciders[place..]) {
                    floor.seat::<L>(simd, around, seat, own, place);
                    place += 1;
                }
                floor.contacts.begin();
            } else {
                let count = floor.waiting.len().min(LANES);
                seats.extend(floor.waiting.drain(..count));
            }
            if seats.is_empty() {
                break;
            }
            floor.decide::<L>(simd, least, &seats, fresh);
        }
        floor.bench.time.rest += watch.as_mut().map_or(0, Stopwatch::lap);
    }
}

/// Seats of some agents, one to a lane.
type Seats = SmallVec<[usize; LANES]>;

/// Agents on their way to a decision.
struct Floor<'a> {
    bench: &'a mut Bench,
    contacts: &'a mut Contacts,
    decisions: &'a mut [Decision],
    /// Who is in each seat, and the place of its decision.
    walkers: [Option<Walker<'a>>; SEATS],
    places: [usize; SEATS],
    /// Seats that nobody is in, and those of whoever waits; with those of eight who decide there are as many as seats.
    free: SmallVec<[usize; SEATS]>,
    waiting: SmallVec<[usize; SEATS]>,
}

impl<'a> Floor<'a> {
    /// Finds the neighbours of the `first` sorted agents, one for each seat, of whom so many as `sharers` tells share the
    /// present window; returns how many of those behind them do.
    ///
    /// While those whom one has found are looked up, those of the one before are measured, and those of the one before
    /// that put in order.
    #[inline(always)]
    fn look<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        around: &Surroundings<'_>,
        seats: &Seats,
        first: &[u32],
        mut sharers: usize,
    ) -> usize {
        let Bench {
            scratches, sights, ..
        } = &mut *self.bench;
        let looks = &mut sights.looks;
        for lane in 0..seats.len() + 2 {
            if lane < seats.len() {
                let rest = &first[lane..];
                if sharers == 0 {
                    sharers = looks.share::<L>(simd, around, rest);
                }
                sharers -= 1;
                looks.begin::<L>(simd, around, lane, rest[0]);
            }
            if (1..=seats.len()).contains(&lane) {
                looks.measure::<L>(simd, around, lane - 1);
            }
            if let Some(last) = lane.checked_sub(2) {
                let scratch = &mut scratches[seats[last]];
                scratch.reach = looks.finish::<L>(simd, around, last, &mut scratch.neighbors);
            }
        }
        sharers
    }

    /// Gives a seat to a sorted agent, who has found its neighbours, and lets it look around.
    #[inline(always)]
    fn seat<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        around: &'a Surroundings<'a>,
        seat: usize,
        own: u32,
        place: usize,
    ) {
        let walker = self.walkers[seat].insert(Walker::new(around, own as usize));
        let (scratch, sights) = (&mut self.bench.scratches[seat], &mut self.bench.sights);
        walker.look_about::<L>(simd, scratch, sights);
        self.places[seat] = place;
    }

    /// Lets agents decide: abreast those who can, if they are `least` or more. Whoever has to look less far ahead waits
    /// for others. The contacts of those who are `fresh` are noted.
    #[inline(always)]
    fn decide<L: Lanes8>(&mut self, simd: L::Simd, least: u32, seats: &Seats, fresh: bool) {
        let Bench {
            scratches, abreast, ..
        } = &mut *self.bench;
        let party = Party::of(&self.walkers, scratches, seats);
        let noted = fresh.then_some(&mut *self.contacts);
        abreast.decide::<L>(simd, least, &party, noted);
        let ways = &abreast.ways;
        for (lane, (&seat, way)) in seats.iter().zip(&ways.each).enumerate() {
            let (scratch, walker) = (&mut scratches[seat], &self.walkers[seat]);
            let Some(walker) = walker else { continue };
            let level = scratch.plan.level;
            let decision = match way {
                Way::Found => scratch.decision(ways.choice(lane, walker)),
                Way::Closer => {
                    scratch.plan.level = level + 1;
                    self.waiting.push(seat);
                    continue;
                }
                Way::Alone | Way::FirstAlone => {
                    let is_new = fresh && matches!(way, Way::FirstAlone);
                    let noted = is_new.then_some((&mut *self.contacts, lane));
                    walker.decide::<L>(simd, scratch, noted, level)
                }
            };
            self.decisions[self.places[seat]] = decision;
            self.free.push(seat);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::{AgentDef, Model};
    use crate::edge_tree::EdgeTree;
    use crate::grid::Grid;
    use crate::store::Store;
    use cairn2d_geometry::math::vec2;
    use cairn2d_simd::{BASELINE8, Level};
    use proptest::prelude::*;

    /// Lets all agents decide, in eights or each alone; returns what can be seen of it.
    struct Decide<'a>(&'a Surroundings<'a>, bool);

    impl<S: Simd<F32: Lanes8>> Kernel<S> for Decide<'_> {
        type Output = String;
        #[inline(always)]
        fn run(self, simd: S) -> String {
            let Self(around, alone) = self;
            let (mut contacts, bench) = (Contacts::default(), &mut Bench::default());
            let deciders: Vec<u32> = (0..around.store.len() as u32).collect();
            let mut decisions = vec![Decision::default(); deciders.len()];
            if alone {
                contacts.clear(deciders.len(), around.grid.common_share());
                for (own, decision) in decisions.iter_mut().enumerate() {
                    if own % LANES == 0 {
                        contacts.begin();
                    }
                    let (walker, scratch) = (Walker::new(around, own), &mut bench.scratches[0]);
                    walker.see::<S::F32>(simd, scratch, &mut Sights::default());
                    let (noted, level) = ((&mut contacts, own % LANES), scratch.plan.level);
                    *decision = walker.decide::<S::F32>(simd, scratch, Some(noted), level);
                }
            } else {
                let all = Deciders {
                    bench,
                    around,
                    deciders: &deciders,
                    decisions: &mut decisions,
                    contacts: &mut contacts,
                    clock: || 0,
                };
                all.decide::<S::F32>(simd, 1);
            }
            format!("{decisions:?} {:?}", contacts.listed())
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// Agents abreast decide as each does alone, at every width: in throngs and where there is room, with others
        /// on the same spot, with weights, limits of acceleration and turns, and other models among them.
        #[test]
        fn abreast_they_decide_as_each_alone(
            agents in proptest::collection::vec(
                ((0u8..40, 0u8..12), (-1.5f32..1.5, -1.5f32..1.5), (-1.0f32..1.0, -1.0f32..1.0), 0.1f32..0.6, 0u8..12, 0u8..6),
                1..60),
            spread in 0.2f32..1.5, uniform in any::<bool>(),
        ) {
            let mut store = Store::default();
            for &(at, v, wish, radius, limit, kind) in &agents {
                let kind = if uniform { 0 } else { kind };
                let plain = AgentDef::at((f32::from(at.0) * spread, f32::from(at.1) * spread));
                store.insert(&AgentDef {
                    velocity: vec2(v.0, v.1),
                    preferred_velocity: vec2(wish.0, wish.1),
                    radius,
                    neighbor_limit: limit.into(),
                    model: if kind == 1 { Model::Reciprocal } else { Model::Orca },
                    max_acceleration: if kind == 2 { 3.0 } else { f32::INFINITY },
                    max_turn_rate: if kind == 3 { 1.0 } else { f32::INFINITY },
                    weight: if kind == 4 { 0.0 } else { 1.0 },
                    ..plain
                });
            }
            for (row, agent) in agents.iter().enumerate() {
                let memory = &mut store.memory[row];
                memory.turn = [0.0, 0.2, 0.9, 1.5][usize::from(agent.5) % 4];
                memory.level = agent.4 % 5;
                memory.wanted = vec2(agent.2.0, agent.2.1);
            }
            store.reach.fill(2.0);
            let mut grid = Grid::default();
            grid.build(&store, 3.0);
            let walls = EdgeTree::default();
            let around = Surroundings { store: &store, grid: &grid, walls: [&walls; 2], step: 0.1 };
            let want = Level::Baseline(BASELINE8).enter(Decide(&around, true));
            for width in Level::available() {
                prop_assert_eq!(&width.enter(Decide(&around, false)), &want);
                prop_assert_eq!(&width.enter(Decide(&around, true)), &want);
            }
        }
    }
}
