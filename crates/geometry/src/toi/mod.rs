//! When two moving, turning shapes first touch.

mod motion;
mod axis;
mod root;
mod impact;
mod advancement;
mod circles;

pub use advancement::{conservative_advancement, separation_curve};
pub use circles::circle_time_of_impact;
pub use impact::{TimeOfImpact, ToiState, time_of_impact, time_of_impact_of};
