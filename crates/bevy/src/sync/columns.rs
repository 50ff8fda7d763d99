//! Change detection of whole columns of tables: a test of a column takes a fraction of the tests of its entities.

use bevy_ecs::change_detection::{ContiguousRef, Tick};

/// Returns `true` if the component of any entity of the table changed.
pub(super) fn has_changes<T>(column: &ContiguousRef<'_, T>) -> bool {
    let (last, this) = (column.last_run_tick(), column.this_run_tick());
    let ticks = column.changed_ticks_slice().iter();
    // Without an early end, so that it compiles to vector instructions.
    ticks.fold(false, |any, tick| any | tick.is_newer_than(last, this))
}

/// Returns `true` if the component of any entity of the table changed, except in systems with one of the ticks `own`.
pub(super) fn has_changes_but<T>(column: &ContiguousRef<'_, T>, own: [Tick; 3]) -> bool {
    let (last, this) = (column.last_run_tick(), column.this_run_tick());
    let ticks = column.changed_ticks_slice().iter();
    ticks.fold(false, |any, tick| {
        let is_own = own.iter().fold(false, |is_own, own| is_own | (tick == own));
        any | (tick.is_newer_than(last, this) & !is_own)
    })
}

/// Returns `true` if the component of the entity in `row` changed.
pub(super) fn is_changed<T>(column: &ContiguousRef<'_, T>, row: usize) -> bool {
    let tick = column.changed_ticks_slice()[row];
    tick.is_newer_than(column.last_run_tick(), column.this_run_tick())
}
