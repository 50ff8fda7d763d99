//! Batches: many environments that are stepped on threads by one call.

use crate::argument::Pair;
use crate::box2d::SolverSettings;
use crate::drawing::{Rgb, picture};
use crate::envs::environment::{ActionKind, AgentOutcome, Environment, Observation};
use crate::envs::kind::{Kind, Options};
use crate::envs::multiwalker::CarrierOptions;
use crate::envs::random::Random;
use crate::envs::team::Team;
use crate::error::{Refusal, refuse};
use cairn2d::{Aabb, BodyKind, Vec2};
use numpy::{
    PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods,
};
use pyo3::prelude::*;

/// Greatest number of environments of a batch: each takes some hundred kilobytes.
const MAX_COUNT: usize = 65_536;

/// Greatest number of walkers of an environment, as in PettingZoo.
const MAX_WALKERS: usize = 40;

/// Greatest number of pieces of the terrain of an environment: they are a body each.
const MAX_TERRAIN: usize = 100_000;

/// Greatest number of threads of a batch.
const MAX_THREADS: usize = 256;

/// When an environment whose episode ended starts the next one: the modes of Gymnasium.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Autoreset {
    /// In the next step, whose action is not used.
    NextStep,
    /// In the same step; the last observation is reported beside.
    SameStep,
    /// By the caller.
    Disabled,
}

/// One environment with its results.
struct Slot {
    environment: Box<dyn Environment>,
    random: Random,
    steps: u32,
    reward: f64,
    terminated: bool,
    truncated: bool,
    lap_finished: Option<bool>,
    /// Results of the last step for each agent, if there are several.
    agents: Vec<AgentOutcome>,
    observation: Observation,
    /// Last observation of an episode that ended, in the mode that resets in the same step.
    last_observation: Observation,
}

impl Slot {
    const fn is_done(&self) -> bool {
        self.terminated || self.truncated
    }

    fn reset(&mut self) {
        self.environment.reset(&mut self.random);
        self.environment.observe(&mut self.observation);
        self.environment.agents(&mut self.agents);
        (self.steps, self.reward) = (0, 0.0);
        (self.terminated, self.truncated) = (false, false);
        self.lap_finished = None;
    }

    fn step(&mut self, action: &[f32], mode: Autoreset, max_steps: u32) {
        if mode == Autoreset::NextStep && self.is_done() {
            return self.reset();
        }
        let outcome = self.environment.step(action, &mut self.random);
        self.environment.observe(&mut self.observation);
        self.environment.agents(&mut self.agents);
        self.steps += 1;
        let results = (outcome.reward, outcome.terminated, self.steps >= max_steps);
        if mode == Autoreset::SameStep && (results.1 || results.2) {
            self.last_observation.copy_from(&self.observation);
            // The results are those of the step, not of the new episode.
            let agents = std::mem::take(&mut self.agents);
            self.reset();
            self.agents = agents;
        }
        (self.reward, self.terminated, self.truncated) = results;
        self.lap_finished = outcome.lap_finished;
    }
}

type Flags<'py> = Bound<'py, PyArray1<bool>>;

/// Observations, rewards, terminations, truncations; if there were resets in the same step, the observations before them; if
/// races ended, whether their laps are complete and which they are.
type Results<'py> = (
    Bound<'py, PyAny>,
    Bound<'py, PyArray1<f64>>,
    Flags<'py>,
    Flags<'py>,
    Option<Bound<'py, PyAny>>,
    Option<(Flags<'py>, Flags<'py>)>,
);

/// Rewards, ends and whether it took part of each agent, with a row for each environment.
type AgentResults<'py> = (
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<bool>>,
    Bound<'py, PyArray2<bool>>,
);

/// A batch of environments of one kind: see `cairn2d.vector`.
#[pyclass(module = "cairn2d._native", name = "_Batch")]
pub(crate) struct Batch {
    slots: Vec<Slot>,
    kind: Kind,
    action: ActionKind,
    max_steps: u32,
    team: Team<Slot>,
    is_seeded: bool,
}

#[pymethods]
impl Batch {
    /// Makes `count` environments of a kind: "cart_pole", "lunar_lander", "bipedal_walker" or "car_racing".
    #[new]
    #[pyo3(signature = (
        kind, count, threads, max_steps, *, continuous = false, gravity = -10.0, enable_wind = false, wind_power = 15.0,
        turbulence_power = 1.5, hardcore = false, sutton_barto_reward = false, lap_complete_percent = 0.95,
        domain_randomize = false, substeps = SolverSettings::BOX2D.substeps,
        solver_budget = SolverSettings::BOX2D.solver_budget
    ))]
    #[expect(
        clippy::too_many_arguments,
        reason = "keyword arguments of a Python class"
    )]
    #[expect(
        clippy::fn_params_excessive_bools,
        reason = "the names are those of Gymnasium"
    )]
    fn new(
        kind: &str,
        count: usize,
        threads: usize,
        max_steps: u32,
        continuous: bool,
        gravity: f64,
        enable_wind: bool,
        wind_power: f64,
        turbulence_power: f64,
        hardcore: bool,
        sutton_barto_reward: bool,
        lap_complete_percent: f64,
        domain_randomize: bool,
        substeps: u32,
        solver_budget: u32,
    ) -> PyResult<Self> {
        check_solver(substeps)?;
        check_numbers(&[
            ("gravity", gravity),
            ("wind_power", wind_power),
            ("turbulence_power", turbulence_power),
            ("lap_complete_percent", lap_complete_percent),
        ])?;
        let options = Options {
            is_continuous: continuous,
            gravity,
            has_wind: enable_wind,
            wind_power,
            turbulence_power,
            is_hardcore: hardcore,
            sutton_barto_reward,
            lap_complete_percent,
            has_random_colors: domain_randomize,
            solver: SolverSettings {
                substeps,
                solver_budget,
            },
        };
        let unknown = || {
            refuse(Refusal::argument(
                "kind",
                format!("kind is {kind:?}, which is no kind of environment"),
            ))
        };
        let kind = Kind::named(kind).ok_or_else(unknown)?;
        Self::build(kind, count, threads, max_steps, &options)
    }

    /// Makes `count` environments of Multiwalker; the arguments are those of PettingZoo.
    #[staticmethod]
    #[pyo3(signature = (
        count, threads, *, n_walkers, position_noise, angle_noise, forward_reward, terminate_reward, fall_reward,
        shared_reward, terminate_on_fall, remove_on_fall, terrain_length, max_cycles, substeps, solver_budget
    ))]
    #[expect(
        clippy::too_many_arguments,
        reason = "keyword arguments of a Python class"
    )]
    fn of_walkers(
        count: usize,
        threads: usize,
        n_walkers: usize,
        position_noise: f64,
        angle_noise: f64,
        forward_reward: f64,
        terminate_reward: f64,
        fall_reward: f64,
        shared_reward: f64,
        terminate_on_fall: bool,
        remove_on_fall: bool,
        terrain_length: usize,
        max_cycles: u32,
        substeps: u32,
        solver_budget: u32,
    ) -> PyResult<Self> {
        check_range("n_walkers", n_walkers, MAX_WALKERS)?;
        check_range("terrain_length", terrain_length, MAX_TERRAIN)?;
        check_solver(substeps)?;
        check_numbers(&[
            ("position_noise", position_noise),
            ("angle_noise", angle_noise),
            ("forward_reward", forward_reward),
            ("terminate_reward", terminate_reward),
            ("fall_reward", fall_reward),
            ("shared_reward", shared_reward),
        ])?;
        let solver = SolverSettings {
            substeps,
            solver_budget,
        };
        let kind = Kind::Multiwalker(CarrierOptions {
            walkers: n_walkers,
            position_noise,
            angle_noise,
            forward_reward,
            terminate_reward,
            fall_reward,
            shared_reward,
            terminate_on_fall,
            remove_on_fall,
            terrain_length,
            max_cycles,
            solver,
        });
        // The environment ends by itself after `max_cycles`.
        Self::build(kind, count, threads, u32::MAX, &Options::default())
    }

    /// Sets the generators: for each environment state, increment and unused half of a `PCG64`.
    fn set_generators(&mut self, states: Vec<(u128, u128, Option<u32>)>) -> PyResult<()> {
        if states.len() != self.slots.len() {
            let message = format!(
                "states has {} items for {} environments",
                states.len(),
                self.slots.len()
            );
            return Err(refuse(Refusal::argument("states", message)));
        }
        for (slot, (state, increment, half)) in self.slots.iter_mut().zip(states) {
            let is_new = slot.random.parts() != (state, increment, half);
            slot.random = Random::new(state, increment, half);
            if is_new {
                slot.environment.note_seed(&slot.random);
            }
        }
        self.is_seeded = true;
        Ok(())
    }

    /// The generators: see `set_generators`.
    fn generators(&self) -> Vec<(u128, u128, Option<u32>)> {
        self.slots.iter().map(|slot| slot.random.parts()).collect()
    }

    /// Results of the last step for each environment and agent: rewards, whether the episode of the agent ended, and whether it took part.
    fn agents<'py>(&self, py: Python<'py>) -> PyResult<AgentResults<'py>> {
        let count = self.slots.first().map_or(0, |slot| slot.agents.len());
        let all = || self.slots.iter().flat_map(|slot| &slot.agents);
        let shape = [self.slots.len(), count];
        Ok((
            PyArray1::from_iter(py, all().map(|agent| agent.reward)).reshape(shape)?,
            PyArray1::from_iter(py, all().map(|agent| agent.terminated)).reshape(shape)?,
            PyArray1::from_iter(py, all().map(|agent| agent.is_alive)).reshape(shape)?,
        ))
    }

    /// Hash of the state of each world; 0 of environments without one.
    fn state_hashes(&self) -> Vec<u64> {
        let hash = |slot: &Slot| {
            slot.environment
                .world()
                .map_or(0, cairn2d::World::state_hash)
        };
        self.slots.iter().map(hash).collect()
    }

    /// Picture (height, width, 3) of the world of an environment. A box of the size `span` [m] is seen, about `middle` [m] or else
    /// about the first body that moves. `None` of an environment without a world.
    #[pyo3(signature = (index, width, height, span, middle = None))]
    fn render<'py>(
        &self,
        py: Python<'py>,
        index: usize,
        width: u32,
        height: u32,
        span: Pair,
        middle: Option<Pair>,
    ) -> PyResult<Option<Rgb<'py>>> {
        let Some(slot) = self.slots.get(index) else {
            let message = format!(
                "index is {index}, and there are {} environments",
                self.slots.len()
            );
            return Err(refuse(Refusal::argument("index", message)));
        };
        let Some(world) = slot.environment.world() else {
            return Ok(None);
        };
        let first = world
            .bodies()
            .find(|body| body.kind() == BodyKind::Dynamic)
            .map(|body| body.position().coords);
        let middle = middle.map_or_else(|| first.unwrap_or_else(Vec2::zeros), Pair::vec);
        let half = 0.5 * span.finite_vec("span")?;
        let view = Aabb {
            min: (middle - half).into(),
            max: (middle + half).into(),
        };
        picture(py, world, [width, height], view).map(Some)
    }

    /// Starts an episode in each environment of `mask`; returns all observations. Random colors may stay.
    #[pyo3(signature = (mask, keep_colors = false))]
    fn reset<'py>(
        &mut self,
        py: Python<'py>,
        mask: PyReadonlyArray1<'py, bool>,
        keep_colors: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mask = mask.as_slice()?;
        if mask.len() != self.slots.len() {
            let message = format!(
                "mask has the shape ({},), which is not ({},)",
                mask.len(),
                self.slots.len()
            );
            return Err(refuse(Refusal::argument("mask", message)));
        }
        let chosen: Vec<f32> = mask.iter().map(|&chosen| chosen.into()).collect();
        let (team, slots) = (&mut self.team, &mut self.slots);
        let reset = move |slot: &mut Slot, chosen: &[f32]| {
            if chosen[0] == 1.0 {
                if keep_colors {
                    slot.environment.keep_colors();
                }
                slot.reset();
            }
        };
        py.detach(|| team.for_each(slots, (chosen, 1), reset));
        self.observations(py, |slot| &slot.observation)
    }

    /// Steps each environment by its row of `actions`; `mode` is "next_step", "same_step" or "disabled".
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: PyReadonlyArray2<'py, f32>,
        mode: &str,
    ) -> PyResult<Results<'py>> {
        let mode = match mode {
            "next_step" => Autoreset::NextStep,
            "same_step" => Autoreset::SameStep,
            "disabled" => Autoreset::Disabled,
            _ => {
                return Err(refuse(Refusal::argument(
                    "mode",
                    format!("mode is {mode:?}, which is no mode of resets"),
                )));
            }
        };
        self.check_actions(&actions, mode)?;
        let actions = actions.as_slice()?.to_vec();
        let (team, slots, max_steps) = (&mut self.team, &mut self.slots, self.max_steps);
        let step = move |slot: &mut Slot, action: &[f32]| slot.step(action, mode, max_steps);
        let len = self.action.len();
        py.detach(|| team.for_each(slots, (actions, len), step));
        let slots = &self.slots;
        let has_reset = mode == Autoreset::SameStep && slots.iter().any(Slot::is_done);
        let last = has_reset.then(|| self.observations(py, |slot| &slot.last_observation));
        let flags = |flag: fn(&Slot) -> bool| PyArray1::from_iter(py, slots.iter().map(flag));
        let has_laps = slots.iter().any(|slot| slot.lap_finished.is_some());
        let laps = has_laps.then(|| {
            (
                flags(|slot| slot.lap_finished == Some(true)),
                flags(|slot| slot.lap_finished.is_some()),
            )
        });
        Ok((
            self.observations(py, |slot| &slot.observation)?,
            PyArray1::from_iter(py, slots.iter().map(|slot| slot.reward)),
            flags(|slot| slot.terminated),
            flags(|slot| slot.truncated),
            last.transpose()?,
            laps,
        ))
    }
}

impl Batch {
    fn build(
        kind: Kind,
        count: usize,
        threads: usize,
        max_steps: u32,
        options: &Options,
    ) -> PyResult<Self> {
        check_range("count", count, MAX_COUNT)?;
        check_range("threads", threads, MAX_THREADS)?;
        let slot = || Slot {
            environment: kind.make(options),
            random: Random::new(0, 1, None),
            steps: 0,
            reward: 0.0,
            terminated: false,
            truncated: false,
            lap_finished: None,
            agents: Vec::new(),
            observation: kind.observation(),
            last_observation: kind.observation(),
        };
        Ok(Self {
            slots: (0..count).map(|_| slot()).collect(),
            kind,
            action: kind.action(options),
            max_steps,
            team: Team::new(threads)
                .map_err(|error| refuse(Refusal::argument("threads", error.to_string())))?,
            is_seeded: false,
        })
    }

    /// Makes an array of one observation of each slot.
    fn observations<'py>(
        &self,
        py: Python<'py>,
        of: impl Fn(&Slot) -> &Observation,
    ) -> PyResult<Bound<'py, PyAny>> {
        let shape = self.kind.observation_shape();
        let shape: Vec<usize> = std::iter::once(self.slots.len()).chain(shape).collect();
        let all = self.slots.iter().map(&of);
        match of(&self.slots[0]) {
            Observation::Numbers(_) => stack(py, all.map(Observation::numbers), shape),
            Observation::Pixels(_) => stack(py, all.map(Observation::pixels), shape),
        }
    }

    fn check_actions(&self, actions: &PyReadonlyArray2<'_, f32>, mode: Autoreset) -> PyResult<()> {
        let wanted = [self.slots.len(), self.action.len()];
        if actions.shape() != wanted {
            let message = format!(
                "actions has the shape {:?}, which is not {wanted:?}",
                actions.shape()
            );
            return Err(refuse(Refusal::argument("actions", message)));
        }
        if !self.is_seeded {
            return Err(refuse(Refusal::argument(
                "actions",
                "reset the environments before the first step",
            )));
        }
        let rows = actions.as_slice()?.chunks_exact(self.action.len());
        for (at, (action, slot)) in rows.zip(&self.slots).enumerate() {
            if !self.action.accepts(action) {
                return Err(refuse(Refusal::argument(
                    "actions",
                    format!("actions[{at}] is {action:?}, which is no action"),
                )));
            }
            if mode == Autoreset::Disabled && slot.is_done() {
                let message =
                    format!("the episode of environment {at} has ended: reset it with a mask");
                return Err(refuse(Refusal::argument("actions", message)));
            }
        }
        Ok(())
    }
}

fn check_range(name: &'static str, value: usize, most: usize) -> PyResult<()> {
    if (1..=most).contains(&value) {
        return Ok(());
    }
    let message = format!("{name} is {value}, which is not in 1 to {most}");
    Err(refuse(Refusal::argument(name, message)))
}

fn check_solver(substeps: u32) -> PyResult<()> {
    let most = cairn2d::MAX_SUBSTEPS as usize;
    check_range("substeps", substeps as usize, most)
}

fn check_numbers(numbers: &[(&'static str, f64)]) -> PyResult<()> {
    numbers
        .iter()
        .try_for_each(|&(name, value)| crate::error::finite(name, value))
        .map_err(refuse)
}

/// Makes an array of this shape of rows.
fn stack<'a, 'py, T: numpy::Element + Copy + 'a>(
    py: Python<'py>,
    rows: impl Iterator<Item = &'a [T]>,
    shape: Vec<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut values = Vec::with_capacity(shape.iter().product());
    rows.for_each(|row| values.extend_from_slice(row));
    Ok(PyArray1::from_vec(py, values).reshape(shape)?.into_any())
}
