//! Calls three engines with the same arguments and settles every disagreement with the judge.
//!
//! `differential [operation|all] [count] [seed] [show] [stream|all]`: prints one line per operation and stream, and
//! `show` cases of each cause for which a peer disagrees. The first wrong answer of ours is shrunk and printed as a test.
//! The exit code is 1 if there is one. Peers get the random cases only: others break them.

use cairn2d_differential::case::{Case, Stream};
use cairn2d_differential::generate::Random;
use cairn2d_differential::operations::{OPERATIONS, Operation};
use cairn2d_differential::shrink::shrink;
use cairn2d_differential::stream::next;
use cairn2d_differential::tally::Tally;

/// Wrong answers of one operation and stream that are printed.
const PRINTED: u64 = 3;

fn main() {
    std::panic::set_hook(Box::new(|_| ()));
    let args: Vec<String> = std::env::args().collect();
    let wanted = args.get(1).map_or("all", String::as_str);
    let count: u64 = args.get(2).and_then(|s| s.parse().ok()).unwrap_or(10_000);
    let seed: u64 = args.get(3).and_then(|s| s.parse().ok()).unwrap_or(1);
    let show: u64 = args.get(4).and_then(|s| s.parse().ok()).unwrap_or(0);
    let stream = args.get(5).map_or("all", String::as_str);
    let mut wrong = 0;
    for operation in OPERATIONS {
        if wanted != "all" && wanted != operation.name {
            continue;
        }
        for kind in Stream::ALL {
            if stream == "all" || stream == kind.name() {
                wrong += run(&operation, kind, (count, seed), show);
            }
        }
    }
    std::process::exit(i32::from(wrong > 0));
}

/// Asks until `count` cases were questions; returns how many answers of ours were wrong.
fn run(operation: &Operation, stream: Stream, (count, seed): (u64, u64), show: u64) -> u64 {
    let mut random = Random(seed);
    let mut tally = Tally {
        show,
        ..Tally::default()
    };
    while tally.asked < count {
        let case = next(stream, &mut random, operation);
        let Some(error) = judged(operation, &case) else {
            continue;
        };
        if tally.is_wrong(error) && tally.wrong <= PRINTED {
            print_test(operation, &case, error);
        }
        if stream == Stream::Random {
            (operation.peers)(&case, &mut tally);
        }
    }
    println!(
        "{} {}: {} asked, {} of ours wrong (worst {:.3} tolerances), peers differ: {:?}",
        operation.name,
        stream.name(),
        tally.asked,
        tally.wrong,
        tally.worst,
        tally.peers
    );
    tally.wrong
}

/// Returns the error of our answer; a panic is one.
fn judged(operation: &Operation, case: &Case) -> Option<f64> {
    std::panic::catch_unwind(|| (operation.judge)(case)).unwrap_or(Some(f64::INFINITY))
}

fn print_test(operation: &Operation, case: &Case, error: f64) {
    let fails = |c: &Case| judged(operation, c).is_some_and(|e| e.is_nan() || e > 1.0);
    let small = shrink(case, fails);
    let left = judged(operation, &small).unwrap_or_default();
    let body =
        std::panic::catch_unwind(|| (operation.test)(&small)).unwrap_or_else(|_| small.code());
    println!("// Wrong by {error:.3} tolerances, {left:.3} when shrunk.");
    println!("#[test]\nfn {}_is_right() {{\n{body}}}\n", operation.name);
}
