//! Keeps the house in order: layering, file heads, sizes, spelling, and counts that may only fall.

use cairn2d::geometry::tolerance::{LINEAR_SLOP, SPECULATIVE_DISTANCE};
use cairn2d::{MAX_CONTACT_HERTZ_SHARE, MAX_STEP, MIN_STEP, SLEEP_SPEED, TIME_TO_SLEEP, Tuning};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

#[path = "tidy/prose.rs"]
mod prose;
#[path = "tidy/ratchets.rs"]
mod ratchets;

/// Lines of a source file without its tests.
const MAX_LINES: usize = 600;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Folders that hold other authors' sources, or results of builds.
const SKIPPED: [&str; 4] = ["target", "node_modules", "dist", "pkg"];

/// Files below `folder` with one of these endings, sorted.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && !name.starts_with('.') && !SKIPPED.contains(&name.as_str()) {
                folders.push(path);
            } else if endings.iter().any(|ending| name.ends_with(ending)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn sources() -> Vec<(PathBuf, String)> {
    let crates = root().join("crates");
    let all = files(&crates, &[".rs"]).into_iter();
    all.filter(|path| path.components().any(|part| part.as_os_str() == "src"))
        .map(|path| (path.clone(), fs::read_to_string(path).unwrap()))
        .collect()
}

#[test]
fn every_file_says_its_subject_first() {
    let silent: Vec<_> = sources()
        .into_iter()
        .filter(|(_, text)| !text.starts_with("//! "))
        .map(|(path, _)| path)
        .collect();
    assert!(silent.is_empty(), "files without a head line: {silent:?}");
}

#[test]
fn no_file_has_two_subjects() {
    let long: Vec<_> = sources()
        .into_iter()
        .map(|(path, text)| {
            let body = text.split("\n#[cfg(test)]").next().unwrap();
            (path, body.lines().count())
        })
        .filter(|(_, lines)| *lines > MAX_LINES)
        .collect();
    assert!(long.is_empty(), "files over {MAX_LINES} lines: {long:?}");
}

#[test]
fn crates_look_down_only() {
    let layers = [
        ("simd", vec![]),
        ("geometry", vec![]),
        ("broadphase", vec!["simd", "geometry"]),
        ("dynamics", vec!["simd", "geometry", "broadphase"]),
        ("crowd", vec!["simd", "geometry", "broadphase"]),
        (
            "cairn2d",
            vec!["geometry", "broadphase", "dynamics", "crowd"],
        ),
    ];
    for (name, below) in layers {
        let manifest = root().join("crates").join(name).join("Cargo.toml");
        let text = fs::read_to_string(manifest).unwrap();
        let dependencies = text
            .lines()
            .filter_map(|line| line.strip_prefix("cairn2d-"))
            .filter_map(|line| line.split(['.', ' ', '=']).next());
        for dependency in dependencies {
            assert!(
                below.contains(&dependency),
                "{name} must not depend on {dependency}"
            );
        }
    }
}

/// Returns the modules declared by a crate, in order, as written in its `lib.rs`.
fn module_order(lib: &str) -> Vec<String> {
    lib.lines()
        .filter_map(|line| line.trim().trim_start_matches("pub ").strip_prefix("mod "))
        .filter_map(|rest| rest.strip_suffix(';'))
        .map(str::to_owned)
        .collect()
}

#[test]
fn modules_use_only_those_declared_before_them() {
    let mut broken = Vec::new();
    for name in ["simd", "geometry", "broadphase", "dynamics", "crowd"] {
        let source = root().join("crates").join(name).join("src");
        let order = module_order(&fs::read_to_string(source.join("lib.rs")).unwrap());
        for path in files(&source, &[".rs"]) {
            let relative = path.strip_prefix(&source).unwrap();
            let first = relative.iter().next().unwrap().to_string_lossy();
            let own = first.trim_end_matches(".rs");
            let Some(place) = order.iter().position(|module| module == own) else {
                continue;
            };
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("\n#[cfg(test)]").next().unwrap();
            for line in code
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"))
            {
                for used in line.split("crate::").skip(1) {
                    let end = used
                        .find(|c: char| !c.is_alphanumeric() && c != '_')
                        .unwrap_or(used.len());
                    let later = order.iter().position(|module| module == &used[..end]);
                    if later.is_some_and(|later| later > place) {
                        broken.push(format!("{name}/{own} uses {} above it", &used[..end]));
                    }
                }
            }
        }
    }
    broken.dedup();
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn source_keys_are_in_the_list_of_references() {
    let references = fs::read_to_string(root().join("docs/references.md")).unwrap();
    let mut missing = Vec::new();
    for (path, text) in sources() {
        for line in text
            .lines()
            .filter(|line| line.trim_start().starts_with("//"))
        {
            for key in keys_in(line) {
                if !references.contains(&format!("**{key}**")) {
                    missing.push((path.clone(), key.to_owned()));
                }
            }
        }
    }
    assert!(
        missing.is_empty(),
        "keys without an entry in docs/references.md: {missing:?}"
    );
}

/// Finds source keys such as `[Catto11, slide 34]`: a name with a capital and two digits of a year.
fn keys_in(line: &str) -> Vec<&str> {
    line.split('[')
        .skip(1)
        .filter(|rest| rest.contains(']'))
        .filter_map(|rest| rest.split([',', ']']).next())
        .filter(|key| {
            let letters = key.trim_end_matches(|c: char| c.is_ascii_digit());
            key.len() == letters.len() + 2
                && letters.len() >= 3
                && letters.contains(|c: char| c.is_uppercase())
                && letters.chars().all(char::is_alphabetic)
        })
        .collect()
}

/// Pages of the documentation: those at the root and all below `docs/`, sorted.
fn pages() -> Vec<PathBuf> {
    let at_root = fs::read_dir(root())
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let is_page = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    let mut found: Vec<PathBuf> = at_root.filter(is_page).collect();
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Names by which links reach the headings of a page: lower case, dashes for spaces, nothing but letters.
fn anchors(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap();
    let headings = text.lines().filter_map(|line| line.strip_prefix('#'));
    let name = |heading: &str| {
        let heading = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = heading
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(name).collect()
}

#[test]
fn docs_link_only_to_what_exists() {
    let mut broken = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        let targets = text.split("](").skip(1);
        for target in targets.filter_map(|rest| rest.split(')').next()) {
            if target.contains("://") {
                continue;
            }
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file = match path {
                "" => page.clone(),
                _ => page.parent().unwrap().join(path),
            };
            let found = file.exists()
                && (anchor.is_empty() || anchors(&file).iter().any(|name| name == anchor));
            if !found {
                broken.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "links to nothing: {broken:#?}");
}

/// Links of a page to files, as written.
fn links_of(page: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(page).unwrap();
    let targets = text.split("](").skip(1);
    let targets = targets.filter_map(|rest| rest.split([')', '#']).next());
    let files = targets.filter(|target| !target.is_empty() && !target.contains("://"));
    files
        .filter_map(|file| page.parent().unwrap().join(file).canonicalize().ok())
        .collect()
}

#[test]
fn every_page_is_linked_from_another() {
    let linked: BTreeSet<PathBuf> = pages().iter().flat_map(|page| links_of(page)).collect();
    let start = root().join("README.md").canonicalize().unwrap();
    let orphans: Vec<_> = pages()
        .into_iter()
        .map(|page| page.canonicalize().unwrap())
        .filter(|page| *page != start && !linked.contains(page))
        .collect();
    assert!(
        orphans.is_empty(),
        "pages that no page links to: {orphans:#?}"
    );
}

/// Most bytes of all pictures together: the history of the repository keeps every version of them.
const MAX_PICTURES: u64 = 6_000_000;

#[test]
fn pictures_are_shown_and_small() {
    let root = root().canonicalize().unwrap();
    let linked: BTreeSet<PathBuf> = pages().iter().flat_map(|page| links_of(page)).collect();
    let images = root.join("docs/images");
    let folders = [images.clone(), images.join("crowd")];
    let entries = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap());
    let files = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file());
    let (mut unseen, mut bytes) = (Vec::new(), 0);
    for file in files {
        bytes += fs::metadata(&file).unwrap().len();
        if !linked.contains(&file) {
            unseen.push(file);
        }
    }
    assert!(unseen.is_empty(), "no page shows {unseen:?}");
    assert!(
        bytes <= MAX_PICTURES,
        "{bytes} bytes of pictures, more than {MAX_PICTURES}"
    );
}

/// Words in back-ticks outside of programs.
fn quoted_words(text: &str) -> Vec<&str> {
    let prose = text.split("```").step_by(2);
    prose
        .flat_map(|part| part.split('`').skip(1).step_by(2))
        .collect()
}

#[test]
fn paths_in_back_ticks_exist() {
    let mut bases = vec![root(), root().join("docs"), root().join("crates")];
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        bases.extend([folder.join("src"), folder]);
    }
    let is_path = |word: &&str| {
        let has_ending = [".rs", ".md", ".sh", ".txt"]
            .iter()
            .any(|end| word.ends_with(end));
        has_ending
            && word
                .chars()
                .all(|c| c.is_alphanumeric() || "_-./".contains(c))
    };
    let mut missing = Vec::new();
    for page in pages() {
        // The changelog names files of earlier versions.
        if page.ends_with("docs/changelog.md") {
            continue;
        }
        let text = fs::read_to_string(&page).unwrap();
        for path in quoted_words(&text).into_iter().filter(is_path) {
            let beside = page.parent().unwrap().join(path).exists();
            if !beside && !bases.iter().any(|base| base.join(path).exists()) {
                missing.push(format!("{}: {path}", page.display()));
            }
        }
    }
    assert!(missing.is_empty(), "files that do not exist: {missing:#?}");
}

/// Words of the manual and the reference together.
const MAX_WORDS: usize = 25_000;

#[test]
fn manual_and_reference_stay_short() {
    let manual = root().join("docs/manual");
    let others = [
        "docs/conventions.md",
        "docs/determinism.md",
        "docs/format.md",
    ];
    let others = others.map(|name| root().join(name));
    let mut count = 0;
    for page in pages() {
        if page.starts_with(&manual) || others.contains(&page) {
            let text = fs::read_to_string(&page).unwrap();
            // Without the list of all fields of a save, which is for programs.
            let fields = text
                .split("```text\nbodies.any_changed")
                .nth(1)
                .map_or(0, |rest| {
                    let list = rest.split("```").next().unwrap();
                    list.split_whitespace().count()
                });
            count += text.split_whitespace().count() - fields;
        }
    }
    assert!(count <= MAX_WORDS, "{count} words in manual and reference");
}

#[test]
fn defaults_in_the_docs_are_those_of_the_code() {
    let tuning = Tuning::default();
    let quoted = [
        (
            "docs/conventions.md",
            format!("| contact stiffness | {} Hz", tuning.contact_hertz),
        ),
        (
            "docs/conventions.md",
            format!("at most {MAX_CONTACT_HERTZ_SHARE} of the substep rate"),
        ),
        (
            "docs/conventions.md",
            format!(
                "| contact damping ratio | {} |",
                tuning.contact_damping_ratio
            ),
        ),
        (
            "docs/conventions.md",
            format!(
                "| restitution threshold | {} m/s |",
                tuning.restitution_threshold
            ),
        ),
        (
            "docs/conventions.md",
            format!("| push-out speed | {} m/s |", tuning.contact_push_speed),
        ),
        (
            "docs/conventions.md",
            format!("| greatest speed | {} m/s", tuning.max_linear_speed),
        ),
        (
            "docs/conventions.md",
            format!(
                "| joint stiffness | {} Hz, damping ratio {} |",
                tuning.joint_hertz, tuning.joint_damping_ratio
            ),
        ),
        (
            "docs/conventions.md",
            format!("| time to sleep | {TIME_TO_SLEEP} s | sleep speed | {SLEEP_SPEED} m/s"),
        ),
        (
            "docs/manual/units.md",
            format!("| slop | {} mm |", 1000.0 * LINEAR_SLOP),
        ),
        (
            "docs/manual/units.md",
            format!(
                "| speculative distance | {} cm |",
                100.0 * SPECULATIVE_DISTANCE
            ),
        ),
        (
            "docs/manual/units.md",
            format!(
                "| restitution threshold | {} m/s |",
                tuning.restitution_threshold
            ),
        ),
        (
            "docs/manual/units.md",
            format!("| push-out speed | {} m/s |", tuning.contact_push_speed),
        ),
        (
            "docs/manual/units.md",
            format!("| sleep speed | {SLEEP_SPEED} m/s |"),
        ),
        (
            "docs/manual/units.md",
            format!("| maximum speed | {} m/s |", tuning.max_linear_speed),
        ),
        (
            "docs/manual/units.md",
            format!("| longest step | {MAX_STEP} s |"),
        ),
        (
            "docs/manual/units.md",
            format!("| shortest step | {} ns |", (1.0e9 * MIN_STEP).round()),
        ),
    ];
    for (page, text) in quoted {
        let read = fs::read_to_string(root().join(page)).unwrap();
        assert!(read.contains(&text), "{page} lacks {text:?}");
    }
}

#[test]
fn every_page_of_the_manual_is_run_and_listed() {
    let tests = fs::read_to_string(root().join("crates/cairn2d/src/manual.rs")).unwrap();
    let contents = fs::read_to_string(root().join("docs/manual/README.md")).unwrap();
    let manual = root().join("docs/manual");
    for page in pages().iter().filter(|page| page.starts_with(&manual)) {
        let name = page.file_name().unwrap().to_string_lossy();
        assert!(
            tests.contains(&format!("docs/manual/{name}\"")),
            "{name} is not in crates/cairn2d/src/manual.rs"
        );
        assert!(
            name == "README.md" || contents.contains(&format!("]({name})")),
            "{name} is not in the table of docs/manual/README.md"
        );
    }
}

#[test]
fn no_rotation_is_made_by_the_platform_sine() {
    // nalgebra's own constructors call the platform's sine and arc tangent, whose last bit differs
    // between systems; `geometry::math` has pinned ones.
    let forbidden = [
        "Rotation::new(",
        "UnitComplex::new(",
        "Pose::new(",
        "Isometry2::new(",
    ];
    let mut found = Vec::new();
    for (path, text) in sources() {
        for word in forbidden {
            let mut places = text.match_indices(word);
            let own_type = |at: usize| text[..at].ends_with(|c: char| c.is_alphanumeric());
            if places.any(|(at, _)| !own_type(at)) {
                found.push((path.clone(), word));
            }
        }
    }
    assert!(found.is_empty(), "{found:?}");
}

/// Name of the type that a line at the outermost level defines, if it does.
fn type_defined_in(line: &str) -> Option<&str> {
    let line = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.strip_prefix(' ')?,
        None => line,
    };
    let keywords = ["struct ", "enum ", "trait ", "union ", "type "];
    let name = keywords.iter().find_map(|word| line.strip_prefix(word))?;
    name.split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()
}

#[test]
fn no_two_types_of_a_crate_share_a_name() {
    let mut homes = BTreeMap::<(String, String), Vec<PathBuf>>::new();
    for (path, text) in sources() {
        let relative = path.strip_prefix(root().join("crates")).unwrap();
        let crate_name = relative
            .iter()
            .next()
            .unwrap()
            .to_string_lossy()
            .into_owned();
        let code = text.split("\n#[cfg(test)]\nmod tests").next().unwrap();
        for name in code.lines().filter_map(type_defined_in) {
            let home = homes
                .entry((crate_name.clone(), name.to_owned()))
                .or_default();
            if !home.contains(&path) {
                home.push(path.clone());
            }
        }
    }
    let shared: Vec<_> = homes.iter().filter(|(_, paths)| paths.len() > 1).collect();
    assert!(shared.is_empty(), "one word, one meaning: {shared:#?}");
}

/// Functions whose panics have no twin: the panic of them all, checks of the engine by itself, panics of a closure of the
/// caller.
const WITHOUT_TWIN: [&str; 4] = ["demand", "assert_consistent", "repeat", "save_checksum"];

#[test]
fn functions_that_panic_name_the_twin_that_does_not() {
    let mut alone = Vec::new();
    for (path, text) in sources() {
        let is_low_level = ["broadphase", "simd"]
            .iter()
            .any(|name| path.starts_with(root().join("crates").join(name)));
        if is_low_level {
            continue;
        }
        let code = text.split("\n#[cfg(test)]").next().unwrap();
        let mut doc = String::new();
        for line in code.lines().map(str::trim) {
            if let Some(comment) = line.strip_prefix("///") {
                doc.push_str(comment);
            } else if !line.starts_with("#[") {
                let name = line
                    .strip_prefix("pub fn ")
                    .and_then(|rest| rest.split(['(', '<']).next());
                let panics = doc.split("# Panics").nth(1);
                if let (Some(name), Some(panics)) = (name, panics) {
                    let is_named = ["[`try_", "[`get_"]
                        .iter()
                        .any(|twin| panics.contains(twin));
                    let is_stale_id = panics.contains("is stale");
                    if !is_named
                        && !is_stale_id
                        && !name.starts_with("try_")
                        && !WITHOUT_TWIN.contains(&name)
                    {
                        alone.push(format!("{}: {name}", path.display()));
                    }
                }
                doc.clear();
            }
        }
    }
    assert!(alone.is_empty(), "panics without a `try_` twin: {alone:#?}");
}
