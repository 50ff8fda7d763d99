//! Lanes read contact constraints as rows of floats.

use crate::contact::constraint::ContactConstraint;
use crate::id::NO_SLOT;
use crate::records::Record;

// SAFETY: repr(C), 128 bytes of floats and integers without padding; the size is asserted next to the type.
unsafe impl Record for ContactConstraint {
    const NONE: &'static Self = &NO_CONSTRAINT;
}

/// A constraint without points between no bodies, for lanes without a contact.
const NO_CONSTRAINT: ContactConstraint = ContactConstraint {
    body_a: NO_SLOT,
    body_b: NO_SLOT,
    ..ContactConstraint::EMPTY
};
