//! Words and figures of pages and comments.

use crate::{files, pages, root};
use std::fs;

/// Parts of words in British spelling, each with the American one.
const BRITISH: [(&str, &str); 5] = [
    // With spaces: a folder of tests is called `behaviours`.
    (" behaviour ", " behavior "),
    ("centre", "center"),
    ("metre", "meter"),
    ("neighbour", "neighbor"),
    ("colour", "color"),
];

/// Parts of words in British spelling in a line of prose.
fn british_in(line: &str) -> Vec<String> {
    let line = format!(" {} ", line.to_lowercase());
    let found = BRITISH.iter().filter(|(part, _)| line.contains(part));
    found
        .map(|(part, instead)| format!("{part:?}, write: {instead}"))
        .collect()
}

/// Endings of files with comments after `//`.
const SOURCES: [&str; 4] = [".rs", ".js", ".mjs", ".ts"];

/// Text of the comment in a line, if there is one: `//` in an address is none.
fn comment_of(line: &str) -> Option<&str> {
    let (code, comment) = line.split_once("//")?;
    (!code.ends_with(':')).then(|| comment.trim_start_matches(['/', '!']).trim_start())
}

/// Comments of all sources, and prose of the pages, each with its place.
fn prose() -> Vec<(String, String)> {
    let mut lines = Vec::new();
    for folder in ["crates", "benches", "examples"] {
        for path in files(&root().join(folder), &SOURCES) {
            let text = fs::read_to_string(&path).unwrap();
            for (number, line) in (1..).zip(text.lines()) {
                if let Some(comment) = comment_of(line) {
                    lines.push((format!("{}:{number}", path.display()), comment.to_owned()));
                }
            }
        }
    }
    // The changelog names items of earlier versions, and the references titles of other authors.
    let quoting = ["changelog.md", "references.md"];
    for page in pages() {
        if quoting.iter().any(|name| page.ends_with(name)) {
            continue;
        }
        let text = fs::read_to_string(&page).unwrap();
        for part in text.split("```").step_by(2) {
            for line in part.lines() {
                lines.push((page.display().to_string(), line.to_owned()));
            }
        }
    }
    lines
}

#[test]
fn spelling_is_american() {
    let mut found = Vec::new();
    for (place, line) in prose() {
        for word in british_in(&line) {
            found.push(format!("{place}: {word}, in {line:?}"));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// Cells of the rows of a table of the README, which begins with the line `head`.
fn rows_of_readme(readme: &str, head: &str) -> Vec<Vec<String>> {
    let (_, table) = readme.split_once(head).expect("the head of the table");
    let rows = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    rows.map(|row| {
        row.trim_matches('|')
            .split('|')
            .map(|cell| cell.trim().to_owned())
            .collect()
    })
    .collect()
}

#[test]
fn figures_of_the_readme_are_those_of_the_measurements() {
    let read = |page: &str| fs::read_to_string(root().join(page)).unwrap();
    let readme = read("README.md");
    let measured = read("docs/quality.md") + &read("docs/validation.md");
    let rows = rows_of_readme(&readme, "| question | cairn2d |");
    assert!(!rows.is_empty());
    for row in rows {
        let cells = format!("| **{}** |", row[1]);
        let found = measured
            .lines()
            .any(|line| line.contains(&cells) && line.contains(&row[2]));
        assert!(found, "no measurement has {row:?}");
    }
    let performance = read("docs/performance.md");
    let cells = rows_of_readme(&readme, "| | Box2D 3.2").concat();
    // A cell is a number, and maybe the name of a scene.
    let figures = cells.iter().filter_map(|cell| cell.split(' ').next());
    let figures: Vec<&str> = figures.filter(|word| word.parse::<f64>().is_ok()).collect();
    assert!(figures.len() >= 6, "{cells:?}");
    for figure in figures {
        assert!(performance.contains(figure), "{figure}");
    }
    let count = measured_rows(&read("docs/quality.md"));
    assert!(
        readme.contains(&format!("has {count} such rows")),
        "{count}"
    );
}

/// Number of rows with a figure in the table of the page.
fn measured_rows(page: &str) -> usize {
    let rows = page.lines().filter(|line| line.starts_with("| "));
    rows.filter(|line| !line.starts_with("| question")).count()
}
