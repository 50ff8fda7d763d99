//! Shapes: create, destroy, settings.

use crate::abi::{Fault, In, Out, Outcome};
use crate::defaults::check_cookie;
use crate::hook_view::{self, ShapeView};
use crate::shape_convert as convert;
use crate::slot::shape_flags::{
    CONTACT_EVENTS, CUSTOM_FILTERING, HIT_EVENTS, PRE_SOLVE_EVENTS, SENSOR_EVENTS,
};
use crate::slot::{ShapeExtra, Slot, item_at};
use crate::types::*;
use crate::worlds::{read, shape, shape_mut, write};
use cairn2d::{BodyKind, BodyMut, MassData, Shape, ShapeDef, ShapeRef};
use core::ffi::{c_int, c_void};

fn flags(def: &b2ShapeDef) -> u64 {
    [
        (def.enableSensorEvents, SENSOR_EVENTS),
        (def.enableContactEvents, CONTACT_EVENTS),
        (def.enableHitEvents, HIT_EVENTS),
        (def.enablePreSolveEvents, PRE_SOLVE_EVENTS),
        (def.enableCustomFiltering, CUSTOM_FILTERING),
    ]
    .iter()
    .filter(|(is_on, _)| is_on.is_set())
    .fold(0, |all, (_, flag)| all | flag)
}

/// Attaches a shape to a body.
pub(crate) fn attach(
    slot: &mut Slot,
    body: b2BodyId,
    def: &b2ShapeDef,
    geometry: Shape,
    chain: u32,
) -> Outcome<b2ShapeId> {
    let flags = flags(def);
    let engine_def = ShapeDef {
        density: def.density,
        material: def.material.material(),
        filter: def.filter.filter(),
        sensor: def.isSensor.is_set(),
        pre_solve: slot.asks_pre_solve(flags),
        user_data: flags,
        ..ShapeDef::default()
    };
    let kept = kept_mass(slot, body, def.updateBodyMass.is_set())?;
    let id = slot
        .world
        .try_create_shape(body.engine(), geometry, engine_def)?;
    keep_mass(&mut slot.body_mut(body)?, kept)?;
    *item_at(
        &mut slot.shape_extras_mut(),
        id.index(),
        ShapeExtra::default(),
    ) = ShapeExtra {
        user_data: def.userData as usize,
        color: def.material.customColor,
        chain,
    };
    Ok(b2ShapeId::of(id, slot.world0))
}

/// Sets the mass that a body keeps. Nothing wakes by it, so that bodies may be created asleep.
fn keep_mass(body: &mut BodyMut<'_>, kept: Option<MassData>) -> Outcome<()> {
    if body.as_ref().mass_override() == kept {
        return Ok(());
    }
    let was_awake = body.as_ref().is_awake();
    body.try_set_mass(kept)?;
    if !was_awake {
        body.sleep();
    }
    Ok(())
}

/// Returns the mass that a body keeps through a change of its shapes; `None`: that of its shapes.
fn kept_mass(slot: &Slot, body: b2BodyId, updates: bool) -> Outcome<Option<MassData>> {
    let body = slot.body(body)?;
    if updates || body.kind() != BodyKind::Dynamic {
        return Ok(None);
    }
    Ok(Some(MassData {
        mass: body.mass(),
        center: body.local_center(),
        inertia: body.inertia(),
    }))
}

fn create(
    body: b2BodyId,
    def: In<b2ShapeDef>,
    geometry: impl FnOnce() -> Outcome<Shape>,
) -> Outcome<b2ShapeId> {
    let def = def.as_ref()?;
    check_cookie(def.internalValue)?;
    let geometry = geometry()?;
    write(body.world0, |slot| attach(slot, body, def, geometry, 0))
}

/// Changes a body's shapes; then its mass is that of its shapes, or as it was.
fn with_mass(
    id: b2ShapeId,
    updates: bool,
    change: impl FnOnce(&mut Slot) -> Outcome<()>,
) -> Outcome<()> {
    write(id.world0, |slot| {
        let body = b2BodyId::of(slot.shape(id)?.body(), slot.world0);
        let kept = kept_mass(slot, body, updates)?;
        change(slot)?;
        Ok(slot.body_mut(body)?.try_set_mass(kept)?)
    })
}

/// Reads a shape, also within a callback of a step if it is one of the two there.
fn seen<R>(
    id: b2ShapeId,
    hooked: impl FnOnce(&ShapeView) -> R,
    read: impl FnOnce(ShapeRef<'_>) -> R,
) -> Outcome<R> {
    match hook_view::shape(id, hooked) {
        Some(result) => Ok(result),
        None => shape(id, read),
    }
}

/// Sets or clears a flag.
fn flag(id: b2ShapeId, flag: u64, is_set: bool) -> Outcome<()> {
    shape_mut(id, |shape| {
        let flags = shape.as_ref().user_data();
        shape.set_user_data(if is_set { flags | flag } else { flags & !flag });
        Ok(())
    })
}

fn has_flag(id: b2ShapeId, flag: u64) -> Outcome<bool> {
    shape(id, |shape| shape.user_data() & flag != 0)
}

/// Reads the geometry as one kind.
fn geometry<R>(id: b2ShapeId, narrow: impl Fn(&Shape) -> Outcome<R>) -> Outcome<R> {
    seen(
        id,
        |view| narrow(&view.geometry),
        |shape| narrow(shape.geometry()),
    )?
}

/// Replaces the geometry. The mass stays until it is set or computed anew.
fn set_geometry(id: b2ShapeId, geometry: Shape) -> Outcome<()> {
    with_mass(id, false, |slot| {
        Ok(slot.shape_mut(id)?.try_set_geometry(geometry)?)
    })
}

fn surface_material(id: b2ShapeId) -> Outcome<b2SurfaceMaterial> {
    read(id.world0, |slot| {
        let color = slot.shape_extra(id)?.color;
        Ok(b2SurfaceMaterial::of(&slot.shape(id)?.material(), color))
    })
}

/// Sets all of a shape's surface.
pub(crate) fn set_surface_material(
    slot: &mut Slot,
    id: b2ShapeId,
    material: &b2SurfaceMaterial,
) -> Outcome<()> {
    slot.shape_mut(id)?.try_set_material(material.material())?;
    slot.set_shape_extra(id, |extra| extra.color = material.customColor)
}

c_functions! {
    fn b2CreateCircleShape(body: b2BodyId, def: In<b2ShapeDef>, circle: In<b2Circle>) -> b2ShapeId {
        create(body, def, || Ok(convert::circle(circle.as_ref()?)?.into()))?
    }

    fn b2CreateSegmentShape(body: b2BodyId, def: In<b2ShapeDef>, segment: In<b2Segment>) -> b2ShapeId {
        create(body, def, || Ok(convert::segment(segment.as_ref()?)?.into()))?
    }

    fn b2CreateChainSegmentShape(body: b2BodyId, def: In<b2ShapeDef>, chain: In<b2ChainSegment>) -> b2ShapeId {
        create(body, def, || Ok(convert::chain_segment(chain.as_ref()?)?.into()))?
    }

    fn b2CreateCapsuleShape(body: b2BodyId, def: In<b2ShapeDef>, capsule: In<b2Capsule>) -> b2ShapeId {
        create(body, def, || convert::capsule(capsule.as_ref()?))?
    }

    fn b2CreatePolygonShape(body: b2BodyId, def: In<b2ShapeDef>, polygon: In<b2Polygon>) -> b2ShapeId {
        create(body, def, || Ok(convert::polygon(polygon.as_ref()?)?.into()))?
    }

    fn b2DestroyShape(id: b2ShapeId, update_body_mass: bool) {
        with_mass(id, update_body_mass, |slot| {
            slot.world.destroy_shape(id.engine());
            Ok(())
        })?
    }

    fn b2Shape_IsValid(id: b2ShapeId) -> bool { seen(id, |_| (), |_| ()).is_ok() }

    fn b2Shape_GetType(id: b2ShapeId) -> b2ShapeType {
        seen(id, |view| convert::kind(&view.geometry), |shape| convert::kind(shape.geometry()))?
    }

    fn b2Shape_GetBody(id: b2ShapeId) -> b2BodyId {
        seen(id, |view| view.body, |shape| b2BodyId::of(shape.body(), id.world0))?
    }

    fn b2Shape_IsSensor(id: b2ShapeId) -> bool {
        seen(id, |view| view.is_sensor, |shape| shape.is_sensor())?
    }

    fn b2Shape_SetUserData(id: b2ShapeId, user_data: *mut c_void) {
        read(id.world0, |slot| slot.set_shape_extra(id, |extra| extra.user_data = user_data as usize))?
    }

    fn b2Shape_GetUserData(id: b2ShapeId) -> *mut c_void {
        let seen = hook_view::shape(id, |view| view.user_data);
        let user_data = match seen {
            Some(user_data) => user_data,
            None => read(id.world0, |slot| Ok(slot.shape_extra(id)?.user_data))?,
        };
        user_data as *mut c_void
    }

    fn b2Shape_SetDensity(id: b2ShapeId, density: f32, update_body_mass: bool) {
        with_mass(id, update_body_mass, |slot| Ok(slot.shape_mut(id)?.try_set_density(density)?))?
    }

    fn b2Shape_GetDensity(id: b2ShapeId) -> f32 { shape(id, |shape| shape.density())? }

    fn b2Shape_SetFriction(id: b2ShapeId, friction: f32) {
        shape_mut(id, |shape| Ok(shape.try_set_friction(friction)?))?
    }

    fn b2Shape_GetFriction(id: b2ShapeId) -> f32 {
        seen(id, |view| view.material.friction, |shape| shape.material().friction)?
    }

    fn b2Shape_SetRestitution(id: b2ShapeId, restitution: f32) {
        shape_mut(id, |shape| Ok(shape.try_set_restitution(restitution)?))?
    }

    fn b2Shape_GetRestitution(id: b2ShapeId) -> f32 {
        seen(id, |view| view.material.restitution, |shape| shape.material().restitution)?
    }

    fn b2Shape_SetUserMaterial(id: b2ShapeId, material: u64) {
        shape_mut(id, |shape| {
            let old = shape.as_ref().material();
            Ok(shape.try_set_material(cairn2d::Material { user_id: material, ..old })?)
        })?
    }

    fn b2Shape_GetUserMaterial(id: b2ShapeId) -> u64 {
        seen(id, |view| view.material.user_id, |shape| shape.material().user_id)?
    }

    fn b2Shape_SetSurfaceMaterial(id: b2ShapeId, material: In<b2SurfaceMaterial>) {
        let material = material.as_ref()?;
        write(id.world0, |slot| set_surface_material(slot, id, material))?
    }

    fn b2Shape_GetSurfaceMaterial(id: b2ShapeId) -> b2SurfaceMaterial {
        match hook_view::shape(id, |view| b2SurfaceMaterial::of(&view.material, 0)) {
            Some(material) => material,
            None => surface_material(id)?,
        }
    }

    fn b2Shape_GetFilter(id: b2ShapeId) -> b2Filter {
        seen(id, |view| view.filter.into(), |shape| shape.filter().into())?
    }

    fn b2Shape_SetFilter(id: b2ShapeId, filter: b2Filter) {
        shape_mut(id, |shape| {
            shape.set_filter(filter.filter());
            Ok(())
        })?
    }

    fn b2Shape_EnableSensorEvents(id: b2ShapeId, is_on: bool) { flag(id, SENSOR_EVENTS, is_on)? }

    fn b2Shape_AreSensorEventsEnabled(id: b2ShapeId) -> bool { has_flag(id, SENSOR_EVENTS)? }

    fn b2Shape_EnableContactEvents(id: b2ShapeId, is_on: bool) { flag(id, CONTACT_EVENTS, is_on)? }

    fn b2Shape_AreContactEventsEnabled(id: b2ShapeId) -> bool { has_flag(id, CONTACT_EVENTS)? }

    fn b2Shape_EnablePreSolveEvents(id: b2ShapeId, is_on: bool) {
        flag(id, PRE_SOLVE_EVENTS, is_on)?;
        write(id.world0, |slot| {
            let asks = slot.asks_pre_solve(slot.shape(id)?.user_data());
            slot.shape_mut(id)?.set_pre_solve(asks);
            Ok(())
        })?
    }

    fn b2Shape_ArePreSolveEventsEnabled(id: b2ShapeId) -> bool { has_flag(id, PRE_SOLVE_EVENTS)? }

    fn b2Shape_EnableHitEvents(id: b2ShapeId, is_on: bool) { flag(id, HIT_EVENTS, is_on)? }

    fn b2Shape_AreHitEventsEnabled(id: b2ShapeId) -> bool { has_flag(id, HIT_EVENTS)? }

    fn b2Shape_GetCircle(id: b2ShapeId) -> b2Circle { geometry(id, convert::as_circle)? }

    fn b2Shape_GetSegment(id: b2ShapeId) -> b2Segment { geometry(id, convert::as_segment)? }

    fn b2Shape_GetChainSegment(id: b2ShapeId) -> b2ChainSegment { geometry(id, convert::as_chain_segment)? }

    fn b2Shape_GetCapsule(id: b2ShapeId) -> b2Capsule { geometry(id, convert::as_capsule)? }

    fn b2Shape_GetPolygon(id: b2ShapeId) -> b2Polygon { geometry(id, convert::as_polygon)? }

    fn b2Shape_SetCircle(id: b2ShapeId, circle: In<b2Circle>) {
        set_geometry(id, convert::circle(circle.as_ref()?)?.into())?
    }

    fn b2Shape_SetCapsule(id: b2ShapeId, capsule: In<b2Capsule>) {
        set_geometry(id, convert::capsule(capsule.as_ref()?)?)?
    }

    fn b2Shape_SetSegment(id: b2ShapeId, segment: In<b2Segment>) {
        set_geometry(id, convert::segment(segment.as_ref()?)?.into())?
    }

    fn b2Shape_SetPolygon(id: b2ShapeId, polygon: In<b2Polygon>) {
        set_geometry(id, convert::polygon(polygon.as_ref()?)?.into())?
    }

    fn b2Shape_SetChainSegment(id: b2ShapeId, chain: In<b2ChainSegment>) {
        set_geometry(id, convert::chain_segment(chain.as_ref()?)?.into())?
    }

    fn b2Shape_GetParentChain(id: b2ShapeId) -> b2ChainId {
        read(id.world0, |slot| {
            let number = slot.shape_extra(id)?.chain;
            Ok(slot.chains.id_of(number, slot.world0))
        })?
    }

    fn b2Shape_GetSensorCapacity(id: b2ShapeId) -> c_int { shape(id, |shape| shape.overlaps().count() as c_int)? }

    fn b2Shape_GetSensorData(id: b2ShapeId, visitors: Out<b2ShapeId>, capacity: c_int) -> c_int {
        read(id.world0, |slot| {
            let shape = slot.shape(id)?;
            if !shape.is_sensor() {
                return Err(Fault::Kind);
            }
            let asks = |visitor| slot.world.get_shape(visitor).is_some_and(|s| s.user_data() & SENSOR_EVENTS != 0);
            let found = shape.overlaps().filter(|&visitor| asks(visitor));
            visitors.fill(capacity, found.map(|visitor| b2ShapeId::of(visitor, id.world0)))
        })?
    }
}
