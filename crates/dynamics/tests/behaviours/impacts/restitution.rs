//! Bounce: heights, thresholds, and no energy from nowhere.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, MotorJointDef, ShapeDef, Tuning, World, WorldDef};
use cairn2d_geometry::Shape;
use cairn2d_geometry::math::{PI, vec2};

/// Drops `shape` from `height` above its rest and returns the apex after the bounce, above its rest.
fn rebound(shape: impl Into<Shape>, rest: f32, height: f32, e: f32) -> f32 {
    let mut world = world();
    let def = ShapeDef::default().restitution(e);
    ground_of(&mut world, def);
    let start = BodyDef::dynamic().position(0.0, rest + height);
    let body = add(&mut world, start, shape, def);
    let (mut apex, mut bounced) = (0.0_f32, false);
    for _ in 0..900 {
        step(&mut world);
        let rising = world.body(body).velocity().y > 0.0;
        bounced |= rising;
        if bounced {
            apex = apex.max(y(&world, body) - rest);
        }
        if bounced && !rising {
            break;
        }
    }
    apex
}

#[test]
fn ball_rebounds_to_the_square_of_its_restitution() {
    // h' = e^2 h. The step in which it touches is spent at the surface: up to v dt of the way, with
    // v^2 = 2 g h, is missing at both ends.
    for e in [0.0_f32, 0.3, 0.5, 0.8, 0.95, 1.0] {
        for height in [2.0_f32, 10.0] {
            let apex = rebound(disc(0.2), 0.2, height, e);
            let expected = e * e * height;
            let lost = e * (2.0 * G * height).sqrt() * DT;
            close(apex, expected, 0.005 * height + lost);
        }
    }
}

#[test]
fn flat_box_rebounds_like_a_ball() {
    // Catches two-point manifolds that bounce one point after the other and lose height.
    for e in [0.0_f32, 0.5, 1.0] {
        let apex = rebound(rect(0.5, 0.5), 0.5, 10.0, e);
        let lost = e * 200.0_f32.sqrt() * DT;
        close(apex, e * e * 10.0, 0.05 + lost);
    }
}

#[test]
fn flat_box_stays_level_when_it_bounces() {
    let mut world = world();
    let def = ShapeDef::default().restitution(1.0);
    ground_of(&mut world, def);
    let body = add(
        &mut world,
        BodyDef::dynamic().position(0.0, 5.5),
        rect(0.5, 0.5),
        def,
    );
    for _ in 0..300 {
        step(&mut world);
        close(world.body(body).angle(), 0.0, 1.0e-4);
    }
}

#[test]
fn high_drop_bounces_by_its_restitution() {
    for e in [0.0_f32, 0.25, 0.5, 0.75, 1.0] {
        let apex = rebound(disc(0.5), 0.5, 40.0, e);
        close(apex / 40.0, e * e, 0.02);
        let apex = rebound(rect(0.5, 0.5), 0.5, 40.0, e);
        close(apex / 40.0, e * e, 0.02);
    }
}

#[test]
fn slow_impact_does_not_bounce() {
    // A drop from 4 mm arrives at sqrt(2 g h) = 0.28 m/s, below the threshold of 0.3 m/s.
    assert!(rebound(disc(0.5), 0.5, 0.004, 1.0) < 0.002);
    close(rebound(disc(0.5), 0.5, 0.04, 1.0) / 0.04, 1.0, 0.02);
}

#[test]
fn threshold_can_be_changed() {
    for (threshold, bounces) in [(0.1, true), (5.0, false)] {
        let mut world = World::new(WorldDef {
            tuning: Tuning {
                restitution_threshold: threshold,
                ..Tuning::default()
            },
            ..WorldDef::weightless()
        });
        let def = ShapeDef::default().restitution(1.0);
        ground_of(&mut world, def);
        let body = BodyDef::dynamic().position(0.0, 1.0).velocity(0.0, -2.9);
        let body = add(&mut world, body, disc(0.5), def);
        run(&mut world, 60);
        let up = world.body(body).velocity().y;
        close(up, if bounces { 2.9 } else { 0.0 }, 0.01);
    }
}

#[test]
fn ball_bounces_off_a_slope_as_light_does() {
    // Without friction the normal part is reversed, the tangential part stays.
    let mut world = weightless();
    let def = slippery().restitution(1.0);
    add(
        &mut world,
        BodyDef::static_().angle(0.25 * PI),
        rect(10.0, 0.5),
        def,
    );
    let ball = BodyDef::dynamic().position(0.0, 5.0).velocity(0.0, -6.0);
    let ball = add(&mut world, ball, disc(0.2), def);
    run(&mut world, 90);
    let v = world.body(ball).velocity();
    assert!((v - vec2(-6.0, 0.0)).norm() < 0.01, "{v}");
}

#[test]
fn stacked_bounce_gains_no_energy() {
    for e in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let mut world = world();
        let def = ShapeDef::default().restitution(e);
        ground_of(&mut world, def);
        add(
            &mut world,
            BodyDef::dynamic().position(0.0, 0.5),
            rect(0.5, 0.5),
            def,
        );
        add(
            &mut world,
            BodyDef::dynamic().position(0.0, 5.5),
            rect(0.5, 0.5),
            def,
        );
        let start = energy(&world);
        for _ in 0..400 {
            step(&mut world);
            assert!(
                energy(&world) < 1.01 * start,
                "e = {e}: {}",
                energy(&world) / start
            );
        }
    }
}

#[test]
fn the_livelier_surface_decides() {
    let mut world = world();
    ground_of(&mut world, ShapeDef::default().restitution(0.8));
    let body = ball_at(&mut world, 0.0, 5.5, 0.5);
    let mut up = 0.0_f32;
    for _ in 0..90 {
        step(&mut world);
        up = up.max(world.body(body).velocity().y);
    }
    close(up, 0.8 * 10.0, 0.2);
}

#[test]
fn dropped_pile_of_bouncing_balls_gains_no_energy() {
    let mut world = world();
    let def = ShapeDef::default().restitution(1.0);
    ground_of(&mut world, def);
    let mut random = Random::new(5);
    for i in 0..20 {
        let start = BodyDef::dynamic().position(random.range(-1.0, 1.0), 1.0 + 1.1 * i as f32);
        add(&mut world, start, disc(0.5), def);
    }
    let start = energy(&world);
    for _ in 0..300 {
        step(&mut world);
        assert!(energy(&world) < 1.01 * start, "{}", energy(&world) / start);
    }
}

#[test]
fn height_does_not_depend_on_the_gap_at_which_the_ground_is_seen() {
    // Below a gap of 2 cm the ground is a contact: it must not reduce the bounce of a ball that it stops there.
    for e in [0.5_f32, 0.8] {
        for i in 0..24 {
            let height = 2.0 + 0.005 * i as f32;
            let apex = rebound(disc(0.2), 0.2, height, e);
            let lost = e * (2.0 * G * height).sqrt() * DT;
            close(apex, e * e * height, 0.005 * height + lost);
        }
    }
}

#[test]
fn brake_takes_its_force_from_a_car_that_hits_a_wall_and_no_more() {
    // An impact takes no time, so no motor acts in it. Brakes acted in each round of impacts, and rounds without an impact, of a
    // contact that closes in the next step, were repeated up to the bound of the rounds.
    let brake = 1.0;
    for i in 0..60 {
        let (start_speed, at) = (1.5 + 0.5 * (i % 4) as f32, 0.01 * i as f32);
        let def = ShapeDef::default().restitution(0.5).friction(0.0);
        let mut world = weightless();
        let wall = world.create_body(BodyDef::static_().position(2.0, 0.0));
        world.create_shape(wall, rect(0.5, 10.0), def);
        let start = BodyDef::dynamic()
            .position(at, 0.0)
            .velocity(start_speed, 0.0);
        let car = add(&mut world, start, disc(0.5), def);
        let mut joint = MotorJointDef::new(wall, car);
        joint.max_velocity_force = brake * world.body(car).mass();
        world.create_joint(joint);
        let mut last = start_speed;
        for _ in 0..60 {
            step(&mut world);
            let velocity = world.body(car).velocity().x;
            let expected = if velocity > 0.0 {
                last - brake * DT
            } else {
                // Between a brake before and a brake after the impact.
                -0.5 * last
            };
            close(velocity, expected, 1.01 * brake * DT);
            if velocity <= 0.0 {
                break;
            }
            close(velocity, expected, 1.0e-4);
            last = velocity;
        }
    }
}
