//! An update of the controller: from bodies to agents, and from agents back to bodies.

use super::areas::{Outlook, areas};
use super::controller::{ControllerEvent, ControllerEventKind, CrowdController, check_body};
use super::error::{ControllerError, demand, not_negative};
use super::link::{Crossing, Path};
use super::path::{PathFinder, PathQuery, Straight};
use super::route::{Heading, Onlooker, Planning, Route, Travel};
use super::walker::{Drive, Walker};
use super::walls::Rule;
use cairn2d_crowd::{AgentDef, AgentId, Crowd, MAX_MEASURE, Target};
use cairn2d_dynamics::{BodyId, BodyRef, MAX_STEP, QueryFilter, World};
use cairn2d_geometry::math::Vec2;

impl CrowdController {
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
    /// If `dt` is negative or not finite, or the path-finder returns points that are not finite or out of the world,
    /// or a link without an end.
    #[track_caller]
    pub fn update_with(&mut self, world: &mut World, dt: f32, finder: &mut impl PathFinder) {
        demand(not_negative("dt", dt), "update");
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

    /// Stage 2: places and velocities of the bodies.
    fn read_bodies(&mut self, world: &World) {
        let mut walkers = core::mem::take(&mut self.walkers);
        for walker in walkers.iter_mut().flatten() {
            let body = world.body(walker.body);
            let moved =
                self.crowd
                    .try_set_motion(walker.agent, body.center_exact(), body.velocity());
            let takes_part = body.is_enabled()
                && check_body(&body).is_ok()
                && moved.is_ok()
                && !walker.is_carried();
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
            self.report(walker, ControllerEventKind::NoPath);
        }
        let onlooker = onlooker(&self.crowd, walker.agent, &agent);
        let before = travel.crossing;
        let heading = travel.head(&onlooker, dt);
        if let (Crossing::Waiting, Some(link)) = (travel.crossing, travel.link())
            && before != Crossing::Waiting
        {
            self.report(walker, ControllerEventKind::AtLink { kind: link.kind });
        }
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
        let way = finder.find_path(&query).unwrap_or_default();
        let route = Route {
            points: way.points,
            links: way.links,
            ..travel.route.clone()
        };
        match route.validate() {
            Ok(()) => travel.take(Path {
                points: route.points,
                links: route.links,
            }),
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
            let slot = self.walkers.get(agent.index());
            if slot.is_some_and(|walker| walker.as_ref().is_some_and(|w| w.agent == agent)) {
                continue;
            }
            let velocity = self.crowd.new_velocity(agent);
            let position = self.crowd.position(agent) + velocity * dt;
            // Who walks out of the plane stops at its edge.
            let _ = self.crowd.try_set_motion(agent, position, velocity);
        }
    }
}

/// Returns what the solid shapes of a body collide with.
fn filter_of(body: &BodyRef<'_>) -> QueryFilter {
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
            let wish = way.unwrap_or_default() * route.speed;
            // A component of a unit vector may exceed 1 by a rounding.
            let limit = MAX_MEASURE as f32;
            (None, wish.map(|component| component.clamp(-limit, limit)))
        }
        Heading::Wait | Heading::Nowhere => (None, Vec2::zeros()),
    }
}
