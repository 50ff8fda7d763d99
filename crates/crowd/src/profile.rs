//! Where the time of a step goes.

/// A clock [ns]: any start will do. The crate itself knows none.
pub type Clock = fn() -> u64;

/// Time that the parts of [`Crowd::solve_timed`](crate::Crowd::solve_timed) took \[ns\].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CrowdProfile {
    /// Moving obstacles, and agents sorted by place.
    pub index: u64,
    /// Every agent finds its neighbours and chooses.
    pub decisions: u64,
    /// Part of the decisions that finding neighbours takes: by the time that it takes a fifth of the agents, on all
    /// threads.
    pub neighbors: u64,
    /// Contacts are settled among all.
    pub contacts: u64,
    /// Decisions are written back to the agents, and events.
    pub record: u64,
}

/// Tells how long it is since it was last asked.
pub(crate) struct Stopwatch {
    clock: Clock,
    last: u64,
}

impl Stopwatch {
    /// Returns a stopwatch that starts now.
    pub(crate) fn new(clock: Clock) -> Self {
        let last = clock();
        Self { clock, last }
    }

    /// Returns the time since this was last asked, or since the start [ns].
    pub(crate) fn lap(&mut self) -> u64 {
        let now = (self.clock)();
        now.saturating_sub(core::mem::replace(&mut self.last, now))
    }
}

/// Time that decisions took of those who are timed [ns].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DecisionTime {
    /// Finding neighbours, and all the rest.
    pub(crate) neighbors: u64,
    pub(crate) rest: u64,
}

impl DecisionTime {
    /// Takes in what it took on another thread.
    pub(crate) fn add(&mut self, other: &Self) {
        self.neighbors += other.neighbors;
        self.rest += other.rest;
    }

    /// Returns the part that finding neighbours took, of a time [ns].
    pub(crate) fn neighbors_of(&self, time: u64) -> u64 {
        let all = (self.neighbors + self.rest).max(1);
        (time as f64 * (self.neighbors as f64 / all as f64)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbors_take_their_part_of_a_time() {
        let mut time = DecisionTime::default();
        assert_eq!(time.neighbors_of(100), 0);
        let (neighbors, rest) = (1, 2);
        time.add(&DecisionTime { neighbors, rest });
        time.add(&DecisionTime { neighbors, rest: 0 });
        assert_eq!(time.neighbors_of(100), 50);
    }

    #[test]
    fn laps_do_not_wrap_where_a_clock_goes_back() {
        let mut watch = Stopwatch {
            clock: || 7,
            last: 3,
        };
        assert_eq!([watch.lap(), watch.lap()], [4, 0]);
        watch.last = 9;
        assert_eq!(watch.lap(), 0);
    }
}
