//! Batches: many environments that are stepped on threads by one call.

use crate::box2d::SolverSettings;
use crate::envs::bipedal_walker::BipedalWalker;
use crate::envs::cart_pole::CartPole;
use crate::envs::environment::{ActionKind, Environment};
use crate::envs::lunar_lander::{LanderOptions, LunarLander};
use crate::envs::random::Random;
use crate::error::{Refusal, refuse};
use numpy::{
    PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use rayon::prelude::*;

/// Greatest number of environments of a batch: each takes some hundred kilobytes.
const MAX_COUNT: usize = 65_536;

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
    observation: Vec<f32>,
    /// Last observation of an episode that ended, in the mode that resets in the same step.
    last_observation: Vec<f32>,
}

impl Slot {
    const fn is_done(&self) -> bool {
        self.terminated || self.truncated
    }

    fn reset(&mut self) {
        self.environment.reset(&mut self.random);
        self.environment.observe(&mut self.observation);
        (self.steps, self.reward) = (0, 0.0);
        (self.terminated, self.truncated) = (false, false);
    }

    fn step(&mut self, action: &[f32], mode: Autoreset, max_steps: u32) {
        if mode == Autoreset::NextStep && self.is_done() {
            return self.reset();
        }
        let outcome = self.environment.step(action, &mut self.random);
        self.environment.observe(&mut self.observation);
        self.steps += 1;
        let results = (outcome.reward, outcome.terminated, self.steps >= max_steps);
        if mode == Autoreset::SameStep && (results.1 || results.2) {
            self.last_observation.clone_from(&self.observation);
            self.reset();
        }
        (self.reward, self.terminated, self.truncated) = results;
    }
}

/// Observations, rewards, terminations, truncations, and observations before resets in the same step.
type Results<'py> = (
    Bound<'py, PyArray2<f32>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray2<f32>>,
);

/// A batch of environments of one kind: see `cairn2d.vector`.
#[pyclass(module = "cairn2d._native", name = "_Batch")]
pub(crate) struct Batch {
    slots: Vec<Slot>,
    action: ActionKind,
    observation_len: usize,
    max_steps: u32,
    pool: Option<rayon::ThreadPool>,
    is_seeded: bool,
}

/// Runs `task` for each slot with its row of `actions`. The order is no part of the results.
fn for_each_slot(
    pool: Option<&rayon::ThreadPool>,
    slots: &mut [Slot],
    actions: &[f32],
    len: usize,
    task: impl Fn(&mut Slot, &[f32]) + Sync,
) {
    match pool {
        Some(pool) => pool.install(|| {
            let rows = actions.par_chunks_exact(len);
            slots
                .par_iter_mut()
                .zip(rows)
                .for_each(|(slot, action)| task(slot, action));
        }),
        None => slots
            .iter_mut()
            .zip(actions.chunks_exact(len))
            .for_each(|(slot, action)| task(slot, action)),
    }
}

#[pymethods]
impl Batch {
    /// Makes `count` environments of a kind: "cart_pole", "lunar_lander" or "bipedal_walker".
    #[new]
    #[pyo3(signature = (
        kind, count, threads, max_steps, *, continuous = false, gravity = -10.0, enable_wind = false, wind_power = 15.0,
        turbulence_power = 1.5, hardcore = false, sutton_barto_reward = false, substeps = SolverSettings::BOX2D.substeps,
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
        substeps: u32,
        solver_budget: u32,
    ) -> PyResult<Self> {
        check_range("count", count, MAX_COUNT)?;
        check_range("threads", threads, MAX_THREADS)?;
        check_range(
            "substeps",
            substeps as usize,
            cairn2d::MAX_SUBSTEPS as usize,
        )?;
        check_numbers([gravity, wind_power, turbulence_power])?;
        let solver = SolverSettings {
            substeps,
            solver_budget,
        };
        let options = LanderOptions {
            is_continuous: continuous,
            gravity,
            has_wind: enable_wind,
            wind_power,
            turbulence_power,
            solver,
        };
        let make = || -> Option<Box<dyn Environment>> {
            match kind {
                "cart_pole" => Some(Box::new(CartPole::new(sutton_barto_reward))),
                "lunar_lander" => Some(Box::new(LunarLander::new(options))),
                "bipedal_walker" => Some(Box::new(BipedalWalker::new(hardcore, solver))),
                _ => None,
            }
        };
        let (action, observation_len) = match kind {
            "cart_pole" => (ActionKind::Discrete(2), 4),
            "lunar_lander" if continuous => (ActionKind::Continuous(2), 8),
            "lunar_lander" => (ActionKind::Discrete(4), 8),
            _ => (ActionKind::Continuous(4), 24),
        };
        let unknown = || {
            refuse(Refusal::argument(
                "kind",
                format!("kind is {kind:?}, which is no kind of environment"),
            ))
        };
        let slot = || {
            Ok(Slot {
                environment: make().ok_or_else(unknown)?,
                random: Random::new(0, 1, None),
                steps: 0,
                reward: 0.0,
                terminated: false,
                truncated: false,
                observation: vec![0.0; observation_len],
                last_observation: vec![0.0; observation_len],
            })
        };
        let slots = (0..count).map(|_| slot()).collect::<PyResult<_>>()?;
        Ok(Self {
            slots,
            action,
            observation_len,
            max_steps,
            pool: pool_of(threads)?,
            is_seeded: false,
        })
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
            slot.random = Random::new(state, increment, half);
        }
        self.is_seeded = true;
        Ok(())
    }

    /// The generators: see `set_generators`.
    fn generators(&self) -> Vec<(u128, u128, Option<u32>)> {
        self.slots.iter().map(|slot| slot.random.parts()).collect()
    }

    /// Starts an episode in each environment of `mask`; returns all observations.
    fn reset<'py>(
        &mut self,
        py: Python<'py>,
        mask: PyReadonlyArray1<'py, bool>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
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
        let (pool, slots) = (self.pool.as_ref(), &mut self.slots);
        let reset = |slot: &mut Slot, chosen: &[f32]| {
            if chosen[0] == 1.0 {
                slot.reset();
            }
        };
        py.detach(|| for_each_slot(pool, slots, &chosen, 1, reset));
        rows(py, &self.slots, self.observation_len, |slot| {
            &slot.observation
        })
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
        let (pool, slots, max_steps) = (self.pool.as_ref(), &mut self.slots, self.max_steps);
        let step = |slot: &mut Slot, action: &[f32]| slot.step(action, mode, max_steps);
        let len = self.action.len();
        py.detach(|| for_each_slot(pool, slots, &actions, len, step));
        let (slots, len) = (&self.slots, self.observation_len);
        Ok((
            rows(py, slots, len, |slot| &slot.observation)?,
            PyArray1::from_iter(py, slots.iter().map(|slot| slot.reward)),
            PyArray1::from_iter(py, slots.iter().map(|slot| slot.terminated)),
            PyArray1::from_iter(py, slots.iter().map(|slot| slot.truncated)),
            rows(py, slots, len, |slot| &slot.last_observation)?,
        ))
    }
}

impl Batch {
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

fn check_numbers(numbers: [f64; 3]) -> PyResult<()> {
    let names = ["gravity", "wind_power", "turbulence_power"];
    let checked = names
        .into_iter()
        .zip(numbers)
        .try_for_each(|(name, value)| crate::error::finite(name, value));
    checked.map_err(refuse)
}

/// Makes a pool of these threads; none for one thread, which is the caller's.
fn pool_of(threads: usize) -> PyResult<Option<rayon::ThreadPool>> {
    if threads == 1 {
        return Ok(None);
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map(Some)
        .map_err(|error| refuse(Refusal::argument("threads", error.to_string())))
}

/// Makes an array of one row of each slot.
fn rows<'py>(
    py: Python<'py>,
    slots: &[Slot],
    len: usize,
    row: impl Fn(&Slot) -> &Vec<f32>,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let values = slots.iter().flat_map(|slot| row(slot).iter().copied());
    PyArray1::from_iter(py, values).reshape([slots.len(), len])
}
