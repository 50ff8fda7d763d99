//! Events as arrays: made when first asked for after a step, and kept until the next.

use crate::abi::UserPointer;
use crate::joint_settings::JointSettings;
use crate::slot::shape_flags::{CONTACT_EVENTS, HIT_EVENTS, SENSOR_EVENTS};
use crate::types::*;
use cairn2d::{BodyRef, SleepChange, World};
use core::ffi::c_int;
use std::collections::BTreeSet;

/// The arrays of a step.
#[derive(Default)]
pub(crate) struct Events {
    moves: Option<Vec<b2BodyMoveEvent>>,
    contacts: Option<ContactArrays>,
    sensors: Option<SensorArrays>,
    joints: Vec<b2JointEvent>,
}

#[derive(Default)]
struct ContactArrays {
    begins: Vec<b2ContactBeginTouchEvent>,
    ends: Vec<b2ContactEndTouchEvent>,
    hits: Vec<b2ContactHitEvent>,
}

#[derive(Default)]
struct SensorArrays {
    begins: Vec<b2SensorBeginTouchEvent>,
    ends: Vec<b2SensorEndTouchEvent>,
}

/// Returns the start of an array; null for none.
fn start<T>(items: &mut [T]) -> *mut T {
    if items.is_empty() {
        core::ptr::null_mut()
    } else {
        items.as_mut_ptr()
    }
}

impl Events {
    /// Forgets the events of the last step.
    pub(crate) fn clear(&mut self) {
        self.moves = None;
        self.contacts = None;
        self.sensors = None;
        self.joints.clear();
    }

    /// Lists the joints whose force or torque exceeds their thresholds.
    pub(crate) fn note_joints(
        &mut self,
        world: &World,
        world0: u16,
        joints: &[Option<JointSettings>],
    ) {
        let watched = joints.iter().flatten().filter(|joint| joint.is_watched());
        for settings in watched {
            let Some(joint) = world.get_joint(settings.id) else {
                continue;
            };
            let reaction = joint.reaction();
            if reaction.force.norm() > settings.base.forceThreshold
                || reaction.torque.abs() > settings.base.torqueThreshold
            {
                self.joints.push(b2JointEvent {
                    jointId: b2JointId::of(settings.id, world0),
                    userData: settings.base.userData,
                });
            }
        }
    }

    pub(crate) fn joints(&mut self) -> b2JointEvents {
        b2JointEvents {
            count: self.joints.len() as c_int,
            jointEvents: start(&mut self.joints),
        }
    }

    pub(crate) fn moves(&mut self, world: &World, world0: u16) -> b2BodyEvents {
        let moves = self.moves.get_or_insert_with(|| moves_of(world, world0));
        b2BodyEvents {
            moveCount: moves.len() as c_int,
            moveEvents: start(moves),
        }
    }

    pub(crate) fn contacts(&mut self, world: &World, world0: u16) -> b2ContactEvents {
        let arrays = self
            .contacts
            .get_or_insert_with(|| contacts_of(world, world0));
        b2ContactEvents {
            beginCount: arrays.begins.len() as c_int,
            endCount: arrays.ends.len() as c_int,
            hitCount: arrays.hits.len() as c_int,
            beginEvents: start(&mut arrays.begins),
            endEvents: start(&mut arrays.ends),
            hitEvents: start(&mut arrays.hits),
        }
    }

    pub(crate) fn sensors(&mut self, world: &World, world0: u16) -> b2SensorEvents {
        let arrays = self
            .sensors
            .get_or_insert_with(|| sensors_of(world, world0));
        b2SensorEvents {
            beginCount: arrays.begins.len() as c_int,
            endCount: arrays.ends.len() as c_int,
            beginEvents: start(&mut arrays.begins),
            endEvents: start(&mut arrays.ends),
        }
    }
}

/// Bodies that moved, and those that fell asleep, which may be at rest already.
fn moves_of(world: &World, world0: u16) -> Vec<b2BodyMoveEvent> {
    let fell_asleep = world
        .sleep_changes()
        .iter()
        .filter(|event| event.change == SleepChange::FellAsleep);
    let mut asleep: BTreeSet<_> = fell_asleep.map(|event| event.body).collect();
    let event = |body: BodyRef<'_>, fell_asleep: bool| b2BodyMoveEvent {
        userData: UserPointer::new(body.user_data() as usize as *mut _),
        transform: b2Transform::new(body.position_exact(), body.rotation()),
        bodyId: b2BodyId::of(body.id(), world0),
        fellAsleep: fell_asleep.into(),
    };
    let moved = world.moved_bodies();
    let mut moves: Vec<_> = moved
        .map(|body| event(body, asleep.remove(&body.id())))
        .collect();
    let at_rest = asleep.iter().filter_map(|&body| world.get_body(body));
    moves.extend(at_rest.map(|body| event(body, true)));
    moves
}

fn contacts_of(world: &World, world0: u16) -> ContactArrays {
    let shape = |id| b2ShapeId::of(id, world0);
    let asks = |a: u64, b: u64, flag: u64| (a | b) & flag != 0;
    let begins = world.contact_begins().iter();
    let ends = world.contact_ends().iter();
    let hits = world.contact_hits().iter();
    ContactArrays {
        begins: begins
            .filter(|e| asks(e.user_data_a, e.user_data_b, CONTACT_EVENTS))
            .map(|e| b2ContactBeginTouchEvent {
                shapeIdA: shape(e.shape_a),
                shapeIdB: shape(e.shape_b),
                contactId: b2ContactId::of(e.contact, world0),
            })
            .collect(),
        ends: ends
            .filter(|e| asks(e.user_data_a, e.user_data_b, CONTACT_EVENTS))
            .map(|e| b2ContactEndTouchEvent {
                shapeIdA: shape(e.shape_a),
                shapeIdB: shape(e.shape_b),
                contactId: b2ContactId::of(e.contact, world0),
            })
            .collect(),
        hits: hits
            .filter(|e| asks(e.user_data_a, e.user_data_b, HIT_EVENTS))
            .map(|e| b2ContactHitEvent {
                shapeIdA: shape(e.shape_a),
                shapeIdB: shape(e.shape_b),
                contactId: b2ContactId::of(e.contact, world0),
                point: e.point.into(),
                normal: e.normal.into(),
                approachSpeed: e.approach_speed,
            })
            .collect(),
    }
}

fn sensors_of(world: &World, world0: u16) -> SensorArrays {
    let shape = |id| b2ShapeId::of(id, world0);
    let ask = |sensor: u64, visitor: u64| sensor & visitor & SENSOR_EVENTS != 0;
    let begins = world.sensor_begins().iter();
    let ends = world.sensor_ends().iter();
    SensorArrays {
        begins: begins
            .filter(|e| ask(e.sensor_user_data, e.visitor_user_data))
            .map(|e| b2SensorBeginTouchEvent {
                sensorShapeId: shape(e.sensor),
                visitorShapeId: shape(e.visitor),
            })
            .collect(),
        ends: ends
            .filter(|e| ask(e.sensor_user_data, e.visitor_user_data))
            .map(|e| b2SensorEndTouchEvent {
                sensorShapeId: shape(e.sensor),
                visitorShapeId: shape(e.visitor),
            })
            .collect(),
    }
}
