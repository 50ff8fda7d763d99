//! Every scene obeys the plainest physics: all is finite, nothing is lost, nothing overlaps for long.

use cairn2d::prelude::BodyKind;
use scenes::measure::measure;
use scenes::registry;
use scenes::scene::{Category, Exits, Scene, Stage};

/// Steps between two checks of the engine's invariants.
const STRIDE: u32 = 60;

/// Steps of the benchmark scenes, which have up to 22 000 bodies.
const BENCHMARK_STEPS: u32 = 100;

/// Steps at the end of which the greatest overlaps are taken, one each. Their median counts: running walls and bodies that fall
/// through a funnel enter each other by several times as much for single steps.
const LAST: u32 = 30;

fn median(mut values: Vec<f32>) -> f32 {
    values.sort_by(f32::total_cmp);
    values[values.len() / 2]
}

/// Returns the faults of a scene after all its steps.
fn complaints(scene: &Scene) -> Vec<String> {
    let mut stage = (scene.build)();
    let mut found = Vec::new();
    let steps = match scene.category {
        Category::Benchmark => BENCHMARK_STEPS,
        _ => scene.steps,
    };
    let mut overlaps = Vec::new();
    for step in 1..=steps {
        stage.step();
        if step + LAST > steps {
            overlaps.push(measure(&stage.world).max_overlap);
        }
        if step % STRIDE == 0 || step == steps {
            stage.world.assert_consistent();
        }
        if let [frozen, ..] = stage.world.body_freezes() {
            let count = stage.world.body_freezes().len();
            found.push(format!(
                "{count} bodies frozen in step {step}, the first {:?}",
                frozen.body
            ));
        }
    }
    check_places(scene, &stage, &mut found);
    let overlap = median(overlaps);
    if overlap > scene.overlap {
        found.push(format!(
            "overlap of {overlap} slops at the end, allowed {}",
            scene.overlap
        ));
    }
    let figures = measure(&stage.world);
    if figures.max_joint_gap > scene.gap {
        found.push(format!("joint pulled apart by {} m", figures.max_joint_gap));
    }
    found
}

fn check_places(scene: &Scene, stage: &Stage, found: &mut Vec<String>) {
    for body in stage
        .world
        .bodies()
        .filter(|body| body.kind() == BodyKind::Dynamic)
    {
        let center = body.center_exact();
        if !center.is_finite() || !body.velocity().norm().is_finite() {
            found.push(format!("{:?} is nowhere: {center:?}", body.id()));
        } else if scene.exits == Exits::None && !scene.frame.contains(center) {
            found.push(format!("{:?} left the frame: {center:?}", body.id()));
        }
    }
}

#[test]
fn scenes_obey_plain_physics() {
    let scenes = registry::all();
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let found = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for worker in 0..workers {
            let (scenes, found) = (&scenes, &found);
            scope.spawn(move || {
                for scene in scenes.iter().skip(worker).step_by(workers) {
                    for complaint in complaints(scene) {
                        found
                            .lock()
                            .unwrap()
                            .push(format!("{}: {complaint}", scene.name));
                    }
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap();
    found.sort();
    assert!(found.is_empty(), "{}", found.join("\n"));
}
