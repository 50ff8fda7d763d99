//! Events of a step: agents that arrive, are stuck, or make progress again.

use crate::orca::steer::Decision;
use crate::store::Memory;
use crate::store::id::AgentId;
use crate::tuning::{STUCK_SHARE, STUCK_TIME};

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
    /// For two seconds its progress was less than a twentieth of its preferred speed.
    Stuck,
    /// It is no longer stuck.
    Freed,
}

/// Updates an agent's memory and reports changes.
pub(crate) fn note(
    agent: AgentId,
    memory: &mut Memory,
    decision: &Decision,
    dt: f32,
    events: &mut Vec<CrowdEvent>,
) {
    memory.level = decision.choice.level;
    memory.turn = decision.choice.turn;
    memory.wait = decision.choice.wait;
    memory.side = decision.choice.side;
    memory.wanted = decision.wanted;
    let mut report = |kind| events.push(CrowdEvent { agent, kind });
    match (
        core::mem::replace(&mut memory.arrived, decision.arrived),
        decision.arrived,
    ) {
        (false, true) => report(CrowdEventKind::Arrived),
        (true, false) => report(CrowdEventKind::Left),
        _ => {}
    }
    let progress = decision.choice.velocity.dot(&decision.wanted);
    let slow = progress < STUCK_SHARE * decision.wanted.norm_squared();
    memory.slow_time = if slow { memory.slow_time + dt } else { 0.0 };
    let stuck = memory.slow_time >= STUCK_TIME;
    match (core::mem::replace(&mut memory.stuck, stuck), stuck) {
        (false, true) => report(CrowdEventKind::Stuck),
        (true, false) => report(CrowdEventKind::Freed),
        _ => {}
    }
}
