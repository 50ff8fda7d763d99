//! The hot records of a body: parallel arrays indexed by body slot.
//!
//! The slot of a body never changes. Records do not move in memory when a body falls asleep or wakes: the awake
//! bodies are a bit set, walked in order of slot. The alternative is dense arrays for each set of bodies with
//! swap-removal, as in Box2D 3. These save an indirection in a world where most bodies sleep, but each change has to
//! repair indices in every contact and joint.

use super::grid;
use crate::bounded::bounded;
use cairn2d_geometry::math::{
    PI, Point, Pose, Rotation, Vec2, WorldPoint, cross_scalar, rotation_from_parts, sin_cos,
};
use cairn2d_geometry::{LoadError, Persist, Reader, state_record};

/// The record that the solver reads and writes for each moving body: half a cache line.
///
/// Every slot has one; the solver uses only those of awake kinematic and dynamic bodies. A constraint on a
/// static body uses a constant identity state instead, so that no two threads write the line of the ground.
/// Written by integration and every constraint, several times a substep; read by them and by finalization.
///
/// Position and rotation are deltas since the start of the step: small numbers, exact in `f32` at any
/// position of the body. The rotation is stored as cosine and sine, so that constraints rotate their arms
/// with four multiplications.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct BodyState {
    /// Velocity of the center of mass [m/s]. 8 bytes.
    pub(crate) velocity: Vec2,
    /// Angular velocity [rad/s]. 4 bytes.
    pub(crate) angular_velocity: f32,
    /// [`state_flags`]. 4 bytes.
    pub(crate) flags: u32,
    /// Displacement of the center of mass since the start of the step [m]. 8 bytes.
    pub(crate) delta_position: Vec2,
    /// Rotation since the start of the step: cosine, sine. 8 bytes.
    pub(crate) delta_rotation: Vec2,
}

state_record!(BodyState {
    velocity,
    angular_velocity,
    flags,
    delta_position,
    delta_rotation,
});

const _: () = assert!(size_of::<BodyState>() == 32);

/// Bits of [`BodyState::flags`].
pub(crate) mod state_flags {
    /// The body does not move along x.
    pub(crate) const LOCK_X: u32 = 1;
    /// The body does not move along y.
    pub(crate) const LOCK_Y: u32 = 2;
    /// The body does not rotate.
    pub(crate) const LOCK_ROTATION: u32 = 4;
    /// The rotation in a step is not capped.
    pub(crate) const FAST_ROTATION: u32 = 8;
    /// No touching contact and no joint constrains the body in this step: it is integrated in closed form,
    /// exact for a constant force.
    pub(crate) const UNCONSTRAINED: u32 = 16;
    /// The body is dynamic (clear: kinematic or static).
    pub(crate) const DYNAMIC: u32 = 32;
    /// The direct solver moves the body in this step: the substeps skip it.
    pub(crate) const DIRECT: u32 = 64;
    /// The body is dynamic, and only one or two contacts with static bodies constrain it in this step.
    pub(crate) const GROUNDED: u32 = 128;
}

impl BodyState {
    /// At rest where the step began: the state of static bodies.
    pub(crate) const IDENTITY: Self = Self {
        velocity: Vec2::new(0.0, 0.0),
        angular_velocity: 0.0,
        flags: 0,
        delta_position: Vec2::new(0.0, 0.0),
        delta_rotation: Vec2::new(1.0, 0.0),
    };

    /// Returns `true` if velocity and angular velocity are finite.
    pub(crate) fn has_finite_velocity(&self) -> bool {
        self.velocity.x.is_finite()
            && self.velocity.y.is_finite()
            && self.angular_velocity.is_finite()
    }

    /// Returns the velocity of the material point at `arm` from the center of mass [m/s].
    #[inline(always)]
    pub(crate) fn velocity_at(&self, arm: Vec2) -> Vec2 {
        self.velocity + cross_scalar(self.angular_velocity, &arm)
    }

    /// Moves the body for `h` \[s\] with the velocities of `rates`, except along locked axes.
    pub(crate) fn advance(&mut self, rates: &Self, h: f32) {
        let free = |lock: u32| if self.flags & lock == 0 { h } else { 0.0 };
        let (free_x, free_y) = (free(state_flags::LOCK_X), free(state_flags::LOCK_Y));
        self.delta_position.x += free_x * rates.velocity.x;
        self.delta_position.y += free_y * rates.velocity.y;
        let (s, c) = sin_cos(h * rates.angular_velocity);
        let (x, y) = (self.delta_rotation.x, self.delta_rotation.y);
        self.delta_rotation = Vec2::new(c * x - s * y, s * x + c * y);
    }

    /// Returns an upper bound of the rotation in the step [rad].
    pub(crate) fn rotation_bound(&self) -> f32 {
        angle_bound(self.delta_rotation)
    }

    /// Returns `true` if the body has rotated in the step.
    pub(crate) fn has_rotated(&self) -> bool {
        self.delta_rotation != Self::IDENTITY.delta_rotation
    }

    /// Returns the present pose of a body that is at `pose` at the start of the step.
    pub(crate) fn end_of(&self, pose: &BodyPose) -> BodyPose {
        let (c, s) = (self.delta_rotation.x, self.delta_rotation.y);
        let (re, im) = (pose.rotation.x, pose.rotation.y);
        BodyPose {
            center: grid::moved(pose.center, self.delta_position),
            rotation: Vec2::new(c * re - s * im, s * re + c * im),
            local_center: pose.local_center,
        }
    }

    /// Returns the pose at the start of the step of a body that is at `pose` now.
    pub(crate) fn start_of(&self, pose: &BodyPose) -> BodyPose {
        let (c, s) = (self.delta_rotation.x, self.delta_rotation.y);
        let (re, im) = (pose.rotation.x, pose.rotation.y);
        BodyPose {
            center: grid::moved(pose.center, -self.delta_position),
            rotation: Vec2::new(c * re + s * im, c * im - s * re),
            local_center: pose.local_center,
        }
    }
}

/// Returns an upper bound of the angle of a rotation given as (cosine, sine) [rad].
pub(crate) fn angle_bound(rotation: Vec2) -> f32 {
    // Up to a sixth of a turn, the angle is below 1.21 times its sine.
    if rotation.x >= 0.5 {
        1.21 * rotation.y.abs()
    } else {
        PI
    }
}

/// The pose of a body: written by finalization once a step, read by the narrow phase, the preparation of
/// constraints and everything outside the solver. 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct BodyPose {
    /// Center of mass in the world [m]. 16 bytes.
    pub(crate) center: WorldPoint,
    /// Rotation of the body: cosine, sine. 8 bytes.
    pub(crate) rotation: Vec2,
    /// Center of mass in the body's frame [m]. 8 bytes.
    pub(crate) local_center: Vec2,
}

state_record!(BodyPose {
    center,
    rotation,
    local_center,
});

const _: () = assert!(size_of::<BodyPose>() == 32);

impl BodyPose {
    /// At the origin of the world, not rotated.
    pub(crate) const IDENTITY: Self = Self {
        center: WorldPoint::ORIGIN,
        rotation: Vec2::new(1.0, 0.0),
        local_center: Vec2::new(0.0, 0.0),
    };

    /// Returns the rotation as nalgebra's type.
    #[inline]
    pub(crate) fn rotation(&self) -> Rotation {
        rotation_from_parts(self.rotation.x, self.rotation.y)
    }

    /// Returns `v`, given in the body's frame, in the world's.
    #[inline]
    pub(crate) fn rotate(&self, v: Vec2) -> Vec2 {
        let (c, s) = (self.rotation.x, self.rotation.y);
        Vec2::new(c * v.x - s * v.y, s * v.x + c * v.y)
    }

    /// Returns `v`, given in the world's frame, in the body's.
    #[inline]
    pub(crate) fn unrotate(&self, v: Vec2) -> Vec2 {
        let (c, s) = (self.rotation.x, self.rotation.y);
        Vec2::new(c * v.x + s * v.y, c * v.y - s * v.x)
    }

    /// Returns the origin of the body's frame in the world.
    #[inline]
    pub(crate) fn origin(&self) -> WorldPoint {
        self.center - self.rotate(self.local_center)
    }

    /// Returns the pose of the body's frame relative to `base`, a point near it.
    #[inline]
    pub(crate) fn relative_to(&self, base: WorldPoint) -> Pose {
        let origin = (self.center - base) - self.rotate(self.local_center);
        Pose::from_parts(origin.into(), self.rotation())
    }

    /// Returns the pose of `other`'s frame in this body's frame.
    #[inline]
    pub(crate) fn pose_of(&self, other: &Self) -> Pose {
        let between = (other.center - self.center) - other.rotate(other.local_center);
        let translation = self.unrotate(between) + self.local_center;
        Pose::from_parts(
            translation.into(),
            self.rotation().inverse() * other.rotation(),
        )
    }

    /// Returns where a point of the body is in the world.
    #[inline]
    pub(crate) fn to_world(self, local: Point) -> WorldPoint {
        self.center + self.rotate(local.coords - self.local_center)
    }

    /// Returns a point of the world in the body's frame.
    #[inline]
    pub(crate) fn to_local(self, world: WorldPoint) -> Point {
        Point::from(self.unrotate(world - self.center) + self.local_center)
    }
}

/// Inverse mass and inertia: read by integration and the preparation of constraints. 8 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct BodyMass {
    /// [1/kg]; 0 if the body is not dynamic.
    pub(crate) inv_mass: f32,
    /// About the center of mass [1/(kg m^2)]; 0 if the body is not dynamic or its rotation is locked.
    pub(crate) inv_inertia: f32,
}

state_record!(BodyMass {
    inv_mass,
    inv_inertia,
});

/// Forces, damping and speed caps: read by integration once a step. 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub(crate) struct BodyMotion {
    /// Sum of the user's forces for the coming step, at the center of mass [N]. 8 bytes.
    pub(crate) force: Vec2,
    /// Sum of the user's torques for the coming step [N m]. 4 bytes.
    pub(crate) torque: f32,
    /// Factor on the world's gravity, 0 for a body without mass. 4 bytes.
    pub(crate) gravity_scale: f32,
    /// Decay rate of the velocity [1/s]. 4 bytes.
    pub(crate) linear_damping: f32,
    /// Decay rate of the angular velocity [1/s]. 4 bytes.
    pub(crate) angular_damping: f32,
    /// Speed cap [m/s], applied before constraints act in a substep and at the end of a step. 4 bytes.
    pub(crate) max_linear_speed: f32,
    /// Cap of the angular speed [rad/s]; infinite by default. 4 bytes.
    pub(crate) max_angular_speed: f32,
}

// Any force is valid: a sum of the user's forces may be infinite or no number, until the step freezes the body.
state_record!(BodyMotion {
    force: by(|reader| read_bits(reader).map(Vec2::from)),
    torque: by(|reader| read_bits(reader).map(|[torque]: [f32; 1]| torque)),
    gravity_scale,
    linear_damping,
    angular_damping,
    max_linear_speed,
    max_angular_speed,
});

/// Reads numbers of which any is valid.
fn read_bits<const N: usize>(reader: &mut Reader<'_>) -> Result<[f32; N], LoadError>
where
    [u32; N]: Persist,
{
    Ok(reader.read::<[u32; N]>()?.map(f32::from_bits))
}

const _: () = assert!(size_of::<BodyMotion>() == 32);

impl BodyState {
    /// Reduces the velocities to the caps; slower ones keep their bits.
    pub(crate) fn cap_speeds(&mut self, motion: &BodyMotion) {
        if self.velocity.norm() > motion.max_linear_speed {
            // Scaled first: the square of a large speed overflows.
            let scaled = self.velocity / self.velocity.amax();
            self.velocity = scaled * (motion.max_linear_speed / scaled.norm());
        }
        let cap = motion.max_angular_speed;
        self.angular_velocity = bounded(self.angular_velocity, cap);
    }
}

impl BodyMotion {
    /// The record of an empty slot.
    pub(crate) const NONE: Self = Self {
        force: Vec2::new(0.0, 0.0),
        torque: 0.0,
        gravity_scale: 0.0,
        linear_damping: 0.0,
        angular_damping: 0.0,
        max_linear_speed: f32::INFINITY,
        max_angular_speed: f32::INFINITY,
    };

    /// Clears the forces collected for the next step.
    pub(crate) fn forget_forces(&mut self) {
        self.force = Vec2::zeros();
        self.torque = 0.0;
    }
}
