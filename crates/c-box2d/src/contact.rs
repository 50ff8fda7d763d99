//! Contacts: their data, by contact, shape and body.

use crate::abi::{Fault, Out, Zeroed};
use crate::types::*;
use crate::worlds::{body, read, shape};
use cairn2d::{ContactRef, World};
use core::ffi::c_int;

/// Data of a contact. The engine reports the impulse of a whole step; that of a substep is the mean.
fn data(world: &World, contact: ContactRef<'_>, world0: u16) -> b2ContactData {
    let [a, b] = contact.shapes();
    let share = 1.0 / world.def().substeps as f32;
    let mut manifold = b2Manifold::zeroed();
    manifold.normal = contact.normal().into();
    let centers = contact
        .bodies()
        .map(|body| world.get_body(body).map(|body| body.center_exact()));
    for (place, point) in manifold.points.iter_mut().zip(contact.points()) {
        let arm = |center: Option<cairn2d::WorldPoint>| {
            center.map_or(b2Vec2::ZERO, |center| (point.point - center).into())
        };
        *place = b2ManifoldPoint {
            anchorA: arm(centers[0]),
            anchorB: arm(centers[1]),
            separation: point.separation,
            baseSeparation: point.separation,
            normalImpulse: share * point.normal_impulse,
            tangentImpulse: share * point.tangent_impulse,
            totalNormalImpulse: point.normal_impulse,
            ..b2ManifoldPoint::zeroed()
        };
        place.id = manifold.pointCount as u16;
        manifold.pointCount += 1;
    }
    b2ContactData {
        contactId: b2ContactId::of(contact.id(), world0),
        shapeIdA: b2ShapeId::of(a, world0),
        shapeIdB: b2ShapeId::of(b, world0),
        manifold,
    }
}

/// Returns `true` if the shapes touch.
fn touches(contact: &ContactRef<'_>) -> bool {
    contact.points().next().is_some()
}

c_functions! {
    fn b2Contact_IsValid(id: b2ContactId) -> bool {
        read(id.world0, |slot| Ok(slot.world.get_contact(id.engine()).is_some())).unwrap_or(false)
    }

    fn b2Contact_GetData(id: b2ContactId) -> b2ContactData {
        read(id.world0, |slot| {
            let contact = slot.world.get_contact(id.engine()).ok_or(Fault::Stale("contact"))?;
            Ok(data(&slot.world, contact, slot.world0))
        })?
    }

    fn b2Body_GetContactCapacity(id: b2BodyId) -> c_int { body(id, |body| body.contacts().count() as c_int)? }

    fn b2Body_GetContactData(id: b2BodyId, contacts: Out<b2ContactData>, capacity: c_int) -> c_int {
        read(id.world0, |slot| {
            let touching = slot.body(id)?.contacts().filter(touches);
            contacts.fill(capacity, touching.map(|contact| data(&slot.world, contact, slot.world0)))
        })?
    }

    fn b2Shape_GetContactCapacity(id: b2ShapeId) -> c_int { shape(id, |shape| shape.contacts().count() as c_int)? }

    fn b2Shape_GetContactData(id: b2ShapeId, contacts: Out<b2ContactData>, capacity: c_int) -> c_int {
        read(id.world0, |slot| {
            let touching = slot.shape(id)?.contacts().filter(touches);
            contacts.fill(capacity, touching.map(|contact| data(&slot.world, contact, slot.world0)))
        })?
    }
}

/// Returns the touching contacts of a world.
pub(crate) fn touching(world: &World) -> impl Iterator<Item = ContactRef<'_>> {
    world.contacts().filter(touches)
}
