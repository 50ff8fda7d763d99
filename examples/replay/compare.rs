//! Names where two recordings or two saves part.

use crate::{Outcome, of, read};
use cairn2d::{Recording, SaveInfo, World};
use std::sync::Arc;

/// Compares two recordings or two saves.
pub(crate) fn compare(file_a: &str, file_b: &str) -> Result<Outcome, String> {
    let (a, b) = (read(file_a)?, read(file_b)?);
    if SaveInfo::of(&a).is_ok() && SaveInfo::of(&b).is_ok() {
        return compare_saves([file_a, file_b], [&a, &b]);
    }
    let a = Arc::new(Recording::new(a).map_err(of(file_a))?);
    let b = Arc::new(Recording::new(b).map_err(of(file_b))?);
    let found = Recording::compare(&a, &b).map_err(|error| error.to_string())?;
    println!(
        "{} and {} steps, of which {} are compared",
        a.step_count(),
        b.step_count(),
        found.steps
    );
    if let Some(call) = &found.call {
        println!(
            "first call that differs: number {} of step {}",
            call.index, call.step
        );
        let words = call
            .calls
            .each_ref()
            .map(|call| call.as_deref().unwrap_or("none"));
        for (file, words) in [file_a, file_b].iter().zip(excerpts(words)) {
            println!("  {file}: {words}");
        }
    }
    let Some(desync) = &found.desync else {
        println!("the states are equal after each step");
        let is_same = found.call.is_none();
        return Ok(if is_same {
            Outcome::Same
        } else {
            Outcome::Different
        });
    };
    println!("first step after which the states differ: {}", desync.step);
    match &desync.field {
        Some((step, difference)) => {
            println!("first field that differs after step {step}: {difference}")
        }
        None => println!("no step is known at which the states of both can be compared"),
    }
    Ok(Outcome::Different)
}

/// Shortens two texts to the surroundings of their first difference: answers of hooks make long ones.
fn excerpts(words: [&str; 2]) -> [String; 2] {
    let letters = words.map(|words| words.chars().collect::<Vec<char>>());
    let same = letters[0].iter().zip(&letters[1]);
    let same = same.take_while(|(a, b)| a == b).count();
    let start = same.saturating_sub(BEFORE);
    letters.map(|letters| {
        let end = letters.len().min(same + BEHIND);
        let part: String = letters[start.min(end)..end].iter().collect();
        let (before, behind) = (start > 0, end < letters.len());
        let mark = |is_cut: bool| if is_cut { "..." } else { "" };
        format!("{}{part}{}", mark(before), mark(behind))
    })
}

/// Letters that are shown before and behind the first difference of two calls.
const BEFORE: usize = 160;
const BEHIND: usize = 80;

fn compare_saves(files: [&str; 2], saves: [&[u8]; 2]) -> Result<Outcome, String> {
    let load = |index: usize| {
        let world = World::load(saves[index]);
        world.map_err(|error| format!("{}: {error}", files[index]))
    };
    let (a, b) = (load(0)?, load(1)?);
    Ok(match a.first_difference(&b) {
        None => {
            println!("the states are equal");
            Outcome::Same
        }
        Some(difference) => {
            println!("first field that differs: {difference}");
            Outcome::Different
        }
    })
}
