//! A window on every scene: run, go back, steer, look inside, edit, drag, shoot, and record.
#![forbid(unsafe_code)]

mod arguments;
mod camera;
mod pen;
mod theme;
mod history;
mod hand;
mod past;
mod tape;
mod play;
mod scene_list;
mod inspector;
mod controls;
mod legend;
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
    let opened = match app::Opened::new(&request) {
        Ok(opened) => opened,
        Err(message) => {
            eprintln!("testbed: {message}");
            return ExitCode::FAILURE;
        }
    };
    match app::run(request, opened) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("testbed: cannot open a window: {error}");
            ExitCode::FAILURE
        }
    }
}
