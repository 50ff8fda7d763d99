//! Store: the impulses of blocks are written to the contact constraints, for events, loads and the next warm
//! start.

use super::block::{BlockFeatures, ContactBlock};
use super::prepare::FAR_SEPARATION;
use crate::contact::constraint::{ContactConstraint, FIRST_IMPULSES, SECOND_IMPULSES};
use crate::id::NO_SLOT;
use crate::shared::SharedSlice;
use cairn2d_simd::{Kernel, Lanes, Mask, Simd};

/// Writes the impulses of blocks to their constraints.
pub(crate) struct StoreContacts<'a, L: Lanes> {
    pub(crate) blocks: &'a [ContactBlock<L>],
    pub(crate) features: &'a [BlockFeatures],
    /// Written: a bit for each lane whose contact closed at the hit speed \[m/s\] or faster, and pushed.
    pub(crate) fast: &'a mut [u32],
    pub(crate) hit_speed: f32,
    /// No other worker uses the constraints of these blocks.
    pub(crate) constraints: SharedSlice<'a, ContactConstraint>,
}

impl<L: Lanes> Kernel<L::Simd> for StoreContacts<'_, L> {
    type Output = ();
    #[inline(always)]
    fn run(self, _: L::Simd) {
        for ((block, features), fast) in self.blocks.iter().zip(self.features).zip(self.fast) {
            store_points(block, self.constraints);
            *fast = lanes_closed_fast(block, self.hit_speed);
            if features.has_rolling_or_surface_speed {
                store_rolling(block, self.constraints);
            }
        }
    }
}

/// Stores the impulses of both points; those of a missing point have no meaning.
///
/// Friction is distributed to the points in proportion to their normal impulses.
#[inline(always)]
fn store_points<L: Lanes>(
    block: &ContactBlock<L>,
    constraints: SharedSlice<'_, ContactConstraint>,
) {
    let simd = block.normal_x.simd();
    let [p, q] = &block.points;
    let one = simd.splat(1.0);
    let sum = p.impulse + q.impulse;
    let pushed = sum.gt(simd.zero());
    let share = p.impulse / L::select(pushed, sum, one);
    let share = L::select(pushed, share, simd.splat(0.5));
    let alone = q.separation.ge(simd.splat(FAR_SEPARATION));
    let share = L::select(alone, one, share);
    let tangent = block.friction.impulse;
    let [approach_p, approach_q] = block.approach;
    let rows = [
        [p.impulse, share * tangent, p.total_impulse, approach_p],
        [
            q.impulse,
            (one - share) * tangent,
            q.total_impulse,
            approach_q,
        ],
    ];
    let slots = block.contacts.as_ref();
    for (row, from) in rows.into_iter().zip([FIRST_IMPULSES, SECOND_IMPULSES]) {
        let mut unused = [0.0f32; 4];
        let unused = unused.as_mut_ptr();
        let address = |lane: usize| {
            let slot = slots[lane];
            if slot == NO_SLOT {
                return unused;
            }
            // SAFETY: a contact is in one block, and a block belongs to one worker.
            let constraint: *mut ContactConstraint = unsafe { constraints.at(slot) };
            constraint.cast::<f32>().wrapping_add(from)
        };
        // SAFETY: four numbers within a constraint, or a place on the stack.
        unsafe { L::store_rows(row, address) };
    }
}

/// Returns a bit for each lane with a point that closed at `speed` \[m/s\] or faster, and pushed.
#[inline(always)]
fn lanes_closed_fast<L: Lanes>(block: &ContactBlock<L>, speed: f32) -> u32 {
    let simd = block.normal_x.simd();
    let mut bits = 0;
    for (point, &approach) in block.points.iter().zip(&block.approach) {
        let pushed = point.total_impulse.gt(simd.zero());
        if pushed.and(simd.splat(-speed).ge(approach)).any() {
            let pushes = point.total_impulse.as_slice();
            for (lane, (&push, &velocity)) in pushes.iter().zip(approach.as_slice()).enumerate() {
                bits |= u32::from(push > 0.0 && velocity <= -speed) << lane;
            }
        }
    }
    bits
}

#[inline(always)]
fn store_rolling<L: Lanes>(
    block: &ContactBlock<L>,
    constraints: SharedSlice<'_, ContactConstraint>,
) {
    let impulses = block.rolling.impulse.as_slice();
    for (&slot, &impulse) in block.contacts.as_ref().iter().zip(impulses) {
        if slot != NO_SLOT {
            // SAFETY: a contact is in one block, and a block belongs to one worker.
            unsafe { constraints.at(slot) }.rolling_impulse = impulse;
        }
    }
}
