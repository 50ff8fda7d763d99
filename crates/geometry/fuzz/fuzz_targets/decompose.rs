//! Convex pieces: convex, and as large together as the region.
#![no_main]
use cairn2d_geometry::{
    check_outline, convex_pieces, orientation_of_points, signed_area, triangulate,
};
use cairn2d_geometry_fuzz::Input;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut input = Input(data);
    let outline = input.points();
    let hole = input.points();
    let holes: &[&[_]] = if hole.is_empty() { &[] } else { &[&hole] };
    let Ok(pieces) = convex_pieces(&outline, holes) else {
        return;
    };
    let area = |outline: &[_]| check_outline(outline).signed_area.abs();
    let expected = area(&outline) - if hole.is_empty() { 0.0 } else { area(&hole) };
    let far = outline
        .iter()
        .chain(&hole)
        .map(|p| f64::from(p.coords.amax()))
        .fold(0.0, f64::max);
    let scale = far * far;
    let sum: f64 = pieces.iter().map(|p| check_outline(p).signed_area).sum();
    assert!(
        (sum - expected).abs() <= 1e-9 * scale,
        "{sum} is not {expected}: {outline:?} {hole:?}"
    );
    for p in &pieces {
        let n = p.len();
        for i in 0..n {
            assert!(
                orientation_of_points(&p[i], &p[(i + 1) % n], &p[(i + 2) % n]) > 0.0,
                "{p:?}"
            );
        }
    }
    let triangles = triangulate(&outline, holes).unwrap();
    assert!(triangles.iter().all(|t| signed_area(t) >= 0.0));
});
