//! Penetration of two shapes: moving B out by it leaves the shapes touching.
#![no_main]
use cairn2d_geometry::math::Pose;
use cairn2d_geometry::{Shape, SimplexCache, distance, penetration};
use cairn2d_geometry_fuzz::{Input, is_unit, scale, show};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut input = Input(data);
    let (Some(a), Some(b), Some(pose)) = (input.shape(), input.shape(), input.pose()) else {
        return;
    };
    show(&[&a, &b, &pose]);
    let Some(overlap) = penetration(&a, &b, &pose) else {
        return;
    };
    assert!(overlap.depth >= 0.0 && is_unit(&overlap.normal));
    let is_smooth = [&a, &b].iter().any(|s| matches!(s, Shape::Ellipse(_)));
    assert!(overlap.converged || is_smooth);
    let tol = 1e-5 * scale(&a, &b, &pose);
    let out = pose.translation.vector + overlap.push_apart();
    let out = Pose::from_parts(out.into(), pose.rotation);
    let apart = distance(&a, &b, &out, &mut SimplexCache::default());
    assert!(apart.distance <= tol, "{overlap:?} leaves {apart:?}");
    let still = penetration(&a, &b, &out).map_or(0.0, |rest| rest.depth);
    assert!(still <= tol, "{overlap:?} leaves {still}");
});
