//! Definition of a world.

use crate::failure::Failure;
use crate::values::{CAIRN_FALSE, cairn_bool, cairn_box, cairn_vec2};
use engine::{BroadPhaseKind, Tuning, WorldDef, std_clock};

/// Structure of the broad phase.
pub type cairn_broad_phase = u32;

/// A tree of boxes: for everything.
pub const CAIRN_TREE: cairn_broad_phase = 0;
/// Boxes sorted along one axis: for a few hundred, or for worlds that are long and flat.
pub const CAIRN_SWEEP_AND_PRUNE: cairn_broad_phase = 1;
/// A uniform grid: for many boxes of similar size.
pub const CAIRN_GRID: cairn_broad_phase = 2;

/// Stiffnesses, speeds and thresholds of a world. The defaults suit lengths of 0.1 m to 10 m.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_tuning {
    /// Stiffness of contacts [Hz].
    pub contact_hertz: f32,
    /// Damping ratio of contacts.
    pub contact_damping_ratio: f32,
    /// Greatest speed at which an overlap is pushed out [m/s].
    pub contact_push_speed: f32,
    /// Approach speed below which shapes do not bounce [m/s].
    pub restitution_threshold: f32,
    /// Approach speed from which a contact is reported as a hit [m/s]; infinite: never.
    pub hit_event_threshold: f32,
    /// Speed cap of bodies [m/s].
    pub max_linear_speed: f32,
    /// Stiffness of joints [Hz].
    pub joint_hertz: f32,
    /// Damping ratio of joints.
    pub joint_damping_ratio: f32,
    /// Rate of the drag on hanging linkages of five or more bodies [1/s]; 0 for none.
    pub linkage_drag: f32,
}

/// Defines a world: start from cairn_default_world_def().
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_world_def {
    /// Gravitational acceleration [m/s^2].
    pub gravity: cairn_vec2,
    /// Substeps of a step, 1 to 64: more of them allow stiffer constraints and take more time.
    pub substeps: u32,
    /// Work of a step that solvers that converge may do in any case, in thousands of floating-point operations.
    pub solver_budget: u32,
    /// Threads that a step may use, 1 to 64. Results do not depend on it.
    pub threads: u32,
    /// Structure of the broad phase: see cairn_broad_phase.
    pub broad_phase: cairn_broad_phase,
    /// Mark in the ids of the world, 0 to 65535: worlds of different marks recognize each other's ids as foreign.
    pub id_mark: u32,
    /// Whether bodies at rest fall asleep.
    pub sleeping: cairn_bool,
    /// Whether fast bodies are swept, so that they do not pass through shapes.
    pub continuous: cairn_bool,
    /// Whether the solver starts from the impulses of the last step.
    pub warm_starting: cairn_bool,
    /// Whether cairn_world_get_profile() has the times of the phases of a step.
    pub profiling: cairn_bool,
    /// Whether `bounds` count.
    pub has_bounds: cairn_bool,
    /// Box [m]: cairn_world_body_exits() lists the bodies that leave it.
    pub bounds: cairn_box,
    /// Stiffnesses, speeds and thresholds.
    pub tuning: cairn_tuning,
}

/// Returns the default world: gravity 10 m/s^2 downwards, 4 substeps, one thread.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_default_world_def() -> cairn_world_def {
    WorldDef::default().into()
}

impl From<WorldDef> for cairn_world_def {
    fn from(def: WorldDef) -> Self {
        Self {
            gravity: def.gravity.into(),
            substeps: def.substeps,
            solver_budget: def.solver_budget,
            threads: def.threads,
            broad_phase: match def.broad_phase {
                BroadPhaseKind::SweepAndPrune => CAIRN_SWEEP_AND_PRUNE,
                BroadPhaseKind::Grid => CAIRN_GRID,
                _ => CAIRN_TREE,
            },
            id_mark: def.id_mark.into(),
            sleeping: def.sleeping.into(),
            continuous: def.continuous.into(),
            warm_starting: def.warm_starting.into(),
            profiling: def.clock.is_some().into(),
            has_bounds: def.bounds.is_some().into(),
            bounds: def.bounds.map_or_else(Default::default, Into::into),
            tuning: def.tuning.into(),
        }
    }
}

impl From<Tuning> for cairn_tuning {
    fn from(tuning: Tuning) -> Self {
        Self {
            contact_hertz: tuning.contact_hertz,
            contact_damping_ratio: tuning.contact_damping_ratio,
            contact_push_speed: tuning.contact_push_speed,
            restitution_threshold: tuning.restitution_threshold,
            hit_event_threshold: tuning.hit_event_threshold,
            max_linear_speed: tuning.max_linear_speed,
            joint_hertz: tuning.joint_hertz,
            joint_damping_ratio: tuning.joint_damping_ratio,
            linkage_drag: tuning.linkage_drag,
        }
    }
}

impl cairn_world_def {
    /// Returns the definition; what C cannot set is as in `base`.
    pub(crate) fn with_base(&self, base: &WorldDef) -> Result<WorldDef, Failure> {
        let bounds = (self.has_bounds != CAIRN_FALSE).then(|| self.bounds.aabb("bounds"));
        Ok(WorldDef {
            gravity: self.gravity.into(),
            substeps: self.substeps,
            solver_budget: self.solver_budget,
            sleeping: self.sleeping != CAIRN_FALSE,
            continuous: self.continuous != CAIRN_FALSE,
            warm_starting: self.warm_starting != CAIRN_FALSE,
            threads: self.threads,
            broad_phase: match self.broad_phase {
                CAIRN_TREE => BroadPhaseKind::Tree,
                CAIRN_SWEEP_AND_PRUNE => BroadPhaseKind::SweepAndPrune,
                CAIRN_GRID => BroadPhaseKind::Grid,
                kind => return Err(Failure::unknown("broad_phase", kind)),
            },
            bounds: bounds.transpose()?,
            tuning: Tuning {
                contact_hertz: self.tuning.contact_hertz,
                contact_damping_ratio: self.tuning.contact_damping_ratio,
                contact_push_speed: self.tuning.contact_push_speed,
                restitution_threshold: self.tuning.restitution_threshold,
                hit_event_threshold: self.tuning.hit_event_threshold,
                max_linear_speed: self.tuning.max_linear_speed,
                joint_hertz: self.tuning.joint_hertz,
                joint_damping_ratio: self.tuning.joint_damping_ratio,
                linkage_drag: self.tuning.linkage_drag,
                mechanisms: base.tuning.mechanisms,
            },
            id_mark: u16::try_from(self.id_mark)
                .map_err(|_| Failure::value("id_mark is greater than 65535"))?,
            clock: (self.profiling != CAIRN_FALSE).then_some(std_clock),
        })
    }
}
