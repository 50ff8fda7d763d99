//! Outlines of any kind: checks, clean-up, containment, sums and intersections do not panic.
#![no_main]
use cairn2d_geometry::math::Pose;
use cairn2d_geometry::*;
use cairn2d_geometry_fuzz::Input;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut input = Input(data);
    let (a, b, p) = (input.points(), input.points(), input.point());
    let _ = (check_outline(&a), centroid(&a), outline_contains(&a, &p));
    let clean = cleaned_outline(&a);
    assert!(clean.len() <= a.len());
    let (a, b) = (convex_hull(&a), convex_hull(&b));
    let _ = (
        minkowski_sum(&a, &b),
        minkowski_difference(&a, &b, &Pose::identity()),
    );
    let _ = (
        convex_intersection(&a, &b, &Pose::identity()),
        offset_outline(&a, 0.5),
    );
    if let [p, q, r, s, ..] = a[..] {
        let _ = (
            segment_intersection(&p, &r, &q, &s),
            line_intersection(&p, &q, &r, &s),
        );
    }
});
