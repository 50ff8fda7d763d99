//! Selection of the islands that are solved directly, and their part of the step.
//!
//! A direct solution keeps the energy of a linkage, holds loads that no number of sweeps over the joints does,
//! and takes some ten times as long. It is for small islands with joints only, as far as the work of a step
//! reaches. The islands are chosen every few steps from the state alone; the choice is part of
//! the state.

use super::substep::MAX_FINE_JOINTS;
use super::{DirectInput, DirectSolver};
use crate::body::state::state_flags;
use crate::body::table::BodyTable;
use crate::island::set::IslandSet;
use crate::island::strain::EVALUATION_INTERVAL;
use crate::joint::base::joint_flags;
use crate::joint::row_request::{RowRequests, RowTarget};
use crate::joint::sim::JointClass;
use crate::joint::table::JointTable;
use crate::mechanisms::Mechanism;
use crate::softness::{Softness, joint_hertz};
use crate::step_context::StepContext;
use crate::tuning::Tuning;
use crate::world_def::BUDGET_UNIT_FLOPS;

/// Work of a step for one joint, in units of [`WorldDef::solver_budget`](crate::WorldDef::solver_budget), as its time compares
/// with that of Newton's method.
const JOINT_WORK: usize = 10;

/// Most joints of a linkage: pendulums, springs, arms, ropes. Linkages keep their energy.
const MAX_LINKAGE_JOINTS: usize = 512;

/// Evaluations without a contact before an island is solved directly again: one second. Fewer: an island
/// would change solvers at each bounce of a ball on it, and a bridge that is solved directly swings on.
const CONTACT_COOLDOWN: u8 = 15;

/// Evaluations for which an island is iterated after a direct solution failed: 17 s. A chain that is taut
/// between two fixed bodies has no solution, and one that sags a little is badly conditioned.
const FAILURE_COOLDOWN: u8 = 255;

/// The direct solver and its lists. No part of the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Articulations {
    solver: DirectSolver,
    islands: Vec<u32>,
    /// Joints of one island.
    joints: Vec<u32>,
    /// Joints and bodies that were solved directly in this step.
    solved_joints: Vec<u32>,
    solved_bodies: Vec<u32>,
}

/// The tables that the direct solver changes.
pub(crate) struct ArticulationTables<'a> {
    pub(crate) bodies: &'a mut BodyTable,
    pub(crate) joints: &'a mut JointTable,
    pub(crate) islands: &'a mut IslandSet,
}

impl Articulations {
    /// Chooses the awake islands that are solved directly, every few steps, given the number of awake contacts and joints.
    pub(crate) fn choose(
        &mut self,
        ctx: &StepContext<'_>,
        links: usize,
        tables: &mut ArticulationTables<'_>,
    ) {
        if !ctx.steps.is_multiple_of(EVALUATION_INTERVAL) {
            return;
        }
        let is_off = !ctx.uses(Mechanism::Articulations);
        if is_off || links == 0 || !is_stiff(&ctx.def.tuning) {
            self.leave_everywhere(ctx, tables);
            return;
        }
        let mut room = ctx.def.converging_work(links) as usize / JOINT_WORK;
        self.islands.clear();
        self.islands.extend(tables.islands.awake.iter());
        let (solver, joints) = (&mut self.solver, &mut self.joints);
        for &island in &self.islands {
            let is_chosen = tables.has_cooled_down(island, joints)
                && !tables.is_long_loop(island, joints)
                && joints.len() <= room;
            if is_chosen {
                room -= joints.len();
            }
            let was_chosen = tables.islands.direct.contains(island);
            if is_chosen && !was_chosen {
                tables.islands.direct.insert(island);
                if joints.iter().any(|&joint| tables.was_solved(joint)) {
                    tables.shift_phase(ctx, solver, island, joints, 0.5 * ctx.dt);
                }
            } else if !is_chosen && was_chosen {
                tables.leave(ctx, solver, island, joints);
            }
        }
    }

    /// Returns all islands to the iterations. Sleeping islands are at rest, so their phase does not matter.
    fn leave_everywhere(&mut self, ctx: &StepContext<'_>, tables: &mut ArticulationTables<'_>) {
        self.islands.clear();
        self.islands.extend(tables.islands.direct_awake());
        for &island in &self.islands {
            tables.leave(ctx, &mut self.solver, island, &mut self.joints);
        }
        tables.islands.direct.clear();
    }

    /// Solves the chosen islands and marks their bodies and joints, so that the substeps skip them. An island
    /// that touches something or has no solution is iterated until its cooldown ends.
    pub(crate) fn solve(
        &mut self,
        ctx: &StepContext<'_>,
        links: usize,
        tables: &mut ArticulationTables<'_>,
    ) {
        self.islands.clear();
        self.islands.extend(tables.islands.direct_awake());
        let (solver, joints) = (&mut self.solver, &mut self.joints);
        solver.flops_left = ctx.def.converging_work(links) * BUDGET_UNIT_FLOPS * 5 / 4;
        for &island in &self.islands {
            let is_solvable = tables.list_joints(island, joints);
            if is_solvable && solver.solve(&mut tables.input(ctx, island, joints, ctx.dt)) {
                let bodies = &tables.islands.slots[island as usize].bodies;
                self.solved_joints.extend_from_slice(joints);
                self.solved_bodies.extend_from_slice(bodies);
            } else {
                let cooldown = if is_solvable {
                    FAILURE_COOLDOWN
                } else {
                    CONTACT_COOLDOWN
                };
                tables.islands.slots[island as usize].direct_cooldown = cooldown;
                tables.leave(ctx, solver, island, joints);
            }
        }
        for &joint in &self.solved_joints {
            tables.joints.traits[joint as usize].class = JointClass::Direct;
        }
        for &body in &self.solved_bodies {
            tables.bodies.states[body as usize].flags |= state_flags::DIRECT;
        }
    }

    /// Removes the marks that [`solve`](Self::solve) set.
    pub(crate) fn unmark(&mut self, bodies: &mut BodyTable, joints: &mut JointTable) {
        for joint in self.solved_joints.drain(..) {
            joints.update_traits(joint, bodies);
        }
        for body in self.solved_bodies.drain(..) {
            bodies.states[body as usize].flags &= !state_flags::DIRECT;
        }
    }
}

impl ArticulationTables<'_> {
    /// Returns an island to the iterations, with the velocities of iterated substeps.
    fn leave(
        &mut self,
        ctx: &StepContext<'_>,
        solver: &mut DirectSolver,
        island: u32,
        joints: &mut Vec<u32>,
    ) {
        self.islands.direct.remove(island);
        // All joints are listed again: the list of `list_joints` may be cut short, or be that of another
        // island.
        joints.clear();
        for &body in &self.islands.slots[island as usize].bodies {
            let of_body = self.joints.solved_joints_of(&self.bodies.slots[body]);
            joints.extend(of_body.filter(|&joint| self.is_listed_at(joint, body)));
        }
        self.shift_phase(ctx, solver, island, joints, -0.5 * ctx.dt);
    }

    /// Returns `true` if a joint is listed at `body`, one of its two bodies: each joint is listed once.
    fn is_listed_at(&self, joint: u32, body: u32) -> bool {
        let first = self.joints.slots[joint].body_a;
        first == body || !self.bodies.is_dynamic(first)
    }

    /// Returns `true` if many joints form a single loop, like a bridge between two banks: taut, it may have no direct solution.
    fn is_long_loop(&self, island: u32, joints: &[u32]) -> bool {
        let bodies = self.islands.slots[island as usize].bodies.len();
        joints.len() == bodies + 1 && joints.len() > MAX_FINE_JOINTS
    }

    /// Lists the joints of `island` and counts its cooldown down. Returns `true` if the island can be solved
    /// directly and the cooldown has ended.
    fn has_cooled_down(&mut self, island: u32, joints: &mut Vec<u32>) -> bool {
        let is_solvable = self.list_joints(island, joints);
        let cooldown = &mut self.islands.slots[island as usize].direct_cooldown;
        match (is_solvable, *cooldown) {
            (true, 0) => {}
            (true, _) => *cooldown -= 1,
            (false, _) if joints.is_empty() => {}
            (false, _) => *cooldown = CONTACT_COOLDOWN,
        }
        is_solvable && *cooldown == 0
    }

    /// Lists the joints of `island`. Returns `false`, with a list that may be cut short, if its bodies have
    /// contacts or locks, there are too many joints, or a joint cannot be solved directly. Limits can in a short arm without
    /// motors: ragdolls and machines cost a tenth in sweeps.
    fn list_joints(&self, island: u32, joints: &mut Vec<u32>) -> bool {
        joints.clear();
        let mut requests = RowRequests::new();
        let mut is_solvable = true;
        let locked = state_flags::LOCK_X | state_flags::LOCK_Y;
        for &body in &self.islands.slots[island as usize].bodies {
            let mut count = 0;
            for joint in self.joints.solved_joints_of(&self.bodies.slots[body]) {
                count += 1;
                is_solvable &=
                    self.joints.sims[joint as usize].base.flags & joint_flags::INITIAL_ERROR == 0;
                if self.is_listed_at(joint, body) {
                    joints.push(joint);
                }
            }
            let flags = self.bodies.states[body as usize].flags;
            let has_contacts = self.bodies.tracks[body as usize].constraints != count;
            is_solvable &= !has_contacts && flags & locked == 0;
            let goes_on = is_solvable || self.islands.direct.contains(island);
            if !goes_on || joints.len() > MAX_LINKAGE_JOINTS {
                return false;
            }
        }
        let (mut has_limits, mut has_motors) = (false, false);
        let mut has_rows = |&joint: &u32| {
            let sim = &self.joints.sims[joint as usize];
            let has_rows = sim.list_rows(&mut requests);
            has_limits |= requests.iter().any(|request| request.target.is_limit());
            has_motors |= requests
                .iter()
                .any(|request| matches!(request.target, RowTarget::Velocity(_)));
            has_rows
        };
        is_solvable
            && !joints.is_empty()
            && joints.iter().all(&mut has_rows)
            && (!has_limits || !has_motors && self.is_short_arm(joints))
    }

    /// Returns `true` if a few joints hang on a body that is not dynamic. A single one, such as that of a door, has no neighbor
    /// whose impulse it could spoil, and sweeps solve it well.
    fn is_short_arm(&self, joints: &[u32]) -> bool {
        let is_anchor = |&joint: &u32| {
            let ends = self.joints.slots[joint].bodies();
            ends.into_iter().any(|end| !self.bodies.is_dynamic(end))
        };
        (2..=MAX_FINE_JOINTS).contains(&joints.len()) && joints.iter().any(is_anchor)
    }

    /// Returns `true` if the joint was solved in an earlier step.
    fn was_solved(&self, joint: u32) -> bool {
        self.joints.sims[joint as usize].base.substep > 0.0
    }

    /// Advances the velocities of an island by a share of its iterated substeps: `time` \[s\] for one substep
    /// a step. Bodies in free flight keep theirs.
    fn shift_phase(
        &mut self,
        ctx: &StepContext<'_>,
        solver: &mut DirectSolver,
        island: u32,
        joints: &[u32],
        time: f32,
    ) {
        let time = time / ctx.def.substeps as f32;
        let mut input = self.input(ctx, island, joints, time.abs());
        solver.shift_phase(&mut input, time.into());
    }

    /// Returns the input of the direct solver for `dt` \[s\] of an island.
    fn input<'a>(
        &'a mut self,
        ctx: &StepContext<'_>,
        island: u32,
        joints: &'a [u32],
        dt: f32,
    ) -> DirectInput<'a> {
        let h = dt / ctx.def.substeps as f32;
        let tuning = &ctx.def.tuning;
        let hertz = joint_hertz(tuning.joint_hertz, h);
        let rigid = Softness::new(hertz, tuning.joint_damping_ratio, h);
        DirectInput {
            dt,
            substeps: ctx.def.substeps,
            gravity: ctx.def.gravity,
            correction: h * rigid.bias_rate,
            states: self.bodies.states.write_awake(),
            poses: &self.bodies.poses,
            masses: &self.bodies.masses,
            motions: &self.bodies.motions,
            joints: self.joints.sims.write_awake(),
            body_slots: &self.islands.slots[island as usize].bodies,
            joint_slots: joints,
        }
    }
}

/// Returns `true` if joints are at least as stiff as by default; softer joints are iterated.
fn is_stiff(tuning: &Tuning) -> bool {
    tuning.joint_hertz >= Tuning::default().joint_hertz
}
