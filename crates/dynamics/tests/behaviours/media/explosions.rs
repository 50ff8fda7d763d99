//! Explosions: the pushed bodies, and the directions and sizes of their impulses.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, ExplosionDef, InitialState, QueryFilter, ShapeDef, World};
use cairn2d_geometry::math::{WorldPoint, vec2};
use cairn2d_geometry::{Circle, math::point};

#[test]
fn impulse_is_that_on_the_width_and_fades_beyond_the_radius() {
    // A disc of radius 0.5 m is 1 m wide; its surface is at the distance of its center less 0.5 m.
    for (x, share) in [
        (1.0, 1.0),
        (2.5, 1.0),
        (3.0, 0.75),
        (4.0, 0.25),
        (4.6, 0.0),
        (9.0, 0.0),
    ] {
        for base in [0.0, 1.0e7] {
            let mut world = weightless();
            let def = BodyDef {
                position: WorldPoint::new(base + x, base),
                ..BodyDef::dynamic()
            };
            let body = solid(&mut world, def, disc(0.5));
            let place = WorldPoint::new(base, base);
            world.explode(&ExplosionDef::new(place, 2.0, 3.0).falloff(2.0));
            let body = world.body(body);
            let impulse = body.velocity() * body.mass();
            assert!(
                (impulse - vec2(3.0 * share, 0.0)).norm() < 1.0e-4,
                "{impulse} at {x}"
            );
            close(body.angular_velocity(), 0.0, 1.0e-4);
        }
    }
}

#[test]
fn what_is_pushed_beside_its_centre_turns() {
    let mut world = weightless();
    let plank = solid(
        &mut world,
        BodyDef::dynamic().position(0.0, 1.0),
        rect(2.0, 0.1),
    );
    world.explode(&ExplosionDef::new((1.5, 0.0), 2.0, 1.0));
    let plank = world.body(plank);
    assert!(plank.velocity().y > 0.0);
    // I w = x J, with the impulse J on 4 m.
    close(
        plank.angular_velocity() * plank.inertia(),
        1.5 * 4.0,
        1.0e-3,
    );
}

#[test]
fn what_holds_the_place_is_pushed_at_its_centre_and_not_at_all_in_its_middle() {
    for (x, pushed) in [(0.0, false), (0.2, true)] {
        let mut world = weightless();
        let body = solid(&mut world, BodyDef::dynamic().position(x, 0.0), disc(0.5));
        world.explode(&ExplosionDef::new((0.0, 0.0), 1.0, 2.0));
        let body = world.body(body);
        close(
            body.velocity().x * body.mass(),
            if pushed { 2.0 } else { 0.0 },
            1.0e-4,
        );
    }
}

#[test]
fn explosion_wakes_what_it_moves_and_only_moves_dynamic_bodies_that_it_sees() {
    let mut world = weightless();
    let asleep = || BodyDef::dynamic().initial_state(InitialState::Asleep);
    let near = solid(&mut world, asleep().position(1.0, 0.0), disc(0.3));
    let far = solid(&mut world, asleep().position(9.0, 0.0), disc(0.3));
    let unseen = add(
        &mut world,
        asleep().position(0.0, 1.0),
        disc(0.3),
        filtered(4, u64::MAX),
    );
    let wall = solid(
        &mut world,
        BodyDef::static_().position(-1.0, 0.0),
        disc(0.3),
    );
    let lift = solid(
        &mut world,
        BodyDef::kinematic().position(0.0, -1.0),
        disc(0.3),
    );
    let zone = add(
        &mut world,
        asleep().position(-1.0, 1.0),
        disc(0.3),
        ShapeDef::sensor(),
    );
    world.explode(&ExplosionDef::new((0.0, 0.0), 3.0, 1.0).filter(QueryFilter::default().mask(!4)));
    assert!(is_awake(&world, near) && speed(&world, near) > 0.0);
    for body in [far, unseen, wall, lift, zone] {
        assert_eq!(speed(&world, body), 0.0);
    }
    assert!(!is_awake(&world, far) && !is_awake(&world, unseen) && !is_awake(&world, zone));
    step(&mut world);
}

#[test]
fn explosion_pushes_both_ways_alike_and_a_negative_one_pulls() {
    let blown = |strength: f32| -> (World, f32, f32) {
        let mut world = weightless();
        for x in [-2.0, 2.0] {
            crate_at(&mut world, x, 0.0, 0.5);
        }
        world.explode(&ExplosionDef::new((0.0, 0.0), 3.0, strength));
        let mut speeds = world.bodies().map(|body| body.velocity().x);
        let (left, right) = (speeds.next().unwrap(), speeds.next().unwrap());
        drop(speeds);
        (world, left, right)
    };
    let (_, left, right) = blown(4.0);
    assert!(left < 0.0 && right == -left);
    let (_, left, right) = blown(-4.0);
    assert!(left > 0.0 && right == -left);
}

#[test]
fn every_shape_of_a_body_is_pushed() {
    let mut world = weightless();
    let body = world.create_body(BodyDef::dynamic());
    for x in [-2.0, 2.0] {
        let part = Circle::new(point(x, 0.0), 0.5);
        world.create_shape(body, part, ShapeDef::default());
    }
    // The middle between two alike: their impulses cancel.
    world.explode(&ExplosionDef::new((0.0, 0.0), 3.0, 4.0));
    assert!(speed(&world, body) < 1.0e-5);
    world.explode(&ExplosionDef::new((0.0, -3.0), 9.0, 4.0));
    assert!(world.body(body).velocity().y > 0.1);
}

#[test]
fn nonsense_is_refused_and_changes_nothing() {
    let mut world = weightless();
    let body = ball_at(&mut world, 1.0, 0.0, 0.5);
    let good = ExplosionDef::new((0.0, 0.0), 3.0, 1.0);
    for bad in [
        ExplosionDef {
            radius: -1.0,
            ..good
        },
        ExplosionDef {
            falloff: f32::NAN,
            ..good
        },
        ExplosionDef {
            impulse_per_length: f32::INFINITY,
            ..good
        },
        ExplosionDef {
            position: WorldPoint::new(f64::NAN, 0.0),
            ..good
        },
    ] {
        assert!(world.try_explode(&bad).is_err(), "{bad:?}");
        assert_eq!(speed(&world, body), 0.0);
    }
    // Finite, but too much for the ball of less than 1 kg.
    let bad = ExplosionDef::new((0.0, 0.0), 3.0, f32::MAX);
    assert!(world.try_explode(&bad).is_err(), "{bad:?}");
    assert_eq!(speed(&world, body), 0.0);
}
