//! A thread's working memory, and the agents who decide on it: eight at a time, and again those for whom the horizon was
//! too long, as soon as there are eight of them.

use crate::abreast::{Abreast, Party, Way};
use crate::contacts::Contacts;
use crate::neighbors::share;
use crate::simd::{Kernel, LANES, Lanes};
use crate::steer::{Decision, Scratch, Sights, Walker};
use crate::surroundings::Surroundings;
use smallvec::SmallVec;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Places for those who decide now, and for those who wait for others to look less far ahead with.
const SEATS: usize = 2 * LANES;

/// Working memory of one thread.
#[derive(Debug, Default)]
pub(crate) struct Bench {
    /// One for each seat.
    scratches: [Scratch; SEATS],
    abreast: Abreast,
    /// What is looked at for one agent after the other.
    sights: Sights,
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
}

impl Kernel for Deciders<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
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
        floor.contacts.clear(around.grid.order.len());
        let (mut place, mut sharers) = (0, 0);
        loop {
            let is_last = place == deciders.len();
            let fresh = !is_last && floor.waiting.len() < LANES;
            let mut seats = Seats::new();
            if fresh {
                for &own in deciders[place..].iter().take(LANES) {
                    if sharers == 0 {
                        let window = &mut floor.bench.sights.windows.shared;
                        sharers = share(around, window, &deciders[place..]);
                    }
                    sharers -= 1;
                    seats.extend(floor.seat::<L>(around, own, place));
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
            floor.decide::<L>(&seats, fresh);
        }
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
    /// Gives a seat to a sorted agent, and lets it look around.
    #[inline(always)]
    fn seat<L: Lanes>(
        &mut self,
        around: &'a Surroundings<'a>,
        own: u32,
        place: usize,
    ) -> Option<usize> {
        let seat = self.free.pop()?;
        let walker = Walker::new(around, own as usize);
        walker.see::<L>(&mut self.bench.scratches[seat], &mut self.bench.sights);
        self.walkers[seat] = Some(walker);
        self.places[seat] = place;
        Some(seat)
    }

    /// Lets agents decide: abreast those who can, if they are enough. Whoever has to look less far ahead waits for
    /// others. The contacts of those who are `fresh` are noted.
    #[inline(always)]
    fn decide<L: Lanes>(&mut self, seats: &Seats, fresh: bool) {
        let Bench {
            scratches, abreast, ..
        } = &mut *self.bench;
        let party = Party::of(&self.walkers, scratches, seats);
        let noted = fresh.then_some(&mut *self.contacts);
        let ways = abreast.decide::<L>(&party, noted);
        for (lane, (&seat, way)) in seats.iter().zip(ways).enumerate() {
            let (scratch, walker) = (&mut scratches[seat], &self.walkers[seat]);
            let Some(walker) = walker else { continue };
            let level = scratch.plan.level;
            let decision = match way {
                Way::Found(velocity, turn) => {
                    scratch.decision(walker.choice(velocity, level, turn, 0, true))
                }
                Way::Closer => {
                    scratch.plan.level = level + 1;
                    self.waiting.push(seat);
                    continue;
                }
                Way::Alone | Way::FirstAlone => {
                    let is_new = fresh && matches!(way, Way::FirstAlone);
                    let noted = is_new.then_some((&mut *self.contacts, lane));
                    walker.decide::<L>(scratch, noted, level)
                }
            };
            self.decisions[self.places[seat]] = decision;
            self.free.push(seat);
        }
    }
}
