//! Scenes as data: a world as the list of its definitions.

use crate::body::def::BodyDef;
use crate::id::{BodyId, Id, IdKind, JointId};
use crate::ignored_pairs::IgnoreFor;
use crate::joint::JointDef;
use crate::shape::def::ShapeDef;
#[cfg(feature = "serde")]
use crate::world::scene_data;
use crate::world::{World, WorldError};
use crate::world_def::WorldDef;
use cairn2d_geometry::{MassData, Shape};
use thiserror::Error;

/// The definitions of all objects of a world: plain data, which the feature `serde` reads and writes.
///
/// Joints refer to bodies, and gears to joints, by their indices in the lists: `BodyId::from_bits(2)` is the third body.
///
/// ```
/// use cairn2d_dynamics::{BodyDef, BodyId, DistanceJointDef, SceneBody, SceneDef, SceneJoint, SceneShape, World};
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
///     joints: vec![SceneJoint::new(rod)],
///     ..SceneDef::default()
/// };
/// let world = World::from_scene(&scene).unwrap();
/// assert_eq!((world.bodies().count(), world.joints().count()), (2, 1));
/// ```
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(default, deny_unknown_fields, remote = "Self")
)]
pub struct SceneDef {
    /// Settings of the world.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "scene_data::world"))]
    pub world: WorldDef,
    /// Bodies, in order of creation.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "scene_data::bodies"))]
    pub bodies: Vec<SceneBody>,
    /// For each shape of all bodies, in order of creation, the index of its body. Empty: body by body.
    pub shape_order: Vec<u32>,
    /// Joints, in order of creation.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "scene_data::joints"))]
    pub joints: Vec<SceneJoint>,
    /// Pairs of bodies that ignore each other: see [`World::ignore_pair`].
    pub ignored_pairs: Vec<(BodyId, BodyId, IgnoreFor)>,
}

impl SceneDef {
    /// Returns the body of that name in the world that [`World::from_scene`] makes.
    ///
    /// ```
    /// use cairn2d_dynamics::{SceneBody, SceneDef, World};
    ///
    /// let player = SceneBody {
    ///     name: "player".into(),
    ///     ..SceneBody::default()
    /// };
    /// let scene = SceneDef {
    ///     bodies: vec![SceneBody::default(), player],
    ///     ..SceneDef::default()
    /// };
    /// let world = World::from_scene(&scene).unwrap();
    /// let player = scene.body_id("player").unwrap();
    /// assert_eq!(world.body(player).id().index(), 1);
    /// ```
    #[must_use]
    pub fn body_id(&self, name: &str) -> Option<BodyId> {
        let place = self.bodies.iter().position(|body| body.name == name)?;
        Some(own_id(Id::from_bits(place as u64), self.world.id_mark))
    }

    /// Returns the joint of that name in the world that [`World::from_scene`] makes.
    #[must_use]
    pub fn joint_id(&self, name: &str) -> Option<JointId> {
        let place = self.joints.iter().position(|joint| joint.name == name)?;
        Some(own_id(Id::from_bits(place as u64), self.world.id_mark))
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
#[cfg_attr(
    feature = "serde",
    serde(default, deny_unknown_fields, remote = "Self")
)]
pub struct SceneBody {
    /// Name by which the joints of a scene file refer to the body, or nothing. See [`SceneDef::body_id`].
    pub name: String,
    /// The body.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "scene_data::body_def"))]
    pub def: BodyDef,
    /// Its shapes, in order of creation.
    #[cfg_attr(
        feature = "serde",
        serde(
            serialize_with = "scene_data::serialize_shapes",
            deserialize_with = "scene_data::shapes"
        )
    )]
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
    /// Density, material, filter and the other properties.
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

/// A joint of a scene.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, remote = "Self"))]
pub struct SceneJoint {
    /// Name by which the gears of a scene file refer to the joint, or nothing. See [`SceneDef::joint_id`].
    #[cfg_attr(feature = "serde", serde(default))]
    pub name: String,
    /// The joint.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "scene_data::joint_def"))]
    pub def: JointDef,
    /// Whether the joint is disabled: see [`JointMut::disable`](crate::JointMut::disable).
    #[cfg_attr(feature = "serde", serde(default))]
    pub disabled: bool,
}

impl SceneJoint {
    /// Returns a joint without a name.
    #[must_use]
    pub fn new(def: impl Into<JointDef>) -> Self {
        Self {
            name: String::new(),
            def: def.into(),
            disabled: false,
        }
    }
}

/// The reason a scene was refused.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The settings of the world.
    #[error("the world: {0}")]
    World(WorldError),
    /// A body or one of its shapes.
    #[error("body {body}: {error}")]
    Body {
        /// Index of the body in the list.
        body: usize,
        /// The error of the definition.
        error: WorldError,
    },
    /// The order of shapes does not name each body once for each of its shapes.
    #[error("shape_order: body {body} is not named once for each of its shapes")]
    ShapeOrder {
        /// Index of the body.
        body: usize,
    },
    /// A joint.
    #[error("joint {joint}: {error}")]
    Joint {
        /// Index of the joint in the list.
        joint: usize,
        /// The error of the definition.
        error: WorldError,
    },
    /// A pair of bodies that ignore each other.
    #[error("ignored pair {pair}: {error}")]
    IgnoredPair {
        /// Index of the pair in the list.
        pair: usize,
        /// The error of the call.
        error: WorldError,
    },
}

impl World {
    /// Creates a world from the definitions of a scene.
    ///
    /// Body `i` of the list gets the index `i` in its id, and so does joint `i`. Worlds made from equal scenes have
    /// equal [hashes](Self::state_hash). [`to_scene`](Self::to_scene) is the inverse.
    ///
    /// # Errors
    /// Names the first definition that is invalid, or a joint with a body or joint that is not in the lists.
    pub fn from_scene(scene: &SceneDef) -> Result<Self, SceneError> {
        let mut world = Self::try_new(scene.world.clone()).map_err(SceneError::World)?;
        world.create_scene_bodies(scene)?;
        for (joint, SceneJoint { def, disabled, .. }) in scene.joints.iter().enumerate() {
            let made = world.try_create_joint(world.with_own_ids(*def));
            let id = made.map_err(|error| SceneError::Joint { joint, error })?;
            if *disabled {
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
