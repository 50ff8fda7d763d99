//! Half-spaces: ground, slopes and walls without end.

use crate::support::*;
use cairn2d_broadphase::BroadPhaseKind;
use cairn2d_dynamics::{BodyDef, BodyId, Continuous, QueryFilter, ShapeDef, World, WorldDef};
use cairn2d_geometry::math::{Point, point, vec2};
use cairn2d_geometry::{Capsule, Circle, Ellipse, HalfSpace, Polygon, Shape};

fn plane(world: &mut World, def: BodyDef, half_space: HalfSpace) -> BodyId {
    let body = world.create_body(def);
    world.create_shape(body, half_space, ShapeDef::default());
    body
}

fn level(world: &mut World) -> BodyId {
    plane(world, BodyDef::static_(), HalfSpace::ground())
}

/// One shape of each kind that has mass, and the height of its center at rest.
fn kinds() -> [(Shape, f32); 5] {
    [
        (Circle::of_radius(0.5).into(), 0.5),
        (
            Capsule::new(point(-0.5, 0.0), point(0.5, 0.0), 0.3).into(),
            0.3,
        ),
        (Polygon::rectangle(0.5, 0.4).into(), 0.4),
        (Polygon::rounded_rectangle(0.4, 0.3, 0.1).into(), 0.4),
        (Ellipse::new(Point::origin(), 0.6, 0.3, 0.0).into(), 0.3),
    ]
}

/// Height of each kind of shape after 6 s on the ground, and whether it sleeps.
fn at_rest(broad_phase: BroadPhaseKind, ground: impl Fn(&mut World)) -> Vec<(f32, bool)> {
    let mut world = World::new(WorldDef {
        broad_phase,
        ..WorldDef::default()
    });
    ground(&mut world);
    let place = |(i, (shape, rest)): (usize, (Shape, f32))| {
        let def = BodyDef::dynamic().position(4.0 * i as f32 - 8.0, rest + 1.0);
        solid(&mut world, def, shape)
    };
    let bodies: Vec<_> = kinds().into_iter().enumerate().map(place).collect();
    run(&mut world, 360);
    let state = |&body: &BodyId| (y(&world, body), is_awake(&world, body));
    bodies.iter().map(state).collect()
}

#[test]
fn every_shape_rests_on_level_ground_as_on_a_box_with_every_broad_phase() {
    for &broad_phase in BroadPhaseKind::ALL {
        let on_plane = at_rest(broad_phase, |world| {
            level(world);
        });
        let on_box = at_rest(broad_phase, |world| {
            let body = world.create_body(BodyDef::static_().position(0.0, -1.0));
            world.create_shape(body, rect(50.0, 1.0), ShapeDef::default());
        });
        for ((own, its), (_, rest)) in on_plane.into_iter().zip(on_box).zip(kinds()) {
            close(own.0, rest, SLOP);
            close(own.0, its.0, 1.0e-4);
            assert_eq!(own.1, its.1, "{rest}");
        }
    }
}

#[test]
fn a_pile_stands_on_it_as_on_a_box() {
    let heights = |half_space: bool| {
        let mut world = world();
        if half_space {
            level(&mut world);
        } else {
            let body = world.create_body(BodyDef::static_().position(0.0, -1.0));
            world.create_shape(body, rect(50.0, 1.0), ShapeDef::default());
        }
        let boxes = column(&mut world, 0.0, 10);
        run(&mut world, 300);
        boxes
            .iter()
            .map(|&body| y(&world, body))
            .collect::<Vec<_>>()
    };
    for (on_plane, on_box) in heights(true).into_iter().zip(heights(false)) {
        close(on_plane, on_box, 1.0e-4);
    }
}

#[test]
fn a_box_slides_down_a_smooth_slope_at_the_rate_of_its_tilt() {
    let (sin, cos) = (sine(0.3), cosine(0.3));
    for on_body in [false, true] {
        let mut world = world();
        // The tilt is that of the shape, or that of its body.
        let slope = if on_body {
            plane(
                &mut world,
                BodyDef::static_().angle(-0.3),
                HalfSpace::ground(),
            )
        } else {
            plane(
                &mut world,
                BodyDef::static_(),
                HalfSpace::new(Point::origin(), vec2(sin, cos)),
            )
        };
        let shape = shape_of(&world, slope);
        world.shape_mut(shape).set_material(slippery().material);
        let start = vec2(sin, cos) * 0.5;
        let body = world.create_body(BodyDef::dynamic().position(start.x, start.y).angle(-0.3));
        world.create_shape(body, rect(0.5, 0.5), slippery());
        run(&mut world, 120);
        let g = world.gravity().norm();
        close(speed(&world, body), g * sin * 2.0, 0.01);
        let height = world.body(body).position().coords.dot(&vec2(sin, cos));
        close(height, 0.5, 2.0 * SLOP);
    }
}

#[test]
fn fast_bodies_do_not_pass() {
    for continuous in [Continuous::Clamp, Continuous::Substep] {
        let mut world = world();
        level(&mut world);
        let mut bodies = Vec::new();
        for (i, (shape, _)) in kinds().into_iter().enumerate() {
            let def = BodyDef {
                continuous,
                ..BodyDef::dynamic()
                    .position(4.0 * i as f32, 5.0)
                    .velocity(37.0, -900.0)
                    .angular_velocity(7.0)
            };
            bodies.push(solid(&mut world, def, shape));
        }
        for _ in 0..120 {
            world.step(1.0 / 60.0);
            for &body in &bodies {
                assert!(y(&world, body) > 0.1, "{continuous:?} {}", y(&world, body));
            }
        }
    }
}

#[test]
fn walls_ceilings_and_floors_hold_a_gas() {
    let mut world = weightless();
    for (at, out) in [
        ((-5.0, 0.0), (1.0, 0.0)),
        ((5.0, 0.0), (-1.0, 0.0)),
        ((0.0, -5.0), (0.0, 1.0)),
        ((0.0, 5.0), (0.0, -1.0)),
    ] {
        plane(
            &mut world,
            BodyDef::static_(),
            HalfSpace::new(point(at.0, at.1), vec2(out.0, out.1)),
        );
    }
    let mut random = Random::new(5);
    scatter(&mut world, &mut random, 3.0);
    let bodies: Vec<_> = world.bodies().map(|body| body.id()).collect();
    for &body in &bodies {
        let velocity = random.vector(40.0);
        world.body_mut(body).set_velocity(velocity);
    }
    for _ in 0..300 {
        world.step(1.0 / 60.0);
        for &body in &bodies {
            let at = world.body(body).position();
            assert!(at.x.abs() < 5.0 && at.y.abs() < 5.0, "{at}");
        }
    }
}

#[test]
fn a_lift_and_a_turning_table_carry_what_lies_on_them() {
    let mut world = world();
    let lift = plane(
        &mut world,
        BodyDef::kinematic().velocity(0.0, 1.0),
        HalfSpace::ground(),
    );
    let box_ = crate_at(&mut world, 1.0, 0.5, 0.5);
    run(&mut world, 120);
    close(y(&world, box_) - y(&world, lift), 0.5, 2.0 * SLOP);
    world.body_mut(lift).set_velocity(vec2(0.0, 0.0));
    world.body_mut(lift).set_angular_velocity(0.05);
    run(&mut world, 60);
    let normal = vec2(-sine(0.05), cosine(0.05));
    let above = world.body(box_).position() - world.body(lift).position();
    close(above.dot(&normal), 0.5, 2.0 * SLOP);
}

#[test]
fn queries_see_the_surface() {
    let mut world = world();
    let ground = level(&mut world);
    let shape = shape_of(&world, ground);
    world.step(1.0 / 60.0);
    let filter = QueryFilter::default();
    let hit = world
        .ray_cast((3.0e3, 10.0), vec2(0.0, -20.0), filter)
        .expect("the ground is below");
    assert_eq!(hit.shape, shape);
    close(hit.fraction, 0.5, 1.0e-6);
    assert_eq!(hit.normal, vec2(0.0, 1.0));
    assert_eq!(world.shapes_at((7.0, -3.0), filter), [shape]);
    assert!(world.shapes_at((7.0, 0.1), filter).is_empty());
    let nearest = world
        .closest_shape((7.0, 2.0), 5.0, filter)
        .expect("two meters away");
    close(nearest.distance, 2.0, 1.0e-6);
}

#[test]
fn a_level_surface_holds_ten_kilometers_from_its_point() {
    let mut world = world();
    level(&mut world);
    let near = crate_at(&mut world, 0.0, 1.5, 0.5);
    let far = crate_at(&mut world, 10_000.0, 1.5, 0.5);
    run(&mut world, 180);
    close(y(&world, far), y(&world, near), 1.0e-5);
    assert!(!is_awake(&world, far));
}

#[test]
fn saves_keep_it() {
    let mut world = world();
    plane(
        &mut world,
        BodyDef::static_(),
        HalfSpace::new(point(0.5, -0.3), vec2(-0.3, 1.0)),
    );
    for i in 0..5 {
        crate_at(&mut world, 1.5 * i as f32, 2.0, 0.4);
    }
    run(&mut world, 60);
    let mut loaded = World::load(&world.save()).expect("a save of this version");
    assert_eq!(loaded.state_hash(), world.state_hash());
    run(&mut world, 60);
    run(&mut loaded, 60);
    assert_eq!(loaded.state_hash(), world.state_hash());
}

#[test]
fn a_dynamic_body_gets_no_mass_from_it() {
    let mut world = world();
    let body = plane(&mut world, BodyDef::dynamic(), HalfSpace::ground());
    world.step(1.0 / 60.0);
    assert!(world.body(body).is_massless());
    assert_eq!(world.warnings().len(), 1);
}
