//! Manifolds: unit normals, finite points, the least separation that of the shapes.
#![no_main]
use cairn2d_geometry::tolerance::SPECULATIVE_DISTANCE;
use cairn2d_geometry::{ManifoldCache, Shape, SimplexCache, collide, distance, penetration};
use cairn2d_geometry_fuzz::{Input, is_unit, scale, show};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut input = Input(data);
    let (Some(a), Some(b), Some(pose)) = (input.shape(), input.shape(), input.pose()) else {
        return;
    };
    show(&[&a, &b, &pose]);
    let mut cache = ManifoldCache::default();
    let manifold = collide(&a, &b, &pose, &mut cache);
    for p in manifold.points() {
        assert!(is_unit(&manifold.normal));
        assert!(p.point.coords.iter().all(|x| x.is_finite()));
        assert!(p.separation <= SPECULATIVE_DISTANCE);
    }
    if matches!(a, Shape::ChainSegment(_)) || matches!(b, Shape::ChainSegment(_)) {
        return;
    }
    let again = collide(&a, &b, &pose, &mut cache);
    let tol = 2e-4 + 1e-5 * scale(&a, &b, &pose);
    let gap = match penetration(&a, &b, &pose) {
        Some(overlap) => -overlap.depth,
        None => distance(&a, &b, &pose, &mut SimplexCache::default()).distance,
    };
    // Both against the gap, and not against each other: at the end of the reach either may be empty.
    for manifold in [manifold, again] {
        match manifold.min_separation() {
            Some(least) => assert!((least - gap).abs() <= tol, "{manifold:?} but {gap}"),
            None => assert!(gap >= SPECULATIVE_DISTANCE - tol, "empty but {gap}"),
        }
    }
});
