//! Definition of a world: gravity, substeps, switches and tuning.

use crate::error::{ValueError, finite};
use crate::profile::Clock;
use crate::tuning::Tuning;
use cairn2d_broadphase::BroadPhaseKind;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::{Aabb, HashState, IntoVec2, StateHasher, save_record};

/// Definition of a world: plain data, reusable.
#[doc(alias("b2WorldDef", "IntegrationParameters"))]
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct WorldDef {
    /// Gravitational acceleration [m/s^2].
    pub gravity: Vec2,
    /// Number of substeps in a step, 1 to 64. More of them allow stiffer constraints and take more time.
    #[doc(alias("num_solver_iterations", "subStepCount"))]
    pub substeps: u32,
    /// Work that each converging solver may always do in a step, in thousands of floating-point operations. These
    /// solvers are Newton's method, for islands in which iterations converge slowly, and the direct solution of
    /// linkages. In large worlds each may do more: half of what the sweeps over all contacts and joints cost. Islands
    /// beyond the budget are iterated, those with the least loads first. The default of 500 is about 0.1 ms on one
    /// core of a desktop processor. A chain under a great load, such as that of a wrecking ball, may use up to 2 ms. 20 000
    /// suits machines and loaded structures that must be exact, at up to 5 ms a step. With 0, all islands are iterated.
    pub solver_budget: u32,
    /// Whether bodies at rest fall asleep.
    #[doc(alias = "enableSleep")]
    pub sleeping: bool,
    /// Whether fast bodies are swept, so that they do not pass through shapes.
    pub continuous: bool,
    /// Whether the solver starts from the impulses of the last step.
    pub warm_starting: bool,
    /// Threads that a step may use, 1 to 64; a small world uses fewer. Results do not depend on it. Without
    /// the feature `threads`, a step uses the calling thread alone.
    #[doc(alias = "workerCount")]
    pub threads: u32,
    /// Structure of the broad phase.
    pub broad_phase: BroadPhaseKind,
    /// Box \[m\]: [`World::body_exits`](crate::World::body_exits) lists the bodies that leave it, such as bodies that fall off a level.
    /// Bodies are not stopped there. `None`: no bounds.
    pub bounds: Option<Aabb>,
    /// Stiffnesses, speeds and thresholds.
    pub tuning: Tuning,
    /// Mark in the ids of the world. Worlds with different marks recognize each other's ids as foreign. Worlds with
    /// equal marks do not: an id of one then names the object in the same slot of the other. If a program has several
    /// worlds, give each its own mark, such as its number. Results do not depend on it. Default 0.
    pub id_mark: u16,
    /// Clock for the profile; `None`: no profile.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub clock: Option<Clock>,
}

impl HashState for WorldDef {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            gravity,
            substeps,
            solver_budget,
            sleeping,
            continuous,
            warm_starting,
            // Results do not depend on it.
            threads: _,
            broad_phase,
            bounds,
            tuning,
            // Results do not depend on either.
            id_mark: _,
            // See `id_mark`.
            clock: _,
        } = self;
        hash.add(gravity).add(substeps).add(solver_budget);
        // Set bits are features that are off: the hash of a default world stays as it was published.
        hash.add(&!sleeping).add(&!continuous).add(&!warm_starting);
        hash.add(broad_phase).add(bounds).add(tuning);
    }
}

save_record!(
    WorldDef {
        gravity,
        substeps,
        solver_budget,
        sleeping,
        continuous,
        warm_starting,
        threads: report,
        broad_phase,
        bounds,
        tuning,
        id_mark: report,
        // Code.
        clock: derived(None),
    },
    is_valid
);

impl Default for WorldDef {
    fn default() -> Self {
        Self {
            gravity: Vec2::new(0.0, -10.0),
            substeps: 4,
            solver_budget: DEFAULT_SOLVER_BUDGET,
            sleeping: true,
            continuous: true,
            warm_starting: true,
            threads: 1,
            broad_phase: BroadPhaseKind::default(),
            bounds: None,
            tuning: Tuning::default(),
            id_mark: 0,
            clock: None,
        }
    }
}

/// Default of [`WorldDef::solver_budget`].
pub const DEFAULT_SOLVER_BUDGET: u32 = 500;

/// Floating-point operations in a unit of [`WorldDef::solver_budget`].
pub(crate) const BUDGET_UNIT_FLOPS: u64 = 1000;

/// Operations of the sweeps of a substep for a contact or joint: warm start, solve and relax, each 60.
const SWEEP_FLOPS: u64 = 180;

/// Largest number of substeps in a step.
///
/// With more, gravity in a substep is lost to the rounding of `f32` velocities.
pub const MAX_SUBSTEPS: u32 = 64;

/// Largest number of threads in a step: with more, the synchronization between stages takes longer than the work.
pub const MAX_THREADS: u32 = 64;

impl WorldDef {
    /// Starts the definition of a world without gravity.
    #[must_use]
    pub fn weightless() -> Self {
        Self {
            gravity: Vec2::zeros(),
            ..Self::default()
        }
    }

    /// Sets the gravity [m/s^2].
    #[must_use]
    pub fn gravity(mut self, gravity: impl IntoVec2) -> Self {
        self.gravity = gravity.into_vec2();
        self
    }

    fn is_valid(&self) -> bool {
        self.validate().is_ok()
    }

    /// Returns the work that each converging solver may do in a step with `links` awake contacts and joints, in units of
    /// [`solver_budget`](Self::solver_budget).
    ///
    /// It grows with the cost of the sweeps, so that no world takes much longer than by sweeps alone.
    pub(crate) fn converging_work(&self, links: usize) -> u64 {
        if self.solver_budget == 0 {
            return 0;
        }
        let sweeps = links as u64 * u64::from(self.substeps) * SWEEP_FLOPS / BUDGET_UNIT_FLOPS;
        u64::from(self.solver_budget).max(sweeps / 2)
    }

    /// Checks all numbers.
    ///
    /// # Errors
    /// Names the first field that is not finite, is negative where that is invalid, or is out of range.
    pub fn validate(&self) -> Result<(), ValueError> {
        finite("gravity.x", self.gravity.x)?;
        finite("gravity.y", self.gravity.y)?;
        count("substeps", self.substeps, MAX_SUBSTEPS)?;
        count("threads", self.threads, MAX_THREADS)?;
        self.bounds.as_ref().map_or(Ok(()), check_bounds)?;
        self.tuning.validate()
    }
}

/// Checks that a count is 1 to `max`.
fn count(name: &'static str, value: u32, max: u32) -> Result<(), ValueError> {
    if (1..=max).contains(&value) {
        return Ok(());
    }
    Err(ValueError::OutOfRange {
        name,
        value: value.into(),
        min: 1.0,
        max: max.into(),
    })
}

/// Checks that the bounds are finite and ordered.
fn check_bounds(bounds: &Aabb) -> Result<(), ValueError> {
    finite("bounds.min.x", bounds.min.x)?;
    finite("bounds.min.y", bounds.min.y)?;
    for (name, low, high) in [
        ("bounds.max.x", bounds.min.x, bounds.max.x),
        ("bounds.max.y", bounds.min.y, bounds.max.y),
    ] {
        finite(name, high)?;
        if high < low {
            return Err(ValueError::OutOfRange {
                name,
                value: high.into(),
                min: low.into(),
                max: f64::INFINITY,
            });
        }
    }
    Ok(())
}
