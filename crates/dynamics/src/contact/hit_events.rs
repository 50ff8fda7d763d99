//! Hit events: contacts whose shapes came together fast, reported once the solver has computed the impulses that
//! stopped them.

use crate::body::table::BodyTable;
use crate::contact::table::ContactTable;
use crate::contact::world_manifold::WorldManifold;
use crate::event::{ContactHit, EventLists, Touch};
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
    // A contact that was not pushed has the speed 0, and is no hit even with a threshold of 0.
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
        let (shapes, bodies) = contact.ids(shapes, bodies);
        let touch = Touch {
            contact: contacts.slots.id_at(slot),
            shapes,
            bodies,
            point,
            normal: manifold.normal,
        };
        let (speed, impulse) = (
            constraint.approach_speed(),
            constraint.total_normal_impulse(),
        );
        events.hits.push(ContactHit::of(touch, speed, impulse));
    }
}
