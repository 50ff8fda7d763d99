//! Rays, points and boxes: what they find, usable straight after creation.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, QueryFilter, RayReport, Sensors, ShapeDef};
use cairn2d_geometry::Aabb;
use cairn2d_geometry::math::{WorldPoint, point, vec2};

fn all() -> QueryFilter {
    QueryFilter::default()
}

#[test]
fn queries_work_relative_to_a_base_far_out() {
    for base in [0.0, 1.0e7, -5.0e8] {
        let mut world = world();
        let at = |x: f64, y: f64| WorldPoint::new(base + x, base + y);
        let def = BodyDef {
            position: at(0.0, 0.0),
            ..BodyDef::fixed()
        };
        let body = solid(&mut world, def, rect(0.5, 0.5));
        let hit = world
            .ray_cast(at(-5.0, 0.25), vec2(10.0, 0.0), all())
            .unwrap();
        assert_eq!(hit.body, body);
        close((hit.point.x - base) as f32, -0.5, 1.0e-6);
        close(hit.fraction, 0.45, 1.0e-6);
        close(hit.normal.x, -1.0, 1.0e-6);
        assert_eq!(world.shapes_at(at(0.49, 0.49), all()).len(), 1);
        assert!(world.shapes_at(at(0.51, 0.0), all()).is_empty());
    }
}

#[test]
fn what_was_removed_is_not_hit_any_more() {
    let mut world = world();
    let survivor = solid(&mut world, BodyDef::fixed().at(0.0, 100.0), disc(0.5));
    for i in 0..20 {
        let x = 10.0 * i as f32;
        let body = solid(&mut world, BodyDef::fixed().at(x, 0.0), disc(0.5));
        step(&mut world);
        world.destroy_body(body);
        assert!(world.ray_cast((x, 5.0), vec2(0.0, -10.0), all()).is_none());
        step(&mut world);
    }
    for i in 0..20 {
        let x = 10.0 * i as f32;
        assert!(world.ray_cast((x, 5.0), vec2(0.0, -10.0), all()).is_none());
        assert!(world.shapes_at((x, 0.0), all()).is_empty());
    }
    let hit = world
        .ray_cast((0.0, 50.0), vec2(0.0, 100.0), all())
        .unwrap();
    assert_eq!(hit.body, survivor);
}

#[test]
fn empty_world_answers_every_query() {
    let world = world();
    assert!(world.ray_cast((0.0, 0.0), vec2(1.0, 0.0), all()).is_none());
    assert!(
        world
            .ray_cast_all((0.0, 0.0), vec2(1.0, 0.0), all())
            .is_empty()
    );
    assert!(world.shapes_at((0.0, 0.0), all()).is_empty());
    let area = Aabb {
        min: point(-1.0, -1.0),
        max: point(1.0, 1.0),
    };
    assert!(world.shapes_near(&area, all()).is_empty());
}

#[test]
fn ray_finds_the_nearest_or_all_or_none_by_filter_and_sensor() {
    let mut world = world();
    let circle = add(
        &mut world,
        BodyDef::fixed().at(1.0, 1.0),
        disc(0.5),
        filtered(2, u64::MAX),
    );
    let plate = add(
        &mut world,
        BodyDef::fixed(),
        rect(0.5, 0.25),
        filtered(1, u64::MAX),
    );
    let (from, way) = ((-1.0, -1.0), vec2(2.0, 2.0));
    let hits = world.ray_cast_all(from, way, all());
    let bodies: Vec<_> = hits.iter().map(|hit| hit.body).collect();
    assert_eq!(bodies, [plate, circle]);
    assert!(hits[0].fraction < hits[1].fraction);
    assert_eq!(world.ray_cast(from, way, all()).unwrap().body, plate);
    let only = QueryFilter { mask: 2, ..all() };
    assert_eq!(world.ray_cast(from, way, only).unwrap().body, circle);
    let nothing = QueryFilter { mask: 4, ..all() };
    assert!(world.ray_cast(from, way, nothing).is_none());
    let short = vec2(0.8, 0.8);
    let found = world.ray_cast_all(from, short, all());
    assert_eq!(found.len(), 1);
    world.body_mut(plate).disable();
    assert_eq!(world.ray_cast_all(from, way, all()).len(), 1);
}

#[test]
fn sensors_are_found_only_on_request() {
    let mut world = world();
    let def = ShapeDef {
        sensor: true,
        ..ShapeDef::default()
    };
    let sensor = add(&mut world, BodyDef::fixed(), disc(0.5), def);
    let with = QueryFilter {
        sensors: Sensors::Included,
        ..all()
    };
    let (from, way) = ((-2.0, 0.0), vec2(4.0, 0.0));
    assert!(world.ray_cast(from, way, all()).is_none());
    assert_eq!(world.ray_cast(from, way, with).unwrap().body, sensor);
    assert!(world.shapes_at((0.0, 0.0), all()).is_empty());
    assert_eq!(world.shapes_at((0.0, 0.0), with).len(), 1);
}

#[test]
fn ray_that_starts_inside_hits_at_once_without_a_normal() {
    let mut world = world();
    let body = solid(&mut world, BodyDef::fixed(), disc(1.0));
    let hit = world.ray_cast((0.2, 0.1), vec2(5.0, 0.0), all()).unwrap();
    assert_eq!((hit.body, hit.fraction), (body, 0.0));
    assert_eq!(hit.normal, vec2(0.0, 0.0));
}

#[test]
fn predicate_passes_over_what_it_does_not_accept() {
    let mut world = world();
    let near = solid(&mut world, BodyDef::fixed().at(2.0, 0.0), disc(0.5));
    let far = solid(&mut world, BodyDef::fixed().at(4.0, 0.0), disc(0.5));
    let near = shape_of(&world, near);
    let (from, way) = ((0.0, 0.0), vec2(10.0, 0.0));
    let accept = |shape| shape != near;
    let hit = world.ray_cast_where(from, way, all(), RayReport::Closest, accept);
    assert_eq!(hit.unwrap().body, far);
    let any = world.ray_cast_where(from, way, all(), RayReport::Any, |_| true);
    assert!(any.is_some());
    let none = world.ray_cast_where(from, way, all(), RayReport::Closest, |_| false);
    assert!(none.is_none());
}

#[test]
fn rays_agree_with_brute_force() {
    let mut world = weightless();
    let mut random = Random::new(9);
    for i in 0..80 {
        let place = random.vector(10.0);
        let def = BodyDef::dynamic()
            .at(place.x, place.y)
            .turned(random.range(-3.0, 3.0));
        match i % 3 {
            0 => solid(&mut world, def, disc(random.range(0.1, 0.8))),
            1 => solid(&mut world, def, rect(random.range(0.1, 1.0), 0.3)),
            _ => solid(&mut world, def, capsule(0.5, 0.2)),
        };
    }
    for round in 0..200 {
        if round % 40 == 20 {
            step(&mut world);
        }
        let (from, way) = (random.vector(12.0), random.vector(12.0));
        let mut expected: Vec<_> = world
            .shapes()
            .filter_map(|shape| {
                let body = world.body(shape.body());
                let ray = cairn2d_geometry::Ray {
                    origin: body.to_local(from),
                    translation: body.rotation().inverse() * way,
                    max_fraction: 1.0,
                };
                let hit = shape.geometry().ray_cast(&ray)?;
                Some((hit.fraction, shape.id()))
            })
            .collect();
        expected.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let found = world.ray_cast_all(from, way, all());
        let ids: Vec<_> = found.iter().map(|hit| hit.shape).collect();
        let wanted: Vec<_> = expected.iter().map(|&(_, id)| id).collect();
        assert_eq!(ids, wanted);
        let nearest = world.ray_cast(from, way, all());
        assert_eq!(nearest.map(|hit| hit.shape), wanted.first().copied());
    }
}

#[test]
fn box_query_finds_at_least_what_overlaps() {
    let mut world = weightless();
    let mut random = Random::new(4);
    for _ in 0..100 {
        let place = random.vector(10.0);
        solid(
            &mut world,
            BodyDef::dynamic().at(place.x, place.y),
            disc(0.3),
        );
    }
    for _ in 0..100 {
        let center = random.vector(10.0);
        let area = Aabb::from_center_half(center.into(), vec2(1.0, 0.5));
        let found = world.shapes_near(&area, all());
        assert!(found.is_sorted());
        for shape in world.shapes() {
            let place = world.body(shape.body()).position();
            let inside = area.contains_point(&place);
            assert!(!inside || found.contains(&shape.id()));
        }
    }
}
