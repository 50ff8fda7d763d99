//! Time of impact: nothing overlaps before it.
#![no_main]
use cairn2d_geometry::math::Point;
use cairn2d_geometry::{ToiState, penetration, time_of_impact};
use cairn2d_geometry_fuzz::{Input, show};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut input = Input(data);
    let (Some(a), Some(b)) = (input.shape(), input.shape()) else {
        return;
    };
    let (Some(sweep_a), Some(sweep_b)) = (input.sweep(), input.sweep()) else {
        return;
    };
    show(&[&a, &b, &sweep_a, &sweep_b]);
    let impact = time_of_impact(&a, &sweep_a, &b, &sweep_b, 1.0);
    assert!((0.0..=1.0).contains(&impact.fraction));
    assert_ne!(impact.state, ToiState::Unknown);
    let reach = [&sweep_a, &sweep_b]
        .map(|s| s.start.coords.amax() + s.end.coords.amax() + s.local_center.coords.amax());
    let far = |shape: &cairn2d_geometry::Shape| shape.extent_about(&Point::origin());
    let scale = 1.0 + reach[0] + reach[1] + far(&a) + far(&b);
    if !scale.is_finite() || impact.state == ToiState::Overlapped {
        return;
    }
    for i in 0..=16_u8 {
        let fraction = impact.fraction * f32::from(i) / 16.0;
        let pose = sweep_a.pose_at(fraction).inverse() * sweep_b.pose_at(fraction);
        let depth = penetration(&a, &b, &pose).map_or(0.0, |p| p.depth);
        assert!(
            depth <= 1e-5 * scale,
            "{impact:?} overlaps by {depth} at {fraction}"
        );
    }
});
