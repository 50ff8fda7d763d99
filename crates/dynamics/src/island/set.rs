//! Islands of dynamic bodies that are connected by touching contacts and joints, and so sleep together.
//!
//! Islands persist. A new link merges two (the smaller into the larger). A removed link is only counted; an
//! island with removed links is searched for connected pieces when it is about to sleep.

use super::strain::Strain;
use crate::bitset::BitSet;
use crate::free_slots::FreeSlots;
use crate::tracked::{TrackedRecords, TrackedSet};
use cairn2d_geometry::{
    HashState, LoadError, Persist, Reader, Sink, StateHasher, clone_fields, state_record,
};

/// No island: static, kinematic and disabled bodies.
pub(crate) const NO_ISLAND: u32 = u32::MAX;

/// One island.
#[derive(Debug, Default)]
pub(crate) struct Island {
    /// Body slots; each body stores its index here. Empty: the slot is free.
    pub(crate) bodies: Vec<u32>,
    /// Links removed since the island was last known to be connected.
    pub(crate) removed_links: u32,
    /// Step from which on it may be searched for connected pieces.
    pub(crate) search_from: u64,
    pub(crate) asleep: bool,
    /// Whether soft links would deflect too far under its loads.
    pub(crate) strain: Strain,
    /// Links were added or removed since its structure was last evaluated.
    pub(crate) links_changed: bool,
    /// Evaluations until it may be solved directly again, after something touched its bodies.
    pub(crate) direct_cooldown: u8,
    /// Contacts of its bodies have rest loads.
    pub(crate) has_rest_loads: bool,
    /// Sweeps converge slowly whatever it carries: see `load/structure.rs`.
    pub(crate) is_slow_to_sweep: bool,
    /// Evaluations left in which rest loads are checked after a change.
    pub(crate) relax_countdown: u8,
    /// Whether Newton's method solves it, and why.
    pub(crate) newton: NewtonRecord,
}

/// Conditions, besides strain, for the solution of an island by Newton's method.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct NewtonRecord {
    /// Mean work of a step, 0 if not known: see [`WorldDef::solver_budget`](crate::WorldDef::solver_budget).
    pub(crate) work: u32,
    /// Time for which it is iterated whatever its strain, after a failure or for lack of work \[s\].
    pub(crate) pause: f32,
    /// Steps since it got the method.
    pub(crate) steps: u32,
    /// Failures in a row.
    pub(crate) failures: u8,
}

/// Number of steps over which the work of an island is averaged.
const WORK_MEMORY: u64 = 8;

/// Steps without a failure after which those before no longer count: a second at 60 Hz.
const STEPS_TO_FORGIVE: u32 = 60;

/// Most failures that make the next pause longer.
const MAX_FAILURES: u8 = 4;

impl NewtonRecord {
    fn is_valid(&self) -> bool {
        self.failures <= MAX_FAILURES
    }

    /// Records a failure, and returns the factor of the next pause: twice as much for each in a row.
    pub(crate) fn fail(&mut self) -> f32 {
        let factor = (1_u32 << self.failures) as f32;
        self.failures = (self.failures + 1).min(MAX_FAILURES);
        factor
    }

    /// Takes the work of a step into the mean: one step with many iterations is not the rule.
    pub(crate) fn add_step(&mut self, work: u32) {
        self.steps = self.steps.saturating_add(1);
        if self.steps >= STEPS_TO_FORGIVE {
            self.failures = 0;
        }
        let mean = (u64::from(self.work) * (WORK_MEMORY - 1) + u64::from(work)) / WORK_MEMORY;
        self.work = mean as u32;
    }
}

state_record!(
    NewtonRecord {
        work,
        pause,
        steps,
        failures,
    },
    is_valid
);

state_record!(clone Island {
    bodies,
    removed_links,
    search_from,
    asleep,
    strain,
    is_slow_to_sweep,
    // Saves before format 3 have a flag before this one, and two deflections behind it.
    links_changed: by(|reader: &mut Reader<'_>| {
        if reader.format() < 3 {
            let _leans: bool = reader.read()?;
        }
        reader.read()
    }),
    direct_cooldown: by(|reader: &mut Reader<'_>| {
        if reader.format() < 3 {
            let _estimates: [f32; 2] = reader.read()?;
        }
        reader.read()
    }),
    has_rest_loads,
    relax_countdown,
    newton,
});

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
#[derive(Debug, Default)]
pub(crate) struct IslandSet {
    pub(crate) slots: TrackedRecords<Island>,
    free: FreeSlots,
    /// Slots of islands that are awake.
    pub(crate) awake: TrackedSet,
    /// Slots of islands whose joints are solved directly.
    pub(crate) direct: BitSet,
    /// Slots of islands that Newton's method solves.
    pub(crate) newton: BitSet,
}

clone_fields!(IslandSet {
    slots,
    free,
    awake,
    direct,
    newton
});

/// A field that is missing does not compile in `write`.
impl HashState for IslandSet {
    fn hash_state(&self, hash: &mut StateHasher) {
        hash.add(&self.slots).add(&self.free).add(&self.awake);
        hash.add(&self.direct).add(&self.newton);
    }
}

impl Persist for IslandSet {
    fn write<S: Sink>(&self, sink: &mut S) {
        let Self {
            slots,
            free,
            awake,
            direct,
            newton,
        } = self;
        sink.field("slots", slots);
        free.write_field(sink);
        sink.field("awake", awake);
        sink.field("direct", direct);
        sink.field("newton", newton);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let slots: TrackedRecords<Island> = reader.read()?;
        Ok(Self {
            free: FreeSlots::read_below(reader, slots.len())?,
            slots,
            awake: reader.read()?,
            direct: reader.read()?,
            newton: reader.read()?,
        })
    }
}

impl IslandSet {
    /// From now on the present islands are those of the base of deltas.
    pub(crate) fn begin_base(&mut self) {
        self.slots.begin_base();
        self.awake.begin_base();
    }

    /// Creates an awake island without bodies.
    pub(crate) fn create(&mut self) -> u32 {
        let slot = self.free.take_lowest().unwrap_or_else(|| {
            self.slots.push(Island::default());
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
        self.direct.remove(slot);
        self.newton.remove(slot);
        self.awake.remove(slot);
        self.free.add(slot);
    }

    /// Iterates over the awake islands that are solved directly.
    pub(crate) fn direct_awake(&self) -> impl Iterator<Item = u32> {
        self.direct.iter().filter(|&slot| self.awake.contains(slot))
    }

    /// Iterates over the awake islands that Newton's method solves.
    pub(crate) fn newton_awake(&self) -> impl Iterator<Item = u32> {
        self.newton.iter().filter(|&slot| self.awake.contains(slot))
    }

    /// Returns `true` if Newton's method solves an awake island.
    pub(crate) fn is_any_newton(&self) -> bool {
        self.newton_awake().next().is_some()
    }

    /// Records that `island` gained or lost a link; [`NO_ISLAND`] is ignored.
    pub(crate) fn note_link_change(&mut self, island: u32) {
        if island != NO_ISLAND {
            self.slots[island as usize].links_changed = true;
        }
    }

    /// Gives `to`, which takes bodies from `from`, the record of the loads of `from` besides its own. A pause
    /// stays with the larger part of an island: a box that falls onto a bridge does not change how the bridge
    /// is solved.
    pub(crate) fn inherit(&mut self, from: u32, to: u32) {
        let [source, target] = self.slots.write_pair([from as usize, to as usize]);
        target.has_rest_loads |= source.has_rest_loads;
        target.is_slow_to_sweep |= source.is_slow_to_sweep;
        target.links_changed = true;
        target.strain.merge(&source.strain);
        target.newton.steps = source.newton.steps.max(target.newton.steps);
        if self.newton.contains(from) && !self.newton.contains(to) {
            self.newton.insert(to);
            target.newton.work = 0;
        }
    }

    /// Number of islands.
    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Returns `true` if each slot holds an island with bodies or is listed as free, once.
    pub(crate) fn has_right_free_list(&self) -> bool {
        let is_empty = |slot: u32| self.slots[slot as usize].bodies.is_empty();
        self.free.are(self.slots.len(), is_empty)
    }
}
