//! A short run of the soak test.

use cairn2d_fuzz::{Churn, Counting, soak};

#[global_allocator]
static ALLOCATOR: Counting = Counting::new();

#[test]
fn world_whose_bodies_come_and_go_does_not_grow() {
    let churn = Churn {
        steps: 24_000,
        seed: 1,
    };
    let growth = soak(&churn, || ALLOCATOR.live_bytes(), |_, _| {});
    assert!(growth.is_flat(), "{growth:?}");
}
