//! A window on every scene: run, look inside, drag, shoot.
#![forbid(unsafe_code)]

mod arguments;
mod camera;
mod pen;
mod theme;
mod history;
mod play;
mod hand;
mod scene_list;
mod controls;
mod stage_view;
mod help;
mod screenshot;
mod app;

use arguments::Command;
use std::process::ExitCode;

fn main() -> ExitCode {
    let request = match arguments::parse(std::env::args_os().skip(1)) {
        Ok(Command::Open(request)) => request,
        Ok(Command::Help) => {
            print!("{}", arguments::HELP);
            return ExitCode::SUCCESS;
        }
        Err(message) => {
            eprintln!("testbed: {message}");
            return ExitCode::from(2);
        }
    };
    match app::run(request) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("testbed: cannot open a window: {error}");
            ExitCode::FAILURE
        }
    }
}
