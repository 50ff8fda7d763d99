//! A converging solver of islands in which iterations converge slowly: Newton's method on one fixed model.
//!
//! Each substep of an island is one convex problem in the velocities of its bodies: see `minimize.rs` for the
//! merit function, `row.rs` for the laws of rows, `model.rs` for their regularization. The problem is solved
//! to the end, so neither the number of links nor mass ratios matter, and no row needs more stiffness. The
//! load of a row is carried from substep to substep as its multiplier: a pile at rest has no overlap and takes
//! one pass over its rows. The multipliers are the stored impulses of contacts and joints, which the
//! iterations of other islands use for warm starting.
//!
//! Everything here is computed in `f64`, by one thread for an island, in order of slots.

mod row;
mod cone;
mod system;
mod joint;
mod contact;
mod model;
mod minimize;
mod substep;
mod bounce;
mod calm;
mod gather;
mod store;
mod choice;
#[cfg(test)]
mod tests;

use crate::body::state::state_flags;
use crate::body::table::BodyTable;
use crate::contact::table::ContactTable;
use crate::island::set::IslandSet;
use crate::joint::sim::JointClass;
use crate::joint::table::JointTable;
use crate::step_context::StepContext;
use choice::IslandCost;
use substep::{SubstepReport, SubstepSettings};
use system::NewtonSystem;

/// Time for which an island is iterated after Newton's method failed, or could not solve it \[s\].
const FAILURE_TIME: f32 = 2.0;

/// The solver and its lists. No part of the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct NewtonStage {
    system: NewtonSystem,
    islands: Vec<u32>,
    /// Islands in the order in which they get work, and of these the islands that got it.
    queue: Vec<u32>,
    chosen: Vec<u32>,
    /// Work that the present step may take for new islands, for the present island and those before it, and has taken.
    work: u64,
    most_work: u64,
    used: u64,
    /// Slots of the bodies, contacts and joints of one island.
    lists: IslandLists,
    /// Bodies and joints that were solved in this step.
    solved_bodies: Vec<u32>,
    solved_joints: Vec<u32>,
    fast_contacts: Vec<u32>,
}

/// Cost of the solution of an island.
#[derive(Clone, Copy, Debug)]
struct Solution {
    substeps: u32,
    work: u32,
}

/// Slots of one island, ascending.
#[derive(Clone, Debug, Default)]
pub(crate) struct IslandLists {
    pub(crate) bodies: Vec<u32>,
    pub(crate) contacts: Vec<u32>,
    pub(crate) joints: Vec<u32>,
    /// Index of the body by body slot; `NO_SLOT` between uses.
    pub(crate) places: Vec<u32>,
}

/// The tables that Newton's method reads and writes.
pub(crate) struct NewtonTables<'a> {
    pub(crate) bodies: &'a mut BodyTable,
    pub(crate) contacts: &'a mut ContactTable,
    pub(crate) joints: &'a mut JointTable,
    pub(crate) islands: &'a mut IslandSet,
}

impl NewtonStage {
    /// Solves the chosen islands and marks their bodies and joints, so that the substeps skip them. An island
    /// whose solution fails the safety check is iterated for a while; nothing of it was written. Once the work of the step
    /// is used, new islands wait for the next step, and older ones are iterated.
    pub(crate) fn solve(&mut self, ctx: &StepContext<'_>, tables: &mut NewtonTables<'_>) {
        self.fast_contacts.clear();
        self.used = 0;
        for i in 0..self.chosen.len() {
            let island = self.chosen[i];
            let is_new = tables.islands.slots[island as usize].newton.steps == 0;
            self.most_work = self.most_work_of(tables, island);
            if self.used >= self.most_work {
                let pause = if is_new { 0.0 } else { choice::EVICTION_TIME };
                choice::leave(ctx, tables, island, pause);
                continue;
            }
            self.lists.fill(tables, island);
            if !self.lists.is_empty() && !self.solve_island(ctx, tables, island) {
                let record = &mut tables.islands.slots[island as usize].newton;
                let pause = FAILURE_TIME * record.fail();
                choice::leave(ctx, tables, island, pause);
            }
        }
        for &joint in &self.solved_joints {
            tables.joints.traits[joint as usize].class = JointClass::Direct;
        }
        for &body in &self.solved_bodies {
            tables.bodies.states[body as usize].flags |= state_flags::DIRECT;
        }
    }

    /// Reads the listed island for `count` substeps. Returns `false` if rows cannot express its constraints, or
    /// an error is too large.
    fn can_solve(
        &mut self,
        ctx: &StepContext<'_>,
        tables: &mut NewtonTables<'_>,
        count: u32,
    ) -> bool {
        if !self.lists.is_solvable(tables) {
            return false;
        }
        let h = f64::from(ctx.dt) / f64::from(count);
        self.system.gather(ctx, tables, &mut self.lists, count) && self.system.is_close(h)
    }

    /// Solves the listed island and stores the result. Returns `false`, and changes nothing, if that is not possible.
    fn solve_island(
        &mut self,
        ctx: &StepContext<'_>,
        tables: &mut NewtonTables<'_>,
        island: u32,
    ) -> bool {
        let Some(solution) = self.run_at_pace(ctx, tables) else {
            return false;
        };
        let record = &mut tables.islands.slots[island as usize].newton;
        record.add_step(solution.work);
        self.system.store(ctx, tables, solution.substeps);
        // Only iterations need them.
        tables.islands.slots[island as usize].has_rest_loads = false;
        let hit_speed = ctx.def.tuning.hit_event_threshold;
        self.system
            .list_fast(hit_speed.into(), &mut self.fast_contacts);
        self.solved_joints.extend_from_slice(&self.lists.joints);
        let moved = self.system.bodies.iter().filter(|body| body.is_free());
        self.solved_bodies.extend(moved.map(|body| body.slot));
        true
    }

    /// Solves the listed island, in one substep if it is calm before and after, else in those of the world.
    /// Returns `None` without a result that can be used.
    fn run_at_pace(
        &mut self,
        ctx: &StepContext<'_>,
        tables: &mut NewtonTables<'_>,
    ) -> Option<Solution> {
        let mut lost = 0;
        if ctx.def.substeps > 1 && self.lists.is_calm(ctx, tables) {
            let (report, solution) = self.run(ctx, tables, 1)?;
            if report.is_converged() && self.system.was_calm(tables.bodies) {
                return Some(solution);
            }
            lost = solution.work;
        }
        let (report, mut solution) = self.run(ctx, tables, ctx.def.substeps)?;
        solution.work += lost;
        (!report.is_rejected).then_some(solution)
    }

    /// Reads the listed island, and runs it in the given number of substeps. Returns `None` if it cannot be solved.
    fn run(
        &mut self,
        ctx: &StepContext<'_>,
        tables: &mut NewtonTables<'_>,
        substeps: u32,
    ) -> Option<(SubstepReport, Solution)> {
        if !self.can_solve(ctx, tables, substeps) {
            return None;
        }
        let settings = SubstepSettings {
            count: substeps,
            h: f64::from(ctx.dt) / f64::from(substeps),
            max_push: ctx.def.tuning.contact_push_speed.into(),
            bounce_speed: ctx.def.tuning.restitution_threshold.into(),
            max_work: self.most_work.saturating_sub(self.used),
            cost: IslandCost::new(&self.system, substeps),
        };
        // An iteration in each substep is the least.
        if u64::from(settings.cost.work(substeps, substeps)) > settings.max_work {
            return None;
        }
        let report = self.system.run(&settings);
        let work = report.work(&settings);
        self.used += u64::from(work);
        Some((report, Solution { substeps, work }))
    }

    /// Returns the solved contacts that closed at the hit speed or faster, and pushed.
    pub(crate) fn fast_contacts(&self) -> &[u32] {
        &self.fast_contacts
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
