//! Counters of a step, and the times of its stages if the world has a clock.

/// Reads a clock: nanoseconds since a fixed moment.
///
/// The engine has no clock: results must not depend on one, and some targets have none. The facade crate
/// offers that of the standard library.
pub type Clock = fn() -> u64;

/// Amounts of work in the last step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counters {
    /// Bodies of any kind.
    pub bodies: usize,
    /// Bodies that were simulated: awake kinematic and dynamic ones.
    pub awake_bodies: usize,
    /// Enabled dynamic bodies without mass, awake or asleep, which are usually a mistake. See
    /// [`World::massless_bodies`](crate::World::massless_bodies).
    pub massless_bodies: usize,
    /// Bodies that were created with an angle of more than a full turn, usually because it was in degrees.
    pub large_angles: usize,
    /// Steps longer than [`MAX_STEP`](crate::MAX_STEP) since the world was created. Such a step loses time and is
    /// usually a mistake, like a `dt` in milliseconds. A step does not reset this counter.
    pub clamped_steps: usize,
    /// Shapes.
    pub shapes: usize,
    /// Contacts, touching or not.
    pub contacts: usize,
    /// Contacts that the narrow phase visited.
    pub awake_contacts: usize,
    /// Contacts whose manifold was recycled.
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
    /// Fat boxes that were enlarged because their shape left them.
    pub grown_boxes: usize,
    /// Colors in use.
    pub colors: usize,
    /// Contacts and joints without a color.
    pub overflow: usize,
    /// Number of bounces: an impact counts once for each contact that it passes through.
    pub bounces: usize,
    /// Bodies swept by continuous collision.
    pub continuous_bodies: usize,
    /// Islands that Newton's method solves, because soft links would deflect too far under their loads.
    pub newton_islands: usize,
    /// Linkages that are solved directly.
    pub direct_islands: usize,
    /// Times of impact computed.
    pub impacts_tested: usize,
    /// Impacts that continuous collision treated.
    pub impacts: usize,
    /// Impacts that were clamped instead of solved at their time, because there were too many in one step. These lose
    /// time.
    pub impacts_cut: usize,
}

/// Times of the stages of the last step \[ns\]; all 0 without a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Profile {
    /// The whole step.
    pub step: u64,
    /// Broad phase: pairs of moved proxies, and their contacts.
    pub pairs: u64,
    /// Narrow phase: manifolds of contacts.
    pub collide: u64,
    /// Begins and ends of touches: islands, graph, events.
    pub links: u64,
    /// The solver.
    pub solve: u64,
    /// Finalization: poses, sleep timers, fat boxes.
    pub finalize: u64,
    /// Continuous collision.
    pub continuous: u64,
    /// Enlarged boxes in the broad phase.
    pub refit: u64,
    /// Island splits and sleep.
    pub islands: u64,
    /// Completion of events.
    pub events: u64,
}

/// Measures consecutive stages.
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
