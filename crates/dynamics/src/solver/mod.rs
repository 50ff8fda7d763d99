//! The step of the solver: soft constraints, many substeps, one pass each ([Catto24]).

mod states;
mod shared;
mod crew;
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
mod lists;
mod group;
mod impacts;
mod step;
#[cfg(test)]
pub(crate) mod rig;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod joint_tests;

pub(crate) use crew::Threads;
pub(crate) use integrate::acceleration;
pub(crate) use restitution::MIN_APPROACH;
pub(crate) use input::{Bouncing, ColorLists, ImpactInput, SolveInput, SolveStats, WarmStarting};

use crate::joint::JointReaction;
use crate::simd::plain::Plain;
use crate::simd::width::{Four, Width};
#[cfg(target_arch = "x86_64")]
use crate::simd::{F32x8, F32x16};
use impacts::Impacts;
use step::Work;

/// A joint that broke in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BrokenJoint {
    /// Slot.
    pub(crate) joint: u32,
    /// What it was loaded with.
    pub(crate) reaction: JointReaction,
}

/// The solver: memory that is kept from step to step, so that a settled step allocates nothing. It
/// holds no state of the simulation.
#[derive(Debug)]
pub(crate) struct Solver {
    work: AnyWork,
    impacts: Impacts,
    broken: Vec<BrokenJoint>,
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
            broken: Vec::new(),
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

    /// Advances velocities and ways by one step.
    pub(crate) fn solve(&mut self, input: SolveInput<'_>) -> SolveStats {
        self.broken.clear();
        match &mut self.work {
            AnyWork::One(work) => work.solve(input, &mut self.broken),
            AnyWork::Four(work) => work.solve(input, &mut self.broken),
            #[cfg(target_arch = "x86_64")]
            AnyWork::Eight(work) => work.solve(input, &mut self.broken),
            #[cfg(target_arch = "x86_64")]
            AnyWork::Sixteen(work) => work.solve(input, &mut self.broken),
        }
    }

    /// Adds the slots of the contacts that bounced in the last step to `list`, some more than once; the step must have
    /// counted some.
    pub(crate) fn list_bounced(&self, list: &mut Vec<u32>) {
        match &self.work {
            AnyWork::One(work) => list.extend(work.bounced()),
            AnyWork::Four(work) => list.extend(work.bounced()),
            #[cfg(target_arch = "x86_64")]
            AnyWork::Eight(work) => list.extend(work.bounced()),
            #[cfg(target_arch = "x86_64")]
            AnyWork::Sixteen(work) => list.extend(work.bounced()),
        }
    }

    /// Changes velocities by an impact in the midst of a step. Returns the number of bounces.
    pub(crate) fn strike(&mut self, input: ImpactInput<'_>) -> usize {
        self.impacts.strike(input)
    }

    /// Returns the joints that broke in the last step, in the order in which they are solved.
    pub(crate) fn broken(&self) -> &[BrokenJoint] {
        &self.broken
    }
}
