//! The step of the world.

use crate::crowd::AgentState;
use crate::physics::Physics;
use bevy_ecs::prelude::*;
use bevy_time::Time;

/// Steers the crowd and steps the world by the time step of the schedule.
pub(crate) fn step(mut physics: ResMut<'_, Physics>, time: Res<'_, Time>) {
    let dt = time.delta_secs();
    let physics = &mut *physics;
    physics.restored = false;
    if physics.walkers.walker_count() > 0 {
        physics.walkers.update(&mut physics.world, dt);
    }
    physics.world.step(dt);
}

/// Writes the states of agents after a step.
pub(crate) fn write_agents(
    physics: Res<'_, Physics>,
    mut states: Query<'_, '_, (Entity, &mut AgentState)>,
) {
    for (entity, mut state) in &mut states {
        let agent = physics.agent_id(entity);
        let Some(agent) = agent.and_then(|id| physics.walkers.crowd().get_agent(id)) else {
            continue;
        };
        state.set_if_neq(AgentState {
            has_arrived: agent.has_arrived(),
            is_stuck: agent.is_stuck(),
        });
    }
}
