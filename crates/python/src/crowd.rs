//! Crowds: agents that steer around each other and around obstacles, independent of worlds.

use crate::argument::{Pair, definition, matrix, normalized, points};
use crate::error::{Class, Refusal, finite, refuse};
use crate::query::rows_array;
use crate::record::{pair, place, record};
use crate::world::in_parts;
use cairn2d::crowd::{
    AgentDef, AgentId, CrowdDef, CrowdEventKind, Motion, ObstacleDef, ObstacleId, Outline,
};
use cairn2d::{Vec2, math};
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Agents and obstacles that are simulated together; `threads` changes no result.
#[pyclass(module = "cairn2d._native", weakref)]
pub(crate) struct Crowd {
    crowd: cairn2d::crowd::Crowd,
}

/// Borrows a crowd to read it.
fn borrow<'py>(crowd: &Bound<'py, Crowd>) -> PyResult<PyRef<'py, Crowd>> {
    crowd.try_borrow().map_err(|_| busy())
}

/// Borrows a crowd to change it.
fn borrow_mut<'py>(crowd: &Bound<'py, Crowd>) -> PyResult<PyRefMut<'py, Crowd>> {
    crowd.try_borrow_mut().map_err(|_| busy())
}

fn busy() -> PyErr {
    refuse(Refusal::new(
        Class::WorldBusy,
        "the crowd is in use by a step on another thread",
    ))
}

fn stale(what: &str) -> PyErr {
    refuse(Refusal::new(
        Class::StaleHandle,
        format!("the {what} does not exist any more"),
    ))
}

#[pymethods]
impl Crowd {
    #[new]
    #[pyo3(signature = (**fields))]
    fn new(py: Python<'_>, fields: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let def: CrowdDef = definition(&normalized(py, fields)?)?;
        let crowd = cairn2d::crowd::Crowd::try_new(def).map_err(refuse)?;
        Ok(Self { crowd })
    }

    /// Adds an agent. Keyword arguments are the fields of its definition, such as `position` [m], `radius` [m],
    /// `max_speed` [m/s] and `target`, a tuple of point [m], radius [m] and speed [m/s].
    #[pyo3(signature = (**fields))]
    fn create_agent(slf: &Bound<'_, Self>, fields: Option<&Bound<'_, PyDict>>) -> PyResult<Agent> {
        let def: AgentDef = definition(&normalized(slf.py(), fields)?)?;
        let id = borrow_mut(slf)?
            .crowd
            .try_create_agent(def)
            .map_err(refuse)?;
        Ok(Agent {
            crowd: slf.clone().unbind(),
            id,
        })
    }

    /// Adds an obstacle through `vertices` (n, 2) [m] of a frame at `position` [m] and `angle` [rad]: a ring, solid on its
    /// left, or a line.
    #[pyo3(signature = (vertices, line = false, position = Pair([0.0, 0.0]), angle = 0.0, layers = 1))]
    fn create_obstacle(
        slf: &Bound<'_, Self>,
        vertices: &Bound<'_, PyAny>,
        line: bool,
        position: Pair,
        angle: f32,
        layers: u32,
    ) -> PyResult<Obstacle> {
        finite("angle", angle.into()).map_err(refuse)?;
        let def = ObstacleDef {
            points: points("vertices", vertices)?,
            outline: if line { Outline::Line } else { Outline::Ring },
            position: position.place(),
            rotation: math::rotation(angle),
            layers,
            ..ObstacleDef::default()
        };
        let id = borrow_mut(slf)?
            .crowd
            .try_create_obstacle(def)
            .map_err(refuse)?;
        Ok(Obstacle {
            crowd: slf.clone().unbind(),
            id,
        })
    }

    /// Moves all agents on by `count` steps of `dt` [s]. Other Python threads run meanwhile.
    #[pyo3(signature = (dt, count = 1))]
    fn step(slf: &Bound<'_, Self>, dt: f32, count: u32) -> PyResult<()> {
        let mut guard = borrow_mut(slf)?;
        let (crowd, py) = (&mut guard.crowd, slf.py());
        in_parts(py, count, |part| {
            py.detach(|| (0..part).try_for_each(|_| crowd.try_step(dt)))
                .map_err(refuse)
        })
    }

    /// The agents, in order of slot: the order of the rows of arrays.
    fn agents(slf: &Bound<'_, Self>) -> PyResult<Vec<Agent>> {
        let crowd = borrow(slf)?;
        Ok(crowd
            .crowd
            .agents()
            .map(|agent| Agent {
                crowd: slf.clone().unbind(),
                id: agent.id(),
            })
            .collect())
    }

    /// Number of agents.
    #[getter]
    fn agent_count(slf: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(borrow(slf)?.crowd.agent_count())
    }

    /// Hash of the state on which later steps depend.
    #[getter]
    fn state_hash(slf: &Bound<'_, Self>) -> PyResult<u64> {
        Ok(borrow(slf)?.crowd.state_hash())
    }

    /// Centers of all agents, an array (n, 2) [m].
    fn positions<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let crowd = borrow(slf)?;
        let rows: Vec<Vec<f64>> = crowd
            .crowd
            .agents()
            .map(|agent| vec![agent.position().x, agent.position().y])
            .collect();
        rows_array(slf.py(), &rows, 2)
    }

    /// Velocities of all agents, an array (n, 2) [m/s].
    fn velocities<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let crowd = borrow(slf)?;
        let rows: Vec<Vec<f32>> = crowd
            .crowd
            .agents()
            .map(|agent| vec![agent.velocity().x, agent.velocity().y])
            .collect();
        rows_array(slf.py(), &rows, 2)
    }

    /// Sets the preferred velocities of all agents, an array (n, 2) [m/s]; targets are removed.
    fn set_preferred_velocities(
        slf: &Bound<'_, Self>,
        velocities: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let ids: Vec<AgentId> = borrow(slf)?
            .crowd
            .agents()
            .map(|agent| agent.id())
            .collect();
        let velocities = matrix("velocities", velocities, Some(ids.len()), 2)?;
        let mut crowd = borrow_mut(slf)?;
        for (&id, row) in ids.iter().zip(velocities.as_slice()?.chunks_exact(2)) {
            let mut agent = crowd
                .crowd
                .get_agent_mut(id)
                .ok_or_else(|| stale("agent"))?;
            agent.try_set_target(None).map_err(refuse)?;
            agent
                .try_set_preferred_velocity(Vec2::new(row[0] as f32, row[1] as f32))
                .map_err(refuse)?;
        }
        Ok(())
    }

    /// Events of the last step, as `CrowdEvent` records: "arrived", "left", "stuck" or "freed".
    fn events<'py>(slf: &Bound<'py, Self>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let crowd = borrow(slf)?;
        let events = crowd.crowd.events().iter().map(|event| {
            let kind = match event.kind {
                CrowdEventKind::Arrived => "arrived",
                CrowdEventKind::Left => "left",
                CrowdEventKind::Stuck => "stuck",
                _ => "freed",
            };
            let agent = Agent {
                crowd: slf.clone().unbind(),
                id: event.agent,
            };
            record(slf.py(), "CrowdEvent", (agent, kind))
        });
        events.collect()
    }

    /// Whether a disc of `radius` [m] moves straight from one point to another [m] without touching an obstacle.
    #[pyo3(signature = (from_point, to_point, radius = 0.0, mask = u32::MAX))]
    fn is_visible(
        slf: &Bound<'_, Self>,
        from_point: Pair,
        to_point: Pair,
        radius: f32,
        mask: u32,
    ) -> PyResult<bool> {
        let (from, to) = (
            from_point.finite_place("from_point")?,
            to_point.finite_place("to_point")?,
        );
        finite("radius", radius.into()).map_err(refuse)?;
        let mut crowd = borrow_mut(slf)?;
        crowd.crowd.update_obstacles();
        Ok(crowd.crowd.is_visible(from, to, radius, mask))
    }

    fn __copy__(slf: &Bound<'_, Self>) -> PyResult<Self> {
        let crowd = borrow(slf)?.crowd.clone();
        Ok(Self { crowd })
    }

    fn __deepcopy__(slf: &Bound<'_, Self>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::__copy__(slf)
    }
}

/// An agent of a crowd; stale once it is destroyed.
#[pyclass(frozen, module = "cairn2d._native")]
pub(crate) struct Agent {
    crowd: Py<Crowd>,
    id: AgentId,
}

impl Agent {
    fn read<T>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(cairn2d::crowd::AgentRef<'_>) -> T,
    ) -> PyResult<T> {
        let crowd = borrow(self.crowd.bind(py))?;
        Ok(read(
            crowd
                .crowd
                .get_agent(self.id)
                .ok_or_else(|| stale("agent"))?,
        ))
    }

    fn change<E: Into<Refusal>>(
        &self,
        py: Python<'_>,
        change: impl FnOnce(cairn2d::crowd::AgentMut<'_>) -> Result<(), E>,
    ) -> PyResult<()> {
        let mut crowd = borrow_mut(self.crowd.bind(py))?;
        change(
            crowd
                .crowd
                .get_agent_mut(self.id)
                .ok_or_else(|| stale("agent"))?,
        )
        .map_err(refuse)
    }
}

#[pymethods]
impl Agent {
    /// Center [m].
    #[getter]
    fn position(&self, py: Python<'_>) -> PyResult<(f64, f64)> {
        self.read(py, |agent| place(agent.position()))
    }

    /// Velocity [m/s].
    #[getter]
    fn velocity(&self, py: Python<'_>) -> PyResult<(f32, f32)> {
        self.read(py, |agent| pair(agent.velocity()))
    }

    /// Radius [m].
    #[getter]
    fn radius(&self, py: Python<'_>) -> PyResult<f32> {
        self.read(py, |agent| agent.radius())
    }

    /// Whether it is at its target.
    #[getter]
    fn has_arrived(&self, py: Python<'_>) -> PyResult<bool> {
        self.read(py, |agent| agent.has_arrived())
    }

    /// Whether it makes no progress.
    #[getter]
    fn is_stuck(&self, py: Python<'_>) -> PyResult<bool> {
        self.read(py, |agent| agent.is_stuck())
    }

    /// Velocity that it takes without others [m/s].
    #[getter]
    fn preferred_velocity(&self, py: Python<'_>) -> PyResult<(f32, f32)> {
        self.read(py, |agent| pair(agent.preferred_velocity()))
    }

    #[setter]
    fn set_preferred_velocity(&self, py: Python<'_>, velocity: Pair) -> PyResult<()> {
        self.change(py, |mut agent| {
            agent.try_set_preferred_velocity(velocity.vec())
        })
    }

    /// Moves the agent to `position` [m] with `velocity` [m/s].
    fn set_motion(&self, py: Python<'_>, position: Pair, velocity: Pair) -> PyResult<()> {
        self.change(py, |mut agent| {
            agent.try_set_motion(position.place(), velocity.vec())
        })
    }

    /// Changes fields of the definition.
    #[pyo3(signature = (**fields))]
    fn configure(&self, py: Python<'_>, fields: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        let all = self
            .read(py, |agent| pythonize::pythonize(py, &agent.def()))??
            .cast_into::<PyDict>()?;
        all.update(normalized(py, fields)?.as_mapping())?;
        let def: AgentDef = definition(&all)?;
        self.change(py, |mut agent| agent.try_set_def(def))
    }

    /// Removes the agent.
    fn destroy(&self, py: Python<'_>) -> PyResult<()> {
        let destroyed = borrow_mut(self.crowd.bind(py))?
            .crowd
            .destroy_agent(self.id);
        if destroyed {
            Ok(())
        } else {
            Err(stale("agent"))
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Self>().map(|other| other.get());
        other.is_ok_and(|other| other.id == self.id && other.crowd.is(&self.crowd))
    }

    fn __hash__(&self) -> u64 {
        self.id.index().into()
    }
}

/// An obstacle of a crowd; stale once it is destroyed.
#[pyclass(frozen, module = "cairn2d._native")]
pub(crate) struct Obstacle {
    crowd: Py<Crowd>,
    id: ObstacleId,
}

#[pymethods]
impl Obstacle {
    /// Moves the obstacle to `position` [m] and `angle` [rad], with `velocity` [m/s] and `angular_velocity` [rad/s].
    #[pyo3(signature = (position, angle = 0.0, velocity = Pair([0.0, 0.0]), angular_velocity = 0.0))]
    fn set_motion(
        &self,
        py: Python<'_>,
        position: Pair,
        angle: f32,
        velocity: Pair,
        angular_velocity: f32,
    ) -> PyResult<()> {
        finite("angle", angle.into()).map_err(refuse)?;
        let motion = Motion {
            position: position.place(),
            rotation: math::rotation(angle),
            velocity: velocity.vec(),
            angular_velocity,
        };
        let mut crowd = borrow_mut(self.crowd.bind(py))?;
        let mut obstacle = crowd
            .crowd
            .get_obstacle_mut(self.id)
            .ok_or_else(|| stale("obstacle"))?;
        obstacle.try_set_motion(motion).map_err(refuse)
    }

    /// Removes the obstacle.
    fn destroy(&self, py: Python<'_>) -> PyResult<()> {
        let destroyed = borrow_mut(self.crowd.bind(py))?
            .crowd
            .destroy_obstacle(self.id);
        if destroyed {
            Ok(())
        } else {
            Err(stale("obstacle"))
        }
    }
}
