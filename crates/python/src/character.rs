//! Characters: bodies that walk, climb and push without forces.

use crate::argument::Pair;
use crate::error::refuse;
use crate::handle::World;
use crate::handle::{Body, Shape, borrow_mut};
use crate::query::body_kinds;
use crate::record::{pair, place, record};
use cairn2d::{CharacterController, CharacterMove, Footing, QueryFilter};
use pyo3::prelude::*;

/// Moves a body as a character: it slides along walls, climbs slopes and steps, follows the ground and rides on platforms.
///
/// Plain settings without state. Keyword arguments: `up`, `skin` [m], `max_climb_angle` [rad], `min_slide_angle` [rad],
/// `max_step_height` [m], `min_step_width` [m], `snap_distance` [m], `ride`, `step_onto` (kinds of bodies), `mask`, `category`.
#[pyclass(frozen, module = "cairn2d._native", name = "CharacterController")]
pub(crate) struct Character {
    controller: CharacterController<'static>,
}

#[pymethods]
impl Character {
    #[new]
    #[pyo3(signature = (
        *, up = Pair([0.0, 1.0]), skin = 0.01, max_climb_angle = None, min_slide_angle = None, max_step_height = 0.0,
        min_step_width = 0.2, snap_distance = 0.2, ride = true, step_onto = None, mask = u64::MAX, category = u64::MAX
    ))]
    #[expect(
        clippy::too_many_arguments,
        reason = "keyword arguments of a Python class"
    )]
    fn new(
        up: Pair,
        skin: f32,
        max_climb_angle: Option<f32>,
        min_slide_angle: Option<f32>,
        max_step_height: f32,
        min_step_width: f32,
        snap_distance: f32,
        ride: bool,
        step_onto: Option<Vec<String>>,
        mask: u64,
        category: u64,
    ) -> PyResult<Self> {
        let usual = CharacterController::default();
        let controller = CharacterController {
            up: up.vec(),
            skin,
            max_climb_angle: max_climb_angle.unwrap_or(usual.max_climb_angle),
            min_slide_angle: min_slide_angle.unwrap_or(usual.min_slide_angle),
            max_step_height,
            min_step_width,
            step_onto: step_onto.map_or(Ok(usual.step_onto), |names| body_kinds(&names))?,
            snap_distance,
            ride,
            filter: QueryFilter {
                category,
                mask,
                ..QueryFilter::default()
            },
        };
        controller.validate().map_err(refuse)?;
        Ok(Self { controller })
    }

    /// Sets the velocities of a kinematic `body` for the coming step of `dt` [s], for the desired translation `desired` [m].
    ///
    /// Dynamic bodies that it runs into get the impulses of a character of `push_mass` [kg]; 0: none. Returns a
    /// `CharacterMove`.
    #[pyo3(signature = (body, desired, dt, push_mass = 0.0))]
    fn move_body<'py>(
        &self,
        body: &Bound<'py, Body>,
        desired: Pair,
        dt: f32,
        push_mass: f32,
    ) -> PyResult<Bound<'py, PyAny>> {
        crate::argument::finite_number("push_mass", push_mass)?;
        let world = body.get().world.bind(body.py());
        let walk = {
            let world = &mut borrow_mut(world)?.world;
            let walk = self
                .controller
                .try_move_body(world, body.get().id, desired.vec(), dt)
                .map_err(refuse)?;
            self.controller.push(world, &walk, push_mass, dt);
            walk
        };
        move_record(world, &walk)
    }
}

fn move_record<'py>(
    world: &Bound<'py, World>,
    walk: &CharacterMove,
) -> PyResult<Bound<'py, PyAny>> {
    let py = world.py();
    let footing = match walk.footing {
        Footing::Ground => "ground",
        Footing::Slope => "slope",
        _ => "air",
    };
    let ground = walk.ground.map(|ground| {
        let (shape, body) = (
            Shape::new(world, ground.shape),
            Body::new(world, ground.body),
        );
        let fields = (
            shape,
            body,
            place(ground.point),
            pair(ground.normal),
            pair(ground.velocity),
        );
        record(py, "CharacterGround", fields)
    });
    let hits = walk.hits.iter().map(|hit| {
        let (shape, body) = (Shape::new(world, hit.shape), Body::new(world, hit.body));
        let fields = (
            shape,
            body,
            place(hit.point),
            pair(hit.normal),
            hit.blocked,
            hit.approach,
        );
        record(py, "CharacterHit", fields)
    });
    let hits: Vec<_> = hits.collect::<PyResult<_>>()?;
    record(
        py,
        "CharacterMove",
        (pair(walk.translation), footing, ground.transpose()?, hits),
    )
}
