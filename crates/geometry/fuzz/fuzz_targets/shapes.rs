//! One shape: box, mass, support, projection.
#![no_main]
use cairn2d_geometry::math::{Pose, Vec2};
use cairn2d_geometry_fuzz::{Input, show};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut input = Input(data);
    let (Some(shape), Some(pose)) = (input.shape(), input.pose()) else {
        return;
    };
    show(&[&shape, &pose]);
    let direction = input.vector();
    let p = input.point();
    let aabb = shape.aabb(&pose);
    assert!(aabb.min.x <= aabb.max.x && aabb.min.y <= aabb.max.y);
    let mass = shape.mass(1.0);
    assert!(
        mass.mass >= 0.0 && mass.inertia >= 0.0 && mass.center.coords.iter().all(|x| x.is_finite())
    );
    assert!(
        shape.min_extent() >= 0.0 || shape.min_extent() > -1e-3 * shape.extent_about(&mass.center)
    );
    if direction.iter().all(|x| x.is_finite()) {
        let s = shape.support(&direction);
        let local = shape.aabb(&Pose::identity()).expanded(1e-3);
        assert!(local.contains_point(&s));
        assert!(
            aabb.expanded(1e-6 * (1.0 + pose.translation.vector.amax()))
                .contains_point(&(pose * s))
        );
    }
    if p.coords.iter().all(|x| x.is_finite()) {
        let on = shape.project(&p);
        assert!((on.normal.norm() - 1.0).abs() < 1e-4);
        assert_ne!(on.normal, Vec2::zeros());
        let _ = shape.contains(&p);
    }
});
