//! A short run of the soak test.

use cairn2d_fuzz::{Churn, Counting, Load, soak};

#[global_allocator]
static ALLOCATOR: Counting = Counting::new();

/// The warm-up has four times the bodies, not twice as in the long run: it is short, so its peaks are less rare.
#[test]
fn memory_of_a_world_in_churn_is_flat() {
    let load = Load {
        bodies: [5, 20],
        joints: 10,
        joining: 1,
    };
    let warm_up = Load {
        bodies: [5, 80],
        joints: 60,
        joining: 4,
    };
    let churn = Churn {
        steps: 60_000,
        load,
        warm_up,
        swing: 500,
        ..Churn::default()
    };
    let growth = soak(&churn, || ALLOCATOR.live_bytes(), |_, _| {});
    assert!(growth.is_warmed_up(), "{growth:#?}");
    assert!(growth.is_flat(), "{growth:#?}");
}
