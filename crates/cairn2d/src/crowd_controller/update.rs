//! The update of the controller: from bodies to agents, and from agents back to bodies.

use super::agent_body::{AgentBody, BodyDrive};
use super::controller::{ControllerEvent, ControllerEventKind, CrowdController, check_body};
use super::error::ControllerError;
use super::off_mesh_link::{Crossing, Path};
use super::path_finder::{PathFinder, PathQuery, StraightPath};
use super::query_areas::{AreaLookahead, query_areas};
use super::route::{AgentView, Heading, Planning, Route, RouteProgress};
use super::world_obstacles::ObstacleRule;
use crate::numbers::not_negative;
use cairn2d_crowd::{AgentDef, AgentId, Crowd, MAX_MEASURE, Target};
use cairn2d_dynamics::{BodyId, BodyRef, MAX_STEP, MIN_STEP, QueryFilter, World};
use cairn2d_geometry::demand;
use cairn2d_geometry::math::Vec2;

impl CrowdController {
    /// Solves the crowd for a step of `dt` \[s\] and drives the bodies of walkers. Walkers that need a path
    /// go straight to their goal.
    ///
    /// A `dt` above [`MAX_STEP`] counts as that, as in [`World::step`]; a `dt` of 0, or below [`MIN_STEP`],
    /// has no effect.
    ///
    /// # Panics
    /// If `dt` is negative or not finite; [`try_update`](Self::try_update) returns the error instead.
    #[track_caller]
    pub fn update(&mut self, world: &mut World, dt: f32) {
        self.update_with(world, dt, &mut StraightPath);
    }

    /// Like [`update`](Self::update) for a step of `dt` \[s\], but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `dt` is negative or not finite.
    #[track_caller]
    pub fn try_update(&mut self, world: &mut World, dt: f32) -> Result<(), ControllerError> {
        self.try_update_with(world, dt, &mut StraightPath)
    }

    /// Like [`update`](Self::update) for a step of `dt` \[s\], with a path finder for walkers whose route is
    /// [`Planning::Asked`].
    ///
    /// # Panics
    /// If `dt` is negative or not finite; [`try_update_with`](Self::try_update_with) returns the error instead. If the
    /// path finder returns points that are not finite or outside of the world, or a link without end point.
    #[track_caller]
    pub fn update_with(&mut self, world: &mut World, dt: f32, finder: &mut impl PathFinder) {
        demand(self.try_update_with(world, dt, finder), "update");
    }

    /// Like [`update_with`](Self::update_with) for a step of `dt` \[s\], but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `dt` is negative or not finite.
    ///
    /// # Panics
    /// If the path finder returns points that are not finite or outside of the world, or a link without end point.
    #[track_caller]
    pub fn try_update_with(
        &mut self,
        world: &mut World,
        dt: f32,
        finder: &mut impl PathFinder,
    ) -> Result<(), ControllerError> {
        not_negative("dt", dt)?;
        let dt = dt.min(MAX_STEP);
        self.events.clear();
        if dt < MIN_STEP {
            return Ok(());
        }
        self.detach_lost(world);
        self.read_body_states(world);
        self.update_obstacles(world);
        self.steer_agents(world, dt, finder);
        self.crowd.solve(dt);
        self.drive_bodies(world, dt);
        self.move_agents_without_body(dt);
        Ok(())
    }

    fn report(&mut self, walker: &AgentBody, kind: ControllerEventKind) {
        let (agent, body) = (walker.agent, walker.body);
        self.events.push(ControllerEvent { agent, body, kind });
    }

    /// Removes walkers that lost their body or agent.
    fn detach_lost(&mut self, world: &World) {
        for slot in 0..self.walkers.len() {
            let Some(walker) = &self.walkers[slot] else {
                continue;
            };
            let (agent, body) = (walker.agent, walker.body);
            let has_agent = self.crowd.get_agent(agent).is_some();
            if has_agent && world.get_body(body).is_some() {
                continue;
            }
            if let Some(walker) = self.drop_walker(agent) {
                self.crowd.destroy_agent(agent);
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

    /// Copies positions and velocities of bodies to agents, and parks agents whose body does not take part.
    fn read_body_states(&mut self, world: &World) {
        let mut walkers = core::mem::take(&mut self.walkers);
        for walker in walkers.iter_mut().flatten() {
            let body = world.body(walker.body);
            let moved = self
                .crowd
                .agent_mut(walker.agent)
                .try_set_motion(body.center_exact(), body.velocity());
            let takes_part = body.is_enabled()
                && check_body(&body).is_ok()
                && moved.is_ok()
                && !walker.is_suspended();
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

    /// Makes the agent ignore all others, and all others ignore it.
    fn park(&mut self, walker: &mut AgentBody) {
        let now = self.crowd.agent(walker.agent).def();
        self.crowd.agent_mut(walker.agent).set_def(AgentDef {
            velocity: Vec2::zeros(),
            preferred_velocity: Vec2::zeros(),
            target: None,
            layers: 0,
            mask: 0,
            ..now
        });
        walker.parked = Some(now);
        self.report(walker, ControllerEventKind::Parked);
    }

    fn unpark(&mut self, walker: &mut AgentBody, waiting: AgentDef, body: &BodyRef<'_>) {
        self.crowd.agent_mut(walker.agent).set_def(AgentDef {
            position: body.center_exact(),
            velocity: body.velocity(),
            ..waiting
        });
        walker.mass = f32::NAN;
        self.report(walker, ControllerEventKind::Unparked);
    }

    fn limit_acceleration(&mut self, walker: &mut AgentBody, body: &BodyRef<'_>) {
        walker.mass = body.mass();
        let now = self.crowd.agent(walker.agent).def();
        let max_acceleration = walker.def.acceleration(body.kind(), body.mass());
        let next = AgentDef {
            max_acceleration,
            ..now
        };
        self.crowd.agent_mut(walker.agent).set_def(next);
    }

    /// Updates the obstacles from the shapes near the walkers.
    fn update_obstacles(&mut self, world: &World) {
        let mut lookaheads = Vec::with_capacity(self.bodies.len());
        let mut max_mass = 0.0f32;
        for walker in self.walkers.iter().flatten().filter(|w| w.parked.is_none()) {
            let body = world.body(walker.body);
            let agent = &walker.def.agent;
            let speed = agent.max_speed + self.def.notice_speed;
            max_mass = max_mass.max(body.mass());
            lookaheads.push(AreaLookahead {
                position: body.center_exact(),
                reach: agent.radius + agent.obstacle_horizon * speed,
                filter: filter_of(&body),
            });
        }
        let bodies: Vec<BodyId> = self.bodies.iter().map(|(body, _)| *body).collect();
        // An infinite ratio times a mass of 0 is NaN: then no body is pushed.
        let push_mass = (self.def.push_ratio * max_mass).max(0.0);
        let rule = ObstacleRule {
            walkers: &bodies,
            push_mass,
        };
        self.obstacles
            .update(world, &mut self.crowd, &query_areas(&lookaheads), &rule);
    }

    /// Sets targets and preferred velocities of the walkers with a route.
    #[track_caller]
    fn steer_agents(&mut self, world: &World, dt: f32, finder: &mut impl PathFinder) {
        let mut walkers = core::mem::take(&mut self.walkers);
        let mut is_sight_fresh = false;
        for walker in walkers.iter_mut().flatten() {
            if walker.progress.is_none() || walker.parked.is_some() {
                continue;
            }
            if !core::mem::replace(&mut is_sight_fresh, true) {
                self.crowd.update_obstacles();
            }
            self.steer_agent(world, walker, dt, finder);
        }
        self.walkers = walkers;
    }

    #[track_caller]
    fn steer_agent(
        &mut self,
        world: &World,
        walker: &mut AgentBody,
        dt: f32,
        finder: &mut impl PathFinder,
    ) {
        let Some(mut progress) = walker.progress.take() else {
            return;
        };
        let agent = self.crowd.agent(walker.agent).def();
        if progress.take_replan_request()
            && !self.plan_path(world, walker, &agent, &mut progress, finder)
        {
            self.report(walker, ControllerEventKind::NoPath);
        }
        let agent_view = agent_view(&self.crowd, walker.agent, &agent);
        let before = progress.crossing;
        let heading = progress.heading(&agent_view, dt);
        if let (Crossing::Waiting, Some(link)) = (progress.crossing, progress.link())
            && before != Crossing::Waiting
        {
            self.report(walker, ControllerEventKind::AtLink { kind: link.kind });
        }
        let (target, preferred) = target_for(&progress.route, &agent, heading);
        if agent.target != target {
            self.crowd.agent_mut(walker.agent).set_target(target);
        }
        self.crowd
            .agent_mut(walker.agent)
            .set_preferred_velocity(preferred);
        walker.progress = Some(progress);
    }

    /// Requests a new path, or returns to the fixed one; returns `true` if there is a path.
    #[track_caller]
    fn plan_path(
        &self,
        world: &World,
        walker: &AgentBody,
        agent: &AgentDef,
        progress: &mut RouteProgress,
        finder: &mut impl PathFinder,
    ) -> bool {
        if progress.route.planning == Planning::Fixed {
            progress.backtrack(&agent_view(&self.crowd, walker.agent, agent));
            return true;
        }
        let query = PathQuery {
            world,
            crowd: &self.crowd,
            agent: walker.agent,
            from: agent.position,
            goal: progress.goal(),
            radius: agent.radius,
            filter: filter_of(&world.body(walker.body)),
        };
        let path = finder.find_path(&query).unwrap_or_default();
        let route = Route {
            points: path.points,
            links: path.links,
            ..progress.route.clone()
        };
        match route.validate() {
            Ok(()) => progress.take(Path {
                points: route.points,
                links: route.links,
            }),
            Err(ControllerError::NoPoints) => return false,
            Err(error) => panic!("the path of the path finder is invalid: {error}"),
        }
        true
    }

    /// Drives the bodies to the new velocities.
    fn drive_bodies(&self, world: &mut World, dt: f32) {
        for walker in self.walkers.iter().flatten().filter(|w| w.parked.is_none()) {
            let agent = self.crowd.agent(walker.agent);
            let drive = BodyDrive {
                def: &walker.def,
                radius: walker.def.agent.radius,
                target_velocity: agent.new_velocity(),
                acceleration: agent.def().max_acceleration,
                dt,
            };
            drive.apply_to(&mut world.body_mut(walker.body));
        }
    }

    /// Moves the agents without a body.
    fn move_agents_without_body(&mut self, dt: f32) {
        if self.crowd.agent_count() == self.bodies.len() {
            return;
        }
        let agents: Vec<AgentId> = self.crowd.agents().map(|agent| agent.id()).collect();
        for agent in agents {
            let slot = self.walkers.get(agent.index() as usize);
            if slot.is_some_and(|walker| walker.as_ref().is_some_and(|w| w.agent == agent)) {
                continue;
            }
            let mut agent = self.crowd.agent_mut(agent);
            let velocity = agent.as_ref().new_velocity();
            let position = agent.as_ref().position() + velocity * dt;
            // An agent that reaches the edge of the plane stops there.
            let _ = agent.try_set_motion(position, velocity);
        }
    }
}

/// Returns the filter of the shapes that the solid shapes of a body collide with.
fn filter_of(body: &BodyRef<'_>) -> QueryFilter<'static> {
    let mut filter = QueryFilter {
        category: 0,
        mask: 0,
        ..QueryFilter::default()
    };
    for shape in body.shapes().filter(|shape| !shape.is_sensor()) {
        filter.category |= shape.filter().category;
        filter.mask |= shape.filter().mask;
    }
    filter
}

fn agent_view<'a>(crowd: &'a Crowd, id: AgentId, agent: &AgentDef) -> AgentView<'a> {
    AgentView {
        crowd,
        agent: id,
        position: agent.position,
        radius: agent.radius,
        mask: agent.mask,
    }
}

/// Returns the target and the preferred velocity for a heading.
fn target_for(route: &Route, agent: &AgentDef, heading: Heading) -> (Option<Target>, Vec2) {
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
            let direction = (point - agent.position).try_normalize(0.0);
            let preferred = direction.unwrap_or_default() * route.speed;
            // A component of a unit vector may exceed 1 by a rounding.
            let limit = MAX_MEASURE as f32;
            (
                None,
                preferred.map(|component| component.clamp(-limit, limit)),
            )
        }
        Heading::Wait | Heading::Nowhere => (None, Vec2::zeros()),
    }
}
