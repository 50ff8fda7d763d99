//! Every scene goes on with the same bits after its world was saved and loaded.

use cairn2d::World;
use scenes::registry;
use scenes::scene::{Category, Scene, Stage};

/// Most steps of a scene, and of a benchmark with thousands of bodies.
const STEPS: u32 = 200;
const BENCHMARK_STEPS: u32 = 12;

/// Steps from one save to the next. No divisor of the periods by which scripts act.
const BETWEEN: u32 = 17;
const BETWEEN_OF_BENCHMARKS: u32 = 5;

/// Replaces the world of the stage by one that was saved, loaded and copied.
fn reload(scene: &Scene, stage: &mut Stage, save: &mut Vec<u8>, copy: &mut World) {
    stage.world.save_into(save);
    let loaded = World::load(save);
    let mut loaded = loaded.unwrap_or_else(|error| panic!("{}: {error}", scene.name));
    assert_eq!(
        loaded.state_hash(),
        stage.world.state_hash(),
        "{}",
        scene.name
    );
    assert!(loaded.save() == *save, "{}: saved again", scene.name);
    loaded.assert_consistent();
    loaded.restore_hooks_of(&stage.world);
    stage.world = loaded;
    // A copy with the memory of an earlier state goes on; the loaded world gives its memory to the next copy.
    copy.clone_from(&stage.world);
    assert!(copy.save() == *save, "{}: copied", scene.name);
    core::mem::swap(copy, &mut stage.world);
}

fn check(scene: &Scene) {
    let (steps, between) = match scene.category {
        Category::Benchmark => (BENCHMARK_STEPS, BETWEEN_OF_BENCHMARKS),
        _ => (STEPS, BETWEEN),
    };
    let mut stage = scene.run(0);
    let mut reloaded = stage.clone();
    let (mut save, mut copy) = (Vec::new(), World::default());
    for step in 0..scene.steps.min(steps) {
        if step % between == 0 {
            reload(scene, &mut reloaded, &mut save, &mut copy);
        }
        stage.step();
        reloaded.step();
        assert_eq!(
            reloaded.world.state_hash(),
            stage.world.state_hash(),
            "{}: step {step}",
            scene.name
        );
    }
    assert!(
        reloaded.world.save() == stage.world.save(),
        "{}: at the end",
        scene.name
    );
}

#[test]
fn scenes_go_on_with_the_same_bits_after_loading() {
    let scenes = registry::all();
    let next = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(scene) =
                    scenes.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
                {
                    check(scene);
                }
            });
        }
    });
}
