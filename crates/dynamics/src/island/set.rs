//! Islands of dynamic bodies that are connected by touching contacts and joints, and so sleep together.
//!
//! Islands persist. A new link merges two (the smaller into the larger). A removed link is only counted; an
//! island with removed links is searched for connected pieces when it is about to sleep.

use super::hysteresis::LevelHysteresis;
use crate::bitset::BitSet;
use crate::growth;
use crate::id::assert_free_list;
use cairn2d_geometry::{HashState, StateHasher};

/// No island: static, kinematic and disabled bodies.
pub(crate) const NO_ISLAND: u32 = u32::MAX;

/// One island.
#[derive(Clone, Debug, Default)]
pub(crate) struct Island {
    /// Body slots; each body stores its index here. Empty: the slot is free.
    pub(crate) bodies: Vec<u32>,
    /// Links removed since the island was last known to be connected.
    pub(crate) removed_links: u32,
    /// Step from which on it may be searched for connected pieces.
    pub(crate) search_from: u64,
    pub(crate) asleep: bool,
    /// Substep level that it is solved with; 0 is the world's. Set by [`IslandSet::set_level`].
    pub(crate) level: u8,
    /// Substep level that it is led to.
    pub(crate) hysteresis: LevelHysteresis,
    /// Links were added or removed since its support was last estimated.
    pub(crate) links_changed: bool,
    /// Greatest static deflection of its links, estimated from its support.
    pub(crate) estimated_deflection: StaticDeflection,
    /// Evaluations until it may be solved directly again, after something touched its bodies.
    pub(crate) direct_cooldown: u8,
    /// Contacts of its bodies have rest loads.
    pub(crate) has_rest_loads: bool,
    /// Sum of the rest offsets of its contact points after stiffness changes [m].
    pub(crate) rest_offset_sum: f32,
    /// Joints of its bodies have rest offsets.
    pub(crate) has_joint_offsets: bool,
    /// Greatest rest load of its contacts, as an acceleration of the effective mass; up to twice as much
    /// [m/s^2].
    pub(crate) rest_acceleration: f32,
    /// Substep level at which leaning bodies are stable under their loads; 0 if none is known to be needed.
    pub(crate) stable_level: u8,
    /// Evaluations left in which rest loads are checked after a change.
    pub(crate) relax_countdown: u8,
}

impl HashState for Island {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            bodies,
            removed_links,
            search_from,
            asleep,
            level,
            hysteresis,
            links_changed,
            estimated_deflection,
            direct_cooldown,
            has_rest_loads,
            rest_offset_sum,
            has_joint_offsets,
            rest_acceleration,
            stable_level,
            relax_countdown,
        } = self;
        hash.add(bodies).add(removed_links).add(search_from);
        hash.add(asleep).add(level).add(hysteresis);
        hash.add(links_changed).add(estimated_deflection);
        hash.add(direct_cooldown).add(has_rest_loads);
        hash.add(rest_offset_sum).add(has_joint_offsets);
        hash.add(rest_acceleration).add(stable_level);
        hash.add(relax_countdown);
    }
}

/// Greatest deflection of links under a load at the world's substeps, by kind of link [m].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct StaticDeflection {
    pub(crate) contacts: f32,
    pub(crate) joints: f32,
}

impl HashState for StaticDeflection {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self { contacts, joints } = self;
        hash.add(contacts).add(joints);
    }
}

impl StaticDeflection {
    /// Returns the greatest deflection of all links [m].
    pub(crate) fn max(&self) -> f32 {
        self.contacts.max(self.joints)
    }

    /// Returns the greater deflection of each kind.
    pub(crate) fn max_with(&self, other: &Self) -> Self {
        Self {
            contacts: self.contacts.max(other.contacts),
            joints: self.joints.max(other.joints),
        }
    }

    /// Returns the smaller deflection of each kind.
    pub(crate) fn min_with(&self, other: &Self) -> Self {
        Self {
            contacts: self.contacts.min(other.contacts),
            joints: self.joints.min(other.joints),
        }
    }
}

/// Bodies that are searched per step, on average.
///
/// A stirred heap loses links in every step, and would be searched in every step. So the search of an island
/// is followed by a pause of one step per multiple of this number.
const SEARCHED_BODIES_PER_STEP: usize = 256;

/// Longest pause between two searches [steps]: half a second at 60 Hz, the time that a body takes to fall
/// asleep.
const MAX_SEARCH_PAUSE: usize = 30;

impl Island {
    /// Records that the island was searched for connected pieces in the given step.
    pub(crate) fn searched_at(&mut self, step: u64) {
        let pause = (self.bodies.len() / SEARCHED_BODIES_PER_STEP).min(MAX_SEARCH_PAUSE);
        self.search_from = step + pause as u64;
    }
}

/// Capacity up to which the list of a freed island keeps its memory [bodies]: 64 bytes of memory. If all
/// lists kept theirs, every slot would come to hold the memory of the largest island within hours. Smaller: a
/// brief touch allocates each time.
const MAX_KEPT_BODIES: usize = 16;

/// All islands, by slot.
#[derive(Clone, Debug, Default)]
pub(crate) struct IslandSet {
    pub(crate) slots: Vec<Island>,
    /// Free slots, last freed last.
    free: Vec<u32>,
    /// Slots of islands that are awake.
    pub(crate) awake: BitSet,
    /// Slots of islands with a substep level above the world's.
    pub(crate) substepped: BitSet,
    /// Slots of islands whose joints are solved directly.
    pub(crate) direct: BitSet,
}

impl HashState for IslandSet {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            slots,
            free,
            awake,
            // The islands with a level above 0.
            substepped: _,
            direct,
        } = self;
        hash.add(slots).add(free).add(awake).add(direct);
    }
}

impl IslandSet {
    /// Creates an awake island without bodies.
    pub(crate) fn create(&mut self) -> u32 {
        let slot = self.free.pop().unwrap_or_else(|| {
            growth::push(&mut self.slots, Island::default());
            (self.slots.len() - 1) as u32
        });
        self.awake.insert(slot);
        slot
    }

    /// Frees the slot of an island without bodies; its list keeps its memory, unless that is much.
    pub(crate) fn free(&mut self, slot: u32) {
        let island = &mut self.slots[slot as usize];
        debug_assert!(island.bodies.is_empty());
        let mut bodies = core::mem::take(&mut island.bodies);
        if bodies.capacity() > MAX_KEPT_BODIES {
            bodies = Vec::new();
        }
        *island = Island {
            bodies,
            ..Island::default()
        };
        self.substepped.remove(slot);
        self.direct.remove(slot);
        self.awake.remove(slot);
        self.free.push(slot);
    }

    /// Sets the substep level of an island.
    pub(crate) fn set_level(&mut self, slot: u32, level: u8) {
        self.slots[slot as usize].level = level;
        if level > 0 {
            self.substepped.insert(slot);
        } else {
            self.substepped.remove(slot);
        }
    }

    /// Iterates over the awake islands with a substep level above the world's.
    pub(crate) fn substepped_awake(&self) -> impl Iterator<Item = u32> {
        self.substepped
            .iter()
            .filter(|&slot| self.awake.contains(slot))
    }

    /// Iterates over the awake islands that are solved directly.
    pub(crate) fn direct_awake(&self) -> impl Iterator<Item = u32> {
        self.direct.iter().filter(|&slot| self.awake.contains(slot))
    }

    /// Returns `true` if an awake island is iterated with a substep level above the world's.
    pub(crate) fn is_any_substepped(&self) -> bool {
        self.substepped_awake()
            .any(|slot| !self.direct.contains(slot))
    }

    /// Returns the substep level that an island is iterated with. An island that is solved directly keeps its
    /// own for later.
    pub(crate) fn level_in_use(&self, slot: u32) -> usize {
        if self.direct.contains(slot) {
            0
        } else {
            self.slots[slot as usize].level.into()
        }
    }

    /// Records that `island` gained or lost a link; [`NO_ISLAND`] is ignored.
    pub(crate) fn note_link_change(&mut self, island: u32) {
        if island != NO_ISLAND {
            self.slots[island as usize].links_changed = true;
        }
    }

    /// Gives `to`, which takes bodies from `from`, at least the substep level of `from`, and the record of
    /// its loads.
    pub(crate) fn inherit(&mut self, from: u32, to: u32) {
        let [source, target] = self
            .slots
            .get_disjoint_mut([from as usize, to as usize])
            .expect("two islands");
        target.has_rest_loads |= source.has_rest_loads;
        target.rest_offset_sum += source.rest_offset_sum;
        target.has_joint_offsets |= source.has_joint_offsets;
        target.rest_acceleration = source.rest_acceleration.max(target.rest_acceleration);
        target.stable_level = source.stable_level.max(target.stable_level);
        target.hysteresis.raise(source.hysteresis.target);
        let level = source.level.max(target.level);
        self.set_level(to, level);
    }

    /// Number of islands.
    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Checks that each slot holds an island with bodies or is listed as free, once. For tests.
    ///
    /// # Panics
    /// If one is not.
    pub(crate) fn assert_free_list(&self) {
        assert_free_list(&self.free, self.slots.len(), |slot| {
            self.slots[slot as usize].bodies.is_empty()
        });
    }
}
