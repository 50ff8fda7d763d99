//! Crowd controllers: agents of a crowd that move bodies of a world.

use crate::argument::{definition, matrix, normalized};
use crate::error::{Class, Refusal, refuse};
use crate::handle::{Body, World, borrow, borrow_mut, stale};
use crate::record::{place, record};
use cairn2d::crowd::{AgentDef, AgentId};
use cairn2d::{
    BodyId, ControllerDef, ControllerError, ControllerEventKind, CrowdBodyDef, Planning, Route,
    WorldPoint,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

impl From<ControllerError> for Refusal {
    fn from(error: ControllerError) -> Self {
        match error {
            ControllerError::Agent(error) => error.into(),
            ControllerError::Value(error) => error.into(),
            ControllerError::NoBody(_) => Self::new(Class::StaleHandle, error.to_string()),
            ControllerError::NoPoints => Self::argument("points", error.to_string()),
            _ => Self::argument("body", error.to_string()),
        }
    }
}

/// Drives bodies of a world as agents that steer around each other and around shapes.
///
/// Call `update` before each step, with the same `dt`. `push_ratio`: bodies of up to so many times the mass of the heaviest
/// agent are pushed, others are obstacles. `notice_speed`: speed of other bodies up to which agents avoid them in time [m/s].
#[pyclass(module = "cairn2d._native")]
pub(crate) struct CrowdController {
    world: Py<World>,
    controller: cairn2d::CrowdController,
}

impl CrowdController {
    /// The agent of a body.
    fn agent(&self, py: Python<'_>, body: &Body) -> PyResult<AgentId> {
        let id = body.id_in(self.world.bind(py), "body")?;
        let missing = || {
            let message = "the body has no agent of this controller: attach it";
            refuse(Refusal::argument("body", message))
        };
        self.controller.agent_of(id).ok_or_else(missing)
    }

    fn handle(&self, py: Python<'_>, id: BodyId) -> Body {
        Body::new(self.world.bind(py), id)
    }
}

#[pymethods]
impl CrowdController {
    #[new]
    #[pyo3(signature = (world, push_ratio = 2.0, notice_speed = 5.0))]
    fn new(world: Bound<'_, World>, push_ratio: f32, notice_speed: f32) -> PyResult<Self> {
        let def = ControllerDef {
            push_ratio,
            notice_speed,
        };
        let controller = cairn2d::CrowdController::try_new(def).map_err(refuse)?;
        let world = world.unbind();
        Ok(Self { world, controller })
    }

    /// Gives a dynamic or kinematic body an agent: a disc that contains its shapes. `max_force` [N] moves a dynamic body,
    /// `turn_rate` [rad/s] turns its x axis to its motion. Other keyword arguments are fields of agents, such as `radius`
    /// [m], `max_speed` [m/s] and `priority`.
    #[pyo3(signature = (body, max_force = None, turn_rate = None, **fields))]
    fn attach(
        &mut self,
        py: Python<'_>,
        body: &Body,
        max_force: Option<f32>,
        turn_rate: Option<f32>,
        fields: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let world = self.world.bind(py);
        let id = body.id_in(world, "body")?;
        let guard = borrow(world)?;
        guard.world.get_body(id).ok_or_else(|| stale(id))?;
        let usual = CrowdBodyDef::around(&guard.world, id);
        let fields = normalized(py, fields)?;
        if !fields.contains("radius")? {
            fields.set_item("radius", usual.agent.radius)?;
        }
        let agent: AgentDef = definition(&fields)?;
        let def = CrowdBodyDef {
            agent,
            max_force: max_force.unwrap_or(usual.max_force),
            turn_rate: turn_rate.unwrap_or(usual.turn_rate),
        };
        let attached = self.controller.try_attach(&guard.world, id, &def);
        attached.map(|_| ()).map_err(refuse)
    }

    /// Takes the agent from a body, which keeps its motion, or stops if it is kinematic.
    fn detach(&mut self, py: Python<'_>, body: &Body) -> PyResult<()> {
        let agent = self.agent(py, body)?;
        let mut guard = borrow_mut(self.world.bind(py))?;
        self.controller.detach(&mut guard.world, agent);
        Ok(())
    }

    /// Lets a body walk through `points` (n, 2) [m] at `speed` [m/s]. It has arrived within `arrival_radius` [m] of the
    /// last, and cuts corners by `look_ahead` [m] where walls allow.
    #[pyo3(signature = (body, points, speed = 1.4, arrival_radius = 0.2, look_ahead = 1.0))]
    fn follow(
        &mut self,
        py: Python<'_>,
        body: &Body,
        points: &Bound<'_, PyAny>,
        speed: f32,
        arrival_radius: f32,
        look_ahead: f32,
    ) -> PyResult<()> {
        let agent = self.agent(py, body)?;
        let points = matrix("points", points, None, 2)?;
        let route = Route {
            points: points
                .as_slice()?
                .chunks_exact(2)
                .map(|row| WorldPoint::new(row[0], row[1]))
                .collect(),
            links: Vec::new(),
            speed,
            arrival_radius,
            look_ahead,
            planning: Planning::Fixed,
        };
        self.controller.try_follow(agent, route).map_err(refuse)
    }

    /// Stops a body where it is.
    fn halt(&mut self, py: Python<'_>, body: &Body) -> PyResult<()> {
        let agent = self.agent(py, body)?;
        self.controller.halt(agent);
        Ok(())
    }

    /// Whether a body has arrived at the end of its route.
    fn has_arrived(&self, py: Python<'_>, body: &Body) -> PyResult<bool> {
        let agent = self.agent(py, body)?;
        let agent = self.controller.crowd().get_agent(agent);
        Ok(agent.is_some_and(|agent| agent.has_arrived()))
    }

    /// The points of its route that are still ahead of a body [m].
    fn remaining_path(&self, py: Python<'_>, body: &Body) -> PyResult<Vec<(f64, f64)>> {
        let agent = self.agent(py, body)?;
        let points = self.controller.remaining_path(agent).iter();
        Ok(points.map(|&point| place(point)).collect())
    }

    /// Bodies with an agent.
    fn bodies(&self, py: Python<'_>) -> Vec<Body> {
        let bodies = self.controller.walkers();
        bodies.map(|(_, body)| self.handle(py, body)).collect()
    }

    /// Steers all agents for the coming step of `dt` [s], and sets forces and velocities of their bodies.
    fn update(&mut self, py: Python<'_>, dt: f32) -> PyResult<()> {
        let mut guard = borrow_mut(self.world.bind(py))?;
        self.controller
            .try_update(&mut guard.world, dt)
            .map_err(refuse)
    }

    /// Events of the last update, as `ControllerEvent` records.
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let events = self.controller.events().iter();
        let described = events.map(|event| {
            let kind = match event.kind {
                ControllerEventKind::BodyGone => "body_gone",
                ControllerEventKind::AgentGone => "agent_gone",
                ControllerEventKind::Parked => "parked",
                ControllerEventKind::Unparked => "unparked",
                ControllerEventKind::NoPath => "no_path",
                _ => "at_link",
            };
            record(py, "ControllerEvent", (self.handle(py, event.body), kind))
        });
        described.collect()
    }

    fn __repr__(&self) -> String {
        let count = self.controller.walker_count();
        format!("<cairn2d.CrowdController of {count} bodies>")
    }
}
