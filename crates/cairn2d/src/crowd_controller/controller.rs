//! The crowd controller: agents of a crowd that move bodies of a world.

use super::agent_body::{AgentBody, CrowdBodyDef};
use super::error::{ControllerError, limit};
use super::off_mesh_link::{Crossing, OffMeshLink};
use super::route::{Route, RouteProgress};
use super::world_obstacles::WorldObstacles;
use crate::numbers::not_negative;
use cairn2d_crowd::{AgentDef, AgentId, Crowd};
use cairn2d_dynamics::{BodyId, BodyKind, BodyRef, World};
use cairn2d_geometry::demand;
use cairn2d_geometry::math::{Vec2, WorldPoint};

/// Definition of a controller: plain data, reusable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ControllerDef {
    /// Dynamic bodies with up to this many times the mass of the heaviest dynamic walker are pushed out of
    /// the way; heavier ones are obstacles. With 0 all are obstacles.
    pub push_ratio: f32,
    /// Speed of other bodies up to which walkers avoid them in time [m/s]. Larger: more shapes are queried.
    pub notice_speed: f32,
}

impl Default for ControllerDef {
    fn default() -> Self {
        Self {
            push_ratio: 2.0,
            notice_speed: 5.0,
        }
    }
}

impl ControllerDef {
    /// Checks every number.
    ///
    /// # Errors
    /// The first field that is not finite or negative, with its value; `push_ratio` may be infinite.
    pub fn validate(&self) -> Result<(), ControllerError> {
        limit("push_ratio", self.push_ratio)?;
        Ok(not_negative("notice_speed", self.notice_speed)?)
    }
}

/// An event of a walker in an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ControllerEvent {
    /// The agent; stale if it was detached.
    pub agent: AgentId,
    /// The body; stale if it was destroyed.
    pub body: BodyId,
    /// The kind of event.
    pub kind: ControllerEventKind,
}

/// Kinds of events of a walker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ControllerEventKind {
    /// The body was destroyed, and the agent with it.
    BodyGone,
    /// The agent was removed from the crowd; the controller no longer drives the body.
    AgentGone,
    /// The body was disabled, made static, lost its mass or left the world: the agent stays invisible to
    /// others until that changes.
    Parked,
    /// The body is active again, and so is the agent.
    Unparked,
    /// The path finder found no path.
    NoPath,
    /// The walker stands at the start of an off-mesh link and waits for [`CrowdController::cross_on_foot`] or
    /// [`CrowdController::suspend`].
    AtLink {
        /// Number of the caller for the kind of link.
        kind: u32,
    },
}

/// Lets agents of a crowd move bodies of a world.
///
/// Call [`update`](Self::update) before each [`World::step`], with the same step:
///
/// ```
/// use cairn2d::prelude::*;
///
/// // Seen from above, so without gravity.
/// let mut world = World::new(WorldDef::weightless());
/// let body = world.create_body(BodyDef::dynamic());
/// world.create_shape(body, Circle::new(Point::origin(), 0.3), ShapeDef::default());
///
/// let mut walkers = CrowdController::new(ControllerDef::default());
/// let agent = walkers.attach(&world, body, &CrowdBodyDef::around(&world, body));
/// walkers.follow(agent, Route::through([(3.0, 0.0), (3.0, 4.0)]));
/// for _ in 0..480 {
///     walkers.update(&mut world, 1.0 / 60.0);
///     world.step(1.0 / 60.0);
/// }
/// assert!(walkers.crowd().agent(agent).has_arrived());
/// ```
///
/// * Static shapes, kinematic bodies and heavy dynamic bodies near the walkers are obstacles if the shapes of
///   the walkers collide with them; the first 32 bits of the category of a shape are the layers of its
///   obstacle. Light dynamic bodies are pushed.
/// * Dynamic bodies are driven by a bounded force, kinematic ones by their velocity. Collisions may displace
///   or stop a body; the agent continues from where the body is.
/// * Bodies of standing walkers may fall asleep, and wake when the agent moves.
/// * It is plain data: a clone beside a clone of the world continues with the same bits. Results depend
///   neither on the number of threads nor on the machine.
/// * It belongs to one world and its clones; the bodies of another world count as destroyed.
///
/// Agents of the crowd without a body move by themselves among the others.
#[derive(Clone, Debug, Default)]
pub struct CrowdController {
    pub(super) def: ControllerDef,
    pub(super) crowd: Crowd,
    /// By agent slot.
    pub(super) walkers: Vec<Option<AgentBody>>,
    /// Bodies with agents, sorted.
    pub(super) bodies: Vec<(BodyId, AgentId)>,
    pub(super) obstacles: WorldObstacles,
    pub(super) events: Vec<ControllerEvent>,
}

impl CrowdController {
    /// Creates a controller without walkers.
    ///
    /// # Panics
    /// If a number of `def` is negative or not finite; [`try_new`](Self::try_new) returns the error instead.
    #[must_use]
    #[track_caller]
    pub fn new(def: ControllerDef) -> Self {
        demand(Self::try_new(def), "make the controller")
    }

    /// Creates a controller without walkers.
    ///
    /// # Errors
    /// If a number of `def` is negative or not finite: see [`ControllerDef::validate`].
    pub fn try_new(def: ControllerDef) -> Result<Self, ControllerError> {
        def.validate()?;
        Ok(Self {
            def,
            ..Self::default()
        })
    }

    /// Gives a body an agent and returns it.
    ///
    /// # Panics
    /// If the body does not exist, is static, has no mass or already has an agent, or a number of `def` is
    /// out of range; [`try_attach`](Self::try_attach) returns the error instead.
    #[track_caller]
    pub fn attach(&mut self, world: &World, body: BodyId, def: &CrowdBodyDef) -> AgentId {
        demand(self.try_attach(world, body, def), "attach an agent")
    }

    /// Gives a body an agent and returns it.
    ///
    /// # Errors
    /// If the body does not exist, is static, has no mass or already has an agent, or a number of `def` is
    /// out of range.
    pub fn try_attach(
        &mut self,
        world: &World,
        body: BodyId,
        def: &CrowdBodyDef,
    ) -> Result<AgentId, ControllerError> {
        def.validate()?;
        let view = world.get_body(body).ok_or(ControllerError::NoBody(body))?;
        check_body(&view)?;
        if let Some(agent) = self.agent_of(body) {
            return Err(ControllerError::Taken { body, agent });
        }
        let agent = self.crowd.try_create_agent(AgentDef {
            position: view.center_exact(),
            velocity: view.velocity(),
            max_acceleration: def.acceleration(view.kind(), view.mass()),
            ..def.agent
        })?;
        let walker = AgentBody {
            agent,
            body,
            def: def.clone(),
            mass: view.mass(),
            parked: None,
            progress: None,
        };
        let slots = self.walkers.len().max(agent.index() as usize + 1);
        self.walkers.resize(slots, None);
        // The slot may be that of an agent that was destroyed since the last update.
        if let Some(before) = self.walkers[agent.index() as usize].replace(walker) {
            self.bodies.retain(|(other, _)| *other != before.body);
        }
        let place = self.bodies.partition_point(|(other, _)| *other < body);
        self.bodies.insert(place, (body, agent));
        Ok(agent)
    }

    /// Detaches the agent from its body and removes it from the crowd; returns `true` if it was a walker.
    ///
    /// The body stays. A dynamic body keeps its motion; a kinematic one stops, since nothing else would stop
    /// it.
    pub fn detach(&mut self, world: &mut World, agent: AgentId) -> bool {
        let Some(walker) = self.drop_walker(agent) else {
            return false;
        };
        self.crowd.destroy_agent(agent);
        if let Some(mut body) = world.get_body_mut(walker.body)
            && body.as_ref().kind() == BodyKind::Kinematic
        {
            body.set_velocity(Vec2::zeros());
            body.set_angular_velocity(0.0);
        }
        true
    }

    /// Removes a walker from the controller only.
    pub(super) fn drop_walker(&mut self, agent: AgentId) -> Option<AgentBody> {
        let place = self.walkers.get_mut(agent.index() as usize)?;
        let walker = place.take_if(|walker| walker.agent == agent)?;
        self.bodies.retain(|(body, _)| *body != walker.body);
        Some(walker)
    }

    /// Replaces the definition of a walker; position, velocity and route stay.
    ///
    /// # Panics
    /// If there is no such walker, or a number of `def` is out of range;
    /// [`try_set_body_def`](Self::try_set_body_def) returns the error instead.
    #[track_caller]
    pub fn set_body_def(&mut self, agent: AgentId, def: &CrowdBodyDef) {
        demand(self.try_set_body_def(agent, def), "change the walker");
    }

    /// Replaces the definition of a walker; position, velocity and route stay.
    ///
    /// # Errors
    /// If there is no such walker, or a number of `def` is out of range.
    pub fn try_set_body_def(
        &mut self,
        agent: AgentId,
        def: &CrowdBodyDef,
    ) -> Result<(), ControllerError> {
        def.validate()?;
        let walker = walker_mut(&mut self.walkers, agent)?;
        let now = self
            .crowd
            .get_agent(agent)
            .ok_or(ControllerError::NoWalker(agent))?;
        let next = AgentDef {
            position: now.position(),
            velocity: now.velocity(),
            ..def.agent
        };
        match &mut walker.parked {
            Some(waiting) => *waiting = next,
            None => self.crowd.agent_mut(agent).try_set_def(next)?,
        }
        walker.def = def.clone();
        // The next update recomputes the maximum acceleration.
        walker.mass = f32::NAN;
        Ok(())
    }

    /// Sets the route of a walker.
    ///
    /// # Panics
    /// If there is no such walker, or the route has no points or numbers out of range;
    /// [`try_follow`](Self::try_follow) returns the error instead.
    #[track_caller]
    pub fn follow(&mut self, agent: AgentId, route: Route) {
        demand(self.try_follow(agent, route), "follow the route");
    }

    /// Sets the route of a walker.
    ///
    /// # Errors
    /// If there is no such walker, or the route has no points or numbers out of range.
    pub fn try_follow(&mut self, agent: AgentId, route: Route) -> Result<(), ControllerError> {
        route.validate()?;
        walker_mut(&mut self.walkers, agent)?.progress = Some(RouteProgress::new(route));
        Ok(())
    }

    /// Stops a walker where it is; returns `true` if there is such a walker.
    pub fn halt(&mut self, agent: AgentId) -> bool {
        let Ok(walker) = walker_mut(&mut self.walkers, agent) else {
            return false;
        };
        walker.progress = None;
        if let Some(waiting) = &mut walker.parked {
            (waiting.target, waiting.preferred_velocity) = (None, Vec2::zeros());
        }
        if let Some(mut agent) = self.crowd.get_agent_mut(agent) {
            agent.set_target(None);
            agent.set_preferred_velocity(Vec2::zeros());
        }
        true
    }

    /// Returns the off-mesh link at whose start a walker waits, or across which the caller moves it; `None`
    /// elsewhere.
    #[must_use]
    pub fn link(&self, agent: AgentId) -> Option<OffMeshLink> {
        let progress = self.get_walker(agent)?.progress.as_ref()?;
        let there = [Crossing::Waiting, Crossing::Suspended].contains(&progress.crossing);
        progress.link().filter(|_| there)
    }

    /// Lets a walker that waits at a link walk across it, for example through a door that was opened; returns
    /// `true` if one waited.
    pub fn cross_on_foot(&mut self, agent: AgentId) -> bool {
        self.cross(agent, [Crossing::Waiting, Crossing::OnFoot])
    }

    /// Lets the caller move the body of a walker that waits at a link, for a jump or a ladder; returns `true`
    /// if one waited.
    ///
    /// The controller does not drive the body, and other agents ignore the agent (event
    /// [`ControllerEventKind::Parked`]), until [`resume`](Self::resume).
    pub fn suspend(&mut self, agent: AgentId) -> bool {
        self.cross(agent, [Crossing::Waiting, Crossing::Suspended])
    }

    /// Lets the controller drive a suspended walker again, from its present position to the point after the
    /// link; returns `true` if it was suspended.
    pub fn resume(&mut self, agent: AgentId) -> bool {
        let carried = self.cross(agent, [Crossing::Suspended, Crossing::Pending]);
        if carried && let Ok(walker) = walker_mut(&mut self.walkers, agent) {
            walker.progress.iter_mut().for_each(RouteProgress::advance);
        }
        carried
    }

    fn cross(&mut self, agent: AgentId, [from, to]: [Crossing; 2]) -> bool {
        let walker = walker_mut(&mut self.walkers, agent).ok();
        let progress = walker.and_then(|walker| walker.progress.as_mut());
        let Some(progress) = progress.filter(|progress| progress.crossing == from) else {
            return false;
        };
        progress.crossing = to;
        true
    }

    /// Returns the crowd: agents, new velocities, events and half-planes.
    ///
    /// Positions and velocities of walkers are those of their bodies at the last update.
    #[must_use]
    pub const fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// Returns the crowd, to change preferred velocities, targets, agents and the obstacles of the caller.
    /// Positions and velocities of walkers are overwritten by those of their bodies;
    /// [`CrowdBodyDef::max_force`] limits their acceleration.
    #[must_use]
    pub const fn crowd_mut(&mut self) -> &mut Crowd {
        &mut self.crowd
    }

    /// Returns the events of the last update, in addition to the [events of the crowd](Crowd::events), in
    /// order of agents within each stage.
    #[must_use]
    pub fn events(&self) -> &[ControllerEvent] {
        &self.events
    }

    /// Iterates over the walkers in order of their agents' slots.
    pub fn walkers(&self) -> impl Iterator<Item = (AgentId, BodyId)> {
        let walkers = self.walkers.iter().flatten();
        walkers.map(|walker| (walker.agent, walker.body))
    }

    /// Returns the number of walkers.
    #[must_use]
    pub fn walker_count(&self) -> usize {
        self.bodies.len()
    }

    /// Returns the body of an agent; `None` if it has none.
    #[must_use]
    pub fn body_of(&self, agent: AgentId) -> Option<BodyId> {
        self.get_walker(agent).map(|walker| walker.body)
    }

    /// Returns the agent of a body; `None` if it has none.
    #[must_use]
    pub fn agent_of(&self, body: BodyId) -> Option<AgentId> {
        let place = self.bodies.binary_search_by_key(&body, |(body, _)| *body);
        place.ok().map(|place| self.bodies[place].1)
    }

    /// Returns the definition of a walker, with later changes; `None` if there is no such walker.
    #[must_use]
    pub fn walker(&self, agent: AgentId) -> Option<&CrowdBodyDef> {
        self.get_walker(agent).map(|walker| &walker.def)
    }

    /// Returns the route of a walker; `None` without one.
    #[must_use]
    pub fn route(&self, agent: AgentId) -> Option<&Route> {
        let progress = self.get_walker(agent)?.progress.as_ref()?;
        Some(&progress.route)
    }

    /// Returns the remaining points of the path of a walker \[m\], the next one first; empty without a path.
    #[must_use]
    pub fn remaining_path(&self, agent: AgentId) -> &[WorldPoint] {
        let progress = self.get_walker(agent).and_then(|w| w.progress.as_ref());
        progress.map_or(&[], |progress| {
            progress.points.get(progress.next..).unwrap_or_default()
        })
    }

    fn get_walker(&self, agent: AgentId) -> Option<&AgentBody> {
        let walker = self.walkers.get(agent.index() as usize)?.as_ref()?;
        (walker.agent == agent).then_some(walker)
    }

    /// Checks the invariants of the controller and of its crowd: for tests and bug reports.
    ///
    /// # Panics
    /// If an invariant of the engine is broken.
    #[track_caller]
    pub fn assert_consistent(&self) {
        self.crowd.assert_consistent();
        assert!(self.bodies.is_sorted(), "bodies with agents are sorted");
        assert_eq!(self.walkers().count(), self.bodies.len(), "a body a walker");
        for (agent, body) in self.walkers() {
            assert_eq!(self.agent_of(body), Some(agent), "agent of {body:?}");
        }
    }
}

/// Refuses bodies that cannot be driven.
pub(super) fn check_body(body: &BodyRef<'_>) -> Result<(), ControllerError> {
    match body.kind() {
        BodyKind::Static => Err(ControllerError::StaticBody(body.id())),
        BodyKind::Dynamic if body.mass() <= 0.0 => Err(ControllerError::NoMass(body.id())),
        _ => Ok(()),
    }
}

fn walker_mut(
    walkers: &mut [Option<AgentBody>],
    agent: AgentId,
) -> Result<&mut AgentBody, ControllerError> {
    let walker = walkers
        .get_mut(agent.index() as usize)
        .and_then(Option::as_mut);
    walker
        .filter(|walker| walker.agent == agent)
        .ok_or(ControllerError::NoWalker(agent))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_dynamics::BodyDef;
    use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
    use std::sync::Mutex;
    use std::thread;

    /// File and line of the panic.
    static PLACE: Mutex<Option<(String, u32)>> = Mutex::new(None);

    #[test]
    fn inconsistent_controller_is_reported_at_the_line_of_the_caller() {
        let mut world = World::default();
        let body = world.create_body(BodyDef::kinematic());
        let mut walkers = CrowdController::default();
        walkers.attach(&world, body, &CrowdBodyDef::default());
        walkers.bodies.clear();
        let usual = take_hook();
        let test = thread::current().id();
        // Other tests may panic meanwhile.
        set_hook(Box::new(move |info| {
            if thread::current().id() == test {
                let place = info.location().map(|at| (at.file().to_owned(), at.line()));
                *PLACE.lock().unwrap() = place;
            }
        }));
        let check = AssertUnwindSafe(|| walkers.assert_consistent());
        let line = line!() - 1;
        let refused = catch_unwind(check).is_err();
        set_hook(usual);
        assert!(refused);
        assert_eq!(*PLACE.lock().unwrap(), Some((file!().to_owned(), line)));
    }
}
