//! Time of impact: when two moving and rotating shapes first touch.

mod record;
mod motion;
mod axis;
mod root;
mod curve;
mod circles;
mod impact;
mod advancement;

pub use advancement::{conservative_advancement, separation_curve};
pub use circles::circle_time_of_impact;
pub use impact::{time_of_impact, time_of_impact_of};
pub use record::{TimeOfImpact, ToiState};
