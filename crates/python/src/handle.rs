//! Handles: a world and an id, which is stale once its object is removed.
//!
//! A handle keeps its world alive. It borrows the world for each call: while another thread steps it, calls raise `WorldBusy`.

use crate::error::{Class, HookError, Refusal, refuse};
use cairn2d::{
    BodyId, BodyMut, BodyRef, Id, IdKind, JointId, JointMut, JointRef, ShapeId, ShapeMut, ShapeRef,
};
use pyo3::prelude::*;

/// Bodies, shapes, contacts and joints that are simulated together.
///
/// Keyword arguments are the fields of its definition, such as `gravity` [m/s^2], `substeps`, `sleeping`, `continuous`,
/// `threads`, `bounds` and `tuning`. Copies, deep copies and pickles continue with the same bits.
#[pyclass(module = "cairn2d._native", weakref)]
pub(crate) struct World {
    pub(crate) world: cairn2d::World,
    pub(crate) hook_error: HookError,
}

impl From<cairn2d::World> for World {
    fn from(world: cairn2d::World) -> Self {
        let hook_error = HookError::default();
        Self { world, hook_error }
    }
}

/// Borrows a world to read it.
pub(crate) fn borrow<'py>(world: &Bound<'py, World>) -> PyResult<PyRef<'py, World>> {
    world.try_borrow().map_err(|_| busy())
}

/// Borrows a world to change it.
pub(crate) fn borrow_mut<'py>(world: &Bound<'py, World>) -> PyResult<PyRefMut<'py, World>> {
    world.try_borrow_mut().map_err(|_| busy())
}

fn busy() -> PyErr {
    refuse(Refusal::new(
        Class::WorldBusy,
        "the world is in use: by a step on another thread, or by the call around this one",
    ))
}

/// The exception for an id whose object does not exist.
pub(crate) fn stale<K: IdKind>(id: Id<K>) -> PyErr {
    refuse(Refusal::new(
        Class::StaleHandle,
        format!("{id:?} does not exist any more"),
    ))
}

/// A body of a world; stale once it is destroyed.
#[pyclass(frozen, module = "cairn2d._native")]
pub(crate) struct Body {
    pub(crate) world: Py<World>,
    pub(crate) id: BodyId,
}

/// A shape on a body; stale once it or the body is destroyed.
#[pyclass(frozen, module = "cairn2d._native")]
pub(crate) struct Shape {
    pub(crate) world: Py<World>,
    pub(crate) id: ShapeId,
}

/// A joint of two bodies; stale once it breaks, or it or a body is destroyed.
#[pyclass(frozen, module = "cairn2d._native")]
pub(crate) struct Joint {
    pub(crate) world: Py<World>,
    pub(crate) id: JointId,
}

/// Methods that all handles share.
macro_rules! handle {
    ($class:ident, $id:ty, $view:ident, $view_mut:ident, $get:ident, $get_mut:ident) => {
        impl $class {
            pub(crate) fn new(world: &Bound<'_, World>, id: $id) -> Self {
                Self {
                    world: world.clone().unbind(),
                    id,
                }
            }

            /// Reads the object.
            pub(crate) fn read<T>(
                &self,
                py: Python<'_>,
                read: impl FnOnce($view<'_>) -> T,
            ) -> PyResult<T> {
                let world = borrow(self.world.bind(py))?;
                let view = world.world.$get(self.id).ok_or_else(|| stale(self.id))?;
                Ok(read(view))
            }

            /// Changes the object.
            pub(crate) fn change<T, E: Into<Refusal>>(
                &self,
                py: Python<'_>,
                change: impl FnOnce($view_mut<'_>) -> Result<T, E>,
            ) -> PyResult<T> {
                let mut world = borrow_mut(self.world.bind(py))?;
                let view = world
                    .world
                    .$get_mut(self.id)
                    .ok_or_else(|| stale(self.id))?;
                change(view).map_err(refuse)
            }

            /// Changes the object in a way that cannot fail.
            pub(crate) fn set(
                &self,
                py: Python<'_>,
                change: impl FnOnce($view_mut<'_>),
            ) -> PyResult<()> {
                self.change(py, |view| {
                    change(view);
                    Ok::<(), Refusal>(())
                })
            }
        }

        #[pymethods]
        impl $class {
            /// The world.
            #[getter]
            fn world(&self, py: Python<'_>) -> Py<World> {
                self.world.clone_ref(py)
            }

            /// The id as an integer: slot, generation and mark of the world.
            #[getter]
            fn id(&self) -> u64 {
                self.id.to_bits()
            }

            /// Slot: unique among the existing objects of the kind, reused after removal.
            #[getter]
            fn index(&self) -> u32 {
                self.id.index()
            }

            /// Whether the object still exists.
            #[getter]
            fn is_valid(&self, py: Python<'_>) -> PyResult<bool> {
                let world = borrow(self.world.bind(py))?;
                Ok(world.world.$get(self.id).is_some())
            }

            fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
                let other = other.cast::<Self>().map(|other| other.get());
                other.is_ok_and(|other| other.id == self.id && other.world.is(&self.world))
            }

            fn __hash__(&self) -> u64 {
                self.id.to_bits()
            }

            fn __repr__(&self) -> String {
                format!(
                    "<cairn2d.{} {}.{}>",
                    stringify!($class),
                    self.id.index(),
                    self.id.generation()
                )
            }

            fn __reduce__<'py>(
                &self,
                py: Python<'py>,
            ) -> PyResult<(Bound<'py, PyAny>, (Py<World>, u64))> {
                let restore = py.get_type::<Self>().getattr("_of_id")?;
                Ok((restore, (self.world.clone_ref(py), self.id.to_bits())))
            }

            /// Makes the handle of an id of `world`, such as one that was kept beside a save.
            #[staticmethod]
            fn _of_id(world: &Bound<'_, World>, id: u64) -> Self {
                Self::new(world, <$id>::from_bits(id))
            }
        }
    };
}

handle!(Body, BodyId, BodyRef, BodyMut, get_body, get_body_mut);
handle!(Shape, ShapeId, ShapeRef, ShapeMut, get_shape, get_shape_mut);
handle!(Joint, JointId, JointRef, JointMut, get_joint, get_joint_mut);

impl Body {
    /// Returns the id, if the handle is one of `world`; else an exception that names the argument.
    pub(crate) fn id_in(&self, world: &Bound<'_, World>, name: &str) -> PyResult<BodyId> {
        same_world(&self.world, world, name)?;
        Ok(self.id)
    }
}

impl Joint {
    /// Returns the id, if the handle is one of `world`; else an exception that names the argument.
    pub(crate) fn id_in(&self, world: &Bound<'_, World>, name: &str) -> PyResult<JointId> {
        same_world(&self.world, world, name)?;
        Ok(self.id)
    }
}

fn same_world(own: &Py<World>, world: &Bound<'_, World>, name: &str) -> PyResult<()> {
    if own.bind(world.py()).is(world) {
        return Ok(());
    }
    Err(refuse(Refusal::argument(
        name,
        format!("{name} is of another world"),
    )))
}

/// Properties that are read: `name: type = |view| value`.
macro_rules! getters {
    ($class:ident: $($(#[$doc:meta])* $name:ident: $type:ty = |$view:ident| $value:expr;)*) => {
        #[pymethods]
        impl $class {
            $($(#[$doc])*
            #[getter]
            fn $name(&self, py: Python<'_>) -> PyResult<$type> {
                self.read(py, |$view| $value)
            })*
        }
    };
}

/// Properties that are set: `property = function(value: type) |view| result`.
macro_rules! setters {
    ($class:ident: $($name:ident = $function:ident($value:ident: $type:ty) |$view:ident| $set:expr;)*) => {
        #[pymethods]
        impl $class {
            $(#[setter($name)]
            fn $function(&self, py: Python<'_>, $value: $type) -> PyResult<()> {
                self.change(py, |mut $view| $set)
            })*
        }
    };
}

/// Properties that are set without a check: as [`setters`].
macro_rules! plain_setters {
    ($class:ident: $($name:ident = $function:ident($value:ident: $type:ty) |$view:ident| $set:expr;)*) => {
        #[pymethods]
        impl $class {
            $(#[setter($name)]
            fn $function(&self, py: Python<'_>, $value: $type) -> PyResult<()> {
                self.set(py, |mut $view| $set)
            })*
        }
    };
}

pub(crate) use {getters, plain_setters, setters};
