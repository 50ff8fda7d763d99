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
