//! Islands: sets of dynamic bodies connected by touching contacts and joints, and the strain of each.

pub(crate) mod strain;
pub(crate) mod set;
