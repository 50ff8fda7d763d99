//! Events of the last step, and present contacts, as arrays in the caller's buffers.

use crate::failure::{cairn_result, call};
use crate::handle::read;
use crate::pointer::fill;
use crate::values::{
    cairn_body_id, cairn_bool, cairn_contact_id, cairn_joint_id, cairn_position, cairn_shape_id,
    cairn_vec2,
};
use crate::world::cairn_world;
use engine::{
    ContactBegin, ContactEnd, ContactForce, ContactHit, ContactRef, JointBreak, SensorBegin,
    SensorEnd, SleepChange, SleepEvent, World,
};

/// Writes the items that a world lists.
fn list<T: Copy, I: IntoIterator<Item = T>>(
    world: *const cairn_world,
    buffer: *mut T,
    capacity: usize,
    count: *mut usize,
    items: impl FnOnce(&World) -> I,
) -> cairn_result {
    call(|| read(world, |world| fill(items(world), buffer, capacity, count)))
}

/// A contact that began, hit, or exceeded a force in the last step.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_contact_event {
    /// The contact.
    pub contact: cairn_contact_id,
    /// First shape.
    pub shape_a: cairn_shape_id,
    /// Second shape.
    pub shape_b: cairn_shape_id,
    /// Body of the first shape.
    pub body_a: cairn_body_id,
    /// Body of the second shape.
    pub body_b: cairn_body_id,
    /// User data of the first shape.
    pub user_data_a: u64,
    /// User data of the second shape.
    pub user_data_b: u64,
    /// User data of the first body.
    pub body_user_data_a: u64,
    /// User data of the second body.
    pub body_user_data_b: u64,
    /// A point of the contact [m].
    pub point: cairn_position,
    /// Unit normal, from A to B.
    pub normal: cairn_vec2,
    /// Begin and hit: speed of approach [m/s]. Force: 0.
    pub approach_speed: f32,
    /// Begin and hit: normal impulse in the step [N s]. Force: 0.
    pub impulse: f32,
    /// Force: mean normal force in the step [N]. Begin and hit: 0.
    pub force: f32,
    /// Force: whether it was below the threshold in the step before.
    pub started: cairn_bool,
}

impl From<&ContactBegin> for cairn_contact_event {
    fn from(event: &ContactBegin) -> Self {
        Self {
            contact: event.contact.into(),
            shape_a: event.shape_a.into(),
            shape_b: event.shape_b.into(),
            body_a: event.body_a.into(),
            body_b: event.body_b.into(),
            user_data_a: event.user_data_a,
            user_data_b: event.user_data_b,
            body_user_data_a: event.body_user_data_a,
            body_user_data_b: event.body_user_data_b,
            point: event.point.into(),
            normal: event.normal.into(),
            approach_speed: event.approach_speed,
            impulse: event.impulse,
            force: 0.0,
            started: 0,
        }
    }
}

impl From<&ContactHit> for cairn_contact_event {
    fn from(event: &ContactHit) -> Self {
        Self {
            contact: event.contact.into(),
            shape_a: event.shape_a.into(),
            shape_b: event.shape_b.into(),
            body_a: event.body_a.into(),
            body_b: event.body_b.into(),
            user_data_a: event.user_data_a,
            user_data_b: event.user_data_b,
            body_user_data_a: event.body_user_data_a,
            body_user_data_b: event.body_user_data_b,
            point: event.point.into(),
            normal: event.normal.into(),
            approach_speed: event.approach_speed,
            impulse: event.impulse,
            force: 0.0,
            started: 0,
        }
    }
}

impl From<&ContactForce> for cairn_contact_event {
    fn from(event: &ContactForce) -> Self {
        Self {
            contact: event.contact.into(),
            shape_a: event.shape_a.into(),
            shape_b: event.shape_b.into(),
            body_a: event.body_a.into(),
            body_b: event.body_b.into(),
            user_data_a: event.user_data_a,
            user_data_b: event.user_data_b,
            body_user_data_a: event.body_user_data_a,
            body_user_data_b: event.body_user_data_b,
            point: event.point.into(),
            normal: event.normal.into(),
            approach_speed: 0.0,
            impulse: 0.0,
            force: event.force,
            started: event.started.into(),
        }
    }
}

/// Writes the contacts that began in the last step.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_contact_begins(
    world: *const cairn_world,
    buffer: *mut cairn_contact_event,
    capacity: usize,
    count: *mut usize,
) -> cairn_result {
    list(world, buffer, capacity, count, |world| {
        let events = world.contact_begins().iter();
        events.map(cairn_contact_event::from).collect::<Vec<_>>()
    })
}

/// Writes the contacts that hit faster than cairn_tuning.hit_event_threshold in the last step.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_contact_hits(
    world: *const cairn_world,
    buffer: *mut cairn_contact_event,
    capacity: usize,
    count: *mut usize,
) -> cairn_result {
    list(world, buffer, capacity, count, |world| {
        let events = world.contact_hits().iter();
        events.map(cairn_contact_event::from).collect::<Vec<_>>()
    })
}

/// Writes the contacts whose force exceeded cairn_shape_def.force_event_threshold in the last step.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_contact_forces(
    world: *const cairn_world,
    buffer: *mut cairn_contact_event,
    capacity: usize,
    count: *mut usize,
) -> cairn_result {
    list(world, buffer, capacity, count, |world| {
        let events = world.contact_forces().iter();
        events.map(cairn_contact_event::from).collect::<Vec<_>>()
    })
}

/// A contact that ended. Its bodies and shapes may no longer exist.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_contact_end {
    /// The contact.
    pub contact: cairn_contact_id,
    /// First shape.
    pub shape_a: cairn_shape_id,
    /// Second shape.
    pub shape_b: cairn_shape_id,
    /// Body of the first shape.
    pub body_a: cairn_body_id,
    /// Body of the second shape.
    pub body_b: cairn_body_id,
    /// User data of the first shape.
    pub user_data_a: u64,
    /// User data of the second shape.
    pub user_data_b: u64,
    /// User data of the first body.
    pub body_user_data_a: u64,
    /// User data of the second body.
    pub body_user_data_b: u64,
}

impl From<&ContactEnd> for cairn_contact_end {
    fn from(event: &ContactEnd) -> Self {
        Self {
            contact: event.contact.into(),
            shape_a: event.shape_a.into(),
            shape_b: event.shape_b.into(),
            body_a: event.body_a.into(),
            body_b: event.body_b.into(),
            user_data_a: event.user_data_a,
            user_data_b: event.user_data_b,
            body_user_data_a: event.body_user_data_a,
            body_user_data_b: event.body_user_data_b,
        }
    }
}

/// Writes the contacts that ended in the last step.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_contact_ends(
    world: *const cairn_world,
    buffer: *mut cairn_contact_end,
    capacity: usize,
    count: *mut usize,
) -> cairn_result {
    list(world, buffer, capacity, count, |world| {
        let events = world.contact_ends().iter();
        events.map(cairn_contact_end::from).collect::<Vec<_>>()
    })
}

/// A shape that entered or left a sensor. Both may no longer exist when it left.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_sensor_event {
    /// The sensor.
    pub sensor: cairn_shape_id,
    /// The other shape.
    pub visitor: cairn_shape_id,
    /// Body of the sensor.
    pub sensor_body: cairn_body_id,
    /// Body of the other shape.
    pub visitor_body: cairn_body_id,
    /// User data of the sensor.
    pub sensor_user_data: u64,
    /// User data of the other shape.
    pub visitor_user_data: u64,
    /// User data of the sensor's body.
    pub sensor_body_user_data: u64,
    /// User data of the other body.
    pub visitor_body_user_data: u64,
}

impl From<&SensorBegin> for cairn_sensor_event {
    fn from(event: &SensorBegin) -> Self {
        Self {
            sensor: event.sensor.into(),
            visitor: event.visitor.into(),
            sensor_body: event.sensor_body.into(),
            visitor_body: event.visitor_body.into(),
            sensor_user_data: event.sensor_user_data,
            visitor_user_data: event.visitor_user_data,
            sensor_body_user_data: event.sensor_body_user_data,
            visitor_body_user_data: event.visitor_body_user_data,
        }
    }
}

impl From<&SensorEnd> for cairn_sensor_event {
    fn from(event: &SensorEnd) -> Self {
        Self {
            sensor: event.sensor.into(),
            visitor: event.visitor.into(),
            sensor_body: event.sensor_body.into(),
            visitor_body: event.visitor_body.into(),
            sensor_user_data: event.sensor_user_data,
            visitor_user_data: event.visitor_user_data,
            sensor_body_user_data: event.sensor_body_user_data,
            visitor_body_user_data: event.visitor_body_user_data,
        }
    }
}

/// Writes the shapes that entered sensors in the last step.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_sensor_begins(
    world: *const cairn_world,
    buffer: *mut cairn_sensor_event,
    capacity: usize,
    count: *mut usize,
) -> cairn_result {
    list(world, buffer, capacity, count, |world| {
        let events = world.sensor_begins().iter();
        events.map(cairn_sensor_event::from).collect::<Vec<_>>()
    })
}

/// Writes the shapes that left sensors in the last step.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_sensor_ends(
    world: *const cairn_world,
    buffer: *mut cairn_sensor_event,
    capacity: usize,
    count: *mut usize,
) -> cairn_result {
    list(world, buffer, capacity, count, |world| {
        let events = world.sensor_ends().iter();
        events.map(cairn_sensor_event::from).collect::<Vec<_>>()
    })
}

/// A joint that broke; it no longer exists.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_joint_break {
    /// The joint.
    pub joint: cairn_joint_id,
    /// The first body.
    pub body_a: cairn_body_id,
    /// The second body.
    pub body_b: cairn_body_id,
    /// User data of the joint.
    pub user_data: u64,
    /// Force that broke it [N].
    pub force: cairn_vec2,
    /// Torque that broke it [N m].
    pub torque: f32,
    /// No meaning; keeps the size free of gaps.
    pub reserved: u32,
}

impl From<&JointBreak> for cairn_joint_break {
    fn from(event: &JointBreak) -> Self {
        Self {
            joint: event.joint.into(),
            body_a: event.body_a.into(),
            body_b: event.body_b.into(),
            user_data: event.user_data,
            force: event.reaction.force.into(),
            torque: event.reaction.torque,
            reserved: 0,
        }
    }
}

/// Writes the joints that broke in the last step.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_joint_breaks(
    world: *const cairn_world,
    buffer: *mut cairn_joint_break,
    capacity: usize,
    count: *mut usize,
) -> cairn_result {
    list(world, buffer, capacity, count, |world| {
        let events = world.joint_breaks().iter();
        events.map(cairn_joint_break::from).collect::<Vec<_>>()
    })
}

/// What happened to a body in the last step.
pub type cairn_body_event_kind = u32;

/// The body fell asleep.
pub const CAIRN_FELL_ASLEEP: cairn_body_event_kind = 0;
/// The body woke.
pub const CAIRN_WOKE: cairn_body_event_kind = 1;
/// The body left cairn_world_def.bounds.
pub const CAIRN_LEFT_BOUNDS: cairn_body_event_kind = 2;
/// The body left the world, or was about to have numbers that are not finite. It was moved back, stopped and disabled.
pub const CAIRN_FROZEN: cairn_body_event_kind = 3;

/// An event of a body.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_body_event {
    /// The body.
    pub body: cairn_body_id,
    /// What happened: see cairn_body_event_kind.
    pub kind: cairn_body_event_kind,
    /// No meaning; keeps the size free of gaps.
    pub reserved: u32,
}

fn body_event(body: cairn_body_id, kind: cairn_body_event_kind) -> cairn_body_event {
    cairn_body_event {
        body,
        kind,
        reserved: 0,
    }
}

fn sleep_event(event: &SleepEvent) -> cairn_body_event {
    let kind = match event.change {
        SleepChange::FellAsleep => CAIRN_FELL_ASLEEP,
        SleepChange::Woke => CAIRN_WOKE,
    };
    body_event(event.body.into(), kind)
}

/// Writes the bodies that fell asleep, woke, left the bounds or were frozen in the last step.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_body_events(
    world: *const cairn_world,
    buffer: *mut cairn_body_event,
    capacity: usize,
    count: *mut usize,
) -> cairn_result {
    list(world, buffer, capacity, count, |world| {
        let slept = world.sleep_changes().iter().map(sleep_event);
        let exits = world.body_exits().iter();
        let exits = exits.map(|event| body_event(event.body.into(), CAIRN_LEFT_BOUNDS));
        let freezes = world.body_freezes().iter();
        let freezes = freezes.map(|event| body_event(event.body.into(), CAIRN_FROZEN));
        slept.chain(exits).chain(freezes).collect::<Vec<_>>()
    })
}

/// A point of a contact.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct cairn_contact_point {
    /// Where it is [m].
    pub point: cairn_position,
    /// Gap [m]; negative: overlap.
    pub separation: f32,
    /// Normal impulse in the last step [N s].
    pub normal_impulse: f32,
    /// Impulse of friction in the last step [N s].
    pub tangent_impulse: f32,
    /// No meaning; keeps the size free of gaps.
    pub reserved: u32,
}

/// Two shapes that touch.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_contact {
    /// The contact.
    pub contact: cairn_contact_id,
    /// First shape.
    pub shape_a: cairn_shape_id,
    /// Second shape.
    pub shape_b: cairn_shape_id,
    /// Body of the first shape.
    pub body_a: cairn_body_id,
    /// Body of the second shape.
    pub body_b: cairn_body_id,
    /// Unit normal, from A to B.
    pub normal: cairn_vec2,
    /// Mixed coefficient of friction.
    pub friction: f32,
    /// Number of points, 0 to 2.
    pub point_count: u32,
    /// Points.
    pub points: [cairn_contact_point; 2],
}

impl From<ContactRef<'_>> for cairn_contact {
    fn from(contact: ContactRef<'_>) -> Self {
        let ([shape_a, shape_b], [body_a, body_b]) = (contact.shapes(), contact.bodies());
        let mut points = [cairn_contact_point::default(); 2];
        let mut point_count = 0;
        for (place, point) in points.iter_mut().zip(contact.points()) {
            *place = cairn_contact_point {
                point: point.point.into(),
                separation: point.separation,
                normal_impulse: point.normal_impulse,
                tangent_impulse: point.tangent_impulse,
                reserved: 0,
            };
            point_count += 1;
        }
        Self {
            contact: contact.id().into(),
            shape_a: shape_a.into(),
            shape_b: shape_b.into(),
            body_a: body_a.into(),
            body_b: body_b.into(),
            normal: contact.normal().into(),
            friction: contact.friction(),
            point_count,
            points,
        }
    }
}

/// Writes the contacts of all shapes that touch.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_get_contacts(
    world: *const cairn_world,
    buffer: *mut cairn_contact,
    capacity: usize,
    count: *mut usize,
) -> cairn_result {
    list(world, buffer, capacity, count, |world| {
        world
            .contacts()
            .map(cairn_contact::from)
            .collect::<Vec<_>>()
    })
}

/// Writes the contacts of a body.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_get_contacts(
    world: *const cairn_world,
    body: cairn_body_id,
    buffer: *mut cairn_contact,
    capacity: usize,
    count: *mut usize,
) -> cairn_result {
    call(|| {
        read(world, |world| {
            let contacts = crate::body::find(world, body)?.contacts();
            fill(contacts.map(cairn_contact::from), buffer, capacity, count)
        })
    })
}
