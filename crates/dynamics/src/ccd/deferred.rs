//! Deferred contacts: the substeps skip them, since continuous collision solves their impacts at the time of
//! impact.

use super::candidates::is_substep_impact;
use super::tables::CcdInput;
use crate::body::def::BodyKind;
use crate::body::table::BodyTable;
use crate::body::{BodyTrack, track_flags};
use crate::contact::constraint::constraint_flags;
use crate::contact::recycle::contact_flags;
use crate::contact::table::ContactTable;
use crate::solver::MIN_APPROACH;
use crate::step_context::StepContext;
use crate::tuning::RESTITUTION_THRESHOLD;
use crate::world_def::WorldDef;
use cairn2d_geometry::tolerance::LINEAR_SLOP;

/// Overlap up to which two shapes count as just touching \[m\]: the rounding error of a time of impact.
pub(super) const TOUCH_DEPTH: f32 = 0.02 * LINEAR_SLOP;

/// Returns `true` if the body may have deferred contacts, or has had some.
///
/// Few bodies may. Apart from [`defer_contacts`], since a call per body would cost 0.6 % of a step.
#[inline]
pub(crate) fn may_defer_contacts(track: &BodyTrack) -> bool {
    let relevant =
        track_flags::SUBSTEP | track_flags::BOUNCE_CANDIDATE | track_flags::HAS_DEFERRED_CONTACTS;
    track.flags & relevant != 0
}

/// Marks the deferred contacts of the body in `slot`, which may have some: no point rests, and each one either closes a gap fast,
/// which is an impact within the step, or separates fast. Returns their number.
pub(crate) fn defer_contacts(
    ctx: &StepContext<'_>,
    input: &CcdInput,
    bodies: &mut BodyTable,
    contacts: &mut ContactTable,
    slot: u32,
) -> u32 {
    let is_on = ctx.def.continuous;
    let mut deferred = 0;
    for &contact in &bodies.slots[slot].contacts {
        let constraint = &contacts.constraints[contact as usize];
        // Only the substeps apply hooks and one-way shapes to a contact.
        let special = contact_flags::ONE_WAY | contact_flags::HOOKED;
        let is_deferred = is_on
            && contacts.keys[contact as usize].flags & special == 0
            && contacts.slots[contact].pushes()
            && is_substep_impact(ctx.def, input, bodies, constraint.bodies(), || {
                constraint.restitution
            })
            && has_no_resting_point(ctx, bodies, contacts, contact);
        contacts.clear_flags(contact, constraint_flags::DEFERRED);
        if is_deferred {
            contacts.set_flags(contact, constraint_flags::DEFERRED);
            deferred += 1;
        }
    }
    let flags = &mut bodies.tracks[slot as usize].flags;
    *flags &= !track_flags::HAS_DEFERRED_CONTACTS;
    if deferred > 0 {
        *flags |= track_flags::HAS_DEFERRED_CONTACTS;
    }
    deferred
}

/// Returns the deferred contacts of the body in `slot` to the substeps.
pub(crate) fn undefer_contacts(bodies: &BodyTable, contacts: &mut ContactTable, slot: u32) {
    for &contact in &bodies.slots[slot].contacts {
        contacts.clear_flags(contact, constraint_flags::DEFERRED);
    }
}

/// Returns `true` if every point of the contact has a gap and closes it at the speed of an impact, or
/// separates so fast that gravity does not close it again within the step.
pub(super) fn has_no_resting_point(
    ctx: &StepContext<'_>,
    bodies: &BodyTable,
    contacts: &ContactTable,
    contact: u32,
) -> bool {
    let constraint = &contacts.constraints[contact as usize];
    let min_approach = bounce_threshold(ctx.def).max(MIN_APPROACH);
    let min_separation_speed = 2.0 * ctx.dt * ctx.def.gravity.norm();
    // A rotating kinematic body may approach though it separates now: there the search for impacts needs a
    // gap.
    let is_kinematic = |&body: &u32| bodies.slots[body].kind == BodyKind::Kinematic;
    let (min_gap_approaching, min_gap_separating) = if constraint.bodies().iter().any(is_kinematic)
    {
        (0.0, 0.0)
    } else {
        (-TOUCH_DEPTH, -LINEAR_SLOP)
    };
    (0..constraint.count as usize).all(|i| {
        let (separation, speed) = constraint.point_motion(i, bodies);
        let approaches = separation > min_gap_approaching && speed < -min_approach;
        let separates = separation > min_gap_separating && speed > min_separation_speed;
        approaches || separates
    })
}

/// Returns the approach speed below which impacts that are solved at their time have no bounce [m/s].
///
/// It is the speed of a fall from the height of a slop, if that is below the usual threshold: slower bounces
/// cannot be told from rest. A threshold that the user raised applies as it is.
pub(super) fn bounce_threshold(def: &WorldDef) -> f32 {
    let threshold = def.tuning.restitution_threshold;
    let of_slop = (2.0 * def.gravity.norm() * LINEAR_SLOP).sqrt();
    if threshold <= RESTITUTION_THRESHOLD {
        threshold.min(of_slop)
    } else {
        threshold
    }
}
