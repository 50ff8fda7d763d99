//! Shapes as data: the arguments of their constructors. The constructors read them, so no invalid shape can be made.
//!
//! Numbers that follow from the rest are written as well where a constructor would round them differently. Text
//! formats leave out the fields that most shapes do not need. Binary formats such as bincode have no names of fields,
//! so all of them are written there.

use super::rounded::edge_normals;
use super::{Capsule, ChainSegment, Circle, Ellipse, HalfSpace, Polygon, Segment};
use crate::error::{ShapeError, not_negative};
use crate::inverse::angle_of;
use crate::math::{PI, Point, Vec2, rotation_from_parts};
use crate::tolerance::LINEAR_SLOP;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use thiserror::Error;

/// Largest difference of a written unit normal from that of its edge: far above the rounding of shapes that were
/// turned or inset, and far below the error of a person who writes one by hand. Larger: contacts have wrong
/// directions.
const MAX_NORMAL_ERROR: f32 = 1.0e-3;

/// Reasons why data do not describe a shape.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub(super) enum DataError {
    /// A constructor refuses them.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// An angle of more than a full turn, which is probably in degrees.
    #[error("angle is {0}, more than a full turn: angles are in radians")]
    Degrees(f32),
    /// Numbers that must follow from others do not.
    #[error("the parts of the shape do not fit to each other")]
    Parts,
    /// A polygon is not convex, and its hull is another shape.
    #[error(
        "the polygon is not convex: vertex {index} is {depth} m inside of its hull; split the outline into convex parts"
    )]
    Concave {
        /// Index of the vertex that is deepest inside.
        index: usize,
        /// Its distance from the outline of the hull \[m\].
        depth: f32,
    },
}

/// Writes a field of a record, or leaves it out.
fn put<R: SerializeStruct>(
    record: &mut R,
    is_needed: bool,
    name: &'static str,
    value: &impl Serialize,
) -> Result<(), R::Error> {
    if is_needed {
        record.serialize_field(name, value)
    } else {
        record.skip_field(name)
    }
}

/// Refuses an angle \[rad\] that is probably in degrees.
fn check_radians(angle: f32) -> Result<(), DataError> {
    if angle.abs() > 2.0 * PI {
        return Err(DataError::Degrees(angle));
    }
    Ok(())
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CircleData {
    #[serde(default)]
    center: [f32; 2],
    radius: f32,
}

impl From<Circle> for CircleData {
    fn from(circle: Circle) -> Self {
        Self {
            center: circle.center().into(),
            radius: circle.radius(),
        }
    }
}

impl TryFrom<CircleData> for Circle {
    type Error = ShapeError;
    fn try_from(data: CircleData) -> Result<Self, ShapeError> {
        Self::try_new(data.center.into(), data.radius)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CapsuleData {
    a: Point,
    b: Point,
    radius: f32,
}

impl From<Capsule> for CapsuleData {
    fn from(capsule: Capsule) -> Self {
        Self {
            a: capsule.a(),
            b: capsule.b(),
            radius: capsule.radius(),
        }
    }
}

impl TryFrom<CapsuleData> for Capsule {
    type Error = ShapeError;
    fn try_from(data: CapsuleData) -> Result<Self, ShapeError> {
        Self::try_new(data.a, data.b, data.radius)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SegmentData {
    a: Point,
    b: Point,
}

impl From<Segment> for SegmentData {
    fn from(segment: Segment) -> Self {
        Self {
            a: segment.a(),
            b: segment.b(),
        }
    }
}

impl TryFrom<SegmentData> for Segment {
    type Error = ShapeError;
    fn try_from(data: SegmentData) -> Result<Self, ShapeError> {
        Self::try_new(data.a, data.b)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChainSegmentData {
    #[serde(default)]
    ghost_before: Option<Point>,
    a: Point,
    b: Point,
    #[serde(default)]
    ghost_after: Option<Point>,
    /// One side of a line that is solid from both sides.
    #[serde(default)]
    two_sided: bool,
    /// Bodies may be let through it.
    #[serde(default)]
    platform: bool,
}

impl Serialize for ChainSegmentData {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let all = !serializer.is_human_readable();
        let mut record = serializer.serialize_struct("ChainSegmentData", 6)?;
        record.serialize_field("ghost_before", &self.ghost_before)?;
        record.serialize_field("a", &self.a)?;
        record.serialize_field("b", &self.b)?;
        record.serialize_field("ghost_after", &self.ghost_after)?;
        put(
            &mut record,
            all || self.two_sided,
            "two_sided",
            &self.two_sided,
        )?;
        put(
            &mut record,
            all || self.platform,
            "platform",
            &self.platform,
        )?;
        record.end()
    }
}

impl From<ChainSegment> for ChainSegmentData {
    fn from(segment: ChainSegment) -> Self {
        Self {
            ghost_before: segment.ghost_before(),
            a: segment.a(),
            b: segment.b(),
            ghost_after: segment.ghost_after(),
            two_sided: segment.is_two_sided(),
            platform: segment.is_platform(),
        }
    }
}

impl TryFrom<ChainSegmentData> for ChainSegment {
    type Error = ShapeError;
    fn try_from(data: ChainSegmentData) -> Result<Self, ShapeError> {
        let segment = Self::try_new(data.ghost_before, data.a, data.b, data.ghost_after)?;
        let segment = segment.sided(data.two_sided);
        Ok(if data.platform {
            segment.into_platform()
        } else {
            segment
        })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HalfSpaceData {
    #[serde(default)]
    point: [f32; 2],
    normal: Vec2,
}

impl From<HalfSpace> for HalfSpaceData {
    fn from(half_space: HalfSpace) -> Self {
        Self {
            point: half_space.point().into(),
            normal: half_space.normal(),
        }
    }
}

impl TryFrom<HalfSpaceData> for HalfSpace {
    type Error = ShapeError;
    fn try_from(data: HalfSpaceData) -> Result<Self, ShapeError> {
        Self::try_of_unit(data.point.into(), data.normal)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EllipseData {
    #[serde(default)]
    center: [f32; 2],
    radii: Vec2,
    #[serde(default)]
    angle: f32,
    /// Cosine and sine.
    #[serde(default)]
    rotation: Option<[f32; 2]>,
}

impl Serialize for EllipseData {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let all = !serializer.is_human_readable();
        let mut record = serializer.serialize_struct("EllipseData", 4)?;
        record.serialize_field("center", &self.center)?;
        record.serialize_field("radii", &self.radii)?;
        record.serialize_field("angle", &self.angle)?;
        put(
            &mut record,
            all || self.rotation.is_some(),
            "rotation",
            &self.rotation,
        )?;
        record.end()
    }
}

impl From<Ellipse> for EllipseData {
    fn from(ellipse: Ellipse) -> Self {
        let exact = angle_of(&ellipse.rotation);
        // One beyond a full turn is not read.
        let is_read = check_radians(exact).is_ok();
        let angle = if is_read { exact } else { ellipse.angle() };
        let data = Self {
            center: ellipse.center().into(),
            radii: ellipse.radii(),
            angle,
            rotation: None,
        };
        let rotation = ellipse.rotation;
        let is_exact = data.make().is_ok_and(|made| made == ellipse);
        Self {
            rotation: (!is_exact).then_some([rotation.re, rotation.im]),
            ..data
        }
    }
}

impl EllipseData {
    fn make(&self) -> Result<Ellipse, DataError> {
        check_radians(self.angle)?;
        let [rx, ry] = self.radii.into();
        let ellipse = Ellipse::try_new(self.center.into(), rx, ry, self.angle)?;
        let Some([cos, sin]) = self.rotation else {
            return Ok(ellipse);
        };
        let mut exact = ellipse;
        exact.rotation = rotation_from_parts(cos, sin);
        exact.is_valid().then_some(exact).ok_or(DataError::Parts)
    }
}

impl TryFrom<EllipseData> for Ellipse {
    type Error = DataError;
    fn try_from(data: EllipseData) -> Result<Self, DataError> {
        data.make()
    }
}

/// A rectangle has `half`, and `center` and `angle` unless it is upright about the origin. Any other polygon has
/// `vertices`; `exact` has the values that follow from them.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct PolygonData {
    half: Option<[f32; 2]>,
    center: Option<Point>,
    angle: f32,
    vertices: Vec<Point>,
    radius: f32,
    exact: Option<PolygonParts>,
}

impl Serialize for PolygonData {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let all = !serializer.is_human_readable();
        let mut record = serializer.serialize_struct("PolygonData", 6)?;
        put(&mut record, all || self.half.is_some(), "half", &self.half)?;
        let (has_center, has_angle) = (self.center.is_some(), self.angle != 0.0);
        put(&mut record, all || has_center, "center", &self.center)?;
        put(&mut record, all || has_angle, "angle", &self.angle)?;
        let has_vertices = !self.vertices.is_empty();
        put(&mut record, all || has_vertices, "vertices", &self.vertices)?;
        put(
            &mut record,
            all || self.radius != 0.0,
            "radius",
            &self.radius,
        )?;
        put(
            &mut record,
            all || self.exact.is_some(),
            "exact",
            &self.exact,
        )?;
        record.end()
    }
}

/// The parts of a polygon that follow from its vertices.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PolygonParts {
    normals: Vec<Vec2>,
    centroid: Point,
    rectangle: Option<super::rectangle::Rectangle>,
}

impl From<Polygon> for PolygonData {
    fn from(polygon: Polygon) -> Self {
        let radius = polygon.radius;
        let is_exact = |data: &Self| data.make().is_ok_and(|made| made == polygon);
        let rectangle = Self {
            half: polygon.rectangle.as_ref().map(|made| made.half.into()),
            radius,
            ..Self::default()
        };
        if is_exact(&rectangle) {
            return rectangle;
        }
        if let Some(made) = &polygon.rectangle {
            let turn = rotation_from_parts(made.axis.x, made.axis.y);
            let placed = Self {
                center: Some(made.center),
                angle: angle_of(&turn),
                ..rectangle
            };
            if is_exact(&placed) {
                return placed;
            }
        }
        let hull = Self {
            vertices: polygon.vertices.to_vec(),
            radius,
            ..Self::default()
        };
        if is_exact(&hull) {
            return hull;
        }
        let exact = PolygonParts {
            normals: polygon.normals.to_vec(),
            centroid: polygon.centroid,
            rectangle: polygon.rectangle,
        };
        Self {
            exact: Some(exact),
            ..hull
        }
    }
}

impl PolygonData {
    fn make(&self) -> Result<Polygon, DataError> {
        if let Some([half_width, half_height]) = self.half {
            if !self.vertices.is_empty() || self.exact.is_some() {
                return Err(DataError::Parts);
            }
            let (center, radius) = (self.center.unwrap_or_default(), self.radius);
            return Ok(if self.center.is_none() && self.angle == 0.0 {
                Polygon::try_rounded_rectangle(half_width, half_height, radius)?
            } else {
                check_radians(self.angle)?;
                let rectangle =
                    Polygon::try_offset_rectangle(half_width, half_height, center, self.angle)?;
                let radius = not_negative("radius", radius)?;
                Polygon {
                    radius,
                    ..rectangle
                }
            });
        }
        if self.center.is_some() || self.angle != 0.0 {
            return Err(DataError::Parts);
        }
        let Some(exact) = &self.exact else {
            let hull = Polygon::try_rounded_hull(&self.vertices, self.radius)?;
            return self.check_convex(&hull).map(|()| hull);
        };
        if exact.normals.len() != self.vertices.len() {
            return Err(DataError::Parts);
        }
        let polygon = Polygon {
            vertices: self.vertices.iter().copied().collect(),
            normals: exact.normals.iter().copied().collect(),
            centroid: exact.centroid,
            radius: self.radius,
            rectangle: exact.rectangle,
        };
        let mut edges = edge_normals(&self.vertices).zip(&exact.normals);
        let is_valid = polygon.is_valid()
            && edges.all(|(edge, normal)| (edge - normal).norm() <= MAX_NORMAL_ERROR)
            && exact.centroid.coords.iter().all(|x| x.is_finite());
        is_valid.then_some(polygon).ok_or(DataError::Parts)
    }
}

impl PolygonData {
    /// Refuses an outline with a vertex inside of its `hull`: the hull is not the shape that was drawn. A vertex that is
    /// inside by less than contacts notice may be there by rounding.
    fn check_convex(&self, hull: &Polygon) -> Result<(), DataError> {
        let depth = |vertex: &Point| {
            let edges = hull.vertices.iter().zip(&hull.normals);
            edges.fold(f32::INFINITY, |least, (corner, normal)| {
                least.min((corner - vertex).dot(normal))
            })
        };
        let depths = self.vertices.iter().map(depth).enumerate();
        match depths.max_by(|(_, a), (_, b)| a.total_cmp(b)) {
            Some((index, depth)) if depth > LINEAR_SLOP => Err(DataError::Concave { index, depth }),
            _ => Ok(()),
        }
    }
}

impl TryFrom<PolygonData> for Polygon {
    type Error = DataError;
    fn try_from(data: PolygonData) -> Result<Self, DataError> {
        data.make()
    }
}
