//! Islands: sets of dynamic bodies connected by touching contacts and joints, and the substep level of each.

pub(crate) mod strain;
pub(crate) mod set;
