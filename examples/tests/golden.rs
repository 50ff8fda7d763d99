//! Every scene ends in the very state that it ended in when it was last looked at.

use cairn2d::crowd::Crowd;
use cairn2d::geometry::StateHasher;
use scenes::engine::{CairnEngine, Engine};
use scenes::golden::{HEAD, row_of, steps_of};
use scenes::registry;
use scenes::scene::{Scene, Stage};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// Variable that has the table written anew instead of compared.
const BLESS: &str = "CAIRN_BLESS";

fn table_path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden.txt")
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

/// Hash of the state that later steps of a scene read: its world, and the crowd in it.
fn state_hash(stage: &Stage) -> u64 {
    StateHasher::new()
        .add(&stage.world)
        .add(&stage.crowd().is_some())
        .word(stage.crowd().map_or(0, Crowd::state_hash))
        .finish()
}

#[test]
fn scenes_end_in_the_state_of_the_table() {
    let rows = for_all(row_of);
    let mut table = String::from(HEAD);
    for (_, row) in &rows {
        writeln!(table, "{row}").unwrap();
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
        let again = state_hash(&scene.run(2 * half));
        [state_hash(&stage), again, state_hash(&clone)]
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
