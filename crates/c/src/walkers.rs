//! Bodies that walk as agents of a crowd.

use crate::crowd::{cairn_crowd, check_step};
use crate::crowd_def::{cairn_agent_def, cairn_agent_id};
use crate::failure::{Failure, cairn_result, call};
use crate::handle::{change, read};
use crate::pointer::{array, check_result, fill, get, put};
use crate::values::{cairn_body_id, cairn_position};
use crate::world::cairn_world;
use engine::{ControllerEventKind, CrowdBodyDef, Route};

/// Defines a body that walks: start from cairn_walker_def_around().
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_walker_def {
    /// The agent; position and velocity are those of the body.
    pub agent: cairn_agent_def,
    /// Greatest force on a dynamic body [N]; may be infinite.
    pub max_force: f32,
    /// Greatest rate at which the body turns to its direction of motion [rad/s]; 0 leaves the rotation alone.
    pub turn_rate: f32,
}

/// Writes the definition of a walker with the size of a body.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_walker_def_around(
    world: *const cairn_world,
    body: cairn_body_id,
    def: *mut cairn_walker_def,
) -> cairn_result {
    call(|| {
        read(world, |world| {
            crate::body::find(world, body)?;
            let around = CrowdBodyDef::around(world, body.into());
            let filled = cairn_walker_def {
                agent: around.agent.into(),
                max_force: around.max_force,
                turn_rate: around.turn_rate,
            };
            put(def, filled, "def")
        })
    })
}

/// Lets a body of a world walk as an agent of a crowd, and writes the agent.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_crowd_attach(
    crowd: *mut cairn_crowd,
    world: *const cairn_world,
    body: cairn_body_id,
    def: *const cairn_walker_def,
    agent: *mut cairn_agent_id,
) -> cairn_result {
    call(|| {
        let def = get(def, "def")?;
        let def = CrowdBodyDef {
            agent: def.agent.def()?,
            max_force: def.max_force,
            turn_rate: def.turn_rate,
        };
        check_result(agent, "agent")?;
        change(crowd, |walkers| {
            read(world, |world| {
                walkers.forget_gone();
                let id = walkers.controller.try_attach(world, body.into(), &def)?;
                put(agent, walkers.note(id), "agent")
            })
        })
    })
}

/// Ends the walk of an agent's body and destroys the agent.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_crowd_detach(
    crowd: *mut cairn_crowd,
    world: *mut cairn_world,
    agent: cairn_agent_id,
) -> cairn_result {
    call(|| {
        change(crowd, |walkers| {
            change(world, |world| {
                let id = walkers.id(agent)?;
                if walkers.controller.detach(world, id) {
                    Ok(())
                } else {
                    Err(Failure::state("the agent has no body"))
                }
            })
        })
    })
}

/// Lets a walker follow points [m] at a speed [m/s]. It has arrived within `arrival_radius` of the last one [m].
#[unsafe(no_mangle)]
pub extern "C" fn cairn_walker_follow(
    crowd: *mut cairn_crowd,
    agent: cairn_agent_id,
    points: *const cairn_position,
    point_count: usize,
    speed: f32,
    arrival_radius: f32,
) -> cairn_result {
    call(|| {
        let points = array(points, point_count, "points")?;
        let route = Route {
            arrival_radius,
            ..Route::through(points.iter().copied()).speed(speed)
        };
        change(crowd, |walkers| {
            let id = walkers.id(agent)?;
            Ok(walkers.controller.try_follow(id, route)?)
        })
    })
}

/// Lets a walker stand.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_walker_halt(
    crowd: *mut cairn_crowd,
    agent: cairn_agent_id,
) -> cairn_result {
    call(|| {
        change(crowd, |walkers| {
            let id = walkers.id(agent)?;
            walkers.controller.halt(id);
            Ok(())
        })
    })
}

/// Gives the walkers of a crowd their velocities for the next step of a world, of `dt` seconds, at most 60. Call it before
/// cairn_world_step().
#[unsafe(no_mangle)]
pub extern "C" fn cairn_crowd_update(
    crowd: *mut cairn_crowd,
    world: *mut cairn_world,
    dt: f32,
) -> cairn_result {
    call(|| {
        check_step(dt)?;
        change(crowd, |walkers| {
            change(world, |world| {
                Ok(walkers.controller.try_update(world, dt)?)
            })
        })
    })
}

/// What happened to a walker in the last update.
pub type cairn_walker_event_kind = u32;

/// The body was destroyed, and the agent with it.
pub const CAIRN_BODY_GONE: cairn_walker_event_kind = 0;
/// The agent was destroyed; its body no longer walks.
pub const CAIRN_AGENT_GONE: cairn_walker_event_kind = 1;
/// The body cannot walk at present: it is disabled, static or without mass.
pub const CAIRN_PARKED: cairn_walker_event_kind = 2;
/// The body can walk again.
pub const CAIRN_UNPARKED: cairn_walker_event_kind = 3;

/// An event of a walker.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_walker_event {
    /// The agent.
    pub agent: cairn_agent_id,
    /// The body.
    pub body: cairn_body_id,
    /// What happened: see cairn_walker_event_kind.
    pub kind: cairn_walker_event_kind,
    /// No meaning; keeps the size free of gaps.
    pub reserved: u32,
}

/// Writes the events of walkers in the last update.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_crowd_walker_events(
    crowd: *const cairn_crowd,
    buffer: *mut cairn_walker_event,
    capacity: usize,
    count: *mut usize,
) -> cairn_result {
    call(|| {
        read(crowd, |walkers| {
            let events = walkers.controller.events().iter().filter_map(|event| {
                let kind = match event.kind {
                    ControllerEventKind::BodyGone => CAIRN_BODY_GONE,
                    ControllerEventKind::AgentGone => CAIRN_AGENT_GONE,
                    ControllerEventKind::Parked => CAIRN_PARKED,
                    ControllerEventKind::Unparked => CAIRN_UNPARKED,
                    _ => return None,
                };
                Some(cairn_walker_event {
                    agent: walkers.name(event.agent),
                    body: event.body.into(),
                    kind,
                    reserved: 0,
                })
            });
            fill(events, buffer, capacity, count)
        })
    })
}
