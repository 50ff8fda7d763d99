//! Crowds: agents that steer around each other and around obstacles.

use crate::error::{refused, set};
use crate::events::object;
use crate::fields::{Fields, getters, points_of, put};
use cairn2d::crowd::{
    AgentDef, AgentId, AgentMut, Crowd, CrowdError, ObstacleDef, ObstacleId, Target,
};
use cairn2d::{WorldPoint, vec2};
use js_sys::Float64Array;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "
/** Where an agent walks: a place [m], the radius within which it has arrived [m], and its speed [m/s]. */
export interface AgentTarget { point: Vec; radius?: number; speed?: number }
/** Defines an agent. */
export interface AgentDef {
  position?: Vec;
  velocity?: Vec;
  /** [m], [m/s], [m/s^2]. */
  radius?: number;
  maxSpeed?: number;
  maxAcceleration?: number;
  target?: AgentTarget;
  /** Time for which collisions are foreseen, with agents and with obstacles [s]. */
  timeHorizon?: number;
  obstacleHorizon?: number;
  /** Range in which others are seen [m], and most of them. */
  neighborRange?: number;
  neighborLimit?: number;
  /** Agents of a lower priority make way: 0 to 255. */
  priority?: number;
}
/** State of an agent. */
export interface AgentState { x: number; y: number; vx: number; vy: number; arrived: boolean; stuck: boolean }
";

#[wasm_bindgen]
extern "C" {
    /// See above.
    #[wasm_bindgen(typescript_type = "AgentDef")]
    pub type JsAgentDef;
    /// See above.
    #[wasm_bindgen(typescript_type = "AgentState")]
    pub type JsAgentState;
}

getters! {
    max_speed "maxSpeed" f64; max_acceleration "maxAcceleration" f64; agent_target "target" Fields; point "point" Fields;
    time_horizon "timeHorizon" f64; obstacle_horizon "obstacleHorizon" f64; neighbor_range "neighborRange" f64;
    neighbor_limit "neighborLimit" u32; priority "priority" u8;
}

fn target(from: &Fields) -> Target {
    let point = from.point().map(|point| point.to_place());
    let mut target = Target {
        point: point.unwrap_or(WorldPoint::new(f64::NAN, f64::NAN)),
        radius: USUAL_TARGET_RADIUS,
        speed: USUAL_SPEED,
    };
    put(&mut target.radius, from.radius());
    put(&mut target.speed, from.speed());
    target
}

/// Radius of a target without one in its object [m].
const USUAL_TARGET_RADIUS: f32 = 0.1;

/// Speed to a target without one in its object [m/s]: that of a pedestrian.
const USUAL_SPEED: f32 = 1.3;

fn agent_def(from: &Fields) -> AgentDef {
    let mut def = AgentDef::default();
    if let Some(position) = from.position() {
        def.position = position.to_place();
    }
    if let Some(velocity) = from.velocity() {
        def.velocity = velocity.to_vec2();
    }
    put(&mut def.radius, from.radius());
    put(&mut def.max_speed, from.max_speed());
    put(&mut def.max_acceleration, from.max_acceleration());
    put(&mut def.time_horizon, from.time_horizon());
    put(&mut def.obstacle_horizon, from.obstacle_horizon());
    put(&mut def.neighbor_range, from.neighbor_range());
    let limit = from.neighbor_limit();
    def.neighbor_limit = limit.map_or(def.neighbor_limit, |limit| limit as usize);
    def.priority = from.priority().unwrap_or(def.priority);
    def.target = from.agent_target().as_ref().map(target);
    def
}

/// Many agents that walk to their targets without touching each other.
#[wasm_bindgen(js_name = Crowd)]
#[derive(Default)]
pub struct WebCrowd {
    crowd: Crowd,
    /// Ids in order of creation: an agent is named by its place here.
    agents: Vec<AgentId>,
    obstacles: Vec<ObstacleId>,
    positions: Vec<f64>,
}

fn thrown(error: &CrowdError) -> JsValue {
    refused("crowd:", &error.to_string())
}

impl WebCrowd {
    fn agent_mut(&mut self, agent: usize) -> Result<AgentMut<'_>, JsValue> {
        let id = self.agents.get(agent).copied();
        let agent = id.and_then(|id| self.crowd.get_agent_mut(id));
        agent.ok_or_else(|| refused("agent", "does not exist"))
    }
}

#[wasm_bindgen(js_class = Crowd)]
impl WebCrowd {
    /// Creates an empty crowd.
    #[wasm_bindgen(constructor)]
    pub fn new() -> WebCrowd {
        Self::default()
    }

    /// Creates an agent and returns its number, counted from 0. Throws for invalid numbers.
    #[wasm_bindgen(js_name = createAgent)]
    pub fn create_agent(&mut self, def: JsAgentDef) -> Result<usize, JsValue> {
        let def = agent_def(def.unchecked_ref());
        let made = self.crowd.try_create_agent(def);
        let agent = made.map_err(|error| thrown(&error))?;
        self.agents.push(agent);
        Ok(self.agents.len() - 1)
    }

    /// Removes an agent; returns false if there is none of this number any more.
    #[wasm_bindgen(js_name = destroyAgent)]
    pub fn destroy_agent(&mut self, agent: usize) -> bool {
        let agent = self.agents.get(agent);
        agent.is_some_and(|&agent| self.crowd.destroy_agent(agent))
    }

    /// Sets the place to which an agent walks [m], the radius within which it has arrived [m], and its speed [m/s].
    #[wasm_bindgen(js_name = setTarget)]
    pub fn set_target(
        &mut self,
        agent: usize,
        x: f64,
        y: f64,
        radius: f32,
        speed: f32,
    ) -> Result<(), JsValue> {
        let point = WorldPoint::new(x, y);
        let mut agent = self.agent_mut(agent)?;
        let target = Some(Target {
            point,
            radius,
            speed,
        });
        agent.try_set_target(target).map_err(|error| thrown(&error))
    }

    /// Lets an agent walk with a velocity [m/s], without a target.
    #[wasm_bindgen(js_name = setPreferredVelocity)]
    pub fn set_preferred_velocity(&mut self, agent: usize, x: f32, y: f32) -> Result<(), JsValue> {
        let mut agent = self.agent_mut(agent)?;
        agent.try_set_target(None).map_err(|error| thrown(&error))?;
        let set = agent.try_set_preferred_velocity(vec2(x, y));
        set.map_err(|error| thrown(&error))
    }

    /// Moves an agent to a place [m] and gives it a velocity [m/s].
    #[wasm_bindgen(js_name = setMotion)]
    pub fn set_motion(
        &mut self,
        agent: usize,
        x: f64,
        y: f64,
        vx: f32,
        vy: f32,
    ) -> Result<(), JsValue> {
        let set = self
            .agent_mut(agent)?
            .try_set_motion(WorldPoint::new(x, y), vec2(vx, vy));
        set.map_err(|error| thrown(&error))
    }

    /// State of an agent, or undefined if it is gone.
    #[wasm_bindgen(js_name = agentState)]
    pub fn agent_state(&self, agent: usize) -> Option<JsAgentState> {
        let agent = self.crowd.get_agent(*self.agents.get(agent)?)?;
        let (at, velocity) = (agent.position(), agent.velocity());
        let state = object(&[
            ("x", at.x),
            ("y", at.y),
            ("vx", velocity.x.into()),
            ("vy", velocity.y.into()),
        ]);
        set(&state, "arrived", agent.has_arrived().into());
        set(&state, "stuck", agent.is_stuck().into());
        Some(state.unchecked_into())
    }

    /// Adds a closed obstacle through points [m], counter-clockwise; returns its number, counted from 0.
    #[wasm_bindgen(js_name = createObstacle)]
    pub fn create_obstacle(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Points")] points: &[f32],
    ) -> Result<usize, JsValue> {
        let obstacle = ObstacleDef::ring(points_of(points));
        let made = self.crowd.try_create_obstacle(obstacle);
        self.obstacles.push(made.map_err(|error| thrown(&error))?);
        Ok(self.obstacles.len() - 1)
    }

    /// Removes an obstacle; returns false if there is none of this number any more.
    #[wasm_bindgen(js_name = destroyObstacle)]
    pub fn destroy_obstacle(&mut self, obstacle: usize) -> bool {
        let obstacle = self.obstacles.get(obstacle);
        obstacle.is_some_and(|&obstacle| self.crowd.destroy_obstacle(obstacle))
    }

    /// Lets time pass [s].
    pub fn step(&mut self, dt: f32) -> Result<(), JsValue> {
        self.crowd.try_step(dt).map_err(|error| thrown(&error))
    }

    /// Places of all agents in order of their numbers: x, y [m]; NaN where an agent is gone.
    pub fn positions(&mut self) -> Float64Array {
        self.positions.clear();
        for &agent in &self.agents {
            let at = self.crowd.get_agent(agent).map(|agent| agent.position());
            self.positions
                .extend(at.map_or([f64::NAN; 2], |at| [at.x, at.y]));
        }
        self.positions.as_slice().into()
    }
}
