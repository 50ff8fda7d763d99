//! Shape casts: touching at the hit, apart before it.
#![no_main]
use cairn2d_geometry::math::Pose;
use cairn2d_geometry::{SimplexCache, distance, penetration, shape_cast};
use cairn2d_geometry_fuzz::{Input, is_unit, scale, show};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut input = Input(data);
    let (Some(a), Some(b), Some(pose)) = (input.shape(), input.shape(), input.pose()) else {
        return;
    };
    show(&[&a, &b, &pose]);
    let step = input.vector();
    if !step.iter().all(|x| x.abs() < 1e6) {
        return;
    }
    let Some(hit) = shape_cast(&a, &b, &pose, step, 1.0) else {
        return;
    };
    assert!((0.0..=1.0).contains(&hit.fraction) && is_unit(&hit.normal));
    assert!(hit.point.coords.iter().all(|x| x.is_finite()));
    if hit.fraction == 0.0 {
        return;
    }
    let tol = 1e-5 * (scale(&a, &b, &pose) + step.amax());
    let at = |fraction: f32| {
        Pose::from_parts(
            (pose.translation.vector + step * fraction).into(),
            pose.rotation,
        )
    };
    let there = distance(&a, &b, &at(hit.fraction), &mut SimplexCache::default());
    assert!(
        there.distance <= tol || !hit.converged,
        "{hit:?} is {there:?}"
    );
    for share in [0.25, 0.5, 0.75] {
        let depth = penetration(&a, &b, &at(hit.fraction * share)).map_or(0.0, |p| p.depth);
        assert!(depth <= tol, "{hit:?} is late: {depth}");
    }
});
