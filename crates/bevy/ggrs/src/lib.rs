//! Rollback of `bevy_cairn2d` by the library `bevy_ggrs`: tests, and an example of a game with both.
//!
//! A workspace of its own, since `bevy_ggrs` needs all of Bevy. `cargo test --release` runs it.

#[cfg(test)]
mod tests;
