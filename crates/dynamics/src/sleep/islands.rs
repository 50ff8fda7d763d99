//! Sleep of islands: a connected island falls asleep when all of its bodies were slow for long enough.

use crate::bitset::BitSet;
use crate::body::table::BodyTable;
use crate::contact::table::ContactTable;
use crate::island::set::IslandSet;
use crate::joint::table::JointTable;
use crate::mechanisms::{Mechanism, Mechanisms};
use crate::sleep::support::mark_unsupported;
use crate::tuning::TIME_TO_SLEEP;

/// Lists the awake islands that are not among the `restless` ones, ascending.
pub(crate) fn list_quiet_islands(restless: &BitSet, islands: &IslandSet, quiet: &mut Vec<u32>) {
    quiet.clear();
    let awake = islands.awake.iter();
    quiet.extend(awake.filter(|&island| !restless.contains(island)));
}

/// Returns `true` if `island` may sleep. Marks its unsupported bodies, which must be almost at rest first.
///
/// Tests all timers again: bodies may have woken since finalization.
pub(crate) fn may_sleep(
    mechanisms: Mechanisms,
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
            && mark_unsupported(island, bodies, contacts, joints, islands))
}
