//! Distance of two shapes, cold and warm.
#![no_main]
use cairn2d_geometry::{SimplexCache, distance};
use cairn2d_geometry_fuzz::{Input, is_unit, scale, show};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut input = Input(data);
    let (Some(a), Some(b), Some(pose)) = (input.shape(), input.shape(), input.pose()) else {
        return;
    };
    show(&[&a, &b, &pose]);
    let mut cache = SimplexCache::default();
    let cold = distance(&a, &b, &pose, &mut cache);
    let warm = distance(&a, &b, &pose, &mut cache);
    assert!(cold.distance >= 0.0 && cold.converged && warm.converged);
    assert!(cold.distance == 0.0 || is_unit(&cold.normal));
    let tol = 1e-5 * scale(&a, &b, &pose);
    if tol > 1e30 {
        return;
    }
    assert!(
        (cold.distance - warm.distance).abs() <= tol,
        "{cold:?} {warm:?}"
    );
    let back = distance(&b, &a, &pose.inverse(), &mut SimplexCache::default());
    assert!(
        (cold.distance - back.distance).abs() <= tol,
        "{cold:?} {back:?}"
    );
});
