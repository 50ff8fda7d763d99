//! Crowds: agents that steer around each other and around obstacles.

use crate::crowd_def::{
    cairn_agent_def, cairn_agent_id, cairn_crowd_def, cairn_obstacle_def, cairn_obstacle_id,
    cairn_target,
};
use crate::failure::{Failure, cairn_result, call};
use crate::handle::{Handle, change, destroy, give, read};
use crate::pointer::{check_result, fill, get, get_optional, put};
use crate::values::{cairn_bool, cairn_position, cairn_vec2, finite};
use engine::CrowdController;
use engine::crowd::{
    AgentId, AgentMut, AgentRef, Crowd, CrowdEventKind, CrowdId, ObstacleId, Target,
};
use std::collections::HashMap;
use std::sync::RwLock;

/// A crowd, and the controller that moves bodies with it.
pub(crate) struct Walkers {
    pub(crate) controller: CrowdController,
    /// Agents by the bits of their ids: the engine's ids cannot be made from numbers.
    agents: HashMap<u64, AgentId>,
    /// Obstacles by the bits of their ids.
    obstacles: HashMap<u64, ObstacleId>,
}

impl Walkers {
    pub(crate) fn crowd(&self) -> &Crowd {
        self.controller.crowd()
    }

    fn bits<K: Copy>(&self, id: CrowdId<K>) -> u64 {
        let mark = u64::from(self.crowd().def().id_mark);
        let bits = (mark << 48) | (u64::from(id.generation()) << 32) | u64::from(id.index());
        bits.wrapping_add(1)
    }

    pub(crate) fn name(&self, agent: AgentId) -> cairn_agent_id {
        cairn_agent_id {
            bits: self.bits(agent),
        }
    }

    /// Notes a new agent.
    pub(crate) fn note(&mut self, agent: AgentId) -> cairn_agent_id {
        let name = self.name(agent);
        self.agents.insert(name.bits, agent);
        name
    }

    /// Returns the engine's id of an agent that exists, and forgets one that does not.
    pub(crate) fn id(&self, agent: cairn_agent_id) -> Result<AgentId, Failure> {
        let id = self.agents.get(&agent.bits).copied();
        let id = id.filter(|&id| self.crowd().get_agent(id).is_some());
        id.ok_or_else(|| Failure::stale("agent", agent.bits))
    }

    /// Forgets the agents that no longer exist, so that a crowd that comes and goes does not grow.
    pub(crate) fn forget_gone(&mut self) {
        let crowd = self.controller.crowd();
        if self.agents.len() > 2 * crowd.agent_count() {
            self.agents.retain(|_, id| crowd.get_agent(*id).is_some());
        }
    }

    fn agent_mut(&mut self, agent: cairn_agent_id) -> Result<AgentMut<'_>, Failure> {
        let id = self.id(agent)?;
        let found = self.controller.crowd_mut().get_agent_mut(id);
        found.ok_or_else(|| Failure::stale("agent", agent.bits))
    }
}

/// A crowd. The caller owns it and destroys it with cairn_crowd_destroy(). The rules for threads are those of cairn_world.
pub struct cairn_crowd(RwLock<Walkers>);

impl Handle for cairn_crowd {
    type Inner = Walkers;
    const NAME: &'static str = "crowd";

    fn new(inner: RwLock<Walkers>) -> Self {
        Self(inner)
    }

    fn lock(&self) -> &RwLock<Walkers> {
        &self.0
    }
}

/// Creates a crowd. With a null `def` all is default.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_crowd_create(
    def: *const cairn_crowd_def,
    crowd: *mut *mut cairn_crowd,
) -> cairn_result {
    call(|| {
        give(crowd, || {
            let def = get_optional(def, "def")?;
            let def = def.unwrap_or_else(|| crate::crowd_def::cairn_default_crowd_def());
            let (crowd, controller) = def.defs()?;
            let mut controller = CrowdController::try_new(controller)?;
            controller.crowd_mut().try_set_def(crowd)?;
            Ok(Walkers {
                controller,
                agents: HashMap::new(),
                obstacles: HashMap::new(),
            })
        })
    })
}

/// Destroys a crowd; null is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_crowd_destroy(crowd: *mut cairn_crowd) -> cairn_result {
    call(|| destroy(crowd))
}

/// Creates an agent and writes its id.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_crowd_create_agent(
    crowd: *mut cairn_crowd,
    def: *const cairn_agent_def,
    agent: *mut cairn_agent_id,
) -> cairn_result {
    call(|| {
        let def = get(def, "def")?.def()?;
        check_result(agent, "agent")?;
        change(crowd, |walkers| {
            walkers.forget_gone();
            let id = walkers.controller.crowd_mut().try_create_agent(def)?;
            put(agent, walkers.note(id), "agent")
        })
    })
}

/// Destroys an agent.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_crowd_destroy_agent(
    crowd: *mut cairn_crowd,
    agent: cairn_agent_id,
) -> cairn_result {
    call(|| {
        change(crowd, |walkers| {
            let id = walkers.id(agent)?;
            walkers.controller.crowd_mut().destroy_agent(id);
            walkers.agents.remove(&agent.bits);
            Ok(())
        })
    })
}

/// Writes the definition of an agent with its present settings.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_agent_get_def(
    crowd: *const cairn_crowd,
    agent: cairn_agent_id,
    def: *mut cairn_agent_def,
) -> cairn_result {
    call(|| {
        read(crowd, |walkers| {
            let id = walkers.id(agent)?;
            put(def, walkers.crowd().agent(id).def().into(), "def")
        })
    })
}

/// Changes all settings of an agent, its position included.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_agent_set_def(
    crowd: *mut cairn_crowd,
    agent: cairn_agent_id,
    def: *const cairn_agent_def,
) -> cairn_result {
    call(|| {
        let def = get(def, "def")?.def()?;
        change(crowd, |walkers| {
            Ok(walkers.agent_mut(agent)?.try_set_def(def)?)
        })
    })
}

/// Sets the velocity that an agent without a target prefers [m/s].
#[unsafe(no_mangle)]
pub extern "C" fn cairn_agent_set_preferred_velocity(
    crowd: *mut cairn_crowd,
    agent: cairn_agent_id,
    x: f32,
    y: f32,
) -> cairn_result {
    call(|| {
        let velocity = finite(x, y, "velocity")?;
        change(crowd, |walkers| {
            let mut agent = walkers.agent_mut(agent)?;
            Ok(agent.try_set_preferred_velocity(velocity)?)
        })
    })
}

/// Sets the place to which an agent walks; null: none.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_agent_set_target(
    crowd: *mut cairn_crowd,
    agent: cairn_agent_id,
    target: *const cairn_target,
) -> cairn_result {
    call(|| {
        let target = get_optional(target, "target")?.map(Target::from);
        change(crowd, |walkers| {
            Ok(walkers.agent_mut(agent)?.try_set_target(target)?)
        })
    })
}

/// Creates an obstacle and writes its id; the points are copied.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_crowd_create_obstacle(
    crowd: *mut cairn_crowd,
    def: *const cairn_obstacle_def,
    obstacle: *mut cairn_obstacle_id,
) -> cairn_result {
    call(|| {
        let def = get(def, "def")?.def()?;
        check_result(obstacle, "obstacle")?;
        change(crowd, |walkers| {
            let id = walkers.controller.crowd_mut().try_create_obstacle(def)?;
            let bits = walkers.bits(id);
            walkers.obstacles.insert(bits, id);
            put(obstacle, cairn_obstacle_id { bits }, "obstacle")
        })
    })
}

/// Destroys an obstacle.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_crowd_destroy_obstacle(
    crowd: *mut cairn_crowd,
    obstacle: cairn_obstacle_id,
) -> cairn_result {
    call(|| {
        change(crowd, |walkers| {
            let id = walkers.obstacles.remove(&obstacle.bits);
            let id = id.ok_or_else(|| Failure::stale("obstacle", obstacle.bits))?;
            walkers.controller.crowd_mut().destroy_obstacle(id);
            Ok(())
        })
    })
}

/// Sets position, angle and velocities of an obstacle to those of a definition; its other fields are not read.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_obstacle_set_motion(
    crowd: *mut cairn_crowd,
    obstacle: cairn_obstacle_id,
    def: *const cairn_obstacle_def,
) -> cairn_result {
    call(|| {
        let motion = get(def, "def")?.motion()?;
        change(crowd, |walkers| {
            let stale = || Failure::stale("obstacle", obstacle.bits);
            let id = *walkers.obstacles.get(&obstacle.bits).ok_or_else(stale)?;
            let found = walkers.controller.crowd_mut().get_obstacle_mut(id);
            Ok(found.ok_or_else(stale)?.try_set_motion(motion)?)
        })
    })
}

/// Longest step of a crowd [s]. The engine takes any, and after one of 1e20 s no place is a finite number.
const MAX_STEP: f32 = 60.0;

/// Refuses steps that are too long.
pub(crate) fn check_step(dt: f32) -> Result<(), Failure> {
    if dt > MAX_STEP {
        let message = format!("dt is {dt} s, more than {MAX_STEP} s");
        return Err(Failure::value(message));
    }
    Ok(())
}

/// Moves the agents of a crowd without bodies by `dt` seconds, at most 60. With bodies use cairn_crowd_update().
#[unsafe(no_mangle)]
pub extern "C" fn cairn_crowd_step(crowd: *mut cairn_crowd, dt: f32) -> cairn_result {
    call(|| {
        check_step(dt)?;
        change(crowd, |walkers| {
            Ok(walkers.controller.crowd_mut().try_step(dt)?)
        })
    })
}

/// State of an agent.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_agent_state {
    /// The agent.
    pub agent: cairn_agent_id,
    /// Center of the disc [m].
    pub position: cairn_position,
    /// Velocity [m/s].
    pub velocity: cairn_vec2,
    /// Radius of the disc [m].
    pub radius: f32,
    /// Whether it stands at its target.
    pub arrived: cairn_bool,
    /// Whether it makes no progress.
    pub stuck: cairn_bool,
}

impl cairn_agent_state {
    fn new(walkers: &Walkers, agent: AgentRef<'_>) -> Self {
        Self {
            agent: walkers.name(agent.id()),
            position: agent.position().into(),
            velocity: agent.velocity().into(),
            radius: agent.radius(),
            arrived: agent.has_arrived().into(),
            stuck: agent.is_stuck().into(),
        }
    }
}

/// Writes the states of all agents.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_crowd_get_agents(
    crowd: *const cairn_crowd,
    buffer: *mut cairn_agent_state,
    capacity: usize,
    count: *mut usize,
) -> cairn_result {
    call(|| {
        read(crowd, |walkers| {
            let agents = walkers.crowd().agents();
            let states = agents.map(|agent| cairn_agent_state::new(walkers, agent));
            fill(states, buffer, capacity, count)
        })
    })
}

/// What happened to an agent in the last step.
pub type cairn_agent_event_kind = u32;

/// It stands at its target.
pub const CAIRN_ARRIVED: cairn_agent_event_kind = 0;
/// It was pushed off its target and walks again.
pub const CAIRN_LEFT: cairn_agent_event_kind = 1;
/// It makes no progress.
pub const CAIRN_STUCK: cairn_agent_event_kind = 2;
/// It is no longer stuck.
pub const CAIRN_FREED: cairn_agent_event_kind = 3;

/// An event of an agent.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_agent_event {
    /// The agent.
    pub agent: cairn_agent_id,
    /// What happened: see cairn_agent_event_kind.
    pub kind: cairn_agent_event_kind,
    /// No meaning; keeps the size free of gaps.
    pub reserved: u32,
}

/// Writes the events of agents in the last step.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_crowd_agent_events(
    crowd: *const cairn_crowd,
    buffer: *mut cairn_agent_event,
    capacity: usize,
    count: *mut usize,
) -> cairn_result {
    call(|| {
        read(crowd, |walkers| {
            let events = walkers.crowd().events().iter().filter_map(|event| {
                let kind = match event.kind {
                    CrowdEventKind::Arrived => CAIRN_ARRIVED,
                    CrowdEventKind::Left => CAIRN_LEFT,
                    CrowdEventKind::Stuck => CAIRN_STUCK,
                    CrowdEventKind::Freed => CAIRN_FREED,
                    _ => return None,
                };
                Some(cairn_agent_event {
                    agent: walkers.name(event.agent),
                    kind,
                    reserved: 0,
                })
            });
            fill(events, buffer, capacity, count)
        })
    })
}
