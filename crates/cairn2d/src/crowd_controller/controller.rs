//! The controller: agents that walk in bodies of a world.

use super::agent_body::{AgentBody, CrowdBodyDef};
use super::error::{ControllerError, demand, limit, not_negative};
use super::off_mesh_link::{Crossing, OffMeshLink};
use super::route::{Route, RouteProgress};
use super::world_obstacles::WorldObstacles;
use cairn2d_crowd::{AgentDef, AgentId, Crowd};
use cairn2d_dynamics::{BodyId, BodyKind, BodyRef, World};
use cairn2d_geometry::math::{Vec2, WorldPoint};

/// Definition of a controller: plain data, reusable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ControllerDef {
    /// Dynamic bodies with up to this many times the mass of the heaviest dynamic walker are not avoided but pushed out
    /// of the way; heavier ones are obstacles. 0 avoids all.
    pub push_ratio: f32,
    /// Speed of other bodies up to which walkers notice them in time [m/s]. More of it looks at more shapes.
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

/// Something that happened to a walker in an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ControllerEvent {
    /// Its agent; stale if it was detached.
    pub agent: AgentId,
    /// Its body; stale if it was destroyed.
    pub body: BodyId,
    /// What happened.
    pub kind: ControllerEventKind,
}

/// What can happen to a walker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ControllerEventKind {
    /// Its body was destroyed: the agent is gone as well.
    BodyGone,
    /// Its agent was removed from the crowd: the body is left to itself.
    AgentGone,
    /// Its body was disabled, made static, lost its mass or left the world: the agent waits unseen until that changes.
    Parked,
    /// Its body takes part again, and so does the agent.
    Unparked,
    /// The path-finder knew no way.
    NoPath,
    /// It stands at the start of a link of this kind, and waits for [`CrowdController::cross_on_foot`] or
    /// [`CrowdController::carry`].
    AtLink {
        /// The caller's number of the link.
        kind: u32,
    },
}

/// Lets agents of a crowd walk in bodies of a world.
///
/// Call [`update`](Self::update) before each [`World::step`], with the same step:
///
/// ```
/// use cairn2d::prelude::*;
///
/// // Seen from above, so without gravity.
/// let mut world = World::new(WorldDef::weightless());
/// let body = world.create_body(BodyDef::dynamic());
/// world.create_shape(body, Circle::new(Point::origin(), 0.3)?, ShapeDef::default());
///
/// let mut walkers = CrowdController::new(ControllerDef::default());
/// let agent = walkers.attach(&world, body, &CrowdBodyDef::around(&world, body));
/// walkers.follow(agent, Route::through([(3.0, 0.0), (3.0, 4.0)]));
/// for _ in 0..480 {
///     walkers.update(&mut world, 1.0 / 60.0);
///     world.step(1.0 / 60.0);
/// }
/// assert!(walkers.crowd().has_arrived(agent));
/// # Ok::<(), ShapeError>(())
/// ```
///
/// * Static shapes, kinematic bodies and heavy dynamic ones near the walkers are obstacles, if the walkers' shapes
///   collide with them; the first 32 bits of a shape's category are its obstacle's layers. Light dynamic bodies are
///   pushed.
/// * A dynamic body is pushed by a force, at most the walker's; a kinematic one gets its velocity. So bodies can be
///   shoved and held up, and the agent goes on from where it finds itself.
/// * Bodies of walkers that stand may fall asleep, and wake when the agent wants to go.
/// * It is plain data: a clone beside a clone of the world goes on with the same bits. Results depend neither on threads
///   nor on the machine.
/// * It keeps to one world and its clones; in another world all its bodies count as gone.
///
/// Agents of the crowd without a body walk on their own among the others.
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
    /// Makes a controller without walkers.
    ///
    /// # Panics
    /// If a number of `def` is negative or not finite; [`try_new`](Self::try_new) returns the error instead.
    #[must_use]
    #[track_caller]
    pub fn new(def: ControllerDef) -> Self {
        demand(Self::try_new(def), "make the controller")
    }

    /// Makes a controller without walkers.
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
    /// If the body is gone, static, without mass or taken, or a number of `def` is out of range;
    /// [`try_attach`](Self::try_attach) returns the error instead.
    #[track_caller]
    pub fn attach(&mut self, world: &World, body: BodyId, def: &CrowdBodyDef) -> AgentId {
        demand(self.try_attach(world, body, def), "attach an agent")
    }

    /// Gives a body an agent and returns it.
    ///
    /// # Errors
    /// If the body is gone, static, without mass or taken, or a number of `def` is out of range.
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
        let agent = self.crowd.try_create_agent(&AgentDef {
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
        let slots = self.walkers.len().max(agent.index() + 1);
        self.walkers.resize(slots, None);
        // The slot may be that of an agent that was destroyed since the last update.
        if let Some(before) = self.walkers[agent.index()].replace(walker) {
            self.bodies.retain(|(other, _)| *other != before.body);
        }
        let place = self.bodies.partition_point(|(other, _)| *other < body);
        self.bodies.insert(place, (body, agent));
        Ok(agent)
    }

    /// Takes the agent out of its body and of the crowd; says whether it was a walker.
    ///
    /// The body stays. A dynamic one keeps its motion, a kinematic one stops, since nothing else would stop it.
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

    /// Forgets a walker, and leaves crowd and world as they are.
    pub(super) fn drop_walker(&mut self, agent: AgentId) -> Option<AgentBody> {
        let place = self.walkers.get_mut(agent.index())?;
        let walker = place.take_if(|walker| walker.agent == agent)?;
        self.bodies.retain(|(body, _)| *body != walker.body);
        Some(walker)
    }

    /// Changes everything about a walker but its place, and the route that it is on.
    ///
    /// # Panics
    /// If there is no such walker, or a number of `def` is out of range; [`try_set_body_def`](Self::try_set_body_def)
    /// returns the error instead.
    #[track_caller]
    pub fn set_body_def(&mut self, agent: AgentId, def: &CrowdBodyDef) {
        demand(self.try_set_body_def(agent, def), "change the walker");
    }

    /// Changes everything about a walker but its place, and the route that it is on.
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
            position: now.position,
            velocity: now.velocity,
            ..def.agent
        };
        match &mut walker.parked {
            Some(waiting) => *waiting = next,
            None => self.crowd.try_set_agent(agent, &next)?,
        }
        walker.def = def.clone();
        // The next update works out what the force allows.
        walker.mass = f32::NAN;
        Ok(())
    }

    /// Sends a walker on a route.
    ///
    /// # Panics
    /// If there is no such walker, or the route has no points or numbers out of range;
    /// [`try_follow`](Self::try_follow) returns the error instead.
    #[track_caller]
    pub fn follow(&mut self, agent: AgentId, route: Route) {
        demand(self.try_follow(agent, route), "follow the route");
    }

    /// Sends a walker on a route.
    ///
    /// # Errors
    /// If there is no such walker, or the route has no points or numbers out of range.
    pub fn try_follow(&mut self, agent: AgentId, route: Route) -> Result<(), ControllerError> {
        route.validate()?;
        walker_mut(&mut self.walkers, agent)?.progress = Some(RouteProgress::new(route));
        Ok(())
    }

    /// Lets a walker stand where it is; says whether there is such a walker.
    pub fn halt(&mut self, agent: AgentId) -> bool {
        let Ok(walker) = walker_mut(&mut self.walkers, agent) else {
            return false;
        };
        walker.progress = None;
        if let Some(waiting) = &mut walker.parked {
            (waiting.target, waiting.preferred_velocity) = (None, Vec2::zeros());
        }
        if self.crowd.has_agent(agent) {
            self.crowd.set_target(agent, None);
            self.crowd.set_preferred_velocity(agent, Vec2::zeros());
        }
        true
    }

    /// The link at whose start a walker waits, or that it is being carried across; `None` elsewhere.
    #[must_use]
    pub fn link(&self, agent: AgentId) -> Option<OffMeshLink> {
        let progress = self.get_walker(agent)?.progress.as_ref()?;
        let there = [Crossing::Waiting, Crossing::Suspended].contains(&progress.crossing);
        progress.link().filter(|_| there)
    }

    /// Lets a walker that waits at a link walk across it: a door that has been opened; says whether one waited.
    pub fn cross_on_foot(&mut self, agent: AgentId) -> bool {
        self.cross(agent, [Crossing::Waiting, Crossing::OnFoot])
    }

    /// Takes the body of a walker that waits at a link into the caller's hands, for a jump or a ladder; says whether
    /// one waited.
    ///
    /// The controller leaves the body alone and nobody sees the agent (event [`ControllerEventKind::Parked`]) until
    /// [`resume`](Self::resume).
    pub fn suspend(&mut self, agent: AgentId) -> bool {
        self.cross(agent, [Crossing::Waiting, Crossing::Suspended])
    }

    /// Lets a walker that was carried across a link go on from where its body is, towards the point after the link;
    /// says whether it was carried.
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

    /// The crowd: who stands where, what it has chosen, its events and half-planes.
    ///
    /// Places and velocities of walkers are those of their bodies at the last update.
    #[must_use]
    pub const fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// The crowd, to change wishes, targets, agents and obstacles of one's own. Places and velocities of walkers are
    /// overwritten by those of their bodies; [`CrowdBodyDef::max_force`] limits their acceleration.
    #[must_use]
    pub const fn crowd_mut(&mut self) -> &mut Crowd {
        &mut self.crowd
    }

    /// What happened in the last update beside the [events of the crowd](Crowd::events), in order of the agents within
    /// each stage.
    #[must_use]
    pub fn events(&self) -> &[ControllerEvent] {
        &self.events
    }

    /// Iterates over the walkers in order of their agents' slots.
    pub fn walkers(&self) -> impl Iterator<Item = (AgentId, BodyId)> {
        let walkers = self.walkers.iter().flatten();
        walkers.map(|walker| (walker.agent, walker.body))
    }

    /// Number of walkers.
    #[must_use]
    pub fn walker_count(&self) -> usize {
        self.bodies.len()
    }

    /// The body of an agent; `None` if it has none.
    #[must_use]
    pub fn body_of(&self, agent: AgentId) -> Option<BodyId> {
        self.get_walker(agent).map(|walker| walker.body)
    }

    /// The agent of a body; `None` if it has none.
    #[must_use]
    pub fn agent_of(&self, body: BodyId) -> Option<AgentId> {
        let place = self.bodies.binary_search_by_key(&body, |(body, _)| *body);
        place.ok().map(|place| self.bodies[place].1)
    }

    /// What a walker was made from, with later changes; `None` if there is no such walker.
    #[must_use]
    pub fn walker(&self, agent: AgentId) -> Option<&CrowdBodyDef> {
        self.get_walker(agent).map(|walker| &walker.def)
    }

    /// The route that a walker is on; `None` without one.
    #[must_use]
    pub fn route(&self, agent: AgentId) -> Option<&Route> {
        let progress = self.get_walker(agent)?.progress.as_ref()?;
        Some(&progress.route)
    }

    /// The points still ahead of a walker, the next one first; empty without a way.
    #[must_use]
    pub fn remaining_path(&self, agent: AgentId) -> &[WorldPoint] {
        let progress = self.get_walker(agent).and_then(|w| w.progress.as_ref());
        progress.map_or(&[], |progress| {
            progress.points.get(progress.next..).unwrap_or_default()
        })
    }

    fn get_walker(&self, agent: AgentId) -> Option<&AgentBody> {
        let walker = self.walkers.get(agent.index())?.as_ref()?;
        (walker.agent == agent).then_some(walker)
    }

    /// Checks the controller's own books; meant for tests.
    ///
    /// # Panics
    /// If walkers and bodies disagree, or the crowd's books do.
    pub fn validate(&self) {
        self.crowd
            .validate()
            .unwrap_or_else(|error| panic!("{error}"));
        assert!(self.bodies.is_sorted(), "bodies with agents are sorted");
        assert_eq!(self.walkers().count(), self.bodies.len(), "a body a walker");
        for (agent, body) in self.walkers() {
            assert_eq!(self.agent_of(body), Some(agent), "agent of {body:?}");
        }
    }
}

/// Refuses bodies that cannot walk.
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
    let walker = walkers.get_mut(agent.index()).and_then(Option::as_mut);
    walker
        .filter(|walker| walker.agent == agent)
        .ok_or(ControllerError::NoWalker(agent))
}
