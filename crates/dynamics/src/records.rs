//! Records of bodies and contacts, brought into lanes four numbers at a time.

use crate::body::state::{BodyPose, BodyState};
use crate::id::NO_SLOT;
use crate::shared::SharedSlice;
use cairn2d_simd::Lanes;

/// A record whose bytes can be read as floats.
///
/// # Safety
/// The type is `repr(C)`, has no padding and a size that is a multiple of 16 bytes.
pub(crate) unsafe trait Record: Copy + 'static {
    /// The record that a lane with [`NO_SLOT`] reads.
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

/// Returns the four numbers from number `from` (of 4 bytes) on of the records in `slots`.
///
/// # Panics
/// If a slot is out of bounds, or the record is not that long.
#[inline(always)]
pub(crate) fn load_row<L: Lanes, R: Record>(
    simd: L::Simd,
    records: &[R],
    slots: &[u32],
    from: usize,
) -> [L; 4] {
    let address = |lane: usize| match slots[lane] {
        NO_SLOT => &raw const *R::NONE,
        slot => &raw const records[slot as usize],
    };
    // SAFETY: each address is that of a record that is borrowed for longer than the call.
    unsafe { load_rows_at::<L, R>(simd, address, slots, from) }
}

/// The same for records that others share.
///
/// # Safety
/// No one writes a record in `slots` during the call.
///
/// # Panics
/// If a slot is out of bounds, or the record is not that long.
#[inline(always)]
pub(crate) unsafe fn load_shared_row<L: Lanes, R: Record>(
    simd: L::Simd,
    records: SharedSlice<'_, R>,
    slots: &[u32],
    from: usize,
) -> [L; 4] {
    let address = |lane: usize| match slots[lane] {
        NO_SLOT => &raw const *R::NONE,
        slot => records.address(slot),
    };
    // SAFETY: each address is that of a record, in bounds, that no one writes.
    unsafe { load_rows_at::<L, R>(simd, address, slots, from) }
}

/// # Safety
/// Each address is that of a record that may be read.
#[inline(always)]
unsafe fn load_rows_at<L: Lanes, R: Record>(
    simd: L::Simd,
    address: impl Fn(usize) -> *const R,
    slots: &[u32],
    from: usize,
) -> [L; 4] {
    assert!(4 * (from + 4) <= size_of::<R>() && slots.len() >= L::WIDTH);
    // SAFETY: four numbers within a record each.
    unsafe { L::load_rows(simd, |lane| address(lane).cast::<f32>().wrapping_add(from)) }
}
