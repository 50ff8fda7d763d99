//! Convex hull: strictly convex, and every point inside.
#![no_main]
use cairn2d_geometry::{convex_hull, orientation_of_points};
use cairn2d_geometry_fuzz::Input;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut points = Input(data).points();
    let hull = convex_hull(&points);
    points.retain(|p| p.coords.iter().all(|x| x.is_finite()));
    let n = hull.len();
    for i in 0..n {
        let (p, q, r) = (hull[i], hull[(i + 1) % n], hull[(i + 2) % n]);
        assert!(n < 3 || orientation_of_points(&p, &q, &r) > 0.0);
        for inner in &points {
            assert!(n < 3 || orientation_of_points(&p, &q, inner) >= 0.0);
        }
    }
    points.reverse();
    assert_eq!(convex_hull(&points), hull);
    assert_eq!(convex_hull(&hull), hull);
});
