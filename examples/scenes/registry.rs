//! All scenes, by category and by name.

use crate::scene::Scene;
use std::fmt;

/// Scenes of all files, in the order in which they are listed.
const FILES: &[&[Scene]] = &[
    crate::basics::SCENES,
    crate::stacking::SCENES,
    crate::bridges_and_chains::SCENES,
    crate::machines::SCENES,
    crate::shapes::SCENES,
    crate::surfaces::SCENES,
    crate::continuous::SCENES,
    crate::queries::SCENES,
    crate::robustness::SCENES,
    crate::linkages::SCENES,
    crate::walker::SCENES,
    crate::events::SCENES,
    crate::wind::SCENES,
    crate::water::SCENES,
    crate::tiles::SCENES,
    crate::shape_queries::SCENES,
    crate::event_polling::SCENES,
    crate::drives::SCENES,
    crate::filters::SCENES,
    crate::platformer::SCENES,
    crate::crowd::SCENES,
    crate::crowd_links::SCENES,
    crate::crowd_figures::SCENES,
    crate::benchmark_scenes::SCENES,
    crate::reference_problems::SCENES,
];

/// Scenes that show the engine at its first; the benches time them.
pub const FIRST: [&str; 9] = [
    "readme",
    "stack",
    "pyramid",
    "bridge",
    "dominoes",
    "tumbler",
    "bin",
    "newtons_cradle",
    "ragdoll_stairs",
];

/// Returns all scenes by category; in one category, in the order in which they were written down.
#[must_use]
pub fn all() -> Vec<&'static Scene> {
    let mut scenes: Vec<&Scene> = FILES.iter().copied().flatten().collect();
    scenes.sort_by_key(|scene| scene.category);
    scenes
}

/// Returns the scene of that name.
///
/// # Errors
/// If there is none; the error lists the nearest names.
pub fn find(name: &str) -> Result<&'static Scene, NoSuchScene> {
    let scenes = all();
    let found = scenes.iter().find(|scene| scene.name == name);
    found.copied().ok_or_else(|| NoSuchScene {
        name: name.to_owned(),
        near: nearest(name, &scenes),
    })
}

/// There is no scene of that name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchScene {
    /// The name that was not found.
    pub name: String,
    /// The names that are most like it, the nearest first.
    pub near: Vec<&'static str>,
}

impl fmt::Display for NoSuchScene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no scene '{}'", self.name)?;
        match self.near.split_last() {
            None => Ok(()),
            Some((last, [])) => write!(f, "; did you mean {last}?"),
            Some((last, rest)) => write!(f, "; did you mean {} or {last}?", rest.join(", ")),
        }
    }
}

impl std::error::Error for NoSuchScene {}

/// Most names that an error proposes.
const MAX_PROPOSALS: usize = 3;

/// Returns the names that contain `name`, or differ from it by at most a third of its letters.
fn nearest(name: &str, scenes: &[&'static Scene]) -> Vec<&'static str> {
    let wanted = name.to_lowercase().replace(['-', ' '], "_");
    let mut near: Vec<(usize, &str)> = scenes
        .iter()
        .map(|scene| {
            let within = !wanted.is_empty() && scene.name.contains(&wanted);
            let distance = if within {
                0
            } else {
                edit_distance(&wanted, scene.name)
            };
            (distance, scene.name)
        })
        .filter(|&(distance, _)| 3 * distance <= wanted.len())
        .collect();
    near.sort_unstable();
    near.into_iter()
        .map(|(_, name)| name)
        .take(MAX_PROPOSALS)
        .collect()
}

/// Returns how many letters must be put in, left out or changed to make `b` of `a` [Levenshtein66].
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &to) in b.iter().enumerate() {
            let changed = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Stage;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_distinct_and_plain_and_all_have_words() {
        let scenes = all();
        let names: BTreeSet<&str> = scenes.iter().map(|scene| scene.name).collect();
        assert_eq!(names.len(), scenes.len());
        for scene in scenes {
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            assert!(scene.name.chars().all(plain), "{}", scene.name);
            assert!(scene.about.ends_with('.'), "{}", scene.name);
        }
    }

    #[test]
    fn first_scenes_exist() {
        for name in FIRST {
            assert!(find(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn usual_values_build_the_usual_scene() {
        for scene in all().into_iter().filter(|scene| !scene.knobs.is_empty()) {
            for knob in scene.knobs {
                let within = (knob.low..=knob.high).contains(&knob.usual);
                assert!(within && knob.step > 0.0, "{}: {knob:?}", scene.name);
            }
            let hash = |mut stage: Stage| {
                stage.step();
                stage.world.state_hash()
            };
            let usual = hash(scene.build_with(&scene.usual_values()));
            assert_eq!(usual, hash((scene.build)()), "{}", scene.name);
        }
    }

    #[test]
    fn wrong_name_gets_the_near_ones() {
        let error = find("piramid").unwrap_err();
        assert_eq!(error.near[0], "pyramid");
        assert!(error.to_string().contains("did you mean"));
        assert!(find("zzzzzz").unwrap_err().near.is_empty());
    }

    #[test]
    fn edit_distance_counts_letters() {
        for (a, b, distance) in [("", "abc", 3), ("abc", "abc", 0), ("kitten", "sitting", 3)] {
            assert_eq!(edit_distance(a, b), distance);
        }
    }
}
