//! The tables of names in the manual, for users of other engines: every name of ours in them is a public item.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Methods of the standard library's traits and types that the tables call: the lists of items show traits by name only.
const OF_RUST: [&str; 3] = ["clone", "default", "is_some"];

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

fn is_part_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The lists of public items of all crates, one item a line.
fn items() -> Vec<String> {
    let entries = fs::read_dir(docs().join("api")).unwrap();
    let texts = entries.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    let texts: Vec<String> = texts.collect();
    texts
        .iter()
        .flat_map(|text| text.lines())
        .map(str::to_owned)
        .collect()
}

/// Names of all items, and pairs of a type and its member as `Type::member`.
fn names(items: &[String]) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = OF_RUST.iter().map(|&name| name.to_owned()).collect();
    for item in items {
        let words: Vec<&str> = item.split(|c| !is_part_of_name(c)).collect();
        names.extend(words.iter().map(|&word| word.to_owned()));
        let path = item.split_whitespace().find(|word| word.contains("::"));
        // The facade shows the other crates as modules: `cairn2d::geometry`.
        let path = path.unwrap_or_default().replace("cairn2d_", "");
        let path = path.split(['(', '<', ':', '.']);
        let path: Vec<&str> = path.filter(|part| !part.is_empty()).collect();
        names.extend(path.windows(2).map(|pair| pair.join("::")));
    }
    names
}

/// Code in the columns of our names: all but the first of each row.
fn code_in_tables(page: &str) -> Vec<String> {
    let text = fs::read_to_string(docs().join("manual").join(page)).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| "));
    let ours = rows.filter_map(|row| row[2..].split_once(" | "));
    ours.flat_map(|(_, ours)| ours.split('`').skip(1).step_by(2).map(str::to_owned))
        .collect()
}

/// Names in a piece of code that must be items: types, paths, functions, and a name that stands alone.
fn names_in(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(start) = rest.find(is_part_of_name) {
        let name = &rest[start..];
        let end = name
            .find(|c| !is_part_of_name(c) && c != ':')
            .unwrap_or(name.len());
        let (name, after) = name.split_at(end);
        let is_type = name.starts_with(char::is_uppercase);
        let is_alone = name.len() == code.trim_matches(['.', ':']).len();
        if (is_type || is_alone || after.starts_with('(')) && !["Some", "None"].contains(&name) {
            found.push(name.trim_matches(':').to_owned());
        }
        rest = after;
    }
    found
}

#[test]
fn every_name_of_ours_in_the_tables_is_a_public_item() {
    let names = names(&items());
    let mut missing = Vec::new();
    for page in ["from-box2d.md", "from-rapier.md"] {
        let code = code_in_tables(page);
        assert!(code.len() > 60, "{page}: {}", code.len());
        for code in code {
            for name in names_in(&code) {
                let is_trait_method = name.rsplit_once("::").is_some_and(|(owner, of_rust)| {
                    names.contains(owner) && OF_RUST.contains(&of_rust)
                });
                if !names.contains(&name) && !is_trait_method {
                    missing.push(format!("{page}: `{name}` in `{code}`"));
                }
            }
        }
    }
    assert!(missing.is_empty(), "names that do not exist: {missing:#?}");
}

#[test]
fn names_are_found_in_code() {
    let cases: [(&str, &[&str]); 5] = [
        (
            ".spring(Spring::new(hertz, ratio))",
            &["spring", "Spring::new"],
        ),
        ("world.set_gravity((0.0, -9.81))", &["set_gravity"]),
        ("restitution_rule", &["restitution_rule"]),
        (".overlap_shape", &["overlap_shape"]),
        ("user_data: u64", &[]),
    ];
    for (code, expected) in cases {
        assert_eq!(names_in(code), expected, "{code}");
    }
}
