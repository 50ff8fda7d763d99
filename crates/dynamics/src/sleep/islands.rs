//! Sleep of islands: a connected island falls asleep when all of its bodies were slow for long enough.

use crate::bitset::BitSet;
use crate::body::table::BodyTable;
use crate::contact::table::ContactTable;
use crate::island::set::IslandSet;
use crate::joint::linkage::may_have_springs;
use crate::joint::table::JointTable;
use crate::mechanisms::{Mechanism, Mechanisms};
use crate::sleep::support::mark_unsupported;
use crate::tuning::TIME_TO_SLEEP;
use cairn2d_geometry::tolerance::LINEAR_SLOP;

/// Lists the awake islands that are not among the `restless` ones, ascending.
pub(crate) fn list_quiet_islands(restless: &BitSet, islands: &IslandSet, quiet: &mut Vec<u32>) {
    quiet.clear();
    let awake = islands.awake.iter();
    quiet.extend(awake.filter(|&island| !restless.contains(island)));
}

/// Returns `true` if `island` may sleep. Marks its unsupported bodies, which must be almost at rest first.
///
/// Tests all timers again: bodies may have woken since finalization. `h` is the substep \[s\].
pub(crate) fn may_sleep(
    (mechanisms, h): (Mechanisms, f32),
    island: u32,
    bodies: &mut BodyTable,
    contacts: &ContactTable,
    joints: &JointTable,
    islands: &IslandSet,
) -> bool {
    let record = &islands.slots[island as usize];
    let is_slow = |&slot: &u32| bodies.tracks[slot as usize].slow_time >= TIME_TO_SLEEP;
    record.removed_links == 0
        && record.bodies.iter().all(is_slow)
        && !(mechanisms.has(Mechanism::SupportTest)
            && (creeps(&record.bodies, bodies, joints, h)
                || mark_unsupported(island, bodies, contacts, joints, islands)))
}

/// Returns `true` if a damped spring still moves a body by more than a slop. A truck on overdamped springs that slept as
/// soon as it was slow hung 8 cm above its level.
fn creeps(listed: &[u32], bodies: &BodyTable, joints: &JointTable, h: f32) -> bool {
    listed.iter().any(|&body| {
        let mut solved = joints.solved_joints_of(&bodies.slots[body]);
        solved.any(|joint| {
            may_have_springs(&joints.slots[joint].def)
                && joints.sims[joint as usize].spring_energy(bodies, h).creep > LINEAR_SLOP
        })
    })
}
