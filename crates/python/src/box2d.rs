//! Rules of Box2D 2.3 that differ from the engine's: angles that count turns, caps of motion, and its test for sleep.
//!
//! Box2D puts an island to sleep once each of its bodies was slow for half a second. The engine also tests whether a body is
//! supported, so a lander on sprung legs stays awake for longer; programs that wait for sleep then run on.

use crate::error::refuse;
use crate::handle::{Body, World, borrow, borrow_mut, stale};
use crate::opening::{Iterations, Opening, open_linkages};
use crate::touching::{SavedTouch, Touches};
use cairn2d::math::PI;
use cairn2d::{BodyId, BodyKind, BodyMut, ShapeId, Tuning, ValueError, WorldError};
use pyo3::prelude::*;

/// Speed below which a body counts as at rest [m/s]: `b2_linearSleepTolerance`.
const REST_SPEED: f32 = 0.01;

/// Angular speed below which a body counts as at rest [rad/s]: `b2_angularSleepTolerance`, 2 degrees a second.
const REST_ANGULAR_SPEED: f32 = 2.0 / 180.0 * PI;

/// Time at rest after which an island sleeps [s]: `b2_timeToSleep`.
const REST_TIME: f32 = 0.5;

/// Greatest motion of a body in a step [m]: `b2_maxTranslation`.
const MAX_TRANSLATION: f32 = 2.0;

/// Greatest turn of a body in a step [rad]: `b2_maxRotation`. That of the engine is half of it unless a body may turn fast.
const MAX_ROTATION: f32 = 0.5 * PI;

/// Tuning of the worlds of the `Box2D` module: shapes bounce from `b2_velocityThreshold` on, and nothing slows linkages.
pub(crate) fn tuning() -> Tuning {
    Tuning {
        restitution_threshold: 1.0,
        linkage_drag: 0.0,
        ..Tuning::default()
    }
}

/// Distance that polygons of Box2D keep from edges and from each other [m]: twice `b2_polygonRadius` less `b2_linearSlop`.
/// Polygons and edges of static bodies have it as their radius. Without it walkers stand lower by as much.
pub(crate) const SKIN: f32 = 0.015;

/// Solver settings of the worlds of the `Box2D` module.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SolverSettings {
    /// Substeps of a step.
    pub(crate) substeps: u32,
    /// Work of a step for solvers that converge: see `cairn2d::WorldDef::solver_budget`.
    pub(crate) solver_budget: u32,
}

impl SolverSettings {
    /// The defaults. Linkages are solved to convergence in each substep, so two do what the 180 iterations of Gymnasium's
    /// environments do. One takes a fifth less time, but the walker of Gymnasium's heuristic then falls early; with a budget
    /// of 0 it sinks into its joints, and landers do not come to rest.
    pub(crate) const BOX2D: Self = Self {
        substeps: 2,
        solver_budget: 20_000,
    };
}

/// Record of a body beside the state of the engine.
#[derive(Clone, Copy, Debug)]
struct Extra {
    id: BodyId,
    /// Angle of the engine after the last step, within half a turn [rad].
    angle: f32,
    /// Turns to be added to it.
    turns: i32,
    /// Time for which the body was slow [s].
    rest_time: f32,
    /// Step for which its rotation is capped [s].
    capped_for: f32,
}

/// Angles and times at rest of the bodies of one world.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    extras: Vec<Extra>,
    /// Whether joints were created since the last step.
    has_new_joints: bool,
    /// Bodies of linkages that were open at the last step.
    open: Vec<BodyId>,
    pub(crate) touches: Touches,
}

impl Rules {
    /// Starts to track a body, whose angle may be beyond half a turn [rad].
    pub(crate) fn add(&mut self, world: &cairn2d::World, id: BodyId, angle: f64) {
        let Some(body) = world.get_body(id) else {
            return;
        };
        let turns = ((angle - f64::from(body.angle())) / std::f64::consts::TAU).round() as i32;
        let extra = Extra {
            id,
            angle: body.angle(),
            turns,
            rest_time: 0.0,
            capped_for: 0.0,
        };
        match self.extras.iter_mut().find(|known| known.id == id) {
            Some(known) => *known = extra,
            None => self.extras.push(extra),
        }
    }

    /// Says that a joint was created: its bodies may be apart.
    pub(crate) const fn note_joint(&mut self) {
        self.has_new_joints = true;
    }

    /// Steps the world by `dt` [s], counts turns, and puts islands to sleep.
    pub(crate) fn step(
        &mut self,
        world: &mut cairn2d::World,
        dt: f32,
        iterations: Iterations,
    ) -> Result<(), WorldError> {
        self.extras
            .retain(|extra| world.get_body(extra.id).is_some());
        let linkages = self.move_open_linkages(world, dt, iterations);
        self.cap_motion(world, dt)?;
        for linkage in &linkages {
            linkage.begin_step(world)?;
        }
        let stepped = world.try_step(dt);
        for linkage in &linkages {
            linkage.end_step(world)?;
        }
        stepped?;
        for extra in &mut self.extras {
            extra.update(world, dt);
        }
        self.touches.update(world);
        if world.def().sleeping {
            self.sleep_islands(world);
        }
        Ok(())
    }

    /// Moves linkages whose anchors are apart by a step.
    fn move_open_linkages(
        &mut self,
        world: &cairn2d::World,
        dt: f32,
        iterations: Iterations,
    ) -> Vec<Opening> {
        let was_open = core::mem::take(&mut self.open);
        let is_new = core::mem::take(&mut self.has_new_joints);
        if (!is_new && was_open.is_empty()) || !(dt > 0.0 && dt.is_finite()) {
            return Vec::new();
        }
        let angle = |extra: &Extra| (extra.id, extra.full_angle() as f32);
        let bodies: Vec<_> = self.extras.iter().map(angle).collect();
        let mut linkages = open_linkages(world, &bodies, &was_open);
        for linkage in &mut linkages {
            if linkage.step(world, dt, iterations) {
                self.open.extend(linkage.bodies());
            }
        }
        linkages
    }

    /// Caps translation and rotation of the bodies in a step of `dt` [s].
    fn cap_motion(&mut self, world: &mut cairn2d::World, dt: f32) -> Result<(), WorldError> {
        if !(dt > 0.0 && dt.is_finite()) {
            return Ok(());
        }
        let (speed, spin) = (MAX_TRANSLATION / dt, MAX_ROTATION / dt);
        if world.def().tuning.max_linear_speed != speed {
            let mut def = world.def().clone();
            def.tuning.max_linear_speed = speed;
            world.try_set_def(def)?;
        }
        for extra in &mut self.extras {
            extra.cap_motion(&mut world.body_mut(extra.id), dt, speed, spin)?;
        }
        Ok(())
    }

    /// Puts to sleep each island of which all bodies were at rest for long enough.
    fn sleep_islands(&mut self, world: &mut cairn2d::World) {
        let rests = |extra: &Extra| extra.rest_time >= REST_TIME;
        if !self.extras.iter().any(rests) {
            return;
        }
        let island_of = |extra: &Extra| world.get_body(extra.id).and_then(|body| body.island());
        let islands: Vec<_> = self.extras.iter().map(island_of).collect();
        for at in 0..self.extras.len() {
            let Some(island) = islands[at] else { continue };
            let mut members = islands
                .iter()
                .zip(&self.extras)
                .filter(|(other, _)| **other == Some(island));
            if members.all(|(_, extra)| rests(extra)) {
                world.body_mut(self.extras[at].id).sleep();
            }
        }
    }

    /// Angle of a body with all its turns [rad]; `None` if it is not tracked.
    pub(crate) fn angle(&self, id: BodyId) -> Option<f64> {
        let extra = self.extras.iter().find(|extra| extra.id == id)?;
        Some(extra.full_angle())
    }
}

impl Extra {
    /// Caps the motion of the body in a step of `dt` [s]: that of the engine's caps and, since a body in free flight moves by the mean
    /// of its old and new velocity, the velocity that it has.
    fn cap_motion(
        &mut self,
        body: &mut BodyMut<'_>,
        dt: f32,
        speed: f32,
        spin: f32,
    ) -> Result<(), ValueError> {
        if self.capped_for != dt {
            self.capped_for = dt;
            body.set_fast_rotation(true);
            body.try_set_max_angular_speed(spin)?;
        }
        let (now, turning) = (body.as_ref().velocity(), body.as_ref().angular_velocity());
        if now.norm_squared() > speed * speed {
            body.try_set_velocity(now.normalize() * speed)?;
        }
        if turning.abs() > spin {
            body.try_set_angular_velocity(turning.clamp(-spin, spin))?;
        }
        Ok(())
    }

    /// Angle with all turns [rad].
    fn full_angle(&self) -> f64 {
        f64::from(self.angle) + f64::from(self.turns) * std::f64::consts::TAU
    }

    /// Takes over the state after a step of `dt` [s].
    fn update(&mut self, world: &cairn2d::World, dt: f32) {
        let body = world.body(self.id);
        let angle = body.angle();
        if angle - self.angle > PI {
            self.turns -= 1;
        } else if angle - self.angle < -PI {
            self.turns += 1;
        }
        self.angle = angle;
        let is_slow = body.velocity().norm_squared() <= REST_SPEED * REST_SPEED
            && body.angular_velocity().abs() <= REST_ANGULAR_SPEED;
        let may_rest = body.kind() == BodyKind::Dynamic && body.is_awake() && body.can_sleep();
        self.rest_time = if is_slow && may_rest {
            self.rest_time + dt
        } else {
            0.0
        };
    }
}

/// Sine and cosine of an angle [rad], the same on all machines.
#[pyfunction]
#[pyo3(name = "_sincos")]
pub(crate) fn sincos(angle: f64) -> (f64, f64) {
    libm::sincos(angle)
}

/// State of the rules in Python: (body id, angle, turns, time at rest) of each body, whether there are new joints, bodies of open
/// linkages, and contacts.
type Saved = (Vec<(u64, f32, i32, f32)>, bool, Vec<u64>, Vec<SavedTouch>);

/// Pairs of ids of shapes that began and that ceased to touch or to overlap.
type PairEvents = (Vec<(u64, u64)>, Vec<(u64, u64)>);

/// The rules for one world of `cairn2d.compat.Box2D`.
#[pyclass(module = "cairn2d._native", name = "_Box2dRules")]
#[derive(Default)]
pub(crate) struct Box2dRules {
    rules: Rules,
}

#[pymethods]
impl Box2dRules {
    #[new]
    #[pyo3(signature = (saved = None))]
    fn new(saved: Option<Saved>) -> Self {
        let (extras, has_new_joints, open, touches) = saved.unwrap_or_default();
        let extra = |(id, angle, turns, rest_time)| Extra {
            id: BodyId::from_bits(id),
            angle,
            turns,
            rest_time,
            capped_for: 0.0,
        };
        Self {
            rules: Rules {
                extras: extras.into_iter().map(extra).collect(),
                has_new_joints,
                open: open.into_iter().map(BodyId::from_bits).collect(),
                touches: Touches::load(touches),
            },
        }
    }

    /// Starts to track a body whose angle may be beyond half a turn [rad].
    fn add(&mut self, py: Python<'_>, body: &Body, angle: f64) -> PyResult<()> {
        let world = borrow(body.world.bind(py))?;
        self.rules.add(&world.world, body.id, angle);
        Ok(())
    }

    /// Says that a joint was created.
    fn note_joint(&mut self) {
        self.rules.note_joint();
    }

    /// Steps `world` by `dt` [s]: linkages whose anchors are apart with these iterations. Returns ids of the pairs of shapes that began and that ceased to touch or to overlap.
    fn step(
        &mut self,
        world: &Bound<'_, World>,
        dt: f32,
        velocity_iterations: u32,
        position_iterations: u32,
    ) -> PyResult<PairEvents> {
        let iterations = Iterations {
            velocity: velocity_iterations,
            position: position_iterations,
        };
        let mut guard = borrow_mut(world)?;
        let (rules, stepped) = (&mut self.rules, &mut guard.world);
        world
            .py()
            .detach(|| rules.step(stepped, dt, iterations))
            .map_err(refuse)?;
        guard.hook_error.raise()?;
        Ok(pair_events(&self.rules.touches, &guard.world))
    }

    /// Angle of a body with all its turns [rad].
    fn angle(&self, body: &Body) -> PyResult<f64> {
        self.rules.angle(body.id).ok_or_else(|| stale(body.id))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (Saved,)) {
        let rules = &self.rules;
        let row = |extra: &Extra| {
            (
                extra.id.to_bits(),
                extra.angle,
                extra.turns,
                extra.rest_time,
            )
        };
        let saved = (
            rules.extras.iter().map(row).collect(),
            rules.has_new_joints,
            rules.open.iter().map(|body| body.to_bits()).collect(),
            rules.touches.save(),
        );
        (py.get_type::<Self>().into_any(), (saved,))
    }
}

/// Pairs of shapes that began and that ceased to touch or to overlap in the last step.
fn pair_events(touches: &Touches, world: &cairn2d::World) -> PairEvents {
    let bits = |[a, b]: [ShapeId; 2]| (a.to_bits(), b.to_bits());
    let [mut begins, mut ends] = [&touches.begins, &touches.ends].map(|pairs| {
        pairs
            .iter()
            .map(|pair| bits(pair.shapes))
            .collect::<Vec<_>>()
    });
    let sensors = world.sensor_begins().iter();
    begins.extend(sensors.map(|event| bits([event.sensor, event.visitor])));
    let sensors = world.sensor_ends().iter();
    ends.extend(sensors.map(|event| bits([event.sensor, event.visitor])));
    (begins, ends)
}
