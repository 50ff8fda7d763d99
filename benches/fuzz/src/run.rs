//! Runs episodes, reports failures, and leaves out the calls that a failure does not need.

use crate::episode::{Episode, message_of};
use crate::journal::Journaling;
use core::cell::RefCell;
use core::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Options of a run.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Seed of all random numbers.
    pub seed: u64,
    /// Calls in all.
    pub calls: u64,
    /// Calls of an episode.
    pub episode_calls: u64,
    /// The episode to begin with.
    pub first_episode: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            seed: 1,
            calls: 100_000,
            episode_calls: 1000,
            first_episode: 0,
        }
    }
}

/// A panic in an episode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The seed.
    pub seed: u64,
    /// The episode.
    pub episode: u64,
    /// The call in which it panicked.
    pub call: u64,
    /// The file and line of the panic.
    pub place: String,
    /// Message of the panic.
    pub message: String,
    /// The last calls before it, empty unless it was replayed.
    pub journal: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "seed {}, episode {}, call {}: {} at {}",
            self.seed, self.episode, self.call, self.message, self.place
        )?;
        f.write_str(&self.journal)
    }
}

thread_local! {
    /// Location of the last panic of this thread.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Lets panics be noted instead of printed: documented refusals are panics, and there are many of them.
fn silence_panics() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string);
        PLACE.with_borrow_mut(|last| *last = place.unwrap_or_default());
    }));
}

/// Runs one episode with the calls that `keeps` names.
fn run_episode(
    plan: &Plan,
    episode: u64,
    journaling: Journaling,
    keeps: impl Fn(u64) -> bool,
) -> Result<(), Box<Failure>> {
    const LINES: usize = 60;
    let mut state = None;
    let mut last = 0;
    let ran = catch_unwind(AssertUnwindSafe(|| {
        let world = state.insert(Episode::start(plan.seed, episode, journaling));
        for call in (0..plan.episode_calls).filter(|&call| keeps(call)) {
            last = call;
            world.call(call);
        }
        last = plan.episode_calls;
        world.assert_consistent();
        world.assert_repeats();
    }));
    let Err(payload) = ran else {
        return Ok(());
    };
    Err(Box::new(Failure {
        seed: plan.seed,
        episode,
        call: last,
        place: PLACE.with_borrow(Clone::clone),
        message: message_of(payload.as_ref()),
        journal: state.map_or_else(String::new, |episode| episode.journal.tail(LINES)),
    }))
}

/// Runs all episodes of a plan, and returns the first failure at each place. `report` gets each of these as it is found.
pub fn fuzz(plan: &Plan, mut report: impl FnMut(&Failure)) -> Vec<Failure> {
    silence_panics();
    let mut found: Vec<Failure> = Vec::new();
    let episodes = plan.calls.div_ceil(plan.episode_calls);
    for episode in plan.first_episode..plan.first_episode + episodes {
        let Err(failure) = run_episode(plan, episode, Journaling::Off, |_| true) else {
            continue;
        };
        if found.iter().all(|other| other.place != failure.place) {
            report(&failure);
            found.push(*failure);
        }
    }
    found
}

/// Runs one episode again and writes its calls down; `None` if it does not fail.
#[must_use]
pub fn replay(plan: &Plan, episode: u64) -> Option<Failure> {
    silence_panics();
    let ran = run_episode(plan, episode, Journaling::On, |_| true);
    ran.err().map(|failure| *failure)
}

/// Removes calls from an episode while it still fails at the same place. Returns the failure of the remaining calls.
#[must_use]
pub fn shrink(plan: &Plan, episode: u64) -> Option<Failure> {
    let first = replay(plan, episode)?;
    let mut kept: Vec<u64> = (0..plan.episode_calls.min(first.call + 1)).collect();
    let fails = |kept: &[u64], journaling| {
        let ran = run_episode(plan, episode, journaling, |call| {
            kept.binary_search(&call).is_ok()
        });
        ran.err().filter(|failure| failure.place == first.place)
    };
    let mut chunk = kept.len().div_ceil(2);
    while chunk > 0 {
        let mut start = 0;
        while start < kept.len() {
            let end = (start + chunk).min(kept.len());
            let rest = [&kept[..start], &kept[end..]].concat();
            if fails(&rest, Journaling::Off).is_some() {
                kept = rest;
            } else {
                start = end;
            }
        }
        chunk /= 2;
    }
    fails(&kept, Journaling::On).map(|failure| *failure)
}
