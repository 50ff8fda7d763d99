//! Chains.

use crate::abi::{Fault, Flag, In, Out, Outcome, Zeroed};
use crate::chain_table::Chain;
use crate::defaults::check_cookie;
use crate::shape::{attach, set_surface_material};
use crate::shape_convert::chain_segment;
use crate::slot::Slot;
use crate::types::*;
use crate::worlds::{read, write};
use core::ffi::c_int;

/// Fewest points of a chain: an open one has a ghost at each end.
const LEAST_POINTS: usize = 4;

/// Returns the segments of a chain, each with its neighbors.
fn segments(points: &[b2Vec2], is_loop: bool) -> Vec<b2ChainSegment> {
    let count = points.len();
    let first = if is_loop { count - 1 } else { 0 };
    let number = if is_loop { count } else { count - 3 };
    (0..number)
        .map(|i| {
            let [ghost1, point1, point2, ghost2] =
                [0, 1, 2, 3].map(|k| points[(first + i + k) % count]);
            b2ChainSegment {
                ghost1,
                segment: b2Segment { point1, point2 },
                ghost2,
                chainId: 0,
            }
        })
        .collect()
}

/// Returns the index of a segment's material.
const fn material_of(segment: usize, materials: usize, is_loop: bool) -> usize {
    match (materials, is_loop) {
        (1, _) => 0,
        (_, true) => segment,
        // The first point of an open chain is a ghost.
        (_, false) => segment + 1,
    }
}

fn create(slot: &mut Slot, body: b2BodyId, def: &b2ChainDef) -> Outcome<b2ChainId> {
    let points = def.points.slice(def.count)?;
    let materials = def.materials.slice(def.materialCount)?;
    let is_loop = def.isLoop.is_set();
    if points.len() < LEAST_POINTS {
        return Err(Fault::Count(def.count));
    }
    if materials.len() != 1 && materials.len() != points.len() {
        return Err(Fault::Count(def.materialCount));
    }
    let body_id = slot.body(body)?.id();
    let pieces = segments(points, is_loop);
    let geometry = pieces
        .iter()
        .map(chain_segment)
        .collect::<Outcome<Vec<_>>>()?;
    let number = slot.chains.next() as u32 + 1;
    let mut shapes = Vec::with_capacity(geometry.len());
    for (i, segment) in geometry.into_iter().enumerate() {
        let shape_def = b2ShapeDef {
            userData: def.userData,
            material: materials[material_of(i, materials.len(), is_loop)],
            filter: def.filter,
            enableSensorEvents: def.enableSensorEvents,
            updateBodyMass: Flag::ON,
            ..b2ShapeDef::zeroed()
        };
        match attach(slot, body, &shape_def, segment.into(), number) {
            Ok(shape) => shapes.push(shape.engine()),
            Err(fault) => {
                for shape in shapes {
                    slot.world.destroy_shape(shape);
                }
                return Err(fault);
            }
        }
    }
    let chain = Chain {
        body: body_id,
        segments: shapes,
        materials: materials.to_vec(),
    };
    Ok(slot.chains.insert(chain, slot.world0))
}

fn destroy(slot: &mut Slot, id: b2ChainId) -> Outcome<()> {
    for shape in slot.chains.remove(id)?.segments {
        slot.world.destroy_shape(shape);
    }
    Ok(())
}

fn material_index(chain: &Chain, index: c_int) -> Outcome<usize> {
    let found = usize::try_from(index).ok();
    found
        .filter(|&i| i < chain.materials.len())
        .ok_or(Fault::Count(index))
}

fn set_material(
    slot: &mut Slot,
    id: b2ChainId,
    material: &b2SurfaceMaterial,
    index: c_int,
) -> Outcome<()> {
    let chain = slot.chains.get_mut(id)?;
    let index = material_index(chain, index)?;
    let materials = chain.materials.len();
    let is_loop = materials == chain.segments.len();
    chain.materials[index] = *material;
    let segments = chain.segments.clone();
    for (i, segment) in segments.into_iter().enumerate() {
        if material_of(i, materials, is_loop) == index {
            let segment = b2ShapeId::of(segment, slot.world0);
            set_surface_material(slot, segment, material)?;
        }
    }
    Ok(())
}

c_functions! {
    fn b2CreateChain(body: b2BodyId, def: In<b2ChainDef>) -> b2ChainId {
        let def = def.as_ref()?;
        check_cookie(def.internalValue)?;
        write(body.world0, |slot| create(slot, body, def))?
    }

    fn b2DestroyChain(id: b2ChainId) { write(id.world0, |slot| destroy(slot, id))? }

    fn b2Chain_IsValid(id: b2ChainId) -> bool {
        read(id.world0, |slot| slot.chains.get(id).map(|_| ())).is_ok()
    }

    fn b2Chain_GetSegmentCount(id: b2ChainId) -> c_int {
        read(id.world0, |slot| Ok(slot.chains.get(id)?.segments.len() as c_int))?
    }

    fn b2Chain_GetSegments(id: b2ChainId, segments: Out<b2ShapeId>, capacity: c_int) -> c_int {
        read(id.world0, |slot| {
            let ids = slot.chains.get(id)?.segments.iter();
            segments.fill(capacity, ids.map(|&shape| b2ShapeId::of(shape, slot.world0)))
        })?
    }

    fn b2Chain_GetSurfaceMaterialCount(id: b2ChainId) -> c_int {
        read(id.world0, |slot| Ok(slot.chains.get(id)?.materials.len() as c_int))?
    }

    fn b2Chain_SetSurfaceMaterial(id: b2ChainId, material: In<b2SurfaceMaterial>, index: c_int) {
        let material = material.as_ref()?;
        write(id.world0, |slot| set_material(slot, id, material, index))?
    }

    fn b2Chain_GetSurfaceMaterial(id: b2ChainId, index: c_int) -> b2SurfaceMaterial {
        read(id.world0, |slot| {
            let chain = slot.chains.get(id)?;
            Ok(chain.materials[material_index(chain, index)?])
        })?
    }
}
