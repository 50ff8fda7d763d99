//! The step of the solver: soft constraints, many substeps, one pass each ([Catto24]).

mod states;
mod context;
mod input;
mod integrate;
mod block;
mod contacts;
mod prepare;
mod restitution;
mod store;
mod pins;
mod joints;
mod breaking;
mod lists;
mod group;
pub(crate) mod batches;
mod impacts;
mod stages;
mod step;
mod direct;
#[cfg(test)]
pub(crate) mod rig;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod joint_tests;

pub(crate) use direct::DirectInput;
pub(crate) use impacts::MIN_RESTITUTION;
pub(crate) use input::{
    BodyOrder, Bouncing, ColorLists, ImpactInput, SolveInput, SolveStats, WarmStarting,
};
pub(crate) use integrate::acceleration;
pub(crate) use restitution::MIN_APPROACH;

use crate::joint::JointReaction;
#[cfg(target_arch = "x86_64")]
use cairn2d_simd::{Avx2, Avx512};
use cairn2d_simd::{Baseline4, F32, Portable, Width};
use impacts::Impacts;
use step::Work;

/// A joint with a break limit, and its load in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MeasuredJoint {
    /// Slot.
    pub(crate) joint: u32,
    /// The load that is compared with the limits.
    pub(crate) reaction: JointReaction,
}

/// The solver: memory that is kept from step to step, so that a settled step allocates nothing. It
/// holds no state of the simulation.
#[derive(Debug)]
pub(crate) struct Solver {
    work: AnyWork,
    impacts: Impacts,
    island: direct::Island,
    findings: Findings,
}

/// What a step of the solver came upon.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// Joints that can break, in no particular order.
    measured: Vec<MeasuredJoint>,
    /// Joints that broke, in order of slots.
    broken: Vec<MeasuredJoint>,
    breaking: breaking::Breaking,
    /// Contacts that were met fast, in no particular order, some of them more than once.
    fast: Vec<u32>,
}

/// Constraints as wide as the processor's lanes.
#[derive(Debug)]
enum AnyWork {
    One(Work<F32<Portable<1>>>),
    Four(Work<F32<Baseline4>>),
    #[cfg(target_arch = "x86_64")]
    Eight(Work<F32<Avx2>>),
    #[cfg(target_arch = "x86_64")]
    Sixteen(Work<F32<Avx512>>),
}

impl Default for Solver {
    fn default() -> Self {
        Self::new(Width::detect())
    }
}

impl Clone for Solver {
    /// A new one: there is nothing to keep but memory.
    fn clone(&self) -> Self {
        Self::new(self.width())
    }
}

impl Solver {
    /// Returns a solver of the given width, which the processor must have. Results do not depend on it.
    pub(crate) fn new(width: Width) -> Self {
        Self {
            work: match width {
                Width::One(simd) => AnyWork::One(Work::new(simd)),
                Width::Four(simd) => AnyWork::Four(Work::new(simd)),
                #[cfg(target_arch = "x86_64")]
                Width::Eight(simd) => AnyWork::Eight(Work::new(simd)),
                #[cfg(target_arch = "x86_64")]
                Width::Sixteen(simd) => AnyWork::Sixteen(Work::new(simd)),
            },
            impacts: Impacts::default(),
            island: direct::Island::default(),
            findings: Findings::default(),
        }
    }

    /// Number of lanes.
    pub(crate) fn width(&self) -> Width {
        match &self.work {
            AnyWork::One(work) => Width::One(work.simd()),
            AnyWork::Four(work) => Width::Four(work.simd()),
            #[cfg(target_arch = "x86_64")]
            AnyWork::Eight(work) => Width::Eight(work.simd()),
            #[cfg(target_arch = "x86_64")]
            AnyWork::Sixteen(work) => Width::Sixteen(work.simd()),
        }
    }

    /// Forgets what came of the step before.
    pub(crate) fn begin_step(&mut self) {
        self.findings.measured.clear();
        self.findings.broken.clear();
        self.findings.fast.clear();
    }

    /// Advances velocities and ways by one step. What no constraint joins may be solved apart, one batch after the other.
    pub(crate) fn solve(&mut self, input: SolveInput<'_>) -> SolveStats {
        match &mut self.work {
            AnyWork::One(work) => work.solve(input, &mut self.findings),
            AnyWork::Four(work) => work.solve(input, &mut self.findings),
            #[cfg(target_arch = "x86_64")]
            AnyWork::Eight(work) => work.solve(input, &mut self.findings),
            #[cfg(target_arch = "x86_64")]
            AnyWork::Sixteen(work) => work.solve(input, &mut self.findings),
        }
    }

    /// Advances an island that only joints hold together, solved directly. Returns false, and changes nothing, if that is not
    /// possible.
    pub(crate) fn solve_directly(&mut self, mut input: DirectInput<'_>) -> bool {
        self.island.solve(&mut input)
    }

    /// Changes the velocities of an island that is solved directly from now on, or no longer, to those of `time` \[s\] later.
    pub(crate) fn shift_phase(&mut self, mut input: DirectInput<'_>, time: f32) {
        self.island.shift_phase(&mut input, time.into());
    }

    /// Changes velocities by an impact in the midst of a step. Returns the number of bounces.
    pub(crate) fn strike(&mut self, input: ImpactInput<'_>) -> usize {
        self.impacts.strike(input)
    }

    /// Returns the joints that broke in the last step; those that were solved together in order of slots.
    pub(crate) fn broken(&self) -> &[MeasuredJoint] {
        &self.findings.broken
    }

    /// Returns the loads of all joints with a break limit that were solved in the last step; in no particular order.
    pub(crate) fn measured_joints(&self) -> &[MeasuredJoint] {
        &self.findings.measured
    }

    /// Returns contacts among which are all that were met at the hit speed or faster in the last step and pushed; in no
    /// particular order, some of them more than once.
    pub(crate) fn fast_contacts(&self) -> &[u32] {
        &self.findings.fast
    }
}
