//! Times of the parts of a step.

/// A clock [ns] with any origin. The crate itself has none.
pub type Clock = fn() -> u64;

/// Times of the parts of [`Crowd::solve_timed`](crate::Crowd::solve_timed) \[ns\].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CrowdProfile {
    /// Update of moving obstacles, and sort of the agents by position.
    pub index: u64,
    /// Neighbor searches and decisions of all agents.
    pub decisions: u64,
    /// Part of the decisions that neighbor searches take: estimated from a fifth of the agents, on all threads.
    pub neighbors: u64,
    /// Joint solution of all contacts.
    pub contacts: u64,
    /// Storing of the decisions, and events.
    pub record: u64,
}

/// Measures the time between calls.
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

    /// Returns the time since the last call, or since the start [ns].
    pub(crate) fn lap(&mut self) -> u64 {
        let now = (self.clock)();
        now.saturating_sub(core::mem::replace(&mut self.last, now))
    }
}

/// Times of the timed decisions [ns].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DecisionTime {
    /// Neighbor searches, and all the rest.
    pub(crate) neighbors: u64,
    pub(crate) rest: u64,
}

impl DecisionTime {
    /// Adds the times of another thread.
    pub(crate) fn add(&mut self, other: &Self) {
        self.neighbors += other.neighbors;
        self.rest += other.rest;
    }

    /// Returns the part of a time that neighbor searches took [ns].
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
