//! Bodies and shapes of the `Box2D` module, without keyword arguments: environments make hundreds of them in each reset.

use crate::argument::Pair;
use crate::error::refuse;
use crate::geometry::Geometry;
use crate::handle::{Body, Shape, World, borrow_mut, stale};
use crate::record::{pair, place};
use cairn2d::{BodyDef, Filter, Locks, Material, ShapeDef};
use pyo3::prelude::*;

#[pymethods]
impl World {
    /// Adds a body, as `create_body` does. `damping` is linear and angular, `flags` are `can_sleep`, `bullet` and a locked rotation.
    #[expect(
        clippy::too_many_arguments,
        reason = "positional arguments take less time than keywords"
    )]
    fn _create_box2d_body(
        slf: &Bound<'_, Self>,
        kind: &str,
        position: Pair,
        angle: f32,
        velocity: Pair,
        angular_velocity: f32,
        damping: (f32, f32),
        gravity_scale: f32,
        flags: (bool, bool, bool),
    ) -> PyResult<Body> {
        let def = BodyDef {
            kind: crate::body::body_kind(kind)?,
            position: position.place(),
            angle,
            velocity: velocity.vec(),
            angular_velocity,
            linear_damping: damping.0,
            angular_damping: damping.1,
            gravity_scale,
            can_sleep: flags.0,
            bullet: flags.1,
            locks: Locks {
                rotation: flags.2,
                ..Locks::default()
            },
            // The rules of Box2D put it to sleep.
            sleep_speed: 0.0,
            ..BodyDef::default()
        };
        let created = borrow_mut(slf)?.world.try_create_body(def);
        Ok(Body::new(slf, created.map_err(refuse)?))
    }
}

/// Position [m], center [m], local center [m] and velocity [m/s] of a body.
type Vectors = ((f64, f64), (f64, f64), (f32, f32), (f32, f32));

#[pymethods]
impl Body {
    /// Adds a shape, as `create_shape` does. `flags` are `sensor` and `pre_solve`, `bits` are category, mask and group.
    #[expect(
        clippy::too_many_arguments,
        reason = "positional arguments take less time than keywords"
    )]
    fn _create_box2d_shape(
        &self,
        py: Python<'_>,
        geometry: &Geometry,
        density: f32,
        friction: f32,
        restitution: f32,
        flags: (bool, bool),
        bits: (u64, u64, i32),
    ) -> PyResult<Shape> {
        let (category, mask, group) = bits;
        let def = ShapeDef {
            density,
            material: Material {
                friction,
                restitution,
                ..Material::default()
            },
            filter: Filter {
                category,
                mask,
                group,
            },
            sensor: flags.0,
            pre_solve: flags.1,
            ..ShapeDef::default()
        };
        let world = self.world.bind(py);
        let shape = geometry.shape.clone();
        let created = borrow_mut(world)?
            .world
            .try_create_shape(self.id, shape, def);
        Ok(Shape::new(world, created.map_err(refuse)?))
    }

    /// Removes the body, and returns its last position, center, local center and velocity.
    fn _destroy_box2d(&self, py: Python<'_>) -> PyResult<Vectors> {
        let last = self.read(py, |body| {
            (
                place(body.position_exact()),
                place(body.center_exact()),
                pair(body.local_center().coords),
                pair(body.velocity()),
            )
        })?;
        if borrow_mut(self.world.bind(py))?.world.destroy_body(self.id) {
            Ok(last)
        } else {
            Err(stale(self.id))
        }
    }
}
