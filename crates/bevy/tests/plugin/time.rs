//! Time: pauses, slow motion, long frames, other rates.

use crate::common::*;
use bevy_app::prelude::*;
use bevy_cairn2d::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_time::{Fixed, Time, TimeUpdateStrategy, Virtual};
use bevy_transform::components::Transform;
use std::time::Duration;

const SPEED: f32 = 3.0;

/// Spawns a ball that moves along x.
fn moving_ball(app: &mut App) -> Entity {
    let ball = (
        RigidBody::Dynamic,
        Collider::circle(0.5),
        Velocity::linear(SPEED, 0.0),
    );
    spawn(app, ball)
}

fn frames_of(app: &mut App, seconds: f64) {
    let frame = Duration::from_secs_f64(seconds);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
}

fn steps(app: &App) -> u64 {
    physics(app).world().step_count()
}

#[test]
fn paused_game_stands_still_and_goes_on_without_a_jump() {
    let mut app = weightless();
    let ball = moving_ball(&mut app);
    frames_of(&mut app, 1.0 / 144.0);
    for _ in 0..20 {
        app.update();
    }
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    app.update();
    let (at, before) = (place(&app, ball), steps(&app));
    for _ in 0..50 {
        app.update();
        assert_eq!(place(&app, ball), at);
    }
    assert_eq!(steps(&app), before);
    // A teleport is shown at once in a pause, too.
    app.world_mut()
        .get_mut::<Transform>(ball)
        .unwrap()
        .translation
        .y = 4.0;
    app.update();
    assert_eq!(place(&app, ball), Vec2::new(at.x, 4.0));
    app.world_mut().resource_mut::<Time<Virtual>>().unpause();
    let mut x = at.x;
    for _ in 0..50 {
        app.update();
        let moved = place(&app, ball).x - x;
        // Until the next step the teleported body stands, and then it is not behind: at most a step.
        assert!(
            (0.0..=SPEED / RATE as f32 + 1.0e-4).contains(&moved),
            "{moved}"
        );
        x += moved;
    }
}

#[test]
fn slow_motion_is_smooth() {
    let mut app = weightless();
    let ball = moving_ball(&mut app);
    frames_of(&mut app, 1.0 / 144.0);
    app.world_mut()
        .resource_mut::<Time<Virtual>>()
        .set_relative_speed(0.125);
    // Two steps.
    for _ in 0..60 {
        app.update();
    }
    let mut x = place(&app, ball).x;
    for _ in 0..144 {
        app.update();
        let moved = place(&app, ball).x - x;
        let expected = 0.125 * SPEED / 144.0;
        assert!((moved - expected).abs() < 1.0e-5, "{moved}, not {expected}");
        x += moved;
    }
}

#[test]
fn long_frame_makes_a_bounded_number_of_steps() {
    let mut app = weightless();
    let ball = moving_ball(&mut app);
    app.update();
    let before = steps(&app);
    let longest = app.world().resource::<Time<Virtual>>().max_delta();
    frames_of(&mut app, 60.0);
    app.update();
    let made = steps(&app) - before;
    let bound = longest.as_secs_f64() * RATE;
    assert!(
        (made as f64 - bound).abs() <= 1.0,
        "{made} steps, not {bound}"
    );
    // Poses are those of the last two of these steps.
    let overstep = app.world().resource::<Time<Fixed>>().overstep_fraction();
    let exact = SPEED / RATE as f32 * (steps(&app) as f32 - 1.0 + overstep);
    assert!((place(&app, ball).x - exact).abs() < 1.0e-4);
}

#[test]
fn rate_of_steps_may_change_at_run_time() {
    let mut app = weightless();
    let ball = moving_ball(&mut app);
    run(&mut app, 10);
    app.world_mut()
        .resource_mut::<Time<Fixed>>()
        .set_timestep_hz(30.0);
    let x = physics(&app).body(ball).unwrap().position().x;
    run(&mut app, 30);
    let moved = physics(&app).body(ball).unwrap().position().x - x;
    assert!((moved - SPEED).abs() < 1.0e-3, "{moved} m in a second");
}

#[test]
fn frames_without_a_step_and_with_several_agree_with_the_engine() {
    // Frames of 20 ms and 3 ms alternate: none to two steps in each.
    let mut app = weightless();
    let ball = moving_ball(&mut app);
    let mut counts = [0_usize; 3];
    for frame in 0..200 {
        let before = steps(&app);
        frames_of(&mut app, if frame % 2 == 0 { 0.020 } else { 0.003 });
        app.update();
        counts[(steps(&app) - before) as usize] += 1;
        let overstep = app.world().resource::<Time<Fixed>>().overstep_fraction();
        if steps(&app) > 0 {
            let exact = SPEED / RATE as f32 * (steps(&app) as f32 - 1.0 + overstep);
            let error = place(&app, ball).x - exact;
            assert!(error.abs() < 1.0e-4, "frame {frame}: {error}");
        }
    }
    assert!(counts.iter().all(|count| *count > 5), "{counts:?}");
}

/// Bodies whose transform was marked as changed.
#[derive(Resource, Default)]
struct Marked(usize);

#[test]
fn bodies_at_rest_are_not_marked_as_changed() {
    let mut app = app();
    ground(&mut app);
    let level = spawn(&mut app, at(1.0, 0.0));
    for i in 0..5 {
        let ball = (RigidBody::Dynamic, Collider::rectangle(1.0, 1.0));
        spawn(&mut app, (ball.clone(), at(3.0 * i as f32, 0.5)));
        spawn(&mut app, (ball, at(3.0 * i as f32, 0.5), ChildOf(level)));
    }
    app.init_resource::<Marked>().add_systems(
        Last,
        |changed: Query<(), Or<(Changed<Transform>, Changed<Velocity>)>>,
         mut marked: ResMut<Marked>| {
            marked.0 = changed.iter().count();
        },
    );
    frames_of(&mut app, 1.0 / 144.0);
    for _ in 0..400 {
        app.update();
    }
    let bodies = physics(&app).world().bodies();
    assert_eq!(bodies.filter(|body| body.is_awake()).count(), 0);
    for _ in 0..20 {
        app.update();
        assert_eq!(app.world().resource::<Marked>().0, 0);
    }
}
