//! Bodies: creation, state, forces.

use crate::argument::{Pair, Row, definition, nest, normalized, points, snake_case};
use crate::error::{Refusal, refuse};
use crate::event::contact_record;
use crate::geometry::Geometry;
use crate::handle::World;
use crate::handle::{
    Body, Joint, Shape, borrow, borrow_mut, getters, plain_setters, setters, stale,
};
use crate::record::{pair, place};
use cairn2d::{BodyDef, BodyKind, Chain, ChainKind, IgnoreFor, Locks, MassData, ShapeDef, Wind};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Fields of a shape that belong to its material.
const MATERIAL: [&str; 8] = [
    "friction",
    "restitution",
    "friction_rule",
    "restitution_rule",
    "rolling_resistance",
    "surface_speed",
    "one_way",
    "user_id",
];

/// Fields of a shape that belong to its filter.
const FILTER: [&str; 3] = ["category", "mask", "group"];

#[pymethods]
impl World {
    /// Adds a body of a `kind`: "static", "kinematic" or "dynamic". Keyword arguments are the fields of its definition,
    /// such as `position` [m], `angle` [rad], `velocity` [m/s], `linear_damping` [1/s] and `user_data`.
    #[pyo3(signature = (kind = "static", **fields))]
    fn create_body(
        slf: &Bound<'_, Self>,
        kind: &str,
        fields: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        let fields = normalized(slf.py(), fields)?;
        let mut def: BodyDef = definition(&fields)?;
        def.kind = body_kind(kind)?;
        let id = borrow_mut(slf)?
            .world
            .try_create_body(def)
            .map_err(refuse)?;
        Ok(Body::new(slf, id))
    }
}

/// Returns the kind of this name.
pub(crate) fn body_kind(name: &str) -> PyResult<BodyKind> {
    match name {
        "static" => Ok(BodyKind::Static),
        "kinematic" => Ok(BodyKind::Kinematic),
        "dynamic" => Ok(BodyKind::Dynamic),
        _ => Err(refuse(Refusal::argument(
            "kind",
            format!("kind is {name:?}, which is not \"static\", \"kinematic\" or \"dynamic\""),
        ))),
    }
}

/// Reads the properties of a shape.
pub(crate) fn shape_def(py: Python<'_>, fields: Option<&Bound<'_, PyDict>>) -> PyResult<ShapeDef> {
    let fields = normalized(py, fields)?;
    nest(&fields, "material", &MATERIAL)?;
    nest(&fields, "filter", &FILTER)?;
    definition(&fields)
}

getters! { Body:
    /// Kind of the body: "static", "kinematic" or "dynamic".
    kind: String = |body| snake_case(&format!("{:?}", body.kind()));
    /// Origin of its frame in the world [m].
    position: (f64, f64) = |body| place(body.position_exact());
    /// Angle of its frame, counter-clockwise, in (-pi, pi] [rad].
    angle: f32 = |body| body.angle();
    /// Velocity of the center of mass [m/s].
    velocity: (f32, f32) = |body| pair(body.velocity());
    /// Angular velocity, counter-clockwise [rad/s].
    angular_velocity: f32 = |body| body.angular_velocity();
    /// Center of mass in the world [m].
    center: (f64, f64) = |body| place(body.center_exact());
    /// Center of mass in the body's frame [m].
    local_center: (f32, f32) = |body| pair(body.local_center().coords);
    /// Mass [kg]; 0 of a static or kinematic body.
    mass: f32 = |body| body.mass();
    /// Inertia about the center of mass [kg m^2].
    inertia: f32 = |body| body.inertia();
    /// Kinetic energy [J].
    kinetic_energy: f32 = |body| body.kinetic_energy();
    /// Potential energy in the gravity of the world [J].
    potential_energy: f32 = |body| body.potential_energy();
    /// Whether it is a dynamic body without mass, which does not move.
    is_massless: bool = |body| body.is_massless();
    /// Whether it is simulated.
    is_awake: bool = |body| body.is_awake();
    /// Whether it takes part in the simulation.
    is_enabled: bool = |body| body.is_enabled();
    /// Whether continuous collision sweeps it against dynamic bodies too.
    is_bullet: bool = |body| body.is_bullet();
    /// Factor on gravity.
    gravity_scale: f32 = |body| body.gravity_scale();
    /// Decay rate of the velocity [1/s].
    linear_damping: f32 = |body| body.damping()[0];
    /// Decay rate of the angular velocity [1/s].
    angular_damping: f32 = |body| body.damping()[1];
    /// Greatest speed at the end of a step [m/s].
    max_linear_speed: f32 = |body| body.max_linear_speed();
    /// Greatest angular speed at the end of a step [rad/s].
    max_angular_speed: f32 = |body| body.max_angular_speed();
    /// Whether it may turn by more than an eighth of a turn in a step.
    fast_rotation: bool = |body| body.has_fast_rotation();
    /// Whether it may fall asleep.
    can_sleep: bool = |body| body.can_sleep();
    /// Speed below which it may fall asleep [m/s]; `None` of a static body.
    sleep_speed: Option<f32> = |body| body.sleep_speed();
    /// Locked motions: x, y, rotation.
    locks: (bool, bool, bool) = |body| (body.locks().x, body.locks().y, body.locks().rotation);
    /// Box around its shapes [m]: (min x, min y, max x, max y); `None` without shapes.
    aabb: Option<(f32, f32, f32, f32)> = |body| body.aabb().map(|aabb| (aabb.min.x, aabb.min.y, aabb.max.x, aabb.max.y));
    /// Force [N] and torque [N m] that were applied for the coming step: (x, y, torque).
    applied_force: (f32, f32, f32) = |body| {
        let (force, torque) = body.applied_force();
        (force.x, force.y, torque)
    };
    /// Number for the user.
    user_data: u64 = |body| body.user_data();
}

setters! { Body:
    position = set_position(position: Pair) |body| {
        let angle = body.as_ref().angle();
        body.try_set_pose(position.place(), angle)
    };
    angle = set_angle(angle: f32) |body| {
        let position = body.as_ref().position_exact();
        body.try_set_pose(position, angle)
    };
    velocity = set_velocity(velocity: Pair) |body| body.try_set_velocity(velocity.vec());
    angular_velocity = set_angular_velocity(speed: f32) |body| body.try_set_angular_velocity(speed);
    gravity_scale = set_gravity_scale(scale: f32) |body| body.try_set_gravity_scale(scale);
    linear_damping = set_linear_damping(rate: f32) |body| {
        let [_, angular] = body.as_ref().damping();
        body.try_set_damping(rate, angular)
    };
    angular_damping = set_angular_damping(rate: f32) |body| {
        let [linear, _] = body.as_ref().damping();
        body.try_set_damping(linear, rate)
    };
    max_linear_speed = set_max_linear_speed(speed: Option<f32>) |body| body.try_set_max_linear_speed(speed);
    max_angular_speed = set_max_angular_speed(speed: f32) |body| body.try_set_max_angular_speed(speed);
    sleep_speed = set_sleep_speed(speed: f32) |body| body.try_set_sleep_speed(speed);
}

plain_setters! { Body:
    is_awake = set_is_awake(awake: bool) |body| if awake { body.wake() } else { body.sleep() };
    is_enabled = set_is_enabled(enabled: bool) |body| if enabled { body.enable() } else { body.disable() };
    is_bullet = set_is_bullet(bullet: bool) |body| body.set_bullet(bullet);
    fast_rotation = set_fast_rotation(fast: bool) |body| body.set_fast_rotation(fast);
    can_sleep = set_can_sleep(can_sleep: bool) |body| body.set_can_sleep(can_sleep);
    locks = set_locks(locks: Row<bool, 3>) |body| {
        let Row([x, y, rotation]) = locks;
        body.set_locks(Locks { x, y, rotation });
    };
    user_data = set_user_data(user_data: u64) |body| body.set_user_data(user_data);
}

/// Pose, mass and kind.
#[pymethods]
impl Body {
    #[setter]
    fn set_kind(&self, py: Python<'_>, kind: &str) -> PyResult<()> {
        let kind = body_kind(kind)?;
        self.set(py, |mut body| body.set_kind(kind))
    }

    /// Moves the body to `position` [m] and `angle` [rad] at once.
    fn set_pose(&self, py: Python<'_>, position: Pair, angle: f32) -> PyResult<()> {
        self.change(py, |mut body| body.try_set_pose(position.place(), angle))
    }

    /// Sets the velocities that bring a kinematic body to `position` [m] and `angle` [rad] in a step of `dt` [s].
    fn move_to(&self, py: Python<'_>, position: Pair, angle: f32, dt: f32) -> PyResult<()> {
        self.change(py, |mut body| body.try_move_to(position.place(), angle, dt))
    }

    /// Sets mass [kg], center in the body's frame [m] and inertia about it [kg m^2], in place of those of the shapes.
    #[pyo3(signature = (mass, inertia, center = Pair([0.0, 0.0])))]
    fn set_mass(&self, py: Python<'_>, mass: f32, inertia: f32, center: Pair) -> PyResult<()> {
        let data = MassData {
            mass,
            center: center.point(),
            inertia,
        };
        self.change(py, |mut body| body.try_set_mass(Some(data)))
    }

    /// Returns to the mass of the shapes.
    fn reset_mass(&self, py: Python<'_>) -> PyResult<()> {
        self.change(py, |mut body| body.try_set_mass(None))
    }

    /// Velocity of the point of the body that is at `point` in the world [m/s].
    fn velocity_at(&self, py: Python<'_>, point: Pair) -> PyResult<(f32, f32)> {
        let point = point.finite_place("point")?;
        self.read(py, |body| pair(body.velocity_at(point)))
    }

    /// Returns the place in the world of a point in the body's frame [m].
    fn to_world(&self, py: Python<'_>, point: Pair) -> PyResult<(f64, f64)> {
        let point = point.finite_vec("point")?;
        self.read(py, |body| place(body.to_world_exact(point.into())))
    }

    /// Returns the place in the body's frame of a point in the world [m].
    fn to_local(&self, py: Python<'_>, point: Pair) -> PyResult<(f32, f32)> {
        let point = point.finite_place("point")?;
        self.read(py, |body| pair(body.to_local(point).coords))
    }

    /// Removes the body with its shapes and joints.
    fn destroy(&self, py: Python<'_>) -> PyResult<()> {
        let destroyed = borrow_mut(self.world.bind(py))?.world.destroy_body(self.id);
        if destroyed {
            Ok(())
        } else {
            Err(stale(self.id))
        }
    }
}

/// Forces: they act in the coming step.
#[pymethods]
impl Body {
    /// Applies `force` [N] at the center of mass, or at a `point` of the world [m].
    #[pyo3(signature = (force, point = None))]
    fn apply_force(&self, py: Python<'_>, force: Pair, point: Option<Pair>) -> PyResult<()> {
        self.change(py, |mut body| match point {
            Some(point) => body.try_apply_force_at(force.vec(), point.place()),
            None => body.try_apply_force(force.vec()),
        })
    }

    /// Applies `force` [N] in the body's frame, at the center of mass or at a `point` of that frame [m].
    #[pyo3(signature = (force, point = None))]
    fn apply_local_force(&self, py: Python<'_>, force: Pair, point: Option<Pair>) -> PyResult<()> {
        self.change(py, |mut body| match point {
            Some(point) => body.try_apply_local_force_at(force.vec(), point.point()),
            None => body.try_apply_local_force(force.vec()),
        })
    }

    /// Applies `torque` [N m].
    fn apply_torque(&self, py: Python<'_>, torque: f32) -> PyResult<()> {
        self.change(py, |mut body| body.try_apply_torque(torque))
    }

    /// Applies `acceleration` [m/s^2] to the center of mass.
    fn apply_acceleration(&self, py: Python<'_>, acceleration: Pair) -> PyResult<()> {
        self.change(py, |mut body| {
            body.try_apply_acceleration(acceleration.vec())
        })
    }

    /// Applies `impulse` [N s] at the center of mass, or at a `point` of the world [m], at once.
    #[pyo3(signature = (impulse, point = None))]
    fn apply_impulse(&self, py: Python<'_>, impulse: Pair, point: Option<Pair>) -> PyResult<()> {
        self.change(py, |mut body| match point {
            Some(point) => body.try_apply_impulse_at(impulse.vec(), point.place()),
            None => body.try_apply_impulse(impulse.vec()),
        })
    }

    /// Applies an angular `impulse` [N m s] at once.
    fn apply_angular_impulse(&self, py: Python<'_>, impulse: f32) -> PyResult<()> {
        self.change(py, |mut body| body.try_apply_angular_impulse(impulse))
    }

    /// Applies the force of a wind of `velocity` [m/s] for the coming step.
    #[pyo3(signature = (velocity, drag = 1.0, lift = 0.0))]
    fn apply_wind(&self, py: Python<'_>, velocity: Pair, drag: f32, lift: f32) -> PyResult<()> {
        let wind = Wind::new(velocity.vec()).coefficients(drag, lift);
        self.change(py, |mut body| body.try_apply_wind(&wind))
    }
}

/// Shapes, joints and contacts.
#[pymethods]
impl Body {
    /// Adds a shape. Keyword arguments are `density` [kg/m^2], `friction`, `restitution`, `sensor`, `category`, `mask`,
    /// `group`, `rolling_resistance`, `surface_speed` [m/s], `one_way`, `force_event_threshold` [N] and `user_data`.
    #[pyo3(signature = (geometry, **fields))]
    fn create_shape(
        &self,
        py: Python<'_>,
        geometry: &Geometry,
        fields: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Shape> {
        let def = shape_def(py, fields)?;
        let world = self.world.bind(py);
        let shape = geometry.shape.clone();
        let created = borrow_mut(world)?
            .world
            .try_create_shape(self.id, shape, def);
        Ok(Shape::new(world, created.map_err(refuse)?))
    }

    /// Adds a chain through `vertices`, an array (n, 2) [m]: solid on the right side of its direction, or on both.
    #[pyo3(signature = (vertices, loop_ = false, two_sided = false, **fields))]
    fn create_chain(
        &self,
        py: Python<'_>,
        vertices: &Bound<'_, PyAny>,
        loop_: bool,
        two_sided: bool,
        fields: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<Shape>> {
        let points = points("vertices", vertices)?;
        let kind = if loop_ {
            ChainKind::Loop
        } else {
            ChainKind::Open
        };
        let chain = if two_sided {
            Chain::try_two_sided(&points, kind)
        } else {
            Chain::try_new(&points, kind)
        };
        let (chain, def) = (chain.map_err(refuse)?, shape_def(py, fields)?);
        let world = self.world.bind(py);
        let created = borrow_mut(world)?
            .world
            .try_create_chain(self.id, &chain, def);
        let shapes = created.map_err(refuse)?;
        Ok(shapes.into_iter().map(|id| Shape::new(world, id)).collect())
    }

    /// The shapes, in order of creation.
    fn shapes(&self, py: Python<'_>) -> PyResult<Vec<Shape>> {
        let world = self.world.bind(py);
        self.read(py, |body| {
            body.shapes()
                .map(|shape| Shape::new(world, shape.id()))
                .collect()
        })
    }

    /// The joints.
    fn joints(&self, py: Python<'_>) -> PyResult<Vec<Joint>> {
        let world = self.world.bind(py);
        self.read(py, |body| {
            body.joints()
                .map(|joint| Joint::new(world, joint.id()))
                .collect()
        })
    }

    /// The contacts that touch, as `Contact` records.
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let world = self.world.bind(py);
        let guard = borrow(world)?;
        let body = guard
            .world
            .get_body(self.id)
            .ok_or_else(|| stale(self.id))?;
        body.contacts()
            .map(|contact| contact_record(world, &contact))
            .collect()
    }

    /// Lets two bodies pass through each other until `unignore`.
    fn ignore(&self, py: Python<'_>, other: &Self) -> PyResult<()> {
        let world = self.world.bind(py);
        let other = other.id_in(world, "other")?;
        let ignored = borrow_mut(world)?
            .world
            .try_ignore_pair(self.id, other, IgnoreFor::Forever);
        ignored.map_err(refuse)
    }

    /// Ends [`ignore`](Self::ignore); returns whether the pair was ignored.
    fn unignore(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        let world = self.world.bind(py);
        let other = other.id_in(world, "other")?;
        Ok(borrow_mut(world)?.world.unignore_pair(self.id, other))
    }
}
