//! A short run of the soak test.

use cairn2d_fuzz::{Churn, Counting, soak};

#[global_allocator]
static ALLOCATOR: Counting = Counting::new();

/// Too short a run to be flat: lists still grow to the most that they ever hold. But a list that keeps an entry of 4 bytes in each step
/// would show.
#[test]
fn no_step_of_a_world_in_churn_leaves_something_behind() {
    const LEAST_LEAK: f64 = 4.0;
    let churn = Churn {
        steps: 20_000,
        bodies: [5, 40],
        swing: 500,
        ..Churn::default()
    };
    let growth = soak(&churn, || ALLOCATOR.live_bytes(), |_, _| {});
    assert!(growth.bytes_per_step() < LEAST_LEAK, "{growth:?}");
}
