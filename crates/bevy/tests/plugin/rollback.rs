//! Rollback: save, restore and repeat, with the same bits.

use crate::common::*;
use bevy_app::prelude::*;
use bevy_cairn2d::follow_physics;
use bevy_cairn2d::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_transform::components::Transform;
use std::collections::VecDeque;

/// Frames that are repeated after each frame.
const CHECK_DISTANCE: u64 = 2;

const FRAMES: u64 = 10_000;

/// The frame of the game: its whole state beside physics.
#[derive(Resource, Clone, Copy, Default)]
struct Frame(u64);

/// Number of a frame without pattern.
fn scramble(frame: u64) -> u64 {
    let x = (frame ^ (frame >> 7)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x ^ (x >> 29)
}

/// Kicks a body through its component, and others through the engine: these in order of keys, since calls of the engine
/// apply at once.
fn kick(
    frame: Res<Frame>,
    mut bodies: Query<(Entity, &PhysicsKey, &mut Velocity)>,
    mut physics: ResMut<Physics>,
) {
    let input = scramble(frame.0);
    let mut spun = Vec::new();
    for (entity, key, mut velocity) in &mut bodies {
        match key.get().wrapping_add(input) % 23 {
            0 => velocity.linear += Vec2::new((input % 7) as f32 - 3.0, 4.0),
            1..5 => spun.push((*key, entity)),
            _ => {}
        }
    }
    spun.sort_unstable();
    for (_, entity) in spun {
        if let Some(mut body) = physics.body_mut(entity) {
            body.apply_angular_impulse(0.2);
        }
    }
}

/// Teleports a body that went astray.
fn fetch(mut bodies: Query<(&PhysicsKey, &mut Transform), With<RigidBody>>) {
    for (key, mut transform) in &mut bodies {
        if transform.translation.truncate().length() > 30.0 {
            transform.translation = Vec2::new((key.get() % 5) as f32, 6.0).extend(0.0);
        }
    }
}

/// Spawns a ball in some frames and despawns the oldest ones; keys are assigned by the plugin.
fn come_and_go(
    frame: Res<Frame>,
    balls: Query<(Entity, &PhysicsKey), With<Ball>>,
    mut commands: Commands,
) {
    let input = scramble(frame.0 + 1_000_000);
    if input.is_multiple_of(11) {
        commands.spawn(ball((input % 9) as f32 - 4.0));
    }
    let mut order: Vec<_> = balls.iter().map(|(entity, key)| (*key, entity)).collect();
    order.sort_unstable();
    if order.len() > 8 {
        commands.entity(order[0].1).despawn();
    }
}

#[derive(Component, Clone, Copy)]
struct Ball;

fn ball(x: f32) -> impl Bundle {
    (Ball, RigidBody::Dynamic, Collider::circle(0.3), at(x, 5.0))
}

fn game() -> App {
    let mut app = app();
    app.init_resource::<Frame>()
        .add_systems(FixedUpdate, (kick, fetch, come_and_go).chain());
    ground(&mut app);
    let post = spawn(&mut app, (RigidBody::Static, at(0.0, 4.0)));
    let bob = spawn(
        &mut app,
        (
            RigidBody::Dynamic,
            Collider::rectangle(0.5, 0.5),
            at(1.5, 4.0),
        ),
    );
    spawn(
        &mut app,
        Joint::revolute(post, bob).anchors(Vec2::ZERO, Vec2::new(-1.5, 0.0)),
    );
    for i in 0..5 {
        spawn(
            &mut app,
            (
                RigidBody::Dynamic,
                Collider::rectangle(1.0, 0.6),
                at(-3.0, 0.5 + i as f32),
            ),
        );
    }
    // Bodies exist from the first step on.
    run(&mut app, 1);
    app
}

/// The five lines of a game: the saved state, and the way back to it.
type Saved = (Physics, Frame);

fn save(app: &App) -> Saved {
    (
        app.world().resource::<Physics>().clone(),
        *app.world().resource::<Frame>(),
    )
}

fn load(app: &mut App, saved: &Saved) {
    restore_balls(app, &saved.0);
    app.insert_resource(saved.1);
    restore(app.world_mut(), &saved.0);
}

/// Restores entities as a rollback library does: entities that were spawned since are despawned, and entities that were
/// despawned since come back as new ones, with the components of their frame.
fn restore_balls(app: &mut App, saved: &Physics) {
    let world = app.world_mut();
    let mut balls = world.query_filtered::<(Entity, &PhysicsKey), With<Ball>>();
    let present: Vec<(Entity, PhysicsKey)> = balls.iter(world).map(|(e, key)| (e, *key)).collect();
    let recorded: Vec<u64> = saved
        .world()
        .bodies()
        .map(|body| body.user_data())
        .collect();
    for (entity, key) in &present {
        if !recorded.contains(&key.get()) {
            world.despawn(*entity);
        }
    }
    let is_ball = |body: &BodyRef<'_>| {
        body.shapes()
            .any(|s| matches!(s.geometry(), cairn2d::Shape::Circle(_)))
    };
    for body in saved.world().bodies().filter(is_ball) {
        let key = present
            .iter()
            .find(|(_, key)| key.get() == body.user_data());
        if key.is_none() {
            let entity = world.spawn((ball(0.0), PhysicsKey::recorded(body.user_data())));
            assert_ne!(
                saved.entity_of_body(body.id()),
                Some(entity.id()),
                "another entity"
            );
        }
    }
}

fn advance(app: &mut App) -> u64 {
    app.update();
    app.world_mut().resource_mut::<Frame>().0 += 1;
    physics(app).state_hash()
}

#[test]
fn ten_thousand_frames_repeat_with_the_same_bits() {
    let mut app = game();
    let mut saves: VecDeque<Saved> = VecDeque::new();
    let mut hashes: Vec<u64> = Vec::new();
    let mut respawns = 0;
    for frame in 0..FRAMES {
        saves.push_back(save(&app));
        hashes.push(advance(&mut app));
        if saves.len() as u64 > CHECK_DISTANCE {
            let before = physics(&app).world().body_count();
            let saved = saves.pop_front().unwrap();
            respawns += usize::from(saved.0.world().body_count() != before);
            load(&mut app, &saved);
            saves.clear();
            let first = frame - CHECK_DISTANCE;
            for again in first..=frame {
                saves.push_back(save(&app));
                assert_eq!(
                    advance(&mut app),
                    hashes[again as usize],
                    "frame {again} of {frame}"
                );
            }
            saves.pop_front();
        }
    }
    physics(&app).world().assert_consistent();
    assert!(
        respawns > 500,
        "bodies came and went within {respawns} repeated spans"
    );
}

#[test]
fn components_follow_a_restored_state() {
    let mut app = weightless();
    let ball = spawn(
        &mut app,
        (
            RigidBody::Dynamic,
            Collider::circle(0.5),
            Velocity::linear(3.0, 0.0),
        ),
    );
    run(&mut app, 10);
    let saved = app.world().resource::<Physics>().clone();
    let then = saved.body(ball).unwrap().position();
    app.world_mut().get_mut::<Velocity>(ball).unwrap().linear = Vec2::new(0.0, 5.0);
    run(&mut app, 10);
    restore(app.world_mut(), &saved);
    assert_eq!(place(&app, ball), Vec2::new(then.x, then.y));
    assert_eq!(velocity(&app, ball).linear, Vec2::new(3.0, 0.0));
    // An edit after the restore counts.
    app.world_mut().get_mut::<Velocity>(ball).unwrap().linear = Vec2::new(-1.0, 0.0);
    run(&mut app, 1);
    assert_eq!(velocity(&app, ball).linear, Vec2::new(-1.0, 0.0));
}

#[test]
fn entities_that_the_restored_state_does_not_know_get_their_objects_again() {
    let mut app = weightless();
    let old = spawn(&mut app, (RigidBody::Dynamic, Collider::circle(0.5)));
    run(&mut app, 1);
    let saved = app.world().resource::<Physics>().clone();
    let new = spawn(
        &mut app,
        (RigidBody::Dynamic, Collider::circle(0.5), at(5.0, 0.0)),
    );
    run(&mut app, 1);
    app.world_mut().despawn(old);
    run(&mut app, 1);
    restore(app.world_mut(), &saved);
    run(&mut app, 1);
    assert_eq!(physics(&app).world().body_count(), 1);
    assert_eq!(physics(&app).body(new).unwrap().shapes().count(), 1);
    assert!(physics(&app).body(old).is_none());
}

/// Libraries of rollback make entities anew and insert their components one by one, in any order.
#[test]
fn keys_repeat_after_entities_came_back_with_their_body_before_their_key() {
    let mut app = weightless();
    let old = spawn(&mut app, (RigidBody::Dynamic, Collider::circle(0.5)));
    run(&mut app, 1);
    let key = *app.world().get::<PhysicsKey>(old).unwrap();
    let saved = app.world().resource::<Physics>().clone();
    app.world_mut().despawn(old);
    let next_key = |app: &mut App| {
        let new = spawn(app, (RigidBody::Dynamic, at(9.0, 0.0)));
        run(app, 1);
        let next = *app.world().get::<PhysicsKey>(new).unwrap();
        app.world_mut().despawn(new);
        next
    };
    let first = next_key(&mut app);
    app.insert_resource(saved.clone());
    let anew = spawn(&mut app, (RigidBody::Dynamic, Collider::circle(0.5)));
    app.world_mut().entity_mut(anew).insert(key);
    follow_physics(app.world_mut());
    assert_eq!(next_key(&mut app), first);
    assert_eq!(physics(&app).world().body_count(), 2);
    assert_eq!(physics(&app).body_id(anew), saved.body_id(old));
}
