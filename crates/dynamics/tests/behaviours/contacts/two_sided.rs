//! Chains that are solid from both sides.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, BodyId, QueryFilter, ShapeDef, World};
use cairn2d_geometry::math::{Point, point, vec2};
use cairn2d_geometry::{Chain, ChainKind};

fn wave() -> Vec<Point> {
    let x = |i: i32| 0.5 * i as f32;
    (-20..=60)
        .map(|i| point(x(i), 0.3 * sine(0.4 * x(i))))
        .collect()
}

fn wire(world: &mut World, points: &[Point], def: ShapeDef) -> BodyId {
    let ground = world.create_body(BodyDef::static_());
    world.create_chain(ground, &Chain::two_sided(points, ChainKind::Open), def);
    ground
}

/// Slides a ball or a box along a wave, above it or below; returns its energies before and after 4 s.
fn slide(is_two_sided: bool, is_above: bool, is_ball: bool) -> [f64; 2] {
    let up = if is_above { 1.0 } else { -1.0 };
    let mut world = world();
    world.set_gravity(vec2(0.0, -10.0 * up));
    let smooth = slippery();
    if is_two_sided {
        wire(&mut world, &wave(), smooth);
    } else {
        let chain = Chain::ground(&wave());
        let chain = if is_above { chain } else { chain.reversed() };
        let ground = world.create_body(BodyDef::static_());
        world.create_chain(ground, &chain, smooth);
    }
    let start = 0.3 * sine(0.4 * -8.0) + 0.4 * up;
    let body = world.create_body(BodyDef::dynamic().position(-8.0, start).velocity(4.0, 0.0));
    if is_ball {
        world.create_shape(body, disc(0.3), smooth);
    } else {
        world.create_shape(body, rect(0.3, 0.3), smooth);
    }
    let energy = |world: &World| world.kinetic_energy() + world.potential_energy();
    run(&mut world, 30);
    let before = energy(&world);
    run(&mut world, 240);
    [before, energy(&world)]
}

#[test]
fn sliding_along_either_side_is_as_smooth_as_along_one_sided_chains() {
    for is_above in [false, true] {
        for is_ball in [false, true] {
            let both = slide(true, is_above, is_ball);
            let one = slide(false, is_above, is_ball);
            for (both, one) in both.into_iter().zip(one) {
                assert!(
                    (both - one).abs() < 1.0e-3 * one,
                    "{is_above} {is_ball}: {both} {one}"
                );
            }
        }
    }
}

/// Things on both sides of sharp peaks and hollows stay on their side and come to rest.
#[test]
fn nothing_changes_its_side_of_a_zigzag() {
    let mut random = Random::new(5);
    let mut world = world();
    let points: Vec<Point> = (-12..=12)
        .map(|i| point(i as f32, if i % 2 == 0 { 0.0 } else { 1.2 }))
        .collect();
    wire(&mut world, &points, ShapeDef::default());
    for x in [-12.0, 12.0] {
        solid(
            &mut world,
            BodyDef::static_().position(x, 0.0),
            rect(0.2, 8.0),
        );
    }
    let mut bodies = Vec::new();
    for i in 0..44 {
        let side = if i % 2 == 0 { 1.0 } else { -1.0 };
        let at = (-10.5 + 0.48 * i as f32, 0.6 + side * random.range(2.0, 5.0));
        let def = BodyDef {
            gravity_scale: side,
            angle: random.range(0.0, 3.0),
            ..BodyDef::dynamic().position(at.0, at.1)
        };
        let body = if i % 4 < 2 {
            solid(&mut world, def, disc(random.range(0.1, 0.4)))
        } else {
            solid(
                &mut world,
                def,
                rect(random.range(0.2, 0.7), random.range(0.08, 0.2)),
            )
        };
        bodies.push((body, side));
    }
    // Height of the line at x.
    let line = |x: f32| 1.2 * (1.0 - (x.rem_euclid(2.0) - 1.0).abs());
    for _ in 0..600 {
        step(&mut world);
        for &(body, side) in &bodies {
            let at = world.body(body).center();
            assert!(side * (at.y - line(at.x)) > -0.01, "{body:?} {side} {at}");
        }
    }
    let fastest = bodies
        .iter()
        .map(|&(body, _)| speed(&world, body))
        .fold(0.0, f32::max);
    assert!(fastest < 0.5, "{fastest}");
}

#[test]
fn box_rests_in_the_hollow_of_either_side() {
    for side in [1.0_f32, -1.0] {
        let mut world = world();
        world.set_gravity(vec2(0.0, -10.0 * side));
        let peak = [point(-4.0, -2.0), point(0.0, 0.0), point(4.0, -2.0)];
        let hollow = peak.map(|p| point(p.x, -p.y));
        let points = if side > 0.0 { hollow } else { peak };
        wire(&mut world, &points, ShapeDef::default());
        let body = crate_at(&mut world, 0.2, 1.5 * side, 0.5);
        run(&mut world, 240);
        assert!(speed(&world, body) < 0.01);
        let height = side * y(&world, body);
        assert!((0.6..0.9).contains(&height), "{height}");
    }
}

#[test]
fn rays_and_fast_bodies_meet_both_sides() {
    let mut world = weightless();
    wire(
        &mut world,
        &[point(-3.0, 0.0), point(0.0, 0.5), point(3.0, 0.0)],
        ShapeDef::default(),
    );
    for side in [1.0_f32, -1.0] {
        let ray = world.ray_cast(
            (1.0, 5.0 * side),
            vec2(0.0, -10.0 * side),
            QueryFilter::default(),
        );
        assert!(ray.unwrap().normal.y * side > 0.9);
        let shot = BodyDef::dynamic()
            .position(0.5, 5.0 * side)
            .velocity(0.0, -900.0 * side);
        let shot = solid(&mut world, shot, disc(0.05));
        for _ in 0..10 {
            step(&mut world);
            // It slides down the slope and leaves at the end.
            let at = world.body(shot).position();
            let line = 0.5 - at.x.abs() / 6.0;
            assert!(at.x.abs() > 2.9 || side * (at.y - line) > 0.0, "{at}");
        }
        world.destroy_body(shot);
    }
}

#[test]
fn wire_survives_a_save() {
    let mut world = world();
    wire(&mut world, &wave(), ShapeDef::default());
    crate_at(&mut world, 0.0, 2.0, 0.4);
    run(&mut world, 30);
    let mut loaded = World::load(&world.save()).unwrap();
    for _ in 0..120 {
        step(&mut world);
        step(&mut loaded);
        assert_eq!(world.state_hash(), loaded.state_hash());
    }
}
