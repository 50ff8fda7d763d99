//! Crowds: agents that steer around each other and around obstacles.

use crate::error::refused;
use cairn2d::WorldPoint;
use cairn2d::crowd::{AgentDef, AgentId, Crowd, CrowdError, ObstacleDef, Target};
use js_sys::Float64Array;
use wasm_bindgen::prelude::*;

/// Many agents that walk to their targets without touching each other.
#[wasm_bindgen(js_name = Crowd)]
#[derive(Default)]
pub struct WebCrowd {
    crowd: Crowd,
    /// Ids in order of creation: an agent is named by its place here.
    agents: Vec<AgentId>,
    positions: Vec<f64>,
}

fn thrown(error: &CrowdError) -> JsValue {
    refused("crowd:", &error.to_string())
}

#[wasm_bindgen(js_class = Crowd)]
impl WebCrowd {
    /// Creates an empty crowd.
    #[wasm_bindgen(constructor)]
    pub fn new() -> WebCrowd {
        Self::default()
    }

    /// Creates an agent at a place [m] with a radius [m] and a greatest speed [m/s]; returns its number, counted from 0.
    #[wasm_bindgen(js_name = createAgent)]
    pub fn create_agent(
        &mut self,
        x: f64,
        y: f64,
        radius: f32,
        max_speed: f32,
    ) -> Result<usize, JsValue> {
        let position = WorldPoint::new(x, y);
        let def = AgentDef {
            position,
            radius,
            max_speed,
            ..AgentDef::default()
        };
        let agent = self
            .crowd
            .try_create_agent(def)
            .map_err(|error| thrown(&error))?;
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
        let id = self.agents.get(agent).copied();
        let agent = id.and_then(|id| self.crowd.get_agent_mut(id));
        let mut agent = agent.ok_or_else(|| refused("agent", "does not exist"))?;
        let target = Some(Target {
            point,
            radius,
            speed,
        });
        agent.try_set_target(target).map_err(|error| thrown(&error))
    }

    /// Adds a closed obstacle through points x, y, x, y [m], counter-clockwise.
    #[wasm_bindgen(js_name = createObstacle)]
    pub fn create_obstacle(&mut self, points: &[f32]) -> Result<(), JsValue> {
        let obstacle = ObstacleDef::ring(crate::fields::points_of(points));
        let made = self.crowd.try_create_obstacle(obstacle);
        made.map(|_| ()).map_err(|error| thrown(&error))
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
