//! Scene files: names of bodies and joints, chains as their points, no fields that have their defaults, and errors that
//! name the place. Binary formats have no names of fields, so they hold all of them.

use crate::body::def::BodyDef;
use crate::id::{BodyId, Id, IdKind, JointId, kind};
use crate::joint::{
    DistanceJointDef, FilterJointDef, GearJointDef, JointDef, MotorJointDef, MouseJointDef,
    PrismaticJointDef, PulleyJointDef, RevoluteJointDef, WeldJointDef, WheelJointDef,
};
use crate::serde_ids::{NameScope, SceneNames, check_name, note_name};
use crate::shape::def::ShapeDef;
use crate::sparse;
use crate::world::{SceneBody, SceneDef, SceneJoint, SceneShape};
use crate::world_def::WorldDef;
use cairn2d_geometry::math::WorldPoint;
use cairn2d_geometry::{Chain, ChainSegment, Shape};
use core::fmt::{self, Display};
use core::marker::PhantomData;
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A value with all of its fields, as serde derives it.
struct Full<'a, T>(&'a T);

/// Gives a type of scenes its traits: in text without the fields that have their defaults.
macro_rules! sparse_in_text {
    ($($kind:ty: $default:expr),* $(,)?) => {$(
        impl Serialize for Full<'_, $kind> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                <$kind>::serialize(self.0, serializer)
            }
        }

        impl $kind {
            fn serialize_sparse<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if !serializer.is_human_readable() {
                    return <$kind>::serialize(self, serializer);
                }
                let default: fn(&$kind) -> $kind = $default;
                sparse::serialize(&Full(self), &Full(&default(self)), serializer)
            }
        }
    )*};
}

sparse_in_text! {
    SceneDef: |_| SceneDef::default(),
    SceneBody: |_| SceneBody::default(),
    SceneJoint: |joint| SceneJoint::new(with_defaults(&joint.def)),
}

impl Serialize for SceneDef {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut names = SceneNames::default();
        let mut bodies = self.bodies.iter();
        let mut joints = self.joints.iter();
        let noted = bodies
            .try_for_each(|body| names.bodies.push::<kind::Body>(&body.name))
            .and_then(|()| {
                joints.try_for_each(|joint| names.joints.push::<kind::Joint>(&joint.name))
            });
        noted.map_err(serde::ser::Error::custom)?;
        let _scope = NameScope::open(names);
        self.serialize_sparse(serializer)
    }
}

impl Serialize for SceneBody {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialize_sparse(serializer)
    }
}

impl Serialize for SceneJoint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialize_sparse(serializer)
    }
}

impl<'de> Deserialize<'de> for SceneDef {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let _scope = NameScope::open(SceneNames::default());
        Self::deserialize(deserializer)
    }
}

impl<'de> Deserialize<'de> for SceneBody {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let body = Self::deserialize(deserializer)?;
        note_name::<kind::Body>(&body.name).map_err(D::Error::custom)?;
        Ok(body)
    }
}

impl<'de> Deserialize<'de> for SceneJoint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let joint = Self::deserialize(deserializer)?;
        note_name::<kind::Joint>(&joint.name).map_err(D::Error::custom)?;
        Ok(joint)
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
        JointDef::Mouse(_) => MouseJointDef::new(a, b).into(),
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
        sparse::serialize(&self.0, &ShapeData::default(), serializer)
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
        list(deserializer, "shapes", |shape| {
            shapes.push(shape);
            Ok(())
        })?;
        return Ok(shapes);
    }
    list(deserializer, "shapes", |data: ShapeData| {
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

/// Reads the name of a body or joint.
pub(super) fn name<'de, D: Deserializer<'de>, K: IdKind>(
    deserializer: D,
) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?;
    check_name::<K>(&name).map_err(D::Error::custom)?;
    Ok(name)
}

/// Reads the bodies.
pub(super) fn bodies<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<SceneBody>, D::Error> {
    collected(deserializer, "bodies")
}

/// Reads the joints.
pub(super) fn joints<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<SceneJoint>, D::Error> {
    collected(deserializer, "joints")
}

fn collected<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
    name: &'static str,
) -> Result<Vec<T>, D::Error> {
    let mut all = Vec::new();
    list(deserializer, name, |element| {
        all.push(element);
        Ok(())
    })?;
    Ok(all)
}

/// Reads a list element by element. An error of an element begins with `name` and the place in the list.
fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
    name: &'static str,
    take: impl FnMut(T) -> Result<(), String>,
) -> Result<(), D::Error> {
    deserializer.deserialize_seq(ListVisitor {
        name,
        take,
        element: PhantomData,
    })
}

struct ListVisitor<T, F> {
    name: &'static str,
    take: F,
    element: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>, F: FnMut(T) -> Result<(), String>> Visitor<'de>
    for ListVisitor<T, F>
{
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "a list of {}", self.name)
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut elements: A) -> Result<(), A::Error> {
        for index in 0_usize.. {
            let name = self.name;
            let refuse =
                |error: &dyn Display| A::Error::custom(format!("{name}[{index}]: {error}"));
            match elements.next_element() {
                Ok(Some(element)) => (self.take)(element).map_err(|error| refuse(&error))?,
                Ok(None) => break,
                // Formats keep the line of the first error in its text.
                Err(error) => return Err(refuse(&error)),
            }
        }
        Ok(())
    }
}
