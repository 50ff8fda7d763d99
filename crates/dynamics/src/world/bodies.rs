//! Creating and destroying bodies.

use crate::body::def::{BodyDef, BodyKind, InitialState, Locks};
use crate::body::grid;
use crate::body::shape_sum::ShapeSum;
use crate::body::state::{BodyMotion, BodyPose, BodyState, state_flags};
use crate::body::table::HotRecords;
use crate::body::{Body, BodyTrack};
use crate::error::demand;
use crate::id::BodyId;
use crate::island::set::NO_ISLAND;
use crate::shape::def::ShapeDef;
use crate::solver::Bouncing;
use crate::world::mass::check_mass;
use crate::world::record::call::WorldCall;
use crate::world::warnings::is_large_angle;
use crate::world::{World, WorldError};
use cairn2d_geometry::math::{Vec2, sin_cos};
use cairn2d_geometry::{MassData, Shape};
use core::borrow::Borrow;
use smallvec::SmallVec;

/// # Creating and destroying bodies
impl World {
    /// Adds a body; it has no mass and touches nothing until it gets shapes. The definition may be passed by
    /// value or by reference.
    ///
    /// # Panics
    /// If `def` is invalid; [`try_create_body`](Self::try_create_body) returns the error instead.
    #[doc(alias("b2CreateBody", "RigidBodySet", "insert"))]
    #[doc(alias("add_body", "CreateBody", "Instantiate"))]
    #[track_caller]
    pub fn create_body(&mut self, def: impl Borrow<BodyDef>) -> BodyId {
        demand(self.try_create_body(def), "create the body")
    }

    /// Adds a body; it has no mass and touches nothing until it gets shapes.
    ///
    /// # Errors
    /// If `def` is invalid: see [`BodyDef::validate`]. The world is then unchanged.
    pub fn try_create_body(&mut self, def: impl Borrow<BodyDef>) -> Result<BodyId, WorldError> {
        let def = def.borrow();
        def.validate()?;
        self.record_own(|| WorldCall::CreateBody {
            def: Box::new(def.clone()),
        });
        let id = self.bodies.insert(cold_record(def), self.hot_records(def));
        if is_large_angle(def.angle) {
            self.bodies.large_angles.insert(id.index());
        }
        if def.initial_state != InitialState::Disabled {
            self.attach(
                id.index(),
                def.initial_state == InitialState::Awake || !def.can_sleep,
            );
        }
        Ok(id)
    }

    /// Adds many bodies, each with its shapes, all or none, and returns their ids in order. Records are not moved as their
    /// tables grow, and the broad phase sorts all boxes at once.
    ///
    /// The bodies move as if created one by one; the [`state_hash`](Self::state_hash), which depends on the order of
    /// boxes in the broad phase, may differ.
    ///
    /// ```
    /// use cairn2d_dynamics::{BodyDef, ShapeDef, World};
    /// use cairn2d_geometry::Polygon;
    ///
    /// let mut world = World::default();
    /// let tile = Polygon::rectangle(0.5, 0.5);
    /// let tiles = (0..100).map(|i| {
    ///     let body = BodyDef::static_().position(i as f32, 0.0);
    ///     (body, [(tile.clone(), ShapeDef::default())])
    /// });
    /// assert_eq!(world.create_bodies(tiles).len(), 100);
    /// ```
    ///
    /// # Panics
    /// If a definition is invalid; [`try_create_bodies`](Self::try_create_bodies) returns the error instead.
    #[track_caller]
    pub fn create_bodies<S: Into<Shape>, I: IntoIterator<Item = (S, ShapeDef)>>(
        &mut self,
        bodies: impl IntoIterator<Item = (BodyDef, I)>,
    ) -> Vec<BodyId> {
        demand(self.try_create_bodies(bodies), "create the bodies")
    }

    /// Like [`create_bodies`](Self::create_bodies); returns errors instead of panicking.
    ///
    /// # Errors
    /// If a definition is invalid, or a mass would be above [`MAX_MASS`](crate::tuning::MAX_MASS). The world is then
    /// unchanged; so it is if an iterator panics.
    pub fn try_create_bodies<S: Into<Shape>, I: IntoIterator<Item = (S, ShapeDef)>>(
        &mut self,
        bodies: impl IntoIterator<Item = (BodyDef, I)>,
    ) -> Result<Vec<BodyId>, WorldError> {
        // All code of the user runs, and all checks are made, before the first change: bodies that are created and
        // destroyed again would change the ids of later ones.
        let bodies: Vec<(BodyDef, ShapeList<ShapeDef>)> = bodies
            .into_iter()
            .map(|(def, shapes)| (def, list_shapes(shapes)))
            .collect();
        for (def, shapes) in &bodies {
            check_spawn(def, shapes)?;
        }
        self.bodies.reserve(bodies.len());
        let shape_count = bodies.iter().map(|(_, shapes)| shapes.len()).sum();
        self.shapes.slots.reserve(shape_count);
        // Recorded besides the bodies: the broad phase sorts the boxes of a batch at its end.
        self.record_own(|| WorldCall::BeginBatch {});
        self.broad.begin_batch();
        let bodies = bodies.into_iter();
        let created = bodies.map(|(def, shapes)| self.create_checked(&def, shapes));
        let created = created.collect();
        self.record_own(|| WorldCall::EndBatch {});
        self.broad.end_batch();
        created
    }

    /// Adds a body with shapes, each with its definition.
    ///
    /// ```
    /// use cairn2d_dynamics::{BodyDef, ShapeDef, World};
    /// use cairn2d_geometry::math::point;
    /// use cairn2d_geometry::{Circle, Polygon, Shape};
    ///
    /// let mut world = World::default();
    /// let crate_ = world.spawn(BodyDef::dynamic(), [(Polygon::rectangle(0.5, 0.5), ShapeDef::default())]);
    /// let parts: [(Shape, ShapeDef); 2] = [
    ///     (Circle::new(point(-1.0, 0.0), 0.5).into(), ShapeDef::default()),
    ///     (Circle::new(point(1.0, 0.0), 0.5).into(), ShapeDef::default().density(2.0)),
    /// ];
    /// let dumbbell = world.spawn(BodyDef::dynamic().position(4.0, 0.0), parts);
    /// assert_eq!(world.body(crate_).shapes().count(), 1);
    /// assert_eq!(world.body(dumbbell).shapes().count(), 2);
    /// ```
    ///
    /// # Panics
    /// If a definition is invalid; [`try_spawn`](Self::try_spawn) returns the error instead.
    #[doc(alias = "add")]
    #[track_caller]
    pub fn spawn<S: Into<Shape>, D: Borrow<ShapeDef>>(
        &mut self,
        body: impl Borrow<BodyDef>,
        shapes: impl IntoIterator<Item = (S, D)>,
    ) -> BodyId {
        demand(self.try_spawn(body, shapes), "create the body")
    }

    /// Like [`spawn`](Self::spawn), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If a definition is invalid, or the mass would be above [`MAX_MASS`](crate::tuning::MAX_MASS). The world is then
    /// unchanged.
    pub fn try_spawn<S: Into<Shape>, D: Borrow<ShapeDef>>(
        &mut self,
        body: impl Borrow<BodyDef>,
        shapes: impl IntoIterator<Item = (S, D)>,
    ) -> Result<BodyId, WorldError> {
        let shapes = list_shapes(shapes);
        check_spawn(body.borrow(), &shapes)?;
        self.create_checked(body.borrow(), shapes)
    }

    /// Adds a body with shapes that passed [`check_spawn`].
    fn create_checked<D: Borrow<ShapeDef>>(
        &mut self,
        body: &BodyDef,
        shapes: ShapeList<D>,
    ) -> Result<BodyId, WorldError> {
        let id = self.try_create_body(body)?;
        for (shape, def) in shapes {
            self.try_create_shape(id, shape, def)?;
        }
        Ok(id)
    }

    /// Returns the hot records of a new body. Static bodies have no velocity.
    fn hot_records(&self, def: &BodyDef) -> HotRecords {
        let (sin, cos) = sin_cos(def.angle);
        let (velocity, angular_velocity) = match def.kind {
            BodyKind::Static => (Vec2::zeros(), 0.0),
            BodyKind::Kinematic | BodyKind::Dynamic => (def.velocity, def.angular_velocity),
        };
        HotRecords {
            state: BodyState {
                velocity,
                angular_velocity,
                flags: state_flags_of(def),
                ..BodyState::IDENTITY
            },
            pose: BodyPose {
                center: grid::nearest(def.position),
                rotation: Vec2::new(cos, sin),
                local_center: Vec2::zeros(),
            },
            motion: BodyMotion {
                linear_damping: def.linear_damping,
                angular_damping: def.angular_damping,
                max_linear_speed: def.speed_cap(&self.def.tuning),
                max_angular_speed: def.max_angular_speed,
                ..BodyMotion::NONE
            },
            track: BodyTrack {
                sleep_speed: if def.can_sleep { def.sleep_speed } else { -1.0 },
                ..BodyTrack::EMPTY
            },
        }
    }

    /// Removes a body with its shapes, contacts and joints, and wakes the bodies that touched it.
    ///
    /// Returns `true` if the body existed: a stale or foreign id changes nothing.
    #[doc(alias("b2DestroyBody", "remove", "DestroyBody"))]
    #[doc(alias("remove_body", "queue_free"))]
    pub fn destroy_body(&mut self, id: BodyId) -> bool {
        let Some(slot) = self.bodies.slots.find(id) else {
            return false;
        };
        self.record_own(|| WorldCall::DestroyBody { body: id });
        while let Some(&joint) = self.bodies.slots[slot].joints.last() {
            self.wake_joint(joint);
            self.take_joint(joint);
        }
        self.ignores.forget(slot);
        self.outside.remove(slot);
        if !self.bodies.slots[slot].disabled {
            self.detach(slot);
        }
        for shape in core::mem::take(&mut self.bodies.slots[slot].shapes) {
            self.take_shape(shape);
        }
        self.bodies.remove(slot);
        self.scratch.destroyed.insert(slot);
        true
    }

    /// Makes a world without dynamic bodies that is about to get one behave like a world that never had any: nothing
    /// that earlier steps left behind may affect the bodies that come next. The tables do so by themselves, see
    /// [`FreeSlots`](crate::free_slots::FreeSlots). The count of steps stays, since only the user reads it.
    pub(crate) fn forget_history(&mut self) {
        self.history.begin_anew();
        self.depenetration.clear();
        self.recent_impacts.clear();
        self.bouncing = Bouncing::Never;
    }

    /// Number of bodies.
    #[must_use]
    pub fn body_count(&self) -> usize {
        self.bodies.slots.len()
    }
}

/// Shapes of a new body, with their definitions.
type ShapeList<D> = SmallVec<[(Shape, D); 1]>;

fn list_shapes<S: Into<Shape>, D>(shapes: impl IntoIterator<Item = (S, D)>) -> ShapeList<D> {
    let shapes = shapes.into_iter();
    shapes.map(|(shape, def)| (shape.into(), def)).collect()
}

/// Checks all that creation of a body with shapes can refuse.
fn check_spawn<D: Borrow<ShapeDef>>(
    body: &BodyDef,
    shapes: &[(Shape, D)],
) -> Result<(), WorldError> {
    body.validate()?;
    let mut sum = ShapeSum::default();
    for (shape, def) in shapes {
        let def = def.borrow();
        def.validate()?;
        if def.density > 0.0 {
            sum.add(&shape.mass(def.density));
            check_mass(&sum.total())?;
        }
    }
    Ok(())
}

fn cold_record(def: &BodyDef) -> Body {
    Body {
        kind: def.kind,
        disabled: true,
        can_sleep: def.can_sleep,
        bullet: def.bullet,
        continuous: def.continuous,
        locks: def.locks,
        has_own_speed_cap: def.max_linear_speed.is_some(),
        user_data: def.user_data,
        mass_data: MassData::ZERO,
        shape_sum: ShapeSum::default(),
        mass_override: None,
        gravity_scale: def.gravity_scale,
        shapes: SmallVec::new(),
        contacts: SmallVec::new(),
        static_touches: 0,
        joints: SmallVec::new(),
        island: NO_ISLAND,
        island_place: 0,
    }
}

fn state_flags_of(def: &BodyDef) -> u32 {
    let mut flags = lock_flags(def.locks);
    if def.kind == BodyKind::Dynamic {
        flags |= state_flags::DYNAMIC;
    }
    if def.fast_rotation {
        flags |= state_flags::FAST_ROTATION;
    }
    flags
}

/// Returns the state's flags for `locks`.
pub(crate) fn lock_flags(locks: Locks) -> u32 {
    let bit = |locked: bool, flag: u32| if locked { flag } else { 0 };
    bit(locks.x, state_flags::LOCK_X)
        | bit(locks.y, state_flags::LOCK_Y)
        | bit(locks.rotation, state_flags::LOCK_ROTATION)
}
