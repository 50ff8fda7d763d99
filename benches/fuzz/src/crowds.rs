//! Calls on a crowd controller: walkers, routes, links, agents and obstacles of one's own.

use crate::definitions::Fields;
use crate::episode::Episode;
use crate::values::Values;
use cairn2d::crowd::{AgentDef, AgentId, CrowdDef, Model, Motion, ObstacleDef, ObstacleId, Target};
use cairn2d::math::{WorldPoint, rotation};
use cairn2d::prelude::*;
use std::hint::black_box;

/// Most agents of a crowd.
const MOST_AGENTS: usize = 12;

const AGENT_NUMBERS: &Fields<AgentDef> = &[
    |def, x| def.position.x = x.into(),
    |def, x| def.velocity.x = x,
    |def, x| def.preferred_velocity.y = x,
    |def, x| def.radius = x,
    |def, x| def.max_speed = x,
    |def, x| def.max_acceleration = x,
    |def, x| def.max_turn_rate = x,
    |def, x| def.neighbor_limit = x as usize,
    |def, x| def.neighbor_range = x,
    |def, x| def.time_horizon = x,
    |def, x| def.obstacle_horizon = x,
    |def, x| def.weight = x,
    |def, x| def.bias = x,
    |def, x| def.recovery_time = x,
    |def, x| def.recovery_speed = x,
];

const ROUTE_NUMBERS: &Fields<Route> = &[
    |route, x| route.speed = x,
    |route, x| route.arrival_radius = x,
    |route, x| route.look_ahead = x,
];

const WALKER_NUMBERS: &Fields<CrowdBodyDef> = &[
    |def, x| def.max_force = x,
    |def, x| def.turn_rate = x,
    |def, x| def.agent.radius = x,
    |def, x| def.agent.obstacle_horizon = x,
];

impl Values {
    fn target(&mut self) -> Option<Target> {
        let target = Target {
            point: self.any_place(),
            radius: self.any(),
            speed: self.any(),
        };
        self.maybe(target)
    }

    fn agent_def(&mut self) -> AgentDef {
        let mut def = AgentDef {
            position: self.place(),
            preferred_velocity: self.usual_vector(),
            priority: self.below(4) as u8,
            model: self.pick(&[
                Model::Orca,
                Model::Orca,
                Model::VelocityObstacle,
                Model::Reciprocal,
                Model::Hybrid,
            ]),
            max_turn_rate: self.pick(&[f32::INFINITY, 3.0]),
            ..AgentDef::default()
        };
        self.spoil(&mut def, AGENT_NUMBERS);
        def
    }

    fn route(&mut self) -> Route {
        let mut route = match self.below(3) {
            0 => Route::to(self.any_place()),
            _ => Route::through(self.places(5)),
        };
        if self.below(3) == 0 {
            let start = self.pick(&[0, 1, 2, 3, usize::MAX]);
            route = route.link(start, 7);
        }
        self.spoil(&mut route, ROUTE_NUMBERS);
        route
    }

    fn walker_def(&mut self) -> CrowdBodyDef {
        let mut def = CrowdBodyDef {
            agent: self.agent_def(),
            ..CrowdBodyDef::default()
        };
        if self.flag() {
            def.max_force = 50.0;
        }
        self.spoil(&mut def, WALKER_NUMBERS);
        def
    }

    fn obstacle(&mut self) -> ObstacleDef {
        let count = self.below(6);
        let points: Vec<Point> = (0..count).map(|_| self.any_point()).collect();
        let def = if self.flag() {
            ObstacleDef::ring(points)
        } else {
            ObstacleDef::line(points)
        };
        ObstacleDef {
            position: self.any_place(),
            velocity: self.any_vector(),
            share: self.range(-0.1, 1.1),
            ..def
        }
    }

    fn motion(&mut self) -> Motion {
        Motion {
            position: self.any_place(),
            rotation: rotation(self.usual()),
            velocity: self.any_vector(),
            angular_velocity: self.any(),
        }
    }
}

impl Episode {
    pub(crate) fn call_crowd(&mut self) {
        match self.values.below(16) {
            0..=4 => self.update_crowd(),
            5 | 6 => self.attach_walker(),
            7 | 8 => self.follow_route(),
            9 => self.set_body_def(),
            10 => self.cross_link(),
            11 => self.set_agent(),
            12 => self.change_agents(),
            13 => self.change_obstacles(),
            14 => self.read_crowd(),
            _ => self.detach_walker(),
        }
    }

    fn agent(&mut self) -> Option<AgentId> {
        let count = self.agents.len();
        (count > 0).then(|| self.agents[self.values.below(count)])
    }

    /// Lets the walkers decide; the path-finder answers with anything valid, or with nothing.
    fn update_crowd(&mut self) {
        let dt = self.values.dt();
        let dt = if dt >= 0.0 { dt } else { 0.0 };
        let corner = self.values.place();
        let finds = self.values.flag();
        self.note(|| format!("crowd.update({dt}), path by {corner:?}: {finds}"));
        let is_inside = corner.x.abs() <= 1.0e9 && corner.y.abs() <= 1.0e9;
        let mut finder = |query: &PathQuery<'_>| {
            black_box(query.is_clear(query.from, query.goal));
            (finds && is_inside).then(|| vec![corner, query.goal])
        };
        self.crowd.update_with(&mut self.world, dt, &mut finder);
        self.crowd.assert_consistent();
    }

    fn attach_walker(&mut self) {
        let (body, mut def) = (self.body(), self.values.walker_def());
        if self.agents.len() >= MOST_AGENTS {
            return self.detach_walker();
        }
        let fits = self.values.flag();
        self.note(|| format!("try_attach({body:?}, {def:?}), around it: {fits}"));
        if fits && self.world.get_body(body).is_some() {
            def = CrowdBodyDef::around(&self.world, body);
        }
        let made = self.crowd.try_attach(&self.world, body, &def);
        if let Some(agent) = self.settle(made) {
            self.agents.push(agent);
        }
    }

    fn detach_walker(&mut self) {
        let Some(agent) = self.agent() else {
            return;
        };
        self.note(|| format!("detach({agent:?})"));
        self.crowd.detach(&mut self.world, agent);
        self.crowd.crowd_mut().destroy_agent(agent);
        self.agents.retain(|&other| other != agent);
    }

    fn follow_route(&mut self) {
        let route = self.values.route();
        let Some(agent) = self.agent() else {
            return;
        };
        self.note(|| format!("try_follow({agent:?}, {route:?})"));
        let before = self.crowd.route(agent).cloned();
        if self.crowd.try_follow(agent, route).is_err() {
            assert_eq!(self.crowd.route(agent), before.as_ref());
        }
    }

    fn set_body_def(&mut self) {
        let def = self.values.walker_def();
        let Some(agent) = self.agent() else {
            return;
        };
        self.note(|| format!("try_set_body_def({agent:?}, {def:?})"));
        let before = self.crowd.walker(agent).cloned();
        if self.crowd.try_set_body_def(agent, &def).is_err() {
            assert_eq!(self.crowd.walker(agent), before.as_ref());
        }
    }

    fn cross_link(&mut self) {
        let which = self.values.below(4);
        let Some(agent) = self.agent() else {
            return;
        };
        self.note(|| format!("link of {agent:?}: {which}"));
        black_box(match which {
            0 => self.crowd.cross_on_foot(agent),
            1 => self.crowd.suspend(agent),
            2 => self.crowd.resume(agent),
            _ => self.crowd.halt(agent),
        });
    }

    fn set_agent(&mut self) {
        let (which, def) = (self.values.below(4), self.values.agent_def());
        let (target, motion) = (self.values.target(), self.values.motion());
        let Some(agent) = self.agent() else {
            return;
        };
        self.note(|| format!("agent {agent:?}, {which}: {def:?}, {target:?}, {motion:?}"));
        let crowd = self.crowd.crowd_mut();
        let before = crowd.state_hash();
        let Some(mut agent) = crowd.get_agent_mut(agent) else {
            return;
        };
        let now = agent.as_ref().def();
        let (position, velocity) = (motion.position, motion.velocity);
        let done = match which {
            0 => agent.try_set_def(def),
            1 => agent.try_set_def(AgentDef { target, ..now }),
            2 => agent.try_set_motion(position, velocity),
            _ => agent.try_set_def(AgentDef {
                preferred_velocity: velocity,
                ..now
            }),
        };
        if done.is_err() {
            assert_eq!(crowd.state_hash(), before, "refused: {done:?}");
        }
    }

    /// Agents without bodies, and how often all of them decide.
    fn change_agents(&mut self) {
        let def = self.values.agent_def();
        let steps = 1 + self.values.below(4) as u32;
        let makes = self.values.flag() && self.agents.len() < MOST_AGENTS;
        self.note(|| format!("create_agent({def:?}): {makes}, every {steps}"));
        let crowd = self.crowd.crowd_mut();
        crowd.set_def(CrowdDef {
            steering_interval: steps,
            ..*crowd.def()
        });
        if makes && let Ok(agent) = self.crowd.crowd_mut().try_create_agent(def) {
            self.agents.push(agent);
        }
    }

    fn change_obstacles(&mut self) {
        let (def, motion) = (self.values.obstacle(), self.values.motion());
        let which = self.values.below(3);
        self.note(|| format!("obstacle {which}: {def:?}, {motion:?}"));
        let crowd = self.crowd.crowd_mut();
        let last: Option<ObstacleId> = self.obstacles.last().copied();
        match (which, last) {
            (0, _) if self.obstacles.len() < MOST_AGENTS => {
                self.obstacles.extend(crowd.try_create_obstacle(&def));
            }
            (1, Some(obstacle)) => {
                black_box(crowd.obstacle_mut(obstacle).try_set_motion(motion).is_ok());
            }
            (_, Some(obstacle)) => {
                assert!(crowd.destroy_obstacle(obstacle), "{obstacle:?}");
                self.obstacles.pop();
            }
            _ => {}
        }
    }

    fn read_crowd(&mut self) {
        let (from, to) = (self.values.place(), self.values.place());
        let dt = self.values.dt().abs();
        self.note(|| format!("crowd: all getters, {from:?}, {to:?}, {dt}"));
        let crowd = self.crowd.crowd();
        let is_inside = |p: WorldPoint| p.x.abs() <= 1.0e12 && p.y.abs() <= 1.0e12;
        if is_inside(from) && is_inside(to) {
            black_box(crowd.is_visible(from, to, 0.3, u32::MAX));
        }
        for agent in crowd.agents() {
            black_box((agent.def(), agent.heading()));
            black_box((agent.has_arrived(), agent.is_stuck()));
            let id = agent.id();
            black_box((self.crowd.remaining_path(id), self.crowd.link(id)));
            if dt.is_finite() {
                black_box(agent.constraints(dt));
            }
        }
        for (agent, body) in self.crowd.walkers() {
            assert_eq!(self.crowd.agent_of(body), Some(agent));
            assert_eq!(self.crowd.body_of(agent), Some(body));
        }
        black_box((self.crowd.events(), crowd.events()));
        black_box((crowd.infeasible_count(), crowd.obstacles().count()));
    }
}
