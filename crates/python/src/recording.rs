//! Recordings: the calls on a world as bytes, and their replay.

use crate::error::refuse;
use crate::handle::{World, borrow, borrow_mut};
use cairn2d::{DEFAULT_KEYFRAME_WORK, Recording, RecordingDef};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

#[pymethods]
impl World {
    /// Records all calls on the world from now on, and ends the recording before. `keyframe_work` is the work from one
    /// stored state to the next, in awake bodies, contacts and joints, summed over the steps.
    #[pyo3(signature = (keyframe_work = DEFAULT_KEYFRAME_WORK))]
    fn start_recording(slf: &Bound<'_, Self>, keyframe_work: u64) -> PyResult<()> {
        let def = RecordingDef { keyframe_work };
        borrow_mut(slf)?.world.start_recording(def);
        Ok(())
    }

    /// Whether calls are recorded.
    #[getter]
    fn is_recording(slf: &Bound<'_, Self>) -> PyResult<bool> {
        Ok(borrow(slf)?.world.is_recording())
    }

    /// The part of the recording that is complete and was not taken before: all parts together are the recording.
    fn take_recording<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyBytes>> {
        let part = borrow_mut(slf)?.world.take_recording();
        Ok(PyBytes::new(slf.py(), &part))
    }

    /// Ends the recording, and returns the part of it that was not taken before.
    fn stop_recording<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyBytes>> {
        let part = borrow_mut(slf)?.world.stop_recording();
        Ok(PyBytes::new(slf.py(), &part))
    }
}

/// Repeats a recording; each step is compared with the recorded one.
#[pyclass(module = "cairn2d._native")]
pub(crate) struct Player {
    player: cairn2d::Player,
    step_count: u64,
}

#[pymethods]
impl Player {
    /// Starts at the first state of a recording. One that was cut off has the steps before the cut.
    #[new]
    fn new(recording: &[u8]) -> PyResult<Self> {
        let recording = Recording::new(recording).map_err(refuse)?;
        let step_count = recording.step_count();
        let player = cairn2d::Player::new(recording).map_err(refuse)?;
        Ok(Self { player, step_count })
    }

    /// Number of steps of the recording.
    #[getter]
    fn step_count(&self) -> u64 {
        self.step_count
    }

    /// Number of the last step; 0 at the start.
    #[getter]
    fn step(&self) -> u64 {
        self.player.step()
    }

    /// Repeats the calls up to the end of the next step; returns whether there was one. Raises `LoadError` if the state
    /// differs from the recorded one; the next call goes on.
    fn advance(&mut self, py: Python<'_>) -> PyResult<bool> {
        let player = &mut self.player;
        py.detach(|| player.advance()).map_err(refuse)
    }

    /// Goes to the end of a step; steps beyond the last mean the last one.
    fn seek(&mut self, py: Python<'_>, step: u64) -> PyResult<()> {
        let player = &mut self.player;
        py.detach(|| player.seek(step)).map_err(refuse)
    }

    /// A copy of the world after the last step.
    fn world(&self) -> World {
        World::from(self.player.world().clone())
    }

    fn __repr__(&self) -> String {
        let (step, count) = (self.player.step(), self.step_count);
        format!("<cairn2d.Player at step {step} of {count}>")
    }
}
