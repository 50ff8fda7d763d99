//! Contacts, and the events of the last step.

use crate::handle::World;
use crate::handle::{Body, Joint, Shape, borrow};
use crate::record::{pair, place, record};
use cairn2d::{ContactRef, SleepChange};
use pyo3::prelude::*;

/// Describes a contact.
pub(crate) fn contact_record<'py>(
    world: &Bound<'py, World>,
    contact: &ContactRef<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = world.py();
    let [shape_a, shape_b] = contact.shapes().map(|id| Shape::new(world, id));
    let [body_a, body_b] = contact.bodies().map(|id| Body::new(world, id));
    let points = contact.points().map(|point| {
        let fields = (
            place(point.point),
            point.separation,
            point.normal_impulse,
            point.tangent_impulse,
        );
        record(py, "ContactPoint", fields)
    });
    let points: Vec<_> = points.collect::<PyResult<_>>()?;
    let surface = (contact.friction(), contact.restitution());
    let fields = (
        shape_a,
        shape_b,
        body_a,
        body_b,
        pair(contact.normal()),
        points,
        surface.0,
        surface.1,
    );
    record(py, "Contact", fields)
}

/// The sides of an event of two shapes.
macro_rules! sides {
    ($world:expr, $event:expr) => {
        (
            Shape::new($world, $event.shape_a),
            Shape::new($world, $event.shape_b),
            Body::new($world, $event.body_a),
            Body::new($world, $event.body_b),
        )
    };
}

type Records<'py> = PyResult<Vec<Bound<'py, PyAny>>>;

/// Events of the last step, each list in an order that depends on the scene alone.
#[pymethods]
impl World {
    /// The contacts that touch, as `Contact` records.
    fn contacts<'py>(slf: &Bound<'py, Self>) -> Records<'py> {
        let world = borrow(slf)?;
        world
            .world
            .contacts()
            .map(|contact| contact_record(slf, &contact))
            .collect()
    }

    /// Pairs of shapes that began to touch, as `ContactBegin` records.
    fn contact_begins<'py>(slf: &Bound<'py, Self>) -> Records<'py> {
        let world = borrow(slf)?;
        let events = world.world.contact_begins().iter().map(|event| {
            let (a, b, body_a, body_b) = sides!(slf, event);
            let motion = (event.approach_speed, event.impulse);
            let fields = (
                a,
                b,
                body_a,
                body_b,
                place(event.point),
                pair(event.normal),
                motion.0,
                motion.1,
            );
            record(slf.py(), "ContactBegin", fields)
        });
        events.collect()
    }

    /// Pairs of shapes that ceased to touch, as `ContactEnd` records; handles of removed ones are stale.
    fn contact_ends<'py>(slf: &Bound<'py, Self>) -> Records<'py> {
        let world = borrow(slf)?;
        let events = world.world.contact_ends().iter();
        events
            .map(|event| record(slf.py(), "ContactEnd", sides!(slf, event)))
            .collect()
    }

    /// Pairs of shapes that hit each other fast, as `ContactHit` records.
    fn contact_hits<'py>(slf: &Bound<'py, Self>) -> Records<'py> {
        let world = borrow(slf)?;
        let events = world.world.contact_hits().iter().map(|event| {
            let (a, b, body_a, body_b) = sides!(slf, event);
            let motion = (event.approach_speed, event.impulse);
            let fields = (
                a,
                b,
                body_a,
                body_b,
                place(event.point),
                pair(event.normal),
                motion.0,
                motion.1,
            );
            record(slf.py(), "ContactHit", fields)
        });
        events.collect()
    }

    /// Contacts whose normal force is above the threshold of a shape, as `ContactForce` records.
    fn contact_forces<'py>(slf: &Bound<'py, Self>) -> Records<'py> {
        let world = borrow(slf)?;
        let events = world.world.contact_forces().iter().map(|event| {
            let (a, b, body_a, body_b) = sides!(slf, event);
            let force = (event.force, event.started);
            let fields = (
                a,
                b,
                body_a,
                body_b,
                place(event.point),
                pair(event.normal),
                force.0,
                force.1,
            );
            record(slf.py(), "ContactForce", fields)
        });
        events.collect()
    }

    /// Shapes that began to overlap a sensor, as `SensorEvent` records.
    fn sensor_begins<'py>(slf: &Bound<'py, Self>) -> Records<'py> {
        let world = borrow(slf)?;
        let events = world.world.sensor_begins().iter().map(|event| {
            let shapes = (
                Shape::new(slf, event.sensor),
                Shape::new(slf, event.visitor),
            );
            let bodies = (
                Body::new(slf, event.sensor_body),
                Body::new(slf, event.visitor_body),
            );
            record(
                slf.py(),
                "SensorEvent",
                (shapes.0, shapes.1, bodies.0, bodies.1),
            )
        });
        events.collect()
    }

    /// Shapes that ceased to overlap a sensor, as `SensorEvent` records; handles of removed ones are stale.
    fn sensor_ends<'py>(slf: &Bound<'py, Self>) -> Records<'py> {
        let world = borrow(slf)?;
        let events = world.world.sensor_ends().iter().map(|event| {
            let shapes = (
                Shape::new(slf, event.sensor),
                Shape::new(slf, event.visitor),
            );
            let bodies = (
                Body::new(slf, event.sensor_body),
                Body::new(slf, event.visitor_body),
            );
            record(
                slf.py(),
                "SensorEvent",
                (shapes.0, shapes.1, bodies.0, bodies.1),
            )
        });
        events.collect()
    }

    /// Joints that broke, as `JointBreak` records; the handle of the joint is stale.
    fn joint_breaks<'py>(slf: &Bound<'py, Self>) -> Records<'py> {
        let world = borrow(slf)?;
        let events = world.world.joint_breaks().iter().map(|event| {
            let bodies = (Body::new(slf, event.body_a), Body::new(slf, event.body_b));
            let load = (pair(event.reaction.force), event.reaction.torque);
            let joint = Joint::new(slf, event.joint);
            record(
                slf.py(),
                "JointBreak",
                (joint, bodies.0, bodies.1, load.0, load.1, event.user_data),
            )
        });
        events.collect()
    }

    /// Bodies that fell asleep or woke, as `SleepEvent` records.
    fn sleep_changes<'py>(slf: &Bound<'py, Self>) -> Records<'py> {
        let world = borrow(slf)?;
        let events = world.world.sleep_changes().iter().map(|event| {
            let fell_asleep = event.change == SleepChange::FellAsleep;
            record(
                slf.py(),
                "SleepEvent",
                (Body::new(slf, event.body), fell_asleep),
            )
        });
        events.collect()
    }

    /// Bodies that left the bounds of the world.
    fn body_exits(slf: &Bound<'_, Self>) -> PyResult<Vec<Body>> {
        let world = borrow(slf)?;
        Ok(world
            .world
            .body_exits()
            .iter()
            .map(|event| Body::new(slf, event.body))
            .collect())
    }

    /// Bodies that were stopped and disabled, since they left the edge of the world or their state was not finite.
    fn body_freezes(slf: &Bound<'_, Self>) -> PyResult<Vec<Body>> {
        let world = borrow(slf)?;
        Ok(world
            .world
            .body_freezes()
            .iter()
            .map(|event| Body::new(slf, event.body))
            .collect())
    }
}
