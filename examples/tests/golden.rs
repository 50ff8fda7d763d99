//! Every scene ends in the very state that it ended in when it was last looked at.

use scenes::engine::{CairnEngine, Engine};
use scenes::registry;
use scenes::scene::{Category, Scene};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// Variable that has the table written anew instead of compared.
const BLESS: &str = "CAIRN_BLESS";

/// Most steps that a test runs a scene for: long enough for everything to have met, and for sleep.
const MAX_STEPS: u32 = 300;

fn table_path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden.txt")
}

/// Most steps of the benchmark scenes, which have up to 22 000 bodies.
const MAX_BENCHMARK_STEPS: u32 = 20;

fn steps_of(scene: &Scene) -> u32 {
    let most = match scene.category {
        Category::Benchmark => MAX_BENCHMARK_STEPS,
        _ => MAX_STEPS,
    };
    scene.steps.min(most)
}

/// Calls `work` with every scene, on all processors; results come in the order of the scenes.
fn for_all<T: Send>(work: impl Fn(&'static Scene) -> T + Sync) -> Vec<(&'static Scene, T)> {
    let scenes = registry::all();
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let next = std::sync::atomic::AtomicUsize::new(0);
    let results = std::sync::Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some(&scene) = scenes.get(index) else {
                        break;
                    };
                    let result = work(scene);
                    results.lock().unwrap().insert(index, (scene, result));
                }
            });
        }
    });
    results.into_inner().unwrap().into_values().collect()
}

fn hash_after(scene: &Scene, steps: u32) -> u64 {
    scene.run(steps).world.state_hash()
}

#[test]
fn scenes_end_in_the_state_of_the_table() {
    let hashes = for_all(|scene| hash_after(scene, steps_of(scene)));
    let mut table = String::from("# scene, steps, state hash\n");
    for (scene, hash) in &hashes {
        writeln!(table, "{} {} {hash:016x}", scene.name, steps_of(scene)).unwrap();
    }
    if std::env::var_os(BLESS).is_some() {
        std::fs::write(table_path(), table).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(table_path()).unwrap_or_default();
    let differing: Vec<&str> = table
        .lines()
        .filter(|line| !expected.lines().any(|old| old == *line))
        .collect();
    let gone: Vec<&str> = expected
        .lines()
        .filter(|old| !table.lines().any(|line| line == *old))
        .collect();
    assert!(
        differing.is_empty() && gone.is_empty(),
        "scenes end in other states than tests/golden.txt says.\n  now: {differing:#?}\n  then: {gone:#?}\n\
         If that is meant, look at the pictures, then run\n  \
         {BLESS}=1 cargo test -p cairn2d-examples --test golden\nand commit the table."
    );
}

#[test]
fn scene_built_twice_and_cloned_half_way_goes_on_alike() {
    /// Steps before the clone is made.
    const HALF: u32 = 45;
    for (scene, [first, second, cloned]) in for_all(|scene| {
        let half = HALF.min(steps_of(scene) / 2);
        let mut stage = scene.run(half);
        let mut clone = stage.clone();
        for _ in 0..half {
            stage.step();
            clone.step();
        }
        let again = hash_after(scene, 2 * half);
        [stage.world.state_hash(), again, clone.world.state_hash()]
    }) {
        assert_eq!(first, second, "{}: built twice", scene.name);
        assert_eq!(first, cloned, "{}: cloned half way", scene.name);
    }
}

/// Steps after which the washer's boxes have begun to fall over each other.
const STIRRING_STEPS: u32 = 90;

#[test]
fn large_stirred_pile_ends_in_the_same_state_on_one_thread_and_two() {
    let washer = scenes::benchmark::scene("washer").unwrap();
    let end = |threads: usize| {
        let mut engine = CairnEngine::new(&washer.settings(threads), None);
        let mut cast = (washer.build)(&mut engine);
        for step in 0..STIRRING_STEPS {
            (washer.before_step)(&mut cast, &mut engine, step);
            engine.step(scenes::benchmark::STEP);
        }
        engine.world.state_hash()
    };
    assert_eq!(end(1), end(2));
}
