//! The closed form for rectangles against the general polygon pair, as twins.

use cairn2d_geometry::math::{Point, Pose, point, pose};
use cairn2d_geometry::{Manifold, ManifoldCache, Polygon, Shape, collide};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Rectangle by its own constructor, and as the hull of its corners.
fn twins(hx: f32, hy: f32, at: Point, angle: f32, radius: f32) -> (Shape, Shape) {
    let fast = if radius > 1e-3 {
        Polygon::rounded_rectangle(hx, hy, radius)
    } else {
        Polygon::offset_rectangle(hx, hy, at, angle)
    };
    let slow = Polygon::rounded_hull(fast.vertices(), fast.radius());
    (fast.into(), slow.into())
}

fn ask(a: &Shape, b: &Shape, b_in_a: &Pose) -> Manifold {
    collide(a, b, b_in_a, &mut ManifoldCache::default())
}

/// Says whether each point of `m` that is not at the edge of reach is in `n`.
fn is_covered(m: &Manifold, n: &Manifold, tol: f32) -> bool {
    m.points().iter().all(|p| {
        p.separation > 0.0195
            || n.points().iter().any(|q| {
                (p.point - q.point).norm() < tol && (p.separation - q.separation).abs() < tol
            })
    })
}

/// The same cases on every run.
fn repeatable(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(20_261_121),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(repeatable(20_000))]

    #[test]
    fn rectangles_are_polygons(
        sizes in prop::array::uniform4(0.1_f32..2.0),
        centers in prop::array::uniform4(-1.0_f32..1.0),
        angles in prop::array::uniform3(-3.1_f32..3.1),
        place in (-3.0_f32..3.0, -3.0_f32..3.0),
        radii in prop::array::uniform2(-0.1_f32..0.2),
    ) {
        let (a, slow_a) = twins(sizes[0], sizes[1], point(centers[0], centers[1]), angles[0], radii[0]);
        let (b, slow_b) = twins(sizes[2], sizes[3], point(centers[2], centers[3]), angles[1], radii[1]);
        let b_in_a = pose(place.0, place.1, angles[2]);
        let (fast, slow) = (ask(&a, &b, &b_in_a), ask(&slow_a, &slow_b, &b_in_a));
        match (fast.min_separation(), slow.min_separation()) {
            // Both are exact up to the tolerance with which a face is preferred.
            (Some(x), Some(y)) => prop_assert!((x - y).abs() < 1.2e-4, "{fast:?} {slow:?}"),
            (None, None) => (),
            (x, y) => prop_assert!(x.or(y).unwrap() > 0.0195, "{fast:?} {slow:?}"),
        }
        if (fast.normal - slow.normal).norm() < 1e-4 {
            prop_assert!(is_covered(&fast, &slow, 2e-3) && is_covered(&slow, &fast, 2e-3), "{fast:?} {slow:?}");
        }
    }
}
