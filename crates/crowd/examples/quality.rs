//! Prints the quality table: arrival times, path lengths and overlaps of crowds.
//!
//! `cargo run --release -p cairn2d-crowd --example quality [words]` runs the rows whose name contains
//! one of the words, or is one of them if there is one so named; without words all that take less than a
//! minute each.

#[path = "../tests/scenes/mod.rs"]
#[expect(dead_code, reason = "the table of calm uses more of it")]
mod scenes;

use scenes::run::{Report, Run};
use scenes::{
    Scene, across, blocks, circle, corridor, crossing, mirrored_circle, packed, pair, random, ring,
    tiles,
};

/// A row: name, scene, step [s], time limit [s].
type Row = (String, Scene, f32, f32);

fn rows() -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut add =
        |name: String, scene: Scene, dt: f32, limit: f32| rows.push((name, scene, dt, limit));
    for n in [100, 250, 1000] {
        add(
            format!("circle_{n}"),
            circle(n),
            0.25,
            6.0 * n as f32 + 300.0,
        );
    }
    add("fine_circle_250".into(), circle(250), 1.0 / 60.0, 1000.0);
    for seed in 1..=3 {
        add(format!("blocks_100_{seed}"), blocks(5, seed), 0.25, 2000.0);
    }
    add("blocks_1000".into(), blocks(16, 1), 0.25, 2000.0);
    for seed in 1..=3 {
        add(format!("tiles_1000_{seed}"), tiles(10, seed), 0.25, 2000.0);
    }
    add("rand_0.1_1000".into(), random(1000, 0.1, 1), 0.25, 600.0);
    add("rand_0.3_1000".into(), random(1000, 0.3, 1), 0.25, 900.0);
    add(
        "fine_rand_0.3_1000".into(),
        random(1000, 0.3, 1),
        1.0 / 60.0,
        600.0,
    );
    add("rand_0.3_10000".into(), random(10_000, 0.3, 1), 0.25, 900.0);
    for seed in 1..=3 {
        add(format!("mini_{seed}"), random(300, 0.3, seed), 0.25, 300.0);
        add(
            format!("mini_fine_{seed}"),
            random(300, 0.3, seed),
            1.0 / 60.0,
            200.0,
        );
    }
    for half_width in [0.5, 2.0, 8.0] {
        add(
            format!("across_{half_width}"),
            across(half_width),
            0.1,
            100.0,
        );
    }
    add("corridor".into(), corridor(), 0.25, 300.0);
    add("crossing".into(), crossing(), 0.25, 300.0);
    add("packed".into(), packed(), 1.0 / 60.0, 60.0);
    add("slow_circle_10000".into(), circle(10_000), 0.25, 20_000.0);
    rows
}

fn print(name: &str, report: &Report) {
    println!(
        "{name:20} {:7.1} {:7.1} {:7.1} {:6.2} {:6.3} {:7.2} {:7.2} {:7.2} {:8.1} {:6.1} {:6.1}",
        report.time_of(0.5),
        report.time_of(0.95),
        report.time_of(1.0),
        100.0 * report.arrived(),
        report.path_ratio,
        100.0 * report.deepest,
        report.pairs,
        report.deep_pairs,
        1000.0 * report.wall,
        100.0 * report.infeasible,
        report.acceleration,
    );
}

/// Prints the number of small scenes with stuck agents, the mean time over the free one, and the smallest gap.
fn print_family(name: &str, dt: f32, family: impl Iterator<Item = Scene>) {
    let (mut stuck, mut count, mut ratio, mut worst, mut deepest) = (0, 0, 0.0, 0.0f32, 0.0f32);
    for scene in family {
        let free = (scene.goals[0] - scene.agents[0].position).norm() - scene.reach;
        let report = Run::new(&scene).until_all_arrive(dt, 10.0 * free + 100.0);
        stuck += i32::from(report.arrived() < 1.0);
        count += 1;
        ratio += report.mean_time() / free;
        worst = worst.max(report.time_of(1.0) / free);
        deepest = deepest.max(report.deepest);
    }
    let mean = ratio / count as f32;
    println!(
        "{name:20} stuck {stuck} of {count}, mean {mean:.3} x free, worst {worst:.3} x, deepest {:.3} %",
        100.0 * deepest
    );
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let wanted = |name: &str| {
        if words.is_empty() {
            !name.starts_with("slow")
        } else {
            words.iter().any(|w| w == name)
                || !words.iter().any(|w| rows().iter().any(|row| row.0 == *w))
                    && words.iter().any(|w| name.contains(w.as_str()))
        }
    };
    for (name, dt) in [("rings", 0.25), ("fine_rings", 1.0 / 60.0)] {
        if wanted(name) {
            print_family(
                name,
                dt,
                (2..=30).map(|n| ring(n, (0.8 * n as f32).max(10.0))),
            );
        }
    }
    for (name, dt) in [("mirrored", 0.25), ("fine_mirrored", 1.0 / 60.0)] {
        if wanted(name) {
            print_family(name, dt, (1..=16).map(|n| mirrored_circle(8 * n)));
        }
    }
    if wanted("pairs") {
        print_family(
            "pairs",
            0.25,
            (0..360).map(|i| pair(i as f32 * 0.017_453_292)),
        );
    }
    println!(
        "{:20}     t50     t95    t100 arrived path deepest%  pairs >1%   wall mm  infeas% acc",
        ""
    );
    for (name, scene, dt, limit) in rows() {
        if wanted(&name) {
            print(&name, &Run::new(&scene).until_all_arrive(dt, limit));
        }
    }
}
