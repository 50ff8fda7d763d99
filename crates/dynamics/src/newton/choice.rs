//! Choice of the islands that Newton's method solves: strained islands, within the work budget of a step, whose constraints
//! are all rows and whose factor is not too large.
//!
//! An island changes its method only between steps. One that has it keeps it while it is strained, so that two
//! methods do not disturb each other's impulses.

use super::system::NewtonSystem;
use super::{FAILURE_TIME, IslandLists, NewtonStage, NewtonTables};
use crate::body::state::state_flags;
use crate::contact::constraint::constraint_flags;
use crate::island::strain::EVALUATION_INTERVAL;
use crate::joint::base::joint_flags;
use crate::joint::row_request::RowRequests;
use crate::mechanisms::Mechanism;
use crate::step_context::StepContext;
use crate::world_def::BUDGET_UNIT_FLOPS;
use cairn2d_geometry::sort_compact;

/// Time for which an island is iterated after it lost its work to others \[s\]: until most have come to rest. An
/// island that returned within its motion turned the joint gaps of the iterations into speed: forty cranes
/// opened by 2 m instead of 4 cm.
pub(super) const EVICTION_TIME: f32 = 10.0;

/// Work of a step that islands may use beyond the budget, as far as the excess of their joints requires: 2 ms.
const SEVERE_WORK: u64 = 10_000;

/// Operations of an iteration for a row: rate, impulse, gradient, Hessian, line search.
const ITERATION_FLOPS: u64 = 300;

/// Operations of a substep for a row, as its time compares with that of an iteration: frames, Jacobian, target.
const SUBSTEP_FLOPS: u64 = 600;

/// Operations of a factorization for a body, before an island was solved.
const FACTOR_FLOPS: u64 = 1000;

/// Most bodies of an island.
const MAX_BODIES: usize = 1024;

impl IslandLists {
    /// Returns `true` if the listed island has no constraint: a lone body in the air.
    pub(super) fn is_empty(&self) -> bool {
        self.contacts.is_empty() && self.joints.is_empty()
    }

    /// Returns `true` if the listed island is small enough and rows express all its constraints.
    pub(super) fn is_solvable(&self, tables: &NewtonTables<'_>) -> bool {
        let locked = state_flags::LOCK_X | state_flags::LOCK_Y;
        let mut requests = RowRequests::new();
        let mut has_rows = |&joint: &u32| {
            let sim = &tables.joints.sims[joint as usize];
            sim.list_rows(&mut requests) && sim.base.flags & joint_flags::INITIAL_ERROR == 0
        };
        // Depenetration moves bodies against their joints.
        let is_initial = |&contact: &u32| {
            let flags = tables.contacts.constraints[contact as usize].flags;
            flags & constraint_flags::INITIAL_ERROR != 0
        };
        self.bodies.len() <= MAX_BODIES
            && (self.joints.is_empty() || !self.contacts.iter().any(is_initial))
            && self.joints.iter().all(&mut has_rows)
            && (self.bodies.iter())
                .all(|&body| tables.bodies.states[body as usize].flags & locked == 0)
    }
}

/// Cost of the steps of an island.
#[derive(Clone, Copy, Debug)]
pub(super) struct IslandCost {
    rows: u64,
    substeps: u64,
    /// Of a factorization.
    factor_flops: u64,
}

impl IslandCost {
    /// Returns the cost of an island that was read, in steps of `substeps`.
    pub(super) fn new(system: &NewtonSystem, substeps: u32) -> Self {
        Self {
            rows: system.rows.len() as u64,
            substeps: substeps.into(),
            factor_flops: system.factor.flops(),
        }
    }

    /// Returns the number of iterations, each with a factorization, that take more than some work.
    pub(super) fn iterations_beyond(&self, work: u64) -> u32 {
        let of_iteration = self.rows * ITERATION_FLOPS + self.factor_flops;
        (work * BUDGET_UNIT_FLOPS / of_iteration.max(1) + 1).min(u32::MAX.into()) as u32
    }

    /// Returns the work of a step with these iterations and factorizations.
    pub(super) fn work(&self, iterations: u32, factorizations: u32) -> u32 {
        let of_rows = SUBSTEP_FLOPS * self.substeps + ITERATION_FLOPS * u64::from(iterations);
        let flops = self.rows * of_rows + self.factor_flops * u64::from(factorizations);
        (flops / BUDGET_UNIT_FLOPS).min(u32::MAX.into()) as u32
    }
}

/// Returns an island to the iterations, for `time` \[s\] at least.
///
/// A pile keeps the loads of its weight: without them it falls for a step each time that it leaves. Else joints and
/// contacts forget their impulses, which may be far beyond what the iterations can carry. Newton's method holds a taut
/// bridge without a gap, at a hundred times the tension of soft pins: warm started with it, the iterations threw a bridge
/// of forty planks at 99 m/s, and boxes squeezed by a kinematic body at 4000. As rest loads, the loads of piles that are
/// being filled kept boxes apart, and a sandbox took three times as long.
pub(crate) fn leave(ctx: &StepContext<'_>, tables: &mut NewtonTables<'_>, island: u32, time: f32) {
    tables.islands.slots[island as usize].newton.pause = time;
    if !tables.islands.newton.contains(island) {
        return;
    }
    tables.islands.newton.remove(island);
    let record = &mut tables.islands.slots[island as usize];
    // With rest loads, the impulses are those of an equilibrium that was just found.
    if core::mem::take(&mut record.newton.steps) == 0
        || record.has_rest_loads
        || is_weight_of_pile(ctx, tables, island)
    {
        return;
    }
    let constraints = tables.contacts.solver_constraints();
    for &body in &tables.islands.slots[island as usize].bodies {
        let record = &tables.bodies.slots[body];
        for &joint in &record.joints {
            tables.joints.sims[joint as usize].forget_impulses();
        }
        for &contact in &record.contacts {
            constraints[contact as usize].forget_impulses();
        }
    }
}

/// Returns `true` if an island has no joints, hardly moves, and no load is more than twice its weight: as much as it has
/// when it lands. It hardly moves if its bodies have at most the energy of a fall for one step: one of them may rock.
fn is_weight_of_pile(ctx: &StepContext<'_>, tables: &NewtonTables<'_>, island: u32) -> bool {
    let bodies = &tables.islands.slots[island as usize].bodies;
    let gravity = ctx.def.gravity.norm();
    let (mut mass, mut energy) = (0.0, 0.0);
    for &body in bodies {
        let of_body = tables.bodies.slots[body].mass_data.mass;
        let state = &tables.bodies.states[body as usize];
        mass += of_body;
        energy += 0.5 * of_body * state.velocity.norm_squared();
    }
    let fall = gravity * ctx.dt;
    let most = 2.0 * mass * gravity * ctx.last_h;
    let loads = |contact: u32| {
        let points = tables.contacts.constraints[contact as usize].points_in_use();
        points.iter().map(|point| point.normal_impulse)
    };
    energy <= 0.5 * mass * fall * fall
        && bodies.iter().all(|&body| {
            let record = &tables.bodies.slots[body];
            let mut loads = record.contacts.iter().flat_map(|&contact| loads(contact));
            record.joints.is_empty() && loads.all(|load| load <= most)
        })
}

impl NewtonStage {
    /// Chooses the islands that Newton's method solves in this step of a world with `links` awake contacts and joints.
    pub(crate) fn choose(
        &mut self,
        ctx: &StepContext<'_>,
        links: usize,
        tables: &mut NewtonTables<'_>,
    ) {
        self.work = ctx.def.converging_work(links);
        if !ctx.uses(Mechanism::NewtonIslands) || ctx.def.solver_budget == 0 {
            self.leave_everywhere(ctx, tables);
            return;
        }
        self.islands.clear();
        self.islands.extend(tables.islands.awake.iter());
        self.queue.clear();
        let is_due = ctx.steps.is_multiple_of(EVALUATION_INTERVAL);
        for &island in &self.islands {
            let record = &mut tables.islands.slots[island as usize];
            if is_due && record.newton.pause > 0.0 {
                let time = EVALUATION_INTERVAL as f32 * ctx.dt;
                record.newton.pause = (record.newton.pause - time).max(0.0);
            }
            let pause = record.newton.pause;
            let is_wanted = record.strain.is_strained
                && record.newton.pause == 0.0
                && !tables.islands.direct.contains(island);
            if is_wanted {
                self.queue.push(island);
            } else {
                leave(ctx, tables, island, pause);
            }
        }
        self.distribute_work(ctx, tables);
    }

    fn leave_everywhere(&mut self, ctx: &StepContext<'_>, tables: &mut NewtonTables<'_>) {
        self.chosen.clear();
        self.islands.clear();
        self.islands.extend(tables.islands.newton.iter());
        for &island in &self.islands {
            leave(ctx, tables, island, 0.0);
        }
    }

    /// Gives the work of the step to the islands that have the method, the oldest first, then to others, by strain.
    /// A costly new island thus takes no work from islands at rest.
    fn distribute_work(&mut self, ctx: &StepContext<'_>, tables: &mut NewtonTables<'_>) {
        let islands = &*tables.islands;
        let record = |island: u32| &islands.slots[island as usize];
        let age = |island: u32| record(island).newton.steps;
        let excess = |island: u32| record(island).strain.excess;
        sort_compact(&mut self.queue, |&one, &other| {
            age(other)
                .cmp(&age(one))
                .then_with(|| excess(other).total_cmp(&excess(one)))
                .then(one.cmp(&other))
        });
        self.chosen.clear();
        let mut used = 0;
        for i in 0..self.queue.len() {
            let island = self.queue[i];
            let is_new = !tables.islands.newton.contains(island);
            let is_measured = tables.islands.slots[island as usize].newton.work > 0;
            if (is_new || !is_measured) && !self.may_enter(ctx, tables, island) {
                let pause = if self.lists.is_empty() {
                    0.0
                } else {
                    FAILURE_TIME
                };
                leave(ctx, tables, island, pause);
                continue;
            }
            let work = u64::from(tables.islands.slots[island as usize].newton.work);
            let most = self.most_work_of(tables, island);
            // New islands leave room for those whose work varies.
            let spare = if is_new { self.work / 4 } else { 0 };
            if used + work + spare <= most {
                used += work;
                tables.islands.newton.insert(island);
                self.chosen.push(island);
            } else if is_new {
                leave(ctx, tables, island, FAILURE_TIME);
            } else {
                leave(ctx, tables, island, EVICTION_TIME);
            }
        }
    }

    /// Returns the work of a step up to which an island has the method: if its joints form no loop, a quarter of the budget times the
    /// square of the excess of its links' deflection under sweeps, as the energy that these would store. Loops, as of bridges and
    /// nets, spread their loads and are held by sweeps, too.
    ///
    /// At least a quarter more than the budget: an island whose work varies does not change its method again and again. The
    /// island of a wrecking ball exceeds the budget when it hits a wall, and its swept chain opened by up to twelve meters.
    pub(super) fn most_work_of(&self, tables: &NewtonTables<'_>, island: u32) -> u64 {
        let record = &tables.islands.slots[island as usize];
        let least = self.work + self.work / 4;
        let severe = (record.strain.excess * record.strain.excess * self.work as f32 / 4.0) as u64;
        let is_tree = u64::from(has_joint_tree(tables, &record.bodies));
        (is_tree * severe).min(SEVERE_WORK).max(least)
    }

    /// Predicts the work of an island that does not have the method yet. Returns `false` if it cannot be solved.
    fn may_enter(
        &mut self,
        ctx: &StepContext<'_>,
        tables: &mut NewtonTables<'_>,
        island: u32,
    ) -> bool {
        let lists = &mut self.lists;
        lists.fill(tables, island);
        if lists.is_empty() || !lists.is_solvable(tables) {
            return false;
        }
        let substeps = if lists.is_calm(ctx, tables) {
            1
        } else {
            ctx.def.substeps
        };
        // An iteration and a factorization in each substep; a joint has two rows or more, a contact one of friction.
        let points = |&contact: &u32| tables.contacts.constraints[contact as usize].count;
        let of_contacts = lists
            .contacts
            .iter()
            .map(|contact| u64::from(points(contact)) + 1);
        let rows = of_contacts.sum::<u64>() + 2 * lists.joints.len() as u64;
        let flops =
            rows * (SUBSTEP_FLOPS + ITERATION_FLOPS) + lists.bodies.len() as u64 * FACTOR_FLOPS;
        let work = u64::from(substeps) * flops / BUDGET_UNIT_FLOPS;
        tables.islands.slots[island as usize].newton.work = work.min(u32::MAX.into()) as u32;
        true
    }
}

/// Returns `true` if the bodies have joints, and these form no loop.
fn has_joint_tree(tables: &NewtonTables<'_>, bodies: &[u32]) -> bool {
    let joints_of = |&body: &u32| &tables.bodies.slots[body].joints;
    let jointed = bodies.iter().filter(|body| !joints_of(body).is_empty());
    let (mut halves, jointed) = (0, jointed.count());
    for &joint in bodies.iter().flat_map(joints_of) {
        let (a, b) = tables.joints.slots[joint].bodies().into();
        let is_anchor = !tables.bodies.is_dynamic(a) || !tables.bodies.is_dynamic(b);
        halves += if is_anchor { 2 } else { 1 };
    }
    jointed > 0 && halves <= 2 * jointed
}
