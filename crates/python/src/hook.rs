//! Hooks: Python functions that filter pairs of shapes and change contacts before they are solved.
//!
//! They run within a step, while their world is borrowed: they get the numbers of a contact, and no handles. The first
//! exception of a step is raised by the step.

use crate::argument::finite_number;
use crate::error::{HookError, Refusal, refuse};
use crate::handle::{World, borrow_mut};
use crate::record::{pair, place, record};
use cairn2d::BodyKind;
use pyo3::prelude::*;

/// Checks that a hook can be called.
fn check(py: Python<'_>, hook: Option<&Py<PyAny>>) -> PyResult<()> {
    if hook.is_none_or(|hook| hook.bind(py).is_callable()) {
        return Ok(());
    }
    let message = "hook is neither a function nor None";
    Err(refuse(Refusal::argument("hook", message)))
}

/// Numbers of a side of a pair: the fields of a `HookShape` record.
type SideFields = (
    u64,
    u64,
    u64,
    u64,
    (f64, f64),
    (f32, f32),
    f32,
    f32,
    &'static str,
);

fn side_fields(shape: &cairn2d::HookShape<'_>) -> SideFields {
    let kind = match shape.kind() {
        BodyKind::Static => "static",
        BodyKind::Kinematic => "kinematic",
        BodyKind::Dynamic => "dynamic",
    };
    (
        shape.id().to_bits(),
        shape.body().to_bits(),
        shape.user_data(),
        shape.body_user_data(),
        place(shape.position()),
        pair(shape.velocity()),
        shape.angular_velocity(),
        shape.angle(),
        kind,
    )
}

/// Describes a side of a pair.
fn side<'py>(py: Python<'py>, shape: &cairn2d::HookShape<'_>) -> PyResult<Bound<'py, PyAny>> {
    record(py, "HookShape", side_fields(shape))
}

/// A contact before it is solved: a pre-solve hook reads it, and may change its surface for this step.
#[pyclass(module = "cairn2d._native")]
pub(crate) struct PreSolve {
    sides: [SideFields; 2],
    /// Unit normal from the first shape to the second.
    #[pyo3(get)]
    normal: (f32, f32),
    /// One or two pairs of a point in the world [m] and the gap there, negative in overlap [m].
    #[pyo3(get)]
    points: Vec<((f64, f64), f32)>,
    /// Coulomb coefficient.
    #[pyo3(get)]
    friction: f32,
    /// Coefficient of restitution.
    #[pyo3(get)]
    restitution: f32,
    /// Speed of the second surface relative to the first, along the normal turned clockwise by 90 degrees [m/s].
    #[pyo3(get)]
    surface_speed: f32,
    is_ignored: bool,
}

#[pymethods]
impl PreSolve {
    /// The first side, a `HookShape` record.
    #[getter]
    fn shape_a<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        record(py, "HookShape", self.sides[0])
    }

    /// The second side.
    #[getter]
    fn shape_b<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        record(py, "HookShape", self.sides[1])
    }

    /// The ids of both shapes.
    #[getter]
    fn _shape_ids(&self) -> (u64, u64) {
        (self.sides[0].0, self.sides[1].0)
    }

    #[setter]
    fn set_friction(&mut self, friction: f32) -> PyResult<()> {
        self.friction = finite_number("friction", friction)?;
        Ok(())
    }

    #[setter]
    fn set_restitution(&mut self, restitution: f32) -> PyResult<()> {
        self.restitution = finite_number("restitution", restitution)?;
        Ok(())
    }

    #[setter]
    fn set_surface_speed(&mut self, surface_speed: f32) -> PyResult<()> {
        self.surface_speed = finite_number("surface_speed", surface_speed)?;
        Ok(())
    }

    /// Drops the contact from this step: the shapes do not touch.
    fn ignore(&mut self) {
        self.is_ignored = true;
    }
}

/// Calls a pre-solve hook.
fn call_pre_solve(
    py: Python<'_>,
    hook: &Py<PyAny>,
    contact: &mut cairn2d::PreSolve<'_>,
) -> PyResult<()> {
    let points = contact.points().iter();
    let view = PreSolve {
        sides: contact.shapes().map(|shape| side_fields(&shape)),
        normal: pair(contact.normal()),
        points: points.map(|at| (place(at.point), at.separation)).collect(),
        friction: contact.friction,
        restitution: contact.restitution,
        surface_speed: contact.surface_speed,
        is_ignored: false,
    };
    let view = Bound::new(py, view)?;
    hook.bind(py).call1((&view,))?;
    let view = view.try_borrow()?;
    (contact.friction, contact.restitution) = (view.friction, view.restitution);
    contact.surface_speed = view.surface_speed;
    if view.is_ignored {
        contact.ignore();
    }
    Ok(())
}

#[pymethods]
impl World {
    /// Sets a function that decides for each new pair of shapes whether they may collide: `hook(a, b) -> bool`, with
    /// `HookShape` records. All pairs are filtered again. `None` removes it. Copies of the world share it, saves lack it.
    fn set_pair_filter(slf: &Bound<'_, Self>, hook: Option<Py<PyAny>>) -> PyResult<()> {
        check(slf.py(), hook.as_ref())?;
        let mut guard = borrow_mut(slf)?;
        guard.hook_error.forget();
        let Some(hook) = hook else {
            guard.world.clear_pair_filter();
            return Ok(());
        };
        let error = guard.hook_error.clone();
        guard.world.set_pair_filter(move |a, b| {
            Python::attach(|py| {
                let call = || -> PyResult<bool> {
                    let sides = (side(py, &a)?, side(py, &b)?);
                    hook.bind(py).call1(sides)?.is_truthy()
                };
                call().unwrap_or_else(|raised| {
                    error.note(raised);
                    true
                })
            })
        });
        Ok(())
    }

    /// Sets a function that is called before a contact is solved, for each contact of a shape made with `pre_solve=True`:
    /// `hook(contact)`, with a `PreSolve`. `None` removes it. It must depend on its argument alone, and cannot use the
    /// world, which is in a step. Copies of the world share it, saves lack it.
    fn set_pre_solve(slf: &Bound<'_, Self>, hook: Option<Py<PyAny>>) -> PyResult<()> {
        check(slf.py(), hook.as_ref())?;
        let mut guard = borrow_mut(slf)?;
        guard.hook_error.forget();
        let Some(hook) = hook else {
            guard.world.clear_pre_solve();
            return Ok(());
        };
        let hook = pre_solve_of(hook, guard.hook_error.clone());
        guard.world.set_pre_solve(hook);
        Ok(())
    }

    /// Gives a copy of a world its pre-solve hook, and wakes nothing: its contacts have passed one already.
    fn _restore_pre_solve(slf: &Bound<'_, Self>, hook: Py<PyAny>) -> PyResult<()> {
        let mut guard = borrow_mut(slf)?;
        guard.hook_error = HookError::default();
        let hook = pre_solve_of(hook, guard.hook_error.clone());
        guard.world.restore_pre_solve(hook);
        Ok(())
    }
}

/// Makes a hook of the engine of a Python function.
fn pre_solve_of(
    hook: Py<PyAny>,
    error: HookError,
) -> impl Fn(&mut cairn2d::PreSolve<'_>) + Send + Sync + 'static {
    move |contact| {
        Python::attach(|py| {
            call_pre_solve(py, &hook, contact).unwrap_or_else(|raised| error.note(raised));
        });
    }
}
