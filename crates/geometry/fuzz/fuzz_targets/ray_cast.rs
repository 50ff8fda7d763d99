//! Ray casts: the hit lies on the surface, and nothing is hit before it.
#![no_main]
use cairn2d_geometry::math::Point;
use cairn2d_geometry::{Ray, Shape};
use cairn2d_geometry_fuzz::{Input, show};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut input = Input(data);
    let Some(shape) = input.shape() else { return };
    let mut ray = Ray::new(input.point(), input.vector());
    ray.max_fraction = input.number();
    if !ray.is_valid() || ray.origin.coords.amax() > 1e6 || ray.translation.amax() > 1e6 {
        return;
    }
    show(&[&shape, &ray]);
    let Some(hit) = shape.ray_cast(&ray) else {
        return;
    };
    assert!(hit.fraction >= 0.0 && hit.fraction <= ray.max_fraction);
    let scale = 1.0
        + shape.extent_about(&Point::origin())
        + ray.origin.coords.amax()
        + ray.translation.amax() * hit.fraction;
    if hit.fraction == 0.0 {
        return;
    }
    assert!((hit.normal.norm() - 1.0).abs() < 1e-4, "{hit:?}");
    assert!(hit.normal.dot(&ray.translation) <= 1e-5 * ray.translation.norm());
    let off = shape.project(&hit.point).separation.abs();
    assert!(off <= 1e-5 * scale, "{hit:?} is {off} off");
    if !matches!(shape, Shape::Segment(_) | Shape::ChainSegment(_)) {
        let before = ray.at(hit.fraction * 0.5);
        let separation = shape.project(&before).separation;
        assert!(separation >= -1e-5 * scale, "{hit:?} is late: {separation}");
    }
});
