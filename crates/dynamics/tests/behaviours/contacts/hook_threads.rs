//! Hooks that use the threads which serve the step.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, ShapeDef, World, WorldDef};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// A thousand times the duration of the steps [s]: a deadlock must end the test.
const PATIENCE: Duration = Duration::from_secs(120);

/// Steps in which the boxes touch.
const STEPS: usize = 4;

fn pool_of_two() -> Arc<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(2).build();
    Arc::new(pool.expect("a pool of two threads"))
}

/// 900 boxes in columns, whose contacts a hook reads: enough for several threads.
fn boxes(threads: u32, pool: &Arc<ThreadPool>) -> World {
    let mut world = World::new(WorldDef {
        threads,
        ..WorldDef::default()
    });
    world.set_pool(Some(Arc::clone(pool)));
    ground(&mut world);
    for i in 0..900_u16 {
        let (column, line) = (f32::from(i % 30), f32::from(i / 30));
        let def = BodyDef::dynamic().position(1.1 * column - 16.0, 0.5 + line);
        add(
            &mut world,
            def,
            rect(0.5, 0.5),
            ShapeDef::default().pre_solve(),
        );
    }
    world
}

/// Runs `steps` on a thread of its own and returns its result; fails if it takes too long.
fn in_time<R: Send + 'static>(steps: impl FnOnce() -> R + Send + 'static) -> R {
    let (sender, receiver) = channel();
    std::thread::spawn(move || sender.send(steps()));
    match receiver.recv_timeout(PATIENCE) {
        Ok(result) => result,
        Err(RecvTimeoutError::Timeout) => panic!("the step hangs"),
        Err(RecvTimeoutError::Disconnected) => panic!("the step panicked"),
    }
}

/// Steps a world of `threads` threads whose hook calls `ask`; returns its hash and how often the hook was called. `inside`: the
/// step is called by a thread of the pool.
fn step_with_hook(threads: u32, inside: bool, ask: fn(&ThreadPool) -> f32) -> (u64, usize) {
    in_time(move || {
        let pool = pool_of_two();
        let mut world = boxes(threads, &pool);
        let calls = Arc::new(AtomicUsize::new(0));
        let (count, hook_pool) = (Arc::clone(&calls), Arc::clone(&pool));
        world.set_pre_solve(move |contact| {
            count.fetch_add(1, Ordering::Relaxed);
            contact.friction = ask(&hook_pool);
        });
        let mut steps = || (0..STEPS).for_each(|_| world.step(DT));
        if inside {
            pool.install(steps);
        } else {
            steps();
        }
        // The hook must not be the last to hold the pool: a pool is not dropped by one of its own threads.
        world.clear_pre_solve();
        (world.state_hash(), calls.load(Ordering::Relaxed))
    })
}

fn join_in_pool(pool: &ThreadPool) -> f32 {
    let (a, b) = pool.join(|| 0.25, || 0.25);
    a + b
}

fn nested_scopes(pool: &ThreadPool) -> f32 {
    let sum = AtomicUsize::new(0);
    pool.scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|_| {
                let (a, b) = rayon::join(|| 1, || 2);
                sum.fetch_add(a + b, Ordering::Relaxed);
            });
        }
    });
    sum.into_inner() as f32 / 18.0
}

#[test]
fn hook_may_use_the_pool_that_serves_the_step() {
    for ask in [join_in_pool, nested_scopes] {
        let expected = step_with_hook(1, false, ask);
        assert!(expected.1 > 900, "the hook was called {} times", expected.1);
        for inside in [false, true] {
            assert_eq!(step_with_hook(4, inside, ask), expected, "inside {inside}");
        }
    }
}

#[test]
fn hook_may_step_another_world_on_the_same_pool() {
    fn step_other(pool: &ThreadPool) -> f32 {
        pool.install(|| {
            let mut other = World::default();
            let body = ball_at(&mut other, 0.0, 0.0, 0.5);
            other.step(DT);
            0.5 + y(&other, body).min(0.0)
        })
    }
    let expected = step_with_hook(1, false, step_other);
    assert_eq!(step_with_hook(4, false, step_other), expected);
    assert_eq!(step_with_hook(4, true, step_other), expected);
}
