//! Spatial queries.

use crate::common::*;
use bevy_app::prelude::*;
use bevy_cairn2d::prelude::*;
use bevy_ecs::prelude::*;
use bevy_ecs::system::RunSystemOnce;
use bevy_math::{Rect, Vec2};
use cairn2d::{BodyKinds, Circle, Polygon, Shape};

/// Balls at x = 2, 4 and 6, the second as a child of a body at x = 1, the third static.
fn row() -> (App, [Entity; 3], Entity) {
    let mut app = weightless();
    let first = spawn(
        &mut app,
        (RigidBody::Dynamic, Collider::circle(0.5), at(2.0, 0.0)),
    );
    let body = spawn(&mut app, (RigidBody::Dynamic, at(1.0, 0.0)));
    let child = spawn(
        &mut app,
        (
            Collider::circle(0.5),
            at(3.0, 0.0),
            ChildOf(body),
            CollisionFilter::new(2, u64::MAX),
        ),
    );
    let last = spawn(
        &mut app,
        (RigidBody::Static, Collider::circle(0.5), at(6.0, 0.0)),
    );
    run(&mut app, 1);
    (app, [first, child, last], body)
}

fn ask<T: 'static>(
    app: &mut App,
    question: impl Fn(&SpatialQuery) -> T + Send + Sync + 'static,
) -> T {
    app.world_mut()
        .run_system_once(move |space: SpatialQuery| question(&space))
        .unwrap()
}

#[test]
fn rays_hit_entities_in_order() {
    let (mut app, balls, body) = row();
    let ray = (Vec2::ZERO, Vec2::new(10.0, 0.0));
    let all = ask(&mut app, move |space| {
        space.cast_ray_all(ray.0, ray.1, &SpatialFilter::default())
    });
    assert_eq!(
        all.iter().map(|hit| hit.collider).collect::<Vec<_>>(),
        balls
    );
    assert_eq!(all[1].body, body);
    let first = ask(&mut app, move |space| {
        space.cast_ray(ray.0, ray.1, &SpatialFilter::default())
    })
    .unwrap();
    assert_eq!(first, all[0]);
    assert!((first.point - Vec2::new(1.5, 0.0)).length() < 1.0e-5);
    assert!((first.fraction - 0.15).abs() < 1.0e-6 && first.normal == Vec2::new(-1.0, 0.0));
}

#[test]
fn filters_name_entities_categories_and_kinds() {
    let (mut app, balls, body) = row();
    let hit = move |filter: fn(&[Entity]) -> SpatialFilter<'_>, exclude: Vec<Entity>| {
        move |space: &SpatialQuery| {
            let hit = space.cast_ray(Vec2::ZERO, Vec2::new(10.0, 0.0), &filter(&exclude));
            hit.map(|hit| hit.collider)
        }
    };
    fn all(exclude: &[Entity]) -> SpatialFilter<'_> {
        SpatialFilter::excluding(exclude)
    }
    fn fixed(exclude: &[Entity]) -> SpatialFilter<'_> {
        SpatialFilter::excluding(exclude).kinds(BodyKinds::FIXED)
    }
    assert_eq!(ask(&mut app, hit(all, vec![balls[0]])), Some(balls[1]));
    // All colliders of a body.
    assert_eq!(
        ask(&mut app, hit(all, vec![balls[0], body])),
        Some(balls[2])
    );
    assert_eq!(
        ask(
            &mut app,
            hit(|e| SpatialFilter::excluding(e).mask(2), vec![])
        ),
        Some(balls[1])
    );
    assert_eq!(ask(&mut app, hit(fixed, vec![])), Some(balls[2]));
    let third = ask(&mut app, move |space| {
        let accept = |entity| entity == balls[2];
        let filter = SpatialFilter {
            accept: Some(&accept),
            ..Default::default()
        };
        space
            .cast_ray(Vec2::ZERO, Vec2::new(10.0, 0.0), &filter)
            .map(|hit| hit.collider)
    });
    assert_eq!(third, Some(balls[2]));
}

#[test]
fn cast_shapes_overlaps_and_closest_points_name_entities() {
    let (mut app, balls, body) = row();
    let cast = ask(&mut app, |space| {
        let probe = Shape::from(Circle::of_radius(0.25));
        space.cast_shape(
            &probe,
            (Vec2::new(0.0, 0.1), 0.0),
            Vec2::new(10.0, 0.0),
            &SpatialFilter::default(),
        )
    });
    let cast = cast.unwrap();
    assert_eq!(cast.collider, balls[0]);
    // Centers are 0.75 m apart at the hit, 0.1 m of it upward.
    assert!((cast.fraction * 10.0 - (2.0 - (0.5625_f32 - 0.01).sqrt())).abs() < 1.0e-3);
    let overlapping = ask(&mut app, |space| {
        let bar = Shape::from(Polygon::rectangle(1.0, 0.1));
        space.overlapping(&bar, (Vec2::new(3.0, 0.0), 0.0), &SpatialFilter::default())
    });
    assert_eq!(overlapping, balls[..2]);
    let inside = ask(&mut app, |space| {
        space.colliders_at(Vec2::new(4.2, 0.1), &SpatialFilter::default())
    });
    assert_eq!(inside, balls[1..2]);
    let area = Rect::new(3.0, -1.0, 9.0, 1.0);
    let within = ask(&mut app, move |space| {
        space.colliders_in(area, &SpatialFilter::default())
    });
    assert_eq!(within, balls[1..]);
    let closest = ask(&mut app, |space| {
        space.closest(Vec2::new(4.0, 2.0), 5.0, &SpatialFilter::default())
    });
    let closest = closest.unwrap();
    assert_eq!((closest.collider, closest.body), (balls[1], body));
    assert!((closest.distance - 1.5).abs() < 1.0e-5);
    assert!((closest.point - Vec2::new(4.0, 0.5)).length() < 1.0e-5);
}
