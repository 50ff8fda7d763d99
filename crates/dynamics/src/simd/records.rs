//! Records of bodies and contacts, brought into lanes four numbers at a time.

use super::{Lanes, NO_SLOT};
use crate::body::state::{BodyPose, BodyState};
use crate::contact::patch::ContactPatch;

/// A record whose bytes can be read as floats.
///
/// # Safety
/// The type is `repr(C)`, has no padding and a size that is a multiple of 16 bytes.
pub(crate) unsafe trait Record: Copy + 'static {
    /// What a lane with [`NO_SLOT`] reads.
    const NONE: &'static Self;
}

// SAFETY: repr(C), 32 bytes of floats and one u32.
unsafe impl Record for BodyState {
    const NONE: &'static Self = &Self::IDENTITY;
}

// SAFETY: two f64 and four floats, 32 bytes; asserted next to the type.
unsafe impl Record for BodyPose {
    const NONE: &'static Self = &Self::IDENTITY;
}

// SAFETY: repr(C), 128 bytes of floats and u32; asserted next to the type.
unsafe impl Record for ContactPatch {
    const NONE: &'static Self = &NO_PATCH;
}

/// A contact without points between no bodies.
const NO_PATCH: ContactPatch = ContactPatch {
    body_a: NO_SLOT,
    body_b: NO_SLOT,
    ..ContactPatch::EMPTY
};

/// Returns the four numbers from number `from` (of 4 bytes) on of the records in `slots`.
///
/// # Panics
/// If a slot is out of bounds, or the record is not that long.
#[inline(always)]
pub(crate) fn load_row<L: Lanes, R: Record>(records: &[R], slots: &[u32], from: usize) -> [L; 4] {
    assert!(4 * (from + 4) <= size_of::<R>() && slots.len() >= L::WIDTH);
    let address = |lane: usize| {
        let slot = slots[lane];
        let record: &R = if slot == NO_SLOT {
            R::NONE
        } else {
            &records[slot as usize]
        };
        (&raw const *record).cast::<f32>().wrapping_add(from)
    };
    // SAFETY: each address is that of four numbers of a record that is borrowed for longer than the call.
    unsafe { L::load_rows(address) }
}
