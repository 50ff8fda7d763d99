//! The controller: agents that walk in bodies of a world.

use super::areas::{Outlook, areas};
use super::error::{ControllerError, limit, not_negative};
use super::route::{Heading, Onlooker, PathFinder, PathQuery, Planning, Route, Straight, Travel};
use super::walker::{Drive, Walker, WalkerDef};
use super::walls::{Rule, Walls};
use cairn2d_crowd::{AgentDef, AgentId, Crowd, Target};
use cairn2d_dynamics::{BodyId, BodyKind, BodyRef, MAX_STEP, QueryFilter, Sensors, World};
use cairn2d_geometry::math::Vec2;

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
    NoWay,
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
/// let agent = walkers.attach(&world, body, &WalkerDef::around(&world, body));
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
    def: ControllerDef,
    crowd: Crowd,
    /// By agent slot.
    walkers: Vec<Option<Walker>>,
    /// Bodies with agents, sorted.
    bodies: Vec<(BodyId, AgentId)>,
    walls: Walls,
    events: Vec<ControllerEvent>,
}

impl CrowdController {
    /// Makes a controller without walkers.
    ///
    /// # Panics
    /// If a number of `def` is negative or not finite; [`try_new`](Self::try_new) returns the error instead.
    #[must_use]
    #[track_caller]
    pub fn new(def: ControllerDef) -> Self {
        Self::try_new(def).unwrap_or_else(|error| panic!("cannot make the controller: {error}"))
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
    pub fn attach(&mut self, world: &World, body: BodyId, def: &WalkerDef) -> AgentId {
        self.try_attach(world, body, def)
            .unwrap_or_else(|error| panic!("cannot attach an agent: {error}"))
    }

    /// Gives a body an agent and returns it.
    ///
    /// # Errors
    /// If the body is gone, static, without mass or taken, or a number of `def` is out of range.
    pub fn try_attach(
        &mut self,
        world: &World,
        body: BodyId,
        def: &WalkerDef,
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
        let walker = Walker {
            agent,
            body,
            def: def.clone(),
            mass: view.mass(),
            parked: None,
            travel: None,
        };
        let slots = self.walkers.len().max(agent.slot() + 1);
        self.walkers.resize(slots, None);
        self.walkers[agent.slot()] = Some(walker);
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
        self.crowd.remove_agent(agent);
        if let Some(mut body) = world.get_body_mut(walker.body)
            && body.as_ref().kind() == BodyKind::Kinematic
        {
            body.set_velocity(Vec2::zeros());
            body.set_angular_velocity(0.0);
        }
        true
    }

    /// Forgets a walker, and leaves crowd and world as they are.
    fn drop_walker(&mut self, agent: AgentId) -> Option<Walker> {
        let place = self.walkers.get_mut(agent.slot())?;
        let walker = place.take_if(|walker| walker.agent == agent)?;
        self.bodies.retain(|(body, _)| *body != walker.body);
        Some(walker)
    }

    /// Changes everything about a walker but its place, and the route that it is on.
    ///
    /// # Panics
    /// If there is no such walker, or a number of `def` is out of range; [`try_set_walker`](Self::try_set_walker)
    /// returns the error instead.
    #[track_caller]
    pub fn set_walker(&mut self, agent: AgentId, def: &WalkerDef) {
        self.try_set_walker(agent, def)
            .unwrap_or_else(|error| panic!("cannot change the walker: {error}"));
    }

    /// Changes everything about a walker but its place, and the route that it is on.
    ///
    /// # Errors
    /// If there is no such walker, or a number of `def` is out of range.
    pub fn try_set_walker(
        &mut self,
        agent: AgentId,
        def: &WalkerDef,
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
        self.try_follow(agent, route)
            .unwrap_or_else(|error| panic!("cannot follow the route: {error}"));
    }

    /// Sends a walker on a route.
    ///
    /// # Errors
    /// If there is no such walker, or the route has no points or numbers out of range.
    pub fn try_follow(&mut self, agent: AgentId, route: Route) -> Result<(), ControllerError> {
        route.validate()?;
        walker_mut(&mut self.walkers, agent)?.travel = Some(Travel::new(route));
        Ok(())
    }

    /// Lets a walker stand where it is; says whether there is such a walker.
    pub fn halt(&mut self, agent: AgentId) -> bool {
        let Ok(walker) = walker_mut(&mut self.walkers, agent) else {
            return false;
        };
        walker.travel = None;
        if let Some(waiting) = &mut walker.parked {
            (waiting.target, waiting.preferred_velocity) = (None, Vec2::zeros());
        }
        if self.crowd.has_agent(agent) {
            self.crowd.set_target(agent, None);
            self.crowd.set_preferred_velocity(agent, Vec2::zeros());
        }
        true
    }

    /// Lets the agents decide for a step of `dt` \[s\], and drives their bodies. Walkers that look for a way go straight.
    ///
    /// Of more than [`MAX_STEP`] the rest is dropped, as the world does; a step of 0 does nothing.
    ///
    /// # Panics
    /// If `dt` is negative or not finite.
    #[track_caller]
    pub fn update(&mut self, world: &mut World, dt: f32) {
        self.update_with(world, dt, &mut Straight);
    }

    /// Like [`update`](Self::update), with a path-finder for walkers whose route is [`Planning::Asked`].
    ///
    /// # Panics
    /// If `dt` is negative or not finite, or the path-finder returns points that are not finite or out of the world.
    #[track_caller]
    pub fn update_with(&mut self, world: &mut World, dt: f32, finder: &mut impl PathFinder) {
        not_negative("dt", dt).unwrap_or_else(|error| panic!("cannot update: {error}"));
        let dt = dt.min(MAX_STEP);
        self.events.clear();
        if dt <= 0.0 {
            return;
        }
        self.drop_lost(world);
        self.read_bodies(world);
        self.look_around(world);
        self.guide(world, dt, finder);
        self.crowd.solve(dt);
        self.drive(world, dt);
        self.move_bodiless(dt);
    }

    fn report(&mut self, walker: &Walker, kind: ControllerEventKind) {
        let (agent, body) = (walker.agent, walker.body);
        self.events.push(ControllerEvent { agent, body, kind });
    }

    /// Stage 1: walkers that lost body or agent.
    fn drop_lost(&mut self, world: &World) {
        for slot in 0..self.walkers.len() {
            let Some(walker) = &self.walkers[slot] else {
                continue;
            };
            let (agent, body) = (walker.agent, walker.body);
            let has_agent = self.crowd.has_agent(agent);
            if has_agent && world.get_body(body).is_some() {
                continue;
            }
            if let Some(walker) = self.drop_walker(agent) {
                self.crowd.remove_agent(agent);
                self.report(
                    &walker,
                    match has_agent {
                        true => ControllerEventKind::BodyGone,
                        false => ControllerEventKind::AgentGone,
                    },
                );
            }
        }
    }

    /// Stage 2: places and velocities of the bodies.
    fn read_bodies(&mut self, world: &World) {
        let mut walkers = core::mem::take(&mut self.walkers);
        for walker in walkers.iter_mut().flatten() {
            let body = world.body(walker.body);
            let moved =
                self.crowd
                    .try_set_motion(walker.agent, body.center_exact(), body.velocity());
            let takes_part = body.is_enabled() && check_body(&body).is_ok() && moved.is_ok();
            match (takes_part, walker.parked.take()) {
                (true, Some(waiting)) => self.unpark(walker, waiting, &body),
                (false, None) => self.park(walker),
                (_, parked) => walker.parked = parked,
            }
            if takes_part && walker.mass != body.mass() {
                self.limit_acceleration(walker, &body);
            }
        }
        self.walkers = walkers;
    }

    /// Makes an agent that nobody heeds and that heeds nobody.
    fn park(&mut self, walker: &mut Walker) {
        let now = self.crowd.agent(walker.agent);
        self.crowd.set_agent(
            walker.agent,
            &AgentDef {
                velocity: Vec2::zeros(),
                preferred_velocity: Vec2::zeros(),
                target: None,
                layers: 0,
                mask: 0,
                ..now
            },
        );
        walker.parked = Some(now);
        self.report(walker, ControllerEventKind::Parked);
    }

    fn unpark(&mut self, walker: &mut Walker, waiting: AgentDef, body: &BodyRef<'_>) {
        self.crowd.set_agent(
            walker.agent,
            &AgentDef {
                position: body.center_exact(),
                velocity: body.velocity(),
                ..waiting
            },
        );
        walker.mass = f32::NAN;
        self.report(walker, ControllerEventKind::Unparked);
    }

    fn limit_acceleration(&mut self, walker: &mut Walker, body: &BodyRef<'_>) {
        walker.mass = body.mass();
        let now = self.crowd.agent(walker.agent);
        let max_acceleration = walker.def.acceleration(body.kind(), body.mass());
        let next = AgentDef {
            max_acceleration,
            ..now
        };
        self.crowd.set_agent(walker.agent, &next);
    }

    /// Stage 3: shapes near the walkers become obstacles.
    fn look_around(&mut self, world: &World) {
        let mut outlooks = Vec::with_capacity(self.bodies.len());
        let mut strongest = 0.0f32;
        for walker in self.walkers.iter().flatten().filter(|w| w.parked.is_none()) {
            let body = world.body(walker.body);
            let agent = &walker.def.agent;
            let speed = agent.max_speed + self.def.notice_speed;
            strongest = strongest.max(body.mass());
            outlooks.push(Outlook {
                position: body.center_exact(),
                reach: agent.radius + agent.obstacle_horizon * speed,
                filter: filter_of(&body),
            });
        }
        let bodies: Vec<BodyId> = self.bodies.iter().map(|(body, _)| *body).collect();
        // Nobody can push anything with a mass of 0 times infinity.
        let push_mass = (self.def.push_ratio * strongest).max(0.0);
        let rule = Rule {
            walkers: &bodies,
            push_mass,
        };
        self.walls
            .update(world, &mut self.crowd, &areas(&outlooks), &rule);
    }

    /// Stage 4: where those with a route want to go.
    fn guide(&mut self, world: &World, dt: f32, finder: &mut impl PathFinder) {
        let mut walkers = core::mem::take(&mut self.walkers);
        let mut is_sight_fresh = false;
        for walker in walkers.iter_mut().flatten() {
            if walker.travel.is_none() || walker.parked.is_some() {
                continue;
            }
            if !core::mem::replace(&mut is_sight_fresh, true) {
                self.crowd.update_obstacles();
            }
            self.guide_one(world, walker, dt, finder);
        }
        self.walkers = walkers;
    }

    fn guide_one(
        &mut self,
        world: &World,
        walker: &mut Walker,
        dt: f32,
        finder: &mut impl PathFinder,
    ) {
        let Some(mut travel) = walker.travel.take() else {
            return;
        };
        let agent = self.crowd.agent(walker.agent);
        if travel.is_lost() && !self.find_way(world, walker, &agent, &mut travel, finder) {
            self.report(walker, ControllerEventKind::NoWay);
        }
        let onlooker = onlooker(&self.crowd, walker.agent, &agent);
        let heading = travel.head(&onlooker, dt);
        let (target, wish) = aim(&travel.route, &agent, heading);
        if agent.target != target {
            self.crowd.set_target(walker.agent, target);
        }
        self.crowd.set_preferred_velocity(walker.agent, wish);
        walker.travel = Some(travel);
    }

    /// Finds the way anew, or back to it; says whether there is one.
    fn find_way(
        &self,
        world: &World,
        walker: &Walker,
        agent: &AgentDef,
        travel: &mut Travel,
        finder: &mut impl PathFinder,
    ) -> bool {
        if travel.route.planning == Planning::Fixed {
            travel.find_back(&onlooker(&self.crowd, walker.agent, agent));
            return true;
        }
        let query = PathQuery {
            world,
            crowd: &self.crowd,
            agent: walker.agent,
            from: agent.position,
            goal: travel.goal(),
            radius: agent.radius,
            filter: filter_of(&world.body(walker.body)),
        };
        let points = finder.find_path(&query).unwrap_or_default();
        let route = Route {
            points,
            ..travel.route.clone()
        };
        match route.validate() {
            Ok(()) => travel.take(route.points),
            Err(ControllerError::NoPoints) => return false,
            Err(error) => panic!("the path-finder's way is bad: {error}"),
        }
        true
    }

    /// Stage 6: bodies towards the velocities chosen.
    fn drive(&self, world: &mut World, dt: f32) {
        for walker in self.walkers.iter().flatten().filter(|w| w.parked.is_none()) {
            let drive = Drive {
                def: &walker.def,
                radius: walker.def.agent.radius,
                wanted: self.crowd.new_velocity(walker.agent),
                dt,
            };
            drive.act_on(&mut world.body_mut(walker.body));
        }
    }

    /// Stage 7: agents without a body move by themselves.
    fn move_bodiless(&mut self, dt: f32) {
        if self.crowd.agent_count() == self.bodies.len() {
            return;
        }
        let agents: Vec<AgentId> = self.crowd.agents().collect();
        for agent in agents {
            let slot = self.walkers.get(agent.slot());
            if slot.is_some_and(|walker| walker.as_ref().is_some_and(|w| w.agent == agent)) {
                continue;
            }
            let velocity = self.crowd.new_velocity(agent);
            let position = self.crowd.position(agent) + velocity * dt;
            // Who walks out of the plane stops at its edge.
            let _ = self.crowd.try_set_motion(agent, position, velocity);
        }
    }

    /// The crowd: who stands where, what it has chosen, its events and half-planes.
    ///
    /// Places and velocities of walkers are those of their bodies at the last update.
    #[must_use]
    pub const fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// The crowd, to change wishes, targets, agents and obstacles of one's own. Places and velocities of walkers are
    /// overwritten by those of their bodies; [`WalkerDef::max_force`] limits their acceleration.
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
    pub fn walker(&self, agent: AgentId) -> Option<&WalkerDef> {
        self.get_walker(agent).map(|walker| &walker.def)
    }

    /// The route that a walker is on; `None` without one.
    #[must_use]
    pub fn route(&self, agent: AgentId) -> Option<&Route> {
        let travel = self.get_walker(agent)?.travel.as_ref()?;
        Some(&travel.route)
    }

    /// The points still ahead of a walker, the next one first; empty without a way.
    #[must_use]
    pub fn way_ahead(&self, agent: AgentId) -> &[cairn2d_geometry::math::WorldPoint] {
        let travel = self.get_walker(agent).and_then(|w| w.travel.as_ref());
        travel.map_or(&[], |travel| {
            travel.points.get(travel.next..).unwrap_or_default()
        })
    }

    fn get_walker(&self, agent: AgentId) -> Option<&Walker> {
        let walker = self.walkers.get(agent.slot())?.as_ref()?;
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
fn check_body(body: &BodyRef<'_>) -> Result<(), ControllerError> {
    match body.kind() {
        BodyKind::Static => Err(ControllerError::StaticBody(body.id())),
        BodyKind::Dynamic if body.mass() <= 0.0 => Err(ControllerError::NoMass(body.id())),
        _ => Ok(()),
    }
}

fn walker_mut(
    walkers: &mut [Option<Walker>],
    agent: AgentId,
) -> Result<&mut Walker, ControllerError> {
    let walker = walkers.get_mut(agent.slot()).and_then(Option::as_mut);
    walker
        .filter(|walker| walker.agent == agent)
        .ok_or(ControllerError::NoWalker(agent))
}

/// Returns what the solid shapes of a body collide with.
fn filter_of(body: &BodyRef<'_>) -> QueryFilter {
    let mut filter = QueryFilter {
        category: 0,
        mask: 0,
        sensors: Sensors::Ignored,
    };
    for shape in body.shapes().filter(|shape| !shape.is_sensor()) {
        filter.category |= shape.filter().category;
        filter.mask |= shape.filter().mask;
    }
    filter
}

fn onlooker<'a>(crowd: &'a Crowd, id: AgentId, agent: &AgentDef) -> Onlooker<'a> {
    Onlooker {
        crowd,
        agent: id,
        position: agent.position,
        radius: agent.radius,
        mask: agent.mask,
    }
}

/// Returns the target and the preferred velocity that lead to where the walker heads.
fn aim(route: &Route, agent: &AgentDef, heading: Heading) -> (Option<Target>, Vec2) {
    match heading {
        Heading::Goal(point) => {
            let (radius, speed) = (route.arrival_radius, route.speed);
            (
                Some(Target {
                    point,
                    radius,
                    speed,
                }),
                Vec2::zeros(),
            )
        }
        Heading::Onward(point) => {
            let way = (point - agent.position).try_normalize(0.0);
            (None, way.unwrap_or_default() * route.speed)
        }
        Heading::Nowhere => (None, Vec2::zeros()),
    }
}
