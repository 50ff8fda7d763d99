//! Hit events: contacts whose shapes came together fast, reported after the solver has computed the impulses
//! that stopped them.

use crate::body::table::BodyTable;
use crate::contact::table::ContactTable;
use crate::contact::world_manifold::WorldManifold;
use crate::event::{ContactHit, EventLists};
use crate::shape::table::ShapeTable;
use cairn2d_simd::prefetch;

/// Number of hits by which the records of contacts are prefetched.
const HITS_AHEAD: usize = 8;

/// Reports the contacts among `candidates` whose points approached at `threshold` [m/s] or faster and were
/// pushed, in order of contact slot. Only those stay in the list.
pub(crate) fn report_hits(
    candidates: &mut Vec<u32>,
    threshold: f32,
    bodies: &BodyTable,
    shapes: &ShapeTable,
    contacts: &ContactTable,
    events: &mut EventLists,
) {
    // A contact that was not pushed has the speed 0, and is no hit with a threshold of 0.
    let min_speed = threshold.max(f32::MIN_POSITIVE);
    candidates.retain(|&slot| contacts.constraints[slot as usize].approach_speed() >= min_speed);
    candidates.sort_unstable();
    candidates.dedup();
    for (place, &slot) in candidates.iter().enumerate() {
        if let Some(&next) = candidates.get(place + HITS_AHEAD) {
            prefetch::<1, _>(contacts.slots.place(next));
        }
        let contact = &contacts.slots[slot];
        let constraint = &contacts.constraints[slot as usize];
        let manifold = WorldManifold::after_solve(constraint, bodies);
        let point = manifold.center();
        // Finalization freezes a body whose state is not finite: it has an event of its own.
        if ![manifold.normal, point.to_point().coords]
            .iter()
            .flatten()
            .all(|part| part.is_finite())
        {
            continue;
        }
        let ([shape_a, shape_b], [body_a, body_b]) = contact.ids(shapes, bodies);
        events.hits.push(ContactHit {
            contact: contacts.slots.id_at(slot),
            shape_a,
            shape_b,
            body_a,
            body_b,
            point,
            normal: manifold.normal,
            approach_speed: constraint.approach_speed(),
            impulse: constraint.total_normal_impulse(),
            // See `EventLists::fill_user_data`.
            user_data_a: 0,
            user_data_b: 0,
            body_user_data_a: 0,
            body_user_data_b: 0,
        });
    }
}
