//! Choice of substep levels: islands whose loads would deflect their links too far get more substeps.
//!
//! A soft contact deflects by `load / (mass w^2)`, and `w` may be a share of the substep rate: twice the
//! substeps at twice the stiffness deflect a quarter. Most islands carry little and are solved with the
//! world's substeps. Where a link would deflect too far - tall columns, heavy bodies on light ones, long
//! chains under a load - the substeps of that island alone are doubled, up to four times, and the stiffness
//! follows gradually. The level follows from the support of an island and from the impulses of the steps
//! before, so it is part of the state.

use super::deflection::{DeflectionMeasure, LinkStiffness};
use super::joint_multiplier::update_multipliers;
use super::level_change::change_level;
use super::rest_load::relax_rest_loads;
use super::rest_offset::relax_rest_offsets;
use super::support_depth::SupportLevels;
use super::{LoadStage, LoadTables};
use crate::body::table::BodyTable;
use crate::graph::GraphPlace;
use crate::island::hysteresis::EVALUATION_INTERVAL;
use crate::island::set::StaticDeflection;
use crate::island::substep_level::{LAST_LEVEL, SUBSTEP_LEVELS, full_levels, next_full_level};
use crate::mechanisms::Mechanism;
use crate::step_context::StepContext;
use crate::world_def::WorldDef;
use core::cmp::Ordering;

/// Deflection of a link up to which the world's substeps are enough \[m\].
///
/// That of the lowest link of a column of 15 boxes at the default settings. Columns of 22 with offsets buckle
/// without more substeps, and columns of 50 with half as many again as they get.
const FREE_DEFLECTION: f32 = 0.006;

/// Greatest number of bodies of an island, relative to the number of bodies that its most loaded link
/// carries.
///
/// In a column of n boxes the lowest link carries n: 1. In a pyramid the ratio is half the base: the links of
/// such an island support each other, and more substeps for all of them would cost more than they help.
const MAX_BREADTH: f32 = 3.0;

/// Speed above which touching bodies are not taken to rest on each other [m/s].
///
/// That of a fall of six steps: a column that was just built begins to yield before it is loaded.
const MAX_RESTING_SPEED: f32 = 1.0;

/// Greatest cost at which an island may have a substep level: bodies times the factor on the substeps.
const MAX_PILE_COST: usize = 2048;

/// The same for islands whose joints deflect, and their [`MAX_BREADTH`]: a net hangs on few of its knots, and
/// the pins there open as far as all others together. A net of 900 discs takes 0.7 ms a step so instead of
/// 0.2, and opens by a sixtieth.
const MAX_NET_COST: usize = 8192;
const MAX_NET_BREADTH: f32 = 16.0;

/// Greatest number of bodies, per level of support and one more, of an island that gets its level at an
/// impact: columns, bridges, a block on two others. A ball that rolls on a bridge is in none of its levels.
///
/// A broader island passes an impact to and fro, and throws it back: a box of 300 times the density that fell
/// by two boxes onto a pyramid of ten rows came up again with six sevenths of its speed. Compressed at the
/// world's level, it settles.
const MAX_BODIES_PER_LEVEL: usize = 2;

impl LoadStage {
    /// Evaluates the awake islands, every few steps, and leads each toward the level that it needs.
    ///
    /// An island gets at once what its support requires. It gets what the impulses of the last step require
    /// when several evaluations in a row agree, and loses it the same way: an impact is no load. Levels
    /// change one by one, so that compressed and stretched links recover gradually.
    pub(crate) fn choose_substeps(&mut self, ctx: &StepContext<'_>, tables: &mut LoadTables<'_>) {
        if !ctx.steps.is_multiple_of(EVALUATION_INTERVAL) {
            return;
        }
        let stiffness = LinkStiffness::new(ctx);
        self.evaluated.clear();
        self.evaluated.extend(tables.islands.awake.iter());
        for &island in &self.evaluated {
            evaluate_island(ctx, tables, &mut self.support, &stiffness, island);
        }
    }

    /// Gives a narrow island at once the level that its support requires, whatever the speed of its bodies:
    /// nothing has been compressed yet that would be thrown back. Returns `true` if the island is narrow.
    pub(crate) fn raise_level_for_impact(
        &mut self,
        ctx: &StepContext<'_>,
        tables: &mut LoadTables<'_>,
        island: u32,
    ) -> bool {
        let stiffness = LinkStiffness::new(ctx);
        let estimate = estimate_deflection(tables, &mut self.support, &stiffness, island);
        let record = &mut tables.islands.slots[island as usize];
        let bodies = record.bodies.len();
        if bodies > MAX_BODIES_PER_LEVEL * (self.support.count() + 1) {
            return false;
        }
        let needed = affordable_level(ctx.def, &stiffness, bodies, estimate);
        record.estimated_deflection = record.estimated_deflection.max_with(&estimate);
        record.hysteresis.raise(needed);
        if needed > record.level {
            change_level(ctx, tables, island, needed);
        }
        true
    }
}

fn evaluate_island(
    ctx: &StepContext<'_>,
    tables: &mut LoadTables<'_>,
    support: &mut SupportLevels,
    stiffness: &LinkStiffness,
    island: u32,
) {
    let record = &mut tables.islands.slots[island as usize];
    relax_rest_loads(ctx, tables.bodies, tables.contacts, record);
    relax_rest_offsets(ctx, tables.bodies, tables.contacts, record);
    if core::mem::take(&mut record.links_changed) {
        update_estimate(tables, support, stiffness, island);
    }
    let measured = measured_deflection(ctx, tables, stiffness, island);
    let record = &mut tables.islands.slots[island as usize];
    let bodies = record.bodies.len();
    let mut needed = affordable_level(ctx.def, stiffness, bodies, record.estimated_deflection);
    if is_affordable(ctx.def, record.stable_level, bodies) {
        needed = needed.max(record.stable_level);
    }
    let requested = affordable_level(ctx.def, stiffness, bodies, measured).max(needed);
    record.hysteresis.record(requested);
    record.hysteresis.raise(needed);
    let level = record.level;
    if !ctx.uses(Mechanism::GradualLevels) {
        change_level(ctx, tables, island, requested);
        update_multipliers(ctx, tables.bodies, tables.joints, tables.islands, island);
        return;
    }
    let next = match level.cmp(&record.hysteresis.target) {
        _ if level < needed => next_full_level(level),
        Ordering::Less => level + 1,
        Ordering::Equal => level,
        Ordering::Greater => level - 1,
    };
    change_level(ctx, tables, island, next);
    update_multipliers(ctx, tables.bodies, tables.joints, tables.islands, island);
}

/// Estimates the deflection of an island after its links have changed. It grows only while the island is
/// quiet.
fn update_estimate(
    tables: &mut LoadTables<'_>,
    support: &mut SupportLevels,
    stiffness: &LinkStiffness,
    island: u32,
) {
    let estimate = estimate_deflection(tables, support, stiffness, island);
    let record = &mut tables.islands.slots[island as usize];
    let is_quiet = is_quiet(tables.bodies, &record.bodies);
    record.estimated_deflection = if estimate.max() > FREE_DEFLECTION && is_quiet {
        estimate
    } else {
        estimate.min_with(&record.estimated_deflection)
    };
    if !is_quiet {
        record.stable_level = 0;
    }
}

/// Returns the greatest deflection of the links of `island` under the weight that they support.
pub(super) fn estimate_deflection(
    tables: &LoadTables<'_>,
    support: &mut SupportLevels,
    stiffness: &LinkStiffness,
    island: u32,
) -> StaticDeflection {
    let is_off = !stiffness.mechanisms.has(Mechanism::SupportEstimate)
        || !stiffness.mechanisms.has(Mechanism::SubstepLevels);
    if is_off || !may_have_level(tables, island) || stiffness.gravity == 0.0 {
        support.clear();
        return StaticDeflection::default();
    }
    let bodies = &tables.islands.slots[island as usize].bodies;
    support.estimate(tables.links(), bodies, stiffness)
}

/// Returns the greatest deflection of the links of `island` under the load of the last step.
fn measured_deflection(
    ctx: &StepContext<'_>,
    tables: &LoadTables<'_>,
    stiffness: &LinkStiffness,
    island: u32,
) -> StaticDeflection {
    let is_off = !ctx.uses(Mechanism::MeasuredDeflection) || !ctx.uses(Mechanism::SubstepLevels);
    if is_off || !may_have_level(tables, island) {
        return StaticDeflection::default();
    }
    let bodies = &tables.islands.slots[island as usize].bodies;
    // The distribution of loads matters in a structure that stands, not in one that topples or is stirred.
    let threshold = if is_quiet(tables.bodies, bodies) {
        FREE_DEFLECTION.max(min_pile_deflection(stiffness, bodies.len()))
    } else {
        f32::INFINITY
    };
    let measure = DeflectionMeasure {
        tables: tables.links(),
        stiffness,
        last_h: ctx.last_h,
        threshold,
    };
    measure.of_bodies(bodies)
}

/// Returns `true` if none of the bodies moves fast: touching bodies rest on each other, and do not just pass.
fn is_quiet(table: &BodyTable, bodies: &[u32]) -> bool {
    let speed_sq = |&slot: &u32| table.states[slot as usize].velocity.norm_squared();
    bodies
        .iter()
        .all(|slot| speed_sq(slot) < MAX_RESTING_SPEED * MAX_RESTING_SPEED)
}

/// Returns `true` if `island` may have a substep level at all.
pub(super) fn may_have_level(tables: &LoadTables<'_>, island: u32) -> bool {
    let bodies = &tables.islands.slots[island as usize].bodies;
    let cost = 2 * bodies.len();
    let is_net = || cost <= MAX_NET_COST && is_net(tables, island, bodies);
    bodies.len() > 1 && (cost <= MAX_PILE_COST || is_net())
}

/// Returns `true` if `island` has at least as many joints as bodies.
fn is_net(tables: &LoadTables<'_>, island: u32, bodies: &[u32]) -> bool {
    // The joints of the whole graph are counted already.
    if tables.graph.joints() < bodies.len() {
        return false;
    }
    // A joint between two bodies of the island counts at A.
    let is_counted = |slot: u32, joint: u32| {
        let joint = &tables.joints.slots[joint];
        let is_from_a = tables.bodies.tracks[joint.body_a as usize].island == island;
        joint.graph != GraphPlace::NONE && (joint.body_a == slot || !is_from_a)
    };
    let joints_of = |&slot: &u32| {
        let joints = tables.bodies.slots[slot].joints.iter();
        joints.filter(|&&joint| is_counted(slot, joint)).count()
    };
    bodies.iter().map(joints_of).sum::<usize>() >= bodies.len()
}

/// Returns the level for an island with this number of bodies and these deflections.
fn affordable_level(
    def: &WorldDef,
    stiffness: &LinkStiffness,
    bodies: usize,
    deflection: StaticDeflection,
) -> u8 {
    let of_pile = if deflection.max() < min_pile_deflection(stiffness, bodies) {
        0
    } else {
        level_within(def, MAX_PILE_COST, bodies, deflection.max())
    };
    let is_off = !def.tuning.uses(Mechanism::NetLevels);
    if is_off || deflection.joints < min_net_deflection(stiffness, bodies) {
        return of_pile;
    }
    of_pile.max(level_within(def, MAX_NET_COST, bodies, deflection.joints))
}

/// Returns the least deflection at which an island with this number of bodies is not too broad for more
/// substeps [m].
fn min_pile_deflection(stiffness: &LinkStiffness, bodies: usize) -> f32 {
    bodies as f32 * stiffness.contact_deflection() / MAX_BREADTH
}

/// The same for the deflection of joints [m].
fn min_net_deflection(stiffness: &LinkStiffness, bodies: usize) -> f32 {
    bodies as f32 * 2.0 * stiffness.gravity / (stiffness.joint_rate_sq * MAX_NET_BREADTH)
}

/// Returns the level for an island with this number of bodies and a deflection [m], at most at `cost`.
fn level_within(def: &WorldDef, cost: usize, bodies: usize, deflection: f32) -> u8 {
    let found = full_levels()
        .rev()
        .filter(|&level| level <= required_level(deflection))
        .find(|&level| costs_at_most(def, cost, level, bodies));
    found.unwrap_or(0)
}

fn costs_at_most(def: &WorldDef, cost: usize, level: u8, bodies: usize) -> bool {
    let level = &SUBSTEP_LEVELS[usize::from(level)];
    let is_off = !level.is_base() && !def.tuning.uses(Mechanism::SubstepLevels);
    !is_off && bodies << level.doublings <= cost && level.substeps(def.substeps) <= def.max_substeps
}

/// Returns `true` if an island with this number of bodies may have this level.
pub(crate) fn is_affordable(def: &WorldDef, level: u8, bodies: usize) -> bool {
    costs_at_most(def, MAX_PILE_COST, level, bodies)
}

/// Returns the level for a link that deflects by `deflection` [m].
///
/// A column of n links buckles under its own weight when n^3 exceeds a multiple of the stiffness. The
/// deflection grows with n, and the stiffness with the square of the substeps.
fn required_level(deflection: f32) -> u8 {
    let excess = deflection / FREE_DEFLECTION;
    let stiffness = excess * excess * excess;
    let is_enough = |&level: &u8| {
        let factor = SUBSTEP_LEVELS[usize::from(level)].stiffness;
        stiffness <= factor * factor
    };
    full_levels().find(is_enough).unwrap_or(LAST_LEVEL)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::island::substep_level::RANKS_PER_DOUBLING;

    #[test]
    fn level_grows_with_the_deflection() {
        assert_eq!(required_level(0.0), 0);
        assert_eq!(required_level(FREE_DEFLECTION), 0);
        // Twice the substeps at up to 4^(1/3) times the deflection, and so on.
        assert_eq!(required_level(1.5 * FREE_DEFLECTION), RANKS_PER_DOUBLING);
        assert_eq!(
            required_level(2.5 * FREE_DEFLECTION),
            2 * RANKS_PER_DOUBLING
        );
        assert_eq!(
            required_level(4.0 * FREE_DEFLECTION),
            3 * RANKS_PER_DOUBLING
        );
        assert_eq!(
            required_level(6.0 * FREE_DEFLECTION),
            4 * RANKS_PER_DOUBLING
        );
        assert_eq!(required_level(10.0 * FREE_DEFLECTION), LAST_LEVEL);
        assert_eq!(required_level(f32::INFINITY), LAST_LEVEL);
    }
}
