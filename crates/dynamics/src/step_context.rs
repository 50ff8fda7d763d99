//! Constants of one step that every stage reads, and the record of the steps before it.

use crate::mechanisms::Mechanism;
use crate::world_def::WorldDef;
use cairn2d_geometry::state_record;

/// The definition of the world and the length of the step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepContext<'a> {
    pub(crate) def: &'a WorldDef,
    /// Length of the step [s].
    pub(crate) dt: f32,
    /// Length of the substeps to which stored impulses refer \[s\]; 0 before the first step was solved.
    pub(crate) last_h: f32,
    /// Number of steps taken before this one, since there were no dynamic bodies: see [`StepHistory::age`].
    pub(crate) steps: u64,
}

impl<'a> StepContext<'a> {
    pub(crate) fn new(def: &'a WorldDef, dt: f32, last_h: f32, steps: u64) -> Self {
        Self {
            def,
            dt,
            last_h,
            steps,
        }
    }

    /// Returns `true` if the world uses a mechanism.
    #[inline]
    pub(crate) fn uses(&self, mechanism: Mechanism) -> bool {
        self.def.tuning.uses(mechanism)
    }
}

/// Bits of [`StepHistory::steps`] for the number of steps: at 1000 Hz they last for 8900 years.
const COUNT_BITS: u32 = 48;

/// A multiple of the intervals at which islands are evaluated, of up to 60 steps.
const PHASES: u64 = 60 * 1024;

/// The steps taken so far: part of the state.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StepHistory {
    /// Number of steps taken, in the low bits; above [`COUNT_BITS`] that at which the world last had no dynamic
    /// bodies, modulo [`PHASES`].
    pub(crate) steps: u64,
    /// Length of the last step over `last_h`: its number of substeps, if they had this length; 0 before the
    /// first step.
    pub(crate) last_substeps: f32,
    /// Length of the substeps to which stored impulses refer \[s\]: that of the last step, or more if longer
    /// steps came before it; 0 before the first step.
    pub(crate) last_h: f32,
}

/// Share by which the substeps to which stored impulses refer may be longer than those of the last step and still
/// count as equal: rounding, and the end of an exponential decay.
const LENGTH_TOLERANCE: f32 = 0.01;

impl StepHistory {
    /// Before the first step, assumes that the last substeps had the length `h` \[s\] of the present ones.
    pub(crate) fn assume_last_h(&mut self, h: f32) {
        if self.last_h <= 0.0 {
            self.last_h = h;
        }
    }

    /// Returns the length of the substeps to which stored impulses refer after substeps of `h` \[s\]: after
    /// shorter ones it falls to theirs in about the time that it was long.
    pub(crate) fn length_after(&self, h: f32) -> f32 {
        let excess = self.last_h - h;
        if excess > LENGTH_TOLERANCE * h {
            self.last_h - (h / self.last_h) * excess
        } else {
            h
        }
    }

    /// Returns the share of the growth of impulses of joints that is carried over to a step of `dt` \[s\]: none of what a
    /// longer step than the last one adds. Impulses that have not converged would add energy.
    pub(crate) fn carried_growth(&self, dt: f32) -> f32 {
        let last = self.last_dt();
        if last > 0.0 && (1.0 + LENGTH_TOLERANCE) * last < dt {
            last / dt
        } else {
            1.0
        }
    }

    /// Stores the substeps of a step of `dt` \[s\].
    pub(crate) fn end_solve(&mut self, dt: f32, substeps: u32) {
        let h = dt / substeps as f32;
        self.last_h = self.length_after(h);
        self.last_substeps = if self.last_h == h {
            substeps as f32
        } else {
            dt / self.last_h
        };
    }

    /// Returns the number of steps taken.
    pub(crate) fn count(&self) -> u64 {
        self.steps & ((1 << COUNT_BITS) - 1)
    }

    /// Returns the number of steps taken since the world last had no dynamic bodies, up to a multiple of [`PHASES`]:
    /// evaluations are due by it.
    pub(crate) fn age(&self) -> u64 {
        self.count().saturating_sub(self.steps >> COUNT_BITS)
    }

    /// Forgets the steps so far, except for their number: there are no dynamic bodies.
    pub(crate) fn begin_anew(&mut self) {
        let count = self.count();
        *self = Self {
            steps: (count % PHASES) << COUNT_BITS | count,
            ..Self::default()
        };
    }

    /// Returns the constants of a step of `dt` \[s\].
    pub(crate) fn context<'a>(&self, def: &'a WorldDef, dt: f32) -> StepContext<'a> {
        StepContext::new(def, dt, self.last_h, self.age())
    }

    /// Returns the length of the last step \[s\], 0 before the first one.
    pub(crate) fn last_dt(&self) -> f32 {
        self.last_h * self.last_substeps
    }
}

state_record!(StepHistory {
    steps,
    last_substeps,
    last_h,
});
