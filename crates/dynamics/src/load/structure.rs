//! Structures that sweeps solve slowly whatever they carry: mixed masses and closed loops of joints.

use super::LoadTables;
use crate::graph::GraphPlace;
use crate::island::set::NO_ISLAND;
use crate::links::visiting_body;

/// Mass ratio of touching or jointed bodies above which sweeps converge slowly. The parts of a ragdoll, or crates of
/// stone on wood, differ by less. What topples or is hit bears no load for long, and may have the square of it.
const MAX_RATIO: f32 = 10.0;

/// Returns `true` if the island has a contact or joint of mixed masses, or a closed loop of joints. In free flight masses
/// at joints do not count: nothing bears their load.
pub(super) fn is_slow_to_sweep(tables: &LoadTables<'_>, island: u32) -> bool {
    let bodies = &tables.islands.slots[island as usize].bodies;
    let (mut joints, mut is_anchored) = (0, false);
    let flies = bodies.iter().all(|&slot| flies(tables, slot));
    for &slot in bodies {
        if has_mixed_contact(tables, slot) {
            return true;
        }
        for &joint in &tables.bodies.slots[slot].joints {
            let record = &tables.joints.slots[joint];
            if record.graph == GraphPlace::NONE {
                continue;
            }
            let ends = [record.body_a, record.body_b];
            if !flies && is_mixed(tables, ends) {
                return true;
            }
            is_anchored |= ends
                .iter()
                .any(|&end| tables.bodies.tracks[end as usize].island == NO_ISLAND);
            joints += usize::from(visiting_body(tables.bodies, ends) == slot);
        }
    }
    // A tree has as many joints as bodies if it is anchored, and one less otherwise.
    joints + usize::from(!is_anchored) > bodies.len()
}

/// Returns `true` if the body in `slot` touches nothing, and no joint holds it to a body without an island.
fn flies(tables: &LoadTables<'_>, slot: u32) -> bool {
    let record = &tables.bodies.slots[slot];
    let touches = |&contact: &u32| tables.contacts.slots[contact].graph != GraphPlace::NONE;
    let is_held = |&joint: &u32| {
        let record = &tables.joints.slots[joint];
        let mut ends = [record.body_a, record.body_b].into_iter();
        record.graph != GraphPlace::NONE
            && ends.any(|end| tables.bodies.tracks[end as usize].island == NO_ISLAND)
    };
    !record.contacts.iter().any(touches) && !record.joints.iter().any(is_held)
}

/// Returns `true` if the masses of the bodies are so different that sweeps let them into each other when they hit.
pub(super) fn has_heavy_impacts(tables: &LoadTables<'_>, bodies: &[u32]) -> bool {
    let inv_masses = bodies
        .iter()
        .map(|&slot| tables.bodies.masses[slot as usize].inv_mass);
    let moving = inv_masses.filter(|&inv_mass| inv_mass > 0.0);
    let (least, most) = moving.fold(
        (f32::INFINITY, 0.0),
        |(least, most): (f32, f32), inv_mass| (least.min(inv_mass), most.max(inv_mass)),
    );
    most > MAX_RATIO * MAX_RATIO * least
}

fn has_mixed_contact(tables: &LoadTables<'_>, slot: u32) -> bool {
    tables.bodies.slots[slot].contacts.iter().any(|&contact| {
        let ends = tables.contacts.constraints[contact as usize].bodies();
        tables.contacts.slots[contact].graph != GraphPlace::NONE && is_mixed(tables, ends)
    })
}

/// Returns `true` if the masses of two moving bodies differ by more than [`MAX_RATIO`].
fn is_mixed(tables: &LoadTables<'_>, ends: [u32; 2]) -> bool {
    let [a, b] = ends.map(|end| tables.bodies.masses[end as usize].inv_mass);
    a.max(b) > MAX_RATIO * a.min(b) && a.min(b) > 0.0
}
