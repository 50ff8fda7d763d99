//! Many bodies in one call: capacity, creation, removal, and reading of poses.

use crate::body::def::BodyDef;
use crate::error::demand;
use crate::id::{BodyId, ShapeId};
use crate::shape::def::ShapeDef;
use crate::world::access::BodyRef;
use crate::world::{World, WorldError};
use crate::world_def::WorldDef;
use cairn2d_geometry::Shape;
use cairn2d_geometry::math::{Rotation, WorldPoint};

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

/// Where a body is, for drawing: see [`World::placements`].
#[derive(Clone, Copy, Debug, PartialEq)]
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

impl World {
    /// Makes an empty world with memory for `capacity`. A world grows beyond it as needed, and no result depends
    /// on it.
    ///
    /// # Panics
    /// If `def` is invalid: see [`WorldDef::validate`].
    #[must_use]
    #[track_caller]
    pub fn with_capacity(def: WorldDef, capacity: Capacity) -> Self {
        let mut world = Self::new(def);
        world.reserve(capacity);
        world
    }

    /// Reserves memory for `additional` objects beside the present ones, in the tables of bodies, shapes,
    /// contacts and joints. The boxes of the broad phase and the memory of the solver grow in the first steps.
    pub fn reserve(&mut self, additional: Capacity) {
        self.bodies.reserve(additional.bodies);
        self.shapes.slots.reserve(additional.shapes);
        self.contacts.reserve(additional.contacts);
        self.joints.reserve(additional.joints);
    }

    /// Creates a body for each definition; returns the ids in order.
    ///
    /// # Panics
    /// If a definition is invalid; [`try_create_bodies`](Self::try_create_bodies) returns the error instead.
    #[track_caller]
    pub fn create_bodies(&mut self, defs: &[BodyDef]) -> Vec<BodyId> {
        demand(self.try_create_bodies(defs), "create the bodies")
    }

    /// Creates a body for each definition; returns the ids in order.
    ///
    /// # Errors
    /// If a definition is invalid: see [`BodyDef::validate`]. The world is then unchanged.
    pub fn try_create_bodies(&mut self, defs: &[BodyDef]) -> Result<Vec<BodyId>, WorldError> {
        for def in defs {
            def.validate()?;
        }
        self.bodies.reserve(defs.len());
        defs.iter().map(|def| self.try_create_body(def)).collect()
    }

    /// Adds one shape to each of several bodies, with the same definition; returns the ids in order.
    ///
    /// ```
    /// use cairn2d_dynamics::{BodyDef, ShapeDef, World};
    /// use cairn2d_geometry::{Polygon, Shape};
    ///
    /// let mut world = World::default();
    /// let row: Vec<BodyDef> = (0..100).map(|i| BodyDef::dynamic().position(i as f32, 0.5)).collect();
    /// let bodies = world.create_bodies(&row);
    /// let crate_: Shape = Polygon::rectangle(0.4, 0.4).unwrap().into();
    /// world.create_shape_on_each(&bodies, &crate_, &ShapeDef::default());
    /// assert_eq!(world.shape_count(), 100);
    /// ```
    ///
    /// # Panics
    /// If a body is stale or `def` is invalid; the bodies before have then got their shapes.
    #[track_caller]
    pub fn create_shape_on_each(
        &mut self,
        bodies: &[BodyId],
        shape: &Shape,
        def: &ShapeDef,
    ) -> Vec<ShapeId> {
        self.shapes.slots.reserve(bodies.len());
        let mut shapes = Vec::with_capacity(bodies.len());
        for &body in bodies {
            shapes.push(self.create_shape(body, shape.clone(), def));
        }
        shapes
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
    /// asleep in the step are included, so that their sprites arrive. Bodies that were teleported without being
    /// simulated are not.
    ///
    /// ```
    /// use cairn2d_dynamics::{BodyDef, ShapeDef, World};
    /// use cairn2d_geometry::Circle;
    ///
    /// let mut world = World::default();
    /// let ball = world.create_body(BodyDef::dynamic().velocity(6.0, 0.0));
    /// world.create_shape(ball, Circle::of_radius(0.5).unwrap(), ShapeDef::default());
    /// world.step(1.0 / 60.0);
    ///
    /// // A third of the way from the previous pose to the present one.
    /// let drawn: Vec<_> = world.placements(1.0 / 3.0).collect();
    /// assert_eq!(drawn[0].body, ball);
    /// assert!((drawn[0].position.x - 0.1 / 3.0).abs() < 1.0e-5);
    /// ```
    pub fn placements(&self, share: f32) -> impl Iterator<Item = BodyPlacement> {
        let simulated = self.scratch.awake.iter().copied();
        let existing = simulated.filter(|&slot| self.bodies.slots.get(slot).is_some());
        existing.map(move |slot| {
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

    /// Returns the view of the body in `slot`, which must be in use.
    pub(crate) fn body_at(&self, slot: u32) -> BodyRef<'_> {
        BodyRef { world: self, slot }
    }
}
