//! The sync test of `bevy_ggrs` saves, restores and repeats the last frames in each frame, and compares their checksums.

use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_cairn2d::follow_physics;
use bevy_cairn2d::prelude::*;
use bevy_ggrs::prelude::*;
use bevy_ggrs::{LoadWorld, LocalInputs, LocalPlayers, RollbackFrameCount};
use std::time::Duration;

/// Frames that are repeated in each frame.
const CHECK_DISTANCE: usize = 4;

const FRAMES: i32 = 10_000;

/// Balls from which on the oldest one is despawned.
const MAX_BALLS: usize = 8;

type Config = GgrsConfig<u8>;

/// Number of a frame without pattern.
fn scramble(frame: u64) -> u64 {
    let x = (frame ^ (frame >> 7)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x ^ (x >> 29)
}

/// Frames with inputs: of the session, so they are never undone.
#[derive(Resource, Default)]
struct Clock(u64);

fn read_inputs(mut clock: ResMut<Clock>, players: Res<LocalPlayers>, mut commands: Commands) {
    clock.0 += 1;
    let input = |&player: &usize| (player, scramble(2 * clock.0 + player as u64) as u8);
    let inputs: HashMap<usize, u8> = players.0.iter().map(input).collect();
    commands.insert_resource(LocalInputs::<Config>(inputs));
}

#[derive(Component, Clone, Copy)]
struct Ball;

/// Number of the system runs, which a rollback does not undo.
#[derive(Resource, Default)]
struct Runs(u64);

/// Whether the game depends on state that is not saved.
#[derive(Resource, Clone, Copy, PartialEq, Eq)]
enum Game {
    Saved,
    Leaky,
}

/// Kicks balls by the inputs of the players, through components and through the engine, in order of keys.
fn kick(
    inputs: Res<PlayerInputs<Config>>,
    mut balls: Query<(Entity, &PhysicsKey, &mut Velocity), With<Ball>>,
    mut physics: ResMut<Physics>,
) {
    let [a, b] = [inputs[0].0, inputs[1].0].map(u64::from);
    let mut spun = Vec::new();
    for (entity, key, mut velocity) in &mut balls {
        if key.get().wrapping_add(a) % 7 == 0 {
            velocity.linear += Vec2::new((a % 9) as f32 - 4.0, 5.0);
        }
        if key.get().wrapping_add(b) % 5 == 0 {
            spun.push((*key, entity));
        }
    }
    spun.sort_unstable();
    for (_, entity) in spun {
        if let Some(mut body) = physics.body_mut(entity) {
            body.apply_angular_impulse(0.1);
        }
    }
}

/// Spawns a ball in some frames and despawns the oldest one of many.
fn come_and_go(
    inputs: Res<PlayerInputs<Config>>,
    balls: Query<(Entity, &PhysicsKey), With<Ball>>,
    game: Res<Game>,
    mut runs: ResMut<Runs>,
    mut commands: Commands,
) {
    runs.0 += 1;
    let unsaved = if *game == Game::Leaky { runs.0 } else { 0 };
    let input = u64::from(inputs[0].0) + unsaved;
    if input.is_multiple_of(11) {
        let at = Transform::from_xyz((input % 9) as f32 - 4.0, 5.0, 0.0);
        commands.spawn((
            Rollback,
            Ball,
            RigidBody::Dynamic,
            Collider::circle(0.3),
            at,
        ));
    }
    let mut order: Vec<_> = balls.iter().map(|(entity, key)| (*key, entity)).collect();
    order.sort_unstable();
    if order.len() > MAX_BALLS {
        commands.entity(order[0].1).despawn();
    }
}

/// Result of the test.
#[derive(Resource, Default)]
struct Seen {
    mismatches: usize,
    respawns: usize,
    despawns: usize,
}

fn session() -> Session<Config> {
    let mut builder = SessionBuilder::<Config>::new()
        .with_num_players(2)
        .unwrap()
        .with_check_distance(CHECK_DISTANCE);
    for player in 0..2 {
        builder = builder.add_player(PlayerType::Local, player).unwrap();
    }
    Session::SyncTest(builder.start_synctest_session().unwrap())
}

fn count_restored(new: Query<(), Added<Ball>>, mut seen: ResMut<Seen>) {
    seen.respawns += new.iter().count();
}

fn app(game: Game) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(
            1.0 / 60.0,
        )))
        .insert_resource(session())
        .insert_resource(game)
        .init_resource::<Clock>()
        .init_resource::<Runs>()
        .init_resource::<Seen>();
    // All that a game of this plugin registers for rollback.
    app.add_plugins((
        GgrsPlugin::<Config>::default(),
        PhysicsPlugin::default().in_schedule(GgrsSchedule),
    ))
    .rollback_component_with_copy::<PhysicsKey>()
    .rollback_component_with_copy::<Ball>()
    .rollback_component_with_copy::<Transform>()
    .rollback_component_with_copy::<Velocity>()
    .rollback_component_with_clone::<Collider>()
    .rollback_component_with_copy::<RigidBody>()
    .rollback_resource_with_clone::<Physics>()
    .checksum_resource::<Physics>(Physics::state_hash)
    .add_systems(
        LoadWorld,
        (follow_physics, count_restored)
            .chain()
            .after(LoadWorldSystems::Mapping),
    );
    app.add_systems(ReadInputs, read_inputs).add_systems(
        GgrsSchedule,
        (kick, come_and_go).chain().before(PhysicsSystems::Sync),
    );
    app.add_observer(|_: On<SyncTestMismatch>, mut seen: ResMut<Seen>| seen.mismatches += 1)
        .add_observer(|_: On<Remove, Ball>, mut seen: ResMut<Seen>| seen.despawns += 1);
    let floor = (
        RigidBody::Static,
        Collider::rectangle(40.0, 2.0),
        Transform::from_xyz(0.0, -1.0, 0.0),
    );
    app.world_mut().spawn((Rollback, floor));
    for wall in [-8.0, 8.0] {
        let wall = (
            RigidBody::Static,
            Collider::rectangle(1.0, 40.0),
            Transform::from_xyz(wall, 10.0, 0.0),
        );
        app.world_mut().spawn((Rollback, wall));
    }
    for i in 0..6 {
        let crate_ = (
            RigidBody::Dynamic,
            Collider::rectangle(1.0, 0.6),
            Transform::from_xyz(-3.0, 0.5 + i as f32, 0.0),
        );
        app.world_mut().spawn((Rollback, crate_));
    }
    app.finish();
    app.cleanup();
    app
}

#[test]
fn ten_thousand_frames_pass_the_sync_test() {
    let mut app = app(Game::Saved);
    while app.world().resource::<RollbackFrameCount>().0 < FRAMES {
        app.update();
        let seen = app.world().resource::<Seen>();
        let frame = app.world().resource::<RollbackFrameCount>().0;
        assert_eq!(seen.mismatches, 0, "frame {frame}");
    }
    app.world()
        .resource::<Physics>()
        .world()
        .assert_consistent();
    let seen = app.world().resource::<Seen>();
    println!(
        "{} respawned by rollback, {} despawned",
        seen.respawns, seen.despawns
    );
    assert!(seen.respawns > 500 && seen.despawns > 500);
}

#[test]
fn sync_test_finds_a_game_that_depends_on_unsaved_state() {
    let mut app = app(Game::Leaky);
    for _ in 0..100 {
        app.update();
    }
    assert!(app.world().resource::<Seen>().mismatches > 0);
}
