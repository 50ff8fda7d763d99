//! Worlds: create, destroy, step, settings.

use crate::abi::{Fault, Outcome};
use crate::defaults::check_cookie;
use crate::slot::{Callbacks, Slot};
use crate::types::*;
use crate::worlds::{id_of, insert, is_world, remove, world, world_mut};
use cairn2d::{Capacity, ExplosionDef, QueryFilter, Tuning, World, WorldDef};
use core::ffi::{c_int, c_void};

/// Contact recycling distance of a new world, in meters.
const RECYCLE_DISTANCE: f32 = 0.05;

/// Stiffness, damping ratio and push speed of contacts in Box2D's default definition. The engine's own are better with its solver,
/// so they stand for these.
const DEFAULT_CONTACTS: [f32; 3] = [30.0, 10.0, 3.0];

/// Returns the engine's tuning of contacts.
fn tuned(tuning: Tuning, [hertz, damping_ratio, push_speed]: [f32; 3]) -> Tuning {
    let default = Tuning::default();
    let units = crate::math::length_units();
    let is_default = [hertz, damping_ratio] == DEFAULT_CONTACTS[..2];
    let is_default_speed = push_speed == DEFAULT_CONTACTS[2] * units;
    Tuning {
        contact_hertz: if is_default {
            default.contact_hertz
        } else {
            hertz
        },
        contact_damping_ratio: if is_default {
            default.contact_damping_ratio
        } else {
            damping_ratio
        },
        contact_push_speed: if is_default_speed {
            default.contact_push_speed * units
        } else {
            push_speed
        },
        ..tuning
    }
}

fn threads(count: c_int) -> u32 {
    count.clamp(1, cairn2d::MAX_THREADS as c_int) as u32
}

fn engine_def(def: &b2WorldDef) -> WorldDef {
    let tuning = Tuning {
        restitution_threshold: def.restitutionThreshold,
        hit_event_threshold: def.hitEventThreshold,
        max_linear_speed: def.maximumLinearSpeed,
        ..Tuning::default()
    };
    let contacts = [def.contactHertz, def.contactDampingRatio, def.contactSpeed];
    WorldDef {
        gravity: def.gravity.vec(),
        sleeping: def.enableSleep.is_set(),
        continuous: def.enableContinuous.is_set(),
        threads: threads(def.workerCount),
        tuning: tuned(tuning, contacts),
        ..WorldDef::default()
    }
}

fn capacity(capacity: &b2Capacity) -> Capacity {
    // A count that lies must not exhaust memory: it only saves later allocations.
    const MOST: c_int = 1 << 20;
    let count = |a: c_int, b: c_int| (a.clamp(0, MOST) + b.clamp(0, MOST)) as usize;
    Capacity {
        bodies: count(capacity.staticBodyCount, capacity.dynamicBodyCount),
        shapes: count(capacity.staticShapeCount, capacity.dynamicShapeCount),
        contacts: count(capacity.contactCount, 0),
        ..Capacity::default()
    }
}

impl Slot {
    /// Returns a slot for a world, to which C has attached nothing yet.
    pub(crate) fn new(world: World, world0: u16) -> Self {
        Self {
            world,
            world0,
            user_data: 0,
            recycle_distance: RECYCLE_DISTANCE * crate::math::length_units(),
            shapes: Default::default(),
            bodies: Vec::new(),
            joints: Vec::new(),
            watches_joints: false,
            chains: Default::default(),
            callbacks: Callbacks::default(),
            events: Default::default(),
            most: crate::abi::Zeroed::zeroed(),
            recording: None,
        }
    }
}

fn create(def: &b2WorldDef, world0: u16) -> Outcome<Slot> {
    let world = World::try_with_capacity(engine_def(def), capacity(&def.capacity))?;
    let mut slot = Slot::new(world, world0);
    slot.user_data = def.userData as usize;
    slot.callbacks.friction = def.frictionCallback;
    slot.callbacks.restitution = def.restitutionCallback;
    if slot.callbacks.mixes() {
        slot.install_pre_solve()?;
    }
    Ok(slot)
}

/// Changes the engine's definition of a world.
fn change(id: b2WorldId, change: impl FnOnce(&mut WorldDef)) -> Outcome<()> {
    world_mut(id, |slot| slot.change_def(change))
}

/// Reads the engine's definition of a world.
fn setting<R>(id: b2WorldId, read: impl FnOnce(&WorldDef) -> R) -> Outcome<R> {
    world(id, |slot| Ok(read(slot.world.def())))
}

c_functions! {
    fn b2CreateWorld(def: crate::abi::In<b2WorldDef>) -> b2WorldId {
        let def = def.as_ref()?;
        check_cookie(def.internalValue)?;
        insert(|world0| create(def, world0))?
    }

    fn b2DestroyWorld(id: b2WorldId) {
        let mut slot = remove(id)?;
        slot.stop_recording();
    }

    fn b2World_IsValid(id: b2WorldId) -> bool { is_world(id) }

    fn b2World_Step(id: b2WorldId, dt: f32, substeps: c_int) {
        world_mut(id, |slot| slot.step(dt, substeps))?
    }

    fn b2World_EnableSleeping(id: b2WorldId, flag: bool) { change(id, |def| def.sleeping = flag)? }

    fn b2World_IsSleepingEnabled(id: b2WorldId) -> bool { setting(id, |def| def.sleeping)? }

    fn b2World_EnableContinuous(id: b2WorldId, flag: bool) { change(id, |def| def.continuous = flag)? }

    fn b2World_IsContinuousEnabled(id: b2WorldId) -> bool { setting(id, |def| def.continuous)? }

    fn b2World_SetRestitutionThreshold(id: b2WorldId, value: f32) {
        change(id, |def| def.tuning.restitution_threshold = value)?
    }

    fn b2World_GetRestitutionThreshold(id: b2WorldId) -> f32 {
        setting(id, |def| def.tuning.restitution_threshold)?
    }

    fn b2World_SetHitEventThreshold(id: b2WorldId, value: f32) {
        change(id, |def| def.tuning.hit_event_threshold = value)?
    }

    fn b2World_GetHitEventThreshold(id: b2WorldId) -> f32 {
        setting(id, |def| def.tuning.hit_event_threshold)?
    }

    fn b2World_SetMaximumLinearSpeed(id: b2WorldId, value: f32) {
        change(id, |def| def.tuning.max_linear_speed = value)?
    }

    fn b2World_GetMaximumLinearSpeed(id: b2WorldId) -> f32 {
        setting(id, |def| def.tuning.max_linear_speed)?
    }

    fn b2World_EnableWarmStarting(id: b2WorldId, flag: bool) { change(id, |def| def.warm_starting = flag)? }

    fn b2World_IsWarmStartingEnabled(id: b2WorldId) -> bool { setting(id, |def| def.warm_starting)? }

    fn b2World_SetContactTuning(id: b2WorldId, hertz: f32, damping_ratio: f32, push_speed: f32) {
        change(id, |def| def.tuning = tuned(def.tuning, [hertz, damping_ratio, push_speed]))?
    }

    /// Contacts are recycled where that does not change them: the distance is stored and has no effect.
    fn b2World_SetContactRecycleDistance(id: b2WorldId, distance: f32) {
        if !(distance.is_finite() && distance >= 0.0) {
            return Err(Fault::Value("contact recycle distance"));
        }
        world_mut(id, |slot| {
            slot.recycle_distance = distance;
            Ok(())
        })?
    }

    fn b2World_GetContactRecycleDistance(id: b2WorldId) -> f32 {
        world(id, |slot| Ok(slot.recycle_distance))?
    }

    fn b2World_SetGravity(id: b2WorldId, gravity: b2Vec2) {
        world_mut(id, |slot| Ok(slot.world.try_set_gravity(gravity.vec())?))?
    }

    fn b2World_GetGravity(id: b2WorldId) -> b2Vec2 {
        world(id, |slot| Ok(slot.world.gravity().into()))?
    }

    fn b2World_SetUserData(id: b2WorldId, user_data: *mut c_void) {
        world_mut(id, |slot| {
            slot.user_data = user_data as usize;
            Ok(())
        })?
    }

    fn b2World_GetUserData(id: b2WorldId) -> *mut c_void {
        world(id, |slot| Ok(slot.user_data as *mut c_void))?
    }

    fn b2World_SetWorkerCount(id: b2WorldId, count: c_int) { change(id, |def| def.threads = threads(count))? }

    fn b2World_GetWorkerCount(id: b2WorldId) -> c_int { setting(id, |def| def.threads as c_int)? }

    /// The engine's trees need no rebuild.
    fn b2World_RebuildStaticTree(id: b2WorldId) { world(id, |_| Ok(()))? }

    /// Contacts are always speculative.
    fn b2World_EnableSpeculative(id: b2WorldId, _flag: bool) { world(id, |_| Ok(()))? }

    fn b2World_SetCustomFilterCallback(id: b2WorldId, callback: b2CustomFilterFcn, context: *mut c_void) {
        world_mut(id, |slot| {
            slot.callbacks.filter = callback.map(|function| (function as _, context as usize));
            slot.install_filter();
            Ok(())
        })?
    }

    fn b2World_SetPreSolveCallback(id: b2WorldId, callback: b2PreSolveFcn, context: *mut c_void) {
        world_mut(id, |slot| {
            slot.callbacks.pre_solve = callback.map(|function| (function as _, context as usize));
            slot.install_pre_solve()
        })?
    }

    fn b2World_SetFrictionCallback(id: b2WorldId, callback: b2FrictionCallback) {
        world_mut(id, |slot| {
            slot.callbacks.friction = callback;
            slot.install_pre_solve()
        })?
    }

    fn b2World_SetRestitutionCallback(id: b2WorldId, callback: b2RestitutionCallback) {
        world_mut(id, |slot| {
            slot.callbacks.restitution = callback;
            slot.install_pre_solve()
        })?
    }

    fn b2World_Explode(id: b2WorldId, def: crate::abi::In<b2ExplosionDef>) {
        let def = def.as_ref()?;
        let explosion = ExplosionDef {
            falloff: def.falloff,
            filter: QueryFilter { mask: def.maskBits, ..QueryFilter::default() },
            ..ExplosionDef::new(def.position.place(), def.radius, def.impulsePerLength)
        };
        world_mut(id, |slot| Ok(slot.world.try_explode(&explosion)?))?
    }

    fn b2Body_GetWorld(body: b2BodyId) -> b2WorldId { id_of(body.world0)? }

    fn b2Shape_GetWorld(shape: b2ShapeId) -> b2WorldId { id_of(shape.world0)? }

    fn b2Chain_GetWorld(chain: b2ChainId) -> b2WorldId { id_of(chain.world0)? }

    fn b2Joint_GetWorld(joint: b2JointId) -> b2WorldId { id_of(joint.world0)? }
}
