//! The bounds of the world: which bodies have left them.

use crate::bitset::BitSet;
use crate::body::state::BodyPose;
use crate::body::table::BodyTable;
use crate::event::BodyExit;
use crate::fat_box::world_box;
use crate::shape::table::ShapeTable;
use cairn2d_geometry::Aabb;

/// Lists the `simulated` bodies that are outside `bounds` \[m\] now and were not when last tested.
///
/// Bodies are tested after continuous collision, where the step leaves them. `outside` is a set of body
/// slots; static, disabled and sleeping bodies keep their membership.
pub(crate) fn report_exits(
    bounds: &Aabb,
    simulated: &[u32],
    bodies: &BodyTable,
    shapes: &ShapeTable,
    outside: &mut BitSet,
    exits: &mut Vec<BodyExit>,
) {
    for &slot in simulated {
        let Some(body) = bodies.slots.get(slot) else {
            continue;
        };
        if body.disabled || is_within(slot, bounds, bodies, shapes) {
            outside.remove(slot);
        } else if !outside.contains(slot) {
            outside.insert(slot);
            exits.push(BodyExit {
                body: bodies.slots.id_at(slot),
                user_data: body.user_data,
            });
        }
    }
}

/// Returns `true` if the center of mass of the body in `slot`, or the box of one of its shapes, is within
/// `bounds`.
fn is_within(slot: u32, bounds: &Aabb, bodies: &BodyTable, shapes: &ShapeTable) -> bool {
    let pose: &BodyPose = &bodies.poses[slot as usize];
    let mut of_body = bodies.slots[slot].shapes.iter();
    bounds.contains_point(&pose.center.to_point())
        || of_body
            .any(|&shape| world_box(&shapes.slots[shape].geometry, pose, 0.0).overlaps(bounds))
}
