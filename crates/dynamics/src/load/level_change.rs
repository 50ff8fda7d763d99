//! Changes of the substep level of an island: contacts and joints keep their forces.

use super::LoadTables;
use super::joint_multiplier::keep_joint_forces;
use super::rest_offset::keep_contact_forces;
use crate::step_context::StepContext;
use core::cmp::Ordering;

/// From one substep level to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LevelChange {
    pub(crate) from: u8,
    pub(crate) to: u8,
}

/// Solves `island` at this substep level from now on.
pub(crate) fn change_level(
    ctx: &StepContext<'_>,
    tables: &mut LoadTables<'_>,
    island: u32,
    level: u8,
) {
    let from = tables.islands.slots[island as usize].level;
    keep_forces(ctx, tables, island, LevelChange { from, to: level });
    tables.islands.set_level(island, level);
}

/// Prepares two islands that will be merged: the one with the lower level keeps its forces at the level of
/// the other.
pub(crate) fn keep_forces_in_merge(
    ctx: &StepContext<'_>,
    tables: &mut LoadTables<'_>,
    [one, other]: [u32; 2],
) {
    // Nothing has been compressed before the first step.
    if ctx.dt == 0.0 {
        return;
    }
    let [a, b] = [one, other].map(|island| tables.islands.slots[island as usize].level);
    match a.cmp(&b) {
        Ordering::Less => keep_forces(ctx, tables, one, LevelChange { from: a, to: b }),
        Ordering::Greater => keep_forces(ctx, tables, other, LevelChange { from: b, to: a }),
        Ordering::Equal => {}
    }
}

fn keep_forces(
    ctx: &StepContext<'_>,
    tables: &mut LoadTables<'_>,
    island: u32,
    change: LevelChange,
) {
    if change.from == change.to {
        return;
    }
    let island = &mut tables.islands.slots[island as usize];
    keep_contact_forces(ctx, tables.bodies, tables.contacts, island, change);
    keep_joint_forces(ctx, tables.bodies, tables.joints, island, change);
}
