//! Scenes as data: a world as the list of its definitions.

use crate::body::def::BodyDef;
use crate::id::{BodyId, Id, IdKind, JointId};
use crate::joint::JointDef;
use crate::shape::def::ShapeDef;
use crate::world::{World, WorldError};
use crate::world_def::WorldDef;
use cairn2d_geometry::Shape;
use thiserror::Error;

/// The definitions of all objects of a world: plain data, which the feature `serde` reads and writes.
///
/// Joints name bodies and gears name joints by their places in the lists: `BodyId::from_bits(2)` is the third body.
///
/// ```
/// use cairn2d_dynamics::{BodyDef, BodyId, DistanceJointDef, SceneBody, SceneDef, SceneShape, World};
/// use cairn2d_geometry::Circle;
///
/// let ball = |x: f32| SceneBody {
///     def: BodyDef::dynamic().position(x, 0.0),
///     shapes: vec![SceneShape::new(Circle::of_radius(0.5))],
/// };
/// let rod = DistanceJointDef::new(BodyId::from_bits(0), BodyId::from_bits(1));
/// let scene = SceneDef {
///     bodies: vec![ball(0.0), ball(2.0)],
///     joints: vec![rod.into()],
///     ..SceneDef::default()
/// };
/// let world = World::from_scene(&scene).unwrap();
/// assert_eq!((world.bodies().count(), world.joints().count()), (2, 1));
/// ```
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct SceneDef {
    /// Settings of the world.
    pub world: WorldDef,
    /// Bodies, in order of creation.
    pub bodies: Vec<SceneBody>,
    /// Joints, in order of creation.
    pub joints: Vec<JointDef>,
}

/// A body of a scene.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct SceneBody {
    /// The body.
    pub def: BodyDef,
    /// Its shapes, in order of creation.
    pub shapes: Vec<SceneShape>,
}

/// A shape of a scene.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct SceneShape {
    /// The geometry.
    pub shape: Shape,
    /// All else.
    #[cfg_attr(feature = "serde", serde(default))]
    pub def: ShapeDef,
}

impl SceneShape {
    /// Returns a shape with the default properties.
    #[must_use]
    pub fn new(shape: impl Into<Shape>) -> Self {
        Self {
            shape: shape.into(),
            def: ShapeDef::default(),
        }
    }
}

/// A part of a scene that no world can have.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The settings of the world.
    #[error("the world: {0}")]
    World(WorldError),
    /// A body or one of its shapes.
    #[error("body {body}: {error}")]
    Body {
        /// Place of the body in the list.
        body: usize,
        /// The error of the definition.
        error: WorldError,
    },
    /// A joint.
    #[error("joint {joint}: {error}")]
    Joint {
        /// Place of the joint in the list.
        joint: usize,
        /// The error of the definition.
        error: WorldError,
    },
}

impl World {
    /// Makes a world of the definitions of a scene.
    ///
    /// The body at place `i` of the list has the index `i` in its id; so do joints. Worlds that are made of equal scenes
    /// have equal [hashes](Self::state_hash).
    ///
    /// # Errors
    /// Names the first definition that is invalid, or a joint with a body or joint that is not in the lists.
    pub fn from_scene(scene: &SceneDef) -> Result<Self, SceneError> {
        let mut world = Self::try_new(scene.world.clone()).map_err(SceneError::World)?;
        for (body, def) in scene.bodies.iter().enumerate() {
            let made = world.create_scene_body(def);
            made.map_err(|error| SceneError::Body { body, error })?;
        }
        for (joint, def) in scene.joints.iter().enumerate() {
            let made = world.try_create_joint(world.with_own_ids(*def));
            made.map_err(|error| SceneError::Joint { joint, error })?;
        }
        Ok(world)
    }

    fn create_scene_body(&mut self, body: &SceneBody) -> Result<(), WorldError> {
        let id = self.try_create_body(&body.def)?;
        for SceneShape { shape, def } in &body.shapes {
            self.try_create_shape(id, shape.clone(), def)?;
        }
        Ok(())
    }

    /// Returns a joint definition of a scene with ids of this new world.
    fn with_own_ids(&self, mut def: JointDef) -> JointDef {
        let body = |place: BodyId| own_id(place, self.def.id_mark);
        let base = def.base_mut();
        (base.body_a, base.body_b) = (body(base.body_a), body(base.body_b));
        if let JointDef::Gear(gear) = &mut def {
            let joint = |place: JointId| own_id(place, self.def.id_mark);
            (gear.joint_a, gear.joint_b) = (joint(gear.joint_a), joint(gear.joint_b));
        }
        def
    }
}

/// Returns the id of the first object in the slot of `place`, in a world of the given mark.
fn own_id<K: IdKind>(place: Id<K>, mark: u16) -> Id<K> {
    Id::from_bits(u64::from(mark) << 48 | u64::from(place.index()))
}
