//! Runs the comparison, or makes tables and a picture of its results.
//!
//! `measure N CLASS [PEER]` prints a line for each peer, or for one; `report FILE PICTURE FONT` reads such lines, prints
//! tables and draws a picture with the letters of a TrueType file. Set `RAYON_NUM_THREADS=1` to compare single threads.

mod box2d;
mod measure;
mod ours;
mod parry;
mod peer;
mod report;
mod scene;

use scene::Class;
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["measure", n, name, ref wanted @ ..] => {
            let class = Class::ALL
                .into_iter()
                .find(|class| class.name() == name)
                .ok_or("no such class")?;
            let rows = measure::measure(class, n.parse()?, wanted.first().unwrap_or(&""));
            rows.iter()
                .for_each(|row| println!("{}", report::to_line(row)));
        }
        ["report", lines, picture, font] => {
            let rows: Vec<_> = std::fs::read_to_string(lines)?
                .lines()
                .filter_map(report::from_line)
                .collect();
            print!("{}", report::tables(&rows));
            report::plot(&rows, Path::new(picture), std::fs::read(font)?)?;
        }
        _ => return Err("measure N CLASS, or report FILE PICTURE FONT".into()),
    }
    Ok(())
}
