//! The step of the solver: soft constraints, many substeps, one pass each ([Catto24]).

mod states;
mod context;
mod input;
mod integrate;
mod contact_record;
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
pub(crate) mod level_batches;
mod impacts;
mod stages;
mod step;
#[cfg(test)]
pub(crate) mod rig;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod joint_tests;

pub(crate) use impacts::MIN_RESTITUTION;
pub(crate) use input::{
    BodyOrder, Bouncing, ColorLists, ImpactInput, SolveInput, SolveStats, WarmStarting,
};
pub(crate) use integrate::{Drive, acceleration};
pub(crate) use restitution::MIN_APPROACH;

use crate::joint::JointReaction;
use crate::simd::plain::Plain;
use crate::simd::width::{Four, Width};
#[cfg(target_arch = "x86_64")]
use crate::simd::{F32x8, F32x16};
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
    One(Work<Plain<1>>),
    Four(Work<Four>),
    #[cfg(target_arch = "x86_64")]
    Eight(Work<F32x8>),
    #[cfg(target_arch = "x86_64")]
    Sixteen(Work<F32x16>),
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
                Width::One => AnyWork::One(Work::default()),
                Width::Four => AnyWork::Four(Work::default()),
                #[cfg(target_arch = "x86_64")]
                Width::Eight => AnyWork::Eight(Work::default()),
                #[cfg(target_arch = "x86_64")]
                Width::Sixteen => AnyWork::Sixteen(Work::default()),
            },
            impacts: Impacts::default(),
            findings: Findings::default(),
        }
    }

    /// Number of lanes.
    pub(crate) fn width(&self) -> Width {
        match &self.work {
            AnyWork::One(_) => Width::One,
            AnyWork::Four(_) => Width::Four,
            #[cfg(target_arch = "x86_64")]
            AnyWork::Eight(_) => Width::Eight,
            #[cfg(target_arch = "x86_64")]
            AnyWork::Sixteen(_) => Width::Sixteen,
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

    /// Changes velocities by an impact in the midst of a step. Returns the number of bounces.
    pub(crate) fn strike(&mut self, input: ImpactInput<'_>) -> usize {
        self.impacts.solve_at_toi(input)
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
