//! Scenes as data: a world as the list of its definitions.

use crate::body::def::BodyDef;
use crate::id::{BodyId, Id, IdKind, JointId};
use crate::ignored_pairs::IgnoreFor;
use crate::joint::JointDef;
use crate::shape::def::ShapeDef;
use crate::world::{World, WorldError};
use crate::world_def::WorldDef;
use cairn2d_geometry::{MassData, Shape};
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
///     ..SceneBody::default()
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
    /// For each shape of all bodies, in order of creation, the place of its body. Empty: body after body.
    pub shape_order: Vec<u32>,
    /// Joints, in order of creation.
    pub joints: Vec<JointDef>,
    /// Joints that are disabled as soon as they are created.
    pub disabled_joints: Vec<JointId>,
    /// Pairs of bodies that ignore each other: see [`World::ignore_pair`].
    pub ignored_pairs: Vec<(BodyId, BodyId, IgnoreFor)>,
}

impl SceneDef {
    /// Returns for each joint whether it is disabled.
    fn disabled_joints(&self) -> Result<Vec<bool>, SceneError> {
        let mut disabled = vec![false; self.joints.len()];
        for place in &self.disabled_joints {
            let joint = place.index() as usize;
            let missing = || SceneError::Joint {
                joint,
                error: WorldError::NoSuchJoint(own_id(*place, self.world.id_mark)),
            };
            *disabled.get_mut(joint).ok_or_else(missing)? = true;
        }
        Ok(disabled)
    }

    /// Checks that the order of shapes names each of them once.
    fn check_shape_order(&self) -> Result<(), SceneError> {
        if self.shape_order.is_empty() {
            return Ok(());
        }
        let mut left: Vec<usize> = self.bodies.iter().map(|body| body.shapes.len()).collect();
        for &body in &self.shape_order {
            let body = body as usize;
            match left.get_mut(body) {
                Some(left) if *left > 0 => *left -= 1,
                _ => return Err(SceneError::ShapeOrder { body }),
            }
        }
        match left.iter().position(|&left| left > 0) {
            Some(body) => Err(SceneError::ShapeOrder { body }),
            None => Ok(()),
        }
    }
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
    /// Mass data that replace the sum over the shapes: see [`BodyMut::set_mass`](crate::BodyMut::set_mass).
    pub mass: Option<MassData>,
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
    /// Whether the shape is disabled: see [`ShapeMut::disable`](crate::ShapeMut::disable).
    #[cfg_attr(feature = "serde", serde(default))]
    pub disabled: bool,
}

impl SceneShape {
    /// Returns a shape with the default properties.
    #[must_use]
    pub fn new(shape: impl Into<Shape>) -> Self {
        Self {
            shape: shape.into(),
            def: ShapeDef::default(),
            disabled: false,
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
    /// The order of shapes does not name a body once for each of its shapes.
    #[error("shape_order: body {body} is not named once for each of its shapes")]
    ShapeOrder {
        /// Place of the body.
        body: usize,
    },
    /// A joint.
    #[error("joint {joint}: {error}")]
    Joint {
        /// Place of the joint in the list.
        joint: usize,
        /// The error of the definition.
        error: WorldError,
    },
    /// A pair of bodies that ignore each other.
    #[error("ignored pair {pair}: {error}")]
    IgnoredPair {
        /// Place of the pair in the list.
        pair: usize,
        /// The error of the call.
        error: WorldError,
    },
}

impl World {
    /// Makes a world of the definitions of a scene.
    ///
    /// The body at place `i` of the list has the index `i` in its id; so do joints. Worlds that are made of equal scenes
    /// have equal [hashes](Self::state_hash). [`to_scene`](Self::to_scene) is the inverse.
    ///
    /// # Errors
    /// Names the first definition that is invalid, or a joint with a body or joint that is not in the lists.
    pub fn from_scene(scene: &SceneDef) -> Result<Self, SceneError> {
        let mut world = Self::try_new(scene.world.clone()).map_err(SceneError::World)?;
        world.create_scene_bodies(scene)?;
        let disabled = scene.disabled_joints()?;
        for (joint, (def, disabled)) in scene.joints.iter().zip(disabled).enumerate() {
            let made = world.try_create_joint(world.with_own_ids(*def));
            let id = made.map_err(|error| SceneError::Joint { joint, error })?;
            if disabled {
                world.joint_mut(id).disable();
            }
        }
        for (pair, &(a, b, how_long)) in scene.ignored_pairs.iter().enumerate() {
            let [a, b] = [a, b].map(|body| own_id(body, scene.world.id_mark));
            let ignored = world.try_ignore_pair(a, b, how_long);
            ignored.map_err(|error| SceneError::IgnoredPair { pair, error })?;
        }
        Ok(world)
    }

    fn create_scene_bodies(&mut self, scene: &SceneDef) -> Result<(), SceneError> {
        let at = |body: usize| move |error| SceneError::Body { body, error };
        scene.check_shape_order()?;
        let is_grouped = scene.shape_order.is_empty();
        let mut ids = Vec::with_capacity(scene.bodies.len());
        for (body, SceneBody { def, shapes, .. }) in scene.bodies.iter().enumerate() {
            let id = self.try_create_body(def).map_err(at(body))?;
            ids.push(id);
            for shape in shapes.iter().filter(|_| is_grouped) {
                self.create_scene_shape(id, shape).map_err(at(body))?;
            }
        }
        let mut shapes: Vec<_> = scene.bodies.iter().map(|body| body.shapes.iter()).collect();
        for &body in &scene.shape_order {
            let body = body as usize;
            if let Some(shape) = shapes[body].next() {
                let made = self.create_scene_shape(ids[body], shape);
                made.map_err(at(body))?;
            }
        }
        for (body, (&id, SceneBody { mass, .. })) in ids.iter().zip(&scene.bodies).enumerate() {
            if mass.is_some() {
                let set = self.body_mut(id).try_set_mass(*mass);
                set.map_err(|error| at(body)(error.into()))?;
            }
        }
        Ok(())
    }

    fn create_scene_shape(&mut self, body: BodyId, shape: &SceneShape) -> Result<(), WorldError> {
        let id = self.try_create_shape(body, shape.shape.clone(), shape.def)?;
        if shape.disabled {
            self.shape_mut(id).disable();
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
