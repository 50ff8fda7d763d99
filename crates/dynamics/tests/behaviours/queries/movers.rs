//! A shape moved by hand: the planes round it, and how far it goes.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, Material, Mover, QueryFilter, ShapeDef};
use cairn2d_geometry::math::{Pose, WorldPoint, point, pose, vec2};
use cairn2d_geometry::tolerance::SMOOTH_CORNER;
use cairn2d_geometry::{Aabb, Capsule, ChainKind, Shape, SimplexCache, distance, solve_planes};

fn all() -> QueryFilter<'static> {
    QueryFilter::default()
}

#[test]
fn mover_meets_the_same_box_far_out_as_at_the_origin() {
    for base in [0.0, 1.0e7] {
        let mut world = world();
        let at = |x: f64, y: f64| WorldPoint::new(base + x, base + y);
        solid(
            &mut world,
            BodyDef::static_().world_position(at(0.0, 0.0)),
            rect(0.5, 0.5),
        );
        let disk = Shape::from(disc(0.1));
        assert_eq!(
            world.overlap_shape(&disk, at(0.0, 0.0), 0.0, all()).len(),
            1
        );
        let cast = world.shape_cast(&disk, at(-5.0, 0.0), 0.0, vec2(10.0, 0.0), all());
        close(cast.unwrap().fraction, 0.44, 1.0e-6);
        close((cast.unwrap().point.x - base) as f32, -0.5, 1.0e-6);
        let trunk = Shape::from(Capsule::new(point(0.0, -0.1), point(0.0, 0.1), 0.3));
        let mover = Mover::new(&trunk, at(-5.0, 0.0));
        let hit = world.mover_cast(&mover, vec2(10.0, 0.0), 0.0, all());
        close(hit.unwrap().fraction, 0.42, 1.0e-6);
        let wide = Shape::from(capsule(0.1, 0.5));
        let planes = world.mover_planes(&Mover::new(&wide, at(-0.9, 0.0)), 0.0, all());
        assert_eq!(planes.len(), 1);
        close(planes[0].normal.x, -1.0, 1.0e-6);
        close(planes[0].separation, -0.2, 1.0e-6);
        close((planes[0].point.x - base) as f32, -0.5, 1.0e-6);
    }
}

#[test]
fn planes_have_the_distances_of_all_shapes_within_reach() {
    let mut world = weightless();
    let mut random = Random::new(31);
    scatter(&mut world, &mut random, 8.0);
    let trunk = Shape::from(capsule(0.4, 0.3));
    for _ in 0..200 {
        let position = random.vector(8.0);
        let reach = random.range(0.0, 1.0);
        let mut mover = Mover::new(&trunk, position);
        mover.angle = random.range(-3.0, 3.0);
        let planes = world.mover_planes(&mover, reach, all());
        assert!(planes.is_sorted_by_key(|plane| plane.shape));
        let place = pose(position.x, position.y, mover.angle);
        for shape in world.shapes() {
            let body = world.body(shape.body());
            let its = Pose::from_parts(body.position().coords.into(), body.rotation());
            let between = its.inverse() * place;
            let cache = &mut SimplexCache::default();
            let gap = distance(shape.geometry(), &trunk, &between, cache).distance;
            let plane = planes.iter().find(|plane| plane.shape == shape.id());
            match plane {
                Some(plane) if gap > 0.0 => close(plane.separation, gap, 1.0e-5),
                Some(plane) => {
                    // Moved out by its depth, and a hair more, it touches no longer.
                    let out = position + plane.normal * (1.0e-4 - plane.separation);
                    let free = its.inverse() * pose(out.x, out.y, mover.angle);
                    let cache = &mut SimplexCache::default();
                    assert!(distance(shape.geometry(), &trunk, &free, cache).distance > 0.0);
                }
                None => assert!(gap > reach - 1.0e-5, "{gap} within {reach}"),
            }
        }
    }
}

#[test]
fn cast_keeps_the_skin_and_passes_over_what_it_leaves() {
    let mut world = weightless();
    solid(
        &mut world,
        BodyDef::static_().position(5.0, 0.0),
        rect(1.0, 3.0),
    );
    solid(
        &mut world,
        BodyDef::static_().position(0.0, -1.0),
        rect(9.0, 1.0),
    );
    let ball = Shape::from(disc(0.5));
    // The ball is 1 cm in the floor.
    let mover = Mover::new(&ball, (0.0, 0.49));
    let right = vec2(10.0, 0.0);
    let hit = world.mover_cast(&mover, right, 0.25, all()).unwrap();
    close(10.0 * hit.fraction, 4.0 - 0.5 - 0.25, 1.0e-5);
    assert!(
        world
            .mover_cast(&mover, vec2(0.0, 3.0), 0.0, all())
            .is_none()
    );
    let down = world.mover_cast(&mover, vec2(0.0, -1.0), 0.0, all());
    assert_eq!(down.unwrap().fraction, 0.0);
    let but_wall = |shape| world.shape(shape).body() != hit.body;
    let seen = world.mover_cast(&mover, right, 0.0, all().accept(&but_wall));
    assert!(seen.is_none());
    let planes = world.mover_planes(&mover, 9.0, all().accept(&but_wall));
    assert_eq!(planes.len(), 1);
}

#[test]
fn planes_of_a_chain_do_not_show_its_inner_corners() {
    let mut world = weightless();
    let body = world.create_body(BodyDef::static_());
    let points: Vec<(f32, f32)> = (-20..=20).rev().map(|i| (0.25 * i as f32, 0.0)).collect();
    add_chain(&mut world, body, &points, ChainKind::Open);
    let ball = Shape::from(disc(0.3));
    for i in 0..100 {
        let x = 0.013 * i as f32;
        let planes = world.mover_planes(&Mover::new(&ball, (x, 0.29)), 0.01, all());
        assert!(!planes.is_empty());
        for plane in planes {
            // Up to the angle that counts as flat a normal may lean.
            close(plane.normal.x, 0.0, SMOOTH_CORNER);
            close(plane.separation, -0.01, 0.3 * SMOOTH_CORNER * SMOOTH_CORNER);
        }
        let below = world.mover_planes(&Mover::new(&ball, (x, -0.2)), 0.01, all());
        assert!(below.is_empty(), "{below:?}");
    }
    let high = world.mover_planes(&Mover::new(&ball, (0.1, 0.5)), 0.3, all());
    assert!(high.iter().all(|plane| plane.normal.y > 0.99));
    assert!(!high.is_empty());
}

#[test]
fn one_way_shape_has_a_plane_on_its_open_side_only() {
    let mut world = weightless();
    let material = Material {
        one_way: Some(vec2(0.0, 1.0)),
        ..Material::default()
    };
    add(
        &mut world,
        BodyDef::static_(),
        rect(2.0, 0.1),
        surface(material),
    );
    let ball = Shape::from(disc(0.5));
    let planes = |y: f32| world.mover_planes(&Mover::new(&ball, (0.0, y)), 0.02, all());
    assert_eq!(planes(0.61).len(), 1);
    assert_eq!(planes(0.598).len(), 1);
    assert_eq!(planes(0.3).len(), 0, "inside");
    assert_eq!(planes(-0.61).len(), 0, "below");
    let cast = |y: f32, way: f32| {
        world.mover_cast(&Mover::new(&ball, (0.0, y)), vec2(0.0, way), 0.01, all())
    };
    assert!(cast(-2.0, 4.0).is_none());
    assert!(cast(2.0, -4.0).is_some());
    assert!(cast(0.2, -1.0).is_none());
}

#[test]
fn planes_lead_out_of_a_corner() {
    let mut world = weightless();
    solid(
        &mut world,
        BodyDef::static_().position(0.0, -1.0),
        rect(5.0, 1.0),
    );
    solid(
        &mut world,
        BodyDef::static_().position(-1.0, 0.0),
        rect(1.0, 5.0),
    );
    let ball = Shape::from(disc(0.5));
    let planes = world.mover_planes(&Mover::new(&ball, (0.3, 0.2)), 0.0, all());
    let mut planes: Vec<_> = planes.iter().map(|plane| plane.rigid(0.01)).collect();
    let way = solve_planes(vec2(0.0, 0.0), &mut planes).translation;
    close(way.x, 0.21, 1.0e-5);
    close(way.y, 0.31, 1.0e-5);
}

#[test]
fn numbers_that_are_not_finite_see_nothing() {
    let mut world = weightless();
    solid(&mut world, BodyDef::static_(), rect(5.0, 1.0));
    let ball = Shape::from(disc(0.5));
    let mover = Mover::new(&ball, (0.0, 0.0));
    let lost = Mover::new(&ball, (f32::NAN, 0.0));
    let down = vec2(0.0, -1.0);
    assert!(world.mover_planes(&lost, 0.1, all()).is_empty());
    for reach in [f32::NAN, f32::INFINITY, -1.0] {
        assert!(world.mover_planes(&mover, reach, all()).is_empty());
    }
    assert!(world.mover_cast(&lost, down, 0.1, all()).is_none());
    assert!(world.mover_cast(&mover, down, f32::NAN, all()).is_none());
    let nowhere = vec2(0.0, f32::NEG_INFINITY);
    assert!(world.mover_cast(&mover, nowhere, 0.1, all()).is_none());
}

#[test]
fn overlaps_and_all_hits_take_a_predicate() {
    let mut world = weightless();
    let bodies = [0.0, 0.5, 1.0].map(|x| {
        let def = ShapeDef::default();
        add(
            &mut world,
            BodyDef::static_().position(x, 0.0),
            disc(1.0),
            def,
        )
    });
    let [_, middle, _] = bodies.map(|body| shape_of(&world, body));
    let but_middle = |shape| shape != middle;
    let probe = Shape::from(disc(0.2));
    let area = Aabb::from_center_half(point(0.5, 0.0), vec2(0.1, 0.1));
    let (from, way) = ((-5.0, 0.0), vec2(10.0, 0.0));
    let found = [
        world.overlap_shape(&probe, (0.5, 0.0), 0.0, all().accept(&but_middle)),
        world.shapes_at((0.5, 0.0), all().accept(&but_middle)),
        world.shapes_in(&area, all().accept(&but_middle)),
        world.shapes_near(&area, all().accept(&but_middle)),
        world
            .ray_cast_all(from, way, all().accept(&but_middle))
            .iter()
            .map(|hit| hit.shape)
            .collect(),
    ];
    for shapes in found {
        assert_eq!(shapes.len(), 2);
        assert!(!shapes.contains(&middle));
    }
}
