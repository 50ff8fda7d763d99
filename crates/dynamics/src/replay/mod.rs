//! Recordings: reading, playing, and comparing them.

mod error;
mod recording;
mod answer_book;
mod apply;
mod player;
mod desync;

pub use desync::{CallDifference, Comparison, Desync};
pub use error::ReplayError;
pub use player::Player;
pub use recording::{Recording, RecordingInfo};
