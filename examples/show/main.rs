//! Runs a scene, prints its measures, and writes a picture of it.
#![forbid(unsafe_code)]

mod arguments;
mod error;
mod files;
mod run;
mod gallery;
mod charts;

use arguments::Command;
use error::ShowError;
use scenes::registry;
use std::process::ExitCode;

fn main() -> ExitCode {
    match arguments::parse(std::env::args_os().skip(1)).and_then(|command| obey(&command)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("show: {error}");
            error.exit_code()
        }
    }
}

fn obey(command: &Command) -> Result<(), ShowError> {
    match command {
        Command::Help => print!("{}", arguments::HELP),
        Command::List => list(),
        Command::Gallery { folder, scenes } => gallery::make(folder, scenes)?,
        Command::Charts { folder } => charts::make(folder)?,
        Command::Show(request) => run::show(request)?,
    }
    Ok(())
}

fn list() {
    let mut category = None;
    for scene in registry::all() {
        if category != Some(scene.category) {
            category = Some(scene.category);
            println!("{}", scene.category.title());
        }
        println!("  {:<20} {}", scene.name, scene.about);
    }
}
