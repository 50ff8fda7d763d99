//! Behavior of the scenes of the gallery.

#[path = "../../examples/gallery/scenes/mod.rs"]
mod scenes;

use bevy_app::prelude::*;
use bevy_cairn2d::cairn2d::CharacterController;
use bevy_cairn2d::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_transform::components::Transform;
use scenes::{ccd, chain, crowd, despawn, events, joints, kinematic_character, marbles};
use scenes::{one_way_platform, ray_casts, sensors};

fn run(app: &mut App, steps: usize) {
    for _ in 0..steps {
        app.update();
        app.world()
            .resource::<Physics>()
            .world()
            .assert_consistent();
    }
}

/// Returns the entities with a component and their places.
fn places<C: Component>(app: &mut App) -> Vec<(Entity, Vec2)> {
    let mut query = app
        .world_mut()
        .query_filtered::<(Entity, &Transform), With<C>>();
    let placed = query.iter(app.world());
    placed
        .map(|(entity, transform)| (entity, transform.translation.truncate()))
        .collect()
}

fn place<C: Component>(app: &mut App) -> Vec2 {
    places::<C>(app)[0].1
}

#[test]
fn all_scenes_run() {
    for (name, scene) in scenes::ALL {
        let mut app = scenes::headless(scene);
        run(&mut app, 30);
        let steps = app.world().resource::<Physics>().world().step_count();
        assert_eq!(steps, 30, "{name}");
        assert!(
            app.world()
                .resource::<Messages<PhysicsProblem>>()
                .is_empty(),
            "{name}"
        );
    }
}

#[test]
fn marbles_roll_where_they_are_pushed_and_stay_in_the_tray() {
    let mut app = scenes::headless(marbles::scene);
    run(&mut app, 30);
    let mean = |app: &mut App| {
        let marbles = places::<marbles::Marble>(app);
        marbles.iter().map(|(_, at)| *at).sum::<Vec2>() / marbles.len() as f32
    };
    let start = mean(&mut app);
    app.insert_resource(marbles::Push(Vec2::new(6.0, 0.0)));
    run(&mut app, 240);
    assert!(mean(&mut app).x > start.x + 1.5, "{}", mean(&mut app));
    for (marble, at) in places::<marbles::Marble>(&mut app) {
        assert!(
            at.abs().max_element() < marbles::HALF - 0.29,
            "{marble} at {at}"
        );
    }
}

#[test]
fn platform_lets_through_from_below_bears_from_above_and_drops_on_demand() {
    let mut app = scenes::headless(one_way_platform::scene);
    run(&mut app, 60);
    let skin = CharacterController::default().skin;
    let standing = 0.6 + skin;
    let height = |app: &mut App| place::<Character>(app).y;
    assert!(
        (height(&mut app) - standing).abs() < 0.01,
        "{}",
        height(&mut app)
    );
    app.world_mut()
        .resource_mut::<one_way_platform::Input>()
        .jump = true;
    run(&mut app, 1);
    app.world_mut()
        .resource_mut::<one_way_platform::Input>()
        .jump = false;
    run(&mut app, 120);
    let on_top = one_way_platform::TOP + standing;
    assert!(
        (height(&mut app) - on_top).abs() < 0.01,
        "{}",
        height(&mut app)
    );
    app.world_mut()
        .resource_mut::<one_way_platform::Input>()
        .drop = true;
    run(&mut app, 60);
    assert!(
        (height(&mut app) - standing).abs() < 0.01,
        "{}",
        height(&mut app)
    );
    // The ball fell on it from above and lies there.
    let balls = places::<RigidBody>(&mut app);
    assert!(
        balls
            .iter()
            .any(|(_, at)| (at.y - one_way_platform::TOP - 0.25).abs() < 0.01)
    );
}

#[test]
fn chain_swings_and_does_not_stretch() {
    let mut app = scenes::headless(chain::scene);
    let root = Vec2::new(-0.5 * chain::LENGTH, 0.0);
    let length = chain::LINKS as f32 * chain::LENGTH;
    let mut lowest = 0.0_f32;
    for _ in 0..300 {
        run(&mut app, 1);
        let weight = place::<chain::Weight>(&mut app);
        assert!(
            weight.distance(root) < 1.01 * length,
            "{}",
            weight.distance(root) / length
        );
        lowest = lowest.min(weight.y);
    }
    assert!(lowest < -0.95 * length, "it swung down to {lowest}");
}

#[test]
fn joints_hold_drive_limit_and_break() {
    let mut app = scenes::headless(joints::scene);
    run(&mut app, 240);
    let mut parts = app
        .world_mut()
        .query::<(&joints::Part, &Transform, &Velocity)>();
    let found: Vec<_> = parts
        .iter(app.world())
        .map(|(p, t, v)| (*p, *t, *v))
        .collect();
    let part = |name| {
        let (_, transform, velocity) = found.iter().find(|(part, ..)| *part == name).unwrap();
        (transform.translation.truncate(), *velocity)
    };
    let (_, spin) = part(joints::Part::Propeller);
    assert!((spin.angular - joints::SPEED).abs() < 0.05);
    let (slider, _) = part(joints::Part::Slider);
    assert!(
        (slider - Vec2::new(-6.5, 4.0)).length() < 0.02,
        "{slider} is not at its limit"
    );
    let (lamp, _) = part(joints::Part::Lamp);
    assert!(
        (lamp.distance(Vec2::new(-3.0, 6.0)) - 1.0).abs() < 0.01,
        "{lamp}"
    );
    let (welded, _) = part(joints::Part::Welded);
    assert!(welded.distance(Vec2::new(3.0, 5.0)) < 0.02, "{welded}");
    let (car, _) = part(joints::Part::Car);
    assert!(car.x > 16.0 && car.y > 0.5, "{car}");
    let (fragile, _) = part(joints::Part::Fragile);
    assert!(fragile.y < 1.0, "{fragile} fell when its joint broke");
}

#[test]
fn character_climbs_stairs_and_descends_the_ramp_on_the_ground() {
    let mut app = scenes::headless(kinematic_character::scene);
    run(&mut app, 30);
    let (mut highest, mut airborne) = (0.0_f32, 0);
    for _ in 0..300 {
        run(&mut app, 1);
        highest = highest.max(place::<Character>(&mut app).y);
        let mut states = app.world_mut().query::<&CharacterState>();
        airborne += usize::from(!states.single(app.world()).unwrap().is_grounded());
    }
    let at = place::<Character>(&mut app);
    assert!(at.x > 9.0, "{at}");
    assert!(highest > 0.8 + 0.6 && at.y < 0.65, "{highest}, then {at}");
    assert!(airborne < 20, "in the air for {airborne} of 300 steps");
}

#[test]
fn rays_measure_distances_to_walls_and_moving_bodies() {
    let mut app = scenes::headless(ray_casts::scene);
    run(&mut app, 60);
    let readings = &app.world().resource::<ray_casts::Readings>().0;
    assert_eq!(readings.len(), ray_casts::RAYS);
    // To the right is the wall, its near side at x = 5; to the left is nothing.
    assert!((readings[0].unwrap().1 - 5.0).abs() < 1.0e-4);
    assert!(readings[ray_casts::RAYS / 2].is_none());
    // Upward is a ball at y = 4 that moves up by 1 m/s; readings are those of the step before.
    let (_, distance) = readings[ray_casts::RAYS / 4].unwrap();
    assert!(
        (distance - (3.0 + 59.0 * scenes::DT)).abs() < 1.0e-3,
        "{distance}"
    );
    for (ray, reading) in readings.iter().enumerate() {
        let at = reading.map(|(_, distance)| ray_casts::direction(ray) * distance);
        assert!(at.is_none_or(|at| at.length() <= ray_casts::RANGE));
    }
}

#[test]
fn gate_counts_what_passes() {
    let mut app = scenes::headless(sensors::scene);
    let mut most = 0;
    for _ in 0..200 {
        run(&mut app, 1);
        let mut counts = app.world_mut().query::<&sensors::Count>();
        most = most.max(counts.single(app.world()).unwrap().inside);
    }
    let mut counts = app.world_mut().query::<&sensors::Count>();
    let count = counts.single(app.world()).unwrap();
    let expected = sensors::Count {
        inside: 0,
        passed: sensors::BALLS,
    };
    assert_eq!(*count, expected);
    assert!(most >= 1);
}

#[test]
fn bounces_are_told_by_messages_and_observers() {
    let mut app = scenes::headless(events::scene);
    run(&mut app, 400);
    let log = app.world().resource::<events::Log>();
    assert!(log.started >= 4 && log.observed == log.started, "{log:?}");
    assert_eq!(log.ended + 1, log.started, "it lies on the floor: {log:?}");
    let fall = (2.0 * 10.0 * events::HEIGHT).sqrt();
    assert!((log.hits[0] - fall).abs() < 0.02 * fall, "{log:?}");
    assert!(
        (log.hits[1] - 0.6 * log.hits[0]).abs() < 0.03 * fall,
        "{log:?}"
    );
}

#[test]
fn bricks_vanish_when_they_are_hit_and_their_contacts_end_by_name() {
    let mut app = scenes::headless(despawn::scene);
    run(&mut app, 600);
    let left = places::<despawn::Brick>(&mut app).len();
    let score = app.world().resource::<despawn::Score>();
    assert!(score.hit.len() >= 5, "{} bricks were hit", score.hit.len());
    assert_eq!(score.hit.len() + left, despawn::BRICKS);
    assert_eq!(score.ended, score.hit);
    let bodies = app.world().resource::<Physics>().world().body_count();
    assert_eq!(
        bodies,
        left + 5,
        "four walls, the ball and the bricks that are left"
    );
}

#[test]
fn fast_balls_do_not_pass_thin_walls() {
    let mut app = scenes::headless(ccd::scene);
    run(&mut app, 10);
    let mut balls = app.world_mut().query::<(&ccd::Ball, &Transform)>();
    let balls: Vec<_> = balls
        .iter(app.world())
        .map(|(ball, t)| (*ball, t.translation.x))
        .collect();
    assert_eq!(balls.len(), 2);
    for (ball, x) in balls {
        assert!(x < ccd::WALL + 0.1, "{ball:?} at {x}");
    }
}

#[test]
fn walkers_cross_and_keep_apart() {
    let mut app = scenes::headless(crowd::scene);
    let mut nearest = f32::INFINITY;
    for _ in 0..900 {
        run(&mut app, 1);
        let walkers = places::<CrowdAgent>(&mut app);
        for (i, (_, a)) in walkers.iter().enumerate() {
            for (_, b) in &walkers[..i] {
                nearest = nearest.min(a.distance(*b));
            }
        }
    }
    assert!(nearest > 0.58, "{nearest}");
    let mut states = app.world_mut().query::<&AgentState>();
    let arrived = states
        .iter(app.world())
        .filter(|state| state.has_arrived)
        .count();
    assert_eq!(arrived, 2 * crowd::GROUP);
}
