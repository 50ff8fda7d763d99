//! Numbers, vectors, positions and ids.

use crate::failure::Failure;
use engine::{
    Aabb, BodyId, ContactId, Id, IdKind, JointId, Point, Rotation, ShapeId, Vec2, WorldPoint, math,
};

/// A flag: 0 is false, all other values are true.
pub type cairn_bool = u8;

/// False.
pub const CAIRN_FALSE: cairn_bool = 0;
/// True.
pub const CAIRN_TRUE: cairn_bool = 1;

/// A vector, or a point near the origin of a frame.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct cairn_vec2 {
    /// First coordinate.
    pub x: f32,
    /// Second coordinate.
    pub y: f32,
}

/// A point in the world [m].
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct cairn_position {
    /// First coordinate [m].
    pub x: f64,
    /// Second coordinate [m].
    pub y: f64,
}

/// A rotation, as the direction to which it turns the x axis.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct cairn_rotation {
    /// Cosine of the angle.
    pub cos: f32,
    /// Sine of the angle.
    pub sin: f32,
}

/// A box with sides along the axes of the world, relative to the origin of the world [m].
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct cairn_box {
    /// Lower left corner [m].
    pub min: cairn_vec2,
    /// Upper right corner [m].
    pub max: cairn_vec2,
}

/// Names a body. All bits 0 name no body.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct cairn_body_id {
    /// The bits of the id; compare them to compare ids.
    pub bits: u64,
}

/// Names a shape. All bits 0 name no shape.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct cairn_shape_id {
    /// The bits of the id; compare them to compare ids.
    pub bits: u64,
}

/// Names a joint. All bits 0 name no joint.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct cairn_joint_id {
    /// The bits of the id; compare them to compare ids.
    pub bits: u64,
}

/// Names a contact. All bits 0 name no contact.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct cairn_contact_id {
    /// The bits of the id; compare them to compare ids.
    pub bits: u64,
}

/// Returns the bits of an id here. The engine's bits of the first object of a world are 0, which must name nothing here.
pub(crate) const fn bits<K: IdKind>(id: Id<K>) -> u64 {
    id.to_bits().wrapping_add(1)
}

/// Returns the engine's id. Bits of 0 give an id that no world has.
const fn id<K: IdKind>(bits: u64) -> Id<K> {
    Id::from_bits(bits.wrapping_sub(1))
}

impl From<BodyId> for cairn_body_id {
    fn from(id: BodyId) -> Self {
        Self { bits: bits(id) }
    }
}

impl From<cairn_body_id> for BodyId {
    fn from(from: cairn_body_id) -> Self {
        id(from.bits)
    }
}

impl From<ShapeId> for cairn_shape_id {
    fn from(id: ShapeId) -> Self {
        Self { bits: bits(id) }
    }
}

impl From<cairn_shape_id> for ShapeId {
    fn from(from: cairn_shape_id) -> Self {
        id(from.bits)
    }
}

impl From<JointId> for cairn_joint_id {
    fn from(id: JointId) -> Self {
        Self { bits: bits(id) }
    }
}

impl From<cairn_joint_id> for JointId {
    fn from(from: cairn_joint_id) -> Self {
        id(from.bits)
    }
}

impl From<ContactId> for cairn_contact_id {
    fn from(id: ContactId) -> Self {
        Self { bits: bits(id) }
    }
}

impl From<Vec2> for cairn_vec2 {
    fn from(vector: Vec2) -> Self {
        Self {
            x: vector.x,
            y: vector.y,
        }
    }
}

impl From<Point> for cairn_vec2 {
    fn from(point: Point) -> Self {
        point.coords.into()
    }
}

impl From<cairn_vec2> for Vec2 {
    fn from(vector: cairn_vec2) -> Self {
        Self::new(vector.x, vector.y)
    }
}

impl cairn_vec2 {
    pub(crate) const fn point(self) -> Point {
        math::point(self.x, self.y)
    }
}

/// Returns the points of an array.
pub(crate) fn points(array: &[cairn_vec2]) -> Vec<Point> {
    array.iter().map(|point| point.point()).collect()
}

impl From<WorldPoint> for cairn_position {
    fn from(point: WorldPoint) -> Self {
        Self {
            x: point.x,
            y: point.y,
        }
    }
}

impl From<cairn_position> for WorldPoint {
    fn from(position: cairn_position) -> Self {
        Self::new(position.x, position.y)
    }
}

impl From<Rotation> for cairn_rotation {
    fn from(rotation: Rotation) -> Self {
        Self {
            cos: rotation.re,
            sin: rotation.im,
        }
    }
}

impl From<Aabb> for cairn_box {
    fn from(aabb: Aabb) -> Self {
        Self {
            min: aabb.min.into(),
            max: aabb.max.into(),
        }
    }
}

impl cairn_box {
    /// Returns the box; corners in the wrong order and numbers that are not finite are refused.
    pub(crate) fn aabb(self, name: &str) -> Result<Aabb, Failure> {
        let aabb = Aabb::new(self.min.point(), self.max.point());
        if aabb.is_finite() && aabb.is_valid() {
            Ok(aabb)
        } else {
            Err(Failure::value(format!(
                "{name} must be finite, and its min at most its max"
            )))
        }
    }
}

/// Returns the position, if its numbers are finite.
pub(crate) fn position(x: f64, y: f64) -> Result<WorldPoint, Failure> {
    let position = WorldPoint::new(x, y);
    if position.is_finite() {
        Ok(position)
    } else {
        Err(Failure::value(format!(
            "the position ({x}, {y}) is not finite"
        )))
    }
}

/// Returns the vector, if its numbers are finite.
pub(crate) fn finite(x: f32, y: f32, name: &str) -> Result<Vec2, Failure> {
    if x.is_finite() && y.is_finite() {
        Ok(Vec2::new(x, y))
    } else {
        Err(Failure::value(format!("{name} ({x}, {y}) is not finite")))
    }
}

/// Returns the number, if it is finite.
pub(crate) fn number(value: f32, name: &str) -> Result<f32, Failure> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(Failure::value(format!("{name} is {value}, not finite")))
    }
}
