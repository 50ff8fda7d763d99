//! The objects of a snapshot, for bindings that keep tables of ids beside a world. Box2D has no such function.

use crate::abi::{In, Out};
use crate::convert::body_type;
use crate::shape_convert::kind as shape_type;
use crate::slot::Slot;
use crate::snapshot::read;
use crate::types::*;
use core::ffi::c_int;

/// An object of a snapshot, by the numbers of its id.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SnapshotObject {
    /// One of the kinds below.
    kind: u32,
    index1: i32,
    generation: u32,
    /// The `b2BodyType`, `b2ShapeType` or `b2JointType`; the number of materials of a chain.
    subtype: u32,
    /// `index1` of the body, or of a joint's first body; 0 for a body.
    body: i32,
    /// `index1` of a joint's second body, or of the chain of a segment; else 0.
    other: i32,
    /// Place of a segment in its chain; else 0.
    order: i32,
}

const BODY: u32 = 1;
const SHAPE: u32 = 2;
const CHAIN: u32 = 3;
const JOINT: u32 = 4;

fn bodies(slot: &Slot) -> impl Iterator<Item = SnapshotObject> {
    slot.world.bodies().map(|body| {
        let id = b2BodyId::of(body.id(), 0);
        SnapshotObject {
            kind: BODY,
            index1: id.index1,
            generation: id.generation.into(),
            subtype: body_type(body.kind()) as u32,
            ..SnapshotObject::default()
        }
    })
}

fn shapes(slot: &Slot) -> impl Iterator<Item = SnapshotObject> {
    slot.world.shapes().map(|shape| {
        let id = b2ShapeId::of(shape.id(), 0);
        let extra = slot
            .shape_extras()
            .get(shape.id().index() as usize)
            .copied();
        let chain = extra.unwrap_or_default().chain as i32;
        let segments = slot.chains.get(slot.chains.id_of(chain as u32, 0));
        let place = segments.map_or(None, |chain| {
            chain.segments.iter().position(|&s| s == shape.id())
        });
        SnapshotObject {
            kind: SHAPE,
            index1: id.index1,
            generation: id.generation.into(),
            subtype: shape_type(shape.geometry()) as u32,
            body: b2BodyId::of(shape.body(), 0).index1,
            other: chain,
            order: place.unwrap_or(0) as i32,
        }
    })
}

fn chains(slot: &Slot) -> impl Iterator<Item = SnapshotObject> {
    let live = slot.chains.iter().enumerate();
    live.filter_map(|(index, (generation, chain))| {
        Some(SnapshotObject {
            kind: CHAIN,
            index1: index as i32 + 1,
            generation: generation.into(),
            subtype: chain?.materials.len() as u32,
            body: b2BodyId::of(chain?.body, 0).index1,
            ..SnapshotObject::default()
        })
    })
}

fn joints(slot: &Slot) -> impl Iterator<Item = SnapshotObject> {
    let live = |joint: &_| slot.world.get_joint(*joint).is_some();
    let settings = slot.joints.iter().flatten();
    settings.filter(move |joint| live(&joint.id)).map(|joint| {
        let id = b2JointId::of(joint.id, 0);
        SnapshotObject {
            kind: JOINT,
            index1: id.index1,
            generation: id.generation.into(),
            subtype: joint.kind as u32,
            body: joint.base.bodyIdA.index1,
            other: joint.base.bodyIdB.index1,
            ..SnapshotObject::default()
        }
    })
}

c_functions! {
    /// Writes up to `capacity` objects of a snapshot: bodies, shapes, chains, joints. Returns how many it has, and -1 for bytes that
    /// are no snapshot.
    fn cairn2d_box2d_list_snapshot(image: In<u8>, size: c_int, objects: Out<SnapshotObject>, capacity: c_int) -> c_int {
        let Ok(slot) = read(image.slice(size)?, 0) else {
            return Ok(-1);
        };
        let all: Vec<_> = bodies(&slot).chain(shapes(&slot)).chain(chains(&slot)).chain(joints(&slot)).collect();
        let count = all.len() as c_int;
        objects.fill(capacity, all)?;
        count
    }
}
