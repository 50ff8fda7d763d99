//! Questions with a shape agree with the plain geometry, here and far from the origin.

use approx::assert_abs_diff_eq;
use cairn2d_dynamics::{BodyDef, QueryFilter, ShapeDef, World, WorldDef};
use cairn2d_geometry::math::{Vec2, WorldPoint, point};
use cairn2d_geometry::{Circle, Polygon, Shape};

fn world_with_box_at(base: WorldPoint) -> World {
    let mut world = World::new(WorldDef::default());
    let body = world.create_body(BodyDef {
        position: base,
        ..BodyDef::static_()
    });
    world.create_shape(body, Polygon::rectangle(0.5, 0.5), ShapeDef::default());
    world
}

fn circle(radius: f32) -> Shape {
    Circle::new(point(0.0, 0.0), radius).into()
}

#[test]
fn answers_are_the_same_far_from_the_origin() {
    for base in [WorldPoint::ORIGIN, WorldPoint::new(1.0e7, -1.0e7)] {
        let world = world_with_box_at(base);
        let any = QueryFilter::default();
        let side = base + Vec2::new(0.55, 0.0);
        assert_eq!(world.overlap_shape(&circle(0.1), side, 0.0, any).len(), 1);
        assert_eq!(world.overlap_shape(&circle(0.04), side, 0.0, any).len(), 0);

        let start = base + Vec2::new(-5.0, 0.0);
        let hit = world
            .shape_cast(&circle(0.1), start, 0.0, Vec2::new(10.0, 0.0), any)
            .unwrap();
        assert!((hit.fraction - 0.44).abs() < 1.0e-6, "{}", hit.fraction);
        assert!((hit.point - (base + Vec2::new(-0.5, 0.0))).norm() < 1.0e-5);
        assert!((hit.normal - Vec2::new(-1.0, 0.0)).norm() < 1.0e-6);

        let ray = world.ray_cast(start, Vec2::new(10.0, 0.0), any).unwrap();
        assert_abs_diff_eq!(ray.fraction, 0.45, epsilon = 1.0e-6);
        assert_eq!(world.shapes_at(base + Vec2::new(0.49, 0.49), any).len(), 1);
        assert_eq!(world.shapes_at(base + Vec2::new(0.51, 0.0), any).len(), 0);

        let nearest = world
            .closest_shape(base + Vec2::new(2.5, 0.0), 10.0, any)
            .unwrap();
        assert_abs_diff_eq!(nearest.distance, 2.0, epsilon = 1.0e-5);
        assert!((nearest.point - (base + Vec2::new(0.5, 0.0))).norm() < 1.0e-5);
        assert!(
            world
                .closest_shape(base + Vec2::new(2.5, 0.0), 1.9, any)
                .is_none()
        );
    }
}

#[test]
fn empty_world_answers_nothing() {
    let world = World::new(WorldDef::default());
    let any = QueryFilter::default();
    assert!(world.closest_shape([0.0, 0.0], 1.0e9, any).is_none());
    assert!(
        world
            .shape_cast(&circle(1.0), [0.0, 0.0], 0.0, Vec2::new(1.0, 0.0), any)
            .is_none()
    );
    assert!(
        world
            .overlap_shape(&circle(1.0), [0.0, 0.0], 0.0, any)
            .is_empty()
    );
}

#[test]
fn nonsense_finds_nothing() {
    let world = world_with_box_at(WorldPoint::ORIGIN);
    let any = QueryFilter::default();
    assert!(world.closest_shape([f32::NAN, 0.0], 1.0, any).is_none());
    assert!(world.closest_shape([0.0, 0.0], f32::NAN, any).is_none());
    assert!(
        world
            .shape_cast(&circle(1.0), [0.0, 0.0], f32::NAN, Vec2::zeros(), any)
            .is_none()
    );
    assert!(
        world
            .overlap_shape(&circle(1.0), [f64::INFINITY, 0.0], 0.0, any)
            .is_empty()
    );
    assert!(
        world
            .ray_cast([0.0, 0.0], Vec2::new(f32::INFINITY, 0.0), any)
            .is_none()
    );
}
