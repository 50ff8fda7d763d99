//! Joints: creation, coordinates, motors, limits and springs.

use crate::argument::{Pair, Row, camel_case, definition, nest, normalized, snake_case};
use crate::error::{Refusal, refuse};
use crate::handle::World;
use crate::handle::{Body, Joint, borrow, borrow_mut, getters, plain_setters, setters, stale};
use crate::record::place;
use cairn2d::{
    BodyId, DistanceJointDef, FilterJointDef, GearJointDef, JointDef, JointId, Limit, Motor,
    MotorJointDef, MouseJointDef, PrismaticJointDef, PulleyJointDef, RevoluteJointDef, Spring,
    Vec2, WeldJointDef, WheelJointDef, WorldPoint,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Fields that all joints share.
const BASE: [&str; 9] = [
    "body_a",
    "body_b",
    "frame_a",
    "frame_b",
    "collide_connected",
    "softness",
    "break_force",
    "break_torque",
    "user_data",
];

/// Kinds of joints that have an axis.
const WITH_AXIS: [&str; 2] = ["prismatic", "wheel"];

#[pymethods]
impl World {
    /// Adds a joint of two bodies. `kind` is "revolute", "prismatic", "distance", "weld", "wheel", "motor", "mouse",
    /// "pulley", "gear" or "filter".
    ///
    /// `anchor` is a point of the world [m] at which the bodies are joined as they are now, `axis` the direction of a
    /// prismatic or wheel joint there. A distance joint goes from `anchor` to `anchor_b` and takes its length from them.
    /// Other keyword arguments are fields of the definition: `limit` (lower, upper), `motor` (speed, max effort), `spring`
    /// (hertz, damping ratio, target), `frame_a`, `frame_b`, `collide_connected`, `softness`, `break_force` [N] and so on.
    #[pyo3(signature = (kind, body_a, body_b, anchor = None, axis = None, anchor_b = None, **fields))]
    #[expect(
        clippy::too_many_arguments,
        reason = "keyword arguments of a Python method"
    )]
    fn create_joint(
        slf: &Bound<'_, Self>,
        kind: &str,
        body_a: &Body,
        body_b: &Body,
        anchor: Option<Pair>,
        axis: Option<Pair>,
        anchor_b: Option<Pair>,
        fields: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Joint> {
        let bodies = [body_a.id_in(slf, "body_a")?, body_b.id_in(slf, "body_b")?];
        let fields = normalized(slf.py(), fields)?;
        let axis = axis.map(|axis| axis.finite_vec("axis")).transpose()?;
        if axis.is_some() && !WITH_AXIS.contains(&kind) {
            return Err(refuse(Refusal::argument(
                "axis",
                format!("a {kind} joint has no axis"),
            )));
        }
        if let Some(anchor) = anchor {
            place_frames(
                slf,
                bodies,
                [anchor, anchor_b.unwrap_or(anchor)],
                axis,
                &fields,
            )?;
        }
        if kind == "distance"
            && let (Some(Pair([ax, ay])), Some(Pair([bx, by]))) = (anchor, anchor_b)
        {
            fields.set_item("length", (bx - ax).hypot(by - ay))?;
        }
        let all = default_fields(slf.py(), kind, bodies, &fields)?;
        all.update(fields.as_mapping())?;
        let def = joint_def(slf, kind, &all)?;
        let id = borrow_mut(slf)?
            .world
            .try_create_joint(def)
            .map_err(refuse)?;
        Ok(Joint::new(slf, id))
    }
}

/// Writes the frames that join two bodies as they are now.
fn place_frames(
    world: &Bound<'_, World>,
    [a, b]: [BodyId; 2],
    [anchor_a, anchor_b]: [Pair; 2],
    axis: Option<Vec2>,
    fields: &Bound<'_, PyDict>,
) -> PyResult<()> {
    let points = [
        anchor_a.finite_place("anchor")?,
        anchor_b.finite_place("anchor_b")?,
    ];
    let axis = axis.unwrap_or_else(Vec2::x);
    let angle = cairn2d::math::atan2(axis.y, axis.x);
    let guard = borrow(world)?;
    for id in [a, b] {
        guard.world.get_body(id).ok_or_else(|| stale(id))?;
    }
    let frames = points.map(|point| guard.world.joint_frames(a, b, point, angle));
    for (name, frame) in [("frame_a", frames[0][0]), ("frame_b", frames[1][1])] {
        fields.set_item(name, pythonize::pythonize(fields.py(), &frame)?)?;
    }
    Ok(())
}

/// Returns the default fields of a joint of this kind.
fn default_fields<'py>(
    py: Python<'py>,
    kind: &str,
    [a, b]: [BodyId; 2],
    given: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyDict>> {
    let needed: &[&str] = match kind {
        "pulley" => &["wheel_a", "wheel_b", "length"],
        "gear" => &["joint_a", "joint_b"],
        _ => &[],
    };
    for name in needed {
        if !given.contains(name)? {
            return Err(refuse(Refusal::argument(
                name,
                format!("a {kind} joint needs {name}"),
            )));
        }
    }
    let none = JointId::from_bits(0);
    let def: JointDef = match kind {
        "revolute" => RevoluteJointDef::new(a, b).into(),
        "prismatic" => PrismaticJointDef::new(a, b).into(),
        "distance" => DistanceJointDef::new(a, b).into(),
        "weld" => WeldJointDef::new(a, b).into(),
        "wheel" => WheelJointDef::new(a, b).into(),
        "motor" => MotorJointDef::new(a, b).into(),
        "mouse" => MouseJointDef::new(a, b).into(),
        "pulley" => PulleyJointDef::new(a, b, WorldPoint::ORIGIN, WorldPoint::ORIGIN, 1.0).into(),
        "gear" => GearJointDef::new(a, b, none, none).into(),
        "filter" => FilterJointDef::new(a, b).into(),
        _ => {
            return Err(refuse(Refusal::argument(
                "kind",
                format!("kind is {kind:?}, which is no kind of joint"),
            )));
        }
    };
    inner_fields(py, &def)
}

/// Returns the fields of a definition, without the name of its kind.
fn inner_fields<'py>(py: Python<'py>, def: &JointDef) -> PyResult<Bound<'py, PyDict>> {
    let tagged = pythonize::pythonize(py, def)?.cast_into::<PyDict>()?;
    Ok(tagged.values().get_item(0)?.cast_into::<PyDict>()?)
}

/// Returns the name of the kind of a joint.
fn kind_of(def: &JointDef) -> String {
    snake_case(format!("{def:?}").split('(').next().unwrap_or_default())
}

/// Reads the definition of a joint of this kind.
fn joint_def(
    world: &Bound<'_, World>,
    kind: &str,
    fields: &Bound<'_, PyDict>,
) -> PyResult<JointDef> {
    for gear in ["joint_a", "joint_b"] {
        if let Some(joint) = fields.get_item(gear)?
            && let Ok(joint) = joint.cast::<Joint>()
        {
            fields.set_item(gear, joint.get().id_in(world, gear)?.to_bits())?;
        }
    }
    nest(fields, "base", &BASE)?;
    let tagged = PyDict::new(fields.py());
    tagged.set_item(camel_case(kind), fields)?;
    definition(&tagged)
}

getters! { Joint:
    /// Kind, such as "revolute".
    kind: String = |joint| kind_of(joint.def());
    /// Angle of body B relative to A, less that of the frames [rad].
    angle: f32 = |joint| joint.angle();
    /// Angular speed of B relative to A [rad/s].
    angular_speed: f32 = |joint| joint.angular_speed();
    /// Translation of B's anchor along A's axis [m].
    translation: f32 = |joint| joint.translation();
    /// Speed of the translation [m/s].
    translation_speed: f32 = |joint| joint.translation_speed();
    /// Distance of the anchors [m].
    length: f32 = |joint| joint.length();
    /// Distance by which the joint is open [m].
    gap: f32 = |joint| joint.gap();
    /// Anchors on A and B in the world [m].
    anchors: ((f64, f64), (f64, f64)) = |joint| {
        let [a, b] = joint.anchors();
        (place(a), place(b))
    };
    /// Mean force on B [N] and torque [N m] of the last step: (x, y, torque).
    reaction: (f32, f32, f32) = |joint| {
        let reaction = joint.reaction();
        (reaction.force.x, reaction.force.y, reaction.torque)
    };
    /// Efforts of its parts on B in the last substep: (spring, motor, limit) [N m on an angle, N on a translation or length]. `None`
    /// of a kind without such parts.
    efforts: Option<(f32, f32, f32)> = |joint| joint.efforts().map(<(f32, f32, f32)>::from);
    /// Effective mass that its spring moves, [kg] or of an angle [kg m^2]; `None` without a spring.
    spring_mass: Option<f32> = |joint| joint.spring_mass();
    /// Motor: (speed, greatest effort), in [rad/s] and [N m] or [m/s] and [N].
    motor: Option<(f32, f32)> = |joint| parts(joint.def()).0.map(|motor| (motor.speed, motor.max_effort));
    /// Range of the angle [rad] or translation [m].
    limit: Option<(f32, f32)> = |joint| parts(joint.def()).1.map(|limit| (limit.lower, limit.upper));
    /// Spring: (frequency [Hz], damping ratio, target).
    spring: Option<(f32, f32, f32)> = |joint| parts(joint.def()).2.map(|spring| (spring.hertz, spring.damping_ratio, spring.target));
    /// Whether it takes part in the simulation.
    is_enabled: bool = |joint| joint.is_enabled();
    /// Number for the user.
    user_data: u64 = |joint| joint.user_data();
}

/// Returns motor, limit and spring of a joint.
fn parts(def: &JointDef) -> (Option<Motor>, Option<Limit>, Option<Spring>) {
    match def {
        JointDef::Revolute(def) => (def.motor, def.limit, def.spring),
        JointDef::Prismatic(def) => (def.motor, def.limit, def.spring),
        JointDef::Distance(def) => (def.motor, def.limit, def.spring),
        JointDef::Wheel(def) => (def.motor, def.limit, def.spring),
        _ => (None, None, None),
    }
}

/// A spring as two or three numbers: frequency [Hz], damping ratio, and perhaps its target.
struct SpringParts(Spring);

impl<'a, 'py> FromPyObject<'a, 'py> for SpringParts {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(Row([hertz, damping_ratio])) = object.extract::<Row<f32, 2>>() {
            return Ok(Self(Spring::new(hertz, damping_ratio)));
        }
        let message = "must be two or three numbers: frequency, damping ratio and target";
        let Row([hertz, damping_ratio, target]) = object
            .extract::<Row<f32, 3>>()
            .map_err(|_| PyTypeError::new_err(message))?;
        let spring = Spring::new(hertz, damping_ratio);
        Ok(Self(Spring { target, ..spring }))
    }
}

setters! { Joint:
    motor = set_motor(motor: Option<Row<f32, 2>>) |joint| joint.try_set_motor(motor.map(|Row([speed, effort])| Motor::new(speed, effort)));
    motor_speed = set_motor_speed(speed: f32) |joint| joint.try_set_motor_speed(speed);
    limit = set_limit(limit: Option<Row<f32, 2>>) |joint| joint.try_set_limit(limit.map(|Row([lower, upper])| Limit::new(lower, upper)));
    spring = set_spring(spring: Option<SpringParts>) |joint| joint.try_set_spring(spring.map(|parts| parts.0));
    spring_target = set_spring_target(target: f32) |joint| joint.try_set_spring_target(target);
    target = set_target(point: Pair) |joint| joint.try_set_target(point.place());
    target_angle = set_target_angle(angle: f32) |joint| joint.try_set_target_angle(angle);
    length = set_length(length: f32) |joint| joint.try_set_length(length);
    ratio = set_ratio(ratio: f32) |joint| joint.try_set_ratio(ratio);
}

plain_setters! { Joint:
    is_enabled = set_is_enabled(enabled: bool) |joint| if enabled { joint.enable() } else { joint.disable() };
    collide_connected = set_collide_connected(collide: bool) |joint| joint.set_collide_connected(collide);
    user_data = set_user_data(user_data: u64) |joint| joint.set_user_data(user_data);
}

/// Returns a spring as `Joint.spring` takes it, (frequency [Hz], damping ratio, 0.0), of `stiffness` [N/m] and `damping` [N s/m]
/// on bodies of the effective mass `mass` [kg], such as `Joint.spring_mass`; on angles [N m/rad], [N m s/rad] and [kg m^2].
#[pyfunction]
pub(crate) fn spring_of_stiffness(
    stiffness: f32,
    damping: f32,
    mass: f32,
) -> PyResult<(f32, f32, f32)> {
    for (name, value) in [("stiffness", stiffness), ("mass", mass)] {
        if !(value > 0.0 && value.is_finite()) {
            let message = format!("{name} is {value}, which is not positive and finite");
            return Err(refuse(Refusal::argument(name, message)));
        }
    }
    let spring = Spring::of_stiffness(stiffness, damping, mass);
    Ok((spring.hertz, spring.damping_ratio, spring.target))
}

#[pymethods]
impl Joint {
    /// The first body.
    #[getter]
    fn body_a(&self, py: Python<'_>) -> PyResult<Body> {
        let [id, _] = self.read(py, |joint| joint.bodies())?;
        Ok(Body::new(self.world.bind(py), id))
    }

    /// The second body, on which impulses act.
    #[getter]
    fn body_b(&self, py: Python<'_>) -> PyResult<Body> {
        let [_, id] = self.read(py, |joint| joint.bodies())?;
        Ok(Body::new(self.world.bind(py), id))
    }

    /// The definition, as a dict; infinite numbers are the words "inf" and "-inf".
    #[getter]
    fn definition<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.read(py, |joint| inner_fields(py, joint.def()))?
    }

    /// Changes fields of the definition; their names are those of `World.create_joint`.
    #[pyo3(signature = (**fields))]
    fn configure(&self, py: Python<'_>, fields: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        let world = self.world.bind(py);
        let all = self.definition(py)?;
        all.update(normalized(py, fields)?.as_mapping())?;
        let kind = self.read(py, |joint| kind_of(joint.def()))?;
        let def = joint_def(world, &kind, &all)?;
        borrow_mut(world)?
            .world
            .try_set_joint(self.id, def)
            .map_err(refuse)
    }

    /// Sets the velocity [m/s] and angular velocity [rad/s] of a motor joint.
    fn set_velocity(&self, py: Python<'_>, linear: Pair, angular: f32) -> PyResult<()> {
        self.change(py, |mut joint| {
            joint.try_set_velocity(linear.vec(), angular)
        })
    }

    /// Sets the mean force [N] and torque [N m] at which the joint breaks.
    fn set_break_limits(&self, py: Python<'_>, force: f32, torque: f32) -> PyResult<()> {
        self.change(py, |mut joint| joint.try_set_break_limits(force, torque))
    }

    /// Removes the joint.
    fn destroy(&self, py: Python<'_>) -> PyResult<()> {
        let destroyed = borrow_mut(self.world.bind(py))?
            .world
            .destroy_joint(self.id);
        if destroyed {
            Ok(())
        } else {
            Err(stale(self.id))
        }
    }
}
