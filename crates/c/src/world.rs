//! Worlds: creation, steps, settings and counts.

use crate::failure::{Failure, cairn_result, call};
use crate::handle::{Handle, change, destroy, give, read};
use crate::pointer::{fill, get, get_optional, put};
use crate::values::{cairn_body_id, finite, position};
use crate::world_def::cairn_world_def;
use engine::{Capacity, IgnoreFor, World, WorldDef};
use std::ffi::c_char;
use std::sync::RwLock;

/// Version of the interface: a program was compiled for the library if this equals cairn_abi_version().
pub const CAIRN_ABI_VERSION: u32 = 1;

/// Returns CAIRN_ABI_VERSION of the library.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_abi_version() -> u32 {
    CAIRN_ABI_VERSION
}

/// A world of bodies. Made by cairn_world_create(), cairn_world_clone() and cairn_world_load(); the caller owns it and
/// destroys it with cairn_world_destroy().
///
/// Several threads may read a world at a time, through functions that take a const pointer. While one changes it, calls from
/// other threads, and from callbacks of that change, return CAIRN_BUSY.
pub struct cairn_world(RwLock<World>);

impl Handle for cairn_world {
    type Inner = World;
    const NAME: &'static str = "world";

    fn new(inner: RwLock<World>) -> Self {
        Self(inner)
    }

    fn lock(&self) -> &RwLock<World> {
        &self.0
    }
}

/// Creates a world and writes its handle to `world`. With a null `def` all is default.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_create(
    def: *const cairn_world_def,
    world: *mut *mut cairn_world,
) -> cairn_result {
    call(|| {
        give(world, || {
            let base = WorldDef::default();
            let def = match get_optional(def, "def")? {
                Some(def) => def.with_base(&base)?,
                None => base,
            };
            Ok(World::try_new(def)?)
        })
    })
}

/// Destroys a world and all that is in it; null is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_destroy(world: *mut cairn_world) -> cairn_result {
    call(|| destroy(world))
}

/// Copies a world, to the last bit, with its callbacks: the copy continues with the same results and has the same ids.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_clone(
    world: *const cairn_world,
    copy: *mut *mut cairn_world,
) -> cairn_result {
    call(|| give(copy, || read(world, |world| Ok(world.clone()))))
}

/// Destroys all bodies, shapes and joints of a world.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_clear(world: *mut cairn_world) -> cairn_result {
    call(|| {
        change(world, |world| {
            world.clear();
            Ok(())
        })
    })
}

/// Most objects of a kind for which memory is reserved: a greater number is a mistake, and might end the program for want of memory.
const MAX_RESERVED: u32 = 1 << 20;

/// Reserves memory for so many more bodies, shapes, joints and contacts, each at most 1048576.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_reserve(
    world: *mut cairn_world,
    bodies: u32,
    shapes: u32,
    joints: u32,
    contacts: u32,
) -> cairn_result {
    call(|| {
        if [bodies, shapes, joints, contacts]
            .iter()
            .any(|&count| count > MAX_RESERVED)
        {
            return Err(Failure::value("more than 1048576 objects to reserve"));
        }
        change(world, |world| {
            world.reserve(Capacity {
                bodies: bodies as usize,
                shapes: shapes as usize,
                joints: joints as usize,
                contacts: contacts as usize,
            });
            Ok(())
        })
    })
}

/// Simulates `dt` seconds, such as 1/60. Replaces the events of the step before.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_step(world: *mut cairn_world, dt: f32) -> cairn_result {
    call(|| change(world, |world| Ok(world.try_step(dt)?)))
}

/// Writes the definition of a world with its present settings.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_get_def(
    world: *const cairn_world,
    def: *mut cairn_world_def,
) -> cairn_result {
    call(|| read(world, |world| put(def, world.def().clone().into(), "def")))
}

/// Changes the settings of a world.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_set_def(
    world: *mut cairn_world,
    def: *const cairn_world_def,
) -> cairn_result {
    call(|| {
        let def = get(def, "def")?;
        change(world, |world| {
            let def = def.with_base(world.def())?;
            Ok(world.try_set_def(def)?)
        })
    })
}

/// Sets the gravitational acceleration [m/s^2] and wakes all bodies.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_set_gravity(world: *mut cairn_world, x: f32, y: f32) -> cairn_result {
    call(|| {
        let gravity = finite(x, y, "gravity")?;
        change(world, |world| Ok(world.try_set_gravity(gravity)?))
    })
}

/// Moves the origin of the world to (`x`, `y`) [m]: all coordinates shrink by these.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_shift_origin(
    world: *mut cairn_world,
    x: f64,
    y: f64,
) -> cairn_result {
    call(|| {
        let origin = position(x, y)?;
        change(world, |world| Ok(world.try_shift_origin(origin)?))
    })
}

/// Lets two bodies pass through each other for `seconds`; infinite: until cairn_world_unignore_pair().
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_ignore_pair(
    world: *mut cairn_world,
    a: cairn_body_id,
    b: cairn_body_id,
    seconds: f32,
) -> cairn_result {
    call(|| {
        let how_long = if seconds == f32::INFINITY {
            IgnoreFor::Forever
        } else {
            IgnoreFor::Time(seconds)
        };
        change(world, |world| {
            Ok(world.try_ignore_pair(a.into(), b.into(), how_long)?)
        })
    })
}

/// Lets two bodies collide again.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_unignore_pair(
    world: *mut cairn_world,
    a: cairn_body_id,
    b: cairn_body_id,
) -> cairn_result {
    call(|| {
        change(world, |world| {
            world.unignore_pair(a.into(), b.into());
            Ok(())
        })
    })
}

/// Writes a hash of the whole state: equal states have equal hashes, on all machines and with all numbers of threads.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_get_hash(world: *const cairn_world, hash: *mut u64) -> cairn_result {
    call(|| read(world, |world| put(hash, world.state_hash(), "hash")))
}

/// Writes the kinetic and the potential energy of all bodies [J]; null declines one.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_get_energy(
    world: *const cairn_world,
    kinetic: *mut f64,
    potential: *mut f64,
) -> cairn_result {
    call(|| {
        read(world, |world| {
            crate::pointer::put_optional(kinetic, world.kinetic_energy(), "kinetic")?;
            crate::pointer::put_optional(potential, world.potential_energy(), "potential")
        })
    })
}

/// Numbers of things in a world, and of the work of its last step.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct cairn_counts {
    /// Steps since the world was created.
    pub steps: u64,
    /// Bodies.
    pub bodies: u64,
    /// Bodies that are awake.
    pub awake_bodies: u64,
    /// Shapes.
    pub shapes: u64,
    /// Joints.
    pub joints: u64,
    /// Contacts.
    pub contacts: u64,
    /// Contacts of bodies that are awake.
    pub awake_contacts: u64,
    /// Islands: groups of bodies that touch or are joined.
    pub islands: u64,
}

/// Writes the numbers of things in a world.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_get_counts(
    world: *const cairn_world,
    counts: *mut cairn_counts,
) -> cairn_result {
    call(|| {
        read(world, |world| {
            let counters = world.counters();
            let numbers = cairn_counts {
                steps: world.step_count(),
                bodies: world.body_count() as u64,
                awake_bodies: counters.awake_bodies as u64,
                shapes: world.shape_count() as u64,
                joints: world.joint_count() as u64,
                contacts: counters.contacts as u64,
                awake_contacts: counters.awake_contacts as u64,
                islands: counters.islands as u64,
            };
            put(counts, numbers, "counts")
        })
    })
}

/// Times of the phases of the last step [ns]; all 0 without cairn_world_def.profiling.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct cairn_profile {
    /// The whole step.
    pub step: u64,
    /// New pairs of the broad phase.
    pub pairs: u64,
    /// Contact points.
    pub collide: u64,
    /// Islands.
    pub islands: u64,
    /// Solver.
    pub solve: u64,
    /// Continuous collision.
    pub continuous: u64,
    /// Boxes of the broad phase.
    pub refit: u64,
    /// Events.
    pub events: u64,
}

/// Writes the times of the last step.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_get_profile(
    world: *const cairn_world,
    profile: *mut cairn_profile,
) -> cairn_result {
    call(|| {
        read(world, |world| {
            let times = world.profile();
            let times = cairn_profile {
                step: times.step,
                pairs: times.pairs,
                collide: times.collide,
                islands: times.islands,
                solve: times.solve,
                continuous: times.continuous,
                refit: times.refit,
                events: times.events,
            };
            put(profile, times, "profile")
        })
    })
}

/// Writes what looks like a mistake in the scene, such as a dynamic body without mass: one sentence a line, UTF-8, without
/// a zero at the end. `count` receives the number of bytes.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_get_warnings(
    world: *const cairn_world,
    buffer: *mut c_char,
    capacity: usize,
    count: *mut usize,
) -> cairn_result {
    call(|| {
        read(world, |world| {
            let lines: Vec<String> = world.warnings().iter().map(ToString::to_string).collect();
            let bytes = lines.join("\n").into_bytes();
            fill(
                bytes.into_iter().map(|byte| byte as c_char),
                buffer,
                capacity,
                count,
            )
        })
    })
}
