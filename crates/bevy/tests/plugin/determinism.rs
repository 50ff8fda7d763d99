//! Results depend neither on archetypes, nor on entities, nor on threads.

use crate::common::*;
use bevy_app::prelude::*;
use bevy_cairn2d::prelude::*;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{MultiThreadedExecutor, ScheduleLabel, SingleThreadedExecutor};
use bevy_math::Vec2;
use cairn2d::WorldDef;

/// Marks that put entities into other archetypes.
#[derive(Component)]
struct Red;

#[derive(Component)]
struct Blue(#[expect(dead_code, reason = "gives the archetype a column")] [u64; 3]);

/// A way to build the same scene.
#[derive(Clone, Copy, Debug)]
struct Way {
    reversed: bool,
    /// Entities that are spawned before, so that bits differ.
    others: usize,
    /// Period with which entities get marks.
    marks: usize,
    threaded: bool,
    threads: u32,
}

const PLAIN: Way = Way {
    reversed: false,
    others: 0,
    marks: 1,
    threaded: false,
    threads: 1,
};

const BODIES: u64 = 60;

fn spawn_body(app: &mut App, i: u64, way: Way) {
    let (x, y) = ((i % 8) as f32 * 1.1 - 4.0, 1.0 + (i / 8) as f32 * 1.2);
    let key = PhysicsKey::new(10 * i + 1);
    let collider = if i.is_multiple_of(3) {
        Collider::circle(0.4)
    } else {
        Collider::rectangle(0.8, 0.8)
    };
    let mut entity = app
        .world_mut()
        .spawn((RigidBody::Dynamic, collider, at(x, y), key));
    let parent = entity.id();
    match i as usize % (3 * way.marks) {
        0 => _ = entity.insert(Red),
        1 => _ = entity.insert(Blue([i; 3])),
        _ => {}
    }
    if i.is_multiple_of(5) {
        let part = (
            Collider::circle(0.2),
            at(0.5, 0.0),
            PhysicsKey::new(10 * i + 2),
        );
        app.world_mut().spawn((part, ChildOf(parent)));
    }
}

fn spawn_all(app: &mut App, way: Way) {
    for _ in 0..way.others {
        app.world_mut().spawn(Red);
    }
    let mut order: Vec<u64> = (0..BODIES).collect();
    if way.reversed {
        order.reverse();
    }
    for i in order {
        spawn_body(app, i, way);
    }
    let floor = (
        RigidBody::Static,
        Collider::rectangle(30.0, 2.0),
        at(0.0, -1.0),
    );
    app.world_mut().spawn((floor, PhysicsKey::new(100_000)));
}

/// Kicks and despawns bodies in the order of archetypes, and spawns others.
fn meddle(app: &mut App, step: u64, way: Way) {
    let world = app.world_mut();
    let mut bodies =
        world.query_filtered::<(Entity, &PhysicsKey, &mut Velocity), With<RigidBody>>();
    let mut gone = Vec::new();
    for (entity, key, mut velocity) in bodies.iter_mut(world) {
        if key.get() % 70 == step % 70 {
            velocity.linear += Vec2::new(1.0, 3.0);
        }
        if key.get() < 1000 && key.get() % 40 == 1 && step == 40 {
            gone.push(entity);
        }
    }
    for entity in gone {
        world.despawn(entity);
    }
    if step == 60 {
        for i in 0..10 {
            let i = if way.reversed { 9 - i } else { i };
            spawn_body(app, 2000 + i, way);
        }
    }
}

fn hashes(way: Way) -> Vec<u64> {
    let def = WorldDef {
        threads: way.threads,
        ..WorldDef::default()
    };
    let mut app = app_of(PhysicsPlugin::new(def));
    for label in [
        First.intern(),
        FixedFirst.intern(),
        FixedUpdate.intern(),
        FixedPostUpdate.intern(),
        PostUpdate.intern(),
    ] {
        app.edit_schedule(label, |schedule| {
            if way.threaded {
                schedule.set_executor(MultiThreadedExecutor::new());
            } else {
                schedule.set_executor(SingleThreadedExecutor::new());
            }
        });
    }
    spawn_all(&mut app, way);
    let steps = 0..120;
    steps
        .map(|step| {
            meddle(&mut app, step, way);
            run(&mut app, 1);
            physics(&app).state_hash()
        })
        .collect()
}

#[test]
fn hashes_are_equal_whatever_the_order_the_archetypes_and_the_threads() {
    let expected = hashes(PLAIN);
    let ways = [
        Way {
            reversed: true,
            ..PLAIN
        },
        Way {
            others: 7,
            marks: 2,
            ..PLAIN
        },
        Way {
            threaded: true,
            ..PLAIN
        },
        Way {
            reversed: true,
            others: 3,
            marks: 5,
            threaded: true,
            threads: 4,
        },
    ];
    for way in ways {
        let found = hashes(way);
        let differs = expected.iter().zip(&found).position(|(a, b)| a != b);
        assert_eq!(differs, None, "{way:?} differs from this step on");
    }
}

#[test]
fn keys_decide_and_not_the_order_of_spawns() {
    // The test above would pass if hashes did not see the order: other keys give other hashes.
    let swapped = |keys: [u64; 2]| {
        let mut app = app();
        for (key, x) in keys.into_iter().zip([0.0, 0.7]) {
            spawn(
                &mut app,
                (
                    RigidBody::Dynamic,
                    Collider::circle(0.4),
                    at(x, 0.0),
                    PhysicsKey::new(key),
                ),
            );
        }
        run(&mut app, 10);
        physics(&app).state_hash()
    };
    assert_ne!(swapped([1, 2]), swapped([2, 1]));
}

#[test]
fn entities_without_keys_follow_the_order_of_spawns() {
    let order = |first_marked: bool| {
        let mut app = app();
        for x in [0.0, 0.7] {
            let ball = (RigidBody::Dynamic, Collider::circle(0.4), at(x, 0.0));
            let mut entity = app.world_mut().spawn(ball);
            if first_marked == (x == 0.0) {
                entity.insert(Red);
            }
        }
        run(&mut app, 10);
        physics(&app).state_hash()
    };
    assert_eq!(order(true), order(false));
}
