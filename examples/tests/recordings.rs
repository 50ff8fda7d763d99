//! Every scene is recorded, and repeats with the same bits without its script and its hooks.

use cairn2d::{Player, Recording, RecordingDef};
use scenes::registry;
use scenes::scene::{Category, Scene};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Most steps of a scene, and of a benchmark with thousands of bodies.
const STEPS: u32 = 200;
const BENCHMARK_STEPS: u32 = 12;

/// Work between keyframes: a few steps of most scenes.
const OFTEN: RecordingDef = RecordingDef {
    keyframe_work: 4_000,
};

fn check(scene: &Scene) {
    let steps = match scene.category {
        Category::Benchmark => BENCHMARK_STEPS,
        _ => STEPS,
    };
    let steps = u64::from(scene.steps.min(steps));
    let mut stage = (scene.build)();
    stage.world.start_recording(OFTEN);
    for _ in 0..steps {
        stage.step();
    }
    let recording = Recording::new(stage.world.stop_recording()).unwrap();
    assert_eq!(recording.step_count(), steps, "{}", scene.name);
    let mut player = Player::new(recording).unwrap();
    // Each step compares the hash.
    while player
        .advance()
        .unwrap_or_else(|error| panic!("{}: {error}", scene.name))
    {}
    // Events of the last step, too.
    assert!(
        player.world().save() == stage.world.save(),
        "{}",
        scene.name
    );
    for step in [steps / 3, steps, steps * 2 / 3] {
        let sought = player.seek(step);
        sought.unwrap_or_else(|error| panic!("{}: {error}", scene.name));
        assert_eq!(player.step(), step);
    }
}

#[test]
fn scenes_repeat_from_their_recordings() {
    let scenes = registry::all();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(scene) = scenes.get(next.fetch_add(1, Ordering::Relaxed)) {
                    check(scene);
                }
            });
        }
    });
}
