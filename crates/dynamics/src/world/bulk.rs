//! Many bodies in one call: capacity, removal, and reading of poses.

use crate::error::demand;
use crate::id::BodyId;
use crate::world::access::BodyRef;
use crate::world::{World, WorldError};
use crate::world_def::WorldDef;
use cairn2d_geometry::math::{Rotation, Vec2, WorldPoint};

/// Numbers of objects for which a world reserves memory: see [`World::with_capacity`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capacity {
    /// Number of bodies.
    pub bodies: usize,
    /// Number of shapes.
    pub shapes: usize,
    /// Number of pairs of shapes that are near each other.
    pub contacts: usize,
    /// Number of joints.
    pub joints: usize,
}

/// Pose of a body for drawing: see [`World::placements`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BodyPlacement {
    /// The body.
    pub body: BodyId,
    /// Origin of the body's frame in the world \[m\].
    pub position: WorldPoint,
    /// Rotation of the body.
    pub rotation: Rotation,
    /// The number that the user attached to the body.
    pub user_data: u64,
}

/// Pose and velocity of a body after a step: see [`World::read_simulated`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimulatedBody {
    /// The body.
    pub body: BodyId,
    /// Origin of the body's frame in the world \[m\].
    pub position: WorldPoint,
    /// Rotation of the body.
    pub rotation: Rotation,
    /// Velocity of the center of mass [m/s].
    pub velocity: Vec2,
    /// Angular velocity, counter-clockwise [rad/s].
    pub angular_velocity: f32,
}

impl World {
    /// Makes an empty world with memory for `capacity`. A world grows beyond it as needed, and no result depends
    /// on it.
    ///
    /// # Panics
    /// If `def` is invalid; [`try_with_capacity`](Self::try_with_capacity) returns the error instead.
    #[must_use]
    #[track_caller]
    pub fn with_capacity(def: WorldDef, capacity: Capacity) -> Self {
        demand(Self::try_with_capacity(def, capacity), "make the world")
    }

    /// Like [`with_capacity`](Self::with_capacity), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `def` is invalid: see [`WorldDef::validate`].
    pub fn try_with_capacity(def: WorldDef, capacity: Capacity) -> Result<Self, WorldError> {
        let mut world = Self::try_new(def)?;
        world.reserve(capacity);
        Ok(world)
    }

    /// Reserves memory for `additional` objects in addition to the existing ones, in the tables of bodies, shapes,
    /// contacts and joints. The boxes of the broad phase and the memory of the solver grow in the first steps.
    pub fn reserve(&mut self, additional: Capacity) {
        self.bodies.reserve(additional.bodies);
        self.shapes.slots.reserve(additional.shapes);
        self.contacts.reserve(additional.contacts);
        self.joints.reserve(additional.joints);
    }

    /// Removes all bodies with their shapes, contacts and joints, in order of slot. Settings, hooks and memory stay,
    /// ids of removed objects are stale, and the next step reports the contacts that ended.
    pub fn clear(&mut self) {
        let bodies: Vec<BodyId> = self.bodies().map(|body| body.id()).collect();
        for body in bodies {
            self.destroy_body(body);
        }
    }

    /// Writes the poses of several bodies into `poses`, in the order of `bodies`.
    ///
    /// # Panics
    /// If the slices differ in length, or a body is stale or foreign.
    #[track_caller]
    pub fn read_poses(&self, bodies: &[BodyId], poses: &mut [(WorldPoint, Rotation)]) {
        let (count, room) = (bodies.len(), poses.len());
        assert!(count == room, "{count} bodies do not fit {room} poses");
        for (pose, &body) in poses.iter_mut().zip(bodies) {
            let body = self.body(body);
            *pose = (body.position_exact(), body.rotation());
        }
    }

    /// Iterates over the bodies that the last step simulated, in order of slot, with their poses at a `share` of
    /// that step, as [`BodyRef::pose_within_step`] interpolates them. A share of 1 is the present pose.
    ///
    /// For a renderer that keeps a sprite for each body and updates only these: bodies that stopped or fell
    /// asleep in the step are included, so that their sprites arrive. Bodies that were created since the step, or
    /// teleported without being simulated, are not. A world that was just loaded lists its awake bodies.
    ///
    /// ```
    /// use cairn2d_dynamics::{BodyDef, ShapeDef, World};
    /// use cairn2d_geometry::Circle;
    ///
    /// let mut world = World::default();
    /// let ball = world.create_body(BodyDef::dynamic().velocity(6.0, 0.0));
    /// world.create_shape(ball, Circle::of_radius(0.5), ShapeDef::default());
    /// world.step(1.0 / 60.0);
    ///
    /// // A third of the way from the previous pose to the present one.
    /// let drawn: Vec<_> = world.placements(1.0 / 3.0).collect();
    /// assert_eq!(drawn[0].body, ball);
    /// assert!((drawn[0].position.x - 0.1 / 3.0).abs() < 1.0e-5);
    /// ```
    pub fn placements(&self, share: f32) -> impl Iterator<Item = BodyPlacement> {
        self.simulated_slots().map(move |slot| {
            let body = self.body_at(slot);
            let (position, rotation) = body.pose_within_step(share);
            BodyPlacement {
                body: body.id(),
                position,
                rotation,
                user_data: body.user_data(),
            }
        })
    }

    /// Replaces the contents of `bodies` with the present poses and velocities of the bodies of
    /// [`placements`](Self::placements), in order of slot.
    ///
    /// For an engine that copies them into components of its own after each step: one call reads all, and the
    /// memory is reused.
    pub fn read_simulated(&self, bodies: &mut Vec<SimulatedBody>) {
        bodies.clear();
        bodies.reserve(self.scratch.awake.len());
        for slot in self.simulated_slots() {
            let body = self.body_at(slot);
            bodies.push(SimulatedBody {
                body: body.id(),
                position: body.position_exact(),
                rotation: body.rotation(),
                velocity: body.velocity(),
                angular_velocity: body.angular_velocity(),
            });
        }
    }

    /// Returns the slots of the bodies that the last step simulated, without bodies that were destroyed since.
    pub(crate) fn simulated_slots(&self) -> impl Iterator<Item = u32> {
        let simulated = self.scratch.awake.iter().copied();
        simulated.filter(|&slot| !self.scratch.destroyed.contains(slot))
    }

    /// Returns the view of the body in `slot`, which must be in use.
    pub(crate) fn body_at(&self, slot: u32) -> BodyRef<'_> {
        BodyRef { world: self, slot }
    }
}
