//! The clock of the standard library, for the profile of a world.

use std::sync::OnceLock;
use std::time::Instant;

/// Returns the time since the first call \[ns\].
///
/// Set in [`WorldDef::clock`](crate::WorldDef::clock), it times the stages of each step. Not for targets
/// without a clock, such as bare wasm.
#[must_use]
pub fn std_clock() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_does_not_run_backwards() {
        let first = std_clock();
        assert!(std_clock() >= first);
    }
}
