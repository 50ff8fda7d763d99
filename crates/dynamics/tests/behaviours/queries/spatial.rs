//! Queries with rays, points and boxes: their results, also directly after creation.

use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, BodyId, BodyKinds, Mover, QueryFilter, RayQuery, Sensors, ShapeDef, ShapeQuery, World,
    WorldDef,
};
use cairn2d_geometry::math::{Vec2, WorldPoint, point, vec2};
use cairn2d_geometry::{Aabb, Shape};

fn all() -> QueryFilter<'static> {
    QueryFilter::default()
}

#[test]
fn queries_work_relative_to_a_base_far_out() {
    for base in [0.0, 1.0e7, -5.0e8] {
        let mut world = world();
        let at = |x: f64, y: f64| WorldPoint::new(base + x, base + y);
        let def = BodyDef {
            position: at(0.0, 0.0),
            ..BodyDef::static_()
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
    let survivor = solid(
        &mut world,
        BodyDef::static_().position(0.0, 100.0),
        disc(0.5),
    );
    for i in 0..20 {
        let x = 10.0 * i as f32;
        let body = solid(&mut world, BodyDef::static_().position(x, 0.0), disc(0.5));
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
        BodyDef::static_().position(1.0, 1.0),
        disc(0.5),
        filtered(2, u64::MAX),
    );
    let plate = add(
        &mut world,
        BodyDef::static_(),
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
    let sensor = add(&mut world, BodyDef::static_(), disc(0.5), def);
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
    let body = solid(&mut world, BodyDef::static_(), disc(1.0));
    let hit = world.ray_cast((0.2, 0.1), vec2(5.0, 0.0), all()).unwrap();
    assert_eq!((hit.body, hit.fraction), (body, 0.0));
    assert_eq!(hit.normal, vec2(0.0, 0.0));
}

#[test]
fn predicate_passes_over_what_it_does_not_accept() {
    let mut world = world();
    let near = solid(&mut world, BodyDef::static_().position(2.0, 0.0), disc(0.5));
    let far = solid(&mut world, BodyDef::static_().position(4.0, 0.0), disc(0.5));
    let near = shape_of(&world, near);
    let (from, way) = ((0.0, 0.0), vec2(10.0, 0.0));
    let accept = |shape| shape != near;
    let hit = world.ray_cast(from, way, all().accept(&accept));
    assert_eq!(hit.unwrap().body, far);
    let any = world.ray_cast_any(from, way, all());
    assert!(any.is_some());
    let none = world.ray_cast(from, way, all().accept(&|_| false));
    assert!(none.is_none());
}

#[test]
fn lists_can_be_written_into_a_buffer_that_keeps_its_memory() {
    let mut world = world();
    for x in [2.0, 4.0, 6.0] {
        solid(&mut world, BodyDef::static_().position(x, 0.0), disc(0.5));
    }
    let (from, way) = ((0.0, 0.0), vec2(10.0, 0.0));
    let probe = Shape::from(disc(0.25));
    let area = Aabb::new(point(1.0, -1.0), point(5.0, 1.0));
    let mover = Mover::new(&probe, (3.0, 0.0));
    let mut hits = Vec::with_capacity(64);
    let memory = hits.as_ptr();
    world.ray_cast_all_into(from, way, all(), &mut hits);
    assert_eq!((hits.len(), hits.as_ptr()), (3, memory));
    world.shape_cast_all_into(&probe, from, 0.0, way, all(), &mut hits);
    assert_eq!(hits, world.shape_cast_all(&probe, from, 0.0, way, all()));
    assert_eq!((hits.len(), hits.as_ptr()), (3, memory));
    // Cleared also where nothing can be found.
    world.shape_cast_all_into(&probe, from, f32::NAN, way, all(), &mut hits);
    assert!(hits.is_empty());
    let mut found = world.shapes_at((6.0, 0.0), all());
    world.shapes_in_into(&area, all(), &mut found);
    assert_eq!(found, world.shapes_in(&area, all()));
    world.shapes_near_into(&area, all(), &mut found);
    assert_eq!(found, world.shapes_near(&area, all()));
    world.overlap_shape_into(&probe, (2.0, 0.0), 0.0, all(), &mut found);
    assert_eq!(found.len(), 1);
    world.shapes_at_into((4.0, 0.0), all(), &mut found);
    assert_eq!(found, world.shapes_at((4.0, 0.0), all()));
    world.shapes_at_into((f32::NAN, 0.0), all(), &mut found);
    assert!(found.is_empty());
    let mut planes = Vec::new();
    world.mover_planes_into(&mover, 1.0, all(), &mut planes);
    assert_eq!(planes, world.mover_planes(&mover, 1.0, all()));
    assert_eq!(planes.len(), 2);
}

#[test]
fn rays_agree_with_brute_force() {
    let mut world = weightless();
    let mut random = Random::new(9);
    for i in 0..80 {
        let place = random.vector(10.0);
        let def = BodyDef::dynamic()
            .position(place.x, place.y)
            .angle(random.range(-3.0, 3.0));
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
            BodyDef::dynamic().position(place.x, place.y),
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

#[test]
fn filter_leaves_out_a_body_and_kinds_of_bodies() {
    let mut world = weightless();
    let defs = [
        BodyDef::static_().position(1.0, 0.0),
        BodyDef::kinematic().position(2.0, 0.0),
        BodyDef::dynamic().position(3.0, 0.0),
    ];
    let [fixed, kinematic, dynamic] = defs.map(|def| solid(&mut world, def, rect(0.1, 1.0)));
    let seen = |filter: QueryFilter| -> Vec<BodyId> {
        let hits = world.ray_cast_all((0.0, 0.0), vec2(5.0, 0.0), filter);
        hits.iter().map(|hit| hit.body).collect()
    };
    assert_eq!(seen(all()), [fixed, kinematic, dynamic]);
    assert_eq!(seen(all().exclude(kinematic)), [fixed, dynamic]);
    assert_eq!(seen(all().kinds(BodyKinds::MOVING)), [kinematic, dynamic]);
    assert_eq!(seen(all().kinds(BodyKinds::FIXED)), [fixed]);
    assert_eq!(seen(all().kinds(BodyKinds::DYNAMIC).exclude(dynamic)), []);
    assert_eq!(seen(all().mask(2)), []);
    let area = Aabb {
        min: point(0.0, -0.1),
        max: point(5.0, 0.1),
    };
    let filter = all().exclude(fixed).kinds(BodyKinds::MOVING);
    assert_eq!(world.shapes_near(&area, filter).len(), 2);
    assert_eq!(world.shapes_in(&area, filter).len(), 2);
    let nearest = world
        .closest_shape((0.0, 0.0), 9.0, all().exclude(fixed))
        .unwrap();
    assert_eq!(nearest.body, kinematic);
    let probe = Shape::from(disc(0.2));
    let cast = world.shape_cast(
        &probe,
        (0.0, 0.0),
        0.0,
        vec2(9.0, 0.0),
        all().exclude(fixed),
    );
    assert_eq!(cast.unwrap().body, kinematic);
    assert_eq!(
        world.overlap_shape(&probe, (1.0, 0.0), 0.0, all().exclude(fixed)),
        []
    );
    assert_eq!(
        world.shapes_at((2.0, 0.0), all().kinds(BodyKinds::FIXED)),
        []
    );
}

#[test]
fn shape_queries_take_a_predicate() {
    let mut world = weightless();
    let near = solid(
        &mut world,
        BodyDef::static_().position(2.0, 0.0),
        rect(0.5, 0.5),
    );
    let far = solid(
        &mut world,
        BodyDef::static_().position(6.0, 0.0),
        rect(0.5, 0.5),
    );
    let skip = shape_of(&world, near);
    let probe = Shape::from(disc(0.25));
    let way = vec2(9.0, 0.0);
    let cast = world.shape_cast(
        &probe,
        (0.0, 0.0),
        0.0,
        way,
        all().accept(&|shape| shape != skip),
    );
    assert_eq!(cast.unwrap().body, far);
    let closest = world.closest_shape((0.0, 0.0), 99.0, all().accept(&|shape| shape != skip));
    assert_eq!(closest.unwrap().body, far);
    assert!(
        world
            .closest_shape((0.0, 0.0), 99.0, all().accept(&|_| false))
            .is_none()
    );
}

#[test]
fn box_overlap_is_exact() {
    let mut world = weightless();
    let turned = solid(
        &mut world,
        BodyDef::static_().angle(core::f32::consts::FRAC_PI_4),
        rect(1.0, 1.0),
    );
    let shape = shape_of(&world, turned);
    let area = |x: f32, y: f32, half: f32| Aabb {
        min: point(x - half, y - half),
        max: point(x + half, y + half),
    };
    // The corner of the fat box is far from the diamond.
    assert_eq!(world.shapes_near(&area(1.2, 1.2, 0.1), all()), [shape]);
    assert_eq!(world.shapes_in(&area(1.2, 1.2, 0.1), all()), []);
    assert_eq!(world.shapes_in(&area(0.6, 0.6, 0.1), all()), [shape]);
    assert_eq!(
        world.shapes_in(&area(0.6, 0.6, 0.0), all()),
        [shape],
        "a point"
    );
    let line = Aabb {
        min: point(-3.0, 0.0),
        max: point(3.0, 0.0),
    };
    assert_eq!(world.shapes_in(&line, all()), [shape], "a line");
}

#[test]
fn batches_answer_like_single_questions_with_any_number_of_threads() {
    for threads in [1, 4] {
        let mut world = World::new(WorldDef {
            threads,
            ..WorldDef::weightless()
        });
        let mut random = Random::new(5);
        for _ in 0..200 {
            let place = random.vector(20.0);
            solid(
                &mut world,
                BodyDef::dynamic().position(place.x, place.y),
                rect(0.4, 0.6),
            );
        }
        let probe = Shape::from(disc(0.3));
        let rays: Vec<RayQuery> = (0..500)
            .map(|_| RayQuery::new(WorldPoint::from(random.vector(20.0)), random.vector(30.0)))
            .collect();
        let shapes: Vec<ShapeQuery<'_>> = rays
            .iter()
            .map(|ray| ShapeQuery::new(&probe, ray.origin, ray.translation))
            .collect();
        let points: Vec<WorldPoint> = rays.iter().map(|ray| ray.origin).collect();
        let hits = world.ray_casts(&rays, all());
        let casts = world.shape_casts(&shapes, all());
        let overlaps = world.overlap_shapes(&shapes, all());
        let nearest = world.closest_shapes(&points, 3.0, all());
        for (i, ray) in rays.iter().enumerate() {
            let (from, way) = (ray.origin, ray.translation);
            assert_eq!(hits[i], world.ray_cast(from, way, all()));
            assert_eq!(casts[i], world.shape_cast(&probe, from, 0.0, way, all()));
            assert_eq!(overlaps[i], world.overlap_shape(&probe, from, 0.0, all()));
            assert_eq!(nearest[i], world.closest_shape(from, 3.0, all()));
        }
        assert!(hits.iter().flatten().count() > 100);
        assert!(world.ray_casts(&[], all()).is_empty());
    }
}

#[test]
fn nearest_shape_is_within_the_asked_distance() {
    let mut world = weightless();
    let empty = world.closest_shape((0.0, 0.0), 99.0, all());
    assert!(empty.is_none());
    solid(&mut world, BodyDef::static_(), disc(1.0));
    assert!(world.closest_shape((10.0, 0.0), 1.0, all()).is_none());
    let found = world.closest_shape((10.0, 0.0), 100.0, all()).unwrap();
    close(found.distance, 9.0, 1.0e-5);
    assert!(
        world
            .closest_shape((10.0, 0.0), 100.0, all().mask(2))
            .is_none()
    );
}

#[test]
fn cast_shape_meets_what_lies_in_its_way_in_order() {
    // A square of half 0.5, turned by 45 degrees, goes from (-1, -1) by (3, 3) past two discs and a box.
    let mut world = weightless();
    let box_ = solid(
        &mut world,
        BodyDef::static_().position(0.0, 0.5),
        rect(0.25, 0.25),
    );
    solid(&mut world, BodyDef::static_().position(1.5, 1.5), disc(0.3));
    solid(&mut world, BodyDef::static_().position(2.0, 1.0), disc(0.3));
    let square = Shape::from(rect(0.35, 0.35));
    let turn = core::f32::consts::FRAC_PI_4;
    let cast =
        |way: Vec2, filter: QueryFilter| world.shape_cast(&square, (-1.0, -1.0), turn, way, filter);
    let mut filter = all();
    assert_eq!(cast(vec2(3.0, 3.0), filter).unwrap().body, box_);
    assert!(cast(vec2(0.3, 0.3), filter).is_none());
    assert!(cast(vec2(-3.0, -3.0), filter).is_none());
    filter.exclude = Some(box_);
    let second = cast(vec2(3.0, 3.0), filter).unwrap();
    assert_ne!(second.body, box_);
    assert!(second.fraction > 0.5);
}

#[test]
fn every_query_leaves_out_what_the_others_leave_out() {
    let seen = |filter: QueryFilter, change: fn(&mut World, BodyId)| {
        let mut world = weightless();
        let def = filtered(2, u64::MAX);
        let body = add(
            &mut world,
            BodyDef::dynamic().position(1.0, 0.0),
            rect(0.5, 0.5),
            def,
        );
        change(&mut world, body);
        let probe = Shape::from(disc(0.4));
        let area = Aabb::from_center_half(point(1.0, 0.0), vec2(0.1, 0.1));
        let way = vec2(4.0, 0.0);
        let mover = Mover::new(&probe, (1.0, 0.3));
        let found = [
            world.ray_cast((0.0, 0.0), way, filter).is_some(),
            !world.ray_cast_all((0.0, 0.0), way, filter).is_empty(),
            world
                .shape_cast(&probe, (0.0, 0.0), 0.0, way, filter)
                .is_some(),
            !world
                .overlap_shape(&probe, (1.0, 0.0), 0.0, filter)
                .is_empty(),
            !world.shapes_at((1.0, 0.0), filter).is_empty(),
            !world.shapes_in(&area, filter).is_empty(),
            !world.shapes_near(&area, filter).is_empty(),
            world.closest_shape((0.0, 0.0), 9.0, filter).is_some(),
            !world.mover_planes(&mover, 0.0, filter).is_empty(),
            world
                .mover_cast(&mover, vec2(0.0, -1.0), 0.0, filter)
                .is_some(),
        ];
        assert!(found.iter().all(|&one| one == found[0]), "{found:?}");
        found[0]
    };
    let as_it_is = |_: &mut World, _| {};
    assert!(seen(all(), as_it_is));
    assert!(seen(all().mask(2), as_it_is));
    assert!(!seen(all().mask(1), as_it_is));
    assert!(!seen(all().kinds(BodyKinds::FIXED), as_it_is));
    assert!(!seen(all(), |world, body| world.body_mut(body).disable()));
    let sensor = |world: &mut World, body| {
        let shape = shape_of(world, body);
        world.shape_mut(shape).set_sensor(true);
    };
    assert!(!seen(all(), sensor));
    assert!(seen(all().sensors(Sensors::Included), sensor));
    assert!(!seen(all(), |world, body| {
        world.destroy_body(body);
    }));
}

#[test]
fn cast_through_all_agrees_with_casts_to_each() {
    let mut random = Random::new(31);
    let mut world = weightless();
    scatter(&mut world, &mut random, 8.0);
    let shape = Shape::from(rect(0.3, 0.2));
    let filter = QueryFilter::default();
    for _ in 0..100 {
        let (start, way) = (random.vector(8.0), random.vector(12.0));
        let (start, angle) = ((start.x, start.y), random.range(-3.0, 3.0));
        let all = world.shape_cast_all(&shape, start, angle, way, filter);
        let mut expected: Vec<_> = world
            .shapes()
            .filter_map(|one| {
                let is_it = |id| id == one.id();
                world.shape_cast(&shape, start, angle, way, filter.accept(&is_it))
            })
            .collect();
        expected.sort_by(|a, b| {
            a.fraction
                .total_cmp(&b.fraction)
                .then(a.shape.cmp(&b.shape))
        });
        assert_eq!(all, expected);
        let first = world.shape_cast(&shape, start, angle, way, filter);
        assert_eq!(first, all.first().copied());
    }
    let nowhere = world.shape_cast_all(&shape, (f32::NAN, 0.0), 0.0, vec2(1.0, 0.0), filter);
    assert!(nowhere.is_empty());
}

#[test]
fn nearest_shape_of_a_far_point_has_finite_numbers_or_there_is_none() {
    let mut world = world();
    ground(&mut world);
    ball_at(&mut world, 0.0, 3.0, 0.5);
    for far in [1.0e6, 1.0e12, 1.0e19, 1.0e25, 3.4e38, 1.0e300] {
        for point in [(far, 0.0), (-far, far), (0.0, -far)] {
            for reach in [1.0, f32::MAX, f32::INFINITY] {
                let Some(nearest) = world.closest_shape(point, reach, all()) else {
                    assert!(far > 1.0e18 || reach < 2.0, "{point:?}");
                    continue;
                };
                let length = nearest.normal.norm();
                assert!((length - 1.0).abs() < 1.0e-3, "{point:?}: {nearest:?}");
                assert!(nearest.distance.is_finite(), "{point:?}: {nearest:?}");
            }
        }
    }
}
