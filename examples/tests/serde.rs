//! The world of every scene can be written as data and read back, at its start and later: as a save, and as definitions.

#[path = "../../crates/cairn2d/tests/scene_schema/validator.rs"]
mod validator;

use cairn2d::{SceneDef, World};
use scenes::registry;
use validator::Schema;

const SCHEMA: &str = include_str!("../../docs/scene.schema.json");

/// Steps before the second time: contacts, sleep timers and events are there.
const STEPS: u32 = 20;

#[test]
fn world_of_every_scene_has_the_same_hash_after_it_was_written() {
    for scene in registry::all() {
        for steps in [0, STEPS] {
            let mut stage = scene.run(0);
            (0..steps).for_each(|_| stage.step());
            let text = serde_json::to_string(&stage.world).unwrap();
            let read: World = serde_json::from_str(&text).unwrap();
            let (hash, expected) = (read.state_hash(), stage.world.state_hash());
            assert_eq!(hash, expected, "{} after {steps} steps", scene.name);
        }
    }
}

/// Least share of scenes that are made again to the bit: those whose joints were all created after their bodies, and
/// whose shapes were not moved or removed before the first step.
const MIN_EQUAL: f64 = 0.75;

/// State in which other scenes differ: numbers of islands, and how well the broad phase is sorted.
const NUMBERING: [&str; 3] = ["islands.", ".track.island", "broad."];

#[test]
fn definitions_of_every_scene_make_it_again() {
    let schema = Schema::of_text(SCHEMA);
    let (mut equal, mut all) = (0, 0);
    for scene in registry::all() {
        let stage = scene.run(0);
        let text = serde_json::to_string(&stage.world.to_scene()).unwrap();
        let checked = schema.check(&serde_json::from_str(&text).unwrap());
        assert_eq!(checked, Ok(()), "{}", scene.name);
        let read: SceneDef = serde_json::from_str(&text).unwrap();
        let made =
            World::from_scene(&read).unwrap_or_else(|error| panic!("{}: {error}", scene.name));
        let again = serde_json::to_string(&made.to_scene()).unwrap();
        assert!(again == text, "{}", scene.name);
        all += 1;
        match made.first_difference(&stage.world) {
            None => {
                equal += 1;
                let (hash, expected) = (made.state_hash(), stage.world.state_hash());
                assert_eq!(hash, expected, "{}", scene.name);
            }
            Some(difference) => {
                let difference = difference.to_string();
                let is_numbering = NUMBERING.iter().any(|part| difference.contains(part));
                assert!(is_numbering, "{}: {difference}", scene.name);
            }
        }
    }
    let share = f64::from(equal) / f64::from(all);
    assert!(share > MIN_EQUAL, "{equal} of {all}");
}
