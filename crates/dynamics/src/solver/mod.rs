//! The solver: soft constraints, substeps with one solve and one relax pass each ([Catto24]).

mod states;
mod constants;
mod integrate;
mod breaking;
mod shared_world;
pub(crate) mod batches;
pub(crate) mod iterated;
mod input;
mod block;
mod velocities;
mod normal;
mod friction;
mod contacts;
mod gather;
pub(crate) mod geometric_stiffness;
mod prepare;
mod rocking;
mod restitution;
mod bounce_energy;
mod store;
mod joint_blocks;
mod gears;
pub(crate) mod crowded;
pub(crate) mod passive;
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
#[cfg(test)]
mod lane_tests;

pub(crate) use impacts::MIN_RESTITUTION;
pub(crate) use input::{BodyOrder, Bouncing, ColorLists, ImpactInput, SolveInput, WarmStarting};
pub(crate) use integrate::{IntegrationStep, acceleration};
pub(crate) use restitution::MIN_APPROACH;
pub(crate) use shared_world::SolverWorld;

use crate::joint::JointReaction;
#[cfg(target_arch = "x86_64")]
use cairn2d_simd::{Avx2, Avx512};
use cairn2d_simd::{Baseline4, F32, Lanes, Single, Width};
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
    width: WidthChoice,
    steps: StepSolvers,
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

/// The width of the lanes. Results do not depend on it.
#[derive(Clone, Copy, Debug)]
enum WidthChoice {
    /// The width that suits the number of constraints, at most this one.
    UpTo(Width),
    #[cfg(test)]
    Fixed(Width),
}

impl WidthChoice {
    fn of(self, input: &SolveInput<'_>) -> Width {
        match self {
            Self::UpTo(widest) => widest.at_most(suitable_lanes(input)),
            #[cfg(test)]
            Self::Fixed(width) => width,
        }
    }
}

/// Constraints of a color from which sixteen lanes are faster than eight: at 33 they took 1.1 times as long.
const MIN_COLOR_OF_SIXTEEN: usize = 64;

/// Returns the number of lanes for a step, small enough that few lanes stay empty. On sixteen lanes ten boxes took
/// 1.4 times as long as on four, and one box 1.7 times as long as on one lane. Four lanes take hardly more instructions
/// than one, so one lane is for colors of a single constraint.
fn suitable_lanes(input: &SolveInput<'_>) -> usize {
    let count = |list: &ColorLists<'_>| list.contacts.len() + list.joints.len();
    let colors = input.lists.iter().filter(|list| !list.is_empty()).count();
    let constraints: usize = input.lists.iter().map(count).sum();
    let color = constraints.checked_div(colors);
    match color.unwrap_or(input.awake.len()) {
        0..=1 if constraints <= colors => 1,
        0..=4 => 4,
        MIN_COLOR_OF_SIXTEEN.. => 16,
        _ => 8,
    }
}

/// A solver of steps for each width of lanes, made when it is first used.
#[derive(Debug, Default)]
struct StepSolvers {
    one: Option<Box<StepSolver<F32<Single>>>>,
    four: Option<Box<StepSolver<F32<Baseline4>>>>,
    #[cfg(target_arch = "x86_64")]
    eight: Option<Box<StepSolver<F32<Avx2>>>>,
    #[cfg(target_arch = "x86_64")]
    sixteen: Option<Box<StepSolver<F32<Avx512>>>>,
}

fn made<L: Lanes>(solver: &mut Option<Box<StepSolver<L>>>, simd: L::Simd) -> &mut StepSolver<L> {
    solver.get_or_insert_with(|| Box::new(StepSolver::new(simd)))
}

impl Default for Solver {
    fn default() -> Self {
        Self::with(WidthChoice::UpTo(Width::detect()))
    }
}

impl Solver {
    fn with(width: WidthChoice) -> Self {
        Self {
            width,
            steps: StepSolvers::default(),
            impacts: Impacts::default(),
            report: SolverReport::default(),
        }
    }

    /// Returns a solver of the given width.
    #[cfg(test)]
    pub(crate) fn new(width: Width) -> Self {
        Self::with(WidthChoice::Fixed(width))
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
        let width = self.width.of(&input);
        let (steps, impacts, report) = (&mut self.steps, &mut self.impacts, &mut self.report);
        match width {
            Width::One(simd) => made(&mut steps.one, simd).solve(input, impacts, report),
            Width::Four(simd) => made(&mut steps.four, simd).solve(input, impacts, report),
            #[cfg(target_arch = "x86_64")]
            Width::Eight(simd) => made(&mut steps.eight, simd).solve(input, impacts, report),
            #[cfg(target_arch = "x86_64")]
            Width::Sixteen(simd) => made(&mut steps.sixteen, simd).solve(input, impacts, report),
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
