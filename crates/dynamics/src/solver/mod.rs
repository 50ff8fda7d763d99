//! The solver: soft constraints, substeps with one solve and one relax pass each ([Catto24]).

mod states;
mod constants;
mod integrate;
mod breaking;
mod shared_world;
pub(crate) mod batches;
pub(crate) mod iterated;
mod input;
mod contact_record;
mod block;
mod velocities;
mod normal;
mod friction;
mod contacts;
mod gather;
mod prepare;
mod restitution;
mod store;
mod pins;
mod joints;
mod constraint_blocks;
mod passes;
mod impacts;
mod stages;
mod sharing;
mod step;
#[cfg(test)]
pub(crate) mod rig;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod joint_tests;

pub(crate) use impacts::MIN_RESTITUTION;
pub(crate) use input::{BodyOrder, Bouncing, ColorLists, ImpactInput, SolveInput, WarmStarting};
pub(crate) use integrate::{IntegrationStep, acceleration};
pub(crate) use restitution::MIN_APPROACH;
pub(crate) use shared_world::SolverWorld;

use crate::joint::JointReaction;
#[cfg(target_arch = "x86_64")]
use cairn2d_simd::{Avx2, Avx512};
use cairn2d_simd::{Baseline4, F32, Portable, Width};
use impacts::Impacts;
use step::StepSolver;

/// A joint with a break limit, and its mean load in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MeasuredJoint {
    /// Slot.
    pub(crate) joint: u32,
    /// The load that is compared with the limits.
    pub(crate) reaction: JointReaction,
}

/// The solver: memory that is kept from step to step, so that a settled step allocates nothing. It holds no
/// state of the simulation.
#[derive(Debug)]
pub(crate) struct Solver {
    step: AnyStepSolver,
    impacts: Impacts,
    report: SolverReport,
}

/// Results of a step beside the new states and impulses.
#[derive(Debug, Default)]
pub(crate) struct SolverReport {
    /// Joints that can break, in no particular order.
    measured: Vec<MeasuredJoint>,
    /// Joints that broke; those of one solve in order of slots.
    broken: Vec<MeasuredJoint>,
    break_detection: breaking::BreakDetection,
    /// Contacts that closed fast, in no particular order, with repetitions.
    fast: Vec<u32>,
}

/// A solver of steps for each width of lanes.
#[derive(Debug)]
enum AnyStepSolver {
    One(StepSolver<F32<Portable<1>>>),
    Four(StepSolver<F32<Baseline4>>),
    #[cfg(target_arch = "x86_64")]
    Eight(StepSolver<F32<Avx2>>),
    #[cfg(target_arch = "x86_64")]
    Sixteen(StepSolver<F32<Avx512>>),
}

impl Default for Solver {
    fn default() -> Self {
        Self::new(Width::detect())
    }
}

impl Clone for Solver {
    /// Returns a new solver of the same width: memory is not copied.
    fn clone(&self) -> Self {
        Self::new(self.width())
    }
}

impl Solver {
    /// Returns a solver of the given width. Results do not depend on it.
    pub(crate) fn new(width: Width) -> Self {
        Self {
            step: match width {
                Width::One(simd) => AnyStepSolver::One(StepSolver::new(simd)),
                Width::Four(simd) => AnyStepSolver::Four(StepSolver::new(simd)),
                #[cfg(target_arch = "x86_64")]
                Width::Eight(simd) => AnyStepSolver::Eight(StepSolver::new(simd)),
                #[cfg(target_arch = "x86_64")]
                Width::Sixteen(simd) => AnyStepSolver::Sixteen(StepSolver::new(simd)),
            },
            impacts: Impacts::default(),
            report: SolverReport::default(),
        }
    }

    /// Returns the width of the lanes.
    pub(crate) fn width(&self) -> Width {
        match &self.step {
            AnyStepSolver::One(solver) => Width::One(solver.simd()),
            AnyStepSolver::Four(solver) => Width::Four(solver.simd()),
            #[cfg(target_arch = "x86_64")]
            AnyStepSolver::Eight(solver) => Width::Eight(solver.simd()),
            #[cfg(target_arch = "x86_64")]
            AnyStepSolver::Sixteen(solver) => Width::Sixteen(solver.simd()),
        }
    }

    /// Clears the report of the last step. A step may call [`solve`](Self::solve) more than once.
    pub(crate) fn begin_step(&mut self) {
        self.report.measured.clear();
        self.report.broken.clear();
        self.report.fast.clear();
    }

    /// Advances velocities and motions by one step; returns the number of bounces at its start. Groups of
    /// islands may be solved by one call each.
    pub(crate) fn solve(&mut self, input: SolveInput<'_>) -> usize {
        match &mut self.step {
            AnyStepSolver::One(solver) => solver.solve(input, &mut self.report),
            AnyStepSolver::Four(solver) => solver.solve(input, &mut self.report),
            #[cfg(target_arch = "x86_64")]
            AnyStepSolver::Eight(solver) => solver.solve(input, &mut self.report),
            #[cfg(target_arch = "x86_64")]
            AnyStepSolver::Sixteen(solver) => solver.solve(input, &mut self.report),
        }
    }

    /// Adds contacts that closed at the hit speed or faster and pushed, and were solved elsewhere.
    pub(crate) fn note_fast(&mut self, contacts: &[u32]) {
        self.report.fast.extend_from_slice(contacts);
    }

    /// Changes velocities by an impact within a step. Returns the number of bounces.
    pub(crate) fn solve_impact(&mut self, input: ImpactInput<'_>) -> usize {
        self.impacts.solve_at_toi(input)
    }

    /// Returns the joints that broke in the last step; those of one solve in order of slots.
    pub(crate) fn broken(&self) -> &[MeasuredJoint] {
        &self.report.broken
    }

    /// Returns the loads of all joints with a break limit that were solved in the last step, in no particular
    /// order.
    pub(crate) fn measured_joints(&self) -> &[MeasuredJoint] {
        &self.report.measured
    }

    /// Returns a superset of the contacts that closed at the hit speed or faster in the last step and pushed,
    /// in no particular order, with repetitions.
    pub(crate) fn fast_contacts(&self) -> &[u32] {
        &self.report.fast
    }
}
