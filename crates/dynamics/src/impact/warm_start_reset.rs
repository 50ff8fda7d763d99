//! Warm start reset: impulses of a fast impact between static bodies are not warm started.
//!
//! A body that is shot into a wedge narrower than twice the friction angle stays there, pressed from both
//! sides: the impulses that stopped it balance each other. Warm started they would press it in as a load, as
//! far as contacts deflect under thousands of times its weight.

use crate::body::table::BodyTable;
use crate::contact::table::ContactTable;
use crate::tuning::WARM_START_RESET_SPEED;

/// Drops the stored impulses of the bodies that hit something fast and may be wedged, given the contacts
/// among which all fast ones are. `hit_bodies` is scratch memory.
pub(crate) fn reset_warm_starts(
    fast_contacts: &[u32],
    bodies: &BodyTable,
    contacts: &mut ContactTable,
    hit_bodies: &mut Vec<u32>,
) {
    hit_bodies.clear();
    for &contact in fast_contacts {
        let constraint = &contacts.constraints[contact as usize];
        if constraint.approach_speed() >= WARM_START_RESET_SPEED {
            hit_bodies.extend(constraint.bodies());
        }
    }
    for &body in &*hit_bodies {
        if bodies.is_dynamic(body) && may_be_wedged(body, bodies, contacts) {
            for &contact in &bodies.slots[body].contacts {
                contacts.forget_impulses(contact);
            }
        }
    }
}

/// Returns `true` if a body touches at least two others, none of which is dynamic, and has no joints.
fn may_be_wedged(body: u32, bodies: &BodyTable, contacts: &ContactTable) -> bool {
    let record = &bodies.slots[body];
    let all = record.contacts.iter().copied();
    let mut touching = all.filter(|&contact| contacts.slots[contact].pushes());
    let is_static = |contact: u32| !bodies.is_dynamic(contacts.other_body(contact, body));
    record.joints.is_empty() && touching.clone().count() > 1 && touching.all(is_static)
}
