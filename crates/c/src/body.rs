//! Bodies: creation, and reading of their states, one by one and all at once.

use crate::failure::{Failure, cairn_result, call};
use crate::handle::{change, read};
use crate::pointer::{array, fill, get, put};
use crate::values::{
    CAIRN_FALSE, cairn_body_id, cairn_bool, cairn_joint_id, cairn_position, cairn_rotation,
    cairn_shape_id, cairn_vec2, number,
};
use crate::world::cairn_world;
use engine::{
    BodyDef, BodyId, BodyKind, BodyPlacement, BodyRef, Continuous, InitialState, Locks,
    SimulatedBody, World,
};

/// Kind of motion of a body.
pub type cairn_body_kind = u32;

/// Does not move.
pub const CAIRN_STATIC: cairn_body_kind = 0;
/// Moves with its velocity; no force changes it.
pub const CAIRN_KINEMATIC: cairn_body_kind = 1;
/// Moves by forces and impulses.
pub const CAIRN_DYNAMIC: cairn_body_kind = 2;

/// State of a body at its start.
pub type cairn_initial_state = u32;

/// The body is simulated.
pub const CAIRN_AWAKE: cairn_initial_state = 0;
/// The body sleeps until something wakes it.
pub const CAIRN_ASLEEP: cairn_initial_state = 1;
/// The body takes no part until it is enabled.
pub const CAIRN_DISABLED: cairn_initial_state = 2;

/// Response of continuous collision to an impact.
pub type cairn_continuous = u32;

/// CAIRN_CONTINUOUS_SUBSTEP for impacts of bouncing shapes, CAIRN_CONTINUOUS_CLAMP for all others.
pub const CAIRN_CONTINUOUS_AUTO: cairn_continuous = 0;
/// The body stays at the surface that it hit until the step ends.
pub const CAIRN_CONTINUOUS_CLAMP: cairn_continuous = 1;
/// The impact is solved at its time.
pub const CAIRN_CONTINUOUS_SUBSTEP: cairn_continuous = 2;

/// Defines a body: start from cairn_default_body_def().
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_body_def {
    /// Origin of the body's frame in the world [m].
    pub position: cairn_position,
    /// Rotation of the body's frame, counter-clockwise [rad].
    pub angle: f32,
    /// Angular velocity, counter-clockwise [rad/s].
    pub angular_velocity: f32,
    /// Velocity of the center of mass [m/s].
    pub velocity: cairn_vec2,
    /// Decay rate of the velocity [1/s].
    pub linear_damping: f32,
    /// Decay rate of the angular velocity [1/s].
    pub angular_damping: f32,
    /// Factor on the world's gravity.
    pub gravity_scale: f32,
    /// Greatest speed [m/s]; infinite takes the world's.
    pub max_linear_speed: f32,
    /// Greatest angular speed [rad/s]; may be infinite.
    pub max_angular_speed: f32,
    /// Speed below which the body may fall asleep [m/s].
    pub sleep_speed: f32,
    /// Kind of motion: see cairn_body_kind.
    pub kind: cairn_body_kind,
    /// Awake, asleep or disabled at the start: see cairn_initial_state.
    pub initial_state: cairn_initial_state,
    /// Response of continuous collision: see cairn_continuous.
    pub continuous: cairn_continuous,
    /// Whether the body may fall asleep.
    pub can_sleep: cairn_bool,
    /// Whether continuous collision also sweeps the body against dynamic bodies: for small fast bodies.
    pub bullet: cairn_bool,
    /// Whether the body may turn by more than an eighth of a turn in one step.
    pub fast_rotation: cairn_bool,
    /// Whether the body does not move along x.
    pub lock_x: cairn_bool,
    /// Whether the body does not move along y.
    pub lock_y: cairn_bool,
    /// Whether the body does not turn.
    pub lock_rotation: cairn_bool,
    /// For the caller.
    pub user_data: u64,
}

/// Returns the definition of a static body at the origin.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_default_body_def() -> cairn_body_def {
    let def = BodyDef::default();
    cairn_body_def {
        position: def.position.into(),
        angle: def.angle,
        angular_velocity: def.angular_velocity,
        velocity: def.velocity.into(),
        linear_damping: def.linear_damping,
        angular_damping: def.angular_damping,
        gravity_scale: def.gravity_scale,
        max_linear_speed: def.max_linear_speed.unwrap_or(f32::INFINITY),
        max_angular_speed: def.max_angular_speed,
        sleep_speed: def.sleep_speed,
        kind: CAIRN_STATIC,
        initial_state: CAIRN_AWAKE,
        continuous: CAIRN_CONTINUOUS_AUTO,
        can_sleep: def.can_sleep.into(),
        bullet: def.bullet.into(),
        fast_rotation: def.fast_rotation.into(),
        lock_x: def.locks.x.into(),
        lock_y: def.locks.y.into(),
        lock_rotation: def.locks.rotation.into(),
        user_data: def.user_data,
    }
}

pub(crate) fn body_kind(kind: cairn_body_kind) -> Result<BodyKind, Failure> {
    match kind {
        CAIRN_STATIC => Ok(BodyKind::Static),
        CAIRN_KINEMATIC => Ok(BodyKind::Kinematic),
        CAIRN_DYNAMIC => Ok(BodyKind::Dynamic),
        kind => Err(Failure::unknown("kind", kind)),
    }
}

pub(crate) const fn kind_of(kind: BodyKind) -> cairn_body_kind {
    match kind {
        BodyKind::Static => CAIRN_STATIC,
        BodyKind::Kinematic => CAIRN_KINEMATIC,
        BodyKind::Dynamic => CAIRN_DYNAMIC,
    }
}

pub(crate) fn continuous(kind: cairn_continuous) -> Result<Continuous, Failure> {
    match kind {
        CAIRN_CONTINUOUS_AUTO => Ok(Continuous::Auto),
        CAIRN_CONTINUOUS_CLAMP => Ok(Continuous::Clamp),
        CAIRN_CONTINUOUS_SUBSTEP => Ok(Continuous::Substep),
        kind => Err(Failure::unknown("continuous", kind)),
    }
}

impl cairn_body_def {
    fn def(&self) -> Result<BodyDef, Failure> {
        Ok(BodyDef {
            kind: body_kind(self.kind)?,
            position: self.position.into(),
            angle: self.angle,
            velocity: self.velocity.into(),
            angular_velocity: self.angular_velocity,
            linear_damping: self.linear_damping,
            angular_damping: self.angular_damping,
            gravity_scale: self.gravity_scale,
            max_linear_speed: speed_cap(self.max_linear_speed),
            max_angular_speed: self.max_angular_speed,
            sleep_speed: self.sleep_speed,
            can_sleep: self.can_sleep != CAIRN_FALSE,
            initial_state: match self.initial_state {
                CAIRN_AWAKE => InitialState::Awake,
                CAIRN_ASLEEP => InitialState::Asleep,
                CAIRN_DISABLED => InitialState::Disabled,
                state => return Err(Failure::unknown("initial_state", state)),
            },
            locks: Locks {
                x: self.lock_x != CAIRN_FALSE,
                y: self.lock_y != CAIRN_FALSE,
                rotation: self.lock_rotation != CAIRN_FALSE,
            },
            continuous: continuous(self.continuous)?,
            bullet: self.bullet != CAIRN_FALSE,
            fast_rotation: self.fast_rotation != CAIRN_FALSE,
            user_data: self.user_data,
        })
    }
}

/// Returns the engine's speed cap: an infinite one is that of the world.
pub(crate) fn speed_cap(speed: f32) -> Option<f32> {
    (speed != f32::INFINITY).then_some(speed)
}

/// Returns a body, or why not.
pub(crate) fn find(world: &World, body: cairn_body_id) -> Result<BodyRef<'_>, Failure> {
    let found = world.get_body(body.into());
    found.ok_or_else(|| Failure::stale("body", body.bits))
}

/// Creates a body without shapes and writes its id.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_create(
    world: *mut cairn_world,
    def: *const cairn_body_def,
    body: *mut cairn_body_id,
) -> cairn_result {
    call(|| {
        let def = get(def, "def")?.def()?;
        crate::pointer::check_result(body, "body")?;
        change(world, |world| {
            put(body, world.try_create_body(def)?.into(), "body")
        })
    })
}

/// Destroys a body with its shapes, contacts and joints.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_destroy(world: *mut cairn_world, body: cairn_body_id) -> cairn_result {
    call(|| {
        change(world, |world| {
            find(world, body)?;
            world.destroy_body(body.into());
            Ok(())
        })
    })
}

/// State of a body.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_body_state {
    /// Origin of the body's frame in the world [m].
    pub position: cairn_position,
    /// Center of mass in the world [m].
    pub center: cairn_position,
    /// Rotation.
    pub rotation: cairn_rotation,
    /// Velocity of the center of mass [m/s].
    pub velocity: cairn_vec2,
    /// Angular velocity, counter-clockwise [rad/s].
    pub angular_velocity: f32,
    /// Rotation, counter-clockwise, from minus half a turn to half a turn [rad].
    pub angle: f32,
    /// Mass [kg]; 0 for static and kinematic bodies.
    pub mass: f32,
    /// Rotational inertia about the center of mass [kg m^2].
    pub inertia: f32,
    /// Kind of motion: see cairn_body_kind.
    pub kind: cairn_body_kind,
    /// Whether the body is awake.
    pub awake: cairn_bool,
    /// Whether the body takes part.
    pub enabled: cairn_bool,
    /// As in the definition, or as it was set.
    pub user_data: u64,
}

/// Writes the state of a body.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_get_state(
    world: *const cairn_world,
    body: cairn_body_id,
    state: *mut cairn_body_state,
) -> cairn_result {
    call(|| {
        read(world, |world| {
            let body = find(world, body)?;
            let now = cairn_body_state {
                position: body.position_exact().into(),
                center: body.center_exact().into(),
                rotation: body.rotation().into(),
                velocity: body.velocity().into(),
                angular_velocity: body.angular_velocity(),
                angle: body.angle(),
                mass: body.mass(),
                inertia: body.inertia(),
                kind: kind_of(body.kind()),
                awake: body.is_awake().into(),
                enabled: body.is_enabled().into(),
                user_data: body.user_data(),
            };
            put(state, now, "state")
        })
    })
}

/// Pose of a body.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_body_pose {
    /// The body.
    pub body: cairn_body_id,
    /// As in the definition of the body.
    pub user_data: u64,
    /// Origin of the body's frame in the world [m].
    pub position: cairn_position,
    /// Rotation.
    pub rotation: cairn_rotation,
}

impl From<BodyRef<'_>> for cairn_body_pose {
    fn from(body: BodyRef<'_>) -> Self {
        Self {
            body: body.id().into(),
            user_data: body.user_data(),
            position: body.position_exact().into(),
            rotation: body.rotation().into(),
        }
    }
}

impl From<BodyPlacement> for cairn_body_pose {
    fn from(placement: BodyPlacement) -> Self {
        Self {
            body: placement.body.into(),
            user_data: placement.user_data,
            position: placement.position.into(),
            rotation: placement.rotation.into(),
        }
    }
}

/// Writes the present poses of all bodies, in a fixed order: those of a body that is not destroyed keep their order.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_get_poses(
    world: *const cairn_world,
    buffer: *mut cairn_body_pose,
    capacity: usize,
    count: *mut usize,
) -> cairn_result {
    call(|| {
        read(world, |world| {
            fill(
                world.bodies().map(cairn_body_pose::from),
                buffer,
                capacity,
                count,
            )
        })
    })
}

/// Writes the poses of the bodies that the last step simulated, at a `share` of that step: 0 is its start, 1 its end. For
/// sprites: bodies that stopped in the step are included.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_get_placements(
    world: *const cairn_world,
    share: f32,
    buffer: *mut cairn_body_pose,
    capacity: usize,
    count: *mut usize,
) -> cairn_result {
    call(|| {
        let share = number(share, "share")?;
        read(world, |world| {
            let placements = world.placements(share).map(cairn_body_pose::from);
            fill(placements, buffer, capacity, count)
        })
    })
}

/// Writes the present poses of `body_count` bodies, in the order of `bodies`, to as many places at `poses`.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_get_poses_of(
    world: *const cairn_world,
    bodies: *const cairn_body_id,
    body_count: usize,
    poses: *mut cairn_body_pose,
) -> cairn_result {
    call(|| {
        let bodies = array(bodies, body_count, "bodies")?;
        read(world, |world| {
            let found: Result<Vec<_>, Failure> =
                bodies.iter().map(|&body| find(world, body)).collect();
            let found = found?.into_iter().map(cairn_body_pose::from);
            fill(found, poses, body_count, &mut 0)
        })
    })
}

/// Pose and velocity of a body.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_body_motion {
    /// The body.
    pub body: cairn_body_id,
    /// Origin of the body's frame in the world [m].
    pub position: cairn_position,
    /// Rotation.
    pub rotation: cairn_rotation,
    /// Velocity of the center of mass [m/s].
    pub velocity: cairn_vec2,
    /// Angular velocity, counter-clockwise [rad/s].
    pub angular_velocity: f32,
    /// No meaning; keeps the size free of gaps.
    pub reserved: u32,
}

impl From<SimulatedBody> for cairn_body_motion {
    fn from(body: SimulatedBody) -> Self {
        Self {
            body: body.body.into(),
            position: body.position.into(),
            rotation: body.rotation.into(),
            velocity: body.velocity.into(),
            angular_velocity: body.angular_velocity,
            reserved: 0,
        }
    }
}

/// Writes the poses and velocities of the bodies that the last step simulated.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_get_motions(
    world: *const cairn_world,
    buffer: *mut cairn_body_motion,
    capacity: usize,
    count: *mut usize,
) -> cairn_result {
    call(|| {
        read(world, |world| {
            let mut bodies = Vec::new();
            world.read_simulated(&mut bodies);
            let motions = bodies.into_iter().map(cairn_body_motion::from);
            fill(motions, buffer, capacity, count)
        })
    })
}

/// Writes the shapes of a body.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_get_shapes(
    world: *const cairn_world,
    body: cairn_body_id,
    buffer: *mut cairn_shape_id,
    capacity: usize,
    count: *mut usize,
) -> cairn_result {
    call(|| {
        read(world, |world| {
            let shapes = find(world, body)?.shapes();
            let ids = shapes.map(|shape| cairn_shape_id::from(shape.id()));
            fill(ids, buffer, capacity, count)
        })
    })
}

/// Writes the joints of a body.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_get_joints(
    world: *const cairn_world,
    body: cairn_body_id,
    buffer: *mut cairn_joint_id,
    capacity: usize,
    count: *mut usize,
) -> cairn_result {
    call(|| {
        read(world, |world| {
            let joints = find(world, body)?.joints();
            let ids = joints.map(|joint| cairn_joint_id::from(joint.id()));
            fill(ids, buffer, capacity, count)
        })
    })
}

/// Writes 1 to `exists` if the id names a body of this world, otherwise 0.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_exists(
    world: *const cairn_world,
    body: cairn_body_id,
    exists: *mut cairn_bool,
) -> cairn_result {
    call(|| {
        read(world, |world| {
            let id: BodyId = body.into();
            put(exists, world.get_body(id).is_some().into(), "exists")
        })
    })
}
