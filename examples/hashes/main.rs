//! Prints the states that scenes end in, as `examples/tests/golden.txt` has them, and continues saves of other machines.
//!
//! ```text
//! hashes [--steps N] [--threads N] [SCENE...]   lines of the table, after at most N steps
//! hashes save FOLDER                             a save of some scenes, and the hashes that follow from them
//! hashes continue FOLDER                         the same hashes, from the saves
//! ```

use scenes::continued::{SCENES, hash_of_save, saves};
use scenes::golden::{HEAD, row_after, steps_of};
use scenes::registry;
use std::error::Error;
use std::path::Path;
use std::{env, fs};

/// Ending of a save's file.
const ENDING: &str = "save";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["save", folder] => write_saves(Path::new(folder)),
        ["continue", folder] => continue_saves(Path::new(folder)),
        _ => print_rows(&words),
    }
}

fn print_rows(words: &[&str]) -> Result<(), Box<dyn Error>> {
    let (mut most, mut threads, mut names) = (u32::MAX, 1, Vec::new());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut number = || -> Result<u32, Box<dyn Error>> {
            let number = words
                .next()
                .ok_or_else(|| format!("{word} needs a number"))?;
            Ok(number.parse()?)
        };
        match *word {
            "--steps" => most = number()?,
            "--threads" => threads = number()?,
            name => names.push(name),
        }
    }
    print!("{HEAD}");
    let chosen = match names.as_slice() {
        [] => registry::all(),
        names => names
            .iter()
            .map(|name| registry::find(name))
            .collect::<Result<_, _>>()?,
    };
    for scene in chosen {
        println!("{}", row_after(scene, steps_of(scene).min(most), threads));
    }
    Ok(())
}

fn write_saves(folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    for (name, save, hash) in saves() {
        fs::write(folder.join(name).with_extension(ENDING), save)?;
        println!("{name} {hash:016x}");
    }
    Ok(())
}

fn continue_saves(folder: &Path) -> Result<(), Box<dyn Error>> {
    for name in SCENES {
        let save = fs::read(folder.join(name).with_extension(ENDING))?;
        println!("{name} {:016x}", hash_of_save(&save)?);
    }
    Ok(())
}
