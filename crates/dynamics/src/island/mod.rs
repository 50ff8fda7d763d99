//! Islands: sets of dynamic bodies connected by touching contacts and joints, and the substep level of each.

pub(crate) mod substep_level;
pub(crate) mod hysteresis;
pub(crate) mod set;
