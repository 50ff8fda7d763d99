//! Mass, center and inertia of bodies.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, BodyId, BodyKind, ShapeDef, World};
use cairn2d_geometry::math::{PI, point, vec2};
use cairn2d_geometry::{Circle, MassData};
use std::panic::{AssertUnwindSafe, catch_unwind};

fn circle_at(x: f32, y: f32, radius: f32) -> Circle {
    Circle::new(point(x, y), radius)
}

fn numbers(world: &World, body: BodyId) -> (f32, f32, f32, f32) {
    let body = world.body(body);
    let center = body.local_center();
    (body.mass(), body.inertia(), center.x, center.y)
}

#[test]
fn change_of_density_scales_mass_and_inertia() {
    let mut world = world();
    let body = ball_at(&mut world, 0.0, 0.0, 0.5);
    let (mass, inertia, ..) = numbers(&world, body);
    world.shape_mut(shape_of(&world, body)).set_density(4.0);
    assert_eq!(numbers(&world, body), (4.0 * mass, 4.0 * inertia, 0.0, 0.0));
    close(mass, 0.25 * PI, 1.0e-6);
    close(inertia, 0.5 * mass * 0.25, 1.0e-6);
}

#[test]
fn change_of_kind_and_back_restores_mass() {
    let mut world = world();
    let body = ball_at(&mut world, 0.0, 0.0, 0.5);
    let before = numbers(&world, body);
    world.body_mut(body).set_kind(BodyKind::Kinematic);
    assert_eq!(world.body(body).mass(), 0.0);
    assert_eq!(world.body(body).inertia(), 0.0);
    world.body_mut(body).set_kind(BodyKind::Dynamic);
    assert_eq!(numbers(&world, body), before);
}

#[test]
fn mass_that_was_set_wins_until_it_is_unset() {
    let mut world = world();
    let body = ball_at(&mut world, 0.0, 0.0, 1.0);
    let own = numbers(&world, body);
    let data = MassData {
        mass: 5.0,
        center: point(0.25, 0.0),
        inertia: 10.0,
    };
    world.body_mut(body).set_mass(Some(data));
    assert_eq!(numbers(&world, body), (5.0, 10.0, 0.25, 0.0));
    world.create_shape(body, circle_at(1.0, 0.0, 2.0), ShapeDef::default());
    assert_eq!(numbers(&world, body), (5.0, 10.0, 0.25, 0.0));
    world.body_mut(body).set_mass(None);
    // Discs of 1 m and 2 m, the latter a meter to the right.
    let (mass, inertia, x, y) = numbers(&world, body);
    close(mass, own.0 + 4.0 * PI, 1.0e-5);
    close(x, 0.8, 1.0e-6);
    assert_eq!(y, 0.0);
    let about_centre = 0.5 * PI * (1.0 + 16.0) + PI * 0.64 + 4.0 * PI * 0.04;
    close(inertia, about_centre, 1.0e-4);
}

#[test]
fn second_shape_adds_and_takes_its_mass_along() {
    let mut world = world();
    let body = ball_at(&mut world, 0.0, 0.0, 1.0);
    let before = numbers(&world, body);
    close(before.0, PI, 1.0e-6);
    let second = world.create_shape(body, disc(2.0), ShapeDef::default());
    close(world.body(body).mass(), 5.0 * PI, 1.0e-5);
    close(
        world.body(body).inertia(),
        0.5 * PI * (1.0 + 4.0 * 4.0),
        1.0e-4,
    );
    world.destroy_shape(second);
    assert_eq!(numbers(&world, body), before);
}

#[test]
fn centre_is_the_mean_of_the_parts() {
    // 10 kg at (0, -0.5) and 5 kg at (0, 4): center at (0, 1); inertia by the parallel axis theorem.
    let mut world = world();
    let body = world.create_body(BodyDef::dynamic());
    let density = |mass: f32| ShapeDef::default().density(mass / PI);
    world.create_shape(body, circle_at(0.0, -0.5, 1.0), density(10.0));
    world.create_shape(body, circle_at(0.0, 4.0, 1.0), density(5.0));
    let (mass, inertia, x, y) = numbers(&world, body);
    close(mass, 15.0, 1.0e-5);
    close(x, 0.0, 1.0e-6);
    close(y, 1.0, 1.0e-6);
    let expected = 0.5 * 15.0 + 10.0 * 1.5 * 1.5 + 5.0 * 3.0 * 3.0;
    close(inertia, expected, 1.0e-4);
}

#[test]
fn part_that_is_moved_takes_the_centre_along_and_back() {
    let mut world = world();
    let body = world.create_body(BodyDef::dynamic());
    let density = |mass: f32| ShapeDef::default().density(mass / PI);
    world.create_shape(body, circle_at(0.0, -0.5, 1.0), density(10.0));
    let part = world.create_shape(body, circle_at(0.0, 1.0, 1.0), density(5.0));
    let before = numbers(&world, body);
    close(before.3, 0.0, 1.0e-6);
    world.shape_mut(part).set_geometry(circle_at(0.0, 4.0, 1.0));
    let (mass, inertia, x, y) = numbers(&world, body);
    close(mass, 15.0, 1.0e-5);
    close(x, 0.0, 1.0e-6);
    close(y, 1.0, 1.0e-6);
    close(inertia, 0.5 * 15.0 + 10.0 * 2.25 + 5.0 * 9.0, 1.0e-4);
    world.shape_mut(part).set_geometry(circle_at(0.0, 1.0, 1.0));
    assert_eq!(numbers(&world, body), before);
}

#[test]
fn body_stays_where_it_is_when_its_centre_moves() {
    let mut world = weightless();
    let def = BodyDef {
        angular_velocity: 2.0,
        ..BodyDef::dynamic()
            .position(3.0, 4.0)
            .angle(0.5)
            .velocity(1.0, 0.0)
    };
    let body = solid(&mut world, def, disc(0.5));
    let (place, velocity) = (
        world.body(body).position(),
        world.body(body).velocity_at((9.0, 9.0)),
    );
    world.create_shape(body, circle_at(2.0, 0.0, 0.5), ShapeDef::default());
    assert!((world.body(body).position() - place).norm() < 1.0e-6);
    assert!((world.body(body).velocity_at((9.0, 9.0)) - velocity).norm() < 1.0e-5);
    assert!((world.body(body).local_center() - point(1.0, 0.0)).norm() < 1.0e-6);
}

#[test]
fn mass_by_hand_rests_like_mass_by_density() {
    let rest = |by_hand: bool| {
        let mut world = world();
        ground(&mut world);
        let def = BodyDef::dynamic().position(0.0, 1.0).angle(0.9 * 0.25 * PI);
        let density = if by_hand { 0.0 } else { 100.0 };
        let shape = ShapeDef::default().density(density);
        let body = add(&mut world, def, rect(0.5, 0.5), shape);
        if by_hand {
            world.body_mut(body).set_mass(Some(MassData {
                mass: 100.0,
                center: point(0.0, 0.0),
                inertia: 100.0 / 6.0,
            }));
        }
        let steps = run_until_asleep(&mut world, 1000).expect("comes to rest");
        (y(&world, body), steps)
    };
    let (here, there) = (rest(true), rest(false));
    close(here.0, there.0, 1.0e-3);
    close(here.0, 0.5, 2.0 * SLOP);
    assert!(here.1 < 4 * there.1);
}

#[test]
fn mass_by_hand_topples_like_mass_by_density() {
    // Catches an inertia of zero: the rod would never turn.
    for by_hand in [true, false] {
        let mut world = world();
        ground_of(&mut world, ShapeDef::default().friction(0.5));
        let def = BodyDef::dynamic().position(0.0, 5.0).velocity(20.0, 0.0);
        let shape = ShapeDef::default().density(if by_hand { 0.0 } else { 1.0 });
        let rod = add(&mut world, def, rect(0.2, 5.0), shape.friction(0.5));
        if by_hand {
            world.body_mut(rod).set_mass(Some(rect_mass(0.2, 5.0)));
        }
        assert!(world.body(rod).inertia() > 0.0);
        run(&mut world, 200);
        assert!(world.body(rod).angle().abs() > 0.5);
    }
}

fn rect_mass(half_width: f32, half_height: f32) -> MassData {
    let mass = 4.0 * half_width * half_height;
    MassData {
        mass,
        center: point(0.0, 0.0),
        inertia: mass * (half_width * half_width + half_height * half_height) / 3.0,
    }
}

#[test]
fn dynamic_body_without_mass_moves_like_a_kinematic_one() {
    // Nothing pushes it, gravity included; it neither falls through the world nor spreads NaN.
    let mut world = world();
    ground(&mut world);
    let def = BodyDef {
        angular_velocity: 0.5,
        ..BodyDef::dynamic().position(0.0, 3.0)
    };
    let body = add(
        &mut world,
        def,
        capsule(1.0, 0.5),
        ShapeDef::default().density(0.0),
    );
    let other = crate_at(&mut world, 0.0, 6.0, 0.5);
    for _ in 0..120 {
        world.body_mut(body).apply_force(vec2(10.0, 0.0));
        step(&mut world);
    }
    assert_eq!(world.body(body).position(), point(0.0, 3.0));
    assert_eq!(world.body(body).velocity(), vec2(0.0, 0.0));
    assert_eq!(world.body(body).angular_velocity(), 0.5);
    assert!(y(&world, other).is_finite());
}

#[test]
fn body_without_shapes_stays_until_it_gets_mass() {
    let mut world = world();
    let body = world.create_body(BodyDef::dynamic().position(0.0, 3.0));
    run(&mut world, 30);
    assert_eq!(y(&world, body), 3.0);
    world.create_shape(body, disc(0.5), ShapeDef::default());
    run(&mut world, 30);
    assert!(y(&world, body) < 2.5);
}

#[test]
fn sliver_far_from_its_origin_has_inertia_and_comes_to_rest() {
    // Catches the parallel axis theorem taken through the origin: its cancellation gives a negative inertia.
    let mut world = world();
    solid(
        &mut world,
        BodyDef::static_(),
        segment((-20.0, 0.0), (20.0, 0.0)),
    );
    let shape = hull(&[(48.76, -60.57), (48.74, -60.54), (48.68, -60.56)]);
    let body = solid(&mut world, BodyDef::dynamic().position(-48.0, 62.0), shape);
    let (mass, inertia, ..) = numbers(&world, body);
    // Area by the shoelace formula, 1.1e-3 m^2.
    close(mass, 1.1e-3, 1.0e-4);
    close(inertia, 3.6e-7, 0.4e-7);
    assert!(run_until_asleep(&mut world, 600).is_some());
    let height = world.body(body).center().y;
    // It rests on its longest side: a third of its height of 0.026 m above.
    close(height, 0.009, SLOP);
}

#[test]
fn compound_turns_about_its_common_centre() {
    let mut world = weightless();
    let body = world.create_body(BodyDef {
        angular_velocity: 3.0,
        ..BodyDef::dynamic()
    });
    world.create_shape(body, circle_at(-1.0, 0.0, 0.5), ShapeDef::default());
    world.create_shape(body, circle_at(1.0, 0.0, 0.5), ShapeDef::default());
    let before = world.body(body).velocity();
    assert_eq!(before, vec2(0.0, 0.0));
    run(&mut world, 100);
    assert!(world.body(body).center().coords.norm() < 1.0e-5);
}

#[test]
fn centre_of_mass_beyond_the_edge_of_the_world_is_refused() {
    // Of two such centers, the way from one to the other overflows: the next change of a shape met boxes that were infinite.
    let data = |x: f32, y: f32| MassData {
        mass: 1.0,
        center: point(x, y),
        inertia: 1.0,
    };
    let mut world = weightless();
    let body = ball_at(&mut world, 1.0, 2.0, 0.5);
    let before = numbers(&world, body);
    for (x, y) in [
        (f32::MAX, 0.0),
        (-f32::MAX, 0.0),
        (f32::MAX, f32::MAX),
        (1.0e10, 0.0),
    ] {
        let act = AssertUnwindSafe(|| world.body_mut(body).set_mass(Some(data(x, y))));
        assert!(catch_unwind(act).is_err(), "({x}, {y})");
        assert_eq!(numbers(&world, body), before);
        let shape = shape_of(&world, body);
        world.shape_mut(shape).set_geometry(rect(0.5, 0.5));
        world.shape_mut(shape).set_geometry(disc(0.5));
        world.shift_origin((1.0, 0.0));
        step(&mut world);
    }
    world.body_mut(body).set_mass(Some(data(1.0e8, 0.0)));
    assert_eq!(numbers(&world, body), (1.0, 1.0, 1.0e8, 0.0));
    step(&mut world);
}
