//! Calls the public interface of `cairn2d` at random, and checks invariants.
//!
//! An [`episode`](Episode) is a fresh world and a few thousand calls. Each call draws its arguments from a generator that is seeded
//! by the seed, the number of the episode and the number of the call, so a failure is repeated by these three numbers, and calls
//! that it does not need can be left out.
//!
//! Checked: no call panics other than with a documented refusal; a refused call leaves the world's hash as it was; a stale, foreign
//! or forged id changes nothing; `World::assert_consistent` holds; a clone continues with the same bits.
//!
//! The `mod` lines below are the layer order, lowest first.

mod values;
mod arguments;
mod command_line;
mod geometry;
mod definitions;
mod journal;
mod ids;
mod episode;
mod bodies;
mod shapes;
mod joint_defs;
mod joints;
mod queries;
mod world;
mod effects;
mod characters;
mod crowds;
mod calls;
mod run;
mod saves;
mod scenes;
mod recordings;
mod soak;
mod memory;

pub use command_line::count_and_seed;
pub use episode::{Episode, Panics};
pub use memory::Counting;
pub use recordings::{
    Replays, fuzz_recordings, random_recordings, silence_refusals, unrecorded_calls,
};
pub use run::{Failure, Plan, fuzz, replay, shrink};
pub use saves::{Loads, SavedDelta, fuzz_deltas, fuzz_saves, random_deltas, random_saves};
pub use scenes::{SceneFormat, WrittenScene, fuzz_scenes, random_scenes};
pub use soak::{Churn, Elements, Growth, Load, Part, soak};
