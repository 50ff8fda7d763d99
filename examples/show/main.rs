//! Runs a scene and shows it.

fn main() {}
