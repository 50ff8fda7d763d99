//! The state of all bodies as arrays, with one row for each body, in the order of `World.bodies`.

use crate::argument::{column, matrix};
use crate::error::{Refusal, refuse};
use crate::handle::World;
use crate::handle::{borrow, borrow_mut, stale};
use crate::query::rows_array;
use crate::record::record;
use cairn2d::{BodyId, BodyKind, Vec2, WorldPoint};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;

impl World {
    fn body_ids(&self) -> Vec<BodyId> {
        self.world.bodies().map(|body| body.id()).collect()
    }

    /// Returns the rows of bodies by slot.
    fn rows_of_slots(&self) -> Vec<i64> {
        let ids = self.body_ids();
        let bound = ids
            .iter()
            .map(|id| id.index() as usize + 1)
            .max()
            .unwrap_or(0);
        let mut rows = vec![-1; bound];
        for (row, id) in ids.iter().enumerate() {
            rows[id.index() as usize] = row as i64;
        }
        rows
    }
}

#[pymethods]
impl World {
    /// Origins of all bodies, an array (n, 2) [m].
    fn positions<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let world = borrow(slf)?;
        let places = world.world.bodies().map(|body| body.position_exact());
        let rows: Vec<Vec<f64>> = places.map(|place| vec![place.x, place.y]).collect();
        rows_array(slf.py(), &rows, 2)
    }

    /// Angles of all bodies, an array (n,) [rad].
    fn angles<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let world = borrow(slf)?;
        Ok(PyArray1::from_iter(
            slf.py(),
            world.world.bodies().map(|body| body.angle()),
        ))
    }

    /// Velocities of all bodies, an array (n, 3): x, y [m/s] and angular velocity [rad/s].
    fn velocities<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let world = borrow(slf)?;
        let bodies = world.world.bodies();
        let rows: Vec<Vec<f32>> = bodies
            .map(|body| {
                vec![
                    body.velocity().x,
                    body.velocity().y,
                    body.angular_velocity(),
                ]
            })
            .collect();
        rows_array(slf.py(), &rows, 3)
    }

    /// Masses and inertias about the center of all bodies, an array (n, 2) [kg], [kg m^2].
    fn masses<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let world = borrow(slf)?;
        let rows: Vec<Vec<f32>> = world
            .world
            .bodies()
            .map(|body| vec![body.mass(), body.inertia()])
            .collect();
        rows_array(slf.py(), &rows, 2)
    }

    /// Moves all bodies at once: `positions` (n, 2) [m], `angles` (n,) [rad].
    fn set_poses(
        slf: &Bound<'_, Self>,
        positions: &Bound<'_, PyAny>,
        angles: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let ids = borrow(slf)?.body_ids();
        let positions = matrix("positions", positions, Some(ids.len()), 2)?;
        let angles = column("angles", angles, ids.len())?;
        let mut world = borrow_mut(slf)?;
        let rows = positions
            .as_slice()?
            .chunks_exact(2)
            .zip(angles.as_slice()?);
        for (&id, (place, &angle)) in ids.iter().zip(rows) {
            let place = WorldPoint::new(place[0], place[1]);
            let mut body = world.world.get_body_mut(id).ok_or_else(|| stale(id))?;
            body.try_set_pose(place, angle as f32).map_err(refuse)?;
        }
        Ok(())
    }

    /// Sets the velocities of all bodies: an array (n, 3) of x, y [m/s] and angular velocity [rad/s]. Rows of static bodies
    /// have no effect.
    fn set_velocities(slf: &Bound<'_, Self>, velocities: &Bound<'_, PyAny>) -> PyResult<()> {
        let ids = borrow(slf)?.body_ids();
        let velocities = matrix("velocities", velocities, Some(ids.len()), 3)?;
        let mut world = borrow_mut(slf)?;
        for (&id, row) in ids.iter().zip(velocities.as_slice()?.chunks_exact(3)) {
            let mut body = world.world.get_body_mut(id).ok_or_else(|| stale(id))?;
            if body.as_ref().kind() == BodyKind::Static {
                continue;
            }
            body.try_set_velocity(Vec2::new(row[0] as f32, row[1] as f32))
                .map_err(refuse)?;
            body.try_set_angular_velocity(row[2] as f32)
                .map_err(refuse)?;
        }
        Ok(())
    }

    /// Applies forces at the centers of all bodies for the coming step: an array (n, 3) of x, y [N] and torque [N m]. Rows
    /// of zeros wake no body.
    fn apply_forces(slf: &Bound<'_, Self>, forces: &Bound<'_, PyAny>) -> PyResult<()> {
        let ids = borrow(slf)?.body_ids();
        let forces = matrix("forces", forces, Some(ids.len()), 3)?;
        let mut world = borrow_mut(slf)?;
        for (&id, row) in ids.iter().zip(forces.as_slice()?.chunks_exact(3)) {
            if row.iter().all(|&x| x == 0.0) {
                continue;
            }
            let mut body = world.world.get_body_mut(id).ok_or_else(|| stale(id))?;
            body.try_apply_force(Vec2::new(row[0] as f32, row[1] as f32))
                .map_err(refuse)?;
            body.try_apply_torque(row[2] as f32).map_err(refuse)?;
        }
        Ok(())
    }

    /// Angles and angular speeds of all joints, an array (m, 2) [rad], [rad/s], in the order of `World.joints`.
    fn joint_angles<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let world = borrow(slf)?;
        let rows: Vec<Vec<f32>> = world
            .world
            .joints()
            .map(|joint| vec![joint.angle(), joint.angular_speed()])
            .collect();
        rows_array(slf.py(), &rows, 2)
    }

    /// Translations and their speeds of all joints, an array (m, 2) [m], [m/s], in the order of `World.joints`.
    fn joint_translations<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let world = borrow(slf)?;
        let rows: Vec<Vec<f32>> = world
            .world
            .joints()
            .map(|joint| vec![joint.translation(), joint.translation_speed()])
            .collect();
        rows_array(slf.py(), &rows, 2)
    }

    /// All contact points that touch, as arrays: a `ContactArrays`. Forces are means over a step of `dt` [s].
    fn contact_arrays<'py>(slf: &Bound<'py, Self>, dt: f32) -> PyResult<Bound<'py, PyAny>> {
        if !(dt.is_finite() && dt > 0.0) {
            let message = format!("dt is {dt}, which is not greater than zero");
            return Err(refuse(Refusal::argument("dt", message)));
        }
        let (py, world) = (slf.py(), borrow(slf)?);
        let rows_of = world.rows_of_slots();
        let (mut bodies, mut points) = (Vec::new(), Vec::new());
        let (mut normals, mut forces, mut separations) = (Vec::new(), Vec::new(), Vec::new());
        for contact in world.world.contacts() {
            let [a, b] = contact.bodies().map(|id| rows_of[id.index() as usize]);
            for point in contact.points() {
                bodies.push(vec![a, b]);
                points.push(vec![point.point.x, point.point.y]);
                normals.push(vec![contact.normal().x, contact.normal().y]);
                forces.push(vec![point.normal_impulse / dt, point.tangent_impulse / dt]);
                separations.push(point.separation);
            }
        }
        let fields = (
            rows_array(py, &bodies, 2)?,
            rows_array(py, &points, 2)?,
            rows_array(py, &normals, 2)?,
            rows_array(py, &forces, 2)?,
            PyArray1::from_vec(py, separations),
        );
        record(py, "ContactArrays", fields)
    }
}
