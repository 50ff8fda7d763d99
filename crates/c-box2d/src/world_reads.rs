//! Worlds: events, bounds, times and counts.

use crate::abi::{Outcome, Zeroed};
use crate::slot::Slot;
use crate::types::*;
use crate::worlds::{world, world_mut};
use cairn2d::{Aabb, BodyKind, Profile, World, std_clock};
use core::ffi::c_int;

pub(crate) fn bounds(world: &World) -> b2AABB {
    let boxes = world.shapes().map(|shape| shape.fat_box());
    let all = boxes.reduce(|a, b| a.union(&b));
    all.map_or(b2AABB::zeroed(), <b2AABB as From<Aabb>>::from)
}

/// Milliseconds of the engine's stages, under the names that come closest.
fn times(profile: &Profile) -> b2Profile {
    let ms = |nanoseconds: u64| nanoseconds as f32 * 1.0e-6;
    b2Profile {
        step: ms(profile.step),
        pairs: ms(profile.pairs),
        collide: ms(profile.collide),
        solve: ms(profile.solve + profile.islands + profile.finalize + profile.continuous),
        constraints: ms(profile.solve),
        transforms: ms(profile.finalize),
        hitEvents: ms(profile.events),
        refit: ms(profile.refit),
        bullets: ms(profile.continuous),
        sleepIslands: ms(profile.islands),
        ..b2Profile::zeroed()
    }
}

/// Returns the times of the last step. The first call starts to measure: clocks cost a tenth of the step of a small world.
fn profile(slot: &mut Slot) -> Outcome<b2Profile> {
    if slot.world.def().clock.is_none() {
        slot.change_def(|def| def.clock = Some(std_clock))?;
    }
    Ok(times(slot.world.profile()))
}

fn counts(world: &World) -> b2Counters {
    let counters = world.counters();
    let mut colors = [0; 24];
    for contact in world.contacts() {
        if let Some(color) = contact.color() {
            colors[(color as usize).min(23)] += 1;
        }
    }
    b2Counters {
        bodyCount: world.body_count() as c_int,
        shapeCount: world.shape_count() as c_int,
        contactCount: counters.contacts as c_int,
        jointCount: world.joint_count() as c_int,
        islandCount: counters.islands as c_int,
        treeHeight: counters.tree_height as c_int,
        colorCounts: colors,
        awakeContactCount: counters.awake_contacts as c_int,
        recycledContactCount: counters.recycled_contacts as c_int,
        ..b2Counters::zeroed()
    }
}

fn awake_bodies(world: &World) -> c_int {
    let awake = world
        .bodies()
        .filter(|body| body.is_awake() && body.kind() != BodyKind::Static && body.is_enabled());
    awake.count() as c_int
}

/// Largest counts of objects so far.
fn capacity(slot: &mut Slot) -> b2Capacity {
    slot.note_objects();
    slot.most
}

impl Slot {
    /// Notes how many objects there are, for the largest counts.
    pub(crate) fn note_objects(&mut self) {
        let is_static = |kind| kind == BodyKind::Static;
        let static_bodies = self.world.bodies().filter(|body| is_static(body.kind()));
        let static_bodies = static_bodies.count() as c_int;
        let kind_of = |body| self.world.get_body(body).map(|body| body.kind());
        let shapes = self.world.shapes();
        let static_shapes = shapes.filter(|shape| kind_of(shape.body()).is_some_and(is_static));
        let static_shapes = static_shapes.count() as c_int;
        let moving_bodies = self.world.body_count() as c_int - static_bodies;
        let moving_shapes = self.world.shape_count() as c_int - static_shapes;
        let contacts = self.world.contacts().count() as c_int;
        let most = &mut self.most;
        for (most, now) in [
            (&mut most.staticBodyCount, static_bodies),
            (&mut most.dynamicBodyCount, moving_bodies),
            (&mut most.staticShapeCount, static_shapes),
            (&mut most.dynamicShapeCount, moving_shapes),
            (&mut most.contactCount, contacts),
        ] {
            *most = (*most).max(now);
        }
    }
}

fn read<R>(id: b2WorldId, read: impl FnOnce(&World) -> R) -> Outcome<R> {
    world(id, |slot| Ok(read(&slot.world)))
}

c_functions! {
    fn b2World_GetBounds(id: b2WorldId) -> b2AABB { read(id, bounds)? }

    fn b2World_GetBodyEvents(id: b2WorldId) -> b2BodyEvents {
        world_mut(id, |slot| Ok(slot.events.moves(&slot.world, slot.world0)))?
    }

    fn b2World_GetSensorEvents(id: b2WorldId) -> b2SensorEvents {
        world_mut(id, |slot| Ok(slot.events.sensors(&slot.world, slot.world0)))?
    }

    fn b2World_GetContactEvents(id: b2WorldId) -> b2ContactEvents {
        world_mut(id, |slot| Ok(slot.events.contacts(&slot.world, slot.world0)))?
    }

    fn b2World_GetJointEvents(id: b2WorldId) -> b2JointEvents {
        world_mut(id, |slot| Ok(slot.events.joints()))?
    }

    fn b2World_GetAwakeBodyCount(id: b2WorldId) -> c_int { read(id, awake_bodies)? }

    fn b2World_GetProfile(id: b2WorldId) -> b2Profile { world_mut(id, profile)? }

    fn b2World_GetCounters(id: b2WorldId) -> b2Counters { read(id, counts)? }

    fn b2World_GetMaxCapacity(id: b2WorldId) -> b2Capacity { world_mut(id, |slot| Ok(capacity(slot)))? }
}
