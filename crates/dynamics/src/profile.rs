//! Counters of a step, and the time that its stages took if the world was given a clock.

/// Reads a clock: nanoseconds since some fixed moment.
///
/// The engine has no clock of its own: results must not depend on one, and some targets have none.
/// The facade offers the standard library's.
pub type Clock = fn() -> u64;

/// How much there was to do in the last step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Bodies of any kind.
    pub bodies: usize,
    /// Bodies that were simulated: awake kinematic and dynamic ones.
    pub awake_bodies: usize,
    /// Enabled dynamic bodies without mass, awake or not: usually a mistake. See
    /// [`World::massless_bodies`](crate::World::massless_bodies).
    pub massless_bodies: usize,
    /// Steps since the world was made that were longer than [`MAX_STEP`](crate::MAX_STEP), so that time was lost: usually a mistake, such
    /// as a `dt` in milliseconds. Not reset by a step.
    pub clamped_steps: usize,
    /// Shapes.
    pub shapes: usize,
    /// Contacts, touching or not.
    pub contacts: usize,
    /// Contacts that were looked at.
    pub awake_contacts: usize,
    /// Contacts whose manifold was kept as it was.
    pub recycled_contacts: usize,
    /// Contacts that touch and were solved.
    pub solved_contacts: usize,
    /// Joints.
    pub joints: usize,
    /// Islands, awake or not.
    pub islands: usize,
    /// Pairs found by the broad phase.
    pub new_pairs: usize,
    /// Levels of the highest tree of the broad phase, each of up to eight children a node; 0 without trees.
    pub tree_height: usize,
    /// Boxes that were grown because their shape left them.
    pub grown_boxes: usize,
    /// Colors in use.
    pub colors: usize,
    /// Contacts and joints that found no color.
    pub overflow: usize,
    /// Times that a contact bounced: at an impact each contact that it passes through counts.
    pub bounces: usize,
    /// Bodies swept by continuous collision.
    pub continuous_bodies: usize,
    /// Islands that need more substeps than the world's, as their loads would press them together; those of them that are
    /// solved directly get by without.
    pub substepped_islands: usize,
    /// Islands whose joints are solved directly, all at once.
    pub direct_islands: usize,
    /// Times of impact computed.
    pub impacts_tested: usize,
    /// Impacts that continuous collision dealt with.
    pub impacts: usize,
    /// Impacts that were to be solved when they happened and were clamped, as there were too many in one step: some time was
    /// lost.
    pub impacts_cut: usize,
}

/// Time that the stages of the last step took \[ns\]; all 0 without a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// The whole step.
    pub step: u64,
    /// Moved proxies into pairs, pairs into contacts.
    pub pairs: u64,
    /// Contacts into manifolds.
    pub collide: u64,
    /// Touching begins and ends: islands, graph, events.
    pub links: u64,
    /// The solver.
    pub solve: u64,
    /// Poses, sleep timers, boxes.
    pub finalize: u64,
    /// Continuous collision.
    pub continuous: u64,
    /// Inflated boxes into the tree.
    pub refit: u64,
    /// Island splits and sleep.
    pub islands: u64,
    /// Sensors and the end of events.
    pub events: u64,
}

/// Measures one stage after the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StageTimer {
    clock: Option<Clock>,
    start: u64,
    last: u64,
}

impl StageTimer {
    pub(crate) fn start(clock: Option<Clock>) -> Self {
        let now = clock.map_or(0, |clock| clock());
        Self {
            clock,
            start: now,
            last: now,
        }
    }

    /// Returns the time since the last call, or since the start [ns].
    pub(crate) fn lap(&mut self) -> u64 {
        let now = self.clock.map_or(0, |clock| clock());
        now.saturating_sub(core::mem::replace(&mut self.last, now))
    }

    /// Returns the time since the start [ns].
    pub(crate) fn total(&self) -> u64 {
        self.last.saturating_sub(self.start)
    }
}
