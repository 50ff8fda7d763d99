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

#[cfg(test)]
mod tests {
    use super::*;

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
