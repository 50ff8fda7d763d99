//! Contacts: pairs of shapes that are near each other.

pub(crate) mod patch;
