//! Prints the table of conduct: how calmly crowds walk through doors, corridors and crossings, and where they stand.
//!
//! `cargo run --release -p cairn2d-crowd --example calm [words]` runs the rows whose name contains one of the words.

#[path = "../tests/scenes/mod.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod scenes;

use scenes::conduct::{OwnCrowd, print, print_head, rows, run};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let is_wanted =
        |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    print_head();
    for (name, trips, dt, limit, ends_when_done) in rows() {
        let kinds = [
            ("", 1, false),
            ("_by_target", 1, true),
            ("_interval_3", 3, false),
        ];
        for (suffix, interval, by_target) in kinds {
            let name = format!("{name}{suffix}");
            if is_wanted(&name) {
                let mut crowd = OwnCrowd::new(&trips, interval, by_target);
                print(&name, &run(&mut crowd, &trips, dt, limit, ends_when_done));
            }
        }
    }
}
