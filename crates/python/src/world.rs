//! A world: creation, steps, settings, saves and copies.

use crate::argument::{Pair, definition, normalized};
use crate::error::refuse;
use crate::handle::{Body, Joint, Shape, World, borrow, borrow_mut};
use crate::record::pair;
use cairn2d::{ExplosionDef, Fluid, SceneDef, Wind, WorldDef};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// Steps after which signals are looked at, so that an interrupt ends a long run.
const STEPS_BETWEEN_SIGNALS: u32 = 64;

/// Makes `count` steps in parts, and looks for signals between them.
pub(crate) fn in_parts(
    py: Python<'_>,
    count: u32,
    mut steps: impl FnMut(u32) -> PyResult<()>,
) -> PyResult<()> {
    let mut left = count;
    while left > 0 {
        let part = left.min(STEPS_BETWEEN_SIGNALS);
        steps(part)?;
        left -= part;
        if left > 0 {
            py.check_signals()?;
        }
    }
    Ok(())
}

#[pymethods]
impl World {
    #[new]
    #[pyo3(signature = (**fields))]
    fn new(py: Python<'_>, fields: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let def: WorldDef = definition(&normalized(py, fields)?)?;
        let world = cairn2d::World::try_new(def).map_err(refuse)?;
        Ok(Self::from(world))
    }

    /// Makes the world of a scene: a dict of "world", "bodies" and "joints", as in scene files.
    #[staticmethod]
    fn from_scene(scene: &Bound<'_, PyDict>) -> PyResult<Self> {
        let scene: SceneDef = definition(scene)?;
        let world = cairn2d::World::from_scene(&scene).map_err(refuse)?;
        Ok(Self::from(world))
    }

    /// The definitions of all objects as they are now, as a dict: `from_scene` makes a world of them. Contacts, impulses and
    /// hooks are not part of it; `save` keeps the former.
    fn to_scene<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let scene = borrow(slf)?.world.to_scene();
        Ok(pythonize::pythonize(slf.py(), &scene)?)
    }

    /// Moves the world on by `count` steps of `dt` [s]. Other Python threads run meanwhile. Events are those of the last step.
    #[pyo3(signature = (dt, count = 1))]
    fn step(slf: &Bound<'_, Self>, dt: f32, count: u32) -> PyResult<()> {
        let mut guard = borrow_mut(slf)?;
        let Self { world, hook_error } = &mut *guard;
        let py = slf.py();
        in_parts(py, count, |part| {
            py.detach(|| (0..part).try_for_each(|_| world.try_step(dt)))
                .map_err(refuse)?;
            hook_error.raise()
        })
    }

    /// Gravitational acceleration [m/s^2].
    #[getter]
    fn gravity(slf: &Bound<'_, Self>) -> PyResult<(f32, f32)> {
        Ok(pair(borrow(slf)?.world.gravity()))
    }

    #[setter]
    fn set_gravity(slf: &Bound<'_, Self>, gravity: Pair) -> PyResult<()> {
        borrow_mut(slf)?
            .world
            .try_set_gravity(gravity.vec())
            .map_err(refuse)
    }

    /// The definition, as a dict.
    #[getter]
    fn definition<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize::pythonize(slf.py(), borrow(slf)?.world.def())?)
    }

    /// Changes fields of the definition.
    #[pyo3(signature = (**fields))]
    fn configure(slf: &Bound<'_, Self>, fields: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        let all = Self::definition(slf)?.cast_into::<PyDict>()?;
        all.update(normalized(slf.py(), fields)?.as_mapping())?;
        let mut def: WorldDef = definition(&all)?;
        let mut guard = borrow_mut(slf)?;
        def.clock = guard.world.def().clock;
        guard.world.try_set_def(def).map_err(refuse)
    }

    /// Number of steps so far.
    #[getter]
    fn step_count(slf: &Bound<'_, Self>) -> PyResult<u64> {
        Ok(borrow(slf)?.world.step_count())
    }

    /// Hash of the state on which later steps depend: equal on every machine and for any number of threads.
    #[getter]
    fn state_hash(slf: &Bound<'_, Self>) -> PyResult<u64> {
        Ok(borrow(slf)?.world.state_hash())
    }

    /// Kinetic energy of all bodies [J].
    #[getter]
    fn kinetic_energy(slf: &Bound<'_, Self>) -> PyResult<f64> {
        Ok(borrow(slf)?.world.kinetic_energy())
    }

    /// Potential energy of all bodies in gravity [J].
    #[getter]
    fn potential_energy(slf: &Bound<'_, Self>) -> PyResult<f64> {
        Ok(borrow(slf)?.world.potential_energy())
    }

    /// Number of bodies that the last step simulated.
    #[getter]
    fn awake_body_count(slf: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(borrow(slf)?.world.counters().awake_bodies)
    }

    /// Number of bodies.
    #[getter]
    fn body_count(slf: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(borrow(slf)?.world.body_count())
    }

    /// Number of shapes.
    #[getter]
    fn shape_count(slf: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(borrow(slf)?.world.shape_count())
    }

    /// Number of joints.
    #[getter]
    fn joint_count(slf: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(borrow(slf)?.world.joint_count())
    }

    /// The bodies, in order of slot: the order of the rows of arrays.
    fn bodies(slf: &Bound<'_, Self>) -> PyResult<Vec<Body>> {
        let world = borrow(slf)?;
        Ok(world
            .world
            .bodies()
            .map(|body| Body::new(slf, body.id()))
            .collect())
    }

    /// The shapes, in order of slot.
    fn shapes(slf: &Bound<'_, Self>) -> PyResult<Vec<Shape>> {
        let world = borrow(slf)?;
        Ok(world
            .world
            .shapes()
            .map(|shape| Shape::new(slf, shape.id()))
            .collect())
    }

    /// The joints, in order of slot.
    fn joints(slf: &Bound<'_, Self>) -> PyResult<Vec<Joint>> {
        let world = borrow(slf)?;
        Ok(world
            .world
            .joints()
            .map(|joint| Joint::new(slf, joint.id()))
            .collect())
    }

    /// Removes all bodies, shapes and joints; settings stay.
    fn clear(slf: &Bound<'_, Self>) -> PyResult<()> {
        borrow_mut(slf)?.world.clear();
        Ok(())
    }

    /// Mistakes that are common: bodies without mass and the like, as text.
    fn warnings(slf: &Bound<'_, Self>) -> PyResult<Vec<String>> {
        let world = borrow(slf)?;
        Ok(world
            .world
            .warnings()
            .iter()
            .map(ToString::to_string)
            .collect())
    }

    /// Makes `origin` [m] the new origin of coordinates.
    fn shift_origin(slf: &Bound<'_, Self>, origin: Pair) -> PyResult<()> {
        borrow_mut(slf)?
            .world
            .try_shift_origin(origin.place())
            .map_err(refuse)
    }

    /// Pushes bodies away from `position` [m]: those within `radius` [m] with `impulse_per_length` [N s/m], less over the
    /// distance `falloff` [m] beyond.
    #[pyo3(signature = (position, radius, impulse_per_length, falloff = 0.0))]
    fn explode(
        slf: &Bound<'_, Self>,
        position: Pair,
        radius: f32,
        impulse_per_length: f32,
        falloff: f32,
    ) -> PyResult<()> {
        let def = ExplosionDef::new(position.place(), radius, impulse_per_length).falloff(falloff);
        borrow_mut(slf)?.world.try_explode(&def).map_err(refuse)
    }

    /// Applies buoyancy and drag of a fluid of `density` [kg/m^2] below `surface` [m] for the coming step; `drag` is a
    /// pair of rates [1/s], `flow` a velocity [m/s].
    #[pyo3(signature = (surface, density, drag = Pair([0.0, 0.0]), flow = Pair([0.0, 0.0])))]
    fn apply_fluid(
        slf: &Bound<'_, Self>,
        surface: Pair,
        density: f32,
        drag: Pair,
        flow: Pair,
    ) -> PyResult<()> {
        let rates = drag.vec();
        let fluid = Fluid::new(surface.place(), density)
            .drag(rates.x, rates.y)
            .flow(flow.vec());
        borrow_mut(slf)?
            .world
            .try_apply_fluid(&fluid)
            .map_err(refuse)
    }

    /// Applies the force of a wind of `velocity` [m/s] to all bodies for the coming step.
    #[pyo3(signature = (velocity, drag = 1.0, lift = 0.0))]
    fn apply_wind(slf: &Bound<'_, Self>, velocity: Pair, drag: f32, lift: f32) -> PyResult<()> {
        let wind = Wind::new(velocity.vec()).coefficients(drag, lift);
        for body in Self::bodies(slf)? {
            body.change(slf.py(), |mut body| body.try_apply_wind(&wind))?;
        }
        Ok(())
    }

    /// Returns the world as bytes, which load on any machine.
    fn save<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(slf.py(), &borrow(slf)?.world.save()))
    }

    /// Makes the world of a save; it continues with the same bits.
    #[staticmethod]
    fn load(save: &[u8]) -> PyResult<Self> {
        let world = cairn2d::World::load(save).map_err(refuse)?;
        Ok(Self::from(world))
    }

    /// Makes this world equal to `other`, and keeps its memory: for resets. Handles of the same ids stay valid.
    fn restore(slf: &Bound<'_, Self>, other: &Bound<'_, Self>) -> PyResult<()> {
        if slf.is(other) {
            return Ok(());
        }
        let other = borrow(other)?;
        borrow_mut(slf)?.world.clone_from(&other.world);
        Ok(())
    }

    /// First difference of two worlds, as text; `None` if they are equal.
    fn first_difference(
        slf: &Bound<'_, Self>,
        other: &Bound<'_, Self>,
    ) -> PyResult<Option<String>> {
        let difference = borrow(slf)?.world.first_difference(&borrow(other)?.world);
        Ok(difference.map(|difference| difference.to_string()))
    }

    fn __copy__(slf: &Bound<'_, Self>) -> PyResult<Self> {
        let guard = borrow(slf)?;
        // The hooks are shared, and with them the place of their exceptions.
        Ok(Self {
            world: guard.world.clone(),
            hook_error: guard.hook_error.clone(),
        })
    }

    fn __deepcopy__(slf: &Bound<'_, Self>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::__copy__(slf)
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let load = slf.py().get_type::<Self>().getattr("load")?;
        Ok((load, (Self::save(slf)?,)))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let world = borrow(slf)?;
        let (bodies, step) = (world.world.body_count(), world.world.step_count());
        Ok(format!("<cairn2d.World of {bodies} bodies at step {step}>"))
    }
}
