//! Events of a step: agents that arrive, are stuck, or make progress again.

use crate::orca::queue::is_same_way;
use crate::orca::steer::Decision;
use crate::store::id::AgentId;
use crate::store::{Attempt, Memory};
use crate::tuning::{HORIZON_RETRY_TIME, STUCK_SHARE, STUCK_TIME};
use cairn2d_geometry::math::{Vec2, atan2, cross};
use core::cmp::Ordering;

/// An event of an agent in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct CrowdEvent {
    /// The agent.
    pub agent: AgentId,
    /// The kind of event.
    pub kind: CrowdEventKind,
}

/// Kinds of events of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum CrowdEventKind {
    /// It stands at its target, or against others that do.
    Arrived,
    /// It was pushed off its target and walks again.
    Left,
    /// For two seconds its progress was less than a twentieth of its preferred speed. While it walks along a wall that is
    /// across its way, its speed counts as progress.
    Stuck,
    /// It is no longer stuck: since it was stuck it has come nearer by its radius, or it now walks another way.
    Freed,
}

/// Updates the memory of an agent of this `radius` [m] that decided for `dt` seconds, planned for `step` seconds, and now has a `velocity`;
/// reports changes.
pub(crate) fn note(
    memory: &mut Memory,
    decision: &Decision,
    velocity: &Vec2,
    radius: f32,
    [dt, step]: [f32; 2],
    mut report: impl FnMut(CrowdEventKind),
) {
    let wanted_sq = decision.wanted.norm_squared();
    let along = velocity.dot(&decision.wanted);
    // On a detour every direction is progress.
    let is_slow = if decision.side == 0 {
        along < STUCK_SHARE * wanted_sq
    } else {
        velocity.norm_squared() < STUCK_SHARE * STUCK_SHARE * wanted_sq
    };
    let slow_time = if is_slow { memory.slow_time + dt } else { 0.0 };
    let before = *memory;
    let left = before.wait - step;
    let wait = match decision.level.cmp(&before.level) {
        Ordering::Less => 0.0,
        Ordering::Equal if left > 0.0 => left,
        Ordering::Equal | Ordering::Greater => HORIZON_RETRY_TIME,
    };
    let owed = if before.side == 0 && decision.side != 0 {
        radius
    } else if before.owed > 0.0 && wanted_sq > 0.0 {
        (before.owed - along / wanted_sq.sqrt() * dt).max(0.0)
    } else {
        before.owed
    };
    let is_same_way = is_same_way(&before.wanted, &decision.wanted);
    let gain = if is_same_way {
        before.gain + along / wanted_sq.sqrt() * dt
    } else {
        radius
    };
    let has_advanced = gain >= radius;
    *memory = Memory {
        slow_time,
        turn: decision.turn,
        wait,
        owed,
        gain: if has_advanced { 0.0 } else { gain },
        winding: if has_advanced {
            0.0
        } else {
            winding(&before, decision)
        },
        wanted: decision.wanted,
        level: decision.level,
        arrived: decision.arrived,
        stuck: slow_time >= STUCK_TIME || before.stuck && !has_advanced,
        side: decision.side,
        attempt: if has_advanced {
            Attempt::Direct
        } else {
            decision.attempt
        },
    };
    match (before.arrived, memory.arrived) {
        (false, true) => report(CrowdEventKind::Arrived),
        (true, false) => report(CrowdEventKind::Left),
        _ => {}
    }
    match (before.stuck, memory.stuck) {
        (false, true) => report(CrowdEventKind::Stuck),
        (true, false) => report(CrowdEventKind::Freed),
        _ => {}
    }
}

/// Returns the angle by which the preferred velocity has turned since the detour of the attempt began [rad].
///
/// Of an agent that walks around its goal it is a full turn, wherever it began.
fn winding(before: &Memory, decision: &Decision) -> f32 {
    if before.attempt == Attempt::Direct {
        return 0.0;
    }
    let (from, to) = (&before.wanted, &decision.wanted);
    before.winding + atan2(cross(from, to), from.dot(to))
}
