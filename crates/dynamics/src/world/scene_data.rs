//! Scene files: names of bodies and joints, chains as their points, no fields that have their defaults, and errors that
//! name the place. Binary formats have no names of fields, so they hold all of them.

use crate::body::def::BodyDef;
use crate::id::{BodyId, Id, IdKind, JointId, kind};
use crate::joint::{
    DistanceJointDef, FilterJointDef, GearJointDef, JointDef, JointSoftness, MotorJointDef,
    MouseJointDef, PrismaticJointDef, PulleyJointDef, RevoluteJointDef, WeldJointDef,
    WheelJointDef,
};
use crate::shape::def::ShapeDef;
use crate::world::{SceneBody, SceneDef, SceneJoint, SceneShape};
use crate::world_def::WorldDef;
use cairn2d_geometry::math::WorldPoint;
use cairn2d_geometry::name_list::{NameScope, note_name};
use cairn2d_geometry::placed_list::visit_list;
use cairn2d_geometry::{Chain, ChainSegment, Shape, sparse};
use core::fmt::Display;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

impl Serialize for SceneDef {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let _scope = NameScope::open();
        let mut bodies = self.bodies.iter();
        let mut joints = self.joints.iter();
        bodies
            .try_for_each(|body| note_name(kind::Body::NAME, &body.name))
            .and_then(|()| joints.try_for_each(|joint| note_name(kind::Joint::NAME, &joint.name)))
            .map_err(serde::ser::Error::custom)?;
        let write = (Self::serialize as _, Self::serialize as _);
        sparse::serialize(self, Self::default(), serializer, write)
    }
}

impl Serialize for SceneBody {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let write = (Self::serialize as _, Self::serialize as _);
        sparse::serialize(self, Self::default(), serializer, write)
    }
}

impl Serialize for SceneJoint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let default = Self::new(with_defaults(&self.def));
        let write = (Self::serialize as _, Self::serialize as _);
        sparse::serialize(self, default, serializer, write)
    }
}

impl<'de> Deserialize<'de> for SceneDef {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let _scope = NameScope::open();
        Self::deserialize(deserializer)
    }
}

impl<'de> Deserialize<'de> for SceneBody {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::deserialize(deserializer)
    }
}

impl<'de> Deserialize<'de> for SceneJoint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::deserialize(deserializer)
    }
}

/// Returns a joint between other bodies of which every field that may be left out is what it is then.
fn with_defaults(def: &JointDef) -> JointDef {
    let a: BodyId = other_than(def.base().body_a);
    let b: BodyId = other_than(def.base().body_b);
    // Not a number: these fields are always written.
    let (wheel, length) = (WorldPoint::new(f64::NAN, f64::NAN), f32::NAN);
    let mut defaults: JointDef = match def {
        JointDef::Revolute(_) => RevoluteJointDef::new(a, b).into(),
        JointDef::Prismatic(_) => PrismaticJointDef::new(a, b).into(),
        JointDef::Distance(_) => DistanceJointDef::new(a, b).into(),
        JointDef::Weld(_) => WeldJointDef::new(a, b).into(),
        JointDef::Wheel(_) => {
            let mut wheel = WheelJointDef::new(a, b);
            wheel.spring = None;
            wheel.into()
        }
        JointDef::Motor(_) => MotorJointDef::new(a, b).into(),
        JointDef::Mouse(mouse) => {
            let mut default = MouseJointDef::new(a, b);
            if mouse.spring != default.spring {
                // Its fields are written together.
                let [hertz, damping_ratio] = [f32::NAN; 2];
                default.spring = JointSoftness {
                    hertz,
                    damping_ratio,
                };
            }
            default.into()
        }
        JointDef::Pulley(_) => PulleyJointDef::new(a, b, wheel, wheel, length).into(),
        JointDef::Gear(gear) => {
            let joints: [JointId; 2] = [gear.joint_a, gear.joint_b].map(other_than);
            GearJointDef::new(a, b, joints[0], joints[1]).into()
        }
        JointDef::Filter(_) => FilterJointDef::new(a, b).into(),
    };
    defaults.base_mut().collide_connected = false;
    defaults
}

/// Returns an id that is written in another way than `id`.
fn other_than<K: IdKind>(id: Id<K>) -> Id<K> {
    Id::from_bits(!id.to_bits())
}

/// Shapes of a body with equal properties in a text: one shape, or the segments of a chain.
#[derive(Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ShapeData {
    shape: Option<Shape>,
    chain: Option<Chain>,
    #[serde(deserialize_with = "shape_def")]
    def: ShapeDef,
    disabled: bool,
}

/// The same without the fields that have their defaults.
struct SparseShape(ShapeData);

impl Serialize for SparseShape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let write = (Serialize::serialize as _, Serialize::serialize as _);
        sparse::serialize(&self.0, ShapeData::default(), serializer, write)
    }
}

/// Writes the shapes of a body.
pub(super) fn serialize_shapes<S: Serializer>(
    shapes: &[SceneShape],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    if !serializer.is_human_readable() {
        return shapes.serialize(serializer);
    }
    let mut left = shapes;
    let groups = core::iter::from_fn(|| {
        let (first, _) = left.split_first()?;
        let (group, count) = leading_group(first, left);
        left = &left[count..];
        Some(SparseShape(group))
    });
    serializer.collect_seq(groups.collect::<Vec<_>>())
}

/// Returns the first of the `shapes`, or the chain that they begin with, and the number of shapes that it stands for.
fn leading_group(first: &SceneShape, shapes: &[SceneShape]) -> (ShapeData, usize) {
    let alike = shapes.iter().map_while(|shape| match &shape.shape {
        Shape::ChainSegment(segment)
            if (shape.def, shape.disabled) == (first.def, first.disabled) =>
        {
            Some(segment)
        }
        _ => None,
    });
    let segments: Vec<&ChainSegment> = alike.collect();
    let chain = Chain::leading(&segments);
    let count = chain.as_ref().map_or(1, |chain| chain.segments().len());
    let data = ShapeData {
        shape: chain.is_none().then(|| first.shape.clone()),
        chain,
        def: first.def,
        disabled: first.disabled,
    };
    (data, count)
}

/// Reads the shapes of a body.
pub(super) fn shapes<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<SceneShape>, D::Error> {
    let mut shapes = Vec::new();
    if !deserializer.is_human_readable() {
        visit_list(deserializer, "shapes", |shape| {
            shapes.push(shape);
            Ok(())
        })?;
        return Ok(shapes);
    }
    visit_list(deserializer, "shapes", |data: ShapeData| {
        let mut push = |shape: Shape| {
            shapes.push(SceneShape {
                shape,
                def: data.def,
                disabled: data.disabled,
            });
        };
        match (data.shape, data.chain) {
            (Some(shape), None) => push(shape),
            (None, Some(chain)) => chain.segments().iter().for_each(|&part| push(part.into())),
            _ => return Err("an element has either `shape` or `chain`".into()),
        }
        Ok(())
    })?;
    Ok(shapes)
}

/// Reads the settings of the world.
pub(super) fn world<'de, D: Deserializer<'de>>(deserializer: D) -> Result<WorldDef, D::Error> {
    let refuse = |error: &dyn Display| D::Error::custom(format!("world: {error}"));
    let def = WorldDef::deserialize(deserializer).map_err(|error| refuse(&error))?;
    def.validate().map_err(|error| refuse(&error))?;
    Ok(def)
}

/// Reads the definition of a body. It is checked here, and not with the whole body, so that the reader names its line.
pub(super) fn body_def<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BodyDef, D::Error> {
    let def = BodyDef::deserialize(deserializer)?;
    def.validate().map_err(D::Error::custom)?;
    Ok(def)
}

/// Reads the definition of a shape.
fn shape_def<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ShapeDef, D::Error> {
    let def = ShapeDef::deserialize(deserializer)?;
    def.validate().map_err(D::Error::custom)?;
    Ok(def)
}

/// Reads the definition of a joint.
pub(super) fn joint_def<'de, D: Deserializer<'de>>(deserializer: D) -> Result<JointDef, D::Error> {
    let def = JointDef::deserialize(deserializer)?;
    def.validate().map_err(D::Error::custom)?;
    Ok(def)
}

/// Reads the bodies.
pub(super) fn bodies<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<SceneBody>, D::Error> {
    let mut bodies = Vec::new();
    visit_list(deserializer, "bodies", |body: SceneBody| {
        note_name(kind::Body::NAME, &body.name)?;
        bodies.push(body);
        Ok(())
    })?;
    Ok(bodies)
}

/// Reads the joints.
pub(super) fn joints<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<SceneJoint>, D::Error> {
    let mut joints = Vec::new();
    visit_list(deserializer, "joints", |joint: SceneJoint| {
        note_name(kind::Joint::NAME, &joint.name)?;
        joints.push(joint);
        Ok(())
    })?;
    Ok(joints)
}
