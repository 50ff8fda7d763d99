//! Times of the parts of a step.

/// Reads a clock: nanoseconds since a fixed moment. The crate itself has none.
pub type Clock = fn() -> u64;

/// Times of the parts of the last [`Crowd::solve`](crate::Crowd::solve) \[ns\]; all 0 without a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
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

/// Returns the time since the last call [ns]; 0 without a clock, or if the clock goes back.
pub(crate) fn lap(clock: Option<Clock>, last: &mut u64) -> u64 {
    let now = clock.map_or(0, |clock| clock());
    now.saturating_sub(core::mem::replace(last, now))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laps_do_not_wrap_where_a_clock_goes_back() {
        let mut last = 3;
        assert_eq!(
            [lap(Some(|| 7), &mut last), lap(Some(|| 5), &mut last)],
            [4, 0]
        );
        assert_eq!(lap(None, &mut last), 0);
    }
}
