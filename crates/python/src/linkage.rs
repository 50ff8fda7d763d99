//! Linkages: equations of motion in the coordinates of joints.

use crate::argument::column;
use crate::error::{Class, Refusal, refuse};
use crate::handle::{Body, Joint, World, borrow, borrow_mut};
use cairn2d::LinkageError;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

/// A tree of bodies that joints connect to a base: `M(q) a + h(q, v) = f`, in the order of the joints.
///
/// A revolute joint has its angle [rad] as coordinate, a prismatic joint its translation [m], a wheel both, a weld none. A dynamic
/// base adds its center, x and y, and its angle before them. Damping, springs, motors, contacts and applied forces are not part of it.
#[pyclass(frozen, module = "cairn2d._native")]
pub(crate) struct Linkage {
    world: Py<World>,
    linkage: cairn2d::Linkage,
}

impl From<LinkageError> for Refusal {
    fn from(error: LinkageError) -> Self {
        match error {
            LinkageError::NoSuchBody(_) | LinkageError::NoSuchJoint(_) => {
                Self::new(Class::StaleHandle, error.to_string())
            }
            _ => Self::argument("joints", error.to_string()),
        }
    }
}

impl Linkage {
    /// Reads the world, if all joints still exist.
    fn read<T>(&self, py: Python<'_>, read: impl FnOnce(&cairn2d::World) -> T) -> PyResult<T> {
        let world = borrow(self.world.bind(py))?;
        self.linkage.check(&world.world).map_err(refuse)?;
        Ok(read(&world.world))
    }

    fn read_column<'py>(
        &self,
        py: Python<'py>,
        read: impl FnOnce(&cairn2d::World) -> Vec<f64>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_vec(py, self.read(py, read)?))
    }
}

#[pymethods]
impl Linkage {
    /// Makes the linkage of `joints`, a tree on `base`.
    #[new]
    fn new(base: &Body, joints: Vec<PyRef<'_, Joint>>, py: Python<'_>) -> PyResult<Self> {
        let world = base.world.bind(py);
        let ids = joints.iter().map(|joint| joint.id_in(world, "joints"));
        let ids: Vec<_> = ids.collect::<PyResult<_>>()?;
        let linkage =
            cairn2d::Linkage::new(&borrow(world)?.world, base.id, &ids).map_err(refuse)?;
        Ok(Self {
            world: base.world.clone_ref(py),
            linkage,
        })
    }

    /// Number n of coordinates.
    #[getter]
    fn coordinate_count(&self) -> usize {
        self.linkage.coordinate_count()
    }

    /// Coordinates q, an array (n,) [rad or m].
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.read_column(py, |world| self.linkage.positions(world))
    }

    /// Speeds v of the coordinates, an array (n,) [rad/s or m/s].
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.read_column(py, |world| self.linkage.velocities(world))
    }

    /// Mass matrix M(q), an array (n, n) [kg, kg m, kg m^2].
    fn mass_matrix<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let n = self.linkage.coordinate_count();
        self.read_column(py, |world| self.linkage.mass_matrix(world))?
            .reshape([n, n])
    }

    /// Bias forces h(q, v), an array (n,) [N m or N]: the efforts that keep the speeds of the coordinates, against gravity too.
    fn bias_forces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.read_column(py, |world| self.linkage.bias_forces(world))
    }

    /// Efforts M a + h for accelerations a, arrays (n,): [rad/s^2 or m/s^2] to [N m or N].
    fn inverse_dynamics<'py>(
        &self,
        py: Python<'py>,
        accelerations: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let n = self.linkage.coordinate_count();
        let accelerations = column("accelerations", accelerations, n)?;
        let accelerations = accelerations.as_slice()?;
        self.read_column(py, |world| {
            self.linkage.inverse_dynamics(world, accelerations)
        })
    }

    /// Applies efforts in the next step, an array (n,): torques [N m] on angles, forces [N] along sliders, each on the second body of
    /// the joint and in the opposite direction on the first.
    fn apply_efforts(&self, py: Python<'_>, efforts: &Bound<'_, PyAny>) -> PyResult<()> {
        let efforts = column("efforts", efforts, self.linkage.coordinate_count())?;
        let mut world = borrow_mut(self.world.bind(py))?;
        self.linkage.check(&world.world).map_err(refuse)?;
        self.linkage
            .try_apply_efforts(&mut world.world, efforts.as_slice()?)
            .map_err(refuse)
    }
}
