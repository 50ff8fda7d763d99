//! Transforms: interpolation, teleports, hierarchies.

use crate::common::*;
use bevy_app::prelude::*;
use bevy_app::{FixedFirst, RunFixedMainLoop, RunFixedMainLoopSystems};
use bevy_cairn2d::from_world_point;
use bevy_cairn2d::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec2, Vec3};
use bevy_time::{Fixed, Time, TimeUpdateStrategy};
use bevy_transform::components::{GlobalTransform, Transform};
use std::time::Duration;

/// Frames in a second of the tests: no multiple of the steps.
const FRAMES: f64 = 144.0;

fn show_at_144_hz(app: &mut App) {
    let frame = Duration::from_secs_f64(1.0 / FRAMES);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
}

#[test]
fn frames_at_144_hz_over_steps_at_60_hz_do_not_stutter() {
    let mut app = weightless();
    let speed = 3.0;
    let velocity = Velocity::linear(speed, 0.0).with_angular(1.5);
    let ball = spawn(
        &mut app,
        (RigidBody::Dynamic, Collider::circle(0.5), velocity),
    );
    show_at_144_hz(&mut app);
    // Past the first two steps there are two poses to interpolate between.
    for _ in 0..10 {
        app.update();
    }
    let turn = |app: &App| {
        app.world()
            .get::<Transform>(ball)
            .unwrap()
            .rotation
            .to_scaled_axis()
            .z
    };
    let (mut x, mut angle) = (place(&app, ball).x, turn(&app));
    // Durations are whole nanoseconds, and positions have 24 bits.
    let tolerance = 1.0e-5;
    for _ in 0..144 {
        app.update();
        let (moved, turned) = (place(&app, ball).x - x, turn(&app) - angle);
        assert!((moved - speed / FRAMES as f32).abs() < tolerance, "{moved}");
        assert!((turned - 1.5 / FRAMES as f32).abs() < tolerance, "{turned}");
        (x, angle) = (place(&app, ball).x, turn(&app));
    }
}

/// Puts entities into another archetype.
#[derive(Component)]
struct Marked;

#[test]
fn all_bodies_are_shown_where_the_engine_has_them() {
    // The plugin loops over all bodies if most of them move, and looks the moving ones up if few do.
    for (moving, resting) in [(30, 30), (3, 40)] {
        let mut app = weightless();
        let mut shown = Vec::new();
        for i in 0..moving + resting {
            // Moving bodies and others take turns, and archetypes have another order than slots.
            let moves = i % (moving + resting) < moving;
            let kind = if moves {
                RigidBody::Dynamic
            } else {
                RigidBody::Static
            };
            let velocity = Velocity::linear(0.0, 1.0 + i as f32).with_angular(i as f32);
            let place = at(3.0 * i as f32, 0.0);
            let body = spawn(&mut app, (kind, Collider::circle(0.5), place));
            if moves {
                app.world_mut().entity_mut(body).insert(velocity);
            }
            if i % 3 == 0 {
                app.world_mut().entity_mut(body).insert(Marked);
            }
            shown.push(body);
        }
        show_at_144_hz(&mut app);
        for _ in 0..40 {
            app.update();
            let share = app.world().resource::<Time<Fixed>>().overstep_fraction();
            for &entity in &shown {
                let Some(body) = physics(&app).body(entity) else {
                    continue;
                };
                let (exact, rotation) = body.pose_within_step(share);
                let transform = app.world().get::<Transform>(entity).unwrap();
                let error = transform.translation.truncate() - from_world_point(exact);
                let x_axis = transform.rotation * Vec3::X;
                let turn = Vec2::new(x_axis.x - rotation.re, x_axis.y - rotation.im);
                assert!(error.length() < 1.0e-5, "{entity}: off by {error}");
                assert!(turn.length() < 1.0e-2, "{entity}: turned by {turn}");
            }
        }
    }
}

#[test]
fn shown_pose_is_at_most_a_step_late() {
    let mut app = weightless();
    let ball = spawn(
        &mut app,
        (
            RigidBody::Dynamic,
            Collider::circle(0.5),
            Velocity::linear(6.0, 0.0),
        ),
    );
    show_at_144_hz(&mut app);
    for _ in 0..50 {
        app.update();
        let overstep = app.world().resource::<Time<Fixed>>().overstep_fraction();
        let steps = physics(&app).world().step_count();
        if steps > 0 {
            let exact = 6.0 / RATE as f32 * (steps as f32 - 1.0 + overstep);
            assert!((place(&app, ball).x - exact).abs() < 1.0e-4);
        }
    }
}

#[derive(Resource, Default)]
struct Seen(Vec<f32>);

#[test]
fn fixed_systems_see_poses_of_steps() {
    let mut app = weightless();
    app.init_resource::<Seen>().add_systems(
        FixedUpdate,
        |bodies: Query<&Transform, With<RigidBody>>, mut seen: ResMut<Seen>| {
            seen.0
                .extend(bodies.iter().map(|transform| transform.translation.x));
        },
    );
    spawn(
        &mut app,
        (
            RigidBody::Dynamic,
            Collider::circle(0.5),
            Velocity::linear(6.0, 0.0),
        ),
    );
    show_at_144_hz(&mut app);
    for _ in 0..60 {
        app.update();
    }
    let seen = &app.world().resource::<Seen>().0;
    assert!(seen.len() > 20);
    for (step, x) in seen.iter().enumerate() {
        let exact = step as f32 * 6.0 / RATE as f32;
        assert!((x - exact).abs() < 1.0e-5, "step {step}: {x}, not {exact}");
    }
}

#[test]
fn teleport_is_seen_at_once_and_is_not_interpolated() {
    let mut app = weightless();
    let ball = spawn(
        &mut app,
        (
            RigidBody::Dynamic,
            Collider::circle(0.5),
            Velocity::linear(1.0, 0.0),
        ),
    );
    show_at_144_hz(&mut app);
    for _ in 0..20 {
        app.update();
    }
    app.world_mut()
        .get_mut::<Transform>(ball)
        .unwrap()
        .translation = Vec3::new(50.0, 20.0, 7.0);
    for _ in 0..20 {
        app.update();
        let shown = place(&app, ball);
        assert!((shown - Vec2::new(50.0, 20.0)).length() < 0.2, "{shown}");
    }
    assert!(physics(&app).body(ball).unwrap().position().x > 50.0);
    let depth = app.world().get::<Transform>(ball).unwrap().translation.z;
    assert_eq!(depth, 7.0, "depth belongs to the user");
}

#[test]
fn edit_of_one_coordinate_keeps_the_other_exactly() {
    let mut app = weightless();
    let velocity = Velocity::linear(0.3, 0.7).with_angular(0.1);
    let ball = spawn(
        &mut app,
        (RigidBody::Dynamic, Collider::circle(0.5), velocity),
    );
    run(&mut app, 7);
    let before = physics(&app).body(ball).unwrap().rotation();
    app.world_mut().get_mut::<Velocity>(ball).unwrap().angular = 0.0;
    app.world_mut()
        .get_mut::<Transform>(ball)
        .unwrap()
        .translation
        .x = 9.0;
    run(&mut app, 1);
    let after = physics(&app).body(ball).unwrap().rotation();
    assert!((after.re - before.re).abs() < 1.0e-7 && (after.im - before.im).abs() < 1.0e-7);
}

/// Compares the global transform of a child with that of its parent.
fn assert_agrees(app: &App, parent: Entity, child: Entity) {
    let global = |entity| *app.world().get::<GlobalTransform>(entity).unwrap();
    let local = *app.world().get::<Transform>(child).unwrap();
    let expected = global(parent) * local;
    let error = (expected.translation() - global(child).translation()).length();
    assert!(error < 1.0e-5, "off by {error}");
}

#[test]
fn parents_and_children_agree_in_each_frame() {
    let mut app = app();
    ground(&mut app);
    let body = spawn(
        &mut app,
        (
            RigidBody::Dynamic,
            Collider::rectangle(1.0, 1.0),
            at(0.0, 6.0),
        ),
    );
    app.world_mut().get_mut::<Velocity>(body).unwrap().angular = 3.0;
    let sprite = spawn(&mut app, (at(0.4, 0.3), ChildOf(body)));
    let rider = (RigidBody::Dynamic, Collider::circle(0.3), at(2.0, 3.0));
    let nested = spawn(&mut app, (rider, ChildOf(body)));
    show_at_144_hz(&mut app);
    for _ in 0..300 {
        app.update();
        assert_agrees(&app, body, sprite);
        assert_agrees(&app, body, nested);
        // The root is shown where it is between the steps, and so is its child.
        let overstep = app.world().resource::<Time<Fixed>>().overstep_fraction();
        if physics(&app).body(body).is_none() {
            continue;
        }
        for entity in [body, nested] {
            let (shown, _) = physics(&app)
                .body(entity)
                .unwrap()
                .pose_within_step(overstep);
            let global = app
                .world()
                .get::<GlobalTransform>(entity)
                .unwrap()
                .translation();
            let error = (Vec2::new(shown.x as f32, shown.y as f32) - global.truncate()).length();
            assert!(error < 2.0e-5, "{entity}: off by {error}");
        }
    }
    // The nested body fell to the ground by itself.
    let y = app
        .world()
        .get::<GlobalTransform>(nested)
        .unwrap()
        .translation()
        .y;
    assert!((y - 0.3).abs() < 0.02, "{y}");
}

#[test]
fn body_below_a_mirrored_parent_is_shown_where_it_is() {
    let mut app = weightless();
    let mut mirrored = Transform::from_xyz(2.0, 1.0, 0.0);
    mirrored.rotation = Quat::from_rotation_y(std::f32::consts::PI);
    let parent = spawn(&mut app, mirrored);
    let velocity = Velocity::linear(1.0, 0.5).with_angular(2.0);
    let body = (
        RigidBody::Dynamic,
        Collider::circle(0.5),
        at(3.0, 0.0),
        velocity,
    );
    let body = spawn(&mut app, (body, ChildOf(parent)));
    show_at_144_hz(&mut app);
    for _ in 0..100 {
        app.update();
        let share = app.world().resource::<Time<Fixed>>().overstep_fraction();
        let Some(of) = physics(&app).body(body) else {
            continue;
        };
        let (exact, rotation) = of.pose_within_step(share);
        let shown = app.world().get::<GlobalTransform>(body).unwrap();
        let error = shown.translation().truncate() - from_world_point(exact);
        let x_axis = shown.rotation() * Vec3::X;
        let turn = Vec2::new(x_axis.x - rotation.re, x_axis.y - rotation.im);
        assert!(error.length() < 1.0e-5, "off by {error}");
        assert!(turn.length() < 1.0e-2, "turned by {turn}");
    }
    let at = physics(&app).body(body).unwrap().position();
    assert!(at.x > -0.9, "it moved from x = -1 to {at}");
}

#[test]
fn nested_body_starts_where_its_parents_put_it() {
    let mut app = weightless();
    let mut level = Transform::from_xyz(10.0, 2.0, 0.0);
    level.rotation = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let level = spawn(&mut app, level);
    let body = spawn(
        &mut app,
        (
            RigidBody::Dynamic,
            Collider::circle(0.5),
            at(3.0, 0.0),
            ChildOf(level),
        ),
    );
    run(&mut app, 2);
    let position = physics(&app).body(body).unwrap().position();
    assert!((position.x - 10.0).abs() < 1.0e-5 && (position.y - 5.0).abs() < 1.0e-5);
    assert!((place(&app, body) - Vec2::new(3.0, 0.0)).length() < 1.0e-5);
    // A teleport in the frame of the parent.
    app.world_mut()
        .get_mut::<Transform>(body)
        .unwrap()
        .translation
        .x = 1.0;
    run(&mut app, 1);
    let position = physics(&app).body(body).unwrap().position();
    assert!((position.y - 3.0).abs() < 1.0e-5);
}

#[test]
fn body_that_was_moved_through_the_engine_is_shown_there() {
    let mut app = weightless();
    let wall = spawn(&mut app, (RigidBody::Static, Collider::rectangle(1.0, 1.0)));
    run(&mut app, 1);
    let mut state = app.world_mut().resource_mut::<Physics>();
    state.body_mut(wall).unwrap().set_pose((4.0, 3.0), 0.0);
    run(&mut app, 1);
    assert_eq!(place(&app, wall), Vec2::new(4.0, 3.0));
}

#[test]
fn teleport_through_the_engine_is_not_interpolated() {
    let mut app = weightless();
    let ball = spawn(
        &mut app,
        (
            RigidBody::Dynamic,
            Collider::circle(0.5),
            Velocity::linear(1.0, 0.0),
        ),
    );
    show_at_144_hz(&mut app);
    for _ in 0..20 {
        app.update();
    }
    for (x, through_world) in [(50.0, false), (90.0, true)] {
        let mut state = app.world_mut().resource_mut::<Physics>();
        if through_world {
            let body = state.body_id(ball).unwrap();
            state.world_mut().body_mut(body).set_pose((x, 0.0), 0.0);
        } else {
            state.body_mut(ball).unwrap().set_pose((x, 0.0), 0.0);
        }
        let steps = physics(&app).world().step_count();
        for _ in 0..20 {
            app.update();
            let shown = place(&app, ball).x;
            assert!(
                physics(&app).world().step_count() == steps || (shown - x).abs() < 0.2,
                "{shown}"
            );
        }
    }
}

#[test]
fn body_that_is_pushed_in_each_step_is_interpolated() {
    let mut app = weightless();
    let ball = spawn(
        &mut app,
        (
            RigidBody::Dynamic,
            Collider::circle(0.5),
            Velocity::linear(3.0, 0.0),
        ),
    );
    app.add_systems(FixedUpdate, move |mut physics: ResMut<Physics>| {
        if let Some(mut body) = physics.body_mut(ball) {
            body.apply_force(cairn2d::math::vec2(0.0, 1.0e-6));
        }
    });
    show_at_144_hz(&mut app);
    for _ in 0..10 {
        app.update();
    }
    let mut x = place(&app, ball).x;
    for _ in 0..72 {
        app.update();
        let moved = place(&app, ball).x - x;
        assert!((moved - 3.0 / FRAMES as f32).abs() < 1.0e-5, "{moved}");
        x += moved;
    }
}

/// Bodies that the systems below teleport, once each.
#[derive(Resource)]
struct Teleports([Entity; 4]);

/// Changes a transform by a command, which gives it the tick of the next system that runs.
fn teleport(which: usize) -> impl FnMut(Commands, Res<Teleports>) {
    let mut runs = 0;
    move |mut commands, bodies| {
        runs += 1;
        if runs == 5 {
            let place = at(5.0 * which as f32, 30.0);
            commands.entity(bodies.0[which]).insert(place);
        }
    }
}

#[test]
fn changes_directly_before_the_plugin_writes_are_not_lost() {
    for speed in [1.0, 0.0] {
        let mut app = weightless();
        let bodies = [0, 1, 2, 3].map(|i| {
            let velocity = Velocity::linear(speed, 0.0).with_angular(speed);
            let ball = (RigidBody::Dynamic, Collider::circle(0.5));
            spawn(&mut app, (ball, velocity, at(5.0 * i as f32, 0.0)))
        });
        use PhysicsSystems::{Step, Sync, WriteBack};
        let after_step = teleport(1).after(Step).before(WriteBack);
        let between_frames = teleport(3).in_set(RunFixedMainLoopSystems::FixedMainLoop);
        app.insert_resource(Teleports(bodies))
            .add_systems(FixedFirst, teleport(0))
            .add_systems(FixedPostUpdate, (after_step, teleport(2).before(Sync)))
            .add_systems(RunFixedMainLoop, between_frames);
        show_at_144_hz(&mut app);
        for _ in 0..40 {
            app.update();
        }
        for body in bodies {
            let y = physics(&app).body(body).unwrap().position().y;
            assert!((y - 30.0).abs() < 1.0e-3, "{body}: {y}");
        }
    }
}
