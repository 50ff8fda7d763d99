//! Shapes on bodies: surface, filter, sensors.

use crate::argument::{Pair, snake_case};
use crate::error::Refusal;
use crate::event::contact_record;
use crate::geometry::Geometry;
use crate::handle::{Body, Shape, borrow, borrow_mut, getters, plain_setters, setters, stale};
use crate::record::pair;
use pyo3::prelude::*;

getters! { Shape:
    /// Geometry in the body's frame.
    geometry: Geometry = |shape| shape.geometry().clone().into();
    /// Coulomb coefficient.
    friction: f32 = |shape| shape.material().friction;
    /// Coefficient of restitution.
    restitution: f32 = |shape| shape.material().restitution;
    /// Resistance to rolling, as a share of the radius.
    rolling_resistance: f32 = |shape| shape.material().rolling_resistance;
    /// Speed of the surface along the outline, counter-clockwise [m/s].
    surface_speed: f32 = |shape| shape.material().surface_speed;
    /// Direction in the body's frame in which bodies pass through; `None`: in no direction.
    one_way: Option<(f32, f32)> = |shape| shape.material().one_way.map(pair);
    /// Rule by which friction is mixed, such as "average"; `None` is the default rule.
    friction_rule: Option<String> = |shape| shape.material().friction_rule.map(|rule| snake_case(&format!("{rule:?}")));
    /// Mass per area [kg/m^2].
    density: f32 = |shape| shape.density();
    /// Whether it only detects overlaps.
    is_sensor: bool = |shape| shape.is_sensor();
    /// Whether it takes part in the simulation.
    is_enabled: bool = |shape| shape.is_enabled();
    /// Categories that it is in, one bit each.
    category: u64 = |shape| shape.filter().category;
    /// Categories that it collides with.
    mask: u64 = |shape| shape.filter().mask;
    /// Group: equal positive groups collide always, equal negative ones never.
    group: i32 = |shape| shape.filter().group;
    /// Normal force above which its contacts are listed as events [N].
    force_event_threshold: f32 = |shape| shape.force_event_threshold();
    /// Box around it in the world [m]: (min x, min y, max x, max y).
    aabb: (f32, f32, f32, f32) = |shape| {
        let aabb = shape.aabb();
        (aabb.min.x, aabb.min.y, aabb.max.x, aabb.max.y)
    };
    /// Whether the pre-solve hook of the world is called for its contacts.
    pre_solve: bool = |shape| shape.asks_pre_solve();
    /// Number for the user.
    user_data: u64 = |shape| shape.user_data();
}

setters! { Shape:
    friction = set_friction(friction: f32) |shape| shape.try_set_friction(friction);
    restitution = set_restitution(restitution: f32) |shape| shape.try_set_restitution(restitution);
    surface_speed = set_surface_speed(speed: f32) |shape| shape.try_set_surface_speed(speed);
    rolling_resistance = set_rolling_resistance(rolling_resistance: f32) |shape| {
        let material = cairn2d::Material { rolling_resistance, ..shape.as_ref().material() };
        shape.try_set_material(material)
    };
    one_way = set_one_way(direction: Option<Pair>) |shape| shape.try_set_one_way(direction.map(Pair::vec));
    density = set_density(density: f32) |shape| shape.try_set_density(density);
    force_event_threshold = set_force_event_threshold(force: f32) |shape| shape.try_set_force_event_threshold(force);
}

plain_setters! { Shape:
    is_sensor = set_is_sensor(sensor: bool) |shape| shape.set_sensor(sensor);
    is_enabled = set_is_enabled(enabled: bool) |shape| if enabled { shape.enable() } else { shape.disable() };
    pre_solve = set_pre_solve(asked: bool) |shape| shape.set_pre_solve(asked);
    category = set_category(category: u64) |shape| {
        let filter = cairn2d::Filter { category, ..shape.as_ref().filter() };
        shape.set_filter(filter);
    };
    mask = set_mask(mask: u64) |shape| {
        let filter = cairn2d::Filter { mask, ..shape.as_ref().filter() };
        shape.set_filter(filter);
    };
    group = set_group(group: i32) |shape| {
        let filter = cairn2d::Filter { group, ..shape.as_ref().filter() };
        shape.set_filter(filter);
    };
    user_data = set_user_data(user_data: u64) |shape| shape.set_user_data(user_data);
}

#[pymethods]
impl Shape {
    /// The body.
    #[getter]
    fn body(&self, py: Python<'_>) -> PyResult<Body> {
        let body = self.read(py, |shape| shape.body())?;
        Ok(Body::new(self.world.bind(py), body))
    }

    #[setter]
    fn set_geometry(&self, py: Python<'_>, geometry: &Geometry) -> PyResult<()> {
        let shape = geometry.shape.clone();
        self.change(py, |mut view| {
            view.try_set_geometry(shape).map_err(Refusal::from)
        })
    }

    /// The shapes that overlap this sensor, as of the last step.
    fn overlaps(&self, py: Python<'_>) -> PyResult<Vec<Self>> {
        let world = self.world.bind(py);
        self.read(py, |shape| {
            shape.overlaps().map(|id| Self::new(world, id)).collect()
        })
    }

    /// The contacts that touch, as `Contact` records.
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let world = self.world.bind(py);
        let guard = borrow(world)?;
        let shape = guard
            .world
            .get_shape(self.id)
            .ok_or_else(|| stale(self.id))?;
        shape
            .contacts()
            .map(|contact| contact_record(world, &contact))
            .collect()
    }

    /// Removes the shape.
    fn destroy(&self, py: Python<'_>) -> PyResult<()> {
        let destroyed = borrow_mut(self.world.bind(py))?
            .world
            .destroy_shape(self.id);
        if destroyed {
            Ok(())
        } else {
            Err(stale(self.id))
        }
    }
}
