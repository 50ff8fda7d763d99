//! Evaluation of islands: would soft links deflect too far under the loads that they carry?
//!
//! A soft contact deflects by `load / (mass w^2)`, and `w` may be a share of the substep rate. Most islands carry
//! little. Where a link would deflect too far, as in tall columns, below heavy bodies on light ones and in long
//! chains under a load, Newton's method solves the island (`newton/`). The evaluation depends on the impulses of
//! earlier steps, so it is part of the state.

use super::deflection::{DeflectionMeasure, LinkStiffness};
use super::rest_load::relax_rest_loads;
use super::structure::{has_heavy_impacts, is_slow_to_sweep};
use super::{LoadStage, LoadTables};
use crate::body::def::BodyKind;
use crate::graph::GraphPlace;
use crate::island::strain::EVALUATION_INTERVAL;
use crate::mechanisms::Mechanism;
use crate::step_context::StepContext;

/// Deflection that soft contacts and joints may have \[m\].
///
/// The deflection of the lowest contact of a column of 15 boxes at the default settings. Columns of 22 with offsets
/// buckle on soft contacts. At half of it the joints of walkers were strained by their motors.
const FREE_DEFLECTION: f32 = 0.006;

/// Speed above which touching bodies are not taken to rest on each other \[m/s\].
///
/// The speed after a fall of six steps: a column that was just built begins to yield before it is loaded.
const MAX_RESTING_SPEED: f32 = 1.0;

/// Most bodies of an island that is evaluated: the work of larger ones exceeds any budget.
const MAX_BODIES: usize = 1024;

/// Most bodies of an island that need not wait for its evaluation.
const MAX_SMALL_BODIES: usize = 32;

impl LoadStage {
    /// Evaluates the awake islands, every few steps, and small ones at once when their links have changed.
    ///
    /// An island is strained at once where its support requires it. By the impulses of the last step it is
    /// when several evaluations in a row agree, and ceases to be the same way: an impact is no load.
    pub(crate) fn evaluate_strain(&mut self, ctx: &StepContext<'_>, tables: &mut LoadTables<'_>) {
        let is_due = ctx.steps.is_multiple_of(EVALUATION_INTERVAL);
        let islands = &tables.islands;
        let is_changed_small = |&island: &u32| {
            let record = &islands.slots[island as usize];
            record.links_changed && record.bodies.len() <= MAX_SMALL_BODIES
        };
        self.evaluated.clear();
        let awake = islands.awake.iter();
        self.evaluated
            .extend(awake.filter(|island| is_due || is_changed_small(island)));
        let stiffness = LinkStiffness::new(ctx);
        for &island in &self.evaluated {
            evaluate_island(ctx, tables, &stiffness, island);
        }
    }
}

fn evaluate_island(
    ctx: &StepContext<'_>,
    tables: &mut LoadTables<'_>,
    stiffness: &LinkStiffness,
    island: u32,
) {
    let record = &mut tables.islands.slots[island as usize];
    relax_rest_loads(ctx, tables.bodies, tables.contacts, record);
    if core::mem::take(&mut record.links_changed) {
        let is_slow = is_evaluated(tables, stiffness, island) && is_slow_to_sweep(tables, island);
        tables.islands.slots[island as usize].is_slow_to_sweep = is_slow;
    }
    let deflection = deflection_of(ctx, tables, stiffness, island);
    let record = &mut tables.islands.slots[island as usize];
    let Some(deflection) = deflection else {
        record.strain.topple();
        return;
    };
    record.strain.record(deflection / FREE_DEFLECTION);
    if record.is_slow_to_sweep {
        record.strain.raise();
    }
}

/// Returns the greatest deflection of the links of `island` under the load of the last step \[m\]; `None` if there are none,
/// or only contacts of bodies that topple or are stirred.
fn deflection_of(
    ctx: &StepContext<'_>,
    tables: &LoadTables<'_>,
    stiffness: &LinkStiffness,
    island: u32,
) -> Option<f32> {
    if !is_evaluated(tables, stiffness, island) {
        return None;
    }
    let bodies = &tables.islands.slots[island as usize].bodies;
    let measure = DeflectionMeasure {
        tables: tables.links(),
        stiffness,
        last_h: ctx.last_h,
        threshold: FREE_DEFLECTION,
    };
    // Contacts must bear the load of a structure that stands, not of one that topples or is stirred: the slowest
    // step of a tumbler with 300 boxes took 19 times as long as its median.
    let is_quiet = is_quiet(tables, bodies);
    let stands = is_quiet || !topples(tables, bodies) || has_heavy_impacts(tables, bodies);
    stands.then(|| measure.of_bodies(bodies, is_quiet))
}

/// Returns `true` if most of the bodies move fast, and nothing joins them.
fn topples(tables: &LoadTables<'_>, bodies: &[u32]) -> bool {
    let is_fast =
        |&&slot: &&u32| tables.bodies.states[slot as usize].velocity.norm() > MAX_RESTING_SPEED;
    let has_joints = |&slot: &u32| !tables.bodies.slots[slot].joints.is_empty();
    2 * bodies.iter().filter(is_fast).count() > bodies.len() && !bodies.iter().any(has_joints)
}

/// Returns `true` if none of the bodies moves fast, nor is carried: touching bodies rest on each other, and do not just pass.
fn is_quiet(tables: &LoadTables<'_>, bodies: &[u32]) -> bool {
    let speed_sq = |slot: u32| tables.bodies.states[slot as usize].velocity.norm_squared();
    let is_carried = |&contact: &u32| {
        let mut ends = tables.contacts.constraints[contact as usize]
            .bodies()
            .into_iter();
        tables.contacts.slots[contact].graph != GraphPlace::NONE
            && ends.any(|end| {
                tables.bodies.slots[end].kind == BodyKind::Kinematic && speed_sq(end) > 0.0
            })
    };
    bodies.iter().all(|&slot| {
        speed_sq(slot) < MAX_RESTING_SPEED * MAX_RESTING_SPEED
            && !tables.bodies.slots[slot].contacts.iter().any(is_carried)
    })
}

fn is_evaluated(tables: &LoadTables<'_>, stiffness: &LinkStiffness, island: u32) -> bool {
    let bodies = &tables.islands.slots[island as usize].bodies;
    // A body alone on the ground needs nothing.
    let is_linked = match bodies[..] {
        [] => false,
        [alone] => !tables.bodies.slots[alone].joints.is_empty(),
        _ => bodies.len() <= MAX_BODIES,
    };
    is_linked && stiffness.mechanisms.has(Mechanism::NewtonIslands)
}
