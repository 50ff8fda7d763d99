//! Limits of the velocity of one agent: speed, acceleration, turns and braking distance.

pub(crate) mod braking;
pub(crate) mod heading;
pub(crate) mod region;
pub(crate) mod recovery;
