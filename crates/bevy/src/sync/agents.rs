//! Gives bodies their agents, and agents their routes.

use crate::crowd::{CrowdAgent, CrowdRoute};
use crate::key::PhysicsKey;
use crate::physics::Physics;
use crate::problem::{PhysicsError, PhysicsProblem, report};
use bevy_ecs::prelude::*;
use cairn2d::CrowdBodyDef;
use cairn2d::crowd::AgentId;

type Agent = (
    Entity,
    &'static PhysicsKey,
    Ref<'static, CrowdAgent>,
    Option<Ref<'static, CrowdRoute>>,
);

/// Attaches new agents and applies changes of their definitions and routes, by key.
pub(crate) fn sync_agents(
    mut physics: ResMut<'_, Physics>,
    agents: Query<'_, '_, Agent>,
    mut problems: MessageWriter<'_, PhysicsProblem>,
) {
    let all = physics.restored;
    let mut changed: Vec<(u64, Entity)> = agents
        .iter()
        .filter(|(.., agent, route)| {
            all || agent.is_changed() || route.as_ref().is_some_and(|route| route.is_changed())
        })
        .map(|(entity, key, ..)| (key.get(), entity))
        .collect();
    changed.sort_unstable();
    for (_, entity) in changed {
        let Ok((_, key, agent, route)) = agents.get(entity) else {
            continue;
        };
        let result = sync_agent(&mut physics, entity, *key, (&agent, route));
        report(&mut problems, entity, result);
    }
}

fn sync_agent(
    physics: &mut Physics,
    entity: Entity,
    key: PhysicsKey,
    (agent, route): (&Ref<'_, CrowdAgent>, Option<Ref<'_, CrowdRoute>>),
) -> Result<(), PhysicsError> {
    let Some(body) = physics.registry.body(entity) else {
        return Ok(());
    };
    let fitted = || CrowdBodyDef::around(&physics.world, body);
    let def = agent.def.clone().unwrap_or_else(fitted);
    let existing = physics.agent_id(entity);
    let id: AgentId = match existing {
        Some(id) if agent.is_changed() => {
            physics.walkers.try_set_body_def(id, &def)?;
            id
        }
        Some(id) => id,
        None => physics.walkers.try_attach(&physics.world, body, &def)?,
    };
    physics.registry.record(entity, key).agent = Some(id);
    if let Some(route) = route
        && (route.is_changed() || existing.is_none())
    {
        physics.walkers.try_follow(id, route.0.clone())?;
    }
    Ok(())
}
